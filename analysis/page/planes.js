// Planes through the nearest cells: ln(error) and ln(work) of each configuration at a point by weighted least
// squares, and how far the errors scatter around them (W. S. Cleveland and S. J. Devlin, Locally weighted
// regression, J. Am. Stat. Assoc. 83, 1988).
//
// data: {n, d, z [n][d], sample [n], referenceError [n], nPair, tolerances (loosest first),
//        lnError [n][nPair][tolerance] (NaN where it does not count), done: work likewise, as far as it was done (NaN: not begun), stopped:
//        which of them were stopped, orders [nPair] of solvers ([lowest, highest]; null: not known), metric: rows of a lower triangle L,
//        shape {at, below}}
// Places are as far from each other as x = L'z.

const LEAST_VARIANCE = 1e-8; // of errors that do not scatter: they differ by a hundredth of a percent
const PRIOR = 0.5; // cells' worth of the mean variance of all configurations at a place
const WIDE = 0.1; // variance of ln(work) above which the mean of works is clearly above the geometric one
const HALF_DONE = 2; // of a stopped run of which nothing else is known
const ANY_ORDER = [1, 5]; // of a solver that is not known
const RIDGE = 1e-3; // of the slopes, as a share of the sum of weights
const neighboursWanted = (d) => Math.max(48, 4 * (d + 1));
const cellsNeeded = (d) => 3 * (d + 1);

