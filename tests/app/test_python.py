"""The Python package as `pip install .` makes it, in an empty folder: the checkout and the folder of the build are the last arguments."""
import dataclasses
import functools
import gc
import json
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
import weakref
import zipfile

import numpy as np

import cli

SOURCE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SALTUS", "SALTUS_LIBRARY", "PYTHONPATH")}
SMALL = {"cells": "{axes: [{columns: [b, k], sobol: [[550, 5000], [1, 50]], log: true, points: 48}]}", "solvers": ["ode45", "dop853", "radau5"],
         "strategies": ["switch", "event"], "rtol": [1e-3, 1e-5, 1e-7], "t_end": 5, "cutoff": {}}


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


def fall(t, y, g):
    return [y[1], -g]


def floor(t, y, *args):
    return y[0]


def stop(t, y):
    return y[0]


floor.direction = -1
stop.terminal = True


def bounce(k, t, y):
    return [0.0, -0.8 * y[1]]


def oscillate(t, y):
    return [y[1], 3 * (1 - y[0] ** 2) * y[1] - y[0]]


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
        major = version.split(".")[0]
        for ending in ("prefix/bin/saltus", f"/libsaltus.so.{major}", f"/libsaltus-run.so.{major}", "sweeps/atlas.yaml", "analysis/report.py", "saltus/py.typed"):
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
        self.works("trajectory", "--solver", "dop853", "--rtol", "1e-7", "--t-end", "10", "--dt", "0.5", "-p", "k=30", "-i", "y1=0.6", "-o", "flight.csv")
        rows = [row.split(",") for row in (self.folder / "flight.csv").read_text().splitlines()[1:]]
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
        one, many = (saltus.integrate(model, rows, t_end=5, threads=threads, lanes=lanes) for threads, lanes in ((1, 1), (3, None)))
        np.testing.assert_array_equal(one.end, many.end)
        self.assertEqual(one.figures.tobytes(), many.figures.tobytes())
        self.assertTrue(one.completed.all())

    def test_a_text_and_a_file_are_models(self):
        text = (pathlib.Path(cli.SWEEPS) / "models" / "rocking-block.yaml").read_text()
        ends = [saltus.integrate(source, t_end=2).end for source in (text, os.path.join(cli.SWEEPS, "models", "rocking-block.yaml"))]
        np.testing.assert_array_equal(*ends)

    def test_counts_of_members(self):
        row = os.path.join(cli.SWEEPS, "models", "impact-row.yaml")
        few, preset = saltus.Model(row, counts={"n": 2}), saltus.Model(row)
        self.assertEqual((few.counts, len(few.states), len(preset.states)), (("n",), 4, 16))
        self.assertEqual(few.params[0].preset, 2)
        self.assertTrue(saltus.integrate(few, t_end=1).completed.all())
        again = pickle.loads(pickle.dumps(few))
        self.assertEqual([q.name for q in again.states], ["x(1)", "x(2)", "v(1)", "v(2)"])
        self.refused(saltus.InvalidError, "counts: unknown 'm'; allowed: n", lambda: saltus.Model(row, counts={"m": 2}))
        self.refused(ValueError, "n = 2.5", lambda: saltus.Model(row, counts={"n": 2.5}))

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

    # ---- functions ----

    def test_functions_with_events_are_a_model(self):
        """Dropped from 1, 0.8 of the speed left by each impact: at s = sqrt(2 / g), then 1.6 s later."""
        model = saltus.Functions(fall, (0, 2), [1.0, 0.0], events=floor, reset=bounce, args=(9.81,))
        self.assertEqual([q.name for q in model.params], ["p0"])
        runs = saltus.integrate(model, {"p0": [9.81, 4.0]}, t_end=1.2, solver="dop853", rtol=1e-10, events=4)
        for row, g in zip(runs.event, (9.81, 4.0)):
            expected = [s for s in np.sqrt(2 / g) * np.array([1, 2.6]) if s < 1.2]
            np.testing.assert_allclose(row["t"][row["closes"] == 1][: len(expected)], expected, atol=1e-9)
        stops = saltus.Functions(lambda t, y: [-1.0], (3, 5), [0.5], events=stop)
        ended = saltus.integrate(stops)
        np.testing.assert_allclose((ended.t[0], ended.end[0, 0]), (0.5, 0), atol=1e-8)  # from the start of the span, 3
        self.assertEqual(list(ended.outcomes), ["ended"])

    def test_f_may_ask_which_contacts_are_closed(self):
        def ground(t, y, closed):
            return [y[1], -1.0 - (1e4 * y[0] if closed[0] else 0.0)]

        ends = [saltus.integrate(saltus.Functions(f, (0, 3), [1.0, 0.0], events=lambda t, y: y[0]), solver="dop853", rtol=1e-9).end[0]
                for f in (ground, lambda t, y: [y[1], -1.0 - (1e4 * y[0] if y[0] < 0 else 0.0)])]
        np.testing.assert_allclose(*ends, atol=1e-5)

    def test_advice_is_borne_out_by_a_run(self):
        """On van der Pol's oscillator."""
        span, start = (0, 5), [2.0, 0.5]
        found = saltus.advise(oscillate, span, start, error=1e-4)
        run, truth = (saltus.integrate(saltus.Functions(oscillate, span, start), solver=name, strategy=found.strategy, rtol=rtol, samples=500)
                      for name, rtol in ((found.solver, found.rtol), ("dop853", 1e-12)))
        error = np.abs(run.state[0, :, 0] - truth.state[0, :, 0]).max()
        self.assertLess(abs(np.log(error / found.error)), np.log(4))
        self.assertLess(abs(np.log(error / found.estimated_error)), np.log(2))
        self.assertEqual(str(found.schedule[found.attempts - 1]), str(found))
        self.assertLess(error, 1e-4)
        self.assertLess(abs(np.log(run.evaluations[0] / found.work)), np.log(1.25))
        self.assertRegex(found.call, r"solve_ivp\(.*method='\w+', ")

    def test_advice_for_a_model_is_for_its_point(self):
        found = saltus.advise("monopod", (0, 5), {"y1": 0.6}, error=1e-4, params={"k": 30}, having=None)
        self.assertIn(found.solver, saltus.solvers())
        self.assertIsNone(found.call)

    def test_advice_at_the_point_alone_is_that_of_the_program(self):
        """References in most cells around the point do not reach the error: errors grow too much there."""
        text = ("equations: 1\nname: parts\nspan: 22\nstates: {x: {preset: 1}}\nparameters: {a: {preset: 0.9, range: [0.85, 0.95]}}\n"
                "flow: {x: (0.5 + 6000 * (a - 0.9)^2) * (x - cos(t)) - sin(t)}\n")
        (self.folder / "grows.yaml").write_text(text)
        found = saltus.advise(text, (0, 22), error=1e-3, having=None)
        told = json.loads(self.works("advise", "grows.yaml", "--error", "1e-3", "--seconds", 60, "-q", "--json"))
        self.assertEqual((found.schedule, found.attempts), ((), len(told["here"])))
        self.assertEqual([getattr(found, name) for name in ("solver", "strategy", "rtol", "error", "work")],
                         [told["answer"][name] for name in ("solver", "strategy", "rtol", "error", "work")])
        self.assertEqual(found.estimated_error, told["estimated_error"])

    def test_functions_that_are_wrong_raise_and_leave_nothing(self):
        class Own(Exception):
            pass

        def tired(t, y):
            tired.calls += 1
            if tired.calls > 5000:
                raise Own("after 5000")
            return [y[1], -y[0]]

        tired.calls = 0
        ask = functools.partial(saltus.advise, t_span=(0, 5), y0=[1.0, 0.0], error=1e-3)
        self.refused(Own, "after 5000", lambda: ask(tired))
        self.assertEqual(tired.calls, 5001)  # none after it
        self.refused(saltus.InvalidError, "fun returns an array of shape (3,); allowed: (2,)", lambda: ask(lambda t, y: [1, 2, 3]))
        self.refused(saltus.InvalidError, "events[0] returns an array of shape (2,)", lambda: ask(lambda t, y: [1, 2], events=lambda t, y: [1, 2]))
        self.refused(saltus.InvalidError, "reset of event 0 returns an array of shape (1,)", lambda: ask(fall, args=(9.81,), events=floor, reset=lambda k, t, y: [1]))
        self.refused(saltus.InvalidError, "there is nothing to measure errors against", lambda: ask(lambda t, y: [np.nan, 0.0]))
        self.refused(saltus.InvalidError, "is a solver of SUNDIALS", lambda: ask(fall, args=(9.81,), having="sundials"))
        self.refused(saltus.InvalidError, "error = 0 is out of range", lambda: saltus.advise(oscillate, (0, 1), [1, 0], error=0))
        self.refused(saltus.InvalidError, "forwards in time", lambda: saltus.advise(oscillate, (1, 0), [1, 0], error=1e-3))
        self.refused(saltus.InvalidError, "a model has its own", lambda: saltus.advise("monopod", (0, 1), error=1e-3, events=floor))
        model = saltus.Functions(oscillate, (0, 1), [1.0, 0.0])
        saltus.integrate(model)
        gone = weakref.ref(model)
        del model
        gc.collect()
        self.assertIsNone(gone())

    def test_an_interrupt_inside_a_function_ends_the_advice(self):
        def slow(t, y):
            slow.calls += 1
            if slow.calls == 2000:
                os.kill(os.getpid(), signal.SIGINT)
            return [y[1], -y[0]]

        slow.calls = 0
        with self.assertRaises(KeyboardInterrupt):
            saltus.advise(slow, (0, 100), [1.0, 0.0], error=1e-6)
        done = slow.calls
        time.sleep(0.05)
        self.assertEqual(slow.calls, done)  # nothing goes on
        saltus.advise(oscillate, (0, 2), [1.0, 0.0], error=1e-3)

    # ---- cubes ----

    def test_progress_is_told_to_the_end(self):
        self.assertEqual((self.told[-1]["cells"], self.told[-1]["done"]), (48, 48))

    def test_answers_are_those_of_the_program(self):
        for error, more in ((1e-4, {}), (1e-2, {"having": "scipy"}), (1e-3, {"solvers": ["ode45"], "probability": 0.9})):
            words = [word for name, value in more.items() for word in (
                {"having": "--in"}.get(name, f"--{name}"), value if isinstance(value, str) else str(value) if isinstance(value, float) else ",".join(value))]
            told = json.loads(self.works("recommend", self.path, "--at", "b=1951,k=22.8", "--error", error, "--json", *words))
            found = self.cube.saltus.recommend({"b": 1951, "k": 22.8}, error, **more)
            self.assertEqual([(c.solver, c.strategy) for c in found.schedule], [(c["solver"], c["strategy"]) for c in told["schedule"]])
            np.testing.assert_allclose([(c.rtol, c.probability, c.work, c.needed) for c in found.schedule],
                                       [(c["rtol"], c["probability"], c["work"], c["needed"]) for c in told["schedule"]], rtol=1e-12)
            own = dataclasses.asdict(found)
            self.assertEqual({name: own[name] for name in told["answer"] if name != "select"} | {name: None for name, value in own.items() if value != value},
                             {name: value for name, value in told["answer"].items() if name != "select"} | {name: None for name, value in own.items() if value != value})
            self.assertIn("<table>", found._repr_html_())
        self.assertEqual(set(saltus.Surrogate(self.path).axes), {"b", "k"})

    def test_what_has_no_answer_says_why(self):
        ask = self.cube.saltus.recommend
        self.refused(saltus.InvalidError, "unknown axis 'bb'", lambda: ask({"bb": 1}, 1e-4))
        self.refused(saltus.InvalidError, "the references around the point do not reach", lambda: ask("b=1951,k=22.8", 1e-20))
        self.refused(saltus.InvalidError, "error = -1 is out of range", lambda: ask("b=1951,k=22.8", -1))
        self.refused(saltus.InvalidError, "did you mean 'scipy'?", lambda: ask("b=1951,k=22.8", 1e-4, having="scpy"))
        self.refused(saltus.FileError, "nowhere.h5", lambda: saltus.open("nowhere.h5"))
        self.refused(saltus.FileError, "nowhere.h5", lambda: saltus.Surrogate("nowhere.h5"))
        self.refused(saltus.FileError, "nowhere.yaml", lambda: saltus.run("nowhere.yaml", self.folder / "x.h5"))
        self.refused(saltus.InvalidError, "unknown kind 'mop'", lambda: self.cube.saltus.picture("mop"))
        (self.folder / "bad.h5").write_bytes(b"no cube")
        self.refused(saltus.Error, "bad.h5", lambda: saltus.open(self.folder / "bad.h5"))

    def test_what_moves(self):
        flight = saltus.motion("monopod", {"zeta_F": 0.02, "zeta_G": -0.05}, orbit=True, speed=2)
        self.assertIn("a periodic orbit", flight.html)
        self.assertIn("<animate ", flight.svg)
        self.assertIn("motion of saltus", flight._repr_html_())
        self.assertIn("2 units of time a second", flight.svg)
        flight.save(self.folder / "flight.svg")
        self.assertEqual((self.folder / "flight.svg").read_text(), flight.svg)
        slips = saltus.motion("stick-slip", initial={"x": 0.5}, t_end=2, strategy="event")
        self.assertIn("a trajectory of 2 s", slips.html)
        with self.assertRaisesRegex(saltus.InvalidError, "no drawing of the model stick-slip"):
            slips.svg
        with self.assertRaisesRegex(saltus.InvalidError, "zeta_X"):
            saltus.motion("monopod", {"zeta_X": 1})
        self.assertFalse([n for n in ("motion", "trajectory", "page") if n in sys.modules])

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


