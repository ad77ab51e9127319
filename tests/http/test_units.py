"""Units: what is checked, what is converted, and what a model that has them in part is told."""
import copy
import csv
import io
import unittest

from harness import Daemon

SI = {
    "model": {
        "coordinates": [{"name": "th", "unit": "rad"}, {"name": "x", "unit": "m"}],
        "parameters": {"m": {"value": 0.3, "unit": "kg"}, "l": {"value": 0.7, "unit": "m"},
                       "g": {"value": 9.81, "unit": "m/s^2"}, "k": {"value": 2, "unit": "N/m"}},
        "lagrangian": "m/2*(l^2*dot(th)^2 + dot(x)^2) + m*g*l*cos(th) - k*x^2/2",
    },
    "initial": {"q": {"th": 0.5, "x": 0.07}, "v": {"x": 0.013}},
    "time": {"end": 2, "samples": 11},
    "observe": {"height": "-l*cos(th)", "E": "energy()"},
    "integrator": {"nominal": {"x": 0.05}},
}


def in_cm():
    job = copy.deepcopy(SI)
    job["model"]["coordinates"][1]["unit"] = "cm"
    job["model"]["parameters"].update(
        {"m": {"value": 300, "unit": "g"}, "l": {"value": 70, "unit": "cm"},
         "g": {"value": 981, "unit": "cm/s^2"}, "k": {"value": 2000, "unit": "g/s^2"}})
    job["initial"] = {"q": {"th": 0.5, "x": 7}, "v": {"x": 1.3}}
    job["integrator"] = {"nominal": {"x": 5}}
    return job


