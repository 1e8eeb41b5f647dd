#!/usr/bin/env python3
"""Are slopes, confidence intervals, errors, choice and targets right, on made-up measurements?"""
import contextlib
import io
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from mujoco import figures, tables  # noqa: E402

CONTACTS = (2, 4, 8, 16, 32)
STARTS = range(3)
BASE, PER_CONTACT = 1e-4, 2e-3  # seconds of soft
ROUGH_ONLY = ("soft", "rough", figures.REFERENCE, figures.CHECK)
GAINS = {1: (90, 1e4), 0: (400, 1e4)}  # width: (soft's cost / ours, soft's error / ours)


def row(program, variant, width, n, start, cpu, error):
    state = [1 + error, 0.5 * error, 0, 0, 0, 0]  # the reference is (1, 0, 0, ...)
    return {"problem": "plate", "program": program, "variant": variant, "width": width, "n": n, "k": "", "zone": "",
            "start": start, "cpu": cpu, "wrong": 0, "rms": "", **dict(zip(figures.STATE, state, strict=True))}


def measured(cost=lambda width, n: 1.0):
    """Starts of costs 1/2, 1, 2 and errors 1, 2, 4, in that order, times those of the program."""
    rows = []
    for n in CONTACTS:
        for start in STARTS:
            time, error = (BASE + PER_CONTACT * n) * 2.0 ** (start - 1), 0.01 * 2.0**start
            rows.append(row("saltus", figures.REFERENCE, 0, n, start, 1, 0))
            rows.append(row("saltus", figures.CHECK, 0, n, start, 1, 1e-12))
            rows.append(row("mujoco", "soft", 1, n, start, time, error))
            for width, (faster, sharper) in GAINS.items():
                ours = time * cost(width, n) / faster
                rows.append(row("saltus", "good", width, n, start, ours, error / sharper))
                rows.append(row("saltus", "rough", width, n, start, ours / 2, error / 999))
                unlucky = 10 if start == max(STARTS) else sharper
                rows.append(row("saltus", "by chance", width, n, start, ours / 3, error / unlucky))
                rows.append(row("saltus", "dear", width, n, start, 2 * ours, error / (2 * sharper)))
                rows.append({**row("saltus", "broken", width, n, start, ours / 4, 0), "w": math.nan, "wrong": 1})
    return rows


def hopper():
    rows = [{"problem": "hopper", "program": "saltus", "variant": "ess", "zone": z, "rms": z * z}
            for z in (0.1, 0.13, 0.2)]
    rows += [{"problem": "hopper", "program": "mujoco", "variant": "leg", "zone": "", "rms": rms}
             for rms in (0.15**2, 1e-6, 1.0)]
    return [{"width": 1, "n": 1, "k": 200, "start": 0, "cpu": 1e-5, "wrong": 0, **row} for row in rows]


class Figures(unittest.TestCase):
    def test_line(self):
        """Worked by hand: Sxx = 10, Sxy = 19.7, Syy = 38.9, residual 0.091, t(3) = 3.182."""
        line = figures.fit([1, 2, 3, 4, 5], [2.1, 3.9, 6.2, 7.8, 10.0])
        self.assertAlmostEqual(line.slope, 1.97, 12)
        self.assertAlmostEqual(line.half, 3.182 * math.sqrt(0.091 / 30), 12)
        self.assertAlmostEqual(line.r2, 1 - 0.091 / 38.9, 12)
        self.assertEqual(figures.fit([0, 1], [0, 1]).half, math.inf)

    def test_cost_and_error(self):
        plate = figures.Plate(measured())
        for n in CONTACTS:
            self.assertAlmostEqual(plate.cost[figures.SOFT][n], BASE + PER_CONTACT * n, 12)
            self.assertAlmostEqual(plate.error[figures.SOFT][n][0], 0.02, 12)
            self.assertAlmostEqual(plate.error[figures.SOFT][n][1], 0.04, 12)
        line = plate.marginal(figures.SOFT)
        self.assertAlmostEqual(line.slope, PER_CONTACT / figures.SPAN, 12)
        self.assertLess(line.half, 1e-12)
        self.assertAlmostEqual(plate.certified_to(), 1e-12, 15)

    def test_choice(self):
        """The cheapest, but not one that ends as no number, fails from one start or is just short of 1000."""
        plate = figures.Plate(measured())
        self.assertEqual(figures.choose(plate).variant, "good")
        rough = [r for r in measured() if r["variant"] in ROUGH_ONLY]
        self.assertEqual(figures.choose(figures.Plate(rough)).variant, "rough")

    def verdicts(self, rows):
        plate = figures.Plate(rows)
        return [t.met for t in figures.targets(plate, figures.choose(plate))]

    def test_targets(self):
        """In order: error, width 1, widest, marginal cost, straight at width 1, at the widest."""
        self.assertEqual(self.verdicts(measured()), [True] * 6)
        rough = [r for r in measured() if r["variant"] in ROUGH_ONLY]
        self.assertEqual(self.verdicts(rough), [False] + [True] * 5)
        one_slow = measured(lambda width, n: 2.3 if width == 1 and n == 2 else 1)
        self.assertEqual(self.verdicts(one_slow), [True, False, True, True, True, True])
        wide_slow = measured(lambda width, n: 2.1 if width == 0 else 1)
        self.assertEqual(self.verdicts(wide_slow), [True, True, False, True, True, True])
        bent = measured(lambda width, n: n / 32)
        self.assertEqual(self.verdicts(bent), [True, True, True, True, False, False])
        bent_wide = measured(lambda width, n: n / 32 if width == 0 else 1)
        self.assertEqual(self.verdicts(bent_wide), [True, True, True, True, True, False])
        steep = measured(lambda width, n: 1 + n / 128 if width == 1 else 1)
        self.assertEqual(self.verdicts(steep), [True, True, True, False, True, True])

    def test_rms(self):
        self.assertAlmostEqual(figures.rms([1, 2, 3], [1, 2, 0]), math.sqrt(3), 12)
        self.assertEqual(figures.rms([1, math.nan], [1, 1]), math.inf)

    def test_zone(self):
        curve = [(z, 2 * z**1.5) for z in (0.01, 0.05, 0.1, 0.2)]
        self.assertAlmostEqual(figures.matching_zone(curve, 2 * 0.13**1.5), 0.13, 12)
        self.assertIsNone(figures.matching_zone(curve, 1))
        self.assertIsNone(figures.matching_zone(curve, 1e-9))


