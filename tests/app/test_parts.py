"""The command of jobscripts/kubernetes.yaml: parts that are killed and begun again make the cube of an undivided run.

Called as test_parts.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG JOBSCRIPTS.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

import yaml

import cli

JOBSCRIPTS = pathlib.Path(sys.argv.pop(1)).resolve()
CELLS = "cells={axes: [{columns: [b, m1, k, f], points: 1200, random: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}"
KILLED = (1, 3, 4, 6)


class Parts(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.job = yaml.safe_load((JOBSCRIPTS / "kubernetes.yaml").read_text(encoding="utf-8"))["spec"]
        container = self.job["template"]["spec"]["containers"][0]
        own = {"exec saltus": f"exec {cli.SALTUS}", "/sweeps/atlas.yaml": cli.DALLAS, "/results/": ""}
        text = container["args"][0]
        for there, here in own.items():
            self.assertIn(there, text)
            text = text.replace(there, here)
        options = " ".join(f"'{word}'" for word in cli.sets(*cli.SHORT, CELLS))
        self.command = [*container["command"], f"{text} --quiet --sync 0.05 {options}"]

    def begin(self, index):
        run = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, JOB_COMPLETION_INDEX=str(index), OMP_NUM_THREADS="1"))
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.kill)
        return run

    def ends_well(self, run):
        _, said = run.communicate(timeout=cli.TIMEOUT)
        self.assertEqual(run.returncode, 0, said)

    def is_at_work(self, index):
        """Its journal is begun."""
        folder = self.folder / f"atlas.h5.journal.{index + 1}-of-8"
        return any(path.stat().st_size > 0 for path in folder.glob("*"))

    def test_killed_parts_are_begun_again(self):
        self.assertEqual((self.job["completionMode"], self.job["completions"]), ("Indexed", 8))
        killed = 0
        for index in range(8):
            run = self.begin(index)
            if index in KILLED:
                cli.wait_until(lambda r=run, i=index: self.is_at_work(i) or r.poll() is not None, run)
                time.sleep(0.04 * index)
                run.send_signal(signal.SIGKILL)
                run.communicate(timeout=cli.TIMEOUT)
                killed += run.returncode == -signal.SIGKILL
            else:
                self.ends_well(run)
        self.assertGreater(killed, 0)
        early = self.saltus("merge", "atlas.h5")
        self.assertEqual(early.returncode, 2, early.stderr)
        self.assertIn("finish the parts that lack them first", early.stderr)
        for index in KILLED:
            self.ends_well(self.begin(index))
        self.works("merge", "atlas.h5", "--remove")
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT, CELLS))
        self.assertIn("the same", self.works("diff", "whole.h5", "atlas.h5"))


cli.main()
