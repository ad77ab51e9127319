#!/usr/bin/env python3
"""A daemon under everything at once, for a while: what is seen of it must not grow.

    bench/soak.py [--minutes 30] [--clients 6] [--seed N]

Clients submit, wait, poll, list, follow changes, download, cancel and delete; others are rude:
half-closed, slow, with large or broken documents. Resident memory and descriptors are looked at
every five seconds. At the end every job that was accepted has ended or was deleted, `dalembert
verify` finds nothing, the descriptors are those of the beginning, and memory is within 5 % of what
it was after five minutes (a third of a short run).
"""

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "http"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))

from deadline import deadline  # noqa: E402
from harness import BINARY, OSCILLATOR, ROOT, SECONDS, Daemon, job, long_job  # noqa: E402

EVERY = 5.0
WARM = 300.0  # until caches are full
TOLERANCE = 0.05

with open(os.path.join(ROOT, "models", "two-wheeled-carriage-generic.json")) as file:
    CARRIAGE = dict(json.load(file)["job"], time={"end": 2, "samples": 51}, cache=False)


class Soak:
    def __init__(self, daemon):
        self.daemon = daemon
        self.lock = threading.Lock()
        self.accepted, self.deleted = set(), set()
        self.requests, self.problems = 0, []
        self.over = threading.Event()

    def ask(self, *arguments, expected=(200,), **options):
        answer = self.daemon.request(*arguments, **options)
        with self.lock:
            self.requests += 1
            if answer.status not in expected:
                self.problems.append((arguments[:2], answer))
        return answer

    def submit(self, document, wait=0):
        answer = self.ask("POST", "/v1/jobs?wait=%d" % wait if wait else "/v1/jobs",
                          document, expected=(200, 202))
        if answer.status in (200, 202):
            with self.lock:
                self.accepted.add(answer.json["id"])
            return answer.json["id"]
        return None

    def delete(self, identifier):
        if self.ask("DELETE", "/v1/jobs/" + identifier, expected=(204,)).status == 204:
            with self.lock:
                self.deleted.add(identifier)

    # what clients do

    def run_job(self, rng):
        identifier = self.submit(job(labels={"n": str(rng.randrange(9))},
                                     priority=rng.randrange(-3, 3)), wait=60)
        for path in ("", "/result", "/diagnostics", "/request"):
            self.ask("GET", "/v1/jobs/%s%s" % (identifier, path))
        self.delete(identifier)

    def run_carriage(self, rng):
        identifier = self.submit(CARRIAGE, wait=60)
        self.ask("GET", "/v1/jobs/%s/invariants" % identifier)
        self.delete(identifier)

    def download(self, rng):
        identifier = self.submit(job(time={"end": 20, "samples": rng.choice([1000, 50000])}),
                                 wait=60)
        for accept in ("application/json", "text/csv", "application/x-ndjson"):
            self.ask("GET", "/v1/jobs/%s/result" % identifier, headers={"Accept": accept})
        self.delete(identifier)

    def cancel(self, rng):
        identifier = self.submit(long_job())
        self.ask("POST", "/v1/jobs/%s/cancel" % identifier, expected=(200, 202))
        self.ask("GET", "/v1/jobs/%s?wait=60" % identifier)
        while not self.ask("GET", "/v1/jobs/%s?wait=60" % identifier).json["done"]:
            pass
        self.delete(identifier)

    def look(self, rng):
        answer = self.ask("GET", "/v1/jobs?limit=%d" % rng.randrange(1, 50)).json
        self.ask("GET", "/v1/jobs?wait=1&since=%d" % max(0, answer["revision"] - 5))
        for path in ("/metrics", "/readyz", "/v1/limits", "/v1/catalog", "/v1/jobs?label.n=3"):
            self.ask("GET", path)

    def store_model(self, rng):
        document = dict(OSCILLATOR, parameters={"m": 2, "k": rng.randrange(1, 60)})
        answer = self.ask("POST", "/v1/models", document, expected=(200, 201))
        self.ask("GET", "/v1/models/%s/equations" % answer.json["id"], expected=(200, 404, 503))

    def mistake(self, rng):
        self.ask("POST", "/v1/jobs", job(formulation="none"), expected=(422,))
        self.ask("POST", "/v1/jobs", b"{" * rng.randrange(1, 100), expected=(400,))
        self.ask("GET", "/v1/jobs/none", expected=(404,))

    def large(self, rng):
        at = [k / 40000 for k in range(rng.randrange(20000, 40000))]
        self.ask("POST", "/v1/jobs?validate_only=true", job(time={"at": at}), expected=(200, 503))

    def rude(self, rng):
        """Bytes, and no end; or an end too early."""
        head = (b"POST /v1/jobs?wait=60 HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                b"application/json\r\n")
        body = json.dumps(job()).encode()
        whole = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.daemon.port), SECONDS) as connection:
                connection.sendall(whole[: rng.randrange(1, len(whole) - 1)])
                if rng.randrange(2):
                    connection.shutdown(socket.SHUT_WR)

    ACTIONS = ([run_job] * 6 + [run_carriage] * 3 + [look] * 3 +
               [download, cancel, store_model, mistake, large, rude])

    def client(self, seed):
        rng = random.Random(seed)
        while not self.over.is_set():
            action = rng.choice(self.ACTIONS)
            try:
                action(self, rng)
            except (OSError, http.client.HTTPException, TypeError, KeyError) as mistake:
                with self.lock:
                    self.problems.append((action.__name__, repr(mistake)))

    def descriptors(self):
        """Without the one of machine code, which is there once equations have been evaluated
        often."""
        folder, count = "/proc/%d/fd" % self.daemon.process.pid, 0
        for name in os.listdir(folder):
            try:
                count += not os.readlink(os.path.join(folder, name)).startswith(
                    "/memfd:dalembert-code")
            except FileNotFoundError:  # closed meanwhile
                pass
        return count

    def settle(self):
        """Everything that was accepted ends, and every connection closes."""
        for identifier in sorted(self.accepted - self.deleted):
            self.daemon.wait_done(identifier)
        for _ in deadline("the connections to be closed"):
            if b"\ndalembert_connections 1\n" in self.daemon.get("/metrics").body:
                return


