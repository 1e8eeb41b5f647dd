#!/usr/bin/python3
"""The answers of maps and of advise, judged on many systems by one command: a table, and its numbers."""

import csv
import dataclasses
import json
import os
import re
import resource
import subprocess
import time

import numpy as np
import yaml

import regret_data as data
import written
from command_line import Parser, run
from cube import NotOurs, open_cube

EXPLANATION = """\
For each system: a map of Sobol cells, `saltus regret` at fresh points, and `saltus advise` at some of these. DIR gets the
sweeps, cubes and answers, judge.txt, and judge.csv, attempts.csv and advice.csv. A row is a system at one asked error:

  regret       mean work of the schedule until the error is reached over the virtual best's, minus 1, and its 95 % interval
               (bootstrap over points)
  predicted, observed   probability of the first attempts, and the share of them that reached the error; the same apart for
               tolerances of the map and those between
  work         mean true over predicted work of the first attempts
  single       regret of the single best, chosen on the map's cells; ode45: of ode45 at its best tolerance there
  oracle       regret with the distribution of errors at each point known (more than one replicate)
  less than single   mean work that the schedule saves beside the single best, over the virtual best's, and its 95 % interval (paired)
  CPU          seconds of map and regret

Below it the answers of all systems, by the cells and tolerances of their maps: how many, predicted and observed success, and the
probability of so few hits, and of so many, if the predicted ones were exact (Poisson-binomial); the least of these of a single row,
times the number of rows; true over predicted work by bands of probability, with 95 % intervals (bootstrap).  Last the answers of advise, at
points whose errors take turns, beside runs of all solvers there at quarter decades: how many points have a run that reaches the error, how many
of these an answer; misses, and those by more than a factor 1.2; estimated over true error; work over the cheapest, and of all runs at the point
(median).  --cells and
--seed take several numbers: maps share the points of a seed.  --thin makes maps of 33 tolerances and thins them to 9, so that those
left out, at which "between" answers lie, are known: beside each thinned map stands the whole one.

--small judges a few cells and points of two systems, and fails where success, regret, or success between
tolerances of the maps (where the points have the truth) are out of wide bounds.

example:
  analysis/judge.py -o judged --seed 7 --only stick-slip,slip
  analysis/judge.py -o judged --seed 47,4747 --cells 384,1536 --replicates 1 --advice 0
"""

SOLVERS = ["ode23", "ode45", "tsit5", "dop853", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "radau5", "rosnys4"]
ERRORS = (1e-2, 1e-4, 1e-6)  # of the range of what is scored

VIBRO = ({"zeta": (0.01, 0.2), "w": (0.5, 3), "a": (0.2, 3), "e": (0.2, 0.9)}, ["zeta"], 2.0)
TABLE = ({"e": (0.2, 0.9), "a": (0.01, 0.4), "w": (1, 10), "y": (0.5, 2)}, [], 1.0)
SLIP = ({"k": (10, 50), "alpha": (60, 75), "y": (0.95, 1.1), "vx": (1, 2.5)}, ["k"], 0.3)
STICK = ({"k": (0.5, 2), "vb": (0.11, 0.5), "fk": (0.3, 0.7), "c": (0, 0.1)}, ["k", "vb"], 1.0)
LEG = ({"mu": (0.6, 0.95), "k": (1000, 30000), "dF": (0, 300), "dG": (-120, 0)}, ["k"], 0.5)
LEG_OF_BODIES = ({"m_upper": (50, 75), "k": (10000, 20000), "dF": (0, 300), "dG": (-120, 0)}, ["k"], 0.5)
HOPPER = ({"b": (1770, 2150), "m1": (1.7, 2.08), "k": (20.7, 25.1), "f": (0.0463, 0.0561)}, ["b", "m1", "k", "f"], 1.0)
START = {"y1": 0.5, "v1": 0, "y2": 1.5, "v2": 0}

