"""Regret as a user meets it: the same figures for any ranks, and those that numpy makes of the two cubes."""
import copy
import csv
import io
import itertools
import json
import math
import os
import signal
import subprocess

import h5py
import numpy as np

import cli

SWEEP = """
model: monopod
t_end: 12
mesh: 0.05
cells:
  axes:
    - {name: b, log: [600, 20000], points: 3}
    - {name: k, linear: [5, 100], points: 3}
methods: [ode45, ode15s, ode113]
strategies: [event, switch]
tolerances: [1e-4, 1e-2, 1e-6, 1e-8]
timing: {repeats: 1}
"""
POINTS = 24
ERRORS = (1e-1, 1e-3, 1e-5, 3e-8)  # the last is out of reach at some points
ASKED = ("--error", ",".join(f"{e:g}" for e in ERRORS))
SELECTORS = ("the map", "always ode45", "always ode15s", "the paper's advice",
             "single best, as safe", "single best, by retries")
REPLICATES = ("best at a replicate", "best at a replicate, cautious")


class Cube:
    """Work and error [cell][contender] as the help of `saltus map` and `regret` has them, and coordinates b, k."""

    def __init__(self, path):
        with h5py.File(path) as file:
            def take(name):
                values = file[name][...].astype(float)
                return values.reshape(len(values), -1)
            done = (take("outcome") == 0) & (take("reference_outcome") == 0)
            n = 4
            work = take("rhs_evaluations") + n * n / 15 * take("factorisations") + n / 5 * take("solves")
            error = take("max_error") + take("reference_error_watched")
            self.work = np.where(done, work, np.nan)
            self.error = np.where(done, error, np.nan)
            self.at = np.stack([file["b"][...], file["k"][...]], axis=1)
            names = [[cli.word(w) for w in file[key][...]] for key in ("strategy", "solver")]
            self.contender = [(float(t), s, m) for t in file["rtol"][...] for s in names[0] for m in names[1]]


def halves(cube):
    """Points and their replicates."""
    n = len(cube.at) // 2
    parts = copy.copy(cube), copy.copy(cube)
    for part, cells in zip(parts, (slice(n), slice(n, None))):
        part.work, part.error, part.at = cube.work[cells], cube.error[cells], cube.at[cells]
    return parts


def schedules(cube):
    """Contenders of each pair of strategy and method, loosest first."""
    pairs = dict.fromkeys(c[1:] for c in cube.contender)
    return {pair: sorted((i for i, c in enumerate(cube.contender) if c[1:] == pair), key=lambda i: -cube.contender[i][0])
            for pair in pairs}


def evaluate(cube, cell, asked, schedule, level):
    """(missed, regret, excess, with retries), or None where no contender reaches it."""
    work, error = cube.work[cell], cube.error[cell]
    able = [w for w, e in zip(work, error) if e <= asked]
    if not able:
        return None
    paid = 0
    for k in schedule[level:]:
        paid += np.nanmax(work) if math.isnan(work[k]) else work[k]
        if error[k] <= asked:
            break
    else:
        paid += max(able)
    k = schedule[level]
    hit = error[k] <= asked
    excess = math.nan if hit else math.inf if math.isnan(error[k]) else error[k] / asked
    return not hit, work[k] / min(able) - 1 if hit else math.nan, excess, paid / min(able) - 1


def recommend(cube, at, asked, caution):
    """Contender that the cells around a point answer with, by hand: b in the logarithm, k linear."""
    axes = [np.unique(cube.at[:, 0]), np.unique(cube.at[:, 1])]
    scaled = [np.log(axes[0]), axes[1]]
    point = [math.log(at[0]), at[1]]
    sides = []
    for axis, x in zip(scaled, point):
        low = min(max(int(np.searchsorted(axis, x)) - 1, 0), len(axis) - 2)
        share = (x - axis[low]) / (axis[low + 1] - axis[low])
        sides.append(((low, 1 - share), (low + 1, share)))
    cells, weights = zip(*((i * len(axes[1]) + j, u * v) for (i, u), (j, v) in itertools.product(*sides)))
    weights = np.array(weights)[:, None]
    work, error = np.log(cube.work[list(cells)]), np.log(cube.error[list(cells)])
    mean = (weights * error).sum(axis=0)
    bound = np.exp(mean + caution * np.sqrt((weights * (error - mean) ** 2).sum(axis=0)))
    cost = np.where(bound <= asked, np.exp((weights * work).sum(axis=0)), np.nan)
    if np.isfinite(cost).any():
        return int(np.nanargmin(cost)), False
    return int(np.nanargmin(bound)), True


