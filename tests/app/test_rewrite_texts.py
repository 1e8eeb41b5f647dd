"""Texts in words that are no longer read, and the script that rewrites them."""
import os
import sys

import cli

sys.path.insert(0, os.path.join(os.path.dirname(cli.SWEEPS), "tests"))
import rewrite_texts  # noqa: E402

OLD = """equations: 1
name: old-block
parameters: {F: {preset: 1}, holds: {preset: 0.5, what: a name of the model's own}}
states: {x: {preset: 0, range: [-1, 1]}, v: {preset: -0.1, rate_of: x}}
contacts:
  belt: {names: [stick, slip], kind: grips, gap: -v, holds: F - abs(x), closes: {v: 0}}  # kind: stops
  side:
    names: [left, right]
    kind: marks # holds: nothing
    gap: x - holds
flow: {x: v, v: 0 if belt else holds - x}
rest: {x: holds, v: 0}
"""
NEW = (("kind: grips", "kind: friction"), ("gap: -v, holds:", "gap: -v, release:"), ("kind: marks", "kind: surface"), ("rest: {", "equilibrium: {"))


SWEEP = """model: decay
cells: {axes: [{columns: [lambda], sobol: [[1, 2]], points: 32}]}
solvers: [ode45, dop853, radau5]
strategies: [event]
rtol: [1e-3, 1e-5]
t_end: 1
cap: {pacemakers: [ode45], reserve: [dop853], whole: [radau5]}
scouts:
  cells: 16
  audit: 1   # whole: all of them
"""
ORBITS = "model: monopod\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-6]\norbit: {find: [transient], hops: 3, flight: 0.1}  # hops\n"


RECORDED = """saltus-trajectories 1
library SciPy 1.10.1
select solve_ivp(f)
select   (t_end)
model decay
states y
t_end 1
cell 1 y=1
run cell=1 strategy=switch rtol=0.001 steps=1 rhs=6
0 1
: 0.5 0.6
1 4e-1
end 1
"""
REWRITTEN = """trajectories: 1
library: SciPy 1.10.1
model: decay
t_end: 1
select: |
  solve_ivp(f)
    (t_end)
states: [y]
cells:
  - {y: 1}
rows: 3
runs:
  - {cell: 1, strategy: switch, rtol: 0.001, steps: 1, rhs: 6}
---
run,inside,t,y
1,0,0,1
1,1,0.5,0.6
1,0,1,4e-1
"""


class Rewritten(cli.InFolder):
    def test_an_old_sweep_is_refused_and_planned_when_it_is_rewritten(self):
        (self.folder / "old.yaml").write_text(SWEEP)
        self.refused("plan", "old.yaml", says=("old.yaml:7: ", "'cap'"))
        rewrite_texts.main([str(self.folder / "old.yaml")])
        self.assertEqual((self.folder / "old.yaml").read_text(), SWEEP.replace("cap:", "cutoff:").replace("pacemakers", "baselines").replace(
            "reserve", "second_baselines").replace("whole: [", "exempt: [").replace("scouts:", "pilots:").replace("audit", "validation"))
        self.works("plan", "old.yaml")

    def test_an_old_text_is_refused_and_runs_when_it_is_rewritten(self):
        (self.folder / "old.yaml").write_text(OLD)
        self.refused("model", "check", "old.yaml", says=("old.yaml:12: ", "'rest'"))
        rewrite_texts.main([str(self.folder / "old.yaml")])
        wanted = OLD
        for old, new in NEW:
            self.assertEqual(wanted.count(old), 1)
            wanted = wanted.replace(old, new)
        self.assertEqual((self.folder / "old.yaml").read_text(), wanted)
        self.works("trajectory", "--model", "old.yaml", "--solver", "ode45", "--t-end", 1, "-o", "run.csv")

    def test_keys_of_orbits(self):
        (self.folder / "old.yaml").write_text(ORBITS)
        self.refused("plan", "old.yaml", says=("old.yaml:5: ",))
        rewrite_texts.main([str(self.folder / "old.yaml")])
        self.assertEqual((self.folder / "old.yaml").read_text(), ORBITS.replace("hops: 3, flight:", "flights: 3, chatter:"))
        self.works("plan", "old.yaml")

    def test_recorded_runs_of_old_are_refused_and_scored_when_they_are_rewritten(self):
        (self.folder / "old.txt").write_text(RECORDED)
        (self.folder / "sweep.yaml").write_text("model: decay\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\nt_end: 1\nmesh: 0.1\n")
        score = ("score", "sweep.yaml", "--recorded", "theirs=old.txt", "-o", "cube.h5")
        self.refused(*score, says=("old.txt:", "not valid YAML"))
        rewrite_texts.main([str(self.folder / "old.txt")])
        self.assertEqual((self.folder / "old.txt").read_text(), REWRITTEN)
        self.works(*score)

    def test_a_text_of_today_stays(self):
        for name in sorted(os.listdir(os.path.join(cli.SWEEPS, "models"))):
            if name.endswith(".yaml"):
                with open(os.path.join(cli.SWEEPS, "models", name), encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(rewrite_texts.rewrite(text), text, name)


cli.main()
