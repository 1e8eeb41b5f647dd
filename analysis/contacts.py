#!/usr/bin/python3
"""Draws what contacts cost, and which strategy handles them best, from cubes of `saltus run`."""

import string
from dataclasses import dataclass

import numpy as np

import contacts_data as data
import written
from command_line import Parser, run
from contacts_data import COSTS
from cost_data import error_label
from cube import NotOurs

CONTACTS = (2, 10, 100, 1000)
ERRORS = 10.0 ** np.arange(-3, -10, -1)

EXAMPLES = """\
The sweep needs an axis n, the number of contacts; all its other axes count as starts. Runs that were
left out are passed over. Beside each picture stands a .csv with the numbers in it, of all tolerances.
Cost is CPU time (cpu), if the sweep was timed, evaluations of f (rhs), and n times these (work): what
a model pays that looks at each contact.

  cost_cpu, cost_rhs, cost_work  cost of a simulated second against n, one panel a strategy: median over
                                 the starts and 10-90 % band; bars at the foot: rate of failed runs
  marginal                       cost of one more contact: slope of the median cost against n by least
                                 squares, 95 % interval from resampling the starts; table on stdout
  error                          largest error against n, likewise
  precision_cpu, precision_rhs   error against cost near n = 2, 10, 100, 1000, a point for each solver,
                                 strategy and tolerance: medians over the starts; a line along the best
                                 of each strategy with 10-90 % of the error. Crossed out: some runs failed
  comparison.csv                 what each strategy pays for an error, in numbers; on stdout as well
  events                         events and anomalies against n, by strategy

The zone of ess and ess2 and the step of ess are not axes of a sweep. Further cubes with others add their
points to `precision`; the other pictures are of the first cube.

examples:
  analysis/contacts.py results/contacts.h5 -o results/contacts
  analysis/contacts.py wide.h5 narrow.h5 -o results/contacts --figures precision
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("cubes", metavar="CUBE.h5", nargs="+", help="result of `saltus run`")
    parser.add_argument(
        "-o", dest="folder", metavar="DIR", required=True, help="folder for the pictures; FILE.pdf, FILE.svg: FILE-NAME of that kind"
    )
    parser.add_argument(
        "--rtol",
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
        help=f"which to draw: {', '.join(FIGURES)} (all)",
    )
    args = parser.parse_args()
    args.figures = args.figures or list(FIGURES)
    if args.labels is not None and len(args.labels) != len(args.cubes):
        parser.error(f"--labels: {len(args.labels)} names for {len(args.cubes)} cubes")
    return args


def rtol_of(study, wanted):
    """The wanted tolerance as it is in the cube, or the middle one."""
    there = np.sort(study.grid["rtol"].values)
    if wanted is None:
        return there[len(there) // 2]
    close = there[np.isclose(there, wanted, rtol=1e-9, atol=0)]
    if not len(close):
        known = ", ".join(f"{t:g}" for t in there)
        raise NotOurs(f"--rtol {wanted:g}: not in {study.path}; there are {known}")
    return close[0]


def starts_of(study):
    starts = study.grid.sizes["start"]
    return f"{starts} start{'s' * (starts != 1)}"


def at(rows, rtol):
    return rows[rows["rtol"] == rtol]


def print_marginal(study, tables, rtol):
    """Slopes, intervals and R^2 of each configuration, with what became of its runs."""
    n = study.grid["n"].values
    print(f"marginal cost of a contact in a simulated second, {starts_of(study)}, rtol {rtol:g}")
    print(f"slope of the medians over n = {n[0]:g} .. {n[-1]:g} by least squares [95 % interval], R^2")
    head = "".join(f"  {cost.plain:^35}" for cost, _ in tables)
    print(f"\n{'strategy':<13}{'solver':<9}{head}    runs failed left out")
    for i, row in tables[0][1].iterrows():
        cells = ""
        for _, rows in tables:
            one = rows.loc[i]
            if np.isfinite(one["slope"]):
                r2 = f"{one['r2']:.4f}" if np.isfinite(one["r2"]) else "-"
                cells += f"  {one['slope']:9.4g} [{one['low']:8.3g}, {one['high']:8.3g}] {r2:>6}"
            else:
                cells += f"  {'-':>9}{'':26}"
        tail = f"{row['runs']:8d} {row['failed']:6d} {row['incompatible']:8d}"
        print(f"{row['strategy']:<13}{row['solver']:<9}{cells}{tail}")


def print_comparison(found, costs, labels):
    """A line for each n and error, a column for each strategy: its least cost, and by which configuration."""
    strategies = list(dict.fromkeys(found["strategy"]))
    letters = dict(zip(labels, string.ascii_uppercase)) if len(labels) > 1 else {}
    for cost in costs:
        print(f"\n{cost.plain} of a simulated second for a median error of at most")
        print(f"{'n':>6} {'error':>6}" + "".join(f"  {name:<23}" for name in strategies).rstrip())
        some = found[found["cost"] == cost.name]
        for (n, error), line in some.groupby(["n", "error"], sort=False):
            of = line.set_index("strategy").to_dict("index")
            cells = "".join(f"  {comparison_cell(of.get(name), letters):<23}" for name in strategies)
            print(f"{n:6g} {error:6.0e}{cells}".rstrip())
    print("* the least; - never reached; in brackets solver, rtol" + ", cube" * bool(letters))
    for label, letter in letters.items():
        print(f"{letter}: {label}")


def comparison_cell(one, letters):
    if one is None:
        return "      -"
    mark = "*" if one["times"] == 1 else " "
    words = f"{one['solver']} {one['rtol']:.0e} {letters.get(one['cube'], '')}".rstrip()
    return f"{one['value']:7.4g}{mark} ({words})"


class Writer:
    """Where pictures and tables go, and which were written."""

    def __init__(self, folder):
        self.folder, self.written = folder, []

    def table(self, name, rows):
        self.written.append(written.place(self.folder, name, ".csv"))
        with written.beside(self.written[-1]) as part:
            rows.to_csv(part, index=False)

    def picture(self, name, rows):
        """The path of picture `name`, after writing its table."""
        self.written.append(written.place(self.folder, name))
        path = self.written[-1]
        self.table(name, rows)
        return path


@dataclass
class Job:
    """Data of the figures."""

    studies: list
    rtol: float
    costs: list
    note: str
    to: Writer
    figures: object  # the module; loading matplotlib takes a second


def draw_cost(job):
    for cost in job.costs:
        rows = data.cost_table(job.studies[0], cost)
        text = f"{cost.title}\nper simulated second [{cost.unit}]"
        title = f"Cost of contacts: median and 10-90 % of {job.note}"
        path = job.to.picture(f"cost_{cost.name}", rows)
        job.figures.draw_against_n(at(rows, job.rtol), cost.name, text, title, path)


def draw_marginal(job):
    """Not of n times f, which no line fits."""
    costs = [cost for cost in job.costs if not cost.times_n]
    tables = [(cost, data.marginal_table(job.studies[0], cost)) for cost in costs]
    all_rows = data.pd.concat([rows.assign(cost=cost.name) for cost, rows in tables])
    path = job.to.picture("marginal", all_rows)
    tables = [(cost, at(rows, job.rtol)) for cost, rows in tables]
    job.figures.draw_marginal(tables, f"Marginal cost of a contact, 95 % interval: {job.note}", path)
    print_marginal(job.studies[0], tables, job.rtol)


def draw_error(job):
    rows = data.error_table(job.studies[0])
    title = f"Error as contacts multiply: median and 10-90 % of {job.note}"
    path = job.to.picture("error", rows)
    text = error_label(job.studies[0].grid).replace(" [", "\non the mesh [")
    job.figures.draw_against_n(at(rows, job.rtol), "error", text, title, path)


def draw_precision(job):
    """At one n, n times f is f on another scale."""
    rows = data.precision_table(job.studies, CONTACTS)
    for cost in job.costs:
        if not cost.times_n:
            title = f"Error against cost: medians over {starts_of(job.studies[0])}, bars 10-90 %"
            path = job.to.picture(f"precision_{cost.name}", rows)
            job.figures.draw_precision(rows, cost, error_label(job.studies[0].grid), title, path)
    found = data.comparison_table(rows, job.costs, ERRORS)
    job.to.table("comparison", found)
    labels = [study.label for study in job.studies]
    print_comparison(found, [cost for cost in job.costs if not cost.times_n], labels)


def draw_events(job):
    rows = data.event_table(job.studies[0])
    path = job.to.picture("events", rows)
    job.figures.draw_events(at(rows, job.rtol), f"Events and anomalies: {job.note}", path)


FIGURES = {
    "cost": draw_cost,
    "marginal": draw_marginal,
    "error": draw_error,
    "precision": draw_precision,
    "events": draw_events,
}


def draw(studies, args):
    """All the pictures asked for; returns their paths."""
    rtol = rtol_of(studies[0], args.rtol)
    import contacts_figures as figures  # after the checks

    figures.style.use()
    note = f"{starts_of(studies[0])}, rtol {figures.style.power_of_ten(rtol)}"
    timed = all(study.timed() for study in studies)
    costs = [cost for cost in COSTS if cost.name != "cpu" or timed]
    job = Job(studies, rtol, costs, note, Writer(args.folder), figures)
    for name, function in FIGURES.items():
        if name in args.figures:
            function(job)
    return job.to.written


def work(args):
    written = draw(data.open_studies(args.cubes, args.labels), args)
    print("\n" + "\n".join(written))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
