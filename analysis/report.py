#!/usr/bin/python3
"""Writes a report on a cube with a map: one web page with all pictures and tables inside it."""

import argparse
import json
import os
import sys
import tempfile

import numpy as np

import page
import paper
from atlas import Parser
from cost_data import done, left_out, nearest
from cube import NotOurs
from map_data import grid_axes, meaning, open_atlas, quantities
from report_maps import TOLERANCES, Report, changes, maps_by_error, maps_by_points, work_text

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
    *("git_commit", "compiler", "compiler_flags", "mpi_version", "hdf5_version", "host", "ranks"),
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
METHODS = {
    "ode23": "explicit Runge-Kutta 3(2)",
    "ode45": "explicit Runge-Kutta 5(4)",
    "ode113": "explicit Adams, orders 1-12",
    "ode15s": "implicit, numerical differentiation formulas, orders 1-5",
    "ode23s": "implicit, modified Rosenbrock",
    "ode23t": "implicit, trapezoidal rule",
    "ode23tb": "implicit, TR-BDF2",
    "dop853": "explicit Runge-Kutta 8(5,3)",
}


def arguments():
    parser = Parser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="result of `saltus run`, with a map")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for index.html")
    add("--saltus", metavar="PATH", help="the program, to answer the case of the paper's Table 5")
    add("--rules", metavar="FILE.txt", help="what `saltus rules CUBE.h5` printed")
    add("--regret", metavar="FILE.json", help="what `saltus regret CUBE.h5 --json` printed")
    add("--pictures", action="store_true", help="leave the pictures beside the page as well")
    return parser.parse_args()


def overview(atlas):
    cube = atlas.cube
    outcome_names = str(cube["outcome"].attrs.get("flag_meanings", "done")).split()
    ran = ~left_out(cube)
    rows = [
        ("cells", atlas.n_cell),
        ("tolerances", " ".join(f"{t:g}" for t in cube["tolerance"].values)),
        ("runs", int(ran.sum())),
        ("runs that failed", int((ran & ~done(cube)).sum())),
    ]
    for i, name in enumerate(outcome_names):
        count = int((cube["outcome"] == i).sum())
        if count and name not in ("done", "left_out"):
            rows.append((f"of these {name.replace('_', ' ')}", count))
    if "left_out" in outcome_names:
        rows.append(("pairs left out (they do not go together)", int(left_out(cube).sum())))
    parts = [
        "<p>Every cell is one set of parameters. In each, every <em>contender</em> - a method with "
        "a strategy for "
        "changes of contact, at a tolerance - was run and measured against a reference. Two "
        "questions are put to each "
        "cell: which contender reaches a given largest error with <em>least work</em>, and which "
        "has <em>most "
        "points</em> of the weighted criteria of eq. (36) of Dallas, Machairas and Papadopoulos: "
        "solution duration "
        "(sd), divergence time (dt), integral of the absolute error (iae). A run that failed never "
        "wins.</p>",
        page.table(["", "value"], rows),
        page.table(["method", "what"], [(m, METHODS.get(m, "")) for m in cube["method"].values]),
        page.table(
            ["strategy", "what"], [(s, STRATEGIES.get(s, "")) for s in cube["strategy"].values]
        ),
    ]
    varied = [
        (a.name, a.what, a.values.min(), a.values.max(), a.values.size) for a in grid_axes(cube)
    ]
    if not varied:
        for name in quantities(cube):
            values = cube[name].values.astype(float)
            varied.append(
                (name, meaning(cube[name]), values.min(), values.max(), np.unique(values).size)
            )
    rows = [(name, what, float(low), float(high), n) for name, what, low, high, n in varied]
    if rows:
        parts.append(
            page.table(
                ["axis", "meaning", "from", "to", "values"], rows, "What varies from cell to cell"
            )
        )
    return "\n".join(parts)


def nominal_cell(cube):
    """The cell nearest to the paper's nominal set."""
    keep = np.ones(cube.sizes["cell"], dtype=bool)
    for name, value in paper.NOMINAL.items():
        keep &= cube[name].values == nearest(cube[name].values, value)
    return np.flatnonzero(keep)


def costs(report, figures):
    atlas, cube = report.atlas, report.atlas.cube
    if "max_error" not in cube:
        return "<p>The cube has no dataset max_error: no errors to be drawn.</p>"
    sets = [("all", np.arange(atlas.n_cell), f"median of {atlas.n_cell} cells")]
    if paper.applies(cube):
        sets.append(("nominal", nominal_cell(cube), "the cell nearest to the paper's nominal set"))
    parts = [
        f"<p>{work_text(atlas)} Equal tolerance is not equal error: compare contenders at equal "
        "height.</p>"
    ]
    beyond = (
        "Errors above ten times the median one at the loosest tolerance are no solutions and not "
        "drawn."
    )
    for name, cells, where in sets:
        path = os.path.join(report.folder, f"precision-{name}.png")
        figures.draw_precision(cube, atlas.map, cells, f"Error against work: {where}", path)
        caption = (
            f"<b>Work against achieved error: {page.text(where)}.</b> A line is one method through "
            "its tolerances, "
            "tighter ones to the right; lower left is better. The grey steps, the same in every "
            "panel, are the best "
            f"of all contenders. A contender that fails in half of the cells is not drawn. {beyond}"
        )
        parts.append(page.figure(path, caption))
    if "stiffness_ratio" in cube:
        path = os.path.join(report.folder, "pareto.png")
        figures.draw_pareto(
            cube, atlas.map, figures.by_stiffness(cube), "Contenders worth having", path
        )
        caption = (
            "<b>Pareto fronts of six cells, from the least stiff to the stiffest.</b> Large marks "
            "joined by steps: "
            "nothing else is both cheaper and more accurate. Small pale marks: everything else. "
            "Colour is the "
            f"method, mark the strategy; a contender appears once for each tolerance. {beyond}"
        )
        parts.append(page.figure(path, caption))
    return "\n".join(parts)


