// A schedule: which runs to try one after the other until one reaches an error.  The same as src/answers/schedule.h.

const MOST_ATTEMPTS = 40; // on the frontier
const SUREST = 0.998; // no forecast is surer than that
const SAME = 1e-12; // sums of weights differ by rounding where probabilities are the same

const missOf = (probability) => 1 - SUREST * probability;

// The candidates that no other beats in both work and probability, in order of work: {.., work, probability}.
class Schedule {
  constructor() {
    this.at = [];
  }

  // How many attempts take no more work.
  place(work) {
    let lo = 0,
      hi = this.at.length;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (this.at[middle].work <= work) lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }

  add(work, probability, more) {
    let i = this.place(work);
    if (i > 0 && probability <= this.at[i - 1].probability + SAME) return;
    if (i > 0 && this.at[i - 1].work === work) --i;
    let j = i;
    while (j < this.at.length && this.at[j].probability <= probability + SAME) ++j;
    this.at.splice(i, j - i, { work, probability, ...more });
  }

  // After the last candidate: what follows each, and what that takes.
  close(fallback) {
    const n = this.at.length;
    if (n > MOST_ATTEMPTS)
      this.at = Array.from({ length: MOST_ATTEMPTS }, (_, i) => this.at[Math.floor((i * (n - 1)) / (MOST_ATTEMPTS - 1))]);
    this.fallback = fallback;
    for (let i = this.at.length - 1; i >= 0; --i)
      Object.assign(this.at[i], this.follow(i + 1, missOf(this.at[i].probability)));
    return this;
  }

  // {after, next} of a miss, of attempts from `from` on; next -1: the most expensive run.
  follow(from, miss) {
    let after = miss * this.fallback,
      next = -1;
    for (let j = from; j < this.at.length; ++j) {
      const own = miss * this.at[j].work + this.at[j].after;
      if (!(own < after)) continue;
      after = own;
      next = j;
    }
    return { after, next };
  }

  then(probability) {
    let from = 0;
    while (from < this.at.length && this.at[from].probability <= probability + SAME) ++from;
    return this.follow(from, missOf(probability));
  }

  total(work, probability) {
    return work + this.then(probability).after;
  }

  // Attempts that follow an attempt: [{.., needed}], and how likely the most expensive run after them is needed.
  after(probability) {
    const attempts = [];
    let needed = missOf(probability);
    for (let i = this.then(probability).next; i >= 0; i = this.at[i].next) {
      attempts.push({ ...this.at[i], needed });
      needed = missOf(this.at[i].probability);
    }
    return { attempts, needed };
  }
}
