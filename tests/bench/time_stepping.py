#!/usr/bin/env python3
"""Time stepping beside Siconos and MuJoCo: rows of oscillators with stops, columns of blocks, a table on feet with friction, piles of discs.

    /usr/bin/python3 tests/bench/time_stepping.py BUILD [--systems row,column,feet,pile] [--sizes 1,4,8] [--step 1e-3] [--error 1e-4]

With --step all have that step: mean errors, and microseconds a step.  With --error the step of each is halved until its mean error
is at most that, and `event` has the first of some tolerances that is: CPU time of a run, without reading the model, and the ratio.  MuJoCo (libmujoco-dev) has soft contacts, and none with friction here.
Siconos (Debian's python3-siconos) is left out, by name, where it is not installed.  The references are runs by `event` with dop853;
piles of more than six discs have none, and no errors.
"""
import argparse
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import h5py

try:
    import numpy as np
    import siconos.kernel as sk
    import siconos.mechanics.collision.bodies as sb
    import siconos.numerics as sn
except ImportError:
    sk = None

STEPS = [2.0 ** -k for k in range(5, 18)]
TOLERANCES = ("1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9")


class Column:
    """Blocks that fall onto the ground, .1 apart, with restitution .5."""
    end, driven, affine = 2, False, True

    def __init__(self, n):
        self.n, self.names = n, [f"x{i}_z" for i in range(n)]
        self.start, self.speed = [0.5 + 0.1 * i for i in range(n)], [0.0] * n

    def text(self):
        lines = [f"name: column{self.n}", f"span: {self.end}", "gravity: [0, 0, -9.81]", "bodies:"]
        lines += [f"  - {{name: x{i}, kind: particle, mass: 1, position: {z!r}, velocity: 0}}" for i, z in enumerate(self.start)]
        lines += ["contacts:"]
        lines += [f"  - {{name: c{i}, bodies: [{f'x{i - 1}' if i else 'ground'}, x{i}], normal: [0, 0, 1], law: {{rigid: {{restitution: 0.5}}}}}}"
                  for i in range(self.n)]
        return "\n".join(lines) + "\n"

    def matrices(self):
        return np.eye(self.n), np.zeros((self.n, self.n)), np.zeros((self.n, self.n))

    def force(self, _):
        return np.full(self.n, -9.81)

    def contacts(self):
        """Rows H and b of gaps H q + b, restitution, friction (None: without)."""
        for i in range(self.n):
            row = np.zeros((1, self.n))
            row[0, i] = 1
            if i:
                row[0, i - 1] = -1
            yield row, np.zeros(1), 0.5, None


class Row(Column):
    """Driven oscillators, coupled to their neighbours, each with a stop: sweeps/models/impact-row.yaml by energies, as time stepping needs them."""
    end, driven = 10, True
    ze, om, kc, d = 0.05, 2, 0.2, 0.1

    def __init__(self, n):
        super().__init__(n)
        self.names = [f"x({i})" for i in range(1, n + 1)]
        self.start = [0.5 + 0.02 * (i - n / 2) / n for i in range(1, n + 1)]

    def text(self):
        n = self.n
        return f"""equations: 1
name: row
title: row of oscillators with stops
source: none
span: {self.end}
coordinates:
  x: {{for: i in 1..{n}, preset: 0.5 + 0.02 * (i - {n} / 2) / {n}, rate: v}}
kinetic: sum(i in 1..{n}, v(i)^2 / 2)
potential: sum(i in 1..{n}, x(i)^2 / 2){f" + sum(i in 1..{n - 1}, {self.kc} / 2 * (x(i + 1) - x(i))^2)" if n > 1 else ""}
forces:
  x: {{for: i in 1..{n}, is: cos({self.om} * t + 0.37 * (i - 1)) - {2 * self.ze} * v(i)}}
contacts:
  stop: {{for: i in 1..{n}, names: [impact, release], gap: x(i) + {self.d}, law: {{rigid: {{restitution: 0.7}}}}}}
"""

    def matrices(self):
        n = self.n
        stiff = np.eye(n)
        for i in range(n - 1):
            stiff[i:i + 2, i:i + 2] += self.kc * np.array([[1, -1], [-1, 1]])
        return np.eye(n), stiff, 2 * self.ze * np.eye(n)

    def force(self, t):
        return np.cos(self.om * t + 0.37 * np.arange(self.n))

    def contacts(self):
        for i in range(self.n):
            yield np.eye(self.n)[i:i + 1], np.array([self.d]), 0.7, None


