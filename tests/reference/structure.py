#!/usr/bin/env python3
"""Compares what the program says of the structure of constraints and of preserved measures with the
references of this folder.

    tests/reference/structure.py [NAME...]

Runs `dalembert simulate` on every system of the catalog with constraints, with the analyses
structure and measure, and checks: ranks of the curvature, integrability and curvature coefficients;
growth vectors; that what is predicted to be kept is kept on the motion; densities. The binary is
$DALEMBERT_BIN or build/dalembert.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import program  # noqa: E402

LIMIT = 1e-13

# At frozen time; worked out by hand.
GROWTH = {
    "affine-particle-free": [2, 3],
    "appell-linear": [2, 3, 4],
    "bilimovic-suslov": [2, 3],
    "class-constant-measure": [2, 3, 4],
    "contact-oscillators-cvt": [2, 3],
    "disc-on-fixed-disc": [1],
    "disc-variable-circle-balanced": [1],
    "knife-edge-inclined-plane": [2, 3],
    "mobile-robot-fixed-orientation": [2, 3, 4],
    "nonholonomic-particle": [2, 3],
    "rheonomic-circle-external": [1],
    "sphere-in-rotating-cylinder-gravity": [3, 5],
    "sphere-on-rotating-plane": [3, 5],
    "two-wheeled-carriage-generic": [2, 3, 4],
    "vertical-rolling-disk": [2, 3, 4],
}

# How many relations between positions and time the constraints hide.
HIDDEN = {
    "appell-linear": 1,
    "disc-on-fixed-disc": 1,
    "disc-variable-circle-hamiltonized": 1,
    "example-2-1-integrable": 1,
    "two-wheeled-carriage-generic": 1,
    "two-wheeled-carriage-l0": 1,
    "two-wheeled-carriage-special": 1,
    "vakonomic-carriage-special-mu-equals-p-plus-k": 1,
}

# Densities in (q, v) and (q, p); None: there is none.
DENSITIES = {
    "class-constant-measure": ("1", "1"),
    "class-variable-measure": ("sqrt(I3*sin(q1)^2 + I4*q1^2 + I2)",
                               "1/sqrt(I3*sin(q1)^2 + I4*q1^2 + I2)"),
    "damped-oscillator-t": None,
    "knife-edge-inclined-plane": ("1/cos(phi)", "cos(phi)"),
    "mobile-robot-fixed-orientation": ("1", "1"),
    "nonholonomic-particle": ("sqrt(x^2 + 1)", "1/sqrt(x^2 + 1)"),
    "sphere-in-rotating-cylinder-gravity": ("sin(theta)^2", "1"),
    "sphere-on-rotating-plane": ("sin(theta)^2", "1"),
    "two-wheeled-carriage-l0": ("1", "1"),
    "vertical-rolling-disk": ("1", "1"),
}


def check_curvature(facts, curvature):
    problems = []
    for part, place in (("extended", "on_extended_space"), ("frozen", "at_frozen_time")):
        found = curvature[part]
        if found["rank"] != facts["rank_of_curvature_" + place]:
            problems.append(f"rank {found['rank']} of the curvature {place}")
        if found["integrable"] != facts["integrable" if part == "extended"
                                        else "integrable_at_frozen_time"]:
            problems.append(f"{part}: integrable {found['integrable']}")
    for name, value in facts.get("curvature_at_start", {}).items():
        found = curvature["coefficients"].get(name)
        if found is None or abs(found - value) > LIMIT * (1 + abs(value)):
            problems.append(f"{name}: {found}, not {value}")
    return problems


def check_measure(name, facts, measure):
    problems = []
    if "invariant_measure_density_constant" in facts:
        if measure["qp"]["constant"] != facts["invariant_measure_density_constant"]:
            problems.append(f"constant density: {measure['qp']['constant']}")
    if name in DENSITIES:
        expected = DENSITIES[name]
        if measure["exists"] != (expected is not None):
            problems.append(f"density exists: {measure['exists']}")
        found = (measure["qv"]["density"], measure["qp"]["density"])
        if expected and found != expected:
            problems.append(f"densities {found}")
    return problems


def check(reference):
    """The problems of one system."""
    name, facts = reference["id"], reference["facts"]
    findings = program.simulate(program.catalog(name, analyses=["structure", "measure"]))[
        "invariants"]
    problems = []

    if "rank_of_curvature_on_extended_space" in facts:
        problems += check_curvature(facts, findings["curvature"])
    if name in GROWTH and findings["growth"]["frozen"]["vector"] != GROWTH[name]:
        problems.append(f"growth {findings['growth']['frozen']['vector']}")
    if len(findings.get("hidden", [])) != HIDDEN.get(name, 0):
        problems.append(f"{len(findings.get('hidden', []))} hidden constraints")
    problems += check_measure(name, facts, findings["measure"])
    for verdict in findings["invariants"]:
        observed = verdict.get("observed")
        if verdict["predicted"] == "yes" and observed and not observed["conserved"]:
            problems.append(f"{verdict['name']}: drifts by {observed['max_drift']:.1e}")
        if verdict["kind"] == "structure" and verdict["predicted"] == "undecided":
            problems.append(f"{verdict['name']}: undecided")
    return problems


def main():
    names = sys.argv[1:] or sorted(f[:-5] for f in os.listdir(HERE) if f.endswith(".json"))
    failed = 0

    for name in names:
        with open(os.path.join(HERE, name + ".json"), encoding="utf-8") as file:
            reference = json.load(file)
        try:
            problems = check(reference)
        except (program.Refused, KeyError) as error:
            problems = [repr(error)]
        failed += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}")
    print(f"{len(names)} systems, {failed} with problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
