"""Rows of claims.py: energy and momenta under constraints that are affine in the velocities."""
import program
from claims_table import (along, claim, confirmed, corrected,
                          drift, expect, findings, motion, must, 
                          plain, same, small, structure, verdict)

PAPER = "Fasso"
CYLINDER = "sphere-in-rotating-cylinder-gravity"


def _of_kind(*kinds):
    """Systems with constraints, all of these kinds and one of the last; not vakonomic."""
    for system in program.names():
        found = [c["kind"] for c in structure(system)["constraints"]]
        if (found and set(found) <= set(kinds) and kinds[-1] in found
                and program.catalog(system).get("formulation") != "vakonomic"):
            yield system


@claim(PAPER, "2.3", "the virtual displacements D annihilate the reactions: D is part of R0",
       "reaction_annihilator")
def _():
    ranks = {}
    for system in [*_of_kind("linear"), *_of_kind("linear", "affine")]:
        found = structure(system)
        rank = findings(system, "reaction_annihilator")["reaction_annihilator"]["generic_rank"]
        must(rank >= found["degrees_of_freedom"], f"{system}: rank {rank}")
        ranks[system] = (found["degrees_of_freedom"], rank)
    larger = sum(rank > freedom for freedom, rank in ranks.values())
    return confirmed(f"{len(ranks)} systems; in {larger} of them R0 is larger than D")


@claim(PAPER, "3.1, proposition 1", "energy is conserved exactly when the affine part of the "
       "constraints lies in R0", "reaction_annihilator")
def _():
    conserved = changed = 0
    for system in _of_kind("linear", "affine"):
        found = findings(system, "energy", "reaction_annihilator")["verdicts"]
        answer = found["energy"]["predicted"]
        must(answer != "undecided" and answer == found["affine_part"]["predicted"], system)
        conserved, changed = conserved + (answer == "yes"), changed + (answer == "no")
    return confirmed(
        f"both hold in {conserved} systems with affine constraints, neither in {changed}")


@claim(PAPER, "3.1", "the union of R0 over all potentials is D", "reaction_annihilator")
def _():
    free, weighty = (findings(s, "reaction_annihilator")["reaction_annihilator"]["generic_rank"]
                     for s in ("affine-particle-free", "affine-particle-V-z"))
    must((free, weighty) == (3, 2), f"ranks {free}, {weighty}")
    return corrected(
        f"the intersection: R0 has rank {free} for V = 0, {weighty} = rank D for V = z")


@claim(PAPER, "3.2, example 1", "the distribution of the affine particle loses rank where y = 0",
       "structure")
def _():
    found = findings("affine-particle-free", "structure",
                     initial={"q": {"x": 0.5}, "v": {"x": 0.5, "y": -0.25}})
    rank = found["growth"]["frozen"]["at_start"][0]
    must(rank == 2, f"rank {rank}")
    return corrected(f"its rank is {rank} there too")


@claim(PAPER, "3.2, example 1",
       "for V = 0 and V = (x^2 + y^2)/2 there is no reaction, and energy is "
       "conserved", "reactions")
def _():
    drifts = []
    for system in ("affine-particle-free", "affine-particle-harmonic"):
        expect(system, "reactions", "reaction_vanishes", "yes")
        drifts.append(expect(system, "energy", "energy", "yes")["observed"]["max_drift"])
    return confirmed(f"drift at most {small(max(drifts))}")


@claim(PAPER, "3.2, example 1", "for V = z energy changes by c/(1 + x^2 + y^2)")
def _():
    expect("affine-particle-V-z", "energy", "energy", "no")
    power = "reaction(x)*dot(x) + reaction(y)*dot(y) + reaction(z)*dot(z)"
    return along("affine-particle-V-z", "the power of the reaction", power, "c/(1 + x^2 + y^2)")


@claim(PAPER, "3.2 (b)", "a sphere on a rotating plane does not conserve energy, although no force "
       "acts")
