"""Evaluates the answers of a map at points where all configurations were run several times.

Arrays are [point][replicate][level][pair]: a level is a tolerance of the points' cube, from the loosest, a
pair a strategy and a method. The replicates of a point are draws from the distribution of each run's
error. All sums run in the order of the points.
"""

import json
from dataclasses import dataclass

import numpy as np
import xarray

from cube import NotOurs, finished, open_cube, with_outcome

RETRY = 0.75  # decades of tolerance from one attempt to the next
THRESHOLDS = np.append(np.arange(0.3, 0.99, 0.02), 0.995)  # of probability, which make the oracle's curve
PAPER = ((10**-4.5, "ode45"), (10**-7.5, "ode113"), (0, "ode45"))  # tolerances down to this one: its method


# Outcomes of runs whose error for all of their work is not known: it would have been more.
UNKNOWN = ("over_cutoff", "skipped_over_cutoff", "skipped_by_pilots")

# Errors of runs, as words of axes and tables.
ERRORS = {"max_error": "largest error", "integral_absolute_error": "integral of the absolute error", "end_error": "error at the end",
          "multiplier_error": "error of the leading multiplier", "period_error": "error of the period"}
OF_ORBITS = ("multiplier_error", "period_error")  # known where there is a cycle, to how closely that was closed


@dataclass
class Question:
    """The first line of `saltus regret`."""

    solvers: list  # that were asked about: others do not count
    strategies: list
    errors: list
    probabilities: list
    error: str  # datasets of a cube
    reference: str
    work: dict
    replicates: int
    f_costs: float = 0.0  # of one evaluation [s], where work is a time
    step_costs: dict = None  # {strategy: {solver: of a tried step [s]}}
    reference_least: float = 0.0  # less than that is not known of any reference


@dataclass
class Runs:
    """Work and error of the runs, NaN where one counts for nothing."""

    work: np.ndarray
    error: np.ndarray
    levels: np.ndarray  # tolerances, from the loosest
    pairs: list  # (strategy, method)
    least: np.ndarray = None  # of a run that was stopped at a cutoff, or not begun: the work that it takes at least; NaN of others
    failed: np.ndarray = None  # the work of a run that failed, or came to its budget; NaN of others


