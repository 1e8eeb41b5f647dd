"""Cubes that are damaged, or made to do damage: one clear message, never a crash, a hang or another answer."""
import json
import random
import re
import shutil

import h5py
import numpy as np

import cli

SWEEP = (*cli.SHORT, "t_end=6", "options={}", "solvers=[ode23,ode45,ode15s]", "store={trajectories: [2], every: 0.5}",
         "cells={axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: 3}]}")
AT = ("--at", "b=2000,k=20", "--error", "1e-2")
READERS = {"info": (), "tables": (), "recommend": AT}
TRIALS = 12
SECTOR = 512


class WithCube(cli.InFolder):
    made = b""

    def setUp(self):
        super().setUp()
        if not WithCube.made:
            self.works("run", cli.DALLAS, "-q", "-o", "cube.h5", *cli.sets(*SWEEP))
            WithCube.made = (self.folder / "cube.h5").read_bytes()
        (self.folder / "cube.h5").write_bytes(WithCube.made)
        shutil.copy(self.folder / "cube.h5", self.folder / "good.h5")

    def dataset(self, name):
        """Where the values of a dataset are in the file: first byte, bytes."""
        with h5py.File(self.folder / "good.h5") as cube:
            return cube[name].id.get_offset(), cube[name].id.get_storage_size()

    def names(self):
        with h5py.File(self.folder / "good.h5") as cube:
            return cli.datasets(cube)

    def spoil(self, at, length=1):
        """Bytes that differ from those of the good cube in every bit."""
        data = bytearray(WithCube.made)
        data[at:at + length] = bytes(255 - byte for byte in data[at:at + length])
        (self.folder / "cube.h5").write_bytes(data)


