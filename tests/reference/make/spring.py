#!/usr/bin/env python3
"""tests/reference/spring.json: a damped spring, m x'' = -k x - c x', in closed form.

The integrator of motion.py is checked against the closed form here.
"""
from mpmath import cos, exp, mpf, sin, sqrt

import motion

M, K, C = mpf(1) / 2, mpf(8), mpf("0.3")
X, V = mpf("0.25"), mpf(0)
TIMES = [0.5, 1, 2, 5, 10]


def rates(_t, y):
    return [y[1], (-K * y[0] - C * y[1]) / M]


def closed(t):
    decay, turn = C / (2 * M), sqrt(K / M - (C / (2 * M)) ** 2)
    b = (V + decay * X) / turn
    x = exp(-decay * t) * (X * cos(turn * t) + b * sin(turn * t))
    return [x, -decay * x + exp(-decay * t) * turn * (b * cos(turn * t) - X * sin(turn * t))]


states = [closed(mpf(t)) for t in [0] + TIMES]
other = motion.integrate(rates, states[0], TIMES)
motion.check("closed form and integration", max(
    abs(a - b) for x, y in zip(states[1:], other) for a, b in zip(x, y)))
motion.write("spring", ["x"], states, TIMES, rates, [M * V], [], False, 1)
