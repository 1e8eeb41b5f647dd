#!/usr/bin/python3
"""Draws one picture of a cube with a map: what wins where, at which cost, with which points."""

import argparse
import re

import numpy as np

import raster
import written
from command_line import Parser, run
from cost_data import over_cutoff, select
from cube import NotOurs
from map_data import ERRORS, Question, answers, grid_axes, layout, open_mapped, quantities, steps_of_axes, steps_of_cells

PREFIXES = {"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6}

EXAMPLES = """\
pictures:
  map        which solver answers where, on a raster over the two axes that decide most, in panels over a third
             with --across, all else at its middle or at the values of --fix. Colour is the solver, the paler the
             smaller its margin over the next one; a border is thick where the answers beside it have a high confidence; a
             strategy is a light texture. By points, and where the map has no surrogate: the cells of a grid,
             small multiples over two axes more; cells that make none as marks
  along      how often each configuration is best, along every axis; cells that make no grid in eighths
  shares     how often each configuration is best, for every question of the map
  precision  largest error against work, a line for each solver through its tolerances
  pareto     the same for six cells from the least stiff to the stiffest, with what is worth having
  stiffness  work against the stiffness ratio, at one rtol
  scores     weighted points as a table
  measure    a measure of the cells (the key `measure` of their sweep or model), in its unit, over --x and --y; grey where its
             run did not come to its end

The map is what `saltus map CUBE.h5` puts into the cube.

examples:
  analysis/maps.py map cube.h5 -o pictures --error 1e-4
  analysis/maps.py map cube.h5 -o pictures --rtol 1e-6 --weights sd=2,dt=0,iae=1 \\
      --x k --y m1 --across b --down f
  analysis/maps.py map cube.h5 -o pictures --error 1e-4 --x k --y b --fix m1=1.88 --fix f=0.051
  analysis/maps.py precision cube.h5 -o pictures --cells k=100:480 --cells b=550
"""


def assignment(text):
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE") from None


def size(text):
    try:
        right, _, up = text.partition("x")
        return int(right), int(up or right)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NxM") from None


def arguments(words=None):
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("picture", choices=sorted(PICTURES), metavar="PICTURE", help="one of those below")
    add("cube", metavar="CUBE.h5", help="result of `saltus run`, with a map")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for the picture, or FILE.png, FILE.pdf, FILE.svg")
    add("--error", metavar="E", help="map, along: least work for this largest error, 1e-4 or 0.1mm")
    most = "map, along: most points at this rtol; stiffness"
    add("--rtol", type=float, metavar="R", help=most)
    add("--weights", metavar="W", default="sd=2,dt=0,iae=1", help="of points (sd=2,dt=0,iae=1)")
    for name, what in (("x", "axis to the right"), ("y", "axis upwards")):
        add(f"--{name}", metavar="NAME", help=f"map, measure: {what}")
    for name in ("across", "down"):
        add(f"--{name}", metavar="NAME", help=f"map: axis of small multiples {name}")
    add("--size", type=size, metavar="NxM", default=raster.SIZE, help="map: points to the right and upwards of a panel (200x200)")
    add("--measure", metavar="NAME", help="measure: which one (the first)")
    add("--steps", metavar="FILE", help="map: what a step takes, of a map by time (saltus map --steps)")
    again = {"action": "append", "default": []}
    fixed = "map: an axis that is not drawn; of cells the nearest of its values"
    add("--fix", type=assignment, metavar="NAME=VALUE", help=fixed, **again)
    some = "precision, pareto: these cells only; may be repeated"
    add("--cells", metavar="NAME=LOW:HIGH", help=some, **again)
    args = parser.parse_args(words)
    if args.error is not None and args.rtol is not None:
        parser.error("--error and --rtol are two different questions: give one")
    return args


def error_of(text, unit):
    """A number with or without a unit, in the unit of the map."""
    found = re.fullmatch(r"([-+.\deE]*\d\.?)\s*(\D*)", text.strip())
    try:
        value = float(found[1]) if found else 0.0
    except ValueError:
        value = 0.0
    if value > 0 and not found[2]:
        return value
    for prefix, factor in PREFIXES.items():
        base = found[2][len(prefix):] if value > 0 and found[2].startswith(prefix) else ""
        for other, of in PREFIXES.items():
            if base and other + base == unit:
                return value * factor / of
    raise NotOurs(f"--error: {text} is not allowed; allowed: a number above 0, in {unit} or with a unit of the same kind" if unit != "1" else
                  f"--error: {text} is not allowed; allowed: a number above 0")


def question_of(args, mapped):
    """The question of the command line, or else the middle error of the map."""
    if args.rtol is not None:
        return Question("points", args.rtol, args.weights)
    if args.error is not None:
        return Question("error", error_of(args.error, mapped.unit), metric=mapped.metric, unit=mapped.unit)
    there = mapped.questions("error") or mapped.questions("points")
    return there[len(there) // 2]


def scatter_axes(mapped, x, y):
    """Two quantities along the cells: those asked for, else the first ones that vary."""
    there = quantities(mapped.cube)
    for name in (x, y):
        if name is not None and name not in there:
            have = ", ".join(there) or "none"
            raise NotOurs(
                f"{mapped.path}: no quantity {name} differs among the cells; there are {have}"
            )
    free = [name for name in there if name not in (x, y)] or ["cell"]
    x = x or free.pop(0)
    return x, y or (free or ["cell"])[0]


def draw_winners(args, mapped, figures, path):
    from raster_figures import draw_map

    question = question_of(args, mapped)
    found = answers(mapped, question)
    axes = grid_axes(mapped.cube)
    wanted = {"x": args.x, "y": args.y, "across": args.across, "down": args.down, "fixed": dict(args.fix)}
    if axes and not raster.possible(mapped, question):
        draw_map(question, raster.of_cells(found, axes, **layout(mapped, axes, **wanted)), path)
    elif raster.possible(mapped, question):
        draw_map(question, raster.of_program(mapped, question, args.size, **wanted, steps=args.steps), path)
    else:
        figures.draw_scatter(mapped, question, found, path, *scatter_axes(mapped, args.x, args.y))


def draw_along(args, mapped, figures, path):
    question, axes = question_of(args, mapped), grid_axes(mapped.cube)
    found = answers(mapped, question)
    steps = steps_of_axes(found, axes) if axes else steps_of_cells(mapped, found)
    if not steps:
        raise NotOurs(f"{mapped.path}: nothing differs among the cells")
    figures.draw_along(question, found, steps, path)


def share_groups(mapped):
    """[(title, [(label, answers)])] of every question of the map."""
    groups = []
    rows = [(f"{q.asked:g}", answers(mapped, q)) for q in mapped.questions("error")]
    if rows:
        groups.append((f"{ERRORS.get(mapped.metric, mapped.metric)} asked for [{mapped.unit}]: least work", rows))
    points = mapped.questions("points")
    for weights in dict.fromkeys(q.weights for q in points):
        rows = [(f"{q.asked:g}", answers(mapped, q)) for q in points if q.weights == weights]
        groups.append((f"rtol [1]: most points, weights {weights}", rows))
    return groups


def draw_shares(args, mapped, figures, path):
    figures.draw_shares(share_groups(mapped), path)


def chosen(args, mapped):
    cells = select(mapped.cube, args.cells)
    where = ", ".join(args.cells)
    many = f"{cells.size} cell{'s' * (cells.size != 1)}"
    return cells, f"{many} with {where}" if where else many


def draw_precision(args, mapped, figures, path):
    cells, where = chosen(args, mapped)
    title = f"Error against work, median of the runs in {where}"
    figures.draw_precision(mapped.cube, mapped.map, cells, title, path)


def draw_pareto(args, mapped, figures, path):
    if args.cells:
        cells, where = chosen(args, mapped)
        sets = [(where, cells)]
    else:
        sets = figures.by_stiffness(mapped.cube) or [chosen(args, mapped)[::-1]]
    cut = ", of runs that were not stopped at a cutoff" if over_cutoff(mapped.cube).any() else ""
    figures.draw_pareto(mapped.cube, mapped.map, sets, f"Configurations worth having{cut}", path)


def draw_stiffness(args, mapped, figures, path):
    if not np.isfinite(mapped.cube["stiffness_ratio"].values).any():
        raise NotOurs(f"{mapped.path}: no cell has a stiffness ratio; `maps.py precision` shows its work")
    tolerance = args.rtol or 1e-6
    title = f"Work against the stiffness ratio, rtol {tolerance:g}"
    figures.draw_stiffness(mapped.cube, mapped.map, tolerance, title, path)


def draw_scores(args, mapped, figures, path):
    tolerances = [args.rtol] if args.rtol else mapped.cube["rtol"].values
    title = f"Points of (36), weights {args.weights} (more is better)"
    figures.draw_scores(mapped.cube, args.weights, tolerances, title, path)


def draw_measure(args, mapped, figures, path):
    figures.draw(mapped.cube, args.measure, (args.x, args.y), path)


PICTURES = {  # name -> how, and the module that draws
    "map": (draw_winners, "map_figures"),
    "along": (draw_along, "map_figures"),
    "shares": (draw_shares, "map_figures"),
    "precision": (draw_precision, "cost_figures"),
    "pareto": (draw_pareto, "cost_figures"),
    "stiffness": (draw_stiffness, "cost_figures"),
    "scores": (draw_scores, "cost_figures"),
    "measure": (draw_measure, "measure_figures"),
}


def draw(args, mapped, path):
    """The picture that the arguments ask for."""
    how, module = PICTURES[args.picture]
    how(args, mapped, __import__(module), path)


def work(args):
    mapped = open_mapped(args.cube)
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    path = written.place(args.folder, args.picture, alone=True)
    for solver in mapped.cube["solver"].values:  # own solvers get their colours in the order of the cube
        style.solver_colour(str(solver))
    draw(args, mapped, path)
    print(path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
