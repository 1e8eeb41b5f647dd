#!/usr/bin/python3
"""test_documents.py SALTUS SOURCE_DIR: the generated pages hold what the program and the headers hold, and no dead link."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SALTUS, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCE, "jobscripts"))
import documents  # noqa: E402


def text_of(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([os.path.join(SOURCE, "jobscripts", "documents.py"), SALTUS, folder.name], check=True, stdout=subprocess.DEVNULL)
        cls.pages = {}
        for name in ("theory.html", "api.html"):
            with open(os.path.join(folder.name, name), encoding="utf-8") as file:
                cls.pages[name] = file.read()

    def test_every_entry_of_every_list_has_its_title_source_and_formulas(self):
        text = text_of(self.pages["theory.html"])
        for what in ("models", "solvers", "strategies", "metrics"):
            done = subprocess.run([SALTUS, "list", what, "--json"], check=True, capture_output=True, text=True)
            for entry in json.loads(done.stdout)[what]:
                for key in ("name", "title", "source", "what"):
                    self.assertIn(entry.get(key, ""), text)
                for field in entry.get("parameters", []) + entry.get("states", []):
                    self.assertIn(field["what"], text)
        self.assertIn("F = sqrt|y1| (b |y1| y1' + c k y1)", text)

    def test_every_header_and_every_function_of_the_kernels_is_there(self):
        text = text_of(self.pages["api.html"])
        headers = list(documents.headers())
        self.assertGreater(len(headers), 100)
        for path in headers:
            self.assertIn(path, text)
        for words in ("sal_err sal_fail(sal_err code, const char *format, ...)", "typedef enum { SAL_JACOBIAN_DIFFERENCES",
                      "void *sal_array_grow(void *array, int64_t n, int64_t more, int64_t *room, size_t size);"):
            self.assertIn(words, text)

    def test_names_lead_to_where_they_are_declared(self):
        page = self.pages["api.html"]
        for name, declared in (("sal_fail", "sal_fail(<a"), ("sal_err", "typedef enum { "), ("sal_jacobian", "typedef enum { SAL_JACOBIAN_DIFF")):
            place = re.search(rf'<a href="#([\w-]+)">{name}</a>', page)[1]
            self.assertIn(declared, page[page.index(f"id={place}>"):].partition("</div>")[0], name)
        self.assertGreater(page.count('href="#'), 1000)

    def refused(self, files, says, work):
        with tempfile.TemporaryDirectory() as top:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
                with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                    file.write(text)
            before, documents.TOP = documents.TOP, top
            try:
                with self.assertRaisesRegex(SystemExit, says):
                    work()
            finally:
                documents.TOP = before

    def test_what_is_missing_is_named(self):
        good = "/** @file kernels/a.h\n *  What it is.\n */\n/** One. */\nint sal_a(void);\n"
        self.refused({"kernels/a.h": good, "src/b.h": "int sal_b;\n"}, "src/b.h: no comment", documents.api)
        self.refused({"kernels/a.h": good + "/** As sal_b. */\nint sal_c;\n"}, "kernels/a.h: a comment names sal_b", documents.api)
        self.refused({}, "models: x has no source", lambda: list(documents.describe("models", {"name": "x", "title": "y", "source": ""})))

    def test_links_are_checked(self):
        for page, says in (("<a href=#no>x</a>", "#no leads nowhere"), ("<a href=other.html>x</a>", "other.html"),
                           ('<a href="https://doi.org/10.1/x">x</a>', "doi.org/10.1/x"), ("<p id=a><p id=a>", "called a")):
            with self.assertRaisesRegex(SystemExit, says):
                documents.check_links("page", page)
        documents.check_links("page", '<p id=a><a href=#a>x</a><a href="https://doi.org/10.1016/x-y">z</a>')


unittest.main()
