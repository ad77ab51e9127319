"""What takes long to derive: on threads of its own, within a time, and bounded."""

import json
import re
import socket
import threading
import unittest

from harness import SECONDS, Daemon, deadline, job


def chain(n):
    """n pendulums in a row under n - 2 constraints: Hamel's equations of many take seconds to
    derive."""
    names = ["q%d" % i for i in range(n)]
    terms = ["dot(%s)^2/2 + cos(%s)" % (name, name) for name in names]
    for a, b in zip(names, names[1:]):
        terms.append("cos(%s - %s)*dot(%s)*dot(%s)/4" % (a, b, a, b))
    constraints = [
        "dot(%s)*cos(%s) = dot(%s)*sin(%s)" % (names[i], names[i + 1], names[i + 1], names[i + 2])
        for i in range(n - 2)
    ]
    return {"coordinates": names, "lagrangian": " + ".join(terms), "constraints": constraints}


class Computing(unittest.TestCase):
    SIZE = 16

    def daemon(self, *arguments):
        daemon = Daemon("--request-threads", "1", "--workers", "1", *arguments)
        self.addCleanup(daemon.close)
        return daemon

    def computations(self, daemon):
        found = re.search(r"^dalembert_computations (\d+)$",
                          daemon.get("/metrics").body.decode(), re.M)
        return int(found.group(1))

    def ask(self, daemon, path):
        """A request whose answer nobody waits for yet."""
        connection = socket.create_connection(("127.0.0.1", daemon.port), SECONDS)
        connection.sendall(("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path).encode())
        self.addCleanup(connection.close)
        return connection

    def model(self, daemon, size):
        """The id of a stored model, asked for until it is there."""
        for _ in deadline("the model to be there"):
            answer = daemon.post("/v1/models", chain(size))
            if answer.status in (200, 201):
                return answer.json["id"]
            self.assertEqual(answer.status, 503, answer)

    def equations(self, daemon):
        return "/v1/models/%s/equations?formulation=hamel" % self.model(daemon, self.SIZE)

    def test_other_requests_do_not_wait_for_a_derivation(self):
        daemon = self.daemon("--compute-threads", "1")
        path = self.equations(daemon)
        daemon.finish()
        connection = self.ask(daemon, path)
        for _ in deadline("the derivation to begin"):
            if self.computations(daemon) == 1:
                break
        # the only thread that answers requests goes on: a model that is known is submitted and run
        self.assertEqual(daemon.finish()["state"], "succeeded")
        self.assertEqual(daemon.get("/readyz").status, 200)
        self.assertEqual(self.computations(daemon), 1, "the derivation was over too soon to tell")
        self.assertIn(b"HTTP/1.1 200", connection.recv(4096))

    def test_long_lists_are_prepared_where_nobody_waits(self):
        daemon = self.daemon("--compute-timeout", "0.01")
        conditions = [["sin(%d.5*x) < 0" % k, k] for k in range(1000)]
        labels = {"r%d" % k: {"take": "label", "when": conditions} for k in range(20)}
        ensemble = {"vary": {"initial.q.x": [1, 2]}, "ensemble": {"reduce": labels}}
        for _ in deadline("the model to be known"):
            if daemon.post("/v1/jobs", job()).status == 202:
                break
        self.assertEqual(daemon.post("/v1/jobs", job()).status, 202)
        for path in ("/v1/jobs", "/v1/jobs?validate_only=true"):
            answer = daemon.post(path, job(**ensemble))
            self.assertEqual((answer.status, answer.json["code"]), (503, "computing"))

    def test_what_takes_too_long_is_answered_and_goes_on(self):
        daemon = self.daemon("--compute-timeout", "0.1")
        path = "/v1/models/%s/equations?formulation=hamel" % self.model(daemon, self.SIZE)
        first = daemon.get(path)
        self.assertEqual((first.status, first.json["code"]), (503, "computing"))
        self.assertGreater(int(first.headers["retry-after"]), 0)
        for _ in deadline("the equations to be derived"):
            if daemon.get(path).status == 200:
                break

    def test_more_than_may_wait_are_told_to_come_later(self):
        daemon = self.daemon("--compute-threads", "1", "--max-computations", "2")
        path = self.equations(daemon)
        daemon.finish()
        asked = [self.ask(daemon, path + "&format=" + name) for name in ("text", "c")]
        for _ in deadline("both to be there"):
            if self.computations(daemon) == 2:
                break
        answer = daemon.get(path)
        self.assertEqual((answer.status, answer.json["code"]), (503, "computing"))
        self.assertIn("retry-after", answer.headers)
        refused = daemon.post("/v1/jobs", job(model=chain(2), initial={}))
        self.assertEqual(refused.status, 503)
        daemon.submit()  # of a model that is known
        for connection in asked:
            self.assertIn(b"HTTP/1.1 200", connection.recv(4096))

    def test_a_submission_that_is_put_off_is_not_stored(self):
        daemon = self.daemon("--compute-timeout", "0.01")
        identifier = self.model(daemon, self.SIZE)
        for name in ("text", "c", "latex"):  # keeps the threads busy
            self.ask(daemon, "/v1/models/%s/equations?formulation=hamel&format=%s"
                     % (identifier, name))
        accepted = refused = 0
        for _ in deadline("a submission that is put off, and one that is not"):
            model = dict(chain(4), parameters={"p": accepted + refused})
            answer = daemon.post("/v1/jobs", job(model=model, initial={}))
            self.assertIn(answer.status, (202, 503))
            accepted += answer.status == 202
            refused += answer.status == 503
            if accepted and refused >= 10:
                break
        for _ in deadline("the end of the computations"):
            if self.computations(daemon) == 0:
                break
        stored = daemon.get("/v1/jobs?limit=500").json["jobs"]
        self.assertEqual(len(stored), accepted, "%d were put off" % refused)

    def test_clients_that_leave_or_send_no_more_do_no_harm(self):
        daemon = self.daemon("--compute-threads", "1")
        path = self.equations(daemon)
        self.ask(daemon, path).close()
        staying = self.ask(daemon, path)
        staying.shutdown(socket.SHUT_WR)
        self.assertIn(b"HTTP/1.1 200", staying.recv(4096))
        for _ in deadline("the end of the computations"):
            if self.computations(daemon) == 0:
                break

    def test_a_stop_answers_those_who_wait_for_a_computation(self):
        daemon = self.daemon("--compute-threads", "1")
        path = self.equations(daemon)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(daemon.get(path)))
                   for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in deadline("all to wait"):
            if self.computations(daemon) == 3:
                break
        self.assertEqual(daemon.terminate(), 0)
        for thread in threads:
            thread.join()
        for answer in answers:
            self.assertEqual((answer.status, answer.json["code"]), (503, "shutting_down"))

    def test_a_submission_that_waits_for_its_job_is_answered_once(self):
        daemon = self.daemon()
        body = job(model=chain(4), initial={"q": {"q0": 0.1}})
        answer = daemon.post("/v1/jobs?wait=60", body, {"Prefer": "wait=60"})
        self.assertEqual((answer.status, answer.json["state"]), (200, "succeeded"), answer)
        self.assertEqual(answer.headers["preference-applied"], "wait=60")
        again = daemon.post("/v1/jobs?wait=60", json.loads(json.dumps(body)))
        self.assertEqual(again.json["provenance"]["result_hash"],
                         answer.json["provenance"]["result_hash"])


if __name__ == "__main__":
    unittest.main()
