"""Rules and sensitivities by the command line: a real sweep, with all of their output computed again from the cube."""
import contextlib
import io
import json
import os
import re
import shutil
import sys
import unittest

import h5py
import numpy as np

import cli

ANALYSIS = os.path.abspath(os.path.join(cli.SWEEPS, "..", "analysis"))
sys.path.insert(0, ANALYSIS)
import command_line  # noqa: E402 (the folder is known only now)
import cube  # noqa: E402
import map_data  # noqa: E402
import rules  # noqa: E402
import saltus  # noqa: E402
import sensitivity  # noqa: E402

SWEEP = """
model: monopod
t_end: 5
mesh: 0.01
cells:
  axes: [{name: b, log: [1000, 16000], points: 5}, {name: k, log: [5, 320], points: 4}, {name: adhesion, list: [literal, clamp]},
    {name: f, linear: [0.1, 0.3], points: 2}]
solvers: [ode23, ode45, ode15s]
strategies: [switch, event]
rtol: [1e-3, 1e-5, 1e-7]
"""
CUT = {"b": [1410, 2830, 5660, 11300], "k": [10, 40, 160], "f": [0.2]}
N = 80
ERROR = 1e-3
POINTS = ("--rtol", "1e-5", "--weights", "sd=2,iae=1")


def setUpModule():
    once = cli.InFolder()
    once.setUp()
    unittest.addModuleCleanup(once.doCleanups)
    (once.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
    once.works("run", "s.yaml", "-q", "-o", "cube.h5")
    WithCube.made = once.folder / "cube.h5"


class WithCube(cli.InFolder):
    def setUp(self):
        super().setUp()
        shutil.copy(self.made, self.folder / "cube.h5")

    def rules(self, *args):
        """(exit code, stdout, stderr) of analysis/rules.py, in this process: to import all takes longer than to work."""
        words = [str(self.folder / word) if str(word).endswith(".h5") else str(word) for word in args]
        out, complaint = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaint):
            try:
                code = command_line.run(rules.work, rules.arguments(words))
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), complaint.getvalue()

    def prints(self, *args):
        code, out, complaint = self.rules("cube.h5", *args)
        self.assertEqual((code, complaint), (0, ""))
        return out

    def refuses(self, *args, says):
        """With one line of complaint."""
        code, out, complaint = self.rules(*args)
        self.assertEqual((code, out), (2, ""), complaint)
        self.assertEqual(len(complaint.splitlines()), 1, complaint)
        for text in says:
            self.assertIn(text, complaint)

    def edit(self, change):
        cube.verify.cache_clear()
        with cli.edited(self.folder / "cube.h5") as file:
            change(file)

    def ask(self, *args, measured=True):
        """The figures from the runs themselves, or by the surrogate."""
        measured = ("--measured",) if measured and "--rtol" not in args else ()
        said = json.loads(self.prints("--json", *args, *measured))
        self.assertEqual(said["costs"], "measured" if measured or "--rtol" in args else "surrogate")
        return said

    def cube(self):
        """Work [cell, configuration] and error, NaN where it does not count; and the axes by name."""
        with h5py.File(self.folder / "cube.h5") as file:
            def of(name):
                return file[name][...].reshape(N, -1).astype(float)
            done = of("outcome") == 0
            work = of("rhs_evaluations") + 16 / 15 * of("factorisations") + 4 / 5 * of("solves")
            error = of("max_error") + file["reference_error_watched"][...][:, None]
            axes = {name: file[name][...] for name in ("b", "k", "f")}
            word = file["adhesion"]
            axes["adhesion"] = np.array(cli.word(word.attrs["flag_meanings"]).split())[word[...].astype(int)]
            points = [of(f"points_{name}") for name in ("solution_duration", "integral_absolute_error")]
            iae = of("integral_absolute_error")
        done &= np.isfinite(error)
        self.assertGreater(done.mean(), 0.9)
        return np.where(done, work, np.nan), np.where(done, error, np.nan), axes, points, iae


def config(node):
    """Its place in the cube's order [tolerance][strategy][method]."""
    tolerance = [1e-3, 1e-5, 1e-7].index(node["rtol"])
    return (tolerance * 2 + ["switch", "event"].index(node["strategy"])) * 3 + \
        ["ode23", "ode45", "ode15s"].index(node["solver"])


