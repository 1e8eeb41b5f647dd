"""States of a folder that a loss of power may leave, made from a record of the calls of a command that change it.

strace records these calls, and what the command writes to a file *.status outside of the folder.  A state is made from a prefix of the record:
data: each page of 4 KiB of a file has one of its versions since the last fsync of the file, and the file one of its lengths;
names, by the MODEL:
  ext4   a prefix of all changes, at least up to the last fsync of any file (one journal for all)
  linux  any subset; fsync of a folder keeps the changes in it, fsync of a file the name that it was made by, and its folders
  posix  any subset; fsync of a folder keeps the changes in it, fsync of a file no name
"""
import os
import re
import subprocess

MODELS = ("ext4", "linux", "posix")
CALLS = ("openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,"
         "link,linkat,mkdir,mkdirat,rmdir,fsync,fdatasync,mmap,lseek,exit_group,copy_file_range,sendfile")
PAGE = 4096
HEX = r"(?:\\x[0-9a-f]{2})*"
AT = re.compile(rf"(?:\d+|AT_FDCWD)<({HEX})>")
STRING = re.compile(rf'"({HEX})"')


def plain(text):
    return bytes.fromhex(text.replace("\\x", ""))


def files_of(folder):
    """{name: bytes} and the set of folders below it, by relative names."""
    files, folders = {}, set()
    for base, below, names in os.walk(folder):
        folders |= {os.path.relpath(os.path.join(base, name), folder) for name in below}
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files, folders


def calls_of(log):
    """(process, name, arguments, result) of each call, in the order of their ends."""
    begun = {}
    with open(log, encoding="latin1") as lines:
        for line in lines:
            process, _, rest = line.rstrip("\n").partition(" ")
            rest = rest.lstrip()
            if rest.endswith("<unfinished ...>"):
                begun[process] = rest[:-len("<unfinished ...>")]
                continue
            if rest.startswith("<... "):
                rest = begun.pop(process, "") + re.sub(r"^<\.\.\. \w+ resumed>", "", rest)
            found = re.match(r"(\w+)\((.*)\) += (-?\d+|\?)", rest)
            if found:
                yield (process, *found.groups())


