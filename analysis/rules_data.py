"""Quantities of a cube that rules may ask about, and what it costs to follow an answer in its cells. Nothing printed."""

from dataclasses import dataclass, field

import numpy as np

import cost_data
import page_data
from cube import NotOurs, open_cube, scattered_cells

MISS = 2**31 - 1  # a miss as a whole number: sums of up to 4e6 costs are exact in float64
MOST_BINS, MOST_OF_ALL = 32, 256  # of a quantity, of all quantities together
BLOCK = 4096  # cells whose runs are read at once


# ---- quantities and their bins ----


@dataclass
class Quantity:
    """A quantity of the axes with more than one value, and the edges between which it is divided."""

    column: page_data.Column
    edges: np.ndarray  # bin b ends below edges[b]; of words: the number of each bin's word

    @property
    def words(self):
        return bool(self.column.words)

    def bins(self, cells):
        values = self.column.values[cells]
        return np.searchsorted(self.edges, values, side="left" if self.words else "right")

    def test(self, question):
        return self.column.words[int(self.edges[question])] if self.words else float(self.edges[question])

    def head(self):
        c = self.column
        return f"  {c.name:<8} {c.what}" + ("" if c.words else f" [{c.unit}], {c.values.min():g} .. {c.values.max():g}")


def short_between(low, high, by_log, whole):
    """A number x of few digits with low < x <= high, near the middle."""
    middle = np.sqrt(low) * np.sqrt(high) if by_log else low + (high - low) / 2
    if whole:
        return np.ceil(middle)
    return next((x for x in (float(f"{middle:.{digits}g}") for digits in range(3, 18)) if low < x <= high), high)


