#!/usr/bin/python3
"""test_colours.py ANALYSIS_DIR: can everybody see and distinguish the colours?"""

import itertools
import os
import re
import sys
import unittest

import numpy as np

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import colours  # noqa: E402
import page  # noqa: E402

# Dichromats' view of linear RGB: Machado, Oliveira, Fernandes, "A physiologically-based model for
# simulation of color vision deficiency", IEEE Trans. Vis. Comput. Graph. 15, 2009, severity 1.
SEEN = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Linear RGB to cones and to Oklab: B. Ottosson, "A perceptual color space for image processing", 2020.
CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]]
OKLAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099], [0.0259040371, 0.7827717662, -0.8086757660]]
APART = 0.07  # about three and a half of the smallest differences that are seen side by side
GRAPHICS, TEXT = 3, 4.5  # WCAG 2.1: 1.4.11 and 1.4.3


def linear(colour):
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    bright = sorted(linear(c) @ [0.2126, 0.7152, 0.0722] for c in (one, other))
    return (bright[1] + 0.05) / (bright[0] + 0.05)


def distance(one, other, eye):
    seen = [np.cbrt(np.clip(np.array(SEEN[eye]) @ linear(c), 0, 1) @ np.array(CONES).T) @ np.array(OKLAB).T for c in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


def page_colours(theme):
    """Variables of the style sheet."""
    blocks = re.findall(r":root(\[data-theme=\"dark\"\])? \{(.*?)\n\}", page.style(), re.S)
    found = {}
    for dark, body in blocks:
        if theme == "dark" or not dark:
            found |= dict(re.findall(r"--([\w-]+): (#[0-9a-fA-F]{6})", body))
    return found


class Colours(unittest.TestCase):
    def test_the_measures(self):
        self.assertAlmostEqual(contrast("#000000", "#FFFFFF"), 21)
        self.assertAlmostEqual(contrast("#777777", "#FFFFFF"), 4.48, places=2)
        self.assertAlmostEqual(distance("#000000", "#FFFFFF", "normal"), 1, places=3)
        red, green = "#B02020", "#5A6B00"  # alike to those who lack green cones
        self.assertGreater(distance(red, green, "normal"), 2 * distance(red, green, "deuteranopia"))

    def test_all_stand_out(self):
        for i, theme in enumerate(("light", "dark")):
            for name, pair in (*colours.SOLVER.items(), *enumerate(colours.OWN)):
                self.assertGreaterEqual(contrast(pair[i], colours.PAPER[theme]), GRAPHICS, (theme, name))

    def test_any_two_can_be_told_apart(self):
        for i, eye in itertools.product((0, 1), SEEN):
            for (a, one), (b, other) in itertools.combinations((*colours.SOLVER.items(), *enumerate(colours.OWN)), 2):
                self.assertGreaterEqual(distance(one[i], other[i], eye), APART, (eye, a, b, i))

    def test_solvers_of_the_user_have_colours_of_their_own(self):
        names = [f"mine-{i}" for i in range(len(colours.OWN))]
        self.assertEqual([colours.of_solver(name) for name in names], list(colours.OWN))
        self.assertEqual(colours.of_solver("mine-1"), colours.OWN[1])
        self.assertEqual(len(set(colours.OWN)), 4)

    def test_words_of_the_page_can_be_read(self):
        for theme in ("light", "dark"):
            found = page_colours(theme)
            self.assertEqual(found["card"].upper(), colours.PAPER[theme].upper())
            for ink, paper in (("ink", "page"), ("ink", "card"), ("ink", "wash"), ("quiet", "page"), ("quiet", "card"), ("accent", "card"), ("accent", "wash"), ("warn", "warn-wash")):
                self.assertGreaterEqual(contrast(found[ink], found[paper]), TEXT, (theme, ink, paper))


unittest.main()
