"""Rows of claims.py: time-dependent constraints, moving frames, reduction; Hamilton's principle."""
import math

import program
from claims_table import (claim, confirmed, corrected, describable, difference, expect, 
                          findings, in_other_words, motion, must, number, plain, same, scaled,
                          simulate, small, verdict)

ONE, TWO = "Jovanovic I", "Jovanovic II"


@claim(ONE, "2.1, example 2.1",
       "the constraint dx = a dy + b dt has the curvature a_t - b_y + b a_x "
       "- a b_x", "structure")
def _():
    x, y = 0.5, 0.25  # t = 0
    a, a_t, a_x = 1 + x * y / 2, 0.0, y / 2
    b, b_x, b_y = y * math.sin(x), y * math.cos(x), math.sin(x)
    found = findings("example-2-1-contact", {"name": "structure", "dependent": ["x"]})
    return number("`A[x](y,t)` at the start", found["curvature"]["coefficients"]["A[x](y,t)"],
                  a_t - b_y + b * a_x - a * b_x)


@claim(ONE, "2.1, example 2.1", "with b = 0 it is nonholonomic although integrable at every frozen "
       "time", "structure")
def _():
    system = "example-2-1-homogeneous-time-dependent"
    expect(system, "structure", "integrable at frozen time", "yes")
    expect(system, "structure", "integrable", "no")
    ranks = findings(system, "structure")["curvature"]
    return confirmed(f"rank of the curvature {ranks['frozen']['rank']} at frozen time, "
                     f"{ranks['extended']['rank']} on positions and time")


@claim(ONE, "3.1, theorem 3.1", "the motion in a moving frame is the moved motion")
def _():
    systems = describable("moving-frame")
    largest = in_other_words("moving-frame", systems)
    return confirmed(f"{len(systems)} systems, to {small(largest)}")


@claim(ONE, "3.2", "an autonomous L with homogeneous constraints conserves energy, also when the "
       "constraints depend on time")
def _():
    systems = ("bilimovic-suslov", "example-2-1-homogeneous-time-dependent")
    drifts = [expect(s, "energy", "energy", "yes")["observed"]["max_drift"] for s in systems]
    return confirmed(f"yes for {len(systems)} such systems, drift at most {small(max(drifts))}")


@claim(ONE, "3.2, proposition 3.3", "the energy in the moving frame is E - p.omega")
def _():
    fixed = motion("sphere-on-rotating-plane")["moving_energy"][0]
    moving = verdict("sphere-on-rotating-plane-moving-frame", "energy", "energy")
    return number("the energy of the sphere in the turning frame", moving["observed"]["initial"],
                  fixed)


@claim(ONE, "3.2", "where the energy in the moving frame does not depend on time it is conserved")
def _():
    # E = v^2/2 is autonomous; L is not
    model = {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 + t*y*dot(x)"}
    answer = simulate({"model": model, "initial": {"q": {"y": 1}, "v": {"x": 1}},
                       "time": {"end": 2}, "analyses": ["energy"]})
    found = answer["invariants"]["invariants"][0]
    must(found["predicted"] == "no" and found["observed"]["max_drift"] > 0.1, "energy is conserved")
    change = found["observed"]["final"] - found["observed"]["initial"]
    return corrected("L itself must not depend on time: with L = " + plain(model["lagrangian"]) +
                     f" the energy v^2/2 changes by {change:.4g} in two seconds")


@claim(ONE, "3.2", "E - p.omega is a first integral in the fixed frame too", "moving_energy")
def _():
    expect("sphere-on-rotating-plane", "energy", "energy", "no")
    found = findings("sphere-on-rotating-plane", "moving_energy")["verdicts"]
    kept = [v for v in found.values() if v["predicted"] == "yes"]
    must(kept, "no moving energy is conserved")
    return confirmed(
        f"the energy of the sphere on the turntable is not conserved, {kept[0]['name']} "
                     f"is, to {small(kept[0]['observed']['max_drift'])}")


@claim(ONE, "5.1, (5.2)-(5.4)", "Voronec's equations have the motions of the equations with "
       "multipliers")
def _():
    systems = describable("voronec")
    return confirmed(f"{len(systems)} systems, to {small(in_other_words('voronec', systems))}")


@claim(ONE, "6.1, (6.2)", "a system with symmetric constraints reduces to its base")
def _():
    systems = describable("chaplygin")
    return confirmed(f"{len(systems)} systems, to {small(in_other_words('chaplygin', systems))}")


@claim(ONE, "6.3, (6.7)",
       "the disc that rolls on a pulsating circle: one equation for phi, with the "
       "force I a a' phi'")
def _():
    full, reduced = motion("disc-variable-circle-balanced"), motion("disc-variable-circle-reduced")
    largest = difference(full, reduced, [("phi", "phi"), ("dot(phi)", "dot(phi)")])
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"phi of the reduced and the full system agree to {small(largest)}")


