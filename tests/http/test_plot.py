"""Drawings of results: well-formed, whole, and of the numbers that the result has."""

import re
import unittest
from xml.etree import ElementTree

from harness import OSCILLATOR, Daemon, job

SVG = "{http://www.w3.org/2000/svg}"


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.id = cls.daemon.finish(
            job(
                time={"end": 20, "samples": 5001},
                observe={"E": "energy()", "<&>": "2*x"},
                events=[{"name": "turn", "when": "dot(x)"}],
            )
        )["id"]

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def get(self, query="", headers=None):
        return self.daemon.get("/v1/jobs/%s/plot.svg%s" % (self.id, query), headers or {})

    def plot(self, query=""):
        answer = self.get(query)
        self.assertEqual((answer.status, answer.headers["content-type"]),
                         (200, "image/svg+xml"), answer)
        return ElementTree.fromstring(answer.body)

    def curves(self, root):
        area = next(g for g in root.iter(SVG + "g") if "clip-path" in g.attrib)
        return [path.attrib["d"] for path in area]

    def texts(self, root):
        return [text.text for text in root.iter(SVG + "text")]

    def test_coordinates_over_time_are_what_is_drawn_unless_asked(self):
        root = self.plot()
        self.assertEqual((root.attrib["width"], root.attrib["height"]), ("640", "400"))
        self.assertEqual(len(self.curves(root)), 1)
        self.assertIn("x", self.texts(root))
        self.assertIn("t", self.texts(root))
        self.assertIn("x over t", root.find(SVG + "title").text)

    def test_curves_are_the_numbers_of_the_result(self):
        root = self.plot("?y=x&from=0&to=1&width=1000")
        result = self.daemon.get("/v1/jobs/%s/result?columns=t,x&to=1" % self.id).json["series"]
        points = [tuple(map(float, p))
                  for p in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", self.curves(root)[0])]
        self.assertEqual(len(points), len(result["t"]))
        # one affine map takes the numbers to pixels, to half a tenth of one
        for column, pixels in ((result["t"], [p[0] for p in points]),
                               (result["x"], [p[1] for p in points])):
            low, high = column.index(min(column)), column.index(max(column))
            slope = (pixels[high] - pixels[low]) / (column[high] - column[low])
            for value, pixel in zip(column, pixels):
                self.assertAlmostEqual(pixels[low] + slope * (value - column[low]),
                                       pixel, delta=0.11)

    def test_many_rows_keep_their_extremes_and_little_is_sent(self):
        every = self.get("?y=x,dot(x)")
        self.assertLess(len(every.body), 60000)

    def test_names_are_texts(self):
        self.assertIn("<&>", self.texts(self.plot("?y=x,%3C%26%3E")))

    def points(self, root):
        return [tuple(map(float, p))
                for p in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", self.curves(root)[0])]

    def extent(self, root):
        points = self.points(root)
        return [max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1)]

    def test_sections_are_dots(self):
        self.assertNotIn("L", self.curves(self.plot("?table=turn&x=t&y=x"))[0])

    def test_what_is_measured_alike_has_one_scale(self):
        wide, high = self.extent(self.plot("?x=x&y=%3C%26%3E"))  # 2 x
        self.assertAlmostEqual(high / wide, 2, delta=0.01)
        wide, high = self.extent(self.plot("?x=x&y=dot(x)"))  # cos(2 t), -2 sin(2 t)
        self.assertAlmostEqual(high / wide, 2, delta=0.01)
        self.assertGreater(self.extent(self.plot("?x=x&y=dot(x)&aspect=fill"))[0], 500)

    def test_a_path_does_not_touch_the_frame(self):
        for query, touches in (("?x=t&y=x", True), ("?x=x&y=dot(x)", False),
                               ("?x=x&y=%3C%26%3E", False)):
            root = self.plot(query)
            frame = root.find(".//%sclipPath/%srect" % (SVG, SVG)).attrib
            left, right = float(frame["x"]), float(frame["x"]) + float(frame["width"])
            drawn = [p[0] for p in self.points(root)]
            self.assertEqual((min(drawn) - left < 2, right - max(drawn) < 2),
                             (touches, touches), query)

    def test_paths_keep_their_shape_where_both_axes_have_one_unit(self):
        model = {
            "coordinates": [{"name": "x", "unit": "m"}, {"name": "y", "unit": "m"},
                            {"name": "z", "unit": "cm"}],
            "parameters": {"w": {"value": 1, "unit": "1/s"}},
            "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2 - w^2*(x^2 + y^2 + z^2))/2",
        }
        initial = {"q": {"x": 2}, "v": {"y": 1, "z": 100}}
        found = self.daemon.finish(job(model=model, initial=initial,
                                       time={"end": 7, "samples": 500}))["id"]
        plot = "/v1/jobs/%s/plot.svg?x=x&y=" % found
        wide, high = self.extent(ElementTree.fromstring(self.daemon.get(plot + "y").body))
        self.assertAlmostEqual(high / wide, 0.5, delta=0.01)
        # z is as large as y, but its numbers are a hundred times as large: a line upwards, on one
        # scale
        self.assertGreater(self.extent(ElementTree.fromstring(self.daemon.get(plot + "z").body))[0],
                           500)

    def test_names_of_axes_do_not_cover_their_labels(self):
        # on one scale with x, y has labels such as 0.0024 + 12345.676, wider than those of its own
        # range
        model = {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - 50*x^2"}
        initial = {"q": {"x": 1e-3, "y": 12345.678}, "v": {"y": 1e-7}}
        found = self.daemon.finish(job(model=model, initial=initial, time={"end": 3}))["id"]
        root = ElementTree.fromstring(self.daemon.get("/v1/jobs/%s/plot.svg?x=x&y=y" % found).body)
        labels = [text for text in root.iter(SVG + "text") if text.attrib["text-anchor"] == "end"]
        widest = max(7 * len(text.text) for text in labels)
        self.assertGreater(float(labels[0].attrib["x"]) - widest, 20)

    def test_what_cannot_be_drawn_is_refused(self):
        for query in ("y=none", "x=t,x", "width=10", "height=9999",
                      "theme=pink", "aspect=1", "style=",
                      "y=x,x", "table=none", "z=1"):
            answer = self.get("?" + query)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), query)
        self.assertIn('there is no column "none"; there are t, x, dot(x), E, <&>',
                      self.get("?y=none").json["detail"])
        self.assertIn('did you mean "dot(x)"?', self.get("?y=dot(X)").json["detail"])
        self.assertIn("from must be a number", self.get("?from=a").json["detail"])
        self.assertNotIn("e+308", self.get("?from=a").json["detail"])
        queued = self.daemon.post("/v1/jobs", job(vary={"parameters.k": [1, 2]})).json["id"]
        answer = self.daemon.get("/v1/jobs/%s/plot.svg" % queued)
        self.assertEqual(answer.status, 400, answer)
        self.assertIn("ensemble", answer.json["detail"])

    def test_a_model_without_a_name_has_a_title_without_one(self):
        nameless = {name: value for name, value in OSCILLATOR.items() if name != "name"}
        found = self.daemon.finish(job(model=nameless))
        drawn = self.daemon.get("/v1/jobs/%s/plot.svg?y=x" % found["id"]).body
        self.assertEqual(ElementTree.fromstring(drawn).find(SVG + "title").text, "x over t")

    def test_what_the_client_has_is_not_drawn_again(self):
        tag = self.get("?theme=dark").headers["etag"]
        self.assertEqual(self.get("?theme=dark", {"If-None-Match": tag}).status, 304)
        self.assertEqual(self.get("?theme=light", {"If-None-Match": tag}).status, 200)


if __name__ == "__main__":
    unittest.main()
