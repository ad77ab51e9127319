#!/usr/bin/env python3
"""Every system of the catalog in every formulation (docs/explanation/formulations.md).

    tests/reference/formulations.py [--markdown] [--reasons] [NAME...]

A formulation either applies to a system or is refused with a reason. Where it applies, its motion
at rtol 1e-13 must agree with that of lagrange-dalembert, at the sample times of the reference: the
largest difference of coordinates, velocities and multipliers, relative to their size and the
sensitivity that the reference states, is at most 1e-10 times the condition of the formulation's
equations (up to 1e6). One job a system computes them all (`compare`). A formulation in base
coordinates ends where they cease to determine the motion: its run must fail there as singular, and
agree up to nine tenths of the way. Two formulations are apart. Motions of vakonomic are its own but
where theory says that they agree, for whatever multipliers where the constraints are integrable,
for those of a strongly consistent section (found by the analysis `consistency`) else; then
coordinates and velocities must. least-action must find the velocities at both ends from the
positions there, to 1e-9.

--markdown prints the table of the page, --reasons also why formulations do not apply. The binary is
$DALEMBERT_BIN or build/dalembert.
"""
import concurrent.futures
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import program  # noqa: E402


LIMIT = 1e-10
# reciprocal condition, at the last state before it, at which equations have come to their end
SINGULAR = 1e-8
# Finding an end by shooting costs the condition of the boundary problem.
LEAST_ACTION_LIMIT = 1e-9

END = 0.9  # how far along the way to its end a formulation must agree
MU = 0.7  # any multiplier

OWN, VAKONOMIC, LEAST_ACTION = "lagrange-dalembert", "vakonomic", "least-action"
APART = (OWN, VAKONOMIC, LEAST_ACTION)


class Refused(Exception):
    """A document that cannot be simulated; args[0]: its mistakes."""

    def __str__(self):
        return "; ".join(e["message"] for e in self.args[0])


def check(job):
    """The structure report, or Refused."""
    done = program.process("check", job, "--json")
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError((done.stderr or done.stdout).strip()[:400]) from None
    if done.returncode != 0:
        raise Refused(answer["errors"])
    return answer


def simulate(job):
    done = program.process("simulate", job)
    if done.returncode != 0 and not done.stdout:
        raise RuntimeError(done.stderr.strip()[:400])
    answer = json.loads(done.stdout)
    if not answer["result"]["complete"]:
        raise RuntimeError(str(answer["diagnostics"].get("message")))
    return answer


def scaled(value, reference):
    return abs(value - reference) / (1 + abs(reference))


def off(velocity):
    """A guess from which the velocity has to be found."""
    return 1.01 * velocity + 0.01


