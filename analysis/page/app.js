// The explorer: reads the question from the form, asks the reader, and writes the answer, its
// pictures and their tables.

const FULL_LEAD = 0.5, TIE = 0.05; // the same scale of lead in every picture
const FINE = 24, COARSE = [6, 8, 12, 16]; // cells of the map along an axis, at rest and while a slider moves
const FRAME = 20; // milliseconds that a coarse map may take
const RULES = [["", "least expected work, retries included"], ["0.8", "least work at 80 %"], ["0.9", "least work at 90 %"], ["0.95", "least work at 95 %"], ["0.99", "least work at 99 %"]];
const $ = (id) => document.getElementById(id);

// Bytes of a deflated block of numbers, those of one kind before the next.
async function unpack(id, Kind) {
  const text = $(id).textContent.trim(), raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = Kind.BYTES_PER_ELEMENT, n = planes.length / size, bytes = new Uint8Array(planes.length);
  for (let b = 0; b < size; ++b) for (let k = 0; k < n; ++k) bytes[k * size + b] = planes[b * n + k];
  return new Kind(bytes.buffer);
}

async function openReader(meta) {
  const [places, samples, reference, errors, works] = await Promise.all([
    unpack("places", Float64Array), unpack("samples", Int32Array), unpack("reference", Float64Array),
    unpack("errors", Float32Array), unpack("works", Float32Array),
  ]);
  return new Reader({
    n: meta.kept, d: meta.columns.length, z: places, sample: samples, referenceError: reference,
    nPair: meta.pairs.length, tolerances: meta.tolerances, scale: meta.scale, share: meta.share,
    lnError: Float64Array.from(errors, (e) => Math.log(Math.max(e, 1e-16))),
    lnWork: Float64Array.from(works, (w) => Math.log(w)),
  });
}

const measure = (column) => (column.log ? Math.log : (v) => v);
const placeOf = (c, value) => (measure(c)(value) - measure(c)(c.lo)) / (measure(c)(c.hi) - measure(c)(c.lo));

const sayAxis = (c) => `${c.name}${c.what ? `, ${c.what}` : ""}${c.unit && c.unit !== "1" ? ` [${c.unit}]` : ""}`;

// The value at a place 0 .. 1, with as many digits as are shown.
function valueAt(c, u) {
  const raw = c.log ? c.lo * (c.hi / c.lo) ** u : c.lo + (c.hi - c.lo) * u;
  const short = c.whole ? Math.round(raw) : Number(raw.toPrecision(3));
  return Math.min(c.hi, Math.max(c.lo, short));
}

class Explorer {
  constructor(meta, reader) {
    Object.assign(this, { meta, reader });
    this.error = { name: "error", what: `the ${meta.metric} allowed`, log: true, lo: meta.errorEnds[0], hi: meta.errorEnds[1], asked: true };
    this.value = meta.columns.map((c, i) => meta.start[i]);
    this.word = meta.options.map((o) => o.values[0]);
    this.asked = meta.error;
    this.may = meta.pairs.map(() => true); // answer
    this.language = "saltus";
    this.mapColumns = [...meta.columns, this.error]; // the asked error is an axis, too
    this.axes = meta.columns.length > 1 ? meta.mapAxes : [0, 1];
    this.shown = { key: "" };
    this.turn = 0;
    this.redrawn = [];
  }

  // ---- the question ----

