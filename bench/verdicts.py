#!/usr/bin/env python3
"""What the default analyses cost a job, and how much of that a daemon remembers.

    bench/verdicts.py [NAME...]

Prints for each system of the catalog the milliseconds of the default analyses of its job with two
samples: of the first job, of the next one whose parameters are the same, the least of some turns,
and of one with other values. The binary is $DALEMBERT_BIN or build/dalembert.
"""
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tests"), os.path.join(HERE, "..", "tests", "http")]

import program  # noqa: E402
from harness import Daemon  # noqa: E402

TURNS = 5


def plain(name):
    """The job of the catalog with two samples, and nothing that needs more of them."""
    job = program.catalog(name)
    time = {key: value for key, value in job.get("time", {}).items() if key in ("end", "at")}
    job["time"] = time if "at" in time else dict(time, samples=2)
    for member in ("analyses", "compare", "accuracy"):
        job.pop(member, None)
    return dict(job, cache=False)


def milliseconds(daemon, job):
    identifier = daemon.finish(job)["id"]
    return 1e3 * daemon.get(f"/v1/jobs/{identifier}/diagnostics").json["timings"]["analyse_s"]


def number(value):
    """Of a parameter that may have a unit, in which those of a job are."""
    return value["value"] if isinstance(value, dict) else value


def with_value(job, factor):
    """The same job with its first parameter that is not zero a little different."""
    values = dict(job["model"].get("parameters", {}), **job.get("parameters", {}))
    name = next((k for k, value in values.items() if number(value)), None)
    return dict(job, parameters=dict(job.get("parameters", {}),
                                     **{name: factor * number(values[name])})) \
        if name else None


def other_values(daemon, job):
    """The least over values that are new each time; of systems that have them, and go on with
    others."""
    found = []
    for turn in range(TURNS):
        other = with_value(job, 1 + (turn + 1) / 128)
        try:
            if other:
                found.append(milliseconds(daemon, other))
        except (AssertionError, KeyError):
            return float("nan")
    return min(found, default=float("nan"))


def main(names):
    program.require("verdicts")
    rows = []
    print(f"{'default analyses, ms':45}    first     next  other values")
    for name in names or program.names():
        job = plain(name)
        daemon = Daemon("--workers", "1")
        try:
            first = milliseconds(daemon, job)
            again = min(milliseconds(daemon, job) for _ in range(TURNS))
            rows.append((first, again, other_values(daemon, job)))
        finally:
            daemon.close()
        print(f"{name:45} {rows[-1][0]:8.2f} {again:8.3f} {rows[-1][2]:13.2f}", flush=True)
    columns = [[x for x in column if x == x] for column in zip(*rows)]
    for label, of in (("mean", statistics.fmean), ("largest", max)):
        values = [of(column) if column else float("nan") for column in columns]
        print(f"{label:45} {values[0]:8.2f} {values[1]:8.3f} {values[2]:13.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
