"""The part of the report that shows the map: what wins where, how often, and what changes it."""

import os
import re
from dataclasses import dataclass

import numpy as np

import page
import sensitivity
from map_data import GAPS, TIE, MappedCube, answers, layout, shares
from maps import scatter_axes, share_groups

TOLERANCES = (1e-3, 1e-6, 1e-9)  # of maps by points, where the cube has them


@dataclass
class Report:
    """What the sections share; pictures go to `folder`."""

    mapped: MappedCube
    folder: str
    axes: list  # [] for a scattered cube


def capital(said):
    return said[:1].upper() + said[1:]


def percent(share):
    return f"{100 * share:.0f} %"


def cells(chosen):
    n = int(chosen.sum())
    return f"{n} cell{'s' * (n != 1)}"


def who_wins(found, n=3):
    """The most frequent winners in words, and how often that hardly matters."""
    words = [
        f"{' with '.join(pair) if pair not in GAPS else pair[1]} ({percent(share)})"
        for pair, share in list(shares(found).items())[:n]
    ]
    said = f"Most often: {', '.join(words)}."
    if found.tied.any():
        said += f" A tie, the winner included above: {percent(found.tied.mean())}."
    return said


def gaps(found):
    """What is hatched, or a cross in a scatter."""
    said = ""
    if found.missed.any():
        said += (
            f"Hatched with lines, or a cross x: no contender reaches the error although the "
            f"reference is good enough ({cells(found.missed)}). "
        )
    if found.unknown.any():
        said += (
            f"Hatched crosswise, or a cross +: the reference's own error is larger than the one asked for, so "
            f"nothing can be known ({cells(found.unknown)}). "
        )
    return said


def how_to_read(figures):
    return (
        "Colour is the solver of the best contender, the mark in the cell its strategy. The paler the "
        "colour, the thinner its lead: how much more the best contender with another solver or "
        f"strategy costs, from {percent(TIE)} to {percent(figures.FULL)} and more, on the same scale "
        f"in every map. Grey: a tie, another one costs less than {percent(TIE)} more."
    )


def work_text(mapped):
    """What work is made of, in one sentence."""
    if "work_terms" not in mapped.map.attrs:
        return ""
    terms = str(mapped.map.attrs["work_terms"]).split()
    weights = np.atleast_1d(mapped.map.attrs["work_weights"])
    said = ", ".join(f"{name} {w:.3g}" for name, w in zip(terms, weights) if w)
    return f"Work counts, in evaluations of f: {said}."


def winner_map(report, figures, question):
    found = answers(report.mapped, question)
    path = os.path.join(report.folder, f"map-{question.slug}.png")
    if report.axes:
        place = layout(report.mapped, report.axes)
        figures.draw_map(question, found, report.axes, path, **place)
        said = panel_text(place, report.axes, figures)
    else:
        x, y = scatter_axes(report.mapped, None, None)
        figures.draw_scatter(report.mapped, question, found, path, x, y)
        said = "A mark is one cell; marks side by side are cells at the same place. "
    return page.figure(path, capital(question.text()), said + gaps(found) + who_wins(found))


def in_words(axis):
    """Its meaning without the number of an equation."""
    return re.sub(r" \(\d+\)", "", axis.what)


def panel_text(place, axes, figures):
    """What the small multiples are."""
    by_name = {axis.name: axis for axis in axes}
    meant = {
        name: f"{name}{f' ({in_words(axis)})' if axis.what else ''}" for name, axis in by_name.items()
    }
    ways = {
        "x": "grows to the right",
        "y": "upwards",
        "across": "from panel to panel to the right",
        "down": "upwards",
    }
    said = {role: f"{meant[place[role]]} {way}" for role, way in ways.items() if place[role]}
    inner = " and ".join(said[role] for role in ("x", "y") if role in said)
    outer = " and ".join(said[role] for role in ("across", "down") if role in said)
    text = f"Each square is one cell; within a panel {inner}{', and ' if outer else ''}{outer}. "
    for role in ("across", "down"):
        name = place[role]
        n = by_name[name].values.size if name else 0
        if n > figures.PANELS:
            text += f"Of the {n} values of {name}, {figures.PANELS} are shown. "
    for name, index in place["at"].items():
        text += f"{name} is {by_name[name].values[index]:.3g}. "
    return text


def maps_by_error(report, figures):
    questions = report.mapped.questions("error")
    first = page.paragraph(f"{how_to_read(figures)} {work_text(report.mapped)}")
    return "\n".join([first, *(winner_map(report, figures, q) for q in questions)])


def maps_by_points(report, figures):
    parts = [
        page.paragraph(
            "The same with points: 1 to 10 for each criterion, weighted and summed, more is better. "
            "Leads are thin here, since points are shared out over the whole range of all cells: most "
            "cells are ties."
        )
    ]
    questions = report.mapped.questions("points")
    wanted = [
        q for q in questions if any(np.isclose(q.asked, t, rtol=1e-9, atol=0) for t in TOLERANCES)
    ] or questions
    for i, weights in enumerate(dict.fromkeys(q.weights for q in wanted)):
        drawn = [winner_map(report, figures, q) for q in wanted if q.weights == weights]
        title = f"weights {weights}"
        first = f"<h3>{page.text(title)}</h3>" + "".join(drawn)
        parts.append(page.details(title, *drawn) if i else first)
    return "\n".join(parts)


def changes(report, figures):
    """Where the answer changes: along each axis, and from question to question."""
    parts = []
    for question in report.mapped.questions("error") if report.axes else ():
        path = os.path.join(report.folder, f"along-{question.slug}.png")
        figures.draw_along(question, answers(report.mapped, question), report.axes, path)
        said = (
            "A bar is all cells with that value of the axis, whatever the others. An axis along which "
            "the bars do not change does not matter to the answer."
        )
        parts.append(page.figure(path, f"What wins along each axis: {question.text()}", said))
    path = os.path.join(report.folder, "shares.png")
    figures.draw_shares(share_groups(report.mapped), path)
    title = "How often each contender is best, for every question of the map"
    said = "A bar is all cells; colour is the solver, hatching the strategy."
    return "\n".join([*parts, page.figure(path, title, said)])


def decisive_axes(report, figures):
    """Shares of the variance that each axis explains, for the questions by error."""
    mapped = report.mapped
    questions = mapped.questions("error") or mapped.questions("points")[:1]
    parts = [
        page.paragraph(
            "Which axes decide the work, the winner and the tolerance it wins at? Alone: the share of "
            "the variance over the cells that an axis explains by itself; with: what would be missing "
            "without it, that is with all it does together with others. No share is given where "
            "chance alone would explain as much."
        )
    ]
    for question in questions:
        made, won = sensitivity.sensitivities(mapped, question)
        title = capital(sensitivity.title_of(mapped, question, won))
        if not made:
            parts.append(page.paragraph(f"{title}."))
            continue
        path = os.path.join(report.folder, f"sensitivity-{question.slug}.png")
        drawn = f"Which axes decide: {question.text(figures.style.power_of_ten)}"
        sensitivity.draw(made, question, drawn, path, figures.style)
        numbers = "\n".join(sensitivity.table(made, question))
        parts += [page.figure(path, title), f"<pre>{page.text(numbers)}</pre>"]
    return "\n".join(parts)
