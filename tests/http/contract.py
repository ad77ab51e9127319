"""What the daemon answers, and what it accepts, against api/openapi.json.

The harness hands over every exchange. Its path, method, query, status, media type, headers and
bodies must be what the contract says; a member, a parameter or a status that it does not know fails
the test. Answers that the contract cannot tie to an operation (an unknown path, a request that is
no HTTP) are problem documents.

Schemas are compiled by fastjsonschema, one when it is first needed. That knows the drafts up to 7;
the keywords of the contract mean the same there and in the 2020-12 of OpenAPI 3.1 (KEYWORDS, and
nothing beside a $ref). Bodies beyond WHOLE are looked at with their lists cut short, those beyond
LARGEST by their headers alone.
"""

import gzip
import json
import os
import re
import sys
import urllib.parse

try:
    import fastjsonschema
except ImportError:  # where Debian puts it, for a python3 that is not Debian's
    sys.path.append("/usr/lib/python3/dist-packages")
    import fastjsonschema

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "api", "openapi.json")

WHOLE = 1 << 18
LARGEST = 1 << 22
FIRST, LAST = 48, 16  # of a list that is cut short

KEYWORDS = set(
    "type properties required additionalProperties propertyNames items enum const anyOf oneOf "
    "allOf $ref minimum maximum"
    " exclusiveMinimum exclusiveMaximum minItems maxItems uniqueItems minLength maxLength "
    "minProperties maxProperties"
    " pattern format description default examples".split()
)

# Answers to whatever is sent, which the contract does not repeat with every operation.
ANYWHERE = {405, 408, 413, 414, 431, 500, 501, 503, 505}
NOWHERE = ANYWHERE | {400, 403, 404}  # where no operation is known

# Of HTTP itself and of CORS: likewise.
COMMON_HEADERS = set(
    "cache-control connection content-encoding content-length content-type date transfer-encoding "
    "vary"
    " x-content-type-options x-request-id ratelimit ratelimit-policy".split()
)

EVENTS = {"state": "Job", "progress": "Job", "done": "Job", "changes": "JobList"}

FORMATS = {"uuid": r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "binary": r""}

class Violation(AssertionError):
    pass


