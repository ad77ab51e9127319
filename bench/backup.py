#!/usr/bin/env python3
"""Latency of submissions beside a backup, in ratios taken in one run.

    bench/backup.py [--seconds 5] [--runs 5] [--clients 4] [--megabytes 200] [--rate 20M] [LOAD]

Clients submit small jobs, answered 202 when they are durable, to a service whose store holds results
of so many megabytes: without a backup, with `dalembert backup` again and again, and with the same at
a limited rate. Two more turns are heavy: beside the small jobs two clients run jobs with results of
40 MB each, without and with backups. The turns alternate. Prints medians over the runs of the median,
the 99th percentile and the longest latency, and the medians of their ratios to the turn of the same
load without a backup just before. The daemon is $DALEMBERT_BIN or build/dalembert.
"""
import argparse
import collections
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import BINARY, Daemon, job  # noqa: E402

FIGURES = "p50", "p99", "longest"
LARGE = {"end": 100, "samples": 100001}  # about 4 MB of rows
HEAVY = {"end": 100, "samples": 1000001}  # about 40 MB
HEAVY_CLIENTS = 2


# The arguments of the backups; None: there are none. heavy: beside clients with large results.
Kind = collections.namedtuple("Kind", "name arguments heavy")


class Writers:
    """Clients that run jobs with large results until stop(), which waits for those under way."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.run) for _ in range(HEAVY_CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self):
        while not self.over.is_set():
            self.daemon.finish(job(time=HEAVY))

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


class Backups(threading.Thread):
    """Backups one after the other until stop(). finished: those that came to their end."""

    def __init__(self, daemon, *arguments):
        super().__init__()
        self.target = os.path.join(daemon.directory, "backup")
        self.command = [BINARY, "backup", "--data", os.path.join(daemon.directory, "data"),
                        *arguments, self.target]
        self.over = threading.Event()
        self.finished = 0
        self.process = self.begin()

    def begin(self):
        return subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self):
        while True:
            said = self.process.communicate()[1]
            if self.process.returncode == 0:
                self.finished += 1
                shutil.rmtree(self.target)
            elif not self.over.is_set():
                raise RuntimeError(said.decode())
            if self.over.is_set():
                return
            self.process = self.begin()

    def stop(self):
        self.over.set()
        self.process.send_signal(signal.SIGINT)
        self.join()


def measure(options, daemon, body):
    """One turn of the load: its figures in milliseconds."""
    out = subprocess.run(
        [options.load, "--port", str(daemon.port), "--body", body, "--mode", "submit",
         "--clients", str(options.clients), "--seconds", str(options.seconds)],
        check=True, capture_output=True, text=True).stdout
    return [float(re.search(name + r" ([\d.]+) ms", out).group(1)) for name in FIGURES]


def turn(options, daemon, body, kind):
    """The figures of one turn, and its backups."""
    writers = Writers(daemon) if kind.heavy else None
    backups = Backups(daemon, *kind.arguments) if kind.arguments is not None else None
    try:
        if backups:
            backups.start()
        return measure(options, daemon, body), backups
    finally:
        for one in (backups, writers):
            if one:
                one.stop()


def turns(options, daemon, body, kinds):
    """For each kind the figures of its turns, and the number of backups that came to their end."""
    figures, finished = {kind: [] for kind in kinds}, {kind: 0 for kind in kinds}
    for _ in range(options.runs):
        for kind in kinds:
            found, backups = turn(options, daemon, body, kind)
            figures[kind].append(found)
            finished[kind] += backups.finished if backups else 0
    return figures, finished


def print_table(figures, finished):
    print("%-24s %9s %9s %9s   %s" % ("", *FIGURES, "backups that ended"))
    for kind, rows in figures.items():
        print("%-24s %6.2f ms %6.2f ms %6.2f ms   %d"
              % (kind.name, *(statistics.median(column) for column in zip(*rows)), finished[kind]))
        if kind.arguments is None:
            without = rows
            continue
        ratios = [[a / b for a, b in zip(row, base)] for row, base in zip(rows, without)]
        print("%-24s %9.2f %9.2f %9.2f" % ("  times without a backup",
                                           *(statistics.median(column)
                                             for column in zip(*ratios))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rate", default="20M")
    parser.add_argument("load", nargs="?",
                        default=os.path.join(ROOT, "build", "release", "bench", "load"))
    options = parser.parse_args()
    daemon = Daemon("--workers", "1", "--max-queue", "10000000", "--log-level", "warning")
    try:
        body = os.path.join(daemon.directory, "job.json")
        with open(body, "w") as file:
            json.dump(job(), file)
        database = os.path.join(daemon.directory, "data", "dalembert.db")
        while os.path.getsize(database) < options.megabytes << 20:
            daemon.finish(job(time=LARGE))
        print_table(*turns(options, daemon, body, (
            Kind("no backup", None, False), Kind("backups", (), False),
            Kind("backups at " + options.rate, ("--rate", options.rate), False),
            Kind("heavy, no backup", None, True), Kind("heavy, backups", (), True))))
    finally:
        daemon.close()


if __name__ == "__main__":
    main()
