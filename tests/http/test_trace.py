"""A job keeps the ids of the request that submitted it, and names them in its log lines and in the
calls of its receiver."""

import json
import re
import unittest

from harness import Daemon, job, long_job
from receiver import Receiver

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00-%s-00f067aa0ba902b7-01" % TRACE
IDS = {"X-Request-Id": "req-1", "traceparent": PARENT}
KEPT = {"request_id": "req-1", "traceparent": PARENT}
FIELDS = 'request="req-1" trace=' + TRACE
PROXIED = ("--trusted-proxies", "127.0.0.1")
HOOKS = ("--webhooks", "on", "--webhook-retry", "0.01", "--webhook-allow", "127.0.0.1")


class Trace(unittest.TestCase):
    def daemon(self, *arguments):
        daemon = Daemon(*PROXIED, *arguments)
        self.addCleanup(daemon.close)
        return daemon

    def receiver(self, *arguments):
        receiver = Receiver(*arguments)
        self.addCleanup(receiver.close)
        return receiver

    def line_of(self, daemon, identifier, state):
        """The line of the log about this state of the job."""
        start = "id=%s state=%s" % (identifier, state)
        return next(line for line in daemon.wait_log(start).splitlines() if start in line)

    def test_the_request_that_submitted_a_job_is_told_by_the_job(self):
        daemon = self.daemon()
        submitted = daemon.post("/v1/jobs", job(), IDS)
        self.assertEqual(submitted.json["trace"], KEPT)
        done = daemon.wait_done(submitted.json["id"])
        self.assertEqual(done["trace"], KEPT)
        self.assertEqual(daemon.get("/v1/jobs").json["jobs"][0]["trace"], KEPT)

    def test_ids_are_made_if_a_request_brings_none(self):
        daemon = self.daemon()
        submitted = daemon.post("/v1/jobs", job())
        found = submitted.json["trace"]
        self.assertEqual(found["request_id"], submitted.headers["x-request-id"])
        self.assertRegex(found["traceparent"], "^00-[0-9a-f]{32}-[0-9a-f]{16}-00$")
        request = next(line for line in daemon.wait_log("event=request").splitlines()
                       if "event=request" in line)
        self.assertIn('request="%s" trace=%s' % (found["request_id"],
                                                 found["traceparent"].split("-")[1]), request)

    def test_a_repeated_request_gets_the_job_of_the_first(self):
        daemon = self.daemon()
        key = {"Idempotency-Key": "once"}
        daemon.post("/v1/jobs", job(), dict(IDS, **key))
        again = daemon.post("/v1/jobs", job(), dict(key, **{"X-Request-Id": "req-2"}))
        self.assertEqual(again.headers["idempotency-replayed"], "true")
        self.assertEqual(again.json["trace"], KEPT)

    def test_all_jobs_of_a_batch_have_its_request(self):
        daemon = self.daemon()
        batch = daemon.post("/v1/jobs:batch", {"jobs": [job(), job()]}, IDS)
        self.assertEqual([found["trace"] for found in batch.json["jobs"]], [KEPT, KEPT])

    def test_every_kind_of_job_names_its_request_at_its_end(self):
        daemon = self.daemon("--log-level", "debug")
        ensemble = job(vary={"parameters.k": [1, 2]})
        cancelled = daemon.post("/v1/jobs", long_job(), IDS).json["id"]
        daemon.wait_running(cancelled)
        daemon.post("/v1/jobs/%s/cancel" % cancelled, b"")
        for document in (job(cache=True), ensemble):
            found = daemon.post("/v1/jobs", document, IDS).json["id"]
            daemon.wait_done(found)
            self.assertIn(FIELDS, self.line_of(daemon, found, "running"))
            self.assertIn(FIELDS, self.line_of(daemon, found, "succeeded"))
        self.assertIn(FIELDS, self.line_of(daemon, cancelled, "cancelled"))
        reused = daemon.post("/v1/jobs", job(cache=True), IDS).json
        self.assertTrue(reused["cached"])
        self.assertIn(FIELDS, self.line_of(daemon, reused["id"], "succeeded reused="))

    def test_a_job_that_is_run_by_the_next_process_keeps_its_request(self):
        daemon = self.daemon("--workers", "1")
        running = daemon.post("/v1/jobs", long_job(), IDS).json["id"]
        daemon.wait_running(running)
        queued = daemon.post("/v1/jobs", job(), IDS).json["id"]
        daemon.kill()
        daemon.start()
        for identifier in (running, queued):
            self.assertEqual(daemon.get("/v1/jobs/" + identifier).json["trace"], KEPT)
        daemon.wait_done(queued)
        daemon.wait_running(running)  # a job that waits is cancelled without a worker
        daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.assertIn(FIELDS, self.line_of(daemon, running, "cancelled"))

    def test_a_receiver_is_called_in_the_trace_of_the_request(self):
        receiver = self.receiver(lambda delivery, number: [500, 204][number])
        daemon = self.daemon(*HOOKS)
        found = daemon.post("/v1/jobs", job(notify={"url": receiver.url()}), IDS).json["id"]
        parents = {PARENT}
        for delivery in receiver.wait(2):
            self.assertEqual(delivery.headers["X-Request-Id"], "req-1")
            parent = delivery.headers["traceparent"]
            self.assertRegex(parent, "^00-%s-[0-9a-f]{16}-01$" % TRACE)
            parents.add(parent)
        self.assertEqual(len(parents), 3, "each call has a parent of its own")
        failed = next(line for line in daemon.wait_log("webhook_failed").splitlines()
                      if "webhook_failed job=" + found in line)
        self.assertIn(FIELDS, failed)

    def test_receivers_of_a_batch_and_of_an_ensemble_get_the_trace_too(self):
        receiver = self.receiver()
        daemon = self.daemon(*HOOKS)
        notify = {"url": receiver.url()}
        documents = [job(notify=notify), job(notify=notify, vary={"parameters.k": [1, 2]})]
        batch = daemon.post("/v1/jobs:batch", {"jobs": documents}, IDS).json["jobs"]
        deliveries = receiver.wait(2)
        self.assertEqual({json.loads(delivery.body)["id"] for delivery in deliveries},
                         {found["id"] for found in batch})
        for delivery in deliveries:
            self.assertTrue(re.match("00-%s-" % TRACE, delivery.headers["traceparent"]))

    def test_an_id_that_anybody_may_write_is_not_taken(self):
        daemon = Daemon()
        self.addCleanup(daemon.close)
        found = daemon.post("/v1/jobs", job(), IDS).json["trace"]
        self.assertRegex(found["request_id"], "^[0-9a-f]{32}$")
        self.assertEqual(found["traceparent"], PARENT)


if __name__ == "__main__":
    unittest.main()
