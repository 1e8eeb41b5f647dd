// The surrogate of a map: which solver, strategy and rtol to try first for an asked error at a point, what then, with
// least expected total work, and with what probability.  The same as src/answers/surrogate.h, from
// which `saltus recommend` answers; nothing here uses the page.

const STEPS_A_DECADE = 4; // tolerances that are tried between those of the sweep
const NOBODY = 0.5; // a configuration that misses more often is none
const SAFE = 0.99;
const SAME_SHARE = 1e-9; // of errors below two ends: all between have it

// The tolerances of an answer, loosest first: the level of each, its share of the way to the next one, and itself.
function tolerancePlaces(tolerances) {
  const places = [],
    last = tolerances.length - 1;
  for (let j = 0; j < last; ++j) {
    const n = Math.max(1, Math.round(STEPS_A_DECADE * Math.log10(tolerances[j] / tolerances[j + 1])));
    for (let i = 0; i < n; ++i)
      places.push({ level: j, share: i / n, rtol: tolerances[j] * (tolerances[j + 1] / tolerances[j]) ** (i / n) });
  }
  places.push({ level: last, share: 0, rtol: tolerances[last] });
  return {
    placeLevel: Int32Array.from(places, (p) => p.level),
    placeShare: Float64Array.from(places, (p) => p.share),
    placeTolerance: Float64Array.from(places, (p) => p.rtol),
  };
}

class Surrogate extends Planes {
  constructor(data) {
    super(data);
    Object.assign(this, tolerancePlaces(data.tolerances));
    this.takeBetween(data.offLine);
  }

  // How far errors at places between tolerances lie from the line [pair][place]: in the middle, and their spread; NaN: not known, and
  // no answer.  The same as src/answers/between_levels.h.
  takeBetween({ parts, power, shift, spread, at }) {
    const n = this.placeLevel.length,
      decades = this.tolerances.map((t) => -Math.log10(t));
    this.betweenAt = at;
    this.placeShift = new Float64Array(this.nPair * n);
    this.placeSpread = new Float64Array(this.nPair * n);
    for (let pair = 0; pair < this.nPair; ++pair)
      for (let p = 0; p < n; ++p) {
        const gap = this.placeLevel[p],
          f = this.placeShare[p],
          k = pair * n + p;
        if (f === 0) continue;
        const of = pair * parts + Math.floor((gap * parts) / (this.nTolerance - 1)),
          known = parts > 0 && spread[of] !== null && shift[of] !== null,
          scale = ((decades[gap + 1] - decades[gap]) * 4 * f * (1 - f)) ** power[pair];
        this.placeShift[k] = known ? scale * shift[of] : NaN;
        this.placeSpread[k] = known ? scale * spread[of] : NaN;
      }
  }

  // The expected work of a pair at a place between tolerances; NaN: no fit, or its error is not known there.
  workAt(planes, pair, place) {
    const known = !Number.isNaN(this.placeSpread[pair * this.placeLevel.length + place]);
    return known ? Math.exp(this.between(planes.lnExpected, pair, place)) : NaN;
  }

  // ln(error) likewise, in the middle of its distribution.
  lnErrorAt(planes, pair, place) {
    return this.between(planes.mu, pair, place) + this.placeShift[pair * this.placeLevel.length + place];
  }

  // Interpolates a quantity that is linear between tolerances; NaN where one beside the place has no fit.
  between(of, pair, place) {
    const c = pair * this.nTolerance + this.placeLevel[place],
      f = this.placeShare[place];
    return f === 0 ? of[c] : (1 - f) * of[c] + f * of[c + 1];
  }

  // ln(scatter) likewise; scatter and share of planes have been made.
  probabilityAt(planes, pair, place, lnAsked, width) {
    const c = pair * this.nTolerance + this.placeLevel[place],
      f = this.placeShare[place],
      { scatter, share } = planes;
    const spread = f === 0 ? scatter[c] : Math.exp((1 - f) * Math.log(scatter[c]) + f * Math.log(scatter[c + 1]));
    const counts = f === 0 ? share[c] : (1 - f) * share[c] + f * share[c + 1];
    const above = lnAsked - this.lnErrorAt(planes, pair, place),
      off = width * this.placeSpread[pair * this.placeLevel.length + place];
    return counts * (off > 0 ? this.belowBetween(above, width * spread, off) : below(this.shape, above / (width * spread)));
  }

  // The probability that an error is at most `above` over its middle: by its scatter, shifted by each quantile of what lies between.
  belowBetween(above, scatter, spread) {
    const { shape, betweenAt: at } = this,
      up = (q) => below(shape, (above - spread * q) / scatter),
      last = at.length - 1,
      most = up(at[0]),
      least = up(at[last]);
    let sum = most + least;
    if (most - least <= SAME_SHARE) return least;
    for (let i = 1; i < last; ++i) sum += up(at[i]);
    return sum / at.length;
  }

