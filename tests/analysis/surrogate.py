"""The surrogate of a map in NumPy: which pair and tolerance to try first for an error at a point, for least expected
total work, and how likely it reaches it. The same as src/answers/surrogate.h, whose numbers it takes from the map.
"""

import math
from dataclasses import dataclass

import numpy as np

from map_data import NONE, PRESETS, Answers
from page_data import Between, orders_of, samples_of

STEPS = 4  # tolerances a decade that are tried between those of the sweep
TRIES = 40  # on the frontier of a schedule
SURE = 0.998  # no forecast is surer
NOBODY = 0.5  # a configuration that misses more often is not recommended
LEAST_VARIANCE = 1e-8  # of ln(error) around its plane
PRIOR = 0.5  # cells' worth of the mean variance of all configurations at a place
LEAST_SCATTER, SUREST = 1e-4, 0.9999  # of the difference of two works, and the largest confidence
RIDGE = 1e-3  # of the slopes, as a share of the sum of weights
LEAST = 1e-16  # an error below counts as this
WIDE = 0.1  # a larger variance of ln(work) makes its mean clearly more than the geometric one
HALF_DONE = 2  # what a stopped run takes over what it did, where nothing is known of it


def neighbours_wanted(d):
    return max(48, 4 * (d + 1))


def schedule(t):
    """[(level, share, tolerance)] of the candidates, t: tolerances of the sweep, loosest first."""
    found = []
    for j in range(len(t) - 1):
        n = max(1, round(STEPS * math.log10(t[j] / t[j + 1])))
        found += [(j, round(i / n, 12), t[j] * (t[j + 1] / t[j]) ** (i / n)) for i in range(n)]
    return [*found, (len(t) - 1, 0.0, t[-1])]


def frontier(work, hit):
    """(work, probability) of the candidates that no other beats in both, in order of work."""
    order = np.lexsort((-hit, work))
    work, hit = work[order], hit[order]
    surer = hit > np.concatenate([[-1.0], np.maximum.accumulate(hit)[:-1]]) + 1e-12
    work, hit = work[surer], hit[surer]
    if work.size > TRIES:
        kept = np.arange(TRIES) * (work.size - 1) // (TRIES - 1)
        work, hit = work[kept], hit[kept]
    return work, hit


def plan_totals(work, hit, fallback):
    """Expected total work of the best schedule that begins with each candidate, whose misses are followed by surer ones."""
    known = ~np.isnan(work)
    attempts, chance = frontier(work[known], hit[known])
    after = np.empty(attempts.size)
    for i in reversed(range(attempts.size)):
        miss = 1 - SURE * chance[i]
        after[i] = min([miss * fallback, *(miss * attempts[i + 1:] + after[i + 1:])])
    surer = chance > hit[..., None] + 1e-12
    miss = 1 - SURE * hit
    follows = np.where(surer, miss[..., None] * attempts + after, np.inf)
    return work + np.minimum(miss * fallback, follows.min(axis=-1, initial=np.inf))


def rows_of_plane(x, w):
    """(X'WX + ridge)^-1 X'W; the first row gives the value at the point."""
    normal = x.T @ (w[:, None] * x) + RIDGE * w.sum() * np.diag([0.0] + [1.0] * (x.shape[1] - 1))
    return np.linalg.solve(normal, x.T * w)


@dataclass
class Planes:
    """Fits of all configurations at a point: ln(error), ln(work), the scatter of the former and the share of the weight in which
    a configuration counts [pair][level]."""

    weight: np.ndarray  # [cell]
    cells: np.ndarray
    x: np.ndarray  # [cell][1 + coordinate]
    mu: np.ndarray
    work: np.ndarray  # of runs that count
    expected: np.ndarray  # the logarithm of the mean work of all
    scatter: np.ndarray
    share: np.ndarray


