"""The guard against hanging, and the only clock of the tests in Python.

A test says what happens and in which order, never how fast: on a loaded machine everything is slow.
"""
import datetime
import time

# no waiting takes so long unless something hangs; also for timeouts of sockets and children
SECONDS = 300
PAUSE = 0.005


def instant(seconds):
    """So far from now, as a date-time in UTC, for what is told one."""
    found = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def deadline(what):
    """Guards a loop that polls: `for _ in deadline("the job to run"): if ...: break`."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        yield
        time.sleep(PAUSE)
    raise AssertionError("still waiting for %s after %g s" % (what, SECONDS))
