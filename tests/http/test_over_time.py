"""Statistics over time without trajectories: the same as with them, whoever runs which members and
however often it dies."""

import json
import math
import subprocess
import unittest
from urllib.parse import urlencode

from harness import BINARY, SECONDS, Daemon, deadline, job

LEVELS = "0,0.025,0.25,0.5,0.975,1"


def ensemble(count=700, samples=11, over_time=("x", "energy"), keep="summary", **changes):
    """Oscillators with cos(2 t) times their amplitudes; 'energy' is observed."""
    document = job(
        time={"end": 1, "samples": samples},
        observe={"energy": "energy()"},
        ensemble={
            "keep": keep,
            "over_time": list(over_time),
            "design": {
                "kind": "lhs",
                "count": count,
                "seed": 5,
                "ranges": {"initial.q.x": {"mean": 1, "sd": 0.1},
                           "initial.v.x": {"from": -1, "to": 1}},
            },
        },
    )
    if not over_time:
        del document["ensemble"]["over_time"]
    document.update(changes)
    return document


def ordered(values, level):
    place = level * (len(values) - 1)
    below = min(int(place), len(values) - 1)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


class OverTimeCase(unittest.TestCase):
    def start(self, *arguments):
        daemon = Daemon(*arguments)
        self.addCleanup(daemon.close)
        return daemon

    def over_time(self, daemon, identifier, status=200, **query):
        query = dict({"over": "time", "quantiles": LEVELS}, **query)
        answer = daemon.get("/v1/jobs/%s/statistics?%s" % (identifier, urlencode(query)))
        self.assertEqual(answer.status, status, answer)
        return answer

    def columns_agree(self, summary, kept):
        """Of trajectories no instants are told that none of them reaches."""
        n = len(kept["t"])
        for name, column in summary["columns"].items():
            other = kept["columns"][name]
            for what in ("count", "mean", "min", "max"):
                self.assertEqual(column[what][:n], other[what], what)
            self.assertEqual(set(column["count"][n:]), {0} if len(summary["t"]) > n else set())
            for a, b in zip(column["variance"], other["variance"]):
                self.assertEqual(a is None, b is None)
                if a is not None:
                    self.assertLessEqual(abs(a - b), 1e-13 * abs(b) + 1e-28)


