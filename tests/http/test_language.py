"""GET /v1/language: what it lists is what documents may name, and nothing else is."""

import json
import unittest

from harness import OSCILLATOR, DaemonCase, job

METHOD_STEP = {"step": 0.1}


class Language(DaemonCase):
    def setUp(self):
        self.language = self.daemon.get("/v1/language").json
        self.contract = self.daemon.get("/openapi.json").json["components"]["schemas"]

    def validate(self, document):
        return self.daemon.post("/v1/jobs?validate_only=true", document)

    def called(self, word):
        """A call with numbers for all arguments that are no dots."""
        return "%s(%s)" % (word["name"],
                           ", ".join("0.5" for name in word["arguments"] if name != "..."))

    def test_every_function_takes_the_arguments_that_are_listed(self):
        self.assertGreater(len(self.language["functions"]), 20)
        for word in self.language["functions"]:
            with self.subTest(word=word):
                text = self.called(word)
                if word["name"] == "acosh":
                    text = text.replace("0.5", "1.5")
                answer = self.validate(job(observe={"u": "x + " + text}))
                self.assertEqual(answer.status, 200, answer)
                wrong = self.validate(job(observe={"u": "x + %s()" % word["name"]}))
                self.assertEqual(wrong.status, 422, wrong)

    def test_quantities_stand_in_observables_alone(self):
        for word in self.language["quantities"]:
            with self.subTest(word=word):
                argument = {"constraint": "rolling", "coordinate": "x",
                            "": ""}[",".join(word["arguments"])]
                model = dict(OSCILLATOR, coordinates=["x", "y"], lagrangian="dot(x)^2 + dot(y)^2",
                             constraints=[{"name": "rolling", "equation": "dot(y) = x"}])
                text = "%s(%s)" % (word["name"], argument)
                initial = {"q": {"x": 1}}
                answer = self.validate(job(model=model, initial=initial, observe={"u": text}))
                self.assertEqual(answer.status, 200, answer)
                answer = self.daemon.post("/v1/models", dict(model, lagrangian=text))
                self.assertEqual(answer.status, 422, answer)

    def test_no_name_may_be_a_reserved_word_and_every_other_may(self):
        reserved = set(self.language["reserved"])
        listed = [word["name"] for kind in self.language.values() for word in kind
                  if isinstance(word, dict) and "arguments" in word]
        self.assertIn("sin", listed)
        self.assertIn("kinetic", listed)
        for name in sorted(reserved | set(listed)):
            with self.subTest(name=name):
                model = dict(OSCILLATOR, parameters=dict(OSCILLATOR["parameters"], **{name: 1}))
                answer = self.daemon.post("/v1/models?", model)
                self.assertEqual(answer.status == 422, name in reserved, answer)

    def test_formulations_and_methods_are_those_of_the_contract(self):
        names = [formulation["name"] for formulation in self.language["formulations"]]
        self.assertEqual(sorted(names), sorted(self.contract["Formulation"]["enum"]))
        self.assertEqual([f["name"] for f in self.language["formulations"] if f["default"]],
                         ["lagrange-dalembert"])
        self.assertEqual([m["name"] for m in self.language["methods"] if m["default"]], ["auto"])

    def test_every_method_takes_its_options_and_no_others(self):
        every = {option["name"] for method in self.language["methods"]
                 for option in method["options"]}
        values = {"rtol": 1e-8, "atol": 1e-8, "nominal": {"x": 1},
                  "max_step": 0.5, "step": 0.1, "projection": True,
                  "max_steps": 1000}
        self.assertEqual(every, set(values))
        for method in self.language["methods"]:
            own = {option["name"]: option for option in method["options"]}
            with self.subTest(method=method["name"]):
                document = job(integrator=dict({name: values[name] for name in own},
                                               method=method["name"]))
                found = self.validate(document)
                self.assertEqual((found.status, found.json.get("warnings", [])), (200, []), found)
                for name in every - set(own):
                    other = json.loads(json.dumps(document))
                    other["integrator"][name] = values[name]
                    found = self.validate(other)
                    self.assertTrue(found.status == 422
                                    or name in json.dumps(found.json["warnings"]), found)

    def test_a_default_is_what_happens_without_the_option(self):
        options = {option["name"]: option["default"]
                   for option in self.language["methods"][0]["options"]}
        plain = self.daemon.finish()
        options = {name: value for name, value in options.items() if value is not None}
        self.assertNotIn("atol", options)  # it follows from rtol
        explicit = self.daemon.finish(integrator=options)
        self.assertEqual(plain["provenance"]["result_hash"], explicit["provenance"]["result_hash"])

    def test_every_analysis_takes_its_options(self):
        names = [analysis["name"] for analysis in self.language["analyses"]]
        self.assertIn("discovery", names)
        for analysis in self.language["analyses"]:
            with self.subTest(analysis=analysis["name"]):
                asked = {"name": analysis["name"]}
                for option in analysis["options"]:
                    if option["default"] is not None:
                        asked[option["name"]] = option["default"]
                    if option["required"]:
                        self.assertEqual(self.validate(job(analyses=[analysis["name"]])).status,
                                         422)
                        asked[option["name"]] = "pi"
                self.assertEqual(self.validate(job(analyses=[asked])).status, 200)
                wrong = self.validate(job(analyses=[dict(asked, nonsense=1)]))
                self.assertEqual(wrong.status, 422)
                for option in analysis["options"]:
                    self.assertIn(option["name"], wrong.json["errors"][0]["hint"])

    def test_every_unit_is_one_of_a_model(self):
        for unit in self.language["units"]:
            with self.subTest(unit=unit["name"]):
                for name in [unit["name"]] + ["k" + unit["name"]] * unit["prefixes"]:
                    model = {
                        "name": "lengths",
                        "coordinates": [{"name": "x", "unit": name}],
                        "lagrangian": "dot(x)^2/2",
                    }
                    answer = self.validate({"model": model, "initial": {"q": {"x": 1}},
                                            "time": {"end": 1, "samples": 2}})
                    self.assertEqual(answer.status, 200, answer)
        values = {unit["name"]: (unit["value"], unit["si"]) for unit in self.language["units"]}
        self.assertEqual(values["in"], (0.0254, "m"))
        self.assertEqual(values["g"], (0.001, "kg"))
        self.assertEqual(values["bar"][0], 1e5)

    def test_who_has_it_is_told_so(self):
        answer = self.daemon.get("/v1/language")
        again = self.daemon.get("/v1/language", {"If-None-Match": answer.headers["etag"]})
        self.assertEqual((again.status, again.body), (304, b""))
        self.assertEqual(self.daemon.get("/v1/language", {"If-None-Match": '"other"'}).status, 200)


if __name__ == "__main__":
    unittest.main()
