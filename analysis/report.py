#!/usr/bin/python3
"""Writes a report on a cube with a map: one web page that answers "which solver?" anywhere in the box."""

import json
import os
import shlex

import numpy as np

import colours
import page
import page_cost
import raster
import report_fixed
import report_regret
import written
from command_line import Parser, run
from cube import NotOurs
from map_data import ERRORS, OF_ORBITS, PRESETS, Question, open_mapped
from page_data import open_runs, orders_of, packed, samples_of

EXAMPLES = """\
The map is what `saltus map CUBE.h5` puts into the cube. The page computes answers from the cells of the
cube itself, as `saltus recommend` does, and needs neither a server nor a network.

examples:
  saltus map atlas-small.h5
  analysis/report.py atlas-small.h5 -o report.html
  analysis/report.py atlas-small.h5 -o report --rules rules.txt --regret regret.json \\
      --at b=1951,m1=1.88,k=22.8,f=0.051 --error 1e-4
"""
FIT = ("scale", "metric", "shape_at", "shape_below", "width", "asked", "predicted", "observed")  # of the surrogate, attributes surrogate_* of the map
BETWEEN = "between_parts"  # the same; more of them in page_data.py
LEAST_ERROR = 1e-12
MODEL_TEXT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sweeps", "models", "%s-equations.yaml")  # which is written out


def arguments(words=None):
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="result of `saltus run`, with a map")
    add("-o", dest="out", metavar="FILE.html", required=True, help="the page; DIR: index.html in it")
    add("--at", metavar="NAME=VALUE,..", default="", help="where it opens; without it the middle of the box")
    add("--error", type=float, metavar="E", help="the error it opens with; without it the middle one of the map")
    add("--rules", metavar="FILE.txt", help="output of analysis/rules.py CUBE.h5")
    add("--regret", metavar="FILE.json", help="regret.json of analysis/regret.py")
    add("--steps", metavar="FILE", help="time of a step, where work is a time: a file of `saltus calibrate-work` (default: as measured for the program)")
    add("--lanes", type=int, choices=page_cost.LANES, default=1, help="trajectories that advance at once, where work is a time (1)")
    return parser.parse_args(words)


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


def surrogate_fit(mapped, runs):
    """The surrogate of the map: {scale, metric, shape, widths, calibration}."""
    attrs = mapped.map.attrs
    for name in (*FIT, BETWEEN):
        if f"surrogate_{name}" not in attrs:
            raise NotOurs(f"{mapped.path}: its map is of an older program; run `saltus map {mapped.path}` first")
    metric, n = [float(v) for v in np.atleast_1d(attrs["surrogate_metric"])], len(runs.columns)
    if len(metric) != n * (n + 1) // 2:
        raise NotOurs(f"{mapped.path}: its map has other coordinates than its sweep, which has {n}")
    keys = ("asked", "answers", "predicted", "observed")
    rows = zip(PRESETS[mapped.metric], *(np.atleast_1d(attrs[f"surrogate_{n}"]) for n in FIT[5:]))
    calibration = [dict(zip(keys, (float(e), int(n), *(float(x) if n else 0.0 for x in of)))) for e, n, *of in rows]
    shape, widths = ([[float(v) for v in np.atleast_1d(attrs[f"surrogate_{n}"])] for n in of] for of in (("shape_at", "shape_below"), ("width",)))
    return {"scale": np.atleast_1d(attrs["surrogate_scale"]), "metric": metric, "shape": dict(zip(("at", "below"), shape)), "widths": widths[0], "calibration": calibration}


