from scipy.integrate import solve_ivp


def f(t, y):
    return -0.5 * y


sol = solve_ivp(f, [0, 10], [2, 4, 8])
answer, close = sol.y[:, -1], 2e-2