class Feet(Column):
    """A table that slides and lands on n feet with friction: sweeps/models/table-on-feet.yaml; of Siconos with small rotations."""
    end = 1

    def __init__(self, n):
        super().__init__(n)
        self.names, self.start, self.speed = ["top_x", "top_y"], [0.0, 0.01, 0.0], [1.0, 0.0, 0.0]

    def matrices(self):
        return np.diag([1, 1, 0.3333333333333333]), np.zeros((3, 3)), np.zeros((3, 3))

    def force(self, _):
        return np.array([0, -9.81, 0])

    def contacts(self):
        for i in range(self.n):
            along = -1 + 2 * i / (self.n - 1)
            yield (np.array([[0, 1, along], [1, 0, 0]]), np.array([0.0001 * i * (self.n - 1 - i), 0]), 0, 0.3)


class Pile(Column):
    """Discs that fall into a wedge: sweeps/models/pile.yaml; of Siconos with its own relations of discs."""
    end, affine, radius, e = 1, False, 0.1, 0.2

    def __init__(self, n):
        super().__init__(n)
        self.names = [f"{c}({i})" for i in range(1, n + 1) for c in "xy"]
        off = [i - (n + 1) / 2 for i in range(1, n + 1)]
        self.start = [x for k in off for x in (0.23 * k + 0.01, 0.2 + 0.06 * n + k * k * 0.23 / n)]
        self.speed = [0.0] * len(self.start)


SYSTEMS = {"row": Row, "column": Column, "feet": Feet, "pile": Pile}
SHIPPED = {"feet": "table-on-feet.yaml", "pile": "pile.yaml"}
MODELS = pathlib.Path(__file__).resolve().parents[2] / "sweeps" / "models"


def values(path, names, mesh):
    """Rows of the coordinates at multiples of the mesh; rows of events are passed over."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    found = {}
    for row in rows:
        k = float(row["t"]) / mesh
        if row[names[0]] and abs(k - round(k)) < 1e-6:
            found[round(k)] = [float(row[name]) for name in names]
    return [found[k] for k in sorted(found)]


class Ours:
    """A system in a folder, by runs of `saltus trajectory`."""

    def __init__(self, build, folder, name, n):
        self.build, self.folder, self.system = build, folder, SYSTEMS[name](n)
        self.model = folder / "model.yaml"
        self.more = ["--param", f"n={n}"] if name in SHIPPED else []
        self.fixed = f"parameters: {{n: {n}}}\n" if name in SHIPPED else ""
        if name in SHIPPED:
            self.model = MODELS / SHIPPED[name]
        else:
            self.model.write_text(self.system.text(), encoding="utf-8")

    def call(self, dt, *options):
        """Seconds of CPU; the rows are in run.csv."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([self.build / "saltus", "trajectory", "--model", self.model, *self.more, *options, "--dt", str(dt), "--force", "-o",
                        self.folder / "run.csv"], check=True, capture_output=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    def run(self, mesh, *options):
        self.call(mesh, *options)
        return values(self.folder / "run.csv", self.system.names, mesh)

    def referred(self):
        """Piles of more discs take `event` too long."""
        return self.system.affine or self.system.n <= 6

    def reference(self, mesh):
        if not self.referred():
            return None
        return self.run(mesh, "--solver", "dop853", "--strategy", "event", "--rtol", "1e-8" if self.system.n >= 16 else "1e-11")

    @staticmethod
    def stepping(step):
        return ("--solver", "moreau", "--strategy", "capture", "--rtol", str(step))

    def seconds(self, solver, strategy, rtol):
        """Least CPU time of five runs, without reading the model: of a sweep of one cell; without a reference by runs that end at once."""
        if not self.referred():
            times = [[self.call(1, "--solver", solver, "--strategy", strategy, "--rtol", str(rtol), *more) for _ in range(5)]
                     for more in ([], ["--t-end", str(rtol)])]
            return min(times[0]) - min(times[1])
        (self.folder / "timed.yaml").write_text(f"""model: {self.model}
cells: {{columns: [{self.system.names[0]}], rows: [[{self.system.start[0]!r}]]}}
solvers: [{solver}]
strategies: [{strategy}]
rtol: [{rtol}]
reference_tolerance: 1e-8
{self.fixed}timing: {{repeats: 5}}
""", encoding="utf-8")
        subprocess.run([self.build / "saltus", "run", self.folder / "timed.yaml", "-o", self.folder / "timed.h5", "-f", "-q", "--no-map"],
                       check=True, capture_output=True)
        with h5py.File(self.folder / "timed.h5") as cube:
            return float(cube["solution_duration"][...].min())


