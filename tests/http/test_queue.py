"""GET /v1/queue and the place of a job that waits."""

import unittest

from harness import Daemon, long_job


class Queue(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon("--workers", "1")

    def tearDown(self):
        self.daemon.close()

    def queue(self):
        return self.daemon.get("/v1/queue").json

    def test_an_idle_service_says_so(self):
        self.assertEqual(self.queue(), {"queued": 0, "oldest_seconds": 0,
                                        "running": 0, "workers": 1, "busy": 0,
                                        "seconds_per_job": None})

    def test_what_waits_is_counted_and_told_when_it_may_begin(self):
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        waiting = [self.daemon.submit(long_job()) for _ in range(3)]
        place = self.daemon.get("/v1/jobs/" + waiting[0]).json["queue"]
        self.assertEqual(place, {"position": 0, "eta_s": None})  # nothing was measured yet
        found = self.queue()
        self.assertEqual((found["queued"], found["running"], found["busy"]), (3, 1, 1))

        self.daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.daemon.wait_done(running)
        self.daemon.wait_running(waiting[0])
        pace = self.queue()["seconds_per_job"]
        self.assertGreater(pace, 0)
        places = [self.daemon.get("/v1/jobs/" + job).json["queue"] for job in waiting]
        self.assertEqual(places[0], None)
        self.assertEqual([place["position"] for place in places[1:]], [0, 1])
        for place in places[1:]:
            self.assertAlmostEqual(place["eta_s"], pace * (place["position"] + 1),
                                   delta=1e-9 + 1e-9 * pace)
        first = self.queue()["oldest_seconds"]
        self.assertGreater(first, 0)
        self.assertGreaterEqual(self.queue()["oldest_seconds"], first)
        self.daemon.post("/v1/jobs:cancel", {"ids": waiting})


if __name__ == "__main__":
    unittest.main()
