"""Reads the Julia of exports as Python and runs it: where no Julia is, its statements are checked by a reader of the words they are made
of, and by stand-ins for its arrays and for the callbacks of DifferentialEquations.jl, whose solver is SciPy's."""
import ast
import math
import re
import types

import numpy as np
import scipy.integrate


class Array:
    """An array of Julia: elements begin with 1, ends of ranges are included, * is that of matrices, and % stands for .* here."""
    __array_ufunc__ = None

    def __init__(self, of):
        self.of = np.array([x.of if isinstance(x, Array) else x for x in of] if isinstance(of, list) else of)

    def at(self, key):
        def one(k, n):
            if isinstance(k, slice):
                return slice((k.start or 1) - 1, n if k.stop is None else int(k.stop), k.step)
            if isinstance(k, Array):
                return k.of if k.of.dtype == bool else k.of.astype(int) - 1
            return n - 1 if k == -1 else self.inside(int(k), n) - 1
        key = key if isinstance(key, tuple) else (key,)
        return tuple(one(k, n) for k, n in zip(key, self.of.shape))

    @staticmethod
    def inside(k, n):
        if not 1 <= k <= n:
            raise IndexError(f"{k} of {n}")
        return k

    def __getitem__(self, key):
        return wrap(self.of[self.at(key)])

    def __setitem__(self, key, value):
        self.of[self.at(key)] = plain(value)

    def __len__(self):
        return self.of.size

    def __iter__(self):
        return (wrap(x) for x in self.of)

    def __mul__(self, other):
        return wrap(self.of @ other.of if isinstance(other, Array) else self.of * other)

    def __contains__(self, x):
        return x in self.of.tolist()


class Tuple(tuple):
    """Results of a function, the first one being 1."""

    def __getitem__(self, k):
        return super().__getitem__(k - 1)


def plain(x):
    return x.of if isinstance(x, Array) else x


def wrap(x):
    return Array(x) if isinstance(x, np.ndarray) else x


def of_both(operation):
    def value(a, b):
        a, b = np.asarray(plain(a)), np.asarray(plain(b))
        a, b = (x[:, None] if (x.ndim, y.ndim) == (1, 2) else x for x, y in ((a, b), (b, a)))  # a vector is a column
        return wrap(operation(a, b))
    return value


for _name, _f in (("add", np.add), ("sub", np.subtract), ("mod", np.multiply), ("truediv", np.divide), ("pow", np.float_power), ("and", np.logical_and),
                  ("or", np.logical_or), ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal), ("eq", np.equal), ("ne", np.not_equal)):
    setattr(Array, f"__{_name}__", of_both(_f))
    setattr(Array, f"__r{_name}__", (lambda f: lambda a, b: of_both(f)(b, a))(_f))
Array.__rmul__ = Array.__rmod__
Array.__neg__ = lambda a: wrap(-a.of)
Array.__invert__ = lambda a: wrap(~a.of)


def each(f):
    """A function of numbers, of arrays too."""
    return lambda *x: wrap(np.vectorize(f)(*map(plain, x))) if any(isinstance(v, Array) and len(v) for v in x) else x[0] if isinstance(x[0], Array) else f(*x)


def real_of(f):
    def value(*x):
        try:
            v = f(*x)
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan
        return math.nan if isinstance(v, complex) else v
    return value


def fill(x, *n):
    return Array(np.full(n, None) if not isinstance(x, (int, float)) else np.full(n, x)) if not isinstance(x, Array) else List(x, *n)


class List(Array):
    """A vector of vectors."""

    def __init__(self, x, n):
        self.of = np.empty(n, object)
        for i in range(n):
            self.of[i] = x

    def __setitem__(self, key, value):
        self.of[key - 1] = value


def solve(problem, method, reltol, abstol, dtmax, dt, callback, save_everystep, maxiters):
    """As documented: a continuous callback whose value goes from above to below 0 in a step, at its end or at points in it, ends the step there."""
    f, x, (t, t_end), p = problem
    flow = f.f

    def slope(t, x):
        dx = Array(np.zeros(len(x)))
        flow(dx, Array(x), p, t)
        return dx.of
    s = scipy.integrate.DOP853(slope, t, x.of, t_end, rtol=reltol, atol=abstol.of, max_step=dtmax, first_step=min(dt, t_end - t))
    integrator = types.SimpleNamespace(stopped=False)
    while s.status == "running":
        x_old = s.y
        s.step()
        if s.status == "failed":
            break
        if callback is None:
            continue
        dense = s.dense_output()
        times = np.linspace(s.t_old, s.t, callback.interp_points)
        values = [callback.condition(Array(dense(t)), t, integrator) for t in times]
        below = [i for i in range(1, len(times)) if values[0] > 0 >= values[i]]
        if below:
            low, high = times[below[0] - 1], times[below[0]]
            while low < (middle := low + (high - low) / 2) < high:
                low, high = (middle, high) if callback.condition(Array(dense(middle)), middle, integrator) > 0 else (low, middle)
            integrator.tprev, integrator.uprev, integrator.t, integrator.u = s.t_old, Array(x_old), low, Array(dense(low))
            callback.affect_neg(integrator)
            if integrator.stopped:
                return types.SimpleNamespace(t=Array([low]), u=[None, Array(dense(low))])
    return types.SimpleNamespace(t=Array([s.t]), u=[None, Array(s.y)])


