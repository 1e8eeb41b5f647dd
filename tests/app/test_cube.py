"""The cube of a real run, opened as a user would."""
import json
import os
import warnings

import h5py
import numpy as np
import xarray

import cli

ISOLATED = os.path.join(os.path.dirname(cli.SWEEPS), "tests", "data", "isolated")
METHODS = ["ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb"]


class Cube(cli.InFolder):
    def run_sweep(self, *pairs, **more):
        self.works("run", cli.DALLAS, "-q", "-o", "cube.h5", "-f", *cli.sets(*cli.SHORT, *pairs), **more)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cube = xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf")
        self.addCleanup(cube.close)
        return cube

    def test_dimensions_and_coordinates_have_names(self):
        cube = self.run_sweep(ranks=2)
        self.assertEqual(dict(cube.sizes), {"cell": 13, "rtol": 2, "strategy": 2, "solver": 7})
        self.assertNotIn("phony", str(cube))
        self.assertEqual(list(cube.solver.values), METHODS)
        self.assertEqual(list(cube.strategy.values), ["switch", "event"])
        self.assertEqual(list(cube.rtol.values), [1e-3, 1e-6])
        for name in ("b", "m1", "k", "f", "adhesion", "initial_y1", "initial_v2"):
            self.assertEqual(cube.coords[name].dims, ("cell",))
        self.assertEqual(list(cube.m1.values[:3]), [20, 10.4, 1.88])
        titles = {"solver_title": "solver", "strategy_title": "strategy", "strategy_about": "strategy"}
        for name, along in titles.items():
            self.assertEqual(cube[name].dims, (along,))
            self.assertTrue(all(str(text) for text in cube[name].values), name)
        self.assertIn("Dormand", str(cube.solver_title.sel(solver="ode45").values))
        for name, variable in cube.drop_vars(titles).data_vars.items():
            self.assertIn(variable.dims, (("cell",), ("cell", "rtol", "strategy", "solver")), name)
            self.assertTrue(variable.attrs["long_name"], name)
            self.assertNotEqual("units" in variable.attrs, "flag_values" in variable.attrs, name)

    def test_values_make_sense(self):
        cube = self.run_sweep()
        self.assertTrue(bool((cube.outcome == 0).all()))
        self.assertTrue(bool((cube.steps > 10).all()) and bool((cube.rhs_evaluations > cube.steps).all()))
        for name in ("events", "gap_evaluations"):  # missing where no strategy looks
            self.assertTrue(bool(np.isnan(cube[name].sel(strategy="switch")).all()), name)
            self.assertGreater(float(cube[name].sel(strategy="event").min()), 0, name)
        self.assertTrue(bool((cube.reference_error > cube.reference_error_watched).all()))
        loose, tight = (cube.sel(rtol=tolerance) for tolerance in (1e-3, 1e-6))
        events = tight.events.sel(strategy="event")
        self.assertTrue(bool((events == cube.reference_events).all()))
        self.assertGreater(int(cube.reference_events.sum()), 13)
        error = cube.max_error
        self.assertLess(float(tight.max_error.max()), 0.1)
        self.assertLess(float(tight.max_error.mean()), 0.1 * float(loose.max_error.mean()))
        self.assertTrue(bool((cube.integral_absolute_error <= 11 * error * (1 + 1e-12)).all()))
        self.assertGreater(float(error.min()), 0)
        self.assertTrue(bool(np.isnan(cube.solution_duration).all()))

    def test_a_config_is_selected_as_xarray_is_taught(self):
        cube = self.run_sweep()
        one = cube.max_error.sel(solver="ode45", rtol=1e-6)
        self.assertEqual(one.dims, ("cell", "strategy"))
        np.testing.assert_array_equal(one, cube.max_error[:, 1, :, 1])
        tight = cube.max_error.sel(solver=["ode45", "ode15s"]).sel(rtol=[2e-6], method="nearest")
        self.assertEqual((tight.shape, list(tight.rtol.values)), ((13, 1, 2, 2), [1e-6]))

    def test_counts_are_whole_numbers_where_none_is_missing(self):
        cube = self.run_sweep()
        counts = [name for name, v in cube.data_vars.items() if v.attrs["kind"] == "count"]
        self.assertGreater(len(counts), 10)
        for name in counts:
            missing = name in ("events", "gap_evaluations")
            self.assertEqual(cube[name].dtype, np.float64 if missing else np.int64, name)
        self.run_sweep("strategies=[event,ess]", "solvers=[ode45,ode15s]", "unsupported=leave-out")
        with xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf") as cube:
            self.assertEqual(int((cube.outcome == 6).sum()), 13 * 2)
            self.assertTrue(bool((np.isnan(cube.steps) == (cube.outcome == 6)).all()))
            self.assertTrue(bool((np.isnan(cube.events) == (cube.outcome == 6)).all()))

    def test_provenance_lets_the_run_be_repeated(self):
        cube = self.run_sweep("title=again", ranks=2, threads=1)
        self.assertEqual((cube.attrs["ranks"], cube.attrs["threads"], cube.attrs["title"]), (2, 1, "again"))
        for name in ("command", "git_commit", "version", "compiler", "compiler_flags", "host", "created"):
            self.assertTrue(cube.attrs[name], name)
        (self.folder / "again.yaml").write_text(cube.attrs["sweep"], encoding="utf-8")
        self.works("run", "again.yaml", "-q", "-o", "again.h5")
        self.assertIn("the same", self.works("diff", "cube.h5", "again.h5"))

    def test_a_sweep_may_be_long(self):
        """Longer than the 64 kB that HDF5's older format allows."""
        text = ("model: decay\nt_end: 1\nmesh: 0.1\nsolvers: [ode23]\nstrategies: [switch]\nrtol: [1e-3]\n"
                + "".join(f"# line {i} of a long story\n" for i in range(4000)))
        (self.folder / "long.yaml").write_text(text, encoding="utf-8")
        self.works("run", "long.yaml", "-q", "-o", "long.h5")
        with xarray.open_dataset(self.folder / "long.h5", engine="h5netcdf") as cube:
            self.assertEqual(cube.attrs["sweep"], text)
        self.assertGreater(len(text), 1 << 16)
        self.works("info", "--check", "long.h5")

    def test_a_run_that_cannot_go_on_is_data(self):
        cube = self.run_sweep("max_attempts=60")
        self.assertEqual({int(v) for v in np.unique(cube.outcome)}, {0, 3})
        words = dict(zip(cube.outcome.attrs["flag_values"], cube.outcome.attrs["flag_meanings"].split()))
        self.assertEqual(words[3], "step_cap")
        failed = cube.outcome == 3
        self.assertTrue(bool((cube.points_rhs_evaluations.where(failed, 1) == 1).all()))
        self.assertTrue(bool(cube.integral_absolute_error.where(failed).isnull().all()))
        self.assertTrue(bool((cube.t_reached.where(failed, 0) < 11).all()))
        self.assertIn("step_cap", self.works("info", "cube.h5"))

    def test_options_of_the_model_reach_the_cells(self):
        literal = self.run_sweep()
        self.works("run", cli.DALLAS, "-q", "-o", "clamp.h5", *cli.sets(*cli.SHORT, "options.adhesion=clamp"))
        done = self.saltus("diff", "cube.h5", "clamp.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("adhesion: 13 of 13 values differ", done.stdout)
        self.assertIn("steps: ", done.stdout)  # some cells pull before the end
        self.assertEqual({int(v) for v in literal.adhesion}, {0})

    def test_info_is_json_with_all_its_figures(self):
        cube = self.run_sweep("title=a \"b\"")
        text = self.works("info", "cube.h5")
        for words in ("13 cells x 2 tolerances x 2 strategies x 7 solvers = 364 trajectories", "strategy          2  ", "solver            7   ode23 ode45 ",
                      " 1 .. 480", "Outcomes of 364 trajectories\n  done                    364  ", "reference_error", "stiffness_ratio",
                      "saltus run ", "git_commit"):
            self.assertIn(words, text)
        told = json.loads(self.works("info", "cube.h5", "--json"))
        self.assertEqual((told["title"], told["model"], told["cells"], told["trajectories"]),
                         ('a "b"', "monopod", 13, 364))
        self.assertEqual(told["solver"], METHODS)
        self.assertEqual(told["rtol"], [1e-3, 1e-6])
        self.assertEqual(told["coordinates"]["k"], {"least": 1, "most": 480, "known": 13})
        self.assertEqual(told["outcomes"], {"done": 364})
        self.assertEqual(told["outcomes_by_solver"]["ode45"], {"done": 52})
        self.assertEqual(told["provenance"]["t_end"], 11)
        self.assertEqual(told["cell_metrics"]["reference_error"]["most"], float(cube.reference_error.max()))

    def test_numbers_of_json_are_short_and_never_infinite(self):
        self.works("run", cli.DALLAS, "-q", "-o", "cube.h5", *cli.sets(*cli.SHORT))
        text = self.works("info", "cube.h5", "--json")
        self.assertIn("[0.001, 1e-06]", text)
        with cli.edited(self.folder / "cube.h5") as file:
            file["stiffness_ratio"][...] = np.inf
            file["reference_error"][...] = np.nan
        text = self.works("info", "cube.h5", "--json")
        told = json.loads(text, parse_constant=self.fail)["cell_metrics"]
        self.assertEqual(told["stiffness_ratio"], {"least": None, "most": None, "known": 13})
        self.assertEqual(told["reference_error"], {"least": None, "most": None, "known": 0})

    def test_diff_is_json(self):
        self.works("run", cli.DALLAS, "-q", "-o", "cube.h5", *cli.sets(*cli.SHORT))
        self.works("run", cli.DALLAS, "-q", "-o", "other.h5", *cli.sets(*cli.SHORT))
        self.assertEqual(json.loads(self.works("diff", "cube.h5", "other.h5", "--json")),
                         {"sweeps": None, "differences": [], "same": True})
        with cli.edited(self.folder / "other.h5") as file:
            file["steps"][3, 1, 0, 2] += 5
            file["steps"][4, 0, 0, 0] += 1
            del file["max_error"]
        done = self.saltus("diff", "cube.h5", "other.h5", "--json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told["same"]), (1, False))
        gone, steps = told["differences"]
        self.assertEqual((gone["name"], gone["path"]), ("max_error", "cube.h5"))
        self.assertEqual((steps["name"], steps["differ"], steps["values"], steps["largest"]), ("steps", 2, 364, 5))
        first = steps["first"]
        self.assertEqual((first["cell"], first["rtol"], first["strategy"], first["solver"]),
                         (4, 1e-6, "switch", "ode113"))
        self.assertEqual(first["b"] - first["a"], 5)

    def test_cubes_of_other_sweeps_differ_in_one_line(self):
        self.run_sweep()
        for sets, says in {("solvers=[ode45]",): "solvers ode23,ode45,ode113,ode15s,ode23s,ode23t,ode23tb against ode45",
                           ("rtol=[1e-3]",): "rtol 0.001,1e-06 against 0.001",
                           ("cells={axes: [{name: k, list: [1, 20]}]}",):
                               "13 cells (rows of b,m1,k,f) against 2 cells (k)"}.items():
            self.works("run", cli.DALLAS, "-q", "-f", "-o", "other.h5", *cli.sets(*cli.SHORT, *sets))
            done = self.saltus("diff", "cube.h5", "other.h5")
            self.assertEqual((done.returncode, done.stdout), (1, f"other sweeps: {says}\n"))
            told = json.loads(self.saltus("diff", "cube.h5", "other.h5", "--json").stdout)
            self.assertEqual(told, {"sweeps": says, "differences": [], "same": False})

    def test_names_in_a_file_do_not_steer_the_terminal(self):
        self.works("run", cli.DALLAS, "-q", "-o", "cube.h5", *cli.sets(*cli.SHORT))
        with cli.edited(self.folder / "cube.h5") as file:
            file.attrs["title"] = "red \x1b[31m\x07"
            file.attrs["host"] = "host\x1b]0;x\x07"
            names = file["solver"][()]
            names[1] = np.frombuffer(b"ode\x1b[2J", dtype="S1")
            held = file["solver"].id  # as netCDF keeps characters: numpy's own would be cut to none
            held.write(h5py.h5s.ALL, h5py.h5s.ALL, names, mtype=held.get_type())
        for args in (("info",), ("tables",), ("info", "--json"), ("tables", "--json")):
            text = self.works(args[0], "cube.h5", *args[1:])
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f]", args)
            self.assertIn("ode?[2J", text) if "--paper-fit" not in args else None
        self.works("run", cli.DALLAS, "-q", "-o", "plain.h5", *cli.sets(*cli.SHORT))
        for args in ((), ("--json",)):
            text = self.saltus("diff", "plain.h5", "cube.h5", *args).stdout
            self.assertIn("ode", text)
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f]")

    def test_a_run_without_an_output_has_the_name_of_its_sweep(self):
        done = self.saltus("run", cli.DALLAS, *cli.sets(*cli.SHORT))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the cube will be dallas2017.h5 in this folder", done.stderr)
        self.assertEqual([*self.files()], ["dallas2017.h5"])
        self.refused("run", cli.DALLAS, says=("dallas2017.h5: exists",), code=3)

    def test_quiet_is_quiet_and_progress_goes_to_stderr(self):
        args = ("run", cli.DALLAS, "-o", "out.h5", "--force", *cli.sets(*cli.SHORT))
        done = self.saltus(*args, "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        done = self.saltus(*args, ranks=2)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(done.stderr.count("13 cells x 28 configurations"), 1)
        self.assertEqual(done.stderr.count("wrote out.h5"), 1)
        self.assertIn("2 ranks x 2 threads", done.stderr)
        self.assertIn("13/13", done.stderr)

    def run_isolated(self, model, columns, box, initial, t_end):
        """Certified references of 64 cells of a text whose f is exact at any tolerance."""
        path = self.folder / "sweep.yaml"
        path.write_text(f"title: {model}\nmodel: {ISOLATED}/{model}.yaml\ncells:\n  axes:\n"
                        f"    - {{columns: {columns}, sobol: {box}, points: 64}}\ninitial: {initial}\nt_end: {t_end}\nmesh: 0.05\n"
                        "solvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\nreference: certified\n")
        self.works("run", str(path), "-q", "-o", "cube.h5")
        cube = xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf")
        self.addCleanup(cube.close)
        self.assertLess(float(cube.reference_error.max()), 1e-6)
        return cube

    def test_the_reference_shows_errors_of_ode15s_after_impacts(self):
        """Its first step after an impact is of order 1, beside a table that moves: its errors are far above the tolerance, and the cube has them."""
        (self.folder / "table.yaml").write_text(
            "title: table\nmodel: shaking-table\nparameters: {g: 3.39889183, e: 0.726214939, a: 0.208154817, w: 8.07151517}\n"
            "initial: {y: 1.14637264, v: -1.30779198}\nt_end: 10\nsolvers: [ode15s, ode45]\nstrategies: [event]\nrtol: [1e-6]\nreference: certified\n", encoding="utf-8")
        self.works("run", "table.yaml", "-q", "-o", "cube.h5")
        cube = xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf")
        self.addCleanup(cube.close)
        self.assertTrue(bool((cube.outcome == 0).all()))
        self.assertEqual(int(cube.reference_events.item()), 56)
        self.assertLess(float(cube.reference_error.item()), 1e-7)
        error = cube.max_error.squeeze()
        self.assertGreater(float(error.sel(solver="ode15s")), 1e-3)
        self.assertLess(float(error.sel(solver="ode45")), 1e-6)

    def test_references_count_all_crossings_of_a_curved_gap(self):
        cube = self.run_isolated("satellite", "[k]", "[[2, 12]]", "{q: 0}", 10)
        turns, first = cube.k.values, np.arccos(-0.9) / (2 * np.pi)  # a shadow lasts from first to 1 - first of a turn
        full, part = np.divmod(turns, 1)
        np.testing.assert_array_equal(cube.reference_events, 2 * full + (part > first) + (part > 1 - first))
        self.assertGreater(int(cube.reference_events.max() - cube.reference_events.min()), 10)

    def test_references_of_spinning_rods_are_certified(self):
        cube = self.run_isolated("rod", "[w, vy]", "[[20, 90], [1, 3]]", "{y: 0.6, th: 0}", 1)
        np.testing.assert_array_equal(cube.reference_events, 1)


cli.main()
