"""Real systems on the command line: quantities with units in, metres and seconds out."""
import csv
import json
import pathlib

import h5py
import numpy as np

import cli

ROBOT = "m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,kg=2e5N/m^1.5,bg=1e5N*s/m^2.5"
SECOND = 2 * np.pi * np.sqrt(0.5 * 10 / (10.5 * 5000))  # Dallas et al., eq. (13)
LEG = "m=12kg,mu=0.8,k=6kN/m,dF=25N*s/m,dG=-12N*s/m,L0=60cm"
SWEEP = """\
model: hopping-leg
t_end: 2
cells: {axes: [{columns: [mu, dF], sobol: [[0.7, 0.9], [50, 200]], points: 24}]}
solvers: [ode45]
strategies: [event]
rtol: [1e-3, 1e-5, 1e-7]
"""


class Runs(cli.InFolder):
    def rows(self, *args):
        self.works("trajectory", *args, "-o", "t.csv", "-f")
        with open(self.folder / "t.csv", encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def last(self, *args):
        return np.array(self.rows(*args)[-1][:-1], float)

    def test_a_trajectory_is_in_metres_and_seconds(self):
        head, first, *_, end = self.rows("--physical", ROBOT, "--initial", "y1=20cm,y2=0.6m", "--t-end", "1.5s", "--dt", "50ms")
        self.assertEqual(head, ["t [s]", "y1 [m]", "v1 [m/s]", "y2 [m]", "v2 [m/s]", "mode", "event"])
        self.assertEqual([float(x) for x in first[:5]], [0, 0.2, 0, 0.6, 0])
        self.assertAlmostEqual(float(end[0]), 1.5)
        own = self.last("--param", f"b={SECOND * 1e5 * 0.4 ** 1.5 / 0.5!r},m1={4 * np.pi ** 2 * 0.5 / 10.5!r},k={2e5 * 0.4 ** 0.5 / 5000!r},"
                        f"f={4 * np.pi ** 2 * 5 / 10.5 * 9.81 / 2000!r}", "--t-end", repr(1.5 / SECOND), "--dt", repr(0.05 / SECOND))
        np.testing.assert_allclose(np.array(end[:5], float), own[:5] * [SECOND, 0.4, 0.4 / SECOND, 0.4, 0.4 / SECOND], rtol=1e-6)
        self.assertGreater(abs(float(end[1]) - own[1]), 1e-3)  # and not as it was

    def test_a_model_in_metres_comes_back_from_natural_units(self):
        start = ("--initial", "zU=70cm,zL=5cm", "--t-end", "1.2s", "--dt", "100ms", "--rtol", "1e-10", "--model", "hopping-leg")
        real = self.last(*start, "--physical", LEG)
        own = self.last(*start, "--param", LEG)
        np.testing.assert_allclose(real, own, rtol=1e-7, atol=1e-9)
        self.works("trajectory", *start, "--physical", LEG, "-o", "t.h5")
        with h5py.File(self.folder / "t.h5") as file:
            self.assertAlmostEqual(file["m"][()], 12)
            self.assertAlmostEqual(file.attrs["t_end"], 1.2)
            np.testing.assert_allclose(file["zU"][-1], own[1], rtol=1e-7)

    def test_an_orbit_is_that_of_the_model_in_metres(self):
        asked = ("orbit", "--model", "hopping-leg", "--guess", "zU=1.02m,vU=1.7", "--json")
        own, real = json.loads(self.works(*asked)), json.loads(self.works(*asked, "--physical", "g=9.81m/s^2"))
        self.assertNotAlmostEqual(real["second"], 1)
        for name in ("period", "start", "most"):
            np.testing.assert_allclose(*(list(o[name].values()) if isinstance(o[name], dict) else o[name] for o in (real, own)), rtol=1e-9)
        np.testing.assert_allclose(real["monodromy"]["rows"], own["monodromy"]["rows"], rtol=1e-6, atol=1e-8)

    def test_a_fall_is_told_although_states_are_scaled(self):
        told = self.saltus("trajectory", "--model", "slip", "--physical", "m=80kg,k=20kN/m", "--param", "alpha=40", "--t-end", "20s", "-o", "f.csv").stderr
        self.assertIn("fall (contact 2)", told)

    def test_texts_are_scaled_as_the_models_they_are(self):
        models = pathlib.Path(__file__).resolve().parents[2] / "sweeps" / "models"
        for own, name, quantities, more in (
                ("slip", "slip-equations", "m=80kg,k=20kN/m,l0=90cm", ("--initial", "vx=4.5m/s,foot=10cm", "--t-end", "1.5s")),
                ("monopod", "monopod-equations", "m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,ground=rubber,radius=1cm", ("--t-end", "1s"))):
            with self.subTest(model=own):
                a, b = (self.rows("--model", model, "--physical", quantities, *more, "--dt", "0.1s") for model in (own, str(models / f"{name}.yaml")))
                self.assertEqual(a, b)
                self.assertIn({"slip": "foot [m]", "monopod": "y1 [m]"}[own], a[0])

    def test_grounds_are_listed_with_their_sources(self):
        grounds = {g["name"]: g for g in json.loads(self.works("list", "grounds", "--json"))["grounds"]}
        self.assertGreaterEqual(set(grounds), {"concrete", "wood", "rubber"})
        self.assertIn("EN 1992-1-1", grounds["concrete"]["young_source"])
        self.assertIn("measured", self.works("list", "rubber"))
        self.refused("list", "grounds", "concret", says=("concret", "did you mean 'concrete'?"))
        self.refused("trajectory", "--physical", "ground=rubbr", "-o", "x.csv", says=("unknown ground 'rubbr'", "did you mean 'rubber'?"))

    def test_units_that_cannot_be_are_refused(self):
        for args, says in {(("--t-end", "5s"), "with --physical it may have one"),
                           (("--dt", "1ms"), "a time has no unit"),
                           (("--model", "affine3", "--t-end", "5s"), "affine3 has no scale"),
                           (("--model", "plate", "--t-end", "5kg"), "one of the units ns, us, ms, s, min, h"),
                           (("--model", "plate", "--t-end", "-5s"), "greater than 0"),
                           (("--model", "plate", "--param", "K=2kg"), "a number, in N/m"),
                           (("--physical", "m1=0.5"), "has no unit")}:
            with self.subTest(args=args):
                self.refused("trajectory", *args, "-o", "x.csv", says=(says,))


class Answers(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "cube.h5")

    def ask(self, *args):
        return json.loads(self.works("recommend", "cube.h5", *args, "--json"))

    def test_a_similar_system_is_one_of_the_cube(self):
        """An eighth of the masses and forces, the same lengths and times: the same motion."""
        own = self.ask("--at", "mu=0.8,dF=120", "--error", "1mm")
        real = self.ask("--physical", "m=9.375kg,k=1875N/m,mu=0.8,dF=15N*s/m,dG=-10N*s/m", "--error", "1mm")
        self.assertEqual([own["answer"][k] for k in ("solver", "strategy")], [real["answer"][k] for k in ("solver", "strategy")])
        for name in ("rtol", "error", "work", "probability"):
            np.testing.assert_allclose(own["answer"][name], real["answer"][name], rtol=1e-9)
        np.testing.assert_allclose([real["second"], real["metre"], real["kilogram"]], [1, 1, 0.125])
        np.testing.assert_allclose(real["at"]["dF"], 120)
        self.assertIn("an error of", self.works("recommend", "cube.h5", "--physical", LEG.replace("60cm", "1m").replace("12kg,", "75kg,")
                      .replace("6kN", "15kN").replace("25N", "120N").replace("-12N", "-80N"), "--error", "1mm"))

    def test_another_system_is_refused(self):
        self.refused("recommend", "cube.h5", "--physical", LEG, "--error", "1mm", says=("is another system",))
        self.refused("recommend", "cube.h5", "--physical", "m=12kg,k=6kN/m", "--error", "1mm", says=("mu", "is missing"))

    def test_advice_for_a_real_hopper_is_in_metres(self):
        args = ("advise", "monopod", "--physical", ROBOT, "--error", "1mm", "--t-end", "0.3s", "--cells", 60, "-q")
        text = self.works(*args, "--keep", "kept.yaml")
        self.assertIn("of y1 of 0.001 m, over [0, 0.3] s", text)
        self.assertIn("1 of length 0.4 m", text)
        kept = (self.folder / "kept.yaml").read_text()
        self.assertIn(f"t_end: {0.3 / SECOND:.10g}"[:14], kept)
        self.refused("advise", "monopod", "--error", "1mm", says=("with --physical it may have one",))


if __name__ == "__main__":
    cli.main()
