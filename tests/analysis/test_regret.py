"""test_regret.py ANALYSIS_DIR: what answers are worth, at points whose errors are drawn from known distributions."""

import json
import math
import os
import sys
import tempfile
import unittest

import h5py
import numpy as np

import made_up
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)

import judge  # noqa: E402
import regret_data  # noqa: E402

DIMS = made_up.DIMS
SOLVERS, STRATEGIES = ("ode45", "ode113"), ("switch", "event")
ASKED, POINTS, REPLICATES = 1e-4, 60, 5
QUARTERS, DECADES = 10 ** -np.arange(2, 8.1, 0.25), 10.0 ** -np.arange(2, 9)
SPREAD = {"ode45": 0.3, "ode113": 1.0}  # of ln error


def middle_of_error(at, tolerance, solver):
    return math.log(tolerance) + at + (0 if solver == "ode45" else 1)


def work_of(tolerance, solver):
    return 1000 * tolerance**-0.125 * (1.0 if solver == "ode45" else 0.4)


def chance(at, tolerance, solver, scatter):
    off = math.log(ASKED) - middle_of_error(at, tolerance, solver)
    return 0.5 * (1 + math.erf(off / (SPREAD[solver] * math.sqrt(2)))) if scatter else float(off >= 0)


class Pooled(unittest.TestCase):
    def test_tails_are_those_of_sums_of_independent_hits(self):
        def binomial(n, p, hits):
            return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in hits)

        few, many = judge.tails(np.full(20, 0.9), np.arange(20) < 15)
        self.assertAlmostEqual(few, binomial(20, 0.9, range(16)), places=12)
        self.assertAlmostEqual(many, binomial(20, 0.9, range(15, 21)), places=12)
        self.assertLess(few, 0.05)
        few, many = judge.tails(np.array([0.5, 0.25]), np.zeros(2))
        self.assertAlmostEqual(few, 0.5 * 0.75)
        self.assertAlmostEqual(many, 1)


