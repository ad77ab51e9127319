#!/usr/bin/env python3
"""tests/reference/bicycle.json: Whipple's bicycle, Newton's and Euler's equations of four bodies.

Nothing here is a Lagrangian or an Euler angle: a quaternion turns the rear frame, and both contacts
are points of the wheels that rest on the ground. Kane's method projects the equations onto the
three motions left (roll of the frame, steer, rear wheel). The energy checks the motion, and the
published eigenvalues at 5 m/s check the bodies.
"""
from mpmath import asin, atan2, cos, findroot, mp, mpc, mpf, pi, sin, sqrt

import motion

W, C, LAM, G = mpf("1.02"), mpf("0.08"), mpf(float(pi / 10)), mpf("9.81")
R_RADIUS, F_RADIUS = mpf("0.3"), mpf("0.35")
MASSES = [mpf(2), mpf(85), mpf(4), mpf(3)]  # rear wheel, frame with rider, handlebar, front wheel
B_PLACE, H_PLACE = (mpf("0.3"), mpf("-0.9")), (mpf("0.9"), mpf("-0.7"))
# moments of inertia xx, yy, zz and xz; z is down
R_INERTIA = [mpf("0.0603"), mpf("0.12"), mpf("0.0603"), mpf(0)]
B_INERTIA = [mpf("9.2"), mpf(11), mpf("2.8"), mpf("2.4")]
H_INERTIA = [mpf("0.05892"), mpf("0.06"), mpf("0.00708"), mpf("-0.00756")]
F_INERTIA = [mpf("0.1405"), mpf("0.28"), mpf("0.1405"), mpf(0)]
DOWN = [mpf(0), mpf(0), mpf(1)]
ZERO = [mpf(0)] * 3
# yaw, lean, steer, roll rate, steer rate, rate of the rear wheel: 4.6 m/s, pushed to the right
BEGIN = [mpf(0), mpf(0), mpf(0), mpf("0.5"), mpf(0), mpf("-4.6") / R_RADIUS]
# of the linearized equations at 5 m/s
PUBLISHED = [mpf("-14.07838969279822"), mpf("-0.32286642900409"),
             mpc("-0.77534188219585", "4.46486771378823")]
NAMES = ["x", "y", "psi", "phi", "theta", "delta", "thR", "thF"]
TIMES = [0.25, 0.5, 1, 2, 3]
TOLERANCE = mpf(10) ** -20  # of a step; a double has 16 digits
SMALL = mpf(10) ** -15  # of a difference quotient along a motion: exact to 30 digits


def add(*vectors):
    return [sum(parts[1:], parts[0]) for parts in zip(*vectors)]


def times(factor, vector):
    return [factor * x for x in vector]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def solve(columns, right):
    """The three factors with which the columns add up to the right side."""
    a, b, c = columns
    volume = dot(a, cross(b, c))
    return [dot(right, cross(b, c)) / volume, dot(a, cross(right, c)) / volume,
            dot(a, cross(b, right)) / volume]


def lowest(axle, radius):
    """From a hub to the lowest point of its wheel."""
    return times(radius / sqrt(1 - axle[2] ** 2), add(DOWN, times(-axle[2], axle)))


def lowest_rate(axle, axle_rate, radius):
    root = sqrt(1 - axle[2] ** 2)
    growth = axle[2] * axle_rate[2] / root ** 2
    return add(times(growth, lowest(axle, radius)), times(
        -radius / root, add(times(axle_rate[2], axle), times(axle[2], axle_rate))))


