"""Data of a cube from which a page answers: axes, error and work of all configurations in all cells.

The same numbers as the performance table of src/answers: an error is the one measured plus the
estimated error of the cell's reference; what failed, was stopped or left out has none, and the work of what
was begun is kept beside.
"""

import base64
import gzip
import json
import math
import re
import subprocess
from dataclasses import dataclass, field

import numpy as np
import xarray as xr
import yaml

import page_cost
from cost_data import TERMS
from cube import CONFIG, CYCLES, NotOurs, finished, picked, program, with_outcome, with_plain_attributes
from map_data import OF_ORBITS, meaning

OF_CELLS = ("captured_difference", "reference_error", "reference_error_watched", "reference_outcome", "orbit_residual", "orbit_verdict")
OF_RUNS = ("outcome", *TERMS.values(), "steps", "failed_steps", "multiplier_rhs_evaluations")  # and the error
RUNS = 360_000  # of cells and configurations that a page holds, at about six bytes each
STOPPED = ("over_cutoff", "too_inaccurate", "skipped_over_cutoff")  # at the cutoff of their cell: all of it would have been more work
NEVER_RUN = ("incompatible", "skipped_by_pilots", "skipped_over_cutoff")
LARGE = 2 << 20  # of numbers that are packed ten times as fast, into 3 % more [B]
KINDS = ("linear", "log", "list", "rows", "random", "sobol")


@dataclass
class Column:
    """A quantity that varies from cell to cell: a coordinate of the surrogate, or words."""

    name: str
    values: np.ndarray  # [cell]
    what: str = ""
    unit: str = "1"
    log: bool = False
    lo: float = 0.0  # ends, of the value itself
    hi: float = 1.0
    whole: bool = False
    words: list = field(default_factory=list)  # of an option: values are their numbers

    def measured(self, value):
        return math.log(value) if self.log else value

    def placed(self, values):
        """0 .. 1 between the ends, in the measure of the axis; math.log is that of the program."""
        values, lo, hi = np.asarray(values, dtype=float), self.measured(self.lo), self.measured(self.hi)
        measured = np.fromiter(map(math.log, values.tolist()), float, values.size) if self.log else values
        return (measured - lo) / (hi - lo)

    def at(self, place):
        """The value at a place."""
        return self.lo * (self.hi / self.lo) ** place if self.log else self.lo + place * (self.hi - self.lo)

    @property
    def middle(self):
        """Half way, with three digits."""
        return float(round(self.at(0.5))) if self.whole else float(f"{self.at(0.5):.3g}")

    @property
    def places(self):
        return self.placed(self.values)


@dataclass
class Between:
    """How far errors lie from the line between two tolerances, as src/answers/between_levels.h has it."""

    parts: int  # of the gaps; 0: not known
    power: np.ndarray  # [pair]
    shift: np.ndarray  # [pair][part]
    spread: np.ndarray  # NaN: not known
    at: np.ndarray  # quantiles, ascending


@dataclass
class Runs:
    """All that is embedded."""

    columns: list  # coordinates, in the order of the surrogate
    options: list  # columns of words
    fixed: list  # [(name, meaning, value as text)] of what varies nowhere
    error: np.ndarray  # [cell][pair][tolerance]
    work: np.ndarray
    reference_error: np.ndarray  # [cell]
    pairs: list  # [(strategy, solver)]
    tolerances: np.ndarray  # loosest first
    n_cell: int  # of the cube, of which those here are kept
    tried: np.ndarray = None  # steps of the runs [cell][pair][tolerance]; None: not known
    evaluations: np.ndarray = None  # work without linear algebra, of all that were begun
    done: np.ndarray = None  # work as far as it was done, also of runs that do not count [cell][pair][tolerance]; NaN: not begun
    stopped: np.ndarray = None  # which of them were stopped, and would have done more
    between: Between = None
    n_state: int = 0

    @property
    def n_kept(self):
        return len(self.reference_error)

    @property
    def needed(self):
        return 3 * (len(self.columns) + 1)

    @property
    def enough(self):
        """Has each sample as many cells as a plane needs?"""
        words = np.stack([c.values for c in self.options] or [np.zeros(self.n_kept)], axis=1)
        return np.unique(words, axis=0, return_counts=True)[1].min() >= self.needed


def open_runs(path, of_map):
    """Runs of a cube; of_map: its group `map`, which defines errors and work."""
    try:
        with xr.open_dataset(path, engine="h5netcdf", decode_times=False, cache=False) as file:
            return _read(path, with_plain_attributes(file), of_map)
    except (OSError, KeyError) as why:
        raise NotOurs(f"{path}: cannot be read ({why})") from None


