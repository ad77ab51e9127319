"""Which program computed a result, where, and what it chose instead of the user."""

import copy
import socket
import subprocess
import unittest

from harness import BINARY, SECONDS, Daemon, DaemonCase, job

SLEIGH = {
    "coordinates": ["x", "y", "th"],
    "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(th)^2)/2",
    "constraints": ["dot(y)*cos(th) = dot(x)*sin(th)"],
}

# Everything that can be said is.
SAID = {
    "model": SLEIGH,
    "formulation": "lagrange-dalembert",
    "initial": {"q": {"x": 0, "y": 0, "th": 0.1}, "v": {"x": 0, "y": 0, "th": 1}},
    "time": {"end": 1, "samples": 11},
    "integrator": {"method": "dop853", "rtol": 1e-9, "atol": 1e-11,
                   "projection": True, "max_steps": 1000,
                   "nominal": {"x": 1, "y": 1, "th": 1}},
    "analyses": [],
}


class Provenance(DaemonCase):
    def provenance(self, document):
        return self.diagnostics(self.daemon.finish(document))["provenance"]

    def chosen(self, document):
        found = self.provenance(document)["chosen"]
        self.assertTrue(all(choice["reason"] for choice in found))
        return {choice["what"]: choice["value"] for choice in found}

    def test_the_program_and_the_machine_are_told(self):
        found = self.provenance(job())
        self.assertEqual(found["host"], socket.gethostname())
        self.assertEqual(found["version"],
                         self.daemon.get("/", {"Accept": "application/json"}).json["version"])
        with open(BINARY, "rb") as file:
            self.assertIn(bytes.fromhex(found["build"]), file.read())

    def test_machine_code_and_the_interpreter_give_the_same_bits(self):
        document = {"model": SLEIGH, "initial": {"v": {"x": 1, "th": 1}},
                    "time": {"end": 50}, "cache": False}
        daemon = Daemon("--evaluator", "interpreter")
        self.addCleanup(daemon.close)
        plain = daemon.finish(document)
        self.assertEqual(plain["provenance"]["evaluator"], "interpreter")
        for _ in range(2):  # with code made under way, and with code that is there
            found = self.daemon.finish(document)
            self.assertIn(found["provenance"]["evaluator"], ("native", "interpreter"))
            self.assertEqual(self.diagnostics(found)["provenance"]["evaluator"],
                             found["provenance"]["evaluator"])
            self.assertEqual(found["provenance"]["result_hash"], plain["provenance"]["result_hash"])

    def test_an_evaluator_that_there_is_not(self):
        done = subprocess.run([BINARY, "serve", "--evaluator", "abacus"],
                              capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2)
        self.assertIn('evaluator must be native or interpreter, not "abacus"', done.stderr)

    def test_what_is_left_out_is_told_as_it_was_taken(self):
        self.assertEqual(self.chosen({"model": SLEIGH, "initial": {"v": {"x": 1}},
                                      "time": {"end": 1}}), {
            "formulation": "lagrange-dalembert", "elimination": "Schur complement",
            "metric": "mass",
            "initial.q": ["x", "y", "th"], "initial.v": ["y", "th"], "time.samples": 201,
            "integrator.method": "dop853", "integrator.rtol": 1e-10, "integrator.atol": 1e-12,
            "integrator.nominal": "from the motion", "integrator.max_steps": 10000000,
            "integrator.projection": True, "analyses": ["energy"],
        })

    def test_what_is_said_is_not_chosen(self):
        self.assertEqual(set(self.chosen(SAID)), {"elimination", "metric"})

    def test_each_is_told_by_itself(self):
        for path in ("formulation", "integrator.method", "integrator.rtol",
                     "integrator.atol", "integrator.nominal",
                     "integrator.projection", "integrator.max_steps", "time.samples", "analyses"):
            document = copy.deepcopy(SAID)
            *above, last = path.split(".")
            del (document[above[0]] if above else document)[last]
            with self.subTest(path=path):
                self.assertEqual(set(self.chosen(document)), {"elimination", "metric", path})

    def test_an_absolute_tolerance_alone_is_for_sizes_of_one(self):
        self.assertEqual(self.chosen(job(integrator={"atol": 1e-9}))["integrator.nominal"], 1)

    def test_dependent_coordinates_are_named_where_no_base_is(self):
        document = {"model": SLEIGH, "formulation": "voronec",
                    "initial": {"v": {"x": 1}}, "time": {"end": 1}}
        self.assertEqual(self.chosen(document)["dependent"], ["y"])
        document["model"] = dict(SLEIGH, base=["x", "th"])
        self.assertNotIn("dependent", self.chosen(document))

    def test_a_method_of_fixed_step_has_no_tolerances(self):
        chosen = self.chosen(job(integrator={"method": "rk4", "step": 0.01}))
        self.assertFalse({"integrator.method", "integrator.rtol",
                          "integrator.atol", "integrator.nominal"} & set(chosen))

    def test_said_instead_it_is_the_same_motion(self):
        first = self.daemon.finish(job(time={"end": 1}))
        document = job(time={"end": 1})
        for choice in self.diagnostics(first)["provenance"]["chosen"]:
            *above, last = choice["what"].split(".")
            if choice["what"] in ("formulation",
                                  "analyses") or above in (
                                      ["time"], ["integrator"]) and last not in (
                    "atol", "nominal"):  # an atol that is given is for other sizes
                place = document.setdefault(above[0], {}) if above else document
                place[last] = choice["value"]
        second = self.daemon.finish(document)
        self.assertEqual(set(self.chosen(document)),
                         {"elimination", "integrator.atol", "integrator.nominal"})
        self.assertEqual(second["provenance"]["result_hash"], first["provenance"]["result_hash"])

    def test_of_an_ensemble_the_program_is_told(self):
        found = self.provenance(job(vary={"parameters.k": [1, 2]}))
        self.assertEqual((found["host"], "chosen" in found), (socket.gethostname(), False))


if __name__ == "__main__":
    unittest.main()
