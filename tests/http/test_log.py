"""A daemon that was killed, and what has become of its write-ahead log since."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from harness import BINARY, SECONDS, Daemon


class WriteAheadLog(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-log-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.log = os.path.join(self.directory, "data", "dalembert.db-wal")

    def killed(self):
        """The ids of the jobs that a killed daemon has acknowledged."""
        daemon = Daemon(data=self.directory)
        ids = [daemon.finish()["id"] for _ in range(5)]
        daemon.kill()
        return ids

    def flip(self, at):
        with open(self.log, "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 1]))

    def verify(self):
        return subprocess.run([BINARY, "verify", "--data", os.path.join(self.directory, "data")],
                              capture_output=True, text=True, timeout=SECONDS)

    def refusal(self, *arguments):
        daemon = Daemon(*arguments, data=self.directory, start=False)
        with self.assertRaises(RuntimeError):
            daemon.start()
        self.assertEqual(daemon.process.returncode, 1)
        return daemon.read_log()

    def test_a_sound_log_is_taken_in_and_nothing_is_told(self):
        ids = self.killed()
        found = self.verify()
        self.assertEqual(found.returncode, 0, found.stdout)
        self.assertRegex(found.stdout, r"(?m)^log +[1-9][0-9]* commits sound$")
        daemon = Daemon(data=self.directory)
        self.addCleanup(daemon.close)
        for identifier in ids:
            self.assertEqual(daemon.get("/v1/jobs/" + identifier).status, 200)
        self.assertNotIn("event=log_", daemon.read_log())
        self.assertEqual(daemon.terminate(), 0)
        self.assertRegex(self.verify().stdout,
                         r"(?m)^log +empty: all commits are in the database$")

    def test_a_verification_changes_no_data(self):
        self.killed()
        data = os.path.join(self.directory, "data")

        def contents():
            found = {}
            for name in os.listdir(data):
                with open(os.path.join(data, name), "rb") as file:
                    found[name] = file.read()
            found.pop("dalembert.db-shm", None)
            return {name: text for name, text in found.items() if text}
        before = contents()
        self.assertEqual(self.verify().returncode, 0)
        self.assertEqual(contents(), before)
        Daemon(data=self.directory).close()
        before = contents()
        self.assertEqual(self.verify().returncode, 0)
        self.assertEqual(contents(), before)

    def test_a_deleted_database_stops_the_start_until_the_loss_is_accepted(self):
        Daemon(data=self.directory).close()
        daemon = Daemon(data=self.directory)
        daemon.finish()
        daemon.close()
        os.unlink(os.path.join(self.directory, "data", "dalembert.db"))
        said = self.refusal()
        self.assertIn("is gone or empty", said)
        self.assertIn("--accept-loss", said)
        daemon = Daemon("--accept-loss", data=self.directory)
        self.addCleanup(daemon.close)
        self.assertIn("event=loss_accepted", daemon.read_log())
        self.assertEqual(daemon.get("/v1/jobs").json["jobs"], [])

    def test_a_damaged_log_stops_the_start_until_the_loss_is_accepted(self):
        ids = self.killed()
        self.flip(os.path.getsize(self.log) // 2)
        found = self.verify()
        self.assertEqual(found.returncode, 1)
        self.assertRegex(found.stdout, "damaged: the write-ahead log .* is damaged at frame [0-9]+")
        self.assertRegex(found.stdout, "(?m)^log +[0-9]+ commits sound, at least [1-9][0-9]* lost$")
        said = self.refusal()
        self.assertRegex(said, "is damaged at frame [0-9]+: at least [0-9]+ commits")
        self.assertIn("restore the directory from a backup", said)
        self.assertIn("--accept-loss", said)

        daemon = Daemon("--accept-loss", data=self.directory)
        daemon.wait_log("event=loss_accepted", "is damaged at frame")
        statuses = [daemon.get("/v1/jobs/" + identifier).status for identifier in ids]
        self.assertEqual(statuses, sorted(statuses))  # the first jobs are there
        self.assertEqual(statuses[-1], 404)
        new = daemon.finish()["id"]
        daemon.kill()
        daemon = Daemon(data=self.directory)  # once is enough
        self.addCleanup(daemon.close)
        self.assertEqual(daemon.get("/v1/jobs/" + new).status, 200)
        self.assertEqual(self.verify().returncode, 0)

    def test_a_lost_log_stops_the_start(self):
        self.killed()
        os.unlink(self.log)
        self.assertIn("is gone or empty", self.refusal())

    def test_a_log_that_another_program_took_in_is_told(self):
        ids = self.killed()
        database = sqlite3.connect(os.path.join(self.directory, "data", "dalembert.db"))
        database.execute("SELECT count(*) FROM jobs").fetchall()
        database.close()
        self.assertFalse(os.path.exists(self.log))
        daemon = Daemon(data=self.directory)
        self.addCleanup(daemon.close)
        daemon.wait_log("event=log_taken_in")
        self.assertEqual(daemon.get("/v1/jobs/" + ids[-1]).status, 200)

    def test_an_incomplete_last_transaction_is_told(self):
        self.killed()
        with open(self.log, "ab") as file:
            file.write(b"\0" * 1000)  # the next transaction had begun
        self.assertRegex(self.verify().stdout,
                         "(?m)^log +[0-9]+ commits sound; the last transaction is incomplete$")
        daemon = Daemon(data=self.directory)
        self.addCleanup(daemon.close)
        daemon.wait_log("event=log_incomplete")

    def test_the_flag_is_of_one_start_alone(self):
        """A variable or a line of a file would accept every later loss, too."""
        done = subprocess.run([BINARY, "serve", "--print-config"], capture_output=True, text=True,
                              timeout=SECONDS)
        self.assertNotIn("accept-loss", done.stdout)
        done = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True,
                              timeout=SECONDS)
        self.assertIn("--accept-loss", done.stdout)


if __name__ == "__main__":
    unittest.main()
