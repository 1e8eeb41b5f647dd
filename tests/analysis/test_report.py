#!/usr/bin/python3
"""test_report.py ANALYSIS_DIR: is the report one page that needs nothing from outside?"""

import base64
import html.parser
import json
import os
import re
import stat
import sys
import tempfile
import unittest

import numpy as np

import made_up
import made_up_map
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import map_data  # noqa: E402
import page  # noqa: E402
import paper  # noqa: E402

AXES = {"b": (550, 1951), "k": (1, 22.8), "m1": (1.88,), "f": (0.051,)}


def planted(cell, at):
    return None if cell == 3 else ("ode45" if at["k"] else "ode15s", "event", 0.25)


class Reader(html.parser.HTMLParser):
    """Tags that are open, pictures, headings and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.open, self.pictures, self.addresses, self.ids, self.words = [], [], [], set(), []
        self.tags, self.attributes, self.metas = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(attrs)
        if tag == "meta":
            self.metas.append(attrs)
        if tag not in ("meta", "img", "link"):
            self.open.append(tag)
        self.addresses += [attrs[key] for key in ("src", "href") if key in attrs]
        self.ids.add(attrs.get("id"))
        if tag == "img":
            self.pictures.append(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data):
        self.words.append(data)

    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


class Report(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = self.path("cube.h5")
        self.out = self.path("report")

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run_script(self, *arguments, drawn=False):
        return script.run(os.path.join(ANALYSIS, "report.py"), self.cube, "-o", self.out, *arguments, drawn=drawn)

    def read(self, *arguments, drawn=False):
        done = self.run_script(*arguments, drawn=drawn)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.strip(), os.path.join(self.out, "index.html"))
        with open(done.stdout.strip(), encoding="utf-8") as file:
            reader = Reader(file.read())
        self.assertEqual(reader.open, [])
        return reader

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def test_one_file_with_all_pictures(self):
        made_up_map.write(self.cube, AXES, planted)
        rules = self.file("rules.txt", "if k < 3 then ode15s & event\n")
        regret = self.file(
            "regret.json",
            json.dumps({"points": 200, "rows": [{"who": "the map", "median": 0.0125}]}),
        )
        found = self.read("--rules", rules, "--regret", regret, drawn=True)
        self.assertEqual(os.listdir(self.out), ["index.html"])
        # 2 errors, 2 weights x 3 tolerances, along, shares, axes, work (also nominal), fronts, stiffness, scores
        self.assertEqual(len(found.pictures), 2 + 6 + 2 + 1 + 2 + 2 + 1 + 3 + 2)
        for picture in found.pictures:
            kind, data = picture["src"].split(",", 1)
            self.assertEqual(kind, "data:image/png;base64")
            self.assertEqual(base64.b64decode(data)[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(picture["alt"]), 20)
            self.assertNotRegex(picture["alt"], r"[<>&]")
        outside = [a for a in found.addresses if not a.startswith(("data:", "#"))]
        self.assertEqual(outside, [])
        self.assertTrue({a[1:] for a in found.addresses if a.startswith("#")} <= found.ids)
        words = found.text()
        for told in ("if k < 3 then ode15s & event", "the map", "0.0125", "made up", "rhs 1"):
            self.assertIn(told, words)
        self.assertIn("made up <b>model</b>", words)  # of the file, not of the page
        self.assertIn(
            "Most often: ode15s with event (50 %), ode45 with event (25 %), "
            "no contender gets there (25 %).",
            words,
        )
        self.assertIn("too few cells", words)  # 2 x 2

    def test_ties_and_both_gaps_are_told(self):
        gaps = {0: None, 1: made_up_map.NO_REFERENCE}
        made_up_map.write(self.cube, AXES, lambda c, at: gaps.get(c, ("ode45", "event", 0.3 if c == 2 else 0.01)))
        words = self.read().text()
        self.assertIn("A tie, the winner included above: 25 %.", words)
        self.assertIn("no contender reaches the error although the reference is good enough (1 cell)", words)
        self.assertIn("the reference's own error is larger than the one asked for", words)
        self.assertIn("from 5 % to 50 % and more, on the same scale in every map", words)

    def test_hostile_names_stay_text(self):
        """Of titles, axes, solvers and strategies: nothing of them becomes a tag or is loaded."""
        import h5py

        made_up_map.write(self.cube, AXES, planted)
        image, svg = "<img src=x onerror=alert(1)>", "<svg/onload=alert(4)>"
        with h5py.File(self.cube, "a") as file:
            file.attrs.update(title=image, sweep=image, command=image)
            for name in ("b", "k", "axis_b", "axis_k"):
                file[name].attrs.update(long_name=image + name, units=image)
            for flags in (v for v in file["map"].values() if "flag_meanings" in v.attrs):
                words = flags.attrs["flag_meanings"]
                flags.attrs["flag_meanings"] = words.replace("event", svg).replace("ode15s", "<b>15s")
            names = [svg if name == "event" else name for name in made_up.STRATEGIES]
            file["strategy"][...] = np.array(names, dtype=object)
        found = self.read()
        words = found.text()
        self.assertEqual({"svg", "script"} & found.tags, set())
        self.assertTrue(all(p["src"].startswith("data:image/png;base64,") for p in found.pictures))
        for told in (image, image + "axis_b", svg, "<b>15s"):
            self.assertIn(told, words)
        self.assertFalse([a for a in found.attributes if a.startswith("on")])
        (policy,) = [m["content"] for m in found.metas if m.get("http-equiv") == "Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("script-src", policy)

    def test_pictures_may_stay(self):
        made_up_map.write(self.cube, {"k": (1, 2)}, planted, scattered=True)
        found = self.read("--pictures")
        names = set(os.listdir(self.out))
        self.assertEqual(len(names), len(found.pictures) + 1)
        self.assertIn("map-error-0.01.png", names)
        self.assertNotIn("rules", found.ids)
        self.assertNotIn("regret", found.ids)

    def program(self, body):
        path = self.file("saltus", f"#!/usr/bin/python3\nimport json, sys\n{body}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def answering(self, solver, rtol):
        """A program whose answers are made up, with these keys."""
        return self.program(f"""
