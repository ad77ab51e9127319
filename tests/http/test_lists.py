"""Lists that clients send: each has a limit, which the contract and /v1/limits tell; at it a job
costs little, beyond it is refused."""

import unittest

from contract import CONTRACT
from harness import LEAN, Daemon, DaemonCase, job

MIB = 1024 * 1024


def names(n, what="n"):
    return ["%s%d" % (what, k) for k in range(n)]


def values(n, value=1):
    return {name: value for name in names(n)}


def model(n=2, **changes):
    coordinates = names(n, "q")
    document = {"coordinates": coordinates,
                "lagrangian": " + ".join("dot(%s)^2" % q for q in coordinates)}
    return dict(document, **changes)


def model_with(member, make, wrap=lambda entries: entries):
    return lambda n: {"model": model(**{member: wrap(make(n))})}


def job_with(member, make):
    return lambda n: {member: make(n)}


def initial_with(make):
    return lambda n: {"initial": make(n)}


def design(kind, **members):
    return {"ensemble": {"design": dict({"kind": kind}, **members)}}


def ensemble(**members):
    return {"vary": {"initial.q.x": [1, 2]}, "ensemble": members}


def reduction(**members):
    return ensemble(reduce={"r": members})


def least_action(**members):
    boundary = dict({"start": {"t": 0, "q": {"x": 0}}, "end": {"t": 1, "q": {"x": 1}}}, **members)
    return {"formulation": "least-action", "boundary": boundary, "initial": None, "time": None}


def scene(**members):
    return {"scene": dict({"space": 2, "items": []}, **members)}


def fields(member):
    return lambda n: [{"name": "f%d" % k, member: {"q0": "1"}} for k in range(n)]


def events(n):
    return [{"name": name, "when": "%d.5*x + dot(x) - 1" % k} for k, name in enumerate(names(n))]


VALUES = "Values"  # of the contract: by coordinate, wherever they are