def members_once(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member stands twice: %s" % [name for name, _ in pairs])
    return found


def not_a_number(name):
    raise ValueError("%s is no JSON" % name)


READER = json.JSONDecoder(object_pairs_hook=members_once, parse_constant=not_a_number)


def shortened(value):
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    if isinstance(value, list):
        kept = value if len(value) <= FIRST + LAST else value[:FIRST] + value[-LAST:]
        return [shortened(item) for item in kept]
    return value


def read_json(body):
    """The document to be looked at; None: it is too large."""
    if len(body) > LARGEST:
        return None
    value = READER.decode(body.decode())
    return shortened(value) if len(body) > WHOLE else value


def read_parameter(text, schema):
    if schema.get("type") in ("number", "integer", "boolean"):
        try:
            return json.loads(text)
        except ValueError:
            pass
    return text


class Contract:
    def __init__(self, document):
        self.document = document
        self.validators = {}
        self.paths = []
        for template, item in document["paths"].items():
            pattern = re.sub(r"\\\{[^}]*\\\}", "([^/]+)", re.escape(template))
            self.paths.append((re.compile(pattern + r"\Z"), item))

    def resolve(self, item):
        while "$ref" in item:
            target = self.document
            for name in item["$ref"].split("/")[1:]:
                target = target[name]
            item = target
        return item

    def validator(self, schema):
        key = schema.get("$ref", id(schema))
        found = self.validators.get(key)
        if not found:
            whole = {"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [schema]}
            whole["components"] = self.document["components"]
            found = fastjsonschema.compile(whole, formats=FORMATS, use_default=False)
            self.validators[key] = found
        return found

    def mistake(self, value, schema):
        """What is wrong with the value; None: nothing."""
        try:
            self.validator(schema)(value)
        except fastjsonschema.JsonSchemaValueException as error:
            branches = [self.mistake(value, branch)
                        for branch in self.resolve(schema).get("anyOf", [])]
            if branches and all(branches):
                return "; or ".join(branches)
            return "%s, but there is %.300r" % (error.message, error.value)
        return None

    def fits(self, what, value, schema):
        mistake = self.mistake(value, schema)
        if mistake:
            raise Violation("%s: %s" % (what, mistake))

    def item_of(self, path):
        for pattern, item in self.paths:
            if pattern.match(path):
                return item
        return None

    def problem(self, status, headers, body, statuses):
        """An answer to no operation, or one that any of them may give."""
        if status not in statuses:
            raise Violation("the status is not in the contract")
        response = self.document["components"]["responses"]["Problem"]
        self.headers(response, headers)
        self.body("GET", status, response, headers, body or None)

    @staticmethod
    def consistent(status, problem, headers):
        if (problem["status"],
            problem["type"]) != (status, "/problems/" + problem["code"]):
            raise Violation("a problem of another status or type: %r" % problem)
        if status in (503, 507) and "retry-after" not in headers:
            raise Violation("there is no header retry-after")

    def headers(self, response, headers):
        described = {name.lower(): self.resolve(item)
                     for name, item in response.get("headers", {}).items()}
        for name, value in headers.items():
            if name in described:
                schema = described[name]["schema"]
                self.fits("the header " + name, read_parameter(value, schema), schema)
            elif name not in COMMON_HEADERS and not name.startswith("access-control-"):
                raise Violation("the header %s: %s is not in the contract" % (name, value))
        for name, item in described.items():
            if item.get("required") and name not in headers:
                raise Violation("there is no header " + name)

    def body(self, method, status, response, headers, body):
        content = response.get("content", {})
        kind = headers.get("content-type", "").split(";")[0]
        if not content:
            if body:
                raise Violation("there is a body of %s" % kind)
            return
        if kind not in content:
            raise Violation("the media type %r is not in the contract" % kind)
        if method == "HEAD":
            if body:
                raise Violation("a HEAD has a body")
            return
        if body is None or kind not in ("application/json", "application/problem+json"):
            return
        found = read_json(gzip.decompress(body) if headers.get("content-encoding") == "gzip"
                          else body)
        if found is None:
            return
        self.fits("the body", found, content[kind]["schema"])
        if kind == "application/problem+json":
            if not body.endswith(b"\n"):
                raise Violation("a problem does not end its line")
            self.consistent(status, found, headers)

    def parameters(self, item, operation, query):
        """Of a request that was accepted: the contract knows all of its parameters."""
        known = {}
        for parameter in item.get("parameters", []) + operation.get("parameters", []):
            parameter = self.resolve(parameter)
            parameter = self.resolve(parameter)
            if parameter["in"] == "query":
                known[parameter["name"]] = parameter["schema"]
        for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True):
            schema = known.get(name) or known.get(re.sub(r"\..+", ".*", name))
            if not schema:
                raise Violation("the parameter %s was accepted, but is not in the contract" % name)
            schema = self.resolve(schema)
            self.fits("the parameter " + name, read_parameter(value, schema), schema)

    def request_body(self, operation, sent, sent_headers):
        if sent is None or "requestBody" not in operation:
            return
        content = operation["requestBody"]["content"]
        if sent_headers.get("content-encoding", "identity") != "identity":
            sent = gzip.decompress(sent)
        document = json.loads(sent) if len(sent) <= LARGEST else None
        if document is not None:
            document = shortened(document) if len(sent) > WHOLE else document
            self.fits("a body that was accepted", document, content["application/json"]["schema"])

    def exchange(self, method, target, status, headers, body, sent, sent_headers):
        path, _, query = target.partition("?")
        item = self.item_of(path)
        operation = item and item.get("get" if method == "HEAD" else method.lower())
        if not operation:
            if not (item and method == "OPTIONS" and status == 204):
                self.problem(status, headers, body, NOWHERE)
            return
        response = operation["responses"].get(str(status))
        if not response:
            self.problem(status, headers, body, ANYWHERE)
            return
        response = self.resolve(response)
        self.headers(response, headers)
        self.body(method, status, response, headers, body)
        if status < 400:
            self.parameters(item, operation, query)
            self.request_body(operation, sent, sent_headers)

    def check(self, method, target, status, headers, body, sent=None, sent_headers=None):
        """Headers by their names in small letters; bodies as they are on the wire, None: not
        known."""
        sent_headers = {name.lower(): value for name, value in (sent_headers or {}).items()}
        try:
            self.exchange(method, target, status, headers, body, sent, sent_headers)
        except (Violation, ValueError) as error:
            raise Violation("api/openapi.json: %s %.200s, %d: %s"
                            % (method, target, status, error)) from None

    def check_event(self, name, data):
        """Of a stream of server-sent events."""
        if name in EVENTS:
            self.fits("the event " + name, data,
                      self.document["components"]["schemas"][EVENTS[name]])


with open(PATH, encoding="utf-8") as file:
    CONTRACT = Contract(json.load(file))