def sum_up(evaluations):
    evaluated = [v for v in evaluations if v]
    regret, excess = [v[1] for v in evaluated if not v[0]], [v[2] for v in evaluated if v[0]]
    retried = [v[3] for v in evaluated]

    def quantiles(values, prefix):
        kinds = {"median": np.median, "p90": lambda v: np.quantile(v, 0.9), "worst": np.max, "mean": np.mean}
        return {prefix + kind: float(f(values)) if values else None for kind, f in kinds.items()}
    return {"missed": len(excess), "misses": len(excess) / len(evaluated),
            **quantiles(regret, ""), **quantiles(retried, "retried_"),
            "excess_median": float(np.median(excess)) if excess else None, "excess_worst": max(excess, default=None)}


def pick(cube, asked, candidates, risk):
    """The schedule and level that is as safe as `risk`; by retries when risk is None."""
    def rank(schedule, level):
        evaluated = [v for v in (evaluate(cube, c, asked, schedule, level) for c in range(len(cube.at))) if v]
        share = sum(v[0] for v in evaluated) / len(evaluated)
        regret = [v[1] for v in evaluated if not v[0]]
        mean = sum(regret) / len(regret) if regret else math.inf
        if risk is None:
            return (sum(v[3] for v in evaluated) / len(evaluated),)
        return (0, 0, mean) if share <= risk else (1, share, mean)
    return min(((schedule, level) for schedule in candidates for level in range(len(schedule))), key=lambda x: rank(*x))


def paper(cube):
    """ode45 at 1e-3 and 1e-9, ode113 at 1e-6, the nearest of them by ratio, always with switch."""
    pairs = schedules(cube)
    steps = zip(pairs["switch", "ode45"], pairs["switch", "ode113"])
    return [b if 10 ** -7.5 < cube.contender[a][0] < 10 ** -4.5 else a for a, b in steps]


class WithMap(cli.InFolder):
    """map.h5: 3 x 3 cells."""

    cube = b""  # made by the first test

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        if not WithMap.cube:
            self.works("run", "s.yaml", "-q", "-o", "map.h5")
            WithMap.cube = (self.folder / "map.h5").read_bytes()
        (self.folder / "map.h5").write_bytes(WithMap.cube)


