#!/usr/bin/env python3
"""Scaling a model changes nothing but digits: every choice of units gives the same motion.

For systems of the catalog and random ones, units of length, mass and whatever else are found that
change parameters and initial values but not the model's texts (by dimensions, here: what is added
has one, what sin is taken of has none). In units 10^k as large the job ends in the same state with
the same warnings and within 2 % of the steps, and coordinates and velocities agree to 100 rtol of
their size. So it does where L and forces are multiplied by
a power of two, and constraints by another; where these are values of parameters, to the bit.

A second formulation (`compare`) and the estimate of the errors (`accuracy`) say the same in all
units: differences relative to the same sizes, the same warnings. Motions with impacts, and from
states of formulations' own, do so too. Motions that differ really, since their steps are
fixed and long, are seen to in each.

    scale.py [--random N] [--seed S] [NAME ...]
"""
import argparse
import ast
import copy
import fractions
import glob
import json
import math
import os
import random
import re
import sys

import program

RTOL = 1e-10
EXPONENTS = (-12, -5, 1, 9, 12)
# Steps may differ by 2 %, and by more where the motion starts with components that are nothing but
# rounding, and grow like t^4; those of quasi-velocities have no size there that a factor would
# leave alone.
STEPS = {"bicycle": 0.05, "snakeboard": 0.1}
STEPS_OF_REDUCED = {**STEPS, "knife-edge-inclined-plane-rest": 0.05}
# Formulations that choose which velocities the others follow from, and how far apart units are for
# them.
REDUCED, FAR = ("voronec", "hamel"), (-12, 9)


def names_of(texts):
    return [t if isinstance(t, str) else t["name"] for t in texts]


def items_of(texts):
    """Constraints as a list of texts."""
    return [t if isinstance(t, str) else t["equation"] for t in texts or []]


class Dimensions:
    """Linear equations for the exponents of t, coordinates, parameters and L."""

    def __init__(self, model):
        self.names = ["t", "L()"] + names_of(model["coordinates"]) + list(
            model.get("parameters", {}))
        self.rows = []
        self.coordinates = set(names_of(model["coordinates"]))
        self.definitions = {}
        pending = dict(model.get("definitions", {}))
        while pending:
            ready = [d for d in pending if not any(
                re.search(rf"\b{re.escape(e)}\b", pending[d]) for e in pending if e != d)]
            for name in ready:
                self.definitions[name] = self.read(pending.pop(name))
        self.equate(self.read(model["lagrangian"]), {"L()": 1})
        for name, force in model.get("forces", {}).items():
            text = force if isinstance(force, str) else str(force)
            work = self.times(self.read(text), {name: 1}, 1)
            if not re.fullmatch(r"[-0.]*", text):
                self.equate(work, {"L()": 1})
        for equation in items_of(model.get("constraints")):
            left, _, right = equation.partition("=")
            a, b = self.read(left), self.read(right or "0")
            if (right or "0").strip() != "0":
                self.equate(a, b)

    def read(self, text):
        text = re.sub(r"\bif\(", "if_(", text.replace("^", "**").strip())
        return self.of(ast.parse(text, mode="eval").body)

    @staticmethod
    def times(a, b, exponent):
        result = dict(a)
        for name, value in b.items():
            result[name] = result.get(name, 0) + exponent * value
        return result

    def equate(self, a, b):
        row = {n: v for n, v in self.times(a, b, -1).items() if v != 0}
        if row:
            self.rows.append(row)

    def of(self, node):
        if isinstance(node, ast.Constant):
            return {}
        if isinstance(node, ast.Name):
            if node.id in self.definitions:
                return self.definitions[node.id]
            return {} if node.id in ("pi", "e") and node.id not in self.names else {node.id: 1}
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = self.of(node.left), self.of(node.right)
            if isinstance(node.op, (ast.Add, ast.Sub)):
                zero = isinstance(node.left, ast.Constant) and node.left.value == 0
                if not zero and not (isinstance(node.right, ast.Constant)
                                     and node.right.value == 0):
                    self.equate(a, b)
                return b if zero else a
            if isinstance(node.op, ast.Mult):
                return self.times(a, b, 1)
            if isinstance(node.op, ast.Div):
                return self.times(a, b, -1)
            return self.power(a, b, node.right)
        if isinstance(node, ast.Call) and node.func.id == "if_":  # of time alone
            return self.of(ast.BinOp(node.args[1], ast.Add(), node.args[2]))
        if isinstance(node, ast.Call):
            return self.call(node.func.id, [self.of(a) for a in node.args])
        raise ValueError(ast.dump(node))

    def power(self, base, exponent, node):
        numbers = [n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Call))]
        if numbers:
            self.equate(base, {})
            self.equate(exponent, {})
            return {}
        value = eval(compile(ast.Expression(node), "", "eval"))  # a number as 3/2
        return {n: v * fractions.Fraction(value).limit_denominator(12) for n, v in base.items()}

    def call(self, name, args):
        if name in ("dot", "ddot"):
            return self.times(args[0], {"t": 1}, -1 if name == "dot" else -2)
        if name == "sqrt":
            return {n: fractions.Fraction(v) / 2 for n, v in args[0].items()}
        if name in ("abs", "hypot", "min", "max"):
            for a in args[1:]:
                self.equate(args[0], a)
            return args[0]
        if name == "atan2":
            self.equate(*args)
            return {}
        for a in args:
            self.equate(a, {})
        return {}

    def units(self, fixed=("t",)):
        """A basis of the choices that leave the time, or what else is fixed, as it is: exponents by
        name."""
        rows, pivots = [dict(r) for r in self.rows] + [{name: 1} for name in fixed], {}
        for row in rows:
            row = {n: fractions.Fraction(v) for n, v in row.items()}
            for name, pivot in pivots.items():
                if row.get(name):
                    row = self.times(row, pivot, -row[name])
            row = {n: v for n, v in row.items() if v}
            if not row:
                continue
            name = min(row, key=self.names.index)
            row = {n: v / row[name] for n, v in row.items()}
            for other in pivots:
                if pivots[other].get(name):
                    new = self.times(pivots[other], row, -pivots[other][name])
                    pivots[other] = {n: v for n, v in new.items() if v}
            pivots[name] = row
        for free in (n for n in self.names if n not in pivots):
            yield {**{free: 1}, **{n: -r[free] for n, r in pivots.items() if r.get(free)}}