class Pose:
    """Directions and places of a state: quaternion, rear hub, steer, wheels, speeds."""

    def __init__(self, y):
        w, i, j, k = y[:4]
        self.b1 = [1 - 2 * (j * j + k * k), 2 * (i * j + w * k), 2 * (i * k - w * j)]
        self.b2 = [2 * (i * j - w * k), 1 - 2 * (i * i + k * k), 2 * (j * k + w * i)]
        self.b3 = cross(self.b1, self.b2)
        # the front frame is turned by the steer angle about the axis that leans back by LAM
        self.axis = add(times(sin(LAM), self.b1), times(cos(LAM), self.b3))
        self.h1, self.h2, self.h3 = (self.steered(b, y[7]) for b in (self.b1, self.b2, self.b3))
        self.to_b = self.upright(self.b1, self.b3, B_PLACE[0], B_PLACE[1] + R_RADIUS)
        self.to_axis = self.upright(self.b1, self.b3, W + C, R_RADIUS)
        self.to_h = self.upright(self.h1, self.h3, H_PLACE[0] - W - C, H_PLACE[1])
        self.to_f = self.upright(self.h1, self.h3, -C, -F_RADIUS)
        self.c_r, self.c_f = lowest(self.b2, R_RADIUS), lowest(self.h2, F_RADIUS)

    def steered(self, vector, angle):
        along = times(dot(vector, self.axis) * (1 - cos(angle)), self.axis)
        return add(times(cos(angle), vector), times(sin(angle), cross(self.axis, vector)), along)

    @staticmethod
    def upright(forward, down, x, z):
        return add(times(x, forward), times(z, down))

    def rates(self, turn, steer, rear, front):
        """Velocities of the four centers, angular velocities, and velocity of the front contact, if
        the rear contact rests; linear in the arguments. turn is the angular velocity of the frame,
        rear the rate of the rear wheel in space, front that of the front wheel in its fork."""
        spin_r = add(turn, times(rear - dot(turn, self.b2), self.b2))
        turn_h = add(turn, times(steer, self.axis))
        spin_f = add(turn_h, times(front, self.h2))
        v_r = cross(self.c_r, spin_r)
        on_axis = add(v_r, cross(turn, self.to_axis))
        v_f = add(on_axis, cross(turn_h, self.to_f))
        v_b, v_h = add(v_r, cross(turn, self.to_b)), add(on_axis, cross(turn_h, self.to_h))
        return ([v_r, v_b, v_h, v_f], [spin_r, turn, turn_h, spin_f],
                add(v_f, cross(spin_f, self.c_f)))

    def bias(self, turn, steer, rear, front):
        """The accelerations where the derivatives of the arguments of rates() vanish."""
        _, (spin_r, _, turn_h, spin_f), _ = self.rates(turn, steer, rear, front)
        b2_rate, h2_rate = cross(turn, self.b2), cross(turn_h, self.h2)
        d_spin_r = times(rear - dot(turn, self.b2), b2_rate)
        d_turn_h = times(steer, cross(turn, self.axis))
        d_spin_f = add(d_turn_h, times(front, h2_rate))
        a_r = add(cross(self.c_r, d_spin_r),
                  cross(lowest_rate(self.b2, b2_rate, R_RADIUS), spin_r))
        a_b = add(a_r, cross(turn, cross(turn, self.to_b)))
        on_axis = add(a_r, cross(turn, cross(turn, self.to_axis)))
        a_h, a_f = (add(on_axis, cross(d_turn_h, arm), cross(turn_h, cross(turn_h, arm)))
                    for arm in (self.to_h, self.to_f))
        contact = add(a_f, cross(d_spin_f, self.c_f),
                      cross(spin_f, lowest_rate(self.h2, h2_rate, F_RADIUS)))
        return [a_r, a_b, a_h, a_f], [d_spin_r, ZERO, d_turn_h, d_spin_f], contact

    def inertia(self, body, vector):
        """The inertia of a body times a vector; the wheels are alike in all directions across."""
        xx, yy, zz, xz = (R_INERTIA, B_INERTIA, H_INERTIA, F_INERTIA)[body]
        one, two, three = ((self.b1, self.b2, self.b3) if body < 2
                           else (self.h1, self.h2, self.h3))
        a, b, c = dot(one, vector), dot(two, vector), dot(three, vector)
        return add(times(xx * a + xz * c, one), times(yy * b, two), times(xz * a + zz * c, three))


def together(factors, motions):
    """The sum of motions (velocities, angular velocities, contact) with factors."""
    def combine(vectors):
        return add(*(times(x, v) for x, v in zip(factors, vectors)))

    return ([combine([m[0][k] for m in motions]) for k in range(4)],
            [combine([m[1][k] for m in motions]) for k in range(4)],
            combine([m[2] for m in motions]))


def power(velocities, forces, moments):
    """Of forces at the centers of the bodies and moments on them."""
    return sum(dot(v, f) for v, f in zip(velocities[0], forces)) + sum(
        dot(w, n) for w, n in zip(velocities[1], moments))


