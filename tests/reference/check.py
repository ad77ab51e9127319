#!/usr/bin/env python3
"""Compares the program with the reference motions of this folder (see README.md).

    tests/reference/check.py [--markdown] [NAME...]

Runs `dalembert simulate` on every catalog system, with rtol 1e-13, at the sample times of its
reference, and checks: coordinates, velocities and multipliers at the samples; accelerations,
reaction forces and multipliers at the start; the invariants; the classification of the
constraints; the constraint residuals and the energy balance that the program reports; that a
second run gives the same bytes; and that the catalog's job runs as it stands. A vakonomic motion is
also compared with the nonholonomic one that it is said to equal, or not to; a path of least action
with the action and the Jacobi determinant. The binary is
$DALEMBERT_BIN or build/dalembert.
"""
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import program  # noqa: E402


# What the project promises: errors over 1 + |value|, motions also over the sensitivity.
MOTION_LIMIT = 1e-10
FACT_LIMIT = 1e-12  # no integration between the start and these
DIFFERENT = 1e-2  # what tells one motion from another
RESIDUAL_LIMIT = 1e-13
BALANCE_LIMIT = 1e-11

# Systems whose chart makes them another system of the catalog: the formulation, and the partner.
PARTNERS = {
    "rheonomic-circle-external": ("intrinsic", "rheonomic-circle-intrinsic"),
    "rheonomic-pendulum-external": ("intrinsic", "rheonomic-pendulum-intrinsic"),
    "particle-fixed-frame": ("moving-frame", "particle-moving-frame-shifted-clock"),
    "sphere-on-rotating-plane": ("moving-frame", "sphere-on-rotating-plane-moving-frame"),
    "sphere-on-table-variable-speed": ("moving-frame",
                                       "sphere-on-table-variable-speed-moving-frame"),
}

# Systems that the formulation chaplygin reduces to others of the catalog: partners whose time is
# the old one, and those in the new time tau, with the instant of the old one and N that belong to
# one of their samples. N is 1 at the start of a run, so it and tau are theirs divided by their N.
REDUCED = {"disc-variable-circle-balanced": "disc-variable-circle-reduced"}
IN_NEW_TIME = {
    "disc-variable-circle-balanced": (
        "disc-variable-circle-hamiltonized",
        lambda p, sample: (sample["q"]["z"], 1 / sample["v"]["z"]),
    ),
    "damped-oscillator-t": (
        "damped-oscillator-tau",
        lambda p, sample: (math.log1p(p["B0"] * sample["t"] / p["N0"]) / p["B0"],
                           p["B0"] * sample["t"] + p["N0"]),
    ),
}