def without():
    job = copy.deepcopy(SI)
    job["model"]["coordinates"] = ["th", "x"]
    job["model"]["parameters"] = {p: v["value"] for p, v in SI["model"]["parameters"].items()}
    return job


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def result(self, job, **changes):
        finished = self.daemon.finish({**job, **changes})
        self.assertEqual(finished["state"], "succeeded", finished)
        return finished, self.daemon.get("/v1/jobs/%s/result" % finished["id"]).json

    def refused(self, change):
        job = copy.deepcopy(SI)
        change(job)
        answer = self.daemon.post("/v1/jobs", job)
        self.assertEqual(answer.status, 422, answer.json)
        return [(e["pointer"], e.get("offset"), e["message"]) for e in answer.json["errors"]]

    def test_units_of_the_si_have_the_bits_of_none(self):
        _, plain = self.result(without())
        finished, si = self.result(SI)
        self.assertNotIn("units", plain)
        self.assertEqual(si["series"], plain["series"])
        self.assertEqual(finished["warnings"], [])
        self.assertEqual(si["units"], {"t": "s", "th": "rad", "x": "m", "dot(th)": "rad/s",
                                       "dot(x)": "m/s", "height": "m", "E": "J"})

    def test_centimetres_and_grams_move_the_same(self):
        _, si = self.result(SI)
        finished, cm = self.result(in_cm())
        self.assertEqual(cm["units"]["x"], "cm")
        self.assertEqual(cm["units"]["dot(x)"], "cm/s")
        for column in ("t", "th", "dot(th)", "height", "E"):  # each number is read as its decimal
            self.assertEqual(cm["series"][column], si["series"][column], column)
        for column in ("x", "dot(x)"):
            for a, b in zip(cm["series"][column], si["series"][column]):
                self.assertAlmostEqual(a, 100 * b, delta=4e-16 * abs(a))
        self.assertAlmostEqual(cm["series"]["x"][0], 7, delta=1e-15)
        rows = list(csv.reader(io.StringIO(self.daemon.get(
            "/v1/jobs/%s/result?columns=t,x" % finished["id"],
            headers={"Accept": "text/csv"}).body.decode())))
        self.assertEqual(rows[0], ["t [s]", "x [cm]"])

    def test_overrides_and_vary_are_in_the_unit_of_the_name(self):
        _, a = self.result(in_cm(), parameters={"l": 80})
        _, b = self.result(SI, parameters={"l": 0.8})
        self.assertEqual(a["series"]["th"], b["series"]["th"])
        ensemble = {"vary": {"parameters.l": [40, 80], "initial.q.x": [1]},
                    "ensemble": {"reduce": {"top": {"of": "x", "take": "max"}}}}
        _, table = self.result(in_cm(), **ensemble)
        self.assertEqual(table["series"]["parameters.l"], [40, 80])
        self.assertEqual(table["units"]["parameters.l"], "cm")
        self.assertEqual(table["units"]["final.q.x"], "cm")
        self.assertEqual(table["units"]["top"], "m")
        _, alone = self.result(in_cm(), parameters={"l": 80},
                               initial={"q": {"x": 1, "th": 0.5}, "v": {"x": 1.3}})
        self.assertEqual(table["series"]["final.q.th"][1], alone["series"]["th"][-1])

    def test_few_rows_and_plots_tell_units(self):
        finished, whole = self.result(in_cm())
        path = "/v1/jobs/%s/" % finished["id"]
        few = self.daemon.get(path + "result?points=2").json
        self.assertEqual(few["units"], whole["units"])
        self.assertLess(set(few["series"]["x"]), set(whole["series"]["x"]))
        plot = self.daemon.get(path + "plot.svg?y=x,height").body.decode()
        for label in ("t [s]", "x [cm]", "height [m]"):
            self.assertIn(label, plot)

    def test_members_of_another_ensemble_have_its_units(self):
        document = {**in_cm(), "vary": {"initial.q.x": [0.1, 7, 70], "parameters.l": [40, 80]},
                    "ensemble": {"over_time": ["x", "E"]}}
        first, rows = self.result(document)
        second, again = self.result(
            {"ensemble": {"members_of": {"job": first["id"], "where": "initial.q.x < 10"}}})
        self.assertEqual(again["units"]["initial.q.x"], "cm")
        chosen = [k for k, x in enumerate(rows["series"]["initial.q.x"]) if x < 10]
        self.assertEqual(again["series"]["of.member"], chosen)
        for name in ("initial.q.x", "parameters.l", "final.q.x", "final.v.th"):
            self.assertEqual(again["series"][name], [rows["series"][name][k] for k in chosen], name)
        member = self.daemon.get("/v1/jobs/%s/members/0" % second["id"]).json["job"]
        _, alone = self.result(member)
        self.assertEqual(alone["series"]["x"][-1], again["series"]["final.q.x"][0])
        # statistics over time are of the numbers that columns show
        told = self.daemon.get("/v1/jobs/%s/statistics?over=time" % first["id"]).json["columns"]
        self.assertEqual(told["x"]["max"][0], max(rows["series"]["initial.q.x"]))
        told = self.daemon.get("/v1/jobs/%s/statistics?of=final.q.x,parameters.l,steps"
                               % first["id"]).json["columns"]
        self.assertEqual([told[name].get("unit") for name in told], ["cm", "cm", None])

    def test_statistics_over_time_tell_units(self):
        for kept in ({"over_time": ["x", "E"]}, {"keep": "trajectories"}):
            first, _ = self.result({**in_cm(), "vary": {"parameters.l": [40, 80]},
                                    "ensemble": kept})
            told = self.daemon.get("/v1/jobs/%s/statistics?over=time&of=E,x"
                                   % first["id"]).json["columns"]
            self.assertEqual({name: column["unit"] for name, column in told.items()},
                             {"E": "J", "x": "cm"})

    def test_velocities_in_a_derived_frame_are_in_the_si(self):
        sleigh = {
            "coordinates": [{"name": "x", "unit": "cm"}, {"name": "y", "unit": "cm"},
                            {"name": "th", "unit": "deg"}],
            "parameters": {"m": {"value": 2, "unit": "kg"}, "J": {"value": 1, "unit": "kg*m^2"}},
            "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(th)^2",
            "constraints": ["cos(th)*dot(y) = sin(th)*dot(x)"],
        }
        job = {"model": sleigh, "formulation": "hamel",
               "initial": {"q": {"th": 10}, "v": {"x": 30, "th": 30}},
               "time": {"end": 1, "samples": 3}}
        _, free = self.result(job)
        self.assertEqual({name: free["units"].get(name) for name in ("w(th)", "w(x_y)")},
                         {"w(th)": "1/s", "w(x_y)": None})
        _, based = self.result({**job, "model": {**sleigh, "base": ["x", "th"]}})
        self.assertEqual({name: based["units"][name] for name in ("w(x)", "w(th)")},
                         {"w(x)": "m/s", "w(th)": "1/s"})
        for w, in_si in zip(based["series"]["w(x)"], based["series"]["dot(x)"]):
            self.assertAlmostEqual(w, in_si / 100, 14)

    def test_degrees_are_numbers(self):
        job = copy.deepcopy(SI)
        job["model"]["coordinates"][0] = {"name": "th", "unit": "deg", "period": 360}
        job["initial"] = {"q": {"th": 90, "x": 0.07}, "v": {"x": 0.013}}
        _, deg = self.result(job)
        _, rad = self.result(SI, initial={"q": {"th": "pi/2", "x": 0.07}, "v": {"x": 0.013}})
        self.assertEqual(deg["series"]["E"], rad["series"]["E"])
        self.assertEqual(deg["series"]["th"][0], 90)
        # 30 deg and 29.999999999999996 deg are the same in radians
        _, given = self.result(job, initial={"q": {"th": 30, "x": 0.07}, "v": {"x": 0.013}})
        self.assertEqual(given["series"]["th"][0], 30)

    def test_mismatches_are_refused_at_their_place(self):
        def lagrangian(job):
            job["model"]["lagrangian"] += " + l"
        self.assertEqual(self.refused(lagrangian), [
            ("/model/lagrangian", 59,
             "what is in m is added to what is in J, which has another dimension, at column 60")])
        for change, pointer, part in (
                (lambda j: j["model"].update(forces={"x": "-m*dot(x)"}),
                 "/model/forces/x", "is in kg*m/s, but has to be in N"),
                (lambda j: j["model"].update(forces={"x": "5"}),
                 "/model/forces/x", "is in 1, but has to be in N"),
                (lambda j: j["model"].update(constraints=["x = th"]),
                 "/model/constraints/0", "is put equal to"),
                (lambda j: j["model"].update(definitions={"s": "sin(x)"}),
                 "/model/definitions/s", "is of a number"),
                (lambda j: j["model"].update(
                    symmetries=[{"name": "s", "generator": {"x": "1", "th": "1"}}]),
                 "/model/symmetries/0/generator/", "but has to be in"),
                (lambda j: j["observe"].update(a="x + t"), "/observe/a", "is added to"),
                (lambda j: j.update(events=[{"name": "e", "when": "x - 1"}]),
                 "/events/0/when", "is added to"),
                (lambda j: j.update(events=[{"name": "e", "when": "x", "set": {"dot(x)": "x"}}]),
                 "/events/0/set/dot(x)", "is in m, but has to be in m/s"),
                (lambda j: j.update(vary={"parameters.l": [1]},
                                    ensemble={"reduce": {"r": {"of": "x + m", "take": "max"}}}),
                 "/ensemble/reduce/r/of", "is added to"),
                (lambda j: (j["model"]["coordinates"][1].update(unit="nm"),
                            j["initial"]["q"].update(x=1e-320)),
                 "/initial/q/x", "too small in units of the SI"),
                (lambda j: j["model"]["parameters"]["l"].update(unit="Gm", value=1e300),
                 "/model/parameters/l/value", "too large in units of the SI"),
                (lambda j: j["model"]["coordinates"][1].update(unit="furlong"),
                 "/model/coordinates/1/unit", 'unknown unit "furlong"'),
                (lambda j: j["model"]["parameters"]["m"].update(unit="kilogram"),
                 "/model/parameters/m/unit", 'unknown unit "kilogram"')):
            found = self.refused(change)
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0][0].startswith(pointer), found)
            self.assertIn(part, found[0][2])

    def test_a_section_has_the_dimension_of_its_multiplier(self):
        job = self.daemon.get("/v1/catalog/vakonomic-rolling-disk-generic-mu").json["job"]
        job["initial"]["mu"] = {"rolling_x": "m*dot(theta)", "rolling_y": "m*dot(y)"}
        answer = self.daemon.post("/v1/jobs", job)
        self.assertEqual([e["pointer"] for e in answer.json["errors"]], ["/initial/mu/rolling_x"])
        self.assertIn("is in kg/s, but has to be in kg*m/s", answer.json["errors"][0]["message"])

    def test_units_of_some_names_are_a_warning(self):
        job = without()
        job["model"]["coordinates"] = [{"name": "th", "unit": "rad"}, {"name": "x", "unit": "cm"}]
        finished, some = self.result(job)
        _, none = self.result(without())
        self.assertEqual(some["series"], none["series"])
        self.assertNotIn("units", some)
        self.assertEqual(finished["warnings"], [
            'units are not used, for not all names have one: "g", "k", "l" and 1 more have none'])

    def test_a_model_without_parameters_is_whole(self):
        job = {"model": {"coordinates": [{"name": "x", "unit": "mm"}], "lagrangian": "dot(x)^2/2"},
               "initial": {"q": {"x": 1}, "v": {"x": 2}}, "time": {"end": 1, "samples": 2}}
        _, result = self.result(job)
        self.assertEqual(result["series"]["x"], [1, 3])
        job["model"]["lagrangian"] += " - x^2/2"
        self.assertEqual(self.daemon.post("/v1/jobs", job).status, 422)


if __name__ == "__main__":
    unittest.main()
