"""An output is never an input or another output, also with --force, through links and other spellings, and no file is lost."""
import os
import shutil

import cli

MODEL = """equations: 1
name: ball
span: 2
watch: y
parameters: {g: {preset: 9.81, range: [9, 10]}}
states: {y: {preset: 1, range: [0.5, 2]}, v: {preset: 0, rate_of: y}}
tables: {wind: {file: wind.csv}}
contacts: {floor: {names: [hit, leave], gap: y, closes: {y: 0, v: -0.8 * v}, stays: rests}}
flow: {y: 0 if floor else v, v: 0 if floor else wind(t) - g}
"""
SWEEP = """model: m.yaml
t_end: 1
solvers: [ode45, pair.yaml]
strategies: [event]
rtol: [1e-3, 1e-5]
cells: {axes: [{name: g, linear: [9, 10], points: 4}, {name: y, linear: [0.5, 2], points: 4}]}
"""
READS, TWICE = "would overwrite a file that this command reads", "write the same file"


class Outputs(cli.InFolder):
    def setUp(self):
        super().setUp()
        for name, text in (("m.yaml", MODEL), ("s.yaml", SWEEP), ("wind.csv", "0, 0\n5, 0.1\n"), ("costs.yaml", "")):
            (self.folder / name).write_text(text)
        solver = next(name for name in sorted(os.listdir(os.path.join(cli.SWEEPS, "solvers"))) if name.endswith(".yaml"))
        shutil.copy(os.path.join(cli.SWEEPS, "solvers", solver), self.folder / "pair.yaml")
        for name in ("s.yaml", "m.yaml", "wind.csv", "pair.yaml"):
            os.symlink(name, self.folder / f"link-{name}")
            os.link(self.folder / name, self.folder / f"second-{name}")
        os.mkdir(self.folder / "sub")
        os.symlink("nowhere/x.h5", self.folder / "dangling.h5")

    def test_inputs_of_runs_are_kept(self):
        for name in ("s.yaml", "m.yaml", "wind.csv", "pair.yaml"):
            for spelling in (name, f"link-{name}", f"second-{name}", f"sub/../{name}"):
                self.refused("run", "-q", "-f", "s.yaml", "-o", spelling, says=(spelling, READS))
        for name in ("s.yaml", "m.yaml"):
            self.refused("run", "-q", "-f", "s.yaml", "-o", "c.h5", "--status", name, says=(name, READS))
            self.refused("advise", "m.yaml", "--error", "1e-3", "-f", "--keep", "m.yaml", says=("m.yaml", READS))
            self.refused("score", "-f", "s.yaml", "--export", name, says=(name, READS))

    def test_inputs_of_single_runs_are_kept(self):
        for words in (("trajectory", "-m", "m.yaml", "-f"), ("orbit", "-m", "m.yaml", "-f"), ("trajectory", "-m", "m.yaml", "-M", "pair.yaml", "-f")):
            for name in ("m.yaml", "wind.csv", "link-m.yaml"):
                self.refused(*words, "-o", name, says=(name,))

    def test_two_outputs_are_two_files(self):
        self.refused("run", "-q", "s.yaml", "-o", "b.h5", "--status", "b.h5", says=("b.h5", TWICE))
        self.refused("run", "-q", "s.yaml", "-o", "b.h5", "--status", "sub/../b.h5", says=("b.h5", TWICE))
        self.refused("advise", "m.yaml", "--error", "1e-3", "--keep", "k.h5", "-o", "k.h5", says=("k.h5", TWICE))

    def test_cubes_are_kept(self):
        self.works("run", "-q", "s.yaml", "-o", "c.h5")
        os.link(self.folder / "c.h5", self.folder / "second.h5")
        ask = ("--error", "1e-3")
        for words in (("raster", "c.h5", "-f", *ask), ("regret", "c.h5", "-f", "-n", "1")):
            for name in ("c.h5", "second.h5", "sub/../c.h5"):
                self.refused(*words, "-o", name, says=(name, READS))
        (self.folder / "notes.txt").write_text("keep")
        self.refused("raster", "c.h5", *ask, "-o", "notes.txt", says=("notes.txt: exists; --force overwrites",), code=3)

    def test_journals_that_a_kill_has_left_are_named(self):
        """One after publication: the cube is there, and so are its journals."""
        self.works("run", "-q", "s.yaml", "-o", "c.h5", "--part", "1/2")
        os.rename(self.folder / "c.h5.journal.1-of-2", self.folder / "k.h5.journal")
        self.works("run", "-q", "s.yaml", "-o", "c.h5")
        os.rename(self.folder / "c.h5", self.folder / "k.h5")
        self.refused("run", "-q", "s.yaml", "-o", "k.h5", says=("k.h5: exists; --force overwrites; in the end it removes k.h5.journal",), code=3)
        self.assertIn("k.h5.journal: journals of another run", self.works("info", "k.h5"))
        self.works("run", "-q", "-f", "s.yaml", "-o", "k.h5")
        self.assertNotIn("k.h5.journal", os.listdir(self.folder))
        self.assertNotIn("journal", self.works("info", "k.h5"))

    def test_names_that_cannot_be_written_are_refused_before_any_work(self):
        self.refused("run", "-q", "s.yaml", "-o", "", says=("the output: the name of the file is empty",))
        self.refused("run", "-q", "s.yaml", "-o", "dangling.h5", says=("dangling.h5: is a symbolic link to a file that does not exist",), code=4)


cli.main()
