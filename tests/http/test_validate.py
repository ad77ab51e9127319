"""validate_only with include=equations: what is told of documents of which nothing is stored."""

import unittest

from harness import OSCILLATOR, DaemonCase, job


class Validate(DaemonCase):
    def models(self):
        return self.daemon.get("/v1/models").json["models"]

    def test_a_model_is_checked_and_not_stored(self):
        model = dict(OSCILLATOR, name="only checked")
        found = self.daemon.post("/v1/models?validate_only=true", model)
        self.assertEqual((found.status, found.json["valid"]), (200, True), found)
        self.assertNotIn("equations", found.json)
        self.assertEqual(self.daemon.get("/v1/models/" + found.json["model_id"]).status, 404)
        self.assertEqual(self.models(), [])

        stored = self.daemon.post("/v1/models", model).json
        self.assertEqual(stored["id"], found.json["model_id"])
        structure = self.daemon.get(stored["links"]["structure"]).json
        self.assertEqual(structure, found.json["structure"])
        self.daemon.request("DELETE", "/v1/models/" + stored["id"])

    def test_a_mistake_is_what_storing_would_answer(self):
        model = dict(OSCILLATOR, lagrangian="dot(x)^2 - k*y")
        checked, stored = [self.daemon.post("/v1/models" + query, model)
                           for query in ("?validate_only=true&include=equations", "")]
        self.assertEqual(checked.status, 422)
        self.assertEqual(checked.json["errors"], stored.json["errors"])

    def test_equations_are_those_of_the_model(self):
        model = dict(OSCILLATOR, name="with equations")
        found = self.daemon.post("/v1/models?validate_only=true&include=equations", model).json
        stored = self.daemon.post("/v1/models", model).json
        self.assertEqual(found["equations"], self.daemon.get(stored["links"]["equations"]).json)
        self.assertIn("ddot(x)", found["equations"]["whole"])
        self.daemon.request("DELETE", "/v1/models/" + stored["id"])

    def test_every_catalog_system_is_told_as_latex(self):
        """The answer is that of the stored model, in the formulation of the job."""
        query = "?validate_only=true&include=equations&format=latex"
        for system in self.daemon.get("/v1/catalog").json["systems"]:
            document = self.daemon.get(system["links"]["self"]).json["job"]
            with self.subTest(system=system["name"]):
                found = self.daemon.post("/v1/jobs" + query, document).json["equations"]
                self.assertEqual(found["format"], "latex")
                stored = self.daemon.post("/v1/models", document["model"]).json
                self.assertEqual(found, self.daemon.get(
                    "%s?format=latex&formulation=%s" % (stored["links"]["equations"],
                                                        found["formulation"])).json)
                self.assertEqual(found["whole"].count("{"), found["whole"].count("}"))
                self.daemon.request("DELETE", "/v1/models/" + stored["id"])

    def test_those_of_a_job_are_of_its_formulation(self):
        document = job(formulation="hamiltonian")
        found = self.daemon.post("/v1/jobs?validate_only=true&include=equations", document).json
        self.assertEqual(found["equations"]["formulation"], "hamiltonian")
        self.assertIn("p(x)", found["equations"]["whole"])
        self.assertNotIn("equations",
                         self.daemon.post("/v1/jobs?validate_only=true", document).json)
        self.assertEqual(self.daemon.get("/v1/jobs").json["jobs"], [])

    def test_a_job_is_valid_though_no_equations_can_be_told(self):
        model = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - sqrt(x - 1e9)"}
        document = job(model=model, initial={"q": {"x": 2e9}}, formulation="hamiltonian")
        self.assertEqual(self.daemon.post("/v1/jobs?validate_only=true", document).status, 200)
        found = self.daemon.post("/v1/jobs?validate_only=true&include=equations", document)
        self.assertEqual((found.status, found.json["equations"]), (200, None), found)
        self.assertIn("no state from which a motion could start", found.json["no_equations"])

    def test_what_is_included_is_named(self):
        for path in ("/v1/jobs", "/v1/models"):
            document = job() if path == "/v1/jobs" else OSCILLATOR
            for query, said in (("validate_only=true&include=plots", "include must be equations"),
                                ("validate_only=true&include=", "include must be equations"),
                                ("include=equations", "validate_only=true"),
                                ("validate_only=true&format=latex", "include=equations"),
                                ("validate_only=true&include=equations&format=tex",
                                 "format must be text, latex or c"),
                                ("validate_only=false&include=equations", "validate_only=true")):
                with self.subTest(path=path, query=query):
                    answer = self.daemon.post("%s?%s" % (path, query), document)
                    self.assertEqual(answer.status, 400)
                    self.assertIn(said, answer.json["detail"])
        self.assertEqual(self.daemon.get("/v1/jobs").json["jobs"], [])


if __name__ == "__main__":
    unittest.main()
