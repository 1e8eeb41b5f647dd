#!/usr/bin/python3
"""test_report.py ANALYSIS_DIR: is the report one page that needs nothing from outside, and what is in it?"""

import base64
import gzip
import hashlib
import html.parser
import json
import os
import re
import sys
import tempfile
import unittest

import h5py
import numpy as np
import xarray as xr
import yaml

import made_up
import made_up_map
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import page  # noqa: E402
import page_data  # noqa: E402
import page_cost  # noqa: E402
import report_fixed  # noqa: E402
from cube import NotOurs, open_group  # noqa: E402

FEW = {"b": (550, 1951), "k": (1, 22.8), "m1": (1.88,), "f": (0.051,)}
MANY = {"b": (550, 1000, 1951, 4000), "k": (1, 3, 22.8, 100), "m1": (1.88,)}


def planted(cell, at):
    return None if cell == 3 else ("ode45" if at["k"] else "ode15s", "event", 0.25)


class Reader(html.parser.HTMLParser):
    """Tags that are open, addresses, words and embedded blocks of a page."""

    def __init__(self, text):
        super().__init__()
        self.open, self.addresses, self.ids, self.words = [], [], set(), []
        self.tags, self.attributes, self.metas, self.blocks, self.scripts = set(), set(), [], {}, []
        self.block = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(attrs)
        if tag == "meta":
            self.metas.append(attrs)
        if tag not in ("meta", "img", "link", "input", "br"):
            self.open.append(tag)
        self.addresses += [attrs[key] for key in ("src", "href") if key in attrs]
        self.ids.add(attrs.get("id"))
        self.block = attrs.get("id", "") if tag == "script" else None

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data):
        if "script" in self.open:
            (self.scripts if self.block == "" else self.blocks.setdefault(self.block, [])).append(data)
        elif "style" not in self.open:
            self.words.append(data)

    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))

    def numbers(self, name, kind):
        raw = gzip.decompress(base64.b64decode("".join(self.blocks[name])))
        size = np.dtype(kind).itemsize
        return np.frombuffer(np.frombuffer(raw, np.uint8).reshape(size, -1).T.tobytes(), kind)

    @property
    def meta(self):
        return json.loads("".join(self.blocks["meta"]))


