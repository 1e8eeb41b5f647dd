#!/usr/bin/env python3
"""Are ratios, cuts and verdicts of users.py right, on made-up measurements?"""
import contextlib
import io
import unittest

import users
from users import Key, Sweep


def steps(widest, bare=10.0, **change):
    """ns of ode45: scored costs 30 % more, event 10 %, width 1 seven times as much."""
    found = {}
    for width in (1, widest):
        for strategy, dearer in (("switch", 1.0), ("event", change.get("event", 1.1))):
            for scored in (0, 1):
                ns = bare * dearer * (change.get("scored", 1.3) if scored else 1) * (7 if width == 1 else 1)
                found[Key("monopod", "ode45", width, strategy, scored)] = (ns, 0.99)
                found[Key("plate", "ode45", width, "event", scored)] = (90.0, 0.99)
    return found


def printed(targets, widest):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        users.print_targets(targets, widest)
    return out.getvalue()


class Users(unittest.TestCase):
    def missed(self, *args):
        return [target.what for target in users.step_targets(*args) if target.met is False]

    def test_verdicts(self):
        self.assertEqual(self.missed(steps(8), steps(8, bare=14)), [])
        self.assertEqual(self.missed(steps(8, bare=13), {}), ["ode45 step and lane, 8 lanes, bare", "ode45 step, width 1, bare"])
        self.assertEqual(self.missed(steps(8, scored=2.3), {}), ["ode45 step and lane, 8 lanes, scored", "scored over bare"])
        self.assertEqual(self.missed(steps(8, event=1.3), {}), ["event over switch"])
        self.assertEqual(self.missed(steps(8), steps(8, bare=12)), ["8 lanes over width 1 of before, switch"])
        text = printed(users.step_targets(steps(8, bare=13), {}), 8)
        self.assertRegex(text, r"8 lanes, bare +13 ns +<= 12 ns  MISSED\n")

    def test_narrow(self):
        """Targets for 8 lanes are printed at 4, and not judged; those of width 1 are."""
        self.assertEqual(self.missed(steps(4, bare=20), {}), ["ode45 step, width 1, bare"])
        text = printed(users.step_targets(steps(4, bare=20), {}), 4)
        self.assertRegex(text, r"4 lanes, bare +20 ns +<= 12 ns  not measurable: widest here is 4\n")
        self.assertEqual(text.count("not measurable"), 5)

    def test_sweeps(self):
        found = [Sweep("atlas-small", True, 19.0, 64, 1296), Sweep("atlas-small", False, 91.0, 1296, 1296),
                 Sweep("contacts", False, 900.0, 28, 28)]
        targets = list(users.sweep_targets(found, 8))
        self.assertEqual([target.met for target in targets], [True, False])
        self.assertIn("by 64 of 1296 cells", targets[0].what)
        self.assertEqual([target.met for target in users.sweep_targets(found, 4)], [None, None])
        quicker = [sweep._replace(seconds=1.0) for sweep in found[:1]] + [s._replace(seconds=1e3) for s in found[1:]]
        self.assertEqual([sweep.seconds for sweep in users.fastest([found, quicker])], [1, 91, 900])

    def test_least(self):
        key = Key("monopod", "ode45", 1, "switch", 0)
        self.assertEqual(users.least([{key: (2.0, 1e9, 1.0)}, {key: (1.5, 1e9, 1.0)}]), {key: (1.5, 1.0)})

    def test_ways(self):
        """With cutoffs and without; a sweep that names no baselines gets one."""
        self.assertEqual(users.ways("cutoff: {}\n", False), [(False, ())])
        self.assertEqual(users.ways("a: 1\ncutoff: {error: 1}\n", True), [(True, ()), (False, users.NO_CAPS)])
        self.assertEqual(users.ways("a: 1\n", True)[0], (True, ("--set", "cutoff.baselines=[dop853]")))

    def test_cut(self):
        """The cells are replaced, and nothing else."""
        text = (users.SWEEPS / "atlas-small.yaml").read_text(encoding="utf-8")
        before, after = text.split("cells:\n")[0], text[text.index("initial:"):]
        found = users.cut(text, 3)
        self.assertTrue(found.startswith(before) and found.endswith(after))
        self.assertEqual(found.count("["), text.count("[") + 1 + 1 + 3 - 6)
        self.assertIn("cells: {columns: [b, m1, k, f], rows: [[27111.19317", found)


if __name__ == "__main__":
    unittest.main()
