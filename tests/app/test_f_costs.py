"""Cost of one evaluation of f: work as a time, with that of the steps."""
import json
import re

import h5py
import numpy as np
import yaml

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
        """{strategy: {solver: s}} as printed by regret."""
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
        self.assertIn("work is a time: 2 ms", self.works("check", "cube.h5", *self.questions, "--cells", "1", "--f-costs", "2ms"))

    def test_a_map_by_time_says_so(self):
        self.works("map", "cube.h5", "--error", "1.1e-3", "--f-costs", "1e-12 ns")
        with h5py.File(self.folder / "cube.h5") as file:
            self.assertAlmostEqual(file["map"].attrs["f_costs"] / 1e-21, 1)
        found = self.read()
        self.assertTrue((found["config_solver"].values[found["by_error_best"].values] == "ode45").all())
        self.works("map", "cube.h5", "--error", "1.1e-3")
        self.assertNotIn("f_costs", self.read().attrs)

    def test_what_is_no_cost_is_refused(self):
        for text, says in (("cheap", "'cheap' is not a number"), ("0", "greater than 0"), ("-1us", "greater than 0"),
                           ("1e9 s", "up to 1e+06 s"), ("nan", "is not a number"),
                           ("1mm", "with one of the units ns, us, ms, s, min, h")):
            self.refused(says, "recommend", "cube.h5", *self.questions, f"--f-costs={text}")
        for command in (("map", "cube.h5"), ("regret", "cube.h5", "-n", "1", "-o", "q.h5")):
            self.refused("'cheap' is not a number", *command, "--f-costs", "cheap")
        self.refused("no steps of runs for multiplier_error", "recommend", "cube.h5", *self.questions,
                     "--f-costs", "1us", "--by", "multiplier_error")

    def refused(self, says, *args, where="--f-costs"):
        done = self.saltus(*args)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(where, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    # ---- a table of one's own, and lanes ----

    def table(self, **ns):
        """t.yaml with rows {solver: (lanes, [ns])} of both strategies; lanes None: any."""
        rows = [f"- {{solver: {m}, strategy: {s}, {'' if lanes is None else f'lanes: {lanes}, '}ns: {times}}}\n"
                for m, of in ns.items() for lanes, times in of for s in ("switch", "event")]
        (self.folder / "t.yaml").write_text("step_costs: 1\nmachine: mine\nstates: [1, 4]\nsteps:\n" + "".join(rows), encoding="utf-8")
        return "--f-costs", "10ns", "--steps", "t.yaml"

    def test_a_table_of_ones_own(self):
        own = self.table(ode23=[(1, [9, 50]), (4, [2, 20])], ode45=[(None, [1, 5])], ode15s=[(1, [1, 3e6])])
        for solver, more, step in (("ode23", (), 50), ("ode23", ("--lanes", "4"), 20), ("ode45", ("--lanes", "8"), 5), ("ode15s", (), 3e6)):
            found = self.ask(*self.questions, "--strategies", "switch", "--solvers", solver, *own, *more)
            rhs, share = {"ode23": (100, 0.1), "ode45": (200, 0.01), "ode15s": (300, 0.1)}[solver]
            np.testing.assert_allclose(found["answer"]["work"], rhs * NS * (10 + share * step), rtol=1e-9)
            self.assertEqual((found["steps_of"], found["lanes"]), ("mine", int(more[1]) if more else 1))
        text = self.works("recommend", "cube.h5", *self.questions, *own, "--lanes", "4", "--solvers", "ode23")
        self.assertIn("work is a time: 10 ns for one f, and the time of steps on mine, 4 lanes\n", text)

    def test_every_command_takes_it(self):
        own = self.table(ode23=[(1, [1, 1e9])], ode45=[(1, [1, 1])], ode15s=[(1, [1, 1e9])])
        self.assertEqual(self.ask(*self.questions, *own)["answer"]["solver"], "ode45")
        self.works("map", "cube.h5", "--error", "1.1e-3", *own)
        attrs = self.read().attrs
        self.assertEqual((attrs["steps_of"], int(attrs["lanes"])), ("mine", 1))
        self.works("raster", "cube.h5", "--error", "1.1e-3", "--size", "2x2", "-o", "r.h5", *own)
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual((file.attrs["steps_of"], file.attrs["lanes"]), (b"mine", 1))
        self.assertIn("time of steps on mine", self.works("check", "cube.h5", *self.questions, "--cells", "1", *own))
        self.works("regret", "cube.h5", "-n", "1", "-r", "1", "-q", "-o", "p.h5")
        first = json.loads(self.works("regret", "cube.h5", "--from", "p.h5", *own).splitlines()[0])
        self.assertEqual((first["steps_of"], first["step_costs"]["event"]["ode23"]), ("mine", 1))

    def test_run_pays_for_the_steps_of_the_cubes_pairs(self):
        """The sweep of the point has other numbers of solvers than the cube."""
        cheap = self.table(ode15s=[(1, [1, 1])], ode45=[(1, [1, 1])])
        dear = ["--solvers", "ode45,ode15s", "--strategies", "event", "--run"]
        one = self.ask(*self.questions, *cheap, *dear)["run"]["answer"]["work"]
        two = self.ask(*self.questions, *self.table(ode15s=[(1, [1, 1001])], ode45=[(1, [1, 1001])]), *dear)["run"]["answer"]["work"]
        self.assertGreater(two, one + 10 * 1000 * NS)  # of ten steps at least

    def test_a_table_that_is_none(self):
        own = self.table(ode23=[(1, [1, 2])])
        self.refused("t.yaml: what a step of ode45 with switch takes is not measured", "recommend", "cube.h5", *self.questions, *own, where="t.yaml")
        self.refused("ode23 with switch, 4 lanes takes", "recommend", "cube.h5", *self.questions, *own, "--lanes", "4", "--solvers", "ode23", where="t.yaml")
        for more in (("--steps", "t.yaml"), ("--lanes", "4")):
            self.refused("work is a time with --f-costs alone", "map", "cube.h5", *more, where=more[0])
        self.refused("allowed: 1, 4, 8", "map", "cube.h5", "--f-costs", "1us", "--lanes", "2", where="--lanes")
        (self.folder / "t.yaml").write_text("step_costs: 1\nmachine: mine\nstates: [4]\nsteps:\n- {solver: ode23, strategy: event, ns: [fast]}\n", encoding="utf-8")
        for command in (("map", "cube.h5"), ("regret", "cube.h5", "-n", "1", "-o", "q.h5"), ("recommend", "cube.h5", *self.questions)):
            done = self.saltus(*command, *own)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("t.yaml:5: ns: 'fast' is not a number", done.stderr)
        done = self.saltus("map", "cube.h5", "--f-costs", "1us", "--steps", "none.yaml")
        self.assertIn("none.yaml", done.stderr)
        self.assertNotEqual(done.returncode, 0)


class CalibrateWork(cli.InFolder):
    def test_it_prints_a_table(self):
        text = self.works("calibrate-work", "--solvers", "ode45", "--repeats", "1", "--lanes", "4,1")
        found = yaml.safe_load(text)
        self.assertRegex(found["machine"], r".+, (gcc|clang) .+$")
        self.assertEqual([(row["solver"], row["strategy"], row["lanes"]) for row in found["steps"]],
                         [("ode45", s, n) for s in ("switch", "event") for n in (1, 4)])
        times = np.array([row["ns"] for row in found["steps"]])
        self.assertEqual(times.shape, (4, 3))
        self.assertGreaterEqual(times.min(), 0)  # 0: lost in the noise of a busy machine
        self.assertGreater(times.max(), 0)
        self.assertLess(times.max(), 1e9)
        self.assertEqual(len(re.findall("^# An f of its models took .* with lanes: [14].$", text, re.M)), 2)

    def test_time_stepping_has_a_row(self):
        rows = yaml.safe_load(self.works("calibrate-work", "--solvers", "moreau", "--repeats", "1"))["steps"]
        self.assertEqual([(row["solver"], row["strategy"], len(row["ns"])) for row in rows], [("moreau", "capture", 3)])
        self.assertGreater(rows[0]["ns"][2], rows[0]["ns"][0])
        self.assertGreater(rows[0]["ns"][0], 0)

    def test_what_is_unknown(self):
        for more, says in ((("--solvers", "ode54"), "did you mean 'ode45'"), (("--lanes", "1,3"), "unknown number '3'")):
            done = self.saltus("calibrate-work", *more)
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)


cli.main()
