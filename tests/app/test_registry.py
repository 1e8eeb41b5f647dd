"""Everything in the registries with everything else: each model in one sweep of all methods and strategies."""
import functools
import json
import re

import numpy as np
import xarray

import cli

SWEEP = """
model: {model}
t_end: {t_end}
mesh: {mesh}
methods: [{methods}]
strategies: [{strategies}]
tolerances: [1e-5]
unsupported: leave-out
projection: {{measure: gap, zone: 1e-3}}
"""
T_END = {"monopod": 5, "plate": 1, "affine3": 0.5}
MULTISTEP = {"ode113", "ode15s"}
PROJECTING = {"ess", "ess2", "ess-listing1"}  # with one-step methods only
MEETS_JUMPS = {"event"}  # the strategy for a model that resets its state


class Registry(cli.InFolder):
    def names(self, kind):
        return re.findall(r"^(\S+) ", self.works("list", kind), re.MULTILINE)

    @functools.cached_property
    def resets(self):
        """Models that reset their state at contacts."""
        return {m["name"] for m in json.loads(self.works("list", "models", "--json"))["models"] if m["resets"]}

    def sweep(self, model, methods, strategies):
        t_end = T_END.get(model, 2)
        text = SWEEP.format(model=model, t_end=t_end, mesh=t_end / 100, methods=", ".join(methods),
                            strategies=", ".join(strategies))
        (self.folder / "all.yaml").write_text(text, encoding="utf-8")
        self.works("run", "all.yaml", "-q", "-o", "all.h5", "--force")
        with xarray.open_dataset(self.folder / "all.h5", engine="h5netcdf") as cube:
            return cube.load()

    def test_every_pair_runs_or_is_left_out_by_name(self):
        models, methods, strategies = (self.names(kind) for kind in ("models", "methods", "strategies"))
        self.assertTrue({"monopod", "linear-ground", "affine3", "hopper1d", "plate", "bouncing-ball", "decay"} <= set(models))
        self.assertTrue(MULTISTEP < set(methods) and PROJECTING < set(strategies))
        for model in models:
            cube = self.sweep(model, methods, strategies)
            words = dict(zip(cube.outcome.attrs["flag_values"], cube.outcome.attrs["flag_meanings"].split()))
            for strategy in strategies:
                for method in methods:
                    with self.subTest(model=model, strategy=strategy, method=method):
                        run = cube.sel(strategy=strategy, solver=method).isel(cell=0, rtol=0)
                        self.check(run, words[int(run.outcome)], model, strategy, method)

    def check(self, run, outcome, model, strategy, method):
        impossible = (method in MULTISTEP and strategy in PROJECTING) or (
            model in self.resets and strategy not in MEETS_JUMPS | {"ess", "ess2"})
        self.assertEqual(outcome == "left_out", impossible, outcome)
        if impossible:
            self.assertEqual((int(run.steps), int(run.rhs_evaluations)), (0, 0))
            self.assertTrue(np.isnan(run.max_error) and np.isnan(run.points_rhs_evaluations))
        elif strategy != "ess-listing1":  # which loses runs, as printed
            self.assertEqual(outcome, "done")
            self.assertGreater(int(run.steps), 0)
            self.assertLess(float(run.max_error), 0.2)

    def test_without_leave_it_refuses_by_name(self):
        (self.folder / "all.yaml").write_text(SWEEP.format(
            model="plate", t_end=1, mesh=0.01, methods="ode45, ode113", strategies="event, ess2"), encoding="utf-8")
        self.refused("run", "all.yaml", "-o", "all.h5", "--set", "unsupported=refuse",
                     says=("all.yaml:6", "ess2", "ode113", "one-step", "leave-out"))


cli.main()
