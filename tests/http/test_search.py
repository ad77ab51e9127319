"""Jobs found by the name of their model, and counted by state."""

import unittest

from harness import OSCILLATOR, Daemon, DaemonCase, job, long_job


def named(name, **changes):
    return job(model=dict(OSCILLATOR, name=name), **changes)


class Search(DaemonCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.close)

    def names(self, query):
        page = self.daemon.get("/v1/jobs?" + query).json
        return [one["model"]["name"] for one in page["jobs"]], page

    def test_a_part_of_the_name_finds_jobs_in_any_case(self):
        for name in ("Ball on a table", "snakeboard", "Rolling BALL", "100%_x"):
            self.daemon.finish(named(name))
        self.assertEqual(self.names("name=ball")[0], ["Rolling BALL", "Ball on a table"])
        self.assertEqual(self.names("name=%25_")[0], ["100%_x"])
        self.assertEqual(self.names("name=bal&state=failed")[0], [])
        found, page = self.names("name=BALL&limit=1")
        self.assertEqual(found, ["Rolling BALL"])
        self.assertEqual(self.names("name=ball&cursor=" + page["next"])[0], ["Ball on a table"])
        self.assertNotIn("searched_to", page)  # all jobs were looked at
        self.assertEqual(self.names("name=ball&since=0")[0], ["Ball on a table", "Rolling BALL"])

    def test_counts_are_by_state_whatever_state_is_listed(self):
        self.daemon.finish(named("a", labels={"set": "one"}))
        self.daemon.finish(named("b"))
        running = self.daemon.post("/v1/jobs", long_job()).json["id"]
        self.daemon.wait_state(running, "running")
        for query, counts in (("", (2, 1)), ("&state=failed", (2, 1)), ("&name=A", (1, 1)),
                              ("&name=a&label.set=one", (1, 0)), ("&name=none", (0, 0))):
            page = self.daemon.get("/v1/jobs?include=counts" + query).json
            found = page["counts"]
            self.assertEqual((found["succeeded"], found["running"]), counts, query)
            self.assertEqual((found["failed"], found["more"]), (0, False))
        self.daemon.request("POST", "/v1/jobs/%s/cancel" % running)
        self.daemon.wait_done(running)
        self.assertEqual(self.daemon.get("/v1/jobs?include=counts").json["counts"]["cancelled"], 1)
        self.assertEqual(self.daemon.get("/v1/jobs?include=count").status, 400)


if __name__ == "__main__":
    unittest.main()
