"""Identical requests: a result that is there is owned by several jobs, and goes with the last of
them."""

import os
import subprocess
import unittest

from harness import BINARY, OSCILLATOR, Daemon, job, long_job

HIDDEN = ("revision", "id", "links", "created", "started", "finished",
          "attempt", "cached", "labels", "provenance", "priority", "progress", "trace")


class Reuse(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon("--workers", "1")

    def tearDown(self):
        self.daemon.close()

    def post(self, document):
        return self.daemon.post("/v1/jobs", document)

    def result(self, found, rest=""):
        answer = self.daemon.get("/v1/jobs/%s/result%s" % (found["id"], rest))
        self.assertEqual(answer.status, 200)
        return answer.body

    def all_of(self, found):
        """Everything that is told of a result."""
        paths = ["result", "result?table=zero", "diagnostics", "invariants"]
        return [self.daemon.get("/v1/jobs/%s/%s" % (found["id"], path)).body for path in paths]

    def verify(self):
        done = subprocess.run([BINARY, "verify", "--data",
                               os.path.join(self.daemon.directory, "data")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def same_result(self, answer, first):
        self.assertEqual(answer.status, 200)
        found = answer.json
        self.assertEqual((found["state"], found["done"], found["cached"],
                          found["started"], found["attempt"]),
                         ("succeeded", True, True, None, 0))
        self.assertEqual(found["provenance"]["reused"],
                         {"job": first["id"], "finished": first["finished"]})
        self.assertNotEqual(found["id"], first["id"])
        for name in set(first) - set(HIDDEN):
            self.assertEqual(found[name], first[name], name)
        self.assertEqual(answer.headers["location"], "/v1/jobs/" + found["id"])
        return found

    def document(self, **changes):
        document = dict(job(events=[{"name": "zero", "when": "x"}], time={"end": 3, "samples": 9}),
                        **changes)
        if "cache" not in changes:
            del document["cache"]
        return document

    def runs(self, document):
        """Whether it is run."""
        answer = self.daemon.post("/v1/jobs?wait=60", document)
        found = answer.json if answer.json["done"] else self.daemon.wait_done(answer.json["id"])
        self.assertEqual(found["attempt"] == 1, not found["cached"])
        self.assertEqual(found["provenance"]["reused"] is None, not found["cached"])
        return not found["cached"]

    def test_the_same_request_is_answered_at_once(self):
        first = self.daemon.finish(self.document(labels={"a": "1"}))
        self.assertEqual((first["cached"], first["provenance"]["reused"]), (False, None))
        second = self.same_result(self.post(self.document(labels={"b": "2"}, priority=7)), first)
        self.assertEqual((second["labels"], second["priority"]), ({"b": "2"}, 7))
        self.assertEqual(self.all_of(second), self.all_of(first))
        self.assertIn(b"\"b\"", self.daemon.get("/v1/jobs/%s/request" % second["id"]).body)
        # of the first run, through the second
        third = self.same_result(self.post(self.document()), first)
        listed = self.daemon.get("/v1/jobs?state=succeeded").json["jobs"]
        self.assertEqual([each["id"] for each in listed], [third["id"], second["id"], first["id"]])
        self.verify()

    def test_whoever_is_deleted_the_others_keep_it(self):
        for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)):
            first = self.daemon.finish(self.document(cache=False))
            jobs = [first] + [self.same_result(self.post(self.document()), first) for _ in range(2)]
            told = self.all_of(first)
            for k in order:
                self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + jobs[k]["id"]).status,
                                 204)
                jobs[k] = None
                for each in jobs:
                    if each:
                        self.assertEqual(self.all_of(each), told)
                self.daemon.kill()
                self.daemon.start()
            self.verify()
        self.assertTrue(self.runs(self.document()))

    def test_a_job_whose_first_owner_is_gone_is_used_again(self):
        first = self.daemon.finish(self.document())
        self.same_result(self.post(self.document()), first)
        self.daemon.request("DELETE", "/v1/jobs/" + first["id"])
        self.same_result(self.post(self.document()), first)

    def test_what_the_result_does_not_depend_on(self):
        self.assertTrue(self.runs(self.document()))
        named = dict(OSCILLATOR, name="another", description="the same motion")
        for same in ({"labels": {"x": "y"}}, {"priority": 3},
                     {"timeout": 5}, {"not_after": "2999-01-01T00:00:00Z"}, {"cache": True},
                     {"model": named}):
            self.assertFalse(self.runs(self.document(**same)), same)
        found = self.post(self.document(model=named)).json
        self.assertEqual(found["model"]["name"], "another")
        stored = self.daemon.post("/v1/models", OSCILLATOR).json["id"]
        self.assertFalse(self.runs(self.document(model={"id": stored})))

    def test_what_it_does_depend_on(self):
        self.assertTrue(self.runs(self.document()))
        for other in ({"cache": False}, {"parameters": {"k": 8.5}},
                      {"formulation": "hamiltonian"}, {"analyses": []}, {"analyses": ["energy"]},
                      {"accuracy": True}, {"events": []}, {"observe": {"a": "x"}},
                      {"observe": {"b": "x"}}, {"compare": ["hamel"]},
                      {"integrator": {"rtol": 1e-9}}, {"time": {"end": 3, "samples": 10}},
                      {"initial": {"q": {"x": 1.5}}},
                      {"model": dict(OSCILLATOR, parameters={"m": 2, "k": 9})}):
            self.assertTrue(self.runs(self.document(**other)), other)

    def test_what_has_not_succeeded_is_run_again(self):
        limited = self.document(integrator={"max_steps": 3})
        self.assertEqual([self.daemon.finish(limited)["state"] for _ in range(2)], ["failed"] * 2)
        self.assertFalse(self.daemon.finish(limited)["cached"])
        long = long_job()
        del long["cache"]
        running, waiting = self.post(long).json, self.post(long).json
        self.assertEqual((running["cached"], waiting["cached"], waiting["done"]),
                         (False, False, False))

    def test_ensembles(self):
        document = self.document(vary={"parameters.k": [1, 4, 9]},
                                 ensemble={"keep": "trajectories", "over_time": ["x"]})
        first = self.daemon.finish(document)
        second = self.same_result(self.post(document), first)
        paths = ["result", "members", "members/1", "members/2/result",
                 "members/0/result?table=zero", "statistics?of=steps",
                 "statistics?over=time", "diagnostics"]

        def told(found):
            return [self.daemon.get("/v1/jobs/%s/%s" % (found["id"], path)) for path in paths]

        before = told(first)
        self.assertEqual([each.status for each in before], [200] * len(paths))
        self.assertEqual([each.body for each in told(second)], [each.body for each in before])
        self.daemon.request("DELETE", "/v1/jobs/" + first["id"])
        self.assertEqual([each.body for each in told(second)], [each.body for each in before])
        self.verify()
        again = self.daemon.finish({"ensemble": {"members_of": {"job": second["id"]}}})
        self.assertEqual(again["members"]["succeeded"], 3)
        self.assertTrue(self.runs(dict(document, vary={"parameters.k": [1, 9, 4]})))

    def test_batches(self):
        batch = {"jobs": [self.document(), self.document(), self.document(time={"end": 4})]}
        jobs = self.daemon.post("/v1/jobs:batch", batch).json["jobs"]
        self.assertEqual([each["cached"] for each in jobs], [False] * 3)  # nothing was there
        first = [self.daemon.wait_done(each["id"]) for each in jobs]
        again = self.daemon.post("/v1/jobs:batch", batch).json["jobs"]
        self.assertEqual([each["cached"] for each in again], [True] * 3)
        self.assertEqual([each["provenance"]["reused"]["job"] for each in again],
                         [first[1]["id"]] * 2 + [first[2]["id"]])

    def test_keys_of_submissions_are_answered_first(self):
        first = self.daemon.finish(self.document())
        key = {"Idempotency-Key": "a"}
        cached = self.daemon.post("/v1/jobs", self.document(), key)
        self.same_result(cached, first)
        replayed = self.daemon.post("/v1/jobs", self.document(), key)
        self.assertEqual((replayed.status, replayed.json["id"],
                          replayed.headers["idempotency-replayed"]),
                         (200, cached.json["id"], "true"))

    def test_rerun_runs(self):
        first = self.daemon.finish(self.document())
        second = self.post(self.document()).json
        for each in (first, second):
            again = self.daemon.post("/v1/jobs/%s/rerun?wait=60" % each["id"], b"").json
            self.assertEqual((again["cached"], again["attempt"]), (False, 1))
            self.assertEqual(self.result(again), self.result(first))

    def test_a_full_queue_takes_what_is_there(self):
        self.daemon.close()
        self.daemon = Daemon("--workers", "1", "--max-queue", "1")
        first = self.daemon.finish(self.document())
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        self.daemon.submit(long_job())
        self.assertEqual(self.post(self.document(time={"end": 5})).status, 503)
        self.same_result(self.post(self.document()), first)

    def test_it_is_known_after_a_restart(self):
        first = self.daemon.finish(self.document())
        self.daemon.kill()
        self.daemon.start()
        self.same_result(self.post(self.document()), first)


if __name__ == "__main__":
    unittest.main()
