"""Cubes that somebody edited: their texts, settings, names and labels are under a seal, and no command takes them for what
was written."""
import json
import os
import pathlib
import shutil
import signal
import subprocess

import h5py
import numpy as np

import cli

SWEEP = (*cli.SHORT, "t_end=6", "options={}", "solvers=[ode23,ode45,ode15s]", "store={trajectories: [2], every: 0.5}",
         "cells={axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: 3}]}")
AT = ("--at", "b=2000,k=20", "--error", "1e-2")
COMMANDS = {"info": (), "info --check": (), "tables": (), "recommend": AT, "recommend --run": AT,
            "plan": (), "map": (), "store": ("-q", "-f", "--cells", "1"), "refine": ("-q", "--cells", 3, "-o", "b.h5"),
            "regret": ("-q", "--points", 2, "-r", 1, "-o", "p.h5")}
RUNNING = ("recommend --run", "store", "refine", "regret")
COMPRESS = pathlib.Path(cli.SWEEPS).parent / "jobscripts" / "compress.sh"


def text(value):
    """A text as cubes keep it."""
    return np.bytes_(value)


def label(name, key, value):
    return lambda cube: cube[name].attrs.__setitem__(key, value)


def setting(key, value):
    return lambda cube: cube.attrs.modify(key, value)


def other_sweep(cube):
    cube.attrs["sweep"] = text(cli.word(cube.attrs["sweep"]).replace("ode45", "ode54"))


def other_value(cube):
    cube["max_error"][1, 0, 0, 0] += 1


def relabelled(cube):
    """A dataset in place of another."""
    for name, other in (("steps", "spare"), ("failed_steps", "steps"), ("spare", "failed_steps")):
        cube.move(name, other)


def external_link(cube):
    del cube["b"]
    cube["b"] = h5py.ExternalLink("/etc/passwd", "/x")


def soft_link(cube):
    del cube["map/b"]
    cube["map/b"] = h5py.SoftLink("/k")


def virtual(cube):
    layout = h5py.VirtualLayout(shape=cube["b"].shape, dtype="f8")
    layout[...] = h5py.VirtualSource("other.h5", "b", shape=cube["b"].shape)
    del cube["b"]
    cube.create_virtual_dataset("b", layout)


def elsewhere(cube):
    shape = cube["b"].shape
    del cube["b"]
    cube.create_dataset("b", shape, "f8", external=[("other.bin", 0, h5py.h5f.UNLIMITED)])


def detached(cube):
    cube["max_error"].dims[1].detach_scale(cube["rtol"])


# The edit, and a word of the message.
EDITS = {"the sweep": (other_sweep, "attribute 'sweep' is damaged"),
         "the title": (setting("title", text("another")), "attribute 'title' is damaged"),
         "a setting": (setting("t_end", 7.0), "attribute 't_end' is damaged"),
         "a whole number": (setting("n_mesh", np.int64(7)), "attribute 'n_mesh' is damaged"),
         "an attribute gone": (lambda cube: cube.attrs.__delitem__("floor"), "has no attribute 'floor'"),
         "an optional attribute": (setting("pilots_validation", text("mine")), "has an attribute 'pilots_validation'"),
         "an attribute of the map": (lambda cube: cube["map"].attrs.__setitem__("note", 1), "has an attribute 'map/note'"),
         "a unit": (label("max_error", "units", text("m")), "'max_error' is damaged"),
         "a meaning": (label("outcome", "flag_meanings", text("a b")), "'outcome' is damaged"),
         "a checksum": (label("b", "checksum", np.array([1, 1], "u8")), "'b' is damaged"),
         "a known label": (label("b", "flag_meanings", text("mine")), "'b' is damaged"),
         "a scale": (detached, "is damaged"),
         "a name": (lambda cube: cube.move("steps", "paces"), "has no 'steps'"),
         "two names": (relabelled, "'failed_steps' is damaged"),
         "an object gone": (lambda cube: cube.__delitem__("grazes"), "has no 'grazes'"),
         "a metric more": (lambda cube: cube.create_dataset("map/by_orbit_best", data=np.ones(12)), "has an object 'map/by_orbit_best'"),
         "names of methods": (lambda cube: cube["solver"].__setitem__(0, b"ode54"), "'solver' is damaged"),
         "the sums": (lambda cube: cube.__delitem__("sums"), "has no 'sums'"),
         "the seal": (lambda cube: cube.attrs.__delitem__("seal"), "has no attribute 'seal'"),
         "a seal's line": (lambda cube: cube.attrs.modify("seal", text(cli.word(cube.attrs["seal"]).replace("@title", "@tytle"))),
                           "attribute 'seal' is damaged"),
         "another layout": (setting("layout", np.int64(2)), "has layout 2; this saltus reads layout 4: run its sweep again"),
         "the map's question": (lambda cube: cube["map"].attrs.modify("error_metric", text("orbit")), "'map/error_metric' is damaged"),
         "the map's seal": (lambda cube: cube["map"].attrs.__delitem__("seal"), "has no attribute 'map/seal'"),
         "the map's members": (lambda cube: cube.__delitem__("map/by_error_best"), "has no 'map/by_error_best'"),
         "a trajectory's unit": (label("trajectories/y1", "units", text("mm")), "'trajectories/y1' is damaged"),
         "a link out": (external_link, "b' is a link to another file"),
         "a link aside": (soft_link, "b' is a link to '/k'; allowed: to '/b'"),
         "a group elsewhere": (lambda cube: (cube.__delitem__("map"), cube.__setitem__("map", h5py.ExternalLink("other.h5", "/"))),
                               "'map' is a link"),
         "a virtual dataset": (virtual, "the values of dataset 'b' are in other files"),
         "values elsewhere": (elsewhere, "the values of dataset 'b' are in other files")}
