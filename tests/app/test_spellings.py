"""A stopped run goes on under every spelling of its sweep, model and solver, and not with another value."""
import json
import os
import pathlib
import shutil
import signal
import subprocess

import cli

MODEL = """equations: 1
name: oscillator
title: a mass above a floor
time: s
span: 4
watch: y
parameters:
  k: {unit: "1/s^2", what: "stiffness", preset: 4, range: [1, 10], allowed: [0, 1e3]}
  c: {unit: "1/s", preset: 0.25, range: [0, 1]}
states:
  y: {unit: m, what: height, preset: 1, range: [0.5, 2], allowed: [-10, 10]}
  vv: {unit: m/s, what: rate, preset: 0, range: [-1, 1], allowed: [-100, 100], rate_of: y}
contacts:
  floor: {names: [touch, lift], gap: y + 0.5, closes: {vv: -vv}, kind: rigid}
flow:
  y: vv
  vv: -k*y - c*vv
"""
SWEEP = """title: first
model: m.yaml
t_end: 50
solvers: [ode45, radau5, pair.yaml]
strategies: [event]
rtol: [1e-6, 1e-8]
mesh: 0.01
cells:
  axes:
    - {name: k, log: [2, 8], points: 60}
    - {name: y, list: [1, 1.5, 2]}
"""
OWN = os.path.join(cli.SWEEPS, "solvers")
PAIR = next(name for name in sorted(os.listdir(OWN)) if name.endswith(".yaml"))


def put(name, old, new):
    """In the file `name`, `new` in place of `old`."""
    def change(text):
        assert old in text, (name, old)
        return text.replace(old, new)
    return name, change


ROUNDS = (  # of spellings, each of which is written at once
    (put("s.yaml", "title: first", "title: second"), put("s.yaml", "t_end: 50", "t_end: 50.0"), put("s.yaml", "[1e-6, 1e-8]", "[0.000001, 1E-08]"),
     put("s.yaml", "[1, 1.5, 2]", "[1.0, 15e-1, 2]"), put("s.yaml", "mesh: 0.01", "mesh: 1e-2\nbudget: {}"),
     put("m.yaml", "what: height", "what: the height of the mass"), put("m.yaml", "preset: 4, range: [1, 10]", "preset: 4.0, range: [1.0, 1e1]"),
     put("pair.yaml", "title: ", "title: my own, ")),
    (put("s.yaml", "title: first\n", "# a remark\n"), put("s.yaml", "t_end: 50", "t_end: +5e1"), put("s.yaml", "log: [2, 8]", "log: [2.0, 8e0]"),
     put("s.yaml", "mesh: 0.01", "mesh: 0.01\nparameters: {c: 0.25}\ninitial: {vv: 0.0e0}"), put("s.yaml", "strategies: [event]", "strategies:\n  - 'event'"),
     put("m.yaml", "equations: 1", "# a remark\n\nequations: 1"), put("m.yaml", "title: a mass above a floor\n", ""),
     put("m.yaml", "-k*y - c*vv", "-k * y - c * vv  # as in the book"), put("pair.yaml", "tableau: 1", "# mine\ntableau: 1")),
    (put("s.yaml", "mesh: 0.01", "mesh: 0.01\nbudget: {factor: 1e3}\nmax_step: 0.0"),
     put("s.yaml", "rtol:", "reference_tolerance: 1e-13\nrtol:"), put("s.yaml", "rtol:", "divergence: {epsilon: [0.01, 1.0e-2]}\nrtol:"),
     put("m.yaml", "  y: {unit: m,", "  y: {unit: 'm' ,   "), put("m.yaml", ", what: rate", ""),
     put("s.yaml", "\n", "\r\n"), put("m.yaml", "\n", "\r\n"), put("pair.yaml", "\n", "\r\n")),
)
OTHERS = (  # and the line that names the key
    (put("s.yaml", "t_end: 50", "t_end: 51"), "+ t_end: 51  (line 3)"),
    (put("s.yaml", "mesh: 0.01", "mesh: 0.01\nparameters: {c: 0.2500000000000001}"), "+ parameters.c: 0.2500000000000001  (line 8)"),
    (put("s.yaml", "2]", "3]"), "+ cells.axes[2].list: [1, 1.5, 3]  (line 11)"),
    (put("m.yaml", "preset: 0.25", "preset: 0.5"), "+ model.parameters.c.preset: 0.5  (line 9 of the model's file)"),
    (put("m.yaml", "-k*y - c*vv", "-k*y + c*vv"), "+ model.flow.vv: -k*y+c*vv  (line 17 of the model's file)"),
)


class Spellings(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.text = {"s.yaml": SWEEP, "m.yaml": MODEL, "pair.yaml": pathlib.Path(OWN, PAIR).read_text()}
        self.write()

    def write(self, *changes):
        for each, text in self.text.items():
            for name, change in changes:
                text = change(text) if name == each else text
            (self.folder / each).write_bytes(text.encode())

    def stop(self):
        """Journals of some of the cells; a machine that is busy may see the run end before."""
        status = self.folder / "status"
        run = subprocess.Popen([cli.SALTUS, "run", "-q", "-f", "s.yaml", "-o", "x.h5", "--status", status, "--every", "0.02"],
                               cwd=self.folder, env=dict(os.environ, OMP_NUM_THREADS="1"), stderr=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        told = lambda: [json.loads(line)["done"] for line in (status.read_text() if status.exists() else "").splitlines()]
        cli.wait_until(lambda: any(told()), run)
        run.send_signal(signal.SIGTERM)
        status.unlink(missing_ok=True)
        return run.wait(cli.TIMEOUT) == 85

    def again(self):
        """The stopped run goes on with the files as they are."""
        shutil.copytree(self.folder / "kept", self.folder / "x.h5.journal", dirs_exist_ok=True)
        (self.folder / "x.h5").unlink(missing_ok=True)
        return self.saltus("run", "-q", "s.yaml", "-o", "x.h5")

    def test_a_stopped_run_goes_on_under_other_spellings_only(self):
        self.works("run", "-q", "s.yaml", "-o", "reference.h5")
        self.assertTrue(any(self.stop() for _ in range(5)))
        shutil.move(self.folder / "x.h5.journal", self.folder / "kept")
        for changes in ROUNDS:
            self.write(*changes)
            done = self.again()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("the same", self.works("diff", "reference.h5", "x.h5"))
        for change, line in OTHERS:
            self.write(change)
            done = self.again()
            self.assertEqual(done.returncode, 3, done.stderr)
            lines = done.stderr.splitlines()
            self.assertIn(line, lines)
            self.assertLessEqual(len(lines), 4, done.stderr)
            self.assertEqual(lines[-1], "Take the change back to go on from there, or discard these journals by --force.")

    def test_parts_with_other_titles_are_merged(self):
        run = ("run", "-q", "s.yaml", *cli.sets("t_end=2"))
        self.works(*run, "-o", "x.h5", "--part", "1/2")
        self.write(put("s.yaml", "title: first", "title: second"))
        self.works(*run, "-o", "x.h5", "--part", "2/2")
        self.works("merge", "-q", "x.h5")
        self.write(put("m.yaml", "what: height", "what: level"))
        self.works(*run, "-o", "reference.h5")
        self.assertIn("the same", self.works("diff", "reference.h5", "x.h5"))


cli.main()
