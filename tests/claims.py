#!/usr/bin/env python3
"""The claims of five papers on nonholonomic mechanics, with the program's verdict beside each.

    tests/claims.py [--markdown]

Every row is computed now, by `dalembert simulate` on systems of the catalog: a formula is evaluated
along a motion, as printed and as it should be; a statement is asked of an analysis; an equivalence
is a largest difference between two motions. A row is "confirmed", or "corrected" where the paper's
formula fails and another holds. Rows that need an analysis which this program has not are left out
and counted. A row that comes out otherwise fails the script.

--markdown prints docs/evidence/claims.md. The binary is $DALEMBERT_BIN or build/dalembert.
"""
import sys

import claims_frames  # noqa: F401 (the rows of the table)
import claims_nonlinear  # noqa: F401
import claims_affine  # noqa: F401
import claims_vakonomic  # noqa: F401
import program
from claims_table import CLAIMS, PAPERS, Contradicted

HEADER = """# What five papers claim, and what the program finds

Each line is a statement of a paper, in our words, and the verdict of this program on it: \
*confirmed*,
or *corrected* where the printed formula fails and another holds; with the number that decides. \
Small
numbers are largest differences, over 1 + |value|; of motions in two formulations, over the size \
of the column. All of it is computed by

    make claims

which runs `tests/claims.py` on systems of the catalog and three models of its own; with `--markdown`
it prints this page. A statement that no longer holds fails the tests; they do not compare this page.
Of the systems under Voronec, Hamel and reduction, 20 have no constraints. How a verdict is reached is
told in [invariants.md](../explanation/invariants.md).
"""


def outcome(claim):
    """(verdict, detail); a contradiction is a failure."""
    try:
        return claim.check()
    except Contradicted as failure:
        return "FAILED", str(failure)
    except (program.Refused, KeyError, IndexError, ValueError, TypeError) as failure:
        return "FAILED", f"{type(failure).__name__}: {failure}"


def print_markdown(rows, closing):
    print(HEADER)
    for key, title in PAPERS.items():
        mine = [row for row in rows if row[0].paper == key]
        if not mine:
            continue
        print(f"## {title}\n\n| section | claim | verdict | |\n|---|---|---|---|")
        for claim, verdict, detail in mine:
            print(f"| {claim.section} | {claim.text} | {verdict} | {detail} |")
        print()
    print(closing)


def print_plain(rows, closing):
    for claim, verdict, detail in rows:
        print(f"{claim.paper} {claim.section}: {claim.text}\n    {verdict}: {detail}")
    print(closing)


def main(arguments):
    program.require("claims")
    waiting = [c for c in CLAIMS if not all(program.has_analysis(a) for a in c.needs)]
    rows = [(c, *outcome(c)) for c in CLAIMS if c not in waiting]
    counts = {v: sum(row[1] == v for row in rows) for v in ("confirmed", "corrected", "FAILED")}
    closing = (f"{len(rows)} claims: {counts['confirmed']} confirmed, {counts['corrected']} "
               f"corrected")
    if waiting:
        missing = sorted({a for c in waiting for a in c.needs if not program.has_analysis(a)})
        closing += f"; {len(waiting)} more wait for {', '.join(missing)}"
    (print_markdown if "--markdown" in arguments else print_plain)(rows, closing + ".")
    for claim, verdict, detail in rows:
        if verdict == "FAILED":
            print(f"FAILED: {claim.paper} {claim.section}: {claim.text}: {detail}", file=sys.stderr)
    return 1 if counts["FAILED"] or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
