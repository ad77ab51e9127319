#!/usr/bin/env python3
"""Runs the black-box tests against the built daemon: build/dalembert, or $DALEMBERT_BIN.

    tests/http/run.py [-v] [--seed N] [--jobs N] [test_waiting ...]

The tests run in a random order, so that none comes to rely on another; the seed repeats one. With
--jobs, so many classes run at a time, in as many processes: those of one class stay together,
because they may share a daemon.
"""

import argparse
import collections
import concurrent.futures
import io
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

Outcome = collections.namedtuple("Outcome", "run failures errors skipped text violations")


def tests_of(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from tests_of(part)
        else:
            yield part


def classes_of(suite, rng):
    """Names of tests by their classes, classes and tests in a random order."""
    classes = collections.defaultdict(list)
    for test in tests_of(suite):
        classes[type(test)].append(test.id())
    groups = list(classes.values())
    rng.shuffle(groups)
    for group in groups:
        rng.shuffle(group)
    return groups


def run_class(names, verbosity):
    """One class; what its tests print is told when it has ended, and what the contract does not
    know."""
    text = io.StringIO()
    suite = unittest.TestLoader().loadTestsFromNames(names)
    result = unittest.TextTestRunner(stream=text, verbosity=verbosity).run(suite)
    import harness  # the tests' own, found where they are

    violations, harness.violations[:] = harness.violations[:], []
    return Outcome(
        result.testsRun,
        len(result.failures),
        len(result.errors),
        len(result.skipped),
        text.getvalue(),
        violations,
    )


def show(outcome, verbose):
    if verbose or outcome.failures or outcome.errors:
        print(outcome.text, flush=True)
    else:
        print("." * outcome.run, end="", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-v", action="store_true", help="name every test")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--jobs", type=int, default=1, help="classes run at a time")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, HERE)
    loader = unittest.TestLoader()
    if options.names:
        suite = loader.loadTestsFromNames(options.names)
    else:
        suite = loader.discover(HERE, pattern="test_*.py")
    print("tests/http: seed %d" % options.seed, flush=True)
    total = Outcome(0, 0, 0, 0, "", [])
    # processes are kept: each compiles the schemas of the contract for itself
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        futures = [
            pool.submit(run_class, names, 2 if options.v else 1)
            for names in classes_of(suite, random.Random(options.seed))
        ]
        for future in concurrent.futures.as_completed(futures):
            outcome = future.result()
            show(outcome, options.v)
            total = Outcome(*(a + b for a, b in zip(total, outcome)))
    print("\ntests/http: %d tests, %d failures, %d errors, %d skipped" % total[:4])
    for violation in total.violations:
        print(violation)
    return 1 if total.failures or total.errors or total.violations else 0


if __name__ == "__main__":
    sys.exit(main())
