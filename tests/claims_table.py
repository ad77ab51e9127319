"""The table of claims.py: its rows, and how a row is decided."""
import functools
import json

import program

PAPERS = {
    "Jovanovic I": "B. Jovanovic, time-dependent nonholonomic systems, moving frames, reduction",
    "Popescu": "M. Popescu and C. Ida, nonlinear constraints",
    "Jovanovic II": "B. Jovanovic, holonomic systems, Hamilton's and d'Alembert's principle",
    "Fasso": "F. Fasso and N. Sansonetto, conservation of energy and momenta under affine "
             "constraints",
    "Crampin": "M. Crampin and T. Mestdag, nonholonomic and vakonomic dynamics",
}

CLAIMS = []
TIGHT = {"rtol": 1e-13, "atol": 1e-15}
SAME = 1e-9  # differences that integration leaves, at TIGHT
DIFFERENT = 1e-3


class Contradicted(Exception):
    """The program finds something else than the table says."""


class Claim:
    def __init__(self, paper, section, text, needs, check):
        self.paper, self.section, self.text = paper, section, text
        self.needs, self.check = needs, check


def claim(paper, section, text, *needs):
    """The function decides the row: confirmed(..) or corrected(..). `needs`: names of analyses."""
    def add(check):
        CLAIMS.append(Claim(paper, section, text, needs, check))
        return check
    return add


def confirmed(detail):
    return "confirmed", detail


def corrected(detail):
    return "corrected", detail


def must(condition, detail):
    if not condition:
        raise Contradicted(detail)


def small(value):
    """A number of which only the size matters."""
    return "0" if value == 0 else f"{value:.0e}"


def scaled(value, other):
    return abs(value - other) / (1 + abs(other))


def same(value, other):
    return scaled(value, other) < SAME


# What the program says ---------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def _simulate(text):
    return json.loads(program.run("simulate", json.loads(text)))


def simulate(job):
    """Runs a job; the same one is run once."""
    return _simulate(json.dumps({"integrator": TIGHT, **job}))


def motion(system, **members):
    """Columns by name of a catalog system's motion."""
    return simulate(program.catalog(system, **members))["result"]["series"]


def findings(system, *analyses, **members):
    """What the analyses say of a catalog system: verdicts by name under "verdicts", and records."""
    found = dict(simulate(program.catalog(system, analyses=list(analyses),
                                          **members))["invariants"])
    found["verdicts"] = {v["name"]: v for v in found.pop("invariants")}
    return found


def verdict(system, analysis, name, **members):
    found = findings(system, analysis, **members)["verdicts"]
    must(name in found, f"no verdict {name} of {system}")
    return found[name]


def expect(system, analysis, name, answer, **members):
    """The verdict, which must be that answer."""
    found = verdict(system, analysis, name, **members)
    must(found["predicted"] == answer, f"{name} of {system} is {found['predicted']}, not {answer}")
    return found


def drift(series, column):
    """How far a column departs from its first value, over 1 + |value|."""
    return max(scaled(value, series[column][0]) for value in series[column])


def difference(series, other, pairs):
    return max(scaled(a, b) for mine, theirs in pairs
               for a, b in zip(series[mine], other[theirs], strict=True))


def in_other_words(formulation, systems):
    """The largest difference between the motions of these systems and the same in a formulation."""
    largest = 0.0
    for system in systems:
        job = program.catalog(system, compare=[formulation])
        for opinion in simulate(job)["diagnostics"]["compare"]:
            largest = max(largest, opinion["max_relative"])
    must(largest < SAME, f"{formulation} differs by {largest:.2g}")
    return largest


@functools.lru_cache(maxsize=None)
def structure(system):
    job = program.catalog(system)
    return program.structure(job)


def describable(formulation):
    """Systems whose motion this formulation describes from its initial state to its end, in what is
    not the job's own formulation."""
    found = []
    for system in program.names():
        job = program.catalog(system)
        if job.get("formulation") or "boundary" in job:
            continue
        try:
            program.run("check", {**job, "compare": [formulation]})
            answer = simulate({**job, "compare": [formulation]})
        except program.Refused:
            continue
        if answer["diagnostics"]["compare"][0]["complete"]:
            found.append(system)
    return found


# Formulas ----------------------------------------------------------------------------------------

def number(what, value, printed, correct=None):
    """A number of the program against the paper's formula, and the one that should stand there."""
    wanted = printed if correct is None else correct
    must(same(value, wanted), f"{what} = {value!r}, wanted {wanted!r}")
    if correct is None:
        return confirmed(f"{what} = {value:.6g}")
    must(not same(value, printed), f"{what} = {value!r}, as printed")
    return corrected(f"{what} = {value:.6g}; as printed {printed:.6g}")


def along(system, what, value, printed, correct=None, **members):
    """The same along a motion, with expressions: the largest differences."""
    observe = {"value_": value, "printed_": printed, "correct_": correct or printed}
    series = motion(system, observe=observe, **members)
    wrong = difference(series, series, [("printed_", "value_")])
    right = difference(series, series, [("correct_", "value_")])
    must(right < SAME, f"{what}: differs by {right:.2g}")
    if correct is None:
        return confirmed(f"{what} along the motion, to {small(right)}")
    must(wrong > DIFFERENT, f"{what}: the printed formula differs by {wrong:.2g} only")
    return corrected(f"{what} = {plain(correct)}, to {small(right)}; as printed it is off by "
                     f"{wrong:.2g}")


def plain(expression):
    """An expression of the language inside a table."""
    return "`" + expression.replace("|", "\\|") + "`"
