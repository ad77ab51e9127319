"""GET /v1/jobs/{id}/scene and table=@scene: constants written out, and columns of numbers that
move, bit for bit those of POST .../columns, with their rates."""

import json
import math
import os
import struct
import sys
import unittest

from harness import ROOT, DaemonCase, job

sys.path.insert(0, os.path.join(ROOT, "tools"))

from poses import poses  # noqa: E402

CSV, NPY = "text/csv", "application/x-npy"
OBSERVE_MOST = 100  # of POST .../columns

# an oscillator in the plane: x = cos(2 t), y = 0.5 sin(2 t)
PLANE = {
    "coordinates": ["x", "y"],
    "parameters": {"k": 4, "r": 0.25},
    "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - k/2*(x^2 + y^2)",
}
START = {"q": {"x": 1, "y": 0}, "v": {"x": 0, "y": 1}}
SLED = {  # a knife edge: its constraint has a multiplier
    "coordinates": ["x", "y", "th"],
    "parameters": {"m": 1, "J": 0.1},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(th)^2",
    "constraints": [{"name": "blade", "equation": "dot(x)*sin(th) - dot(y)*cos(th) = 0"}],
}


def catalog():
    folder = os.path.join(ROOT, "models")
    for name in sorted(one for one in os.listdir(folder) if one.endswith(".json")):
        with open(os.path.join(folder, name)) as file:
            yield name[:-5], json.load(file)["job"]


def scene(*items, **members):
    return dict({"space": 2, "items": list(items)}, **members)


def point(*at, **members):
    return dict({"shape": "point", "at": list(at)}, **members)


def plane(**changes):
    changes.setdefault("scene", scene(point("x", "y")))
    return job(**dict({"model": PLANE, "initial": START}, **changes))


def columns_of(value):
    """The names of the columns below a value."""
    if isinstance(value, dict) and list(value) == ["column"]:
        return [value["column"]]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [name for part in parts for name in columns_of(part)]


class SceneCase(DaemonCase):
    def drawing(self, identifier, status=200, **headers):
        answer = self.daemon.get("/v1/jobs/%s/scene" % identifier, headers)
        self.assertEqual(answer.status, status, answer)
        return answer.json if answer.body else answer

    def rows(self, identifier, query="", accept=None, status=200):
        answer = self.daemon.get("/v1/jobs/%s/result?table=@scene%s" % (identifier, query),
                                 {"Accept": accept} if accept else {})
        self.assertEqual(answer.status, status, answer)
        return answer

    def series(self, identifier, query=""):
        return self.rows(identifier, query).json["series"]

    def trajectory(self, identifier):
        return self.daemon.get("/v1/jobs/%s/result" % identifier).json["series"]

    def drawn(self, **changes):
        return self.drawing(self.daemon.finish(plane(**changes))["id"])


class Poses(DaemonCase):
    def test_the_cards_of_the_catalog_have_its_present_scenes(self):
        """web/app/poses.json is the output of `make poses`, but for the last digits of motions."""
        with open(os.path.join(ROOT, "web", "app", "poses.json")) as file:
            kept = json.load(file)
        now = poses(self.daemon)
        self.assertEqual(list(kept), list(now))
        for name, pose in now.items():
            self.assertEqual(kept[name]["scene"], pose["scene"], name)
            self.assertEqual(list(kept[name]["series"]), list(pose["series"]), name)
            for column, values in pose["series"].items():
                size = max(map(abs, values))
                for one, other in zip(kept[name]["series"][column], values, strict=True):
                    self.assertLessEqual(abs(one - other), 0.01 * size, (name, column))


