"""Everything in the registries with everything else: each model in one sweep of all methods and strategies.

Compatible combinations follow from the output of `saltus list`, so that a new file and a line in a registry need no change here.
"""
import functools
import json

import numpy as np
import xarray

import cli

SWEEP = """
model: {model}
t_end: {t_end}
mesh: {mesh}
solvers: [{methods}]
strategies: [{strategies}]
rtol: [1e-5]
unsupported: leave-out
measure: {{late: mean(t)}}
projection: {{measure: gap, zone: 1e-3}}
"""


def drives(strategy, method):
    """A method with a history cannot go on from a projected state."""
    return not strategy["one_step"] or method["least_order"] == method["order"]


def meets(strategy, model):
    """A strategy that never stops at a contact makes no jumps."""
    return strategy["held"] or not model["resets"]


def solves(method, model):
    return not method["second_order"] or model["second_order"]


def as_printed(strategy):
    """One that is kept as its source prints it, faults included: it projects without freezing the mode, and loses runs."""
    return strategy["zone"] and not strategy["held"]


class Registry(cli.InFolder):
    @functools.lru_cache(maxsize=None)
    def list(self, kind):
        found = json.loads(self.works("list", kind, "--json"))[kind]
        found = [entry for entry in found if not entry.get("library")]  # those of other libraries: test_libraries.py
        found = [entry for entry in found if not entry.get("captures")]  # time stepping: tests/stepping
        self.assertGreater(len(found), 1)
        return found

    @staticmethod
    def size_of(model):
        """Size of the state that is scored; at least 1."""
        state = next(s for s in model["states"] if s["name"] == model["scored_on"])
        return max(1, abs(state["preset"]))

    def sweep(self, model, methods, strategies):
        text = SWEEP.format(model=model["name"], t_end=model["span"], mesh=model["span"] / 100,
                            methods=", ".join(m["name"] for m in methods), strategies=", ".join(s["name"] for s in strategies))
        (self.folder / "all.yaml").write_text(text, encoding="utf-8")
        self.works("run", "all.yaml", "-q", "-o", "all.h5", "--force")
        with xarray.open_dataset(self.folder / "all.h5", engine="h5netcdf") as cube:
            return cube.load()

    def test_every_pair_runs_or_is_left_out_by_name(self):
        methods, strategies = self.list("solvers"), self.list("strategies")
        filled = set()
        for model in self.list("models"):
            cube = self.sweep(model, methods, strategies)
            sound = cube.sel(strategy=[s["name"] for s in strategies if not as_printed(s)])  # a lost run has points for its time
            filled |= {name for name, values in sound.data_vars.items() if values.dtype.kind != "f" or values.notnull().any()}
            words = dict(zip(cube.outcome.attrs["flag_values"], cube.outcome.attrs["flag_meanings"].split()))
            for strategy in strategies:
                for method in methods:
                    with self.subTest(model=model["name"], strategy=strategy["name"], method=method["name"]):
                        run = cube.sel(strategy=strategy["name"], solver=method["name"]).isel(cell=0, rtol=0)
                        self.check(run, words[int(run.outcome)], model, strategy, method)
        filled |= self.filled_by_orbits(models_with_sections=[m for m in self.list("models") if m["section"]])
        # what is timed needs repeats: columns that nothing fills are seen
        known = {metric["name"] for metric in self.list("metrics")}
        timed = {name for name in known if "solution_duration" in name}
        self.assertEqual(timed & filled, set())
        # as test_libraries.py, test_cutoffs.py, tests/stepping and test_exponents.py see
        elsewhere = {"library_reason", "max_error_partial", "contact_rows", "penetration", "captured_difference"}
        elsewhere |= {name for name in known if name.startswith(("exponent", "visits", "section", "basin"))}
        self.assertEqual(known - filled - timed, elsewhere, "a metric that nothing fills")

    def filled_by_orbits(self, models_with_sections):
        """Every model with a section is asked for its long run; the names that hold something then."""
        filled = set()
        self.assertGreater(len(models_with_sections), 2)
        for model in models_with_sections:
            (self.folder / "orbit.yaml").write_text(SWEEP.format(
                model=model["name"], t_end=model["span"], mesh=model["span"] / 100, methods="dop853", strategies="event")
                + "orbit: {find: [cycles, transient], returns: 20}\n", encoding="utf-8")
            self.works("run", "orbit.yaml", "-q", "-o", "orbit.h5", "--force")
            with xarray.open_dataset(self.folder / "orbit.h5", engine="h5netcdf") as cube:
                self.assertIn(int(cube.orbit_verdict[0]), cube.orbit_verdict.attrs["flag_values"])
                filled |= {name for name, values in cube.data_vars.items() if values.notnull().any()}
        return filled

    def check(self, run, outcome, model, strategy, method):
        impossible = not (drives(strategy, method) and meets(strategy, model) and solves(method, model))
        self.assertEqual(outcome == "incompatible", impossible, outcome)
        if impossible:
            self.assertTrue(np.isnan(run.steps) and np.isnan(run.rhs_evaluations))
            self.assertTrue(np.isnan(run.max_error) and np.isnan(run.points_rhs_evaluations))
        elif not as_printed(strategy):
            self.assertIn(outcome, {"done", "ended"} if any(e["ends"] for e in model["events"]) else {"done"})
            self.assertGreater(int(run.steps), 0)
            near = not (strategy["zone"] and model["resets"])  # a zone ends chatter early, and with it which way a ball goes
            self.assertLess(float(run.max_error), 0.2 * self.size_of(model) if near else np.inf)

    def test_the_registries_have_pairs_of_either_kind(self):
        methods, strategies, models = (self.list(kind) for kind in ("solvers", "strategies", "models"))
        for pairs in ({drives(s, m) for s in strategies for m in methods}, {meets(s, m) for s in strategies for m in models},
                      {solves(s, m) for s in methods for m in models},
                      {as_printed(s) for s in strategies}):
            self.assertEqual(pairs, {False, True})

    def test_without_leave_it_refuses_by_name(self):
        strategy, method = next((s["name"], m["name"]) for s in self.list("strategies") for m in self.list("solvers")
                                if not drives(s, m))
        (self.folder / "all.yaml").write_text(SWEEP.format(
            model="plate", t_end=1, mesh=0.01, methods=f"ode45, {method}", strategies=f"event, {strategy}"), encoding="utf-8")
        self.refused("run", "all.yaml", "-o", "all.h5", "--set", "unsupported=refuse",
                     says=("all.yaml:6", strategy, method, "one-step", "leave-out"))


cli.main()
