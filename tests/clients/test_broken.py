"""The Python client against services, and proxies before them, that are busy or broken."""

import gzip
import json
import os
import tempfile
import unittest
from unittest import mock

from common import flat, settings  # first: it says where the others are
from stub import Stub, answer, chunked, event, npy, stream

import dalembert
from dalembert import table, transport
from harness import job

JOB = {"id": "j1", "state": "queued", "done": False, "revision": 1}
DONE = dict(JOB, state="succeeded", done=True, revision=9)
LIMITS = {"limits": {"max-wait": {"value": 60}}}


class Broken(unittest.TestCase):
    """What a service, or a proxy before it, may do."""

    def stub(self, *answers, **options):
        stub = Stub(*answers)
        self.addCleanup(lambda: self.assertTrue(stub.close(), "not all was asked for"))
        client = dalembert.Client(stub.url, **{"longest_pause": 0.01, **options})
        self.addCleanup(client.close)
        return stub, client

    def pauses(self):
        """How long it would have paused."""
        found = []
        patch = mock.patch.object(transport.time, "sleep", found.append)
        patch.start()
        self.addCleanup(patch.stop)
        return found

    def test_who_is_busy_is_asked_later_with_the_same_key(self):
        pauses = self.pauses()
        date = "Wed, 21 Oct 2015 07:28:00 GMT"
        stub, client = self.stub(
            answer(503, {"code": "queue_full"}, [("Retry-After", "7")]),
            answer(429, {"code": "quota"}, [("Retry-After", "0")]),
            answer(503, {"code": "queue_full"}, [("Retry-After", date)]),
            answer(502, b"<html>", kind="text/html"), b"", answer(202, JOB), longest_pause=10)
        self.assertEqual(client.submit(job()).id, "j1")
        self.assertEqual(pauses[:3], [7, 0, 0])
        self.assertTrue(all(0 < pause <= 10 for pause in pauses[3:]))
        self.assertEqual(len({request.headers["idempotency-key"] for request in stub.requests}), 1)
        self.assertEqual(len({request.body for request in stub.requests}), 1)

    def test_who_stays_busy_is_told(self):
        self.pauses()
        _, client = self.stub(*3 * [answer(503, {"code": "queue_full", "title": "Full"},
                                           [("Retry-After", "1")])], retries=2, longest_pause=5)
        with self.assertRaises(dalembert.Busy) as caught:
            client.submit(job())
        self.assertEqual((caught.exception.code, caught.exception.retry_after), ("queue_full", 1))

    def test_who_is_busy_for_too_long_is_told_at_once(self):
        _, client = self.stub(answer(503, {}, [("Retry-After", "3600")]))
        with self.assertRaises(dalembert.Busy):
            client.submit(job())

    def test_what_is_refused_is_not_asked_again(self):
        for status in (301, 400, 401, 403, 405, 409, 413, 422, 500, 507):
            _, client = self.stub(answer(status, b"no", kind="text/plain"))
            with self.assertRaises(dalembert.Problem) as caught:
                client.submit(job())
            self.assertEqual((caught.exception.status, caught.exception.detail), (status, "no"))

    def test_refusals_that_make_no_sense_are_told_as_they_are(self):
        for body in ([], {"errors": 3, "more_errors": "x"},
                     {"errors": [1, {"pointer": 2, "offset": "a", "hint": {}}]}):
            _, client = self.stub(answer(422, body))
            with self.assertRaises(dalembert.Problem) as caught:
                client.submit(job())
            self.assertEqual(caught.exception.status, 422)

    def test_ready_asks_once(self):
        _, client = self.stub(answer(503, {}), answer(500, {}))
        self.assertFalse(client.ready())
        with self.assertRaises(dalembert.Problem):
            client.ready()

    def test_the_key_is_sent_and_not_shown(self):
        stub, client = self.stub(answer(401, {"title": "Who are you?"}), key="secret")
        with self.assertRaises(dalembert.Problem) as caught:
            client.queue()
        self.assertEqual(stub.requests[0].headers["authorization"], "Bearer secret")
        self.assertNotIn("secret", repr(client) + repr(caught.exception))

    def test_an_address_may_have_a_path(self):
        stub = Stub(answer(200, {"service": "x"}))
        client = dalembert.Client(stub.url + "/sim/")
        client.about()
        client.close()
        self.assertEqual(stub.requests[0].path, "/sim/")
        stub.close()

    def test_answers_that_make_no_sense_are_told(self):
        calls = [
            (b'{"id": "j1"', lambda client: client.submit(job())),
            (b"[]", lambda client: client.submit(job())),
            (b'{"id": "j1"}', lambda client: client.job("j1")),
            (b'{"x": 1}', lambda client: list(client.jobs())),
            (b"null", lambda client: client.limits()),
        ]
        for body, call in calls:
            _, client = self.stub(answer(200, body))
            with self.subTest(body=body), self.assertRaises(dalembert.BadAnswer):
                call(client)

    def test_results_that_make_no_sense_are_told(self):
        about = answer(200, {"complete": True})
        for body in (b"", b"hello, world", npy([1.0])[:20],
                     npy([1.0, 2.0], 3), npy([1.0], formats="<f8").replace(b"<f8", b"<i4")):
            _, client = self.stub(about, answer(200, body, kind="application/x-npy"), about,
                                  answer(200, body, kind="application/x-npy"))
            found = dalembert.Job(client, DONE)
            with self.subTest(body=body), self.assertRaises(dalembert.BadAnswer):
                found.result()
            with self.subTest(body=body), self.assertRaises(dalembert.BadAnswer):
                list(found.rows())
        for body in (b"{}", b"[]", b'{"columns":["a"],"series":{"a":["x"]}}',
                     b'{"columns":["a"],"series":{}}'):
            with self.subTest(body=body), self.assertRaises(dalembert.BadAnswer):
                table.read_json_table(body)

    def test_the_other_order_of_bytes_is_read(self):
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                for formats in ("<f8", ">f8"):
                    found = table.NpyReader([npy([1.5, -2.0], formats=formats)]).table({})
                    self.assertEqual(list(found["t"]), [1.5, -2.0])

    def test_headers_torn_anywhere_are_read(self):
        whole = npy([1.5, -2.0, 0.25])
        for size in (1, 3, 7):
            pieces = [whole[k:k + size] for k in range(0, len(whole), size)]
            found = [flat(block["t"]) for block in table.NpyReader(pieces).blocks(2, {})]
            self.assertEqual(found, [[1.5, -2.0], [0.25]])

    def test_an_answer_that_is_cut_is_asked_for_again(self):
        self.pauses()
        whole = answer(200, DONE)
        packed = gzip.compress(json.dumps(DONE).encode())
        zipped = answer(200, packed, [("Content-Encoding", "gzip")])
        stub, client = self.stub(
            whole[:-10], chunked(json.dumps(DONE).encode()[:20], False, "application/json"),
            zipped[:-4],
            answer(200, packed[:-9], [("Content-Encoding", "gzip")]),
            answer(200, b"not packed", [("Content-Encoding", "gzip")]), zipped)
        self.assertEqual(client.job("j1").state, "succeeded")
        self.assertEqual(len(stub.requests), 6)

    def test_rows_that_are_cut_are_told(self):
        self.pauses()
        body = npy([float(k) for k in range(100)])
        about = answer(200, {"complete": True})
        for cut in (chunked(body[:-80], False), answer(200, body)[:-80], chunked(body[:-80])):
            _, client = self.stub(about, cut)
            rows, seen = dalembert.Job(client, DONE).rows(rows=10), []
            with self.assertRaises(dalembert.DalembertError):
                for row in rows:
                    seen.append(row["t"])
            self.assertEqual(seen, [float(k) for k in range(90)])
        with tempfile.TemporaryDirectory() as folder:
            _, client = self.stub(chunked(b"t\r\n1\r\n", False, "text/csv"))
            with self.assertRaises(dalembert.Unreachable):
                dalembert.Job(client, DONE).download(os.path.join(folder, "a.csv"))
            self.assertEqual(os.listdir(folder), [])

    def test_a_stream_goes_on_where_it_was_cut(self):
        pauses = self.pauses()
        running = dict(JOB, state="running", revision=5)
        stub, client = self.stub(
            stream("retry: 20\n\n", ": hello\n\n", "data: 1\n\n", event("news", 1),
                   event("state", JOB, 1), event("state", running, 5), 'event: done\ndata: {"id"'),
            chunked(event("progress", running).encode(), False, "text/event-stream"),
            b"",
            answer(503, {}),
            stream(event("done", DONE, 9)))
        found = dalembert.Job(client, JOB)
        self.assertEqual([one.kind for one in found.follow()],
                         ["state", "state", "progress", "done"])
        self.assertEqual([request.headers.get("last-event-id") for request in stub.requests],
                         [None, "5", "5", "5", "5"])
        self.assertEqual(pauses[0], 0.02)
        self.assertEqual(found.data, DONE)

    def test_an_end_that_was_told_is_told(self):
        self.pauses()
        stub, client = self.stub(
            stream(event("state", dict(JOB, state="running"), 5)),
            b"HTTP/1.1 204 No Content\r\n\r\n", answer(200, DONE))
        self.assertEqual([one.kind for one in dalembert.Job(client, JOB).follow()],
                         ["state", "done"])
        self.assertEqual(stub.requests[1].headers["last-event-id"], "5")

    def test_a_job_deleted_elsewhere_ends_the_wait(self):
        _, client = self.stub(stream(event("deleted", {"id": "j1"})),
                              answer(404, {"code": "not_found"}))
        with self.assertRaises(dalembert.NotFound):
            dalembert.Job(client, JOB).wait(progress=lambda job: None)
        _, client = self.stub(stream(event("deleted", {"id": "j1"})))
        self.assertEqual([one.kind for one in dalembert.Job(client, JOB).follow()], ["deleted"])

    def test_events_without_a_job_are_told(self):
        for data in ("nonsense", "[]"):
            _, client = self.stub(stream("event: state\ndata: %s\n\n" % data))
            with self.assertRaises(dalembert.BadAnswer):
                list(dalembert.Job(client, JOB).follow())

    def test_what_may_have_been_done_is_done(self):
        self.pauses()
        _, client = self.stub(b"", answer(404, {"code": "not_found"}),
                              answer(404, {"code": "not_found"}))
        dalembert.Job(client, DONE).delete()
        with self.assertRaises(dalembert.NotFound):
            dalembert.Job(client, DONE).delete()
        _, client = self.stub(b"", answer(404, {"code": "not_found"}))
        client.delete_model("m")

    def test_a_service_that_does_not_wait_is_not_pressed(self):
        pauses = self.pauses()
        _, client = self.stub(answer(200, LIMITS), *5 * [answer(200, JOB)], answer(200, DONE))
        dalembert.Job(client, JOB).wait()
        self.assertEqual((len(pauses), pauses), (5, sorted(pauses)))

    def test_rows_are_chosen_as_is_said(self):
        about, rows = answer(200, {"complete": True}), answer(200, npy([1.0]),
                                                              kind="application/x-npy")
        stub, client = self.stub(about, rows, about, rows, about, rows)
        found = dalembert.Job(client, DONE)
        found.result("t", tail=5)
        found.observe({"v": "x"}, ["a,b"], tail=5, table="e")
        found.member_result(3, stride=2, tail=5)
        self.assertEqual([(request.method, request.path) for request in stub.requests], [
            ("GET", "/v1/jobs/j1/result?columns=t&limit=1"),
            ("GET", "/v1/jobs/j1/result?columns=t&tail=5"),
            ("POST", "/v1/jobs/j1/columns?columns=a%2Cb&table=e&limit=1"),
            ("POST", "/v1/jobs/j1/columns?columns=a%2Cb&table=e&tail=5"),
            ("GET", "/v1/jobs/j1/members/3/result?stride=2&limit=1"),
            ("GET", "/v1/jobs/j1/members/3/result?stride=2&tail=5")])
        self.assertEqual(json.loads(stub.requests[3].body), {"observe": {"v": "x"}})

    def test_old_changes_are_forgotten(self):
        stub, client = self.stub(
            answer(200, LIMITS),
            answer(200, {"jobs": [], "next": None, "revision": 70, "reset": True, "deleted": []}),
            answer(200, {"jobs": [DONE], "next": None, "revision": 70, "deleted": ["j0"]}))
        feed = client.changes(3)
        self.assertEqual(next(feed)[1:], ([], 0, True))
        page = next(feed)
        self.assertEqual(([one.id for one in page.jobs], page[1:]), (["j1"], (["j0"], 70, False)))
        self.assertIn("since=0", stub.requests[2].path)


if __name__ == "__main__":
    unittest.main()
