import numpy as np
from scipy.integrate import solve_ivp


def f(t, z, a, b, c, d):
    x, y = z
    return [a * x - b * x * y, -c * y + d * x * y]


sol = solve_ivp(f, [0, 15], [10, 5], args=(1.5, 1, 3, 1), t_eval=np.linspace(0, 15, 301), rtol=1e-9, atol=1e-9)
answer, close = np.concatenate([sol.y[0, ::50], sol.y[1, ::50], [sol.t.size]]), 1e-5
