#!/usr/bin/python3
"""Writes a report on a cube with a map: one web page with all pictures and tables inside it."""

import json
import os
import tempfile

import numpy as np

import page
import paper
from command_line import Parser, run
from cost_data import done, left_out, outworked
from cube import NotOurs
from map_data import grid_axes, meaning, open_mapped, quantities
from report_costs import costs, scores, stiffness
from report_maps import Report, changes, decisive_axes, maps_by_error, maps_by_points

EXAMPLES = """\
The map is what `saltus map CUBE.h5` puts into the cube. Winner maps by points are drawn for the
tolerances 1e-3, 1e-6 and 1e-9, where the cube has them.

examples:
  saltus map atlas-small.h5
  analysis/report.py atlas-small.h5 -o report --saltus build/release/saltus
  analysis/report.py atlas-small.h5 -o report --rules rules.txt --regret regret.json
"""

PROVENANCE = (
    *("title", "model_title", "model_source", "sweep_file", "command", "created", "version"),
    *("git_commit", "compiler", "compiler_flags", "mpi_version", "hdf5_version", "libraries", "host", "ranks"),
    *("threads", "width", "wall_seconds", "reference", "reference_tolerance", "jacobian", "t_end"),
    *("mesh", "max_step", "max_attempts", "repeats", "floor", "epsilon", "points_scope"),
)
STRATEGIES = {
    "switch": "the contact is an if-else in the equations; step-size control meets it on its own",
    "event": "each change of contact is located, the run stops there and begins anew",
    "ess": "fixed steps, and projection onto the surface of contact within a zone around it",
    "ess2": "adaptive steps, and second-order projection onto the surface of contact within a zone "
    "in time",
}
SOLVERS = {
    "ode23": "explicit Runge-Kutta 3(2)",
    "ode45": "explicit Runge-Kutta 5(4)",
    "ode113": "explicit Adams, orders 1-12",
    "ode15s": "implicit, numerical differentiation formulas, orders 1-5",
    "ode23s": "implicit, modified Rosenbrock",
    "ode23t": "implicit, trapezoidal rule",
    "ode23tb": "implicit, TR-BDF2",
    "dop853": "explicit Runge-Kutta 8(5,3)",
    "tsit5": "explicit Runge-Kutta 5(4) of Tsitouras",
    "radau5": "implicit Runge-Kutta of order 5, Radau IIA",
    "rosnys4": "Rosenbrock-Nystrom of order 4, for second-order systems",
    "rosnysw2": "Rosenbrock-Nystrom W-method of order 2, for second-order systems",
}


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="result of `saltus run`, with a map")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for index.html")
    add("--saltus", metavar="PATH", help="the program, to answer the case of the paper's Table 5")
    add("--rules", metavar="FILE.txt", help="what `saltus rules CUBE.h5` printed")
    add("--regret", metavar="FILE.json", help="what `saltus regret CUBE.h5 --json` printed")
    add("--pictures", action="store_true", help="leave the pictures beside the page as well")
    return parser.parse_args()


QUESTION = (
    "<p>Every cell is one set of parameters. In each, every <em>contender</em> - a solver with a "
    "strategy for changes of contact, at a tolerance - was run and measured against a reference. Two "
    "questions are put to each cell: which contender reaches a given largest error with <em>least "
    "work</em>, and which has <em>most points</em> of the weighted criteria of eq. (36) of Dallas, "
    "Machairas and Papadopoulos: solution duration (sd), divergence time (dt), integral of the "
    "absolute error (iae). A run that failed never wins.</p>"
)


def run_counts(mapped):
    """Rows of a table: cells, runs and what became of them."""
    cube = mapped.cube
    outcomes = str(cube["outcome"].attrs.get("flag_meanings", "done")).split()
    ran = ~left_out(cube)
    rows = [
        ("cells", mapped.n_cell),
        ("tolerances", " ".join(f"{t:g}" for t in cube["rtol"].values)),
        ("runs", int(ran.sum())),
        ("runs that failed", int((ran & ~done(cube) & ~outworked(cube)).sum())),
    ]
    for i, name in enumerate(outcomes):
        count = int((cube["outcome"] == i).sum())
        if count and name not in ("done", "ended", "left_out", "outworked"):
            rows.append((f"of these {name.replace('_', ' ')}", count))
    ended = int((cube["outcome"] == outcomes.index("ended")).sum()) if "ended" in outcomes else 0
    if ended:
        rows.append(("runs that a contact ended, which are no failures", ended))
    stopped = int(outworked(cube).sum())
    if stopped:
        rows.append(("runs stopped at the cap of their cell, which take more than they did", stopped))
    if "left_out" in outcomes:
        rows.append(("pairs left out (they do not go together)", int(left_out(cube).sum())))
    return rows


