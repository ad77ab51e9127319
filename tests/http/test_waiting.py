"""Waiting for jobs: Prefer, long polls, cancellation, many waiters at once."""

import json
import os
import re
import threading
import unittest

from harness import ROOT, Daemon, job, long_job


class Commits(unittest.TestCase):
    def test_a_job_that_is_waited_for_costs_two_commits(self):
        """When it is accepted and when it ends: what lies between goes with one of them."""
        with open(os.path.join(ROOT, "models", "two-wheeled-carriage-generic.json")) as file:
            document = dict(json.load(file)["job"], time={"end": 2, "samples": 51}, analyses=[],
                            cache=False)
        daemon = Daemon("--workers", "1")
        self.addCleanup(daemon.close)

        def commits():
            found = re.search(rb"^dalembert_commits_total (\d+)$",
                              daemon.get("/metrics").body, re.M)
            return int(found.group(1))

        self.assertEqual(daemon.finish(document)["rows"], 51)  # its model is compiled now
        spent = []
        for _ in range(20):
            before = commits()
            self.assertEqual(daemon.finish(document)["state"], "succeeded")
            spent.append(commits() - before)
        # a machine that is busy may let the tenth of a second pass after which a claim is written
        # alone
        self.assertEqual(min(spent), 2, spent)
        self.assertLessEqual(max(spent), 4, spent)


class Preparation(unittest.TestCase):
    def test_a_job_runs_as_it_was_prepared_whoever_prepared_it(self):
        """What a submission has prepared is run when it is still there; what is not is prepared
        again, to the same bits."""
        daemon = Daemon("--workers", "1")
        self.addCleanup(daemon.close)
        document = job(compare=["hamiltonian"], events=[{"name": "zero", "when": "x"}])

        def taken():
            found = re.search(rb"^dalembert_jobs_prepared_once_total (\d+)$",
                              daemon.get("/metrics").body, re.M)
            return int(found.group(1))

        def said(done):
            evidence = daemon.get("/v1/jobs/%s/invariants" % done["id"]).json
            return done["state"], done["rows"], done["provenance"][
                "result_hash"], json.dumps(evidence)

        found = {said(daemon.finish(document)) for _ in range(20)}
        # a worker that looks by itself in that moment may be there first
        self.assertGreaterEqual(taken(), 15)
        running = daemon.submit(long_job())
        daemon.wait_running(running)
        before = taken()
        waiting = [daemon.submit(document) for _ in range(5)]
        self.assertIn(daemon.request("POST", "/v1/jobs/%s/cancel" % running).status, (200, 202))
        found.update(said(daemon.wait_done(identifier)) for identifier in waiting)
        self.assertLessEqual(taken() - before, 1)  # there is room for as many as there are workers
        self.assertEqual(len(found), 1)


