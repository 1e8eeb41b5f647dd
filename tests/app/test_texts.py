"""Words of files in every medium: hostile words of a model, a solver, a sweep and a cube go through all writers, and stay words.

Control characters, and those that turn the direction of text, are refused where a text is read, and are '?' out of a cube.
"""
import contextlib
import csv
import html.parser
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import h5py
import yaml

import cli

ANALYSIS = os.path.join(os.path.dirname(cli.SWEEPS), "analysis")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
FORGED = "fine   units       forged"
# Legal words, each hostile to some medium.
WORDS = (
    "a\n" + FORGED, "b\r\n" + FORGED, "c\t" + FORGED, "hit, hard", 'say "hit"', "it's", "touch/down", "../../up", "a $\\frac{x$ b", "$x_{$",
    "</script><script>pwn()</script>", "<img src=x onerror=pwn()>", "]]> --> {{script}}", "$(touch PWNED) `touch PWNED`", "; touch PWNED #",
    "*/ #include \"x\" /*", "%n%s%d", "\\ \\n \\x1b", "=1+1 | &amp; ~", "\u00e4\u5b57\U0001f600 pair(3)",
)
ALL = " ".join(WORDS)
# The payload of a review, and ways to write single characters.
REFUSED = {"\\e[31mE\\a</script><script>pwn()</script>\\u202e\\\"'`$(touch PWNED)\\n*/ ]]> --> \\u2028 {{x}} %n%s \\\\": "U+001B"}
REFUSED |= {f"a{escape}b": f"U+{code:04X}" for escape, code in (
    ("\\x01", 1), ("\\b", 8), ("\\x0b", 11), ("\\f", 12), ("\\r", 13), ("\\e", 27), ("\\x7f", 127), ("\\x80", 128), ("\\N", 0x85), ("\\x9b", 0x9b),
    ("\\L", 0x2028), ("\\P", 0x2029), ("\\u202a", 0x202a), ("\\u202e", 0x202e), ("\\u2066", 0x2066), ("\\u2069", 0x2069))}
MODEL = """\
equations: 1
name: walls
title: {word}
source: {word}
span: 30
parameters:
  k: {{what: {word}, preset: 1, range: [0.5, 2]}}
  c: {{what: {word}, preset: 0.2, range: [0.1, 0.5]}}
states:
  x: {{what: {word}, preset: 0.5}}
  v: {{what: {word}, preset: 0, rate_of: x}}
contacts:
  wall: {{names: [{closes}, {opens}], gap: 2 - x, closes: {{v: -0.5 * v}}, stays: false}}
  far: {{names: [{closes}, {opens}], gap: 9 - x, closes: {{v: -v}}, stays: false}}
flow: {{x: v, v: -k * x - c * v + cos(t)}}
section: {{period: 2 * pi, name: {word}}}
flaws: {{{word}: c < 0}}
"""
SOLVER = """\
tableau: 1
name: my-pair
title: {word}
source: {word}
kind: runge-kutta
order: 2
embedded_order: 1
A: [[], [2/3]]
b: [1/4, 3/4]
b_hat: [1, 0]
"""
SWEEP = """\
title: {word}
model: m.yaml
cells: {{axes: [{{name: k, linear: [0.8, 1.2], points: 4}}, {{name: c, linear: [0.15, 0.3], points: 4}}]}}
t_end: 3
mesh: 0.05
solvers: [ode23, s.yaml]
strategies: [event]
rtol: [1e-3, 1e-6]
"""


def line(word):
    """As a word of several lines is read."""
    return re.sub("[\t\r\n]", " ", word)


