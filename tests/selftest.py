"""`dalembert selftest` without its source tree, and its expected numbers beside the reference motions
of tests/reference, which were computed without this program.

    python3 tests/selftest.py
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import program
from deadline import SECONDS

LIMIT = 1e-9  # error over 1 + |value| and over the sensitivity of the motion


def selftest(*options):
    """In an empty directory and an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([os.path.abspath(program.BINARY), "selftest", *options], cwd=folder,
                              env={}, capture_output=True, text=True, timeout=SECONDS)
        left = os.listdir(folder)
    if done.returncode != 0 or done.stderr or left:
        sys.exit(f"selftest: status {done.returncode}, files {left}\n{done.stdout}{done.stderr}")
    return done.stdout


def expected(reference, t):
    """Names of columns and their values in the reference motion at t."""
    sample = next(s for s in reference["samples"] if s["t"] == t)
    values = dict(sample["q"])
    values.update({f"dot({q})": v for q, v in sample["v"].items()})
    values.update({i["name"]: i["value"] for i in reference["invariants"] if i["conserved"]})
    return values, sample["multipliers"]


def errors(system):
    """The error of each number that the reference motion has."""
    with open(program.reference_file(system["name"]), encoding="utf-8") as file:
        reference = json.load(file)
    numbers = system["numbers"]
    values, multipliers = expected(reference, numbers["t"])
    pairs = [(name, numbers[name], value) for name, value in values.items() if name in numbers]
    columns = [name for name in numbers if name.startswith("multiplier(")]
    pairs += [(name, numbers[name], value) for name, value in zip(columns, multipliers)]
    for name, value, truth in pairs:
        yield name, abs(value - truth) / (1 + abs(truth)) / max(
            1.0, reference["sensitivity_of_last_sample"])


def rows(system, prefix):
    """The numbers whose names begin with the prefix, without it."""
    return {name[len(prefix):]: value for name, value in system["numbers"].items()
            if name.startswith(prefix)}


def members(system):
    """The members of the ensemble as systems of their own; the spring is linear."""
    k = 0
    while rows(system, f"member {k} "):
        numbers = rows(system, f"member {k} ")
        scaled = {name: numbers[name] / (1 + k) for name in ("x", "dot(x)")}
        yield dict(system, numbers=dict(scaled, t=numbers["t"]))
        k += 1


def check_event(system):
    """The last reversal of the rattleback: no spin, before the end."""
    row = rows(system, "reversal ")
    yield "reversal spin", abs(row["spin"])
    yield "reversal t", 0 if 0 < row["t"] < system["numbers"]["t"] else 1


def check_changed_bit(system, column):
    """A copy of the program whose expected number has another last bit says so."""
    with open(program.BINARY, "rb") as file:
        code = file.read()
    bits = struct.pack("<d", system["numbers"][column])
    if code.count(bits) != 1:
        return [f"the expected {column} of {system['name']} is {code.count(bits)} times there"]
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "dalembert")
        with open(copy, "wb") as file:
            file.write(code.replace(bits, bytes([bits[0] ^ 1]) + bits[1:]))
        os.chmod(copy, 0o700)
        done = subprocess.run([copy, "selftest"], env={}, capture_output=True, text=True,
                              timeout=SECONDS)
    wrong = re.findall("(?m)^WRONG .*", done.stdout)
    named = len(wrong) == 1 and f"{system['name']} " in wrong[0] and f": {column} is " in wrong[0]
    return [] if done.returncode == 1 and named else [
        f"a changed bit of {column} gives status {done.returncode}: {done.stdout}"]


def main():
    program.require("selftest.py")
    lines = selftest().splitlines()
    document = json.loads(selftest("--json"))
    systems = {system["name"]: system for system in document["systems"]}
    wrong = [f"{line}: unexpected" for line in lines[:-1] if not line.startswith("ok ")]
    if len(lines) != len(systems) + 1:
        wrong.append(f"{len(lines)} lines for {len(systems)} systems")
    wrong += [f"{name}: the document says that it differs: {system['difference']}"
              for name, system in systems.items() if not system["agrees"]]
    checked = 0
    worst = 0.0
    for name, system in systems.items():
        parts = list(members(system)) or [system]
        found = [pair for part in parts for pair in errors(part)]
        if name == "rattleback":
            found += check_event(system)
        checked += len(found)
        worst = max(worst, max(error for _, error in found))
        wrong += [f"{name}: {column} is off by {error:.1e}" for column, error in found
                  if not error <= LIMIT]
    wrong += check_changed_bit(systems["pendulum"], "dot(th)")
    for line in wrong:
        print(line)
    print(f"selftest: {len(systems)} systems, {checked} numbers agree with the reference motions "
          f"within {worst:.1e}" if not wrong else f"selftest: {len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