class Judged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def cube(self, name, at, tolerances, scatter):
        """Cells with a number that shifts all errors; strategies are alike."""
        draw = np.random.default_rng(7)
        shape = (len(at), len(tolerances), len(STRATEGIES), len(SOLVERS))
        with h5py.File(self.path(name), "w") as file:
            for dim, values in zip(DIMS, (np.arange(len(at)), tolerances)):
                made_up.coordinate(file, dim, values)
            for dim, names in zip(DIMS[2:], (STRATEGIES, SOLVERS)):
                made_up.coordinate(file, dim, np.array(names, dtype="S8"))
            error = np.array([[[[middle_of_error(z, t, m) for m in SOLVERS] for _ in STRATEGIES] for t in tolerances]
                              for z in at])
            error += scatter * draw.standard_normal(shape) * [SPREAD[m] for m in SOLVERS]
            work = np.broadcast_to([[[work_of(t, m) for m in SOLVERS]] for t in tolerances], shape)
            made_up.dataset(file, "max_error", np.exp(error), DIMS)
            made_up.dataset(file, "rhs_evaluations", work.copy(), DIMS)
            made_up.dataset(file, "outcome", np.zeros(shape, dtype=np.int8), DIMS, flag_meanings="done stuck")
            for name_of, kind in (("reference_outcome", np.int8), ("reference_error_watched", float)):
                made_up.dataset(file, name_of, np.zeros(len(at), dtype=kind), DIMS[:1], flag_meanings="done stuck")
            file.attrs.update(title="made up", layout=4)

    def answers(self, name, at, choose, then=()):
        """choose(at) -> the answer; that of each probability is the same.  then: what its schedule tries after a miss."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(json.dumps({"solvers": SOLVERS, "strategies": STRATEGIES, "errors": [ASKED], "probabilities": [0.9], "by": "max_error", "replicates": REPLICATES,
                                   "reference": "reference_error_watched", "work": {"rhs_evaluations": 2}}) + "\n")
            for p, z in enumerate(at):
                chosen = choose(z)
                cells = list(range(p * REPLICATES, (p + 1) * REPLICATES))
                answer = {"error": ASKED, "total": chosen, "likely": chosen, "confident": [chosen], "schedule": [chosen, *then]}
                file.write(json.dumps({"at": {"z": z}, "cells": cells, "answers": [answer]}) + "\n")

    def make(self, scatter, choose):
        at = np.random.default_rng(3).uniform(-1, 1, POINTS)
        self.cube("map.h5", np.linspace(-1, 1, 40), DECADES, scatter)
        self.cube("points.h5", np.repeat(at, REPLICATES), QUARTERS, scatter)
        self.answers("answers.json", at.tolist(), choose)

    def judge(self, drawn=False):
        done = script.run(os.path.join(ANALYSIS, "regret.py"), *map(self.path, ("map.h5", "points.h5", "answers.json")),
                          "-o", self.path("out"), drawn=drawn)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path("out/regret.json"), encoding="utf-8") as file:
            part, = json.load(file)["judged"]
        with open(self.path("out/regret.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), done.stdout)
        return part, {row["rule"]: row for row in part["rows"]}

    @staticmethod
    def choice(z, tolerance, solver, scatter, shift=0.0):
        return {"solver": solver, "strategy": "event", "rtol": tolerance, "error": 1, "work": 1, "total": 1,
                "probability": min(1, chance(z, tolerance, solver, scatter) + shift)}

    def test_who_knows_everything_has_no_regret(self):
        def best(z):
            able = [(work_of(t, m), t, m) for t in QUARTERS for m in SOLVERS if chance(z, t, m, False)]
            _, tolerance, solver = min(able)
            return self.choice(z, tolerance, solver, False)

        self.make(0, best)
        _, rows = self.judge()
        for name in ("least expected total work", "probability 0.9", "distribution oracle"):
            for figure, value in {"observed": 1, "retry": 0, "gap closed": 1}.items():
                self.assertAlmostEqual(rows[name][figure], value, delta=1e-12, msg=(name, figure))
        self.assertAlmostEqual(rows["probability 0.9"]["vs oracle"], 1, delta=1e-12)
        self.assertGreater(rows["single best"]["retry"], 0.05)
        self.assertEqual(rows["single best"]["where"].split(":")[1], "ode113")

    def test_other_errors_are_judged_by_their_data(self):
        """The integral: errors twice as large asked for by twice as much are the same question; a reference's error counts as long as the run."""
        self.make(1, lambda z: self.choice(z, 1e-4, "ode113", True))
        before = self.judge()
        for name in ("map.h5", "points.h5"):
            with h5py.File(self.path(name), "a") as file:
                made_up.dataset(file, "integral_absolute_error", file["max_error"][...], DIMS)
                del file["max_error"]
                file.attrs["t_end"] = 3.0
        with open(self.path("answers.json"), encoding="utf-8") as file:
            text = file.read().replace('"max_error"', '"integral_absolute_error"')
        with open(self.path("answers.json"), "w", encoding="utf-8") as file:
            file.write(text)
        part, rows = self.judge()
        self.assertEqual(part["what"], "integral of the absolute error")
        self.assertEqual(rows, before[1])
        with h5py.File(self.path("points.h5"), "a") as file:
            file["reference_error_watched"][...] = 0.4 * ASKED  # 1.2 times what is asked for, over three units of time
        self.assertEqual(self.judge()[0]["points"], 0)
        with open(self.path("answers.json"), "w", encoding="utf-8") as file:
            file.write(text.replace('"integral_absolute_error"', '"energy_drift"'))
        done = script.run(os.path.join(ANALYSIS, "regret.py"), *map(self.path, ("map.h5", "points.h5", "answers.json")), "-o", self.path("out"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("answers by energy_drift; judged are those by max_error, integral_absolute_error, end_error, multiplier_error, period_error", done.stderr)

    def test_errors_of_orbits_are_known_where_there_is_one(self):
        """Cells with a cycle count, and no more of an error is known than how closely that was closed."""
        self.make(1, lambda z: self.choice(z, 1e-4, "ode113", True))
        before = self.judge()
        for name in ("map.h5", "points.h5"):
            with h5py.File(self.path(name), "a") as file:
                made_up.dataset(file, "period_error", file["max_error"][...] + file["reference_error_watched"][...][:, None, None, None], DIMS)
                made_up.dataset(file, "orbit_residual", np.zeros(len(file["cell"])), ("cell",))
                made_up.dataset(file, "orbit_verdict", np.ones(len(file["cell"]), dtype=int), ("cell",), flag_values=np.arange(3), flag_meanings="rest cycle grazes")
                del file["max_error"], file["reference_outcome"], file["reference_error_watched"]
        with open(self.path("answers.json"), encoding="utf-8") as file:
            text = file.read().replace('"max_error"', '"period_error"').replace('"reference_error_watched"', '"orbit_residual"')

        def judged(least):
            with open(self.path("answers.json"), "w", encoding="utf-8") as file:
                file.write(text.replace('"replicates"', f'"reference_least": {least!r}, "replicates"', 1))
            return self.judge()

        part, rows = judged(0.0)
        self.assertEqual((part["what"], rows), ("error of the period", before[1]))
        self.assertEqual(judged(1.2 * ASKED)[0]["points"], 0)
        with h5py.File(self.path("points.h5"), "a") as file:
            file["orbit_verdict"][...] = 2
        self.assertEqual(judged(0.0)[0]["points"], 0)

    def test_predictions_are_held_against_observations(self):
        def at_threshold(z):
            tolerance = next(t for t in QUARTERS if chance(z, t, "ode113", True) >= 0.8)
            return self.choice(z, tolerance, "ode113", True)

        self.make(1, at_threshold)
        part, rows = self.judge(drawn=True)
        row = rows["least expected total work"]
        self.assertLess(abs(row["observed - predicted"]), 4 * row["observed - predicted se"])
        self.assertTrue(0.005 < row["observed - predicted se"] < 0.04, row)
        self.assertTrue(0.9 < row["vs oracle"] < 1.1, row["vs oracle"])
        self.assertEqual(sum(b["points"] for b in part["reliability"]), POINTS)
        self.assertTrue(os.path.getsize(self.path("out/regret.png")) > 10000)
        # too much predicted is seen
        self.answers("answers.json", np.random.default_rng(3).uniform(-1, 1, POINTS).tolist(),
                     lambda z: at_threshold(z) | {"probability": min(1, at_threshold(z)["probability"] + 0.1)})
        row = self.judge()[1]["least expected total work"]
        self.assertLess(row["observed - predicted"], -3 * row["observed - predicted se"])

    def test_a_miss_is_paid_for(self):
        """By loops over the runs, for one tolerance and for one between two."""
        for tolerance, shares in ((1e-4, {8: 1}), (10**-4.125, {8: 0.5, 9: 0.5})):
            self.make(1, lambda z, t=tolerance: self.choice(z, t, "ode113", True))
            row = self.judge()[1]["least expected total work"]
            with h5py.File(self.path("points.h5")) as file:
                error, work = (file[name][...] for name in ("max_error", "rhs_evaluations"))
            paid, hits, of_points = [], 0, []
            for e, w in zip(error, work):
                reached = w[e <= ASKED]
                of_points.append(len(paid))
                for level, share in shares.items():
                    spent = 0
                    for k in range(level, len(QUARTERS) + 3, 3):
                        spent += w[k, 1, 1] if k < len(QUARTERS) else reached.max()
                        if k >= len(QUARTERS) or e[k, 1, 1] <= ASKED:
                            break
                    paid.append(share * spent / reached.min())
                    hits += share * (e[level, 1, 1] <= ASKED)
            self.assertAlmostEqual(row["retry"], sum(paid) / len(error) - 1, delta=1e-12)
            means = np.add.reduceat(paid, of_points[::REPLICATES]) / REPLICATES
            self.assertAlmostEqual(row["median retry"], np.median(means) - 1, delta=1e-12)
            self.assertGreater(abs(row["retry"] - row["median retry"]), 1e-3)
            self.assertAlmostEqual(row["observed"], hits / len(error), delta=1e-12)
            self.assertTrue(0.1 < row["observed"] < 0.9)

    def test_a_cap_does_not_choose_the_single_best(self):
        """Runs of A that a cutoff stopped at 1.1 would have ended at 1.2: as misses they make B the best, which it is not."""
        nan, pairs = np.nan, [("event", "A"), ("event", "B")]

        def runs(rows):
            work, error, least = (np.array([row[k] for row in rows], float).reshape(len(rows), 1, 1, 2) for k in range(3))
            return regret_data.Runs(work, error, np.array([1e-4]), pairs, least)

        def single_best(stopped):
            here = runs([stopped] * 6 + [((1, 1), (0, 9), (nan, nan))] * 4)
            whole = runs([((1.2, 1), (0, 0), (nan, nan))] * 6 + [((1, 1), (0, 9), (nan, nan))] * 4)
            row, = regret_data.baselines(here, regret_data.costs_of(here, 1), whole, regret_data.costs_of(whole, 1))
            return row.where, row.total.sum()

        capped = single_best(((nan, 1), (nan, 0), (1.1, nan)))
        self.assertEqual(capped[0], "event:A:0.0001 (or event:B:0.0001, which the map's cutoffs do not distinguish)")
        self.assertAlmostEqual(capped[1], 6 * 1.2 + 4)
        self.assertEqual(single_best(((1.2, 1), (0, 0), (nan, nan)))[0], "event:A:0.0001")
        self.assertEqual(single_best(((1.2, 1), (9, 0), (nan, nan)))[0], "event:B:0.0001")  # where A really misses

    def test_what_was_stopped_is_known_from_the_outcome(self):
        """At a tolerance that is not begun it takes what the looser one had done, at least; of other outcomes nothing is known."""
        self.make(0, lambda z: self.choice(z, 1e-4, "ode113", False))
        with h5py.File(self.path("map.h5"), "r+") as file:
            file["outcome"].attrs["flag_meanings"] = np.bytes_("done stuck over_cutoff skipped_over_cutoff too_inaccurate")
            file["outcome"][0, :, 1, 0] = [0, 0, 2, 3, 3, 1, 4]
            cost = file["rhs_evaluations"][0, :, 1, 0]
            spent = 2 * cost[2]
        question, _ = regret_data.read_answers(self.path("answers.json"))
        runs = regret_data.read_runs(self.path("map.h5"), question)
        np.testing.assert_array_equal(runs.least[0, 0, :, runs.pairs.index(("event", "ode45"))], [np.nan] * 2 + [spent] * 3 + [np.nan] * 2)
        self.assertEqual(np.isfinite(runs.least).sum(), 3)
        fails = (0, 0, 5, runs.pairs.index(("event", "ode45")))
        self.assertEqual(np.argwhere(np.isfinite(runs.failed)).tolist(), [list(fails)])
        self.assertTrue(np.isnan(runs.work[fails]) and runs.failed[fails] == 2 * cost[5])
        self.assertEqual(regret_data.costs_of(runs, 1e9).paid[fails], runs.failed[fails])  # what it has done, not what the most expensive one takes

    def test_a_plan_is_followed(self):
        """By loops over the runs: a first attempt that mostly misses, a second between two tolerances, and the most expensive run."""
        at = np.random.default_rng(3).uniform(-1, 1, POINTS)
        self.make(1, lambda z: self.choice(z, 1e-4, "ode113", True))
        second = self.choice(0, 10**-4.375, "ode45", True)
        self.answers("answers.json", at.tolist(), lambda z: self.choice(z, 1e-4, "ode113", True), [second])
        row = self.judge()[1]["schedule"]
        with h5py.File(self.path("points.h5")) as file:
            error, work = (file[name][...] for name in ("max_error", "rhs_evaluations"))
        paid, hits, ends = [], 0, set()
        for e, w in zip(error, work):
            reached = w[e <= ASKED]
            spent, missed = w[8, 1, 1], float(e[8, 1, 1] > ASKED)
            hits += 1 - missed
            for level in (9, 10):  # each counts as half of the second attempt
                miss = e[level, 1, 0] > ASKED
                spent += missed * 0.5 * (w[level, 1, 0] + miss * reached.max())
                ends.add((missed, bool(miss)))
            paid.append(spent / reached.min())
        self.assertLessEqual({(1.0, True), (1.0, False), (0.0, False)}, ends)
        self.assertAlmostEqual(row["retry"], sum(paid) / len(error) - 1, delta=1e-12)
        self.assertAlmostEqual(row["observed"], hits / len(error), delta=1e-12)

    def test_tolerances_of_the_paper(self):
        runs = regret_data.Runs(np.ones((1, 1, 8, 2)), None, 10.0 ** -np.arange(2, 10), [("switch", m) for m in ("ode45", "ode113")])
        self.assertEqual(regret_data.schedule_of_paper(runs), [0, 0, 0, 1, 1, 1, 0, 0])
        runs.pairs = [("event", m) for m in ("ode45", "ode15s")]
        self.assertIsNone(regret_data.schedule_of_paper(runs))

    def test_a_model_that_leaves_switch_out_has_baselines_by_event(self):
        runs = regret_data.Runs(np.ones((1, 1, 8, 4)), None, 10.0 ** -np.arange(2, 10),
                                [(s, m) for s in ("switch", "event") for m in ("ode45", "ode113")])
        self.assertEqual(regret_data.schedules(runs)["always ode45"], [[0] * 8])
        runs.work[..., :2] = np.nan
        self.assertEqual(regret_data.schedules(runs)["always ode45"], [[2] * 8])
        self.assertEqual(regret_data.schedule_of_paper(runs), [2, 2, 2, 3, 3, 3, 2, 2])

    def test_files_that_do_not_belong_together(self):
        self.make(0, lambda z: self.choice(z, 1e-5, "ode45", False))
        with open(self.path("none.json"), "w", encoding="utf-8") as file:
            file.write("{}\n")
        with open(self.path("answers.json"), encoding="utf-8") as file, open(self.path("old.json"), "w", encoding="utf-8") as old:
            old.write(file.read().replace('"schedule"', '"schedules"'))
        for names, says in {("map.h5", "points.h5", "old.json"): "old.json: not what saltus regret prints",
                            ("map.h5", "points.h5", "none.json"): "none.json: not what saltus regret prints",
                            ("map.h5", "map.h5", "answers.json"): "map.h5: has 40 cells, and answers were printed for more",
                            ("map.h5", "none.h5", "answers.json"): "none.h5: no such file"}.items():
            done = script.run(os.path.join(ANALYSIS, "regret.py"), *map(self.path, names), "-o", self.path("out"), drawn=False)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
