#!/usr/bin/python3
"""Draws where a system bounces and how stably, and prints which methods give the multiplier of an orbit at what cost."""

import os
from dataclasses import dataclass

import numpy as np

from command_line import Parser, run
from cube import CONFIG, NotOurs, open_cube, unit_of, unstack
from map_data import label, symbol
from style import WIDTH, legend_below, plt, save as save_figure, solver_colour, strategy_marker, use

EXPLANATION = """\
CUBE.h5 is that of a sweep with `orbit: {find: [cycles]}`, such as sweeps/stability-hopping-leg.yaml.

  stability*.svg   the plane of two axes: what becomes of each cell, with the returns k of its cycle and
                   whether that is stable; and the largest modulus of a multiplier. For a third axis there
                   is a row for each point, where it has more than four a picture for each; of further ones the
                   first point is drawn. Points that are not evenly spaced stand beside each other.
  methods.svg      error of the leading multiplier against evaluations of f, by solver, strategy and
                   tolerance: medians over the cells with a cycle

Printed are the shares of all verdicts, and for each error asked the cheapest tolerance at which a method
and a strategy keep the multiplier within that error in 90 % of the cells. An error is relative where
the multiplier is larger than 1. A strategy that looks for no contacts applies no saltation.

examples:
  analysis/stability.py results/leg.h5 -o pictures
  analysis/stability.py results/leg.h5 -o pictures --axes mu dG --error 1e-4 1e-6 1e-8
"""

NEEDED = ("orbit_verdict", "orbit_multiplier", "orbit_returns", "orbit_seed")
MOST_PLANES = 12
MOST_ROWS = 4  # of planes in one picture
FEW_POINTS = 4  # of an axis: each has a column of its own
SHARE = 0.9  # of the cells must be within the error
STABLE = ("#4477AA", "#66CCEE", "#228833", "#AA9933")  # k = 1, 2, 3, more (Paul Tol's "bright")
UNSTABLE = "#EE6677"
OTHER = {"equilibrium": "#444444", "no_convergence": "#C9D2E4", "no_return": "#E8E0D0", "unbounded": "#CCBBBB",
         "run_ended": "#DDCC77", "run_failed": "#000000", "grazes": "#AA3377", "cycle_beside": "#FFBBCC"}
SPARE = ("#8C7B6B", "#9E9AC8", "#7FA08A", "#B58FA0", "#6E7F94")  # of verdicts that are not known here
NO_MULTIPLIER = "#C4C4C4"


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("cube", metavar="CUBE.h5")
    parser.add_argument("-o", "--output", metavar="DIR", default=".", help="where the pictures go (here)")
    parser.add_argument("--axes", metavar="AXIS", nargs=2, help="across and up; the two with most points")
    parser.add_argument("--error", type=float, nargs="+", default=[1e-4, 1e-6, 1e-8], metavar="E")
    parser.add_argument("--format", default="svg", choices=("svg", "png", "pdf"))
    return parser.parse_args()


def words_of(flags):
    """The values of a flag as words; '' where it is missing."""
    words = str(flags.attrs["flag_meanings"]).split()
    return np.array([*words, ""], dtype=object)[flags.fillna(-1).values.astype(int)]


def kinds_of(cells):
    """Verdict of each cell: 'stable k', 'unstable cycle', or the verdict, such as 'cycle_beside': it goes elsewhere."""
    verdict = words_of(cells["orbit_verdict"])
    k, size = cells["orbit_returns"].values, cells["orbit_multiplier"].values
    kind = verdict.copy()
    for at in zip(*np.nonzero(verdict == "cycle")):
        kind[at] = f"stable {int(k[at])}" if size[at] < 1 else "unstable cycle"
    return kind


def colour_of(kind):
    word, _, k = kind.partition(" ")
    if word == "stable":
        return STABLE[min(int(k), len(STABLE)) - 1]
    return UNSTABLE if word == "unstable" else OTHER.get(word, SPARE[sum(word.encode()) % len(SPARE)])


def shares(kind):
    """[(kind, share)], the most frequent first."""
    names, counts = np.unique(kind.ravel().astype(str), return_counts=True)
    return sorted(zip(names, counts / kind.size), key=lambda pair: -pair[1])


