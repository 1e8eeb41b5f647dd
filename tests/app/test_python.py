"""The Python package as `pip install .` makes it, in an empty folder: the checkout and the folder of the build are the last arguments."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile

import numpy as np

import cli

SOURCE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SALTUS", "SALTUS_LIBRARY", "PYTHONPATH")}
SMALL = {"cells": "{axes: [{columns: [b, k], sobol: [[550, 5000], [1, 50]], log: true, points: 48}]}", "solvers": ["ode45", "dop853", "radau5"],
         "strategies": ["switch", "event"], "rtol": [1e-3, 1e-5, 1e-7], "t_end": 5, "cap": {}}


def setUpModule():
    global saltus
    folder = tempfile.TemporaryDirectory(prefix="saltus-python-")
    unittest.addModuleCleanup(folder.cleanup)
    Package.site = pathlib.Path(folder.name) / "site"
    # A copy, since setuptools writes beside what it packs.
    tree = pathlib.Path(folder.name) / "tree"
    tree.mkdir()
    for name in ("analysis", "jobscripts"):
        shutil.copytree(os.path.join(SOURCE, name), tree / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(os.path.join(SOURCE, name), tree)
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder.name, tree],
                   check=True, env=ENVIRONMENT | {"SALTUS_BUILD": BUILD, "PIP_ROOT_USER_ACTION": "ignore"})
    Package.wheel = next(pathlib.Path(folder.name).glob("*.whl"))
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", Package.site, Package.wheel], check=True,
                   env=ENVIRONMENT | {"PIP_ROOT_USER_ACTION": "ignore"})
    os.environ.pop("SALTUS")  # what the package brings is found by itself
    sys.path.insert(0, str(Package.site))
    import saltus


class Package(cli.InFolder):
    site = wheel = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="saltus-cube-")
        cls.addClassCleanup(folder.cleanup)
        cls.path = os.path.join(folder.name, "cube.h5")
        cls.told = []
        cls.cube = saltus.run(os.path.join(cli.SWEEPS, "atlas-small.yaml"), cls.path, set=SMALL, progress=cls.told.append)

    def refused(self, kind, words, call):
        with self.assertRaises(kind) as met:
            call()
        self.assertIn(words, str(met.exception))

    # ---- the package ----

    def test_the_wheel_is_of_this_machine_and_version_and_brings_all_once(self):
        version = self.works("--version").split()[1]
        self.assertRegex(self.wheel.name, rf"^saltus-{re.escape(version)}-py3-none-linux_\w+\.whl$")
        self.assertEqual(saltus.__version__, version)
        names = zipfile.ZipFile(self.wheel).namelist()
        for ending in ("prefix/bin/saltus", f".so.{version.split('.')[0]}", "sweeps/atlas.yaml", "analysis/report.py", "saltus/py.typed"):
            self.assertEqual(len([name for name in names if name.endswith(ending)]), 1, ending)
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn(f"project(saltus VERSION {version} ", file.read())

    def test_console_commands(self):
        for command, says in (("saltus", "usage"), ("saltus-analysis", "report")):
            done = subprocess.run([sys.executable, self.site / "bin" / command, *(["--help"] if command == "saltus" else [])], capture_output=True, text=True,
                                  env=ENVIRONMENT | {"PYTHONPATH": str(self.site)})
            self.assertIn(says, (done.stdout + done.stderr).lower())

    # ---- runs ----

    def test_runs_have_the_bits_of_the_program(self):
        runs = saltus.integrate("monopod", {"k": [20.0, 30.0]}, {"y1": 0.6}, t_end=10, solver="dop853", rtol=1e-7, samples=20, events=3)
        self.works("trajectory", "--solver", "dop853", "--rtol", "1e-7", "--t-end", "10", "--dt", "0.5", "-p", "k=30", "-i", "y1=0.6", "-o", "hop.csv")
        rows = [row.split(",") for row in (self.folder / "hop.csv").read_text().splitlines()[1:]]
        states = np.array([[float(x) for x in row[1:5]] for row in rows if not row[-1]])
        np.testing.assert_array_equal(runs.state[1], states)
        np.testing.assert_array_equal(runs.end[1], states[-1])
        self.assertEqual(list(runs.event["t"][1][:2]), [float(row[0]) for row in rows if row[-1]][:2])
        data = runs.dataset()
        self.assertEqual(data["y1"].dims, ("run", "time"))
        self.assertEqual(list(data["outcome"].values), ["done", "done"])

    def test_arrays_are_taken_as_they_are_and_threads_change_no_bit(self):
        model = saltus.Model("monopod")
        rows = model.params_of({"k": np.linspace(10, 50, 200)})
        self.assertIs(model.params_of(rows), rows)
        one, many = (saltus.integrate(model, rows, t_end=5, threads=threads, lanes=lanes) for threads, lanes in ((1, 1), (3, 0)))
        np.testing.assert_array_equal(one.end, many.end)
        self.assertEqual(one.figures.tobytes(), many.figures.tobytes())
        self.assertTrue(one.completed.all())

    def test_a_text_and_a_file_are_models(self):
        text = (pathlib.Path(cli.SWEEPS) / "models" / "rocking-block.yaml").read_text()
        ends = [saltus.integrate(source, t_end=2).end for source in (text, os.path.join(cli.SWEEPS, "models", "rocking-block.yaml"))]
        np.testing.assert_array_equal(*ends)

    def test_what_is_wrong_is_an_exception_with_the_message(self):
        self.refused(ValueError, "did you mean 'monopod'?", lambda: saltus.integrate("monopd"))
        self.refused(saltus.InvalidError, "did you mean 'ode45'?", lambda: saltus.integrate("monopod", solver="ode54"))
        self.refused(saltus.InvalidError, "unknown name 'kk'; allowed: b, ", lambda: saltus.integrate("monopod", {"kk": 1}))
        self.refused(saltus.InvalidError, "in run 1, counted from 0", lambda: saltus.integrate("monopod", {"k": [1, -1]}))
        self.refused(saltus.InvalidError, "has shape (3, 2); allowed: [n, 7], b, m1, ", lambda: saltus.integrate("monopod", np.zeros((3, 2))))
        self.refused(saltus.InvalidError, "2 rows, and 3 runs", lambda: saltus.integrate("monopod", {"k": [1, 2]}, {"y1": [0.5, 0.6, 0.7]}))
        self.refused(saltus.InvalidError, "allowed: literal, clamp", lambda: saltus.integrate("monopod", {"adhesion": "glue"}))
        self.refused(saltus.InvalidError, "text:", lambda: saltus.Model("equations: 1\nname: x\n"))
        self.refused(OSError, "nowhere.yaml", lambda: saltus.Model("nowhere.yaml"))

    def test_an_interrupt_ends_runs_and_is_raised(self):
        def interrupt():
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        began = time.monotonic()
        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            saltus.integrate("monopod", {"k": np.full(20000, 20.0)}, t_end=1e6, rtol=1e-13)
        thread.join()
        self.assertLess(time.monotonic() - began, 600)  # these runs would take days
        self.assertTrue(saltus.integrate("monopod", t_end=1).completed.all())

    # ---- cubes ----

    def test_progress_is_told_to_the_end(self):
        self.assertEqual((self.told[-1]["cells"], self.told[-1]["done"]), (48, 48))

    def test_answers_are_those_of_the_program(self):
        for error, more in ((1e-4, {}), (1e-2, {"having": "scipy"}), (1e-3, {"solvers": ["ode45"], "confidence": 0.9})):
            words = [word for name, value in more.items() for word in (
                {"having": "--in"}.get(name, f"--{name}"), value if isinstance(value, str) else str(value) if isinstance(value, float) else ",".join(value))]
            told = json.loads(self.works("recommend", self.path, "--at", "b=1951,k=22.8", "--error", error, "--json", *words))
            found = self.cube.saltus.recommend({"b": 1951, "k": 22.8}, error, **more)
            self.assertEqual([(c.solver, c.strategy) for c in found.plan], [(c["solver"], c["strategy"]) for c in told["plan"]])
            np.testing.assert_allclose([(c.rtol, c.probability, c.work, c.needed) for c in found.plan],
                                       [(c["rtol"], c["probability"], c["work"], c["needed"]) for c in told["plan"]], rtol=1e-12)
            self.assertIn("<table>", found._repr_html_())
        self.assertEqual(set(saltus.Reader(self.path).axes), {"b", "k"})

    def test_what_has_no_answer_says_why(self):
        ask = self.cube.saltus.recommend
        self.refused(saltus.InvalidError, "unknown axis 'bb'", lambda: ask({"bb": 1}, 1e-4))
        self.refused(saltus.InvalidError, "the references around the point do not reach", lambda: ask("b=1951,k=22.8", 1e-20))
        self.refused(saltus.InvalidError, "error = -1 is out of range", lambda: ask("b=1951,k=22.8", -1))
        self.refused(saltus.InvalidError, "did you mean 'scipy'?", lambda: ask("b=1951,k=22.8", 1e-4, having="scpy"))
        self.refused(saltus.FileError, "nowhere.h5", lambda: saltus.open("nowhere.h5"))
        self.refused(saltus.FileError, "nowhere.h5", lambda: saltus.Reader("nowhere.h5"))
        self.refused(saltus.FileError, "nowhere.yaml", lambda: saltus.run("nowhere.yaml", self.folder / "x.h5"))
        self.refused(saltus.InvalidError, "unknown kind 'mop'", lambda: self.cube.saltus.picture("mop"))
        (self.folder / "bad.h5").write_bytes(b"no cube")
        self.refused(saltus.Error, "bad.h5", lambda: saltus.open(self.folder / "bad.h5"))

    def test_a_report_and_pictures(self):
        page = self.cube.saltus.report(error=1e-4)
        self.assertTrue(page.html.startswith("<!doctype html>") or page.html.startswith("<!DOCTYPE html>"))
        self.assertTrue(page._repr_html_().startswith("<iframe srcdoc="))
        page.save(self.folder / "page.html")
        self.assertEqual((self.folder / "page.html").read_text(), page.html)
        import matplotlib

        size = matplotlib.rcParams["font.size"]
        figure = self.cube.saltus.picture("precision")
        self.assertEqual(type(figure).__name__, "Figure")
        self.assertGreater(len(figure.axes), 0)
        self.assertEqual(matplotlib.rcParams["font.size"], size)
        figure.savefig(self.folder / "precision.png")
        self.assertNotIn("style", sys.modules)


cli.main()
