#!/usr/bin/python3
"""Tabulates and draws strong and weak scaling from the status files of jobscripts/scaling.sbatch."""

import json
import os
import re

import pandas as pd

from command_line import Parser, run
from cube import NotOurs

SERIES = {  # colour (Paul Tol's "vibrant" scheme), marker
    "strong": ("#0077BB", "o"),
    "weak": ("#EE7733", "D"),
    "threads": ("#009988", "^"),
}
NEEDED = ("state", "cells", "found", "seconds", "ranks", "threads")

EXPLANATION = """\
A file is called SERIES-RANKSxTHREADS-REPEAT.status and was written by `saltus run --status`; the
seconds of its last line count, from the opening of the journals to the finished cube. Series: strong,
the same cells on more ranks; weak, as many cells for each rank; threads, the same cells on more threads
of one rank. The shortest of several repeats counts. Speedup is the ratio of cells a second to those of
the smallest run of the series, efficiency the speedup over the ratio of workers (ranks x threads): 1 is
perfect in all series. DIR gets scaling.csv and scaling.png.

example:
  analysis/scaling.py results/scaling/*.status -o results/scaling --cores 16
"""


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("files", metavar="FILE.status", nargs="+")
    parser.add_argument("-o", dest="folder", metavar="DIR", required=True)
    parser.add_argument("--cores", type=int, metavar="N", help="that there are: runs on more are marked")
    args = parser.parse_args()
    if args.cores is not None and args.cores < 1:
        parser.error(f"--cores: {args.cores} is less than 1")
    return args


def read_run(path):
    """What the last line of a status file says of a whole run."""
    name = re.fullmatch(r"([a-z]+)-(\d+)x(\d+)-\d+\.status", os.path.basename(path))
    if not name or name[1] not in SERIES:
        known = ", ".join(SERIES)
        raise NotOurs(f"{path}: its name is no SERIES-RANKSxTHREADS-REPEAT.status (series: {known})")
    try:
        with open(path, encoding="utf-8") as file:
            last = json.loads(file.read().splitlines()[-1])
    except FileNotFoundError:
        raise NotOurs(f"{path}: no such file") from None
    except (IndexError, ValueError):
        raise NotOurs(f"{path}: its last line is no JSON") from None
    if not isinstance(last, dict) or not set(NEEDED) <= last.keys():
        raise NotOurs(f"{path}: not written by saltus run --status")
    if last["state"] != "done":
        raise NotOurs(f"{path}: the run is not done but {last['state']}")
    if last["found"] > 0:
        raise NotOurs(f"{path}: the run went on from another, its time is not that of all cells")
    ran, meant = f"{last['ranks']}x{last['threads']}", f"{name[2]}x{name[3]}"
    if ran != meant:  # tasks that MPI does not know of run alone
        raise NotOurs(f"{path}: {ran} ranks x threads ran, not {meant}; do srun and MPI go together?")
    return {"series": name[1]} | {key: last[key] for key in NEEDED[1:]}


def check_cells(table):
    """Other cells would be other work."""
    for series, one in table.groupby("series"):
        share = one["cells"] / (one["ranks"] if series == "weak" else 1)
        if share.nunique() > 1:
            each = " of a rank" if series == "weak" else ""
            numbers = ", ".join(f"{n:g}" for n in sorted(set(share)))
            raise NotOurs(f"series {series}: the cells{each} must be as many in all runs, not {numbers}")


def scaling(runs, cores):
    """Speedup and efficiency of each series, a row for each number of ranks and threads."""
    table = pd.DataFrame(runs)
    check_cells(table)
    table["workers"] = table["ranks"] * table["threads"]
    table["cells_per_second"] = table["cells"] / table["seconds"]
    runs_of = table.sort_values("seconds").groupby(["series", "workers", "ranks", "threads"], as_index=False)
    table = runs_of.first().merge(runs_of.size()).rename(columns={"size": "repeats"})
    first = table.groupby("series")[["workers", "cells_per_second"]].transform("first")
    table["speedup"] = table["cells_per_second"] / first["cells_per_second"]
    table["efficiency"] = table["speedup"] * first["workers"] / table["workers"]
    table["shared_cores"] = table["workers"] > cores if cores else False
    order = "series workers ranks threads cells repeats seconds cells_per_second speedup efficiency shared_cores"
    return table[order.split()]


def draw(table, cores, path):
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    plt = style.plt
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.WIDTH, 3.2))
    workers = table["workers"]
    least, most = workers.min(), workers.max()
    if cores and most > cores:
        for axes in (left, right):
            axes.axvspan(cores, most * 1.15, color=style.STANCE, zorder=0, label=f"more workers than {cores} cores")
    ideal = {"color": style.GROUND, "linewidth": 1.0, "linestyle": "dashed", "zorder": 1, "label": "ideal"}
    left.plot([least, most], [1, most / least], **ideal)
    right.plot([least, most], [100, 100], **ideal)
    for series, (colour, marker) in SERIES.items():
        one = table[table["series"] == series]
        if len(one):
            look = {"color": colour, "marker": marker, "markersize": 4.5, "label": series}
            left.plot(one["workers"], one["speedup"], **look)
            right.plot(one["workers"], 100 * one["efficiency"], **look)
    left.set(xscale="log", yscale="log", ylabel="speedup [1]")
    right.set(xscale="log", ylabel="efficiency [%]", ylim=(0, None))
    for axes in (left, right):
        axes.set_xlabel("workers: ranks x threads [1]")
        ticks = sorted(set(workers))
        axes.set_xticks(ticks, [str(n) for n in ticks])
        axes.set_xlim(least / 1.15, most * 1.15)
        axes.minorticks_off()
    rises = sorted({1, *(n / least for n in ticks)})
    left.set_yticks(rises, [f"{n:g}" for n in rises])
    style.legend_below(figure, left.get_legend_handles_labels()[0], 5)
    figure.savefig(path)
    plt.close(figure)


def show(table, cores):
    print("series   workers = ranks x threads     cells   seconds   cells/s  speedup  efficiency")
    for row in table.itertuples():
        note = f"   more workers than {cores} cores" if row.shared_cores else ""
        print(
            f"{row.series:<9}{row.workers:>7}{row.ranks:>8} x {row.threads:<7}{row.cells:>10}{row.seconds:>10.2f}"
            f"{row.cells_per_second:>10.4g}{row.speedup:>9.2f}{100 * row.efficiency:>10.1f} %{note}"
        )


def work(args):
    table = scaling([read_run(path) for path in args.files], args.cores)
    os.makedirs(args.folder, exist_ok=True)
    written = [os.path.join(args.folder, f"scaling.{kind}") for kind in ("csv", "png")]
    table.to_csv(written[0], index=False, float_format="%.6g")
    draw(table, args.cores, written[1])
    show(table, args.cores)
    print("\n" + "\n".join(written))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
