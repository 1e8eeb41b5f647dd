"""Texts of equations, compiled and interpreted: the same bits, whatever happens to the compiler."""
import json
import os
import shutil
import subprocess
import tempfile

import h5py

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
NAMES = ("monopod", "vibro-impact", "stick-slip", "slip", "shaking-table", "hopping-leg")
STRATEGIES = {"monopod": "event, switch, ess, ess2"}
SWEEP = """title: engines
model: MODEL
cells: {axes: [{name: AXIS, linear: [LOW, HIGH], points: POINTS}]}
solvers: [ode45, dop853, radau5, ode23s]
strategies: [STRATEGIES]
rtol: [1.0e-3, 1.0e-5]
mesh: 0.01
"""
AXES = {"monopod": ("k", 10, 22.8), "vibro-impact": ("e", 0.3, 0.8), "stick-slip": ("vb", 0.15, 0.4), "slip": ("k", 10, 20),
        "shaking-table": ("e", 0.2, 0.8), "hopping-leg": ("k", 20, 60)}


def text_of(name):
    return os.path.join(MODELS, f"{name}-equations.yaml")


class Folder(cli.InFolder):
    """With images of its own, which all tests share: the compiler is dear."""

    @classmethod
    def setUpClass(cls):
        images = tempfile.TemporaryDirectory(prefix="saltus-images-")
        cls.addClassCleanup(images.cleanup)
        cls.images = os.path.join(images.name, "images")
        cls.env = dict(os.environ, SALTUS_CACHE=cls.images)

    def write(self, name, text, points=5):
        axis, low, high = AXES[name]
        words = {"MODEL": text_of(name) if text else name, "AXIS": axis, "LOW": low, "HIGH": high, "POINTS": points,
                 "STRATEGIES": STRATEGIES.get(name, "event")}
        sweep = SWEEP
        for word, value in words.items():
            sweep = sweep.replace(word, str(value))
        (self.folder / "s.yaml").write_text(sweep)

    def sweep(self, name, out, *more, text=True, points=5, env=None, **how):
        self.write(name, text, points)
        done = self.saltus("run", "s.yaml", "-q", "--force", "-o", out, *more, env=env or self.env, **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def engine_of(self, cube):
        with h5py.File(self.folder / cube) as file:
            return cli.word(file.attrs["model_engine"]) if "model_engine" in file.attrs else None

    def same_values(self, a, b, but=()):
        with h5py.File(self.folder / a) as one, h5py.File(self.folder / b) as other:
            self.assertEqual(cli.datasets(one), cli.datasets(other))
            differ = [name for name in cli.datasets(one) if cli.word(one[name].attrs.get("kind")) not in ("timing", "checksum")
                      and one[name][()].tobytes() != other[name][()].tobytes()]
        self.assertEqual([name for name in differ if not name.startswith(but)], [])

    def compiler(self, script):
        """An environment whose compiler is a script, which counts how often it is asked, and whose folder of images is empty."""
        path = self.folder / "cc.sh"
        path.write_text(f"#!/bin/sh\necho asked >>{self.folder}/asked\n{script}\n")
        path.chmod(0o700)
        return dict(os.environ, SALTUS_CACHE=str(self.folder / "images"), SALTUS_CC=str(path))


class Engines(Folder):
    def test_cubes_are_the_same_and_say_which_engine_it_was(self):
        self.sweep("vibro-impact", "built.h5", text=False)
        told = self.sweep("vibro-impact", "never.h5", "--compile", "never")
        self.assertEqual(told, "")
        self.sweep("vibro-impact", "always.h5", "--compile", "always")
        images = os.listdir(self.images)
        self.assertEqual(len(images), 1)
        self.assertEqual(os.stat(self.images).st_mode & 0o777, 0o700)
        self.sweep("vibro-impact", "auto.h5", ranks=2)
        self.sweep("vibro-impact", "three.h5", "--compile", "always", ranks=3, threads=1)
        self.assertEqual(os.listdir(self.images), images)
        self.assertEqual([self.engine_of(f"{name}.h5") for name in ("built", "never", "always", "auto", "three")],
                         [None, "interpreted", "compiled", "compiled", "compiled"])
        for other in ("never", "auto", "three"):
            self.assertIn("the same", self.works("diff", "always.h5", f"{other}.h5"))
            self.same_values("always.h5", f"{other}.h5")
        self.same_values("built.h5", "always.h5", but=("spectral_radius", "stiffness_ratio"))
        self.assertIn("model_engine", self.works("info", "always.h5"))
        self.assertIn("compiled", self.works("info", "always.h5"))
        without = dict(os.environ, SALTUS_CC="/nowhere", SALTUS_CACHE="/dev/null", PATH="/nowhere")
        self.assertIn("vibro", self.works("info", "always.h5", env=without))
        self.works("rules", "always.h5", env=without)

    def test_a_killed_run_goes_on_with_the_other_engine(self):
        self.write("vibro-impact", True, points=1500)
        begun = ["run", "s.yaml", "-q", "--sync", "0.1", *cli.sets("rtol=[1e-5]", "solvers=[ode45]", "t_end=6"), "-o"]
        self.works(*begun, "whole.h5", "--compile", "always", env=self.env, ranks=2)
        run = subprocess.Popen([cli.SALTUS, *begun, "a.h5", "--compile", "never", "--status", "status", "--every", "0.02"], cwd=self.folder,
                               env=dict(self.env, OMP_NUM_THREADS="1"), stdin=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        status = self.folder / "status"
        self.assertTrue(cli.wait_until(lambda: status.exists() and any(
            json.loads(line)["done"] > 0 for line in status.read_text().splitlines() if line.endswith("}")), run))
        run.kill()
        run.wait()
        self.assertFalse((self.folder / "a.h5").exists())
        self.works(*begun, "a.h5", "--compile", "always", env=self.env)
        self.assertEqual(self.engine_of("a.h5"), "compiled")
        self.assertIn("the same", self.works("diff", "whole.h5", "a.h5"))

    def test_what_fails_is_a_line_and_the_text_is_interpreted(self):
        told = self.sweep("vibro-impact", "a.h5", "--compile", "always", env=self.compiler("echo no room >&2; exit 7"), ranks=2)
        lines = [line for line in told.splitlines() if line.startswith("vibro")]
        self.assertEqual(len(lines), 1, told)
        self.assertIn("its text is interpreted", lines[0])
        self.assertIn("ended with status 7: no room", lines[0])
        self.assertLessEqual(len((self.folder / "asked").read_text().splitlines()), 2)  # a width each, by one rank, once
        self.assertEqual(os.listdir(self.folder / "images"), [])
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        told = self.sweep("vibro-impact", "b.h5", "--compile", "always", env=dict(os.environ, SALTUS_CACHE=str(shared)))
        self.assertIn("other users may write to the folder", told)
        told = self.sweep("vibro-impact", "c.h5", env=self.compiler("exit 1"))
        self.assertEqual(told, "")  # auto: five cells are not worth it
        self.assertEqual([self.engine_of(cube) for cube in ("a.h5", "b.h5", "c.h5")], 3 * ["interpreted"])
        self.same_values("a.h5", "b.h5")

    def test_words(self):
        self.write("vibro-impact", True)
        self.refused("run", "s.yaml", "--compile", "sometimes", says=("--compile", "auto, never, always"), code=2)


class Long(Folder):
    """Nightly: app.engines_all."""

    def all_texts_by_all_engines_and_widths(self):
        for name in NAMES:
            self.sweep(name, "built.h5", text=False)
            for width in (1, 4, 8):
                for ranks in (1, 3):
                    self.sweep(name, "text.h5", "--compile", "always", "--set", f"width={width}", ranks=ranks, threads=1)
                    self.assertEqual(self.engine_of("text.h5"), "compiled")
                    self.same_values("built.h5", "text.h5", but=("spectral_radius", "stiffness_ratio"))
            self.sweep(name, "never.h5", "--compile", "never")
            self.assertIn("the same", self.works("diff", "text.h5", "never.h5"))

    def all_texts_as_rows(self):
        done = 0
        for name in NAMES:
            for solver in ("ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "dop853", "radau5", "rosnys4", "rosnysw2", "tsit5"):
                for strategy in ("switch", "event", "ess", "ess2", "ess-listing1"):
                    rows = []
                    for model, when in ((name, "never"), (text_of(name), "always"), (text_of(name), "never")):
                        ran = self.saltus("trajectory", "--model", model, "--solver", solver, "--strategy", strategy, "--dt", "0.1", "--t-end", "5",
                                          "--force", "-o", "t.csv", "--compile", when, env=self.env)
                        rows.append((self.folder / "t.csv").read_bytes() if ran.returncode == 0 else ran.returncode)
                    self.assertTrue(rows[0] == rows[1] == rows[2], (name, solver, strategy))
                    done += isinstance(rows[0], bytes)
        self.assertGreater(done, 190)

    def two_runs_compile_at_once(self):
        shutil.copy(text_of("monopod"), self.folder / "own.yaml")
        command = [cli.SALTUS, "trajectory", "--model", "own.yaml", "--compile", "always", "-o"]
        runs = [subprocess.Popen([*command, f"{i}.csv"], cwd=self.folder, env=self.env, stderr=subprocess.PIPE, text=True) for i in range(3)]
        for run in runs:
            self.assertNotIn("interpreted", run.communicate()[1])
            self.assertEqual(run.returncode, 0)
        self.assertEqual(len(os.listdir(self.images)), 1)
        self.assertEqual(len({(self.folder / f"{i}.csv").read_bytes() for i in range(3)}), 1)


cli.main()
