"""Runs that a terminal event ends: their last row in every format and selection, and over
members."""

import ast
import csv
import io
import json
import math
import struct
import unittest

from harness import Daemon, job

CSV, NDJSON, NPY = "text/csv", "application/x-ndjson", "application/x-npy"
STOP = {"name": "stop", "when": "x", "direction": "falling", "terminal": True}


def stopped(**changes):
    """x = cos(2 t) falls through 0 at t = pi/4, between the samples at 0.7 and 0.8, and would be
    thrown back."""
    document = {"time": {"end": 3, "every": 0.1},
                "events": [dict(STOP, set={"dot(x)": "-dot(x)/2"})]}
    return job(**dict(document, **changes))


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.close)
        cls.job = cls.daemon.finish(stopped())

    def get(self, query="", accept=None, identifier=None, route="result"):
        headers = {"Accept": accept} if accept else {}
        answer = self.daemon.get("/v1/jobs/%s/%s%s" % (identifier or self.job["id"], route, query),
                                 headers)
        self.assertEqual(answer.status, 200, answer)
        return answer

    def test_the_last_row_is_the_instant_and_the_state_before_the_change(self):
        result, event = self.get().json, self.get("?table=stop").json
        diagnostics = self.get(route="diagnostics").json
        series = result["series"]
        self.assertEqual((result["complete"], result["ended_by"]), (True, "stop"))
        self.assertEqual([series["t"][k] for k in (0, 7)], [0, 0.7000000000000001])
        self.assertEqual(len(series["t"]), 9)
        self.assertAlmostEqual(series["t"][-1], math.pi / 4, places=9)
        self.assertAlmostEqual(series["dot(x)"][-1], -2, places=9)
        self.assertEqual({name: series[name][-1:] for name in series}, event["series"])
        self.assertEqual(diagnostics["t_reached"], series["t"][-1])
        self.assertEqual(diagnostics["final"]["v"], [-series["dot(x)"][-1] / 2])
        self.assertEqual((diagnostics["samples"], diagnostics["stopped_by"]), (9, "stop"))
        self.assertEqual((self.job["rows"], self.job["digest"]["ended_by"]), (9, "stop"))

    def test_every_format_and_selection_has_it(self):
        result = self.get().json
        last = [result["series"][name][-1] for name in result["columns"]]
        self.assertEqual(
            [float(cell) for cell in list(csv.reader(io.StringIO(self.get("", CSV).body.decode())))[
                -1]], last)
        self.assertEqual(list(json.loads(self.get("", NDJSON).body.splitlines()[-1]).values()),
                         last)
        array = self.get("", NPY).body
        (length,) = struct.unpack("<H", array[8:10])
        self.assertEqual(ast.literal_eval(array[10 : 10 + length].decode())["shape"], (9,))
        self.assertEqual(list(struct.unpack("<%dd" % len(last), array[-8 * len(last) :])), last)
        for query in ("?tail=1", "?tail=4", "?points=2", "?from=0.75", "?stride=4", "?limit=9"):
            part = self.get(query).json
            self.assertEqual([part["series"][name][-1] for name in part["columns"]], last, query)
            self.assertEqual(part["ended_by"], "stop")
        self.assertEqual(len(self.get("?from=0.75").json["series"]["t"]), 1)
        more = self.daemon.post("/v1/jobs/%s/columns" % self.job["id"],
                                {"observe": {"twice": "2*t"}}).json
        self.assertEqual((more["series"]["twice"][-1], more["ended_by"]), (2 * last[0], "stop"))

    def test_evidence_has_a_row_for_it(self):
        t = self.get("?columns=t").json["series"]["t"]
        evidence = self.get("?table=@evidence").json["series"]
        self.assertEqual(evidence["t"], t)
        self.assertGreater(evidence["step"][-1], 0)

    def test_an_instant_that_is_a_sample_has_one_row(self):
        events = [{"name": "stop", "at": [0.5], "terminal": True}]
        found = self.daemon.finish(stopped(events=events))
        result = self.get(identifier=found["id"]).json
        self.assertEqual((result["series"]["t"], result["ended_by"]),
                         ([0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5], "stop"))

    def test_runs_that_end_otherwise_are_ended_by_nothing(self):
        whole = self.daemon.finish(job())
        self.assertNotIn("ended_by", self.get(identifier=whole["id"]).json)
        self.assertIsNone(whole["digest"]["ended_by"])
        failed = self.daemon.finish(stopped(events=[dict(STOP, set={"dot(x)": "sqrt(x - 1)"})]))
        result = self.get(identifier=failed["id"]).json
        self.assertEqual((failed["state"], result["complete"]), ("failed", False))
        self.assertNotIn("ended_by", result)
        self.assertEqual(len(result["series"]["t"]), 8)
        self.assertIsNone(self.get(identifier=failed["id"], route="diagnostics").json["stopped_by"])

    def test_reused_results_are_ended_by_it_too(self):
        self.daemon.finish(stopped(cache=True))
        again = self.daemon.finish(stopped(cache=True))
        self.assertTrue(again["cached"])
        self.assertEqual(self.get(identifier=again["id"]).json["ended_by"], "stop")

    def ensemble(self, **changes):
        """Amplitudes and speeds of their own, so that each member stops at another time, or
        never."""
        ranges = {"initial.q.x": {"from": 0.5, "to": 1}, "parameters.k": {"from": 0.5, "to": 12}}
        ranges.update(changes.pop("ranges", {}))
        keep = {"keep": "trajectories",
                "design": {"kind": "lhs", "count": 60, "seed": 3, "ranges": ranges}}
        keep.update(changes.pop("ensemble", {}))
        time = {"end": 1, "samples": 11}
        found = self.daemon.finish(stopped(**dict({"time": time, "ensemble": keep}, **changes)))
        self.assertEqual(found["state"], "succeeded", found)
        return found["id"]

    def test_trajectories_of_members_have_it(self):
        identifier = self.ensemble()
        summary = self.get(identifier=identifier).json["series"]
        stops = self.get("?table=stop", identifier=identifier).json["series"]
        self.assertTrue(0 < len(stops["member"]) < 60)
        for k in range(60):
            series = self.get(identifier=identifier, route="members/%d/result" % k).json["series"]
            self.assertEqual(series["t"][-1], summary["final.t"][k])
            self.assertEqual(series["t"], sorted(set(series["t"])))
            if k in stops["member"]:
                self.assertEqual(series["x"][-1], stops["x"][stops["member"].index(k)])
            alone = self.daemon.get("/v1/jobs/%s/members/%d" % (identifier, k)).json["job"]
            if k < 3:
                found = self.daemon.finish(alone)
                self.assertEqual(self.get(identifier=found["id"]).json["series"], series)

    def test_statistics_over_time_count_samples_only(self):
        for ranges in ({}, {"time.end": {"from": 0.5, "to": 2}},
                       {"initial.t": {"from": -1, "to": 0}}):
            kept = self.ensemble(ranges=ranges)
            told = self.ensemble(ranges=ranges, ensemble={"keep": "summary", "over_time": ["x"]})
            kept, told = ({"id": kept, "of": "x"}, {"id": told, "of": "x"})
            for one in (kept, told):
                one.update(self.get("?over=time&of=x&quantiles=0,0.5,1",
                                    identifier=one["id"], route="statistics").json)
            instant = "part" if ranges else "t"
            n = len(kept[instant])
            self.assertEqual(kept[instant], told[instant][:n])
            counts = kept["columns"]["x"]["count"]
            self.assertEqual(counts, told["columns"]["x"]["count"][:n])
            self.assertEqual(set(told["columns"]["x"]["count"][n:]) - {0}, set())
            self.assertTrue(counts[0] == 60 and 0 < counts[-1] < 60, counts)
            for what in ("mean", "min", "max", "quantiles"):
                self.assertEqual(kept["columns"]["x"][what],
                                 _shortened(told["columns"]["x"][what], n), what)
            # the stopped ones are at x = 0 there, and would be the least
            self.assertGreater(min(kept["columns"]["x"]["min"]), 1e-9)


def _shortened(values, n):
    return {level: series[:n]
            for level, series in values.items()} if isinstance(values, dict) else values[:n]


if __name__ == "__main__":
    unittest.main()