class Damage(WithCube):
    def test_a_whole_cube_is_verified(self):
        self.assertRegex(self.works("info", "--check", "cube.h5"),
                         r"^cube.h5: (\d+) datasets have the values that they were written with; texts, settings, names and "
                         r"labels are as they were sealed\n$")
        number = int(self.works("info", "--check", "cube.h5").split()[1])
        self.assertEqual(number, len(self.names()))
        self.assertEqual(json.loads(self.works("info", "--check", "cube.h5", "--json")),
                         {"path": "cube.h5", "verified": number, "without_checksum": 0,
                          "sealed": ["/", "axes", "sums", "map", "trajectories"], "foreign": []})

    def test_one_byte_of_any_dataset_is_missed(self):
        self.find_damage(self.names()[::8])

    def every_dataset_is_verified(self):
        """Nightly: app.damage_all."""
        self.find_damage(self.names())

    def find_damage(self, names):
        chance = random.Random(1)
        for name in names:
            first, size = self.dataset(name)
            self.spoil(first + chance.randrange(size))
            self.refused("info", "--check", "cube.h5", says=(f"cube.h5: dataset '{name}' is damaged",), code=4)

    def test_damage_to_a_heap_is_found(self):
        """Heaps say which scales belong to a dataset, have no checksum, and h5py searches a damaged one for ever."""
        heaps = [found.start() for found in re.finditer(rb"GCOL\x01\0\0\0", WithCube.made)]
        self.assertGreater(len(heaps), 2)
        for heap in heaps:
            for byte in (15, 16 + 15):  # of the length of the heap, and of that of its first object
                self.spoil(heap + byte)
                self.refused("info", "--check", "cube.h5", says=("cube.h5: a heap of dimension scales is damaged",), code=4)

    def test_a_torn_heap_after_the_end_is_no_damage(self):
        """A loss of power in `saltus map`: the superblock is the old one, and a heap after the end that it names is not whole."""
        tail = bytes(-len(WithCube.made) % 4096) + b"GCOL\x01\0\0\0" + (8192).to_bytes(8, "little") + b"\1\0\1\0" + bytes(4)
        tail += (4080).to_bytes(8, "little") + b"x" * 4064 + bytes(4096)
        (self.folder / "cube.h5").write_bytes(WithCube.made + tail)
        self.works("info", "--check", "cube.h5")
        self.works("map", "cube.h5", "--error", "1e-3")
        self.works("info", "--check", "cube.h5")

    def test_whoever_reads_values_verifies_them(self):
        """The datasets that decide, each a byte at a time."""
        for name, *commands in (("max_error", "recommend", "tables"), ("rhs_evaluations", "recommend"),
                                ("outcome", "info", "tables"), ("integral_absolute_error", "tables"),
                                ("b", "info", "tables"), ("reference_error", "info", "tables"),
                                ("reference_error_watched", "info", "recommend"),
                                ("solver", "info", "recommend", "tables"), ("rtol", "recommend")):
            first, size = self.dataset(name)
            self.spoil(first + size // 2)
            for command in commands:
                self.refused(command, "cube.h5", *READERS[command], says=(f"dataset '{name}' is damaged",), code=4)
            self.refused("diff", "cube.h5", "good.h5", says=("cube.h5: dataset",), code=4)
        first, _ = self.dataset("max_error")
        self.spoil(first + 3)
        for command, *args in (("map",), ("refine", "-q", "--cells", 3, "-o", "b.h5")):
            self.refused(command, "cube.h5", *args, says=("dataset 'max_error' is damaged",), code=4)

    def test_damage_anywhere_changes_no_answer(self):
        """Lost sectors and turned bytes: the same answer as before, or a complaint."""
        chance = random.Random(2)
        good = {command: self.works(command, "cube.h5", *args) for command, args in READERS.items()}
        refused = 0
        for _ in range(TRIALS):
            length = chance.choice((1, 1, 4, SECTOR))
            at = chance.randrange(len(WithCube.made) - length)
            self.spoil(at - at % SECTOR if length == SECTOR else at, length)
            for command, args in READERS.items():
                done = self.saltus(command, "cube.h5", *args)
                self.assertIn(done.returncode, (0, 2, 4, 6), (command, at, length, done.stderr))
                if done.returncode == 0:
                    self.assertEqual(done.stdout, good[command], (command, at, length))
                else:
                    refused += 1
                    self.assertEqual(done.stderr.count("\n"), 1, (command, at, length, done.stderr))
        self.assertGreater(refused, TRIALS // 4)


def replace(cube, name, **how):
    """A dataset in place of another, made by h5py's create_dataset."""
    del cube[name]
    cube.create_dataset(name, **how)


class Hostile(WithCube):
    def check(self, change, *says, commands=("info", "tables", "recommend"), code=2):
        """All of these commands refuse the cube after a change by h5py."""
        shutil.copy(self.folder / "good.h5", self.folder / "cube.h5")
        with cli.edited(self.folder / "cube.h5") as cube:
            change(cube)
        args = {**READERS, "map": (), "store": ("-f", "--cells", "1"), "refine": ("-q", "-f", "--cells", 3, "-o", "b.h5"),
                "info --check": ()}
        for command in commands:
            line = self.refused(*command.split(), "cube.h5", *args[command], says=says, code=code)
            self.assertIn("cube.h5: ", line)

    def test_more_of_a_kind_than_a_sweep_may_have(self):
        many = np.array([f"ode{i}".encode() for i in range(60)])
        for name in ("solver", "strategy"):
            self.check(lambda cube, name=name: replace(cube, name, data=many),
                       f"has 60 values of the dimension '{name}'; allowed: 1 to 48",
                       commands=(*READERS, "map", "store", "refine"))
        self.check(lambda cube: replace(cube, "rtol", data=np.arange(49.0)), "49 values of the dimension 'rtol'")
        words = " ".join(f"p{i}" for i in range(65))
        self.check(lambda cube: cube.attrs.__setitem__("parameters", words), "has 65 parameters; allowed: 1 to 64")
        words = " ".join(f"s{i}" for i in range(1025))
        self.check(lambda cube: cube.attrs.__setitem__("states", words), "has 1025 states; allowed: 1 to 1024")

    def test_dimensions_that_no_file_holds(self):
        for size in (2**27, 2**31 - 1, 2**32 + 3, 2**62):
            self.check(lambda cube, size=size: replace(cube, "cell_number", shape=(size,), dtype="i8", chunks=(1024,)),
                       f"dataset 'cell_number' claims to hold {size} values")

        def long_but_written(cube):
            replace(cube, "cell_number", shape=(10**8 + 1,), dtype="i1", chunks=(10**7,), compression="gzip")
            for first in range(0, 10**8 + 1, 10**7):
                cube["cell_number"][first:first + 10**7] = 1
        self.check(long_but_written, "100000001 values of the dimension 'cell'; allowed: 1 to 100000000")

    def test_shapes_that_do_not_belong_together(self):
        self.check(lambda cube: replace(cube, "cell_number", data=np.arange(12).reshape(3, 4)),
                   "the scale 'cell_number' has 2 dimensions; allowed: 1")
        self.check(lambda cube: replace(cube, "max_error", data=np.zeros((12, 2, 2, 4))), "dataset 'max_error'",
                   commands=("tables", "recommend", "map", "refine"))
        self.check(lambda cube: replace(cube, "b", data=np.ones(13)), "dataset 'b' has 13 values; the dimensions say 12")
        self.check(lambda cube: replace(cube, "outcome", data=np.zeros((12, 2), "i1")), "dataset 'outcome'",
                   commands=("info", "tables", "recommend", "map", "refine"))

    def test_a_sweep_of_other_configs(self):
        names = np.array([b"ode23", b"ode15s", b"ode45"])
        self.check(lambda cube: replace(cube, "solver", data=names), "its sweep and its dimensions do not belong together",
                   commands=("recommend", "map", "refine"))
        self.check(lambda cube: cube["rtol"].__setitem__(1, 1e-5), "do not belong together",
                   commands=("recommend", "map", "refine"))

    def test_values_of_another_kind(self):
        self.check(lambda cube: replace(cube, "solver", data=np.arange(3.0)), "dataset 'solver' holds no text")
        self.check(lambda cube: replace(cube, "b", data=np.array([b"x"] * 12)), "dataset 'b' holds no numbers")
        pairs = np.zeros(12, dtype=[("a", "f8"), ("b", "f8")])
        self.check(lambda cube: replace(cube, "b", data=pairs), "dataset 'b' holds neither numbers nor text")
        self.check(lambda cube: replace(cube, "rhs_evaluations", data=pairs), "'rhs_evaluations' holds neither",
                   commands=("tables", "recommend", "map", "info --check"))
        self.check(lambda cube: cube.attrs.__setitem__("sweep", 7), "attribute 'sweep' is not a text of fixed length")
        self.check(lambda cube: cube.attrs.__setitem__("t_end", np.arange(3.0)), "attribute 't_end' is not a single value")

    def test_a_group_with_other_shapes(self):
        def flat(cube):
            replace(cube, "trajectories/t", data=np.zeros((1,) * 30))
        with cli.edited(self.folder / "cube.h5") as cube:
            flat(cube)
        self.assertIn("at 1 point\n", self.works("info", "cube.h5"))
        self.check(lambda cube: replace(cube, "trajectories/cell_number", shape=(2**40,), dtype="i8", chunks=(8,)),
                   "dataset 'trajectories/cell_number' claims", commands=("info", "info --check"))

    def test_names_do_not_steer_the_terminal(self):
        with cli.edited(self.folder / "cube.h5") as cube:
            replace(cube, "solver", data=np.array([b"\x1b[31mode23", b"ode45\x07", b"ode15s"]))
            cube.attrs["host"] = np.bytes_("\x1b]0;owned\x07")
        text = self.works("info", "cube.h5")
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f]")
        self.assertIn("?[31mode23", text)


cli.main()
