"""What one evaluation of f costs: work as a time, with that of the steps."""
import json

import h5py
import numpy as np

import cli
from filled_cube import INSIDE, WithPlane

NS = 1e-9


class FCosts(WithPlane):
    """ode23 and ode15s take 10 steps a hundred evaluations of f, ode45 takes 1."""

    def setUp(self):
        super().setUp()

        def change(file):
            file["steps"][...] = file["rhs_evaluations"][...] * np.array([0.1, 0.01, 0.1])
            file["failed_steps"][...] = 0
            file["max_error"][...] = np.where(np.arange(12).reshape(2, 2, 3) < 6, 1e-3, 1e-6)
        self.edit(change)
        self.questions = (*INSIDE, "--error", "1.1e-3")

    def step_costs(self):
        """{strategy: {solver: s}} as regret says them."""
        self.works("regret", "cube.h5", "-n", "1", "-r", "1", "-q", "-o", "p.h5")
        lines = self.works("regret", "cube.h5", "--from", "p.h5", "--f-costs", "10ns").splitlines()
        first = json.loads(lines[0])
        self.assertEqual(first["f_costs"], 1e-8)
        self.assertNotIn("step_costs", json.loads(self.works("regret", "cube.h5", "--from", "p.h5").splitlines()[0]))
        return first["step_costs"]

    def test_work_is_that_of_f_and_of_steps(self):
        steps = self.step_costs()
        for solver, rhs, share in (("ode23", 100, 0.1), ("ode45", 200, 0.01), ("ode15s", 300, 0.1)):
            best = self.ask(*self.questions, "--strategies", "switch", "--solvers", solver, "--f-costs", "10 ns")["answer"]
            np.testing.assert_allclose(best["work"], rhs * (10 * NS + share * steps["switch"][solver]), rtol=1e-9)

    def test_a_dear_f_leaves_the_answers_and_a_free_one_takes_the_cheapest_steps(self):
        by_f = self.ask(*self.questions)
        self.assertIsNone(by_f["f_costs"])
        dear = self.ask(*self.questions, "--f-costs", "1e6 s")
        self.assertEqual(dear["f_costs"], 1e6)
        for name in ("answer", "safe", "likely"):
            one, two = by_f[name], dear[name]
            self.assertEqual([one[k] for k in ("solver", "strategy", "rtol", "probability")],
                             [two[k] for k in ("solver", "strategy", "rtol", "probability")])
            np.testing.assert_allclose([two["work"], two["total"]], [1e6 * one["work"], 1e6 * one["total"]], rtol=1e-9)
        self.assertEqual(by_f["answer"]["solver"], "ode23")
        free = self.ask(*self.questions, "--f-costs", "1e-12ns")["answer"]
        self.assertEqual((free["solver"], free["strategy"]), ("ode45", "switch"))

    def test_times_are_said_as_times(self):
        text = self.works("recommend", "cube.h5", *self.questions, "--f-costs", "1us")
        self.assertIn("work is a time: 1 us for one f, and the time of steps on ", text)
        self.assertRegex(text, r"work 1\d\d us")
        self.assertNotIn("work is a time", self.works("recommend", "cube.h5", *self.questions))
        self.assertIn("work is a time: 2 ms", self.works("rules", "cube.h5", "--error", "1.1e-3", "--f-costs", "2ms"))

    def test_a_map_by_time_says_so(self):
        self.works("map", "cube.h5", "--error", "1.1e-3", "--f-costs", "1e-12 ns")
        with h5py.File(self.folder / "cube.h5") as file:
            self.assertAlmostEqual(file["map"].attrs["f_costs"] / 1e-21, 1)
        found = self.read()
        self.assertTrue((found["contender_solver"].values[found["by_error_best"].values] == "ode45").all())
        self.works("map", "cube.h5", "--error", "1.1e-3")
        self.assertNotIn("f_costs", self.read().attrs)

    def test_what_is_no_cost_is_refused(self):
        for text, says in (("cheap", "'cheap' is not a number"), ("0", "greater than 0"), ("-1us", "greater than 0"),
                           ("1e9 s", "up to 1e+06 s"), ("nan", "is not a number"),
                           ("1mm", "with one of the units ns, us, ms, s, min, h")):
            self.refused(says, "recommend", "cube.h5", *self.questions, f"--f-costs={text}")
        for command in (("rules", "cube.h5"), ("map", "cube.h5"), ("regret", "cube.h5", "-n", "1", "-o", "q.h5")):
            self.refused("'cheap' is not a number", *command, "--f-costs", "cheap")
        self.refused("no steps of runs for multiplier_error", "recommend", "cube.h5", *self.questions,
                     "--f-costs", "1us", "--by", "multiplier_error")

    def refused(self, says, *args):
        done = self.saltus(*args)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--f-costs", done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


class CalibrateWork(cli.InFolder):
    def test_it_prints_rows_of_the_table(self):
        lines = self.works("calibrate-work", "--solvers", "ode45", "--repeats", "1").splitlines()
        self.assertRegex(lines[2], r'^SAL_STEP_MACHINE\(".+, (gcc|clang) .+"\)$')
        rows = [line[len("SAL_STEP_COST("):-1].split(", ") for line in lines[3:]]
        self.assertEqual([row[:2] for row in rows], [['"ode45"', '"switch"'], ['"ode45"', '"event"']])
        times = [float(ns) for row in rows for ns in row[2:]]
        self.assertEqual(len(times), 6)
        self.assertGreaterEqual(min(times), 0)  # 0: lost in the noise of a busy machine
        self.assertGreater(max(times), 0)
        self.assertLess(max(times), 1e9)

    def test_an_unknown_solver(self):
        done = self.saltus("calibrate-work", "--solvers", "ode54")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'ode45'", done.stderr)


cli.main()
