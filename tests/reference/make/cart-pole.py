#!/usr/bin/env python3
"""tests/reference/cart-pole.json: a cart with a point mass on a rod, balanced by a force.

Newton's equations by hand: th is measured from the upward vertical, the force u on the cart is
linear in the state. The work of u, integrated beside the motion, checks the energy.
"""
from mpmath import cos, mpf, sin

import motion

MC, M, L, G = mpf(1), mpf("0.1"), mpf("0.5"), mpf("9.81")
KX, KV, KTH, KW = mpf(2), mpf(4), mpf(30), mpf(7)
START = [mpf(0), mpf("0.3"), mpf(0), mpf(0)]
TIMES = [0.5, 1, 2, 5, 10]


def force(y):
    return KX * y[0] + KV * y[2] + KTH * y[1] + KW * y[3]


def rates(_t, y):
    th, w, u = y[1], y[3], force(y)
    # the mass: L th'' = G sin(th) - x'' cos(th); both bodies: (MC + M) x'' + M (L sin(th))'' = u
    ax = (u + M * L * w ** 2 * sin(th) - M * G * sin(th) * cos(th)) / (MC + M * sin(th) ** 2)
    return [y[2], w, ax, (G * sin(th) - ax * cos(th)) / L]


def with_work(t, y):
    return rates(t, y[:4]) + [force(y) * y[2]]


def energy(y):
    vx, vy = y[2] + L * y[3] * cos(y[1]), -L * y[3] * sin(y[1])
    return (MC * y[2] ** 2 + M * (vx ** 2 + vy ** 2)) / 2 + M * G * L * cos(y[1])


full = motion.integrate(with_work, START + [mpf(0)], TIMES)
motion.check("energy and work", max(abs(energy(y) - energy(START) - y[4]) for y in full))
states = [START] + [y[:4] for y in full]
motion.write("cart-pole", ["x", "th"], states, TIMES, rates, [0, 0], [], False,
             motion.growth(rates, START, TIMES[-1]))
