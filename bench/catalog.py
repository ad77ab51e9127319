#!/usr/bin/env python3
"""What analyses and equations cost on the systems of the catalog, beside the rest of the same job.

    bench/catalog.py [NAME...]

Prints for each system the part of its job that the default analyses take, how many times as long as
its job all analyses take, and the milliseconds of `dalembert equations`, whole processes: the
median over all formulations and notations, and the largest. The binary is $DALEMBERT_BIN or
build/dalembert.
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))

import invariants  # noqa: E402
import program  # noqa: E402

RUNS = 5


def timings(job):
    """(analyses, all of it) in seconds, the fastest of some runs."""
    found = [program.simulate(job)["diagnostics"]["timings"] for _ in range(RUNS)]
    return min((t["analyse_s"], sum(t.values())) for t in found)


def equations(job):
    """Seconds of each process that prints the equations."""
    for name, found in program.structure(job)["formulations"].items():
        for notation in ("text", "latex", "c") if found["applies"] else ():
            start = time.perf_counter()
            done = program.process("equations", job, "--formulation", name, "--format", notation)
            # a text with too many operands is refused (voronec of the bicycle)
            if done.returncode == 0:
                yield time.perf_counter() - start


def main(names):
    program.require("catalog")
    print(f"{'':45} default analyses   all analyses   equations, ms")
    print(f"{'':45}      of the job    over the job  median  largest")
    for name in names or program.names():
        job = program.catalog(name)
        default, whole = timings(job)
        everything, _ = timings(invariants.System(name).job())
        seconds = list(equations(job))
        print(f"{name:45} {default / whole:15.1%} {everything / whole:15.2f}"
              f" {1e3 * statistics.median(seconds):7.1f} {1e3 * max(seconds):8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
