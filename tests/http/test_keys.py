"""Keys: who may use the service, what for, how often, and until when."""

import http.client
import json
import os
import socket
import subprocess
import tempfile
import threading
import unittest

from harness import BINARY, ROOT, Daemon, deadline, job, long_job, needs_page
from deadline import instant

ALL = "read,write,metrics,admin"


def program(*arguments):
    """A command of the program; its exit status, output and complaints."""
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def bearer(token):
    return {"Authorization": "Bearer " + token}


class WithKeys(unittest.TestCase):
    """A daemon with keys, whose first one the operator has made."""

    arguments = ()

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="dalembert-test-")
        self.addCleanup(self.directory.cleanup)
        self.data = os.path.join(self.directory.name, "data")
        code, out, err = program("keys", "create", "operator", "--scopes", ALL, "--data", self.data)
        self.assertEqual(code, 0, err)
        self.token = json.loads(out)["token"]
        self.daemon = Daemon("--auth", "keys", *self.arguments, data=self.directory.name)
        self.addCleanup(self.daemon.close)

    def make(self, *scopes, **more):
        answer = self.daemon.post("/v1/keys", dict(more, name="a test", scopes=scopes),
                                  bearer(self.token))
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def get(self, path, token):
        return self.daemon.get(path, bearer(token))

    def revoke(self, identifier):
        return self.daemon.request("DELETE", "/v1/keys/" + identifier, headers=bearer(self.token))


