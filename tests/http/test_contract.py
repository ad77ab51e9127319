"""The contract as the other tests use it: it finds what it is to find, and says nothing that they
would not read."""

import json
import unittest

# first: it knows where contract is
from harness import DaemonCase, job, keep_contract_raw, violations

from contract import CONTRACT, KEYWORDS, Violation


def examples_of(media):
    """The examples of a body."""
    named = media.get("examples", {}).values()
    return [media["example"]] if "example" in media else [one["value"] for one in named]


def schemas_of(place, item):
    """All schemas below, with their places."""
    if isinstance(item, list):
        for k, part in enumerate(item):
            yield from schemas_of("%s/%d" % (place, k), part)
        return
    if not isinstance(item, dict):
        return
    for name, part in item.items():
        below = "%s/%s" % (place, name)
        if name == "schema":
            yield from parts_of(below, part)
        elif name == "schemas":
            for key, schema in part.items():
                yield from parts_of("%s/%s" % (below, key), schema)
        else:
            yield from schemas_of(below, part)


def parts_of(place, schema):
    """A schema and those within."""
    yield place, schema
    for name in ("properties",):
        for key, part in schema.get(name, {}).items():
            yield from parts_of("%s/%s/%s" % (place, name, key), part)
    for name in ("anyOf", "oneOf", "allOf"):
        for k, part in enumerate(schema.get(name, [])):
            yield from parts_of("%s/%s/%d" % (place, name, k), part)
    for name in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(name), dict):
            yield from parts_of("%s/%s" % (place, name), schema[name])