class Waiting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "1", "--max-waiters", "40")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def cancel(self, identifier):
        answer = self.daemon.request("POST", "/v1/jobs/%s/cancel" % identifier)
        self.assertIn(answer.status, (200, 202), answer)
        return answer

    def test_a_preferred_wait_gives_the_finished_job(self):
        answer = self.daemon.post("/v1/jobs", job(), {"Prefer": "respond-async, wait=20"})
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.json["state"], "succeeded")
        self.assertEqual(answer.headers["preference-applied"], "wait=20")

    def test_a_failed_job_is_a_200_as_well(self):
        document = job(time={"end": 1e7, "samples": 3}, integrator={"max_steps": 10})
        answer = self.daemon.post("/v1/jobs?wait=20", document)
        self.assertEqual((answer.status, answer.json["state"]), (200, "failed"))

    def test_a_long_preference_is_clamped_and_a_long_query_refused(self):
        answer = self.daemon.post("/v1/jobs", job(), {"Prefer": "wait=1000"})
        self.assertEqual(answer.headers["preference-applied"], "wait=60")
        answer = self.daemon.post("/v1/jobs?wait=61", job())
        self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"))

    def test_a_preference_that_is_not_understood_is_ignored(self):
        for prefer in ("wait=x", "wait", "handling=lenient", "wait=-1", ""):
            answer = self.daemon.post("/v1/jobs", job(), {"Prefer": prefer})
            self.assertEqual(answer.status, 202, prefer)
            self.daemon.wait_done(answer.json["id"])

    def test_a_wait_that_ends_too_early_is_a_202(self):
        answer = self.daemon.post("/v1/jobs?wait=0.3", long_job())
        self.assertEqual(answer.status, 202)
        self.assertIn(answer.json["state"], ("queued", "running"))
        self.cancel(answer.json["id"])
        self.daemon.wait_done(answer.json["id"])

    def test_what_is_known_already_is_not_waited_for(self):
        daemon = Daemon("--workers", "1", "--max-waiters", "0")
        try:
            finished = daemon.submit()
            daemon.wait_state(finished, "succeeded")
            running = daemon.submit(long_job())
            revision = daemon.wait_state(running, "running")["revision"]
            for path, status in (
                ("/v1/jobs/%s?wait=60" % finished, 200),
                ("/v1/jobs/%s?wait=60&since=%d" % (running, revision - 1), 200),
                ("/v1/jobs?wait=60&since=%d" % (revision - 1), 200),
                ("/v1/jobs/%s?wait=60&since=%d" % (running, revision), 503),  # would have to wait
                ("/v1/jobs/%s?wait=60" % running, 503),
            ):
                self.assertEqual(daemon.get(path).status, status, path)
        finally:
            daemon.close()

    def poll(self, path):
        """A poll that is suspended when this returns, and where its answer will be."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.daemon.get(path)))
        thread.start()
        self.daemon.wait_waiters(1)
        return thread, answers

    def test_a_poll_answers_when_the_revision_is_another(self):
        identifier = self.daemon.submit(long_job())
        found = self.daemon.wait_state(identifier, "running")
        thread, answers = self.poll(
            "/v1/jobs/%s?wait=60&since=%d" % (identifier, found["revision"])
        )
        self.cancel(identifier)
        thread.join()
        self.assertGreater(answers[0].json["revision"], found["revision"])
        self.daemon.wait_done(identifier)

    def test_a_poll_without_news_ends_with_the_job_as_it_is(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_state(identifier, "running")
        answer = self.daemon.get("/v1/jobs/%s?wait=0.4" % identifier)
        self.assertEqual((answer.status, answer.json["state"]), (200, "running"))
        self.cancel(identifier)
        self.daemon.wait_done(identifier)

    def test_a_list_can_be_waited_for(self):
        revision = self.daemon.get("/v1/jobs?limit=1").json["revision"]
        thread, answers = self.poll("/v1/jobs?since=%d&wait=60" % revision)
        identifier = self.daemon.submit()
        thread.join()
        self.assertEqual([one["id"] for one in answers[0].json["jobs"]], [identifier])
        self.assertGreater(answers[0].json["revision"], revision)
        self.daemon.wait_done(identifier)

    def test_a_running_job_stops_when_it_is_cancelled(self):
        for _ in range(5):
            identifier = self.daemon.submit(long_job())
            self.daemon.wait_state(identifier, "running")
            self.cancel(identifier)
            found = self.daemon.wait_done(identifier)
            self.assertEqual(found["state"], "cancelled")
            self.assertFalse(found["complete"])

    def test_a_queued_job_is_cancelled_at_once(self):
        running = self.daemon.submit(long_job())
        self.daemon.wait_state(running, "running")
        queued = self.daemon.submit()
        self.assertEqual(self.daemon.get("/v1/jobs/" + queued).json["queue"]["position"], 0)
        result = "/v1/jobs/%s/result" % queued
        self.assertEqual(self.daemon.get(result).json["series"], {})
        early = self.daemon.get(result + "?columns=t,x")
        self.assertEqual((early.status, early.json["code"]), (409, "not_ready"))
        answer = self.cancel(queued)
        self.assertEqual((answer.status, answer.json["state"]), (200, "cancelled"))
        self.assertEqual(self.daemon.request("POST", "/v1/jobs/%s/cancel" % queued).status, 409)
        result = self.daemon.get("/v1/jobs/%s/result" % queued)
        self.assertEqual((result.status, result.json["columns"]), (200, []))
        self.assertEqual(self.daemon.get("/v1/jobs/%s/diagnostics" % queued).status, 404)
        self.cancel(running)
        self.daemon.wait_done(running)

    def test_priority_comes_before_age(self):
        running = self.daemon.submit(long_job())
        self.daemon.wait_state(running, "running")
        low = self.daemon.submit(priority=0)
        high = self.daemon.submit(priority=5)
        self.cancel(running)
        low, high = self.daemon.wait_done(low), self.daemon.wait_done(high)
        self.assertLess(high["revision"], low["revision"])

    def test_many_wait_for_one_job(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        answers = []
        threads = [
            threading.Thread(
                target=lambda: answers.append(self.daemon.get("/v1/jobs/%s?wait=60" % identifier))
            )
            for _ in range(30)
        ]
        for thread in threads:
            thread.start()
        self.daemon.wait_waiters(30)
        self.cancel(identifier)
        for thread in threads:
            thread.join()
        self.assertEqual([answer.status for answer in answers], [200] * 30)
        self.daemon.wait_done(identifier)

    def test_too_many_waiters_are_answered_at_once(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        waiting = []
        for _ in range(45):
            connection = self.daemon.connect()
            connection.request("GET", "/v1/jobs/%s?wait=60" % identifier)
            waiting.append(connection)
        self.daemon.wait_waiters(40)
        answer = self.daemon.get("/v1/jobs/%s?wait=60" % identifier)
        self.assertEqual(answer.status, 503)
        self.assertIn("retry-after", answer.headers)
        answer = self.daemon.post("/v1/jobs?wait=60", job())
        self.assertEqual(answer.status, 202)
        self.cancel(identifier)
        statuses = sorted(connection.getresponse().status for connection in waiting)
        self.assertEqual(statuses, [200] * 40 + [503] * 5)
        for connection in waiting:
            connection.close()
        self.daemon.wait_done(answer.json["id"])

    def test_clients_that_go_while_waiting_do_no_harm(self):
        identifier = self.daemon.submit(long_job())
        for _ in range(20):
            connection = self.daemon.connect()
            connection.request("GET", "/v1/jobs/%s?wait=60" % identifier)
            connection.close()
        self.cancel(identifier)
        self.daemon.wait_done(identifier)
        self.daemon.wait_waiters(0)
        self.assertEqual(self.daemon.get("/livez").status, 200)

    def test_waiting_clients_that_go_leave_their_places_at_once(self):
        daemon = Daemon("--workers", "1", "--max-waiters", "20", "--max-wait", "3600")
        try:
            identifier = daemon.submit(long_job())
            daemon.wait_running(identifier)
            revision = daemon.get("/v1/jobs?limit=1").json["revision"]
            for path in ("/v1/jobs/%s?wait=3600" % identifier,
                         "/v1/jobs?wait=3600&since=%d" % revision):
                gone = [daemon.connect() for _ in range(20)]
                for connection in gone:
                    connection.request("GET", path)
                daemon.wait_waiters(20)
                self.assertEqual(daemon.get(path).status, 503)
                for connection in gone:
                    connection.close()
                daemon.wait_waiters(0)
            # one that only stops sending gets the job as it is
            received = daemon.raw(b"GET /v1/jobs/%s?wait=3600 HTTP/1.1\r\nHost: localhost\r\n"
                                  b"Connection: close\r\n\r\n" % identifier.encode(), shut=True)
            self.assertIn(b"HTTP/1.1 200", received)
            self.assertIn(b'"state":"running"', received)
        finally:
            daemon.close()

    def test_a_queue_has_an_end(self):
        daemon = Daemon("--workers", "1", "--max-queue", "3")
        try:
            running = daemon.submit(long_job())
            daemon.wait_state(running, "running")
            for _ in range(3):
                daemon.submit()
            answer = daemon.post("/v1/jobs", job())
            self.assertEqual((answer.status, answer.json["code"]), (503, "queue_full"))
            self.assertIn("retry-after", answer.headers)
        finally:
            daemon.close()


if __name__ == "__main__":
    unittest.main()
