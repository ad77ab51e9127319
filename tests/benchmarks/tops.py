"""Rigid bodies with closed forms or well-known behaviour, and Mathieu's equation."""
import math

from table import Row, Said, least, must, problem, simulate

import program


def free_top(at):
    return {
        "model": {
            "coordinates": ["ph", "th", "ps"], "parameters": {"I1": 1, "I2": 2, "I3": 3},
            "definitions": {"w1": "dot(ph)*sin(th)*sin(ps) + dot(th)*cos(ps)",
                            "w2": "dot(ph)*sin(th)*cos(ps) - dot(th)*sin(ps)",
                            "w3": "dot(ph)*cos(th) + dot(ps)"},
            "lagrangian": "(I1*w1^2 + I2*w2^2 + I3*w3^2)/2",
        },
        "initial": {"q": {"ph": 0, "th": 1.1, "ps": "pi/2"}, "v": {"ph": 1, "th": 0, "ps": 0.8}},
        "time": {"at": at},
        "observe": {"w1": "w1", "w2": "w2", "w3": "w3"},
        "events": [{"name": "turn", "when": "w2", "direction": "rising"}],
    }


@problem("Free top",
         "A rigid body with moments of inertia 1, 2, 3, free of torques, in Euler angles: its"
         " angular velocity in the body runs as Jacobi's cn, sn and dn with the period 4 K(k)/n.",
         {"closed form":
          "L. D. Landau, E. M. Lifshitz, Mechanics (Course of Theoretical Physics 1),"
                         " paragraph 37, at 30 digits: w1 = a cn(nt), w2 = b sn(nt), w3 = c "
                         "dn(nt) for"
                         " w1(0) = sin 1.1, w2(0) = 0, w3(0) = cos 1.1 + 0.8"})
def check_free_top():
    answer = simulate(free_top([0, 1, 10, 100]))
    series, turns = answer["result"]["series"], answer["events"]["turn"]["series"]["t"]
    exact = {
        1: ("0.311905982479528150344498149559", "0.834844426657537873014486256889",
            "1.15723009671637901188902514674"),
        10: ("0.730227923592948022354993620347", "-0.510898951097772874736667147659",
             "1.21839949232958185481888657139"),
        100: ("0.817815157651939679831206495801", "0.354159464849389422054535047191",
              "1.23680782398578357269917650477"),
    }
    for k, (t, values) in enumerate(exact.items(), 1):
        yield least(f"w1, w2, w3 at t = {t}", "closed form",
                    [(c, value, series[c][k]) for c, value in zip(("w1", "w2", "w3"), values)],
                    12 if t < 100 else 11, 1)
    yield Row("period: the first return of w2 to 0", "closed form",
              "5.24592115709186571918224569818", turns[0], 13)
    yield Said("returns of w2 to 0 up to t = 100", "19", str(len(turns)))


def mathieu(a, q, period):
    return {
        "model": {"coordinates": ["x"], "parameters": {"a": a, "q": q},
                  "lagrangian": "(dot(x)^2 - (a - 2*q*cos(2*t))*x^2)/2"},
        "initial": {"q": {"x": 1}, "v": {"x": 0}}, "time": {"at": [0, 1]},
        "analyses": [{"name": "floquet", "period": period}],
    }


def floquet(a, q):
    return program.simulate(mathieu(a, q, "pi"))["invariants"]["floquet"]


def characteristic(r, q, start):
    """The a near `start` for which the trace of the monodromy matrix over pi is 2 (r even) or -2:
    by the secant rule."""
    side = 2 if r % 2 == 0 else -2
    a, b = start, start + 1e-3
    f, g = floquet(a, q)["trace"] - side, floquet(b, q)["trace"] - side
    for _ in range(12):
        if g == f or abs(b - a) < 1e-15 * abs(b):
            break
        a, b, f = b, b - g * (b - a) / (g - f), g
        g = floquet(b, q)["trace"] - side
    return b


