"""saltus score: trajectories of other programs as configurations."""
import csv
import math
import pathlib
import sys

import h5py
import yaml

import cli

sys.path.insert(0, str(pathlib.Path(cli.SWEEPS).parent / "analysis"))

import hybrid_models  # noqa: E402 (the folder is known only now)
import recorded_file  # noqa: E402

DATA = pathlib.Path(__file__).parent.parent / "data" / "recorded"
SWEEP = """\
model: monopod
cells: {columns: [m1], rows: [[1.88], [10.4]]}
t_end: 6
mesh: 0.01
solvers: [ode45, dop853]
strategies: [switch, event]
rtol: [1e-3, 1e-6]
reference_tolerance: 1e-12
"""


class Folder(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "sweep.yaml").write_text(SWEEP, encoding="utf-8")
        self.recorded = (DATA / "solve_ivp_rk45.txt").read_text(encoding="utf-8")
        (self.folder / "rk45.txt").write_text(self.recorded, encoding="utf-8")

    def score(self, *more, name="scipy-rk45", out="cube.h5"):
        self.works("score", "sweep.yaml", "--recorded", f"{name}=rk45.txt", "-o", out, "-q", *more)
        return h5py.File(self.folder / out)


class Scored(Folder):
    def test_a_cut_file_is_refused(self):
        """Inside its last row, between two rows or runs; and a byte order mark is not an error."""
        (self.folder / "rk45.txt").write_text("\ufeff" + self.recorded, encoding="utf-8")
        self.works("score", "sweep.yaml", "--recorded", "a=rk45.txt", "-o", "a.h5")
        head, table = self.recorded.split("---\n")
        lines = table.splitlines(keepends=True)
        last = next(i for i, line in enumerate(lines) if line.startswith("8,"))
        cuts = [self.recorded[:-n] for n in range(1, 120, 9)] + [head, head + "---\n", head + "---\n" + "".join(lines[:last]), f"{self.recorded}8,0,6,0,0,0,0\n"]
        for cut in cuts:
            (self.folder / "rk45.txt").write_text(cut, encoding="utf-8")
            self.refused("score", "sweep.yaml", "--recorded", "x=rk45.txt", "-o", "no.h5", says=("rk45.txt:",))

    def test_a_run_is_there_once(self):
        lines = self.recorded.splitlines()
        runs = [n for n, line in enumerate(lines) if line.startswith("  - {cell: 1, strategy: ")]
        lines[runs[1]] = lines[runs[1]].replace("rtol: 1e-06", "rtol: 0.001")
        (self.folder / "rk45.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.refused("score", "sweep.yaml", "--recorded", "x=rk45.txt", "-o", "no.h5",
                     says=(f"rk45.txt:{runs[1] + 1}: the run of cell ", f"is there twice, first at rk45.txt:{runs[0] + 1}; allowed: once"))

    def test_missing_runs_are_counted(self):
        done = self.saltus("score", "sweep.yaml", "--recorded", "x=rk45.txt", "-o", "a.h5")
        self.assertNotIn("missing", done.stderr)
        done = self.saltus("score", "sweep.yaml", "--recorded", "x=rk45.txt", "-o", "b.h5", "--set", "rtol=[1e-3,1e-5,0.0010000000000000002]")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("saltus score: x: 4 of 12 runs of the sweep are in its file, 8 are missing\n", done.stderr)
        for other in ("rtol=[2e-3]", "cells={columns: [m1], rows: [[2]]}", "rtol=[0.0010000000000000002]"):
            self.refused("score", "sweep.yaml", "--recorded", "x=rk45.txt", "-o", "no.h5", "--set", other,
                         says=("rk45.txt: none of the ", " runs of the sweep is in the file of x",))

    def test_recorded_runs_stand_beside_ours(self):
        with self.score("--set", "timing.repeats=1") as cube:
            self.assertEqual([cli.word(name) for name in cube["solver"]], ["ode45", "dop853", "scipy-rk45"])
            error, steps, seconds = (cube[name][()] for name in ("max_error", "steps", "solution_duration"))
            outcome, reason = cube["outcome"][()], cube["library_reason"][()]
        for cell in range(2):
            for rtol, most in ((0, 0.1), (1, 1e-3)):
                for strategy in range(2):
                    at = (cell, rtol, strategy, 2)
                    self.assertEqual((outcome[at], reason[at]), (0, 0))
                    self.assertLess(error[at], most)
                    self.assertGreater(error[at], 1e-9)
                    # The same pair of formulas as ode45, with another control of the step size.
                    self.assertLess(abs(math.log(steps[at] / steps[cell, rtol, strategy, 0])), math.log(2))
                    self.assertGreater(seconds[at], 0)

    def test_a_text_is_scored_as_the_model_that_it_writes_down(self):
        text = pathlib.Path(cli.SWEEPS, "models", "monopod-equations.yaml").read_text(encoding="utf-8")
        (self.folder / "mine.yaml").write_text(text, encoding="utf-8")
        with self.score() as cube:
            theirs = [cube[name][()] for name in ("max_error", "steps", "outcome")]
        self.refused("score", "sweep.yaml", "--set", "model=mine.yaml", "--recorded", "x=rk45.txt", "-o", "no.h5",
                     says=("rk45.txt: trajectories of model monopod; expected: monopod-text",))
        (self.folder / "rk45.txt").write_text(self.recorded.replace("model: monopod\n", "model: monopod-text\n"), encoding="utf-8")
        with self.score("--set", "model=mine.yaml", out="text.h5") as cube:
            for name, of in zip(("max_error", "steps", "outcome"), theirs):
                self.assertEqual(cube[name][()].tobytes(), of.tobytes())

    def test_counts_are_those_of_the_file(self):
        runs = yaml.load(self.recorded.split("---\n", maxsplit=1)[0], Loader=yaml.BaseLoader)["runs"]
        with self.score() as cube:
            rhs, events, duration = (cube[n][()] for n in ("rhs_evaluations", "events", "solution_duration"))
        self.assertEqual(len(runs), 8)
        for run in runs:
            at = (int(run["cell"]) - 1, ("0.001", "1e-06").index(run["rtol"]),
                  ("switch", "event").index(run["strategy"]), 2)
            self.assertEqual(rhs[at], int(run["rhs"]))
            self.assertTrue(run["strategy"] == "switch" or events[at] == int(run["events"]) > 0)
            self.assertTrue(math.isnan(duration[at]))  # the sweep is not timed

    def test_the_cube_needs_the_file_no_more(self):
        self.score().close()
        (self.folder / "rk45.txt").unlink()
        self.assertIn("scipy-rk45", self.works("info", "cube.h5"))
        self.works("map", "cube.h5")
        self.assertIn("scipy-rk45", self.works("tables", "cube.h5"))
        self.refused("recommend", "cube.h5", "--at", "m1=1.88", "--error", "1e-2", says=("has 2 cells; a plane in 1 coordinate needs 6",))

    def test_a_file_is_read_when_the_user_names_it(self):
        """And not because the cube does."""
        self.score().close()
        store = ("store", "cube.h5", "--cells", "1", "-q")
        done = self.saltus(*store)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--recorded scipy-rk45=FILE", done.stderr)
        (self.folder / "rk45.txt").rename(self.folder / "moved.txt")
        self.assertEqual(self.saltus(*store, "--recorded", "other=moved.txt").returncode, 2)
        self.works(*store, "--recorded", "scipy-rk45=moved.txt")
        with open(self.folder / "moved.txt", "a", encoding="utf-8") as file:
            file.write("# changed\n")
        done = self.saltus(*store, "-f", "--recorded", "scipy-rk45=moved.txt")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the file has changed", done.stderr)

    def test_the_same_bits_under_ranks_and_through_a_plain_run(self):
        self.score().close()
        self.works("score", "sweep.yaml", "--recorded", "scipy-rk45=rk45.txt", "-o", "two.h5", "-q", ranks=2)
        self.works("diff", "cube.h5", "two.h5")
        more = "libraries: [{name: scipy-rk45, library: recorded, options: rk45.txt}]\n"
        text = SWEEP.replace("dop853]", "dop853, scipy-rk45]") + more
        (self.folder / "own.yaml").write_text(text, encoding="utf-8")
        self.works("run", "own.yaml", "-o", "own.h5", "-q")
        self.works("score", "own.yaml", "--recorded", "again=rk45.txt", "-o", "both.h5", "-q")
        with h5py.File(self.folder / "own.h5") as own, h5py.File(self.folder / "both.h5") as both:
            for name in ("max_error", "steps"):
                self.assertEqual(own[name][..., 2].tolist(), both[name][..., 3].tolist())

    def test_what_the_file_lacks_is_an_outcome(self):
        with self.score("--set", "rtol=[1e-3,1e-5]", "--set", "strategies=[switch]") as cube:
            self.assertEqual(cube["outcome"][0, 0, 0, 2], 0)
            self.assertNotEqual(cube["outcome"][0, 1, 0, 2], 0)
            self.assertTrue(math.isnan(cube["max_error"][0, 1, 0, 2]))
            reasons = cube["library_reason"].attrs["flag_meanings"]
            number = cube["library_reason"][0, 1, 0, 2]
        self.assertEqual(cli.word(reasons).split()[int(number)], "not_recorded")

    def test_tasks_are_what_the_file_answers(self):
        self.works("score", "sweep.yaml", "--export", "tasks.yaml")
        tasks = (self.folder / "tasks.yaml").read_text(encoding="utf-8").splitlines()
        for line in tasks:
            if not line.startswith(("strategies", "rtol")):
                self.assertIn(line, self.recorded.splitlines())
        self.assertIn("rtol: [0.001, 1e-06]", tasks)

    def test_the_recorder_writes_a_file_of_its_tasks(self):
        """The Python writer, from the tasks and the rows of the recorded runs: the same table, and the same cube."""
        self.works("score", "sweep.yaml", "--export", "tasks.yaml")
        self.score().close()
        tasks = recorded_file.Tasks(self.folder / "tasks.yaml")
        words, table = self.recorded.split("---\n")
        rows = [[float(word) for word in line.split(",")] for line in table.splitlines()[1:]]
        with open(self.folder / "rk45.txt", "w", encoding="utf-8") as file:
            recorder = recorded_file.Recorder(file, tasks, (("library", "SciPy 1.10.1"), ("order", 5)))
            for number, run in enumerate(yaml.load(words, Loader=yaml.BaseLoader)["runs"], 1):
                steps, inner = [], []
                for _, inside, t, *y in (row for row in rows if row[0] == number):
                    inner.append((t, y))
                    if not inside:
                        steps.append((t, y, inner[:-1]))
                        inner = []
                which = (int(run.pop("cell")) - 1, run.pop("strategy"), float(run.pop("rtol")))
                recorder.run(*which, run, steps)
            recorder.end()
        self.assertEqual((self.folder / "rk45.txt").read_text(encoding="utf-8").split("---\n")[1].replace(".0,", ","), table.replace(".0,", ","))
        with self.score(out="again.h5") as again, h5py.File(self.folder / "cube.h5") as cube:
            self.assertEqual(again["max_error"][()].tobytes(), cube["max_error"][()].tobytes())


