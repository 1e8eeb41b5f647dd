"""Figures made of the measurements: cost and error of every run, time at equal error, lanes busy, and whether a target
is met.

A measurement is a row with the columns COLUMNS, all text; what does not apply is empty.  `width` 0 is the widest, ALONE
is width 1 with one trajectory at a time, where 1 is a list of them.
"""
import collections
import heapq
import itertools
import math
import statistics

COLUMNS = ("round", "load", "code", "method", "width", "strategy", "tolerance", "list", "rows", "cpu", "steps", "failed",
           "rhs", "jacobians", "events", "wrong", "error", "busy", "busy_sorted", "busy_tiles", "ends")
OURS, REFERENCE, WIDEST, ALONE = "saltus", "reference", 0, -1
LANES = 8  # that targets are stated for
ERRORS = (1e-2, 1e-3, 1e-5, 1e-7)
TILE = 64     # trajectories that a sweep hands to the lanes at a time
MIDDLE = "1e-6"  # the tolerance at which a single figure is taken

Key = collections.namedtuple("Key", "code method width strategy tolerance list")
# `wide`: stated for LANES lanes, so that narrower ones neither meet nor miss it
Target = collections.namedtuple("Target", "what found asked met event wide", defaults=("", True))


def named(code, method, width):
    if code == OURS:
        return f"{OURS} {method} {dict([(WIDEST, 'widest'), (1, 'list'), (ALONE, 'alone')])[width]}"
    return f"{code} {method}"


def median_error(ends, exact, counts):
    """Median of |y1(50) - exact| over the rows that count; a row without an end is infinitely wrong."""
    far = [abs(end - right) for end, right, count in zip(ends, exact, counts, strict=False) if count]
    return statistics.median(x if math.isfinite(x) else math.inf for x in far) if far else math.nan


def busy(attempts, width, most=None):
    """Share of the turns of `width` lanes in which a lane has work: one attempt a turn, a lane that has finished takes
    the next trajectory.  `most`: trajectories handed over at a time, after which the lanes run dry."""
    turns = 0
    for first in range(0, len(attempts), most or len(attempts)):
        lanes = [0] * width
        for work in attempts[first:first + (most or len(attempts))]:
            heapq.heapreplace(lanes, lanes[0] + work)
        turns += max(lanes)
    return sum(attempts) / (width * turns)


class Point:
    """One run over all rounds: seconds and counts per trajectory."""

    def __init__(self, rows):
        n, first = int(rows[0]["rows"]), rows[0]
        times = [float(row["cpu"]) / n for row in rows]
        self.seconds, self.rounds = statistics.median(times), len(times)
        self.spread = (max(times) - min(times)) / self.seconds
        self.steps, self.rhs, self.events = (float(first[name]) / n for name in ("steps", "rhs", "events"))
        self.wrong, self.error, self.ends = int(first["wrong"]), float(first["error"]), first["ends"]
        self.busy = [float(first[name]) for name in ("busy", "busy_sorted", "busy_tiles") if first[name]]


