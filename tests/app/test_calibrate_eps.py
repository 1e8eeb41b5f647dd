"""Results, output, files and error messages of `saltus calibrate-eps`."""
import csv
import re
import shlex

import cli

HOPPER = ("calibrate-eps", "--model", "hopper1d", "--t-end", 2)
ESS = (*HOPPER, "--strategy", "ess", "--step", 0.002, "--zone-in-gap")
CURVE = (*HOPPER, "--curve")


class InCsv(cli.InFolder):
    def rows(self, *args, code=0):
        done = self.saltus(*args, "--csv", "out.csv", "--force")
        self.assertEqual(done.returncode, code, done.stderr)
        with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


class Calibration(InCsv):
    def test_the_paper_s_hopper(self):
        for k, rms, eps in ((50, 3.0e-3, 0.036), (100, 2.8e-3, 0.026), (200, 2.87e-3, 0.018), (1000, 2.9e-3, 0.008)):
            text = self.works(*ESS, "--rms", rms, "--param", f"k={k}")
            found = float(re.search(r"(?m)^eps = (\S+) in units of the gap$", text)[1])
            self.assertAlmostEqual(found, eps, delta=0.2 * eps)

    def test_the_table_shows_what_the_csv_holds(self):
        args = (*ESS, "--against", "switch:ode45:1e-4")
        rows, text = self.rows(*args), self.works(*args)
        target, lower, upper = (next(r for r in rows if r["role"] == role) for role in ("target", "lower", "upper"))
        self.assertLessEqual(float(lower["rms"]), float(target["rms"]))
        self.assertGreater(float(upper["rms"]), float(target["rms"]))
        self.assertEqual(target["eps"], "")
        self.assertGreater(float(target["rms"]), 1e-5)
        for row, name in ((target, "switch:ode45:1e-4"), (lower, "lower eps"), (upper, "upper eps")):
            line = next(line for line in text.splitlines() if line.startswith(name))
            self.assertIn(f" {float(row['rms']):.6g} ", line)
            self.assertIn(f" {row['rhs_evaluations']} ", line)
            self.assertGreater(float(row["seconds"]), 0)
        self.assertGreater(float(lower["projections"]), float(target["projections"]))
        scan = [float(r["eps"]) for r in rows if r["role"] == "scan"]
        self.assertEqual((len(scan), scan), (41, sorted(scan)))

    def test_what_is_matched_is_the_config_s_own_error(self):
        a = self.rows(*ESS, "--against", "switch:ode45:1e-4")
        b = self.rows(*ESS, "--rms", a[0]["rms"])
        for x, y in zip(a[1:], b[1:]):
            self.assertEqual((x["eps"], x["rms"]), (y["eps"], y["rms"]))
        self.assertEqual((b[0]["rms"], b[0]["rhs_evaluations"]), (a[0]["rms"], ""))

    def test_fixed_steps_may_set_the_target(self):
        coarse, fine = (float(self.rows(*ESS, "--against", f"switch:ode45:step={h}")[0]["rms"]) for h in (0.02, 0.002))
        self.assertLess(fine, 0.5 * coarse)
        self.assertGreater(fine, 1e-9)

    def test_the_state_and_the_mesh_are_the_user_s(self):
        z, v, both = (float(self.rows(*ESS, "--against", "event:ode45:1e-3", "--state", s)[0]["rms"])
                      for s in ("z", "v", "all"))
        self.assertAlmostEqual(both, (z * z + v * v) ** 0.5, delta=1e-6 * both)
        self.assertGreater(v, 2 * z)
        self.assertIn("over 21 points of [0, 2]", self.works(*ESS, "--rms", "1e-3", "--dt", 0.1))

    def test_a_step_over_the_target_and_a_fall_are_told(self):
        text = self.works(*HOPPER, "--strategy", "ess", "--rms", "2e-5")
        self.assertIn("steps over the target", text)
        self.assertIn("passes the target 2 times", text)
        self.assertRegex(text, r"falls as eps grows from 0\.00011\d to 0\.00015")
        self.assertNotIn("steps over", self.works(*ESS, "--rms", "2.87e-3"))

    def test_an_error_out_of_reach_is_told_and_the_scan_is_kept(self):
        args = (*HOPPER, "--strategy", "ess2", "--rms", "1e-10")
        done = self.saltus(*args)
        self.assertEqual((done.returncode, done.stdout), (11, ""))
        self.assertRegex(done.stderr, r"^saltus calibrate-eps: no eps from 2e-06 to 0.2 reaches an RMS error of 1e-10: "
                                      r"ess2 has from \S+e-07 \(eps = \S+\) to \S+ \(eps = \S+\)\n$")
        rows = self.rows(*args, code=11)
        self.assertEqual([r["role"] for r in rows], ["target"] + ["scan"] * 41)
        self.assertGreater(min(float(r["rms"]) for r in rows[1:]), 1e-10)

    def test_what_cannot_be_told_is_not_looked_for(self):
        self.refused(*ESS, "--rms", "1e-16", says=("1e-16", "certified trajectory is known to"))


