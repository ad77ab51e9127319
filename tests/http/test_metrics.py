"""GET /metrics: requests by route, ends of jobs, the store, the process."""

import http.client
import os
import re
import socket
import subprocess
import tempfile
import unittest

from harness import BINARY, SECONDS, Daemon, deadline, job, long_job
from test_stream import Stream

DURATION = "dalembert_http_request_duration_seconds"


def seconds_of(text):
    """Of a date of the log, since 1970."""
    done = subprocess.run(["date", "-d", text + "Z", "+%s.%3N"], check=True, capture_output=True)
    return float(done.stdout)


class Scrape:
    """The samples of one answer, by name and labels."""

    def __init__(self, text):
        self.text = text
        self.samples = dict(line.rsplit(" ", 1) for line in text.splitlines()
                            if not line.startswith("#"))

    def __getitem__(self, name):
        return float(self.samples[name])

    def __contains__(self, name):
        return name in self.samples

    def requests(self, method, route, status):
        return self["dalembert_http_requests_total" + self.labels(method, route, status)]

    def timed(self, method, route, status):
        """The requests in the histogram."""
        name = DURATION + "_count" + self.labels(method, route, status)
        return self[name] if name in self else 0

    @staticmethod
    def labels(method, route, status):
        return '{method="%s",route="%s",status="%s"}' % (method, route, status)


class MetricsCase(unittest.TestCase):
    def start(self, *arguments, **settings):
        daemon = Daemon(*arguments, **settings)
        self.addCleanup(daemon.close)
        return daemon

    @staticmethod
    def scrape(daemon):
        return Scrape(daemon.get("/metrics").body.decode())

    def await_scrape(self, daemon, ready, what):
        """Requests and jobs are counted after their answers and ends are seen."""
        for _ in deadline(what):
            found = self.scrape(daemon)
            if ready(found):
                return found


class Requests(MetricsCase):
    def test_requests_are_counted_by_the_pattern_of_their_route(self):
        daemon = self.start()
        identifier = daemon.submit()
        daemon.get("/v1/jobs/" + identifier)
        daemon.get("/v1/jobs/" + identifier + "?nonsense=1")
        daemon.get("/nonsense")
        found = self.await_scrape(daemon, lambda each: each.requests("none", "none", "4xx"),
                                  "the last request to be counted")
        for method, route, status in (("POST", "/v1/jobs", "2xx"), ("GET", "/v1/jobs/{id}", "2xx"),
                                      ("GET", "/v1/jobs/{id}", "4xx"), ("none", "none", "4xx")):
            self.assertEqual(found.requests(method, route, status), 1, route)
            self.assertEqual(found.timed(method, route, status), 1, route)
        self.assertNotIn(identifier, found.text)
        self.assertNotIn("nonsense", found.text)

    def test_each_route_has_its_counters_from_the_start(self):
        found = self.scrape(self.start())
        for status in ("2xx", "3xx", "4xx", "5xx"):
            self.assertEqual(found.requests("DELETE", "/v1/models/{id}", status), 0)

    def test_requests_that_wait_are_not_in_the_histogram(self):
        daemon = self.start("--workers", "1")
        identifier = daemon.submit(long_job())
        daemon.wait_running(identifier)
        self.assertEqual(daemon.get("/v1/jobs/%s?wait=0.2" % identifier).json["done"], False)
        route = ("GET", "/v1/jobs/{id}", "2xx")
        self.await_scrape(daemon, lambda each: each["dalembert_http_waits_total"] == 1
                          and each.timed(*route) == each.requests(*route) - 1,
                          "the wait to be counted, apart from all others")
        daemon.request("DELETE", "/v1/jobs/" + identifier)

    def test_streams_of_events_are_not_in_the_histogram(self):
        daemon = self.start()
        identifier = daemon.finish()["id"]
        self.assertEqual(Stream(daemon, "/v1/jobs/%s/stream" % identifier).rest()[-1][0], "done")
        found = self.await_scrape(
            daemon, lambda each: each["dalembert_http_streams_total"] > 0,
            "the stream to be counted")
        route = ("GET", "/v1/jobs/{id}/stream", "2xx")
        self.assertEqual((found.requests(*route), found.timed(*route)), (1, 0))

    def test_downloads_are_in_the_histogram(self):
        daemon = self.start()
        daemon.get("/v1/jobs/%s/result" % daemon.finish()["id"])
        self.await_scrape(daemon, lambda each: each.timed("GET", "/v1/jobs/{id}/result", "2xx"),
                          "the download to be counted")

    def test_the_buckets_of_a_histogram_ascend_to_its_count(self):
        found = self.scrape(self.start())
        name = "dalembert_commit_duration_seconds"
        buckets = [float(value) for key, value in found.samples.items()
                   if key.startswith(name + "_bucket")]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(buckets[-1], found[name + "_count"])


