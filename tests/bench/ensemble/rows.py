#!/usr/bin/env python3
"""The ensemble: hoppers drawn log-uniformly from the box of the papers, the same on every machine.

    rows.py N > rows.csv

An additive recurrence (Kronecker sequence) in four dimensions from a fixed start: row i depends on i alone, and any
prefix is spread evenly, so that a slow code may run the first few rows and be compared on them with a fast one.
"""
import sys

BOX = {"b": (550.0, 38000.0), "m1": (0.8, 20.0), "k": (1.0, 480.0), "f": (0.01, 0.3)}
START = (0.06360711110426465, 0.7832602309830979, 0.1671902179856668, 0.827619586615294)
GOLDEN = 1.1673039782614187  # x^5 = x + 1; its powers -1 .. -4 are the irrational steps of least discrepancy
COLUMNS = ("id", *BOX)


def row(i):
    """(b, m1, k, f) of row i."""
    spots = ((start + (i + 1) * GOLDEN ** -(j + 1)) % 1.0 for j, start in enumerate(START))
    return tuple(low * (high / low) ** u for (low, high), u in zip(BOX.values(), spots, strict=True))


def write(file, n):
    file.write(",".join(COLUMNS) + "\n")
    for i in range(n):
        file.write(f"{i}," + ",".join(f"{value:.12g}" for value in row(i)) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__.strip())
    write(sys.stdout, int(sys.argv[1]))
