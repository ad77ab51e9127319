#!/usr/bin/env python3
"""A million members of the Chaplygin sleigh (P2 of bench/peers) through the service, while others ask it.

    bench/ensemble.py [MEMBERS_A_SIDE]      1000 by default: a grid of 1000 x 1000 starts

Tells the time from the POST to the end, the daemon's peak memory, the size of its file, and the 99th percentile
of GET /v1/jobs (400 requests, the median of five such turns before, of all turns meanwhile).
"""
import json
import os
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))
from harness import Daemon  # noqa: E402

REQUESTS, TURNS, PAUSE = 400, 5, 0.005


def document(side):
    with open(os.path.join(ROOT, "bench", "peers", "problems.json")) as file:
        problem = next(item for item in json.load(file) if item["id"] == "P2")
    return {"model": problem["model"], "initial": dict(problem["initial"], consistency="project"),
            "time": {"end": 20, "samples": 2}, "integrator": {"method": "dop853", "rtol": 1e-9, "atol": 1e-9},
            "vary": {"initial.v.th": {"from": 1.999, "to": 2.001, "count": side},
                     "initial.q.th": {"from": 0.29985, "to": 0.30015, "count": side}}}


def latency(daemon):
    """Milliseconds, the 99th percentile of a turn."""
    taken = []
    for _ in range(REQUESTS):
        start = time.perf_counter()
        daemon.get("/v1/jobs?limit=20")
        taken.append(1e3 * (time.perf_counter() - start))
        time.sleep(PAUSE)
    return sorted(taken)[REQUESTS * 99 // 100]


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    daemon = Daemon("--log-level", "warning")
    try:
        idle = median([latency(daemon) for _ in range(TURNS)])
        start = time.time()
        job = daemon.post("/v1/jobs", document(side)).json
        busy = []
        while not job["done"]:
            busy.append(latency(daemon))
            job = daemon.get("/v1/jobs/" + job["id"]).json
        print("%(succeeded)d of %(total)d members" % job["members"], "in %.1f s" % (time.time() - start))
        print("peak memory %.0f MB" % (daemon.peak_memory() / 1e6))
        print("p99 of GET /v1/jobs: %.1f ms idle, %.1f ms meanwhile" % (idle, median(busy)))
    finally:
        daemon.close()


if __name__ == "__main__":
    main()
