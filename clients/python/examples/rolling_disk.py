#!/usr/bin/env python3
"""A disk rolls upright on a plane: its track, its accuracy, a drawing."""

import math

from dalembert import Client

with Client() as client:
    system = client.catalog_system("vertical-rolling-disk")
    print(system["title"])
    job = client.run(system["job"], progress=True)
    track = job.result(["t", "x", "y", "speed", "side_force"])
    print("%8s %10s %10s %12s" % ("t", "x", "y", "side force"))
    for row in list(track.rows())[::40]:
        print("%8.3f %10.6f %10.6f %12.6f" % (row["t"], row["x"], row["y"], row["side_force"]))

    # heading phi turns at a steady rate, so that the point of contact runs on a circle
    start = system["job"]["initial"]["v"]
    radius = 0.5 * start["theta"] / start["phi"]
    widest = max(track["x"]) - min(track["x"])
    print("the circle is %.4f %s wide, and should be %.4f" % (widest, track.units["x"], 2 * radius))
    assert math.isclose(widest, 2 * radius, rel_tol=1e-3)

    for constraint in job.diagnostics()["constraints"]:
        print("%s held to %.1e" % (constraint["name"], constraint["max"]))
    for verdict in job.invariants()["invariants"][:3]:
        print("%s conserved: %s" % (verdict["name"], verdict["predicted"]))
    job.plot("y", x="x").save("rolling-disk.svg")
    print("rolling-disk.svg: its track")
