"""Pictures of a measure over the cells of a sweep: a plane of two axes, a line of one, marks of cells that make no grid."""

import numpy as np

import style
from cube import NotOurs, unstack
from map_data import label, quantities, symbol
from stability import edges

plt = style.plt


def chosen(cube, name):
    """(values along `cell`, words for an axis) of the measure called so, or of the first one."""
    if "measures" not in cube:
        raise NotOurs("the cube has no measures: neither its sweep nor its model has the key `measure`")
    names = [str(n) for n in cube["measure"].values]
    if name is not None and name not in names:
        raise NotOurs(f"--measure: {name} is not a measure; allowed: {', '.join(names)}")
    at = names.index(name) if name else 0
    unit = str(cube["measure_unit"].values[at])
    return cube["measures"].isel(measure=at).rename(names[at]), f"{names[at]} [{unit}], {cube['measure_text'].values[at]}"


def draw_grid(grid, words, wanted, path):
    many = [name for name in grid.dims if grid.sizes[name] > 1]
    across = wanted[0] or next((name for name in (*many, *grid.dims) if name != wanted[1]), wanted[1])
    up = wanted[1] or next((name for name in many if name != across), None)
    if across == up:
        raise NotOurs(f"--y: {up} is the axis across")
    for name in filter(None, (across, up)):
        if name not in grid.dims:
            raise NotOurs(f"no axis {name}; there are {', '.join(map(str, grid.dims))}")
    middle = {name: grid.sizes[name] // 2 for name in grid.dims if name not in (across, up)}
    fixed = ", ".join(f"{symbol(name)} = {grid[name].values[i]:g}" for name, i in middle.items() if grid.sizes[name] > 1)
    grid = grid.isel(middle)
    figure, ax = plt.subplots(figsize=(style.WIDTH, 4.4))
    ax.set_xlabel(label(grid[across], across))
    if up is None:
        ax.plot(grid[across].values, grid.values, marker=".", markersize=4, linewidth=1)
        ax.set_ylabel(words)
    else:
        (x, x_ticks), (y, y_ticks) = (edges(grid[name].values.astype(float)) for name in (across, up))
        shown = ax.pcolormesh(x, y, grid.transpose(up, across).values, cmap="viridis", rasterized=True)
        figure.colorbar(shown, ax=ax, label=words)
        ax.set(ylabel=label(grid[up], up), facecolor="#C4C4C4")
        ax.grid(False)
        for put, ticks in ((ax.set_xticks, x_ticks), (ax.set_yticks, y_ticks)):
            if ticks:
                put(*ticks)
    figure.suptitle(words + (f", at {fixed}" if fixed else ""))
    style.save(figure, path)


def draw_cells(cube, values, words, wanted, path):
    """Cells that make no grid: marks over two of the quantities that differ among them."""
    free = [name for name in quantities(cube) if name not in wanted] or ["cell"]
    x = wanted[0] or free.pop(0)
    y = wanted[1] or (free or ["cell"])[0]
    for name in (x, y):
        if name not in cube:
            raise NotOurs(f"no quantity {name}; there are {', '.join(map(str, quantities(cube)))}")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 4.4))
    known = np.isfinite(values.values)
    ax.plot(cube[x].values[~known], cube[y].values[~known], "x", color="#999999", markersize=4)
    shown = ax.scatter(cube[x].values[known], cube[y].values[known], c=values.values[known], s=14, cmap="viridis")
    figure.colorbar(shown, ax=ax, label=words)
    ax.set(xlabel=label(cube[x], x), ylabel=label(cube[y], y))
    figure.suptitle(words)
    style.save(figure, path)


def draw(cube, name, wanted, path):
    """wanted: names of the axes across and up, or None."""
    values, words = chosen(cube, name)
    axes = str(cube.attrs.get("axes", "cell")).split()
    if axes != ["cell"] and not cube.attrs.get("scattered_cells", 0):
        grid = unstack(cube)
        draw_grid(grid["measures"].sel(measure=values.name).transpose(*axes), words, wanted, path)
    else:
        draw_cells(cube, values, words, wanted, path)
