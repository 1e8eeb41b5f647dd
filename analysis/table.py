#!/usr/bin/python3
"""A cube as one table with a row for each trajectory: CSV, or Parquet where pandas can write it."""

import gzip

import numpy as np
import pandas as pd

import written
from command_line import Parser, run
from cube import CONFIG, NotOurs, open_cube, unit_of

ROWS = 100_000  # in memory at once, about
EXPLANATION = """\
Columns: the cell and what varies from cell to cell, rtol, strategy and solver, and every dataset of the cube that has a
value for each trajectory or each cell, and each measure of the cells (measure_NAME where a dataset has its name). A unit follows a name, "max_error [m]"; words, such as outcomes, are words.
A value that a run does not have is empty: a run that was stopped or failed has its outcome, and no max_error. Numbers have as many
digits as it takes to read the same double again. Cells are read some at a time, so that memory does not grow with the cube.

FILE ends with .csv, .csv.gz or .parquet. Parquet needs pyarrow or fastparquet beside pandas.

examples:
  analysis/table.py results/atlas.h5 -o results/atlas.csv.gz
  analysis/table.py results/atlas.h5 -o results/work.csv --only max_error,rhs_evaluations,outcome
"""


def arguments():
    parser = Parser(__doc__, EXPLANATION)
    parser.add_argument("cube", metavar="CUBE.h5")
    parser.add_argument("-o", dest="out", metavar="FILE", required=True)
    parser.add_argument("--only", metavar="NAME,..", help="these datasets alone, beside what names the trajectory")
    return parser.parse_args()


# ---- files ----


class Csv:
    """A text, compressed or not, to which frames are added."""

    def __init__(self, path, opened=open):
        self.file = opened(path, "wt", encoding="utf-8", newline="")
        self.first = True

    def add(self, frame):
        frame.to_csv(self.file, index=False, header=self.first, lineterminator="\n")
        self.first = False

    def close(self):
        self.file.close()


class Arrow:
    """Parquet by pyarrow, a row group for each frame."""

    def __init__(self, path):
        import pyarrow
        import pyarrow.parquet

        self.arrow, self.path, self.writer = pyarrow, path, None

    def add(self, frame):
        table = self.arrow.Table.from_pandas(frame, preserve_index=False)
        if self.writer is None:
            self.writer = self.arrow.parquet.ParquetWriter(self.path, table.schema)
        self.writer.write_table(table)

    def close(self):
        if self.writer is not None:
            self.writer.close()


class Fast:
    """The same by fastparquet."""

    def __init__(self, path):
        import fastparquet

        self.write, self.path, self.more = fastparquet.write, path, False

    def add(self, frame):
        self.write(self.path, frame, append=self.more)
        self.more = True

    def close(self):
        pass


def parquet(path):
    for kind in (Arrow, Fast):
        try:
            return kind(path)
        except ImportError:
            continue
    raise NotOurs("Parquet needs pyarrow or fastparquet, and this Python has neither; give -o FILE.csv.gz, or install one")


WRITERS = {".csv": Csv, ".csv.gz": lambda path: Csv(path, gzip.open), ".parquet": parquet}


def writer_of(path):
    """The function that opens a file of that name."""
    for end, writer in WRITERS.items():
        if path.endswith(end):
            return writer
    raise NotOurs(f"-o {path}: the name must end with {', '.join(WRITERS)}")


# ---- columns ----


def column(name, variable):
    unit = unit_of(variable)
    return name if unit == "1" else f"{name} [{unit}]"


def words(variable, values):
    """Flags by their meanings; all else as it is."""
    if "flag_meanings" not in variable.attrs:
        return values
    names = str(variable.attrs["flag_meanings"]).split()
    numbers = np.atleast_1d(variable.attrs.get("flag_values", np.arange(len(names))))
    of = dict(zip(numbers.tolist(), names))
    return np.array([of.get(v, "") for v in values.tolist()], dtype=object)


def chosen(cube, only):
    """Names of the datasets over trajectories, and over cells alone."""
    wanted = only.split(",") if only else None
    over = {name: set(cube[name].dims) for name in cube.variables}
    runs = [n for n in cube.data_vars if over[n] == {"cell", *CONFIG}]
    cells = [n for n in cube.variables if over[n] == {"cell"} and n != "cell_number"]
    for name in wanted or ():
        if name not in runs + cells:
            near = ", ".join(sorted(runs + cells))
            raise NotOurs(f"--only {name}: the cube has no such dataset of trajectories or cells; allowed: {near}")
    if wanted:
        runs, cells = ([n for n in names if n in wanted or n in cube.coords] for names in (runs, cells))
    return runs, cells


def with_measures(cube):
    """The cube with a dataset of its own for each measure."""
    if "measures" not in cube:
        return cube
    units, each = cube["measure_unit"].values, {}
    for i, name in enumerate(map(str, cube["measure"].values)):
        values = cube["measures"].isel(measure=i, drop=True)
        each[f"measure_{name}" if name in cube.variables or name in cube.dims else name] = values.assign_attrs(units=str(units[i]))
    return cube.assign(each)


def frame_of(cube, runs, cells, part):
    """Rows of the cells of a slice, the last of the configuration's dimensions running fastest."""
    sizes = [part.stop - part.start] + [cube.sizes[name] for name in CONFIG]
    data = {"cell": np.repeat(np.asarray(cube["cell_number"].values[part]), np.prod(sizes[1:]))}

    def spread(values, axis):
        shape = [1] * 4
        shape[axis] = -1
        return np.broadcast_to(np.asarray(values).reshape(shape), sizes).ravel()

    for name in cells:
        data[column(name, cube[name])] = spread(words(cube[name], cube[name].isel(cell=part).values), 0)
    for axis, name in enumerate(CONFIG, 1):
        data[name] = spread(cube[name].values, axis)
    for name in runs:
        values = cube[name].transpose("cell", *CONFIG).isel(cell=part).values.ravel()
        data[column(name, cube[name])] = words(cube[name], values)
    return pd.DataFrame(data)


def frames(cube, runs, cells):
    each = max(1, ROWS // int(np.prod([cube.sizes[name] for name in CONFIG])))
    for first in range(0, cube.sizes["cell"], each):
        yield frame_of(cube, runs, cells, slice(first, min(first + each, cube.sizes["cell"])))


def work(args):
    opened = writer_of(args.out)
    cube = with_measures(open_cube(args.cube, lazy=True))
    runs, cells = chosen(cube, args.only)
    with written.beside(args.out) as part:
        file = opened(part)
        for frame in frames(cube, runs, cells):
            file.add(frame)
        file.close()


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
