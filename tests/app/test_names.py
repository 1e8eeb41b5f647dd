"""No name of a user's model collides with one of the cube: every name of a full cube is refused where the model is read."""
import json

import cli
import h5py

OSCILLATOR = """equations: 1
name: oscillator
span: 2
watch: y
parameters: {%s: {preset: 4, range: [1, 10]}}
states: {y: {preset: 1, range: [0.5, 2]}, v: {preset: 0, rate_of: y}}
contacts: {floor: {names: [touch, lift], gap: y + 0.5, closes: {v: -v}, kind: rigid}}
flow: {y: v, v: -%s * y}
"""
SWEEP = """model: m.yaml
t_end: 1
solvers: [ode45]
strategies: [event]
rtol: [1e-3, 1e-5]
cells: {axes: [{name: %s, list: [2, 3]}, {name: y, list: [1, 1.5]}]}
"""
FULL = ("run", "-q", f"{cli.SWEEPS}/stability-plate.yaml", "--set", "cells.axes=[{name: n, list: [2, 3]}, {name: C, list: [0, 20]}]",
        "--set", "orbit.find=[cycles,transient]", "-o", "full.h5")
FREE = ("K", "map2", "strings", "initial")


def quantities(model):
    """Names of the model's own parameters, options and states."""
    found = json.loads(cli.subprocess.run([cli.SALTUS, "list", "models", model, "--json"], capture_output=True, check=True).stdout)
    return {each["name"] for kind in ("parameters", "options", "states") for each in found["models"][0].get(kind, [])}


class Names(cli.InFolder):
    def write(self, name):
        (self.folder / "m.yaml").write_text(OSCILLATOR % (name, name))
        (self.folder / "s.yaml").write_text(SWEEP % name)

    def test_every_name_of_a_full_cube_is_refused_before_any_work(self):
        self.works(*FULL)
        self.works("store", "-q", "full.h5", "--cells", "all")
        with h5py.File(self.folder / "full.h5") as cube:
            taken = {name for group in (cube, cube["map"], cube["trajectories"], cube["sums"]) for name in group}
        names = sorted(taken - quantities("plate") - {"t"})  # t is a word of the language
        self.assertGreater(len(names), 90)
        for name in names:
            self.write(name)
            self.refused("plan", "s.yaml", says=(f"parameter '{name}': cubes have a dataset of that name",))

    def test_other_names_make_a_cube(self):
        for name in FREE:
            self.write(name)
            self.works("run", "-q", "-f", "s.yaml", "-o", "x.h5")
            self.works("store", "-q", "-f", "x.h5", "--cells", "all")
            self.works("info", "--check", "x.h5")

    def test_axes_of_one_name_are_refused(self):
        """Columns p and q together, and the column p_q."""
        model = (OSCILLATOR % ("p", "p * q * p_q")).replace("{p: {", "{q: {preset: 1}, p_q: {preset: 1, range: [1, 2]}, p: {")
        (self.folder / "m.yaml").write_text(model)
        cells = "cells: {axes: [{columns: [%s], rows: [[1, 1], [2, 1]]}, {name: p_q, list: [1, 2]}]}\n"
        for columns, refused in (("p, q", True), ("q, p", False)):
            (self.folder / "s.yaml").write_text(SWEEP[:SWEEP.index("cells")] + cells % columns)
            if refused:
                self.refused("plan", "s.yaml", says=("s.yaml:6: entry 2 of cells.axes: its name in the cube is p_q, as that of entry 1 of cells.axes",))
            else:
                self.works("run", "-q", "s.yaml", "-o", "two.h5")

    def test_words_of_options_have_no_white_space_and_no_comma(self):
        for words, bad in (('["no slip", slip]', "no slip"), ('[slip, "a,b"]', "a,b")):
            self.write("kk")
            text = (self.folder / "m.yaml").read_text() + "options: {grip: {what: grip, words: %s}}\n" % words
            (self.folder / "m.yaml").write_text(text)
            self.refused("plan", "s.yaml", says=(f"m.yaml:9: option grip '{bad}': allowed are",))
        (self.folder / "m.yaml").write_text(text.replace('"a,b"', "no_slip"))
        self.works("plan", "s.yaml", "--sample", 0)

    def test_model_check_and_trajectories_refuse_them(self):
        self.write("steps")
        for words in (("model", "check", "m.yaml"), ("run", "s.yaml", "-o", "x.h5"), ("trajectory", "-m", "m.yaml", "-o", "x.csv")):
            self.refused(*words, says=("parameter 'steps': cubes have a dataset of that name",))


cli.main()
