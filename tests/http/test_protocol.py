"""HTTP itself: framing, limits, errors, what a malicious client may send."""

import json
import select
import signal
import socket
import unittest

from harness import JSON, SECONDS, Daemon, deadline, job

MIB = 1024 * 1024

GET = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n"
MALFORMED = (400, "malformed_request")

# What a client may send, the status and the code of the answer.
NOT_HTTP = [
    (data, *answer)
    for answer, group in {
        MALFORMED: [
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
            b"GET /livez\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET /livez HTTP/1.1 \r\nHost: localhost\r\n\r\n",
            b"GET /livez FTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /livez http/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /livez HTTP/1.10\r\nHost: localhost\r\n\r\n",
            b"GET /livez HTTP/1.1\nHost: localhost\n\n",
            GET + b"no colon\r\n\r\n",
            GET + b"no colon\r\nX: y\r\n\r\n",
            GET + b": no name\r\n\r\n",
            GET + b"X: a\rb\r\n\r\n",
            POST + b"Content-Length: five\r\n\r\n12345",
            POST + b"Content-Length: 5x\r\n\r\n12345",
            POST + b"Content-Length:\r\n\r\n",
            CHUNKS + b"\r\n\r\n",
            CHUNKS + b"x\r\n\r\n",
            CHUNKS + b"-1\r\n\r\n",
            CHUNKS + b"0x1\r\n{\r\n0\r\n\r\n",
            CHUNKS + b"1 \r\n{\r\n0\r\n\r\n",
            CHUNKS + b"1\n{\n0\n\n",
            CHUNKS + b"1\r\n{}\r\n0\r\n\r\n",
            CHUNKS + b"2\r\n{}X\r\n0\r\n\r\n",
            CHUNKS + b"2\r\n{}XY",
            CHUNKS + b"2\r\n{}\rX",
            CHUNKS + b"1\r5",
            CHUNKS + b"xyz",
            CHUNKS + b"2\r\n{}\n0\r\n\r\n",
            CHUNKS + b"2;" + b"x" * 300 + b"\r\n{}\r\n0\r\n\r\n",
            CHUNKS + b"2\r\n{}\r\n0\r\nbad trailer\r\n\r\n",
            CHUNKS + b"2\r\n{}\r\n0\r\nX: a\nY: b\r\n\r\n",
        ],
        (413, "too_large"): [
            POST + b"Content-Length: 18446744073709551616\r\n\r\n",
            POST + b"Content-Length: 99999999999999999999999\r\n\r\n",
            CHUNKS + b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        ],
        (414, "target_too_long"): [
            b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /" + b"a" * 100000,
            b"GET /livez?" + b"a&" * 4000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /livez?" + b"&" * 200 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ],
        (431, "header_too_large"): [
            GET + b"".join(b"X%d: 1\r\n" % i for i in range(101)) + b"\r\n",
            GET + b"X: " + b"a" * 30000 + b"\r\n\r\n",
            GET + b"X: " + b"a" * 100000,
            CHUNKS + b"2\r\n{}\r\n0\r\n" + b"X: a\r\n" * 2000 + b"\r\n",
        ],
        (505, "http_version"): [
            b"GET /livez HTTP/0.9\r\nHost: localhost\r\n\r\n",
            b"GET /livez HTTP/1.2\r\nHost: localhost\r\n\r\n",
            b"GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ],
    }.items()
    for data in group
]


def status_of(received):
    return int(received.split(b" ", 2)[1]) if received.startswith(b"HTTP/1.1 ") else None


def body_of(received):
    return json.loads(received.split(b"\r\n\r\n", 1)[1])


class Protocol(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--max-body", "1M", "--cors-origin", "https://lab.example")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def refused(self, data, status=400, code="malformed_request"):
        received = self.daemon.raw(data)
        self.assertEqual(status_of(received), status, (data[:200], received))
        self.assertIn(b"Connection: close", received, data[:200])
        self.assertEqual(body_of(received)["code"], code)
        self.assertEqual(received.count(b"HTTP/1.1 "), 1, "a second request was answered")

    def test_a_tls_handshake_is_answered_and_logged_as_such(self):
        reason = "this port speaks HTTP, not TLS"
        for hello in (b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\n\x00", b"\x16\x03\x01" + 200 * b"\x01"):
            received = self.daemon.raw(hello)
            self.assertEqual(status_of(received), 400, received)
            self.assertIn(reason, body_of(received)["detail"])
        self.daemon.wait_log('event=refused client=127.0.0.1 status=400 reason="' + reason, times=3)

    def test_ambiguous_framing_is_refused_and_the_connection_closed(self):
        hidden = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        head = b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for extra in (
            b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
            b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345",
            b"Content-Length: 5, 6\r\n\r\n12345",
            b"Content-Length: +5\r\n\r\n12345",
            b"Content-Length: 0x5\r\n\r\n12345",
            b"Content-Length: -1\r\n\r\n",
            b"Content-Length:\r\n\r\n",
            b"Content-Length: 99999999999999999999999\r\n\r\n",
            b"Content-Length : 5\r\n\r\n12345",
            b"Content-Length\t: 5\r\n\r\n12345",
            b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"X: a\r\n Content-Length: 5\r\n\r\n",
            b"X: a\r\n\tb\r\nContent-Length: 0\r\n\r\n",
            b"X: a\0b\r\nContent-Length: 0\r\n\r\n",
            b"X: a\x01b\r\nContent-Length: 0\r\n\r\n",
            b"X\0Y: a\r\nContent-Length: 0\r\n\r\n",
            b"X Y: a\r\nContent-Length: 0\r\n\r\n",
            b"X: a\nContent-Length: 0\r\n\r\n",
            b"X: a\rContent-Length: 0\r\n\r\n",
            b"Host: localhost\r\nContent-Length: 0\r\n\r\n",
            b": a\r\nContent-Length: 0\r\n\r\n",
        ):
            received = self.daemon.raw(head + extra + hidden)
            self.assertIn(status_of(received), (400, 413), (extra, received))
            self.assertNotIn(b"alive", received, (extra, received))

    def test_refusals_of_the_gate_are_problem_documents(self):
        self.refused(b"GET /livez HTTP/1.1\r\n\r\n")
        self.refused(b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        self.refused(b"GET /livez\0/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.refused(b"GET  /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.refused(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n")
        self.refused(b"GET http://localhost/livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.refused(b"GET /li\xc3vez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.refused(b"G(T /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def test_what_libmicrohttpd_would_answer_in_html_is_a_problem_document(self):
        for data, status, code in NOT_HTTP:
            self.refused(data, status, code)

    def test_a_refusal_comes_behind_the_answers_before_it(self):
        good = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        upload = (
            b"POST /v1/jobs?validate_only=true HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\n"
        )
        body = json.dumps(job()).encode()
        whole = upload + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        chunks = upload + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (
            len(body), body)
        for data, status, code in NOT_HTTP:
            for before in (good, good * 3 + whole, chunks + b"\r\n"):
                received = self.daemon.raw(before + data)
                parts = received.split(b"HTTP/1.1 ")[1:]
                self.assertEqual(len(parts), before.count(b" HTTP/1.1") + 1, (data[:200], received))
                self.assertEqual([part[:3] for part in parts[:-1]], [b"200"] * (len(parts) - 1))
                self.assertEqual(status_of(b"HTTP/1.1 " + parts[-1]), status, data[:200])
                self.assertEqual(body_of(parts[-1])["code"], code)

    def test_a_refusal_does_not_depend_on_how_the_bytes_come(self):
        for data, status, code in NOT_HTTP:
            for size in (1, 7):
                if len(data) > 2000:
                    continue
                with socket.create_connection(("127.0.0.1", self.daemon.port),
                                              SECONDS) as connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    received = b""
                    try:
                        for at in range(0, len(data), size):
                            connection.sendall(data[at:at + size])
                    except OSError:
                        pass  # refused before its end
                    piece = connection.recv(65536)
                    while piece:
                        received += piece
                        piece = connection.recv(65536)
                self.assertEqual(status_of(received), status, (data[:200], size, received))
                self.assertIn(b'"code":"%s"' % code.encode(), received, (data[:200], size))

    def test_no_legal_head_is_too_much_for_the_memory_of_a_connection(self):
        line = b"GET /livez?" + b"&" * 199 + b" HTTP/1.1\r\nHost: localhost\r\n"
        fields = b"".join(b"X%d: %s\r\n" % (i, b"y" * 100) for i in range(96))
        for cookies in (b"a=" + b"b" * 11000, b"a=b; " * 2000, b'c="', b'=,;"=";', b'c="; d="'):
            head = line + fields + b"cOOkie: " + cookies + b"\r\nConnection: close\r\n\r\n"
            for behind in (b"", b"x" * 60000):
                received = self.daemon.raw(head + behind)
                self.assertEqual(status_of(received), 200, (cookies[:40], received))

    def test_big_but_legal_headers_pass(self):
        for size in (100, 5000, 20000):
            answer = self.daemon.get("/livez", {"X-Filler": "a" * size})
            self.assertEqual(answer.status, 200, size)

    def test_pipelined_requests_are_answered_in_order(self):
        one = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        received = self.daemon.raw(one * 3 + last)
        self.assertEqual(received.count(b'{"status":"alive"}'), 3)
        self.assertIn(b'{"status":"ready"', received.rsplit(b"\r\n\r\n", 1)[1])

    def test_http_1_0_is_served_and_closed(self):
        received = self.daemon.raw(b"GET /livez HTTP/1.0\r\n\r\n")
        self.assertEqual(status_of(received), 200)

    def test_the_path_is_the_raw_one(self):
        for path in ("/v1/jobs/%2e%2e/limits", "/v1%2Fjobs",
                     "/v1/jobs/", "//v1/jobs", "/v1/jobs%00"):
            self.assertEqual(self.daemon.get(path).status, 404, path)
        answer = self.daemon.get("/v1/catalog/a%2fb")
        self.assertEqual(answer.status, 404)
        self.assertIn("a/b", answer.json["detail"])

    def test_unknown_paths_methods_and_parameters(self):
        self.assertEqual(self.daemon.get("/v2/jobs").json["code"], "not_found")
        for method, path, allow in (
            ("PUT", "/v1/jobs", "POST, GET, HEAD, OPTIONS"),
            ("DELETE", "/v1/limits", "GET, HEAD, OPTIONS"),
            ("GET", "/v1/jobs/x/cancel", "POST, OPTIONS"),
            ("POST", "/livez", "GET, HEAD, OPTIONS"),
        ):
            answer = self.daemon.request(method, path, headers={})
            self.assertEqual(answer.status, 405, path)
            self.assertEqual(answer.headers["allow"], allow)
        self.assertEqual(self.daemon.request("BREW", "/v1/jobs").status, 501)
        self.assertEqual(self.daemon.get("/livez?x=1").json["code"], "bad_parameter")
        for path in ("/v1/jobs:nothing", "/v1/users", "/v1/jobs/x/stream", "/v1/jobs/x/plot.svg"):
            self.assertEqual(self.daemon.get(path).status, 404, path)

    def test_an_unknown_path_is_told_the_one_that_is_near(self):
        for path, near in (("/v1/job", "/v1/jobs"), ("/v1/jobs/", "/v1/jobs"), ("/jobs", "/v1/jobs"),
                           ("/v1/job/a1/results", "/v1/jobs/a1/result"),
                           ("/v1/jobs/a1/diagnostic?x=1", "/v1/jobs/a1/diagnostics"),
                           ("/V1/catalog", "/v1/catalog"), ("/openapi.jsn", "/openapi.json")):
            answer = self.daemon.get(path)
            self.assertEqual(answer.status, 404, path)
            self.assertTrue(answer.json["detail"].endswith("; did you mean %s?" % near), answer)
        for path in ("/nothing", "/v1/jobs/a1/b2/c3", "/v1/" + "job" * 20):
            answer = self.daemon.get(path)
            self.assertEqual(answer.status, 404, path)
            self.assertIn("GET / lists the resources", answer.json["detail"])

    def test_options_names_the_methods(self):
        answer = self.daemon.request("OPTIONS", "/v1/jobs")
        self.assertEqual((answer.status, answer.body), (204, b""))
        self.assertEqual(answer.headers["allow"], "POST, GET, HEAD, OPTIONS")

    def test_a_post_must_be_json(self):
        body = json.dumps(job()).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
            answer = self.daemon.request("POST", "/v1/jobs", body, {"Content-Type": kind})
            self.assertEqual((answer.status, answer.json["code"]), (415, "unsupported_media_type"))
        answer = self.daemon.request("POST", "/v1/jobs", body, {})
        self.assertEqual(answer.status, 415)
        headers = {"Content-Type": "Application/JSON; charset=utf-8"}
        answer = self.daemon.request("POST", "/v1/jobs", body, headers)
        self.assertEqual(answer.status, 202)
        answer = self.daemon.request("POST", "/v1/jobs", body,
                                     dict(JSON, **{"Content-Encoding": "br"}))
        self.assertEqual((answer.status, answer.headers["accept-encoding"]), (415, "gzip"))

    def test_not_acceptable_elsewhere(self):
        answer = self.daemon.get("/v1/limits", {"Accept": "text/csv"})
        self.assertEqual((answer.status, answer.json["code"]), (406, "not_acceptable"))

    def test_a_body_where_none_belongs_is_refused(self):
        answer = self.daemon.request("GET", "/v1/limits", b"{}", JSON)
        self.assertEqual(answer.status, 413)

    def test_the_answer_to_a_too_long_body_arrives(self):
        for size in (MIB + 1, 4 * MIB, 20 * MIB):
            head = (
                b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % size
            )
            # the whole body is sent before anything is read
            received = self.daemon.raw(head + b" " * size)
            self.assertEqual(status_of(received), 413, size)
            self.assertEqual(body_of(received)["code"], "too_large")

    def test_the_answer_to_a_too_long_chunked_body_arrives(self):
        head = (
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        received = self.daemon.raw(head + chunk * 40 + b"0\r\n\r\n")
        self.assertEqual(status_of(received), 413)
        last = head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        received = self.daemon.raw(last + b"2\r\n{}\r\n0\r\n\r\n")
        self.assertEqual(status_of(received), 422)

    def test_an_endless_chunked_body_is_cut_with_an_answer(self):
        head = (
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        received = b""
        with socket.create_connection(("127.0.0.1", self.daemon.port), SECONDS) as connection:
            connection.sendall(head)
            try:
                for _ in range(2000):
                    connection.sendall(chunk)
            except OSError:
                pass
            try:
                received = connection.recv(65536)
            except OSError:
                self.skipTest("the client's kernel threw the answer away")
        self.assertEqual(status_of(received), 413)

    def test_a_refused_body_does_not_reset_the_connection(self):
        for path, status in ((b"/nowhere", 404), (b"/v1/limits", 405), (b"/v1/jobs?x=1", 400)):
            head = (
                b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 3000000\r\n\r\n" % path
            )
            self.assertEqual(status_of(self.daemon.raw(head + b" " * 3000000)), status)

    def test_expect_continue_is_refused_before_the_body(self):
        head = (
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Expect: 100-continue\r\nContent-Length: 90000000\r\n\r\n"
        )
        received = self.daemon.raw(head)
        self.assertEqual(status_of(received), 413)

    def test_other_hosts_are_refused_on_loopback(self):
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", ""):
            answer = self.daemon.get("/v1/jobs", {"Host": host})
            self.assertEqual((answer.status, answer.json["code"]), (403, "unknown_host"), host)
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1:%d" % self.daemon.port, "[::1]:9",
                     "localhost.", "localhost:", "[0:0:0::1]"):
            self.assertEqual(self.daemon.get("/v1/jobs", {"Host": host}).status, 200, host)

    def test_a_malformed_host_is_refused_everywhere(self):
        for host in ("localhost:x@evil.example", "localhost@evil.example",
                     "[::1]evil", "[::1", "[]", "::1",
                     "localhost:80:80", "localhost:123456", "local host", "localhost/", "[evil]"):
            for path in ("/v1/jobs", "/livez"):
                answer = self.daemon.get(path, {"Host": host})
                self.assertEqual((answer.status, answer.json["code"]),
                                 (400, "malformed_request"), host)

    def test_probes_may_use_any_name(self):
        for path in ("/livez", "/readyz"):
            self.assertEqual(self.daemon.get(path, {"Host": "10.1.2.3:8080"}).status, 200)

    def test_pages_of_listed_origins_may_read_and_write(self):
        origin = {"Origin": "https://lab.example"}
        answer = self.daemon.get("/v1/limits", origin)
        self.assertEqual(answer.headers["access-control-allow-origin"], "https://lab.example")
        preflight = self.daemon.request("OPTIONS", "/v1/jobs", headers=origin)
        self.assertEqual(preflight.status, 204)
        self.assertIn("POST", preflight.headers["access-control-allow-methods"])
        for name in ("Content-Type", "Authorization", "Idempotency-Key", "Last-Event-ID"):
            self.assertIn(name, preflight.headers["access-control-allow-headers"])
        self.assertEqual(self.daemon.post("/v1/jobs", job(), origin).status, 202)
        missing = self.daemon.get("/v1/jobs/x", origin)
        self.assertIn("access-control-allow-origin", missing.headers)

    def test_pages_of_other_origins_may_not(self):
        origin = {"Origin": "https://evil.example"}
        self.assertNotIn("access-control-allow-origin",
                         self.daemon.get("/v1/limits", origin).headers)
        answer = self.daemon.post("/v1/jobs", job(), origin)
        self.assertEqual((answer.status, answer.json["code"]), (403, "foreign_origin"))
        own = {"Origin": "http://127.0.0.1:%d" % self.daemon.port}
        self.assertEqual(self.daemon.post("/v1/jobs", job(), own).status, 202)

    def test_head_is_get_without_a_body(self):
        for path in ("/livez", "/v1/limits", "/v1/jobs", "/openapi.json", "/metrics", "/"):
            head, get = self.daemon.request("HEAD", path), self.daemon.get(path)
            self.assertEqual((head.status, head.body), (get.status, b""), path)
            self.assertEqual(head.headers["content-type"], get.headers["content-type"], path)
        self.assertEqual(self.daemon.request("HEAD", "/nowhere").status, 404)


    def test_head_of_a_stream_has_no_length_and_nothing_behind_the_headers(self):
        path = "/v1/jobs/%s/result" % self.daemon.finish()["id"]
        request = "HEAD %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n"
        for accept in ("application/json", "application/x-ndjson", "text/csv"):
            received = self.daemon.raw((request % (path, accept)).encode(), shut=True)
            head, rest = received.lower().split(b"\r\n\r\n", 1)
            self.assertEqual((status_of(received), rest), (200, b""), received)
            self.assertNotIn(b"content-length", head)
            self.assertIn(accept.encode(), head)
            self.assertIn(b"etag", head)
        get, head = self.daemon.get("/v1/limits"), self.daemon.request("HEAD", "/v1/limits")
        self.assertEqual(head.headers["content-length"], str(len(get.body)))


def trickle(daemon, start, byte):
    """Sends a byte again and again and never pauses for long; what comes back at last."""
    with socket.create_connection(("127.0.0.1", daemon.port), SECONDS) as connection:
        connection.sendall(start)
        connection.setblocking(False)
        for _ in deadline("an answer to a request without end"):
            try:
                connection.send(byte)
                return connection.recv(4096)
            except BlockingIOError:
                pass


LIVEZ = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY_TO_COME = (b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n")


def begin(daemon, part):
    """A connection on which that was sent."""
    connection = socket.create_connection(("127.0.0.1", daemon.port), SECONDS)
    connection.sendall(part)
    return connection


def ask(daemon, request):
    """A new connection, and what comes back first."""
    connection = begin(daemon, request)
    return connection, connection.recv(4096)


class Limits(unittest.TestCase):
    def test_a_slow_request_is_cut(self):
        daemon = Daemon("--request-timeout", "1")
        try:
            for start, byte in (
                (b"G", b"a"),
                (b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ", b"a"),
                (b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                 b"Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n", b" "),
            ):
                received = trickle(daemon, start, byte)
                self.assertEqual(status_of(received), 408, (start, received))
        finally:
            daemon.close()

    def test_clients_that_close_in_the_middle_of_a_request_leave_room(self):
        daemon = Daemon("--request-timeout", "3600", "--max-connections", "60")
        post = (b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        try:
            for part in (b"", b"G", b"GET /livez HTTP/1.1\r\nHost: loc", post, post + b'{"model":',
                         b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET /li"):
                for _ in range(60):
                    with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
                        connection.sendall(part)
                for _ in deadline("room after clients that sent %r" % part):
                    if status_of(daemon.raw(b"GET /livez HTTP/1.0\r\n\r\n")) == 200:
                        break
            for _ in deadline("all of them to be closed"):
                if b"dalembert_connections 1\n" in daemon.get("/metrics").body:
                    break
        finally:
            daemon.close()

    def test_whole_requests_are_answered_when_the_client_sends_no_more(self):
        daemon = Daemon("--request-timeout", "3600")
        whole = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try:
            for count, part in ((0, b"G"), (1, b""), (3, b""), (2, b"GET /"), (1, whole[:-2])):
                received = daemon.raw(whole * count + part, shut=True)
                self.assertEqual(received.count(b"HTTP/1.1 200"), count, received)
                # libmicrohttpd may see the end first, and says nothing
                self.assertLessEqual(received.count(b"HTTP/1.1 400"), 1 if part else 0, received)
        finally:
            daemon.close()

    BIG = job(time={"end": 10, "samples": 500001})

    def begin_download(self, daemon):
        """A connection on which much more is to come than the sockets hold."""
        path = "/v1/jobs/%s/result" % daemon.finish(self.BIG)["id"]
        connection = socket.create_connection(("127.0.0.1", daemon.port), SECONDS)
        connection.sendall(("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path).encode())
        self.assertEqual(status_of(connection.recv(1000)), 200)
        return connection

    def see_idle_connections_end(self, daemon, count):
        for _ in range(count):
            with socket.create_connection(("127.0.0.1", daemon.port), SECONDS) as idle:
                while idle.recv(4096):
                    pass

    def test_a_download_may_pause_longer_than_a_request(self):
        daemon = Daemon("--request-timeout", "1")
        try:
            connection = self.begin_download(daemon)
            # one after the other: three request timeouts pass
            self.see_idle_connections_end(daemon, 3)
            end, piece = b"", connection.recv(1 << 20)
            while piece:
                end = (end + piece)[-5:]
                if end == b"0\r\n\r\n":
                    break
                piece = connection.recv(1 << 20)
            self.assertEqual(end, b"0\r\n\r\n", "the download was cut")
            connection.close()
        finally:
            daemon.close()

    def test_an_answer_that_nobody_reads_is_cut_in_the_end(self):
        daemon = Daemon("--write-timeout", "1")
        try:
            connection = self.begin_download(daemon)
            daemon.wait_log("cut=true")
            connection.close()
            answer = daemon.get("/v1/jobs?wait=3&since=9999999")
            self.assertEqual(answer.status, 200, "a wait is no answer on its way")
        finally:
            daemon.close()

    def test_what_is_hardly_http_is_refused_or_gets_nothing(self):
        daemon = Daemon("--request-timeout", "1")
        try:
            for data in (b"\x16\x03\x01\x02\x00", b"GET /livez\r\n\r\n",
                         b"\r\n\r\n\r\n", b"a" * 100000):
                received = daemon.raw(data, shut=True)
                self.assertIn(status_of(received), (400, 408, 413, 414, 431, None), received)
            self.assertEqual(daemon.get("/livez").status, 200)
        finally:
            daemon.close()

    def test_connections_beyond_the_limit_are_told_so(self):
        daemon = Daemon("--max-connections", "20")
        try:
            held = [begin(daemon, BODY_TO_COME) for _ in range(20)]
            request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            for _ in deadline("the daemon to count its connections"):
                received = daemon.raw(request)
                if status_of(received) == 503:
                    break
            self.assertIn(b"Retry-After", received)
            for connection in held:
                connection.close()
            for _ in deadline("a free connection"):
                if status_of(daemon.raw(request)) == 200:
                    break
        finally:
            daemon.close()

    def come_in(self, daemon):
        """A new connection that has been answered, and is kept."""
        for _ in deadline("room for a newcomer"):
            connection, received = ask(daemon, LIVEZ)
            if status_of(received) == 200:
                return connection
            self.assertEqual(status_of(received), 503, received)
            connection.close()

    def test_idle_connections_give_way_the_oldest_first(self):
        daemon = Daemon("--max-connections", "20", "--request-timeout", "3600")
        try:
            # by tens and fives: an answer is here a moment before its connection is idle
            idle = [self.come_in(daemon) for _ in range(20)]
            for connection in idle[:5]:
                connection.sendall(LIVEZ)
                self.assertEqual(status_of(connection.recv(4096)), 200)
            newcomer = self.come_in(daemon)
            closed = select.select(idle, [], [], SECONDS)[0]
            self.assertEqual([connection.recv(4096) for connection in closed],
                             [b""], "one is closed, without a word")
            self.assertIn(idle.index(closed[0]), range(5, 10), "it is one of the oldest")
            for connection in idle + [newcomer]:
                if connection not in closed:
                    connection.sendall(LIVEZ)
                    self.assertEqual(status_of(connection.recv(4096)), 200, "the others stay")
        finally:
            daemon.close()

    def test_who_sends_nothing_or_no_whole_head_gives_way_and_who_sends_a_body_does_not(self):
        for part in (b"", b"G", LIVEZ[:-2]):
            daemon = Daemon("--max-connections", "20", "--request-timeout", "3600")
            try:
                sending = [begin(daemon, BODY_TO_COME) for _ in range(2)]
                slow = [begin(daemon, part) for _ in range(18)]
                newcomers = [self.come_in(daemon) for _ in range(19)]
                self.assertEqual(status_of(slow[0].recv(4096)), 503, part)
                for connection in sending:
                    connection.sendall(b"{}")
                    self.assertEqual(status_of(connection.recv(4096)), 422)
                self.assertEqual(len(newcomers), 19)
            finally:
                daemon.close()

    def test_a_burst_of_connections_stops_no_thread(self):
        daemon = Daemon("--max-connections", "2", "--request-threads", "1")
        try:
            daemon.process.send_signal(signal.SIGSTOP)  # all of them come at once
            burst = [begin(daemon, BODY_TO_COME) for _ in range(300)]
            daemon.process.send_signal(signal.SIGCONT)
            self.assertEqual(status_of(burst[-1].recv(4096)), 503)
            for connection in burst:
                connection.close()
            self.come_in(daemon).close()
        finally:
            daemon.close()

    def test_all_allowed_connections_can_be_used_at_once(self):
        daemon = Daemon("--max-connections", "300", "--request-threads", "4")
        try:
            held = []
            for _ in range(300):
                connection = socket.create_connection(("127.0.0.1", daemon.port))
                connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                held.append(connection)
            for connection in held:
                self.assertEqual(status_of(connection.recv(4096)), 200)
                connection.close()
        finally:
            daemon.close()


if __name__ == "__main__":
    unittest.main()