class Dynamics:
    """Velocities, accelerations and contact forces of a state."""

    def __init__(self, y):
        pose = self.pose = Pose(y)
        free = [(pose.b1, 0, 0, 0), (ZERO, 1, 0, 0), (ZERO, 0, 1, 0)]
        tied = [(pose.b2, 0, 0, 0), (pose.b3, 0, 0, 0), (ZERO, 0, 0, 1)]
        self.raw = [pose.rates(*x) for x in tied]
        columns = [m[2] for m in self.raw]
        # the tied motions that follow from each free one because the front contact rests
        self.partial, follow = [], []
        for x in free:
            own = pose.rates(*x)
            z = solve(columns, times(-1, own[2]))
            follow.append(z)
            self.partial.append(together([1] + z, [own] + self.raw))
        self.now = together(y[10:], self.partial)
        tied_rates = add(*(times(u, z) for u, z in zip(y[10:], follow)))
        self.turn, self.front = self.now[1][1], tied_rates[2]
        # the accelerations: those of the free speeds are found from the projected equations
        bias = pose.bias(self.turn, y[11], y[12], self.front)
        self.bias = together([1] + solve(columns, times(-1, bias[2])), [bias] + self.raw)
        mass = [[power(p, *self.momentum(q)) for p in self.partial] for q in self.partial]
        left = self.missing(self.bias)
        self.speed_rates = solve(mass, [-power(p, *left) for p in self.partial])

    def missing(self, rate):
        """The forces and moments on the bodies, beside gravity, that accelerate them so."""
        moments = [add(self.pose.inertia(k, rate[1][k]),
                       cross(self.now[1][k], self.pose.inertia(k, self.now[1][k])))
                   for k in range(4)]
        return [times(m, add(a, times(-G, DOWN))) for m, a in zip(MASSES, rate[0])], moments

    def momentum(self, moving):
        """Linear and angular momenta of the bodies."""
        return ([times(m, v) for m, v in zip(MASSES, moving[0])],
                [self.pose.inertia(k, w) for k, w in enumerate(moving[1])])

    def contact_forces(self):
        """Of the rear and of the front contact: the front one holds the tied motions."""
        forces, moments = self.missing(together([1] + self.speed_rates, [self.bias] + self.partial))
        a, b, c = (m[2] for m in self.raw)
        rows = [[a[k], b[k], c[k]] for k in range(3)]
        front = solve(rows, [power(m, forces, moments) for m in self.raw])
        return add(*forces, times(-1, front)), front

    def yaw_rate(self):
        b2, rate = self.pose.b2, cross(self.turn, self.pose.b2)
        return (rate[1] * b2[0] - rate[0] * b2[1]) / (b2[0] ** 2 + b2[1] ** 2)

    def energy(self):
        kinetic = power(self.now, *self.momentum(self.now)) / 2
        p = self.pose
        hub = -p.c_r[2]
        heights = [hub, hub + p.to_b[2], hub + p.to_axis[2] + p.to_h[2],
                   hub + p.to_axis[2] + p.to_f[2]]
        return kinetic - G * sum(m * z for m, z in zip(MASSES, heights))


def rates(_t, y):
    d, w, v = Dynamics(y), y[0], y[1:4]
    return ([-dot(d.turn, v) / 2] + times(mpf(1) / 2, add(times(w, d.turn), cross(d.turn, v)))
            + d.now[0][0] + [y[11], y[12] - d.yaw_rate() * d.pose.b2[2], d.front] + d.speed_rates)


def read(y):
    """The coordinates and velocities of the catalog's model."""
    d, p = Dynamics(y), Pose(y)
    contact = add(y[4:7], p.c_r)
    axle_rate = cross(d.turn, p.b2)
    moved = add(d.now[0][0], lowest_rate(p.b2, axle_rate, R_RADIUS))
    lean, yaw_rate = asin(p.b2[2]), d.yaw_rate()
    return [contact[0], contact[1], atan2(-p.b2[0], p.b2[1]), lean, atan2(-p.b1[2], p.b3[2]),
            y[7], y[8], y[9], moved[0], moved[1], yaw_rate, axle_rate[2] / cos(lean),
            dot(d.turn, p.b2) - yaw_rate * p.b2[2], y[11], y[12] - yaw_rate * p.b2[2], d.front]


def accelerations(y):
    """Derivatives of the velocities along the motion."""
    slope = rates(0, y)
    after, before = (read(add(y, times(h, slope))) for h in (SMALL, -SMALL))
    return [(a - b) / (2 * SMALL) for a, b in zip(after[8:], before[8:])]


