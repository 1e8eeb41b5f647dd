"""The long run of cells: flights until rest, cycles and their multipliers, and what configurations say of these."""
import csv
import pathlib

import h5py
import numpy as np
import xarray

import cli

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "zana"
SWEEP = """
model: {model}
cells: {{columns: [{columns}], rows: {rows}}}
parameters: {parameters}
initial: {initial}
t_end: {t_end}
mesh: 0.05
solvers: [{methods}]
strategies: [{strategies}]
rtol: [{tolerances}]
orbit: {orbit}
"""

# Powered monopod: zeta_F, zeta_G, period, highest toe, multiplier
CYCLES = ((0, -0.02, 10.37308, 0.3774, 0.3513), (0, -0.03, 11.36748, 0.4823, -0.4397), (0.02, -0.02, 6.04052, 0.0386, 0.8736),
          (0.02, -0.05, 11.40736, 0.4768, 0.5007), (0.05, -0.03, 6.11389, 0.0421, 0.7943), (0.05, -0.05, 9.48124, 0.2730, 0.8865),
          (0.1, -0.03, 6.07316, 0.0386, 0.9191), (0.1, -0.05, 8.53591, 0.1953, 0.9711), (0.2, -0.03, 5.67135, 0.0227, 0.9588))
POWERED = dict(model="monopod", columns="zeta_F, zeta_G", orbit="{find: [cycles], returns: 400, longest: 60}")

# One unit of the dimensionless leg in the table, which is in SI units: k = 15000, m = 75.
LENGTH, SPEED = 9.81 / 200, 9.81 / 200**0.5


def table(name):
    with open(DATA / name, encoding="utf-8") as file:
        return [{key: float(value or "nan") for key, value in row.items()} for row in csv.DictReader(file)]


