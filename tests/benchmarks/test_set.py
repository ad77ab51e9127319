"""Problems of the Test Set for IVP Solvers, as mechanical models."""
import math

from table import Row, at_end, least, problem

IVP = ("F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 "
       "(University of"
       " Bari, 2008), ")

ANDREWS = {
    "m1": 0.04325, "m2": 0.00365, "m3": 0.02373, "m4": 0.00706, "m5": 0.07050, "m6": 0.00706,
    "m7": 0.05498, "xa": -0.06934, "ya": -0.00227, "xb": -0.03635, "yb": 0.03273, "xc": 0.014,
    "yc": 0.072, "c0": 4530, "i1": 2.194e-6, "i2": 4.410e-7, "i3": 5.255e-6, "i4": 5.667e-7,
    "i5": 1.169e-5, "i6": 5.667e-7, "i7": 1.912e-5, "d": 0.028, "da": 0.0115, "e": 0.02,
    "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "l0": 0.07785, "ss": 0.035, "sa": 0.01874,
    "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308, "tb": 0.00916, "u": 0.04, "ua": 0.01228,
    "ub": 0.00449, "zf": 0.02, "zt": 0.04, "fa": 0.01421, "mom": 0.033,
}


def andrews():
    q = {"be": -0.0617138900142764496358948458001, "th": 0,
         "ga": 0.455279819163070380255912382449, "ph": 0.222668390165885884674473185609,
         "de": 0.487364979543842550225598953530, "om": -0.222668390165885884674473185609,
         "ep": 1.23054744454982119249735015568}
    return {
        "model": {
            "coordinates": list(q), "parameters": ANDREWS,
            "definitions": {
                "xd": "sd*cos(ga) + sc*sin(ga) + xb", "yd": "sd*sin(ga) - sc*cos(ga) + yb",
                "spring": "hypot(xd - xc, yd - yc)",
                "tx": "rr*cos(be) - d*cos(be + th)", "ty": "rr*sin(be) - d*sin(be + th)",
            },
            "lagrangian":
                "(m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(th) + da^2) + i1 + i2)/2*dot(be)^2"
                " + (m2*(da^2 - da*rr*cos(th)) + i2)*dot(be)*dot(th) + (m2*da^2 + i2)/2*dot(th)^2"
                " + (m3*(sa^2 + sb^2) + i3)/2*dot(ga)^2 + (m4*(e - ea)^2 + i4)/2*dot(ph)^2"
                " + (m4*((e - ea)^2 + zt*(e - ea)*sin(ph)) + i4)*dot(ph)*dot(de)"
                " + (m4*(zt^2 + 2*zt*(e - ea)*sin(ph) + (e - ea)^2) + m5*(ta^2 + tb^2) + i4 + "
                "i5)/2*dot(de)^2"
                " + (m6*(zf - fa)^2 + i6)/2*dot(om)^2"
                " + (m6*((zf - fa)^2 - u*(zf - fa)*sin(om)) + i6)*dot(om)*dot(ep)"
                " + (m6*((zf - fa)^2 - 2*u*(zf - fa)*sin(om) + u^2) + m7*(ua^2 + ub^2) + i6 + "
                "i7)/2*dot(ep)^2"
                " - c0/2*(spring - l0)^2",
            "constraints": [
                {"name": "g1", "equation": "tx - ss*sin(ga) - xb = 0"},
                {"name": "g2", "equation": "ty + ss*cos(ga) - yb = 0"},
                {"name": "g3", "equation": "tx - e*sin(ph + de) - zt*cos(de) - xa = 0"},
                {"name": "g4", "equation": "ty + e*cos(ph + de) - zt*sin(de) - ya = 0"},
                {"name": "g5", "equation": "tx - zf*cos(om + ep) - u*sin(ep) - xa = 0"},
                {"name": "g6", "equation": "ty - zf*sin(om + ep) + u*cos(ep) - ya = 0"},
            ],
            "forces": {"be": "mom"},
        },
        "initial": {"q": q, "v": {name: 0 for name in q}},
        "time": {"at": [0, 0.03]},
    }


@problem("Andrews' squeezing mechanism",
         "Seven bodies joined by hinges in three closed loops, driven by a motor and held by a "
         "spring; a"
         " differential-algebraic system of index 3 with 7 angles and 6 constraints. State at t = "
         "0.03 s.",
         {"test set": IVP
          + "problem andrews; its reference solution (PSIDE on a Cray C90, tolerance 1e-14); W."
                      " Schiehlen (ed.), Multibody Systems Handbook (Springer 1990)",
          "30 digits": "from the same initial values"})
