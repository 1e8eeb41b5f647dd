#!/usr/bin/env python3
"""counted.py FILE.yaml COUNT,.. STARTS: prints a sweep of a model with a count of members, its first parameter, from the output of
`saltus list models FILE.yaml --json` on stdin. Each count has as many STARTS, drawn from the ranges of the other parameters."""

import json
import sys

PARAMETERS = 6  # at most so many are drawn


def main():
    path, counts, starts = sys.argv[1:]
    model = json.load(sys.stdin)["models"][0]
    count, *others = model["parameters"]
    allowed = [n for n in map(int, counts.split(",")) if count["least"] <= n <= count["most"]]
    ranged = [p for p in others if p["least"] < p["most"]][:PARAMETERS]
    if not (allowed and ranged):
        sys.exit(f"{path}: {count['name']} = {counts}: its range is {count['least']:g} .. {count['most']:g}, {len(ranged)} other parameters have one")
    print(f"""model: {json.dumps(path)}
cells:
  axes:
    - {{name: {count["name"]}, list: {allowed}}}
    - {{columns: [{", ".join(p["name"] for p in ranged)}], sobol: {[[p["least"], p["most"]] for p in ranged]}, points: {starts}}}
mesh: {model["span"] / 500:.3g}
solvers: [ode45, dop853]
strategies: [event]
rtol: [1e-3, 1e-5, 1e-7]""")


main()
