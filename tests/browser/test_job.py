"""The page of one job: its motion, its evidence, its data."""

import json
import os
import re
import subprocess
import unittest

from deadline import deadline
from harness import BINARY, OSCILLATOR
from page import Page, job, long_job
from test_keys import WithKeys, bearer


class Job(Page):
    allowed = ("Canvas2D: Multiple readback",)  # of the test that reads a picture

    def show(self, document, query=""):
        found = self.daemon.finish(document)
        self.open("#job/" + found["id"] + query)
        self.browser.wait_text("Is it right?")
        return found

    def drag(self, start, end):
        """Drags over the first plot, from one part of its width to another."""
        left, top, width = self.browser.run("""
            const over = document.querySelector('.u-over');
            over.scrollIntoView({block: 'center'});
            const box = over.getBoundingClientRect();
            return [box.left, box.top + 50, box.width];""")
        self.browser.drag(int(left + start * width), int(left + end * width), int(top))

    def test_a_range_stands_in_the_address_and_in_the_downloads(self):
        """12 and 14."""
        found = self.show(job(time={"end": 10, "samples": 1001}))
        self.browser.wait("a plot", "return document.querySelector('.u-over')")
        self.drag(0.2, 0.4)
        address = self.browser.wait("a range", "return location.hash.includes('to=') "
                                               "&& location.hash")
        start, end = re.search(r"from=([\d.]+)&to=([\d.]+)", address).groups()
        self.assertAlmostEqual(float(start), 2, 0)
        self.assertAlmostEqual(float(end), 4, 0)
        self.open(address)
        self.browser.wait_text("Show all", "button")
        self.browser.chrome("Browser.setDownloadBehavior", behavior="allow",
                            downloadPath=self.browser.directory)
        for number, accept, ending in ((1, "text/csv", "csv"), (2, "application/x-npy", "npy")):
            self.browser.click("section[aria-label=Data] .bar button:nth-child(%d)" % number)
            path = os.path.join(self.browser.directory, "%s.%s" % (found["id"], ending))
            wanted = self.daemon.get("/v1/jobs/%s/result?from=%s&to=%s" % (found["id"], start, end),
                                     {"Accept": accept}).body
            for _ in deadline("the downloaded bytes"):
                if os.path.exists(path):
                    with open(path, "rb") as file:
                        if file.read() == wanted:
                            break
        self.browser.press("0")
        self.browser.wait("no range", "return !location.hash.includes('to=')")

    def test_one_cursor_goes_through_all_plots(self):
        self.show(job(time={"end": 1, "samples": 11}))
        self.browser.wait("plots", "return document.querySelectorAll('.panel canvas').length === 2")
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home")
        self.browser.wait_text("t = 0", ".instant")
        self.browser.press("Right", "Right", "Shift+Right")
        self.browser.wait_text("t = 1", ".instant")
        values = self.browser.texts(".key .number")
        self.assertEqual(values, ["-0.4161", "-1.819"])  # cos(2), -2 sin(2)

    def test_a_spike_of_one_row_is_drawn(self):
        """13: the highest row of the picture is reached by the column's colour."""
        self.show(job(observe={"spike": "if(abs(t - 0.5) < 1e-6, 50, 0)"},
                      time={"end": 1, "samples": 1000001}))
        self.browser.wait_text("spike", ".key")
        self.browser.run("document.querySelector('.plot').focus()")
        top = self.browser.run("""
            const axis = [...document.querySelectorAll('.panel')].find(
              (one) => one.innerText.includes('spike')).querySelector('canvas');
            const {width} = axis, pen = axis.getContext('2d');
            for (let y = 0; y < axis.height; y++) {
              const row = pen.getImageData(0, y, width, 1).data;
              for (let x = 80; x < width; x++)
                if (row[4 * x + 3] > 60 && Math.max(row[4 * x], row[4 * x + 1], row[4 * x + 2])
                    - Math.min(row[4 * x], row[4 * x + 1], row[4 * x + 2]) > 60) return y;
            }
            return -1;""")
        self.assertGreaterEqual(top, 0)
        self.assertLess(top, 40)

    def test_a_column_is_plotted_over_another(self):
        """By two choices, which the address keeps."""
        found = self.show(job(time={"end": 10, "samples": 101}))
        cross = "[aria-label='A column over another'] "
        self.assertIsNone(self.browser.text(cross + "canvas"))
        for choice, name in ((0, "x"), (1, "dot(x)")):
            self.browser.run("""
                const one = document.querySelectorAll(arguments[0] + 'select')[arguments[1]];
                one.value = arguments[2];
                one.dispatchEvent(new Event('change', {bubbles: true}));""", cross, choice, name)
        self.browser.wait_text("dot(x) over x", cross + "figcaption")
        self.browser.wait("the address", "return location.hash.includes('x=x&y=dot%28x%29')")
        # the circle x^2 + (v/2)^2 = 1: as wide as its axes, without a line in the middle
        self.open("#job/" + found["id"] + "?x=x&y=dot(x)")
        self.browser.wait_text("dot(x) over x", cross + "figcaption")
        colored = self.browser.wait("a curve", """
            const canvas = document.querySelector(arguments[0] + 'canvas');
            const {width, height} = canvas;
            const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
            const places = [];
            for (let k = 0; k < data.length; k += 4)
              if (data[k] < 40 && data[k + 2] > 150) places.push([k / 4 % width, k / 4 / width | 0]);
            if (!places.length) return null;
            const [xs, ys] = [0, 1].map((i) => places.map((one) => one[i]));
            const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys),
              Math.max(...ys)];
            const near = places.filter(([x, y]) => Math.hypot((2 * x - left - right) / (right - left),
              (2 * y - top - bottom) / (bottom - top)) < 0.8);
            return [(right - left) / width, (bottom - top) / height, near.length];""", cross)
        self.assertGreater(colored[0], 0.6)
        self.assertGreater(colored[1], 0.6)
        self.assertEqual(colored[2], 0)
        self.assertEqual(self.browser.run("return [...document.querySelectorAll(arguments[0] + "
                                          "'select')].map((one) => one.value)", cross),
                         ["x", "dot(x)"])

    def test_every_end_of_a_run_has_its_page(self):
        """15."""
        falling = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 + x^4"}
        found = self.show(job(model=falling, time={"end": 10, "samples": 11}))
        self.assertEqual(found["state"], "failed")
        self.browser.wait_text("Failed", ".note.bad")
        self.browser.wait_text("What to do", ".note a")
        # cancelled
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        self.open("#job/" + identifier)
        self.browser.wait_text("running", ".state")
        self.browser.click(".head button")
        self.browser.wait_text("Cancelled", ".note")
        # one row, backwards
        self.show(job(time={"at": [1]}))
        self.browser.wait_text("1 row")
        self.show(job(time={"end": -1, "samples": 11}))
        self.browser.wait("a plot", "return document.querySelector('.plot canvas')")
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home")
        self.browser.wait_text("t = -1", ".instant")
        # a value that is no number ends the run: cos(2 t) < 0
        self.show(job(observe={"gap": "sqrt(x)"}, time={"end": 1, "samples": 11}))
        self.browser.wait_text("the observable gap is not finite", ".note.bad")
        self.browser.wait("a plot", "return document.querySelector('.plot canvas')")

    def test_a_job_that_never_ran_has_its_page(self):
        """15: no row at all."""
        self.serve("--workers", "1")
        self.daemon.wait_running(self.daemon.submit(long_job()))
        identifier = self.daemon.submit(job())
        self.open("#job/" + identifier)
        self.browser.wait_text("place 1", ".head")
        self.browser.click(".head button")
        self.browser.wait_text("Cancelled.", ".note")
        self.browser.wait_text("0 rows")
        self.assertIsNone(self.browser.text(".plot"))

    def test_the_copied_command_returns_the_same(self):
        """19."""
        found = self.show(job())
        self.browser.click(".copies summary")
        command = self.browser.text("[data-copy=curl]")
        again = subprocess.run(["sh", "-c", command], check=True, capture_output=True)
        self.assertIn(found["provenance"]["result_hash"].encode(), again.stdout)
        line = self.browser.text("[data-copy='command line']").replace("dalembert", BINARY, 1)
        self.assertIn(b'"series"', subprocess.run(["sh", "-c", line], check=True,
                                                  capture_output=True).stdout)

    def test_a_copied_job_may_have_any_characters(self):
        """Quotes and dollars reach the service as they are."""
        self.open()
        name = "Euler's \"top\" for $HOME, `x` \\ \\'"
        document = job(model=dict(OSCILLATOR, name=name))
        command = self.browser.run("""
            const home = document.querySelector('script[type=module]').src;
            const {submitting} = await import(home.replace('main.js', 'copy.js'));
            return submitting(arguments[0]);""", document)
        made = json.loads(subprocess.run(["sh", "-c", command], check=True,
                                         capture_output=True).stdout)
        self.assertEqual(self.daemon.get("/v1/jobs/%s/request" % made["id"]).json, document)

    def test_equations_are_typeset(self):
        """KaTeX is loaded only then, and every formula is drawn with its own fonts."""
        self.show(job())
        self.assertFalse([url for url in self.browser.requests() if "katex" in url.lower()])
        self.browser.run("[...document.querySelectorAll('summary')]"
                         ".find((one) => one.innerText === 'Equations').click()")
        self.browser.wait("formulas", "return document.querySelectorAll('.katex').length === 4")
        self.browser.wait("the font", "return [...document.fonts].some((one) =>"
                          " one.family === 'KaTeX_Main' && one.status === 'loaded')")
        self.assertIn("equation", self.browser.text(".equations h3:nth-of-type(2)").lower())
        self.assertIn("ẍ", self.browser.text(".equations").replace("x¨", "ẍ"))

    def test_verdicts_have_their_reasons(self):
        self.show(job())
        self.browser.wait_text("conserved", ".verdict")
        self.assertIn("energy", self.browser.text(".verdict h3"))
        self.browser.wait_text("Observed: conserved", ".verdict")


