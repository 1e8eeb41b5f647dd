"""test_site.py SALTUS SOURCE_DIR [--all] [--slurm]: pages of the site are built with what their commands print, and what is wrong with one is
refused with its file and line.

By day the tutorial and what is made of the sources; --all: every page.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import zlib

SALTUS, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
ALL, SLURM = "--all" in sys.argv, "--slurm" in sys.argv
sys.argv[1:] = [word for word in sys.argv[3:] if word not in ("--all", "--slurm")]
sys.path.insert(0, os.path.join(SOURCE, "analysis", "site"))
import blocks  # noqa: E402
import build  # noqa: E402
import filled  # noqa: E402
import formulas  # noqa: E402
import headers  # noqa: E402
from pages import Site  # noqa: E402
from source import Wrong  # noqa: E402

DAILY = ("hopper", "words", "api", "commands", "theory", "headers")


def text_of(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


class Built(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name) / "site"
        only = [] if ALL else ["--only", ",".join(DAILY)]
        subprocess.run([sys.executable, "-B", build.__file__, "--program", SALTUS, *only, *["--slurm"] * SLURM, "-o", cls.folder], check=True,
                       stdout=subprocess.DEVNULL)
        cls.pages = {path.name: path.read_text(encoding="utf-8") for path in cls.folder.glob("*.html")}

    def test_the_tutorial_has_what_its_commands_print(self):
        text = text_of(self.pages["hopper.html"])
        for words in ("fine   Jacobian", "wrong  units", "reaches the error with a probability of", "): hit", "touchdown at t = ", "def f(t, y, q, mode):"):
            self.assertIn(words, text.replace("and 0.001 m is allowed: hit", "): hit"))
        picture = re.search(r'src="(_images/map\d*.png)"', self.pages["hopper.html"])[1]
        self.assertGreater((self.folder / picture).stat().st_size, 10_000)
        self.assertIn("<title>Which solver?", (self.folder / "hopper" / "mine.html").read_text(encoding="utf-8"))
        # SciPy and saltus end alike
        ends = [float(end) for end in re.findall(r"at t = 3: y = ([\d.]+)|\n3,([\d.]+),", text) for end in end if end]
        self.assertEqual(len(ends), 2)
        self.assertAlmostEqual(*ends, delta=0.01)

    def test_commands_have_what_help_says(self):
        page = self.pages["commands.html"]
        self.assertGreater(len(blocks.commands(SALTUS)), 20)
        for name in blocks.commands(SALTUS):
            self.assertEqual(page.count(f'id="command-{name}"'), 1, name)
        self.assertIn(blocks.help_of(SALTUS, "help", "plan").strip(), text_of(page))

    def test_the_api_has_the_header_and_the_package(self):
        text = text_of(self.pages["api.html"])
        for words in ("saltus_status saltus_model_open(const char *name, saltus_model **model)", "integrate(model: Any, params: Any = None", "recommend(at"):
            self.assertIn(words, text)
        names = (self.folder / "objects.inv").read_bytes()
        names = zlib.decompress(names.split(b"zlib.\n")[1]).decode()
        header = pathlib.Path(SOURCE, "src/api/saltus.h").read_text(encoding="utf-8")
        for name in re.findall(r"^SALTUS_CALL .*?(saltus_\w+)\(|^\} (saltus_\w+);|^  (SALTUS_[A-Z]+) = ", header, re.M):
            self.assertRegex(names, rf"(?m)^{''.join(name)} c:")
        for name in re.findall(r'"(\w+)"', pathlib.Path(SOURCE, "analysis/saltus/__init__.py").read_text(encoding="utf-8").partition("__all__")[2]):
            if name != "__version__":
                self.assertRegex(names, rf"(?m)^saltus.{name} py:")

    def test_every_entry_of_every_list_has_its_title_source_and_formulas(self):
        text = text_of(self.pages["theory.html"])
        for what in ("models", "solvers", "strategies", "metrics"):
            done = subprocess.run([SALTUS, "list", what, "--json"], check=True, capture_output=True, text=True)
            for entry in json.loads(done.stdout)[what]:
                for key in ("name", "title", "source", "what"):
                    self.assertIn(entry.get(key, ""), text)
                for field in entry.get("parameters", []) + entry.get("states", []):
                    self.assertIn(field["what"], text)
        self.assertIn(r"F = \sqrt{| y_{1} |} ( b | y_{1} | y_{1}' + c k y_{1} )", text)
        loads = re.search(r'src="(_static/mathjax/MathJax.js)\?config=(\S+)"', self.pages["theory.html"])
        for path in (loads[1], f"_static/mathjax/config/{loads[2]}.js", "_static/mathjax/jax/output/SVG/jax.js"):
            self.assertTrue((self.folder / path).exists(), path)

    def test_words_of_pages_are_found(self):
        index = (self.folder / "searchindex.js").read_text(encoding="utf-8")
        for words in ("bogacki", "touchdown", "saltus_model_open"):
            self.assertIn(words, index)

    def test_every_header_and_every_function_of_the_kernels_is_there(self):
        text = text_of(self.pages["headers.html"])
        paths = list(headers.header_files())
        self.assertGreater(len(paths), 100)
        for path in paths:
            self.assertIn(path, text)
        for words in ("sal_err sal_fail(sal_err code, const char *format, ...)", "typedef enum { SAL_JACOBIAN_DIFFERENCES",
                      "void *sal_array_grow(void *array, int64_t n, int64_t more, int64_t *room, size_t size);"):
            self.assertIn(words, text)

    def test_names_lead_to_where_they_are_declared(self):
        page = self.pages["headers.html"]
        for name, declared in (("sal_fail", "sal_fail(<a"), ("sal_err", "typedef enum MUST_CHECK { "), ("sal_jacobian", "typedef enum { SAL_JACOBIAN_DIFF")):
            place = re.search(rf'<a href="#([\w-]+)">{name}</a>', page)[1]
            self.assertIn(declared, page[page.index(f"id={place}>"):].partition("</div>")[0], name)
        self.assertGreater(page.count('href="#'), 1000)

    @unittest.skipUnless(ALL, "the page of cubes as data is built by night")
    def test_all_readers_of_a_cube_print_the_same(self):
        text = text_of(self.pages["data.html"])
        steps = re.findall(r"(?<!\d)(\d+) (?:2000\.0|steps at b = 2000)\n", text)  # by xarray, by Octave
        self.assertEqual((len(steps), len({*steps})), (2, 1), steps)
        if not shutil.which("Rscript"):
            return
        blocks_of = dict(re.findall(r"^```(r|yaml)\b.*\n(.*?)^```", pathlib.Path(SOURCE, "analysis/site/pages/data.md").read_text(), re.M | re.S))
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mine.yaml").write_text(blocks_of["yaml"])
            subprocess.run([SALTUS, "run", "mine.yaml", "-q", "-o", "mine.h5"], cwd=folder, check=True)
            done = subprocess.run(["Rscript", "-e", blocks_of["r"]], cwd=folder, capture_output=True, text=True)
        if "no package called" not in done.stderr:
            self.assertRegex(done.stdout, r"^\d+ steps at b = 2000")

    @unittest.skipUnless(ALL, "the gallery needs all pages")
    def test_every_picture_is_in_the_gallery(self):
        pictures = re.compile(r'<img\b[^>]*\bsrc="(_images/[^"]+)"')
        shown = {picture for name, page in self.pages.items() if name != "gallery.html" for picture in pictures.findall(page)}
        self.assertGreater(len(shown), 20)
        self.assertLessEqual(shown, {*pictures.findall(self.pages["gallery.html"])})


class Refused(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def arguments(self, page):
        (self.folder / "pages").mkdir(exist_ok=True)
        (self.folder / "pages" / "words.md").write_text(page, encoding="utf-8")
        return types.SimpleNamespace(program=SALTUS, pages=str(self.folder / "pages"), only="words", jobs=1, slurm=False)

    def make(self, page):
        """The source that Sphinx would read."""
        self.arguments(page)
        with tempfile.TemporaryDirectory(dir=self.folder) as inside:
            Site(SALTUS, str(self.folder / "pages"), inside, ["words"]).make()
            return pathlib.Path(inside, "src", "words.md").read_text(encoding="utf-8")

    def refused(self, page, says):
        with self.assertRaises(Wrong, msg=page) as caught:
            self.make("# Title\n\n" + page)
        self.assertRegex(str(caught.exception), says)

    def test_a_page_that_is_right_is_made(self):
        args = self.arguments("# A & B\n\nText [src](src/api/README.md).\n\n## Here\n\n[up](#here)\n\n```sh head=1\nseq 3\n```\n\n"
                              "```python\nprint('<' + str(6 * 7))\n```\n\n```text\nas it is\n```\n\n```yaml file=a.yaml\na: 1\n```\n\n"
                              "```sh tail=2 ends=3\ncat a.yaml; seq 5; echo '```'\nexit 3\n```\n")
        with tempfile.TemporaryDirectory(dir=self.folder) as inside:
            self.assertGreater(build.build(args, inside), 1)
            page = pathlib.Path(inside, "out", "words.html").read_text(encoding="utf-8")
        for words in ("<h1>A &amp; B", "... 2 more lines", "&lt;42", "as it is", "a.yaml</span>", "... 5 more lines\n5\n```", 'href="#here"', 'href="file-src-api-README-md.html"'):
            self.assertIn(words, page)

    def test_warnings_of_sphinx_end_the_build(self):
        args = self.arguments("# Title\n\n[a](#nowhere)\n\n```{nothing} else\n```\n\n```{figure} none.png\n```\n")
        with tempfile.TemporaryDirectory(dir=self.folder) as inside, self.assertRaises(Wrong) as caught:
            build.build(args, inside)
        for says in (r"words.md:3: WARNING: .*nowhere", r'words.md:\d+: ERROR: Unknown directive type "nothing"', "words.md:.*: WARNING: image file not readable: none.png"):
            self.assertRegex(str(caught.exception), says)

    def test_commands_that_fail(self):
        self.refused("```sh\ntrue\ntrue && false\ntrue\n```\n", r"words.md:5: ends with 1, expected is 0")
        self.refused("```sh\nsaltus recommend nothing.h5 --at k=1 --error 1\n```\n", r"words.md:4: ends with 4.*:\n  saltus recommend: nothing.h5")
        self.refused("```sh\nfalse | cat\n```\n", r"words.md:4: ends with 1")
        self.refused("```sh ends=14\ntrue\n```\n", r"words.md:3: ends with 0, expected is 14")
        self.refused("```python\nraise ValueError('why')\n```\n", r"words.md:3: ends with 1, .*\n(.*\n)*  ValueError: why")

    def test_blocks_that_are_not_understood(self):
        self.refused("```sh hed=3\ntrue\n```\n", "words.md:3: 'hed=3' of a block of sh; allowed: elsewhere, slurm, silent, head=N")
        self.refused("```\ntrue\n```\n", "words.md:3: a block begins at the margin, with its language")
        self.refused("```sh\ntrue\n", "words.md:3: this block has no end")
        self.refused("```yaml file=/a\na: 1\n```\n", "'file=/a' of a block of yaml")
        self.refused("{{nothing}}\n", "words.md:3: {{nothing}}; allowed: model, ")
        self.refused("{{model nothing}}\n", "words.md:3: {{model nothing}}: 'nothing'")

    def test_links_that_lead_nowhere(self):
        self.refused("[a](nowhere.md)\n", "words.md:3: a link to nowhere.md: no page, no file")
        self.refused("text\n[a](sweeps/nowhere.yaml)\n", "words.md:4: a link to sweeps/nowhere.yaml")
        self.refused("![caption](nowhere.png)\n", "words.md:3: a link to nowhere.png")
        self.refused("[a](../../etc/passwd)\n", "words.md:3: a link to ../../etc/passwd")

    def test_what_a_finished_site_may_not_have(self):
        good = '<p id="a"><a href="#a">a</a><a href="b.html#b">b</a><a href="https://example.org/a">c</a><img src="c.png">'
        for page, says in ((good, ""), (good + '<a href="#n">', "a.html: a link to #n, but no place there is called n"), (good + '<a href="n.html">', "a.html: a link to n.html, which"),
                           (good + '<a href="b.html#n">', "no place there is called n"), (good + '<a href="http://example.org">', "a link to http://example.org"),
                           (good + '<script async="async" src="https://example.org/a.js"></script>', "loads https://example.org/a.js, which is not in the site"),
                           (good + '<link rel="x" href="//example.org/a.css"/>', "loads //example.org/a.css"),
                           (good + '<p style="background: url(https://example.org/a.png)">', "loads https://example.org/a.png"), (good + "/private/here", "a.html: contains /private/here")):
            for name, text in (("a.html", page), ("b.html", '<p id="b">'), ("c.png", "")):
                (self.folder / name).write_text(text, encoding="utf-8")
            if says:
                with self.assertRaisesRegex(Wrong, re.escape(says)):
                    build.check(str(self.folder), ["/private/here"])
            else:
                self.assertEqual(build.check(str(self.folder), ["/private/here"]), 2)
        self.assertIn("~/saltus", self.make("# Title\n\n```sh\npwd\n```\n"))

    def test_commands_of_a_readme_are_checked(self):
        site = Site(SALTUS, str(self.folder), str(self.folder / "scratch"), [])
        for block, says in (("saltus run a.yaml --nothing", "sweeps/README.md:4: run has no option --nothing"), ("jobscripts/nothing.sh", "jobscripts/nothing.sh is not there")):
            with self.assertRaisesRegex(Wrong, says):
                site.readme("sweeps/README.md", f"# Title\n\n```sh\n{block}\n```\n")
        with self.assertRaisesRegex(Wrong, "sweeps/README.md:4: a link to nowhere.yaml"):
            site.readme("sweeps/README.md", "# Title\n\ntext\n[a](nowhere.yaml)\n")
        self.assertIn("[a](file-sweeps-atlas-yaml.md)", site.readme("sweeps/README.md", "[a](atlas.yaml)"))

    def test_formulas(self):
        for text, tex in (("y1'' = -(F + c e)", "y_{1}'' = - ( F + c e )"), ("sum F_i tan(th)", r"\sum F_{i} \tan ( \theta )"), ("h^(k-1) <= M^-1 * 2", r"h ^{k - 1} \le M ^{- 1} \, 2"),
                          ("v -> -e v  at the wall", r"v \to - e v \text{ at the wall }"), ("dG gamma_k sqrt(m / k)", r"d_{G} \gamma_{k} \sqrt{m / k}")):
            self.assertEqual(formulas.tex(text), tex)
        self.assertTrue(formulas.is_formula(["y'' = -g  above the floor"]))
        self.assertFalse(formulas.is_formula(["no force on the foot, m = 0 as it was"]))

    def test_blocks_that_are_not_run_are_checked(self):
        self.make("# Title\n\n```sh elsewhere\nsbatch --nodes=2 jobscripts/sweep.sbatch sweeps/atlas.yaml a.h5 && saltus run sweeps/atlas.yaml -o a.h5 --force\n```\n")
        for block, says in (("saltus rnu a.yaml", "words.md:4: saltus has no command rnu"), ("true\nsaltus run a.yaml --nothing", "words.md:5: run has no option --nothing"),
                            ("sbatch jobscripts/nothing.sbatch", "jobscripts/nothing.sbatch is not there"), ("if true", "words.md:3: no shell script"),
                            ("jobscripts/quickstart.sh --nothing", "quickstart.sh has no option --nothing")):
            self.refused(f"```sh elsewhere\n{block}\n```\n", says)
        self.refused("```python elsewhere\na = (\n```\n", "words.md:4: no Python")

    def test_folders_and_programs(self):
        (self.folder / "mine.txt").write_text("mine", encoding="utf-8")
        for args, says in ((["--program", SALTUS, "-o", str(self.folder)], "holds other files than a site"),
                           (["--program", str(self.folder / "no"), "-o", "x"], "no such program"),
                           (["--program", SALTUS, "--only", "nothing", "-o", str(self.folder / "x")], "no page is called nothing; allowed: ")):
            done = subprocess.run([sys.executable, "-B", build.__file__, *args], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(says, done.stderr)
        self.assertEqual((self.folder / "mine.txt").read_text(encoding="utf-8"), "mine")

    def missing(self, files, says, work):
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8")
        before, blocks.TOP = blocks.TOP, str(self.folder)
        try:
            with self.assertRaisesRegex(Wrong, says):
                work()
        finally:
            blocks.TOP = before

    def test_what_is_missing_in_headers_is_named(self):
        good = "/** Sums.\n */\n/** One. */\nint sal_a(void);\n"
        self.missing({"kernels/a.h": good, "src/b.h": "int sal_b;\n"}, "src/b.h: no comment", headers.headers)
        self.missing({"src/b.h": good, "kernels/a.h": good + "/** As sal_b. */\nint sal_c;\n"}, "kernels/a.h: a comment names sal_b", headers.headers)
        self.missing({}, "models: x has no source", lambda: list(filled.describe("models", {"name": "x", "title": "y", "source": ""})))


unittest.main(warnings="ignore")  # of Sphinx and docutils, about each other
