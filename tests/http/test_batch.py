"""Batches of jobs, all or none; cancelling and deleting many at once; several labels in one
query."""

import json
import unittest

from harness import Daemon, DaemonCase, job, long_job


def points(answer):
    return [mistake["pointer"] for mistake in answer.json["errors"]]


class Batch(DaemonCase):
    def batch(self, jobs, headers=None):
        return self.daemon.post("/v1/jobs:batch", {"jobs": jobs}, headers)

    def count(self):
        return len(self.daemon.get("/v1/jobs?limit=500").json["jobs"])

    def test_jobs_are_accepted_in_order_and_run(self):
        jobs = [job(time={"end": 1, "samples": 2 + k}, labels={"k": str(k)}) for k in range(30)]
        jobs[3] = dict(self.daemon.get("/v1/catalog/rattleback").json["job"], labels={"k": "3"})
        answer = self.batch(jobs)
        self.assertEqual(answer.status, 200, answer)
        accepted = answer.json["jobs"]
        self.assertEqual([found["labels"]["k"] for found in accepted], [str(k) for k in range(30)])
        self.assertEqual(sorted(found["id"] for found in accepted),
                         [found["id"] for found in accepted])
        for k in (0, 3, 29):
            found = self.daemon.wait_done(accepted[k]["id"])
            self.assertEqual(found["state"], "succeeded", found)
            alone = self.daemon.finish(jobs[k])
            self.assertEqual(found["provenance"]["result_hash"], alone["provenance"]["result_hash"])
            self.assertEqual(self.daemon.get(found["links"]["request"]).json, jobs[k])

    def test_documents_are_kept_byte_for_byte(self):
        text = json.dumps(job(labels={"a": 'brackets ]} and "quotes" \\ \u00e4'}),
                          indent=3, ensure_ascii=False)
        body = ("\n{ \"jobs\" :\t[ %s ,%s ] }\n" % (text, text)).encode()
        answer = self.daemon.post("/v1/jobs:batch", body)
        self.assertEqual(answer.status, 200, answer)
        for found in answer.json["jobs"]:
            self.assertEqual(self.daemon.get(found["links"]["request"]).body, text.encode())

    def test_one_mistake_and_nothing_is_accepted(self):
        before = self.count()
        good, late = job(), job(time={"end": 0})
        answer = self.batch([good, dict(good, nonsense=1), good, late])
        self.assertEqual(answer.status, 422)
        self.assertEqual(points(answer), ["/jobs/1/nonsense", "/jobs/3/time/end"])
        self.assertEqual(self.count(), before)

    def test_mistakes_are_counted_beyond_those_that_are_told(self):
        answer = self.batch([job(nonsense=1)] * 80)
        self.assertEqual(len(answer.json["errors"]), 50)
        self.assertIn("79 more", answer.json["detail"])

    def test_what_is_no_batch_is_refused_with_its_place(self):
        one = json.dumps(job())
        before = self.count()
        for body, status in (("", 400), ("[]", 422), ("{", 400),
                             ('{"jobs"', 400), ('{"jobs":1}', 422),
                             ('{"jobs":[]}', 422), ('{"jobs":[%s' % one, 400),
                             ('{"jobs":[%s,]}' % one, 400),
                             ('{"jobs":[,%s]}' % one, 400), ('{"jobs":[%s %s]}' % (one, one), 400),
                             ('{"jobs":[%s]} x' % one, 400), ('{"jobs":[%s],"more":1}' % one, 422),
                             ('{"more":1}', 422), ('{"jobs":[{"a":"]}', 400),
                             ('{"jobs":[1,null,"x",[]]}', 422),
                             ('{"jobs":[%s}' % one, 400), ('{"jobs":[%s,{"a":01}]}' % one, 400)):
            with self.subTest(body=body[:40] + body[-20:]):
                answer = self.daemon.post("/v1/jobs:batch", body.encode())
                self.assertEqual(answer.status, status, answer)
        self.assertEqual(self.count(), before)
        body = '{"jobs":["\u00e4",{"a":01}]}'
        answer = self.daemon.post("/v1/jobs:batch", body.encode())
        alone = self.daemon.post("/v1/jobs", b'{"a":01}').json["errors"][0]["offset"]
        self.assertEqual(answer.json["errors"][-1]["offset"], body.index('{"a"') + alone)

    def test_a_key_stands_for_the_whole_batch(self):
        jobs = [job(labels={"twice": str(k)}) for k in range(3)]
        first = self.batch(jobs, {"Idempotency-Key": "b1"})
        again = self.batch(jobs, {"Idempotency-Key": '"b1"'})
        self.assertEqual((first.status, again.status), (200, 200), again)
        self.assertEqual(again.headers["idempotency-replayed"], "true")
        ids = [found["id"] for found in first.json["jobs"]]
        self.assertEqual([found["id"] for found in again.json["jobs"]], ids)

        other = self.batch(jobs[:2], {"Idempotency-Key": "b1"})
        self.assertEqual((other.status, other.json["code"]), (422, "idempotency_key_reused"))
        alone = self.daemon.post("/v1/jobs", jobs[0], {"Idempotency-Key": "b1"})
        self.assertEqual((alone.status, alone.json["code"]), (422, "idempotency_key_reused"))
        same = self.daemon.post("/v1/jobs", {"jobs": jobs}, {"Idempotency-Key": "b1"})
        self.assertEqual(same.status, 422)

        self.daemon.wait_done(ids[0])
        self.daemon.request("DELETE", "/v1/jobs/" + ids[0])
        left = self.batch(jobs, {"Idempotency-Key": "b1"}).json["jobs"]
        self.assertEqual((left[0], [found["id"] for found in left[1:]]), (None, ids[1:]))
        # the key is that of the batch as long as any of its jobs is there
        other = self.batch([job(labels={"another": "1"})], {"Idempotency-Key": "b1"})
        self.assertEqual((other.status, other.json["code"]), (422, "idempotency_key_reused"))
        alone = self.daemon.post("/v1/jobs", jobs[0], {"Idempotency-Key": "b1"})
        self.assertEqual((alone.status, alone.json["code"]), (422, "idempotency_key_reused"))

    def test_more_than_the_limit_is_refused(self):
        limit = int(self.daemon.get("/v1/limits").json["limits"]["batch"]["value"])
        answer = self.daemon.post("/v1/jobs:batch", b'{"jobs":[' + b"1," * limit + b"1]}")
        self.assertEqual((answer.status, points(answer)), (422, ["/jobs"]))
        self.assertIn(str(limit + 1), answer.json["errors"][0]["message"])


