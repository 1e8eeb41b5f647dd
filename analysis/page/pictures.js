// Pictures: the map of winners, error against work, and their tables.

const BAND = 0.8; // of the runs, in the band of the answer
const COARSE = [4, 6, 8, 12, 16]; // points of the map along an axis while a slider moves
const FRAME = 20; // milliseconds that a coarse map may take

class Explorer extends Answer {
  draw(moving = false) {
    const began = performance.now();
    this.may = this.allowed;
    const found = this.ask();
    this.found = found;
    this.say(found);
    this.drawPrecision(found);
    this.boxShown.ask(moving);
    this.answered = performance.now() - began;
    clearTimeout(this.later);
    this.drawMap(moving);
    if (!moving) history.replaceState(null, "", addressOf(this));
    this.later = setTimeout(() => {
      $("said").textContent = `${$("use").textContent}. ${$("calibration").textContent}`;
    }, 500);
    document.documentElement.dataset.drawn = String(++this.turn);
  }

  redraw() {
    if (!this.found) return;
    this.drawPrecision(this.found);
    this.paintMap();
  }

  drawPrecision(found) {
    const { planes, best } = found,
      { nTolerance } = this.surrogate,
      width = Math.max(300, $("precision").parentNode.clientWidth);
    const near = new Set(found.pairs.slice(0, 3).map((p) => p.pair)),
      lines = [],
      rows = [];
    this.meta.pairs.forEach((_, i) => {
      const points = [],
        band = [],
        pair = this.pair(i),
        answers = Boolean(best) && i === best.pair;
      for (let r = 0; this.may[i] && r < nTolerance; ++r) {
        const c = i * nTolerance + r;
        if (Number.isNaN(planes.mu[c])) continue;
        points.push([Math.exp(planes.lnExpected[c]), Math.exp(planes.mu[c])]);
        if (answers) band.push(this.surrogate.band(planes, c, Math.log(this.asked), BAND));
      }
      if (points.length)
        lines.push({
          look: pair.look,
          points,
          band,
          title: pair.name,
          weight: answers ? 2 : near.has(i) ? 1 : 0,
          pair,
        });
    });
    const label = best ? this.pair(best.pair).name : "";
    drawPrecision($("precision"), {
      lines,
      chosen: best,
      asked: this.asked,
      label,
      name: `${this.meta.metric}${this.meta.unit === "1" ? "" : ` [${this.meta.unit}]`}`,
      width,
      height: Math.min(430, Math.max(300, 0.72 * width)),
    });
    $("precision").setAttribute(
      "aria-label",
      best
        ? `${this.meta.metric} against work of ${lines.length} pairs of solver and strategy; ${label} is marked at error ${digits(best.error, 2)}, work ${workShort(best.work)}. The numbers are in the table below.`
        : `${this.meta.metric} against work of ${lines.length} pairs`,
    );
    this.legend(lines);
    $("precision-said").textContent =
      "Expected at this point: a mark is a tolerance of the sweep, tighter ones lower; inside the tinted area at least half of the runs reach the error asked for. Bold: the answer, ringed where it stands, in a band that holds the errors of 8 runs of 10; pale: what comes no nearer.";
    for (const p of found.pairs)
      rows.push([
        this.pair(p.pair).solver,
        this.pair(p.pair).strategy,
        digits(p.rtol, 2),
        this.chance(p.probability),
        digits(p.error, 2),
        workShort(p.work),
        workShort(p.total),
      ]);
    $("precision-table").replaceChildren(
      table(
        ["solver", "strategy", "rtol", "probability", `expected error${this.meta.unit === "1" ? "" : ` [${this.meta.unit}]`}`, "work", "with retries"],
        rows,
        2,
        "The best of each pair",
      ),
    );
  }

  legend(lines) {
    const solvers = new Map(lines.map((l) => [l.pair.solver, l.look])),
      strategies = new Map(lines.map((l) => [l.pair.strategy, l.look]));
    const chips = [...solvers].map(([name, look]) => {
      const chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = look.colour;
      return make("li", {}, chip, name);
    });
    const marks = [...strategies].map(([name, look]) =>
      make("li", {}, sample({ ...look, colour: variable("--ink") }), name),
    );
    $("precision-legend").replaceChildren(...marks, ...chips);
  }

