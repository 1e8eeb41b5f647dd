"""Numbers for winner maps: the group `map` that `saltus map` writes. Nothing drawn."""

import functools
import re
from dataclasses import dataclass, field

import h5py
import numpy as np
import xarray as xr

from cost_data import nearest
from cube import NotOurs, axis_points, axis_sizes, grid_part, open_cube, open_group

KINDS = {"error": "by_error", "points": "by_points"}  # question -> prefix of its datasets
FIGURES = ("value", "margin", "reason")
ERRORS = {
    "max_error": "largest error",
    "integral_absolute_error": "integral of the absolute error",
    "end_error": "error at the end",
    "multiplier_error": "error of the leading multiplier",
    "period_error": "error of the period",
}
OF_ORBITS = ("multiplier_error", "period_error")
PRESETS = {  # errors asked for without others
    "max_error": (1e-2, 1e-4, 1e-6),
    "integral_absolute_error": (1e-1, 1e-3, 1e-5),
    "end_error": (1e-2, 1e-4, 1e-6),
    "multiplier_error": (1e-4, 1e-6, 1e-8),
    "period_error": (1e-4, 1e-6, 1e-8),
}
NONE = ""  # for a name, where nothing wins
NO_CONFIG = (NONE, "no configuration gets there")  # kinds of cells without a winner
NO_REFERENCE = (NONE, "not known: reference too coarse, or runs stopped")
CAPTURED = (NONE, "not known: captured, the reference has no end")
GAPS = (NO_CONFIG, NO_REFERENCE, CAPTURED)
GROUPS = 8  # of cells that make no grid, along a quantity
TIE = 0.05  # below this margin another solver or strategy does as well


@dataclass(frozen=True)
class Question:
    """A query to each cell: least work for a largest error, or most points at a tolerance."""

    kind: str  # "error" or "points"
    asked: float  # the error, or the tolerance
    weights: str = ""  # "sd=2,dt=0,iae=1" for points
    metric: str = "max_error"  # of an error: which one
    unit: str = field(default="1", compare=False)  # of an error

    @property
    def slug(self):
        words = self.weights.replace("=", "").replace(",", "-")
        return f"error-{self.asked:g}" if self.kind == "error" else f"points-{words}-{self.asked:g}"

    @property
    def error(self):
        """Which error, with its article."""
        name = ERRORS.get(self.metric, self.metric)
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"

    def text(self, number="{:g}".format):
        if self.kind == "error":
            return f"least work for {self.error} of {number(self.asked)}{'' if self.unit == '1' else f' {self.unit}'}"
        return f"most points at rtol {number(self.asked)}, weights {self.weights}"


@dataclass
class Answers:
    """The winner of each cell; all arrays [cell]."""

    pair: np.ndarray  # its number in `pairs`
    pairs: list  # [(solver, strategy)], each once; the first stands for none
    rtol: np.ndarray
    value: np.ndarray  # its work, or its points
    margin: np.ndarray  # how much more work the runner-up takes, or points it has, as a share; NaN: alone
    unknown: np.ndarray  # the winner is unknown, for want of a good reference or since runs were stopped
    captured: np.ndarray  # of these: the reference has no end, where time stepping has
    confidence: np.ndarray = None  # probability that the winner takes less work than the runner-up; None: not known

    @functools.cached_property
    def solver(self):
        """Its name, NONE where there is none."""
        return np.array([solver for solver, _ in self.pairs])[self.pair]

    @functools.cached_property
    def strategy(self):
        return np.array([strategy for _, strategy in self.pairs])[self.pair]

    @property
    def won(self):
        return self.pair != 0

    @property
    def tied(self):
        return self.won & (self.margin < TIE)

    @property
    def missed(self):
        """The reference is good enough, and still no configuration gets there."""
        return ~self.won & ~self.unknown

    @property
    def kinds(self):
        """Results of cells: [(solver, strategy)] and GAPS; `winner` is an index into them."""
        return [NO_CONFIG, *self.pairs[1:], *GAPS[1:]]

    @property
    def gap(self):
        """0 where something wins, else 1 and more: numbers of GAPS, and of raster_image."""
        return np.select([self.won, self.captured, self.unknown], [0, 3, 2], 1)

    @property
    def winner(self):
        return np.where(self.gap > 1, len(self.pairs) + self.gap - 2, self.pair)

    def winners(self, cells=slice(None)):
        """[(solver, strategy)], one of GAPS in place of what is not there."""
        kinds = self.kinds
        return [kinds[number] for number in self.winner[cells]]


