"""Results: formats, selections, pages, event tables, entity tags, memory."""

import ast
import csv
import io
import json
import math
import struct
import unittest

from harness import WATCHED, Daemon, job  # first: it knows where deadline is

from deadline import deadline

CSV, NDJSON, NPY = "text/csv", "application/x-ndjson", "application/x-npy"


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.id = cls.daemon.finish(
            job(time={"end": 10, "samples": 101}, observe={"E": "energy()"})
        )["id"]

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def get(self, query="", accept=None, identifier=None):
        headers = {"Accept": accept} if accept else {}
        return self.daemon.get("/v1/jobs/%s/result%s" % (identifier or self.id, query), headers)

    def times(self, query):
        answer = self.get(query)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["series"]["t"]

    def test_the_formats_hold_the_same_numbers(self):
        result = self.get().json
        columns = result["columns"]
        series = [result["series"][name] for name in columns]
        rows = [list(row) for row in zip(*series)]
        lines = self.get(accept=NDJSON).body.decode().splitlines()
        self.assertEqual([[json.loads(line)[name] for name in columns] for line in lines], rows)
        answer = self.get(accept=CSV)
        self.assertTrue(answer.headers["content-type"].startswith("text/csv"))
        table = list(csv.reader(io.StringIO(answer.body.decode())))
        self.assertEqual(table[0], columns)
        self.assertEqual([[float(cell) for cell in row] for row in table[1:]], rows)

    def test_a_head_of_csv_is_not_changed(self):
        names = ["=1+1", "+x", "-x", "@x", "a,\"b\"", "=cmd|' /C calc'!A1"]
        found = self.daemon.finish(job(observe={name: "x" for name in names}))
        answer = self.get("?limit=1", CSV, found["id"])
        head = next(csv.reader(io.StringIO(answer.body.decode())))
        self.assertEqual(head[-len(names) :], names)

    def test_numpy_gets_a_structured_array(self):
        result = self.get().json
        for accept in (NPY, "application/vnd.numpy"):
            answer = self.get(accept=accept)
            self.assertEqual(answer.headers["content-type"], NPY)
            self.assertEqual(answer.body[:8], b"\x93NUMPY\x01\x00")
            (length,) = struct.unpack("<H", answer.body[8:10])
            self.assertEqual((10 + length) % 64, 0)
            header = ast.literal_eval(answer.body[10 : 10 + length].decode())
            self.assertEqual([name for name, _ in header["descr"]], result["columns"])
            self.assertEqual({kind for _, kind in header["descr"]}, {"<f8"})
            self.assertEqual(header["shape"], (101,))
            rows = list(struct.iter_unpack("<%dd" % len(result["columns"]),
                                           answer.body[10 + length :]))
            self.assertEqual(rows, list(zip(*(result["series"][name]
                                              for name in result["columns"]))))

    def test_points_keep_the_ends_and_what_stands_out(self):
        whole, few = self.get("?columns=t,x,E").json, self.get("?columns=t,x,E&points=10").json
        self.assertTrue(few["downsampled"])
        for name in ("t", "x", "E"):
            every, kept = whole["series"][name], few["series"][name]
            self.assertEqual(len(kept), 22)
            self.assertEqual((kept[0], kept[-1]), (every[0], every[-1]))
            self.assertEqual((min(kept), max(kept)), (min(every), max(every)))
            self.assertLessEqual(set(kept), set(every))
        self.assertEqual(few["series"]["t"], sorted(few["series"]["t"]))
        # as many as fit a plot come as they are, and times narrow first
        self.assertEqual(self.get("?columns=t,x,E&points=50").body, self.get("?columns=t,x,E").body)
        self.assertEqual(self.times("?points=2&from=2&to=4")[0], 2)
        self.assertEqual(len(self.get("?points=10", CSV).body.splitlines()), 23)
        for query in ("points=0", "points=100001", "points=x",
                      "points=9&stride=2", "points=9&limit=5"):
            answer = self.get("?" + query)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), query)

    def test_the_tail_is_the_end_of_what_is_selected(self):
        every = self.times("")
        for query, expected in (
            ("tail=5", every[-5:]),
            ("tail=1", every[-1:]),
            ("tail=101", every),
            ("tail=1000000", every),
            ("tail=3&stride=7", every[::7][-3:]),
            ("tail=4&to=5", [t for t in every if t <= 5][-4:]),
            ("tail=2&from=99", []),
        ):
            self.assertEqual(self.times("?" + query), expected, query)
        rows = self.get("?tail=3", CSV).body.splitlines()
        self.assertEqual(rows[1:], self.get("", CSV).body.splitlines()[-3:])
        self.assertEqual(self.get("?tail=3", NDJSON).body,
                         b"".join(self.get("", NDJSON).body.splitlines(True)[-3:]))
        whole, part = self.get("", NPY).body, self.get("?tail=3", NPY).body
        self.assertEqual(part[-3 * 4 * 8 :], whole[-3 * 4 * 8 :])
        # few points of the last rows
        few = self.get("?columns=t,x&tail=60&points=4").json
        self.assertEqual((len(few["series"]["t"]), few["series"]["t"][0]), (10, every[-60]))
        for query in ("tail=0", "tail=-1", "tail=x", "tail=2&limit=1", "tail=2&cursor=0"):
            answer = self.get("?" + query)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), query)

    def test_columns_select_in_the_order_of_the_request(self):
        result = self.get("?columns=dot(x),t").json
        self.assertEqual(result["columns"], ["dot(x)", "t"])
        self.assertEqual(set(result["series"]), {"dot(x)", "t"})

    def test_names_with_commas_are_selected_percent_encoded(self):
        names = {"a": "x", "b": "2*x", "a,b": "3*x", "f(x,y)": "4*x", "c,d": "5*x"}
        identifier = self.daemon.finish(observe=names)["id"]
        for query, columns in (
            ("a,b", ["a", "b"]),
            ("a%2Cb", ["a,b"]),
            ("b,a%2cb,t", ["b", "a,b", "t"]),
            ("t%2Cx", ["t", "x"]),
            ("t%2Ca%2Cb", ["t", "a,b"]),
            ("f(x,y),a", ["f(x,y)", "a"]),
            ("f%28x,y%29,a%2Cb", ["f(x,y)", "a,b"]),
            ("a,f%28x%2Cy%29,b", ["a", "f(x,y)", "b"]),
            ("c,d", ["c,d"]),
        ):
            answer = self.get("?columns=" + query, identifier=identifier)
            self.assertEqual(answer.json["columns"], columns, query)
        for query in ("a%2C", "%2Ca", "a,,b", "a%2Cb,", "a%2Cc", "a,b,a"):
            self.assertEqual(self.get("?columns=" + query, identifier=identifier).status,
                             400, query)

    def test_wrong_columns_are_named(self):
        answer = self.get("?columns=t,dot(y)")
        self.assertEqual(answer.status, 400)
        self.assertIn("dot(x)", answer.json["detail"])
        self.assertEqual(self.get("?columns=t,t").status, 400)
        self.assertEqual(self.get("?columns=").status, 400)

    def test_times_select_with_both_ends(self):
        every = self.times("")
        for low, high in ((1, 2), (0, 10), (1.05, 1.15), (3, 3), (-5, 0), (9.95, 99)):
            expected = [t for t in every if low <= t <= high]
            self.assertEqual(self.times("?from=%r&to=%r" % (low, high)), expected)
        self.assertEqual(self.times("?from=5&to=4"), [])
        self.assertEqual(self.times("?from=11"), [])
        self.assertEqual(self.times("?to=-1"), [])

    def test_times_of_a_backward_run_follow_its_direction(self):
        identifier = self.daemon.finish(job(time={"end": -10, "samples": 101}))["id"]
        every = self.get(identifier=identifier).json["series"]["t"]
        part = self.get("?from=-2&to=-3", identifier=identifier).json["series"]["t"]
        self.assertEqual(part, [t for t in every if -3 <= t <= -2])

    def test_a_stride_thins_out(self):
        every = self.times("")
        self.assertEqual(self.times("?stride=7"), every[::7])
        self.assertEqual(self.times("?stride=1000"), every[:1])
        self.assertEqual(self.times("?from=1&stride=3"), [t for t in every if t >= 1][::3])

    def test_pages_tile_the_rows(self):
        every, seen, path = self.times(""), [], "?limit=7&stride=2&columns=t"
        while path:
            answer = self.get(path)
            seen += answer.json["series"]["t"]
            cursor = answer.json.get("next")
            if cursor is None:
                self.assertNotIn("link", answer.headers)
                break
            link = answer.headers["link"]
            path = link[link.index("?") : link.index(">")]
            self.assertIn("cursor=" + cursor, path)
        self.assertEqual(seen, every[::2])

    def test_wrong_selections_are_refused(self):
        for query in ("stride=0", "limit=0", "cursor=-1", "from=x", "to=nan", "point=5", "table=a"):
            answer = self.get("?" + query)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad_parameter"), query)

    def test_an_unknown_type_is_not_acceptable(self):
        answer = self.get(accept="image/png")
        self.assertEqual(answer.status, 406)
        self.assertIn("application/x-ndjson, text/csv, ", answer.json["detail"])

    def test_the_best_accepted_type_is_taken(self):
        for accept, expected in (
            ("text/csv, */*;q=0.1", CSV),
            ("application/json;q=0.2, application/x-ndjson", NDJSON),
            ("text/*", CSV),
            ("*/*", "application/json"),
            ("text/csv;q=0, */*", "application/json"),
        ):
            answer = self.get(accept=accept)
            self.assertTrue(answer.headers["content-type"].startswith(expected), accept)

    def test_an_entity_tag_saves_the_transfer(self):
        first = self.get()
        tag = first.headers["etag"]
        again = self.daemon.get("/v1/jobs/%s/result" % self.id, {"If-None-Match": tag})
        self.assertEqual((again.status, again.body), (304, b""))
        self.assertEqual(again.headers["etag"], tag)
        self.assertNotEqual(self.get("?stride=2").headers["etag"], tag)
        self.assertNotEqual(self.get(accept=CSV).headers["etag"], tag)

    def test_head_has_the_headers_and_nothing_more(self):
        connection = self.daemon.connect()
        path = "/v1/jobs/%s/result" % self.id
        for _ in range(3):  # a stray byte would spoil the next answer on the same connection
            head = self.daemon.request("HEAD", path, connection=connection)
            self.assertEqual((head.status, head.body), (200, b""))
            self.assertIn("etag", head.headers)
            self.assertEqual(self.daemon.request("GET", path, connection=connection).status, 200)
        connection.close()

    def test_event_tables_have_the_same_columns(self):
        events = [
            {"name": "down", "when": "x", "direction": "falling"},
            {"name": "turn", "when": "dot(x)"},
        ]
        identifier = self.daemon.finish(job(time={"end": 5, "samples": 11}, events=events))["id"]
        self.assertEqual(self.daemon.get("/v1/jobs/" + identifier).json["tables"], ["down", "turn"])
        down = self.get("?table=down", identifier=identifier).json
        self.assertEqual(down["columns"][:3], ["t", "x", "dot(x)"])
        expected = [math.pi / 4 + k * math.pi for k in range(2)]
        self.assertEqual(len(down["series"]["t"]), 2)
        for found, t in zip(down["series"]["t"], expected):
            self.assertAlmostEqual(found, t, delta=1e-9)
        lines = self.get("?table=turn&columns=x", NDJSON, identifier).body.splitlines()
        for line in lines:
            self.assertAlmostEqual(abs(json.loads(line)["x"]), 1, delta=1e-9)
        part = self.get("?table=down&from=2", identifier=identifier).json
        self.assertEqual(part["series"]["t"], down["series"]["t"][1:])
        self.assertEqual(self.get("?table=up", identifier=identifier).status, 400)


