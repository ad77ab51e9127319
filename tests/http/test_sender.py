"""The sender of a request: clients behind trusted proxies, ids of requests, traces; the two formats
of the log."""

import json
import re
import subprocess
import tempfile
import unittest

from harness import BINARY, SECONDS, Daemon

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00-%s-00f067aa0ba902b7-01" % TRACE


def started(case, *arguments, **options):
    daemon = Daemon(*arguments, **options)
    case.addCleanup(daemon.close)
    return daemon


def line_of(daemon, word):
    """The line of the log about the request whose target has this word."""
    return next(line for line in daemon.wait_log(word + '" status').splitlines()
                if "event=request" in line and word + '" status' in line)


class Proxies(unittest.TestCase):
    SPOOFED = {"X-Forwarded-For": "198.51.100.7", "X-Request-Id": "from-a-proxy"}

    def test_an_untrusted_peer_is_the_client_whatever_it_says(self):
        daemon = started(self, "--trusted-proxies", "192.0.2.0/24")
        answer = daemon.get("/livez?untrusted", headers=self.SPOOFED)
        line = line_of(daemon, "untrusted")
        self.assertIn("client=127.0.0.1 ", line)
        self.assertRegex(answer.headers["x-request-id"], "^[0-9a-f]{32}$")
        self.assertIn('request="%s"' % answer.headers["x-request-id"], line)

    def test_a_trusted_proxy_names_the_client_and_the_request(self):
        daemon = started(self, "--trusted-proxies", "127.0.0.0/8,::1")
        answer = daemon.get("/livez?trusted", headers=self.SPOOFED)
        line = line_of(daemon, "trusted")
        self.assertIn("client=198.51.100.7 ", line)
        self.assertIn('request="from-a-proxy"', line)
        self.assertEqual(answer.headers["x-request-id"], "from-a-proxy")

    def test_the_variable_is_as_good_as_the_flag(self):
        daemon = started(self, environment={"DALEMBERT_TRUSTED_PROXIES": "127.0.0.1"})
        daemon.get("/livez?variable", headers=self.SPOOFED)
        self.assertIn("client=198.51.100.7 ", line_of(daemon, "variable"))

    def test_failed_logins_count_for_the_client_not_for_the_proxy(self):
        daemon = self.with_keys("--trusted-proxies", "127.0.0.1")
        for _ in range(50):
            answer = daemon.get("/v1/jobs", headers={"X-Forwarded-For": "198.51.100.7"})
        self.assertEqual(answer.status, 429)
        answer = daemon.get("/v1/jobs", headers={"X-Forwarded-For": "198.51.100.8"})
        self.assertEqual(answer.status, 401)
        daemon.wait_log("event=unauthorized client=198.51.100.7",
                        "event=unauthorized client=198.51.100.8")

    def test_a_client_without_a_proxy_cannot_escape_the_limit(self):
        daemon = self.with_keys()
        statuses = [daemon.get("/v1/jobs", headers={"X-Forwarded-For": "198.51.100.%d" % i}).status
                    for i in range(50)]
        self.assertEqual(statuses[-1], 429)

    def test_a_wrong_list_is_named(self):
        for value in ("localhost", "10.0.0.0/33", "10.0.0.1/8", "127.0.0.1,*"):
            done = subprocess.run([BINARY, "serve", "--check-config", "--trusted-proxies", value],
                                  capture_output=True, text=True, timeout=SECONDS)
            self.assertEqual(done.returncode, 2)
            self.assertIn('trusted-proxies: "%s" is neither an address nor a range'
                          % value.split(",")[-1], done.stderr)

    def test_keys_in_plain_text_are_a_warning(self):
        everywhere = ("--listen", "0.0.0.0:0")
        self.assertIn("level=warning event=plaintext", self.start_log(*everywhere))
        self.assertNotIn("event=plaintext", self.start_log())
        self.assertNotIn("event=plaintext",
                         self.start_log(*everywhere, "--trusted-proxies", "10.0.0.1"))

    def start_log(self, *arguments):
        return self.with_keys(*arguments).wait_log("event=started")

    def with_keys(self, *arguments):
        with tempfile.NamedTemporaryFile("w") as file:
            token = subprocess.run([BINARY, "keys", "token"], capture_output=True, text=True,
                                   check=True, timeout=SECONDS)
            file.write(token.stdout)
            file.flush()
            return started(self, "--auth", "keys", "--first-key-file", file.name, *arguments)


