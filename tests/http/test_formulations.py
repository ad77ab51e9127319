"""Formulations through the interface: equations, structure, jobs, second opinions, refusals."""

import ctypes
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import OSCILLATOR, Daemon, long_job

FORMULATIONS = {
    "lagrange-dalembert", "hamel", "voronec", "chaplygin", "hamiltonian", "vakonomic", "intrinsic",
    "moving-frame", "least-action",
}

SLED = {
    "name": "sled",
    "coordinates": ["x", "y", "theta"],
    "parameters": {"m": 1, "J": 2},
    "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(theta)^2",
    "constraints": [{"name": "blade", "equation": "dot(y)*cos(theta) = dot(x)*sin(theta)"}],
}


def sled_job(**changes):
    """A circle of radius 2, once round in 4 pi: x = 2 sin(t/2), theta = t/2."""
    document = {
        "model": SLED,
        "initial": {"v": {"x": 1, "theta": 0.5}},
        "time": {"end": 2, "samples": 21},
    }
    document.update(changes)
    return document


class Formulations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.sled = cls.daemon.post("/v1/models", SLED).json["id"]
        cls.structure = cls.daemon.get("/v1/models/%s/structure" % cls.sled).json

    @classmethod
    def tearDownClass(cls):
        cls.daemon.close()

    def refused(self, document, pointer, fragment):
        answer = self.daemon.post("/v1/jobs", document)
        self.assertEqual(answer.status, 422, answer)
        found = [(e["pointer"], e["message"] + " " + e.get("hint", ""))
                 for e in answer.json["errors"]]
        self.assertTrue(any(p == pointer and fragment in m for p, m in found), found)

    def equations(self, formulation, notation="text"):
        path = "/v1/models/%s/equations?formulation=%s&format=%s" % (
            self.sled, formulation, notation)
        return self.daemon.get(path)

    def test_a_size_of_what_a_formulation_does_not_integrate_is_warned_of(self):
        sizes = {"nominal": {"x": 2, "dot(x)": 3}}
        for formulation, warned in (("lagrange-dalembert", False), ("hamiltonian", True)):
            done = self.daemon.finish(sled_job(formulation=formulation, integrator=sizes))
            warnings = self.daemon.get(done["links"]["diagnostics"]).json.get("warnings", [])
            self.assertEqual(any("no effect on dot(x)" in w for w in warnings), warned, warnings)
        self.refused(sled_job(integrator={"nominal": {"z": 1}}), "/integrator/nominal/z", "unknown")

    def test_momenta_beyond_a_fold_of_the_legendre_transform_have_no_motion(self):
        # M = 3 v^2 - 1: p = v^3 - v falls by the time, to its least value at v = 1/sqrt(3); another
        # v has less
        folds = {"coordinates": ["x"], "lagrangian": "dot(x)^4/4 - dot(x)^2/2 - x"}
        document = {"model": folds, "time": {"end": 4}, "formulation": "hamiltonian"}
        fold = 1.5**3 - 1.5 + 2 / math.sqrt(27)
        finished = self.daemon.finish({**document, "initial": {"v": {"x": 1.5}}})
        self.assertEqual(finished["state"], "failed", finished)
        reason = str(finished["error"])
        self.assertIn("the Legendre transform folds between", reason)
        ends = float(re.search(r"and ([0-9.]+): det", reason).group(1))
        self.assertAlmostEqual(ends, fold, delta=1e-4)
        # on the branch that goes on it goes on
        finished = self.daemon.finish({**document, "initial": {"v": {"x": -1.2}}})
        self.assertEqual(finished["state"], "succeeded", finished)

    def test_the_structure_says_what_applies_and_why_not(self):
        found = self.structure["formulations"]
        self.assertEqual(set(found), FORMULATIONS)
        for name, one in found.items():
            self.assertEqual(one["applies"], "reason" not in one, name)
        self.assertTrue(found["hamel"]["applies"])
        self.assertIn("chart", found["intrinsic"]["reason"])
        self.assertIn("blade", found["least-action"]["reason"])

    def test_the_contract_names_the_formulations(self):
        schemas = self.daemon.get("/openapi.json").json["components"]["schemas"]
        self.assertEqual(set(schemas["Formulation"]["enum"]), FORMULATIONS)

    def test_equations_of_every_formulation_in_every_notation(self):
        seen = set()
        for name, one in self.structure["formulations"].items():
            for notation in ("text", "latex", "c"):
                answer = self.equations(name, notation)
                if not one["applies"]:
                    self.assertEqual(answer.status, 422, (name, answer))
                    reasons = [e["message"] for e in answer.json["errors"]]
                    self.assertIn(one["reason"], reasons)
                    continue
                self.assertEqual(answer.status, 200, (name, answer))
                document = answer.json
                self.assertEqual((document["formulation"], document["format"]), (name, notation))
                self.assertGreater(len(document["equations"]), 3)
                roles = [e["role"] for e in document["equations"]]
                self.assertIn("lagrangian", roles)
                self.assertIn("constraint", roles)
                self.assertEqual(document["whole"].count("{"), document["whole"].count("}"))
                self.assertNotIn(document["whole"], seen)
                seen.add(document["whole"])

    def test_hamels_equations_name_the_quasi_velocities(self):
        text = self.equations("hamel").json["whole"]
        columns = self.daemon.post("/v1/jobs?wait=20", sled_job(formulation="hamel")).json
        result = self.daemon.get(columns["links"]["result"]).json
        own = [c for c in result["columns"] if c.startswith("w(")]
        self.assertEqual(len(own), 2)
        for column in own:
            self.assertIn(column, text)
        self.assertEqual(
            result["columns"],
            ["t", "x", "y", "theta", "dot(x)", "dot(y)", "dot(theta)", "multiplier(blade)"] + own,
        )

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_the_c_function_computes_the_rates(self):
        """Of Hamilton's equations: y = (q, p) with p = (m dot(x), m dot(y), J dot(theta))."""
        code = self.equations("hamiltonian", "c").json["whole"]
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "r.c"), os.path.join(folder, "r.so")
            with open(source, "w") as file:
                file.write(code)
                if "double solve(" in code:
                    file.write(SOLVE)
            subprocess.run(
                ["cc", "-std=c11", "-Wall", "-Werror", "-Wno-unused",
                 "-shared", "-fPIC", source, "-o",
                 library, "-lm"], check=True)
            rates = ctypes.CDLL(library).rates
            m, J, theta, speed, turn = 1.0, 2.0, 0.3, 1.5, 0.5
            y = [0, 0, theta, m * speed * math.cos(theta), m * speed * math.sin(theta), J * turn]
            vector = lambda values: (ctypes.c_double * len(values))(*values)
            dydt, q, v, multiplier, own = (vector([0.0] * n) for n in (6, 3, 3, 1, 6))
            values = {"m": m, "J": J}
            names = re.search(r"parameters: (.*)", code).group(1)
            parameters = [values[name] for name in re.findall(r"p\[\d+\] (\w+)", names)]
            rates(ctypes.c_double(0), vector(y), vector(parameters), dydt, q, v, multiplier, own)
        push = m * speed * turn
        expected = [speed * math.cos(theta), speed * math.sin(theta), turn,
                    -push * math.sin(theta), push * math.cos(theta), 0]
        for got, value in zip(dydt, expected):
            self.assertAlmostEqual(got, value, 13)
        self.assertAlmostEqual(abs(multiplier[0]), push, 13)

    def test_all_notations_of_the_c_functions_compile(self):
        if not shutil.which("cc"):
            self.skipTest("no C compiler")
        for name, one in self.structure["formulations"].items():
            if one["applies"]:
                code = self.equations(name, "c").json["whole"].encode()
                done = subprocess.run(["cc", "-std=c11", "-Wall",
                                       "-Werror", "-Wno-unused", "-fsyntax-only",
                                       "-xc", "-"], input=code, capture_output=True)
                self.assertEqual(done.returncode, 0, (name, done.stderr.decode()))

    def test_a_long_page_does_not_keep_the_c_function_back(self):
        """Written out, the equations are megabytes; the function shares what they have in
        common."""
        x, y = "(1.3*a + 0.2*sin(b + t))", "(1.3*b + 0.2/(1 + (a + t)^2))"
        waves = "sin({0} - {1})*exp(-({0}^2 + {1}^2))/(1 + ({0}*{1})^2)"
        surface = {
            "coordinates": ["x", "y", "z"],
            "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
            "constraints": ["z = " + waves.format("x", "y")],
            "chart": {"coordinates": ["a", "b"], "map": {"x": x, "y": y, "z": waves.format(x, y)}},
        }
        path = "/v1/models/%s/equations?formulation=intrinsic&format=" % (
            self.daemon.post("/v1/models", surface).json["id"])
        code, text = self.daemon.get(path + "c"), self.daemon.get(path + "text")
        self.assertEqual((code.status, text.status), (200, 200))
        self.assertIn("void rates(", code.json["whole"])
        self.assertLess(len(code.json["whole"]), 50000)
        left_out = [e["name"] for e in text.json["equations"] if "left out" in e["text"]]
        self.assertEqual(left_out, ["a", "b"])

    def test_hamels_brackets_are_printed_between_fields_of_the_complement_too(self):
        """[Y, Z] = d_x for Y = d_y, Z = d_z + y d_x; with X = d_x they commute."""
        model = {
            "coordinates": ["x", "y", "z"],
            "lagrangian": "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
            "constraints": ["dot(y) = 0", "dot(z) = 0"],
            "frame": [{"name": "X", "field": {"x": "1"}}, {"name": "Y", "field": {"y": "1"}},
                      {"name": "Z", "field": {"z": "1", "x": "y"}}],
        }
        path = "/v1/models/%s/equations?formulation=hamel" % self.daemon.post(
            "/v1/models", model).json["id"]
        brackets = [e["text"] for e in self.daemon.get(path).json["equations"]
                    if e["role"] == "anholonomity"]
        self.assertEqual(brackets, ["R[X](Y,Z) = 1"])

    def test_a_second_opinion_agrees(self):
        others = [n for n in ("hamel", "voronec", "chaplygin", "hamiltonian")
                  if self.structure["formulations"][n]["applies"]]
        done = self.daemon.post(
            "/v1/jobs?wait=30",
            sled_job(compare=others, observe={"push": "multiplier(blade)"},
                     integrator={"rtol": 1e-13, "atol": 1e-15})).json
        self.assertEqual(done["state"], "succeeded", done)
        result = self.daemon.get(done["links"]["result"]).json
        compared = self.daemon.get(done["links"]["diagnostics"]).json["compare"]
        self.assertEqual([one["formulation"] for one in compared], others)
        for one in compared:
            self.assertTrue(one["complete"])
            self.assertEqual(one["samples"], 21)
            self.assertEqual(set(one["columns"]), set(result["columns"]) - {"t"})
            self.assertLess(one["max_relative"], 1e-11)
            for column in one["columns"].values():
                self.assertAlmostEqual(column["relative"] * column["size"], column["absolute"], 25)
            largest = max(c["relative"] for c in one["columns"].values())
            self.assertEqual(one["max_relative"], largest)
        # the job's own motion is the one without opinions, bit for bit
        alone = self.daemon.post(
            "/v1/jobs?wait=30",
            sled_job(observe={"push": "multiplier(blade)"},
                     integrator={"rtol": 1e-13, "atol": 1e-15})).json
        self.assertEqual(alone["provenance"]["result_hash"], done["provenance"]["result_hash"])
        self.assertEqual(self.daemon.get(alone["links"]["diagnostics"]).json["compare"], [])

    def test_a_comparison_measures(self):
        """Chaos at a coarse tolerance: the same motion differs visibly, and the number says so."""
        chaos = {
            "coordinates": ["a", "b"],
            "lagrangian": "dot(a)^2 + dot(b)^2/2 + cos(a - b)*dot(a)*dot(b) + 20*cos(a) + "
                          "10*cos(b)",
        }
        document = {
            "model": chaos,
            "initial": {"q": {"a": 2.5, "b": 2}},
            "time": {"end": 5, "samples": 51},
            "compare": ["hamiltonian"],
        }
        found = []
        for rtol in (1e-4, 1e-12):
            tolerances = {"rtol": rtol, "atol": rtol}
            done = self.daemon.post("/v1/jobs?wait=30", dict(document, integrator=tolerances)).json
            found.append(self.daemon.get(done["links"]["diagnostics"]).json["compare"][0])
        self.assertGreater(found[0]["max_relative"], 1e-3)
        self.assertLess(found[1]["max_relative"], 1e-6)
        self.assertGreaterEqual(found[0]["max_absolute"], found[0]["max_relative"])

    def test_a_job_is_cancelled_while_it_is_compared(self):
        identifier = self.daemon.submit(long_job(compare=["hamiltonian"]))
        self.daemon.wait_state(identifier, "running")
        self.daemon.request("POST", "/v1/jobs/%s/cancel" % identifier, b"")
        done = self.daemon.wait_done(identifier)
        self.assertEqual(done["state"], "cancelled")

    def test_what_cannot_be_compared_is_refused(self):
        self.refused(sled_job(compare=["newton"]), "/compare/0", "must be one of")
        self.refused(sled_job(compare=["hammel"]), "/compare/0", 'did you mean "hamel"')
        self.refused(sled_job(compare=["hamel", "intrinsic"]), "/compare/1", "chart")
        self.refused(sled_job(compare=["vakonomic"]), "/compare/0", "motions are others")
        self.refused(sled_job(compare=["least-action"]), "/compare/0", "boundary")
        self.refused(sled_job(compare=["hamel", "hamel"]), "/compare/1", "twice")
        self.refused(sled_job(compare=["lagrange-dalembert"]), "/compare/0", "itself")
        self.refused(sled_job(compare=["hamel"], time={"end": 1, "samples": 600000}), "/compare",
                     "fewer samples")

    def test_wrong_use_is_refused_with_the_reason(self):
        self.refused(sled_job(formulation="newton"), "/formulation", "must be one of")
        self.refused(sled_job(formulation="voronek"), "/formulation", 'did you mean "voronec"')
        self.refused(sled_job(formulation="intrinsic"), "/formulation", "chart")
        self.refused(sled_job(formulation="moving-frame"), "/formulation", "chart")
        initial = {"v": {"x": 1}, "mu": [0.5]}
        self.refused(sled_job(initial=initial), "/initial/mu", "")
        self.refused(sled_job(formulation="hamel", initial=initial), "/initial/mu", "")
        self.refused(sled_job(formulation="vakonomic"), "/initial/mu", "blade")
        self.refused(sled_job(formulation="vakonomic", initial={"v": {"x": 1}, "mu": [1, 2]}),
                     "/initial/mu/1", "one multiplier more")
        self.refused(sled_job(formulation="vakonomic", initial={"v": {"x": 1}, "mu": {"blad": 1}}),
                     "/initial/mu/blad", "")
        self.refused(sled_job(initial={"chart": {"q": {"a": 1}}}), "/initial/chart", "chart")
        self.refused(sled_job(formulation="least-action"), "/formulation", "boundary")
        ends = {"start": {"t": 0}, "end": {"t": 1}}
        document = sled_job(boundary=ends)
        del document["initial"]
        self.refused(document, "/boundary", "least-action")
        self.refused(dict(document, formulation="least-action", time={"samples": 5}),
                     "/formulation", "blade")

    def test_a_velocity_is_given_under_the_name_of_its_coordinate(self):
        self.refused(sled_job(initial={"v": {"dot(x)": 1}}), "/initial/v/dot(x)", 'the key is "x"')

    def test_units_and_inequalities_are_answered_with_what_to_write(self):
        self.refused(sled_job(time={"end": "10 s"}), "/time/end", "units are not written")
        event = {"name": "wall", "when": "x < 1"}
        self.refused(sled_job(events=[event]), "/events/0/when", "write one side minus the other")
        model = dict(SLED, constraints=["x <= 1"])
        self.refused(sled_job(model=model), "/model/constraints/0",
                     "watch an inequality by an event")

    def test_one_mistaken_analysis_does_not_hide_the_others(self):
        for second in ("enrgy", {"name": "lyapunov", "count": 0},
                       {"name": "lyapunov", "count": 99}):
            for first in ("floquet", {"name": "floquet"}):
                document = sled_job(analyses=[first, second])
                self.refused(document, "/analyses/0", "floquet needs the period")
                place = "/analyses/1" if second == "enrgy" else "/analyses/1/count"
                self.refused(document, place, "")

    def test_too_many_samples_are_told_at_their_member(self):
        self.refused(sled_job(time={"end": 1, "samples": 999999999}),
                     "/time/samples", "more than the limit")
        self.refused(sled_job(time={"end": 1, "every": 1e-9}), "/time", "more than the limit")

    def test_vakonomic_motions_report_their_multipliers(self):
        done = self.daemon.post(
            "/v1/jobs?wait=20",
            sled_job(formulation="vakonomic",
                     initial={"v": {"x": 1, "theta": 0.5}, "mu": {"blade": "1/4"}}))
        self.assertEqual(done.json["state"], "succeeded", done)
        result = self.daemon.get(done.json["links"]["result"]).json
        self.assertEqual(result["series"]["multiplier(blade)"][0], 0.25)

    def test_a_boundary_problem_is_solved(self):
        document = {
            "model": OSCILLATOR,
            "formulation": "least-action",
            "boundary": {"start": {"t": 0, "q": {"x": 1}}, "end": {"t": "pi/4", "q": {"x": 0}}},
            "time": {"samples": 5},
        }
        done = self.daemon.post("/v1/jobs?wait=20", document)
        self.assertEqual(done.json["state"], "succeeded", done)
        series = self.daemon.get(done.json["links"]["result"]).json["series"]
        for t, x in zip(series["t"], series["x"]):
            self.assertAlmostEqual(x, math.cos(2 * t), 8)
        solutions = self.daemon.get(done.json["links"]["diagnostics"]).json["solutions"]
        self.assertGreaterEqual(len(solutions), 1)


SOLVE = """
#include <stdlib.h>
#include <string.h>
double solve(int k, int n, const double *A, const double *b)
{
    double *a = malloc(sizeof(double) * (size_t)(n * n + n)), *x = a + n * n, result;
    memcpy(a, A, sizeof(double) * (size_t)(n * n));
    memcpy(x, b, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i; r < n; r++)
            if (fabs(a[r * n + i]) > fabs(a[best * n + i]))
                best = r;
        for (int c = 0; c < n; c++) {
            double swap = a[i * n + c];
            a[i * n + c] = a[best * n + c];
            a[best * n + c] = swap;
        }
        double swap = x[i];
        x[i] = x[best];
        x[best] = swap;
        for (int r = 0; r < n; r++) {
            if (r == i)
                continue;
            double f = a[r * n + i] / a[i * n + i];
            for (int c = i; c < n; c++)
                a[r * n + c] -= f * a[i * n + c];
            x[r] -= f * x[i];
        }
    }
    result = x[k] / a[k * n + k];
    free(a);
    return result;
}
"""


if __name__ == "__main__":
    unittest.main()