# Name: model, (box, columns by logarithms, range of what is scored), more of the sweep.  The last ten are texts.
SYSTEMS = {
    "vibro-impact": ("vibro-impact", VIBRO, {}),
    "shaking-table": ("shaking-table", TABLE, {}),
    "slip": ("slip", SLIP, {}),
    "stick-slip": ("stick-slip", STICK, {}),
    "hopping-leg": ("hopping-leg", LEG, {}),
    "monopod": ("monopod", HOPPER, {"initial": START, "t_end": 50}),
    "plate": ("plate", ({"K": (100, 1000), "C": (0.2, 20), "z": (2, 3), "th": (-0.1, 0.1)}, ["K", "C"], 2.0), {"parameters": {"n": 16}, "t_end": 2}),
    "rocking-block": ("rocking-block.yaml", ({"al": (0.1, 0.5), "r": (0.5, 0.95), "A": (0.02, 0.5), "om": (1, 20)}, ["om"], 0.4), {}),
    "two-legged-hopper": ("two-legged-hopper.yaml", ({"k": (3000, 20000), "c": (1, 100), "F": (0, 300), "ph": (-0.15, 0.15)}, ["k", "c"], 0.5), {}),
    "quarter-car": ("quarter-car.yaml", ({"k_stop": (2e5, 5e6), "c_stop": (1e3, 5e5), "c": (500, 3000), "k_tyre": (1e5, 3e5)}, ["k_stop", "c_stop", "c", "k_tyre"], 0.3), {}),
    "vibro-impact text": ("vibro-impact-equations.yaml", VIBRO, {}),
    "shaking-table text": ("shaking-table-equations.yaml", TABLE, {}),
    "slip text": ("slip-equations.yaml", SLIP, {}),
    "stick-slip text": ("stick-slip-equations.yaml", STICK, {}),
    "hopping-leg text": ("hopping-leg-equations.yaml", LEG, {}),
    "hopping-leg indexed": ("hopping-leg-dae.yaml", LEG_OF_BODIES, {}),
    "monopod text": ("monopod-equations.yaml", HOPPER, {"initial": START, "t_end": 50}),
}
SMALL = ("stick-slip", "slip")
BOUNDS = {"regret": 1.0, "predicted - observed": 0.12}  # of a row of the small form
BETWEEN = 0.06  # largest observed - predicted between tolerances of the map, where the points have the truth, pooled

BANDS = (0, 0.8, 0.95, 1 + 1e-12)  # of probability, in which works are compared

COLUMNS = ("system", "cells", "rtols", "seed", "error", "points", "regret", "low", "high", "predicted", "observed", "n at", "predicted at", "observed at",
           "n between", "predicted between", "observed between", "work", "single", "less than single", "less low", "less high", "ode45", "oracle", "CPU")
ATTEMPTS = ("system", "cells", "rtols", "seed", "error", "at a decade", "predicted", "observed", "work")
ADVICE = ("system", "seed", "error", "at", "solver", "strategy", "rtol", "estimate", "error of it", "of the reference", "work", "check", "cheapest", "seconds", "CPU")


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("-o", dest="folder", metavar="DIR", required=True)
    parser.add_argument("--seed", metavar="N,..", default="1", help="of the points (default: 1)")
    parser.add_argument("--cells", metavar="N,..", default="384", help="of a map (default: 384)")
    parser.add_argument("--thin", action="store_true", help="maps of 33 tolerances, and the same thinned to 9")
    parser.add_argument("--points", type=int, default=100, help="of a system (default: 100)")
    parser.add_argument("--replicates", type=int, default=3, help="runs at a point (default: 3)")
    parser.add_argument("--advice", type=int, default=10, help="points at which advise is run (default: 10)")
    parser.add_argument("--seconds", type=float, default=6, help="of advise (default: 6)")
    parser.add_argument("--only", metavar="NAME,..", help=f"systems; there are {', '.join(SYSTEMS)}")
    parser.add_argument("--models", metavar="DIR", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sweeps", "models"),
                        help="folder of the texts (default: sweeps/models)")
    parser.add_argument("--small", action="store_true", help=f"{' and '.join(SMALL)} with 96 cells and 24 points, within bounds")
    return parser.parse_args()


