"""The process: configuration, start, shutdown, one directory for one daemon."""

import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import unittest

from harness import BINARY, ROOT, SECONDS, Daemon, deadline, job, long_job


def run(*arguments, environment=None):
    return subprocess.run(
        [BINARY, *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=dict(os.environ, **(environment or {})),
    )


class CommandLine(unittest.TestCase):
    def test_help_and_version(self):
        self.assertIn("serve", run("--help").stdout)
        self.assertRegex(run("--version").stdout, r"^dalembert \d")
        for command in ("serve", "healthcheck"):
            found = run(command, "--help")
            self.assertEqual(found.returncode, 0)
            self.assertIn("usage: dalembert " + command, found.stdout)
        self.assertEqual(run().returncode, 2)

    def test_an_unknown_command_or_flag_is_answered_with_a_suggestion(self):
        found = run("sreve")
        self.assertEqual(found.returncode, 2)
        self.assertIn('did you mean "serve"', found.stderr)
        found = run("serve", "--worker", "2")
        self.assertEqual(found.returncode, 2)
        self.assertIn("--workers", found.stderr)

    def test_flags_win_over_environment_over_file_over_default(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("# a comment\nmax-queue = 11\nmax-body = 2M # two\nworkers=3\n")
            file.flush()
            found = run(
                "serve", "--config", file.name, "--max-queue=33", "--print-config",
                environment={"DALEMBERT_MAX_QUEUE": "22", "DALEMBERT_WORKERS": "4"},
            )
        self.assertEqual(found.returncode, 0, found.stderr)
        values = dict(
            line.split(" = ", 1) for line in found.stdout.splitlines() if not line.startswith("#")
        )
        self.assertEqual(values["max-queue"], "33")
        self.assertEqual(values["workers"], "4")
        self.assertEqual(values["max-body"], str(2 * 1024 * 1024))
        self.assertEqual(values["listen"], "127.0.0.1:8080")
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write(found.stdout)
            file.flush()
            again = run("serve", "--config", file.name, "--print-config")
        self.assertEqual(again.stdout, found.stdout)

    def test_there_is_a_worker_for_each_processor_the_process_may_use(self):
        one = min(os.sched_getaffinity(0))
        found = subprocess.run(
            [BINARY, "serve", "--print-config"],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            preexec_fn=lambda: os.sched_setaffinity(0, {one}),
        )
        self.assertIn("\nworkers = 1\n", found.stdout)

    def test_a_misspelt_variable_is_named(self):
        strays = {
            "DALEMBERT_WORKRES": "DALEMBERT_WORKERS",
            "DALEMBERT_MAXQUEUE": "DALEMBERT_MAX_QUEUE",
            "DALEMBERT_NONSENSE_OF_SOME_LENGTH": "",
        }
        found = run("serve", "--check-config", environment={name: "1" for name in strays})
        self.assertEqual(found.returncode, 0)
        warnings = found.stderr.splitlines()
        self.assertEqual(len(warnings), len(strays), warnings)
        for name, meant in strays.items():
            self.assertTrue(any(name in line and meant in line for line in warnings), warnings)
        known = {
            "DALEMBERT_URL": "x", "DALEMBERT_BIN": "x", "DALEMBERT_WORKERS": "1",
            "DALEMBERT_SERVICE_HOST": "10.0.0.1", "DALEMBERT_PORT": "tcp://10.0.0.1:80",
        }
        self.assertEqual(run("serve", "--check-config", environment=known).stderr, "")

    def test_wrong_values_are_named(self):
        for arguments, word in (
            (["--workers", "x"], "workers"),
            (["--workers", "-1"], "workers"),
            (["--workers", "1.5"], "workers"),
            (["--max-body", "8Q"], "max-body"),
            (["--listen", "8080"], "ADDRESS:PORT"),
            (["--listen", "127.0.0.1:99999"], "ADDRESS:PORT"),
            (["--listen", "::1:80"], "brackets"),
            (["--auth", "maybe"], "auth"),
            (["--log-level", "loud"], "log-level"),
            (["--cors-origin", "https://a.example, b.example"], "b.example"),
            (["--config", "/nonexistent"], "/nonexistent"),
            (["--workers"], "value"),
            (["extra"], "extra"),
        ):
            found = run("serve", "--data", "/nonexistent/never", *arguments)
            self.assertEqual(found.returncode, 2, arguments)
            self.assertIn(word, found.stderr, arguments)
            self.assertEqual(run("serve", "--check-config", *arguments).returncode, 2, arguments)
        self.assertEqual(run("serve", "--check-config").returncode, 0)

    def test_verify_makes_lost_entries_of_indexes_anew(self):
        directory = tempfile.mkdtemp(prefix="dalembert-test-")
        self.addCleanup(shutil.rmtree, directory)
        data = os.path.join(directory, "data")
        found = run("verify", "--reindex", "--data", data)
        self.assertIn("no dalembert store in '%s'" % data, found.stderr)
        self.assertEqual((found.returncode, os.listdir(directory)), (1, []))
        # a service with a job that waits; while it runs it keeps its indexes
        daemon = Daemon("--workers", "1", data=directory)
        runs = daemon.submit(long_job())
        daemon.wait_running(runs)
        waits = daemon.submit()
        self.assertEqual(run("verify", "--reindex", "--data", data).returncode, 1)
        daemon.terminate()
        # its index forgets all entries
        base = sqlite3.connect(os.path.join(data, "dalembert.db"), isolation_level=None)
        base.executescript("PRAGMA writable_schema = ON;"
                           "UPDATE sqlite_schema SET sql = sql || ' WHERE 0' "
                           "WHERE name = 'jobs_by_state';"
                           "PRAGMA writable_schema = RESET; REINDEX jobs_by_state;"
                           "PRAGMA writable_schema = ON;"
                           "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') "
                           "WHERE name = 'jobs_by_state'")
        base.close()
        found = run("verify", "--data", data)
        self.assertEqual(found.returncode, 1)
        self.assertIn("missing from index jobs_by_state", found.stdout)
        found = run("verify", "--reindex", "--data", data)
        self.assertEqual((found.returncode, found.stderr), (0, ""), found.stdout)
        daemon.start()
        self.addCleanup(daemon.close)
        self.assertIn(daemon.request("POST", "/v1/jobs/%s/cancel" % runs).status, (200, 202))
        self.assertEqual(daemon.wait_done(waits)["state"], "succeeded")

    def test_an_empty_database_is_no_sound_store(self):
        with tempfile.TemporaryDirectory() as directory:
            open(os.path.join(directory, "dalembert.db"), "w").close()
            found = run("verify", "--data", directory)
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.assertIn("no dalembert store in '%s/dalembert.db'" % directory, found.stderr)

    def test_other_machines_need_an_explicit_yes(self):
        found = run("serve", "--listen", "0.0.0.0:0", "--data", "/nonexistent/never")
        self.assertEqual(found.returncode, 2)
        self.assertIn("--auth none", found.stderr)
        daemon = Daemon("--listen", "0.0.0.0:0", "--auth", "none")
        try:
            self.assertEqual(daemon.post("/v1/jobs", job()).status, 202)
        finally:
            daemon.close()

    def test_the_service_answers_to_its_names_whoever_may_use_it(self):
        def hosts(*arguments):
            daemon = Daemon("--auth", "none", *arguments)
            try:
                return [name for name in (
                    "localhost", "127.0.0.1", "[::1]", "127.0.0.2", "192.0.2.7:80", "sims.example",
                    "SIMS.example.", "evil.example", "sims.example.evil.example")
                    if daemon.get("/v1/jobs", {"Host": name}).status == 200]
            finally:
                daemon.close()

        own = ["localhost", "127.0.0.1", "[::1]"]
        named = ["sims.example", "SIMS.example."]
        self.assertEqual(hosts(), own)
        self.assertEqual(hosts("--listen", "127.0.0.2:0"), own + ["127.0.0.2"])
        self.assertEqual(hosts("--listen", "0.0.0.0:0"), own + ["127.0.0.2", "192.0.2.7:80"])
        self.assertEqual(hosts("--listen", "0.0.0.0:0", "--hosts", "sims.example"), named)
        self.assertEqual(hosts("--hosts", "localhost, [::1],Sims.Example"),
                         ["localhost", "[::1]"] + named)
        self.assertEqual(len(hosts("--hosts", "*")), 9)
        for wrong in ("localhost:8080", "::1", "a/b", "http://sims.example"):
            found = run("serve", "--check-config", "--hosts", wrong)
            self.assertEqual(found.returncode, 2, wrong)
            self.assertIn(wrong, found.stderr)


class Opening(unittest.TestCase):
    """What the log says about the data directory that a daemon has opened."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-opening-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def test_an_upgrade_is_logged_once_with_its_copy(self):
        data = os.path.join(self.directory, "data")
        os.mkdir(data)
        shutil.copy(os.path.join(ROOT, "tests", "db", "old", "format-12", "dalembert.db"), data)
        first = Daemon("--upgrade", "copy", data=self.directory)
        copy = os.path.join(data, "dalembert.db.format-12")
        self.assertRegex(first.wait_log("event=upgraded"),
                         'event=upgraded from=12 to=[0-9]+ copy="%s"\n' % copy)
        self.assertTrue(os.path.exists(copy))
        first.close()
        second = Daemon("--upgrade", "copy", data=self.directory)
        self.addCleanup(second.close)
        self.assertEqual(second.read_log().count("event=upgraded"), 1)

    def test_an_upgrade_without_a_copy_says_so(self):
        data = os.path.join(self.directory, "data")
        os.mkdir(data)
        shutil.copy(os.path.join(ROOT, "tests", "db", "old", "format-12", "dalembert.db"), data)
        daemon = Daemon(data=self.directory)
        self.addCleanup(daemon.close)
        self.assertRegex(daemon.wait_log("event=upgraded"),
                         'event=upgraded from=12 to=[0-9]+ copy="none"\n')

    def test_commands_keep_a_copy_of_an_older_format_as_the_service_does(self):
        old = os.path.join(ROOT, "tests", "db", "old", "format-12", "dalembert.db")
        for k, words in enumerate((("keys", "list"), ("verify", "--reindex"))):
            data = os.path.join(self.directory, str(k))
            os.mkdir(data)
            shutil.copy(old, data)
            run(*words, "--data", data, environment={"DALEMBERT_UPGRADE": "copy"})
            self.assertTrue(os.path.exists(os.path.join(data, "dalembert.db.format-12")), words)

    def test_jobs_that_killed_each_of_their_processes_are_logged_and_counted(self):
        first = Daemon("--max-attempts", "1", data=self.directory)
        first.wait_running(first.submit(long_job()))
        first.kill()
        # commands that run no job leave it to the next service to tell
        data = os.path.join(self.directory, "data")
        for words in ("keys", "list"), ("tenants", "list"), ("verify", "--reindex"):
            self.assertEqual(run(*words, "--data", data).returncode, 0, words)
        second = Daemon("--max-attempts", "1", data=self.directory)
        self.addCleanup(second.close)
        second.wait_log("event=jobs_lost failed=1 reason=worker_lost")
        self.assertIn(b'dalembert_jobs_failed_total{reason="worker_lost"} 1\n',
                      second.get("/metrics").body)


class Process(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-test-")

    def tearDown(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def test_a_second_daemon_on_the_directory_is_refused(self):
        first = Daemon(data=self.directory)
        found = run("serve", "--listen", "127.0.0.1:0", "--data",
                    os.path.join(self.directory, "data"))
        self.assertEqual(found.returncode, 1)
        self.assertIn("only one daemon may use it", found.stderr)
        first.kill()  # leaves no lock behind
        second = Daemon(data=self.directory)
        self.assertEqual(second.terminate(), 0)

    def test_a_port_in_use_is_named(self):
        first = Daemon()
        try:
            address = "127.0.0.1:%d" % first.port
            found = run("serve", "--listen", address, "--data",
                        os.path.join(self.directory, "data"))
            self.assertEqual(found.returncode, 1)
            self.assertIn(address + " is in use", found.stderr)
        finally:
            first.close()

    def test_a_directory_that_cannot_be_written_is_named(self):
        file = os.path.join(self.directory, "file")
        open(file, "w").close()
        found = run("serve", "--listen", "127.0.0.1:0", "--data", os.path.join(file, "data"))
        self.assertEqual(found.returncode, 1)
        self.assertIn(file, found.stderr)

    @staticmethod
    def limited(descriptors, *arguments):
        """A daemon, not started, whose hard limit of descriptors is this."""
        daemon = Daemon(*arguments, start=False)
        daemon.preexec = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors,) * 2)
        return daemon

    def test_a_low_limit_of_descriptors_lowers_the_connections_and_locks_nobody_out(self):
        daemon = self.limited(1024)
        idle = []
        try:
            daemon.start()
            fits = (1024 - 256) // 2
            daemon.wait_log("event=few_descriptors have=1024 want=2256 connections=%d" % fits)
            limits = daemon.get("/v1/limits").json["limits"]
            self.assertEqual(limits["max-connections"]["value"], fits)
            for _ in range(fits + 20):
                idle.append(socket.create_connection(("127.0.0.1", daemon.port), SECONDS))
            for _ in deadline("the place of an idle connection"):
                if daemon.get("/v1/limits").status == 200:
                    break
        finally:
            for connection in idle:
                connection.close()
            daemon.close()

    def test_a_limit_of_descriptors_that_is_enough_changes_nothing(self):
        daemon = self.limited(1024, "--max-connections", "300")
        try:
            daemon.start()
            self.assertNotIn("few_descriptors", daemon.read_log())
        finally:
            daemon.close()

    def test_a_limit_of_descriptors_for_almost_nobody_is_refused(self):
        daemon = self.limited(2 * 31 + 256)
        with self.assertRaises(RuntimeError) as refused:
            daemon.start()
        self.assertEqual(daemon.process.returncode, 1)
        self.assertIn("raise it to at least 320 (ulimit -n", str(refused.exception))
        daemon.close()

    def test_healthcheck_knows_ready_from_dead(self):
        daemon = Daemon()
        address = "127.0.0.1:%d" % daemon.port
        found = run("healthcheck", "--url", "http://%s/" % address)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        found = run("healthcheck", environment={"DALEMBERT_LISTEN": address})
        self.assertEqual(found.returncode, 0)
        found = run("healthcheck", environment={"DALEMBERT_LISTEN": "0.0.0.0:%d" % daemon.port})
        self.assertEqual(found.returncode, 0)
        daemon.close()
        found = run("healthcheck", "--url", "http://" + address)
        self.assertEqual(found.returncode, 1)
        self.assertIn("no answer", found.stderr)
        self.assertEqual(run("healthcheck", "--url", "ftp://x").returncode, 2)

    def test_jobs_survive_a_restart(self):
        first = Daemon("--workers", "1", data=self.directory)
        done = first.finish()
        running = first.submit(long_job())
        first.wait_state(running, "running")
        queued = first.submit()
        self.assertEqual(first.terminate(), 0)
        second = Daemon("--workers", "1", data=self.directory)
        found = second.get("/v1/jobs/" + done["id"]).json
        self.assertEqual(found["provenance"]["result_hash"], done["provenance"]["result_hash"])
        released = second.wait_state(running, "running")
        self.assertEqual(released["attempt"], 1, "a shutdown spends no attempt")
        second.request("POST", "/v1/jobs/%s/cancel" % running)
        self.assertEqual(second.wait_done(queued)["state"], "succeeded")
        self.assertEqual(second.terminate(), 0)

    def test_a_store_that_cannot_grow_loses_nothing(self):
        daemon = Daemon("--workers", "1", data=self.directory)
        accepted, refused = [daemon.submit(long_job())], None
        daemon.wait_state(accepted[0], "running")
        _, hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (2 << 20, hard))
        filler = job(labels={"filler": "x" * 200}, observe={"o%d" % i: "x" for i in range(400)})
        for _ in range(2000):
            answer = daemon.post("/v1/jobs", filler)
            if answer.status != 202:
                refused = answer
                break
            accepted.append(answer.json["id"])
        self.assertIn(refused.status, (503, 507))
        self.assertEqual(daemon.get("/livez").status, 200)
        self.assertEqual(daemon.get("/readyz").status, 503)
        self.assertEqual(daemon.get("/v1/jobs/" + accepted[-1]).status, 200)
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        for _ in deadline("the store to be ready again"):
            if daemon.get("/readyz").status == 200:
                break
        daemon.request("POST", "/v1/jobs/%s/cancel" % accepted[0])
        for identifier in accepted[1:]:
            self.assertEqual(daemon.wait_done(identifier)["state"], "succeeded")
        self.assertEqual(daemon.wait_done(accepted[0])["state"], "cancelled")
        self.assertEqual(daemon.terminate(), 0)

    def test_results_that_cannot_be_stored_are_computed_again(self):
        daemon = Daemon("--workers", "2", data=self.directory)
        blockers = [daemon.submit(long_job()) for _ in range(2)]
        big = job(time={"end": 100, "samples": 200001})
        identifiers = [daemon.submit(big) for _ in range(3)]
        _, hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (4 << 20, hard))
        for blocker in blockers:
            daemon.request("POST", "/v1/jobs/%s/cancel" % blocker)
        daemon.wait_log("event=job_not_stored")
        for identifier in identifiers:
            self.assertFalse(daemon.get("/v1/jobs/" + identifier).json["done"])
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        for blocker in blockers:  # the end of one may have met the limit, too
            self.assertEqual(daemon.wait_done(blocker)["state"], "cancelled")
        for identifier in identifiers:
            found = daemon.wait_done(identifier)
            self.assertEqual((found["state"], found["rows"]), ("succeeded", 200001))
        self.assertEqual(daemon.terminate(), 0)

    def test_below_the_reserve_jobs_are_refused_and_the_rest_goes_on(self):
        daemon = Daemon("--disk-reserve", "900000G", data=self.directory, start=False)
        full, daemon.arguments = daemon.arguments, []
        try:
            daemon.start()
            identifier = daemon.finish()["id"]
            disk = daemon.get("/readyz").json["disk"]
            self.assertLess(disk["free_bytes"], disk["total_bytes"])
            daemon.terminate()
            daemon.arguments = full
            daemon.start()
            for path, body in (("/v1/jobs", job()), ("/v1/models", job()["model"])):
                answer = daemon.post(path, body)
                self.assertEqual((answer.status, answer.json["code"]), (507, "disk_full"))
                self.assertIn("retry-after", answer.headers)
            self.assertEqual(daemon.post("/v1/jobs?validate_only=true", job()).status, 200)
            ready = daemon.get("/readyz")
            self.assertEqual(ready.status, 503)
            self.assertIn("bytes free", ready.json["detail"])
            self.assertIn(b"dalembert_disk_free_bytes ", daemon.get("/metrics").body)
            daemon.wait_log("event=disk_low")
            self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + identifier).status, 204)
        finally:
            daemon.close()

    def test_a_job_whose_rows_find_no_room_is_seen_to_wait(self):
        daemon = Daemon("--workers", "1", data=self.directory)
        try:
            daemon.wait_running(daemon.submit(long_job()))
            identifier = daemon.submit(job(priority=1))  # the first to be run when there is no room
            daemon.kill()
            daemon.arguments += ["--disk-reserve", "900000G"]
            daemon.start()
            for _ in deadline("a job that waits"):
                found = daemon.get("/v1/jobs/" + identifier).json
                if found["phase"] == "waiting":
                    break
            self.assertEqual((found["state"], found["progress"]["fraction"]), ("running", 0))
        finally:
            daemon.kill()  # the other one runs for minutes

    def test_a_flipped_bit_is_told_and_not_served(self):
        daemon = Daemon(data=self.directory)
        try:
            sound = daemon.finish(time={"end": 1, "samples": 101})
            hurt = daemon.finish(time={"end": 2.5, "samples": 3})
            row = daemon.get("/v1/jobs/%s/result" % hurt["id"]).json["series"]
            last = struct.pack("<3d", *(row[name][-1] for name in ("t", "x", "dot(x)")))
            daemon.terminate()
            path = os.path.join(self.directory, "data", "dalembert.db")
            with open(path, "r+b") as file:
                content = file.read()
                self.assertEqual(content.count(last), 1)
                at = content.index(last) + 11
                file.seek(at)
                file.write(bytes([content[at] ^ 4]))
            daemon.start()
            answer = daemon.get("/v1/jobs/%s/result" % hurt["id"])
            self.assertEqual((answer.status, answer.json["code"]), (500, "damaged_data"))
            self.assertIn("block of job %s" % hurt["id"], answer.json["detail"])
            daemon.wait_log("event=failed")
            self.assertIn(b"dalembert_damaged_reads_total 1\n", daemon.get("/metrics").body)
            self.assertEqual(daemon.get("/v1/jobs/%s/result" % sound["id"]).status, 200)
            found = run("verify", "--data", os.path.join(self.directory, "data"))
            self.assertEqual(found.returncode, 1)
            self.assertIn("of job " + hurt["id"], found.stdout)
            self.assertNotIn(sound["id"], found.stdout)
            self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + hurt["id"]).status, 204)
            self.assertEqual(run("verify", "--data",
                                 os.path.join(self.directory, "data")).returncode, 0)
        finally:
            daemon.close()

    def test_a_flipped_bit_in_a_job_s_row_is_told_and_not_served(self):
        daemon = Daemon(data=self.directory)
        try:
            sound = daemon.finish()["id"]
            hurt = daemon.finish(labels={"kind": "hurt"})["id"]
            daemon.terminate()
            with open(os.path.join(self.directory, "data", "dalembert.db"), "r+b") as file:
                content = file.read()
                self.assertEqual(content.count(hurt.encode() + b"succeeded"), 1)
                file.seek(content.index(hurt.encode() + b"succeeded") + 36)
                file.write(b"S")
            daemon.start()
            paths = ["/v1/jobs/" + hurt, "/v1/jobs/%s?wait=10" % hurt, "/v1/jobs/%s/result" % hurt,
                     "/v1/jobs/%s/invariants" % hurt, "/v1/jobs", "/v1/jobs?since=0",
                     "/v1/jobs?label.kind=hurt"]
            for path in paths:
                answer = daemon.get(path)
                self.assertEqual((path, answer.status, answer.json["code"]),
                                 (path, 500, "damaged_data"))
                self.assertIn("row of job " + hurt, answer.json["detail"])
            self.assertIn(b"dalembert_damaged_reads_total %d\n" % len(paths),
                          daemon.get("/metrics").body)
            self.assertEqual(daemon.get("/v1/jobs/" + sound).status, 200)
            found = run("verify", "--data", os.path.join(self.directory, "data"))
            self.assertEqual(found.returncode, 1)
            self.assertRegex(found.stdout, "damaged: jobs: row [0-9]+ of job " + hurt)
            self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + hurt).status, 204)
            self.assertEqual([entry["id"] for entry in daemon.get("/v1/jobs").json["jobs"]],
                             [sound])
            self.assertEqual(run("verify", "--data",
                                 os.path.join(self.directory, "data")).returncode, 0)
        finally:
            daemon.close()

    def test_a_download_that_meets_damage_is_never_whole(self):
        daemon = Daemon(data=self.directory)
        try:
            identifier = daemon.finish(time={"end": 2.5, "samples": 300001})["id"]
            path = "/v1/jobs/%s/result" % identifier
            tail = daemon.get(path + "?cursor=300000").json["series"]
            last = struct.pack("<3d", *(tail[name][0] for name in ("t", "x", "dot(x)")))
            daemon.terminate()
            with open(os.path.join(self.directory, "data", "dalembert.db"), "r+b") as file:
                at = file.read().index(last) + 11
                file.seek(at)
                file.write(b"?")
            daemon.start()
            for accept in ("text/csv", "application/x-ndjson"):
                request = "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n" % (
                    path, accept)
                received = daemon.raw(request.encode())
                self.assertTrue(received.startswith(b"HTTP/1.1 200 "))
                self.assertGreater(len(received), 1000000)
                self.assertNotIn(b"\r\n0\r\n\r\n", received[-16:])
            # JSON reads whole columns ahead: it knows before the first byte
            self.assertEqual(daemon.get(path).status, 500)
            self.assertEqual(daemon.wait_log("event=stream_cut", times=2).count("event=stream_cut"),
                             2)
            self.assertIn(b"dalembert_damaged_reads_total 3\n", daemon.get("/metrics").body)
        finally:
            daemon.close()

    def test_a_drain_answers_everybody_and_puts_jobs_back(self):
        daemon = Daemon("--workers", "1", "--shutdown-grace", "0.3", data=self.directory)
        identifier = daemon.submit(long_job())
        daemon.wait_state(identifier, "running")
        waiting = []
        for path in ("/v1/jobs/%s?wait=60" % identifier,) * 10:
            connection = daemon.connect()
            connection.request("GET", path)
            waiting.append(connection)
        submission = threading.Thread(
            target=lambda: waiting.append(daemon.post("/v1/jobs?wait=60", job()))
        )
        submission.start()
        idle = daemon.connect()
        daemon.request("GET", "/livez", connection=idle)
        daemon.wait_waiters(11)
        self.assertEqual(daemon.terminate(), 0)
        submission.join()
        submitted = waiting.pop()
        self.assertEqual((submitted.status, submitted.json["state"]), (202, "queued"))
        for connection in waiting:
            response = connection.getresponse()
            self.assertEqual((response.status, json.loads(response.read())["done"]), (200, False))
            connection.close()
        idle.close()

    def connect(self, daemon):
        """A connection that the daemon knows: it has answered on it."""
        connection = daemon.connect()
        self.assertEqual(daemon.request("GET", "/livez", connection=connection).status, 200)
        return connection

    def drain(self, daemon):
        """Sends SIGTERM and waits until the daemon has heard it."""
        connection = self.connect(daemon)
        daemon.process.send_signal(signal.SIGTERM)
        for _ in deadline("the drain to begin"):
            if daemon.request("GET", "/readyz", connection=connection).status == 503:
                return

    def test_a_daemon_that_leaves_says_so_before_it_refuses_connections(self):
        daemon = Daemon("--drain-delay", "3600", data=self.directory)
        daemon.process.send_signal(signal.SIGTERM)
        for _ in deadline("readyz to say so"):
            # each request is a new connection
            answer = daemon.get("/readyz")
            if answer.status == 503:
                break
        self.assertEqual(answer.json["code"], "shutting_down")
        self.assertEqual(daemon.get("/livez").status, 200)
        self.assertEqual(daemon.finish()["state"], "succeeded")
        daemon.process.send_signal(signal.SIGTERM)  # it was meant
        self.assertEqual(daemon.process.wait(SECONDS), 128 + signal.SIGTERM)

    def test_the_delay_ends_and_is_not_for_the_keyboard(self):
        daemon = Daemon("--drain-delay", "0.2", data=self.directory)
        self.assertEqual(daemon.terminate(), 0)
        daemon = Daemon("--drain-delay", "3600", data=self.directory)
        daemon.process.send_signal(signal.SIGINT)
        self.assertEqual(daemon.process.wait(SECONDS), 0)

    def test_a_hangup_ends_nothing(self):
        daemon = Daemon("--workers", "1", data=self.directory)
        identifier = daemon.submit(long_job())
        daemon.wait_running(identifier)
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_log("event=reload")
        self.assertEqual(daemon.get("/readyz").status, 200)
        self.assertEqual(daemon.get("/v1/jobs/" + identifier).json["state"], "running")
        self.assertEqual(daemon.terminate(), 0)

    def test_a_draining_daemon_takes_no_jobs(self):
        daemon = Daemon("--workers", "1", "--shutdown-grace", "600", data=self.directory)
        daemon.wait_state(daemon.submit(long_job()), "running")
        connection = self.connect(daemon)
        self.drain(daemon)
        answer = daemon.request("POST", "/v1/jobs", job(), connection=connection)
        self.assertEqual((answer.status, answer.json["code"]), (503, "shutting_down"))
        self.assertIn("retry-after", answer.headers)
        for _ in deadline("the listener to close"):
            try:
                socket.create_connection(("127.0.0.1", daemon.port), SECONDS).close()
            except OSError:
                break
        daemon.kill()

    def test_a_job_that_finishes_within_the_grace_is_finished(self):
        daemon = Daemon("--workers", "1", "--shutdown-grace", "600", data=self.directory)
        document = job(time={"end": 20000, "samples": 3})
        answers = []
        thread = threading.Thread(target=lambda:
                                  answers.append(daemon.post("/v1/jobs?wait=60", document)))
        thread.start()
        for _ in deadline("the job to run and its client to wait"):
            states = [one["state"] for one in daemon.get("/v1/jobs").json["jobs"]]
            if states == ["succeeded"] or (states == ["running"] and daemon.waiters() == 1):
                break
        self.assertEqual(daemon.terminate(), 0)
        thread.join()
        self.assertEqual((answers[0].status, answers[0].json["state"]), (200, "succeeded"))

    def test_a_second_signal_ends_at_once(self):
        daemon = Daemon("--workers", "1", "--shutdown-grace", "600", data=self.directory)
        daemon.wait_state(daemon.submit(long_job()), "running")
        self.drain(daemon)
        daemon.process.send_signal(signal.SIGTERM)
        self.assertEqual(daemon.process.wait(SECONDS), 128 + signal.SIGTERM)

    def test_a_drain_while_clients_come_and_go_never_hangs(self):
        for _ in range(5):
            daemon = Daemon("--workers", "2", "--shutdown-grace", "0.1", data=self.directory)
            stop, answered = threading.Event(), threading.Semaphore(0)

            def client():
                while not stop.is_set():
                    try:
                        daemon.post("/v1/jobs?wait=5", job())
                        answered.release()
                    except OSError:
                        return
                    except Exception:  # the connection ended before the answer began
                        return

            threads = [threading.Thread(target=client) for _ in range(8)]
            for thread in threads:
                thread.start()
            for _ in range(30):
                self.assertTrue(answered.acquire(timeout=SECONDS))
            self.assertEqual(daemon.terminate(), 0, daemon.read_log()[-1000:])
            stop.set()
            for thread in threads:
                thread.join()


if __name__ == "__main__":
    unittest.main()