def stop(integrator):
    integrator.stopped = True


def fail(why, t):
    raise SystemExit(f"{why} at t = {t:.12g}")


def pick(condition, yes, no):
    return wrap(np.where(plain(condition), plain(yes), plain(no))[()])


def of_number(f):
    return lambda x: wrap(f(plain(x)))


def pinv(a, rtol):
    return wrap(np.linalg.pinv(a.of, rtol))


NAMES = {
    "Array": Array, "Tuple": Tuple, "Inf": math.inf, "NaN": math.nan, "abs": each(abs), "sign": each(lambda x: float(np.sign(x))), "max": each(max), "min": each(min),
    "ifelse": pick, "spacing": each(lambda x: float(np.spacing(abs(x))) if abs(x) >= 2.0**-1022 else 0.0), "fail": fail, "sqrt": math.sqrt, "eps": lambda: 2.0**-52,
    "zeros": lambda *n: Array(np.zeros(n)), "ones": lambda *n: Array(np.ones(n)), "fill": fill, "copy": lambda x: Array(x.of.copy()), "transpose": lambda x: wrap(x.of.T if x.of.ndim > 1 else x.of[None, :]),
    "vcat": lambda *x: wrap(np.concatenate([plain(v) for v in x])), "reshape": lambda x, *n: wrap(x.of.reshape(n, order="F")), "inv": lambda x: wrap(np.linalg.inv(x.of)), "pinv": pinv,
    "length": len, "lengths": lambda x: Array([len(v) for v in x.of]), "prod": lambda x: math.prod(x.of.tolist()), "div": lambda a, b: a // b, "Int": of_number(lambda x: np.asarray(x).astype(int)), "argmin": lambda x: int(np.argmin(x.of)) + 1,
    "any": lambda x: bool(np.any(x.of)), "isempty": lambda x: len(x) == 0, "findall": lambda x: wrap(np.flatnonzero(x.of) + 1), "minimum": lambda x: float(np.min(x.of)),
    "maximum": lambda x: float(np.max(x.of)), "sum": lambda x: float(np.sum(x.of)), "string": lambda *x: "".join(x), "push_": lambda a, x: a.append(x), "terminate_": stop,
    "solve": solve, "ODEProblem": lambda f, x, span, p: (f, x, span, p), "ODEFunction": lambda f, jac, tgrad: types.SimpleNamespace(f=f, jac=jac, tgrad=tgrad),
    "ContinuousCallback": lambda condition, _, neg, interp_points, save_positions: types.SimpleNamespace(condition=condition, affect_neg=neg, interp_points=interp_points),
    "getfield": lambda module, name: lambda: name, "Symbol": str, "Main": None, "floor": math.floor, "tuple_": lambda **of: types.SimpleNamespace(**of),
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "atan": lambda *x: math.atan2(*x) if len(x) > 1 else math.atan(*x), "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": real_of(math.exp),
    "real_of": lambda f, *x: real_of(f)(*x), "choose": lambda condition, yes, no: yes if condition else no, "put": lambda to, x: to.__setitem__(slice(None), x),
    "log": lambda v: math.log(v) if v > 0 else -math.inf if v == 0 else math.nan, "asin": math.asin, "acos": math.acos, "power": real_of(lambda a, b: a**b)}
WORDS = {"===": " is ", "!==": " is not ", "&&": " and ", "||": " or ", ".!": " ~", ".*": " % ", "./": " / ", ".+": " + ", ".-": " - ", ".^": "**", ".&": " & ", ".|": " | ",
         ".<=": " <= ", ".>=": " >= ", ".==": " == ", ".!=": " != ", ".<": " < ", ".>": " > ", "^": "**", "!=": "!=", "!": " not "}
WORD = re.compile("|".join(re.escape(word) for word in sorted(WORDS, key=len, reverse=True)))
ELSEWHERE = re.compile(r"(real_of|power|choose|spacing|fail)\(.* = |using |@printf|at = run!")  # what this file defines, or does itself


