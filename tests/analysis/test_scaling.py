"""test_scaling.py ANALYSIS_DIR: tables and pictures of scaling.py from a made-up study."""

import csv
import json
import os
import sys
import tempfile
import unittest
import unittest.mock
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
# series, case, ranks, threads, cells, seconds of the repeats: the shortest counts
RUNS = (
    ("strong", "512", 1, 1, 800, (8.0, 9.0)),
    ("strong", "512", 2, 1, 800, (7.0, 5.0)),
    ("strong", "512", 4, 1, 800, (4.0, 4.0)),
    ("strong", "8", 1, 1, 800, (2.0, 2.5, 2.125)),
    ("strong", "8", 2, 1, 800, (1.0, 1.0)),
    ("weak", "512", 1, 1, 100, (1.0, 1.5)),
    ("weak", "512", 4, 1, 400, (1.25, 2.0)),
    ("threads", "512", 1, 2, 800, (3.0, 3.0)),
    ("threads", "512", 1, 1, 800, (6.0, 6.5)),
)
MACHINE = {"study": "contacts", "cpu": "made-up", "nodes": 1, "cores": 2, "program": "saltus 0"}
SHARES = {"busy": 0.5, "waiting": 0.125, "io": 0.25, "cpu": 0.375}  # of the time of each rank


