"""Files of `saltus continue`, continuing from a label, and its error messages."""
import json
import os

import h5py
import numpy as np
import xarray

import cli

# m = k = g = 1, L0 = 0: only mu, D_F = dF / 2 and D_G = dG / 2 are left.
LEG = ("--model", "hopping-leg", "--param", "m=1,k=1,g=1,L0=0,mu=0.6,dF=0.1,dG=-0.2")
BRANCH = ("continue", *LEG, "--guess", "zU=1.2,vU=3.9", "--in", "dG", "--from", "-0.3", "--to", "-0.1")
NEAR = (*BRANCH, "--stop-at", "open_touchdown=5.6,period=7.6")
REFUSED = (
    (("--in", "nix"), ("--in", "unknown parameter 'nix'", "dG")),
    (("--from", "-0.2", "--to", "-0.2"), ("parameter dG has no range", "--from")),
    (("--from", "-0.1", "--to", "-0.05"), ("the start, dG = -0.2, lies outside the range",)),
    (("--in", "mu", "--from", "0.5", "--to", "3"), ("--to", "mu = 3", "from 0 to 1")),
    (("--mark", "perod=3"), ("--mark", "unknown quantity 'perod'", "did you mean 'period'?")),
    (("--mark", "period=x"), ("--mark", "'x' is not a number")),
    (("--ds", "5"), ("--ds 5", "--ds-max")),
    (("--switch",), ("--switch", "--restart")),
    (("--curve", "lp"), ("--curve", "--and")),
    (("--curve", "lp", "--and", "dF"), ("--restart",)),
    (("--initial", "vU=1"), ("--guess, --initial or --restart",)),
    (("--way", "left"), ("--way", "unknown word 'left'", "both, up, down")),
    (("--guess", "vU=-3"), ("wrong phase", "release")),
    (("-o", "b.csv"), ("the name must end with .h5",)),
)

OSCILLATOR = os.path.join(cli.SWEEPS, "models", "impact-oscillator.yaml")
ZETA, R = 0.05, 0.8  # damping, restitution


def flow(zeta, t):
    """exp(A t) of x'' + 2 zeta x' + x = 0."""
    s = np.emath.sqrt(zeta**2 - 1)
    a, b = -zeta + s, -zeta - s
    both = [[a * np.exp(b * t) - b * np.exp(a * t), np.exp(a * t) - np.exp(b * t)], [a * b * (np.exp(b * t) - np.exp(a * t)), a * np.exp(a * t) - b * np.exp(b * t)]]
    return np.real(np.array(both) / (a - b))


class OneImpact:
    """Orbits with an impact in n periods of the force beside a wall at 1: Shaw & Holmes, J. Sound Vib. 90 (1983) 129-155.

    The impact is met at V > 0 where the forced motion is 1 + V K[0], V K[1] = Re G e^(iwt), which is a quadratic equation for V. The map from impact to
    impact is exp(A T) [[-r, 0], [(1 + r) (force - 1) / V, -r]], so its determinant is r^2 e^(-2 zeta T), and a fold is where the quadratic has a double root.
    """

    def __init__(self, w, n, zeta=ZETA):
        self.w, self.zeta, self.T, self.period = w, zeta, 2 * np.pi * n / w, 2 * np.pi / w
        self.M = flow(zeta, self.T)
        self.K = np.linalg.solve(np.eye(2) - self.M, R * self.M[:, 1] + [0, 1])
        self.gain = 1 / (1 - w * w + 2j * zeta * w)

    def square(self):
        return self.K[0] ** 2 + (self.K[1] / self.w) ** 2

    def fold(self):
        return np.sqrt(1 - self.K[0] ** 2 / self.square()) / abs(self.gain)

    def speed(self, a, which=0):
        return np.sort(np.roots([self.square(), 2 * self.K[0], 1 - abs(a * self.gain) ** 2]))[::-1][which].real

    def multipliers(self, a, which=0):
        V = self.speed(a, which)
        force = (1 + V * self.K[0]) * (1 - self.w**2) + 2 * self.zeta * V * self.K[1]
        trace = -R * np.trace(self.M) + self.M[0, 1] * (1 + R) * (force - 1) / V
        return np.sort_complex(np.roots([1, -trace, R * R * np.exp(-2 * self.zeta * self.T)]).astype(complex))

    def doubling(self, low, high):
        for _ in range(60):  # bisection of (1 + mu_1) (1 + mu_2)
            middle = (low + high) / 2
            low, high = (low, middle) if np.prod(1 + self.multipliers(middle)).real < 0 else (middle, high)
        return middle

    def state(self, a, which=0):
        """(x, v) when the force is at its most."""
        V = self.speed(a, which)
        x, v = 1 + V * self.K[0], V * self.K[1]
        t = self.period - np.angle((x - 1j * v / self.w) / (a * self.gain)) % (2 * np.pi) / self.w
        return flow(self.zeta, t) @ [1 - x, -R * V - v] + [(a * self.gain).real, (1j * self.w * a * self.gain).real]

    def guess(self, a, which=0):
        return ("--guess", "x={},v={}".format(*(repr(float(q)) for q in self.state(a, which))))


