"""The members of an ensemble: rows selected and sorted, matrices, formats, single members,
statistics by direct sums."""

import ast
import csv
import io
import json
import math
import struct
import unittest
from fractions import Fraction
from urllib.parse import quote

from harness import Daemon, job

CSV, NDJSON, NPY = "text/csv", "application/x-ndjson", "application/x-npy"


def ensemble(**changes):
    """x = x0 cos(2 t sqrt(k/8)): 5 x 6 members; those with k = 0 fly on; x is sometimes never
    0.5."""
    document = job(
        vary={
            "parameters.k": [0, 2, 8, 18, 32],
            "initial.q.x": {"from": 0.25, "to": 1.5, "count": 6},
        },
        observe={"E": "energy()"},
        events=[{"name": "half", "when": "x - 0.5", "direction": "falling"}],
        ensemble={
            "keep": "trajectories",
            "reduce": {
                "lowest": {"of": "x", "take": "min"},
                "hit": {"take": "first_event", "event": "half"},
                "with space": {"of": "2*x", "take": "last"},
            },
        },
    )
    document.update(changes)
    return document


def rows_of(result):
    return [
        dict(zip(result["columns"], row))
        for row in zip(*(result["series"][name] for name in result["columns"]))
    ]


def exact_mean(values):
    return sum(map(Fraction, values)) / len(values)


def exact_covariance(x, y):
    a, b = exact_mean(x), exact_mean(y)
    return float(sum((Fraction(p) - a) * (Fraction(q) - b) for p, q in zip(x, y)) / (len(x) - 1))


