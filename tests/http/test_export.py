"""Exports beside a busy daemon, and data directories made of them, as their users see them."""

import base64
import fcntl
import hashlib
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest

from harness import BINARY, LEAN, ROOT, SECONDS, WATCHED, Daemon, deadline, job, long_job
from test_backup import Load, run
from test_keys import bearer

KEPT = os.path.join(ROOT, "tests", "db", "old", "export-1.ndjson")  # written by 0.9.0
TENANTS = "default", "lab"
MIB = 1 << 20


class Exported(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-test-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.data = os.path.join(self.directory, "data")
        self.file = os.path.join(self.directory, "store.ndjson")
        self.place = os.path.join(self.directory, "elsewhere")
        self.made = os.path.join(self.place, "data")
        os.mkdir(self.place)

    def daemon(self, *arguments, place=None):
        daemon = Daemon(*arguments, data=place or self.directory)
        self.addCleanup(daemon.close)
        return daemon

    def export(self, *arguments, data=None):
        found = run("export", "--data", data or self.data, *arguments)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        return found.stdout

    def load(self, file=None):
        found = run("import", file or self.file, self.made)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertIn(" jobs imported; ", found.stdout)

    def refused(self, lines, message):
        """The import of these lines fails with the message and leaves nothing."""
        with open(self.file, "wb") as file:
            file.writelines(lines)
        found = run("import", self.file, self.made)
        self.assertEqual(found.returncode, 1)
        self.assertIn(message, found.stderr)
        self.assertEqual(os.listdir(self.place), [])


def objects_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Beside(Exported):
    def test_an_export_beside_a_busy_daemon_has_every_acknowledged_job(self):
        daemon = self.daemon("--workers", "2")
        load = Load(daemon)
        try:
            for _ in deadline("jobs before the export"):
                if len(load.ids) >= 30 and len(load.large) >= 2:
                    break
            before = list(load.ids)
            done = before[:5] + load.large[:1]
            for identifier in done:
                daemon.wait_done(identifier)
            said = self.export(self.file)
        finally:
            wrong = load.end()
        self.assertEqual(wrong, [])
        self.assertIn(" jobs, ", said)
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        answers = {one: daemon.get("/v1/jobs/%s/result" % one).body for one in done}
        requests = {one: daemon.get("/v1/jobs/%s/request" % one).body for one in before}
        daemon.kill()
        self.load()
        other = self.daemon("--workers", "1", place=self.place)
        for identifier, body in answers.items():
            self.assertEqual(other.get("/v1/jobs/%s/result" % identifier).body, body)
        for identifier, body in requests.items():
            self.assertEqual(other.get("/v1/jobs/%s/request" % identifier).body, body)
        for identifier in before[-3:]:  # those that waited are run there
            self.assertEqual(other.wait_done(identifier)["state"], "succeeded")


class Same(Exported):
    """Two tenants with jobs in all states, models and deletions; every answer is as before."""

    def keys(self, data):
        """One for each tenant, made while no daemon runs."""
        keys = {}
        for tenant in TENANTS:
            found = run("keys", "create", tenant, "--scopes", "read,write,admin", "--tenant", tenant,
                        "--data", data)
            self.assertEqual(found.returncode, 0, found.stderr)
            keys[tenant] = bearer(json.loads(found.stdout)["token"])
        return keys

    def serve(self, place):
        """With keys for the tenants."""
        keys = self.keys(os.path.join(place, "data"))
        return keys, self.daemon("--auth", "keys", "--workers", "1", "--webhooks", "on",
                                 "--webhook-allow", "127.0.0.1", place=place)

    def serve_new(self):
        self.assertEqual(run("tenants", "create", "lab", "--queued", "50", "--data",
                             self.data).returncode, 0)
        return self.serve(self.directory)

    def fill(self, daemon, key, tenant):
        def submit(document, **headers):
            answer = daemon.post("/v1/jobs?wait=60", document, dict(key, **headers))
            self.assertIn(answer.status, (200, 202), answer)
            return answer.json["id"]

        model = daemon.post("/v1/models", job()["model"], key).json["id"]
        ids = [submit(job(labels={"who": tenant, "why": "\u00e9\n"}), **{"Idempotency-Key": "one"}),
               submit(job(time={"end": 1e6, "samples": 11}, integrator={"max_steps": 5})),
               submit(job(vary={"initial.q.x": [1, 2, 3, 4]}, model={"id": model})),
               submit(job(vary={"parameters.k": [8, 8e9]}, integrator={"max_steps": 500},
                          ensemble={"keep": "summary", "over_time": ["x"]})),
               submit(job(notify={"url": "https://127.0.0.1:9/x", "on": ["failed"]})),
               submit(job(cache=True)), submit(job(cache=True))]
        gone = submit(job())
        self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + gone, headers=key).status, 204)
        return ids, model

    def fill_all(self, daemon, keys):
        """The jobs and the model of each tenant; two more jobs run or wait, and one is cancelled."""
        known = {tenant: self.fill(daemon, keys[tenant], tenant) for tenant in TENANTS}
        for tenant in TENANTS:
            long = [daemon.post("/v1/jobs", long_job(), keys[tenant]).json["id"] for _ in range(2)]
            self.assertEqual(daemon.post("/v1/jobs/%s/cancel" % long[1], None,
                                         keys[tenant]).status, 200)
            known[tenant][0].append(long[1])
        return known

    def answers(self, daemon, key, tenant, ids, model):
        """Of all that does not depend on the jobs that run or wait."""
        paths = ["/v1/models", "/v1/models/" + model]
        for one in ids:
            paths += ["/v1/jobs/" + one] + ["/v1/jobs/%s/%s" % (one, part) for part in (
                "request", "result", "diagnostics", "invariants", "members", "members/1",
                "result?columns=t,x&stride=2", "statistics", "scene", "result?table=@scene")]
        found = {}
        for path in paths:
            answer = daemon.get(path, key)
            found[path] = (answer.status, answer.body)
        listed = daemon.get("/v1/jobs?since=0&limit=500", key).json
        found["deleted"] = listed["deleted"]
        found["changes"] = [one for one in listed["jobs"] if one["done"]]
        for query in "label.who=" + tenant, "state=succeeded&limit=2":
            found[query] = dict(daemon.get("/v1/jobs?" + query, key).json, revision=None)
        return found

    def test_every_answer_is_as_before_but_for_jobs_that_ran(self):
        keys, daemon = self.serve_new()
        known = self.fill_all(daemon, keys)
        before = {tenant: self.answers(daemon, keys[tenant], tenant, *known[tenant])
                  for tenant in TENANTS}
        self.export(self.file)
        daemon.kill()
        self.load()
        keys, other = self.serve(self.place)
        for tenant, expected in before.items():
            found = self.answers(other, keys[tenant], tenant, *known[tenant])
            for path, answer in expected.items():
                self.assertEqual(found[path], answer, path)
            self.assertEqual(len(expected["deleted"]), 1)
            statuses = [answer[0] for path, answer in expected.items() if path.startswith("/")]
            self.assertGreater(statuses.count(200), 30)
            again = other.post("/v1/jobs", job(labels={"who": tenant, "why": "\u00e9\n"}),
                               dict(keys[tenant], **{"Idempotency-Key": "one"}))
            self.assertEqual(again.json["id"], known[tenant][0][0])
        quotas = other.get("/v1/tenants/lab", keys["default"]).json["quotas"]
        self.assertEqual(quotas["queued"], 50)
        other.kill()

    def test_one_tenant_leaves_nothing_of_the_others(self):
        keys, daemon = self.serve_new()
        mine = daemon.post("/v1/jobs?wait=60", job(labels={"whose": "mine"}),
                           keys["default"]).json["id"]
        theirs = daemon.post("/v1/jobs?wait=60", job(), keys["lab"]).json["id"]
        text = self.export("--tenant", "lab")
        daemon.kill()
        self.assertIn(theirs, text)
        self.assertNotIn(mine, text)
        self.assertNotIn("mine", text)
        found = run("export", "--data", self.data, "--tenant", "nobody")
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.assertIn("no tenant 'nobody'", found.stderr)


