#!/usr/bin/env python3
"""Kills the daemon after random numbers of answers under load and counts the jobs afterwards.

    tests/http/crash.py [--cycles 10] [--seed N]

Every job that was answered with 202 or 200 must end exactly once, with the result that an
undisturbed daemon gives. Jobs whose submission was not answered may or may not exist.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from harness import Daemon, deadline, job  # noqa: E402

CLIENTS = 6


def documents():
    """Jobs of several lengths, from a millisecond to about half a second."""
    return [
        job(time={"end": 1, "samples": 11}),
        job(time={"end": 100, "samples": 5001}),
        job(time={"end": 3000, "samples": 11}),
        job(time={"end": 5, "samples": 11}, events=[{"name": "zero", "when": "x"}]),
    ]


class Load:
    """Clients that submit until the daemon goes away, and what they were told."""

    def __init__(self, daemon, cycle):
        self.daemon, self.cycle = daemon, cycle
        self.accepted, self.lock = [], threading.Lock()
        self.threads = [threading.Thread(target=self.client, args=[i]) for i in range(CLIENTS)]

    def client(self, number):
        rng = random.Random("%s-%d-%d" % (SEED, self.cycle, number))
        kinds = documents()
        count = 0
        try:
            connection = self.daemon.connect()
            while True:
                kind = rng.randrange(len(kinds))
                key = "%d-%d-%d" % (self.cycle, number, count)
                count += 1
                path = rng.choice(["/v1/jobs", "/v1/jobs?wait=5"])
                headers = {"Content-Type": "application/json", "Idempotency-Key": key}
                body = json.dumps(dict(kinds[kind], labels={"key": key})).encode()
                answer = self.daemon.request("POST", path, body, headers, connection)
                if answer.status not in (200, 202):
                    raise SystemExit("unexpected answer %r" % answer)
                with self.lock:
                    self.accepted.append((answer.json["id"], kind, key))
        except Exception:  # the daemon was killed
            pass

    def start(self):
        for thread in self.threads:
            thread.start()

    def await_answers(self, count):
        for _ in deadline("%d answers" % count):
            if len(self.accepted) >= count:
                return

    def join(self):
        for thread in self.threads:
            thread.join()


def list_all(daemon):
    found, path = [], "/v1/jobs?limit=500"
    while path:
        answer = daemon.get(path)
        assert answer.status == 200, answer
        found += answer.json["jobs"]
        link = answer.headers.get("link")
        path = link and link[1 : link.index(">")]
    return found


def wait_idle(daemon):
    for state in ("queued", "running", "queued"):  # what ran when the daemon died is queued again
        while jobs := daemon.get("/v1/jobs?limit=1&state=" + state).json["jobs"]:
            daemon.wait_done(jobs[0]["id"])


def check(daemon, accepted, expected):
    jobs = list_all(daemon)
    by_id = {}
    for one in jobs:
        if one["id"] in by_id:
            raise SystemExit("job %s is listed twice" % one["id"])
        by_id[one["id"]] = one
    keys = [one["labels"]["key"] for one in jobs]
    if len(keys) != len(set(keys)):
        raise SystemExit("a submission became two jobs")
    for identifier, kind, key in accepted:
        one = by_id.get(identifier)
        if one is None:
            raise SystemExit("job %s was accepted and is lost" % identifier)
        if one["labels"]["key"] != key:
            raise SystemExit("job %s is another one" % identifier)
        if one["state"] != "succeeded" or not one["complete"]:
            raise SystemExit("job %s is %s (%s)" % (identifier, one["state"], one["reason"]))
        if one["provenance"]["result_hash"] != expected[kind][0]:
            raise SystemExit("job %s has another result" % identifier)
        if one["rows"] != expected[kind][1]:
            raise SystemExit("job %s has %d rows" % (identifier, one["rows"]))
    return len(jobs)


def check_rows(daemon, accepted, expected, rng):
    """What is stored is what the hash says: the rows of some jobs, in full."""
    for identifier, kind, _ in rng.sample(accepted, min(len(accepted), 8)):
        body = daemon.get("/v1/jobs/%s/result" % identifier).body
        if body != expected[kind][2]:
            raise SystemExit("the rows of job %s differ" % identifier)


def reference_results():
    daemon = Daemon("--workers", "1")
    try:
        results = []
        for document in documents():
            found = daemon.finish(document)
            body = daemon.get("/v1/jobs/%s/result" % found["id"]).body
            results.append((found["provenance"]["result_hash"], found["rows"], body))
        return results
    finally:
        daemon.close()


def main():
    global SEED
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    options = parser.parse_args()
    SEED = options.seed
    rng = random.Random(SEED)
    print("crash: seed %d, %d cycles" % (SEED, options.cycles), flush=True)
    expected = reference_results()
    directory = tempfile.mkdtemp(prefix="dalembert-crash-")
    arguments = ["--workers", "2", "--log-level", "error", "--max-attempts", "1000"]
    accepted = []
    try:
        for cycle in range(options.cycles):
            daemon = Daemon(*arguments, data=directory)
            load = Load(daemon, cycle)
            load.start()
            load.await_answers(rng.choice([0, 10, 100, 300]) * (0.5 + rng.random()))
            daemon.kill()
            load.join()
            accepted += load.accepted
        daemon = Daemon(*arguments, data=directory)
        wait_idle(daemon)
        total = check(daemon, accepted, expected)
        check_rows(daemon, accepted, expected, rng)
        daemon.close()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print("crash: %d kills, %d jobs accepted, %d stored, none lost, none doubled, all results right"
          % (options.cycles, len(accepted), total))


if __name__ == "__main__":
    main()
