"""Tasks of `saltus score --export`, and files of recorded trajectories for `saltus score --recorded`.

sweeps/recorded.md describes the format.
"""

import os

from cube import NotOurs

FIRST_LINE = "saltus-trajectories 1"


class Tasks:
    """The runs of a task: cells x strategies x tolerances of one model."""

    def __init__(self, path):
        self.model, self.states, self.t_end = None, (), None
        self.strategies, self.tolerances, self.cells, self.head = (), (), [], []
        self.mesh = 0
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
        if not lines or lines[0] != FIRST_LINE:
            raise NotOurs(f"{path}:1: '{lines[0] if lines else ''}'; expected: {FIRST_LINE}")
        for number, line in enumerate(lines[1:], 2):
            self._take(path, number, line.split())
        if not (self.model and self.states and self.t_end and self.cells):
            raise NotOurs(f"{path}: model, states, t_end or cells are missing")

    def _take(self, path, number, words):
        key, *rest = words or ("#",)
        if key == "model":
            self.model = rest[0]
        elif key == "states":
            self.states = tuple(rest)
        elif key == "t_end":
            self.t_end = float(rest[0])
        elif key == "mesh":
            self.mesh = int(rest[0])
        elif key == "strategies":
            self.strategies = tuple(rest)
        elif key in ("rtol", "tolerances"):
            self.tolerances = tuple(float(text) for text in rest)
        elif key == "cell":
            self.cells.append(dict(word.split("=", 1) for word in rest[1:]))
        elif not key.startswith("#"):
            raise NotOurs(f"{path}:{number}: unknown line '{key}'")
        if key in ("model", "states", "t_end", "mesh", "cell"):
            self.head.append(" ".join(words))

    def mesh_inside(self, t0, t1):
        """Mesh points between t0 and t1: t_end j / mesh, in the very operations of saltus."""
        near = range(max(0, int(t0 / self.t_end * self.mesh) - 1), int(t1 / self.t_end * self.mesh) + 2)
        return [t for t in (self.t_end * j / self.mesh for j in near) if t0 < t < t1]

    def initial(self, cell):
        return tuple(float(self.cells[cell][name]) for name in self.states)


class Recorder:
    """Writes a file of recorded trajectories, run by run."""

    def __init__(self, file, tasks, about):
        """about: pairs of a key of the head and its text: library, type, order, select."""
        self.file, self.runs = file, 0
        lines = [FIRST_LINE, *(f"{key} {text}" for key, text in about), *tasks.head]
        file.write("\n".join(lines) + "\n")

    def run(self, cell, strategy, tolerance, counts, trajectory):
        """counts: of the line's key=value; trajectory: of (t, y, inner), inner the points inside a step."""
        self.runs += 1
        words = [f"run cell={cell + 1} strategy={strategy} rtol={tolerance!r}"]
        words += [f"{key}={value}" for key, value in counts.items()]
        self.file.write(" ".join(words) + "\n")
        for t, y, inner in trajectory:
            for point in inner:
                self.file.write(": " + _row(*point))
            self.file.write(_row(t, y))
        self.file.flush()

    def end(self):
        """The last line, by which a reader sees that the file is whole; all of it is on the disk then."""
        self.file.write(f"end {self.runs}\n")
        self.file.flush()
        os.fsync(self.file.fileno())


def _row(t, y):
    return f"{float(t)!r} " + " ".join(f"{float(value):.15g}" for value in y) + "\n"
