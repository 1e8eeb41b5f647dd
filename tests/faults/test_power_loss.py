"""Loss of power at any moment of a command: the cube at its name is sound and the old or the new one, announced cells stay, a finished
result stays, and the same command once more ends in the cube of an undisturbed run.

test_power_loss.py SALTUS MPIRUN STATES [SEED [NAME ..]]: STATES states for each of the commands, or for those named.
"""
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile

import ground
import power_loss

SWEEP = """\
model: monopod
cells: {{axes: [{{columns: [k, f], sobol: [[5, 60], [0.01, 0.3]], points: {points}}}]}}
t_end: {span}
mesh: 0.05
solvers: [ode23, ode45, ode15s]
strategies: [switch, event]
rtol: [1e-3, 1e-6]
"""
SWEEPS = {"small": (60, 3), "other": (60, 2), "long": (1500, 20)}
STOPPED = 85
RUN = ("run", "small.yaml", "-q", "-o", "c.h5")
LONG = ("run", "long.yaml", "-q", "-o", "c.h5")
OTHER = ("run", "other.yaml", "-q", "-o", "c.h5")
PARTS = [(*RUN, "--part", f"{i}/3") for i in (1, 2, 3)]
STATUS = ("--status", "../x.status", "--every", "0.05", "--sync", "0")
# name: commands before it, the command, more of the table below
CUBES = {  # whose output is the cube c.h5
    "run": ((), RUN),
    "run by 2 ranks": ((), RUN, {"ranks": 2}),
    "run over another": ((OTHER,), (*RUN, "-f")),
    "run with trajectories": ((), (*RUN, "--set", "store.trajectories=[1,2]")),
    "run over a journal": (((*LONG, "stop"),), (*RUN, "-f")),
    "merge": (PARTS, ("merge", "c.h5", "-q")),
    "merge --remove": (PARTS, ("merge", "c.h5", "-q", "--remove")),
    "merge by 2 ranks": (PARTS, ("merge", "c.h5", "-q", "--remove"), {"ranks": 2}),
    "map": ((RUN,), ("map", "c.h5", "--error", "1e-3")),
    "map again": ((RUN, ("map", "c.h5", "--error", "1e-3")), ("map", "c.h5", "--error", "1e-2")),
    "map by 2 ranks": ((RUN,), ("map", "c.h5", "--error", "1e-2"), {"ranks": 2}),
    "store": ((RUN,), ("store", "c.h5", "--cells", "1,4-6", "-q", "-f")),
    "refine": (((*RUN[:-1], "a.h5"),), ("refine", "a.h5", "--cells", "20", "-q", "-o", "c.h5")),
}
JOURNALS = {  # that hold what was announced
    "part": ((), (*LONG, *STATUS, "--part", "1/3"), {"journal": "c.h5.journal.1-of-3"}),
    "stop": ((), (*LONG, *STATUS), {"journal": "c.h5.journal", "stop": 1.5}),
    "go on": (((*LONG, "stop"), (*LONG, "stop")), (*LONG, *STATUS), {"journal": "c.h5.journal", "stop": 1.5}),
}
FILES = {  # which are absent, as before, or whole
    "trajectory": ((), ("trajectory", "--model", "monopod", "-f", "-o", "t.h5"), {"files": ("t.h5",)}),
    "compiled": ((), ("trajectory", "--model", "rocking-block.yaml", "--compile", "always", "-f", "-o", "t.csv"), {"files": ("t.csv",)}),
    "raster": ((RUN,), ("raster", "c.h5", "--error", "1e-3", "--size", "12x12", "-f", "-o", "r.h5"), {"files": ("r.h5", "c.h5")}),
    "regret": ((RUN,), ("regret", "c.h5", "--points", "5", "--replicates", "2", "-f", "-q", "-o", "r.h5"), {"files": ("r.h5", "c.h5")}),
}