class Refused(Folder):
    OUT = ("-o", "out.h5")

    def changed(self, old, new):
        self.assertIn(old, self.recorded)
        (self.folder / "rk45.txt").write_text(self.recorded.replace(old, new, 1), encoding="utf-8")

    def complains(self, *says):
        self.refused("score", "sweep.yaml", "--recorded", "x=rk45.txt", *self.OUT, says=says)

    def test_nothing_to_score(self):
        self.refused("score", "sweep.yaml", *self.OUT, says=("--recorded NAME=FILE", "--export"))

    def test_a_pair_without_a_file(self):
        self.refused("score", "sweep.yaml", "--recorded", "rk45.txt", *self.OUT, says=("'rk45.txt'", "NAME=FILE"))

    def test_a_missing_file(self):
        self.refused("score", "sweep.yaml", "--recorded", "x=no.txt", *self.OUT, says=("no.txt", "cannot be read"), code=4)

    def test_a_name_that_is_taken(self):
        self.refused("score", "sweep.yaml", "--recorded", "ode23=rk45.txt", *self.OUT, says=("'ode23'", "taken"))

    def test_a_row_that_is_too_short(self):
        self.changed("0.0,0.5,0,1.5,0", "0.0,0.5,0,1.5")
        self.complains("rk45.txt:", "6 columns", "has 7")

    def test_another_model(self):
        self.changed("model: monopod", "model: decay")
        self.complains("rk45.txt", "model decay", "expected: monopod")

    def test_another_mesh(self):
        self.changed("mesh: 600", "mesh: 500")
        self.complains("rk45.txt", "mesh of 500", "multiple of 600")

    def test_states_in_another_order(self):
        self.changed("states: [y1, v1, ", "states: [v1, y1, ")
        self.changed_again("inside,t,y1,v1,", "inside,t,v1,y1,")
        self.complains("rk45.txt:10: ", "state 1 is v1", "expected: y1")

    def changed_again(self, old, new):
        text = (self.folder / "rk45.txt").read_text(encoding="utf-8")
        (self.folder / "rk45.txt").write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_a_parameter_that_the_model_lacks(self):
        self.changed("zeta_F:", "zeta:")
        self.complains("rk45.txt:12: ", "cell 1", "zeta")

    def test_another_file_under_the_same_name(self):
        """The checksum in its sweep identifies the file that a cube was made from."""
        self.score().close()
        with h5py.File(self.folder / "cube.h5") as cube:
            text = cli.word(cube.attrs["sweep"])
        self.assertIn("# with --set libraries=", text)
        (self.folder / "again.yaml").write_text(text, encoding="utf-8")
        self.works("run", "again.yaml", "-o", "again.h5", "-q")
        self.works("diff", "cube.h5", "again.h5")
        self.changed("rtol: 1e-06, outcome: done, steps: ", "rtol: 1e-06, outcome: done, steps: 1")
        self.refused("run", "again.yaml", *self.OUT, says=("again.yaml:", "rk45.txt", "checksum", "has changed"))


