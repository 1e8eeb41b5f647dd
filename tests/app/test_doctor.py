"""saltus doctor: what works on this machine is said to, and what does not is seen."""
import json
import os

import cli


class Doctor(cli.InFolder):
    def looked(self, *args, code=0, **more):
        done = self.saltus("doctor", "--json", *args, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_a_machine_that_passes_these_tests_fails_nowhere(self):
        text = self.works("doctor")
        found = self.looked()
        self.assertEqual(len(text.splitlines()), len(found) + sum(row["todo"] is not None for row in found.values()))
        for name, row in found.items():
            self.assertIn(row["state"], ("works", "lacks"), name)
            self.assertTrue(row["found"], name)
            self.assertIn(row["found"], text)
        self.assertEqual(found["folder"]["state"], "works")
        self.assertEqual(found["locks"]["state"], "works")
        self.assertEqual(self.files(), {})  # what it tried is gone

    def test_ranks_try_together(self):
        found = self.looked(ranks=3, threads=1)
        self.assertIn("3 ranks of this node counted to 3", found["shared memory"]["found"])
        self.assertIn("written by 3 ranks", found["folder"]["found"])
        self.assertIn("for 3 ranks of 1 thread;", found["cores"]["found"])

    def test_threads_beyond_cores_are_told(self):
        many = 2 * os.cpu_count() + 1
        cores = self.looked(threads=many)["cores"]
        self.assertEqual(cores["state"], "lacks")
        self.assertIn("--bind-to none", cores["todo"])

    def test_a_folder_that_no_run_could_use(self):
        folder = self.looked("nowhere", code=16)["folder"]
        self.assertEqual(folder["state"], "fails")
        self.assertIn("nowhere: no file can be made there: No such file", folder["found"])
        self.assertIn("all ranks reach", folder["todo"])
        self.looked("nowhere", code=16, ranks=2)
        (self.folder / "file").write_text("")
        self.assertIn("Not a directory", self.looked("file", code=16)["folder"]["found"])

    def test_a_compiler_that_is_none(self):
        row = self.looked(env=dict(os.environ, SALTUS_CC="no-such-cc"))["compiler"]
        self.assertEqual(row["state"], "lacks")
        self.assertIn("no-such-cc", row["found"])
        self.assertIn("interpreted", row["todo"])

    def test_ranks_that_another_mpi_starts_alone_are_refused(self):
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            self.refused("doctor", env=dict(os.environ, **{name: "2"}),
                         says=(f"{name} = 2, but MPI started this rank alone", "SALTUS_LAUNCHER=mpirun", f"env -u {name} saltus"))
        self.looked(env=dict(os.environ, PMI_SIZE="1", SLURM_STEP_NUM_TASKS="2"))  # the innermost launcher has started one

    def test_wrong_words(self):
        self.refused("doctor", "a", "b", says=("one folder at a time",))



cli.main()