class Jobs(MetricsCase):
    def test_failed_jobs_are_counted_by_reason(self):
        daemon = self.start()
        daemon.finish(timeout=0.001, **{key: value for key, value in long_job().items()
                                        if key in ("time", "integrator")})
        found = self.await_scrape(
            daemon, lambda each: each['dalembert_jobs_finished_total{state="failed"}'] == 1,
            "the failure to be counted")
        self.assertEqual(found['dalembert_jobs_failed_total{reason="timeout"}'], 1)
        self.assertEqual(found['dalembert_jobs_failed_total{reason="model"}'], 0)

    def test_a_reused_result_is_counted_and_logged_as_an_end(self):
        daemon = self.start()
        document = job()
        del document["cache"]
        first = daemon.finish(document)["id"]
        second = daemon.finish(document)
        self.assertTrue(second["cached"])
        daemon.wait_log("event=job id=%s state=succeeded reused=%s" % (second["id"], first))
        found = self.scrape(daemon)
        self.assertEqual(found['dalembert_jobs_finished_total{state="succeeded"}'], 2)

    def test_the_wait_of_the_oldest_queued_job_is_told(self):
        daemon = self.start("--workers", "1")
        running = daemon.submit(long_job())
        daemon.wait_running(running)
        self.assertEqual(self.scrape(daemon)["dalembert_queue_oldest_seconds"], 0)
        daemon.submit()
        self.await_scrape(daemon, lambda each: each["dalembert_queue_oldest_seconds"] > 0,
                          "the queued job to have waited")
        daemon.request("DELETE", "/v1/jobs/" + running)


class StoreValues(MetricsCase):
    def test_commits_are_timed(self):
        daemon = self.start()
        daemon.finish()
        found = self.scrape(daemon)
        commits = found["dalembert_commit_duration_seconds_count"]
        self.assertGreater(commits, 0)
        self.assertLessEqual(commits, found["dalembert_commits_total"])
        self.assertGreater(found["dalembert_commit_duration_seconds_sum"], 0)

    def test_the_sizes_of_the_files_are_told(self):
        daemon = self.start()
        daemon.finish()
        path = os.path.join(daemon.directory, "data", "dalembert.db")
        self.await_scrape(daemon, lambda each: (each["dalembert_database_bytes"],
                                                each["dalembert_wal_bytes"])
                          == (os.path.getsize(path), os.path.getsize(path + "-wal")),
                          "the sizes of the files")

    def test_a_store_without_room_is_not_writable(self):
        self.assertEqual(self.scrape(self.start())["dalembert_store_writable"], 1)
        full = self.start("--disk-reserve", "900000G")
        self.assertEqual(full.get("/readyz").status, 503)
        self.assertEqual(self.scrape(full)["dalembert_store_writable"], 0)

    def test_the_time_of_the_last_backup_is_told(self):
        daemon = self.start()
        name = "dalembert_backup_last_success_timestamp_seconds"
        self.assertEqual(self.scrape(daemon)[name], 0)
        data = os.path.join(daemon.directory, "data")
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([BINARY, "backup", "--data", data, os.path.join(directory, "copy")],
                           check=True, capture_output=True, timeout=SECONDS)
        with open(os.path.join(data, "last_backup")) as file:
            made = re.search("time=(.*)Z", file.read()).group(1)
        self.assertEqual(self.scrape(daemon)[name], seconds_of(made))
        with open(os.path.join(data, "last_backup"), "w") as file:
            file.write("time=yesterday\n")
        self.assertEqual(self.scrape(daemon)[name], 0)


class Process(MetricsCase):
    def test_the_program_and_its_process_are_told(self):
        daemon = self.start()
        found = self.scrape(daemon)
        started = re.search("time=(.*)Z level=info event=started",
                            daemon.wait_log("event=started")).group(1)
        self.assertLessEqual(found["process_start_time_seconds"], seconds_of(started))
        self.assertGreater(self.scrape(self.start())["process_start_time_seconds"],
                           found["process_start_time_seconds"])
        self.assertGreater(found["process_cpu_seconds_total"], 0)
        self.assertGreater(found["process_resident_memory_bytes"], 1e6)
        with open("/proc/%d/limits" % daemon.process.pid) as limits:
            most = int(re.search(r"Max open files +(\d+)", limits.read()).group(1))
        self.assertEqual(found["process_max_fds"], most)
        version = daemon.get("/").json["version"]
        diagnostics = daemon.get("/v1/jobs/%s/diagnostics" % daemon.finish()["id"]).json
        build = diagnostics["provenance"]["build"]
        self.assertEqual(
            found['dalembert_build_info{version="%s",build="%s"}' % (version, build)], 1)

    def test_an_open_connection_is_an_open_descriptor(self):
        daemon = self.start()
        name = "process_open_fds"
        before = self.scrape(daemon)[name]
        connections = [daemon.connect() for _ in range(50)]
        for connection in connections:
            connection.connect()
        self.await_scrape(daemon, lambda each: each[name] >= before + 40, "50 descriptors more")
        for connection in connections:
            connection.close()


