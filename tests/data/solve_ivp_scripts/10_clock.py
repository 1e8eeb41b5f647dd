import numpy as np
from scipy.integrate import solve_ivp


def f(t, y):
    return [np.exp(-t) * np.cos(t)]


def above(t, y):
    return y[0] - 1.05


sol = solve_ivp(f, [1, 6], [1.0], events=[above], rtol=1e-9, atol=1e-9)
answer, close = [sol.y[0][-1], sol.t[0], *sol.t_events[0], sol.nfev > 10], 1e-6
