from scipy.integrate import solve_ivp


def f(t, y):
    slow, fast = 0.04 * y[0], 1e4 * y[1] * y[2]
    made = 3e7 * y[1] ** 2
    return [-slow + fast, slow - fast - made, made]


sol = solve_ivp(f, [0, 40], [1, 0, 0], method="BDF", rtol=1e-8, atol=[1e-10, 1e-14, 1e-10])
answer, close = sol.y[:, -1], 1e-4
