#!/usr/bin/env python3
"""Runs the black-box tests against the built daemon: build/dalembert, or $DALEMBERT_BIN.

    tests/http/run.py [-v] [test_waiting ...]
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    sys.path.insert(0, HERE)
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    verbosity = 2 if "-v" in sys.argv[1:] else 1
    loader = unittest.TestLoader()
    if names:
        suite = loader.loadTestsFromNames(names)
    else:
        suite = loader.discover(HERE, pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=verbosity).run(suite)
    print(
        "tests/http: %d tests, %d failures, %d errors, %d skipped"
        % (result.testsRun, len(result.failures), len(result.errors), len(result.skipped))
    )
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
