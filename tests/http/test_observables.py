"""Quantities of the motion among observables and events."""

import unittest

from harness import Daemon, job

FALL = {
    "coordinates": ["x", "y"],
    "parameters": {"m": 2, "g": 10, "kinetic": 3, "lagrangian": 1},
    "definitions": {"momentum": "lagrangian*x"},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) - m*g*y + 0*kinetic*momentum",
}


class Observables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def series(self, **changes):
        finished = self.daemon.finish(job(**changes))
        self.assertEqual(finished["state"], "succeeded", finished)
        return self.daemon.get("/v1/jobs/%s/result" % finished["id"]).json["series"]

    def refused(self, **changes):
        answer = self.daemon.post("/v1/jobs", job(**changes))
        self.assertEqual(answer.status, 422, answer)
        return answer.json["errors"]

    def fall(self, formulation, **changes):
        return self.series(
            model=FALL,
            formulation=formulation,
            initial={"q": {"x": 1}, "v": {"x": 3}},
            observe={
                "px": "momentum(x)",
                "py": "momentum(y)",
                "T": "kinetic()",
                "L": "lagrangian()",
                "E": "energy()",
                "force": "dot(momentum(y))",
                "own": "kinetic + momentum",
            },
            **changes
        )

    def test_they_are_those_of_the_model_in_every_formulation(self):
        for formulation in ("lagrange-dalembert", "hamiltonian", "hamel", "vakonomic"):
            with self.subTest(formulation=formulation):
                series = self.fall(formulation)
                for k, t in enumerate(series["t"]):
                    T, V = 9 + 100 * t * t, 20 * series["y"][k]
                    self.assertAlmostEqual(series["px"][k], 6, delta=1e-9)
                    self.assertAlmostEqual(series["py"][k], -20 * t, delta=1e-9)
                    self.assertAlmostEqual(series["T"][k], T, delta=1e-8)
                    self.assertAlmostEqual(series["L"][k], T - V, delta=1e-8)
                    self.assertAlmostEqual(series["E"][k], T + V, delta=1e-8)
                    self.assertAlmostEqual(series["force"][k], -20, delta=1e-8)
                    self.assertAlmostEqual(series["own"][k], 3 + series["x"][k], delta=1e-12)

    def test_momenta_are_the_columns_of_hamiltonian(self):
        series = self.fall("hamiltonian")
        for mine, column in (("px", "p(x)"), ("py", "p(y)")):
            for a, b in zip(series[mine], series[column]):
                self.assertAlmostEqual(a, b, delta=1e-10)

    def test_events_know_them(self):
        finished = self.daemon.finish(
            job(
                model=FALL,
                initial={"q": {"x": 1}, "v": {"x": 3}},
                events=[{"name": "fast", "when": "kinetic() - 34"}],
            )
        )
        rows = self.daemon.get("/v1/jobs/%s/result?table=fast" % finished["id"]).json["series"]
        self.assertEqual(len(rows["t"]), 1)
        self.assertAlmostEqual(rows["t"][0], 0.5, delta=1e-9)

    def test_no_part_of_degree_2_is_said(self):
        errors = self.refused(
            model={"coordinates": ["x"], "lagrangian": "-sqrt(1 - dot(x)^2)"},
            observe={"T": "1 + kinetic()"},
        )
        self.assertEqual(errors[0]["pointer"], "/observe/T")
        self.assertEqual(errors[0]["offset"], 4)
        self.assertIn("polynomial", errors[0]["message"])

    def test_other_expressions_do_not_know_the_names_of_a_job_s_own(self):
        observe = {"e": "x^2", "speed": "hypot(dot(x), x)", "after": "2*e", "pi": "x"}
        events = [{"name": "hit", "when": "speed - 1"}]
        reduce = {
            "last": {"of": "e > 1", "take": "last"},
            "label": {"take": "label", "when": [["speed(x) > pi", 1]]},
            "near": {"of": "sped + e1", "take": "max"},
        }
        document = job(observe=observe, events=events, vary={"parameters.k": [1, 2]}, ensemble={"reduce": reduce})
        answer = self.daemon.post("/v1/jobs?validate_only=true", document).json
        told = {(each["pointer"], each["offset"]): each.get("hint", "") for each in answer["errors"]}
        knows = {place for place, hint in told.items() if hint.startswith("observables are not known here: write its")}
        self.assertEqual(knows, {("/observe/after", 2), ("/events/0/when", 0), ("/ensemble/reduce/last/of", 0), ("/ensemble/reduce/label/when/0/0", 0)})
        self.assertEqual({told[place] for place in set(told) - knows},
                         {"coordinates: x; parameters: k, m; add it to parameters"}, told)
        done = self.daemon.finish(job(observe={"e": "x^2"}))
        answer = self.daemon.post("/v1/jobs/%s/columns" % done["id"], {"observe": {"f": "2*e", "g": "f"}}).json
        self.assertEqual([each["hint"][:28] for each in answer["errors"]], ["observables are not known he"] * 2, answer)

    def test_a_model_cannot_call_them(self):
        errors = self.refused(model={"coordinates": ["x"], "lagrangian": "kinetic()"})
        self.assertIn("needs a computed motion", errors[0]["message"])
        errors = self.refused(model=dict(FALL, lagrangian="kinetic(x)"))
        self.assertIn("not a function", errors[0]["message"])


if __name__ == "__main__":
    unittest.main()
