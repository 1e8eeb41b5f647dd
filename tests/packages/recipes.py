"""The content of the recipes of jobscripts/packages, read as text: stages of images, directives of Spack, conda's requirements."""
import pathlib
import re
import sys
import types

import yaml


class Recipes:
    def __init__(self, source):
        self.folder = pathlib.Path(source) / "jobscripts" / "packages"

    def container(self):
        """[{"from", "copy": [(stage or None, from, to)], "run": [script], "env": {}}] of the Containerfile."""
        lines = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", (self.folder / "Containerfile").read_text())).splitlines()
        stages, names = [], {}
        for line in filter(None, lines):
            word, _, rest = line.partition(" ")
            if word == "FROM":
                base, _, name = rest.partition(" AS ")
                names[name] = len(stages)
                stages.append({"from": base, "copy": [], "run": [], "env": {}, "entry": None})
            elif word == "COPY":
                where = re.match(r"--from=(\S+) ", rest)
                stages[-1]["copy"].append((names[where[1]] if where else None, *rest.split()[-2:]))
            elif word == "WORKDIR":
                stages[-1]["run"].append(f"mkdir -p {rest}; cd {rest}")
            elif word == "RUN":
                stages[-1]["run"].append(rest)
            elif word == "ENV":
                stages[-1]["env"].update(pair.split("=", 1) for pair in rest.split())
            elif word == "ENTRYPOINT":
                stages[-1]["entry"] = yaml.safe_load(rest)
            else:
                raise ValueError(f"Containerfile: {word}: not supported; allowed: FROM, COPY, WORKDIR, RUN, ENV, ENTRYPOINT")
        return stages

    def apptainer(self):
        """[{"from", "files": [(stage or None, from, to)], "post", "environment", "runscript", "test", "labels"}] of saltus.def."""
        stages, names, section = [], {}, None
        for line in (self.folder / "saltus.def").read_text().splitlines():
            header = re.match(r"(Bootstrap|From|Stage): (\S+)$", line)
            if header and header[1] == "Bootstrap":
                stages.append({"files": []})
            elif header and header[1] == "From":
                stages[-1]["from"] = header[2]
            elif header:
                names[header[2]] = len(stages) - 1
            elif line.startswith("%"):
                section, *more = line[1:].split()
                origin = names[more[1]] if more else None
            elif line.strip() and not line.startswith("#"):
                if section == "files":
                    stages[-1]["files"].append((origin, *line.split()))
                else:
                    stages[-1][section] = stages[-1].get(section, "") + line + "\n"
        return stages

    def spack(self):
        """{"version": [..], "depends_on": [(spec, type, when)], "variant": [..], "class"}: package.py, read with directives that take notes alone."""
        noted = {"version": [], "depends_on": [], "variant": []}
        directives = types.ModuleType("spack.package")
        directives.license = lambda *_: None
        directives.version = lambda number, **_: noted["version"].append(number)
        directives.variant = lambda name, **_: noted["variant"].append(name)
        directives.depends_on = lambda spec, type="link", when=None: noted["depends_on"].append((spec, type, when))
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.generator = lambda *_: None
        cmake.CMakePackage = type("CMakePackage", (), {
            "define": lambda self, name, value: f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}",
            "define_from_variant": lambda self, name, variant: self.define(name, self.on[variant])})
        parents = {name: types.ModuleType(name) for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")}
        before = dict(sys.modules)
        sys.modules.update(parents, **{"spack.package": directives, cmake.__name__: cmake})
        try:
            scope = {"__name__": "package"}
            exec(compile((self.folder / "package.py").read_text(), "package.py", "exec"), scope)
        finally:
            for name in set(sys.modules) - set(before):
                del sys.modules[name]
        return {**noted, "class": scope["Saltus"]}

    def conda(self):
        """meta.yaml, with `version` and functions of conda-build put in as words."""
        text = (self.folder / "meta.yaml").read_text()
        values = dict(re.findall(r"(?m)^\{% set (\w+) = \"([^\"]*)\" %\}$", text))
        text = re.sub(r"(?m)^\{%.*\n", "", text)
        text = re.sub(r"\{\{ (\w+) \}\}", lambda name: values[name[1]], text)
        return yaml.safe_load(re.sub(r"\{\{ (\w+)\('(\w+)'\) \}\}", r"\1 \2", text))
