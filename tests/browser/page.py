"""A daemon and a browser for the tests of the page. Each test ends with a look for mistakes."""

import os
import subprocess
import unittest

from browser import ROOT, Browser

from harness import Daemon, job, long_job, needs_page  # noqa: F401


def program_without_page(folder):
    """Links the built program anew as WITH_UI=no does: two objects. Its path in the folder."""
    source, program = os.path.join(folder, "ui.c"), os.path.join(folder, "dalembert")
    with open(source, "w") as file:
        subprocess.run(["tools/embed-ui.sh", os.path.join(folder, "ui.bin")], cwd=ROOT,
                       env=dict(os.environ, WITH_UI="no"), stdout=file, check=True)
    # the last line: what make builds before is above it
    libraries = subprocess.run(["make", "-s", "libraries"], cwd=ROOT, check=True,
                               capture_output=True, text=True,
                               env=dict(os.environ, MAKEFLAGS="")).stdout.splitlines()[-1].split()
    subprocess.run(["gcc", "-I.", "-pthread", "build/release/server/command/dalembert.o", source]
                   + libraries + ["-o", program], cwd=ROOT, check=True)
    return program


@needs_page
class Page(unittest.TestCase):
    allowed = ()  # words of lines of the console that a test expects

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.serve()
        self.browser.look()
        self.browser.log("browser")
        self.browser.requests()

    def serve(self, *arguments):
        """A new daemon for the pages that are opened from now on."""
        daemon = Daemon(*arguments)
        self.addCleanup(daemon.close)
        self.look_at(daemon)

    def look_at(self, daemon):
        """Pages of this daemon are opened from now on."""
        self.daemon = daemon
        self.base = "http://%s:%d/" % (daemon.address, daemon.port)

    def tearDown(self):
        """Test 1: no line in the console, no report of the policy, no foreign request."""
        if self.browser.url:
            found = self.browser.mistakes(self.allowed)
            self.browser.command("POST", "/url", {"url": "about:blank"})
            self.assertEqual(found, [])

    def open(self, place=""):
        self.browser.open(self.base + place)