  // By how much scatter is widened for an error: linear in its logarithm between those of the map.
  widthOf(lnAsked) {
    const { widths, presets } = this,
      ln = presets.map(Math.log);
    let e = 1;
    while (e + 1 < ln.length && lnAsked < ln[e]) ++e;
    const inside = Math.min(Math.max((ln[e - 1] - lnAsked) / (ln[e - 1] - ln[e]), 0), 1);
    return (1 - inside) * widths[e - 1] + inside * widths[e];
  }

  // The errors between which the middle `share` of the runs of configuration c lie, at a tolerance of the sweep.
  band(planes, c, lnAsked, share) {
    const spread = this.widthOf(lnAsked) * this.scatterOf(planes)[c];
    return [(1 - share) / 2, (1 + share) / 2].map((p) => Math.exp(planes.mu[c] + spread * quantile(this.shape, p)));
  }

  fallback(planes, allowed) {
    let most = -Infinity;
    for (let c = 0; c < this.nConfig; ++c)
      if (allowed[Math.floor(c / this.nTolerance)] && planes.lnWork[c] > most) most = planes.lnWork[c];
    return Math.exp(most);
  }

  // Work and probability of every pair and place [pair][place], NaN without a fit, and the schedule of all.
  look(planes, lnAsked, allowed) {
    const n = this.placeLevel.length,
      schedule = new Schedule();
    this.work = this.work || new Float64Array(this.nPair * n);
    this.chance = this.chance || new Float64Array(this.nPair * n);
    const width = this.widthOf(lnAsked);
    let likely = 0;
    this.scatterOf(planes);
    for (let pair = 0; pair < this.nPair; ++pair)
      for (let p = 0, k = pair * n; p < n && allowed[pair]; ++p, ++k) {
        this.work[k] = this.workAt(planes, pair, p);
        if (Number.isNaN(this.work[k])) continue;
        this.chance[k] = this.probabilityAt(planes, pair, p, lnAsked, width);
        likely = Math.max(likely, this.chance[k]);
        schedule.add(this.work[k], this.chance[k], { pair, place: p });
      }
    return { planes, likely, schedule: schedule.close(this.fallback(planes, allowed)) };
  }

  choice({ planes, schedule }, pair, p) {
    const k = pair * this.placeLevel.length + p;
    return {
      pair,
      rtol: this.placeTolerance[p],
      probability: this.chance[k],
      error: Math.exp(this.lnErrorAt(planes, pair, p)),
      work: this.work[k],
      total: schedule.total(this.work[k], this.chance[k]),
    };
  }

  // {place, total} of a pair's first attempt with the least expected total; what misses more often than not is none.
  leastOf({ schedule }, pair) {
    const n = this.placeLevel.length,
      found = { place: -1, total: Infinity };
    for (let p = n - 1; p >= 0; --p) {
      const k = pair * n + p;
      if (!(this.work[k] <= found.total) || this.chance[k] < NOBODY) continue;
      const total = schedule.total(this.work[k], this.chance[k]);
      if (total <= found.total) Object.assign(found, { place: p, total });
    }
    return found;
  }

  // {place} of a pair's least work with a probability.
  probableOf(pair, probability) {
    const n = this.placeLevel.length;
    let place = -1;
    for (let p = 0; p < n; ++p) {
      const k = pair * n + p;
      if (this.chance[k] >= probability && (place < 0 ? !Number.isNaN(this.work[k]) : this.work[k] < this.work[pair * n + place]))
        place = p;
    }
    return { place };
  }

  // The choice with the largest probability; of equals that with less work.
  likeliest(allowed) {
    const n = this.placeLevel.length;
    let best = null;
    for (let pair = 0; pair < this.nPair; ++pair)
      for (let p = 0; p < n && allowed[pair]; ++p) {
        const work = this.work[pair * n + p],
          chance = this.chance[pair * n + p];
        if (Number.isNaN(work)) continue;
        const same = best && Math.abs(chance - best.chance) <= SAME;
        if (best && (same ? !(work < best.work) : !(chance > best.chance))) continue;
        best = { pair, place: p, work, chance };
      }
    return best;
  }

