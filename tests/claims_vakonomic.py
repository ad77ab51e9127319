"""Rows of claims.py: nonholonomic against vakonomic dynamics."""
import math

from claims_table import (DIFFERENT, along, claim, confirmed, corrected, describable, difference, 
                          drift, expect, findings, in_other_words,
                          motion, must, number, plain, same,
                          small, structure)

PAPER = "Crampin"
PARTICLE, VAKONOMIC = "nonholonomic-particle", "vakonomic-nonholonomic-particle"
DISK, SPECIAL = "vertical-rolling-disk", "two-wheeled-carriage-special"


def _consistency(system, answer, **options):
    """The strong answer on mu = p (or what the options make of it)."""
    found = findings(system, {"name": "consistency", **options})["consistency"]
    must(found["sections"][0]["strong"] == answer, f"{system}: {found['sections'][0]}")
    return found


@claim(PAPER, "2, 3", "Hamel's equations have the motions of the equations with multipliers")
def _():
    systems = describable("hamel")
    return confirmed(f"{len(systems)} systems, to {small(in_other_words('hamel', systems))}")


@claim(PAPER, "7.1", "systems u_a + Delta_a u_2 = 0 are consistent on mu = p exactly when the sum "
       "of I Delta Delta' vanishes", "consistency")
def _():
    yes = _consistency("class-constant-measure", "yes")["residual"]
    no = _consistency("class-variable-measure", "no")["sections"][0]["strong_largest"]
    return confirmed(f"residual {small(yes)} where it does, {no:.2g} where not")


@claim(PAPER, "7.1", "N = (I_2 + sum of I Delta^2)^(-1/2) is the density of an invariant measure",
       "measure")
def _():
    found = findings("class-variable-measure", "measure")["measure"]
    must(found["exists"] and found["qp"]["density"].startswith("1/sqrt"), str(found))
    return confirmed(f"of dq dp: {plain(found['qp']['density'])}; of dq dv it is 1/N")


@claim(PAPER, "7.1",
       "where N is constant the motions are those of a Lagrangian without multipliers",
       "consistency")
def _():
    found = _consistency("class-constant-measure", "yes")["variational_lagrangian"]
    must(found, "no Lagrangian")
    return confirmed(plain(found))


@claim(PAPER, "7.1, particle",
       "the nonholonomic particle has the integrals v_1 and (1 + q_1^2) v_2^2",
       "discovery")
def _():
    found = [v["expression"] for v in findings(PARTICLE, "discovery")["verdicts"].values()
             if v["predicted"] == "yes"]
    series = motion(PARTICLE, observe={"second": "(1 + x^2)*dot(y)^2"})
    must("dot(x)" in found and drift(series, "second") < 1e-9, str(found))
    return confirmed("found without hints: " + ", ".join(plain(e) for e in found))


@claim(PAPER, "7.1, particle", "it is weakly but not strongly consistent", "consistency")
def _():
    found = findings(PARTICLE, "consistency")["consistency"]
    must((found["weak"], found["strong"]) == ("yes", "no"), str(found))
    return confirmed(
        "not on mu = p, and for no initial multipliers is its motion vakonomic: residual "
                     f"{found['individual']['residual']:.2g}")


@claim(PAPER, "7.1, particle", "the vakonomic field: the component of X_1")
def _():
    return along(VAKONOMIC, "ddot(x)", "ddot(x)", "-multiplier(twist)*y",
                 "-multiplier(twist)*dot(y)")


@claim(PAPER, "7.1, particle", "the vakonomic field: the component of X_2, mu v_1 + q_1 A with A = "
       "d mu/dt")
def _():
    return along(VAKONOMIC, "ddot(y)", "ddot(y)", "multiplier(twist)*dot(x) + x*reaction(z)")


@claim(PAPER, "7.1, particle", "the vakonomic field: A = d mu/dt")
def _():
    return along(VAKONOMIC, "d mu/dt", "reaction(z)",
                 "(multiplier(twist)*x*dot(x) - dot(x)*dot(y))/(1 + x^2)",
                 "-(multiplier(twist)*x*dot(x) + dot(x)*dot(y))/(1 + x^2)")