def opening_point(args, runs, errors):
    """([value of each column], error) at which the page opens."""
    wanted = {}
    for part in filter(None, args.at.split(",")):
        name, _, value = part.partition("=")
        try:
            wanted[name.strip()] = float(value)
        except ValueError:
            raise NotOurs(f"--at: '{part}' is not NAME=VALUE") from None
    names = [c.name for c in runs.columns]
    for name in wanted:
        if name not in names:
            raise NotOurs(f"--at: no axis {name}; there are {', '.join(names)}")
    if args.error is not None and not args.error > 0:
        raise NotOurs(f"--error: {args.error:g} is not allowed; allowed: greater than 0")
    return [wanted.get(c.name, c.middle) for c in runs.columns], args.error or errors[len(errors) // 2]


def error_words(mapped):
    """{metric: which error, of what; unit}."""
    name, state = ERRORS.get(mapped.metric, mapped.metric), str(mapped.cube.attrs.get("watched_state", ""))
    if mapped.metric in OF_ORBITS or not state:
        return {"metric": name, "unit": mapped.unit}
    return {"metric": f"{name} of {state}", "unit": mapped.unit}


def map_axes(mapped, runs, fit, question, steps=None):
    """Numbers of the two columns that the map is drawn over: what decides most, or along which errors change most."""
    names = [c.name for c in runs.columns]
    decide = [names.index(name) for name in raster.deciding(mapped, question, steps) if name in names]
    return (decide if len(decide) > 1 else [int(i) for i in np.argsort(fit["scale"])[::-1]])[:2]


def explorer_data(args, mapped, runs, fit):
    """{name: what is embedded} for the script of the page."""
    samples, which = samples_of(runs)
    errors = [q.asked for q in mapped.questions("error")] or list(PRESETS[mapped.metric])
    start, error = opening_point(args, runs, errors)
    mark = {s: colours.MARKS.get(s, colours.OTHER_MARK) for s, _ in runs.pairs}
    meta = {
        "cube": os.path.basename(args.cube),
        **error_words(mapped),
        "end": float(mapped.cube.attrs.get("t_end", 0)),
        "written": os.path.exists(MODEL_TEXT % mapped.cube.attrs.get("model", "")),
        "columns": [{k: getattr(c, k) for k in ("name", "what", "unit", "log", "lo", "hi", "whole")} for c in runs.columns],
        "options": [{"name": c.name, "what": c.what, "words": c.words, "values": sorted({int(v) for v in c.values})} for c in runs.options],
        "samples": [" ".join(map(str, row)) if runs.options else "" for row in samples],
        "fixed": runs.fixed,
        "pairs": runs.pairs,
        "tolerances": [float(t) for t in runs.tolerances],
        "kept": runs.n_kept,
        "cells": runs.n_cell,
        "triangle": fit["metric"],
        **{name: fit[name] for name in ("shape", "widths")},
        "between": between_words(runs.between),
        "orders": orders_of(runs.pairs) if runs.stopped.any() else [],
        "presets": PRESETS[mapped.metric],
        "calibration": fit["calibration"],
        "start": start,
        "error": error,
        "errorEnds": [max(LEAST_ERROR, 0.01 * min(errors)), min(1.0, 10 * max(errors))],
        "mapAxes": map_axes(mapped, runs, fit, Question("error", error, metric=mapped.metric), args.steps),
        "colours": {m: colours.of_solver(m) for _, m in runs.pairs},
        "marks": {s: {"mark": m, "filled": f, "dash": d} for s, (m, f, d) in mark.items()},
    }
    timed = page_cost.steps_of(runs.pairs, runs.n_state, args.steps, args.lanes) if runs.tried is not None or args.steps else None
    if timed and runs.tried is None:
        raise NotOurs(f"{args.cube}: has no steps of runs, so that no work is a time; leave --steps out")
    more = {}
    if timed:
        meta |= timed | {"table": shlex.quote(args.steps) if args.steps else ""}
        more = {"tried": packed(runs.tried), "evaluations": packed(runs.evaluations)}
    return {
        "meta": meta,
        "places": packed(np.stack([c.places for c in runs.columns], axis=1), "<f8"),
        "samples": packed(which, "<i4"),
        "reference": packed(runs.reference_error, "<f8"),
        "errors": packed(np.where(runs.stopped, np.inf, runs.error)),
        "works": packed(runs.done),
        **more,
    }


def between_words(between):
    """The figures of errors between tolerances, for JSON: null where they are not known."""
    listed = lambda of: [float(v) if np.isfinite(v) else None for v in np.ravel(of)]  # noqa: E731
    return {"parts": between.parts, **{name: listed(getattr(between, name)) for name in ("power", "shift", "spread", "at")}}


def fixed_part(mapped, runs, calibration, rules, regret):
    """[(name, title, HTML)]."""
    made = [("compared", "Configurations compared", report_fixed.compared(mapped, runs))]
    worth = report_fixed.worth(calibration, regret)
    if worth:
        made.append(("worth", "Quality of the advice", worth))
    if rules is not None:
        made.append(("rules", "Rules to keep", f"<pre>{page.text(rules)}</pre>"))
    made.append(("deciding-axes", "Which axes decide", report_fixed.decisive_axes(mapped)))
    made.append(("provenance", "Provenance", report_fixed.provenance(mapped)))
    return made


def work(args):
    mapped = open_mapped(args.cube, ("outcome",), lazy=True)
    rules = given(args.rules, "rules") if args.rules is not None else None
    regret = given(args.regret, "regret") if args.regret is not None else None
    runs = open_runs(args.cube, mapped.map)
    calibration, data = [], {}
    if runs.enough:
        fit = surrogate_fit(mapped, runs)
        calibration, data = fit["calibration"], explorer_data(args, mapped, runs, fit)
        opening = page.own("explorer.html")
    else:
        opening = report_fixed.winners_of_cells(mapped, runs)
    title = str(mapped.cube.attrs.get("title", os.path.basename(args.cube)))
    sections = fixed_part(mapped, runs, calibration, rules, [] if regret is None else report_regret.section(regret, args.regret))
    path = args.out if args.out.endswith(".html") else os.path.join(args.out, "index.html")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    recommend = f"saltus recommend {os.path.basename(args.cube)} --at NAME=VALUE,.. --error E"
    written.text(path, page.page(title, opening, sections, data, recommend))
    print(path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
