#!/usr/bin/env python3
"""tests/reference/roller-racer.json: a seat and a handlebar on an axle each, joined by a pin.

Newton's equations by hand, in the frame of the seat: u is its speed along the heading, w its
turning rate. The side force of the handlebar's wheels drives the racer. The torque of the rider
about the pin, and its work, integrated beside the motion, check the energy.
"""
from mpmath import cos, mpf, sin

import motion

M, I1, I2, D1, D2 = mpf(40), mpf(4), mpf("0.1"), mpf("0.5"), mpf("0.1")
AMPLITUDE, OMEGA = mpf("0.6"), mpf(6)
START = [mpf(0)] * 6
TIMES = [0.5, 1, 2, 4, 6]


def steering(t):
    """The angle of the handlebar and its two derivatives."""
    angle = AMPLITUDE * cos(OMEGA * t)
    return angle, -AMPLITUDE * OMEGA * sin(OMEGA * t), -OMEGA ** 2 * angle


def turning(t, u):
    """The turning rate that keeps the handlebar's wheels from sliding."""
    phi, rate, _ = steering(t)
    return (D2 * rate + u * sin(phi)) / (D1 * cos(phi) - D2)


def forces(t, y):
    """u, w, their rates, and the side forces of the seat's and of the handlebar's wheels."""
    u = cos(y[2]) * y[3] + sin(y[2]) * y[4]
    phi, rate, second = steering(t)
    arm, arm_rate = D1 * cos(phi) - D2, -D1 * sin(phi) * rate
    w = turning(t, u)
    # arm w = D2 phi' + u sin(phi), so w' = a u' + b
    a, b = sin(phi) / arm, (D2 * second + u * cos(phi) * rate - w * arm_rate) / arm
    # forwards: M u' = -side sin(phi); moments: (I1 + I2) w' + I2 phi'' = side arm
    du = -sin(phi) * ((I1 + I2) * b + I2 * second) / (M * arm + sin(phi) * (I1 + I2) * a)
    dw = a * du + b
    side = ((I1 + I2) * dw + I2 * second) / arm
    return u, w, du, dw, M * u * w - side * cos(phi), side


def rates(t, y):
    u, w, du, dw, _, _ = forces(t, y)
    c, s = cos(y[2]), sin(y[2])
    return [u * c, u * s, w, du * c - u * w * s, du * s + u * w * c, dw]


def with_work(t, y):
    """The handlebar turns by the rider's torque and by the forces at both of its ends."""
    _, _, _, dw, _, side = forces(t, y)
    _, rate, second = steering(t)
    return rates(t, y[:6]) + [(I2 * (dw + second) + side * D2) * rate]


def energy(t, y):
    return (M * (y[3] ** 2 + y[4] ** 2) + I1 * y[5] ** 2 + I2 * (y[5] + steering(t)[1]) ** 2) / 2


full = [START + [mpf(0)]] + motion.integrate(with_work, START + [mpf(0)], TIMES)
instants = [mpf(t) for t in [0] + TIMES]
motion.check("energy and work", max(abs(energy(t, y) - y[6]) for t, y in zip(instants, full)))
states = [y[:6] for y in full]
motion.check("wheels", max(
    max(abs(cos(y[2]) * y[4] - sin(y[2]) * y[3]), abs(y[5] - forces(t, y)[1]))
    for t, y in zip(instants, states)))
motion.write("roller-racer", ["x", "y", "th"], states, TIMES, rates, [0, 0, 0], [], False,
             motion.growth(rates, START, TIMES[-1]), [("linear", False), ("affine", True)],
             [forces(t, y)[4:] for t, y in zip(instants, states)])