class Regret(WithMap):
    def ask(self, *args, **more):
        return json.loads(self.works("regret", "map.h5", "-q", "--json", *ASKED, *args, **more))

    def close(self, found, wanted):
        for key, value in wanted.items():
            if value is None or math.isinf(value):
                self.assertIsNone(found[key], key)
            else:
                self.assertAlmostEqual(found[key], value, delta=1e-9 * (1 + abs(value)), msg=key)

    def test_numpy_finds_the_same_figures_in_the_cubes(self):
        for caution in (0, 0.5):
            drawn = self.ask("--points", POINTS, "--seed", 5, "-f", "-o", "points.h5", "--caution", caution)
            cubes = Cube(self.folder / "map.h5"), Cube(self.folder / "points.h5")
            grid, points = cubes
            self.assertEqual(len(points.at), POINTS)
            self.assertTrue(((points.at > grid.at.min(axis=0)) & (points.at < grid.at.max(axis=0))).all())
            pairs = schedules(grid)
            rows = {(row["error"], row["selector"]): row for row in drawn["rows"]}
            self.assertEqual(len(rows), len(ERRORS) * len(SELECTORS))
            missed = mute = 0
            for asked, question in zip(ERRORS, drawn["questions"]):
                mine, abstained = [], 0
                for p, at in enumerate(points.at):
                    chosen, quiet = recommend(grid, at, asked, caution)
                    schedule = pairs[grid.contender[chosen][1:]]
                    mine.append(evaluate(points, p, asked, schedule, schedule.index(chosen)))
                    abstained += quiet and mine[-1] is not None
                ours = sum_up(mine)
                self.close(rows[asked, SELECTORS[0]], ours)
                evaluated = sum(v is not None for v in mine)
                risk = (ours["missed"] + 1) / (evaluated + 2)
                self.assertEqual((question["evaluated"], question["abstained"]), (evaluated, abstained))
                self.assertAlmostEqual(question["risk"], risk)
                missed += ours["missed"]
                mute += abstained
                candidates = ([pairs["switch", "ode45"]], [pairs["switch", "ode15s"]], [paper(grid)], list(pairs.values()),
                              list(pairs.values()))
                for selector, several in zip(SELECTORS[1:], candidates):
                    schedule, level = pick(grid, asked, several, None if selector == SELECTORS[5] else risk)
                    row = rows[asked, selector]
                    t, s, m = grid.contender[schedule[level]]
                    self.assertEqual(row["contender"], f"{s}:{m}:{t:g}", (asked, selector))
                    self.close(row, sum_up([evaluate(points, p, asked, schedule, level) for p in range(POINTS)]))
                for key, selector, mean in (("mean_ratio", SELECTORS[4], "mean"),
                                            ("mean_ratio_with_retries", SELECTORS[5], "retried_mean")):
                    best, mine = rows[asked, selector][mean], rows[asked, SELECTORS[0]][mean]
                    self.close(question, {key: best / mine if mine else math.inf})
            self.assertGreater(missed, 0)  # else half of this proves nothing
            self.assertGreater(mute, 0)
            self.assertGreater(rows[ERRORS[0], SELECTORS[2]]["mean"], 0)

    def test_numpy_finds_the_same_at_the_replicates(self):
        missed = abstained = differ = 0
        for caution in (0, 0.5):
            alone = self.ask("--points", POINTS, "--seed", 5, "--caution", caution)
            found = self.ask("--points", POINTS, "--seed", 5, "-f", "-o", "points.h5", "--caution", caution, "--replicates")
            points, replicates = halves(Cube(self.folder / "points.h5"))
            self.assertEqual((len(points.at), len(replicates.at)), (POINTS, POINTS))
            steps = np.stack([np.log(replicates.at[:, 0] / points.at[:, 0]) / math.log(20000 / 600),
                              (replicates.at[:, 1] - points.at[:, 1]) / 95], axis=1)
            np.testing.assert_allclose(abs(steps), 1e-4, rtol=1e-9)
            ratios = np.log(replicates.error / points.error)
            dispersion = (np.nanquantile(ratios, 0.84, axis=0) - np.nanquantile(ratios, 0.16, axis=0)) / 2
            self.assertGreater(np.nanmax(dispersion), 0.3)
            self.assertEqual(found["replicate_distance"], 1e-4)
            for line, contender, value in zip(found["dispersion"], points.contender, dispersion, strict=True):
                t, s, m = contender
                self.assertEqual(line["contender"], f"{s}:{m}:{t:g}")
                self.assertAlmostEqual(line["dispersion"], value, delta=1e-12)

            rows = {(row["error"], row["selector"]): row for row in found["rows"]}
            self.assertEqual({selector for _, selector in rows}, {*SELECTORS, *REPLICATES[:2 if caution else 1]})
            pairs = schedules(points)
            for asked in ERRORS:
                for selector, margin in zip(REPLICATES[:2 if caution else 1], (0, caution)):
                    evaluations = []
                    for p in range(POINTS):
                        bound = replicates.error[p] * np.exp(margin * dispersion)
                        able = np.where(bound <= asked, replicates.work[p], np.nan)
                        chosen = int(np.nanargmin(able) if np.isfinite(able).any() else np.nanargmin(bound))
                        schedule = pairs[points.contender[chosen][1:]]
                        evaluations.append(evaluate(points, p, asked, schedule, schedule.index(chosen)))
                        abstained += not np.isfinite(able).any() and evaluations[-1] is not None
                    self.close(rows[asked, selector], sum_up(evaluations))
                    self.assertIsNone(rows[asked, selector]["contender"])
                    missed += rows[asked, selector]["missed"]
                if caution:
                    differ += rows[asked, REPLICATES[0]]["missed"] != rows[asked, REPLICATES[1]]["missed"]
            found["rows"] = [row for row in found["rows"] if row["selector"] in SELECTORS]
            self.assertEqual({key: found[key] for key in alone}, alone)  # replicates are no points
        for count in (missed, abstained, differ):
            self.assertGreater(count, 0)  # else half of this proves nothing

    def test_a_kept_cube_with_replicates_is_known_again(self):
        ask = ("regret", "map.h5", "--points", POINTS, "--seed", 3, "--json", "-q", "--replicates")
        first = self.works(*ask, "--csv", "1.csv", threads=1)
        self.assertEqual(self.works(*ask, "--csv", "2.csv", "-o", "points.h5", ranks=2), first)
        again = self.works("regret", "map.h5", "--from", "points.h5", "--json", "--csv", "3.csv")
        self.assertEqual(json.loads(again) | {"seed": 3}, json.loads(first))
        self.assertEqual(self.works("regret", "map.h5", "--from", "points.h5", "--json", "--replicates"), again)
        texts = [(self.folder / name).read_text() for name in ("1.csv", "2.csv", "3.csv")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_csv_and_table_have_the_replicates(self):
        found = self.ask("--points", POINTS, "--replicates", "-o", "points.h5", "--csv", "r.csv")
        rows = list(csv.DictReader(io.StringIO((self.folder / "r.csv").read_text())))
        self.assertEqual(len(rows), POINTS * len(ERRORS))
        points, _ = halves(Cube(self.folder / "points.h5"))
        for selector, prefix in zip(REPLICATES, ("replicate_", "cautious_")):
            for i, row in enumerate(rows):
                contender = float(row[prefix + "tolerance"]), row[prefix + "strategy"], row[prefix + "method"]
                k = points.contender.index(contender)
                np.testing.assert_allclose(float(row[prefix + "work"]), points.work[i // len(ERRORS), k])
                np.testing.assert_allclose(float(row[prefix + "error"]), points.error[i // len(ERRORS), k])
            for error in ERRORS:
                evaluated = [r for r in rows if float(r["asked_error"]) == error and r["best_method"] != "none"]
                line, = (r for r in found["rows"] if (r["selector"], r["error"]) == (selector, error))
                self.assertEqual(line["missed"], sum(r[prefix + "missed"] == "1" for r in evaluated))
                for key, column in {"mean": "regret", "retried_mean": "regret_with_retries"}.items():
                    values = [float(r[prefix + column]) for r in evaluated]
                    self.assertAlmostEqual(line[key], np.nanmean(values))
        text = self.works("regret", "map.h5", "--from", "points.h5", "--methods", "ode45")
        for words in (f"evaluated at {POINTS} points", *REPLICATES, "dispersion: standard deviation of ln(error) between replicates, 0.0001"):
            self.assertIn(words, text)
        self.assertRegex(text, r"(?m)^ +1e-02 +1e-04 +1e-06 +1e-08$")
        self.assertRegex(text, r"(?m)^switch:ode45( +\d\.\d\d){4}$")
        self.assertNotIn("ode113 ", text)
        for args in (("--from", "points.h5", "--caution", 0), ("--from", "map.h5")):
            self.assertNotIn(REPLICATES[1], self.works("regret", "map.h5", *args))

    def test_ranks_threads_and_a_kept_cube_change_nothing(self):
        ask = ("regret", "map.h5", "--points", POINTS, "--seed", 3, "--json")
        first = self.works(*ask, "-q", "--csv", "1.csv", threads=1)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"s.yaml", "map.h5", "1.csv"})
        self.assertEqual(self.works(*ask, "-q", "--csv", "2.csv", "-o", "points.h5", ranks=2), first)
        again = self.works("regret", "map.h5", "--from", "points.h5", "--json", "--csv", "3.csv")
        self.assertEqual(json.loads(again) | {"seed": 3}, json.loads(first))
        texts = [(self.folder / name).read_text() for name in ("1.csv", "2.csv", "3.csv")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])
        other = self.works("regret", "map.h5", "--points", POINTS, "--seed", 4, "--json", "-q")
        self.assertNotEqual(json.loads(other)["rows"], json.loads(first)["rows"])

    def test_a_kept_cube_is_that_of_a_sweep_of_its_own(self):
        self.works("regret", "map.h5", "--points", POINTS, "-q", "-o", "points.h5")
        with h5py.File(self.folder / "points.h5") as file:
            text = cli.word(file.attrs["sweep"])
        self.assertRegex(text, r"(?m)^ +- \[[0-9.e]+, [0-9.e]+\]$")  # a line for each point
        self.assertIn("repeats: 0", text)
        (self.folder / "points.yaml").write_text(text, encoding="utf-8")
        self.works("run", "points.yaml", "-q", "-o", "same.h5")
        self.works("diff", "points.h5", "same.h5")

    def test_every_line_of_csv_is_a_point_and_an_error(self):
        found = self.ask("--points", POINTS, "--csv", "r.csv", "-o", "points.h5")
        rows = list(csv.DictReader(io.StringIO((self.folder / "r.csv").read_text())))
        self.assertEqual(len(rows), POINTS * len(ERRORS))
        points = Cube(self.folder / "points.h5")
        for i, row in enumerate(rows):
            p = i // len(ERRORS)
            self.assertEqual((int(row["point"]), float(row["asked_error"])), (p + 1, ERRORS[i % len(ERRORS)]))
            self.assertEqual([float(row["b"]), float(row["k"])], list(points.at[p]))
            k = points.contender.index((float(row["tolerance"]), row["strategy"], row["method"]))
            np.testing.assert_allclose(float(row["work"]), points.work[p, k])
            np.testing.assert_allclose(float(row["error"]), points.error[p, k])
            if row["best_method"] != "none":
                k = points.contender.index((float(row["best_tolerance"]), row["best_strategy"], row["best_method"]))
                np.testing.assert_allclose(float(row["best_work"]), points.work[p, k])
                self.assertEqual(row["missed"] == "1", float(row["error"]) > float(row["asked_error"]))
        for error, row in zip(ERRORS, (r for r in found["rows"] if r["selector"] == "the map")):
            regrets = [float(r["regret"]) for r in rows if float(r["asked_error"]) == error and r["regret"] != "nan"]
            self.assertAlmostEqual(row["mean"], np.mean(regrets))

    def test_the_table_has_selectors_counts_and_regrets(self):
        text = self.works("regret", "map.h5", "--points", "8", "--error", "1e-2,1e-30", "-q")
        for words in ("a map of 9 cells evaluated at 8 points off its grid (seed 1), caution 0.5", *SELECTORS,
                      "largest error 0.01: some contender reaches it at 8 of 8 points",
                      "largest error 1e-30: some contender reaches it at 0 of 8 points",
                      "mean regret of the single best over that of the map"):
            self.assertIn(words, text)
        text = self.works("regret", "map.h5", "--points", "8", "--methods", "ode113", "-q")
        self.assertRegex(text, "always ode45 +is not possible with this cube")
        self.assertNotIn(":ode15s:", text)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"s.yaml", "map.h5"})

    def test_points_that_are_cells_have_no_regret(self):
        """The map knows them: at a cell it recommends what is best there."""
        found = self.ask("--from", "map.h5")
        for row in found["rows"]:
            if row["selector"] == "the map":
                self.assertEqual((row["missed"], row["worst"], row["retried_worst"]), (0, 0, 0))
            elif row["selector"] == "single best, by retries":
                self.assertGreater(row["retried_mean"], 0)
        self.assertEqual((found["points"], found["outside"], found["seed"]), (9, 0, None))

    def test_points_of_ones_own_and_outside_the_map(self):
        text = SWEEP[:SWEEP.index("cells:")] + "cells: {columns: [b, k], rows: [[1000, 20], [90, 30]]}\n" + \
            SWEEP[SWEEP.index("methods:"):]
        (self.folder / "own.yaml").write_text(text, encoding="utf-8")
        self.works("run", "own.yaml", "-q", "-o", "own.h5")
        found = self.ask("--from", "own.h5")
        self.assertEqual((found["points"], found["outside"]), (2, 1))

    def test_a_run_that_was_stopped_goes_on(self):
        args = ("regret", "map.h5", "--points", 400, "--json", "-q")
        with subprocess.Popen([cli.SALTUS, *map(str, args)], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE, env=dict(os.environ, OMP_NUM_THREADS="1")) as running:
            journal = self.folder / "map.h5.points.journal"
            cli.wait_until(lambda: any(p.stat().st_size > 100000 for p in journal.glob("*/*.sal")), running)
            running.send_signal(signal.SIGTERM)
            _, complaint = running.communicate(timeout=cli.TIMEOUT)
        self.assertEqual(running.returncode, 85, complaint)
        self.assertIn("the same command goes on from there", complaint)
        done = self.saltus(*args[:-1], ranks=2)
        self.assertRegex(done.stderr, r"map.h5.points.journal: \d+ of 400 cells are there already")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"s.yaml", "map.h5"})
        self.assertEqual(done.stdout, self.works(*args))


