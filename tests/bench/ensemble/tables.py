"""The tables."""
from . import figures
from .figures import ALONE, ERRORS, MIDDLE, OURS, WIDEST, named


def three(value):
    """Three significant digits, never an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def digits(value):
    """Four significant digits, never an exponent."""
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def widest_list(runs, key):
    """Is this the longest list the configuration was run on?"""
    lists = [k.list for k in runs.point if k[:5] == key[:5]]
    return key.list == max(lists, key=runs.rows.get)


def print_head(runs):
    lists = ", ".join(f"{name} {n}" for name, n in sorted(runs.rows.items(), key=lambda pair: -pair[1]))
    print(f"ENSEMBLE of hopping monopods, t in [0, 50], one core, medians over rounds by turns; rows: {lists}")
    print(f"load of the machine {min(runs.loads):.1f} to {max(runs.loads):.1f}")
    if runs.reference:
        r = runs.reference
        print(f"reference: dop853, event, 1e-13; {int(r['rows']) - int(r['wrong'])} of {r['rows']} rows are "
              f"well-conditioned, and there it differs\nfrom itself at 1e-12 by {float(r['error']):.1e} in the median")


def print_costs(runs, strategy, tolerance):
    print(f"\n{strategy}, tolerance {tolerance}; each configuration on the longest list it was run on\n")
    print(f"{'':22}{'rows':>5}{'traj/s':>9}{'f/traj':>9}{'ns/f':>9}{'steps':>9}{'ns/step':>9}{'events':>8}{'error':>10}"
          f"{'spread':>8}{'runs':>5}")
    for key, point in runs.point.items():
        if (key.strategy, key.tolerance) != (strategy, tolerance) or not widest_list(runs, key):
            continue
        wrong = f"  {point.wrong} failed" if point.wrong else ""
        print(f"{named(key.code, key.method, key.width):22}{runs.rows[key.list]:5}{digits(1 / point.seconds):>9}{point.rhs:9.0f}"
              f"{digits(1e9 * point.seconds / point.rhs):>9}{point.steps:9.0f}"
              f"{digits(1e9 * point.seconds / point.steps):>9}"
              f"{point.events:8.1f}{point.error:10.1e}{point.spread:8.0%}{point.rounds:5}{wrong}")


BEST = ((WIDEST, "best in lanes"), (1, "best of a list"), (ALONE, "best alone"))


def print_best(runs, strategy, on):
    """Ours: the fastest method of each width."""
    for width, name in BEST:
        found = [runs.best(runs.methods(width), width, strategy, on, error) for error in ERRORS]
        if any(seconds for seconds, _ in found):
            cells = [f"{three(1e6 * seconds)} {method}" if seconds else "-" for seconds, method in found]
            print(f"{OURS + ' ' + name:22}{runs.rows[on]:5}" + "".join(f"{cell:>22}" for cell in cells))


def print_peer(runs, strategy, code, method, width, on):
    cells = []
    for error in ERRORS:
        seconds = figures.at_error(runs.curve(code, method, width, strategy, on), error)
        best = [runs.best(runs.methods(lanes), lanes, strategy, on, error)[0] for lanes in (WIDEST, ALONE)]
        times = " / ".join(three(seconds / least) if least else "-" for least in best) if seconds else ""
        cells.append(f"{three(1e6 * seconds)} ({times})" if seconds else "-")
    print(f"{named(code, method, width):22}{runs.rows[on]:5}" + "".join(f"{cell:>22}" for cell in cells))


def print_equal(runs, strategy, all_of_ours=True):
    print(f"\nTIME AT EQUAL ERROR, {strategy} [us of CPU a trajectory]; in brackets: times the best of ours in lanes / alone, "
          f"same rows.\nLanes: {runs.widest}; a list: width 1, two trajectories by turns; alone: width 1, one after another\n")
    print(f"{'':22}{'rows':>5}" + "".join(f"{error:22.0e}" for error in ERRORS))
    configs = runs.configs(strategy)
    for on in dict.fromkeys(c[3] for c in configs if c[0] != OURS):
        print_best(runs, strategy, on)
        for code, method, width, where in configs:
            if where == on and (all_of_ours or code != OURS):
                print_peer(runs, strategy, code, method, width, on)


def print_lanes(runs):
    """Prints the gain by lanes, at MIDDLE."""
    if MIDDLE not in runs.tolerances or not runs.methods(WIDEST):
        return
    print(f"\nLANES at {MIDDLE}: widest over width 1; lanes busy [%] as the rows come, longest first, and in tiles of "
          f"{figures.TILE};\nevents: extra time of event over switch in lanes\n")
    print(f"{'':9}{'switch':>8}{'busy':>7}{'sorted':>8}{'tiles':>7}{'event':>9}{'busy':>7}{'sorted':>8}{'tiles':>7}"
          f"{'events':>9}")
    for method in runs.methods(WIDEST):
        line = f"{method:9}"
        for strategy, space in (("switch", 8), ("event", 9)):
            wider = runs.wider(method, strategy, MIDDLE)
            point = runs.point.get(figures.Key(OURS, method, WIDEST, strategy, MIDDLE, "all"))
            line += f"{wider:{space - 1}.2f}x" if wider else f"{'-':>{space}}"
            line += "".join(f"{100 * share:{w}.1f}" for share, w in zip(point.busy, (7, 8, 7), strict=False)) if point else ""
        overhead = runs.overhead(method, MIDDLE)
        print(line + (f"{overhead:+9.1%}" if overhead is not None else ""))


def print_targets(runs):
    print(f"\n{'TARGET, judged under switch':62}{'found':>12}{'asked':>9}{'event':>12}")
    for target in figures.targets(runs):
        print(f"{target.what:62}{target.found:>12}{target.asked:>9}{target.event:>12}  {figures.verdict(runs, target)}")


def print_short(rows):
    """Times at equal error, under `switch` alone."""
    runs = figures.Runs(rows)
    print_head(runs)
    print_equal(runs, "switch", all_of_ours=False)
    print_targets(runs)


def print_all(rows):
    """Everything."""
    runs = figures.Runs(rows)
    print_head(runs)
    for strategy in ("switch", "event"):
        for tolerance in runs.tolerances:
            print_costs(runs, strategy, tolerance)
    for strategy in ("switch", "event"):
        print_equal(runs, strategy)
    print_lanes(runs)
    print_targets(runs)