  // The best choice among those of `seen`; null where there is none.
  first(seen, probability, allowed) {
    if (seen.likely < NOBODY) return null;
    const by = Number.isNaN(probability) ? "total" : "work";
    let best = null;
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      const { place } = Number.isNaN(probability) ? this.leastOf(seen, pair) : this.probableOf(pair, probability),
        own = place < 0 ? null : this.choice(seen, pair, place);
      if (own && (!best || own[by] < best[by])) best = own;
    }
    return best;
  }

  // Prediction for a pair at a tolerance that answers may have, at the point of `seen`; NaN: it has no plane there.
  candidate({ planes, schedule }, pair, rtol, lnAsked) {
    const place = this.placeTolerance.indexOf(rtol),
      work = this.workAt(planes, pair, place),
      probability = this.probabilityAt(planes, pair, place, lnAsked, this.widthOf(lnAsked));
    return { work, probability, total: schedule.total(work, probability) };
  }

  // The answer at a point of the box: z in 0 .. 1.  probability: least work with that probability.
  ask(
    z,
    sample,
    error,
    { probability = NaN, allowed = new Array(this.nPair).fill(true), planes = this.planes(z, sample) } = {},
  ) {
    const seen = this.look(planes, Math.log(error), allowed),
      best = [],
      safe = [],
      enough = [];
    for (let pair = 0; pair < this.nPair; ++pair) {
      if (!allowed[pair]) continue;
      const take = (list, { place }) => {
        if (place >= 0) list.push(this.choice(seen, pair, place));
      };
      take(best, this.leastOf(seen, pair));
      take(safe, this.probableOf(pair, SAFE));
      if (!Number.isNaN(probability)) take(enough, this.probableOf(pair, probability));
    }
    const by = (key) => (p, q) => p[key] - q[key] || p.pair - q.pair;
    best.sort(by("total"));
    safe.sort(by("work"));
    enough.sort(by("work"));
    const unverified = this.unverified(planes, error),
      most = this.likeliest(allowed),
      likely = most && this.choice(seen, most.pair, most.place),
      nobody = !likely || likely.probability < NOBODY;
    const ranking = Number.isNaN(probability) ? best : enough,
      first = nobody ? null : ranking[0] || null;
    return {
      best: first,
      safe: safe[0] || null,
      likely,
      pairs: nobody ? [] : ranking,
      ...this.planOf(seen, first),
      unverified,
      planes,
      reason: nobody ? this.reasonOfNone(planes, unverified) : "",
    };
  }

  // {schedule: the attempts, each with the probability that it is needed; rest: that of the most expensive run; fallback: its work}.
  planOf(seen, first) {
    if (!first) return { schedule: [], rest: NaN, fallback: NaN };
    const then = seen.schedule.after(first.probability);
    const attempts = then.attempts.map(({ pair, place, needed }) => ({ ...this.choice(seen, pair, place), needed }));
    return { schedule: [{ ...first, needed: 1 }, ...attempts], rest: then.needed, fallback: seen.schedule.fallback };
  }

  // The share of the weight of cells whose reference does not reach the error.
  unverified(planes, error) {
    let bad = 0;
    planes.cell.forEach((cell, i) => {
      if (!(this.referenceError[cell] <= error)) bad += planes.w[i];
    });
    return bad / planes.sum;
  }

  // NaN: the reference has no end, where time stepping has.
  reasonOfNone(planes, unverified) {
    let captured = 0;
    planes.cell.forEach((cell, i) => {
      if (Number.isNaN(this.referenceError[cell])) captured += planes.w[i];
    });
    return captured > 0.5 * planes.sum ? "captured" : unverified >= 0.5 ? "no_reference" : "no_config";
  }

  // The best pair, and the best of the other solvers: for maps.  margin: extra work of that one as a share; confidence: probability
  // that the first one needs less work, where it is wanted (withConfidence).  NaN: without another one.  solver(pair) is the number of its solver.
  winner(z, sample, error, allowed, solver = (pair) => pair, withConfidence = true) {
    const planes = this.planes(z, sample),
      seen = this.look(planes, Math.log(error), allowed);
    if (seen.likely < NOBODY)
      return { pair: -1, reason: this.reasonOfNone(planes, this.unverified(planes, error)), margin: NaN, confidence: NaN };
    const least = [];
    for (let pair = 0; pair < this.nPair; ++pair) {
      const found = allowed[pair] ? this.leastOf(seen, pair) : { place: -1 };
      if (found.place >= 0) least.push({ pair, ...found });
    }
    least.sort((p, q) => p.total - q.total || p.pair - q.pair);
    const [first] = least,
      other = least.find((p) => solver(p.pair) !== solver(first.pair));
    if (!other) return { pair: first.pair, total: first.total, margin: NaN, confidence: NaN };
    const tolerance = (p) => ({ ...p, rtol: this.placeTolerance[p.place] });
    return {
      pair: first.pair,
      total: first.total,
      other: other.pair,
      margin: other.total / first.total - 1,
      confidence: withConfidence ? confidenceOf(this, planes, Math.log(error), tolerance(first), tolerance(other)) : NaN,
    };
  }
}
