"""Models with contacts in plain Python, after kernels/models: what the scripts for other solvers integrate.

A model has one contact here. `gap` is above 0 while it is open; f depends on it through the mode alone.
"""

import math


class Monopod:
    """Vertical hopper on Hunt-Crossley ground: Dallas, Machairas, Papadopoulos, eqs (18)-(19)."""

    name = "monopod"
    states = ("y1", "v1", "y2", "v2")

    def __init__(self, given):
        self.b, self.m1, self.k, self.weight = (float(given[name]) for name in ("b", "m1", "k", "f"))
        self.flight, self.stance = (float(given.get(name, 0)) / math.pi for name in ("zeta_F", "zeta_G"))
        self.clamp = given.get("adhesion", "literal") == "clamp"
        self.c = 4 * math.pi**2 - self.m1

    def f(self, _t, y, closed):
        y1, v1, y2, v2 = y
        extension = y1 - y2 + 1
        damped = (self.stance if closed else self.flight) * (v2 - v1)
        force = 0.0
        if closed:
            depth = abs(y1)
            force = math.sqrt(depth) * (self.b * depth * v1 + self.c * self.k * y1)
            if self.clamp and force > 0:
                force = 0.0
        return (
            v1,
            self.c * damped - (self.c * extension + self.weight) - force,
            v2,
            self.m1 * extension - self.weight - self.m1 * damped,
        )

    @staticmethod
    def gap(y):
        return y[0]

    @staticmethod
    def change(y, closed, _brief):
        """State and mode after a change to `closed`; brief: no time has passed since the last one."""
        return (0.0, *y[1:]), closed


class LinearGround:
    """Point mass on a linear spring and damper."""

    name = "linear-ground"
    states = ("y", "v")

    def __init__(self, given):
        self.g, self.k, self.d = (float(given[name]) for name in ("g", "k", "d"))

    def f(self, _t, y, closed):
        push = self.k * y[0] + self.d * y[1] if closed else 0.0
        return y[1], -(self.g + push)

    gap = staticmethod(Monopod.gap)
    change = staticmethod(Monopod.change)


class BouncingBall:
    """Ball on a rigid floor with restitution; it rests where impacts follow each other at once."""

    name = "bouncing-ball"
    states = ("y", "v")

    def __init__(self, given):
        self.g, self.e = (float(given[name]) for name in ("g", "e"))

    def f(self, _t, y, closed):
        return (0.0, 0.0) if closed else (y[1], -self.g)

    gap = staticmethod(Monopod.gap)

    def change(self, y, closed, brief):
        if closed and not brief and y[1] < 0 < self.e:
            return (0.0, -self.e * y[1]), False
        return (0.0, 0.0), True


MODELS = {model.name: model for model in (Monopod, LinearGround, BouncingBall)}
