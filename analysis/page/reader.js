// The reader of a map: which method, strategy and tolerance reaches an asked error at a point with
// least expected total work, and with what probability.  The same as src/answers/reader.h, from
// which `saltus recommend` answers; nothing here knows of the page.
//
// A plane is fitted to ln(error) and ln(work) of each contender by weighted least squares over the
// nearest cells; what the cells differ from it is the distribution of the error (W. S. Cleveland and
// S. J. Devlin, Locally weighted regression, J. Am. Stat. Assoc. 83, 1988).
//
// data: {n, d, z [n][d], sample [n], referenceError [n], nPair, tolerances (loosest first),
//        lnError [n][nPair][tolerance], lnWork likewise (NaN where it does not count), scale [d], share}

const RIDGE = 1e-3; // of the slopes, as a share of the sum of weights
const STEPS_A_DECADE = 16; // tolerances that are tried between those of the sweep
const RETRY = -0.75; // decades to the next tolerance that is tried after a miss
const NOBODY = 0.5; // a contender that misses more often is none
const SAFE = 0.99;
const ON_A_RUNG = 1e-9; // rounding of a tolerance, as a share

const neighboursWanted = (d) => Math.max(32, 4 * (d + 1));
const cellsNeeded = (d) => 3 * (d + 1);

// The places between the sweep's tolerances: {rung, share, tolerance}; the candidates among them,
// loosest first; and the places that are tried after a miss of each.
function tolerancePlaces(tolerances) {
  const places = [], known = new Map(), last = tolerances.length - 1;
  const add = (rung, share, tolerance) => {
    const key = `${rung} ${share.toFixed(9)}`;
    if (!known.has(key)) known.set(key, places.push({ rung, share, tolerance }) - 1);
    return known.get(key);
  };
  const at = (tolerance) => {
    let rung = 0;
    while (rung < last && tolerances[rung + 1] >= tolerance * (1 - ON_A_RUNG)) ++rung;
    if (rung === last) return tolerance < tolerances[last] * (1 - ON_A_RUNG) ? -1 : add(last, 0, tolerances[last]);
    const share = Math.log(tolerances[rung] / tolerance) / Math.log(tolerances[rung] / tolerances[rung + 1]);
    return add(rung, share < ON_A_RUNG ? 0 : share, tolerance);
  };
  const candidates = [];
  for (let j = 0; j < last; ++j) {
    const n = Math.max(1, Math.round(STEPS_A_DECADE * Math.log10(tolerances[j] / tolerances[j + 1])));
    for (let i = 0; i < n; ++i)
      candidates.push(add(j, i / n, tolerances[j] * (tolerances[j + 1] / tolerances[j]) ** (i / n)));
  }
  candidates.push(add(last, 0, tolerances[last]));
  const retries = candidates.map((place) => {
    const chain = [];
    for (let k = 1; ; ++k) {
      const next = at(places[place].tolerance * 10 ** (RETRY * k));
      if (next < 0) return chain;
      chain.push(next);
    }
  });
  return {
    placeRung: Int32Array.from(places, (p) => p.rung),
    placeShare: Float64Array.from(places, (p) => p.share),
    placeTolerance: Float64Array.from(places, (p) => p.tolerance),
    candidates: Int32Array.from(candidates),
    retries: retries.map((chain) => Int32Array.from(chain)),
  };
}