class Tables(unittest.TestCase):
    def printed(self, rows):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            tables.print_all(rows)
        return out.getvalue()

    def test_missed_is_said(self):
        self.assertNotIn("MISSED", self.printed(measured() + hopper()))
        slow = self.printed(measured(lambda width, n: 3) + hopper())
        missed = [line for line in slow.splitlines() if line.endswith("MISSED")]
        self.assertEqual(len(missed), 3)
        self.assertRegex(missed[0], r"width 1, least over n +30\.0 +>= 40  MISSED")
        self.assertRegex(missed[1], r"widest, least over n +133\.3 +>= 200  MISSED")
        self.assertRegex(missed[2], r"marginal cost against soft, width 1 +30\.0 +>= 80  MISSED")

    def test_choice_is_said(self):
        said = {line.split()[0]: line.split()[3:] for line in self.printed(measured() + hopper()).splitlines()
                if line.startswith(("good ", "rough ", "broken "))}
        runs = len(CONTACTS) * len(STARTS)
        self.assertEqual(said, {"good": ["<-", "chosen"], "rough": ["not", "accurate", "enough"],
                                "broken": ["fails", str(runs), "times"]})

    def test_hopper(self):
        found = [line.split()[-1] for line in self.printed(measured() + hopper()).splitlines()
                 if line.startswith("mujoco ")]
        self.assertEqual(found, ["0.150", "<0.100", ">0.200"])

    def test_beside(self):
        """At equal error: "rough" has half of the cost of "good", and a 999th of soft's error where that has a 10,000th;
        the hopper's cheapest of ours is one whose RMS is no larger."""
        rows = [r for r in measured() if r["variant"] not in ("by chance", "broken")]
        passive = [{**r, "variant": "passive"} for r in rows if r["variant"] == "soft"]
        peer, cost = figures.Config("mujoco", "passive", 1), BASE + 2 * PER_CONTACT
        for sharper, right in ((1, (cost / 90 / 2, "rough")), (1e3, (cost / 90, "good")), (1e5, (None, None))):
            sharp = [{**r, "x": 1 + (r["x"] - 1) / sharper, "z": r["z"] / sharper} for r in passive]
            found = figures.Plate(rows + sharp).equal(peer, 2, 1)
            self.assertEqual(found[1], right[1])
            self.assertAlmostEqual(found[0] or 0, right[0] or 0, 12)
        rows += passive
        ours = [{**hopper()[3], "program": "saltus", "variant": f"ours {us}", "cpu": us * 1e-6, "rms": rms}
                for us, rms in ((2, 1e-2), (4, 1e-4))]
        theirs = [{**hopper()[3], "variant": name, "cpu": 4e-5, "rms": rms} for name, rms in
                  (("soft", 2e-2), ("passive", 1e-3), ("exact", 1e-9))]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            tables.print_short(rows + ours + theirs)
        said = {line.split()[1]: line.split()[-1] for line in out.getvalue().splitlines() if line.startswith("mujoco ")}
        self.assertEqual(said, {"soft": "20.0", "passive": "10.0", "exact": "-"})

    def test_least(self):
        """The turn of less time, for each start by itself."""
        slow = [{**r, "cpu": r["cpu"] * (3 if r["start"] else 0.5)} for r in measured()]
        for row, first in zip(figures.least(measured() + slow), measured(), strict=True):
            self.assertAlmostEqual(row["cpu"], first["cpu"] * (1 if row["start"] else 0.5), 15)


if __name__ == "__main__":
    unittest.main()