def bare(job, own=()):
    """The job without what has units that are not known here; `own`: what it keeps of that."""
    job = copy.deepcopy(job)
    for member in {"observe", "events", "compare", "sensitivities", "formulation"} - set(own):
        job.pop(member, None)
    for member in {"symmetries", "base", "frame", "chart"} - set(own):
        job["model"].pop(member, None)
    job["analyses"] = []
    return job


def scaled(job, units, k):
    job = copy.deepcopy(job)
    initial = job.get("initial", {})

    def change(values, dimension=units.get):
        for name in values or {}:
            values[name] *= 10.0 ** float(k * dimension(name, 0))

    change(job["model"].get("parameters"))
    change(job.get("parameters"))
    change(initial.get("q"))
    change(initial.get("v"), lambda name, none: units.get(name, none) - units.get("t", none))
    if "t" in units:
        initial["t"] = initial.get("t", 0) * 10.0 ** float(k * units["t"])
        job["time"] = {"end": initial["t"] + 10.0 ** float(k * units["t"])}
    return job


def powers(job, of_L, of_constraints):
    """Everything that L and forces say times 2^of_L, constraints times 2^of_constraints."""
    job = copy.deepcopy(job)
    model = job["model"]
    factor, other = repr(2.0 ** of_L), repr(2.0 ** of_constraints)
    model["lagrangian"] = f"{factor}*({model['lagrangian']})"
    for name, force in model.get("forces", {}).items():
        model["forces"][name] = f"{factor}*({force})"
    for i, constraint in enumerate(model.get("constraints", [])):
        text = constraint if isinstance(constraint, str) else constraint["equation"]
        left, _, right = text.partition("=")
        text = f"{other}*({left}) = {other}*({right or 0})"
        model["constraints"][i] = text if isinstance(constraint, str) else {
            **constraint, "equation": text}
    return job


