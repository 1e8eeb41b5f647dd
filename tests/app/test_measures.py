"""Measures of runs: those of the program equal to numpy's on stored runs, in cubes the same bits as from Python; the checkout and the
folder of the build are the last arguments."""
import json
import os
import re
import sys
import unittest.mock
import warnings

import numpy as np
from scipy.interpolate import make_interp_spline

import cli

SOURCE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
os.environ["SALTUS_LIBRARY"] = os.path.join(BUILD, "libsaltus.so.4")
sys.path.insert(0, os.path.join(SOURCE, "analysis"))
import saltus  # noqa: E402

JACK = """equations: 1
name: jackhammer-of-a-user
time: s
span: 1
watch: tool
parameters:
  M: {unit: kg, what: housing, preset: 14}
  mp: {unit: kg, what: piston, preset: 1.2}
  mt: {unit: kg, what: tool, preset: 2.0}
  kh: {unit: N/m, what: handle spring, preset: 4e3}
  ch: {unit: N*s/m, what: handle damping, preset: 200}
  F: {unit: N, what: amplitude of the gas force, preset: 900, range: [300, 1500], allowed: [0, 1e4]}
  f: {unit: Hz, what: blow rate, preset: 25, range: [15, 40], allowed: [1, 1e3]}
  kr: {unit: N/m, what: rock, preset: 2e6}
  cr: {unit: N*s/m, what: rock damping, preset: 3e3}
  e: {what: restitution piston on tool, preset: 0.6, range: [0.3, 0.9]}
  ks: {unit: N/m, what: tool retainer, preset: 2e4}
  cs: {unit: N*s/m, preset: 60}
  push: {unit: N, what: push of the operator, preset: 120}
  g: {unit: m/s^2, preset: 9.81}
states:
  house: {unit: m, preset: 0.12}
  vh: {unit: m/s, preset: 0, rate_of: house}
  piston: {unit: m, preset: 0.05}
  vp: {unit: m/s, preset: 0, rate_of: piston}
  tool: {unit: m, preset: 0.0005}
  vt: {unit: m/s, preset: 0, rate_of: tool}
let:
  gas: F * sin(2 * pi * f * t)
  rock: max(0, -kr * tool - cr * vt) if chisel else 0
  retain: ks * (tool - house + 0.12) + cs * (vt - vh)
contacts:
  chisel: {names: [strikes rock, leaves rock], gap: tool, kind: compliant}
  anvil:
    names: [blow, lifts]
    gap: piston - tool
    closes: {piston: tool, vp: (mp * vp + mt * vt - e * mt * (vp - vt)) / (mp + mt), vt: (mp * vp + mt * vt + e * mp * (vp - vt)) / (mp + mt)}
    stays: false
flow:
  house: vh
  vh: (-kh * (house - 0.12) - ch * vh - gas + retain - push) / M - g
  piston: vp
  vp: gas / mp - g
  tool: vt
  vt: (rock - retain) / mt - g
"""
MEASURE = {
    "peak": "max(tool) in mm", "reach": "max(piston - house) from 0.2", "low": "min(tool) in mm", "level": "mean(piston) in mm", "swing": "rms(vh)",
    "middle": "value(house, 0.5)", "blows": "count(anvil)", "pace": "rate(anvil)", "energy": "loss(0.5 * mp * vp^2 + 0.5 * mt * vt^2, anvil) in J",
    "late": "last(vp, blow, 3)", "force": "max(rock) in kN",
}
HOUSE, VH, PISTON, VP, TOOL, VT = range(6)


def extreme(times, values, sign):
    """The largest value of a smooth piece: a polynomial of degree 8 through the samples about the largest one."""
    k = int(np.argmax(sign * values))
    if 0 < k < len(values) - 1 and len(values) >= 9:
        first = min(max(k - 4, 0), len(values) - 9)
        x = (times[first:first + 9] - times[k]) / (times[1] - times[0])
        found = np.polynomial.Polynomial.fit(x, sign * values[first:first + 9], 8)
        roots = found.deriv().roots()
        roots = roots[np.isreal(roots)].real
        inside = roots[(roots > -1.5) & (roots < 1.5)]
        return sign * max([sign * values[k], *found(inside)])
    return values[k]