class Scaling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.put("machine.json", MACHINE)
        self.put("strong-512-2x1.predicted", {"runs": [{"ranks": 2, "seconds": 4.25}]})
        for series, case, ranks, threads, cells, seconds in RUNS:
            for repeat, took in enumerate(seconds, 1):
                self.status(f"{series}-{case}-{ranks}x{threads}-{repeat}.status", self.line(cells, took, ranks, threads))

    def put(self, name, data):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            json.dump(data, file)

    @staticmethod
    def line(cells, seconds, ranks, threads):
        use = {key: share * seconds * ranks for key, share in SHARES.items()}
        return {"state": "done", "cells": cells, "found": 0, "ranks": ranks, "threads": threads, "command_seconds": seconds} | use

    def status(self, name, last, **changed):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            for line in ({"state": "running", "seconds": 0.1}, {**last, **changed}):
                file.write(json.dumps(line) + "\n")

    def run_script(self):
        return script.run(os.path.join(ANALYSIS, "scaling.py"), self.folder, "-o", os.path.join(self.folder, "out"))

    def refuses(self, *says):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def rows(self):
        with open(os.path.join(self.folder, "out", "scaling.csv"), encoding="utf-8") as file:
            return {(r["series"], r["case"], int(r["ranks"]), int(r["threads"])): r for r in csv.DictReader(file)}

    def test_speedup_and_efficiency_are_those_of_the_shortest_runs(self):
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wanted = {  # seconds, longest, speedup, efficiency, more workers than cores?
            ("strong", "8", 1, 1): (2, 2.5, 1, 1, "False"),
            ("strong", "8", 2, 1): (1, 1, 2, 1, "False"),
            ("strong", "512", 1, 1): (8, 9, 1, 1, "False"),
            ("strong", "512", 2, 1): (5, 7, 1.6, 0.8, "False"),
            ("strong", "512", 4, 1): (4, 4, 2, 0.5, "True"),
            ("weak", "512", 1, 1): (1, 1.5, 1, 1, "False"),
            ("weak", "512", 4, 1): (1.25, 2, 3.2, 0.8, "True"),
            ("threads", "512", 1, 1): (6, 6.5, 1, 1, "False"),
            ("threads", "512", 1, 2): (3, 3, 2, 1, "False"),
        }
        rows = self.rows()
        self.assertEqual([*rows], [*wanted])  # numbers of contacts by size
        for key, (*numbers, shared) in wanted.items():
            row = rows[key]
            self.assertEqual([float(row[c]) for c in ("seconds", "longest", "speedup", "efficiency")], numbers, key)
            self.assertEqual((row["shared_cores"], row["repeats"]), (shared, "3" if key == ("strong", "8", 1, 1) else "2"), key)
            self.assertEqual(float(row["median"]), 2.125 if row["repeats"] == "3" else sum(numbers[:2]) / 2, key)
            self.assertEqual(float(row["cpu_over_busy"]), 0.75, key)
        self.assertEqual(done.stdout.count("more workers than 2 cores"), 2)
        self.assertEqual(self.titles()[:2], ["the same cells", "as many cells for each rank"])
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "out", "scaling.png")), 10000)

    def test_counts_are_an_axis_where_cases_are_numbers(self):
        sys.path.insert(0, ANALYSIS)
        import scaling_data
        import scaling_figure as drawn

        table, machine = scaling_data.read_study(self.folder)
        _, (time, efficiency) = drawn.plt.subplots(1, 2)
        drawn.draw_counts(time, efficiency, drawn.by_count(table), drawn.count_of(machine))
        lines = {line.get_label(): [*zip(*line.get_data(), strict=True)] for line in time.lines}
        self.assertEqual(lines, {"1 rank": [(8, 2.5), (512, 10)], "2 ranks": [(8, 2.5), (512, 12.5)], "4 ranks": [(512, 20)]})
        self.assertEqual([tuple(line.get_ydata()) for line in efficiency.lines[:3]], [(100, 100), (100, 80), (50,)])
        self.assertEqual(efficiency.get_xlabel(), "contacts")
        self.assertEqual(len(drawn.by_count(table[table["case"] == "8"])), 0)

    def test_a_study_that_is_not_over_is_drawn(self):
        for name in os.listdir(self.folder):
            if name.startswith(("weak", "threads", "strong-512")):
                os.remove(os.path.join(self.folder, name))
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([*self.rows()], [("strong", "8", 1, 1), ("strong", "8", 2, 1)])
        self.assertEqual(self.titles(), ["the same cells", "", ""])  # no empty panel of a weak study

    def titles(self):
        """Titles of the panels of the picture; each has something drawn in it."""
        sys.path.insert(0, ANALYSIS)
        import scaling_data
        import scaling_figure as drawn

        with unittest.mock.patch.object(drawn.style, "save") as save:
            drawn.draw(*scaling_data.read_study(self.folder), "scaling.png")
        panels = save.call_args.args[0].axes
        for axes in panels:
            self.assertTrue(axes.lines or axes.patches, axes.get_title())
        return [axes.get_title() for axes in panels]

    def test_phases_are_a_rank_s_and_add_up(self):
        self.run_script()
        for row in self.rows().values():
            phases = [float(row[phase]) for phase in ("computing", "waiting", "cube", "start")]
            for phase, share in zip(phases, (0.5, 0.125, 0.25, 0.125)):
                self.assertAlmostEqual(phase / float(row["seconds"]), share, places=5)

    def test_a_prediction_stands_beside_its_run(self):
        self.run_script()
        found = {key: row["predicted"] for key, row in self.rows().items() if row["predicted"]}
        self.assertEqual(found, {("strong", "512", 2, 1): "4.25"})
        self.put("strong-512-4x1.predicted", {"runs": [{"ranks": 2, "seconds": 4.25}]})
        self.refuses("strong-512-4x1.predicted", "not written by saltus plan")

    def test_runs_that_say_nothing_about_scaling_are_refused(self):
        last = self.line(800, 4.0, 4, 1)
        name = "strong-512-4x1-1.status"
        self.status(name, last, state="stopped")
        self.refuses(name, "not done but stopped")
        self.status(name, last, found=3)
        self.refuses(name, "went on from another")
        self.status(name, last, ranks=1)
        self.refuses(name, "1x1 ranks x threads ran, not 4x1", "srun and MPI")
        self.status(name, last, cells=801)
        self.refuses("series strong, 512", "800, 801")
        self.status(name, last)
        self.status("weak-512-2x1-1.status", last, ranks=2, cells=100)
        self.refuses("series weak, 512", "of a rank", "50, 100")

    def test_files_of_another_kind_are_refused(self):
        self.status("storng-512-1x1-1.status", {})
        self.refuses("storng-512-1x1-1.status", "strong, weak, threads")
        os.remove(os.path.join(self.folder, "storng-512-1x1-1.status"))
        self.status("weak-512-8x1-1.status", {"state": "done"})
        self.refuses("not written by saltus run --status")
        self.put("machine.json", MACHINE | {"cores": "two"})
        self.refuses("machine.json", "cores is missing")
        os.remove(os.path.join(self.folder, "machine.json"))
        self.refuses("machine.json", "no such file")
        for name in os.listdir(self.folder):
            if name.endswith(".status"):
                os.remove(os.path.join(self.folder, name))
        self.refuses(self.folder, "no status file found")


unittest.main()
