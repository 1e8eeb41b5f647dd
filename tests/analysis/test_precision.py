#!/usr/bin/python3
"""test_precision.py ANALYSIS_DIR: do error-against-work pictures show the spread over the cells, and measures their values?"""

import os
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

import made_up
import made_up_map

sys.path.insert(0, os.path.abspath(sys.argv.pop(1)))
import cost_data  # noqa: E402
import cost_figures  # noqa: E402
import map_data  # noqa: E402


class Precision(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cube = os.path.join(folder.name, "cube.h5")
        made_up_map.write(self.cube, {"b": range(1, 5), "k": range(1, 6)}, lambda cell, at: ("ode45", "event", 0.5))

    def test_precision_shows_the_spread_and_no_empty_panel(self):
        values = np.array([[3.0], [1.0], [np.inf], [2.0], [np.nan]])
        self.assertEqual([float(cost_data.middle(values, share)[0]) for share in (0.25, 0.5, 0.75)], [2, 3, np.inf])
        with h5py.File(self.cube, "a") as file:
            file["max_error"][...] *= np.arange(1, 21)[:, None, None, None]
        seen = []
        with unittest.mock.patch.object(cost_figures, "finish", lambda figure, *_: seen.append(figure)):
            for failed in (False, True):
                if failed:
                    with h5py.File(self.cube, "a") as file:
                        file["outcome"][:, :, 0, :] = 1
                mapped = map_data.open_mapped(self.cube)
                cost_figures.draw_precision(mapped.cube, mapped.map, np.arange(20), "", "")
        self.assertEqual([len(figure.axes) for figure in seen], [len(made_up.STRATEGIES), len(made_up.STRATEGIES) - 1])
        found = cost_data.typical(mapped.cube, mapped.map, np.arange(20))
        low, high = (q[2, 1, 1] / found.wrong[2, 1, 1] for q in found.spread)
        np.testing.assert_allclose([low, high], [6 / 11, 16 / 11])
        bars = [line for axes in seen[0].axes for line in axes.collections]
        self.assertGreaterEqual(len(bars), len(made_up.SOLVERS))

    def test_solvers_of_the_user_have_lines_and_markers_of_their_own(self):
        drawn = [line for line in cost_figures.solver_lines(["ode45", "dop853", "mine", "yours", "theirs"])]
        self.assertEqual([line.get_marker() for line in drawn[:2]], ["None", "None"])
        looks = [(line.get_marker(), str(line._unscaled_dash_pattern), line.get_color()) for line in drawn[2:]]
        for part in zip(*looks):
            self.assertEqual(len(set(part)), 3, part)


if __name__ == "__main__":
    unittest.main()
