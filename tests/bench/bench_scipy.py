"""SciPy's explicit Runge-Kutta pairs on the same hoppers: RK45 (Dormand-Prince) or RK23 (Bogacki-Shampine).

    bench_scipy.py METHOD switch|event TOLERANCE LANES < SETS        (see bench.h; LANES is 1)

One pass, without the time of the imports; f is written with plain floats, the fastest form for four states.
"""
import math
import sys
import time

from scipy.integrate import solve_ivp

T_END, MOST_EVENTS = 50.0, 3000  # more events: chattering at one instant


def hopper(b, m1, k, f, mode):
    """f(t, y); mode [closed] when it is frozen, else None."""
    c, root = 4 * math.pi ** 2 - m1, math.sqrt
    ck = c * k

    def rhs(_, y):
        y1, v1, y2, v2 = y
        e, force = y1 - y2 + 1.0, 0.0
        if y1 <= 0.0 if mode is None else mode[0]:
            depth = abs(y1)
            force = root(depth) * (b * depth * v1 + ck * y1)
        return v1, -(force + c * e + f), v2, m1 * e - f
    return rhs


def gap(_, y):
    """Zero at touchdown and lift-off."""
    return y[0]


def solve(method, event, tolerance, numbers, work):
    """One trajectory; adds to the work."""
    mode = [False] if event else None
    rhs, t, y = hopper(*numbers, mode), 0.0, [0.5, 0.0, 1.5, 0.0]
    gap.terminal = True
    for _ in range(MOST_EVENTS):
        gap.direction = 1 if event and mode[0] else -1
        done = solve_ivp(rhs, (t, T_END), y, method=method, rtol=tolerance, atol=tolerance,
                         events=gap if event else None)
        work["steps"] += done.t.size - 1
        work["rhs"] += done.nfev
        if done.status <= 0:
            work["failed"] += done.status < 0
            return
        work["events"] += 1
        t, y = done.t[-1], [*done.y[:, -1]]
        mode[0] = y[1] < 0
        y[0] = -1e-300 if mode[0] else 1e-300  # on the new side, else the same root is found again
    work["failed"] += 1


def main():
    method, strategy, tolerance, _ = sys.argv[1:]
    sets = [tuple(map(float, line.split())) for line in sys.stdin]
    work = {"steps": 0, "rhs": 0, "events": 0, "failed": 0}
    began = time.process_time()
    for numbers in sets:
        solve(method, strategy == "event", float(tolerance), numbers, work)
    print(f"cpu={time.process_time() - began:.9g}", *(f"{name}={value}" for name, value in work.items()))


main()
