"""`dalembert doctor`: each fault with its line and its mend, and nothing is changed."""

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from harness import BINARY, ROOT, SECONDS, Daemon


class Doctor(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-doctor-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.data = os.path.join(self.directory, "data")
        self.database = os.path.join(self.data, "dalembert.db")

    def doctor(self, *flags, preexec=None, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("DALEMBERT_")}
        done = subprocess.run([BINARY, "doctor", "--data", self.data, *flags], text=True,
                              capture_output=True, timeout=SECONDS, preexec_fn=preexec,
                              env=dict(clean, **environment))
        return done.returncode, done.stdout

    def finds(self, level, line, *flags, **more):
        code, said = self.doctor(*flags, **more)
        self.assertRegex(said, "(?m)^%s +%s" % (level, line))
        self.assertEqual(code, 1 if level == "FAULT" else 0, said)

    def store(self):
        """A data directory after a clean stop, with a job."""
        daemon = Daemon(data=self.directory)
        daemon.finish()
        daemon.close()

    def keys(self, *arguments):
        return subprocess.run([BINARY, "keys", *arguments, "--data", self.data], check=True,
                              capture_output=True, text=True, timeout=SECONDS).stdout

    def contents(self):
        found = {}
        for name in sorted(os.listdir(self.data)):
            with open(os.path.join(self.data, name), "rb") as file:
                found[name] = file.read()
        return found

    def test_a_machine_without_a_service_is_sound_and_stays_as_it_is(self):
        code, said = self.doctor()
        self.assertEqual(code, 0, said)
        self.assertNotIn("FAULT", said)
        self.assertIn("the service makes it", said)
        self.assertFalse(os.path.exists(self.data))

    def test_a_stopped_store_stays_as_it_is(self):
        self.store()
        before = self.contents()
        self.finds("ok", "store +format [0-9]+$")
        self.finds("ok", "lock +no service uses the directory")
        self.assertEqual(self.contents(), before)

    def test_a_running_service_is_named_and_goes_on(self):
        daemon = Daemon(data=self.directory)
        self.addCleanup(daemon.close)
        self.finds("ok", "lock +process %d on host" % daemon.process.pid)
        self.assertEqual(daemon.finish()["state"], "succeeded")

    def test_settings_that_serve_refuses_are_a_fault(self):
        self.finds("FAULT", "settings +log-level must be", "--log-level", "loud")
        self.finds("FAULT", "settings .* can be reached from other machines", "--listen", "0.0.0.0:0")
        self.assertEqual(self.doctor("--no-such-flag")[0], 2)
        self.finds("warning", "settings +the environment variable DALEMBERT_DATE", DALEMBERT_DATE="x")

    def test_access_from_other_machines_is_told(self):
        public = ("--listen", "0.0.0.0:0", "--auth")
        self.finds("warning", "access .*lets everybody use it: set --auth keys", *public, "none")
        self.keys("create", "operator")
        self.finds("warning", "access .*plain HTTP.*proxy with TLS", *public, "keys")
        self.finds("warning", "hosts .*list the names with --hosts", *public, "none")
        self.finds("ok", "hosts +answers to lab.example", *public, "none", "--hosts", "lab.example")

    def test_proxies_are_looked_at(self):
        hosts = ("--hosts", "lab.example")
        trusted = "--trusted-proxies"
        self.finds("ok", "proxies +none is trusted")
        # a proxy on this machine that is forgotten, or has another address
        self.finds("warning", "proxies .*set --trusted-proxies 127.0.0.1$", *hosts)
        self.finds("warning", "proxies .*set --trusted-proxies ::1$", *hosts, "--listen", "[::1]:0")
        self.finds("warning", "proxies .*only this machine .* 10.0.0.1 does not list it.*: "
                   "add 127.0.0.1$", *hosts, trusted, "10.0.0.1")
        self.finds("ok", "proxies +127.0.0.1 may name the client", *hosts, trusted, "127.0.0.1")
        # proxies on other machines
        self.keys("create", "operator")
        public = ("--listen", "0.0.0.0:0", "--auth", "keys", *hosts, trusted, "10.0.0.1")
        self.finds("ok", "proxies +10.0.0.1 may name the client", *public)
        self.finds("ok", "access .*with the trusted proxies; let nobody else", *public)
        self.finds("FAULT", "settings +trusted-proxies: ", trusted, "nonsense")
        self.assertNotIn("proxies  ", self.doctor(trusted, "nonsense")[1])

    def test_few_descriptors_are_told(self):
        def limit(most):
            return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.finds("FAULT", "descriptors .* allows 22 connections", preexec=limit(300))
        self.finds("warning", "descriptors .* allows 384 connections.*: raise it to 2256",
                   preexec=limit(1024))

    def test_little_memory_and_a_full_disk_are_told(self):
        self.finds("warning", "memory .*lower --request-memory", "--request-memory", "900000G")
        self.finds("FAULT", "disk .*fewer than --disk-reserve", "--disk-reserve", "900000G")

    def test_files_that_others_can_open_are_told(self):
        self.store()
        os.chmod(self.database, 0o644)
        self.finds("warning", "files .*chmod 600 '%s'" % self.database)
        os.chmod(self.data, 0o755)
        self.finds("warning", "directory .*chmod 700 '%s'" % self.data)
        os.chmod(self.database, 0o600)
        if os.geteuid() == 0:
            os.chown(self.database, 12345, -1)
            self.finds("FAULT", "files .*belongs to user 12345.*: chown 0 ")

    def test_secrets_are_looked_at(self):
        path = os.path.join(self.directory, "token")
        flags = ("--auth", "keys", "--first-key-file", path)
        self.finds("FAULT", "secrets .*cannot read", *flags)
        with open(path, "w") as file:
            file.write("x\n")
        os.chmod(path, 0o644)
        self.finds("warning", "secrets .*chmod 600", *flags)
        os.chmod(path, 0o600)
        self.finds("ok", "secrets", *flags)

    def test_a_missing_key_is_a_fault_if_the_service_asks_for_keys(self):
        wish = ("--auth", "keys")
        path = os.path.join(self.directory, "token")
        with open(path, "w") as file:
            file.write("x\n")
        os.chmod(path, 0o600)
        # without a store, and with one that has never had a key
        for prepare in (lambda: None, self.store):
            prepare()
            self.finds("FAULT", "keys +no key is in force.*keys create.*--first-key-file", *wish)
            self.finds("ok", "keys +the start takes the first one", *wish,
                       "--first-key-file", path)
            self.assertNotIn("keys  ", self.doctor()[1])
        # with one, which is then revoked
        key = json.loads(self.keys("create", "operator"))
        before = self.contents()
        self.finds("ok", "keys +1 in force", *wish)
        self.assertEqual(self.contents(), before)
        self.keys("revoke", key["id"])
        self.finds("FAULT", "keys +no key is in force.*read,write,metrics,admin`$", *wish,
                   "--first-key-file", path)

    def test_keys_are_counted_in_a_directory_of_any_name(self):
        self.data = os.path.join(self.directory, "100%25? #1")
        self.keys("create", "operator")
        self.finds("ok", "keys +1 in force", "--auth", "keys")

    def test_the_clock_is_compared_with_the_day_of_the_release(self):
        with open(os.path.join(ROOT, "CHANGELOG.md")) as changes, \
                open(os.path.join(ROOT, "VERSION")) as version:
            released = re.search(r"^## %s \((.*)\)$" % re.escape(version.read().strip()),
                                 changes.read(), re.M)[1]
        self.finds("ok", r"clock +.*after this release \(%s\)$" % released)

    def test_json_has_what_the_lines_say(self):
        flags = ("--disk-reserve", "900000G")
        code, lines = self.doctor(*flags)
        code_of_json, text = self.doctor("--json", *flags)
        told = json.loads(text)
        self.assertEqual((code, code_of_json), (1, 1))
        self.assertEqual(told["faults"], 1)
        self.assertIn("%(faults)d faults, %(warnings)d warnings\n" % told, lines)
        self.assertEqual([finding["name"] for finding in told["findings"]],
                         re.findall(r"(?m)^(?:ok|warning|FAULT) +(\S+)", lines))
        fault, = (f for f in told["findings"] if f["level"] == "fault")
        self.assertIn(fault["message"].partition(" ")[2], lines)

    def test_a_database_that_cannot_be_served_is_a_fault(self):
        self.store()
        with sqlite3.connect(self.database) as base:
            version, = base.execute("PRAGMA user_version").fetchone()
        for format_, level, line in ((version + 1, "FAULT", "newer dalembert"),
                                     (version - 1, "warning", "the next start changes it to")):
            with open(self.database, "r+b") as file:
                file.seek(60)
                file.write(format_.to_bytes(4, "big"))
            self.finds(level, "store +format %d.*%s" % (format_, line))
        with open(self.database, "r+b") as file:
            file.write(b"no database")
        self.finds("FAULT", "store .*is no dalembert database")
        os.unlink(self.database)
        self.finds("FAULT", "store .*is gone or empty.*--accept-loss")

    def test_an_upgrade_without_room_is_a_fault(self):
        os.makedirs(self.data, mode=0o700)
        shutil.copy(os.path.join(ROOT, "tests/db/old/format-12/dalembert.db"), self.database)
        os.chmod(self.database, 0o600)
        self.finds("warning", "store +format 12; the next start changes it to")

        def grow(size):
            """The file gets empty pages, which take no space of the disk."""
            os.truncate(self.database, size // 4096 * 4096)
            with open(self.database, "r+b") as file:
                file.seek(28)
                file.write((size // 4096).to_bytes(4, "big"))
        free = shutil.disk_usage(self.data).free
        grow(free * 3 // 4)
        self.finds("warning", "store +format 12; the next start changes it to")
        self.finds("FAULT", r"store +format 12; .* needs [0-9.]+ MiB free with the copy of "
                   r"--upgrade, and the disk has [0-9.]+: free space", "--upgrade", "copy")
        grow(free * 3 // 2)
        self.finds("FAULT", r"store +format 12; .* needs [0-9.]+ MiB free, and the disk has")
        served = subprocess.run([BINARY, "serve", "--data", self.data, "--listen", "127.0.0.1:0"],
                                capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(served.returncode, 1)
        self.assertRegex(served.stderr, r"the upgrade of '.*' from format 12 to [0-9]+ needs "
                         r"[0-9]+ bytes free, and the disk has [0-9]+: free space")


if __name__ == "__main__":
    unittest.main()
