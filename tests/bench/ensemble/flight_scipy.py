#!/usr/bin/env python3
"""SciPy's solve_ivp on the same hoppers, one trajectory at a time: RK45, LSODA and its other methods.

    flight_scipy.py METHOD switch|event TOLERANCE ROWS.csv N ENDS.csv        (see flight.h)

One pass, without the time of the imports; f is written with plain floats, the fastest form for four states, and the
implicit methods get the analytic Jacobian.
"""
import csv
import math
import sys
import time

from scipy.integrate import solve_ivp

T_END, MOST_EVENTS = 50.0, 3000  # more events: chattering at one instant
IMPLICIT = ("LSODA", "BDF", "Radau")


def hopper(b, m1, k, f, mode):
    """f(t, y) and its Jacobian; mode [closed] when it is frozen, else None."""
    c, root = 4 * math.pi ** 2 - m1, math.sqrt
    ck = c * k

    def rhs(_, y):
        y1, v1, y2, v2 = y
        e, force = y1 - y2 + 1.0, 0.0
        if y1 <= 0.0 if mode is None else mode[0]:
            depth = abs(y1)
            force = root(depth) * (b * depth * v1 + ck * y1)
        return v1, -(force + c * e + f), v2, m1 * e - f

    def jacobian(_, y):
        y1, v1, stiff, damp = y[0], y[1], -c, 0.0
        if y1 <= 0.0 if mode is None else mode[0]:
            depth = abs(y1)
            stiff -= 1.5 * root(depth) * ((-b if y1 < 0 else b) * v1 + ck)
            damp = -b * depth * root(depth)
        return [[0, 1, 0, 0], [stiff, damp, c, 0], [0, 0, 0, 1], [m1, 0, -m1, 0]]
    return rhs, jacobian


def gap(_, y):
    """Zero at touchdown and lift-off."""
    return y[0]


def solve(method, event, tolerance, numbers, work):
    """One trajectory; adds to the work, returns the end, or None."""
    mode = [False] if event else None
    rhs, jacobian = hopper(*numbers, mode)
    more = {"jac": jacobian} if method in IMPLICIT else {}
    t, y, gap.terminal = 0.0, [0.5, 0.0, 1.5, 0.0], True
    for _ in range(MOST_EVENTS):
        gap.direction = 1 if event and mode[0] else -1
        try:
            done = solve_ivp(rhs, (t, T_END), y, method=method, rtol=tolerance, atol=tolerance,
                             events=gap if event else None, **more)
        except ValueError:  # LSODA's dense output disagrees with its step end: no sign change for brentq
            return None
        work["steps"] += done.t.size - 1
        work["rhs"] += done.nfev
        work["jacobians"] += done.njev
        t, y = done.t[-1], [*done.y[:, -1]]
        if done.status <= 0:
            return y if done.status == 0 else None
        work["events"] += 1
        mode[0] = y[1] < 0
        y[0] = -1e-300 if mode[0] else 1e-300  # on the new side, else the same root is found again
    return None


def main():
    if len(sys.argv) != 7:
        sys.exit(f"usage: {sys.argv[0]} METHOD switch|event TOLERANCE ROWS.csv N ENDS.csv")
    method, strategy, tolerance, rows, n, ends = sys.argv[1:]
    with open(rows, encoding="utf-8") as file:
        sets = [[float(row[name]) for name in ("b", "m1", "k", "f")] for row in csv.DictReader(file)][:int(n)]
    work = dict.fromkeys(("steps", "failed", "rhs", "jacobians", "events", "wrong"), 0)
    reached = []
    began = time.process_time()
    for numbers in sets:
        y = solve(method, strategy == "event", float(tolerance), numbers, work)
        work["wrong"] += y is None
        reached.append(y or [math.nan] * 4)
    print(f"cpu={time.process_time() - began:.9g}", *(f"{name}={value}" for name, value in work.items()))
    with open(ends, "w", encoding="utf-8") as file:
        file.write("attempts,y1,v1,y2,v2\n")
        file.writelines("0," + ",".join(f"{value:.17g}" for value in y) + "\n" for y in reached)


main()
