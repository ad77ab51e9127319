#!/usr/bin/env python3
"""The steps of each system of the catalog at three tolerances, and their sum; beside another
program, the ratio.

    bench/steps.py [--before PROGRAM] [NAME...]

Prints accepted and rejected steps together. With --before (a binary of an older version) each
number has the ratio to that program's behind it, and systems above 1.5 are listed with both errors
against rtol 1e-14. The binary is $DALEMBERT_BIN or build/dalembert.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))

import program  # noqa: E402

TOLERANCES = (1e-6, 1e-10, 1e-12)


def motion(binary, name, rtol):
    """(steps, columns at the end), or None if the motion is not computed."""
    job = program.catalog(name, analyses=[])
    integrator = {key: value for key, value in job.get("integrator", {}).items()
                  if key not in ("atol", "nominal")}
    job["integrator"] = {**integrator, "rtol": rtol}
    done = subprocess.run([binary, "simulate", "-"], input=json.dumps(job),
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None
    answer = json.loads(done.stdout)
    steps = answer["diagnostics"]["steps"]
    final = answer["diagnostics"]["final"]
    return steps["accepted"] + steps["rejected"], final["q"] + final["v"]


def error(found, truth):
    return max(abs(a - b) / (1 + abs(b)) for a, b in zip(found, truth))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    program.require("steps")
    print(f"{'steps at rtol':45}" + "".join(f"{rtol:>16g}" for rtol in TOLERANCES))
    sums, before, noted = [0] * 3, [0] * 3, []
    for name in arguments.names or program.names():
        line = f"{name:45}"
        for k, rtol in enumerate(TOLERANCES):
            now = motion(program.BINARY, name, rtol)
            old = motion(arguments.before, name, rtol) if arguments.before and now else None
            sums[k] += now[0] if now else 0
            before[k] += old[0] if old else 0
            ratio = f" {now[0] / old[0]:6.2f}" if old else ""
            line += f"{now[0] if now else '-':>{16 - len(ratio)}}{ratio}"
            if old and now[0] > 1.5 * old[0]:
                truth = motion(program.BINARY, name, 1e-14)[1]
                noted.append(f"{name}, rtol {rtol:g}: {old[0]} steps, error "
                             f"{error(old[1], truth):.1e};"
                             f" now {now[0]}, {error(now[1], truth):.1e}")
        print(line)
    print(f"{'sum':45}" + "".join(f"{n:>{9 if old else 16}}{f' {n / old:6.2f}' if old else ''}"
                                  for n, old in zip(sums, before)))
    print("\n".join(noted))


if __name__ == "__main__":
    main()
