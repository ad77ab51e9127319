#!/usr/bin/env python3
"""The service behind nginx with deploy/nginx.conf: TLS and HTTP/2 outside, HTTP/1.1 inside.

    tests/proxy.py [TEST...]        needs nginx, openssl and curl

The file is used as it stands, but for the paths of the certificate, the ports, and the listener of
IPv6. curl is the client, because Python's library does not speak HTTP/2.
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

from harness import SECONDS, Daemon, deadline, job, long_job  # noqa: E402

CONFIGURATION = os.path.join(ROOT, "deploy", "nginx.conf")
NAME = "sim.example.org"
PROGRAMS = ("nginx", "openssl", "curl")

# What nginx needs around a file of sites-enabled.
FRAME = """daemon off; pid %(folder)s/pid; error_log %(folder)s/error.log;
events {}
http {
    access_log off;
    client_body_temp_path %(folder)s/body; proxy_temp_path %(folder)s/proxy;
    fastcgi_temp_path %(folder)s/fastcgi; uwsgi_temp_path %(folder)s/uwsgi;
    scgi_temp_path %(folder)s/scgi;
    include %(folder)s/site.conf;
}
"""


def replace_once(text, pattern, new):
    text, n = re.subn(pattern, lambda _: new, text)
    assert n == 1, "%s is in deploy/nginx.conf %d times" % (pattern, n)
    return text


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Nginx:
    def __init__(self, service_port):
        self.folder = tempfile.mkdtemp(prefix="dalembert-nginx-")
        self.port = free_port()
        self.certificate = os.path.join(self.folder, "certificate.pem")
        key = os.path.join(self.folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=" + NAME, "-addext", "subjectAltName=DNS:" + NAME,
                        "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        with open(CONFIGURATION, encoding="utf-8") as file:
            site = file.read()
        site = replace_once(site, r"server 127\.0\.0\.1:8080", "server 127.0.0.1:%d" % service_port)
        site = replace_once(site, r"listen 443 ", "listen 127.0.0.1:%d " % self.port)
        site = replace_once(site, r" *listen \[::\]:443 .*\n", "")
        site = replace_once(site, r"ssl_certificate [^;]*", "ssl_certificate " + self.certificate)
        site = replace_once(site, r"ssl_certificate_key [^;]*", "ssl_certificate_key " + key)
        self.write("site.conf", site)
        self.write("nginx.conf", FRAME % {"folder": self.folder})
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-c",
                                         os.path.join(self.folder, "nginx.conf")],
                                        stderr=subprocess.PIPE)
        for _ in deadline("nginx to listen"):
            if self.process.poll() is not None:
                raise RuntimeError("nginx did not start: %r" % self.process.stderr.read())
            try:
                socket.create_connection(("127.0.0.1", self.port), SECONDS).close()
                return
            except ConnectionRefusedError:
                pass

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SECONDS)
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, path, *options, name=NAME):
        """curl for this path; the certificate is checked unless the name is another."""
        trust = ["--cacert", self.certificate] if name == NAME else ["--insecure"]
        return ["curl", "--silent", "--show-error", "--no-buffer", "--http2", *trust,
                "--resolve", "%s:%d:127.0.0.1" % (name, self.port), *options,
                "https://%s:%d%s" % (name, self.port, path)]


class Proxy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--hosts", NAME + ",localhost,127.0.0.1",
                            "--trusted-proxies", "127.0.0.1")
        cls.addClassCleanup(cls.daemon.close)
        cls.nginx = Nginx(cls.daemon.port)
        cls.addClassCleanup(cls.nginx.close)

    def curl(self, path, *options, **more):
        """Status, headers and body of an answer."""
        done = subprocess.run(self.nginx.command(path, "--include", *options, **more), check=True,
                              capture_output=True, timeout=SECONDS)
        head, body = done.stdout.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:])
        self.assertRegex(lines[0], "^HTTP/2 ")
        return int(lines[0].split()[1]), headers, body

    def post(self, path, document, *options):
        return self.curl(path, "--json", json.dumps(document), *options)

    def open(self, path, *options):
        """An answer that is read while it comes."""
        process = subprocess.Popen(self.nginx.command(path, *options), stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, SECONDS)
        self.addCleanup(process.kill)
        return process

    def running(self):
        """The id of a job that runs until it is cancelled."""
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        return identifier

    def cancel(self, identifier):
        status, _, body = self.curl("/v1/jobs/%s/cancel" % identifier, "--request", "POST")
        self.assertIn(status, (200, 202), body)

    def test_a_job_is_submitted_and_its_result_read(self):
        status, _, body = self.post("/v1/jobs?wait=60", job())
        self.assertEqual(status, 200, body)
        path = "/v1/jobs/%s/result" % json.loads(body)["id"]
        direct = self.daemon.get(path)
        self.assertEqual(direct.status, 200)
        self.assertEqual(self.curl(path)[2], direct.body)

    def test_a_chunked_body_arrives(self):
        process = subprocess.Popen(
            self.nginx.command("/v1/jobs", "--http1.1", "--header", "Transfer-Encoding: chunked",
                               "--header", "Content-Type: application/json",
                               "--data-binary", "@-"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        out, _ = process.communicate(json.dumps(job()).encode(), SECONDS)
        found = json.loads(out)
        self.assertEqual(self.daemon.wait_done(found["id"])["state"], "succeeded")

    def test_events_arrive_one_by_one(self):
        """The first event is here while the job that ends the stream still runs."""
        identifier = self.running()
        stream = self.open("/v1/jobs/%s/stream" % identifier)
        first = self.event(stream)
        self.assertEqual(json.loads(first["data"])["state"], "running")
        self.assertEqual(self.daemon.get("/v1/jobs/" + identifier).json["state"], "running")
        self.cancel(identifier)
        found = first
        while found["event"] != "done":
            found = self.event(stream)
        self.assertEqual(json.loads(found["data"])["state"], "cancelled")

    def event(self, process):
        """The next event of a stream, as a dictionary."""
        fields = {}
        for line in process.stdout:
            text = line.decode().rstrip("\n")
            if text == "" and "event" in fields:
                return fields
            name, _, value = text.partition(": ")
            fields[name] = value
        raise AssertionError("the stream has ended after %s" % fields)

    def test_a_long_poll_is_woken_by_a_change_of_the_job(self):
        """A poll that was answered earlier would not know of the cancellation."""
        identifier = self.running()
        poll = self.open("/v1/jobs/%s?wait=60" % identifier)
        self.daemon.wait_waiters(1)
        self.cancel(identifier)
        found = json.loads(poll.stdout.read())
        self.assertTrue(found["cancel_requested"], found)

    def test_a_foreign_host_is_refused(self):
        status, _, body = self.curl("/v1/jobs", name="evil.example")
        self.assertEqual((status, json.loads(body)["code"]), (403, "unknown_host"))

    def test_metrics_are_for_the_inside(self):
        self.assertEqual(self.curl("/metrics")[0], 404)
        self.assertEqual(self.daemon.get("/metrics").status, 200)

    def test_the_log_has_the_client_and_the_id_that_nginx_gave(self):
        """What the client says about itself is overwritten."""
        status, headers, _ = self.curl("/v1/limits", "--interface", "127.0.0.2",
                                       "--header", "X-Forwarded-For: 198.51.100.7",
                                       "--header", "X-Request-Id: chosen-by-the-client")
        identifier = headers["x-request-id"]
        self.assertEqual(status, 200)
        self.assertRegex(identifier, "^[0-9a-f]{32}$")
        self.daemon.wait_log('client=127.0.0.2 request="%s"' % identifier)
        log = self.daemon.read_log()
        self.assertNotIn("198.51.100.7", log)
        self.assertNotIn("chosen-by-the-client", log)


if __name__ == "__main__":
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        sys.exit("proxy: %s is missing; run sh deploy/install-deps.sh long" % ", ".join(missing))
    unittest.main(verbosity=2)
