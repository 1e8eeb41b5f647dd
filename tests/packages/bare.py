"""A bare Debian system in an empty folder, to install and build in as on a machine that has never seen saltus; it takes root.

Packages come from where apt of this machine takes them.  The mounts of a command are visible to it alone (a mount namespace), so
that nothing is left mounted, whatever ends it, and the folder can be removed.  It is made in TMPDIR: on /dev/shm in half the time.
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HOME = "/srv/somebody"  # of the user

# The folders that a system needs, seen by the command alone; /dev/shm is of its own, since MPI fills it.
ENTER = """\
root=$1; user=$2; shift 2
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
exec chroot --userspec="$user" "$root" /bin/sh -euc "$@"
"""


def archives():
    """[(origin's label, address, release)] of Debian in the settings of apt of this machine."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(CODENAME)", "Created-By: Packages"],
                          check=True, capture_output=True, text=True).stdout
    rows = [line.split("|") for line in dict.fromkeys(told.splitlines())]
    return [(label, address, release) for origin, label, address, release in rows if origin == "Debian"]


def release():
    """The code name of this machine's Debian."""
    for line in pathlib.Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip('"')
    return "?"


def need():
    """Ends with what is lacking where no system can be made here."""
    lacks = [] if os.geteuid() == 0 else ["root (chroot, mount)"]
    lacks += [f"{tool} (jobscripts/setup.sh --systems)" for tool in ("debootstrap", "unshare", "chroot") if not shutil.which(tool)]
    if shutil.which("apt-get") and not lacks:
        if not any(name == release() for _, _, name in archives()):
            lacks.append(f"an archive of Debian's {release()} in the settings of apt, with its lists (apt-get update)")
    elif not shutil.which("apt-get"):
        lacks.append("a Debian system, whose apt has the sources of packages")
    if lacks:
        sys.exit("A bare Debian system cannot be made here; it takes " + "; ".join(lacks))


def timed(call):
    """The result of call(), and the minutes that it takes, in words: by the clock, and of all processors together."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    result = call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, f"{(time.monotonic() - began) / 60:.1f} minutes, {cpu / 60:.1f} of CPU time"


def copy_sources(source, target):
    """Copies the files of a checkout that git tracks, or would add, into a new folder."""
    target.mkdir(parents=True)
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True)
    packed = subprocess.run(["tar", "-C", source, "--null", "--files-from=-", "-cf", "-"], input=listed.stdout, check=True, capture_output=True)
    subprocess.run(["tar", "-C", target, "-xf", "-", "--no-same-owner"], input=packed.stdout, check=True)


class System:
    """A system with packages, and with a user `somebody` who has no rights; `with System(..) as system` removes it in the end."""

    def __init__(self, *packages):
        need()
        self.holder = tempfile.TemporaryDirectory(prefix="saltus-bare-")
        self.root = pathlib.Path(self.holder.name) / "root"
        mirror = next(address for _, address, name in archives() if name == release())
        self.told = self.root.with_name("debootstrap.log")
        with open(self.told, "w") as log:
            done = subprocess.run(["debootstrap", "--variant=minbase", release(), self.root, mirror], stdout=log, stderr=subprocess.STDOUT)
        if done.returncode:
            raise RuntimeError(f"debootstrap ended with {done.returncode}:\n" + self.told.read_text()[-2000:])
        self.write("etc/apt/sources.list", "".join(f"deb {address} {name} main\n" for _, address, name in archives()))
        self.write("etc/dpkg/dpkg.cfg.d/test", "force-unsafe-io\n")  # it lives for one test
        self.write("etc/apt/apt.conf.d/99test", 'APT::Install-Recommends "false";\nDpkg::Use-Pty "0";\n')
        if os.path.exists("/etc/resolv.conf"):
            shutil.copy("/etc/resolv.conf", self.root / "etc")
        self.run("useradd --home-dir /srv/somebody --create-home somebody && apt-get -qq update")
        self.install(*packages)

    @classmethod
    def of(cls, root, holder):
        """A system that is there already."""
        system = object.__new__(cls)
        system.root, system.holder = pathlib.Path(root), holder
        return system

    def copy(self):
        """Another one that is the same."""
        holder = tempfile.TemporaryDirectory(prefix="saltus-bare-")
        subprocess.run(["cp", "-a", self.root, holder.name], check=True)
        return System.of(pathlib.Path(holder.name) / "root", holder)

    def files(self):
        """All files and links of its packages, as paths from the root."""
        return {os.path.relpath(os.path.join(folder, name), self.root) for folder, inner, names in os.walk(self.root / "usr")
                for name in (*names, *(one for one in inner if os.path.islink(os.path.join(folder, one))))}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def write(self, path, text, mode=0o644):
        """A file of the system."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def install(self, *packages):
        """Packages by their names, or files in the system, with all that they depend on."""
        if packages:
            self.run("DEBIAN_FRONTEND=noninteractive apt-get install -qq -y " + " ".join(packages))

    def run(self, script, *args, user="root", code=0, **environment):
        """Runs a script of the shell in the system, with $1, .. and in the user's own folder; returns what it prints on both streams."""
        home = "/root" if user == "root" else HOME
        settings = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LANG": "C.UTF-8", "TMPDIR": "/tmp",
                    "OPENBLAS_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **environment}
        done = subprocess.run(["unshare", "--mount", "--propagation", "private", "/bin/sh", "-euc", ENTER, "sh", self.root, self.ids(user),
                               f'cd "$HOME"\n{script}', "sh", *map(str, args)],
                              env=settings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if code is not None and done.returncode != code:
            raise AssertionError(f"{script.strip()}\nended with {done.returncode}, not {code}:\n" + done.stdout[-6000:])
        return done.stdout

    def ids(self, user):
        """uid:gid, since names of this machine are others."""
        for line in (self.root / "etc" / "passwd").read_text().splitlines():
            name, _, uid, gid = line.split(":")[:4]
            if name == user:
                return f"{uid}:{gid}"
        raise KeyError(user)

    def copy_sources(self, source, path, user="somebody"):
        """Copies the files of a checkout that git tracks, or would add, into a folder of the system that belongs to the user."""
        target = self.root / path.lstrip("/")
        copy_sources(source, target)
        uid, gid = map(int, self.ids(user).split(":"))
        for folder, _, names in os.walk(target):
            for item in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(item, uid, gid, follow_symlinks=False)
