"""Server-sent events of one job and of all changes, for readers that are quick, slow, half gone or
too many."""

import json
import socket
import threading
import unittest

from harness import LEAN, WATCHED, Daemon, DaemonCase, long_job  # first: it knows where deadline is

from contract import CONTRACT
from deadline import SECONDS, deadline


class Stream:
    """A reader of events; `shut`: it says at once that it will send no more."""

    def __init__(self, daemon, path, headers=(), shut=False):
        self.socket = socket.create_connection(("127.0.0.1", daemon.port), SECONDS)
        lines = ["GET %s HTTP/1.1" % path, "Host: localhost",
                 "Accept: text/event-stream", "Connection: close"]
        self.socket.sendall(("\r\n".join(lines + ["%s: %s" % pair for pair in headers])
                             + "\r\n\r\n").encode())
        if shut:
            self.socket.shutdown(socket.SHUT_WR)
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        for line in iter(self.file.readline, b"\r\n"):
            name, value = line.decode().split(":", 1)
            self.headers[name.lower()] = value.strip()
        CONTRACT.check("GET", path, self.status, self.headers, None)
        self.text = b""
        self.ended = "transfer-encoding" not in self.headers

    def more(self):
        size = self.file.readline()
        if not size:
            raise ConnectionError("the stream was cut")
        piece = self.file.read(int(size, 16) + 2)[:-2]
        self.ended = not piece
        self.text += piece

    def next(self):
        """The next event, as name, id and data; None at the end. Comments are left out."""
        while True:
            while b"\n\n" not in self.text:
                if self.ended:
                    return None
                self.more()
            block, self.text = self.text.split(b"\n\n", 1)
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n")
                          if not line.startswith(":"))
            if "event" in fields:
                data = json.loads(fields["data"])
                CONTRACT.check_event(fields["event"], data)
                return fields["event"], fields.get("id"), data

    def rest(self):
        return list(iter(self.next, None))

    def close(self):
        self.file.close()
        self.socket.close()


class Jobs(DaemonCase):
    def stream(self, identifier, **options):
        stream = Stream(self.daemon, "/v1/jobs/%s/stream" % identifier, **options)
        self.addCleanup(stream.close)
        return stream

    def cancel(self, identifier):
        self.daemon.post("/v1/jobs/%s/cancel" % identifier, b"")

    def test_a_job_is_followed_to_its_end(self):
        identifier = self.daemon.submit(long_job())
        stream = self.stream(identifier)
        self.assertEqual((stream.status, stream.headers["content-type"]),
                         (200, "text/event-stream"))
        seen = []
        while not seen or seen[-1][0] != "progress":
            seen.append(stream.next())
        self.assertEqual(seen[-1][1], None)
        self.assertEqual(seen[-1][2]["state"], "running")
        self.assertIn("fraction", seen[-1][2]["progress"])
        self.cancel(identifier)
        seen += stream.rest()
        self.assertEqual([event[0] for event in seen].count("done"), 1)
        name, last, found = seen[-1]
        self.assertEqual((name, found["state"]), ("done", "cancelled"))
        self.assertEqual(found, self.daemon.get("/v1/jobs/" + identifier).json)
        self.assertEqual(int(last), found["revision"])
        ids = [int(event[1]) for event in seen if event[1]]
        self.assertEqual(ids, sorted(set(ids)))

    def test_who_comes_again_gets_what_is_new(self):
        found = self.daemon.finish()
        revision = found["revision"]
        path = found["id"]
        self.assertEqual([event[0] for event in self.stream(path).rest()], ["done"])
        self.assertEqual(
            [event[0] for event in self.stream(
                path, headers=[("Last-Event-ID", revision - 1)]).rest()],
                         ["done"])
        self.assertEqual(self.stream(path, headers=[("Last-Event-ID", revision)]).status, 204)
        self.assertEqual(
            [event[0] for event in self.stream(path, headers=[("Last-Event-ID", "x1")]).rest()],
            ["done"])
        self.assertEqual(self.stream("nothing").status, 404)

    def test_a_job_that_is_deleted_ends_its_stream(self):
        running = self.daemon.submit(long_job())
        waiting = [self.daemon.submit(long_job())
                   for _ in range(self.daemon.get("/v1/queue").json["workers"])]
        stream = self.stream(waiting[-1])
        self.assertEqual(stream.next()[0], "state")
        self.daemon.post("/v1/jobs:cancel", {"ids": [running] + waiting})
        self.daemon.wait_done(waiting[-1])
        self.daemon.request("DELETE", "/v1/jobs/" + waiting[-1])
        self.assertIn(stream.rest()[-1][0], ("done", "deleted"))

    def test_it_is_not_packed(self):
        found = self.daemon.finish()
        stream = self.stream(found["id"], headers=[("Accept-Encoding", "gzip")])
        self.assertNotIn("content-encoding", stream.headers)
        self.assertEqual(stream.next()[0], "done")

    def test_a_client_that_only_reads_gets_what_there_is(self):
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        events = self.stream(identifier, shut=True).rest()  # it ends, and the client comes again
        self.assertEqual(events[0][0], "state")
        self.daemon.wait_waiters(0)
        self.cancel(identifier)

    def test_clients_that_leave_give_up_their_places(self):
        identifier = self.daemon.submit(long_job())
        streams = [Stream(self.daemon, "/v1/jobs/%s/stream" % identifier) for _ in range(5)]
        for stream in streams:
            stream.next()
        self.daemon.wait_waiters(5)
        for stream in streams:
            stream.close()
        self.daemon.wait_waiters(0)
        self.cancel(identifier)

    @unittest.skipIf(WATCHED, "memory is that of the sanitizer")
    def test_a_slow_reader_is_told_how_things_are_in_the_end(self):
        daemon = Daemon(environment=LEAN)
        self.addCleanup(daemon.close)
        start = daemon.get("/v1/jobs").json["revision"]
        stream = Stream(daemon, "/v1/jobs?since=%d" % start)
        self.addCleanup(stream.close)
        before = daemon.memory()
        ids = [daemon.finish(labels={"pad": "x" * 200})["id"] for _ in range(200)]
        self.assertLess(daemon.memory() - before, 32 << 20)
        seen = {}
        for _ in deadline("all jobs"):
            name, last, page = stream.next()
            self.assertEqual((name, int(last)), ("changes", page["revision"]))
            seen.update((found["id"], found["state"]) for found in page["jobs"])
            if all(seen.get(identifier) == "succeeded" for identifier in ids):
                break


