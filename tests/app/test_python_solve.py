"""saltus.solve_ivp as scripts for SciPy call it: the checkout and the folder of the build are the last arguments."""
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

import cli

SOURCE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
os.environ["SALTUS_LIBRARY"] = os.path.join(BUILD, "libsaltus.so.4")
sys.path.insert(0, os.path.join(SOURCE, "analysis"))
import saltus  # noqa: E402


def ground_of_any_side(t, y):
    return y[0]


class Solve(unittest.TestCase):
    def test_methods_times_and_arguments(self):
        t = np.linspace(0, 4, 17)
        for method in ("RK45", "RK23", "DOP853", "Radau", "BDF", "tsit5"):
            got = saltus.solve_ivp(lambda t, y, rate: -rate * y, [0, 4], [2.0, 3.0], method, t, args=(0.5,), rtol=1e-6, atol=[1e-8, 1e-7])
            self.assertTrue(got.success and got.status == 0 and got["nfev"] > 10, method)
            np.testing.assert_array_equal(got.t, t)
            np.testing.assert_allclose(got.y, np.outer([2.0, 3.0], np.exp(-0.5 * t)), rtol=3e-5, err_msg=method)
            self.assertGreater(np.abs(got.y[0] - 2 * np.exp(-0.5 * t)).max(), 0)
        got = saltus.solve_ivp(lambda t, y: [y[1], -y[0]], (1, 3), [0.0, 1.0], t_eval=[1.5, 2.75], rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(got.y[0], np.sin([0.5, 1.75]), atol=1e-6)
        self.assertEqual(saltus.solve_ivp(lambda t, y: -y, (0, 1), [1.0]).t.size, 201)
        for span in ((1.6, 6.8), (-2, -1)):  # 1.6 + (6.8 - 1.6) is below 6.8
            got = saltus.solve_ivp(lambda t, y: -y, span, [1.0], t_eval=np.linspace(*span, 11))
            self.assertEqual((got.status, got.t.size, got.t[-1]), (0, 11, span[1]))
        self.assertFalse(hasattr(got, "x"))

    def test_ten_scripts_change_their_import_alone(self):
        scripts = sorted(pathlib.Path(SOURCE, "tests", "data", "solve_ivp_scripts").glob("*.py"))
        self.assertEqual(len(scripts), 10)
        for path in scripts:
            text, found = path.read_text(encoding="utf-8"), []
            self.assertEqual(text.count("from scipy.integrate import solve_ivp"), 1)
            for source in (text, text.replace("from scipy.integrate import solve_ivp", "from saltus import solve_ivp")):
                names = {}
                exec(compile(source, str(path), "exec"), names)  # pylint: disable=exec-used
                found.append(np.array(names["answer"], float))
            self.assertIs(names["solve_ivp"], saltus.solve_ivp)
            np.testing.assert_allclose(found[1], found[0], rtol=names["close"], atol=1e-9, err_msg=path.name)

    def test_terminals_that_cannot_be_counted_are_refused(self):
        def hit(t, y):
            return y[0] - 0.3

        for terminal, reset in ((3, None), (True, [lambda t, y: y])):
            hit.terminal = terminal
            with self.assertRaisesRegex(saltus.InvalidError, r"events\[0\].*terminal"):
                saltus.solve_ivp(lambda t, y: [y[1], -1.0], (0, 3), [0.0, 1.0], events=[hit], reset=reset)

    def test_events(self):
        def apex(t, y):
            return y[1]

        def ground(t, y):
            return y[0]

        apex.direction, ground.direction, ground.terminal = -1, -1, True
        got = saltus.solve_ivp(lambda t, y: [y[1], -10.0], (0, 9), [0.0, 20.0], events=(apex, ground), rtol=1e-9, atol=1e-9)
        self.assertEqual((got.status, len(got.t_events[0]), len(got.t_events[1])), (1, 1, 1))
        np.testing.assert_allclose([got.t_events[0][0], got.t_events[1][0], got.t[-1]], [2, 4, 4], atol=1e-8)
        np.testing.assert_allclose(got.y_events[0], [[20, 0]], atol=1e-7)
        self.assertLess(got.t[-2], 4)
        both = saltus.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 10), [0.5, 1.0], events=ground_of_any_side, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(both.t_events[0], np.pi * np.arange(1, 4) - np.arctan(0.5), atol=1e-7)

    def test_a_batch_and_resets(self):
        def hit(t, y):
            return y[0]

        hit.direction = -1
        heights = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
        found = saltus.solve_ivp(lambda t, y: [y[1], -9.81], (0, 1.2), heights, events=hit, reset=lambda k, t, y: [0, -0.8 * y[1]], rtol=1e-8, atol=1e-8)
        self.assertEqual(len(found), 3)
        for start, got in zip(heights, found):
            np.testing.assert_allclose(got.t_events[0][0], np.sqrt(2 * start[0] / 9.81), atol=1e-8)
            np.testing.assert_allclose(got.y_events[0][0], [0, 0.8 * np.sqrt(2 * start[0] * 9.81)], atol=1e-6)
            self.assertEqual(got.outcome, "done")

    def test_what_cannot_be_is_refused_by_its_name(self):
        for words, says in (({"dense_output": True}, "dense_output"), ({"first_step": 0.1}, "first_step"), ({"t_eval": [0.1, np.sqrt(0.5)]}, "t_eval"), ({"atol": 0}, "atol"),
                            ({"rtol": 1}, "rtol"), ({"method": "LSODA"}, "LSODA"), ({"t_eval": [2.0]}, "t_eval")):
            with self.subTest(says), self.assertRaisesRegex(saltus.InvalidError, says):
                saltus.solve_ivp(lambda t, y: -y, (0, 1), [1.0], **words)
        with self.assertRaisesRegex(saltus.InvalidError, "scale"):
            saltus.integrate("monopod", scale={"nothing": 1.0})

    def test_scales_and_words(self):
        coarse, fine = (saltus.integrate("bouncing-ball", t_end=1, rtol=1e-4, solver="ode45", scale={"y": s, "v": s}) for s in (1.0, 1e-6))
        self.assertGreater(fine.evaluations[0], coarse.evaluations[0])
        self.assertRegex(repr(coarse), r"<1 runs of bouncing-ball: 1 done; \d+ evaluations of f; end \(1, 2\)>")
        self.assertIn("success: True", repr(saltus.solve_ivp(lambda t, y: -y, (0, 1), [1.0])))
        done = subprocess.run([sys.executable, "-m", "saltus", "--version"], env=dict(os.environ, PYTHONPATH=os.path.join(SOURCE, "analysis")), capture_output=True, text=True, check=True)
        self.assertIn("saltus", done.stdout)


cli.main()
