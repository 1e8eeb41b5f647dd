#!/usr/bin/env python3
"""Times that users wait: CPU seconds of whole sweeps, with cutoffs and without, and bare and scored steps, beside targets.

    cmake --build BUILD --target bench && /usr/bin/python3 tests/bench/users.py BUILD [options]
"""
import argparse
import collections
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import programs
from ensemble import rows

HERE = pathlib.Path(__file__).resolve().parent
SWEEPS = HERE.parent.parent / "sweeps"
WIDEST = 8  # lanes that the targets are stated for
NO_CAPS = ("--set", "cutoff={}")
Key = collections.namedtuple("Key", "model method width strategy scored")
Sweep = collections.namedtuple("Sweep", "name capped seconds cells of")
Target = collections.namedtuple("Target", "what found asked met")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder, with the target `bench` built")
    parser.add_argument("--before", type=pathlib.Path, metavar="BUILD", help="an earlier build, run by turns with this one")
    parser.add_argument("--cells", type=int, metavar="N",
                        help="a cut of atlas-small: N hoppers evenly spread over its box; seconds are printed for all 1296")
    parser.add_argument("--rounds", type=int, default=3, help="each setting runs once a round; the least time counts (3)")
    parser.add_argument("--rows", type=int, default=260, help="hoppers and plates of the list of steps (260)")
    parser.add_argument("--tolerance", default="1e-6", help="of the list of steps; targets are stated at 1e-6")
    parser.add_argument("--methods", default="", metavar="NAME,..", help="for the list of steps (all)")
    parser.add_argument("--no-sweeps", action="store_true", help="steps alone")
    parser.add_argument("--core", type=int, help="the core to use; the first one allowed")
    return parser.parse_args()


def measure_steps(build, args, folder):
    """{Key: (seconds, accepted steps, lanes busy)} of one round."""
    path = folder / "rows.csv"
    with open(path, "w", encoding="utf-8") as file:
        rows.write(file, args.rows)
    command = [build / "bench_steps", path, args.rows, args.tolerance, 1, *filter(None, args.methods.split(","))]
    out = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout
    return {Key(r["model"], r["method"], int(r["width"]), r["strategy"], int(r["scored"])):
            (float(r["seconds"]), float(r["steps"]), float(r["busy"])) for r in csv.DictReader(out.splitlines())}


def least(found):
    """{Key: (ns per accepted step, busy)} by the fastest of several rounds."""
    return {key: (1e9 * min(r[key][0] for r in found) / found[0][key][1], found[0][key][2]) for key in found[0]}


def cut(text, n):
    """The sweep with n hoppers of the ensemble in place of its cells."""
    table = ", ".join("[" + ", ".join(f"{value:.12g}" for value in rows.row(i)) + "]" for i in range(n))
    cells = f"cells: {{columns: [{', '.join(rows.BOX)}], rows: [{table}]}}\n"
    return re.sub(r"^cells:\n(?: +.*\n)+", lambda found: cells, text, count=1, flags=re.MULTILINE)


def cpu_seconds(saltus, sweep, folder, more, left=None):
    """left: seconds that it may take."""
    before = programs.cpu()
    programs.output([saltus, "run", sweep, "-q", "--force", "--no-map", "-o", folder / "cube.h5", *more], left)
    return programs.cpu() - before


def sweep_of(cells, folder):
    """atlas-small, or so many of its cells: (name, file, cells run, cells of the sweep)"""
    atlas = SWEEPS / "atlas-small.yaml"
    if cells:
        text, atlas = atlas.read_text(encoding="utf-8"), folder / "cut.yaml"
        atlas.write_text(cut(text, cells), encoding="utf-8")
    return "atlas-small", atlas, cells or 1296, 1296


def sweeps(args, folder):
    return [sweep_of(args.cells, folder), ("contacts", SWEEPS / "contacts.yaml", 28, 28)]


def has_caps(saltus):
    done = subprocess.run([saltus, "run", "--help"], capture_output=True, text=True, check=True)
    return "cutoff.baselines" in done.stdout


def ways(text, cutoffs):
    """(capped?, arguments) of the runs of a sweep; one that names no baselines gets dop853."""
    if not cutoffs:
        return [(False, ())]
    own = re.search(r"^cutoff:", text, re.MULTILINE)
    return [(True, () if own else ("--set", "cutoff.baselines=[dop853]")), (False, NO_CAPS)]


def measure_sweeps(build, args, folder):
    saltus = build / "saltus"
    cutoffs = has_caps(saltus)
    return [Sweep(name, capped, cpu_seconds(saltus, file, folder, more) * of / cells, cells, of)
            for name, file, cells, of in sweeps(args, folder) for capped, more in ways(file.read_text(encoding="utf-8"), cutoffs)]


def judged(what, value, most, shown, widest, wide=True):
    """A target that is stated for the widest lanes cannot be met, nor missed, by narrower ones."""
    met = None if wide and widest < WIDEST else value <= most
    return Target(what, shown(value), f"<= {shown(most)}", met)


