#!/usr/bin/python3
"""test_raster.py ANALYSIS_DIR, the program in the environment variable SALTUS_BESIDE: are maps of cells that make no grid
what the program answers there?"""

import json
import os
import random
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

import matplotlib.image
import numpy as np

import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
SALTUS = os.environ.get("SALTUS_BESIDE")
sys.path.insert(0, ANALYSIS)
import map_data  # noqa: E402
import map_figures  # noqa: E402
import page_data  # noqa: E402
import raster  # noqa: E402
import reader  # noqa: E402
import readme_picture  # noqa: E402
from cube import NotOurs  # noqa: E402

SWEEP = """\
title: hoppers
model: monopod
cells:
  axes:
    - {columns: [b, m1, k, f], sobol: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]], log: true, points: 40}
    - {name: adhesion, list: [literal, clamp]}
initial: {y1: 0.5, v1: 0, y2: 1.5, v2: 0}
t_end: 8
mesh: 0.05
methods: [ode45, ode113, ode15s]
strategies: [switch, event]
tolerances: [1e-2, 1e-4, 1e-6, 1e-8]
cap: {pacemakers: [ode113], error: 1e-4, factor: 1.2}
"""


@unittest.skipIf(SALTUS is None, "no program to compare with")
class Raster(unittest.TestCase):
    """A cube of Sobol points with an option, of which runs are stopped."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.cube = cls.path("hoppers.h5")
        with open(cls.path("hoppers.yaml"), "w", encoding="utf-8") as file:
            file.write(SWEEP)
        cls.saltus("run", cls.path("hoppers.yaml"), "-o", cls.cube, "-q")
        cls.mapped = map_data.open_mapped(cls.cube, ("outcome",))
        cls.runs = page_data.open_runs(cls.cube, cls.mapped.map)
        cls.reader = reader.open_reader(cls.runs, cls.mapped.map)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.temporary.name, name)

    @staticmethod
    def saltus(*arguments):
        return subprocess.run([SALTUS, *arguments], check=True, capture_output=True, text=True).stdout

    def recommend(self, values, word, error):
        """What the program answers: {method, strategy, tolerance, ..}, {} where there is none."""
        at = ",".join([*(f"{c.name}={v!r}" for c, v in zip(self.runs.columns, values)), f"adhesion={word}"])
        done = subprocess.run([SALTUS, "recommend", "--json", "--at", at, "--error", repr(error), self.cube], capture_output=True, text=True)
        said = json.loads(done.stdout)
        if not said["answer"]:
            return {}
        return said["answer"] | {"certainty": (said["why"]["lead"] or {"probability": np.nan})["probability"]}

    def test_answers_in_the_cells_are_those_of_the_map(self):
        places, (_, sample) = np.stack([c.places for c in self.runs.columns], axis=1), reader.samples_of(self.runs)
        answered = 0
        for question in self.mapped.questions("error"):
            want = map_data.answers(self.mapped, question)
            for which in np.unique(sample):
                cells = np.flatnonzero(sample == which)[::3]
                got = reader.answers_at(self.reader, self.runs, places[cells], which, question.asked)
                for name in ("solver", "strategy", "unknown"):
                    np.testing.assert_array_equal(getattr(got, name), getattr(want, name)[cells], name)
                for name in ("value", "rtol", "lead", "certainty"):
                    np.testing.assert_allclose(getattr(got, name), getattr(want, name)[cells], rtol=1e-5, atol=1e-6, err_msg=name)
                answered += got.won.sum()
        self.assertGreater(answered, 20)

    def test_answers_between_them_are_those_of_the_program(self):
        draw, answered = random.Random(4), 0
        for _ in range(8):
            z, which, error = [draw.random() for _ in self.runs.columns], draw.randrange(2), float(f"{10 ** draw.uniform(-5, -1.5):.6g}")
            values = [c.at(u) for c, u in zip(self.runs.columns, z)]
            want = self.recommend(values, self.runs.options[0].words[which], error)
            got = self.reader.ask(z, which, error)
            self.assertEqual(isinstance(got, dict), bool(want), (z, which, error))
            if want:
                answered += 1
                self.assertEqual(self.runs.pairs[got["pair"]], (want["strategy"], want["solver"]))
                for name in ("rtol", "probability", "error", "work", "total"):
                    self.assertAlmostEqual(got[name] / want[name], 1, delta=1e-6, msg=name)
                np.testing.assert_allclose(got["certainty"], want["certainty"], rtol=1e-6)
                self.assertTrue(0.5 <= got["certainty"] < 1)
        self.assertGreater(answered, 4)

    def test_the_axes_that_matter_most_are_drawn(self):
        scale = np.atleast_1d(self.mapped.map.attrs["reader_scale"])
        question = self.mapped.questions("error")[0]
        _, axes, place, words = raster.raster(self.mapped, self.runs, question, 2)
        names = [c.name for c in self.runs.columns]
        self.assertEqual([place["x"], place["y"]], [names[i] for i in np.argsort(-scale)[:2]])
        self.assertEqual(words, "adhesion literal")
        still = {a.name: a.values[0] for a in axes if a.values.size == 1}
        middles = {c.name: c.middle for c in self.runs.columns if c.name in still}
        for name, value in middles.items():
            self.assertAlmostEqual(still[name] / value, 1)
        with self.assertRaisesRegex(NotOurs, "no axis q; there are b, m1, k, f"):
            raster.raster(self.mapped, self.runs, question, 2, x="q")
        with self.assertRaisesRegex(NotOurs, "b = 1 lies outside"):
            raster.raster(self.mapped, self.runs, question, 2, x="k", y="f", fixed={"b": 1.0})

    def test_each_place_of_the_raster_is_what_is_answered_there(self):
        question = self.mapped.questions("error")[0]
        found, axes, place, _ = raster.raster(self.mapped, self.runs, question, 4, x="k", y="f", across="m1", fixed={"b": 2000.0, "adhesion": 1})
        by_name = {a.name: a.values for a in axes}
        cells = map_data.panels(axes, "k", "f", "m1", at=place["at"])
        self.assertEqual(cells.shape, (1, 3, 4, 4))
        for panel, up, right in ((0, 0, 3), (2, 1, 0), (1, 3, 2)):
            at = {"b": 2000.0, "m1": by_name["m1"][panel], "f": by_name["f"][up], "k": by_name["k"][right]}
            want = self.recommend([float(at[c.name]) for c in self.runs.columns], "clamp", question.asked)
            cell = cells[0, panel, up, right]
            self.assertEqual(found.solver[cell], want.get("solver", map_data.NONE))
            if want:
                self.assertAlmostEqual(found.value[cell] / want["total"], 1, delta=1e-6)

    def test_the_picture_has_the_winners_and_no_marks_of_cells(self):
        question = self.mapped.questions("error")[0]
        done = script.run(os.path.join(ANALYSIS, "maps.py"), "map", self.cube, "-o", self.path("pictures"), "--error", repr(question.asked))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        pixels = np.rint(255 * matplotlib.image.imread(done.stdout.strip())[..., :3]).astype(int)
        found, *_ = raster.raster(self.mapped, self.runs, question)
        rgb = np.rint(255 * map_figures.colours(found)).astype(int)
        shown = pixels[: int(0.75 * len(pixels))].reshape(-1, 3)
        colours, count = np.unique(rgb[found.won], axis=0, return_counts=True)
        for colour in colours[np.argsort(-count)[:6]]:
            self.assertGreater((np.abs(shown - colour) <= 1).all(axis=1).sum(), 200, colour)

    def test_the_picture_of_the_readme(self):
        written = []
        readme_picture.FINE = 3
        for name in ("one.svg", "two.svg"):
            readme_picture.work(types.SimpleNamespace(cube=self.cube, path=self.path(name)))
            with open(self.path(name), encoding="utf-8") as file:
                written.append(file.read())
        self.assertEqual(*written)
        self.assertLess(len(written[0]), 60000)
        xml.etree.ElementTree.fromstring(written[0])
        for word in ("0.0548", "ground stiffness", "adhesion literal"):
            self.assertIn(word, written[0].replace("\xa0", " "))
        for word in ("<image", "@font-face", "http-equiv", "<script"):
            self.assertNotIn(word, written[0])

    def test_ticks_have_room(self):
        """Numbers do not touch: neither in a panel nor across the gap to the next."""
        column = page_data.Column("k", np.array([1.0, 480.0]), log=True, lo=1.0, hi=480.0)
        for fine, side, panels in ((20, 7.0, 3), (14, 10.0, 3), (20, 21.0, 1)):
            axis = map_data.Axis("k", np.array([column.at((i + 0.5) / fine) for i in range(fine)]), "k", "k", "", column)
            self.ticks_have_room(axis, side, panels)
        for values, side in ((np.geomspace(1, 480, 10), 14.0), (np.geomspace(1, 480, 10), 22.0), (np.arange(3) * 1e4, 30.0)):
            self.ticks_have_room(map_data.Axis("k", values, "k", "k", ""), side, 3)

    def ticks_have_room(self, axis, side, panels):
        got = []
        map_figures.put_ticks(lambda places, texts: got.extend(zip(places, texts)), axis, panels, side, upright=False)
        self.assertGreaterEqual(len(got), panels)
        for (a, left), (b, right) in zip(got, got[1:]):
            needed = map_figures.CHARACTER * (len(left) + len(right)) / 2
            self.assertGreater((b - a) * side, needed, (left, right))


unittest.main()