def read_answers(path):
    """The question, and a list of points."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        first, points = lines[0], lines[1:]
        keys = ("solvers", "strategies", "errors", "probabilities", "by", "reference", "work", "replicates")
        question = Question(*(first[key] for key in keys), *(first[key] for key in ("f_costs", "step_costs") if key in first),
                            reference_least=first.get("reference_least", 0.0))
        if not points or any(len(p["cells"]) != question.replicates or len(p["answers"]) != len(question.errors)
                             or any("schedule" not in answer for answer in p["answers"]) for p in points):
            raise ValueError
    except (ValueError, LookupError, TypeError):
        raise NotOurs(f"{path}: not what saltus regret prints") from None
    if question.error not in ERRORS:
        raise NotOurs(f"{path}: answers by {question.error}; judged are those by {', '.join(ERRORS)}")
    return question, points


def step_costs(question, cube):
    """[strategy][solver] what a tried step takes, NaN where that is not known."""
    of = [[question.step_costs[s][m] for m in cube["solver"].values.tolist()] for s in cube["strategy"].values.tolist()]
    return xarray.DataArray(np.array(of, dtype=float), dims=("strategy", "solver"))


def read_runs(path, question):
    """The runs of all cells, [cell][1][level][pair]."""
    tried = ("steps", "failed_steps") if question.step_costs else ()
    known_by = "orbit_verdict" if question.error in OF_ORBITS else "reference_outcome"
    cube = open_cube(path, "outcome", question.error, *question.work, *tried)
    for name in (question.reference, known_by):
        if name not in cube:
            raise NotOurs(f"{path}: the cube has no dataset {name}")
    order = np.argsort(-cube["rtol"].values, kind="stable")
    dims = ("cell", "rtol", "strategy", "solver")
    if question.error in OF_ORBITS:
        counts = with_outcome(cube["orbit_verdict"], "cycle", "cycle_beside")
    else:
        counts = finished(cube["outcome"]) & finished(cube["reference_outcome"])
    work = sum(weight * cube[name] for name, weight in question.work.items())
    if question.step_costs:
        work = question.f_costs * work + step_costs(question, cube) * (cube["steps"] + cube["failed_steps"])
    spent = work.where(with_outcome(cube["outcome"], "over_cutoff"), 0).where(with_outcome(cube["outcome"], *UNKNOWN))
    failed = work.where(~finished(cube["outcome"]) & ~with_outcome(cube["outcome"], *UNKNOWN, "too_inaccurate", "incompatible") & (question.error not in OF_ORBITS))
    work = work.where(counts)
    # a largest error of the reference, as long as the run, bounds what an integral may be off by
    over = float(cube.attrs["t_end"]) if question.error == "integral_absolute_error" else 1.0
    error = (cube[question.error] + over * np.maximum(cube[question.reference], question.reference_least)).where(counts)
    known = (np.isfinite(error) & np.isfinite(work)).transpose(*dims).values
    pairs = [(s, m) for s in cube["strategy"].values.tolist() for m in cube["solver"].values.tolist()]
    wanted = [(s, m) for s in question.strategies for m in question.solvers]
    if not set(wanted) <= set(pairs):
        raise NotOurs(f"{path}: has not all solvers and strategies that were asked about; another cube?")
    chosen = [pairs.index(pair) for pair in wanted]

    def rows(values, where):
        table = np.where(where, values.transpose(*dims).values, np.nan)[:, order]
        return table.reshape(len(table), 1, len(order), -1)[..., chosen]

    least = rows(spent, True)  # what comes to the cutoff at one tolerance takes more at tighter ones, which are not begun then
    with np.errstate(invalid="ignore"):
        least = np.where(np.isnan(least), np.nan, np.maximum.accumulate(np.nan_to_num(least), axis=2))
    return Runs(rows(work, known), rows(error, known), cube["rtol"].values[order], wanted, least, rows(failed, True))


def gather(runs, points, path):
    """The runs of the points, replicates side by side."""
    cells = np.array([p["cells"] for p in points])
    if cells.max() >= len(runs.work):
        raise NotOurs(f"{path}: has {len(runs.work)} cells, and answers were printed for more; another cube?")
    work, error, least, failed = (of[cells][:, :, 0] for of in (runs.work, runs.error, runs.least, runs.failed))
    return Runs(work, error, runs.levels, runs.pairs, least, failed)


@dataclass
class Costs:
    """Cost of a requested error; [point][replicate] .., NaN where no run reaches it."""

    best: np.ndarray  # work of the virtual best
    most_work: np.ndarray  # of the most expensive run that reaches it
    hit: np.ndarray  # [..][level][pair]
    paid: np.ndarray  # [..][level][pair], of a run that was stopped or not begun as much as the most expensive that ended
    next: list  # the level of the next attempt; -1: none


def costs_of(runs, asked):
    with np.errstate(invalid="ignore"):
        hit = runs.error <= asked
    able = np.where(hit, runs.work, np.nan)
    reached = hit.any(axis=(2, 3))
    able[~reached] = 0  # no empty slices
    best, most_work = (np.where(reached, f(able, axis=(2, 3)), np.nan) for f in (np.nanmin, np.nanmax))
    ended = np.isfinite(runs.work)
    most = np.where(ended, runs.work, 0).max(axis=(2, 3))
    paid = np.where(ended, runs.work, most[:, :, None, None])
    if runs.failed is not None:
        paid = np.where(np.isfinite(runs.failed), runs.failed, paid)
    places = np.log10(runs.levels)
    following = []
    for i, target in enumerate(places - RETRY):
        nearest = int(np.abs(places - target).argmin())
        following.append(-1 if target < places[-1] - 1e-9 else max(nearest, i + 1))
    return Costs(best, most_work, hit, paid, following)


def costs_at_least(runs, costs):
    """The same where a run that was stopped reaches the error with what it had done: less it cannot take. As misses, which
    costs_of counts them as, they cost more than they may."""
    stopped = np.isfinite(runs.least)
    paid = np.where(stopped, np.fmax(runs.least, costs.best[:, :, None, None]), costs.paid)
    return Costs(costs.best, costs.most_work, costs.hit | stopped, paid, costs.next)


def totals(costs, hit, paid):
    """Work until the error is reached, of hit and paid [point][replicate][level] ..: after a miss the next
    tolerance, and after the last one the most expensive run that reaches it."""
    out = np.empty_like(paid)
    most_work = costs.most_work.reshape(costs.most_work.shape + (1,) * (paid.ndim - 3))
    for i in reversed(range(paid.shape[2])):
        rest = most_work if costs.next[i] < 0 else out[:, :, costs.next[i]]
        out[:, :, i] = paid[:, :, i] + np.where(hit[:, :, i], 0, rest)
    return out


@dataclass
class Choices:
    """Cost of a policy at each point, summed over its replicates where some run reaches the error."""

    name: str
    count: np.ndarray
    hit: np.ndarray
    predicted: np.ndarray  # NaN: nothing is predicted
    work: np.ndarray  # over the mean of the virtual best's at the point
    total: np.ndarray  # over the virtual best's of the draw
    probability: np.ndarray = None  # [point] as predicted, NaN without an answer
    where: str = ""


def sum_up(name, costs, hit, work, total, predicted=np.nan, **more):
    """hit, work, total [point][replicate], shares where two levels share a choice."""
    counts = np.isfinite(costs.best)
    scale = np.where(counts.any(axis=1), np.nanmean(np.where(counts.any(axis=1)[:, None], costs.best, 1), axis=1), 1)

    def over(values):
        return np.where(counts, values, 0).sum(axis=1)

    return Choices(name, counts.sum(axis=1), over(hit), counts.sum(axis=1) * predicted, over(work / scale[:, None]),
                   over(total / costs.best), **more)


def between(levels, tolerance):
    """(level, share of the next one) at which a tolerance is judged."""
    place, places = np.log(tolerance), np.log(levels)
    i = int(np.clip(np.searchsorted(-places, -place, side="right") - 1, 0, max(len(levels) - 2, 0)))
    if len(levels) == 1:
        return 0, 0.0
    return i, float(np.clip((places[i] - place) / (places[i] - places[i + 1]), 0, 1))


def follow(name, runs, costs, answers):
    """The choices of answers, one a point; None: nothing is chosen, and the most expensive run is paid."""
    shape = costs.best.shape
    hit, work, total = (np.zeros(shape) for _ in range(3))
    full = totals(costs, costs.hit, costs.paid)
    predicted = np.full(shape[0], np.nan)
    for p, answer in enumerate(answers):
        if answer is None:
            work[p] = total[p] = costs.most_work[p]
            continue
        pair = runs.pairs.index((answer["strategy"], answer["solver"]))
        level, share = between(runs.levels, answer["rtol"])
        predicted[p] = answer["probability"]
        for k, weight in ((level, 1 - share), (level + 1, share)):
            if weight > 0:
                hit[p] += weight * costs.hit[p, :, k, pair]
                work[p] += weight * costs.paid[p, :, k, pair]
                total[p] += weight * full[p, :, k, pair]
    return sum_up(name, costs, hit, work, total, predicted, probability=predicted)


def follow_schedule(name, runs, costs, schedules):
    """The choices of schedules, one a point: their attempts one after the other until the error is reached, after the last
    the most expensive run that reaches it. hit, work and predicted are those of the first attempt; no attempts: nothing is chosen."""
    shape = costs.best.shape
    hit, work, total = (np.zeros(shape) for _ in range(3))
    predicted = np.full(shape[0], np.nan)
    for p, attempts in enumerate(schedules):
        missed = np.ones(shape[1])  # share of the ways to count tolerances between two levels
        for number, answer in enumerate(attempts):
            pair = runs.pairs.index((answer["strategy"], answer["solver"]))
            level, share = between(runs.levels, answer["rtol"])
            parts = [(k, weight) for k, weight in ((level, 1 - share), (level + 1, share)) if weight > 0]
            reached = sum(weight * costs.hit[p, :, k, pair] for k, weight in parts)
            paid = sum(weight * costs.paid[p, :, k, pair] for k, weight in parts)
            total[p] += missed * paid
            missed = missed * (1 - reached)
            if number == 0:
                hit[p], work[p], predicted[p] = reached, paid, answer["probability"]
        total[p] += missed * np.where(missed > 0, costs.most_work[p], 0)
        if not attempts:
            work[p] = costs.most_work[p]
    return sum_up(name, costs, hit, work, total, predicted, probability=predicted)


def runs_by(runs, methods):
    """The pairs of methods with switch, or with event where a model that makes jumps leaves switch out; None where one has neither."""
    for strategy in ("switch", "event"):
        pairs = [(strategy, m) for m in methods]
        if set(pairs) <= set(runs.pairs) and all(np.isfinite(runs.work[..., runs.pairs.index(p)]).any() for p in set(pairs)):
            return [runs.pairs.index(p) for p in pairs]
    return None


def schedule_of_paper(runs):
    """The pair at each level by section VI of Dallas, Machairas, Papadopoulos; None where it lacks one.

    Their strategy is switch, and the method that with most points of Table 3 at the nearest of their tolerances,
    the duration twice as important as the error.
    """
    return runs_by(runs, [next(m for least, m in PAPER if t > least * (1 - 1e-9)) for t in runs.levels])


def schedules(runs):
    """{baseline: the schedules among which it chooses}, a pair for each level."""
    found = {f"always {m}": [pairs * len(runs.levels)] for m in ("ode45", "ode15s") if (pairs := runs_by(runs, [m])) is not None}
    if schedule_of_paper(runs) is not None:
        found["the paper's advice"] = [schedule_of_paper(runs)]
    return found | {"single best": [[k] * len(runs.levels) for k in range(len(runs.pairs))]}


def along(costs, schedule):
    """hit, paid, total [point][replicate][level] of a schedule."""
    levels = np.arange(len(schedule))
    hit, paid = costs.hit[:, :, levels, schedule], costs.paid[:, :, levels, schedule]
    return hit, paid, totals(costs, hit, paid)


def pick(costs, candidates):
    """(schedule, level) of least mean total work over the virtual best's, on the cells of the map."""
    seen = np.isfinite(costs.best)
    means = [(along(costs, s)[2][seen] / costs.best[seen][:, None]).mean(axis=0) for s in candidates]
    k, level = np.unravel_index(np.argmin(means), np.shape(means))
    return candidates[k], int(level)