def stiffness(report, figures):
    cube = report.atlas.cube
    parts = []
    if "stiffness_ratio" not in cube or not np.isfinite(cube["stiffness_ratio"]).any():
        return "<p>The cube has no stiffness ratios.</p>"
    for tolerance in TOLERANCES:
        if not np.isclose(cube["tolerance"], tolerance, rtol=1e-9, atol=0).any():
            continue
        path = os.path.join(report.folder, f"stiffness-{tolerance:g}.png")
        title = (
            f"Work against the stiffness ratio, tolerance {figures.style.power_of_ten(tolerance)}"
        )
        figures.draw_stiffness(cube, report.atlas.map, tolerance, title, path)
        caption = (
            f"<b>Stiffness ratio against work at tolerance {tolerance:g}.</b> Cells are sorted by "
            "the stiffness ratio "
            f"(28) at rest and put into {figures.BINS} groups of equal size; a mark is the median "
            "work of one group. A line that "
            "stays flat does not mind stiffness."
        )
        parts.append(page.figure(path, caption))
    return "\n".join(parts) or "<p>None of the tolerances 1e-3, 1e-6, 1e-9 is in the cube.</p>"


def scores(report, figures):
    cube, parts = report.atlas.cube, []
    names = dict.fromkeys(q.weights for q in report.atlas.questions("points"))
    for weights in names or (paper.WEIGHTS,):
        path = os.path.join(
            report.folder, f"scores-{weights.replace('=', '').replace(',', '-')}.png"
        )
        title = f"Weighted points (36), {weights}"
        try:
            by_work = figures.draw_scores(cube, weights, cube["tolerance"].values, title, path)
        except NotOurs as why:
            parts.append(f"<p>{page.text(str(why))}</p>")
            continue
        said = (
            f"<b>Weighted points of eq. (36), {page.text(weights)}: mean of all cells, more is "
            "better.</b> "
            "The best of each tolerance is in bold; a dash is a pair that was left out."
        )
        if by_work:
            said += (
                " The sweep was not timed: evaluations of f take the place of the solution "
                "duration, without the "
                "factorisations that the map counts as well."
            )
        parts.append(page.figure(path, said))
    return "\n".join(parts)


def provenance(atlas):
    attrs = atlas.cube.attrs
    rows = [(name.replace("_", " "), _plain(attrs[name])) for name in PROVENANCE if name in attrs]
    rows += [
        (f"map: {name.replace('_', ' ')}", _plain(value)) for name, value in atlas.map.attrs.items()
    ]
    parts = [page.table(["", "value"], [("cube", os.path.basename(atlas.path)), *rows])]
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


def contents(args, atlas, rules, regret, folder):
    """[(name, title, HTML)] of the page."""
    import cost_figures
    import map_figures

    report = Report(atlas, folder, grid_axes(atlas.cube))
    made = [("overview", "The question", overview(atlas))]
    if args.saltus is not None and paper.applies(atlas.cube):
        made.append(("paper", "The paper's nominal set", paper.section(atlas, args.saltus)))
    if atlas.questions("error"):
        made.append(("by-error", "Least work for an error", maps_by_error(report, map_figures)))
    made.append(("changes", "Where the answer changes", changes(report, map_figures)))
    if rules is not None:
        made.append(("rules", "Rules", f"<pre>{page.text(rules)}</pre>"))
    if regret is not None:
        said = (
            "<p>Regret is how much more the recommended contender costs than the best one, at "
            "points that are no cells.</p>"
        )
        made.append(("regret", "Regret", said + page.tree(regret)))
    if atlas.questions("points"):
        made.append(("by-points", "Most points", maps_by_points(report, map_figures)))
    made.append(("cost", "Error against work", costs(report, cost_figures)))
    made.append(("stiffness", "Stiffness", stiffness(report, cost_figures)))
    made.append(("scores", "Points", scores(report, cost_figures)))
    made.append(("provenance", "Provenance", provenance(atlas)))
    return made


def main():
    args = arguments()
    try:
        atlas = open_atlas(args.cube)
        rules = given(args.rules, "rules") if args.rules is not None else None
        regret = given(args.regret, "regret") if args.regret is not None else None
        import style  # after the checks: loading matplotlib takes a second

        style.use()
        os.makedirs(args.folder, exist_ok=True)
        with tempfile.TemporaryDirectory() as spare:
            folder = args.folder if args.pictures else spare
            made = contents(args, atlas, rules, regret, folder)
        title = str(atlas.cube.attrs.get("title", os.path.basename(args.cube)))
        path = os.path.join(args.folder, "index.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.page(f"Which solver? {title}", made))
    except (NotOurs, OSError) as why:
        print(f"{os.path.basename(sys.argv[0])}: {why}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
