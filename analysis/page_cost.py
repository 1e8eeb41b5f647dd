"""Data of a page that shows work as a time: the steps of the runs, and the table of the time of one beside f."""
import math
import os
from dataclasses import dataclass

import numpy as np
import yaml

from cost_data import TERMS
from cube import NotOurs

STEPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "sweep", "step_costs.yaml")
LANES = (1, 4, 8)
ALGEBRA = ("factorisation", "solve")  # part of a step where work is a time


def tried(cube):
    """Steps that were tried [cell][..], or None."""
    if "steps" not in cube or "failed_steps" not in cube:
        return None
    return cube["steps"].load() + cube["failed_steps"].load()


def algebra(cube, of_map):
    """Share of linear algebra in the work, in evaluations of f."""
    terms = zip(str(of_map.attrs["work_terms"]).split(), np.atleast_1d(of_map.attrs["work_weights"]))
    return sum((float(w) * cube[TERMS[term]].load() for term, w in terms if w and term in ALGEBRA), 0.0 * cube["steps"].load())


@dataclass
class Table:
    """A table written by `saltus calibrate-work`, as src/sweep/step_table.c reads it."""

    path: str
    machine: str
    states: list
    rows: dict  # {(solver, strategy, lanes): times in ns}; lanes None: any

    def step(self, solver, strategy, lanes, n):
        """[s] of a tried step; NaN: not measured."""
        times = [self.rows[key] for key in ((solver, strategy, lanes), (solver, strategy, None)) if key in self.rows]
        return power(self.states, times[0], n) if times else float("nan")


def power(states, times, n):
    """[s] for n states, by powers of n between the numbers that are measured; NaN: none is."""
    there = np.array(times) > 0
    if not there.any():
        return float("nan")
    x, y = np.log(states)[there], np.log(1e-9 * np.array(times)[there])
    if x.size == 1:
        return float(np.exp(y[0]))
    at = max(np.log(n), x[0])
    i = min(int(np.searchsorted(x[1:-1], at)), x.size - 2)
    rise = (y[i + 1] - y[i]) / (x[i + 1] - x[i])
    return float(np.exp(y[-1] + max(rise, 0) * (at - x[-1]) if at > x[-1] else y[i] + rise * (at - x[i])))


def numbers(values, fits):
    """A list of numbers; YAML of Python takes 1e3 for a text."""
    found = [float(v) for v in values if not isinstance(v, bool)]
    if not isinstance(values, list) or not found or len(found) < len(values) or not all(math.isfinite(v) and fits(v) for v in found):
        raise ValueError
    return found


def row(of, n):
    """((solver, strategy, lanes), times) of an item of `steps`."""
    times, lanes = numbers(of["ns"], lambda v: v >= 0), of.get("lanes")
    if set(of) - {"solver", "strategy", "lanes", "ns"} or len(times) != n or lanes not in (None, *LANES) or of["strategy"] not in ("switch", "event", "capture"):
        raise ValueError
    return (str(of["solver"]), of["strategy"], lanes), times


def read(path):
    """The table of a file; the program's messages about an invalid one are more detailed."""
    line = 1
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        content = yaml.safe_load(text)
        if content["step_costs"] != 1:
            raise ValueError
        states, found = numbers(content["states"], lambda v: v >= 1), {}
        lines = [item.start_mark.line + 1 for key, value in yaml.compose(text).value if key.value == "steps" for item in value.value]
        for line, item in zip(lines, content["steps"]):
            key, times = row(item, len(states))
            if key in found:
                raise ValueError
            found[key] = times
        return Table(path, str(content["machine"]), states, found)
    except OSError as why:
        raise NotOurs(f"{path}: {why.strerror}") from None
    except yaml.YAMLError as why:
        mark = getattr(why, "problem_mark", None)
        raise NotOurs(f"{path}:{mark.line + 1 if mark else line}: no YAML") from None
    except (LookupError, TypeError, ValueError, AttributeError):
        raise NotOurs(f"{path}:{line}: no table of steps as saltus calibrate-work writes it") from None


def steps_of(pairs, n, path=None, lanes=1):
    """{steps: time of a step of each pair [s], machine, lanes}; None where the program's own table does not know one of them."""
    table = read(path or STEPS)
    known = [table.step(solver, "switch" if strategy == "switch" else "event", lanes, n) for strategy, solver in pairs]
    missing = [pair for pair, time in zip(pairs, known) if not math.isfinite(time)]
    if path and missing:
        raise NotOurs(f"{path}: has no step of {missing[0][1]} with {missing[0][0]} and {lanes} lane{'s' if lanes > 1 else ''}")
    return None if missing else {"steps": known, "machine": table.machine, "lanes": lanes}