def at_points(name, map_runs, choice, runs, costs):
    """Cost of a (schedule, level) of the map at the points."""
    schedule, level = choice
    at = int(np.abs(np.log(runs.levels / map_runs.levels[level])).argmin())
    there = [schedule[0]] * len(runs.levels) if len(set(schedule)) == 1 else schedules(runs)[name][0]
    hit, paid, total = along(costs, there)
    strategy, method = runs.pairs[there[at]]
    return sum_up(name, costs, hit[:, :, at], paid[:, :, at], total[:, :, at], where=f"{strategy}:{method}:{runs.levels[at]:g}")


def baselines(map_runs, map_costs, runs, costs):
    """Cost of one choice for all points, made on the map. Where cutoffs leave open which one is the best there, runs
    that were stopped counting as misses or as what they had done, it is the one that costs less at the points: the answers
    compared with it do not look better because of a cutoff."""
    out = []
    for name, candidates in schedules(map_runs).items():
        choices = [pick(bound, candidates) for bound in (map_costs, costs_at_least(map_runs, map_costs))]
        found = [at_points(name, map_runs, choice, runs, costs) for choice in choices]
        best = min(found, key=lambda c: c.total.sum())
        if found[0].where != found[1].where:
            best.where += f" (or {found[found[0] is best].where}, which the map's cutoffs do not distinguish)"
        out.append(best)
    return out


