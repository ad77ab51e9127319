#!/usr/bin/env python3
"""Compares what the program says of reactions and momenta with the references of this folder.

    tests/reference/reactions.py [NAME...]

Runs `dalembert simulate` on every nonholonomic system of the catalog with the analyses energy,
reactions, reaction_annihilator, momenta and gauge_momenta, and checks: whether energy is conserved,
whether the reactions work or vanish; reaction forces and power at the start; the rank of the
reaction-annihilator distribution, wherever it was looked at; that the affine part of the
constraints lies in it exactly when the reactions do no work; and that every quantity that is
predicted to be conserved is so on the motion. The binary is $DALEMBERT_BIN or build/dalembert.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import program  # noqa: E402

ANALYSES = ["energy", "reactions", "reaction_annihilator", "momenta", "gauge_momenta"]
LIMIT = 1e-12

# Computed once with 60 digits, at random configurations; systems with nonlinear constraints have no
# such distribution, unconstrained ones no reactions.
RANKS = {
    "affine-particle-V-y2": 2,
    "affine-particle-V-z": 2,
    "affine-particle-free": 3,
    "affine-particle-harmonic": 3,
    "appell-linear": 3,
    "bilimovic-suslov": 2,
    "class-constant-measure": 3,
    "class-variable-measure": 3,
    "contact-oscillators-cvt": 2,
    "disc-on-fixed-disc": 1,
    "disc-variable-circle-balanced": 1,
    "disc-variable-circle-hamiltonized": 1,
    "disc-variable-circle-unbalanced": 1,
    "example-2-1-contact": 1,
    "example-2-1-homogeneous-time-dependent": 1,
    "example-2-1-integrable": 1,
    "knife-edge-inclined-plane": 2,
    "knife-edge-inclined-plane-rest": 2,
    "mobile-robot-fixed-orientation": 3,
    "nonholonomic-particle": 2,
    "rheonomic-circle-external": 1,
    "rheonomic-pendulum-external": 1,
    "sphere-in-rotating-cylinder-gamma": 3,
    "sphere-in-rotating-cylinder-gravity": 4,
    "sphere-on-rotating-plane": 3,
    "sphere-on-rotating-plane-moving-frame": 3,
    "sphere-on-table-variable-speed": 3,
    "sphere-on-table-variable-speed-moving-frame": 3,
    "two-wheeled-carriage-generic": 3,
    "two-wheeled-carriage-l0": 4,
    "two-wheeled-carriage-special": 3,
    "vertical-rolling-disk": 3,
}

# How many momenta the default ansatz finds: F and K of the ball in the cylinder, k3 and k4 of the
# carriage with the special l.
FOUND = {
    "sphere-in-rotating-cylinder-gravity": 2,
    "sphere-in-rotating-cylinder-gamma": 0,
    "two-wheeled-carriage-special": 2,
    "two-wheeled-carriage-generic": 0,
}


def word(flag):
    return "yes" if flag else "no"


def differs(value, reference):
    return abs(value - reference) > LIMIT * (1 + abs(reference))


def check(reference):
    """The problems of one system."""
    name, facts = reference["id"], reference["facts"]
    findings = program.simulate(program.catalog(name, analyses=ANALYSES))["invariants"]
    verdicts = {v["name"]: v for v in findings["invariants"]}
    problems = []

    for fact, verdict in (("energy_conserved", "energy"), ("reaction_does_no_work",
                          "reaction_does_no_work"), ("reaction_identically_zero",
                          "reaction_vanishes"), ("reaction_does_no_work", "affine_part")):
        if fact in facts and verdict in verdicts:
            if verdicts[verdict]["predicted"] != word(facts[fact]):
                problems.append(f"{verdict}: {verdicts[verdict]['predicted']}")
    along = findings["reactions"].get("along_motion", {})
    for q, force in facts.get("reaction_force_at_start", {}).items():
        if along and differs(along["force"][q]["start"], force):
            problems.append(f"reaction on {q}: {along['force'][q]['start']}, not {force}")
    if along and differs(along["power"]["start"], facts["reaction_power_at_start"]):
        problems.append(f"power {along['power']['start']}")
    annihilator = findings["reaction_annihilator"]
    points = annihilator["points"] + annihilator.get("random_configurations", [])
    ranks = {p["rank"] for p in points}
    if name in RANKS and ranks != {RANKS[name]}:
        problems.append(f"ranks {ranks}, not {RANKS[name]}")
    found = findings["gauge_momenta"].get("found", [])
    if name in FOUND and len(found) != FOUND[name]:
        problems.append(f"{len(found)} gauge momenta, not {FOUND[name]}")
    for verdict in findings["invariants"]:
        if verdict["predicted"] == "undecided":
            problems.append(f"{verdict['name']}: undecided")
        observed = verdict.get("observed")
        if verdict["predicted"] == "yes" and observed and not observed["conserved"]:
            problems.append(f"{verdict['name']}: drifts by {observed['max_drift']:.1e}")
    return problems, len(findings["invariants"]), len(found)


def main():
    names = sys.argv[1:] or sorted(f[:-5] for f in os.listdir(HERE) if f.endswith(".json"))
    failed = total = 0

    for name in names:
        with open(os.path.join(HERE, name + ".json"), encoding="utf-8") as file:
            reference = json.load(file)
        if "reaction_does_no_work" not in reference["facts"]:
            continue
        total += 1
        try:
            problems, verdicts, found = check(reference)
        except (program.Refused, KeyError) as error:
            problems, verdicts, found = [repr(error)], 0, 0
        failed += bool(problems)
        print(f"{name:46} {verdicts:3} verdicts {found:2} gauge momenta  "
              + "; ".join(problems))
    print(f"reactions: {total - failed} of {total} systems pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
