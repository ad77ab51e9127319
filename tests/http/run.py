#!/usr/bin/env python3
"""Runs the black-box tests against the built daemon: build/dalembert, or $DALEMBERT_BIN.

    tests/http/run.py [-v] [--seed N] [test_waiting ...]

The tests run in a random order, so that none comes to rely on another; the seed repeats one.
"""

import argparse
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def shuffled(suite, rng):
    """The same tests; those of one class stay together, because they may share a daemon."""
    parts = list(suite)
    rng.shuffle(parts)
    return unittest.TestSuite(
        shuffled(part, rng) if isinstance(part, unittest.TestSuite) else part for part in parts
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-v", action="store_true", help="name every test")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, HERE)
    loader = unittest.TestLoader()
    if options.names:
        suite = loader.loadTestsFromNames(options.names)
    else:
        suite = loader.discover(HERE, pattern="test_*.py")
    print("tests/http: seed %d" % options.seed, flush=True)
    suite = shuffled(suite, random.Random(options.seed))
    result = unittest.TextTestRunner(verbosity=2 if options.v else 1).run(suite)
    print(
        "tests/http: %d tests, %d failures, %d errors, %d skipped"
        % (result.testsRun, len(result.failures), len(result.errors), len(result.skipped))
    )
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