def factors_as_parameters(job, of_L, of_constraints):
    """The same, with the factors as values of parameters: the equations are those of factors 1."""
    job = powers(job, 0, 0)
    model = job["model"]
    model["lagrangian"] = "factor_L" + model["lagrangian"].removeprefix("1.0")
    for name, force in model.get("forces", {}).items():
        model["forces"][name] = "factor_L" + force.removeprefix("1.0")
    for i, constraint in enumerate(model.get("constraints", [])):
        text = constraint if isinstance(constraint, str) else constraint["equation"]
        text = " = ".join("factor_c" + side.removeprefix("1.0") for side in text.split(" = "))
        model["constraints"][i] = text if isinstance(constraint, str) else {
            **constraint, "equation": text}
    model["parameters"] = {**model.get("parameters", {}), "factor_L": 2.0 ** of_L,
                           "factor_c": 2.0 ** of_constraints}
    return job


def bits(job, result):
    """Coordinates and velocities, to the bit."""
    names = names_of(job["model"]["coordinates"])
    series = (result.get("result") or {}).get("series") or {}
    return [series.get(c) for c in names + [f"dot({c})" for c in names]]


def compare_bits(name, job):
    """Factors that are values of parameters change no bit. Initial multipliers would have to change
    too."""
    if "mu" in job.get("initial", {}):
        return []
    job = copy.deepcopy(job)
    for member in ("compare", "accuracy"):
        job.pop(member, None)
    same = bits(job, outcome(factors_as_parameters(job, 0, 0))) == bits(
        job, outcome(factors_as_parameters(job, -30, 40)))
    return [] if same else [f"{name}: L times 2^-30, constraints 2^40: other bits"]


def outcome(job):
    try:
        return json.loads(program.process("simulate", job).stdout)
    except ValueError:
        return {"refused": True}


def warnings_of(diagnostics, others):
    """Without what depends on whether a step comes close to one instant, and on how a frame was
    chosen; of comparisons with others."""
    return [w for w in diagnostics.get("warnings") or []
            if "singular configuration" not in w and "the comparison with" not in w and
            ("differs from this motion" not in w or w.split()[0] in others)]


FORMULATIONS = ("hamel", "voronec", "hamiltonian")
# Relative differences this small are rounding, or errors on their way of growing.
DIGITS = 1e-6
SIZES = 0.05  # a coordinate's size is its largest value at any step


def with_opinions(job):
    """The job with another formulation that applies, and its errors."""
    job = copy.deepcopy(job)
    job["accuracy"] = True
    for name in FORMULATIONS:
        job["compare"] = [name]
        if program.process("check", job).returncode == 0:
            return job
    del job["compare"]
    return job


def opinions(diagnostics):
    found = list(diagnostics.get("compare") or [])
    if "columns" in (diagnostics.get("accuracy") or {}):
        found.append({"formulation": "accuracy", **diagnostics["accuracy"]})
    return {f["formulation"]: f["columns"] for f in found if f["complete"]}


def compare_opinions(label, a, b, names, factors):
    """What two jobs say of their second opinions."""
    a, b = opinions(a), opinions(b)
    if ("accuracy" in a) != ("accuracy" in b):
        return [f"{label}: accuracy of {list(a)}, then {list(b)}"]
    wrong = []
    for other in a.keys() & b.keys():
        for column in b[other]:
            x, y = a[other][column], b[other][column]
            # what terms are worth is found at random
            share = 1e-3 if column in names else 0.5
            if abs(x["relative"] - y["relative"]) > max(
                DIGITS, share * max(x["relative"], y["relative"])):
                wrong.append(f"{label}: {column} differs from {other} by {x['relative']:.3g} of "
                             f"its "
                             f"size, then {y['relative']:.3g}")
            factor = factors.get(re.sub(r"^dot\((.*)\)$", r"\1", column), 1.0)
            if column in names and abs(y["size"] / factor - x["size"]) > SIZES * x["size"]:
                wrong.append(f"{label}: the size of {column} is {x['size']}, then {y['size']}")
    return wrong


def largest(series, names):
    return {n: max(map(abs, series[n]), default=0) for n in names}


