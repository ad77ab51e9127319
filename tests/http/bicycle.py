"""The bicycle of F. J. W. Whipple with the parameters and the linearised equations published by J.
P. Meijaard, J. M. Papadopoulos, A. Ruina and A. L. Schwab (Proc. R. Soc. A 463 (2007) 1955-1982).

The whole nonlinear model: knife-edge wheels roll without slip, the front one stays on the ground by
a holonomic constraint. x forward, y right, z down. Angles: yaw psi, lean phi, pitch theta, steer
delta, wheels thR, thF (forward is negative)."""

import math

PARAMETERS = {
    "w": 1.02, "c": 0.08, "lam": math.pi / 10, "g": 9.81,
    "rR": 0.3, "mR": 2, "IRxx": 0.0603, "IRyy": 0.12,
    "xB": 0.3, "zB": -0.9, "mB": 85, "IBxx": 9.2, "IBxz": 2.4, "IByy": 11, "IBzz": 2.8,
    "xH": 0.9, "zH": -0.7, "mH": 4, "IHxx": 0.05892, "IHxz": -0.00756,
    "IHyy": 0.06, "IHzz": 0.00708,
    "rF": 0.35, "mF": 3, "IFxx": 0.1405, "IFyy": 0.28,
}  # fmt: skip

# M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for q = (phi, delta)
M = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]
C1 = [[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]
K0 = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]
K2 = [[0, 76.59734589573222], [0, 2.65431523794604]]


def definitions():
    d = {
        # unit vectors of the rear frame (forward, right, down) in the axes of the ground
        "b1x": "cos(psi)*cos(theta) - sin(psi)*sin(phi)*sin(theta)",
        "b1y": "sin(psi)*cos(theta) + cos(psi)*sin(phi)*sin(theta)",
        "b1z": "-cos(phi)*sin(theta)",
        "b2x": "-sin(psi)*cos(phi)",
        "b2y": "cos(psi)*cos(phi)",
        "b2z": "sin(phi)",
        "b3x": "cos(psi)*sin(theta) + sin(psi)*sin(phi)*cos(theta)",
        "b3y": "sin(psi)*sin(theta) - cos(psi)*sin(phi)*cos(theta)",
        "b3z": "cos(phi)*cos(theta)",
        # from the steer axis to the points H and F of the front frame, across and along the axis
        "hd": "(xH - w - c)*cos(lam) - zH*sin(lam)",
        "ha": "(xH - w - c)*sin(lam) + zH*cos(lam)",
        "fd": "-c*cos(lam) + rF*sin(lam)",
        "fa": "-c*sin(lam) - rF*cos(lam)",
        # angular velocities: of the rear frame in its axes, of the front frame in f, e, a
        "p1": "dot(phi)*cos(theta) - dot(psi)*cos(phi)*sin(theta)",
        "p2": "dot(theta) + dot(psi)*sin(phi)",
        "p3": "dot(phi)*sin(theta) + dot(psi)*cos(phi)*cos(theta)",
        "s1": "cos(lam)*p1 - sin(lam)*p3",
        "o1": "cos(delta)*s1 + sin(delta)*p2",
        "o2": "-sin(delta)*s1 + cos(delta)*p2",
        "o3": "sin(lam)*p1 + cos(lam)*p3 + dot(delta)",
        "h1": "cos(lam)*o1 + sin(lam)*o3",
        "h3": "-sin(lam)*o1 + cos(lam)*o3",
        # from the front hub to the contact
        "root": "sqrt(1 - ez^2)",
        "cx": "-rF*ez*ex/root",
        "cy": "-rF*ez*ey/root",
        "cz": "rF*root",
    }
    hub = {"x": "x - rR*sin(psi)*sin(phi)", "y": "y + rR*cos(psi)*sin(phi)", "z": "-rR*cos(phi)"}
    for k in "xyz":
        d["a" + k] = f"sin(lam)*b1{k} + cos(lam)*b3{k}"  # steer axis
        d["d" + k] = f"cos(lam)*b1{k} - sin(lam)*b3{k}"
        d["f" + k] = f"cos(delta)*d{k} + sin(delta)*b2{k}"  # across it, steered
        d["e" + k] = f"-sin(delta)*d{k} + cos(delta)*b2{k}"  # front axle
        d["R" + k] = hub[k]
        d["B" + k] = f"R{k} + xB*b1{k} + (zB + rR)*b3{k}"
        d["S" + k] = f"R{k} + (w + c)*b1{k} + rR*b3{k}"  # on the steer axis
        d["H" + k] = f"S{k} + hd*f{k} + ha*a{k}"
        d["F" + k] = f"S{k} + fd*f{k} + fa*a{k}"
        d["W" + k] = f"o1*f{k} + (o2 + dot(thF))*e{k} + o3*a{k}"  # of the front wheel
    return d


def lagrangian():
    translation = " + ".join(
        f"m{b}/2*(dot({b}x)^2 + dot({b}y)^2 + dot({b}z)^2)" for b in ("R", "B", "H", "F")
    )
    rotation = (
        "IRxx/2*(dot(phi)^2 + (dot(psi)*cos(phi))^2) + IRyy/2*(dot(thR) + dot(psi)*sin(phi))^2"
        " + (IBxx*p1^2 + IByy*p2^2 + IBzz*p3^2)/2 + IBxz*p1*p3"
        " + (IHxx*h1^2 + IHyy*o2^2 + IHzz*h3^2)/2 + IHxz*h1*h3"
        " + IFxx/2*(o1^2 + o3^2) + IFyy/2*(o2 + dot(thF))^2"
    )
    return f"{translation} + {rotation} + g*(mR*Rz + mB*Bz + mH*Hz + mF*Fz)"


MODEL = {
    "name": "Whipple bicycle",
    "coordinates": ["x", "y", "psi", "phi", "theta", "delta", "thR", "thF"],
    "parameters": PARAMETERS,
    "definitions": definitions(),
    "lagrangian": lagrangian(),
    "constraints": [
        {"name": "front_contact", "equation": "Fz + cz = 0"},
        {"name": "rear_x", "equation": "dot(x) + rR*dot(thR)*cos(psi) = 0"},
        {"name": "rear_y", "equation": "dot(y) + rR*dot(thR)*sin(psi) = 0"},
        {"name": "front_x", "equation": "dot(Fx) + Wy*cz - Wz*cy = 0"},
        {"name": "front_y", "equation": "dot(Fy) + Wz*cx - Wx*cz = 0"},
    ],
    "symmetries": [
        {"name": "along", "generator": {"x": "1"}},
        {"name": "across", "generator": {"y": "1"}},
        {"name": "rear_wheel", "generator": {"thR": "1"}},
        {"name": "front_wheel", "generator": {"thF": "1"}},
    ],
    "base": ["phi", "delta", "thR"],
}


def straight(v):
    """The velocities of riding straight on at the speed v."""
    return {"x": v, "thR": -v / PARAMETERS["rR"], "thF": -v / PARAMETERS["rF"]}