def program(*words, output=None):
    """The text that saltus prints, and CPU seconds; its own message where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([os.environ.get("SALTUS", "saltus"), *words], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if output is None and done.returncode:
        raise NotOurs(f"saltus {words[0]}: {done.stderr.strip()[-400:]}")
    return done.stdout, after.ru_utime - before.ru_utime


def sweep_of(name, args, cells, rtols):
    """The text of a sweep, of rtols between 1e-2 and 1e-10."""
    model, (box, log, span), more = SYSTEMS[name]
    path = os.path.relpath(os.path.join(args.models, model), args.folder) if model.endswith(".yaml") else model
    axis = {"columns": list(box), "sobol": [list(map(float, ends)) for ends in box.values()], "points": cells, **({"log": log} if log else {})}
    return yaml.safe_dump({"title": name, "model": path, "cells": {"axes": [axis]}, **more, "solvers": SOLVERS, "strategies": ["switch", "event"],
                           "unsupported": "leave-out", "rtol": [10.0**-k for k in np.linspace(2, 10, rtols).tolist()], "points": "global", "budget": {"work": 60000},
                           "cutoff": {"baselines": ["ode113"], "second_baselines": ["ode15s", "dop853", "rosnys4"], "exempt": ["radau5"],
                                   "order": "tolerances", "error": 1e-6 * span, "factor": 4, "loosest": 3.2e-2 * span}}, sort_keys=False)


def interval(choices, seed):
    """Mean regret of a schedule and its 95 % interval."""
    here = np.flatnonzero(choices.count > 0)
    draws = np.random.default_rng(seed).choice(here, (2000, len(here)))
    means = choices.total[draws].sum(axis=1) / choices.count[draws].sum(axis=1) - 1
    return choices.total[here].sum() / choices.count[here].sum() - 1, *np.quantile(means, (0.025, 0.975))


def saved(schedule, other, seed):
    """Mean work that a schedule saves beside another choice at the same points, over the virtual best's, and its 95 % interval."""
    here = np.flatnonzero(schedule.count > 0)
    draws = np.random.default_rng(seed).choice(here, (2000, len(here)))
    less = other.total - schedule.total
    means = less[draws].sum(axis=1) / schedule.count[draws].sum(axis=1)
    return less[here].sum() / schedule.count[here].sum(), *np.quantile(means, (0.025, 0.975))


def tries_of(runs, costs, answers):
    """[(at a whole decade?, predicted, observed, true over predicted work)] of the first attempts."""
    rows = []
    for p, answer in enumerate(answers):
        if not answer["schedule"] or not np.isfinite(costs.best[p]).any():
            continue
        first = answer["schedule"][0]
        pair = runs.pairs.index((first["strategy"], first["solver"]))
        level, share = data.between(runs.levels, first["rtol"])
        near = [(level, 1 - share), (level + 1, share)]
        hit, paid = (sum(w * values[p, :, k, pair].mean() for k, w in near if w > 0) for values in (costs.hit, costs.paid))
        decades = np.log10(first["rtol"])
        rows.append((abs(decades - round(decades)) < 1e-6, first["probability"], hit, paid / first["work"]))
    return np.array(rows, dtype=float).reshape(-1, 4)


def ask_advice(name, args, at, asked):
    """The answer of advise at a point: a part of a row of ADVICE."""
    model, _, more = SYSTEMS[name]
    path = os.path.join(args.models, model) if model.endswith(".yaml") else model
    words = ["advise", path, "--at", ",".join(f"{k}={v!r}" for k, v in at.items()), "--error", repr(asked), "--seconds", repr(args.seconds), "-q", "--json"]
    began = time.monotonic()
    text, spent = program(*words, *(["--t-end", repr(more["t_end"])] if "t_end" in more else []), output=True)
    found = json.loads(text) if text.strip() else {}
    answer = found.get("answer") or {}
    return {"error": asked, "at": words[3], **{k: answer.get(k) for k in ("solver", "strategy", "rtol")}, "estimate": found.get("estimated_error"),
            "check": sum(r["work"] or 0 for h in found.get("here", []) for r in (h, h["check"])), "seconds": time.monotonic() - began, "CPU": spent}


def truth_of(name, args, seed, points, rtols, question):
    """The runs of all solvers at points, at quarter decades and exactly these tolerances, and the errors of the references."""
    text = yaml.safe_load(sweep_of(name, args, 2, 33))
    columns = text["cells"]["axes"][0]["columns"]
    text["cells"] = {"columns": columns, "rows": [[float(p["at"][c]) for c in columns] for p in points]}
    text.update({"solvers": ["all"], "strategies": ["switch", "event", "ess2"], "rtol": sorted({float(f"{t:.12g}"): t for t in [*text["rtol"], *rtols]}.values(), reverse=True), "budget": {"work": 1e6}})
    del text["cutoff"]
    base = os.path.join(args.folder, re.sub("[^a-z-]+", "-", name)) + f"-advice-{seed}"
    written.text(base + ".yaml", yaml.safe_dump(text, sort_keys=False))
    program("run", base + ".yaml", "-o", base + ".h5", "-q", "-f")
    cube = open_cube(base + ".h5", "outcome")
    runs = data.read_runs(base + ".h5", dataclasses.replace(question, solvers=cube["solver"].values.tolist(), strategies=cube["strategy"].values.tolist()))
    return runs, cube[question.reference].values