class Keyed(WithKeys, Page):
    allowed = ("401", "GL Driver Message")

    def setUp(self):
        super().setUp()
        self.look_at(self.daemon)

    def run_line(self, **environment):
        """Runs the copied curl command."""
        self.browser.wait_text("Set the variable DALEMBERT_KEY", ".copies")
        return subprocess.run(["sh", "-c", self.browser.text("[data-copy=curl]")], check=False,
                              capture_output=True, env={"PATH": os.environ["PATH"], **environment})

    def test_copied_commands_take_the_key_from_a_variable(self):
        made = self.daemon.post("/v1/jobs?wait=60", job(), bearer(self.token)).json
        key = self.make("read", "write")["token"]
        self.open()
        self.browser.run("sessionStorage.setItem('dalembert-key', arguments[0])", key)
        for place, text in (("#job/" + made["id"], "Is it right?"),
                            ("#start", "Constraints hold to")):
            self.open(place)
            self.browser.wait_text(text)
            self.browser.click(".copies summary")
            copied = self.browser.texts("[data-copy]")
            self.assertNotIn(key, "".join(copied))
            for command in copied:
                self.assertEqual(command.count("curl "), command.count(
                    ' -H "Authorization: Bearer $DALEMBERT_KEY"'), command)
            done = self.run_line(DALEMBERT_KEY=key)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["state"], "succeeded")
            self.assertIn(b"401", self.run_line().stderr)


class Missing(Page):
    allowed = ("404",)

    def test_a_job_that_is_gone_is_told(self):
        self.open("#job/01234567-89ab-7def-8123-456789abcdef")
        self.browser.wait_text("No such job")


if __name__ == "__main__":
    unittest.main()
