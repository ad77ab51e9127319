"""GET /metrics: requests by route, ends of jobs, the store, the process."""

import os
import re
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
        before = self.scrape(daemon)
        self.assertEqual(daemon.get("/v1/jobs/%s?wait=0.2" % identifier).json["done"], False)
        found = self.await_scrape(
            daemon, lambda each: each["dalembert_http_waits_total"] > 0, "the wait to be counted")
        route = ("GET", "/v1/jobs/{id}", "2xx")
        self.assertEqual(found.requests(*route), before.requests(*route) + 1)
        self.assertEqual(found.timed(*route), before.timed(*route))
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
        started = re.search("time=(.*)Z level=info event=started", daemon.read_log()).group(1)
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


if __name__ == "__main__":
    unittest.main()
