"""Multibody benchmarks: the library of IFToMM's technical committee, and the bicycle."""
import json
import math

from table import Row, Said, least, must, problem, simulate

import program

IFTOMM = ("IFToMM Technical Committee for Multibody Dynamics, Library of Computational Benchmark"
          " Problems (www.iftomm-multibody.org/benchmark; M. Gonzalez, F. Gonzalez, A. Luaces, J."
          " Cuadrado, A collaborative benchmarking framework for multibody system dynamics, Eng."
          " with Computers 26 (2010) 1-9), problem ")


def bicycle(speeds):
    """The catalog's bicycle at rest and at these speeds."""
    return program.catalog(
        "bicycle", initial={"v": {"x": 1, "psi": 0, "phi": 0, "delta": 0}}, time={"at": [0, 0.1]},
        analyses=[{"name": "equilibria", "near": [
            {"v": {"x": v, "thR": -v / 0.3, "thF": -v / 0.35}} for v in speeds]}])


WEAVE = [(3.52696170990070, 0.8077402751993), (2.68234517512745, 1.68066296590675),
         (1.70675605663975, 2.31582447384325), (0.41325331521125, 3.07910818603206),
         (-0.77534188219585, 4.46486771378823), (-1.52644486584142, 5.87673060598709),
         (-2.13875644258362, 7.19525913329805), (-2.69348683581097, 8.46037971396931),
         (-3.21675402252485, 9.69377351531791), (-3.72016840437287, 10.90681139476287)]
CAPSIZE = [-3.13423125066578, -3.07158645641514, -2.63366137253667,
           -1.42944427361326, -0.32286642900409,
           -0.00406690076970, 0.10268170574766, 0.14327879765713,
           0.15790184030917, 0.16105338653172]
CASTER = [-7.11008014637442, -8.67387984831735, -10.35101467245920,
          -12.15861426576447, -14.07838969279822,
          -16.08537123098026, -18.15788466125262, -20.27940894394569,
          -22.43788559040858, -24.62459635017404]


@problem("Whipple's bicycle",
         "Four rigid bodies on two knife-edge wheels that roll without slipping: 8 coordinates,"
         " one holonomic and four nonholonomic constraints, the full nonlinear model; `equilibria`"
         " linearises it about straight upright motion. The eigenvalues at 0 to 10 m/s, in 1/s."
         " The other eigenvalues are zero (place, heading, speed, angles of the wheels).",
         {"published": "J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized"
                       " dynamics equations for the balance and steer of a bicycle: a benchmark"
                       " and review, Proc. R. Soc. A 463 (2007) 1955-1982, table 2"})
def check_bicycle():
    found = program.simulate(bicycle(range(11)))["invariants"]["equilibria"]
    rest = [e for e in found if e["kind"] == "equilibrium"][0]
    moving = [e for e in found if e["kind"] == "relative equilibrium"]
    must(len(moving) == 10, f"{len(moving)} speeds, not 10")
    real = sorted(e["re"] for e in rest["eigenvalues"] if abs(e["re"]) > 0.01)
    yield least("4 eigenvalues at rest", "published",
                [(f"{k}", value, real[k]) for k, value in enumerate(
                    [-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393])],
                13)
    weave, capsize, caster = [], [], []
    for k, e in enumerate(moving):
        values = [(v["re"], v["im"]) for v in e["eigenvalues"]]
        oscillating = [v for v in values if v[1] > 0.5]
        reals = [re for re, im in values if im == 0 and abs(re) > 1e-3]
        must(len(oscillating) == 1 and len(reals) == 2, f"eigenvalues at {k + 1} m/s: {values}")
        name = f"{k + 1} m/s"
        weave += [(f"{name}, real part", WEAVE[k][0], oscillating[0][0]),
                  (f"{name}, imaginary part", WEAVE[k][1], oscillating[0][1])]
        capsize.append((name, CAPSIZE[k], max(reals)))
        caster.append((name, CASTER[k], min(reals)))
    yield least("weave at 1, 2, .., 10 m/s", "published", weave, 12)
    yield least("caster at 1, 2, .., 10 m/s", "published", caster, 13)
    yield least("capsize but at 6 m/s", "published", [row for row in capsize if row[0] != "6 m/s"],
                10)
    yield least("capsize at 6 m/s, near its zero (digits behind the point)",
                "published", [capsize[5]], 8, 1)


