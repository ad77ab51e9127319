#!/usr/bin/env python3
"""Every analysis on every system of the catalog, against the facts of tests/reference.

    tests/invariants.py [NAME...]

Runs `dalembert simulate` on each system with all analyses that the program has (but lyapunov, and
those whose options nobody gave), and checks that

 * none fails, unless it says that it does not apply to motions of this kind;
 * every verdict has a reason, and what is predicted to be conserved is conserved on the motion;
 * nothing is called likely that the motion contradicts;
 * energy, reactions, integrability, curvature, ranks, consistency and Floquet multipliers are as
   tests/reference says.

bench/catalog.py tells how long they take. The binary is $DALEMBERT_BIN or build/dalembert.
"""
import sys

import program

ANALYSES = ["energy", "momenta", "reactions", "reaction_annihilator", "gauge_momenta",
            "moving_energy", "discovery", "structure", "consistency", "measure", "action",
            "linearise"]
LIMIT = 1e-11
# What an analysis may say instead of an answer.
DOES_NOT_APPLY = ("this analysis linearises the latter", "linearised only where it is smooth",
                  "not of vakonomic ones", "motions that keep their multipliers",
                  "there is no closed form of the reduced motion")
# Facts by the name of the verdict that states them.
VERDICTS = {
    "energy_conserved": "energy",
    "reaction_identically_zero": "reaction_vanishes",
    "reaction_does_no_work": "reaction_does_no_work",
    "affine_part_in_reaction_annihilator": "affine_part",
    "integrable": "integrable",
    "integrable_at_frozen_time": "integrable at frozen time",
}


class System:
    """One system and what came of it."""

    def __init__(self, name):
        self.name = name
        self.reference = program.reference(name)
        self.facts = self.reference["facts"]
        self.problems = []
        self.checked = 0

    def expect(self, what, value, fact):
        self.checked += 1
        if isinstance(fact, float):
            wrong = not abs(value - fact) <= LIMIT * (1 + abs(fact))
        else:
            wrong = value != fact
        if wrong:
            self.problems.append(f"{what} is {value}, not {fact}")

    def job(self):
        analyses = [a for a in ANALYSES if program.has_analysis(a)]
        coefficients = self.facts.get("curvature_at_start")
        if coefficients and "structure" in analyses:
            dependent = list(dict.fromkeys(key[2:key.index("]")] for key in coefficients))
            analyses[analyses.index("structure")] = {"name": "structure", "dependent": dependent}
        if "period" in self.facts and program.has_analysis("floquet"):
            analyses.append({"name": "floquet", "period": self.facts["period"]})
        return program.catalog(self.name, analyses=analyses)

    def check_verdicts(self, verdicts):
        for verdict in verdicts:
            name = verdict["name"]
            if not (verdict["reason"] or "").endswith("."):
                self.problems.append(f"{name} has no reason")
            if program.denies_motion(verdict):
                self.problems.append(
                    f"{name} is likely, but drifts by {verdict['observed']['max_drift']:.3g}")
            if (verdict["predicted"] == "yes" and verdict["kind"] != "consistency"
                    and not verdict.get("observed", {}).get("conserved", True)):
                self.problems.append(f"{name} is predicted, but drifts by "
                                     f"{verdict['observed']['max_drift']:.3g}")

    def check_failures(self, findings):
        for name, record in findings.items():
            reason = record.get("failed") if isinstance(record, dict) else None
            if reason and not any(text in reason for text in DOES_NOT_APPLY):
                self.problems.append(f"{name} failed: {reason}")

    def check_facts(self, verdicts, findings):
        predicted = {v["name"]: v["predicted"] for v in verdicts}
        for fact, name in VERDICTS.items():
            if fact in self.facts and name in predicted:
                self.expect(name, predicted[name], "yes" if self.facts[fact] else "no")
        curvature = findings.get("curvature", {})
        for fact, place in (("rank_of_curvature", "extended"),
                            ("rank_of_curvature_at_frozen_time", "frozen")):
            if fact in self.facts and place in curvature:
                self.expect(fact, curvature[place]["rank"], self.facts[fact])
        for name, value in self.facts.get("curvature_at_start", {}).items():
            if "coefficients" in curvature:
                self.expect(name, curvature["coefficients"].get(name), float(value))
        rank = self.facts.get("rank_of_reaction_annihilator")
        annihilator = findings.get("reaction_annihilator", {})
        if rank is not None and annihilator:
            for point in annihilator["points"] + annihilator["random_configurations"]:
                self.expect("rank of the reaction-annihilator", point["rank"], rank)
        consistent = self.facts.get("consistent_on_momenta")
        sections = findings.get("consistency", {}).get("sections")
        if consistent is not None and sections:
            self.expect("consistency on mu = p", sections[0]["strong"],
                        "yes" if consistent else "no")
        consistent = self.facts.get("consistent_on_momenta_plus_integrals")
        if consistent is not None and sections:
            self.expect("consistency", findings["consistency"]["strong"],
                        "yes" if consistent else "no")

    def check_floquet(self, found):
        self.expect("the trace", found["trace"], self.facts["trace"])
        self.expect("the determinant", found["determinant"], self.facts["determinant"])
        self.expect("stable", found["stable"], "yes" if self.facts["stable"] else "no")
        for row, facts in zip(found["monodromy"], self.facts["monodromy"], strict=True):
            for value, fact in zip(row, facts, strict=True):
                self.expect("the period map", value, fact)

    def check(self):
        try:
            answer = program.simulate(self.job())
            findings = answer["invariants"]
            verdicts = findings.pop("invariants")
            self.check_verdicts(verdicts)
            self.check_failures(findings)
            self.check_facts(verdicts, findings)
            if "period" in self.facts and "floquet" in findings:
                self.check_floquet(findings["floquet"])
        except (program.Refused, KeyError, ValueError, TypeError) as failure:
            self.problems.append(f"{type(failure).__name__}: {failure}")
        return self


def main(arguments):
    program.require("invariants")
    only = [a for a in arguments if not a.startswith("-")]
    systems = [System(name).check() for name in only or program.names()]
    for system in systems:
        for problem in system.problems:
            print(f"FAILED: {system.name}: {problem}")
    failed = [s for s in systems if s.problems]
    print(f"invariants: {len(systems) - len(failed)} of {len(systems)} systems pass, "
          f"{sum(s.checked for s in systems)} facts reproduced")
    return 1 if failed or not systems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
