"""Answers point by point, as a picture has them: of `saltus raster`, or of the cells of a grid."""

import os
import subprocess
import tempfile
from dataclasses import dataclass

import numpy as np

from cube import NotOurs, open_group, program
from map_data import Axis, label, panels, quantities, symbol
from page_data import Column
from raster_image import CAPTURED, NO_CONFIG, NO_REFERENCE

SIZE = (200, 200)  # points of a panel
PANELS = 3  # along an axis of panels, of a continuous one
MOST_PANELS = 6  # of cells of a grid


@dataclass
class Raster:
    """All arrays are [down][across][y][x]; "" where nothing answers, NaN where the margin is not known."""

    solver: np.ndarray
    strategy: np.ndarray
    margin: np.ndarray  # extra work of the best of the other solvers, of cells of the runner-up, as a share
    confidence: np.ndarray  # probability that the answer needs less work than that one
    gap: np.ndarray  # of raster_image
    x: Axis
    y: Axis = None
    across: Axis = None
    down: Axis = None
    still: tuple = ()  # (name, number or word) of what is on no axis
    deciding: tuple = ()  # names of the axes, what decides most first
    steps_of: str = ""  # the machine whose steps are in the work, where that is a time

    def share(self, there):
        """Share of all points where `there` is true."""
        return float(np.mean(there))


def possible(mapped, question):
    """Does the program answer this question between the cells?"""
    return question.kind == "error" and "answer_pair" in mapped.map and "surrogate_shape_at" in mapped.map.attrs


# ---- of the program ----


def words(mapped, fixed):
    """{name: word} of the options that differ from cell to cell: what is asked for, else the first one."""
    found = {}
    for name in quantities(mapped.cube):
        variable = mapped.cube[name]
        if "flag_meanings" in variable.attrs:
            meanings = str(variable.attrs["flag_meanings"]).split()
            number = int(fixed.pop(name, variable.values.min()))
            if not 0 <= number < len(meanings):
                raise NotOurs(f"{mapped.path}: {name} = {number} is none of {', '.join(f'{i}: {w}' for i, w in enumerate(meanings))}")
            found[name] = meanings[number]
    return found


def own_name(name):
    """As --at has it: initial values go by the name of the state."""
    return name.removeprefix("initial_")


def command(saltus, mapped, question, out, size, wanted):
    """The call of the program that answers as the map does."""
    fixed = dict(wanted.get("fixed") or {})
    still = {**words(mapped, fixed), **{name: repr(float(value)) for name, value in fixed.items()}}
    made = [saltus, "raster", mapped.path, "-o", out, "--error", repr(question.asked), "--by", mapped.metric, "--size", f"{size[0]}x{size[1]}"]
    if still:
        made += ["--at", ",".join(f"{own_name(name)}={value}" for name, value in still.items())]
    for role in ("x", "y", "across"):
        if wanted.get(role):
            made += [f"--{role}", own_name(wanted[role])]
    if wanted.get("across") or wanted.get("panels"):
        made += ["--panels", str(wanted.get("panels") or PANELS)]
    attrs = mapped.map.attrs
    for option, name in (("--solvers", "methods"), ("--strategies", "strategies")):
        if name in attrs:
            made += [option, ",".join(str(attrs[name]).split())]
    if np.isfinite(attrs.get("f_costs", np.nan)):
        made += ["--f-costs", f"{float(attrs['f_costs'])!r}s", "--lanes", str(int(attrs.get("lanes", 1)))]
        made += ["--steps", wanted["steps"]] if wanted.get("steps") else []
    elif "work_weights" in attrs:
        made += ["--work", ",".join(f"{term}={float(weight)!r}" for term, weight in zip(str(attrs["work_terms"]).split(), attrs["work_weights"]))]
    return made


def axis_of(found, role):
    """An axis of the file; None where it has none."""
    name, attrs = str(found.attrs[role]), found.attrs
    if not name:
        return None
    variable = found[name]
    column = Column(name, np.array([]), str(variable.attrs.get("long_name", "")), str(variable.attrs.get("units", "1")),
                    bool(attrs[f"{role}_log"]), float(attrs[f"{role}_lo"]), float(attrs[f"{role}_hi"]))
    shape = [int(attrs[f"{r}_size"]) for r in ("panel", "y", "x")]
    values = np.moveaxis(variable.values.reshape(shape), ("panel", "y", "x").index(role), 0)[:, 0, 0]
    return Axis(name, values, label(variable, name), symbol(name), column.what, column)