# the lists of the contract: the limit by its name, a job with n entries (what differs from that of
# the harness), where they are
LISTS = {
    "ModelDocument.coordinates": ("coordinates", lambda n: {"model": model(n), "initial": {}},
                                  "/model/coordinates"),
    "ModelDocument.parameters": ("parameters", model_with("parameters", values),
                                 "/model/parameters"),
    "ModelDocument.definitions": (
        "definitions", model_with("definitions", lambda n: values(n, "q0 + 1")),
        "/model/definitions"),
    "ModelDocument.constraints": (
        "constraints", model_with("constraints",
                                  lambda n: ["dot(q0) = %d*dot(q1)" % k for k in range(n)]),
        "/model/constraints"),
    "ModelDocument.forces": ("coordinates", model_with("forces", lambda n: values(n, "1")),
                             "/model/forces"),
    "ModelDocument.symmetries": ("fields", model_with("symmetries", fields("generator")),
                                 "/model/symmetries"),
    "ModelDocument.symmetries/items.generator": (
        "coordinates", model_with("symmetries",
                                  lambda n: [{"name": "s", "generator": values(n, "1")}]),
        "/model/symmetries/0/generator"),
    "ModelDocument.base": ("coordinates", model_with("base", names), "/model/base"),
    "ModelDocument.frame": ("fields", model_with("frame", fields("field")), "/model/frame"),
    "ModelDocument.frame/items.field": (
        "coordinates", model_with("frame", lambda n: [{"name": "s", "field": values(n, "1")}]),
        "/model/frame/0/field"),
    "ModelDocument.chart.coordinates": (
        "coordinates", model_with("chart", lambda n: {"coordinates": names(n), "map": {}}),
        "/model/chart/coordinates"),
    "ModelDocument.chart.map": (
        "coordinates", model_with("chart", lambda n: {"coordinates": ["a"], "map": values(n, "a")}),
        "/model/chart/map"),
    "JobDocument.parameters": ("parameters", job_with("parameters", values), "/parameters"),
    "JobDocument.compare": ("compare", job_with("compare", lambda n: ["voronec"] * n), "/compare"),
    VALUES: ("coordinates", initial_with(lambda n: {"q": values(n)}), "/initial/q"),
    "JobDocument.initial.mu|0": ("constraints", initial_with(lambda n: {"mu": [0] * n}),
                                 "/initial/mu"),
    "JobDocument.initial.mu|1": ("constraints", initial_with(lambda n: {"mu": values(n)}),
                                 "/initial/mu"),
    "JobDocument.initial.hold": ("coordinates", initial_with(lambda n: {"hold": names(n)}),
                                 "/initial/hold"),
    "JobDocument.boundary.guesses": (
        "guesses", lambda n: least_action(guesses=[{"v": {"x": k}} for k in range(n)]),
        "/boundary/guesses"),
    "JobDocument.integrator.nominal": (
        "state", lambda n: {"integrator": {"nominal": values(n)}}, "/integrator/nominal"),
    "JobDocument.observe": (
        "observe", job_with("observe", lambda n:
                            {name: "x + %d" % k for k, name in enumerate(names(n))}), "/observe"),
    "JobDocument.events": ("events", job_with("events", events), "/events"),
    "JobDocument.events/items.set": (
        "state", lambda n: {"events": [{"name": "e", "when": "x", "set": values(n, "0")}]},
        "/events/0/set"),
    "Scene.items": (
        "scene-items", lambda n: scene(items=[{"shape": "axes"}] * n), "/scene/items"),
    "Scene.frames": (
        "scene-frames", lambda n: scene(frames=[{"name": name} for name in names(n)]),
        "/scene/frames"),
    "SceneItem.points": (
        "scene-points", lambda n: scene(items=[{"shape": "polyline", "points": [[0, 0]] * n}]),
        "/scene/items/0/points"),
    "SceneTurn|2": (
        "scene-turns", lambda n: scene(space=3, items=[
            {"shape": "axes", "turn": [{"along": [0, 0, 1]}] * n}]), "/scene/items/0/turn"),
    "Figures": ("figures", lambda n: {"figures": [{"y": ["x"]}] * n}, "/figures"),
    "Figure.y": ("figure-curves", lambda n: {"figures": [{"y": ["x"] * n}]}, "/figures/0/y"),
    "JobDocument.analyses": ("analyses", job_with("analyses", lambda n: ["discovery"] * n),
                             "/analyses"),
    "JobDocument.sensitivities": (
        "sensitivities", job_with("sensitivities", lambda n: ["parameters.k"] * n),
        "/sensitivities"),
    "JobDocument.vary": (
        "varied", lambda n: {"vary": {"parameters.%s" % name: [1] for name in names(n)}}, "/vary"),
    "Design.ranges": (
        "varied",
        lambda n: design("lhs", count=2,
                         ranges={"parameters.%s" % name: {"from": 0, "to": 1}
                                 for name in names(n)}),
        "/ensemble/design/ranges"),
    "Design.columns": (
        "varied", lambda n:
            design("table", columns={"parameters.%s" % name: [1] for name in names(n)}),
        "/ensemble/design/columns"),
    "JobDocument.ensemble.reduce": (
        "reductions",
        lambda n: ensemble(reduce={name: {"take": "mean", "of": "x^%d" % k}
                                   for k, name in enumerate(names(n))}),
        "/ensemble/reduce"),
    "Reduction.when": (
        "conditions", lambda n: reduction(take="label",
                                          when=[["sin(%d.5*x) < 0" % k, k] for k in range(n)]),
        "/ensemble/reduce/r/when"),
    "JobDocument.ensemble.over_time": (
        "over-time-columns", lambda n: ensemble(over_time=names(n)), "/ensemble/over_time"),
    "JobDocument.labels": ("labels", job_with("labels", lambda n: values(n, "")), "/labels"),
    "NotifyEvents": (
        None, lambda n: {"notify": {"url": "https://example.org", "on": ["done"] * n}},
        "/notify/on"),
}
# numbers, as many as a document has values
NUMBERS = {
    "JobDocument.time.at": (lambda n: {"time": {"at": list(range(n))}}, "/time/at"),
    "JobDocument.events/items.at": (
        lambda n: {"events": [{"name": "e", "at": list(range(n))}]}, "/events/0/at"),
    "JobDocument.vary/additionalProperties|0": (
        lambda n: {"vary": {"initial.q.x": [1] * n}}, "/vary/initial.q.x"),
    "Design.columns/additionalProperties": (
        lambda n: design("table", columns={"initial.q.x": [1] * n}),
        "/ensemble/design/columns/initial.q.x"),
}
# of requests that are no jobs
OTHERS = {
    "/v1/jobs:batch.jobs": ("batch", 10000),
    "BulkWish.ids": ("batch", 10000),
    "BulkWish.filter.labels": ("labels", 32),
    "/v1/jobs/{id}/columns.observe": ("columns", 100),
}
FIXED = {  # lists of as many entries as their meaning has
    "Reduction.when/items": 2,  # the condition and its number
    "KeyDraft.scopes": 4,  # as many as there are
    "ScenePoint": 3, "SceneItem.range": 2, "SceneItem.range/items|1": 2, "SceneItem.slide": 2,
    "SceneItem.samples|1": 2, "SceneItem.points/items|1": 51,  # samples of a surface, in answers
    "SceneRotation.matrix": 3, "SceneRotation.quaternion": 4, "SceneRotation.angles": 3,
}


