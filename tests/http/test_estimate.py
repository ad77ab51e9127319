"""What validate_only says of the cost of a job, in counted work."""

import json
import os
import unittest

import bicycle
from harness import ROOT, Daemon, job


def catalog(name):
    with open(os.path.join(ROOT, "models", name + ".json")) as file:
        return json.load(file)["job"]


class Estimate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def estimate(self, document):
        answer = self.daemon.post("/v1/jobs?validate_only=true", document)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["estimate"]

    def cost(self, analysis, **changes):
        (found,) = self.estimate(job(analyses=[analysis], **changes))["analyses"]
        return found

    def test_the_evaluations_are_those_of_the_run(self):
        names = ("contact-oscillators-cvt floquet-disc-stable two-wheeled-carriage-generic "
                 "disc-on-fixed-disc")
        documents = [catalog(name) for name in names.split()]
        start = {"x": 5, "y": 0, "psi": 0, "phi": 0.01, "theta": 0, "delta": 0}
        documents.append({"model": bicycle.MODEL, "initial": {"v": start}, "time": {"end": 2}})
        documents.append(job(time={"end": 1000, "samples": 2}))
        documents.append(job(time={"end": 10}, integrator={"method": "rk4", "step": 0.01}))
        for document in documents:
            document["analyses"] = []
            said = self.estimate(document)
            identifier = self.daemon.finish(document)["id"]
            done = self.daemon.get("/v1/jobs/%s/diagnostics" % identifier).json["evaluations"]
            self.assertLess(said["evaluations"], 1.3 * done, document)
            self.assertGreater(said["evaluations"], done / 1.3, document)
            self.assertGreaterEqual(
                said["operations"], said["evaluations"] * said["operations_per_evaluation"] * 0.999
            )
            self.assertEqual(said["analyses"], [])

    def test_a_motion_that_ends_soon_is_counted_to_its_end(self):
        event = {"name": "stop", "when": "x - 0.9", "terminal": True}
        short = self.estimate(job(time={"end": 1e6, "samples": 2}, events=[event]))
        self.assertLess(short["evaluations"], 500)

    def test_an_analysis_that_integrates_costs_by_the_time_it_is_asked_for(self):
        def lyapunov(time):
            found = self.cost({"name": "lyapunov", "time": time}, time={"end": 1000, "samples": 2})
            return found["operations"], found["more_than_run"], found["reason"]

        few, many, more = lyapunov(1), lyapunov(10000), lyapunov(20000)
        self.assertAlmostEqual((more[0] - many[0]) / (many[0] - few[0]), 1, delta=1e-3)
        self.assertFalse(few[1])
        self.assertTrue(many[1])
        self.assertIn("10000", many[2])
        period = {"name": "floquet", "period": 3000}
        found = self.cost(period, time={"end": 1000, "samples": 2})
        self.assertTrue(found["more_than_run"])
        again = self.cost(dict(period, correct=True), time={"end": 1000, "samples": 2})
        self.assertGreater(again["operations"], found["operations"])

    def test_every_analysis_says_what_it_does(self):
        names = (
            "energy momenta reactions reaction_annihilator gauge_momenta moving_energy discovery "
            "structure"
            " consistency measure action equilibria lyapunov linearise"
        ).split()
        document = catalog("two-wheeled-carriage-generic")
        document["analyses"] = names
        said = self.estimate(document)["analyses"]
        self.assertEqual([one["name"] for one in said], names)
        for one in said:
            self.assertTrue(one["reason"].endswith("."), one)
            self.assertEqual(one["operations"] is None, one["more_than_run"] is None, one)
            if one["name"] in ("action", "equilibria", "lyapunov", "linearise"):
                self.assertGreater(one["operations"], 0)
        by_name = {one["name"]: one for one in said}
        self.assertTrue(by_name["action"]["more_than_run"])
        self.assertIn("third power", by_name["discovery"]["reason"])

    def test_what_the_first_steps_do_not_tell_is_null(self):
        said = self.estimate(dict(catalog("least-action-pendulum"), analyses=["action"]))
        self.assertIsNone(said["evaluations"])
        self.assertIsNone(said["analyses"][0]["more_than_run"])
        # a step of a chain of 240 coordinates is not made to answer a question
        names = ["q%d" % k for k in range(240)]
        terms = ["dot(%s)^2/2*(2 + cos(%s))" % pair for pair in zip(names, names[1:] + names[:1])]
        chain = {"coordinates": names, "lagrangian": " + ".join(terms)}
        self.assertIsNone(self.estimate(job(model=chain, initial={}))["evaluations"])

    def test_the_job_itself_is_not_changed(self):
        document = catalog("two-wheeled-carriage-generic")
        result = "/v1/jobs/%s/result"
        before = self.daemon.get(result % self.daemon.finish(document)["id"]).json["series"]
        self.estimate(document)
        after = self.daemon.get(result % self.daemon.finish(document)["id"]).json["series"]
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main()