def load(name):
    with open(os.path.join(HERE, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def error(value, reference):
    return abs(value - reference) / (1 + abs(reference))


class Check:
    """One reference and what came of it."""

    def __init__(self, reference):
        self.reference = reference
        self.name = reference["id"]
        self.problems = []
        self.motion = self.facts = self.residual = self.balance = 0.0
        self.sensitivity = max(1.0, reference["sensitivity_of_last_sample"])
        self.steps = 0

    def prepare(self, job):
        """Turns the catalog's job into one at the sample times, observing what the facts and
        invariants need."""
        initial = self.reference["initial"]
        observe = {}
        for coordinate in initial["q"]:
            observe[f"check_ddot_{coordinate}"] = f"ddot({coordinate})"
            observe[f"check_reaction_{coordinate}"] = f"reaction({coordinate})"
        for invariant in self.reference["invariants"]:
            observe["check_" + invariant["name"]] = invariant["expression"]
        job["observe"] = observe
        job["time"] = {"at": [initial["t"]] + [s["t"] for s in self.reference["samples"]]}
        job["integrator"] = {"rtol": 1e-13, "atol": 1e-15}

    def at_most(self, what, value, limit):
        if not value <= limit:
            self.problems.append(f"{what} {value:.2e} > {limit:.0e}")

    def compare_motion(self, series, multipliers):
        for k, sample in enumerate(self.reference["samples"], 1):
            pairs = [(series[q], value) for q, value in sample["q"].items()]
            pairs += [(series[f"dot({q})"], value) for q, value in sample["v"].items()]
            pairs += [(series[m], v) for m, v in zip(multipliers, sample["multipliers"])]
            for column, value in pairs:
                self.motion = max(self.motion, error(column[k], value))
        for invariant in self.reference["invariants"]:
            column = series["check_" + invariant["name"]]
            if invariant["conserved"]:
                expected = [invariant["value"]] * len(column)
            else:
                expected = [invariant["value_at_start"]] + invariant["values_at_samples"]
            for got, value in zip(column, expected):
                self.motion = max(self.motion, error(got, value))
        self.at_most("scaled error of the motion", self.motion / self.sensitivity, MOTION_LIMIT)

    def compare_start(self, series, multipliers):
        initial, facts = self.reference["initial"], self.reference["facts"]
        pairs = [(series[q][0], value) for q, value in initial["q"].items()]
        pairs += [(series[f"dot({q})"][0], value) for q, value in initial["v"].items()]
        for q, value in facts.get("acceleration_at_start", {}).items():
            pairs.append((series[f"check_ddot_{q}"][0], value))
        for q, value in facts.get("reaction_force_at_start", {}).items():
            pairs.append((series[f"check_reaction_{q}"][0], value))
        for name, value in zip(multipliers, facts.get("multipliers_at_start", [])):
            pairs.append((series[name][0], value))
        self.facts = max(error(got, value) for got, value in pairs)
        self.at_most("error at the start", self.facts, FACT_LIMIT)

    def compare_partner(self, series):
        """The nonholonomic motion from the same state, at the sample times that both have."""
        facts = self.reference["facts"]
        partner = facts.get("same_motion_as") or facts.get("differs_from")
        if not partner:
            return
        with open(os.path.join(HERE, partner + ".json"), encoding="utf-8") as stream:
            samples = {s["t"]: s for s in json.load(stream)["samples"]}
        difference = max(error(series[q][k], value)
                         for k, t in enumerate(series["t"]) if t in samples
                         for q, value in samples[t]["q"].items())
        if "same_motion_as" in facts:
            self.at_most(f"difference from {partner}", difference / self.sensitivity, MOTION_LIMIT)
        elif difference < DIFFERENT:
            self.problems.append(f"no other motion than {partner}: {difference:.2e}")

    def compare_structure(self, model):
        report = program.run("check", model).splitlines()
        constraints = model.get("constraints", [])
        facts = self.reference["facts"].get("classification", [])
        for constraint, fact in zip(constraints, facts, strict=True):
            expected = fact["kind"] + (", time-dependent" if fact["time_dependent"] else "")
            if [constraint["name"], expected] not in [line.split(None, 1) for line in report]:
                self.problems.append(f"{constraint['name']} should be {expected}")

    def compare_evidence(self, document):
        diagnostics = document["diagnostics"]
        self.steps = diagnostics["steps"]["accepted"]
        self.residual = max((c["max"] for c in diagnostics["constraints"]), default=0.0)
        self.balance = diagnostics["energy"]["balance_scaled"]
        self.at_most("constraint residual", self.residual, RESIDUAL_LIMIT)
        self.at_most("energy balance", self.balance, BALANCE_LIMIT)
        conserved = self.reference["facts"].get("energy_conserved")
        for verdict in document["invariants"]["invariants"]:
            if verdict["name"] == "energy" and conserved is not None:
                if verdict["predicted"] != ("yes" if conserved else "no"):
                    self.problems.append(f"energy conserved: {conserved}, but predicted "
                                         f"{verdict['predicted']}")

    def compare_solution(self, document):
        """Of a least-action problem: the action and what kind of extremum it is."""
        if "action" not in self.reference:
            return
        facts, found = self.reference["facts"], document["diagnostics"]["solutions"][0]
        self.motion = max(self.motion, error(found["action"], self.reference["action"]),
                          error(found["jacobi_determinant"], facts["jacobi_determinant_at_end"]))
        self.at_most("error of the action", self.motion, MOTION_LIMIT)
        self.at_most("first variation", found["first_variation"], MOTION_LIMIT)
        for fact in ("kind", "conjugate_points"):
            if found[fact] != facts[fact]:
                self.problems.append(f"{fact} is {found[fact]}, not {facts[fact]}")

    def compare_chart(self, job):
        """The same motion in the coordinates of the chart: its columns are the partner's motion."""
        formulation, partner = PARTNERS[self.name]
        other = load(partner)
        document = json.loads(program.run("simulate", {**job, "formulation": formulation}))
        series = document["result"]["series"]
        multipliers = [c for c in series if c.startswith("multiplier(")]
        self.compare_motion(series, multipliers)
        self.compare_start(series, multipliers)
        self.compare_evidence(document)
        clock = job["model"]["chart"].get("clock", 0)
        # the chart's own names are those of the partner in capitals, where they have to differ
        names = [c if isinstance(c, str) else c["name"]
                 for c in job["model"]["chart"]["coordinates"]]
        chart = {name.lower(): name for name in names}
        for k, sample in enumerate([other["initial"]] + other["samples"]):
            pairs = [(series["t"][k] - clock, sample["t"]),
                     (series.get("t'", series["t"])[k], sample["t"])]
            pairs += [(series[chart[q]][k], value) for q, value in sample["q"].items()]
            pairs += [(series[f"dot({chart[q]})"][k], v) for q, v in sample["v"].items()]
            self.motion = max([self.motion] + [error(got, value) for got, value in pairs])
        self.at_most(f"scaled error of {formulation}", self.motion / self.sensitivity, MOTION_LIMIT)

    def chaplygin(self, job, initial, times):
        """The series of the reduced motion, without its row at the start, if that is not asked
        for."""
        document = json.loads(program.run("simulate", {
            "model": job["model"], "parameters": job.get("parameters", {}), "initial": initial,
            "formulation": "chaplygin", "integrator": job["integrator"], "time": {"at": times}}))
        return {name: column[-len(times):] for name, column in document["result"]["series"].items()}

    def compare_reduced(self, job):
        """The motion on the base is that of the reduced system."""
        partner = load(REDUCED[self.name])
        series = self.chaplygin(job, job["initial"], [s["t"] for s in partner["samples"]])
        self.motion = max([self.motion] + [
            error(column[k], value)
            for k, sample in enumerate(partner["samples"])
            for values, name in ((sample["q"], "{}"), (sample["v"], "dot({})"))
            for q, value in values.items() for column in [series[name.format(q)]]])
        self.at_most("scaled error of chaplygin", self.motion / self.sensitivity, MOTION_LIMIT)

    def compare_in_new_time(self, job):
        """At the same instants q is the partner's, dq/dtau = (dq/dt)/N, and so are tau and N."""
        name, instant = IN_NEW_TIME[self.name]
        partner = load(name)
        p = program.parameters(name)
        samples, first = partner["samples"], partner["initial"]
        n0 = instant(p, first)[1]
        own = [q for q in first["q"] if q in self.reference["initial"]["q"]]
        initial = {"q": job["initial"].get("q", {}), "v": {q: n0 * first["v"][q] for q in own}}
        series = self.chaplygin(job, initial, [instant(p, s)[0] for s in samples])
        pairs = []
        for k, sample in enumerate(samples):
            n = instant(p, sample)[1]
            pairs += [(series["N"][k] * n0, n), (series["tau"][k] * n0, sample["t"])]
            pairs += [(series[q][k], sample["q"][q]) for q in own]
            pairs += [(series[f"dot({q})"][k] / n, sample["v"][q]) for q in own]
        self.motion = max([self.motion] + [error(got, value) for got, value in pairs])
        self.at_most("scaled error in tau", self.motion / self.sensitivity, MOTION_LIMIT)

    def run(self):
        try:
            job = program.catalog(self.name)
            if not json.loads(program.run("simulate", job))["result"]["complete"]:
                self.problems.append("the catalog's job does not run to its end")
            self.prepare(job)
            document = json.loads(program.run("simulate", job))
            result = document["result"]
            again = json.loads(program.run("simulate", job))["result"]
            if json.dumps(result) != json.dumps(again):
                self.problems.append("a second run gave other bytes")
            multipliers = [c for c in result["columns"] if c.startswith("multiplier(")]
            self.compare_motion(result["series"], multipliers)
            self.compare_start(result["series"], multipliers)
            self.compare_partner(result["series"])
            self.compare_solution(document)
            self.compare_evidence(document)
            self.compare_structure(job["model"])
            if self.name in PARTNERS:
                self.compare_chart(job)
            if self.name in REDUCED:
                self.compare_reduced(job)
            if self.name in IN_NEW_TIME:
                self.compare_in_new_time(job)
        except (program.Refused, KeyError, IndexError, ValueError,
                subprocess.TimeoutExpired) as failure:
            self.problems.append(f"{type(failure).__name__}: {failure}")


COLUMNS = ("system", "error", "scaled error", "start", "residual", "balance", "steps")


def row(check):
    return (check.name, f"{check.motion:.1e}", f"{check.motion / check.sensitivity:.1e}",
            f"{check.facts:.1e}", f"{check.residual:.1e}", f"{check.balance:.1e}", str(check.steps))


def print_table(checks, markdown):
    if markdown:
        print("| " + " | ".join(COLUMNS) + " |")
        print("|---" + "|---:" * (len(COLUMNS) - 1) + "|")
        for check in checks:
            print("| " + " | ".join(row(check)) + " |")
        return
    layout = "{:45}" + "{:>13}" * (len(COLUMNS) - 1)
    print(layout.format(*COLUMNS))
    for check in checks:
        print(layout.format(*row(check)))
        for problem in check.problems:
            print(f"    FAILED: {problem}")


def main(arguments):
    program.require("references")
    markdown = "--markdown" in arguments
    names = [a for a in arguments if not a.startswith("-")]
    checks = []
    for file in sorted(os.listdir(HERE)):
        name = file.removesuffix(".json")
        if name == file or (names and name not in names):
            continue
        with open(os.path.join(HERE, file), encoding="utf-8") as stream:
            checks.append(Check(json.load(stream)))
    if not checks:
        sys.exit(f"references: there is no tests/reference/{' or '.join(names)}.json")
    for check in checks:
        check.run()
    print_table(checks, markdown)
    failed = [c.name for c in checks if c.problems]
    worst = {key: max((getattr(c, key) for c in checks), default=0.0)
             for key in ("motion", "residual", "balance")}
    scaled = max((c.motion / c.sensitivity for c in checks), default=0.0)
    summary = (f"references: {len(checks) - len(failed)} of {len(checks)} systems pass, largest "
               f"error "
               f"{worst['motion']:.1e} (scaled {scaled:.1e}), residual {worst['residual']:.1e}, "
               f"balance {worst['balance']:.1e}")
    print("\n" + summary[0].upper() + summary[1:] + "." if markdown else summary)
    for name in failed if markdown else ():
        print(f"failed: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
