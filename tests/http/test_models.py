"""Stored models, the catalog, and what the service says of itself."""

import json
import os
import re
import unittest

from harness import OSCILLATOR, ROOT, WITH_PAGE, Daemon, DaemonCase, deadline, job, long_job

SLED = {
    "name": "sled",
    "coordinates": ["x", "y", "theta"],
    "parameters": {"m": 1, "J": 2},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(theta)^2",
    "constraints": [{"name": "blade", "equation": "dot(y)*cos(theta) = dot(x)*sin(theta)"}],
}


class Models(DaemonCase):
    def test_a_model_is_known_by_its_content(self):
        skate = dict(SLED, name="skate")
        first = self.daemon.post("/v1/models", skate)
        self.assertEqual(first.status, 201)
        self.assertEqual(first.headers["location"], "/v1/models/" + first.json["id"])
        text = json.dumps(skate, indent=7, sort_keys=True).encode()
        again = self.daemon.request("POST", "/v1/models", text)
        self.assertEqual((again.status, again.json["id"]), (200, first.json["id"]))
        found = self.daemon.get("/v1/models/" + first.json["id"]).json
        self.assertEqual(found["document"], skate)
        self.assertEqual(found["name"], "skate")

    def test_a_stored_model_can_be_run_by_its_id(self):
        identifier = self.daemon.post("/v1/models", OSCILLATOR).json["id"]
        by_id = self.daemon.finish(job(model={"id": identifier}))
        inline = self.daemon.finish()
        self.assertEqual(by_id["model"]["id"], identifier)
        self.assertEqual(inline["model"]["id"], identifier)
        hashes = [one["provenance"]["result_hash"] for one in (by_id, inline)]
        self.assertEqual(hashes[0], hashes[1])
        answer = self.daemon.post("/v1/jobs", job(model={"id": "0" * 64}))
        self.assertEqual(answer.status, 422)
        self.assertTrue(answer.json["errors"][0]["pointer"].startswith("/model"))

    def test_a_wrong_model_is_refused(self):
        answer = self.daemon.post("/v1/models", dict(SLED, lagrangian="m/2*dot(z)^2"))
        self.assertEqual(answer.status, 422)
        self.assertEqual(answer.json["errors"][0]["pointer"], "/lagrangian")
        self.assertEqual(self.daemon.request("POST", "/v1/models", b"[").status, 400)

    def test_equations_come_in_three_notations(self):
        identifier = self.daemon.post("/v1/models", SLED).json["id"]
        path = "/v1/models/%s/equations" % identifier
        texts = set()
        for notation in ("text", "latex", "c"):
            answer = self.daemon.get(path + "?format=" + notation)
            self.assertEqual(answer.status, 200, answer)
            texts.add(answer.body)
        self.assertEqual(len(texts), 3)
        self.assertEqual(self.daemon.get(path).body, self.daemon.get(path + "?format=text").body)
        self.assertEqual(self.daemon.get(path + "?format=word").status, 400)
        answer = self.daemon.get(path + "?formulation=newton")
        self.assertEqual(answer.status, 400)
        self.assertIn("lagrange-dalembert", answer.json["detail"])

    def test_the_structure_classifies_the_constraints(self):
        identifier = self.daemon.post("/v1/models", SLED).json["id"]
        found = self.daemon.get("/v1/models/%s/structure" % identifier).json
        self.assertEqual(found["degrees_of_freedom"], 2)
        self.assertEqual([(one["name"], one["kind"]) for one in found["constraints"]],
                         [("blade", "linear")])

    def test_models_are_listed_in_pages_and_deleted(self):
        new = {
            self.daemon.post("/v1/models", dict(OSCILLATOR, name="o%d" % i)).json["id"]
            for i in range(5)
        }
        seen, path = [], "/v1/models?limit=2"
        while path:
            answer = self.daemon.get(path)
            self.assertEqual(answer.status, 200, answer)
            seen += [one["id"] for one in answer.json["models"]]
            link = answer.headers.get("link")
            path = link and link[1 : link.index(">")]
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual(new, set(seen))
        for identifier in new:
            self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + identifier).status, 204)
            self.assertEqual(self.daemon.get("/v1/models/" + identifier).status, 404)
        self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + "0" * 64).status, 404)

    def test_unknown_models_are_404_everywhere(self):
        for path in ("", "/equations", "/structure"):
            self.assertEqual(self.daemon.get("/v1/models/nothing" + path).status, 404, path)

    def test_every_system_of_the_catalog_is_a_valid_job(self):
        systems = self.daemon.get("/v1/catalog").json["systems"]
        self.assertGreater(len(systems), 10)
        for system in systems:
            found = self.daemon.get(system["links"]["self"]).json
            answer = self.daemon.post("/v1/jobs?validate_only=true", found["job"])
            self.assertEqual(answer.status, 200, (system["name"], answer))

    def test_tags_of_the_catalog_are_those_of_the_contract_and_true(self):
        contract = self.daemon.get("/openapi.json").json["components"]["schemas"]
        vocabulary, used = contract["CatalogTags"]["items"]["enum"], set()
        for system in self.daemon.get("/v1/catalog").json["systems"]:
            found = self.daemon.get(system["links"]["self"]).json
            self.assertEqual(system["tags"], found["tags"])
            self.assertEqual(system["tags"], sorted(set(system["tags"])), system["name"])
            self.assertIn(len(system["tags"]), range(1, 5), system["name"])
            used.update(system["tags"])
            answer = self.daemon.post("/v1/jobs?validate_only=true", found["job"]).json
            structure = answer["structure"]
            kinds = {constraint["kind"] for constraint in structure["constraints"]}
            for tag, expected in (
                ("affine constraint", "affine" in kinds),
                ("nonlinear constraint", "nonlinear" in kinds),
                ("time-dependent", structure["time_dependent"]),
                ("vakonomic", found["job"].get("formulation") == "vakonomic"),
                ("least action", found["job"].get("formulation") == "least-action"),
            ):
                self.assertEqual(tag in system["tags"], expected, (system["name"], tag))
        self.assertEqual(sorted(used), vocabulary)

    def test_the_catalog_suggests_names(self):
        name = self.daemon.get("/v1/catalog").json["systems"][0]["name"]
        answer = self.daemon.get("/v1/catalog/" + name[:-1])
        self.assertEqual(answer.status, 404)
        self.assertIn("did you mean", answer.json["detail"])
        found = self.daemon.finish(job(model={"catalog": name}, initial={}, time={"end": 0.01}))
        self.assertEqual(found["state"], "succeeded")


