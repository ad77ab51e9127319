"""Ensembles of the members of another one: which, with what changed, and what becomes of them
without it."""

import json
import unittest

from harness import Daemon, job


def ensemble(**changes):
    return job(
        time={"end": 1, "samples": 6},
        observe={"speed": "abs(dot(x))", "twice": "2*x"},
        labels={"round": "first"},
        ensemble={
            "design": {
                "kind": "lhs",
                "count": 40,
                "seed": 7,
                "ranges": {"initial.q.x": {"mean": 1, "sd": 0.3},
                           "parameters.k": {"from": 4, "to": 9}},
            },
            "reduce": {"lowest": {"of": "x", "take": "min"}},
        },
        **changes,
    )


def of(identifier, where=None, **changes):
    members = {"job": identifier, "where": where} if where else {"job": identifier}
    return dict(changes, ensemble=dict(changes.get("ensemble", {}), members_of=members))


class MembersOf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.close)
        cls.first = cls.daemon.finish(ensemble())
        cls.rows = cls.series(cls.first["id"])

    @classmethod
    def series(cls, identifier, rest="result"):
        return cls.daemon.get("/v1/jobs/%s/%s" % (identifier, rest)).json["series"]

    def refused(self, document, status, pointer, part, query=""):
        answer = self.daemon.post("/v1/jobs" + query, document)
        self.assertEqual(answer.status, status, answer)
        self.assertEqual([e["pointer"] for e in answer.json["errors"]], [pointer], answer)
        self.assertIn(part, json.dumps(answer.json))
        return answer.json

    def test_members_that_satisfy_a_condition_run_again_with_the_same_inputs(self):
        low = sorted(self.rows["lowest"])[10]
        chosen = [k for k in range(40) if self.rows["lowest"][k] < low]
        found = self.daemon.finish(of(self.first["id"], "lowest < %r" % low))
        self.assertEqual(found["members"], {"total": 10, "done": 10, "succeeded": 10, "failed": 0})
        self.assertEqual(found["labels"], {"round": "first"})
        self.assertEqual(found["design"]["of"],
                         {"job": self.first["id"], "where": "lowest < %r" % low})
        again = self.series(found["id"])
        self.assertEqual(again["of.member"], chosen)
        for name, values in self.rows.items():
            if name != "member":
                self.assertEqual(again[name], [values[k] for k in chosen], name)
        # one of them alone, and a condition over the new column
        member = self.daemon.get("/v1/jobs/%s/members/3" % found["id"]).json
        old = self.daemon.get("/v1/jobs/%s/members/%d" % (self.first["id"], chosen[3])).json
        self.assertEqual(member["job"], old["job"])
        path = "/v1/jobs/%s/members?where=of.member%%3D%%3D%d" % (found["id"], chosen[3])
        self.assertEqual(self.daemon.get(path).json["series"]["member"], [3])

    def test_what_the_document_says_replaces_what_was(self):
        changes = {
            "time": {"end": 2},
            "integrator": {"rtol": 1e-12},
            "observe": {"speed": None, "third": "x/3"},
            "labels": {"round": "second"},
            "model": {"parameters": {"m": 3}},
            "ensemble": {"keep": "trajectories", "reduce": {"highest": {"of": "x", "take": "max"}}},
        }
        found = self.daemon.finish(of(self.first["id"], "member < 3", **changes))
        self.assertEqual(found["state"], "succeeded", found)
        self.assertEqual(found["labels"], {"round": "second"})
        rows = self.series(found["id"])
        self.assertEqual(rows["initial.q.x"], self.rows["initial.q.x"][:3])
        self.assertEqual(set(rows["final.t"]), {2})
        self.assertIn("lowest", rows)
        self.assertIn("highest", rows)
        posted = self.daemon.get("/v1/jobs/%s/request" % found["id"]).json
        self.assertEqual(posted["time"], {"end": 2, "samples": 6})
        self.assertEqual(posted["observe"], {"twice": "2*x", "third": "x/3"})
        self.assertEqual(posted["model"]["parameters"], {"m": 3, "k": 8})
        self.assertNotIn("members_of", posted["ensemble"])
        table = self.series(found["id"], "members/2/result")
        self.assertEqual(len(table["t"]), 6)
        alone = self.daemon.get("/v1/jobs/%s/members/2" % found["id"]).json["job"]
        result = self.series(self.daemon.finish(alone)["id"])
        self.assertEqual(result["third"], table["third"])
        # the request stands by itself
        answer = self.daemon.post("/v1/jobs?validate_only=true", posted)
        self.assertEqual((answer.status, answer.json["members"]["count"]), (200, 3), answer)

    def test_it_needs_the_other_job_no_more(self):
        first = self.daemon.finish(ensemble(cache=False))
        document = of(first["id"], "member > 30")
        headers = {"Idempotency-Key": "members-of"}
        answer = self.daemon.post("/v1/jobs?wait=60", document, headers)
        second = self.daemon.wait_done(answer.json["id"])
        self.assertEqual(self.daemon.request("DELETE", "/v1/jobs/" + first["id"]).status, 204)
        replayed = self.daemon.post("/v1/jobs", document, headers)
        self.assertEqual((replayed.status, replayed.json["id"]), (202, second["id"]), replayed)
        # of members of members: the numbers are those in the job that was named
        third = self.daemon.finish(of(second["id"], "of.member >= 35"))
        rows = self.series(third["id"])
        self.assertEqual(rows["of.member"], [4, 5, 6, 7, 8])
        self.assertEqual(rows["initial.q.x"], self.rows["initial.q.x"][35:])
        self.assertEqual(third["design"]["of"]["job"], second["id"])

    def test_all_members_are_meant_without_a_condition(self):
        answer = self.daemon.post(
            "/v1/jobs?validate_only=true", of(self.first["id"], ensemble={"over_time": ["x"]})
        ).json
        self.assertEqual(answer["members"]["count"], 40)
        last = answer["members"]["last"][2]
        self.assertEqual(last["of.member"], 39)
        self.assertEqual(last["parameters.k"], self.rows["parameters.k"][39])

    def test_of_a_model_that_is_stored_and_deleted(self):
        model = dict(job()["model"], name="a model to be deleted")
        identifier = self.daemon.post("/v1/models", model).json["id"]
        first = self.daemon.finish(ensemble(model={"id": identifier}))
        self.assertEqual(first["state"], "succeeded", first)
        self.assertEqual(self.daemon.request("DELETE", "/v1/models/" + identifier).status, 204)
        found = self.daemon.finish(of(first["id"], "member == 5"))
        self.assertEqual(found["model"]["id"], identifier)
        self.assertEqual(self.series(found["id"])["lowest"], self.rows["lowest"][5:6])
        # and another one instead
        other = self.daemon.post("/v1/models", dict(model, name="another model")).json["id"]
        found = self.daemon.finish(of(first["id"], "member == 5", model={"id": other}))
        self.assertEqual(found["model"]["id"], other)
        self.assertEqual(self.series(found["id"])["lowest"], self.rows["lowest"][5:6])

    def test_failed_ones_can_be_run_again_with_their_origin(self):
        document = of(self.first["id"], "member < 4", integrator={"max_steps": 3, "rtol": 1e-10})
        found = self.daemon.finish(document)
        self.assertEqual(found["members"]["failed"], 4)
        again = self.daemon.request("POST", "/v1/jobs/%s/rerun?wait=60" % found["id"]).json
        self.assertEqual(again["design"]["of"], found["design"]["of"])
        self.assertEqual(self.series(again["id"])["of.member"], [0, 1, 2, 3])

    def test_mistakes_are_told_with_their_place(self):
        place = "/ensemble/members_of"
        plain = self.daemon.finish(job())["id"]
        unknown = "01a20618-0000-7000-8000-000000000000"
        for query in ("", "?validate_only=true"):
            self.refused(of(unknown, "member < 3"), 404, place + "/job", "no job", query)
            self.refused(of(plain), 422, place + "/job", "not an ensemble", query)
            self.refused(of(self.first["id"], "member > 99"),
                         422, place + "/where", "no member", query)
            found = self.refused(of(self.first["id"], "member < 9 and lowst < 1"),
                                 422, place + "/where", "lowest", query)
            self.assertEqual(found["errors"][0]["offset"], 15)
            self.refused(of(self.first["id"], "lowest"), 422,
                         place + "/where", "needs a condition", query)
        for document, pointer, part in (
            ({"ensemble": {"members_of": 3}}, place, "an object"),
            ({"ensemble": {"members_of": {"where": "x"}}}, place, "missing"),
            ({"ensemble": {"members_of": {"job": 3}}}, place + "/job", "the id of a job"),
            ({"ensemble": {"members_of": {"job": plain, "were": "x"}}}, place + "/were", "where"),
            (of(self.first["id"], vary={"parameters.m": [1]}), "/vary", "members_of"),
            (of(self.first["id"], ensemble={"design": {}}), "/ensemble/design", "members_of"),
            (of(self.first["id"], ensemble={"combine": "zip"}), "/ensemble/combine", "members_of"),
            (of(self.first["id"], ensemble={"kep": 1}), "/ensemble/kep", "keep"),
            (of(self.first["id"], integrator={"rtol": -1}), "/integrator/rtol", "rtol"),
        ):
            self.refused(document, 422, pointer, part)
        running = self.daemon.submit(job(
            time={"end": 1e7, "samples": 2},
            integrator={"max_steps": 900000000},
            vary={"initial.q.x": [1, 2]},
        ))  # fmt: skip
        self.refused(of(running), 409, place + "/job", "not_ready")
        self.daemon.request("POST", "/v1/jobs/%s/cancel" % running)
        self.daemon.wait_done(running)

    def test_an_escaped_name_is_the_same_name(self):
        text = json.dumps(of(self.first["id"],
                             "member == 1")).replace("members_of", "m\\u0065mbers_of")
        answer = self.daemon.request("POST", "/v1/jobs?validate_only=true", text.encode())
        self.assertEqual((answer.status, answer.json["members"]["count"]), (200, 1), answer)

    def test_a_table_may_carry_numbers_of_members(self):
        document = ensemble()
        design = {"kind": "table", "columns": {"of.member": [4, 2], "parameters.k": [5, 6]}}
        document["ensemble"]["design"] = design
        found = self.daemon.finish(document)
        self.assertEqual(self.series(found["id"])["of.member"], [4, 2])
        self.assertNotIn("of", found["design"])
        for bad, pointer in (
            ({"of.member": [1.5, 2], "parameters.k": [5, 6]}, "/ensemble/design/columns/of.member"),
            ({"of.member": [-1, 2], "parameters.k": [5, 6]}, "/ensemble/design/columns/of.member"),
        ):
            document["ensemble"]["design"] = dict(design, columns=bad)
            self.refused(document, 422, pointer, "integers")
        del document["ensemble"]["design"]
        self.refused(dict(document, vary={"of.member": [1]}),
                     422, "/vary/of.member", "only a table")


if __name__ == "__main__":
    unittest.main()
