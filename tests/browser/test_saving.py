"""Saving the scene as SVG, PNG, video and page, and the plots as SVG."""

import base64
import os
import unittest
from xml.etree import ElementTree

from deadline import deadline
from harness import job
from page import Page
from test_pictures import system

SVG = "{http://www.w3.org/2000/svg}"
ENDS = (b"</svg>\n", b"IEND\xaeB`\x82", b"</html>\n")  # of whole files
EBML = b"\x1aE\xdf\xa3"  # the first bytes of a WebM
BLUE = [0, 114, 178]
DRAWN = "return document.querySelector('.stage canvas')?.width > 300"
SOLID = "return !document.querySelector('#stage canvas').getContext('2d');"  # drawn by WebGL
# Pixels of a color in a picture: of the canvas of the scene, and of a file that is drawn again.
PIXELS = """
    const blue = (canvas) => {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const [r, g, b] = arguments[1];
      let count = 0;
      for (let k = 0; k < data.length; k += 4)
        if (data[k] === r && data[k + 1] === g && data[k + 2] === b && data[k + 3] === 255) count++;
      return count;
    };
    const stage = document.querySelector('.stage canvas'), image = new Image();
    image.src = 'data:image/svg+xml;base64,' + arguments[0];
    await image.decode();
    const {width, height} = stage, sheet = document.createElement('canvas');
    Object.assign(sheet, {width, height}).getContext('2d').drawImage(image, 0, 0);
    return [blue(stage), blue(sheet), image.width === width && image.height === height];"""


def numbers(path):
    """The points of a path of straight lines."""
    return [tuple(map(float, part.split())) for part in path.replace("M", "L").split("L") if part]


