"""The Python package of the checkout: handles that are copied, pickled and forked, signals while functions run, arguments at their edges."""
import copy
import functools
import gc
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

import cli

SOURCE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
os.environ["SALTUS_LIBRARY"] = os.path.join(BUILD, "libsaltus.so.4")
sys.path.insert(0, os.path.join(SOURCE, "analysis"))
import saltus  # noqa: E402

TEXT = """\
equations: 1
name: pendulum
span: 3
parameters: {g: {preset: 2, allowed: [0, 10]}}
states: {a: {preset: 1}, w: {preset: 0, rate_of: a}}
flow: {a: w, w: -g * sin(a)}
"""
SWEEP = """\
model: monopod
cells: {axes: [{columns: [b, k], sobol: [[550, 5000], [1, 50]], log: true, points: 48}]}
solvers: [ode45, dop853]
strategies: [event]
rtol: [1e-3, 1e-5, 1e-7]
t_end: 5
"""


def fall(t, y, g):
    return [y[1], -g]


def floor(t, y, *args):
    return y[0]


floor.direction = -1


def bounce(k, t, y):
    return [0.0, -0.8 * y[1]]


def swing(t, y):
    return [y[1], -y[0]]


def hoppers(k):
    return saltus.integrate("monopod", {"k": [k, k + 1]}, t_end=2, samples=4, events=2)


def swung(_):
    return saltus.integrate(saltus.Functions(lambda t, y: swing(t, y), (0, 1), [1.0, 0.0]))


def ball():
    return saltus.Functions(fall, (0, 1), [1.0, 0.0], args=(9.81,), events=floor, reset=bounce)


class Own(Exception):
    """The exception that functions raise."""


class Case(cli.InFolder):
    def refused(self, words, call, kind=saltus.InvalidError):
        with self.assertRaises(kind) as met:
            call()
        self.assertIn(words, str(met.exception))