def between_steps(between, steps, tolerances):
    """(shift, spread) [pair][step] of errors from the line between two levels, 0 at a level, spread NaN where it is not known."""
    level, share, _ = (np.array(of) for of in zip(*steps))
    if not between.parts:
        return np.zeros(share.size), np.where(share == 0, 0, np.nan)
    gap, widths = np.minimum(level, len(tolerances) - 2), -np.diff(np.log10(tolerances))
    part, amid = gap * between.parts // widths.size, 4 * share * (1 - share)
    scale = (widths[gap] * amid) ** between.power[:, None]
    return tuple(np.where(share == 0, 0, scale * of[:, part]) for of in (between.shift, between.spread))


@dataclass
class Fit:
    """Estimates from all cells at once: L of the metric, d^2 = |L'dz|^2; the shape of errors around their planes, shares
    up to so many scatters; by how much scatter is widened for each error; errors between two levels."""

    metric: np.ndarray
    at: np.ndarray
    below: np.ndarray
    widths: np.ndarray
    errors: tuple
    between: Between

    def width(self, ln_asked):
        return np.interp(-ln_asked, -np.log(self.errors), self.widths)

    def up_to(self, z):
        known = np.where(np.isnan(z), 0, z)
        return np.where(np.isnan(z), np.nan, np.interp(known, self.at, self.below, left=0))

    def reached(self, above, scatter, spread):
        """The probability that an error is at most `above` over the middle of its distribution."""
        if not self.between.parts:
            return self.up_to(above / scatter) + 0 * spread
        off = np.where(spread > 0, spread, 0)[..., None] * self.between.at
        return np.where(spread > 0, self.up_to((above[..., None] - off) / scatter[..., None]).mean(axis=-1), self.up_to(above / scatter))


