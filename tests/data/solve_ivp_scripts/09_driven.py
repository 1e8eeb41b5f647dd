import numpy as np
from scipy.integrate import solve_ivp


def f(t, y, w):
    return [y[1], -y[0] - 0.2 * y[1] + np.cos(w * t)]


amplitudes = []
for w in (0.5, 1.0, 2.0):
    sol = solve_ivp(fun=f, t_span=(0, 80), y0=[0.0, 0.0], args=(w,), t_eval=np.linspace(60, 80, 201), rtol=1e-8, atol=1e-8)
    amplitudes.append(np.abs(sol.y[0]).max())
answer, close = amplitudes, 1e-5
