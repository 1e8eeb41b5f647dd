"""test_curves.py ANALYSIS_DIR: slopes of order_test.py and distances of residuals.py, made up."""

import os
import sys
import tempfile
import unittest

import matplotlib.image
import numpy as np
import pandas as pd

import made_up
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
TIMES = np.linspace(0, 2, 201)


class Script(unittest.TestCase):
    script = None

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.out = self.path("new/pictures")

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def run_script(self, *arguments):
        return script.run(os.path.join(ANALYSIS, self.script), *arguments, "-o", self.out)

    def draws(self, *arguments):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def share_of(self, name, colour):
        pixels = matplotlib.image.imread(os.path.join(self.out, name))
        pixels = np.rint(255 * pixels[..., :3]).astype(int)
        wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        return np.mean((np.abs(pixels - wanted) <= 1).all(axis=-1))


class Order(Script):
    script = "order_test.py"

    def curve(self, **orders):
        """error = eps ** order; 0: a staircase without one."""
        eps = np.logspace(-5, -1, 41)
        parts = [pd.DataFrame({"strategy": ["switch"], "parameter": ["tolerance"], "value": [1e-3], "rms": [1e-3]})]
        for strategy, order in orders.items():
            rms = eps**order if order else np.where(eps < 1e-3, 1e-3, 1e-6)
            rows = {"strategy": strategy.replace("_", "-"), "parameter": "eps", "value": eps, "rms": rms}
            parts.append(pd.DataFrame(rows))
        table = pd.concat(parts).assign(solver="ode45", ended_early=0)
        table.to_csv(self.path("curve.csv"), index=False)
        return self.path("curve.csv")

    def test_slopes_are_found(self):
        said = self.draws(self.curve(ess=2.0, ess2=3.5, ess_listing1=0))
        rows = pd.read_csv(os.path.join(self.out, "order_test.csv")).set_index(["strategy", "low"])
        for low in (1e-4, 1e-2):
            self.assertAlmostEqual(rows["slope"]["ess", low], 2.0, places=9)
            self.assertAlmostEqual(rows["slope"]["ess2", low], 3.5, places=9)
        self.assertTrue(np.isnan(rows["slope"]["ess-listing1", 1e-4]))
        self.assertRegex(said, r"ess-listing1 +over 0\.0001 \.\. 0\.01 +none")
        self.assertNotIn("switch", said)
        for colour in ("#EE3377", "#009988", "#888888"):
            self.assertGreater(self.share_of("order_test.png", colour), 5e-4)
        self.assertEqual(self.share_of("order_test.png", "#EE7733"), 0)  # switch has no zone

    def test_runs_that_ended_early_do_not_count(self):
        path = self.curve(ess=2.0)
        rows = pd.read_csv(path)
        rows.loc[20:24, ["rms", "ended_early"]] = (1.0, 1)
        rows.to_csv(path, index=False)
        self.assertRegex(self.draws(path), r"ess +over 0\.0001 \.\. 0\.01 +2\.00 .* 16 points")

    def test_wrong_input_is_one_line_and_exit_2(self):
        text = self.path("text.csv")
        with open(text, "w", encoding="utf-8") as file:
            file.write("a,b\n1,2\n")
        self.refuses(self.path("nothing.csv"), saying="no such file")
        self.refuses(text, saying="no column strategy, solver")
        self.refuses(self.curve(), saying="no strategy of the curve has an eps")
        self.refuses(self.curve(ess=2.0), "--fit", "1e-2", "1e-3", saying="LO must be above 0")


class Residuals(Script):
    script = "residuals.py"

    def write(self, name, off, times=TIMES, strategy="ess"):
        """z and v, each `off` beside a cosine at its worst."""
        path = self.path(name)
        state = {"z": np.cos(times) + off * times / times[-1], "v": -np.sin(times) + 2 * off * times / times[-1]}
        made_up.write_trajectory(path, times, state, times > 1)
        made_up.h5py.File(path, "a").attrs["strategy"] = strategy
        return path

    def test_distances_are_told_and_drawn(self):
        exact, near, far = self.write("a.h5", 0), self.write("b.h5", 1e-4, strategy="ess2"), self.write("c.h5", 0.1)
        said = self.draws(exact, near, far, "--states", "z", "v")
        self.assertRegex(said, r"ess2.*\|dz\| <= 0\.0001  \|dv\| <= 0\.0002\n.*\|dz\| <= 0\.1  \|dv\| <= 0\.2")
        for colour in ("#EE3377", "#009988", "#E4E4E4", "#BBBBBB"):
            self.assertGreater(self.share_of("residuals.png", colour), 5e-4, colour)
        self.assertEqual(self.share_of("residuals.png", "#EE7733"), 0)

    def test_wrong_input_is_one_line_and_exit_2(self):
        exact, run = self.write("a.h5", 0), self.write("b.h5", 0.1)
        late = self.write("late.h5", 0.1, 2 * TIMES)
        states = ("--states", "z")
        self.refuses(exact, self.path("nothing.h5"), *states, saying="no such file")
        self.refuses(exact, run, "--states", "z", "q", saying="no state q; there are")
        self.refuses(exact, late, *states, saying="different times")
        self.refuses(exact, exact, *states, saying="same values")


del Script
unittest.main()
