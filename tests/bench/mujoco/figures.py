"""Figures made of the measurements: costs, errors, marginal costs, and whether a target is met.

A measurement is a row with the columns COLUMNS; what does not apply is empty.  `width` 0 is the widest.
"""
import collections
import math
import statistics

COLUMNS = ("problem", "program", "variant", "width", "n", "k", "zone", "start", "cpu", "wrong",
           "x", "z", "th", "vx", "vz", "w", "rms")
SAME = ("problem", "program", "variant", "width", "n", "k", "zone", "start")
STATE = ("x", "z", "th", "vx", "vz", "w")
REFERENCE, CHECK = "reference", "check"
SPAN = 2.0  # seconds simulated
MORE_ACCURATE = 1000  # than soft: what allows one of our configurations

# 97.5 % points of Student's distribution for 1, 2, ... degrees of freedom; the last one is safe beyond
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)

Fit = collections.namedtuple("Fit", "slope half r2")  # half: of the 95 % confidence interval of the slope
Config = collections.namedtuple("Config", "program variant width")
Target = collections.namedtuple("Target", "what found asked met")

SOFT = Config("mujoco", "soft", 1)


def least(rows):
    """The measurement of least time among those of the same thing."""
    found = {}
    for row in rows:
        key = tuple(str(row.get(name, "")) for name in SAME)
        if key not in found or float(row["cpu"]) < float(found[key]["cpu"]):
            found[key] = row
    return list(found.values())


def rms(values, exact):
    """Root of the mean squared difference; infinite when one of them is not a number."""
    mean = statistics.fmean((a - b) ** 2 for a, b in zip(values, exact, strict=True))
    return math.sqrt(mean) if math.isfinite(mean) else math.inf


def fit(xs, ys):
    """Least-squares line; with two points its error is unknown."""
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    sxx = sum((x - mx) ** 2 for x in xs)
    syy = sum((y - my) ** 2 for y in ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sxx
    left = sum((y - my - slope * (x - mx)) ** 2 for x, y in zip(xs, ys, strict=True))
    freedom = len(xs) - 2
    half = STUDENT[min(freedom, len(STUDENT)) - 1] * math.sqrt(left / freedom / sxx) if freedom > 0 else math.inf
    return Fit(slope, half, 1 - left / syy)


class Plate:
    """cost[configuration][n]: median CPU seconds of a trajectory; error[configuration][n]: (median, worst)
    over the starts of the largest component of the final state's error."""

    def __init__(self, rows):
        ends, times = collections.defaultdict(dict), collections.defaultdict(list)
        self.wrong = collections.Counter()
        for row in rows:
            if row["problem"] != "plate":
                continue
            key = Config(row["program"], row["variant"], int(row["width"])), int(row["n"])
            ends[key][row["start"]] = [float(row[name]) for name in STATE]
            times[key].append(float(row["cpu"]))
            self.wrong[key[0]] += int(row["wrong"])
        exact = Config("saltus", REFERENCE, 0)
        self.contacts = sorted({n for _, n in ends})
        self.cost, self.error = collections.defaultdict(dict), collections.defaultdict(dict)
        for (config, n), states in ends.items():
            far = [distance(state, ends[exact, n][start]) for start, state in states.items()]
            self.cost[config][n] = statistics.median(times[config, n])
            self.error[config][n] = statistics.median(far), max(far)

    def peers(self):
        return [c for c in self.cost if c.program == "mujoco"]

    def ours(self):
        """Our configurations at width 1."""
        return [c for c in self.cost if c.program == "saltus" and c.variant not in (REFERENCE, CHECK) and c.width == 1]

    def marginal(self, config):
        """Seconds per contact and simulated second, and how straight the line is."""
        cost = self.cost[config]
        return fit(list(cost), [t / SPAN for t in cost.values()])

    def equal(self, peer, n, width):
        """(our least seconds at an error no larger than the peer's in the median, who); (None, None): none of ours is."""
        able = [c._replace(width=width) for c in self.ours() if self.error[c][n][0] <= self.error[peer][n][0]]
        return min(((self.cost[c][n], c.variant) for c in able), default=(None, None))

    def faster(self, slow, fast):
        """{n: how many times}"""
        return {n: self.cost[slow][n] / self.cost[fast][n] for n in self.contacts}

    def sharper(self, config):
        """{n: how many times its error is smaller than that of soft, median or worst, whichever is less}"""
        return {n: min(theirs / max(ours, 1e-300)
                       for theirs, ours in zip(self.error[SOFT][n], self.error[config][n], strict=True))
                for n in self.contacts}

    def certified_to(self):
        """Largest difference between the reference and the same method at ten times its tolerance."""
        return max(worst for _, worst in self.error[Config("saltus", CHECK, 0)].values())


def distance(state, exact):
    largest = [abs(a - b) for a, b in zip(state, exact, strict=True)]
    return max(largest) if all(map(math.isfinite, largest)) else math.inf


def choose(plate):
    """The configuration of least mean cost (geometric, over n) among those accurate enough at every n;
    the most accurate one when none is."""
    able = [c for c in plate.ours() if min(plate.sharper(c).values()) >= MORE_ACCURATE]
    if not able:
        return max(plate.ours(), key=lambda c: min(plate.sharper(c).values()))
    return min(able, key=lambda c: statistics.geometric_mean(plate.cost[c].values()))


def at_least(what, found, asked, digits=".1f"):
    return Target(what, format(found, digits), f">= {asked}", found >= asked)


def targets(plate, chosen):
    wide = chosen._replace(width=0)
    found = [
        at_least("error against soft, least over n", min(plate.sharper(chosen).values()), MORE_ACCURATE, ".0f"),
        at_least("speed against soft, width 1, least over n", min(plate.faster(SOFT, chosen).values()), 40),
        at_least("speed against soft, widest, least over n", min(plate.faster(SOFT, wide).values()), 200),
    ]
    if len(plate.contacts) < 3:  # no line
        return found
    gain = plate.marginal(SOFT).slope / plate.marginal(chosen).slope
    return found + [
        at_least("marginal cost against soft, width 1", gain, 80),
        at_least("cost linear in n, R^2, width 1", plate.marginal(chosen).r2, 0.99, ".4f"),
        at_least("cost linear in n, R^2, widest", plate.marginal(wide).r2, 0.99, ".4f"),
    ]


def matching_zone(curve, wanted):
    """The least zone at which RMS(z) reaches `wanted`, on the line between neighbours in logarithms;
    None when it never does.  curve: [(zone, rms)] by growing zone."""
    for (a, at_a), (b, at_b) in zip(curve, curve[1:]):
        if at_a <= wanted <= at_b and at_a < at_b:
            share = math.log(wanted / at_a) / math.log(at_b / at_a)
            return a * (b / a) ** share
    return None