@problem("Mathieu's characteristic numbers",
         "x'' + (a - 2 q cos 2t) x = 0 has a solution of period pi or 2 pi where the trace of the"
         " monodromy matrix over pi is 2 or -2. Found by a secant rule on the trace that `floquet`"
         " gives, from a start with four digits.",
         {"published": "J. Burkardt, TEST_VALUES: mathieu_even_values, mathieu_odd_values; M."
                       " Abramowitz, I. A. Stegun, Handbook of Mathematical Functions (1964),"
                       " table 20.1, has 8 decimals",
          "30 digits": "eigenvalues of the recurrence's tridiagonal matrix (Abramowitz,"
                       " Stegun 20.2)"})
def check_mathieu():
    even = [(0, 5, -5.800046020851508), (5, 5, 25.54997174998161), (5, 10, 27.70376873393928),
            (5, 15, 31.95782125217288), (5, 20, 36.64498973413284), (5, 25, 40.05019098580771)]
    odd = [(2, 5, 2.099460445486665), (2, 10, -2.382158235956956), (5, 15, 27.96788059671747)]
    exact = [("a0(1)", 0, 1, "-0.45513860410741354823263318752889"),
             ("a1(1)", 1, 1, "1.8591080725143634723299175128414"),
             ("b1(5)", 1, 5, "-5.7900805986377710438194990213328"),
             ("b5(10)", 5, 10, "26.766426360480061674870524523622")]
    pairs = [(f"{kind}{r}({q})", value, characteristic(r, q, float(f"{value:.4g}")))
             for kind, rows in (("a", even), ("b", odd)) for r, q, value in rows]
    yield least(f"{len(pairs)} characteristic numbers: " + ", ".join(name for name, _, _ in pairs),
                "published", pairs, 10)
    yield least("a0(1), a1(1), b1(5), b5(10)", "30 digits",
                [(name, value, characteristic(r, q, float(f"{float(value):.4g}")))
                 for name, r, q, value in exact], 10)
    for a, q, where, stable in ((2.5, 1, "between two tongues", "yes"),
                                (1, 0.5, "within the first", "no")):
        yield Said(f"verdict `stable` {where} (a = {a}, q = {q})", stable, floquet(a, q)["stable"])


def tippe_top():
    q0, q1, spin = math.cos(0.05), math.sin(0.05), 150
    return {
        "model": {
            "coordinates": ["x", "y", "q0", "q1", "q2", "q3"],
            "parameters": {"m": 0.02, "R": 0.02, "a": 0.006,
                           "I1": 3e-6, "I3": 3.2e-6, "c": 0.2, "g": 9.81},
            "definitions": {
                # the top's axis, its angular velocity on the ground's axes and about its own
                "n1": "2*(q1*q3 + q0*q2)", "n2": "2*(q2*q3 - q0*q1)",
                "n3": "q0^2 - q1^2 - q2^2 + q3^2",
                "w1": "2*(q0*dot(q1) - q1*dot(q0) + q2*dot(q3) - q3*dot(q2))",
                "w2": "2*(q0*dot(q2) - q2*dot(q0) + q3*dot(q1) - q1*dot(q3))",
                "w3": "2*(q0*dot(q3) - q3*dot(q0) + q1*dot(q2) - q2*dot(q1))",
                "spin": "2*(q0*dot(q3) - q3*dot(q0) + q2*dot(q1) - q1*dot(q2))",
                "z": "R - a*n3", "sx": "dot(x) + a*dot(n1) - R*w2",
                "sy": "dot(y) + a*dot(n2) + R*w1",
            },
            "lagrangian": "m/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - m*g*z + (I3 - I1)/2*spin^2"
                          " + 2*I1*(dot(q0)^2 + dot(q1)^2 + dot(q2)^2 + dot(q3)^2)",
            "constraints": [{"name": "unit", "equation": "q0^2 + q1^2 + q2^2 + q3^2 = 1"}],
            "forces": {
                "x": "-c*sx", "y": "-c*sy",
                "q0": "-2*c*(a + R)*(sx*q2 - sy*q1)", "q1": "-2*c*(a - R)*(sx*q3 - sy*q0)",
                "q2": "-2*c*(a - R)*(sx*q0 + sy*q3)", "q3": "-2*c*(a + R)*(sx*q1 + sy*q2)",
            },
        },
        "initial": {"q": {"q0": q0, "q1": q1},
                    "v": {"x": 0, "y": 0, "q0": 0, "q1": 0,
                          "q2": -q1 * spin / 2, "q3": q0 * spin / 2}},
        "time": {"at": [0, 1, 2, 4]},
        "observe": {"jellett": "R*(I1*w3 + (I3 - I1)*spin*n3) - a*I3*spin",
                    "tilt": "n3", "spin": "spin"},
    }