class Lines(Exported):
    """The format, as docs/reference/data-directory.md describes it."""

    def test_other_programs_read_an_export(self):
        daemon = self.daemon("--workers", "1")
        found = daemon.finish(labels={"who": "me"})
        series = daemon.get("/v1/jobs/%s/result" % found["id"]).json["series"]
        text = self.export()
        objects = objects_of(text)
        self.assertEqual(objects[0]["kind"], "export")
        self.assertEqual((objects[0]["format"], objects[0]["jobs"]), (1, 1))
        self.assertEqual(objects[-1]["kind"], "end")
        self.assertEqual(objects[-1]["lines"], len(objects) - 1)
        lines = text.encode().splitlines(keepends=True)
        whole = b"".join(lines[:-1])
        self.assertEqual(objects[-1]["sha256"], hashlib.sha256(whole).hexdigest())
        before = b""
        for line, one in zip(lines, objects):
            part = line[:line.rindex(b',"sum":')]
            self.assertEqual(one["sum"], hashlib.sha256(before + part).hexdigest()[:8])
            before += line
        (stored,) = [one for one in objects if one["kind"] == "job"]
        self.assertEqual((stored["id"], stored["labels"]), (found["id"], {"who": "me"}))
        self.assertEqual(json.loads(stored["request"])["model"]["name"], "oscillator")
        (evidence,) = [one for one in objects if one["kind"] == "evidence"]
        self.assertEqual(evidence["diagnostics"],
                         daemon.get("/v1/jobs/%s/diagnostics" % found["id"]).json)
        (block,) = [one for one in objects if one["kind"] == "rows" and one["tab"] == -1]
        numbers = struct.unpack("<33d", base64.b64decode(block["data"]))
        for column, name in enumerate(("t", "x", "dot(x)")):
            self.assertEqual(list(numbers[column::3]), series[name])

    def test_an_export_that_is_kept_is_read_and_written_again(self):
        """Later programs may add members, but keep those that the file has."""
        self.load(KEPT)
        with open(KEPT, encoding="utf-8") as file:
            kept = objects_of(file.read())
        again = objects_of(self.export(data=self.made))
        self.assertEqual([one["kind"] for one in again], [one["kind"] for one in kept])
        for old, new in zip(kept[1:-1], again[1:-1]):
            del old["sum"]
            self.assertEqual({name: new.get(name) for name in old}, old)
        daemon = self.daemon("--workers", "1", place=self.place)
        states = {}
        for one in kept:
            if one["kind"] == "job" and one["tenant"] == 1:
                self.assertEqual(daemon.get("/v1/jobs/" + one["id"]).status, 200)
                states.setdefault(one["state"], one["id"])
        self.assertEqual(set(states), {"succeeded", "failed", "cancelled", "queued"})
        result = daemon.get("/v1/jobs/%s/result" % states["succeeded"])
        self.assertEqual((result.status, len(result.json["series"]["x"])), (200, 11))
        daemon.kill()


