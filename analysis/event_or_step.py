#!/usr/bin/python3
"""Draws where time stepping needs less work than events: the asked error against impacts per unit of time."""

import csv
import os

import numpy as np

import written
from command_line import Parser, run
from cube import NotOurs, finished, open_cube
from style import WIDTH, plt, save as save_figure, use

EXPLANATION = """\
Cubes are those of sweeps with `solvers: [.., moreau]` and `strategies: [event, capture]`, such as
sweeps/event-or-step.yaml, one or several of different numbers of contacts.

  border.png  for each cell the error at which both schools need the same work; below it events need less. The error is
              the mean over time of that of the watched state. The line is err = C / (a + b r) for r impacts per unit
              of time: events take a + b r evaluations of f per unit of time, by least squares of ratios over the cells with
              three impacts or more, and C is the middle of error times f of time stepping; the band has four of five cells
  border.csv  the numbers in it, and in captured.csv those of cells without a reference

Cells whose reference has no end have no error.  They are drawn apart, as "captured": the mean difference between two runs of
time stepping, each of which may be off by more, against the impacts of the tighter one.  They have no part in the line.

Impacts are the events of the tightest run by `event`. Cells without a border in the range of the runs are counted on
stdout, with the winner there.

example:
  saltus run sweeps/event-or-step.yaml -q -o rows.h5 && analysis/event_or_step.py rows.h5 -o pictures
"""
ERRORS = 10.0 ** np.arange(-0.5, -7.01, -0.125)


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("cubes", metavar="CUBE.h5", nargs="+")
    parser.add_argument("-o", "--output", metavar="DIR|FILE", default=".", help="where the picture goes (here); FILE.pdf, .svg or .png names it")
    return parser.parse_args()


def least_work(error, work):
    """Least work of runs [n] for each of ERRORS; infinite where none is as good."""
    return np.array([np.min(work[error <= asked], initial=np.inf) for asked in ERRORS])


def border(event, capture):
    """(largest error at which events need less work, that work), between two of ERRORS by their ratios; nan: it lies outside."""
    both = np.isfinite(event) & np.isfinite(capture)
    for i in np.flatnonzero(both[:-1] & both[1:]):
        now, later = np.log(capture[i] / event[i]), np.log(capture[i + 1] / event[i + 1])
        if now <= 0 < later:
            return tuple(float(np.exp(np.interp(0, [now, later], np.log(of[i : i + 2])))) for of in (ERRORS, event))
    return np.nan, np.nan


def cells_of(path):
    """(impacts per unit of time, border, does time stepping win at the largest common error?, impacts, work per unit of time at the
    border) of each cell."""
    data = open_cube(path, "integral_absolute_error", "rhs_evaluations", "solves", "events", "outcome")
    schools = [str(name) for name in data.strategy.values]
    if "event" not in schools or "capture" not in schools:
        raise NotOurs(f"{path}: has not both strategies, event and capture")
    done = finished(data.outcome)
    time = float(data.attrs["t_end"])
    error = (data.integral_absolute_error / time).where(done)
    n = data.sizes["solver"]
    state = len([name for name in data.coords if name.startswith("initial_")])
    work = data.rhs_evaluations.fillna(0) + data.solves.fillna(0) * state / 5
    found = []
    for cell in range(data.sizes["cell"]):
        least = {}
        for school in ("event", "capture"):
            at = {"cell": cell, "strategy": schools.index(school)}
            e, w = error.isel(at).values.ravel(), work.isel(at).values.ravel()
            good = np.isfinite(e)
            least[school] = least_work(e[good], w[good])
        events = data.events.isel(cell=cell, strategy=schools.index("event")).values.reshape(-1, n)
        errors = error.isel(cell=cell, strategy=schools.index("event")).values.reshape(-1, n)
        if not np.isfinite(errors).any():
            continue
        impacts = events.ravel()[np.nanargmin(errors.ravel())] / time
        both = np.isfinite(least["event"]) & np.isfinite(least["capture"])
        steps = both.any() and least["capture"][both][0] < least["event"][both][0]
        error_there, work_there = border(least["event"], least["capture"])
        found.append((impacts, error_there, steps, impacts * time, work_there / time))
    return found


