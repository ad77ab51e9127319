"""Motions in 50 digits for the scripts of this folder: an integrator, and the file of a reference.

A script states the rates of its system by hand; nothing here comes from the program that is tested.
"""
import json
import os

from mpmath import mp, mpf

mp.dps = 50
COLUMNS = 12  # the extrapolation is of order 24
TOLERANCE = mpf(10) ** -32  # the error estimate of one step, relative to 1 + |y|
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def midpoint(rates, t, y, step, n):
    """Gragg's modified midpoint rule with n substeps; the error has even powers of step / n."""
    h = step / n
    before, now = y, [a + h * r for a, r in zip(y, rates(t, y))]
    for k in range(1, n):
        slope = rates(t + k * h, now)
        before, now = now, [a + 2 * h * r for a, r in zip(before, slope)]
    slope = rates(t + step, now)
    return [(a + b + h * r) / 2 for a, b, r in zip(before, now, slope)]


def extrapolate(rates, t, y, step):
    """One step by Bulirsch and Stoer: the new state, and the estimate of its error."""
    row = []
    for j in range(1, COLUMNS + 1):
        new = [midpoint(rates, t, y, step, 2 * j)]
        for k in range(1, j):
            factor = mpf(j * j) / (j - k) ** 2 - 1
            new.append([a + (a - b) / factor for a, b in zip(new[-1], row[k - 1])])
        row = new
    return row[-1], max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2]))


def integrate(rates, y, times, tolerance=TOLERANCE):
    """The states at the times, from the state y at t = 0."""
    t, step, states = mpf(0), mpf(1) / 20, []
    for end in times:
        while t < end:
            length = min(step, end - t)
            new, error = extrapolate(rates, t, y, length)
            if error > tolerance:
                step = length / 2
                continue
            t, y = t + length, new
            if error < tolerance / 10 ** 8:
                step = length * 1.5
        states.append(y)
    return states


def growth(rates, y, end):
    """The growth of a small error of the initial state until the end; at least 1."""
    small = mpf(10) ** -20
    exact = integrate(rates, y, [end])[0]
    largest = mpf(1)
    for k in range(len(y)):
        moved = integrate(rates, y[:k] + [y[k] + small] + y[k + 1:], [end])[0]
        largest = max(largest, mp.norm([a - b for a, b in zip(moved, exact)]) / small)
    return largest


def write(name, coordinates, states, times, rates, momenta, invariants, conserved, sensitivity,
          constraints=(), multipliers=None):
    """Writes NAME.json. A state is (q, v); states[0] is that at t = 0, the others at the times.

    A constraint is (kind, whether it depends on the time); each state has multipliers in the order
    of the constraints."""
    n = len(coordinates)
    multipliers = [[float(m) for m in one] for one in multipliers or [[]] * len(states)]

    def named(values):
        return {c: float(v) for c, v in zip(coordinates, values)}

    document = {
        "id": name,
        "catalog": name,
        "initial": {"t": 0, "q": named(states[0][:n]), "v": named(states[0][n:])},
        "samples": [{"t": t, "q": named(y[:n]), "v": named(y[n:]), "multipliers": forces}
                    for t, y, forces in zip(times, states[1:], multipliers[1:])],
        "invariants": [{"name": what, "expression": expression, "conserved": True,
                        "value": float(value)} for what, expression, value in invariants],
        "facts": {
            "classification": [{"kind": kind, "time_dependent": depends}
                               for kind, depends in constraints],
            "acceleration_at_start": named(rates(mpf(0), states[0])[n:]),
            "momenta_at_start": named(momenta),
            "energy_conserved": conserved,
        },
        "sensitivity_of_last_sample": float(sensitivity),
    }
    if constraints:
        document["facts"]["multipliers_at_start"] = multipliers[0]
    with open(os.path.join(FOLDER, name + ".json"), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")


def check(what, error, limit=mpf(10) ** -26):
    """Ends the script if an independent check fails."""
    print(f"{what}: {mp.nstr(error, 3)}")
    if error > limit:
        raise SystemExit(f"{what} is off by {mp.nstr(error, 3)}")