class Refused(Exported):
    def setUp(self):
        super().setUp()
        with open(KEPT, "rb") as file:
            self.lines = file.readlines()

    def test_a_line_that_has_changed_is_named(self):
        for number in 1, 2, len(self.lines) // 2, len(self.lines):
            lines = list(self.lines)
            line = bytearray(lines[number - 1])
            at = len(line) // 2
            line[at] ^= 1
            lines[number - 1] = bytes(line)
            self.refused(lines, "line %d of '%s' is damaged or out of place" % (number, self.file))

    def test_a_file_that_is_cut_is_refused(self):
        n = len(self.lines)
        self.refused(self.lines[:-1], "is cut behind line %d" % (n - 1))
        self.refused(self.lines[:3] + [self.lines[3][:-1]], "line 4 of '%s' is cut" % self.file)
        self.refused(self.lines[:3] + [self.lines[3][:40]], "line 4 of '%s' is cut" % self.file)
        self.refused([], "is cut behind line 0")

    def test_lines_in_another_order_are_refused(self):
        lines = list(self.lines)
        lines[4], lines[5] = lines[5], lines[4]
        self.refused(lines, "line 5 of '%s' is damaged or out of place" % self.file)
        self.refused(self.lines[:6] + self.lines[7:], "line 7 of ")
        self.refused(self.lines[:6] + self.lines[5:], "line 7 of ")
        self.refused(self.lines + self.lines[-1:], "line %d of " % (len(self.lines) + 1))

    def test_a_file_of_another_kind_is_refused(self):
        self.refused([b"{}\n"], "line 1 of '%s' is cut, damaged, or not of an" % self.file)
        self.refused([b"\x1f\x8b\x08\0\n"], "line 1 of '%s' is cut, damaged, or not of an" % self.file)
        self.refused(self.sealed(b'{"kind":"cat"}'), "line 1 of '%s': it is not" % self.file)
        self.refused(self.sealed(self.lines[0].split(b',"sum"')[0] + b"}", b'{"kind":"job"}'),
                     "line 2 of '%s': its values do not fit" % self.file)

    def test_a_line_without_an_end_is_refused(self):
        process = subprocess.Popen([BINARY, "import", "-", self.made], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        with self.assertRaises(BrokenPipeError):  # it does not read on
            for _ in range(300):
                process.stdin.write(b"x" * MIB)
        said = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(SECONDS), 1)
        self.assertIn(b"line 1 is longer than ", said)
        self.assertEqual(os.listdir(self.place), [])

    def sealed(self, *objects):
        """Lines with sums that are right."""
        lines = []
        for text in objects:
            digits = hashlib.sha256(b"".join(lines) + text[:-1]).hexdigest()[:8]
            lines.append(text[:-1] + b',"sum":"' + digits.encode() + b'"}\n')
        return lines

    def test_data_that_were_changed_with_the_sums_are_refused(self):
        objects = [line[:line.rindex(b',"sum":')] + b"}" for line in self.lines[:-1]]
        at, = [k for k, text in enumerate(objects) if b'"tab":-1' in text and b'"job":1,' in text]
        objects[at] = objects[at].replace(b'"data":"A', b'"data":"B')
        lines = self.sealed(*objects)
        end = b'{"kind":"end","lines":%d,"sha256":"%s"}' % (
            len(lines), hashlib.sha256(b"".join(lines)).hexdigest().encode())
        self.refused(self.sealed(*objects, end),
                     "the objects of '%s' make no sound store; make another" % self.file)

    def test_names_that_are_taken_are_refused(self):
        Daemon(data=self.directory).close()
        self.export(self.file)
        found = run("export", "--data", self.data, self.file)
        self.assertEqual(found.returncode, 1)
        self.assertIn("'%s' exists; give the name of a new file" % self.file, found.stderr)
        found = run("import", self.file, self.data)
        self.assertEqual(found.returncode, 1)
        self.assertIn("'%s' is not empty" % self.data, found.stderr)
        found = run("export", "--data", self.place)
        self.assertEqual((found.returncode, found.stdout), (1, ""))
        self.assertIn("no dalembert store in '%s" % self.place, found.stderr)

    def test_a_damaged_store_gives_no_export(self):
        daemon = Daemon(data=self.directory)
        daemon.finish(labels={"a": "find me here"})
        daemon.close()
        database = os.path.join(self.data, "dalembert.db")
        with open(database, "r+b") as file:
            at = file.read().index(b"find me here")
            file.seek(at)
            file.write(b"F")
        found = run("export", "--data", self.data, self.file)
        self.assertEqual(found.returncode, 1)
        self.assertIn("the data are damaged: ", found.stderr)
        self.assertEqual(sorted(os.listdir(self.directory)), ["data", "elsewhere", "log"])


