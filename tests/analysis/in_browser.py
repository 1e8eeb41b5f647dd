"""Base class of the tests of the page in a browser."""

import atexit
import functools
import os
import tempfile
import unittest

import chromium

POINTS = int(os.environ.get("SAL_PAGE_POINTS", "20"))  # at which answers are compared
READY = "document.documentElement.dataset.ready === 'yes'"


def near(a, b, share=1e-6):
    return abs(a - b) <= share * max(abs(a), abs(b), 1e-9)


@functools.cache
def browser():
    """The one of all classes: a start takes as long as many tests."""
    one = chromium.Chromium()
    atexit.register(one.close)
    return one


class InBrowser(unittest.TestCase):
    """The browser and a folder."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.browser = browser()