class Surrogate:
    """error, work [cell][pair][level], levels loosest first. Where a configuration does not count its error is NaN, and its work
    what it takes, or NaN where that is not known."""

    def __init__(self, places, sample, error, work, tolerances, fit, reference=None):
        self.places, self.sample, self.fit = places, np.asarray(sample), fit
        self.ln_error, self.ln_work = np.log(np.maximum(error, LEAST)), np.log(work)
        self.reference = np.zeros(len(self.sample)) if reference is None else np.asarray(reference)
        self.tolerances = [float(t) for t in tolerances]
        self.steps = schedule(self.tolerances)
        self.shift, self.spread = between_steps(fit.between, self.steps, self.tolerances)

    def near(self, z, sample):
        """The nearest cells of a sample, their rows of X and their weights."""
        cells = np.flatnonzero(self.sample == sample)
        away = (self.places[cells] - z) @ self.fit.metric
        distance = np.sqrt((away**2).sum(1))
        last = np.sort(distance)[min(neighbours_wanted(len(z)), cells.size) - 1] * (1 + 5e-10)
        beyond, kept = distance[distance > last], distance <= last
        reach = beyond.min() if beyond.size else (1.25 * last or 1.0)
        x = np.column_stack([np.ones(kept.sum()), away[kept] / reach])
        return cells[kept], x, (1 - (distance[kept] / reach) ** 3) ** 3

    def planes(self, z, sample):
        """Planes through the nearest cells; those that have the same cells missing are made at once."""
        cells, x, w = self.near(np.asarray(z), sample)
        shape = self.ln_error.shape[1:]
        y, labour = (of[cells].reshape(cells.size, -1) for of in (self.ln_error, self.ln_work))
        there = ~np.isnan(y)
        mu, work, variance, count, share, expected = (np.full(y.shape[1], np.nan) for _ in range(6))
        for pattern, which in self._patterns(there):
            own = w[pattern]
            if own.sum() < 0.5 * w.sum() or pattern.sum() < x.shape[1] + 1:
                continue
            some = np.ix_(pattern, which)
            rows = rows_of_plane(x[pattern], own)
            beta = rows @ y[some]
            mu[which], work[which] = beta[0], rows[0] @ labour[some]
            variance[which] = np.maximum(own @ (y[some] - x[pattern] @ beta) ** 2 / own.sum(), LEAST_VARIANCE)
            count[which], share[which] = own.sum() ** 2 / (own**2).sum(), own.sum() / w.sum()
            expected[which] = [self._expected(x, w, pattern, rows, labour[:, k]) for k in which]
        common = np.exp(np.nanmean(np.log(variance))) if there.any() and not np.isnan(variance).all() else np.nan
        scatter = np.sqrt((count * variance + PRIOR * common) / (count + PRIOR))
        return Planes(w, cells, x, *(of.reshape(shape) for of in (mu, work, expected, scatter, share)))

    @staticmethod
    def _expected(x, w, pattern, rows, labour):
        """The logarithm of the mean work of a configuration: of runs that count with that of exp(residual) where they are wide; what is
        known of the others counts by their share."""
        own, there, known = w[pattern], labour[pattern], ~pattern & ~np.isnan(labour)
        beta = rows @ there
        mean, off = beta[0], there - beta[0]
        if own @ off**2 / own.sum() - (own @ off / own.sum()) ** 2 > WIDE:
            mean += math.log(own @ np.exp(there - x[pattern] @ beta) / own.sum())
        if not known.any():
            return mean
        share = own.sum() / w.sum()
        return math.log(share * math.exp(mean) + (1 - share) * (w[known] @ np.exp(labour[known])) / w[known].sum())

    @staticmethod
    def _patterns(there):
        """(which cells are there, numbers of the configurations of which they are)."""
        kinds, number = np.unique(there.T, axis=0, return_inverse=True)
        return [(kind, np.flatnonzero(number.reshape(-1) == i)) for i, kind in enumerate(kinds)]

    def at_steps(self, planes, ln_asked):
        """(work, probability, ln(error)) [pair][step], NaN without a fit, and where nothing is known between two levels."""
        level, share, _ = (np.array(of) for of in zip(*self.steps))
        after = np.minimum(level + 1, len(self.tolerances) - 1)
        with np.errstate(invalid="ignore"):
            mu, work, scatter, counts = (
                np.where(share == 0, of[:, level], (1 - share) * of[:, level] + share * of[:, after])
                for of in (planes.mu, planes.expected, np.log(planes.scatter), planes.share))
            mu, width = mu + np.where(np.isnan(self.spread), np.nan, self.shift), self.fit.width(ln_asked)
            hit = counts * self.fit.reached(ln_asked - mu, width * np.exp(scatter), width * self.spread)
            return np.where(np.isnan(mu), np.nan, np.exp(work)), hit, mu

    def totals(self, planes, ln_asked):
        """For every pair and candidate [pair][step]: expected total work, probability, work, error."""
        work, hit, mu = self.at_steps(planes, ln_asked)
        fallback = math.exp(np.nanmax(planes.work)) if not np.isnan(planes.work).all() else np.nan
        return plan_totals(work, hit, fallback), hit, work, np.exp(mu)

    def cost(self, planes, ln_asked, pair, step):
        """Cost of an error by a pair, in the cells around: ln(work), and how far ln(error) is above it times the cost of a smaller one."""
        level, share, _ = self.steps[step]
        last = len(self.tolerances) - 1
        near, loose = level + (share > 0.5), min(level, last - 1) if last else 0
        trade, tight = 0.0, min(loose + 1, last)
        gained, paid = planes.mu[pair, loose] - planes.mu[pair, tight], planes.work[pair, tight] - planes.work[pair, loose]
        if gained > 0 and paid > 0:
            trade = min(paid / gained, 1)
        return self.ln_work[planes.cells, pair, near] + trade * (self.ln_error[planes.cells, pair, near] - ln_asked)

    def confidence(self, planes, ln_asked, first, second):
        """The probability that the first (pair, step) takes less work for the asked error than the second; src/answers/surrogate_view.h."""
        differs = self.cost(planes, ln_asked, *first) - self.cost(planes, ln_asked, *second)
        there = ~np.isnan(differs)
        x, w, y = planes.x[there], planes.weight[there], differs[there]
        if w.sum() < 0.5 * planes.weight.sum() or y.size < x.shape[1] + 1:
            return np.nan
        beta = rows_of_plane(x, w) @ y
        off = y - x @ beta
        count, terms = w.sum() ** 2 / (w**2).sum(), x.shape[1]
        if count - terms <= 1:
            return np.nan
        scatter = max(math.sqrt(w @ off**2 / w.sum() * (count + terms) / (count - terms)), LEAST_SCATTER)
        t = -beta[0] / scatter
        u = 1 + t * t / 4
        return max(min(0.5 + 0.375 * t / math.sqrt(u) * (1 - t * t / (12 * u)), SUREST), 1 - SUREST)  # Student's law, 4 degrees of freedom

    def ask(self, z, sample, asked):
        """{pair, rtol, probability, error, work, total, margin, confidence} of the least total, or the reason why there is none."""
        planes = self.planes(z, sample)
        total, hit, work, error = self.totals(planes, math.log(asked))
        total = np.where(np.isnan(work) | (hit < NOBODY), np.inf, total)
        if not np.isfinite(total).any():
            bad, captured = (planes.weight[of].sum() / planes.weight.sum() for known in [self.reference[planes.cells]] for of in (~(known <= asked), np.isnan(known)))
            return "captured" if captured > 0.5 else "no_reference" if bad >= 0.5 else "no_config"
        least = total.min(axis=1)
        pair, step = np.unravel_index(total.argmin(), total.shape)
        others = np.where(np.arange(least.size) == pair, np.inf, least)
        second = others.argmin()
        alone = not np.isfinite(others[second])
        margin = np.nan if alone else others[second] / least[pair] - 1
        confidence = np.nan if alone else self.confidence(planes, math.log(asked), (pair, step), (second, total[second].argmin()))
        own = {name: float(of[pair, step]) for name, of in (("probability", hit), ("error", error), ("work", work), ("total", total))}
        return {"pair": int(pair), "rtol": self.steps[step][2], "margin": float(margin), "confidence": float(confidence), **own}