// The smallest value but k of the first n; reorders them.
function select(values, n, k) {
  let low = 0, high = n - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low, j = high;
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
  const g = new Float64Array(size * size), b = new Float64Array(size * rows);
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

class Reader {
  constructor(data) {
    Object.assign(this, data);
    this.nRung = data.tolerances.length;
    this.nContender = this.nPair * this.nRung;
    Object.assign(this, tolerancePlaces(data.tolerances));
    this.distance = new Float64Array(this.n);
    this.spare = new Float64Array(this.n);
    this.cells = new Map();
    for (let i = 0; i < this.n; ++i) {
      if (!this.cells.has(this.sample[i])) this.cells.set(this.sample[i], []);
      this.cells.get(this.sample[i]).push(i);
    }
  }

  cellsOf(sample) {
    return this.cells.get(sample) || [];
  }

  enough(sample) {
    return this.cellsOf(sample).length >= cellsNeeded(this.d);
  }

  // The nearest cells of a sample, ascending, with their weights and rows of X.
  neighbours(z, sample) {
    const { d, scale, distance, spare } = this, cells = this.cellsOf(sample), n = cells.length;
    for (let i = 0; i < n; ++i) {
      let sum = 0;
      for (let a = 0; a < d; ++a) {
        const step = scale[a] * (this.z[cells[i] * d + a] - z[a]);
        sum += step * step;
      }
      distance[i] = spare[i] = sum;
    }
    const last = select(spare, n, Math.min(neighboursWanted(d), n) - 1);
    const cell = [], squared = [];
    let next = Infinity;
    for (let i = 0; i < n; ++i)
      if (distance[i] <= last) {
        cell.push(cells[i]);
        squared.push(distance[i]);
      } else if (distance[i] < next) next = distance[i];
    const reach = next < Infinity ? Math.sqrt(next) : last > 0 ? 1.25 * Math.sqrt(last) : 1;
    const size = d + 1, x = new Float64Array(cell.length * size), w = new Float64Array(cell.length);
    for (let i = 0; i < cell.length; ++i) {
      const q = Math.sqrt(squared[i]) / reach, t = 1 - q * q * q;
      w[i] = t * t * t;
      x[i * size] = 1;
      for (let a = 0; a < d; ++a)
        x[i * size + 1 + a] = (scale[a] * (this.z[cell[i] * d + a] - z[a])) / reach;
    }
    return { cell, w, x, reach };
  }

  // The planes through the neighbours: ln(error) and ln(work) of all contenders at the point, NaN without
  // a fit.  Residuals are made when they are asked for.
  planes(z, sample) {
    const near = this.neighbours(z, sample), n = near.cell.length, size = this.d + 1, m = this.nContender;
    const b = weightedInverse(n, size, near.x, near.w);
    let sum = 0, squares = 0, h = 0;
    for (let i = 0; i < n; ++i) {
      sum += near.w[i];
      squares += near.w[i] * near.w[i];
      h += b[i] * b[i];
    }
    const widest = Math.max(1, Math.sqrt((1 + h) / Math.max(0.2, 1 - size / ((sum * sum) / squares))));
    const planes = {
      ...near, n, b, sum, width: 1 + this.share * (widest - 1), mu: new Float64Array(m), lnWork: new Float64Array(m),
      known: new Uint8Array(m), least: new Float64Array(m), most: new Float64Array(m), wide: new Float64Array(m * n), own: new Map(), rowsOf: new Map(),
    };
    for (let i = 0; i < n; ++i) { // one row of cells after the other, as they are stored
      const first = near.cell[i] * m, b0 = b[i];
      for (let c = 0; c < m; ++c) {
        planes.mu[c] += b0 * this.lnError[first + c];
        planes.lnWork[c] += b0 * this.lnWork[first + c];
      }
    }
    for (let c = 0; c < m; ++c) if (Number.isNaN(planes.mu[c])) this.fitPresent(planes, c);
    return planes;
  }

  // Contender c, which misses some rows, from those that are there.
  fitPresent(planes, c) {
    const { cell, w, x, n, sum, mu, lnWork } = planes, size = this.d + 1, m = this.nContender, rows = [];
    let present = 0, key = 0; // the sum of 2^row is exact up to 52 rows
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
      const part = new Float64Array(rows.length * size), b = new Float64Array(size * n);
      rows.forEach((i, k) => part.set(x.subarray(i * size, (i + 1) * size), k * size));
      const inverse = weightedInverse(rows.length, size, part, rows.map((i) => w[i]));
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

  // Widened residuals of ln(error) of contender c, infinite in missing rows, and their ends.
  residuals(planes, c) {
    const { cell, x, n, wide, width } = planes, { lnError, d } = this, size = d + 1, m = this.nContender;
    const b = planes.rowsOf.get(c) || planes.b, slope = new Float64Array(d);
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < n; ++i) {
      const y = lnError[cell[i] * m + c];
      if (y === y) for (let p = 0; p < d; ++p) slope[p] += b[(p + 1) * n + i] * y;
    }
    for (let i = 0; i < n; ++i) {
      const y = lnError[cell[i] * m + c];
      let plane = planes.mu[c];
      for (let p = 0; p < d; ++p) plane += x[i * size + p + 1] * slope[p];
      const own = y === y ? width * (y - plane) : Infinity;
      wide[c * n + i] = own;
      if (own < least) least = own;
      if (own > most) most = own;
    }
    planes.least[c] = least;
    planes.most[c] = most;
    planes.known[c] = 1;
  }

  // Weight of the neighbours with mu + residual <= lnAsked.
  weightBelow(planes, c, mu, lnAsked) {
    if (!planes.known[c]) this.residuals(planes, c);
    if (mu + planes.least[c] > lnAsked) return 0;
    if (mu + planes.most[c] <= lnAsked) return planes.sum;
    const { wide, w, n } = planes, first = c * n;
    let sum = 0;
    for (let i = 0; i < n; ++i) if (mu + wide[first + i] <= lnAsked) sum += w[i];
    return sum;
  }

  // ln(work) or ln(error) of a pair at a place between tolerances, NaN where one beside it has no fit.
  between(of, pair, place) {
    const c = pair * this.nRung + this.placeRung[place], f = this.placeShare[place];
    return f === 0 ? of[c] : (1 - f) * of[c] + f * of[c + 1];
  }

  probabilityAt(planes, pair, place, lnAsked) {
    const c = pair * this.nRung + this.placeRung[place], f = this.placeShare[place], mu = this.between(planes.mu, pair, place);
    const here = this.weightBelow(planes, c, mu, lnAsked);
    if (f === 0) return Math.min(1, here / planes.sum);
    return Math.min(1, ((1 - f) * here + f * this.weightBelow(planes, c + 1, mu, lnAsked)) / planes.sum);
  }

  dearest(planes, allowed) {
    let most = -Infinity;
    for (let c = 0; c < this.nContender; ++c)
      if (allowed[Math.floor(c / this.nRung)] && planes.lnWork[c] > most) most = planes.lnWork[c];
    return Math.exp(most);
  }

  // Takes up a pair: its work at all places, NaN where it has no fit; probabilities as they are asked for.
  look(planes, pair, lnAsked) {
    const n = this.placeRung.length;
    this.at = this.at || { work: new Float64Array(n), probability: new Float64Array(n) };
    Object.assign(this.at, { planes, pair, lnAsked });
    for (let p = 0; p < n; ++p) this.at.work[p] = Math.exp(this.between(planes.lnWork, pair, p));
    this.at.probability.fill(-1);
    return this.at;
  }

  probability(at, place) {
    if (at.probability[place] < 0) at.probability[place] = this.probabilityAt(at.planes, at.pair, place, at.lnAsked);
    return at.probability[place];
  }

  // Expected work of candidate c with all that follows a miss; infinite once it is beyond a limit.
  total(at, c, dearest, limit = Infinity) {
    const first = this.candidates[c], chain = this.retries[c];
    let total = at.work[first], missed = 1 - this.probability(at, first);
    for (let k = 0; k < chain.length; ++k) {
      if (missed === 0) return total;
      if (total > limit) return Infinity;
      const p = chain[k];
      if (Number.isNaN(at.work[p])) break;
      total += missed * at.work[p];
      const miss = 1 - this.probability(at, p);
      missed = 0.5 * Math.min(missed, miss) + 0.5 * missed * miss;
    }
    return total + missed * dearest;
  }

  choice(at, c, total) {
    const p = this.candidates[c];
    return {
      pair: at.pair, tolerance: this.placeTolerance[p], probability: at.probability[p],
      error: Math.exp(this.between(at.planes.mu, at.pair, p)), work: at.work[p], total,
    };
  }

  // The answer at a point of the box: z in 0 .. 1.  confidence: least work with that probability.
  ask(z, sample, error, { confidence = NaN, allowed = new Array(this.nPair).fill(true), planes = this.planes(z, sample) } = {}) {
    const lnAsked = Math.log(error), dearest = this.dearest(planes, allowed);
    const best = [], safe = [], sure = [];
    let likely = null;
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      const at = this.look(planes, pair, lnAsked), work = (c) => at.work[this.candidates[c]];
      let least = null, mine = null, trusted = null;
      for (let c = 0; c < this.candidates.length; ++c) {
        if (Number.isNaN(work(c))) continue;
        const total = this.total(at, c, dearest), chance = at.probability[this.candidates[c]];
        if (!least || total < least.total) least = { c, total };
        if (chance >= SAFE && (!mine || work(c) < work(mine.c))) mine = { c, total };
        if (chance >= confidence && (!trusted || work(c) < work(trusted.c))) trusted = { c, total };
        if (!likely || chance > likely.probability || (chance === likely.probability && work(c) < likely.work)) likely = this.choice(at, c, total);
      }
      if (least) best.push(this.choice(at, least.c, least.total));
      if (mine) safe.push(this.choice(at, mine.c, mine.total));
      if (trusted) sure.push(this.choice(at, trusted.c, trusted.total));
    }
    const by = (key) => (p, q) => p[key] - q[key] || p.pair - q.pair;
    best.sort(by("total"));
    safe.sort(by("work"));
    sure.sort(by("work"));
    const unverified = this.unverified(planes, error), nobody = !likely || likely.probability < NOBODY;
    const ranking = Number.isNaN(confidence) ? best : sure;
    return {
      best: nobody ? null : ranking[0] || null,
      safe: safe[0] || null, likely, pairs: nobody ? [] : ranking, unverified, planes,
      reason: !nobody ? "" : unverified >= 0.5 ? "no_reference" : "no_contender",
    };
  }

  // The share of the weight of cells whose reference does not reach the error.
  unverified(planes, error) {
    let bad = 0;
    planes.cell.forEach((cell, i) => {
      if (!(this.referenceError[cell] <= error)) bad += planes.w[i];
    });
    return bad / planes.sum;
  }

  // The first two pairs alone, for maps: what cannot be among them is not looked at.
  winner(z, sample, error, allowed) {
    const planes = this.planes(z, sample), lnAsked = Math.log(error);
    const dearest = this.dearest(planes, allowed), cheapest = [];
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      let least = Infinity;
      for (let r = 0; r < this.nRung; ++r) {
        const work = planes.lnWork[pair * this.nRung + r];
        if (work < least) least = work;
      }
      if (least < Infinity) cheapest.push({ pair, work: Math.exp(least) });
    }
    cheapest.sort((p, q) => p.work - q.work || p.pair - q.pair);
    let first = { pair: -1, total: Infinity, likely: 0 }, second = first, likely = 0;
    for (const { pair, work } of cheapest) {
      if (work > second.total) break;
      const found = this.leastOf(planes, pair, lnAsked, dearest, second.total);
      likely = Math.max(likely, found.likely);
      if (found.total < first.total || (found.total === first.total && pair < first.pair)) {
        second = first;
        first = found;
      } else if (found.total < second.total) second = found;
    }
    if (likely < NOBODY) likely = this.likeliest(planes, lnAsked, allowed);
    if (likely < NOBODY)
      return { pair: -1, reason: this.unverified(planes, error) >= 0.5 ? "no_reference" : "no_contender" };
    return { pair: first.pair, second: second.pair, lead: second.total / first.total - 1, total: first.total };
  }

  // The first candidate whose median reaches the error comes first, since what it takes bounds the others.
  leastOf(planes, pair, lnAsked, dearest, limit) {
    const at = this.look(planes, pair, lnAsked), found = { pair, total: Infinity, likely: 0 };
    const take = (c) => {
      const most = Math.min(found.total, limit);
      if (!(at.work[this.candidates[c]] <= most)) return;
      const total = this.total(at, c, dearest, most);
      found.likely = Math.max(found.likely, at.probability[this.candidates[c]]);
      if (total < found.total) found.total = total;
    };
    let first = 0;
    while (first < this.candidates.length - 1 && !(this.between(planes.mu, pair, this.candidates[first]) <= lnAsked)) ++first;
    take(first);
    for (let c = 0; c < this.candidates.length; ++c) take(c);
    return found;
  }

  likeliest(planes, lnAsked, allowed) {
    let most = 0;
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      const at = this.look(planes, pair, lnAsked);
      for (const p of this.candidates) if (!Number.isNaN(at.work[p])) most = Math.max(most, this.probability(at, p));
    }
    return most;
  }
}
