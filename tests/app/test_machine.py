"""Cells of unlike machines: they are named, a run or a merge that mixes them reports it, and --same-cpu refuses it.

glibc and OpenBLAS take another CPU by the environment: what differs between two machines differs between two commands here.
With --all our own solvers run on all machines of the list, else on the first and the last.
"""
import os
import sys

import h5py

ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")

import cli  # noqa: E402  it reads sys.argv

NO_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}
CELLS = "cells={axes: [{name: b, linear: [1000, 2000], points: 6}]}"


def on(machine):
    return dict(os.environ, **machine)


class Machine(cli.InFolder):
    method = "sundials-cvode-bdf"  # whose last digits may differ

    def run_args(self, out, *more):
        return ["run", cli.DALLAS, "-o", out, *more, *cli.sets(*cli.SHORT, CELLS, f"solvers=[{self.method}]", "strategies=[event]")]

    def half(self, out, machine):
        """The journals of an undivided run that has ended half way."""
        self.works(*self.run_args("part.h5", "-q", "--part", "1/2"), env=on(machine))
        os.rename(self.folder / "part.h5.journal.1-of-2", self.folder / f"{out}.journal")

    def machine(self, cube):
        with h5py.File(self.folder / cube) as file:
            return cli.word(file.attrs["machine"])

    def test_a_cube_names_its_machine(self):
        self.method = "ode45"
        self.works(*self.run_args("a.h5", "-q"), env=on(NO_FMA))
        self.works(*self.run_args("b.h5", "-q"))
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
        self.assertIn("sse2", self.machine("a.h5"))
        self.assertNotIn(";", self.machine("a.h5"))
        self.assertIn(self.machine("a.h5"), self.works("info", "a.h5"))
        if self.machine("b.h5") == self.machine("a.h5"):
            self.skipTest("this CPU has no FMA")

    def test_going_on_elsewhere_is_said_or_refused(self):
        self.half("c.h5", NO_FMA)
        self.assertIn("sse2", self.works("info", "c.h5.journal"))
        kept = self.files()
        done = self.saltus(*self.run_args("c.h5", "--same-cpu"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.files(), kept)
        self.assertEqual(sum("--same-cpu" in line for line in done.stderr.splitlines()), 1)
        done = self.saltus(*self.run_args("c.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum("last digits" in line and "sse2" in line for line in done.stderr.splitlines()), 1)
        self.assertEqual(self.machine("c.h5").count(";"), 1)
        # what is added to it comes of both, too
        done = self.saltus("refine", "c.h5", "-o", "d.h5", "--cells", "2", "--same-cpu")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.works("refine", "c.h5", "-o", "d.h5", "--cells", "2", "-q")
        self.assertEqual(self.machine("d.h5"), self.machine("c.h5"))

    def test_solvers_with_the_same_bits_everywhere_go_on_without_a_word(self):
        self.method = "ode45"
        self.half("g.h5", NO_FMA)
        done = self.saltus(*self.run_args("g.h5", "--same-cpu"))
        self.assertEqual((done.returncode, "last digits" in done.stderr), (0, False), done.stderr)
        self.assertEqual(self.machine("g.h5").count(";"), 1)
        for part, machine in (("1/2", NO_FMA), ("2/2", {})):
            self.works(*self.run_args("h.h5", "-q", "--part", part), env=on(machine))
        done = self.saltus("merge", "h.h5", "--same-cpu")
        self.assertEqual((done.returncode, "last digits" in done.stderr), (0, False), done.stderr)
        self.assertIn("the same", self.works("diff", "g.h5", "h.h5"))

    def test_the_same_machine_goes_on_without_a_word(self):
        self.half("e.h5", NO_FMA)
        done = self.saltus(*self.run_args("e.h5", "--same-cpu"), env=on(NO_FMA))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("last digits", done.stderr)
        self.assertNotIn(";", self.machine("e.h5"))

    def test_parts_of_two_machines_are_merged_with_a_word_or_refused(self):
        for part, machine in (("1/2", NO_FMA), ("2/2", {})):
            self.works(*self.run_args("f.h5", "-q", "--part", part), env=on(machine))
        done = self.saltus("merge", "f.h5", "--same-cpu")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--same-cpu", done.stderr)
        self.assertFalse((self.folder / "f.h5").exists())
        done = self.saltus("merge", "f.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum("last digits" in line for line in done.stderr.splitlines()), 1)
        self.assertEqual(self.machine("f.h5").count(";"), 1)


# Kernels of OpenBLAS and functions of libm that no other pair of these has; each of these CPUs runs on any x86-64 of today.
MACHINES = ({"OPENBLAS_CORETYPE": "Haswell"}, {"OPENBLAS_CORETYPE": "Sandybridge"}, {"OPENBLAS_CORETYPE": "Nehalem"},
            {"OPENBLAS_CORETYPE": "Prescott", **NO_FMA})
FEW = ("mesh=0.01", "rtol=[1e-4]", "strategies=[event]", "divergence={}", "timing.repeats=0")
OWN = {  # bodies, a text's functions, and orbits, whose multipliers are eigenvalues
    "cart-pole": (os.path.join(cli.SWEEPS, "models", "cart-pole.yaml"), "cells={axes: [{name: e, linear: [0.3, 0.8], points: 4}]}",
                  "solvers=[ode45, radau5]", "t_end=1.5"),
    "double-pendulum": (os.path.join(cli.SWEEPS, "models", "double-pendulum.yaml"),
                        "cells={axes: [{name: k1, linear: [300, 500], points: 4}]}", "solvers=[ode45, ode15s]", "t_end=0.5"),
    "plate": ("plate", "cells={axes: [{name: C, linear: [2, 12], points: 4}]}", "solvers=[ode45]", "t_end=0.5",
              "parameters={n: 4, omega: 12, H: 5, D: 1, A: 0.03}", "initial={z: 1.2, th: 0}",
              "orbit={find: [cycles], seed: [simulation], returns: 60}"),
}


class SameBits(cli.InFolder):
    """The same bits by our own solvers on every CPU: run, resumed and merged."""

    def sweep(self, name):
        model, *pairs = OWN[name]
        path = self.folder / f"{name}.yaml"
        path.write_text(f"title: {name}\nmodel: {model}\n")
        return ["run", path, "-q", *cli.sets(*FEW, *pairs)]

    def differing(self, a, b):
        done = self.saltus("diff", a, b)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout if done.returncode else ""

    def check(self, name):
        for i in range(len(MACHINES)) if ALL else (0, 3):
            self.works(*self.sweep(name), "-o", f"{i}.h5", env=on(MACHINES[i]))
            if i:
                self.assertEqual(self.differing("0.h5", f"{i}.h5"), "", MACHINES[i])
        # half on the first, the other half on the last, by one run that goes on and by two parts
        self.works(*self.sweep(name), "-o", "part.h5", "--part", "1/2", env=on(MACHINES[0]))
        self.works(*self.sweep(name), "-o", "part.h5", "--part", "2/2", env=on(MACHINES[3]))
        self.works("merge", "part.h5", "-q")
        os.rename(self.folder / "part.h5.journal.1-of-2", self.folder / "resumed.h5.journal")
        self.works(*self.sweep(name), "-o", "resumed.h5", env=on(MACHINES[3]))
        for cube in ("part.h5", "resumed.h5"):
            self.assertEqual(self.differing("0.h5", cube), "")
            with h5py.File(self.folder / cube) as file:
                self.assertIn("; ", cli.word(file.attrs["machine"]))

    def test_bodies_on_a_cart(self):
        self.check("cart-pole")

    def test_bodies_that_swing(self):
        self.check("double-pendulum")

    def test_multipliers_of_orbits(self):
        self.check("plate")

    def test_what_differs_is_named(self):
        """PETSc on two machines: other last digits, and a line."""
        args = ["run", cli.DALLAS, *cli.sets(*cli.SHORT, CELLS, "solvers=[petsc-bdf]", "strategies=[event]")]
        cubes = {}
        for i in (0, 3):
            done = self.saltus(*args, "-q", "-o", f"{i}.h5", env=on(MACHINES[i]))
            if "petsc" in done.stderr.lower() and done.returncode:
                self.skipTest("without PETSc")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(self.folder / f"{i}.h5") as file:
                cubes[i] = cli.word(file.attrs["machine"])
        self.assertIn("OpenBLAS Haswell", cubes[0])
        self.assertIn("OpenBLAS Prescott", cubes[3])
        self.assertNotEqual(self.differing("0.h5", "3.h5"), "")


cli.main()