def compare(label, job, base, other, factors, steps=0.02, spare=1, exact=False, end=True):
    """Mistakes, as texts."""
    if "refused" in base or "refused" in other:
        return [] if ("refused" in base) == ("refused" in other) else [f"{label}: refused"]
    wrong = []
    if base["job"]["state"] != other["job"]["state"]:
        return [f"{label}: {base['job']['state']}, then {other['job']['state']}: "
                f"{other['job'].get('message')}"]
    a, b = base["diagnostics"], other["diagnostics"]
    both = opinions(a).keys() & opinions(b).keys() if end else ()
    if len(warnings_of(a, both)) != len(warnings_of(b, both)):
        wrong.append(f"{label}: warnings {a.get('warnings')}, then {b.get('warnings')}")
    n, m = a["steps"]["accepted"], b["steps"]["accepted"]
    if abs(n - m) > max(spare, steps * n):
        wrong.append(f"{label}: {n} steps, then {m}")
    names = names_of(job["model"]["coordinates"])
    columns = names + [f"dot({c})" for c in names]
    if end:
        wrong += compare_opinions(label, a, b, columns, factors)
    sizes = largest(base["result"]["series"], columns)
    for k, c in enumerate(columns):
        x, y = base["result"]["series"][c], other["result"]["series"][c]
        factor = factors.get(names[k % len(names)], 1.0)
        off = max((abs(p - q / factor) for p, q in zip(x, y)), default=0)
        size = max([sizes[d] for d in columns[:len(names)]
                    if factors.get(d) == factors.get(names[k % len(names)])]
                   if k < len(names) else [sizes[f"dot({d})"] for d in names
                                           if factors.get(d) == factors.get(names[k % len(names)])])
        if (off > 0 if exact else end and off > 100 * RTOL * size + 1e-300):
            wrong.append(f"{label}: {c} off by {off:.3g} of {size:.3g}")
    return wrong


def check(name, job, exponents, own=(), bitwise=True, **how):
    job = bare(job, own) if own else with_opinions(bare(job))
    base = outcome(job)
    wrong, tried = compare(f"{name}: L times 8, constraints over 32", job, base,
                           outcome(powers(job, 3, -5)), {}, **how), 2
    wrong += compare_bits(name, job) if bitwise else []
    for units in Dimensions(job["model"]).units():
        for k in exponents:
            if max(abs(k * v) for v in units.values()) > 60:
                continue
            factors = {n: 10.0 ** float(k * v) for n, v in units.items()}
            shown = " ".join(f"{n}^{v}" for n, v in units.items() if n != "L()")
            other = scaled(job, units, k)
            wrong += compare(f"{name}: {shown} times 1e{k}",
                             job, base, outcome(other), factors, **how)
            tried += 1
    return wrong, tried


def check_reduced(name, job):
    """The same in formulations that choose dependent velocities, as far as they apply."""
    wrong, tried = [], 0

    for formulation in REDUCED:
        job = bare({**job, "formulation": formulation}, ("formulation",))
        if program.process("check", job).returncode != 0:
            continue
        found, count = check(f"{name}, {formulation}", job,
                             FAR, ("formulation",), bitwise=name not in STEPS,
                             steps=STEPS_OF_REDUCED.get(name, 0.02))
        wrong, tried = wrong + found, tried + count
    return wrong, tried


