// The reader of a map: which solver, strategy and rtol reaches an asked error at a point with
// least expected total work, and with what probability.  The same as src/answers/reader.h, from
// which `saltus recommend` answers; nothing here knows of the page.

const STEPS_A_DECADE = 16; // tolerances that are tried between those of the sweep
const RETRY = -0.75; // decades to the next tolerance that is tried after a miss
const NOBODY = 0.5; // a contender that misses more often is none
const SAFE = 0.99;
const ON_A_LEVEL = 1e-9; // rounding of a tolerance, as a share

// The places between the sweep's tolerances: {level, share, rtol}; the candidates among them,
// loosest first; and the places that are tried after a miss of each.
function tolerancePlaces(tolerances) {
  const places = [],
    known = new Map(),
    last = tolerances.length - 1;
  const add = (level, share, tolerance) => {
    const key = `${level} ${share.toFixed(9)}`;
    if (!known.has(key)) known.set(key, places.push({ level, share, rtol: tolerance }) - 1);
    return known.get(key);
  };
  const at = (tolerance) => {
    let level = 0;
    while (level < last && tolerances[level + 1] >= tolerance * (1 - ON_A_LEVEL)) ++level;
    if (level === last) return tolerance < tolerances[last] * (1 - ON_A_LEVEL) ? -1 : add(last, 0, tolerances[last]);
    const share = Math.log(tolerances[level] / tolerance) / Math.log(tolerances[level] / tolerances[level + 1]);
    return add(level, share < ON_A_LEVEL ? 0 : share, tolerance);
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
      const next = at(places[place].rtol * 10 ** (RETRY * k));
      if (next < 0) return chain;
      chain.push(next);
    }
  });
  return {
    placeLevel: Int32Array.from(places, (p) => p.level),
    placeShare: Float64Array.from(places, (p) => p.share),
    placeTolerance: Float64Array.from(places, (p) => p.rtol),
    candidates: Int32Array.from(candidates),
    retries: retries.map((chain) => Int32Array.from(chain)),
  };
}

class Reader extends Planes {
  constructor(data) {
    super(data);
    Object.assign(this, tolerancePlaces(data.tolerances));
  }

  // ln(work) or ln(error) of a pair at a place between tolerances, NaN where one beside it has no fit.
  between(of, pair, place) {
    const c = pair * this.nRung + this.placeLevel[place],
      f = this.placeShare[place];
    return f === 0 ? of[c] : (1 - f) * of[c] + f * of[c + 1];
  }

  probabilityAt(planes, pair, place, lnAsked) {
    const c = pair * this.nRung + this.placeLevel[place],
      f = this.placeShare[place],
      mu = this.between(planes.mu, pair, place);
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
    const n = this.placeLevel.length;
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
    const first = this.candidates[c],
      chain = this.retries[c];
    let total = at.work[first],
      missed = 1 - this.probability(at, first);
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
      pair: at.pair,
      rtol: this.placeTolerance[p],
      probability: at.probability[p],
      error: Math.exp(this.between(at.planes.mu, at.pair, p)),
      work: at.work[p],
      total,
    };
  }

  // The answer at a point of the box: z in 0 .. 1.  confidence: least work with that probability.
  ask(
    z,
    sample,
    error,
    { confidence = NaN, allowed = new Array(this.nPair).fill(true), planes = this.planes(z, sample) } = {},
  ) {
    const lnAsked = Math.log(error),
      dearest = this.dearest(planes, allowed);
    const best = [],
      safe = [],
      sure = [];
    let likely = null;
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      const at = this.look(planes, pair, lnAsked),
        work = (c) => at.work[this.candidates[c]];
      let least = null,
        mine = null,
        trusted = null;
      for (let c = 0; c < this.candidates.length; ++c) {
        if (Number.isNaN(work(c))) continue;
        const total = this.total(at, c, dearest),
          chance = at.probability[this.candidates[c]];
        if (!least || total < least.total) least = { c, total };
        if (chance >= SAFE && (!mine || work(c) < work(mine.c))) mine = { c, total };
        if (chance >= confidence && (!trusted || work(c) < work(trusted.c))) trusted = { c, total };
        // Sums of weights differ by rounding where probabilities are the same.
        const same = likely && Math.abs(chance - likely.probability) <= 1e-12;
        if (!likely || (same ? work(c) < likely.work : chance > likely.probability)) likely = this.choice(at, c, total);
      }
      if (least) best.push(this.choice(at, least.c, least.total));
      if (mine) safe.push(this.choice(at, mine.c, mine.total));
      if (trusted) sure.push(this.choice(at, trusted.c, trusted.total));
    }
    const by = (key) => (p, q) => p[key] - q[key] || p.pair - q.pair;
    best.sort(by("total"));
    safe.sort(by("work"));
    sure.sort(by("work"));
    const unverified = this.unverified(planes, error),
      nobody = !likely || likely.probability < NOBODY;
    const ranking = Number.isNaN(confidence) ? best : sure;
    return {
      best: nobody ? null : ranking[0] || null,
      safe: safe[0] || null,
      likely,
      pairs: nobody ? [] : ranking,
      unverified,
      planes,
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
    const planes = this.planes(z, sample),
      lnAsked = Math.log(error);
    const dearest = this.dearest(planes, allowed),
      cheapest = [];
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
    let first = { pair: -1, total: Infinity, likely: 0 },
      second = first,
      likely = 0;
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
    const at = this.look(planes, pair, lnAsked),
      found = { pair, total: Infinity, likely: 0 };
    const take = (c) => {
      const most = Math.min(found.total, limit);
      if (!(at.work[this.candidates[c]] <= most)) return;
      const total = this.total(at, c, dearest, most);
      found.likely = Math.max(found.likely, at.probability[this.candidates[c]]);
      if (total < found.total) found.total = total;
    };
    let first = 0;
    while (first < this.candidates.length - 1 && !(this.between(planes.mu, pair, this.candidates[first]) <= lnAsked))
      ++first;
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