@claim(PAPER, "7.1, disk", "the rolling disk has a constant density and is consistent on mu = p",
       "consistency", "measure")
def _():
    must(findings(DISK, "measure")["measure"]["qv"]["constant"], "the density is not constant")
    return confirmed(f"residual {small(_consistency(DISK, 'yes')['residual'])}")


@claim(PAPER, "7.1, disk",
       "its vakonomic motion from mu = p is the nonholonomic one, from others not")
def _():
    pairs = [(q, q) for q in ("x", "y", "theta", "phi")]
    own = motion(DISK)
    equal = difference(motion("vakonomic-rolling-disk-mu-equals-p", time={"at": own["t"]}),
                       own, pairs)
    other = motion("vakonomic-rolling-disk-generic-mu")
    differs = difference(other, motion(DISK, time={"at": other["t"]}), pairs)
    must(same(equal, 0) and differs > DIFFERENT, f"{equal:.2g}, {differs:.2g}")
    return confirmed(f"they differ by {small(equal)} and by {differs:.2g}")


@claim(PAPER, "5, theorem 2",
       "consistent nonholonomic motions make the action stationary among the "
       "curves that keep to the constraints", "action", "consistency")
def _():
    _consistency(DISK, "yes")
    _consistency(PARTICLE, "no")
    consistent, other = (findings(s, "action")["action"]["tangent"] for s in (DISK, PARTICLE))
    must(consistent["stationary"] and not other["stationary"], f"{consistent}, {other}")
    return confirmed(f"first variation {small(consistent['largest'])} of its terms for the rolling "
                     f"disk, {other['largest']:.2g} for the particle, which is not consistent")


@claim(PAPER, "7.1", "the mobile robot with fixed orientation is consistent", "consistency")
def _():
    found = _consistency("mobile-robot-fixed-orientation", "yes")
    return confirmed(f"residual {small(found['residual'])}")


def _carriage(system):
    """Parameters and the start of a carriage, and the curvature there."""
    found = findings(system, {"name": "structure", "dependent": ["x", "y", "theta"]})
    series = motion(system, observe={
        "p_x": "m*dot(x) - m0*l*sin(theta)*dot(theta)",
        "p_y": "m*dot(y) + m0*l*cos(theta)*dot(theta)", "K": "m0*l*R^3/(4*c^2)", "RR": "R^2/(2*c)"})
    start = {name: values[0] for name, values in series.items()}
    return start, found["curvature"]["coefficients"]


@claim(PAPER, "7.2, carriage", "[X_1, X_2] = R^2/2c (sin X_3 - cos X_4)", "structure")
def _():
    start, curvature = _carriage("two-wheeled-carriage-generic")
    # the curvature is minus the vertical part of the bracket
    return number("its component along x at the start", -curvature["A[x](psi1,psi2)"],
                  start["RR"] * math.sin(start["theta"]), -start["RR"] * math.sin(start["theta"]))


@claim(PAPER, "7.2, carriage", "p_a R^a_12 = K (v_1 - v_2)", "structure")
def _():
    start, curvature = _carriage("two-wheeled-carriage-generic")
    value = -sum(start[f"p_{q}"] * curvature[f"A[{q}](psi1,psi2)"] for q in ("x", "y"))
    printed = start["K"] * (start["dot(psi1)"] - start["dot(psi2)"])
    return number("it at the start", value, printed, -printed)


@claim(PAPER, "7.2, carriage", "the accelerations Gamma_1, Gamma_2, proportional to K")
def _():
    P = "(J2 + m*R^2/4 + J*R^2/(4*c^2))"
    Q = "(J*R^2/(4*c^2) - m*R^2/4)"
    turn = ("m0*l*R^3/(4*c^2)*(dot(psi1) - dot(psi2))"
            f"*({Q}*dot(psi1) - {P}*dot(psi2))/({P}^2 - {Q}^2)")
    verdict, _ = along("two-wheeled-carriage-generic", "ddot(psi1)", "ddot(psi1)", turn, "-" + turn)
    must(verdict == "corrected", "the printed sign is right")
    return corrected(
        "both with the other sign: Gamma_1 = -K (v_1 - v_2) (Q v_1 - P v_2)/(P^2 - Q^2)")


