import numpy as np
from scipy.integrate import solve_ivp


def f(t, y, mu=100.0):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


sol = solve_ivp(f, (0, 200), np.array([2.0, 0.0]), method="Radau", rtol=1e-8, atol=1e-10)
answer, close = [sol.y[0, -1], sol.success], 1e-3