def random_job(draw):
    """Points and wheels in a plane: rods, rolling without sliding, springs, gravity, drag."""
    points = draw.randint(1, 3)
    coordinates, q, v, parameters = [], {}, {}, {"g": draw.uniform(1, 10)}
    kinetic, potential, constraints, forces = [], [], [], {}
    x, y = 0.0, 0.0
    for i in range(points):
        length, a = draw.uniform(0.3, 1.5), draw.uniform(0.3, 2 * math.pi)
        parameters[f"m{i}"] = draw.uniform(0.5, 3)
        new = (x + length * math.cos(a), y + length * math.sin(a))
        before = (f"x{i - 1}", f"y{i - 1}") if i else ("0", "0")
        kind = draw.choice(["rod", "spring", "spring", "skate"])
        apart = f"((x{i} - {before[0]})^2 + (y{i} - {before[1]})^2)" if i else f"(x{i}^2 + y{i}^2)"
        coordinates += [f"x{i}", f"y{i}"]
        q[f"x{i}"], q[f"y{i}"] = new
        kinetic.append(f"m{i}*(dot(x{i})^2 + dot(y{i})^2)/2")
        potential.append(f"m{i}*g*y{i}")
        if kind == "rod":
            parameters[f"l{i}"] = math.hypot(new[0] - x, new[1] - y)
            constraints.append(f"{apart} = l{i}^2")
        else:
            parameters[f"k{i}"] = draw.uniform(1, 20)
            potential.append(f"k{i}*{apart}/2")
            v[f"x{i}"] = draw.uniform(-1, 1)
        if kind == "skate":
            coordinates.append(f"a{i}")
            q[f"a{i}"], v[f"a{i}"] = draw.uniform(0.3, 1.2), draw.uniform(-1, 1)
            parameters[f"J{i}"] = draw.uniform(0.1, 1)
            kinetic.append(f"J{i}*dot(a{i})^2/2")
            constraints.append(f"dot(x{i})*sin(a{i}) = dot(y{i})*cos(a{i})")
        if draw.random() < 0.4:
            parameters["d"] = 0.2
            forces[f"x{i}"] = f"-d*dot(x{i})"
        x, y = new
    model = {"coordinates": coordinates, "parameters": parameters, "constraints": constraints,
             "forces": forces, "lagrangian": f"{' + '.join(kinetic)} - ({' + '.join(potential)})"}
    return {"model": model, "initial": {"q": q, "v": v},
            "time": {"end": draw.uniform(1, 3), "samples": 6}}


def pendulum(**changes):
    """A rod in a plane with its bob's Cartesian coordinates."""
    model = {"coordinates": ["x", "y"], "parameters": {"l": 1, "g": 9.81, "m": 1},
             "lagrangian": "m*(dot(x)^2 + dot(y)^2)/2 - m*g*y", "constraints": ["x^2 + y^2 = l^2"]}
    return {"model": model, "initial": {"q": {"x": 0, "y": -1}}, "time": {"end": 10, "samples": 5},
            **changes}


def point(lagrangian, coordinates, initial, end=10, forces=None, **more):
    parameters = {"m": 1, "g": 9.81, "k": 3, "d": 0.5, "c": 1, "T": 1}
    used = [p for p in parameters if re.search(rf"\b{p}\b",
                                               lagrangian + json.dumps(forces or {})
                                               + json.dumps(more))]
    model = {"coordinates": coordinates, "parameters": {p: parameters[p] for p in used},
             "lagrangian": lagrangian, "forces": forces or {}, **more}
    return {"model": model, "initial": initial, "time": {"end": end, "samples": 5}}