class Physics(cli.InFolder):
    """The models in Python, that other programs integrate, have the slopes of ours."""

    DT = 1e-3
    STENCIL = (-1 / 60, 9 / 60, -45 / 60, 0, 45 / 60, -9 / 60, 1 / 60)  # the derivative to order 6

    def rows(self, model, param, t_end):
        words = ",".join(f"{name}={value}" for name, value in param.items())
        self.works("trajectory", "--model", model, "--param", words, "--solver", "dop853", "--rtol", "1e-13",
                   "--t-end", t_end, "--dt", self.DT, "-o", "own.csv", "--force")
        with open(self.folder / "own.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def compare(self, name, param, t_end, modes, share=1e-7):
        model, seen, worst, largest = hybrid_models.MODELS[name](param), set(), 0, 0
        rows, span = self.rows(name, param, t_end), len(self.STENCIL)
        for first in range(0, len(rows) - span, 3):
            some = rows[first:first + span]
            if len({row["mode"] for row in some}) > 1 or any(row["event"] for row in some):
                continue
            closed, y = some[0]["mode"] != "0", [[float(row[s]) for s in model.states] for row in some]
            f = model.f(float(some[span // 2]["t"]), y[span // 2], closed)
            for i, slope in enumerate(f):
                true = sum(c * state[i] for c, state in zip(self.STENCIL, y)) / self.DT
                worst, largest = max(worst, abs(slope - true)), max(largest, abs(slope))
            seen.add(closed)
        self.assertEqual(seen, modes)
        self.assertGreater(largest, 0.9)
        self.assertLess(worst, share * largest)

    def test_monopods(self):
        nominal = {"b": 1951, "m1": 1.88, "k": 22.8, "f": 0.051}
        self.compare("monopod", nominal, 8, {True, False})
        fed = {**nominal, "f": 0.3, "zeta_F": 0.1, "zeta_G": -0.05, "adhesion": "clamp"}
        self.compare("monopod", fed, 8, {True, False}, 1e-5)  # the clamped force has a kink

    def test_a_mass_on_a_spring(self):
        self.compare("linear-ground", {"g": 1, "k": 50, "d": 2}, 4, {True, False})

    def test_a_ball(self):
        param = {"g": 9.81, "e": 0.7}
        self.compare("bouncing-ball", param, 1, {False})
        speed = math.sqrt(2 * 9.81)
        y, closed = hybrid_models.BouncingBall(param).change((0, -speed), True, False)
        self.assertEqual((y, closed), ((0, 0.7 * speed), False))
        self.assertEqual(hybrid_models.BouncingBall(param).change((0, -1e-12), True, True), ((0, 0), True))


if __name__ == "__main__":
    cli.main()
