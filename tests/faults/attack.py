#!/usr/bin/python3
"""attack.py [--seed N] [--only NAME,..] --cubes N --journals N --kills N --disks N SALTUS REPORT MPIEXEC NUMPROC_FLAG

Damages cubes and journals, fills disks, kills ranks while a cube is published, and counts how the commands ended:
attack | trials | refused | unharmed | wrong with exit 0 | crash | hang.  Exit status 1 where one of the last three is
not 0.  The inputs of a seed are always the same.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import ground

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))
from kill import alive, children  # noqa: E402

PATIENCE = ground.PATIENCE
MEMORY = 4 << 30  # [B] of address space
BLOCK = 512
AT = ("--at", "b=1951,k=22.8", "--error", "1e-4")
LOOK = {"info": ("info", "x.h5"), "check": ("info", "--check", "x.h5"), "recommend": ("recommend", "x.h5", *AT),
        "refine": ("refine", "x.h5", "--cells", "4", "--dry-run"), "diff": ("diff", "good.h5", "x.h5")}
# Commands that write a file: their product, which must be that of the good cube.
MAKE = {"map": (("map", "x.h5"), "x.h5"), "store": (("store", "-q", "-f", "x.h5", "--cells", "1", "--every", "0.5"), "x.h5"),
        "refine": (("refine", "x.h5", "--cells", "4", "-q", "-f", "-o", "r.h5"), "r.h5"),
        "regret": (("regret", "x.h5", "--points", "2", "--replicates", "1", "-q", "-f", "-o", "p.h5"), "p.h5")}
VERDICTS = ("refused", "unharmed", "wrong with exit 0", "crash", "hang")
REFUSED, UNHARMED, WRONG, CRASH, HANG = VERDICTS


class Tally:
    """Counts verdicts; rows are printed when the attack they are of ends, whatever ends it."""

    def __init__(self):
        self.rows, self.bad = {}, 0
        print("attack | trials |", " | ".join(VERDICTS), flush=True)

    def count(self, attack, verdict, about=""):
        row = self.rows.setdefault(attack, dict.fromkeys(VERDICTS, 0))
        row[verdict] += 1
        if verdict in (WRONG, CRASH, HANG):
            self.bad += 1
            print(f"{attack}: {verdict}: {about}", file=sys.stderr, flush=True)

    def print(self):
        for attack, row in self.rows.items():
            print(attack, "|", sum(row.values()), "|", " | ".join(str(row[v]) for v in VERDICTS), flush=True)
        self.rows = {}


class Ground(ground.Folder):
    """A folder with a good cube."""

    def __init__(self, o, folder):
        super().__init__(folder, SALTUS=o.saltus)
        self.o = o
        (self.folder / "s.yaml").write_text(ground.small_sweep(4, 4))
        self.does("run", "s.yaml", "-q", "-o", "good.h5")

    def limited(self, *command):
        """Runs it with limited memory, in case a damaged length requests all of it."""
        return self.call("prlimit", f"--as={MEMORY}", "--core=0", *command)

    def saltus(self, *args):
        return self.limited(self.o.saltus, *args)

    def does(self, *args):
        return self.works(self.o.saltus, *args)

    def same(self, a, b):
        return self.saltus("diff", a, b)[0] == 0

    def clean(self, *keep):
        for path in self.folder.iterdir():
            if path.name not in keep:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def ended(code, err):
    """The verdict where the end alone decides, else None: it ended with 0."""
    if code is None:
        return HANG
    if code < 0 or code >= 128 or "Sanitizer" in err or "runtime error" in err or "Traceback" in err:
        return CRASH
    if code == 0:
        return None
    return REFUSED


def damage(data, chance):
    """One way or another; what was done, and the damaged bytes."""
    data, at = bytearray(data), chance.randrange(len(data))
    kind = chance.choice(("bit", "byte", "zeros", "ones", "noise", "swapped", "cut", "block"))
    block = at - at % BLOCK
    if kind == "bit":
        data[at] ^= 1 << chance.randrange(8)
    elif kind == "byte":
        data[at] = chance.randrange(256)
    elif kind == "zeros":
        data[block:block + 8 * BLOCK] = bytes(len(data[block:block + 8 * BLOCK]))
    elif kind == "ones":
        data[at:at + 64] = b"\xff" * len(data[at:at + 64])
    elif kind == "noise":
        data[block:block + BLOCK] = chance.randbytes(len(data[block:block + BLOCK]))
    elif kind == "swapped":
        other = chance.randrange(len(data) // BLOCK) * BLOCK
        block = chance.randrange(len(data) // BLOCK) * BLOCK
        data[block:block + BLOCK], data[other:other + BLOCK] = data[other:other + BLOCK], data[block:block + BLOCK]
    elif kind == "cut":
        del data[at:]
    else:
        data[block:block + BLOCK] = bytes(255 - byte for byte in data[block:block + BLOCK])
    return f"{kind} at {at}", bytes(data)


def spot(data, chance):
    """Most of a cube is values; every second damage goes to one of the structures of HDF5, or to a text."""
    marks = [i for word in (b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"BTHD", b"BTLF", b"TREE", b"SNOD", b"GCOL", b"units", b"seal")
             for i in range(0, len(data)) if data.startswith(word, i)] if not spot.marks.get(len(data)) else spot.marks[len(data)]
    spot.marks[len(data)] = marks
    if not marks or chance.random() < 0.5:
        return damage(data, chance)
    at, bent = chance.choice(marks) + chance.randrange(200), bytearray(data)
    if at < len(bent):
        bent[at] ^= 1 << chance.randrange(8)
    return f"structure at {at}", bytes(bent)


spot.marks = {}


def attack_cubes(g, trials, tally, chance):
    base, makers = (g.folder / "good.h5").read_bytes(), [*MAKE, "report"]
    (g.folder / "x.h5").write_bytes(base)
    good = {name: g.does(*args) for name, args in LOOK.items()}
    for name, (args, product) in MAKE.items():
        (g.folder / "x.h5").write_bytes(base)
        g.does(*args)
        shutil.move(g.folder / product, g.folder / f"good-{name}.h5")
    (g.folder / "x.h5").write_bytes(base)
    code, _, err = g.limited(g.o.report, "x.h5", "-o", "page.html")
    assert code == 0, err
    page = (g.folder / "page.html").read_bytes()
    keep = ("s.yaml", "good.h5", *(f"good-{name}.h5" for name in MAKE))
    for i in range(trials):
        about, bent = spot(base, chance)
        checked = None
        for name in (*LOOK, makers[i % len(makers)]):
            g.clean(*keep)
            (g.folder / "x.h5").write_bytes(bent)
            args = LOOK[name] if name in LOOK else MAKE[name][0] if name in MAKE else ()
            code, out, err = g.limited(g.o.report, "x.h5", "-o", "page.html") if name == "report" else g.saltus(*args)
            verdict = ended(code, err)
            if verdict is None:
                if name in LOOK:
                    right = out == good[name]
                elif name == "report":
                    right = (g.folder / "page.html").read_bytes() == page
                else:  # damage that a command does not meet stays, and is found when somebody looks
                    right = g.same(f"good-{name}.h5", MAKE[name][1]) or (MAKE[name][1] == "x.h5" and checked == REFUSED
                                                                        and g.saltus("info", "--check", "x.h5")[0] != 0)
                verdict = UNHARMED if right else WRONG
            elif verdict == REFUSED and not (err.strip() or out.strip()):
                verdict = WRONG
            checked = verdict if name == "check" else checked
            tally.count(f"damaged cube, {name}", verdict, f"trial {i}, {about}: status {code}: {err.strip()[-200:]}")


def attack_journals(g, trials, tally, chance):
    """Journals of two parts; merge refuses, or makes the same cube, and running the parts again mends what it can."""
    for part in ("1/2", "2/2"):
        g.does("run", "s.yaml", "-q", "-o", "x.h5", "--part", part)
    saved = {p.relative_to(g.folder): p.read_bytes() for p in g.folder.glob("x.h5.journal*/**/*") if p.is_file()}
    for i in range(trials):
        g.clean("s.yaml", "good.h5")
        for path, data in saved.items():
            (g.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (g.folder / path).write_bytes(data)
        path = chance.choice(sorted(saved))
        about, bent = damage(saved[path], chance)
        (g.folder / path).write_bytes(bent)
        code, _, err = g.saltus("info", str(path).split("/", maxsplit=1)[0])
        tally.count("damaged journal, info", ended(code, err) or UNHARMED, f"trial {i}, {about}")
        code, _, err = g.saltus("merge", "-q", "x.h5")
        verdict = ended(code, err) or (UNHARMED if g.same("good.h5", "x.h5") else WRONG)
        tally.count("damaged journal, merge", verdict, f"trial {i}, {about}: {err.strip()[-200:]}")
        if verdict != REFUSED:
            continue
        for part in ("1/2", "2/2"):
            g.saltus("run", "s.yaml", "-q", "-o", "x.h5", "--part", part)
        code, _, err = g.saltus("merge", "-q", "-f", "x.h5")
        mended = code == 0 and g.same("good.h5", "x.h5")
        tally.count("damaged journal, run again and merge", UNHARMED if mended else WRONG,
                    f"trial {i}, {about}: {code}: {err.strip()[-200:]}")


PUBLISH = {"map": ("good.h5", ("map", "x.h5")), "merge": (None, ("merge", "-q", "x.h5")), "run": (None, ("run", "s.yaml", "-q", "-o", "x.h5")),
           "store": ("good.h5", ("store", "-q", "-f", "x.h5", "--cells", "1", "--every", "0.5"))}


def attack_publish(g, trials, tally, chance):
    """SIGKILL to all ranks when x.h5.part is there, or x.h5 grows: the old cube, or none, or the new one; then the command
    goes on."""
    def publishes(size):
        return (g.folder / "x.h5.part").exists() or (size and (g.folder / "x.h5").stat().st_size != size)

    made = {}
    for i in range(trials):
        name = sorted(PUBLISH)[i % len(PUBLISH)]
        before, args = PUBLISH[name]
        if name not in made:
            prepare(g, name, before)
            g.does(*args)
            made[name] = (g.folder / "x.h5").read_bytes()
        prepare(g, name, before)
        ranks = chance.choice((1, 2, 3)) if name != "store" else 1
        size = (g.folder / "x.h5").stat().st_size if before else 0
        run = subprocess.Popen([g.o.mpiexec, g.o.numproc, str(ranks), g.o.saltus, *args], cwd=g.folder, env=g.env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while not publishes(size) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(0.02 * chance.random()**2)
        pids = children(run.pid)
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        run.wait()
        while any(alive(pid) for pid in pids) and time.monotonic() < end:
            time.sleep(0.005)
        hit = run.returncode != 0
        (g.folder / "made.h5").write_bytes(made[name])
        there = (g.folder / "x.h5").exists()
        verdict, err = UNHARMED, "it is another cube" if there else "no cube"
        if there and not (g.same("made.h5", "x.h5") or (before and g.same(before, "x.h5"))):
            verdict = WRONG
        elif there and g.saltus("info", "--check", "x.h5")[0] != 0:
            verdict = WRONG
        elif name in ("map", "store") or not there:
            code, _, err = g.saltus(*args)
            verdict = ended(code, err) or (UNHARMED if g.same("made.h5", "x.h5") else WRONG)
            verdict = WRONG if verdict == REFUSED else verdict
        tally.count(f"killed while it publishes, {name}" if hit else "ended before the kill", verdict,
                    f"trial {i}, {ranks} ranks, {there}: {err.strip()[-300:]}")


def prepare(g, name, before):
    g.clean("s.yaml", "good.h5")
    if before:
        shutil.copy(g.folder / before, g.folder / "x.h5")
    if name == "merge":
        for part in ("1/2", "2/2"):
            g.does("run", "s.yaml", "-q", "-o", "x.h5", "--part", part)


def attack_limits(g, trials, tally, chance):
    """Files that may not grow, few descriptors, little memory: refused with a sentence, or the same cube; no half one."""
    kinds = {"fsize": lambda: chance.randrange(1 << 10, 300 << 10), "nofile": lambda: chance.randrange(4, 40),
             "as": lambda: chance.randrange(60 << 20, 700 << 20)}
    for i in range(trials):
        kind = sorted(kinds)[i % len(kinds)]
        limit = kinds[kind]()
        g.clean("s.yaml", "good.h5")
        code, _, err = g.limited("prlimit", f"--{kind}={limit}", g.o.saltus, "run", "s.yaml", "-q", "-o", "x.h5")
        there = (g.folder / "x.h5").exists()
        verdict = ended(code, err) or (UNHARMED if there and g.same("good.h5", "x.h5") else WRONG)
        if verdict == REFUSED and there:
            verdict = WRONG
        if verdict != HANG:  # what is left does not keep the next run from its end
            (g.folder / "x.h5").unlink(missing_ok=True)
            again = g.saltus("run", "s.yaml", "-q", "-o", "x.h5")
            verdict = verdict if again[0] == 0 and g.same("good.h5", "x.h5") else WRONG
        tally.count(f"limit of {kind}", verdict, f"trial {i}, {limit}: status {code}: {err.strip()[-200:]}")


def attack_disks(g, trials, tally, chance):
    """A disk of random size in memory; where it got full it is enlarged, and the same command goes on.  Needs root."""
    disk = g.folder / "disk"
    size = (g.folder / "good.h5").stat().st_size // 1024
    for i in range(trials):
        disk.mkdir(exist_ok=True)
        kb, ranks = chance.choice((16, 64, int(size * chance.uniform(0.3, 2.6)))), chance.choice((1, 2))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kb}k", "tmpfs", disk], check=True)
        try:
            args = (g.o.mpiexec, g.o.numproc, str(ranks), g.o.saltus, "run", "s.yaml", "-q", "-o", "disk/x.h5", "--sync", "0")
            code, _, err = g.limited(*args)
            verdict = ended(code, err) or UNHARMED
            if verdict == REFUSED and (code != 4 or (disk / "x.h5").exists()):
                verdict = WRONG
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            if verdict == REFUSED and g.limited(*args)[0] != 0:
                verdict = WRONG
            if verdict in (REFUSED, UNHARMED) and not g.same("good.h5", "disk/x.h5"):
                verdict = WRONG
        finally:
            subprocess.run(["umount", disk], check=True)
        tally.count("full disk", verdict, f"trial {i}, {kb} KiB: status {code}: {err.strip()[-200:]}")


ATTACKS = {"cubes": attack_cubes, "journals": attack_journals, "kills": attack_publish, "limits": attack_limits, "disks": attack_disks}


def main():
    parser = argparse.ArgumentParser()
    for name in ("saltus", "report", "mpiexec", "numproc"):
        parser.add_argument(name)
    parser.add_argument("--seed", type=int, default=1)
    for name in ATTACKS:
        parser.add_argument(f"--{name}", type=int, default=0)
    o = parser.parse_args()
    o.saltus, o.report = os.path.abspath(o.saltus), os.path.abspath(o.report)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    tally = Tally()
    for name, attack in ATTACKS.items():
        trials = getattr(o, name)
        if trials:
            with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
                try:
                    attack(Ground(o, folder), trials, tally, random.Random(f"{o.seed} {name}"))
                finally:
                    tally.print()
    return 1 if tally.bad else 0


if __name__ == "__main__":
    sys.exit(main())
