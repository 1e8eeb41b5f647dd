"""The Julia that `saltus export` writes, without a Julia: julia_reader.py reads its statements and runs them with SciPy's solver; presets of all
programs."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import scipy.integrate

import cli
import julia_reader
from export_texts import BEGINNINGS, MECHANICS, UNHELD

MODELS = pathlib.Path(cli.SWEEPS) / "models"
TEXTS = [path for path in sorted(MODELS.glob("*.yaml")) if "equations: 1" in path.read_text(encoding="utf-8") and "recorded" not in path.name and path.stem != "pile"]
TUMBLER = os.path.join(os.path.dirname(cli.SWEEPS), "tests", "data", "robots", "tumbler.yaml")
# Methods of OrdinaryDiffEq.jl, from its documentation: those of low order, high order, Adams, SDIRK, Rosenbrock, FIRK, BDF.
METHODS = {"ode23": "BS3", "ode45": "DP5", "tsit5": "Tsit5", "dop853": "DP8", "ode113": "VCABM", "ode15s": "QNDF", "ode23s": "Rosenbrock23", "ode23t": "Trapezoid",
           "ode23tb": "TRBDF2", "radau5": "RadauIIA5"}
NIGHTLY = "--all" in sys.argv
if NIGHTLY:
    sys.argv.remove("--all")


class Presets(cli.InFolder):
    def test_presets_are_a_solver_of_the_program(self):
        """Without --solver and --strategy each program is written; a solver that is given is not replaced."""
        block = os.path.join(MODELS, "rocking-block.yaml")
        (self.folder / "b.yaml").write_text("equations: 1\nname: b\ncoordinates: {x: {preset: 1, rate: v}}\nkinetic: v^2 / 2\npotential: x\n"
                                            "contacts: {c: {names: [a, b], gap: x, law: {rigid: {restitution: 0.5}}}}\n", encoding="utf-8")
        for program, solver in (("scipy", "dop853"), ("octave", "ode45"), ("c", "dop853"), ("julia", "dop853")):
            preset = self.works("export", "--to", program, "--model", block)
            self.assertEqual(preset, self.works("export", "--to", program, "--model", block, "--solver", solver, "--strategy", "event"))
        preset = self.works("export", "--to", "siconos", "--model", "b.yaml")
        self.assertEqual(preset, self.works("export", "--to", "siconos", "--model", "b.yaml", "--solver", "moreau", "--strategy", "capture"))
        self.refused("export", "--to", "octave", "--model", block, "--solver", "dop853", says=("Octave has no dop853",))


class Julia(cli.InFolder):
    def export(self, program, model, *more):
        return self.works("export", "--to", program, "--model", model, *more)

    def compare(self, model, end, rtol="1e-8"):
        """The end of the program, as it is read here, is that of our own run by 10 of the tolerance."""
        options = ("--solver", "dop853", "--rtol", rtol, "--atol", rtol, "--t-end", end)
        rows = self.run_rows("trajectory", "--model", model, *options, "--strategy", "event", "-f", "-o", "t.csv")
        seen, state = julia_reader.run(self.export("julia", model, *options))
        for name, value in state.items():
            if not name.endswith("_sense"):  # of what sticks it is either
                scale = max(1e-3, *(abs(float(row[name])) for row in rows))
                self.assertLess(abs(value - float(rows[-1][name])) / scale, 10 * float(rtol), name)
        known = sum(row["event"] != "" for row in rows)
        self.assertLessEqual(abs(len(seen) - known), 3 + known // 10)
        return len(seen)

    def run_rows(self, *command):
        self.works(*command)
        lines = (self.folder / "t.csv").read_text(encoding="utf-8").splitlines()
        return [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]

    def write(self, name, text, span):
        (self.folder / f"{name}.yaml").write_text(f"equations: 1\nname: {name}\nspan: {span}\n{text}", encoding="utf-8")
        return f"{name}.yaml"

    def compare_functions(self, model):
        """f, gaps and terms are those of the script for SciPy, which its solvers have run, at a state beside the start."""
        python, julia = {"__name__": "script"}, julia_reader.program(self.export("julia", model))
        exec(compile(self.export("scipy", model), "script", "exec"), python)  # pylint: disable=exec-used
        start, n = np.array(python["START"]), python["N_CONTINUOUS"]
        x, q = start[:n] + 0.01 * np.arange(1, n + 1), start[n:]
        array = julia_reader.Array
        for closed in (False, True):
            mode = np.full(python["N_CONTACT"], closed)
            if "terms" in python:
                pairs = [(python["terms"](0.5, x, q, mode), julia["terms"](0.5, array(x), array(q), array(mode)))]
            else:
                dy = python["f"](0.5, x, q, mode)
                pairs = [(dy, julia["f"](0.5, array(x), array(q), array(mode))),
                         (python["gaps"](0.5, x, q, mode, dy), julia["gaps"](0.5, array(x), array(q), array(mode), array(dy)))]
                for k, jump in enumerate(python["JUMP"]):
                    y, new = jump(0.5, [*x, *q], list(mode), False)
                    y_julia, new_julia = julia["JUMP"][k + 1](0.5, array(np.concatenate([x, q])), array(mode.copy()), False)
                    pairs += [(y, y_julia), (new, new_julia)]
            for known, found in pairs:
                np.testing.assert_allclose(np.array(found.of, float), np.array(known, float), rtol=1e-13, atol=1e-13)

    def test_functions_are_those_of_scipy(self):
        for path in TEXTS:
            with self.subTest(text=path.name):
                self.compare_functions(path)
        self.compare_functions(TUMBLER)
        self.assertGreater(len(TEXTS), 10)

    def test_blocks_are_closed_and_names_defined(self):
        text = self.export("julia", MODELS / "rocking-block.yaml")
        for program in (text, self.export("julia", TUMBLER)):
            self.assertEqual(julia_reader.unknown(program), set())
        for where in [m.end() for m in re.finditer("\n *end\n", text)][:-1]:
            with self.assertRaises((SyntaxError, IndentationError)):
                compile(julia_reader.to_python(re.sub(r" *end\n$", "", text[:where]) + text[where:]), "julia", "exec")
        self.assertEqual(julia_reader.unknown(text.replace("function look_later", "function look_soon")), {"look_later"})

    def test_runs_are_those_of_saltus(self):
        changes = self.compare(MODELS / "rocking-block.yaml", 3) + self.compare(MODELS / "vibro-impact-equations.yaml", 4)
        changes += self.compare(self.write("thrown", BEGINNINGS["thrown"], 4), 4) + self.compare(self.write("sledge", MECHANICS["sledge"], 6), 0.4)
        self.assertGreater(changes, 15)

    def test_changes_beside_rigid_contacts_are_those_of_saltus(self):
        """Friction of a compliant contact that an impact breaks, and contacts without a law that change states: by 10 of the tolerance, by SciPy, too."""
        for name, end in (("hammer", 2), ("kicks", 0.9)):
            with self.subTest(text=name):
                model, script = self.write(name, MECHANICS[name], end), {"__name__": "script"}
                self.assertGreater(self.compare(model, end), 10)
                exec(compile(self.export("scipy", model), "script", "exec"), script)  # pylint: disable=exec-used
                n = script["N_CONTINUOUS"]
                _, y, seen = script["run"](end, script["START"], scipy.integrate.DOP853, 1e-8, np.full(n, 1e-8), 0.2)
                rows = self.run_rows("trajectory", "--model", model, "--solver", "dop853", "--rtol", "1e-8", "--atol", "1e-8", "--strategy", "event", "-f", "-o", "t.csv")
                for value, state in zip(y[:n], script["STATES"]):
                    self.assertLess(abs(value - float(rows[-1][state])), 1e-7 * max(1e-3, *(abs(float(row[state])) for row in rows)), state)
                self.assertTrue(len(seen) > 10 and any(script["OWN"][k] for _, k, _ in seen))

    def test_solvers_are_those_of_its_library(self):
        for solver, name in METHODS.items():
            text = self.export("julia", MODELS / "rocking-block.yaml", "--solver", solver)
            self.assertIn(f'const SOLVER = "{name}"\n', text)
        self.assertIn("# It has not been run by Julia", text)
        self.refused("export", "--to", "julia", "--model", MODELS / "rocking-block.yaml", "--solver", "rosnys4", says=("Julia has no rosnys4; allowed: ",))

    def test_a_run_ends_where_nothing_holds_a_contact(self):
        model = self.write("u", UNHELD.replace("HEIGHT", "1").replace("STAYS", "false"), 4)
        with self.assertRaisesRegex(SystemExit, "hit: infinitely many impacts in a finite time, after which None holds the contact at t = 1.35"):
            julia_reader.run(self.export("julia", model, "--solver", "dop853", "--rtol", "1e-8"))

    def test_a_run_without_contacts_fails_where_its_solver_does(self):
        model = self.write("b", "states: {x: {preset: 1}}\nflow: {x: x^2}\n", 2)
        with self.assertRaisesRegex(SystemExit, r"it ended at t = (1\.0|0\.99)"):
            julia_reader.run(self.export("julia", model))

    @unittest.skipUnless(subprocess.run(["sh", "-c", "command -v julia"], capture_output=True, check=False).returncode == 0, "no Julia here")
    def test_julia_runs_it(self):
        (self.folder / "run.jl").write_text(self.export("julia", MODELS / "rocking-block.yaml", "--solver", "dop853", "--rtol", "1e-8", "--t-end", 3), encoding="utf-8")
        done = subprocess.run(["julia", "run.jl"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"at t = 3: th = 0\.0569183")

    @unittest.skipUnless(NIGHTLY, "nightly: this reader is slow")
    def test_all_texts(self):
        for path in TEXTS:
            with self.subTest(text=path.name):
                self.compare(path, {"gear-train": 0.05}.get(path.stem, 2))
        for name, text in (*BEGINNINGS.items(), *MECHANICS.items()):
            with self.subTest(text=name):
                self.compare(self.write(f"my-{name}", text, 4), 4)


cli.main()
