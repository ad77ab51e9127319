"""initial.hold: members are assembled around the values that they hold, and the answer tells what
was moved."""

import math
import unittest

from harness import DaemonCase, job

CRANK = {
    "coordinates": [{"name": "th", "unit": "deg"}, {"name": "x", "unit": "cm"}],
    "parameters": {"r": {"value": 1, "unit": "m"}, "l": {"value": 3, "unit": "m"},
                   "J": {"value": 1, "unit": "m^2"}},
    "lagrangian": "J*dot(th)^2/2 + dot(x)^2/2",
    "constraints": ["(x - r*cos(th))^2 + (r*sin(th))^2 = l^2"],
}


def slider(degrees):
    """In cm."""
    th = math.radians(degrees)
    return 100 * (math.cos(th) + math.sqrt(9 - math.sin(th) ** 2))


def held(initial=(), **changes):
    start = dict({"q": {"th": 40, "x": 350}, "consistency": "project", "hold": ["th"]},
                 **dict(initial))
    return job(model=CRANK, initial=start, time={"end": 0.01, "samples": 2}, **changes)


class Hold(DaemonCase):
    def test_the_answer_tells_what_was_moved_in_units_of_the_columns(self):
        found = self.daemon.finish(held())
        change = self.diagnostics(found)["initial"]["change"]
        self.assertEqual(list(change), ["x"])
        self.assertAlmostEqual(change["x"], slider(40) - 350, delta=1e-10)
        series = self.daemon.get(found["links"]["result"]).json["series"]
        self.assertEqual(series["th"][0], 40)
        self.assertAlmostEqual(series["x"][0], slider(40), delta=1e-10)

    def test_members_are_assembled_each_with_its_values(self):
        angles = [10 * k for k in range(37)]
        reduce = {"start": {"of": "x", "take": "max"}}
        # the document itself has no value of what is held
        document = held({"q": {"x": 350}}, vary={"initial.q.th": angles},
                        ensemble={"reduce": reduce, "keep": "trajectories"})
        found = self.daemon.finish(document)
        self.assertEqual(found["state"], "succeeded", found)
        self.assertEqual(found["members"]["failed"], 0)
        for k in (0, 7, 36):
            series = self.daemon.get("/v1/jobs/%s/members/%d/result"
                                     % (found["id"], k)).json["series"]
            self.assertEqual(series["th"][0], angles[k])
            self.assertAlmostEqual(series["x"][0], slider(angles[k]), delta=1e-10)
            # the same bits alone
            alone = self.daemon.finish(held({"q": {"x": 350, "th": angles[k]}}))
            self.assertEqual(self.daemon.get(alone["links"]["result"]).json["series"]["x"],
                             series["x"])

    def test_a_member_that_cannot_be_assembled_fails_alone(self):
        found = self.daemon.finish(held(vary={"parameters.r": [1, 5]}, ensemble={}))
        states = self.daemon.get("/v1/jobs/%s/members?columns=state"
                                 % found["id"]).json["series"]["state"]
        self.assertEqual(states, ["succeeded", "failed"])

    def test_what_cannot_be_held_is_told_at_its_place(self):
        for initial, pointer, words in (
            ({"hold": ["th", "y"]}, "/initial/hold/1", "unknown coordinate"),
            ({"hold": ["th"], "q": {"x": 350}}, "/initial/hold/0", "has no value"),
            ({"consistency": "require", "q": {"x": 400}}, "/initial/hold/0", "held"),
            ({"hold": ["th", "x"]}, "/initial/hold/1", "violated"),
            ({"hold": "th"}, "/initial/hold", "list"),
        ):
            answer = self.daemon.post("/v1/jobs", held(initial))
            self.assertEqual(answer.status, 422, answer)
            mistakes = {m["pointer"]: m["message"] for m in answer.json["errors"]}
            self.assertIn(pointer, mistakes)
            self.assertIn(words, mistakes[pointer])
        answer = self.daemon.post("/v1/jobs", held(parameters={"r": 5}))
        self.assertEqual(answer.status, 422, answer)
        self.assertEqual([m["pointer"] for m in answer.json["errors"]], ["/initial/hold"])
        self.assertIn("c1 is violated by", answer.json["errors"][0]["message"])


if __name__ == "__main__":
    unittest.main()
