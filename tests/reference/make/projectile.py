#!/usr/bin/env python3
"""tests/reference/projectile.json: a ball with the quadratic drag of the air, Newton's equations.

The hodograph checks the motion: with u = vx and p = vy/vx, 1/u^2 + (k/(m g)) F(p) is constant,
F(p) = p sqrt(1 + p^2) + asinh(p).
"""
from mpmath import asinh, mpf, sqrt

import motion

M, K, G = mpf("0.15"), mpf("0.001"), mpf("9.81")
START = [mpf(0), mpf("1.8"), mpf(30), mpf(25)]
TIMES = [0.5, 1, 2, 3, 4]


def rates(_t, y):
    speed = sqrt(y[2] ** 2 + y[3] ** 2)
    return [y[2], y[3], -K / M * speed * y[2], -G - K / M * speed * y[3]]


def hodograph(y):
    p = y[3] / y[2]
    return 1 / y[2] ** 2 + K / (M * G) * (p * sqrt(1 + p ** 2) + asinh(p))


states = [START] + motion.integrate(rates, START, TIMES)
motion.check("hodograph", max(abs(hodograph(y) - hodograph(START)) for y in states))
motion.write("projectile", ["x", "y"], states, TIMES, rates, [M * START[2], M * START[3]], [],
             False, motion.growth(rates, START, TIMES[-1]))
