"""Cubes of layouts 1 to 3, with other names: read, compared and taken over by all commands."""
import gzip
import os
import pathlib
import shutil
import sys

import h5py
import numpy as np
import xarray

import cli

sys.path.insert(0, os.path.join(cli.SWEEPS, "..", "analysis"))
import cube as cubes  # noqa: E402 (the folder is known only now)

SWEEP = (*cli.SHORT, "t_end=6", "options={}", "methods=[ode23,ode45,ode15s]",
         "cells={axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: 3}]}")
STORED = "store={trajectories: [2,5], every: 0.5}"
# Datasets of each group by their names then.
RENAMED = {"": {"rtol": "tolerance", "solver": "method"},
           "trajectories": {"rtol": "tolerance", "solver": "method"},
           "map": {"rtol": "tolerance"}}
DATA = pathlib.Path(__file__).parent.parent / "data"
ABOUT = ("solver_title", "strategy_title", "strategy_about")  # cubes have had them since version 3.1
OLDER = "map: not compared, since that of old.h5 is of an older program\n"


def heap_text(holder, name, value):
    """An attribute of text as layout 1 had it."""
    del holder.attrs[name]
    holder.attrs[name] = value


def age_dataset(item):
    """Texts of any length, no checksums, a fill value for all counts."""
    item.attrs.pop("checksum", None)
    if item.dtype == np.int64 and cli.word(item.attrs["kind"]) == "count":
        item.attrs["_FillValue"] = np.array([-1])
    for name in ("long_name", "units", "kind", "flag_meanings", "coordinates"):
        if name in item.attrs:
            heap_text(item, name, cli.word(item.attrs[name]))


def age_scale(group, name, then):
    """A scale by its name then; attached to what it was."""
    if name != then:
        group.move(name, then)
        group[then].attrs["NAME"] = np.bytes_(then)


def age(path):
    """Makes a cube of layout 1 of one of the present layout."""
    with h5py.File(path, "r+") as cube:
        cli.unseal(cube)
        for name in ABOUT:
            del cube[name]
        for name in ("sweep", "title", "model", "content", "version", "git_commit", "parameters", "states"):
            heap_text(cube, name, cli.word(cube.attrs[name]))
        cube.attrs.modify("layout", np.int64(1))
        cube.visititems(lambda _, item: age_dataset(item) if isinstance(item, h5py.Dataset) else None)
        for group, names in RENAMED.items():
            for now, then in names.items() if not group or group in cube else ():
                age_scale(cube[group] if group else cube, now, then)
        del cube["map"].attrs["layout"]
        texts = np.array([cli.word(w) for w in cube["method"][()]], dtype=object)
        users = [n for n, d in cube.items() if isinstance(d, h5py.Dataset) and d.ndim == 4]
        for name in users:
            cube[name].dims[3].detach_scale(cube["method"])
        del cube["method"]
        cube.create_dataset("method", data=texts, dtype=h5py.string_dtype()).make_scale("method")
        cube["method"].attrs["kind"] = "coordinate"
        for name in users:
            cube[name].dims[3].attach_scale(cube["method"])


def age_texts(path):
    """Makes a cube of layout 2 of one of the present layout: texts are strings of one length."""
    with h5py.File(path, "r+") as cube:
        cli.unseal(cube)
        names = [n for n in cli.datasets(cube) if cube[n].dtype == "S1" and cube[n].ndim == 2]
        for name in names:
            old, words = cube[name], [cli.word(w) for w in cube[name][()]]
            scale = old.attrs.get("CLASS") == b"DIMENSION_SCALE"
            group, last = old.parent, name.rpartition("/")[2]
            users = [(d, i) for d in group.values() if isinstance(d, h5py.Dataset) and "DIMENSION_LIST" in d.attrs and d != old
                     for i in range(d.ndim) if scale and last in [s.name.rpartition("/")[2] for s in d.dims[i].values()]]
            for user, i in users:
                user.dims[i].detach_scale(old)
            kind = old.attrs["kind"]
            del group[last]
            new = group.create_dataset(last, data=np.array([w.encode() for w in words]), dtype=f"S{1 + max(map(len, words))}")
            new.attrs["kind"] = kind
            if scale:
                new.make_scale(last)
            for user, i in users:
                user.dims[i].attach_scale(new)