class Live(html.parser.HTMLParser):
    """Parts of a page that would run or load."""

    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.found, self.script = [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found += [(tag, *a) for a in attributes if a[0].startswith("on") or a == ("src", "x") or str(a[1]).startswith("javascript:")]
        self.script += tag == "script" and not dict(attributes).get("type")


class Texts(cli.InFolder):
    def write(self, word, closes=None, opens=None):
        quoted = {name: json.dumps(text, ensure_ascii=False) for name, text in (("word", word), ("closes", closes or word), ("opens", opens or word + "2"))}
        for name, text in (("m.yaml", MODEL), ("s.yaml", SOLVER), ("w.yaml", SWEEP)):
            (self.folder / name).write_text(text.format(**quoted), encoding="utf-8")

    def plain(self, *args, code=0, **more):
        """Runs it: neither stream steers a terminal, has a forged line, or has run anything."""
        done = self.saltus(*args, **more)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        self.assertIsNone(FORBIDDEN.search(said), (args, said))
        self.assertNotIn(FORGED, [at.strip() for at in said.splitlines()], args)
        self.assertNotIn("PWNED", self.files())
        return done.stdout

    def rows(self, closes):
        """The CSV of a run: an event is one cell."""
        self.plain("trajectory", "--model", "m.yaml", "--t-end", "9", "--dt", "1", "-f", "-o", "t.csv")
        with open(self.folder / "t.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, strict=True))
        self.assertEqual({len(row) for row in rows}, {5})
        self.assertEqual({row[4] for row in rows[1:]}, {"", line(closes) + ":0"})


class Terminal(Texts):
    def test_each_word_alone(self):
        for word in WORDS:
            with self.subTest(word=word):
                self.write(word)
                self.assertIn(line(word), self.plain("list", "models", "m.yaml"))
                self.assertEqual(json.loads(self.plain("list", "solvers", "s.yaml", "--json"))["solvers"][0]["title"], line(word))
                self.rows(word)

    def test_all_words_in_each_command(self):
        self.write(ALL)
        for args in (("model", "check", "m.yaml"), ("solver", "check", "s.yaml"), ("plan", "w.yaml"), ("orbit", "--model", "m.yaml")):
            self.plain(*args)

    def test_what_no_text_may_have_is_refused_with_its_line(self):
        self.write("a")
        whole = {name: (self.folder / name).read_text(encoding="utf-8") for name in ("m.yaml", "s.yaml", "w.yaml")}
        places = (("m.yaml", 'title: "a"', ("list", "models", "m.yaml"), 3), ("m.yaml", '"a", "a2"], gap: 2', ("list", "models", "m.yaml"), 13),
                  ("m.yaml", 'flaws: {"a"', ("list", "models", "m.yaml"), 17), ("s.yaml", 'source: "a"', ("list", "solvers", "s.yaml"), 4),
                  ("w.yaml", 'title: "a"', ("plan", "w.yaml"), 1))
        for name, there, args, number in places:
            for escape, code in REFUSED.items() if number == 3 else list(REFUSED.items())[:1]:
                (self.folder / name).write_text(whole[name].replace(there, there.replace('"a"', f'"{escape}"', 1)), encoding="utf-8")
                self.refused(*args, says=[f"{name}:{number}: the character {code}"])
            (self.folder / name).write_text(whole[name], encoding="utf-8")
        self.plain("plan", "w.yaml")

    def test_tables_and_recorded_files(self):
        (self.folder / "m.yaml").write_text(
            "equations: 1\nname: t\nspan: 1\nstates: {x: {preset: 1}}\ntables: {g: {file: g.csv}}\nflow: {x: g(t)}\n", encoding="utf-8")
        for text, says in (("\ufefft,g\n0,1\n1,2\n", None), ("t,g\n0,1\n\x1b[31m1,2\n", "g.csv:3: the character U+001B"), ("t,\u202eg\n0,1\n1,2\n", "g.csv:1: the character U+202E")):
            (self.folder / "g.csv").write_text(text, encoding="utf-8")
            if says:
                self.refused("list", "models", "m.yaml", says=[says])
            else:
                self.plain("list", "models", "m.yaml")
        (self.folder / "g.csv").write_text("t,g\n0,secret\n", encoding="utf-8")
        self.assertNotIn("secret", self.refused("list", "models", "m.yaml", says=["g.csv:2: column 2 is not a number"]))
        (self.folder / "r.txt").write_text("trajectories: 1\nmodel: \x9b31m\n", encoding="utf-8")
        self.refused("score", cli.DALLAS, "--recorded", "x=r.txt", "-o", "x.h5", says=["r.txt:2: the character U+009B"])

    def test_tables_by_path_and_tables_that_are_kept(self):
        model = "equations: 1\nname: t\nspan: 1\nstates: {x: {preset: 1}}\ntables: {g: {file: FILE}}\nflow: {x: g(t)}\n"
        (self.folder / "data").mkdir()
        for name in ("g.csv", "data/g.csv"):
            (self.folder / name).write_text("0,1\n1,2\n", encoding="utf-8")
        for name, where, allowed in (("g.csv", None, True), ("data/g.csv", None, False), ("data/g.csv", "data", True), ("data/../g.csv", "data", False),
                                     ("../x.csv", ".", False), ("/etc/hostname", ".", False), (str(self.folder / "g.csv"), ".", True)):
            (self.folder / "m.yaml").write_text(model.replace("FILE", name), encoding="utf-8")
            options = ["--tables-from", where] if where else []
            if allowed:
                self.plain("list", "models", "m.yaml", *options)
            else:
                self.refused("list", "models", "m.yaml", *options, says=[f"m.yaml:5: table g: '{name}' is a path; allowed: a file beside the text"])
        kept = "table_rows:\n  g:\n  - [0, 1]\n  - [1, 2]\n"
        for name, notes in (("g.csv", 1), ("gone.csv", 0)):
            (self.folder / "m.yaml").write_text(model.replace("FILE", name) + kept, encoding="utf-8")
            done = self.saltus("trajectory", "--model", "m.yaml", "-f", "-o", "t.csv")
            self.assertEqual((done.returncode, done.stderr.count("the rows kept in the text are used, g.csv is not read")), (0, notes), done.stderr)

    def test_a_mark_at_the_beginning_is_skipped(self):
        self.write("a")
        for name in ("m.yaml", "s.yaml", "w.yaml"):
            path = self.folder / name
            path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
        self.plain("plan", "w.yaml")
        self.plain("list", "solvers", "s.yaml")


class Files(Texts):
    """Cube, branch and orbit of all words, their pictures and pages."""

    def script(self, name, *args, drawn=False):
        path = os.path.join(ANALYSIS, name)
        script.started.add(path)  # forks of this process, which has loaded what they need
        done = script.run(path, *(str(self.folder / a) if "." in a else a for a in args), drawn=drawn)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(FORBIDDEN.search(done.stdout + done.stderr))

    def page(self, name):
        text = (self.folder / name).read_text(encoding="utf-8")
        live = Live(text)
        self.assertEqual((live.found, live.script), ([], 1), name)
        self.assertIn("script-src 'sha256-", text)
        self.assertIsNone(FORBIDDEN.search(text))
        return text

    def test_files_and_pages(self):
        self.write(ALL, "a " + ALL, "b " + ALL)
        self.plain("run", "w.yaml", "-o", "w.h5")
        self.plain("orbit", "--model", "m.yaml", "-o", "o.h5")
        self.plain("continue", "--model", "m.yaml", "--in", "k", "--from", "0.9", "--to", "1", "-o", "b.h5")
        for args in (("info", "w.h5"), ("map", "w.h5"), ("tables", "w.h5"),
                     ("recommend", "w.h5", "--at", "k=1,c=0.2", "--error", "1e-3")):
            self.plain(*args)
        with h5py.File(self.folder / "w.h5") as cube:
            self.assertEqual(cli.word(cube.attrs["title"]), line(ALL))
        with h5py.File(self.folder / "b.h5") as branch:
            first = cli.word(branch.attrs["first_open"])
            self.assertIn(first, branch)
            self.assertEqual((first[:10], "/" in first, len([n for n in branch if n.startswith("open_")])), ("open_a a f", False, 2))
        self.rows("a " + ALL)
        self.pictures_of_the_map()
        self.script("branch.py", "b.h5", "-o", ".", drawn=True)
        self.script("branch.py", "o.h5", "-o", ".")
        self.script("branch.py", "b.h5", "-o", "b.html", "--orbits", "0")
        self.script("motion.py", "o.h5", "-o", "o.html")
        for name in ("b.html", "o.html"):
            self.page(name)
        for path in self.folder.glob("*.svg"):
            xml.etree.ElementTree.parse(path)
        self.assertNotIn("PWNED", self.files())
        self.forge()

    def forge(self):
        """The same of a cube that somebody has edited."""
        evil = "\x1b[31mE\x07\u202e\u2028\n" + FORGED + ALL
        with cli.edited(self.folder / "w.h5") as cube:
            for name in ("title", "model_title", "model", "compiler"):
                cube.attrs[name] = evil
            cube["k"].attrs["long_name"] = evil
            cube["k"].attrs["units"] = evil
        self.assertIn("?[31mE??? fine   units", self.plain("info", "w.h5"))
        self.plain("recommend", "w.h5", "--at", "k=1,c=0.2", "--error", "1e-3")
        self.script("report.py", "w.h5", "-o", "w.html")
        self.page("w.html")
        self.pictures_of_the_map()

    def pictures_of_the_map(self):
        self.script("maps.py", "map", "w.h5", "-o", ".", "--error", "1e-2")
        self.script("maps.py", "scores", "w.h5", "-o", ".")

    def test_pictures_that_move(self):
        with open(os.path.join(cli.SWEEPS, "models", "rocking-block.yaml"), encoding="utf-8") as file:
            text = file.read()
        a, b = (json.dumps(word + ALL, ensure_ascii=False) for word in "ab")
        text, titles = re.subn("(?m)^title: .*$", lambda _: f"title: {a}", text)
        text, names = re.subn(r"names: \[[^]]*\]", lambda _: f"names: [{a}, {b}]", text)
        self.assertEqual((titles, names), (1, 2))
        (self.folder / "m.yaml").write_text(text, encoding="utf-8")
        self.plain("trajectory", "--model", "m.yaml", "--t-end", "5", "--dt", "0.5", "-o", "t.h5")
        self.script("motion.py", "t.h5", "-o", "t.svg")
        words = (self.folder / "t.svg").read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(words)
        self.assertEqual((Live(words).found, [e.tag for e in root.iter() if e.tag.endswith("script")]), ([], []))
        self.assertIn("say \"hit\"", "".join(root.itertext()))
        self.assertIsNone(FORBIDDEN.search(words))


class Names(Texts):
    """Names of files in what is written to be read again, by YAML and by a shell."""
    NAME = "m \"q\": [x] {y} #$(touch PWNED) `touch PWNED`; touch PWNED \\n \u00e4 it's\nb'$(touch PWNED)'\t%s"

    def test_a_kept_sweep(self):
        self.write("a")
        name = self.NAME + ".yaml"
        (self.folder / "m.yaml").rename(self.folder / name)
        self.plain("advise", name, "--error", "1e-3", "--cells", "9", "-q", "-k", "kept.yaml")
        self.assertEqual(yaml.safe_load((self.folder / "kept.yaml").read_text(encoding="utf-8"))["model"], name)
        self.plain("plan", "kept.yaml")

    def test_a_job_that_merges(self):
        """array.sbatch hands its output's name on to merge.sbatch."""
        stubs = {"squeue": "", "srun": "", "saltus": 'printf "%s\\0" "$@" >>args', "sbatch": 'until [ "${1##*/}" = merge.sbatch ]; do shift; done; exec bash "$@"'}
        for name, text in stubs.items():
            path = self.folder / name
            path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            path.chmod(0o755)
        home = os.path.dirname(cli.SWEEPS)
        env = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", SALTUS=str(self.folder / "saltus"), SALTUS_HOME=home, SALTUS_LAUNCHER="env",
                   SLURM_JOB_ID="7", SLURM_JOB_NAME="x", SLURM_ARRAY_JOB_ID="7", SLURM_ARRAY_TASK_ID="1", SLURM_ARRAY_TASK_MIN="1", SLURM_ARRAY_TASK_MAX="1",
                   SLURM_ARRAY_TASK_COUNT="1")
        done = subprocess.run(["bash", os.path.join(home, "jobscripts", "array.sbatch"), self.NAME, self.NAME + ".h5"], cwd=self.folder, env=env, text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.folder / "args").read_text(encoding="utf-8").split("\0"),
                         ["merge", self.NAME + ".h5", "--remove", "run", self.NAME, "-o", self.NAME + ".h5", "--part", "1/1", ""])
        self.assertNotIn("PWNED", self.files())


sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "analysis"))
with contextlib.suppress(ImportError):
    import script  # noqa: E402

if __name__ == "__main__":
    unittest.main(verbosity=2)
