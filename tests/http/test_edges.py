"""Motions at the edges of what their equations say: at rest, where nothing is left of the energy."""

import unittest

from harness import DaemonCase

FREE = "(dot(x)^2 + dot(y)^2)/2"


def turning(rate):
    """A free particle in a frame that turns."""
    return {"coordinates": ["x", "y"], "parameters": {"w": 1},
            "lagrangian": f"((dot(x) - ({rate})*y)^2 + (dot(y) + ({rate})*x)^2)/2"}


class Edges(DaemonCase):
    def run_job(self, **document):
        answer = self.daemon.post("/v1/jobs?wait=30", document)
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer.json["state"], "succeeded", answer.json)
        return answer.json

    def balance(self, job):
        return self.diagnostics(job)["energy"]["balance_scaled"]

    def test_what_rests_in_a_turning_frame_has_its_energy_in_balance(self):
        """All terms of its energy vanish, but not what they are made of."""
        for rate in ("w*(1 + t)", "w*exp(-t)", "w*(1 + cos(3*t))"):
            start = 2 if "cos" in rate else 1
            for formulation in ("lagrange-dalembert", "hamiltonian", "hamel", "voronec", "chaplygin"):
                job = self.run_job(model=turning(rate), formulation=formulation, analyses=[],
                                   initial={"q": {"x": 1}, "v": {"y": -start}}, time={"end": 20, "samples": 3})
                self.assertEqual(job["warnings"], [], (rate, formulation))
                self.assertLess(self.balance(job), 1e-6, (rate, formulation))

    def test_what_rests_is_in_balance_in_a_chart_that_turns(self):
        for angle in ("w*t", "w*t^2"):
            chart = {"coordinates": ["X", "Y"], "map": {"x": f"X*cos({angle}) - Y*sin({angle})",
                                                        "y": f"X*sin({angle}) + Y*cos({angle})"}}
            job = self.run_job(
                model={"coordinates": ["x", "y"], "parameters": {"w": 1}, "lagrangian": FREE, "chart": chart},
                formulation="moving-frame", initial={"q": {"x": 1}}, time={"end": 20, "samples": 3})
            self.assertEqual(job["warnings"], [], angle)

    def test_what_is_really_out_of_balance_is_told_in_a_turning_frame(self):
        """Steps that are too long."""
        job = self.run_job(model=turning("w*(1 + t)"), initial={"q": {"x": 1}, "v": {"y": -1}},
                           integrator={"method": "rk4", "step": 0.2}, time={"end": 10, "samples": 3})
        self.assertRegex(job["warnings"][0], "the energy balance is off")

    def test_what_dependent_velocities_lose_near_their_pole_is_told(self):
        """dot(y) = dot(x)*tan(phi), towards phi = pi/2: what that makes of an error of dot(x) is no excuse."""
        catalog = self.daemon.get("/v1/catalog/knife-edge-inclined-plane-rest").json
        job = self.daemon.post("/v1/jobs?wait=30", dict(catalog["job"], formulation="chaplygin")).json
        self.assertEqual(job["state"], "failed", job)
        self.assertRegex(job["warnings"][0], "the energy balance is off, by up to 0.03")

    def test_members_out_of_balance_have_the_bits_of_their_job_alone(self):
        """At rest in a frame that turns, and through a near collision, lost on the way."""
        plunge = {"coordinates": ["x", "y"], "lagrangian": FREE + " + 1/sqrt(x^2 + y^2)"}
        for model, v, end, lost in ((turning("w*(1 + t)"), -1, 5, False), (plunge, 1e-4, 3, True)):
            document = dict(model=model, initial={"q": {"x": 1}, "v": {"y": v}}, time={"end": end, "samples": 3},
                            analyses=[])
            alone = self.run_job(**document)
            many = self.run_job(**document, vary={"initial.q.y": [0.0] * 17})
            rows = self.daemon.get(many["links"]["result"]).json["series"]
            self.assertEqual(set(rows["energy_balance"]), {self.balance(alone)})
            self.assertEqual(set(rows["warnings"]), {int(lost)})
            self.assertEqual(len(alone["warnings"]), int(lost))


if __name__ == "__main__":
    unittest.main()
