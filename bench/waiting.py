#!/usr/bin/env python3
"""How soon a daemon answers those who wait, beside a round trip that waits for nothing.

    bench/waiting.py

Prints medians: a request that only answers; a poll of a finished job; a small job from its
submission to its end; and from the cancellation of a running job to its end. The binary is
$DALEMBERT_BIN or build/dalembert.
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "http"))

from harness import Daemon, job, long_job  # noqa: E402

RUNS = 51


def livez(daemon, connection):
    return daemon.request("GET", "/livez", connection=connection)


def cancel(daemon, connection, identifier):
    daemon.request("POST", "/v1/jobs/%s/cancel" % identifier, connection=connection)
    path = "/v1/jobs/%s?wait=60" % identifier
    while not daemon.request("GET", path, connection=connection).json["done"]:
        pass


def median(daemon, action, prepare=lambda: ()):
    """Milliseconds of action(daemon, connection, *prepare()), on a connection that is open."""
    seconds = []
    for _ in range(RUNS):
        arguments = prepare()
        connection = daemon.connect()
        livez(daemon, connection)
        start = time.perf_counter()
        action(daemon, connection, *arguments)
        seconds.append(time.perf_counter() - start)
        connection.close()
    return 1e3 * statistics.median(seconds)


def main():
    daemon = Daemon("--workers", "1")
    try:
        finished = daemon.finish()["id"]

        def running():
            identifier = daemon.submit(long_job())
            daemon.wait_state(identifier, "running")
            return (identifier,)

        idle = median(daemon, livez)
        rows = {
            "an answer": idle,
            "a poll of a finished job": median(daemon, lambda d, c: d.request(
                "GET", "/v1/jobs/%s?wait=60" % finished, connection=c)),
            "a small job, submitted and waited for": median(daemon, lambda d, c: d.request(
                "POST", "/v1/jobs?wait=60", job(), connection=c)),
            "a running job, cancelled and waited for": median(daemon, cancel, running),
        }
    finally:
        daemon.close()
    print(f"{'waiting':45} ratio       ms")
    for name, milliseconds in rows.items():
        print(f"  {name:43} {milliseconds / idle:5.1f} {milliseconds:8.2f}")


if __name__ == "__main__":
    main()
