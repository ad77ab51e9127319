#!/usr/bin/env python3
"""Ensembles through the service.

    bench/ensemble.py [MEMBERS_A_SIDE]      a million members (1000 x 1000 starts) of P2 of
                                            bench/peers, while other clients send requests
    bench/ensemble.py uneven [MEMBERS]      65,536 members of P6, every 32nd 50 times as long
    bench/ensemble.py cancel                how long a cancel of such an ensemble takes
    bench/ensemble.py overhead [SIDE]       time of the processor for SIDE x SIDE members of P2
                                            (150), by turns: the service with one worker, and
                                            `simulate` with two threads, by `simulate` with one
    bench/ensemble.py asked [NAME...]       the cost of members that are asked for more than
                                            their ends: instructions (callgrind) of a step of one,
                                            without the cost of a member besides its steps
    bench/ensemble.py starts [NAME...]      the cost of members of problems of bench/peers
                                            (P1, P2, P3) in instructions: of one that ends after
                                            one step, and of one to t = 20
    bench/ensemble.py against OLD [NAME...] processor time of 200,000 such members of one step, the
                                            program by OLD, that of another commit: nine runs of
                                            both by turns

The first tells the time from the POST to the end, the daemon's peak memory, and the 99th percentile
of GET /v1/jobs (400 requests, the median of five such turns before, of all turns meanwhile); the
second the steps of all lanes at once, by those that would do if no lane was ever empty.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))
from harness import BINARY, Daemon  # noqa: E402

REQUESTS, TURNS, PAUSE = 400, 5, 0.005
LANES = 16
SPREAD = 5e-4
# members, which coordinate crosses zero, and an expression to be averaged
ASKED = {"P2": (128, "dot(x)", "dot(x)*cos(th)"), "P4": (16, "z", "z^2 + sin(th)"),
         "P6": (16, "x", "x^2 + y^2"),
         "pendulum": (128, "x", "x^2")}


def document(name, **changes):
    with open(os.path.join(ROOT, "bench", "peers", "problems.json")) as file:
        problem = next(item for item in json.load(file) if item["id"] == name)
    job = {"model": problem["model"], "initial": dict(problem["initial"], consistency="project"),
           "time": {"end": 20, "samples": 2},
           "integrator": {"method": "dop853", "rtol": 1e-9, "atol": 1e-9},
           "cache": False}
    return dict(job, **changes)


def grid(side):
    return document("P2", vary={"initial.v.th": {"from": 1.999, "to": 2.001, "count": side},
                                "initial.q.th": {"from": 0.29985, "to": 0.30015, "count": side}})


def uneven(count):
    ends = [15 if k % 32 == 31 else 0.3 for k in range(count)]
    return document("P6", ensemble={"design": {"kind": "table", "columns": {"time.end": ends}}})


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


def run_million(daemon, side):
    idle = median([latency(daemon) for _ in range(TURNS)])
    start = time.time()
    job = daemon.post("/v1/jobs", grid(side)).json
    busy = []
    while not job["done"]:
        busy.append(latency(daemon))
        job = daemon.get("/v1/jobs/" + job["id"]).json
    print("%(succeeded)d of %(total)d members" % job["members"],
          "in %.1f s" % (time.time() - start))
    print("peak memory %.0f MB" % (daemon.peak_memory() / 1e6))
    print("p99 of GET /v1/jobs: %.1f ms idle, %.1f ms meanwhile" % (idle, median(busy)))


def run_uneven(daemon, count):
    start = time.time()
    job = daemon.wait_done(daemon.submit(uneven(count)))
    print("%(succeeded)d of %(total)d members" % job["members"],
          "in %.1f s" % (time.time() - start))
    metrics = daemon.get("/metrics").body.decode()
    together, shared, alone = (int(n) for n in re.findall(
        r"^dalembert_(?:lane|member)_steps_total\S* (\d+)", metrics, re.M))
    print("%d steps of all lanes, %d of one: %.3f of (steps of members / lanes)" %
          (together, alone, (together + alone) * LANES / (shared + alone)))


def run_cancel(daemon):
    taken = []
    for _ in range(20):
        identifier = daemon.submit(uneven(65536))
        while daemon.get("/v1/jobs/" + identifier).json["members"]["done"] == 0:
            time.sleep(0.05)
        time.sleep(0.3)
        start = time.perf_counter()
        daemon.request("POST", "/v1/jobs/%s/cancel" % identifier)
        daemon.wait_done(identifier)
        taken.append(1e3 * (time.perf_counter() - start))
    print("from the POST to the end: median %.1f ms, longest of %d %.1f ms"
          % (median(taken), len(taken), max(taken)))


def seconds_of(pid):
    """Of the processor, that a process has used."""
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_simulated(path, threads, binary=BINARY):
    command = [binary, "simulate", path, "--threads", str(threads), "-o", path + ".npy"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime


def seconds_served(daemon, job):
    before = seconds_of(daemon.process.pid)
    assert daemon.wait_done(daemon.submit(job))["state"] == "succeeded"
    return seconds_of(daemon.process.pid) - before


def run_overhead(daemon, side):
    job, path = grid(side), os.path.join(daemon.directory, "job.json")
    with open(path, "w") as file:
        json.dump(job, file)
    served, two = [], []
    for turn in range(2 * TURNS + 1):
        one = seconds_simulated(path, 1)
        served.append(seconds_served(daemon, dict(job, labels={"turn": str(turn)})) / one)
        two.append(seconds_simulated(path, 2) / one)
    print("%d members, of one thread's time: the service %.3f (%.3f to %.3f), two threads %.3f "
          "(%.3f to %.3f)" %
          (side * side, median(served), min(served), max(served), median(two), min(two), max(two)))


def asked(name):
    """The same ensemble plain, and with one thing asked for."""
    _, coordinate, mean = ASKED[name]
    def reduce(take, of):
        return {"ensemble": {"reduce": {"it": {"of": of, "take": take}}}}

    job = pendulum() if name == "pendulum" else document(name)
    return job, {"plain": {}, "max_step": {"integrator": dict(job["integrator"], max_step=1)},
                 "every": {"events": [{"name": "tick", "every": 5}]},
                 "last": reduce("last", mean),
                 "when": {"events": [{"name": "section", "when": coordinate}]},
                 "max": reduce("max", coordinate), "mean": reduce("mean", mean),
                 "rms": reduce("rms", mean)}


def pendulum():
    return {"model": {"coordinates": ["x"], "parameters": {}, "lagrangian": "dot(x)^2/2 + cos(x)"},
            "initial": {"q": {"x": 0}, "v": {"x": 1}}, "time": {"end": 20, "samples": 2},
            "integrator": {"method": "dop853", "rtol": 1e-9, "atol": 1e-9}, "cache": False}


def instructions(job, path):
    """Of running the members, and their steps."""
    with open(path, "w") as file:
        json.dump(job, file)
    # machine code is written anew where other code was: valgrind is to look for that
    done = subprocess.run(["valgrind", "--smc-check=all", "--tool=callgrind",
                           "--toggle-collect=simulations_run", "--callgrind-out-file=/dev/null",
                           BINARY, "simulate", path, "--threads", "1"],
                          capture_output=True, text=True, check=True)
    steps = json.loads(done.stdout)["result"]["series"]["steps"]
    return int(re.search(r"Collected : ([0-9]+)", done.stderr).group(1)), sum(steps)


def spread(job, count):
    """Members whose first velocity that is not zero is another."""
    velocity = next(v for v, value in job["initial"]["v"].items() if value)
    value = job["initial"]["v"][velocity]
    vary = {"initial.v." + velocity: {"from": value * (1 - SPREAD),
                                      "to": value * (1 + SPREAD), "count": count}}
    return dict(job, vary=vary)


def cost_of_step(job, changes, count, path):
    """A long motion less a short one: members begin and end alike."""
    job = dict(spread(job, count), **changes)
    (long, most), (short, few) = (instructions(dict(job, time=dict(job["time"], end=end)), path)
                                  for end in (20, 10))
    return (long - short) / (most - few)


def run_asked(names):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "job.json")
        for name in names:
            job, variants = asked(name)
            costs = {what: cost_of_step(job, changes, ASKED[name][0], path)
                     for what, changes in variants.items()}
            print("| %s | %d |" % (name, costs["plain"]),
                  " | ".join("%s %.2f" % (what, cost / costs["plain"])
                             for what, cost in costs.items() if what != "plain"), "|")


def cost_of_member(job, path):
    """Many members less few: what all of them have in common is in both."""
    (many, steps), (few, other) = (instructions(spread(job, count), path) for count in (1280, 256))
    return (many - few) / 1024, (steps - other) / 1024


def run_starts(names):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "job.json")
        for name in names:
            for end in (0.001, 20):
                cost, steps = cost_of_member(document(name, time={"end": end, "samples": 2}), path)
                print("%s to t = %g: %d instructions a member, %.1f steps"
                      % (name, end, cost, steps))


def run_against(old, names):
    ratios = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "job.json")
        for name in names:
            job = document(name, time={"end": 0.001, "samples": 2})
            with open(path, "w") as file:
                json.dump(spread(job, 200000), file)
            turns = [[seconds_simulated(path, 1, binary) for binary in (old, BINARY)]
                     for _ in range(9)]
            before, after = (statistics.median(of) for of in zip(*turns))
            ratios.append(after / before)
            print("%s: %.2f s, %.2f s, ratio %.3f" % (name, before, after, ratios[-1]))
    print("geometric mean %.3f" % statistics.geometric_mean(ratios))


def main():
    if sys.argv[1:2] == ["against"]:
        return run_against(sys.argv[2], sys.argv[3:] or ["P1", "P2", "P3"])
    if sys.argv[1:2] == ["starts"]:
        return run_starts(sys.argv[2:] or ["P1", "P2", "P3"])
    if sys.argv[1:2] == ["asked"]:
        return run_asked(sys.argv[2:] or sorted(ASKED))
    run_served()


def run_served():
    what = sys.argv[1] if len(sys.argv) > 1 else "1000"
    workers = ["--workers", "1"] if what == "overhead" else []
    daemon = Daemon("--log-level", "warning", *workers)
    try:
        if what == "uneven":
            run_uneven(daemon, int(sys.argv[2]) if len(sys.argv) > 2 else 65536)
        elif what == "cancel":
            run_cancel(daemon)
        elif what == "overhead":
            run_overhead(daemon, int(sys.argv[2]) if len(sys.argv) > 2 else 150)
        else:
            run_million(daemon, int(what))
    finally:
        daemon.close()


if __name__ == "__main__":
    main()
