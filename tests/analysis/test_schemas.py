#!/usr/bin/python3
"""test_schemas.py ANALYSIS_DIR: do the schemas for editors accept all shipped files, and refuse broken ones?"""

import copy
import glob
import json
import os
import re
import sys
import tempfile
import unittest

import jsonschema
import yaml

ANALYSIS = os.path.abspath(sys.argv.pop(1))
SWEEPS = os.path.join(os.path.dirname(ANALYSIS), "sweeps")
sys.path.insert(0, ANALYSIS)
import schemas  # noqa: E402


class Loader(yaml.SafeLoader):
    """Numbers as YAML 1.2 and the program have them: 1e-3 is one; yes is a word."""


Loader.yaml_implicit_resolvers = {first: [(tag, how) for tag, how in rules if tag not in ("tag:yaml.org,2002:float", "tag:yaml.org,2002:bool")]
                                  for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$"), list("-+.0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"true$|false$"), list("tf"))


def read(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader)


def files(*pattern):
    found = sorted(glob.glob(os.path.join(SWEEPS, *pattern)))
    assert found, pattern
    return found


class Schemas(unittest.TestCase):
    def checks(self, name):
        schema = schemas.schema(name)
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def accepts(self, name, paths):
        check = self.checks(name)
        for path in paths:
            faults = [f"{os.path.basename(path)}: {'.'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in check.iter_errors(read(path))]
            self.assertEqual(faults, [])

    def test_shipped_files_are_accepted(self):
        self.accepts("sweep", files("*.yaml") + files("scaling", "*.yaml"))
        self.accepts("model", files("models", "*.yaml"))
        self.accepts("solver", files("solvers", "*.yaml"))

    def test_measures_are_texts_or_names(self):
        check, sweep = self.checks("sweep"), read(files("dallas2017.yaml")[0])
        for measure, right in ((["peak", "impacts"], True), ({"peak": None, "late": "max(v) from 2"}, True), ([1.5], False), ({"late": ["max(v)"]}, False)):
            self.assertEqual(check.is_valid({**sweep, "measure": measure}), right, measure)

    def test_broken_ones_are_refused(self):
        broken = {
            "sweep": [{"solver": ["ode45"]}, {"t_end": "long"}, {"t_end": -1}, {"rtol": [2]}, {"rtol": "1e-3 1e-4"}, {"mesh": 0}, {"timing": {"repeat": 3}}, {"timing": {"repeats": 1.5}},
                      {"cells": {"axes": [{"nam": "k"}]}}, {"cells": {"axes": {"name": "k"}}}, {"model": None}, {"parameters": {"k": "stiff"}}, {"orbit": {"period": 9}}, {"cutoff": {"factor": 0.5}}],
            "model": [{"equation": 1}, {"equations": 2}, {"states": {"x": {"presets": 1}}}, {"states": {"x": {"preset": "one"}}}, {"states": {"x": {"preset": 1, "scale": 0}}}, {"states": {"x": {}}},
                      {"parameters": {"k": {"preset": 1, "range": [1]}}}, {"contacts": {"wall": {"gab": "x"}}}, {"contacts": {"wall": {"kind": "stops"}}}, {"contact": {}},
                      {"states": {"x": {"for": "i in 1..n", "is": 1}}}, {"flow": {"x": {"for": "i in 1..n"}}}],
            "solver": [{"tableaus": 1}, {"order": "two"}, {"kind": "multistep"}, {"name": 3}, {"B": [1]}],
        }
        starts = {"sweep": os.path.join(SWEEPS, "dallas2017.yaml"), "model": os.path.join(SWEEPS, "models", "rocking-block.yaml"), "solver": os.path.join(SWEEPS, "solvers", "bogacki-shampine.yaml")}
        self.assertGreaterEqual(sum(map(len, broken.values())), 20)
        for name, faults in broken.items():
            check, whole = self.checks(name), read(starts[name])
            self.assertTrue(check.is_valid(whole))
            for fault in faults:
                with self.subTest(name, fault=fault):
                    self.assertFalse(check.is_valid({**copy.deepcopy(whole), **fault}), fault)

    def test_the_script_writes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            schemas.work(schemas.arguments(["-o", folder]))
            self.assertEqual(sorted(os.listdir(folder)), ["model.schema.json", "solver.schema.json", "sweep.schema.json"])
            with open(os.path.join(folder, "sweep.schema.json"), encoding="utf-8") as file:
                self.assertIn("mechanical system", json.load(file)["properties"]["model"]["description"])


unittest.main()