class Members(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.job = cls.daemon.finish(ensemble())
        cls.id = cls.job["id"]
        cls.rows = rows_of(cls.daemon.get("/v1/jobs/%s/result" % cls.id).json)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def get(self, rest, accept=None, status=200, identifier=None, **query):
        text = "&".join("%s=%s" % (name, quote(str(value))) for name, value in query.items())
        path = "/v1/jobs/%s/%s%s%s" % (identifier or self.id, rest, "?" if text else "", text)
        answer = self.daemon.get(path, {"Accept": accept} if accept else {})
        self.assertEqual(answer.status, status, (path, answer))
        return answer

    def members(self, **query):
        return rows_of(self.get("members", **query).json)

    def test_the_result_is_the_summary(self):
        self.assertEqual(self.job["state"], "succeeded")
        self.assertEqual([row["member"] for row in self.rows], list(range(30)))
        for row in self.rows:
            w = 2 * math.sqrt(row["parameters.k"] / 8)
            end = row["initial.q.x"] * math.cos(w)
            self.assertAlmostEqual(row["final.q.x"], end, delta=1e-8)
            self.assertAlmostEqual(row["with space"], 2 * end, delta=1e-8)
            self.assertEqual((row["state"], row["reason"]), ("succeeded", None))
        self.assertEqual(self.rows, self.members())
        self.assertTrue(self.get("result").json["complete"])

    def test_a_condition_selects(self):
        for text, holds in (
            ("final.q.x < 0", lambda r: r["final.q.x"] < 0),
            ("parameters.k == 8 and not (initial.q.x < 1)",
             lambda r: r["parameters.k"] == 8 and r["initial.q.x"] >= 1),
            ("hit < 0.3", lambda r: r["hit"] is not None and r["hit"] < 0.3),
            ('column("with space")^2 > 1 or member == 3',
             lambda r: r["with space"] ** 2 > 1 or r["member"] == 3),
            ('state == "failed"', lambda r: False),
            ('state != "failed"', lambda r: True),
            ("hit < 1e300", lambda r: r["hit"] is not None),
            ("not (abs(hit) < 1e300)", lambda r: r["hit"] is None),
            ("min(hit, 1) <= 1", lambda r: r["hit"] is not None),
        ):
            expected = [row for row in self.rows if holds(row)]
            self.assertEqual(self.members(where=text), expected, text)
            self.assertEqual(self.members(where=text, limit=3), expected[:3], text)

    def test_an_expression_sorts_and_missing_values_come_last(self):
        for text, key in (
            ("final.q.x", lambda r: r["final.q.x"]),
            ("-initial.q.x", lambda r: -r["initial.q.x"]),
            ("hit", lambda r: math.inf if r["hit"] is None else r["hit"]),
            ("-hit", lambda r: math.inf if r["hit"] is None else -r["hit"]),
        ):
            expected = sorted(self.rows, key=key)
            self.assertEqual(self.members(sort=text), expected, text)
            self.assertEqual(self.members(sort=text, limit=7, cursor=5), expected[5:12], text)

    def test_pages_make_the_whole(self):
        for query in ({}, {"sort": "-lowest"}, {"where": "lowest < 0.2"}):
            whole, paged, cursor = self.members(**query), [], 0
            while cursor is not None:
                answer = self.get("members", limit=4, cursor=cursor, **query)
                paged += rows_of(answer.json)
                cursor = answer.json.get("next")
                self.assertEqual(cursor is not None, "link" in answer.headers)
            self.assertEqual(paged, whole)

    def test_a_grid_is_a_matrix(self):
        result = self.get("members", shape="grid", columns="final.q.x,state",
                          where="member != 8").json
        self.assertEqual([axis["path"] for axis in result["axes"]], ["parameters.k", "initial.q.x"])
        self.assertEqual(result["axes"][0]["values"], [0, 2, 8, 18, 32])
        self.assertEqual(result["axes"][1]["values"], [0.25, 0.5, 0.75, 1, 1.25, 1.5])
        for name in ("final.q.x", "state"):
            matrix = [[self.rows[6 * i + j][name] for j in range(6)] for i in range(5)]
            matrix[1][2] = None
            self.assertEqual(result["series"][name], matrix)
        self.get("members", shape="grid", accept=CSV, status=406)

    def test_the_formats_hold_the_same(self):
        columns = ["member", "hit", "final.q.x", "state", "reason"]
        rows = [[row[name] for name in columns] for row in self.rows]
        query = {"columns": ",".join(columns)}
        lines = self.get("members", accept=NDJSON, **query).body.decode().splitlines()
        self.assertEqual([[json.loads(line)[name] for name in columns] for line in lines], rows)
        table = list(csv.reader(io.StringIO(self.get("members", accept=CSV,
                                                     **query).body.decode())))
        self.assertEqual(table[0], columns)
        for cells, row in zip(table[1:], rows):
            numbers = [float(cell) if cell else None for cell in cells[:3]]
            self.assertEqual(numbers + [cells[3], cells[4] or None], row)
        body = self.get("members", accept=NPY, **query).body
        (length,) = struct.unpack("<H", body[8:10])
        header = ast.literal_eval(body[10 : 10 + length].decode())
        self.assertEqual([name for name, _ in header["descr"]], columns)
        self.assertEqual(header["shape"], (30,))
        for got, row in zip(struct.iter_unpack("<3d9s11s", body[10 + length :]), rows):
            numbers = [None if math.isnan(x) else x for x in got[:3]]
            self.assertEqual(numbers + [got[3].rstrip(b"\0").decode(),
                                        got[4].rstrip(b"\0").decode() or None], row)

    def test_a_member_is_the_same_motion_alone(self):
        for k in (0, 11, 29):
            member = self.get("members/%d" % k).json
            self.assertNotIn("vary", member["job"])
            self.assertNotIn("ensemble", member["job"])
            self.assertEqual(member["row"]["final.q.x"], self.rows[k]["final.q.x"])
            alone = self.daemon.finish(dict(member["job"], analyses=[]))
            own = self.get("members/%d/result" % k).body
            self.assertEqual(own, self.get("result", identifier=alone["id"]).body)
            events = self.get("members/%d/result" % k, table="half").body
            self.assertEqual(events, self.get("result", identifier=alone["id"], table="half").body)

    def test_a_member_can_be_run_alone_after_its_model_is_deleted(self):
        model = self.daemon.post("/v1/models",
                                 dict(job()["model"], description="of members")).json["id"]
        found = self.daemon.finish(ensemble(model={"id": model}))["id"]
        before = self.get("members/3", identifier=found).json
        self.assertEqual(before["job"]["model"], {"id": model})
        self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + model).status, 204)
        member = self.get("members/3", identifier=found).json
        self.assertEqual(member["job"]["model"]["description"], "of members")
        self.assertEqual(dict(member["job"], model=None), dict(before["job"], model=None))
        alone = self.daemon.finish(dict(member["job"], analyses=[]))
        self.assertEqual(self.get("members/3/result", identifier=found).body,
                         self.get("result", identifier=alone["id"]).body)

    def test_the_rows_of_a_member_are_selected_as_those_of_a_job(self):
        whole = rows_of(self.get("members/11/result").json)
        for query, rows in (({"tail": 3}, whole[-3:]), ({"stride": 4}, whole[::4]),
                            ({"limit": 2}, whole[:2]),
                            ({"tail": 2, "stride": 5}, whole[::5][-2:]),
                            ({"limit": 2, "cursor": 10}, whole[10:]),
                            ({"limit": 2, "cursor": 99}, [])):
            self.assertEqual(rows_of(self.get("members/11/result", **query).json), rows, query)
        few = self.get("members/11/result", points=3).json
        self.assertTrue(few["downsampled"])
        few = rows_of(few)
        self.assertEqual((len(few), few[0], few[-1]), (8, whole[0], whole[-1]))
        for pick in (min, max):
            self.assertEqual(pick(r["x"] for r in few), pick(r["x"] for r in whole))
        for query in ({"points": 3, "stride": 2}, {"tail": 3, "limit": 2}, {"tail": 0}):
            self.get("members/11/result", status=400, **query)
        self.assertIn("members?where=", self.get("result", status=400, tail=3).json["detail"])

    def test_a_table_holds_the_rows_of_all_members(self):
        for table, times in (("trajectory", [11] * 30), ("half", None)):
            rows = rows_of(self.get("result", table=table).json)
            if times:
                self.assertEqual([sum(r["member"] == k for r in rows) for k in range(30)], times)
            self.assertEqual(rows, sorted(rows, key=lambda r: (r["member"], r["t"])))
            own = rows_of(self.get("members/29/result", table=table).json)
            self.assertEqual([{n: r[n] for n in r if n != "member"}
                              for r in rows if r["member"] == 29], own)
            paged = rows_of(self.get("result", table=table, limit=5, cursor=3).json)
            self.assertEqual(paged, rows[3:8])
        hits = [r["hit"] for r in self.rows if r["hit"] is not None]
        first = {}
        for row in rows:
            first.setdefault(row["member"], row["t"])
        self.assertEqual(sorted(first.values()), sorted(hits))

    def test_statistics_are_direct_sums(self):
        names = ["final.q.x", "hit", "with space"]
        found = self.get("statistics", of="final.q.x,hit,with space",
                         quantiles="0,0.05,0.5,1", bins=4,
                         where="parameters.k > 1").json  # fmt: skip
        rows = [row for row in self.rows if row["parameters.k"] > 1]
        self.assertEqual((found["members"], found["count"]), (30, len(rows)))
        for name in names:
            values = sorted(row[name] for row in rows if row[name] is not None)
            column = found["columns"][name]
            self.assertEqual((column["count"], column["missing"]),
                             (len(values), len(rows) - len(values)))
            self.assertAlmostEqual(column["mean"], float(exact_mean(values)), delta=1e-15)
            self.assertAlmostEqual(column["variance"], exact_covariance(values, values),
                                   delta=1e-15)
            self.assertEqual((column["min"], column["max"]), (values[0], values[-1]))
            for level in (0, 0.05, 0.5, 1):
                place = level * (len(values) - 1)
                below = math.floor(place)
                above = min(below + 1, len(values) - 1)
                expected = values[below] + (place - below) * (values[above] - values[below])
                self.assertAlmostEqual(column["quantiles"]["%g" % level], expected, delta=1e-15)
            counts = [0] * 4
            for value in values:
                counts[min(3, int((value - values[0]) / (values[-1] - values[0]) * 4))] += 1
            self.assertEqual(column["histogram"]["counts"], counts)
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                pairs = [(r[a], r[b]) for r in rows if r[a] is not None and r[b] is not None]
                x, y = zip(*pairs)
                c = exact_covariance(x, y)
                self.assertAlmostEqual(found["covariance"][i][j], c, delta=1e-15)
                deviation = math.sqrt(exact_covariance(x, x) * exact_covariance(y, y))
                self.assertAlmostEqual(found["correlation"][i][j], c / deviation, delta=1e-14)

    def test_over_time_there_are_statistics_at_every_sample(self):
        samples = rows_of(self.get("result", table="trajectory").json)
        for condition in ("parameters.k > 1 and initial.q.x != 0.5", "member == 7"):
            found = self.get("statistics", over="time", of="dot(x),E", quantiles="0,0.25,1",
                             where=condition).json  # fmt: skip
            chosen = {row["member"] for row in self.members(where=condition)}
            self.assertEqual((found["members"], found["count"]), (30, len(chosen)))
            self.assertEqual(found["t"], [k / 10 for k in range(11)])
            for name in ("dot(x)", "E"):
                column = found["columns"][name]
                for k, t in enumerate(found["t"]):
                    values = sorted(r[name] for r in samples
                                    if r["t"] == t and r["member"] in chosen)
                    self.assertEqual(column["count"][k], len(chosen))
                    self.assertAlmostEqual(column["mean"][k],
                                           float(exact_mean(values)), delta=1e-14)
                    self.assertEqual((column["min"][k], column["max"][k]), (values[0], values[-1]))
                    self.assertEqual(column["quantiles"]["0"][k], values[0])
                    place = 0.25 * (len(values) - 1)
                    below = math.floor(place)
                    above = min(below + 1, len(values) - 1)
                    expected = values[below] + (place - below) * (values[above] - values[below])
                    self.assertAlmostEqual(column["quantiles"]["0.25"][k], expected, delta=1e-14)
                    if len(values) > 1:
                        variance = exact_covariance(values, values)
                        self.assertAlmostEqual(column["variance"][k], variance, delta=1e-12)
                    else:
                        self.assertIsNone(column["variance"][k])

    def test_over_time_members_of_different_lengths_are_compared_at_parts_of_their_time(self):
        document = job(
            parameters={"k": 0},
            initial={"q": {"x": 0}, "v": {"x": 1}},
            time={"end": 1, "samples": 5},
            vary={"time.end": [1, 2, 3]},
            ensemble={"keep": "trajectories"},
        )
        identifier = self.daemon.finish(document)["id"]
        found = self.get("statistics", identifier=identifier, over="time", of="x").json
        self.assertEqual(found["part"], [0, 0.25, 0.5, 0.75, 1])
        for part, mean in zip(found["part"], found["columns"]["x"]["mean"]):
            self.assertAlmostEqual(mean, 2 * part, delta=1e-12)
        document["time"] = {"end": 1, "every": 0.25}
        identifier = self.daemon.finish(document)["id"]
        answer = self.get("statistics", identifier=identifier, over="time", of="x", status=400)
        self.assertIn("time.samples", answer.json["detail"])

    def test_many_samples_are_gathered_some_at_a_time(self):
        document = ensemble(time={"end": 1, "samples": 1001}, ensemble={"keep": "trajectories"})
        identifier = self.daemon.finish(document)["id"]
        found = self.get("statistics", identifier=identifier, over="time", of="x,t").json
        self.assertEqual(len(found["t"]), 1001)
        self.assertEqual(found["columns"]["t"]["min"], found["t"])
        self.assertEqual(found["columns"]["t"]["max"], found["t"])
        self.assertEqual(found["columns"]["x"]["count"], [30] * 1001)

    def test_what_does_not_vary_has_no_correlation(self):
        found = self.get("statistics", of="final.t,final.q.x", bins=3).json
        self.assertEqual(found["correlation"], [[None, None], [None, 1]])
        self.assertEqual(found["covariance"][0], [0, 0])
        histogram = found["columns"]["final.t"]["histogram"]
        self.assertEqual(histogram, {"from": 1, "to": 1, "counts": [30, 0, 0]})

    def test_statistics_are_by_default_of_the_reductions(self):
        found = self.get("statistics").json
        self.assertEqual(list(found["columns"]), ["lowest", "hit", "with space"])
        words = self.get("statistics", of="state,reason").json["columns"]
        self.assertEqual(words["state"]["words"], {"succeeded": 30})
        self.assertEqual(words["reason"], {"count": 0, "missing": 30, "words": {}})

    def test_sobol_indices_of_a_sum_are_the_shares_of_its_variance(self):
        # final.q.x = x + v at t = 1: 3^2 and 1^2 of 10 parts
        document = job(
            parameters={"k": 0},
            ensemble={
                "design": {"kind": "saltelli", "count": 2000, "seed": 3, "ranges": {
                    "initial.q.x": {"from": -3, "to": 3}, "initial.v.x": {"from": -1, "to": 1}}},
                "reduce": {"end": {"of": "x", "take": "last"}},
            },
        )  # fmt: skip
        identifier = self.daemon.finish(document)["id"]
        sobol = self.get("statistics", identifier=identifier).json["columns"]["end"]["sobol"]
        for path, share in (("initial.q.x", 0.9), ("initial.v.x", 0.1)):
            index = sobol[path]
            self.assertEqual(index["count"], 2000)
            self.assertAlmostEqual(index["first"], share, delta=5 * index["first_error"])
            self.assertAlmostEqual(index["total"], share, delta=5 * index["total_error"])
            self.assertLess(index["first_error"], 0.05)
        conditioned = self.get("statistics", identifier=identifier, where="member < 100").json
        self.assertNotIn("sobol", conditioned["columns"]["end"])
        self.get("members", identifier=identifier, shape="grid", status=400)

    def test_members_that_fail_are_found_and_counted(self):
        document = job(
            model={"coordinates": ["x"], "parameters": {"k": 1},
                   "lagrangian": "dot(x)^2/2 + k*x^3/3"},
            initial={"q": {"x": 0.5}},
            time={"end": 20, "samples": 3},
            vary={"parameters.k": [-1, 0, 1, 2]},
        )
        found = self.daemon.finish(document)
        self.assertEqual((found["state"], found["members"]["failed"]), ("succeeded", 3))
        rows = rows_of(self.get("members", identifier=found["id"], where='state == "failed"').json)
        self.assertEqual([row["member"] for row in rows], [0, 2, 3])
        for row in rows:
            self.assertEqual(row["reason"], "numeric")
            self.assertIsNone(row["final.q.x"])
            self.assertLess(row["final.t"], 20)
        counted = self.get("statistics", identifier=found["id"],
                           of="reason,final.q.x").json["columns"]
        self.assertEqual(counted["reason"]["words"], {"numeric": 3})
        self.assertEqual((counted["final.q.x"]["count"], counted["final.q.x"]["missing"]), (1, 3))
        member = self.get("members/2", identifier=found["id"]).json
        self.assertEqual((member["state"], member["reason"]), ("failed", "numeric"))

    def test_members_that_have_not_succeeded_are_run_again_as_an_ensemble_of_their_own(self):
        document = job(
            model={"coordinates": ["x"], "parameters": {"k": 1},
                   "lagrangian": "dot(x)^2/2 + k*x^3/3"},
            initial={"q": {"x": 0.5}},
            time={"end": 20, "samples": 3},
            vary={"parameters.k": {"from": 0, "to": 0.7, "count": 4}, "initial.q.x": [0, 0.1]},
            ensemble={"combine": "grid", "keep": "events",
                      "reduce": {"top": {"of": "x", "take": "max"}}},
            labels={"round": "first"},
        )
        first = self.daemon.finish(document)
        failed = rows_of(self.get("members", identifier=first["id"],
                                  where='state == "failed"').json)
        self.assertGreater(len(failed), 0)
        path = "/v1/jobs/%s/rerun" % first["id"]
        second = self.daemon.request("POST", path + "?wait=60").json
        self.assertNotEqual(second["id"], first["id"])
        self.assertEqual(second["members"]["total"], len(failed))
        self.assertEqual(second["labels"], {"round": "first"})
        again = rows_of(self.get("members", identifier=second["id"]).json)
        for old, new in zip(failed, again):
            self.assertEqual(dict(old, member=None), dict(new, member=None))
        posted = self.get("request", identifier=second["id"]).json
        self.assertEqual(posted["ensemble"]["design"]["kind"], "table")
        self.assertEqual(posted["ensemble"]["keep"], "events")
        answer = self.daemon.request("POST", "/v1/jobs/%s/rerun" % self.id)
        self.assertEqual((answer.status, answer.json["code"]), (409, "conflict"))

    def test_more_failed_members_than_a_document_holds_are_refused_with_what_to_do(self):
        paths = ["parameters.p%d" % k for k in range(100)]
        model = {"coordinates": ["x"], "parameters": {p[11:]: 1 for p in paths},
                 "lagrangian": "p0*dot(x)^2/2"}
        table = {"parameters.p0": {"from": 0, "to": 0, "count": 10001}}
        table.update({path: [1] for path in paths[1:]})
        done = self.daemon.finish(job(model=model, initial={},
                                      time={"end": 1, "samples": 2}, vary=table))
        self.assertEqual(done["members"]["failed"], 10001)
        answer = self.daemon.request("POST", "/v1/jobs/%s/rerun" % done["id"])
        self.assertEqual((answer.status, answer.json["code"]), (409, "conflict"), answer)
        self.assertIn("members_of", answer.json["detail"])

    def test_a_plain_job_is_run_again_as_it_is(self):
        first = self.daemon.finish(job(observe={"b": "x", "a": "2*x"}))
        answer = self.daemon.request("POST", "/v1/jobs/%s/rerun?wait=60" % first["id"])
        self.assertEqual(answer.status, 200, answer)
        second = answer.json
        self.assertNotEqual(second["id"], first["id"])
        self.assertFalse(second["cached"])
        results = [self.get("result", identifier=found["id"]).body for found in (first, second)]
        self.assertEqual(results[0], results[1])
        self.assertEqual(self.daemon.request("POST", "/v1/jobs/none/rerun").status, 404)

    def test_a_job_of_a_model_that_was_deleted_since_is_run_again(self):
        model = dict(job()["model"], name="a model that is deleted")
        # a member without mass cannot start
        axis = {"parameters.m": [1, 0]}
        for others, members in (({}, 0), ({"vary": axis}, 1)):
            identifier = self.daemon.post("/v1/models", model).json["id"]
            first = self.daemon.finish(job(model={"id": identifier}, **others))
            self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + identifier).status, 204)
            answer = self.daemon.request("POST", "/v1/jobs/%s/rerun?wait=60" % first["id"])
            self.assertEqual(answer.status, 200, answer)
            again = answer.json
            self.assertEqual(again["model"], first["model"])
            self.assertEqual(again["state"], "failed" if members else "succeeded")
            if members:
                self.assertEqual((first["members"]["failed"], again["members"]["total"]), (1, 1))
            # and that one likewise
            third = self.daemon.request("POST", "/v1/jobs/%s/rerun?wait=60" % again["id"])
            self.assertEqual((third.status, third.json["model"]), (200, first["model"]))

    def test_what_is_not_kept_is_a_409_that_says_what_to_do(self):
        identifier = self.daemon.finish(ensemble(ensemble={}))["id"]
        for rest in ("members/3/result", "members/3/result?table=half", "result?table=trajectory",
                     "statistics?over=time&of=x"):  # fmt: skip
            answer = self.get(rest, identifier=identifier, status=409)
            self.assertIn("ensemble.keep", answer.json["detail"])
            self.assertIn("/members/K", answer.json["detail"])

    def test_mistakes_are_told_with_their_place(self):
        for rest, query, part in (
            ("members", {"where": "final.q.y < 1"}, "final.q.x"),
            ("members", {"where": "final.q.x"}, "needs a condition"),
            ("members", {"where": "1 +"}, "an operand is missing"),
            ("members", {"sort": "lowst"}, "lowest"),
            ("members", {"columns": "lowst"}, "lowest"),
            ("members", {"shape": "cube"}, "grid"),
            ("members", {"stride": 2}, "unknown parameter"),
            ("result", {"from": 1}, "members?where="),
            ("statistics", {"of": "lowst"}, "lowest"),
            ("statistics", {"quantiles": "5%"}, "from 0 to 1"),
            ("statistics", {"bins": 0}, "bins"),
            ("statistics", {"over": "members"}, "over must be time"),
            ("statistics", {"over": "time"}, "name columns of the trajectory"),
            ("statistics", {"over": "time", "of": "y"}, "no column"),
            ("statistics", {"over": "time", "of": "x", "bins": 3}, "histograms"),
        ):
            answer = self.get(rest, status=400, **query)
            self.assertIn(part, json.dumps(answer.json), (rest, query))
        errors = self.get("members", status=400, where="member < 3 and lowst < 1").json["errors"]
        self.assertEqual((errors[0]["pointer"], errors[0]["offset"]), ("where", 15))
        plain = self.daemon.finish(job())["id"]
        for rest in ("members", "members/0", "members/0/result", "statistics"):
            self.get(rest, identifier=plain, status=404)
        for k in ("30", "-1", "x", "1e1"):
            self.get("members/" + k, status=404)

    def test_a_finished_answer_has_a_tag(self):
        for rest in ("members", "statistics", "result", "members/3/result"):
            answer = self.get(rest)
            again = self.daemon.get(
                "/v1/jobs/%s/%s" % (self.id, rest), {"If-None-Match": answer.headers["etag"]}
            )
            self.assertEqual((again.status, again.body), (304, b""), rest)


if __name__ == "__main__":
    unittest.main()
