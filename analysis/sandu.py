#!/usr/bin/python3
"""Tables of the stiff multibody study beside those of its paper, from the cubes of jobscripts/sandu.sh."""

import glob
import os
import re

import numpy as np

from command_line import Parser, run
from cube import NotOurs, open_cube, open_stored

EXPLANATION = """\
Beside each of our figures stands the one of Sandu, Negrut, Haug, Potra, Sandu (CSTR-01-06), in brackets.
Errors of its Table 1 are a tenth of the printed ones where the printed relative errors ask for it. The
largest error, its time, its share of the value there, and the root mean square are taken at all stored
points, the paper's at its steps. CPU time of an explicit run that was not made is that of the longest one
there is, times the ratio of the spans, and marked ~. Chassis heights stand beside those of an independent
implementation.

example:
  jobscripts/sandu.sh && analysis/sandu.py results/sandu
"""

METHOD, RIVAL = "rosnys4", "ode113"
# tolerance: largest error, root mean square
PAPER = {
    "rod1_theta": {1e-2: (5.223e-3, 3.234e-3), 1e-3: (4.198e-4, 2.631e-4), 1e-4: (4.916e-5, 2.946e-5), 1e-5: (1.902e-5, 9.868e-6)},
    "rod1_vtheta": {1e-2: (4.061e-2, 2.348e-2), 1e-3: (3.792e-3, 2.181e-3), 1e-4: (8.652e-4, 3.445e-4), 1e-5: (2.343e-4, 9.357e-5)},
}
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5)
SPANS = (1, 2, 3, 4)
# seconds of CPU, a row for each span, a column for each tolerance
PAPER_EXPLICIT = ((3618, 3641, 3667, 3663), (7276, 7348, 7287, 7276), (10865, 11122, 10949, 10965), (14480, 14771, 14630, 14592))
PAPER_IMPLICIT = ((5.6, 13.2, 40.7, 172), (12.6, 32.6, 95, 405), (13, 36.3, 105, 422), (13.3, 37, 106, 428))
PROTOTYPE_STEPS = (92, 128, 182, 285)  # over 4 s, of a root mean square in place of the largest component
HEIGHTS = {0.5: 0.7123221, 0.52: 0.7162210, 0.6: 0.7265982, 0.8: 0.7086113, 1.0: 0.7058332, 1.2: 0.7127276,
           1.3: 0.7281061, 1.5: 0.7083192, 2.0: 0.7112982, 3.0: 0.7099644, 4.0: 0.7099997}
NEEDED = ("solution_duration", "steps", "failed_steps", "rhs_evaluations", "jacobians", "end_error", "outcome")


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("folder", metavar="DIR", help="with the cubes")
    return parser.parse_args()


def print_table(title, rows):
    print(f"\n{title}\n")
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)).rstrip())


def chosen(data, solver):
    """The runs of a solver on the first cell, over rtol (and t)."""
    if solver not in data["solver"].values:
        raise NotOurs(f"no runs of {solver}; there are {', '.join(map(str, data['solver'].values))}")
    return data.isel(cell=0, strategy=0).sel(solver=solver)


def error_rows(path, state):
    """A row for each tolerance: steps, largest error, root mean square."""
    stored, cube = open_stored(path), chosen(open_cube(path, *NEEDED), METHOD)
    right = stored[f"reference_{state}"].isel(cell=0).values
    runs = chosen(stored, METHOD)[state]
    yield ["rtol", "steps (refused)", "t*", "largest", "%", "rms", "paper's", "rms", "ratio"]
    for rtol in runs["rtol"].values:
        error = np.abs(runs.sel(rtol=rtol).values - right)
        at = int(np.argmax(error))
        one = cube.sel(rtol=rtol)
        row = [f"{rtol:g}", f"{one['steps']:.0f} ({one['failed_steps']:.0f})", f"{stored['t'].values[at]:.3f}", f"{error[at]:.2e}",
               f"{100 * error[at] / abs(right[at]):.4f}", f"{np.sqrt(np.mean(error**2)):.2e}"]
        paper = next((p for tol, p in PAPER[state].items() if np.isclose(tol, rtol)), None)
        yield row + ([f"[{paper[0]:.2e}]", f"[{paper[1]:.2e}]", f"{error[at] / paper[0]:.1f}"] if paper else ["", "", ""])


def cube_of(folder, kind, span):
    """The runs for a span, over rtol; None without such a cube."""
    path = os.path.join(folder, f"{kind}-{span:g}.h5")
    if not os.path.exists(path):
        return None
    cube = open_cube(path, *NEEDED)
    return chosen(cube, METHOD if kind == "implicit" else RIVAL)


def spans_of(folder, kind):
    found = (re.fullmatch(rf"{kind}-([0-9.]+)\.h5", os.path.basename(p)) for p in glob.glob(os.path.join(folder, f"{kind}-*.h5")))
    return sorted(float(m[1]) for m in found if m)