class Kept(unittest.TestCase):
    def test_an_accepted_job_keeps_its_model(self):
        daemon = Daemon("--workers", "1")
        try:
            running = daemon.submit(long_job())
            daemon.wait_running(running)
            identifier = daemon.post("/v1/models", dict(OSCILLATOR, name="kept")).json["id"]
            by_id = job(model={"id": identifier})
            queued = daemon.submit(by_id)
            self.assertEqual(daemon.request("DELETE", "/v1/models/" + identifier).status, 204)
            self.assertEqual(daemon.get("/v1/models/" + identifier).status, 404)
            self.assertEqual(daemon.post("/v1/jobs", by_id).status, 422)
            # the next process has nothing compiled
            daemon.terminate()
            daemon.start()
            daemon.request("POST", "/v1/jobs/%s/cancel" % running)
            found = daemon.wait_done(queued)
            self.assertEqual(found["state"], "succeeded", found)
            self.assertEqual(found["model"]["id"], identifier)
        finally:
            daemon.close()


class Service(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--max-samples", "1234", "--max-result", "4M")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def test_a_result_beyond_all_measure_is_refused(self):
        answer = self.daemon.post("/v1/jobs?validate_only=true", {
            "model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2"}, "initial": {},
            "time": {"end": 1, "samples": 1100}, "observe": {"o%d" % k: "x" for k in range(500)}})
        self.assertEqual(answer.status, 422, answer)
        self.assertEqual(answer.json["errors"][0]["pointer"], "/time")
        self.assertIn("1100 samples of 503 columns are 4.43e+06 bytes",
                      answer.json["errors"][0]["message"])

    def test_the_limits_in_force_are_told(self):
        limits = self.daemon.get("/v1/limits").json["limits"]
        self.assertEqual(limits["max-samples"]["value"], 1234)
        self.assertEqual(limits["coordinates"]["value"], 500)
        self.assertEqual(limits["max-body"],
                         {"value": 8388608, "unit": "bytes", "what": limits["max-body"]["what"]})
        answer = self.daemon.post("/v1/jobs", job(time={"end": 1, "samples": 1235}))
        self.assertEqual(answer.status, 422)
        self.assertIn("1234", json.dumps(answer.json))

    def test_the_front_door_speaks_to_programs_and_people(self):
        links = self.daemon.get("/").json["links"]
        for path in links.values():
            self.assertEqual(self.daemon.get(path).status, 200, path)
        page = self.daemon.get("/", {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        self.assertEqual(page.headers["content-type"], "text/html; charset=utf-8")
        # else telephones show it as small as a desktop's
        self.assertIn(b'name="viewport"', page.body)
        self.assertEqual(b"JavaScript" in page.body, WITH_PAGE)

    def test_the_type_of_a_problem_leads_to_its_page(self):
        problem = self.daemon.get("/v1/jobs/none").json
        self.assertEqual(problem["type"], "/problems/not_found")
        found = self.daemon.get(problem["type"]).json
        self.assertEqual(found["code"], "not_found")
        self.assertEqual([one["of"] for one in found["meanings"]], ["answer"])
        self.assertIn("look at `/v1/jobs`", found["meanings"][0]["remedy"])
        page = self.daemon.get(problem["type"], {"Accept": "text/html"})
        self.assertEqual(page.headers["content-type"], "text/html; charset=utf-8")
        self.assertIn(b"look at <code>/v1/jobs</code>", page.body)
        answer = self.daemon.get("/problems/not_fund")
        self.assertEqual(answer.status, 404)
        self.assertIn('did you mean "not_found"?', answer.json["detail"])

    def test_metrics_are_prometheus_text(self):
        self.daemon.finish()
        for _ in deadline("the job to be counted, after its end is seen"):
            text = self.daemon.get("/metrics").body.decode()
            if int(re.search(r'jobs_finished_total\{state="succeeded"\} (\d+)', text).group(1)):
                break
        for line in text.splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r'^(dalembert|process)_[a-z_]+'
                                       r'(\{([a-z]+="[^"]*",?)+\})? [-+0-9.e]+$')

    def test_the_contract_is_the_file(self):
        with open(os.path.join(ROOT, "api", "openapi.json"), "rb") as contract:
            self.assertEqual(self.daemon.get("/openapi.json").body.rstrip(),
                             contract.read().rstrip())
        self.assertEqual(self.daemon.get("/openapi.json").json["openapi"][:2], "3.")

    def test_the_log_tells_requests_but_never_bodies(self):
        self.daemon.finish(labels={"secret": "xyzzy"})
        self.assertNotIn("xyzzy", self.daemon.wait_log("event=request method=POST", "event=job"))


if __name__ == "__main__":
    unittest.main()