class Record:
    """The operations of a command in a folder: tuples (kind, ..) in `done`; `end`: how many until it ended."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.files, self.folders = files_of(self.folder)
        self.done, self.end = [], None
        self._made, self._name, self._at = 0, {name: f"old {name}" for name in self.files}, {}

    def run(self, command, env, log, stop_after=None):
        """Runs the command, with SIGTERM after so many seconds, and returns its status and what it printed."""
        words = ["strace", "-f", "-y", "-qq", "-xx", "-s", "60000000", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(log), *command]
        with subprocess.Popen(words, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as traced:
            try:
                said, _ = traced.communicate(timeout=stop_after)
            except subprocess.TimeoutExpired:
                subprocess.run(["pkill", "-TERM", "-P", str(traced.pid)], check=False)
                said, _ = traced.communicate()
        first = None
        for process, name, words, result in calls_of(log):
            first = first or process
            if name == "exit_group":
                self.end = len(self.done) if process == first else self.end
            elif not result.startswith("-") and result != "?":
                self._take(name, words, int(result, 0))
        made, there = self.state(len(self.done), "ext4", None), files_of(self.folder)
        differ = [name for name in {**made[0], **there[0]} if made[0].get(name) != there[0].get(name)]
        assert made == there, f"the record does not make what is there: {differ}, {made[1] ^ there[1]}"
        self.end = len(self.done) if self.end is None else self.end
        return traced.returncode, said.decode("latin1")

    # ---- from calls to operations

    def _inside(self, path):
        """The relative name of what lies in the folder; None: it lies outside."""
        path = os.path.normpath(path.replace(" (deleted)", ""))
        return os.path.relpath(path, self.folder) if (path + "/").startswith(self.folder + "/") else None

    def _paths(self, words):
        """Paths named by the strings of a call, each below the folder that is written before it."""
        found, below = [], self.folder
        for piece in re.finditer(rf"{AT.pattern}|{STRING.pattern}", words):
            if piece[1] is not None:
                below = plain(piece[1]).decode("latin1")
            else:
                found.append(self._inside(os.path.join(below, plain(piece[2]).decode("latin1"))))
        return found

    def _take(self, name, words, result):
        for kind, names in (("open", ("openat", "open", "creat")), ("folder", ("mkdir", "mkdirat")), ("cut", ("truncate",)),
                            ("remove", ("unlink", "unlinkat", "rmdir")), ("move", ("rename", "renameat", "renameat2", "link", "linkat"))):
            if name in names:
                getattr(self, f"_{kind}")(name, words)
                return
        at = AT.match(words)
        where = at and self._inside(plain(at[1]).decode("latin1"))
        if where is None and at and name == "write" and plain(at[1]).endswith(b".status"):
            self.done.append(("said", b"".join(map(plain, STRING.findall(words))).decode("latin1")))
        elif where is not None:
            assert name not in ("copy_file_range", "sendfile") and not (name == "mmap" and "MAP_SHARED" in words and "PROT_WRITE" in words), words
            self._change(name, words, result, where)

    def _open(self, name, words):
        path = self._paths(words)[0]
        if path is None or path in self.folders:
            return
        if path not in self._name:
            if "O_CREAT" not in words and name != "creat":
                return
            self._made += 1
            self._name[path] = f"new {self._made}"
            self.done.append(("name", self._name[path], path))
        elif "O_TRUNC" in words or name == "creat":
            self.done.append(("size", self._name[path], 0))
        self._at[self._name[path]] = None if "O_APPEND" in words else 0

    def _folder(self, _, words):
        path = self._paths(words)[0]
        if path is not None:
            self.done.append(("folder", path))

    def _remove(self, name, words):
        path = self._paths(words)[0]
        if path is None:
            return
        self._name.pop(path, None)
        self.done.append(("no folder" if name == "rmdir" or "AT_REMOVEDIR" in words else "no name", path))

    def _move(self, name, words):
        old, new = self._paths(words)[:2]
        if old is None and new is None:
            return
        assert old is not None and new is not None, words
        self._name[new] = self._name[old]
        if name.startswith("rename"):
            del self._name[old]
        self.done.append(("rename" if name.startswith("rename") else "link", old, new))

    def _cut(self, _, words):
        path = self._paths(words)[0]
        if path is not None:
            self.done.append(("size", self._name[path], int(words.rsplit(", ", 1)[1])))

    def _change(self, name, words, result, where):
        if where in self.folders or where == "." or ("folder", where) in self.done:
            if name in ("fsync", "fdatasync"):
                self.done.append(("sync folder", where))
            return
        file = self._name.get(where)
        if file is None:  # its name is gone
            return
        if name in ("write", "writev", "pwrite64", "pwritev"):
            data = b"".join(map(plain, STRING.findall(words)))[:result]
            at = int(words.rsplit(", ", 1)[1]) if name.startswith("p") else self._at.get(file)
            self.done.append(("write", file, at, data))
            if not name.startswith("p") and at is not None:
                self._at[file] = at + result
        elif name == "lseek":
            self._at[file] = result
        elif name == "ftruncate":
            self.done.append(("size", file, int(words.rsplit(", ", 1)[1])))
        elif name == "fallocate":
            mode, first, length = words.rsplit(", ", 3)[1:]
            if mode == "0":
                self.done.append(("room", file, int(first) + int(length)))
        elif name in ("fsync", "fdatasync"):
            self.done.append(("sync", file, where))

    # ---- from operations to states

    def state(self, k, model, chance):
        """Files and folders after a loss of power after k operations; chance None: nothing is lost."""
        disk = Disk(self.files, self.folders, model)
        for operation in self.done[:k]:
            disk.take(operation)
        return disk.after_loss(chance)


def change(data, operation):
    """A write, or another size, of a bytearray."""
    kind, _, at, *rest = operation
    if kind == "write":
        at = len(data) if at is None else at
        data.extend(bytes(max(0, at - len(data))))
        data[at:at + len(rest[0])] = rest[0]
    elif at > len(data):
        data.extend(bytes(at - len(data)))
    elif kind == "size":
        del data[at:]


def parents(path):
    while path not in ("", "."):
        yield path
        path = os.path.dirname(path)


class Disk:
    """Holds what is on the disk for certain, and the changes since."""

    def __init__(self, files, folders, model):
        self.data = {f"old {name}": data for name, data in files.items()}
        self.names = {name: f"old {name}" for name in files}
        self.folders, self.model = set(folders), model
        self.loose_data, self.loose_names = {}, []

    def take(self, operation):
        kind = operation[0]
        if kind in ("write", "size", "room"):
            self.loose_data.setdefault(operation[1], []).append(operation)
        elif kind == "sync":
            data = bytearray(self.data.get(operation[1], b""))
            for each in self.loose_data.pop(operation[1], []):
                change(data, each)
            self.data[operation[1]] = bytes(data)
            self.sync_names(lambda o: self.model == "linux" and o[0] in ("name", "folder", "rename", "link") and o[-1] in parents(operation[2]))
        elif kind == "sync folder":
            here = operation[1]
            self.sync_names(lambda o: any((os.path.dirname(name) or ".") == here for name in self.touched(o)) or
                            (self.model == "linux" and o[0] == "folder" and o[1] in parents(here)))
        elif kind != "said":
            self.loose_names.append(operation)

    @staticmethod
    def touched(operation):
        return operation[2:] if operation[0] == "name" else operation[1:]

    def sync_names(self, kept):
        """Puts the chosen names, and earlier operations on them, on the disk; with ext4 all."""
        wanted, stay = set(), []
        for operation in reversed(self.loose_names):
            if self.model == "ext4" or kept(operation) or wanted.intersection(self.touched(operation)):
                wanted.update(self.touched(operation))
                stay.append(operation)
        for operation in reversed(stay):
            self.rename(operation)
            self.loose_names.remove(operation)

    def rename(self, operation):
        kind, *names = operation
        if kind == "name":
            self.names[names[1]] = names[0]
        elif kind == "folder":
            self.folders.add(names[0])
        elif kind == "no folder":
            self.folders.discard(names[0])
        elif kind == "no name":
            self.names.pop(names[0], None)
        elif names[0] in self.names:
            self.names[names[1]] = self.names[names[0]]
            if kind == "rename":
                del self.names[names[0]]

    def lose_names(self, chance):
        how = chance.choice(("none", "all", "some", "some")) if chance else "none"
        if self.model == "ext4":
            kept = self.loose_names[:{"none": len(self.loose_names), "all": 0}.get(how, chance and chance.randint(0, len(self.loose_names)))]
        else:
            lost, kept = set(), []
            for operation in self.loose_names:
                if how == "all" or (how == "some" and chance.random() < 0.5) or lost.intersection(self.touched(operation)):
                    lost.update(self.touched(operation))
                else:
                    kept.append(operation)
        for operation in kept:
            self.rename(operation)

    def version(self, file, how, chance, garbage):
        """One content that a file may have."""
        data = bytearray(self.data.get(file, b""))
        versions = [bytes(data)]
        for operation in self.loose_data.get(file, []):
            change(data, operation)
            versions.append(bytes(data))
        if how != "some":
            return versions[0 if how == "all" else -1]

        def any_version():
            return versions[chance.choice((0, -1, chance.randrange(len(versions))))]
        out = bytearray()
        size = len(any_version())
        for at in range(0, size, PAGE):
            page = any_version()[at:min(at + PAGE, size)]
            lack = min(PAGE, size - at) - len(page)
            out += page + (chance.randbytes(lack) if garbage else bytes(lack))
        return bytes(out)

    def after_loss(self, chance):
        self.lose_names(chance)
        how = chance.choice(("none", "all", "some", "some", "some")) if chance else "none"
        garbage = bool(chance) and chance.random() < 0.25
        there = {name for name in self.folders if all(up in self.folders for up in parents(name))}
        return {name: self.version(file, how, chance, garbage) for name, file in sorted(self.names.items())
                if all(up in there for up in parents(os.path.dirname(name)))}, there


def place(state, folder):
    """Makes the folder anew with the files and folders of a state."""
    files, folders = state
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    os.makedirs(folder)
    for name in sorted(folders):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
