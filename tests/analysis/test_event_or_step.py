#!/usr/bin/python3
"""test_event_or_step.py ANALYSIS_DIR: the border between events and time stepping, of planted works."""

import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.abspath(sys.argv.pop(1)))
import event_or_step as script  # noqa: E402


class Border(unittest.TestCase):
    def test_it_is_where_the_works_cross(self):
        event = np.full(len(script.ERRORS), 100.0)
        stepping = 1.5 / script.ERRORS
        np.testing.assert_allclose(script.border(event, stepping), (0.015, 100), rtol=1e-6)
        self.assertTrue(np.isnan(script.border(event, 1e3 / script.ERRORS)).all())
        self.assertTrue(np.isnan(script.border(event, np.where(script.ERRORS > 0.1, stepping, np.inf))).all())

    def test_the_law_of_planted_works(self):
        r, off = np.array([0.3, 2, 9, 40, 150]), np.array([0.5, 1, 1, 1, 2])
        a, b, low, middle, high = script.fit(list(zip(r, off * 3 / (25 + 12 * r), 25 + 12 * r)))
        np.testing.assert_allclose((a, b, middle), (25, 12, 3), rtol=1e-9)
        np.testing.assert_allclose((low, high), (2.1, 4.8), rtol=1e-9)

    def test_the_least_work_of_runs_that_are_good_enough(self):
        least = script.least_work(np.array([1e-2, 1e-4, 1e-3]), np.array([10.0, 30.0, 90.0]))
        self.assertEqual(least[np.argmin(abs(script.ERRORS - 10**-1.5))], 10)
        self.assertEqual(least[np.argmin(abs(script.ERRORS - 10**-2.5))], 30)
        self.assertEqual(least[-1], np.inf)


unittest.main()