def momenta(y):
    """Of the catalog's coordinates: the work of the bodies' momenta as one of them changes."""
    d, p = Dynamics(y), Pose(y)
    hub = times(-1, p.c_r)
    arms = [hub, add(hub, p.to_b), add(hub, p.to_axis, p.to_h), add(hub, p.to_axis, p.to_f)]
    yaw = atan2(-p.b2[0], p.b2[1])

    def turned(axis, center):
        return [cross(axis, add(arm, times(-1, center))) for arm in arms], [axis] * 4

    pitch, steer = turned(p.b2, hub), turned(p.axis, add(hub, p.to_axis))
    motions = [([[mpf(1), 0, 0]] * 4, [ZERO] * 4), ([[0, mpf(1), 0]] * 4, [ZERO] * 4),
               turned(DOWN, ZERO), turned([cos(yaw), sin(yaw), mpf(0)], ZERO),
               (pitch[0], [ZERO] + pitch[1][1:]),
               ([ZERO] * 2 + steer[0][2:], [ZERO] * 2 + steer[1][2:]),
               ([ZERO] * 4, [p.b2] + [ZERO] * 3), ([ZERO] * 4, [ZERO] * 3 + [p.h2])]
    return [power(m, *d.momentum(d.now)) for m in motions]


def turn_after(quaternion, angle, place):
    """The turn by the quaternion of a frame turned by the angle about its axis 1, 2 or 3."""
    c = cos(angle / 2)
    axis = [sin(angle / 2) if k == place else mpf(0) for k in (1, 2, 3)]
    w, v = quaternion[0], quaternion[1:]
    return [c * w - dot(axis, v)] + add(times(c, v), times(w, axis), cross(v, axis))


def start(values):
    """The state at the origin of these: yaw, lean, steer, roll rate of the frame, steer rate, rate
    of the rear wheel. The pitch puts the front wheel on the ground."""
    yaw, lean, steer, *speeds = values

    def state(pitch):
        quaternion = [mpf(1)] + ZERO
        for angle, place in (yaw, 3), (lean, 1), (pitch, 2):
            quaternion = turn_after(quaternion, angle, place)
        y = quaternion + ZERO + [steer, mpf(0), mpf(0)] + speeds
        return y[:4] + times(-1, Pose(y).c_r) + y[7:]

    return state(findroot(lambda pitch: height(state(pitch)), (mpf(0), mpf(10) ** -3)))


def height(y):
    """Of the front contact; down is positive."""
    p = Pose(y)
    return y[6] + p.to_axis[2] + p.to_f[2] + p.c_f[2]


def eigenvalues(speed):
    """Of lean and steer about riding straight on: differences of the rates of the whole motion."""
    columns, step = [], mpf(10) ** -12

    def slope(values):
        y = start([mpf(0)] + values + [-speed / R_RADIUS])
        return [read(y)[11], y[11]] + rates(0, y)[10:12]

    for k in range(4):
        moved = [step if i == k else mpf(0) for i in range(4)]
        after, before = slope(moved), slope(times(-1, moved))
        columns.append([(a - b) / (2 * step) for a, b in zip(after, before)])
    return mp.eig(mp.matrix(columns).T, left=False, right=False)


found = eigenvalues(mpf(5))
motion.check("published eigenvalues", max(min(abs(e - value) for e in found)
                                          for value in PUBLISHED), mpf(10) ** -13)
own = [start(BEGIN)] + motion.integrate(rates, start(BEGIN), TIMES, TOLERANCE)
energies = [Dynamics(y).energy() for y in own]
motion.check("energy", max(abs(e - energies[0]) for e in energies), TOLERANCE)
motion.check("contacts", max(abs(z) for y in own for z in (height(y), y[6] + Pose(y).c_r[2])),
             TOLERANCE)
states, forces = [read(y) for y in own], [Dynamics(y).contact_forces() for y in own]
motion.write("bicycle", NAMES, states, TIMES, lambda t, y: y[8:] + accelerations(own[0]),
             momenta(own[0]), [("energy", "energy()", energies[0])], True,
             1,  # compared as it is: how errors grow was not computed
             [("holonomic", False)] + [("linear", False)] * 4,
             [[front[2], rear[0], rear[1], front[0], front[1]] for rear, front in forces])