class Layout(cli.InFolder):
    made = {}

    def setUp(self):
        super().setUp()
        if not Layout.made:
            self.works("run", cli.DALLAS, "-q", "-o", "new.h5", *cli.sets(*SWEEP, STORED))
            shutil.copy(self.folder / "new.h5", self.folder / "old.h5")
            age(self.folder / "old.h5")
            Layout.made = {name: (self.folder / name).read_bytes() for name in ("new.h5", "old.h5")}
        for name, data in Layout.made.items():
            (self.folder / name).write_bytes(data)

    def names(self, path):
        with h5py.File(self.folder / path) as cube:
            return {group: set(cube[group] if group else cube) for group in RENAMED if not group or group in cube}

    def check_names(self, path, layout):
        found = self.names(path)
        for group in found:
            now, then = set(RENAMED[group]), set(RENAMED[group].values())
            wanted, others = (now, then) if layout > 1 else (then, now)
            self.assertLessEqual(wanted, found[group], group)
            self.assertFalse(others & found[group], group)
            self.assertEqual(("cell_number" in found[group], "axes" in found[group]), (layout > 3, layout > 3 and not group))
        with h5py.File(self.folder / path) as cube:
            self.assertEqual(cube.attrs["layout"], layout)

    def test_it_is_the_same_as_a_cube_of_today(self):
        self.check_names("new.h5", 4)
        self.check_names("old.h5", 1)
        for pair in (("new.h5", "old.h5"), ("old.h5", "new.h5"), ("old.h5", "old.h5")):
            older = "" if pair == ("old.h5", "old.h5") else OLDER
            self.assertEqual(self.works("diff", *pair), older + "the same, timings aside\n")

    def test_strings_of_one_length_are_read(self):
        shutil.copy(self.folder / "new.h5", self.folder / "two.h5")
        age_texts(self.folder / "two.h5")
        with h5py.File(self.folder / "two.h5") as cube:
            self.assertEqual((cube["solver"].dtype.kind, cube["solver"].ndim, cube.attrs["layout"]), ("S", 1, 2))
        for pair in (("new.h5", "two.h5"), ("two.h5", "new.h5"), ("two.h5", "old.h5")):
            self.assertIn("the same, timings aside\n", self.works("diff", *pair))
        for args in (("tables",), ("recommend", "--at", "b=2000,k=20", "--error", "1e-2"), ("info",)):
            texts = [self.works(args[0], path, *args[1:]).replace("two.h5", "new.h5") for path in ("new.h5", "two.h5")]
            self.assertEqual(*texts)
        self.works("map", "two.h5")
        self.check_names("two.h5", 2)
        self.assertIn("the same", self.works("diff", "two.h5", "new.h5"))

    def test_what_differs_is_found_and_named_as_today(self):
        with h5py.File(self.folder / "old.h5", "r+") as cube:
            cube["steps"][4, 1, 0, 1] += 1
            cube["tolerance"][1] *= 2
            cube["trajectories/y1"][0, 0, 0, 0, 3] += 1
        for pair in (("new.h5", "old.h5"), ("old.h5", "new.h5")):
            done = self.saltus("diff", *pair)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            lines = [line.partition(":")[0] for line in done.stdout.splitlines()]
            self.assertEqual(sorted(lines), ["map", "rtol", "steps", "trajectories/y1"])

    def test_commands_that_read_give_the_same_answers(self):
        at = ("--at", "b=2000,k=20", "--error", "1e-2")
        for args in (("tables",), ("recommend", *at), ("recommend", *at, "--json"), ("info",)):
            command, *more = args
            texts = [self.works(command, path, *more).replace("old.h5", "new.h5") for path in ("new.h5", "old.h5")]
            self.assertEqual(*texts, args)
            self.assertGreater(len(texts[0]), 100)

    def test_map_and_store_write_the_names_of_today(self):
        for args in (("map",), ("store", "-q", "-f", "--cells", "2,5", "--every", 0.5)):
            (self.folder / "old.h5").write_bytes(Layout.made["old.h5"])
            self.works(args[0], "old.h5", *args[1:])
            self.check_names("old.h5", 2)
            older = OLDER if args[0] == "store" else ""
            self.assertEqual(self.works("diff", "old.h5", "new.h5"), older + "the same, timings aside\n")
            for group in RENAMED:
                with xarray.open_dataset(self.folder / "old.h5", group=group or None, engine="h5netcdf") as a, \
                     xarray.open_dataset(self.folder / "new.h5", group=group or None, engine="h5netcdf") as b:
                    a, b = cubes.renamed(a), cubes.renamed(b)
                    self.assertEqual(dict(a.sizes), dict(b.sizes))
                    xarray.testing.assert_equal(a, b.drop_vars(ABOUT, errors="ignore"))
        self.assertIn("have no checksum", self.works("info", "--check", "old.h5"))

    def test_a_cube_of_layout_3_is_read_and_keeps_its_names(self):
        """One that version 3.1.0 has written, with its seals."""
        three = self.folder / "three.h5"
        three.write_bytes(gzip.decompress((DATA / "layout3.h5.gz").read_bytes()))
        self.assertIn("names and labels are as they were sealed", self.works("info", "--check", "three.h5"))
        cube = cubes.open_cube(three)
        self.assertEqual((cube.cell_number.values.tolist(), {*cube.dims}), ([*range(1, 7)], {"cell", *cubes.CONTENDER}))
        self.assertEqual((cubes.unstack(cube).b.values.tolist(), cubes.open_stored(three).cell_number.values.tolist()), ([1000, 2000, 4000], [1, 2]))
        texts = [self.works(*args) for args in (("tables", "three.h5"), ("info", "three.h5"))]
        self.assertTrue(all(len(text) > 100 for text in texts))
        self.works("map", "three.h5")
        self.works("store", "-q", "-f", "three.h5", "--cells", "1,2", "--every", 1)
        self.assertIn("names and labels are as they were sealed", self.works("info", "--check", "three.h5"))
        self.works("refine", "three.h5", "-q", "-f", "--cells", 2, "-o", "more.h5")
        with h5py.File(three) as old, h5py.File(self.folder / "more.h5") as new:
            (self.folder / "three.yaml").write_text(cli.word(old.attrs["sweep"]))
            self.assertEqual((old.attrs["layout"], new.attrs["layout"], len(new["cell_number"])), (3, 4, 8))
            self.assertEqual([list(new[f"axes/{name}"]) for name in "bk"], [list(old[f"axis_{name}"]) for name in "bk"])
        self.works("run", "three.yaml", "-q", "-o", "four.h5")
        for pair in (("three.h5", "four.h5"), ("four.h5", "three.h5")):
            self.assertNotRegex(self.saltus("diff", *pair).stdout, r"(?m)^(map/|trajectories/)?(cell|cell_number|ax\w*/.*|axis_.*):")
        with h5py.File(three) as old, h5py.File(self.folder / "four.h5", "r+") as new:
            cli.to_layout_3(new)
            for name in ("cell", "b", "axis_b", "axis_k", "map/cell", "trajectories/cell"):
                self.assertEqual((list(new[name]), new[name].dtype), (list(old[name]), old[name].dtype), name)
            for name in ("max_error", "cell_seconds", "map/by_error_best", "trajectories/y1"):
                self.assertEqual([[s.name for s in d.values()] for d in new[name].dims], [[s.name for s in d.values()] for d in old[name].dims])

    def test_refine_takes_over_its_cells(self):
        for path in ("new", "old"):
            self.works("refine", f"{path}.h5", "-q", "--cells", 3, "-o", f"{path}er.h5")
        self.check_names("older.h5", 4)
        self.assertEqual(self.works("diff", "older.h5", "newer.h5"), "the same, timings aside\n")


cli.main()
