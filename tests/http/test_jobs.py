"""Jobs: submission, reading, listing, the end of them."""

import json
import math
import unittest

from harness import JSON, OSCILLATOR, Daemon, DaemonCase, deadline, job, long_job


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "2")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def test_a_submission_is_accepted_and_later_succeeds(self):
        answer = self.daemon.post("/v1/jobs", job(labels={"a": "b"}))
        self.assertEqual(answer.status, 202)
        self.assertEqual(answer.headers["location"], "/v1/jobs/" + answer.json["id"])
        self.assertEqual(answer.json["labels"], {"a": "b"})
        found = self.daemon.wait_done(answer.json["id"])
        self.assertEqual(found["state"], "succeeded")
        self.assertTrue(found["complete"])
        self.assertEqual(found["rows"], 11)
        self.assertIsNone(found["error"])
        for moment in ("created", "started", "finished"):
            self.assertRegex(found[moment], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_the_result_is_the_motion(self):
        found = self.daemon.finish()
        result = self.daemon.get("/v1/jobs/%s/result" % found["id"]).json
        self.assertEqual(result["columns"][:3], ["t", "x", "dot(x)"])
        self.assertTrue(result["complete"])
        for t, x, v in zip(*(result["series"][name] for name in ("t", "x", "dot(x)"))):
            self.assertAlmostEqual(x, math.cos(2 * t), delta=1e-9)
            self.assertAlmostEqual(v, -2 * math.sin(2 * t), delta=1e-9)

    def test_evidence_comes_with_a_finished_job(self):
        found = self.daemon.finish()
        diagnostics = self.daemon.get("/v1/jobs/%s/diagnostics" % found["id"])
        self.assertEqual(diagnostics.status, 200)
        self.assertGreater(diagnostics.json["steps"]["accepted"], 0)
        invariants = self.daemon.get("/v1/jobs/%s/invariants" % found["id"]).json["invariants"]
        energy = [one for one in invariants if one["name"] == "energy"][0]
        self.assertTrue(energy["observed"]["conserved"])

    def test_evidence_of_an_unfinished_job_is_not_ready(self):
        identifier = self.daemon.submit(long_job())
        for document in ("diagnostics", "invariants"):
            answer = self.daemon.get("/v1/jobs/%s/%s" % (identifier, document))
            self.assertEqual((answer.status, answer.json["code"]), (409, "not_ready"))
        self.daemon.post("/v1/jobs/%s/cancel" % identifier, None, {})
        self.daemon.wait_done(identifier)

    def test_the_request_comes_back_byte_for_byte(self):
        text = b'{ "time":{"end":1e0,\t"samples":3},\n"initial":{},"model":' + json.dumps(
            OSCILLATOR
        ).encode() + b"}\n\n"
        answer = self.daemon.request("POST", "/v1/jobs", text)
        self.assertEqual(answer.status, 202)
        back = self.daemon.get("/v1/jobs/%s/request" % answer.json["id"])
        self.assertEqual(back.body, text)

    def test_two_runs_of_one_job_have_one_result_hash(self):
        hashes = {self.daemon.finish()["provenance"]["result_hash"] for _ in range(3)}
        self.assertEqual(len(hashes), 1)
        self.assertIsNotNone(hashes.pop())

    def test_validation_stores_nothing(self):
        for one in self.daemon.get("/v1/jobs?limit=500").json["jobs"]:
            self.daemon.wait_done(one["id"])  # of other tests
        before = self.daemon.get("/v1/jobs?limit=1").json["revision"]
        answer = self.daemon.post("/v1/jobs?validate_only=true", job())
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.json["valid"])
        self.assertEqual(answer.json["structure"]["degrees_of_freedom"], 1)
        self.assertEqual(answer.json["estimate"]["samples"], 11)
        refused = self.daemon.post("/v1/jobs?validate_only=true",
                                   job(time={"end": 1, "samples": 1}))
        self.assertEqual(refused.status, 422)
        self.assertEqual(self.daemon.get("/v1/jobs?limit=1").json["revision"], before)

    def test_all_mistakes_are_told_at_once_with_their_places(self):
        wrong = job(time={"end": 1, "samples": 1}, observe={"a": "xx"})
        wrong["initial"]["q"]["z"] = 1
        answer = self.daemon.post("/v1/jobs", wrong)
        self.assertEqual(answer.status, 422)
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        for member in ("type", "title", "status", "detail", "instance", "code", "errors"):
            self.assertIn(member, answer.json)
        self.assertEqual(answer.json["status"], 422)

    def test_what_is_not_json_is_a_400(self):
        for text in (b"", b"{", b'{"a":1}x', b"\xff", b'{"a":1,"a":2}'):
            answer = self.daemon.request("POST", "/v1/jobs", text, JSON)
            self.assertEqual((answer.status, answer.json["code"]), (400, "not_json"), text)

    def test_an_unknown_member_is_refused_with_a_suggestion(self):
        answer = self.daemon.post("/v1/jobs", job(observ={"a": "x"}))
        self.assertEqual(answer.status, 422)
        self.assertIn("observe", json.dumps(answer.json["errors"]))

    def test_a_timeout_beyond_the_limit_is_refused(self):
        answer = self.daemon.post("/v1/jobs", job(timeout=1e8))
        self.assertEqual(answer.status, 422)
        self.assertEqual(answer.json["errors"][0]["pointer"], "/timeout")

    def test_a_job_that_runs_longer_than_its_timeout_fails_and_keeps_its_rows(self):
        document = job(
            time={"end": 9e6, "every": 1.0}, integrator={"max_steps": 900000000}, timeout=1.5
        )
        found = self.daemon.finish(document)
        self.assertEqual((found["state"], found["reason"]), ("failed", "timeout"))
        self.assertFalse(found["complete"])
        self.assertIn("1.5", found["error"]["detail"])
        result = self.daemon.get("/v1/jobs/%s/result?limit=5" % found["id"]).json
        self.assertFalse(result["complete"])
        self.assertEqual(len(result["series"]["t"]), 5)

    def test_a_motion_that_leaves_the_numbers_fails_with_the_time(self):
        document = job(
            model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 + x^6/6"},
            initial={"q": {"x": 1}, "v": {"x": 1}},
            time={"end": 100},
        )
        found = self.daemon.finish(document)
        self.assertEqual((found["state"], found["reason"]), ("failed", "numeric"))
        self.assertEqual(found["error"]["code"], "numeric")

    def test_what_is_kept_of_a_job_goes_with_it(self):
        found = self.daemon.finish()
        path = "/v1/jobs/" + found["id"]
        first = self.daemon.get(path)
        self.assertEqual(first.json, found)
        again = self.daemon.get(path + "?wait=5&since=%d" % found["revision"])
        self.assertEqual(again.body, first.body)
        self.assertEqual(self.daemon.get(path + "?wait=x").status, 400)
        self.assertEqual(self.daemon.get(path + "?nonsense=1").status, 400)
        self.assertEqual(self.daemon.request("HEAD", path).headers["content-length"],
                         str(len(first.body)))
        self.assertEqual(self.daemon.request("DELETE", path).status, 204)
        self.assertEqual(self.daemon.get(path).status, 404)

    def test_a_deleted_job_is_gone(self):
        identifier = self.daemon.finish()["id"]
        answer = self.daemon.request("DELETE", "/v1/jobs/" + identifier)
        self.assertEqual((answer.status, answer.body), (204, b""))
        for path in ("", "/result", "/request", "/diagnostics", "/invariants"):
            self.assertEqual(self.daemon.get("/v1/jobs/" + identifier + path).status, 404, path)
        self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + identifier).status, 404)

    def test_a_running_job_cannot_be_deleted(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_state(identifier, "running")
        self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + identifier).status, 409)
        self.daemon.post("/v1/jobs/%s/cancel" % identifier, None, {})
        self.assertEqual(self.daemon.wait_done(identifier)["state"], "cancelled")

    def test_unknown_jobs_are_404_everywhere(self):
        unknown = "/v1/jobs/01a1fb4d-98e2-74a8-9c39-a32872c8d384"
        for path in ("", "/result", "/request", "/diagnostics", "/invariants"):
            self.assertEqual(self.daemon.get(unknown + path).status, 404, path)
        self.assertEqual(self.daemon.request("POST", unknown + "/cancel").status, 404)
        self.assertEqual(self.daemon.get("/v1/jobs/nonsense").status, 404)

    def test_progress_is_visible_while_running(self):
        document = job(time={"end": 1e6, "every": 1.0}, integrator={"max_steps": 900000000})
        identifier = self.daemon.submit(document)
        self.daemon.wait_state(identifier, "running")
        fractions = set()
        for _ in deadline("three different fractions"):
            found = self.daemon.get("/v1/jobs/" + identifier).json
            if found["phase"] == "integrating":
                fractions.add(found["progress"]["fraction"])
            if len(fractions) > 2:
                break
        self.daemon.post("/v1/jobs/%s/cancel" % identifier, None, {})
        self.daemon.wait_done(identifier)

    def test_rows_are_visible_while_running(self):
        document = job(time={"end": 1e6, "every": 0.5}, integrator={"max_steps": 900000000})
        identifier = self.daemon.submit(document)
        for _ in deadline("rows"):
            result = self.daemon.get("/v1/jobs/%s/result?limit=3" % identifier).json
            if result["series"].get("t"):
                break
        self.assertEqual(result["series"]["t"], [0, 0.5, 1.0])
        self.assertFalse(result["complete"])
        self.daemon.post("/v1/jobs/%s/cancel" % identifier, None, {})
        self.daemon.wait_done(identifier)


