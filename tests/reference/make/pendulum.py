#!/usr/bin/env python3
"""tests/reference/pendulum.json: th'' = -(g/l) sin th from rest, by Jacobi's elliptic functions.

sin(th/2) = k sn(u) with u = K + w t, w = sqrt(g/l), k = sin(th0/2). The integration agrees.
"""
from mpmath import asin, ellipfun, ellipk, mpf, sin, sqrt

import motion

M, L, G = mpf(1), mpf("0.8"), mpf("9.81")
TH = mpf(2)
TIMES = [0.5, 1, 2, 5, 10]


def rates(_t, y):
    return [y[1], -G / L * sin(y[0])]


def closed(t):
    w, k = sqrt(G / L), sin(TH / 2)
    u = ellipk(k ** 2) + w * t
    sn, cn = (ellipfun(name, u, m=k ** 2) for name in ("sn", "cn"))
    return [2 * asin(k * sn), 2 * k * w * cn]


states = [[TH, mpf(0)]] + [closed(mpf(t)) for t in TIMES]
other = motion.integrate(rates, states[0], TIMES)
motion.check("closed form and integration", max(
    abs(a - b) for x, y in zip(states[1:], other) for a, b in zip(x, y)))
energy = -M * G * L * motion.mp.cos(TH)
motion.write("pendulum", ["th"], states, TIMES, rates, [0],
             [("energy", "m*l^2*dot(th)^2/2 - m*g*l*cos(th)", energy)], True,
             motion.growth(rates, states[0], TIMES[-1]))
