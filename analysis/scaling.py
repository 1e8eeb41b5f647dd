#!/usr/bin/python3
"""Tabulates and draws strong and weak scaling from what jobscripts/scaling.sh has measured."""


import written
from command_line import Parser, run
from scaling_data import read_study

EXPLANATION = """\
DIR holds a status file of each run, SERIES-CASE-RANKSxTHREADS-REPEAT.status, written by `saltus run --status`; what `saltus
plan` said before they were measured, SERIES-CASE-RANKSxTHREADS.predicted; and machine.json. Series: strong, the same
cells on more ranks; weak, as many cells for each rank; threads, the same cells on more threads of one rank. The time is that of
the whole command, MPI's start among it; the shortest of several repeats counts; a dash shows their median, bars the longest. Speedup is the ratio
of cells a second to those of the smallest run of the series, efficiency the speedup over the ratio of workers
(ranks x threads): 1 is perfect in all series. scaling.csv and scaling.png are written.

example:
  analysis/scaling.py results/scaling -o pictures
"""


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("study", metavar="DIR")
    parser.add_argument("-o", dest="folder", metavar="DIR", help="for the results; DIR without it")
    return parser.parse_args()


def show(table, machine):
    cores = machine["cores"]
    print("series   case       workers = ranks x threads     cells   seconds    median  predicted   cells/s  speedup  efficiency")
    for row in table.itertuples():
        note = f"   more workers than {cores} cores" if row.shared_cores else ""
        print(
            f"{row.series:<9}{row.case:<11}{row.workers:>7}{row.ranks:>8} x {row.threads:<7}{row.cells:>10}{row.seconds:>10.2f}{row.median:>10.2f}"
            f"{row.predicted:>11.2f}{row.cells_per_second:>10.4g}{row.speedup:>9.2f}{100 * row.efficiency:>10.1f} %{note}"
        )


def work(args):
    table, machine = read_study(args.study)
    folder = args.folder or args.study
    paths = [written.place(folder, "scaling", kind, alone=True) for kind in (".csv", ".png")]
    with written.beside(paths[0]) as part:
        table.to_csv(part, index=False, float_format="%.6g")
    from scaling_figure import draw  # after the checks: loading matplotlib takes a second

    draw(table, machine, paths[1])
    show(table, machine)
    print("\n" + "\n".join(paths))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
