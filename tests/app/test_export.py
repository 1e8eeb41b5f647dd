"""Programs that `saltus export` writes: C, and those for SciPy without it: its solve_ivp is replaced by a Runge-Kutta method of fixed
steps.  With --programs they are run by SciPy and Octave themselves."""
import csv
import importlib.util
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

import numpy as np
import scipy.integrate

import cli
from export_texts import BEGINNINGS, BELT, MECHANICS, REFUSED, UNHELD

MODELS = os.path.join(cli.SWEEPS, "models")
STEP = 1e-3


def rk4(f, t, y, h):
    a = np.asarray(f(t, y))
    b = np.asarray(f(t + h / 2, y + h / 2 * a))
    c = np.asarray(f(t + h / 2, y + h / 2 * b))
    return y + h / 6 * (a + 2 * b + 2 * c + np.asarray(f(t + h, y + h * c)))


class Steps:
    """The interface of SciPy's solvers that a script uses: steps of STEP by rk4, and cubics through their ends."""

    def __init__(self, f, t, y, t_end, rtol, atol, max_step, first_step):
        self.f, self.t, self.y, self.t_end, self.status, self.h = f, t, np.array(y), t_end, "running", min(STEP, max_step)

    def step(self):
        self.t_old, self.y_old = self.t, self.y
        self.y = rk4(self.f, self.t, self.y, min(self.h, self.t_end - self.t))
        self.t = min(self.t + self.h, self.t_end)
        self.status = "running" if self.t < self.t_end else "finished"

    def dense_output(self):
        h, a, b, t_old = self.t - self.t_old, self.y_old, self.y, self.t_old
        da, db = h * np.asarray(self.f(t_old, a)), h * np.asarray(self.f(self.t, b))

        def at(t):
            x = (t - t_old) / h
            return a + x * (da + x * (3 * (b - a) - 2 * da - db + x * (2 * (a - b) + da + db)))
        return at


PROGRAMS = "--programs" in sys.argv
if PROGRAMS:
    sys.argv.remove("--programs")
# Texts of the program's own that are written out: all of those in equations, but one with a table and one whose accelerations are solved for at run time.
TEXTS = [path for path in sorted(pathlib.Path(MODELS).glob("*.yaml")) if "equations: 1" in path.read_text(encoding="utf-8") and "recorded" not in path.name and path.stem != "pile"]
UNTIL = {"slip-equations": 10, "gear-train": 0.1}  # whose runs part by and by, whatever integrates them
TUMBLER = os.path.join(os.path.dirname(cli.SWEEPS), "tests", "data", "robots", "tumbler.yaml")

# Words that an author may put into a text (readers refuse control characters), and how programs are run.
HOSTILE = ['"];import os;os.system("touch PWNED")#', '"};\\nint x;//', '*/ int x; /*', "\'\'\'", '"""', '"""+__import__("os").system("touch PWNED")+"""', 'a\\\\', 'a??/', '%{',
           '%}', '"); system("touch PWNED"); %', "'); system('touch PWNED'); %", '$(touch PWNED)', '`touch PWNED`', '%n%s', '{x}', '#', '//', '\\u0041', '<b>&']
OF_OCTAVE = "error: ignoring const execution_exception& while preparing to exit\n"  # some builds of it, at each end
HOSTILE_RUNS = (("scipy", "ode45", "/usr/bin/python3 run.txt"), ("octave", "ode45", "octave-cli --norc -q run.txt"),
                ("c", "SOLVER", "cp run.txt run.c && cc -std=c11 -trigraphs -Werror=comment run.c -o run -lm && ./run"))


