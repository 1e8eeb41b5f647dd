"""File systems without locks, and with a quota, by a library that is loaded ahead of others: what works there works, and what cannot
work is refused before cells are computed.

test_no_locks.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG SHIM
"""
import errno
import json
import os
import pathlib
import subprocess
import sys

import cli

SHIM = os.path.abspath(sys.argv.pop(1))
ANALYSIS = pathlib.Path(cli.SWEEPS).parent / "analysis"
SMALL = cli.sets(*cli.SHORT, "solvers=[ode45]", "rtol=[1e-3]", "cells={axes: [{name: b, linear: [1000, 2000], points: 4}]}")
OPENS = """
import sys
sys.path.insert(0, sys.argv[1])
import cube
try:
    print(cube.open_cube(sys.argv[2]).title)
except cube.NotOurs as why:
    sys.exit(str(why))
"""


class NoLocks(cli.InFolder):
    def under(self, **more):
        return dict(os.environ, LD_PRELOAD=SHIM, **{name: str(value) for name, value in more.items()})

    def test_all_works_without_locks(self):
        self.works("run", cli.DALLAS, "-q", "-o", "there.h5", *SMALL)
        for why in (errno.ENOLCK, errno.ENOSYS):
            env = self.under(NO_LOCKS=int(why), FAKE_NFS=1)  # one node: no other one's pages
            self.works("run", cli.DALLAS, "-q", "-o", "out.h5", "--force", *SMALL, env=env)
            self.assertIn("the same", self.works("diff", "there.h5", "out.h5", env=env))
        self.works("store", "out.h5", "--cells", "1", "-q", env=env)
        self.works("map", "out.h5", "--error", "1e-3", env=env)

    def test_scripts_name_the_cure(self):
        self.works("run", cli.DALLAS, "-q", "-o", "out.h5", *SMALL)
        for locking, code, says in (("TRUE", 1, "HDF5_USE_FILE_LOCKING=FALSE reads it on a file system without locks"), ("FALSE", 0, "")):
            env = self.under(NO_LOCKS=int(errno.ENOLCK), HDF5_USE_FILE_LOCKING=locking)
            done = subprocess.run([sys.executable, "-c", OPENS, ANALYSIS, "out.h5"], cwd=self.folder, env=env, text=True, stdin=subprocess.DEVNULL,
                                  capture_output=True, check=False, timeout=cli.TIMEOUT)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stderr)

    def test_doctor_names_cause_and_cure(self):
        for why, cause in ((errno.ENOLCK, "No locks available (NFS without rpc.statd and lockd)"), (errno.ENOSYS, "(Lustre without -o flock)")):
            row = json.loads(self.works("doctor", "--json", env=self.under(NO_LOCKS=int(why))))["locks"]
            self.assertEqual(row["state"], "lacks")
            self.assertIn(cause, row["found"])
            self.assertIn("HDF5_USE_FILE_LOCKING=FALSE", row["todo"])

    def test_a_quota_is_seen_before_cells_are_computed(self):
        text = self.saltus("run", cli.DALLAS, "-o", "out.h5", *SMALL, env=self.under(QUOTA=10000)).stderr
        self.assertRegex(text, r"(?m)^out\.h5\.journal: about \d+(\.\d)? kB are to be written, and your quota has less there; a full disk")
        text = self.saltus("run", cli.DALLAS, "-o", "out.h5", "--force", *SMALL, env=self.under(QUOTA=10**9)).stderr
        self.assertNotIn("are to be written", text)

    def test_a_home_that_cannot_be_written(self):
        (self.folder / "mine.yaml").write_text(self.works("model", "new", "oscillator"))
        env = dict(os.environ, HOME="/proc", OMP_NUM_THREADS="1")
        for name in ("XDG_CACHE_HOME", "SALTUS_CACHE"):
            env.pop(name, None)
        done = self.saltus("model", "check", "mine.yaml", env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        row = json.loads(self.works("doctor", "--json", env=env))["compiler"]
        self.assertEqual(row["state"], "lacks")
        self.assertIn("/proc", row["found"])
        self.assertIn("SALTUS_CACHE", row["todo"])


cli.main()
