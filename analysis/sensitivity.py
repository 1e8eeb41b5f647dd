#!/usr/bin/python3
"""Prints and draws which axes of a sweep decide the work, the winner and the tolerance it wins at."""

from dataclasses import dataclass, field

import numpy as np
import xarray as xr

import written
from command_line import Parser, run
from cube import NotOurs, along_axes, axis_sizes
from map_data import Question, answers, open_mapped

EXPLANATION = """\
Shares of the variance over the cells: of the logarithm of the least work that reaches an error (by
points: of the most points), of the solver and strategy that win, and of the tolerance they win at.

  alone   variance of the mean at each point of the axis over the variance of all: eta squared, the
          first-order index of Sobol
  with    1 minus what the other axes explain together: the total index, that is what the axis does
          alone and by working together with others

A sweep has all combinations of its axes' points, so both are exact for its cells, no estimates. The
variance of words is 1 - sum p^2 of their shares p (Gini); the share explained is the tau of Goodman and
Kruskal. Cells without a winner do not count: then the rest is not a full grid, and the shares alone may add
up to more than 100 %. An axis of rows, random or Sobol points has a line for each of its quantities: a
correlation ratio from bins of about equal number, less what chance explains (Kelley's epsilon squared).
Where chance alone would explain much, no share is given: too few cells. `with` of a quantity is Jansen's
estimate, half the mean square of the change where another cell's value of it is taken, by parabolas through
the nearest points; none is given where these err by more than a tenth of the variance. Points that are cells of
their own have no line: they would explain all.

The answers are those of the map: `saltus map CUBE.h5 --error E` computes others.

examples:
  analysis/sensitivity.py cube.h5 -o pictures --error 1e-4
  analysis/sensitivity.py cube.h5 -o pictures --rtol 1e-6 --weights sd=2,dt=0,iae=1
"""

FIGURES = {"cost": "log of least work", "pair": "solver and strategy", "rtol": "rtol"}
BINS = (2, 32)  # least and most, of a quantity among several of an axis
CHANCE = 0.15  # above it a share means nothing
CHANGES, TURNS = 1000, 4  # points at most, changes of each, of a figure and quantity
MOST = 8192  # points that polynomials are through
TIMES = 2  # points for each coefficient of a polynomial
UNRESOLVED = 0.1  # share of the variance that polynomials err by, above which there are too few points
FEW, SAME = "too few cells", "the same everywhere"


@dataclass
class Effect:
    """Shares of an axis, or of one quantity of an axis that varies several."""

    name: str
    alone: float  # NaN: the figure is the same everywhere
    total: float  # NaN: not known
    chance: float  # what a figure that has nothing to do with the axis may show
    inner: bool = False  # one quantity of several

    @property
    def few(self):
        return not self.chance <= CHANCE


def squares(y, over):
    """Sum of squares about the means over these dimensions."""
    return float(((y - y.mean(over)) ** 2).sum()) if over else 0.0


def as_words(y):
    """Numbers that stand for words as one figure for each word, made one after another: is it this one?"""
    for word in np.unique(y.values[~np.isnan(y.values)]):
        yield (y == word).where(y.notnull())