FREE = "m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"
MOST_STEPS = 2500  # of each of these; those that resolve rounding take millions
# Motions in which something rests, to rounding, or grows from it: its size is rounding. How many
# steps that takes is compared roughly, and where it leads (a rod that stands falls anywhere) not.
RESTING = {
    "hangs": pendulum(),
    "hangs, stiff": pendulum(integrator={"method": "bdf", "rtol": 1e-7}),
    "stands": pendulum(initial={"q": {"x": 0, "y": 1}}),
    "stands beside": pendulum(initial={"q": {"x": 1e-17, "y": 1}}),
    "stands askew": pendulum(initial={"q": {"x": 0.6, "y": 0.8}}, time={"end": 2, "samples": 5}),
    "two springs": point("m*(dot(x)^2 + dot(y)^2)/2 - k*(x^2 + y^2 - x*y/3)/2 - m*g*(x - y/7)",
                         ["x", "y"],
                         {"q": {"x": 9.81 * 0.9795918367346939 / 3,
                                "y": 9.81 * 0.0204081632653 / 3}}),
    "slope": point("m*(dot(x)^2 + dot(y)^2)/2 - m*g*y", ["x", "y"], {}, constraints=["3*y = -2*x"]),
    "slope with drag": point("m*(dot(x)^2 + dot(y)^2)/2 - m*g*y", ["x", "y"], {}, 60,
                             {"x": "-d*dot(x)", "y": "-d*dot(y)"}, constraints=["3*y = -2*x"]),
    "plane in space": point(FREE + " - k*(x^2 + y^2 + z^2)/2", ["x", "y", "z"],
                            {"q": {"x": 1, "y": 0.3}, "v": {"y": 0.5}}),
    "askew plane in space":
        point(FREE + " - k*(x^2 + y^2 + z^2 + x*y + y*z)/2 - m*g*(x/3 + y/3 - 2*z/3)",
                                  ["x", "y", "z"], {}),
    "comes to rest": point("m*dot(x)^2/2 - k*x^2/2", ["x"],
                           {"q": {"x": 1}}, 300, {"x": "-d*dot(x)"}),
    "comes to rest, stiff": {**point("m*dot(x)^2/2 - k*x^2/2", ["x"], {"q": {"x": 1}}, 300,
                                     {"x": "-d*dot(x)"}),
                             "integrator": {"method": "bdf", "rtol": 1e-7}},
    "slides to rest": point("m*(dot(x)^2 + dot(y)^2)/2", ["x", "y"], {"v": {"x": 1, "y": 0.3}}, 300,
                            {"x": "-d*dot(x)", "y": "-d*dot(y)"}),
    "apart, at rest": point("m*(dot(x)^2 + dot(y)^2)/2 - k*x^2/2", ["x", "y"], {"q": {"x": 1}}),
    "pushed late": point("m*(dot(x)^2 + dot(y)^2)/2 - k*x^2/2", ["x", "y"], {},
                         forces={"x": "if(t < 5, 0, c*sin(t))"}),
    "pushed gently": point("m*(dot(x)^2 + dot(y)^2)/2 - k*x^2/2", ["x", "y"], {},
                           forces={"x": "c*t^4", "y": "c*(sin(t) - t)"}),
    "swells": point("m*dot(x)^2/2", ["x"], {}, forces={"x": "c*exp(-(t - 5)^2)"}),
    "unstable": point("m*(dot(x)^2 + dot(y)^2)/2 + k*x^2/2 - k*y^2/2", ["x", "y"],
                      {"q": {"x": 1e-17, "y": 1}}, 15),
    "lever in balance":
        point("m*dot(x)^2/2 + 0.3*m*(dot(y)^2 - 2*dot(x)*dot(y)/3) - m*g*x*0.7 + m*g*y*0.1",
                              ["x", "y"], {}, constraints=["x*0.1 = y*0.7"]),
    "wheel": point("m*(dot(x)^2 + dot(y)^2)/2 + m*l^2*dot(a)^2/5 - m*g*y", ["x", "y", "a"], {},
                   constraints=["y = 0", "x = l*a"]) ,
    "star": point(FREE + " + c/sqrt(x^2 + y^2 + z^2)", ["x", "y", "z"],
                  {"q": {"x": 1}, "v": {"y": 1.1}}, 30),
    "star from afar": point(FREE + " + c/sqrt(x^2 + y^2 + z^2)", ["x", "y", "z"],
                            {"q": {"x": 1}, "v": {"y": 0.01}}, 3),
}
RESTING["wheel"]["model"]["parameters"]["l"] = 0.5
# It grows from zero as a power of t, so every decade of its size takes as many steps, from the least
# size of 1e-100 on: units 1e12 as large add 12 decades to about a hundred.
STEPS_OF_RESTING = {"pushed gently": 0.15}


def coarse(job, step):
    return {**job, "integrator": {"method": "rk4", "step": step}}


# Motions of which two computations differ really.
DIFFERENT = {
    "coarse pendulum": coarse(pendulum(), 0.25) | {"initial": {"q": {"x": 0.6, "y": -0.8}}},
    "coarse knife edge": coarse(
        point("m*(dot(x)^2 + dot(y)^2)/2 + c*dot(a)^2/2 - m*g*y/20", ["x", "y", "a"],
              {"q": {"a": 0.3}, "v": {"x": 1, "a": 1.5}},
              constraints=["dot(x)*sin(a) = dot(y)*cos(a)"]), 0.5),
}


def hit(job, when, rates, direction="falling"):
    return {**job, "events": [{"name": "hit", "when": when, "direction": direction, "set": rates}]}


