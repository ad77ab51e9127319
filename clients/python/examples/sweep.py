#!/usr/bin/env python3
"""A pendulum under gravity from many angles: one ensemble, members by condition,
statistics."""

from dalembert import Client

ENSEMBLE = {
    "model": {
        "name": "pendulum",
        "coordinates": ["a"],
        "parameters": {"m": 1, "l": 1, "g": 9.81},
        "lagrangian": "m*l^2/2*dot(a)^2 + m*g*l*cos(a)",
    },
    "initial": {"q": {"a": 1}},
    "time": {"end": 10, "samples": 201},
    "events": [{"name": "turn", "when": "dot(a)", "direction": "rising"}],
    "vary": {"parameters.l": [0.5, 1, 2], "initial.q.a": {"from": 0.1, "to": 3, "count": 30}},
    "ensemble": {"reduce": {"half_period": {"of": "t", "take": "first_event", "event": "turn"}},
                 "over_time": ["a"]},
}

with Client() as client:
    cost = client.validate(ENSEMBLE)
    print("%d members" % cost["members"]["count"])
    job = client.run(ENSEMBLE, progress=True)

    grid = job.members(grid=True)
    for axis in grid.axes:
        print("%s: %d values" % (axis["path"], len(axis["values"])))
    slow = job.members("half_period > 2", sort="-half_period",
                       columns=["parameters.l", "initial.q.a", "half_period"])
    print("%d members take more than 2 s to swing over, the slowest of them:" % slow.n_rows)
    for row in list(slow.rows())[:3]:
        print("  l = %(parameters.l)g, from %(initial.q.a).2f: %(half_period).3f" % row)

    found = job.statistics(["half_period"], quantiles=[0.05, 0.5, 0.95], where="parameters.l == 1")
    half = found["columns"]["half_period"]
    print("l = 1: from %.4f to %.4f, median %.4f" % (half["min"],
                                                     half["max"], half["quantiles"]["0.5"]))
    # sqrt(l/g) pi for small angles
    assert abs(half["min"] - 1.0036) < 1e-3
    bands = job.statistics(["a"], over="time", quantiles=[0.05, 0.95])
    print("at t = %g the angles are from %.3f to %.3f" % (
        bands["t"][-1], bands["columns"]["a"]["min"][-1], bands["columns"]["a"]["max"][-1]))
