#!/usr/bin/python3
"""Draws long runs: bifurcation diagrams, Lyapunov exponents, periods over a plane, Poincare sections."""

import os

import numpy as np

import dynamics_page
import trajectory
from command_line import Parser, run
from cube import NotOurs, open_cube, unit_of, unstack
from map_data import label, symbol
from stability import edges, patch, plane_axes, said, words_of
from style import GROUND, WIDTH, legend_below, plt, save as save_figure, use

EXPLANATION = """\
CUBE.h5 is that of a sweep with `orbit: {find: [exponents, section]}`, or one of the two, such as sweeps/grazing.yaml.

  bifurcation.svg  a state at the last visits of the section along an axis: dots, and above 100000 of them their density
  exponents.svg    Lyapunov exponents along that axis with bars of two standard errors; at the lower edge those of -inf,
                   which a rest or a stick makes (superstable)
  plane.svg        where two axes have more than one point: the largest exponent, and the period in visits
  basins.svg       with `find: [basin]`: the attractor that each cell of that plane comes to
  section.svg      two states at the last visits of one cell: a Poincare section, unless it is a point
  returns.svg      a state at a visit of that cell over the same at the visit before: its return map
  portrait.svg     with --trajectory: two states over each other, impacts as dashed jumps
  FILE.html        with --page: the kinds of cells over the plane, or along the axis; a click shows the motion of a cell

Axes that are not drawn are at their first point.

With --beside, the cube of the same sweep with `continue: down` beside `up`, the bifurcation diagram has both: hysteresis.

examples:
  analysis/dynamics.py results/grazing.h5 -o pictures
  analysis/dynamics.py results/grazing.h5 -o pictures --along a --state x --cell 120
  analysis/dynamics.py results/basins.h5 -o pictures --page pictures/basins.html
"""

FIND = "orbit: {find: [exponents, section]}"
MOST_DOTS = 100000
BINS = 400  # of a density, up
PERIODS = ("#4477AA", "#66CCEE", "#228833", "#CCBB44", "#EE8866", "#AA3377")  # 1, 2, 3, 4, 5 to 8, more
LIMITS = (1, 2, 3, 4, 8, 64)  # of their names
CHAOS, ON_AND_ON, ELSEWHERE = "#222222", "#BBBBBB", "#F0E8D8"
LINE = ("#0077BB", "#CC3311", "#009988", "#EE7733", "#33BBEE", "#EE3377")
SUPERSTABLE = "v"
BASINS = ("#4477AA", "#EE8866", "#228833", "#CCBB44", "#AA3377", "#66CCEE", "#882255", "#44AA99")
UNCERTAIN = "#BBBBBB"
BESIDE = "#CC3311"
MOTIONS = 64


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("cube", metavar="CUBE.h5")
    parser.add_argument("-o", "--output", metavar="DIR", default=".", help="where the pictures go (here)")
    parser.add_argument("--along", metavar="AXIS", help="axis of the diagrams; the one with most points")
    parser.add_argument("--axes", metavar="AXIS", nargs=2, help="across and up, of the plane; the two with most points")
    parser.add_argument("--state", metavar="NAME", help="state of the bifurcation diagram; the first that is stored")
    parser.add_argument("--cell", metavar="N", type=int, help="cell of the Poincare section, from 1 on; the one of the largest exponent, or with most points")
    parser.add_argument("--beside", metavar="CUBE.h5", help="a second cube, drawn over the first in the bifurcation diagram")
    parser.add_argument("--trajectory", metavar="FILE.h5", help="a run by saltus trajectory, for a phase portrait")
    parser.add_argument("--after", metavar="T", type=float, default=0.0, help="time from which that is drawn, past the transient (0)")
    parser.add_argument("--page", metavar="FILE.html", help="a page of cells and their motions, whose pages go into the folder FILE beside it")
    parser.add_argument("--motions", metavar="N", type=int, default=MOTIONS, help=f"cells with a motion on that page, at most ({MOTIONS})")
    parser.add_argument("--format", default="svg", choices=("svg", "png", "pdf"))
    return parser.parse_args()