class System:
    """One row of the table: by formulation an error, or the reason why it does not apply."""

    def __init__(self, reference):
        self.reference = reference
        self.name = reference["id"]
        self.sensitivity = max(1.0, reference.get("sensitivity_of_last_sample", 1.0))
        self.initial = reference.get("initial") or reference["initial_of_solution"]
        self.errors, self.reasons, self.ends, self.problems = {}, {}, {}, []

    def job(self, **changes):
        job = program.catalog(self.name)
        for name in ("observe", "events", "formulation", "boundary"):
            job.pop(name, None)
        job["initial"] = {name: self.initial.get(name, 0) for name in ("t", "q", "v")}
        job["time"] = {"at": [s["t"] for s in self.reference["samples"]]}
        job["integrator"] = {"rtol": 1e-13, "atol": 1e-15}
        job.update(changes)
        return job

    def take(self, formulation, difference, limit):
        error = self.errors[formulation] = difference / self.sensitivity
        if not error <= limit:
            self.problems.append(f"{formulation} differs by {difference:.2e} (sensitivity "
                                 f"{self.sensitivity:.1e})")

    def applicable(self, names):
        """Those that can be compared with at the initial state; the others get their reasons."""
        try:
            check(self.job(compare=names))
        except Refused as refusal:
            for mistake in refusal.args[0]:
                part = mistake["pointer"].split("/")
                if part[1] != "compare" or len(part) != 3:
                    raise RuntimeError(mistake["message"]) from None
                reason = mistake["message"].split(": ", 1)[1]
                self.reasons[names[int(part[2])]] = reason
        return [name for name in names if name not in self.reasons]

    def compare(self, names):
        names = self.applicable(names)
        for item in simulate(self.job(compare=names))["diagnostics"]["compare"]:
            name = item["formulation"]
            if not item["complete"] and item["rcond_min"] < SINGULAR:
                self.ends[name] = item["t_reached"]
                item = self.before_the_end(name)
            if not item["complete"]:
                self.problems.append(f"{name} failed: {item['message']}")
            self.take(name, item["max_relative"], LIMIT / max(item["rcond_min"], 1e-6))
        for name in set(names) - set(self.errors):
            self.problems.append(f"{name} was not compared with")

    def before_the_end(self, name):
        start = self.initial.get("t", 0)
        way = END * (self.ends[name] - start)
        job = self.job(compare=[name], time={"at": [start + way * k / 20 for k in range(21)]})
        return simulate(job)["diagnostics"]["compare"][0]

    def agreeing_multipliers(self):
        """Initial mu with which theory says that the vakonomic motion is the mechanical one."""
        report = check(self.job())
        names = [c["name"] for c in report["constraints"]]
        kinds = {c["kind"] for c in report["constraints"]}
        if kinds <= {"holonomic"} or (report["integrable"] and kinds <= {"linear", "affine"}):
            return dict.fromkeys(names, MU)
        job = self.job(analyses=[{"name": "consistency"}])
        for section in simulate(job)["invariants"]["consistency"].get("sections", []):
            if section["strong"] == "yes":
                return section["multipliers"]
        return None

    def vakonomic(self):
        job = self.job(formulation=VAKONOMIC)
        mu = self.agreeing_multipliers()
        if mu is not None:
            job["initial"]["mu"] = mu
        else:
            constraints = check(self.job())["constraints"]
            job["initial"]["mu"] = self.initial.get("mu", [0.0] * len(constraints))
        try:
            check(job)
        except Refused as refusal:
            self.reasons[VAKONOMIC] = str(refusal)
            return
        if mu is None:
            # motions of their own; some leave the regular states in time
            self.errors[VAKONOMIC] = None
            return
        series = simulate(job)["result"]["series"]
        own = simulate(self.job())["result"]["series"]
        columns = [c for c in series if c != "t" and not c.startswith("multiplier(")]
        self.take(VAKONOMIC, max(scaled(a, b) for c in columns if c in own
                                 for a, b in zip(series[c], own[c])), LIMIT)

    def least_action(self):
        initial, sample = self.initial, self.reference["samples"][0]
        job = self.job(formulation=LEAST_ACTION)
        del job["initial"]
        job["time"] = {"samples": 2}
        job["boundary"] = {"start": {"t": initial.get("t", 0), "q": initial["q"]},
                           "end": {"t": sample["t"], "q": sample["q"]},
                           "guesses": [{"v": {q: off(v) for q, v in initial["v"].items()}}]}
        try:
            check(job)
        except Refused as refusal:
            self.reasons[LEAST_ACTION] = str(refusal)
            return
        series = simulate(job)["result"]["series"]
        pairs = [(series[f"dot({q})"][0], v) for q, v in initial["v"].items()]
        pairs += [(series[f"dot({q})"][-1], v) for q, v in sample["v"].items()]
        error = max(scaled(*pair) for pair in pairs)
        if "chart" in job["model"]:
            error = max(error, self.least_action_in_chart(job))
        self.take(LEAST_ACTION, error, LEAST_ACTION_LIMIT)

    def least_action_in_chart(self, job):
        """The same problem with its ends in the chart, where the chart's own formulation found
        them; how far its path is from that formulation's."""
        names = [c if isinstance(c, str) else c["name"]
                 for c in job["model"]["chart"]["coordinates"]]
        fewer = len(names) < len(job["model"]["coordinates"])
        times = [job["boundary"][end]["t"] for end in ("start", "end")]
        direct = simulate(self.job(formulation="intrinsic" if fewer else "moving-frame",
                                   time={"at": times}))["result"]["series"]
        column = {name: name + "'" if name + "'" in direct else name for name in names}

        def values(form, k):
            return {"q" if form == "{}" else "v":
                    {name: direct[form.format(column[name])][k] for name in names}}

        job["boundary"] = {end: {"t": times[k], "chart": values("{}", k)}
                           for k, end in enumerate(("start", "end"))}
        guess = {name: off(v) for name, v in values("dot({})", 0)["v"].items()}
        job["boundary"]["guesses"] = [{"chart": {"v": guess}}]
        series = simulate(job)["result"]["series"]
        return max(scaled(a, b) for c in direct if not c.startswith("multiplier(")
                   for a, b in zip(series[c], direct[c]))

    def run(self):
        try:
            names = list(check(self.job())["formulations"])
            self.compare([name for name in names if name not in APART])
            if VAKONOMIC in names:
                self.vakonomic()
            if LEAST_ACTION in names:
                self.least_action()
            for name in names:
                if name != OWN and name not in self.errors and not self.reasons.get(name):
                    self.problems.append(f"{name} neither applies nor is refused with a reason")
        except (RuntimeError, Refused, KeyError, IndexError, ValueError,
                subprocess.SubprocessError) as failure:
            self.problems.append(f"{type(failure).__name__}: {failure}")
        return self