def quantities_of(path, cube, whole):
    """The quantities that the axes vary; edges lie between values of the axes, at equal shares of them where there are many;
    whole: names of integers."""
    axes, found = page_data.sweep_axes(path, cube), []
    n_grid = cube.sizes["cell"] - scattered_cells(cube)
    every = [(axis, column) for axis in axes for column, _ in page_data.all_columns(cube, [axis])]
    most = min(MOST_BINS, MOST_OF_ALL // max(1, len(every)))
    for axis, column in every:
        column.what = str(cube[column.name].attrs.get("long_name", ""))
        column.name = column.name if column.name in (axis.get("name"), *axis.get("columns", ())) else column.name.removeprefix("initial_")
        values = np.unique(column.values[:n_grid])
        if values.size < 2:
            continue
        if column.words:
            if values.size > MOST_BINS:
                raise NotOurs(f"{path}: {column.name} has {values.size} words; rules distinguish at most {MOST_BINS}")
            found.append(Quantity(column, values))
            continue
        wide = values[0] > 0 and ("columns" not in axis or values[-1] >= 10 * values[0])
        ends = np.arange(1, min(values.size, most)) * values.size // min(values.size, most)
        by_log = wide and "linear" not in axis
        found.append(Quantity(column, np.array([short_between(values[e - 1], values[e], by_log, column.name in whole) for e in ends])))
    if not found:
        raise NotOurs(f"{path}: nothing varies in it: one answer, and no rule")
    return found


# ---- costs ----


@dataclass
class Question:
    """An error, or points at an rtol."""

    error: float = np.nan
    rtol: float = np.nan
    weights: dict = field(default_factory=dict)


@dataclass
class Costs:
    """Costs of choices in the cells where some configuration answers, whole numbers up to MISS, which stands for the cost of a miss."""

    cells: np.ndarray
    choices: np.ndarray  # [choice] numbers of configurations
    cost: np.ndarray  # [cell][choice]
    missing: np.ndarray  # [cell][choice] probability of a miss; None: the costs are measured
    n_winner: int  # configurations that are best in some cell
    miss: float  # a share of work, or points


def costs_of(cells, beyond, answers, winner, miss, missing=None):
    """From the cost beyond the best one, and where there is an answer, [cell][configuration]; winner [cell]."""
    there, able = answers.any(axis=1), answers.any(axis=0)
    pick = np.ix_(there, able)
    with np.errstate(invalid="ignore"):
        whole = np.where(answers[pick], np.minimum(np.rint(beyond[pick] / miss * MISS), MISS - 1), MISS)
    return Costs(cells[there], np.flatnonzero(able), whole, None if missing is None else np.where(answers[pick], missing[pick], 1.0),
                 np.unique(winner[there]).size, miss)


def surrogate_costs(surrogate, points, cells, errors, miss):
    """Costs for each error, from the expected totals."""
    total, probability = surrogate.costs({name: points[name][cells] for name in surrogate.axes}, errors)
    for t, p in zip(total, probability):
        answers = ~np.isnan(t)
        t = np.where(answers, t, np.inf)
        with np.errstate(invalid="ignore"):
            yield costs_of(cells, t / t.min(axis=1, keepdims=True) - 1, answers, t.argmin(axis=1), miss, 1 - p)


def blocks_of_runs(surrogate, cells):
    """(place of the first cell, work, error) of some cells at a time."""
    for first in range(0, cells.size, BLOCK):
        yield first, *surrogate.runs(cells[first:first + BLOCK])


def first_of_ties(*keys):
    """The column of each row that is least by the first key, then by the next ones, then the first."""
    keys, at = list(keys), None
    for key in keys:
        key = key if at is None else np.where(at, key, np.inf)
        at = key == key.min(axis=1, keepdims=True)
    return at.argmax(axis=1)


def measured_costs(surrogate, cells, error, miss):
    """From the work of the runs that reach the error."""
    beyond, answers, winner = (np.empty((cells.size, *of), dtype) for of, dtype in
                               (((len(surrogate.configurations),), float), ((len(surrogate.configurations),), bool), ((), int)))
    for first, work, reached in blocks_of_runs(surrogate, cells):
        some = slice(first, first + len(work))
        with np.errstate(invalid="ignore"):
            answers[some] = (reached <= error) & ~np.isnan(work)
            work = np.where(answers[some], work, np.inf)
            beyond[some] = work / work.min(axis=1, keepdims=True) - 1
        winner[some] = first_of_ties(work, np.where(answers[some], reached, np.inf))
    return costs_of(cells, beyond, answers, winner, miss)


def scaled(values, scope, more=False):
    """1 to 10 points (36) from the worst to the best over all cells, or in each cell; values NaN: do not count."""
    axis = 1 if scope == "per-cell" else None
    low, high = (f(np.where(np.isnan(values), fill, values), axis=axis, keepdims=True) for f, fill in ((np.min, np.inf), (np.max, -np.inf)))
    with np.errstate(invalid="ignore", divide="ignore"):
        points = 1 + 9 * ((values - low) if more else (high - values)) / (high - low)
    return np.where(high > low, points, np.where(np.isnan(values), np.nan, 10.0))


def point_costs(path, surrogate, cells, question, args):
    """From the points of all runs at an rtol, of which those in `cells` count."""
    cube = open_cube(path, "divergence_time", "integral_absolute_error", "solution_duration", only=(
        "outcome", "divergence_time", "integral_absolute_error", "solution_duration"))
    at = int(np.argmin(np.abs(cube["rtol"].values - question.rtol)))
    n_pair = cube.sizes["strategy"] * cube.sizes["solver"]
    if cost_data.without_points(cube)[at]:
        raise NotOurs(f"{path}: points at rtol {question.rtol:g} are not known, since runs were stopped at a cutoff of their work")
    mine = slice(at * n_pair, (at + 1) * n_pair)
    work, error = (np.concatenate(parts) for parts in zip(*((w[:, mine], e[:, mine])
                                                            for _, w, e in blocks_of_runs(surrogate, np.arange(cube.sizes["cell"])))))
    counts = np.isfinite(error) & ~np.isnan(work)
    flat = lambda name: cube[name].transpose("cell", "rtol", "strategy", "solver").values[:, at].reshape(work.shape).astype(float)  # noqa: E731
    duration = flat("solution_duration") if args.duration == "time" else work
    if args.duration == "time" and not np.isfinite(duration).any():
        raise NotOurs(f"{path}: its runs were not timed; allowed: --duration work")
    never = flat("divergence_time")
    figures = {"sd": (duration, False), "dt": (np.where(np.isnan(never), float(cube.attrs["t_end"]), never), True),
               "iae": (flat("integral_absolute_error"), False)}
    scope = args.points or str(cube.attrs.get("points_scope", "global"))
    total = sum(w * scaled(np.where(counts, figures[name][0], np.nan), scope, figures[name][1]) for name, w in question.weights.items() if w)
    every = np.full((2, cells.size, len(surrogate.configurations)), np.nan)
    every[0][:, mine], every[1][:, mine] = total[cells], work[cells]
    answers = ~np.isnan(every[0])
    loss = np.where(answers, -every[0], np.inf)
    with np.errstate(invalid="ignore"):
        beyond = loss - loss.min(axis=1, keepdims=True)
    winner = first_of_ties(loss, np.where(answers, every[1], np.inf))
    return costs_of(cells, beyond, answers, winner, 9 * sum(question.weights.values()))