def advice(name, args, seed, question, points):
    """Rows of ADVICE at the first points, whose errors take turns; what the answers are worth is NaN where nothing reaches the error."""
    points = points[: args.advice]
    asked = [question.errors[k % len(question.errors)] for k in range(len(points))]
    more = {**SYSTEMS[name][2].get("parameters", {}), **SYSTEMS[name][2].get("initial", {})}
    rows = [ask_advice(name, args, {**more, **p["at"]}, e) for p, e in zip(points, asked)]
    if not rows:
        return []
    runs, references = truth_of(name, args, seed, points, [r["rtol"] for r in rows if r["rtol"]], question)
    for p, row in enumerate(rows):
        work, error = runs.work[p, 0], runs.error[p, 0]
        with np.errstate(invalid="ignore"):
            able = work[error <= row["error"]]
        row.update({"system": name, "seed": seed, "cheapest": able.min() if len(able) else np.nan, "error of it": np.nan, "of the reference": np.nan, "work": np.nan})
        if row["solver"] and len(able):
            at = int(np.abs(np.log(runs.levels / row["rtol"])).argmin()), runs.pairs.index((row["strategy"], row["solver"]))
            row.update({"error of it": error[at], "of the reference": references[p], "work": work[at]})
    return rows


def runs_of(name, args):
    """((cells, tolerances, seed), map, points, answers, CPU seconds) of the maps of a system; those of a seed share its points."""
    base = os.path.join(args.folder, re.sub("[^a-z-]+", "-", name))
    errors = ",".join(repr(e) for e in errors_of(name))
    made = set()
    for cells in args.cells:
        before = None
        for rtols in (33, 9) if args.thin else (9,):
            kind = f"{base}-{cells}x{rtols}"
            written.text(kind + ".yaml", sweep_of(name, args, cells, rtols))
            spent = program("run", kind + ".yaml", "-o", kind + ".h5", "-q", "-f", *(["--from", before] if before else []))[1]
            before = kind + ".h5"
            for seed in args.seed:
                points, answers = f"{base}-points-{seed}.h5", f"{kind}-answers-{seed}.json"
                how = ["--from", points] if points in made else ["-f", "--points", str(args.points), "-r", str(args.replicates), "--seed", str(seed), "-o", points, "-q"]
                text, seconds = program("regret", kind + ".h5", "-e", errors, *how)
                made.add(points)
                written.text(answers, text)
                yield (cells, rtols, seed), kind + ".h5", points, answers, spent + seconds
                spent = 0.0


def errors_of(name):
    return [float(f"{e * SYSTEMS[name][1][2]:.3g}") for e in ERRORS]


def judge(name, args):
    """The rows of a system, each with its first attempts, and those of its advice."""
    rows, advised = [], []
    for of, map_path, points_path, answers_path, spent in runs_of(name, args):
        question, points = data.read_answers(answers_path)
        runs = data.gather(data.read_runs(points_path, question), points, points_path)
        if of[-1] not in {r["seed"] for r in advised}:
            advised += advice(name, args, of[-1], question, points)
        map_runs = data.read_runs(map_path, question)
        for number, asked in enumerate(question.errors):
            costs, map_costs = data.costs_of(runs, asked), data.costs_of(map_runs, asked)
            if not np.isfinite(costs.best).any() or not np.isfinite(map_costs.best).any():
                rows.append(({**dict(zip(COLUMNS, (name, *of, asked, 0))), "CPU": spent}, np.empty((0, 4))))
                continue
            answers = [p["answers"][number] for p in points]
            schedule = data.follow_schedule("schedule", runs, costs, [a["schedule"] or ([a["likely"]] if a["likely"] else []) for a in answers])
            choices = {c.name: c for c in data.baselines(map_runs, map_costs, runs, costs)}
            fixed = {c.name: interval(c, of[-1])[0] for c in choices.values()}
            less = saved(schedule, choices["single best"], of[-1])
            oracle = interval(data.oracle(runs, costs, asked)[0], of[-1])[0] if question.replicates > 1 else np.nan
            regret, low, high = interval(schedule, of[-1])
            attempts = tries_of(runs, costs, answers)
            at, between = (attempts[attempts[:, 0] == kind] for kind in (1, 0))
            mean = [part.mean(axis=0) if len(part) else np.full(4, np.nan) for part in (attempts, at, between)]
            rows.append((dict(zip(COLUMNS, (name, *of, asked, int((schedule.count > 0).sum()), regret, low, high, mean[0][1], mean[0][2], len(at), mean[1][1],
                                            mean[1][2], len(between), mean[2][1], mean[2][2], mean[0][3], fixed["single best"], *less,
                                            fixed.get("always ode45", np.nan), oracle, spent))), attempts))
            spent = 0.0
    return rows, advised