class Agreement(OverTimeCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.close)

    def both(self, **changes):
        """The answers of one that keeps nothing and of one that keeps trajectories."""
        summary = self.daemon.finish(ensemble(**changes))
        kept = self.daemon.finish(ensemble(keep="trajectories", **dict(changes, over_time=())))
        names = ",".join(changes.get("over_time", ("x", "energy")))
        self.assertEqual(summary["state"], "succeeded", summary)
        return (self.over_time(self.daemon, summary["id"]).json,
                self.over_time(self.daemon, kept["id"], of=names).json, kept["id"])  # fmt: skip

    def test_few_members_have_the_exact_quantiles_of_their_trajectories(self):
        summary, kept, _ = self.both()
        self.assertEqual(summary["t"], kept["t"])
        self.assertEqual([summary[k] for k in ("members", "count", "complete")], [700, 700, True])
        self.columns_agree(summary, kept)
        for name in ("x", "energy"):
            self.assertEqual(summary["columns"][name]["rank_error"], 0)
            self.assertEqual(summary["columns"][name]["quantiles"],
                             kept["columns"][name]["quantiles"])

    def test_many_members_are_within_the_error_that_is_told(self):
        summary, kept, identifier = self.both(count=9000, samples=3, over_time=("x",))
        self.columns_agree(summary, kept)
        column = summary["columns"]["x"]
        error = column["rank_error"]
        self.assertGreater(error, 0)
        self.assertLess(error, 0.003)
        rows = self.daemon.get("/v1/jobs/%s/result?table=trajectory" % identifier).json["series"]
        for k, t in enumerate(summary["t"]):
            values = sorted(x for x, at in zip(rows["x"], rows["t"]) if at == t)
            self.assertEqual(len(values), 9000)
            for level, series in column["quantiles"].items():
                p = float(level)
                self.assertGreaterEqual(series[k], ordered(values, max(0, p - error)))
                self.assertLessEqual(series[k], ordered(values, min(1, p + error)))

    def test_members_that_end_early_are_counted_where_they_came(self):
        events = [{"name": "half", "when": "x - 1/2", "terminal": True}]
        summary, kept, _ = self.both(events=events)
        self.columns_agree(summary, kept)
        counts = summary["columns"]["x"]["count"]
        self.assertEqual(counts[0], 700)
        self.assertTrue(0 < counts[6] < 700, counts)
        self.assertEqual(counts, sorted(counts, reverse=True))
        # and those that fail
        limited = {"max_steps": 20, "rtol": 1e-9, "atol": 1e-12}
        document = ensemble(integrator=limited, time={"end": 6, "samples": 11})
        document["ensemble"]["design"]["ranges"]["parameters.k"] = {"from": 1, "to": 60}
        found = self.daemon.finish(document)
        self.assertGreater(found["members"]["failed"], 0)
        answer = self.over_time(self.daemon, found["id"]).json["columns"]["x"]
        self.assertEqual(answer["count"][0], 700)
        self.assertEqual(answer["count"][-1], found["members"]["succeeded"])

    def test_instants_are_parts_of_each_member_s_time_where_that_is_varied(self):
        document = ensemble(count=300)
        document["ensemble"]["design"]["ranges"]["time.end"] = {"from": 1, "to": 2}
        found = self.daemon.finish(document)
        answer = self.over_time(self.daemon, found["id"]).json
        self.assertEqual(answer["part"], [k / 10 for k in range(11)])
        members = self.daemon.get("/v1/jobs/%s/result" % found["id"]).json["series"]
        self.assertAlmostEqual(
            answer["columns"]["x"]["mean"][-1], math.fsum(members["final.q.x"]) / 300, places=14
        )
        self.assertEqual(answer["columns"]["x"]["min"][-1], min(members["final.q.x"]))

    def test_columns_are_chosen_by_of(self):
        found = self.daemon.finish(ensemble(over_time=("dot(x)", "energy", "x"),
                                            samples=130, count=5))
        whole = self.over_time(self.daemon, found["id"]).json["columns"]
        self.assertEqual(list(whole), ["dot(x)", "energy", "x"])
        some = self.over_time(self.daemon, found["id"], of="x,dot(x)").json["columns"]
        self.assertEqual(list(some), ["x", "dot(x)"])
        self.assertEqual(some["x"], whole["x"])
        self.assertEqual(some["dot(x)"], whole["dot(x)"])
        for query, part in (({"of": "y"}, "no column"), ({"where": "member < 3"}, "trajectories"),
                            ({"bins": 3}, "histograms")):
            answer = self.over_time(self.daemon, found["id"], status=400, **query)
            self.assertIn(part, json.dumps(answer.json))

    def test_both_may_be_kept(self):
        found = self.daemon.finish(ensemble(keep="trajectories", count=50))
        answer = self.over_time(self.daemon, found["id"], of="x", where="member < 7").json
        self.assertEqual(answer["columns"]["x"]["count"][0], 7)
        # what is kept of all answers where it can: without `of` it must be that
        for query, names in (({}, ["x", "energy"]), ({"of": "energy"}, ["energy"]),
                             ({"of": "dot(x),x"}, ["dot(x)", "x"])):
            answer = self.over_time(self.daemon, found["id"], **query).json
            self.assertEqual(list(answer["columns"]), names)
            self.assertEqual(answer["columns"][names[0]]["count"][0], 50)
        self.over_time(self.daemon, found["id"], status=400, where="member < 3")

    def test_the_command_line_tells_the_same(self):
        document = ensemble(count=3000)
        found = self.daemon.finish(document)
        told = self.over_time(self.daemon, found["id"], quantiles="0.025,0.25,0.5,0.75,0.975").json
        for threads in ("1", "3"):
            run = subprocess.run(
                [BINARY, "simulate", "-", "--threads", threads],
                input=json.dumps(document).encode(),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
            )  # fmt: skip
            self.assertEqual(run.returncode, 0, run.stderr)
            written = json.loads(run.stdout)["over_time"]
            self.assertEqual(written, {"t": told["t"], "columns": told["columns"]})

    def test_nothing_of_it_is_kept_where_it_is_not_asked_for(self):
        found = self.daemon.finish(ensemble(over_time=(), count=5))
        self.assertIn("over_time",
                      self.over_time(self.daemon, found["id"], status=409, of="x").json["detail"])


