"""The page and its files over HTTP, and a program without them."""

import gzip
import json
import os
import re
import subprocess
import tempfile
import unittest
from unittest import mock

from browser import ROOT
from page import Page, program_without_page
from test_pictures import system

from harness import Daemon

GZIP = {"Accept-Encoding": "gzip"}
HTML = {"Accept": "text/html"}
EDITOR = ("new.js", "editor.js", "places.js", "complete.js", "live.js", "codemirror.js")
SPACE = ("scene.js", "stage.js", "shapes.js", "solid.js", "three.js")


class Files(Page):
    allowed = ("GL Driver Message",)

    def test_the_page_is_served_with_its_policy(self):
        page = self.daemon.get("/", HTML)
        self.assertEqual(page.status, 200)
        self.assertIn("trusted-types 'none'", page.headers["content-security-policy"])
        self.assertEqual(page.headers["cache-control"], "no-cache")
        self.assertEqual(self.daemon.get("/", dict(HTML, **{"If-None-Match": page.headers["etag"]}))
                         .status, 304)
        self.assertEqual(self.daemon.get("/").json["service"], "dalembert")

    def test_files_are_kept_for_a_year_packed_or_plain(self):
        page = self.daemon.get("/", HTML).body.decode()
        for path in sorted(set(re.findall(r"/ui/[^\"]+", page))):
            plain, packed = self.daemon.get(path), self.daemon.get(path, GZIP)
            self.assertIn("immutable", plain.headers["cache-control"], path)
            self.assertEqual(packed.headers["content-encoding"], "gzip", path)
            self.assertEqual(gzip.decompress(packed.body), plain.body, path)
            head = self.daemon.request("HEAD", path)
            self.assertEqual((head.status, head.body), (200, b""))
        self.assertEqual(self.daemon.get(re.sub(r"ui/\w", "ui/x", path)).status, 404)

    def test_the_client_is_served_for_other_pages(self):
        found = self.daemon.get("/client/dalembert.js")
        self.assertTrue(found.headers["content-type"].startswith("text/javascript"))
        with open(os.path.join(ROOT, "clients", "javascript", "dalembert.js"), "rb") as file:
            self.assertEqual(found.body, file.read())
        self.assertEqual(self.daemon.get("/client/none.js").status, 404)

    def sizes(self):
        """The compressed sizes of the page's files that were asked for since the last call."""
        paths = {url[len(self.base) - 1:] for url in self.browser.requests()
                 if "/ui/" in url or url == self.base}
        return {path: len(self.daemon.get(path, dict(HTML, Accept="*/*", **GZIP)).body)
                for path in paths}

    def sum_of(self, names, sizes):
        """The size of the files of these names, each of which is loaded."""
        found = [size for path, size in sizes.items() if path.rsplit("/", 1)[1] in names]
        self.assertEqual(len(found), len(names))
        return sum(found)

    def test_large_parts_are_loaded_on_demand(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        first = self.sizes()
        self.assertGreater(len(first), 8)
        self.assertLess(sum(first.values()), 90000)
        # the editor typesets equations: both of its parts are large
        self.browser.run("location.hash = 'new'")
        self.browser.wait("equations", "return document.querySelector('.katex')")
        self.browser.wait("the editor", "return document.querySelector('.sheet').shadowRoot")
        later = {path: size for path, size in self.sizes().items() if path not in first}
        maths = {path for path in later if "katex" in path.lower()}
        self.assertGreater(len(maths), 2)
        self.assertLess(sum(later[path] for path in maths), 200000)
        self.assertLess(self.sum_of(EDITOR, later), 230000)
        self.browser.run("location.hash = 'catalog'")
        self.browser.wait("pictures", "return document.querySelector('.card canvas')")
        pictures = [size for path, size in self.sizes().items() if path.endswith("/poses.json")]
        self.assertEqual(len(pictures), 1)
        self.assertLess(pictures[0], 25000)

    def test_a_motion_in_space_loads_its_parts(self):
        found = self.daemon.finish(system("vertical-rolling-disk"))
        self.open("#job/" + found["id"])
        self.browser.wait("a picture", "return document.querySelector('.stage canvas')")
        self.assertLess(self.sum_of(SPACE, self.sizes()), 250000)


class Without(unittest.TestCase):
    def embedded(self, folder, choice):
        """Whether the page is in the object that make leaves in a folder with WITH_UI=choice."""
        target = os.path.join(folder, "api", "ui_data.o")
        subprocess.run(["make", "-s", "O=" + folder, "WITH_UI=" + choice, target], cwd=ROOT,
                       check=True, capture_output=True, env=dict(os.environ, MAKEFLAGS=""))
        with open(target, "rb") as file:
            return b"index.html" in file.read()

    def test_a_built_tree_takes_the_page_out_and_in_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for choice in ("yes", "no", "no", "yes"):
                self.assertEqual(self.embedded(folder, choice), choice == "yes", choice)
            # nor does the choice of an earlier object stay if its source is gone
            os.remove(os.path.join(folder, "api", "ui_data.c"))
            self.assertFalse(self.embedded(folder, "no"))

    def test_a_program_without_the_page_answers_with_links(self):
        """20."""
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch("harness.BINARY", program_without_page(folder)):
                daemon = Daemon()
            self.addCleanup(daemon.close)
            page = daemon.get("/", HTML)
            self.assertIn(b"/v1/catalog", page.body)
            self.assertEqual(page.headers["content-type"], "text/html; charset=utf-8")
            first = re.search(b"<pre>(.*)</pre>", page.body, re.S).group(1)
            self.assertEqual(daemon.finish(json.loads(first))["state"], "succeeded")
            self.assertEqual(daemon.get("/client/dalembert.js").status, 404)
            url = "http://%s:%d" % (daemon.address, daemon.port)
            said = subprocess.run(["sh", "examples/page.sh"], cwd=ROOT, check=True, text=True,
                                  capture_output=True, env=dict(os.environ, DALEMBERT_URL=url))
            self.assertIn("SKIPPED", said.stdout)


if __name__ == "__main__":
    unittest.main()
