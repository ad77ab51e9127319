"""The page and its files over HTTP, and a program without them."""

import gzip
import re
import unittest

from page import Page

GZIP = {"Accept-Encoding": "gzip"}
HTML = {"Accept": "text/html"}


class Files(Page):
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
        with open("clients/javascript/dalembert.js", "rb") as file:
            self.assertEqual(found.body, file.read())
        self.assertEqual(self.daemon.get("/client/none.js").status, 404)

    def test_the_page_opens(self):
        self.open()
        self.browser.wait_text("dalembert", "body")


if __name__ == "__main__":
    unittest.main()