// The smallest value but k of the first n; reorders them.
function select(values, n, k) {
  let low = 0,
    high = n - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low,
      j = high;
    while (i <= j) {
      while (values[i] < pivot) ++i;
      while (values[j] > pivot) --j;
      if (i <= j) {
        const v = values[i];
        values[i++] = values[j];
        values[j--] = v;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}

// Rows of (X'WX + ridge)^-1 X'W, [size][rows], by Cholesky.  x [rows][size], its first column 1.
function weightedInverse(rows, size, x, w) {
  const g = new Float64Array(size * size),
    b = new Float64Array(size * rows);
  let total = 0;
  for (let i = 0; i < rows; ++i) {
    total += w[i];
    for (let p = 0; p < size; ++p)
      for (let q = 0; q <= p; ++q) g[p * size + q] += w[i] * x[i * size + p] * x[i * size + q];
  }
  for (let p = 1; p < size; ++p) g[p * size + p] += RIDGE * total;
  for (let p = 0; p < size; ++p)
    for (let q = 0; q <= p; ++q) {
      let sum = g[p * size + q];
      for (let k = 0; k < q; ++k) sum -= g[p * size + k] * g[q * size + k];
      g[p * size + q] = p === q ? Math.sqrt(sum) : sum / g[q * size + q];
    }
  const y = new Float64Array(size);
  for (let i = 0; i < rows; ++i) {
    for (let p = 0; p < size; ++p) {
      let sum = w[i] * x[i * size + p];
      for (let k = 0; k < p; ++k) sum -= g[p * size + k] * y[k];
      y[p] = sum / g[p * size + p];
    }
    for (let p = size - 1; p >= 0; --p) {
      let sum = y[p];
      for (let k = p + 1; k < size; ++k) sum -= g[k * size + p] * y[k];
      y[p] = sum / g[p * size + p];
    }
    for (let p = 0; p < size; ++p) b[p * rows + i] = y[p];
  }
  return b;
}

class Planes {
  constructor(data) {
    Object.assign(this, data);
    this.nTolerance = data.tolerances.length;
    this.nConfig = this.nPair * this.nTolerance;
    this.distance = new Float64Array(this.n);
    this.spare = new Float64Array(this.n);
    this.cells = new Map();
    for (let i = 0; i < this.n; ++i) {
      if (!this.cells.has(this.sample[i])) this.cells.set(this.sample[i], []);
      this.cells.get(this.sample[i]).push(i);
    }
    this.takeWork(this.done);
  }

  // Work as far as it was done [n][nPair][tolerance]; of stopped runs it becomes what they would have taken.
  takeWork(done) {
    this.lnWork = Float64Array.from(done, Math.log);
    for (const i of this.stopped) this.lnWork[i] = Math.log(this.fullWork(done, i));
  }

  // Full work of a stopped run, by the two tightest runs of its pair that ended at looser tolerances: src/answers/full_work.c.
  fullWork(done, i) {
    const { nTolerance, nPair, tolerances } = this,
      level = i % nTolerance,
      first = i - level,
      [least, most] = this.orders[Math.floor(i / nTolerance) % nPair] || ANY_ORDER;
    const ended = [];
    for (let r = level - 1; r >= 0 && ended.length < 2; --r) if (!Number.isNaN(this.lnError[first + r])) ended.push(r);
    if (!ended.length) return HALF_DONE * done[i];
    const [near, before] = ended;
    let power = 1 / (most + 1);
    if (ended.length > 1) power = Math.log(done[first + near] / done[first + before]) / Math.log(tolerances[before] / tolerances[near]);
    power = Math.max(0, Math.min(power, 1 / (least + 1)));
    return Math.max(done[i], done[first + near] * (tolerances[near] / tolerances[level]) ** power);
  }

  cellsOf(sample) {
    return this.cells.get(sample) || [];
  }

  enough(sample) {
    return this.cellsOf(sample).length >= cellsNeeded(this.d);
  }

  // step [d] = L'(place of the cell - z)
  stepTo(cell, z, step) {
    const { d, metric } = this;
    step.fill(0);
    for (let a = 0, row = 0; a < d; row += ++a) {
      const dz = this.z[cell * d + a] - z[a];
      for (let k = 0; k <= a; ++k) step[k] += metric[row + k] * dz;
    }
  }

  // The nearest cells of a sample, ascending, with their weights and rows of X.
  neighbours(z, sample) {
    const { d, distance, spare } = this,
      cells = this.cellsOf(sample),
      n = cells.length,
      step = new Float64Array(d);
    for (let i = 0; i < n; ++i) {
      let sum = 0;
      this.stepTo(cells[i], z, step);
      for (let a = 0; a < d; ++a) sum += step[a] * step[a];
      distance[i] = spare[i] = sum;
    }
    // Equal distances on grids differ by rounding.
    const last = select(spare, n, Math.min(neighboursWanted(d), n) - 1) * (1 + 1e-9);
    const cell = [],
      squared = [];
    let next = Infinity;
    for (let i = 0; i < n; ++i)
      if (distance[i] <= last) {
        cell.push(cells[i]);
        squared.push(distance[i]);
      } else if (distance[i] < next) next = distance[i];
    const reach = next < Infinity ? Math.sqrt(next) : last > 0 ? 1.25 * Math.sqrt(last) : 1;
    const size = d + 1,
      x = new Float64Array(cell.length * size),
      w = new Float64Array(cell.length);
    for (let i = 0; i < cell.length; ++i) {
      const q = Math.sqrt(squared[i]) / reach,
        t = 1 - q * q * q;
      w[i] = t * t * t;
      x[i * size] = 1;
      this.stepTo(cell[i], z, step);
      for (let a = 0; a < d; ++a) x[i * size + 1 + a] = step[a] / reach;
    }
    return { cell, w, x, reach };
  }

  // The planes through the neighbours: ln(error) and ln(work) of all configurations at the point, NaN without
  // a fit.  Residuals are made when they are asked for.
  planes(z, sample) {
    const near = this.neighbours(z, sample),
      n = near.cell.length,
      size = this.d + 1,
      m = this.nConfig;
    const b = weightedInverse(n, size, near.x, near.w);
    let sum = 0,
      squares = 0;
    for (let i = 0; i < n; ++i) {
      sum += near.w[i];
      squares += near.w[i] * near.w[i];
    }
    const planes = {
      ...near,
      n,
      b,
      sum,
      squares,
      mu: new Float64Array(m),
      lnWork: new Float64Array(m),
      scatter: null, // when it is asked for
      lnExpected: null, // likewise: ln of the mean work of all runs, those that do not count and the tails among them
      share: new Float64Array(m),
      own: new Map(),
      rowsOf: new Map(),
    };
    for (let i = 0; i < n; ++i) {
      // one row of cells after the other, as they are stored
      const first = near.cell[i] * m,
        b0 = b[i];
      for (let c = 0; c < m; ++c) {
        planes.mu[c] += b0 * this.lnError[first + c];
        planes.lnWork[c] += b0 * this.lnWork[first + c];
      }
    }
    for (let c = 0; c < m; ++c) if (Number.isNaN(planes.mu[c])) this.fitPresent(planes, c);
    return planes;
  }

  // Configuration c, which misses some rows, from those that are there.
  fitPresent(planes, c) {
    const { cell, w, x, n, sum, mu, lnWork } = planes,
      size = this.d + 1,
      m = this.nConfig,
      rows = [];
    let present = 0,
      key = 0; // the sum of 2^row is exact up to 52 rows
    for (let i = 0; i < n; ++i)
      if (!Number.isNaN(this.lnError[cell[i] * m + c])) {
        rows.push(i);
        present += w[i];
        key += 2 ** i;
      }
    mu[c] = lnWork[c] = NaN;
    if (present < 0.5 * sum || rows.length < this.d + 2) return;
    if (n > 52) key = rows.join();
    if (!planes.own.has(key)) {
      const part = new Float64Array(rows.length * size),
        b = new Float64Array(size * n);
      rows.forEach((i, k) => part.set(x.subarray(i * size, (i + 1) * size), k * size));
      const inverse = weightedInverse(
        rows.length,
        size,
        part,
        rows.map((i) => w[i]),
      );
      rows.forEach((i, k) => {
        for (let p = 0; p < size; ++p) b[p * n + i] = inverse[p * rows.length + k];
      });
      planes.own.set(key, b);
    }
    const b = planes.own.get(key);
    mu[c] = lnWork[c] = 0;
    for (const i of rows) {
      mu[c] += b[i] * this.lnError[cell[i] * m + c];
      lnWork[c] += b[i] * this.lnWork[cell[i] * m + c];
    }
    planes.rowsOf.set(c, b);
  }

  // The scatter of ln(error) of all configurations around their planes, the share of the weight that each counts in, and expected work.
  scatterOf(planes) {
    if (planes.scatter) return planes.scatter;
    const m = this.nConfig,
      variance = new Float64Array(m),
      cells = new Float64Array(m);
    let logs = 0,
      fitting = 0;
    for (let c = 0; c < m; ++c) {
      if (Number.isNaN(planes.mu[c])) continue;
      const { sum, weights, squares } = this.squaresOf(planes, c);
      variance[c] = Math.max(sum / weights, LEAST_VARIANCE);
      cells[c] = (weights * weights) / squares;
      planes.share[c] = planes.rowsOf.has(c) ? weights / planes.sum : 1;
      logs += Math.log(variance[c]);
      ++fitting;
    }
    planes.lnExpected = planes.lnWork.map((own, c) => (Number.isNaN(planes.mu[c]) ? NaN : this.expectedOf(planes, c)));
    const mean = Math.exp(logs / fitting);
    planes.scatter = variance.map((v, c) => Math.sqrt((cells[c] * v + PRIOR * mean) / (cells[c] + PRIOR)));
    return planes.scatter;
  }

  // ln of what configuration c takes in the mean.  With gaps: where it counts what is expected there, elsewhere what is known.
  expectedOf(planes, c) {
    const { cell, w, n, share } = planes,
      { lnError, lnWork } = this,
      m = this.nConfig,
      gaps = planes.rowsOf.has(c);
    let weight = 0,
      sum = 0,
      weights = 0,
      squares = 0,
      failed = 0,
      own = planes.lnWork[c];
    for (let i = 0; i < n; ++i) {
      const k = cell[i] * m + c;
      if (!gaps || !Number.isNaN(lnError[k])) {
        const off = lnWork[k] - own;
        weights += w[i];
        sum += w[i] * off;
        squares += w[i] * (off * off);
      } else if (!Number.isNaN(lnWork[k])) {
        weight += w[i];
        failed += w[i] * Math.exp(lnWork[k]);
      }
    }
    const mean = sum / weights;
    if (squares / weights - mean * mean > WIDE) own += this.smearing(planes, c);
    return weight === 0 ? own : Math.log(share[c] * Math.exp(own) + ((1 - share[c]) * failed) / weight);
  }

  // ln of the mean of exp(residual) around the plane of ln(work) of configuration c, where it counts (N. Duan, Smearing estimate, J. Am. Stat.
  // Assoc. 78, 1983).
  smearing({ cell, x, w, b: all, n, rowsOf }, c) {
    const size = this.d + 1,
      m = this.nConfig,
      b = rowsOf.get(c) || all,
      beta = new Float64Array(size);
    let sum = 0,
      weights = 0;
    const there = Array.from(cell.keys()).filter((i) => !rowsOf.has(c) || !Number.isNaN(this.lnError[cell[i] * m + c]));
    for (const i of there) for (let p = 0; p < size; ++p) beta[p] += b[p * n + i] * this.lnWork[cell[i] * m + c];
    for (const i of there) {
      let off = this.lnWork[cell[i] * m + c];
      for (let p = 0; p < size; ++p) off -= x[i * size + p] * beta[p];
      sum += w[i] * Math.exp(off);
      weights += w[i];
    }
    return Math.log(sum / weights);
  }

  // Sums over the cells in which configuration c counts: w r^2, w, w^2.
  squaresOf(planes, c) {
    const { cell, x, w, n } = planes,
      { lnError, d } = this,
      size = d + 1,
      m = this.nConfig;
    const b = planes.rowsOf.get(c) || planes.b,
      slope = new Float64Array(d);
    let sum = 0,
      weights = 0,
      squares = 0;
    for (let i = 0; i < n; ++i) {
      const y = lnError[cell[i] * m + c];
      if (y === y) for (let p = 0; p < d; ++p) slope[p] += b[(p + 1) * n + i] * y;
    }
    for (let i = 0; i < n; ++i) {
      const y = lnError[cell[i] * m + c];
      if (y !== y) continue;
      let r = y - planes.mu[c];
      for (let p = 0; p < d; ++p) r -= x[i * size + p + 1] * slope[p];
      sum += w[i] * (r * r);
      weights += w[i];
      squares += w[i] * w[i];
    }
    return { sum, weights, squares };
  }
}

// Up to how many scatters above their plane a share of errors lies: the inverse of below.
function quantile({ at, below: share }, p) {
  const i = share.findIndex((s) => s >= p);
  if (i < 0) return at[at.length - 1];
  if (i === 0) return at[0];
  return at[i - 1] + ((p - share[i - 1]) / (share[i] - share[i - 1])) * (at[i] - at[i - 1]);
}

// The share of errors that lie up to z scatters above their plane: linear between knots.
function below({ at, below: share }, z) {
  let lo = 0,
    hi = at.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (at[middle] <= z) lo = middle + 1;
    else hi = middle;
  }
  if (lo === 0) return 0;
  if (lo === at.length) return share[lo - 1];
  return share[lo - 1] + ((z - at[lo - 1]) / (at[lo] - at[lo - 1])) * (share[lo] - share[lo - 1]);
}