def line_of(grid, names, along):
    """The grid along one axis, with all others at their first points, the axis, and words for what is fixed."""
    along = along or max(names, key=lambda name: grid.sizes[name])
    if along not in names:
        raise NotOurs(f"no axis {along}; there are {', '.join(names)}")
    if along not in grid.coords or grid[along].dtype.kind not in "if":
        raise NotOurs(f"axis {along} has no numbers along it")
    others = [name for name in names if name != along]
    fixed = ", ".join(said(grid[name], name, 0) for name in others if grid.sizes[name] > 1 and grid[name].dtype.kind in "if")
    return grid.isel({name: 0 for name in others}), along, fixed


# ---- along an axis ----


def state_of(grid, wanted):
    states = [str(s) for s in grid["section_state"].values]
    if wanted and wanted not in states:
        raise NotOurs(f"the section has no state {wanted}; stored are {', '.join(states)}")
    return wanted or states[0]


def beside_of(path, names, along, state):
    """The line of a second cube of the same axes."""
    other = open_cube(path)
    axes, states = str(other.attrs.get("axes", "cell")).split(), [str(s) for s in other["section_state"].values] if "section" in other else []
    if axes != names or state not in states:
        raise NotOurs(f"{path}: has no section of {state} over {', '.join(names)}, as the other cube has")
    return line_of(unstack(other), names, along)[0]


def add_beside(figure, line, along, state, names):
    """The visits of a second cube, over those of the first."""
    ax = figure.axes[0]
    y = line["section"].sel(section_state=state).transpose(along, "visit").values
    across = np.broadcast_to(line[along].values.astype(float)[:, None], y.shape)
    ax.plot(across.ravel(), y.ravel(), ".", markersize=1.5, markeredgewidth=0, color=BESIDE, rasterized=True)
    legend_below(figure, [patch(colour, name) for colour, name in zip(("black", BESIDE), names)], 2)


def draw_bifurcation(line, along, state, fixed):
    x = line[along].values.astype(float)
    y = line["section"].sel(section_state=state).transpose(along, "visit").values
    across = np.broadcast_to(x[:, None], y.shape)
    known = np.isfinite(y)
    figure, ax = plt.subplots(figsize=(WIDTH, 4))
    if np.count_nonzero(known) > MOST_DOTS:
        borders, ticks = edges(x)
        places = across if ticks is None else np.broadcast_to(np.arange(x.size)[:, None], y.shape)
        count, _, up = np.histogram2d(places[known], y[known], [borders, BINS])
        # each column by its own largest: a cycle is as dark as chaos is at its densest
        share = count.T / np.maximum(count.max(axis=1), 1)
        norm = plt.matplotlib.colors.PowerNorm(0.4, 0, 1)
        ax.pcolormesh(borders, up, np.where(share > 0, share, np.nan), cmap="magma_r", norm=norm, rasterized=True)
        if ticks:
            ax.set_xticks(*ticks)
    else:
        ax.plot(across[known], y[known], ".", markersize=1.5, markeredgewidth=0, color="black", rasterized=True)
    ax.grid(False)
    ax.set(xlabel=label(line[along], along), ylabel=f"{symbol(state)} at visits of the section", title=fixed)
    return figure


def draw_exponents(line, along, fixed):
    x = line[along].values.astype(float)
    figure, ax = plt.subplots(figsize=(WIDTH, 3.2))
    values = line["exponents"].transpose("exponent_number", along).values
    errors = line["exponent_errors"].transpose("exponent_number", along).values
    finite = values[np.isfinite(values)]
    low = finite.min() if finite.size else -1.0
    foot = low - 0.05 * ((finite.max() if finite.size else 0.0) - low or 1.0)
    handles = []
    for k, (value, error) in enumerate(zip(values, errors)):
        colour, name = LINE[k % len(LINE)], f"exponent {k + 1}"
        there, lost = np.isfinite(value), np.isneginf(value)
        if there.any():
            handles.append(ax.errorbar(x[there], value[there], 2 * np.nan_to_num(error[there]), fmt=".", color=colour, markersize=2.5,
                                       elinewidth=0.7, label=name))
        if lost.any():
            handles += ax.plot(x[lost], np.full(lost.sum(), foot), SUPERSTABLE, color=colour, markersize=3,
                               label=f"{name}: -inf, superstable")
    ax.axhline(0, color=GROUND, linewidth=0.8)
    unit = unit_of(line["exponents"])
    ax.set(xlabel=label(line[along], along), ylabel=f"Lyapunov exponent [{unit}]", title=fixed)
    legend_below(figure, handles, 4)
    return figure