class Documents(SceneCase):
    def refused(self, document, *places):
        """places: pairs of a pointer and a word of its message."""
        answer = self.daemon.post("/v1/jobs", document)
        self.assertEqual(answer.status, 422, answer)
        found = {error["pointer"]: error["message"] + str(error.get("hint"))
                 for error in answer.json["errors"]}
        self.assertEqual(sorted(found), sorted(pointer for pointer, _ in places), found)
        for pointer, word in places:
            self.assertIn(word, found[pointer])

    def test_mistakes_are_told_at_their_place(self):
        first = "/scene/items/0"
        turn = {"space": 3, "items": [{"shape": "axes", "turn": None}]}
        for wrong, pointer, word in (
                ({}, "/scene", "items"), (3, "/scene", "object"),
                ({"items": 3}, "/scene/items", "list"),
                (scene(space=4), "/scene/space", "2 or 3"), (scene(up="w"), "/scene/up", "x, y, z"),
                (scene(lights=[]), "/scene/lights", "unknown"),
                (scene({"shape": "pont"}), first + "/shape", "point"),
                (scene({}), first, "shape"), (scene(3), first, "object"),
                (scene(point("x")), first + "/at", "2"),
                (scene(point("x", True)), first + "/at/1", "expression"),
                (scene(point("x", "y+")), first + "/at/1", ""),
                (scene(point("x", "q")), first + "/at/1", "q"),
                (scene(point("x", "ddot(y)")), first + "/at/1", "accelerations"),
                (scene(point("x", "y", radius=1)), first + "/radius", "unknown"),
                (scene({"shape": "sphere"}), first, "radius"),
                (scene({"shape": "sphere", "radius": -1}), first + "/radius", "positive"),
                (scene(point(0, 0, opacity=2)), first + "/opacity", "0 to 1"),
                (scene(point(0, 0, visible="x")), first + "/visible", "condition"),
                (scene(point(0, 0, visible=1)), first + "/visible", "condition"),
                (scene(point(0, 0, color=7)), first + "/color", "1 to 6"),
                (scene(point(0, 0, color="#12345g")), first + "/color", "rrggbb"),
                (scene(point(0, 0, color="time")), first + "/color", "rrggbb"),
                (scene(point(0, 0, pattern="dots")), first + "/pattern", "spokes"),
                (scene(point(0, 0, label=1)), first + "/label", "text"),
                (scene(point(0, 0, turn=[])), first + "/turn", "expression"),
                (scene(point(0, 0, trail=1)), first + "/trail", "true"),
                (scene(point(0, 0, trail={"of": 1})), first + "/trail/of", "unknown"),
                (scene(point(0, 0, trail={"on": "b"})), first + "/trail/on", "b"),
                (scene(point(0, 0, **{"in": "b"})), first + "/in", "no frame"),
                (scene(point(0, 0, name="ground")), first + "/name", "reserved"),
                (scene(point(0, 0, name="a__b")), first + "/name", "reserved"),
                (scene(point(0, 0, name="1a")), first + "/name", "no name"),
                (scene(point(0, 0, name="a"), point(0, 0, name="a")), "/scene/items/1/name",
                 "twice"),
                (scene({"shape": "polyline", "points": [[0, 0]]}), first + "/points", "2"),
                (scene({"shape": "gauge", "value": "x", "at": "left"}), first + "/at", "corner"),
                (scene({"shape": "ground", "slide": [1]}), first + "/slide", "2"),
                (scene({"shape": "curve", "point": ["s", "q"], "range": [0, 1]}),
                 first + "/point/1", "q"),
                (scene({"shape": "curve", "point": ["s", 0], "range": [0]}), first + "/range", "2"),
                (scene({"shape": "curve", "point": ["s", 0], "range": [0, 1], "samples": 1}),
                 first + "/samples", "501"),
                (scene({"shape": "surface", "point": ["u", "v"], "range": [[0, 1], 1]}),
                 first + "/range/1", "list"),
                (scene({"shape": "surface", "point": ["u", "v"], "range": [[0, 1], [0, 1]],
                        "samples": [51, 51]}), first + "/point", "4000"),
                (scene(frames=[{"at": [0, 0]}]), "/scene/frames/0", "name"),
                (scene(frames=[{"name": "f%d" % k} for k in range(65)]), "/scene/frames", "64"),
                (scene(*[point(0, 0)] * 201), "/scene/items", "200"),
                (scene(camera={"view": "top"}), "/scene/camera/view", "front"),
                (scene(camera={"follow": "a"}), "/scene/camera/follow", "a"),
                (scene(camera={"span": 0}), "/scene/camera/span", "positive"),
        ):
            with self.subTest(wrong):
                self.refused(plane(scene=wrong), (pointer, word))
        circle = [{"name": "a", "in": "b"}, {"name": "b", "in": "a"}]
        self.refused(plane(scene=scene(frames=circle)),
                     ("/scene/frames/0/in", "itself"), ("/scene/frames/1/in", "itself"))
        at = first + "/turn"
        for wrong, pointer, word in (
                (1, at, "axis"), ({}, at, "axis"), ({"axis": [0, 0, 1]}, at, "angle"),
                ({"axis": [0, 1], "angle": 1}, at + "/axis", "3"),
                ({"axis": [0, 0, 1], "angle": 1, "spin": 2}, at + "/spin", "unknown"),
                ({"euler": "zxw", "angles": [0, 0, 0]}, at + "/euler", "zxz"),
                ({"euler": "zxz", "angles": [0, 0]}, at + "/angles", "2 angles"),
                ({"matrix": [[1, 0, 0]]}, at + "/matrix", "3 rows"),
                ({"quaternion": [1, 0, 0]}, at + "/quaternion", "4"),
                ([{"along": 3}], at + "/0/along", "list"),
                ([{"along": [0, 0, 1]}] * 17, at, "16"),
        ):
            with self.subTest(wrong):
                self.refused(plane(scene=dict(turn, items=[{"shape": "axes", "turn": wrong}])),
                             (pointer, word))

    def test_mistakes_of_figures_and_models(self):
        for wrong, pointer, word in (
                (3, "/figures", "list"), ([{}], "/figures/0", "y"),
                ([{"y": []}], "/figures/0/y", "one"),
                ([{"y": ["x"], "z": 1}], "/figures/0/z", "unknown"),
                ([{"y": ["x", "q"]}], "/figures/0/y/1", "q"),
                ([{"y": ["x"]}] * 51, "/figures", "50"),
                ([{"x": "x+", "y": ["x"]}], "/figures/0/x", ""),
                ([{"y": ["x"] * 21}], "/figures/0/y", "20"),
                ([{"title": 1, "y": ["x"]}], "/figures/0/title", "text"),
        ):
            with self.subTest(wrong):
                self.refused(plane(figures=wrong), (pointer, word))
                self.refused(job(model=dict(PLANE, figures=wrong), initial=START),
                             ("/model" + pointer, word))
                answer = self.daemon.post("/v1/models", dict(PLANE, figures=wrong))
                self.assertEqual(answer.status, 422, answer)
                self.assertEqual(answer.json["errors"][0]["pointer"], pointer)
        # a model does not know the observables of jobs, but a job does
        self.refused(job(model=dict(PLANE, scene=scene(point("e", 0))), initial=START,
                         observe={"e": "x^2"}), ("/model/scene/items/0/at/0", "e"))
        self.refused(plane(scene=scene(point("x", "q")), observe={"e": "x+"}),
                     ("/observe/e", ""), ("/scene/items/0/at/1", "q"))

    def test_limits_are_told(self):
        limits = self.daemon.get("/v1/limits").json["limits"]
        for name, value in (("scene-items", 200), ("scene-frames", 64), ("scene-texts", 4000),
                            ("scene-bytes", 4 << 20), ("scene-turns", 16), ("scene-points", 10000),
                            ("figures", 50), ("figure-curves", 20)):
            self.assertEqual(limits[name]["value"], value)


