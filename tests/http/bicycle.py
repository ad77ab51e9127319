"""The catalog's bicycle, and its linearised equations as J. P. Meijaard, J. M. Papadopoulos, A. Ruina
and A. L. Schwab published them (Proc. R. Soc. A 463 (2007) 1955-1982)."""

import json
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

with open(os.path.join(ROOT, "models", "bicycle.json"), encoding="utf-8") as file:
    MODEL = json.load(file)["job"]["model"]
COORDINATES = [coordinate["name"] for coordinate in MODEL["coordinates"]]

# M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for q = (phi, delta)
M = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]
C1 = [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]
K0 = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]
K2 = [[0, 76.59734589573222], [0, 2.65431523794604]]


def straight(v):
    """The velocities of riding straight on at the speed v."""
    radius = {name: MODEL["parameters"][name]["value"] for name in ("rR", "rF")}
    return {"x": v, "thR": -v / radius["rR"], "thF": -v / radius["rF"]}
