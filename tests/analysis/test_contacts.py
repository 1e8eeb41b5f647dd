"""test_contacts.py ANALYSIS_DIR: are slopes, fronts and counts of contact scaling those of the cube?"""

import os
import sys
import tempfile
import unittest

import matplotlib.image
import numpy as np
import pandas as pd

import contacts_made_up as made_up
from made_up import write_cube
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import contacts_data  # noqa: E402
import style  # noqa: E402

PICTURES = {
    "cost_cpu", "cost_rhs", "cost_work", "marginal", "error", "precision_cpu", "precision_rhs", "events",
}  # fmt: skip


class Contacts(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = self.path("cube.h5")
        self.out = self.path("new/pictures")

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def run_script(self, *arguments, drawn=False):
        return script.run(os.path.join(ANALYSIS, "contacts.py"), *arguments, drawn=drawn)

    def draws(self, *arguments, drawn=False):
        done = self.run_script(self.cube, *arguments, "-o", self.out, drawn=drawn)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def table(self, name):
        return pd.read_csv(os.path.join(self.out, name + ".csv"))

    def colours(self, name):
        """Pixels of each solver's and strategy's colour in a picture."""
        pixels = matplotlib.image.imread(os.path.join(self.out, name + ".png"))[..., :3]
        self.assertGreater(pixels.shape[1], 1000)
        pixels = np.rint(255 * pixels).astype(int) @ (1 << 16, 1 << 8, 1)
        found, counts = np.unique(pixels, return_counts=True)
        shades = found[:, None] >> np.array([16, 8, 0]) & 255
        known = dict(style.SOLVER) | {name: look[0] for name, look in style.STRATEGY.items()}
        wanted = {k: np.array([int(v[i : i + 2], 16) for i in (1, 3, 5)]) for k, v in known.items()}
        return {k: int(counts[(np.abs(shades - v) <= 1).all(axis=-1)].sum()) for k, v in wanted.items()}

    def test_slope_lies_in_its_interval(self):
        made_up.write(self.cube)
        said = self.draws("--figures", "marginal")
        rows = self.table("marginal")
        self.assertEqual(len(rows), 2 * 2 * 3 * 2)  # cost, tolerance, strategy, solver
        for row in rows.to_dict("records"):
            slope = made_up.SLOPE[row["strategy"]] / made_up.T_END  # us, and evaluations
            self.assertLessEqual(row["low"], slope, row)
            self.assertGreaterEqual(row["high"], slope, row)
            self.assertLessEqual(row["high"] - row["low"], 0.1 * slope, row)
            if slope > 0:
                self.assertGreater(row["high"] - row["low"], 1e-3 * slope, row)
                self.assertGreater(row["r2"], 0.999)
        event = rows[(rows["strategy"] == "event") & (rows["cost"] == "cpu")].iloc[-1]
        self.assertIn(f"{event['slope']:9.4g} [{event['low']:8.3g}, {event['high']:8.3g}]", said)

    def test_interval_covers_as_often_as_it_says(self):
        random = np.random.default_rng(7)
        n, starts, covered = np.array([2.0, 8, 32, 128]), 40, 0
        draws = random.integers(0, starts, (400, starts))
        for _ in range(200):
            factor = 1 + 0.2 * random.normal(size=starts)
            values = (100 + 4 * n[:, None]) * factor + random.normal(0, 5, (4, starts))
            found = contacts_data.marginal(n, values, draws)
            covered += found["low"] <= 4 <= found["high"]
        self.assertGreaterEqual(covered, 178)
        self.assertLess(covered, 200)

    def test_costs_are_those_of_the_cube(self):
        made_up.write(self.cube, noise=0)
        self.draws("--figures", "cost", "error", "marginal")
        for name, factor in (("cpu", 1.0), ("rhs", 1.0), ("work", 1000.0)):
            rows = self.table(f"cost_{name}").set_index(["rtol", "strategy", "solver", "n"])
            expected = factor * (400 + 10 * 1000) / made_up.T_END
            self.assertAlmostEqual(rows[name][1e-3, "event", "ode45", 1000], expected, places=6)
        for row in self.table("marginal").to_dict("records"):
            self.assertAlmostEqual(row["slope"], made_up.SLOPE[row["strategy"]] / made_up.T_END, places=9)
        errors = self.table("error").set_index(["rtol", "strategy", "solver", "n"])["error"]
        self.assertAlmostEqual(errors[1e-6, "switch", "ode45", 10], 5e-7, places=12)

    def test_every_picture_has_its_colours(self):
        made_up.write(self.cube)
        said = self.draws(drawn=True)
        for name in PICTURES:
            colours = self.colours(name)
            for solver in made_up.SOLVERS:
                self.assertGreater(colours[solver], 100, (name, solver))
            self.assertEqual(colours["ode15s"], 0, name)  # not in the cube
            self.assertIn(os.path.join(self.out, name + ".png"), said)
        for strategy in made_up.STRATEGIES:
            self.assertGreater(self.colours("precision_rhs")[strategy], 300, strategy)
        self.assertEqual(self.colours("precision_rhs")["ess"], 0)  # nor that

    def test_cells_left_out_are_passed_over(self):
        outcome = np.zeros(made_up.SHAPE, dtype=np.int8)
        outcome[made_up.at("event", "ode23")] = made_up.INCOMPATIBLE
        outcome[made_up.at("ess2", "ode23")] = made_up.INCOMPATIBLE
        made_up.write(self.cube, outcome=outcome)
        said = self.draws()
        rows = self.table("cost_rhs")
        gone = rows[(rows["solver"] == "ode23") & rows["strategy"].isin(["event", "ess2"])]
        rest = rows.drop(gone.index)
        self.assertTrue(gone["rhs"].isna().all() and (gone["incompatible"] == made_up.STARTS).all())
        self.assertTrue((gone["failed"] == 0).all())
        self.assertTrue(rest["rhs"].notna().all() and (rest["incompatible"] == 0).all())
        points = self.table("precision_rhs")
        self.assertEqual(set(points[points["strategy"] == "event"]["solver"]), {"ode45"})
        self.assertEqual(set(points[points["strategy"] == "switch"]["solver"]), {"ode23", "ode45"})
        self.assertTrue(self.table("events")["failed_share"].fillna(0).eq(0).all())
        line = [text for text in said.splitlines() if text.split()[:2] == ["event", "ode23"]]
        self.assertRegex(line[0], r" 80 +0 +80$")

    def test_runs_that_a_contact_ended_are_done(self):
        made_up.write(self.cube)
        self.draws("--figures", "precision", "events")
        done = self.table("precision_rhs")
        outcome = np.zeros(made_up.SHAPE, dtype=np.int8)
        outcome[made_up.at("ess2", "ode45")] = made_up.ENDED
        made_up.write(self.cube, outcome=outcome)
        self.draws("--figures", "precision", "events")
        self.assertTrue(self.table("precision_rhs").equals(done))
        self.assertTrue(self.table("events")["failed_share"].eq(0).all())

    def test_failed_runs_are_no_winners(self):
        outcome = np.zeros(made_up.SHAPE, dtype=np.int8)
        outcome[made_up.at("ess2", "ode45")][::7] = made_up.STUCK
        made_up.write(self.cube, outcome=outcome)
        self.draws("--figures", "precision", "events")
        points = self.table("precision_rhs")
        lame = points[(points["strategy"] == "ess2") & (points["solver"] == "ode45")]
        self.assertTrue((lame["failed"] > 0).all() and not lame["front_rhs"].any())
        self.assertTrue(points[points["strategy"] == "event"]["front_rhs"].any())
        events = self.table("events").set_index(["rtol", "strategy", "solver", "n"])
        share = events["failed_share"][1e-3, "ess2", "ode45", 2]
        self.assertAlmostEqual(share, 3 / 20)  # starts 0, 7, 14
        self.assertEqual(events["failed_share"][1e-3, "ess2", "ode23", 2], 0)

    def test_comparison_names_the_cheapest(self):
        """event has the least base, ess2 the least slope with a base; switch pays for nothing but time."""
        made_up.write(self.cube, noise=0)
        said = self.draws("--figures", "precision")
        rows = self.table("comparison").set_index(["cost", "n", "error", "strategy"]).sort_index()
        for n, winner in ((2, "event"), (100, "ess2"), (1000, "ess2")):
            times = rows.loc["rhs", n, 1e-3]["times"]
            self.assertEqual(times.idxmin(), winner)
            self.assertEqual(times.min(), 1)
            cost = {s: made_up.BASE[s] + made_up.SLOPE[s] * n for s in made_up.STRATEGIES}
            for strategy in made_up.STRATEGIES:
                self.assertAlmostEqual(times[strategy], cost[strategy] / cost[winner], places=6)
        self.assertNotIn(1e-8, self.table("comparison")["error"].values)  # reached by none
        self.assertAlmostEqual(rows["value"]["work", 100, 1e-3, "ess2"], 100 * 800 / 2)
        self.assertRegex(said, r"\n +100  1e-03 +2500  .* 700  .* 400\* \(ode")

    def test_events_and_anomalies_are_counted(self):
        made_up.write(self.cube)
        self.draws("--figures", "events")
        rows = self.table("events").set_index(["rtol", "strategy", "solver", "n"])
        self.assertEqual(rows["events_per_contact"][1e-3, "event", "ode23", 100], 3)
        self.assertEqual(rows["leaps"][1e-3, "ess2", "ode23", 100], 1)
        self.assertEqual(rows["leaps"][1e-3, "event", "ode23", 100], 0)
        self.assertEqual(rows["miscounted"][1e-3, "event", "ode23", 100], 0)
        self.assertTrue(np.isnan(rows["miscounted"][1e-3, "switch", "ode23", 100]))

    def test_untimed_sweeps_have_evaluations(self):
        made_up.write(self.cube, timed=False)
        said = self.draws("--figures", "cost", "marginal", "precision")
        self.assertNotIn("cost_cpu", said)
        self.assertIn("cost_rhs.png", said)
        self.assertNotIn("CPU", said)

    def test_cubes_with_another_zone_add_points(self):
        made_up.write(self.cube)
        wide = self.path("wide.h5")
        made_up.write(wide, sweep=made_up.SWEEP.replace("5e-4", "2e-3"), noise=0.01)
        said = self.draws(wide, "--figures", "precision")
        self.assertEqual(self.table("precision_rhs")["cube"].nunique(), 2)
        self.assertIn("B: zone 0.002, step 0.002", said)
        self.refuses(self.cube, self.cube, "-o", self.out, saying="would both be called")

    def test_wrong_input_is_one_line_and_exit_2(self):
        made_up.write(self.cube)
        other, lame, dead, old = (self.path(f"{name}.h5") for name in ("other", "lame", "dead", "old"))
        write_cube(other)
        made_up.write(lame, without=("max_error",))
        made_up.write(dead, outcome=np.full(made_up.SHAPE, made_up.STUCK, dtype=np.int8))
        made_up.write(old, axis="K")
        to = ("-o", self.out)
        self.refuses(self.path("nothing.h5"), *to, saying="no such file")
        self.refuses(__file__, *to, saying="cannot be read as HDF5")
        self.refuses(other, *to, saying="no dataset rhs_evaluations")
        self.refuses(lame, *to, saying="no dataset max_error")
        self.refuses(dead, *to, saying="no run of the cube is done")
        self.refuses(old, *to, saying="no axis n")
        self.refuses(self.cube, *to, "--rtol", "1e-4", saying="there are 1e-06, 0.001")
        self.refuses(self.cube, *to, "--figures", "speed", saying="invalid choice: 'speed'")
        self.refuses(self.cube, *to, "--labels", "a", "b", saying="2 names for 1 cubes")
        self.refuses(self.cube, saying="required: -o")


if __name__ == "__main__":
    unittest.main()
