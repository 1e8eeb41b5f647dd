"""Formulas of plain text, as they stand in comments of the sources, as TeX."""

import re

GREEK = ("alpha", "beta", "gamma", "delta", "zeta", "theta", "kappa", "lambda", "mu", "phi", "psi", "omega", "pi")
FUNCTIONS = {"sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "sec": r"\sec", "exp": r"\exp", "sum": r"\sum", "sign": r"\operatorname{sign}"}
SIGNS = {"->": r"\to", "<=": r"\le", ">=": r"\ge", "*": r"\,"}
WORDS = ("in", "is", "it", "as", "at", "of", "or", "and", "for", "by", "to", "on")  # and each word of three letters that is not a name
SPELLED = {"lam": r"\lambda", "th": r"\theta", "dw": "dw"}
TOKEN = re.compile(r"\s*(?:sqrt\s*(?P<root>\|[^|]*\||\([^()]*\)|\w+)|\^(?P<power>\([^()]*\)|-?\w+(?:\.\d+)?)|"
                   r"(?P<name>[A-Za-z]+\d*(?:_(?:n[+]1(?:-i)?|\w))?)(?P<primes>'*)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<sign>->|<=|>=|\S))")


def is_word(name):
    letters = name.rstrip("0123456789")
    return letters in WORDS or (len(letters) > 2 and "_" not in name and letters == name and name not in (*GREEK, *FUNCTIONS, *SPELLED))


def symbol(name):
    """A name with what follows its first letter as an index: y1, mU, xs_i, gamma_k."""
    base, _, index = name.partition("_")
    head, rest = next(((sign, base[len(word):]) for word, sign in [*SPELLED.items(), *((word, "\\" + word) for word in GREEK)]
                       if re.fullmatch(word + "[A-Z]?\\d*", base)), (base[0], base[1:]))
    below = ",".join(filter(None, (rest, index)))
    return head + (f"_{{{below}}}" if below else "")


def tex(line):
    """One cell of a formula."""
    parts = []
    for token in TOKEN.finditer(line):
        base, _, index = (token["name"] or "").partition("_")
        if inside := token["root"] or token["power"]:
            parts.append(("\\sqrt" if token["root"] else "^") + "{" + tex(inside.strip("()")) + "}")
        elif base in FUNCTIONS:
            parts.append(FUNCTIONS[base] + (f"_{{{index}}}" if index else ""))
        elif base and is_word(token["name"]):
            parts.append(rf"\text{{ {base} }}")
        elif base:
            parts.append(symbol(token["name"]) + token["primes"])
        else:
            parts.append(token["number"] or SIGNS.get(token["sign"], token["sign"]))
    return " ".join(parts).replace(r" } \text{ ", " ")


def cells(line):
    return re.split(r"\s{2,}", line.strip())


def is_formula(lines):
    """Is a block mathematics, rather than text that is set in?  It is where one of its cells is."""
    for cell in (cell for line in lines for cell in cells(line)):
        names = re.findall(r"[A-Za-z]\w*", cell)
        if re.search(r"\w.*[=<>]", cell) and sum(is_word(name) for name in names) < 0.4 * len(names):
            return True
    return False


def block(lines):
    """A block as an array, whose columns two spaces set apart."""
    rows = [[tex(cell) for cell in cells(line)] for line in lines if line.strip()]
    width = max(map(len, rows))
    body = " \\\\\n".join(" & ".join(row) for row in rows)
    return rf"\begin{{array}}{{{'l' * width}}}" + "\n" + body + "\n" + r"\end{array}"