def full_work(runs, cell, pair, level, order):
    """Full work of a stopped run, by those of looser tolerances that ended; src/answers/performance_table.h."""
    ended = np.flatnonzero(~np.isnan(runs.error[cell, pair, :level]))
    if not ended.size:
        return HALF_DONE * runs.done[cell, pair, level]
    tolerance, work = runs.tolerances, runs.done[cell, pair]
    near, power = ended[-1], 1 / (order[1] + 1)
    if ended.size > 1:
        power = math.log(work[near] / work[ended[-2]]) / math.log(tolerance[ended[-2]] / tolerance[near])
    power = min(max(power, 0), 1 / (order[0] + 1))
    return max(work[level], work[near] * (tolerance[near] / tolerance[level]) ** power)


def works_of_all(runs):
    """Works [cell][pair][level] with those of runs that failed, and what stopped ones would have taken."""
    works, orders = runs.done.copy(), orders_of(runs.pairs)
    for cell, pair, level in np.argwhere(runs.stopped):
        works[cell, pair, level] = full_work(runs, cell, pair, level, orders[pair])
    return works


def open_surrogate(runs, of_map):
    """The surrogate of a cube from its runs (page_data.open_runs) and its map."""
    places = np.stack([c.places for c in runs.columns], axis=1)
    of_surrogate = [np.atleast_1d(of_map.attrs[f"surrogate_{name}"]) for name in ("metric", "shape_at", "shape_below", "width")]
    metric = np.zeros((len(runs.columns),) * 2)
    metric[np.tril_indices(len(runs.columns))] = of_surrogate.pop(0)
    fit = Fit(metric, *of_surrogate, PRESETS[of_map.attrs.get("error_metric", "max_error")], runs.between)
    return Surrogate(places, samples_of(runs)[1], runs.error, works_of_all(runs), runs.tolerances, fit, runs.reference_error)


def answers_at(surrogate, runs, points, sample, asked):
    """Answers at these points [point][column], 0 .. 1, in the form of a map."""
    found = [surrogate.ask(z, sample, asked) for z in points]
    won = [f if isinstance(f, dict) else None for f in found]
    column = lambda name: np.array([f[name] if f else np.nan for f in won])  # noqa: E731
    pair = np.array([1 + f["pair"] if f else 0 for f in won])
    pairs = [(NONE, NONE), *((solver, strategy) for strategy, solver in runs.pairs)]
    captured = np.array([f == "captured" for f in found])
    unknown = captured | np.array([f == "no_reference" for f in found])
    return Answers(pair, pairs, column("rtol"), column("total"), column("margin"), unknown, captured, column("confidence"))