def watch(soak, minutes):
    """(seconds, bytes) of resident memory, every few seconds."""
    start, seen, told = time.monotonic(), [], 0
    while time.monotonic() - start < 60 * minutes:
        time.sleep(EVERY)
        seconds, bytes_ = time.monotonic() - start, soak.daemon.memory()
        seen.append((seconds, bytes_))
        if seconds >= 60 * told:
            told += 1
            print("minute %4.1f: %6.1f MB, %4d descriptors, %8d requests, %6d jobs, %d problems" % (
                seconds / 60, bytes_ / 1e6, soak.descriptors(), soak.requests, len(soak.accepted),
                len(soak.problems)), flush=True)
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    options = parser.parse_args()
    print("soak: seed %d" % options.seed, flush=True)
    daemon = Daemon("--log-level", "warning")
    soak = Soak(daemon)
    daemon.get("/readyz")
    before = soak.descriptors()
    threads = [threading.Thread(target=soak.client, args=(options.seed + k,))
               for k in range(options.clients)]
    for thread in threads:
        thread.start()
    seen = watch(soak, options.minutes)
    soak.over.set()
    for thread in threads:
        thread.join()
    soak.settle()
    after = soak.descriptors()
    for _ in range(50):  # the last connection is closed a moment behind its answer
        if after > before:
            time.sleep(0.1)
            after = soak.descriptors()
    log = daemon.read_log()
    daemon.terminate()
    found = subprocess.run([BINARY, "verify", "--data", os.path.join(daemon.directory, "data")],
                           capture_output=True, text=True)
    warm = min(WARM, seen[-1][0] / 3)
    early = statistics.median(size for at, size in seen if warm <= at <= 1.5 * warm)
    late = statistics.median(size for at, size in seen if at >= seen[-1][0] - 0.5 * warm)
    print("memory %.1f MB -> %.1f MB (%+.1f %%), descriptors %d -> %d, %d requests, %d jobs" % (
        early / 1e6, late / 1e6, 100 * (late / early - 1), before,
        after, soak.requests, len(soak.accepted)))
    for problem in soak.problems[:20]:
        print("problem:", problem)
    mistakes = [name for name, bad in (("memory", late > (1 + TOLERANCE) * early),
                                       ("descriptors", after > before),
                                       ("answers", bool(soak.problems)),
                                       ("verify", found.returncode != 0),
                                       ("log", "level=error" in log)) if bad]
    print("soak:", "FAILED: " + ", ".join(mistakes) if mistakes else "passed")
    daemon.close()
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
