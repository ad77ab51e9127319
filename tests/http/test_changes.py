"""The feed of changes: what was added, what changed and what was deleted, each told once and in
order."""

import threading
import unittest

from harness import Daemon, DaemonCase


class Follower:
    """A copy of the list of jobs that is kept by following changes."""

    def __init__(self, daemon, limit):
        self.daemon, self.limit = daemon, limit
        self.jobs, self.since, self.resets = {}, 0, 0

    def step(self, wait=""):
        page = self.daemon.get("/v1/jobs?since=%d&limit=%d%s" % (self.since, self.limit, wait)).json
        if page["reset"]:
            self.resets += 1
            self.jobs, self.since = {}, 0
            return True
        for found in page["jobs"]:
            self.jobs[found["id"]] = found["revision"]
        for identifier in page["deleted"]:
            self.jobs.pop(identifier, None)
        assert page["next"] is None or int(page["next"]) == page["revision"], page
        self.since = page["revision"]
        return page["next"] is not None

    def catch_up(self):
        while self.step():
            pass


class Changes(DaemonCase):
    def listed(self):
        return {found["id"]: found["revision"]
                for found in self.daemon.get("/v1/jobs?limit=500").json["jobs"]}

    def delete(self, identifier):
        self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + identifier).status, 204)

    def test_followers_end_up_with_the_list(self):
        followers = [Follower(self.daemon, limit) for limit in (1, 2, 7, 100)]
        ids = [self.daemon.finish()["id"] for _ in range(12)]
        followers[2].catch_up()
        for identifier in ids[::2]:
            self.delete(identifier)
        ids += [self.daemon.finish()["id"] for _ in range(5)]
        for identifier in ids[13:15]:
            self.delete(identifier)
        for follower in followers:
            follower.catch_up()
            self.assertEqual(follower.jobs, self.listed())
            self.assertEqual(follower.resets, 0)

    def test_a_page_ends_at_one_revision_for_both(self):
        start = self.daemon.get("/v1/jobs").json["revision"]
        ids = [self.daemon.finish()["id"] for _ in range(4)]
        for identifier in ids[:3]:
            self.delete(identifier)
        page = self.daemon.get("/v1/jobs?since=%d&limit=1" % start).json
        self.assertEqual(([found["id"] for found in page["jobs"]], page["deleted"]),
                         (ids[3:], ids[:1]))
        gone = page["deleted"]
        while page["next"]:
            page = self.daemon.get("/v1/jobs?since=%s&limit=1" % page["next"]).json
            self.assertLessEqual(len(page["deleted"]), 1)
            gone += page["deleted"]
        self.assertEqual(gone, ids[:3])

    def test_a_deletion_wakes_who_waits(self):
        identifier = self.daemon.finish()["id"]
        follower = Follower(self.daemon, 50)
        follower.catch_up()
        waiting = threading.Thread(target=follower.step, args=("&wait=60",))
        waiting.start()
        self.daemon.wait_waiters(1)
        self.delete(identifier)
        waiting.join()
        self.assertNotIn(identifier, follower.jobs)

    def test_a_revision_of_another_store_begins_anew(self):
        """As after a restore: the service has not reached it, and whoever waited for it would miss
        what happens before."""
        revision = self.daemon.get("/v1/jobs?since=0").json["revision"]
        page = self.daemon.get("/v1/jobs?since=%d&wait=60" % (revision + 1000)).json
        self.assertEqual((page["reset"], page["jobs"], page["revision"]), (True, [], revision))
        page = self.daemon.get("/v1/jobs?since=%d" % revision).json
        self.assertFalse(page["reset"])

    def test_lists_by_age_know_nothing_of_deletions(self):
        page = self.daemon.get("/v1/jobs").json
        self.assertNotIn("deleted", page)
        self.assertNotIn("reset", page)


class Forgotten(unittest.TestCase):
    def test_who_comes_too_late_begins_anew(self):
        daemon = Daemon("--keep-deleted", "0.001")
        try:
            late = Follower(daemon, 50)
            ids = [daemon.finish()["id"] for _ in range(3)]
            late.catch_up()
            for identifier in ids[:2]:
                daemon.finish()  # some time goes by
                daemon.request("DELETE", "/v1/jobs/" + identifier)
            late.catch_up()
            self.assertEqual(late.resets, 1)
            listed = {found["id"]: found["revision"]
                      for found in daemon.get("/v1/jobs").json["jobs"]}
            self.assertEqual(late.jobs, listed)
        finally:
            daemon.close()


if __name__ == "__main__":
    unittest.main()
