#!/usr/bin/env python3
"""Prints right.csv: the ends of the systems beside it, by SciPy from event to event (scipy needed)."""
from fractions import Fraction

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sin, cos, pi = np.sin, np.cos, np.pi


def advance(flow, y, start, end):
    if end == start:
        return np.array(y, float)
    return solve_ivp(flow, (start, end), y, method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]


def run_until(flow, y, start, end, guards, step):
    """Time, state and index of the first guard that falls below 0, or the end and None. A guard that is 0 at the start
    has to be above 0 before it can fall; one that falls at once is met at the start."""
    y = np.array(y, float)
    begin = start + min(1e-7 * step, end - start)
    first = advance(flow, y, start, begin)
    for k, guard in enumerate(guards):
        if guard(begin, first) < 0:
            return start, y, k

    def terminal(guard):
        def event(t, z):
            return guard(t, z)
        event.terminal, event.direction = True, -1
        return event

    run = solve_ivp(flow, (begin, end), first, method="DOP853", rtol=1e-13, atol=1e-15, max_step=step,
                    events=[terminal(guard) for guard in guards])
    if run.status != 1:
        return end, run.y[:, -1], None
    when, k = min((times[0], k) for k, times in enumerate(run.t_events) if len(times))
    last, before = run.t[-2], run.y[:, -2]

    def gap(t):
        return guards[k](t, advance(flow, before, last, t))

    for _ in range(3 if gap(last) > 0 else 0):
        slope = (gap(when + 1e-9 * step) - gap(when)) / (1e-9 * step)
        if slope != 0:
            when -= gap(when) / slope
    return when, advance(flow, before, last, when), k


def rectifier():
    U, f, L, r, C, R, end = 10, 50, 1e-3, 0.5, 1e-3, 50, 0.1
    t, y, n, blocked = 0.0, np.zeros(2), 1, False  # it begins closed and opens at once
    while t < end:
        if blocked:
            flow, guards = lambda t, y: [0, -y[1] / R / C], [lambda t, y: y[1] - U * sin(2 * pi * f * t)]
        else:
            flow = lambda t, y: [(U * sin(2 * pi * f * t) - r * y[0] - y[1]) / L, (y[0] - y[1] / R) / C]
            guards = [lambda t, y: y[0]]
        t, y, k = run_until(flow, y, t, end, guards, 1e-4)
        if k is not None:
            y[0], blocked, n = 0, not blocked, n + 1
    return {"i": y[0], "uC": y[1]}, n


