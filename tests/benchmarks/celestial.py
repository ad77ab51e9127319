"""Periodic orbits that are published with many digits."""
from table import Row, Said, at_end, least, problem, simulate

import program


def arenstorf():
    return {
        "model": {
            "coordinates": ["x", "y"], "parameters": {"mu": 0.012277471},
            "lagrangian": "(dot(x)^2 + dot(y)^2)/2 + x*dot(y) - y*dot(x) + (x^2 + y^2)/2"
                          " + (1 - mu)/hypot(x + mu, y) + mu/hypot(x - 1 + mu, y)",
        },
        "initial": {"q": {"x": 0.994, "y": 0},
                    "v": {"x": 0, "y": -2.00158510637908252240537862224}},
        "time": {"at": [0, 8, 17.0652165601579625588917206249]},
    }


@problem("Arenstorf's orbit",
         "A satellite around earth and moon, in the frame that turns with them (the Coriolis "
         "force is in L): after"
         " the period T = 17.0652165601579625588917206249 it is back.",
         {"published":
          "R. F. Arenstorf, Periodic solutions of the restricted three body problem representing"
                       " analytic continuations of Keplerian elliptic motions, Amer. J. Math. 85 "
                       "(1963) 27-35; the"
                       " digits from E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary "
                       "Differential Equations I"
                       " (Springer 1993), (II.0.2)",
          "30 digits":
          "halfway, t = 8; they also confirm that the published period closes the orbit to 1e-25"})
def check_arenstorf():
    job = arenstorf()
    series = simulate(job)["result"]["series"]
    yield Row("x(T)", "published", 0.994, series["x"][-1], 11)
    yield Row("y(T)", "published", 0, series["y"][-1], 10, 1)
    yield Row("dot(x)(T)", "published", 0, series["dot(x)"][-1], 8, 1)
    yield Row("dot(y)(T)", "published", "-2.00158510637908252240537862224",
              series["dot(y)"][-1], 10)
    yield Row("x(8)", "30 digits", "-1.174553507276900387978759531684404", series["x"][1], 12)
    yield Row("y(8)", "30 digits", "-0.2759450770145384736706679629243099", series["y"][1], 11)


def figure_eight():
    q = {"x1": 0.97000436, "y1": -0.24308753, "x2": -0.97000436, "y2": 0.24308753, "x3": 0, "y3": 0}
    v = {"x1": 0.466203685, "y1": 0.43236573, "x2": 0.466203685,
         "y2": 0.43236573, "x3": -0.93240737,
         "y3": -0.86473146}
    bodies = [f"(dot(x{i})^2 + dot(y{i})^2)/2" for i in (1, 2, 3)]
    pairs = [f"1/hypot(x{i} - x{j}, y{i} - y{j})" for i, j in ((1, 2), (1, 3), (2, 3))]
    return {
        "model": {"coordinates": list(q), "lagrangian": " + ".join(bodies + pairs)},
        "initial": {"q": q, "v": v},
        "time": {"at": [0, 6.32591398 / 3, 6.32591398]},
    }


@problem("Figure eight",
         "Three equal masses chase each other along one curve (A. Chenciner, R. Montgomery). From "
         "the published"
         " initial values the bodies have changed places after a third of the period; `floquet` "
         "with `correct`"
         " finds the periodic motion itself, its period and multipliers.",
         {"published":
          "A. Chenciner, R. Montgomery, A remarkable periodic solution of the three-body problem "
          "in the"
                       " case of equal masses, Annals of Math. 152 (2000) 881-901: initial values "
                       "and period by C."
                       " Simo, 8 digits",
          "30 digits": "from the published initial values"})
def check_figure_eight():
    job = figure_eight()
    series = simulate(job)["result"]["series"]
    yield Row("x2(T/3) = x1(0)", "published", 0.97000436, series["x2"][1], 7)
    yield Row("y2(T/3) = y1(0)", "published", -0.24308753, series["y2"][1], 7)
    yield Row("x2(T/3)", "30 digits", "0.9700043523996155165201487443643067", series["x2"][1], 12)
    yield least("6 coordinates at T", "30 digits",
                [(name, value, series[name][-1]) for name, value in (
                    ("x1", "0.9700043444311253166324571121120459"),
                    ("y1", "-0.2430875434567937900236924601370688"),
                    ("x2", "-0.9700043744862956077695292249746705"),
                    ("y2", "0.2430875155372246193523886803652761"),
                    ("x3", "0.00000003005517029113707211286568461814195"),
                    ("y3", "0.00000002791956917067130377977393567690724"))], 11, 1)
    floquet = program.simulate({**job, "analyses": [
        {"name": "floquet", "period": 6.32591398, "correct": True}]})["invariants"]["floquet"]
    yield Row("period, corrected", "published", 6.32591398, floquet["period"], 9)
    yield Row("x1(0), corrected", "published", 0.97000436, floquet["start"]["q"]["x1"], 8)
    largest = max(m["modulus"] for m in floquet["multipliers"])
    yield Row("largest multiplier: linearly stable", "published", 1, largest, 5)
    yield Said("verdict `stable` (8 of the 12 multipliers are 1, and meet)",
               "undecided", floquet["stable"])
