"""The case of Table 5 of Dallas, Machairas and Papadopoulos, A Comparison of ODE Solvers for
Dynamical Systems with Impacts, and what `saltus recommend` answers to it."""

import json
import subprocess

import numpy as np

import page
from cube import NotOurs

NOMINAL = {"b": 1951, "m1": 1.88, "k": 22.8, "f": 0.051}  # Table 2, fifth set
TOLERANCE, WEIGHTS, STRATEGY = 1e-6, "sd=2,dt=0,iae=1", "switch"
SETS = 13  # over which the published points are summed
TOTAL = {  # p_tot of (36), Table 5
    "ode113": 376.80,
    "ode45": 376.16,
    "ode23": 371.36,
    "ode15s": 364.47,
    "ode23tb": 335.03,
    "ode23t": 329.50,
    "ode23s": 287.71,
}


def applies(cube):
    """Does the cube map the paper's four parameters?"""
    return set(NOMINAL) <= set(str(cube.attrs.get("axes", "")).split())


def ask(program, cube, *question):
    """The answer of `saltus recommend` for the nominal set, as a dictionary."""
    at = ",".join(f"{name}={value:g}" for name, value in NOMINAL.items())
    command = [program, "recommend", cube, "--at", at, "--json", *question]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except OSError as why:
        raise NotOurs(f"{program}: cannot be run ({why.strerror})") from None
    except subprocess.TimeoutExpired:
        raise NotOurs(f"{program}: no answer within 300 seconds") from None
    if done.returncode not in (0, 1):  # 1: outside the mapped region, and its edge answered
        reason = done.stderr.strip().splitlines()[:1] or [f"exit status {done.returncode}"]
        raise NotOurs(f"saltus recommend: {reason[0]}")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise NotOurs(f"{program} recommend --json: its answer is no JSON") from None


def by_error(program, cube, errors):
    """[(error, answer)]."""
    return [(error, ask(program, cube, f"--error={error:g}")) for error in errors]


def table_5(program, cube, there):
    """{solver: row of the ranking} of the solvers of the paper that the cube has.

    An answer names four, so those that were not named are asked for again.
    """
    left, found = [m for m in TOTAL if m in there], {}
    while left:
        answer = ask(
            program,
            cube,
            f"--tol={TOLERANCE:g}",
            f"--weights={WEIGHTS}",
            f"--strategies={STRATEGY}",
            f"--methods={','.join(left)}",
        )
        new = {solver_of(row): row for row in answer["ranking"] if solver_of(row) in left}
        if not new:
            break
        found |= new
        left = [m for m in left if m not in found]
    return found


def solver_of(row):
    """Of a row of the ranking; older programs call it method."""
    return row["solver"] if "solver" in row else row["method"]


def ranking_rows(asked, answer):
    """Rows of a table: the answers to one question, the best first."""
    least = answer["ranking"][0]["work"]
    return [
        (
            f"{asked:g}",
            rank,
            solver_of(row),
            row["strategy"],
            f"{row['rtol'] if 'rtol' in row else row['tolerance']:g}",
            round(row["work"]),
            f"+{100 * (row['work'] / least - 1):.0f} %",
            f"{row['error']:.1e}",
            f"{answer['agree']} of {answer['cells']}",
        )
        for rank, row in enumerate(answer["ranking"], 1)
    ]


def beside_rows(found, theirs, ours):
    """Rows of a table: the paper's places and points beside ours."""
    rows = []
    for rank, name in enumerate(theirs, 1):
        row = found.get(name)
        own = (ours.index(name) + 1, float(row["points"]), round(row["work"])) if row else ("-",) * 3
        error = f"{row['error']:.1e}" if row else "-"
        rows.append((name, rank, TOTAL[name] / SETS, *own, error))
    return rows


ERROR_HEAD = (
    *("error asked", "rank", "solver", "strategy", "tolerance", "work", "more work"),
    *("error expected", "cells that agree"),
)
BESIDE_HEAD = (
    *("solver", "paper's rank", "paper's points", "our rank", "our points", "our work", "our error"),
)


def is_cell(cube):
    """Is the nominal set a point of the grid?"""
    near = [np.isclose(cube[n].values, v, rtol=1e-9, atol=0) for n, v in NOMINAL.items()]
    return bool(np.all(near, axis=0).any())


def section(mapped, program):
    """The nominal set by error, and its Table 5 case beside the paper's, as HTML."""
    point = ", ".join(f"{name} = {value:g}" for name, value in NOMINAL.items())
    errors = [q.asked for q in mapped.questions("error")] or [1e-2, 1e-4, 1e-6]
    rows = []
    for asked, answer in by_error(program, mapped.path, errors):
        rows += ranking_rows(asked, answer)
    said = "no cell of the grid: the answers are interpolated from the cells around it"
    if is_cell(mapped.cube):
        said = "a cell of the grid"
    least = "Least work for an error, the first and the next with another solver or strategy"
    found = table_5(program, mapped.path, list(mapped.cube["solver"].values))
    ours = sorted(found, key=lambda m: -found[m]["points"])
    theirs = sorted(TOTAL, key=lambda m: -TOTAL[m])
    beside = (
        f"Table 5 of the paper ({STRATEGY}, tolerance {TOLERANCE:g}, weights {WEIGHTS}): its totals "
        f"divided by its {SETS} sets, beside the answer for the nominal set"
    )
    parts = [
        page.paragraph(f"The paper's nominal hopper is {point}. It is {said}."),
        page.table(ERROR_HEAD, rows, least),
        page.table(BESIDE_HEAD, beside_rows(found, theirs, ours), beside),
        difference(theirs, ours),
    ]
    return "\n".join(parts)


def difference(theirs, ours):
    """Why the two rankings differ, from what is known of how each was made."""
    if not ours:
        return ""
    said = f"The paper ranks {theirs[0]} first, this map {ours[0]}. "
    if theirs[0] == ours[0]:
        said = f"Both rank {ours[0]} first. "
    moved = [m for m in ours if abs(ours.index(m) - theirs.index(m)) > 1]
    if moved:
        said += f"More than one place apart: {', '.join(moved)}. "
    return page.paragraph(
        f"{said}The two do not measure the same: the paper's points are sums over {SETS} sets along "
        "its axes and those here belong to one point, on a scale from the best to the worst of all "
        "cells; the paper's solution duration is the time of its own computer and language, here it "
        "is work in evaluations of f, factorisations and solves included; and the paper's errors are "
        "distances from the mean of four of the compared solvers, here from a certified reference."
    )