class Ids(unittest.TestCase):
    def test_a_trace_is_kept_from_every_sender(self):
        daemon = started(self)
        daemon.get("/livez?traced", headers={"traceparent": PARENT})
        self.assertIn("trace=" + TRACE, line_of(daemon, "traced"))
        daemon.get("/livez?made", headers={"traceparent": PARENT[:-1]})
        self.assertRegex(line_of(daemon, "made"), "trace=(?!%s)[0-9a-f]{32}" % TRACE)

    def test_refusals_and_streams_have_an_id_too(self):
        daemon = started(self, "--trusted-proxies", "127.0.0.1")
        identifier = daemon.finish()["id"]
        for path in ("/v1/nothing", "/v1/jobs/%s/stream" % identifier,
                     "/v1/jobs/%s/result" % identifier):
            answer = daemon.get(path, headers={"X-Request-Id": "4.2"})
            self.assertEqual(answer.headers["x-request-id"], "4.2", path)


class Format(unittest.TestCase):
    """Every line of the log is one JSON object."""

    def records(self, daemon):
        with open(daemon.log_path, "rb") as log:
            return [json.loads(line.decode("utf-8")) for line in log.read().splitlines()]

    def test_every_line_is_json_whatever_clients_write(self):
        daemon = started(self, "--log-format", "json", "--trusted-proxies", "127.0.0.1")
        daemon.finish()
        daemon.get("/livez", headers={"X-Request-Id": "12", "X-Forwarded-For": "1.2.3.4"})
        texts = [b'/"quoted"', b"/back\\slash\\x41", b"/\xff\xc3(\xed\xa0\x80", "/\u00e4".encode(),
                 b"/" + b"\xc3\xa4" * 500, b"/a=b,c={}"]
        for text in texts:
            daemon.exchange(b"GET " + text + b" HTTP/1.1\r\nHost: localhost\r\n"
                            b"Connection: close\r\n\r\n", False)
        self.assertEqual(daemon.terminate(), 0)
        records = self.records(daemon)
        events = {record["event"] for record in records}
        self.assertLessEqual({"started", "request", "job", "draining", "stopped"}, events)
        for record in records:
            self.assertLessEqual({"time", "level", "event"}, set(record))
        found = next(record for record in records if record.get("target") == "/livez")
        self.assertEqual((found["method"], found["status"], found["request"], found["client"]),
                         ("GET", 200, "12", "1.2.3.4"))
        self.assertIsInstance(found["ms"], (int, float))

    def test_the_fields_are_those_of_logfmt(self):
        names = []
        for form in ("json", "logfmt"):
            daemon = Daemon("--log-format", form)
            daemon.get("/v1/jobs")
            self.assertEqual(daemon.terminate(), 0)
            line = next(line for line in daemon.read_log().splitlines() if "/v1/jobs" in line)
            self.assertRegex(line, 'tenant"?[:=]"?default')
            names.append(list(json.loads(line)) if form == "json"
                         else re.findall(r"(?:^| )([a-z]+)=", line))
        self.assertEqual(names[0], names[1])

    def test_an_unknown_format_is_refused(self):
        done = subprocess.run([BINARY, "serve", "--check-config", "--log-format", "xml"],
                              capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2)
        self.assertIn('log-format must be logfmt or json, not "xml"', done.stderr)


if __name__ == "__main__":
    unittest.main()
