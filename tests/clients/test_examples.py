"""Every example of the clients, and the program of each README, run as they stand."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from common import ROOT  # first: it says where the others are
from harness import Daemon


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.url = "http://127.0.0.1:%d" % cls.daemon.port

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def run_all(self, language, pattern, *command, **variables):
        folder = os.path.join(ROOT, "clients", language)
        environment = dict(os.environ, DALEMBERT_URL=self.url, **variables)
        module = 'from "%s"' % os.path.join(folder, "dalembert.js")
        with tempfile.TemporaryDirectory() as place:
            programs = []
            for readme in (os.path.join(folder, "README.md"), os.path.join(ROOT, "README.md")):
                with open(readme, encoding="utf-8") as file:
                    programs += re.findall(r"^```%s\n(.*?)^```$" % language,
                                           file.read(), re.M | re.S)
            self.assertEqual(len(programs), 2)
            scripts = sorted(glob.glob(os.path.join(folder, "examples", pattern)))
            self.assertGreaterEqual(len(scripts), 3)
            for k, program in enumerate(programs):
                scripts.append(os.path.join(
                    place, pattern.replace("*", str(k)).replace(".js", ".mjs")))
                with open(scripts[-1], "w", encoding="utf-8") as file:
                    file.write(program.replace("http://127.0.0.1:8080",
                                               self.url).replace('from "dalembert"', module)
                               .replace('from "./clients/javascript/dalembert.js"', module))
            for script in scripts:
                with self.subTest(script=os.path.basename(script)):
                    ended = subprocess.run([*command, script], cwd=place,
                                           env=environment, capture_output=True, text=True)
                    self.assertEqual(ended.returncode, 0, ended.stderr)
                    self.assertTrue(ended.stdout)

    def test_python(self):
        self.run_all("python", "*.py", sys.executable,
                     PYTHONPATH=os.path.join(ROOT, "clients", "python"))

    def test_javascript(self):
        self.run_all("javascript", "*.js", "node")


class Versions(unittest.TestCase):
    def test_a_client_has_the_version_of_the_service(self):
        with open(os.path.join(ROOT, "VERSION"), encoding="utf-8") as file:
            version = file.read().strip()
        with open(os.path.join(ROOT, "clients", "python", "dalembert", "__init__.py"),
                  encoding="utf-8") as file:
            self.assertIn('\n__version__ = "%s"\n' % version, file.read())
        with open(os.path.join(ROOT, "clients", "javascript", "version.js"),
                  encoding="utf-8") as file:
            self.assertIn('version = "%s"' % version, file.read())
        with open(os.path.join(ROOT, "clients", "javascript", "package.json"),
                  encoding="utf-8") as file:
            self.assertEqual(json.load(file)["version"], version)


if __name__ == "__main__":
    unittest.main()
