#!/usr/bin/python3
"""test_stability.py ANALYSIS_DIR: the stability map and the table of methods, of a made-up cube whose answers are planted."""

import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import matplotlib.image
import numpy as np
import xarray
from matplotlib.colors import to_rgb

import made_up
import made_up_map

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import cube  # noqa: E402
import stability  # noqa: E402

AXES = {"mu": np.array([0.6, 0.7, 0.8, 0.9]), "dG": np.array([-0.3, -0.2, -0.1])}
VERDICTS = "equilibrium cycle no_convergence no_return unbounded run_ended run_failed grazes cycle_beside"
# [mu][dG]: k of a stable cycle, -k of an unstable one, or a verdict
PLAN = (("unbounded", 1, 1), ("unbounded", 2, 1), ("unbounded", -1, 1), ("unbounded", "no_return", "equilibrium"))


def write(path, orbits=True):
    made_up_map.write(path, AXES, lambda cell, at: None, with_map=False)
    plan = [cell for row in PLAN for cell in row]
    number = {word: i for i, word in enumerate(VERDICTS.split())}
    k = np.array([cell if isinstance(cell, int) else 0 for cell in plan])
    verdict = np.array([number["cycle" if isinstance(cell, int) else cell] for cell in plan], dtype=np.int8)
    if not orbits:
        return
    with h5py.File(path, "a") as file:
        made_up.dataset(file, "orbit_verdict", verdict, ("cell",), flag_meanings=VERDICTS, flag_values=np.arange(9, dtype=np.int8))
        made_up.dataset(file, "orbit_returns", np.where(k == 0, -1, abs(k)), ("cell",), _FillValue=-1)
        made_up.dataset(file, "orbit_seed", np.where(k == 0, -1, 0).astype(np.int8), ("cell",), flag_meanings="simulation anchor")
        size = np.where(k == 0, np.nan, np.where(k > 0, 0.5, 1.5))
        made_up.dataset(file, "orbit_multiplier", size, ("cell",), _FillValue=np.nan)
        # ode45 with event: the error is the tolerance, for 10 / rtol evaluations; all others are off by 0.1
        shape = (len(plan), len(made_up.TOLERANCES), len(made_up.STRATEGIES), len(made_up.SOLVERS))
        error, cost = np.full(shape, 0.1), np.full(shape, 50.0)
        at = made_up.STRATEGIES.index("event"), made_up.SOLVERS.index("ode45")
        error[:, :, at[0], at[1]] = made_up.TOLERANCES
        cost[:, :, at[0], at[1]] = [100, 1000, 10000]
        error[k == 0], cost[k == 0] = np.nan, np.nan
        error[:, :, :, made_up.SOLVERS.index("ode23s")] = np.nan  # never came back
        for name, data in (("multiplier_error", error), ("multiplier_rhs_evaluations", cost)):
            made_up.dataset(file, name, data, made_up.DIMS, _FillValue=np.nan)


class Stability(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "leg.h5")

    def script(self, *args):
        return subprocess.run([sys.executable, "-B", os.path.join(ANALYSIS, "stability.py"), self.path, "-o", self.folder, *args],
                              capture_output=True, text=True, check=False)

    def works(self, *args):
        done = self.script(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_what_becomes_of_each_cell(self):
        write(self.path)
        grid = cube.unstack(cube.open_cube(self.path))
        kind = stability.kinds_of(grid.transpose("mu", "dG", ...))
        want = [[("stable %d" % c if c > 0 else "unstable cycle") if isinstance(c, int) else c for c in row] for row in PLAN]
        self.assertEqual(kind.tolist(), want)
        shares = dict(stability.shares(kind))
        self.assertAlmostEqual(shares["stable 1"], 4 / 12)
        self.assertAlmostEqual(sum(shares.values()), 1)

    def test_edges_lie_between_points(self):
        borders, ticks = stability.edges(np.arange(1.0, 6))
        np.testing.assert_allclose(borders, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
        self.assertIsNone(ticks)

    def test_points_without_anything_between_stand_beside_each_other(self):
        for values in ([2, 3, 4, 6, 8], [0.02, 0.06]):
            borders, (places, texts) = stability.edges(np.array(values, dtype=float))
            np.testing.assert_allclose(np.diff(borders), 1)
            self.assertEqual((places, texts), (list(range(len(values))), [f"{v:g}" for v in values]))

    def test_a_third_axis_is_rows_of_one_picture(self):
        n, c, a = np.array([2.0, 3, 4, 6, 8]), np.linspace(0, 5, 6), np.array([0.03, 0.05])
        made = xarray.Dataset({"x": (("n", "C", "A"), np.zeros((5, 6, 2)))}, {"n": n, "C": c, "A": ("A", a, {"units": "m"})})
        self.assertEqual(stability.plane_axes(made, ["n", "C", "A"], None), ("C", "n", ["A"]))
        (end, rows), = stability.planes_of(made, "C", "n", ["A"])
        self.assertEqual((end, [words for words, _ in rows]), ("", ["$A$ = 0.03 m", "$A$ = 0.05 m"]))
        self.assertEqual([plane["x"].dims for _, plane in rows], [("n", "C")] * 2)
        many = list(stability.planes_of(made, "A", "C", ["n"]))
        self.assertEqual([(end, len(rows)) for end, rows in many], [(f"-{i}", 1) for i in range(1, 6)])

    def test_no_colour_stands_for_two_things(self):
        colours = [*stability.STABLE, stability.UNSTABLE, *stability.OTHER.values(), stability.NO_MULTIPLIER]
        self.assertEqual(len(set(colours)), len(colours))
        self.assertNotIn("#FFFFFF", colours)
        self.assertIn(stability.colour_of("something_new"), stability.SPARE)

    def test_the_picture_has_the_colours_of_its_cells(self):
        write(self.path)
        told = self.works("--format", "png")
        self.assertIn("unbounded             33.33%", told)
        picture = matplotlib.image.imread(os.path.join(self.folder, "stability.png"))[..., :3]
        for kind in ("unbounded", "stable 1", "stable 2", "unstable cycle", "equilibrium"):
            near = np.abs(picture - to_rgb(stability.colour_of(kind))).max(axis=2) < 0.01
            self.assertGreater(near.sum(), 500, kind)
        absent = np.abs(picture - to_rgb(stability.colour_of("grazes"))).max(axis=2) < 0.01
        self.assertEqual(absent.sum(), 0)

    def test_the_cheapest_tolerance_that_keeps_to_an_error(self):
        write(self.path)
        lines = self.works("--error", "1e-5", "1e-9", "1e-12").splitlines()
        row = next(line for line in lines if line.startswith("ode45      event"))
        self.assertEqual(row.split()[2:], ["1000", "(rtol", "1e-06)", "10000", "(rtol", "1e-09)", "-"])
        other = next(line for line in lines if line.startswith("ode45      switch"))
        self.assertEqual(other.split()[2:], ["-", "-", "-"])
        self.assertFalse(any(line.startswith("ode23s ") for line in lines))
        self.assertTrue(os.path.getsize(os.path.join(self.folder, "methods.svg")) > 5000)

    def test_other_cubes_and_axes_are_refused_in_a_line(self):
        write(self.path, orbits=False)
        done = self.script()
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
        self.assertIn("does not ask for orbits", done.stderr)
        write(self.path)
        done = self.script("--axes", "mu", "k")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no axis k; there are mu, dG", done.stderr)


unittest.main(verbosity=2)