class Saving(Page):
    allowed = ("GL Driver Message", "Canvas2D: Multiple readback")

    def show(self, document, query="", dark=False):
        found = self.daemon.finish(document)
        self.browser.look(dark=dark)
        self.open("#job/" + found["id"] + query)
        self.wait_drawn()
        return found["id"]

    def wait_drawn(self):
        self.browser.wait("a picture", DRAWN)
        self.browser.chrome("Browser.setDownloadBehavior", behavior="allow",
                            downloadPath=self.browser.directory)

    def save(self, button, name, ends=ENDS):
        """The bytes of the file that a button saves; it is not empty, and has one of the ends."""
        path = os.path.join(self.browser.directory, name)
        self.browser.wait("the button", """
            const found = [...document.querySelectorAll('.scene button')].find(
              (one) => one.textContent === arguments[0]);
            found?.click();
            return found;""", button)
        for _ in deadline("the downloaded file " + name):
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found = file.read()
                if found and found.endswith(ends):
                    os.remove(path)
                    return found

    def seek(self, t):
        self.browser.run("""
            const line = document.querySelector('.timeline input[type=range]');
            line.value = arguments[0];
            line.dispatchEvent(new Event('input', {bubbles: true}));""", t)
        self.browser.wait("the instant", """
            const shown = [...document.querySelectorAll('.timeline .number')].at(-1).innerText;
            return Number(shown.slice(4)) === arguments[0];""", t)

    def test_a_plane_scene_is_saved_as_it_is_seen(self):
        self.show(system("double-pendulum"))
        files = []
        for t in (1, 4):
            self.seek(t)
            files.append(self.save("Save as SVG", "motion-of-double-pendulum.svg"))
            text = base64.b64encode(files[-1]).decode()
            seen, saved, sized = self.browser.run(PIXELS, text, BLUE)
            self.assertGreater(seen, 300)
            self.assertLess(abs(seen - saved), 0.05 * seen)
            self.assertTrue(sized)
            title = ElementTree.fromstring(files[-1]).find(SVG + "title").text
            self.assertEqual(title, "Motion of Double pendulum, t = %d" % t)
        self.assertNotEqual(*files)

    def test_texts_of_a_scene_are_texts(self):
        label = "<img src=x onerror=alert(1)> & \"mass\""
        point = {"shape": "point", "at": ["x", 0], "label": label}
        gauge = {"shape": "gauge", "label": "speed", "value": "dot(x)"}
        self.show(job(model=dict(job()["model"], name="a < b"),
                      scene={"space": 2, "items": [point, gauge]}), dark=True)
        found = ElementTree.fromstring(self.save("Save as SVG", "motion-of-a-b.svg"))
        self.assertEqual({one.text for one in found.iter(SVG + "text")}, {label, "speed 0.000"})
        self.assertEqual(found.find(SVG + "title").text, "Motion of a < b, t = 0")
        self.assertEqual(found.find(SVG + "rect").get("fill"), "#14171c")  # the paper, dark

    def test_a_scene_in_space_is_offered_as_png(self):
        self.show(system("vertical-rolling-disk"))
        name = "motion-of-upright-disk-rolling-on-a-plane.png"
        self.browser.run("[...document.querySelectorAll('.scene button')].find("
                         "(one) => one.textContent === 'Save as SVG').click()")
        self.browser.wait_text("SVG is for scenes in the plane", ".scene [role=status]")
        self.assertEqual(self.save("Save picture as PNG", name)[:4], b"\x89PNG")

    def test_a_video_is_a_webm(self):
        self.show(job(time={"end": 4, "samples": 41}))
        video = self.save("Save video", "motion-of-oscillator.webm", b"")
        self.assertEqual(video[:4], EBML)

    def test_a_saved_page_of_a_plane_motion_plays_without_the_network(self):
        self.save_and_play("double-pendulum", "Motion of Double pendulum")
        self.assertFalse(self.browser.run(SOLID))

    def test_a_saved_page_of_a_motion_in_space_plays_without_the_network(self):
        self.save_and_play("vertical-rolling-disk", "Motion of Upright disk rolling on a plane")
        self.assertTrue(self.browser.run(SOLID))

    def save_and_play(self, name, title):
        """The time of a saved page moves, and the picture with it; the page asks for nothing."""
        self.show(system(name))
        self.open_offline(self.save("Save as page", title.lower().replace(" ", "-") + ".html"))
        self.assertEqual(self.browser.text("h1"), title)
        start = self.browser.text("#now")
        self.browser.wait("time to pass", "return document.querySelector('#now').textContent"
                                          " !== arguments[0]", start)
        self.browser.click("#play")
        drawn = {self.drawn(t) for t in (1, 2)}
        self.assertEqual(len(drawn), 2)
        asked = [url for url in self.browser.requests() if not url.startswith("data:")]
        self.assertEqual(asked, [self.browser.url])

    def open_offline(self, page):
        """Opens a saved page as a file of the disk, without the network."""
        path = os.path.join(self.browser.directory, "saved.html")
        with open(path, "wb") as file:
            file.write(page)
        self.network(False)
        self.addCleanup(self.network, True)
        self.browser.look(moving=True)
        self.browser.requests()
        self.browser.open("file://" + path)
        self.browser.wait_text("t = ", "#now")
        self.assertFalse(self.browser.run("return navigator.onLine"))

    def network(self, on):
        self.browser.chrome("Network.emulateNetworkConditions", offline=not on, latency=0,
                            downloadThroughput=-1, uploadThroughput=-1)

    def drawn(self, t):
        """A screenshot of the saved page's scene at an instant."""
        self.browser.run("""
            const line = document.querySelector('#time');
            line.value = arguments[0];
            line.dispatchEvent(new Event('input'));
            return new Promise(requestAnimationFrame);""", t)
        return self.browser.command("GET", self.browser.find("#stage") + "/screenshot")

    def test_the_plots_are_saved_with_their_range(self):
        identifier = self.show(
            job(time={"end": 10, "samples": 1001}, figures=[
                {"title": "energy", "y": ["dot(x)^2/2"]}, {"x": "x", "y": ["dot(x)"]}]),
            "?from=2&to=4")
        text = self.save("Save plots as SVG", "motion-of-oscillator-plots.svg")
        found = ElementTree.fromstring(text)
        texts = [one.text for one in found.iter(SVG + "text")]
        for name in ("Motion of oscillator", "energy", "dot(x) over x", "rates",
                     "coordinates and observables", "x", "dot(x)", "2", "2.2", "4"):
            self.assertIn(name, texts)
        # two figures of all rows, then the columns of the range
        colored = [one for one in found.iter(SVG + "path") if one.get("stroke") == "#0072B2"]
        curves = [numbers(one.get("d")) for one in colored]
        curves = [points for points in curves if len(points) > 2]  # not those of the names
        self.assertEqual([len(points) for points in curves], [1001, 1001, 201, 201])
        rows = self.daemon.get("/v1/jobs/%s/result?from=2&to=4" % identifier).json["series"]
        for points, column in ((curves[2], "x"), (curves[3], "dot(x)")):
            values = rows[column]
            low, high = values.index(min(values)), values.index(max(values))
            height = ((points[low][1] - points[high][1]) / (values[high] - values[low]))
            width = (points[-1][0] - points[0][0]) / 2
            for t, value, (x, y) in zip(rows["t"], values, points):
                self.assertAlmostEqual(x, points[0][0] + width * (t - 2), delta=0.02)
                self.assertAlmostEqual(y, points[low][1] - height * (value - values[low]),
                                       delta=0.03)

    def test_the_plots_of_a_comparison_are_saved(self):
        ids = [self.daemon.finish(dict(system("double-pendulum"), parameters={"l1": length}))["id"]
               for length in (1, 2)]
        self.open("#compare?ids=" + ",".join(ids))
        self.wait_drawn()
        name = "motions-of-a-b-a-solid-the-others-as-ghosts"
        found = ElementTree.fromstring(self.save("Save plots as SVG", name + "-plots.svg"))
        texts = [one.text for one in found.iter(SVG + "text")]
        columns = self.daemon.get("/v1/jobs/%s/result?limit=1" % ids[0]).json["columns"]
        self.assertEqual((texts.count("A"), texts.count("B")), (len(columns) - 1, len(columns) - 1))
        # the scene: ghosts are translucent
        found = ElementTree.fromstring(self.save("Save as SVG", name + ".svg"))
        looks = {(one.get("stroke"), one.get("opacity")) for one in found.iter(SVG + "path")}
        self.assertTrue({("#0072B2", None), ("#C14E00", "0.4")} <= looks, looks)


if __name__ == "__main__":
    unittest.main()