class Runs:
    """Everything measured."""

    def __init__(self, rows):
        groups = collections.defaultdict(list)
        for row in rows:
            groups[Key(*(int(row[name]) if name == "width" else row[name] for name in Key._fields))].append(row)
        self.reference = next((rows[0] for key, rows in groups.items() if key.code == REFERENCE), None)
        self.point = {key: Point(rows) for key, rows in groups.items() if key.code != REFERENCE}
        self.widest = int(self.reference["width"] or 0) if self.reference else 0
        self.widest = self.widest or LANES  # unknown to files of before
        self.tolerances = sorted({key.tolerance for key in self.point}, key=float, reverse=True)
        self.loads = [float(row["load"]) for row in rows if row["load"]]
        self.rows = {row["list"]: int(row["rows"]) for row in rows}

    def curve(self, code, method, width, strategy, on):
        """[(error, seconds)] of one configuration on one list, one point a tolerance."""
        keys = (Key(code, method, width, strategy, tolerance, on) for tolerance in self.tolerances)
        return [(self.point[key].error, self.point[key].seconds) for key in keys if key in self.point]

    def configs(self, strategy):
        """(code, method, width, list) of everybody, in the order of measurement."""
        return list(dict.fromkeys((k.code, k.method, k.width, k.list) for k in self.point if k.strategy == strategy))

    def methods(self, width):
        return list(dict.fromkeys(k.method for k in self.point if k.code == OURS and k.width == width))

    def best(self, methods, width, strategy, on, error):
        """(seconds, method) of the fastest of ours at this error; (None, "") when none reaches it."""
        found = [(at_error(self.curve(OURS, method, width, strategy, on), error), method) for method in methods]
        return min((pair for pair in found if pair[0]), default=(None, ""))

    def list_of(self, code, methods):
        """The rows that peers were run on; None when none was."""
        return next((key.list for key in self.point if key.code == code and key.method in methods), None)

    def wider(self, method, strategy, tolerance):
        """How many times faster the widest lanes are than width 1, on the same rows; None if not measured."""
        one, wide = (self.point.get(Key(OURS, method, width, strategy, tolerance, "many")) for width in (1, WIDEST))
        return one.seconds / wide.seconds if one and wide else None

    def same_bits(self):
        """(pairs of runs at width 1 and in lanes whose ends are the same bits, pairs)"""
        pairs = [(point, self.point[key._replace(width=WIDEST)]) for key, point in self.point.items()
                 if key.code == OURS and key.width == 1 and key._replace(width=WIDEST) in self.point]
        return sum(one.ends == wide.ends for one, wide in pairs), len(pairs)

    def overhead(self, method, tolerance):
        """Cost of events: extra time of `event` over `switch` in lanes, as a share."""
        points = [self.point.get(Key(OURS, method, WIDEST, strategy, tolerance, "all")) for strategy in
                  ("event", "switch")]
        return points[0].seconds / points[1].seconds - 1 if all(points) else None


def at_error(curve, error):
    """Seconds at this error, on the line between neighbours in logarithms; None where the curve does not reach.
    Settings beaten in error and time by another one of the same code do not count, and a code whose cheapest setting
    is more accurate than that costs what this setting costs."""
    front = []
    for reached, seconds in sorted((e, s) for e, s in curve if 0 < e < math.inf):
        if not front or seconds < front[-1][1]:
            front.append((reached, seconds))
    if not front or error < front[0][0]:
        return None
    for (e0, s0), (e1, s1) in itertools.pairwise(front):
        if error <= e1:
            return s0 * (s1 / s0) ** (math.log(error / e0) / math.log(e1 / e0))
    return front[-1][1]


# Targets of the ratio best of the peers / best of ours at equal error, for each of ERRORS (None: nothing); no
# methods: all of ours.
Race = collections.namedtuple("Race", "name methods width code peers asked")
ROSENBROCK = ("ode23s", "rosnys4")
RACES = (
    Race("best in lanes", (), WIDEST, "arkode", ("dp5",), (500, 250, 120, 120)),
    Race("best in lanes", (), WIDEST, "odeint", ("ck54",), (None, 15, 8, 7)),
    Race("best in lanes", (), WIDEST, "scipy", ("LSODA",), (1000,) * 4),
    Race("best in lanes", (), WIDEST, "scipy", ("RK45",), (4000,) * 4),
    Race("best alone", (), ALONE, "odeint", ("dopri5", "ck54", "fehlberg78"), (None, 1.3, 1.2, 1)),
    Race("ode45, a list", ("ode45",), 1, "odeint", ("dopri5",), (1.5,) * 4),
    Race("ode45, alone", ("ode45",), ALONE, "odeint", ("dopri5",), (1,) * 4),
    Race("ode45, a list", ("ode45",), 1, "arkode", ("dp5",), (12,) * 4),
    Race("rosenbrock in lanes", ROSENBROCK, WIDEST, "petsc", ("rosw-ra34pw2",), (100,) * 4),
    Race("rosenbrock in lanes", ROSENBROCK, WIDEST, "cvode", ("bdf",), (100,) * 4),
    Race("ode15s, a list", ("ode15s",), 1, "cvode", ("bdf",), (5,) * 4),
    Race("ode113, a list", ("ode113",), 1, "cvode", ("adams",), (5,) * 4),
)
WIDER, LEAST_BUSY, STEP_NS, MOST_OVERHEAD = 7, 0.99, 12, 0.20