MISUSED = ("a link out", "a link aside", "a group elsewhere", "a virtual dataset", "values elsewhere", "the seal", "the map's seal", "another layout")


class WithCube(cli.InFolder):
    made = b""

    def setUp(self):
        super().setUp()
        if not WithCube.made:
            self.works("run", cli.DALLAS, "-q", "-o", "good.h5", *cli.sets(*SWEEP))
            WithCube.made = (self.folder / "good.h5").read_bytes()
        self.renew()
        (self.folder / "good.h5").write_bytes(WithCube.made)

    def renew(self):
        (self.folder / "cube.h5").write_bytes(WithCube.made)

    def edit(self, change, path="cube.h5"):
        with h5py.File(self.folder / path, "r+") as cube:
            change(cube)


class Edits(WithCube):
    def test_every_edit_is_told_by_every_command(self):
        """All edits by one command, all commands by two edits."""
        for name, (change, says) in EDITS.items():
            self.renew()
            self.edit(change)
            every = name in ("the sweep", "a link out", "another layout")
            for command in COMMANDS if every else ("info --check",):
                word, *more = command.split()
                with self.subTest(edit=name, command=command):
                    self.refused(word, "cube.h5", *more, *COMMANDS[command], says=("cube.h5: ", says), threads=1,
                                 code=2 if name in MISUSED else 4)
            if every:
                self.refused("diff", "good.h5", "cube.h5", says=(says,), code=2 if name in MISUSED else 4)

    def test_a_value_is_told_by_its_block(self):
        self.edit(other_value)
        self.refused("info", "--check", "cube.h5", says=("dataset 'max_error' is damaged",), code=4)
        with h5py.File(self.folder / "cube.h5", "r+") as cube:
            sums, check = cube["sums/block"], cube["max_error"].attrs["checksum"]
            first, n_block = int(check[3]), -(-len(cube["max_error"]) // int(check[2]))
            self.assertGreater(n_block, 1)
            self.assertEqual(sums[first:first + n_block].astype("u8").sum(dtype="u8"), check[0])
            cube["max_error"][1, 0, 0, 0] = h5py.File(self.folder / "good.h5")["max_error"][1, 0, 0, 0]
            sums[first] += 1
        self.refused("info", "--check", "cube.h5", says=("dataset 'sums/block' is damaged",), code=4)
        self.works("tables", "cube.h5")  # it reads all cells, whose own sum is right

    def test_a_sealed_cube_runs(self):
        for command in RUNNING:
            word, *more = command.split()
            done = self.saltus(word, "cube.h5", *more, *COMMANDS[command])
            self.assertEqual((done.returncode, "seal" in done.stderr), (0, False), done.stderr)


def annotate(cube):
    """As a user does: texts of h5py's own type, a dataset along the dimension of cells, a group."""
    cube.attrs["my_note"] = "measured on Monday"
    cube["max_error"].attrs["seen\x9b"] = [1.5, 2.5]
    cube.create_dataset("mine", data=np.ones(cube["b"].shape)).dims[0].attach_scale(cube["cell"])
    cube.create_group("figures").attrs["of"] = "mine"


FOREIGN = ["@my_note", "@max_error:seen?", "figures", "mine"]


class Foreign(WithCube):
    def foreign(self, path="cube.h5"):
        return json.loads(self.works("info", "--check", path, "--json"))["foreign"]

    def test_what_a_user_adds_is_a_note(self):
        self.assertEqual(self.foreign(), [])
        self.edit(annotate)
        self.assertCountEqual(self.foreign(), FOREIGN)
        told = self.works("info", "--check", "cube.h5")
        for name in ("attribute 'my_note'", "attribute 'max_error:seen?'", "object 'figures'", "object 'mine'"):
            self.assertIn(f"note: {name} is not saltus's own; no command reads it\n", told)
        self.assertEqual(self.works("diff", "cube.h5", "good.h5"), "the same, timings aside\n")
        self.assertEqual(self.works("recommend", "cube.h5", *AT), self.works("recommend", "good.h5", *AT))

    def test_it_stays_when_a_map_is_made_anew(self):
        self.edit(annotate)
        self.works("map", "cube.h5")
        self.works("store", "-q", "-f", "cube.h5", "--cells", "1")
        self.assertCountEqual(self.foreign(), FOREIGN)
        with h5py.File(self.folder / "cube.h5") as cube:
            self.assertEqual(cli.word(cube.attrs["my_note"]), "measured on Monday")
            self.assertEqual(list(cube["mine"].dims[0].values())[0], cube["cell"])

    def test_what_cannot_be_copied_is_refused(self):
        self.edit(lambda cube: cube.attrs.__setitem__("tags", ["a", "bc"]))
        self.refused("map", "cube.h5", says=("attribute 'tags' is a list of variable length", "delete it first"))
        self.assertEqual(self.foreign(), ["@tags"])


class Kept(WithCube):
    def sealed(self, path):
        return json.loads(self.works("info", "--check", path, "--json"))["sealed"]

    def lines(self, path):
        """The seal of the root group without the lines that differ between runs."""
        with h5py.File(self.folder / path) as cube:
            return [line for line in cli.word(cube.attrs["seal"]).splitlines() if line.partition(" ")[0] not in
                    ("@command", "@created", "@ranks", "@wall_seconds", "=") and not self.timed(cube, line)]

    @staticmethod
    def timed(cube, line):
        name = line[1:].partition(" ")[0]
        return line[0] == "/" and (name == "sums" or cli.word(cube[name].attrs.get("kind")) == "timing")

    def test_the_same_for_any_number_of_ranks(self):
        wanted = self.lines("good.h5")
        self.assertGreater(len(wanted), 80)
        with h5py.File(self.folder / "good.h5") as cube:
            sums = {name: self.sums(cube, name) for name in ("max_error", "outcome", "steps", "reference_error")}
        for ranks in (1, 2, 3):
            self.works("run", cli.DALLAS, "-q", "-f", "-o", "r.h5", *cli.sets(*SWEEP), ranks=ranks)
            self.assertEqual(self.lines("r.h5"), wanted)
            self.sealed("r.h5")
            with h5py.File(self.folder / "r.h5") as cube:
                for name, found in sums.items():
                    self.assertEqual(self.sums(cube, name), found)

    @staticmethod
    def sums(cube, name):
        _, _, cells, first = map(int, cube[name].attrs["checksum"])
        return list(cube["sums/block"][first:first - (-12 // cells)])

    def test_what_is_added_later_keeps_it(self):
        self.works("run", cli.DALLAS, "-q", "-f", "--no-map", "-o", "a.h5", *cli.sets(*SWEEP, "store={}"))
        self.assertEqual(self.sealed("a.h5"), ["/", "axes", "sums"])
        before = self.lines("a.h5")
        self.works("map", "a.h5")
        self.assertEqual(self.sealed("a.h5"), ["/", "axes", "sums", "map"])
        self.works("store", "-q", "a.h5", "--cells", "1,4", "--every", 0.5)
        self.works("map", "a.h5")
        self.assertEqual(self.sealed("a.h5"), ["/", "axes", "sums", "map", "trajectories"])
        self.assertEqual(self.lines("a.h5"), before)

    def test_it_survives_repacking(self):
        size = (self.folder / "cube.h5").stat().st_size
        subprocess.run(["bash", COMPRESS, "cube.h5"], cwd=self.folder, check=True, capture_output=True,
                       env=dict(os.environ, SALTUS=cli.SALTUS))
        self.assertLess((self.folder / "cube.h5").stat().st_size, size)
        self.assertEqual(self.sealed("cube.h5"), ["/", "axes", "sums", "map", "trajectories"])
        self.edit(EDITS["a unit"][0])
        self.refused("info", "cube.h5", says=(EDITS["a unit"][1],), code=4)

    def test_the_order_of_creation_is_no_part_of_it(self):
        """An attribute and an object made anew, as they were."""
        def anew(cube):
            title = cube.attrs["title"]
            del cube.attrs["title"]
            cube.attrs["title"] = title
            cube["spare"] = cube["steps"]
            del cube["steps"]
            cube.move("spare", "steps")
        self.edit(anew)
        self.sealed("cube.h5")

    def test_killed_while_it_is_sealed(self):
        """Frozen when the values are there, and killed: no cube, and the next run makes a whole one."""
        command = [cli.SALTUS, "run", cli.DALLAS, "-q", "-o", "k.h5", *cli.sets(*SWEEP)]
        part = self.folder / "k.h5.part"
        run = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL)
        cli.wait_until(part.exists, run)
        run.send_signal(signal.SIGKILL)
        run.wait()
        if not (self.folder / "k.h5").exists():  # else it was faster
            if part.exists():
                shutil.copy(part, self.folder / "torn.h5")
                if self.saltus("info", "torn.h5").returncode == 0:  # killed after the seal, before it got its name
                    self.works("info", "--check", "torn.h5")
            self.works("run", cli.DALLAS, "-q", "-o", "k.h5", *cli.sets(*SWEEP))
        self.sealed("k.h5")
        self.assertEqual(self.works("diff", "k.h5", "good.h5"), "the same, timings aside\n")


cli.main()
