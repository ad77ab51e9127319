"""Compared motions in one scene: one is solid, the others are ghosts."""

import unittest

from harness import job, long_job
from page import Page
from test_pictures import system

BLUE, ORANGE = [0, 114, 178], [193, 78, 0]  # of the first and the second job
# Pixels of a color: those that cover the paper, and those through which it is seen.
COUNTS = """
    const canvas = document.querySelector('.stage canvas'), {width, height} = canvas;
    const {data} = canvas.getContext('2d').getImageData(0, 0, width, height), counts = [0, 0];
    for (let k = 0; k < data.length; k += 4) {
      const [r, g, b] = arguments[0], like = Math.abs(data[k] - r) < 4
        && Math.abs(data[k + 1] - g) < 4 && Math.abs(data[k + 2] - b) < 4;
      if (like && data[k + 3] > 0) counts[data[k + 3] === 255 ? 0 : 1]++;
    }
    return counts;"""
TIME = "Number(document.querySelector('.timeline input[type=range]').value)"
CHOICE = "[aria-label='Solid motion'] [aria-pressed=true]"
DRAWN = "return document.querySelector('.stage canvas')?.width > 300"
IN_SPACE = "return document.querySelectorAll('.stage canvas').length === 2"


class Ghosts(Page):
    # a renderer in software, and tests that read pictures
    allowed = ("GL Driver Message", "Canvas2D: Multiple readback", "WebGL")

    def pendulum(self, **changes):
        return self.daemon.finish(dict(system("double-pendulum"), **changes))["id"]

    def compare(self, *ids, more=""):
        self.open("#compare?ids=%s%s" % (",".join(ids), more))
        self.browser.wait("a picture", DRAWN)

    def told(self):
        return self.browser.texts("[aria-label=Motions] li")

    def wait_solid(self, color, other):
        """Until the motion of one color covers the paper, and the other is seen through."""
        self.browser.wait("a solid motion", """
            const counts = (color) => { %s };
            const [solid, ghost] = [counts(arguments[0]), counts(arguments[1])];
            return solid[0] > 100 && ghost[0] === 0 && ghost[1] > 100;"""
                          % COUNTS.replace("arguments[0]", "color"), color, other)

    def test_a_click_or_a_key_makes_another_motion_solid(self):
        self.compare(self.pendulum(), self.pendulum(parameters={"l1": 2}))
        self.wait_solid(BLUE, ORANGE)
        self.assertEqual(self.browser.text(CHOICE).strip(), "A: l1 = 1")
        self.browser.click("[aria-label='Solid motion'] button:nth-of-type(2)")
        self.wait_solid(ORANGE, BLUE)
        self.browser.press("Shift+A")
        self.wait_solid(BLUE, ORANGE)
        # the address keeps it
        self.browser.press("Shift+B")
        self.open(self.browser.wait("the address", "return location.hash.includes('solid=B') "
                                                   "&& location.hash"))
        self.browser.wait("a picture", DRAWN)
        self.wait_solid(ORANGE, BLUE)
        self.assertEqual(self.browser.text(CHOICE).strip(), "B: l1 = 2")

    def test_one_cursor_moves_the_motions_and_the_plots(self):
        self.compare(self.pendulum(), self.pendulum(parameters={"l1": 2}))
        self.assertEqual(self.browser.text(".timeline button"), "▶")  # nothing plays by itself
        self.browser.press(">", "Space")
        self.browser.wait("time to pass", "return %s > 0.2" % TIME)
        self.browser.press("Shift+B")
        self.browser.wait_text("B: l1 = 2", "[aria-pressed=true]")
        now = self.browser.run("return " + TIME)
        self.browser.wait("more time to pass", "return %s !== arguments[0]" % TIME, now)
        self.browser.press("Space")
        self.browser.wait_text("▶", ".timeline button")
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home", "Shift+Right")
        self.browser.wait("the time line", "return Math.abs(%s - 0.2) < 1e-9" % TIME)
        self.browser.run("""
            const line = document.querySelector('.timeline input[type=range]');
            line.value = 5;
            line.dispatchEvent(new Event('input', {bubbles: true}));""")
        self.browser.wait_text("t = 5", ".instant")

    def test_motions_that_end_early_and_jobs_that_are_not_drawn_are_told(self):
        falls = {"coordinates": ["x"], "name": "Falls apart", "lagrangian": "dot(x)^2/2 + x^4"}
        self.compare(
            self.pendulum(), self.pendulum(time={"end": 4, "samples": 401}),
            self.daemon.finish(job(model=falls, time={"at": [0, 0.5, 10]}))["id"],
            self.daemon.finish(system("vertical-rolling-disk"))["id"],
            self.daemon.finish(job(vary={"parameters.m": [1, 2]}))["id"])
        self.assertEqual(self.told(), [
            "B: stops at its last row, t = 4.",
            "C: failed; stops at its last row, t = 0.5; drawn by default rules.",
            "D: not drawn with A: its scene is in space, not in the plane.",
            "E: not drawn, because it is an ensemble."])
        self.assertEqual(len(self.browser.texts("[aria-label='Solid motion'] button")), 4)
        # a motion in space has the picture for itself
        self.browser.press("Shift+D")
        self.browser.wait("both canvases", IN_SPACE)
        self.assertIn("A: not drawn with D: its scene is in the plane, not in space.", self.told())

    def test_a_running_job_and_one_without_rows_are_told(self):
        self.serve("--workers", "1")
        done = self.pendulum()
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        waiting = self.daemon.submit(job())
        self.browser.open(self.base)
        self.browser.wait("rows", """
            return fetch('/v1/jobs/' + arguments[0]).then((found) => found.json())
              .then((job) => job.rows > 0);""", running)
        self.compare(done, running, waiting)
        first, last = self.told()
        self.assertRegex(first, "^B: running; stops at its last row, t = [0-9.]+")
        self.assertEqual(last, "C: not drawn, because it has no rows.")

    def test_each_job_is_asked_for_its_scene_once(self):
        ids = [self.pendulum(parameters={"l1": length}) for length in (1, 1.5, 2)]
        self.compare(*ids)
        self.browser.press("Shift+B", "Shift+C", "Space")
        self.browser.wait("time to pass", "return %s > 0.2" % TIME)
        asked = [url for url in self.browser.requests() if "/v1/jobs/" in url]
        for one in ids:
            own = [url.split(one)[1] for url in asked if one in url]
            for route in ("/request", "/scene", "/result?table=%40scene"):
                self.assertEqual(sum(url.startswith(route) for url in own), 1, (route, own))

    def test_motions_in_space_are_drawn_with_and_without_webgl(self):
        disk = system("vertical-rolling-disk")
        ids = [self.daemon.finish(dict(disk, parameters={"R": radius}))["id"]
               for radius in (0.5, 1)]
        self.compare(*ids)
        self.browser.wait("both canvases", IN_SPACE)
        self.assertNotIn("no WebGL", self.browser.text("[aria-label=Motions]"))
        script = self.browser.chrome("Page.addScriptToEvaluateOnNewDocument", source="""
            const {getContext} = HTMLCanvasElement.prototype;
            HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
              return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more);
            };""")
        try:
            self.compare(*ids)
            self.browser.wait_text("This browser has no WebGL", ".scene")
            self.wait_solid(BLUE, ORANGE)
        finally:
            self.browser.chrome("Page.removeScriptToEvaluateOnNewDocument", **script)


if __name__ == "__main__":
    unittest.main()