def bins_of(values):
    """Which of the bins of about equal number each value is in; equal values are together."""
    n = int(np.clip(np.ceil(np.cbrt(2 * values.size)), *BINS))
    order = np.argsort(values, kind="stable")
    rises = np.concatenate([[0], 1 + np.flatnonzero(np.diff(values[order]) > 0)])  # ranks where a bin may begin
    first = np.unique(rises * n // values.size, return_index=True)[1]
    begins = np.zeros(values.size, dtype=int)
    begins[rises[first]] = 1
    bins = np.empty(values.size, dtype=np.int8)
    bins[order] = np.cumsum(begins) - 1
    return bins


def epsilon_squares(y, axis, bins):
    """Sum of squares between the bins of an axis' points by one quantity, less what chance explains,
    and the share that chance reaches without any effect, two standard deviations."""
    others = [d for d in y.dims if d != axis]
    weight = y.notnull().sum(others).values
    there = weight > 0
    m, w, own_bin = y.mean(others).values[there], weight[there].astype(float), bins[there]
    in_bin = np.bincount(own_bin, w)
    n_bin, free = int((in_bin > 0).sum()), int(w.size) - int((in_bin > 0).sum())
    if free < 1:
        return np.nan, np.inf
    own = np.bincount(own_bin, w * m) / np.where(in_bin > 0, in_bin, 1)
    inside = float((w * (m - own[own_bin]) ** 2).sum())
    outside = float((in_bin * (own - np.average(m, weights=w)) ** 2).sum())
    chance = 2 * np.sqrt(2 * (n_bin - 1)) / free if n_bin > 1 else np.inf
    return outside - (n_bin - 1) * inside / free, chance


@dataclass
class Quantity:
    """One of several that vary along an axis: the bins of its points, and its place in order, from 0 to 1."""

    bins: np.ndarray
    place: np.ndarray

    @classmethod
    def of(cls, values):
        order = np.unique(values, return_inverse=True)[1]
        return cls(bins_of(values), order / max(1, order.max()))


def by_parabolas(y, x, at, own=None):
    """Values at points `at` [m, p] by quadratic polynomials through the nearest points x [n, p] of y [n], without the point own [m]."""
    p, made = x.shape[1], []
    pairs = [(a, b) for a in range(p) for b in range(a, p)]
    k = TIMES * (1 + p + len(pairs))
    for some in np.array_split(np.arange(len(at)), int(np.ceil(len(at) * len(y) / 2**20))):
        square = sum((at[some, None, c] - x[None, :, c]) ** 2 for c in range(p))
        if own is not None:
            square[np.arange(some.size), own[some]] = np.inf
        near = np.argpartition(square, k - 1, axis=1)[:, :k]
        z = x[near] - at[some, None]
        z /= np.maximum(np.abs(z).max(axis=(1, 2), keepdims=True), 1e-300)
        terms = [np.ones((some.size, k)), *np.moveaxis(z, 2, 0), *(z[..., a] * z[..., b] for a, b in pairs)]
        made.append((np.linalg.pinv(np.stack(terms, axis=2)) @ y[near][..., None])[:, 0, 0])
    return np.concatenate(made)


def total_squares(y, axis, quantities):
    """{quantity: sum of squares that it makes, alone and with others}, by Jansen: half the mean square of what the figure changes by
    where another point's value of the quantity is taken; NaN where the polynomials err by much at the points themselves."""
    rows = y.transpose(axis, ...).values.reshape(y.sizes[axis], -1).T
    place, found = np.column_stack([q.place for q in quantities.values()]), dict.fromkeys(quantities, 0.0)
    p = place.shape[1]
    for row in rows:
        there = np.flatnonzero(~np.isnan(row))
        there = there[:: there.size // MOST + 1]
        values, x, n, random = row[there], place[there], there.size, np.random.default_rng(1)
        if n == 0 or np.ptp(values) == 0:
            continue
        at = np.unique(np.linspace(0, n - 1, min(n, CHANGES)).astype(int))
        ordered, x_rank = np.sort(x, axis=0), np.argsort(np.argsort(x, axis=0, kind="stable"), axis=0, kind="stable")
        error = ((by_parabolas(values, x, x[at], at) - values[at]) ** 2).mean() if n > TIMES * (p + 1) * (p + 2) // 2 else np.inf
        if not error <= UNRESOLVED * values.var():
            return dict.fromkeys(quantities, np.nan)
        for c, name in enumerate(quantities):
            moved = np.tile(x[at], (TURNS, 1))  # by a share of the range in each of as many parts of it
            share = (np.repeat(np.arange(TURNS), at.size) + random.random(len(moved))) / TURNS
            moved[:, c] = ordered[((x_rank[at, c][None, :] + (share.reshape(TURNS, -1) * n).astype(int)) % n).ravel(), c]
            found[name] += np.count_nonzero(~np.isnan(row)) * ((by_parabolas(values, x, moved) - np.tile(values[at], TURNS)) ** 2).mean() / 2
    return found


@dataclass
class Sums:
    """Sums of squares of an axis, over all figures."""

    within: float = 0.0  # about the means at its points
    without: float = 0.0  # about the means over it
    between: dict = field(default_factory=dict)  # {quantity: between its bins, less chance}
    chance: dict = field(default_factory=dict)
    total: dict = field(default_factory=dict)  # {quantity: what it does, alone and with others}
    points: int = 0  # with a figure

    def add(self, y, axis, axes):
        others = [d for d in axes if d != axis]
        self.within += squares(y, others)
        self.without += squares(y, [axis])
        self.points = int(y.notnull().any(others).sum())
        left = total_squares(y, axis, axes[axis]) if axes[axis] else {}
        for name, quantity in axes[axis].items():
            square, self.chance[name] = epsilon_squares(y, axis, quantity.bins)
            self.between[name] = self.between.get(name, 0.0) + square
            self.total[name] = self.total.get(name, 0.0) + left[name]


def effects(figures, axes, every=None):
    """Effects of figures over a grid, NaN: none; axes {name: {quantity: Quantity}}, no quantities for an axis of one.

    `every` is the variance of all, 0 where nothing varies.
    """
    sums, squares_of_all, n = {axis: Sums() for axis in axes}, 0.0, 0
    for y in figures:
        n, squares_of_all = int(y.notnull().sum()), squares_of_all + squares(y, list(axes))
        for axis, of in sums.items():
            of.add(y, axis, axes)
    every = squares_of_all if every is None else every
    share, found = lambda square: square / every if every else np.nan, []  # noqa: E731
    for axis, of in sums.items():
        if not axes[axis] or of.points < n:  # points that are cells of their own explain all and say nothing
            chance = (of.points - 1) / (n - 1) if n > 1 else np.inf
            found.append(Effect(axis, np.maximum(share(every - of.within), 0.0), share(of.without), chance))
        for name, square in of.between.items():
            found.append(Effect(name, np.maximum(share(square), 0.0), np.clip(share(of.total[name]), 0.0, 1.0), of.chance[name], inner=True))
    return found


@dataclass
class Grid:
    """Places of the cells: dimensions, sizes, and {dimension: {name: Quantity}} of the axes that have more than one point."""

    dims: tuple
    sizes: tuple
    axes: dict

    def over(self, values):
        return xr.DataArray(values.reshape(self.sizes), dims=self.dims)


def bins_on(cube, axis, names, dims, sizes):
    """{name: Quantity} of what varies along an axis of the grid."""
    made = {}
    for name in names:
        of = along_axes(cube[name].variable, dims, sizes)
        if of.dims == (axis,) and np.ptp(of.values.astype(float)) > 0:
            made[str(name)] = Quantity.of(of.values.astype(float))
    return made


def grid_of(mapped):
    """The grid of a cube; of cells that make none, one dimension."""
    cube = mapped.cube
    dims = tuple(str(cube.attrs.get("axes", "cell")).split())
    sizes = axis_sizes(cube) if dims != ("cell",) else (cube.sizes["cell"],)
    quantities = [n for n in cube.variables if cube[n].dims == ("cell",) and cube[n].attrs.get("kind") == "coordinate" and n != "cell_number"]
    joint = lambda axis: axis == "cell" or axis not in cube.variables  # the points have numbers only  # noqa: E731
    axes = {axis: bins_on(cube, axis, quantities if joint(axis) else [], dims, sizes) for axis, size in zip(dims, sizes) if size > 1}
    if not axes:
        raise NotOurs(f"{mapped.path}: nothing varies in it")
    return Grid(dims, sizes, axes)


def cached_grid():
    """grid_of for one cube, made once."""
    made = []
    return lambda mapped: made[0] if made else made.append(grid_of(mapped)) or made[0]


def sensitivities(mapped, question, grid=grid_of):
    """{figure: effects} of a question, and in how many cells it is answered; grid: as grid_of, which takes a while."""
    found, made = answers(mapped, question), {}
    grid = grid(mapped)
    with np.errstate(invalid="ignore", divide="ignore"):
        cost = np.log(found.value) if question.kind == "error" else found.value
    for name, values in {"cost": cost, "pair": found.pair, "rtol": found.rtol}.items() if found.won.any() else ():
        y = grid.over(np.where(found.won, values, np.nan))
        same = float(y.min()) == float(y.max())
        made[name] = effects([y] if name == "cost" else as_words(y), grid.axes, 0.0 if same else None)
    return made, int(found.won.sum())


# ---- as text ----


def title_of(mapped, question, won):
    end = f", over [0, {float(mapped.cube.attrs['t_end']):g}]" if "t_end" in mapped.cube.attrs else ""
    return f"{question.text()}{end}; {won} of {mapped.n_cell} cells"


def heads(question):
    by_points = {"cost": "most points"} if question.kind == "points" else {}
    return FIGURES | by_points


def share(x):
    return f"{'-':>9} " if np.isnan(x) else f"{100 * x:7.1f} %"


def together(made):
    """Has any axis a total index?"""
    return any(not np.isnan(e.total) for column in made.values() for e in column)


def pair_of(effect, both):
    if effect.few and not np.isnan(effect.alone):
        return f"{FEW:>{18 if both else 13}}"
    return f"{share(effect.alone)}{share(effect.total)}" if both else f"{share(effect.alone):>13}"


def label_of(effect):
    name = "points" if effect.name == "cell" else effect.name
    return f"  {name}" if effect.inner else name


def table(made, question):
    """Lines: a row for each axis and quantity, `alone` and, where there is any, `with` for each figure."""
    both = together(made)
    lines = [" " * 20 + "".join(f"{head:>{22 if both else 21}}" for head in heads(question).values())]
    pad = "    " if both else " " * 8
    lines.append(f"    {'axis':<16}" + (f"    {'alone':>8} {'with':>8} " if both else f"{pad}{'alone':>12} ") * len(made))
    for row in zip(*made.values()):
        cells = "".join(f"{pad}{pair_of(effect, both)}" for effect in row)
        lines.append(f"    {label_of(row[0]):<16}{cells}")
    whole = [[e for e in column if not e.inner] for column in made.values()]
    if whole[0]:
        alone = [np.nan if any(e.few for e in column) else sum(e.alone for e in column) for column in whole]
        lines.append(f"    {'all alone':<16}" + "".join(f"    {share(x)}{'':9}" for x in alone))
    return [line.rstrip() for line in lines]


# ---- as a picture ----


def draw_figure(axes, column, head, style):
    """Two bars for each axis, or words where there is nothing to show."""
    for i, effect in enumerate(column):
        if effect.few or np.isnan(effect.alone):
            said = SAME if np.isnan(effect.alone) else FEW
            axes.text(2, i, said, va="center", color=style.GROUND, fontstyle="italic")
            continue
        axes.barh(i - 0.2, 100 * effect.alone, 0.36, color=style.ALONE)
        if not np.isnan(effect.total):
            axes.barh(i + 0.2, 100 * effect.total, 0.36, color=style.TOTAL)
    axes.set_title(head)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the variance [%]")
    axes.set_yticks(range(len(column)), [label_of(e).strip() for e in column])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_ylim(len(column) - 0.5, -0.5)


def draw(made, question, title, path, style):
    plt = style.plt
    size = (style.WIDTH, 1.3 + 0.42 * len(made["cost"]))
    figure, grid = plt.subplots(1, len(made), figsize=size, sharey=True)
    for axes, (name, column) in zip(grid, made.items()):
        draw_figure(axes, column, heads(question)[name], style)
    looks = [("alone", style.ALONE), ("with all it does together with others", style.TOTAL)]
    looks = looks if together(made) else looks[:1]
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour, label=text) for text, colour in looks]
    style.legend_below(figure, handles, 2)
    figure.suptitle(title)
    style.save(figure, path)


