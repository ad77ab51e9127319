#!/usr/bin/env python3
"""The step size follows the motion alone: not the length of the run, not a neighbor, not a unit.

    tests/stepping.py [--random N] [NAME ...]

For systems of the catalog and random ones:
* runs whose end is 10, 1e3 and 1e6 times as far, which a terminal event ends, have the same rows,
  to the bit, and as many steps;
* an uncoupled neighbor (heavy, light, slow, fast, moving evenly, at rest) changes the others by at
  most 100 times the larger of rtol and the change that rtol / 10 makes in the job alone;
* from rest the error falls by 1e4 between rtol 1e-6 and 1e-12, down to rounding;
* decays take at most 3 times the steps of the same job with sizes. Stiff motions go to bdf, others
  never do.
The program is $DALEMBERT_BIN or build/dalembert.
"""
import argparse
import copy
import math
import random
import sys

import program
import scale

FAR = (10, 1e3, 1e6)
METHODS = ("dop853", "bdf")
FORMULATIONS = ("lagrange-dalembert", "voronec", "hamel", "hamiltonian")
MAX_STEPS = 20000


def run(job, **integrator):
    """The answer, or None if the motion has none."""
    job = copy.deepcopy(job)
    job["integrator"] = {**job.get("integrator", {}), "max_steps": MAX_STEPS, **integrator}
    job["analyses"] = []
    try:
        answer = program.simulate(job)
    except program.Refused:
        return None
    return answer if answer["job"]["state"] == "succeeded" else None


def rows_of(answer):
    return answer["result"]["series"]


def span_of(job):
    time = job["time"]
    start = job["initial"].get("t", 0)
    end = time["at"][-1] if "at" in time else time["end"]
    return start, end


def lengthened(job, factor):
    """The job to a far end, with a terminal event at the old one and the same instants."""
    if "initial" not in job:
        return None
    start, end = span_of(job)
    if not all(isinstance(x, (int, float)) for x in (start, end)):
        return None
    job = copy.deepcopy(job)
    job.pop("boundary", None)
    length = end - start
    instants = [start + length * k / 8 for k in range(8)]
    job["time"] = {"at": instants + [start + factor * length]}
    job["events"] = [{"name": "over", "when": f"t - ({end!r})", "terminal": True}]
    for name in ("accuracy", "compare", "sensitivities", "vary", "ensemble", "observe"):
        job.pop(name, None)
    return job


def check_ends(name, job, method):
    found = []
    for factor in FAR:
        longer = lengthened(job, factor)
        answer = longer and run(longer, method=method)
        if not answer:
            return [], 0
        rows = {k: column[:8] for k, column in rows_of(answer).items()}
        found.append((rows, answer["diagnostics"]["steps"]["accepted"]))
    wrong = [f"{name}, {method}: end {factor:g} times as far: other rows or steps ({found[0][1]}, "
             f"{f[1]})"
             for factor, f in zip(FAR[1:], found[1:]) if f != found[0]]
    return wrong, 1


# An oscillator, its mass and what moves it.
NEIGHBORS = {
    "heavy": ("1e12*(dot(n_)^2 - n_^2)/2", {"n_": 1}, {}),
    "light": ("1e-12*(dot(n_)^2 - n_^2)/2", {"n_": 1}, {}),
    "slow": ("(dot(n_)^2 - 1e-8*n_^2)/2", {"n_": 1}, {}),
    "fast": ("(dot(n_)^2 - 1e4*n_^2)/2", {"n_": 1}, {}),
    "even": ("dot(n_)^2/2", {"n_": 1e6}, {"n_": 1e3}),
    "resting": ("dot(n_)^2/2 - n_^2/2", {}, {}),
}

MODELS = {
    "kick": ({"coordinates": ["y"], "lagrangian": "dot(y)^2/2",
              "forces": {"y": "exp(-((t - 5)/0.5)^2)/(0.5*sqrt(pi))"}}, {}, {}, 10),
    "from rest": ({"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - (y - 1)^2/2"}, {}, {}, 30),
    "pendulum": ({"coordinates": ["y"], "lagrangian": "dot(y)^2/2 + cos(y)"}, {"y": 2}, {}, 20),
    "kepler": ({"coordinates": ["y", "z"],
                "lagrangian": "(dot(y)^2 + dot(z)^2)/2 + 1/sqrt(y^2 + z^2)"},
               {"y": 1}, {"z": 0.7}, 20),
    "drag": ({"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - y", "forces": {"y": "-dot(y)"}},
             {}, {}, 20),
    "rod": ({"coordinates": ["y", "z"], "lagrangian": "(dot(y)^2 + dot(z)^2)/2 - z",
             "constraints": ["y^2 + z^2 = 1"]}, {"y": 1}, {}, 10),
}


def job_of(name):
    model, q, v, end = MODELS[name]
    return {"model": copy.deepcopy(model), "initial": {"q": dict(q), "v": dict(v)},
            "time": {"end": end, "samples": 21}}


def difference(a, b, names):
    """The largest difference over the size of each column."""
    worst = 0
    for name in names:
        size = max(map(abs, b[name])) or 1
        worst = max(worst, max(abs(x - y) for x, y in zip(a[name], b[name])) / size)
    return worst