PLANE = "m*(dot(x)^2 + dot(y)^2)/2"
# Motions with impacts: of their texts only what is homogeneous.
IMPACTS = {
    "ball": hit(point("m*dot(y)^2/2 - m*g*y", ["y"], {"q": {"y": 1}}, 3),
                "y", {"dot(y)": "-0.8*dot(y)"}),
    "ball thrown up": hit(point("m*dot(y)^2/2 - m*g*y", ["y"], {"v": {"y": 3}}, 2), "y",
                          {"dot(y)": "-0.8*dot(y)"}),
    "ball into the floor": hit(point("m*dot(y)^2/2 - m*g*y", ["y"], {"v": {"y": -3}}, 2), "y",
                               {"dot(y)": "-0.8*dot(y)"}),
    "ball at rest": hit(point("m*dot(y)^2/2 - m*g*y", ["y"], {"q": {"y": -1e-17}}, 1),
                        "y", {"dot(y)": "0"}),
    "oscillator": hit(point(PLANE + " - k*(x^2 + 2*y^2)/2 - c*x^2*y/4",
                            ["x", "y"], {"q": {"x": 1, "y": 0.2}}, 20),
                      "x", {"dot(x)": "-0.9*dot(x)"}),
    "oscillator, stiff":
        {**hit(point(PLANE + " - k*(x^2 + 2*y^2)/2", ["x", "y"], {"q": {"x": 1, "y": 0.2}}, 10),
                                "x", {"dot(x)": "-0.9*dot(x)"}),
         "integrator": {"method": "bdf", "rtol": 1e-7}},
    "pendulum": hit(pendulum(initial={"q": {"x": 0.6, "y": -0.8}}), "x", {"dot(x)": "-0.7*dot(x)"}),
    "slows": hit(point("m*dot(x)^2/2 - k*x^2/2", ["x"], {"q": {"x": 1}}, 60, {"x": "-d*dot(x)"}),
                 "x",
                 {"dot(x)": "dot(x)/2"}),
}


def chain(links):
    """Rods in a row, too many for an elimination that is written out."""
    coordinates, kinetic, constraints, q = [], [], [], {}
    x = y = 0.0
    for i in range(links):
        x, y = x + math.sin(0.3 + 0.1 * i), y - math.cos(0.3 + 0.1 * i)
        q[f"x{i}"], q[f"y{i}"] = x, y
        coordinates += [f"x{i}", f"y{i}"]
        kinetic.append(f"m*(dot(x{i})^2 + dot(y{i})^2)/2 - m*g*y{i}")
        before = (f"x{i - 1}", f"y{i - 1}") if i else ("0", "0")
        constraints.append(f"(x{i} - {before[0]})^2 + (y{i} - {before[1]})^2 = l^2")
    model = {"coordinates": coordinates, "parameters": {"l": 1, "g": 9.81, "m": 1},
             "lagrangian": " + ".join(kinetic), "constraints": constraints}
    return {"model": model, "initial": {"q": q}, "time": {"end": 1, "samples": 5}}


def indefinite(kinetic, coordinates, initial, constraints):
    model = {"coordinates": coordinates,
             "parameters": {"l": 0.5, "g": 9.81, "m": 1, "k": 3, "J": 0.2},
             "lagrangian": kinetic, "constraints": constraints}
    return {"model": model, "initial": initial, "time": {"end": 1, "samples": 5}}


# Models whose accelerations and multipliers are solved for together, with pivots at run time: long
# ones, and such whose M is indefinite or singular.
PIVOTED = {
    "chain of nine": chain(9),
    "light and dark":
        indefinite("m*(dot(x)^2 - dot(y)^2)/2 - k*(x^2 - y^2)/2 - J*dot(a)^2/2 - m*g*l*cos(a)",
                                 ["x", "y", "a"], {"q": {"x": 1, "y": 0.3, "a": 0.4}}, []),
    "crossed": indefinite(
        "m*dot(x)*dot(y) + m*l*dot(a)*dot(x)/3 + J*dot(a)^2/2 + m*dot(z)^2/2 - k*x*y - m*g*z",
                          ["x", "y", "a", "z"],
                          {"q": {"x": 0.3, "y": 0.1, "a": 0.4, "z": 0.5*math.sin(0.4)},
                                                 "v": {"x": 0.2, "a": 1}}, ["z = l*sin(a)"]),
    "crossed, with a rod": indefinite(
        "m*dot(x)*dot(y) + m*(dot(u)^2 + dot(w)^2)/2 - k*x*y - m*g*w - k*(x - u)^2/2",
        ["x", "y", "u", "w"],
        {"q": {"x": 0.3, "y": 0.1, "u": 0.3, "w": -0.4}, "v": {"x": 0.2, "y": -0.1}},
        ["u^2 + w^2 = l^2"]),
    "light and dark, on an edge": indefinite(
        "m*(dot(x)^2 + dot(y)^2)/2 - J*dot(a)^2/2 - k*x*y/2", ["x", "y", "a"],
        {"q": {"a": 0.4, "x": 1}, "v": {"x": 0.2, "a": 1}}, ["dot(x)*sin(a) = dot(y)*cos(a)"]),
    "without mass": indefinite("m*dot(x)^2/2 - k*(x - s)^2/2 - m*dot(y)^2/2 - k*y^2/3",
                               ["x", "s", "y"],
                               {"q": {"x": 0.3, "s": 0.19, "y": 0.2}}, ["2*s = x + y^2/l"]),
}


