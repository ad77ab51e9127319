"""Jobs that start from an equilibrium: initial.equilibrium {near, offset}."""

import math
import unittest

import bicycle
from harness import Daemon, job

PENDULUM = {
    "coordinates": ["th"],
    "parameters": {"g": 9.81},
    "lagrangian": "dot(th)^2/2 + g*cos(th)",
}
ROD = {
    "coordinates": ["x", "y"],
    "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 9*y",
    "constraints": [{"name": "rod", "equation": "x^2 + y^2 = 1"}],
}
FALL = {"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - 9*y"}


class EquilibriumStart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def start(self, model, equilibrium, **changes):
        """The series, and what the diagnostics say."""
        initial = dict({"equilibrium": equilibrium}, **changes.pop("initial", {}))
        finished = self.daemon.finish(job(model=model, initial=initial, **changes))
        self.assertEqual(finished["state"], "succeeded", finished)
        path = "/v1/jobs/" + finished["id"]
        series = self.daemon.get(path + "/result").json["series"]
        return series, self.daemon.get(path + "/diagnostics").json

    def refused(self, model, equilibrium, **changes):
        initial = dict({"equilibrium": equilibrium}, **changes.pop("initial", {}))
        answer = self.daemon.post("/v1/jobs", job(model=model, initial=initial, **changes))
        self.assertEqual(answer.status, 422, answer)
        return answer.json["errors"][0]

    def test_it_stays_at_the_one_found_nearest(self):
        for near, found in ((0.5, 0), ("3", math.pi), ("2*pi - 0.4", 2 * math.pi)):
            series, said = self.start(PENDULUM, {"near": {"q": {"th": near}}})
            self.assertEqual(said["equilibrium"]["kind"], "equilibrium")
            self.assertAlmostEqual(said["equilibrium"]["q"]["th"], found, delta=1e-14)
            self.assertEqual(said["equilibrium"]["v"], {"th": 0})
            self.assertEqual(series["th"][0], said["equilibrium"]["q"]["th"])
            for th in series["th"]:
                self.assertAlmostEqual(th, found, delta=1e-12)

    def test_an_offset_is_added(self):
        series, said = self.start(
            PENDULUM, {"near": {"q": {"th": 3}}, "offset": {"q": {"th": "pi/30"}, "v": {"th": -1}}}
        )
        found = said["equilibrium"]["q"]["th"]
        self.assertEqual(series["th"][0], found + math.pi / 30)
        self.assertEqual(series["dot(th)"][0], -1)
        initial = {"q": {"th": found + math.pi / 30}, "v": {"th": -1}}
        same = self.daemon.finish(job(model=PENDULUM, initial=initial))
        other = self.daemon.get("/v1/jobs/%s/result" % same["id"]).json["series"]
        self.assertEqual(series["th"], other["th"])

    def test_nothing_given_looks_near_zero(self):
        series, said = self.start(PENDULUM, {})
        self.assertEqual(series["th"][-1], 0)

    def test_the_time_may_be_given(self):
        series, _ = self.start(
            PENDULUM, {"near": {"q": {"th": 3}}}, initial={"t": 0.5}, time={"end": 1, "samples": 3}
        )
        self.assertEqual(series["t"], [0.5, 0.75, 1])

    def test_what_is_off_the_constraints_is_refused_or_projected(self):
        hanging = {"near": {"q": {"x": 0.1, "y": -0.9}}, "offset": {"q": {"x": 0.3}}}
        self.assertIn("rod is violated", self.refused(ROD, hanging)["message"])
        series, said = self.start(ROD, hanging, initial={"consistency": "project"})
        self.assertAlmostEqual(said["equilibrium"]["q"]["y"], -1, delta=1e-12)
        self.assertAlmostEqual(math.hypot(series["x"][0], series["y"][0]), 1, delta=1e-14)
        self.assertGreater(series["x"][0], 0.25)

    def test_a_bicycle_rides_and_leans(self):
        v = 5
        equilibrium = {
            "near": {"v": {"x": 1.001 * v, "psi": 0, "phi": 0, "theta": 0, "delta": 0}},
            "offset": {"q": {"phi": 1e-3}},
        }
        for formulation in ("lagrange-dalembert", "hamel"):
            series, said = self.start(
                bicycle.MODEL,
                equilibrium,
                initial={"consistency": "project"},
                formulation=formulation,
                analyses=[],
            )
            found = said["equilibrium"]
            self.assertEqual(found["kind"], "relative equilibrium")
            self.assertAlmostEqual(found["along"]["translation_x"], found["v"]["x"], delta=1e-12)
            self.assertAlmostEqual(found["v"]["x"], -0.3 * found["v"]["thR"], delta=1e-11)
            self.assertAlmostEqual(found["v"]["x"], 1.001 * v, delta=0.1)
            self.assertAlmostEqual(series["phi"][0], 1e-3, delta=1e-5)
            self.assertGreater(max(map(abs, series["delta"])), 1e-4)

    def test_none_is_a_mistake_at_its_place(self):
        error = self.refused(FALL, {"near": {"q": {"y": 1}}})
        self.assertEqual(error["pointer"], "/initial/equilibrium/near")
        self.assertIn("no equilibrium to start from", error["message"])
        self.assertIn("nearer", error["hint"])
        driven = dict(PENDULUM, lagrangian="dot(th)^2/2 - (th - sin(t))^2")
        self.assertIn("at the start only", self.refused(driven, {"near": {}})["message"])
        # a circle is no rest, and there is no symmetry named to go on along
        orbit = {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 + 1/hypot(x, y)"}
        error = self.refused(orbit, {"near": {"q": {"x": 1}, "v": {"y": 1}}})
        self.assertEqual(error["pointer"], "/initial/equilibrium/near/v")
        self.assertIn("symmetries", error["hint"])
        broken = [{"name": "shift", "generator": {"x": "1"}}]
        error = self.refused(dict(orbit, symmetries=broken),
                             {"near": {"q": {"x": 1}, "v": {"y": 1}}})
        self.assertIn("no symmetry that carries", error["message"])
        orbit["symmetries"] = [{"name": "turn", "generator": {"x": "-y", "y": "x"}}]
        _, said = self.start(orbit, {"near": {"q": {"x": 1.02}, "v": {"y": 1}}})
        found = said["equilibrium"]
        self.assertAlmostEqual(
            found["along"]["turn"] ** 2 * math.hypot(found["q"]["x"], found["q"]["y"]) ** 3,
            1, delta=1e-10
        )

    def test_other_mistakes_are_told_with_their_place(self):
        near = {"near": {"q": {"z": 1}}}
        self.assertEqual(self.refused(PENDULUM, near)["pointer"], "/initial/equilibrium/near/q/z")
        offset = {"offset": {"v": {"z": 1}}}
        self.assertEqual(self.refused(PENDULUM, offset)["pointer"],
                         "/initial/equilibrium/offset/v/z")
        error = self.refused(PENDULUM, {}, initial={"q": {"th": 1}})
        self.assertEqual(error["pointer"], "/initial/q")
        self.assertIn("near", error["hint"])
        self.assertEqual(self.refused(PENDULUM, {"at": {}})["pointer"], "/initial/equilibrium/at")
        error = self.refused(PENDULUM, {}, sensitivities=["parameters.g"])
        self.assertIn("equilibrium", error["message"])
        error = self.refused(dict(PENDULUM, lagrangian="dot(th)^2/2 - abs(th)"),
                             {"near": {"q": {"th": 1}}})
        self.assertEqual(error["pointer"], "/initial/equilibrium/near")
        error = self.refused(ROD, {}, formulation="vakonomic", initial={"mu": [0]})
        self.assertTrue(error["pointer"].startswith("/initial"), error)
        many = ["q%d" % k for k in range(101)]
        chain = {"coordinates": many,
                 "lagrangian": " + ".join("dot(%s)^2 - %s^2" % (q, q) for q in many)}
        self.assertIn("at most 100", self.refused(chain, {})["message"])

    def test_the_estimate_before_needs_no_run(self):
        document = job(model=PENDULUM, initial={"equilibrium": {"near": {"q": {"th": 3}}}})
        answer = self.daemon.post("/v1/jobs?validate_only=true", document)
        self.assertEqual(answer.status, 200, answer)


if __name__ == "__main__":
    unittest.main()
