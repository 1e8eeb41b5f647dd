#!/usr/bin/env python3
"""Are rows, errors, time at equal error, occupancy of lanes, ratios and targets right, on made-up measurements?"""
import contextlib
import io
import math
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from ensemble import entrants, figures, rows, tables  # noqa: E402

LISTS = {"all": 1300, "many": 260, "few": 26}
TOLERANCES = ("1e-3", "1e-6", "1e-9")
# Figures of ode45 at width 1: microseconds a trajectory and error at each tolerance; events cost a tenth more
TIMES, ERRORS = (100.0, 200.0, 800.0), (1e-2, 1e-5, 1e-8)
EVENTS = 1.1
# Times ode45's at width 1.  Peers are just good enough for every target, on lists of different cost.
OURS = {"ode45": 1.0, "ode15s": 3.0, "ode113": 2.0, "ode23s": 4.0}
WIDER = 8.0
ALONE = 1.2  # times a list's
PEERS = {("odeint", "dopri5"): 1.6, ("odeint", "ck54"): 16 / WIDER, ("odeint", "fehlberg78"): 2.5,
         ("arkode", "dp5"): 501 / WIDER,
         ("arkode", "bs3"): 50.0, ("cvode", "bdf"): 4.0 * 101 / WIDER, ("cvode", "adams"): 11.0,
         ("petsc", "rk-5dp"): 40.0, ("petsc", "rosw-ra34pw2"): 4.0 * 101 / WIDER, ("petsc", "bdf"): 900.0,
         ("scipy", "RK45"): 4001 / WIDER, ("scipy", "LSODA"): 1001 / WIDER}
SPEED = {0: 1 / WIDER, 1: 1, figures.ALONE: ALONE}
OF_LIST = {"all": 1.0, "many": 1.5, "few": 0.7}  # the mean cost of a row differs between lists
RACES = sum(asked is not None for race in figures.RACES for asked in race.asked)


def measured(**change):
    """Three rounds, the second one twice as fast and the third twice as slow.  change: NAME=f(key) scales seconds,
    `ends` is f(key) too."""
    scale, ends = change.get("cpu", lambda key: 1), change.get("ends", lambda key: f"{key.method}{key.strategy}")
    runs, found = [], []
    for method, relative in OURS.items():
        widths = ((1, ("many",)), (figures.ALONE, ("many", "few")))
        widths += ((0, LISTS),) if method not in ("ode15s", "ode113") else ()
        runs += [(figures.OURS, method, width, on, relative * SPEED[width]) for width, where in widths for on in where]
    runs += [(peer.code, peer.method, 1, peer.list, PEERS[peer.code, peer.method]) for peer in entrants.PEERS]
    for turn, pace in ((1, 1.0), (2, 0.5), (3, 2.0)):
        for code, method, width, on, relative in runs:
            for strategy in ("switch", "event"):
                for tolerance, time, error in zip(TOLERANCES, TIMES, ERRORS, strict=True):
                    key = figures.Key(code, method, width, strategy, tolerance, on)
                    us = time * relative * OF_LIST[on] * pace * (EVENTS if strategy == "event" else 1) * scale(key)
                    # one step of ode45 in lanes takes 8 ns at every tolerance
                    steps = time * OF_LIST[on] * 1000 / WIDER / 8
                    shares = change.get("busy", (0.995, 1.0, 0.6)) if width == 0 and on == "all" else ("",) * 3
                    found.append({**key._asdict(), "round": turn, "load": "1.0", "rows": LISTS[on],
                                  "cpu": us * 1e-6 * LISTS[on], "steps": steps * LISTS[on], "failed": 0,
                                  "rhs": 6 * steps * LISTS[on], "jacobians": 0, "events": 0, "wrong": 0, "error": error,
                                  **dict(zip(("busy", "busy_sorted", "busy_tiles"), shares, strict=True)),
                                  "ends": ends(key)})
    found.append({"round": "", "load": "", "code": figures.REFERENCE, "method": "dop853", "width": 0,
                  "strategy": "event", "tolerance": "1e-13", "list": "all", "rows": 1300, "wrong": 130, "error": 1e-13})
    return [{name: str(row.get(name, "")) for name in figures.COLUMNS} for row in found]