def leaf_of(nodes, axes, cell):
    at = 0
    while "quantity" in nodes[at]:
        node, x = nodes[at], axes[nodes[at]["quantity"]][cell]
        at = node["yes"] if (x == node["is"] if "is" in node else x < node["below"]) else node["no"]
    return at


def costs_by_error(work, error, asked, miss):
    """[cell, configuration]: more work than the least, misses at their cost; NaN where no configuration reaches it."""
    reached = error <= asked
    least = np.where(reached, work, np.inf).min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        cost = np.where(reached, np.minimum(work / least - 1, miss), miss)
    return np.where(np.isfinite(least), cost, np.nan), reached


def winners(work, error, asked):
    """Winner of each cell: least work, then the smaller error, then the order of the cube."""
    work = np.where(error <= asked, work, np.inf)
    tied = work == work.min(axis=1, keepdims=True)
    return np.where(tied, error, np.inf).argmin(axis=1)


def best_depth_2(cost, axes, least):
    """The least sum of costs of any tree of depth 2 over the values of the axes."""
    tests = [axes[name] < cut for name, cuts in CUT.items() for cut in cuts] + [axes["adhesion"] == "literal"]

    def leaf(cells):
        return cost[cells].sum(axis=0).min()

    def once(cells):
        return min([leaf(cells)] + [leaf(cells & t) + leaf(cells & ~t) for t in tests
                                    if min((cells & t).sum(), (cells & ~t).sum()) >= least])
    every = ~np.isnan(cost[:, 0])
    return min([leaf(every)] + [once(every & t) + once(every & ~t) for t in tests
                                if min((every & t).sum(), (every & ~t).sum()) >= least])


