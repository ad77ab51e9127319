"""Motions at the edges of what their equations say: at rest, where nothing is left of the energy;
at an instant at which the constraints lose rank; where what moves them in time has a slope without
a bound; in pulses that a step passes; smaller than tolerances reach."""

import math
import unittest

from harness import DaemonCase

FREE = "(dot(x)^2 + dot(y)^2)/2"


def turning(rate):
    """A free particle in a frame that turns."""
    return {"coordinates": ["x", "y"], "parameters": {"w": 1},
            "lagrangian": f"((dot(x) - ({rate})*y)^2 + (dot(y) + ({rate})*x)^2)/2"}


SIN, COS = math.sin(1), math.cos(1)
# Motions at unit speed that come to where the constraints lose rank at t = 1, free of forces but
# those of the constraints: the state there, and the limit of the reaction on the first coordinate.
RANK_LOST = {
    "parallelogram of points": (
        {"coordinates": ["x", "y", "z", "w"],
         "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2",
         "constraints": ["x^2 + y^2 = 1", "(z - 2)^2 + w^2 = 1", "(x - z)^2 + (y - w)^2 = 4"]},
        {"q": {"x": COS, "y": -SIN, "z": 2 + COS, "w": -SIN},
         "v": {"x": SIN, "y": COS, "z": SIN, "w": COS}},
        {"x": 1, "y": 0, "z": 3, "w": 0, "dot(y)": 1, "pull": -1}),
    "parallelogram of angles": (
        {"coordinates": ["b", "c", "d"], "lagrangian": "dot(b)^2/2 + dot(d)^2/2 + 0.3*dot(c)^2",
         "constraints": ["cos(b) + 2*cos(c) - cos(d) = 2", "sin(b) + 2*sin(c) = sin(d)"]},
        {"q": {"b": -1, "d": -1}, "v": {"b": 1, "d": 1}},
        {"b": 0, "c": 0, "d": 0, "dot(b)": 1, "dot(d)": 1, "pull": 0}),
    "crank that stays": (
        {"coordinates": ["b", "s"], "lagrangian": "dot(b)^2/2 + dot(s)^2/2",
         "constraints": ["s^2 = 2*s*cos(b)"]},
        {"q": {"b": math.pi/2 - 1}, "v": {"b": 1}},
        {"b": math.pi/2, "s": 0, "dot(b)": 1, "pull": 0}),
    "lines that cross": (
        {"coordinates": ["x", "y"], "lagrangian": "(dot(x)^2 + dot(y)^2)/2",
         "constraints": ["y*(x - y) = 0"]},
        {"q": {"x": -1}, "v": {"x": 1}}, {"x": 0, "y": 0, "dot(x)": 1, "pull": 0}),
}


