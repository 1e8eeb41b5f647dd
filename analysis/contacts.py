#!/usr/bin/python3
"""Draws what contacts cost, and which strategy meets them best, from cubes of `saltus run`."""

import argparse
import os
import sys

import numpy as np

import contenders
from contenders import COSTS, RESAMPLINGS
from cube import NotOurs

FIGURES = ("cost", "marginal", "precision", "events")
CONTACTS = (2, 10, 100, 1000)
ERRORS = 10.0 ** np.arange(-3, -10, -1)

EXAMPLES = """\
The sweep needs an axis n, the number of contacts; all its other axes count as starts. Beside each
picture stands a .csv with the numbers in it, of all tolerances. Cost is CPU time (cpu), if the sweep
was timed, and evaluations of f (rhs).

  cost_cpu, cost_rhs            cost of a simulated second against n, one panel a strategy: median over
                                the starts and 10-90 % band; bars at the foot: rate of failed runs
  marginal                      cost of one more contact: slope of the median cost against n by least
                                squares, 95 % interval from resampling the starts; table on stdout
  precision_cpu, precision_rhs  error against cost near n = 2, 10, 100, 1000, one point a method,
                                strategy and tolerance: median and 10-90 % over the starts; on the grey
                                line what no other contender beats. Crossed out: some runs failed
  events                        events and anomalies against n, by strategy

The zone of ess is no axis of a sweep. Further cubes add their points to `precision`; the other
pictures are of the first cube.

examples:
  analysis/contacts.py results/contacts.h5 -o results/contacts
  analysis/contacts.py wide.h5 narrow.h5 -o results/contacts --figures precision \\
      --labels 'zone 2 ms' 'zone 0.1 ms'
"""