class Document(unittest.TestCase):
    def schemas(self):
        return schemas_of("", CONTRACT.document)

    def test_schemas_say_nothing_that_is_not_checked(self):
        for place, schema in self.schemas():
            self.assertLessEqual(set(schema), KEYWORDS, place)
            if "$ref" in schema:
                self.assertLessEqual(set(schema), {"$ref", "description"}, place)

    def test_objects_are_closed(self):
        for place, schema in self.schemas():
            if "object" in schema.get("type", ()):
                self.assertTrue("additionalProperties" in schema, place)


    def test_members_are_described(self):
        for place, schema in self.schemas():
            for name, part in schema.get("properties", {}).items():
                if schema.get("type") == "object":
                    self.assertTrue("description" in part or "$ref" in part,
                                    "%s: %s" % (place, name))
        for name, schema in CONTRACT.document["components"]["schemas"].items():
            self.assertIn("description", schema, name)

    def operations(self):
        for path, item in CONTRACT.document["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    yield path, item, operation

    def test_operations_are_described(self):
        names = [operation["operationId"] for _, _, operation in self.operations()]
        self.assertEqual(len(names), len(set(names)))
        for path, item, operation in self.operations():
            self.assertTrue(operation["summary"], path)
            self.assertIn("400", operation["responses"], path)
            for part in item.get("parameters", []) + operation.get("parameters", []):
                part = CONTRACT.resolve(part)
                self.assertTrue(part["description"] and part["schema"], path)
            for response in operation["responses"].values():
                self.assertTrue(CONTRACT.resolve(response)["description"], path)

    def test_nothing_is_left_over(self):
        text = json.dumps(CONTRACT.document)
        for kind, components in CONTRACT.document["components"].items():
            for name in components:
                used = "%s" if kind == "securitySchemes" else "#/components/" + kind + "/%s"
                self.assertIn('"%s"' % used % name, text)

    def test_examples_are_valid(self):
        found = 0
        for path, _, operation in self.operations():
            bodies = [CONTRACT.resolve(response) for response in operation["responses"].values()]
            for body in bodies + [operation.get("requestBody", {})]:
                for media in body.get("content", {}).values():
                    for example in examples_of(media):
                        found += 1
                        CONTRACT.fits(path, example, media["schema"])
        for place, schema in self.schemas():
            for example in schema.get("examples", []):
                found += 1
                CONTRACT.fits(place, example, schema)
        self.assertGreater(found, 4)

    def test_every_body_has_an_example(self):
        for path, _, operation in self.operations():
            for media in operation.get("requestBody", {}).get("content", {}).values():
                self.assertTrue(examples_of(media), path)


class Exchanges(DaemonCase):
    """Each change of a good exchange is found."""

    def test_the_service_takes_the_examples_of_documents(self):
        for path in ("/v1/jobs", "/v1/jobs:batch", "/v1/models"):
            body = CONTRACT.document["paths"][path]["post"]["requestBody"]
            for example in examples_of(body["content"]["application/json"]):
                answer = self.daemon.post(path, example)
                self.assertIn(answer.status, (200, 201, 202), (path, answer))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.job = cls.daemon.finish()
        cls.good = cls.daemon.get("/v1/jobs/" + cls.job["id"])

    def check(self, target=None, method="GET", status=None,
              body=None, sent=None, headers=(), lost=()):
        all_headers = dict(self.good.headers, **dict(headers))
        for name in lost:
            del all_headers[name]
        CONTRACT.check(method, target or "/v1/jobs/x", status or self.good.status, all_headers,
                       self.good.body if body is None else body, sent)

    def refused(self, what, **changes):
        with self.assertRaisesRegex(Violation, what):
            self.check(**changes)

    def changed(self, **changes):
        return json.dumps(dict(self.good.json, **changes)).encode()

    def test_a_good_one_passes(self):
        self.check()
        self.check(target="/v1/jobs/x?wait=1.5&since=3")
        self.check(method="HEAD", body=b"")

    def test_statuses_headers_and_media_types(self):
        self.refused("status is not in the contract", status=201)
        self.refused("header x-new", headers={"x-new": "1"})
        self.refused("media type", headers={"content-type": "text/html"})
        self.refused("HEAD has a body", method="HEAD")
        self.refused("there is a body", method="DELETE", status=204)

    def test_members(self):
        self.refused("news", body=self.changed(news=1))
        self.refused("state", body=self.changed(state="waiting"))
        self.refused("data.progress", body=self.changed(progress={"fraction": "much"}))
        self.refused("data.provenance",
                     body=self.changed(provenance=dict(self.good.json["provenance"], news=1)))
        left = {name: value for name, value in self.good.json.items() if name != "id"}
        self.refused("id", body=json.dumps(left).encode())
        self.refused("stands twice", body=self.good.body.strip()[:-1] + b', "id": "x"}')
        self.refused("no JSON", body=self.good.body.replace(b'"attempt":1', b'"attempt":NaN'))

    def test_long_lists_are_looked_at_at_their_ends(self):
        result = self.daemon.finish(time={"end": 1, "samples": 20001})["links"]["result"]
        body = self.daemon.get(result).body
        for text in (b'"t":[0,', b"]}"):
            place = body.rindex(text)
            broken = body[:place] + text.replace(b"[0,", b"[{},").replace(
                b"]", b",{}]") + body[place + len(text):]
            with self.assertRaisesRegex(Violation, "series"):
                CONTRACT.check("GET", result, 200, {"content-type": "application/json"}, broken)

    def test_what_is_accepted(self):
        self.refused("parameter", target="/v1/jobs/x?news=1")
        self.refused("parameter wait", target="/v1/jobs/x?wait=-1")
        self.refused("parameter since", target="/v1/jobs/x?since=a")
        changes = {"method": "POST", "target": "/v1/jobs", "status": 202,
                   "headers": {"location": "/v1/jobs/x"}}
        self.check(sent=json.dumps(job()).encode(), **changes)
        self.refused("a body that was accepted", sent=json.dumps(job(news=1)).encode(), **changes)

    def test_problems(self):
        answer = self.daemon.get("/v1/jobs/x")
        problem = {"body": answer.body, "headers": answer.headers}
        self.check(status=404, **problem)
        self.refused("another status", status=403, **problem)
        self.refused("status is not in the contract", status=422, **problem)
        self.refused("no header retry-after", status=503, headers=answer.headers,
                     body=answer.body.replace(b"404", b"503").replace(b"not_found", b"overloaded"))
        self.refused("code", status=404, headers=answer.headers,
                     body=answer.body.replace(b"not_found", b"lost"))

    def test_what_is_at_no_place(self):
        for path in ("/nowhere", "/v1/jobs/x/y/z"):
            answer = self.daemon.get(path)
            self.check(target=path, status=404, headers=answer.headers, body=answer.body)
            self.refused("status is not in the contract", target=path)

    def test_raw_answers_and_those_of_threads_count(self):
        before = len(violations)
        with self.assertRaises(Violation):
            keep_contract_raw(b"GET /livez HTTP/1.1\r\n\r\n",
                              b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        self.assertEqual(len(violations), before + 1)
        violations.pop()


if __name__ == "__main__":
    unittest.main()
