"""not_after: jobs that are not begun after an instant."""

import unittest

from harness import Daemon, deadline, job, long_job
from deadline import instant

LATE = "2999-01-31T12:00:00+01:00"
PAST = "2001-01-31T12:00:00Z"


class NotAfter(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon("--workers", "1")

    def tearDown(self):
        self.daemon.close()

    def occupy(self):
        running = self.daemon.submit(long_job(priority=10))
        self.daemon.wait_running(running)
        return running

    def queue_until_it_expires(self, **changes):
        """One that was accepted before its instant; the more time for that, the slower the machine
        is."""
        for exponent in range(10):
            answer = self.daemon.post("/v1/jobs", job(not_after=instant(0.5 * 2**exponent),
                                                      **changes))
            if answer.status == 202:
                return answer.json
            self.assertEqual(answer.json["errors"][0]["pointer"], "/not_after")
        self.fail("no job was accepted in time")

    def check_expired(self, found):
        self.assertEqual((found["state"], found["reason"], found["started"], found["attempt"]),
                         ("failed", "expired", None, 0))
        self.assertEqual((found["error"]["code"], found["error"]["instance"]),
                         ("expired", "/v1/jobs/" + found["id"]))
        self.assertIn(found["not_after"], found["error"]["detail"])
        self.assertGreater(found["finished"], found["not_after"])
        self.assertFalse({"scene", "plot", "diagnostics", "invariants"} & set(found["links"]))

    def test_who_waits_is_told_when_the_instant_has_passed(self):
        self.occupy()
        accepted = self.queue_until_it_expires()
        self.check_expired(self.daemon.wait_done(accepted["id"]))
        trace = accepted["trace"]
        self.daemon.wait_log('event=job id=%s state=failed reason=expired tenant=default '
                             'request="%s" trace=%s' % (accepted["id"], trace["request_id"],
                                                        trace["traceparent"].split("-")[1]))
        self.assertEqual(self.daemon.get("/v1/jobs/%s/diagnostics" % accepted["id"]).status, 404)
        self.assertIn(accepted["id"],
                      [each["id"] for each in self.daemon.get(
                          "/v1/jobs?state=failed").json["jobs"]])

    def test_an_ensemble_that_has_not_begun_expires(self):
        self.occupy()
        accepted = self.queue_until_it_expires(vary={"parameters.k": [1, 2, 3]})
        found = self.daemon.wait_done(accepted["id"])
        self.check_expired(found)
        self.assertEqual(found["members"], {"total": 3, "done": 0, "succeeded": 0, "failed": 0})

    def test_jobs_of_a_batch_have_their_instants(self):
        running = self.occupy()
        batch = {"jobs": [job(not_after=LATE), job(), job(not_after=PAST)]}
        answer = self.daemon.post("/v1/jobs:batch", batch)
        self.assertEqual((answer.status, answer.json["errors"][0]["pointer"]),
                         (422, "/jobs/2/not_after"))
        jobs = self.daemon.post("/v1/jobs:batch", {"jobs": batch["jobs"][:2]}).json["jobs"]
        self.assertEqual([each["not_after"] for each in jobs], ["2999-01-31T11:00:00.000Z", None])
        self.daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.assertEqual([self.daemon.wait_done(each["id"])["state"] for each in jobs],
                         ["succeeded"] * 2)

    def test_an_instant_is_known_after_a_kill(self):
        self.occupy()
        accepted = self.queue_until_it_expires()
        late = self.daemon.submit(not_after=LATE)
        self.daemon.kill()
        for _ in deadline("the instant to pass"):
            if instant(0) > accepted["not_after"]:
                break
        self.daemon.start()
        self.check_expired(self.daemon.wait_done(accepted["id"]))
        self.assertEqual(self.daemon.get("/v1/jobs/" + late).json["not_after"],
                         "2999-01-31T11:00:00.000Z")

    def test_instants_are_refused_at_their_place(self):
        for wrong in (PAST, "1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
                      "2999-01-31", "2999-02-30T12:00:00Z", "soon", "", 1e12, None, {}):
            for path in ("/v1/jobs", "/v1/jobs?validate_only=true"):
                answer = self.daemon.post(path, job(not_after=wrong))
                self.assertEqual((answer.status, answer.json["errors"][0]["pointer"]),
                                 (422, "/not_after"), wrong)
        both = self.daemon.post("/v1/jobs", job(not_after=PAST, timeout=1e9))
        self.assertEqual([each["pointer"] for each in both.json["errors"]],
                         ["/timeout", "/not_after"])

    def test_what_is_made_of_a_document_is_without_its_instant(self):
        plain, late = self.daemon.finish(job()), self.daemon.finish(job(not_after=LATE))
        self.assertEqual(plain["provenance"]["request_hash"], late["provenance"]["request_hash"])
        again = self.daemon.post("/v1/jobs/%s/rerun" % late["id"], b"")
        self.assertEqual((again.status, again.json["not_after"]), (202, None))
        ensemble = self.daemon.finish(job(not_after=LATE, vary={"parameters.k": [1, 2]}))
        self.assertNotIn("not_after",
                         self.daemon.get("/v1/jobs/%s/members/1" % ensemble["id"]).json["job"])
        members = {"ensemble": {"members_of": {"job": ensemble["id"]}}}
        self.assertEqual(self.daemon.finish(members)["not_after"], None)
        members["not_after"] = LATE
        self.assertEqual(self.daemon.finish(members)["not_after"], "2999-01-31T11:00:00.000Z")


if __name__ == "__main__":
    unittest.main()
