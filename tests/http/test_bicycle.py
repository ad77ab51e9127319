"""A model of the size that people work with: the bicycle (see bicycle.py)."""

import os
import subprocess
import tempfile
import unittest

import bicycle
from harness import Daemon


class Bicycle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def test_its_equations_in_c_are_small_and_compile(self):
        identifier = self.daemon.post("/v1/models", bicycle.MODEL).json["id"]
        code = self.daemon.get("/v1/models/%s/equations?format=c" % identifier)
        self.assertEqual(code.status, 200, code)
        text = code.json["whole"]
        self.assertIn("void equations(", text)
        self.assertLess(len(text), 60000)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bicycle.c")
            with open(path, "w") as file:
                file.write(text)
            subprocess.run(
                ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", path, "-o", path + ".o"],
                check=True,
            )

    def test_it_stays_upright_at_some_speeds_by_proof(self):
        """Meijaard et al.: it weaves below 4.29 m/s and capsizes above 6.02 m/s. Place, heading,
        the wheels' angles and the speed are six zeros of a family, defective ones."""
        for speed, stable, largest in (4, "no", 0.413253), (6, "yes", 0), (8, "no", 0.143279):
            job = {"model": bicycle.MODEL, "initial": {"v": bicycle.straight(speed)},
                   "time": {"end": 0.01, "samples": 2}, "analyses": ["equilibria"]}
            identifier = self.daemon.finish(job)["id"]
            findings = self.daemon.get("/v1/jobs/%s/invariants" % identifier).json
            riding = findings["equilibria"][1]
            self.assertEqual((riding["stable"], riding["zero_eigenvalues"]), (stable, 6), riding)
            self.assertAlmostEqual(riding["eigenvalues"][0]["re"], largest, 5)

    def test_it_is_no_chaplygin_system(self):
        """The Lagrangian on the constraints depends on the pitch, which is not in the base."""
        job = {"model": bicycle.MODEL, "initial": {"v": bicycle.straight(5)},
               "time": {"end": 1}, "formulation": "chaplygin"}
        answer = self.daemon.post("/v1/jobs", job)
        self.assertEqual(answer.status, 422, answer)
        said = [error["message"] for error in answer.json["errors"]]
        self.assertIn("not a Chaplygin system: the Lagrangian depends on the fibre coordinate "
                      "theta", said)


if __name__ == "__main__":
    unittest.main()