def check_andrews():
    state = at_end(andrews())
    angles = ["be", "th", "ga", "ph", "de", "om", "ep"]
    published = [0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
                 -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 0.1048080741042263e1]
    rates = [0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2,
             0.1929337464421385e2, 0.5735699284790808, -0.1929337464421385e2, 0.3231791658026955]
    exact = ["15.81077119515370709711938730466947", "-15.7563710584118394697277528448545",
             "0.04082224011964580485828231959708394", "-0.5347301163420795937701850311339075",
             "0.5244099658799540693716557999482578", "0.5347301163420795937701850311331533",
             "1.048080741041937873068515471853763"]
    exact_rates = ["1139.92030225910606419809684777799", "-1424.379295177540073196026444099095",
                   "11.03291191061859374532731132839596", "19.29337410503204083162755684553694",
                   "0.5735699148295024538176878630442266", "-19.29337410503204083162755684563818",
                   "0.3231791492491308749907483918925037"]
    forces = ["-199.1753481045386281862395456531133", "29.75530997497176332441572810877313",
              "-23.06654361162215112861736539052411", "-31.45272527577113707538453579616766",
              "-22.64249478639437857771291838037398", "-11.6173923526112559068014767948036"]
    ours = [state[name] for name in angles]
    ours_rates = [state[f"dot({name})"] for name in angles]
    yield Row("beta", "test set", published[0], ours[0], 9)
    yield least("7 angles", "test set", list(zip(angles, published, ours)), 9)
    yield least("7 velocities", "test set", list(zip(angles, rates, ours_rates)), 7)
    yield Row("beta", "30 digits", exact[0], ours[0], 13)
    yield least("7 angles", "30 digits", list(zip(angles, exact, ours)), 13)
    yield least("7 velocities", "30 digits", list(zip(angles, exact_rates, ours_rates)), 11)
    yield least("6 multipliers", "30 digits",
                [(f"g{k}", value, state[f"multiplier(g{k})"]) for k, value in enumerate(forces, 1)],
                11)


def car_axis():
    return {
        "model": {
            "coordinates": ["xl", "yl", "xr", "yr"],
            "parameters": {"m": 10, "eps": 0.01, "l": 1, "l0": 0.5, "r": 0.1, "w": 10, "g": 1},
            "definitions": {"yb": "r*sin(w*t)", "xb": "sqrt(l^2 - yb^2)", "left": "hypot(xl, yl)",
                            "right": "hypot(xr - xb, yr - yb)"},
            "lagrangian": "m*eps^2/4*(dot(xl)^2 + dot(yl)^2 + dot(xr)^2 + dot(yr)^2)"
                          " - ((left - l0)^2 + (right - l0)^2)/2 - m*eps^2*g/2*(yl + yr)",
            "constraints": [{"name": "support", "equation": "xb*xl + yb*yl = 0"},
                            {"name": "axis", "equation": "(xl - xr)^2 + (yl - yr)^2 - l^2 = 0"}],
        },
        "initial": {"q": {"xl": 0, "yl": 0.5, "xr": 1, "yr": 0.5},
                    "v": {"xl": -0.5, "yl": 0, "xr": -0.5, "yr": 0}},
        "time": {"at": [0, 3]},
    }


@problem("Car axis",
         "An axle on two stiff springs over a bumpy road: index 3, a constraint that depends on "
         "time, a mass of"
         " 5e-4. State at t = 3.",
         {"test set": IVP + "problem caraxis; the model is S. Schneider's, Integration de systemes"
                      " d'equations differentielles raides et differentielles-algebriques "
                      "(thesis, Geneva 1994)",
          "30 digits": "from the same initial values"})
