import numpy as np
from scipy.integrate import solve_ivp


def f(t, state):
    angle, rate = state
    return rate, -9.81 * np.sin(angle) - 0.1 * rate


def bottom(t, state):
    return state[0]


bottom.direction = 1
sol = solve_ivp(f, (0, 20), (1.2, 0.0), events=bottom, max_step=0.1, rtol=1e-8, atol=1e-8)
answer, close = sol.t_events[0], 1e-5
