"""The tables, side by side."""
import statistics

from . import figures
from .figures import SOFT, SPAN

PAPER_ZONE = 0.13  # eps' of Anderson & Revzen, section 5.1


def named(config):
    if config.program == "mujoco":
        return config.variant
    return f"saltus {lanes(config)}"


def lanes(config):
    return "w1" if config.width == 1 else "widest"


def two(pair):
    return f"{pair[0]:.1e}/{pair[1]:.1e}"


def print_choice(plate, chosen):
    print(f"Our configurations (event, width 1): those with errors {figures.MORE_ACCURATE} times smaller than soft's,\n"
          "median and worst, at every n are allowed; the cheapest, by geometric mean over n, is chosen.\n")
    print(f"{'':14}{'mean ms':>9}{'soft error / ours':>19}")
    for c in plate.ours():
        gain = min(plate.sharper(c).values())
        cost = statistics.geometric_mean(plate.cost[c].values())
        mark = f"  fails {plate.wrong[c]} times" if plate.wrong[c] else "  not accurate enough"
        mark = "" if gain >= figures.MORE_ACCURATE else mark
        print(f"{c.variant:14}{1e3 * cost:9.4f}{gain:19.3g}{mark}{'  <- chosen' if c == chosen else ''}")


def print_costs(plate, shown, chosen):
    print(f"\nCPU time of a trajectory [ms], {SPAN:g} s simulated, median over the starts; saltus is\n"
          f"event {chosen.variant}; widest: the time of one batch of all starts by their number\n")
    ratios = [(SOFT, chosen), (SOFT, chosen._replace(width=0)),
              *((c, chosen) for c in plate.peers() if c.variant == "soft_best")]
    heads = [f"{slow.variant}/{lanes(fast)}" for slow, fast in ratios]
    print(f"{'n':>4}" + "".join(f"{named(c):>14}" for c in shown) + "".join(f"{h:>14}" for h in heads))
    for n in plate.contacts:
        print(f"{n:4}" + "".join(f"{1e3 * plate.cost[c][n]:14.4g}" for c in shown) +
              "".join(f"{plate.faster(*pair)[n]:14.1f}" for pair in ratios))


def print_errors(plate, shown, chosen):
    print("\nError of the final state, its largest component, median/worst over the starts; reference: dop853,\n"
          f"event, 1e-13, which differs from itself at 1e-12 by {plate.certified_to():.1e} at most\n")
    shown = [c for c in shown if c.width == 1]
    print(f"{'n':>4}" + "".join(f"{named(c):>18}" for c in shown) + f"{'soft/ours':>12}")
    for n in plate.contacts:
        print(f"{n:4}" + "".join(f"{two(plate.error[c][n]):>18}" for c in shown) +
              f"{plate.sharper(chosen)[n]:12.3g}")
    for c in shown:
        if plate.wrong[c]:
            print(f"{named(c)}: {plate.wrong[c]} warnings or failed runs")


def print_marginal(plate, shown):
    print("\nMarginal cost [us per contact and simulated second], least squares over all n, 95 % confidence\n")
    print(f"{'':15}{'slope':>10}{'from':>10}{'to':>10}{'R^2':>9}{'soft/this':>11}")
    for c in shown:
        line = plate.marginal(c)
        low, high = line.slope - line.half, line.slope + line.half
        print(f"{named(c):15}{1e6 * line.slope:10.3f}{1e6 * low:10.3f}{1e6 * high:10.3f}{line.r2:9.4f}"
              f"{plate.marginal(SOFT).slope / line.slope:11.1f}")


def print_targets(targets):
    print(f"\n{'Target':46}{'found':>10}{'asked':>10}")
    for t in targets:
        print(f"{t.what:46}{t.found:>10}{t.asked:>10}  {'met' if t.met else 'MISSED'}")


def print_plate(rows):
    plate = figures.Plate(rows)
    chosen = figures.choose(plate)
    shown = [*plate.peers(), chosen, chosen._replace(width=0)]
    print("PLATE: K = 200, C = 8, starts at rest\n")
    print_choice(plate, chosen)
    print_costs(plate, shown, chosen)
    print_errors(plate, shown, chosen)
    print_marginal(plate, shown)
    print_targets(figures.targets(plate, chosen))


def matching(rms, curve):
    """The zone of the same RMS as text; the curve need not reach that far."""
    zone = figures.matching_zone(curve, rms)
    if zone:
        return f"{zone:.3f}"
    return f"<{curve[0][0]:.3f}" if rms < curve[0][1] else f">{curve[-1][0]:.3f}"