asked = [a[10:].split(",") for a in sys.argv if a.startswith("--methods=")]
solvers = asked[0] if asked else ["ode23t", "ode45"]
row = {{"strategy": "switch", "{rtol}": 1e-6, "error": 3e-5}}
best = enumerate(solvers[:4])
rows = [row | {{"{solver}": m, "work": 1000 + 500 * i, "points": 29.5 - i}} for i, m in best]
print(json.dumps({{"ranking": rows, "cells": 16, "agree": 11, "outside": []}}))
sys.exit(1)
""")

    def test_the_paper_beside_the_program(self):
        made_up_map.write(self.cube, AXES, planted)
        found = self.read("--saltus", self.answering("solver", "rtol"))
        words = found.text()
        self.assertIn("paper", found.ids)
        self.assertIn("11 of 16", words)
        self.assertIn("+50 %", words)
        self.assertIn("ode113 1 28.98 1 29.5", words)  # 376.80 / 13, and the made-up answer
        self.assertIn("a cell of the grid", words)

    def test_the_paper_beside_an_older_program(self):
        made_up_map.write(self.cube, AXES, planted)
        mapped = map_data.open_mapped(self.cube)
        shown = [paper.section(mapped, self.answering(*keys)) for keys in (("solver", "rtol"), ("method", "tolerance"))]
        self.assertEqual(*shown)
        self.assertIn("28.98", shown[0])

    def test_a_program_that_does_not_answer(self):
        made_up_map.write(self.cube, AXES, planted)
        self.refuses(
            "--saltus", self.path("nothing"), saying="cannot be run (No such file or directory)"
        )
        failing = self.program("print('saltus: broken', file=sys.stderr); sys.exit(2)")
        self.refuses("--saltus", failing, saying="saltus recommend: saltus: broken")
        self.refuses("--saltus", self.program("print('hello')"), saying="its answer is no JSON")

    def test_the_published_totals(self):
        """Their order and sum are those of Table 5."""
        order = sorted(paper.TOTAL, key=paper.TOTAL.get, reverse=True)
        self.assertEqual(order[:3], ["ode113", "ode45", "ode23"])
        self.assertAlmostEqual(sum(paper.TOTAL.values()), 2441.03, places=2)

    def test_bad_input_is_told_in_one_line(self):
        self.refuses(saying="no such file")
        made_up_map.write(self.cube, AXES, planted, with_map=False)
        self.refuses(saying="the cube has no map; make it with `saltus map")
        made_up_map.write(self.cube, AXES, planted)
        self.refuses("--rules", self.path("none.txt"), saying="none.txt: No such file")
        self.refuses("--regret", self.file("bad.json", "{"), saying="bad.json: no JSON (line 1")
        self.assertFalse(os.path.exists(os.path.join(self.out, "index.html")))

    def test_texts_of_a_page_are_no_html(self):
        shown = page.paragraph("<b>") + page.table(["<b>"], [["<b>"]], "<b>") + page.details("<b>")
        self.assertEqual((shown.count("<b>"), shown.count("&lt;b&gt;")), (0, 5))

    def test_anything_json_can_hold(self):
        shown = Reader(
            page.tree(
                {
                    "n": 3,
                    "of": {"map": {"median": 0.5}, "best <one>": {"median": 0.75}},
                    "odd": [[1, {"a": None}]],
                }
            )
        )
        for word in ("n 3", "map", "0.5", "best <one>", "0.75"):
            self.assertIn(word, shown.text())


unittest.main()
