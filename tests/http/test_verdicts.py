"""What verdicts rest on, through the service: laws that are broken by little, far away or late, in
all formulations, and what the evidence says of how it was decided."""

import unittest

from harness import DaemonCase

FORMULATIONS = ["lagrange-dalembert", "hamel", "voronec", "chaplygin", "hamiltonian"]
PLANE = "(dot(x)^2 + dot(y)^2)/2"
TURN = [{"name": "turn", "generator": {"x": "-y", "y": "x"}}]


class Verdicts(DaemonCase):
    def verdicts(self, model, initial=None, formulation=None, **job):
        document = {"model": model, "initial": initial or {"q": {"x": 1}, "v": {"x": 0.5}},
                    "time": {"end": 1, "samples": 3}, **job}
        if formulation:
            document["formulation"] = formulation
        answer = self.daemon.post("/v1/jobs?wait=30", document)
        self.assertEqual(answer.json.get("state"), "succeeded", answer)
        found = self.daemon.get("/v1/jobs/%s/invariants" % answer.json["id"]).json["invariants"]
        return {v["name"]: v for v in found}

    def test_a_force_is_judged_by_itself(self):
        small = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                 "forces": {"x": "-1e-13*dot(x)"}}
        beside = {"coordinates": ["x", "y"], "lagrangian": PLANE + " - x^2 - y^2 - 1e33",
                  "forces": {"y": "-0.01*dot(y)"}}
        for model in (small, beside):
            for formulation in FORMULATIONS:
                energy = self.verdicts(model, formulation=formulation)["energy"]
                self.assertEqual((energy["predicted"], energy["evidence"]["method"]),
                                 ("no", "interval"), energy)
                self.assertGreaterEqual(energy["evidence"]["bits"], 128)

    def test_what_acts_far_away_or_late_breaks_a_law(self):
        for force in ("if(x > 30, -dot(x), 0)", "if(t > 100, -dot(x), 0)",
                      "-exp(-4*(x - 12)^2)*dot(x)"):
            energy = self.verdicts({"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                                    "forces": {"x": force}})
            self.assertEqual(energy["energy"]["predicted"], "no", force)
        bump = {"coordinates": ["x", "y"], "lagrangian": PLANE + " - exp(-4*((x - 12)^2 + y^2))",
                "symmetries": TURN}
        self.assertEqual(self.verdicts(bump)["turn"]["predicted"], "no")

    def test_what_acts_behind_corners_anywhere_breaks_a_law(self):
        """Wherever the corner is; the reason tells a state, at which the force has a power."""
        forces = ("if(t > 1e6, -dot(x), 0)", "max(0, x - 30)*-dot(x)",
                  "max(0, x - 3e5)*-dot(x)", "if(x > 1e9, -dot(x), 0)",
                  "if(t > 1e6, if(x > 3000, -dot(x), 0), 0)",
                  "if(t > 1e6, if(t < 1000001, -dot(x), 0), 0)",
                  "max(0, 1 - abs(x - 1e5))*dot(x)", "-max(0, abs(dot(x)) - 1e7)*sign(dot(x))",
                  "if(t < -500, -dot(x), 0)",
                  "if(x > 3000 and dot(x) > 2e4, -1, 0)", "max(0, x - 2e6)^3*-dot(x)")
        for force in forces:
            energy = self.verdicts({"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                                    "forces": {"x": force}})["energy"]
            self.assertEqual((energy["predicted"], energy["evidence"]["method"]),
                             ("no", "interval"), (force, energy))
            self.assertTrue(energy["observed"]["conserved"], force)
            self.assertRegex(energy["reason"], "At t = .*, x = .*, dot.x. = .* the forces do work",
                             force)
        for force in ("if(t > 1e6, 0*dot(x), 0)",
                      "if(x > 1e9, dot(x)*(2*sin(t)*cos(t) - sin(2*t)), 0)"):
            energy = self.verdicts({"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                                    "forces": {"x": force}})["energy"]
            self.assertEqual(energy["predicted"], "yes", (force, energy))

    def test_what_acts_on_one_part_of_a_constraint_breaks_a_law(self):
        """The line x = y on which the motion goes is one of three, and one of ten; x = 0 is the
        other part of x*y = 0."""
        ten = "*".join("(x - %d*y)" % k for k in range(1, 11))
        for constraint, force in (("(x^2 - 109*y^2)*(x - y) = 0", "(x - y)*dot(z)"),
                                  (ten + " = 0", "%s*dot(z)" % ten[:-11]),
                                  ("x*y = y^2", "(x - y)*dot(z)"),
                                  ("(x - y)*(101*sin(x)^2 - 1) = 0", "(x - y)*dot(z)")):
            model = {"coordinates": ["x", "y", "z"],
                     "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                     "constraints": [constraint], "forces": {"z": force}}
            energy = self.verdicts(model, {"q": {"x": 1, "y": 1},
                                           "v": {"x": 1, "y": 1, "z": 1}})["energy"]
            self.assertNotEqual(energy["predicted"], "yes", (constraint, energy))

    def test_a_number_is_positive_in_every_proof(self):
        """1.09 is, though it is no square in some of the fields that prove."""
        for force in ("max(0, x - 40)*max(0, k*(x - 40))*dot(x)",
                      "if(k*x^2 > 0, dot(x), 0)*max(0, x - 40)",
                      "(abs(k*x^2) + k*x^2)*max(0, x - 40)*dot(x)"):
            model = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                     "parameters": {"k": 1.09}, "forces": {"x": force}}
            self.assertEqual(self.verdicts(model)["energy"]["predicted"], "no", force)

    def test_a_turn_more_is_a_jump_of_the_energy(self):
        """A constant torque, around the axis: the motion goes on across the cut of atan2(), the
        energy does not."""
        model = {"coordinates": ["x", "y", "z"],
                 "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - atan2(y, x)",
                 "symmetries": [{"name": "lift", "generator": {"z": "1"}}]}
        found = self.verdicts(model, {"q": {"x": -1, "y": 0.5}, "v": {"y": -1}})
        self.assertEqual((found["energy"]["predicted"], found["energy"]["observed"]["conserved"]),
                         ("no", False))
        self.assertEqual(found["lift"]["predicted"], "yes")

    def test_conditions_that_change_together_are_one(self):
        for potential, predicted in (("if(2*x > 1, 1, 0) - if(x > 0.5, 1, 0)", "yes"),
                                     ("if(2*x < 4, if(x < 2, 1, 0), 0)", "no"),
                                     ("if(x^3 > 8, 1, 0) - if(x > 2, 1, 0)", "undecided")):
            model = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - (%s)" % potential}
            self.assertEqual(self.verdicts(model)["energy"]["predicted"], predicted, potential)

    def test_a_yes_says_how_sure_it_is(self):
        model = {"coordinates": ["x", "y"],
                 "lagrangian": PLANE + " - k*x*(sin(2*x) - 2*sin(x)*cos(x))",
                 "parameters": {"k": 0.1}, "symmetries": TURN}
        for formulation in FORMULATIONS:
            turn = self.verdicts(model, formulation=formulation)["turn"]
            self.assertEqual((turn["predicted"], turn["evidence"]["method"]),
                             ("yes", "finite_field"), turn)
            self.assertEqual(turn["evidence"]["primes"], 2)
            self.assertLess(turn["evidence"]["chance"], 1e-20)

    def test_what_nothing_exact_decides_is_undecided(self):
        # a relation that is not known: sin(atan(u)) = u/sqrt(1 + u^2)
        model = {"coordinates": ["x", "y"],
                 "lagrangian": PLANE + " - x*(sin(atan(y)) - y/sqrt(1 + y^2))",
                 "symmetries": TURN}
        turn = self.verdicts(model)["turn"]
        self.assertEqual((turn["predicted"], turn["evidence"]["likely"]),
                         ("undecided", "yes"), turn)
        self.assertTrue(turn["evidence"]["doubt"].startswith("it "), turn)

    def test_a_constraint_that_turns_by_little_turns(self):
        model = {"coordinates": ["x", "y", "z"], "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                 "constraints": ["dot(z) = 1e-9*y*dot(x)"]}
        found = self.verdicts(model, {"q": {"y": 1}, "v": {"x": 1, "y": 0.5}},
                              analyses=["consistency", "structure"])
        self.assertEqual(found["integrable"]["predicted"], "no")
        self.assertNotEqual(found["consistency"]["predicted"], "yes", found["consistency"])

    def test_an_observation_goes_by_the_quantity_itself(self):
        damped = {"coordinates": ["x"], "lagrangian": "1e-8*(dot(x)^2 - x^2)/2",
                  "forces": {"x": "-1e-8*dot(x)"}}
        free = {"coordinates": ["x"], "lagrangian": "1e-8*(dot(x)^2 - x^2)/2"}
        rest = {"coordinates": ["x", "y"], "lagrangian": PLANE + " - x^2 - y^2", "symmetries": TURN}
        time = {"end": 5, "samples": 20}
        self.assertFalse(self.verdicts(damped, time=time)["energy"]["observed"]["conserved"])
        self.assertTrue(self.verdicts(free, time=time)["energy"]["observed"]["conserved"])
        self.assertTrue(self.verdicts(rest, time=time)["turn"]["observed"]["conserved"])

    def test_an_observation_goes_by_the_size_of_the_motion(self):
        time = {"end": 10, "samples": 9}
        for formulation in FORMULATIONS[:3]:
            for size in (1, 1e-9, 1e9):
                for drag in (0, 1e-7):
                    model = {"coordinates": ["x", "y"], "lagrangian": PLANE + " - x^2/2 - y^2",
                             "parameters": {"c": drag}, "forces": {"x": "-c*dot(x)"}}
                    energy = self.verdicts(model, {"q": {"x": size, "y": size / 2},
                                                   "v": {"x": 0, "y": 0}},
                                           formulation, time=time)["energy"]
                    self.assertEqual(energy["observed"]["conserved"],
                                     drag == 0, (formulation, size, energy))


if __name__ == "__main__":
    unittest.main()
