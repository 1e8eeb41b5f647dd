"""The part of the report that shows cost, error and points of all contenders."""

import os

import numpy as np

import page
import paper
from cost_data import nearest
from cube import NotOurs
from report_maps import TOLERANCES, work_text

BEYOND = "Errors above ten times the median one at the loosest tolerance are no solutions and not drawn."


def nominal_cell(cube):
    """The cell nearest to the paper's nominal set."""
    there = np.ones(cube.sizes["cell"], dtype=bool)
    for name, value in paper.NOMINAL.items():
        there &= cube[name].values == nearest(cube[name].values, value)
    return np.flatnonzero(there)


def precision(report, figures, name, cells, where):
    path = os.path.join(report.folder, f"precision-{name}.png")
    mapped = report.mapped
    figures.draw_precision(mapped.cube, mapped.map, cells, f"Error against work: {where}", path)
    said = (
        "A line is one solver through its tolerances, tighter ones to the right; lower left is "
        "better. The grey steps, the same in every panel, are the best of all contenders. A contender "
        f"that fails in half of the cells is not drawn. {BEYOND}"
    )
    return page.figure(path, f"Work against achieved error: {where}", said)


def pareto(report, figures):
    path = os.path.join(report.folder, "pareto.png")
    mapped = report.mapped
    sets = figures.by_stiffness(mapped.cube)
    figures.draw_pareto(mapped.cube, mapped.map, sets, "Contenders worth having", path)
    said = (
        "Large marks joined by steps: nothing else is both cheaper and more accurate. Small pale "
        "marks: everything else. Colour is the solver, mark the strategy; a contender appears once "
        f"for each tolerance. {BEYOND}"
    )
    return page.figure(path, "Pareto fronts of six cells, from the least stiff to the stiffest", said)


def costs(report, figures):
    mapped, cube = report.mapped, report.mapped.cube
    if "max_error" not in cube:
        return page.paragraph("The cube has no dataset max_error: no errors to be drawn.")
    sets = [("all", np.arange(mapped.n_cell), f"median of {mapped.n_cell} cells")]
    if paper.applies(cube):
        sets.append(("nominal", nominal_cell(cube), "the cell nearest to the paper's nominal set"))
    first = "Equal tolerance is not equal error: compare contenders at equal height."
    parts = [page.paragraph(f"{work_text(mapped)} {first}")]
    parts += [precision(report, figures, *one) for one in sets]
    if "stiffness_ratio" in cube:
        parts.append(pareto(report, figures))
    return "\n".join(parts)


def stiffness(report, figures):
    cube = report.mapped.cube
    if "stiffness_ratio" not in cube or not np.isfinite(cube["stiffness_ratio"]).any():
        return page.paragraph("The cube has no stiffness ratios.")
    parts = []
    for rtol in TOLERANCES:
        if not np.isclose(cube["rtol"], rtol, rtol=1e-9, atol=0).any():
            continue
        path = os.path.join(report.folder, f"stiffness-{rtol:g}.png")
        title = f"Work against the stiffness ratio, tolerance {figures.style.power_of_ten(rtol)}"
        figures.draw_stiffness(cube, report.mapped.map, rtol, title, path)
        said = (
            "Cells are sorted by the stiffness ratio (28) at rest and put into "
            f"{figures.BINS} groups of equal size; a mark is the median work of one group. A line "
            "that stays flat does not mind stiffness."
        )
        parts.append(page.figure(path, f"Stiffness ratio against work at tolerance {rtol:g}", said))
    none = "None of the tolerances 1e-3, 1e-6, 1e-9 is in the cube."
    return "\n".join(parts) or page.paragraph(none)


def scores(report, figures):
    cube, parts = report.mapped.cube, []
    names = dict.fromkeys(q.weights for q in report.mapped.questions("points"))
    for weights in names or (paper.WEIGHTS,):
        slug = weights.replace("=", "").replace(",", "-")
        path = os.path.join(report.folder, f"scores-{slug}.png")
        title = f"Weighted points (36), {weights}"
        try:
            by_work = figures.draw_scores(cube, weights, cube["rtol"].values, title, path)
        except NotOurs as why:
            parts.append(page.paragraph(str(why)))
            continue
        said = "The best of each tolerance is in bold; a dash is a pair that was left out."
        if by_work:
            said += (
                " The sweep was not timed: evaluations of f take the place of the solution duration, "
                "without the factorisations that the map counts as well."
            )
        title = f"Weighted points of eq. (36), {weights}: mean of all cells, more is better"
        parts.append(page.figure(path, title, said))
    return "\n".join(parts)