  start() {
    this.meta.columns.forEach((c, i) => $("axes").append(this.slider(c, `a${i}`, () => this.value[i], (v) => (this.value[i] = v))));
    this.meta.options.forEach((o, i) => $("axes").append(this.words(o, i)));
    $("asked").append(this.slider(this.error, "error", () => this.asked, (v) => (this.asked = v)));
    $("rule").append(...RULES.map(([value, said]) => make("option", { value }, said)));
    for (const [id, place] of [["strategies", 0], ["solvers", 1]])
      for (const name of new Set(this.meta.pairs.map((p) => p[place])))
        $(id).append(make("label", {}, make("input", { type: "checkbox", value: name, checked: true }), ` ${name}`));
    const { kept, cells, fixed } = this.meta;
    $("kept").textContent = [
      fixed.length ? `The same everywhere: ${fixed.map(([name, , value]) => `${name} = ${value}`).join(", ")}.` : "",
      kept < cells ? `This page holds ${kept} of the ${cells} cells, spread evenly over the box; the program reads all of them, and its answers are finer.` : "",
    ].join(" ").trim();
    this.pickers();
    $("question").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["rule", "solvers", "strategies"]) $(id).addEventListener("change", () => this.draw());
    $("map").addEventListener("click", (event) => this.pick(event));
    new ResizeObserver(() => this.redraw()).observe($("explorer"));
    this.draw();
  }

  slider(c, id, get, set) {
    const unit = c.unit && c.unit !== "1" ? ` [${c.unit}]` : "";
    const box = make("input", { type: "text", id, inputmode: "decimal", autocomplete: "off", "aria-describedby": `${id}-ends` });
    const range = make("input", { type: "range", id: `${id}-range`, min: 0, max: 1000, step: c.whole && !c.log ? 1000 / (c.hi - c.lo) : 1, "aria-label": `${c.name}${c.what ? `, ${c.what}` : ""}` });
    const show = () => {
      box.value = digits(get(), c.asked ? 2 : 4);
      range.value = String(1000 * Math.min(1, Math.max(0, placeOf(c, get()))));
      range.setAttribute("aria-valuetext", `${box.value}${unit}`);
    };
    range.addEventListener("input", () => {
      set(c.asked ? Number(valueAt(c, range.value / 1000).toPrecision(2)) : valueAt(c, range.value / 1000));
      box.value = digits(get(), c.asked ? 2 : 4);
      range.setAttribute("aria-valuetext", `${box.value}${unit}`);
      this.draw(true);
    });
    range.addEventListener("change", () => this.draw());
    box.addEventListener("change", () => {
      const typed = Number(box.value.replace(",", "."));
      if (box.value.trim() && Number.isFinite(typed) && (!c.log || typed > 0)) set(typed);
      show();
      this.draw();
    });
    (this.shows = this.shows || []).push(show);
    show();
    const ends = `from ${digits(c.lo)} to ${digits(c.hi)}`;
    return make("div", { class: "axis" },
      make("label", { for: id, title: `${c.name}${c.what ? `, ${c.what}` : ""}: ${ends}` }, make("b", {}, c.name), make("span", {}, `${c.what}${unit}`), box),
      range, make("span", { class: "hidden", id: `${id}-ends` }, ends));
  }

  words(option, i) {
    const select = make("select", { id: `o${i}` }, option.values.map((v) => make("option", { value: v }, option.words[v])));
    select.addEventListener("change", () => {
      this.word[i] = Number(select.value);
      this.draw();
    });
    return make("div", { class: "axis" }, make("label", { for: `o${i}` }, make("b", {}, option.name), make("span", {}, option.what), select));
  }

  pickers() {
    const columns = this.mapColumns;
    ["to the right", "upwards"].forEach((way, k) => {
      const select = make("select", { id: `map-${k}` }, columns.map((c, i) => make("option", { value: i }, c.name)));
      select.value = String(this.axes[k]);
      select.addEventListener("change", () => {
        const before = this.axes[k];
        this.axes[k] = Number(select.value);
        if (this.axes[1 - k] === this.axes[k]) this.axes[1 - k] = before;
        $(`map-${1 - k}`).value = String(this.axes[1 - k]);
        this.draw();
      });
      $("pickers").append(make("label", {}, `${way} `, select));
    });
  }

  get allowed() {
    const off = new Set([...document.querySelectorAll("#solvers input, #strategies input")].filter((i) => !i.checked).map((i) => i.value));
    return this.meta.pairs.map(([strategy, solver]) => !off.has(strategy) && !off.has(solver));
  }

  get sample() {
    return this.meta.samples.indexOf(this.word.join(" "));
  }

  places(values = this.value) {
    return this.meta.columns.map((c, i) => Math.min(1, Math.max(0, placeOf(c, values[i]))));
  }

  mapPlaces() {
    return [...this.places(), Math.min(1, Math.max(0, placeOf(this.error, this.asked)))];
  }

  question() {
    const at = [...this.meta.columns.map((c, i) => `${c.name}=${digits(this.value[i], 12)}`), ...this.meta.options.map((o, i) => `${o.name}=${o.words[this.word[i]]}`)];
    return `--at ${at.join(",")} --error ${digits(this.asked, 12)}${$("rule").value ? ` --confidence ${$("rule").value}` : ""}`;
  }

  // ---- the answer ----

  ask() {
    const confidence = $("rule").value ? Number($("rule").value) : NaN;
    return this.reader.ask(this.places(), this.sample, this.asked, { confidence, allowed: this.may });
  }

  pair(i) {
    const [strategy, solver] = this.meta.pairs[i];
    const theme = document.documentElement.dataset.theme === "dark" ? 1 : 0;
    return { strategy, solver, name: `${solver} with ${strategy}`, look: { colour: this.meta.colours[solver][theme], ...this.meta.marks[strategy] } };
  }

  draw(moving = false) {
    const began = performance.now();
    this.may = this.allowed;
    const found = this.ask();
    this.found = found;
    this.say(found);
    this.drawPrecision(found);
    this.answered = performance.now() - began;
    clearTimeout(this.later);
    this.drawMap(moving);
    this.later = setTimeout(() => {
      $("said").textContent = `${$("use").textContent}. ${$("promise").textContent}`;
    }, 500);
    document.documentElement.dataset.drawn = String(++this.turn);
  }

  redraw() {
    if (!this.found) return;
    this.drawPrecision(this.found);
    this.paintMap();
  }

  say(found) {
    const best = found.best, asked = digits(this.asked, 2), metric = this.meta.metric;
    $("use").replaceChildren();
    if (best) {
      const { solver, strategy, look } = this.pair(best.pair), chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = look.colour;
      $("use").append(chip, make("span", {}, solver), make("small", {}, " with "), strategy, make("small", {}, " at tolerance "), digits(best.tolerance, 2));
      $("promise").textContent =
        `reaches a ${metric} of ${asked} with probability ${percent(best.probability)}, for about ${count(best.work)} evaluations of f` +
        (best.total > 1.005 * best.work ? `; ${count(best.total)} with the retries that misses cost` : "") + ".";
    } else if (found.likely && found.reason === "") {
      $("use").append("Nothing is that sure here");
      $("promise").textContent = `No solver reaches a ${metric} of ${asked} with the probability asked for. The likeliest is ${this.describe(found.likely)}.`;
    } else {
      $("use").append("Nobody reaches it here");
      $("promise").textContent = found.reason === "no_reference"
        ? `The references of the cells around are not known to ${asked}: what would reach it cannot be told. A looser error can be asked.`
        : `The references are good enough, but no solver that was compared reaches a ${metric} of ${asked}` + (found.likely ? `. The likeliest is ${this.describe(found.likely)}.` : ".");
    }
    this.warn(found);
    this.choices(found);
    this.lines(best);
  }

  describe(choice) {
    return `${this.pair(choice.pair).name} at ${digits(choice.tolerance, 2)} (${percent(choice.probability)}, ${count(choice.total)} evaluations of f with retries)`;
  }

  warn(found) {
    const said = [];
    this.meta.columns.forEach((c, i) => {
      const slack = 4 * Number.EPSILON * Math.max(Math.abs(c.lo), Math.abs(c.hi));
      if (this.value[i] < c.lo - slack || this.value[i] > c.hi + slack)
        said.push(`${c.name} = ${digits(this.value[i])} is outside of what was compared, from ${digits(c.lo)} to ${digits(c.hi)}; the answer is that of the nearest edge.`);
    });
    if (found.best && found.unverified >= 0.05)
      said.push(`The references of ${percent(found.unverified)} of the cells around do not reach this error; what is said of them is not known.`);
    $("warnings").replaceChildren(...said.map((text) => make("p", { class: "warn" }, text)));
  }

  choices(found) {
    const rows = [], best = found.best;
    if (best) {
      const row = (name, text) => rows.push(make("dt", {}, name), make("dd", {}, text));
      row("Expected error", `${digits(best.error, 2)} in the middle (half of the runs err less)`);
      const { safe } = found;
      if (safe && (safe.pair !== best.pair || safe.tolerance !== best.tolerance))
        row("Safe choice", `${this.pair(safe.pair).name} at ${digits(safe.tolerance, 2)}: ${percent(safe.probability)}, ${count(safe.work)} evaluations of f (${this.more(safe.work, best.work)})`);
      else row("Safe choice", safe ? "the same: it is as good as sure" : `none is sure to 99 %; the likeliest is ${this.describe(found.likely)}`);
      const near = found.pairs.slice(1).filter((p) => p.total <= 1.1 * best.total).slice(0, 4);
      near.forEach((p, i) => row(i ? "" : "As good within 10 %", `${this.pair(p.pair).name} at ${digits(p.tolerance, 2)}: ${this.more(p.total, best.total)}${this.speaksFor(p, best)}`));
      if (!near.length && found.pairs[1]) row("Next best", `${this.pair(found.pairs[1].pair).name} at ${digits(found.pairs[1].tolerance, 2)}: ${this.more(found.pairs[1].total, best.total)} work`);
    }
    const promise = this.kept();
    if (promise) rows.push(make("dt", {}, "Promises kept"), make("dd", {}, promise));
    $("choices").replaceChildren(...rows);
  }

  more(a, b) {
    const share = Math.round(100 * (a / b - 1));
    return share > 300 ? `${(a / b).toPrecision(2)} times the` : share >= 0 ? `+${share} %` : `\u2212${-share} %`;
  }

  speaksFor(p, best) {
    const said = [];
    if (p.probability > best.probability + 0.02) said.push(`surer (${percent(p.probability)})`);
    if (p.error < 0.75 * best.error) said.push(`smaller error (${digits(p.error, 2)})`);
    if (p.work < 0.98 * best.work) said.push("less work when it hits at once");
    return said.length ? `, ${said.join(", ")}` : "";
  }

  // What this map promised in its own cells, and kept, at the nearest of the errors that were tried.
  kept() {
    const tried = this.meta.promise.filter((p) => p.answers > 0);
    if (!tried.length) return "";
    const far = (p) => Math.abs(Math.log(p.asked / this.asked)), one = tried.reduce((p, q) => (far(q) < far(p) ? q : p));
    return `asked for ${digits(one.asked)} in ${one.answers} of its own cells, each left out in turn, this map promised ${percent(one.promised)} and kept ${percent(one.kept)}`;
  }

  lines(best) {
    const lines = best ? linesToPaste({ ...this.pair(best.pair), tolerance: best.tolerance }, { end: this.meta.end, question: this.question(), cube: this.meta.cube })
      : { saltus: `saltus recommend ${this.meta.cube} ${this.question()}` };
    if (!lines[this.language]) this.language = "saltus";
    const buttons = Object.keys(lines).map((name) => {
      const button = make("button", { type: "button", "aria-pressed": String(name === this.language) }, name);
      button.addEventListener("click", () => {
        this.language = name;
        this.lines(best);
        [...$("languages").children].find((b) => b.textContent === name).focus();
      });
      return button;
    });
    const copy = make("button", { type: "button", class: "copy" }, "copy");
    copy.addEventListener("click", () => copyText($("code"), copy));
    $("languages").replaceChildren(...buttons, copy);
    $("code").textContent = lines[this.language];
  }

  // ---- error against work ----

  drawPrecision(found) {
    const { planes, best } = found, { nRung } = this.reader, width = Math.max(300, $("precision").parentNode.clientWidth);
    const near = new Set(found.pairs.slice(0, 3).map((p) => p.pair)), lines = [], rows = [];
    this.meta.pairs.forEach((_, i) => {
      const points = [], pair = this.pair(i);
      for (let r = 0; this.may[i] && r < nRung; ++r) {
        const c = i * nRung + r;
        if (!Number.isNaN(planes.mu[c])) points.push([Math.exp(planes.lnWork[c]), Math.exp(planes.mu[c])]);
      }
      if (points.length) lines.push({ look: pair.look, points, title: pair.name, weight: best && i === best.pair ? 2 : near.has(i) ? 1 : 0, pair });
    });
    const label = best ? this.pair(best.pair).name : "";
    drawPrecision($("precision"), { lines, chosen: best, asked: this.asked, label, name: this.meta.metric, width, height: Math.min(430, Math.max(300, 0.72 * width)) });
    $("precision").setAttribute("aria-label", best ? `${this.meta.metric} against work of ${lines.length} pairs of solver and strategy; ${label} is marked at error ${digits(best.error, 2)}, work ${count(best.work)}. The numbers are in the table below.` : `${this.meta.metric} against work of ${lines.length} pairs`);
    this.legend(lines);
    $("precision-said").textContent = "Expected at this point: a mark is a tolerance of the sweep, tighter ones lower; within the tinted band the error asked for is reached in the middle of all runs. Bold: the answer, ringed where it stands; pale: what comes no nearer.";
    for (const p of found.pairs) rows.push([this.pair(p.pair).solver, this.pair(p.pair).strategy, digits(p.tolerance, 2), percent(p.probability), digits(p.error, 2), count(p.work), count(p.total)]);
    $("precision-table").replaceChildren(table(["solver", "strategy", "tolerance", "probability", "expected error", "work", "with retries"], rows, 2, "The best of each pair"));
  }

  legend(lines) {
    const solvers = new Map(lines.map((l) => [l.pair.solver, l.look])), strategies = new Map(lines.map((l) => [l.pair.strategy, l.look]));
    const chips = [...solvers].map(([name, look]) => {
      const chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = look.colour;
      return make("li", {}, chip, name);
    });
    const marks = [...strategies].map(([name, look]) => make("li", {}, sample({ ...look, colour: variable("--ink") }), name));
    $("precision-legend").replaceChildren(...marks, ...chips);
  }

  // ---- the map ----

  pick(event) {
    const box = $("map").getBoundingClientRect();
    const at = this.fromPixel(event.clientX - box.left, event.clientY - box.top);
    this.axes.forEach((a, k) => {
      const value = valueAt(this.mapColumns[a], Math.min(1, Math.max(0, at[k])));
      if (this.mapColumns[a].asked) this.asked = Number(value.toPrecision(2));
      else this.value[a] = value;
    });
    this.shows.forEach((show) => show());
    this.draw();
  }

  // The raster is made anew when what it depends on has changed; coarse while a slider moves.
  drawMap(moving) {
    const z = this.mapPlaces(), key = JSON.stringify([z.filter((_, i) => !this.axes.includes(i)), this.axes, this.word, this.may, document.documentElement.dataset.theme]);
    if (this.shown.key === key && (moving || this.shown.n === FINE)) {
      this.paintMap();
      return;
    }
    if (this.shown.key === key && !moving) {
      this.refine(z, { key, n: FINE, cells: [], axes: [...this.axes] }, 0);
      return;
    }
    const began = performance.now(), per = this.perPoint || 0.2;
    const coarse = [...COARSE].reverse().find((n) => n * n * per < FRAME) || COARSE[0];
    const raster = { key, n: coarse, cells: [], axes: [...this.axes] };
    for (let k = 0; k < coarse * coarse; ++k) raster.cells[k] = this.cellAt(z, raster, k);
    this.perPoint = (performance.now() - began) / (coarse * coarse);
    this.shown = raster;
    this.paintMap();
    this.redrawn.push(performance.now() - began + this.answered);
    this.refine(z, { key, n: FINE, cells: [], axes: [...this.axes] }, moving ? 160 : 0);
  }

  // Fills the fine raster between frames, until the question changes.
  refine(z, raster, wait) {
    clearTimeout(this.refining);
    const step = () => {
      const began = performance.now();
      while (raster.cells.length < FINE * FINE && performance.now() - began < 12) raster.cells.push(this.cellAt(z, raster, raster.cells.length));
      if (raster.cells.length < FINE * FINE) {
        this.refining = setTimeout(step);
        return;
      }
      this.shown = raster;
      this.paintMap();
      document.documentElement.dataset.fine = String(this.turn);
    };
    this.refining = setTimeout(step, wait);
  }

  cellAt(z, { n, axes }, k) {
    const at = [...z];
    at[axes[0]] = ((k % n) + 0.5) / n;
    at[axes[1]] = (Math.floor(k / n) + 0.5) / n;
    const d = this.meta.columns.length, error = axes.includes(d) ? this.error.lo * (this.error.hi / this.error.lo) ** at[d] : this.asked;
    const won = this.reader.winner(at, this.sample, error, this.may);
    if (won.pair < 0) return { gap: won.reason, pair: -1 };
    const lead = Math.min(1, Math.max(0, (won.lead - TIE) / (FULL_LEAD - TIE)));
    return { pair: won.pair, look: this.pair(won.pair).look, tie: won.lead < TIE, share: 0.35 + 0.65 * lead };
  }

  paintMap() {
    const columns = this.mapColumns, raster = this.shown;
    if (!raster.cells) return;
    const axis = (i) => ({ ...columns[i], said: sayAxis(columns[i]), measured: measure(columns[i]) });
    const [x, y] = raster.axes.map(axis), z = this.mapPlaces(), width = Math.max(280, $("map").parentNode.clientWidth);
    const height = Math.min(430, Math.max(300, 0.72 * width));
    $("map").style.aspectRatio = `${width} / ${height}`;
    this.fromPixel = drawMap($("map"), { raster, x, y, at: raster.axes.map((a) => z[a]), width, height });
    this.mapWords(raster, x, y);
  }

  mapWords(raster, x, y) {
    const shares = new Map(), total = raster.cells.length;
    let ties = 0;
    for (const cell of raster.cells) {
      const name = cell.pair < 0 ? cell.gap : this.pair(cell.pair).name;
      shares.set(name, { n: (shares.get(name) || { n: 0 }).n + 1, cell });
      ties += cell.tie ? 1 : 0;
    }
    const sorted = [...shares].sort((p, q) => q[1].n - p[1].n);
    const gap = { no_contender: "no solver gets there, the references are good enough (lines)", no_reference: "not known, the references are not good enough (crossed lines)" };
    const say = (name) => gap[name] || name;
    $("map-legend").replaceChildren(...sorted.slice(0, 8).map(([name, { n, cell }]) => make("li", {}, cell.look ? sample({ ...cell.look }) : "", `${say(name)} ${percent(n / total)}`)));
    $("map").setAttribute("aria-label", `Winners over ${x.name} to the right and ${y.name} upwards: ${sorted.slice(0, 4).map(([name, { n }]) => `${say(name)} ${percent(n / total)}`).join(", ")}. A table is below.`);
    $("map-said").textContent = `Least expected work${x.asked || y.asked ? "" : ` for a ${this.meta.metric} of ${digits(this.asked, 2)}`}, all else as set. Colour: solver; mark: strategy; full colour: the next pair costs ${100 * FULL_LEAD} % more, paler: less; grey: a tie, less than ${100 * TIE} % (${percent(ties / total)}). A click moves the ring.`;
    if ($("map-more").open || raster.n === FINE) this.mapTable(raster, x, y);
  }

  mapTable(raster, x, y) {
    const step = Math.max(1, Math.floor(raster.n / 6)), rows = [], at = (c, k) => digits(valueAt(c, (k + 0.5) / raster.n));
    const places = [];
    for (let i = Math.floor(step / 2); i < raster.n; i += step) places.push(i);
    for (const j of [...places].reverse())
      rows.push([`${y.name} = ${at(y, j)}`, ...places.map((i) => {
        const cell = raster.cells[j * raster.n + i];
        return cell.pair < 0 ? cell.gap.replace("_", " ") : `${this.meta.pairs[cell.pair][1]} ${this.meta.pairs[cell.pair][0]}${cell.tie ? " (tie)" : ""}`;
      })]);
    $("map-table").replaceChildren(table(["", ...places.map((i) => `${x.name} = ${at(x, i)}`)], rows, 99, "Who wins, at every fourth place of the picture"));
  }
}

