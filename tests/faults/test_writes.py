"""A write, fsync or ftruncate of a cube or of its journal that fails, the n-th of each command, once and from then on.

The program ends with 4, or with 0 and the cube of an undisturbed run; what is there then is sound, a cube that was there is the old or the
new one, and the same command ends in the cube of an undisturbed run.  The names of journals and cubes are synced.

test_writes.py SALTUS SHIM TRIALS: TRIALS of all n, drawn for each command and each way to fail; 0: every n.
"""
import errno
import os
import random
import shutil
import sys
import tempfile

import ground

FILE = 4  # exit status of SAL_ERR_IO
SWEEP = ground.small_sweep(4, 3) + "store: {trajectories: [2], every: 0.5}\n"
AGAIN = ("--force",)
# name: the command, its output, the part of a path that is watched, whether the output is there before, options of the second try
COMMANDS = {
    "run": (("run", "sweep.yaml", "-q", "-o", "out.h5"), "out.h5.part", False, ()),
    "journal": (("run", "sweep.yaml", "-q", "-o", "out.h5"), "out.h5.journal", False, ()),
    "run over": (("run", "sweep.yaml", "-q", "-o", "out.h5", "--force"), "out.h5.part", True, ()),
    "map": (("map", "out.h5", "--error", "1e-3"), "out.h5", True, ()),
    "store": (("store", "out.h5", "--cells", "1,4-6", "-q", "--force"), "out.h5", True, ()),
    "refine": (("refine", "cube.h5", "--cells", "24", "-q", "-o", "out.h5"), "out.h5", False, AGAIN),
}
WAYS = [(why, all_after) for why in (errno.EIO, errno.ENOSPC) for all_after in (False, True)]


class Failing(ground.Folder):
    def __init__(self, program, shim, folder):
        super().__init__(folder)
        self.program, self.shim = os.path.abspath(program), os.path.abspath(shim)
        (self.folder / "sweep.yaml").write_text(SWEEP)
        self.works(self.program, "run", "sweep.yaml", "-q", "-o", "cube.h5")
        for name, (command, *_, there, _) in COMMANDS.items():
            self.begin(there)
            self.works(self.program, *command)
            os.rename(self.folder / "out.h5", self.folder / f"{name}.h5")

    def begin(self, there):
        for path in self.folder.glob("out.h5*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if there:
            shutil.copy(self.folder / "cube.h5", self.folder / "out.h5")

    def fail(self, command, watched, n, why, all_after):
        """Status, errors, calls there were and calls that failed."""
        told = self.folder / "counts"
        told.unlink(missing_ok=True)
        code, _, err = self.call(self.program, *command, LD_PRELOAD=self.shim, FAIL_PATH=watched, FAIL_AT=str(n), FAIL_WITH=str(int(why)),
                                 FAIL_TOLD=str(told), **({"FAIL_ALL": "1"} if all_after else {}))
        return code, err, *(map(int, told.read_text().split()) if told.exists() else (0, 0))

    def same(self, a, b):
        return self.call(self.program, "diff", a, b)[0] == 0

    def flaw(self, name, n, why, all_after):
        """None, or what is wrong with what is left; False: nothing failed."""
        command, watched, there, more = COMMANDS[name]
        self.begin(there)
        code, err, _, failed = self.fail(command, watched, n, why, all_after)
        out = self.folder / "out.h5"
        if code not in (0, FILE):
            return f"status {code}: {err[-300:]}"
        if code == 0 and not self.same("out.h5", f"{name}.h5"):
            return "status 0, and another cube"
        said = [line for line in err.strip().splitlines() if not line.startswith("mca_")]  # a word of Open MPI's own
        if code == FILE and (len(said) != 1 or not said[0].startswith("saltus")):
            return f"not a sentence: {err[-300:]}"
        if there and not out.exists():
            return "the old cube is gone"
        if out.exists():
            if self.call(self.program, "info", "--check", "out.h5")[0] != 0:
                return f"status {code}, and a damaged cube"
            if not any(self.same("out.h5", other) for other in (f"{name}.h5", "cube.h5")):
                return f"status {code}, and a cube that is neither the old nor the new one"
        if code == FILE and command[0] == "run" and name != "journal" and not out.exists() and not list(self.folder.glob("out.h5.journal/*.sal")):
            return "the journals are gone"
        if code == FILE:
            again, _, err = self.call(self.program, *command, *(more if out.exists() else ()))
            if again == 3 and self.same("out.h5", f"{name}.h5"):  # the name had been published
                again = 0
            if again != 0 or not self.same("out.h5", f"{name}.h5"):
                return f"the same command again: status {again}, {err[-300:]}"
        return None if failed else False


    def not_synced(self):
        """Folders of journals that are made, and the one that the cube is in: those whose names are not synced afterwards."""
        self.begin(False)
        told = self.folder / "synced"
        code, *_ = self.call(self.program, *COMMANDS["run"][0], LD_PRELOAD=self.shim, SYNC_TOLD=str(told))
        assert code == 0
        lines = [line.split(" ", 1) for line in told.read_text().splitlines()]
        made = [(i, os.path.join(os.path.realpath(self.folder), path)) for i, (what, path) in enumerate(lines) if what == "mkdir" and ".journal" in path]
        journals = [path for what, path in lines if what == "sync" and path.endswith(".sal")]
        assert len(made) == 1 and journals, lines
        last = max(i for i, (_, path) in enumerate(lines) if ".part" in path)  # the cube is written, and gets its name
        wanted = [(i, os.path.dirname(path)) for i, path in made] + [made[0], (last, os.path.realpath(self.folder))]
        return [path for i, path in wanted if ["sync", path] not in lines[i:]]


def main():
    program, shim, trials = sys.argv[1], sys.argv[2], int(sys.argv[3])
    chance = random.Random(4545)
    status = 0
    with tempfile.TemporaryDirectory(prefix="saltus-writes-") as folder:
        failing = Failing(program, shim, folder)
        for path in failing.not_synced():
            print(f"{path}: names in it are not synced")
            status = 1
        for name, (command, watched, there, _) in COMMANDS.items():
            failing.begin(there)
            code, err, calls, _ = failing.fail(command, watched, 0, 0, False)
            assert code == 0 and calls > 5, (name, code, calls, err)
            tasks = [(n, *way) for way in WAYS for n in range(1, calls + 1)]
            if trials:
                tasks = chance.sample(tasks, trials - 1) + [(calls, *WAYS[0])]
            done = 0
            for task in tasks:
                flaw = failing.flaw(name, *task)
                if flaw:
                    print(f"{name}: call {task[0]} of {calls}, {errno.errorcode[task[1]]}{', and all after it' if task[2] else ''}: {flaw}")
                    status = 1
                done += flaw is not False
            print(f"{name}: {calls} calls, {len(tasks)} trials, {done} with a call that failed")
            if done < len(tasks) // 2:
                print(f"{name}: few of them failed: is the library loaded?")
                status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main())