@claim(ONE, "6.3, example 6.1",
       "in the time tau = N0 (e^(B0 t) - 1)/B0 the damped oscillator has a "
       "Lagrangian")
def _():
    new = motion("damped-oscillator-tau")
    parameters = program.parameters("damped-oscillator-tau")
    B0, N0 = parameters["B0"], parameters["N0"]
    times = [math.log((B0 * tau + N0) / N0) / B0 for tau in new["t"]]
    old = motion("damped-oscillator-t", time={"at": times},
                 initial={"q": {"y": new["y"][0]}, "v": {"y": N0 * new["dot(y)"][0]}})
    largest = difference(new, old, [("y", "y")])
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"both motions agree to {small(largest)}")


def _disc_clock(end):
    """Columns of Chaplygin's reduction of the disc, with a(t) and alpha."""
    p = program.parameters("disc-variable-circle-balanced")
    series = motion("disc-variable-circle-balanced", formulation="chaplygin", observe={},
                    time={"end": end, "samples": 101})
    a = [(p["R0"] + p["r"] + p["B"] * math.sin(p["w"] * t)) / p["r"] for t in series["t"]]
    return series, a, p["I0"] / (p["m"] * p["r"] ** 2 + p["I0"])


@claim(ONE, "6.3, lemma 6.1, theorem 6.2",
       "the multiplier of the disc is N = a^-alpha, alpha = I/(m "
       "r^2 + I)")
def _():
    series, a, alpha = _disc_clock(10)
    largest = max(scaled(n, (x / a[0]) ** -alpha) for n, x in zip(series["N"], a))
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"N over its first value, to {small(largest)}")


@claim(ONE, "6.3, (6.14)", "the new time has the period u(T) = int a^-alpha over one of a")
def _():
    facts = {"T": 3.5903916041026207, "u": 2.066685714099719}
    series, a, alpha = _disc_clock(facts["T"])
    return number("u(T)", series["tau"][-1] * a[0] ** -alpha, facts["u"])


@claim(ONE, "6.3, remark 6.2", "in that time the reduced disc is a Hamiltonian system")
def _():
    new = motion("disc-variable-circle-hamiltonized")
    old = motion("disc-variable-circle-reduced", time={"at": new["z"]})
    largest = difference(new, old, [("phi", "phi"), ("old_velocity", "dot(phi)")])
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"its motion is that of the disc to {small(largest)}")


@claim(ONE, "6.3", "without inertia it is the pendulum of variable length, with parametric "
                   "resonance",
       "floquet")
def _():
    traces = []
    for system, stable in (("floquet-pendulum-stable", "yes"),
                           ("floquet-pendulum-resonant", "no")):
        facts = program.reference(system)["facts"]
        found = findings(system, {"name": "floquet", "period": facts["period"]})["floquet"]
        traces.append(found["trace"])
        must(same(traces[-1], facts["trace"]) and found["stable"] == stable, f"{system}: {found}")
    return confirmed(f"traces of the period map {traces[0]:.4g} (stable) and {traces[1]:.4g} "
                     "(resonant)")


# Holonomic systems -------------------------------------------------------------------------------

