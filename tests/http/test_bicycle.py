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


if __name__ == "__main__":
    unittest.main()