class Handles(Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="saltus-cube-")
        cls.addClassCleanup(folder.cleanup)
        cls.sweep, cls.path = (os.path.join(folder.name, name) for name in ("sweep.yaml", "cube.h5"))
        pathlib.Path(cls.sweep).write_text(SWEEP)
        saltus.run(cls.sweep, cls.path, progress=False)

    def kinds(self):
        """(a function that makes an object with a pointer, what it answers)."""
        (self.folder / "pendulum.yaml").write_text(TEXT)
        return [*((functools.partial(saltus.Model, source), lambda m: saltus.integrate(m, t_end=1).end) for source in ("monopod", TEXT, str(self.folder / "pendulum.yaml"))),
                (ball, lambda m: saltus.integrate(m).end),
                (lambda: saltus.Surrogate(self.path), lambda r: np.array(r.recommend({"b": 1951, "k": 22.8}, 1e-3).work))]

    def test_a_copy_outlives_what_it_was_copied_from(self):
        for make, answer in self.kinds():
            for copied in (copy.copy, copy.deepcopy):
                first = make()
                expected, other = answer(first), copied(first)
                del first
                gc.collect()
                others = [saltus.Model(TEXT) for _ in range(20)]  # in the memory that is free now
                np.testing.assert_array_equal(answer(other), expected)
                del others

    def test_handles_are_given_back_once_all_copies_are_gone(self):
        closed = []
        handle = saltus._library.Handle(7, closed.append)
        kept = [copy.copy(handle), copy.deepcopy(handle)]
        del handle
        self.assertEqual(closed, [])
        kept.clear()
        self.assertEqual(closed, [7])
        self.refused("cannot be pickled", lambda: pickle.dumps(saltus.Model("monopod")._pointer), TypeError)

    def test_a_pickle_opens_again_what_was_opened(self):
        for make, answer in self.kinds():
            first = make()
            again = pickle.loads(pickle.dumps(first))
            self.assertIsNot(again, first)
            np.testing.assert_array_equal(answer(again), answer(first))
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        bytes_ = pickle.dumps(saltus.Model("pendulum.yaml"))
        os.chdir("/")
        self.assertEqual(pickle.loads(bytes_).name, "pendulum")  # wherever the process is by then

    def test_runs_are_pickled_without_their_model(self):
        for runs in (hoppers(20.0), swung(0)):
            other = pickle.loads(pickle.dumps(runs))
            for name in ("end", "figures", "times", "state", "event", "event_state", "params"):
                self.assertEqual(*(getattr(each, name) is None or getattr(each, name).tobytes() for each in (other, runs)))
            self.assertEqual(list(other.outcomes), list(runs.outcomes))
            self.assertTrue(other.dataset().identical(runs.dataset()))
            self.refused("came out of a pickle", lambda: saltus.integrate(other.model))
            self.assertIs(copy.deepcopy(runs).model, runs.model)
            self.assertIs(copy.copy(runs).model, runs.model)

    def test_processes_return_runs(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for k, runs in zip((10.0, 20.0, 30.0), pool.map(hoppers, (10.0, 20.0, 30.0))):
                np.testing.assert_array_equal(runs.end, hoppers(k).end)
            self.assertEqual([len(runs) for runs in pool.map(swung, range(3))], [1, 1, 1])
            model = saltus.Model(TEXT)
            np.testing.assert_array_equal(pool.apply(saltus.integrate, (model,)).end, saltus.integrate(model).end)

    def test_a_forked_child_has_the_bits_of_its_parent(self):
        """Also while another thread, which the child has not, holds what one advise at a time holds."""
        model, k = ball(), np.linspace(10, 50, 64)
        expected = saltus.integrate("monopod", {"k": k}, t_end=2, threads=2).end, saltus.integrate(model).end
        held, go_on = threading.Event(), threading.Event()
        self.addCleanup(go_on.set)

        def waits(t, y):
            if threading.current_thread() is thread:
                held.set()
                go_on.wait()
                raise Own
            return swing(t, y)

        thread = threading.Thread(target=lambda: self.refused("", lambda: saltus.advise(waits, (0, 1), [1.0, 0.0], error=1e-2), Own))
        thread.start()
        held.wait()
        child = os.fork()
        if child == 0:
            try:
                same = np.array_equal(saltus.integrate("monopod", {"k": k}, t_end=2, threads=2).end, expected[0])
                same &= np.array_equal(saltus.integrate(model).end, expected[1])
                same &= saltus.advise("decay", (0, 1), error=1e-2).probability > 0.5
                os._exit(0 if same else 1)
            finally:
                os._exit(2)
        self.assertTrue(cli.wait_until(lambda: os.waitpid(child, os.WNOHANG) == (child, 0)))
        go_on.set()
        thread.join()

    def test_threads_share_a_model_of_functions(self):
        def fails(t, y, at):
            if t > at:
                raise Own(at)
            return [-y[0]]

        model, found = saltus.Functions(fails, (0, 3), [1.0], args=(2.0,)), {}

        def work(at):
            for _ in range(5):
                try:
                    found[at] = float(saltus.integrate(model, {"p0": at}).end[0, 0])
                except Own as why:
                    found[at] = why.args[0]

        threads = [threading.Thread(target=work, args=(at,)) for at in (0.5, 1.0, 1.5, 2.0, 9.0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        end = found.pop(9.0)
        self.assertEqual(found, {at: at for at in (0.5, 1.0, 1.5, 2.0)})
        self.assertAlmostEqual(end, np.exp(-3), 5)


class Signals(Case):
    """A function that hangs sets an event; only then it is interrupted."""

    def interrupted(self, call, hangs, number=signal.SIGINT, raised=KeyboardInterrupt):
        def kill():
            hangs.wait()
            os.kill(os.getpid(), number)

        thread = threading.Thread(target=kill)
        thread.start()
        with self.assertRaises(raised):
            call()
        thread.join()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def hanging(self, how, hangs, value):
        """A function of solve_ivp's kind that hangs once it is called after t = 0.5."""
        def function(t, y, *_):
            if t > 0.5:
                hangs.set()
                while True:
                    how()
            return value(t, y)

        return function

    def test_an_interrupt_ends_a_function_that_hangs(self):
        matrix = np.ones((40, 40))
        for how in (lambda: time.sleep(0.5), lambda: None, lambda: matrix @ matrix):
            hangs = threading.Event()
            f = self.hanging(how, hangs, lambda t, y: [-y[0]])
            self.interrupted(lambda: saltus.advise(f, (0, 1), [1.0], error=1e-3), hangs)
            hangs.clear()
            self.interrupted(lambda: saltus.integrate(saltus.Functions(f, (0, 1), [1.0])), hangs)

    def test_an_interrupt_ends_an_event_and_a_reset_that_hang(self):
        for what in ("events", "reset"):
            hangs = threading.Event()
            event = self.hanging(lambda: time.sleep(0.5), hangs, lambda t, y: y[0] - 0.3 * t) if what == "events" else floor

            def reset(k, t, y):
                hangs.set()
                while True:
                    time.sleep(0.5)

            self.interrupted(lambda: saltus.integrate(saltus.Functions(fall, (0, 2), [1.0, 0.0], args=(9.81,), events=event, reset=reset)), hangs)

    def test_a_signal_is_handled_wherever_it_comes(self):
        """Between functions, too, where an exception of a handler has no one to catch it."""
        dropped, model = [], saltus.Functions(swing, (0, 1e6), [1.0, 0.0])
        hook, sys.unraisablehook = sys.unraisablehook, dropped.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)

        def late(number, frame):
            raise Own

        counted = []
        for handler in (late, lambda number, frame: counted.append(number)):
            self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handler))
            for i in range(12):
                if handler is late:
                    self.refused("", lambda i=i: (signal.setitimer(signal.ITIMER_REAL, 0.002 + 0.0007 * i), saltus.integrate(model, rtol=1e-10)), Own)
                else:
                    signal.setitimer(signal.ITIMER_REAL, 1e-4)
                    while len(counted) <= i:
                        self.assertTrue(saltus.integrate(model, t_end=20).completed.all())
                self.assertIs(signal.getsignal(signal.SIGALRM), handler)
        self.assertEqual((dropped, len(counted)), ([], 12))

    def test_advise_waits_for_its_turn_and_is_interrupted_there(self):
        begun, go_on, waits, enter = threading.Event(), threading.Event(), threading.Event(), saltus._interrupts.Turn.__enter__
        self.addCleanup(go_on.set)

        def first(t, y):
            if threading.current_thread() is not threading.main_thread():
                begun.set()
                go_on.wait()
                raise Own
            return swing(t, y)

        thread = threading.Thread(target=lambda: self.refused("", lambda: saltus.advise(first, (0, 1), [1.0, 0.0], error=1e-2), Own))
        thread.start()
        begun.wait()

        def entered(turn):
            waits.set()
            return enter(turn)

        saltus._interrupts.Turn.__enter__ = entered
        self.addCleanup(setattr, saltus._interrupts.Turn, "__enter__", enter)
        for fun, start in ((swing, [1.0, 0.0]), ("decay", None)):
            waits.clear()
            self.interrupted(lambda: saltus.advise(fun, (0, 1), start, error=1e-2), waits)
        go_on.set()
        thread.join()

    def test_advise_inside_of_advise_is_an_error(self):
        for inner in (lambda: saltus.advise("decay", (0, 1), error=1e-3), lambda: saltus.integrate("decay"), lambda: saltus.advise(swing, (0, 1), [1.0, 0.0], error=1e-3)):
            def f(t, y):
                if t > 0.1:
                    inner()
                return swing(t, y)

            self.refused("is called by a function that saltus.advise runs", lambda: saltus.advise(f, (0, 1), [1.0, 0.0], error=1e-3))
        self.assertIsNotNone(saltus.advise("decay", (0, 1), error=1e-3).solver)

    def test_integrate_inside_of_integrate_is_a_run_of_its_own(self):
        inner = saltus.Functions(swing, (0, 1), [1.0, 0.0])
        slope = float(saltus.integrate(inner).end[0, 0])
        outer = saltus.Functions(lambda t, y: [float(saltus.integrate(inner).end[0, 0])], (0, 1), [0.0])
        self.assertAlmostEqual(saltus.integrate(outer).end[0, 0], slope, 12)
        self.assertAlmostEqual(slope, np.cos(1), 5)


