"""test_sandu.py ANALYSIS_DIR: the tables of sandu.py from made-up cubes."""

import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

from made_up import coordinate, dataset

ANALYSIS = os.path.abspath(sys.argv.pop(1))
DIMS = ("cell", "rtol", "strategy", "solver")
RTOL = np.array((1e-2, 1e-3, 1e-4, 1e-5))
COSTS = {"solution_duration": 2.0, "steps": 100.0, "failed_steps": 7.0, "rhs_evaluations": 300.0, "jacobians": 100.0,
         "end_error": 1e-5, "outcome": 0}


def axes(file, solver):
    coordinate(file, "cell", np.arange(1))
    coordinate(file, "rtol", RTOL)
    coordinate(file, "strategy", np.array(("event",), dtype=h5py.string_dtype()))
    coordinate(file, "solver", np.array((solver,), dtype=h5py.string_dtype()))


def write(path, solver, states=(), span=2.0, **changed):
    """Runs of one solver; a state is 5, and off by rtol sin(pi t / span)."""
    with h5py.File(path, "w") as file:
        axes(file, solver)
        for name, value in {**COSTS, **changed}.items():
            dataset(file, name, np.full((1, 4, 1, 1), value), DIMS)
        dataset(file, "reference_error_watched", np.array([1e-9]), ("cell",))
        file.attrs.update(layout=4)
        group = file.create_group("trajectories")
        axes(group, solver)
        t = np.linspace(0, span, 201)
        coordinate(group, "t", t)
        for state in states:
            dataset(group, f"reference_{state}", np.full((1, t.size), 5.0), ("cell", "t"))
            error = RTOL[:, None] * np.sin(np.pi * t / span)
            dataset(group, state, (5 + error)[None, :, None, None, :], (*DIMS, "t"))


class Sandu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("angles", "cartesian"):
            write(self.path(name), "rosnys4", ("rod1_theta", "rod1_vtheta"))
        for span in (1, 2, 3, 4):
            write(self.path(f"implicit-{span}"), "rosnys4", ("chassis_z",), span, solution_duration=0.01 * span)
        write(self.path("explicit-0.05"), "ode113")

    def path(self, name):
        return os.path.join(self.folder, name + ".h5")

    def run_script(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(ANALYSIS, "sandu.py"), self.folder],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_tables(self):
        write(self.path("explicit-1"), "ode113", solution_duration=50)
        status, text, errors = self.run_script()
        self.assertEqual((status, errors), (0, ""), text)
        self.assertRegex(text, r"0.01 +100 \(7\) +1.000 +1.00e-02 +0.2000 +7.05e-03 +\[5.22e-03\] +\[3.23e-03\] +1.9\n")
        self.assertRegex(text, r"1 s, explicit +50 \[3618\]")
        self.assertRegex(text, r"2 s, explicit +~100 \[7276\]")  # not measured
        self.assertRegex(text, r"1 s, ratio +5000 \[646\]")
        self.assertRegex(text, r"evaluations/Jacobians +300/100")
        self.assertRegex(text, r"2.00 +0.7112982 +5.0000000 +5.0100000 +5.0010000")

    def test_what_is_missing_is_told(self):
        os.remove(self.path("implicit-3"))
        status, _, errors = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("no cube implicit-3.h5", errors)


unittest.main()