def _read(path, cube, of_map):
    axes = sweep_axes(path, cube)
    n_config = math.prod(cube.sizes[d] for d in CONFIG)
    kept = chosen_cells(cube.sizes["cell"], axes, max(1, RUNS // n_config))
    needed = (*OF_CELLS, *OF_RUNS, str(of_map.attrs.get("error_metric", "max_error")))
    part = xr.Dataset({name: picked(cube[name], kept) for name in needed if name in cube}, attrs=cube.attrs)
    columns, options, fixed = [], [], []
    for column, discrete in all_columns(cube, axes):
        if column.values.min() == column.values.max():
            fixed.append((column.name, column.what, _one(column)))
            continue
        column.values = column.values[kept]
        (options if discrete else columns).append(column)
    truth = reference_error(part, of_map)
    error, work, done, stopped = measured(path, part, of_map, truth)
    order = np.argsort(-cube["rtol"].values, kind="stable")
    shape = lambda a: a.transpose("cell", "strategy", "solver", "rtol").values[..., order].reshape(len(kept), -1, order.size)  # noqa: E731
    pairs = [(str(_text(s)), str(_text(m))) for s in cube["strategy"].values for m in cube["solver"].values]
    error, work = shape(error), shape(work)
    there = np.isfinite(error).any(axis=(0, 2))  # pairs that were never run have no answer
    runs = Runs(columns, options, fixed, error[:, there], work[:, there], truth.values,
                [p for p, t in zip(pairs, there) if t], cube["rtol"].values[order], cube.sizes["cell"],
                done=shape(done)[:, there], stopped=shape(stopped)[:, there], between=between_levels(of_map, there))
    steps = page_cost.tried(part)
    if steps is not None and str(of_map.attrs.get("error_metric", "max_error")) not in OF_ORBITS:
        runs.tried, runs.evaluations = shape(steps)[:, there], runs.done - shape(page_cost.algebra(part, of_map))[:, there]
        runs.n_state = sum(str(name).startswith("initial_") for name in cube.variables)
    return runs


def between_levels(of_map, there):
    """The map's figures of errors between tolerances, for the pairs that are there."""
    number = lambda name: np.atleast_1d(np.asarray(of_map.attrs[f"surrogate_between_{name}"], dtype=float))  # noqa: E731
    parts = int(of_map.attrs.get("surrogate_between_parts", 0))
    if parts == 0:
        return Between(0, *(np.empty(0) for _ in range(4)))
    shift, spread = (number(name).reshape(there.size, parts)[there] for name in ("shift", "spread"))
    return Between(parts, number("power")[there], shift, spread, number("at"))


def orders_of(pairs):
    """[lowest, highest order] of the solver of each pair, as the program lists it; None: it does not list the solver."""
    saltus, known = program(), {}
    if saltus:
        try:
            listed = subprocess.run([saltus, "list", "solvers", "--json"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
            known = {m["name"]: [m["least_order"], m["order"]] for m in json.loads(listed.stdout)["solvers"]}
        except (OSError, subprocess.CalledProcessError, ValueError, LookupError) as why:
            raise NotOurs(f"{saltus}: list solvers: {why}") from None
    return [known.get(solver) for _, solver in pairs]


def samples_of(runs):
    """(distinct rows of words [sample][option], which each cell is)."""
    words = np.stack([c.values for c in runs.options] or [np.zeros(runs.n_kept)], axis=1).astype(int)
    rows, which = np.unique(words, axis=0, return_inverse=True)
    return rows, which.reshape(-1)


def _text(word):
    return word.decode() if isinstance(word, bytes) else word


def _one(column):
    value = column.values[0]
    return column.words[int(value)] if column.words else f"{value:.6g}"


def sweep_axes(path, cube):
    """The axes as the sweep file in the cube has them: mappings."""
    try:
        cells = (yaml.safe_load(_text(cube.attrs.get("sweep", ""))) or {}).get("cells") or {}
    except (yaml.YAMLError, AttributeError):
        raise NotOurs(f"{path}: the sweep file in it cannot be read") from None
    if "axes" in cells:
        return list(cells["axes"])
    return [{"columns": cells["columns"], "rows": cells["rows"]}] if "columns" in cells else []


def all_columns(cube, axes):
    """[(Column, is it discrete?)] of the axes, in their order."""
    for axis in axes:
        kind = next((k for k in reversed(KINDS) if k in axis), "list")  # `log` beside random gives its scale
        names = [axis["name"]] if "name" in axis else list(axis["columns"])
        for i, name in enumerate(names):
            if name not in cube.variables and f"initial_{name}" in cube.variables:
                name = f"initial_{name}"
            yield describe(cube[name].load(), str(name), axis, kind, i, names[i])


def describe(variable, name, axis, kind, i, own):
    values = variable.values.astype(float)
    made = Column(name, values, re.sub(r" \(\d+\)", "", meaning(variable)), str(variable.attrs.get("units", "1")),
                  whole=variable.dtype.kind in "iu")
    if "flag_meanings" in variable.attrs:
        made.words = _text(variable.attrs["flag_meanings"]).split()
    made.lo, made.hi = ends(axis, kind, i, values)
    made.log = by_log(axis, kind, own, made)
    return made, bool(made.words) or name.startswith("initial_") and made.whole


def ends(axis, kind, i, values):
    """Ends of the axis where it has them, else of its values."""
    if kind in ("linear", "log"):
        return tuple(float(v) for v in axis[kind])
    if kind in ("random", "sobol"):
        return tuple(float(v) for v in axis[kind][i])
    return float(values.min()), float(values.max())


def by_log(axis, kind, name, column):
    """Is it measured by its logarithm?  As sal_axis_column_by_log has it."""
    if kind in ("random", "sobol"):
        log = axis.get("log", False)
        return name in log if isinstance(log, list) else bool(log)
    if kind == "rows":
        return column.lo > 0 and column.hi >= 10 * column.lo
    return kind != "linear" and column.lo > 0


def chosen_cells(n, axes, most):
    """Cell numbers, ascending: all, or those nearest to points that fill the box evenly.

    The points are the additive sequence of the generalised golden ratio (M. Roberts, The unreasonable
    effectiveness of quasirandom sequences, 2018).  For one random or Sobol axis the first ones are kept.
    """
    if n <= most:
        return np.arange(n)
    sizes = [_points(axis) for axis in axes]
    if len(sizes) < 2 and any(kind in axis for axis in axes for kind in ("random", "sobol")):
        return np.arange(most)
    if math.prod(sizes) > n:
        sizes = [n]
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (len(sizes) + 1))
    steps = ratio ** -np.arange(1.0, len(sizes) + 1)
    points = (0.5 + np.arange(8 * most)[:, None] * steps) % 1
    cells = np.ravel_multi_index(tuple((points * sizes).astype(int).T), sizes)
    first = np.sort(np.unique(cells, return_index=True)[1])[:most]
    return np.sort(cells[first])


def _points(axis):
    return int(axis["points"]) if "points" in axis else len(axis.get("list", axis.get("rows", [0])))


def reference_error(cube, of_map):
    """[cell], infinite where the truth is not known; NaN where that is captured."""
    metric = str(of_map.attrs.get("error_metric", "max_error"))
    if metric in OF_ORBITS:
        least = float((yaml.safe_load(_text(cube.attrs["sweep"])).get("orbit") or {}).get("tolerance", 1e-11))
        words = _text(cube["orbit_verdict"].attrs["flag_meanings"]).split()
        cycles = [number for number, word in enumerate(words) if word in CYCLES]
        known = cube["orbit_verdict"].load().isin(cycles)
        return np.maximum(cube["orbit_residual"].load(), least).where(known, np.inf)
    name = next(n for n in ("reference_error_watched", "reference_error") if n in cube)
    over = float(cube.attrs["t_end"]) if metric == "integral_absolute_error" else 1.0  # a largest error bounds an integral
    unknown = xr.where(np.isnan(cube["captured_difference"].load()), np.inf, np.nan) if "captured_difference" in cube else np.inf
    return (over * cube[name].load()).fillna(np.inf).where(finished(cube["reference_outcome"].load()), unknown)


def measured(path, cube, of_map, truth):
    """Error and work [cell][rtol][strategy][solver], NaN where a configuration does not count; work as far as it was done, NaN where nothing
    is known of it, and which runs were stopped."""
    metric = str(of_map.attrs.get("error_metric", "max_error"))
    if metric in OF_ORBITS:
        error, work = cube[metric].load() + truth, cube["multiplier_rhs_evaluations"].load()
        counts = np.isfinite(error)
        begun, stopped = counts, counts & False
    else:
        terms = str(of_map.attrs["work_terms"]).split()
        work = 0.0
        for term, weight in zip(terms, np.atleast_1d(of_map.attrs["work_weights"])):
            if weight and TERMS.get(term) not in cube:
                raise NotOurs(f"{path}: the cube has no dataset {TERMS.get(term, term)}, which work is made of")
            if weight:
                work = work + float(weight) * cube[TERMS[term]].load()
        error = cube[metric].load() + truth
        outcome = cube["outcome"].load()
        counts = finished(outcome) & np.isfinite(error)
        stopped = with_outcome(outcome, *STOPPED)
        begun = ~with_outcome(outcome, *NEVER_RUN) | stopped
    known = begun & np.isfinite(work) & (work > 0) & np.isfinite(truth)
    counts = counts & known
    return error.where(counts), work.where(counts), work.where(known), stopped & known


def packed(values, kind="<f4"):
    """Numbers as text: by configuration, one byte of all before the next, deflated, base 64.

    float32 holds an error to 6e-8 of itself, and counts of work up to 16.7 million as they are.
    """
    raw = np.ascontiguousarray(values.astype(kind)).view(np.uint8)
    raw = raw.reshape(-1, np.dtype(kind).itemsize).T
    level = 9 if raw.nbytes < LARGE else 6
    return base64.b64encode(gzip.compress(raw.tobytes(), level, mtime=0)).decode()
