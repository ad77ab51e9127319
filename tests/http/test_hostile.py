"""Clients that do all at once what each may do: bodies in pieces, pipelines that end, one key from
many sides, deletions under downloads, and a stop in the middle of each."""

import json
import os
import re
import signal
import socket
import threading
import unittest

from harness import JSON, OSCILLATOR, ROOT, Daemon, DaemonCase, job, long_job
from deadline import SECONDS

HOST = b"Host: localhost\r\n"
BODY = json.dumps(job()).encode()
CHUNKED = (b"POST /v1/jobs HTTP/1.1\r\n" + HOST
           + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
GET = b"GET /v1/limits HTTP/1.1\r\n" + HOST + b"\r\n"


def post(path=b"/v1/jobs", more=b"", body=BODY):
    return (b"POST %s HTTP/1.1\r\n%s%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % (path, HOST, more, len(body)) + body)


def chunks(pieces, extension=b"", trailer=b""):
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece)
                    for piece in pieces) + b"0\r\n" + trailer + b"\r\n"


def answers(received):
    """Statuses and bodies of what came on one connection; everything must be whole."""
    found = []
    while received:
        head, received = received.split(b"\r\n\r\n", 1)
        status, length = int(head.split()[1]), re.search(rb"\r\ncontent-length: (\d+)",
                                                         head.lower())
        size = int(length.group(1)) if length and status not in (100, 204, 304) else 0
        assert len(received) >= size, (head, received)
        found.append((status, received[:size]))
        received = received[size:]
    return found


def statuses(received):
    return [status for status, _ in answers(received)]


class Pieces(DaemonCase):
    def test_a_body_in_chunks_is_the_body(self):
        for body in (
            chunks([BODY[i:i + 1] for i in range(len(BODY))]),
            chunks([BODY], trailer=b"X-Sum: 1\r\nContent-Length: 5\r\n"),
            b"%X\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n",
            b"0000%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n",
        ):
            with self.subTest(body=body[:20]):
                self.assertEqual(statuses(self.daemon.raw(CHUNKED + body + GET, shut=True)),
                                 [202, 200])

    def test_chunks_that_are_none_are_told_so_once(self):
        for body in (
            b"-5\r\nabcde\r\n0\r\n\r\n", b"+5\r\nabcde\r\n0\r\n\r\n",
            b"0x5\r\nabcde\r\n0\r\n\r\n", b"5 \r\nabcde\r\n0\r\n\r\n",
            b"5\0\r\nabcde\r\n0\r\n\r\n", b"5\nabcde\n0\n\n", b"\r\n\r\n", b"5\r\nabcdeXX0\r\n\r\n",
            b"ffffffffffffffff\r\nabc", b"f" * 100 + b"\r\nabc",
            chunks([BODY], extension=b";a=b"), chunks([BODY], extension=b';a="b"'),
            b"5;" + b"a" * 20000 + b"\r\nabcde\r\n0\r\n\r\n",
            b"5\r\nabcde\r\n0\r\nX: " + b"a" * 40000 + b"\r\n\r\n",
            b"5\r\nabcde\r\n0\r\n" + b"X: a\r\n" * 5000 + b"\r\n",
        ):
            with self.subTest(body=body[:20]):
                found = answers(self.daemon.raw(CHUNKED + body + GET, shut=True))
                self.assertEqual(len(found), 1)
                self.assertIn(found[0][0], (400, 413, 431))
                self.assertEqual(json.loads(found[0][1])["status"], found[0][0])

    def test_a_pipeline_that_ends_is_answered_to_its_end(self):
        received = self.daemon.raw(post() * 20 + GET * 100, shut=True)
        self.assertEqual(statuses(received), [202] * 20 + [200] * 100)
        # who sends no more may have left: the wait may end early, the answer comes
        found = statuses(self.daemon.raw(post(b"/v1/jobs?wait=10") * 5 + GET, shut=True))
        self.assertEqual(len(found), 6)
        self.assertLessEqual(set(found), {200, 202})

    def test_a_refused_body_is_not_asked_for(self):
        asks = b"Expect: 100-Continue\r\n"
        for change in ((b"/v1/jobs ", b"/v1/nothing "), (b"application/json", b"text/plain"),
                       (b"POST", b"PUT"),
                       (b"localhost", b"evil.example"),
                       (b"Content-Length: ", b"Content-Length: 99999999")):
            with self.subTest(change=change), socket.create_connection(
                ("127.0.0.1", self.daemon.port), SECONDS) as client:
                client.sendall(post(more=asks)[:-len(BODY)].replace(*change))
                self.assertRegex(client.recv(65536), rb"^HTTP/1.1 4")


class Routes(DaemonCase):
    def test_every_route_has_its_head_and_its_options(self):
        names = {"models": self.daemon.post("/v1/models", OSCILLATOR).json["id"],
                 "jobs": self.daemon.finish()["id"],
                 "catalog": "rattleback", "problems": "not_found"}
        with open(os.path.join(ROOT, "api", "openapi.json"), encoding="utf-8") as file:
            paths = json.load(file)["paths"]
        for path in paths:
            path = re.sub(r"(?<=/)([a-z]+)/\{[a-z]+\}",
                          lambda part: part[1] + "/" + names.get(part[1], "0"), path)
            with self.subTest(path=path):
                ask = (b"%%s %s HTTP/1.1\r\n" % path.encode()) + HOST + b"Connection: close\r\n\r\n"
                whole, head = self.daemon.raw(ask % b"GET"), self.daemon.raw(ask % b"HEAD")
                self.assertEqual(head.split()[1], whole.split()[1])
                self.assertTrue(head.endswith(b"\r\n\r\n") and head.count(b"\r\n\r\n") == 1)
                self.assertIn(b"\r\nallow: ", self.daemon.raw(ask % b"OPTIONS").lower())
                for method in (b"TRACE", b"PATCH", b"CONNECT", b"PROPFIND", b"get"):
                    answer = self.daemon.raw(ask % method)
                    self.assertIn(answer.split()[1], (b"400", b"403", b"404", b"405", b"501"))
                    self.assertIn(b"application/problem+json", answer)