def distributions(runs, asked, leave):
    """Probability [point][level][pair] that the error is reached, and expected work, of a replicate that is left
    out: by the others' errors at the level and its neighbours, each shifted by the difference of their means."""
    others = [r for r in range(runs.work.shape[1]) if r != leave]
    error = np.log(np.maximum(runs.error[:, others], 1e-300))
    known = np.isfinite(error)
    count = known.sum(axis=1)
    mean = np.where(known, error, 0).sum(axis=1) / np.maximum(count, 1)
    spread = np.sqrt(len(others) / max(len(others) - 1, 1))
    residual = np.where(known, spread * (error - mean[:, None]), np.inf)
    reached = np.zeros(mean.shape)
    weight = np.zeros(mean.shape)
    n = mean.shape[1]
    for shift in (-1, 0, 1):
        to = slice(max(0, -shift), n - max(0, shift))
        of = slice(max(0, shift), n - max(0, -shift))
        reached[:, to] += (mean[:, None, to] + residual[:, :, of] <= np.log(asked)).sum(axis=1)
        weight[:, to] += len(others)
    work = np.where(known, np.log(np.where(known, runs.work[:, others], 1)), 0).sum(axis=1) / np.maximum(count, 1)
    return np.where(count > 0, reached / weight, 0), np.where(count > 0, np.exp(work), np.inf)


