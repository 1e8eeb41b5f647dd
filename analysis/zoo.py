#!/usr/bin/python3
"""How the runs of jobscripts/zoo.sh ended: a table model x strategy x method, and those that failed."""

import os
from collections import Counter

import numpy as np

from command_line import Parser, run
from cube import NotOurs, open_cube

FINE = ("done", "ended", "incompatible")
EXPECTED = ("not_event_selected",)  # the strategy found that the system is none of those it is made for, and said so
REASONS = {
    "step_underflow": "the error test failed at the smallest step",
    "zeno": "infinitely many impacts, after which nothing holds the contact",
    "contact_unsolved": "no impulses or forces satisfy the laws of all contacts of an event",
    "step_too_large": "steps of time stepping are longer than 0.2 sqrt(m/k) of a compliant contact",
    "not_finite": "the state or its slope became infinite or NaN",
    "step_cap": "more attempts than the sweep allows",
    "stuck": "contacts changed sides again and again without time advancing",
    "not_event_selected": "a projection met a surface whose far side leads back to it: not event-selected there",
    "over_budget": "more work than the budget of its cell, which the key budget of the sweep sets",
    "over_cutoff": "stopped at the cutoff of its cell, which the key cutoff of the sweep sets",
    "too_inaccurate": "stopped: its error exceeded the key cutoff.loosest of the sweep",
    "skipped_over_cutoff": "at looser tolerances its pair has come to the cutoff of the cell",
    "skipped_by_pilots": "near no winner of the pilots around its cell, which the key pilots of the sweep sets",
    "bad_jump": "a jump left the gap of its contact on the wrong side",
    "starts_in_penetration": "it begins beyond the surface of a contact that resets the state",
    "missed_contact": "another library passed over a contact",
    "no_error": "it ended well, but has no error although its reference has ended well",
}
NEEDED = ("outcome", "max_error", "divergence_time", "t_reached")

EXPLANATION = """\
A word stands for all tolerances and cells of a model, a strategy and a method:
  done     the runs reached the end           ended   a contact that ends the run closed, a fall
  -        they do not go together            2 stuck, 6 done   and so on: they ended in several ways
  done~    at the tightest tolerance the error of some run reached that of the sweep's key `divergence`
Every run that ended otherwise has a line with the reason. Exit status: 0; 1 where a run or a reference
failed (not_event_selected is not a failure: the strategy reports that it cannot); 2 where a file cannot be used.

example:
  jobscripts/zoo.sh && analysis/zoo.py results/zoo
"""


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("folder", metavar="DIR", help="with the cubes MODEL.h5")
    return parser.parse_args()


def words_of(flags):
    """The values of a flag as words."""
    words = dict(zip(flags.attrs["flag_values"], flags.attrs["flag_meanings"].split()))
    return np.vectorize(words.get, otypes=[object])(flags.values)


def outcomes_of(cube):
    """Outcomes [cell][rtol][strategy][solver] as words, those without an error marked, and of references."""
    outcome = words_of(cube["outcome"])
    reference = words_of(cube["reference_outcome"])
    sound = np.isin(reference, FINE).reshape(-1, 1, 1, 1)
    silent = np.isin(outcome, ("done", "ended")) & sound & ~np.isfinite(cube["max_error"].values)
    outcome[silent] = "no_error"
    return outcome, reference


def entry(outcome, diverged):
    """Entry of the table for the runs of one strategy and method."""
    counts = Counter(outcome.ravel())
    if set(counts) == {"incompatible"}:
        return "-"
    mark = "~" if diverged.any() else ""
    if len(counts) == 1:
        return next(iter(counts)) + mark
    return ", ".join(f"{n} {word}" for word, n in sorted(counts.items())) + mark


def rows_of(model, cube, outcome):
    tightest = int(np.argmin(cube["rtol"].values))
    diverged = np.isfinite(cube["divergence_time"].values[:, tightest])
    for s, strategy in enumerate(cube["strategy"].values):
        cells = [entry(outcome[:, :, s, m], diverged[:, s, m]) for m in range(cube.sizes["solver"])]
        yield [model, str(strategy), *cells]


def troubles_of(model, cube, outcome, reference):
    """(word, line) of each run that did not end well."""
    for cell, word in enumerate(reference):
        if word not in FINE:
            yield word, f"{model}, cell {cell}: the reference: {REASONS[word]}"
    for c, r, s, m in np.argwhere(~np.isin(outcome, FINE)):
        word = outcome[c, r, s, m]
        who = f"{model}, cell {c}, {cube.solver.values[m]} with {cube.strategy.values[s]}"
        t = float(cube["t_reached"].values[c, r, s, m])
        yield word, f"{who} at {cube.rtol.values[r]:g}: {word} at t = {t:.6g}: {REASONS[word]}"


def print_table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def open_cubes(folder):
    if not os.path.isdir(folder):
        raise NotOurs(f"{folder}: no such folder")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".h5"))
    if not names:
        raise NotOurs(f"{folder}: holds no cube")
    for name in names:
        cube = open_cube(os.path.join(folder, name), *NEEDED)
        dims = ("cell", "rtol", "strategy", "solver")
        yield name[: -len(".h5")], cube.transpose(*dims, ...)


def work(args):
    rows, troubles, counts = [], [], Counter()
    for model, cube in open_cubes(args.folder):
        outcome, reference = outcomes_of(cube)
        rows = rows or [["model", "strategy", *map(str, cube.solver.values)]]
        if list(cube.solver.values) != rows[0][2:]:
            raise NotOurs(f"{args.folder}: {model}.h5 has other methods than the cubes before it")
        rows.extend(rows_of(model, cube, outcome))
        troubles.extend(troubles_of(model, cube, outcome, reference))
        counts.update(outcome.ravel())
    print_table(rows)
    print(f"\n{sum(counts.values())} runs: " + ", ".join(f"{n} {word}" for word, n in counts.most_common()))
    if troubles:
        print("\n" + "\n".join(line for _, line in troubles))
    args.failed = any(word not in EXPECTED for word, _ in troubles)


if __name__ == "__main__":
    options = arguments()
    raise SystemExit(run(work, options) or int(options.failed))
