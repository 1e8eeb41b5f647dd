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
        self.assertAlmostEqual(script.border(event, stepping) / 0.015, 1, delta=1e-6)
        self.assertTrue(np.isnan(script.border(event, 1e3 / script.ERRORS)))
        self.assertTrue(np.isnan(script.border(event, np.where(script.ERRORS > 0.1, stepping, np.inf))))

    def test_the_least_work_of_runs_that_are_good_enough(self):
        least = script.least_work(np.array([1e-2, 1e-4, 1e-3]), np.array([10.0, 30.0, 90.0]))
        self.assertEqual(least[np.argmin(abs(script.ERRORS - 10**-1.5))], 10)
        self.assertEqual(least[np.argmin(abs(script.ERRORS - 10**-2.5))], 30)
        self.assertEqual(least[-1], np.inf)


unittest.main()
