"""Studies that grow: `run --from` takes over what is there, with the bits of a run from nothing, and runs the rest."""
import json

import cli
import h5py

SWEEP = {"model": "monopod", "t_end": "4", "solvers": "[ode45, ode23]", "strategies": "[event, switch]", "rtol": "[1e-3, 1e-5]",
         "mesh": "0.01", "cells": "{axes: [{name: b, list: [1000, 2000]}, {name: k, list: [10, 20, 30]}]}"}
ROWS = "{columns: [b, k], rows: [[1000, 10], [1500, 20], [2000, 30]%s]}"
CAP = "{baselines: [ode45], error: 1e-2, factor: 2%s}"


class Grows(cli.InFolder):
    def sweep(self, name, **keys):
        text = "".join(f"{key}: {value}\n" for key, value in {**SWEEP, **keys}.items())
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def run_it(self, out, *args, **keys):
        """The counts of trajectories that were run and taken."""
        self.works("run", self.sweep("s.yaml", **keys), "-q", "-o", out, "--status", "status", "-f", *args)
        lines = (self.folder / "status").read_text(encoding="utf-8").splitlines()
        (self.folder / "status").unlink()
        return tuple(json.loads(lines[-1])[key] for key in ("run", "taken"))

    def same(self, left, right):
        """By the program, and by h5py but for times."""
        self.assertIn("the same", self.works("diff", left, right))
        with h5py.File(self.folder / left) as a, h5py.File(self.folder / right) as b:
            self.assertEqual(cli.datasets(a), cli.datasets(b))
            for name in cli.datasets(a):
                if "sums" in name or any(word in name for word in ("second", "wall", "sd")):
                    continue
                with self.subTest(name):
                    self.assertEqual(a[name][...].tobytes(), b[name][...].tobytes())

    def grown(self, old, new, fresh, all_of, *args):
        """A cube of `old`, made wider to `new`: so many of its trajectories are run."""
        self.run_it("old.h5", **old)
        self.assertEqual(self.run_it("anew.h5", **new), (all_of, 0))
        self.assertEqual(self.run_it("grown.h5", "--from", "old.h5", *args, **new), (fresh, all_of - fresh))
        self.same("grown.h5", "anew.h5")
        plan = json.loads(self.works("plan", "s.yaml", "--from", "old.h5", "--sample", "0", "--json"))
        self.assertEqual(plan["trajectories_there"], all_of - fresh)

    def test_by_a_solver(self):
        self.grown({}, {"solvers": "[ode113, ode45, ode23]"}, 24, 72)

    def test_by_a_tolerance_and_a_strategy(self):
        self.grown({}, {"rtol": "[1e-4, 1e-3, 1e-5]", "strategies": "[switch, event]"}, 24, 72)

    def test_by_points_of_lists(self):
        self.grown({}, {"cells": "{axes: [{name: k, list: [5, 10, 20, 30]}, {name: b, list: [1000, 1500, 2000]}]}"}, 48, 96)

    def test_by_rows_and_an_axis_that_was_a_parameter(self):
        self.grown({"cells": ROWS % ""}, {"cells": ROWS % ", [2500, 40], [1000, 10]"}, 8, 40)
        self.run_it("old.h5", cells="{axes: [{name: b, list: [1000, 2000]}]}", parameters="{k: 10}")
        self.assertEqual(self.run_it("grown.h5", "--from", "old.h5"), (32, 16))

    def test_by_everything_at_once_on_ranks(self):
        new = {"solvers": "[ode23, ode113]", "rtol": "[1e-5, 1e-3, 1e-6]",
               "cells": "{axes: [{name: b, list: [2000, 3000]}, {name: k, list: [30, 20, 25, 10]}]}"}
        self.run_it("old.h5")
        self.run_it("anew.h5", **new)
        self.sweep("s.yaml", **new)
        self.works("run", "s.yaml", "-q", "-o", "grown.h5", "--from", "old.h5", ranks=2)
        self.same("grown.h5", "anew.h5")

    def test_more_contacts(self):
        keys = {"model": "plate", "strategies": "[event]", "rtol": "[1e-3]", "solvers": "[ode45, ode15s]"}
        cells = "{axes: [{name: n, list: %s}]}"
        self.grown({**keys, "cells": cells % "[2, 4]"}, {**keys, "cells": cells % "[2, 16, 4]"}, 2, 6)

    def test_cutoffs(self):
        # A further capped solver leaves baselines and the others as they are; a further baseline does not.
        self.grown({"cutoff": CAP % ""}, {"cutoff": CAP % "", "solvers": "[ode45, ode23, ode113]"}, 24, 72)
        more = {"cutoff": CAP.replace("[ode45]", "[ode45, ode113]") % "", "solvers": "[ode45, ode23, ode113]"}
        self.grown({"cutoff": CAP % ""}, more, 48, 72)
        # By tolerances a tighter one comes after all of its own role, and before those of the next.
        order = ", order: tolerances"
        self.grown({"cutoff": CAP % order}, {"cutoff": CAP % order, "rtol": "[1e-3, 1e-5, 1e-6]"}, 48, 72)

    def test_pilots(self):
        cells = "{axes: [{columns: [b, k], sobol: [[1000, 8000], [10, 30]], points: %d}]}"
        keys = {"cutoff": CAP % "", "solvers": "[ode45, ode23, ode23s, ode15s]", "pilots": "{cells: 8, nearest: 4, validation: 4, within: 1.1, "
                "tolerances: 0}"}
        old = {**keys, "cells": cells % 20}
        self.run_it("old.h5", **old)
        for name, new in {"points": {**keys, "cells": cells % 30},
                          "solvers": {**old, "solvers": "[ode45, ode23, ode23s, ode15s, ode113]"}}.items():
            with self.subTest(name):
                everything = self.run_it("anew.h5", **new)[0]
                run, taken = self.run_it("grown.h5", "--from", "old.h5", **new)
                self.assertEqual(run + taken, everything)
                self.assertGreater(taken, everything // 3)
                self.same("grown.h5", "anew.h5")

    def test_journals_of_a_stopped_run_and_parts(self):
        self.run_it("anew.h5", solvers="[ode45, ode23, ode113]")
        self.works("run", self.sweep("old.yaml"), "-q", "-o", "old.h5", "--part", "1/2")
        (self.folder / "old.h5.journal.1-of-2").rename(self.folder / "old.h5.journal")
        before = {name: text for name, text in self.files().items() if name.startswith("old.h5")}
        self.sweep("s.yaml", solvers="[ode45, ode23, ode113]")
        for name in ("old.h5", "old.h5.journal"):
            plan = json.loads(self.works("plan", "s.yaml", "--from", name, "--sample", "0", "--json"))
            self.assertEqual((plan["cells_there"], plan["trajectories_there"]), (3, 24))
        self.assertEqual(self.run_it("grown.h5", "--from", "old.h5", solvers="[ode45, ode23, ode113]"), (48, 24))
        self.same("grown.h5", "anew.h5")
        for part in (1, 2):
            self.works("run", "s.yaml", "-q", "-o", "parts.h5", "--from", "old.h5", "--part", f"{part}/2")
        self.works("merge", "parts.h5", "--remove")
        self.same("parts.h5", "anew.h5")
        self.assertEqual({name: text for name, text in self.files().items() if name.startswith("old.h5")}, before)

    def test_nothing_in_common_is_refused(self):
        self.run_it("old.h5")
        for keys, says in (({"t_end": "5"}, ("- t_end: 4", "+ t_end: 5")), ({"mesh": "0.02"}, ("mesh",)),
                           ({"solvers": "[ode113]"}, ("no solver, strategy and rtol",)),
                           ({"model": "plate", "cells": "{axes: [{name: n, list: [2]}]}"}, ("+ model: plate",))):
            with self.subTest(keys):
                self.sweep("s.yaml", **keys)
                done = self.saltus("run", "s.yaml", "-q", "-o", "new.h5", "--from", "old.h5")
                self.assertEqual(done.returncode, 2, done.stderr)
                for text in says:
                    self.assertIn(text, done.stderr)
                self.assertFalse((self.folder / "new.h5.journal").exists())
        self.sweep("s.yaml")
        self.refused("run", "s.yaml", "-o", "new.h5", "-q", "--from", "none.h5", says=("none.h5",), code=4)
        self.refused("run", "s.yaml", "-f", "-o", "old.h5", "-q", "--from", "old.h5", says=("old.h5",))

    def test_another_machine_is_named_or_refused(self):
        self.run_it("old.h5")
        with cli.edited(self.folder / "old.h5") as cube:
            own = cli.word(cube.attrs["machine"])
            cube.attrs["machine"] = "aarch64, 8 lanes, glibc 2.1"
        self.sweep("s.yaml", solvers="[ode45, ode23, ode113]")
        self.refused("run", "s.yaml", "-q", "-o", "new.h5", "--from", "old.h5", "--same-cpu", says=("glibc 2.1",))
        done = self.saltus("run", "s.yaml", "-o", "new.h5", "--from", "old.h5")
        self.assertIn("the cells come of machines", done.stderr)
        self.assertIn("48 of 72 trajectories are there, of 6 cells x 8 configurations", done.stderr)
        self.assertIn("24 trajectories were run, 48 taken over", done.stderr)
        with h5py.File(self.folder / "new.h5") as cube:
            self.assertEqual(set(cli.word(cube.attrs["machine"]).split("; ")), {own, "aarch64, 8 lanes, glibc 2.1"})


if __name__ == "__main__":
    cli.main()
