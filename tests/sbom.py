#!/usr/bin/env python3
"""The bill of materials: complete, and the same bytes each time."""
import hashlib
import json
import os
import re
import subprocess
import unittest

from deadline import deadline
from program import BINARY, HERE

TOOL = os.path.join(HERE, "..", "tools", "sbom.py")


def made():
    return subprocess.run([TOOL, BINARY], check=True, capture_output=True,
                          env=dict(os.environ, SOURCE_DATE_EPOCH="0")).stdout


class Bill(unittest.TestCase):
    def test_it_is_the_same_each_time(self):
        self.assertEqual(made(), made())

    def test_it_names_the_program(self):
        bom = json.loads(made())
        self.assertEqual((bom["bomFormat"], bom["specVersion"]), ("CycloneDX", "1.5"))
        with open(BINARY, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        program = bom["metadata"]["component"]
        self.assertEqual(program["hashes"], [{"alg": "SHA-256", "content": digest}])
        self.assertEqual(bom["metadata"]["timestamp"], "1970-01-01T00:00:00Z")

    def test_every_library_that_a_running_process_maps_is_in_it(self):
        """Seen from the other side: the map of a process that waits for its input."""
        packages = {one["name"] for one in json.loads(made())["components"]}
        process = subprocess.Popen([BINARY, "simulate", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        mapped = set()
        try:
            for _ in deadline("the libraries of the process"):
                with open("/proc/%d/maps" % process.pid) as file:
                    mapped = set(re.findall(r"(/\S+\.so(?:\.\d+)*)$", file.read(), re.M))
                if any("libz." in path for path in mapped):
                    break
        finally:
            process.communicate()
        for path in mapped:
            owners = subprocess.run(["dpkg-query", "-S", path, path.removeprefix("/usr")],
                                    capture_output=True, text=True, check=False).stdout
            names = {line.split(":")[0] for line in owners.splitlines()}
            self.assertTrue(names & packages, (path, names))
        self.assertIn("libcurl4", {name.removesuffix("t64") for name in packages})

    def test_every_component_has_its_version(self):
        for one in json.loads(made())["components"]:
            if one["purl"].startswith("pkg:npm/"):
                continue
            version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", one["name"]],
                                     check=True, capture_output=True, text=True).stdout
            self.assertEqual(one["version"], version)
            self.assertTrue(one["purl"].startswith("pkg:deb/debian/%s@%s?" %
                                                   (one["name"], version)))

    def test_every_package_in_the_bundles_of_the_page_is_in_it(self):
        """The lock file says what was bundled; tools and the command line of KaTeX are not."""
        with open(os.path.join(HERE, "..", "web", "vendor", "package-lock.json")) as file:
            packages = json.load(file)["packages"]
        locked = {(path.removeprefix("node_modules/"), one["version"])
                  for path, one in packages.items() if path}
        found = {(one["name"], one["version"]) for one in json.loads(made())["components"]
                 if one["purl"].startswith("pkg:npm/")}
        self.assertEqual({name for name, _ in locked - found
                          if not re.search("esbuild|typescript|prettier", name)}, {"commander"})
        self.assertEqual(found - locked, set())


if __name__ == "__main__":
    unittest.main()
