"""Events, impacts, corners and new choices of dependent velocities at one and the same instant, at
the start and at the end: nothing is lost, nothing is told twice, and every method says the same."""

import math
import unittest

from harness import DaemonCase

METHODS = ({"method": "dop853"}, {"method": "bdf"}, {"method": "rk4", "step": 0.01})
FREE = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2"}
FALL = "dot(y)^2/2 - 9.81*y"
KNIFE = {"coordinates": ["x", "y", "th"], "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(th)^2)/2",
         "constraints": ["dot(y)*cos(th) - dot(x)*sin(th) = 0"]}
PLANE = {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2"}


class Coincidences(DaemonCase):
    def run_all(self, check, state="succeeded", **document):
        """Runs it by each method; check(final, rows of each event, diagnostics, job)."""
        for integrator in METHODS:
            with self.subTest(**integrator):
                answer = self.daemon.post("/v1/jobs?wait=30", dict(document, integrator=integrator))
                self.assertEqual(answer.status, 200, answer)
                job = answer.json
                self.assertEqual(job["state"], state, job)
                diagnostics = self.diagnostics(job)
                rows = {e["name"]: self.rows(job, e["name"]) for e in document.get("events", ())}
                final = diagnostics["final"]
                check(final["q"] + final["v"], rows, diagnostics, job)

    def rows(self, job, name):
        table = self.daemon.get("%s?table=%s" % (job["links"]["result"], name)).json
        return len(table["series"]["t"])

    def test_two_balls_bounce_together(self):
        def check(final, rows, *_):
            self.assertEqual(rows, {"a": 5, "b": 5})
            self.assertAlmostEqual(final[0], 0.69244848, 6)
            self.assertAlmostEqual(final[1], 0.69244848, 6)

        events = [{"name": n, "when": q, "direction": "falling",
                   "set": {"dot(%s)" % q: "-0.9*dot(%s)" % q}}
                  for n, q in (("a", "y"), ("b", "z"))]
        self.run_all(check, model={"coordinates": ["y", "z"],
                                   "lagrangian": FALL + " + dot(z)^2/2 - 9.81*z"},
                     initial={"q": {"y": 2, "z": 2}}, time={"end": 5, "samples": 3}, events=events)

    def test_a_recorded_root_at_an_impact_is_recorded(self):
        hit = {"name": "hit", "when": "y", "direction": "falling", "set": {"dot(y)": "-0.9*dot(y)"}}
        self.run_all(lambda final, rows, *_:
                     self.assertEqual(rows, {"hit": 10, "rec": 10, "any": 10}),
                     model={"coordinates": ["y"], "lagrangian": FALL}, initial={"q": {"y": 2}},
                     time={"end": 8, "samples": 3},
                     events=[hit, {"name": "rec", "when": "y", "direction": "falling"},
                             {"name": "any", "when": "y"}])
        self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"kick": 1, "rec": 1}),
                     model=FREE, initial={"v": {"x": 1}}, time={"end": 3, "samples": 3},
                     events=[{"name": "kick", "when": "t - 1", "set": {"dot(x)": "2"}},
                             {"name": "rec", "when": "x - 1"}])

    def test_a_root_at_the_end_counts(self):
        self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"there": 1, "then": 1}),
                     model=FREE, initial={"v": {"x": 1}}, time={"end": 1, "samples": 3},
                     events=[{"name": "there", "when": "x - 1"},
                             {"name": "then", "when": "t - 1", "terminal": True}])

    def test_a_root_at_the_end_counts_late_too(self):
        """At t = 1e6 rounding of t asks for longer differences than the guard turns in."""
        for guard in ("sin(14*pi*(t - 1e6))", "sin(14*pi*t)", "sin(14*pi*x)"):
            self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"mark": 14}, guard),
                         model=FREE, initial={"t": 1e6, "v": {"x": 1}},
                         time={"end": 1e6 + 1, "samples": 3},
                         events=[{"name": "mark", "when": guard}])

    def test_a_body_held_by_friction_does_not_run_away(self):
        def check(final, rows, diagnostics, job):
            self.assertRegex(diagnostics["message"], "chattering.* end the motion")
            self.assertLess(abs(final[1]), 1e-9)

        held = dict(FREE, forces={"x": "1 - 2*sign(dot(x))"})
        self.run_all(check, "failed", model=held, initial={}, time={"end": 4, "samples": 3})
        self.run_all(check, "failed", model=held, initial={"q": {"x": -1}, "v": {"x": 2}},
                     time={"end": 4, "samples": 3},
                     events=[{"name": "stop", "when": "x", "direction": "rising",
                              "set": {"dot(x)": "0"}}])

    def test_friction_in_the_plane_ends_where_it_comes_to_rest(self):
        """-v/|v| has no value at v = 0, and leads back there from all sides; of a cone of
        velocities so has the rate."""
        speed = "hypot(dot(x), dot(y))"
        sliding = dict(PLANE, parameters={"mu": 1},
                       forces={q: "-mu*dot(%s)/%s" % (q, speed) for q in "xy"})
        climbing = {"coordinates": ["x", "y", "z"],
                    "lagrangian": PLANE["lagrangian"] + " + dot(z)^2/2 - 9.81*z",
                    "constraints": ["dot(z) = 1.3*" + speed]}
        start = {"v": {"x": 0.6, "y": 0.8}}
        for model, formulation, rest in ((sliding, "lagrange-dalembert", 1),
                                         (sliding, "hamiltonian", 1),
                                         (climbing, "voronec", (1 + 1.3**2)/(9.81*1.3))):
            job = self.daemon.post("/v1/jobs?wait=30",
                                   dict(model=model, formulation=formulation, initial=start,
                                                            time={"end": 3, "samples": 31})).json
            diagnostics = self.diagnostics(job)
            self.assertEqual((job["state"], job["error"]["code"]), ("failed", "numeric"), job)
            self.assertRegex(diagnostics["message"], "the motion stays where it is.*terminal event")
            self.assertAlmostEqual(diagnostics["t_reached"], rest, 7)
            self.assertLess(diagnostics["steps"]["accepted"], 5000)
        # members of an ensemble end as they do alone
        job = self.daemon.post("/v1/jobs?wait=30", dict(
            model=sliding, initial=start, time={"end": 3, "samples": 2},
            vary={"parameters.mu": [0.1, 0.5, 1, 2]})).json
        rows = self.daemon.get(job["links"]["self"] + "/members").json["series"]
        self.assertEqual(rows["reason"], [None, "numeric", "numeric", "numeric"])

    def test_a_corner_where_dependent_velocities_are_chosen_anew(self):
        for force in ("if(t < pi/3, 1, -1)", "if(cos(th) > 0.5, 1, -1)"):
            self.run_all(lambda final, rows, diagnostics, *_:
                         self.assertLess(diagnostics["compare"][0]["max_relative"], 1e-6),
                         model=dict(KNIFE, forces={"x": force}), initial={"v": {"x": 1, "th": 1}},
                         time={"end": 6, "samples": 7}, formulation="voronec", compare=["hamel"])

    def test_an_impact_that_leaves_a_corner_leaves_its_branch(self):
        self.run_all(lambda final, rows, *_: self.assertLess(math.dist(final, (-0.5, 1)), 1e-6),
                     model=dict(FREE, forces={"x": "if(x < 0, 0, -1)"}),
                     initial={"q": {"x": -1}, "v": {"x": 1}}, time={"end": 3.5, "samples": 9},
                     events=[{"name": "back", "when": "x", "direction": "rising",
                              "set": {"x": "-3"}}])

    def test_a_multiplier_that_jumps_through_zero_is_a_root(self):
        ground = dict(PLANE, lagrangian=PLANE["lagrangian"] + " - 9.81*y",
                      constraints=[{"name": "ground", "equation": "y = 0"}])
        lift = {"name": "off", "when": "multiplier(ground)",
                "direction": "falling", "terminal": True}
        self.run_all(lambda final, rows, diagnostics, *_:
                     self.assertAlmostEqual(diagnostics["t_reached"], 1, 15),
                     model=dict(ground, forces={"y": "if(t < 1, 0, 20)"}), initial={"v": {"x": 1}},
                     time={"end": 5, "samples": 3}, events=[lift])
        self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"zero": 2}),
                     model=dict(ground, forces={"y": "if(t < 1, 0, 20 - 10*(t - 1))"}),
                     initial={"v": {"x": 1}}, time={"end": 5, "samples": 3},
                     events=[{"name": "zero", "when": "multiplier(ground)"}])

    def test_a_shock_is_none_for_a_motion_that_does_not_pass_it(self):
        ramp = dict(PLANE, constraints=["y = max(0, t - 1)"])
        there = dict(model=ramp, initial={"v": {"x": 1}})
        self.run_all(lambda *_: None, time={"end": 1, "samples": 3}, **there)
        self.run_all(lambda *_: None, time={"end": 3, "samples": 3},
                     events=[{"name": "e", "when": "t - 1", "terminal": True}], **there)
        back = {"name": "w", "when": "x", "direction": "falling", "set": {"dot(x)": "-dot(x)"}}
        self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"w": 2}),
                     model={"coordinates": ["x"],
                            "lagrangian": "if(x > 0, 1, 2)*dot(x)^2/2 - 9.81*x"},
                     initial={"q": {"x": 1}}, time={"end": 2, "samples": 5}, events=[back])
        self.run_all(lambda final, *_:
                     self.assertLess(math.dist(final, (0.75, 0.75, 0.5, 0.5)), 1e-6),
                     model=dict(PLANE, lagrangian=PLANE["lagrangian"] + " - x",
                                constraints=["y = if(x > 0, x, -2*x)"]),
                     initial={"q": {"x": 1, "y": 1}}, time={"end": 3, "samples": 5},
                     events=[dict(back, set={"dot(x)": "-dot(x)", "dot(y)": "-dot(y)"})])

    def test_steep_is_no_shock_and_units_do_not_hide_one(self):
        self.run_all(lambda *_: None,
                     model=dict(PLANE, constraints=[
                         "y = max(0, t - 1)^2/0.008 - max(0, t - 1.004)^2/0.008"]),
                     initial={"v": {"x": 1}}, time={"end": 1e7, "samples": 2},
                     events=[{"name": "w", "when": "x - 10", "terminal": True}])
        self.run_all(lambda final, rows, diagnostics, job:
                     self.assertIn("the momentum of x jumps", diagnostics["message"]), "failed",
                     model={"coordinates": ["x"],
                            "lagrangian": "1e-6*(dot(x)^2/2 - x^2/2 + 0.3*abs(dot(x)))"},
                     initial={"q": {"x": 1}}, time={"end": 4, "samples": 5})

    def test_a_corner_that_another_one_makes_jump(self):
        for force, x, v, end in (("sign(if(t < 1, -1, 0.5 + 0.1*x))", 3, -1, (0, -1)),
                                 ("max(x, if(t < 1, 0.5, -5))", -1, -2, (-5.9997917, -5.4484318))):
            self.run_all(lambda final, *_: self.assertLess(math.dist(final, end), 1e-6),
                         model=dict(FREE, forces={"x": force}),
                         initial={"q": {"x": x}, "v": {"x": v}},
                         time={"end": 2, "samples": 2})

    def test_a_step_that_was_taken_back_is_no_measure_of_a_corner(self):
        """In a well of 1e-6 a first trial step leads to x = 1e8: rounding there is none where the
        motion is."""
        width, depth = 1e-6, 4
        answer = self.daemon.post("/v1/jobs?wait=30", {
            "model": {"coordinates": ["x"], "parameters": {"w": width, "h": depth},
                      "lagrangian": "dot(x)^2/2 + h*max(0, 1 - abs(x - 3)/w)"},
            "initial": {"v": {"x": 1}}, "time": {"end": 10, "samples": 2}})
        diagnostics = self.diagnostics(answer.json)
        across = 4*width/(1 + math.sqrt(1 + 2*depth))
        self.assertEqual(answer.json["warnings"], [], answer)
        self.assertLess(math.dist(diagnostics["final"]["q"] + diagnostics["final"]["v"],
                                  (10 + 2*width - across, 1)), 1e-9)

    def test_an_estimate_that_vanishes_by_accident_is_not_believed(self):
        """The first step tried in the window at which its error is about the tolerance is one at
        which its estimate changes its sign."""
        for height in (0.19, 0.2, 0.21):
            job = self.daemon.post("/v1/jobs?wait=30", {
                "model": {"coordinates": ["x"],
                          "lagrangian":
                          "dot(x)^2/2 - %g*max(0, 1 - ((x - 1.9)/1e-3)^2)^3" % height},
                "initial": {"v": {"x": 1}}, "time": {"end": 5, "samples": 2},
                "integrator": {"rtol": 1e-9}}).json
            self.assertAlmostEqual(self.diagnostics(job)["final"]["v"][0], 1, 8)

    def test_impacts_at_jumps_of_their_guards(self):
        def check(final, rows, *_):
            self.assertEqual(rows, {"a": 16, "b": 16})
            self.assertAlmostEqual(final[0], final[1], 6)

        self.run_all(check, initial={"q": {"x": 1, "y": 1}}, time={"end": 3, "samples": 3},
                     model=dict(PLANE, lagrangian=PLANE["lagrangian"] + " - 9.81*x - 9.81*y"),
                     events=[{"name": n, "when": "sign(dot(%s) + 1)" % q, "direction": "falling",
                              "set": {"dot(%s)" % q: "-0.8*dot(%s)" % q}}
                             for n, q in (("a", "x"), ("b", "y"))])

    def test_a_root_is_aimed_at_only_so_often(self):
        model = {"coordinates": ["x"], "parameters": {"u": 1e6},
                 "lagrangian": "dot(x)^2/2 - x^2/2 - 0.3*u^2*if(min(0, x/u) > 0, 0.7, x/u - t)"}
        answer = self.daemon.post("/v1/jobs?wait=30", {
            "model": model, "initial": {"q": {"x": 1e6}, "v": {"x": 1e6}},
            "time": {"end": -2, "samples": 2},
            "integrator": {"atol": 1e-6, "max_steps": 20000}})
        self.assertEqual(answer.json["state"], "succeeded", answer)

    def test_recorded_roots_beside_an_undefined_side(self):
        self.run_all(lambda final, rows, *_: self.assertEqual(rows, {"b": 3, "e": 6, "p": 6}),
                     model=dict(FREE, lagrangian="dot(x)^2/2 - 2*x"), initial={"q": {"x": 1}},
                     time={"end": 6, "samples": 3},
                     events=[{"name": "b", "when": "x", "direction": "falling",
                              "set": {"dot(x)": "-dot(x)"}},
                             {"name": "e", "when": "sqrt(x) - 0.1"},
                             {"name": "p", "when": "x - 0.01"}])

    def test_a_root_where_a_corner_breaks_again_and_again(self):
        answer = self.daemon.post("/v1/jobs?wait=30", {
            "model": dict(FREE, lagrangian="dot(x)^2/2 - 9.81*x",
                          forces={"x": "-0.5*abs(sign(x))"}),
            "initial": {"v": {"x": 1}}, "time": {"end": 2, "samples": 2},
            "integrator": {"method": "rk4", "step": 0.01}, "events": [{"name": "e", "when": "x"}]})
        self.assertEqual(self.rows(answer.json, "e"), 1)

    def test_an_event_that_ceases_to_be_defined_just_past_its_root(self):
        for floor in ("sqrt(y) - 0.01", "log(y) - log(0.0001)"):
            self.run_all(lambda final, rows, *_: self.assertAlmostEqual(final[0], 0.0001, 9),
                         model={"coordinates": ["y"], "lagrangian": FALL}, initial={"q": {"y": 1}},
                         time={"end": 2, "samples": 3},
                         events=[{"name": "floor", "when": floor, "terminal": True}])

        def check(final, rows, diagnostics, job):
            self.assertEqual(rows, {"r": 3, "s": 3})
            self.assertIn("the event r was not finite at t = 1.", job["warnings"][0])

        self.run_all(check, model=dict(FREE, lagrangian="dot(x)^2/2 - x^2/2"),
                     initial={"q": {"x": 1}},
                     time={"end": 10, "samples": 3},
                     events=[{"name": "r", "when": "sqrt(x) - 0.1"},
                             {"name": "s", "when": "x - 0.01"}])

    def test_clocks_tick_exactly_and_beside_all_else(self):
        def check(final, rows, diagnostics, job):
            self.assertEqual(rows, {"sampled": 50, "halves": 20, "twice": 2, "when": 20})
            times = self.daemon.get("%s?table=sampled" % job["links"]["result"]).json["series"]["t"]
            self.assertEqual(times, [(k + 1) * 0.1 for k in range(50)])
            self.assertAlmostEqual(final[0], 20 / 2 + 2 * 7, 9)

        self.run_all(check, model={"coordinates": ["x", "u"],
                                   "lagrangian": "dot(x)^2/2 + dot(u)^2/2"},
                     initial={"v": {"u": 1}}, time={"end": 5, "samples": 3},
                     events=[{"name": "sampled", "every": 0.1},
                             {"name": "halves", "every": 0.25, "set": {"x": "x + 1/2"}},
                             {"name": "twice", "at": [1, "pi"], "set": {"x": "x + 7"}},
                             {"name": "when", "when": "sin(4*pi*t)"}])

    def test_clocks_that_differ_by_rounding_tick_together(self):
        # 3*0.1 is not 0.3; a root is there too
        def check(final, rows, diagnostics, job):
            self.assertEqual(rows, {"tenths": 100, "thirds": 33, "root": 100})
            for name, every in (("tenths", 0.1), ("thirds", 0.3)):
                times = self.daemon.get("%s?table=%s" % (job["links"]["result"], name)).json[
                    "series"]["t"]
                self.assertEqual(times, [(k + 1) * every for k in range(rows[name])])
            self.assertLessEqual(diagnostics["steps"]["accepted"], 1000)

        self.run_all(check, model=FREE, initial={}, time={"end": 10, "samples": 3},
                     events=[{"name": "tenths", "every": 0.1}, {"name": "thirds", "every": 0.3},
                             {"name": "root", "when": "sin(10*pi*t)"}])

    def test_a_clock_may_begin_later(self):
        clocks = [("early", 0.5, 0.125, 10), ("late", 0.1, 4.95, 1),
                  ("usual", 0.1, 0, 50), ("ends", 0.5, 1, 9),
                  ("text", 0.5, "1/8", 10)]

        for start, end in ((0, 5), (3, -2)):
            def check(final, rows, diagnostics, job):
                for name, every, offset, n in clocks:
                    offset = 0.125 if offset == "1/8" else offset
                    times = self.daemon.get("%s?table=%s" % (job["links"]["result"], name)).json[
                        "series"]["t"]
                    after = [offset + k * every if offset else (k + 1) * every for k in range(n)]
                    self.assertEqual(times, [start + t if end > start
                                             else start - t for t in after], name)

            self.run_all(check, model=FREE, initial={"t": start}, time={"end": end, "samples": 3},
                         events=[{"name": name, "every": every, "offset": offset}
                                 for name, every, offset, _ in clocks])

    def test_times_that_cannot_be_are_refused(self):
        for times in ({"every": 0}, {"every": -1}, {"every": 20},
                      {"every": 1e-18}, {"every": 1, "when": "t"},
                      {"every": 1, "at": [1]}, {"every": 1, "direction": "rising"},
                      {"at": []}, {"at": [0]},
                      {"every": 1, "offset": -1}, {"every": 1, "offset": 10.5},
                      {"every": 1, "offset": 1e-18},
                      {"every": 1, "offset": "x"}, {"at": [1], "offset": 1},
                      {"when": "t - 1", "offset": 1},
                      {"at": [2, 1]}, {"at": [1, 1]}, {"at": [1, 1 + 1e-15]},
                      {"at": [11]}, {"at": ["x"]}, {}):
            answer = self.daemon.post("/v1/jobs", dict(model=FREE, initial={}, time={"end": 10},
                                                       events=[dict(times, name="e")]))
            self.assertEqual(answer.status, 422, times)

    def test_a_motion_that_starts_with_no_energy_is_not_warned_of(self):
        for force in ("1", "-x + sin(3*t)"):
            self.run_all(lambda final, rows, diagnostics, job:
                         self.assertEqual(job["warnings"], []),
                         model=dict(FREE, forces={"x": force}),
                         initial={}, time={"end": 4, "samples": 9})


if __name__ == "__main__":
    unittest.main()
