"""Models that stand in files: in sweeps, in cubes without the file, on the command line, and wrong ones."""
import os
import pathlib
import shutil

import h5py
import numpy as np
import yaml

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
SWEEP = """title: a vehicle with other springs
model: models/vehicle.yaml
cells: {axes: [{name: suspension, list: [0.8, 1.0, 1.25]}]}
t_end: 0.1
solvers: [ode15s, radau5]
strategies: [event]
rtol: [1.0e-3]
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
        self.works("tables", "one.h5")
        with h5py.File(self.folder / "one.h5") as cube:
            self.assertIn("RF_upper_control_arm", cli.word(cube.attrs["sweep"]))
            self.assertEqual(cli.word(cube.attrs["model"]), "vehicle")
            self.assertTrue((cube["steps"][()] > 1).all())

    def test_scales_of_states_are_those_of_their_absolute_tolerances(self):
        plain = pathlib.Path(MODELS, "double-pendulum.yaml").read_text(encoding="utf-8")
        states, ends = ("rod1_theta", "rod2_theta", "rod1_vtheta", "rod2_vtheta"), []
        for scale, atol in (("", "1e-4"), (f"scale: {{{', '.join(f'{name}: 100' for name in states)}}}\n", "1e-4"), ("", "1e-2")):
            (self.folder / "rods.yaml").write_text(plain + scale)
            self.works("trajectory", "--model", "rods.yaml", "--solver", "radau5", "--t-end", "0.1", "--rtol", "1e-4", "--atol", atol, "--dt", "0.05", "-f", "-o", "rods.csv")
            ends.append((self.folder / "rods.csv").read_text())
        self.assertNotEqual(ends[0], ends[1])
        self.assertEqual(ends[1], ends[2])
        (self.folder / "rods.yaml").write_text(plain + "scale: {rod1_thta: 1}\n")
        self.refused("trajectory", "--model", "rods.yaml", "-o", "no.csv", says=("rods.yaml:25: scale: unknown state 'rod1_thta'", "did you mean 'rod1_theta'"))

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

    def test_coordinates_of_all_bodies_keep_to_the_joints(self):
        for name, solver, fixed in (("vehicle.yaml", "rosnys4", 8), ("double-pendulum-cartesian.yaml", "radau5", 1)):
            self.works("trajectory", "--model", os.path.join(MODELS, name), "--solver", solver, "--t-end", "1", "--dt", "0.05", "-o", "t.h5", "-f")
            with h5py.File(self.folder / "t.h5") as data:
                names = [cli.word(n).rstrip("\0") for n in data["body_coordinate"][()]]
                self.q = dict(zip(names, data["body_position"][()].T))
                text = yaml.safe_load(cli.word(data.attrs["model_text"]))
                for state in ("chassis_z", "RF_spindle_e2") if name == "vehicle.yaml" else ():
                    np.testing.assert_array_equal(self.q[state], data[state][()])
            self.kind = {b["name"]: b.get("kind", "spatial") for b in text["bodies"]}
            joints = [j for j in text["joints"] if j["type"] in ("distance", "pin", "spherical", "revolute")]
            for joint in joints:
                ends = [self.point(body, joint.get(key, [0, 0, 0])) for body, key in zip(joint["bodies"], ("P_i", "P_j"))]
                np.testing.assert_allclose(np.linalg.norm(ends[0] - ends[1], axis=0), joint.get("length", 0), atol=1e-9)
            self.assertGreaterEqual(len(joints), fixed)
            self.assertGreater(np.ptp(self.q[names[0]]), 0.01)

    def point(self, body, at):
        """A point of a body in the world, [3][row]; spatial ones by their matrix of Euler parameters."""
        if body == "ground":
            return np.array(at + [0] * (3 - len(at)))[:, None]
        if self.kind[body] == "planar":
            x, y, a = (self.q[f"{body}_{c}"] for c in ("x", "y", "theta"))
            return np.stack([x + np.cos(a) * at[0] - np.sin(a) * at[1], y + np.sin(a) * at[0] + np.cos(a) * at[1], 0 * x])
        e0, e1, e2, e3 = (self.q[f"{body}_e{i}"] for i in range(4))
        np.testing.assert_allclose(e0**2 + e1**2 + e2**2 + e3**2, 1, atol=1e-12)
        turn = np.array([[e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                         [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
                         [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2]])
        return np.stack([self.q[f"{body}_{c}"] for c in "xyz"]) + np.einsum("ijk,j->ik", turn, np.array(at, dtype=float))

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
