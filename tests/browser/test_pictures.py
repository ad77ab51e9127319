"""Every page in both themes, wide and narrow: it fits its window, and axe-core finds no mistake.

Pictures for people to look at are left in build/pages.
"""

import json
import os
import subprocess
import unittest

from browser import HERE, ROOT
from harness import BINARY
from page import Page, job, long_job

FOLDER = os.path.join(ROOT, "build", "pages")
LOOKS = ((1280, False), (1280, True), (360, False), (360, True))  # width, dark
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"

with open(os.path.join(HERE, "vendor", "axe.min.js")) as source:
    AXE = source.read()


def system(name):
    return json.loads(subprocess.run([BINARY, "catalog", name], check=True,
                                     capture_output=True).stdout)


class Pictures(Page):
    allowed = ("401", "404", "GL Driver Message")

    def examine(self, place, name, text, prepare=""):
        """Opens a page and runs the script `prepare`; the text is there when it is complete."""
        os.makedirs(FOLDER, exist_ok=True)
        for width, dark in LOOKS:
            with self.subTest(page=name, width=width, dark=dark):
                self.browser.look(width=width, dark=dark)
                self.open(place)
                self.browser.wait_text(text)
                self.browser.run(prepare)
                self.browser.wait("the whole page", "return !document.body.innerText"
                                                    ".includes('Reading ...')")
                self.assertLessEqual(
                    self.browser.run("return document.documentElement.scrollWidth"), width)
                self.browser.picture(os.path.join(FOLDER, "%s-%d-%s.png" % (
                    name, width, "dark" if dark else "light")))
                self.assertEqual(self.violations(), [])

    def violations(self):
        """2: what axe-core finds, as lines of rule, element and advice."""
        self.browser.chrome("Runtime.evaluate", expression=AXE)
        found = self.browser.run("return axe.run().then((found) => found.violations)")
        return ["%s: %s: %s" % (rule["id"], node["html"], node["failureSummary"])
                for rule in found for node in rule["nodes"]]

    def test_no_page_has_a_mistake_in_any_look(self):
        self.examine("#jobs", "empty", "No jobs yet")
        done = self.daemon.finish(system("snakeboard"))
        self.daemon.finish(system("vertical-rolling-disk"), labels={"set": "autumn"})
        failed = self.daemon.finish(job(model={"coordinates": ["x"], "name": "Falls apart",
                                               "lagrangian": "dot(x)^2/2 + x^4"},
                                        time={"end": 10}))
        running = self.daemon.submit(long_job())
        for place, name, text, *prepare in (
                ("#jobs", "jobs", "running"),
                ("#jobs?name=unknown", "none", "No job fits"),
                ("#jobs", "keys", "running", "document.querySelector('[aria-label=Keys]').click()"),
                ("#jobs?state=succeeded", "confirm", "Upright disk", """
                    document.querySelector('[aria-label="Select all"]').click();
                    return new Promise((ready) => setTimeout(ready)).then(() =>
                      document.querySelector('.chosen-bar .danger').click());"""),
                ("#job/" + done["id"], "job", "Is it right?"),
                ("#job/" + done["id"], "job-open", "Is it right?", OPEN_ALL),
                ("#job/" + failed["id"], "failed", "What to do"),
                ("#job/" + running, "running", "left")):
            self.examine(place, name, text, *prepare)

    def test_no_other_page_has_a_mistake_in_any_look(self):
        first = self.daemon.finish(system("double-pendulum"))["id"]
        second = self.daemon.finish(dict(system("double-pendulum"), parameters={"l1": 2}))["id"]
        grid = job(time={"end": 1, "samples": 11}, ensemble={"over_time": ["x"]},
                   vary={"parameters.m": {"from": 1, "to": 2, "count": 5},
                         "initial.q.x": {"from": -1, "to": 1, "count": 4}})
        members = self.daemon.finish(grid)["id"]
        for place, name, text, *prepare in (
                ("#start", "start", "Constraints hold to", OPEN_ALL),
                ("#catalog", "catalog", "Upright disk"),
                ("#new/snakeboard", "editor", "Formulations"),
                ("#compare?ids=%s,%s" % (first, second), "compare", "Compare 2 jobs"),
                ("#compare?ids=%s,%s" % (first, members), "compare-told", "B: not drawn"),
                ("#job/" + members, "ensemble", "20 fit"),
                ("#service", "service", "size of a request body"),
                ("#docs?find=cancel", "docs", "operations")):
            self.examine(place, name, text, *prepare)

    def test_a_page_without_its_job_has_no_mistake(self):
        self.examine("#job/01234567-89ab-7def-8123-456789abcdef", "missing", "No such job")

    def test_the_question_for_a_key_has_no_mistake(self):
        token = subprocess.run([BINARY, "keys", "token"], check=True, capture_output=True).stdout
        path = os.path.join(self.daemon.directory, "token")
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(token)
        self.serve("--auth", "keys", "--first-key-file", path)
        self.examine("#jobs", "key", "This service needs a key")


if __name__ == "__main__":
    unittest.main()
