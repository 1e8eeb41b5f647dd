#!/usr/bin/env python3
"""Does compare.py keep its time and say what it left out, and does it print the same again from its file?  Made-up clocks
and measurements."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import compare
import measurements
import turns
from ensemble import figures
from turns import Item, TimeUp, Turns


class Clock:
    """A machine on which items take so many seconds each."""

    def __init__(self, seconds):
        self.time, self.seconds, self.done = 0.0, seconds, []

    def item(self, part, who, where):
        def run(turn, left):
            if self.seconds[who] > left():
                self.time += left()
                raise TimeUp(who)
            self.time += self.seconds[who]
            self.done.append((turn, who, where))
        return Item(part, who, where, run)

    def turns(self, items, shares, seconds, rounds=3):
        found = Turns(items, shares, seconds, lambda: self.time)
        found.run(rounds)
        return found


class Time(unittest.TestCase):
    def test_by_turns(self):
        """Everything once, in order, before anything twice."""
        clock = Clock({"a": 1, "b": 2})
        items = [clock.item("x", who, where) for where in ("1", "2") for who in "ab"]
        found = clock.turns(items, {"x": 1}, 100)
        once = [("a", "1"), ("b", "1"), ("a", "2"), ("b", "2")]
        self.assertEqual(clock.done, [(turn, *item) for turn in (1, 2, 3) for item in once])
        self.assertEqual((list(found.said()), found.rounds), ([], {"x": 3}))

    def test_share(self):
        """x has 60 of 100 s at first, y what follows; then the third of x comes again, and fits; no second round does."""
        clock = Clock({"a": 25, "b": 10})
        items = [*(clock.item("x", "a", where) for where in "123"), clock.item("y", "b", "1")]
        found = clock.turns(items, {"x": 60, "y": 40}, 100)
        self.assertEqual(clock.done, [(1, "a", "1"), (1, "a", "2"), (1, "b", "1"), (1, "a", "3")])
        self.assertEqual(list(found.said()), [])
        self.assertEqual(found.rounds, {"x": 1, "y": 1})
        self.assertLessEqual(clock.time, 100)

    def test_left_out(self):
        """A program that takes longer than there is time is stopped in time, and reported."""
        clock = Clock({"a": 1, "b": 1, "slow": 500})
        items = [clock.item("x", who, where) for where in ("1", "2") for who in ("a", "b", "slow")]
        items += [clock.item("y", "slow", "3"), clock.item("y", "slow", "4")]
        found = clock.turns(items, {"x": 1, "y": 1}, 100)
        self.assertLessEqual(clock.time, 100)
        self.assertEqual(list(found.said()), ["x, 1, 2: slow", "y, 3, 4: all"])
        self.assertEqual(sum(1 for turn, *_ in clock.done if turn == 1), 4)

    def test_no_time(self):
        """A program is not begun when there is none, and is ended when it is up."""
        for left, command in ((0, ["false"]), (0.05, ["sleep", "60"])):
            with self.assertRaises(turns.TimeUp):
                compare.programs.output(command, left)
        self.assertEqual(compare.programs.output(["echo", "1"], None), "1\n")


def made_up():
    """ARKODE beside ours: 10, 100 us in lanes and 100, 1000 alone; 2000 us at an error between theirs."""
    def row(code, method, width, tolerance, us, error):
        return {"round": 1, "load": 1, "code": code, "method": method, "width": width, "strategy": "switch",
                "tolerance": tolerance, "list": "many", "rows": 64, "cpu": 64e-6 * us, "steps": 64, "failed": 0, "rhs": 64,
                "jacobians": 0, "events": 0, "wrong": 0, "error": error, "ends": "same"}
    ours = [row(figures.OURS, "ode45", width, tolerance, us * slower, error)
            for tolerance, us, error in (("1e-3", 10, 1e-2), ("1e-7", 100, 1e-6))
            for width, slower in ((0, 1), (figures.ALONE, 10))]
    sweeps = [{"name": "atlas-small", "capped": capped, "seconds": seconds, "cells": 192, "of": 1296}
              for capped, seconds in ((True, 60), (False, 130), (True, 50), (False, 125))]
    return {"ensemble": [*ours, row("arkode", "dp5", 1, "1e-3", 2000, 1e-4)], "mujoco": [], "sweeps": sweeps}


class Tables(unittest.TestCase):
    def printed(self, found):
        found = {part: compare.text_of(rows, measurements.COLUMNS[part]) for part, rows in found.items()}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            compare.print_all(found, False)
        return out.getvalue()

    def test_table(self):
        """Ours at 1e-3, on the line between: 10 10^(1/4) us.  A peer that is more accurate costs what it costs."""
        lines = self.printed(made_up()).splitlines()
        peer = next(line for line in lines if line.startswith("arkode dp5"))
        self.assertEqual(peer.split()[3:], ["2000", "(200", "/", "20)", "2000", "(112", "/", "11.2)", "-", "-"])
        best = next(line for line in lines if line.startswith("saltus best in lanes"))
        self.assertEqual(best.split()[5:], ["10", "ode45", "17.8", "ode45", "56.2", "ode45", "-"])
        self.assertIn("atlas-small, by 192 of 1296 cells: as shipped 50.0, all runs to their ends 125.0, share 0.40", lines)

    def test_nothing(self):
        self.assertEqual(self.printed({"ensemble": [], "mujoco": [], "sweeps": []}), "")

    def test_from_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "measured.csv")
            measurements.write(path, made_up())
            script = pathlib.Path(__file__).with_name("compare.py")
            done = subprocess.run([sys.executable, "-B", script, "--read", path], capture_output=True, text=True, check=True)
            path.write_text("a,b\n1,2\n", encoding="utf-8")
            wrong = subprocess.run([sys.executable, "-B", script, "--read", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, self.printed(made_up()))
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("holds no measurements of compare.py", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
