"""Cubes of a monopod with figures put in by hand, so that winners are known."""
import json
import warnings

import numpy as np
import xarray

import cli

SWEEP = """
model: monopod
t_end: 1
mesh: 0.1
cells:
  axes:
    - {name: b, log: [1000, 4000], points: 3}
    - {name: k, log: [10, 40], points: 2}
solvers: [ode23, ode45, ode15s]
strategies: [switch, event]
rtol: [1e-3, 1e-6]
"""
N = 6
INSIDE = ("--at", "b=1000,k=10")


class WithCube(cli.InFolder):
    """cube.h5: 3 x 2 cells.  Work is 100 (1 + number of the configuration) in every cell, errors are 1e-3 at the loose
    tolerance and 1e-6 at the fine one."""

    sweep = SWEEP

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(self.sweep, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "--no-map", "-o", "cube.h5")
        self.edit(self.fill)

    def edit(self, change):
        with cli.edited(self.folder / "cube.h5") as file:
            change(file)

    @staticmethod
    def fill(file):
        number = np.arange(12).reshape(2, 2, 3)
        file["rhs_evaluations"][...] = 100 * (1 + number)
        for name in ("jacobians", "factorisations", "solves"):
            file[name][...] = 0
        for name in ("max_error", "integral_absolute_error"):
            file[name][...] = np.where(number < 6, 1e-3, 1e-6)
        file["reference_error_watched"][...] = 0

    def read(self, name="cube.h5"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with xarray.open_dataset(self.folder / name, group="map", engine="h5netcdf") as found:
                return found.load()

    def winner(self, prefix, what):
        """Winner of the first question in the first cell."""
        found = self.read()
        return found[f"config_{what}"].values[found[f"{prefix}_best"].values[0, 0]]

    def ask(self, *args, code=0):
        done = self.saltus("recommend", "cube.h5", "--json", *args)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)


class WithPlane(WithCube):
    """cube.h5: 5 x 4 cells, filled in the same way."""

    sweep = SWEEP.replace("points: 3", "points: 5").replace("points: 2", "points: 4")

    def logs(self, file):
        """b and k of the cells, 0 .. 1."""
        return (np.log(np.asarray(file[name]) / lo).reshape(-1, 1, 1, 1) / np.log(4) for name, lo in (("b", 1000), ("k", 10)))
