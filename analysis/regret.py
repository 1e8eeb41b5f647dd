#!/usr/bin/python3
"""Evaluates a map's recommendations at fresh points: a table, a picture, and both as numbers."""

import json
import os

import numpy as np

import regret_data as data
import written
from command_line import Parser, run

FIGURES = ("predicted", "observed", "vs oracle", "retry", "gap closed", "observed - predicted")
BINS = (0.5, 0.8, 0.9, 0.95, 0.99, 1 + 1e-12)

EXPLANATION = """\
MAP.h5 is the cube of the map, POINTS.h5 and ANSWERS.json are what `saltus regret MAP.h5 -o POINTS.h5 >
ANSWERS.json` made and printed. Each figure stands beside its standard error (jackknife over points).

  predicted     mean probability of the answers
  observed     share of runs in which the asked error is reached
  vs oracle    mean work over that of the distribution oracle at the same success rate. It has the distribution of
               each configuration's errors at each point, from the replicates but the one it is judged at
  retry        mean work until the error is reached, over the virtual best's, minus 1. After a miss a schedule has its
               next attempt; all else is tried again 3/4 of a decade tighter; after the last attempt the most expensive run that
               reaches it
  median retry  the same of the middle one of the points: few expensive misses do not move it
  gap closed   how much of the way from the single best to the virtual best, by work with retries

The schedule is the one that `saltus recommend` prints; its probability is that of its first attempt. The virtual best uses the run itself. Baselines choose one configuration for all points, on the cells of the map. An
answer between two tolerances of the points counts as either of them, by its share of the way. Where the map has
no answer its likeliest is followed. DIR gets regret.txt, regret.json and regret.png.

example:
  mpirun -n 2 saltus regret atlas.h5 --points 400 --seed 7 -o points.h5 > answers.json
  analysis/regret.py atlas.h5 points.h5 answers.json -o results
"""


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("map", metavar="MAP.h5")
    parser.add_argument("points", metavar="POINTS.h5")
    parser.add_argument("answers", metavar="ANSWERS.json")
    parser.add_argument("-o", dest="folder", metavar="DIR", required=True)
    return parser.parse_args()


def policies(question, points, runs, costs, number):
    """The answers that are followed, and those of each probability."""
    answers = [p["answers"][number] for p in points]
    likely = [a["total"] or a["likely"] for a in answers]
    schedules = [a["schedule"] or ([a["likely"]] if a["likely"] else []) for a in answers]
    rules = [data.follow_schedule("schedule", runs, costs, schedules), data.follow("least expected total work", runs, costs, likely)]
    for k, probability in enumerate(question.probabilities):
        chosen = [a["confident"][k] for a in answers]
        here = np.array([c is not None for c in chosen])
        rule = data.follow(f"probability {probability:g}", runs, costs, chosen)
        for values in (rule.count, rule.hit, rule.predicted, rule.work, rule.total):
            values[~here] = 0  # said to be out of reach: no prediction, no cost
        rules.append(rule)
    return rules


def reliability(choices):
    """[(predicted, hit, points)] of answers in bins of their probability."""
    rows = []
    for low, high in zip(BINS, BINS[1:]):
        here = (choices.count > 0) & (choices.probability >= low) & (choices.probability < high)
        if here.any():
            count = choices.count[here].sum()
            rows.append((choices.predicted[here].sum() / count, choices.hit[here].sum() / count, int(here.sum())))
    return rows


def judge(question, points, runs, map_runs, number):
    """The rows of one asked error."""
    asked = question.errors[number]
    costs, map_costs = data.costs_of(runs, asked), data.costs_of(map_runs, asked)
    if not np.isfinite(costs.best).any():
        return {"error": asked, "what": data.ERRORS[question.error], "points": 0, "rows": []}
    fixed = data.baselines(map_runs, map_costs, runs, costs) if np.isfinite(map_costs.best).any() else []
    best, curve = data.oracle(runs, costs, asked) if question.replicates > 1 else (None, [])
    rules = policies(question, points, runs, costs, number)
    single = fixed[-1] if fixed else rules[0]
    rows = []
    for choices in [*rules, *fixed, *([best] if best else [])]:
        figures, errors = data.with_errors(lambda w, c=choices: data.figures_of(c, single, curve, w), len(points))
        rows.append({"rule": choices.name, "where": choices.where, "points": int((choices.count > 0).sum()),
                     "median retry": number_of(data.median_retry(choices)),
                     **{n: number_of(v) for n, v in zip(FIGURES, figures)},
                     **{n + " se": number_of(v) for n, v in zip(FIGURES, errors)}})
    return {"error": asked, "what": data.ERRORS[question.error], "points": int(np.isfinite(costs.best).any(axis=1).sum()),
            "unanswered": sum(p["answers"][number]["total"] is None for p in points), "rows": rows,
            "reliability": [bin_of(r) for rule in rules[:1] for r in reliability(rule)]}