class Drawings(SceneCase):
    def test_every_system_of_the_catalog_draws_something_with_the_bits_of_columns(self):
        compared = 0
        for name, document in catalog():
            with self.subTest(name):
                document = dict(document, analyses=[])
                for member in ("compare", "accuracy"):
                    document.pop(member, None)
                identifier = self.daemon.finish(document)["id"]
                found = self.drawing(identifier)
                self.assertGreaterEqual(len(found["scene"]["items"]), 1)
                self.assertEqual(found["warnings"], [])
                # the columns, then the rates that are known
                texts = {column["name"]: column["text"] for column in found["columns"]}
                texts.update({column["rate"]: "dot(%s)" % column["text"]
                              for column in found["columns"] if column["rate"]})
                self.assertEqual(set(columns_of(found["scene"])) - set(texts), set())
                # the columns route refuses dot() of what else moves
                for column in found["columns"]:
                    if not column["rate"] and not column["text"].startswith("if("):
                        answer = self.daemon.post("/v1/jobs/%s/columns" % identifier,
                                                  {"observe": {"r": "dot(%s)" % column["text"]}})
                        self.assertEqual(answer.status, 422, column)
                names = list(texts)
                for first in range(0, len(names), OBSERVE_MOST):
                    some = names[first : first + OBSERVE_MOST]
                    table = self.rows(identifier, "&columns=t," + ",".join(some), CSV).body
                    other = self.daemon.post("/v1/jobs/%s/columns" % identifier,
                                             {"observe": {k: texts[k] for k in some}},
                                             headers={"Accept": CSV})
                    self.assertEqual(table.split(b"\n", 1)[1], other.body.split(b"\n", 1)[1])
                    compared += len(some)
        self.assertGreater(compared, 300)

    def test_constants_are_written_out_and_equal_texts_share_a_column(self):
        items = [{"shape": "sphere", "radius": "2*r", "at": ["x", "y+r"], "visible": "x > 0"},
                 {"shape": "rod", "from": [0, "-r"], "to": ["x", "y+r"], "opacity": "1/k"}]
        found = self.drawn(scene=scene(*items), parameters={"r": 0.5})
        column = [{"column": "s%d" % k} for k in range(4)]
        self.assertEqual(found["scene"]["items"], [
            {"shape": "sphere", "radius": 1, "at": [column[1], column[2]], "visible": column[3]},
            {"shape": "rod", "from": [0, -0.5], "to": [column[1], column[2]], "opacity": 0.25}])
        self.assertEqual(found["columns"], [
            {"name": "s1", "text": "x", "rate": "dot(s1)"},
            {"name": "s2", "text": "y+r", "rate": "dot(s2)"},
            {"name": "s3", "text": "if(x > 0, 1, 0)", "rate": None}])
        self.assertEqual((found["drawn_by"], found["figures"], found["warnings"]), ("job", [], []))

    def test_a_job_replaces_the_scene_of_its_model(self):
        model = dict(PLANE, scene=scene(point(1, 2)), figures=[{"y": ["x"]}])
        own = scene(point(3, 4))
        found = self.drawn(model=model, scene=own)
        self.assertEqual((found["drawn_by"], found["scene"]), ("job", own))
        self.assertEqual(found["figures"], [{"y": [{"column": "s1"}]}])
        document = plane(model=model, figures=[])
        document.pop("scene")
        found = self.drawing(self.daemon.finish(document)["id"])
        self.assertEqual((found["drawn_by"], found["scene"], found["figures"]),
                         ("model", model["scene"], []))
        # of a stored model, too
        stored = self.daemon.post("/v1/models", model).json["id"]
        document = plane(model={"id": stored})
        document.pop("scene")
        self.assertEqual(self.drawing(self.daemon.finish(document)["id"])["scene"], model["scene"])

    def test_a_scene_may_name_the_observables_of_its_job(self):
        observe = {"e": "x^2/2", "speed": "hypot(dot(x), dot(y))"}
        identifier = self.daemon.finish(plane(observe=observe,
                                              scene=scene(point("2*e", "speed"))))["id"]
        found = self.drawing(identifier)
        self.assertEqual([column["rate"] for column in found["columns"]], ["dot(s1)", None])
        table, own = self.series(identifier), self.trajectory(identifier)
        self.assertEqual(table["s1"], [2 * e for e in own["e"]])
        self.assertEqual(table["s2"], own["speed"])

    def test_columns_of_a_scene_never_clash_with_those_of_the_job(self):
        model = {"coordinates": ["s1"], "lagrangian": "dot(s1)^2/2 - s1^2/2"}
        document = job(model=model, initial={"q": {"s1": 1}}, scene=scene(point("2*s1", 0)),
                       observe={"@0": "s1", "s2": "s1"})
        identifier = self.daemon.finish(document)["id"]
        self.assertEqual(sorted(self.series(identifier)), ["dot(s1)", "s1", "t"])
        self.assertEqual(self.series(identifier)["s1"][0], 2)

    def test_rates_are_slopes(self):
        """Between rows of a fine run a central difference is right to h^2."""
        texts = ["x*y", "sin(x)/(2+y)", "abs(x)+t*y"]
        fine = self.daemon.finish(plane(scene=scene(point(texts[0], texts[1]), point(texts[2], 0)),
                                        time={"end": 1, "samples": 2001}))["id"]
        series, h = self.series(fine), 1 / 2000
        for name in ("s1", "s2", "s3"):
            for k in range(1, 2000):
                if name == "s3" and series["t"][k - 1] < math.pi / 4 < series["t"][k + 1]:
                    continue  # x = 0: a corner
                slope = (series[name][k + 1] - series[name][k - 1]) / (2 * h)
                self.assertAlmostEqual(series["dot(%s)" % name][k], slope, delta=20 * h * h)

    def test_curves_and_surfaces_are_sampled(self):
        curve = {"shape": "curve", "point": ["x + r*cos(s)", "r*sin(s)"], "samples": 3,
                 "range": ["-pi/2", "pi/2"]}
        identifier = self.daemon.finish(plane(scene=scene(curve)))["id"]
        points = self.drawing(identifier)["scene"]["items"][0]["points"]
        self.assertEqual([at[1] for at in points], [-0.25, 0.0, 0.25])
        series = self.series(identifier)
        for at, share in zip(points, (0, 0.25, 0)):
            for x, value in zip(self.trajectory(identifier)["x"], series[at[0]["column"]]):
                self.assertAlmostEqual(value, x + share, delta=1e-15)
        surface = {"shape": "surface", "point": ["u", "10*v", "u*v+2e1"], "samples": [5, 2],
                   "range": [[0, 4], [1, "k"]]}
        found = self.drawn(scene={"items": [surface, dict(surface, samples=[2, 3])]})
        self.assertEqual(found["scene"]["items"][0]["points"],
                         [[[u, 10 * v, u * v + 20] for v in (1, 4)] for u in range(5)])
        self.assertEqual(found["scene"]["items"][1]["points"][1][1], [4, 25, 30])
        default = self.drawn(scene=scene({"shape": "curve", "point": ["s", 0], "range": [0, 1]}))
        self.assertEqual(len(default["scene"]["items"][0]["points"]), 65)

    def test_what_rows_do_not_tell_is_left_out_with_a_warning(self):
        force = {"shape": "arrow", "at": ["x", "y"], "vector": ["reaction(x)", "reaction(y)"]}
        model = dict(SLED, scene=scene(point("x", "y"), force, point("1/(m - k)", 0)))
        model["parameters"] = dict(SLED["parameters"], k=1)
        document = job(model=model, initial={"v": {"x": 1, "th": 1}, "mu": {"blade": 0.2}},
                       formulation="vakonomic")
        found = self.drawing(self.daemon.finish(document)["id"])
        self.assertEqual([item["shape"] for item in found["scene"]["items"]], ["point"])
        self.assertEqual(len(found["warnings"]), 2)
        self.assertIn("/scene/items/1 is left out because of /scene/items/1/vector/0: it reads a "
                      "reaction", found["warnings"][0])
        self.assertIn("/scene/items/2/at/0: its value is not finite", found["warnings"][1])
        # with other equations and another parameter all is there
        document = dict(job(model=model, initial={"v": {"x": 1, "th": 1}}), parameters={"k": 2})
        found = self.drawing(self.daemon.finish(document)["id"])
        self.assertEqual((len(found["scene"]["items"]), found["warnings"]), (3, []))

    def test_a_matrix_that_is_no_rotation_gets_a_warning(self):
        def warnings(matrix):
            axes = {"shape": "axes", "turn": [{"axis": [0, 0, 1], "angle": 1}, {"matrix": matrix}]}
            return self.drawn(scene={"items": [axes]})["warnings"]

        good = [["cos(y)", "-sin(y)", 0], ["sin(y)", "cos(y)", 0], [0, 0, 1]]
        self.assertEqual(warnings(good), [])
        near = [row[:] for row in good]
        near[2][2] = 1 + 4e-7
        self.assertEqual(warnings(near), [])
        for change in (1 + 6e-7, "x + 1e-6", -1):
            good[2][2] = change
            found = warnings(good)
            self.assertEqual(len(found), 1, change)
            self.assertIn("/scene/items/0/turn/1/matrix is no rotation", found[0])

    def test_default_rules(self):
        def items(*coordinates, **members):
            names = [c if isinstance(c, str) else c["name"] for c in coordinates]
            lagrangian = " + ".join("dot(%s)^2/2" % name for name in names)
            model = dict({"coordinates": list(coordinates), "lagrangian": lagrangian}, **members)
            found = self.drawing(self.daemon.finish(job(model=model, initial={}))["id"])
            self.assertEqual(found["drawn_by"], "default rules")
            texts = {column["name"]: column["text"] for column in found["columns"]}
            written = json.dumps(found["scene"]["items"])
            for name, text in texts.items():
                written = written.replace('{"column": "%s"}' % name, json.dumps(text))
            return found["scene"]["space"], json.loads(written)

        self.assertEqual(items("x", "y"), (2, [
            {"shape": "point", "at": ["x", "y"], "trail": True},
            {"shape": "arrow", "role": "velocity", "at": ["x", "y"],
             "vector": ["dot(x)", "dot(y)"]}]))
        space, found = items("x1", "z1", "x2", "q")
        self.assertEqual((space, [item["at"] for item in found if item["shape"] == "point"]),
                         (3, [["x1", 0, "z1"], ["x2", 0, 0]]))
        space, found = items("q", definitions={"X": "cos(q)", "Y": "q"})
        self.assertEqual((space, found[0]["at"], found[1]["vector"]), (2, ["X", "Y"],
                                                                     ["dot(X)", "dot(Y)"]))
        angle = {"name": "a", "period": 6.283185307179586}
        self.assertEqual(items(angle, "u", dict(angle, name="b")), (2, [
            {"shape": "rod", "from": [0, 0], "to": ["sin(a)", "-cos(a)"]},
            {"shape": "rod", "from": ["sin(a)", "-cos(a)"],
             "to": ["sin(a) + sin(b)", "-cos(a) - cos(b)"]}]))
        self.assertEqual(items("u", "w"), (2, [
            {"shape": "point", "at": ["u", "w"], "trail": True},
            {"shape": "gauge", "label": "u", "value": "u"},
            {"shape": "gauge", "label": "w", "value": "w"}]))
        # reactions, if there are constraints
        space, found = items("x", "y", constraints=["dot(x) = dot(y)"])
        self.assertEqual(found[2]["role"], "reaction")


