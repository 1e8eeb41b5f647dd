"""Several hosts: `saltus run` across network namespaces gives the bits of a single rank.

Each host has its own network stack, host name, /dev/shm and /tmp; a bridge joins them, and mpirun reaches them
through a launch agent instead of ssh.  Only root may make them, or the root of a user namespace of its own: without
being root the test starts itself in one.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from unittest import mock

import cli

NAMESPACE = ("unshare", "--user", "--map-root-user")
HOSTS = pathlib.Path(__file__).with_name("netns_hosts.sh")
# Enough cells that everybody gets some.
CELLS = "cells={axes: [{columns: [b, m1, k, f], points: 96, random: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}"
# Some seconds of work in many tiles, for a cable to be pulled in.
LONG = cli.sets(*cli.SHORT, "solvers=[ode23,ode45,ode15s]", "rtol=[1e-6]",
                "cells={axes: [{name: b, linear: [1000, 2000], points: 1600}]}")
SILENCE = 2  # [s]
# mpirun notices by itself 3 + 2 s after the last word.
KEEPALIVE = {f"OMPI_MCA_oob_tcp_keepalive_{name}": value for name, value in (("time", "3"), ("intvl", "1"), ("probes", "2"))}


def end_all(folder):
    """Ends the daemons that mpirun has left behind a cut cable: those with the folder of the hosts in their environment."""
    for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if (f"NETNS_HOSTS_DIR={folder}".encode() in environ.read_bytes().split(b"\0")
                    and environ.with_name("comm").read_text() == "orted\n"):
                os.kill(int(environ.parent.name), signal.SIGKILL)


@contextlib.contextmanager
def hosts(n):
    """The environment in which mpirun reaches h1 .. hn; OSError when they cannot be made."""
    done = subprocess.run(["bash", HOSTS, "start", str(n)], text=True, timeout=cli.TIMEOUT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise OSError(done.stderr.strip())
    words = [word for line in done.stdout.splitlines() for word in line.removeprefix("export ").split()]
    env = dict(os.environ, **dict(word.split("=", 1) for word in words), OMP_NUM_THREADS="1")
    try:
        yield env
    finally:
        end_all(env["NETNS_HOSTS_DIR"])
        subprocess.run(["bash", HOSTS, "stop"], env=env, timeout=cli.TIMEOUT, check=True)


class Hosts(cli.InFolder):
    def setUp(self):
        # /tmp is private to each host; what they share lies elsewhere
        folder = tempfile.TemporaryDirectory(prefix="saltus-", dir="/var/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(cli.SALTUS, self.folder / "saltus")
        shutil.copy(cli.DALLAS, self.folder / "sweep.yaml")
        self.share_suppressions()
        self.works("run", "sweep.yaml", "-q", "-o", "plain.h5", *cli.sets(*cli.SHORT, CELLS), threads=1)

    def share_suppressions(self):
        """Passes on those of the leak sanitizer, in case the checkout is in /tmp."""
        words = os.environ.get("LSAN_OPTIONS", "").split(":")
        for i, (name, _, value) in enumerate(word.partition("=") for word in words):
            if name == "suppressions":
                words[i] = f"{name}={shutil.copy(value, self.folder)}"
        shared = mock.patch.dict(os.environ, LSAN_OPTIONS=":".join(words))
        shared.start()
        self.addCleanup(shared.stop)

    def start_on(self, env, place, ranks, out, *more):
        """A run of saltus; `place` is mpirun's list of hosts.  Its output goes to a file: a daemon that is left behind a
        cut cable holds a pipe open for a quarter of an hour."""
        with open(self.folder / "said", "w", encoding="utf-8") as said:
            return subprocess.Popen(
                ["bash", HOSTS, "exec", "h1", "timeout", "-k", "10", str(cli.TIMEOUT // 2), cli.MPIEXEC, "--host", place,
                 "--bind-to", "none", cli.NUMPROC, str(ranks), self.folder / "saltus", "run", "sweep.yaml", "-o", out, *more],
                cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said)

    def ends(self, run):
        """Waits for its end and returns its output."""
        run.wait(timeout=cli.TIMEOUT)
        return (self.folder / "said").read_text()

    def run_on(self, env, place, ranks, out, *more):
        """Returns its stderr."""
        run = self.start_on(env, place, ranks, out, *more)
        said = self.ends(run)
        self.assertEqual(run.returncode, 0, said)
        return said

    def done(self):
        """Number of finished cells in the status file."""
        path = self.folder / "status"
        lines = [line for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []
        return json.loads(lines[-1])["done"] if lines else 0

    def processes(self):
        """Ranks that are there, on whatever host."""
        found = []
        for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
            with contextlib.suppress(OSError):
                found += [link] if os.readlink(link).startswith(str(self.folder / "saltus")) else []
        return found

    def test_hosts_change_no_bit(self):
        for n, place, ranks in ((2, "h1:2,h2:2", 4), (2, "h1:1,h2:1", 2), (3, "h1:1,h2:2,h3:1", 4)):
            with self.subTest(place=place), hosts(n) as env:
                out = place.replace(":", "").replace(",", "-") + ".h5"
                said = self.run_on(env, place, ranks, out, *cli.sets(*cli.SHORT, CELLS))
                self.assertIn("the same", self.works("diff", "plain.h5", out))
                self.assertRegex(said, rf"\b{n} nodes\b")
                cells = [int(line.split()[6]) for line in said.splitlines() if re.match(r" *\d+ +\d+\.\d", line)]
                self.assertEqual(len(cells), ranks, said)
                self.assertEqual(sum(cells), 96, said)
                self.assertGreaterEqual(sum(c > 0 for c in cells), 2, said)

    def test_a_pulled_cable_ends_the_run_with_the_name_of_the_host(self):
        with hosts(3) as env:
            run = self.start_on(dict(env, **KEEPALIVE), "h1:1,h2:1", 2, "cut.h5", "--silence", str(SILENCE), "--status", "status",
                                "--every", "0.2", "--sync", "0.1", *LONG)
            self.addCleanup(run.kill)
            self.assertTrue(cli.wait_until(lambda: self.done() > 100, run))
            self.assertEqual(len(self.processes()), 2)
            subprocess.run(["bash", HOSTS, "cut", "h2"], env=env, timeout=cli.TIMEOUT, check=True)
            said = self.ends(run)
            self.assertEqual(run.returncode, 205, said)  # mpirun's own: "lost communication with a remote daemon"
            self.assertRegex(said, r"(?m)^saltus: nothing has come from h2 for \d+ s; what is finished is kept; submit again$")
            before, _, after = said.partition("nothing from h2 for")
            self.assertIn(" left", before)
            self.assertNotIn(" left", after)  # no time left is printed while a host is silent
            self.assertTrue(cli.wait_until(lambda: not self.processes()))  # those beyond the cable end, too
            self.assertRegex(self.works("info", "cut.h5"), r"cells +[1-9]\d* of 1600")
            self.assertIn("are there already", self.run_on(env, "h1:1,h3:1", 2, "cut.h5", *LONG))
        self.works("run", "sweep.yaml", "-q", "-o", "whole.h5", *LONG, threads=2)
        self.assertIn("the same", self.works("diff", "whole.h5", "cut.h5"))


if os.getuid() and subprocess.run([*NAMESPACE, "true"], stderr=subprocess.DEVNULL).returncode == 0:
    os.execvp(NAMESPACE[0], [*NAMESPACE, sys.executable, "-B", __file__, cli.SALTUS, cli.SWEEPS, cli.MPIEXEC, cli.NUMPROC,
                             *sys.argv[1:]])
try:
    with hosts(1):
        pass
except (OSError, subprocess.SubprocessError) as trouble:
    sys.exit(f"no pretended hosts on this machine: {trouble}\n"
             "It takes root with CAP_SYS_ADMIN, or a kernel that lets users make namespaces, and the packages iproute2 and"
             " util-linux; jobscripts/test.sh --without app.hosts leaves this test out")
cli.main()
