"""Answers of the reader over a raster of two axes: the map of cells that make no grid."""

import itertools

import numpy as np

from cube import NotOurs
from map_data import Axis, symbol
from page_data import open_runs
from reader import answers_at, open_reader, samples_of

FINE = 20  # places along an axis
PANELS = (0.0, 0.5, 1.0)  # where small multiples are, between the ends


def possible(mapped, question):
    """The runs that a raster is made of; None where the map has no reader, or the question is none of its."""
    if question.kind != "error" or "answer_pair" not in mapped.map or "reader_shape_at" not in mapped.map.attrs:
        return None
    runs = open_runs(mapped.path, mapped.map)
    return runs if runs.enough and runs.columns else None


def axis_of(column, at):
    """An axis of a picture, at these places between the ends of a column."""
    unit, what = column.unit, column.what
    label = f"{symbol(column.name)} [{unit}]" + (f", {what}" if what else "")
    values = np.array([column.at(u) for u in at])
    return Axis(column.name, values, label.replace("$$", "$"), symbol(column.name), what, column)


def roles(mapped, runs, wanted):
    """{role: column} of what is drawn, and {name: value} of what stands still."""
    there = {c.name: c for c in runs.columns}
    fixed = dict(wanted.get("fixed") or {})
    asked = {role: wanted.get(role) for role in ("x", "y", "across", "down")}
    named = [name for name in (*asked.values(), *fixed) if name]
    for name in named:
        if name not in there and name not in {c.name for c in runs.options}:
            raise NotOurs(f"{mapped.path}: no axis {name}; there are {', '.join(there)}")
        if named.count(name) > 1:
            raise NotOurs(f"{mapped.path}: axis {name} is asked for twice")
    scale = np.atleast_1d(mapped.map.attrs["reader_scale"])
    left = [runs.columns[i].name for i in np.argsort(-scale, kind="stable") if runs.columns[i].name not in named]
    for role in ("x", "y"):  # those along which most changes
        if asked[role] is None and left:
            asked[role] = left.pop(0)
    return {role: there[name] for role, name in asked.items() if name}, {name: there[name].middle for name in left} | fixed


def sample_of(mapped, runs, fixed):
    """(number of the sample, words): the values of the options, their first ones where nothing is said."""
    rows, _ = samples_of(runs)
    wanted = [int(fixed.pop(c.name, min(c.values))) for c in runs.options]
    same = np.flatnonzero((rows == wanted).all(axis=1)) if runs.options else [0]
    if not len(same):
        raise NotOurs(f"{mapped.path}: no cells with {', '.join(f'{c.name} = {v}' for c, v in zip(runs.options, wanted))}")
    return int(same[0]), ", ".join(f"{c.name} {c.words[v]}" for c, v in zip(runs.options, wanted))


def raster(mapped, runs, question, fine=FINE, **wanted):
    """(answers, axes, {x, y, across, down, at}, words) for map_figures.draw_map."""
    drawn, fixed = roles(mapped, runs, wanted)
    sample, words = sample_of(mapped, runs, fixed)
    middles = (np.arange(fine) + 0.5) / fine
    order = [role for role in ("down", "across", "y", "x") if role in drawn]
    places = {drawn[role].name: PANELS if role in ("down", "across") else middles for role in order}
    still = {c.name: [c.place(fixed[c.name])] for c in runs.columns if c.name not in places}
    for name, (place,) in still.items():
        if not -1e-9 <= place <= 1 + 1e-9:
            raise NotOurs(f"{mapped.path}: {name} = {fixed[name]:g} lies outside of the cells")
    names = [*still, *places]
    points = [dict(zip(names, at)) for at in itertools.product(*still.values(), *places.values())]
    points = np.array([[point[c.name] for c in runs.columns] for point in points])
    by_name = {c.name: c for c in runs.columns}
    axes = [axis_of(by_name[name], at) for name, at in {**still, **places}.items()]
    found = answers_at(open_reader(runs, mapped.map), runs, points, sample, question.asked)
    place = {role: drawn[role].name if role in drawn else None for role in ("x", "y", "across", "down")}
    return found, axes, place | {"at": {name: 0 for name in still}}, words
