"""What a page needs to say work as a time: the steps of the runs, and the table of what one takes beside f."""
import os
import re

import numpy as np

from cost_data import TERMS

STEPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "sweep", "step_costs.def")
SIZES = np.log([2.0, 4.0, 16.0])  # numbers of states, as in src/sweep/step_cost.c
ALGEBRA = ("factorisation", "solve")  # part of a step where work is a time


def tried(cube):
    """Steps that were tried [cell][..], or None."""
    if "steps" not in cube or "failed_steps" not in cube:
        return None
    return cube["steps"].load() + cube["failed_steps"].load()


def algebra(cube, of_map):
    """What linear algebra adds to work, in evaluations of f."""
    terms = zip(str(of_map.attrs["work_terms"]).split(), np.atleast_1d(of_map.attrs["work_weights"]))
    return sum((float(w) * cube[TERMS[term]].load() for term, w in terms if w and term in ALGEBRA), 0.0 * cube["steps"].load())


def rows():
    """{(solver, strategy): times in ns}, and the machine they were measured on."""
    with open(STEPS, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r'^SAL_STEP_COST\("([^"]+)", "([^"]+)", ([^)]+)\)', text, re.M)
    machine = re.search(r'^SAL_STEP_MACHINE\("([^"]+)"\)', text, re.M)
    return {(m, s): [float(v) for v in ns.split(",")] for m, s, ns in found}, machine.group(1)


def step(times, n):
    """[s] for n states, by powers of n between the numbers that are measured; NaN: none is."""
    there = np.array(times) > 0
    if not there.any():
        return float("nan")
    x, y = SIZES[there], np.log(1e-9 * np.array(times)[there])
    if x.size == 1:
        return float(np.exp(y[0]))
    at = max(np.log(n), x[0])
    i = min(int(np.searchsorted(x[1:-1], at)), x.size - 2)
    return float(np.exp(y[i] + max((y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0) * (at - x[i])))


def steps_of(pairs, n):
    """({of each pair: time of a step [s]}, machine), or None where one of them is not known."""
    table, machine = rows()
    known = [step(table.get((solver, "switch" if strategy == "switch" else "event"), ()), n) for strategy, solver in pairs]
    return None if not all(np.isfinite(known)) else (known, machine)
