"""Long runs in cubes: exponents, visits, basins, cells that follow each other: closed forms; the same bits by ranks, after a kill, in a wider sweep."""
import json
import os
import pathlib
import signal
import subprocess

import numpy as np
import xarray

import cli

# Below the first touch of a wall the force moves the mass as a linear oscillator, whose exponents are -zeta; above it visits spread.
SWEEP = """
model: vibro-impact
cells: {axes: [{name: a, linear: [0.4, 0.7], points: POINTS}]}
parameters: {w: 0.65, zeta: 0.05, d: 1, e: 0.8}
initial: {x: 0.1, v: 0}
t_end: 1
mesh: 0.1
solvers: [ode45]
strategies: [event]
rtol: [1e-6]
orbit: {find: [exponents, section, basin], settle: 60, visits: 64, kept: 8, states: [v, x], exponents: 0, longest: 50, tolerance: 1e-9}
"""

# z is mapped once in a unit of time.
MAP = """
model: gate.yaml
model_text: |
  equations: 1
  name: gate
  parameters: {a: {preset: 0, range: [-1, 1], allowed: [-10, 10]}}
  states: {x: {preset: 0, range: [0, 0.5], allowed: [0, 0.9]}, z: {preset: 0, range: [-4, 4], allowed: [-10, 10]}}
  contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false, closes: {x: 0, z: MAP}}}
  flow: {x: 1, z: 0}
  section: {contact: gate, event: closes}
cells: {axes: [AXES]}
t_end: 2
mesh: 0.5
solvers: [ode45]
strategies: [event]
rtol: [1e-6]
"""

ROW = """
model: row.yaml
cells: {axes: [{name: d, list: [100]}]}
parameters: {n: 33, ze: 0.2}
t_end: 0.01
mesh: 0.01
solvers: [ode45]
strategies: [event]
rtol: [1e-6]
orbit: {find: [section, basin], settle: 80, visits: 16, kept: 16, states: ["x(1)", "v(33)"], longest: 50, tolerance: 1e-7}
"""


