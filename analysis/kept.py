#!/usr/bin/python3
"""Draws the trajectories that a cube keeps of a cell: a state against time, by method and strategy."""

import argparse
import os
import sys

import numpy as np

from cube import NotOurs, open_kept
from dallas import unit_of

OPEN, CLOSED, ENDED, LEFT_OUT = range(4)  # of mode

EXAMPLES = """\
A row for each strategy, a column for each tolerance; the reference is black. Triangles: a contact
closes in the reference (to the spacing of the points). A cross: a run that ended early.

example:
  saltus store results/mine.h5 --cells 5 --every 0.05
  analysis/kept.py results/mine.h5 --cell 5 --state y1 --tolerance 1e-3 1e-6 -o results
"""


class Parser(argparse.ArgumentParser):
    """An error is one line, and says where help is."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see --help\n")


def arguments():
    parser = Parser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cube", metavar="CUBE.h5", help="a cube that keeps trajectories")
    parser.add_argument("--cell", type=int, help="number of the cell (the first one kept)")
    parser.add_argument("--state", metavar="NAME", help="what is drawn (the one whose error is scored)")
    parser.add_argument("--tolerance", metavar="R", type=float, nargs="+", help="(the first one)")
    parser.add_argument("--strategy", metavar="NAME", nargs="+", help="(all)")
    parser.add_argument("--method", metavar="NAME", nargs="+", help="(all)")
    parser.add_argument("-o", dest="folder", metavar="DIR", required=True, help="for the picture")
    return parser.parse_args()


def chosen(path, kept, name, wanted, preset):
    """The wanted values of a dimension, as the file has them."""
    there = kept[name].values.tolist()
    for value in wanted or ():
        if value not in there:
            raise NotOurs(f"{path}: keeps no {name} {value}; allowed: {', '.join(map(str, there))}")
    return wanted or preset(there)


def select(path, kept, args):
    """One state of one cell, its reference, and what is asked of it."""
    states = [n[10:] for n in kept.data_vars if n.startswith("reference_") and n != "reference_mode"]
    state = args.state or str(kept.attrs["watched_state"])
    if state not in states:
        raise NotOurs(f"{path}: no state {state}; allowed: {', '.join(states)}")
    wanted = None if args.cell is None else [args.cell]
    at = {"cell": chosen(path, kept, "cell", wanted, lambda there: there[:1])[0]}
    at["tolerance"] = chosen(path, kept, "tolerance", args.tolerance, lambda there: there[:1])
    at["strategy"] = chosen(path, kept, "strategy", args.strategy, list)
    at["method"] = chosen(path, kept, "method", args.method, list)
    return state, kept.sel(at)


def impacts(one, state):
    """Where a contact closes in the reference: time and state."""
    closed = one["reference_mode"].values == CLOSED
    at = np.flatnonzero(closed[1:] & ~closed[:-1]) + 1
    return one["t"].values[at], one["reference_" + state].values[at]


def draw_panel(axes, one, state, style):
    t = one["t"].values
    for method in one["method"].values:
        run, colour = one.sel({"method": method}), style.method_colour(str(method))
        y, mode = run[state].values, run["mode"].values
        axes.plot(t, y, color=colour, linewidth=1.0, zorder=2)
        if ENDED in mode:
            last = max(np.argmax(mode == ENDED) - 1, 0)
            axes.plot(t[last], y[last], "x", color=colour, zorder=4)
    axes.plot(t, one["reference_" + state].values, color="black", linewidth=0.8, zorder=3)
    axes.plot(*impacts(one, state), "v", color="black", markersize=4, zorder=3)


def limits(one, state):
    """Those of the reference, and room: a run that leaves it may go anywhere."""
    low, high = np.nanmin(one["reference_" + state]), np.nanmax(one["reference_" + state])
    room = 0.3 * (high - low) or 1
    return low - room, high + room


def draw(one, state, path, style):
    plt = style.plt
    rows, columns = one["strategy"].values, one["tolerance"].values
    figure, grid = plt.subplots(
        len(rows),
        len(columns),
        figsize=(style.WIDTH, 1.2 + 1.9 * len(rows)),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    what = f"{style.symbol(state)} {unit_of(one[state])}"
    for line, strategy in zip(grid, rows):
        for axes, tolerance in zip(line, columns):
            part = one.sel({"strategy": strategy, "tolerance": tolerance})
            draw_panel(axes, part, state, style)
            axes.set_title(f"{strategy}, tolerance {style.power_of_ten(tolerance)}")
        line[0].set_ylabel(what)
    for axes in grid[-1]:
        axes.set_xlabel(f"time $t$ {unit_of(one['t'])}")
    grid[0][0].set_xlim(one["t"].values[[0, -1]])
    grid[0][0].set_ylim(limits(one, state))
    handles = [plt.Line2D([], [], color="black", linewidth=0.8, label="reference")]
    handles += [
        plt.Line2D([], [], color=style.method_colour(str(m)), label=str(m)) for m in one["method"].values
    ]
    handles.append(plt.Line2D([], [], color="black", marker="v", linestyle="none", label="impact"))
    if (one["mode"] == ENDED).any():
        handles.append(plt.Line2D([], [], color="black", marker="x", linestyle="none", label="ended"))
    style.legend_below(figure, handles, 5)
    figure.suptitle(f"Cell {int(one['cell'])}: {one[state].attrs.get('long_name', 'state')}")
    figure.savefig(path)
    plt.close(figure)


def main():
    args = arguments()
    try:
        state, one = select(args.cube, open_kept(args.cube), args)
        import style  # after the checks: loading matplotlib takes a second

        style.use()
        os.makedirs(args.folder, exist_ok=True)
        path = os.path.join(args.folder, f"kept-{int(one['cell'])}-{state}.png")
        draw(one, state, path, style)
    except (NotOurs, OSError) as why:
        print(f"{os.path.basename(sys.argv[0])}: {why}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