@dataclass(frozen=True)
class Axis:
    """One axis of the sweep."""

    name: str
    values: np.ndarray
    label: str  # for a picture: symbol, unit, meaning
    symbol: str
    what: str  # in words
    column: object = None  # of a raster: the page_data.Column whose box the values divide


@dataclass
class MappedCube:
    """A cube and its map."""

    path: str
    cube: xr.Dataset
    map: xr.Dataset

    @property
    def n_cell(self):
        return self.cube.sizes["cell"]

    @property
    def metric(self):
        """The error that the map is by."""
        return str(self.map.attrs.get("error_metric", "max_error"))

    @property
    def unit(self):
        """Unit of that error."""
        if self.metric == "max_error":
            return str(self.cube.attrs.get("watched_unit", "1"))
        return str(self.map["error"].attrs.get("units", "1")) if "error" in self.map else "1"

    def questions(self, kind):
        if f"{KINDS[kind]}_value" not in self.map:
            return []
        if kind == "error":
            return [Question("error", float(e), metric=self.metric, unit=self.unit) for e in self.map["error"].values]
        names = self.map["weights"].values
        return [
            Question("points", float(t), str(w)) for w in names for t in self.map["rtol"].values
        ]


def open_mapped(path, only=None, lazy=False):
    """The cube with its map, or NotOurs in one line; only, lazy: see open_group of cube.py.

    Scattered cells are left out: they crowd where winners change, and would count there twice.
    """
    cube = open_cube(path, "outcome", only=only, lazy=lazy)
    with h5py.File(path, "r") as file:
        if "map" not in file:
            raise NotOurs(f"{path}: the cube has no map; make it with `saltus map {path}`")
    found = open_group(path, "map", lazy=lazy)
    if found.sizes.get("cell") != cube.sizes["cell"]:
        cells = found.sizes.get("cell", 0)
        raise NotOurs(f"{path}: the map has {cells} cells, the cube {cube.sizes['cell']}")
    cube = grid_part(cube)
    mapped = MappedCube(path, cube, found.isel(cell=slice(cube.sizes["cell"])))
    if not mapped.questions("error") and not mapped.questions("points"):
        raise NotOurs(f"{path}: the map answers no question; make it anew with `saltus map {path}`")
    for kind, prefix in KINDS.items():
        for name in (*FIGURES, "best") if mapped.questions(kind) else ():
            if f"{prefix}_{name}" not in found:
                raise NotOurs(f"{path}: the map has no dataset {prefix}_{name}")
    return mapped


def _asked(path, what, there, wanted, hint=""):
    """The place of the value of `there` that is meant by `wanted`."""
    match = np.flatnonzero(np.isclose(there, wanted, rtol=1e-9, atol=0))
    if not match.size:
        have = ", ".join(f"{x:g}" for x in there)
        raise NotOurs(f"{path}: the map was not asked for {what} {wanted:g}; there are {have}{hint}")
    return int(match[0])


def listed(found, what):
    """[(solver, strategy)] of the list `configuration` or `pair` of a map, whose first entry is none."""
    names = (found[f"{what}_{name}"].values.astype(str) for name in ("solver", "strategy"))
    return [(NONE, NONE), *list(zip(*names))[1:]]


def numbered(names):
    """(number of each in the list, list of each name once), the first is none."""
    once = list(dict.fromkeys(names))
    return np.array([once.index(name) for name in names], dtype=np.int32), once


def best(found, prefix, at):
    """(number of the pair, pairs, rtol) of the winners."""
    number = found[f"{prefix}_best"].isel(at).values.astype(np.int32)
    pair, pairs = numbered(listed(found, "config"))
    return pair[number], pairs, found["config_rtol"].values[number]