def siconos_pile(system, world):
    """Adds the discs.  Lemke's method ends without a solution there, so that impulses are by sweeps, to 1e-12."""
    law, radius = sk.NewtonImpactFrictionNSL(system.e, 0, 0, 2), system.radius
    discs = [sb.Disk(radius, 1, np.array([*system.start[2 * i:2 * i + 2], 0.0]), np.zeros(3)) for i in range(system.n)]
    for i, disc in enumerate(discs):
        disc.setFExtPtr(np.array([0, -9.81, 0]))
        world.insertDynamicalSystem(disc)
        for side in (1, -1):
            world.link(sk.Interaction(law, sb.DiskPlanR(radius, side, 1, 0, 0, 0, 1000)), disc)
        for other in discs[:i]:
            world.link(sk.Interaction(law, sb.DiskDiskR(radius, radius)), other, disc)
    problem = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_NSGS)
    options = problem.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL], options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1e-12, 20000
    return discs, problem


def siconos_linear(system, world):
    """Adds a body of all coordinates, and relations that are linear."""
    mass, stiff, damping = system.matrices()
    body = sk.LagrangianLinearTIDS(np.array(system.start), np.array(system.speed), mass, stiff, damping)
    body.setFExtPtr(system.force(0).astype(float))
    world.insertDynamicalSystem(body)
    rubs = False
    for rows, offset, e, mu in system.contacts():
        law = sk.NewtonImpactNSL(e) if mu is None else sk.NewtonImpactFrictionNSL(e, 0, mu, 2)
        world.link(sk.Interaction(law, sk.LagrangianLinearTIR(rows.astype(float), offset.astype(float))), body)
        rubs = rubs or mu is not None
    return [body], sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_LEMKE) if rubs else sk.LCP(sn.SICONOS_LCP_LEMKE)