def value(cube, name, tolerance):
    return float(cube[name].sel(rtol=tolerance, method="nearest"))


def explicit_cost(folder, span, name, tolerance):
    """A cost of the explicit method for a span, and is it measured?"""
    made = spans_of(folder, "explicit")
    if not made:
        raise NotOurs(f"{folder}: no cube explicit-SECONDS.h5")
    there = span if span in made else made[-1]
    return value(cube_of(folder, "explicit", there), name, tolerance) * span / there, there == span


def cost_rows(folder):
    yield ["", *(f"{tol:g}" for tol in TOLERANCES)]
    for s, span in enumerate(SPANS):
        implicit = cube_of(folder, "implicit", span)
        if implicit is None:
            raise NotOurs(f"{folder}: no cube implicit-{span}.h5")
        rows = {"explicit": [], "implicit": [], "ratio": []}
        for k, tol in enumerate(TOLERANCES):
            slow, measured = explicit_cost(folder, span, "solution_duration", tol)
            fast = value(implicit, "solution_duration", tol)
            rows["explicit"].append(f"{'' if measured else '~'}{slow:.4g} [{PAPER_EXPLICIT[s][k]}]")
            rows["implicit"].append(f"{fast:.3g} [{PAPER_IMPLICIT[s][k]}]")
            rows["ratio"].append(f"{slow / fast:.0f} [{PAPER_EXPLICIT[s][k] / PAPER_IMPLICIT[s][k]:.0f}]")
        for name, row in rows.items():
            yield [f"{span} s, {name}", *row]


def count_rows(folder):
    yield ["", *(f"{tol:g}" for tol in TOLERANCES)]
    for span in SPANS:
        cube = cube_of(folder, "implicit", span)
        counts = [[value(cube, name, tol) for name in NEEDED[1:6]] for tol in TOLERANCES]
        yield [f"{span} s, implicit: steps (refused)", *(f"{c[0]:.0f} ({c[1]:.0f})" for c in counts)]
        yield ["evaluations/Jacobians", *(f"{c[2]:.0f}/{c[3]:.0f}" for c in counts)]
        yield ["error of the height at its end", *(f"{c[4]:.1e}" for c in counts)]
    yield ["4 s, prototype: steps", *(f"[{n}]" for n in PROTOTYPE_STEPS)]
    last = [value(cube, "solution_duration", tol) for tol in TOLERANCES]
    yield ["4 s: times faster than real time", *(f"{4 / seconds:.0f}" for seconds in last)]
    for span in spans_of(folder, "explicit"):
        cube = cube_of(folder, "explicit", span)
        yield [f"{span:g} s, explicit: steps", *(f"{value(cube, 'steps', tol):.0f}" for tol in TOLERANCES)]
        yield ["evaluations", *(f"{value(cube, 'rhs_evaluations', tol):.0f}" for tol in TOLERANCES)]
        yield ["mean step, s", *(f"{span / value(cube, 'steps', tol):.1e}" for tol in TOLERANCES)]


def height_rows(folder):
    stored = open_stored(os.path.join(folder, "implicit-4.h5"))
    runs = chosen(stored, METHOD)["chassis_z"]
    yield ["t", "published", "reference", *(f"{tol:g}" for tol in TOLERANCES)]
    for t, height in HEIGHTS.items():
        row = [float(stored["reference_chassis_z"].isel(cell=0).sel(t=t, method="nearest"))]
        row += [float(runs.sel(rtol=tol, t=t, method="nearest")) for tol in TOLERANCES]
        yield [f"{t:.2f}", f"{height:.7f}", *(f"{z:.7f}" for z in row)]


def work(args):
    if not os.path.isdir(args.folder):
        raise NotOurs(f"{args.folder}: no such folder")
    names = {"angles": "in its angles", "cartesian": "in Cartesian coordinates that are chosen anew"}
    for number, (state, what) in enumerate((("rod1_theta", "angle"), ("rod1_vtheta", "velocity")), 1):
        for file, form in names.items():
            path = os.path.join(args.folder, f"{file}.h5")
            print_table(f"Table {number}: error of the {what} of rod 1, double pendulum {form}", list(error_rows(path, state)))
    worst = [float(open_cube(os.path.join(args.folder, f"{f}.h5"))["reference_error_watched"].max()) for f in names]
    print(f"\nestimated errors of the references: {worst[0]:.1e}, {worst[1]:.1e}")
    print_table(f"Tables 3 and 4: CPU seconds of {RIVAL} and {METHOD} on the vehicle [paper: DDEABM, R10000]", list(cost_rows(args.folder)))
    print_table("Work on the vehicle", list(count_rows(args.folder)))
    print_table(f"Chassis height: published reference, ours, {METHOD} at each tolerance", list(height_rows(args.folder)))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