def _():
    found = expect("sphere-on-rotating-plane", "energy", "energy", "no")["observed"]
    return confirmed(f"from {found['initial']:.4g} to {found['final']:.4g}")


@claim(PAPER, "3.2, example 2",
       "in a rotating cylinder energy is conserved exactly when V depends on "
       "z alone")
def _():
    kept = expect(CYLINDER, "energy", "energy", "yes")["observed"]
    lost = expect("sphere-in-rotating-cylinder-gamma", "energy", "energy", "no")["observed"]
    return confirmed(f"V = g z: drift {small(kept['max_drift'])}; with b cos(gamma): "
                     f"{lost['max_drift']:.3g}")


@claim(PAPER, "3.2, example 2", "the power of the reaction in the cylinder")
def _():
    slope = "(-b*sin(gamma))"
    power = " + ".join(f"reaction({q})*dot({q})" for q in ("z", "gamma", "phi", "psi", "theta"))
    return along("sphere-in-rotating-cylinder-gamma", "R.xi", power, f"(a + r)/a*W*{slope}",
                 f"I0/(I0 + a^2)*(a + r)/r*W*{slope}")


@claim(PAPER, "4.1, 4.2, propositions 2, 3", "the momentum of a symmetry is conserved exactly when "
       "its generator lies in R0", "momenta")
def _():
    conserved = changed = 0
    for system in [*_of_kind("linear"), *_of_kind("linear", "affine")]:
        found = findings(system, "momenta")
        for momentum in found.get("momenta", []):
            if momentum["leaves_lagrangian"] != "yes":
                continue
            answer = found["verdicts"][momentum["name"]]["predicted"]
            must(answer == momentum["in_reaction_annihilator"], f"{system}: {momentum['name']}")
            conserved, changed = conserved + (answer == "yes"), changed + (answer == "no")
    return confirmed(f"both hold for {conserved} symmetries, neither for {changed}")


@claim(PAPER, "4.3", "in the cylinder D has rank 3 and R0 rank 4", "reaction_annihilator",
       "structure")
def _():
    found = findings(CYLINDER, "reaction_annihilator", "structure")
    ranks = (found["growth"]["frozen"]["at_start"][0],
             found["reaction_annihilator"]["generic_rank"])
    must(ranks == (3, 4), str(ranks))
    return confirmed(f"ranks {ranks[0]} and {ranks[1]}")


@claim(PAPER, "4.3, (12)", "F = I w_z - a r gamma' and K = a (w_x cos + w_y sin) - z gamma' are "
       "conserved, at every speed of the cylinder")
def _():
    wx = "(dot(theta)*cos(phi) + dot(psi)*sin(phi)*sin(theta))"
    wy = "(dot(theta)*sin(phi) - dot(psi)*cos(phi)*sin(theta))"
    series = motion(CYLINDER, observe={
        "F": "I0*(dot(phi) + dot(psi)*cos(theta)) - a*r*dot(gamma)",
        "K": f"a*({wx}*cos(gamma) + {wy}*sin(gamma)) - z*dot(gamma)"})
    largest = max(drift(series, "F"), drift(series, "K"))
    must(same(largest, 0), f"they change by {largest:.2g}")
    return confirmed(f"to {small(largest)}")


@claim(PAPER, "4.3", "K is the gauge momentum of a field in R0 that is no symmetry",
       "gauge_momenta")
def _():
    found = findings(CYLINDER, "gauge_momenta")["gauge_momenta"]["found"]
    gauge = [f for f in found if not f["constant_coefficients"]]
    must(len(gauge) == 1 and gauge[0]["in_reaction_annihilator"] == "yes", str(found))
    return confirmed("found: Y = " + plain(gauge[0]["combination"]))


@claim(PAPER, "4.3", "F and K are first integrals that no symmetry tells", "discovery")
def _():
    found = [v for v in findings(CYLINDER, "discovery")["verdicts"].values()
             if v["predicted"] == "yes"]
    must(len(found) == 2, f"{len(found)} integrals")
    return confirmed("found without hints: " + ", ".join(plain(v["expression"]) for v in found))
