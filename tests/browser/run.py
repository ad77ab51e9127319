#!/usr/bin/env python3
"""Runs the tests of the web page in a headless Chromium.

    tests/browser/run.py [-v] [test_jobs ...]

Without Chromium and its driver they are skipped, by name (deploy/install-deps.sh browser); so are
those of the page if the program was built without it.
"""

import argparse
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-v", action="store_true", help="name every test")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, HERE)
    from browser import CHROMIUM, DRIVER

    if not (CHROMIUM and DRIVER):
        print("tests/browser: SKIPPED, because %s is missing; deploy/install-deps.sh browser "
              "installs it" % ("chromedriver" if CHROMIUM else "chromium"))
        return 0
    loader = unittest.TestLoader()
    suite = (loader.loadTestsFromNames(options.names) if options.names
             else loader.discover(HERE, pattern="test_*.py"))
    result = unittest.TextTestRunner(verbosity=2 if options.v else 1).run(suite)
    for test, reason in result.skipped:
        print("SKIPPED %s, because %s" % (test.id(), reason))
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