def expected_totals(probability, work, following):
    """The surrogate's estimate of the work until the error is reached, [point][level][pair]."""
    most_work = np.where(np.isfinite(work), work, 0).max(axis=(1, 2))[:, None]
    out = work.copy()
    for i in range(work.shape[1]):
        missed, at = 1 - probability[:, i], i
        while following[at] >= 0:
            at = following[at]
            out[:, i] += missed * np.where(np.isfinite(work[:, at]), work[:, at], most_work)
            miss = 1 - probability[:, at]
            missed = 0.5 * np.minimum(missed, miss) + 0.5 * missed * miss
        out[:, i] += missed * most_work
    return out


def take_least(score, costs, full, replicate):
    """hit, paid, total [point] of the run with the least score [point][level][pair]."""
    flat = score.reshape(len(score), -1)
    at = flat.argmin(axis=1)
    row = np.arange(len(score))
    return [v[:, replicate].reshape(len(score), -1)[row, at] for v in (costs.hit, costs.paid, full)]


def oracle(runs, costs, asked):
    """(by least expected total work, [by least work at each of THRESHOLDS]), given how the errors of a point
    are distributed, but not those of the replicate at which it is judged."""
    full = totals(costs, costs.hit, costs.paid)
    out = np.empty((len(THRESHOLDS) + 1, 3) + costs.best.shape)
    for r in range(costs.best.shape[1]):
        probability, work = distributions(runs, asked, r)
        out[0, :, :, r] = take_least(expected_totals(probability, work, costs.next), costs, full, r)
        for k, threshold in enumerate(THRESHOLDS):
            enough = probability >= np.minimum(threshold, probability.max(axis=(1, 2)))[:, None, None]
            out[k + 1, :, :, r] = take_least(np.where(enough, work, np.inf), costs, full, r)
    found = [sum_up("distribution oracle", costs, *part) for part in out]
    return found[0], found[1:]


def median_retry(choices):
    """Median of the points' means: few points where much is paid for misses do not move it."""
    here = choices.count > 0
    return float(np.median(choices.total[here] / choices.count[here])) - 1 if here.any() else np.nan


def figures_of(choices, single, curve, weight):
    """hit, vsO, retry, gap closed of points by weight (0 or 1)."""
    def mean(values, of):
        return (weight * values).sum() / (weight * of.count).sum()

    hit, work = mean(choices.hit, choices), mean(choices.work, choices)
    retry, worst = (mean(c.total, c) - 1 for c in (choices, single))
    predicted = mean(np.where(choices.count > 0, choices.predicted, 0), choices) if choices.probability is not None else np.nan
    versus = np.nan
    if curve:
        hits = np.maximum.accumulate([mean(c.hit, c) for c in curve])
        works = np.maximum.accumulate([mean(c.work, c) for c in curve])
        versus = work / np.interp(hit, hits, works) if hits[0] <= hit <= hits[-1] else np.nan
    return np.array([predicted, hit, versus, retry, 1 - retry / worst if worst else np.nan, hit - predicted])


def with_errors(figures, n):
    """(figures, their standard errors by the jackknife over n points)."""
    whole = figures(np.ones(n))
    parts = np.array([figures(np.arange(n) != i) for i in range(n)])
    return whole, np.sqrt((n - 1) / n * ((parts - parts.mean(axis=0)) ** 2).sum(axis=0))
