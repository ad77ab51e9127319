"""Jobs beside each other, ensembles, the service, and the description of the interface."""

import json
import os
import subprocess
import unittest

from browser import ROOT
from page import Page, job

OVERLAYS = "return document.querySelectorAll('.panel canvas').length"


class Compare(Page):
    def two(self, **changes):
        first = self.daemon.finish(job(time={"end": 2, "samples": 21}))
        second = job(**dict({"time": {"end": 2, "samples": 21}}, **changes))
        second["model"] = dict(second["model"], parameters={"m": 2, "k": 9})
        return first["id"], self.daemon.finish(second)["id"]

    def test_differing_inputs_and_common_columns_are_shown(self):
        self.open("#compare?ids=%s,%s" % self.two())
        self.browser.wait_text("Compare 2 jobs: oscillator", "h1")
        self.browser.wait("two plots", OVERLAYS + " === 2")
        self.assertIn("/model/parameters/k89", "".join(self.browser.texts("tbody tr:first-child td")))
        self.assertNotIn("/model/parameters/m", self.browser.text("tbody"))

    def test_differences_vanish_where_motions_agree(self):
        self.open("#compare?ids=%s,%s" % self.two())
        self.browser.wait_text("Differences from A", "button")
        self.browser.run("[...document.querySelectorAll('button')].find("
                         "(one) => one.textContent === 'Differences from A').click()")
        self.browser.wait_text("x minus that of A", ".unit")
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home")
        self.browser.wait_text("0", ".key .number")  # both start at x = 1

    def test_motions_at_other_instants_have_no_differences(self):
        self.open("#compare?ids=%s,%s" % self.two(time={"end": 2, "samples": 20}))
        self.browser.wait_text("run all jobs at the same instants")
        self.assertTrue(self.browser.run("""
            return [...document.querySelectorAll('button')].find(
              (one) => one.textContent === 'Differences from A').disabled;"""))
        self.browser.wait("two plots", OVERLAYS + " === 2")

    def test_selected_jobs_are_compared(self):
        first, second = self.two()
        self.open("#jobs")
        self.browser.wait("the jobs", "return document.querySelectorAll('tbody tr').length === 2")
        self.browser.click("thead input[type=checkbox]")
        self.browser.wait_text("Compare", ".chosen-bar a")
        self.browser.click(".chosen-bar a")
        self.browser.wait_text("Compare 2 jobs", "h1")
        address = self.browser.run("return location.hash")
        self.assertTrue(first in address and second in address)


class Ensembles(Page):
    def setUp(self):
        super().setUp()
        document = job(time={"end": 1, "samples": 11})
        document["vary"] = {"parameters.m": {"from": 1, "to": 2, "count": 5},
                            "initial.q.x": {"from": -1, "to": 1, "count": 4}}
        document["ensemble"] = {"over_time": ["x"]}
        self.identifier = self.daemon.finish(document)["id"]
        self.open("#job/" + self.identifier)
        self.browser.wait_text("20 fit")

    def test_members_are_drawn_and_told(self):
        self.browser.wait_text("20 members: 20 succeeded, 0 failed, 0 to go.")
        self.browser.wait("scatter, parallel coordinates and grid",
                          "return document.querySelectorAll('.drawing').length === 3")
        self.browser.wait_text("x of 20 members", ".unit")  # the bands over time
        colours = self.browser.run("""
            const canvas = document.querySelectorAll('.drawing')[2], {width, height} = canvas;
            const {data} = canvas.getContext('2d').getImageData(0, 0, width, height), found = new Set();
            for (let k = 0; k < data.length; k += 4) found.add(data.slice(k, k + 3).join());
            return found.size;""")
        self.assertGreater(colours, 10)

    def test_a_drag_over_members_writes_the_condition(self):
        box = self.browser.run("""
            const drawing = document.querySelector('.drawing');
            drawing.scrollIntoView({block: 'center'});
            const {left, top, width} = drawing.getBoundingClientRect();
            return [left, top, width];""")
        left, top, width = box
        self.browser.drag_box(left + 30, top + 5, left + width / 2, top + 300)
        address = self.browser.wait("a condition", "return location.hash.includes('where') "
                                                   "&& decodeURIComponent(location.hash)")
        self.assertIn('column("parameters.m")', address)
        told = self.browser.wait("fewer members", """
            const told = document.querySelector('[aria-label=Members] .bar [role=status]').textContent;
            return told !== '20 fit' && told;""")
        self.assertIn(int(told.split()[0]), (8, 12))

    def test_a_wrong_condition_is_told(self):
        self.allowed = ("422", "400")
        self.browser.type(".field.wide input", "final.t >")
        self.browser.press("Enter")
        self.browser.wait_text("an operand is missing", ".warn")

    def test_a_member_is_run_alone(self):
        self.browser.click("[aria-label=Members] td button")
        self.browser.wait("its page", "return location.hash.startsWith('#job/') "
                                      "&& !location.hash.includes(arguments[0])", self.identifier)
        self.browser.wait_text("Is it right?")


