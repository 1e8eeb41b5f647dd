import numpy as np
from scipy.integrate import solve_ivp


def f(t, w):
    x, y, u, v = w
    r3 = (x * x + y * y) ** 1.5
    return [u, v, -x / r3, -y / r3]


e = 0.6
sol = solve_ivp(f, (0, 4 * np.pi), [1 - e, 0, 0, np.sqrt((1 + e) / (1 - e))], method="DOP853", rtol=1e-10, atol=1e-10)
answer, close = np.concatenate([1 + sol.y[:, -1], [sol.success]]), 1e-5
