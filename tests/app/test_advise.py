"""saltus advise: from a model and a point to an answer, in one command."""
import csv
import json
import os
import re
import signal
import subprocess
import time

import h5py

import cli

# Its solution has a pole at t = 1, or a little later.
BLOWS = """equations: 1
name: blows
time: s
span: 3
watch: x
parameters:
  a: {unit: 1/s, what: rate, preset: 0.9, range: [0.85, 0.95], allowed: [0, 10]}
states:
  x: {unit: "1", what: what grows, preset: 1, range: [0, 1], allowed: [-1e3, 1e3]}
flow:
  x: a * x^2
"""

# Errors grow by e^13.5 until the end, while x is the cosine of time.
GROWS = BLOWS.replace("blows", "grows").replace("a * x^2", "a * (x - cos(t)) - sin(t)").replace("span: 3", "span: 15")

# Work and error depend on the rate alone; the others change nothing.
MANY = BLOWS.replace("blows", "many").replace("a * x^2", "-a * x + 0 * (" + " + ".join(f"q{i}" for i in range(7)) + ")").replace(
    "states:\n", "".join(f"  q{i}: {{unit: 1/s, what: nothing, preset: 1, range: [0, 2], allowed: [0, 10]}}\n" for i in range(7)) + "states:\n")

POINT = ("--at", "b=2500,k=30,y1=0.6", "--error", "1e-3", "--t-end", 5, "--cells", 70)