class WithoutStore(unittest.TestCase):
    """The commands in a directory that has no store."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="dalembert-test-")
        self.addCleanup(directory.cleanup)
        self.data = os.path.join(directory.name, "TYPO")

    def assert_refused(self, *words):
        code, out, err = program(*words, "--data", self.data)
        self.assertEqual((code, out), (1, ""), words)
        self.assertRegex(err, "no dalembert store in '%s': .*; give the directory of "
                         "`dalembert serve` by --data\n" % self.data)

    def test_only_create_makes_a_store(self):
        others = (("keys", "list"), ("keys", "revoke", "nobody"), ("tenants", "list"),
                  ("tenants", "set", "default", "--queued", "1"))
        for words in others:
            self.assert_refused(*words)
            self.assertFalse(os.path.exists(self.data), words)
        os.mkdir(self.data)
        for with_file in (False, True):
            if with_file:
                open(os.path.join(self.data, "dalembert.db"), "wb").close()
            before = os.listdir(self.data)
            for words in others:
                self.assert_refused(*words)
                self.assertEqual(os.listdir(self.data), before, words)

    def test_create_says_that_it_made_a_store(self):
        for words in (("tenants", "create", "acme"), ("keys", "create", "a", "--tenant", "acme")):
            code, _, err = program(*words, "--data", self.data)
            self.assertEqual(code, 0, err)
            made = "made a new store in '%s'" % self.data in err
            self.assertEqual(made, words[0] == "tenants", err)


class Access(WithKeys):
    # an id and a number where the path has places for them
    FILLED = {"{id}": "01234567-89ab-7def-8123-456789abcdef", "{k}": "0", "{name}": "pendulum",
              "{code}": "not_found", "{folder}": "app", "{file}": "main.js",
              "{module}": "dalembert.js"}
    PAGE = {"/ui/{hash}/{folder}/{file}", "/client/{module}"}
    OPEN = {"/", "/docs", "/problems/{code}", "/openapi.json", "/livez", "/readyz"}

    def operations(self):
        with open(os.path.join(ROOT, "api", "openapi.json")) as file:
            contract = json.load(file)
        for path, item in contract["paths"].items():
            for method in item:
                if method != "parameters" and path not in self.PAGE:
                    yield path, method.upper()

    def ask(self, path, method, headers):
        for place, value in self.FILLED.items():
            path = path.replace(place, value)
        body = b"{}" if method in ("POST", "PATCH") else None
        return self.daemon.request(method, path, body,
                                   dict(headers, **{"Content-Type": "application/json"}))

    def test_every_operation_but_the_open_ones_needs_a_key(self):
        seen = {401: 0, 429: 0}
        for path, method in self.operations():
            answer = self.ask(path, method, {})
            if path in self.OPEN:
                self.assertEqual(answer.status, 200, (path, answer))
                continue
            # beyond ten in a minute the same refusals are 429
            self.assertIn(answer.status, (401, 429), (path, answer))
            seen[answer.status] += 1
            if answer.status == 401:
                self.assertEqual(answer.headers["www-authenticate"], "Bearer")
                self.assertEqual(answer.json["code"], "unauthorized")
        self.assertGreater(min(seen.values()), 0)
        # the metrics count either in one place
        for _ in deadline("the last request to be counted"):
            metrics = self.get("/metrics", self.token).body.decode()
            if "\ndalembert_rate_limited_total %d\n" % seen[429] in metrics:
                break
        self.assertIn("\ndalembert_auth_failures_total %d\n" % seen[401], metrics)

    @needs_page
    def test_the_files_of_the_page_need_no_key(self):
        page = self.daemon.get("/", {"Accept": "text/html"}).body.decode()
        name = page.split("/ui/")[1].split("/")[0]
        for path in self.PAGE:
            answer = self.ask(path.replace("{hash}", name), "GET", {})
            self.assertEqual(answer.status, 200, (path, answer))

    def test_every_operation_asks_for_its_scope(self):
        nothing = self.make("metrics")["token"]
        for path, method in self.operations():
            if path in self.OPEN or path == "/metrics":
                continue
            answer = self.ask(path, method, bearer(nothing))
            self.assertEqual((answer.status, answer.json["code"]), (403, "scope_missing"), path)

    def test_a_scope_opens_its_routes_and_no_others(self):
        reader, writer = self.make("read")["token"], self.make("write")["token"]
        self.assertEqual(self.get("/v1/jobs", reader).status, 200)
        self.assertEqual(self.daemon.post("/v1/jobs", job(), bearer(reader)).status, 403)
        self.assertEqual(self.get("/metrics", reader).status, 403)
        self.assertEqual(self.get("/v1/keys", reader).status, 403)
        self.assertEqual(self.daemon.post("/v1/jobs", job(), bearer(writer)).status, 202)
        self.assertEqual(self.get("/v1/jobs", writer).status, 403)
        self.assertEqual(self.get("/metrics", self.make("metrics")["token"]).status, 200)

    def test_all_wrong_keys_get_one_answer(self):
        revoked = self.make("read")
        self.assertEqual(self.revoke(revoked["id"]).status, 204)
        wrong = [{}, bearer(revoked["token"]), bearer("dlmb_" + 49 * "0"), bearer(self.token[:-1]),
                 {"Authorization": "Basic " + self.token}, bearer("")]
        bodies = {self.daemon.get("/v1/jobs", headers).body for headers in wrong}
        self.assertEqual(len(bodies), 1)
        self.assertEqual(json.loads(bodies.pop())["status"], 401)

    def test_no_key_is_read_from_a_query_or_a_body(self):
        answer = self.daemon.get("/v1/jobs?key=" + self.token)
        self.assertEqual(answer.status, 401)
        answer = self.daemon.post("/v1/jobs", dict(job(), key=self.token))
        self.assertEqual(answer.status, 401)

    def test_the_log_has_ids_of_keys_and_no_tokens(self):
        self.get("/v1/jobs", self.token)
        self.daemon.get("/v1/jobs", bearer("dlmb_" + 49 * "0"))
        log = self.daemon.wait_log("event=unauthorized client=127.0.0.1 token=invalid", "key=0")
        self.assertNotIn("dlmb_", log)

    def test_the_database_has_no_tokens(self):
        made = self.make("read")["token"]
        files = [os.path.join(self.data, name) for name in os.listdir(self.data)]
        for path in files:
            with open(path, "rb") as file:
                found = file.read()
            self.assertNotIn(made[5:48].encode(), found, path)
            self.assertNotIn(self.token[5:48].encode(), found, path)


class Management(WithKeys):
    def test_a_key_is_made_listed_and_revoked(self):
        made = self.make("read", "write")
        self.assertEqual(made["scopes"], ["read", "write"])
        self.assertEqual(self.get("/v1/jobs", made["token"]).status, 200)
        listed = self.get("/v1/keys", self.token).json["keys"]
        self.assertEqual([key["name"] for key in listed], ["a test", "operator"])
        self.assertIsNotNone(listed[0]["last_used"])
        self.assertNotIn("token", listed[0])
        self.assertEqual(self.revoke(made["id"]).status, 204)
        self.assertEqual(self.revoke(made["id"]).status, 204)
        self.assertEqual(self.get("/v1/jobs", made["token"]).status, 401)
        self.assertIsNotNone(self.get("/v1/keys", self.token).json["keys"][0]["revoked"])

    def test_pages_of_keys_follow_one_another(self):
        ids = [self.make("read")["id"] for _ in range(3)]
        page = self.get("/v1/keys?limit=2", self.token).json
        self.assertEqual([key["id"] for key in page["keys"]], [ids[2], ids[1]])
        page = self.get("/v1/keys?limit=2&cursor=" + page["next"], self.token).json
        self.assertEqual([key["name"] for key in page["keys"]], ["a test", "operator"])
        self.assertIsNone(page["next"])

    def test_mistakes_of_a_key_are_named(self):
        def mistakes(**wish):
            answer = self.daemon.post("/v1/keys", wish, bearer(self.token))
            self.assertEqual(answer.status, 422, answer)
            return [item["pointer"] for item in answer.json["errors"]]

        self.assertEqual(mistakes(scopes=["read"]), [""])
        self.assertEqual(mistakes(name=""), ["/name"])
        self.assertEqual(mistakes(name=101 * "x"), ["/name"])
        self.assertEqual(mistakes(name="x", scopes=[]), ["/scopes"])
        self.assertEqual(mistakes(name="x", scopes=["raed"]), ["/scopes/0"])
        self.assertEqual(mistakes(name="x", scopes=5 * ["read"]), ["/scopes"])
        self.assertEqual(mistakes(name="x", expires="2020-01-01T00:00:00Z"), ["/expires"])
        self.assertEqual(mistakes(name="x", expires="tomorrow"), ["/expires"])
        self.assertEqual(mistakes(name="x", tenant="y"), ["/tenant"])
        self.assertEqual(mistakes(name="x", colour="y"), ["/colour"])

    def test_an_unknown_key_is_not_found(self):
        self.assertEqual(self.revoke("01234567-89ab-7def-8123-456789abcdef").status, 404)

    def test_keys_outlive_the_daemon(self):
        kept, revoked = self.make("read"), self.make("read")
        self.revoke(revoked["id"])
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.get("/v1/jobs", kept["token"]).status, 200)
        self.assertEqual(self.get("/v1/jobs", revoked["token"]).status, 401)

    def test_the_command_manages_a_running_service(self):
        path = os.path.join(self.directory.name, "token")
        with open(path, "w") as file:
            file.write(self.token + "\n")
        where = ["--url", "http://127.0.0.1:%d/" % self.daemon.port, "--key-file", path]
        code, out, err = program("keys", "create", "by command", "--scopes", "read", *where)
        self.assertEqual(code, 0, err)
        made = json.loads(out)
        self.assertEqual(self.get("/v1/jobs", made["token"]).status, 200)
        code, out, err = program("keys", "list", *where)
        self.assertEqual(json.loads(out)["keys"][0]["name"], "by command")
        self.assertEqual(program("keys", "revoke", made["id"], *where),
                         (0, "the key %s is revoked\n" % made["id"], ""))
        self.assertEqual(self.get("/v1/jobs", made["token"]).status, 401)
        code, out, err = program("keys", "revoke", "nobody", *where)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("not_found", err)

    def test_the_command_says_that_a_daemon_has_the_directory(self):
        code, _, err = program("keys", "list", "--data", self.data)
        self.assertEqual(code, 1)
        self.assertRegex(err, "is in use by process .*; give its --url")

    def test_the_command_says_that_the_port_speaks_no_tls(self):
        path = os.path.join(self.directory.name, "token")
        with open(path, "w") as file:
            file.write(self.token + "\n")
        code, _, err = program("keys", "list", "--url",
                               "https://127.0.0.1:%d" % self.daemon.port, "--key-file", path)
        self.assertEqual(code, 1)
        self.assertIn("the port does not speak TLS", err)

    def test_the_command_says_that_the_port_cuts_connections(self):
        path = os.path.join(self.directory.name, "token")
        with open(path, "w") as file:
            file.write(self.token + "\n")
        with socket.create_server(("127.0.0.1", 0)) as server:
            def cut():
                connection, _ = server.accept()
                connection.recv(1000)
                connection.close()
            thread = threading.Thread(target=cut)
            thread.start()
            code, _, err = program("keys", "list", "--url", "http://127.0.0.1:%d"
                                   % server.getsockname()[1], "--key-file", path)
            thread.join()
        self.assertEqual(code, 1)
        self.assertIn("needs https://", err)


class Upload(WithKeys):
    def test_an_upload_ends_with_its_key(self):
        made = self.make("write")
        body = json.dumps(job()).encode()
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        connection.putrequest("POST", "/v1/jobs")
        for name, value in dict(bearer(made["token"]), **{
                "Content-Type": "application/json", "Content-Length": str(len(body))}).items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(body[:10])
        # so that the head was read before
        self.daemon.wait_log("event=request method=POST target=\"/v1/keys\"")
        self.assertEqual(self.get("/v1/jobs", made["token"]).status, 403)
        self.assertEqual(self.revoke(made["id"]).status, 204)
        connection.send(body[10:])
        self.assertEqual(connection.getresponse().status, 401)
        self.assertEqual(self.get("/v1/jobs", self.token).json["jobs"], [])


class Ends(WithKeys):
    """What is under way when a key ends."""

    arguments = ("--workers", "1", "--rate", "0", "--max-wait", "3600", "--write-timeout", "3600")

    def setUp(self):
        super().setUp()
        operator = bearer(self.token)
        table = self.daemon.post("/v1/jobs?wait=3600", job(time={"end": 100, "samples": 100001}),
                                 operator).json
        running = self.daemon.post("/v1/jobs", long_job(), operator).json["id"]
        for _ in deadline("the only worker to be busy"):
            if self.get("/v1/jobs/" + running, self.token).json["phase"] == "integrating":
                break
        self.table = table["links"]["result"]
        # from here on only the first two change a job; each is behind the one that runs
        self.waits = ("POST /v1/jobs?wait=3600", "POST /v1/jobs/%s/rerun?wait=3600" % table["id"],
                      "GET /v1/jobs?since=%d&wait=3600", "GET /v1/jobs/%s?wait=3600" % running)
        self.streams = ("GET /v1/jobs", "GET /v1/jobs/%s/stream" % running)

    def waiters(self):
        metrics = self.get("/metrics", self.token).body.decode()
        return int(metrics.split("\ndalembert_waiters ")[1].split("\n")[0])

    def send(self, request, token):
        """Sends a request whose answer is read later."""
        method, path = request.split(" ")
        if "%d" in path:
            path %= self.get("/v1/jobs", self.token).json["revision"]
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        body = json.dumps(long_job()) if path.startswith("/v1/jobs?wait") else None
        accept = "text/event-stream" if request in self.streams else "application/json"
        connection.request(method, path, body, dict(
            bearer(token), **{"Accept": accept, "Content-Type": "application/json"}))
        return connection

    def download(self, token):
        """The answer with a table larger than what the sockets hold."""
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        connection.sock = socket.socket()
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sock.connect(("127.0.0.1", self.daemon.port))
        connection.request("GET", self.table, headers=dict(bearer(token), Accept="text/csv"))
        return connection.getresponse()

    def begin(self, token):
        """All waits, all streams and a download with this key, by their requests. None: the key
        expired before all of them had begun."""
        begun = {}
        queued = self.get("/v1/queue", self.token).json["queued"]
        for request in self.waits + self.streams:
            begun[request] = self.send(request, token)
            queued += request.startswith("POST")
            for _ in deadline(request + " to wait"):
                queue = self.get("/v1/queue", token)
                if queue.status == 401:
                    return None
                # the derivation of a model is a wait, too, before its job is in the queue
                if queue.json["queued"] == queued and self.waiters() == len(begun):
                    break
        download = self.download(token)
        return (begun, download) if download.status == 200 else None

    def check_ended(self, begun, download):
        for request in self.waits:
            answer = begun[request].getresponse()
            found = json.loads(answer.read())
            self.assertEqual(answer.status, 401, (request, found))
            self.assertEqual(found["detail"], "the key was revoked, or has expired", request)
        for request in self.streams:
            answer = begun[request].getresponse()
            self.assertEqual(answer.status, 200, request)
            self.assertTrue(answer.read().startswith(b"retry: 1000\n"), request)  # to its end
        with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
            download.read()

    def test_all_that_is_under_way_ends_with_a_revoked_key(self):
        made = self.make("read", "write")
        begun = self.begin(made["token"])
        other = self.download(self.token)
        self.assertEqual(self.revoke(made["id"]).status, 204)
        self.check_ended(*begun)
        # another key reads on, and the jobs that were accepted stay
        self.assertEqual(other.read().count(b"\n"), 1 + 100001)
        self.assertEqual(self.get("/v1/queue", self.token).json["queued"], 2)

    def test_all_that_is_under_way_ends_when_its_key_expires(self):
        begun = None
        for exponent in range(2, 9):  # the more time for its requests, the slower the machine is
            made = self.make("read", "write", expires=instant(2**exponent))
            begun = self.begin(made["token"])
            if begun:
                break
            for _ in deadline("the waits with the last key to end"):
                if self.waiters() == 0:
                    break
        self.check_ended(*begun)


class Rates(WithKeys):
    arguments = ("--rate", "5")

    def test_a_key_has_so_many_requests(self):
        made = self.make("read")["token"]
        left = []
        for _ in range(5):
            answer = self.get("/v1/jobs", made)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.headers["ratelimit-policy"], '"requests";q=5;w=60')
            left.append(answer.headers["ratelimit"].split(";")[1])
        self.assertEqual(left, ["r=4", "r=3", "r=2", "r=1", "r=0"])
        answer = self.get("/v1/jobs", made)
        self.assertEqual((answer.status, answer.json["code"]), (429, "rate_limited"))
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        # the others have theirs
        metrics = self.get("/metrics", self.token).body.decode()
        self.assertIn("\ndalembert_rate_limited_total 1\n", metrics)


class Start(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="dalembert-test-")
        self.addCleanup(self.directory.cleanup)
        self.data = os.path.join(self.directory.name, "data")

    def serve(self, *arguments):
        return program("serve", "--data", self.data, "--listen", "127.0.0.1:0", *arguments)

    def test_no_service_without_a_key(self):
        code, _, err = self.serve("--auth", "keys")
        self.assertEqual(code, 2)
        for way in ("dalembert keys create", "--first-key-file", "--auth loopback", "--auth none"):
            self.assertIn(way, err)

    def test_a_public_address_needs_keys_or_the_word_none(self):
        code, _, err = program("serve", "--data", self.data, "--listen", "0.0.0.0:0")
        self.assertEqual(code, 2)
        self.assertIn("--auth keys", err)

    def test_the_first_key_comes_from_a_file_once(self):
        path = os.path.join(self.directory.name, "first")
        tokens = [program("keys", "token")[1].strip() for _ in range(2)]

        def start(token):
            with open(path, "w") as file:
                file.write(token + "\n")
            return Daemon("--auth", "keys", "--first-key-file", path, data=self.directory.name)

        daemon = start(tokens[0])
        self.assertEqual(daemon.get("/v1/keys", bearer(tokens[0])).status, 200)
        daemon.close()
        daemon = start(tokens[1])  # there is a key: the file is not looked at
        self.assertEqual(daemon.get("/v1/keys", bearer(tokens[1])).status, 401)
        self.assertEqual(daemon.get("/v1/keys", bearer(tokens[0])).status, 200)
        daemon.close()
        os.unlink(path)  # it may be gone, too
        daemon = Daemon("--auth", "keys", "--first-key-file", path, data=self.directory.name)
        self.assertEqual(daemon.get("/v1/keys", bearer(tokens[0])).status, 200)
        daemon.close()

    def test_a_first_key_without_keys_is_refused(self):
        code, _, err = self.serve("--first-key-file", "first")
        self.assertEqual(code, 2)
        self.assertIn("--auth keys", err)

    def test_a_file_without_a_token_is_refused(self):
        path = os.path.join(self.directory.name, "first")
        with open(path, "w") as file:
            file.write("secret\n")
        code, _, err = self.serve("--auth", "keys", "--first-key-file", path)
        self.assertEqual(code, 2)
        self.assertIn("dalembert keys token", err)

    def test_without_keys_nobody_makes_any(self):
        """So that whoever reaches the port gets no key for later."""
        for auth in ("loopback", "none"):
            daemon = Daemon("--auth", auth)
            answer = daemon.post("/v1/keys", {"name": "x", "scopes": ["admin"]})
            self.assertEqual((answer.status, answer.json["code"]), (403, "keys_off"))
            self.assertEqual(daemon.get("/metrics").status, 200)
            daemon.close()


if __name__ == "__main__":
    unittest.main()