def bricard():
    points = {"B": (1, 0, 0), "C": (1, -1, 0), "D": (1, -1, 1), "E": (0, -1, 1)}
    axes = {"b": (0, 0, 1), "c": (1, 0, 0), "d": (0, 1, 0), "e": (0, 0, 1)}
    q = {n + k: value for n, vector in {**points, **axes}.items()
         for k, value in zip("xyz", vector)}
    names = {n: [n + k for k in "xyz"] for n in {**points, **axes}}
    names.update({"A": ["0", "0", "0"], "F": ["0", "0", "1"],
                  "a": ["0", "1", "0"], "f": ["1", "0", "0"]})

    def inner(u, w):
        return " + ".join(f"({s})*({t})" for s, t in zip(u, w))

    constraints, kinetic = [], []
    for start, end in zip("ABCDE", "BCDEF"):
        rod = [f"{t} - {s}" for s, t in zip(names[start], names[end])]
        u, w = names[start.lower()], names[end.lower()]
        # the axis at each end is perpendicular to the rod, and they to each other
        for name, equation in (("length", inner(rod, rod) + " = 1"),
                               ("start", inner(rod, u) + " = 0"),
                               ("end", inner(rod, w) + " = 0"), ("twist", inner(u, w) + " = 0")):
            constraints.append({"name": f"{name}_{start}{end}", "equation": equation})
        if end != "F":
            constraints.append({"name": f"unit_{end.lower()}", "equation": inner(w, w) + " = 1"})
        for s, t in zip(names[start], names[end]):
            moving = [c for c in (s, t) if c in q]
            kinetic += [f"dot({c})^2" for c in moving]
            kinetic += [f"dot({s})*dot({t})"] if len(moving) == 2 else []
    return {
        "model": {
            "coordinates": list(q), "parameters": {"m": 1, "g": 9.81},
            "lagrangian": "m/6*(" + " + ".join(kinetic) + ") - m*g*(By + Cy + Dy + Ey)",
            "constraints": constraints,
        },
        "initial": {"q": q, "v": {c: 0 for c in q}},
        "time": {"at": [0, 1, 5, 10]},
    }


@problem("Bricard's mechanism",
         "Five rods of 1 m and 1 kg, joined to each other and to the ground by six hinges at right"
         " angles, fall from rest along the edges of a cube. By Gruebler's count there is no"
         " degree of freedom, and one of the 24 constraints is redundant. P3 is the point C.",
         {"published":
          IFTOMM + "A04 (model; its reference solution is a file of 1e-3 s steps that we do not "
                   "have)",
          "30 digits": "with the redundant constraint left out"})
def check_bricard():
    answer = simulate(bricard())
    series, evidence = answer["result"]["series"], answer["diagnostics"]
    for k, t in ((1, 1), (2, 5), (3, 10)):
        exact = {1: ("0.273333915809660808871528721449764", "-0.8865440007919790190455612279219907",
                     "-0.462644285234078628461303009813626"),
                 5: ("0.999816118705065327832143702637612", "-0.999999983096943128378387666931677",
                     "-0.0001838643887693587419101696395572146"),
                 10: ("0.9992646100894148636746277121439833",
                      "-0.9999997297996154571275409508614869",
                      "-0.000735119511424841117972463660208222")}[t]
        yield least(f"C at t = {t}", "30 digits",
                    [(c, value, series[c][k]) for c, value in zip(("Cx", "Cy", "Cz"), exact)],
                    12, 1)
    yield Row("energy: balance, of 1 J", "published", 0, evidence["energy"]["balance_max"], 11, 1)
    yield Said("independent constraints", "23 of 24", f"{evidence['rank']} of 24")


