"""Jobs in SLURM's database: `sacct`, and that the job that merges an array is on the array's account.

Called as test_accounting.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG JOBSCRIPTS.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import cli

PROGRAMS = ("slurmctld", "slurmdbd", "mariadbd")
JOBSCRIPTS = pathlib.Path(sys.argv.pop(1)).resolve()
LOCAL = JOBSCRIPTS / "local-slurm.sh"


class Accounting(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "SLURM_", "SBATCH_"))}
        self.env.update(re.findall(r"(\w+)=(\S+)", self.ask("bash", LOCAL, "start", "--accounting", "1")))
        self.addCleanup(self.ask, "bash", LOCAL, "stop")
        self.env.update(SALTUS=cli.SALTUS, SALTUS_HOME=str(JOBSCRIPTS.parent))
        shutil.copy(cli.DALLAS, self.folder / "sweep.yaml")

    def ask(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.env, text=True, timeout=cli.TIMEOUT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def sacct(self):
        """Rows of jobs and steps by their numbers."""
        columns = ("JobID", "JobName", "Account", "QOS", "State", "TotalCPU", "MaxRSS")
        rows = self.ask("sacct", "--noheader", "--parsable2", "--format=" + ",".join(columns)).splitlines()
        return {row.split("|")[0]: dict(zip(columns, row.split("|"))) for row in rows}

    def test_an_array_and_its_merge_are_on_the_books(self):
        self.ask("sacctmgr", "-i", "add", "account", "thesis", "Organization=local")
        self.ask("sacctmgr", "-i", "add", "user", os.environ.get("USER") or self.ask("id", "-un").strip(), "Account=thesis")
        array = self.ask("sbatch", "--parsable", "--wait", "--account=thesis", "--array=1-2", "--cpus-per-task=1",
                         JOBSCRIPTS / "array.sbatch", "sweep.yaml", "out.h5", *cli.sets(*cli.SHORT)).strip()
        self.assertTrue(cli.wait_until((self.folder / "out.h5").exists))

        def merged():
            return [row for row in self.sacct().values() if row["JobName"] == f"sal-merge-{array}" and row["State"] == "COMPLETED"]

        self.assertTrue(cli.wait_until(merged))
        self.assertEqual([(row["Account"], row["QOS"]) for row in merged()], [("thesis", "normal")])
        steps = {name: row for name, row in self.sacct().items() if re.fullmatch(rf"{array}_[12]\.0", name)}
        self.assertEqual(len(steps), 2, self.sacct())
        for row in steps.values():
            self.assertEqual((row["JobName"], row["State"]), ("saltus", "COMPLETED"))
            self.assertGreater(float(row["TotalCPU"].split(":")[-1]), 0)
            self.assertRegex(row["MaxRSS"], r"^[1-9]\d*K$")


missing = [program for program in PROGRAMS if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
if missing:
    sys.exit(f"no {', '.join(missing)} on this machine: jobscripts/setup.sh --slurm --accounting installs them;"
             " jobscripts/test.sh --without app.accounting leaves this test out")
cli.main()