class Arguments(Case):
    def test_zero_is_a_number_and_none_is_the_preset(self):
        run, ask = functools.partial(saltus.integrate, "monopod", {"k": 20}), functools.partial(saltus.advise, swing, (0, 1), [1.0, 0.0])
        for name in ("t_end", "rtol", "atol", "max_step", "lanes", "threads"):
            self.refused(f"{name} = 0 is out of range", lambda: run(**{name: 0}))
        for name in ("error", "around", "cells", "threads"):
            self.refused(f"{name} = 0 is out of range", lambda: ask(**{"error": 1e-3, name: 0}))
        self.refused("ranks = 0 is out of range", lambda: saltus.run("x.yaml", "x.h5", ranks=0))
        self.refused("from 0 to 0", lambda: saltus.advise("decay", (0, 0), error=1e-3))
        self.refused("allowed with a model: from 0", lambda: saltus.advise("decay", (1, 2), error=1e-3))
        preset = saltus.integrate("monopod", {"k": None}, t_end=None, rtol=None, atol=None, max_step=None, lanes=None, threads=None, samples=0, events=0)
        np.testing.assert_array_equal(preset.end, saltus.integrate("monopod", rtol=1e-6).end)
        self.assertIsNone(preset.state)

    def test_numbers_keep_their_value_on_the_way_to_c(self):
        run = functools.partial(saltus.integrate, "monopod", t_end=1)
        for name, value in (("threads", 2**33), ("threads", 1025), ("lanes", 2**32 + 4), ("lanes", 3), ("samples", -1), ("events", -1), ("rtol", float("nan")),
                            ("t_end", float("inf")), ("atol", -1e-6), ("max_step", -1)):
            self.refused(f"{name} = {value!r} is out of range", lambda: run(**{name: value}))
        for name, value in (("samples", 1.5), ("threads", True), ("threads", "2")):
            self.refused(f"{name} = {value!r} is not an integer", lambda: run(**{name: value}))
        for name, value in (("rtol", 1e-6 + 0j), ("t_end", b"3"), ("atol", True)):
            self.refused(f"{name} = {value!r} is not a real number", lambda: run(**{name: value}))
        self.refused("contact = 4294967296 is out of range", lambda: saltus.Model("monopod").event(2**32))
        self.refused("allowed with functions: 1", lambda: saltus.integrate(ball(), threads=2))
        self.assertEqual(run(lanes=np.int64(4), threads=np.int32(2), samples=np.uint8(3)).state.shape, (1, 4, 4))

    def test_arrays_of_other_types_are_refused(self):
        run = functools.partial(saltus.integrate, "monopod", t_end=1)
        masked = np.ma.array([10.0, 20.0], mask=[0, 1])
        for k, words in ((20 + 1j, "complex128"), (masked, "masked values"), (["20"], "<U2"), ("20 apples", "apples"), (np.array(["a"], object), "object"), (np.ones((2, 3)), "shape (2, 3)"),
                         (np.array(["2020-01-01"], "M8[D]"), "datetime64")):
            self.refused(words, lambda: run({"k": k}))
        self.refused("k 2, f 3", lambda: run({"k": [10, 20], "f": [0.1, 0.2, 0.3]}))
        self.refused("complex128", lambda: run(initial={"y1": 1 + 0j}))
        for value, words in (([1.0 + 1j], "complex128"), (np.ma.array([1.0], mask=[1]), "masked values"), (["a"], "<U1")):
            self.refused(words, lambda: saltus.Functions(lambda t, y: value, (0, 1), [1.0]))
        self.assertEqual(run({"k": np.ma.array([10.0, 20.0], mask=[0, 0])}).end.shape, (2, 4))
        self.assertEqual(run({"k": np.array([10, 20], object)}).end.shape, (2, 4))

    def test_words_end_where_they_end(self):
        self.refused("solver: 'ode45\\x00x' has a NUL", lambda: saltus.integrate("monopod", solver="ode45\0x"))
        self.refused("model: 'monopod\\x00x' has a NUL", lambda: saltus.Model("monopod\0x"))
        self.refused("has a NUL", lambda: saltus.Model(TEXT + "\0"))
        self.refused("sweep: 'a\\x00' has a NUL", lambda: saltus.run("a\0", "b.h5"))
        self.refused("having: 'scipy\\x00'", lambda: saltus.advise("decay", (0, 1), error=1e-3, having="scipy\0"))
        self.refused("strategy: is of type int", lambda: saltus.integrate("monopod", strategy=3))
        self.refused("model: is of type NoneType", lambda: saltus.Model(None))
        self.refused("nowhere", lambda: saltus.Model("nowhere\udcff.yaml"), saltus.FileError)
        self.refused("not Unicode", lambda: saltus.Model(TEXT + "# \udcff\n"))

    def test_names_that_begin_like_options_are_names(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")
        pathlib.Path("-s.yaml").write_text(SWEEP.replace("points: 48", "points: 12"))
        cube = saltus.run("-s.yaml", "-c.h5", progress=False)
        self.assertEqual(cube.sizes["cell"], 12)
        self.assertEqual(set(saltus.Surrogate("-c.h5").axes), {"b", "k"})
        self.assertIn("<html", cube.saltus.report().html)
        self.assertIn("<html", saltus.report("-c.h5").html)
        shutil.copy(os.path.join(cli.SWEEPS, "models", "rocking-block.yaml"), "-m.yaml")
        self.assertIn("a trajectory of", saltus.motion("-m.yaml", t_end=1).html)
        self.refused("is not a name", lambda: cube.saltus.recommend({"b=1951,k": 22.8}, 1e-3))

    def test_a_run_that_ends_early_is_a_warning_with_reason_and_time(self):
        def gone(t, y, at):
            return [np.nan if t > at else 1.0]

        model = saltus.Functions(gone, (3, 5), [0.0], args=(9.0,))
        with self.assertWarnsRegex(saltus.OutcomeWarning, r"2 of 3 runs, the first of them run 1 ended at t = 3\.\d+ with \w+: ") as met:
            runs = saltus.integrate(model, {"p0": [9.0, 3.5, 4.0]})
        self.assertEqual(met.filename, __file__)
        self.assertEqual(list(runs.completed), [True, False, False])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            saltus.integrate(model)
            saltus.integrate("monopod", t_end=1)


cli.main()
