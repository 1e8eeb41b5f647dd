"""The case of Table 5 of Dallas, Machairas and Papadopoulos, A Comparison of ODE Solvers for
Dynamical Systems with Impacts, and what `saltus recommend` answers to it."""

import json
import subprocess

import numpy as np

import page
from cube import NotOurs

SOURCE = "Dallas, Machairas, Papadopoulos"  # of the model
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
    names = str(cube.attrs.get("axes", "")).split()
    source = str(cube.attrs.get("model_source", ""))
    return source.startswith(SOURCE) and set(NOMINAL) <= set(names)


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
    """{method: row of the ranking} of the methods of the paper that the cube has.

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
        new = [row for row in answer["ranking"] if row["method"] in left]
        if not new:
            break
        for row in new:
            found[row["method"]] = row
        left = [m for m in left if m not in found]
    return found


def section(atlas, program):
    """The nominal set by error, and its Table 5 case beside the paper's, as HTML."""
    point = ", ".join(f"{name} = {value:g}" for name, value in NOMINAL.items())
    rows = []
    errors = [q.asked for q in atlas.questions("error")] or [1e-2, 1e-4, 1e-6]
    for asked, answer in by_error(program, atlas.path, errors):
        for rank, row in enumerate(answer["ranking"], 1):
            more = 100 * (row["work"] / answer["ranking"][0]["work"] - 1)
            rows.append(
                (
                    f"{asked:g}",
                    rank,
                    row["method"],
                    row["strategy"],
                    f"{row['tolerance']:g}",
                    round(row["work"]),
                    f"+{more:.0f} %",
                    f"{row['error']:.1e}",
                    f"{answer['agree']} of {answer['cells']}",
                )
            )
    head = [
        "error asked",
        "rank",
        "method",
        "strategy",
        "tolerance",
        "work",
        "more work",
        "error expected",
        "cells that agree",
    ]
    exact = all(
        np.isclose(atlas.cube[n].values, v, rtol=1e-9, atol=0).any() for n, v in NOMINAL.items()
    )
    said = (
        "a cell of the grid"
        if exact
        else "no cell of the grid: the answers are interpolated from the cells around it"
    )
    parts = [
        f"<p>The paper's nominal hopper is {point}. It is {said}.</p>",
        page.table(
            head,
            rows,
            "Least work for an error, the first and the next with another method or strategy",
        ),
    ]
    found = table_5(program, atlas.path, list(atlas.cube["method"].values))
    ours = sorted(found, key=lambda m: -found[m]["points"])
    theirs = sorted(TOTAL, key=lambda m: -TOTAL[m])
    rows = []
    for method in theirs:
        row = found.get(method)
        rows.append(
            (
                method,
                theirs.index(method) + 1,
                TOTAL[method] / SETS,
                ours.index(method) + 1 if row else "-",
                float(row["points"]) if row else "-",
                round(row["work"]) if row else "-",
                f"{row['error']:.1e}" if row else "-",
            )
        )
    head = [
        "method",
        "paper's rank",
        "paper's points",
        "our rank",
        "our points",
        "our work",
        "our error",
    ]
    caption = (
        f"Table 5 of the paper ({STRATEGY}, tolerance {TOLERANCE:g}, weights {WEIGHTS}): its "
        "totals divided by "
        f"its {SETS} sets, beside the answer for the nominal set"
    )
    parts.append(page.table(head, rows, caption))
    parts.append(difference(theirs, ours))
    return "\n".join(parts)


def difference(theirs, ours):
    """Why the two rankings differ, from what is known of how each was made."""
    if not ours:
        return ""
    same = theirs[0] == ours[0]
    moved = [m for m in ours if abs(ours.index(m) - theirs.index(m)) > 1]
    said = (
        f"Both rank {ours[0]} first. "
        if same
        else f"The paper ranks {theirs[0]} first, this map {ours[0]}. "
    )
    if moved:
        said += f"More than one place apart: {', '.join(moved)}. "
    return (
        f"<p>{said}The two do not measure the same: the paper's points are sums over {SETS} sets "
        "along its axes "
        "and those here belong to one point, on a scale from the best to the worst of all cells; "
        "the paper's solution "
        "duration is the time of its own computer and language, here it is work in evaluations of "
        "f, factorisations "
        "and solves included; and the paper's errors are distances from the mean of four of the "
        "compared solvers, here "
        "from a certified reference.</p>"
    )
