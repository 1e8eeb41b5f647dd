#!/usr/bin/python3
"""JSON Schemas (draft 2020-12) of sweep files, model texts and solver texts, for editors; made from the tables of keys of the program's source.

Keys that the tables do not have are refused; values are checked by type, range and word where the tables give them.
"""

import argparse
import json
import os
import re
import sys

import written

EXAMPLES = """\
examples:
  analysis/schemas.py -o schemas
  # yaml-language-server: $schema=schemas/sweep.schema.json    (the first line of a sweep file, for VS Code and others)
"""
SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "src")
TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
VALUE = {"type": ["number", "string", "boolean"]}  # a number, or an expression


def listed(of, one=False):
    """A list, or one of its items alone."""
    return {"anyOf": [of, {"type": "array", "items": of}]} if one else {"type": "array", "items": of}


def mapping(of):
    return {"type": ["object", "null"], "additionalProperties": of}


def exact(properties, required=()):
    return {"type": "object", "properties": properties, "additionalProperties": False, **({"required": list(required)} if required else {})}


def family(of):
    """One, or the members of a family (src/document/members.h): `for` beside the keys of a mapping, or beside `is`."""
    if "properties" in of:
        members = {**of["properties"], "for": TEXT, **({"preset": VALUE} if "preset" in of["properties"] else {})}
        return {"if": {"required": ["for"]}, "then": {**of, "properties": members}, "else": of}
    return {"anyOf": [of, exact({"for": TEXT, "is": VALUE}, ["for", "is"])]}


TYPES = {  # of src/sweep/keys.c
    "TEXT": TEXT, "WORD": VALUE, "WORDS": listed(VALUE, True), "NAMES": listed(TEXT, True), "METHODS": listed(TEXT, True), "TEXTS": mapping(TEXT), "LIBRARIES": listed({"type": "object"}),
    "RANGE": {**listed(NUMBER), "minItems": 2, "maxItems": 2}, "LOG": {"type": ["array", "boolean", "string"]}, "RANGES": listed(listed(NUMBER)), "VALUES": listed(VALUE),
    "ROWS": listed(listed(VALUE)), "CELLS": {"type": ["array", "string"]}, "FIELDS": mapping(VALUE), "OPTIONS": mapping(TEXT), "PARAMETERS": mapping(NUMBER), "INITIAL": mapping(NUMBER), "MEASURES": {"anyOf": [mapping({"anyOf": [TEXT, {"type": "null"}]}), listed(TEXT)]}, "SCALES": mapping(NUMBER),
}


def source(*path):
    try:
        with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        sys.exit(f"schemas.py: {os.path.join(SOURCE, *path)}: not found; the source of saltus has to stand beside analysis/")


def keys_of(name, *path):
    """Words of a table in C: static const char *const NAME[] = {"..", NULL}."""
    found = re.search(rf"const char \*const {name}\[\] = \{{(.*?)\}};", source(*path), re.S)
    if not found:
        sys.exit(f"schemas.py: {os.path.join(*path)}: no table {name}")
    return re.findall(r'"([^"]+)"', found[1])


def _bounds(least, most):
    bounds = {}
    if least == "POSITIVE":
        bounds["exclusiveMinimum"] = 0
    elif least.strip("-") != "UNBOUNDED":
        bounds["minimum"] = float(least)
    if most != "UNBOUNDED":
        bounds["maximum"] = float(most)
    return bounds


def _of_key(kind, least, most):
    if kind in ("NUMBER", "WHOLE"):
        return {**(NUMBER if kind == "NUMBER" else WHOLE), **_bounds(least, most)}
    if kind == "NUMBERS":
        return listed({**NUMBER, **_bounds(least, most)}, True)
    return dict(TYPES[kind])


def sweep():
    """The schema of a sweep file: a dot of a key reaches into a mapping, or into the items of a list."""
    text = re.sub(r"/\*.*?\*/", "", source("sweep", "keys.def"), flags=re.S)
    root = exact({})
    for form, inside in re.findall(r"SAL_KEY(_CHECKED|_GROUP|)\((.*)\)\s*$", text, re.M):
        parts = re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*', inside)
        at = 0 if form else 1
        name, kind, what = json.loads(parts[at]), parts[at + 1].strip(), json.loads(parts[-1])
        least, most = (part.strip() for part in parts[-3:-1])
        place = root
        *groups, last = name.split(".")
        for group in groups:
            place = place["properties"][group]
            place = place.get("items", place)
        made = exact({}) if kind == "GROUP" else listed(exact({})) if kind in ("AXES", "LIBRARIES") else _of_key(kind, least, most)
        place["properties"][last] = {**made, "description": what}
    root["required"] = ["model", "solvers", "strategies", "rtol"]
    return root