def number_or_word(name, value):
    try:
        return name, float(value)
    except ValueError:
        return name, value


def read(path):
    """A file of `saltus raster`."""
    found = open_group(path)
    if found.attrs.get("content") != "saltus raster":
        raise NotOurs(f"{path}: no raster of saltus")
    shape = (1, *(int(found.attrs[f"{role}_size"]) for role in ("panel", "y", "x")))
    of = lambda name: found[name].values.reshape(shape)  # noqa: E731
    named = lambda number, names: np.array(["", *str(found.attrs[names]).split()], dtype=object)[of(number).astype(int)]  # noqa: E731
    reason = named("reason_number", "reasons")
    gap = np.select([of("solver_number") > 0, reason == "no_reference", reason == "captured"], [0, NO_REFERENCE, CAPTURED], NO_CONFIG)
    still = tuple(number_or_word(*part.split("=")) for part in str(found.attrs["at"]).split(",") if part)
    axes = {name: axis_of(found, role) for name, role in (("x", "x"), ("y", "y"), ("across", "panel"))}
    deciding = tuple(part.split("=")[0] for part in str(found.attrs["decides"]).split(",") if part)
    return Raster(named("solver_number", "solvers"), named("strategy_number", "strategies"), of("other_margin"), of("other_confidence"),
                  gap, still=still, deciding=deciding, steps_of=str(found.attrs.get("steps_of", "")), **axes)


def of_program(mapped, question, size=SIZE, **wanted):
    """The answers of `saltus raster`; wanted: x, y, across (names, or what decides most), panels, fixed {name: value}, and steps (a file)."""
    saltus = program()
    if not saltus:
        raise NotOurs(f"{mapped.path}: the answers between cells are those of `saltus raster`, and no saltus was found ($SALTUS names one)")
    if wanted.get("down"):
        raise NotOurs(f"{mapped.path}: --down is of cells that make a grid; answers between cells have panels --across alone")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "raster.h5")
        done = subprocess.run(command(saltus, mapped, question, out, size, wanted), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            said = [line.removeprefix("saltus raster: ") for line in done.stderr.splitlines() if line.startswith("saltus")]
            raise NotOurs(said[-1] if said else f"{mapped.path}: saltus raster ended with {done.returncode}")
        found = read(out)
    by = str(mapped.map.attrs.get("steps_of", ""))
    if by and by != found.steps_of:
        raise NotOurs(f"{mapped.path}: its map is by times of steps on {by}, and these are of {found.steps_of}: name that table (--steps FILE)")
    return found


def deciding(mapped, question, steps=None):
    """Names of the axes that a picture is drawn over, what decides most first; [] without the program. steps: a table of one's own."""
    if not program() or not possible(mapped, question):
        return []
    return list(of_program(mapped, question, (1, 1), steps=steps).deciding)


# ---- of cells ----


def thinned(n):
    """At most MOST_PANELS of n indices, ends included."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST_PANELS)).round().astype(int))


def of_cells(found, axes, x, y=None, across=None, down=None, at=None):
    """Answers of the cells of a grid, a point each. x, y, across, down: names of axes; at: {name: index} for the others."""
    by_name = {axis.name: axis for axis in axes}
    cells = panels(axes, x, y, across, down, at)
    rows, columns = thinned(cells.shape[0]), thinned(cells.shape[1])
    cells = cells[rows][:, columns]
    confidence = np.full(found.margin.shape, np.nan) if found.confidence is None else found.confidence
    some = lambda name, which: Axis(name, by_name[name].values[which], by_name[name].label, by_name[name].symbol, "") if name else None  # noqa: E731
    return Raster(found.solver[cells], found.strategy[cells], found.margin[cells], confidence[cells], found.gap[cells], by_name[x],
                  by_name[y] if y else None, some(across, columns), some(down, rows),
                  tuple((name, float(by_name[name].values[index])) for name, index in (at or {}).items()))
