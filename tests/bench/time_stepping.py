#!/usr/bin/env python3
"""Time stepping beside Siconos: mean errors and times of columns of blocks, by the same scheme at the same step.

    /usr/bin/python3 tests/bench/time_stepping.py BUILD [--blocks 1,4,8] [--step 1e-3]

Siconos (Debian's python3-siconos) is left out, by name, where it is not installed.  The references are runs by `event` with dop853.
"""
import argparse
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

END = 2


def text(n):
    """A column of n blocks that fall onto the ground, .1 apart, with restitution .5."""
    lines = [f"name: column{n}", f"span: {END}", "gravity: [0, 0, -9.81]", "bodies:"]
    lines += [f"  - {{name: x{i}, kind: particle, mass: 1, position: {0.5 + 0.1 * i!r}, velocity: 0}}" for i in range(n)]
    lines += ["contacts:"]
    lines += [f"  - {{name: c{i}, bodies: [{f'x{i - 1}' if i else 'ground'}, x{i}], normal: [0, 0, 1], law: {{rigid: {{restitution: 0.5}}}}}}"
              for i in range(n)]
    return "\n".join(lines) + "\n"


def heights(path, n, step):
    """Rows of the heights at multiples of the step; rows of events are passed over."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    found = {}
    for row in rows:
        k = float(row["t"]) / step
        if row["x0_z"] and abs(k - round(k)) < 1e-6:
            found[round(k)] = [float(row[f"x{i}_z"]) for i in range(n)]
    return [found[k] for k in sorted(found)]


def step_time(build, folder, step):
    """Seconds of CPU a step, from runs of two lengths of step, so that the start counts for nothing."""
    spent = []
    for rtol in (step, step / 20):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([build / "saltus", "trajectory", "--model", folder / "column.yaml", "--solver", "moreau", "--strategy", "capture",
                        "--rtol", str(rtol), "--dt", str(END), "--force", "-o", folder / "time.csv"], check=True, capture_output=True)
        spent.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return (spent[1] - spent[0]) / (19 * END / step)


def ours(build, folder, n, step, *options):
    model, out = folder / "column.yaml", folder / "run.csv"
    model.write_text(text(n), encoding="utf-8")
    subprocess.run([build / "saltus", "trajectory", "--model", model, *options, "--dt", str(step), "--force", "-o", out], check=True,
                   capture_output=True)
    return heights(out, n, step)


def siconos(n, step):
    """The same by Moreau-Jean with Lemke's method; None where it is not installed."""
    try:
        import numpy as np
        import siconos.kernel as sk
        import siconos.numerics as sn
    except ImportError:
        return None, 0
    system, bodies = sk.NonSmoothDynamicalSystem(0, END), []
    for i in range(n):
        body = sk.LagrangianLinearTIDS(np.array([0.5 + 0.1 * i]), np.zeros(1), np.eye(1))
        body.setFExtPtr(np.array([-9.81]))
        system.insertDynamicalSystem(body)
        bodies.append(body)
    for i in range(n):
        row = np.array([[-1.0, 1.0]] if i else [[1.0]])
        system.link(sk.Interaction(sk.NewtonImpactNSL(0.5), sk.LagrangianLinearTIR(row)), *bodies[max(i - 1, 0):i + 1])
    lcp = sk.LCP(sn.SICONOS_LCP_LEMKE)
    run = sk.TimeStepping(system, sk.TimeDiscretisation(0, step), sk.MoreauJeanOSI(0.5), lcp)
    found = [[0.5 + 0.1 * i for i in range(n)]]
    begun = time.process_time()
    while run.hasNextEvent():
        run.computeOneStep()
        run.nextStep()
        found.append([float(body.q()[0]) for body in bodies])
    return found, time.process_time() - begun


def error(found, reference):
    pairs = [(a, b) for row, true in zip(found, reference) for a, b in zip(row, true)]
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--blocks", default="1,4,8", help="numbers of blocks (1,4,8)")
    parser.add_argument("--step", type=float, default=1e-3, help="step of both (1e-3)")
    o = parser.parse_args()
    print("blocks  error: saltus  Siconos    microseconds a step: saltus  Siconos")
    with tempfile.TemporaryDirectory() as name:
        for n in (int(word) for word in o.blocks.split(",")):
            tight = "1e-8" if n >= 16 else "1e-11"
            reference = ours(o.build, pathlib.Path(name), n, o.step, "--solver", "dop853", "--strategy", "event", "--rtol", tight)
            stepping = ("--solver", "moreau", "--strategy", "capture", "--rtol", str(o.step))
            found = ours(o.build, pathlib.Path(name), n, o.step, *stepping)
            other, taken = siconos(n, o.step)
            seconds, steps = step_time(o.build, pathlib.Path(name), o.step), END / o.step
            print(f"{n:6}  {error(found, reference):13.4e}  " + (f"{error(other, reference):.4e}" if other else "not installed (python3-siconos)")
                  + f"  {1e6 * seconds:24.2f}  " + (f"{1e6 * taken / steps:.2f}" if other else "-"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
