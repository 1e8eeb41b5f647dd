"""`pip install .` as a user gives it, which compiles by itself, and advice for a function of SciPy's kind beside SciPy's own run.  The sources are the argument."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import bare

SOURCE = sys.argv.pop(1)
# A ball with drag that bounces 4 times in 3 s: f, its event and its reset as callbacks; SciPy's own run restarts at each bounce.
TEN_LINES = """\
import numpy, saltus
from scipy.integrate import solve_ivp
def f(t, y): return [y[1], -9.81 - 0.02 * y[1] * abs(y[1])]
def floor(t, y): return y[0]
floor.terminal, floor.direction = True, -1
def bounce(k, t, y): return [0.0, -0.8 * y[1]]
answer = saltus.advise(f, (0, 3), [1.0, 0.0], events=floor, reset=bounce, error={error}, having="scipy")
print(answer)
"""
OWN_RUN = """
grid = numpy.linspace(0, 3, 301)
def own(method, rtol, atol, longest=0.3):
    t, y, calls, hits, height = 0.0, numpy.array([1.0, 0.0]), 0, 0, numpy.zeros(301)
    while t < 3:
        done = solve_ivp(f, (t, 3), y, method=method, rtol=rtol, atol=atol, events=floor, max_step=longest, dense_output=True)
        here = (grid >= t) & (grid <= done.t[-1])
        height[here] = done.sol(grid[here])[0]
        t, y, calls = done.t[-1], done.y[:, -1], calls + done.nfev
        if done.status == 1:
            y, hits = numpy.array(bounce(0, t, y)), hits + 1
    return height, calls, hits
true, _, hits = own("DOP853", 1e-13, 1e-13)
method = dict(ode23="RK23", ode45="RK45", radau5="Radau", dop853="DOP853").get(answer.solver)
mine, calls, _ = own(method, answer.rtol, answer.rtol)
default, default_calls, _ = own("RK45", 1e-3, 1e-6, numpy.inf)
print("found", hits, answer.solver, answer.rtol, answer.work, calls, abs(mine - true).max(), default_calls, abs(default - true).max())
"""


class Pip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="saltus-pip-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        tree = cls.folder / "saltus"
        bare.copy_sources(SOURCE, tree)
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", cls.folder / "venv"], check=True)
        cls.python = cls.folder / "venv" / "bin" / "python3"
        pip = [cls.python, "-m", "pip"]
        quiet = ["--no-build-isolation", "--no-deps", "--no-index"]
        _, minutes = bare.timed(lambda: subprocess.run([*pip, "wheel", "-q", *quiet, "-w", cls.folder, tree], check=True))
        cls.wheel = next(cls.folder.glob("*.whl"))
        subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", cls.wheel], check=True)
        print(f"pip wheel .: {minutes}; a wheel of {cls.wheel.stat().st_size / 1e6:.1f} MB")

    def run_it(self, script):
        return subprocess.run([self.python, "-c", script], check=True, cwd=self.folder, capture_output=True, text=True).stdout

    def test_the_wheel_is_small_and_whole(self):
        self.assertLess(self.wheel.stat().st_size, 20e6)
        self.assertIn("linux", self.wheel.name)
        told = subprocess.run([self.folder / "venv" / "bin" / "saltus", "--version"], check=True, capture_output=True, text=True).stdout
        self.assertRegex(told, r"saltus \d")
        self.assertIn("1000", self.run_it("import saltus, numpy; print(len(saltus.integrate('monopod', {'k': numpy.linspace(10, 50, 1000)}).end))"))

    def test_ten_lines_beside_scipy(self):
        for error in (1e-3, 1e-6):
            told = self.run_it(TEN_LINES.format(error=error) + OWN_RUN)
            print(told)
            hits, solver, rtol, work, calls, off, default_calls, default_off = re.search(
                r"found (\d+) (\S+) (\S+) (\S+) (\d+) (\S+) (\d+) (\S+)", told).groups()
            self.assertGreater(int(hits), 2)
            self.assertLess(float(off), 8 * error)  # SciPy's error test takes a mean over states: see saltus.advise
            self.assertLess(abs(int(calls) / float(work) - 1), 1)
        self.assertGreater(float(default_off), 1e-6)  # what SciPy's presets give


if __name__ == "__main__":
    unittest.main(verbosity=2)
