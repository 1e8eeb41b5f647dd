// The page of one motion: it plays, is scrubbed and stepped, and shows what happens when.

const FRAME = 1 / 60,
  RATES = [1, 2, 5];

class Motion {
  constructor(meta, times, numbers) {
    this.meta = meta;
    this.samples = new Samples(times, numbers);
    this.end = meta.end;
    this.time = 0;
    this.playing = false;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.closed = meta.contacts.map((c) => c.closed);
    if (meta.scene) this.stage = new Stage($("stage"), meta.scene, this.samples);
    this.fillRates();
    $("scrub").max = this.end;
    this.listen();
  }

  column(k) {
    return Array.from(this.samples.numbers.subarray(k * this.samples.n, (k + 1) * this.samples.n));
  }

  // Units of time a second: about 8 seconds for all of it, and what is 8 times as fast or slow.
  fillRates() {
    const wanted = this.end / (this.meta.period ? 4 : 8),
      rates = [];
    for (let p = -4; p <= 4; ++p) for (const r of RATES) rates.push(Number((r * 10 ** (Math.floor(Math.log10(wanted)) + p)).toPrecision(1)));
    const chosen = rates.reduce((best, r) => (Math.abs(Math.log(r / wanted)) < Math.abs(Math.log(best / wanted)) ? r : best));
    const seconds = this.meta.timeUnit === "s";
    for (const r of rates.filter((one) => one >= chosen / 25 && one <= chosen * 25))
      $("rate").append(make("option", { value: String(r) }, seconds ? (r === 1 ? "real time" : `${digits(r)} of real time`) : `${digits(r)} units a second`));
    if (seconds && chosen > 1 / 3 && chosen < 3) this.rate = 1;
    else this.rate = chosen;
    $("rate").value = String(this.rate);
  }