@claim(TWO, "2.1, (2.2)-(2.5)", "motions between two ends are the stationary paths of the action")
def _():
    found = simulate(program.catalog("least-action-pendulum"))["diagnostics"]["solutions"][0]
    must(found["first_variation"] < 1e-10, "not stationary")
    return confirmed(f"pendulum: action {found['action']:.6g}, first variation "
                     f"{small(found['first_variation'])} of its terms")


@claim(TWO, "2.1", "the action is least")
def _():
    model = {"coordinates": ["x"], "lagrangian": "(dot(x)^2 - x^2)/2"}
    found = simulate({"model": model, "formulation": "least-action", "boundary": {
        "start": {"t": 0, "q": {"x": 1}}, "end": {"t": 4, "q": {"x": 0.5}}}})
    found = found["diagnostics"]["solutions"][0]
    must(found["kind"] == "saddle" and found["conjugate_points"] == 1, str(found))
    return corrected("stationary: the oscillator's path from 1 to 1/2 in time 4 passes a conjugate "
                     "point and is a saddle")


@claim(TWO, "2.2, theorem 2.1", "the action principle may be stated in a moving frame")
def _():
    model = {"coordinates": ["x", "y"], "parameters": {"k": 1.25, "W": 0.5},
             "lagrangian": "((dot(x) - W*y)^2 + (dot(y) + W*x)^2)/2 + k/sqrt(x^2 + y^2)"}
    fixed = simulate(program.catalog("least-action-central-force"))["diagnostics"]["solutions"][0]
    c, s = math.cos(-0.5 * 2), math.sin(-0.5 * 2)
    moving = simulate({"model": model, "formulation": "least-action", "boundary": {
        "start": {"t": 0, "q": {"x": 1}},
        "end": {"t": 2, "q": {"x": -0.5 * c - 1.0 * s, "y": -0.5 * s + 1.0 * c}},
        "guesses": [{"v": {"x": fixed["v"][0], "y": fixed["v"][1] - 0.5}}]}})
    return number("the action of a path in a central field, in the turning frame",
                  moving["diagnostics"]["solutions"][0]["action"], fixed["action"])


@claim(TWO, "3.1, remark 3.1", "a disc that rolls on a fixed disc is a holonomic system",
       "structure")
def _():
    found = findings("disc-on-fixed-disc", "structure")
    must(found["verdicts"]["integrable"]["predicted"] == "yes" and found["hidden"],
         "not integrable")
    return confirmed("integrable; the velocity constraint keeps " +
                     plain(found["hidden"][0]["expression"]) + " constant")


@claim(TWO, "3.2, 3.3, theorems 3.1, 3.2",
       "equations with multipliers and on the constraint surface "
       "have the same motions")
def _():
    systems = describable("intrinsic")
    return confirmed(f"{len(systems)} systems, to {small(in_other_words('intrinsic', systems))}")


@claim(TWO, "3.2", "for nonholonomic constraints the principles of Hamilton and d'Alembert differ",
       "action")
def _():
    nonholonomic = findings("nonholonomic-particle", "action")["action"]
    vakonomic = findings("vakonomic-nonholonomic-particle", "action")["action"]
    must(nonholonomic["virtual"]["stationary"] and not nonholonomic["tangent"]["stationary"] and
         vakonomic["tangent"]["stationary"] and not vakonomic["virtual"]["stationary"],
         "they agree")
    return confirmed(
        "along virtual displacements and along admissible variations the first variation of the "
        f"action is {small(nonholonomic['virtual']['largest'])} and "
        f"{nonholonomic['tangent']['largest']:.2g} of its terms for the nonholonomic particle, "
        f"{vakonomic['virtual']['largest']:.2g} and {small(vakonomic['tangent']['largest'])} for "
        f"the "
        "vakonomic one")


@claim(TWO, "4, theorems 4.1, 4.2", "the motion and its action do not depend on the frame and the "
       "clock", "action")
def _():
    fixed, moving = (findings(s, "action")["action"]["value"]
                     for s in ("particle-fixed-frame", "particle-moving-frame-shifted-clock"))
    return number("the action of a particle, in a frame that turns and falls and with another "
                  "clock",
                  moving, fixed)