class Others(Page):
    def test_the_service_tells_its_limits(self):
        self.open("#service")
        self.browser.wait_text("size of a request body", "td")
        self.browser.wait_text("8 MiB", "td")
        self.browser.wait_text("no job waits", ".fact")

    def test_the_service_shows_the_licenses_of_its_libraries(self):
        self.open("#service")
        self.browser.wait_text("their licenses", "main a")
        address = self.browser.run("return document.querySelector('main p a').pathname")
        found = self.daemon.get(address)
        self.assertEqual(found.headers["content-type"], "text/plain; charset=utf-8")
        with open(os.path.join(ROOT, "web", "vendor", "LICENSES"), "rb") as file:
            self.assertEqual(found.body, file.read())
        self.assertIn("== preact ", found.body.decode())

    def test_the_interface_is_described(self):
        self.open("docs")
        self.browser.wait_text("operations", "[role=status]")
        operations = sum(len([method for method in path if method != "parameters"])
                         for path in self.daemon.get("/openapi.json").json["paths"].values())
        self.assertEqual(len(self.browser.texts("main > details")), operations)
        self.browser.type("input[type=search]", "cancel")
        self.browser.wait_text("/v1/jobs/{id}/cancel", "summary")
        self.browser.click("main > details summary")
        self.browser.wait_text("Answers", "h4")

    def test_the_body_of_a_request_is_described(self):
        """A search for a name in a body finds its operation; members open into their members."""
        self.open("docs")
        self.browser.wait_text("operations", "[role=status]")
        self.browser.type("input[type=search]", "ensemble")
        self.browser.wait_text("Submit a job; in its body: ensemble", "summary")
        self.browser.run("""
            [...document.querySelectorAll('main > details > summary')].find((one) =>
              one.innerText.includes('Submit a job')).click();""")
        self.browser.wait_text("makes the job an ensemble", ".members summary")
        for name, inner in (("ensemble", "over_time"), ("vary", "count"), ("model", "lagrangian")):
            self.browser.run("""
                [...document.querySelectorAll('.members summary')].find((one) =>
                  one.querySelector('code').innerText === arguments[0]).click();""", name)
            self.browser.wait("the member %s of %s" % (inner, name), """
                return [...document.querySelectorAll('.members .members code')].some((one) =>
                  one.innerText === arguments[0]);""", inner)
        self.browser.click(".operation .copies summary")
        command = self.browser.wait("a command", """
            return document.querySelector('.operation [data-copy=curl]')?.textContent""")
        made = json.loads(subprocess.run(["sh", "-c", command], check=True,
                                         capture_output=True).stdout)
        self.assertEqual(self.daemon.wait_done(made["id"])["state"], "succeeded")


if __name__ == "__main__":
    unittest.main()
