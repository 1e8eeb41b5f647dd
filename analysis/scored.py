#!/usr/bin/python3
"""Prints the least work, and the CPU time, with which each solver and strategy of a cube reaches largest errors."""

import numpy as np

from command_line import Parser, run
from cost_data import work as work_of
from cube import open_cube, open_group

EXAMPLES = """\
For each cell the cheapest tolerance that reaches the error counts; the table has the geometric mean over the cells
that reach it at all, and how many do. Work is in evaluations of f, as in the map of the cube. Without CPU times in
the cube the last columns are missing.

example:
  analysis/scored.py results/scored.h5 --cells 1-13 --errors 1e-2 1e-4 1e-6
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("cube", metavar="CUBE.h5", help="result of `saltus score` or `saltus run`")
    parser.add_argument("--errors", nargs="+", type=float, default=[1e-2, 1e-4, 1e-6], help="largest errors asked for")
    parser.add_argument("--cells", metavar="A-B", help="cells that count, by number from 1 (all)")
    parser.add_argument("--rtol", nargs="+", type=float, help="tolerances that count (all)")
    return parser.parse_args()


def least(cost, reaches):
    """Over the first axis, rtol, the least cost where the error is reached: [cell], infinite where it is not."""
    return np.where(reaches & np.isfinite(cost), cost, np.inf).min(axis=0)


def mean_and_number(values):
    there = values[np.isfinite(values) & (values > 0)]
    return (np.exp(np.log(there).mean()) if there.size else np.nan), there.size


def cell_text(values, form):
    mean, n = mean_and_number(values)
    return f"{form(mean)} ({n})" if n else "-"


def work(args):
    cube = open_cube(args.cube, "max_error", "rhs_evaluations")
    dims = ("rtol", "strategy", "solver", "cell")
    if args.cells:
        low, high = (int(text) for text in args.cells.split("-"))
        cube = cube.isel(cell=slice(low - 1, high))
    if args.rtol:
        cube = cube.sel(rtol=args.rtol, method="nearest") if len(args.rtol) else cube
    error = cube["max_error"].transpose(*dims).values
    labour = work_of(cube, open_group(args.cube, "map")).transpose(*dims).values
    seconds = cube["solution_duration"].transpose(*dims).values
    timed = bool(np.isfinite(seconds).any())
    heads = [f"work, {e:g}" for e in args.errors] + ([f"ms, {e:g}" for e in args.errors] if timed else [])
    print("| strategy | solver | failed | " + " | ".join(heads) + " |")
    print("|---|---|---|" + "---|" * len(heads))
    for s, strategy in enumerate(cube["strategy"].values):
        for m, solver in enumerate(cube["solver"].values):
            failed = int((~np.isfinite(error[:, s, m])).sum())
            columns = [cell_text(least(labour[:, s, m], error[:, s, m] <= e), "{:.0f}".format) for e in args.errors]
            if timed:
                columns += [cell_text(1e3 * least(seconds[:, s, m], error[:, s, m] <= e), "{:.3g}".format)
                            for e in args.errors]
            print(f"| `{strategy}` | `{solver}` | {failed} | " + " | ".join(columns) + " |")


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
