"""The part of the report that shows the map: who wins where, how often, and what changes it."""

import os
import re
from dataclasses import dataclass

import numpy as np

import page
from atlas import scatter_axes, share_groups
from map_data import Atlas, answers, layout, shares

TOLERANCES = (1e-3, 1e-6, 1e-9)  # of maps by points, where the cube has them
READ = (
    "Colour is the method of the best contender, the mark in the cell its strategy. The paler the "
    "colour, the "
    "thinner its lead over the best contender with another method or strategy; in the palest cells "
    "either will do."
)


@dataclass
class Report:
    """What the sections share; pictures go to `folder`."""

    atlas: Atlas
    folder: str
    axes: list  # [] for a scattered cube


def percent(share):
    return f"{100 * share:.0f} %"


def who_wins(found, n=3):
    """The most frequent winners in words."""
    words = [
        f"{method} with {strategy} ({percent(share)})" if method else f"nobody ({percent(share)})"
        for (method, strategy), share in list(shares(found).items())[:n]
    ]
    return "Most often: " + ", ".join(words) + "."


def work_text(atlas):
    """What work is made of, in one sentence."""
    if "work_terms" not in atlas.map.attrs:
        return ""
    terms = str(atlas.map.attrs["work_terms"]).split()
    weights = np.atleast_1d(atlas.map.attrs["work_weights"])
    said = ", ".join(f"{name} {w:.3g}" for name, w in zip(terms, weights) if w)
    return f"Work counts, in evaluations of f: {said}."


def winner_map(report, figures, question):
    found = answers(report.atlas, question)
    path = os.path.join(report.folder, f"map-{question.slug}.png")
    said = page.text(question.text())
    said = f"<b>{said[:1].upper()}{said[1:]}.</b> "
    if report.axes:
        place = layout(report.atlas, report.axes)
        figures.draw_map(question, found, report.axes, path, **place)
        said += panel_text(place, report.axes, figures)
    else:
        x, y = scatter_axes(report.atlas, None, None)
        figures.draw_scatter(report.atlas, question, found, path, x, y)
        said += "A mark is one cell; marks side by side are cells at the same place. "
    if not found.won.all():
        said += "Hatched, or a cross: no contender got there. "
    return page.figure(path, said + who_wins(found))


def in_words(axis):
    """Its meaning without the number of an equation."""
    return re.sub(r" \(\d+\)", "", axis.what)


def panel_text(place, axes, figures):
    """What the small multiples are."""
    by_name = {axis.name: axis for axis in axes}
    said = "Each square is one cell; within a panel "
    meant = {
        name: f"{name}{f' ({in_words(by_name[name])})' if by_name[name].what else ''}"
        for name in by_name
    }
    inner = [
        f"{meant[place[role]]} {way}"
        for role, way in (("x", "grows to the right"), ("y", "upwards"))
        if place[role]
    ]
    outer = [
        f"{meant[place[role]]} {way}"
        for role, way in (("across", "from panel to panel to the right"), ("down", "upwards"))
        if place[role]
    ]
    said += " and ".join(inner) + (", and " + " and ".join(outer) if outer else "") + ". "
    for role in ("across", "down"):
        name = place[role]
        if name and by_name[name].values.size > figures.PANELS:
            said += (
                f"Of the {by_name[name].values.size} values of {name}, {figures.PANELS} are shown. "
            )
    for name, index in place["at"].items():
        said += f"{name} is {by_name[name].values[index]:.3g}. "
    return said


def maps_by_error(report, figures):
    questions = report.atlas.questions("error")
    parts = [f"<p>{READ} {work_text(report.atlas)}</p>"]
    return "\n".join(parts + [winner_map(report, figures, q) for q in questions])


def maps_by_points(report, figures):
    parts = [
        "<p>The same with points: 1 to 10 for each criterion, weighted and summed, more is better. "
        "Leads are thin "
        "here, since points are shared out over the whole range of all cells: look at the margins "
        "in the legend.</p>"
    ]
    questions = report.atlas.questions("points")
    wanted = [
        q for q in questions if any(np.isclose(q.asked, t, rtol=1e-9, atol=0) for t in TOLERANCES)
    ] or questions
    for i, weights in enumerate(dict.fromkeys(q.weights for q in wanted)):
        drawn = [winner_map(report, figures, q) for q in wanted if q.weights == weights]
        title = f"weights {weights}"
        parts.append(
            f"<h3>{page.text(title)}</h3>" + "".join(drawn)
            if i == 0
            else page.details(title, *drawn)
        )
    return "\n".join(parts)


def changes(report, figures):
    """Where the answer changes: along each axis, and from question to question."""
    parts = []
    for question in report.atlas.questions("error") if report.axes else ():
        path = os.path.join(report.folder, f"along-{question.slug}.png")
        figures.draw_along(question, answers(report.atlas, question), report.axes, path)
        said = page.text(question.text())
        parts.append(
            page.figure(
                path,
                f"<b>Who wins along each axis: {said}.</b> A bar is all cells with that value of "
                "the axis, "
                "whatever the others. An axis along which the bars do not change does not matter "
                "to the answer.",
            )
        )
    path = os.path.join(report.folder, "shares.png")
    figures.draw_shares(share_groups(report.atlas), path)
    parts.append(
        page.figure(
            path,
            "<b>How often each contender is best, for every question of the map.</b> A bar is all "
            "cells; colour is "
            "the method, hatching the strategy.",
        )
    )
    return "\n".join(parts)
