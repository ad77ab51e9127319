#!/usr/bin/env python3
"""tests/reference/gyroscope.json: a heavy symmetric top, Euler's equations by hand.

Euler angles (z, x', z''): ph precession, th nutation, ps spin. The equations are those of the
angular momentum in the frame of the nodes. The energy and both momenta check them.
"""
from mpmath import cos, mpf, sin

import motion

I1, I3, MGL = mpf("0.002"), mpf("0.001"), mpf("0.25") * mpf("9.81") * mpf("0.04")
START = [mpf(0), mpf("0.6"), mpf(0), mpf(0), mpf(0), mpf(120)]
TIMES = [0.1, 0.25, 0.5, 1, 2]


def rates(_t, y):
    th, precession, nutation, spin = y[1], y[3], y[4], y[5]
    w3 = spin + precession * cos(th)  # constant
    a_th = precession ** 2 * sin(th) * cos(th) \
        + (MGL * sin(th) - I3 * w3 * precession * sin(th)) / I1
    a_ph = (I3 * w3 * nutation / I1 - 2 * precession * nutation * cos(th)) / sin(th)
    return [precession, nutation, spin, a_ph, a_th,
            precession * nutation * sin(th) - a_ph * cos(th)]


def conserved(y):
    w3 = y[5] + y[3] * cos(y[1])
    energy = (I1 * (y[3] ** 2 * sin(y[1]) ** 2 + y[4] ** 2) + I3 * w3 ** 2) / 2 + MGL * cos(y[1])
    return energy, I1 * y[3] * sin(y[1]) ** 2 + I3 * w3 * cos(y[1]), I3 * w3


states = [START] + motion.integrate(rates, START, TIMES)
first = conserved(START)
motion.check("energy and momenta", max(
    abs(a - b) for y in states for a, b in zip(conserved(y), first)))
motion.write("gyroscope", ["ph", "th", "ps"], states, TIMES, rates, [first[1], 0, first[2]],
             [("energy", "energy()", first[0]), ("about_vertical", "momentum(ph)", first[1]),
              ("about_axis", "momentum(ps)", first[2])], True,
             motion.growth(rates, START, TIMES[-1]))
