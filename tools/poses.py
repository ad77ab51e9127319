#!/usr/bin/env python3
"""Writes what the cards of the catalog draw: a scene and a few rows for each system.

    tools/poses.py > web/app/poses.json        needs build/dalembert (make poses)

The service evaluates each scene on the rows of the system's example. A scene with a body keeps its
first row. A scene of points alone keeps ROWS rows, because its trails tell the systems apart.
Arrows, gauges and labels are left out: a card has no room for them.
"""

import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import Daemon  # noqa: E402

ROWS = 65  # of a trail
DIGITS = 4  # a card is about 100 pixels wide
NOT_DRAWN = ("arrow", "gauge", "text")
NO_BODY = ("point", "trail", "ground")


def columns_of(value):
    """The names of the columns below a value."""
    if isinstance(value, dict):
        return {value["column"]} if list(value) == ["column"] else columns_of([*value.values()])
    return {name for part in value for name in columns_of(part)} if isinstance(value, list) else set()


def rounded(value):
    return None if value is None else float("%.*g" % (DIGITS, value))


def drawn(scene):
    """The scene without the items and the labels that a card has no room for."""
    items = [{name: value for name, value in item.items() if name != "label"}
             for item in scene["items"] if item["shape"] not in NOT_DRAWN]
    return dict(scene, items=items)


def pose_of(scene, series):
    scene = drawn(scene)
    last = len(series["t"]) - 1
    body = any(item["shape"] not in NO_BODY for item in scene["items"])
    rows = [0] if body else [last * k // (ROWS - 1) for k in range(ROWS)]
    names = {"t"} | columns_of(scene)
    return {"scene": scene, "series": {name: [rounded(series[name][k]) for k in rows]
                                       for name in series if name in names}}


def poses(daemon):
    """The pose of each system of the catalog, by its name."""
    found = {}
    for system in daemon.get("/v1/catalog").json["systems"]:
        job = daemon.finish(daemon.get("/v1/catalog/" + system["name"]).json["job"])
        path = "/v1/jobs/" + job["id"]
        found[system["name"]] = pose_of(daemon.get(path + "/scene").json["scene"],
                                        daemon.get(path + "/result?table=@scene").json["series"])
    return found


def main():
    daemon = Daemon()
    try:
        found = poses(daemon)
    finally:
        daemon.close()
    lines = ["%s:%s" % (json.dumps(name), json.dumps(pose, separators=(",", ":")))
             for name, pose in found.items()]
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
