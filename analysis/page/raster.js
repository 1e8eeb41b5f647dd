// The map as a raster: answers of the surrogate on a coarse grid, and on finer ones near borders. Its appearance
// is that of raster_image.py.

const MARGINS = [0.05, 0.15, 0.5], // ends of the steps of the margin over the best of the other solvers
  FULLNESS = [0.28, 0.5, 0.75, 1], // of the colour in each of them
  CONFIDENT = [0.75, 0.95], // of answers around a border: faint up to the first, dark from the second on
  BESIDE = 0.03, // of the picture: how far answers beside a border count for it
  BORDERS = 4; // kinds of borders from faint to dark
const GRIDS = [25, 50, 100, 200], // points along an axis
  MOST_POINTS = 6000; // that are asked about: where borders are everywhere the last grids are not reached

// Cells next to one of another kind; margins: also those next to another step of margin, or another strategy.
function besideBorders(cells, n, margins) {
  const found = [],
    key = cells.map((cell) => (margins && !cell.gap ? `${cell.kind} ${marginStep(cell.margin)} ${cell.strategy}` : cell.kind));
  for (let j = 0; j < n; ++j)
    for (let i = 0; i < n; ++i) {
      const k = j * n + i,
        differs = (there, other) => there && key[other] !== key[k];
      if (differs(i > 0, k - 1) || differs(i + 1 < n, k + 1) || differs(j > 0, k - n) || differs(j + 1 < n, k + n)) found.push([i, j]);
    }
  return found;
}

// A raster that is made in steps. ask(x, y) of a place in 0 .. 1: {kind, pair, margin, confidence, gap}; kind: what a border runs around.
class Raster {
  constructor(ask, { grids = GRIDS, most = MOST_POINTS } = {}) {
    Object.assign(this, { ask, grids, most, level: 0, asked: 0, n: grids[0], cells: [], done: false });
    this.queue = Array.from({ length: this.n * this.n }, (_, k) => k);
    this.next = this.queue.map(() => null);
    this.of = this.n;
  }

  // One point; true where a grid has become whole: it is in n and cells.
  step() {
    if (this.queue.length) {
      const k = this.queue.pop();
      this.next[k] = this.ask(((k % this.of) + 0.5) / this.of, (Math.floor(k / this.of) + 0.5) / this.of);
      ++this.asked;
    }
    if (this.queue.length) return false;
    [this.n, this.cells] = [this.of, this.next];
    this.refine();
    return true;
  }

  refine() {
    const finer = this.grids[++this.level],
      near = finer ? besideBorders(this.cells, this.n, this.level === 1) : [];
    if (!finer || this.asked + 4 * near.length > this.most) {
      this.done = true;
      return;
    }
    const by = finer / this.n;
    this.of = finer;
    this.next = Array.from({ length: finer * finer }, (_, k) => this.cells[Math.floor(k / finer / by) * this.n + Math.floor((k % finer) / by)]);
    for (const [i, j] of near)
      for (let v = 0; v < by; ++v) for (let u = 0; u < by; ++u) this.queue.push((by * j + v) * finer + by * i + u);
    if (!this.queue.length) this.done = true;
  }
}

// [n + 1][n + 1] sums of value(k) up to each corner.
function sumsOf(n, value) {
  const table = new Float64Array((n + 1) * (n + 1));
  for (let j = 0; j < n; ++j)
    for (let i = 0, row = 0; i < n; ++i) {
      row += value(j * n + i);
      table[(j + 1) * (n + 1) + i + 1] = table[j * (n + 1) + i + 1] + row;
    }
  return table;
}

const sumIn = (table, n, i0, i1, j0, j1) =>
  table[j1 * (n + 1) + i1] - table[j0 * (n + 1) + i1] - table[j1 * (n + 1) + i0] + table[j0 * (n + 1) + i0];

// The kind of a border at each point, 0 .. BORDERS - 1: by the confidence of the answers around it; 1 without another answer.
function borderSteps({ n, cells }) {
  const reach = Math.max(1, Math.round(BESIDE * n)),
    sums = sumsOf(n, (k) => (Number.isNaN(cells[k].confidence) ? 0 : cells[k].confidence)),
    counts = sumsOf(n, (k) => (Number.isNaN(cells[k].confidence) ? 0 : 1));
  return (k) => {
    const i = k % n,
      j = Math.floor(k / n),
      box = [Math.max(0, i - reach), Math.min(n, i + reach + 1), Math.max(0, j - reach), Math.min(n, j + reach + 1)];
    const count = sumIn(counts, n, ...box),
      around = count ? sumIn(sums, n, ...box) / count : 1;
    return Math.min(BORDERS - 1, Math.max(0, Math.floor(((around - CONFIDENT[0]) / (CONFIDENT[1] - CONFIDENT[0])) * BORDERS)));
  };
}

const marginStep = (margin) => (Number.isNaN(margin) ? MARGINS.length : MARGINS.filter((end) => margin >= end).length);

// Where a name has room among the points of a kind: {x, y, box} in points, or null; boxes [{wide, high}], the best first.
function nameAt({ n, cells }, kind, boxes) {
  const has = (k) => (cells[k].kind === kind ? 1 : 0),
    table = sumsOf(n, has),
    middle = [0, 0];
  let count = 0;
  for (let k = 0; k < n * n; ++k)
    if (has(k)) {
      ++count;
      middle[0] += k % n;
      middle[1] += Math.floor(k / n);
    }
  for (const box of boxes) {
    const wide = Math.max(1, Math.round(box.wide)),
      high = Math.max(1, Math.round(box.high));
    let best = null;
    for (let j = 0; j + high <= n && count; ++j)
      for (let i = 0; i + wide <= n; ++i) {
        if (sumIn(table, n, i, i + wide, j, j + high) < 0.97 * wide * high) continue;
        const far = (i + wide / 2 - middle[0] / count) ** 2 + (j + high / 2 - middle[1] / count) ** 2;
        if (!best || far < best.far) best = { far, x: i + wide / 2, y: j + high / 2, box };
      }
    if (best) return best;
  }
  return null;
}