# ---- planes ----


def plane_axes(grid, names, wanted):
    """Across, up, and the others."""
    many = [name for name in names if grid.sizes[name] > 1]
    if not wanted and len(many) < 2:
        raise NotOurs("the sweep has no plane: two axes of more than one point are needed")
    longest = sorted(many, key=lambda name: -grid.sizes[name])[:2]
    across, up = wanted or sorted(longest, key=many.index, reverse=True)
    for name in (across, up):
        if name not in names:
            raise NotOurs(f"no axis {name}; there are {', '.join(names)}")
        if grid[name].dtype.kind not in "if":
            raise NotOurs(f"axis {name} has no numbers along it")
    if across == up:
        raise NotOurs(f"axis {across} cannot be both across and up")
    return across, up, [name for name in names if name not in (across, up)]


def planes_of(grid, across, up, others):
    """(end of the file's name, [(words, plane)]) of each picture: a row for each point of the first axis left, or a picture."""
    first = next((name for name in others if grid.sizes[name] > 1), None)
    grid = grid.isel({name: 0 for name in others if name != first})
    if first is None:
        yield "", [("", grid.transpose(up, across, ...))]
        return
    rows = [(said(grid[first], first, i), grid.isel({first: i}).transpose(up, across, ...)) for i in range(min(grid.sizes[first], MOST_PLANES))]
    if grid.sizes[first] <= MOST_ROWS:
        yield "", rows
    else:
        yield from ((f"-{i + 1}", [row]) for i, row in enumerate(rows))


def said(values, name, i):
    """A point of an axis: symbol, value, unit."""
    unit = unit_of(values)
    return f"{symbol(name)} = {values[i].item():g}" + (f" {unit}" if unit != "1" else "")