def captured_of(path):
    """[(impacts per unit of time, difference of two runs)] of the cells without a reference."""
    data = open_cube(path, "events", "outcome")
    if "captured_difference" not in data:
        return []
    apart = data["captured_difference"].values
    events = data.events.where(finished(data.outcome)).isel(strategy=[str(name) for name in data.strategy.values].index("capture"))
    order = np.argsort(data.rtol.values, kind="stable")
    found = []
    for cell in np.flatnonzero(np.isfinite(apart)):
        counts = events.isel(cell=cell).transpose("rtol", "solver").values[order].ravel()
        found.append((counts[np.isfinite(counts)][0] / float(data.attrs["t_end"]), apart[cell]))
    return found


LEAST = 3  # impacts of a cell that counts for the constant: without them both schools are smooth


def fit(known):
    """a and b of the work of events a + b r, and quantiles of C = error (a + b r), of [(r, error, work)]."""
    r, error, work = np.array(known).T
    law = np.linalg.lstsq(np.array([1 / work, r / work]).T, np.ones(len(r)), rcond=None)[0]
    return *law, *np.quantile(error * (law[0] + law[1] * r), [0.1, 0.5, 0.9])


def draw(rows, law, captured, path):
    a, b, low, middle, high = law
    use()
    figure, axes = plt.subplots(figsize=(WIDTH, 0.7 * WIDTH))
    r, err = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    known = np.isfinite(err)
    axes.loglog(r[known], err[known], "o", color="#0077BB", markersize=4, label="same work")
    along = np.geomspace(max(r.min(), 0.05), max(r.max(), 1), 50)
    axes.loglog(along, middle / (a + b * along), color="#CC3311", label=f"{middle:.2g} / ({a:.0f} + {b:.2g} r)")
    axes.fill_between(along, low / (a + b * along), high / (a + b * along), color="#CC3311", alpha=0.12, linewidth=0, label=f"{low:.2g} to {high:.2g} in place of {middle:.2g}")
    if captured:
        axes.loglog(*np.array(captured).T, "D", color="#BBBBBB", fillstyle="none", markersize=5, label="captured: no reference, difference of two steps")
    axes.text(0.03, 0.95, "time stepping needs less work", transform=axes.transAxes, va="top")
    axes.text(0.03, 0.05, "events need less work", transform=axes.transAxes)
    axes.set_xlabel("impacts per unit of time, all contacts")
    axes.set_ylabel("mean error asked for")
    axes.legend(loc="upper right")
    save_figure(figure, path)


def work(args):
    rows = [row for path in args.cubes for row in cells_of(path) if row[3] >= LEAST]
    known = [(r, err, per_time) for r, err, _, _, per_time in rows if np.isfinite(err)]
    if len({r for r, *_ in known}) < 2:
        raise NotOurs("no two cells of different impacts have an error at which both schools need the same work")
    law = fit(known)
    a, b, low, middle, high = law
    picture = written.place(args.output, "border", alone=True)
    with written.beside(os.path.splitext(picture)[0] + ".csv") as part, open(part, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["impacts_per_time", "border_error", "stepping_wins_at_largest_error"])
        writer.writerows((f"{r:.6g}", f"{err:.6g}", int(steps)) for r, err, steps, *_ in rows)
    captured = [found for path in args.cubes for found in captured_of(path)]
    draw(rows, law, captured, picture)
    if captured:
        with written.beside(os.path.join(os.path.dirname(picture), "captured.csv")) as part, open(part, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("impacts_per_time", "difference"), *((f"{r:.6g}", f"{apart:.6g}") for r, apart in captured)])
        print(f"captured: {len(captured)} cells without a reference, whose runs at two steps differ by {min(captured, key=lambda c: c[1])[1]:.2g} to "
              f"{max(captured, key=lambda c: c[1])[1]:.2g}")
    without = [steps for _, err, steps, *_ in rows if not np.isfinite(err)]
    print(f"f of events per unit of time: {a:.3g} + {b:.3g} r for r impacts; C = error times f of time stepping")
    print(f"C = {middle:.3g}, from {low:.3g} to {high:.3g} in four of five cells ({len(known)} cells)")
    print(f"no border: {len(without)} cells, time stepping needs less in {sum(without)} of them")


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