class Links(unittest.TestCase):
    """A link is there if and only if a request to it answers."""

    ENSEMBLE = dict(vary={"parameters.k": [1, 2]}, ensemble={"reduce": {"most": {"of": "x", "take": "max"}}})
    ALWAYS = {"self", "request", "result"}
    READ = {"scene": "/scene", "plot": "/plot.svg", "members": "/members",
            "statistics": "/statistics", "diagnostics": "/diagnostics",
            "invariants": "/invariants"}

    def setUp(self):
        self.daemon = Daemon("--workers", "1")
        self.addCleanup(self.daemon.close)

    def check(self, identifier, state, *more):
        found = self.daemon.get("/v1/jobs/" + identifier).json
        self.assertEqual((found["state"], set(found["links"])), (state, self.ALWAYS | set(more)))
        for name in self.ALWAYS:
            self.assertEqual(self.daemon.get(found["links"][name]).status, 200, name)
        for name, path in self.READ.items():
            answer = self.daemon.get("/v1/jobs/%s%s" % (identifier, path))
            self.assertEqual(answer.status == 200, name in more, (name, answer))

    def test_of_jobs_that_wait_or_run_or_never_ran(self):
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        waiting = self.daemon.submit(job())
        members = self.daemon.submit(job(**self.ENSEMBLE))
        self.check(running, "running", "stream", "cancel", "scene", "plot")
        self.check(waiting, "queued", "stream", "cancel")
        self.check(members, "queued", "stream", "cancel", "members", "statistics")
        for identifier in (waiting, members):
            self.daemon.post("/v1/jobs/%s/cancel" % identifier, b"")
        self.check(waiting, "cancelled", "rerun")
        self.check(members, "cancelled", "rerun", "members", "statistics")
        self.daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.daemon.wait_done(running)
        self.check(running, "cancelled", "rerun", "scene", "plot", "diagnostics", "invariants")

    def test_of_jobs_that_have_ended(self):
        motion = ("rerun", "scene", "plot", "diagnostics", "invariants")
        falls = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 + x^4"}
        again = job()
        del again["cache"]
        self.check(self.daemon.finish(job())["id"], "succeeded", *motion)
        cached = self.daemon.finish(again)
        self.assertTrue(cached["cached"])
        self.check(cached["id"], "succeeded", *motion)
        failed = self.daemon.finish(job(model=falls, time={"end": 10, "samples": 11}))
        self.check(failed["id"], "failed", *motion)
        members = self.daemon.finish(job(**self.ENSEMBLE))
        self.check(members["id"], "succeeded", "rerun", "members", "statistics", "diagnostics")