class Changes(DaemonCase):
    def test_changes_are_told_as_they_come(self):
        stream = Stream(self.daemon, "/v1/jobs")
        self.addCleanup(stream.close)
        self.daemon.wait_waiters(1)
        found = self.daemon.finish()
        self.daemon.request("DELETE", "/v1/jobs/" + found["id"])
        told, gone, last = [], [], None
        while not gone:
            _, last, page = stream.next()
            told += [one["id"] for one in page["jobs"]]
            gone += page["deleted"]
        self.assertEqual((set(told) - {found["id"]}, gone), (set(), [found["id"]]))

        again = self.daemon.finish()
        other = Stream(self.daemon, "/v1/jobs", headers=[("Last-Event-ID", last)])
        self.addCleanup(other.close)
        _, _, page = other.next()
        self.assertEqual(([one["id"] for one in page["jobs"]], page["deleted"]),
                         ([again["id"]], []))

    def test_what_does_not_go_with_a_stream_is_refused(self):
        for query in ("state=queued", "label.a=b", "limit=3", "model=m", "since=1&wait=1"):
            with self.subTest(query=query):
                answer = self.daemon.get("/v1/jobs?" + query, {"Accept": "text/event-stream"})
                self.assertEqual(answer.status, 400, answer)
        self.assertEqual(self.daemon.get("/v1/jobs").headers["content-type"], "application/json")


class Limits(unittest.TestCase):
    def test_streams_are_among_the_waiters(self):
        daemon = Daemon("--max-waiters", "2")
        try:
            identifier = daemon.submit(long_job())
            daemon.wait_running(identifier)
            path = "/v1/jobs/%s/stream" % identifier
            streams = [Stream(daemon, path) for _ in range(2)]
            for stream in streams:
                stream.next()
            for _ in deadline("both to wait"):
                if daemon.waiters() == 2:
                    events = Stream(daemon, path).rest()  # it ends at once
                    if events and daemon.waiters() == 2:
                        break
            self.assertEqual(events[0][0], "state")
            daemon.post("/v1/jobs/%s/cancel" % identifier, b"")
            for stream in streams:
                stream.rest()
                stream.close()
        finally:
            daemon.close()

    def test_a_service_that_stops_ends_its_streams(self):
        daemon = Daemon()
        identifier = daemon.submit(long_job())
        daemon.wait_running(identifier)
        streams = [Stream(daemon, "/v1/jobs/%s/stream" % identifier), Stream(daemon, "/v1/jobs")]
        streams[0].next()
        daemon.wait_waiters(2)
        ends = [threading.Thread(target=stream.rest) for stream in streams]
        for end in ends:
            end.start()
        self.assertEqual(daemon.terminate(), 0)
        for end in ends:
            end.join()
        daemon.close()


if __name__ == "__main__":
    unittest.main()
