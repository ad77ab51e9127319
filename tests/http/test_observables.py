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
        document = job(observe=observe, events=events, vary={"parameters.k": [1, 2]},
                       ensemble={"reduce": reduce})
        answer = self.daemon.post("/v1/jobs?validate_only=true", document).json
        told = {(each["pointer"], each["offset"]): each.get("hint", "")
                for each in answer["errors"]}
        knows = {place for place, hint in told.items()
                 if hint.startswith("observables are not known here: write its")}
        self.assertEqual(knows, {("/observe/after", 2), ("/events/0/when", 0),
                                 ("/ensemble/reduce/last/of", 0),
                                 ("/ensemble/reduce/label/when/0/0", 0)})
        self.assertEqual({told[place] for place in set(told) - knows},
                         {"coordinates: x; parameters: k, m; add it to parameters"}, told)
        done = self.daemon.finish(job(observe={"e": "x^2"}))
        answer = self.daemon.post("/v1/jobs/%s/columns" % done["id"],
                                  {"observe": {"f": "2*e", "g": "f"}}).json
        self.assertEqual([each["hint"][:28] for each in answer["errors"]],
                         ["observables are not known he"] * 2, answer)

    def test_columns_of_a_formulation_are_known_to_expressions(self):
        """w(X), p(x), tau, N and coordinates of a chart: in observe, events, reduce, over rows, and
        in members."""
        sled = {"coordinates": ["x", "y", "a"], "parameters": {"c": 1},
                "lagrangian": "(dot(x)^2 + dot(y)^2 + c*dot(a)^2)/2 - x/4",
                "constraints": ["dot(x)*sin(a) = dot(y)*cos(a)"],
                "frame": [{"name": "drive", "field": {"x": "cos(a)", "y": "sin(a)"}},
                          {"name": "turn", "field": {"a": "1"}}]}
        chart = {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - y",
                 "constraints": ["x^2 + y^2 = 4"],
                 "chart": {"coordinates": ["u"], "map": {"x": "2*sin(u)", "y": "-2*cos(u)"}}}
        chaplygin = {"coordinates": ["x", "y", "z"],
                     "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                     "constraints": ["dot(z) = -x*dot(y)"], "base": ["x", "y"]}
        pendulum = {"coordinates": ["th"], "lagrangian": "3*dot(th)^2/2 + cos(th)"}
        cases = [  # the column, in what it is written otherwise
            ("hamel", sled, {"v": {"x": 1, "a": 0.5}}, "w(drive)", "dot(x)*cos(a) + dot(y)*sin(a)"),
            ("hamel", dict(sled, frame=[]), {"v": {"x": 1, "a": 0.5}}, "w(a)", "dot(a)"),
            ("hamiltonian", pendulum, {"v": {"th": 1}}, "p(th)", "3*dot(th)"),
            ("chaplygin", chaplygin, {"v": {"x": 1, "y": 1}}, "N", "1/sqrt(1 + x^2)"),
            ("intrinsic", chart, {"chart": {"v": {"u": 0.8}}}, "u", "atan2(x, -y)"),
            ("intrinsic", chart, {"chart": {"v": {"u": 0.8}}}, "dot(u)", "(x*dot(y) - y*dot(x))/4"),
            ("intrinsic", chart, {"chart": {"v": {"u": 0.8}}},
             "dot(u^2)", "atan2(x, -y)*(x*dot(y) - y*dot(x))/2"),
        ]
        for formulation, model, initial, column, otherwise in cases:
            model = {name: value for name, value in model.items() if value}
            level = "(%s) - " + ("0.9" if column == "N" else "0.2")
            document = {"model": model, "formulation": formulation, "initial": initial,
                        "time": {"end": 2, "samples": 9},
                        "observe": {"o": column + " + 1", "same": "(%s) + 1" % otherwise},
                        "events": [{"name": "here", "when": level % column},
                                   {"name": "there", "when": level % otherwise}]}
            done = self.daemon.finish(document)
            self.assertEqual(done["state"], "succeeded", done)
            series = self.daemon.get(done["links"]["result"]).json["series"]
            for one, other in zip(series["o"], series["same"]):
                self.assertAlmostEqual(one, other, 8, column)
            times = [self.daemon.get("/v1/jobs/%s/result?table=%s"
                                     % (done["id"], table)).json["series"]["t"]
                     for table in ("here", "there")]
            self.assertEqual(len(times[0]), len(times[1]))
            for one, other in zip(*times):
                self.assertAlmostEqual(one, other, 8, column)
            more = self.daemon.post("/v1/jobs/%s/columns" % done["id"],
                                    {"observe": {"o2": "2*(%s)" % column}}).json
            for one, other in zip(more["series"]["o2"], series["o"]):
                self.assertAlmostEqual(one, 2*(other - 1), 12)
            members = dict(document, accuracy=True,
                           vary={"time.end": {"from": 1, "to": 2, "count": 2}},
                           ensemble={"reduce": {"most": {"of": column, "take": "max"},
                                                "last": {"of": column, "take": "last"}}})
            del members["events"]
            summary = self.daemon.get(self.daemon.finish(members)["links"]["result"]).json["series"]
            self.assertAlmostEqual(summary["last"][1], series["o"][-1] - 1, 8)
            self.assertGreaterEqual(summary["most"][1], max(series["o"]) - 1 - 1e-9)

    def test_columns_that_a_motion_does_not_have_are_unknown(self):
        oscillator = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"}
        document = {"model": oscillator, "formulation": "hamiltonian",
                    "initial": {}, "time": {"end": 1}}
        errors = self.refused(**dict(document, observe={"o": "p(y)"}))
        self.assertEqual((errors[0]["pointer"], errors[0]["hint"]), ("/observe/o", "known here: x"))
        errors = self.refused(**dict(document, observe={"o": "p(x)"},
                                     compare=["lagrange-dalembert"]))
        self.assertEqual(errors[0]["pointer"], "/compare/0")
        self.assertIn("columns of hamiltonian's own", errors[0]["message"])
        errors = self.refused(**dict(document, observe={"o": "p(x)"},
                                     formulation="lagrange-dalembert"))
        self.assertIn('unknown function "p"', errors[0]["message"])
        named = dict(oscillator, parameters={"p": 2}, lagrangian="p*dot(x)^2/2 - x^2/2")
        done = self.daemon.finish(dict(document, model=named,
                                       initial={"v": {"x": 1}}, observe={"o": "p(x) - p*dot(x)"}))
        self.assertLess(max(map(abs, self.daemon.get(done["links"]["result"]).json["series"]["o"])),
                        1e-12)

    def test_a_model_cannot_call_them(self):
        errors = self.refused(model={"coordinates": ["x"], "lagrangian": "kinetic()"})
        self.assertIn("needs a computed motion", errors[0]["message"])
        errors = self.refused(model=dict(FALL, lagrangian="kinetic(x)"))
        self.assertIn("not a function", errors[0]["message"])


if __name__ == "__main__":
    unittest.main()