def is_pivoted(name, job):
    elimination = outcome(bare(job)).get("diagnostics", {}).get("elimination")
    return [] if elimination == "pivoted" else [f"{name}: solved by {elimination}"]


def seen(name, job):
    """Mistakes, as texts: nothing in the evidence of the job tells that its motion is wrong."""
    done = outcome(with_opinions(bare(job)))["diagnostics"]
    found = {n: max(c["relative"] for c in columns.values())
             for n, columns in opinions(done).items()}
    wrong = [f"{name}: {n} differs by no more than {worst:.3g}" for n, worst in found.items()
             if worst < 1e-3]
    if len(found) < 2 or not any("differs from this motion" in w for w in done["warnings"]):
        wrong.append(f"{name}: no warning tells of {found}")
    return wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--random", type=int, default=100)
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    program.require("scale.py")
    models = os.path.join(program.HERE, "..", "models")
    jobs = {os.path.basename(p)[:-5]: p for p in sorted(glob.glob(f"{models}/*.json"))}
    wrong, tried = [], 0
    for name in options.names or jobs:
        if name not in jobs:
            continue
        job = json.load(open(jobs[name]))["job"]
        job["model"] = program.without_units(job["model"])
        if "boundary" in job:
            continue
        found, count = check(name, job, EXPONENTS, steps=STEPS.get(name, 0.02))
        wrong, tried = wrong + found, tried + count
        found, count = check_reduced(name, job)
        wrong, tried = wrong + found, tried + count
    for name, job in RESTING.items():
        if not options.names or name in options.names:
            found, count = check(name, job, EXPONENTS, steps=STEPS_OF_RESTING.get(name, 0.1), spare=20,
                                 end=False)
            steps = outcome(job)["diagnostics"]["steps"]["accepted"]
            if steps > MOST_STEPS:
                found.append(f"{name}: {steps} steps")
            wrong, tried = wrong + found, tried + count
    for name, job in PIVOTED.items():
        if not options.names or name in options.names:
            found, count = check(name, job, EXPONENTS)
            wrong, tried = wrong + is_pivoted(name, job) + found, tried + count
    for name, job in IMPACTS.items():
        if not options.names or name in options.names:
            for formulation in ("lagrange-dalembert", "hamiltonian", "hamel"):
                found, count = check(f"{name}, {formulation}", {**job, "formulation": formulation},
                                     EXPONENTS, own=("events", "formulation"))
                wrong, tried = wrong + found, tried + count
    for name, job in DIFFERENT.items():
        if not options.names or name in options.names:
            found, count = check(name, job, EXPONENTS)
            wrong, tried = wrong + seen(name, job) + found, tried + count
    print(f"scale: {tried} jobs of the catalog in other units, seed {options.seed}")
    draw = random.Random(options.seed)
    for i in range(0 if options.names else options.random):
        job = random_job(draw)
        own = ()
        if i % 2:
            job, own = {**job, "formulation": ("hamel", "hamiltonian",
                                               "voronec")[i // 2 % 3]}, ("formulation",)
        found, count = check(f"random {i} {job.get('formulation', '')}",
                             job, [draw.randint(-12, 12)], own)
        wrong, tried = wrong + found, tried + count
    for line in wrong:
        print("scale:", line)
    print(f"scale: {tried} jobs in other units, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
