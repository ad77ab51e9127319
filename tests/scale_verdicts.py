#!/usr/bin/env python3
"""What analyses find does not depend on units: the same models with other units of length, mass and
time.

Each model says the dimensions of its coordinates and parameters; values follow. In each choice of
units the verdicts, and what of the findings is no number with a unit (how many, found or not,
stable or not), are those of the first. So are the formulations that apply, and Chaplygin's
reduction, of catalog systems, too.

    scale_verdicts.py [--long] [NAME ...]
"""
import argparse
import copy
import json
import sys

import program
import scale

LENGTH, MASS, TIME, ANGLE = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)
SPEED, RATE = (1, 0, -1), (0, 0, -1)
STIFFNESS, INERTIA, GRAVITY = (0, 1, -2), (2, 1, 0), (1, 0, -2)

# Units of length, mass and time, each alone and together.
CHOICES = [(1e-9, 1, 1), (1e9, 1, 1), (1, 1e20, 1), (1, 1e-20, 1), (1, 1, 1e6), (1, 1, 1e-6),
           (1e-9, 1e20, 1e6), (1e9, 1e-25, 1e-7), (2.0**40, 1, 1), (2.0**-40, 2.0**30, 2.0**-20)]
MORE = [(10.0**k, 1, 1) for k in (-12, -6, -3, -2, 2, 3, 6, 12)] + \
       [(1, 10.0**k, 1) for k in (-12, -6, -3, 3, 6, 12)] + \
       [(1, 1, 10.0**k) for k in (-12, -9, -3, 3, 9, 12)]
# Of the units of catalog systems: powers of ten.
EXPONENTS = (-9, 4)

ANALYSES = ["energy", "momenta", "reactions", "gauge_momenta",
            "moving_energy", "discovery", "structure",
            "consistency", "measure", "equilibria", "linearise"]
# Of the findings: what has no unit and is no number that rounding changes.
WORDS = {"stable", "found", "kind", "dimension", "likely", "strong",
         "weak", "exists", "integrable", "conserved",
         "complete", "single_valued", "holonomic", "closed_form",
         "inside", "density", "zero_eigenvalues"}

PLANE = "m*(dot(x)^2 + dot(y)^2)/2"
SLIDES = [{"name": "translation_x", "generator": {"x": "1"}},
          {"name": "translation_y", "generator": {"y": "1"}}]
TURNS = [{"name": "rotation", "generator": {"x": "-y", "y": "x"}}]
SLEIGH = {
    "coordinates": {"x": LENGTH, "y": LENGTH, "th": ANGLE},
    "lagrangian": f"{PLANE} + J*dot(th)^2/2 + m*a*dot(th)*(cos(th)*dot(y) - sin(th)*dot(x))",
    "constraints": ["sin(th)*dot(x) = cos(th)*dot(y)"],
    "parameters": {"m": (2, MASS), "J": (0.7, INERTIA), "a": (0.3, LENGTH)},
    "symmetries": SLIDES, "q": {"th": 0}, "v": {"x": 1, "th": 0.3}, "end": 5}

