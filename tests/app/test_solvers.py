"""Solvers from texts: the bits of the program's own in cubes, cubes without the file, a run that goes on, and wrong texts."""
import json
import os
import pathlib
import shutil
import subprocess

import h5py

import cli

SOLVERS = os.path.join(cli.SWEEPS, "solvers")
SWEEP = """title: solvers of one's own
model: monopod
cells: {axes: [{name: m1, list: [1.88, 4]}, {name: k, list: [10, 22.8]}]}
t_end: 8
solvers: [ode45, own/dormand-prince.yaml, own/ros34pw2.yaml]
strategies: [event, switch]
rtol: [1.0e-3, 1.0e-5]
mesh: 0.01
"""


class Solvers(cli.InFolder):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOLVERS, self.folder / "own")
        (self.folder / "s.yaml").write_text(SWEEP)

    def change(self, name, old, new):
        path = self.folder / "own" / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def test_a_cube_needs_no_file(self):
        self.works("run", "s.yaml", "-q", "-o", "a.h5")
        self.works("run", "s.yaml", "-q", "-o", "b.h5", *cli.sets("width=1"), ranks=2)
        os.rename(self.folder / "own", self.folder / "gone")
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
        told = json.loads(self.works("info", "a.h5", "--json"))
        self.assertIn("dormand-prince", json.dumps(told))
        with h5py.File(self.folder / "a.h5") as cube:
            names = [cli.word(name) for name in cube["solver"][()]]
            self.assertEqual(names, ["ode45", "dormand-prince", "ros34pw2"])
            self.assertIn("tableau: 1", cli.word(cube.attrs["sweep"]))
            self.assertIn("Rang and Angermann", cli.word(cube.attrs["sweep"]))
            same = 0
            for name in cli.datasets(cube):
                item = cube[name]
                axes = [d[0].name.strip("/") if len(d) else "" for d in item.dims]
                if "solver" not in axes[1:] or cli.word(item.attrs.get("kind")) in ("timing", "checksum") or "/" in name:
                    continue
                at = axes.index("solver")
                both = [item[()].take(i, axis=at).tobytes() for i in (0, 1)]
                self.assertEqual(both[0], both[1], name)
                same += 1
            self.assertGreater(same, 10)
        self.works("refine", "a.h5", "--cells", "2", "-q", "-o", "more.h5")
        self.assertIn("ode45", self.works("tables", "a.h5"))
        self.works("run", "s.yaml", "-q", "-o", "c.h5", *cli.sets("solvers=[ode45, gone/dormand-prince.yaml]"))

    def test_answers_from_a_cube_run_its_solvers(self):
        """At the point, and at points drawn off the grid: solvers are known by name and text."""
        few = cli.sets("model=vibro-impact", "cells.axes=[{name: e, linear: [0.5, 0.9], points: 40}]", "rtol=[1e-4, 1e-6]", "strategies=[event]",
                       "solvers=[own/dormand-prince.yaml, ode23s]")
        self.works("run", "s.yaml", "-q", "-o", "a.h5", *few)
        os.rename(self.folder / "own", self.folder / "gone")
        told = json.loads(self.works("recommend", "a.h5", "--at", "e=0.7", "--error", "1e-3", "--run", "--json"))
        run = told["run"]["answer"]
        self.assertEqual((run["solver"], run["hit"]), ("dormand-prince", True))
        self.assertTrue(1e-6 < run["error"] < 1e-3 and run["work"] > 100)
        self.works("regret", "a.h5", "--points", "4", "-q", "-o", "points.h5")
        os.rename(self.folder / "gone", self.folder / "own")
        self.change("dormand-prince.yaml", "kind:", "shrink: 0.2\nkind:")
        self.works("run", "s.yaml", "-q", "-o", "b.h5", *few)
        self.refused("regret", "b.h5", "--from", "points.h5", says=("has the solver dormand-prince, which b.h5 has not",))

    def test_a_killed_run_goes_on_with_the_same_text_alone(self):
        many = cli.sets("cells.axes=[{name: b, linear: [1000, 2000], points: 700}]", "width=1", "solvers=[own/dormand-prince.yaml]", "rtol=[1e-5]",
                        "strategies=[event]")
        begun = ["run", "s.yaml", "-q", *many, "--sync", "0.1", "-o"]
        self.works(*begun, "whole.h5", ranks=2)
        run = subprocess.Popen([cli.SALTUS, *begun, "a.h5", "--status", "status", "--every", "0.02"], cwd=self.folder,
                               env=dict(os.environ, OMP_NUM_THREADS="1"), stdin=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        status = self.folder / "status"
        self.assertTrue(cli.wait_until(lambda: status.exists() and any(
            json.loads(line)["done"] > 0 for line in status.read_text().splitlines() if line.endswith("}")), run))
        run.kill()
        run.wait()
        self.change("dormand-prince.yaml", "kind:", "shrink: 0.2\nkind:")
        refused = self.saltus(*begun, "a.h5")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("is of another sweep or program", refused.stderr)
        self.assertIn("+ solver dormand-prince.shrink: 0.2  (line ", refused.stderr)
        self.change("dormand-prince.yaml", "shrink: 0.2\n", "")
        self.works(*begun, "a.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "whole.h5", "a.h5"))

    def test_a_check_measures_orders(self):
        for name, stated in (("dormand-prince", 5), ("bogacki-shampine", 3), ("ros34pw2", 3), ("rosenbrock23", 2)):
            told = json.loads(self.works("solver", "check", f"own/{name}.yaml", "--json"))
            self.assertEqual([o["problem"] for o in told["orders"]], ["smooth", "between", "impacts"])
            for order in told["orders"]:
                self.assertEqual((order["verdict"], order["stated"]), ("fine", stated))
                self.assertLess(abs(order["measured"] - stated), 0.2)
        said = self.works("solver", "check", "own/ros34pw2.yaml")
        self.assertIn("order 3 with any matrix", said)
        self.assertEqual(said.count("measured"), 3)
        # Order 5, with a cubic polynomial between the steps: one order less there, none at events.
        path = self.folder / "own" / "dormand-prince.yaml"
        path.write_text(path.read_text(encoding="utf-8").split("dense:")[0], encoding="utf-8")
        told = json.loads(self.works("solver", "check", "own/dormand-prince.yaml", "--json"))
        self.assertEqual([(o["verdict"], o["stated"]) for o in told["orders"]], [("fine", 5), ("fine", 4), ("fine", 5)])
        self.refused("solver", "chekc", "own/ros34pw2.yaml", says=("unknown action 'chekc'; allowed: check",))
        self.refused("solver", "check", "own/none.yaml", says=("own/none.yaml: cannot be read",), code=4)

    def test_a_trajectory_and_a_list_take_a_file(self):
        for solver, out in (("ode45", "a.csv"), ("own/dormand-prince.yaml", "b.csv")):
            self.works("trajectory", "--model", "vibro-impact", "--strategy", "event", "--solver", solver, "-o", out)
        rows = [(self.folder / name).read_bytes() for name in ("a.csv", "b.csv")]
        self.assertGreater(len(rows[0]), 1000)
        self.assertEqual(rows[0], rows[1])
        self.assertIn("order 3, implicit", self.works("list", "own/ros34pw2.yaml"))
        self.assertEqual(json.loads(self.works("list", "solvers", "own/ros34pw2.yaml", "--json"))["solvers"][0]["order"], 3)

    def test_the_example_of_the_documents_runs(self):
        text = pathlib.Path(os.path.join(SOLVERS, "README.md")).read_text(encoding="utf-8")
        (self.folder / "my.yaml").write_text(text.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
        self.assertIn("order 2, explicit", self.works("list", "my.yaml"))
        self.works("trajectory", "--solver", "my.yaml", "--t-end", "1", "-o", "t.csv")

    def test_what_is_wrong_is_said_with_file_and_line(self):
        self.change("ros34pw2.yaml", "b_hat: [3.78", "b_hat: [3.79")
        self.refused("plan", "s.yaml", says=("own/ros34pw2.yaml:21: embedded_order: 2, but a condition of order 1 fails: sum b_hat_i = ",))
        self.refused("plan", "s.yaml", *cli.sets("solvers=[own/none.yaml]"), says=("own/none.yaml",), code=4)
        self.refused("plan", "s.yaml", *cli.sets("solvers=[own]"), says=("unknown word 'own'",))
        self.refused("plan", "s.yaml", *cli.sets("solvers=[dormand-prince]"), says=("unknown word 'dormand-prince'",))
        self.refused("plan", "s.yaml", *cli.sets("solvers=[own/dormand-prince.yaml, own/dormand-prince.yaml]"),
                     says=("'dormand-prince' is the name of two solvers",))
        self.refused("plan", "s.yaml", *cli.sets("solver_texts=[no tableau]"), says=("s.yaml, text 1 of solver_texts",))
        self.refused("plan", "s.yaml", *cli.sets("solver_texts={a: b}"), says=("solver_texts",))
        for name in ("ode45", "all", "petsc-own", "own.yaml"):
            self.change("bogacki-shampine.yaml", "name: bogacki-shampine", f"name: {name}")
            self.refused("plan", "s.yaml", *cli.sets("solvers=[own/bogacki-shampine.yaml]"),
                         says=(f"own/bogacki-shampine.yaml:4: name: '{name}' is taken", ))
            self.change("bogacki-shampine.yaml", f"name: {name}", "name: bogacki-shampine")
        path = self.folder / "own" / "bogacki-shampine.yaml"
        path.write_bytes(path.read_bytes().replace(b"4/9", b"4\0/9"))
        self.refused("plan", "s.yaml", *cli.sets("solvers=[own/bogacki-shampine.yaml]"), says=("bogacki-shampine.yaml:16", "NUL"), code=2)

    def test_a_file_that_a_cube_names_is_not_read(self):
        self.works("run", "s.yaml", "-q", "-o", "a.h5", *cli.sets("solvers=[ode45, own/dormand-prince.yaml]"))
        with cli.edited(self.folder / "a.h5") as cube:
            text = cli.word(cube.attrs["sweep"])
            cube.attrs.modify("sweep", text.replace("solvers: [ode45, dormand-prince]", "solvers: [ode45, own/prince.yml]"))  # as long
        os.rename(self.folder / "own" / "dormand-prince.yaml", self.folder / "own" / "prince.yml")
        self.refused("tables", "a.h5", says=("the text of 'own/prince.yml' is missing", ))


cli.main()
