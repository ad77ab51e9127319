#!/usr/bin/env python3
"""Published benchmark problems, with the program's numbers beside the published ones.

    tests/benchmarks/run.py [--quick] [--write FILE]

Every row is computed now, by `dalembert simulate`. It fails where fewer digits agree than it
states, where the program says something else, and where a motion comes with a warning that is not
in the table. --quick leaves out the problems that take more than a few seconds. The page
docs/evidence/benchmarks.md has to state the same digits; --write writes it (all problems, so not with
--quick).

The binary is $DALEMBERT_BIN or build/dalembert.
"""
import os
import sys

import celestial  # noqa: F401 (the problems of the table)
import test_set  # noqa: F401
import multibody  # noqa: F401
import tops  # noqa: F401
from table import PROBLEMS, Different, Row

import program

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(ROOT, "docs", "evidence", "benchmarks.md")
HEADER = """# Published benchmarks

Problems that others have published and solved, put to this program. Each row is a number: where \
it is
from, its value there, ours, and to how many digits they agree at least (counted from the first \
digit of
the value, or of the size of such values where it is nearly zero). All of it is computed by

    make benchmarks

which runs `tests/benchmarks/run.py` and writes this page. A row that agrees to fewer digits than it
states fails; so does a motion that comes with a warning, unless it is of the bicycle, the four-bars or
Mathieu.

*30 digits* are values that were computed here, independently of this program: equations derived by
sympy, integrated by extrapolation of order 20 and more in 113-bit arithmetic with errors below \
1e-24 per
step; or closed forms by mpmath. They are the measure where a published value has errors of its \
own, which
then shows: its row agrees to fewer digits than the row below it.
"""


def shape(row):
    """What the page has to state of a row, on every machine: how its line begins and ends."""
    digits = row.digits if isinstance(row, Row) else ""
    return f"| {row.quantity} | {row.source} |", f"| {digits} |"


def section(problem, rows):
    lines = [f"## {problem.title}", "", problem.about, ""]
    lines += [f"* *{key}*: {text}" for key, text in problem.sources.items()]
    lines += ["", "| quantity | from | value there | ours | digits |", "|---|---|---|---|---|"]
    for row in rows:
        begin, end = shape(row)
        value, ours = row.printed() if isinstance(row, Row) else (row.value, row.ours)
        lines.append(f"{begin} {value} | {ours} {end}")
    return "\n".join(lines) + "\n"


def mistakes(rows):
    """Where the program's numbers are not what the rows state."""
    for row in rows:
        if isinstance(row, Row):
            measured = row.measured()
            if not measured >= row.digits:
                yield (f"{row.quantity}: {row.ours!r} agrees with {row.value} to {measured:.1f} "
                       f"digits,"
                       f" not to {row.digits}")
        elif row.ours != row.value:
            yield f"{row.quantity}: {row.ours}, not {row.value}"


def stale(rows, page):
    """Rows that the page does not state; it may have been written on another machine."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    for row in rows:
        begin, end = shape(row)
        if not any(line.startswith(begin) and line.endswith(end) for line in lines):
            yield (f"docs/evidence/benchmarks.md does not state {begin} .. {end}; "
                   "make benchmarks writes it")


def print_plain(problem, rows):
    print(problem.title)
    for row in rows:
        digits = f"{row.measured():4.1f} >= {row.digits:2}" if isinstance(
            row, Row) else "said      "
        print(f"    {digits}  {row.quantity} [{row.source}]: {row.ours!r}")


def main(arguments):
    program.require("benchmarks")
    quick, write = "--quick" in arguments, "--write" in arguments
    page = ""
    if not write and os.path.exists(PAGE):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
    sections, wrong, count = [], [], 0
    for problem in PROBLEMS:
        if quick and not problem.quick:
            continue
        try:
            rows = list(problem.check())
        except (Different, program.Refused, KeyError, IndexError) as failure:
            wrong.append(f"{problem.title}: {type(failure).__name__}: {failure}")
            continue
        print_plain(problem, rows)
        sections.append(section(problem, rows))
        found = list(mistakes(rows)) + ([] if write else list(stale(rows, page)))
        wrong += [f"{problem.title}: {text}" for text in found]
        count += len(rows)
    for text in wrong:
        print(f"FAILED: {text}", file=sys.stderr)
    if write and not wrong:
        with open(arguments[arguments.index("--write") + 1], "w", encoding="utf-8") as file:
            file.write("\n".join([HEADER] + sections))
    print(f"Benchmarks: {len(sections)} problems, {count} rows, {len(wrong)} mistakes.")
    return 1 if wrong or not sections else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
