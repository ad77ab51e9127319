"""Many connections and waiters at once: no wake-up is lost. MANY=10 is the size of check-long."""

import os
import resource
import socket
import unittest

from harness import Daemon, long_job

MANY = int(os.environ.get("MANY", "1"))
CONNECTIONS, WAITERS = 1000 * MANY, 500 * MANY


class Many(unittest.TestCase):
    def setUp(self):
        need = CONNECTIONS + 512
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < need:
            raise unittest.SkipTest("needs %d descriptors, there are %d" % (need, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, need), hard))
        self.daemon = Daemon("--workers", "1", "--max-wait", "3600", "--request-timeout", "3600",
                             "--max-connections", str(CONNECTIONS + 8),
                             "--max-waiters", str(WAITERS))
        self.held = []

    def tearDown(self):
        for connection in self.held:
            connection.close()
        self.daemon.close()

    def open(self, count):
        opened = []
        for _ in range(count):
            opened.append(socket.create_connection(("127.0.0.1", self.daemon.port)))
        self.held += opened
        return opened

    def wait_on(self, connections, identifier):
        for connection in connections:
            connection.sendall(b"GET /v1/jobs/%s?wait=3600 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                               % identifier.encode())
        self.daemon.wait_waiters(len(connections))

    def answers(self, connections):
        """Of each its whole first answer."""
        for connection in connections:
            received = b""
            while b'"links"' not in received:
                piece = connection.recv(65536)
                self.assertTrue(piece, received)
                received += piece
            yield received

    def test_every_waiter_among_many_connections_is_woken(self):
        idle = self.open(CONNECTIONS - WAITERS)
        waiting = self.open(WAITERS)
        for round in range(3):
            identifier = self.daemon.submit(long_job())
            self.daemon.wait_running(identifier)
            self.wait_on(waiting, identifier)
            # the idle ones can be used meanwhile, and those beyond the waiters' limit are told so
            for connection in idle[round::50]:
                connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"))
            self.assertEqual(self.daemon.get("/v1/jobs/%s?wait=1" % identifier).status, 503)
            self.daemon.request("POST", "/v1/jobs/%s/cancel" % identifier)
            for received in self.answers(waiting):
                self.assertTrue(received.startswith(b"HTTP/1.1 200"), received)
            self.daemon.wait_done(identifier)
            self.daemon.wait_waiters(0)

    def test_a_drain_answers_all_waiters(self):
        waiting = self.open(min(WAITERS, 1000))
        identifier = self.daemon.submit(long_job())
        self.daemon.wait_running(identifier)
        self.wait_on(waiting, identifier)
        self.assertEqual(self.daemon.terminate(), 0)
        for received in self.answers(waiting):
            self.assertTrue(received.startswith(b"HTTP/1.1 200"), received)


if __name__ == "__main__":
    unittest.main()
