"""The analysis linearise: closed forms, published matrices, finite differences of runs."""

import cmath
import math
import random
import unittest

import bicycle
from harness import Daemon, job


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


class Linearise(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def run_job(self, document):
        finished = self.daemon.finish(document)
        self.assertEqual(finished["state"], "succeeded", finished)
        return finished["id"]

    def linearise(self, model, initial, formulation=None, **options):
        document = {
            "model": model,
            "initial": initial,
            "time": {"end": 0.01, "samples": 2},
            "analyses": [dict({"name": "linearise"}, **options)],
        }
        if formulation:
            document["formulation"] = formulation
        path = "/v1/jobs/%s/invariants" % self.run_job(document)
        return self.daemon.get(path).json["linearise"]

    def assertMatrix(self, matrix, expected, tolerance=1e-12):
        size = max([abs(x) for row in expected for x in row] + [1e-300])
        self.assertEqual([len(row) for row in matrix], [len(row) for row in expected])
        for row, other in zip(matrix, expected):
            for a, b in zip(row, other):
                self.assertLessEqual(abs(a - b), tolerance * size, (matrix, expected))

    def assertValues(self, found, expected, tolerance=1e-10):
        values = [complex(one["re"], one["im"]) for one in found["eigenvalues"]]
        self.assertEqual(len(values), len(expected))
        for value in expected:
            best = min(values, key=lambda one: abs(one - value))
            self.assertLess(abs(best - value), tolerance * (1 + abs(value)), values)
            values.remove(best)

    def assertVectors(self, found, coordinates):
        """Each vector is one of A: by its independent positions and, for motion of these, u =
        lambda s."""
        order = [coordinates.index(name) for name in found["coordinates"]]
        A = found["A"]
        n = len(found["coordinates"])
        for value, vector in zip(found["eigenvalues"], found["eigenvectors"]):
            x = complex(value["re"], value["im"])
            dq = [complex(a, b) for a, b in zip(vector["re"], vector["im"])]
            self.assertEqual(len(dq), len(coordinates))
            self.assertIn(1, dq)
            self.assertLess(max(map(abs, dq)), 1 + 1e-8)
            s = [dq[i] for i in order]
            u = [x * dq[coordinates.index(name)] for name in found["velocities"]]
            for row, mine in zip(A, s + u):
                product = sum(a * b for a, b in zip(row, s + u))
                self.assertLess(abs(product - x * mine),
                                1e-8 * (1 + abs(x)) * sum(map(abs, row + [1])))
        self.assertEqual(len(A), n + len(found["velocities"]))
        for value, vector, other, mirror in zip(
            found["eigenvalues"], found["eigenvectors"], found["eigenvalues"][1:],
            found["eigenvectors"][1:]
        ):
            if value["im"] > 0 and other["im"] == -value["im"]:
                self.assertEqual(mirror, {"re": vector["re"], "im": [-x for x in vector["im"]]})

    def test_gyroscopic_and_damped_oscillators_give_their_matrices(self):
        model = {
            "coordinates": ["x", "y"],
            "parameters": {"m": 2, "b": 3, "k": 5, "c": 0.25},
            "lagrangian": "m/2*(dot(x)^2 + 2*dot(y)^2 + dot(x)*dot(y)) + b/2*(x*dot(y) - "
                          "y*dot(x)) - k/2*(x^2 + y^4)",
            "forces": {"x": "-c*dot(x) + 7*y"},
        }
        found = self.linearise(model, {"q": {"x": 0.3}},
                               at={"q": {"x": 0, "y": 0}, "v": {"x": 0, "y": 0}})
        self.assertEqual((found["coordinates"], found["velocities"]), (["x", "y"], ["x", "y"]))
        self.assertEqual(found["kind"], "state")
        self.assertMatrix(found["M"], [[2, 1], [1, 4]])
        self.assertMatrix(found["C"], [[0.25, -3], [3, 0]])
        self.assertMatrix(found["K"], [[5, -7], [0, 0]])
        self.assertMatrix(found["A"][:2], [[0, 0, 1, 0], [0, 0, 0, 1]])
        self.assertMatrix(times(found["M"], [row[:2] for row in found["A"][2:]]), [[-5, 7], [0, 0]])
        self.assertVectors(found, ["x", "y"])

    def test_a_rod_leaves_the_angle(self):
        model = {
            "coordinates": ["x", "y"],
            "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 9*y",
            "constraints": ["x^2 + y^2 = 1"],
        }
        found = self.linearise(model, {"q": {"x": 1}}, near={"q": {"x": 0.3, "y": -0.9}})
        self.assertEqual(found["kind"], "equilibrium")
        self.assertEqual((found["coordinates"], found["velocities"]), (["x"], ["x"]))
        self.assertAlmostEqual(found["q"]["y"], -1, delta=1e-12)
        self.assertMatrix(found["M"] + found["C"] + found["K"], [[1], [0], [9]], 1e-11)
        self.assertValues(found, [3j, -3j])
        # the dependent coordinate does not move to first order
        for vector in found["eigenvectors"]:
            self.assertAlmostEqual(vector["re"][0], 1, delta=1e-12)
            self.assertAlmostEqual(vector["re"][1], 0, delta=1e-12)

    def test_motion_along_a_rotation_is_seen_from_it(self):
        # r = 1 on the orbit of V = r^4/4: angular velocity 1, and r'' = -(3 + 3) dr: sqrt(6)
        model = {
            "coordinates": ["x", "y"],
            "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2)^2/4",
            "symmetries": [{"name": "turn", "generator": {"x": "-y", "y": "x"}}],
        }
        found = self.linearise(model, {"q": {"x": 1}, "v": {"y": 1}}, near={"q": {"x": 1.05}})
        self.assertEqual(found["kind"], "relative equilibrium")
        radius, rate = math.hypot(found["q"]["x"], found["q"]["y"]), found["along"]["turn"]
        self.assertAlmostEqual(radius, abs(rate), delta=1e-11)
        # a double zero: turning, and the next orbit
        values = [complex(one["re"], one["im"]) for one in found["eigenvalues"]]
        swinging = sorted((one for one in values if abs(one) > 1), key=lambda one: one.imag)
        self.assertEqual(len(swinging), 2)
        self.assertAlmostEqual(swinging[1], 1j * math.sqrt(6) * radius, delta=1e-9)
        self.assertMatrix([row[:2] for row in found["A"][:2]], [[0, rate], [-rate, 0]], 1e-11)

    def test_the_relative_equilibrium_is_the_nearest_of_its_family(self):
        # a sleigh that turns a little: straight on at its speed, whatever it weighs; Newton's steps
        # lead to rest
        slides = [{"name": c, "generator": {c: "1"}} for c in "xy"]
        for mass in (1, 1.5, 1000):
            sleigh = {
                "coordinates": ["x", "y", "th"],
                "parameters": {"m": mass},
                "lagrangian": "m*((dot(x)^2 + dot(y)^2)/2 + 0.35*dot(th)^2/2"
                " + 0.3*dot(th)*(cos(th)*dot(y) - sin(th)*dot(x)))",
                "constraints": ["sin(th)*dot(x) = cos(th)*dot(y)"],
                "symmetries": slides,
            }
            near = {"v": {"x": 1, "th": 0.3}}
            found = self.linearise(sleigh, {"v": near["v"]}, near=near)
            self.assertEqual(found["kind"], "relative equilibrium")
            self.assertAlmostEqual(found["v"]["x"], 1, delta=1e-9)
            self.assertAlmostEqual(found["v"]["th"], 0, delta=1e-9)

    def test_what_led_to_rest_is_no_relative_equilibrium(self):
        # a sleigh that may turn about the origin alone: straight on is no motion along that
        sleigh = {
            "coordinates": ["x", "y", "th"],
            "lagrangian": "(dot(x)^2 + dot(y)^2)/2 + 0.35*dot(th)^2/2"
            " + 0.3*dot(th)*(cos(th)*dot(y) - sin(th)*dot(x))",
            "constraints": ["sin(th)*dot(x) = cos(th)*dot(y)"],
            "symmetries": [{"name": "turn", "generator": {"x": "-y", "y": "x", "th": "1"}}],
        }
        found = self.linearise(sleigh, {"v": {"x": 1}}, near={"v": {"x": 1}})
        self.assertEqual(found["kind"], "equilibrium")
        self.assertNotIn("along", found)
        self.assertEqual(set(found["v"].values()), {0})

    def test_the_bicycle_has_its_published_matrices(self):
        for speed in (0, 1, 5, 10):
            with self.subTest(speed=speed):
                start = dict({name: 0 for name in ("y", "psi", "phi", "theta", "delta")},
                             **bicycle.straight(speed))
                options = {"near": {}} if speed else {"at": {}}
                found = self.linearise(bicycle.MODEL, {"v": start}, **options)
                self.assertEqual(found["velocities"], ["phi", "delta", "thR"])
                place = [found["coordinates"].index(name) for name in ("phi", "delta")]
                stiffness = [
                    [9.81 * a + speed**2 * b for a, b in zip(*rows)]
                    for rows in zip(bicycle.K0, bicycle.K2)
                ]
                damping = [[speed * a for a in row] for row in bicycle.C1]
                self.assertMatrix([row[:2] for row in found["M"][:2]], bicycle.M, 1e-13)
                self.assertMatrix([row[:2] for row in found["C"][:2]], damping, 1e-12)
                self.assertMatrix([[row[i] for i in place] for row in found["K"][:2]],
                                  stiffness, 1e-12)
                # neither the place nor the heading matters, and speed is a motion of its own
                for row in found["K"]:
                    for i, name in enumerate(found["coordinates"]):
                        if name not in ("phi", "delta"):
                            self.assertAlmostEqual(row[i], 0, delta=1e-10)
                self.assertAlmostEqual(found["M"][0][2], 0, delta=1e-12)

    def test_the_bicycle_has_its_published_eigenvalues(self):
        # table 2: weave, capsize and castering at 5 m/s
        start = dict({name: 0 for name in ("y", "psi", "phi", "theta", "delta")},
                     **bicycle.straight(5))
        found = self.linearise(bicycle.MODEL, {"v": start}, near={})
        weave = complex(-0.77534188219585, 4.46486771378823)
        moving = [-14.07838969279822, -0.32286642900409, weave, weave.conjugate()]
        self.assertValues(found, moving + 6 * [0])
        for one in found["eigenvalues"]:
            self.assertLess(one["radius"], 1e-6)
        self.assertVectors(found, bicycle.COORDINATES)

    def test_a_small_deviation_moves_as_its_eigenvector_says(self):
        start = dict({name: 0 for name in ("y", "psi", "phi", "theta", "delta")},
                     **bicycle.straight(5))
        found = self.linearise(bicycle.MODEL, {"v": start}, near={})
        k = max(
            range(len(found["eigenvalues"])), key=lambda i: found["eigenvalues"][i]["im"]
        )
        x = complex(found["eigenvalues"][k]["re"], found["eigenvalues"][k]["im"])
        vector = found["eigenvectors"][k]
        names, small, end = bicycle.COORDINATES, 1e-5, 0.4
        dq = [complex(a, b) for a, b in zip(vector["re"], vector["im"])]
        q = {name: small * d.real for name, d in zip(names, dq)}
        v = {name: start.get(name, 0) + small * (x * d).real for name, d in zip(names, dq)}
        identifier = self.run_job(
            {
                "model": bicycle.MODEL,
                "initial": {"q": q, "v": v, "consistency": "project"},
                "time": {"at": [0, end]},
                "analyses": [],
            }
        )
        series = self.daemon.get("/v1/jobs/%s/result" % identifier).json["series"]
        grown = cmath.exp(x * end)
        for name, d in zip(names, dq):
            moved = series[name][-1] - start.get(name, 0) * end
            self.assertAlmostEqual(moved / small, (d * grown).real, delta=2e-4, msg=name)

    def differences(self, model, independent, q, v):
        """K, C by central differences of accelerations of runs, M by second ones of kinetic()."""
        h = 1e-4
        observe = {"a_" + name: "ddot(%s)" % name for name in independent}
        observe["T"] = "kinetic()"

        def start(dq, dv):
            state = {
                "q": {name: x + dq.get(name, 0) for name, x in q.items()},
                "v": {name: v[name] + dv.get(name, 0) for name in independent},
            }
            document = {"model": model, "initial": state, "observe": observe, "analyses": []}
            document["time"] = {"end": 1e-3, "samples": 2}
            series = self.daemon.get("/v1/jobs/%s/result" % self.run_job(document)).json["series"]
            return [series["a_" + name][0] for name in independent], series["T"][0]

        def slope(step):
            up, down = start(*step(h)), start(*step(-h))
            return [(a - b) / (2 * h) for a, b in zip(up[0], down[0])]

        columns = [slope(lambda e, name=name: ({name: e}, {})) for name in q]
        columns += [slope(lambda e, name=name: ({}, {name: e})) for name in independent]
        mass = []
        for a in independent:
            row = []
            for b in independent:
                total = 0
                for i in (1, -1):
                    for j in (1, -1):
                        dv = {}
                        dv[a] = dv.get(a, 0) + i
                        dv[b] = dv.get(b, 0) + j
                        total += i * j * start({}, dv)[1]
                row.append(total / 4)
            mass.append(row)
        return mass, [list(row) for row in zip(*columns)]

    def test_nonholonomic_models_agree_with_differences_of_runs(self):
        generator = random.Random(4)
        names = ["x", "y", "z"]
        for case in range(4):
            a, b, c, d, e = (round(generator.uniform(-1, 1), 2) for _ in range(5))
            model = {
                "coordinates": names,
                "lagrangian": "(dot(x)^2*(2 + %g*sin(y)) + 2*dot(y)^2 + (3 + %g*x^2)*dot(z)^2)/2"
                " + %g*dot(x)*dot(y) - cos(x)*y + %g*z*x^2" % (a, b * b, c / 2, d),
                "constraints": ["dot(z) = %g*y*dot(x) + sin(x)*dot(y) + %g" % (e, a)],
                "forces": {"y": "-%g*dot(y)^3 + x*z" % abs(b)},
            }
            q = {name: round(generator.uniform(-0.5, 0.5), 3) for name in names}
            v = {name: round(generator.uniform(-0.5, 0.5), 3) for name in ("x", "y")}
            with self.subTest(case=case, model=model):
                model = dict(model, base=["x", "y"])
                found = self.linearise(model, {"q": q, "v": v})
                self.assertEqual(found["coordinates"], names)
                self.assertEqual(found["velocities"], ["x", "y"])
                mass, slopes = self.differences(model, ["x", "y"], q, v)
                self.assertMatrix(found["M"], mass, 1e-9)
                product = times(mass, slopes)
                self.assertMatrix(
                    [k + c for k, c in zip(found["K"], found["C"])],
                    [[-x for x in row] for row in product],
                    1e-6,
                )

    def test_the_formulation_does_not_matter(self):
        model = {
            "coordinates": ["x", "y", "th"],
            "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(th)^2)/2 - 0.3*dot(th)*(sin(th)*dot(x) - "
                          "cos(th)*dot(y))",
            "constraints": ["dot(x)*sin(th) = dot(y)*cos(th)"],
        }
        initial = {"v": {"x": 1, "th": 0}}
        plain = self.linearise(model, initial)
        for formulation in ("hamel", "hamiltonian", "voronec"):
            other = self.linearise(model, initial, formulation=formulation)
            self.assertEqual(other["velocities"], plain["velocities"])
            self.assertMatrix(other["A"], plain["A"], 1e-12)

    def test_mistakes_are_told_with_their_place(self):
        def refused(**options):
            answer = self.daemon.post(
                "/v1/jobs", job(analyses=[dict({"name": "linearise"}, **options)]))
            self.assertEqual(answer.status, 422, answer)
            return answer.json["errors"][0]

        self.assertEqual(refused(at={"q": {"z": 1}})["pointer"], "/analyses/0/at/q/z")
        self.assertEqual(refused(near={"x": 1})["pointer"], "/analyses/0/near/x")
        self.assertIn("not both", refused(near={}, at={})["message"])
        self.assertIn("has no option", refused(about={})["message"])

    def test_what_cannot_be_linearised_is_said(self):
        rod = {
            "coordinates": ["x", "y"],
            "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 9*y",
            "constraints": [{"name": "rod", "equation": "x^2 + y^2 = 1"}],
        }
        found = self.linearise(rod, {"q": {"x": 1}}, at={"q": {"x": 1.1}})
        self.assertIn("violates the constraint rod", found["failed"])
        fall = {"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - 9*y"}
        found = self.linearise(fall, {}, near={})
        self.assertIn("no equilibrium to linearise about", found["failed"])
        found = self.linearise(rod, {"q": {"x": 1}}, near={"q": {"x": 0, "y": 1}, "v": {"x": 1}})
        self.assertIn("names no symmetry", found["failed"])
        corner = {"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - abs(y)"}
        found = self.linearise(corner, {"q": {"y": 1}}, near={"q": {"y": 1}})
        self.assertIn("no equilibrium to linearise about", found["failed"])
        self.assertIn("on a corner", self.linearise(corner, {"q": {"y": 0}})["failed"])

    def test_corners_are_no_matter_beside_them_or_where_their_branches_agree(self):
        drag = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                "forces": {"x": "-0.1*abs(dot(x))*dot(x)"}}
        for potential, place, stiffness in (("abs(x - 3)", 0.5, 2), ("max(0, x - 3)", 0, 2),
                                            ("max(0, x)^3", 0, 2), ("if(x > -9, x, 7)", -0.5, 2),
                                            ("max(0, x + 1)^2*3", -0.75, 8)):
            model = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2 - %s" % potential}
            for start in (0.1, 7, -5):
                found = self.linearise(model, {"q": {"x": 0.1}}, near={"q": {"x": start}})
                self.assertAlmostEqual(found["q"]["x"], place, delta=1e-9, msg=potential)
                self.assertMatrix(found["K"], [[stiffness]])
        for speed, damping in ((0, 0), (1, 0.2), (-2, 0.4)):
            found = self.linearise(drag, {"q": {"x": 0.5}, "v": {"x": speed}})
            self.assertMatrix(found["C"], [[damping]])
            self.assertMatrix(found["K"], [[1]])
        friction = dict(drag, forces={"x": "-0.1*sign(dot(x))"})
        self.assertIn("on a corner",
                      self.linearise(friction, {"q": {"x": 1}, "v": {"x": 0}})["failed"])
        self.assertMatrix(self.linearise(friction, {"q": {"x": 1}, "v": {"x": 1}})["C"], [[0]])
        # V' = 4 abs(u) is continuous at u = 0, V'' is not
        bent = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - 2*abs(abs(x) - 1)*(abs(x) - 1)"}
        self.assertIn("on a corner", self.linearise(bent, {"q": {"x": 1}})["failed"])
        self.assertMatrix(self.linearise(bent, {"q": {"x": -1.5}})["K"], [[4]])
        self.assertMatrix(self.linearise(bent, {"q": {"x": 0.5}})["K"], [[-4]])
        cubic = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - max(0, x)^3 - x^2"}
        self.assertMatrix(self.linearise(cubic, {"q": {"x": 0}})["K"], [[2]])

    def test_a_jump_of_L_has_no_matrices(self):
        def near(L, **q):
            model = {"coordinates": ["x"], "parameters": {"l": 1}, "lagrangian": L}
            return self.linearise(model, {"q": {"x": 0.5}}, at={"q": q})

        step = "dot(x)^2/2 - x^2/2 - if(x < %s, 1, 0)"
        for edge, x in (("0", 0), ("l", 1), ("1e-9*l", 1e-9), ("1e-9*l", 0), ("0", 1e-12)):
            found = near(step % edge, x=x)
            self.assertIn("derivatives do not see a jump", found["failed"], edge)
        # beside it, or where nothing jumps, there are matrices
        self.assertMatrix(near(step % "0", x=0.1)["K"], [[1]])
        self.assertMatrix(near(step % "l", x=0)["K"], [[1]])
        self.assertMatrix(near("dot(x)^2/2 - if(x < 0, x^2, x*x)", x=0)["K"], [[2]])


if __name__ == "__main__":
    unittest.main()