def lists_of(schema, path, found, seen):
    """The arrays and maps under a schema: the most entries that each may have, None: any number."""
    if "$ref" in schema:
        name = schema["$ref"].split("/")[-1]
        if name not in seen:
            seen.add(name)
            lists_of(CONTRACT.document["components"]["schemas"][name], name, found, seen)
        return
    if schema.get("type") == "array":
        found[path] = schema.get("maxItems")
    if isinstance(schema.get("additionalProperties"), dict):
        found[path] = schema.get("maxProperties")
    for name, member in schema.get("properties", {}).items():
        lists_of(member, "%s.%s" % (path, name), found, seen)
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            lists_of(schema[word], "%s/%s" % (path, word), found, seen)
    for k, choice in enumerate(schema.get("anyOf", [])):
        lists_of(choice, "%s|%d" % (path, k), found, seen)


def contract_lists():
    found, seen = {}, set()
    for path, methods in CONTRACT.document["paths"].items():
        for operation in methods.values():
            body = operation.get("requestBody", {}) if isinstance(operation, dict) else {}
            for content in body.get("content", {}).values():
                lists_of(content["schema"], path, found, seen)
    return found


class Lists(DaemonCase):
    def limits(self):
        return self.daemon.get("/v1/limits").json["limits"]

    def validate(self, changes):
        document = {name: member for name, member in job(**changes).items() if member is not None}
        return self.daemon.post("/v1/jobs?validate_only=true", document)

    def refusals(self, changes, most):
        """Pointers at which the job is told that there is too much of something."""
        answer = self.validate(changes)
        self.assertIn(answer.status, (200, 422), answer)
        mistakes = answer.json["errors"] if answer.status == 422 else []
        return [m["pointer"] for m in mistakes
                if "entries; at most %d are allowed" % most in m["message"]]

    def test_every_list_of_the_contract_has_a_limit(self):
        found, limits = contract_lists(), self.limits()
        self.assertEqual({path: found.pop(path) for path in FIXED}, FIXED)
        self.assertEqual(set(found), set(LISTS) | set(NUMBERS) | set(OTHERS))
        for path, (name, _, _) in LISTS.items():
            most = int(limits[name]["value"]) if name else 4
            self.assertEqual(found[path], most + (path == "Design.columns"), path)
        for path in NUMBERS:
            self.assertEqual(found[path], limits["json-values"]["value"], path)
        for path, (name, most) in OTHERS.items():
            self.assertEqual((found[path], limits[name]["value"]), (most, most), path)

    def test_lists_are_taken_up_to_the_limit(self):
        limits = self.limits()
        for path, (name, changes, pointer) in LISTS.items():
            most = int(limits[name]["value"]) if name else 4
            with self.subTest(path):
                self.assertNotIn(pointer, self.refusals(changes(most), most))
                self.assertIn(pointer, self.refusals(changes(most + 1), most))

    def test_jobs_with_full_lists_are_accepted(self):
        for path in ("JobDocument.observe", "JobDocument.events",
                     "JobDocument.ensemble.reduce", "Reduction.when",
                     "JobDocument.labels", "ModelDocument.parameters", "ModelDocument.definitions"):
            name, changes, _ = LISTS[path]
            document = changes(int(self.limits()[name]["value"]))
            if path.startswith("Model"):
                document["initial"] = {}
            self.assertEqual(self.validate(document).status, 200, path)

    def test_a_table_has_numbers_of_other_members_beside_its_paths(self):
        columns = {"parameters.%s" % name: [1] for name in names(100)}
        columns["of.member"] = [0]
        self.assertEqual(self.refusals(design("table", columns=columns), 101), [])
        columns["parameters.one_more"] = [1]
        self.assertEqual(self.refusals(design("table", columns=columns), 101),
                         ["/ensemble/design/columns"])

    def test_labels_of_a_filter_are_counted(self):
        answer = self.daemon.post("/v1/jobs:cancel", {"filter": {"labels": values(33, "")}})
        self.assertEqual(answer.status, 422)
        self.assertIn("at most 32", answer.json["errors"][0]["message"])

    def test_observables_of_a_job_that_has_run_are_counted(self):
        path = "/v1/jobs/%s/columns" % self.daemon.finish()["id"]
        self.assertEqual(self.daemon.post(path, {"observe": values(100, "x")}).status, 200)
        for n in (101, 2000):
            answer = self.daemon.post(path, {"observe": values(n, "x")})
            self.assertEqual((answer.status, answer.json["errors"][0]["pointer"]),
                             (422, "/observe"))
            self.assertIn("at most 100 are allowed", answer.json["errors"][0]["message"])


