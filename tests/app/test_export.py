"""Scripts that `saltus export` writes, run without SciPy: its solve_ivp is replaced by a Runge-Kutta method of fixed steps."""
import csv
import importlib.util
import os
import types

import numpy as np

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
STEP = 1e-3


def rk4(f, t, y, h):
    a = np.asarray(f(t, y))
    b = np.asarray(f(t + h / 2, y + h / 2 * a))
    c = np.asarray(f(t + h / 2, y + h / 2 * b))
    return y + h / 6 * (a + 2 * b + 2 * c + np.asarray(f(t + h, y + h * c)))


def solve_ivp(f, span, y, method, events=(), rtol=0, atol=0):
    """What a script uses of SciPy's: steps of STEP, events by bisection of the step."""
    (t, end), y = span, np.array(y)
    while t < end:
        h = min(STEP, end - t)
        new = rk4(f, t, y, h)
        for k, event in enumerate(events):
            before, after = event(t, y), event(t + h, new)
            if not (before * event.direction <= 0 <= after * event.direction) or before == after:
                continue
            low, high = 0.0, h
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if event(t + middle, rk4(f, t, y, middle)) * event.direction >= 0 else (middle, high)
            found = [[t + high] if i == k else [] for i in range(len(events))]
            return types.SimpleNamespace(y=rk4(f, t, y, high)[:, None], t=[t + high], t_events=found, status=1, message="")
        t, y = t + h, new
    return types.SimpleNamespace(y=y[:, None], t=[t], t_events=[[] for _ in events], status=0, message="")


class Export(cli.InFolder):
    def script(self, model, *more):
        path = self.folder / "script.py"
        path.write_text(self.works("export", "--to", "scipy", "--model", os.path.join(MODELS, f"{model}.yaml"), *more), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("script", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.solve_ivp = solve_ivp
        return module

    def trajectory(self, model, *more):
        self.works("trajectory", "--model", os.path.join(MODELS, f"{model}.yaml"), "--solver", "dop853", "--rtol", "1e-12", "--atol", "1e-12",
                   "--dt", 0.5, "-f", "-o", "t.csv", *more)
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_runs_are_those_of_saltus(self):
        for model, end, events in (("vibro-impact-equations", 6, True), ("rocking-block", 3, True), ("monopod-equations", 9, True),
                                   ("monopod-equations", 2, False), ("hopping-leg-equations", 1.5, True)):
            with self.subTest(model=model, events=events):
                script = self.script(model)
                t, y, seen = script.run(end, script.START, "RK45", 0, 0, events)
                rows = self.trajectory(model, "--t-end", end, "--strategy", "event" if events else "switch")
                self.assertAlmostEqual(t, end, delta=1e-12)
                known = [float(rows[-1][name]) for name in script.STATES]
                np.testing.assert_allclose(y, known, rtol=1e-5 if events else 1e-3, atol=1e-6 if events else 1e-4)
                if events:
                    told = [float(row["t"]) for row in rows if row["event"]]
                    self.assertGreater(len(told), 0)
                    np.testing.assert_allclose([at for at, *_ in seen], told, rtol=1e-6)

    def test_parameters_and_solver_are_those_given(self):
        text = self.works("export", "--to", "scipy", "--model", os.path.join(MODELS, "rocking-block.yaml"), "--param", "p=3.25",
                          "--initial", "th=0.125", "--solver", "radau5", "--rtol", "1e-7", "--t-end", 7)
        for part in ('run(7, START, "Radau", 9.9999999999999995e-08', "[3.25,", "[0.125,", "np.sin("):
            self.assertIn(part, text)

    def test_what_cannot_be_is_refused(self):
        block = os.path.join(MODELS, "rocking-block.yaml")
        for args, says in ((("--to", "scypy", "--model", block), "unknown program 'scypy'"), (("--model", block), "to what?"),
                           (("--to", "scipy", "--model", "monopod"), "is no text of equations"),
                           (("--to", "scipy", "--model", os.path.join(MODELS, "quarter-car.yaml")), "is no text of equations"),
                           (("--to", "scipy", "--model", block, "--solver", "ode113"), "SciPy has no ode113; allowed: ode23"),
                           (("--to", "scipy", "--model", os.path.join(MODELS, "rocking-block-recorded.yaml")), "needs a table"),
                           (("--to", "scipy", "--model", block, "--strategy", "ess2"), "allowed: switch, event")):
            self.refused("export", *args, says=(says,))


cli.main()
