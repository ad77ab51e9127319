"""The digest of a job: the same numbers as its evidence has."""

import unittest

from harness import DaemonCase, job, long_job


class Digest(DaemonCase):
    def invariants(self, found):
        return self.daemon.get("/v1/jobs/%s/invariants" % found["id"]).json["invariants"]

    def listed(self, identifier):
        return next(each for each in self.daemon.get("/v1/jobs?limit=500").json["jobs"]
                    if each["id"] == identifier)

    def check(self, found):
        digest, evidence = found["digest"], self.diagnostics(found)
        self.assertEqual(digest["steps"], evidence["steps"]["accepted"])
        self.assertEqual(digest["worst_residual"],
                         max([0] + [each["max"] for each in evidence["constraints"]]))
        self.assertEqual(digest["energy_balance"], evidence["energy"]["balance_scaled"])
        predicted = [each["predicted"] for each in self.invariants(found)]
        for verdict in ("yes", "no", "undecided"):
            self.assertEqual(digest["verdicts"][verdict], predicted.count(verdict))
        self.assertGreaterEqual(digest["wall_s"], 0)
        self.assertEqual(self.listed(found["id"])["digest"], digest)
        return digest

    def test_of_motions_with_and_without_constraints(self):
        free = self.check(self.daemon.finish(job()))
        self.assertGreater(free["steps"], 0)
        self.assertEqual(free["verdicts"]["disagree"], 0)
        document = self.daemon.get("/v1/catalog/floquet-pendulum-stable").json["job"]
        self.check(self.daemon.finish(document))
        chained = job(model={"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - y",
                             "constraints": ["x^2 + y^2 - 1"]},
                      initial={"q": {"x": 0.6, "y": -0.8}})
        self.check(self.daemon.finish(chained))

    def test_of_runs_that_did_not_reach_their_end(self):
        limited = self.daemon.finish(job(integrator={"max_steps": 10}, time={"end": 1e4}))
        self.assertEqual((limited["state"], limited["reason"]), ("failed", "limit"))
        self.assertEqual(self.check(limited)["steps"], 10)
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        self.assertIsNone(self.daemon.get("/v1/jobs/" + running).json["digest"])
        self.daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.check(self.daemon.wait_done(running))

    def test_of_ensembles(self):
        found = self.daemon.finish(job(vary={"parameters.k": [1, 4, 9]}))
        digest, evidence = found["digest"], self.diagnostics(found)
        self.assertEqual((digest["steps"], digest["worst_residual"],
                          digest["energy_balance"], digest["verdicts"]),
                         (evidence["steps"], evidence["worst_residual"],
                          evidence["energy_balance_max"], None))
        rows = self.daemon.get("/v1/jobs/%s/result" % found["id"]).json["series"]
        self.assertEqual(digest["steps"], sum(rows["steps"]))
        self.assertEqual(digest["energy_balance"], max(rows["energy_balance"]))
        self.assertGreater(digest["wall_s"], 0)


if __name__ == "__main__":
    unittest.main()