# ---- a plane ----


def kind_of(plane):
    """(words, colour) of each cell, [up][across]: its period, chaos, or where it went."""
    period, verdict = plane["visits_period"].fillna(-1).values, words_of(plane["visits_verdict"])
    exponent = plane["exponent"].values if "exponent" in plane else np.full(period.shape, np.nan)
    error = plane["exponent_error"].fillna(0).values if "exponent" in plane else 0
    words, colours = np.full(period.shape, "elsewhere", dtype=object), np.full(period.shape, ELSEWHERE, dtype=object)
    goes_on = np.isin(verdict, ("no_convergence", "cycle"))
    for test, name, colour in ((goes_on, "no period up to 64", ON_AND_ON), (goes_on & (exponent > 2 * error), "chaotic", CHAOS)):
        words[test], colours[test] = name, colour
    least = 0
    for most, colour in zip(LIMITS, PERIODS):
        test = (period > least) & (period <= most)
        words[test], colours[test] = f"period {most}" if most == least + 1 else f"period {least + 1} to {most}", colour
        least = most
    return words, colours


def draw_plane(plane, across, up):
    plane = plane.transpose(up, across, ...)
    (x, x_ticks), (y, y_ticks) = (edges(plane[name].values.astype(float)) for name in (across, up))
    both = "exponent" in plane
    figure, axes = plt.subplots(1, 1 + both, figsize=(WIDTH, 3.6), sharey=True, squeeze=False)
    axes = axes[0]
    kind, colour = kind_of(plane)
    known, number = np.unique(colour.astype(str), return_inverse=True)
    axes[0].pcolormesh(x, y, number.reshape(colour.shape), cmap=plt.matplotlib.colors.ListedColormap(known), vmin=-0.5,
                       vmax=known.size - 0.5, rasterized=True)
    axes[0].set(title="period in visits of the section", ylabel=label(plane[up], up))
    if both:
        value = plane["exponent"].values
        most = np.nanmax(np.abs(value[np.isfinite(value)]), initial=1e-300)
        shown = axes[1].pcolormesh(x, y, np.where(np.isneginf(value), -most, value), cmap="RdBu_r", vmin=-most, vmax=most,
                                   rasterized=True)
        figure.colorbar(shown, ax=axes[1], label=f"largest Lyapunov exponent [{unit_of(plane['exponent'])}]")
        axes[1].set(title="chaotic above 0")
    for ax in axes:
        ax.grid(False)
        ax.set_facecolor(ELSEWHERE)
        ax.set_xlabel(label(plane[across], across))
        if x_ticks:
            ax.set_xticks(*x_ticks)
        if y_ticks:
            ax.set_yticks(*y_ticks)
    names, first, counts = np.unique(kind.ravel().astype(str), return_index=True, return_counts=True)
    parts = [patch(colour.ravel()[i], f"{name} {n / kind.size:.1%}") for name, i, n in zip(names, first, counts)]
    legend_below(figure, parts, 4)
    return figure


def basin_names(plane):
    """(number, colour, name with share) of each attractor of the plane, and of cells that have none."""
    number = plane["basin"].fillna(-1).values.astype(int)
    named = [(-1, ELSEWHERE, "no attractor"), (0, UNCERTAIN, "uncertain")]
    for k in np.unique(number[number > 0]):
        there = number == k
        period = plane["visits_period"].values[there][0]
        kind = f"period {period:.0f}" if np.isfinite(period) and period > 0 else "rest" if words_of(plane["visits_verdict"])[there][0] == "equilibrium" else "no period"
        if kind == "no period" and "exponent" in plane and plane["exponent"].values[there].mean() > 2 * plane["exponent_error"].values[there].mean():
            kind = "chaotic"
        named.append((k, BASINS[(k - 1) % len(BASINS)], f"{k}: {kind}"))
    shares = [(k, colour, name, np.mean(number == k)) for k, colour, name in named]
    return number, [(k, colour, f"{name} {share:.1%}") for k, colour, name, share in shares if share > 0]