def _place(mapped, question):
    """Where the answers to a question stand: {dimension: index}."""
    path, there = mapped.path, mapped.map
    if not mapped.questions(question.kind):
        raise NotOurs(f"{path}: the map has no answers by {question.kind}")
    if question.kind == "error":
        hint = f" (saltus map {path} --error {question.asked:g})"
        return {"error": _asked(path, "error", there["error"].values, question.asked, hint)}
    names = [str(w) for w in there["weights"].values]
    if question.weights not in names:
        have = "; ".join(names)
        raise NotOurs(f"{path}: the map has no weights {question.weights}; there are {have}")
    rtol = _asked(path, "tolerance", there["rtol"].values, question.asked)
    return {"weights": names.index(question.weights), "rtol": rtol}


def _unknown(reason, won):
    """(cells in which it is not known what wins, for want of a good reference or since runs were stopped; those which are captured)."""
    words = str(reason.attrs["flag_meanings"]).split()
    has = lambda *why: ~won & np.isin(reason.values, [words.index(word) for word in why if word in words])  # noqa: E731
    return has("no_reference", "over_cutoff", "captured"), has("captured")


def _advice(mapped, question, at):
    """Answers of the surrogate in each cell: by the least expected total work, with its margin over the runner-up."""
    of = {name: mapped.map[f"answer_{name}"].isel(at) for name in ("pair", "rtol", "total", "margin", "reason")}
    pair = of["pair"].values.astype(np.int32)
    rtol, total, margin = (of[name].values.astype(float) for name in ("rtol", "total", "margin"))
    unknown, captured = _unknown(of["reason"], pair != 0)
    confidence = mapped.map["answer_confidence"].isel(at).values.astype(float) if "answer_confidence" in mapped.map else None
    return Answers(pair, listed(mapped.map, "pair"), rtol, total, margin, unknown, captured, confidence)


def answers(mapped, question):
    """The answer of each cell to one question: the surrogate's, or what won there, by points and in maps without a surrogate."""
    prefix, at = KINDS[question.kind], _place(mapped, question)
    if question.kind == "error" and "answer_pair" in mapped.map:
        return _advice(mapped, question, at)
    of = {name: mapped.map[f"{prefix}_{name}"].isel(at) for name in FIGURES}
    pair, names, rtol = best(mapped.map, prefix, at)
    value, margin = (of[name].values.astype(float) for name in ("value", "margin"))
    if question.kind == "points":  # a margin in points
        with np.errstate(invalid="ignore", divide="ignore"):
            margin = margin / (value - margin)
    return Answers(pair, names, rtol, value, margin, *_unknown(of["reason"], pair != 0))


def symbol(name):
    """m1 and initial_y2 as they stand in an equation; other names as they are."""
    if not re.fullmatch(r"\w+", name):
        return name.replace("$", r"\$")
    start = name.startswith("initial_")
    name = name.removeprefix("initial_")
    head = name.rstrip("0123456789").rstrip("_")
    tail = name[len(head) :].lstrip("_")
    head, tail = (part.replace("_", r"\_") for part in (head, tail))
    head = head if len(head) == 1 else rf"\mathrm{{{head}}}"
    return f"${head}{f'_{{{tail}}}' if tail else ''}{'(0)' if start else ''}$"


def meaning(variable):
    """Meaning of a quantity: the first words of its long name."""
    return str(variable.attrs.get("long_name", "")).split(",")[0]


def label(variable, name):
    """Symbol, unit and meaning of a quantity."""
    what = meaning(variable)
    said = f" [{variable.attrs.get('units', '1')}]" + (f", {what}" if what else "")
    return symbol(name) + said.replace("$", r"\$")


def grid_axes(cube):
    """The axes of one quantity each, in the order of the sweep; [] for a scattered cube.

    An axis of several quantities (rows, random, sobol) makes the cube scattered: its points have an
    order, but no place.
    """
    names = str(cube.attrs.get("axes", "cell")).split()
    sizes = axis_sizes(cube)
    if names == ["cell"] or len(sizes) != len(names) or np.prod(sizes) != cube.sizes["cell"]:
        return []
    if any(name not in cube.variables for name in names):
        return []
    made = []
    for name in names:
        values = axis_points(cube, name, names, sizes)
        made.append(
            Axis(
                name,
                values.values.astype(float),
                label(values, name),
                symbol(name),
                meaning(values),
            )
        )
    return made