def tails(predicted, observed):
    """(probability of so few hits, of so many), of independent ones with these probabilities (Poisson-binomial)."""
    of = np.ones(1)
    for p in predicted:
        of = np.convolve(of, (1 - p, p))
    hits = observed.sum()
    return min(1.0, of[: int(np.floor(hits + 0.5)) + 1].sum()), min(1.0, of[int(np.floor(hits + 0.5)):].sum())


def pooled(rows):
    """Success and work of all systems, as markdown."""
    lines = ["| map | answers | n | predicted | observed | so few, so many | least row, Holm |", "|" + "---|" * 7]
    bands = ["| map | probability | n | true over predicted work |", "|" + "---|" * 4]
    for kind in sorted({(r["cells"], r["rtols"]) for r, _ in rows}):
        own = [a for r, a in rows if (r["cells"], r["rtols"]) == kind and len(a)]
        if not own:
            continue
        attempts, name = np.concatenate(own), f"{kind[0]} x {kind[1]}"
        for label, here in (("all", attempts[:, 0] >= 0), ("at decades", attempts[:, 0] == 1), ("between", attempts[:, 0] == 0)):
            if here.any():
                few, many = tails(attempts[here, 1], attempts[here, 2])
                least = min(1.0, 2 * len(own) * min(min(tails(a[:, 1], a[:, 2])) for a in own)) if label == "all" else np.nan
                lines.append(f"| {name} | {label} | {here.sum()} | {attempts[here, 1].mean():.3f} | {attempts[here, 2].mean():.3f} | {few:.2g}, {many:.2g} |"
                             + (f" {least:.2g} |" if label == "all" else " |"))
        for low, high in zip(BANDS, BANDS[1:]):
            ratio = attempts[(attempts[:, 1] >= low) & (attempts[:, 1] < high), 3]
            if len(ratio):
                ends = np.quantile(np.random.default_rng(1).choice(ratio, (2000, len(ratio))).mean(axis=1), (0.025, 0.975))
                bands.append(f"| {name} | {low:g} .. {min(high, 1):g} | {len(ratio)} | {ratio.mean():.2f} ({ends[0]:.2f} .. {ends[1]:.2f}) |")
    return "\n".join(lines) + "\n\n" + "\n".join(bands) + "\n"


def table(rows):
    """As markdown."""
    head = ("system", "map", "seed", "error", "regret", "predicted, observed", "at levels", "between", "work", "single", "less than single", "ode45", "oracle", "CPU [s]")
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in rows:
        of = f"{r['cells']} x {r['rtols']} | {r['seed']}"
        if not r["points"]:
            lines.append(f"| {r['system']} | {of} | {r['error']:g} | no configuration reaches it |" + " |" * (len(head) - 5))
            continue
        lines.append("| " + " | ".join((r["system"], of, f"{r['error']:g}", f"{r['regret']:.2f} ({r['low']:.2f} .. {r['high']:.2f})", f"{r['predicted']:.3f}, {r['observed']:.3f}",
                                       *(f"{r['n ' + k]}: {r['predicted ' + k]:.3f}, {r['observed ' + k]:.3f}" for k in ("at", "between")), f"{r['work']:.2f}",
                                       f"{r['single']:.2f}", f"{r['less than single']:.2f} ({r['less low']:.2f} .. {r['less high']:.2f})", f"{r['ode45']:.2f}",
                                       f"{r['oracle']:.2f}", f"{r['CPU']:.0f}")) + " |")
    return "\n".join(lines) + "\n"


