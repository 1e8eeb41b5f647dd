"""Pages of motions and branches in Chromium; analysis/ is on the path of modules."""

import os
import re
import subprocess
import time

import h5py
import numpy as np

import branch
import branch_page
import motion
from in_browser import READY, InBrowser, near

SALTUS = os.environ.get("SALTUS_BESIDE")
SPACE, LEFT, RIGHT, HOME, END = (" ", 32), ("ArrowLeft", 37), ("ArrowRight", 39), ("Home", 36), ("End", 35)
LEG = ("--model", "hopping-leg", "--param", "m=1,k=1,g=1,L0=0,mu=0.6,dF=0.1,dG=-0.2", "--guess", "zU=1.2,vU=3.9")
WIDTHS = (1280, 390)


class Shown(InBrowser):
    """A page of a file of the program; a network request would be reported by its policy."""

    page = None

    def setUp(self):
        self.browser.said.clear()
        self.run_ = self.browser.run

    def open(self, width=1280, reduced=False, **show):
        self.browser.show(width, **show)
        if reduced:
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.browser.open(self.page, READY)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.temporary.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    @classmethod
    def saltus(cls, *words):
        subprocess.run([SALTUS, *words], check=True, capture_output=True, timeout=600)

    def is_sound(self):
        """At any width, in both themes: nothing hangs over, nothing on the console, nothing from elsewhere."""
        for width in WIDTHS:
            for dark in (False, True):
                self.open(width, dark=dark)
                self.assertEqual(self.run_("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.run_("[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, pre, .hidden, svg')).length"), 0)
                self.assertEqual(self.run_("document.documentElement.dataset.theme"), "dark" if dark else "light")
                self.assertEqual(self.run_("performance.getEntriesByType('resource').length"), 0)
                self.assertEqual(self.run_("[...document.querySelectorAll('button, input, select')].filter(e => !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))).length"), 0)
        self.assertEqual(self.browser.said, [])
        with open(self.page, encoding="utf-8") as file:
            self.assertEqual(re.findall(r"(?:src|href)=[\"'](?!data:,)[^\"'#]", file.read()), [])


class Motion(Shown):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = os.path.join(cls.temporary.name, "orbit.h5")
        cls.saltus("orbit", *LEG, "-o", cls.file, "--points", "400")
        cls.page = cls.write("motion.html", motion.made(cls.file))
        with h5py.File(cls.file) as data:
            cls.t, cls.zL, cls.event = data["t"][()], data["zL"][()], data["event_t"][()]

    def foot(self):
        """The height at which the foot is drawn."""
        return -self.run_("Number(motion.stage.drawn[motion.meta.scene.shapes.findIndex(s => s.name === 'foot')].getAttribute('cy'))")

    def test_the_page_is_sound(self):
        self.is_sound()

    def test_keys_move_it_and_it_is_where_the_trajectory_is(self):
        self.open()
        self.assertTrue(self.run_("motion.playing"))
        self.browser.key(*SPACE)
        self.assertFalse(self.run_("motion.playing"))
        self.browser.key(*HOME)
        self.assertEqual(self.run_("motion.time"), 0)
        for _ in range(3):
            self.browser.key(*RIGHT)
        step = self.run_("motion.rate") / 60
        self.assertTrue(near(self.run_("motion.time"), 3 * step))
        self.assertAlmostEqual(self.foot(), np.interp(3 * step, self.t, self.zL), delta=1e-3 * np.ptp(self.zL))
        self.browser.key(*LEFT)
        self.assertTrue(near(self.run_("motion.time"), 2 * step))
        self.run_("motion.toEvent(1)")
        self.assertTrue(near(self.run_("motion.time"), self.event[0]))
        self.assertAlmostEqual(self.foot(), 0, delta=1e-5)
        self.assertTrue(self.run_("closedAt(motion.meta.contacts, motion.time, motion.end).has(0)"))
        self.assertEqual(self.run_("[...document.querySelectorAll('.ring')].filter(e => e.style.display !== 'none').length"), 1)
        self.assertTrue(self.run_("motion.stage.drawn[motion.meta.scene.shapes.findIndex(s => s.name === 'foot')].classList.contains('closed')"))
        self.browser.key(*END)
        self.assertEqual(self.run_("motion.time"), self.run_("motion.meta.period"))
        before = self.foot()
        self.browser.key(*HOME)
        self.assertAlmostEqual(self.foot(), before, delta=1e-6)  # an orbit closes
        self.run_("(() => { const s = document.getElementById('scrub'); s.value = String(motion.end / 3); s.dispatchEvent(new Event('input')); })()")
        self.assertAlmostEqual(self.foot(), np.interp(self.run_("motion.time"), self.t, self.zL), delta=1e-3 * np.ptp(self.zL))
        box = self.run_("(() => { const b = document.getElementById('time').getBoundingClientRect(); return [b.left + GUTTER + 0.25 * (b.width - GUTTER - 12), b.top + 8]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.assertAlmostEqual(self.run_("motion.time / motion.end"), 0.25, delta=1e-6)
        self.assertIn(" of ", self.run_("document.getElementById('scrub').getAttribute('aria-valuetext')"))

    def test_it_plays_at_the_speed_that_is_chosen_and_goes_round(self):
        self.open()
        self.run_("(() => { motion.stopAt(0.9 * motion.end); motion.rate = 20 * motion.end; motion.play(true); })()")
        self.browser.wait("motion.time < 0.5 * motion.end")
        self.run_("(() => { const r = document.getElementById('rate'); r.selectedIndex = 0; r.dispatchEvent(new Event('change')); motion.stopAt(0); motion.play(true); })()")
        began = time.monotonic()
        self.browser.wait("motion.time > 0")
        time.sleep(0.3)
        rate, passed = self.run_("[motion.rate, motion.time]")
        self.assertLess(passed, 1.2 * rate * (time.monotonic() - began))
        self.assertEqual(self.browser.said, [])

    def test_who_asks_for_less_motion_starts_it_himself(self):
        self.open(reduced=True)
        self.assertFalse(self.run_("motion.playing"))
        picture = self.write("motion.svg", motion.made(self.file, svg=True))
        for reduced, shown in (("reduce", "still"), ("no-preference", "moving")):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": reduced}])
            self.browser.open(picture, "document.querySelector('.moving')")
            self.assertEqual(self.run_("['still', 'moving'].filter(c => getComputedStyle(document.querySelector('.' + c)).display !== 'none').join()"), shown)
        self.assertEqual(self.browser.said, [])

    def test_a_picture_moves_in_an_image(self):
        self.write("motion.svg", motion.made(self.file, svg=True, speed=20))
        page = self.write("image.html", "<!DOCTYPE html><title>i</title><img src='motion.svg' width='200'>")
        self.browser.show(300, 300)
        self.browser.open(page, "document.images[0].complete && document.images[0].naturalWidth")
        seen = set()
        for _ in range(40):
            shot = os.path.join(self.temporary.name, "shot.png")
            self.browser.picture(shot)
            with open(shot, "rb") as file:
                seen.add(file.read())
            if len(seen) > 1:
                return
            time.sleep(0.05)
        self.fail("the picture does not move")


class Branch(Shown):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        file = os.path.join(cls.temporary.name, "branch.h5")
        cls.saltus("continue", *LEG, "--in", "dG", "--from", "-0.3", "--to", "-0.1", "--stop-at", "open_touchdown=5.6,period=7.6", "-o", file)
        cls.branch = branch.open_branch(file)
        before = os.environ.get("SALTUS", "")
        os.environ["SALTUS"] = SALTUS
        try:
            cls.page = cls.write("branch.html", branch_page.html_of([cls.branch], branch.stability, branch.WORDS, 8))
        finally:
            os.environ["SALTUS"] = before

    def test_the_page_is_sound(self):
        self.is_sound()

    def portrait(self):
        return self.run_("document.querySelector('#portrait0 .history').getAttribute('d')")

    def test_a_click_and_the_arrows_choose_a_point(self):
        self.open()
        self.browser.key(*HOME)
        self.assertEqual(self.run_("branch.place"), 0)
        first, heading = self.portrait(), self.run_("document.getElementById('which').textContent")
        self.browser.key(*RIGHT)
        self.assertEqual(self.run_("branch.place"), 1)
        self.assertNotEqual(self.run_("document.getElementById('which').textContent"), heading)
        last = self.branch.sizes["point"] - 1
        place = last // 2
        x, y = self.run_(f"(() => {{ const at = branch.places[{place}], b = document.getElementById('branch').getBoundingClientRect(); return [b.left + branch.frame.X(branch.x(at)), b.top + branch.frame.Y(branch.y(at))]; }})()")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.assertEqual(self.run_("branch.place"), place)
        self.assertNotEqual(self.portrait(), first)
        self.browser.key(*END)
        self.assertEqual(self.run_("branch.place"), last)
        here = self.branch.isel(point=last)
        got = self.run_("[...document.querySelectorAll('#multipliers td.n')].map(e => Number(e.textContent))")
        np.testing.assert_allclose(got, np.hypot(here["multiplier_re"], here["multiplier_im"]), rtol=1e-4, atol=1e-9)
        self.assertIn(f"dG = {float(here['dG']):.3g}"[:9], self.run_("document.getElementById('which').textContent"))
        self.assertEqual(self.browser.said, [])

    def test_its_orbit_moves(self):
        self.open()
        self.assertTrue(self.run_("branch.playing"))
        self.browser.wait("branch.time > 0")
        self.browser.key(*SPACE)
        self.assertFalse(self.run_("branch.playing"))
        foot = "0 - Number(branch.stage.drawn[branch.trajectory.one.scene.shapes.findIndex(s => s.name === 'foot')].getAttribute('cy'))"
        column = self.run_("branch.meta.portraits.findIndex(p => p[2].startsWith('zL'))")
        for share in (0.1, 0.37, 0.8):
            self.run_(f"(() => {{ branch.time = {share} * branch.trajectory.end; branch.move(); }})()")
            high = self.run_(f"branch.trajectory.samples.value(branch.meta.portraits[{column}][0], branch.trajectory.samples.place(branch.time))")
            self.assertAlmostEqual(self.run_(foot), high, delta=0.01)
        self.assertEqual(self.browser.said, [])
        self.open(reduced=True)
        self.assertFalse(self.run_("branch.playing"))

    def test_what_is_stable_is_told_by_the_line(self):
        self.open()
        dashes = "[...document.querySelectorAll('#branch .branch-line')].map(e => [e.classList.contains('stable'), getComputedStyle(e).strokeDasharray])"
        kinds = {(stable, dash != "none") for stable, dash in self.run_(dashes)}
        self.assertEqual(kinds, {(True, False), (False, True)})
        pieces = self.run_("branch.meta.branches[0].stable")
        self.assertEqual(pieces, branch.stability(self.branch).tolist())

    def test_orbits_are_those_of_their_points(self):
        self.open()
        for number in range(self.run_("branch.meta.orbits.length")):
            one = self.run_(f"(() => {{ const o = branch.meta.orbits[{number}]; return {{point: o.point, end: branch.numbers[o.from + o.n - 1], start: [1, 2, 3, 4].map(k => branch.numbers[o.from + k * o.n])}}; }})()")
            here = self.branch.isel(point=one["point"])
            self.assertTrue(near(one["end"], float(here["period"]), 1e-5))
            for a, b, across, up in self.run_("branch.meta.portraits"):
                for k, name in ((a, across), (b, up)):
                    self.assertAlmostEqual(one["start"][k], float(here[name.partition(" ")[0]]), delta=1e-5)
        self.assertGreater(self.run_("branch.meta.orbits.length"), 4)
