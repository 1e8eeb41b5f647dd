"""Base classes of the tests of the command line: running saltus, alone and under MPI, in a folder of its own.

Called as test_TOPIC.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG [unittest's arguments].
"""
import contextlib
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

SALTUS, SWEEPS, MPIEXEC, NUMPROC = sys.argv[1:5]
del sys.argv[1:5]
SALTUS, SWEEPS = os.path.abspath(SALTUS), os.path.abspath(SWEEPS)
os.environ["SALTUS"] = SALTUS  # scripts of analysis/ verify cubes by it
DALLAS = os.path.join(SWEEPS, "dallas2017.yaml")
# Two mpiexec that start at once can trip over each other's session folder.
SESSION = tempfile.TemporaryDirectory(prefix="saltus-mpi-")
os.environ["OMPI_MCA_orte_tmpdir_base"] = SESSION.name
SLOW = "SALTUS_TEST_SLOW" in os.environ  # with sanitizers
TIMEOUT = 1200  # [s] of one command: it only ends what hangs, sanitizers and a busy machine take their time

# A sweep that is over in a moment and still has contacts in most cells.
SHORT = ("t_end=11", "mesh=0.01", "rtol=[1e-3,1e-6]", "divergence={}", "timing.repeats=0")


def sets(*pairs):
    """Pairs "key=value" as --set options."""
    return [word for pair in pairs for word in ("--set", pair)]


def wait_until(holds, run=None):
    """Waits until holds() is true, or `run` has ended; returns what holds() said last."""
    end = time.monotonic() + TIMEOUT
    while not (held := holds()) and time.monotonic() < end:
        if run is not None and run.poll() is not None:
            return holds()
        time.sleep(0.005)
    return held


def word(value):
    """Text of a file as h5py gives it: bytes, a str, or a row of characters of a dataset."""
    value = b"".join(value) if getattr(value, "ndim", 0) == 1 else value
    return value.decode() if isinstance(value, bytes) else value


def datasets(cube):
    """The paths of all datasets that hold values, those of groups included: not the lengths of texts."""
    found = []

    def take(name, item):
        if isinstance(item, h5py.Dataset) and item.id.get_storage_size():
            found.append(name)

    cube.visititems(take)
    return sorted(found)


@functools.cache
def schema(command):
    """The validator of its --json, by the schema that the program prints."""
    import jsonschema  # most tests need none
    of = lambda name: json.loads(subprocess.run([SALTUS, "help", "json", name], check=True, capture_output=True, text=True).stdout)  # noqa: E731
    own = of(command)
    others = {"recommend.json": of("recommend")} if "recommend.json" in json.dumps(own) else {}
    return jsonschema.Draft202012Validator(own, resolver=jsonschema.RefResolver("", own, others))


def flaw(command, reply):
    """Where a reply of --json differs from the command's schema; None: nowhere."""
    wrong = min(schema(command).iter_errors(reply), key=lambda error: str(error.path), default=None)
    return wrong and f"{command} --json: {'/'.join(map(str, wrong.absolute_path))}: {wrong.message[:300]}"


@contextlib.contextmanager
def edited(path):
    """A cube to be changed by h5py, and sealed again: its datasets lose the checksums that their new values have not."""
    def renew(_, item):
        item.attrs.pop("checksum", None)
        for name, value in item.attrs.items():
            if isinstance(value, str):  # as the program writes texts
                del item.attrs[name]
                item.attrs.create(name, value.encode(), dtype=h5py.string_dtype("utf-8", len(value.encode()) + 1))

    with h5py.File(path, "r+") as cube:
        yield cube
        cube.pop("sums", None)
        renew("", cube)
        cube.visititems(renew)
    subprocess.run([pathlib.Path(SALTUS).parent / "reseal", path], check=True)


class InFolder(unittest.TestCase):
    """A test case in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="saltus-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def saltus(self, *args, ranks=0, threads=2, env=None, **more):
        """Runs it in the folder; ranks > 0: under MPI; env: in place of this environment; threads None: as it comes."""
        start = [MPIEXEC, NUMPROC, str(ranks)] if ranks else []
        own = dict(os.environ if env is None else env, OMP_NUM_THREADS=str(threads))
        if threads is None:
            del own["OMP_NUM_THREADS"]
        done = subprocess.run([*start, SALTUS, *map(str, args)], cwd=self.folder, text=True, timeout=TIMEOUT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=own, **more)
        if "--json" in args and done.stdout.startswith("{"):
            self.assertIsNone(flaw(args[0], json.loads(done.stdout)))
        return done

    def works(self, *args, **more):
        """Runs it, expects success, and returns what it prints."""
        done = self.saltus(*args, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self):
        """Names and contents of all files in the folder."""
        return {str(p.relative_to(self.folder)): p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}

    def refused(self, *args, says=(), code=2, ranks=0, **more):
        """Runs it and expects a one-line message with all of these words, this exit code, and no trace."""
        before = self.files()
        done = self.saltus(*args, ranks=ranks, **more)
        if ranks:
            self.assertNotEqual(done.returncode, 0)
            lines = [line for line in done.stderr.splitlines() if line.startswith("saltus")]
        else:
            self.assertEqual(done.returncode, code, done.stderr)
            lines = done.stderr.partition("\nTry `saltus ")[0].splitlines()  # argp's hint is not a message
        self.assertEqual(len(lines), 1, done.stderr)
        for text in says:
            self.assertIn(text, lines[0])
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), before)
        return lines[0]

    def kill_run(self, sweep, out):
        """Starts a sweep and kills it when its journal has begun."""
        run = subprocess.Popen([SALTUS, "run", sweep, "-q", "-o", out, "--sync", "0.01"], cwd=self.folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, OMP_NUM_THREADS="1"))
        self.addCleanup(run.kill)
        journal = self.folder / (out + ".journal")
        self.assertTrue(wait_until(lambda: sum(f.stat().st_size for f in journal.rglob("*.sal")) > 20000, run))
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertFalse((self.folder / out).exists())


def main():
    unittest.main(verbosity=2)
