"""Models that stand in files: in sweeps, in cubes without the file, on the command line, and wrong ones."""
import os
import shutil

import h5py

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
SWEEP = """title: a vehicle with other springs
model: models/vehicle.yaml
cells: {axes: [{name: suspension, list: [0.8, 1.0, 1.25]}]}
t_end: 0.1
methods: [ode15s, radau5]
strategies: [event]
tolerances: [1.0e-3]
jacobian: analytic
reference_tolerance: 1.0e-5
max_step: 0.05
mesh: 0.01
"""


class ModelFile(cli.InFolder):
    def setUp(self):
        super().setUp()
        os.mkdir(self.folder / "models")
        shutil.copy(os.path.join(MODELS, "vehicle.yaml"), self.folder / "models")
        (self.folder / "v.yaml").write_text(SWEEP)

    def test_the_cube_needs_no_file_and_ranks_change_no_bit(self):
        self.works("run", "v.yaml", "-q", "-o", "one.h5", ranks=0, threads=1)
        self.works("run", "v.yaml", "-q", "-o", "two.h5", ranks=2, threads=2)
        self.works("run", "v.yaml", "-q", "-o", "wide.h5", "--set", "width=1")
        shutil.rmtree(self.folder / "models")
        for other in ("two.h5", "wide.h5"):
            self.assertIn("the same", self.works("diff", "one.h5", other))
        self.assertIn("14-body vehicle", self.works("info", "one.h5"))
        self.assertIn("suspension", self.works("rules", "one.h5"))
        with h5py.File(self.folder / "one.h5") as cube:
            self.assertIn("RF_upper_control_arm", cli.word(cube.attrs["sweep"]))
            self.assertEqual(cli.word(cube.attrs["model"]), "vehicle")
            self.assertTrue((cube["steps"][()] > 1).all())

    def test_a_changed_file_is_another_sweep(self):
        self.works("run", "v.yaml", "-q", "-o", "a.h5")
        path = self.folder / "models" / "vehicle.yaml"
        path.write_text(path.read_text().replace("mass: 2086.52", "mass: 2186.52"))
        self.works("run", "v.yaml", "-q", "-o", "b.h5")
        done = self.saltus("diff", "a.h5", "b.h5")
        self.assertEqual(done.returncode, 1)

    def test_trajectory_of_a_file(self):
        text = self.works("trajectory", "--model", os.path.join(MODELS, "double-pendulum.yaml"), "--solver", "radau5",
                          "--jacobian", "analytic", "--rtol", "1e-8", "--t-end", "0.5", "--dt", "0.5", "-o", "t.csv")
        rows = (self.folder / "t.csv").read_text().split("\n")
        self.assertIn("rod1_theta", rows[0], text)
        self.assertAlmostEqual(float(rows[2].split(",")[1]), 3.83337450885960, 6)

    def test_what_is_wrong_is_said_with_file_and_line(self):
        path = self.folder / "models" / "vehicle.yaml"
        good = path.read_text()
        lines = good.split("\n")
        at = next(i for i, line in enumerate(lines) if "name: RF tire" in line)
        lines[at] = lines[at].replace("RF_spindle", "RF_spindel")
        path.write_text("\n".join(lines))
        self.refused("plan", "v.yaml", says=(f"models/vehicle.yaml:{at + 1}: RF tire: unknown body 'RF_spindel'", "did you mean 'RF_spindle'?"))
        path.write_text(good)
        (self.folder / "v.yaml").write_text(SWEEP.replace("suspension", "suspention"))
        self.refused("plan", "v.yaml", says=("v.yaml:3", "suspention", "did you mean 'suspension'?"))
        (self.folder / "v.yaml").write_text(SWEEP.replace("vehicle.yaml", "vehikle.yaml"))
        self.refused("plan", "v.yaml", says=("models/vehikle.yaml: cannot be read",), code=4)


cli.main()
