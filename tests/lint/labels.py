#!/usr/bin/python3
"""labels.py BUILD_DIR [CTEST]: has every test exactly one label, a time limit, and no way not to run?

Labels: LABELS, one each, and `nightly` beside it. A test that returns without having looked is a failure: what cannot
run on this machine is left out by name (jobscripts/test.sh --without NAME).
"""

import json
import subprocess
import sys

LABELS = {"unit", "mpi", "app", "analysis", "lint", "slurm"}
SILENT = {"SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "DISABLED", "WILL_FAIL"}


def complaints(tests):
    for test in tests:
        properties = {p["name"]: p["value"] for p in test.get("properties", ())}
        labels = set(properties.get("LABELS", ()))
        if len(labels & LABELS) != 1 or labels - LABELS - {"nightly"}:
            yield f"{test['name']}: labels {sorted(labels)}; one of {', '.join(sorted(LABELS))}, and nightly, are allowed"
        if not properties.get("TIMEOUT"):
            yield f"{test['name']}: no TIMEOUT"
        for name in sorted(SILENT & set(properties)):
            yield f"{test['name']}: {name} lets it pass without a look"


def main(build, ctest="ctest"):
    told = subprocess.run([ctest, "--test-dir", build, "-C", "all", "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = json.loads(told.stdout)["tests"]
    found = [*complaints(tests)] if tests else ["no tests"]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
