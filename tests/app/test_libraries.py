"""Solvers of other libraries, of those that this build has: in lists, sweeps, cubes, answers, and where they are refused."""
import json
import os
import re
import shlex
import subprocess

import h5py
import numpy as np

import cli

SWEEP = """\
model: monopod
t_end: 8
mesh: 0.02
cells: {{axes: [{{name: k, linear: [10, 30], points: 3}}]}}
solvers: [{methods}]
strategies: [switch, event]
rtol: [1e-3, 1e-5]
"""
MINE = """\
libraries:
  - {name: my-sandu3, library: petsc, options: "-ts_type rosw -ts_rosw_type sandu3"}
"""
# linear-ground at its presets, by lines that a method's list entry prints in place of LINES.
PASTED = """\
static PetscErrorCode NAME(TS ts, Mat J, double t, double t_end, double rate)
{
  (void)J;
LINES
  return 0;
}
"""
DRIVER = """\
#include <math.h>
#include <petscts.h>

static PetscErrorCode rhs(TS ts, PetscReal t, Vec at, Vec into, void *user)
{
  const PetscScalar *y;
  PetscScalar *dy;

  (void)ts, (void)t, (void)user;
  PetscCall(VecGetArrayRead(at, &y));
  PetscCall(VecGetArrayWrite(into, &dy));
  dy[0] = y[1];
  dy[1] = -(1 + (y[0] <= 0 ? 100 * y[0] + y[1] : 0));
  PetscCall(VecRestoreArrayWrite(into, &dy));
  return VecRestoreArrayRead(at, &y);
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec at, Vec slope, Vec into, void *user)
{
  PetscCall(rhs(ts, t, at, into, user));
  return VecAYPX(into, -1, slope);
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Vec slope, PetscReal a, Mat J, Mat P, void *user)
{
  const PetscScalar *y;

  (void)ts, (void)t, (void)slope, (void)J, (void)user;
  PetscCall(VecGetArrayRead(at, &y));
  const double on = y[0] <= 0, all[4] = {a, -1, 100 * on, a + on};
  const PetscInt rows[2] = {0, 1};
  PetscCall(VecRestoreArrayRead(at, &y));
  PetscCall(MatSetValues(P, 2, rows, 2, rows, all, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY);
}

METHODS
static PetscErrorCode solve(const char *name, PetscErrorCode (*choose)(TS, Mat, double, double, double))
{
  TS ts;
  Vec y;
  Mat J;
  PetscInt steps, rejected;

  PetscCall(TSCreate(PETSC_COMM_SELF, &ts));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, 2, &y));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, 2, 2, NULL, &J));
  PetscCall(VecSetValue(y, 0, 1, INSERT_VALUES));
  PetscCall(TSSetMaxTime(ts, 12));
  PetscCall(choose(ts, J, 0, 12, 1));
  PetscCall(TSSolve(ts, y));
  PetscCall(TSGetStepNumber(ts, &steps));
  PetscCall(TSGetStepRejections(ts, &rejected));
  return PetscPrintf(PETSC_COMM_SELF, "%s %d %d\\n", name, (int)steps, (int)rejected);
}

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
CALLS
  return PetscFinalize();
}
"""