class Ended(Exported):
    """A signal or a kill in the midst of the work."""

    def importing(self):
        """An import that has read a part of the lines and waits for the next."""
        with open(KEPT, "rb") as file:
            text = file.read()
        process = subprocess.Popen([BINARY, "import", "-", self.made], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        process.stdin.write(text[:-100])
        process.stdin.flush()
        part = os.path.join(self.made + ".part", "dalembert.db")
        for _ in deadline("the import to begin"):
            if os.path.exists(part) and os.path.getsize(part) > 0:
                return process, text[-100:]

    def test_a_signal_ends_an_import_cleanly(self):
        """Also if the sender's end cuts the last line meanwhile: either may be seen first."""
        for _ in range(8):
            process, _ = self.importing()
            process.send_signal(signal.SIGSTOP)  # it sees signal and cut line at once
            process.send_signal(signal.SIGTERM)
            process.stdin.close()
            process.stdin = None
            process.send_signal(signal.SIGCONT)
            _, said = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, 1)
            self.assertIn(b"stopped by a signal", said)
            self.assertEqual(os.listdir(self.place), [])

    def test_a_killed_import_leaves_no_directory_and_the_next_one_works(self):
        process, _ = self.importing()
        busy = run("import", KEPT, self.made)
        self.assertEqual(busy.returncode, 1)
        self.assertIn("is being filled by another process", busy.stderr)
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(self.made))
        self.load(KEPT)
        self.assertEqual(os.listdir(self.place), ["data"])

    def test_what_a_killed_export_has_left_is_written_anew(self):
        Daemon(data=self.directory).close()
        with open(self.file + ".part", "w") as file:
            file.write("half\n" * 1000)
        with open(self.file + ".part") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            busy = run("export", "--data", self.data, self.file)
            self.assertEqual(busy.returncode, 1)
            self.assertIn("is being written by another process", busy.stderr)
        self.export(self.file)
        self.assertFalse(os.path.exists(self.file + ".part"))
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        self.load()

    def test_standard_input_and_output_are_files_too(self):
        process, rest = self.importing()
        _, said = process.communicate(rest, timeout=SECONDS)
        self.assertEqual((process.returncode, said), (0, b""))
        found = subprocess.run("%s export --data %s | %s import - %s"
                               % (BINARY, self.made, BINARY, self.made + "-2"), shell=True,
                               capture_output=True, timeout=SECONDS)
        self.assertEqual((found.returncode, found.stderr), (0, b""))


@unittest.skipIf(WATCHED, "the thread sanitizer takes memory of its own")
class Memory(Exported):
    def peak(self, *arguments):
        """Of a process: its largest resident size in bytes."""
        process = subprocess.Popen([BINARY, *arguments], stdout=subprocess.DEVNULL,
                                   env=dict(os.environ, **LEAN))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss * 1024

    def test_memory_does_not_grow_with_the_store(self):
        daemon = self.daemon("--workers", "2")
        ids = [daemon.submit(time={"end": 10 + k, "samples": 200001}) for k in range(9)]
        for identifier in ids:
            daemon.wait_done(identifier)
        self.assertEqual(daemon.terminate(), 0)
        self.assertGreater(os.path.getsize(os.path.join(self.data, "dalembert.db")), 90 * MIB)
        least = self.peak("--version")  # includes that of the process that begins it
        peaks = self.peak("export", "--data", self.data, self.file), \
            self.peak("import", self.file, self.made)
        self.assertGreater(os.path.getsize(self.file), 120 * MIB)
        for peak in peaks:
            self.assertLess(peak - least, 40 * MIB, "of %d" % least)


if __name__ == "__main__":
    unittest.main()