  listen() {
    $("play").addEventListener("click", () => this.play(!this.playing));
    $("back").addEventListener("click", () => this.step(-1));
    $("on").addEventListener("click", () => this.step(1));
    $("rate").addEventListener("change", () => (this.rate = Number($("rate").value)));
    $("scrub").addEventListener("input", () => this.stopAt(Number($("scrub").value)));
    for (const kind of ["pointerdown", "pointermove"])
      $("time").addEventListener(kind, (event) => event.buttons & 1 && this.stopAt(timeAt($("time"), event, this.end)));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.draw());
    this.still.addEventListener("change", () => this.still.matches && this.play(false));
  }

  key(event) {
    const typed = event.target.tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || typed === "SELECT") return;
    const does = {
      " ": () => (typed === "BUTTON" || typed === "SUMMARY" ? null : this.play(!this.playing)),
      ArrowLeft: () => (event.shiftKey ? this.toEvent(-1) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? this.toEvent(1) : this.step(1)),
      Home: () => this.stopAt(0),
      End: () => this.stopAt(this.end),
    }[event.key];
    if (!does || (event.key === " " && (typed === "BUTTON" || typed === "SUMMARY"))) return;
    event.preventDefault();
    does();
  }

  play(on) {
    if (on && this.time >= this.end) this.time = 0;
    this.playing = on;
    $("play").textContent = on ? "pause" : "play";
    $("play").setAttribute("aria-pressed", on);
    this.last = null;
    if (on) requestAnimationFrame((now) => this.frame(now));
    else this.show();
  }

  frame(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25) * this.rate;
    this.last = now;
    this.time += passed;
    if (this.time >= this.end) {
      if (this.meta.period) this.time %= this.end;
      else {
        this.time = this.end;
        this.play(false);
        return;
      }
    }
    this.show();
    requestAnimationFrame((next) => this.frame(next));
  }

  stopAt(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    this.play(false);
  }

  step(by) {
    const time = this.time + by * FRAME * this.rate;
    this.stopAt(this.meta.period ? (time + this.end) % this.end : time);
  }

  toEvent(by) {
    const all = this.meta.events.t,
      least = 1e-9 * this.end;
    const next = by > 0 ? all.find((t) => t > this.time + least) : all.filter((t) => t < this.time - least).pop();
    this.stopAt(next === undefined ? (by > 0 ? this.end : 0) : next);
  }

  // Draws the fixed parts: the axis of time, histories, portraits.
  draw() {
    const meta = this.meta,
      unit = meta.timeUnit === "1" ? "" : ` [${meta.timeUnit}]`;
    const shown = meta.contacts.filter((c) => c.shown);
    this.movers = [drawTimeline($("time"), { contacts: shown, events: meta.events, end: this.end, unit })];
    // In histories the intervals of the first contact that changes.
    const band = (shown.find((c) => c.closed.length && (c.closed[0] > 0 || c.closed[1] < this.end)) || {}).closed;
    this.histories = meta.charts.map((chart, k) => {
      const label = chart.name + (chart.unit === "1" ? "" : ` [${chart.unit}]`);
      return drawHistory($(`chart${k}`), { t: Array.from(this.samples.t), y: this.column(chart.column), end: this.end, label, closed: band });
    });
    this.portraits = meta.portraits.map(([a, b], k) => {
      const name = (i) => meta.charts[i].name + (meta.charts[i].unit === "1" ? "" : ` [${meta.charts[i].unit}]`);
      const [x, y] = [a, b].map((i) => this.column(meta.charts[i].column));
      return drawPortrait($(`portrait${k}`), { t: Array.from(this.samples.t), x, y, across: name(a), up: name(b), names: meta.events.name });
    });
    if (meta.multipliers.length) drawMultipliers($("circle"), meta.multipliers);
    this.show();
  }

  show() {
    const closed = closedAt(this.meta.contacts, this.time, this.end),
      at = this.samples.place(this.time),
      of = (i) => this.samples.value(this.meta.charts[i].column, at);
    if (this.stage) this.stage.show(this.time, closed, flashesAt(this.meta.events, this.time, this.rate, this.meta.period));
    for (const move of this.movers || []) move(this.time);
    (this.histories || []).forEach((move, i) => move(this.time, of(i)));
    (this.portraits || []).forEach((move, k) => move(...this.meta.portraits[k].map(of)));
    const unit = this.meta.timeUnit === "1" ? "" : ` ${this.meta.timeUnit}`;
    $("now").textContent = `${this.time.toPrecision(4)}${unit} of ${digits(this.end, 4)}${unit}`;
    $("scrub").value = String(this.time);
    $("scrub").setAttribute("aria-valuetext", $("now").textContent);
  }
}

function fillMotion(meta) {
  for (let k = 0; k < meta.charts.length; ++k)
    $("charts").append(make("figure", {}, make("svg:svg", { id: `chart${k}`, role: "img", "aria-label": `${meta.charts[k].name} over time` })));
  for (let k = 0; k < meta.portraits.length; ++k)
    $("portraits").append(make("figure", {}, make("svg:svg", { id: `portrait${k}`, role: "img", "aria-label": "phase portrait" })));
  if (meta.multipliers.length) $("multipliers").append(multiplierTable(meta.multipliers));
}

async function beginMotion() {
  let motion = null;
  useTheme(() => motion && motion.draw())();
  const meta = JSON.parse($("meta").textContent);
  const [times, numbers] = await Promise.all([unpack("times", Float64Array), unpack("numbers", Float32Array)]);
  fillMotion(meta);
  motion = new Motion(meta, times, numbers);
  motion.draw();
  window.motion = motion;
  document.documentElement.dataset.ready = "yes";
  if (!motion.still.matches) motion.play(true);
}

if ($("stage") || $("charts"))
  beginMotion().catch((why) => {
    $("trouble").textContent = `The motion cannot be shown: ${why.message}`;
    $("trouble").hidden = false;
    console.error(why);
  });