def check_neighbors(name, method):
    job = job_of(name)
    rtol = 1e-8
    alone, closer = run(job, method=method, rtol=rtol), run(job, method=method, rtol=rtol / 10)
    names = [k for k in rows_of(alone) if k != "t"]
    limit = 100 * max(rtol, difference(rows_of(alone), rows_of(closer), names))
    wrong = []
    for kind, (lagrangian, q, v) in NEIGHBORS.items():
        beside = copy.deepcopy(job)
        beside["model"]["coordinates"].append("n_")
        beside["model"]["lagrangian"] += " + " + lagrangian
        beside["initial"]["q"].update(q)
        beside["initial"]["v"].update(v)
        answer = run(beside, method=method, rtol=rtol, max_steps=200000)
        off = difference(rows_of(answer), rows_of(alone), names) if answer else math.inf
        if off > limit:
            wrong.append(f"{name}, {method}, {kind} neighbor: off by {off:.1e}, allowed "
                         f"{limit:.1e}")
    return wrong, len(NEIGHBORS)


def check_tolerances(name):
    """The error against rtol 1e-14."""
    job = job_of(name)
    truth = rows_of(run(job, rtol=1e-14))
    names = [k for k in truth if k != "t"]
    loose, tight = (difference(rows_of(run(job, rtol=r)), truth, names) for r in (1e-6, 1e-12))
    ok = tight <= max(1e-4 * loose, 1e-12)
    return ([] if ok else [f"{name}: error {loose:.1e} at rtol 1e-6, {tight:.1e} at 1e-12"]), 1


def steps(answer):
    return answer["diagnostics"]["steps"]["accepted"] + answer["diagnostics"]["steps"]["rejected"]


def check_decays():
    wrong = []
    damped = {"model": {"coordinates": ["x"], "lagrangian": "(dot(x)^2 - x^2)/2",
                        "forces": {"x": "-0.2*dot(x)"}},
              "initial": {"q": {"x": 1}}, "time": {"end": 400, "samples": 2}}
    capacitor = {"model": {"coordinates": ["q"], "lagrangian": "1e-9*dot(q)^2/2 - q^2/2 + q",
                           "forces": {"q": "-dot(q)"}},
                 "initial": {}, "time": {"end": 10, "samples": 2}}
    for job, method, sizes in ((damped, "dop853", {"x": 1, "dot(x)": 1}),
                               (capacitor, "bdf", {"q": 1, "dot(q)": 1})):
        free, sized = run(job, method=method), run(job, method=method, atol=1e-12, nominal=sizes)
        if steps(free) > 3 * steps(sized):
            wrong.append(f"decay, {method}: {steps(free)} steps, with sizes {steps(sized)}")
    return wrong, 2


def check_stiffness():
    """Stiff motions go to bdf; a fast oscillator and Kepler's do not."""
    oscillator = {"model": {"coordinates": ["x"], "lagrangian": "(dot(x)^2 - 1e6*x^2)/2"},
                  "initial": {"q": {"x": 1}}, "time": {"end": 100, "samples": 2}}
    kepler = job_of("kepler")
    kepler["time"] = {"end": 3000, "samples": 2}
    slider = {"model": {"coordinates": ["x", "y"],
                        "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - y^2/2 - 50*(x - y)^2",
                        "forces": {"x": "-1e6*dot(x)"}},
              "initial": {"q": {"x": 1}}, "time": {"end": 20, "samples": 2}}
    relaxation = {"model": {"coordinates": ["x"], "lagrangian": "(dot(x)^2 - x^2)/2",
                            "forces": {"x": "1e6*(1 - x^2)*dot(x)"}},
                  "initial": {"q": {"x": 2}}, "time": {"end": 2e6, "samples": 2}}
    rod = {"model": {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
                     "constraints": ["x^2 + y^2 = 1"],
                     "forces": {"x": "-1e6*dot(x)", "y": "-1e6*dot(y)"}},
           "initial": {"q": {"x": 1}}, "time": {"end": 20, "samples": 2}}
    wrong = []
    for name, job, stiff in (("fast oscillator", oscillator, False), ("kepler", kepler, False),
                             ("slider", slider, True), ("relaxation", relaxation, True),
                             ("rod", rod, True)):
        answer = run(job, rtol=1e-9, max_steps=1000000)
        used = [use["method"] for use in answer["diagnostics"]["provenance"]["methods"]]
        if used != (["dop853", "bdf"] if stiff else ["dop853"]):
            wrong.append(f"{name}: methods {used}")
        if stiff and (steps(answer) > MAX_STEPS or answer["job"]["warnings"]):
            wrong.append(f"{name}: {steps(answer)} steps, {answer['job']['warnings']}")
    return wrong, 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    program.require("stepping.py")
    wrong, count = [], 0
    checks = [(check_ends, name, program.catalog(name), method)
              for name in arguments.names or program.names() for method in METHODS[:1]]
    if not arguments.names:
        checks += [(check_ends, name, job_of(name), method)
                   for name in MODELS for method in METHODS]
        checks += [(check_neighbors, name, method) for name in MODELS for method in METHODS]
        checks += [(check_tolerances, name) for name in MODELS]
        checks += [(check_decays,), (check_stiffness,)]
    draw = random.Random(7)
    for k in range(arguments.random):
        job = {**scale.random_job(draw), "formulation": FORMULATIONS[k % len(FORMULATIONS)]}
        checks.append((check_ends, f"random {k}, {job['formulation']}",
                       job, METHODS[k // len(FORMULATIONS) % 2]))
    for check, *rest in checks:
        found, n = check(*rest)
        wrong += found
        count += n
    print("\n".join(wrong + [f"stepping: {count} checks, {len(wrong)} differences"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
