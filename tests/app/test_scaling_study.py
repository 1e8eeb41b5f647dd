"""Scaling studies of jobscripts/scaling_runs.sh: any sweep, from any number of ranks on, stopped and gone on with.  Runs are of one
rank each, whose status is given the ranks that were asked for (test_slurm.py has real ones).

Called as test_scaling_study.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG JOBSCRIPTS.
"""
import json
import os
import pathlib
import subprocess
import sys

import h5py

import cli

JOBSCRIPTS = pathlib.Path(sys.argv.pop(1)).resolve()
# As scaling.sh, which builds the program before.
STUDY = """
set -euo pipefail
home={home} saltus={saltus} most=4 per_node=4 cpus=1 launcher=(./launcher)
. "$home/jobscripts/env.sh"
. "$home/jobscripts/scaling_runs.sh"
run_job() {{ status=0 && "$@" || status=$?; }}
read_study "$@"
begin_study "$LIMIT"
measure_all
exit $status
"""
LAUNCHER = """#!/bin/bash
n=$2
[ $n -le {most} ] || exit 85
shift 2
"$@" || exit
while [ "$1" != --status ]; do shift; done
sed -i 's/"ranks": 1/"ranks": '$n/ "$2"
"""
LINES = ["model: monopod", "cells:", "  axes:", "    - {name: k, list: [10, 20]}", "    - name: b  # rate", "", "      linear: [1000, 2000]",
         "      points: 4", "t_end: 1", "mesh: 0.1", "solvers: [ode45]", "strategies: [switch]", "rtol: [1e-3]", ""]


class Study(cli.InFolder):
    def study(self, *args, code=0, limit=0, most=4, says=""):
        text = STUDY.format(home=JOBSCRIPTS.parent, saltus=cli.SALTUS)
        (self.folder / "launcher").write_text(LAUNCHER.format(most=most))
        (self.folder / "launcher").chmod(0o755)
        done = subprocess.run(["bash", "-c", text, "study", *map(str, args)], cwd=self.folder, text=True, timeout=cli.TIMEOUT,
                              env=dict(os.environ, LIMIT=str(limit)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertRegex(done.stdout, says)
        return done.stdout

    def runs(self):
        """Cells of each run that is measured."""
        return {path.name[:-9]: json.loads(path.read_text().splitlines()[-1])["cells"] for path in self.folder.glob("mine/*-1.status")}

    def test_any_sweep_from_two_ranks_on_goes_on(self):
        (self.folder / "my sweep.yaml").write_text("\n".join(LINES))
        mine = ("my sweep.yaml", "mine", "-", 1)
        self.study("--base", 2, *mine, limit=1e-9, code=2, says=r"\n(?s:.*)each run must end within the time limit: raise --time")
        self.study("--base", 8, *mine, code=2, says="--base 8: there are 4 ranks")
        # A launcher that fails at four ranks: what is measured is drawn.
        self.study("--base", 2, *mine, code=85, most=2, says="4 runs, 0 of them measured; saltus plan expects")
        self.assertEqual(self.runs(), {f"{series}-sweep-2x1": 8 for series in ("strong", "weak", "threads")})
        first = (self.folder / "mine/strong-sweep-2x1-1.status").stat().st_mtime_ns
        self.study("--base", 2, *mine, says="4 runs, 1 of them measured")
        self.assertEqual(self.runs(), {"strong-sweep-2x1": 8, "weak-sweep-2x1": 8, "threads-sweep-2x1": 8,
                                       "strong-sweep-4x1": 8, "weak-sweep-4x1": 16, "threads-sweep-2x2": 8})
        self.assertEqual({path.stem for path in self.folder.glob("mine/*.predicted")}, set(self.runs()))
        self.assertEqual((self.folder / "mine/strong-sweep-2x1-1.status").stat().st_mtime_ns, first)
        self.study(*mine, code=2, says="has measurements of another study .*from 2 ranks on.*from 1 ranks on.*take another folder")

    def test_counts_of_an_axis_are_cases(self):
        (self.folder / "mine.yaml").write_text("\n".join(LINES))
        by = "mine.yaml:k=10,30"
        self.study("--base", 4, by, "mine", "-", 1, says="2 runs, 0 of them measured")
        self.assertEqual(self.runs(), {f"{series}-{k}-4x1": 4 for k in (10, 30) for series in ("strong", "weak", "threads")})
        for k in (10, 30):
            with h5py.File(self.folder / f"mine/{k}.h5") as cube:
                self.assertEqual({*cube["k"][()]}, {k})
        self.study("mine.yaml:m1=1,2", "other", code=2, says=r"has no axis \{name: m1, list: \[..\]\} in one line")

    def test_axes_of_as_many_points_have_no_weak_series(self):
        (self.folder / "mine.yaml").write_text("\n".join(LINES).replace("list: [10, 20]", "linear: [10, 20], points: 4"))
        self.study("--base", 4, "mine.yaml", "mine", "-", 1, says="no weak series: .*points of a number that no other axis has")
        self.assertEqual(self.runs(), {f"{series}-sweep-4x1": 16 for series in ("strong", "threads")})

    def test_what_cannot_be_a_study_is_refused(self):
        self.study("hoppers:3", "d", code=2, says="hoppers has no cases to choose from")
        self.study("none.yaml", "d", code=2, says="none.yaml: no such file")
        self.study("contacts:2", "d", "x", code=2, says="whole numbers are expected")
        self.assertEqual([*self.files()], ["launcher"])

    def test_a_text_with_counts_makes_a_sweep(self):
        row = JOBSCRIPTS.parent / "sweeps/models/impact-row.yaml"
        listed = self.works("list", "models", row, "--json")
        counted = [str(JOBSCRIPTS / "counted.py"), str(row)]
        text = subprocess.run([*counted, "2,32,512", "5"], input=listed, text=True, stdout=subprocess.PIPE, check=True).stdout
        (self.folder / "sweep.yaml").write_text(text)
        self.assertIn("{name: n, list: [2, 32]}", text)  # of 1 to 64
        self.assertEqual(json.loads(self.works("plan", "sweep.yaml", "--json", "--sample", "0"))["cells"], 10)
        self.assertNotEqual(subprocess.run([*counted, "512", "5"], input=listed, text=True, stderr=subprocess.PIPE).returncode, 0)


cli.main()