def check_car_axis():
    state = at_end(car_axis())
    names = ["xl", "yl", "xr", "yr", "dot(xl)", "dot(yl)", "dot(xr)", "dot(yr)"]
    published = [0.4934557842755629e-1, 0.4969894602303324,
                 0.1041742524885400e1, 0.3739110272652214,
                 -0.7705836840321485e-1, 0.7446866596327776e-2,
                 0.1755681574942899e-1, 0.7703410437794031]
    exact = ["0.04934557842752409213152679276288072", "0.4969894602300081067629339733399382",
             "1.041742524885426115194776207264801", "0.3739110272653658193578976991850359",
             "-0.07705836840359208428394055771385911", "0.007446866592068416491401753160571246",
             "0.01755681575354173662974061533243089", "0.7703410437796010631206427886217176"]
    forces = [("support", -0.4736886750784630e-2, "-0.004736886590853326515313475999182636"),
              ("axis", -0.1104680411345730e-2, "-0.001104680331259565839860600729306752")]
    ours = [state[name] for name in names]
    multipliers = [state[f"multiplier({name})"] for name, _, _ in forces]
    yield least("4 positions", "test set", list(zip(names[:4], published, ours)), 12)
    yield least("4 velocities", "test set", list(zip(names[4:], published[4:], ours[4:])), 9)
    yield least("2 multipliers", "test set",
                [(name, value, m) for (name, value, _), m in zip(forces, multipliers)], 7)
    yield least("4 positions", "30 digits", list(zip(names[:4], exact, ours)), 12)
    yield least("4 velocities", "30 digits", list(zip(names[4:], exact[4:], ours[4:])), 10)
    yield least("2 multipliers", "30 digits",
                [(name, value, m) for (name, _, value), m in zip(forces, multipliers)], 11)


def fekete():
    places = ([(2 * math.pi * i / 3 + math.pi / 13, 3 * math.pi / 8) for i in (1, 2, 3)]
              + [(2 * math.pi * i / 7 + math.pi / 29, math.pi / 8) for i in range(1, 8)]
              + [(2 * math.pi * i / 6 + math.pi / 7, -2 * math.pi / 15) for i in range(1, 7)]
              + [(2 * math.pi * i / 4 + math.pi / 17, -3 * math.pi / 10) for i in range(4)])
    q = {}
    for i, (a, b) in enumerate(places, 1):
        q.update({f"x{i}": math.cos(a) * math.cos(b), f"y{i}": math.sin(a) * math.cos(b),
                  f"z{i}": math.sin(b)})
    pairs = [f"log((x{i} - x{j})^2 + (y{i} - y{j})^2 + (z{i} - z{j})^2)"
             for i in range(1, 21) for j in range(i + 1, 21)]
    return {
        "model": {
            "coordinates": list(q), "parameters": {"alpha": 0.5},
            "lagrangian": "(" + " + ".join(f"dot({c})^2"
                                           for c in q) + ")/2 + (" + " + ".join(pairs) + ")/2",
            "constraints": [{"name": f"sphere{i}", "equation": f"x{i}^2 + y{i}^2 + z{i}^2 = 1"}
                            for i in range(1, 21)],
            "forces": {c: f"-alpha*dot({c})" for c in q},
        },
        "initial": {"q": q, "v": {c: 0 for c in q}},
        "time": {"at": [0, 1000]},
        "integrator": {"rtol": 1e-10, "atol": 1e-12},
    }


FEKETE = """-0.4070263380333202 0.3463758772791802 0.8451942450030429 0.07752934752521549 \
-0.2628662719972299
0.9617122871829146 0.7100577833343567 0.1212948055586120 0.6936177005172217 0.2348267744557627
0.7449277976923311 0.6244509285956391 -0.4341114738782885 0.8785430442262876 0.1992720444237660
-0.9515059600312596 0.2203508762787005 0.2146669498274008 -0.6385191643609878 -0.4310833259390688
0.6375425027722121 -0.1464175087914336 -0.9380871635228862 0.3139337298744690 0.5666974065069942
-0.6739221885076542 0.4740073135462156 0.9843259538440293 -0.1696995357819996 -0.04800504290609090
0.1464175087914331 0.9380871635228875 -0.3139337298744656 -0.7092757549979014 0.5264062637139616
-0.4688542938854929 -0.8665731819284478 -0.4813878059756024 -0.1315929352982178 -0.2347897778700538
-0.8594340408013130 -0.4541441287957579 0.5530976940074118 -0.7674370265615124 -0.3242273140037833
0.7711050969896927 0.6357041816577034 0.03573685519777001 0.7103951209379591 0.2403570431280519
-0.6614886725910596 -0.03038208738735660 0.4501923293640461 -0.8924145871442046 -0.5772996158107093
-0.1766763414971813 -0.7971892020969544 0.2414481766969039 -0.3416456818373135 \
-0.9082846503446250"""


@problem("Fekete points",
         "20 points that repel each other on a sphere and come to rest in friction: 60 "
         "coordinates, 20"
         " constraints. Positions at t = 1000; the multipliers are then (1 - 20)/4 exactly.",
         {"test set": IVP
          + "problem fekete; its reference solution (RADAU5, tolerance 1e-12); W. J. H. "
            "Stortelder, J. J. B."
                      " de Swart, J. D. Pinter, Finding elliptic Fekete point sets, J. Comput. "
                      "Appl. Math. 130"
                      " (2001) 205-216"}, quick=False)
