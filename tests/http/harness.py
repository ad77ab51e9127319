"""A daemon of its own for a test, and a client that sees every byte."""

import http.client
import io
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
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))

from contract import CONTRACT, Violation  # noqa: E402
from deadline import SECONDS, deadline  # noqa: E402

BINARY = os.environ.get("DALEMBERT_BIN", os.path.join(ROOT, "build", "dalembert"))

JSON = {"Content-Type": "application/json"}

OSCILLATOR = {
    "name": "oscillator",
    "coordinates": ["x"],
    "parameters": {"m": 2, "k": 8},
    "lagrangian": "m/2*dot(x)^2 - k/2*x^2",
}


def job(**changes):
    """The oscillator x'' = -4 x from x = 1 at rest: x = cos(2 t). It is run, whatever was run
    before."""
    document = {
        "model": OSCILLATOR,
        "initial": {"q": {"x": 1}, "v": {"x": 0}},
        "time": {"end": 1, "samples": 11},
        "cache": False,
    }
    document.update(changes)
    return document


def long_job(**changes):
    """Runs for minutes unless it is stopped."""
    return job(time={"end": 1e7, "samples": 11}, integrator={"max_steps": 900000000}, **changes)


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "%d %r" % (self.status, self.body[:400])


violations = []  # also those found in a thread, where they fail no test: for run.py


def keep_contract(method, target, answer, sent=None, sent_headers=None):
    """Fails where the exchange is not as api/openapi.json says."""
    try:
        CONTRACT.check(method, target, answer.status, answer.headers,
                       answer.body, sent, sent_headers)
    except Violation as violation:
        violations.append(str(violation))
        raise


class Received:
    """A socket that was read to its end, for http.client."""

    def __init__(self, data):
        self.data = data

    def makefile(self, *_):
        return io.BytesIO(self.data)


def keep_contract_raw(sent, received):
    """As far as one request was sent and its answer came whole."""
    line = re.match(rb"([A-Z]+) (\S+) HTTP/1\.[01]\r\n", sent)
    method, target = (part.decode("latin-1") for part in line.groups()) if line else ("GET", "")
    try:
        response = http.client.HTTPResponse(Received(received), method=method)
        response.begin()
        answer = Answer(response.status, response.getheaders(), response.read())
    except http.client.HTTPException:
        return
    keep_contract(method, target, answer)


with open(BINARY, "rb") as program:
    # the thread sanitizer takes memory of its own; a file of the web page
    WATCHED, WITH_PAGE = map(program.read().__contains__, (b"__tsan_init", b"app/main.js\0"))
needs_page = unittest.skipUnless(WITH_PAGE, "the program was built without the web page")

# a sanitizer keeps what is freed, for a while: for tests that look at memory
LEAN = {"ASAN_OPTIONS":
        "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:"
        "allocator_release_to_os_interval_ms=0"}


