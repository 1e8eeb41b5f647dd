"""Cells of unlike machines: they are named, a run or a merge that mixes them says so, and --same-cpu refuses it.

glibc and OpenBLAS take another CPU by the environment: what differs between two machines differs between two commands here.
"""
import os

import h5py

import cli

NO_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}
CELLS = "cells={axes: [{name: b, linear: [1000, 2000], points: 6}]}"


def on(machine):
    return dict(os.environ, **machine)


class Machine(cli.InFolder):
    def run_args(self, out, *more):
        return ["run", cli.DALLAS, "-o", out, *more, *cli.sets(*cli.SHORT, CELLS, "methods=[ode45]")]

    def half(self, out, machine):
        """The journals of an undivided run that has ended half way."""
        self.works(*self.run_args("part.h5", "-q", "--part", "1/2"), env=on(machine))
        os.rename(self.folder / "part.h5.journal.1-of-2", self.folder / f"{out}.journal")

    def machine(self, cube):
        with h5py.File(self.folder / cube) as file:
            return cli.word(file.attrs["machine"])

    def test_a_cube_names_its_machine(self):
        self.works(*self.run_args("a.h5", "-q"), env=on(NO_FMA))
        self.works(*self.run_args("b.h5", "-q"))
        self.assertIn("sse2", self.machine("a.h5"))
        self.assertNotIn(";", self.machine("a.h5"))
        self.assertIn(self.machine("a.h5"), self.works("info", "a.h5"))
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
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


cli.main()