@claim(PAPER, "7.2, carriage", "for l = 0 the wheels turn uniformly")
def _():
    series = motion("two-wheeled-carriage-l0")
    largest = max(drift(series, "dot(psi1)"), drift(series, "dot(psi2)"))
    must(same(largest, 0), f"they change by {largest:.2g}")
    return confirmed(f"to {small(largest)}")


@claim(PAPER, "7.2, carriage", "it is consistent on mu = p exactly for l = 0", "consistency")
def _():
    yes = _consistency("two-wheeled-carriage-l0", "yes")["residual"]
    no = min(_consistency(s, "no")["sections"][0]["strong_largest"]
             for s in ("two-wheeled-carriage-generic", SPECIAL))
    return confirmed(f"residual {small(yes)}; for the other l at least {no:.2g}")


@claim(PAPER, "7.2, carriage",
       "at a special l the quantities k_3, k_4 with H = -(m R^2 + 2 J_2)/(2 "
       "R) are conserved")
def _():
    k3 = "-A*sin(theta)*(dot(psi1) - dot(psi2)) {} H*cos(theta)*(dot(psi1) + dot(psi2))"
    k4 = "A*cos(theta)*(dot(psi1) - dot(psi2)) + H*sin(theta)*(dot(psi1) + dot(psi2))"
    series = motion(SPECIAL, observe={"printed": k3.format("-"), "k3": k3.format("+"), "k4": k4})
    largest, wrong = max(drift(series, "k3"), drift(series, "k4")), drift(series, "printed")
    must(same(largest, 0) and wrong > DIFFERENT, f"{largest:.2g}, {wrong:.2g}")
    return corrected(
        f"with H = +(m R^2 + 2 J_2)/(2 R), to {small(largest)}; as printed k_3 changes "
                     f"by {wrong:.2g}")


@claim(PAPER, "7.2, carriage", "there are such integrals only at the special l", "discovery")
def _():
    def linear(system):
        return [v["expression"] for v in findings(system, "discovery")["verdicts"].values()
                if v["predicted"] == "yes" and "dot(theta)" in v["expression"]
                and "^2" not in v["expression"]]
    special, generic = linear(SPECIAL), linear("two-wheeled-carriage-generic")
    must(len(special) >= 2 and not generic, f"{special}, {generic}")
    return confirmed("found without hints: " + ", ".join(plain(e) for e in special[:2]))


@claim(PAPER, "7.2, carriage", "the special l is a position of the mass")
def _():
    must(not structure(SPECIAL)["mass_positive"], "the mass matrix is positive")
    return corrected(
        "it violates m J > m_0^2 l^2: the kinetic energy is not positive definite there, "
                     "though regular on the constraints")


@claim(PAPER, "7.2, carriage", "at the special l the vakonomic motion from mu = p + k is the "
       "nonholonomic one")
def _():
    own = motion(SPECIAL)
    other = motion("vakonomic-carriage-special-mu-equals-p-plus-k", time={"at": own["t"]})
    largest = difference(other, own, [(q, q) for q in ("psi1", "psi2", "x", "y", "theta")])
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"to {small(largest)}, with the corrected k")


@claim(PAPER, "7.2, carriage",
       "it is strongly consistent on mu = p + k at the special l, with k from k_3 "
       "and k_4", "consistency")
def _():
    special, generic = (findings(s, "consistency")["consistency"]
                        for s in (SPECIAL, "two-wheeled-carriage-generic"))
    must((special["strong"], generic["strong"]) == ("yes", "no"), f"{special}, {generic}")
    return confirmed(f"a section of that form is found, residual {small(special['residual'])}; for "
                     "another l motions are vakonomic for no multipliers")
