"""saltus regret by the command line: fresh points with replicates, and what the map advises at each."""
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
    - {columns: [b, k], sobol: [[600, 20000], [5, 100]], log: [b], points: 24}
solvers: [ode45, ode15s, ode113]
strategies: [event, switch]
rtol: [1e-4, 1e-2, 1e-6, 1e-8]
cutoff: {baselines: [ode113], error: 1e-4}
timing: {repeats: 1}
"""
POINTS, REPLICATES = 5, 3
ERRORS = [1e-1, 1e-3, 1e-5]
DRAW = ("--points", POINTS, "--replicates", REPLICATES, "--seed", 5, "--error", ",".join(f"{e:g}" for e in ERRORS))
CHOICE = {"solver", "strategy", "rtol", "probability", "error", "work", "total"}


class WithMap(cli.InFolder):
    """map.h5, and points.h5 with what was said of them."""

    files_of_all = {}  # made by the first test

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        made = WithMap.files_of_all
        if not made:
            self.works("run", "s.yaml", "-q", "-o", "map.h5", "--no-map")
            made["said"] = self.works("regret", "map.h5", *DRAW, "-o", "points.h5", "-q", threads=1)
            made.update((name, (self.folder / name).read_bytes()) for name in ("map.h5", "points.h5"))
        for name in ("map.h5", "points.h5"):
            (self.folder / name).write_bytes(made[name])
        self.said = made["said"]

    def judged(self, *args, **more):
        """The question and the points."""
        first, *points = map(json.loads, self.works("regret", "map.h5", "-q", *args, **more).splitlines())
        return first, points


class Regret(WithMap):
    def test_points_have_replicates_and_quarter_decades(self):
        first, *points = map(json.loads, self.said.splitlines())
        self.assertEqual(first, {"solvers": ["ode45", "ode15s", "ode113"], "strategies": ["event", "switch"], "errors": ERRORS, "probabilities": [0.8, 0.9, 0.95, 0.99], "by": "max_error",
                                 "reference": "reference_error_watched", "replicates": REPLICATES,
                                 "work": {"rhs_evaluations": 1, "factorisations": 16 / 15, "solves": 0.8}})
        self.assertEqual([p["cells"] for p in points],
                         np.arange(POINTS * REPLICATES).reshape(POINTS, REPLICATES).tolist())
        with h5py.File(self.folder / "points.h5") as file:
            b, k, tolerances = (file[name][...] for name in ("b", "k", "rtol"))
            self.assertFalse((file["outcome"][...] == 10).any())  # no cutoffs
        np.testing.assert_allclose(np.log10(tolerances), -2 - np.arange(25) / 4, atol=1e-12)
        for p in points:
            at = p["cells"][0]
            self.assertEqual((p["at"], p["outside"]), ({"b": b[at], "k": k[at]}, []))
            off = np.stack([np.log(b[p["cells"]] / b[at]) / math.log(20000 / 600), (k[p["cells"]] - k[at]) / 95])
            self.assertLessEqual(abs(off).max(), 1e-4 * (1 + 1e-9))
            self.assertTrue((off[:, 1:] != 0).all())

    def test_answers_predict_what_is_asked(self):
        _, *points = map(json.loads, self.said.splitlines())
        answered = confident = 0
        for p in points:
            self.assertEqual([a["error"] for a in p["answers"]], ERRORS)
            for a in p["answers"]:
                likely, total = a["likely"], a["total"]
                self.assertEqual(set(likely), CHOICE)
                if total is not None:
                    answered += 1
                    chances = [tried["probability"] for tried in a["schedule"]]
                    self.assertEqual(chances, sorted(set(chances)))  # each is surer than the one before it
                    self.assertEqual(a["schedule"][0]["needed"], 1)
                    self.assertTrue(all(tried["needed"] < 1 for tried in a["schedule"][1:]))
                    self.assertLessEqual(total["probability"], likely["probability"])
                    self.assertGreaterEqual(total["total"], total["work"] * (1 - 1e-12))
                    self.assertTrue(1e-8 <= total["rtol"] <= 1e-2)
                for asked, choice in zip((0.8, 0.9, 0.95, 0.99), a["confident"], strict=True):
                    if choice is None:
                        self.assertLess(likely["probability"], asked)
                        continue
                    confident += 1
                    self.assertGreaterEqual(choice["probability"], asked)
                    if total is not None:
                        self.assertLessEqual(total["total"], choice["total"] * (1 + 1e-12))
        self.assertGreater(min(answered, confident), 0)

    def test_ranks_threads_and_a_kept_cube_change_nothing(self):
        again = self.works("regret", "map.h5", *DRAW, "-o", "two.h5", "-q", ranks=2)
        self.assertEqual(again, self.said)
        self.works("diff", "points.h5", "two.h5")
        cells = set()
        for threads in (1, 2, 3):
            kept = self.works("regret", "map.h5", "--from", "points.h5", *DRAW[-2:], threads=threads)
            self.assertEqual(kept, self.said)
            cells.add(self.works("regret", "map.h5", "--from", "map.h5", threads=threads))
        self.assertEqual([len(said.splitlines()) for said in cells], [1 + 24])
        self.assertFalse(list(self.folder.glob("*.journal")))

    def test_many_errors_take_little_memory(self):
        asked = ",".join(f"{10 ** (-1 - i / 8):.3g}" for i in range(32))
        run = subprocess.Popen([cli.SALTUS, "regret", "map.h5", "--from", "points.h5", "--error", asked], cwd=self.folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        self.assertLess(usage.ru_maxrss, 250e3)  # [kB]

    def test_fewer_configs(self):
        first, points = self.judged("--points", 2, "-r", 1, "--solvers", "ode113", "--strategies", "event", "-o", "few.h5")
        self.assertEqual((first["replicates"], len(points), first["errors"]), (1, 2, [1e-2, 1e-4, 1e-6]))
        with h5py.File(self.folder / "few.h5") as file:
            self.assertEqual([cli.word(w) for w in (*file["solver"][...], *file["strategy"][...])], ["ode113", "event"])
        first, points = self.judged("--from", "few.h5")  # what was not run is not advised
        self.assertEqual((first["solvers"], first["strategies"]), (["ode113"], ["event"]))
        chosen = [a["likely"] for p in points for a in p["answers"]]
        self.assertEqual({(c["solver"], c["strategy"]) for c in chosen}, {("ode113", "event")})

    def test_points_of_ones_own_and_outside_the_map(self):
        text = SWEEP[:SWEEP.index("cells:")] + "cells: {columns: [b, k], rows: [[1000, 20], [90, 30]]}\n" + \
            SWEEP[SWEEP.index("solvers:"):]
        (self.folder / "own.yaml").write_text(text, encoding="utf-8")
        self.works("run", "own.yaml", "-q", "-o", "own.h5", "--no-map")
        first, points = self.judged("--from", "own.h5")
        self.assertEqual((first["replicates"], [p["outside"] for p in points]), (1, [[], ["b"]]))

    def test_options_are_points_of_their_own(self):
        self.works("run", "s.yaml", "-q", "-f", "-o", "map.h5", "--no-map", "--set", "solvers=[ode45]", "--set", "cutoff={}", "--set",
                   "cells={axes: [{columns: [b], sobol: [[600, 2000]], points: 9}, {name: adhesion, list: [clamp, literal]}]}")
        _, points = self.judged("--points", 2, "-r", 2, "-o", "words.h5")
        self.assertEqual([(p["at"]["adhesion"], p["cells"]) for p in points],
                         [("clamp", [0, 2]), ("literal", [1, 3]), ("clamp", [4, 6]), ("literal", [5, 7])])

    def test_a_run_that_was_stopped_goes_on(self):
        args = ("regret", "map.h5", "--points", 100, "-r", 2, "-o", "many.h5", "-q")
        with subprocess.Popen([cli.SALTUS, *map(str, args)], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE, env=dict(os.environ, OMP_NUM_THREADS="1")) as running:
            journal = self.folder / "many.h5.journal"
            cli.wait_until(lambda: any(p.stat().st_size > 100000 for p in journal.rglob("*.sal")), running)
            running.send_signal(signal.SIGTERM)
            _, complaint = running.communicate(timeout=cli.TIMEOUT)
        self.assertEqual(running.returncode, 85, complaint)
        self.assertIn("the same command goes on from there", complaint)
        done = self.saltus(*args[:-1], ranks=2)
        self.assertRegex(done.stderr, r"many.h5.journal: \d+ of 200 cells are there already")
        self.assertEqual(len(done.stdout.splitlines()), 101)


class BadInput(WithMap):
    def check(self, *args, says, **more):
        return self.refused("regret", "map.h5", "-q", *args, says=says, **more)

    def test_questions_that_make_no_sense(self):
        out = ("-o", "new.h5")
        for args, says in {
                ("--points", "0", *out): "--points: '0' is not allowed; allowed: whole numbers from 1",
                ("--points", "many", *out): "'many' is not a number",
                ("--replicates", "65", *out): "--replicates: '65' is not allowed; allowed: whole numbers from 1 to 64",
                ("--seed", "-1", *out): "--seed: '-1' is not allowed; allowed: whole numbers from 0",
                ("--error", "0", *out): "allowed: greater than 0",
                ("--error", "1,1", *out): "there twice",
                ("--solvers", "ode46", *out): "did you mean 'ode45'?",
                ("--work", "rhs=0", *out): "rhs = 0",
                ("--points", "3"): "required: --output POINTS.h5",
                ("--from", "map.h5", "--points", "3"): "--from draws no points",
                ("--from", "none.h5"): "No such file",
                ("--from", "s.yaml"): "is not an HDF5 file",
        }.items():
            self.check(*args, says=(says,), code=4 if "none.h5" in args else 2)
        self.refused("regret", says=("MAP.h5 is missing",))
        self.check("--solvers", "ode46", *out, says=("did you mean 'ode45'?",), ranks=2)
        self.assertFalse((self.folder / "new.h5").exists())

    def test_what_is_read_is_not_overwritten(self):
        self.check("--points", "3", "-o", "map.h5", "--force", says=("map.h5: the output would overwrite a file that this command reads",))
        self.check("--points", "3", "-o", "points.h5", says=("points.h5: exists",), code=3)

    def test_maps_that_cannot_be_asked(self):
        with cli.edited(self.folder / "map.h5") as file:
            file["reference_outcome"][...] = -1
        self.check("--from", "points.h5", says=("map.h5", "no errors against a reference"))
        self.works("run", "s.yaml", "-q", "-f", "-o", "map.h5", "--no-map", "--set", "cells={columns: [b, k], rows: [[700, 8], [900, 9]]}")
        self.check("--points", "3", "-o", "new.h5", "-r", 1, says=("2 cells", "9"))

    def test_points_of_another_sweep(self):
        """One cell of the points, changed."""
        for change, says in {
                "t_end=11": "its t_end is 11, that of map.h5 is 12",
                "solvers=[ode23]": "has the solver ode23, which map.h5 has not",
                "strategies=[ess]": "has the strategy ess, which map.h5 has not",
                "rtol=[1e-4, 1e-2, 1e-6, 1e-7]": "its tolerances end at 0.01 and 1e-07, those of map.h5 at 0.01 and 1e-08",
                "parameters={f: 0.07}": "f is 0.07 at point 1, and",
                "options={adhesion: clamp}": "adhesion is 1 at point 1, and 0 everywhere in map.h5"}.items():
            self.works("run", "s.yaml", "-q", "-f", "-o", "other.h5", "--no-map",
                       *cli.sets("cutoff={}", "solvers=[ode45]", "cells={columns: [b, k], rows: [[700, 8]]}", change))
            self.check("--from", "other.h5", says=("other.h5", says))


cli.main()