def rotation(turn):
    """The matrix of a turn in space, of numbers; of the plane as one about z."""
    if isinstance(turn, list):
        whole = rotation({"axis": [0, 0, 1], "angle": 0})
        for part in turn:
            whole = times(whole, rotation(part))
        return whole
    if not isinstance(turn, dict):
        turn = {"axis": [0, 0, 1], "angle": turn}
    if "euler" in turn:
        return rotation([{"axis": [float(axis == one) for one in "xyz"], "angle": angle}
                         for axis, angle in zip(turn["euler"], turn["angles"])])
    # Rodrigues
    axis = [part / math.hypot(*turn["axis"]) for part in turn["axis"]]
    c, s = math.cos(turn["angle"]), math.sin(turn["angle"])
    x, y, z = axis
    cross = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return [[c * (i == j) + (1 - c) * axis[i] * axis[j] + s * cross[i][j] for j in range(3)]
            for i in range(3)]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def moved(matrix, origin, at):
    return [origin[i] + sum(matrix[i][j] * at[j] for j in range(3)) for i in range(3)]


def filled(value, row):
    """The columns below a value replaced by their numbers in a row."""
    if isinstance(value, dict):
        if list(value) == ["column"]:
            return row[value["column"]]
        return {name: filled(part, row) for name, part in value.items()}
    return [filled(part, row) for part in value] if isinstance(value, list) else value


