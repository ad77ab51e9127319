"""The messages of the service to systemd, received by a socket of the test."""

import os
import socket
import tempfile
import unittest

from harness import Daemon, deadline


class Notify(unittest.TestCase):
    def messages(self, name, address, more=None):
        """Starts and stops a service, and returns what it sent before and after the stop."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            receiver.setblocking(False)
            receiver.bind(address)
            daemon = Daemon(environment=dict(more or {}, NOTIFY_SOCKET=name))
            self.addCleanup(daemon.close)
            first = self.received(receiver)
            self.assertEqual(daemon.get("/readyz").status, 200)
            self.assertEqual(daemon.terminate(), 0)
            return first, self.received(receiver)

    def received(self, receiver):
        for _ in deadline("a message"):
            try:
                return receiver.recv(100)
            except BlockingIOError:
                pass

    def test_a_service_says_that_it_serves_and_that_it_stops(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "notify")
            self.assertEqual(self.messages(path, path), (b"READY=1", b"STOPPING=1"))

    def test_the_socket_may_be_abstract(self):
        name = "dalembert-test-%d" % os.getpid()
        self.assertEqual(self.messages("@" + name, "\0" + name), (b"READY=1", b"STOPPING=1"))

    def test_the_watchdog_is_fed_while_the_disk_answers(self):
        with tempfile.TemporaryDirectory() as folder, \
                socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
            path = os.path.join(folder, "notify")
            receiver.setblocking(False)
            receiver.bind(path)
            daemon = Daemon(environment={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "60000000"})
            self.addCleanup(daemon.close)
            self.assertEqual([self.received(receiver) for _ in range(3)],
                             [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"])
            daemon.close()
        with tempfile.TemporaryDirectory() as folder:  # for another process: it is not fed
            path = os.path.join(folder, "notify")
            environment = {"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}
            self.assertEqual(self.messages(path, path, environment), (b"READY=1", b"STOPPING=1"))

    def test_a_socket_without_a_reader_stops_nothing(self):
        for path in ("/nonexistent/notify", "x" * 200):
            daemon = Daemon(environment={"NOTIFY_SOCKET": path})
            self.assertEqual(daemon.get("/readyz").status, 200)
            self.assertEqual(daemon.terminate(), 0)


if __name__ == "__main__":
    unittest.main()