def integral(times, values, start, end):
    return float(make_interp_spline(times, values, k=7).integrate(start, end)) if len(times) >= 8 else float("nan")


class Measures(cli.InFolder):
    def runs(self, n=3, **more):
        F, f = (a.ravel() for a in np.meshgrid(np.linspace(400, 1300, n), np.linspace(16, 36, n)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", saltus.OutcomeWarning)
            return saltus.integrate(JACK, {"F": F, "f": f}, **{"solver": "dop853", "rtol": 1e-13, "t_end": 1.0, "measure": MEASURE, **more})

    def pieces(self, runs, i):
        """Smooth pieces of run i: (times, states) of samples strictly between events, and their ends."""
        at = runs.event[i]["t"]
        ends = np.unique(np.concatenate([[0.0], at[np.isfinite(at)], [1.0]]))
        for start, end in zip(ends, ends[1:]):
            inside = (runs.times >= start) & (runs.times <= end)
            inside &= (runs.times > start + 1e-9) | (start == 0)
            inside &= (runs.times < end - 1e-9) | (end == 1)
            yield start, end, runs.times[inside], runs.state[i, inside]

    def test_equal_numpy_on_stored_runs(self):
        runs = self.runs(samples=100000, events=200)
        got, done = runs.measures, runs.completed
        self.assertGreater(done.sum(), 5)
        for values in got.values():
            self.assertTrue(np.all(np.isnan(values[~done])))
        struck = 0
        for i in np.flatnonzero(done):
            say = f"run {i}"
            pieces = list(self.pieces(runs, i))
            tops = [extreme(t, y[:, TOOL], 1) for _, _, t, y in pieces if len(t)]
            lows = [extreme(t, y[:, TOOL], -1) for _, _, t, y in pieces if len(t)]
            np.testing.assert_allclose(got["peak"][i], max([0.5, *(1e3 * v for v in tops)]), rtol=1e-12, err_msg=say)
            np.testing.assert_allclose(got["low"][i], 1e3 * min(lows), rtol=1e-11, err_msg=say)
            self.assertEqual(got["middle"][i], runs.state[i, 50000, HOUSE])
            level = sum(integral(t, y[:, PISTON], a, b) for a, b, t, y in pieces)
            swing = np.sqrt(sum(integral(t, y[:, VH]**2, a, b) for a, b, t, y in pieces))
            if np.isfinite(level):  # no piece is shorter than eight samples
                np.testing.assert_allclose(got["level"][i], 1e3 * level, rtol=1e-12, err_msg=say)
                np.testing.assert_allclose(got["swing"][i], swing, rtol=1e-12, err_msg=say)
            blows = (runs.event[i]["contact"] == 1) & (runs.event[i]["closes"] == 1)
            self.assertEqual(got["blows"][i], blows.sum())
            self.assertEqual(got["pace"][i], blows.sum())
            after = runs.event_state[i][blows]
            last = np.full(3, np.nan)
            last[:min(3, len(after))] = after[-3:, VP]
            np.testing.assert_array_equal(got["late"][i], last)
            if len(after):
                struck += 1
                slip = (after[:, VP] - after[:, VT]) / -0.6  # before the blow
                lost = 0.5 * 1.2 * 2.0 / 3.2 * (1 - 0.36) * slip**2
                np.testing.assert_allclose(got["energy"][i], lost.mean(), rtol=1e-9, err_msg=say)
        self.assertGreater(struck, 1)
        self.assertEqual((runs.units["peak"], runs.units["energy"], runs.units["force"], runs.units["swing"], runs.units["blows"]), ("mm", "J", "kN", "m/s", "1"))
        self.assertGreater(np.nanmax(got["force"]), 1)
        whole = np.array([(runs.state[i, 20000:, PISTON] - runs.state[i, 20000:, HOUSE]).max() for i in range(len(runs))])
        self.assertTrue(np.all(got["reach"][done] >= whole[done]))
        np.testing.assert_allclose(got["reach"][done], whole[done], rtol=1e-6)
        data = runs.dataset()
        self.assertEqual((data["peak"].attrs["units"], data["late"].dims), ("mm", ("run", "late_number")))
        same = saltus.integrate(JACK, {"F": 700, "f": 20}, t_end=0.1, samples=4, measure={"tool": "max(tool)", "F": "min(F)", "steps": "count(anvil)"})
        data = same.dataset()
        np.testing.assert_array_equal(data["tool"].values, same.state[:, :, TOOL])
        np.testing.assert_array_equal(data["F"].values, [700])
        for name in ("tool", "F", "steps"):
            np.testing.assert_array_equal(data[f"measure_{name}"].values, same.measures[name])

    def test_same_bits_and_the_cube(self):
        one, more = self.runs(lanes=1), self.runs(threads=2, samples=7, events=3)
        np.testing.assert_array_equal(one.measured, more.measured)
        measure = "".join(f"  {name}: {text}\n" for name, text in MEASURE.items())
        (self.folder / "jack.yaml").write_text(JACK)
        (self.folder / "s.yaml").write_text(
            "model: jack.yaml\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\nt_end: 1\nmesh: 0.01\ncells:\n  axes:\n"
            "    - {name: f, linear: [16, 36], points: 3}\n    - {name: F, linear: [400, 1300], points: 3}\nmeasure:\n" + measure)
        self.works("run", "s.yaml", "-o", "s.h5")
        self.works("run", "s.yaml", "-o", "again.h5", ranks=2)
        self.works("diff", "s.h5", "again.h5")
        cube = saltus.open(str(self.folder / "s.h5"))
        names = [str(name) for name in cube["measure"].values]
        self.assertEqual(names, [q.name for q in one.columns])
        self.assertEqual([str(unit) for unit in cube["measure_unit"].values], [q.unit for q in one.columns])
        flat = cube["measures"].values.reshape(9, -1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", saltus.OutcomeWarning)
            one = saltus.integrate(JACK, {name: cube[name].values.ravel() for name in ("F", "f")}, solver="dop853", rtol=1e-13, t_end=1.0, measure=MEASURE)
        done = one.completed
        np.testing.assert_array_equal(flat[done], one.measured[done])
        apart = cube["measure_errors"].sel(measure="peak").values.reshape(9)[done]
        self.assertTrue(np.all(apart < 1e-4) and apart.max() > 0)
        self.pictures(cube)
        self.columns(cube)

    def columns(self, cube):
        """Tabulates the cube s.h5 by table.py: a column with its unit for each measure, with the values of the cube."""
        import pandas
        import table
        with unittest.mock.patch("sys.argv", ["table.py", str(self.folder / "s.h5"), "-o", str(self.folder / "s.csv")]):
            table.work(table.arguments())
        read = pandas.read_csv(self.folder / "s.csv", float_precision="round_trip")
        for i, (name, unit) in enumerate(zip(cube["measure"].values, cube["measure_unit"].values)):
            label = str(name) if str(unit) == "1" else f"{name} [{unit}]"
            np.testing.assert_array_equal(read[label].values, cube["measures"].values.reshape(9, -1)[:, i])

    def pictures(self, cube):
        """Draws the cube s.h5 by maps.py: the values and axes of a plane, and of a cut through the middle of it."""
        import maps
        import measure_figures
        drawn = []
        with unittest.mock.patch.object(measure_figures.style, "save", lambda figure, path: drawn.append(figure)), unittest.mock.patch("builtins.print"):
            for words in (["--measure", "energy", "--x", "F", "--y", "f"], ["--measure", "energy", "--x", "f", "--y", "F"]):
                maps.work(maps.arguments(["measure", str(self.folder / "s.h5"), "-o", str(self.folder), *words]))
        want = cube["measures"].sel(measure="energy").values.reshape(3, 3)
        self.assertGreater(np.nanmax(want), 1.05 * np.nanmin(want))
        for figure, values, across in zip(drawn, (want, want.T), "Ff"):
            np.testing.assert_array_equal(np.ma.filled(figure.axes[0].collections[0].get_array(), np.nan).reshape(3, 3), values)
            self.assertIn(across, figure.axes[0].get_xlabel())
            self.assertIn("energy [J]", figure.axes[1].get_ylabel())
        with self.assertRaisesRegex(Exception, "--measure: energi is not a measure; allowed: peak"):
            maps.work(maps.arguments(["measure", str(self.folder / "s.h5"), "-o", str(self.folder), "--measure", "energi"]))

    def test_models_of_the_program_and_measures_of_a_text(self):
        ball = saltus.integrate("bouncing-ball", {"e": 0.5}, t_end=0.3, rtol=1e-10, solver="ode45", measure={"up": "max(y)", "fall": "min(v)", "at": "value(y, 0.25)"})
        state = {q.name: q.preset for q in ball.model.states}
        params = {q.name: q.preset for q in ball.model.params}
        self.assertEqual(ball.measures["up"][0], state["y"])
        g = params.get("g", 1.0)
        np.testing.assert_allclose(ball.measures["at"], state["y"] - 0.5 * g * 0.25**2, rtol=1e-12)
        (self.folder / "own.yaml").write_text(JACK + "measure:\n  mine: max(tool) in mm\n")
        runs = saltus.integrate(str(self.folder / "own.yaml"), {"F": 700, "f": 20}, t_end=0.1, measure={"other": "min(tool)"})
        self.assertEqual(list(runs.measures), ["mine", "other"])

    def test_names_alone(self):
        """Names that stand for measures of any model: a ball's impacts in closed form, and the same columns from each face."""
        e, g, span = 0.5, 9.81, 3.0
        ball = saltus.integrate("bouncing-ball", {"e": e}, t_end=span, rtol=1e-10, measure=["peak", "impacts", "loss"])
        self.assertEqual(list(ball.measures), ["peak_y", "impacts_impact", "loss_impact"])
        n = ball.measures["impacts_impact"][0] * span
        self.assertGreater(n, 8)
        self.assertEqual(n, round(n))
        spun = "equations: 1\nname: s\nparameters: {w: {unit: rad/s, preset: 1}}\ntime: s\nstates: {y: {unit: m, preset: 1}}\nflow: {y: -w}\ncontacts: {floor: {names: [hit, up], gap: y, kind: compliant}}\n"
        self.assertEqual(saltus.integrate(spun, t_end=2, measure=["impacts"]).units["impacts_hit"], "1/s")  # not rad/s
        np.testing.assert_allclose(ball.measures["loss_impact"][0], g * (1 - e**(2 * n)) / n, rtol=1e-8)
        self.assertEqual((ball.measures["peak_y"][0], ball.units["loss_impact"]), (1.0, "m^2/s^2"))
        both = saltus.integrate("bouncing-ball", measure={"speed": None, "late": "value(y, 0.1)"})
        self.assertEqual(list(both.measures), ["speed_v", "late"])
        said = self.works("list", "models", "bouncing-ball")
        self.assertIn("    measures: peak_y: max(y) [m]; low_y: min(y) [m]; speed_v: max(abs(v)) [m/s]; impacts_impact: rate(impact) [1/s]; loss_impact: loss(kinetic, impact) [m^2/s^2]", said)
        said = self.works("trajectory", "--model", "bouncing-ball", "--measure", "peak; deep : min(v) in mm/s", "-o", "t.csv")
        self.assertRegex(said, r"\Apeak_y = 1 m\ndeep = -4429\.4\d* mm/s\n\Z")
        self.refused("trajectory", "--model", "decay", "--measure", "impacts", "-o", "u.csv", says=("--measure: measure impacts: model decay has no contact",))
        self.refused("trajectory", "--model", "decay", "--measure", "peek", "-o", "u.csv", says=("--measure: unknown measure without a text 'peek'", "did you mean 'peak'?"))
        walls = self.works("trajectory", "--model", os.path.join(SOURCE, "sweeps", "models", "beads.yaml"), "--measure", "impacts; n: count(impact(1))", "-o", "w.csv")
        self.assertRegex(walls, r"\Aimpacts_impact_c1 = [\d.]+ 1/s\nimpacts_impact_1 = (.*\n)*impacts_impact_c\d = [\d.]+ 1/s\nn = \d+\n\Z")  # both walls have one name
        self.refused("trajectory", "--model", os.path.join(SOURCE, "sweeps", "models", "beads.yaml"), "--measure", "n: count(impact)", "-o", "u.csv", says=("measure n: contact 'impact': several contacts",))
        (self.folder / "own.yaml").write_text(JACK + "measure:\n  peak:\n  mine: max(tool) in mm\n")
        said = self.works("model", "check", "own.yaml", "--t-end", "0.05")
        self.assertRegex(said, r"fine   measure     peak_piston: max\(piston\) \[m\]\n(.*\n)*fine   measure     mine: max\(tool\) in mm \[mm\]\n")
        (self.folder / "s.yaml").write_text("model: bouncing-ball\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\ncells: {columns: [e], rows: [[0.5], [0.8]]}\nmeasure: [peak, impacts]\n")
        self.works("run", "s.yaml", "-o", "s.h5")
        rate = saltus.open(str(self.folder / "s.h5"))["measures"].sel(measure="impacts_impact").values
        self.assertGreater(rate.min(), 0)
        said = self.works("info", "s.h5")
        self.assertIn("\nMeasures of the reference trajectories\n", said)
        self.assertRegex(said, r"  impacts_impact +[\d.]+ \.\. [\d.]+ 1/s   rate\(impact\)\n")
        found = json.loads(self.works("info", "s.h5", "--json"))["measures"]
        self.assertEqual((found["peak_y"]["unit"], found["peak_y"]["text"], found["impacts_impact"]["least"], found["impacts_impact"]["most"]), ("m", "max(y)", rate.min(), rate.max()))

    def test_units_as_texts_and_scales(self):
        plain = saltus.integrate(JACK, {"F": 1200.0, "f": 20.0}, {"tool": 5e-4}, t_end=0.25, rtol=1e-8)
        texts = saltus.integrate(JACK, {"F": "1.2 kN", "f": "20Hz"}, {"tool": "0.5mm"}, t_end="250 ms", rtol=1e-8)
        np.testing.assert_array_equal(plain.end, texts.end)
        for given in ({"params": {"F": "1.2 m"}}, {"t_end": "3 N"}, {"initial": {"tool": "wide"}}):
            with self.assertRaisesRegex(saltus.InvalidError, next(iter(next(iter(given.values())))) if "t_end" not in given else "t_end"):
                saltus.integrate(JACK, **given)
        (self.folder / "jack.yaml").write_text(JACK)
        sweep = "model: jack.yaml\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-5]\nt_end: 0.25\nmesh: 0.01\nparameters: {F: 1200, f: 20}\n"
        steps = []
        for name, scale in (("a", ""), ("b", "scale: {tool: 1e-4, vt: 1e-2}\n"), ("c", "scale: {tool: 1}\n")):
            (self.folder / f"{name}.yaml").write_text(sweep + scale)
            self.works("run", f"{name}.yaml", "-o", f"{name}.h5")
            steps.append(int(saltus.open(str(self.folder / f"{name}.h5"))["steps"].values.item()))
        ours = saltus.integrate(JACK, {"F": 1200.0, "f": 20.0}, t_end=0.25, rtol=1e-5, scale={"tool": 1e-4, "vt": 1e-2})
        self.assertEqual(steps[1], ours.steps[0])
        self.assertGreater(steps[1], steps[0])
        self.assertEqual(steps[2], steps[0])
        (self.folder / "d.yaml").write_text(sweep + "scale: {tol: 1}\n")
        self.refused("run", "d.yaml", "-o", "d.h5", says=("d.yaml:8:", "unknown", "tol"))
        (self.folder / "d.yaml").write_text(sweep + "scale: {tool: 0}\n")
        self.refused("run", "d.yaml", "-o", "d.h5", says=("d.yaml:8:", "tool"))

    def test_a_unit_of_length_with_its_scale_changes_no_bit(self):
        """Lengths in units of 1/1024 m: each number is multiplied by a power of 2, so that no rounding differs."""
        other = re.sub(r"(house|piston|tool): \{unit: m, preset: ([\d.]+)", lambda m: f"{m[1]}: {{unit: mm, scale: 1024, preset: {1024 * float(m[2])!r}", JACK)
        other = re.sub(r"(v[hpt]): \{unit: m/s,", r"\1: {unit: mm/s, scale: 1024,", other)
        for old, new in (("-kr * tool - cr * vt", "-kr * tool / 1024 - cr * vt / 1024"), ("ks * (tool - house + 0.12) + cs * (vt - vh)", "ks * (tool - house + 122.88) / 1024 + cs * (vt - vh) / 1024"),
                         ("vh: (-kh * (house - 0.12) - ch * vh", "vh: 1024 * ((-kh * (house - 122.88) / 1024 - ch * vh / 1024"), ("push) / M - g", "push) / M - g)"),
                         ("vp: gas / mp - g", "vp: 1024 * (gas / mp - g)"), ("vt: (rock - retain) / mt - g", "vt: 1024 * ((rock - retain) / mt - g)")):
            self.assertEqual(other.count(old), 1, old)
            other = other.replace(old, new)
        for solver in ("ode23", "ode45", "tsit5", "dop853", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "radau5"):
            runs = [saltus.integrate(text, {"F": 1200.0, "f": 20.0}, t_end=0.4, rtol=1e-5, solver=solver) for text in (JACK, other)]
            self.assertGreater(runs[0].events[0], 0)
            np.testing.assert_array_equal(1024 * runs[0].end, runs[1].end, err_msg=solver)
            self.assertEqual(runs[0].evaluations[0], runs[1].evaluations[0])

    def test_extremes_near_the_ends_of_steps(self):
        swing = "equations: 1\nname: swing\nparameters:\n  w: {preset: 1}\nstates:\n  x: {preset: 0}\n  v: {preset: 1, rate_of: x}\nflow: {x: v, v: -w^2 * x}\n"
        for rtol in (1e-4, 1e-13):
            runs = saltus.integrate(swing, {"w": np.linspace(0.9, 1.1, 200)}, solver="dop853", rtol=rtol, t_end=2.5, samples=20000, measure={"top": "max(x)", "low": "min(-x)"})
            most = runs.state[:, :, 0].max(axis=1)
            self.assertLess(np.abs(runs.measures["top"] - most).max(), 1e-8, rtol)
            np.testing.assert_array_equal(runs.measures["low"], -runs.measures["top"])

    def test_measures_of_another_model_are_refused(self):
        given, other = saltus._runs._measures, saltus.Model("bouncing-ball")
        with unittest.mock.patch.object(saltus._runs, "_measures", lambda model, measure: given(other, measure)):
            self.assertEqual(saltus.integrate(other, t_end=0.1, measure={"up": "max(y)"}).measures["up"][0], 1)
            with self.assertRaisesRegex(saltus.InvalidError, "measures are those of another model"):
                saltus.integrate(JACK, measure={"up": "max(y)"})

    def test_states_alone_have_the_bits_of_expressions(self):
        """A measure of a state makes the polynomial of that state alone, with the bits of an expression of it."""
        alone = {"top": "max(tool)", "low": "min(piston)", "rms": "rms(vh)", "mean": "mean(piston) from 0.2", "at": "value(house, 0.5)"}
        for solver in ("ode23", "dop853", "ode113", "ode15s"):
            runs = [self.runs(solver=solver, rtol=1e-5, measure=measure) for measure in (alone, {**alone, "all": "max(tool + 0 * vt)"})]
            self.assertGreater(runs[0].completed.sum(), 3)
            for name in alone:
                np.testing.assert_array_equal(runs[0].measures[name], runs[1].measures[name], err_msg=f"{solver} {name}")
            np.testing.assert_array_equal(runs[1].measures["top"], runs[1].measures["all"], err_msg=solver)
            np.testing.assert_array_equal(runs[0].evaluations, runs[1].evaluations)

    def test_refusals(self):
        for text, says in (("most(tool)", "unknown function 'most'; allowed: max, min"), ("max(tol)", "unknown name 'tol'; did you mean 'tool'"), ("max(tool) in s", "it has the unit m"),
                           ("max(tool, vt)", "allowed: max(EXPRESSION)"), ("count(hammer)", "unknown contact 'hammer'"), ("last(vp, anvil, 0)", "how many: '0'"),
                           ("max(tool", "allowed: max(EXPRESSION)"), ("max(tool) in smoots", "unknown unit"), ("value(tool, 1) from 0.5", "without 'from'"), ("max(chisel)", "")):
            with self.assertRaisesRegex(saltus.InvalidError, "measure") as caught:
                saltus.integrate(JACK, measure={"it": text})
            self.assertIn(says, str(caught.exception), text)
        (self.folder / "bad.yaml").write_text("model: monopod\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\nmeasure:\n  a: max(y1)\n  b: max(y9)\n")
        self.refused("run", "bad.yaml", "-o", "b.h5", says=("bad.yaml:7: measure b: unknown name 'y9'",))

    def test_times_past_the_end_are_refused(self):
        """At or from a time that the run does not have; the end itself has a value; in the text of a model, whose runs may be shorter, they are NaN."""
        cases = (("value(y, 1.5)", "value(y, 1.5): the time 1.5; allowed: to the end of the run, 1"), ("max(y) from 1", "from 1: the time 1; allowed: before the end of the run, 1"),
                 ("rate(impact) from 2", "the time 2; allowed: before"))
        sweep = "model: bouncing-ball\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\nt_end: 1\nmeasure:\n  fine: value(y, 1)\n  late: max(y) from 0.999\n"
        for text, says in cases:
            (self.folder / "late.yaml").write_text(sweep + f"  it: {text}\n")
            self.refused("run", "late.yaml", "-o", "l.h5", says=(f"late.yaml:9: measure it: {text}", says))
            self.refused("trajectory", "--model", "bouncing-ball", "--t-end", "1", "--measure", f"it: {text}", "-o", "l.csv", says=("--measure: measure it:", says))
            with self.assertRaisesRegex(saltus.InvalidError, "measure it") as caught:
                saltus.integrate("bouncing-ball", t_end=1, measure={"it": text})
            self.assertIn(says, str(caught.exception))
        (self.folder / "late.yaml").write_text(sweep)
        self.works("run", "late.yaml", "-o", "l.h5")
        self.assertTrue(np.all(np.isfinite(saltus.open(str(self.folder / "l.h5"))["measures"].values)))
        (self.folder / "own.yaml").write_text(JACK + "measure:\n  mine: value(tool, 0.9)\n  four: last(vp, blow, 40)\n")
        runs = saltus.integrate(str(self.folder / "own.yaml"), {"F": 700, "f": 20}, t_end=0.2, measure={"end": "value(tool, 0.2)"})
        self.assertTrue(np.isnan(runs.measures["mine"][0]) and np.isfinite(runs.measures["end"][0]))
        self.assertTrue(np.isnan(runs.measures["four"][0][-1]))
        for other in ({"a": "last(vp, anvil, 3)"}, {"a_2": "max(tool)", "b": "min(tool)"}, {"b" * 61: "max(tool)"}):
            with self.assertRaisesRegex(saltus.InvalidError, "another measure has a column a_[12], too|at most 60 letters"):
                saltus.integrate(JACK + "measure: {a: 'last(vp, anvil, 2)'}\n", measure=other)


cli.main()
