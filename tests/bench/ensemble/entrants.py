"""The codes, their rows and their tolerances."""
import collections
import subprocess
import sys

from .figures import ALONE, OURS, WIDEST

BOTH, SWITCH = ("switch", "event"), ("switch",)
ALL, MANY, FEW = "all", "many", "few"  # prefixes of the rows: the slower a code, the fewer it gets

# Extent of a measurement: rows in each list; tolerances, in the order of measurement, so that tolerances without time left are those
# between others; strategies; our methods (none: all); seconds after which a run sits out further rounds.
Extent = collections.namedtuple("Extent", "rows tolerances strategies methods budget")
TABLE = Extent({MANY: 64, FEW: 16}, ("1e-3", "1e-5", "1e-7", "1e-2", "1e-9", "1e-1", "1e-6", "1e-4", "1e-8"), SWITCH,
               ("rosnys4", "ode23", "ode45", "tsit5", "dop853", "ode113", "ode15s"), 4.0)
WHOLE = Extent({ALL: 1300, MANY: 260, FEW: 26}, TABLE.tolerances, BOTH, (), 4.0)

Peer = collections.namedtuple("Peer", "code method strategies list")
PEERS = (
    Peer("odeint", "dopri5", BOTH, MANY),
    Peer("odeint", "ck54", SWITCH, MANY),
    Peer("odeint", "fehlberg78", SWITCH, MANY),
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

# Methods of low order, and codes that take minutes there, go no further than this
FINEST = {(OURS, "ode23s"): 1e-7, (OURS, "ode23t"): 1e-7, (OURS, "ode23tb"): 1e-7, ("petsc", "bdf"): 1e-7}

# One program at one setting; `list` is ALL, MANY or FEW.
Run = collections.namedtuple("Run", "code method width strategy tolerance list")


def program(code, build, here):
    """The command of a code."""
    return [sys.executable, here / "flight_scipy.py"] if code == "scipy" else [build / f"bench_flight_{code}"]


def present(code, build, here):
    if code != "scipy":
        return program(code, build, here)[0].exists()
    return subprocess.run([sys.executable, "-c", "import scipy.integrate"], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def ours(build):
    """{method: widest lanes it runs in}, every method the kernels have."""
    done = subprocess.run([build / "bench_flight_saltus", "list"], capture_output=True, text=True, check=True)
    return {name: int(width) for name, width in (line.split() for line in done.stdout.splitlines())}


def of_one_setting(methods, codes, strategy, tolerance, extent):
    """All runs at one strategy and tolerance, to be done one right after the other."""
    for method, width in methods.items():
        ours = [(WIDEST, on) for on in extent.rows if width > 1] + [(1, MANY), (ALONE, MANY), (ALONE, FEW)]
        for lanes, on in ours:
            yield Run(OURS, method, lanes, strategy, tolerance, on)
    for peer in PEERS:
        if peer.code in codes and strategy in peer.strategies:
            yield Run(peer.code, peer.method, 1, strategy, tolerance, peer.list)


def runs(methods, codes, extent):
    """Every run of a round, in its order."""
    methods = {name: width for name, width in methods.items() if not extent.methods or name in extent.methods}
    return [run for tolerance in extent.tolerances for strategy in extent.strategies
            for run in of_one_setting(methods, codes, strategy, tolerance, extent)
            if float(tolerance) >= FINEST.get((run.code, run.method), 0)]