class Rules(WithCube):
    def test_everything_said_of_a_leaf_holds_in_the_cube(self):
        work, error, axes, _, _ = self.cube()
        for asked, miss in ((1e-2, 10), (ERROR, 10), (1e-4, 3)):
            said = self.ask("--error", asked, "--miss", miss, "--gain", 0)["questions"][0]
            cost, reached = costs_by_error(work, error, asked, miss)
            cells = np.flatnonzero(~np.isnan(cost[:, 0]))
            self.assertEqual(said["answered"], len(cells))
            self.assertEqual(said["winners"], len(set(winners(work, error, asked)[cells])))
            leaf = np.array([leaf_of(said["nodes"], axes, c) for c in cells])
            follow = np.array([config(said["nodes"][i]) for i in leaf])
            self.assertGreater(len(set(leaf)), 3)
            for i in set(leaf):
                self.check(said["nodes"][i], cells[leaf == i], follow[leaf == i], cost, reached)
            self.check(said["rules"], cells, follow, cost, reached)
            one = np.full(len(cells), config(said["answer_for_all"]))
            self.check(said["single"], cells, one, cost, reached)
            self.assertAlmostEqual(said["single"]["cost"], cost[cells].mean(axis=0).min(), delta=1e-6)
            self.assertLess(said["rules"]["cost"], 0.8 * said["single"]["cost"])
            self.assertEqual(said["rules_left_out"]["cells"], len(cells))

    def check(self, said, cells, follow, cost, reached):
        lost, hit = cost[cells, follow], reached[cells, follow]
        self.assertEqual((said["cells"], said["missed"]), (len(cells), (~hit).sum()))
        self.assertAlmostEqual(said["cost"], lost.mean(), delta=1e-6)
        self.assertAlmostEqual(said["regret"], lost[hit].mean(), delta=1e-6)

    def test_one_answer_stands_first_where_rules_do_not_pay(self):
        seen = set()
        for question in (("--error", "1e-2"), ("--error", "1e-3"), ("--error", "1e-4"), ("--error", "1e-6"), POINTS):
            more = (*question, "--gain", "0", "--leaf", "1", "--depth", "4")
            said = self.ask(*more)["questions"][0]
            rules, single = said["rules_left_out"]["cost"], said["single_left_out"]["cost"]
            pays = len(said["nodes"]) > 1 and rules < single
            self.assertEqual(said["rules_pay"], pays)
            measured = ("--measured",) if "--error" in more else ()
            text = self.prints(*more, *measured)
            first = text.find("one answer for all: use"), text.find("    if ")
            self.assertEqual(first[0] >= 0, not pays)
            if not pays:
                self.assertLess(*first)
            seen.add(pays)
        self.assertEqual(seen, {True, False})

    def test_no_rules_of_depth_2_are_better(self):
        work, error, axes, _, _ = self.cube()
        for least in (1, 15):
            said = self.ask("--error", ERROR, "--depth", 2, "--leaf", least, "--gain", 0)["questions"][0]
            cost, _ = costs_by_error(work, error, ERROR, 10)
            best = best_depth_2(cost, axes, least)
            self.assertAlmostEqual(said["rules"]["cost"] * said["answered"], best, delta=1e-5)
            self.assertGreater(best, 0.1)
            for node in said["nodes"]:
                if "below" in node:
                    self.assertIn(node["below"], CUT[node["quantity"]])
                elif "cells" in node:
                    self.assertGreaterEqual(node["cells"], least)

    def test_by_points(self):
        work, _, axes, _, iae = self.cube()
        said = self.ask(*POINTS, "--gain", 0)["questions"][0]
        at = slice(6, 12)  # tolerance 1e-5

        def scaled(x):
            lo, hi = np.nanmin(x[:, at]), np.nanmax(x[:, at])
            return 10 - 9 * (x - lo) / (hi - lo)
        total = 2 * scaled(work) + scaled(np.where(np.isnan(work), np.nan, iae))
        best = np.nanmax(total[:, at], axis=1)
        follow = np.array([config(said["nodes"][leaf_of(said["nodes"], axes, c)]) for c in range(N)])
        self.assertTrue(((follow >= 6) & (follow < 12)).all())
        lost = best - total[np.arange(N), follow]
        self.assertEqual(said["rules"]["missed"], np.isnan(lost).sum())
        self.assertAlmostEqual(said["rules"]["regret"], np.nanmean(lost), delta=1e-6)
        self.assertEqual(said["miss"], 27)
        self.assertGreater(said["single"]["cost"], 1e-3)

    def test_text_can_be_followed(self):
        work, error, axes, _, _ = self.cube()
        text = self.prints("--error", ERROR, "--measured")
        said = self.ask("--error", ERROR)["questions"][0]
        for words in ("rules for monopod from 80 cells", "ground damping", "least work for a largest error of y1 of 0.001, over [0, 5]",
                      "one answer for all cells", "left out of the fit", "1000 % more work"):
            self.assertIn(words, text)
        lines = [line for line in text.splitlines() if line.lstrip().startswith(("if ", "else", "use "))]
        self.assertEqual(len([x for x in lines if "use" in x]), len([n for n in said["nodes"] if "solver" in n]))
        for cell in range(0, N, 7):
            depth, follow = 1, None
            for line in lines:
                indent, words = (len(line) - len(line.lstrip())) // 4, line.split()
                if indent != depth:
                    continue
                if words[0] == "use":
                    follow = words
                    break
                if words[0] == "if":
                    x = axes[words[1]][cell]
                    yes = x == words[3] if words[2] == "is" else x < float(words[3])
                    depth += yes
                elif not yes:
                    depth += 1
            node = said["nodes"][leaf_of(said["nodes"], axes, cell)]
            self.assertEqual((follow[1], follow[3], float(follow[6])),
                             (node["solver"], node["strategy"], node["rtol"]))
        self.assertIn(f"({node['cells']} cells: ", text)

    def test_depth_and_gain_make_it_smaller(self):
        sizes = [len(self.ask("--error", ERROR, *args)["questions"][0]["nodes"])
                 for args in (("-d", 4, "--gain", 0), ("-d", 2, "--gain", 0), ("-d", 1, "--gain", 0), ("--gain", 1))]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(sizes[1:], [7, 3, 1])

    def test_without_a_question_the_errors_of_the_map(self):
        said = self.ask()
        self.assertEqual([q["asked_error"] for q in said["questions"]], [1e-2, 1e-4, 1e-6])
        self.edit(lambda file: file["reference_error_watched"].__setitem__(..., 1e-5))
        self.assertEqual(self.ask()["questions"][2], {"by": "max_error", "asked_error": 1e-6, "error_of": "y1", "error_unit": "1", "answered": 0})
        self.assertIn("error of y1 of 1e-06, over [0, 5]: no configuration in any cell", self.prints("--measured"))


