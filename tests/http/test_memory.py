"""Memory that clients can make the service take: large bodies, and downloads that nobody reads."""

import json
import select
import socket
import threading
import unittest

from harness import JSON, LEAN, SECONDS, Daemon, deadline, job

MIB = 1024 * 1024


def large_job(values):
    return json.dumps(job(time={"at": [k / values for k in range(values)]})).encode()


def begun(daemon, body, sent):
    """A connection that has sent so many bytes of its body."""
    connection = socket.create_connection(("127.0.0.1", daemon.port), SECONDS)
    head = ("POST /v1/jobs?validate_only=true HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            "application/json\r\n")
    connection.sendall((head + "Content-Length: %d\r\n\r\n" % len(body)).encode() + body[:sent])
    return connection


def answered(connection):
    return bool(select.select([connection], [], [], 0)[0])


class Bodies(unittest.TestCase):
    def daemon(self, *arguments):
        daemon = Daemon(*arguments, environment=LEAN)
        self.addCleanup(daemon.close)
        return daemon

    def test_many_names_or_values_are_refused_before_they_take_memory(self):
        daemon = self.daemon()
        for name, document in (
            ("json-names", {"parameters": {"p%d" % k: 1 for k in range(400000)}}),
            ("json-values", {"time": {"at": [1] * 1000000}}),
        ):
            before = daemon.peak_memory()
            answer = daemon.post("/v1/jobs", job(**document))
            self.assertEqual(answer.status, 422, answer)
            most = int(daemon.get("/v1/limits").json["limits"][name]["value"])
            self.assertIn("a document has at most %d" % most, answer.json["detail"])
            # the body, and once more while it grows; the names seen so far
            self.assertLess(daemon.peak_memory() - before, 40 * MIB)

    def test_large_bodies_take_turns_and_what_they_took_is_given_back(self):
        daemon = self.daemon("--request-memory", "40M")
        body = large_job(100000)
        before, answers = daemon.memory(), []

        def submit():
            for _ in deadline("a turn"):
                answer = daemon.post("/v1/jobs?validate_only=true", body)
                if answer.status != 503:
                    break
                self.assertIn("retry-after", answer.headers)
            answers.append(answer.status)

        threads = [threading.Thread(target=submit) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [200] * 8)
        self.assertLess(daemon.peak_memory() - before, (40 + 48) * MIB)
        self.assertLess(daemon.memory() - before, 24 * MIB)

    def test_small_requests_are_served_while_large_ones_have_all_the_memory(self):
        daemon = self.daemon("--request-memory", "1M")
        body = large_job(100000)
        # of two that arrive side by side either, or both, may be told to come again
        for _ in deadline("a large body to have its turn"):
            connection = begun(daemon, body, len(body) - 1)
            for _ in deadline("the large body to have arrived"):
                answer = daemon.post("/v1/jobs?validate_only=true", body)
                if answer.status == 503 or answered(connection):
                    break
            if answer.status != 503:
                connection.close()
                continue
            self.assertEqual(answer.json["code"], "overloaded")
            self.assertIn("retry-after", answer.headers)
            self.assertEqual(daemon.post("/v1/jobs", job()).status, 202)
            # alone, it has its turn whatever its size; and so has the next one
            connection.sendall(body[-1:])
            status = connection.recv(64)[:13]
            connection.close()
            if status == b"HTTP/1.1 200 ":
                break
        for _ in deadline("room"):
            if daemon.post("/v1/jobs?validate_only=true", body).status == 200:
                break

    def test_a_request_that_waits_keeps_no_memory_of_its_body(self):
        daemon = self.daemon("--workers", "2", "--request-memory", "1M", "--max-waiters", "50")
        daemon.submit(job(time={"end": 1e7, "samples": 11}, integrator={"max_steps": 900000000}))
        daemon.submit(job(time={"end": 1e7, "samples": 11}, integrator={"max_steps": 900000000}))
        body, waiting = large_job(100000), []
        for count in range(1, 5):
            connection = daemon.connect()
            connection.request("POST", "/v1/jobs?wait=60", body, JSON)
            waiting.append(connection)
            daemon.wait_waiters(count)
        for connection in waiting:
            connection.close()


class Readers(unittest.TestCase):
    def test_those_who_do_not_read_keep_little(self):
        daemon = Daemon("--download-memory", "8M", "--write-timeout", "600", environment=LEAN)
        self.addCleanup(daemon.close)
        found = daemon.finish(job(time={"end": 100, "samples": 400001}))
        path, readers = found["links"]["result"], 100
        before = daemon.memory()
        for accept in ("application/json", "text/csv", "application/x-ndjson"):
            connections = []
            for _ in range(readers):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", daemon.port))
                connections.append(connection)
                head = "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n" % (path, accept)
                connection.sendall(head.encode())
            for connection in connections:
                self.assertTrue(connection.recv(16).startswith(b"HTTP/1.1 200"))
            # of each: the least to read ahead, what is written of it, libmicrohttpd's buffers
            self.assertLess(daemon.peak_memory() - before, (8 + 48) * MIB + readers * MIB // 2)
            for connection in connections:
                connection.close()
        self.assertEqual(len(daemon.get(path).json["series"]["x"]), 400001)


if __name__ == "__main__":
    unittest.main()
