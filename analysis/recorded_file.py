"""Tasks of `saltus score --export`, and files of recorded trajectories for `saltus score --recorded`.

sweeps/recorded.md describes the format.
"""

import json
import os
import shutil
import tempfile

import yaml

from cube import NotOurs

FORMAT = "trajectories"


class Tasks:
    """The runs of a task: cells x strategies x tolerances of one model."""

    def __init__(self, path):
        with open(path, encoding="utf-8-sig") as file:
            try:
                words = yaml.load(file, Loader=yaml.BaseLoader)  # all values as they are written
            except yaml.YAMLError as error:
                raise NotOurs(f"{path}: {error}") from error
        if not isinstance(words, dict) or words.get(FORMAT) != "1":
            raise NotOurs(f"{path}: expected: {FORMAT}: 1")
        missing = [key for key in ("model", "states", "t_end", "mesh", "strategies", "rtol", "cells") if key not in words]
        if missing:
            raise NotOurs(f"{path}: required key '{missing[0]}' is missing")
        self.model, self.states, self.cells = words["model"], tuple(words["states"]), words["cells"]
        self.t_end, self.mesh = float(words["t_end"]), int(words["mesh"])
        self.strategies, self.tolerances = tuple(words["strategies"]), tuple(float(text) for text in words["rtol"])
        self.head = [f"model: {self.model}", f"states: [{', '.join(self.states)}]", f"t_end: {words['t_end']}", f"mesh: {words['mesh']}",
                     "cells:", *(f"  - {_mapping(cell)}" for cell in self.cells)]

    def mesh_inside(self, t0, t1):
        """Mesh points between t0 and t1: t_end j / mesh, in the very operations of saltus."""
        near = range(max(0, int(t0 / self.t_end * self.mesh) - 1), int(t1 / self.t_end * self.mesh) + 2)
        return [t for t in (self.t_end * j / self.mesh for j in near) if t0 < t < t1]

    def initial(self, cell):
        return tuple(float(self.cells[cell][name]) for name in self.states)


class Recorder:
    """Writes a file of recorded trajectories: rows beside it, run by run, and the head with its counts at the end."""

    def __init__(self, file, tasks, about):
        """about: pairs of a key of the head and its text: library, type, order, select."""
        self.file, self.runs, self.rows = file, [], 0
        self.head = [f"{FORMAT}: 1", *(f"{key}: {json.dumps(text)}" for key, text in about), *tasks.head]
        self.table = tempfile.TemporaryFile("w+", encoding="utf-8")  # closed by `end`
        self.table.write(",".join(("run", "inside", "t", *tasks.states)) + "\n")

    def run(self, cell, strategy, tolerance, counts, trajectory):
        """counts: further keys of the run; trajectory: of (t, y, inner), inner the points inside a step."""
        self.runs.append({"cell": cell + 1, "strategy": strategy, "rtol": repr(tolerance), **counts})
        for t, y, inner in trajectory:
            for point in inner:
                self._row(1, *point)
            self._row(0, t, y)

    def _row(self, inside, t, y):
        self.rows += 1
        self.table.write(",".join((f"{len(self.runs)},{inside},{float(t)!r}", *(f"{float(value):.15g}" for value in y))) + "\n")

    def end(self):
        """Writes the file; all of it is on the disk then."""
        lines = [*self.head, f"rows: {self.rows}", "runs:", *(f"  - {_mapping(run)}" for run in self.runs), "---"]
        self.file.write("\n".join(lines) + "\n")
        self.table.seek(0)
        shutil.copyfileobj(self.table, self.file)
        self.table.close()
        self.file.flush()
        os.fsync(self.file.fileno())


def _mapping(words):
    return "{" + ", ".join(f"{key}: {value}" for key, value in words.items()) + "}"