class Folder(cli.InFolder):
    def run_hostile(self, program, solver, run):
        """Each word stands at each place, and the program does what one of harmless words does."""
        words = [json.dumps(word) for word in HOSTILE]
        ends = set()
        for turn in range(0, len(words), 5):
            next_word = itertools.cycle(words[turn:] + words[:turn]).__next__
            (self.folder / "h.yaml").write_text(f"""equations: 1
name: hostile
title: {next_word()}
source: {next_word()}
span: 1
parameters: {{p: {{what: {next_word()}, preset: 2}}, q: {{what: {next_word()}, preset: 1}}}}
states: {{x: {{what: {next_word()}, preset: 1}}, v: {{what: {next_word()}, preset: 0, rate_of: x}}}}
contacts:
  floor: {{names: [{next_word()}, {next_word()}], gap: x, closes: {{x: 0, v: -v}}, stays: false}}
  wall: {{names: [{next_word()}, {next_word()}], gap: 2 - x, closes: {{v: -v}}, stays: false}}
flow: {{x: v, v: -p * q}}
flaws: {{{next_word()}: p < 0}}
""", encoding="utf-8")
            (self.folder / "h-solver.yaml").write_text(f"""tableau: 1
name: my-pair
title: {next_word()}
source: {next_word()}
kind: runge-kutta
order: 2
embedded_order: 1
A: [[], [2/3]]
b: [1/4, 3/4]
b_hat: [1, 0]
""", encoding="utf-8")
            (self.folder / "run.txt").write_text(self.works("export", "--to", program, "--model", "h.yaml", "--solver", solver.replace("SOLVER", "h-solver.yaml")), encoding="utf-8")
            done = subprocess.run(["sh", "-c", run], cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, done.stderr.replace(OF_OCTAVE, "")), (0, ""))
            ends.add(done.stdout.splitlines()[-1])
        self.assertFalse((self.folder / "PWNED").exists())
        self.assertEqual(len(ends), 1)

    def trajectory(self, model, *more):
        self.works("trajectory", "--model", os.path.join(MODELS, f"{model}.yaml"), "--solver", "dop853", "--rtol", "1e-12", "--atol", "1e-12",
                   "--dt", 0.5, "-f", "-o", "t.csv", *more)
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def printed(self, command):
        """[(what, t)] of changes, and the state at the end by name, of what a program prints."""
        text = subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True, timeout=300).stdout
        *changes, end = text.splitlines()
        seen = [re.fullmatch(r"(.*) at t = (\S+)", line).groups() for line in changes]
        state = dict(pair.split(" = ") for pair in end.partition(": ")[2].split(", "))
        return [(what, float(t)) for what, t in seen], {name: float(value) for name, value in state.items()}

    def compare(self, model, command, end, rtol):
        """Events and the end are those of a run by saltus at a tolerance far below."""
        seen, state = self.printed(command)
        rows = self.trajectory(model, "--strategy", "event", "--t-end", end, "--dt", end / 8)
        # saltus prints changes at one time, and those at the start, one after the other
        told, known = (sorted({float(f"{t:.7g}") for t in times} - {0}) for times in
                       ((t for _, t in seen), (float(row["t"]) for row in rows if row["event"])))
        self.assertEqual(len(told), len(known))
        np.testing.assert_allclose(told, known, rtol=max(rtol, 2e-7))
        for name, value in state.items():
            scale = max(abs(float(row[name])) for row in rows)
            self.assertAlmostEqual(value / scale, float(rows[-1][name]) / scale, delta=10 * rtol, msg=name)
        return len(told)

    def rows_of(self, *options):
        self.works("trajectory", *options, "--strategy", "event", "-f", "-o", "t.csv")
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def compare_with_own_run(self, path, program, command, solver, rtol, end=None):
        """The end is that of our own run at the same tolerance, by 10 of it, or nearer to that of a run at 1e-12, where errors of both
        grow; returns the times of the changes of both."""
        options = ("--model", path, *(("--t-end", end) if end else ()))
        chosen = (*options, "--solver", solver, "--rtol", rtol, "--atol", rtol)
        rows = self.rows_of(*chosen)
        (self.folder / "run.txt").write_text(self.works("export", "--to", program, *chosen), encoding="utf-8")
        seen, state = self.printed(command)
        own = {name: float(rows[-1][name]) for name in state if not name.endswith("_sense")}  # of what sticks it is either
        scale = {name: max(1e-3, *(abs(float(row[name])) for row in rows)) for name in own}

        def apart(end, other):
            return max(abs(float(end[name]) - float(other[name])) / scale[name] for name in own)

        if apart(state, own) >= 10 * float(rtol):
            exact = self.rows_of(*options, "--solver", "dop853", "--rtol", "1e-12", "--atol", "1e-12")[-1]
            self.assertLess(apart(state, exact), max(10 * float(rtol), apart(own, exact)), path)
        return [t for _, t in seen], [float(row["t"]) for row in rows if row["event"]]

    def compare_mechanics(self, program, command, *solvers):
        """Energies with rigid contacts: a robot in few lines, and its like."""
        for name, text in MECHANICS.items():
            (self.folder / f"{name}.yaml").write_text(f"equations: 1\nname: m-{name}\nspan: 6\n{text}", encoding="utf-8")
        for model in (*(f"{name}.yaml" for name in MECHANICS), TUMBLER):
            for solver, rtol in solvers:
                with self.subTest(model=model, solver=solver):
                    seen, known = self.compare_with_own_run(model, program, command, solver, rtol, 0.6 if program != "c" and model == "hammer.yaml" else None)
                    self.assertLessEqual(abs(len(seen) - len(known)), 3 + len(known) // 10)
        self.assertLess((self.folder / "run.txt").read_text(encoding="utf-8").count("\n"), {"scipy": 300, "octave": 300, "c": 440}[program])

    def compare_beginnings(self, program, command, solver, rtol):
        for name, text in BEGINNINGS.items():
            (self.folder / "b.yaml").write_text(f"equations: 1\nname: b-{name}\nspan: 4\n{text}", encoding="utf-8")
            with self.subTest(name=name):
                seen, known = self.compare_with_own_run("b.yaml", program, command, solver, rtol)
                self.assertGreater(len(known), 0)
                apart = np.abs(np.subtract.outer(seen, known))  # of flights that come to an end the last ones are rounding
                self.assertLess(max(apart.min(axis=0).max(), apart.min(axis=1).max()), 100 * float(rtol))

    def end_unheld(self, program, command, solver, balls=((1, "false"), (1, "rests"), (0, "false"))):
        """A program ends where our own run does, with the same reason."""
        for height, stays in balls:
            (self.folder / "u.yaml").write_text(f"equations: 1\nname: u\nspan: 4\n{UNHELD.replace('HEIGHT', str(height)).replace('STAYS', stays)}", encoding="utf-8")
            own = self.saltus("trajectory", "--model", "u.yaml", "--strategy", "event", "-f", "-o", "t.csv")
            self.assertIn("infinitely many impacts in a finite time, after which nothing holds the contact", own.stderr)
            (self.folder / "run.txt").write_text(self.works("export", "--to", program, "--model", "u.yaml", "--solver", solver, "--rtol", "1e-8"), encoding="utf-8")
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertNotEqual(done.returncode, 0, done.stdout)
            at = re.search("hit: infinitely many impacts in a finite time, after which nothing holds the contact at t = (.*)", done.stderr)
            self.assertAlmostEqual(float(at[1]), 3 * (2 * height / 9.81)**0.5, delta=1e-6)

    def write(self, name, program, model, end, *more):
        path = os.path.join(MODELS, f"{model}.yaml")
        (self.folder / name).write_text(self.works("export", "--to", program, "--model", path, "--t-end", end, *more), encoding="utf-8")


@unittest.skipUnless(PROGRAMS, "nightly: a sweep, and programs that are not on every machine")
class Advised(Folder):
    """The command that `saltus recommend --in PROGRAM` prints makes a program, whose end is that of the advised run."""
    SWEEP = """
model: monopod
t_end: 3
mesh: 0.05
cells:
  axes:
    - {name: b, log: [1000, 4000], points: 5}
    - {name: k, log: [10, 40], points: 4}
initial: {y2: 1.4}
solvers: [ode23, ode45, dop853, ode15s]
strategies: [switch, event]
rtol: [1e-3, 1e-5, 1e-7]
"""
    AT = "b=1951.5,k=23"
    RUNS = (("scipy", ["/usr/bin/python3", "run.txt"]), ("octave", ["octave-cli", "--norc", "-q", "run.txt"]), ("saltus", ["./run"]))

    def setUp(self):
        super().setUp()
        os.symlink(cli.SWEEPS, self.folder / "sweeps")
        (self.folder / "s.yaml").write_text(self.SWEEP, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "s.h5")

    def test_what_recommend_prints_is_run(self):
        known = self.trajectory("monopod-equations", "--param", self.AT, "--initial", "y2=1.4", "--strategy", "event", "--t-end", 3)[-1]
        for program, command in self.RUNS:
            for strategy in ("switch", "event"):
                with self.subTest(program=program, strategy=strategy):
                    words = ("recommend", "s.h5", "--at", self.AT, "--error", "1e-4", "--in", program, "--strategies", strategy)
                    if program == "saltus":
                        words += ("--solvers", "ode45,dop853")
                    told = json.loads(self.works(*words, "--json"))
                    self.assertIn(told["export"], self.works(*words))
                    for word in (told["answer"]["solver"], f"--strategy {strategy}", "--initial y2=1.4", f"--param {self.AT}"):
                        self.assertIn(word, told["export"])
                    text = self.works(*shlex.split(told["export"])[1:])
                    (self.folder / ("run.c" if program == "saltus" else "run.txt")).write_text(text, encoding="utf-8")
                    if program == "saltus":
                        subprocess.run(["cc", "-O1", "run.c", "-o", "run", "-lm"], cwd=self.folder, check=True)
                    state = self.printed(command)[1]
                    self.assertAlmostEqual(state["y1"], float(known["y1"]), delta=3e-3)
                    self.assertNotEqual(state["y1"], float(known["y1"]))

    def test_what_cannot_be_written_is_not_named(self):
        said = json.loads(self.works("recommend", "s.h5", "--at", self.AT, "--error", "1e-4", "--in", "matlab", "--json"))
        self.assertIsNone(said["export"])
        said = json.loads(self.works("recommend", "s.h5", "--at", self.AT, "--error", "1e-2", "--in", "saltus", "--solvers", "ode15s", "--json"))
        self.assertEqual((said["answer"]["solver"], said["export"]), ("ode15s", None))  # C has explicit pairs


@unittest.skipIf(PROGRAMS, "those run by day")
class Compiled(Folder):
    C = ["sh", "-c", "cp run.txt run.c && cc -std=c11 -O0 -Wall -Wextra -Wno-unused-variable -Werror run.c -o run -lm && ./run"]

    def run_c(self, model, end, *more):
        self.write("run.txt", "c", model, end, *more)
        return self.C

    def test_c_has_the_runs_of_saltus(self):
        changes = 0
        for path in TEXTS:
            with self.subTest(text=path.name):
                seen, known = self.compare_with_own_run(path, "c", self.C, "dop853", "1e-8", UNTIL.get(path.stem))
                self.assertLessEqual(abs(len(seen) - len(known)), 1 + len(known) // 20)
                changes += len(seen)
        self.assertGreater(changes, 300)

    def test_c_solves_contacts_as_saltus_does(self):
        self.compare_mechanics("c", self.C, ("dop853", "1e-8"))

    def test_c_begins_as_saltus_does(self):
        self.compare_beginnings("c", self.C, "dop853", "1e-8")

    def test_c_ends_where_nothing_holds_a_contact(self):
        self.end_unheld("c", self.C, "dop853")

    def test_no_run_begins_beyond_a_surface(self):
        (self.folder / "b.yaml").write_text(f"equations: 1\nname: b\n{BEGINNINGS['thrown']}", encoding="utf-8")
        text = self.works("export", "--to", "c", "--model", "b.yaml")
        self.assertIn("START[] = {0.0,", text)
        (self.folder / "run.txt").write_text(text.replace("START[] = {0.0,", "START[] = {-0.1,"), encoding="utf-8")
        done = subprocess.run(self.C, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "a run cannot begin beyond a surface, at t = 0\n"))

    def test_its_error_follows_the_tolerance(self):
        known = float(self.trajectory("monopod-equations", "--strategy", "event", "--t-end", 9)[-1]["y2"])
        errors = [abs(self.printed(self.run_c("monopod-equations", 9, "--solver", "ode45", "--rtol", rtol, "--atol", rtol))[1]["y2"] - known)
                  for rtol in ("1e-4", "1e-7")]
        self.assertGreater(errors[0], 30 * errors[1])
        self.assertLess(errors[1], 1e-5)

    def test_c_is_given_pairs_of_files(self):
        solver = os.path.join(cli.SWEEPS, "solvers", "bogacki-shampine.yaml")
        self.compare("rocking-block", self.run_c("rocking-block", 1, "--solver", solver, "--rtol", "1e-9", "--atol", "1e-10"), 1, 1e-5)


@unittest.skipUnless(PROGRAMS, "nightly: SciPy and Octave are not on every machine")
class Programs(Folder):
    SCIPY = ["/usr/bin/python3", "run.txt"]
    OCTAVE = ["octave-cli", "--norc", "-q", "run.txt"]

    def test_scipy(self):
        for path in TEXTS:
            with self.subTest(text=path.name):
                self.compare_with_own_run(path, "scipy", self.SCIPY, "dop853", "1e-8", UNTIL.get(path.stem))

    def test_scipy_solves_contacts_as_saltus_does(self):
        self.compare_mechanics("scipy", self.SCIPY, ("dop853", "1e-8"), ("ode45", "1e-6"))

    def test_octave_solves_contacts_as_saltus_does(self):
        self.compare_mechanics("octave", self.OCTAVE, ("ode45", "1e-6"))

    def test_scipy_begins_as_saltus_does(self):
        for solver in ("dop853", "ode45", "radau5"):
            self.compare_beginnings("scipy", self.SCIPY, solver, "1e-7")

    def test_octave_begins_as_saltus_does(self):
        self.compare_beginnings("octave", self.OCTAVE, "ode45", "1e-7")

    def test_they_end_where_nothing_holds_a_contact(self):
        self.end_unheld("scipy", self.SCIPY, "dop853")
        self.end_unheld("octave", self.OCTAVE, "ode45", ((1, "false"), (0, "false")))  # slow

    def test_octave_ends_where_its_solver_does(self):
        (self.folder / "b.yaml").write_text("equations: 1\nname: b\nspan: 2\nstates: {x: {preset: 1}}\nflow: {x: x^2}\n", encoding="utf-8")
        (self.folder / "run.txt").write_text(self.works("export", "--to", "octave", "--model", "b.yaml", "--solver", "ode45"), encoding="utf-8")
        done = subprocess.run(self.OCTAVE, cwd=self.folder, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual(done.returncode, 1)
        self.assertIn("it ended at t = 1.0000", done.stderr)

    def test_words_of_a_text_become_no_statements(self):
        for program, solver, run in HOSTILE_RUNS[:2]:
            self.run_hostile(program, solver, run)

    def test_scipy_meets_a_flight_shorter_than_a_step(self):
        (self.folder / "hopper.yaml").write_text(self.works("model", "new", "hopper"), encoding="utf-8")
        known = self.trajectory(str(self.folder / "hopper"))
        (self.folder / "run.py").write_text(self.works("export", "--to", "scipy", "--model", "hopper.yaml"), encoding="utf-8")
        seen, state = self.printed(["/usr/bin/python3", "run.py"])
        self.assertEqual(len(seen), sum(row["event"] != "" for row in known))
        self.assertAlmostEqual(state["y"], float(known[-1]["y"]), delta=1e-5)

    def test_octave(self):
        for path in TEXTS:
            with self.subTest(text=path.name):
                seen, known = self.compare_with_own_run(path, "octave", self.OCTAVE, "ode45", "1e-6", min(3, UNTIL.get(path.stem, 3)))
                self.assertLessEqual(abs(len(seen) - len(known)), 1 + len(known) // 20)


@unittest.skipIf(PROGRAMS, "those run by day")
class Export(Folder):
    def script(self, model, *more):
        path = self.folder / "script.py"
        path.write_text(self.works("export", "--to", "scipy", "--model", os.path.join(MODELS, f"{model}.yaml"), *more), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("script", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_runs_are_those_of_saltus(self):
        for model, end, events in (("vibro-impact-equations", 4, True), ("rocking-block", 2, True), ("monopod-equations", 1, False)):
            with self.subTest(model=model, events=events):
                script = self.script(model)
                t, y, seen = script.run(end, script.START, Steps, 1e-8, 1e-8, STEP, events)
                rows = self.trajectory(model, "--t-end", end, "--strategy", "event" if events else "switch")
                self.assertAlmostEqual(t, end, delta=1e-12)
                known = [float(rows[-1][name]) for name in script.STATES]
                np.testing.assert_allclose(y, known, rtol=1e-5 if events else 1e-3, atol=1e-6 if events else 1e-4)
                if events:
                    told = [float(row["t"]) for row in rows if row["event"]]
                    self.assertGreater(len(told), 0)
                    np.testing.assert_allclose([at for at, *_ in seen], told, rtol=1e-6)

    def test_rests_and_joint_impacts_are_those_of_saltus(self):
        """A robot falls, bounces to rest, tips, and lies still on two contacts with friction: in fewer than 300 lines."""
        script = self.script(TUMBLER[:-5])
        self.assertLess(len((self.folder / "script.py").read_text(encoding="utf-8").splitlines()), 300)
        t, y, seen = script.run(1.2, script.START, Steps, 1e-6, np.full(8, 1e-6), STEP)
        rows = self.trajectory(TUMBLER[:-5], "--t-end", 1.2, "--strategy", "event")
        self.assertEqual(t, 1.2)
        np.testing.assert_allclose(y[:8], [float(rows[-1][name]) for name in script.STATES[:8]], atol=1e-5)
        self.assertGreater(len(seen), 15)

    def test_parameters_and_solver_are_those_given(self):
        text = self.works("export", "--to", "scipy", "--model", os.path.join(MODELS, "rocking-block.yaml"), "--param", "p=3.25",
                          "--initial", "th=0.125", "--solver", "radau5", "--rtol", "1e-7", "--t-end", 7)
        for part in ("T_END = 7.0\n", 'SOLVER = "Radau"\n', "RTOL = 1e-07\n", "[3.25,", "[0.125,", "np.sin("):
            self.assertIn(part, text)

    def test_points_that_cannot_both_stick(self):
        (self.folder / "belt.yaml").write_text(BELT, encoding="utf-8")
        script = self.script(str(self.folder / "belt"))
        _, y, seen = script.run(2, script.START, scipy.integrate.DOP853, 1e-8, np.full(6, 1e-8), 0.2)
        rows = self.trajectory(str(self.folder / "belt"), "--t-end", 2, "--strategy", "event")
        np.testing.assert_allclose(y[:6], [float(rows[-1][name]) for name in script.STATES[:6]], atol=1e-5)
        self.assertEqual(len(seen), 4)

    def test_contacts_with_the_key_restitution_have_their_jumps(self):
        self.assertIn("def jump_", self.works("export", "--to", "scipy", "--model", os.path.join(MODELS, "impact-row.yaml")))

    def test_what_cannot_be_is_refused(self):
        block = os.path.join(MODELS, "rocking-block.yaml")
        for name, text in REFUSED.items():
            (self.folder / f"{name}.yaml").write_text(f"equations: 1\nname: {name}\n{text}", encoding="utf-8")
        for name, key, law in (("ordered", "impacts: in-sequence\n", ""), ("phased", "", ", law: poisson")):
            (self.folder / f"{name}.yaml").write_text(
                f"equations: 1\nname: {name}\n{key}coordinates: {{x: {{preset: 1, rate: v}}}}\nkinetic: v^2 / 2\npotential: x\n"
                f"contacts: {{c: {{names: [a, b], gap: x, law: {{rigid: {{restitution: 0.5{law}}}}}}}}}\n", encoding="utf-8")
        for args, says in ((("--to", "scypy", "--model", block), "unknown program 'scypy'"), (("--model", block), "--to scipy, octave, c, julia or siconos is required"),
                           (("--to", "scipy", "--model", "monopod"), "is not a text of equations"),
                           (("--to", "scipy", "--model", os.path.join(MODELS, "quarter-car.yaml")), "is not a text of equations"),
                           (("--to", "scipy", "--model", block, "--solver", "ode113"), "SciPy has no ode113; allowed: ode23, ode45, ode15s, dop853, radau5"),
                           (("--to", "octave", "--model", block, "--solver", "dop853"), "Octave has no dop853; allowed: ode23, ode45, ode23s"),
                           (("--to", "c", "--model", block, "--solver", "radau5"), "C has no radau5; allowed: ode23, ode45, dop853, tsit5"),
                           (("--to", "scipy", "--model", os.path.join(MODELS, "rocking-block-recorded.yaml")), "needs a table"),
                           *((("--to", to, "--model", "pulse.yaml"), "pulse has stops, times at which its flow changes, which are not written out")
                             for to in ("scipy", "octave", "c", "julia")),
                           (("--to", "c", "--model", "ordered.yaml"), "ordered has impacts in sequence, which is not written out"),
                           (("--to", "scipy", "--model", "phased.yaml"), "phased has restitution by Poisson's law, which is not written out"),
                           (("--to", "scipy", "--model", "kept.yaml"), "kept has rigid contacts beside ones without a law that come to rest or have the key release"),
                           (("--to", "scipy", "--model", block, "--strategy", "ess2"), "allowed: switch, event")):
            self.refused("export", *args, says=(says,))

    def test_words_of_a_text_become_no_statements(self):
        for program, solver, run in HOSTILE_RUNS[2:]:
            self.run_hostile(program, solver, run)

    def test_a_word_of_a_text_is_no_piece_of_a_program(self):
        """Possible programming errors with a title do not compile below src/export."""
        source = pathlib.Path(cli.SWEEPS).parent
        folders = [f"-I{source / folder}" for folder in ("src/export", "src/base", "src/equations", "src/sweep", "kernels")]
        for right, line in ((True, "sal_pieces_add_word(out, sal_pieces_clean(title))"), (True, 'ADD(out, CODE("// "))'), (False, 'sal_text_add(out, "%s", title)'),
                            (False, "sal_text_append(out, title, 1)"), (False, "sal_pieces_add_word(out, title)"), (False, "ADD(out, title)"),
                            (False, "ADD(out, {title})"), (False, "ADD(out, CODE(title))")):
            text = f'#include "dialect.h"\nvoid f(sal_text *out, const char *title);\nvoid f(sal_text *out, const char *title) {{ (void)title; {line}; }}\n'
            done = subprocess.run(["cc", "-std=gnu11", "-fsyntax-only", "-Werror", *folders, "-x", "c", "-"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode == 0, right, line + done.stderr)


cli.main()