// Rows of text as a table; columns from `numeric` on stand to the right.
function table(head, rows, numeric, caption) {
  const cell = (kind, text, i) => make(kind, { ...(kind === "th" ? { scope: "col" } : {}), ...(i >= numeric ? { class: "n" } : {}) }, text);
  return make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, head.map((t, i) => cell("th", t, i)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((t, i) => cell("td", t, i))))));
}

async function copyText(from, button) {
  try {
    await navigator.clipboard.writeText(from.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(from);
    button.textContent = "selected";
  }
  setTimeout(() => (button.textContent = "copy"), 1500);
}

// Light or dark: as the system has it, until the button is used.
function useTheme(draw) {
  const dark = matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement;
  let chosen = null;
  const apply = () => {
    root.dataset.theme = chosen || (dark.matches ? "dark" : "light");
    $("theme").textContent = root.dataset.theme === "dark" ? "light" : "dark";
    $("theme").setAttribute("aria-label", `switch to ${$("theme").textContent} colours`);
    draw();
  };
  dark.addEventListener("change", apply);
  $("theme").addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    apply();
  });
  $("theme").hidden = false;
  return apply;
}

async function begin() {
  let explorer = null;
  useTheme(() => explorer && explorer.draw())();
  if (!$("meta")) return;
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old for the answer (it lacks DecompressionStream); one from 2023 on has it.");
  const meta = JSON.parse($("meta").textContent);
  explorer = new Explorer(meta, await openReader(meta));
  $("explorer").hidden = false;
  explorer.start();
  window.explorer = explorer;
  document.documentElement.dataset.ready = "yes";
}

begin().catch((why) => {
  $("trouble").textContent = `The answer cannot be shown: ${why.message}`;
  $("trouble").hidden = false;
  console.error(why);
});
