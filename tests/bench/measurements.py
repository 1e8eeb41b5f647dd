"""Measurements on the disk: one CSV file for all parts, each of which has columns of its own."""
import csv

import ensemble.figures
import mujoco.figures

SWEEPS = ("name", "capped", "seconds", "cells", "of")
COLUMNS = {"ensemble": ensemble.figures.COLUMNS, "mujoco": mujoco.figures.COLUMNS, "sweeps": SWEEPS}
ALL = ("part", *dict.fromkeys(name for columns in COLUMNS.values() for name in columns))


def read(path):
    """{part: rows of text} that `write` wrote."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or tuple(rows[0]) != ALL:
        raise ValueError(f"{path} holds no measurements of compare.py")
    return {part: [{name: row[name] for name in columns} for row in rows if row["part"] == part]
            for part, columns in COLUMNS.items()}


def write(path, found):
    """found: {part: rows}."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ALL, restval="")
        writer.writeheader()
        for part, rows in found.items():
            writer.writerows({"part": part, **row} for row in rows)
