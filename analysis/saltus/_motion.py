"""Trajectories and orbits that move."""

import os
import tempfile

from . import _arguments, _cubes, _program, _scripts, errors


class Motion(_cubes.Report):
    """A motion as one web page: .html is its text, .svg a picture that moves by itself, .save(path) writes either by its name's end, Jupyter shows the page."""

    what = "motion of saltus"

    def __init__(self, html, drawn):
        super().__init__(html)
        self._drawn = drawn

    @property
    def svg(self):
        """The picture; InvalidError of a model that has no drawing."""
        if isinstance(self._drawn, Exception):
            raise self._drawn
        return self._drawn

    def save(self, path):
        _scripts.write(path, self.svg if os.fspath(path).endswith(".svg") else self.html)


def motion(source, params=None, initial=None, *, orbit=False, t_end=None, dt=None, solver=None, strategy=None, rtol=None, speed=None):
    """A trajectory, or with `orbit` a periodic orbit, as a Motion: the model in motion where it has a drawing, its states over time, contacts and events.

    source: a file of `saltus trajectory` or `saltus orbit` (.h5), which the rest is then not for; or a model: a name, a file (.yaml) or a text of several lines.
    params, initial: {NAME: number or word}; initial states of an orbit are a guess on its section, without them it is looked for by simulation.
    t_end, dt: end of the run and spacing of its samples, in the model's time; solver, strategy, rtol: as the program has them.
    speed: of the picture, units of time a second.
    """
    source = _arguments.path("source", source)
    options = {"param": _pairs("params", params), "guess" if orbit else "initial": _pairs("initial", initial), "t-end": t_end, "dt": dt, "solver": solver, "strategy": strategy, "rtol": rtol}
    given = [word for name, value in options.items() if value is not None for word in (f"--{name}", str(value))]
    if source.endswith(".h5"):
        if given or orbit:
            raise errors.InvalidError(f"{source}: holds a motion; allowed beside it: speed")
        return _of(_arguments.path_word("source", source), speed)
    if orbit and dt is not None:
        raise errors.InvalidError("dt: an orbit has equal parts of its period; allowed: None")
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
        model, out = _arguments.path_word("source", source), os.path.join(folder, "motion.h5")
        if "\n" in source:
            model = os.path.join(folder, "model.yaml")
            with open(model, "w", encoding="utf-8") as file:
                file.write(source)
        try:
            _program.command("orbit" if orbit else "trajectory", "--model", model, *given, "-o", out)
        except errors.Error:
            if not os.path.exists(out):  # a run that ended early has a file, and the page reports it
                raise
        return _of(out, speed)


def _pairs(name, values):
    return _arguments.pairs(name, values) if values else None


def _of(path, speed):
    with _scripts.loaded("motion") as (module,):
        page = module.made(path)
        try:
            drawn = module.made(path, svg=True, speed=speed)
        except module.NotOurs as why:
            drawn = errors.InvalidError(str(why))
        return Motion(page, drawn)