def _field(keys):
    ranges = {**listed(NUMBER), "minItems": 2, "maxItems": 2}
    known = {"unit": VALUE, "what": TEXT, "preset": NUMBER, "range": ranges, "allowed": ranges, "whole": {"type": "boolean"}, "drifts": {"type": "boolean"}, "rate_of": TEXT,
             "scale": {"type": "number", "exclusiveMinimum": 0}, "values": listed(NUMBER), "rate": {"type": ["string", "object"]}}
    return exact({key: known.get(key, {}) for key in keys}, ["preset"])


def equations():
    read = ("equations", "equation_read.c")
    fields, energies = ("equations", "equation_fields.c"), ("equations", "energy_reading.c")
    contact = exact({key: {} for key in (*keys_of("contact_keys", "equations", "equation_contacts.c"), *keys_of("contact_keys", "equations", "energy_contacts.c"))})
    contact["properties"]["kind"] = {"enum": keys_of("kinds", "equations", "equation_contacts.c")}
    table = exact({key: {} for key in keys_of("table_keys", "equations", "equation_tables.c")})
    table["properties"]["kind"] = {"enum": keys_of("kinds", "equations", "equation_tables.c")}
    table["properties"]["outside"] = {"enum": keys_of("ends", "equations", "equation_tables.c")}
    known = {"equations": {"const": 1}, "name": TEXT, "title": TEXT, "source": TEXT, "span": NUMBER, "watch": TEXT, "counts": mapping(_field(("what", "preset", "range", "allowed"))), "parameters": mapping(_field(keys_of("param_keys", *fields))),
             "states": mapping(family(_field(keys_of("state_keys", *fields)))), "discrete": mapping(_field(keys_of("discrete_keys", *fields))),
             "coordinates": mapping(family(_field(keys_of("coordinate_keys", *energies)))), "options": mapping(exact({key: {} for key in keys_of("option_keys", *fields)}, ["words"])),
             "let": mapping({}), "flow": mapping(family(VALUE)), "forces": mapping(family(VALUE)), "contacts": mapping(family(contact)), "tables": mapping(table)}
    keys = keys_of("keys", *read)
    return exact({key: known.get(key, {}) for key in keys}, ["equations", "name"])


def bodies():
    tables = {"bodies": ("body_keys", "reading_bodies.c"), "joints": ("joint_keys", "reading_joints.c"), "springs": ("spring_keys", "reading_forces.c"), "tires": ("tire_keys", "reading_forces.c")}
    keys = keys_of("keys", "multibody", "model_file.c")
    known = {"name": TEXT, "title": TEXT, "span": NUMBER, "watch": TEXT, "counts": mapping(_field(("what", "preset", "range", "allowed"))), "parameters": mapping(_field(keys_of("param_keys", "multibody", "model_file.c")))}
    known |= {key: listed(family(exact({word: {} for word in keys_of(table, "multibody", path)}))) for key, (table, path) in tables.items()}
    return exact({key: known.get(key, {}) for key in keys}, ["name", "bodies"])


def model():
    """A model text: of equations or energies, or of bodies."""
    return {"if": {"required": ["equations"]}, "then": equations(), "else": bodies()}


def solver():
    known = {"tableau": {"const": 1}, "name": TEXT, "title": TEXT, "kind": {"enum": [word.replace("_", "-") for word in _solver_kinds()]}, "order": WHOLE, "embedded_order": WHOLE}
    return exact({key: known.get(key, {}) for key in keys_of("keys", "tableaus", "tableau_reading.c")}, ["tableau", "name", "b"])


def _solver_kinds():
    found = re.search(r"const kinds\[\] = \{(.*?)\};", source("tableaus", "tableau_reading.c"), re.S)
    return re.findall(r'"([^"]+)"', found[1])


SCHEMAS = {"sweep": (sweep, "a sweep of saltus"), "model": (model, "a model text of saltus"), "solver": (solver, "a solver text of saltus")}


def schema(name):
    made, title = SCHEMAS[name]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **made()}


def work(args):
    os.makedirs(args.folder, exist_ok=True)
    for name in SCHEMAS:
        written.text(os.path.join(args.folder, f"{name}.schema.json"), json.dumps(schema(name), indent=1) + "\n")


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="folder", metavar="DIR", required=True, help="folder for sweep.schema.json, model.schema.json and solver.schema.json")
    return parser.parse_args(words)


if __name__ == "__main__":
    work(arguments())