FOUR_BARS = (1, 2, 3, 5, 10, 20, 40)


def four_bar(n, at):
    """n windows in a row; A_i = (i, 0) are fixed, B_i = (x_i, y_i) above them."""
    bars = range(n + 1)
    kinetic = [f"dot(x{i})^2 + dot(y{i})^2" for i in bars]
    kinetic += [f"dot({c}{i})^2 + dot({c}{i})*dot({c}{i + 1}) + dot({c}{i + 1})^2"
                for i in range(n) for c in "xy"]
    height = [f"y{i}/2" for i in bars] + [f"(y{i} + y{i + 1})/2" for i in range(n)]
    q = {name: value for i in bars for name, value in ((f"x{i}", i), (f"y{i}", 1))}
    return {
        "model": {
            "coordinates": list(q), "parameters": {"m": 1, "l": 1, "g": 9.81},
            "lagrangian": "m/6*(" + " + ".join(kinetic) + ") - m*g*(" + " + ".join(height) + ")",
            "constraints":
                [{"name": f"bar{i}", "equation": f"(x{i} - {i}*l)^2 + y{i}^2 = l^2"} for i in bars]
                + [{"name": f"coupler{i}",
                    "equation": f"(x{i + 1} - x{i})^2 + (y{i + 1} - y{i})^2 = l^2"}
                   for i in range(n)],
        },
        "initial": {"q": q, "v": {c: 1 if c[0] == "x" else 0 for c in q}},
        "time": {"at": at},
        "integrator": {"rtol": 1e-12, "atol": 1e-14},
        "analyses": [],
    }


def jacobi(u, k2):
    """sn and cn of u for 0 <= k2 < 1, by descending arithmetic-geometric means (Abramowitz, Stegun
    16.4)."""
    a, b, c = [1.0], math.sqrt(1 - k2), [math.sqrt(k2)]
    while c[-1] > 1e-9:  # the next one, of its square, is nothing
        a_next = (a[-1] + b) / 2
        c.append((a[-1] - b) / 2)
        b = math.sqrt(a[-1] * b)
        a.append(a_next)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[n] / a[n] * math.sin(phi))) / 2
    return math.sin(phi), math.cos(phi)


def four_bar_exact(n, t):
    """The point B0: all parallelograms turn as one pendulum, over the top with 1 m/s, so that half
    the angle is the amplitude of t/2 for the parameter -4 w^2 (16.10 makes that a positive one)."""
    w2 = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    k2 = 4 * w2 / (1 + 4 * w2)
    s, c = jacobi(t / 2 * math.sqrt(1 + 4 * w2), k2)
    root = math.sqrt(1 - k2 * s * s)
    s, c = math.sqrt(1 - k2) * s / root, c / root
    return 2 * s * c, 1 - 2 * s * s


def four_bar_outcome(n):
    """What becomes of 10 s of it: carried through, ended with a reason, or wrong."""
    job = four_bar(n, [0, 2.5, 5, 7.5, 10])
    done = program.process("simulate", job)
    if done.returncode != 0:
        must("became singular" in done.stderr, done.stderr)
        return "ended"
    answer = json.loads(done.stdout)
    series = answer["result"]["series"]
    errors = [abs(series[c][k] - exact) for k, t in enumerate(series["t"])
              for c, exact in zip(("x0", "y0"), four_bar_exact(n, t))]
    if max(errors) < 1e-8:
        return "carried through"
    return "warned of" if answer["diagnostics"]["warnings"] else "wrong"


@problem("N four-bar mechanisms",
         "N parallelograms in a row, upright, start with 1 m/s and turn over and over, as one"
         " pendulum. Whenever they lie flat, each could fold on its own: the constraints lose N"
         " ranks there, and the smooth motion has to be found among others. 10 s of it, with"
         " 2 N + 2 coordinates. A run that is not carried through a flat position"
         " ends there and gives the loss of rank as the reason; one that is carried through"
         " warns of the first.",
         {"published": IFTOMM + "A02 (model)",
          "closed form": "one pendulum: x, y = sin, cos of 2 am(v t/2 | -4 w^2/v^2), w^2 ="
                         " 9.81 (9 N + 3)/(8 N + 2)"},
         quick=False)
