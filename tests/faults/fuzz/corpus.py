#!/usr/bin/python3
"""corpus.py SALTUS SWEEPS FOLDER: what the targets of fuzz/ begin with, a folder for each of them.

Made by the program and from the sweeps that come with it, so that it is never older than the formats.
"""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import ground  # noqa: E402

SWEEP = ground.small_sweep(3, 2) + "store: {trajectories: [2], every: 0.5}\n"
MORE_SWEEPS = (
    "model: decay\ncells:\n  axes:\n    - {sobol: {lambda: [1, 2], y: [0, 1]}, points: 8}\nt_end: 1\nmesh: 0.1\n"
    "solvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\n",
    "model: monopod\nt_end: 1\nmesh: 0.1\nlibraries:\n  - {name: petsc-x, library: PETSc, options: '-ts_type bdf -ts_bdf_order 3'}\n"
    "solvers: [petsc-x]\nstrategies: [event]\nrtol: [1e-3]\n",
    "model: bouncing-ball\ncells:\n  columns: [e, y]\n  rows:\n    - [0.8, 1.0]\n    - [0.5, 2.0]\nt_end: 3\nmesh: 0.1\n"
    "solvers: [ode23]\nstrategies: [event]\nrtol: [1e-4]\nbudget: {factor: 100}\ntiming: {repeats: 2}\n",
)
SETS = ("t_end=11\nmesh=0.01\nrtol=[1e-3,1e-6]", "options.adhesion=clamp\ntiming.repeats=0",
        "cells={axes: [{name: b, linear: [1, 2], points: 3}]}", "store={trajectories: [2], every: 0.5}\nwidth=4",
        "solvers=[ode23,ode45]\nstrategies=[event]\nreference_tolerance=1e-9", "budget.factor=10\ndivergence={}")
RECORDED = """\
trajectories: 1
library: SciPy 1.10.1
type: solve_ivp RK45
order: 5
model: bouncing-ball
t_end: 0.4
select: |
  scipy.integrate.solve_ivp(f, (0, t_end), y0)
states: [y, v]
cells:
  - {g: 9.81, e: 0.8, y: 1, v: 0}
rows: 4
runs:
  - {cell: 1, strategy: event, rtol: 1e-06, steps: 2, rhs: 50, events: 0, restarts: 0, seconds: 0.002}
---
run,inside,t,y,v
1,0,0,1,0
1,1,0.1,0.95095,-0.981
1,0,0.2,0.8038,-1.962
1,0,0.4,0.2152,-3.924
"""
WORDS = ("run\ns.yaml\n-q\n-o\nx.h5\n--set\nt_end=1\n--part\n1/2", "recommend\nx.h5\n--at\nb=2000,k=20\n--error\n1e-2\n--run",
         "info\n--check\nx.h5\n--json", "diff\na.h5\nb.h5", "plan\ns.yaml\n--sample\n0", "map\nx.h5\n--json",
         "trajectory\n--model\nmonopod\n--param\nb=1e3\n--t-end\n1\n--dt\n0.1\n-o\nx.csv", "list\nmodels\n--json",
         "orbit\n--model\nhopping-leg\n--guess\nzU=1.02,vU=1.7", "refine\nx.h5\n--cells\n4\n--dry-run", "map\nx.h5\n--error\n1e-4",
         "store\n-f\nx.h5\n--cells\n1,2\n--every\n0.5", "regret\nx.h5\n--points\n4\n-o\ny.h5", "merge\nx.h5", "tables\nx.h5",
         "score\ns.yaml\n--recorded\nx=r.txt\n-o\ny.h5", "plan\nx.h5\n--ranks\n1,10", "calibrate-eps\n--csv\nx.csv", "bderiv", "continue\n-h")


def put(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def results(saltus, folder):
    """A cube, and a journal of one part."""
    it = ground.Folder(folder)
    put(folder, "s.yaml", SWEEP)
    it.works(saltus, "run", "s.yaml", "-q", "-f", "-o", "x.h5")
    shutil.rmtree(folder / "p.h5.journal.1-of-2", ignore_errors=True)
    it.works(saltus, "run", "s.yaml", "-q", "-o", "p.h5", "--part", "1/2")
    return (folder / "x.h5").read_bytes(), (folder / "p.h5.journal.1-of-2/0000.sal").read_bytes()


def main(saltus, sweeps, folder):
    saltus, sweeps, folder = os.path.abspath(saltus), pathlib.Path(sweeps), pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    put(folder / "sweep", "small.yaml", SWEEP)
    for i, text in enumerate(MORE_SWEEPS):
        put(folder / "sweep", f"more{i}.yaml", text)
    for name, texts in (("set", SETS), ("words", WORDS), ("recorded", (RECORDED,))):
        for i, text in enumerate(texts):
            put(folder / name, f"{i}", text)
    for path in sorted((sweeps / "models").glob("*.yaml")):
        put(folder / ("equation" if path.read_bytes().startswith(b"equations:") else "model"), path.name, path.read_bytes())
    for path in sorted((sweeps / "solvers").glob("*.yaml")):
        put(folder / "solver", path.name, path.read_bytes())
    cube, journal = results(saltus, folder)
    put(folder / "cube", "x.h5", cube)
    put(folder / "journal", "0000.sal", journal)
    print(*(f"{path.name}: {len(list(path.iterdir()))}" for path in sorted(folder.iterdir()) if path.is_dir()), sep=", ")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