class Advise(cli.InFolder):
    def advise(self, *args, ranks=0):
        return json.loads(self.works("advise", *args, "-q", "--json", ranks=ranks))

    def setUp(self):
        super().setUp()
        self.rest = self.folder / "rest"  # where cubes lie meanwhile
        self.rest.mkdir()
        os.environ["TMPDIR"] = str(self.rest)
        self.addCleanup(os.environ.pop, "TMPDIR")

    def test_the_answer_is_that_of_the_cube_it_leaves(self):
        told = self.advise("monopod", *POINT, "-o", "kept.h5", "--keep", "kept.yaml")
        for name, value in (("b", 2500), ("y1", 0.6)):  # those that do not vary are values of the sweep
            if name in told["at"]:
                self.assertEqual(told["at"][name], value)
            else:
                self.assertIn(f"{name}: {value}", (self.folder / "kept.yaml").read_text())
        self.assertGreater(told["answer"]["probability"], 0.5)
        at = ",".join(f"{name}={value!r}" for name, value in told["at"].items())
        again = json.loads(self.works("recommend", "kept.h5", "--at", at, "--error", "1e-3", "--run", "--json"))
        for name in ("answer", "schedule", "here", "estimated_error"):
            self.assertEqual(told[name], again[name])
        self.assertTrue(0.5 < told["estimated_error"] / again["run"]["answer"]["error"] < 2, again)
        self.assertIn("max_attempts: 50000", (self.folder / "kept.yaml").read_text())  # a hovering run is given up
        self.works("run", "kept.yaml", "-q", "-o", "again.h5")
        self.assertIn("the same", self.works("diff", "kept.h5", "again.h5"))

    def test_an_estimate_is_the_error_also_where_a_tighter_run_errs_as_much(self):
        """On tables where ode45 at 1e-3 takes the steps of 1e-2, the flights, and at a point where ode113 errs less at 6e-3 than at 6e-4."""
        for at, error in (("e=0.555279,a=0.0341182,w=1.63232,y=0.698077", 1e-6), ("e=0.628275,a=0.142188,w=7.9679,y=0.733886", 1e-2)):
            told = self.advise("shaking-table", "--at", at, "--error", error, "--cells", 96)
            first, names = told["here"][0], ("solver", "strategy", "rtol")
            run = ("trajectory", "-m", "shaking-table", "--param", at.rpartition(",")[0], "--initial", at.rpartition(",")[2], "--dt", 0.01, "-f", "-o")
            paths = []
            for solver, strategy, rtol in ([first[n] for n in names], (first["solver"], first["strategy"], first["rtol"] / 10), ("dop853", "event", 1e-12)):
                self.works(*run, "y.csv", "--solver", solver, "--strategy", strategy, "--rtol", repr(rtol))
                rows = csv.DictReader((self.folder / "y.csv").read_text().splitlines())
                paths.append([float(row["y"]) for row in rows if not row["event"]])
            apart = [max(abs(a - b) for a, b in zip(paths[0], path, strict=True)) for path in paths[1:]]
            self.assertTrue(0.5 < first["estimated_error"] / apart[1] < 2, (first, apart))
            self.assertFalse(0.5 < apart[0] / apart[1] < 2, (first, apart))  # as a run at a tenth would have it

    def test_ranks_change_no_answer_and_nothing_is_left(self):
        one, two = (self.advise("monopod", *POINT, ranks=ranks) for ranks in (0, 2))
        self.assertEqual(one["answer"], two["answer"])
        self.assertEqual(list(self.rest.iterdir()), [])

    def test_options_and_discrete_states_are_those_of_the_point(self):
        self.works("advise", "monopod", "--at", "adhesion=clamp", "--error", "1e-2", "--t-end", 2, "--cells", 70, "-q",
                   "--keep", "a.yaml")
        self.assertIn("options: {adhesion: clamp}", (self.folder / "a.yaml").read_text())
        self.works("advise", "stick-slip", "--error", "1e-2", "--t-end", 2, "--cells", 60, "-q", "--keep", "b.yaml")
        self.assertIn("sense: -1", (self.folder / "b.yaml").read_text())

    def test_a_program_has_its_solvers_and_is_told_what_to_write(self):
        of = {"scipy": {"ode23", "ode45", "dop853", "radau5", "ode15s"},
              "matlab": {"ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb"}}
        for home, solvers in of.items():
            with self.subTest(home=home):
                told = self.advise("vibro-impact", "--error", "1e-3", "--t-end", 4, "--cells", 60, "--in", home, "--keep", f"{home}.yaml")
                self.assertEqual({told["answer"]["solver"]} | {other["solver"] for other in told["why"]["others"]}, solvers)
                self.assertIn(told["answer"]["strategy"], ("switch", "event"))
                self.assertEqual(told["in"], home)
                self.assertIn("solve_ivp" if home == "scipy" else told["answer"]["solver"], told["call"])
                self.assertEqual(told["calibration"]["error"], 1e-3)
                self.assertGreater(told["calibration"]["asked"], 50)

    def test_solvers_in_files_are_asked_too(self):
        """That of the text is ode45 by another name: it takes the same."""
        told = self.advise("vibro-impact", "--error", "1e-3", "--t-end", 2, "--cells", 40, "--solver",
                           os.path.join(cli.SWEEPS, "solvers", "dormand-prince.yaml"))
        others = {other["solver"]: other for other in told["why"]["others"]}
        theirs, ours = others["dormand-prince"], others["ode45"]
        del theirs["solver"], ours["solver"]
        self.assertEqual(theirs, ours)
        self.refused("advise", "monopod", "--error", "1e-3", "--solver", "none.yaml", says=("none.yaml: cannot be read",), code=4)
        self.refused("advise", "monopod", "--error", "1e-3", "--solver", "a.yaml", "--in", "scipy", says=("--solver a.yaml: no program of --in",))

    def test_libraries_are_asked_for_their_own_solvers(self):
        for home in ("petsc", "sundials"):
            with self.subTest(home=home):
                done = self.saltus("advise", "decay", "--error", "1e-3", "--t-end", 1, "--cells", 30, "-q", "--json", "--in", home)
                if "this build" in done.stderr:
                    self.skipTest(done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                self.assertTrue(told["answer"]["solver"].startswith(home), told["answer"])
                self.assertEqual((told["in"], told["call"]), (home, None))

    def test_why_names_stiffness_events_and_what_others_take(self):
        stiff, soft = (self.advise("monopod", "--at", f"b={b}", *POINT[2:])["why"] for b in (20000, 200))
        self.assertGreater(stiff["fastest_rate"], 2 * soft["fastest_rate"])
        self.assertGreater(stiff["events"], 0)
        self.assertTrue(all(other["times"] is None or other["times"] > 0.99 for other in stiff["others"]))
        self.assertGreater(sum(other["times"] is not None for other in stiff["others"]), 4)

    def test_the_time_bounds_the_cells(self):
        def cells(seconds):
            """Cells of the advice; more seconds where the machine is busy."""
            while self.saltus("advise", "decay", "--error", "1e-3", "--seconds", seconds, "-q", "--keep", "kept.yaml", "-f").returncode:
                seconds *= 2
                self.assertLess(seconds, 1000)
            return int((self.folder / "kept.yaml").read_text().split("points:")[1].split()[0])

        few, many = cells(0.1), cells(20)
        self.assertGreaterEqual(few, 3)
        self.assertLessEqual(few, many)
        self.assertEqual(many, 96)

    def test_where_no_cells_fit_the_point_alone_is_run(self):
        model = os.path.join(cli.SWEEPS, "models", "vehicle-dof10.yaml")
        for seconds in (2, 4, 8, 16, 32):  # more where the machine is busy; cells of it take seconds
            done = self.saltus("advise", model, "--error", "1e-3", "--seconds", seconds, "--json")
            told = json.loads(done.stdout) if done.returncode == 0 else {}
            if told.get("answer") and told["neighbours"] == 0:
                break
        answer = told["answer"]
        self.assertEqual((told["neighbours"], told["calibration"], told["schedule"], answer["probability"]), (0, None, [], None))
        self.assertRegex(done.stderr, r"solvers run at the point alone; --seconds \S+ may do for cells")
        self.assertIsNone(cli.flaw("advise", told))
        hits = [h for h in told["here"] if h["verdict"] == "hit"]
        self.assertEqual(answer["work"], min(h["work"] for h in hits))
        self.assertTrue(all(h["check"]["solver"] != h["solver"] for h in told["here"]))
        self.assertLessEqual(told["estimated_error"], 1e-3)
        run = ("trajectory", "-m", model, "-M", answer["solver"], "-S", "event", "--dt", "0.004", "-f", "--rtol")
        for rtol, name in ((answer["rtol"], "a.csv"), (1e-7, "b.csv")):
            self.works(*run, rtol, "-o", name)
        ours, truth = (list(csv.DictReader((self.folder / name).read_text().splitlines())) for name in ("a.csv", "b.csv"))
        error = max(abs(float(a["chassis_z"]) - float(b["chassis_z"])) for a, b in zip(ours, truth, strict=True))
        self.assertTrue(0.5 < told["estimated_error"] / error < 2, (told["estimated_error"], error))
        self.refused("advise", model, "--error", "1e-3", "--seconds", 0.2, "-o", "none.h5", "-q", says=("too few cells could be run for a cube",))

    def test_another_method_of_reference_takes_the_place_of_one_that_fails(self):
        done = self.saltus("advise", "decay", "--at", "lambda=1e6", "--error", "1e-3", "--cells", 20, "-o", "stiff.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"in \d+ of \d+ cells the reference by dop853 failed \(step_cap at t = .*\); radau5 took its place")
        with h5py.File(self.folder / "stiff.h5") as cube:
            words = cli.word(cube["reference_solver"].attrs["flag_meanings"]).split()
            self.assertEqual({words[i] for i in cube["reference_solver"]}, {"radau5"})
            outcomes = cli.word(cube["reference_first_outcome"].attrs["flag_meanings"]).split()
            self.assertEqual({outcomes[i] for i in cube["reference_first_outcome"]}, {"step_cap"})
            self.assertLess(float(max(cube["reference_first_reached"])), 2)
            self.assertLess(float(max(cube["reference_error"])), 1e-9)

    def test_without_a_reference_the_reason_is_said_at_once(self):
        (self.folder / "blows.yaml").write_text(BLOWS)
        began = time.monotonic()
        self.refused("advise", "blows.yaml", "--error", "1e-3", "-q",
                     says=("nothing to measure errors against", "dop853 failed (", " at t = 1.", "none of radau5, ode45, ode15s"))
        self.assertLess(time.monotonic() - began, 60)
        done = self.saltus("model", "check", "blows.yaml")
        self.assertEqual(done.returncode, 14, done.stderr)
        self.assertIn("the reference by dop853 failed (", done.stdout)

    def test_the_tolerances_are_as_tight_as_errors_grow(self):
        (self.folder / "grows.yaml").write_text(GROWS)
        told = self.advise("grows.yaml", "--error", "1e-3", "--cells", 30, "--keep", "kept.yaml")
        self.assertLess(told["answer"]["rtol"], 2e-8)  # of the error alone 1e-7 would be the tightest
        self.assertEqual(told["answer"]["solver"], "ode113")
        self.assertLessEqual(told["estimated_error"], 1e-3)
        levels = [float(r) for r in re.search(r"rtol: \[(.*)\]", (self.folder / "kept.yaml").read_text()).group(1).split(",")]
        self.assertLess(min(levels), 2e-10)
        self.assertGreater(sum(0.09 < r / told["answer"]["rtol"] < 11 for r in levels), 4)  # quarter decades on one side at least

    def test_of_many_quantities_those_vary_that_matter(self):
        """With a number of cells, with a time, and by any ranks."""
        (self.folder / "many.yaml").write_text(MANY)
        for ranks, given, columns in ((0, ("--cells", 24), "a, x]"), (2, ("--cells", 24), "a, x]"), (0, ("--seconds", 20), "a")):  # alone where time is short
            told = self.advise("many.yaml", "--error", "1e-3", *given, "--keep", "kept.yaml", "-f", ranks=ranks)
            self.assertIn(f"columns: [{columns}", (self.folder / "kept.yaml").read_text())
            self.assertLessEqual(told["estimated_error"], 1e-3)

    def test_a_signal_leaves_nothing_and_says_so(self):
        run = subprocess.Popen([cli.SALTUS, "advise", "monopod", "--error", "1e-6", "--cells", "5000", "-q"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        time.sleep(1.5)
        run.send_signal(signal.SIGUSR1)
        _, said = run.communicate(timeout=cli.TIMEOUT)
        self.assertEqual(run.returncode, 85, said)
        self.assertRegex(said, r"saltus advise: (a signal stopped it when \d+ of \d+ cells had been run|.*stopped by a signal)")
        self.assertNotIn("goes on", said)
        self.assertEqual(list(self.rest.iterdir()), [])

    def test_a_model_of_equations_is_named_by_its_file(self):
        told = self.advise(f"{cli.SWEEPS}/models/rocking-block.yaml", "--at", "al=0.3,th=0.15", "--error", "1e-2", "--t-end", 3, "--cells", 64)
        self.assertEqual((told["at"]["al"], told["at"]["th"]), (0.3, 0.15))
        self.assertGreater(told["answer"]["probability"], 0.5)

    def test_what_cannot_be_is_refused(self):
        for args, says in ((("monopot", "--error", "1e-3"), ("monopot", "did you mean 'monopod'?")),
                           (("monopod",), ("--error E is required",)),
                           (("monopod", "--error", "1e-3", "--in", "scypi"), ("--in", "allowed: saltus, scipy, matlab, octave, julia, petsc, sundials")),
                           (("monopod", "--error", "one"), ("one",)),
                           (("monopod", "--error", "1e-3", "--at", "bb=3"), ("--at", "bb")),
                           (("monopod", "--error", "1e-3", "--at", "b=-3"), ("--at", "b")),
                           (("monopod", "--error", "1e-3", "--around", "0"), ("--around",)),
                           (("none.yaml", "--error", "1e-3"), ("none.yaml",))):
            with self.subTest(args=args):
                done = self.saltus("advise", *args, "-q")
                self.assertNotEqual(done.returncode, 0)
                for part in says:
                    self.assertIn(part, done.stderr)
        self.assertEqual(list(self.rest.iterdir()), [])


if __name__ == "__main__":
    cli.main()