def siconos(system, step, mesh):
    """By Moreau-Jean with Lemke's method, with friction by Lemke's for that; and seconds of CPU.  None where it is not installed."""
    if sk is None:
        return None, float("nan")
    world = sk.NonSmoothDynamicalSystem(0, system.end)
    bodies, problem = (siconos_linear if system.affine else siconos_pile)(system, world)
    run = sk.TimeStepping(world, sk.TimeDiscretisation(0, step), sk.MoreauJeanOSI(0.5), problem)
    each, n = round(mesh / step), len(system.names)
    found, k, begun = [list(system.start[:n])], 0, time.process_time()
    while run.hasNextEvent() and k < round(system.end / step):
        if system.driven:
            bodies[0].setFExtPtr(0.5 * (system.force(k * step) + system.force((k + 1) * step)))  # theta = 1/2
        run.computeOneStep()
        run.nextStep()
        k += 1
        if k % each == 0:
            found.append([float(v) for body in bodies for v in body.q()[:n // len(bodies)]])
    return found, time.process_time() - begun


RATE = 0.3  # of soft contacts, in radians a step


def rebound(share):
    """Mean of the speed after an impact over that before it, in steps of 1 of MuJoCo's Euler rule, over the places of the first step beneath the surface."""
    speeds = []
    for first in np.linspace(0.05, 0.95, 10):
        x, v = -first, -1.0
        while x < 0:
            v += max(0.0, -RATE ** 2 * x - 2 * share * RATE * v)
            x += v
        speeds.append(v)
    return np.mean(speeds)


def damping_share(e):
    """Share of critical damping with which a spring restores the share e of the speed."""
    low, high = 0.0, 0.9
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rebound(middle) > e else (low, middle)
    return low


def mujoco_pile(system, rate):
    """Spheres without friction that move in a plane, between two planes."""
    spring = f'solref="{-rate ** 2} {-2 * damping_share(system.e) * rate}" solimp="0.9999 0.9999 0.001" condim="1"'
    lines = ['<mujoco><option gravity="0 0 -9.81"/><size njmax="5000" nconmax="1000"/><worldbody>']
    lines += [f'<geom type="plane" size="10 10 1" zaxis="{side} 0 1" {spring}/>' for side in (1, -1)]
    lines += ['<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
              f'<geom type="sphere" size="{system.radius}" mass="1" {spring}/></body>'] * system.n
    return lines + ["</worldbody>"]


def mujoco_text(system, step):
    """Joints and limits of tendons in place of contacts: each a spring and damper that restore the share e of the speed, so stiff that an impact takes about
    ten steps.  None for contacts with friction."""
    rate = RATE / step
    lines = mujoco_linear(system, rate) if system.affine else mujoco_pile(system, rate)
    if lines is None:
        return None
    start, speed = (" ".join(map(repr, map(float, values))) for values in (system.start, system.speed))
    return "\n".join([*lines, f'<keyframe><key qpos="{start}" qvel="{speed}"/></keyframe></mujoco>'])


def mujoco_linear(system, rate):
    mass, stiff, damping = system.matrices()
    names = range(len(system.start))
    lines = [f'<mujoco><option gravity="0 0 {0 if system.driven else -9.81}"><flag contact="disable"/></option><size njmax="5000"/><worldbody>']
    lines += [f'<body><inertial pos="0 0 0" mass="{mass[i, i]}" diaginertia="1 1 1"/>'
              f'<joint name="q{i}" type="slide" axis="0 0 1" stiffness="{stiff[i].sum()}" damping="{damping[i, i]}"/></body>' for i in names]
    lines.append("</worldbody><tendon>")
    for row, offset, e, mu in system.contacts():
        if mu is not None:
            return None
        share = damping_share(e)
        joints = "".join(f'<joint joint="q{i}" coef="{row[0, i]}"/>' for i in names if row[0, i])
        lines.append(f'<fixed limited="true" range="{-offset[0]} 1e6" solreflimit="{-rate ** 2} {-2 * share * rate}" solimplimit="0.9999 0.9999 0.001">{joints}</fixed>')
    lines += [f'<fixed stiffness="{-stiff[i, j]}" springlength="0"><joint joint="q{j}" coef="1"/><joint joint="q{i}" coef="-1"/></fixed>'
              for i in names for j in range(i) if stiff[i, j]]
    return [*lines, "</tendon>"]


def mujoco(folder, system, step, mesh):
    """By mujoco_run.c with soft contacts; and seconds of CPU.  None where libmujoco is not installed."""
    text, program = mujoco_text(system, step) if sk else None, folder / "mujoco_run"
    if text and not program.exists():
        source = pathlib.Path(__file__).with_name("mujoco_run.c")
        subprocess.run(["cc", "-O2", "-o", program, source, "-lmujoco", "-lm"], capture_output=True, check=False)
    if not text or not program.exists():
        return None, float("nan")
    (folder / "model.xml").write_text(text, encoding="utf-8")
    done = subprocess.run([program, folder / "model.xml", repr(step), str(round(system.end / step)), str(round(mesh / step)), str(system.om if system.driven else 0)],
                          cwd=folder, capture_output=True, text=True, check=True)
    *rows, seconds = done.stdout.splitlines()
    return [[float(word) for word in row.split()] for row in rows], float(seconds)


def error(found, reference):
    pairs = [(a, b) for row, true in zip(found, reference) for a, b in zip(row, true)]
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def column(found, reference, seconds, steps):
    """Error and time of a step, or dashes."""
    return (f"{error(found, reference):.4e}" if found and reference else "-"), (f"{1e6 * seconds / steps:.2f}" if found else "-")


def same_step(ours, step):
    reference = ours.reference(step)
    steps = ours.system.end / step
    runs = [(ours.run(step, *ours.stepping(step)), ours.seconds("moreau", "capture", step)), siconos(ours.system, step, step),
            mujoco(ours.folder, ours.system, step, step)]
    columns = [column(found, reference, seconds, steps) for found, seconds in runs]
    print("  " + "".join(f"{words[0]:>12}" for words in columns) + "   " + "".join(f"{words[1]:>12}" for words in columns), flush=True)


def first(ways, measure, most):
    """The first way whose error is at most that, and its error."""
    for way in ways:
        found = measure(way)
        if found <= most:
            return way, found
    return None, float("nan")


def same_error(ours, most):
    mesh = STEPS[0]
    reference, end = ours.reference(mesh), ours.system.end
    steps = [step for step in STEPS if abs(round(end / step) * step - end) < 1e-12]
    step, mine = first(steps, lambda h: error(ours.run(mesh, *ours.stepping(h)), reference), most)
    rtol, event = first(TOLERANCES, lambda r: error(ours.run(mesh, "--solver", "ode45", "--strategy", "event", "--rtol", r), reference), most)
    taken = {}

    def theirs(h):
        found, taken[h] = siconos(ours.system, h, mesh)
        return error(found, reference) if found else float("nan")

    other, its = first(steps, theirs, most) if sk else (None, float("nan"))
    stepped = ours.seconds("moreau", "capture", step) if step else float("nan")
    located = ours.seconds("ode45", "event", rtol) if rtol else float("nan")
    def softly(h):
        found, taken["soft", h] = mujoco(ours.folder, ours.system, h, mesh)
        return error(found, reference) if found else float("nan")

    soft, off = first(steps, softly, most)
    best = min(value for value in (stepped, located) if value == value)
    peer = taken[other] if other else float("nan")
    print(f"  moreau {step} {mine:.2e} {1e3 * stepped:9.3f} ms   event {rtol} {event:.2e} {1e3 * located:9.3f} ms   "
          f"Siconos {other} {its:.2e} {1e3 * peer:9.3f} ms   MuJoCo {soft} {off:.2e} {1e3 * taken.get(('soft', soft), float('nan')):9.3f} ms   Siconos / saltus {peer / best if best > 0 else float('nan'):8.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--systems", default="row,column,feet", help="some of row, column, feet and pile (the first three)")
    parser.add_argument("--sizes", default="2,4,8", help="numbers of oscillators, blocks or feet (2,4,8)")
    parser.add_argument("--step", type=float, default=1e-3, help="step of both (1e-3)")
    parser.add_argument("--error", type=float, help="largest mean error, in place of a step")
    o = parser.parse_args()
    if not o.error:
        print("system  size  error: saltus     Siconos      MuJoCo  us a step: saltus Siconos      MuJoCo")
    with tempfile.TemporaryDirectory() as name:
        for system in o.systems.split(","):
            for n in (int(word) for word in o.sizes.split(",")):
                print(f"{system:6}  {n:4}", end="")
                ours = Ours(o.build, pathlib.Path(name), system, n)
                if o.error:
                    same_error(ours, o.error)
                else:
                    same_step(ours, o.step)
    return 0


if __name__ == "__main__":
    sys.exit(main())
