"""All that can be known before a run is refused before it: the environment, places of outputs, lists on the command line."""
import os

import cli

SWEEP = """title: hours of work
model: monopod
t_end: 50
solvers: [ode45, radau5]
strategies: [event]
rtol: [1e-6, 1e-8]
cells: {axes: [{name: b, log: [1000, 4000], points: 100000}]}
"""
RUN = ("run", "-q", "s.yaml", "-o", "x.h5")
CUBE = f"{cli.SWEEPS}/stability-plate.yaml"
ENVIRONMENT = (
    ("SALTUS_HINTS", "x", "'x': expected KEY=VALUE"),
    ("SALTUS_HINTS", "a=b,c", "'c': expected KEY=VALUE"),
    *(("SALTUS_ROWS_MEMORY", value, f"= '{value}'; allowed: bytes from 0 to 1e15, such as 1000000000, 500MB or 2GiB")
      for value in ("1GX", "abc", "-1", "1e400", "nan", "0x10", "2e15", "1 000")),
    *(("SALTUS_CC_SECONDS", value, f"= '{value}'; allowed: seconds from 0.001 to 1e6, such as 90, 90s or 2min")
      for value in ("abc", "-1", "0", "60 parsecs")),
    ("SALTUS_CACHE", "images", "allowed: an absolute path"),
    ("OMP_NUM_THREADS", "100000", "is out of range; allowed: 1 to 1024"),
)
WORDS = (
    (("run", "s.yaml", "-o", ""), "the name of the file is empty", 2),
    (("run", "s.yaml", "-o", "dangling.h5"), "is a symbolic link to a file that does not exist", 4),
    (("run", "s.yaml", "-o", "loop.h5"), "is a symbolic link in a circle of links", 4),
    (("run", "s.yaml", "-o", "sub"), "is a directory", 4),
    (("run", "s.yaml", "-o", "none/x.h5"), "make it: mkdir -p none", 4),
    (("run", "s.yaml", "-f", "-o", "s.yaml"), "would overwrite a file that this command reads", 2),
    ((*RUN, "--status", "x.h5"), "write the same file", 2),
    ((*RUN, "--status", "none/status"), "make it: mkdir -p none", 4),
    ((*RUN, "--status", "sub"), "sub", 4),
    ((*RUN, "--hints", "x"), "'x': expected KEY=VALUE", 2),
    ((*RUN, "--part", "3/2"), "'3/2'", 2),
    ((*RUN, "--part", "1/1000000"), "allowed: to 100000 parts", 2),
    ((*RUN, "--every", "abc"), "abc", 2),
    ((*RUN, "--sync", "-1"), "-1", 2),
    ((*RUN, "--set", "t_end=-1"), "--set t_end", 2),
    ((*RUN, "--set", "ten=1"), "unknown key 'ten'", 2),
    (("trajectory", "-m", "monopod", "--param", "b=1500,b=1600", "-o", "x.csv"), "--param: 'b' is there twice; allowed: one value of each", 2),
    (("trajectory", "-m", "monopod", "--param", "b=1500", "--initial", "y1=1,v1=0,y1=2", "-o", "x.csv"), "'y1' is there twice", 2),
    (("advise", "s.yaml", "--error", "1e-3", "-o", ""), "", 2),
)


class Early(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP)
        os.mkdir(self.folder / "sub")
        for name, to in (("dangling.h5", "nowhere.h5"), ("loop.h5", "other.h5"), ("other.h5", "loop.h5")):
            os.symlink(to, self.folder / name)

    def test_the_environment_is_read_before_any_work(self):
        for name, value, says in ENVIRONMENT:
            with self.subTest(name, value=value):
                threads = None if name == "OMP_NUM_THREADS" else 1
                own = {key: word for key, word in os.environ.items() if key != "OMP_NUM_THREADS"}
                env = dict(own, **{name: value})
                if threads is None:
                    done = self.saltus(*RUN, threads=int(value), env=own)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(says, done.stderr)
                else:
                    self.refused(*RUN, threads=1, env=env, says=(name, says))

    def test_words_are_read_before_any_work(self):
        for words, says, code in WORDS:
            with self.subTest(words):
                self.refused(*words, says=(says,), code=code)

    def test_values_with_units_are_taken(self):
        for value in ("1GB", "500 MB", "2GiB", "1e9", "0", ""):
            env = dict(os.environ, SALTUS_ROWS_MEMORY=value, SALTUS_CC_SECONDS="2min")
            self.works("list", "models", env=env)

    def test_a_title_keeps_its_whole_text(self):
        run = ("run", "-q", CUBE, "-f", "-o", "x.h5", "--set", "cells.axes=[{name: n, list: [2]}]", "--set")
        for title in ("run #3", "a: b", "it's mine", "[1, 2]", '"quoted # as YAML"'):
            self.works(*run, f"title={title}")
            with cli.h5py.File(self.folder / "x.h5") as cube:
                self.assertEqual(cli.word(cube.attrs["title"]), title.strip('"'))

    def test_a_link_is_followed(self):
        (self.folder / "sub" / "real.h5").write_text("")
        os.symlink("sub/real.h5", self.folder / "link.h5")
        run = ("run", "-q", CUBE, "-f", "-o", "link.h5", "--set", "cells.axes=[{name: n, list: [2, 3]}]")
        self.works(*run, "--part", "1/2")
        self.works(*run, "--part", "2/2")
        self.assertEqual(sorted(os.listdir(self.folder / "sub")), ["real.h5", "real.h5.journal.1-of-2", "real.h5.journal.2-of-2"])
        self.works("merge", "-q", "-f", "-r", "link.h5")
        self.assertTrue((self.folder / "link.h5").is_symlink())
        self.works("info", "--check", "link.h5")
        self.works(*run)
        self.assertTrue((self.folder / "link.h5").is_symlink())
        self.assertEqual(os.listdir(self.folder / "sub"), ["real.h5"])
        self.works("info", "--check", "sub/real.h5")


cli.main()