def boost():
    L, C, R, U, T, D, periods = 1e-4, 5e-5, 100, 12, 1e-4, 0.4, 40
    t, y, n, on, blocked = 0.0, np.zeros(2), 0, True, False
    for edge in range(2 * periods):
        end = (edge // 2 + (1 if edge % 2 else D)) * T
        while t < end:
            if on:
                n += blocked
                blocked, flow, guards = False, lambda t, y: [U / L, -y[1] / R / C], []
            elif blocked:
                flow, guards = lambda t, y: [0, -y[1] / R / C], [lambda t, y: y[1] - U]
            else:
                flow, guards = lambda t, y: [(U - y[1]) / L, (y[0] - y[1] / R) / C], [lambda t, y: y[0]]
            t, y, k = run_until(flow, y, t, end, guards, T / 7)
            if k is not None:
                y[0], blocked, n = 0, not blocked, n + 1
        on, n = not on, n + 1
    n -= 1  # the last edge is the end of the run
    return {"iL": y[0], "uC": y[1]}, n


def stribeck():
    k, vb, Fs, Fc, vs, end = 2, 0.2, 1.5, 1, 0.3, 20.0
    t, y, n, stick, sense = 0.0, np.zeros(2), 0, False, 1
    while t < end:
        if stick:
            flow, guards = lambda t, y: [vb, 0], [lambda t, y: Fs - abs(k * y[0])]
        else:
            flow = lambda t, y, s=sense: [y[1], s * (Fc + (Fs - Fc) * np.exp(-((vb - y[1]) / vs)**2)) - k * y[0]]
            guards = [lambda t, y, s=sense: s * (vb - y[1])]
        t, y, event = run_until(flow, y, t, end, guards, 0.02)
        if event is not None:
            y[1], n = vb, n + 1
            stick = not stick and abs(k * y[0]) <= Fs
            sense = 1 if k * y[0] > 0 else -1
    return {"x": y[0], "v": y[1]}, n


def joint():
    w2, F, end = 9.81, 0.9, 30.0
    t, y, n, stick, sense = 0.0, np.array([2.0, 0.0]), 1, False, -1  # it begins closed and opens at once
    while t < end and not stick:
        flow = lambda t, y, s=sense: [y[1], -w2 * sin(y[0]) - F * s]
        t, y, event = run_until(flow, y, t, end, [lambda t, y, s=sense: s * y[1]], 0.05)
        if event is not None:
            y[1], n = 0, n + 1
            stick = abs(w2 * sin(y[0])) <= F
            sense = 1 if sin(y[0]) < 0 else -1
    return {"th": y[0]}, n


def stops():
    A, om, L, c, end = 3, 2, 0.5, 0.2, 10.0
    t, y, n, at = 0.0, np.zeros(2), 0, 0
    while t < end:
        if at:
            flow, guards = lambda t, y: [0, 0], [lambda t, y, s=at: s * sin(om * t)]
        else:
            flow, guards = lambda t, y: [y[1], A * sin(om * t) - c * y[1]], [lambda t, y: L - y[0], lambda t, y: L + y[0]]
        t, y, event = run_until(flow, y, t, end, guards, 0.02)
        if event is not None:
            n += 1
            at = 0 if at else 1 - 2 * event
            y = np.array([at * L if at else y[0], 0])
    return {"x": y[0], "v": y[1]}, n


def relief_valve():
    M, k, F0, L, F, e = 3.361185937456267e-4, 1488.578099595049, 8.54503372291542, 0.001016, 1, 0.3
    A, f, end = 7.373657906574696e-5, 250, 3.3e-3
    net = lambda t, x: A * 6895 * (18 + 4 * sin(2 * pi * f * t)) - F0 - k * x
    t, y, n, stick, sense = 0.0, np.array([2e-4, 0.0]), 0, True, 1
    while t < end:
        if stick:
            flow, guards = lambda t, y: [0, 0], [lambda t, y: F - abs(net(t, y[0]))]
        else:
            flow = lambda t, y, s=sense: [y[1], (net(t, y[0]) - F * s) / M]
            guards = [lambda t, y, s=sense: s * y[1], lambda t, y: y[0], lambda t, y: L - y[0]]
        t, y, event = run_until(flow, y, t, end, guards, 2e-5)
        if event is None:
            break
        n += 1
        if event == 0:
            y[1] = 0
            stick = not stick and abs(net(t, y[0])) <= F
            sense = 1 if net(t, y[0]) > 0 else -1
        else:
            y, sense = np.array([0 if event == 1 else L, -e * y[1]]), 1 if event == 1 else -1
    return {"x": y[0]}, n


def elastogap():
    k, c, v0, meets, end = 100, 6, -2, 0.25, 1
    w = np.sqrt(k - c * c / 4)
    x = lambda s: v0 / w * np.exp(-c * s / 2) * sin(w * s)
    v = lambda s: v0 * np.exp(-c * s / 2) * (cos(w * s) - c / 2 / w * sin(w * s))
    leaves = brentq(lambda s: k * x(s) + c * v(s), 0.05, pi / w, xtol=1e-15)
    return {"x": x(leaves) + v(leaves) * (end - meets - leaves), "v": v(leaves)}, 2


def fireflies():
    gain, a, b, t, end, n = Fraction(13, 10), Fraction(1, 2), Fraction(0), Fraction(0), Fraction(39, 4), 0
    while t + 1 - max(a, b) <= end:
        wait = 1 - max(a, b)
        t, a, b = t + wait, a + wait, b + wait
        while max(a, b) >= 1:
            n += 1
            if a >= 1:
                a, b = Fraction(0), min(gain * b, Fraction(1))
            else:
                a, b = min(gain * a, Fraction(1)), Fraction(0)
    return {"a": float(a + end - t), "b": float(b + end - t)}, n


def lif():
    period = 10 * np.log(50 / 30)
    fires = int(300 // period)
    return {"V": -25 - 50 * np.exp(-(300 - fires * period) / 10)}, fires


def sticking():
    return {"u1": 10.0, "u2": 1.0}, 2


if __name__ == "__main__":
    print("system,state,value,events")
    for find in (boost, elastogap, fireflies, joint, lif, rectifier, relief_valve, sticking, stops, stribeck):
        end, events = find()
        for state, value in end.items():
            print(f"{find.__name__.replace('_', '-')},{state},{float(value)!r},{events}")
