"""Ensembles as they are handed in: what is told of one that is only validated, and what is refused
where."""

import itertools
import json
import subprocess
import tempfile
import unittest

from harness import BINARY, SECONDS, Daemon, job


def design(kind, count, **members):
    ranges = {"initial.q.x": {"from": 1, "to": 2}, "time.end": {"mean": 5, "sd": 0.5, "from": 4}}
    return {"design": {"kind": kind, "count": count, "ranges": ranges, **members}}


class Submit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--max-members", "5000", "--max-ensemble-bytes", "1M")

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def validate(self, **members):
        answer = self.daemon.post("/v1/jobs?validate_only=true", job(**members))
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def refused(self, pointer, fragment, **members):
        answer = self.daemon.post("/v1/jobs", job(**members))
        self.assertEqual(answer.status, 422, answer)
        found = [e for e in answer.json["errors"] if e["pointer"] == pointer]
        self.assertTrue(found, answer.json)
        self.assertIn(fragment, found[0]["message"] + " " + found[0].get("hint", ""))
        return answer.json

    def test_the_first_and_the_last_members_are_told(self):
        vary = {"initial.q.x": [3, 1, "pi"], "time.end": {"from": 1, "to": 2, "count": 5}}
        said = self.validate(vary=vary)
        grid = list(itertools.product([3, 1, 3.141592653589793], [1, 1.25, 1.5, 1.75, 2]))
        rows = [{"member": k, "initial.q.x": x, "time.end": t} for k, (x, t) in enumerate(grid)]
        self.assertEqual(said["members"], {"count": 15, "first": rows[:3], "last": rows[-3:]})
        self.assertEqual(said["design"], {"kind": "grid", "axes": [
            {"path": "initial.q.x", "count": 3}, {"path": "time.end", "count": 5}]})

    def test_a_small_ensemble_is_told_whole(self):
        said = self.validate(vary={"initial.q.x": [3, 1], "time.end": [2, 1]},
                             ensemble={"combine": "zip"})
        rows = [{"member": 0, "initial.q.x": 3, "time.end": 2},
                {"member": 1, "initial.q.x": 1, "time.end": 1}]
        self.assertEqual(said["members"], {"count": 2, "first": rows, "last": rows})

    def test_a_seed_is_told_and_gives_the_same_members(self):
        said = self.validate(ensemble=design("sobol", 100))
        seed = said["design"]["seed"]
        again = self.validate(ensemble=design("sobol", 100, seed=seed))
        self.assertEqual(said["members"], again["members"])
        other = self.validate(ensemble=design("sobol", 100, seed=seed + 1))
        self.assertNotEqual(said["members"], other["members"])
        for member in said["members"]["first"] + said["members"]["last"]:
            self.assertTrue(1 < member["initial.q.x"] < 2 and member["time.end"] > 4, member)

    def test_saltelli_counts_members_for_each_path_and_two_more(self):
        self.assertEqual(self.validate(ensemble=design("saltelli", 100))["members"]["count"], 400)

    def test_the_cost_is_that_of_all_members(self):
        one = self.validate(time={"end": 5, "samples": 11}, analyses=[])["estimate"]
        all_of_them = self.validate(analyses=[],
                                    vary={"time.end": {"from": 5, "to": 5, "count": 1000}})[
                                        "estimate"]
        self.assertAlmostEqual(all_of_them["evaluations"] / one["evaluations"], 1000, delta=1)
        self.assertEqual(all_of_them["result_bytes"], 1000 * 8 * all_of_them["columns"])
        kept = self.validate(time={"every": 0.5, "end": 5},
                             vary={"time.end": [5, 10]}, ensemble={"keep": "trajectories"})
        self.assertEqual(kept["estimate"]["samples"], 16)

    def test_samples_without_end_within_a_step_do_not_keep_the_estimate(self):
        for ends in ([1, 1e9], [1e9, 1]):
            said = self.validate(time={"end": 1, "every": 1e-3},
                                 initial={}, analyses=[], vary={"time.end": ends})
            self.assertEqual(said["members"]["count"], 2)
            self.assertGreater(said["estimate"]["evaluations"], 0)

    def test_members_that_cannot_start_are_told_before(self):
        off = {"coordinates": ["x", "y"], "lagrangian": "dot(x)^2 + dot(y)^2",
               "constraints": ["x^2 + y^2 = 1"]}
        for values, warning in (
            ([2, 2, 2], "3 of 3 tested members cannot start, the first of them "
                        "member 0: the "
                                            "constraint c1 is violated by 3 (relative 0.6) at the "
                                            "initial state"),
                                ([1, 2, 1], "1 of 3 tested members cannot start, the "
                                            "first of them member 1: the "
                                            "constraint c1 is violated by 3 (relative 0.6) at the "
                                            "initial state")):
            said = self.validate(model=off, initial={}, vary={"initial.q.x": values})
            self.assertEqual(said["warnings"], [warning])
            self.assertEqual(said["estimate"]["evaluations"] is None, 1 not in values)

    def test_too_many_members_are_refused(self):
        limits = self.daemon.get("/v1/limits").json["limits"]
        self.assertEqual(limits["max-members"]["value"], 5000)
        self.assertEqual(limits["max-ensemble-bytes"]["value"], 1 << 20)
        huge = {"from": 1, "to": 2, "count": 10**9}
        self.refused("/vary", "more than 5000 members",
                     vary={"initial.q.x": huge, "time.end": huge})
        self.refused("/ensemble/design", "more than 5000 members", ensemble=design("lhs", 10**9))
        self.refused("/ensemble/design", "more than 5000 members",
                     ensemble=design("saltelli", 2**53))
        self.refused("/ensemble", "bytes", time={"end": 1, "samples": 1000},
                     vary={"initial.q.x": {"from": 1, "to": 2, "count": 100}},
                     ensemble={"keep": "trajectories"})

    def test_wrong_designs_are_refused_at_their_place(self):
        self.refused("/vary", "nothing is varied", vary={})
        self.assertEqual(len(self.refused("/vary", "nothing is varied",
                                          vary={}, ensemble={"keep": "events"})["errors"]), 1)
        self.refused("/vary", "nothing is varied", vary={}, ensemble=design("lhs", 2))
        self.refused("/vary", "leave one of them out", vary={},
                     ensemble={"members_of": {"job": "any"}})
        self.refused("/vary/parameters.nix", "nix", vary={"parameters.nix": [1]})
        self.refused("/vary/initial.q.nix", "nix", vary={"initial.q.nix": [1]})
        self.refused("/vary/integrator.rtol", "no number that can be varied",
                     vary={"integrator.rtol": [1e-9]})
        for path, value in (("model.lagrangian", ["x"]), ("model.lagrangian", []),
                            ("integrator.method", {"from": 1}), ("x", "y")):
            said = self.refused("/vary/" + path, '"%s" is no number that can be varied' % path,
                                vary={path: value})
            self.assertEqual(len(said["errors"]), 1, said)
        self.refused("/ensemble/design/columns/formulation", "no number that can be varied",
                     ensemble={"design": {"kind": "table", "columns": {"formulation": ["hamel"]}}})
        self.refused("/vary/initial.q.x/0", "long", vary={"initial.q.x": ["long"]})
        self.refused("/vary/time.end", "no end to vary", time={"at": [1, 2]},
                     vary={"time.end": [1]})
        self.refused("/ensemble/design/count", "not 0", ensemble=design("uniform", 0))
        self.refused("/ensemble/design/ranges/parameters.nix", "nix",
                     ensemble={"design": {"kind": "lhs", "count": 2,
                                          "ranges": {"parameters.nix": {"from": 1, "to": 2}}}})
        self.refused("/ensemble/reduce/a/of", "nix", vary={"initial.q.x": [1]},
                     ensemble={"reduce": {"a": {"take": "max", "of": "nix"}}})

    def test_conditions_of_labels_are_read_by_themselves(self):
        for text, message in (("nix < 0", 'unknown name "nix" at column 1'),
                              ("x <", "at the end, at column 4"),
                              ("x", "needs a condition, not the number at column 1"),
                              ("x < 0, 1, 2) + if(x < 1", "column 6")):
            label = {"take": "label", "when": [[text, 1]]}
            self.refused("/ensemble/reduce/a/when/0/0", message,
                         vary={"initial.q.x": [1]}, ensemble={"reduce": {"a": label}})

    def test_the_command_line_has_the_bytes_of_the_service(self):
        document = job(ensemble={**design("lhs", 300),
                                 "reduce": {"far": {"take": "max", "of": "x"}}})
        identifier = self.daemon.finish(document)["id"]
        table = self.daemon.get("/v1/jobs/%s/result" % identifier, {"Accept": "text/csv"}).body
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            for threads in "1", "3":
                subprocess.run([BINARY, "simulate", "-", "-o", file.name, "--threads", threads],
                               input=json.dumps(document).encode(),
                               check=True, capture_output=True, timeout=SECONDS)
                with open(file.name, "rb") as written:
                    self.assertEqual(written.read(), table)


if __name__ == "__main__":
    unittest.main()