# ---- the command ----


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="result of `saltus run`, with a map")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for the pictures; FILE.pdf, FILE.svg: FILE-NAME of that kind")
    add("--error", type=float, metavar="E", help="least work for this largest error (all of the map)")
    add("--rtol", type=float, metavar="R", help="most points at this rtol")
    add("--weights", metavar="W", default="sd=2,dt=0,iae=1", help="of points (sd=2,dt=0,iae=1)")
    args = parser.parse_args()
    if args.error is not None and args.rtol is not None:
        parser.error("--error and --rtol are two different questions: give one")
    return args


def questions_of(args, mapped):
    if args.rtol is not None:
        return [Question("points", args.rtol, args.weights)]
    if args.error is not None:
        return [Question("error", args.error, metric=mapped.metric, unit=mapped.unit)]
    return mapped.questions("error") or mapped.questions("points")


def work(args):
    mapped = open_mapped(args.cube)
    grid = cached_grid()
    found = [(q, *sensitivities(mapped, q, grid)) for q in questions_of(args, mapped)]
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    print(f"shares of the variance over the cells, {mapped.n_cell} cells")
    paths = []
    for question, made, won in found:
        print(f"\n{title_of(mapped, question, won)}")
        if made:
            print("\n".join(table(made, question)))
            paths.append(written.place(args.folder, f"sensitivity-{question.slug}"))
            title = f"Which axes decide: {question.text(style.power_of_ten)}"
            draw(made, question, title, paths[-1], style)
    print("\n" + "\n".join(paths))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
