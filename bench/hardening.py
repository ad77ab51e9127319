#!/usr/bin/env python3
"""What the flags that harden the program cost: processor time beside a build without them, by turns.

    bench/hardening.py [--runs 9] [PLAIN]

Two long motions of the catalog. PLAIN is build/unhardened/dalembert, built by
`make BUILD=unhardened build/unhardened/dalembert`. The hardened program is $DALEMBERT_BIN or
build/dalembert. Prints the median ratio of each motion, and checks that the results are the same.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests"))

import program  # noqa: E402

PLAIN = os.path.join(ROOT, "build", "unhardened", "dalembert")
# By the name of the system: how many times as long as the catalog's example.
MOTIONS = {"rattleback": 20, "sphere-on-rotating-plane": 1000}


def run(binary, job):
    """Processor seconds of one run, and the end of the motion."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([binary, "simulate", "-"], input=job, check=True, capture_output=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, json.loads(done.stdout)["diagnostics"]["final"]


def measure(system, times, plain, runs):
    job = program.catalog(system, analyses=[])
    span = {**job["time"], "end": times * job["time"]["end"], "samples": 2}
    job = json.dumps({**job, "time": span}).encode()
    ratios, seconds = [], []
    for _ in range(runs):
        hardened, final = run(program.BINARY, job)
        bare, other = run(plain, job)
        if final != other:
            raise SystemExit("%s: the two programs compute different motions" % system)
        ratios.append(hardened / bare)
        seconds.append(hardened)
    print("%-28s %.2f s, %.3f times that without the flags (median of %d by turns)"
          % (system, statistics.median(seconds), statistics.median(ratios), runs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("plain", nargs="?", default=PLAIN, metavar="PLAIN")
    options = parser.parse_args()
    program.require("hardening")
    for system, times in MOTIONS.items():
        measure(system, times, options.plain, options.runs)


if __name__ == "__main__":
    main()
