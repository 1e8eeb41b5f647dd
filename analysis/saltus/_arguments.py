"""Checks of arguments before they are converted for C, whose numbers have few bits and whose strings end at a NUL.

None is the preset everywhere, and every number is a number: C has 0 for its presets, so 0 is refused here where C would replace it.
"""

import math
import numbers
import operator
import os

import numpy as np

from . import errors

TOLERANCE = {"least": 1e-14, "most": 0.1}
POSITIVE = {"above": 0}
BUDGET = {"least": 1}
MOST_THREADS = 1024
MOST_COUNT = 2**48  # of states or events in memory; it fits into int64_t with room for a product


def _refuse(name, value, fault, allowed):
    raise errors.InvalidError(f"{name} = {value!r} is {fault}; allowed: {allowed}")


def _range(least, above, most):
    lowest = f"above {above:g}" if above is not None else "" if least == -math.inf else f"{least:g} or more"
    if most == math.inf:
        return f"a finite number {lowest}".rstrip()
    return f"above {above:g}, up to {most:g}" if above is not None else f"{least:g} to {most:g}"


def real(name, value, preset=0.0, *, least=-math.inf, above=None, most=math.inf):
    """A finite float in a range; None gives the preset."""
    if value is None:
        return preset
    number = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.size == 1 else value
    if not isinstance(number, numbers.Real) or isinstance(number, bool):
        _refuse(name, value, "not a real number", _range(least, above, most))
    number = float(number)
    if not (math.isfinite(number) and least <= number <= most and (above is None or number > above)):
        _refuse(name, value, "out of range", _range(least, above, most))
    return number


def span(value):
    """The two ends of a t_span."""
    try:
        start, end = value
    except (TypeError, ValueError):
        raise errors.InvalidError(f"t_span = {value!r}; allowed: two numbers") from None
    start, end = real("t_span[0]", start), real("t_span[1]", end)
    if not end > start:
        raise errors.InvalidError(f"t_span: from {start:g} to {end:g}; allowed: forwards in time")
    return start, end


def whole(name, value, preset=0, *, least=0, most=MOST_COUNT):
    """An int in a range; None gives the preset."""
    if value is None:
        return preset
    allowed = f"{least} to {most}" if most != MOST_COUNT else f"{least} or more"
    try:
        number = operator.index(None if isinstance(value, (bool, np.bool_)) else value)
    except TypeError:
        _refuse(name, value, "not an integer", allowed)
    if not least <= number <= most:
        _refuse(name, value, "out of range", allowed)
    return number


def lanes(value):
    """Lanes for C, where 0 stands for the widest."""
    if value is None:
        return 0
    if isinstance(value, (bool, np.bool_)) or value not in (1, 4, 8):
        _refuse("lanes", value, "out of range", "1, 4, 8, and None for the widest")
    return int(value)


def threads(value):
    return whole("threads", value, 1, least=1, most=MOST_THREADS)


def string(name, value):
    if not isinstance(value, str):
        raise errors.InvalidError(f"{name}: is of type {type(value).__name__}; allowed: a text")
    if "\0" in value:
        raise errors.InvalidError(f"{name}: {value[:60]!r} has a NUL character; allowed: a text without it")
    return value


def word(name, value):
    """A text for C, in UTF-8; None stays None, which is NULL."""
    if value is None:
        return None
    try:
        return string(name, value).encode()
    except UnicodeEncodeError:
        raise errors.InvalidError(f"{name}: {value[:60]!r} has characters that are not Unicode") from None


def words(name, value):
    """Names as one text for C: that of a list, with commas, or the text as it is."""
    return word(name, value if value is None or isinstance(value, str) else ",".join(string(name, one) for one in value))


def path(name, value):
    """A path as a str."""
    return string(name, os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else value)


def path_word(name, value):
    """A path as a word of a command line, which is not an option whatever it begins with."""
    found = path(name, value)
    return os.path.join(os.curdir, found) if found.startswith("-") else found


def pairs(name, values):
    """{NAME: number or word} as "NAME=VALUE,..", the form of options of the program."""
    found = []
    for key, value in values.items():
        if set(string(name, key)) & set("=,"):
            raise errors.InvalidError(f"{name}: {key!r} is not a name")
        found.append(f"{key}={string(name, value) if isinstance(value, str) else repr(real(f'{name}: {key}', value))}")
    return ",".join(found)


def array(name, values):
    """An array of float64, without a copy where it is one; numbers that are complex, masked or words are refused."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise errors.InvalidError(f"{name}: has masked values; allowed: a number everywhere")
    found = np.asarray(values)
    if found.dtype.kind not in "biuf":
        try:
            if found.dtype.kind != "O" or any(isinstance(one, (str, bytes)) for one in found.flat):
                raise TypeError
            return found.astype(np.float64)
        except (TypeError, ValueError):
            raise errors.InvalidError(f"{name}: has values of type {found.dtype}; allowed: real numbers") from None
    return found.astype(np.float64, copy=False)