def step_targets(steps, before):
    """steps, before: {Key: (ns, busy)}; before may be empty."""
    widest = max(key.width for key in steps)

    def ns(width, strategy="switch", scored=0, model="monopod", found=steps):
        return found.get(Key(model, "ode45", width, strategy, scored), (None,))[0]

    def time(value):
        return f"{value:.3g} ns"

    def share(value):
        return f"{value:+.0%}"

    bare, scored, event = ns(widest), ns(widest, scored=1), ns(widest, "event")
    if bare is None:
        return
    yield judged(f"ode45 step and lane, {widest} lanes, bare", bare, 12, time, widest)
    yield judged(f"ode45 step and lane, {widest} lanes, scored", scored, 22, time, widest)
    yield judged("scored over bare", scored / bare - 1, 0.4, share, widest)
    yield judged("event over switch", event / bare - 1, 0.2, share, widest)
    yield judged("ode45 step, width 1, bare", ns(1), 75, time, widest, wide=False)
    yield judged(f"plate on 64 springs, event, {widest} lanes", ns(widest, "event", model="plate"), 100, time, widest)
    for strategy, asked in (("switch", 9), ("event", 7.5)):
        if before:
            found = ns(1, strategy, found=before) / ns(widest, strategy)
            yield Target(f"{widest} lanes over width 1 of before, {strategy}", f"{found:.3g}x", f">= {asked}x",
                         None if widest < WIDEST else found >= asked)


def sweep_targets(found, widest):
    """Seconds of one core."""
    for sweep in found:
        if sweep.name == "atlas-small":
            name = f"atlas-small, {'with cutoffs' if sweep.capped else 'all runs to their ends'}"
            name += f", by {sweep.cells} of {sweep.of} cells" if sweep.cells < sweep.of else ""
            yield judged(name, sweep.seconds, 20 if sweep.capped else 90, lambda value: f"{value:.3g} s", widest)


def print_steps(steps, before):
    print(f"\n{'ns per accepted step and lane':36}{'bare':>9}{'scored':>9}{'busy':>7}" +
          ("   before:" + f"{'bare':>9}{'scored':>9}{'faster':>14}" if before else ""))
    for key in steps:
        if key.scored:
            continue
        other = key._replace(scored=1)
        line = f"{key.model:13}{key.method:10}w{key.width} {key.strategy:10}{steps[key][0]:9.1f}{steps[other][0]:9.1f}"
        line += f"{steps[key][1]:7.1%}"
        if key in before:
            line += f"{'':10}{before[key][0]:9.1f}{before[other][0]:9.1f}"
            line += "".join(f"{before[k][0] / steps[k][0]:6.2f}x" for k in (key, other))
        print(line)


def print_sweeps(found, before):
    print(f"\n{'CPU seconds on one core':31}{'cutoffs':>8}{'seconds':>10}" + (f"{'before':>10}" if before else ""))
    for sweep in found:
        same = [b for b in before if b[:2] == sweep[:2]]
        print(f"{sweep.name:31}{'yes' if sweep.capped else 'no':>8}{sweep.seconds:10.1f}" +
              (f"{same[0].seconds:10.1f}" if same else ""))


def print_whole(found):
    """Prints the least seconds of each sweep, and the share that is left of all runs; found: one a run."""
    print("\nSWEEPS, CPU seconds of one core, start and writing included\n")
    for name in dict.fromkeys(sweep.name for sweep in found):
        least = {capped: min((s.seconds for s in found if s.name == name and s.capped == capped), default=None)
                 for capped in (True, False)}
        some = next(s for s in found if s.name == name)
        part = f"by {some.cells} of {some.of} cells" if some.cells < some.of else f"{some.of} cells"
        shown = [f"{seconds:.1f}" if seconds else "-" for seconds in least.values()]
        share = f"{least[True] / least[False]:.2f}" if all(least.values()) else "-"
        print(f"{name}, {part}: as shipped {shown[0]}, all runs to their ends {shown[1]}, share {share}")


def print_targets(targets, widest):
    print(f"\n{'TARGET':58}{'found':>11}{'asked':>12}")
    verdict = {True: "met", False: "MISSED", None: f"not measurable: widest here is {widest}"}
    for target in targets:
        print(f"{target.what:58}{target.found:>11}{target.asked:>12}  {verdict[target.met]}")


def fastest(rounds):
    """The round with least seconds of each sweep."""
    return [min(same, key=lambda sweep: sweep.seconds) for same in zip(*rounds, strict=True)]


def main():
    args = options()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0)) if args.core is None else args.core})
    builds = [args.build.resolve(), *([args.before.resolve()] if args.before else [])]
    for build in builds:
        if not (build / "bench_steps").exists():
            sys.exit(f"{build}/bench_steps is missing: cmake --build {build} --target bench")
    steps, whole = {build: [] for build in builds}, {build: [] for build in builds}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(args.rounds):
            for build in builds:
                steps[build].append(measure_steps(build, args, pathlib.Path(folder)))
                if not args.no_sweeps:
                    whole[build].append(measure_sweeps(build, args, pathlib.Path(folder)))
            print(f"round {turn + 1}: load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    now, *earlier = [least(steps[build]) for build in builds]
    found, *older = [fastest(whole[build]) if whole[build] else [] for build in builds]
    before = earlier[0] if earlier else {}
    widest = max(key.width for key in now)
    busy = statistics.median(value[1] for key, value in now.items() if key.width > 1) if widest > 1 else 1
    print(f"{args.rows} hoppers, tolerance {args.tolerance}, one core, least of {args.rounds} rounds by turns; "
          f"widest lanes {widest}, busy {busy:.1%} (median)")
    print_steps(now, before)
    if found:
        print_sweeps(found, older[0] if older else [])
    targets = [*(step_targets(now, before) if float(args.tolerance) == 1e-6 else ()), *sweep_targets(found, widest)]
    print_targets(targets, widest)


if __name__ == "__main__":
    main()