MODELS = {
    "pendulum": {
        "coordinates": {"x": LENGTH, "y": LENGTH}, "lagrangian": f"{PLANE} - m*g*y",
        "constraints": ["x^2 + y^2 = l^2"],
        "parameters": {"m": (2, MASS), "g": (9.81, GRAVITY), "l": (1.3, LENGTH)},
        "q": {"x": 0.5, "y": -1.2}, "v": {"x": 1.2, "y": 0.5}, "end": 5},
    "sleigh": SLEIGH,
    "sleigh with all symmetries": {
        **SLEIGH, "symmetries": SLIDES + [{"name": "rotation",
                                           "generator": {"x": "-y", "y": "x", "th": "1"}}]},
    "belt": {
        "coordinates": {"x": LENGTH, "y": LENGTH, "z": LENGTH},
        "lagrangian": "m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - m*w^2*(x^2 + y^2)/2",
        "constraints": ["b*dot(z) = y*dot(x) - x*dot(y) + c"],
        "parameters": {"m": (2, MASS), "w": (1.1, RATE), "b": (1.5, LENGTH),
                       "c": (0.4, (2, 0, -1))},
        "symmetries": TURNS + [{"name": "translation_z", "generator": {"z": "1"}}],
        "q": {"x": 0.3, "y": 0.4}, "v": {"x": 0.3, "y": 0.2}, "end": 5},
    "stirred belt": {
        "coordinates": {"x": LENGTH, "y": LENGTH, "z": LENGTH},
        "lagrangian": "m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2", "forces": {"x": "-k*y", "y": "k*x"},
        "constraints": ["b*dot(z) = y*dot(x) - x*dot(y)"],
        "parameters": {"m": (2, MASS), "k": (0.3, STIFFNESS), "b": (1.5, LENGTH)},
        "q": {"x": 0.3, "y": 0.4}, "v": {"x": 0.3, "y": 0.2}, "end": 5},
    "lift on a screw": {
        "coordinates": {"x": LENGTH, "y": LENGTH, "z": LENGTH, "th": ANGLE},
        "lagrangian": "m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + J*dot(th)^2/2 - k*x^2/2",
        "constraints": ["dot(z) = x*dot(th)"],
        "parameters": {"m": (2, MASS), "J": (0.7, INERTIA), "k": (0.1, STIFFNESS)},
        "q": {"x": 0.4}, "v": {"x": 1, "th": 0.3}, "end": 5},
    "orbit": {
        "coordinates": {"x": LENGTH, "y": LENGTH}, "lagrangian": f"{PLANE} + G*m/sqrt(x^2 + y^2)",
        "parameters": {"m": (2, MASS), "G": (1, (3, 0, -2))}, "symmetries": TURNS,
        "q": {"x": 1}, "v": {"y": 1}, "end": 6},
    "damped oscillator": {
        "coordinates": {"x": LENGTH, "y": LENGTH},
        "lagrangian": f"{PLANE} - k*x^2/2 - k*y^2 - e*x^2*y",
        "forces": {"x": "-d*dot(x)", "y": "-d*dot(y)"},
        "parameters": {"m": (2, MASS), "k": (1, STIFFNESS),
                       "e": (0.1, (-1, 1, -2)), "d": (0.05, (0, 1, -1))},
        "q": {"x": 1}, "v": {"y": 1}, "end": 6},
    "henon-heiles, b = 2": {
        "coordinates": {"x": LENGTH, "y": LENGTH},
        "lagrangian": f"{PLANE} - k*(x^2 + y^2)/2 - e*(x^2*y + 2*y^3)",
        "parameters": {"m": (2, MASS), "k": (1, STIFFNESS), "e": (0.1, (-1, 1, -2))},
        "q": {"x": 0.5}, "v": {"y": 0.5}, "end": 6},
    "bowl": {
        "coordinates": {"r": LENGTH, "f": ANGLE, "z": LENGTH},
        "lagrangian": "m*(dot(r)^2 + r^2*dot(f)^2 + dot(z)^2)/2 - m*g*z",
        "constraints": ["z = r^2/(2*l)"],
        "parameters": {"m": (2, MASS), "g": (9.81, GRAVITY), "l": (1.3, LENGTH)},
        "symmetries": [{"name": "rotation", "generator": {"f": "1"}}],
        "q": {"r": 1.3, "z": 0.65}, "v": {"f": 2.747026439348432}, "end": 6},
    "kepler, polar": {
        "coordinates": {"r": LENGTH, "f": ANGLE},
        "lagrangian": "m*(dot(r)^2 + r^2*dot(f)^2)/2 + G*m/r",
        "parameters": {"m": (2, MASS), "G": (1, (3, 0, -2))},
        "symmetries": [{"name": "rotation", "generator": {"f": "1"}}],
        "q": {"r": 1}, "v": {"f": 1}, "end": 6},
    "circle of equilibria": {
        "coordinates": {"x": LENGTH, "y": LENGTH},
        "lagrangian": f"{PLANE} - k*(x^2 + y^2 - l^2)^2/4",
        "forces": {"x": "-d*dot(x)", "y": "-d*dot(y)"},
        "parameters": {"m": (2, MASS), "k": (0.7, (-2, 1, -2)),
                       "l": (1.3, LENGTH), "d": (0.5, (0, 1, -1))},
        "q": {"x": 0.8, "y": 0.9}, "v": {}, "end": 1},
    "flat ridge": {
        "coordinates": {"x": LENGTH, "y": LENGTH}, "lagrangian": f"{PLANE} + e*x^4 - k*y^2",
        "parameters": {"m": (2, MASS), "k": (1, STIFFNESS), "e": (0.7, (-2, 1, -2))},
        "q": {"x": 0.01, "y": 0.02}, "v": {}, "end": 0.1},
}


def unit(dimension, units):
    value = 1.0
    for of, power in zip(units, dimension):
        value *= of**power
    return value