class BySurrogate(WithCube):
    def test_costs_are_those_that_the_surrogate_expects(self):
        text = self.prints("--error", ERROR, "--gain", 0)
        self.assertTrue(all(words in text for words in ("Work is the expected total of the surrogate", "left out of the fit", "; the surrogate names ")))
        said = self.ask("--error", ERROR, "--gain", 0, measured=False)["questions"][0]
        leaves = [node for node in said["nodes"] if "solver" in node]
        self.assertEqual((said["answered"], sum(leaf["cells"] for leaf in leaves)), (N, N))
        for name in ("cost", "miss_probability"):
            mean = sum(leaf["cells"] * leaf[name] for leaf in leaves) / N
            self.assertAlmostEqual(said["rules"][name], mean, delta=1e-12)
            self.assertGreater(mean, 1e-3)
        self.assertLess(said["rules"]["cost"], 0.5 * said["single"]["cost"])
        self.assertLess(said["rules"]["cost"], said["rules_left_out"]["cost"])
        self.assertEqual(said["rules_left_out"]["cells"], N)
        for leaf in leaves:
            tries = [{name: each[name] for name in ("solver", "strategy", "rtol")} for each in (leaf, *leaf["then"])]
            self.assertEqual(len({tuple(each.values()) for each in tries}), len(tries))
        self.assertTrue(any(leaf["then"] for leaf in leaves))
        self.assertIn("after a miss ", text)
        measured = self.ask("--error", ERROR, "--gain", 0)["questions"][0]
        self.assertNotEqual(said["nodes"], measured["nodes"])

    def test_filters_hold_and_a_map_changes_nothing(self):
        before = self.prints("--strategies", "event", "--solvers", "ode45,ode23")
        self.assertFalse("switch" in before or "ode15s" in before)
        self.works("map", "cube.h5")  # has the surrogate's fit, too
        self.assertEqual(before, self.prints("--strategies", "event", "--solvers", "ode45,ode23"))

    def test_some_of_the_cells_speak_for_all(self):
        whole = self.prints("--error", ERROR)
        for all_of_them in (0, N, N + 1):
            self.assertEqual(self.prints("--error", ERROR, "--sample", all_of_them), whole)
        said = self.ask("--error", ERROR, "--sample", 40, "--gain", 0, measured=False)
        self.assertEqual((said["cells"], said["cells_asked"]), (N, 40))
        asked = said["questions"][0]
        self.assertEqual((asked["answered"], sum(n["cells"] for n in asked["nodes"] if "solver" in n)), (40, 40))
        everybody = self.ask("--error", ERROR, "--gain", 0, measured=False)["questions"][0]
        self.assertNotEqual(asked["single"]["cost"], everybody["single"]["cost"])
        self.assertLess(abs(asked["single"]["cost"] / everybody["single"]["cost"] - 1), 0.5)
        text = self.prints("--error", ERROR, "--sample", 40)
        self.assertIn("from 40 cells, spread over 80\n", text)
        self.assertNotIn("no configuration answers", text)

    def test_no_cell_may_have_an_answer(self):
        self.edit(lambda file: file["reference_error_watched"].__setitem__(..., 1e-5))
        self.assertEqual(self.ask(measured=False)["questions"][2]["answered"], 0)
        self.refuses("cube.h5", "--error", "1e-6", says=("no configuration reaches an error of 1e-06",))

    def test_too_few_cells_are_measured(self):
        self.works("run", cli.DALLAS, "-q", "-f", "-o", "cube.h5", *cli.sets(*cli.SHORT))
        text = self.prints("--error", "1e-2")
        self.assertIn("of the run in each cell; there are too few cells for a surrogate", text)
        self.assertNotIn("too few cells for", self.prints("--error", "1e-2", "--measured"))

    def test_costs_are_those_of_the_recommendation_where_they_are_the_same(self):
        """At points between the cells: the probability of the configuration that is recommended."""
        path, random, n, same = str(self.folder / "cube.h5"), np.random.default_rng(3), 12, 0
        surrogate = saltus.Surrogate(path)
        points = {"b": np.exp(random.uniform(np.log(1000), np.log(16000), n)), "k": np.exp(random.uniform(np.log(5), np.log(320), n)),
                  "f": random.uniform(0.1, 0.3, n), "adhesion": random.integers(0, 2, n)}
        total, probability = surrogate.costs(points, [1e-2, ERROR])
        self.assertEqual(total.shape, (2, n, 18))
        for i, (b, k, f, word) in enumerate(zip(*points.values())):
            at = f"b={b!r},k={k!r},f={f!r},adhesion={('literal', 'clamp')[word]}"
            said = json.loads(self.works("recommend", "cube.h5", "--at", at, "--error", ERROR, "--json"))["answer"]
            name = (said["solver"], said["strategy"], said["rtol"])
            if name in surrogate.configurations:
                self.assertAlmostEqual(probability[1, i, surrogate.configurations.index(name)], said["probability"], delta=1e-9)
                same += 1
        self.assertGreater(same, 3)
        np.testing.assert_array_equal(surrogate.costs(points, ERROR)[0], total[1])
        np.testing.assert_array_equal(surrogate.costs({name: np.tile(x, 100) for name, x in points.items()}, [1e-2, ERROR])[0], np.tile(total, (1, 100, 1)))
        whole = saltus.open(path).saltus.costs(ERROR)
        self.assertEqual((dict(whole.sizes), int(whole.total.notnull().any(("rtol", "strategy", "solver")).sum())),
                         ({"cell": N, "rtol": 3, "strategy": 2, "solver": 3}, N))

    def test_runs_are_those_of_the_cube(self):
        work, error, *_ = self.cube()
        surrogate = saltus.Surrogate(str(self.folder / "cube.h5"), solvers=["ode45", "ode23"])
        found = surrogate.runs(np.arange(N)[::-1])
        for mine, its in zip(found, (work, error)):
            there = [c[0] != "ode15s" and not np.isnan(e) for c, e in zip(surrogate.configurations, error[0])]
            np.testing.assert_allclose(mine[::-1][:, there], its[:, there], rtol=1e-12)
            self.assertTrue(np.isnan(mine[:, [c[0] == "ode15s" for c in surrogate.configurations]]).all())

    def test_work_is_what_is_asked_for(self):
        """Evaluations of f alone; a time, in which steps take some, too."""
        path = str(self.folder / "cube.h5")
        with h5py.File(path) as file:
            evaluations, done = (file[name][...].reshape(N, -1) for name in ("rhs_evaluations", "outcome"))
        bare = saltus.Surrogate(path, work={"rhs": 2, "factorisation": 0, "solve": 0}).runs(range(N))[0]
        timed, other = (saltus.Surrogate(path, f_costs=text).runs(range(N))[0] for text in ("1us", 1e-3))
        np.testing.assert_array_equal(bare[done == 0], 2.0 * evaluations[done == 0])
        steps = timed[done == 0] - 1e-6 * evaluations[done == 0]
        self.assertGreater(steps.min(), 0)
        np.testing.assert_allclose(other[done == 0] - 1e-3 * evaluations[done == 0], steps, rtol=1e-3)
        said = json.loads(self.prints("--json", "--error", ERROR, "--f-costs", "1us", "--measured"))
        self.assertEqual(said["f_costs"], "1us")
        self.assertIn("work is a time: 1us for one f", self.prints("--error", ERROR, "--f-costs", "1us"))
        for options, says in ((("--lanes", "4"), "work is a time with f-costs alone"), (("--f-costs", "cheap"), "'cheap' is not a number"),
                              (("--work", "rhs=0"), "rhs = 0 is not allowed"), (("--work", "f=1"), "unknown term 'f'")):
            self.refuses("cube.h5", *options, says=(says,))

    def test_points_and_cells_that_do_not_fit_are_refused(self):
        surrogate = saltus.Surrogate(str(self.folder / "cube.h5"))
        for points, error, says in (({"b": [1000]}, 1e-2, "allowed: b, k, f, adhesion, each once"), (np.ones((2, 3)), 1e-2, "(number of points, 4)"),
                                    (np.ones((1, 4)), 0, "above 0"), ([[1000, 10, 0.1, 7]], 1e-2, "adhesion"),
                                    ([[1000, np.nan, 0.1, 0]], 1e-2, "point 0: k varies in this cube, and is missing")):
            with self.assertRaisesRegex(saltus.InvalidError, re.escape(says)):
                surrogate.costs(points, error)
        with self.assertRaisesRegex(saltus.InvalidError, "cell = 80 is out of range; allowed: from 0 to 79"):
            surrogate.runs([80])