def formulations(systems):
    names = {}
    for system in systems:
        names.update(dict.fromkeys(list(system.errors) + list(system.reasons)))
    order = ["hamel", "voronec", "chaplygin", "hamiltonian", "intrinsic", "moving-frame",
             VAKONOMIC, LEAST_ACTION]
    return [n for n in order if n in names] + [n for n in names if n not in order]


def cell(system, name):
    if name in system.reasons:
        return "-"
    error = system.errors.get(name, "failed")
    if name in system.ends:
        return f"{error:.0e} to t = {END * system.ends[name]:.2g}"
    return "own" if error is None else error if isinstance(error, str) else f"{error:.0e}"


def print_table(systems, names, markdown):
    if markdown:
        print("| system | " + " | ".join(names) + " |")
        print("|---" + "|---:" * len(names) + "|")
    else:
        print(f"{'':45}" + "".join(f"{name:>13}" for name in names))
    for system in systems:
        cells = [cell(system, name) for name in names]
        if markdown:
            print(f"| {system.name} | " + " | ".join(cells) + " |")
        else:
            print(f"{system.name:45}" + "".join(f"{text:>13}" for text in cells))
            for problem in system.problems:
                print(f"    FAILED: {problem}")


def print_reasons(systems, names):
    for name in names:
        for system in systems:
            if name in system.reasons:
                print(f"{name:13} {system.name:45} {system.reasons[name]}")



def main(arguments):
    program.require("formulations")
    only = [a for a in arguments if not a.startswith("-")]
    systems = []
    for file in sorted(os.listdir(HERE)):
        name = file.removesuffix(".json")
        if name == file or (only and name not in only):
            continue
        with open(os.path.join(HERE, file), encoding="utf-8") as stream:
            systems.append(System(json.load(stream)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        systems = list(pool.map(System.run, systems))
    names = formulations(systems)
    print_table(systems, names, "--markdown" in arguments)
    if "--reasons" in arguments:
        print_reasons(systems, names)
    failed = [s for s in systems if s.problems]
    errors = [(e, s.name, n) for s in systems for n, e in s.errors.items()
              if e is not None]
    refused = sum(len(s.reasons) for s in systems)
    worst = max(errors, default=(0.0, "-", "-"))
    summary = (f"formulations: {len(systems) - len(failed)} of {len(systems)} systems pass, "
               f"{len(errors)} motions agree with {OWN}, {refused} are refused with a reason, "
               f"largest scaled difference {worst[0]:.1e} ({worst[1]}, {worst[2]})")
    print("\n" + summary[0].upper() + summary[1:] + "." if "--markdown" in arguments else summary)
    for system in failed if "--markdown" in arguments else ():
        print(f"failed: {system.name}: {system.problems}", file=sys.stderr)
    return 1 if failed or not systems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
