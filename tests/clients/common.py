"""What the tests of the clients share: where things are, and columns as lists."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "http"), os.path.join(ROOT, "clients", "python")]

from dalembert import table  # noqa: E402


def flat(column):
    return column.reshape(-1).tolist() if hasattr(column, "reshape") else list(column)


def settings():
    """With numpy, where it is, and without."""
    return [None] if table.numpy is None else [None, table.numpy]
