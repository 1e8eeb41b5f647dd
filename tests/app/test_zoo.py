"""sweeps/zoo.yaml for every model, and analysis/zoo.py: how the runs ended, and what it makes of those that failed."""
import json
import os
import subprocess
import sys

import cli

ANALYSIS = os.path.join(os.path.dirname(cli.SWEEPS), "analysis")
SPAN = {"plate": 0.5}  # of a model whose runs are expensive


class Zoo(cli.InFolder):
    def table(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(ANALYSIS, "zoo.py"), self.folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    def runs(self, model, *pairs):
        span = ("t_end=%g" % SPAN[model],) if model in SPAN else ()
        self.works("run", os.path.join(cli.SWEEPS, "zoo.yaml"), "-q", "--no-map", "-o", f"{model}.h5", "--force",
                   *cli.sets(f"model={model}", "rtol=[1e-3]", "reference_tolerance=1e-9", *span, *pairs))

    def test_every_run_ends_as_the_models_have_it(self):
        models = [m["name"] for m in json.loads(self.works("list", "models", "--json"))["models"]]
        for model in models:
            self.runs(model)
        status, table, errors = self.table()
        self.assertEqual((status, errors), (0, ""), table)
        rows = [line.split()[:2] for line in table.splitlines() if line]
        for model in models:
            self.assertIn([model, "event"], rows)
        self.assertNotIn("stuck", table)
        self.assertRegex(table, r"\n\d{3,} runs: \d{3,} done, \d+ incompatible")

    def test_falls_and_failures_have_their_words(self):
        self.runs("slip", "parameters.alpha=60")
        status, table, _ = self.table()
        self.assertEqual(status, 0)
        self.assertRegex(table, r"slip +event +ended")
        self.runs("stick-slip", "max_attempts=10")
        status, table, _ = self.table()
        self.assertEqual(status, 1)
        self.assertRegex(table, r"stick-slip +event +step_cap")
        self.assertIn("stick-slip, cell 0, ode45 with event at 0.001: step_cap at t = ", table)
        self.assertIn("more attempts than the sweep allows", table)

    def test_what_is_no_folder_of_cubes_is_told(self):
        status, table, errors = self.table()
        self.assertEqual((status, table), (2, ""))
        self.assertIn("holds no cube", errors)


cli.main()