class Full(unittest.TestCase):
    def test_a_batch_that_finds_no_room_is_not_taken_in_part(self):
        daemon = Daemon("--max-queue", "5", "--workers", "1")
        try:
            running = daemon.submit(long_job())
            daemon.wait_running(running)
            jobs = [long_job(labels={"k": str(k)}) for k in range(6)]
            answer = daemon.post("/v1/jobs:batch", {"jobs": jobs})
            self.assertEqual((answer.status, answer.json["code"]), (503, "queue_full"))
            self.assertIn("retry-after", answer.headers)
            self.assertEqual(len(daemon.get("/v1/jobs").json["jobs"]), 1)
            self.assertEqual(daemon.post("/v1/jobs:batch", {"jobs": jobs[:5]}).status, 200)
            daemon.post("/v1/jobs:cancel", {"filter": {"state": "queued"}})
            daemon.post("/v1/jobs/%s/cancel" % running, b"")
        finally:
            daemon.close()


class Many(DaemonCase):
    def submit(self, n, **labels):
        jobs = [long_job(labels=dict(labels, k=str(k))) for k in range(n)]
        return [found["id"] for found in self.daemon.post("/v1/jobs:batch",
                                                          {"jobs": jobs}).json["jobs"]]

    def act(self, what, **wish):
        answer = self.daemon.post("/v1/jobs:" + what, wish)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def test_jobs_are_cancelled_and_deleted_by_their_ids(self):
        ids = self.submit(8, kind="ids")
        self.assertEqual(self.act("delete", ids=ids)["changed"], 0)
        found = self.act("cancel", ids=ids + ["nothing"])
        self.assertEqual((found["changed"], found["more"]), (8, False))
        self.assertEqual([(one["id"], one["code"]) for one in found["refused"]],
                         [("nothing", "not_found")])
        for identifier in ids:
            self.assertEqual(self.daemon.wait_done(identifier)["state"], "cancelled")
        again = self.act("cancel", ids=ids)
        self.assertEqual([one["code"] for one in again["refused"]], ["conflict"] * 8)
        gone = self.act("delete", ids=ids + ids[:1])
        self.assertEqual((gone["changed"], [one["code"] for one in gone["refused"]]),
                         (8, ["not_found"]))
        self.assertEqual(self.daemon.get("/v1/jobs/" + ids[0]).status, 404)

    def test_a_filter_acts_on_those_it_finds(self):
        left, right = self.submit(6, side="left",
                                  kind="filter"), self.submit(4, side="right", kind="filter")
        found = self.act("cancel", filter={"labels": {"side": "left", "kind": "filter"}})
        self.assertEqual((found["changed"], found["refused"]), (6, []))
        self.assertFalse(any(self.daemon.get("/v1/jobs/" + k).json["cancel_requested"]
                             for k in right))
        for k in left:
            self.daemon.wait_done(k)
        self.act("cancel", ids=right)
        for k in right:
            self.daemon.wait_done(k)
        self.assertEqual(self.act("delete", filter={"labels": {"kind": "filter"},
                                                    "state": "cancelled"})["changed"], 10)

    def test_a_wish_that_says_too_little_or_too_much_is_refused(self):
        for what in ("cancel", "delete"):
            for wish in ({}, {"filter": {}}, {"ids": []}, {"ids": ["a"], "filter": {"model": "m"}},
                         {"ids": [1]},
                         {"filter": {"colour": "red"}}, {"filter": {"labels": {"a": 1}}},
                         [], {"ids": "a"},
                         {"filter": {"state": "succeeded" if what == "cancel" else "queued"}}):
                with self.subTest(what=what, wish=wish):
                    self.assertEqual(self.daemon.post("/v1/jobs:" + what, wish).status, 422)

    def test_several_labels_narrow(self):
        for a in "12":
            for b in "123":
                self.daemon.finish(labels={"a": a, "b": b, "set": "narrow"})
        for query, count in (("label.a=1", 3), ("label.b=2", 2),
                             ("label.a=2&label.b=3", 1), ("label.set=narrow", 6),
                             ("label.b=3&label.a=2&label.set=narrow", 1),
                             ("label.a=1&label.b=4", 0)):
            for more in ("", "&state=succeeded", "&since=0"):
                with self.subTest(query=query, more=more):
                    found = self.daemon.get("/v1/jobs?label.set=narrow&%s%s"
                                            % (query.replace("label.set=narrow", "")
                                            .strip("&"), more)).json["jobs"]
                    self.assertEqual(len(found), count)
        answer = self.daemon.get("/v1/jobs?label.a=1&label.a=2")
        self.assertEqual(answer.status, 400)


if __name__ == "__main__":
    unittest.main()