class Running(unittest.TestCase):
    def test_the_tail_follows_a_run(self):
        daemon = Daemon("--workers", "1")
        try:
            found = daemon.post("/v1/jobs", job(time={"end": 1e6, "every": 0.5})).json
            path = "/v1/jobs/%s" % found["id"]
            seen = []
            for _ in deadline("three ends of a result that grows"):
                answer = daemon.get(path + "/result?tail=2").json
                times = answer["series"].get("t", [])
                self.assertFalse(answer["complete"])
                self.assertLessEqual(len(times), 2)
                if times and times[-1:] != seen[-1:]:
                    self.assertEqual([math.fmod(t, 0.5) for t in times], [0.0] * len(times))
                    seen.append(times[-1])
                if len(seen) == 3:
                    break
            self.assertEqual(seen, sorted(seen))
            daemon.request("POST", path + "/cancel")
        finally:
            daemon.close()


class Streaming(unittest.TestCase):
    @unittest.skipIf(WATCHED, "memory is that of the sanitizer")
    def test_a_million_samples_stream_in_bounded_memory(self):
        # a sanitizer would keep what is freed
        daemon = Daemon("--workers", "1", environment={"ASAN_OPTIONS": "quarantine_size_mb=1"})
        try:
            found = daemon.finish(job(time={"end": 1000, "samples": 1000001}))
            self.assertEqual(found["rows"], 1000001)
            before = daemon.memory()
            for accept in (CSV, "application/json", NDJSON):
                connection = daemon.connect()
                connection.request(
                    "GET", "/v1/jobs/%s/result" % found["id"], headers={"Accept": accept}
                )
                response = connection.getresponse()
                size, peak, count = 0, 0, 0
                while True:
                    piece = response.read(1 << 20)
                    if not piece:
                        break
                    size += len(piece)
                    count += 1
                    if count % 8 == 0:
                        peak = max(peak, daemon.memory())
                connection.close()
                self.assertGreater(size, 40 * 1000 * 1000)
                self.assertLess(peak - before, 64 * 1024 * 1024, accept)
        finally:
            daemon.close()

    def test_a_client_that_leaves_a_stream_does_no_harm(self):
        daemon = Daemon("--workers", "1")
        try:
            found = daemon.finish(job(time={"end": 100, "samples": 200001}))
            for _ in range(5):
                connection = daemon.connect()
                connection.request("GET", "/v1/jobs/%s/result" % found["id"])
                connection.getresponse().read(1000)
                connection.close()
            self.assertEqual(daemon.get("/livez").status, 200)
        finally:
            daemon.close()


if __name__ == "__main__":
    unittest.main()