  pick(event) {
    const box = $("map").getBoundingClientRect();
    const at = this.fromPixel(event.clientX - box.left, event.clientY - box.top);
    this.axes.forEach((a, k) => {
      const value = valueAt(this.mapColumns[a], Math.min(1, Math.max(0, at[k])));
      if (this.mapColumns[a].asked) this.asked = Number(value.toPrecision(2));
      else {
        this.value[a] = value;
        this.range[a] = null;
      }
    });
    this.shows.forEach((show) => show());
    this.draw();
  }

  // The raster is made anew when what it depends on has changed; coarse while a slider moves.
  drawMap(moving) {
    const z = this.mapPlaces(),
      key = JSON.stringify([
        z.filter((_, i) => !this.axes.includes(i)),
        this.axes,
        this.word,
        this.may,
        costOfF,
        document.documentElement.dataset.theme,
      ]);
    if (this.shown.key === key && (moving || this.shown.whole)) {
      this.paintMap();
      return;
    }
    const ask = this.askerOf(z, true);
    if (this.shown.key !== key) {
      const began = performance.now(),
        per = this.perPoint || 0.2;
      const coarse = [...COARSE].reverse().find((n) => n * n * per < FRAME) || COARSE[0],
        raster = new Raster(this.askerOf(z, false), { grids: [coarse] });
      while (!raster.done) raster.step();
      this.perPoint = (performance.now() - began) / (coarse * coarse);
      this.shown = { key, axes: [...this.axes], n: raster.n, cells: raster.cells, whole: false };
      this.paintMap();
      this.redrawn.push(performance.now() - began + this.answered);
    }
    this.refine(new Raster(ask, { most: this.most }), key, moving ? 160 : 0);
  }

  // Fills the raster between frames, until the question changes.
  refine(raster, key, wait) {
    clearTimeout(this.refining);
    const axes = [...this.axes],
      step = () => {
        const began = performance.now();
        let whole = false;
        while (!raster.done && !whole && performance.now() - began < 12) whole = raster.step();
        if (whole) {
          this.shown = { key, axes, n: raster.n, cells: raster.cells, whole: raster.done };
          this.paintMap();
        }
        if (raster.done) document.documentElement.dataset.fine = String(this.turn);
        else this.refining = setTimeout(step);
      };
    this.refining = setTimeout(step, wait);
  }

  // The answer at a place of the map, the rest being set as it is; withConfidence: with the confidence of the answer.
  askerOf(z, withConfidence) {
    const d = this.meta.columns.length,
      axes = [...this.axes],
      looks = this.meta.pairs.map((_, i) => this.pair(i)),
      solver = (pair) => this.meta.pairs[pair][1];
    return (x, y) => {
      const at = [...z];
      [at[axes[0]], at[axes[1]]] = [x, y];
      const error = axes.includes(d) ? this.error.lo * (this.error.hi / this.error.lo) ** at[d] : this.asked,
        won = this.surrogate.winner(at, this.sample, error, this.may, solver, withConfidence);
      if (won.pair < 0) return { gap: won.reason, pair: -1, kind: won.reason, margin: NaN, confidence: NaN };
      const { look, strategy } = looks[won.pair];
      return { pair: won.pair, kind: looks[won.pair].solver, strategy, look, margin: won.margin, confidence: won.confidence };
    };
  }

  paintMap() {
    const columns = this.mapColumns,
      raster = this.shown;
    if (!raster.cells) return;
    const axis = (i) => ({ ...columns[i], said: sayAxis(columns[i]), measured: measure(columns[i]) });
    const [x, y] = raster.axes.map(axis),
      z = this.mapPlaces(),
      box = this.boxShown.ends(),
      width = Math.max(280, $("map").parentNode.clientWidth);
    const height = Math.min(430, Math.max(300, 0.72 * width));
    $("map").style.aspectRatio = `${width} / ${height}`;
    const ends = Array.isArray(box) ? raster.axes.map((a) => box[a] || [z[a], z[a]]) : null;
    this.fromPixel = drawMap($("map"), { raster, x, y, at: raster.axes.map((a) => z[a]), ends, width, height });
    this.mapWords(raster, x, y);
  }