class Libraries(cli.InFolder):
    cells = cli.sets("cells.axes=[{name: k, linear: [10, 30], points: 6}]", "t_end=3")  # enough for a plane

    def setUp(self):
        super().setUp()
        listed = json.loads(self.works("list", "solvers", "--json"))
        self.methods = [m for m in listed["solvers"] if m["library"] and m["library"] != "Moreau"]  # tests/stepping has that
        self.missing = listed["missing"]
        self.has = {m["library"] for m in self.methods}
        # one explicit one of each library
        self.some = [next(m for m in self.methods if m["library"] == name and m["order"] == 5 and not m["implicit"])
                     for name in sorted(self.has)]
        self.names = [m["name"] for m in self.some] + ["my-sandu3"] * ("PETSc" in self.has)

    def write(self, *methods, mine=True):
        text = SWEEP.format(methods=", ".join(["ode45", *methods]))
        (self.folder / "s.yaml").write_text(text + MINE * (mine and "PETSc" in self.has), encoding="utf-8")

    def run_some(self, out="s.h5", *more):
        if not self.has:
            self.skipTest("this build has no library's methods")
        self.write(*self.names)
        self.works("run", "s.yaml", "-q", "-o", out, *more, threads=2)

    def test_the_list_says_how_to_get_each(self):
        self.assertEqual({"PETSc", "SUNDIALS"}, self.has | {m["library"] for m in self.missing})
        text = self.works("list", "solvers")
        for library in self.missing:
            self.assertIn(f"{library['library']} is not in this build: {library['get']}\n", text)
            name = f"{library['library'].lower()}-any"
            self.write(name)
            self.refused("run", "s.yaml", "-o", "s.h5", says=("s.yaml:5: entry 2 of solvers", name, library["get"]))
        for method in self.methods:
            one = self.works("list", "solvers", method["name"])
            self.assertTrue(method["name"].startswith(method["library"].lower() + "-"))
            self.assertIn(f"{method['library']} {method['version']}: {method['type']}\n", one)
            self.assertGreater(len(method["select"]), 0)
            for line in method["select"]:
                self.assertIn(f"{line}\n", one)
                self.assertIn(f"{line}\n", text)
        self.assertTrue(all(m["select"] is None for m in json.loads(self.works("list", "solvers", "ode45", "--json"))["solvers"]))

    def test_pasted_lines_take_the_same_steps(self):
        methods = [m for m in self.methods if m["library"] == "PETSc"]
        if not methods:
            self.skipTest("this build has no PETSc")
        body, calls = "", ""
        for method in methods:
            lines = [line for line in method["select"] if not line.startswith("-")]
            name = re.sub(r"\W", "_", method["name"])
            body += PASTED.replace("NAME", name).replace("LINES", re.sub(r"\bTOL\b", "1e-5", "\n".join(lines)))
            calls += f'  PetscCall(solve("{method["name"]}", {name}));\n'
        (self.folder / "pasted.c").write_text(DRIVER.replace("METHODS", body).replace("CALLS", calls), encoding="utf-8")
        flags = shlex.split(subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=True).stdout)
        subprocess.run(["mpicc", "-o", "pasted", "pasted.c", *flags, "-lm"], cwd=self.folder, check=True)
        taken = subprocess.run(["./pasted"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        for line in taken.splitlines():
            name, steps, rejected = line.split()
            ours = self.saltus("trajectory", "-m", "linear-ground", "-M", name, "-S", "switch", "--rtol", "1e-5",
                               "--jacobian", "analytic", "--dt", "6", "-f", "-o", "x.csv")
            self.assertIn(f": {steps} steps, {rejected} failed,", ours.stderr, name)
        self.assertEqual(len(taken.splitlines()), len(methods))

    def test_missed_contacts_are_told(self):
        if "PETSc" not in self.has:
            self.skipTest("this build has no PETSc")
        ball = ("trajectory", "-m", "bouncing-ball", "-M", "petsc-rk5dp", "--rtol", "1e-7", "--t-end", "10", "--dt", "1", "-f", "-o", "x.csv")
        self.works(*ball)
        self.assertRegex((self.folder / "x.csv").read_text(encoding="utf-8"), r"\n10,0,")
        # a first step that is given is not made shorter, and leaps over flights
        missed = self.saltus(*ball, env=dict(os.environ, PETSC_OPTIONS="-ts_dt 0.05"))
        self.assertEqual(missed.returncode, 10)
        self.assertIn("passed over a contact", missed.stderr)
        self.assertRegex((self.folder / "x.csv").read_text(encoding="utf-8"), r"\n[34]\.[0-9]+,0,")

    def test_cubes_hold_why_libraries_gave_up(self):
        self.run_some()
        with h5py.File(self.folder / "s.h5") as cube:
            reason = cube["library_reason"]
            self.assertIn("unprepared", cli.word(reason.attrs["flag_meanings"]).split())
            self.assertTrue(np.all(reason[..., 0] == -1))  # ours have none
            self.assertTrue(np.all(reason[..., 1:] == 0))
            outcome = cube["outcome"][...]
            self.assertTrue(np.all(outcome == 0))
            self.assertTrue(np.all(cube["rhs_evaluations"][...] > 20))
            self.assertGreater(int(cube["events"][0, 1, 1, 0]), 1)
            self.assertTrue(np.all(cube["events"][:, 1, 1, :] == cube["events"][:, 1, 1, :1]))
            self.assertTrue(np.all(cube["max_error"][:, 1] < 0.02))
            self.assertTrue(np.all(cube["max_error"][...] > 1e-12))
        self.write(mine=False)
        self.works("run", "s.yaml", "-q", "-o", "ours.h5")
        with h5py.File(self.folder / "ours.h5") as cube:
            self.assertNotIn("library_reason", cube)

    def test_reasons_are_counted(self):
        self.run_some()
        self.assertNotIn("Why libraries gave up", self.works("info", "s.h5"))
        with cli.edited(self.folder / "s.h5") as cube:
            words = cli.word(cube["library_reason"].attrs["flag_meanings"]).split()
            cube["library_reason"][:2, 0, 0, 1] = words.index("unprepared")
        self.assertRegex(self.works("info", "s.h5"), r"Why libraries gave up: 2 runs\n  unprepared +2  the library could not")
        self.assertEqual(json.loads(self.works("info", "s.h5", "--json"))["library_reasons"], {"unprepared": 2})

    def test_advice_says_what_to_write(self):
        self.run_some("s.h5", *self.cells)
        for method in self.some:
            ask = ("recommend", "s.h5", "--at", "k=20", "--error", "1e-1", "--solvers", method["name"])
            text, first = self.works(*ask), json.loads(self.works(*ask, "--json"))["answer"]
            self.assertEqual((first["solver"], first["library"], first["type"]), (method["name"], method["library"], method["type"]))
            self.assertEqual(len(first["select"]), len(method["select"]))
            self.assertTrue(any("TOL" in line for line in method["select"]) or method["library"] == "PETSc")
            for told, listed in zip(first["select"], method["select"]):
                self.assertEqual(told, listed.replace("TOL", f"{first['rtol']:g}"))
                self.assertIn(f"{told}\n", text)
        ours = json.loads(self.works("recommend", "s.h5", "--at", "k=20", "--error", "1e-1", "--solvers", "ode45", "--json"))
        self.assertNotIn("select", ours["answer"])
        for command in (("map", "s.h5"), ("tables", "s.h5")):
            self.works(*command)
        self.assertIn(self.names[0], self.works("tables", "s.h5"))

    def test_parts_and_texts_keep_what_options_select(self):
        self.run_some("whole.h5")
        for part in ("1/2", "2/2"):
            self.works("run", "s.yaml", "-q", "-o", "s.h5", "--part", part, threads=1)
        self.works("merge", "s.h5", "-q")
        self.works("diff", "whole.h5", "s.h5")
        with h5py.File(self.folder / "s.h5") as cube:
            text = cli.word(cube.attrs["sweep"])
        (self.folder / "again.yaml").write_text(text, encoding="utf-8")
        self.works("run", "again.yaml", "-q", "-o", "again.h5", threads=1)
        self.works("diff", "whole.h5", "again.h5")

    def test_results_are_read_without_the_solver(self):
        if "PETSc" not in self.has:
            return
        self.run_some("s.h5", *self.cells)
        before = self.works("recommend", "s.h5", "--at", "k=20", "--error", "1e-1", "--solvers", "my-sandu3")
        with cli.edited(self.folder / "s.h5") as cube:
            text = cli.word(cube.attrs["sweep"])
            self.assertIn("sandu3", text)
            cube.attrs["sweep"] = text.replace("-ts_rosw_type sandu3", "-ts_rosw_type sandu9")
        after = self.works("recommend", "s.h5", "--at", "k=20", "--error", "1e-1", "--solvers", "my-sandu3")
        self.assertEqual(after, before.replace("-ts_rosw_type sandu3", "-ts_rosw_type sandu9"))
        self.works("info", "s.h5")
        self.refused("store", "s.h5", "--cells", "1", says=("entry 1 of libraries",), threads=1)

    def test_multipliers_are_those_of_ours(self):
        """A solver with steps of its own carries no tangent vectors: it has no multiplier, and wins no map of them."""
        for method in self.some:
            self.write(method["name"], mine=False)
            self.works("run", "s.yaml", "-q", "-o", "m.h5", "--force", threads=1, *cli.sets(
                "model=hopping-leg", "t_end=2", "cells={columns: [zU, vU], rows: [[1.02, 1.7]]}", "strategies=[event]", "rtol=[1e-6]",
                "orbit={find: [cycles]}", "map.by=multiplier_error"))
            with h5py.File(self.folder / "m.h5") as cube:
                error = cube["multiplier_error"][0, 0, 0]
                self.assertLess(error[0], 1e-3)
                self.assertTrue(np.isnan(error[1]))
                self.assertTrue(np.all(cube["outcome"][...] == 0))

    def test_faults_are_told_with_their_place(self):
        if "PETSc" in self.has:
            self.write("my-sandu3")
            path = self.folder / "s.yaml"
            path.write_text(path.read_text().replace("sandu3\"", "sandu3 -ts_no_such 1\""), encoding="utf-8")
            self.refused("run", "s.yaml", "-o", "s.h5", says=("s.yaml:9: entry 1 of libraries", "-ts_no_such"))
        for method in self.some:
            self.write(method["name"], mine=False)
            self.refused("run", "s.yaml", "-o", "s.h5", "--set", "strategies=[ess2]",
                         says=("strategy ess2", f"{method['name']} sets its own steps"))
            for command in (("bderiv", "--matrix"), ("orbit",), ("calibrate-eps", "--rms", "1e-3", "--strategy", "ess2")):
                self.refused(*command, "--solver", method["name"], says=(method["name"], "sets its own steps"))
            self.works("trajectory", "--solver", method["name"], "--t-end", "8", "-o", f"{method['name']}.csv")


cli.main()