class Curve(InCsv):
    def test_each_strategy_runs_over_its_own_parameter(self):
        rows = self.rows(*CURVE)
        families = {}
        for row in rows:
            families.setdefault((row["strategy"], row["parameter"]), []).append(row)
        for key in (("switch", "rtol"), ("event", "rtol"), ("ess", "eps"), ("ess2", "eps")):
            self.assertEqual(len(families[key]), 11)
            values = [float(r["value"]) for r in families[key]]
            self.assertEqual(values, sorted(values, reverse=True))
            self.assertLess(float(families[key][-1]["rms"]), 0.01 * float(families[key][0]["rms"]))
        event = families["event", "rtol"]
        self.assertGreater(int(event[-1]["rhs_evaluations"]), 5 * int(event[0]["rhs_evaluations"]))
        self.assertGreater(min(float(r["seconds"]) for r in rows), 0)

    def test_the_table_and_the_cheapest_are_those_of_the_csv(self):
        rows, text = self.rows(*CURVE), self.works(*CURVE)
        table, cheapest = text.split("fewest evaluations of f")
        for row in rows:
            self.assertRegex(table, rf"(?m)^{row['strategy']} +{row['parameter']} +{float(row['value']):.3g} "
                                    rf"+{float(row['rms']):.3g} +{row['rhs_evaluations']} ")
        lines = re.findall(r"(?m)^ +(\S+)  (\S+), \w+ \S+: (\d+)$", cheapest)
        self.assertGreater(len(lines), 5)
        for error, strategy, rhs in lines:
            good = [r for r in rows if float(r["rms"]) <= float(error)]
            self.assertEqual(int(rhs), min(int(r["rhs_evaluations"]) for r in good))
            self.assertIn(strategy, {r["strategy"] for r in good if r["rhs_evaluations"] == rhs})

    def test_starts_depend_on_the_seed_and_what_is_given_is_kept(self):
        def figures(*args):
            return [(r["rms"], r["rhs_evaluations"]) for r in self.rows(*CURVE, "--strategy", "event", *args)]
        some = figures("--starts", 3)
        self.assertEqual(some, figures("--starts", 3, "--seed", 1))
        self.assertNotEqual(some, figures("--starts", 3, "--seed", 2))
        self.assertNotEqual(some, figures("--starts", 3, "--initial", "v=0"))
        self.assertEqual(figures("--starts", 3, "--initial", "z=2,v=0"), figures())
        self.assertIn("medians over 3 starts", self.works(*CURVE, "--starts", 3))

    def test_what_does_not_go_together_is_left_out_by_name(self):
        text = self.works(*CURVE, "--solver", "ode15s")
        self.assertIn("left out: strategy ess works with one-step methods only, and ode15s is none", text)
        self.assertNotRegex(text, r"(?m)^ess")
        text = self.works("calibrate-eps", "--curve", "--model", "bouncing-ball", "--t-end", 1, "--points", 2)
        self.assertIn("and strategy switch", text)
        self.assertRegex(text, r"(?m)^event")


