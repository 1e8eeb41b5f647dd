#!/usr/bin/python3
"""test_motion.py ANALYSIS_DIR, the program in the environment variable SALTUS_BESIDE: what is in the page and in the picture of a motion, beside the files that
they were made from, read by h5py, and the models' kinematics, written down here once more."""

import io
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import yaml

ANALYSIS = os.path.abspath(sys.argv.pop(1))
MODELS = os.path.join(ANALYSIS, "..", "sweeps", "models")
sys.path.insert(0, ANALYSIS)

import trajectory as trajectories  # noqa: E402 (the folder is known only now)
import cube as cubes  # noqa: E402
import drawing  # noqa: E402
import drawing_bodies  # noqa: E402
import motion  # noqa: E402
import made_up  # noqa: E402
from embedded import Page  # noqa: E402

SALTUS = os.environ.get("SALTUS_BESIDE")
SVG = "{http://www.w3.org/2000/svg}"
BAD = '</title><script>alert("x")</script>'


HOSTILE = f"""equations: 1
name: hostile
title: '{BAD}'
span: 2
parameters: {{g: {{what: '{BAD}', preset: 9.81}}}}
states: {{y: {{what: '<b>"y"</b>', preset: 1}}, v: {{what: "'v'", preset: 0, rate_of: y}}}}
contacts: {{floor: {{names: [hit, rise], gap: y, closes: {{y: 0, v: -0.5 * v}}}}}}
flow: {{y: v, v: -g}}
"""