class Losing(ground.Folder):
    """One of the commands in a folder of its own, `work`; states are made in `after`."""

    def __init__(self, program, mpirun, folder, name):
        super().__init__(folder, SALTUS_CACHE=str(folder / "after" / "cache"))
        self.program, self.name = os.path.abspath(program), name
        self.before, self.command, *more = {**CUBES, **JOURNALS, **FILES}[name]
        self.more = more[0] if more else {}
        ranks = self.more.get("ranks", 1)
        self.start = [self.program] if ranks == 1 else [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), self.program]
        self.folder = folder / "after"
        self.folder.mkdir()
        self.texts()

    def texts(self):
        for name, (points, span) in SWEEPS.items():
            (self.folder / f"{name}.yaml").write_text(SWEEP.format(points=points, span=span), encoding="utf-8")
        model = pathlib.Path(__file__).parents[2] / "sweeps/models/rocking-block.yaml"
        shutil.copy(model, self.folder)
        (self.folder / "cache").mkdir(mode=0o700)

    def same(self, a, b):
        return self.call(self.program, "diff", a, b)[0] == 0

    def record(self):
        for *command, last in self.before:
            if last == "stop":
                code = self.call("timeout", "-s", "TERM", "1.2", self.program, *command)[0]
                assert code in (STOPPED, 124), (command, code)
            else:
                self.works(self.program, *command, last)
        record = power_loss.Record(self.folder)
        code, said = record.run([*self.start, *self.command], self.env, self.folder.parent / "log", self.more.get("stop"))
        assert code in (0, STOPPED), (self.name, code, said)
        if self.name in JOURNALS:
            self.final = self.done_in(self.more["journal"])
            self.works(self.program, *LONG[:-1], "../new.h5")
        elif self.name in CUBES:
            shutil.copy(self.folder / "c.h5", self.folder.parent / "new.h5")
            if "c.h5" in record.files:
                (self.folder.parent / "old.h5").write_bytes(record.files["c.h5"])
        return record

    def done_in(self, journal):
        code, out, _ = self.call(self.program, "info", "--json", journal)
        return json.loads(out)["done"] if code == 0 else 0

    # ---- what a state must hold: lists of flaws

    def flaws(self, record, k, state):
        power_loss.place(state, self.folder)
        if (self.folder / "cache").is_dir():
            for path in (self.folder / "cache", *(self.folder / "cache").rglob("*")):
                path.chmod(0o700)
        ended = k >= record.end
        kind = self.cube if self.name in CUBES else self.journal if self.name in JOURNALS else self.files
        return list(kind(record, k, ended))

    def again(self, command):
        code, _, err = self.call(self.program, *command)
        if code != 0 and not (code == 3 and self.same("c.h5", "../new.h5")):  # a cube that is there
            yield f"the next command: status {code}, {err[-300:]}"

    def cube(self, record, _, ended):
        old = "c.h5" in record.files
        if (self.folder / "c.h5").exists():
            code, _, err = self.call(self.program, "info", "--check", "c.h5")
            if code != 0:
                yield f"the cube is called damaged: {err[-300:]}"
            new = self.same("c.h5", "../new.h5")
            if not new and not (old and self.same("c.h5", "../old.h5")):
                yield "the cube is neither the old nor the new one"
            if ended and not new:
                yield "the finished cube is lost"
        elif old or ended:
            yield "the cube is lost"
        yield from self.again(self.command)
        if not self.same("c.h5", "../new.h5"):
            yield "the next command ends in another cube"

    def journal(self, record, k, ended):
        said = [json.loads(line) for o in record.done[:k] if o[0] == "said" for line in o[1].splitlines() if line.startswith("{")]
        announced = max([self.final if ended else 0, *(line.get("done", 0) for line in said)])
        found = self.done_in(self.more["journal"]) if (self.folder / self.more["journal"]).exists() else 0
        if found < announced:
            yield f"{announced} cells were announced, {found} are there"
        if "--part" not in self.command:
            yield from self.again(LONG)
            if not self.same("c.h5", "../new.h5"):
                yield "the next run ends in another cube"

    def files(self, record, _, ended):
        whole = record.state(len(record.done), "ext4", None)[0]
        for name in self.more["files"]:
            path = self.folder / name
            found = path.read_bytes() if path.exists() else None
            if found != whole[name] and (ended or found != record.files.get(name)):
                yield f"{name} is {'absent' if found is None else 'torn'}"
        yield from self.again(self.command)


def moment(record, chance, i):
    """How many operations there were: each fourth time all of the command's; often near a change of names or a sync."""
    if i % 4 == 3:
        return record.end
    hot = [j + 1 for j, operation in enumerate(record.done) if operation[0] not in ("write", "room", "said")]
    at = chance.choice(hot) + chance.randint(-2, 2) if chance.random() < 0.65 else chance.randint(1, len(record.done))
    return min(len(record.done), max(1, at))


def main(program, mpirun, states, seed="1", *names):
    status = 0
    for name in names or (*CUBES, *JOURNALS, *FILES):
        chance = random.Random(f"{name} {seed}")
        with tempfile.TemporaryDirectory(prefix="saltus-power-") as folder:
            losing = Losing(program, mpirun, pathlib.Path(folder), name)
            record = losing.record()
            bad = 0
            for i in range(int(states)):
                k, model = moment(record, chance, i), power_loss.MODELS[i % 3]
                for flaw in losing.flaws(record, k, record.state(k, model, chance)):
                    print(f"{name}: state {i} ({model}, after operation {k} of {record.end}, {record.done[k - 1][0]}): {flaw}")
                    bad += 1
            print(f"{name}: {len(record.done)} operations, {states} states, {bad} flaws", flush=True)
            status |= bad > 0
    return status


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