class Idempotency(DaemonCase):
    def test_a_retry_is_answered_when_the_model_is_gone(self):
        model = self.daemon.post("/v1/models", dict(OSCILLATOR, name="of a retry")).json["id"]
        document = job(model={"id": model})
        first = self.daemon.post("/v1/jobs", document, {"Idempotency-Key": "gone"})
        self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + model).status, 204)
        again = self.daemon.post("/v1/jobs", document, {"Idempotency-Key": "gone"})
        self.assertEqual((again.status, again.json["id"]), (202, first.json["id"]))
        self.assertEqual(again.headers["idempotency-replayed"], "true")
        other = self.daemon.post("/v1/jobs", dict(document, timeout=7), {"Idempotency-Key": "gone"})
        self.assertEqual((other.status, other.json["code"]), (422, "idempotency_key_reused"))
        self.assertEqual(self.daemon.post("/v1/jobs", document).status, 422)

    def test_a_retry_returns_the_first_job(self):
        first = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": "one"})
        again = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": "one"})
        self.assertEqual(first.json["id"], again.json["id"])
        self.assertNotIn("idempotency-replayed", first.headers)
        self.assertEqual(again.headers["idempotency-replayed"], "true")

    def test_the_same_key_with_another_body_is_refused(self):
        self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": "two"})
        answer = self.daemon.post("/v1/jobs", job(timeout=9), {"Idempotency-Key": "two"})
        self.assertEqual((answer.status, answer.json["code"]), (422, "idempotency_key_reused"))

    def test_a_retry_can_wait_for_the_first_job(self):
        self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": "three"})
        again = self.daemon.post("/v1/jobs?wait=20", job(), {"Idempotency-Key": "three"})
        self.assertEqual(again.status, 200)
        self.assertEqual(again.headers["idempotency-replayed"], "true")
        self.assertTrue(again.json["done"])

    def test_quotes_around_a_key_are_not_part_of_it(self):
        first = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": '"q-1"'})
        again = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": "q-1"})
        self.assertEqual(first.json["id"], again.json["id"])
        first = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": 'q\\"2'})
        again = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": '"q\\\\\\"2"'})
        self.assertEqual(first.json["id"], again.json["id"])
        longest = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": '"%s"' % ("k" * 255)})
        self.assertEqual(longest.status, 202)

    def test_a_malformed_key_is_refused(self):
        quoted = ('"', '""', '"a', '"a"b', '"a";x=1', '"a\\"', '"a\\b"', '"%s"' % ("a" * 256))
        for key in ("", "a" * 256, "\u00e9") + quoted:
            answer = self.daemon.post("/v1/jobs", job(), {"Idempotency-Key": key.encode("latin-1")})
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), key)


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.ids = [
            cls.daemon.finish(labels={"n": str(i), "odd": str(i % 2)})["id"] for i in range(7)
        ]
        cls.failed = cls.daemon.finish(
            job(time={"end": 1e7, "samples": 3}, integrator={"max_steps": 10})
        )["id"]

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def ids_of(self, path):
        answer = self.daemon.get(path)
        self.assertEqual(answer.status, 200, answer)
        return [one["id"] for one in answer.json["jobs"]]

    def test_newest_come_first(self):
        self.assertEqual(self.ids_of("/v1/jobs"), [self.failed] + self.ids[::-1])

    def test_pages_tile_the_list(self):
        seen, path = [], "/v1/jobs?limit=3"
        while path:
            answer = self.daemon.get(path)
            seen += [one["id"] for one in answer.json["jobs"]]
            if not answer.json["next"]:
                self.assertNotIn("link", answer.headers)
                break
            link = answer.headers["link"]
            self.assertTrue(link.endswith('>; rel="next"'))
            path = link[1 : link.index(">")]
            self.assertIn("limit=3", path)
        self.assertEqual(seen, [self.failed] + self.ids[::-1])

    def test_a_state_selects(self):
        self.assertEqual(self.ids_of("/v1/jobs?state=failed"), [self.failed])
        self.assertEqual(self.ids_of("/v1/jobs?state=running"), [])

    def test_a_label_selects(self):
        self.assertEqual(self.ids_of("/v1/jobs?label.n=3"), [self.ids[3]])
        self.assertEqual(self.ids_of("/v1/jobs?label.odd=1"), self.ids[5::-2])

    def test_a_model_selects(self):
        model = self.daemon.get("/v1/jobs/" + self.ids[0]).json["model"]["id"]
        self.assertEqual(len(self.ids_of("/v1/jobs?model=" + model)), 8)
        self.assertEqual(self.ids_of("/v1/jobs?model=" + "0" * 64), [])

    def test_since_tells_what_changed(self):
        revision = self.daemon.get("/v1/jobs?limit=1").json["revision"]
        self.assertEqual(self.ids_of("/v1/jobs?since=%d" % revision), [])
        new = self.daemon.finish(labels={"n": "new"})["id"]
        self.assertEqual(self.ids_of("/v1/jobs?since=%d" % revision), [new])
        self.daemon.request("DELETE", "/v1/jobs/" + new)

    def test_changes_come_in_pages_by_revision(self):
        for follow in ("link", "next", "revision"):
            seen, path, since = [], "/v1/jobs?limit=3&since=0", 0
            while path:
                answer = self.daemon.get(path)
                revisions = [one["revision"] for one in answer.json["jobs"]]
                self.assertEqual(revisions, sorted(revisions))
                self.assertTrue(all(revision > since for revision in revisions), answer)
                seen += [one["id"] for one in answer.json["jobs"]]
                if follow == "revision":
                    more = since != answer.json["revision"]
                    since = answer.json["revision"]
                else:
                    more = answer.json["next"]
                    since = int(more or 0)
                if not more:
                    break
                link = answer.headers.get("link", "")
                path = link[1 : link.find(
                    ">")] if follow == "link" else "/v1/jobs?limit=3&since=%d" % since
            self.assertEqual(sorted(seen), sorted(self.ids + [self.failed]))

    def test_wrong_parameters_are_named(self):
        for query in (
            "since=1&cursor=" + self.ids[0],
            "state=done",
            "cursor=zzz",
            "limit=0",
            "limit=501",
            "limit=x",
            "limit=1&limit=2",
            "since=-1",
            "wait=1",
            "since=1&wait=61",
            "since=1&wait=x",
            "label.a=1&label.a=2",
            "label.=1",
            "nonsense=1",
            "limit=%zz",
            "state=%00",
        ):
            answer = self.daemon.get("/v1/jobs?" + query)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), query)


if __name__ == "__main__":
    unittest.main()