class OwnListener(MetricsCase):
    """--metrics-listen."""

    def start(self, *arguments, **settings):
        daemon = super().start("--metrics-listen", "127.0.0.1:0", *arguments, **settings)
        self.port = daemon.metrics_port()
        return daemon

    def ask(self, method, path, body=None, connection=None):
        connection = connection or self.connect()
        connection.request(method, path, body)
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        self.addCleanup(connection.close)
        return connection

    def test_it_tells_the_metrics_of_the_service(self):
        daemon = self.start()
        daemon.finish()
        for _ in deadline("the job to be counted"):
            status, headers, body = self.ask("GET", "/metrics")
            self.assertEqual((status, headers["Content-Type"]),
                             (200, "text/plain; version=0.0.4; charset=utf-8"))
            found = Scrape(body.decode())
            if found['dalembert_jobs_finished_total{state="succeeded"}'] == 1:
                break
        # its own requests are not among those of the service
        self.assertEqual(found.requests("GET", "/metrics", "2xx"), 0)

    def test_it_has_no_other_path_and_no_other_method(self):
        self.start()
        for path in ("/", "/v1/jobs", "/livez", "/metrics/", "/metricsx", "//metrics"):
            self.assertEqual(self.ask("GET", path)[0], 404, path)
        self.assertEqual(self.ask("POST", "/v1/jobs", "{}")[0], 404)
        status, headers, _ = self.ask("POST", "/metrics", "x" * 100000)
        self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"))
        status, headers, body = self.ask("HEAD", "/metrics")
        self.assertEqual((status, body), (200, b""))
        self.assertGreater(int(headers["Content-Length"]), 1000)
        self.assertEqual(self.ask("GET", "/metrics?x=1")[0], 200)

    def test_a_page_of_a_foreign_name_gets_no_metrics(self):
        self.start("--hosts", "sims.example")
        for host, status in (("evil.example", 403), ("", 403), ("localhost:x@evil", 403),
                             ("localhost:9464", 200), ("10.0.0.7:9464", 200), ("[::1]", 200),
                             ("SIMS.example:1", 200)):
            connection = self.connect()
            connection.request("GET", "/metrics", headers={"Host": host})
            response = connection.getresponse()
            self.assertEqual((response.status, b"dalembert_" in response.read()),
                             (status, status == 200), host)

    def test_a_connection_serves_several_scrapes(self):
        self.start()
        connection = self.connect()
        for _ in range(3):
            self.assertEqual(self.ask("GET", "/metrics", connection=connection)[0], 200)
            address = connection.sock.getsockname()
        self.assertEqual(connection.sock.getsockname(), address)

    def test_it_needs_no_key_while_the_service_does(self):
        with tempfile.NamedTemporaryFile("w") as file:
            token = subprocess.run([BINARY, "keys", "token"], check=True, capture_output=True,
                                   text=True).stdout
            file.write(token)
            file.flush()
            daemon = self.start("--auth", "keys", "--first-key-file", file.name)
        self.assertEqual(self.ask("GET", "/metrics")[0], 200)
        self.assertEqual(daemon.get("/metrics").status, 401)
        self.assertEqual(
            daemon.get("/metrics", {"Authorization": "Bearer " + token.strip()}).status, 200)

    def test_idle_connections_beyond_the_limit_are_closed(self):
        self.start()
        idle = [socket.create_connection(("127.0.0.1", self.port), SECONDS) for _ in range(32)]
        refused = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        self.assertEqual(refused.recv(1), b"")
        refused.close()
        idle.pop().close()
        for _ in deadline("a place to be free"):
            try:
                if self.ask("GET", "/metrics")[0] == 200:
                    break
            except ConnectionError:
                pass
        for connection in idle:
            connection.close()

    def test_it_answers_while_the_service_drains(self):
        daemon = self.start("--drain-delay", "3600")
        daemon.process.terminate()
        for _ in deadline("the drain"):
            if daemon.get("/readyz").status == 503:
                break
        self.assertEqual(self.ask("GET", "/metrics")[0], 200)
        daemon.process.terminate()  # a second signal ends the process at once
        daemon.process.wait(SECONDS)
        daemon.process.stdout.close()

    def test_a_wrong_or_used_address_stops_the_start(self):
        found = subprocess.run([BINARY, "serve", "--metrics-listen", "9090", "--check-config"],
                               capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(found.returncode, 2)
        self.assertIn("metrics-listen: \"9090\" is not ADDRESS:PORT", found.stderr)
        daemon = self.start()
        found = subprocess.run(
            [BINARY, "serve", "--listen", "127.0.0.1:0", "--data", daemon.directory + "/other",
             "--metrics-listen", "127.0.0.1:%d" % self.port],
            capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("metrics-listen: 127.0.0.1:%d is in use" % self.port, found.stderr)

    def test_the_environment_names_it_too(self):
        daemon = Daemon(environment={"DALEMBERT_METRICS_LISTEN": "127.0.0.1:0"})
        self.addCleanup(daemon.close)
        daemon.wait_log("event=metrics address=127.0.0.1:")


if __name__ == "__main__":
    unittest.main()
