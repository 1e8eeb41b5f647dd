"""Checks of advised runs by the command line, compared with references."""
import csv
import itertools
import json

import h5py
import numpy as np

import cli

SWEEP = """
model: monopod
t_end: 8
mesh: 0.05
cells:
  axes:
    - {name: b, log: [1000, 4000], points: 6}
    - {name: k, log: [10, 40], points: 5}
initial: {y1: 0.5, v1: 0, y2: 1.5, v2: 0}
solvers: [ode23, ode45]
strategies: [switch, event]
rtol: [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]
"""
AT = "b=1500,k=20"
CYCLES = """
model: monopod
t_end: 5
mesh: 0.05
cells:
  axes:
    - {name: zeta_F, linear: [0.05, 0.2], points: 4}
    - {name: zeta_G, linear: [-0.05, -0.03], points: 3}
solvers: [ode45]
strategies: [event]
rtol: [1e-4, 1e-6]
orbit: {find: [cycles], returns: 400, longest: 60}
"""


class Check(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "cube.h5")

    def check(self, at, error, *more, codes=(0, 15)):
        done = self.saltus("check", "cube.h5", "--at", at, "--error", error, "--json", *more)
        self.assertIn(done.returncode, codes, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if told["verdict"] == "hit" else 15)
        return told

    def measured(self, b, k, run, error):
        """Does this run reach the error?"""
        self.works("run", "s.yaml", "-q", "-f", "--no-map", "-o", "one.h5", *cli.sets(
            f"cells={{columns: [b, k], rows: [[{b}, {k}]]}}", f"solvers=[{run['solver']}]", f"strategies=[{run['strategy']}]", f"rtol=[{run['rtol']!r}]"))
        with h5py.File(self.folder / "one.h5") as file:
            return {"hit": file["max_error"][0, 0, 0, 0] + file["reference_error_watched"][0] <= error}

    def test_verdicts_are_those_of_references(self):
        right, wrong, missed = 0, 0, 0
        for b, k, error in itertools.product((1100, 1700, 2300, 3500), (12, 17, 33), ("1e-2", "1e-3", "1e-5")):
            at = f"b={b},k={k}"
            told = self.check(at, error, "--cells", 0)
            truth = json.loads(self.works("recommend", "cube.h5", "--at", at, "--error", error, "--run", "--json"))
            run, first = truth["run"]["answer"], truth["here"][0]
            self.assertEqual([told["run"][name] for name in ("solver", "strategy", "rtol", "work")],
                             [first[name] for name in ("solver", "strategy", "rtol", "work")])
            if first["verdict"] == "miss":  # the answer is another attempt
                run = self.measured(b, k, first, float(error))
            else:
                self.assertTrue(0.5 < first["estimated_error"] / run["error"] < 2, (first, run))
            self.assertAlmostEqual(told["beside"]["rtol"], first["rtol"] / 10, delta=1e-9 * first["rtol"])
            plain = json.loads(self.works("recommend", "cube.h5", "--at", at, "--error", error, "--json"))
            self.assertAlmostEqual(told["total"], plain["answer"]["total"] + told["beside"]["work"], delta=1e-6 * told["total"])
            same = (told["verdict"] == "hit") == run["hit"]
            right, wrong, missed = right + same, wrong + (not same), missed + (not run["hit"])
        self.assertGreater(missed, 0)  # there is something to be seen
        self.assertLessEqual(wrong, 3, (right, wrong, missed))

    def test_other_errors_have_their_own_difference(self):
        """From the two stored runs: the integral by the trapezoidal rule, and the distance of their ends."""
        wide = self.check(AT, "1e-3", "--cells", 0)
        for by, factor in (("integral_absolute_error", 8), ("end_error", 1)):
            told = self.check(AT, "1e-3", "--cells", 20, "--by", by)
            apart = []
            for which in ("run", "beside"):
                run = told[which]
                self.works("trajectory", "-m", "monopod", "--param", AT, "--initial", "y1=0.5,v1=0,y2=1.5,v2=0", "--t-end", 8, "--dt", 0.05,
                           "--solver", run["solver"], "--strategy", run["strategy"], "--rtol", run["rtol"], "-f", "-o", "r.csv")
                with open(self.folder / "r.csv", encoding="utf-8") as file:
                    values = {round(float(row["t"]), 9): float(row["y1"]) for row in csv.DictReader(file)}
                apart.append(np.array([values[round(0.05 * j, 9)] for j in range(161)]))
            self.assertTrue(told["map"]["hits"] + told["map"]["misses"] > 5)
            self.assertLessEqual(told["difference"], factor * max(wide["difference"], 1e-2))
            d = abs(apart[0] - apart[1])
            known = d[-1] if by == "end_error" else 0.05 * (d.sum() - (d[0] + d[-1]) / 2)
            self.assertAlmostEqual(told["difference"] / known, 1, delta=1e-6, msg=by)
        self.assertIn("at the end, and", self.works("check", "cube.h5", "--at", AT, "--error", "1", "--by", "end_error", "--cells", 0))
        self.refused("check", "cube.h5", "--at", AT, "--error", "1", "--by", "period_error", says=("period_error",))
        (self.folder / "cycles.yaml").write_text(CYCLES, encoding="utf-8")
        self.works("run", "cycles.yaml", "-q", "-o", "cycles.h5", "--no-map")
        for by in ("multiplier_error", "period_error"):  # of a cube that has them
            self.refused("check", "cycles.h5", "--at", "zeta_F=0.1,zeta_G=-0.04", "--error", "1e-4", "--by", by,
                         says=(f"{by} is of an orbit, which `saltus orbit` closes", "allowed: --by max_error, integral_absolute_error, end_error"))

    def test_the_check_is_checked_on_the_map(self):
        """Its counts are those of the cells; few hits are called misses, and few misses are not seen."""
        told = self.check(AT, "1e-3", "--cells", 30)
        of_map = told["map"]
        self.assertTrue(20 <= of_map["hits"] + of_map["misses"] <= 30, of_map)
        self.assertLessEqual(of_map["false_alarms"], 0.15 * of_map["hits"])
        self.assertLessEqual(of_map["unseen"], of_map["misses"])
        # errors of the cube that are a hundred times what they are turn hits into misses that no run shows
        with cli.edited(self.folder / "cube.h5") as file:
            file["max_error"][...] *= 100
        worse = self.check(AT, "1e-1", "--cells", 30)["map"]
        self.assertGreater(worse["misses"], 0)
        self.assertGreater(worse["unseen"], 0.5 * worse["misses"])

    def test_the_second_try_beside_the_first(self):
        plan = json.loads(self.works("recommend", "cube.h5", "--at", AT, "--error", "1e-3", "--json"))["schedule"]
        told = self.check(AT, "1e-3", "--cells", 0, "--next")
        self.assertGreater(len(plan), 1)
        self.assertEqual([told["beside"][name] for name in ("solver", "strategy", "rtol")],
                         [plan[1][name] for name in ("solver", "strategy", "rtol")])

    def test_words(self):
        done = self.saltus("check", "cube.h5", "--at", AT, "--error", "1e-3")
        self.assertIn("they differ by", done.stdout)
        self.assertIn("cost of the check", done.stdout)
        self.assertIn("cells of this map", done.stdout)
        self.assertIn("run it again at a tenth of its rtol", self.works("recommend", "cube.h5", "--at", AT, "--error", "1e-3"))

    def test_bad_input(self):
        for args, says in ((("--at", AT), "--error E is required"), (("--error", "1e-3"), "--at NAME=VALUE,.. is required"),
                           (("--at", AT, "--error", "one"), "one"), (("--at", "b=1500", "--error", "1e-3"), "k varies in this cube"),
                           (("--at", AT, "--error", "1e-3", "--solvers", "ode54"), "did you mean 'ode45'?"),
                           (("--at", AT, "--error", "1e-15"), "the references around the point do not reach")):
            self.refused("check", "cube.h5", *args, says=(says,))

    def test_a_cube_stays_as_it_is(self):
        before = (self.folder / "cube.h5").read_bytes()
        self.check(AT, "1e-3", "--cells", 5)
        self.assertEqual((self.folder / "cube.h5").read_bytes(), before)


cli.main()