class Resets(unittest.TestCase):
    """Resets that lead off the surface: the sign of the event function is the mode afterwards."""

    def closings(self, runs):
        return runs.event[0][(runs.event[0]["contact"] >= 0) & (runs.event[0]["closes"] == 1)]

    def test_a_wheel_of_spokes_walks(self):
        """Its speed after a step follows from energy and angular momentum: w+^2 = cos(2 a)^2 (w^2 + 4 g sin(slope) sin(a))."""
        a, slope, g = np.pi / 8, 0.08, 9.81

        def step(t, y):
            return slope + a - y[0]

        step.direction = -1
        wheel = saltus.Functions(lambda t, y: [y[1], g * np.sin(y[0])], (0, 10), [0.0, 5.0], events=step,
                                 reset=lambda k, t, y: [slope - a, y[1] * np.cos(2 * a)])
        for solver in ("ode45", "dop853", "radau5", "ode15s"):
            runs = saltus.integrate(wheel, solver=solver, rtol=1e-9, events=20)
            self.assertEqual((len(self.closings(runs)), list(runs.outcomes)), (14, ["done"]))
            before = np.array([5.0**2 + 2 * g * (1 - np.cos(slope + a))])
            for _ in range(13):
                before = np.append(before, before[-1] * np.cos(2 * a) ** 2 + 4 * g * np.sin(slope) * np.sin(a))
            np.testing.assert_allclose(runs.event_state[0, :14, 1], np.sqrt(before) * np.cos(2 * a), rtol=1e-6)
        limit = np.sqrt(4 * g * np.sin(slope) * np.sin(a) / (1 - np.cos(2 * a) ** 2)) * np.cos(2 * a)
        self.assertAlmostEqual(limit, 1.0954628396, 9)
        self.assertLess(abs(runs.event_state[0, 13, 1] - limit), 1e-3)

    def test_neurons_fire_and_excite_each_other(self):
        """Between firings x = X - (X - x0) exp(-t)."""
        X, k, state, t, times = 1.3, 0.1, np.array([0.1, 0.5]), 0.0, []
        while True:
            t += (wait := max(min(np.log((X - state) / (X - 1))), 0.0))  # 0 where the other one has lifted it over 1
            if t > 20:
                break
            who = int(np.argmin(np.log((X - state) / (X - 1))))
            state = X - (X - state) * np.exp(-wait)
            state[who], state[1 - who] = 0.0, state[1 - who] + k
            times.append(t)
        events = [lambda t, y, X, j=j: 1 - y[j] for j in (0, 1)]
        for event in events:
            event.direction = -1
        neurons = saltus.Functions(lambda t, y, X: [X - y[0], X - y[1]], (0, 20), [0.1, 0.5], args=(X,), events=events,
                                   reset=[lambda t, y: [0.0, y[1] + k], lambda t, y: [y[0] + k, 0.0]])
        found = self.closings(saltus.integrate(neurons, rtol=1e-10, events=40))["t"]
        self.assertEqual(len(times), 28)
        np.testing.assert_allclose(found, times, atol=1e-6)

    def test_an_angle_wraps_either_way(self):
        """x' = 1 + sin(x) / 2 goes around in 2 pi / sqrt(1 - 1/4)."""
        for sign in (1, -1):
            def turned(t, y):
                return y[0] - sign * np.pi

            turned.direction = sign
            angle = saltus.Functions(lambda t, y: [sign * (1 + 0.5 * np.sin(y[0]))], (0, 60), [0.0], events=turned, reset=lambda k, t, y: [-sign * np.pi])
            found = self.closings(saltus.integrate(angle, rtol=1e-10, events=40))["t"]
            self.assertEqual(len(found), 8)
            np.testing.assert_allclose(np.diff(found), 2 * np.pi / np.sqrt(0.75), atol=1e-6)

    def test_a_ball_bounces_however_its_reset_is_written(self):
        """Put on the floor, left where the event was found, or lifted a little: impacts at s, s + 2 e s, .."""
        s, e = np.sqrt(2 / 9.81), 0.8
        for reset in (bounce, lambda k, t, y: [y[0], -0.8 * y[1]], lambda k, t, y: [1e-12, -0.8 * y[1]]):
            found = self.closings(saltus.integrate(saltus.Functions(fall, (0, 2.5), [1.0, 0.0], args=(9.81,), events=floor, reset=reset), rtol=1e-10, events=40))["t"]
            self.assertEqual(len(found), 4)
            np.testing.assert_allclose(found, s + 2 * s * e * (1 - e ** np.arange(4)) / (1 - e), atol=1e-8)

    def test_infinitely_many_impacts_are_an_outcome_or_a_rest(self):
        """On a plane that is tilted, far from the origin: v to the plane becomes 0, v along it and a counter do not."""
        def plane(t, y):
            return 0.6 * (y[0] - 100) + 0.8 * (y[1] - 50)

        def hit(k, t, y):
            across = 0.6 * y[2] + 0.8 * y[3]
            return [y[0], y[1], y[2] - 1.6 * across * 0.6, y[3] - 1.6 * across * 0.8, y[4] + 1]

        def held(t, y, closed):
            down = [0, -9.81] if not closed[0] else [0.48 * 9.81, -0.36 * 9.81]
            return [y[2], y[3], *down, 0]

        plane.direction = -1
        when = np.sqrt(3.2 / (0.8 * 9.81)) * (1 + 2 * 0.6 / 0.4)
        for fun, outcome in ((lambda t, y: held(t, y, [0]), "zeno"), (held, "done")):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                run = saltus.integrate(saltus.Functions(fun, (0, 10), [100.0, 52.0, 0, 0, 0], events=plane, reset=hit))
            self.assertEqual((run.outcomes[0], len(said)), (outcome, outcome == "zeno"))
            self.assertLess(abs(plane(0, run.end[0])), 1e-6)
            self.assertLess(abs(run.t[0] - (when if outcome == "zeno" else 10)), 1e-5)  # rests within rtol of the time
            self.assertEqual(run.end[0][4], run.events[0])


class BesideSciPy(unittest.TestCase):
    def test_solve_ivp_does_about_what_is_said(self):
        """Its error test takes a mean over the states where ours takes the largest: at the same rtol it errs some times as much."""
        from scipy.integrate import solve_ivp

        span, start = (0, 5), [2.0, 0.5]
        found = saltus.advise(oscillate, span, start, error=1e-4)
        method = re.search(r"solve_ivp\(.*method='(\w+)', rtol=rtol, atol=rtol, max_step=t_end / 10\)", found.call)[1]
        times = np.linspace(*span, 501)
        run, truth = (solve_ivp(oscillate, span, start, method=name, rtol=rtol, atol=rtol, max_step=0.5, dense_output=True)
                      for name, rtol in ((method, found.rtol), ("DOP853", 1e-12)))
        self.assertLess(np.abs(run.sol(times)[0] - truth.sol(times)[0]).max(), 10 * found.error)
        self.assertLess(abs(np.log(run.nfev / found.work)), np.log(1.25))


cli.main()
