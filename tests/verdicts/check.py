#!/usr/bin/env python3
"""Verdicts on random models against an exact oracle: nothing false is said.

    tests/verdicts/check.py [N] [--seed S] [--only K] [--shares]

Draws N models (300; models.py), runs each with its analyses, and compares every verdict with what
oracle.py works out in fractions: a *yes* that is not true and a *no* that is not false fail, and so
does any found first integral, momentum or density that is none, and whatever is called likely
although the motion contradicts it. What is undecided is counted; for
polynomial and trigonometric models it stays below 5 %. --only K runs model K of the seed alone.
"""
import argparse
import collections
import functools
import json
import multiprocessing
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import expression as ex
import program
from models import random_model
from oracle import Oracle, Singular

SEED = 11
MOST_UNDECIDED = 0.05
DECIDED_CLASSES = ("polynomial", "trigonometric")


class Case:
    """One model, what the program says of it and what is true."""

    def __init__(self, seed, number):
        self.number = number
        drawn = random_model(random.Random(f"{seed} {number}"))
        self.kind, self.job, self.consistent = drawn["kind"], drawn["job"], drawn["consistent"]
        self.counts = collections.Counter()  # (verdict, what came of it)
        self.problems, self.undecided = [], []

    def check(self):
        try:
            self.oracle = Oracle(self.job["model"], self.number)
            self.answer = program.simulate(self.job)
        except Singular:
            self.counts["model", "singular"] += 1
            return self
        except program.Refused as refusal:
            self.counts["model", "refused"] += 1
            self.refusal = str(refusal)
            return self
        self.findings = self.answer["invariants"]
        for verdict in self.findings["invariants"]:
            self.compare(verdict)
        # they cost time on their way between processes
        self.oracle = self.answer = self.findings = None
        return self

    def compare(self, verdict):
        try:
            truth = self.truth(verdict)
        except (ex.NotExact, SyntaxError, Singular):
            truth = None
        said, kind = verdict["predicted"], verdict["kind"]
        if program.denies_motion(verdict):
            self.problems.append(
                f"{verdict['name']} is likely, against the motion: {verdict['reason']}")
        if said == "undecided":
            outcome = "undecided"
            self.undecided.append(
                f"{verdict['name']} ({'true' if truth else 'false' if truth is False else '?'}): "
                                  f"{verdict['reason']}")
        elif truth is None:
            outcome = "unknown"
        elif said == "yes" and not truth and self.true_of_rounded(verdict):
            outcome = "yes, rounded"
        elif (said == "yes") != truth:
            outcome = f"false {said}"
            self.problems.append(
                f"{verdict['name']} is said {said}: {verdict['expression']}; {verdict['reason']}")
        else:
            outcome = said
        self.counts[kind, outcome] += 1

    def true_of_rounded(self, verdict):
        """Coefficients that are found, or eliminated, need be no decimals: they are printed as
        doubles."""
        found = verdict["kind"] in ("first integral", "measure", "gauge_momentum")
        if not found or not verdict["expression"]:
            return False
        if verdict["name"] == "preserved density":
            text = self.findings["measure"]["qv"]["density"]
            return self.oracle.preserves(text, self.base(), rounded=True)
        return self.oracle.expression(verdict["expression"], rounded=True)

    def base(self):
        return re.findall(r"d\(dot\((\w+)\)\)", self.findings["measure"]["qv"]["volume"])

    def truth(self, verdict):
        """True, False, or None where the oracle does not know."""
        name, kind = verdict["name"], verdict["kind"]
        said_yes = verdict["predicted"] == "yes"
        fields = {field["name"]: field["generator"] for field in self.job["model"]["symmetries"]}
        oracle = self.oracle
        if name == "energy":
            return oracle.energy()
        if kind == "momentum":
            return oracle.momentum(fields[name])
        if name.startswith("energy - p.") and name[len("energy - p."):] in fields:
            return oracle.moving_energy(fields[name[len("energy - p."):]])
        if name == "reaction_vanishes":
            return oracle.reaction_vanishes()
        if name == "reaction_does_no_work":
            return oracle.reaction_does_no_work()
        if name in ("integrable", "integrable at frozen time"):
            return oracle.integrable(name != "integrable")
        if kind == "measure":
            return self.measure(verdict)
        if kind == "consistency":
            return self.consistency(said_yes)
        if kind == "gauge_momentum" and said_yes:
            found = self.findings["gauge_momenta"]["found"]
            return oracle.gauge_momentum(next(f["generator"] for f in found if f["name"] == name))
        if said_yes and verdict["expression"]:
            return oracle.expression(verdict["expression"])
        return None

    def measure(self, verdict):
        record, base, oracle = self.findings["measure"]["qv"], self.base(), self.oracle
        if verdict["name"] == "volume in (q, v)":
            return oracle.preserves("1", base)
        if verdict["name"] == "volume in (q, p)":
            return oracle.preserves_canonical(base)
        if verdict["predicted"] == "yes":
            return oracle.preserves(record["density"], base) if record["density"] else None
        return True if oracle.preserves("1", base) or oracle.preserves_canonical(base) else None

    def consistency(self, said_yes):
        if not said_yes:
            return True if self.consistent else None
        record = self.findings["consistency"]
        section = next(s for s in record["sections"] if s["section"] == record["section"])
        if not section.get("multipliers"):
            return None
        return self.oracle.strongly_consistent(list(section["multipliers"].values()))


def checked(seed, number):
    return Case(seed, number).check()


def report(cases, shares):
    total, by_class = collections.Counter(), collections.defaultdict(collections.Counter)
    for case in cases:
        for (kind, outcome), n in case.counts.items():
            total[kind, outcome] += n
            by_class[case.kind][outcome] += n
    if shares:
        for (kind, outcome), n in sorted(total.items()):
            print(f"  {kind:24} {outcome:12} {n}")
    failed = False
    for name, counts in sorted(by_class.items()):
        n = sum(counts[o] for o in ("yes", "yes, rounded", "no",
                                    "undecided", "unknown", "false yes", "false no"))
        share = counts["undecided"] / max(n, 1)
        print(f"verdicts: {name:14} {n:6} verdicts: {counts['yes'] + counts['yes, rounded']} yes, "
              f"{counts['no']} no, {counts['unknown']} "
              f"not known to the oracle, {counts['undecided']} undecided ({100 * share:.1f} %), "
              f"{counts['false yes']} false yes, {counts['false no']} false no")
        if name in DECIDED_CLASSES and share >= MOST_UNDECIDED:
            print(f"FAILED: more than {100 * MOST_UNDECIDED:.0f} % of {name} models' verdicts are "
                  f"undecided")
            failed = True
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int, nargs="?", default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", type=int)
    parser.add_argument("--shares", action="store_true",
                        help="print all counts and what is undecided")
    options = parser.parse_args()
    program.require("verdicts")
    numbers = range(options.n) if options.only is None else [options.only]
    with multiprocessing.Pool() as pool:
        cases = pool.map(functools.partial(checked, options.seed), numbers, chunksize=1)
    for case in cases:
        for problem in case.problems:
            print(f"FAILED: model {case.number} of seed {options.seed}: {problem}\n    "
                  f"{json.dumps(case.job)}")
        if options.shares:
            for line in case.undecided:
                print(f"  undecided: {case.number} {case.kind}: {line}")
            if ("model", "refused") in case.counts:
                print(f"  refused: {case.number}: {case.refusal}")
    failed = report(cases, options.shares)
    return 1 if failed or not cases or any(case.problems for case in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