def draw_basins(plane, across, up):
    plane = plane.transpose(up, across, ...)
    (x, x_ticks), (y, y_ticks) = (edges(plane[name].values.astype(float)) for name in (across, up))
    number, names = basin_names(plane)
    rank = np.searchsorted([k for k, _, _ in names], number)
    figure, ax = plt.subplots(figsize=(WIDTH, 4.6))
    ax.pcolormesh(x, y, rank, cmap=plt.matplotlib.colors.ListedColormap([colour for _, colour, _ in names]), vmin=-0.5,
                  vmax=len(names) - 0.5, rasterized=True)
    ax.grid(False)
    ax.set(xlabel=label(plane[across], across), ylabel=label(plane[up], up), title="attractors by their basins")
    if x_ticks:
        ax.set_xticks(*x_ticks)
    if y_ticks:
        ax.set_yticks(*y_ticks)
    legend_below(figure, [patch(colour, name) for _, colour, name in names], 4)
    return figure


def write_page(args, cube, grid, names):
    """The kinds of cells over the plane of most points, or along the axis."""
    if sum(grid.sizes[name] > 1 for name in names) > 1 or args.axes:
        across, up, others = plane_axes(grid, names, args.axes)
        plane = grid.isel({name: 0 for name in others})
    else:
        plane, across, _ = line_of(grid, names, args.along)
        up = "alone"
        plane = plane.expand_dims(up)
    plane = plane.transpose(up, across, ...)
    dynamics_page.write(args.page, cube, plane, *kind_of(plane), max(args.motions, 1))
    print(args.page)


# ---- a cell ----


def winding(x, y, period):
    """Turns of the visits about their mean from one to the next, modulo 1, over whole periods; NaN where they do not turn."""
    size = np.ptp(x), np.ptp(y)
    if min(size) == 0 or not np.isfinite(size).all():
        return np.nan
    z = (x - x.mean()) / size[0] + 1j * (y - y.mean()) / size[1]
    step = np.angle(z[1:] / z[:-1]) / (2 * np.pi)
    step = step[len(step) % int(period) :] if period > 1 else step
    middle = np.angle(np.exp(2j * np.pi * step).mean()) / (2 * np.pi)  # steps spread about it, not about 0
    return float((middle + ((step - middle + 0.5) % 1 - 0.5).mean()) % 1)


def cell_of(cube, number):
    at = np.flatnonzero(cube["cell_number"].values == number)
    if at.size == 0:
        raise NotOurs(f"no cell {number}; there are {cube.sizes['cell']}")
    return cube.isel(cell=int(at[0]))


def draw_section(cell, number):
    states = [str(s) for s in cell["section_state"].values]
    x, y = (cell["section"].sel(section_state=s).values for s in states[:2])
    figure, ax = plt.subplots(figsize=(WIDTH / 1.6, 3.8))
    ax.plot(x, y, "." if x.size < 5000 else ",", markersize=2, color="black", rasterized=True)
    words = f"cell {number}"
    if "exponent" in cell:
        words += f": exponent {cell['exponent'].item():.3g} ± {cell['exponent_error'].item():.1g} {unit_of(cell['exponent'])}".removesuffix(" 1")
    turns = winding(x, y, np.nan_to_num(cell["visits_period"].item()))
    if np.isfinite(turns) and not ("exponent" in cell and cell["exponent"].item() > 2 * cell["exponent_error"].item()):
        words += f", winding {turns:.4g}"
    ax.set(xlabel=symbol(states[0]), ylabel=symbol(states[1]), title=words)
    return figure


def draw_returns(cell, number, state):
    y = cell["section"].sel(section_state=state).values
    figure, ax = plt.subplots(figsize=(WIDTH / 1.6, 3.8))
    ends = [np.nanmin(y), np.nanmax(y)]
    ax.plot(ends, ends, color=GROUND, linewidth=0.8)
    ax.plot(y[:-1], y[1:], ".", markersize=2, color="black", rasterized=True)
    ax.set(xlabel=f"{symbol(state)} at a visit", ylabel=f"{symbol(state)} at the next", title=f"return map of cell {number}")
    return figure