class Exponents(cli.InFolder):
    def write(self, points):
        (self.folder / "s.yaml").write_text(SWEEP.replace("POINTS", str(points)), encoding="utf-8")

    def run_it(self, out, *more, **how):
        self.works("run", "s.yaml", "-q", "-o", out, *more, **how)

    def test_a_cube_has_them(self):
        self.write(6)
        self.run_it("s.h5")
        with xarray.open_dataset(self.folder / "s.h5", engine="h5netcdf") as cube:
            cube.load()
        self.assertEqual(cube.exponents.dims, ("cell", "exponent_number"))
        self.assertEqual(cube.section.dims, ("cell", "section_state", "visit"))
        self.assertEqual(list(cube.section_state.values), ["v", "x"])
        self.assertEqual(cube.section.shape, (6, 2, 8))
        free = cube.a.values < 0.58
        np.testing.assert_allclose(cube.exponents.sum("exponent_number")[free], -0.1, atol=1e-8)
        np.testing.assert_array_equal(cube.visits_period[free], 1)
        np.testing.assert_array_equal(cube.exponent, cube.exponents[:, 0])
        np.testing.assert_allclose(cube.visits_time, 64 * 2 * np.pi / 0.65, rtol=1e-10)
        # the linear oscillator at the beginning of a period of the force, cos: x = Re(a / (1 - w^2 + 2i zeta w))
        gain = 1 / (1 - 0.65**2 + 0.1j * 0.65)
        x, v = (cube.section.sel(section_state=s).values[free] for s in "xv")
        np.testing.assert_allclose(x, np.outer(cube.a.values[free], [gain.real] * 8), rtol=1e-6)
        np.testing.assert_allclose(v, np.outer(cube.a.values[free], [(0.65j * gain).real] * 8), rtol=1e-6)
        self.assertGreater(np.ptp(cube.section.sel(section_state="x").values[~free]), 0.01)
        self.works("info", "--check", "s.h5")
        # a page of the cells' motions: from the last visit on, over eight periods of the force
        script = pathlib.Path(cli.SWEEPS).parent / "analysis" / "dynamics.py"
        done = subprocess.run(["/usr/bin/python3", "-B", script, "s.h5", "--page", "p.html", "--motions", "3"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = (self.folder / "p.html").read_text(encoding="utf-8")
        self.assertIn("<title>a=0.4: period 1</title>", said)
        for k in (1, 2, 3):
            self.assertIn(f'<a href="p/{k}.html" target="motion">', said)
            self.assertIn("a trajectory of 77.33", (self.folder / "p" / f"{k}.html").read_text(encoding="utf-8"))
        self.assertFalse((self.folder / "p" / "4.html").exists())
        self.assertIn("exponents", self.works("list", "metrics"))
        self.refused("run", "s.yaml", "-o", "x.h5", *cli.sets("orbit.states=[y]"), says=("orbit.states",))
        self.refused("run", "s.yaml", "-o", "x.h5", *cli.sets("orbit.states=[x, x]"), says=("duplicate 'x' in orbit.states",))

    def test_the_same_bits_by_ranks_and_after_a_kill(self):
        self.write(300)
        self.run_it("one.h5")
        self.run_it("two.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "one.h5", "two.h5"))
        run = subprocess.Popen([cli.SALTUS, "run", "s.yaml", "-q", "-o", "killed.h5", "--sync", "0.01"], cwd=self.folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, OMP_NUM_THREADS="1"))
        self.addCleanup(run.kill)
        journal = self.folder / "killed.h5.journal"
        self.assertTrue(cli.wait_until(lambda: sum(f.stat().st_size for f in journal.rglob("*.sal")) > 20000, run))
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertFalse((self.folder / "killed.h5").exists())
        self.run_it("killed.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "one.h5", "killed.h5"))
        self.run_it("wider.h5", "--from", "one.h5", *cli.sets("rtol=[1e-6, 1e-4]"))
        self.run_it("new.h5", *cli.sets("rtol=[1e-6, 1e-4]"))
        self.assertIn("the same", self.works("diff", "new.h5", "wider.h5"))

    def write_map(self, formula, axes, orbit):
        (self.folder / "m.yaml").write_text(MAP.replace("MAP", formula).replace("AXES", axes) + f"orbit: {orbit}\n", encoding="utf-8")

    def run_map(self, out, *more, **how):
        self.works("run", "m.yaml", "-q", "-o", out, *more, **how)
        with xarray.open_dataset(self.folder / out, engine="h5netcdf") as cube:
            return cube.load()

    def test_basins_in_closed_form(self):
        # -1/2 and 1 attract what is below and above 1/2, a tent map the rest up to 3, and below -1 all is unbounded
        self.write_map("2 * z if z < -1 else ((z - 0.5) / 2 if z < 0.5 else ((1 + z) / 2 if z < 2 else 2 + ((z - 2) / 0.3 if z < 2.3 else (3 - z) / 0.7)))",
                       "{name: a, list: [1, 2]}, {name: z, list: [-3.1, 2.113, -0.83, 0.41, 0.62, 1.7, 2.571, -0.2, 2.917]}",
                       "{find: [basin, exponents], settle: 60, visits: 400, kept: 400, states: [z], longest: 5, bound: 100}")
        cube = self.run_map("b.h5")
        self.assertTrue(np.isnan(cube.basin.values[[0, 9]]).all())
        self.assertEqual(cube.basin.values[1:9].tolist(), [1, 2, 2, 3, 3, 1, 2, 1])
        self.assertEqual(cube.basin.values[10:].tolist(), [1, 2, 2, 3, 3, 1, 2, 1])  # other parameters, other attractors
        self.assertGreater(cube.exponent.values[1], 0.5)
        self.refused("run", "m.yaml", "-o", "few.h5", "--set", "orbit.kept=7", says=("orbit.kept: 7; allowed with basin: from 8 on",))
        self.run_map("b2.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "b.h5", "b2.h5"))

    def test_basins_of_long_cycles_and_of_very_many_attractors(self):
        # a cycle of 12 visits, of which 8 do not show the whole; each z a cycle of its own
        self.write_map("z + 1 if z < 5.5 else z - 11", "{name: z, list: [-5, 0, 3]}", "{find: [basin, exponents], settle: 1, visits: 140, kept: 8, longest: 5}")
        self.assertEqual(self.run_map("b.h5").basin.values.tolist(), [0, 0, 0])
        self.assertEqual(self.run_map("b12.h5", *cli.sets("orbit.kept=12")).basin.values.tolist(), [1, 1, 1])
        self.write_map("z", "{name: z, linear: [1, 2], points: 1003}", "{find: [basin], settle: 1, visits: 16, kept: 8, alike: 1e-8, longest: 5}")
        self.assertEqual(self.run_map("many.h5", "--no-map").basin.values.tolist(), [*range(1, 1001), 0, 0, 0])

    def test_sections_and_basins_of_many_states(self):
        # 33 oscillators in a row, too many for tangents, which never strike: -w^2 x = -x - 2 i zeta w x + e^(i 0.37 j) + kc (x_(j - 1) - 2 x_j + x_(j + 1))
        n, w = 33, 2.0
        text = pathlib.Path(cli.SWEEPS, "models", "impact-row.yaml").read_text(encoding="utf-8").replace("\nwatch:", "\nsection: {period: 2 * pi / om}\nwatch:")
        (self.folder / "row.yaml").write_text(text, encoding="utf-8")
        (self.folder / "m.yaml").write_text(ROW, encoding="utf-8")
        cube = self.run_map("row.h5", "--no-map")
        A = (1 - w * w + 0.4j * w) * np.eye(n) + 0.2 * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
        A[0, 0] -= 0.2
        A[-1, -1] -= 0.2
        x = np.linalg.solve(A, np.exp(0.37j * np.arange(n)))
        np.testing.assert_allclose(cube.section.values[0, :, -1], [x[0].real, (1j * w * x[-1]).real], atol=1e-5)
        self.assertEqual((cube.basin.values.tolist(), cube.visits_period.values.tolist()), ([1], [1]))
        self.refused("run", "m.yaml", "-o", "x.h5", *cli.sets("orbit.find=[exponents]"), says=("it has 66 states, or a mass matrix; allowed: section, basin",))
        done = self.saltus("orbit", "--model", "row.yaml", "--param", "n=31", "--guess", "v(1)=0.5", "--seconds", "1")
        self.assertEqual((done.returncode, "the time is spent (--seconds) after" in done.stdout), (13, True), done.stdout + done.stderr)

    def test_continued_cells_show_hysteresis(self):
        # fixed points of z + (a + z - z^3) / 5: two that attract where |a| < 2 / 27^(1/2)
        self.write_map("z + (a + z - z * z * z) / 5", "{name: x, list: [0, 0.1]}, {name: a, linear: [-1, 1], points: 41}",
                       "{find: [section, exponents], settle: 150, visits: 16, kept: 8, states: [z], longest: 5}")
        found = {}
        for way in ("up", "down"):
            cube = self.run_map(f"{way}.h5", *cli.sets(f"orbit.continue={way}"))
            found[way] = cube.section.values[:, 0, -1]
            for i, a in enumerate(cube.a.values):
                roots = np.roots([-1, 0, 1, a])
                real = roots[abs(roots.imag) < 1e-9].real
                beyond = abs(a) > 2 / np.sqrt(27)
                self.assertAlmostEqual(found[way][i], real.min() if way == "up" and not (beyond and a > 0) or beyond and a < 0 else real.max(),
                                       delta=1e-7)
        self.assertEqual(np.sum(found["up"] < found["down"] - 1), 2 * 15)
        for way, ranks in (("up", 2), ("down", 3)):
            self.run_map(f"{ranks}.h5", *cli.sets(f"orbit.continue={way}"), ranks=ranks)
            self.assertIn("the same", self.works("diff", f"{way}.h5", f"{ranks}.h5"))
        self.refused("run", "m.yaml", "-o", "x.h5", *cli.sets("orbit.continue=up", "cells.axes=[{columns: [a], random: [[0, 1]], points: 4}]"),
                     says=("orbit.continue: cells have no last axis of values",))
        self.refused("run", "m.yaml", "-o", "x.h5", *cli.sets("orbit={find: [cycles], continue: up}"), says=("orbit.find has none of them",))
        done = self.saltus("run", "m.yaml", "-o", "x.h5", "--from", "up.h5", *cli.sets("orbit.continue=up", "cells.axes=[{name: a, list: [0, 1]}]"))
        self.assertEqual((done.returncode, "no trajectory of it is one of this sweep" in done.stderr), (2, True), done.stderr)

    def test_continued_cells_may_have_surfaces_elsewhere(self):
        # a ball that rests on the table is inside that of the next cell, which is higher
        self.write_map("z", "{name: a, linear: [0.2, 0.3], points: 11}", "{find: [section], settle: 20, kept: 8, continue: up}")
        sweep = (self.folder / "m.yaml").read_text()
        (self.folder / "m.yaml").write_text("model: shaking-table\n" + sweep[sweep.index("cells:"):])
        self.assertEqual(self.run_map("t.h5").visits.values.tolist(), [8] * 11)
        self.works("regret", "t.h5", "-q", "-o", "fresh.h5", "--points", "2")  # fresh points follow no other

    def test_answers_say_that_motions_are_chaotic(self):
        text = SWEEP.replace("POINTS", "24").replace("[0.4, 0.7]", "[3.45, 3.55]").replace("w: 0.65", "w: 1.2").replace("t_end: 1\n", "t_end: 40\n")
        text = text.replace("rtol: [1e-6]", "rtol: [1e-4, 1e-6, 1e-8]").replace("visits: 64", "visits: 200")
        (self.folder / "s.yaml").write_text(text, encoding="utf-8")
        self.run_it("c.h5")
        with xarray.open_dataset(self.folder / "c.h5", engine="h5netcdf") as cube:
            exponent = cube.exponent.values
        every = np.log(10) / exponent.mean()
        self.assertAlmostEqual(every, 9.7, delta=0.5)
        says = self.works("recommend", "c.h5", "--at", "a=3.5", "--error", 0.1)
        self.assertRegex(says, r"chaotic: errors grow tenfold every (9|10|9\.[0-9])\n")
        why = json.loads(self.works("recommend", "c.h5", "--at", "a=3.5", "--error", 0.1, "--json"))["why"]
        self.assertTrue(exponent.min() < why["exponent"] < exponent.max())
        # from 2^-52 to 1e-12 errors take ln(1e-12 2^52) / 0.238 = 35
        self.refused("recommend", "c.h5", "--at", "a=3.5", "--error", 1e-12,
                     says=("chaotic: errors grow tenfold every", "an error of 1e-12 cannot be had beyond t = 3", "and the run goes on to 40"))


cli.main()
