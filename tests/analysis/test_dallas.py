#!/usr/bin/python3
"""test_dallas.py ANALYSIS_DIR: does dallas.py draw what is in the file, and refuse the rest?"""

import os
import sys
import tempfile
import unittest

import matplotlib.image
import numpy as np

import made_up
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import dallas  # noqa: E402
import style  # noqa: E402

TIMES = np.linspace(0, 10, 401)


def flight(height):
    """A toe that dips below the ground from t = 4 to 6."""
    y1 = height * ((TIMES - 5) ** 2 - 1) / 24
    return {"y1": y1, "v1": 2 * height * (TIMES - 5) / 24}


def write_flight(path, height, times=TIMES, seen=True):
    at_ground = {"y1": 0.0, "v1": 0.0}
    events = [(4.0, "touchdown", at_ground), (6.0, "liftoff", at_ground)] if seen else []
    made_up.write_trajectory(path, times, flight(height), abs(TIMES - 5) <= 1, events)


def share_of(picture, colour):
    """Share of the pixels that have this colour."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    return np.mean((np.abs(picture - wanted) <= 1).all(axis=-1))


class Dallas(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = self.path("cube.h5")
        self.out = self.path("new/pictures")

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def run_script(self, *arguments):
        return script.run(os.path.join(ANALYSIS, "dallas.py"), *arguments)

    def picture(self, name):
        pixels = matplotlib.image.imread(os.path.join(self.out, name))
        self.assertGreater(pixels.shape[0], 600)
        self.assertGreater(pixels.shape[1], 1000)
        return np.rint(255 * pixels[..., :3]).astype(int)

    def draws(self, *arguments):
        done = self.run_script(self.cube, "-o", self.out, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def test_every_solver_has_its_colour_in_the_points(self):
        made_up.write_cube(self.cube)
        self.assertEqual(self.draws(), [os.path.join(self.out, "points.png")])
        picture = self.picture("points.png")
        for solver in made_up.SOLVERS:
            self.assertGreater(share_of(picture, style.SOLVER[solver]), 5e-4, solver)
        self.assertEqual(share_of(picture, style.SOLVER["rosnys4"]), 0)  # not in the cube

    def test_markers_stand_where_the_points_are(self):
        """All markers of ode45 left, all others right: so are their colours in each panel."""

        def points(_):
            data = np.full((5, 3, 2, 7), 9.5)
            data[..., made_up.SOLVERS.index("ode45")] = 1.0
            return data

        made_up.write_cube(self.cube, points=points)
        self.draws()
        panel = self.picture("points.png")[:, : 1420 * 2 // 5]  # the first column, with its labels
        middle = panel.shape[1] * 13 // 20
        left, right = panel[:, :middle], panel[:, middle:]
        self.assertGreater(share_of(left, style.SOLVER["ode45"]), 5e-4)
        self.assertEqual(share_of(right, style.SOLVER["ode45"]), 0)
        self.assertGreater(share_of(right, style.SOLVER["ode113"]), 5e-4)
        self.assertEqual(share_of(left, style.SOLVER["ode113"]), 0)

    def test_what_was_not_timed_is_drawn_by_evaluations(self):
        made_up.write_cube(self.cube)
        self.draws()
        timed = self.picture("points.png")
        made_up.write_cube(self.cube, timed=False)
        self.draws()
        untimed = self.picture("points.png")
        self.assertFalse(np.array_equal(timed, untimed))
        self.assertGreater(share_of(untimed, style.SOLVER["ode45"]), 5e-4)

    def test_a_config_without_points_has_no_marker(self):
        def points(_):
            data = np.full((5, 3, 2, 7), 5.0)
            data[..., made_up.SOLVERS.index("ode45")] = np.nan
            return data

        made_up.write_cube(self.cube, points=points)
        self.draws()
        picture = self.picture("points.png")
        self.assertEqual(share_of(picture, style.SOLVER["ode45"]), 0)
        self.assertGreater(share_of(picture, style.SOLVER["ode113"]), 5e-4)

    def test_trajectory_shows_stance_reference_and_error(self):
        made_up.write_cube(self.cube, n_cell=1)
        write_flight(self.path("a.h5"), 0.5)
        write_flight(self.path("b.h5"), 0.4)
        pair = ("--trajectory", self.path("a.h5"), "--reference", self.path("b.h5"))
        self.assertEqual(len(self.draws(*pair)), 2)
        picture = self.picture("trajectory.png")
        for colour in (style.STANCE, style.REFERENCE, style.GROUND, style.SOLVER["ode45"]):
            self.assertGreater(share_of(picture, colour), 5e-4, colour)
        stance = (np.abs(picture - 0xE4) <= 1).all(axis=-1).mean(axis=0)
        columns = np.flatnonzero(stance > 0.3)  # tall grey: the shading, not the legend
        axes = 1420 * 0.9  # about the length of the time axis
        self.assertAlmostEqual(len(columns) / axes, 0.2, delta=0.03)
        write_flight(self.path("a.h5"), 0.5, seen=False)
        self.draws(*pair)
        self.assertFalse(np.array_equal(picture, self.picture("trajectory.png")))

    def test_relative_error_and_the_mark_of_divergence(self):
        reference, t = np.array([1.0, 0.02, -0.5, 2.0]), np.array([0.0, 1.0, 2.0, 3.0])
        relative, when = dallas.divergence(t, np.array([0.0, 1.0, 0.02, 0.2]), reference, 0.05, 0.05)
        np.testing.assert_allclose(relative, [0, np.nan, 0.04, 0.1])  # below the floor it does not count
        self.assertEqual(when, 3)
        self.assertTrue(np.isnan(dallas.divergence(t, np.zeros(4), reference, 0.05, 0.05)[1]))
        made_up.write_cube(self.cube, n_cell=1)
        write_flight(self.path("a.h5"), 0.5)
        write_flight(self.path("b.h5"), 0.4)
        pair = ("--trajectory", self.path("a.h5"), "--reference", self.path("b.h5"))
        self.draws(*pair)  # a quarter of the reference everywhere
        marked = share_of(self.picture("trajectory.png"), "#AA3377")
        self.assertGreater(marked, 3e-5)
        self.draws(*pair, "--epsilon", "0.3")
        self.assertEqual(share_of(self.picture("trajectory.png"), "#AA3377"), 0)

    def test_help_teaches(self):
        done = self.run_script("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--trajectory", "--reference", "examples:", "points.png"):
            self.assertIn(word, done.stdout)

    def test_wrong_input_is_one_line_and_exit_2(self):
        made_up.write_cube(self.cube)
        nothing, text = self.path("nothing.h5"), self.path("text.h5")
        with open(text, "w", encoding="utf-8") as file:
            file.write("no cube\n")
        lame, blank = self.path("lame.h5"), self.path("blank.h5")
        made_up.write_cube(lame, without=("points_divergence_time",))
        made_up.write_cube(blank, points=lambda _: np.full((5, 3, 2, 7), np.nan))
        flight_a, late = self.path("a.h5"), self.path("late.h5")
        write_flight(flight_a, 0.5)
        write_flight(late, 0.5, 2 * TIMES)
        to = ("-o", self.out)
        pair = ("--trajectory", flight_a, "--reference")
        self.refuses(nothing, *to, saying="no such file")
        self.refuses(text, *to, saying="cannot be read as HDF5")
        self.refuses(flight_a, *to, saying="no cube of saltus")
        self.refuses(lame, *to, saying="no dataset points_divergence_time")
        self.refuses(blank, *to, saying="scored nothing")
        self.refuses(self.cube, saying="required: -o")
        self.refuses(self.cube, *to, "--trajectory", flight_a, saying="need each other")
        self.refuses(self.cube, *to, *pair, late, saying="different times")
        self.refuses(self.cube, *to, *pair, flight_a, saying="same values")
        self.refuses(self.cube, *to, *pair, self.cube, saying="no trajectory of saltus")
        self.refuses(self.cube, *to, *pair, flight_a, "--state", "z", saying="no state z; there are")
        self.refuses(self.cube, "-o", text, saying=text)


if __name__ == "__main__":
    unittest.main()
