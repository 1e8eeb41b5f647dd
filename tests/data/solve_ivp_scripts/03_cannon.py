from scipy.integrate import solve_ivp


def f(t, y):
    return [y[1], -9.81]


def ground(t, y):
    return y[0]


def apex(t, y):
    return y[1]


ground.terminal = True
ground.direction = -1
sol = solve_ivp(f, (0, 100), [0, 30], events=(ground, apex), rtol=1e-8, atol=1e-8)
answer, close = [sol.t_events[0][0], sol.t_events[1][0], sol.y_events[1][0][0], sol.status, sol.t[-1]], 1e-6