class BadCalibration(cli.InFolder):
    def test_each_wrong_word_is_named_with_what_is_allowed(self):
        good = (*ESS, "--rms", "1e-3", "--csv", "x.csv")
        cases = {("--rms", "0"): "greater than 0", ("--rms", "-1e-3"): "greater than 0", ("--rms", "low"): "'low'",
                 ("--eps-min", "0"): "greater than 0", ("--eps-max", "-1"): "greater than 0", ("--eps-min", "0.6"): "0.5",
                 ("--eps-max", "1"): "gap of 1 ", ("--eps-max", "3"): "gap of 1 ", ("--dt", "0"): "greater than 0",
                 ("--dt", "3"): "wider", ("--dt", "1e-9"): "points", ("--state", "zz"): "allowed: z, v, all",
                 ("--state", "y"): "'y'", ("--points", "1"): "2 to 10000", ("--points", "2.5"): "2 to 10000",
                 ("--strategy", "event"): "allowed: ess, ess2", ("--strategy", "ess22"): "'ess2'?",
                 ("--starts", "3"): "--curve", ("--seed", "-1"): "whole numbers from 0", ("--model", "hoper1d"): "'hopper1d'?",
                 ("--step", "0"): "greater than 0", ("--rtol", "1"): "1e-14 to 0.1"}
        for (option, value), says in cases.items():
            with self.subTest(f"{option} {value}"):
                self.refused(*good, option, value, says=(option, says))
        self.works(*good)

    def test_each_wrong_config_is_named(self):
        for text, says in {"switch": "switch:ode45:1e-3", "switch:ode45": "switch:ode45:1e-3",
                           "switch:ode45:1e-3:": "STRATEGY:METHOD:TOLERANCE", "swich:ode45:1e-3": "'switch'?",
                           "switch:ode54:1e-3": "'ode45'?", "switch:ode45:low": "'low'", "switch:ode45:1": "0.1",
                           "switch:ode45:step=0": "above 0", "ess:ode45:1e-3": "ess:ode45:step=",
                           "ess:ode15s:step=0.1": "one-step", "": "STRATEGY:METHOD:TOLERANCE"}.items():
            with self.subTest(text):
                self.refused(*ESS, "--against", text, says=("--against", says))

    def test_the_drop_height_bounds_the_zone_in_the_gap(self):
        self.refused(*ESS, "--rms", "1e-3", "--initial", "z=1.25", "--eps-max", 0.3, says=("gap of 0.25 ",))
        self.refused(*HOPPER, "--strategy", "ess", "--rms", "1e-3", "--eps-max", 2, says=("--eps-max", "--t-end, 2"))
        self.refused("calibrate-eps", "--model", "decay", "--strategy", "ess", "--rms", "1", says=("decay", "no contact"))

    def test_what_does_not_go_together_is_refused(self):
        self.refused(*ESS, "--rms", "1e-3", "--against", "event:ode45:1e-3", says=("not both",))
        self.refused(*ESS, "--rms", "1e-3", "--curve", says=("--curve",))
        self.refused(*HOPPER, "--rms", "1e-3", says=("--strategy is required; allowed: ess, ess2"))
        self.refused(*ESS, "--rms", "1e-3", "--solver", "ode113", says=("one-step", "ode113"))

    def test_an_output_that_exists_is_kept(self):
        (self.folder / "x.csv").write_bytes(b"precious\n")
        for job in ((*ESS, "--rms", "1e-3"), CURVE):
            self.refused(*job, "--csv", "x.csv", says=("x.csv", "--force"), code=3)
            self.refused(*job, "--csv", "missing/x.csv", says=("missing/x.csv",), code=4)


class Help(cli.InFolder):
    def test_the_examples_work(self):
        text = self.works("calibrate-eps", "--help").split("Examples:")[1]
        lines = [line for line in re.sub(r"\\\s*\n", " ", text).splitlines() if line.startswith("  saltus ")]
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.works(*shlex.split(line)[1:])
        self.assertEqual([*self.files()], ["eps.csv"])


cli.main()