class Memory(unittest.TestCase):
    """A daemon a test: what it takes at most is asked."""

    def test_full_lists_take_little(self):
        daemon = Daemon(environment=LEAN)
        self.addCleanup(daemon.close)
        limits = daemon.get("/v1/limits").json["limits"]
        daemon.post("/v1/jobs?validate_only=true", job())
        before = daemon.peak_memory()
        for name, changes, _ in LISTS.values():
            # the largest model of all is no matter of lists
            most = int(limits[name]["value"]) if name else 4
            entries = 20 if changes is LISTS["ModelDocument.coordinates"][1] else most
            document = {member: value for member, value in job(**changes(entries)).items()
                        if value is not None}
            self.assertIn(daemon.post("/v1/jobs?validate_only=true", document).status, (200, 422))
        self.assertLess(daemon.peak_memory() - before, 48 * MIB)

    def test_numbers_up_to_all_values_of_a_document_take_little(self):
        daemon = Daemon(environment=LEAN)
        self.addCleanup(daemon.close)
        most = int(daemon.get("/v1/limits").json["limits"]["json-values"]["value"])
        for changes, pointer in NUMBERS.values():
            before = daemon.peak_memory()
            answer = daemon.post("/v1/jobs?validate_only=true", job(**changes(most + 1)))
            self.assertEqual(answer.status, 422, answer)
            self.assertTrue(answer.json["errors"][0]["pointer"].startswith(pointer), answer)
            answer = daemon.post("/v1/jobs?validate_only=true", job(**changes(most - 100)))
            self.assertIn(answer.status, (200, 422), answer)
            # the body and its growing copy; the tree, 80 bytes a value; its canonical text
            self.assertLess(daemon.peak_memory() - before, 240 * MIB)


if __name__ == "__main__":
    unittest.main()