def check_fekete():
    job = fekete()
    state = at_end(job)
    names = job["model"]["coordinates"]
    yield Row("x1", "test set", FEKETE.split()[0], state["x1"], 11)
    yield least("60 coordinates", "test set",
                [(c, value, state[c]) for c, value in zip(names, FEKETE.split())],
                10, 1)
    yield least("20 multipliers", "test set",
                [(f"sphere{i}", -4.75, state[f"multiplier(sphere{i})"]) for i in range(1, 21)], 11)


def pleiades():
    x, y = [3, 3, -1, -3, 2, -2, 2], [3, -3, 2, 0, 0, -4, 4]
    vx, vy = [0, 0, 0, 0, 0, 1.75, -1.5], [0, 0, 0, -1.25, 1, 0, 0]
    stars = range(1, 8)
    q = {**{f"x{i}": x[i - 1] for i in stars}, **{f"y{i}": y[i - 1] for i in stars}}
    v = {**{f"x{i}": vx[i - 1] for i in stars}, **{f"y{i}": vy[i - 1] for i in stars}}
    return {
        "model": {
            "coordinates": list(q),
            "lagrangian": " + ".join([f"{i}/2*(dot(x{i})^2 + dot(y{i})^2)" for i in stars]
                                     + [f"{i * j}/hypot(x{i} - x{j}, y{i} - y{j})"
                                        for i in stars for j in range(i + 1, 8)]),
        },
        "initial": {"q": q, "v": v},
        "time": {"at": [0, 3]},
    }


@problem("Pleiades",
         "Seven stars of masses 1 to 7 in a plane, with several near collisions. State at t = 3.",
         {"test set": IVP
          + "problem plei; its reference solution (PSIDE on a Cray C90, tolerance 1e-16); E. "
            "Hairer, S. P."
                      " Norsett, G. Wanner, Solving Ordinary Differential Equations I (Springer "
                      "1993), II.10",
          "30 digits": "agree with the test set to its last digit or two"})
def check_pleiades():
    state = at_end(pleiades())
    published = [0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310,
                 0.3425581707156584, 1.562172101400631, -0.7003092922212495, -3.943437585517392,
                 -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275,
                 -0.2429682344935824, 1.091449240428980]
    rates = [3.417003806314313, 1.354584501625501, -2.590065597810775, 2.025053734714242,
             -1.155815100160448, -0.8072988170223021, 0.5952396354208710, -3.741244961234010,
             0.3773459685750630, 0.9386858869551073, 0.3667922227200571, -0.3474046353808490,
             2.344915448180937, -1.947020434263292]
    names = [f"x{i}" for i in range(1, 8)] + [f"y{i}" for i in range(1, 8)]
    yield Row("x1", "test set", published[0], state["x1"], 10)
    yield least("14 coordinates", "test set",
                [(c, value, state[c]) for c, value in zip(names, published)], 10)
    yield least("14 velocities", "test set",
                [(c, value, state[f"dot({c})"]) for c, value in zip(names, rates)], 10)


