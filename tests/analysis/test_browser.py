#!/usr/bin/python3
"""test_browser.py ANALYSIS_DIR, the program in the environment variable SALTUS_BESIDE: does a report answer in Chromium as the surrogate does, at any width, in both
themes, by keyboard, and without a word on its console?"""

import json
import math
import os
import random
import subprocess
import sys
import unittest

import h5py
import matplotlib.image
import numpy as np
import yaml

import chromium
import made_up
import made_up_map
from in_browser import POINTS, READY, InBrowser, near

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import page_data  # noqa: E402
from surrogate import open_surrogate  # noqa: E402
from cube import open_group  # noqa: E402
from motion_in_browser import Branch, Motion  # noqa: E402
from page_beside import Program  # noqa: E402

WIDTHS = (1280, 768, 390)
FINE = "document.documentElement.dataset.fine"
USE = "document.getElementById('use').textContent"
RIGHT, END, HOME, TAB = ("ArrowRight", 39), ("End", 35), ("Home", 36), ("Tab", 9)


class Page(InBrowser):
    """A cube with two coordinates, an option, failed runs and bad references."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cube = os.path.join(cls.temporary.name, "cube.h5")
        axes = {"b": np.geomspace(1, 300, 8), "w": (0, 1), "k": np.linspace(2, 9, 7)}
        made_up_map.write(cls.cube, axes, lambda c, at: ("ode45", "event", 0.1), noise=True)
        with h5py.File(cls.cube, "a") as file:
            for name in ("w", "axes/w"):
                file[name].attrs["flag_meanings"] = "soft hard"
            cells = [{"name": "b", "log": [1, 300], "points": 8}, {"name": "w", "list": ["soft", "hard"]}, {"name": "k", "linear": [2, 9], "points": 7}]
            file.attrs["sweep"] = yaml.safe_dump({"cells": {"axes": cells}})
            made_up_map.put_reader(file, 2)
            made_up.dataset(file, "captured_difference", np.where(np.arange(112) < 42, 0.1, np.nan), ("cell",), units="1")
            file["reference_outcome"][:42] = 1  # where b is small
            file.attrs.update(watched_state="y1", watched_unit="m")
        cls.page = cls.report("report.html")

    @classmethod
    def report(cls, name, *more):
        path = os.path.join(cls.temporary.name, name)
        command = [os.path.join(ANALYSIS, "report.py"), cls.cube, "-o", path, *more]
        subprocess.run(command, check=True, capture_output=True, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        return path

    def setUp(self):
        self.browser.said.clear()

    def open(self, width=1280, **show):
        self.browser.show(width, **show)
        self.browser.open(self.page, READY)
        self.run_ = self.browser.run
        self.run_("(() => { explorer.most = 900; explorer.shown = { key: '' }; explorer.draw(); })()")  # fewer points are enough to be tested

    def ask(self, z, sample, error):
        asked = f"explorer.surrogate.ask({json.dumps(list(z))}, {sample}, {error!r})"
        return self.browser.run(f"(() => {{ const a = {asked}; return {{best: a.best, reason: a.reason}}; }})()")

    def test_an_error_would_be_seen(self):
        bad = os.path.join(self.temporary.name, "bad.html")
        with open(bad, "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><title>bad</title><script>console.error('planted'); nothing()</script>")
        self.browser.show(800)
        self.browser.open(bad, "document.title === 'bad'")
        said = " ".join(self.browser.said)
        self.assertIn("planted", said)
        self.assertIn("nothing is not defined", said)

    def test_any_width_in_both_themes(self):
        for width in WIDTHS:
            for dark in (False, True):
                self.open(width, dark=dark)
                self.browser.wait(FINE)
                self.assertEqual(self.browser.said, [])
                self.assertEqual(self.run_("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.run_("[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, pre, .hidden, svg')).length"), 0)
                self.assertEqual(self.run_("[...document.querySelectorAll('.axis label *')].filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== 'visible').length"), 0)
                self.assertEqual(self.run_("document.documentElement.dataset.theme"), "dark" if dark else "light")
                self.assertLess(self.run_("document.getElementById('answer').getBoundingClientRect().top"), 140)
                shot = os.path.join(self.temporary.name, "shot.png")
                self.browser.picture(shot)
                pixels = matplotlib.image.imread(shot)[..., :3].mean(-1)
                paper = np.median(pixels)
                self.assertTrue(paper < 0.2 if dark else paper > 0.9)
                self.assertGreater((abs(pixels - paper) > 0.5).mean(), 0.005)  # words
        self.run_("document.getElementById('theme').click()")
        self.assertEqual(self.run_("document.documentElement.dataset.theme"), "light")

    def test_answers_are_those_of_a_second_reader(self):
        """At random points, for words, with failed runs; the map's winner is that of the answer."""
        of_map = open_group(self.cube, "map")
        runs = page_data.open_runs(self.cube, of_map)
        plain = open_surrogate(runs, of_map)
        self.open()
        draw, nobody, confidences = random.Random(5), set(), []
        for _ in range(POINTS):
            z, sample, error = (draw.random(), draw.random()), draw.randrange(2), 10 ** draw.uniform(-7, -1)
            (got, reason), want = self.ask(z, sample, error).values(), plain.ask(z, sample, error)
            winner = self.run_(f"explorer.surrogate.winner({json.dumps(z)}, {sample}, {error!r}, explorer.allowed)")
            if isinstance(want, str):
                nobody.add((z, want))
                self.assertEqual((got, winner["pair"], reason, winner["reason"]), (None, -1, want, want))
                continue
            self.assertEqual((got["pair"], winner["pair"]), (want["pair"], want["pair"]))
            for key in ("rtol", "probability", "error", "work", "total"):
                self.assertTrue(near(got[key], want[key]), (key, got, want))
            self.assertEqual(winner["total"], got["total"])
            found = self.run_(f"(() => {{ const a = explorer.surrogate.ask({json.dumps(z)}, {sample}, {error!r}); return a.pairs[1] ? confidenceOf(explorer.surrogate, a.planes, Math.log({error!r}), a.best, a.pairs[1]) : null; }})()")
            self.assertEqual(found is None, bool(np.isnan(want["confidence"])))
            if found is not None:
                self.assertTrue(near(found, want["confidence"]), (found, want))
                confidences.append(found)
        self.assertGreater(len({round(found, 6) for found in confidences}), 3)
        self.assertLess(len(nobody), 0.7 * POINTS)
        self.assertIn("captured", {want for _, want in nobody})

    def test_lines_to_paste_name_what_writes_programs(self):
        self.open()
        lines = "linesToPaste({strategy: %r, solver: %r, rtol: 1e-4}, {end: 50, question: '--at b=1', point: '--at b=1', cube: 'c.h5', written: %s})"
        found = self.run_(lines % ("event", "ode45", "true"))
        for name, program in (("SciPy", "scipy"), ("Octave", "octave"), ("C", "saltus")):
            self.assertIn(f"saltus export, which this names:\n#   saltus recommend c.h5 --at b=1 --solvers ode45 --strategies event --in {program}", found[name])
        self.assertNotIn("saltus export", found["MATLAB"] + found["Julia"])
        self.assertNotIn("C", self.run_(lines % ("event", "radau5", "true")))  # explicit pairs alone
        for strategy, written in (("ess2", "true"), ("event", "false")):
            self.assertFalse(any("saltus export" in text for text in self.run_(lines % (strategy, "ode45", written)).values()))

    def test_sliders_by_keyboard(self):
        self.open()
        turn = self.run_("document.documentElement.dataset.drawn")
        self.run_("document.getElementById('error-range').focus()")
        ring = "getComputedStyle(document.activeElement).outlineStyle"
        self.browser.key(*HOME)
        self.assertEqual(self.run_(ring), "solid")
        self.assertEqual(self.run_("explorer.asked"), 1e-6)
        self.assertGreater(int(self.run_("document.documentElement.dataset.drawn")), int(turn))
        tight = self.run_(USE)
        self.browser.key(*END)
        self.assertEqual(self.run_("explorer.asked"), 0.1)
        self.assertNotEqual(self.run_(USE), tight)
        self.run_("document.getElementById('a0-range').focus()")
        before = self.run_("explorer.value[0]")
        for _ in range(40):
            self.browser.key(*RIGHT)
        self.assertGreater(self.run_("explorer.value[0]"), before)
        self.assertEqual(self.run_("document.getElementById('a0').value"), self.run_("digits(explorer.value[0], 4)"))
        self.browser.key(*TAB)
        self.assertEqual(self.run_("document.activeElement.id"), "a1")
        self.browser.wait("document.getElementById('said').textContent.startsWith(document.getElementById('use').textContent)")
        self.assertEqual(self.browser.said, [])

    def test_what_is_shown_is_what_was_answered(self):
        self.open()
        self.type("a1", "4.5")
        self.type("error", "3e-3")
        self.assertEqual(self.run_("[explorer.value[1], explorer.asked]"), [4.5, 3e-3])
        z = self.run_("explorer.places()")
        self.assertTrue(near(z[1], (4.5 - 2) / 7))
        best = self.ask(z, 0, 3e-3)["best"]
        strategy, solver = self.run_(f"explorer.meta.pairs[{best['pair']}]")
        self.assertEqual(self.run_(USE), f"{solver} with {strategy} at rtol {self.run_('digits(%r, 2)' % best['rtol'])}")
        self.assertIn("k=4.5", self.run_("document.getElementById('code').textContent"))
        chosen = self.run_("document.querySelector('#precision-table tbody tr').textContent")
        self.assertTrue(chosen.startswith(solver + strategy), chosen)
        self.assertEqual(self.run_("document.querySelectorAll('#precision polygon.band').length"), 1)
        for share in (0.5, 0.8):  # of the errors between the edges of the band
            inside = self.run_(f"""(() => {{ const r = explorer.surrogate, p = explorer.found.planes, c = {best['pair']} * r.nTolerance, ln = Math.log(explorer.asked);
                const at = (e) => below(r.shape, (Math.log(e) - p.mu[c]) / (r.widthOf(ln) * p.scatter[c])), [lo, hi] = r.band(p, c, ln, {share}); return [at(lo), at(hi)]; }})()""")
            np.testing.assert_allclose(inside, [(1 - share) / 2, (1 + share) / 2], rtol=1e-9)
        self.assertIn("Confidence", self.run_("document.getElementById('choices').textContent"))
        shares = self.run_("[...document.querySelectorAll('#map-legend li')].map(e => e.textContent).join()")
        self.assertRegex(shares, rf"{solver} \d+ %")
        self.assertIn(strategy, shares)
        self.type("a1", "12")
        self.assertIn("k = 12 is outside", self.run_("document.getElementById('warnings').textContent"))
        self.assertEqual(self.run_("explorer.places()[1]"), 1)

    def test_the_error_may_be_an_axis(self):
        """A click in the map moves the point; what is answered there is what the map shows."""
        self.open()
        self.run_("(() => { const s = document.getElementById('map-1'); s.value = '2'; s.dispatchEvent(new Event('change')); })()")
        self.browser.wait("explorer.shown.whole && explorer.shown.axes[1] === 2")
        for across, up in ((0.3, 0.2), (0.7, 0.8)):
            self.run_(f"""(() => {{
                const box = document.getElementById('map').getBoundingClientRect(), w = box.width, h = box.height;
                const at = {{ clientX: box.left + 58 + {across} * (w - 68), clientY: box.top + h - 40 - {up} * (h - 48) }};
                document.getElementById('map').dispatchEvent(new MouseEvent('click', at)); }})()""")
            z = self.run_("explorer.mapPlaces()")
            self.assertAlmostEqual(z[self.run_("explorer.axes[0]")], across, delta=0.02)
            self.assertAlmostEqual(z[2], up, delta=0.02)
        place = "explorer.shown.cells[Math.floor(0.8 * n) * n + Math.floor(0.7 * n)]"
        self.run_("(() => { explorer.axes = [0, 2]; explorer.draw(); })()")
        self.browser.wait("explorer.shown.whole && explorer.shown.axes[0] === 0")
        drawn, known = self.run_(f"""(() => {{ const n = explorer.shown.n, cell = {place}, of = (k) => (Math.floor(k * n) + 0.5) / n;
            const won = explorer.surrogate.winner([of(0.7), explorer.places()[1]], 0, 1e-6 * 1e5 ** of(0.8), explorer.may, (p) => explorer.meta.pairs[p][1]);
            return [cell.kind, explorer.meta.pairs[won.pair][1]]; }})()""")
        self.assertEqual(drawn, known)

    def test_the_map_is_fine_where_it_changes(self):
        """A border along a circle: points of the finest grid beside it, and of the coarsest elsewhere; names stand inside."""
        self.open()
        found = self.run_("""(() => {
            const kind = (x, y) => (Math.hypot(x - 0.5, y - 0.5) < 0.3 ? 'in' : 'out'), where = [];
            const raster = new Raster((x, y) => { where.push([x, y]); return { kind: kind(x, y), margin: 0.2, confidence: x, strategy: 's' }; });
            while (!raster.done) raster.step();
            const wrong = raster.cells.filter((c, k) => c.kind !== kind((k % raster.n + 0.5) / raster.n, (Math.floor(k / raster.n) + 0.5) / raster.n));
            const name = nameAt(raster, 'in', [{ wide: 500, high: 4 }, { wide: 40, high: 8 }]), steps = borderSteps(raster);
            return { n: raster.n, wrong: wrong.length, asked: raster.asked, where, name, steps: [0.6, 0.78, 0.83, 0.97].map((x) => steps(100 * 200 + Math.round(200 * x))),
                few: (() => { const one = new Raster((x, y) => ({ kind: kind(x, y), margin: 0.2, confidence: 1 }), { most: 700 }); while (!one.done) one.step(); return [one.n, one.asked]; })() }; })()""")
        self.assertEqual((found["n"], found["wrong"], found["few"]), (200, 0, [25, 625]))
        self.assertLess(found["asked"], 5000)
        self.assertTrue(all(abs(math.hypot(x - 0.5, y - 0.5) - 0.3) < 0.1 for x, y in found["where"][625:]))
        self.assertEqual(found["name"]["box"]["wide"], 40)
        self.assertLess(math.hypot(found["name"]["x"] - 100, found["name"]["y"] - 100), 8)
        self.assertEqual(found["steps"], [0, 0, 1, 3])

    def type(self, box, text):
        self.run_(f"(() => {{ const b = document.getElementById('{box}'); b.value = '{text}'; b.dispatchEvent(new Event('change')); }})()")

    def test_both_reasons_for_no_answer(self):
        self.open()
        self.run_("explorer.surrogate.referenceError.fill(1e-11)")
        self.type("error", "1e-10")
        self.assertIn("no solver that was compared", self.run_("document.getElementById('calibration').textContent"))
        self.browser.wait("explorer.shown.whole")
        self.assertIn("references are good enough", self.run_("document.getElementById('map-legend').textContent"))
        self.run_("explorer.surrogate.referenceError.fill(Infinity); explorer.shown = {}")
        self.type("error", "2e-10")
        self.assertIn("cannot be determined", self.run_("document.getElementById('calibration').textContent"))
        self.assertEqual(self.run_(USE), "Not known here")
        self.browser.wait("explorer.shown.whole")
        self.assertIn("not known", self.run_("document.getElementById('map-legend').textContent"))

    def test_units_may_be_typed_and_nonsense_is_told(self):
        self.open()
        typed = lambda text, unit="N/m": self.run_(f"typedNumber({json.dumps(text)}, {json.dumps(unit)})")  # noqa: E731
        self.assertEqual([typed(t) for t in ("6", "6 N/m", "6 kN/m", "6kN/m", "2,5e2")], [6, 6, 6000, 6000, 250])
        self.assertEqual([typed("1mm", "m"), typed("3 m", "m"), typed("2 um", "m")], [1e-3, 3, 2e-6])
        self.assertTrue(self.run_("['6 kg', 'six', '', '6 k'].every(t => Number.isNaN(typedNumber(t, 'N/m')))"))
        before = self.run_("explorer.value[1]")
        self.type("a1", "6 kN/m")
        self.assertEqual(self.run_("explorer.value[1]"), before)
        self.assertIn('k: "6 kN/m" is not understood', self.run_("document.getElementById('warnings').textContent"))
        self.assertEqual(self.run_("document.getElementById('a1').getAttribute('aria-invalid')"), "true")
        self.type("a1", "6")
        self.assertEqual(self.run_("explorer.value[1]"), 6)
        self.assertNotIn("not understood", self.run_("document.getElementById('warnings').textContent"))

    def boxed(self):
        """The text about the box, once it is there."""
        self.browser.wait("document.documentElement.dataset.box === document.documentElement.dataset.drawn")
        return self.run_("document.getElementById('box').innerText")

    def test_a_handle_is_spread_to_a_range(self):
        """By its button, by keys and by what is typed; what is said, pasted and linked is of the range."""
        self.open()
        self.assertTrue(self.run_("document.getElementById('box').hidden"))
        self.run_("document.getElementById('a1-spread').click()")
        self.assertIn("of its places", self.boxed())
        lo, hi = self.run_("explorer.range[1]")
        self.assertLess(lo, hi)
        self.assertTrue(near(self.run_("explorer.value[1]"), (lo + hi) / 2))
        self.run_("document.getElementById('a1-most').focus()")
        self.browser.key(*RIGHT)
        self.assertGreater(self.run_("explorer.range[1][1]"), hi)
        self.browser.key(*HOME)  # no further than the other handle
        self.assertEqual(self.run_("explorer.range[1][0]"), lo)
        self.assertTrue(lo < self.run_("explorer.range[1][1]") < lo + 0.1 * (hi - lo))
        self.type("a1", "3..8.5")
        self.type("a0", "10..100")
        said = self.boxed()
        self.assertEqual(self.run_("explorer.range"), [[10, 100], [3, 8.5]])
        self.assertTrue(near(self.run_("explorer.value[0]"), 1000**0.5))
        want = self.run_("(() => { const b = explorer.boxShown.box.found(); return [explorer.pair(b.winners[0].pair).name, workShort(b.work.least), workShort(b.work.most)]; })()")
        self.assertTrue(all(text in said for text in want), (said, want))
        code = self.run_("document.getElementById('code').textContent").splitlines()
        self.assertIn("b=10..100,k=3..8.5", code[0])
        self.assertNotIn("--run", code[0])
        self.assertIn("k=5.75", code[1])
        address = self.run_("location.hash")
        self.assertIn("b=10..100&k=3..8.5", address)
        self.type("a0", "20")
        self.type("a1", "5")
        self.assertTrue(self.run_("document.getElementById('box').hidden"))
        self.run_(f"takeAddress(explorer, {json.dumps(address)}), explorer.draw()")
        self.assertEqual((self.run_("explorer.range"), self.boxed()), ([[10, 100], [3, 8.5]], said))
        for text, told in (("8..3", "is not a range"), ("1..4", "reaches out of what was compared"), ("3..six", "is not a range")):
            self.type("a1", text)
            self.assertIn(told, self.run_("document.getElementById('warnings').textContent"))
            self.assertEqual(self.run_("explorer.range[1]"), [3, 8.5])
        typed = lambda text: self.run_(f"typedRange({{name: 'k', unit: 'N/m', lo: 1, hi: 9000}}, {json.dumps(text)})")  # noqa: E731
        self.assertEqual([typed(t) for t in ("1.5..2.5 kN/m", "1.5 kN/m..2.5 kN/m", "500 N/m .. 2 kN/m")], [[1500, 2500], [1500, 2500], [500, 2000]])
        self.run_("document.getElementById('a1-spread').click()")
        self.type("a1", "12")
        self.browser.wait("!document.getElementById('box').hidden")
        self.assertIn("k = 12 is outside of what was compared", self.run_("document.getElementById('box').innerText"))
        self.assertEqual(self.browser.said, [])

    def test_the_address_holds_the_question_and_the_place(self):
        self.open()
        self.type("a1", "7")
        self.type("error", "2e-4")
        self.run_("(() => { const box = document.querySelector('#solvers input'); box.checked = false; box.dispatchEvent(new Event('change', {bubbles: true})); })()")
        shown, address = self.run_(USE), self.run_("location.hash")
        off = self.run_("document.querySelector('#solvers input').value")
        self.assertIn("error=2e-4", address)
        self.assertIn(f"without={off}", address)
        self.open()
        self.assertNotEqual(self.run_("explorer.asked"), 2e-4)
        self.run_(f"takeAddress(explorer, {json.dumps(address)}), explorer.draw()")
        self.assertEqual((self.run_(USE), self.run_("explorer.value[1]"), self.run_("explorer.asked")), (shown, 7, 2e-4))
        self.assertFalse(self.run_("document.querySelector('#solvers input').checked"))
        self.assertNotIn("not understood", self.run_("document.getElementById('warnings').textContent"))
        before = self.run_("explorer.value")
        self.run_("takeAddress(explorer, '#k=six&<b>=1&%E0%A4%A'), explorer.draw()")
        told = self.run_("document.getElementById('warnings').textContent")
        self.assertIn('The address has "k=six", "<b>=1", "%E0%A4%A", which is not understood', told)
        self.assertEqual(self.run_("explorer.value"), before)

    def test_a_program_ticks_what_it_has(self):
        self.open()
        ticked = lambda: set(self.run_("[...document.querySelectorAll('#solvers input, #strategies input')].filter(i => i.checked).map(i => i.value)"))  # noqa: E731
        everything = ticked()
        choose = lambda home: self.run_(f"(() => {{ const s = document.getElementById('home'); s.value = {json.dumps(home)}; s.dispatchEvent(new Event('change')); }})()")  # noqa: E731
        choose("Octave")
        self.assertEqual(ticked(), everything & {"ode23", "ode45", "ode23s", "switch", "event"})
        self.assertLess(len(ticked()), len(everything))
        choose("")
        self.assertEqual(ticked(), everything)

    def test_no_more_certainty_than_the_cells_have(self):
        self.open()
        chance = lambda p, cells: self.run_(f"(() => {{ explorer.surrogate.n = {cells}; return explorer.chance({p}); }})()")  # noqa: E731
        self.assertEqual([chance(1, 1296), chance(0.996, 1296), chance(0.96, 1296)], ["over 99 %", "over 99 %", "96 %"])
        self.assertEqual([chance(1, 32), chance(1, 9)], ["over 97 %", "over 90 %"])

    def test_the_error_has_its_state_and_unit(self):
        self.open()
        self.assertIn("a largest error of y1 of 0.001 m with", self.run_("(() => { explorer.asked = 1e-3; explorer.draw(); return document.getElementById('calibration').textContent; })()"))

    def test_everything_has_a_name(self):
        """Each control, each picture, each table; every picture has a table beside it."""
        self.open()
        self.browser.wait(FINE)
        tree = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        asked = {"slider", "textbox", "combobox", "button", "checkbox", "image", "img", "table", "region"}
        roles = {}
        for node in tree:
            role = node.get("role", {}).get("value")
            if role in asked and not node.get("ignored"):
                roles.setdefault(role, []).append(node.get("name", {}).get("value", ""))
        self.assertEqual([r for r, names in roles.items() if not all(names)], [])
        self.assertEqual(len(roles["slider"]), 3)
        self.assertEqual(self.run_("[...document.querySelectorAll('figure')].filter(f => !f.parentNode.querySelector('table')).length"), 0)
        self.assertEqual(self.run_("document.getElementById('said').getAttribute('aria-live')"), "polite")
        self.assertEqual(self.run_("document.documentElement.lang"), "en")

    def test_solvers_may_be_left_out(self):
        self.open()
        solver = self.run_(f"{USE}.split(' ')[0]")
        self.run_(f"document.querySelector('#solvers input[value={solver}]').click()")
        self.assertNotIn(solver, self.run_(USE))
        self.run_("(() => { const r = document.getElementById('rule'); r.value = '0.99'; r.dispatchEvent(new Event('change', {bubbles: true})); })()")
        best = self.run_("explorer.found.best && explorer.found.best.probability")
        self.assertTrue(best is None or best >= 0.99)

    def test_without_scripts_it_says_what_to_do(self):
        self.browser.show(800, scripts=False)
        self.browser.open(self.page)
        words = self.browser.run("document.body.innerText")
        self.browser.show(800)
        self.assertIn("saltus recommend cube.h5 --at", words)
        self.assertIn("Configurations compared", words)

    def test_all_that_a_page_needs_is_in_it(self):
        self.browser.call("Network.enable")
        self.open()
        self.browser.wait(FINE)
        self.assertEqual(self.run_("performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).map(e => e.name)"), [])


__all__ = ["Branch", "Motion", "Page", "Program"]

if chromium.BROWSER is None:
    sys.exit(chromium.LACKS)
unittest.main()
