"""Who runs, on how many rows, at which tolerances."""
import collections
import subprocess
import sys

BOTH, SWITCH = ("switch", "event"), ("switch",)
ALL, MANY, FEW = "all", "many", "few"  # prefixes of the rows: the slower a code, the fewer it gets

# The whole comparison and the quick one: rows in each list, tolerances, rounds, seconds after which a program sits out
# further rounds, minutes after which no round begins.
Extent = collections.namedtuple("Extent", "rows tolerances rounds budget minutes")
WHOLE = Extent({ALL: 1300, MANY: 260, FEW: 26}, ("1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"), 5, 2.0, 14)
QUICK = Extent({ALL: 1300, MANY: 130, FEW: 13}, ("1e-3", "1e-4", "1e-6", "1e-9"), 3, 0.5, 2.5)

Peer = collections.namedtuple("Peer", "code method strategies list")
PEERS = (
    Peer("odeint", "dopri5", BOTH, ALL),
    Peer("odeint", "ck54", SWITCH, ALL),
    Peer("arkode", "dp5", BOTH, MANY),
    Peer("arkode", "bs3", BOTH, MANY),
    Peer("cvode", "bdf", BOTH, MANY),
    Peer("cvode", "adams", BOTH, MANY),
    Peer("petsc", "rk-5dp", BOTH, MANY),
    Peer("petsc", "rosw-ra34pw2", BOTH, FEW),
    Peer("petsc", "bdf", BOTH, FEW),
    Peer("scipy", "RK45", BOTH, FEW),
    Peer("scipy", "LSODA", BOTH, FEW),
)
PACKAGES = {"odeint": "libboost-dev and g++", "arkode": "libsundials-dev", "cvode": "libsundials-dev",
            "petsc": "libpetsc-real-dev", "scipy": "python3-scipy"}

OURS, WIDEST = "saltus", 0
# Ours at width 1 on the rows of `odeint` too, since the two are compared there
ALONE_ON_ALL = ("ode45",)

# Methods of low order, and codes that take minutes there, go no further than this
FINEST = {(OURS, "ode23s"): 1e-7, (OURS, "ode23t"): 1e-7, (OURS, "ode23tb"): 1e-7, ("petsc", "bdf"): 1e-7}

# One program at one setting; `list` is ALL, MANY or FEW.
Run = collections.namedtuple("Run", "code method width strategy tolerance list")


def program(code, build, here):
    """The command of a code."""
    return [sys.executable, here / "hop_scipy.py"] if code == "scipy" else [build / f"bench_hop_{code}"]


def present(code, build, here):
    if code != "scipy":
        return program(code, build, here)[0].exists()
    return subprocess.run([sys.executable, "-c", "import scipy.integrate"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def ours(build):
    """{method: widest lanes it runs in}, every method the kernels have."""
    done = subprocess.run([build / "bench_hop_saltus", "list"], capture_output=True, text=True, check=True)
    return {name: int(width) for name, width in (line.split() for line in done.stdout.splitlines())}


def of_one_setting(methods, codes, strategy, tolerance):
    """All runs at one strategy and tolerance, to be done one right after the other."""
    for method, width in methods.items():
        lists = ((WIDEST, (ALL, MANY, FEW)),) if width > 1 else ()
        for lanes, where in (*lists, (1, (ALL, MANY) if method in ALONE_ON_ALL else (MANY,))):
            for name in where:
                yield Run(OURS, method, lanes, strategy, tolerance, name)
    for peer in PEERS:
        if peer.code in codes and strategy in peer.strategies:
            yield Run(peer.code, peer.method, 1, strategy, tolerance, peer.list)


def runs(methods, codes, extent):
    """Every run of a round, in its order."""
    return [run for tolerance in extent.tolerances for strategy in BOTH
            for run in of_one_setting(methods, codes, strategy, tolerance)
            if float(tolerance) >= FINEST.get((run.code, run.method), 0)]