class Parser(argparse.ArgumentParser):
    """An error is one line, and says where help is."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see --help\n")


def arguments():
    parser = Parser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cubes", metavar="CUBE.h5", nargs="+", help="result of `saltus run`")
    parser.add_argument(
        "-o", dest="folder", metavar="DIR", required=True, help="folder for the pictures"
    )
    parser.add_argument(
        "--tolerance",
        metavar="TOL",
        type=float,
        help="the one drawn by all but precision (the middle one of the cube)",
    )
    parser.add_argument(
        "--labels", metavar="TEXT", nargs="+", help="names of the cubes (their zones and steps)"
    )
    parser.add_argument(
        "--figures",
        metavar="NAME",
        nargs="+",
        choices=FIGURES,
        default=FIGURES,
        help=f"which to draw: {', '.join(FIGURES)} (all)",
    )
    args = parser.parse_args()
    if args.labels is not None and len(args.labels) != len(args.cubes):
        parser.error(f"--labels: {len(args.labels)} names for {len(args.cubes)} cubes")
    return args


def tolerance_of(study, wanted):
    """The wanted tolerance as it is in the cube, or the middle one."""
    there = np.sort(study.grid["tolerance"].values)
    if wanted is None:
        return there[len(there) // 2]
    close = there[np.isclose(there, wanted, rtol=1e-9, atol=0)]
    if not len(close):
        known = ", ".join(f"{t:g}" for t in there)
        raise NotOurs(f"--tolerance {wanted:g}: not in {study.path}; there are {known}")
    return close[0]


def starts_of(study):
    starts = study.grid.sizes["start"]
    return f"{starts} start{'s' * (starts != 1)}"


def at(rows, tolerance):
    return rows[rows["tolerance"] == tolerance]


def print_marginal(study, tables, tolerance):
    """Slopes, intervals and R^2 of each contender, with what became of its runs."""
    n = study.grid["n"].values
    print(f"marginal cost of a contact in a simulated second, {starts_of(study)}, tolerance {tolerance:g}")
    print(f"slope of the medians over n = {n[0]:g} .. {n[-1]:g} by least squares [95 % interval], R^2")
    units = {"cpu": "CPU time [us]", "rhs": "evaluations of f"}
    head = "".join(f"  {units[cost.name]:^33}" for cost, _ in tables)
    print(f"\n{'strategy':<13}{'method':<9}{head}    runs failed left out")
    for i, row in tables[0][1].iterrows():
        cells = ""
        for _, rows in tables:
            one = rows.loc[i]
            if np.isfinite(one["slope"]):
                r2 = f"{one['r2']:.4f}" if np.isfinite(one["r2"]) else "-"
                cells += f"  {one['slope']:9.4g} [{one['low']:7.4g}, {one['high']:7.4g}] {r2:>6}"
            else:
                cells += f"  {'-':>9}{'':24}"
        tail = f"{row['runs']:8d} {row['failed']:6d} {row['left_out']:8d}"
        print(f"{row['strategy']:<13}{row['method']:<9}{cells}{tail}")


def print_cheapest(rows, costs):
    """Which contender reaches which error at the least cost."""
    for cost in costs:
        what = {"cpu": "least CPU time [us]", "rhs": "fewest evaluations of f"}[cost.name]
        print(f"\n{what} of a simulated second for a median error of at most")
        for n, panel in rows.groupby("n"):
            last = None
            for error in ERRORS:
                best = contenders.cheapest(panel, cost, error)
                if best is None or best.name == last:
                    continue
                last = best.name
                words = f"{best['strategy']} {best['method']} {best['tolerance']:g}"
                if panel["cube"][panel["strategy"] == best["strategy"]].nunique() > 1:
                    words += f" ({best['cube']})"
                print(f"  n = {n:<5g} {error:.0e}  {best[cost.name]:9.4g}  {words}")


class Writer:
    """Where pictures and tables go, and which were written."""

    def __init__(self, folder):
        self.folder, self.written = folder, []
        os.makedirs(folder, exist_ok=True)

    def __call__(self, name, rows):
        """The path of picture `name`, after writing its table."""
        path = os.path.join(self.folder, name)
        rows.to_csv(path + ".csv", index=False)
        self.written += [path + ".png", path + ".csv"]
        return path + ".png"


def draw(studies, args):
    """All the pictures asked for; returns their paths."""
    import contacts_figures as figures  # after the checks: loading matplotlib takes a second

    study = studies[0]
    tolerance = tolerance_of(study, args.tolerance)
    note = f"{starts_of(study)}, tolerance {figures.style.power_of_ten(tolerance)}"
    figures.style.use()
    path = Writer(args.folder)
    costs = [cost for cost in COSTS if cost.name != "cpu" or study.timed()]
    if "cost" in args.figures:
        for cost in costs:
            rows = contenders.cost_table(study, cost)
            title = f"Cost of contacts: median and 10-90 % of {note}"
            figures.draw_cost(at(rows, tolerance), cost, title, path(f"cost_{cost.name}", rows))
    if "marginal" in args.figures:
        tables = [(cost, contenders.marginal_table(study, cost)) for cost in costs]
        file = path("marginal", contenders.pd.concat([rows.assign(cost=c.name) for c, rows in tables]))
        tables = [(cost, at(rows, tolerance)) for cost, rows in tables]
        figures.draw_marginal(tables, f"Marginal cost of a contact, 95 % interval: {note}", file)
        print_marginal(study, tables, tolerance)
    if "precision" in args.figures:
        rows = contenders.precision_table(studies, CONTACTS)
        for cost in costs:
            title = f"Error against cost: median and 10-90 % of {starts_of(study)}, "
            title += "joined along the tolerances"
            figures.draw_precision(rows, cost, title, path(f"precision_{cost.name}", rows))
        print_cheapest(rows, costs)
    if "events" in args.figures:
        rows = contenders.event_table(study)
        figures.draw_events(at(rows, tolerance), f"Events and anomalies: {note}", path("events", rows))
    return path.written


def main():
    args = arguments()
    program = os.path.basename(sys.argv[0])
    try:
        studies = contenders.open_studies(args.cubes, args.labels)
        written = draw(studies, args)
    except (NotOurs, OSError) as why:
        print(f"{program}: {why}", file=sys.stderr)
        return 2
    print("\n" + "\n".join(written))
    return 0


if __name__ == "__main__":
    sys.exit(main())