class Edges(DaemonCase):
    def run_job(self, **document):
        answer = self.daemon.post("/v1/jobs?wait=30", document)
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer.json["state"], "succeeded", answer.json)
        return answer.json

    def balance(self, job):
        return self.diagnostics(job)["energy"]["balance_scaled"]

    def test_what_rests_in_a_turning_frame_has_its_energy_in_balance(self):
        """All terms of its energy vanish, but not what they are made of."""
        for rate in ("w*(1 + t)", "w*exp(-t)", "w*(1 + cos(3*t))"):
            start = 2 if "cos" in rate else 1
            for formulation in ("lagrange-dalembert", "hamiltonian",
                                "hamel", "voronec", "chaplygin"):
                job = self.run_job(model=turning(rate), formulation=formulation, analyses=[],
                                   initial={"q": {"x": 1}, "v": {"y": -start}},
                                   time={"end": 20, "samples": 3})
                self.assertEqual(job["warnings"], [], (rate, formulation))
                self.assertLess(self.balance(job), 1e-6, (rate, formulation))

    def test_what_rests_is_in_balance_in_a_chart_that_turns(self):
        for angle in ("w*t", "w*t^2"):
            chart = {"coordinates": ["X", "Y"], "map": {"x": f"X*cos({angle}) - Y*sin({angle})",
                                                        "y": f"X*sin({angle}) + Y*cos({angle})"}}
            job = self.run_job(
                model={"coordinates": ["x", "y"], "parameters": {"w": 1},
                       "lagrangian": FREE, "chart": chart},
                formulation="moving-frame", initial={"q": {"x": 1}}, time={"end": 20, "samples": 3})
            self.assertEqual(job["warnings"], [], angle)

    def test_what_is_really_out_of_balance_is_told_in_a_turning_frame(self):
        """Steps that are too long."""
        job = self.run_job(model=turning("w*(1 + t)"), initial={"q": {"x": 1}, "v": {"y": -1}},
                           integrator={"method": "rk4", "step": 0.2},
                           time={"end": 10, "samples": 3})
        self.assertRegex(job["warnings"][0], "the energy balance is off")

    def test_what_coarse_tolerances_lose_is_told(self):
        """A mass that is a thousand times itself for 1e-3 s: what the speed is off by is told."""
        mass = "(1 + 1000*exp(-((t - 5.31234567)/1e-3)^2))"
        for rtol in (1e-2, 1e-3, 1e-9):
            job = self.run_job(model={"coordinates": ["x"], "lagrangian": f"{mass}/2*dot(x)^2"},
                               initial={"v": {"x": 1}}, integrator={"rtol": rtol, "atol": rtol},
                               analyses=[],
                               time={"end": 10, "samples": 2})
            speed = self.daemon.get(job["links"]["result"]).json["series"]["dot(x)"][-1]
            if abs(speed - 1) > 100 * rtol:
                self.assertRegex(job["warnings"][0],
                                 r"from t = 5\.3\d* on the energy balance is off")
            else:
                self.assertLess(len(job["warnings"]), 2)
        job = self.run_job(model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
                           analyses=[],
                           initial={"q": {"x": 1}}, integrator={"rtol": 1e-3, "atol": 1e-3},
                           time={"end": 20, "samples": 2})
        self.assertEqual(job["warnings"], [])

    def test_what_dependent_velocities_lose_near_their_pole_is_told(self):
        """dot(y) = dot(x)*tan(phi), towards phi = pi/2: what that makes of an error of dot(x) is no
        excuse."""
        catalog = self.daemon.get("/v1/catalog/knife-edge-inclined-plane-rest").json
        job = self.daemon.post("/v1/jobs?wait=30",
                               dict(catalog["job"], formulation="chaplygin")).json
        self.assertEqual(job["state"], "failed", job)
        self.assertRegex(job["warnings"][0], r"the energy balance is off, by up to 0\.\d")

    def test_members_out_of_balance_have_the_bits_of_their_job_alone(self):
        """At rest in a frame that turns, and through a near collision, lost on the way."""
        plunge = {"coordinates": ["x", "y"], "lagrangian": FREE + " + 1/sqrt(x^2 + y^2)"}
        for model, v, end, lost in ((turning("w*(1 + t)"), -1, 5, False), (plunge, 1e-4, 3, True)):
            document = dict(model=model, initial={"q": {"x": 1}, "v": {"y": v}},
                            time={"end": end, "samples": 3},
                            analyses=[])
            alone = self.run_job(**document)
            many = self.run_job(**document, vary={"initial.q.y": [0.0] * 17})
            rows = self.daemon.get(many["links"]["result"]).json["series"]
            self.assertEqual(set(rows["energy_balance"]), {self.balance(alone)})
            self.assertEqual(set(rows["warnings"]), {int(lost)})
            self.assertEqual(len(alone["warnings"]), int(lost))

    def at_the_instant(self, formulation, integrator, accuracy):
        for name, (model, initial, there) in RANK_LOST.items():
            for label, time, events in (("end", {"end": 1, "samples": 3}, []),
                                        ("at", {"end": 2, "samples": 3},
                                         [{"name": "clock", "at": [1]}]),
                                        ("sample", {"end": 2, "samples": 3}, [])):
                job = self.run_job(model=model, initial={**initial, "consistency": "project"},
                                   time=time, events=events,
                                   formulation=formulation, integrator=integrator, analyses=[],
                                   observe={"pull": "reaction(%s)" % model["coordinates"][0]})
                series = self.daemon.get(job["links"]["result"]).json["series"]
                for column, value in there.items():
                    self.assertAlmostEqual(series[column][series["t"].index(1)],
                                           value, delta=accuracy,
                                           msg=(name, formulation, label, column))

    def test_a_run_ends_and_clocks_tick_where_the_constraints_lose_rank(self):
        for formulation in ("lagrange-dalembert", "voronec", "hamel", "hamiltonian"):
            self.at_the_instant(formulation, {}, 1e-8)

    def test_they_do_so_with_stiff_steps_and_coarse_ones(self):
        for formulation in ("lagrange-dalembert", "voronec", "hamiltonian"):
            self.at_the_instant(formulation, {"method": "bdf", "rtol": 1e-9}, 1e-7)
        for formulation in ("lagrange-dalembert", "voronec", "hamel", "hamiltonian"):
            self.at_the_instant(formulation, {"rtol": 1e-7}, 1e-5)

    def test_motions_start_in_the_middle_of_norms_that_derivatives_divide_by(self):
        """hypot(x, y)*x^2 has the slope x^3/hypot(x, y) + .. along x: 0/0 at the origin, with the
        limit 0. Along y = 0 it is |x|^3."""
        along, there = {"v": {"x": 0.3}}, {"end": 3, "samples": 4}
        known = self.run_job(model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - abs(x)^3"},
                             initial=along, time=there)
        exact = self.diagnostics(known)["final"]
        for norm in ("hypot(x, y)", "sqrt(x^2 + y^2)"):
            model = {"coordinates": ["x", "y"], "lagrangian": f"{FREE} - {norm}*x^2 - y^2"}
            for formulation in ("lagrange-dalembert", "hamiltonian", "hamel", "vakonomic"):
                with self.subTest(norm=norm, formulation=formulation):
                    job = self.run_job(model=model, formulation=formulation,
                                       initial=along, time=there)
                    final = self.diagnostics(job)["final"]
                    self.assertEqual(job["warnings"], [])
                    self.assertAlmostEqual(final["q"][0], exact["q"][0], 7)
                    self.assertAlmostEqual(final["v"][0], exact["v"][0], 7)
                    self.assertEqual(final["q"][1], 0)
        # with a tip there is no slope
        answer = self.daemon.post("/v1/jobs?wait=30",
                                  dict(model={"coordinates": ["x", "y"],
                                              "lagrangian": FREE + " - hypot(x, y)*(1 + x^2)"},
                                                           initial=along, time=there))
        self.assertNotEqual(answer.status, 200)
        self.assertIn("is undefined", str(answer.json))

    def test_velocities_pass_the_tip_of_their_cone(self):
        """Behind it dependent velocities are those that the motion has there, not those of the sign
        they had."""
        for formulation in ("lagrange-dalembert", "hamiltonian", "voronec"):
            for integrator in ({}, {"method": "bdf"}, {"method": "rk4", "step": 0.013}):
                with self.subTest(formulation=formulation, **integrator):
                    job = self.run_job(formulation=formulation,
                                       integrator=integrator, initial={"v": {"x": 0.6, "y": 0.8}},
                                       time={"end": 3, "samples": 4}, model={
                                           "coordinates": ["x", "y"],
                                           "lagrangian": "(dot(x)^2 + dot(y)^2)/2",
                                           "constraints": ["dot(x)^2 + dot(y)^2 = (1 - t)^2"]})
                    final = self.diagnostics(job)["final"]
                    for value, exact in zip(final["q"] + final["v"], (-0.9, -1.2, -1.2, -1.6)):
                        self.assertAlmostEqual(value, exact, 6)

    def driven(self, constraint, formulation):
        """Through t = 0, with no sample there."""
        model = {"coordinates": ["x", "y"], "lagrangian": FREE,
                 "constraints": [{"name": "cam", "equation": constraint}]}
        answer = self.daemon.post("/v1/jobs?wait=30", dict(
            model=model, formulation=formulation, analyses=[], time={"end": 1, "samples": 4},
            initial={"t": -1, "q": {"x": 1}, "v": {"x": 1}, "consistency": "project"}))
        self.assertTrue(answer.json["done"], answer.json)
        steps = self.diagnostics(answer.json)["steps"]
        self.assertLess(steps["accepted"] + steps["rejected"], 1000, (constraint, formulation))
        return answer.json

    def test_slopes_in_time_without_a_bound_are_crossed_where_velocities_have_one(self):
        """y is known whatever else moves."""
        for constraint, from_to in (("dot(y) = cbrt(t)", 0),
                                    ("y = cbrt(t^4)", 0), ("y = (t^2)^(2/3)", 0),
                                    ("dot(y) = cbrt(t^2)", 1.2)):
            for formulation in ("lagrange-dalembert", "voronec", "hamel", "hamiltonian"):
                job = self.driven(constraint, formulation)
                self.assertEqual((job["state"], job["warnings"]),
                                 ("succeeded", []), (constraint, formulation))
                y = self.daemon.get(job["links"]["result"]).json["series"]["y"]
                self.assertAlmostEqual(y[-1] - y[0], from_to,
                                       delta=1e-8, msg=(constraint, formulation))

    def test_velocities_without_a_bound_in_time_end_a_run_at_once(self):
        for constraint in ("y = cbrt(t^2)", "y = cbrt(t)", "y = x*cbrt(t^2)", "y = sqrt(abs(t))"):
            for formulation in ("lagrange-dalembert", "voronec", "hamel", "hamiltonian"):
                job = self.driven(constraint, formulation)
                self.assertEqual(job["state"], "failed", (constraint, formulation))
                self.assertRegex(job["error"]["detail"],
                                 "singularity at t = 0: the velocities .* the constraint cam")

    def test_accelerations_and_multipliers_are_met_in_pulses_too_weak_to_shorten_a_step(self):
        """A free body, and one that a floor holds: steps are seconds long."""
        for amplitude in (1e-6, 1e-12):
            for width in (0.1, 1e-3, 1e-5):
                pulse = "A*exp(-((t - 5.3)/w)^2)"
                model = {"coordinates": ["x", "y"], "lagrangian": FREE,
                         "constraints": [{"name": "floor", "equation": "y = 0"}],
                         "forces": {"x": pulse, "y": "-" + pulse},
                         "parameters": {"A": amplitude, "w": width}}
                reduce = {"most": {"of": "ddot(x)", "take": "max"},
                          "mean": {"of": "ddot(x)", "take": "mean"},
                          "floor": {"of": "multiplier(floor)", "take": "max"}}
                for formulation in ("lagrange-dalembert", "voronec",
                                    "hamel", "hamiltonian", "chaplygin"):
                    job = self.run_job(model=model, initial={"v": {"x": 1}},
                                       time={"end": 10, "samples": 2}, analyses=[],
                                       formulation=formulation,
                                       vary={"initial.q.x": [0.0]}, ensemble={"reduce": reduce})
                    row = self.daemon.get(job["links"]["result"]).json["series"]
                    label = (amplitude, width, formulation)
                    self.assertAlmostEqual(row["most"][0]/amplitude, 1, delta=1e-12, msg=label)
                    self.assertAlmostEqual(row["floor"][0]/amplitude, 1, delta=1e-12, msg=label)
                    mean = amplitude*width*math.sqrt(math.pi)/10
                    self.assertAlmostEqual(row["mean"][0]/mean, 1, delta=1e-6, msg=label)
                    if formulation == "lagrange-dalembert":
                        self.assertLess(row["steps"][0], 20, label)
                        self.assertEqual(row["warnings"], [0], label)

    def test_a_mean_that_does_not_exist_is_none(self):
        """At pi/2 the tangent has a pole, of which no double is; log|tan| has an integral."""
        uniform = {"coordinates": ["x"], "lagrangian": "dot(x)^2/2"}
        reduce = {"tan": {"of": "tan(x)", "take": "mean"},
                  "size": {"of": "abs(tan(x))", "take": "mean"},
                  "rms": {"of": "tan(x)", "take": "rms"},
                  "square": {"of": "tan(t)^2", "take": "mean"},
                  "before": {"of": "tan(x/2)", "take": "mean"},
                  "log": {"of": "log(abs(tan(x)))", "take": "mean"}}
        for formulation in ("lagrange-dalembert", "hamiltonian"):
            job = self.run_job(model=uniform, initial={"q": {"x": 0.1}, "v": {"x": 1}},
                               time={"end": 2.9, "samples": 2},
                               formulation=formulation, vary={"initial.q.x": [0.1]},
                               ensemble={"reduce": reduce}, analyses=[])
            row = self.daemon.get(job["links"]["result"]).json["series"]
            for name in ("tan", "size", "rms", "square"):
                self.assertEqual(row[name], [None], (name, formulation))
            mean = 2*(math.log(math.cos(0.05)) - math.log(math.cos(1.5)))/2.9
            self.assertAlmostEqual(row["before"][0], mean, delta=1e-9)
            self.assertLess(abs(row["log"][0]), 1)

    def test_what_is_not_finite_is_named(self):
        """The constraint whose numbers are too large; what an infinite multiplier comes from."""
        answer = self.daemon.post("/v1/jobs", {
            "model": {"coordinates": ["x", "y"], "lagrangian": FREE,
                      "constraints": [{"name": "small", "equation": "x = y"},
                                      {"name": "big",
                                       "equation": "1e200*x^2*1e100 + 1e300*y^9 = 3"}]},
            "initial": {}, "time": {"end": 1, "samples": 3}})
        self.assertEqual(answer.status, 422, answer)
        self.assertIn("the equations of big are known", answer.json["detail"])
        # M is 1 - x^2/4 along the constraint, and x = 2 at a sample
        answer = self.daemon.post("/v1/jobs?wait=30", {
            "model": {"coordinates": ["x", "y"], "lagrangian": "dot(x)^2/2 - dot(y)^2/2 - x^2/2",
                      "constraints": ["y = x^2/4"]},
            "initial": {"q": {"x": 1, "y": 0.25}, "v": {"x": 2, "y": 1}},
            "time": {"end": 2, "samples": 5}})
        self.assertIn("the mass matrix degenerates", answer.json["error"]["detail"])

    def test_an_impact_where_the_rank_is_lost_says_so_in_a_frame(self):
        """Velocities along a field that vanishes there are infinite behind it."""
        answer = self.daemon.post("/v1/jobs?wait=30", {
            "model": {"coordinates": ["x", "y"], "lagrangian": FREE, "constraints": ["x*y = 0"]},
            "formulation": "hamel",
            "initial": {"q": {"x": 1}, "v": {"x": -1}}, "time": {"end": 2, "samples": 5},
            "events": [{"name": "hit", "when": "x", "direction": "falling",
                        "set": {"dot(x)": "-dot(x)"}}]})
        self.assertIn("the constraints lose rank", answer.json["error"]["detail"])
        self.assertIn("lagrange-dalembert", answer.json["error"]["detail"])

    def test_triangles_are_met_at_their_corners(self):
        """asin(sin(u)) and acos(cos(u)) are as smooth as u between them; the motion is the sum of
        its closed forms."""
        for force, level, slope, first, width in (("asin(sin(pi*t))", 0, math.pi, 0.5, 1),
                                                  ("acos(cos(t))", 0, 1, math.pi, math.pi),
                                                  ("acos(sin(t))",
                                                   math.pi/2, -1, math.pi/2, math.pi)):
            # x'' + x = f, whose slope changes by -+2 slope at the corners, from rest: f(0) (1 - cos
            # t) + f'(0) (t - sin t) + ..
            x, turn, corner = level*(1 - math.cos(10)) + slope*(10 - math.sin(10)), -2*slope, first
            while corner < 10:
                x, turn, corner = x + turn*(
                    10 - corner - math.sin(10 - corner)), -turn, corner + width
            with self.subTest(force=force):
                job = self.run_job(model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2",
                                          "forces": {"x": force}}, initial={},
                                   time={"end": 10, "samples": 3}, integrator={"rtol": 1e-11})
                self.assertEqual(job["warnings"], [])
                final = self.diagnostics(job)["final"]["q"][0]
                self.assertAlmostEqual(final, x, delta=1e-9)

    def test_directions_are_those_of_increasing_t_backwards_too(self):
        """Going back, a floor is met from above where it is rising; one that is falling is
        passed."""
        ball = {"coordinates": ["y"], "lagrangian": "dot(y)^2/2 - 9.81*y"}
        for direction, holds in (("falling", False), ("rising", True), ("any", True)):
            floor = {"name": "floor", "when": "y", "direction": direction,
                     "set": {"dot(y)": "-0.8*dot(y)"}}
            job = self.run_job(model=ball, initial={"q": {"y": 1}},
                               time={"end": -1.5, "samples": 40}, events=[floor])
            lowest = min(self.daemon.get(job["links"]["result"]).json["series"]["y"])
            self.assertEqual(lowest > -1e-9, holds, direction)

    def test_the_largest_rate_of_a_pulse_is_no_doubt(self):
        """Its tails are less than 1e-300, where nothing tells one value from another."""
        for width in (0.1, 1e-3, 1e-5):
            pulse = "exp(-((t - 5.3)/w)^2)"
            rate = "-2*(t - 5.3)/w^2*" + pulse
            job = self.run_job(model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2",
                                      "forces": {"x": pulse}, "parameters": {"w": width}},
                               initial={"v": {"x": 1}}, time={"end": 10, "samples": 2},
                               analyses=[], vary={"initial.q.x": [0.0]},
                               ensemble={"reduce": {"most": {"of": rate, "take": "max"},
                                                    "least": {"of": rate, "take": "min"}}})
            row = self.daemon.get(job["links"]["result"]).json["series"]
            self.assertEqual(row["warnings"], [0], width)
            for name, sign in (("most", 1), ("least", -1)):
                self.assertAlmostEqual(row[name][0]*width/math.sqrt(2/math.e), sign, delta=1e-9)

    def test_what_rests_passes_nothing(self):
        """On corners, where a function is zero, and on a slope that a blade holds but for the
        cosine of a right angle."""
        plane = "(dot(x)^2 + dot(y)^2)/2"
        resting = (
            ({"coordinates": ["x", "y"], "lagrangian": plane + " - 9.81*y",
              "forces": {q: "-0.1*abs(dot(%s))*dot(%s)" % (q, q) for q in "xy"}}, {}),
            ({"coordinates": ["x", "y"],
              "lagrangian": plane + " - y^2/2 - max(0, x)^2 - max(0, -x)^2"}, {"q": {"y": 1}}),
            ({"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - abs(x)",
              "forces": {"x": "-sign(dot(x))"}}, {}),
            ({"coordinates": ["x", "y"],
              "lagrangian": plane + " - hypot(x, y)^2/2 + log(hypot(x, y))"}, {"q": {"x": 1}}),
            ({"coordinates": ["x", "y"],
              "lagrangian": "(dot(x)^2 + 3*dot(y)^2)/2 - x^2/2 - 3*y^2/2",
              "forces": {"x": "-abs(dot(x) - dot(y))*(dot(x) - dot(y))",
                         "y": "-abs(dot(y) - dot(x))*(dot(y) - dot(x))"}},
             {"q": {"x": 1, "y": 1}}),
            *(({"coordinates": ["x", "y"], "lagrangian":
                "(dot(x)^2 + 3*dot(y)^2)/2 - x^2/2 - 3*y^2/2", "forces": {"x": "-abs(%s)" % guard}},
               {"q": {"x": 1, "y": 1}})
              for guard in ("dot(x)^3 - dot(y)^3", "(dot(x) - dot(y))*exp(x)",
                            "sin(x) - sin(y)", "sin(x - y)*(2 + y)")),
            ({"coordinates": ["x", "y", "th"], "lagrangian": plane + " + dot(th)^2/2 - x",
              "constraints": ["dot(y)*cos(th) = dot(x)*sin(th)"]}, {"q": {"th": "pi/2"}}),
        )
        for model, initial in resting:
            for integrator in ({}, {"method": "bdf"}, {"method": "rk4", "step": 0.01}):
                with self.subTest(model=model["lagrangian"], **integrator):
                    job = self.run_job(model=model, initial=initial,
                                       integrator=integrator, time={"end": 3, "samples": 3})
                    self.assertEqual(job["warnings"], [])

    def test_what_is_smaller_than_tolerances_reach_is_told(self):
        oscillator = {"coordinates": ["x"], "lagrangian": "(dot(x)^2 - x^2)/2"}
        for formulation in ("lagrange-dalembert", "hamiltonian", "hamel"):
            for size in (1e-90, 1e-110, 1e-250):
                document = dict(model=oscillator, formulation=formulation,
                                initial={"q": {"x": size}},
                                time={"end": 5, "samples": 2}, analyses=[])
                warnings = self.run_job(**document)["warnings"]
                told = [w for w in warnings if "x stays below 1e-100" in w]
                self.assertEqual(len(told), int(size < 1e-100), (formulation, size, warnings))
            given = self.run_job(**document, integrator={
                "nominal": {"x": 1e-250, "dot(x)": 1e-250}})
            x = self.daemon.get(given["links"]["result"]).json["series"]["x"][-1]
            self.assertAlmostEqual(x/1e-250, math.cos(5), delta=1e-7, msg=formulation)
            self.assertFalse([w for w in given["warnings"] if "stays below" in w])


if __name__ == "__main__":
    unittest.main()