class Moving(unittest.TestCase):
    """Files of the program, made once each."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    @classmethod
    def file(cls, command, model, *words):
        name = "-".join([command, os.path.basename(model), *words]).replace("/", "_") + ".h5"
        path = os.path.join(cls.folder, name)
        if not os.path.exists(path):
            done = subprocess.run([SALTUS, command, "--model", model, *words, "-o", path], capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, done.stderr
        return path

    def page(self, path, **how):
        return Page(motion.made(path, **how)), h5py.File(path)


class Pages(Moving):
    def test_a_toe_is_where_its_state_says_and_the_orbit_closes(self):
        path = self.file("orbit", "monopod", "--param", "zeta_F=0.02,zeta_G=-0.05")
        page, data = self.page(path)
        t, y1, y2 = (data[n][()] for n in ("t", "y1", "y2"))
        (toe,), (leg,), (body,) = page.shapes("toe"), page.shapes("leg"), page.shapes("body")
        for j in np.linspace(0, t.size - 1, 60).astype(int):
            np.testing.assert_allclose(page.at(page.points(toe), t[j]), [0, y1[j]], atol=2e-4)
            np.testing.assert_allclose(page.at(page.points(leg), t[j]), [0, y1[j], 0, y2[j]], atol=2e-4)
            corners = page.at(page.points(body), t[j]).reshape(4, 2)
            np.testing.assert_allclose(corners.mean(0), [0, y2[j]], atol=2e-4)
        for shape in page.meta["scene"]["shapes"]:
            points = page.points(shape)
            np.testing.assert_allclose(points[0], points[-1], atol=1e-6)
        self.assertGreater(np.ptp(page.points(toe)[:, 1]), 0.4)
        self.assertEqual((page.meta["period"], page.t[-1]), (data.attrs["period"], data.attrs["period"]))
        self.assertEqual(page.meta["events"]["t"], data["event_t"][()].tolist())
        said = subprocess.run([SALTUS, "orbit", "--model", "monopod", "--param", "zeta_F=0.02,zeta_G=-0.05", "--json"], capture_output=True, text=True, timeout=600).stdout
        np.testing.assert_allclose(page.meta["multipliers"], [[m["re"], m["im"]] for m in yaml.safe_load(said)["multipliers"]], rtol=1e-12)

    def test_a_toe_below_the_ground_is_closed(self):
        for strategy in ("event", "switch"):
            path = self.file("trajectory", "monopod", "--strategy", strategy, "--t-end", "20", "--dt", "0.01", "--rtol", "1e-9")
            page, data = self.page(path)
            t, y1 = data["t"][()], data["y1"][()]
            inside = np.any([(a <= t) & (t < b) for a, b in page.closed(0)], axis=0)
            edges = np.min([np.abs(t - e) for pair in page.closed(0) for e in pair], axis=0)
            clear = edges > 0.011  # of a strategy without events changes are seen at rows alone
            np.testing.assert_array_equal(inside[clear], y1[clear] < 0)
            self.assertGreater(inside.sum(), 100)
            self.assertEqual(len(page.meta["events"]["t"]), len(data["event_t"]))
            self.assertEqual(page.meta["contacts"][0]["name"], "touchdown")

    def test_springs_of_a_bed_are_as_high_as_the_plate_leaves_them(self):
        path = self.file("trajectory", "plate", "--param", "n=7", "--t-end", "1.5", "--dt", "0.01")
        page, data = self.page(path)
        x, z, th, t = (data[n][()] for n in ("x", "z", "th", "t"))
        pressed = 0
        for i in range(7):
            place = (i - 3) * 2 / 6
            gap = z - 1 + np.tan(th) * (place - x)
            (spring,) = page.shapes(f"spring {i}")
            self.assertEqual(spring["contact"], i)
            for j in range(0, t.size, 3):
                at = page.at(page.points(spring), t[j])
                near = min(abs(t[j] - e) for pair in page.closed(i) for e in pair) if page.closed(i) else 1
                if near > 1e-9:
                    np.testing.assert_allclose(at, [place, 0, place, 1 + min(gap[j], 0)], atol=1e-5)
                    self.assertEqual(any(a <= t[j] < b for a, b in page.closed(i)), gap[j] <= 0)
                pressed += gap[j] < 0
        self.assertGreater(pressed, 50)

    def test_feet_of_the_two_legged_hopper(self):
        path = self.file("trajectory", os.path.join(MODELS, "two-legged-hopper.yaml"), "--t-end", "2", "--dt", "0.01")
        page, data = self.page(path)
        z, ph, q1, q2, t = (data[n][()] for n in ("z", "ph", "q1", "q2", "t"))
        for side, length, name in ((1, q1, "first foot"), (-1, q2, "second foot")):
            (foot,) = page.shapes(name)
            for j in range(0, t.size, 7):
                want = [side * 0.3 * np.cos(ph[j]), z[j] + side * 0.3 * np.sin(ph[j]) - length[j]]
                np.testing.assert_allclose(page.at(page.points(foot), t[j]), want, atol=1e-5)
            stands = [abs(page.at(page.points(foot), (a + b) / 2)[1]) for a, b in page.closed(foot["contact"])]
            self.assertGreater(len(stands), 1)
            self.assertLess(max(stands), 1e-5)

    def test_wheels_of_the_vehicle(self):
        model = os.path.join(MODELS, "vehicle.yaml")
        path = self.file("trajectory", model, "--solver", "rosnys4", "--rtol", "1e-4", "--dt", "0.02")
        page, data = self.page(path)
        with open(model, encoding="utf-8") as file:
            tires = {t["name"]: t for t in yaml.safe_load(file)["tires"]}
        names = [b"".join(row).decode().rstrip("\0") for row in data["body_coordinate"][()]]
        q, t = data["body_position"][()], data["t"][()]
        for name, tire in tires.items():
            x, y, z, e0, e1, e2, e3 = (q[:, names.index(f"{tire['body']}_{c}")] for c in ("x", "y", "z", "e0", "e1", "e2", "e3"))
            p = np.array(tire["P"])
            turn = np.array([[e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                             [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
                             [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2]])
            cx, cy, cz = np.stack([x, y, z]) + np.einsum("ijk,j->ik", turn, p)
            (hub,) = page.shapes(name, "disc")
            want = np.stack([cx + 0.42 * cy, cz + 0.27 * cy], axis=1)
            for j in range(0, t.size, 10):
                np.testing.assert_allclose(page.at(page.points(hub), t[j]), want[j], atol=1e-4)
            self.assertGreater(np.ptp(cz), 0.02)  # the bump
        self.assertGreater(np.ptp(page.column(page.meta["scene"]["camera"])), 15)
        self.assertEqual({c["number"] for c in page.meta["contacts"]}, {0, 1, 2, 3})

    def test_a_pole_that_hits_a_wall(self):
        path = self.file("trajectory", os.path.join(MODELS, "cart-pole.yaml"), "--dt", "0.01")
        page, data = self.page(path)
        x, th, t = (data[n][()] for n in ("cart_x", "pole_theta", "t"))
        rod = next(s for s in page.shapes("pole") if s["kind"] == "line")
        for j in range(0, t.size, 11):
            ends = page.at(page.points(rod), t[j]).reshape(2, 2)
            want = [[x[j], 0], [x[j] - np.sin(th[j]), np.cos(th[j])]]
            np.testing.assert_allclose(min(ends, ends[::-1], key=lambda e: abs(e - want).max()), want, atol=2e-3)
        tip = page.meta["scene"]["marks"]["0"]
        for when in page.meta["events"]["t"][:5]:
            self.assertAlmostEqual(page.at(page.column(tip)[:, None], when)[0], 0.4, delta=1e-5)

    def test_a_model_without_a_drawing_has_its_states_over_time(self):
        path = self.file("trajectory", "stick-slip", "--dt", "0.02")
        page, data = self.page(path)
        self.assertIsNone(page.meta["scene"])
        chart = next(c for c in page.meta["charts"] if c["name"] == "x")
        np.testing.assert_allclose(page.at(page.column(chart["column"])[:, None], data["t"][100])[0], data["x"][100], atol=1e-4)
        with self.assertRaisesRegex(cubes.NotOurs, "no drawing of the model stick-slip"):
            motion.made(path, svg=True)

    def test_names_and_texts_are_texts(self):
        path = os.path.join(self.folder, "hostile.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HOSTILE)
        made = self.file("trajectory", path, "--dt", "0.01", "--t-end", "1")
        page = Page(motion.made(made))
        self.assertNotIn("<script>alert", page.text)
        self.assertNotIn("<img", page.text)
        self.assertEqual([s.get("id") for s in page.scripts], ["meta", "times", "numbers", None])
        self.assertIn("&lt;script&gt;alert", page.text)
        with h5py.File(made, "a") as file:
            file.attrs["model"] = "bouncing-ball"  # so that it has a drawing
        picture = motion.made(made, svg=True)
        self.assertNotIn("<script", picture)
        self.assertIn('<script>alert("x")</script>', ElementTree.fromstring(picture).find("{*}title").text)


class Pictures(Moving):
    def values(self, element, attribute):
        found = [a for a in element.findall("{*}animate") if a.get("attributeName") == attribute]
        return [v for a in found for v in a.get("values").split(";")], [float(v) for a in found for v in a.get("keyTimes").split(";")]

    def test_it_is_well_formed_and_moves_as_the_page_does(self):
        path = self.file("orbit", "hopping-leg", "--guess", "zU=1.02,vU=1.7")
        text = motion.made(path, svg=True, speed=0.1)
        root, page = ElementTree.fromstring(text), Page(motion.made(path))
        self.assertEqual(root.tag, SVG + "svg")
        self.assertFalse([e.tag for e in root.iter() if e.tag.endswith(("}script", "}foreignObject"))])
        self.assertIn("prefers-reduced-motion", root.find("{*}style").text)
        moving = [e for e in root.iter() if e.tag.endswith(("}animate", "}animateTransform"))]
        for one in moving:
            times = [float(v) for v in one.get("keyTimes").split(";")]
            self.assertEqual(len(times), len(one.get("values").split(";")))
            self.assertEqual((times[0], times == sorted(times)), (0, True))
            self.assertEqual(one.get("repeatCount"), "indefinite")
            self.assertAlmostEqual(float(one.get("dur")[:-1]), page.meta["period"] / 0.1, delta=1e-2)
        group = next(g for g in root.iter(SVG + "g") if g.get("class") == "moving")
        foot = next(c for c in group.iter(SVG + "circle") if c.find("{*}title") is not None and c.find("{*}title").text == "foot")
        heights, times = self.values(foot, "cy")
        (shape,) = page.shapes("foot")
        for share, high in list(zip(times, heights))[::50]:
            self.assertAlmostEqual(-float(high), page.at(page.points(shape), share * page.meta["period"])[1], delta=1e-3)
        self.assertEqual(heights[0], heights[-1])
        shown, when = self.values(foot, "class")
        self.assertEqual(shown[:2], ["foot", "foot closed"])
        np.testing.assert_allclose(when[1:2], np.array(page.meta["events"]["t"][:1]) / page.meta["period"], atol=1e-4)
        self.assertLess(len(text), 1e6)
        self.assertEqual(root.find("{*}text").text, "0.1 of real time")
        self.assertTrue([c for c in group.iter(SVG + "circle") if c.get("class") == "ring"])

    def test_large_files_are_thinned_and_say_so(self):
        path = self.file("trajectory", "plate", "--param", "n=14", "--t-end", "0.9", "--dt", "0.02")
        self.assertIn("The first 12 of 14 contacts that close are on the axis of time", motion.made(path))
        path = self.file("trajectory", os.path.join(MODELS, "cart-pole.yaml"), "--dt", "0.01")
        for svg, share in ((False, 0.95), (True, 0.5)):
            whole = motion.made(path, svg=svg)
            most = share * len(whole)
            with unittest.mock.patch.object(motion, "MOST_BYTES", most):
                text = motion.made(path, svg=svg)
            self.assertNotIn("Drawn are", whole)
            self.assertLess(len(text), most)
            kept, every = map(int, re.search(r"Drawn are (\d+) of (\d+) samples", text).groups())
            self.assertEqual(every, trajectories.read(path).t.size)
            self.assertEqual(kept, max(part.split('"')[0].count(";") for part in text.split('keyTimes="')[1:]) + 1 if svg else Page(text).t.size)


class Files(Moving):
    """Without the program."""

    def fall(self, name="fall.h5", **attrs):
        path = os.path.join(self.folder, name)
        t = np.linspace(0, 2, 21)
        made_up.write_trajectory(path, t, {"y": 1 - t / 2, "v": 0 * t - 0.5}, [0] * 10 + [1] * 11, [(1.03, "hit", {"y": 0.4, "v": -0.5})])
        with h5py.File(path, "a") as file:
            file.attrs.update({"content": "saltus trajectory", "model": "bouncing-ball", "title": "fall", **attrs})
        return path

    def test_a_file_without_contacts_has_the_mode_of_one(self):
        page = Page(motion.made(self.fall()))
        np.testing.assert_allclose(page.closed(0), [(1.0, 2.0)])
        self.assertEqual(page.meta["events"], {"t": [1.03], "name": ["hit"], "contact": [0], "closes": [True]})
        self.assertIn(1.03, page.t)

    def test_a_run_that_failed_ends_where_it_did(self):
        path = self.fall("failed.h5")
        with h5py.File(path, "a") as file:
            file["y"][15:] = np.nan
        page = Page(motion.made(path))
        self.assertAlmostEqual(page.t[-1], 1.4)
        self.assertIn("The run ended early", page.text)
        stuck = self.fall("stuck.h5", outcome="stuck", t_reached=1.9, ending="contact 0 (hit) changed 9 times")
        says = "stuck at t = 1.9: contact 0 (hit) changed 9 times"
        page = Page(motion.made(stuck))
        self.assertIn(f"that failed ({says})", page.text)
        self.assertIn(f"The run failed: {says}", page.text)
        picture = motion.made(stuck, svg=True)
        self.assertIn("failed: stuck at t = 1.9", picture)

    def test_what_cannot_be_used_is_refused_in_one_line(self):
        cube = os.path.join(self.folder, "cube.h5")
        made_up.write_cube(cube)
        fall = self.fall()
        for words, says in (((cube, "-o", "x.html"), "no trajectory of saltus"), ((fall, "-o", "x.png"), "must end with .html or .svg"),
                            ((fall, "-o", "x.svg", "--speed", "0"), "greater than 0"), ((fall, "-o", "x.svg", "--samples", "2"), "8 or more")):
            with self.assertRaisesRegex(cubes.NotOurs, says):
                motion.work(motion.arguments(words))
        done = subprocess.run(["/usr/bin/python3", "-B", os.path.join(ANALYSIS, "motion.py"), "nix.h5", "-o", "x.html"], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (2, "motion.py: nix.h5: no such file\n"))

    def test_the_script_writes_both(self):
        for name in ("a/fall.html", "fall.svg"):
            out = os.path.join(self.folder, name)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                motion.work(motion.arguments([self.fall(), "-o", out]))
            self.assertEqual(said.getvalue().strip(), out)
            self.assertGreater(os.path.getsize(out), 1000)

    def test_a_text_of_bodies_that_is_none_is_refused(self):
        path = self.fall("bodies.h5", model_text="a: [")
        with h5py.File(path, "a") as file:
            made_up.coordinate(file, "body_coordinate", np.array(["b_x"], dtype=h5py.string_dtype()))
            made_up.dataset(file, "body_position", np.zeros((21, 1)), ("t", "body_coordinate"))
            made_up.dataset(file, "event_body_position", np.zeros((1, 1)), ("event_t", "body_coordinate"))
        with self.assertRaisesRegex(cubes.NotOurs, "is not valid YAML"):
            motion.made(path)
        for text in ("a: 1", "bodies: 3", "bodies: [{name: c}]", "[1, 2]", "bodies: [{name: b, kind: particle}]\nsprings: [{bodies: [b, 7, 8]}]", "bodies: [{name: b, kind: odd}]"):
            with h5py.File(path, "a") as file:
                file.attrs["model_text"] = text
            with self.assertRaisesRegex(cubes.NotOurs, "do not go together"):
                motion.made(path)

    def test_contacts_of_bodies_are_numbered_as_the_program_does(self):
        text = {"contacts": [{"law": 1, "friction": 1, "name": "b"}, {"name": "a"}, {"law": 1, "name": "c"}], "springs": [{"name": "-"}, {"only": "push", "name": "d"}], "tires": [{"name": "e"}]}
        numbers = drawing_bodies.contact_numbers(text)
        found = {e["name"]: numbers.get(id(e)) for entries in text.values() for e in entries}
        self.assertEqual(found, {"a": 0, "b": 1, "c": 3, "-": None, "d": 4, "e": 5})

    def test_pairs_of_positions_and_velocities(self):
        self.assertEqual(trajectories.pairs(["zU", "vU", "x", "vx", "w", "b_y", "b_vy"]), [("zU", "vU"), ("x", "vx"), ("b_y", "b_vy")])

    def test_an_entry_that_asks_for_what_there_is_not_leaves_the_rest(self):
        trajectory = trajectories.read(self.fall("other.h5", model="plate"))
        self.assertIsNone(motion.drawn(trajectory))
        self.assertIn("has no n", " ".join(trajectory.notes))
        with self.assertRaises(AttributeError):
            drawing.Quantities(trajectory).nothing


if __name__ == "__main__":
    unittest.main(verbosity=2)
