#!/usr/bin/python3
"""test_dynamics.py ANALYSIS_DIR: pictures of long runs, of a made-up cube whose periods and exponents are planted."""

import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

import made_up
import made_up_map

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import cube  # noqa: E402
import dynamics  # noqa: E402

AXES = {"w": np.array([0.5, 0.6, 0.7]), "a": np.linspace(1, 2, 6)}
VERDICTS = "equilibrium cycle no_convergence no_return"
# [w][a]: a period, c for chaos, o for on and on, r for no return
PLAN = ((1, 2, 4, "c", "c", 3), (1, 1, 7, 40, "o", 5), (1, "r", 2, "c", 1, 64))
KIND = {1: "period 1", 2: "period 2", 3: "period 3", 4: "period 4", 5: "period 5 to 8", 7: "period 5 to 8", 40: "period 9 to 64",
        64: "period 9 to 64", "c": "chaotic", "o": "no period up to 64", "r": "elsewhere"}


def write(path, visits=20, without=False):
    made_up_map.write(path, AXES, lambda cell, at: None, with_map=False)
    if without:
        return
    plan = [cell for row in PLAN for cell in row]
    period = np.array([cell if isinstance(cell, int) else -1 for cell in plan])
    verdict = np.array([1 if isinstance(c, int) else {"c": 2, "o": 2, "r": 3}[c] for c in plan], dtype=np.int8)
    largest = np.array([{"c": 0.2, "r": np.nan}.get(c, -0.1) for c in plan])
    largest[0] = -np.inf
    spectrum = np.stack([largest, largest - 0.3], axis=1)
    with h5py.File(path, "a") as file:
        made_up.coordinate(file, "exponent_number", np.array([1, 2]))
        made_up.coordinate(file, "visit", np.arange(1, visits + 1))
        made_up.coordinate(file, "section_state", np.array(["x", "v"], dtype="S1"))
        made_up.dataset(file, "visits_verdict", verdict, ("cell",), flag_meanings=VERDICTS, flag_values=np.arange(4, dtype=np.int8))
        made_up.dataset(file, "visits_period", period, ("cell",), _FillValue=-1)
        # a cycle of one visit, chaos, a rest beside them, two uncertain cells and one that leaves
        basin = np.array([1, 1, 1, 2, 2, 0, 1, 1, 1, 1, 2, 0, 1, -1, 1, 2, 1, 3])
        made_up.dataset(file, "basin", basin, ("cell",), _FillValue=-1)
        made_up.dataset(file, "exponent", largest, ("cell",), units="1/s")
        made_up.dataset(file, "exponent_error", np.full(len(plan), 0.01), ("cell",))
        for name, data in (("exponents", spectrum), ("exponent_errors", np.full_like(spectrum, 0.01))):
            made_up.dataset(file, name, data, ("cell", "exponent_number"), units="1/s")
        section = np.random.default_rng(3).uniform(0, 1, (len(plan), 2, visits))
        made_up.dataset(file, "section", section, ("cell", "section_state", "visit"))