class BadInput(WithMap):
    def check(self, *args, says, **more):
        return self.refused("regret", "map.h5", "-q", *args, says=says, **more)

    def test_questions_that_make_no_sense(self):
        for args, says in {
                ("--points", "0"): "--points: '0' is not allowed; allowed: whole numbers from 1",
                ("--points", "2.5"): "'2.5' is not allowed",
                ("--points", "many"): "'many' is no number",
                ("--seed", "-1"): "--seed: '-1' is not allowed; allowed: whole numbers from 0",
                ("--error", "0"): "allowed: greater than 0",
                ("--error", "1e-2,x"): "'x' is no number",
                ("--error", "1,1"): "there twice",
                ("--caution", "-1"): "allowed: from 0",
                ("--methods", "ode46"): "did you mean 'ode45'?",
                ("--work", "rhs=0"): "rhs = 0",
                ("--from", "map.h5", "--points", "3"): "--from draws no points",
                ("--points", "3", "--error", "1e-30"): "at no point any contender reaches 1e-30",
                ("--from", "map.h5", "--replicates"): "map.h5: cell 9 has no replicate, 0.0001 of each axis of map.h5 away",
                ("--from", "none.h5"): "No such file",
                ("--from", "s.yaml"): "is no HDF5 file",
        }.items():
            self.check(*args, says=(says,), code=4 if "none.h5" in args else 2)
        self.refused("regret", says=("which cube?",))
        self.refused("regret", "map.h5", "map.h5", says=("one cube at a time",))
        self.check("--points", "0", says=(), ranks=2)
        self.check("--methods", "ode46", says=("did you mean 'ode45'?",), ranks=2)

    def test_what_is_read_is_not_overwritten(self):
        (self.folder / "there.csv").write_text("mine", encoding="utf-8")
        self.check("--points", "3", "-o", "map.h5", "--force", says=("map.h5: is read",), code=3)
        self.check("--from", "map.h5", "--csv", "./map.h5", "-f", says=("is read, and cannot be written",), code=3)
        self.check("--points", "3", "--csv", "there.csv", says=("there.csv: exists",), code=3)
        self.check("--points", "3", "-o", "there.csv", says=("there.csv: exists",), code=3)

    def test_a_cube_without_references(self):
        with cli.edited(self.folder / "map.h5") as file:
            file["reference_outcome"][...] = -1
        self.check("--points", "3", says=("map.h5", "no errors against a reference"))

    def test_a_grid_without_numbers(self):
        text = SWEEP[:SWEEP.index("cells:")] + SWEEP[SWEEP.index("methods:"):]
        (self.folder / "s.yaml").write_text(text, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-f", "-o", "map.h5")
        self.check("--points", "3", says=("map.h5", "no axis varies a number"))

    def test_points_of_another_sweep(self):
        for change, says in {
                "t_end=11": "its t_end is 11, that of map.h5 is 12",
                "mesh=0.1": "its mesh is 0.1, that of map.h5 is 0.05",
                "methods=[ode15s, ode45, ode113]": "its methods are not those of map.h5",
                "strategies=[switch]": "its strategies are not those",
                "tolerances=[1e-4, 1e-2, 1e-6, 1e-7]": "its tolerances are not those",
                "parameters={f: 0.07}": "f is 0.07 at point 1, and",
                "options={adhesion: clamp}": "adhesion is 1 at point 1, and 0 everywhere in map.h5",
                "model=linear-ground": "its model is linear-ground, that of map.h5 is monopod"}.items():
            cells = ("--set", "cells={columns: [k], rows: [[10]]}") if "linear" in change else ()
            self.works("run", "s.yaml", "-q", "-f", "-o", "other.h5", "--set", change, *cells)
            self.check("--from", "other.h5", says=("other.h5", says))


cli.main()