def slider_crank():
    # the test set's own value of pi belongs to the problem
    parameters = {"m1": 0.36, "m2": 0.151104, "m3": 0.075552, "l1": 0.15, "l2": 0.3, "j1": 0.002727,
                  "j2": 0.0045339259, "ee": 2e11, "b": 0.008, "h": 0.008, "rho": 7870, "omega": 150,
                  "p": 3.1415927, "x0": 2.031e-10}
    definitions = {
        "fm": "rho*b*h*l2", "fk": "ee*b*h/l2", "fb": "b*h*l2",
        "c1": "fb*(2/3*q3 + q4/6)", "c2": "fb*2/p*q1", "c12": "l2*fb*(q3/3 + q4/6)",
        "c21": "l2*fb*(q1/p - q2/(2*p))",
        "qmq": "fm*(q1^2/2 + q2^2/2 + 8*q3^2 + 2*q3*q4 + 2*q4^2)",
        "vmv": "fm*(dot(q1)^2/2 + dot(q2)^2/2 + 8*dot(q3)^2 + 2*dot(q3)*dot(q4) + 2*dot(q4)^2)",
        "qkq": "fk*(p^4/24*(h/l2)^2*q1^2 + p^4*2/3*(h/l2)^2*q2^2 + 16/3*q3^2 - 16/3*q3*q4 + "
               "7/3*q4^2)",
        "qbv": "fb*(-16/p^3*(q1*dot(q3) - q3*dot(q1)) + (8/p^3 - 1/p)*(q1*dot(q4) - q4*dot(q1))"
               " + (q2*dot(q4) - q4*dot(q2))/(2*p))",
    }
    lagrangian = (
        "(j1 + m2*l1^2)/2*dot(phi1)^2 + (j2 + qmq + 2*rho*c12)/2*dot(phi2)^2 + m3/2*dot(x3)^2 + "
        "vmv/2"
        " + dot(phi1)*dot(phi2)*l1*(l2*m2/2*cos(phi1 - phi2)"
        " + rho*(sin(phi1 - phi2)*c2 + cos(phi1 - phi2)*c1))"
        " + dot(phi1)*rho*l1*(-sin(phi1 - phi2)*dot(c1) + cos(phi1 - phi2)*dot(c2))"
        " + dot(phi2)*rho*(dot(c21) + qbv) - qkq/2")
    q = {"phi1": 0, "phi2": 0, "x3": 0.450016933, "q1": 0, "q2": 0, "q3": 0.103339863e-4,
         "q4": 0.169327969e-4}
    # dot(phi2) follows from the loop
    v = {"phi1": 150, "x3": -0.268938672e-5, "q1": 0.444896105, "q2": 0.463434311e-2,
         "q3": -0.178591076e-5, "q4": -0.268938672e-5}
    return {
        "model": {
            "coordinates": list(q), "parameters": parameters, "definitions": definitions,
            "lagrangian": lagrangian,
            "constraints": [
                {"name": "loop_y", "equation": "l1*sin(phi1) + (l2 + q4)*sin(phi2) = 0"},
                {"name": "loop_x", "equation": "x3 - l1*cos(phi1) - (l2 + q4)*cos(phi2) = x0"},
                {"name": "drive", "equation": "phi1 - omega*t = 0"},
            ],
        },
        "initial": {"q": q, "v": v},
        "time": {"at": [0, 0.1]},
        "integrator": {"rtol": 1e-13, "atol": 1e-18},
    }


@problem("Flexible slider crank",
         "A slider crank with an elastic rod (two sine waves across, two quadratic shapes along "
         "it), driven at 150"
         " rad/s, without damping; the rod oscillates along itself by 7e-8 m at 6600 rad/s. State at t = "
         "0.1. The test set"
         " keeps only the velocities on the constraints: the offset 2.031e-10 that its initial "
         "value"
         " x3 = 0.450016933 leaves belongs to the problem, and so does its pi = 3.1415927.",
         {"test set": IVP
          + "problem crank; its reference solution (MEBDFI, tolerance 1e-14); B. Simeon, "
            "Modelling a flexible"
                      " slider crank mechanism by a mixed system of DAEs and PDEs, Math. "
                      "Modelling of Systems 2"
                      " (1996) 1-18",
          "30 digits": "from the same initial values"})
def check_slider_crank():
    state = at_end(slider_crank())
    rigid = [("phi2", -0.3311734988256260, "-0.3311734988256446668782286413033997"),
             ("x3", 0.1697373328427860, "0.1697373328430585391803941932099173"),
             ("dot(phi2)", 60.25346755138369, "60.25346755129602742141179678824739"),
             ("dot(x3)", -8.753116326670527, "-8.753116326727140000390425771462955")]
    elastic = [("q1", 0.1893192899613509e-3, "0.0001893192843020041780167929779243972"),
               ("q2", 0.2375751249879174e-4, "0.00002375751320488572578872614869145061"),
               ("q3", -0.5323896770569702e-5, "-0.000005323896778192386205013881316529242"),
               ("q4", -0.8363313279112129e-5, "-0.000008363313291666587728410670855762723")]
    forces = [("loop_y", 62.32935833287916, "62.32935927828678642085033486544854"),
              ("loop_x", 163.7920993367306, "163.7920993441866911575581884617607"),
              ("drive", -25.29857947066878, "-25.29857948786989517349912322957358")]
    yield least("rigid motion", "test set", [(n, value, state[n]) for n, value, _ in rigid], 11)
    yield least("4 elastic deformations", "test set",
                [(n, value, state[n]) for n, value, _ in elastic], 7)
    yield least("3 constraint forces", "test set",
                [(n, value, state[f"multiplier({n})"]) for n, value, _ in forces], 7)
    yield least("rigid motion", "30 digits", [(n, value, state[n]) for n, _, value in rigid], 11)
    yield least("4 elastic deformations", "30 digits",
                [(n, value, state[n]) for n, _, value in elastic], 9)
    yield least("3 constraint forces", "30 digits",
                [(n, value, state[f"multiplier({n})"]) for n, _, value in forces], 9)