class Mistakes(OverTimeCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--max-ensemble-bytes", "1M")
        cls.addClassCleanup(cls.daemon.close)

    def test_mistakes_are_told_with_their_place(self):
        for document, pointer, part in (
            (ensemble(over_time=("x", "enrgy")), "/ensemble/over_time/1", "energy"),
            (ensemble(over_time=("x", "x")), "/ensemble/over_time/1", "twice"),
            (ensemble(over_time=("member",)), "/ensemble/over_time/0", "no column"),
            (ensemble(over_time=(3,)), "/ensemble/over_time/0", "the name of a column"),
            (ensemble(samples=1025), "/ensemble/over_time",
             "at most 1 of these columns, or 1024 samples"),
            (ensemble(samples=5000), "/ensemble/over_time", "at most 1024 samples"),
            (ensemble(count=20000, samples=100), "/ensemble", "at most"),
        ):
            answer = self.daemon.post("/v1/jobs?validate_only=true", document)
            self.assertEqual(answer.status, 422, answer)
            errors = answer.json["errors"]
            self.assertEqual([e["pointer"] for e in errors], [pointer])
            self.assertIn(part, json.dumps(errors))
        document = ensemble()
        document["ensemble"]["over_time"] = "x"
        answer = self.daemon.post("/v1/jobs", document)
        self.assertEqual((answer.status, answer.json["errors"][0]["pointer"]),
                         (422, "/ensemble/over_time"))
        document = ensemble(time={"end": 1, "every": 0.1})
        document["ensemble"]["design"]["ranges"]["time.end"] = {"from": 1, "to": 2}
        answer = self.daemon.post("/v1/jobs", document)
        self.assertEqual((answer.status, answer.json["errors"][0]["pointer"]),
                         (422, "/ensemble/over_time"))

    def test_what_it_takes_is_estimated(self):
        sizes = []
        for names in ((), ("x",), ("x", "energy")):
            answer = self.daemon.post("/v1/jobs?validate_only=true",
                                      ensemble(over_time=names, count=1024)).json
            sizes.append(answer["estimate"]["result_bytes"])
        self.assertEqual(sizes[2] - sizes[1], sizes[1] - sizes[0])
        self.assertTrue(8 * 1024 * 11 <= sizes[1] - sizes[0] <= 9 * 1024 * 11, sizes)
        limits = self.daemon.get("/v1/limits").json["limits"]
        self.assertEqual(limits["over-time"]["value"], 2048)

    def test_an_empty_list_asks_for_nothing(self):
        document = ensemble(count=3)
        document["ensemble"]["over_time"] = []
        found = self.daemon.finish(document)
        self.over_time(self.daemon, found["id"], status=409, of="x")


class Running(OverTimeCase):
    def test_workers_kills_and_shutdowns_change_no_bit(self):
        document = ensemble(count=6000, samples=4, time={"end": 40, "samples": 4})
        alone = self.start("--workers", "1")
        expected = self.over_time(alone, alone.finish(document)["id"]).body
        daemon = self.start("--workers", "2")
        identifier = daemon.submit(document)
        kills = 0
        for _ in deadline("the end of the ensemble"):
            found = daemon.get("/v1/jobs/" + identifier).json
            if found["done"]:
                break
            seen = self.over_time(daemon, identifier).json
            self.assertGreaterEqual(seen["columns"]["x"]["count"][0], seen["count"])
            if found["members"]["done"] > 1500 * (kills + 1):
                if kills % 2:
                    self.assertEqual(daemon.terminate(), 0)
                else:
                    daemon.kill()
                daemon.start()
                kills += 1
        self.assertGreaterEqual(kills, 1)
        self.assertEqual(found["state"], "succeeded", found)
        self.assertEqual(self.over_time(daemon, identifier).body, expected)
        self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + identifier).status, 204)

    def test_what_has_ended_is_told_when_it_is_cancelled(self):
        daemon = self.start("--workers", "1")
        identifier = daemon.submit(ensemble(count=1000000, samples=4,
                                            time={"end": 40, "samples": 4}))
        for _ in deadline("some members"):
            if daemon.get("/v1/jobs/" + identifier).json["members"]["done"] > 100:
                break
        daemon.request("POST", "/v1/jobs/%s/cancel" % identifier)
        found = daemon.wait_done(identifier)
        answer = self.over_time(daemon, identifier).json
        self.assertEqual(answer["count"], found["members"]["done"])
        self.assertFalse(answer["complete"])
        counts = answer["columns"]["x"]["count"]
        self.assertTrue(found["members"]["succeeded"] <= counts[
            -1] <= counts[0] <= found["members"]["done"])


if __name__ == "__main__":
    unittest.main()