def table_of_advice(rows):
    """A row for each system and one for all, as markdown."""
    head = ("system", "points", "reachable", "answers", "miss", "by more than 1.2", "estimate within .5 .. 2", "cost over cheapest: median, worst", "of runs here", "CPU [s]", "longest [s]")
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name in [*dict.fromkeys(r["system"] for r in rows), "all"]:
        own = [r for r in rows if name in ("all", r["system"])]
        reachable = [r for r in own if np.isfinite(r["cheapest"])]
        known = [r for r in reachable if r["solver"]]
        off = np.array([r["error of it"] / r["error"] if np.isfinite(r["error of it"]) else np.inf for r in known])
        errors = [(np.nan if r["estimate"] is None else r["estimate"], r["error of it"], r["of the reference"]) for r in known]
        near = sum(max(0.5 * (error - 2 * reference), 0) <= estimate <= 2 * error for estimate, error, reference in errors)  # both of what the cube adds up
        cost = np.array([r["work"] / r["cheapest"] for r in known])[off <= 1]
        here = np.array([r["check"] / r["cheapest"] for r in known])
        some = f"{np.median(cost):.2f}, {cost.max():.2f} | {np.median(here):.1f}" if len(cost) else "- | -"
        lines.append(f"| {name} | {len(own)} | {len(reachable)} | {len(known)} | {(off > 1).sum()} | {(off > 1.2).sum()} | {near} | "
                     f"{some} | {sum(r['CPU'] for r in own):.0f} | {max(r['seconds'] for r in own):.1f} |")
    return "\n".join(lines) + "\n"


def write_rows(path, columns, rows):
    with written.beside(path) as part, open(part, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, columns)
        out.writeheader()
        out.writerows(rows)


def check_bounds(rows):
    """A row out of the bounds of the small form is an error."""
    for row in rows:
        if not row["points"]:
            raise NotOurs(f"{row['system']} at {row['error']:g}: no configuration reaches it")
        if not row["regret"] < BOUNDS["regret"] or not row["predicted"] - row["observed"] < BOUNDS["predicted - observed"]:
            raise NotOurs(f"{row['system']} at {row['error']:g}: regret {row['regret']:.2f}, predicted {row['predicted']:.3f}, observed {row['observed']:.3f}; "
                          f"allowed: {BOUNDS['regret']:g}, and {BOUNDS['predicted - observed']:g} less observed than predicted")
    n = sum(row["n between"] for row in rows)
    off = sum(row["n between"] * (row["observed between"] - row["predicted between"]) for row in rows if row["n between"]) / max(n, 1)
    if n == 0 or abs(off) > BETWEEN:
        raise NotOurs(f"of {n} answers between tolerances of the maps observed - predicted is {off:.3f}; allowed: -{BETWEEN:g} .. {BETWEEN:g}, of one at least")


def work(args):
    if args.small:
        args.cells, args.points, args.replicates, args.advice = "96", 24, 2, 1
    for name in ("cells", "seed"):
        words = getattr(args, name).split(",")
        if not all(word.isdecimal() for word in words):
            raise NotOurs(f"--{name}: {','.join(words)}: expected whole numbers, separated by commas")
        setattr(args, name, [int(word) for word in words])
    names = args.only.split(",") if args.only else SMALL if args.small else list(SYSTEMS)
    if unknown := [n for n in names if n not in SYSTEMS]:
        raise NotOurs(f"--only: no system {unknown[0]}; there are {', '.join(SYSTEMS)}")
    os.makedirs(args.folder, exist_ok=True)
    rows, advised, begun = [], [], time.monotonic()
    for name in names:
        more = judge(name, args)
        rows, advised = rows + more[0], advised + more[1]
        text = table([r for r, _ in rows]) + "\n" + pooled(rows) + ("\n" + table_of_advice(advised) if advised else "")
        written.text(os.path.join(args.folder, "judge.txt"), text)
        write_rows(os.path.join(args.folder, "judge.csv"), COLUMNS, [r for r, _ in rows])
        write_rows(os.path.join(args.folder, "attempts.csv"), ATTEMPTS, (dict(zip(ATTEMPTS, (*(r[k] for k in ATTEMPTS[:5]), *a))) for r, own in rows for a in own))
        write_rows(os.path.join(args.folder, "advice.csv"), ADVICE, advised)
    print(text + f"\n{args.points} points of a seed; {time.monotonic() - begun:.0f} s")
    if args.small:
        check_bounds([r for r, _ in rows])


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