def edges(values):
    """(borders of the cells around these values, ticks): by value where they are evenly spaced, else one beside the other."""
    step = np.diff(values)
    if values.size > FEW_POINTS and np.allclose(step, step[0], rtol=1e-6):
        middle = (values[1:] + values[:-1]) / 2
        return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]]), None
    shown = range(0, values.size, -(-values.size // MOST_PLANES))
    return np.arange(values.size + 1) - 0.5, (list(shown), [f"{values[i]:g}" for i in shown])


def put_plane(figure, axes, plane, across, up, known):
    """Draws the verdict of each cell, and the multiplier beside it."""
    kind = kinds_of(plane)
    (x, x_ticks), (y, y_ticks) = (edges(plane[name].values.astype(float)) for name in (across, up))
    number = np.vectorize({name: i for i, name in enumerate(known)}.get)(kind.astype(str))
    colours = plt.matplotlib.colors.ListedColormap([colour_of(name) for name in known])
    axes[0].pcolormesh(x, y, number, cmap=colours, vmin=-0.5, vmax=len(known) - 0.5, rasterized=True)
    shown = axes[1].pcolormesh(x, y, plane["orbit_multiplier"].values, cmap="RdBu_r", vmin=0, vmax=2, rasterized=True)
    figure.colorbar(shown, ax=axes[1], extend="max", label="largest modulus of a multiplier [1]")
    for ax in axes:
        ax.grid(False)
        ax.set_facecolor(NO_MULTIPLIER)
        if x_ticks:
            ax.set_xticks(*x_ticks)
        if y_ticks:
            ax.set_yticks(*y_ticks)


def draw_planes(rows, across, up):
    """rows: [(words, plane)]."""
    kinds = np.concatenate([kinds_of(plane).ravel() for _, plane in rows])
    parts = shares(kinds)
    size = (WIDTH, 1.1 + 2.5 * len(rows))
    figure, grid = plt.subplots(len(rows), 2, figsize=size, sharey=True, sharex=True, squeeze=False)
    for axes, (words, plane) in zip(grid, rows):
        put_plane(figure, axes, plane, across, up, [name for name, _ in parts])
        axes[0].set_ylabel(label(plane[up], up))
        for ax, text in zip(axes, ("verdict", "stable below 1")):
            ax.set_title(f"{words}: {text}" if words else text)
    for ax in grid[-1]:
        ax.set_xlabel(label(plane[across], across))
    handles = [patch(colour_of(n), f"{n.replace('_', ' ')} {s:.1%}") for n, s in parts]
    missing = any(plane["orbit_multiplier"].isnull().any() for _, plane in rows)
    legend_below(figure, handles + ([patch(NO_MULTIPLIER, "no multiplier")] if missing else []), 4)
    return figure


def patch(colour, text):
    return plt.matplotlib.patches.Patch(facecolor=colour, edgecolor="#777777", label=text)


# ---- methods ----


@dataclass
class Way:
    """A method and a strategy, by rising tolerance: errors and costs over the cells with a cycle."""

    solver: str
    strategy: str
    rtol: np.ndarray
    error: np.ndarray  # [rtol][cell]
    cost: np.ndarray

    def cheapest(self, asked):
        """(median cost, rtol) of the cheapest tolerance that keeps to the error; None: none does."""
        fit = [(float(np.nanmedian(self.cost[i])), float(self.rtol[i])) for i in range(self.rtol.size)
               if np.mean(self.error[i] <= asked) >= SHARE]
        return min(fit, default=None)


def ways_of(cube):
    """All that ran at all, on the cells with a cycle."""
    there = cube.isel(cell=np.isfinite(cube["orbit_multiplier"].values))
    for solver in cube["solver"].values:
        for strategy in cube["strategy"].values:
            own = there.sel(solver=solver, strategy=strategy).transpose("rtol", "cell", ...)
            error, cost = (own[f"multiplier_{n}"].values for n in ("error", "rhs_evaluations"))
            if np.isfinite(error).any():
                yield Way(str(solver), str(strategy), cube["rtol"].values, error, cost)


def table_of(ways, errors):
    """Lines of text."""
    yield f"{'solver':10s} {'strategy':14s}" + "".join(f"{f'to {e:g}':>22s}" for e in errors)
    for way in ways:
        found = [way.cheapest(e) for e in errors]
        yield f"{way.solver:10s} {way.strategy:14s}" + "".join(
            f"{f'{f[0]:.0f} (rtol {f[1]:g})' if f else '-':>22s}" for f in found)


def draw_methods(ways):
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    for way in ways:
        colour = solver_colour(way.solver)
        error = np.array([np.nanmedian(e) if np.isfinite(e).any() else np.nan for e in way.error])
        cost = np.nanmedian(way.cost, axis=1)
        ax.plot(cost, error, color=colour, linewidth=0.8, alpha=0.5)
        ax.plot(cost, error, label=f"{way.solver}, {way.strategy}", **strategy_marker(way.strategy, colour))
    ax.set(xscale="log", yscale="log", xlabel="evaluations of f, tangent vectors included",
           ylabel="error of the leading multiplier (median)")
    legend_below(figure, ax.get_legend_handles_labels()[0], 5)
    return figure


# ---- all ----


def save(figure, args, name):
    path = os.path.join(args.output, f"{name}.{args.format}")
    save_figure(figure, path)
    print(path)


def work(args):
    use()
    cube = open_cube(args.cube)
    for name in NEEDED:
        if name not in cube:
            raise NotOurs(f"{args.cube}: no {name}: the sweep does not ask for orbits (orbit: {{find: [cycles]}})")
    os.makedirs(args.output, exist_ok=True)
    print(f"{cube.sizes['cell']} cells")
    for name, share in shares(kinds_of(cube)):
        print(f"  {name.replace('_', ' '):20s} {share:7.2%}")
    grid = unstack(cube)
    names = str(cube.attrs.get("axes", "cell")).split()
    if sum(grid.sizes[name] > 1 for name in names) > 1 or args.axes:
        across, up, others = plane_axes(grid, names, args.axes)
        cells = grid.drop_dims(CONFIG)
        for suffix, rows in planes_of(cells, across, up, others):
            save(draw_planes(rows, across, up), args, f"stability{suffix}")
    ways = list(ways_of(cube))
    if ways:
        print("\nMedian evaluations of f for the leading multiplier within an error in 90 % of the cells, at the rtol:")
        print("\n".join(table_of(ways, args.error)))
        save(draw_methods(ways), args, "methods")


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