def check_four_bar():
    outcomes = {n: four_bar_outcome(n) for n in FOUR_BARS}
    wrong = [str(n) for n, outcome in outcomes.items() if outcome == "wrong"]
    yield Said("N = " + ", ".join(map(str, FOUR_BARS))
               + ": off the closed form by 1e-8, without a warning", "none",
               ", ".join(wrong) or "none")
    yield Said("N: carried through, within 1e-8 of the closed form", ", ".join(map(str, FOUR_BARS)),
               ", ".join(str(n) for n, outcome in outcomes.items() if outcome == "carried through"))


def governor(integrator):
    definitions, lagrangian = {}, "(Is + Ib)/2*dot(ph)^2 + mb/2*dot(s)^2 - mb*g*s"
    forces = {"s": "C*(dot(len1)*(z1 - s)/len1 + dot(len2)*(z2 - s)/len2)"}
    for i in (1, 2):
        definitions.update({f"c{i}": f"R + cos(b{i})/2", f"z{i}": f"1 - sin(b{i})/2",
                            f"r{i}": f"R + cos(b{i})",
                            f"len{i}": f"hypot(cos(b{i})/2, z{i} - s)"})
        lagrangian += (f" + (mr*c{i}^2 + It*cos(b{i})^2 + Ia*sin(b{i})^2 + m*r{i}^2)/2*dot(ph)^2"
                       f" + (mr/4 + It + m)/2*dot(b{i})^2 - mr*g*z{i} + m*g*sin(b{i}) - "
                       f"K/2*(len{i} - l0)^2")
        forces[f"b{i}"] = f"C*dot(len{i})*(sin(b{i})*cos(b{i})/4 + (z{i} - s)*cos(b{i})/2)/len{i}"
    q = {"ph": 0, "s": 0.5, "b1": math.pi / 6, "b2": math.pi / 6}
    return {
        "model": {
            "coordinates": list(q),
            "parameters": {"R": 0.05, "mr": 0.3, "It": 0.0250025,
                           "Ia": 5e-6, "Is": 5e-6, "m": 5, "mb": 3, "Ib": 0.005,
                           "K": 8e5, "C": 4e4, "l0": 0.5, "g": 9.81},
            "definitions": definitions, "lagrangian": lagrangian, "forces": forces},
        "initial": {"q": q, "v": {"ph": 2 * math.pi, "s": 0, "b1": 0, "b2": 0}},
        "time": {"at": [0, 0.1, 1, 10]},
        "integrator": integrator,
    }


@problem("Stiff flyball governor",
         "Two arms with balls of 5 kg and a slider that spring-dampers of 8e5 N/m and 4e4 Ns/m"
         " hold: decay rates of 1e4 /s in a motion of 1 Hz. The height s of the slider and the"
         " angle of the shaft.",
         {"published": IFTOMM + "A05 (model; its reference solution is a file that we do not have)",
          "30 digits": "from the same initial values"})
def check_governor():
    exact = [("ph", 3, "55.93540990910237428777780889614022"),
             ("s", 2, "0.5014209223795676507239387189357671"),
             ("s", 3, "0.6196229170613656573664169498810212")]
    for name, integrator, digits in (("dop853, rtol 1e-11", {"rtol": 1e-11, "atol": 1e-13}, 13),
                                     ("bdf, rtol 1e-10",
                                      {"method": "bdf", "rtol": 1e-10, "atol": 1e-12}, 8)):
        series = simulate(governor(integrator))["result"]["series"]
        yield least(f"shaft at t = 10, s at t = 1 and 10 by {name}", "30 digits",
                    [(f"{c}({series['t'][k]:g})", value, series[c][k]) for c, k, value in exact],
                    digits)