class Sensitivity(WithCube):
    def test_shares_are_those_of_the_cube(self):
        with h5py.File(self.folder / "cube.h5") as file:
            of = file["map"]
            at = list(of["error"][...]).index(1e-2)
            total, winner = of["answer_total"][:, at].astype(float), of["answer_pair"][:, at]
        self.assertGreater(len(set(winner)), 1)
        cost = np.log(total).reshape(5, 4, 2, 2)
        pair = np.stack([winner == p for p in set(winner)], axis=-1).reshape(5, 4, 2, 2, -1).astype(float)
        said, won = sensitivity.sensitivities(
            map_data.open_mapped(str(self.folder / "cube.h5")), map_data.Question("error", 1e-2))
        self.assertEqual(won, N)
        for name, y in (("cost", cost[..., None]), ("pair", pair)):
            every = ((y - y.mean(axis=(0, 1, 2, 3))) ** 2).sum()
            self.assertEqual([e.name for e in said[name]], ["b", "k", "adhesion", "f"])
            for i, effect in enumerate(said[name]):
                rest = tuple(j for j in range(4) if j != i)
                alone = N * y.mean(axis=rest).var(axis=0).sum() / every
                left = ((y - y.mean(axis=i, keepdims=True)) ** 2).sum() / every
                self.assertAlmostEqual(effect.alone, alone, delta=1e-12)
                self.assertAlmostEqual(effect.total, left, delta=1e-12)
            self.assertLess(0.1, sum(e.alone for e in said[name]))
            self.assertLessEqual(sum(e.alone for e in said[name]), 1 + 1e-9)


