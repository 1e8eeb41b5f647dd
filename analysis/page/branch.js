// The page of a branch: where it is, and what the chosen point is.

const MARK_SIZE = 5,
  NEAR = 24, // px: a click further from the branch chooses nothing
  ROUND = 4, // seconds of a period
  WIDE = 30; // a ratio of values for which the axis up is logarithmic

class Branch {
  constructor(meta, numbers) {
    this.meta = meta;
    this.numbers = numbers;
    // Places along all branches, one after the other.
    this.places = meta.branches.flatMap((branch, b) => branch.kind.map((kind, i) => ({ b, i, kind })));
    this.place = Math.max(this.places.findIndex(({ b, i, kind }) => meta.branches[b].label[i] > 0 && !["EP", "MX"].includes(kind)), 0);
    this.fill();
    this.listen();
  }

  fill() {
    const { free, quantities } = this.meta.branches[0];
    const option = (value, text) => make("option", { value }, text);
    for (const name of Object.keys(free)) $("across").append(option(name, name));
    for (const name of Object.keys(free).slice(1)) $("up").append(option(name, name));
    for (const name of Object.keys(quantities)) $("up").append(option(name, quantities[name][0]));
    const apex = Object.keys(quantities).find((name) => /^apex_[^v]/.test(name));
    $("up").value = Object.keys(free)[1] || apex || "period";
    $("point").max = this.places.length - 1;
    const line = (dash, wide) => {
      const svg = make("svg:svg", { viewBox: "0 0 26 14", "aria-hidden": "true" });
      svg.append(make("svg:line", { class: "branch-line", x1: 0, x2: 26, y1: 7, y2: 7, "stroke-width": wide, "stroke-dasharray": dash }));
      return svg;
    };
    const { curve } = this.meta.branches[0];
    if (curve === "branch") $("legend").append(make("li", {}, line("", 2.4), "stable"), make("li", {}, line("5 4", 1.4), "unstable"));
    else $("legend").append(make("li", {}, line("", 2.4), `curve: ${this.meta.words[curve.toUpperCase()] || curve}`));
    for (const kind of new Set(this.places.map((p) => p.kind)))
      if (this.meta.words[kind]) $("legend").append(make("li", {}, make("b", { class: `kind-${kind}` }, kind), ` ${this.meta.words[kind]}`));
  }

  // The orbit in motion: a period in 4 seconds, round and round.
  play(on) {
    this.playing = on && Boolean(this.stage);
    this.last = null;
    if (!$("play")) return;
    $("play").textContent = this.playing ? "pause" : "play";
    $("play").setAttribute("aria-pressed", this.playing);
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    const { end } = this.trajectory;
    if (this.last !== null) this.time = (this.time + (Math.min((now - this.last) / 1000, 0.25) * end) / ROUND) % end;
    this.last = now;
    this.move();
    requestAnimationFrame((next) => this.tick(next));
  }

  move() {
    const { one, end } = this.trajectory,
      at = this.trajectory.samples.place(this.time);
    this.movers.forEach((move, k) => move(...this.meta.portraits[k].slice(0, 2).map((c) => this.trajectory.samples.value(c, at))));
    if (!this.stage) return;
    this.stage.show(this.time, closedAt(one.contacts, this.time, end), flashesAt(one.events, this.time, end / ROUND, end));
    $("now").textContent = `${digits(this.time, 3)} of ${digits(end, 4)}`;
  }