class Report(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = self.path("cube.h5")
        self.out = self.path("report.html")

    def path(self, name):
        return os.path.join(self.temporary.name, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run_script(self, *arguments, out=None):
        return script.run(os.path.join(ANALYSIS, "report.py"), self.cube, "-o", out or self.out, *arguments, drawn=False)

    def read(self, *arguments, out=None):
        done = self.run_script(*arguments, out=out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(done.stdout.strip(), encoding="utf-8") as file:
            reader = Reader(file.read())
        self.assertEqual(reader.open, [])
        return reader

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def sweep(self, cells, **more):
        """Puts another sweep into the cube."""
        with h5py.File(self.cube, "a") as file:
            file.attrs["sweep"] = yaml.safe_dump({"cells": cells} | more)

    def test_one_file_that_answers(self):
        made_up_map.write(self.cube, MANY, planted, noise=True)
        rules = self.file("rules.txt", "if k < 3 then ode15s & event\n")
        found = self.read("--rules", rules, "--at", "k=5", "--error", "1e-3")
        self.assertEqual(sorted(os.listdir(self.temporary.name)), ["cube.h5", "report.html", "rules.txt"])
        self.assertEqual([a for a in found.addresses if not a.startswith(("data:", "#"))], [])
        self.assertTrue({a[1:] for a in found.addresses if a.startswith("#")} <= found.ids)
        words = found.text()
        for told in ("if k < 3 then ode15s & event", "made up", "rhs 1", "saltus recommend cube.h5 --at NAME=VALUE,.. --error E", "2 of 16"):
            self.assertIn(told, words)
        meta = found.meta
        self.assertEqual([c["name"] for c in meta["columns"]], ["b", "k"])
        self.assertEqual(meta["fixed"], [["m1", "made-up m1", "1.88"]])
        self.assertEqual((meta["start"], meta["error"]), ([1480, 5], 1e-3))
        self.assertEqual(meta["calibration"][0], {"asked": 1e-2, "answers": 30, "predicted": 0.9, "observed": 0.91})
        self.assertEqual(meta["calibration"][2]["answers"], 0)

    def test_the_script_is_the_only_one_that_runs(self):
        made_up_map.write(self.cube, MANY, planted)
        found = self.read()
        (policy,) = [m["content"] for m in found.metas if m.get("http-equiv") == "Content-Security-Policy"]
        digest = base64.b64encode(hashlib.sha256("".join(found.scripts).encode()).digest()).decode()
        self.assertIn("default-src 'none'", policy)
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertNotIn("connect-src", policy)

    def test_numbers_are_those_of_the_cube(self):
        """Errors with those of the references, loosest tolerance first; NaN for what failed, whose work stays."""
        made_up_map.write(self.cube, MANY, planted, noise=True)
        found = self.read()
        with h5py.File(self.cube) as file:
            error, work = file["max_error"][...], file["rhs_evaluations"][...].astype(float)
            error = error + file["reference_error_watched"][...][:, None, None, None]
        shown = found.numbers("errors", "<f4").reshape(16, 14, 3)
        np.testing.assert_array_equal(shown, error.transpose(0, 2, 3, 1).reshape(16, 14, 3).astype("f4"))
        self.assertGreater(int(np.isnan(shown).sum()), 16)
        np.testing.assert_array_equal(found.numbers("works", "<f4"), work.transpose(0, 2, 3, 1).ravel().astype("f4"))
        places = found.numbers("places", "<f8").reshape(16, 2)
        np.testing.assert_allclose(places[:, 1], np.tile(np.log([1, 3, 22.8, 100]) / np.log(100), 4), atol=1e-15)
        self.assertEqual(found.meta["pairs"][:2], [["switch", "ode23"], ["switch", "ode45"]])

    def test_axes_of_all_kinds(self):
        """Where places lie between the ends is as the program has it."""
        made_up_map.write(self.cube, MANY, planted, scattered=True)
        kinds = {
            "linear": ([{"name": "b", "linear": [500, 4500], "points": 16}], False, (500, 4500)),
            "log": ([{"name": "b", "log": [500, 4500], "points": 16}], True, (500, 4500)),
            "list": ([{"name": "b", "list": [550, 4000]}], True, (550, 4000)),
            "rows": ([{"columns": ["b"], "rows": [[550], [4000]]}], False, (550, 4000)),
            "random": ([{"columns": ["b"], "random": [[500, 4500]], "points": 16}], False, (500, 4500)),
            "sobol": ([{"columns": ["b"], "sobol": [[500, 4500]], "log": True, "points": 16}], True, (500, 4500)),
            "some": ([{"columns": ["k", "b"], "sobol": [[1, 100], [500, 4500]], "log": ["b"], "points": 16}], True, (500, 4500)),
        }
        for kind, (axes, log, ends) in kinds.items():
            self.sweep({"axes": axes})
            columns = page_data.open_runs(self.cube, open_group(self.cube, "map")).columns
            one = next(c for c in columns if c.name == "b")
            self.assertEqual((one.log, (one.lo, one.hi)), (log, ends), kind)
            measured = np.log if log else float
            want = (measured(1951) - measured(ends[0])) / (measured(ends[1]) - measured(ends[0]))
            self.assertAlmostEqual(one.places[8], want, places=14, msg=kind)
        self.assertFalse(next(c for c in columns if c.name == "k").log)

    def test_words_divide_the_cells(self):
        made_up_map.write(self.cube, {"b": range(1, 13), "k": (0, 1)}, planted)
        with h5py.File(self.cube, "a") as file:
            for name in ("k", "axes/k"):
                file[name].attrs["flag_meanings"] = "literal clamp"
        self.sweep({"axes": [{"name": "b", "list": list(range(1, 13))}, {"name": "k", "list": ["literal", "clamp"]}]})
        with h5py.File(self.cube, "a") as file:
            made_up_map.put_reader(file, 1)
        found = self.read()
        self.assertEqual([o["words"] for o in found.meta["options"]], [["literal", "clamp"]])
        self.assertEqual(found.meta["samples"], ["0", "1"])
        np.testing.assert_array_equal(found.numbers("samples", "<i4"), np.tile([0, 1], 12))

    def test_a_large_cube_is_thinned_evenly(self):
        axes = [{"name": n, "log": [1, 10], "points": 20} for n in "abc"]
        cells = page_data.chosen_cells(8000, axes, 400)
        self.assertEqual((cells.size, np.unique(cells).size), (400, 400))
        for place in np.unravel_index(cells, (20, 20, 20)):
            n = np.bincount(place, minlength=20)
            self.assertGreaterEqual(n.min(), 15)
            self.assertLessEqual(n.max(), 25)
        sobol = [{"columns": ["a"], "sobol": [[1, 2]], "points": 8000}]
        np.testing.assert_array_equal(page_data.chosen_cells(8000, sobol, 400), np.arange(400))
        np.testing.assert_array_equal(page_data.chosen_cells(300, axes, 400), np.arange(300))

    def test_scattered_cells_count_for_answers_and_not_for_axes(self):
        made_up_map.write(self.cube, MANY, planted, noise=True)
        before = self.read()
        made_up_map.write(self.cube, {"b": (*MANY["b"], 3000), "k": MANY["k"], "m1": (1.88,)}, planted, noise=True)
        with h5py.File(self.cube, "a") as file:
            file.attrs.update(scattered_cells=4, axis_sizes=[4, 4, 1])
        found = self.read()
        self.assertEqual((before.meta["kept"], found.meta["kept"]), (16, 20))
        self.assertIn("16 sets of parameters", found.text())

    def test_what_a_large_page_reads(self):
        """The same cells of a thinned grid, however they are read."""
        made_up_map.write(self.cube, MANY, planted, noise=True)
        of_map, own = open_group(self.cube, "map"), page_data.RUNS
        whole = page_data.open_runs(self.cube, of_map)
        self.addCleanup(setattr, page_data, "RUNS", own)
        page_data.RUNS = 6 * 42
        some = page_data.open_runs(self.cube, of_map)
        kept = page_data.chosen_cells(16, yaml.safe_load(h5py.File(self.cube).attrs["sweep"])["cells"]["axes"], 6)
        self.assertEqual((some.n_kept, some.n_cell, whole.n_kept), (6, 16, 16))
        for name in ("error", "work", "reference_error"):
            np.testing.assert_array_equal(getattr(some, name), getattr(whole, name)[kept])
        np.testing.assert_array_equal(some.columns[0].values, whole.columns[0].values[kept])

    def test_too_few_cells_make_a_table(self):
        gaps = {0: None, 1: made_up_map.NO_REFERENCE}
        made_up_map.write(self.cube, FEW, lambda c, at: gaps.get(c, ("ode45", "event", 0.3)))
        found = self.read()
        self.assertNotIn("explorer", found.ids)
        self.assertEqual(found.blocks, {})
        for told in ("there are 4, and 9 are needed", "no solver reaches it", "not known: the reference is not good enough", "ode45 event 0.001 (100)"):
            self.assertIn(told, found.text())

    def test_hostile_names_stay_text(self):
        """Nothing in titles, axes, solvers and strategies becomes a tag or is loaded."""
        made_up_map.write(self.cube, MANY, planted)
        image, svg = "<img src=x onerror=alert(1)>", "</script><svg/onload=alert(4)>"
        with h5py.File(self.cube, "a") as file:
            file.attrs.update(title=image, command=image)
            for name in ("b", "k", "axes/b", "axes/k"):
                file[name].attrs.update(long_name=image + name, units=svg)
            for flags in (v for v in file["map"].values() if "flag_meanings" in v.attrs):
                words = flags.attrs["flag_meanings"]
                flags.attrs["flag_meanings"] = words.replace("event", svg).replace("ode15s", "<b>15s")
            names = [svg if name == "event" else name for name in made_up.STRATEGIES]
            file["strategy"][...] = np.array(names, dtype=object)
            made_up.dataset(file, "solver_title", np.array([image] * len(made_up.SOLVERS), dtype=h5py.string_dtype()), ("solver",))
        found = self.read()
        self.assertEqual(len(found.scripts), 1)
        self.assertNotIn("img", found.tags)
        self.assertFalse([a for a in found.attributes if a.startswith("on")])
        self.assertIn(image, found.text())
        self.assertEqual(found.meta["pairs"][7], [svg, "ode23"])

    def test_what_was_run_and_stopped_is_said(self):
        """Solvers have the words of their cube beside them, and shares of stopped runs are said."""
        solvers = xr.Dataset(coords={"solver": ["ode45", "petsc-rk5dp"], "solver_title": ("solver", ["Dormand and Prince", "PETSc TS rk"])})
        self.assertEqual(report_fixed.described(solvers, "solver", "solver_title"), [("ode45", "Dormand and Prince"), ("petsc-rk5dp", "PETSc TS rk")])
        words = {"flag_meanings": "done incompatible over_cutoff"}
        outcome = np.zeros((4, 1, 1, 5), dtype=int)
        outcome[..., 0], outcome[0, 0, 0, 1:] = 1, 2
        cube = xr.Dataset({"outcome": (("cell", "rtol", "strategy", "solver"), outcome, words)})
        count = report_fixed.outcome_counts
        self.assertIn("25 % of the runs were stopped", report_fixed._stopped(cube, count(cube)))
        self.assertIn("4 configurations, a solver with a strategy at a tolerance each, of 5", report_fixed._configs(cube))
        self.assertEqual(report_fixed._stopped(cube.isel(cell=[1, 2]), count(cube.isel(cell=[1, 2]))), "")

    def test_figures_of_regret(self):
        """One picture and one table, of rules without those of a single probability."""
        made_up_map.write(self.cube, MANY, planted)
        row = {"points": 90, "where": "", "predicted": 0.9, "predicted se": 0.01, "observed": 0.88, "observed se": 0.02, "vs oracle": 1.05, "vs oracle se": 0.01}
        rows = [row | {"rule": "least expected total work", "retry": 0.36, "retry se": 0.04, "gap closed": None}, row | {"rule": "probability 0.9"}]
        bins = [{"predicted": 0.75, "observed": 0.7, "points": 20, "bar": 0.1}, {"predicted": 0.95, "observed": 0.93, "points": 70, "bar": 0.03}]
        found = [{"error": 1e-2, "points": 90, "rows": rows, "reliability": bins}, {"error": 1e-9, "points": 0, "rows": []}]
        shown = self.read("--regret", self.file("regret.json", json.dumps(found)))
        self.assertIn("0.01 least expected total work 90 ± 1 % 88 ± 2 % 36 ± 4 % 1.05 ± 0.01", shown.text())
        self.assertNotIn("probability 0.9", shown.text())
        self.assertIn("0.01 75 % 70 ± 10 % 20", shown.text())
        self.assertIn("svg", shown.tags)
        self.refuses("--regret", self.file("other.json", '{"rows": 3}'), saying="no figures of analysis/regret.py")

    def test_a_folder_gets_an_index(self):
        made_up_map.write(self.cube, MANY, planted)
        self.read(out=self.path("report"))
        self.assertEqual(os.listdir(self.path("report")), ["index.html"])

    def test_bad_input_is_told_in_one_line(self):
        self.refuses(saying="no such file")
        made_up_map.write(self.cube, MANY, planted, with_map=False)
        self.refuses(saying="the cube has no map; make it with `saltus map")
        made_up_map.write(self.cube, MANY, planted)
        self.refuses("--rules", self.path("none.txt"), saying="none.txt: No such file")
        self.refuses("--regret", self.file("bad.json", "{"), saying="bad.json: no JSON (line 1")
        self.refuses("--at", "z=3", saying="--at: no axis z; there are b, k")
        self.refuses("--at", "k=much", saying="'k=much' is not NAME=VALUE")
        self.refuses("--error", "0", saying="--error: 0 is not allowed")
        self.refuses("--steps", self.path("none.yaml"), saying="none.yaml: No such file")
        self.refuses("--steps", self.file("t.yaml", "step_costs: 1\nmachine: mine\nstates: [1]\nsteps:\n- {solver: ode45, strategy: switch, ns: [1e3]}\n"),
                     saying="t.yaml: has no step of ")
        self.refuses("--steps", self.file("bad.yaml", "steps: 3"), saying="bad.yaml:1: no table of steps")
        with h5py.File(self.cube, "a") as file:
            del file["map"].attrs["surrogate_scale"]
        self.refuses(saying=f"run `saltus map {self.cube}` first")
        self.assertFalse(os.path.exists(self.out))

    def test_times_of_steps_are_those_of_a_table(self):
        """As tests/sweep/test_step_table.c has it."""
        for n, ns in ((2, 100), (3, 225), (4, 400), (8, 800), (64, 6400), (1, 100)):
            self.assertAlmostEqual(1e9 * page_cost.power([2, 4, 16], [100, 400, 1600], n), ns, 6)
        own = page_cost.read(page_cost.STEPS)
        self.assertGreater(len(own.rows), 60)
        for (solver, strategy, lanes), times in own.rows.items():
            for n, ns in zip(own.states, times):
                if ns > 0:
                    self.assertAlmostEqual(1e9 * own.step(solver, strategy, lanes or 4, n) / ns, 1, 9)
        self.assertAlmostEqual(1e9 * page_cost.power([2, 4, 16], [100, 100, 50], 64), 50, 9)
        head = "step_costs: 1\nmachine: mine\nstates: [2, 8]\nsteps:\n"
        text = head + "- {solver: ode45, strategy: event, lanes: 4, ns: [10, 40]}\n- {solver: ode23, strategy: switch, ns: [7, 0]}\n"
        table = self.file("t.yaml", text)
        found = page_cost.steps_of([("event", "ode45"), ("switch", "ode23")], 4, table, 4)
        np.testing.assert_allclose(found["steps"], [20e-9, 7e-9], rtol=1e-12)
        self.assertEqual((found["machine"], found["lanes"]), ("mine", 4))
        for bad, line in (("steps: [", 1), (head.replace("1", "2", 1), 1), (text + text.splitlines()[4], 7), (text + "- {solver: ode45}", 7),
                          (head + "- {solver: a, strategy: event, lanes: 3, ns: [1, 2]}", 5), (head + "- {solver: a, strategy: evnt, ns: [1, 2]}", 5),
                          (head + "- {solver: a, strategy: event, ns: [1]}", 5), (head + "- {solver: a, strategy: event, ns: [1, fast]}", 5)):
            with self.assertRaisesRegex(NotOurs, f"bad.yaml:{line}: no "):
                page_cost.read(self.file("bad.yaml", bad))
        with self.assertRaisesRegex(NotOurs, "has no step of ode45 with event and 1 lane$"):
            page_cost.steps_of([("event", "ode45")], 4, table)
        self.assertIsNone(page_cost.steps_of([("event", "stranger")], 4))

    def test_texts_of_a_page_are_no_html(self):
        shown = page.paragraph("<b>") + page.table(["<b>"], [["<b>"]], "<b>") + page.details("<b>")
        self.assertEqual((shown.count("<b>"), shown.count("&lt;b&gt;")), (0, 5))


unittest.main()
