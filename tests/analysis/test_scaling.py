"""test_scaling.py ANALYSIS_DIR: tables and pictures of scaling.py from made-up status files."""

import csv
import json
import os
import sys
import tempfile
import unittest
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
# series, ranks, threads, cells, seconds of the repeats: the shortest counts
RUNS = (
    ("strong", 1, 1, 800, (8.0, 9.0)),
    ("strong", 2, 1, 800, (7.0, 5.0)),
    ("strong", 4, 1, 800, (4.0, 4.0)),
    ("weak", 1, 1, 100, (1.0, 1.5)),
    ("weak", 4, 1, 400, (1.25, 2.0)),
    ("threads", 1, 2, 800, (3.0, 3.0)),
    ("threads", 1, 1, 800, (6.0, 6.5)),
)


class Scaling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.files = []
        for series, ranks, threads, cells, seconds in RUNS:
            for repeat, took in enumerate(seconds, 1):
                last = {"state": "done", "cells": cells, "found": 0, "seconds": took, "ranks": ranks, "threads": threads}
                self.write(f"{series}-{ranks}x{threads}-{repeat}.status", last)

    def write(self, name, last, **changed):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            for line in ({**last, "state": "running", "seconds": 0.1}, {**last, **changed}):
                file.write(json.dumps(line) + "\n")
        if path not in self.files:
            self.files.append(path)

    def run_script(self, *more):
        out = os.path.join(self.folder, "out")
        return script.run(os.path.join(ANALYSIS, "scaling.py"), *self.files, "-o", out, *more)

    def refuses(self, *says):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def test_speedup_and_efficiency_are_those_of_the_shortest_runs(self):
        done = self.run_script("--cores", "2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(os.path.join(self.folder, "out", "scaling.csv"), encoding="utf-8") as file:
            rows = {(r["series"], int(r["ranks"]), int(r["threads"])): r for r in csv.DictReader(file)}
        wanted = {  # seconds, speedup, efficiency, more workers than cores?
            ("strong", 1, 1): (8, 1, 1, "False"),
            ("strong", 2, 1): (5, 1.6, 0.8, "False"),
            ("strong", 4, 1): (4, 2, 0.5, "True"),
            ("weak", 1, 1): (1, 1, 1, "False"),
            ("weak", 4, 1): (1.25, 3.2, 0.8, "True"),
            ("threads", 1, 1): (6, 1, 1, "False"),
            ("threads", 1, 2): (3, 2, 1, "False"),
        }
        self.assertEqual(set(rows), set(wanted))
        for key, (seconds, speedup, efficiency, shared) in wanted.items():
            row = rows[key]
            self.assertEqual([float(row[c]) for c in ("seconds", "speedup", "efficiency")], [seconds, speedup, efficiency], key)
            self.assertEqual((row["shared_cores"], row["repeats"]), (shared, "2"), key)
        self.assertEqual(done.stdout.count("more workers than 2 cores"), 2)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "out", "scaling.png")), 10000)

    def test_nothing_is_marked_where_cores_are_not_told(self):
        self.assertNotIn("more workers", self.run_script().stdout)

    def test_runs_that_say_nothing_about_scaling_are_refused(self):
        last = {"state": "done", "cells": 800, "found": 0, "seconds": 4.0, "ranks": 4, "threads": 1}
        name = "strong-4x1-1.status"
        self.write(name, last, state="stopped")
        self.refuses(name, "not done but stopped")
        self.write(name, last, found=3)
        self.refuses(name, "went on from another")
        self.write(name, last, ranks=1)
        self.refuses(name, "1x1 ranks x threads ran, not 4x1", "srun and MPI")
        self.write(name, last, cells=801)
        self.refuses("series strong", "800, 801")
        self.write(name, last)
        self.write("weak-2x1-1.status", last, ranks=2, cells=100)
        self.refuses("series weak", "of a rank", "50, 100")

    def test_files_of_another_kind_are_refused(self):
        self.files = [os.path.join(self.folder, "storng-1x1-1.status")]
        self.refuses("storng-1x1-1.status", "strong, weak, threads")
        self.files = [os.path.join(self.folder, "weak-8x1-1.status")]
        self.refuses("no such file")
        self.write("weak-8x1-1.status", {"state": "done"})
        self.refuses("not written by saltus run --status")


unittest.main()
