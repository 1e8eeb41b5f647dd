"""Times of a scaling study, from the files that jobscripts/scaling.sh leaves."""

import glob
import json
import os
import re

import pandas as pd

from cube import NotOurs

SERIES = ("strong", "weak", "threads")
PHASES = ("computing", "waiting", "cube", "start")  # of a rank's time
NEEDED = ("state", "cells", "found", "ranks", "threads", "command_seconds", "busy", "cpu", "waiting", "io")
MACHINE = {"study": str, "cpu": str, "nodes": int, "cores": int, "program": str}
COLUMNS = "series case workers ranks threads cells repeats seconds median longest predicted cells_per_second speedup efficiency"


def read_json(path, last_line=False):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = json.loads(text.splitlines()[-1] if last_line else text)
    except FileNotFoundError:
        raise NotOurs(f"{path}: no such file") from None
    except (IndexError, ValueError):
        raise NotOurs(f"{path}: {'its last line' if last_line else 'it'} is not valid JSON") from None
    if not isinstance(found, dict):
        raise NotOurs(f"{path}: it is not a JSON object")
    return found


def read_machine(folder):
    path = os.path.join(folder, "machine.json")
    machine = read_json(path)
    for key, kind in MACHINE.items():
        if not isinstance(machine.get(key), kind):
            raise NotOurs(f"{path}: {key} is missing; jobscripts/scaling.sh writes it")
    return machine


def read_run(path):
    """Figures of a whole run, from the last line of its status file."""
    name = re.fullmatch(r"([a-z]+)-(\w+)-(\d+)x(\d+)-\d+\.status", os.path.basename(path))
    if not name or name[1] not in SERIES:
        raise NotOurs(f"{path}: its name is not SERIES-CASE-RANKSxTHREADS-REPEAT.status (series: {', '.join(SERIES)})")
    last = read_json(path, last_line=True)
    if last.get("state", "done") != "done":
        raise NotOurs(f"{path}: the run is not done but {last['state']}")
    if not set(NEEDED) <= last.keys():
        raise NotOurs(f"{path}: not written by saltus run --status")
    if last["found"] > 0:
        raise NotOurs(f"{path}: the run went on from another, its time is not that of all cells")
    ran, meant = f"{last['ranks']}x{last['threads']}", f"{name[3]}x{name[4]}"
    if ran != meant:  # tasks that MPI does not know of run alone
        raise NotOurs(f"{path}: {ran} ranks x threads ran, not {meant}; do srun and MPI go together?")
    seconds, ranks = last["command_seconds"], last["ranks"]
    parts = [last[key] / ranks for key in ("busy", "waiting", "io")]
    phases = dict(zip(PHASES, [*parts, max(0.0, seconds - sum(parts))]))
    return {"series": name[1], "case": name[2], "ranks": ranks, "threads": last["threads"], "cells": last["cells"],
            "seconds": seconds, "cpu_over_busy": last["cpu"] / last["busy"] if last["busy"] > 0 else float("nan")} | phases  # fmt: skip


def predicted(folder, row):
    """Seconds that `saltus plan` expected; NaN where it was not asked."""
    path = os.path.join(folder, f"{row.series}-{row.case}-{row.ranks}x{row.threads}.predicted")
    if not os.path.exists(path):
        return float("nan")
    runs = read_json(path).get("runs")
    if not runs or runs[0].get("ranks") != row.ranks or "seconds" not in runs[0]:
        raise NotOurs(f"{path}: not written by saltus plan --json")
    return runs[0]["seconds"]


def check_cells(table):
    """Other cells would be other work."""
    for (series, case), one in table.groupby(["series", "case"]):
        share = one["cells"] / (one["ranks"] if series == "weak" else 1)
        if share.nunique() > 1:
            each = " of a rank" if series == "weak" else ""
            numbers = ", ".join(f"{n:g}" for n in sorted(set(share)))
            raise NotOurs(f"series {series}, {case}: the cells{each} must be as many in all runs, not {numbers}")


def in_order(cases):
    """Numbers by size."""
    return sorted(cases, key=lambda case: (int(case) if case.isdigit() else 0, case))


def scaling(runs):
    """Speedup and efficiency of each series, a row for each case and number of ranks and threads."""
    table = pd.DataFrame(runs)
    check_cells(table)
    table["workers"] = table["ranks"] * table["threads"]
    key = ["series", "case", "workers", "ranks", "threads"]
    runs_of = table.sort_values("seconds").groupby(key, as_index=False)
    longest = runs_of.agg(median=("seconds", "median"), longest=("seconds", "max"), repeats=("seconds", "size"))
    table = runs_of.first().merge(longest, on=key)
    table["cells_per_second"] = table["cells"] / table["seconds"]
    first = table.groupby(["series", "case"])[["workers", "cells_per_second"]].transform("first")
    table["speedup"] = table["cells_per_second"] / first["cells_per_second"]
    table["efficiency"] = table["speedup"] * first["workers"] / table["workers"]
    rank = {case: i for i, case in enumerate(in_order(set(table["case"])))}
    place = {series: i for i, series in enumerate(SERIES)}
    order = table.assign(s=table["series"].map(place), c=table["case"].map(rank)).sort_values(["s", "c", "workers"]).index
    return table.loc[order].reset_index(drop=True)


def read_study(folder):
    """A table, a row for each case, series and number of workers, and what is known of the machine."""
    files = sorted(glob.glob(os.path.join(glob.escape(folder), "*.status")))
    if not files:
        raise NotOurs(f"{folder}: no status file found; jobscripts/scaling.sh measures them")
    machine = read_machine(folder)
    table = scaling([read_run(path) for path in files])
    table["predicted"] = [predicted(folder, row) for row in table.itertuples()]
    table["shared_cores"] = table["workers"] > machine["cores"]
    return table[[*COLUMNS.split(), *PHASES, "cpu_over_busy", "shared_cores"]], machine