@problem("Tippe top",
         "An eccentric ball on a table, spun at 150 rad/s with a tilt of 0.1, in quaternions;"
         " friction proportional to the slip at the contact turns it over (without slip, hence"
         " without sticking, there is no force). Jellett's integral, the angular momentum along"
         " the line from the contact to the centre of mass, survives every friction at the"
         " contact.",
         {"published": "J. H. Jellett, A Treatise on the Theory of Friction (1872): the integral;"
                       " model of R. J. Cohen, The tippe top revisited, Am. J. Phys. 45 (1977)"
                       " 12-17, with friction linear in the slip; parameters are ours",
          "30 digits": "from the same initial values"})
def check_tippe_top():
    series = simulate(tippe_top())["result"]["series"]
    jellett = [abs(j / series["jellett"][0] - 1) for j in series["jellett"]]
    yield Row("Jellett's integral, largest relative drift", "published", 0, max(jellett), 11, 1)
    exact = {"x": "-0.1662920153785481076142192591989777",
             "y": "0.03234635326635136708162931247146301",
             "q0": "0.01059806436937198584592241159898318",
             "q1": "-0.9907691202531734941411460651594731",
             "q2": "0.1336174942178847488558699839074918",
             "q3": "0.0202631839380915278846378302760885"}
    yield least("place and quaternion at t = 2, turned over", "30 digits",
                [(c, value, series[c][2]) for c, value in exact.items()], 9, 1)
    yield Said("axis at t = 4", "down", "down" if series["tilt"][-1] < -0.999 else "up")


def rattleback():
    return {
        "model": {
            "coordinates": ["x", "y", "ga", "al", "be"],
            "parameters": {"m": 1, "a": 0.2, "b": 0.03, "c": 0.02,
                           "h": 0.01, "A": 2e-4, "B": 16e-4, "C": 17e-4,
                           "D": -2e-5, "g": 9.81},
            "definitions": {
                # the vertical, the angular velocity and the contact point in the body's axes
                "g1": "-cos(al)*sin(be)", "g2": "sin(al)", "g3": "cos(al)*cos(be)",
                "w1": "dot(al)*cos(be) - dot(ga)*cos(al)*sin(be)",
                "w2": "dot(be) + dot(ga)*sin(al)",
                "w3": "dot(al)*sin(be) + dot(ga)*cos(al)*cos(be)",
                "s": "sqrt((a*g1)^2 + (b*g2)^2 + (c*g3)^2)", "z": "s - h*g3",
                "r1": "-a^2*g1/s", "r2": "-b^2*g2/s", "r3": "h - c^2*g3/s",
                "k1": "w2*r3 - w3*r2", "k2": "w3*r1 - w1*r3", "k3": "w1*r2 - w2*r1",
                "e1x": "cos(ga)*cos(be) - sin(ga)*sin(al)*sin(be)", "e2x": "-sin(ga)*cos(al)",
                "e3x": "cos(ga)*sin(be) + sin(ga)*sin(al)*cos(be)",
                "e1y": "sin(ga)*cos(be) + cos(ga)*sin(al)*sin(be)", "e2y": "cos(ga)*cos(al)",
                "e3y": "sin(ga)*sin(be) - cos(ga)*sin(al)*cos(be)",
            },
            "lagrangian": "m/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - m*g*z"
                          " + m/2*(A*w1^2 + B*w2^2 + C*w3^2 + 2*D*w1*w2)",
            "constraints": [{"name": "rolling_x",
                             "equation": "dot(x) + e1x*k1 + e2x*k2 + e3x*k3 = 0"},
                            {"name": "rolling_y",
                             "equation": "dot(y) + e1y*k1 + e2y*k2 + e3y*k3 = 0"}],
        },
        "initial": {"q": {"al": "pi/360", "be": "pi/360"}, "v": {"ga": -5, "al": 0, "be": 0}},
        "time": {"at": [0, 5]},
        "events": [{"name": "reversal", "when": "w3"}],
    }


