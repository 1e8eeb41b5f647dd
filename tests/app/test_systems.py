"""Systems that other people asked about (tests/data/systems): every end agrees with an independent program's.

A row of right.csv gives a state's value at the end of the span and the number of events of the run. With --all every
solver runs at five tolerances, and reference.py has to find right.csv again.
"""
import csv
import pathlib
import sys

ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")

import cli  # noqa: E402  it reads sys.argv

SYSTEMS = pathlib.Path(__file__).parents[1] / "data" / "systems"
# The largest error over rtol times the state's size: errors at an order below that of the tolerance grow as it tightens.
BOUNDS = {"ode23": 300, "ode45": 100, "tsit5": 100, "dop853": 10, "ode113": 100, "ode15s": 1000, "ode23s": 2e4, "ode23t": 2e4,
          "ode23tb": 2e4, "radau5": 10}
SMALL = {"relief-valve": 1e-3}  # size of a state that is far below 1
SPACING = {"boost": "1e-3", "relief-valve": "1.1e-3", "rectifier": "0.0025"}  # rows of a run shorter than the preset


def right():
    """SYSTEM: ({STATE: VALUE}, EVENTS)"""
    found = {}
    for row in csv.DictReader((SYSTEMS / "right.csv").open()):
        found.setdefault(row["system"], ({}, int(row["events"])))[0][row["state"]] = float(row["value"])
    return found


class Systems(cli.InFolder):
    def compare(self, solvers, exponents):
        for system, (end, events) in right().items():
            for solver in solvers:
                for exponent in exponents:
                    self.one(system, end, events, solver, exponent)

    def one(self, system, end, events, solver, exponent):
        what = f"{system} by {solver} at 1e-{exponent}"
        run = self.saltus("trajectory", "--model", SYSTEMS / f"{system}.yaml", "--solver", solver, "--strategy", "event",
                          "--rtol", f"1e-{exponent}", "--dt", SPACING.get(system, "0.05"), "-f", "-o", "end.csv")
        self.assertEqual(run.returncode, 0, f"{what}: {run.stderr}")
        if exponent > 3:  # a loose run may slip for an instant where the true one just sticks
            self.assertIn(f" {events} events", run.stderr, what)
        rows = list(csv.DictReader((self.folder / "end.csv").open()))
        for state, value in end.items():
            size = max(abs(value), SMALL.get(system, 1))
            self.assertLessEqual(abs(float(rows[-1][state]) - value), BOUNDS[solver] * 10.0**-exponent * size, f"{what}: {state}")
            travelled = max(abs(float(row[state]) - value) for row in rows)
            self.assertGreater(travelled, 1e-2 * size, f"{what}: {state} never moves")

    def ends(self, model, solver, rtol):
        with self.subTest(model=model, solver=solver, rtol=rtol):
            self.works("trajectory", "--model", pathlib.Path(cli.SWEEPS) / "models" / f"{model}.yaml", "--solver", solver, "--rtol", rtol, "--atol", rtol, "-f", "-o", "end.csv")

    if ALL:
        def test_shipped_texts_end_by_all_solvers(self):
            dear = ("double-pendulum-cartesian", "hopping-leg-dae", "pile", "vehicle", "vehicle-dof10")
            for text in sorted((pathlib.Path(cli.SWEEPS) / "models").glob("*.yaml")):
                for solver in (*BOUNDS, "rosnys4", "rosnysw2") if text.stem not in dear else ():
                    for rtol in (1e-2, 1e-3, 1e-5):
                        self.ends(text.stem, solver, rtol)

        def test_all_solvers_at_five_tolerances(self):
            self.compare(BOUNDS, (3, 5, 7, 9, 10))

        def test_the_independent_program_finds_the_same(self):
            text = cli.subprocess.run(["/usr/bin/python3", SYSTEMS / "reference.py"], capture_output=True, text=True, check=True).stdout
            again, kept = (list(csv.DictReader(lines.splitlines())) for lines in (text, (SYSTEMS / "right.csv").read_text()))
            self.assertEqual(len(again), len(kept))
            for a, b in zip(again, kept):
                self.assertEqual((a["system"], a["state"], a["events"]), (b["system"], b["state"], b["events"]))
                self.assertAlmostEqual(float(a["value"]), float(b["value"]), delta=1e-11 * max(1, abs(float(b["value"]))))
    else:
        def test_references_and_a_preset_solver(self):
            self.compare(("ode45", "dop853", "radau5"), (6,))

        def test_a_tip_that_leaves_its_wall(self):
            """Its force is off 0 by the error of the run when it lets go."""
            for solver, rtol in (("ode15s", 1e-2), ("ode15s", 1e-3), ("ode23s", 1e-5), ("ode23t", 1e-5)):
                self.ends("cart-pole", solver, rtol)


cli.main()
