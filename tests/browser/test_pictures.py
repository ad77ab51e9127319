"""Pictures of every page in both themes, wide and narrow, in build/pages for people to look at."""

import json
import os
import subprocess
import unittest

from browser import ROOT
from harness import BINARY
from page import Page, job, long_job

FOLDER = os.path.join(ROOT, "build", "pages")


def system(name):
    return json.loads(subprocess.run([BINARY, "catalog", name], check=True,
                                     capture_output=True).stdout)


class Pictures(Page):
    def test_no_page_is_wider_than_its_window(self):
        os.makedirs(FOLDER, exist_ok=True)
        done = self.daemon.finish(system("snakeboard"))
        self.daemon.finish(system("vertical-rolling-disk"), labels={"set": "autumn"})
        self.daemon.finish(job(model={"coordinates": ["x"], "name": "Falls apart",
                                      "lagrangian": "dot(x)^2/2 + x^4"}, time={"end": 10}))
        self.daemon.submit(long_job())
        for place, name, text in (("#jobs", "jobs", "running"),
                                  ("#job/" + done["id"], "job", "Is it right?"),
                                  ("#new/snakeboard", "editor", "Formulations")):
            for width, dark in ((1280, False), (1280, True), (360, False), (360, True)):
                self.browser.look(width=width, dark=dark)
                self.open(place)
                self.browser.wait_text(text)
                if name == "job":
                    self.browser.wait("plots", "return document.querySelector('canvas')")
                if name == "editor":
                    self.browser.wait("the editor", "return document.querySelector('.katex')"
                                      " && document.querySelector('.sheet').shadowRoot")
                self.assertLessEqual(
                    self.browser.run("return document.documentElement.scrollWidth"), width)
                self.browser.picture(os.path.join(FOLDER, "%s-%d-%s.png" % (
                    name, width, "dark" if dark else "light")))


if __name__ == "__main__":
    unittest.main()
