"""A few lines for a terminal: the structure of a checked job, the outcome of a job."""

from __future__ import annotations

from typing import Any, Dict

from .job import Job


def came_to(job: Job) -> str:
    """The end of a run and its evidence in one line."""
    parts = [job.state, f"{job.data['rows']} rows"]
    digest = job.data["digest"] or {}
    for name in ("steps", "worst_residual", "energy_balance"):
        if digest.get(name) is not None:
            parts.append(f"{name.replace('_', ' ')} {digest[name]:.3g}"
                         if name != "steps" else f"{digest[name]} steps")
    verdicts = [f"{count} {verdict}" for verdict, count in (digest.get("verdicts") or {}).items()
                if count]
    return ", ".join(parts) + (f"; conserved: {', '.join(verdicts)}" if verdicts else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _sizes(structure: Dict[str, Any]) -> str:
    freedom = structure["degrees_of_freedom"]
    parts = [_count(len(structure["coordinates"]), "coordinate")]
    if freedom is not None:
        parts.append(f"{freedom} degree{'' if freedom == 1 else 's'} of freedom")
    parts.append(_count(len(structure["parameters"]), "parameter"))
    return ", ".join(parts)


def _constraints(structure: Dict[str, Any]) -> str:
    told = []
    for constraint in structure["constraints"]:
        words = [constraint["kind"]]
        words += [word.replace("_", "-") for word in ("time_dependent", "redundant")
                  if constraint[word]]
        told.append(f"{constraint['name']} ({', '.join(words)})")
    return "constraints: " + (", ".join(told) or "none")


def _cost(answer: Dict[str, Any]) -> str:
    estimate, samples = answer["estimate"], _count(answer["estimate"]["samples"], "sample")
    rows, kept = f"{samples} of ", _count(estimate["columns"], "column")
    if "members" in answer:
        members = _count(answer["members"]["count"], "member")
        rows, kept = f"{members} of {samples}, ", f"a summary of {kept}"
    parts = [rows + kept, f"{estimate['result_bytes']:,} bytes"]
    if estimate["evaluations"] is not None:
        parts.append(f"about {_count(estimate['evaluations'], 'evaluation')} of "
                     f"{_count(estimate['operations_per_evaluation'], 'operation')}")
    dear = [analysis["name"] for analysis in estimate["analyses"] if analysis["more_than_run"]]
    return "it gives " + ", ".join(parts) + (f"; more work than the run: {', '.join(dear)}"
                                             if dear else "")


def checked(answer: Dict[str, Any]) -> str:
    """The answer of Client.validate() as text for a reader."""
    structure = answer["structure"]
    lines = [f"{structure['name'] or 'a model without a name'}: can be simulated",
             _sizes(structure), _constraints(structure)]
    if structure.get("objection"):
        lines.append(f"a motion could not start at any random state; the last reason: "
                     f"{structure['objection']}")
    lines += [f"{verdict['name']}: {verdict['predicted']}" for verdict in structure["verdicts"]]
    applying = [name for name, found in structure["formulations"].items() if found["applies"]]
    lines.append("formulations that apply: " + (", ".join(applying) or "none"))
    lines.append(_cost(answer))
    return "\n  ".join(lines) + "".join(f"\nwarning: {warning}" for warning in answer["warnings"])