class Dynamics(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "long.h5")

    def script(self, *args):
        return subprocess.run([sys.executable, "-B", os.path.join(ANALYSIS, "dynamics.py"), self.path, "-o", self.folder, *args],
                              capture_output=True, text=True, check=False)

    def test_kinds_of_cells(self):
        write(self.path)
        plane = cube.unstack(cube.open_cube(self.path)).transpose("w", "a", ...)
        kind, _ = dynamics.kind_of(plane)
        self.assertEqual(kind.tolist(), [[KIND[c] for c in row] for row in PLAN])

    def test_all_pictures_are_drawn(self):
        write(self.path)
        done = self.script("--format", "png", "--along", "a", "--state", "v", "--cell", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("bifurcation", "exponents", "plane", "basins", "section", "returns"):
            self.assertIn(f"{name}.png", done.stdout)
            self.assertGreater(os.path.getsize(os.path.join(self.folder, f"{name}.png")), 5000)

    def test_windings_in_closed_form(self):
        golden = (np.sqrt(5) - 1) / 2
        for turns, n, period in ((golden, 4000, 0), (0.4, 64, 5), (0.02, 4000, 0), (2 / 3, 64, 3)):
            at = 2 * np.pi * turns * np.arange(n) + 0.3
            x, y = 3 + 0.1 * np.cos(at), -1 + 40 * np.sin(at)  # an ellipse, seen off its middle
            self.assertAlmostEqual(dynamics.winding(x, y, period), turns, delta=1e-3 if period == 0 else 1e-9)
        self.assertTrue(np.isnan(dynamics.winding(np.ones(9), np.ones(9), 1)))

    def test_basins_are_named_with_their_shares(self):
        write(self.path)
        plane = cube.unstack(cube.open_cube(self.path)).transpose("w", "a", ...)
        number, names = dynamics.basin_names(plane)
        self.assertEqual(number.ravel().tolist()[12:], [1, -1, 1, 2, 1, 3])
        self.assertEqual([(k, name) for k, _, name in names],
                         [(-1, "no attractor 5.6%"), (0, "uncertain 11.1%"), (1, "1: period 1 55.6%"), (2, "2: chaotic 22.2%"), (3, "3: period 64 5.6%")])
        self.assertEqual(len({colour for _, colour, _ in names}), 5)

    def test_a_second_cube_is_drawn_beside_the_first(self):
        write(self.path)
        other = os.path.join(self.folder, "down.h5")
        write(other, visits=4)
        done = self.script("--format", "png", "--along", "a", "--beside", other)
        self.assertEqual(done.returncode, 0, done.stderr)
        line, along, fixed = dynamics.line_of(cube.unstack(cube.open_cube(self.path)), ["w", "a"], "a")
        dynamics.use()
        figure = dynamics.draw_bifurcation(line, along, "x", fixed)
        dynamics.add_beside(figure, line.isel(visit=slice(4)), along, "x", ["up", "down"])
        self.assertEqual([drawn.get_xdata().size for drawn in figure.axes[0].lines], [120, 24])
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["up", "down"])

    def test_a_second_cube_of_others_is_refused(self):
        write(self.path)
        other = os.path.join(self.folder, "other.h5")
        write(other, without=True)
        done = self.script("--beside", other)
        self.assertEqual((done.returncode, "other.h5: has no section of x over w, a" in done.stderr), (2, True), done.stderr)

    def test_jumps_of_a_portrait_are_dashed(self):
        t, x, v = np.array([0, 0.5, 1, 1, 1.5, 2.0]), np.array([0, 0.5, 1, 1, 0.5, 0]), np.array([1, 1, 1, -0.8, -0.8, -0.8])
        run = dynamics.trajectory.Trajectory("", "", "ball", "", "", t, {"x": x, "v": v}, {}, {}, {}, np.zeros((6, 1), bool), [], np.array([1.0]), ["hit"],
                                             np.array([0]), np.array([True]))
        drawn = [(line.get_linestyle(), line.get_ydata().tolist()) for line in dynamics.draw_portrait(run, ["x", "v"], 0.2).axes[0].lines]
        self.assertEqual(drawn, [("-", [1, 1]), ("-", [-0.8, -0.8, -0.8]), ("--", [1, -0.8])])

    def test_many_visits_are_a_density(self):
        write(self.path, visits=20000)
        line, along, fixed = dynamics.line_of(cube.unstack(cube.open_cube(self.path)), ["w", "a"], "a")
        self.assertEqual(fixed, "$w$ = 0.5")
        ax = dynamics.draw_bifurcation(line, along, "x", fixed).axes[0]
        self.assertEqual((len(ax.lines), len(ax.collections)), (0, 1))
        few = line.isel(visit=slice(100))
        ax = dynamics.draw_bifurcation(few, along, "x", fixed).axes[0]
        self.assertEqual((ax.lines[0].get_xdata().size, len(ax.collections)), (600, 0))

    def test_refusals_are_one_line(self):
        write(self.path)
        for args, says in ((("--state", "y"), "stored are x, v"), (("--along", "q"), "no axis q"), (("--cell", "99"), "no cell 99")):
            done = self.script(*args)
            self.assertEqual((done.returncode != 0, says in done.stderr), (True, True), done.stderr)
        write(self.path, without=True)
        self.assertIn("does not ask for them", self.script().stderr)


if __name__ == "__main__":
    unittest.main()
