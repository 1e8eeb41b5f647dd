#!/usr/bin/python3
"""test_browser.py ANALYSIS_DIR: does a report open in Chromium without a word on its console?"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import matplotlib.image

import made_up_map

ANALYSIS = os.path.abspath(sys.argv.pop(1))
NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((path for path in map(shutil.which, NAMES) if path), None)


class Browser(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(self.temporary.cleanup)

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def open(self, page, *more):
        """What the page said on the console, and what it became."""
        command = [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
        ]
        command += [f"--user-data-dir={self.path('profile')}", *more, f"file://{page}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stderr.splitlines() if "CONSOLE" in line], done.stdout

    def test_an_error_would_be_seen(self):
        page = self.path("bad.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(
                "<!DOCTYPE html><title>bad</title>"
                "<script>console.error('planted'); nothing()</script>"
            )
        said, _ = self.open(page, "--dump-dom")
        self.assertTrue(any("planted" in line for line in said), said)
        self.assertTrue(any("nothing is not defined" in line for line in said), said)

    def test_a_report_says_nothing(self):
        made_up_map.write(
            self.path("cube.h5"),
            {"b": (1, 10), "k": (1, 10)},
            lambda c, at: ("ode45", "event", 0.1 * c),
        )
        script = os.path.join(ANALYSIS, "report.py")
        subprocess.run(
            [script, self.path("cube.h5"), "-o", self.path("report")],
            check=True,
            capture_output=True,
            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        )
        page = self.path("report/index.html")
        said, dom = self.open(page, "--dump-dom")
        self.assertEqual(said, [])
        self.assertGreater(len(re.findall("<img ", dom)), 10)
        shot = self.path("shot.png")
        said, _ = self.open(
            page, f"--screenshot={shot}", "--window-size=1000,3000", "--hide-scrollbars"
        )
        self.assertEqual(said, [])
        pixels = matplotlib.image.imread(shot)
        self.assertEqual(pixels.shape[:2], (3000, 1000))
        self.assertGreater((pixels[..., :3] < 0.5).mean(), 0.01)  # words and pictures


if BROWSER is None:
    sys.exit(f"none of {', '.join(NAMES)} is on this machine: jobscripts/setup.sh --tests installs one;"
             " jobscripts/test.sh --without analysis.browser leaves this test out")
unittest.main()
