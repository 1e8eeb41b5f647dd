"""--max-step of the commands that run single trajectories: it binds every method, and invalid steps are refused."""
import os
import re

import cli

VEHICLE = os.path.join(cli.SWEEPS, "models", "vehicle-dof10.yaml")
COMMANDS = (("trajectory", "-o", "t.csv"), ("orbit",), ("bderiv", "--matrix"), ("continue", "--in", "mu", "-o", "b.h5"))


class MaxStep(cli.InFolder):
    def steps(self, *words):
        text = self.saltus("trajectory", "-f", "-o", "t.csv", *words).stderr
        found = re.search(r"(\d+) steps", text)
        self.assertTrue(found, text)
        return int(found.group(1))

    def test_no_step_is_longer(self):
        run = ("-m", "decay", "-S", "switch", "--t-end", "1", "--rtol", "1e-2", "--dt", "1")
        for method in ("ode45", "ode113", "ode15s", "radau5"):
            self.assertLess(self.steps(*run, "-M", method), 100, method)
            self.assertGreaterEqual(self.steps(*run, "-M", method, "--max-step", "0.01"), 100, method)

    def test_engines_take_it_too(self):
        methods = self.works("list", "solvers")
        for method in ("petsc-rk5dp", "sundials-erk-dp5", "sundials-cvode-adams"):
            if method not in methods:
                continue
            run = ("-m", "decay", "-M", method, "-S", "switch", "--t-end", "1", "--rtol", "1e-2", "--dt", "1")
            self.assertLess(self.steps(*run), 100, method)
            self.assertGreaterEqual(self.steps(*run, "--max-step", "0.01"), 100, method)

    def test_an_orbit_is_the_same_by_shorter_steps(self):
        words = ("orbit", "-m", "hopping-leg", "-p", "mu=0.8,L0=0", "-g", "zU=0.02,vU=1.7", "--json", "--rtol", "1e-9")
        periods = [float(re.search(r'"period": ?([0-9.e+-]+)', self.works(*words, *more)).group(1))
                   for more in ((), ("--max-step", "0.01"))]
        self.assertNotEqual(*periods)
        self.assertAlmostEqual(*periods, 8)

    def test_a_derivative_and_a_branch_are_made_with_it(self):
        derive = ("bderiv", "-m", "plate", "-i", "th=0", "--t-end", "1", "-d", "th=1,x=0.2", "--rtol", "1e-9")
        self.assertNotEqual(self.works(*derive), self.works(*derive, "--max-step", "0.002"))
        follow = ("continue", "-m", "hopping-leg", "-p", "mu=0.8,L0=0", "-g", "zU=0.02,vU=1.7", "--in", "mu", "--points", "3",
                  "--rtol", "1e-9", "-f", "-o", "b.h5")
        rows = []
        for more in ((), ("--max-step", "0.01")):
            rows.append(self.works(*follow, *more))
        self.assertNotEqual(*rows)

    def test_what_is_no_step_is_refused(self):
        for words in COMMANDS:
            for text, says in (("0", "'0' is not allowed; allowed: greater than 0"), ("-1", "'-1' is not allowed; allowed: greater than 0"),
                               ("nan", "'nan' is not a number"), ("soon", "'soon' is not a number")):
                self.refused(*words, f"--max-step={text}", says=(f"--max-step: {says}",))
            self.assertIn("--max-step=H", self.works(words[0], "--help"))

    def test_a_vehicle_is_right_over_its_own_span(self):
        run = ("trajectory", "-m", VEHICLE, "-M", "rosnys4", "-S", "switch", "--t-end", "0.8", "--dt", "0.05", "-f")
        heights = []
        for more in (("--rtol", "1e-5"), ("--rtol", "1e-6", "--max-step", "0.02")):
            self.works(*run, *more, "-o", "v.csv")
            lines = [line.split(",") for line in (self.folder / "v.csv").read_text().split("\n")[:17]]
            column = lines[0].index("chassis_z")
            heights.append([float(line[column]) for line in lines[1:]])
        self.assertGreater(max(heights[1]) - min(heights[1]), 0.01)
        for a, b in zip(*heights):
            self.assertAlmostEqual(a, b, 4)


cli.main()
