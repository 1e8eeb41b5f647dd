"""The page beside the program; analysis/ is on the path of modules."""

import json
import os
import random
import subprocess
import unittest

import h5py
import numpy as np
import yaml

import page_data
import page_cost
from cube import open_group
from in_browser import POINTS, READY, InBrowser, near

ANALYSIS = os.path.dirname(os.path.abspath(page_data.__file__))
SALTUS = os.environ.get("SALTUS_BESIDE")

SWEEP = """\
title: hoppers
model: monopod
cells:
  axes:
    - {columns: [b, k], random: [[550, 38000], [1, 480]], points: 40, seed: 3}
    - {name: adhesion, list: [literal, clamp]}
initial: {y1: 0.5, v1: 0, y2: 1.5, v2: 0}
t_end: 12
mesh: 0.05
solvers: [ode45, ode113, ode15s]
strategies: [switch, event]
rtol: [1e-3, 1e-5, 1e-7, 1e-8]
cutoff: {baselines: [ode113], error: 1e-6, factor: 2.5, order: tolerances, loosest: 1e-1}
"""


@unittest.skipIf(SALTUS is None, "no program to compare with")
class Program(InBrowser):
    """The page beside `saltus recommend` on the same cube: the same answers to 1e-6."""

    @classmethod
    def setUpClass(cls):
        """The cube is that of the environment, or a small sweep of 80 cells."""
        super().setUpClass()
        path = lambda name: os.path.join(cls.temporary.name, name)  # noqa: E731
        cls.cube, cls.page = os.environ.get("SAL_PAGE_CUBE", path("hoppers.h5")), path("page.html")
        if "SAL_PAGE_CUBE" not in os.environ:
            with open(path("hoppers.yaml"), "w", encoding="utf-8") as file:
                file.write(SWEEP)
            cls.saltus("run", path("hoppers.yaml"), "-o", cls.cube, "-q")
        cls.timed = ("--lanes", "4", "--steps", cls.own_steps(path("steps.yaml")))
        subprocess.run([os.path.join(ANALYSIS, "report.py"), cls.cube, "-o", cls.page, *cls.timed], check=True,
                       capture_output=True, env=dict(os.environ, SALTUS=SALTUS))  # which lists the orders of solvers

    @staticmethod
    def own_steps(path):
        """The program's table, with steps in lanes that take longer than they do."""
        with open(page_cost.STEPS, encoding="utf-8") as file:
            table = yaml.safe_load(file)
        rows = [row | {"ns": [3 * float(v) for v in row["ns"]]} for row in table["steps"] if row.get("lanes", 4) == 4]
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(table | {"steps": rows}, file)
        return path

    @staticmethod
    def saltus(*arguments):
        return subprocess.run([SALTUS, *arguments], check=True, capture_output=True, text=True).stdout

    def open(self):
        """The page of the cube; returns its metadata."""
        self.browser.show(1280)
        self.browser.open(self.page, READY)
        return self.browser.run("explorer.meta")

    def test_answers_are_those_of_the_program(self):
        cube, draw, meta, answered, attempts = self.cube, random.Random(17), self.open(), 0, 0
        if "SAL_PAGE_CUBE" not in os.environ:
            self.assertGreater(self.browser.run("explorer.surrogate.stopped.length"), 100)  # whose work is what they would have taken
        for point in range(max(8, POINTS // 2)):
            f_cost = (0, 3e-9, 1e-6)[point % 3]
            self.browser.run(f"explorer.takeCost({f_cost!r})")
            more = ("--f-costs", repr(f_cost), *self.timed) if f_cost else ()
            self.assertEqual(" ".join(self.timed) in self.browser.run("explorer.question()"), f_cost > 0)
            values = [c["lo"] * (c["hi"] / c["lo"]) ** draw.random() for c in meta["columns"]]
            words, error = [draw.choice(o["values"]) for o in meta["options"]], float(f"{10 ** draw.uniform(-6.5, -1.5):.6g}")
            at = [f"{c['name']}={v!r}" for c, v in zip(meta["columns"], values)]
            at += [f"{o['name']}={o['words'][w]}" for o, w in zip(meta["options"], words)]
            want = json.loads(self.saltus("recommend", "--json", "--at", ",".join(at), "--error", repr(error), *more, cube))
            sample = meta["samples"].index(" ".join(map(str, words)))
            got = self.browser.run(f"explorer.surrogate.ask(explorer.places({json.dumps(values)}), {sample}, {error!r})")
            self.assertEqual(len(got["schedule"]), len(want["schedule"]), (at, error))
            for mine, tried in zip(got["schedule"], want["schedule"]):
                attempts += self.compare(mine, tried, meta["pairs"], (at, error, "schedule"), ("rtol", "probability", "error", "work", "needed"))
            for key, mine in (("answer", got["best"]), ("safe", got["safe"])):
                answered += self.compare(mine, want[key], meta["pairs"], (at, error, key))
            self.assertTrue(near(got["likely"]["probability"], want["likely"]["probability"]), (at, error))
            self.assertTrue(near(got["unverified"], want["unverified"]), (at, error))
        self.assertGreater(answered, 8)
        self.assertGreater(attempts, 1.5 * POINTS // 2)  # most schedules have a second attempt

    def take_all_digits(self):
        """Errors and work as the cube has them, in place of those that the page holds in single precision."""
        runs = page_data.open_runs(self.cube, open_group(self.cube, "map"))
        error, done, f = ([None if np.isnan(v) else v for v in np.ravel(of)] for of in (runs.error, runs.done, runs.evaluations))
        self.browser.run(f"""(() => {{ const r = explorer.surrogate, exact = (of, make) => Float64Array.from(of, (v) => v === null ? NaN : make(v));
            r.lnError = exact({json.dumps(error)}, (e) => Math.log(Math.max(e, 1e-16)));
            r.done = exact({json.dumps(done)}, (v) => v); r.fCost.evaluations = exact({json.dumps(f)}, (v) => v); setCost(r, 0); }})()""")

    def test_the_map_is_that_of_the_raster(self):
        """At all points of a small raster: the winner, its margin over the other solvers, and its confidence."""
        meta, n = self.open(), 8
        self.take_all_digits()
        x, y = (meta["columns"][k]["name"] for k in (0, 1))
        still = [f"{c['name']}={(c['lo'] * c['hi']) ** 0.5!r}" for c in meta["columns"][2:]]
        still += [f"{o['name']}={o['words'][o['values'][0]]}" for o in meta["options"]]
        path = os.path.join(self.temporary.name, "raster.h5")
        led, winners = 0, set()
        for error, may in ((1e-3, "ode45,ode113,ode15s"), (1e-3, "ode45,ode15s"), (1e-6, "ode45,ode113,ode15s")):
            self.saltus("raster", self.cube, "--error", repr(error), "--solvers", may, "--x", x, "--y", y, "--size", f"{n}x{n}", "--at", ",".join(still), "-o", path)
            with h5py.File(path) as file:
                want = {name: file[name][...].reshape(n, n) for name in ("solver_number", "other_solver_number", "other_margin", "other_confidence")}
                solvers = dict(enumerate(file.attrs["solvers"].decode().split(), 1))
            os.remove(path)
            sample = meta["samples"].index(" ".join(str(o["values"][0]) for o in meta["options"]))
            got = self.browser.run(f"""(() => {{ const r = explorer.surrogate, m = explorer.meta, n = {n}, out = [];
                for (let k = 0; k < n * n; ++k) {{
                    const z = m.columns.map((c) => placeOf(c, Math.sqrt(c.lo * c.hi)));
                    [z[0], z[1]] = [(k % n + 0.5) / n, (Math.floor(k / n) + 0.5) / n];
                    out.push(r.winner(z, {sample}, {error!r}, m.pairs.map((p) => {json.dumps(may.split(","))}.includes(p[1])), (p) => m.pairs[p][1])); }}
                return out; }})()""")
            for k, mine in enumerate(got):
                number = want["solver_number"].flat[k]
                self.assertEqual(meta["pairs"][mine["pair"]][1] if mine["pair"] >= 0 else None, solvers.get(int(number)))
                winners.add(int(number))
                if want["other_solver_number"].flat[k] == 0:
                    continue
                led += 1
                self.assertEqual(meta["pairs"][mine["other"]][1], solvers[int(want["other_solver_number"].flat[k])])
                self.assertTrue(near(1 + mine["margin"], 1 + want["other_margin"].flat[k], 1e-6), (k, mine))
                if mine["confidence"] is not None:
                    self.assertTrue(near(mine["confidence"], want["other_confidence"].flat[k], 1e-6), (k, mine, want["other_confidence"].flat[k]))
        self.assertGreater(led, n * n)
        self.assertGreater(len(winners), 1)

    def test_boxes_are_those_of_the_program(self):
        """Shares of winners, ranges, and one answer for all of a box: to 1e-9, from the same errors and work."""
        meta, draw, ones, shared = self.open(), random.Random(29), 0, 0
        self.take_all_digits()
        for turn in range(6):
            f_cost, probability = (0, 1e-6)[turn % 2], (None, 0.6)[turn // 3]
            self.browser.run(f"explorer.takeCost({f_cost!r})")
            values = [sorted(c["lo"] * (c["hi"] / c["lo"]) ** draw.random() for _ in range(2)) for c in meta["columns"]]
            at, error = [f"{c['name']}={lo!r}..{hi!r}" for c, (lo, hi) in zip(meta["columns"], values)], (3e-3, 1e-4, 2e-6)[turn % 3]
            if turn == 1:
                values[0][1] = values[0][0]
                at[0] = f"{meta['columns'][0]['name']}={values[0][0]!r}"
            words = [draw.choice(o["values"]) for o in meta["options"]]
            at += [f"{o['name']}={o['words'][w]}" for o, w in zip(meta["options"], words)]
            more = [*(("--f-costs", repr(f_cost), *self.timed) if f_cost else ()), *(("--probability", repr(probability)) if probability else ())]
            want = json.loads(self.saltus("recommend", "--json", "--at", ",".join(at), "--error", repr(error), *more, self.cube))["box"]
            asked = {"sample": meta["samples"].index(" ".join(map(str, words))), "error": error, **({"probability": probability} if probability else {})}
            got = self.browser.run(f"""(() => {{ const ends = {json.dumps(values)}.map((e, i) => e.map((v) => placeOf(explorer.meta.columns[i], v)));
                const box = new BoxAnswer(explorer.surrogate, {{ ends, allowed: explorer.allowed, ...{json.dumps(asked)} }});
                while (!box.done) box.next();
                return box.found(); }})()""")
            shared += len(got["winners"]) > 1
            ones += self.compare_boxes(got, want, meta["pairs"], (at, error, more))
        self.assertGreater(ones, 2)
        self.assertGreater(shared, 1)

    def compare_boxes(self, got, want, pairs, where):
        """1 where there is one answer for all of it."""
        self.assertEqual([[*pairs[w["pair"]], w["share"]] for w in got["winners"]], [[w["strategy"], w["solver"], w["share"]] for w in want["winners"]], where)
        self.assertEqual((got["unanswered"], got["unverified"]), (want["unanswered"], want["unverified"]), where)
        ranges = [(got[name], want[name]) for name in ("probability", "work", "total") if got["winners"]]
        self.assertEqual(got["one"] is None, want["one"] is None, where)
        if got["one"]:
            ranges += [(got["one"][name], want["one"][name]) for name in ("probability", "work")]
            self.assertEqual(pairs[got["one"]["pair"]], [want["one"]["strategy"], want["one"]["solver"]], where)
            self.assertTrue(near(1 + got["one"]["more"], 1 + want["one"]["more"], 1e-9), where)
        for mine, theirs in ranges:
            for key in ("least", "mean", "most"):
                self.assertTrue(near(mine[key], theirs[key], 1e-9), (where, key, mine, theirs))
        return got["one"] is not None

    def compare(self, mine, want, pairs, where, keys=("rtol", "probability", "error", "work", "total")):
        if want is None or want.get("solver") is None:
            self.assertIsNone(mine, where)
            return 0
        self.assertEqual(pairs[mine["pair"]], [want["strategy"], want["solver"]], where)
        for key in keys:
            self.assertTrue(near(mine[key], want[key]), (where, key, mine, want))
        return 1