def print_hopper(rows):
    rows = [row for row in rows if row["problem"] == "hopper"]
    curves = {}
    for row in (row for row in rows if row["zone"]):
        curves.setdefault(row["k"], []).append((float(row["zone"]), float(row["rms"])))
    print(f"\n\nHOPPER: z(0) = 2, {SPAN:g} s, dt = 0.002; eps': the zone of our ess in units of the gap, for MuJoCo\n"
          "the one with its RMS(z)\n")
    head = "eps'"
    print(f"{'':31}{'k':>5}{'us':>9}{'RMS z':>10}{head:>8}")
    for row in rows:
        zone, rms = row["zone"], float(row["rms"])
        if zone and float(zone) != PAPER_ZONE:
            continue
        last = f"{float(zone):.3f}" if zone else "-"
        if row["program"] == "mujoco":
            last = matching(rms, curves[row["k"]])
        print(f"{row['program']:9}{row['variant']:22}{row['k']:>5}{1e6 * float(row['cpu']):9.1f}{rms:10.2e}"
              f"{last:>8}")
    print(f"\nThe paper's eps' is {PAPER_ZONE}.  With the same force law (passive) MuJoCo's RMS(z) is the error of\n"
          f"its integrator alone and needs an eps' several times smaller; {PAPER_ZONE} needs what a foot of some\n"
          "per cent of the body's mass loses at each landing (leg): eps' calibrates the error of the model, not\n"
          "that of the integrator.")


def print_all(rows):
    print_plate(rows)
    print_hopper(rows)


def print_short(rows):
    """Costs beside MuJoCo's soft contacts, and beside its integrator alone at equal error."""
    if any(row["problem"] == "plate" for row in rows):
        plate = figures.Plate(rows)
        chosen = figures.choose(plate)
        print_beside(plate, chosen)
        print_targets(figures.targets(plate, chosen))
    print_hoppers_beside([row for row in rows if row["problem"] == "hopper" and not row["zone"]])


def print_beside(plate, chosen):
    passive = figures.Config("mujoco", "passive", 1)
    wide = chosen._replace(width=0)
    print(f"\nPLATE on n springs, MuJoCo with soft contacts / ours (event {chosen.variant}), {SPAN:g} s, and MuJoCo as an\n"
          "integrator of the same forces (passive) / our cheapest whose error is no larger; medians over the starts\n")
    print(f"{'n':>4}{'soft us':>10}{'ours w1 us':>12}{'soft/w1':>9}{'soft/widest':>13}{'error soft/ours':>17}"
          f"{'passive us':>12}{'error':>9}{'passive/w1':>12}{'passive/widest':>16}")
    for n in plate.contacts:
        equal = [plate.equal(passive, n, width)[0] for width in (1, 0)]
        times = [f"{plate.cost[passive][n] / seconds:.3g}" if seconds else "-" for seconds in equal]
        print(f"{n:4}{1e6 * plate.cost[SOFT][n]:10.0f}{1e6 * plate.cost[chosen][n]:12.1f}"
              f"{plate.faster(SOFT, chosen)[n]:9.1f}{plate.faster(SOFT, wide)[n]:13.1f}{plate.sharper(chosen)[n]:17.3g}"
              f"{1e6 * plate.cost[passive][n]:12.0f}{plate.error[passive][n][0]:9.1e}{times[0]:>12}{times[1]:>16}")


def print_hoppers_beside(rows):
    """At equal error: our cheapest whose RMS(z) is no larger."""
    if not rows:
        return
    ours = [row for row in rows if row["program"] == "saltus"]
    print(f"\nHOPPER, {SPAN:g} s, MuJoCo at dt = 0.002 / our cheapest (width 1) whose RMS(z) is no larger\n")
    print(f"{'':24}{'k':>5}{'us':>9}{'RMS z':>10}{'ours':>20}{'us':>9}{'ratio':>8}")
    for row in (row for row in rows if row["program"] != "saltus"):
        able = [o for o in ours if o["k"] == row["k"] and float(o["rms"]) <= float(row["rms"])]
        line = f"{'mujoco ' + row['variant']:24}{row['k']:>5}{1e6 * float(row['cpu']):9.1f}{float(row['rms']):10.1e}"
        best = min(able, key=lambda o: float(o["cpu"]), default=None)
        print(line + (f"{best['variant']:>20}{1e6 * float(best['cpu']):9.1f}"
                      f"{float(row['cpu']) / float(best['cpu']):8.1f}" if best else f"{'-':>20}"))