def ratio(runs, race, strategy, error):
    """(peers' least seconds / ours on their rows, our method); None: no peer gets there, 0: we do not."""
    on = runs.list_of(race.code, race.peers)
    theirs = [at_error(runs.curve(race.code, peer, 1, strategy, on), error) for peer in race.peers]
    theirs = min(filter(None, theirs), default=None)
    if not theirs:
        return None, ""
    seconds, method = runs.best(race.methods or runs.methods(race.width), race.width, strategy, on, error)
    return (theirs / seconds if seconds else 0), method


def shown(found):
    if found is None:
        return "-"
    return f"{found:.0f}" if found >= 100 else f"{found:.3g}" if found else "not reached"


def race_targets(runs):
    """Judged under `switch`, as the targets were set; `event` is printed beside it."""
    for race in RACES:
        if not runs.list_of(race.code, race.peers):
            continue
        peers = race.peers[0] if len(race.peers) == 1 else "best"
        for error, asked in ((e, a) for e, a in zip(ERRORS, race.asked, strict=True) if a):
            found, method = ratio(runs, race, "switch", error)
            name = race.name if len(race.methods) == 1 or not method else f"{race.name} ({method})"
            yield Target(f"{name} / {race.code} {peers} at {error:.0e}", shown(found), f">= {asked}",
                         found >= asked if found else None, shown(ratio(runs, race, "event", error)[0]),
                         race.width == WIDEST)


def single_targets(runs):
    found = {method: runs.wider(method, "event", MIDDLE) for method in runs.methods(WIDEST)}
    found = {method: value for method, value in found.items() if value}
    same, pairs = runs.same_bits()
    if "ode45" in found:
        worst = min(found, key=found.get)
        yield Target(f"widest / width 1, event {MIDDLE}, ode45", shown(found["ode45"]), f">= {WIDER}",
                     found["ode45"] >= WIDER)
        yield Target(f"widest / width 1, event {MIDDLE}, least ({worst})", shown(found[worst]), f">= {WIDER}",
                     found[worst] >= WIDER)
        yield Target("runs with the same bits at both widths", f"{same} of {pairs}", "all", same == pairs, "", False)
    for strategy in ("switch", "event"):
        point = runs.point.get(Key(OURS, "ode45", WIDEST, strategy, MIDDLE, "all"))
        if point and strategy == "switch":
            ns = 1e9 * point.seconds / point.steps
            yield Target(f"ns per ode45 step and lane, switch {MIDDLE}", f"{ns:.3g}", f"<= {STEP_NS}", ns <= STEP_NS)
        if point and point.busy:
            yield Target(f"lanes busy, ode45, {strategy} {MIDDLE}", f"{point.busy[0]:.1%}", f">= {LEAST_BUSY:.0%}",
                         point.busy[0] >= LEAST_BUSY, "", False)
    overhead = runs.overhead("ode45", MIDDLE)
    if overhead is not None:
        yield Target(f"event over switch, ode45 in lanes, {MIDDLE}", f"{overhead:+.1%}", f"<= {MOST_OVERHEAD:.0%}",
                     overhead <= MOST_OVERHEAD)


def targets(runs):
    return [*race_targets(runs), *single_targets(runs)]


def verdict(runs, target):
    if target.met is None:
        return "no figure"
    if target.wide and runs.widest < LANES:
        return f"not measurable: widest here is {runs.widest}"
    return "met" if target.met else "MISSED"