  mapWords(raster, x, y) {
    const shares = new Map(),
      strategies = new Set(raster.cells.map((cell) => cell.strategy).filter(Boolean)),
      total = raster.cells.length;
    for (const cell of raster.cells) shares.set(cell.kind, { n: (shares.get(cell.kind) || { n: 0 }).n + 1, cell });
    const sorted = [...shares].sort((p, q) => q[1].n - p[1].n);
    const gap = {
      no_config: "no solver gets there, the references are good enough (lines)",
      no_reference: "not known, the references are not good enough (crossed lines)",
      captured: "not known, the references have no end and time stepping has (level lines)",
    };
    const say = (name) => gap[name] || name;
    const patch = ({ look, gap: of }) => {
      if (of) return textureSample(textures[GAPS[of].texture]);
      const chip = make("span", { class: "chip", "aria-hidden": "true" });
      chip.style.background = look.colour;
      return chip;
    };
    $("map-legend").replaceChildren(
      ...sorted.slice(0, 8).map(([name, { n, cell }]) => make("li", {}, patch(cell), `${say(name)} ${percent(n / total)}`)),
      ...[...strategies].sort().map((name) => make("li", {}, textureSample(textureOf(name)), name)),
    );
    $("map").setAttribute(
      "aria-label",
      `Winners over ${x.name} to the right and ${y.name} upwards: ${sorted
        .slice(0, 4)
        .map(([name, { n }]) => `${say(name)} ${percent(n / total)}`)
        .join(", ")}. A table is below.`,
    );
    const ends = MARGINS.map((margin) => Math.round(100 * margin));
    $("map-said").textContent =
      `Least expected work${x.asked || y.asked ? "" : ` for a ${this.meta.metric} of ${this.sayError(this.asked)}`}, all else as set. Colour: solver, the fuller, the more the best of the other solvers takes (steps at ${ends.join(", ")} %); texture: strategy. A border is thick where it is of confidence ${100 * CONFIDENT[1]} %, and faint where either side will do (below ${100 * CONFIDENT[0]} %). A click moves the ring.`;
    if ($("map-more").open || raster.whole) this.mapTable(raster, x, y);
  }

  mapTable(raster, x, y) {
    const step = Math.max(1, Math.floor(raster.n / 6)),
      rows = [],
      at = (c, k) => digits(valueAt(c, (k + 0.5) / raster.n));
    const places = [];
    for (let i = Math.floor(step / 2); i < raster.n; i += step) places.push(i);
    for (const j of [...places].reverse())
      rows.push([
        `${y.name} = ${at(y, j)}`,
        ...places.map((i) => {
          const cell = raster.cells[j * raster.n + i];
          return cell.pair < 0
            ? cell.gap.replace("_", " ")
            : `${cell.kind} ${cell.strategy}${cell.margin < MARGINS[0] ? " (tie)" : ""}`;
        }),
      ]);
    $("map-table").replaceChildren(
      table(
        ["", ...places.map((i) => `${x.name} = ${at(x, i)}`)],
        rows,
        99,
        "Winners, at places of the picture",
      ),
    );
  }
}

// Rows of text as a table; columns from `numeric` on stand to the right.
function table(head, rows, numeric, caption) {
  const cell = (kind, text, i) =>
    make(kind, { ...(kind === "th" ? { scope: "col" } : {}), ...(i >= numeric ? { class: "n" } : {}) }, text);
  return make(
    "table",
    {},
    make("caption", {}, caption),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        head.map((t, i) => cell("th", t, i)),
      ),
    ),
    make(
      "tbody",
      {},
      rows.map((row) =>
        make(
          "tr",
          {},
          row.map((t, i) => cell("td", t, i)),
        ),
      ),
    ),
  );
}
