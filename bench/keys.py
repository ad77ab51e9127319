#!/usr/bin/env python3
"""What a key costs: requests of a service with keys beside one without, by turns.

    bench/keys.py [--requests 2000] [--runs 9]

One client asks for a small job that is done, again and again, on one connection. Prints the median
ratio of the processor time of the two services, and of the time of a request. The daemon is
$DALEMBERT_BIN or build/dalembert.
"""
import argparse
import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import BINARY, Daemon, job  # noqa: E402


def processor_ticks(pid):
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


class Side:
    """A service with a job that is done, and a connection to it."""

    def __init__(self, headers, *arguments):
        self.headers = headers
        self.daemon = Daemon(*arguments, "--rate", "0") if headers else Daemon(*arguments)
        done = self.daemon.post("/v1/jobs?wait=30", job(), headers)
        self.path = "/v1/jobs/" + done.json["id"]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port)
        self.seconds, self.ticks = [], []

    def ask(self, n):
        ticks, begin = processor_ticks(self.daemon.process.pid), time.perf_counter()
        for _ in range(n):
            self.connection.request("GET", self.path, headers=self.headers)
            self.connection.getresponse().read()
        self.seconds.append((time.perf_counter() - begin) / n)
        self.ticks.append(processor_ticks(self.daemon.process.pid) - ticks)

    def close(self):
        self.connection.close()
        self.daemon.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", prefix="dalembert-token-") as file:
        token = subprocess.run([BINARY, "keys", "token"], check=True, capture_output=True,
                               text=True).stdout.strip()
        file.write(token + "\n")
        file.flush()
        keys = Side({"Authorization": "Bearer " + token}, "--auth", "keys", "--first-key-file",
                    file.name)
    plain = Side({})
    for side in (keys, plain):
        side.ask(options.requests)  # warm-up
        side.seconds, side.ticks = [], []
    for _ in range(options.runs):
        for side in (keys, plain):
            side.ask(options.requests)
    seconds = statistics.median(a / b for a, b in zip(keys.seconds, plain.seconds))
    print("a request with a key: %.1f us, %.3f times one without (median of %d by turns)"
          % (1e6 * statistics.median(keys.seconds), seconds, options.runs))
    print("processor time of the service: %.3f times" % (sum(keys.ticks) / sum(plain.ticks)))
    for side in (keys, plain):
        side.close()


if __name__ == "__main__":
    main()
