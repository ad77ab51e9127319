"""A daemon and a browser for the tests of the page. Each test ends with a look for mistakes."""

import unittest

from browser import Browser

from harness import Daemon, job, long_job  # noqa: F401


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
