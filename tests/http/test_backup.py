"""Backup beside a busy daemon, restore, and retention, as their users see them."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from harness import BINARY, SECONDS, Daemon, deadline, job, long_job

CLIENTS = 3


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=SECONDS)


class Load:
    """Clients that submit small jobs, one that submits jobs with large results, until they are told
    to stop; the ids that were acknowledged."""

    def __init__(self, daemon):
        self.daemon, self.stop = daemon, threading.Event()
        self.ids, self.large, self.wrong = [], [], []
        self.threads = [threading.Thread(target=self.client, args=[n]) for n in range(CLIENTS)]
        self.threads.append(threading.Thread(target=self.large_client))
        for thread in self.threads:
            thread.start()

    def submit(self, ids, connection, **changes):
        answer = self.daemon.request("POST", "/v1/jobs", job(**changes), None, connection)
        if answer.status != 202:
            self.wrong.append(repr(answer))
            self.stop.set()
        else:
            ids.append(answer.json["id"])

    def client(self, number):
        connection = self.daemon.connect()
        count = 0
        while not self.stop.is_set():
            count += 1
            self.submit(self.ids, connection, time={"end": 1 + number + count / 997, "samples": 11})
        connection.close()

    def large_client(self):
        connection = self.daemon.connect()
        while not self.stop.is_set():
            self.submit(self.large, connection, time={"end": 100, "samples": 100001})
            self.daemon.wait_done(self.large[-1])
        connection.close()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        return self.wrong


class Backup(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-test-")
        self.data = os.path.join(self.directory, "data")
        self.copy = os.path.join(self.directory, "backup")

    def tearDown(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def restored(self):
        """A daemon on the restored backup."""
        place = os.path.join(self.directory, "elsewhere")
        os.mkdir(place)
        found = run("restore", self.copy, os.path.join(place, "data"))
        self.assertEqual(found.returncode, 0, found.stderr)
        return Daemon("--workers", "1", data=place)

    def results(self, daemon, identifiers):
        return {one: daemon.get("/v1/jobs/%s/result" % one).body for one in identifiers}

    def test_a_backup_beside_a_busy_daemon_has_every_acknowledged_job(self):
        daemon = Daemon("--workers", "2", data=self.directory)
        load = Load(daemon)
        try:
            for _ in deadline("jobs before the backup"):
                if len(load.ids) >= 30 and len(load.large) >= 2:
                    break
            before, large = list(load.ids), load.large[:-1]
            done = before[:5] + large[:1]
            for identifier in done:
                daemon.wait_done(identifier)
            found = run("backup", "--data", self.data, self.copy)
        finally:
            wrong = load.end()
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertEqual(wrong, [])
        expected = self.results(daemon, done)
        requests = {one: daemon.get("/v1/jobs/%s/request" % one).body for one in before}
        daemon.kill()
        with open(os.path.join(self.copy, "manifest.json")) as file:
            manifest = json.load(file)
        self.assertGreaterEqual(sum(manifest["jobs"].values()), len(before))
        self.assertEqual(manifest["bytes"],
                         os.path.getsize(os.path.join(self.copy, "dalembert.db")))
        with open(os.path.join(self.data, "last_backup")) as file:
            self.assertEqual(file.read(), "time=%s\nrevision=%d\n"
                             % (manifest["time"], manifest["revision"]))
        other = self.restored()
        try:
            self.assertEqual(self.results(other, done), expected)
            for identifier, request in requests.items():
                self.assertEqual(other.get("/v1/jobs/%s/request" % identifier).body, request)
            for identifier in before[-3:]:  # those that waited are run there
                self.assertEqual(other.wait_done(identifier)["state"], "succeeded")
        finally:
            other.close()

    def test_a_malformed_backup_is_named_as_such(self):
        Daemon(data=self.directory).close()
        self.assertEqual(run("backup", "--data", self.data, self.copy).returncode, 0)
        os.unlink(os.path.join(self.copy, "manifest.json"))
        database = os.path.join(self.copy, "dalembert.db")
        for at in 100, 0:  # pages, then the head of the file
            with open(database, "r+b") as file:
                file.seek(at)
                file.write(3000 * b"\xff")
            found = run("restore", "--without-manifest", self.copy, self.data + "-2")
            self.assertEqual(found.returncode, 1)
            self.assertIn("'%s': the backup is damaged" % database, found.stderr)
            self.assertFalse(os.path.exists(self.data + "-2"))

    def test_a_kill_leaves_no_half_backup_and_the_next_one_works(self):
        daemon = Daemon("--workers", "1", data=self.directory)
        identifier = daemon.finish(time={"end": 100, "samples": 100001})["id"]
        expected = self.results(daemon, [identifier])
        slow = subprocess.Popen([BINARY, "backup", "--data", self.data, "--rate", "1", self.copy])
        part = os.path.join(self.copy + ".part", "dalembert.db")
        for _ in deadline("the copy to begin"):
            if os.path.exists(part):
                break
        busy = run("backup", "--data", self.data, self.copy)
        self.assertEqual(busy.returncode, 1)
        self.assertIn("is being filled by another process", busy.stderr)
        slow.kill()
        slow.wait()
        self.assertFalse(os.path.exists(self.copy))
        found = run("backup", "--data", self.data, self.copy)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertFalse(os.path.exists(self.copy + ".part"))
        self.assertEqual(run("verify", "--data", self.copy).returncode, 0)
        daemon.kill()
        other = self.restored()
        try:
            self.assertEqual(self.results(other, [identifier]), expected)
        finally:
            other.close()


class Retention(unittest.TestCase):
    def test_finished_jobs_go_and_are_told(self):
        daemon = Daemon("--keep", "0.001", "--workers", "2")
        try:
            since = daemon.get("/v1/jobs").json["revision"]
            failed = daemon.submit(time={"end": 1e6, "samples": 11}, integrator={"max_steps": 5})
            self.assertEqual(daemon.wait_done(failed)["state"], "failed")
            running = daemon.submit(long_job())
            ids = [daemon.submit(time={"end": 1 + k, "samples": 11}) for k in range(5)]
            for _ in deadline("the jobs to go"):
                page = daemon.get("/v1/jobs?since=%d&limit=500" % since).json
                if set(page["deleted"]) == set(ids):
                    break
            for identifier in ids:
                self.assertEqual(daemon.get("/v1/jobs/" + identifier).status, 404)
                daemon.wait_log("event=job id=%s state=deleted rule=keep tenant=default\n"
                                % identifier)
            self.assertEqual(daemon.get("/v1/jobs/" + failed).status, 200)
            self.assertEqual(daemon.get("/v1/jobs/" + running).json["state"], "running")
            metrics = daemon.get("/metrics").body.decode()
            self.assertIn('\ndalembert_jobs_retired_total{rule="keep"} 5\n', metrics)
            self.assertIn('\ndalembert_jobs_retired_total{rule="keep-failed"} 0\n', metrics)
            limits = daemon.get("/v1/limits").json["limits"]
            self.assertEqual(limits["keep"]["value"], 0.001)
            self.assertEqual((limits["keep-failed"]["unit"], limits["keep-bytes"]["unit"]),
                             ("seconds", "bytes"))
        finally:
            daemon.kill()
            daemon.close()

    def test_beyond_a_size_the_oldest_go_and_the_file_stays_small(self):
        daemon = Daemon("--keep-bytes", "4M", "--workers", "1")
        try:
            ids = [daemon.finish(time={"end": 10 + k, "samples": 40001})["id"] for k in range(12)]
            for _ in deadline("the oldest jobs to go"):
                # of one moment: some may go between two requests
                listed = {one["id"] for one in daemon.get("/v1/jobs?limit=500").json["jobs"]}
                there = [one for one in ids if one in listed]
                if len(there) <= 4:
                    break
            self.assertEqual(there, ids[len(ids) - len(there):])
            self.assertGreater(len(there), 0)
            daemon.wait_log("state=deleted rule=keep-bytes", times=len(ids) - len(there))
            metrics = daemon.get("/metrics").body.decode()
            counted = re.search(r'^dalembert_jobs_retired_total\{rule="keep-bytes"\} (\d+)$',
                                metrics, re.M)
            self.assertGreaterEqual(int(counted.group(1)), len(ids) - len(there))
        finally:
            daemon.close()


if __name__ == "__main__":
    unittest.main()
