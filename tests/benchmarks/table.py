"""The table of run.py: its problems, and how a number is compared with the published one."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import program  # noqa: E402

PROBLEMS = []
TIGHT = {"rtol": 1e-13, "atol": 1e-15}
MOST = 16  # digits of a double: more are not counted


class Different(Exception):
    """The program says something else than the table."""


class Problem:
    def __init__(self, title, about, sources, quick, check):
        self.title, self.about, self.sources = title, about, sources
        self.quick, self.check = quick, check


class Row:
    """One number: where it is from (a key of the problem's sources), its value there as a text or a
    number, ours, and the digits to which they agree at least. Digits count from the first of the
    value, or of `scale` where that is larger. `name`: which of several numbers it is."""

    def __init__(self, quantity, source, value, ours, digits, scale=0.0, name=""):
        self.quantity, self.source, self.value, self.name = quantity, source, str(value), name
        self.ours, self.digits, self.scale = ours, digits, scale

    def measured(self):
        expected = float(self.value)
        size = max(abs(expected), self.scale)
        difference = abs(self.ours - expected)
        if difference == 0:
            return float(MOST)
        return min(MOST, -math.log10(difference / size)) if size > 0 else 0.0

    def printed(self):
        """The value there and ours, with one digit more than are stated: the others may differ from
        machine to machine."""
        if self.scale > abs(float(self.value)):
            places = max(0, self.digits - math.floor(math.log10(self.scale)))
            ours = f"{self.ours:.{places}f}"
        else:
            ours = f"{self.ours:#.{min(17, self.digits + 1)}g}"
        return (f"{self.name} = {self.value}" if self.name else self.value), ours


class Said:
    """What the program says, word for word; anything else is a failure."""

    def __init__(self, quantity, value, ours):
        self.quantity, self.source, self.value, self.ours = quantity, "", value, ours


def problem(title, about, sources, quick=True):
    """The function yields the rows. `sources` by key: where the model and the numbers are from;
    quick ones are part of `make check`."""
    def add(check):
        PROBLEMS.append(Problem(title, about, sources, quick, check))
        return check
    return add


def must(condition, detail):
    if not condition:
        raise Different(detail)


def least(quantity, source, pairs, digits, scale=0.0):
    """The row of that one of `pairs` (name, value, ours) which agrees to the fewest digits."""
    rows = [Row(quantity, source, value, ours, digits, scale, name) for name, value, ours in pairs]
    return min(rows, key=Row.measured)


def simulate(job):
    """A motion computed to its end, without a warning."""
    answer = program.simulate({"integrator": TIGHT, "analyses": [], **job})
    warnings = answer["diagnostics"]["warnings"]
    must(not warnings, f"warnings: {warnings}")
    return answer


def at_end(job):
    """The last value of each column."""
    return {name: column[-1] for name, column in simulate(job)["result"]["series"].items()}
