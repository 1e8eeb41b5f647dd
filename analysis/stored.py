#!/usr/bin/python3
"""Draws stored trajectories of a cell: a state against time, by solver and strategy."""


import numpy as np

import written
from command_line import Parser, run
from cube import NotOurs, open_stored
from dallas import unit_of

OPEN, CLOSED, ENDED, INCOMPATIBLE = range(4)  # of mode

EXAMPLES = """\
A row for each strategy, a column for each tolerance; the reference is grey and wide, below the rest.
Triangles: a contact closes in the reference (to the spacing of the points). A cross: a run that ended
early.

example:
  saltus store results/mine.h5 --cells 5 --every 0.05
  analysis/stored.py results/mine.h5 --cell 5 --state y1 --rtol 1e-3 1e-6 -o results
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="a cube with stored trajectories")
    add("--cell", type=int, help="number of the cell (the first one stored)")
    add("--state", metavar="NAME", help="the state that is drawn (default: the one whose error is scored)")
    add("--rtol", metavar="R", type=float, nargs="+", help="tolerances (the first one)")
    add("--strategy", metavar="NAME", nargs="+", help="(all)")
    add("--solver", metavar="NAME", nargs="+", help="(all)")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for the picture, or FILE.png, FILE.pdf, FILE.svg")
    return parser.parse_args()


def chosen(path, stored, name, wanted, preset, what=None):
    """The wanted values of a coordinate, as the file has them; what: it is called so in messages."""
    there = stored[name].values.tolist()
    for value in wanted or ():
        if value not in there:
            allowed = ", ".join(map(str, there))
            raise NotOurs(f"{path}: no stored trajectory of {what or name} {value}; allowed: {allowed}")
    return wanted or preset(there)


def select(path, stored, args):
    """One state of one cell, its reference, and what is asked of it."""
    states = [
        n.removeprefix("reference_")
        for n in stored.data_vars
        if n.startswith("reference_") and n != "reference_mode"
    ]
    state = args.state or str(stored.attrs["watched_state"])
    if state not in states:
        raise NotOurs(f"{path}: no state {state}; allowed: {', '.join(states)}")
    wanted = None if args.cell is None else [args.cell]
    number = chosen(path, stored, "cell_number", wanted, lambda there: there[:1], "cell")[0]
    at = {}
    at["rtol"] = chosen(path, stored, "rtol", args.rtol, lambda there: there[:1])
    at["strategy"] = chosen(path, stored, "strategy", args.strategy, list)
    at["solver"] = chosen(path, stored, "solver", args.solver, list)
    return state, stored.isel(cell=stored["cell_number"].values.tolist().index(number)).sel(at)


def impacts(one, state):
    """Where a contact closes in the reference: time and state."""
    closed = one["reference_mode"].values == CLOSED
    at = np.flatnonzero(closed[1:] & ~closed[:-1]) + 1
    return one["t"].values[at], one["reference_" + state].values[at]


def draw_panel(axes, one, state, style):
    t = one["t"].values
    axes.plot(t, one["reference_" + state].values, **style.REFERENCE_LINE)
    for solver in one["solver"].values:
        trajectory, colour = one.sel(solver=solver), style.solver_colour(str(solver))
        y, mode = trajectory[state].values, trajectory["mode"].values
        axes.plot(t, y, color=colour, linewidth=1.0, zorder=2)
        if ENDED in mode:
            last = max(np.argmax(mode == ENDED) - 1, 0)
            axes.plot(t[last], y[last], "x", color=colour, zorder=4)
    axes.plot(*impacts(one, state), "v", color=style.GROUND, markersize=4, zorder=3)


def limits(one, state):
    """Limits of the axis: those of the reference, and room; a run that leaves it may go anywhere."""
    low, high = np.nanmin(one["reference_" + state]), np.nanmax(one["reference_" + state])
    room = 0.3 * (high - low) or 1
    return low - room, high + room


def handles(one, style):
    """Handles of the legend: lines and marks."""
    line = style.plt.Line2D
    found = [line([], [], label="reference", **style.REFERENCE_LINE)]
    for solver in one["solver"].values:
        found.append(line([], [], color=style.solver_colour(str(solver)), label=str(solver)))
    look = {"color": style.GROUND, "linestyle": "none"}
    found.append(line([], [], marker="v", label="impact", **look))
    if (one["mode"] == ENDED).any():
        found.append(line([], [], marker="x", label="ended", **look))
    return found


def draw(one, state, path, style):
    plt = style.plt
    rows, columns = one["strategy"].values, one["rtol"].values
    size = (style.WIDTH, 1.2 + 1.9 * len(rows))
    figure, grid = plt.subplots(
        len(rows), len(columns), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for line, strategy in zip(grid, rows):
        for axes, rtol in zip(line, columns):
            draw_panel(axes, one.sel(strategy=strategy, rtol=rtol), state, style)
            axes.set_title(f"{strategy}, rtol {style.power_of_ten(rtol)}")
        line[0].set_ylabel(f"{style.symbol(state)} {unit_of(one[state])}")
    for axes in grid[-1]:
        axes.set_xlabel(f"time $t$ {unit_of(one['t'])}")
    grid[0][0].set_xlim(one["t"].values[[0, -1]])
    grid[0][0].set_ylim(limits(one, state))
    style.legend_below(figure, handles(one, style), 5)
    figure.suptitle(f"Cell {int(one['cell_number'])}: {one[state].attrs.get('long_name', 'state')}")
    style.save(figure, path)


def work(args):
    state, one = select(args.cube, open_stored(args.cube), args)
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    path = written.place(args.folder, f"stored-{int(one['cell_number'])}-{state}", alone=True)
    draw(one, state, path, style)
    print(path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