def quantities(cube):
    """Names of the numbers that differ from cell to cell: what a scatter can have as its axes."""
    found = []
    for name, variable in cube.variables.items():
        if variable.dims == ("cell",) and variable.attrs.get("kind") == "coordinate":
            values = variable.values
            if name != "cell_number" and values.dtype.kind in "fi" and (values != values[0]).any():
                found.append(str(name))
    return found


def panels(axes, x, y, across=None, down=None, at=None):
    """Cell numbers of small multiples: [down][across][y][x], with length 1 where no axis is given.

    at: {axis name: index} for the axes that are not drawn.
    """
    names = [axis.name for axis in axes]
    cells = np.arange(np.prod([axis.values.size for axis in axes]))
    cells = cells.reshape([axis.values.size for axis in axes])
    drawn = [name for name in (down, across, y, x) if name is not None]
    for i in reversed(range(len(axes))):
        if names[i] not in drawn:
            cells = np.take(cells, (at or {})[names[i]], axis=i)
    left = [name for name in names if name in drawn]
    cells = cells.transpose([left.index(name) for name in drawn])
    for place, name in enumerate((down, across, y, x)):
        if name is None:
            cells = np.expand_dims(cells, place)
    return cells


def shares(found, cells=None):
    """{(solver, strategy): share of the cells it wins}, the largest first."""
    kinds, winner = found.kinds, found.winner if cells is None else found.winner[cells]
    number, first, n = np.unique(winner, return_index=True, return_counts=True)
    order = np.lexsort((first, -n))
    return {kinds[number[i]]: float(n[i]) / winner.size for i in order}


def along(found, axes, name):
    """Winners along one axis: the shares for each of its values."""
    sizes = [axis.values.size for axis in axes]
    place = [axis.name for axis in axes].index(name)
    cells = np.moveaxis(np.arange(np.prod(sizes)).reshape(sizes), place, 0)
    return [shares(found, some.ravel()) for some in cells]


def steps_of_axes(found, axes):
    """[(label, values, shares of the winners at each)] of the axes that vary."""
    varied = [axis for axis in axes if axis.values.size > 1] or axes[:1]
    return [(axis.label, axis.values, along(found, axes, axis.name)) for axis in varied]


def steps_of_cells(mapped, found):
    """The same of cells that make no grid: a step is an eighth of them, by each quantity that differs."""
    made = []
    for name in quantities(mapped.cube):
        values = mapped.cube[name].values.astype(float)
        groups = np.array_split(np.argsort(values, kind="stable"), min(GROUPS, values.size))
        made.append((f"{label(mapped.cube[name], name)}", [np.median(values[g]) for g in groups], [shares(found, g) for g in groups]))
    return made


def layout(mapped, axes, **wanted):
    """{x, y, across, down, at} of a map: what was asked for, then the axes in their order.

    wanted: x, y, across, down (names or None) and fixed, {name: value}, for axes that are not
    drawn; an axis that is neither stands at the middle of its values.
    """
    names = [axis.name for axis in axes]
    fixed = wanted.get("fixed") or {}
    asked = [wanted.get(role) for role in ("x", "y", "across", "down")]
    for name in [*(n for n in asked if n), *fixed]:
        if name not in names:
            raise NotOurs(f"{mapped.path}: no axis {name}; there are {', '.join(names)}")
    used = [name for name in (*asked, *fixed) if name]
    for name in used:
        if used.count(name) > 1:
            raise NotOurs(f"{mapped.path}: axis {name} is asked for twice")
    left = [name for name in names if name not in used]
    order = (
        ("y", "across", "x", "down") if len(left) > 2 else ("y", "x") if len(left) == 2 else ("x",)
    )
    place = {role: wanted.get(role) for role in ("x", "y", "across", "down")}
    for role in (*order, "x", "y", "across", "down"):
        if left and place[role] is None:
            place[role] = left.pop(0)
    at = {}
    for axis in axes:
        if axis.name in fixed:
            value = nearest(axis.values, fixed[axis.name])
            at[axis.name] = int(np.flatnonzero(axis.values == value)[0])
        elif axis.name in left:
            at[axis.name] = axis.values.size // 2
    return place | {"at": at}
