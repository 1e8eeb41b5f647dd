#!/usr/bin/python3
"""Visits of a section per second of CPU time on one core, without tangent vectors: saltus, Boost.odeint and SciPy, one after another.

    tests/bench/visits/visits.py SALTUS [--cells N] [--visits M]

The system is that of sweeps/hysteresis.yaml, whose force comes to press the mass onto its walls, at rtol 1e-10. The last column is the mean of x over all visits, the same where motions are not chaotic.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from scipy.integrate import solve_ivp

HERE = pathlib.Path(__file__).resolve().parent
SWEEP = HERE.parents[2] / "sweeps" / "hysteresis.yaml"
W, ZETA, E = 0.65, 0.05, 0.8


def cpu(command, **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"), **how)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def saltus(program, folder, cells, visits):
    sets = [f"cells.axes=[{{name: a, linear: [0.56, 0.66], points: {cells}}}]", f"parameters={{w: {W}, zeta: {ZETA}, d: 1, e: {E}}}", "initial={x: 0.1, v: 0}",
            f"orbit={{find: [section], settle: 1, kept: {visits - 1}, states: [x], tolerance: 1e-10, longest: 50}}", "points=none"]
    out = folder / f"{visits}.h5"
    took, _ = cpu([program, "run", str(SWEEP), "-q", "-o", str(out), *[word for s in sets for word in ("--set", s)]])
    with h5py.File(out) as file:
        return took, file["section"][:].mean()


def scipy_visits(cells, visits):
    period, total = 2 * np.pi / W, 0.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for a in np.linspace(0.56, 0.66, cells):
        def rhs(t, y, a=a):
            return y[1], a * np.cos(W * t) - y[0] - 2 * ZETA * y[1]

        def wall(t, y):
            return 1 - abs(y[0])

        wall.terminal, wall.direction = True, -1
        y, t = np.array([0.1, 0.0]), 0.0
        for v in range(visits):
            while t < (v + 1) * period:
                run = solve_ivp(rhs, (t, (v + 1) * period), y, method="DOP853", rtol=1e-10, atol=1e-10, events=wall)
                t, y = run.t[-1], run.y[:, -1].copy()
                if run.status == 1:
                    y[1] *= -E
            total += y[0]
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before, total / (cells * visits)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("saltus")
    parser.add_argument("--cells", type=int, default=64)
    parser.add_argument("--visits", type=int, default=200)
    args = parser.parse_args()
    program = os.path.abspath(args.saltus)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["g++", "-O3", "-march=native", "-o", str(folder / "odeint"), str(HERE / "odeint.cpp")], check=True)
        base, _ = saltus(program, folder, args.cells, 17)  # what the sweep itself takes
        took, mean = saltus(program, folder, args.cells, args.visits + 17)
        rows = [("saltus", args.cells * args.visits / max(took - base, 1e-9), mean)]
        took, text = cpu([str(folder / "odeint"), str(args.cells), str(args.visits)])
        rows.append(("odeint", args.cells * args.visits / took, float(text) / (args.cells * args.visits)))
        few = max(args.cells // 16, 1)
        took, mean = scipy_visits(few, args.visits)
        rows.append((f"SciPy ({few} cells)", few * args.visits / took, mean))
    print(f"{'code':20} {'visits/s':>10} {'mean x':>10}")
    for code, rate, mean in rows:
        print(f"{code:20} {rate:10.0f} {mean:10.5f}")


if __name__ == "__main__":
    sys.exit(main())
