// Answers over a box of points: the recommended configuration by place, and the value of one answer for all of it.  The same as
// src/answers/surrogate_box.c; nothing here uses the page.  It is made in parts, because it takes as long as 256 answers.

const BOX_POINTS = 256;
const BOX_WINNERS = 8; // that are shown

// The steps of a sequence that fills n dimensions evenly: 1 / g^(k + 1), g^(n + 1) = g + 1.
function stepsOfSequence(n) {
  let g = 2;
  for (let i = 0; i < 60; ++i) {
    const power = g ** n;
    g -= (power * g - g - 1) / ((n + 1) * power - 1);
  }
  return Array.from({ length: n }, (_, k) => g ** -(k + 1));
}

class Range {
  constructor() {
    Object.assign(this, { least: Infinity, mean: 0, most: -Infinity, n: 0 });
  }

  widen(x) {
    this.least = Math.min(this.least, x);
    this.most = Math.max(this.most, x);
    this.mean += (x - this.mean) / ++this.n;
  }
}

class BoxAnswer {
  // ends: [[lo, hi] of each coordinate, in 0 .. 1]
  constructor(surrogate, { ends, sample, error, probability = NaN, allowed }) {
    Object.assign(this, { surrogate, ends, sample, error, atLeast: probability, allowed });
    this.fill = stepsOfSequence(ends.length);
    this.asked = 0; // points of the first round, then weighed ones of the second
    this.weighed = 0;
    this.at = []; // points with an answer: {planes, schedule, best}
    this.met = []; // the different answers: {pair, place, more, probability, work}
    this.missing = 0; // points without an answer, for want of references
    for (const name of ["probability", "work", "total"]) this[name] = new Range();
  }

  get done() {
    return this.asked === BOX_POINTS && this.weighed === this.at.length;
  }

  // Asks at the next point, or weighs there what was met elsewhere.
  next() {
    if (this.asked < BOX_POINTS) this.ask(this.asked++);
    else this.weigh(this.at[this.weighed++]);
  }

  place(i) {
    return this.ends.map(([lo, hi], k) => {
      const step = 0.5 + i * this.fill[k];
      return hi > lo ? lo + (step - Math.floor(step)) * (hi - lo) : lo;
    });
  }

  ask(i) {
    const { surrogate, atLeast, allowed } = this,
      planes = surrogate.planes(this.place(i), this.sample),
      seen = surrogate.look(planes, Math.log(this.error), allowed),
      best = surrogate.first(seen, atLeast, allowed);
    if (!best) {
      this.missing += surrogate.unverified(planes, this.error) >= 0.5 ? 1 : 0;
      return;
    }
    this.at.push({ seen, best });
    for (const name of ["probability", "work", "total"]) this[name].widen(best[name]);
    if (!this.met.some((m) => m.pair === best.pair && m.rtol === best.rtol))
      this.met.push({ pair: best.pair, rtol: best.rtol, more: 0, probability: new Range(), work: new Range() });
  }

  weigh({ seen, best }) {
    for (const m of this.met) {
      const own = this.surrogate.candidate(seen, m.pair, m.rtol, Math.log(this.error));
      m.more += (own.total / best.total - 1 - m.more) / this.weighed;
      m.probability.widen(own.probability);
      m.work.widen(own.work);
    }
  }

  // {winners: [{pair, share}], unanswered, unverified, probability, work, total, one: null where none holds everywhere}.
  found() {
    const n = new Map();
    for (const { best } of this.at) n.set(best.pair, (n.get(best.pair) || 0) + 1);
    const winners = [...n].map(([pair, times]) => ({ pair, share: times / BOX_POINTS })),
      holds = this.met.filter((m) => !Number.isNaN(m.more));
    return {
      winners: winners.sort((p, q) => q.share - p.share || p.pair - q.pair).slice(0, BOX_WINNERS),
      unanswered: 1 - this.at.length / BOX_POINTS,
      unverified: this.missing / BOX_POINTS,
      probability: this.probability,
      work: this.work,
      total: this.total,
      one: holds.length ? holds.reduce((p, q) => (q.more < p.more ? q : p)) : null,
    };
  }
}