@problem("Rattleback",
         "An ellipsoid whose principal axes of inertia are turned against its own rolls without"
         " slipping: spun at -5 rad/s it begins to rock and turns the other way. Half a degree of"
         " tilt both ways at the start.",
         {"published": "T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the"
                       " rattleback, Int. J. Non-Linear Mech. 17 (1982) 175-186: the model and its"
                       " parameters (20, 3, 2 cm; 2, 16, 17, -0.2 cm^2); it prints curves",
          "30 digits": "from the same initial values; time of the reversal by a Newton step"})
def check_rattleback():
    answer = simulate(rattleback())
    series, reversals = answer["result"]["series"], answer["events"]["reversal"]["series"]["t"]
    exact = {"x": "-0.001581587105311099992183176514641337",
             "y": "0.001709235300012402632723810927465486",
             "ga": "-2.744656104255298193976202617315372",
             "al": "-0.0521385752458288481803812824792205",
             "be": "0.012088322434733578110095349890729"}
    yield Row("first instant without spin", "30 digits", "2.351454774112359578001557819570616",
              reversals[0], 10)
    yield least("position and angles at t = 5", "30 digits",
                [(c, value, series[c][-1]) for c, value in exact.items()], 9, 1)
    must(series["dot(ga)"][-1] > 4, "the spin is not reversed")


def snakeboard(phi, psi):
    return {
        "model": {
            "coordinates": ["x", "y", "th"],
            "parameters": {"m": 6, "J": 0.016, "J0": 0.072, "J1": 0.0013, "l": 0.2},
            "definitions": {"phi": phi, "psi": psi},
            "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(th)^2 + J0/2*(dot(th) + dot(psi))^2"
                          " + J1/2*((dot(th) + dot(phi))^2 + (dot(th) - dot(phi))^2)",
            "constraints": [
                {"name": "front",
                 "equation": "-sin(th + phi)*dot(x) + cos(th + phi)*dot(y) + l*cos(phi)*dot(th) = "
                             "0"},
                {"name": "back",
                 "equation": "-sin(th - phi)*dot(x) + cos(th - phi)*dot(y) - l*cos(phi)*dot(th) = "
                             "0"}],
        },
        "initial": {"q": {"x": 0, "y": 0, "th": 0}},
        "time": {"at": [0, 10]},
    }


@problem("Snakeboard",
         "A board on two steerable axles with a rotor: turning rotor and axles to and fro at one"
         " frequency, phi = 0.3 sin t and psi = 0.7 sin t, drives it forwards from rest"
         " (parameters are ours).",
         {"published": "A. D. Lewis, J. P. Ostrowski, R. M. Murray, J. W. Burdick, Nonholonomic"
                       " mechanics and locomotion: the snakeboard example, IEEE Conf. Robotics and"
                       " Automation 1994, 2391-2400: the model and its gaits",
          "30 digits": "from rest"})
def check_snakeboard():
    series = simulate(snakeboard("0.3*sin(t)", "0.7*sin(t)"))["result"]["series"]
    exact = {"x": "0.3141540826493001605669373184400886",
             "y": "0.004743574858962402453801878898177899",
             "th": "0.07613665629780103663608881140186254",
             "dot(x)": "0.06022126387537797327737224607137792",
             "dot(th)": "-0.04972754280667788389007725520874339"}
    yield least("position and velocity at t = 10", "30 digits",
                [(c, value, series[c][-1]) for c, value in exact.items()], 11)