def draw_portrait(run, states, after):
    """Two states of a run over each other; each event has two samples of one time, and what is between them is a jump."""
    kept = run.t >= after
    t, (x, y) = run.t[kept], (run.state[name][kept] for name in states)
    jumps = np.flatnonzero((np.diff(t) == 0) & ((np.diff(x) != 0) | (np.diff(y) != 0)))
    figure, ax = plt.subplots(figsize=(WIDTH / 1.6, 3.8))
    for part in np.split(np.arange(t.size), jumps + 1):
        ax.plot(x[part], y[part], color=LINE[0], linewidth=0.7)
    for k in jumps:
        ax.plot(x[k : k + 2], y[k : k + 2], "--", color=LINE[1], linewidth=0.5)
    ax.set(xlabel=symbol(states[0]), ylabel=symbol(states[1]), title=f"{run.model}: {jumps.size} jumps")
    return figure


def most_chaotic(cube):
    """The cell of the largest exponent; where none is above 0, that with most different visits."""
    value = cube["exponent"].fillna(-np.inf).values if "exponent" in cube else np.zeros(cube.sizes["cell"])
    if not value.max() > 0 and "section" in cube:
        value = np.array([np.unique(np.round(cell[0], 6)).size if np.isfinite(cell[0]).all() else 0 for cell in cube["section"].values])
    return int(cube["cell_number"].values[np.argmax(value)])


# ---- all ----


def work(args):
    use()
    cube = open_cube(args.cube)
    if "visits_verdict" not in cube:
        raise NotOurs(f"{args.cube}: has neither exponents nor a section: the sweep does not ask for them ({FIND})")
    os.makedirs(args.output, exist_ok=True)
    figures = {}
    grid, names = unstack(cube), str(cube.attrs.get("axes", "cell")).split()
    if names != ["cell"]:
        line, along, fixed = line_of(grid, names, args.along)
        if "section" in cube:
            state = state_of(grid, args.state)
            figures["bifurcation"] = draw_bifurcation(line, along, state, fixed)
            if args.beside:
                other = beside_of(args.beside, names, along, state)
                add_beside(figures["bifurcation"], other, along, state, [os.path.basename(p) for p in (args.cube, args.beside)])
        if "exponents" in cube:
            figures["exponents"] = draw_exponents(line, along, fixed)
        if sum(grid.sizes[name] > 1 for name in names) > 1 or args.axes:
            across, up, others = plane_axes(grid, names, args.axes)
            plane = grid.isel({name: 0 for name in others})
            figures["plane"] = draw_plane(plane, across, up)
            if "basin" in cube:
                figures["basins"] = draw_basins(plane, across, up)
        if args.page:
            write_page(args, cube, grid, names)
    if args.beside and "bifurcation" not in figures:
        raise NotOurs(f"{args.cube}: has no section along an axis, over which --beside is drawn")
    if "section" in cube and cube.sizes["section_state"] > 1:
        number = most_chaotic(cube) if args.cell is None else args.cell
        cell = cell_of(cube, number)
        spread = np.ptp(cell["section"].values, axis=1) > 1e-9 * np.abs(cell["section"].values).max()
        if spread.any():  # else the section is a point
            figures["section"] = draw_section(cell, number)
            figures["returns"] = draw_returns(cell, number, state_of(cube, args.state))
    if args.trajectory:
        run = trajectory.read(args.trajectory)
        known = list(run.state)
        states = [str(s) for s in cube["section_state"].values][:2] if "section" in cube and cube.sizes["section_state"] > 1 else known[:2]
        if len(states) < 2 or not set(states) <= set(known):
            raise NotOurs(f"{args.trajectory}: has the states {', '.join(known)}; a portrait is of {' and '.join(states) if len(states) > 1 else 'two'}")
        figures["portrait"] = draw_portrait(run, states, args.after)
    for name, figure in figures.items():
        path = os.path.join(args.output, f"{name}.{args.format}")
        save_figure(figure, path)
        print(path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
