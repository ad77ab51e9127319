"""table=@evidence: what is told of a run as a whole, instant by instant."""

import math
import unittest

from harness import Daemon, job, long_job

PENDULUM = {
    "coordinates": ["x", "y", "s"],
    "parameters": {"g": 9.81},
    "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(s)^2)/2 - g*y",
    "constraints": [{"name": "rod", "equation": "x^2 + y^2 = 1"},
                    {"name": "roll", "equation": "dot(s) = x*dot(x)"}],
    "forces": {"x": "-0.1*dot(x)"},
}
SWING = {"q": {"x": 1, "y": 0}, "v": {}, "consistency": "project"}


class Evidence(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "1")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def result(self, identifier, query="", status=200):
        answer = self.daemon.get("/v1/jobs/%s/result?table=@evidence%s" % (identifier, query))
        self.assertEqual(answer.status, status, answer)
        return answer.json

    def diagnostics(self, identifier):
        return self.daemon.get("/v1/jobs/%s/diagnostics" % identifier).json

    def test_the_worst_of_all_instants_is_what_the_diagnostics_say(self):
        for changes in ({}, {"time": {"end": 4, "samples": 5}},
                        {"time": {"end": 3, "samples": 3001}}, {"time": {"end": -2}},
                        {"compare": ["hamel"]}, {"integrator": {"projection": False}},
                        {"events": [{"name": "low", "when": "x"}]}):
            document = job(**dict({"model": PENDULUM, "initial": SWING,
                                   "time": {"end": 3, "samples": 31}}, **changes))
            found = self.daemon.finish(document)
            self.assertEqual(found["state"], "succeeded", found)
            given, told = self.result(found["id"]), self.diagnostics(found["id"])
            series = given["series"]
            self.assertEqual(given["columns"],
                             ["t", "residual(rod)", "residual(roll)",
                              "energy_balance", "rcond", "step"])
            self.assertEqual(series["t"],
                             self.daemon.get("/v1/jobs/%s/result?columns=t" % found["id"]).json[
                                 "series"]["t"])
            # every step and every sample is counted once
            for name in ("rod", "roll"):
                worst = max(c["max"] for c in told["constraints"] if c["name"] == name)
                self.assertEqual(max(series["residual(%s)" % name]), worst, changes)
            self.assertEqual(min(series["rcond"]), told["condition"]["rcond_min"], changes)
            self.assertEqual(series["step"][0], None)
            # a row inside a long step ends none
            ended = [step for step in series["step"][1:] if step is not None]
            self.assertLessEqual(max(ended), told["steps"]["longest"])
            self.assertEqual(series["energy_balance"][0], 0)
            self.assertGreater(max(series["energy_balance"]), 0)
            self.assertLess(max(series["energy_balance"]), 1e-3)

    def test_a_disturbance_is_seen_where_it_is(self):
        # a coarse step is wrong where the force is large and changes fast
        kick = "if(abs(t - 5) < 0.5, 1000*(t - 5), 0)"
        document = job(
            time={"end": 10, "samples": 11},
            integrator={"method": "rk4", "step": 0.05},
            model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2", "forces": {"x": kick}},
        )
        series = self.result(self.daemon.finish(document)["id"])["series"]
        balance = series["energy_balance"]
        self.assertLess(max(balance[:5]), max(balance[5:7]) / 10)
        # the step is that of the method, or cut short at the corners of the force
        self.assertTrue(all(0 < h <= 0.05000001 for h in series["step"][1:]))

    def test_a_fixed_step_is_told_at_every_instant(self):
        document = job(time={"end": 1, "samples": 101}, integrator={"method": "rk4", "step": 0.125})
        series = self.result(self.daemon.finish(document)["id"])["series"]
        # a step counts to the first instant at or behind its end
        self.assertEqual(series["step"][:13], [None] * 13)
        self.assertEqual(set(series["step"][13:]), {0.125})

    def test_it_is_selected_as_a_result(self):
        identifier = self.daemon.finish(job(model=PENDULUM,
                                            initial=SWING, time={"end": 3, "samples": 31}))["id"]
        whole = self.result(identifier)["series"]
        part = self.result(identifier, "&columns=rcond,t&from=1&to=2&stride=2")
        self.assertEqual(part["columns"], ["rcond", "t"])
        self.assertEqual(part["series"]["t"], [t for t in whole["t"] if 1 <= t <= 2][::2])
        self.assertEqual(self.result(identifier, "&tail=2&columns=step")["series"]["step"],
                         whole["step"][-2:])
        self.assertTrue(self.result(identifier, "&points=3")["downsampled"])
        lines = self.daemon.get("/v1/jobs/%s/result?table=@evidence" % identifier,
                                {"Accept": "text/csv"}).body.splitlines()
        self.assertEqual((len(lines), lines[1][-1:]), (32, b","))
        picture = self.daemon.get(
            "/v1/jobs/%s/plot.svg?table=@evidence&y=energy_balance,residual(rod)" % identifier)
        self.assertEqual(picture.status, 200)
        self.assertIn(b"energy_balance", picture.body)
        answer = self.daemon.post("/v1/jobs/%s/columns?table=@evidence" % identifier,
                                  {"observe": {"a": "x"}})
        self.assertEqual(answer.status, 400)
        self.assertEqual(self.daemon.get("/v1/jobs/" + identifier).json["tables"], [])

    def test_the_result_has_the_bits_and_the_hash_that_it_had(self):
        first, second = (self.daemon.finish(job(model=PENDULUM, initial=SWING)) for _ in range(2))
        self.assertEqual(first["provenance"]["result_hash"], second["provenance"]["result_hash"])
        self.assertEqual(self.result(first["id"]), self.result(second["id"]))

    def test_what_has_none_says_why(self):
        many = self.daemon.finish(job(vary={"parameters.k": [1, 2]},
                                      ensemble={"keep": "trajectories"}))["id"]
        for rest in ("result", "members/1/result"):
            answer = self.daemon.get("/v1/jobs/%s/%s?table=@evidence" % (many, rest))
            self.assertEqual((answer.status, answer.json["code"]), (409, "conflict"))
            self.assertIn("run the member alone", answer.json["detail"])
        answer = self.daemon.post("/v1/jobs", job(events=[{"name": "@evidence", "when": "x"}]))
        self.assertEqual(answer.status, 422)
        self.assertEqual([e["pointer"] for e in answer.json["errors"]], ["/events/0/name"])
        running = self.daemon.submit(long_job())
        self.daemon.wait_state(running, "running")
        self.assertEqual(self.result(running, status=409)["code"], "not_ready")
        self.daemon.request("POST", "/v1/jobs/%s/cancel" % running)
        self.daemon.wait_done(running)
        # of a run that was stopped there is what has come
        self.assertEqual(self.result(running)["series"]["t"], [0])

    def test_a_run_that_fails_has_it_up_to_there(self):
        document = job(time={"end": 10, "samples": 101}, observe={"a": "1/(x + 0.9)^0.5"})
        found = self.daemon.finish(document)
        self.assertEqual(found["state"], "failed")
        rows = self.daemon.get("/v1/jobs/%s/result?columns=t" % found["id"]).json["series"]["t"]
        times = self.result(found["id"])["series"]["t"]
        self.assertGreater(len(times), 3)
        self.assertEqual(times, rows)
        self.assertTrue(all(math.isfinite(t) for t in times))


if __name__ == "__main__":
    unittest.main()
