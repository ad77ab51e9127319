"""Packed bodies and packed answers: the same documents in fewer bytes."""

import gzip
import json
import os
import unittest
import zlib

from harness import JSON, Daemon, DaemonCase, job

GZIP = {"Content-Encoding": "gzip"}
TAKES = {"Accept-Encoding": "gzip"}


class Bodies(DaemonCase):
    def post(self, packed, headers=None, path="/v1/jobs"):
        return self.daemon.request("POST", path, packed, dict(JSON, **(headers or GZIP)))

    def test_a_packed_document_is_the_document(self):
        plain = json.dumps(job(labels={"packed": "yes"})).encode()
        answer = self.post(gzip.compress(plain))
        self.assertEqual(answer.status, 202, answer)
        self.assertEqual(self.daemon.get(answer.json["links"]["request"]).body, plain)
        for coding in ("x-gzip", "GZip"):
            self.assertEqual(self.post(gzip.compress(plain), {"Content-Encoding": coding}).status,
                             202)
        half = len(plain) // 2
        parts = gzip.compress(plain[:half], 0) + gzip.compress(plain[half:])
        self.assertEqual(self.post(parts).status, 202)
        self.assertEqual(self.post(plain, {"Content-Encoding": "identity"}).status, 202)

    def test_a_key_knows_the_document_packed_or_not(self):
        plain = json.dumps(job()).encode()
        first = self.post(gzip.compress(plain), dict(GZIP, **{"Idempotency-Key": "packed"}))
        again = self.post(plain, {"Idempotency-Key": "packed"})
        self.assertEqual((first.json["id"], again.headers["idempotency-replayed"]),
                         (again.json["id"], "true"))

    def test_what_is_no_gzip_is_refused(self):
        plain = json.dumps(job()).encode()
        packed = gzip.compress(plain)
        flipped = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
        for body in (plain, packed[:-1], packed[:20], packed + b"more",
                     flipped, zlib.compress(plain), b"\x1f"):
            with self.subTest(body=body[:20]):
                answer = self.post(body)
                self.assertEqual((answer.status, answer.json["code"]), (400, "not_json"), answer)
                self.assertIn("gzip", answer.json["detail"])
        self.assertEqual(self.post(b"").status, 400)

    def test_every_length_cut_off_is_refused(self):
        packed = gzip.compress(json.dumps(job()).encode())
        for length in range(1, len(packed)):
            self.assertEqual(self.post(packed[:length], path="/v1/jobs?validate_only=true").status,
                             400)

    def test_other_codings_are_not_known(self):
        for coding in ("br", "deflate", "zstd", "gzip, gzip", "identity, gzip", ""):
            with self.subTest(coding=coding):
                answer = self.post(b"{}", {"Content-Encoding": coding})
                self.assertEqual((answer.status, answer.headers["accept-encoding"]),
                                 (415, "gzip"), answer)
        body = gzip.compress(b"{}")
        twice = self.daemon.raw(
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                b"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nConnection: "
                                b"close\r\n"
                                b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.assertTrue(twice.startswith(b"HTTP/1.1 415"), twice[:100])


class Bombs(unittest.TestCase):
    def test_a_body_is_expanded_up_to_the_limit(self):
        daemon = Daemon("--max-body", "64K")
        try:
            plain = json.dumps(job()).encode()
            room = 65536 - len(plain)
            for more, status in ((room, 202), (room + 1, 413)):
                answer = daemon.request("POST", "/v1/jobs",
                                        gzip.compress(plain + b" " * more), dict(JSON, **GZIP))
                self.assertEqual(answer.status, status, answer)
            bomb = gzip.compress(b" " * (1 << 25))  # 32 MiB of nothing
            self.assertLess(len(bomb), 65536)
            before = daemon.peak_memory()
            self.assertEqual(daemon.request("POST", "/v1/jobs", bomb, dict(JSON, **GZIP)).status,
                             413)
            self.assertLess(daemon.peak_memory() - before, 1 << 23)
        finally:
            daemon.close()


class Answers(DaemonCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = cls.daemon.finish(time={"end": 20, "samples": 20001})["links"]["result"]

    def test_results_are_the_same_packed(self):
        for kind in ("application/json", "application/x-ndjson", "text/csv"):
            with self.subTest(kind=kind):
                plain = self.daemon.get(self.result, {"Accept": kind})
                packed = self.daemon.get(self.result, dict(TAKES, Accept=kind))
                self.assertNotIn("content-encoding", plain.headers)
                self.assertEqual(packed.headers["content-encoding"], "gzip")
                self.assertEqual(gzip.decompress(packed.body), plain.body)
                self.assertLess(len(packed.body), 0.6 * len(plain.body))
                for answer in (plain, packed):
                    self.assertIn("Accept-Encoding", answer.headers["vary"])

    def test_packed_and_plain_have_tags_of_their_own(self):
        tags = {}
        for name, headers in (("plain", {}), ("packed", TAKES)):
            answer = self.daemon.get(self.result, headers)
            tags[name] = answer.headers["etag"]
            again = self.daemon.get(self.result, dict(headers, **{"If-None-Match": tags[name]}))
            self.assertEqual((again.status, again.body), (304, b""))
            self.assertIn("Accept-Encoding", again.headers["vary"])
        self.assertNotEqual(tags["plain"], tags["packed"])
        self.assertEqual(self.daemon.get(self.result, {"If-None-Match": tags["packed"]}).status,
                         200)

    def test_the_same_bytes_every_time(self):
        self.assertEqual(len({self.daemon.get(self.result, TAKES).body for _ in range(3)}), 1)

    def test_arrays_and_short_answers_are_not_packed(self):
        for path, accept in ((self.result, "application/x-npy"), ("/livez", "*/*")):
            answer = self.daemon.get(path, dict(TAKES, Accept=accept))
            self.assertEqual(answer.status, 200)
            self.assertNotIn("content-encoding", answer.headers)

    def test_what_the_client_likes_better(self):
        path = "/v1/catalog"
        plain = self.daemon.get(path).body
        for accept, packed in (("gzip", True), ("*", True),
                               ("gzip;q=0", False), ("identity", False), ("br", False),
                               ("gzip;q=0.5, identity;q=0.8", False),
                               ("gzip;q=0.8, identity;q=0.5", True),
                               ("br, gzip", True), ("*;q=0", False),
                               ("*, gzip;q=0", False), ("", False),
                               ("deflate, gzip;q=1.0, *;q=0.5", True), (";;;,,q=", False)):
            with self.subTest(accept=accept):
                answer = self.daemon.get(path, {"Accept-Encoding": accept})
                self.assertEqual("content-encoding" in answer.headers, packed)
                self.assertEqual(gzip.decompress(answer.body) if packed else answer.body, plain)

    def test_a_document_that_was_submitted_comes_back_byte_for_byte(self):
        document = json.dumps(job(labels={str(k): os.urandom(50).hex()
                                          for k in range(30)})).encode()
        found = self.daemon.request("POST", "/v1/jobs", document, JSON).json
        packed = self.daemon.get(found["links"]["request"], TAKES)
        self.assertEqual(packed.headers["content-encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed.body), document)

    def test_a_head_is_that_of_its_get(self):
        for path in ("/v1/catalog", self.result):
            connection = self.daemon.connect()
            connection.request("HEAD", path, headers=TAKES)
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.getheader("Content-Encoding"), answer.read()),
                             (200, "gzip", b""))
            connection.close()


if __name__ == "__main__":
    unittest.main()