class Rows(unittest.TestCase):
    def test_known(self):
        """Row 0 by hand: 550 (38000 / 550)^u, u = START + one step, modulo 1; the steps solve x^5 = x + 1."""
        self.assertAlmostEqual(rows.GOLDEN**5, rows.GOLDEN + 1, 14)
        u = 0.06360711110426465 + 1 / 1.1673039782614187
        self.assertAlmostEqual(rows.row(0)[0], 550 * (38000 / 550) ** u, 6)
        self.assertAlmostEqual(rows.row(0)[0], 27111.1931741, 6)

    def test_spread(self):
        """Log-uniform over the whole box, and evenly so in a short prefix: every eighth of each axis has its share."""
        for n, slack in ((26, 2.5), (1300, 10)):
            spots = [[math.log(value / low) / math.log(high / low) for value, (low, high) in
                      zip(rows.row(i), rows.BOX.values(), strict=True)] for i in range(n)]
            for axis in zip(*spots, strict=True):
                counts = [0] * 8
                for spot in axis:
                    counts[int(8 * spot)] += 1
                self.assertLessEqual(max(abs(count - n / 8) for count in counts), slack)
        pairs = {(int(4 * spot[0]), int(4 * spot[1])) for spot in spots[:64]}
        self.assertEqual(len(pairs), 16)  # axes do not go together

    def test_file(self):
        done = subprocess.run([sys.executable, "-B", HERE / "rows.py", "3"], capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        self.assertEqual((lines[0], len(lines)), ("id,b,m1,k,f", 4))
        for i, line in enumerate(lines[1:]):
            first, *values = map(float, line.split(","))
            self.assertEqual(first, i)
            for value, right in zip(values, rows.row(i), strict=True):
                self.assertAlmostEqual(value / right, 1, 11)
                self.assertNotEqual(value, rows.row(i + 1)[0])


class Figures(unittest.TestCase):
    def test_error(self):
        """Rows that do not count are left out, no number is infinitely wrong, short lists are prefixes."""
        exact, counts = [1.0, 2.0, 3.0, 4.0], [True, False, True, True]
        self.assertAlmostEqual(figures.median_error([1.5, 99, 3.1, 4.2], exact, counts), 0.2, 12)
        self.assertEqual(figures.median_error([1.5, 99, math.nan, math.nan], exact, counts), math.inf)
        self.assertAlmostEqual(figures.median_error([1.5, 99, 3.1], exact, counts), 0.3, 12)

    def test_busy(self):
        """Two lanes, by hand: 5 | 1 1 3, then 4 after either; longest first 5 1 1 | 4 3."""
        self.assertEqual(figures.busy([5, 1, 1, 3, 4], 2), 14 / 18)
        self.assertEqual(figures.busy([5, 4, 3, 1, 1], 2), 1)
        self.assertEqual(figures.busy([1] * 8, 8), 1)
        self.assertEqual(figures.busy([5, 1, 1, 3, 4], 1), 1)
        self.assertEqual(figures.busy([5, 1, 1, 3, 4], 2, 2), 14 / 24)  # (5, 1) (1, 3) (4)

    def test_at_error(self):
        curve = [(1e-2, 1.0), (1e-4, 10.0), (1e-6, 40.0)]
        self.assertAlmostEqual(figures.at_error(curve, 1e-3), math.sqrt(10), 12)
        self.assertAlmostEqual(figures.at_error(curve, 1e-5), 20, 12)
        self.assertAlmostEqual(figures.at_error(curve, 1e-6), 40, 12)
        self.assertEqual(figures.at_error(curve, 1e-1), 1)  # cannot be had for less
        self.assertIsNone(figures.at_error(curve, 9e-7))
        self.assertIsNone(figures.at_error([], 1e-3))
        beaten = [*curve, (1e-3, 50.0), (math.inf, 0.1), (1e-4, 12.0)]
        for error in (1e-1, 1e-3, 1e-5):
            self.assertEqual(figures.at_error(beaten, error), figures.at_error(curve, error))

    def test_medians(self):
        point = figures.Runs(measured()).point
        key = figures.Key("arkode", "dp5", 1, "event", "1e-6", "many")
        self.assertAlmostEqual(1e6 * point[key].seconds, 200 * 501 / WIDER * 1.5 * EVENTS, 6)
        self.assertAlmostEqual(point[key].spread, 1.5, 12)
        self.assertEqual(point[key].rounds, 3)

    def test_ratio(self):
        """On the rows of the peer, so that what a list costs drops out."""
        runs = figures.Runs(measured())
        for race in figures.RACES:
            relative = min(OURS[name] for name in (race.methods or ("ode45",)) if name in OURS)
            right = min(PEERS[race.code, peer] for peer in race.peers) / (relative * SPEED[race.width])
            for strategy in ("switch", "event"):
                found, method = figures.ratio(runs, race, strategy, 1e-5)
                self.assertAlmostEqual(found / right, 1, 12)
                self.assertIn(method, race.methods or ("ode45",))

    def test_not_reached(self):
        race = figures.RACES[0]
        rough = [dict(row, error="1e-2") if row["code"] == figures.OURS else row for row in measured()]
        self.assertEqual(figures.ratio(figures.Runs(rough), race, "switch", 1e-5)[0], 0)
        rough = [dict(row, error="1e-2") if row["code"] == "arkode" else row for row in measured()]
        self.assertIsNone(figures.ratio(figures.Runs(rough), race, "switch", 1e-5)[0])
        rough = [dict(row, error="1e-2") if row["method"] == "ode15s" else row for row in measured()]
        met = {target.what: target.met for target in figures.targets(figures.Runs(rough))}
        self.assertEqual([name for name, verdict in met.items() if verdict is None],
                         [f"ode15s, a list / cvode bdf at {error:.0e}" for error in figures.ERRORS if error < 1e-2])


class Targets(unittest.TestCase):
    def missed(self, found):
        return [target.what for target in figures.targets(figures.Runs(found)) if not target.met]

    def test_met(self):
        targets = figures.targets(figures.Runs(measured()))
        self.assertEqual([target.what for target in targets if not target.met], [])
        self.assertEqual(len(targets), RACES + 7)

    def test_each_can_be_missed(self):
        """A peer that is ten times faster: the targets it is in, and no others."""
        for race in figures.RACES:
            def faster(key, race=race):
                return 0.1 if key.code == race.code and key.method in race.peers else 1
            missed = self.missed(measured(cpu=faster))
            self.assertTrue(missed)
            for what in missed:
                self.assertIn(f"/ {race.code} ", what)
            self.assertGreaterEqual(sum(what.startswith(race.name) for what in missed), 1, race)

    def test_lanes(self):
        def slow_lanes(key):
            return 1.2 if key.width == 0 and key.strategy == "event" and key.method == "ode23s" else 1
        self.assertEqual(self.missed(measured(cpu=slow_lanes)), ["widest / width 1, event 1e-6, least (ode23s)"])
        other = measured(ends=lambda key: f"{key.width}" if key.method == "ode23s" else "same")
        self.assertEqual(self.missed(other), ["runs with the same bits at both widths"])
        self.assertEqual(figures.Runs(other).same_bits(), (6, 12))  # two methods, 6 settings
        idle = self.missed(measured(busy=(0.98, 1.0, 0.6)))
        self.assertEqual(idle, [f"lanes busy, ode45, {strategy} 1e-6" for strategy in ("switch", "event")])

    def test_step_and_events(self):
        dear = self.missed(measured(cpu=lambda key: 1.15 if key.strategy == "event" else 1))
        self.assertEqual(dear, ["event over switch, ode45 in lanes, 1e-6"])
        self.assertAlmostEqual(figures.Runs(measured()).overhead("ode45", "1e-6"), EVENTS - 1, 12)
        slow = self.missed(measured(cpu=lambda key: 1.6 * (0.2 if key.code == figures.OURS and key.width else 1)))
        self.assertIn("ns per ode45 step and lane, switch 1e-6", slow)


class Tables(unittest.TestCase):
    def printed(self, found):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            tables.print_all(found)
        return out.getvalue()

    def test_missed_is_said(self):
        text = self.printed(measured())
        self.assertNotIn("MISSED", text)
        self.assertRegex(text, r"best in lanes \(ode45\) / arkode dp5 at 1e-02 +501 +>= 500 +501  met\n")
        slow = self.printed(measured(cpu=lambda key: 0.99 if (key.code, key.method) == ("arkode", "dp5") else 1))
        self.assertEqual(slow.count("MISSED"), 1)
        self.assertRegex(slow, r"best in lanes \(ode45\) / arkode dp5 at 1e-02 +496 +>= 500 +496  MISSED\n")

    def test_equal_error(self):
        """ARKODE's dp5 at 1e-5: 200 us, times 501 / 8, times 1.5 for its list; ours there: 37.5 us in lanes, 360 alone."""
        lines = [line for line in self.printed(measured()).splitlines() if line.startswith("arkode dp5 ")]
        self.assertTrue(any("18788 (501 / 52.2)" in line for line in lines), lines)
        best = [line for line in self.printed(measured()).splitlines() if line.startswith("saltus best alone")]
        self.assertIn("360 ode45", best[0])

    def test_narrow(self):
        """Where lanes are narrower than those of the targets, these are not judged; width 1 is."""
        slow = measured(cpu=lambda key: 3 if key.code == figures.OURS else 1)
        self.assertEqual(self.printed(slow).count("not measurable"), 0)
        text = self.printed([dict(row, width="4") if row["code"] == figures.REFERENCE else row for row in slow])
        self.assertEqual(text.count("not measurable: widest here is 4"), sum(asked is not None for r in figures.RACES if not r.width for asked in r.asked) + 4)
        self.assertRegex(text, r"ode45, a list / odeint dopri5 at 1e-05 +0\.533 +>= 1.5 +0\.533  MISSED")

    def test_left_out(self):
        """A code that is not installed is in no table and no target."""
        text = self.printed([row for row in measured() if row["code"] != "petsc"])
        self.assertNotIn("petsc", text)
        self.assertIn("cvode bdf at 1e-05", text)


if __name__ == "__main__":
    unittest.main()
