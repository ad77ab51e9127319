#!/usr/bin/env python3
"""What serving costs, in ratios taken in one run.

    bench/serving.py [--seconds 2] [--runs 5] [HELLO LOAD]

GET of a small job that is done, beside a bare libmicrohttpd with the same settings that answers six
bytes, or as many as the job has: requests a second and processor time of the server a request,
medians of runs that take turns. Then the 99th percentile of 64 connections while the workers are
idle and while all of them are busy. The daemon is $DALEMBERT_BIN or build/dalembert.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import Daemon, job, long_job  # noqa: E402

BUILT = os.path.join(ROOT, "build", "release", "bench")


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, options):
        self.options = options

    def load(self, pid, port, path, clients):
        """Requests a second, microseconds of the server a request, p99 in milliseconds."""
        before = processor_seconds(pid)
        out = subprocess.run(
            [self.options.load, "--port", str(port), "--get", path, "--clients", str(clients),
             "--seconds", str(self.options.seconds), "--warmup", "0"],
            check=True, capture_output=True, text=True).stdout
        rate, p99 = (float(re.search(pattern, out).group(1))
                     for pattern in (r"([\d.]+) requests/s", r"p99 ([\d.]+) ms"))
        spent = processor_seconds(pid) - before
        return rate, 1e6 * spent / (rate * self.options.seconds), p99

    def hello(self, size):
        process = subprocess.Popen([self.options.hello, "--bytes", str(size)],
                                   stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        return process, int(process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("hello", nargs="?", default=os.path.join(BUILT, "hello"))
    parser.add_argument("load", nargs="?", default=os.path.join(BUILT, "load"))
    options = parser.parse_args()
    bench = Bench(options)
    daemon = Daemon("--log-level", "warning")
    path = "/v1/jobs/" + daemon.finish(job())["id"]
    size = len(daemon.get(path).body)
    servers = {"a small job": (daemon.process.pid, daemon.port)}
    others = []
    for name, length in (("hello, 6 bytes", 6), ("hello, %d bytes" % size, size)):
        process, port = bench.hello(length)
        others.append(process)
        servers[name] = (process.pid, port)
    try:
        seen = {name: [] for name in servers}
        for _ in range(options.runs):
            for name, (pid, port) in servers.items():
                seen[name].append(bench.load(pid, port, path, 32))
        rows = {name: [statistics.median(column) for column in zip(*runs)]
                for name, runs in seen.items()}
        own = rows["a small job"]
        for name, (rate, cost, p99) in rows.items():
            print("%-18s %8.0f requests/s  %6.1f us of the server each  p99 %6.2f ms  of it: "
                  "%3.0f %%" % (
                name, rate, cost, p99, 100 * own[0] / rate))

        latencies = {}
        for state in ("idle", "busy"):
            if state == "busy":
                workers = int(re.search(rb"^dalembert_workers (\d+)$",
                                        daemon.get("/metrics").body, re.M).group(1))
                for identifier in [daemon.submit(long_job()) for _ in range(workers)]:
                    daemon.wait_running(identifier)
            pid, port = servers["a small job"]
            latencies[state] = statistics.median(
                bench.load(pid, port, path, 64)[2] for _ in range(options.runs))
        print("p99 of 64 connections: workers idle %.2f ms, busy %.2f ms"
              % (latencies["idle"], latencies["busy"]))
    finally:
        for process in others:
            process.stdin.close()
            process.wait()
        daemon.close()


if __name__ == "__main__":
    main()