  listen() {
    if ($("play")) $("play").addEventListener("click", () => this.play(!this.playing));
    for (const id of ["across", "up"]) $(id).addEventListener("change", () => this.draw());
    $("point").addEventListener("input", () => this.choose(Number($("point").value)));
    $("branch").addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.draw());
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && !["BUTTON", "SUMMARY"].includes(event.target.tagName)) {
      event.preventDefault();
      this.play(!this.playing);
    }
    const last = this.places.length - 1,
      by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    let to = { Home: 0, End: last }[event.key];
    if (by && ["ArrowUp", "ArrowDown"].includes(event.key) && event.target !== $("point")) return; // they scroll
    if (by) to = event.shiftKey ? this.special(by) : this.place + by;
    if (to === undefined) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(to, 0), last));
  }

  special(by) {
    for (let k = this.place + by; k >= 0 && k < this.places.length; k += by)
      if (this.meta.branches[this.places[k].b].label[this.places[k].i] > 0) return k;
    return by > 0 ? this.places.length - 1 : 0;
  }

  click(event) {
    const box = $("branch").getBoundingClientRect(),
      scale = this.frame.width / box.width,
      x = (event.clientX - box.left) * scale,
      y = (event.clientY - box.top) * scale;
    let best = -1,
      least = NEAR;
    this.places.forEach((at, k) => {
      const far = Math.hypot(this.frame.X(this.x(at)) - x, this.frame.Y(this.y(at)) - y);
      if (far < least) [best, least] = [k, far];
    });
    if (best >= 0) this.choose(best);
  }

  x({ b, i }) {
    return this.meta.branches[b].free[$("across").value][i];
  }

  y({ b, i }) {
    const branch = this.meta.branches[b],
      name = $("up").value;
    return (branch.free[name] || branch.quantities[name][1])[i];
  }

  choose(place) {
    this.place = place;
    this.show();
  }

  draw() {
    const svg = $("branch"),
      first = this.meta.branches[0],
      up = $("up").value,
      across = $("across").value;
    const [xs, ys] = [extent(this.places.map((p) => this.x(p))), extent(this.places.map((p) => this.y(p)))];
    const high = Math.max(260, Math.min(420, 0.5 * (svg.clientWidth || 600)));
    this.frame = frameOf(svg, { xs, ys, left: 66, high, log: ys[0] > 0 && ys[1] > WIDE * ys[0] });
    this.taken = [];
    const f = this.frame,
      label = (name) => (first.free[name] ? `${name} ${first.unit[name]}` : first.quantities[name][0]);
    axesOf(svg, f, label(across), label(up));
    this.meta.branches.forEach((branch, b) => {
      const at = (i) => `${f.X(this.x({ b, i })).toFixed(1)} ${f.Y(this.y({ b, i })).toFixed(1)}`;
      for (let i = 0; i + 1 < branch.n; ) {
        let d = `M${at(i)}`,
          k = i;
        for (; k + 1 < branch.n && branch.stable[k] === branch.stable[i]; ++k) d += `L${at(k + 1)}`;
        svg.append(make("svg:path", { class: branch.stable[i] || branch.curve !== "branch" ? "branch-line stable" : "branch-line unstable", d }));
        i = k;
      }
    });
    for (const at of this.places) this.mark(svg, at);
    for (const kind of Object.keys(this.meta.colours))
      for (const word of document.getElementsByClassName(`kind-${kind}`)) word.style.color = this.colour(kind);
    this.ring = make("svg:circle", { class: "chosen", r: MARK_SIZE + 4 });
    svg.append(this.ring);
    this.show();
  }

  mark(svg, at) {
    const label = this.meta.branches[at.b].label[at.i];
    if (!this.meta.colours[at.kind] || !label) return;
    const [x, y] = [this.frame.X(this.x(at)), this.frame.Y(this.y(at))];
    svg.append(make("svg:circle", { cx: x, cy: y, r: MARK_SIZE - 0.5, fill: this.colour(at.kind) }));
    const right = x > this.frame.right - 40,
      text = `${at.kind}${label}`,
      from = right ? x - 8 - 8 * text.length : x + 8;
    // Only names that have room; all are in the heading of their points.
    if (this.taken.some(([a, b, c]) => from < b && a < from + 8 * text.length && Math.abs(c - y) < 13)) return;
    this.taken.push([from, from + 8 * text.length, y]);
    svg.append(make("svg:text", { x: x + (right ? -8 : 8), y: y - 6, "text-anchor": right ? "end" : "start" }, text));
  }

  colour(kind) {
    return this.meta.colours[kind][document.documentElement.dataset.theme === "dark" ? 1 : 0];
  }

  // The orbit that is nearest along the same branch, by points.
  orbit({ b, i }) {
    let best = null;
    for (const one of this.meta.orbits)
      if (one.branch === b && (!best || Math.abs(one.point - i) < Math.abs(best.point - i))) best = one;
    return best;
  }

  show() {
    const at = this.places[this.place],
      branch = this.meta.branches[at.b],
      multipliers = Array.from({ length: branch.m }, (_, k) => [branch.re[at.i * branch.m + k], branch.im[at.i * branch.m + k]]);
    for (const [name, value] of [["cx", this.frame.X(this.x(at))], ["cy", this.frame.Y(this.y(at))]]) this.ring.setAttribute(name, value);
    $("point").value = this.place;
    const special = this.meta.words[at.kind] ? `, ${this.meta.words[at.kind]}` : "",
      where = Object.entries(branch.free).map(([name, values]) => `${name} = ${digits(values[at.i], 6)}`).join(", ");
    $("point").setAttribute("aria-valuetext", `point ${at.i + 1}, ${where}${special}`);
    const of = this.meta.branches.length > 1 ? ` of branch ${at.b + 1}` : "";
    $("which").textContent = `Point ${at.i + 1}${of}${special}: ${where}`;
    const sides = multipliers.map(sideOf),
      verdict = sides.includes("outside") ? "Unstable" : sides.includes("on it") ? "Neutral" : "Stable";
    $("verdict").textContent = `${verdict}, period ${digits(branch.quantities.period[1][at.i], 6)}. ${branch.reason[at.i]}`;
    drawMultipliers($("circle"), multipliers);
    $("multipliers").replaceChildren(multiplierTable(multipliers));
    this.showOrbit(at);
  }

  showOrbit(at) {
    const one = this.orbit(at);
    if (!one) {
      $("whose").textContent = "No orbit of this branch is in the page.";
      this.meta.portraits.forEach((_, k) => $(`portrait${k}`).replaceChildren());
      if ($("stage")) $("stage").replaceChildren();
      this.stage = null;
      this.play(false);
      return;
    }
    const own = one.point === at.i;
    $("whose").textContent = own ? "That of this point." : `That of point ${one.point + 1}, the nearest whose orbit is in the page.`;
    document.documentElement.dataset.orbit = `${one.branch}:${one.point}`;
    const column = (k) => Array.from(this.numbers.subarray(one.from + k * one.n, one.from + (k + 1) * one.n)),
      t = column(0);
    this.trajectory = { one, end: t[t.length - 1], samples: new Samples(t, this.numbers.subarray(one.from + one.n)) };
    this.time = 0;
    this.movers = this.meta.portraits.map(([a, b, across, up], k) =>
      drawPortrait($(`portrait${k}`), { t, x: column(1 + a), y: column(1 + b), across, up, names: one.names }),
    );
    const frames = (from, n) => this.numbers.subarray(from, from + n);
    this.stage = one.scene ? new Stage($("stage"), one.scene, new Samples(frames(one.moves, one.frames), this.numbers.subarray(one.moves + one.frames))) : null;
    this.move();
  }
}

async function beginBranch() {
  let branch = null;
  useTheme(() => branch && branch.draw())();
  branch = new Branch(JSON.parse($("meta").textContent), await unpack("numbers", Float32Array));
  branch.draw();
  window.branch = branch;
  document.documentElement.dataset.ready = "yes";
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) branch.play(true);
}

beginBranch().catch((why) => {
  $("trouble").textContent = `The branch cannot be shown: ${why.message}`;
  $("trouble").hidden = false;
  console.error(why);
});