class Together(unittest.TestCase):
    def setUp(self):
        # one worker: while a long job runs, those behind it wait, and who waits for them
        self.daemon = Daemon("--max-connections", "500", "--workers", "1")
        # a model that is known is not compiled: no submission has to come again
        self.daemon.finish()

    def tearDown(self):
        self.daemon.close()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.daemon.port), SECONDS)

    def all_at_once(self, count, act):
        barrier, found, lock = threading.Barrier(count), [], threading.Lock()

        def one(k):
            connection = self.daemon.connect()
            connection.connect()
            barrier.wait()
            answer = act(k, connection)
            connection.close()
            with lock:
                found.append(answer)

        threads = [threading.Thread(target=one, args=(k,)) for k in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def test_one_key_from_many_sides_is_one_job(self):
        def submit(k, connection):
            return self.daemon.request("POST", "/v1/jobs",
                                       job(time={"end": 1 + k % 2, "samples": 11}),
                                       dict(JSON, **{"Idempotency-Key": "one"}), connection)

        found = self.all_at_once(100, submit)
        self.assertEqual(len(found), 100)
        jobs = [answer for answer in found if answer.status in (200, 202)]
        self.assertEqual(len({answer.json["id"] for answer in jobs}), 1)
        self.assertEqual(sum("idempotency-replayed" not in answer.headers for answer in jobs), 1)
        self.assertEqual({answer.json["code"] for answer in found if answer not in jobs},
                         {"idempotency_key_reused"})
        self.assertEqual(len(jobs), 50)

    def test_a_thousand_keys_are_a_thousand_jobs(self):
        def submit(k, connection):
            identifiers = []
            for i in range(25):
                answer = self.daemon.request("POST", "/v1/jobs", job(),
                                             dict(JSON, **{"Idempotency-Key":
                                                           "%d" % (i + 25 * (k % 40))}),
                                             connection)
                assert answer.status == 202, answer
                identifiers.append((i + 25 * (k % 40), answer.json["id"]))
            return identifiers

        found = {pair for pairs in self.all_at_once(80, submit) for pair in pairs}
        self.assertEqual((len(found), len({key for key, _ in found}),
                          len({name for _, name in found})), (1000, 1000, 1000))

    def test_a_download_whose_job_is_deleted_is_whole_or_seen_to_be_cut(self):
        for accept in (b"text/csv", b"application/x-ndjson", b"application/json"):
            identifier = self.daemon.finish(time={"end": 100, "samples": 400001})["id"]
            with self.subTest(accept=accept), self.connect() as client:
                client.sendall(b"GET /v1/jobs/%s/result HTTP/1.1\r\n%sAccept: %s\r\n\r\n"
                               % (identifier.encode(), HOST, accept))
                received = client.recv(1000)
                self.assertTrue(received.startswith(b"HTTP/1.1 200 "))
                self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + identifier).status,
                                 204)
                while not received.endswith(b"\r\n0\r\n\r\n"):
                    piece = client.recv(1 << 20)
                    if not piece:
                        break
                    received += piece
                rows = received.count(b"\n") - 2 * received.count(b"\r\n")
                self.assertFalse(received.endswith(b"\r\n0\r\n\r\n")
                                 and accept != b"application/json" and rows < 400001 - 50)
        self.assertEqual(self.daemon.get("/livez").status, 200)

    def test_a_stop_in_the_middle_of_everything_ends_and_loses_nothing(self):
        big = self.daemon.finish(time={"end": 100, "samples": 400001})["id"]
        running = self.daemon.submit(long_job())
        self.daemon.wait_running(running)
        kept = self.daemon.submit(job())
        opened = []
        for data in (
            post()[:200],                                               # half a body
            CHUNKED + b"%x\r\n" % len(BODY) + BODY[:50],                # half a chunk
            post(more=b"Expect: 100-continue\r\n")[:-len(BODY)],        # asked, and not sent
            GET[:20],                                                   # half a head
            b"GET /v1/jobs/%s/result HTTP/1.1\r\n%s\r\n" % (big.encode(), HOST),  # not read
            b"GET /v1/jobs/%s?wait=60 HTTP/1.1\r\n%s\r\n" % (running.encode(), HOST),
            post(b"/v1/jobs?wait=60") * 5,
            GET,
        ) * 5:
            client = self.connect()
            client.sendall(data)
            opened.append(client)
        self.daemon.wait_waiters(10)
        self.daemon.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.daemon.process.wait(SECONDS), 0)
        for client in opened:
            client.close()
        self.daemon.start()
        self.assertIn(self.daemon.get("/v1/jobs/" + kept).json["state"],
                      ("queued", "running", "succeeded"))
        self.assertFalse(self.daemon.get("/v1/jobs/" + running).json["done"])
        self.assertEqual(self.daemon.get("/v1/jobs/" + big).json["rows"], 400001)
        self.daemon.request("POST", "/v1/jobs/%s/cancel" % running)


if __name__ == "__main__":
    unittest.main()