class BadInput(WithCube):
    def test_questions_that_make_no_sense(self):
        for args, says in {
                ("--rtol", "1e-5", "--weights", "sd=0,iae=0"): "all weights are 0",
                ("--rtol", "1e-5", "--weights", "iea=1"): "no criterion iea; there are sd, dt, iae",
                ("--rtol", "1e-6", "--weights", "sd=1"): "cube.h5; allowed: 0.001, 1e-05, 1e-07",
                ("--rtol", "1e-5"): "go together",
                ("--weights", "sd=1"): "go together",
                ("--error", "1e-2", *POINTS): "not both",
                ("--error", "0"): "allowed: greater than 0",
                ("--error", "1e-2,small"): "'small' is not a number",
                ("--error", "1e-3,1e-3"): "there twice",
                ("--error", "1e-2,1e-15"): "no configuration reaches an error of 1e-15 in any cell; the least anywhere is",
                ("--error", "1e-2", "--solvers", "ode46"): "did you mean 'ode45'?",
        }.items():
            self.refuses("cube.h5", *args, says=(says,))
        for args, says in {("--depth", "0"): "--depth/-d: '0' is not allowed; allowed: whole numbers from 1 to 4", ("--depth", "2.5"): "from 1 to 4",
                           ("--depth", "deep"): "'deep' is not a number", ("--leaf", "0"): "whole numbers from 1", ("--gain", "-0.1"): "from 0 to 1",
                           ("--miss", "0"): "greater than 0"}.items():
            self.refuses("cube.h5", *args, says=(says,))
        self.refuses(says=("the following arguments are required: CUBE.h5",))

    def test_cubes_without_answers(self):
        self.edit(lambda file: file["reference_outcome"].__setitem__(..., -1))
        self.refuses("cube.h5", says=("cube.h5", "no errors against a reference"))
        cube.verify.cache_clear()
        (self.folder / "cube.h5").write_text("nothing", encoding="utf-8")
        self.refuses("cube.h5", says=("is not an HDF5 file",))

    def test_a_cube_in_which_nothing_varies(self):
        begin, end = SWEEP.index("cells:"), SWEEP.index("solvers:")
        (self.folder / "one.yaml").write_text(SWEEP[:begin] + SWEEP[end:], encoding="utf-8")
        self.works("run", "one.yaml", "-q", "-f", "-o", "cube.h5")
        self.refuses("cube.h5", "--error", "1", says=("cube.h5: nothing varies",))


cli.main()
