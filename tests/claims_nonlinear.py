"""Rows of claims.py: constraints that are nonlinear in the velocities."""
import math

from claims_table import (along, claim, confirmed, corrected, difference, drift, expect, findings,
                          motion, must, number, plain, same,
                          small)

PAPER = "Popescu"


@claim(PAPER, "3.1, (3.8), (3.9)",
       "Appell's linear constraints have the curvature (-R sin, R cos, 0)",
       "structure")
def _():
    found = findings("appell-linear", {"name": "structure", "dependent": ["x1", "x2", "x3"]})
    found = found["curvature"]["coefficients"]
    R, th2 = 0.5, 0.375
    expected = (-R * math.sin(th2), R * math.cos(th2), 0.0)
    values = [found[f"A[x{k}](th1,th2)"] for k in (1, 2, 3)]
    must(all(same(*pair) for pair in zip(values, expected)), f"{values}")
    return confirmed("at the start ({:.5g}, {:.5g}, {:.5g})".format(*values))


@claim(PAPER, "3.2, proposition 3.2", "a constraint of Chetaev's type may be written explicitly or "
       "implicitly")
def _():
    explicit, implicit = motion("appell-nonlinear-explicit"), motion("appell-nonlinear-implicit")
    largest = difference(explicit, implicit, [(q, q) for q in ("x", "y", "z")])
    multipliers = [-2 * z * m for z, m in zip(implicit["dot(z)"], implicit["multiplier(cone)"])]
    largest = max(largest, difference({"m": multipliers}, explicit, [("m", "multiplier(cone)")]))
    must(same(largest, 0), f"differs by {largest:.2g}")
    return confirmed(f"the cone of Appell: same motion and reaction to {small(largest)}")


@claim(PAPER, "5.1", "the turning of the linear machine: d(dot(th1))/dt")
def _():
    inertia = "(I1 + alpha*R^2 + beta*r^2)"
    return along("appell-linear", "ddot(th1)", "ddot(th1)", f"-{inertia}*r", f"r*gamma/{inertia}")


@claim(PAPER, "5.2", "on the cone the speed rho grows uniformly")
def _():
    return along("appell-nonlinear-explicit", "d rho/dt",
                 "(dot(x)*ddot(x) + dot(y)*ddot(y))/hypot(dot(x), dot(y))", "alpha",
                 "alpha*delta/(beta + alpha^2*gamma)")


@claim(PAPER, "5.2", "the motions on the cone are straight lines")
def _():
    series = motion("appell-nonlinear-explicit", observe={
        "turning": "dot(x)*2 - dot(y)*1.5", "rising": "dot(z) - alpha*hypot(dot(x), dot(y))"})
    largest = max(drift(series, "turning"), drift(series, "rising"))
    must(same(largest, 0), f"turns by {largest:.2g}")
    return confirmed(f"the direction keeps to {small(largest)}")


@claim(PAPER, "5.3", "in the elevator the speed changes with the elevator's")
def _():
    largest = drift(motion("appell-hamel-elevator"), "law")
    must(same(largest, 0), f"changes by {largest:.2g}")
    return corrected("rho = rho0 + " + plain("alpha*(delta*t - gamma*v0(t))/(beta + alpha^2*gamma)")
                     +
                     f", to {small(largest)}; the three printed forms exclude each other")


@claim(PAPER, "5.4", "Benenti's system without forces moves on straight lines", "reactions")
def _():
    expect("benenti-free", "reactions", "reaction_vanishes", "yes")
    series = motion("benenti-free")
    largest = max(drift(series, f"dot({q})") for q in ("x1", "x2", "y1", "y2"))
    must(same(largest, 0), f"velocities change by {largest:.2g}")
    return confirmed(f"no reaction, velocities constant to {small(largest)}")


@claim(PAPER, "5.5", "the pseudo-curvature of the servomechanism is f_ww", "structure")
def _():
    k1, k2, k3, th, w = -0.25, 0.25, 0.125, -1.25, 0.5
    f_w = k2 + 2 * k3 * w * math.cos(th)
    found = findings("marle-servomechanism", {"name": "structure", "dependent": ["x"]})
    value = found["nonlinearity"]["pseudo_curvature"]["R[x](th)"]
    return number("f f_xw + w f_th,w - f_th - f_w f_x at the start", value, 2 * k3 * math.cos(th),
                  -k3 * w ** 2 * math.sin(th) - k1 * f_w)


@claim(PAPER, "5.6", "with T = 1/(2 t) the free particle moves as 2 sqrt(t) on a straight line")
def _():
    return along("decelerated-free-particle", "y", "y", "-0.25 - 0.5*(2*sqrt(t) - 2)")


@claim(PAPER, "5.6",
       "with T a function of time the motion of every metric is a geodesic, run through "
       "at that pace")
def _():
    largest = drift(motion("riemannian-flow-curved"), "clairaut")
    must(same(largest, 0), f"changes by {largest:.2g}")
    return confirmed(f"Clairaut's constant of a curved metric over the pace, to {small(largest)}")
