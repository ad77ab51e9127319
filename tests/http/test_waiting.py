"""Waiting for jobs: Prefer, long polls, cancellation, many waiters at once."""

import threading
import time
import unittest

from harness import Daemon, job, long_job


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

    def test_a_wait_that_ends_too_early_is_a_202_in_time(self):
        began = time.monotonic()
        answer = self.daemon.post("/v1/jobs?wait=0.3", long_job())
        seconds = time.monotonic() - began
        self.assertEqual(answer.status, 202)
        self.assertIn(answer.json["state"], ("queued", "running"))
        self.assertGreater(seconds, 0.29)
        self.assertLess(seconds, 1.0)
        self.cancel(answer.json["id"])
        self.daemon.wait_done(answer.json["id"])

    def test_a_poll_of_a_finished_job_answers_at_once(self):
        identifier = self.daemon.finish()["id"]
        began = time.monotonic()
        self.daemon.get("/v1/jobs/%s?wait=30" % identifier)
        self.assertLess(time.monotonic() - began, 1.0)

    def test_a_poll_answers_when_the_revision_is_another(self):
        identifier = self.daemon.submit(long_job())
        found = self.daemon.wait_state(identifier, "running")
        began = time.monotonic()
        self.daemon.get("/v1/jobs/%s?wait=30&since=%d" % (identifier, found["revision"] - 1))
        self.assertLess(time.monotonic() - began, 1.0)
        timer = threading.Timer(0.3, self.cancel, [identifier])
        timer.start()
        began = time.monotonic()
        answer = self.daemon.get("/v1/jobs/%s?wait=30&since=%d" % (identifier, found["revision"]))
        seconds = time.monotonic() - began
        timer.join()
        self.assertGreater(seconds, 0.25)
        self.assertLess(seconds, 2.0)
        self.assertGreater(answer.json["revision"], found["revision"])
        self.daemon.wait_done(identifier)

    def test_a_poll_without_news_ends_with_the_job_as_it_is(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_state(identifier, "running")
        began = time.monotonic()
        answer = self.daemon.get("/v1/jobs/%s?wait=0.4" % identifier)
        seconds = time.monotonic() - began
        self.assertEqual((answer.status, answer.json["state"]), (200, "running"))
        self.assertGreater(seconds, 0.39)
        self.assertLess(seconds, 1.2)
        self.cancel(identifier)
        self.daemon.wait_done(identifier)

    def test_a_list_can_be_waited_for(self):
        revision = self.daemon.get("/v1/jobs?limit=1").json["revision"]
        timer = threading.Timer(0.3, self.daemon.submit)
        timer.start()
        began = time.monotonic()
        answer = self.daemon.get("/v1/jobs?since=%d&wait=20" % revision)
        seconds = time.monotonic() - began
        timer.join()
        self.assertEqual(len(answer.json["jobs"]), 1)
        self.assertGreater(answer.json["revision"], revision)
        self.assertLess(seconds, 2.0)
        self.daemon.wait_done(answer.json["jobs"][0]["id"])

    def test_a_running_job_stops_within_50_ms(self):
        slowest = 0.0
        for _ in range(5):
            identifier = self.daemon.submit(long_job())
            self.daemon.wait_state(identifier, "running")
            time.sleep(0.02)
            connection = self.daemon.connect()
            connection.connect()
            began = time.monotonic()
            answer = self.daemon.request(
                "POST", "/v1/jobs/%s/cancel" % identifier, connection=connection
            )
            revision = answer.json["revision"]
            found = answer.json
            while not found["done"]:
                path = "/v1/jobs/%s?wait=5&since=%d" % (identifier, revision)
                found = self.daemon.request("GET", path, connection=connection).json
                revision = found["revision"]
            slowest = max(slowest, time.monotonic() - began)
            connection.close()
            self.assertEqual(found["state"], "cancelled")
            self.assertFalse(found["complete"])
        self.assertLess(slowest, 0.1)  # 50 ms and two commits

    def test_a_queued_job_is_cancelled_at_once(self):
        running = self.daemon.submit(long_job())
        self.daemon.wait_state(running, "running")
        queued = self.daemon.submit()
        self.assertEqual(self.daemon.get("/v1/jobs/" + queued).json["queue"], {"position": 0})
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
        self.daemon.wait_state(identifier, "running")
        answers = []
        threads = [
            threading.Thread(
                target=lambda: answers.append(self.daemon.get("/v1/jobs/%s?wait=30" % identifier))
            )
            for _ in range(30)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        self.cancel(identifier)
        for thread in threads:
            thread.join(20)
        self.assertEqual([answer.status for answer in answers], [200] * 30)
        self.daemon.wait_done(identifier)

    def test_too_many_waiters_are_answered_at_once(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_state(identifier, "running")
        waiting = []
        for _ in range(45):
            connection = self.daemon.connect()
            connection.request("GET", "/v1/jobs/%s?wait=30" % identifier)
            waiting.append(connection)
        time.sleep(0.3)
        metrics = self.daemon.get("/metrics").body.decode()
        self.assertIn("dalembert_waiters 40\n", metrics)
        began = time.monotonic()
        answer = self.daemon.get("/v1/jobs/%s?wait=30" % identifier)
        self.assertLess(time.monotonic() - began, 1.0)
        self.assertEqual(answer.status, 503)
        self.assertIn("retry-after", answer.headers)
        answer = self.daemon.post("/v1/jobs?wait=30", job())
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
            connection.request("GET", "/v1/jobs/%s?wait=1" % identifier)
            time.sleep(0.002)
            connection.close()
        self.cancel(identifier)
        self.daemon.wait_done(identifier)
        self.assertEqual(self.daemon.get("/livez").status, 200)

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
