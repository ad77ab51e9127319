#!/usr/bin/env python3
"""What a large result costs the service, beside the least that it can.

    bench/results.py [--rows 500000] [RESULTS]

Processor seconds of the daemon for a result of 5 and of 30 columns as JSON, CSV, NDJSON and for
numpy, the least of five turns; and those of a bare loop that prints the same numbers as text by
std::to_chars, or reads the stored blocks and sends them (bench/results.c).
The daemon is $DALEMBERT_BIN or build/dalembert.
"""
import argparse
import os
import socket
import subprocess
import sys
import threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import Daemon, job  # noqa: E402

BUILT = os.path.join(ROOT, "build", "release", "bench", "results")
TURNS = 5


def drop(connection):
    while connection.recv(1 << 20):
        pass
    connection.close()


def sink():
    """The port of somebody who reads and drops what one connection sends."""
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=lambda: drop(listener.accept()[0]), daemon=True).start()
    return listener.getsockname()[1]


def processor_seconds(pid):
    """Of all threads, which stay while a daemon serves."""
    total = 0
    for thread in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, thread)) as stat:
            total += int(stat.read().split()[0])
    return total / 1e9


def served(daemon, path, accept):
    """The least processor seconds of the daemon for an answer that is read and dropped."""
    least = float("inf")
    for _ in range(TURNS):
        begun = processor_seconds(daemon.process.pid)
        with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
            connection.sendall(
                b"GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nConnection: close\r\n\r\n"
                    % (path.encode(), accept.encode()))
            drop(connection)
        least = min(least, processor_seconds(daemon.process.pid) - begun)
    return least


def compare(program, rows, observe):
    """A result of these columns besides t, x and dot(x)."""
    daemon = Daemon("--log-level", "warning")
    try:
        document = job(time={"end": 1000, "samples": rows}, observe=observe)
        path = "/v1/jobs/%s/result" % daemon.finish(document)["id"]
        database = os.path.join(daemon.directory, "data", "dalembert.db")
        printing, sending = map(float, subprocess.run(
            [program, database, str(sink())], check=True, capture_output=True,
            text=True).stdout.split())
        print("%d rows of %d numbers; a bare loop: as text %.3f s, blocks read and sent %.3f s" % (
            rows, 3 + len(observe), printing, sending))
        for name, accept, least in (("JSON", "application/json", printing),
                                    ("CSV", "text/csv", printing),
                                    ("NDJSON", "application/x-ndjson", printing),
                                    ("npy", "application/x-npy", sending)):
            own = served(daemon, path, accept)
            print("%-7s %.3f s of the service: the bare loop takes %.2f of it"
                  % (name, own, least / own))
    finally:
        daemon.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=500000)
    parser.add_argument("results", nargs="?", default=BUILT)
    options = parser.parse_args()
    compare(options.results, options.rows, {"energy": "energy()", "phase": "atan2(dot(x), x)"})
    compare(options.results, options.rows,
            {"o%d" % k: "sin(%d*x + t/%d)" % (k, k) for k in range(1, 28)})


if __name__ == "__main__":
    main()