def expression(line):
    """A line of Julia without its block word, as Python."""
    text, line = line, re.sub(r"(\w)!(?!=)", r"\1_", line)
    line = WORD.sub(lambda m: WORDS[m[0]], line)
    line = re.sub(r"\b(abs|max|min|sign|spacing|ifelse|Int)\.\(", r"\1(", line)
    line = line.replace("length.(", "lengths(")
    line = re.sub(r"\bnothing\b", "None", re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", line)))
    line = re.sub(r"\[end\]", "[-1]", re.sub(r":end\b", ":", line)).replace("; ", ", ")
    line = re.sub(r"^(.*?(?:= |return ))?(.+) \? (.+) : (.+)$", r"\1\3 if \2 else \4", line) if " ? " in line else line
    line = arrays(line.replace("Int[]", "[]"), text)
    if line.startswith("return ") and "," in re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", line))):
        line = f"return Tuple(({line[7:]}))"
    return line


def arrays(line, text):
    """Literals of arrays by their name, which elements and ranges are not; named tuples."""
    out, ends = "", []
    for i, c in enumerate(line):
        if c == "[":
            literal = i == 0 or not (line[i - 1].isalnum() or line[i - 1] in "_])")
            ends.append("])" if literal else "]")
            out += "Array([" if literal else "["
        elif c == "]":
            if not ends:
                raise SyntaxError(text)
            out += ends.pop()
        else:
            out += c
    return out


def joined(text):
    """Statements, each on a line of its own, without comments."""
    line = ""
    for part in text.splitlines():
        part = re.sub(r"\s+#.*|^#.*", "", part)
        line = f"{line} {part.strip()}" if line else part
        if sum(line.count(c) for c in "([") > sum(line.count(c) for c in ")]"):
            continue
        if line.strip():
            yield line
        line = ""


def to_python(text):
    """The program as Python; a SyntaxError names what is not closed, or has no meaning here."""
    out, blocks = [], []
    for line in joined(text.partition("\nat = run!")[0]):  # what is printed is not run
        indent, line = "    " * len(blocks), line.strip()
        word = re.split(r"[ (]", line)[0]
        one = re.fullmatch(r"(\w+!?)\(([^()]*)\) = (.*)", line)
        if ELSEWHERE.match(line):
            continue
        if line == "end":
            if not blocks:
                raise SyntaxError("end without a beginning")
            blocks.pop()
            continue
        if word in ("else", "elseif"):
            out.append("    " * (len(blocks) - 1) + expression(line).replace("elseif", "elif") + ":")
        elif line.startswith("Base.@kwdef mutable struct"):
            blocks.append("struct")
            out += ["class Run:", "    def __init__(self):"]
        elif blocks and blocks[-1] == "struct":
            field = re.fullmatch(r"(\w+)::\S+ = (.*)", line)
            if not field:
                raise SyntaxError(line)
            name, value = field.groups()
            out.append(f"        self.{name} = {'list()' if name == 'seen' else expression('x = ' + value)[4:]}")
        elif word in ("function", "for", "if", "while"):
            blocks.append(word)
            if word == "for" and ":" in line:
                line = re.sub(r" in (\S+?):(-1:)?(\S+)$", lambda m: f" in range({m[1]}, {m[3]} {'- 1, -1' if m[2] else '+ 1'})", line)
            out.append(indent + expression(line).replace("function ", "def ") + ":")
            if re.match(r"function go_on!", line):
                inner = "from_, before, met"
            if re.match(r"function (stop!)", line):
                out.append(f"{indent}    nonlocal {inner}")
        elif one:
            value = re.sub(r"^\((\w+) \.= (.*)\)$", r"put(\1, \2)", one[3])
            out.append(f"{indent}def {expression(one[1] + '(' + one[2] + ')')}: return {expression('x = ' + value)[4:]}")
        else:
            line = re.sub(r"^(\w+) \.= (.*)", r"put(\1, \2)", line)
            line = re.sub(r"return \((\w+ = .*)\)$", r"return tuple_(\1)", line.removeprefix("const "))
            out.append(indent + expression(line))
    if blocks:
        raise SyntaxError(f"not closed: {blocks}")
    return re.sub(r"\bfrom\b", "from_", "\n".join(out)) + "\n"


def program(text):
    """The names that the program defines."""
    names = dict(NAMES)
    np.seterr(all="ignore")
    exec(compile(to_python(text), "julia", "exec"), names)  # pylint: disable=exec-used
    return names


def unknown(text):
    """Names that are neither defined in the program nor of Julia and its libraries, as far as they are here."""
    tree = ast.parse(to_python(text))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    defined = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))} | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return used - defined - set(NAMES) - {"range", "list"}


def run(text):
    """[(what, t)] of changes, and the state at the end by name, as the program would print them."""
    names = program(text)
    at = names["run_"](names["Run"]())
    x = names["states"](at)
    return ([((names["CLOSES"] if closed else names["OPENS"])[int(k)], t) for t, k, closed in at.seen],
            {str(name): x[i + 1] for i, name in enumerate(names["STATES"])})
