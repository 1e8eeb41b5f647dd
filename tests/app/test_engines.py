"""Texts of equations, compiled and interpreted: the same bits, whatever happens to the compiler."""
import json
import os
import pathlib
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
    """With images of its own, which all tests share: the compiler is expensive."""

    @classmethod
    def setUpClass(cls):
        images = tempfile.TemporaryDirectory(prefix="saltus-images-")
        cls.addClassCleanup(images.cleanup)
        cls.env = dict(os.environ, SALTUS_CACHE=os.path.join(images.name, "images"))
        cls.images = os.path.join(images.name, "images", "saltus")

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
        self.assertEqual(os.listdir(self.images), images)
        self.assertEqual([self.engine_of(f"{name}.h5") for name in ("built", "never", "always", "auto")],
                         [None, "interpreted", "compiled", "compiled"])
        for other in ("never", "auto"):
            self.assertIn("the same", self.works("diff", "always.h5", f"{other}.h5"))
            self.same_values("always.h5", f"{other}.h5")
        self.same_values("built.h5", "always.h5", but=("spectral_radius", "stiffness_ratio"))
        self.assertIn("model_engine", self.works("info", "always.h5"))
        self.assertIn("compiled", self.works("info", "always.h5"))
        without = dict(os.environ, SALTUS_CC="/nowhere", SALTUS_CACHE="/dev/null", PATH="/nowhere")
        self.assertIn("vibro", self.works("info", "always.h5", env=without))
        self.works("map", "always.h5", env=without)

    def killed(self, begun, out):
        """Starts it, interpreted, and kills it when the first cells are done; False: it was over before."""
        status = self.folder / "status"
        for path in (status, self.folder / out):
            path.unlink(missing_ok=True)
        run = subprocess.Popen([cli.SALTUS, *begun, out, "--compile", "never", "--status", "status", "--every", "0.02"], cwd=self.folder,
                               env=dict(self.env, OMP_NUM_THREADS="1"), stdin=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        cli.wait_until(lambda: status.exists() and any(
            json.loads(line)["done"] > 0 for line in status.read_text().splitlines() if line.endswith("}")), run)
        run.kill()
        run.wait()
        return not (self.folder / out).exists()

    def test_a_killed_run_goes_on_with_the_other_engine(self):
        self.write("vibro-impact", True, points=1000)
        begun = ["run", "s.yaml", "-q", "--sync", "0.1", *cli.sets("rtol=[1e-5]", "solvers=[ode45]", "t_end=6"), "-o"]
        self.works(*begun, "whole.h5", "--compile", "always", env=self.env)
        self.assertTrue(any(self.killed(begun, "a.h5") for _ in range(10)), "all runs were faster than the kill")
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
        self.assertEqual(os.listdir(self.folder / "images" / "saltus"), [])
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        told = self.sweep("vibro-impact", "b.h5", "--compile", "always", env=dict(os.environ, SALTUS_CACHE=str(shared)))
        self.assertIn("other users may write to the folder", told)
        told = self.sweep("vibro-impact", "c.h5", env=self.compiler("exit 1"))
        self.assertEqual(told, "")  # auto: five cells are not worth it
        self.assertEqual([self.engine_of(cube) for cube in ("a.h5", "b.h5", "c.h5")], 3 * ["interpreted"])
        self.same_values("a.h5", "b.h5")

    def test_orbits_are_the_same(self):
        """Their multipliers, too: tangent vectors go through the compiled flow, jumps' derivatives through the text."""
        ask = ("orbit", "--model", text_of("hopping-leg"), "--guess", "zU=1.02,vU=1.7", "--json", "--compile")
        compiled = self.works(*ask, "always", env=self.env)
        self.assertEqual(compiled, self.works(*ask, "never"))
        self.assertIn("multipliers", compiled)

    def test_words(self):
        self.write("vibro-impact", True)
        self.refused("run", "s.yaml", "--compile", "sometimes", says=("--compile", "auto, never, always"), code=2)


class InC(Folder):
    """A model in C: that of the program under another name."""

    def write_model(self):
        text = (pathlib.Path(cli.SWEEPS).parent / "kernels/models/bouncing_ball.c").read_text(encoding="utf-8")
        (self.folder / "own_ball.c").write_text(text.replace("bouncing_ball", "own_ball").replace("bouncing-ball", "own-ball"))
        (self.folder / "s.yaml").write_text("model: bouncing-ball\ncells: {axes: [{name: e, list: [0.5, 0.7, 0.9]}]}\nsolvers: [ode45, radau5]\n"
                                            "strategies: [event]\nrtol: [1e-4]\nmesh: 0.01\n")

    def test_it_is_run_and_its_text_is_kept_to_be_read(self):
        self.write_model()
        self.works("run", "s.yaml", "-q", "-o", "built.h5")
        self.works("run", "s.yaml", "-q", "--model-c", "own_ball.c", "-o", "own.h5", env=self.env, ranks=2)
        self.same_values("built.h5", "own.h5")
        self.assertIn("model own-ball", self.works("info", "own.h5"))
        with h5py.File(self.folder / "own.h5") as cube:
            self.assertIn("const sal_model sal_own_ball", cli.word(cube.attrs["sweep"]))
            (self.folder / "again.yaml").write_text(cli.word(cube.attrs["sweep"]))
        more = ("--model-c", "own_ball.c", "--error", "1e-3")
        self.assertEqual(self.works("map", "own.h5", *more, env=self.env).replace("own", "bouncing"),
                         self.works("map", "built.h5", "--error", "1e-3").replace("built", "bouncing"))
        (self.folder / "own_ball.c").write_text((self.folder / "own_ball.c").read_text() + "/* another */\n")
        self.refused("map", "own.h5", *more, says=("own_ball.c",), env=self.env)
        self.refused("map", "own.h5", says=("own_ball.c", "this is a program"))
        self.refused("run", "again.yaml", says=("again.yaml:", "own_ball.c", "this is a program"))
        for model, out in ((("--model", "bouncing-ball"), "a.csv"), (("--model-c", "own_ball.c"), "b.csv")):
            self.works("trajectory", *model, "-o", out, env=self.env)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_what_is_wrong_is_said(self):
        self.write_model()
        out = ("-o", "t.csv")
        for name in ("own_ball.c", "lib.so", "../x/lib.so"):
            self.refused("trajectory", "--model", name, *out, says=(name, "this is a program"))
            self.refused("run", "s.yaml", "--set", f"model={name}", says=(name, "this is a program"))
        self.refused("trajectory", "--model-c", "own_ball.c", "--model", "decay", *out, says=("--model and --model-c",))
        self.refused("trajectory", "--model-c", "missing.c", *out, says=("missing.c", "cannot be read"), code=4)
        (self.folder / "wrong.c").write_text("int x = ;\n")
        self.refused("trajectory", "--model-c", "wrong.c", *out, says=("wrong.c:1:", "error"), code=4, env=self.env)
        (self.folder / "no-name.c").write_text("int x;\n")
        self.refused("trajectory", "--model-c", "no-name.c", *out, says=("NAME.c that defines sal_NAME",), env=self.env)


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
        for text in ("rocking-block", "rocking-block-recorded", "two-legged-hopper"):  # with a table, by energies
            for solver in ("ode45", "dop853", "radau5"):
                rows = []
                for when in ("never", "always"):
                    self.works("trajectory", "--model", os.path.join(MODELS, text + ".yaml"), "--solver", solver, "--jacobian", "analytic", "--force",
                               "-o", "t.csv", "--compile", when, env=self.env)
                    rows.append((self.folder / "t.csv").read_bytes())
                self.assertEqual(rows[0], rows[1], (text, solver))

    def two_runs_compile_at_once(self):
        shutil.copy(text_of("monopod"), self.folder / "own.yaml")
        images = self.folder / "images"
        env = dict(os.environ, SALTUS_CACHE=str(images))
        command = [cli.SALTUS, "trajectory", "--model", "own.yaml", "--compile", "always", "-o"]
        runs = [subprocess.Popen([*command, f"{i}.csv"], cwd=self.folder, env=env, stderr=subprocess.PIPE, text=True) for i in range(3)]
        for run in runs:
            self.assertNotIn("interpreted", run.communicate()[1])
            self.assertEqual(run.returncode, 0)
        self.assertEqual(len(os.listdir(images / "saltus")), 1)
        self.assertEqual(len({(self.folder / f"{i}.csv").read_bytes() for i in range(3)}), 1)


cli.main()