class Daemon:
    preexec = None  # called in the child before exec

    def __init__(self, *arguments, data=None, environment=None, start=True):
        self.own = data is None
        self.directory = data or tempfile.mkdtemp(prefix="dalembert-test-")
        self.arguments = list(arguments)
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None
        if start:
            self.start()

    def command(self):
        command = [BINARY, "serve", "--data", os.path.join(self.directory, "data")]
        if "--listen" not in self.arguments:
            command += ["--listen", "127.0.0.1:0"]
        if "--compute-timeout" not in self.arguments:  # no test fails on a slow machine
            command += ["--compute-timeout", str(SECONDS)]
        return command + self.arguments

    def start(self):
        self.log_path = os.path.join(self.directory, "log")
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, stderr=self.log, env=self.environment,
            preexec_fn=self.preexec
        )
        line = self.process.stdout.readline().decode()
        if "http://" not in line:
            self.process.wait()
            raise RuntimeError("the daemon did not start: %r %s" % (line, self.read_log()[-2000:]))
        self.address, port = line.split("http://")[1].rsplit(":", 1)
        self.port = int(port)
        return self

    def read_log(self):
        with open(self.log_path, errors="replace") as log:
            return log.read()

    def wait_log(self, *words, times=1):
        """Until the log has them: lines of it are written after what they tell is seen."""
        for _ in deadline("%s in the log" % (words,)):
            log = self.read_log()
            if all(log.count(word) >= times for word in words):
                return log

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def terminate(self):
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        self.log.close()
        return code

    def close(self):
        if self.process and self.process.poll() is None:
            try:
                code = self.terminate()
            except subprocess.TimeoutExpired:
                self.kill()
                code = "a hang"
            if code != 0:
                raise AssertionError("the daemon ended with %s: %s"
                                     % (code, self.read_log()[-3000:]))
        if self.own:
            shutil.rmtree(self.directory, ignore_errors=True)

    def connect(self):
        return http.client.HTTPConnection(self.address, self.port, timeout=SECONDS)

    def request(self, method, path, body=None, headers=None, connection=None):
        own = connection is None
        connection = connection or self.connect()
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        if body is not None and headers is None:
            headers = JSON
        headers = headers or {}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.getheaders(), response.read())
        if own:
            connection.close()
        keep_contract(method, path, answer, body, headers)
        return answer

    def get(self, path, headers=None):
        return self.request("GET", path, headers=headers)

    def post(self, path, body, headers=None):
        return self.request("POST", path, body, dict(JSON, **(headers or {})))

    def submit(self, document=None, **changes):
        answer = self.post("/v1/jobs", document or job(**changes))
        assert answer.status == 202 or answer.json["cached"], answer
        return answer.json["id"]

    def finish(self, document=None, **changes):
        """Submits, waits for the end and returns the job."""
        answer = self.post("/v1/jobs?wait=60", document or job(**changes))
        assert answer.status in (200, 202), answer
        return answer.json if answer.json["done"] else self.wait_done(answer.json["id"])

    def wait_done(self, identifier):
        for _ in deadline("the end of job " + identifier):
            found = self.get("/v1/jobs/%s?wait=60" % identifier).json
            if found["done"]:
                return found

    def wait_state(self, identifier, state):
        for _ in deadline("job %s to be %s" % (identifier, state)):
            found = self.get("/v1/jobs/" + identifier).json
            if found["state"] == state:
                return found
            assert not found["done"], found

    def wait_running(self, identifier):
        """Until the job runs and all who waited for that have been told."""
        for _ in deadline("job %s to integrate" % identifier):
            if self.wait_state(identifier, "running")["phase"] == "integrating":
                return

    def metrics_port(self):
        """The port of --metrics-listen, which is in the log before the daemon is ready."""
        return int(re.findall(r"event=metrics address=.*:(\d+)", self.read_log())[-1])

    def own_metrics(self):
        """The text that the port of --metrics-listen answers."""
        url = "http://127.0.0.1:%d/metrics" % self.metrics_port()
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return answer.read().decode()

    def waiters(self):
        """How many requests are suspended."""
        found = re.search(r"^dalembert_waiters (\d+)$", self.get("/metrics").body.decode(), re.M)
        return int(found.group(1))

    def wait_waiters(self, count):
        for _ in deadline("%d waiting requests" % count):
            if self.waiters() == count:
                return

    def raw(self, data, shut=False):
        """Sends bytes as they are and reads to the end of the connection."""
        received = self.exchange(data, shut)
        keep_contract_raw(data, received)
        return received

    def exchange(self, data, shut):
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as connection:
            received = b""
            try:
                connection.sendall(data)
                if shut:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # closed already; the answer may still be there
            try:
                while True:
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    received += piece
            except ConnectionResetError:
                received += b"<reset>"
            return received

    def status(self, name):
        """A size in bytes from /proc."""
        with open("/proc/%d/status" % self.process.pid) as status:
            for line in status:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) * 1024
        raise AssertionError("no " + name)

    def memory(self):
        """Resident bytes."""
        return self.status("VmRSS")

    def peak_memory(self):
        return self.status("VmHWM")


class DaemonCase(unittest.TestCase):
    """Tests that share one daemon with its defaults."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def diagnostics(self, job):
        return self.daemon.get(job["links"]["diagnostics"]).json