def pose(scene, thing):
    """Axes and origin in the ground of an item or a frame, of numbers."""
    at = (thing.get("at", [0, 0, 0]) + [0])[:3]
    matrix = rotation(thing.get("turn", 0))
    parent = thing.get("in", "ground")
    if parent == "ground":
        return matrix, at
    outer, origin = pose(scene, next(f for f in scene["frames"] if f["name"] == parent))
    return times(outer, matrix), moved(outer, origin, at)


# system, number of the item that rolls, its contact in the ground, the velocity of what it rolls
# on, by the center of the item, its radius, the time and the parameters of the model
ROLLING = [
    ("vertical-rolling-disk", 1, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("vakonomic-rolling-disk-generic-mu", 1, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("appell-linear", 1, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("two-wheeled-carriage-generic", 3, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("two-wheeled-carriage-generic", 4, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("mobile-robot-fixed-orientation", 2, lambda c, r, t, p: [c[0], c[1], 0], None),
    ("sphere-on-rotating-plane", 1, lambda c, r, t, p: [c[0], c[1], 0],
     lambda at, t, p: [-p["W"] * at[1], p["W"] * at[0], 0]),
    ("sphere-on-rotating-plane-moving-frame", 1, lambda c, r, t, p: [c[0], c[1], 0],
     lambda at, t, p: [-p["W"] * at[1], p["W"] * at[0], 0]),
    ("sphere-on-table-variable-speed-moving-frame", 1, lambda c, r, t, p: [c[0], c[1], 0],
     lambda at, t, p: [(p["W0"] + p["B"] * math.sin(p["nu"] * t)) * part
                       for part in (-at[1], at[0], 0)]),
    ("sphere-in-rotating-cylinder-gravity", 1,
     lambda c, r, t, p: [c[0] * (1 + r / math.hypot(*c[:2])), c[1] * (1 + r / math.hypot(*c[:2])),
                         c[2]],
     lambda at, t, p: [-p["W"] * at[1], p["W"] * at[0], 0]),
    ("disc-on-fixed-disc", 1,
     lambda c, r, t, p: [part * (1 - r / math.hypot(*c[:2])) for part in c], None),
]


class Bodies(SceneCase):
    def test_what_rolls_in_the_catalog_does_not_slip_in_its_scene(self):
        """The point of the body that touches has the velocity of what it touches: by a central
        difference of its poses at two instants, right to h^2."""
        documents, h = dict(catalog()), 1e-4
        for name, number, contact, ground in ROLLING:
            document = documents[name]
            start = document["initial"].get("t", 0)
            instants = [start] + [t + d for t in (0.5, 1.25) for d in (-h, 0, h)]
            document = dict(document, time={"at": instants}, analyses=[])
            identifier = self.daemon.finish(document)["id"]
            parameters = {key: value["value"] if isinstance(value, dict) else value
                          for key, value in document["model"].get("parameters", {}).items()}
            series, drawn = self.series(identifier), self.drawing(identifier)["scene"]
            rows = [{key: series[key][k] for key in series} for k in range(len(instants))]
            for k in (2, 5):
                with self.subTest((name, number, k)):
                    scenes = [filled(drawn, row) for row in rows[k - 1 : k + 2]]
                    poses = [pose(one, one["items"][number]) for one in scenes]
                    (matrix, origin), t = poses[1], instants[k]
                    at = contact(origin, scenes[1]["items"][number]["radius"], t, parameters)
                    local = [sum(matrix[j][i] * (at[j] - origin[j]) for j in range(3))
                             for i in range(3)]
                    before, after = moved(*poses[0], local), moved(*poses[2], local)
                    wanted = ground(at, t, parameters) if ground else [0, 0, 0]
                    for i in range(3):
                        slope = (after[i] - before[i]) / (2 * h)
                        self.assertAlmostEqual(slope, wanted[i], delta=1e-5)


    def test_balls_on_tables_stay_on_the_drawn_disc(self):
        """Also at the ends of the slider for the table's angular velocity, if it has one."""
        tables = 0
        for name, document in catalog():
            items = document["model"].get("scene", {}).get("items", [])
            if not any(one["shape"] == "disc" and one.get("in") == "table" for one in items):
                continue
            tables += 1
            speed = document["model"]["parameters"].get("W")
            values = [speed["value"] * factor for factor in (0.1, 0.5, 1, 10)] if speed else [None]
            for value in values:
                changed = {} if value is None else {"parameters": {"W": value}}
                with self.subTest((name, value)):
                    identifier = self.daemon.finish(dict(document, analyses=[], **changed))["id"]
                    drawn, series = self.drawing(identifier)["scene"], self.series(identifier)
                    rows = [{key: series[key][k] for key in series}
                            for k in range(len(series["t"]))]
                    disc, ball = drawn["items"][:2]
                    for row in rows:
                        _, at = pose(filled(drawn, row), filled(ball, row))
                        self.assertLessEqual((at[0] ** 2 + at[1] ** 2) ** 0.5, disc["radius"])
        self.assertGreater(tables, 0)


class Tables(SceneCase):
    def test_selections_and_formats_are_those_of_other_tables(self):
        identifier = self.daemon.finish(plane(time={"end": 10, "samples": 101}))["id"]
        whole = self.series(identifier)
        self.assertEqual(list(whole), ["t", "s1", "s2", "dot(s1)", "dot(s2)"])
        self.assertEqual(self.rows(identifier).json["table"], "@scene")
        own = self.trajectory(identifier)
        self.assertEqual([whole["s1"], whole["dot(s2)"]], [own["x"], own["dot(y)"]])
        self.assertEqual(self.series(identifier, "&columns=s2,t&from=9.9"),
                         {"s2": own["y"][-2:], "t": own["t"][-2:]})
        few = self.rows(identifier, "&points=5").json
        self.assertTrue(few["downsampled"])
        self.assertLess(len(few["series"]["t"]), 20)
        lines = self.rows(identifier, "&tail=1", CSV).body.splitlines()
        self.assertEqual(lines[0], b"t,s1,s2,dot(s1),dot(s2)")
        numbers = struct.unpack("<5d", self.rows(identifier, "&tail=1", NPY).body[-40:])
        self.assertEqual(list(numbers), [float(text) for text in lines[1].split(b",")])
        page = self.rows(identifier, "&limit=3&columns=t").json
        self.assertEqual((page["series"]["t"], page["next"]), (own["t"][:3], "3"))
        for query in ("&columns=x", "&columns=s3", "&stride=0"):
            self.rows(identifier, query, status=400)

    def test_a_finished_job_is_tagged(self):
        identifier = self.daemon.finish(plane())["id"]
        for path in ("/v1/jobs/%s/scene" % identifier,
                     "/v1/jobs/%s/result?table=@scene" % identifier):
            tag = self.daemon.get(path).headers["etag"]
            self.assertEqual(self.daemon.get(path, {"If-None-Match": tag}).status, 304)

    def test_rows_in_other_units_are_converted(self):
        model = {"coordinates": [{"name": "x", "unit": "mm"}],
                 "parameters": {"m": {"value": 1, "unit": "kg"}, "k": {"value": 1, "unit": "N/m"}},
                 "lagrangian": "m/2*dot(x)^2 - k/2*x^2"}
        identifier = self.daemon.finish(job(model=model, initial={"q": {"x": 250}},
                                            scene=scene(point("2*x", 0))))["id"]
        table = self.rows(identifier).json
        self.assertEqual(table["units"]["s1"], "m")
        own = self.daemon.get("/v1/jobs/%s/result" % identifier).json["series"]["x"]
        for shown, value in zip(own, table["series"]["s1"]):
            self.assertAlmostEqual(value, shown / 500, delta=1e-15)

    def test_a_scene_without_motion_has_the_time_alone(self):
        identifier = self.daemon.finish(plane(scene=scene(point(0, "r"))))["id"]
        self.assertEqual(self.drawing(identifier)["columns"], [])
        self.assertEqual(list(self.series(identifier)), ["t"])

    def test_a_scene_changes_no_result_and_compiles_nothing(self):
        def misses():
            text = self.daemon.get("/metrics").body.decode()
            return [line for line in text.splitlines()
                    if line.startswith("dalembert_compiled_misses_total")]

        first = self.daemon.finish(plane(cache=True, time={"end": 3, "samples": 7}))
        before = misses()
        for changes in ({"scene": scene(point("y", "x"))}, {"figures": [{"y": ["x*y"]}]},
                        {"model": dict(PLANE, scene=scene(point(5, 5)))}):
            again = self.daemon.finish(plane(cache=True, time={"end": 3, "samples": 7}, **changes))
            self.assertTrue(again["cached"], changes)
            path = "/v1/jobs/%s/result"
            self.assertEqual(self.daemon.get(path % first["id"]).body,
                             self.daemon.get(path % again["id"]).body)
        self.assertEqual(misses(), before)
        self.assertTrue(before)
        self.assertEqual(self.drawing(again["id"])["scene"]["items"],
                         [point({"column": "s1"}, {"column": "s2"})])

    def test_jobs_without_a_scene_of_their_own_rows_are_refused(self):
        identifier = self.daemon.finish(plane())["id"]
        ensemble = self.daemon.finish(plane(vary={"initial.q.x": [1, 2]}))["id"]
        self.drawing(ensemble, status=409)
        self.drawing("0198c0de-0000-7000-8000-000000000000", status=404)
        path = "/v1/jobs/%s" % identifier
        self.assertEqual(self.daemon.get(path + "/plot.svg?table=@scene").status, 400)
        self.assertEqual(self.daemon.post(path + "/columns?table=@scene",
                                          {"observe": {"a": "x"}}).status, 400)
        # the document of a member has the scene of its ensemble
        member = self.daemon.get("/v1/jobs/%s/members/1" % ensemble).json["job"]
        self.assertEqual(self.drawing(self.daemon.finish(member)["id"])["drawn_by"], "job")


if __name__ == "__main__":
    unittest.main()