def number_of(value):
    return float(value) if np.isfinite(value) else None


def bin_of(row):
    predicted, hit, n = row
    return {"predicted": float(predicted), "observed": float(hit), "points": n,
            "bar": float(np.sqrt(max(hit * (1 - hit), 0.25 / n) / n))}


def table(found):
    lines = []
    for part in found:
        lines.append(f"\n{part['what']} {part['error']:g}: reached by some configuration at {part['points']} points")
        if not part["rows"]:
            continue
        lines.append(f"no answer at {part['unanswered']} points")
        lines.append(f"{'':27}{'points':>7}" + "".join(f"{name:>17}" for name in FIGURES) + f"{'median retry':>14}")
        for row in part["rows"]:
            cells = (f"{row[n]:9.3f} +- {row[n + ' se'] or 0:.3f}" if row[n] is not None else "-" for n in FIGURES)
            lines.append(f"{row['rule']:27}{row['points']:7}" + "".join(f"{c:>17}" for c in cells)
                         + ("%14.3f" % row["median retry"] if row["median retry"] is not None else f"{'-':>14}") + "  " + row["where"])
        lines.append("predicted, and observed (points): " + ", ".join(
            f"{b['predicted']:.3f} {b['observed']:.3f} +- {b['bar']:.3f} ({b['points']})" for b in part["reliability"]))
    return "\n".join(lines).strip() + "\n"


def draw(found, path):
    import style
    from style import plt

    style.use()
    parts = [part for part in found if part["rows"]]
    figure, axes = plt.subplots(1, 2, figsize=(style.WIDTH, 3.0), layout="constrained")
    for k, part in enumerate(parts):
        colour, mark = list(style.STRATEGY.values())[k % len(style.STRATEGY)][:2]
        bins = part["reliability"]
        axes[0].errorbar([b["predicted"] for b in bins], [b["observed"] for b in bins], [b["bar"] for b in bins], color=colour,
                         marker=mark, markersize=4, linewidth=0, elinewidth=1, capsize=2, label=f"{part['error']:g}")
        rows = [r for r in part["rows"] if not r["rule"].startswith("probability")]
        axes[1].errorbar([100 * r["retry"] for r in rows], np.arange(len(rows)) + 0.15 * k,
                         xerr=[100 * r["retry se"] for r in rows], color=colour, marker=mark, markersize=4, linewidth=0,
                         elinewidth=1, capsize=2)
        axes[1].set_yticks(range(len(rows)), [r["rule"] for r in rows])
    axes[0].plot([0.5, 1], [0.5, 1], color=style.REFERENCE, zorder=1)
    axes[0].set(xlabel="predicted success probability", ylabel="share that reached the error", title="Reliability")
    if parts:
        axes[0].legend(title=parts[0]["what"], frameon=False, loc="lower right")
    axes[1].set(xscale="log", xlabel="beyond the virtual best's work [%]", title="Regret with retries")
    axes[1].invert_yaxis()
    style.save(figure, path)


def work(args):
    question, points = data.read_answers(args.answers)
    runs = data.gather(data.read_runs(args.points, question), points, args.points)
    map_runs = data.read_runs(args.map, question)
    found = [judge(question, points, runs, map_runs, k) for k in range(len(question.errors))]
    text = table(found)
    for name, content in (("regret.txt", text), ("regret.json", json.dumps({"judged": found}) + "\n")):
        written.text(written.place(args.folder, *os.path.splitext(name), alone=True), content)
    draw(found, written.place(args.folder, "regret", alone=True))
    print(text, end="")


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