class Orbits(cli.InFolder):
    def sweep(self, **said):
        said = {"parameters": "{}", "initial": "{}", "methods": "ode45", "strategies": "event", "tolerances": "1e-6", "t_end": 2,
                **said}
        (self.folder / "s.yaml").write_text(SWEEP.format(**said), encoding="utf-8")

    def cube(self, *pairs, **said):
        self.sweep(**said)
        self.works("run", "s.yaml", "-q", "-o", "s.h5", "--force", *cli.sets(*pairs))
        with xarray.open_dataset(self.folder / "s.h5", engine="h5netcdf") as cube:
            return cube.load()

    def words(self, values):
        meanings = values.attrs["flag_meanings"].split()
        return [meanings[int(v)] if v >= 0 else None for v in values.values]

    def test_the_highest_point_of_a_rate_that_jumps_is_ahead_of_its_impact(self):
        """A wheel of eight spokes rolls down a slope: th'' = g sin th, th' -> cos(pi/4) th' at each step."""
        (self.folder / "wheel.yaml").write_text("""
equations: 1
name: spoked-wheel
watch: w
parameters: {ga: {preset: 0.08, range: [0.06, 0.1]}}
states: {th: {preset: 0, range: [-0.1, 0.1]}, w: {preset: 5, range: [4, 6], rate_of: th}}
contacts: {spoke: {names: [step, unstep], gap: ga + pi / 8 - th, while: w > 0, closes: {th: ga - pi / 8, w: w * cos(pi / 4)}, stays: false}}
flow: {th: w, w: 9.81 * sin(th)}
section: {contact: spoke, event: closes}
""", encoding="utf-8")
        cube = self.cube(model="wheel.yaml", columns="ga", rows=[[0.08], [0.09]], orbit="{find: [cycles], returns: 100, longest: 20}")
        after = np.sqrt(4 * 9.81 * np.sin(np.pi / 8) * np.sin([0.08, 0.09]))
        np.testing.assert_allclose(cube.orbit_apex, after * np.sqrt(2), rtol=1e-9)
        np.testing.assert_allclose(cube.orbit_multiplier, 0.5, rtol=1e-8)

    def test_flights_of_the_thirteen_sets(self):
        rows = table("passive_table2.csv")
        cube = self.cube(model="monopod", columns="b, m1, k, f", rows=[[r[n] for n in ("b", "m1", "k", "f")] for r in rows],
                         t_end=50, orbit="{find: [transient], returns: 1000, longest: 100, flights: 1000}")
        ten = self.cube("orbit.flights=10", model="monopod", columns="b, m1, k, f",
                        rows=[[r[n] for n in ("b", "m1", "k", "f")] for r in rows],
                        t_end=50, orbit="{find: [transient], returns: 1000, longest: 100}")
        # For sets 10 and 12 the product of ten derivatives grows while they bounce hundreds of times: no two integrations agree on the last flights.
        tame = np.array([r["set"] not in (10, 12) for r in rows])

        def same(name, figure, rtol=2e-5, where=slice(None)):
            want = np.array([r[name] for r in rows])[where]
            found = np.asarray(figure, dtype=float)[where]
            self.assertGreater(np.isfinite(want).sum(), 5)
            np.testing.assert_allclose(found, want, rtol=rtol, err_msg=name)

        same("slow_re", cube.equilibrium_rate)
        same("slow_im", cube.equilibrium_frequency)
        same("hops_total", cube.flights, 0, tame)
        same("hops_t50", cube.flights_in_run, 0)
        same("energy_ratio_hop1", cube.flight_energy_ratio_first)
        same("energy_ratio_median", cube.flight_energy_ratio, 2e-5, tame)
        same("energy_ratio_median", cube.flight_energy_ratio, 3e-3)
        same("rho_first", cube.flight_radius_first)
        same("sigma_first", cube.flight_sigma_first)
        same("rho_worst", cube.flight_radius_most, 2e-5, tame)
        same("sigma_worst", cube.flight_sigma_most, 2e-5, tame)
        same("growth_rate_10hops", np.exp(ten.flight_rate), 2e-5)  # the table has the factor, not the rate
        last = tame & (np.array([r["hops_total"] for r in rows]) > 1)  # set 13 never leaves: its table has the touchdown
        same("t_last_liftoff", cube.last_opening, 2e-5, last)
        self.assertTrue(np.isnan(cube.last_opening.values[12]))
        self.assertEqual([r["set"] for r, pulls in zip(rows, cube.adhesive.values) if pulls], [9, 11, 13])
        self.assertEqual(set(cube.rest_not_reached.values), {0})

    def test_the_nine_cycles(self):
        rows = [[f, g] for f, g, *_ in CYCLES] + [[0.02, -0.01]]
        cube = self.cube(rows=rows, strategies="switch, event", methods="ode45, dop853", tolerances="1e-4, 1e-8", **POWERED)
        verdict = self.words(cube.orbit_verdict)
        self.assertEqual(verdict, ["cycle"] * 9 + ["equilibrium"])
        self.assertEqual(self.words(cube.orbit_seed), ["simulation"] * 9 + [None])
        for i, (_, _, period, apex, multiplier) in enumerate(CYCLES):
            cell = cube.isel(cell=i)
            self.assertAlmostEqual(float(cell.orbit_period), period, delta=6e-6)
            self.assertAlmostEqual(float(cell.orbit_apex), apex, delta=6e-5)
            self.assertAlmostEqual(float(cell.orbit_multiplier_re), multiplier, delta=6e-5)
            self.assertAlmostEqual(float(cell.orbit_multiplier), abs(multiplier), delta=6e-5)
            self.assertAlmostEqual(float(cell.orbit_fold_distance), 1 - max(multiplier, 0), delta=1e-3)
            self.assertEqual((int(cell.orbit_returns), int(cell.orbit_events)), (1, 2))
            self.assertLess(float(cell.orbit_residual), 1e-11)
            self.assertGreater(float(cell.orbit_transversality), 0.1)
        # switch has no saltation matrix: -0.5395 for -0.4397
        wrong = cube.isel(cell=1).sel(strategy="switch", rtol=1e-8)
        np.testing.assert_allclose(wrong.multiplier_re, -0.5395, atol=1e-4)
        np.testing.assert_allclose(wrong.multiplier_error, 0.0998, atol=2e-4)
        event = cube.isel(cell=slice(9)).sel(strategy="event")
        self.assertLess(float(event.multiplier_error.sel(rtol=1e-8).max()), 1e-6)
        self.assertGreater(float(event.multiplier_error.sel(rtol=1e-4).min()), 1e-7)
        self.assertTrue(bool((event.multiplier_rhs_evaluations.sel(rtol=1e-8) > event.multiplier_rhs_evaluations.sel(rtol=1e-4)).all()))
        self.assertTrue(bool(cube.multiplier_error.isel(cell=9).isnull().all()))
        # the period is right without saltation, too, by stops as by the distance from the section at its end
        off = cube.period_error.isel(cell=slice(9))
        self.assertLess(float(off.sel(rtol=1e-8).max()), 1e-5)
        self.assertGreater(float(off.sel(rtol=1e-4).min(dim="cell").max()), 1e-8)
        self.assertTrue(bool((off.sel(rtol=1e-8).median(dim="cell") < 0.05 * off.sel(rtol=1e-4).median(dim="cell")).all()))
        self.assertTrue(bool(cube.period_error.isel(cell=9).isnull().all()))

    def test_maps_by_the_error_of_the_multiplier(self):
        rows = [[f, g] for f, g, *_ in CYCLES[2:6]] + [[0.02, -0.01]]
        said = dict(rows=rows, strategies="switch, event", methods="ode45, dop853", tolerances="1e-4, 1e-6, 1e-8", **POWERED)
        cube = self.cube("map.by=multiplier_error", **said)
        error, work = cube.multiplier_error.values, cube.multiplier_rhs_evaluations.values
        self.assertFalse(np.array_equal(work[:4], cube.rhs_evaluations.values[:4]))
        with xarray.open_dataset(self.folder / "s.h5", group="map", engine="h5netcdf") as found:
            self.assertEqual(found.attrs["error_metric"], "multiplier_error")
            self.assertNotIn("by_points_best", found)
            self.assertEqual(list(found.error.values), [1e-4, 1e-6, 1e-8])
            self.assertIn("multiplier", found.error.attrs["long_name"])
            words = found.by_error_reason.attrs["flag_meanings"].split()
            self.assertEqual({words[i] for i in found.by_error_reason.values[4]}, {"no_reference"})
            for e, asked in enumerate(found.error.values):
                least = np.where(error[:4] + 1e-11 <= asked, work[:4], np.inf).reshape(4, -1).min(axis=1)
                np.testing.assert_array_equal(found.by_error_value.values[:4, e], least)
            self.assertTrue(np.isfinite(found.by_error_value.values[:4]).all())
        self.assertRegex(self.works("info", "s.h5"), "(?s)an error of the leading multiplier of\n.*1e-08 +answered in 4 of 5 cells, 1 of 5")
        # the options of the commands say the same of a cube whose sweep does not
        (self.folder / "s.h5").rename(self.folder / "by.h5")
        self.cube(**said)
        self.works("map", "s.h5", "--by", "multiplier_error")
        self.works("diff", "by.h5", "s.h5")
        self.works("map", "s.h5", "--by", "period_error", "--error", "1e-6")
        with xarray.open_dataset(self.folder / "s.h5", group="map", engine="h5netcdf") as found:
            off = cube.period_error.values[:4]
            least = np.where(off + 1e-11 <= 1e-6, work[:4], np.inf).reshape(4, -1).min(axis=1)
            np.testing.assert_array_equal(found.by_error_value.values[:4, 0], least)
            self.assertTrue(((off > 1e-6).any() and (off < 1e-6).any()))
        self.works("map", "s.h5", "--by", "multiplier_error")
        at = ("--at", "zeta_F=0.02,zeta_G=-0.05", "--error", "1e-6", "--json")
        for name, by in (("by.h5", ()), ("s.h5", ("--by", "multiplier_error")), ("by.h5", ("--by", "max_error"))):
            self.refused("recommend", name, *at, *by, says=("has 5 cells; a plane in 2 coordinates needs 9 at least",))
        self.refused("map", "s.h5", "--by", "multiplier_eror", says=("--by", "did you mean 'multiplier_error'"))
        self.refused("map", "s.h5", "--by", "multiplier_error", "--weights", "sd=1", says=("points are of trajectories",))
        self.works("run", cli.DALLAS, "-q", "-o", "d.h5", *cli.sets(*cli.SHORT, "solvers=[ode45]"))
        for args in (("map", "d.h5"), ("regret", "d.h5", "-o", "p.h5"), ("recommend", "d.h5", "--at", "b=1,m1=1,k=1,f=1", "--error", "1")):
            self.refused(*args, "--by", "multiplier_error", says=("d.h5: has no multiplier_error", "find: [cycles]"))

    def leg(self, near, rows):
        """Cycles at rows of the branch, from the orbit of one of them."""
        return self.cube(
            model="hopping-leg", columns="dG", rows=[[2 * r["D_G"]] for r in rows],
            parameters=f"{{m: 1, k: 1, g: 1, L0: 0, mu: {near['mu']}, dF: {2 * near['DF']!r}}}", initial="{zU: 2, zL: 2}",
            orbit=f"{{find: [cycles], seed: [anchor], longest: 60, anchor: {{parameters: {{dG: {2 * near['D_G']!r}}}, "
                  f"state: {{zU: {near['zU0'] / LENGTH!r}, zL: 0, vU: {near['vU0'] / SPEED!r}, vL: 0}}}}}}")

    def test_stable_and_unstable_parts_of_a_branch(self):
        rows = {round(r["t_F"], 6): r for r in table("branch_mu0p8.csv")}
        times = sorted(rows)
        flags = set()
        for low, high in ((0.05, 0.155), (0.17, 0.225), (0.24, 0.33), (0.35, 0.405)):  # between folds, by turns stable and not
            part = [rows[t] for t in times if low <= t <= high][::9]
            cube = self.leg(part[len(part) // 2], part)
            self.assertEqual(self.words(cube.orbit_seed), ["anchor"] * len(part))
            np.testing.assert_allclose(cube.orbit_multiplier_re, [r["multiplier"] for r in part], atol=1e-7)
            np.testing.assert_allclose(cube.orbit_period * (1 / 200**0.5), [r["t_p"] for r in part], rtol=1e-8)
            np.testing.assert_allclose(cube.orbit_apex * LENGTH, [r["apex_zU"] for r in part], rtol=1e-5)
            stable = [bool(r["stable"]) for r in part]
            self.assertEqual([m < 1 for m in cube.orbit_multiplier.values], stable)
            flags.update(stable)
        self.assertEqual(flags, {True, False})

    def test_an_anchor_does_not_pass_a_fold(self):
        rows = {round(r["t_F"], 6): r for r in table("branch_mu0p8.csv")}
        near = next(rows[t] for t in sorted(rows) if t > 0.1)
        cube = self.leg(near, [near, dict(near, D_G=-0.2)])
        self.assertEqual(self.words(cube.orbit_verdict)[0], "cycle")
        self.assertIn(self.words(cube.orbit_verdict)[1], ("no_convergence", "no_return"))

    def test_period_two_and_growth_without_bound(self):
        leg = dict(model="hopping-leg", columns="dG, zU", rows=[[-0.12, 2], [-0.12, 6], [-0.4, 2]], initial="{zL: 1}",
                   parameters="{m: 1, k: 1, g: 1, L0: 0, mu: 0.6, dF: 0.1}",
                   orbit="{find: [cycles], returns: 400, longest: 60, bound: 15}")
        cube = self.cube(**leg)  # two cycles live side by side, one of them beyond a period doubling at D_G = -0.0507
        self.assertEqual(self.words(cube.orbit_verdict), ["cycle", "cycle", "unbounded"])
        self.assertEqual(list(cube.orbit_returns.values[:2]), [1, 2])
        self.assertGreater(float(cube.orbit_period[1]), 1.5 * float(cube.orbit_period[0]))
        self.assertTrue((cube.orbit_multiplier[:2] < 1).all() and (cube.orbit_multiplier[:2] > 0.1).all())
        self.assertTrue(np.isnan(cube.orbit_period[2]) and cube.orbit_returns_tried[2] > 1)
        alone = self.cube("orbit.period=1", **leg)
        self.assertEqual(list(alone.orbit_returns.values[:2]), [1, 1])  # Newton's iteration finds the one that was left
        self.assertLess(float(alone.orbit_multiplier_re[1]), -1)

    def test_a_linear_oscillator_has_no_period_but_the_drive_s(self):
        cube = self.cube(model="vibro-impact", columns="w", rows=[[0.5 + 0.025 * i] for i in range(101)], parameters="{a: 0.05}",
                         initial="{x: 0.1}", t_end=1, orbit="{find: [cycles], seed: [simulation], returns: 400}")
        self.assertEqual(set(self.words(cube.orbit_verdict)), {"cycle"})
        self.assertEqual(set(cube.orbit_returns.values), {1})
        np.testing.assert_allclose(cube.orbit_period, 2 * np.pi / cube.w, rtol=1e-12)
        np.testing.assert_allclose(cube.orbit_multiplier, np.exp(-0.05 * cube.orbit_period), atol=1e-9)
        w = cube.w.values  # both walls are missed by what the amplitude leaves of 1
        np.testing.assert_allclose(cube.orbit_clearance, 1 - 0.05 / np.hypot(1 - w**2, 0.1 * w), atol=1e-10)

    def test_a_cycle_that_the_simulation_did_not_lead_to_says_so(self):
        plate = dict(model="plate", columns="n, C", parameters="{A: 0.03, omega: 12, H: 5, D: 1}", initial="{z: 1.2, th: 0}",
                     rows=[[2, 1], [2, 10]], t_end=0.5, orbit="{find: [cycles], seed: [simulation], returns: 400}")
        cube = self.cube("orbit.returns=25", "map.by=multiplier_error", **plate)
        self.assertEqual(self.words(cube.orbit_verdict), ["cycle_beside", "cycle"])
        self.assertEqual(list(cube.orbit_returns.values), [1, 1])
        self.assertTrue(np.isfinite(cube.orbit_multiplier.values).all() and np.isfinite(cube.multiplier_error.values).all())
        with xarray.open_dataset(self.folder / "s.h5", group="map", engine="h5netcdf") as found:
            words = found.by_error_reason.attrs["flag_meanings"].split()
            self.assertNotIn("no_reference", {words[i] for i in found.by_error_reason.values.ravel()})  # its multiplier counts
        self.assertIn("though the simulation did not repeat", self.works("info", "s.h5"))

    def test_ranks_threads_and_lanes_change_no_bit(self):
        rows = [[f, g] for f in (0, 0.02, 0.1) for g in (-0.05, -0.035, -0.02, -0.005)]
        self.sweep(rows=rows, strategies="switch, event", methods="ode45, ode15s", tolerances="1e-4", **{
            **POWERED, "orbit": "{find: [cycles, transient], seed: [anchor, simulation], returns: 60, longest: 60, anchor: "
                                "{parameters: {zeta_F: 0.02, zeta_G: -0.05034696166}, "
                                "state: {y1: 0, v1: -0.1511442818, y2: 0.9921528129, v2: -0.1719225894}}}"})
        self.works("run", "s.yaml", "-q", "-o", "plain.h5", ranks=0, threads=1)
        for ranks, threads, width in ((1, 2, 8), (2, 1, 4), (3, 2, 1)):
            self.works("run", "s.yaml", "-q", "-o", "s.h5", "--force", "--set", f"width={width}", ranks=ranks, threads=threads)
            self.assertIn("the same", self.works("diff", "plain.h5", "s.h5"))
        self.assertIn("have the values", self.works("info", "plain.h5", "--check"))
        self.assertIn("a periodic orbit, stable or not", self.works("info", "plain.h5"))
        with h5py.File(self.folder / "plain.h5") as cube:
            self.assertEqual(set(cube["orbit_seed"][()]) - {-1}, {0, 1})  # both found some
            self.assertGreater(len(set(cube["orbit_verdict"][()])), 1)
            self.assertEqual(cli.word(cube["orbit_verdict"].attrs["kind"]), "flag")

    def test_other_cubes_know_nothing_of_it(self):
        self.works("run", cli.DALLAS, "-q", "-o", "d.h5", *cli.sets(*cli.SHORT, "solvers=[ode45]"))
        with h5py.File(self.folder / "d.h5") as cube:
            self.assertEqual([name for name in cube if name.startswith(("orbit_", "multiplier_", "flight", "rest_"))], [])

    def test_what_cannot_be_is_refused(self):
        def refuse(says, **said):
            self.sweep(**{"rows": [[0.02, -0.05]], **POWERED, **said})
            self.refused("run", "s.yaml", "-q", "-o", "no.h5", says=("s.yaml", *says))

        anchor = "{{find: [cycles], seed: [anchor], anchor: {{{}}}}}".format
        state = "state: {y1: 0, v1: -0.15, y2: 0.99, v2: -0.17}"
        refuse(("orbit.seed", "'simulaton'", "simulation"), orbit="{find: [cycles], seed: [simulaton]}")
        refuse(("map.by", "multiplier_error", "find: [cycles]"), orbit="{find: [transient]}\nmap: {by: multiplier_error}")
        refuse(("orbit.find", "missing"), orbit="{seed: [simulation]}")
        refuse(("orbit.seed", "orbit.anchor", "missing"), orbit="{find: [cycles], seed: [anchor]}")
        refuse(("orbit.anchor.state", "'v3'", "v2"), orbit=anchor("state: {y1: 0, v3: -0.15}"))
        refuse(("orbit.anchor.closed", "contact 1 is open", "touchdown", "closed"), orbit=anchor(state + ", closed: []"))
        refuse(("orbit.anchor.closed", "= 2 is out of range"), orbit=anchor(state + ", closed: [2]"))
        refuse(("orbit.anchor.state", "gap of contact 1 is 0.4", "it is 0"), orbit=anchor("state: {y1: 0.4}"))
        refuse(("orbit.anchor.returns = 3", "orbit.period"), orbit="{find: [cycles], period: 2, seed: [anchor], anchor: {"
               + state + ", returns: 3}}")
        refuse(("orbit.anchor.state", "gap of contact 1", "other side"), orbit=anchor("state: {y1: 0, v1: 5, y2: 1, v2: 5}"))
        refuse(("orbit.anchor", "no cycle of 1 return"), orbit=anchor(state + ", parameters: {zeta_G: 0}"))
        refuse(("decay", "no section"), model="decay", columns="lambda", rows=[[1]])


cli.main()