def job_of(model, units):
    coordinates = model["coordinates"]
    document = {"coordinates": list(coordinates), "lagrangian": model["lagrangian"],
                "parameters": {n: v * unit(d, units) for n, (v, d) in model["parameters"].items()}}
    for member in ("forces", "constraints", "symmetries"):
        if member in model:
            document[member] = copy.deepcopy(model[member])
    initial = {"q": {n: v * unit(coordinates[n], units) for n, v in model["q"].items()},
               "v": {n: v * unit(coordinates[n], units) / units[2] for n, v in model["v"].items()}}
    return {"model": document, "initial": initial,
            "time": {"end": model["end"] * units[2], "samples": 3},
            "analyses": [a for a in ANALYSES if a != "momenta" or "symmetries" in model]}


def words_of(found, path=""):
    """What of the findings has no unit, by where it is."""
    words = {}
    for key, value in found.items() if isinstance(found, dict) else enumerate(found):
        if isinstance(value, (dict, list)):
            words |= words_of(value, f"{path}.{key}")
        elif key in WORDS and not isinstance(value, float):
            words[f"{path}.{key}"] = value
    return words


def printed(job, formulation):
    """The equations of a formulation, or why there are none: what is chosen for them at random
    states has no unit."""
    done = program.process("equations", {**job, "formulation": formulation, "analyses": []})
    return done.stdout or done.stderr


def described(job):
    """What is said of the model alone."""
    found = json.loads(program.process("check", {**job, "analyses": []}, "--json").stdout)
    words = {f"check {key}": found[key]
             for key in ("degrees_of_freedom", "regular", "mass_positive", "rank", "integrable")}
    for name, formulation in found["formulations"].items():
        words[f"check {name}"] = (formulation["applies"], formulation.get("reason"))
    for verdict in found["verdicts"]:
        words[f"check {verdict['kind']} {verdict['name']}"] = verdict["predicted"]
    words["equations chaplygin"] = printed(job, "chaplygin")
    return words


def predicted(verdict):
    """Whether products of the values stay numbers of 15 digits, so that what is likely is proved,
    is no matter of units."""
    evidence = verdict["evidence"]
    rounded = evidence.get("doubt") == "its constants cannot be told apart"
    return evidence["likely"] if rounded else verdict["predicted"]


def said(job):
    done = program.process("simulate", job)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return {"refused": done.stderr.strip()[:200]}
    if answer.get("result") is None:
        return {"failed": answer["job"].get("message")}
    invariants = answer["invariants"]
    words = {"warnings": len(answer["diagnostics"].get("warnings") or [])} | described(job)
    for verdict in invariants["invariants"]:
        words[f"{verdict['kind']} {verdict['name']}"] = (
            predicted(verdict), (verdict.get("observed") or {}).get("conserved"))
    for name, findings in invariants.items():
        if name != "invariants":
            words |= words_of({name: findings})
    return words


def reductions(name):
    """Mistakes, as texts: Chaplygin's reduction of a catalog system, its group and its multiplier,
    or why there is none, in all choices of units, that of the time too, that leave its texts as
    they are."""
    job = scale.bare(program.catalog(name), ("base", "symmetries"))
    job["model"] = program.without_units(job["model"])
    job.get("initial", {}).pop("mu", None)
    first, wrong, tried = printed(job, "chaplygin"), [], 0
    if "boundary" in job or "is not linear or affine" in first:
        return wrong, tried
    for units in scale.Dimensions(job["model"]).units(fixed=()):
        for k in EXPONENTS:
            found, tried = printed(scale.scaled(job, units, k), "chaplygin"), tried + 1
            if found != first:
                shown = " ".join(f"{n}^{v}" for n, v in units.items())
                wrong.append(f"{name}, {shown} times 1e{k}: {first[:150]!r}, then {found[:150]!r}")
    return wrong, tried


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--long", action="store_true")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    program.require("scale_verdicts.py")
    wrong, tried = [], 0
    for name, model in MODELS.items():
        if options.names and name not in options.names:
            continue
        first = said(job_of(model, (1, 1, 1)))
        for units in CHOICES + (MORE if options.long else []):
            other, tried = said(job_of(model, units)), tried + 1
            for word in sorted(first.keys() | other.keys()):
                if first.get(word) != other.get(word):
                    wrong.append(f"{name} in units {units}: {word}: {first.get(word)}, then "
                                 f"{other.get(word)}")
    for name in program.names():
        if not options.names or name in options.names:
            found, count = reductions(name)
            wrong, tried = wrong + found, tried + count
    for line in wrong:
        print("scale_verdicts:", line)
    print(f"scale_verdicts: {tried} jobs in other units, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