class BothWalls(OneImpact):
    """Symmetric orbits between walls at 1 and -1, with an impact at each: Shaw, J. Appl. Mech. 52 (1985) 453-464.

    From impact to impact in half a period the motion is mirrored, which is the map of one wall with -exp(A T). An orbit loses its symmetry where a multiplier of
    that half is -1, and so one of the period +1.
    """

    def __init__(self, w, zeta=ZETA):
        super().__init__(w, 1, zeta)
        self.T, self.M = np.pi / w, -flow(zeta, np.pi / w)
        self.K = np.linalg.solve(np.eye(2) - self.M, R * self.M[:, 1] + [0, 1])

    def state(self, a, which=0):
        V = self.speed(a, which)
        x, v = 1 + V * self.K[0], V * self.K[1]
        t = self.period - np.angle((x - 1j * v / self.w) / (a * self.gain)) % (2 * np.pi) / self.w
        side = -1 if t > self.T else 1
        return side * flow(self.zeta, t % self.T) @ [1 - x, -R * V - v] + [(a * self.gain).real, (1j * self.w * a * self.gain).real]


class Continue(cli.InFolder):
    def branch(self, name="b.h5", *args, command=NEAR):
        self.works(*command, *args, "-o", name)
        return xarray.open_dataset(self.folder / name, engine="h5netcdf")

    def test_a_branch_opens_in_xarray_with_its_parameters(self):
        with self.branch() as b:
            self.assertGreater(b.sizes["point"], 5)
            self.assertEqual(b["dG"].dims, ("point",))
            self.assertEqual(float(b["dF"]), 0.1)
            self.assertEqual(b.attrs["content"], "saltus branch")
            self.assertEqual(b.attrs["free_parameters"], "dG")
            doubling = b.isel(point=list(b["type_name"].values).index("PD"))
            self.assertAlmostEqual(float(doubling["dG"]) / 2, -0.117083940916074674, delta=1e-10)
            self.assertAlmostEqual(float(doubling["multiplier_re"][0]), -1, delta=1e-9)
            total = b["duration"].sum("phase")
            np.testing.assert_allclose(total, b["period"], rtol=1e-12)
            np.testing.assert_allclose(b["open_touchdown"], b["duration"].isel(phase=0), rtol=1e-12)
            self.assertTrue((b["apex_zU"] > b["zU"]).all())

    def test_it_goes_on_from_a_label(self):
        self.branch("b.h5").close()
        end = ("--in", "dG", "--from", "-0.3", "--to", "-0.1", "--way", "down", "--points", "3")
        with self.branch("on.h5", command=("continue", "--restart", "b.h5:2", *end)) as on, \
             xarray.open_dataset(self.folder / "b.h5", engine="h5netcdf") as b:
            first = b.isel(point=list(b["label"].values).index(2))
            again = on.isel(point=list(on["arclength"].values).index(0))
            for name in ("dG", "vU", "period"):
                self.assertAlmostEqual(float(again[name]), float(first[name]), delta=1e-10)
            self.assertEqual(float(on["dF"]), 0.1)

    def test_a_branch_of_twice_the_period_leaves_at_a_doubling(self):
        with self.branch("b.h5") as b:
            doubling = int(b["label"].values[list(b["type_name"].values).index("PD")])
            period = float(b["period"].values[list(b["type_name"].values).index("PD")])
        leave = ("continue", "--restart", f"b.h5:{doubling}", "--switch", "--in", "dG", "--points", "3",
                 "--from", "-0.3", "--to", "-0.1")
        with self.branch("two.h5", command=leave) as two:
            self.assertAlmostEqual(float(two["period"][0]), 2 * period, delta=0.01)
            self.assertEqual(two.attrs["returns"], 2)
            flights = two["duration"].values[-1]
            self.assertGreater(abs(flights[0] - flights[2]), 1e-3)

    def test_folds_are_followed_in_two_parameters(self):
        self.branch("b.h5", "--stop-at", "open_touchdown=5.7", command=(*BRANCH, "--way", "down")).close()
        with xarray.open_dataset(self.folder / "b.h5", engine="h5netcdf") as b:
            fold = int(b["label"].values[list(b["type_name"].values).index("LP")])
        curve = ("continue", "--restart", f"b.h5:{fold}", "--curve", "lp", "--in", "dG", "--and", "dF",
                 "--from", "-0.3", "--to", "-0.1", "--and-from", "0.09", "--and-to", "0.11", "--points", "5")
        with self.branch("folds.h5", command=curve) as folds:
            self.assertEqual(folds.attrs["free_parameters"], "dG,dF")
            np.testing.assert_allclose(folds["multiplier_re"][:, 0], 1, atol=1e-8)
            self.assertGreater(np.ptp(folds["dF"].values), 0.005)

    def test_orbits_of_shaw_and_holmes(self):
        for n, w, a, which in ((1, 1.5, 0.6, 0), (1, 1.5, 0.6, 1), (1, 1.5, 3.0, 0), (2, 2.5, 1.8, 0), (2, 2.5, 1.8, 1), (1, 2.5, 7.8, 0)):
            orbit = OneImpact(w, n)
            param = f"zeta={ZETA},e={R},w={w},a={a}"
            found = json.loads(self.works("orbit", "--model", OSCILLATOR, "--param", param, "--returns", str(n), *orbit.guess(a, which), "--json"))
            seen = np.sort_complex([complex(m["re"], m["im"]) for m in found["multipliers"]])
            np.testing.assert_allclose(seen, orbit.multipliers(a, which), rtol=0, atol=1e-10)

    def test_borders_of_shaw_and_holmes(self):
        orbit = OneImpact(2.5, 2)
        model = ("continue", "--model", OSCILLATOR, "--param", f"zeta={ZETA},e={R},w=2.5,a=1.4", "--returns", "2")
        branch = (*model, *orbit.guess(1.4), "--in", "a", "--from", "0.5", "--to", "2.5")
        with self.branch("b.h5", command=branch) as b:
            at = {name: (float(b["a"][i]), int(b["label"][i])) for i, name in enumerate(b["type_name"].values) if name in ("LP", "PD")}
        self.assertAlmostEqual(at["LP"][0], orbit.fold(), delta=1e-9)
        self.assertAlmostEqual(at["PD"][0], orbit.doubling(1.8, 2.5), delta=1e-9)
        for kind, border in (("lp", OneImpact.fold), ("pd", lambda o: o.doubling(1.2, 4))):
            curve = ("continue", "--restart", f"b.h5:{at[kind.upper()][1]}", "--curve", kind, "--in", "a", "--and", "w", "--from", "0.5", "--to", "4", "--and-from",
                     "2.4", "--and-to", "2.6", "--points", "6")
            with self.branch(kind + ".h5", command=curve) as c:
                self.assertGreater(np.ptp(c["w"].values), 0.02)
                np.testing.assert_allclose(c["a"], [border(OneImpact(w, 2)) for w in c["w"].values], rtol=1e-7)

    def test_a_torus_curve_in_closed_form(self):
        # negative damping feeds what impacts take: r^2 e^(-2 zeta T) = 1 where zeta = w ln(r) / (2 pi)
        w = 1.5
        orbit = OneImpact(w, 1, -0.04)
        start = ("continue", "--model", OSCILLATOR, "--param", f"zeta=-0.04,e={R},w={w},a=3", *orbit.guess(3), "--in", "zeta", "--from", "-0.06", "--to", "0")
        with self.branch("b.h5", command=start) as b:
            at = list(b["type_name"].values).index("TR")
            self.assertAlmostEqual(float(b["zeta"][at]), w * np.log(R) / (2 * np.pi), delta=1e-9)
            label = int(b["label"][at])
        curve = ("continue", "--restart", f"b.h5:{label}", "--curve", "tr", "--in", "zeta", "--and", "w", "--from", "-0.07", "--to", "0", "--and-from", "1.3",
                 "--and-to", "1.7", "--points", "6")
        with self.branch("tr.h5", command=curve) as c:
            self.assertGreater(np.ptp(c["w"].values), 0.05)
            np.testing.assert_allclose(c["zeta"], c["w"] * np.log(R) / (2 * np.pi), rtol=1e-8)
            self.assertGreater(float(abs(c["multiplier_im"][:, 0]).min()), 0.1)

    def labels(self, branch):
        return {name: (float(branch["a"][i]), int(branch["label"][i]), str(branch["reason"].values[i])) for i, name in enumerate(branch["type_name"].values)}

    def test_grazing_in_closed_form_and_beyond(self):
        """The linear orbit grazes the wall where its amplitude is 1; orbits with an impact begin there."""
        w = 1.8
        free = ("continue", "--model", OSCILLATOR, "--param", f"zeta={ZETA},e={R},w={w},a=1", "--in", "a", "--from", "0.9", "--to", "3")
        with self.branch("b.h5", command=free) as b:
            a, label, _ = self.labels(b)["GR"]
        self.assertAlmostEqual(a, 1 / abs(OneImpact(w, 1).gain), delta=1e-11)
        with self.branch("on.h5", command=("continue", "--restart", f"b.h5:{label}", "--switch", "--in", "a", "--from", "0.5", "--to", "3")) as on:
            orbit = OneImpact(w, 1)
            self.assertAlmostEqual(self.labels(on)["LP"][0], orbit.fold(), delta=1e-9)
            which = np.arange(on.sizes["point"]) < list(on["type_name"].values).index("LP")
            self.assertLess(orbit.speed(float(on["a"][0]), 1), 0.01)  # begins with a slow impact
            for i in range(0, on.sizes["point"], 5):
                np.testing.assert_allclose([on["x"][i], on["v"][i]], orbit.state(float(on["a"][i]), int(which[i])), rtol=0, atol=1e-8)
        curve = ("continue", "--restart", f"b.h5:{label}", "--curve", "gr", "--in", "a", "--and", "w", "--from", "0.5", "--to", "3", "--and-from", "1.2", "--and-to", "2.1")
        with self.branch("gr.h5", command=curve) as c:
            self.assertGreater(np.ptp(c["w"].values), 0.6)
            np.testing.assert_allclose(c["a"], [1 / abs(OneImpact(w, 1).gain) for w in c["w"].values], rtol=1e-11)
            np.testing.assert_allclose(c["apex_x"], 1, rtol=1e-11)

    def test_beyond_a_grazing_at_any_step(self):
        """Next to a grazing Newton's method need not converge, as at 0.02: the branch begins farther on it, and has the same fold."""
        free = ("continue", "--model", "vibro-impact", "--param", "zeta=0.05,w=0.65,a=0.585,d=1,e=0.8", "--initial", "x=0.2,v=0.1", "--in", "a", "--from", "0.58",
                "--to", "3", "--way", "up")
        with self.branch("b.h5", command=free) as b:
            label = self.labels(b)["GR"][1]
        leave = ("continue", "--restart", f"b.h5:{label}", "--switch", "--in", "a", "--from", "0.2", "--to", "3", "--points", "8")
        folds = []
        for ds in ("0.02", "0.05"):
            with self.branch("on.h5", command=(*leave, "--ds", ds, "--force")) as on:
                folds.append(self.labels(on)["LP"][0])
        self.assertAlmostEqual(folds[0], folds[1], delta=1e-9)
        self.assertAlmostEqual(folds[0], 0.58844223, delta=1e-8)

    def test_grazing_of_an_orbit_with_another_impact(self):
        """Orbits with an impact in two periods touch the same wall once more; that touch alone is not noticed along the curve."""
        w = 2.5
        model = ("continue", "--model", OSCILLATOR, "--param", f"zeta={ZETA},e={R},w={w},a=6", "--returns", "2")
        with self.branch("b.h5", command=(*model, *OneImpact(w, 2).guess(6), "--in", "a", "--from", "5.5", "--to", "7")) as b:
            label = self.labels(b)["GR"][1]
        curve = ("continue", "--restart", f"b.h5:{label}", "--curve", "gr", "--in", "a", "--and", "w", "--from", "5", "--to", "9", "--and-from", "2.4", "--and-to",
                 "2.6", "--points", "5")
        with self.branch("gr.h5", command=curve) as c:
            self.assertGreater(np.ptp(c["w"].values), 0.01)
            for i in range(c.sizes["point"]):
                orbit, a = OneImpact(float(c["w"][i]), 2), float(c["a"][i])
                x, v = orbit.state(a)
                np.testing.assert_allclose([c["x"][i], c["v"][i]], [x, v], rtol=0, atol=1e-8)
                t = np.linspace(0, 2 * orbit.period, 4001)  # ahead of the impact and after it: the most but for the impact itself
                free = np.array([(flow(ZETA, s) @ ([x, v] - np.array([(a * orbit.gain).real, (1j * orbit.w * a * orbit.gain).real])))[0] for s in t])
                free += (a * orbit.gain * np.exp(1j * orbit.w * t)).real
                ahead = t < float(c["duration"][i, 0]) - 1e-9
                turns = [q for q in range(1, len(t) - 1) if ahead[q + 1] and free[q - 1] < free[q] > free[q + 1]]
                top = max((free[q] + (free[q + 1] - free[q - 1]) ** 2 / (16 * (free[q] - (free[q + 1] + free[q - 1]) / 2)) for q in turns), default=np.nan)
                self.assertAlmostEqual(top, 1, delta=1e-8)

    def test_a_symmetry_breaks(self):
        w, a = 1.5, 1.4
        orbit = BothWalls(w)
        at = orbit.doubling(1, 4)
        start = ("continue", "--model", "vibro-impact", "--param", f"zeta={ZETA},w={w},a={a},d=1,e={R}", *orbit.guess(a), "--in", "a", "--from", "1.3", "--to", "2.5")
        with self.branch("b.h5", command=start) as b:
            a, label, words = self.labels(b)["BP"]
            self.assertAlmostEqual(a, at, delta=1e-6)
            self.assertEqual(words, "pitchfork: the orbit's symmetry breaks")
            np.testing.assert_allclose(b["multiplier_re"][list(b["type_name"].values).index("BP"), 0], 1, atol=1e-6)
            for i in range(0, b.sizes["point"], 10):
                np.testing.assert_allclose([b["x"][i], b["v"][i]], orbit.state(float(b["a"][i])), rtol=0, atol=1e-9)
        with self.branch("two.h5", command=("continue", "--restart", f"b.h5:{label}", "--switch", "--in", "a", "--from", "1.3", "--to", "2.5", "--points", "12")) as two:
            flights = two["duration"].values[:, 1]
            self.assertGreater(abs(flights - np.pi / w).max(), 0.05)  # from wall to wall it is not half a period
            self.assertGreater(float(two["a"].min()), at - 1e-6)  # on both sides of the pitchfork, which opens upwards
            self.assertLess((flights - np.pi / w).min() * (flights - np.pi / w).max(), 0)
            self.assertTrue(two["stable"][-1] and two["stable"][0])

    def test_a_limit_of_time(self):
        """Numbers of runs that were cut short are missing, not wrong."""
        along = ("continue", "--model", OSCILLATOR, "--in", "w", "-o", "late.h5", "-f", "--seconds")
        self.refused(*along, 1e-9, says=("no orbit at the start: the time is spent (--seconds)",))
        seconds = 0.02
        while (done := self.saltus(*along, seconds)).returncode:
            self.assertIn("no orbit at the start: the time is spent (--seconds)", done.stderr)
            seconds *= 1.2
        with xarray.open_dataset(self.folder / "late.h5") as b:
            there = np.isfinite(b["open_impact"])
            self.assertTrue(there[:-1].all() or "the time is spent" in done.stdout)
            np.testing.assert_allclose(b["open_impact"][there], b["period"][there], rtol=1e-12)

    def test_nothing_is_overwritten(self):
        self.branch("b.h5").close()
        self.refused(*NEAR, "-o", "b.h5", code=3, says=("b.h5",))
        with h5py.File(self.folder / "b.h5") as file:
            self.assertIn("point", file)

    def test_bad_input_is_refused_in_words(self):
        for more, says in REFUSED:
            with self.subTest(" ".join(more)):
                self.refused(*BRANCH, "-o", "b.h5", *more, says=says)
        self.refused("continue", *LEG, says=("--in NAME is required",))
        self.refused("continue", "--restart", "nix.h5:1", "--in", "dG", "-o", "b.h5", code=4, says=("nix.h5",))
        self.refused("continue", "--restart", "nix.h5", "--in", "dG", "-o", "b.h5", says=("FILE:LABEL",))
        self.refused("continue", "--model", "decay", "--in", "lambda", "-o", "b.h5", says=("no section",))

    def test_labels_of_other_types_are_refused(self):
        self.branch("b.h5").close()
        again = ("continue", "--restart", "b.h5:1", "--in", "dG", "-o", "c.h5")
        self.refused(*again, "--switch", says=("label 1 is of type UZ", "PD, BP or GR"))
        self.refused(*again, "--curve", "gr", "--and", "dF", says=("label 1 is of type UZ", "GR"))
        self.refused(*again, "--curve", "lp", "--and", "dF", says=("label 1 is of type UZ", "LP"))
        self.refused(*again, "--model", "monopod", says=("b.h5 is a branch of hopping-leg",))
        self.refused("continue", "--restart", "b.h5:99", "--in", "dG", "-o", "c.h5", says=("no label 99",))


if __name__ == "__main__":
    cli.main()
