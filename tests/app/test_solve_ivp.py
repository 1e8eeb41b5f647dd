"""analysis/solve_ivp.py with SciPy itself: its solvers, recorded and scored, have errors that follow the tolerance."""
import pathlib
import subprocess

import h5py
import numpy as np

import cli

SCRIPT = pathlib.Path(cli.SWEEPS).parent / "analysis" / "solve_ivp.py"
METHODS = ("RK45", "DOP853", "LSODA", "Radau", "BDF")
SWEEPS = {
    "monopod": "strategies: [switch, event]\nt_end: 6\n",
    "linear-ground": "strategies: [switch, event]\nt_end: 4\n",
    "bouncing-ball": "strategies: [event]\nt_end: 1.2\n",
}


class SolveIvp(cli.InFolder):
    def record(self, method):
        done = subprocess.run(["/usr/bin/python3", SCRIPT, "tasks.yaml", "--method", method, "-o", f"{method}.txt"],
                              cwd=self.folder, text=True, stderr=subprocess.PIPE, timeout=cli.TIMEOUT, check=False)
        self.assertEqual(done.returncode, 0, "is SciPy there?  jobscripts/setup.sh --scipy\n" + done.stderr)
        return f"--recorded=scipy-{method.lower()}={method}.txt"

    def scored(self, model):
        text = f"model: {model}\nmesh: 0.01\nsolvers: [ode45]\nrtol: [1e-3, 1e-5, 1e-7]\n{SWEEPS[model]}"
        (self.folder / "sweep.yaml").write_text(text, encoding="utf-8")
        self.works("score", "sweep.yaml", "--export", "tasks.yaml", "--force")
        self.works("score", "sweep.yaml", *map(self.record, METHODS), "-o", "cube.h5", "-q", "--force")
        with h5py.File(self.folder / "cube.h5") as cube:
            return {name: cube[name][0] for name in ("outcome", "max_error", "rhs_evaluations", "jacobians", "solves",
                                                     "factorisations", "events", "steps")}

    def test_errors_follow_the_tolerance(self):
        for model in SWEEPS:
            with self.subTest(model):
                found = self.scored(model)
                self.assertTrue(np.all(found["outcome"] == 0))
                error = found["max_error"][:, :, 1:]
                self.assertTrue(np.all(error[-1] < 1e-4))
                self.assertTrue(np.all(error > 0))
                if model != "bouncing-ball":  # whose parabola costs no solver an error
                    self.assertTrue(np.all(error[-1] < 0.05 * error[0]))
                event = found["events"][-1, -1]
                self.assertTrue(np.all(event == event[0]) and event[0] > 0)

    def test_linear_algebra_is_counted(self):
        found = self.scored("monopod")
        for i, method in enumerate(("ode45", *METHODS)):
            implicit = method in ("LSODA", "Radau", "BDF")
            for name in ("jacobians", "factorisations", "solves"):
                some = found[name][..., i]
                self.assertTrue(np.all((some > 0) == implicit) or method == "LSODA", (method, name, some))
            self.assertTrue(np.all(found["rhs_evaluations"][..., i] > found["steps"][..., i]))


if __name__ == "__main__":
    cli.main()