def what_varies(cube):
    """Rows of a table: name, meaning, least, largest and number of values of each axis or quantity."""
    found = [(axis.name, axis.what, axis.values) for axis in grid_axes(cube)]
    if not found:
        found = [(n, meaning(cube[n]), cube[n].values.astype(float)) for n in quantities(cube)]
    return [(n, what, float(v.min()), float(v.max()), np.unique(v).size) for n, what, v in found]


def overview(mapped):
    cube = mapped.cube
    solvers = [(m, SOLVERS.get(m, "")) for m in cube["solver"].values]
    strategies = [(s, STRATEGIES.get(s, "")) for s in cube["strategy"].values]
    parts = [
        QUESTION,
        page.table(["", "value"], run_counts(mapped)),
        page.table(["solver", "what"], solvers),
        page.table(["strategy", "what"], strategies),
    ]
    rows = what_varies(cube)
    if rows:
        head = ["axis", "meaning", "from", "to", "values"]
        parts.append(page.table(head, rows, "What varies from cell to cell"))
    return "\n".join(parts)


def provenance(mapped):
    attrs = mapped.cube.attrs
    rows = [(name.replace("_", " "), _plain(attrs[name])) for name in PROVENANCE if name in attrs]
    rows += [
        (f"map: {name.replace('_', ' ')}", _plain(value)) for name, value in mapped.map.attrs.items()
    ]
    parts = [page.table(["", "value"], [("cube", os.path.basename(mapped.path)), *rows])]
    if "sweep" in attrs:
        parts.append(page.details("the sweep file", f"<pre>{page.text(str(attrs['sweep']))}</pre>"))
    return "\n".join(parts)


def _plain(value):
    return " ".join(
        f"{v:g}" if isinstance(v, (float, np.floating)) else str(v) for v in np.atleast_1d(value)
    )


def given(path, kind):
    """The text of a file of rules, or what a file of regret holds."""
    try:
        with open(path, encoding="utf-8") as file:
            content = file.read()
        return content if kind == "rules" else json.loads(content)
    except OSError as why:
        raise NotOurs(f"{path}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise NotOurs(f"{path}: no text") from None
    except json.JSONDecodeError as why:
        raise NotOurs(f"{path}: no JSON (line {why.lineno}: {why.msg})") from None


def contents(args, mapped, rules, regret, folder):
    """[(name, title, HTML)] of the page."""
    import cost_figures
    import map_figures

    report = Report(mapped, folder, grid_axes(mapped.cube))
    made = [("overview", "The question", overview(mapped))]
    if args.saltus is not None and paper.applies(mapped.cube):
        made.append(("paper", "The paper's nominal set", paper.section(mapped, args.saltus)))
    if mapped.questions("error"):
        made.append(("by-error", "Least work for an error", maps_by_error(report, map_figures)))
    made.append(("changes", "Where the answer changes", changes(report, map_figures)))
    made.append(("axes", "Which axes decide", decisive_axes(report, map_figures)))
    if rules is not None:
        made.append(("rules", "Rules", f"<pre>{page.text(rules)}</pre>"))
    if regret is not None:
        said = (
            "Regret is how much more the recommended contender costs than the best one, at points "
            "that are no cells."
        )
        made.append(("regret", "Regret", page.paragraph(said) + page.tree(regret)))
    if mapped.questions("points"):
        made.append(("by-points", "Most points", maps_by_points(report, map_figures)))
    made.append(("cost", "Error against work", costs(report, cost_figures)))
    made.append(("stiffness", "Stiffness", stiffness(report, cost_figures)))
    made.append(("scores", "Points", scores(report, cost_figures)))
    made.append(("provenance", "Provenance", provenance(mapped)))
    return made


def work(args):
    mapped = open_mapped(args.cube)
    rules = given(args.rules, "rules") if args.rules is not None else None
    regret = given(args.regret, "regret") if args.regret is not None else None
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    os.makedirs(args.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as spare:
        folder = args.folder if args.pictures else spare
        made = contents(args, mapped, rules, regret, folder)
    title = str(mapped.cube.attrs.get("title", os.path.basename(args.cube)))
    path = os.path.join(args.folder, "index.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.page(f"Which solver? {title}", made))
    print(path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
