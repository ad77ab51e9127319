#!/usr/bin/env python3
"""tests/reference/double-pendulum.json: Newton's equations of two masses on two rods.

Both angles are measured from the downward vertical. The equations of motion are written by hand;
the energy, computed from the Cartesian velocities of the masses, checks them.
"""
from mpmath import cos, mpf, sin

import motion

M1, M2, L1, L2, G = mpf(1), mpf("0.8"), mpf(1), mpf("0.7"), mpf("9.81")
START = [mpf("1.2"), mpf("-0.5"), mpf(0), mpf(0)]
TIMES = [0.5, 1, 2, 5, 10]


def rates(_t, y):
    a, b, u, v = y
    d = a - b
    # (M1 + M2) L1 u' + M2 L2 cos(d) v' = p,  L1 cos(d) u' + L2 v' = q
    p = -M2 * L2 * v ** 2 * sin(d) - (M1 + M2) * G * sin(a)
    q = L1 * u ** 2 * sin(d) - G * sin(b)
    common = M1 + M2 * sin(d) ** 2
    return [u, v, (p - M2 * cos(d) * q) / (L1 * common),
            ((M1 + M2) * q - cos(d) * p) / (L2 * common)]


def energy(y):
    a, b, u, v = y
    x1, y1 = L1 * u * cos(a), L1 * u * sin(a)
    x2, y2 = x1 + L2 * v * cos(b), y1 + L2 * v * sin(b)
    height1 = -L1 * cos(a)
    height2 = height1 - L2 * cos(b)
    return (M1 * (x1 ** 2 + y1 ** 2) + M2 * (x2 ** 2 + y2 ** 2)) / 2 \
        + G * (M1 * height1 + M2 * height2)


states = [START] + motion.integrate(rates, START, TIMES)
motion.check("energy", max(abs(energy(y) - energy(START)) for y in states))
motion.write("double-pendulum", ["th1", "th2"], states, TIMES, rates, [0, 0],
             [("energy", "energy()", energy(START))], True,
             motion.growth(rates, START, TIMES[-1]))
