"""The Python client against a daemon, which may also be gone."""

import array
import contextlib
import csv
import gzip
import io
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import unittest
import urllib.parse
from unittest import mock

from common import ROOT, flat, settings  # first: it says where the others are
from stub import Stub, answer, npy

import dalembert
from dalembert import errors, events, progress, table, transport
from dalembert.__main__ import main
from harness import BINARY, Daemon, DaemonCase, job, long_job

ENSEMBLE = job(
    vary={"parameters.k": [2, 4, 8], "initial.q.x": [0.5, 1]},
    events=[{"name": "down", "when": "x", "direction": "falling"}],
    ensemble={"keep": "trajectories", "reduce": {"top": {"of": "x", "take": "max"},
                                                 "late": {"of": "t", "take": "first_event",
                                                          "event": "down"}}},
)
# its names are those that an address, a header and a line of CSV would tear apart
ODD = job(observe={'h\u00f6he, "a"': "2*x", "back\\slash 'n' \u65e5": "-x",
                   "'shape': (3,)": "3*x", "a&b=c%2C": "x"},
          events=[{"name": "fall & rise", "when": "x"}], time={"end": 5, "samples": 23})


with open(os.path.join(ROOT, "api", "openapi.json"), encoding="utf-8") as contract:
    ROUTES = json.load(contract)["paths"]
SOON = dict(timeout=0.1)  # of a job that does not end: a machine may be as slow as it likes


def bits(values):
    """What tells -0 from 0 and one NaN from another number."""
    return [struct.pack("<d", value) for value in values]


class Service(DaemonCase):
    def setUp(self):
        self.client = dalembert.Client("http://127.0.0.1:%d/" % self.daemon.port)
        self.addCleanup(self.client.close)

    def raw(self, found, tail, accept):
        answer = self.daemon.get("/v1/jobs/" + found.id + tail, {"Accept": accept})
        self.assertEqual(answer.status, 200, answer)
        return answer.body

    # Submitting.

    def test_a_job_is_submitted_in_every_form(self):
        text = json.dumps(job())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "job.json")
            path.write_text(text)
            for document in (job(), text, text.encode(), path):
                found = self.client.submit(document, wait=60).wait()
                self.assertEqual((found.state, found.done, found.complete),
                                 ("succeeded", True, True))
                self.assertEqual(found.request(), job())
                self.assertEqual(self.client.job(found.id).data, found.data)

    def test_large_documents_travel_packed(self):
        document = job(time={"at": [k / 8192 for k in range(1, 20000)]})
        self.assertGreater(len(json.dumps(document)), transport.PACKED_FROM)
        packing = dalembert.Client(self.client.url, gzip=True)
        self.addCleanup(packing.close)
        with mock.patch.object(transport.gzip, "compress", wraps=gzip.compress) as compress:
            found = packing.run(document)
            self.assertEqual(found.request(), document)
            compress.assert_called_once()
            self.check_table(found, found.result(format="json"), "/result")
            self.assertEqual(self.client.run(document).result().n_rows, 19999)
            compress.assert_called_once()  # not on this machine
        for url, packed in ((self.client.url, False), ("http://[::1]:1", False),
                            ("https://lab.example", True)):
            self.assertEqual(dalembert.Client(url).transport.packed, packed)

    def test_arrays_are_documents_too(self):
        document = job(time={"at": array.array("d", [0.25, 0.5])})
        self.assertEqual(list(self.client.run(document).result()["t"]), [0.25, 0.5])
        for bad in (math.nan, math.inf):
            with self.assertRaises(ValueError):
                self.client.submit(job(time={"end": bad}))
        with self.assertRaises(TypeError):
            self.client.submit(job(time={"end": {1, 2}}))

    def test_the_same_key_is_the_same_job(self):
        first = self.client.submit(job(), idempotency_key="once")
        self.assertEqual(self.client.submit(job(), idempotency_key="once").id, first.id)
        self.assertNotEqual(self.client.submit(job()).id, first.id)

    def test_a_batch_is_all_or_none(self):
        jobs = self.client.submit_batch([job(labels={"n": str(k)}) for k in range(3)],
                                        idempotency_key="b1")
        self.assertEqual([found.labels["n"] for found in jobs], ["0", "1", "2"])
        self.assertEqual([found.wait().state for found in jobs], 3 * ["succeeded"])
        again = self.client.submit_batch([job(labels={"n": str(k)}) for k in range(3)],
                                         idempotency_key="b1")
        self.assertEqual([found.id for found in again], [found.id for found in jobs])
        wrong = job()
        wrong["model"] = dict(wrong["model"], lagrangian="m*u")
        with self.assertRaises(dalembert.InvalidDocument) as caught:
            self.client.submit_batch([job(), wrong])
        mistake = caught.exception.mistakes[0]
        self.assertEqual((mistake.pointer, mistake.text, mistake.offset),
                         ("/jobs/1/model/lagrangian", "m*u", 2))

    def test_a_stored_model_is_named_by_its_id(self):
        model = self.client.store_model(job()["model"])
        self.assertEqual(self.client.model(model["id"])["id"], model["id"])
        self.assertIn(model["id"], [one["id"] for one in self.client.models(limit=1)])
        found = self.client.run(job(model={"id": model["id"]}))
        self.assertEqual(found["model"]["id"], model["id"])
        self.assertEqual([one.id for one in self.client.jobs(model=model["id"], limit=1)][0],
                         found.id)
        self.assertEqual(self.client.structure(model["id"])["degrees_of_freedom"], 1)
        self.assertIn("ddot(x)", json.dumps(self.client.equations(model["id"])))
        self.assertIn("frac", json.dumps(self.client.equations(model["id"], format="latex",
                                                               formulation="hamiltonian")))
        self.client.delete_model(model["id"])
        with self.assertRaises(dalembert.NotFound):
            self.client.delete_model(model["id"])
        checked = self.client.validate_model(job()["model"], equations=True)
        self.assertIn("equations", checked)

    def test_the_equations_of_a_check_come_in_each_notation(self):
        for ask, document in ((self.client.validate, job()),
                              (self.client.validate_model, job()["model"])):
            for notation, text in (("text", "ddot(x)"), ("latex", "\\ddot{x}"), ("c", "double")):
                found = ask(document, equations=True, format=notation)["equations"]
                self.assertEqual(found["format"], notation)
                self.assertIn(text, found["whole"])
            with self.assertRaisesRegex(dalembert.Problem, "format needs include=equations"):
                ask(document, format="latex")

    def test_a_check_stores_nothing(self):
        before = self.daemon.get("/v1/jobs").json["revision"]
        found = self.client.validate(job(), equations=True)
        self.assertTrue(found["valid"])
        self.assertIn("ddot(x)", json.dumps(found["equations"]))
        self.assertNotIn("equations", self.client.validate(job()))
        self.assertEqual(self.daemon.get("/v1/jobs").json["revision"], before)

    # Mistakes.

    def test_mistakes_are_shown_at_their_places(self):
        wrong = job(tiem=1)
        wrong["model"] = dict(wrong["model"], lagrangian="m/2*dot(x)^2\n - kk*x^2/2")
        with self.assertRaises(dalembert.InvalidDocument) as caught:
            self.client.submit(wrong)
        problem = caught.exception
        self.assertEqual((problem.status, problem.code), (422, "invalid_document"))
        lines = str(problem).split("\n")
        self.assertIn('/tiem: unknown member "tiem"', str(problem))
        self.assertIn('did you mean "time"?', str(problem))
        line = next(k for k, text in enumerate(lines) if text.strip() == "- kk*x^2/2")
        self.assertEqual(lines[line].index("kk"), lines[line + 1].index("^"))

    def test_what_is_no_json_is_shown_too(self):
        with self.assertRaises(dalembert.InvalidDocument) as caught:
            self.client.submit('{"model": {"coordinates": ["x"],, ')
        lines = str(caught.exception).split("\n")
        self.assertEqual((caught.exception.status, caught.exception.code), (400, "not_json"))
        self.assertEqual(lines[-2].index(",, ") + 1, lines[-1].index("^"))

    def test_a_mistake_in_a_parameter_is_shown(self):
        found = self.client.run(ENSEMBLE)
        for call in (lambda: found.members("top > zonk"),
                     lambda: found.statistics(where="top > zonk")):
            with self.assertRaises(dalembert.InvalidDocument) as caught:
                call()
            self.assertEqual(str(caught.exception).split("\n")[-1].index("^"),
                             str(caught.exception).split("\n")[-2].index("zonk"))

    def test_other_refusals(self):
        with self.assertRaises(dalembert.NotFound) as caught:
            self.client.job("no/such?job")
        self.assertIn("no/such?job", caught.exception.detail)
        found = self.client.run(job())
        with self.assertRaises(dalembert.Conflict):
            found.cancel()
        with self.assertRaises(dalembert.Problem):
            found.result(table="nothing")
        with self.assertRaises(dalembert.NotFound):
            found.members()
        found.delete()
        for call in (found.refresh, found.delete, found.result):
            with self.assertRaises(dalembert.NotFound):
                call()
        with self.assertRaises(dalembert.NotFound):
            list(found.follow())

    def test_a_failure_is_told(self):
        broken = job(model={"coordinates": ["x"], "lagrangian": "dot(x)^2/2 + x^4"},
                     time={"end": 100})
        with self.assertRaises(dalembert.JobFailed) as caught:
            self.client.run(broken)
        self.assertEqual((caught.exception.job.state, caught.exception.job.reason),
                         ("failed", "numeric"))
        self.assertIn(caught.exception.job.error["detail"], str(caught.exception))
        found = self.client.run(broken, check=False)
        self.assertFalse(found.result().complete)
        self.assertGreater(found.result().n_rows, 1)

    # Following.

    def test_waiting_ends_in_time(self):
        found = self.client.submit(long_job())
        for progress_wanted in (False, lambda job: None):
            with self.assertRaises(dalembert.WaitTimeout) as caught:
                found.wait(0.2, progress=progress_wanted)
            self.assertIs(caught.exception.job, found)
        with self.assertRaises(TimeoutError):
            self.client.run(long_job(labels={"a": "b"}), **SOON)
        self.client.cancel_jobs(labels={"a": "b"})
        self.assertIn(found.cancel().state, ("running", "cancelled"))
        with self.assertRaises(dalembert.JobFailed):
            found.wait()
        self.assertEqual(found.cancel().state, "cancelled")  # once more is no mistake

    def test_a_job_is_followed_to_its_end(self):
        found = self.client.submit(long_job())
        kinds = []
        for event in found.follow():
            kinds.append(event.kind)
            if event.kind == "progress":
                self.assertIn("fraction", event.job.progress)
                found.cancel()
        self.assertEqual((kinds[-1], found.state), ("done", "cancelled"))
        self.assertEqual([event.kind for event in found.follow()], ["done"])

    def test_a_bar_is_drawn_on_terminals_only(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
            with mock.patch.object(sys, "stderr", stream):
                self.client.run(ENSEMBLE, progress=True)
            self.assertEqual("100 %, 6 of 6 members" in stream.getvalue(), shown, stream.getvalue())
            self.assertEqual(bool(stream.getvalue()), shown)

    def test_changes_come_in_their_order(self):
        feed = self.client.changes(labels={"feed": "1"})
        page = []
        reader = threading.Thread(target=lambda: page.append(next(feed)))
        reader.start()
        self.daemon.wait_waiters(1)
        found = self.client.submit(job(labels={"feed": "1"}))
        reader.join()
        self.assertEqual([one.id for one in page[0].jobs], [found.id])
        found.wait().delete()
        told = [change for change in self.client.changes(page[0].revision,
                                                         labels={"feed": "1"}, idle=0.01)]
        self.assertIn(found.id, [gone for change in told for gone in change.deleted])
        self.assertTrue(all(not change.reset for change in told))

    # Lists.

    def test_lists_come_page_by_page(self):
        ids = [found.id for found in self.client.submit_batch(
            [job(labels={"many": "1", "n": str(k % 2)}) for k in range(5)])]
        for _ in self.client.changes(0, idle=0.01):
            pass
        listed = list(self.client.jobs(labels={"many": "1"}, limit=2))
        self.assertEqual([found.id for found in listed], ids[::-1])
        self.assertEqual(len(list(self.client.jobs(labels={"many": "1", "n": "0"}))), 3)
        for found in listed:
            found.wait()
        self.assertEqual(len(list(self.client.jobs(labels={"many": "1"}, state="succeeded"))), 5)
        report = self.client.delete_jobs(ids[:2] + ["nothing"])
        self.assertEqual((report["changed"], report["refused"][0]["code"]), (2, "not_found"))
        self.assertEqual(self.client.delete_jobs(state="succeeded",
                                                 labels={"many": "1"})["changed"], 3)
        with self.assertRaises(ValueError):
            self.client.cancel_jobs(ids, state="queued")

    # Results.

    def check_table(self, found, given, tail, query=""):
        """Against CSV read by another reader and the JSON as it was sent, bit by bit."""
        text = self.raw(found, tail + query, "text/csv").decode()
        lines = list(csv.reader(io.StringIO(text, newline="")))
        sent = json.loads(self.raw(found, tail + query, "application/json"), parse_int=float)
        self.assertEqual(list(given), sent["columns"])
        self.assertEqual(len(lines) - 1, given.n_rows)
        for k, name in enumerate(given):
            if name in ("state", "reason"):
                self.assertEqual([word or "" for word in flat(given[name])],
                                 [line[k] for line in lines[1:]])
                self.assertEqual(flat(given[name]), sent["series"][name])
                continue
            numbers = bits(flat(given[name]))
            self.assertEqual(numbers, bits(float(line[k] or "nan") for line in lines[1:]), name)
            self.assertEqual(numbers, bits(math.nan if value is None
                                           else value for value in sent["series"][name]), name)

    def test_results_are_the_same_bits_in_every_form(self):
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                for document in (ODD, ENSEMBLE):
                    found = self.client.run(document)
                    for form in ("npy", "json"):
                        self.check_table(found, found.result(format=form), "/result")
                event = "fall & rise"
                found = self.client.run(ODD)
                self.assertEqual(found.tables, [event])
                with self.assertRaisesRegex(KeyError, 'no column "xx" among t, x, dot'):
                    found.result()["xx"]
                self.assertNotIn("xx", found.result())
                self.check_table(found, found.result(table=event),
                                 "/result", "?table=fall%20%26%20rise")
                names = ["t", *ODD["observe"]]
                query = "?columns=" + ",".join(urllib.parse.quote(name, safe="") for name in names)
                self.check_table(found, found.result(names, start=1, end=4, stride=3),
                                 "/result", query + "&from=1&to=4&stride=3")
                self.assertEqual(list(found.result("x")), ["x"])
                self.assertEqual(list(found.result(names)), names)
                few = found.result(points=2)
                self.assertTrue(few.downsampled and few.complete)
                self.assertEqual([page.n_rows for page in found.pages(limit=10)], [10, 10, 3])
                page = found.result(limit=10)
                self.assertEqual(found.result(limit=10, cursor=page.next)["t"][0],
                                 found.result()["t"][10])
                self.assertIn("<Table of 23 rows: t, x,", repr(found.result()))
                with self.assertRaises(ValueError):
                    found.result(format="xml")

    @unittest.skipUnless("/v1/jobs/{id}/columns" in ROUTES, "the service has no such route")
    def test_columns_come_afterwards(self):
        found = self.client.run(ODD)
        new = {"twice, \u00f6": "2*x", "E": "energy()"}
        alone = self.client.run(dict(ODD, observe=new)).result()
        for form in ("npy", "json"):
            given = found.observe(new, format=form)
            self.assertEqual((list(given), given.complete), (["t", *new], True))
            self.assertTrue(all(bits(given[name]) == bits(alone[name]) for name in given))
            self.assertEqual(found.observe(new, ["E", "x"],
                                           start=1, end=4, tail=2, format=form).n_rows, 2)
            self.assertEqual(list(found.result("t", tail=3, format=form)["t"]),
                             list(alone["t"])[-3:])
        self.assertTrue(found.observe(new, points=2).downsampled)
        with self.assertRaises(dalembert.InvalidDocument) as caught:
            found.observe({"v": "x + zonk"})
        self.assertEqual((caught.exception.mistakes[0].pointer, caught.exception.mistakes[0].text),
                         ("/observe/v", "x + zonk"))

    def test_a_terminal_event_is_named(self):
        found = self.client.run(job(events=[{"name": "down", "when": "x", "terminal": True}]))
        for form in ("npy", "json"):
            self.assertEqual(found.result(format=form).ended_by, "down")
            self.assertEqual(found.result(format=form)["t"][-1],
                             found.result(table="down", format=form)["t"][0])
        self.assertIsNone(self.client.run(ODD).result().ended_by)

    def test_empty_tables_are_empty(self):
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                found = self.client.run(job(events=[{"name": "never", "when": "x - 100"}]))
                for form in ("npy", "json"):
                    none = found.result(table="never", format=form)
                    self.assertEqual((list(none), none.n_rows, list(none.rows())),
                                     (["t", "x", "dot(x)"], 0, []))
                self.assertEqual(list(found.rows(table="never")), [])
                nothing = npy([]).replace(b"('t', '<f8')", b" " * 12)  # of a job that has not begun
                self.assertEqual(list(table.NpyReader([nothing]).table({})), [])
                self.assertEqual(
                    list(table.read_json_table(b'{"columns":[],"series":{},"complete":false}')), [])

    def test_zeros_keep_their_signs(self):
        body = b'{"columns":["a"],"series":{"a":[-0,0,null,1e300]},"complete":true}'
        self.assertEqual(bits(flat(table.read_json_table(body)["a"])),
                         bits([-0.0, 0.0, math.nan, 1e300]))

    def test_units_come_with_the_columns(self):
        system = self.client.catalog_system("vertical-rolling-disk")
        self.assertIn("vertical-rolling-disk", [one["name"] for one in self.client.catalog()])
        found = self.client.run(system["job"])
        for form in ("npy", "json"):
            self.assertEqual(found.result(format=form).units["dot(x)"], "m/s")

    def test_rows_of_any_number_take_bounded_memory(self):
        found = self.client.run(job(time={"end": 1, "samples": 40001}))
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                tracemalloc.start()
                count, last = 0, None
                for row in found.rows(["t", "x", "dot(x)"], rows=1000):
                    count, last = count + 1, row
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                self.assertEqual((count, last["t"]), (40001, 1.0))
                self.assertLess(peak, 1 << 19)  # the rows are 960 KB
                blocks = [block.n_rows for block in found.blocks(["t"], rows=10000)]
                self.assertEqual(blocks, [10000, 10000, 10000, 10000, 1])
        rows = found.rows()
        next(rows)
        rows.close()  # the connection is given up, and the client goes on
        self.assertTrue(self.client.ready())
        with self.assertRaises(ValueError):
            next(found.blocks(rows=0))

    def test_files_have_the_bytes_of_the_service(self):
        found = self.client.run(ODD)
        with tempfile.TemporaryDirectory() as folder:
            for form, accept in (("csv", "text/csv"), ("json", "application/json"),
                                 ("ndjson", "application/x-ndjson"), ("npy", "application/x-npy")):
                path = os.path.join(folder, "result." + form)
                found.download(path)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), self.raw(found, "/result", accept))
            found.download(os.path.join(folder, "noname"), "csv", ["t"], stride=2)
            with self.assertRaises(ValueError):
                found.download(os.path.join(folder, "result.xls"))
            with self.assertRaises(dalembert.Problem):
                found.download(os.path.join(folder, "none.csv"), table="nothing")
            self.assertEqual(len(os.listdir(folder)), 5)

    def test_plots_are_drawn(self):
        found = self.client.run(ODD)
        drawing = found.plot()
        self.assertTrue(drawing.startswith("<svg") and drawing._repr_svg_() == drawing)
        name = next(iter(ODD["observe"]))
        drawing = found.plot([name, "x"], "dot(x)", width=300,
                             height=200, theme="dark", aspect="fill", style="dots", start=1, end=2)
        self.assertIn('width="300"', drawing)
        self.assertIn("h\u00f6he", found.plot(name))
        self.assertIn("<svg", found.plot("x", table="fall & rise"))
        with tempfile.TemporaryDirectory() as folder:
            drawing.save(os.path.join(folder, "plot.svg"))
            with open(os.path.join(folder, "plot.svg"), encoding="utf-8") as file:
                self.assertEqual(file.read(), drawing)

    def test_evidence_comes_with_a_job(self):
        found = self.client.run(job())
        self.assertIn("energy", found.diagnostics())
        self.assertIn("items", found.scene()["scene"])
        self.assertEqual(found.invariants()["invariants"][0]["name"], "energy")
        running = self.client.submit(long_job())
        with self.assertRaises(dalembert.Conflict) as caught:
            running.diagnostics()
        self.assertEqual(caught.exception.code, "not_ready")
        self.assertFalse(running.result().complete)
        running.cancel()

    # Ensembles.

    def test_members_are_tables(self):
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                found = self.client.run(ENSEMBLE)
                self.assertTrue(found.is_ensemble)
                self.check_table(found, found.members(), "/members")
                self.check_table(found, found.members(format="json"), "/members")
                some = found.members('top > 0.75 and state == "succeeded"',
                                     sort="-member", columns=["member", "top"])
                self.assertEqual((list(some), list(some["member"])), (["member", "top"], [5, 3, 1]))
                pages = list(found.member_pages("member > 0", limit=2))
                self.assertEqual([page.n_rows for page in pages], [2, 2, 1])
                grid = found.members(grid=True)
                self.assertEqual((grid.shape, [axis["path"] for axis in grid.axes]),
                                 ((3, 2), ["parameters.k", "initial.q.x"]))
                self.assertEqual(flat(grid["member"]), [0, 1, 2, 3, 4, 5])
                self.assertEqual(flat(grid["state"]), 6 * ["succeeded"])
                self.assertEqual([row["member"] for row in grid.rows()], [0, 1, 2, 3, 4, 5])
                self.check_table(found, found.member_result(2), "/members/2/result")
                self.check_table(found, found.member_result(5, table="down"),
                                 "/members/5/result", "?table=down")
                self.check_table(found, found.result(table="trajectory"),
                                 "/result", "?table=trajectory")
        alone = self.client.run(found.member(3)["job"])
        self.assertEqual(bits(alone.result()["x"]), bits(found.member_result(3)["x"]))

    def test_statistics_are_arrays(self):
        for module in settings():
            with mock.patch.object(table, "numpy", module):
                found = self.client.run(ENSEMBLE)
                some = found.statistics(["top", "late"], quantiles=[0, 0.5],
                                        bins=4, where="member > 0")
                self.assertEqual((some["count"], some["columns"]["top"]["quantiles"]["0.5"]),
                                 (5, 1))
                self.assertEqual(list(some["columns"]["top"]["histogram"]["counts"]), [2, 0, 0, 3])
                self.assertAlmostEqual(some["covariance"][0][0], some["columns"]["top"]["variance"])
                over = found.statistics("x", over="time", quantiles=[0.5])
                self.assertEqual(bits(over["t"]), bits(found.member_result(0)["t"]))
                self.assertEqual(over["columns"]["x"]["max"][0], 1)
                self.assertEqual(len(over["columns"]["x"]["quantiles"]["0.5"]), 11)

    def test_what_failed_is_run_again(self):
        found = self.client.run(job())
        again = found.rerun(wait=60, idempotency_key="again")
        self.assertNotEqual(again.id, found.id)
        self.assertEqual(found.rerun(idempotency_key="again").id, again.id)
        self.assertEqual(bits(again.wait().result()["x"]), bits(found.result()["x"]))
        with self.assertRaises(dalembert.Conflict):
            self.client.run(ENSEMBLE).rerun()

    # The service.

    def test_the_service_tells_of_itself(self):
        self.assertTrue(self.client.ready())
        self.assertEqual(self.client.limits()["max-wait"]["value"], self.client.longest_wait)
        self.assertIn("sin", [one["name"] for one in self.client.language()["functions"]])
        self.assertIn("queued", self.client.queue())
        self.assertEqual(self.client.about()["service"], "dalembert")
        self.assertEqual(self.client.about()["version"], dalembert.__version__)
        found = self.client.problem("internal")
        self.assertEqual([one["of"] for one in found["meanings"]], ["answer", "job"])
        self.assertRaises(dalembert.NotFound, self.client.problem, "a/b")
        self.assertIn("127.0.0.1", repr(self.client))

    def test_threads_share_a_client(self):
        found = []
        threads = [threading.Thread(target=lambda:
                                    found.append(self.client.run(job()).result()["x"][-1]))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(found), len(set(found))), (8, 1))

    # The command.

    def command(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["--url", self.client.url, *arguments])
        return code, out.getvalue(), err.getvalue()

    def test_the_command_runs_a_job(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "job.json")
            with open(path, "w") as file:
                json.dump(job(), file)
            code, out, said = self.command("run", path, "--csv",
                                           path + ".csv", "--svg", path + ".svg")
            self.assertEqual(code, 0, said)
            self.assertRegex(
                out, r"^succeeded, \d+ rows, \d+ steps, worst residual .*, energy balance .*; "
                     r"conserved: \d+ yes")
            identifier = said.split()[1]
            with open(path + ".csv", "rb") as file:
                self.assertEqual(file.read(),
                                 self.daemon.get("/v1/jobs/%s/result" % identifier,
                                                 {"Accept": "text/csv"}).body)
            with open(path + ".svg") as file:
                self.assertIn("<svg", file.read())
            self.assertEqual(json.loads(self.command("check", path, "--json")[1]),
                             self.client.validate(pathlib.Path(path)))
            with contextlib.redirect_stdout(io.StringIO()):  # which service may also be said behind
                self.assertEqual(main(["check", path, "--url", self.client.url]), 0)
            with open(path, "w") as file:
                json.dump(job(zonk=1), file)
            code, _, said = self.command("run", path)
            self.assertEqual((code, "/zonk" in said), (1, True))
            code, _, said = self.command("run", path + ".none")
            self.assertEqual((code, said), (1, path + ".none: No such file or directory\n"))
            environment = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "clients", "python"),
                               DALEMBERT_URL=self.client.url)
            ended = subprocess.run([sys.executable, "-m", "dalembert", "check", path],
                                   env=environment, capture_output=True, text=True)
            self.assertEqual((ended.returncode, "unknown member" in ended.stderr), (1, True))

    def test_the_command_tells_what_a_job_came_to_whatever_becomes_of_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "job.json")
            for masses, outcome in (([1, 2], "succeeded, 2 rows"),
                                    ([0], "failed (model): 0 of 1 members succeeded")):
                with open(path, "w") as file:
                    json.dump(job(vary={"parameters.m": masses}), file)
                for option, failure in (("--svg", "an ensemble has no trajectory"),
                                        ("--csv", "No such file")):
                    code, out, said = self.command("run", path,
                                                   option, os.path.join(folder, "none", "file"))
                    self.assertEqual(code, 1)
                    self.assertIn(outcome, out + said)
                    self.assertIn(failure, said)

    def test_the_command_tells_in_a_few_lines_what_a_checked_job_is(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "job.json")
            for system in self.client.catalog():
                with open(path, "w") as file:
                    json.dump(self.client.catalog_system(system["name"])["job"], file)
                code, out, said = self.command("check", path)
                self.assertEqual((code, said), (0, ""))
                self.assertLess(len(out.splitlines()), 16, out)
            with open(path, "w") as file:
                json.dump(job(vary={"parameters.k": [1, 2, 3]}, initial={"q": {"x": 1}}), file)
            self.assertEqual(self.command("check", path)[1], """oscillator: can be simulated
  1 coordinate, 1 degree of freedom, 2 parameters
  constraints: none
  formulations that apply: lagrange-dalembert, voronec, chaplygin, hamel, hamiltonian, vakonomic, \
least-action
  it gives 3 members of 11 samples, a summary of 11 columns, 264 bytes, about 225 evaluations of \
1 operation
""")


class Gone(unittest.TestCase):
    def test_a_daemon_that_comes_again_has_kept_the_job(self):
        daemon = Daemon("--workers", "1")
        port = str(daemon.port)
        client = dalembert.Client("http://127.0.0.1:" + port, retries=1000, longest_pause=0.05)
        before = client.submit(long_job())  # has the worker until it is cancelled
        found = client.submit(job())
        seen, failures = [], []

        def follow():
            try:
                for event in found.follow():
                    seen.append(event.kind)
            except Exception as failure:  # shown by the test
                failures.append(failure)

        waiter = client.job(found.id)
        threads = [threading.Thread(target=follow), threading.Thread(target=waiter.wait)]
        for thread in threads:
            thread.start()
        daemon.wait_waiters(2)
        daemon.kill()
        daemon.arguments += ["--listen", "127.0.0.1:" + port]
        daemon.start()
        before.cancel()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, seen[-1], found.state, waiter.state),
                         ([], "done", "succeeded", "succeeded"))
        self.assertTrue(found.result().complete)
        daemon.close()
        client.close()

    def test_nobody_is_there(self):
        stub = Stub(answer(200))
        stub.close()
        client = dalembert.Client(stub.url, retries=2, longest_pause=0.001)
        for call in (lambda: client.submit(job()), client.ready, lambda: next(client.jobs())):
            with self.assertRaises(dalembert.Unreachable) as caught:
                call()
        self.assertIn(stub.url, str(caught.exception))

    def test_an_address_is_one(self):
        for url in ("localhost:80", "ftp://a", "http://", "http://a:b@c", "http://a?b"):
            with self.assertRaises(ValueError):
                dalembert.Client(url)
        with mock.patch.dict(os.environ, DALEMBERT_URL="http://other:1", DALEMBERT_KEY="k"):
            self.assertEqual(dalembert.Client().url, "http://other:1")


class Keys(unittest.TestCase):
    """A service that asks for keys."""

    def setUp(self):
        token = subprocess.run([BINARY, "keys", "token"], capture_output=True, text=True,
                               check=True).stdout
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(token)
        self.addCleanup(os.unlink, file.name)
        self.daemon = Daemon("--auth", "keys", "--first-key-file", file.name)
        self.addCleanup(self.daemon.close)
        self.token = token.strip()

    def client(self, key):
        client = dalembert.Client("http://127.0.0.1:%d" % self.daemon.port, key=key)
        self.addCleanup(client.close)
        return client

    def test_a_key_is_made_used_and_revoked(self):
        admin = self.client(self.token)
        made = admin.create_key("a reader", scopes=["read"])
        reader = self.client(made["token"])
        self.assertEqual(list(reader.jobs()), [])
        with self.assertRaises(dalembert.Problem) as refused:
            reader.submit(job())
        self.assertEqual((refused.exception.status, refused.exception.code),
                         (403, "scope_missing"))
        self.assertEqual([key["name"] for key in admin.keys(limit=1)], ["a reader", "first"])
        admin.revoke_key(made["id"])
        with self.assertRaises(dalembert.Problem) as refused:
            list(reader.jobs())
        self.assertEqual(refused.exception.code, "unauthorized")

    def test_a_tenant_is_made_and_changed(self):
        admin = self.client(self.token)
        made = admin.create_tenant("acme", quotas={"queued": 5})
        self.assertEqual(made["quotas"]["queued"], 5)
        changed = admin.change_tenant("acme", quotas={"queued": None, "running": 2})
        self.assertEqual(changed["quotas"], {"queued": None, "running": 2, "bytes": None})
        kept = admin.change_tenant("acme", retention={"keep": 60, "keep_failed": 0})
        self.assertEqual(kept["retention"], {"keep": 60, "keep_failed": 0, "keep_bytes": None})
        self.assertEqual(kept["quotas"], changed["quotas"])
        self.assertEqual(admin.tenant("acme"), kept)
        self.assertEqual([one["name"] for one in admin.tenants()], ["default", "acme"])
        self.assertEqual(admin.create_key("a key", tenant="acme")["tenant"], "acme")


CALLS = {
    "submitJob": "Client.submit", "listJobs": "Client.jobs",
    "submitBatch": "Client.submit_batch", "cancelJobs": "Client.cancel_jobs",
    "deleteJobs": "Client.delete_jobs", "getJob": "Client.job",
    "deleteJob": "Job.delete", "getJobRequest": "Job.request",
    "streamJob": "Job.follow", "cancelJob": "Job.cancel", "rerunJob": "Job.rerun",
    "getResult": "Job.result", "observeJob": "Job.observe",
    "getPlot": "Job.plot", "getScene": "Job.scene", "listMembers": "Job.members", "getMember": "Job.member",
    "getMemberResult": "Job.member_result",
    "getStatistics": "Job.statistics", "getDiagnostics": "Job.diagnostics",
    "getInvariants": "Job.invariants",
    "storeModel": "Client.store_model", "listModels": "Client.models",
    "createKey": "Client.create_key", "listKeys": "Client.keys", "revokeKey": "Client.revoke_key",
    "createTenant": "Client.create_tenant", "listTenants": "Client.tenants",
    "getTenant": "Client.tenant", "changeTenant": "Client.change_tenant",
    "getModel": "Client.model", "deleteModel": "Client.delete_model",
    "getEquations": "Client.equations", "getStructure": "Client.structure",
    "listCatalog": "Client.catalog",
    "getCatalogEntry": "Client.catalog_system", "getQueue": "Client.queue",
    "getLimits": "Client.limits", "getLanguage": "Client.language",
    "getProblem": "Client.problem",
    "getIndex": "Client.about", "getReady": "Client.ready"}
NOT_CALLED = {"getLive", "getContract", "getMetrics",  # of those who run the service
              "getPageFile", "getClientModule", "getDocs"}  # of browsers


class Contract(unittest.TestCase):
    def test_every_operation_has_its_method(self):
        described = {operation["operationId"] for path in ROUTES.values()
                     for operation in path.values() if "operationId" in operation}
        self.assertEqual(described - CALLS.keys() - NOT_CALLED, set())
        with open(os.path.join(ROOT, "clients", "javascript", "client.js"),
                  encoding="utf-8") as client, \
                open(os.path.join(ROOT, "clients", "javascript", "job.js"),
                     encoding="utf-8") as jobs:
            modules = {"Client": client.read(), "Job": jobs.read()}
        for call in CALLS.values():
            kind, name = call.split(".")
            self.assertTrue(callable(getattr(getattr(dalembert, kind), name)))
            camel = re.sub("_(.)", lambda letter: letter.group(1).upper(), name)
            self.assertRegex(modules[kind], r"\n  async \*?%s\(" % camel)


class Pieces(unittest.TestCase):
    def test_events_torn_anywhere_are_the_same(self):
        text = ("\n: c\nevent: a\r\nid: 1\r\ndata: x\u00e9\r\ndata:y\r\n\r\nid: 2\rdata: "
                "z\r\revent: none\n\n"
                "id: a\0b\nretry: 250\nretry: x\ndata\n\nevent: cut\ndata: 1\n").encode()
        for size in range(1, len(text) + 1):
            parser = events.Parser()
            found = list(parser.messages(text[k:k + size] for k in range(0, len(text), size)))
            self.assertEqual(found, [("a", "x\u00e9\ny"), ("message", "z"), ("message", "")], size)
            self.assertEqual((parser.last_id, parser.retry), ("2", 0.25))

    def test_a_caret_is_under_its_character(self):
        self.assertEqual(errors.mark("abc", 1), ["abc", " ^"])
        self.assertEqual(errors.mark("abc", 99), ["abc", "   ^"])
        self.assertEqual(errors.mark("ab\ncd\tef\ngh", 6), ["cd ef", "   ^"])
        self.assertEqual(errors.mark("\u65e5e\u0301x", 3), ["\u65e5e\u0301x", "   ^"])
        line, caret = errors.mark("x" * 500 + "?" + "y" * 500, 500)
        self.assertEqual((len(line), line[caret.index("^")]), (errors.EXCERPT + 6, "?"))

    def test_places_are_found(self):
        source = errors.Source(json.dumps({"a/b": {"c~d": ["x", {"": "y"}]}, "n": 1}).encode(),
                               {"where": "z", "k": 3})
        places = {"/a~1b/c~0d/0": "x", "/a~1b/c~0d/1/": "y",
                  "/n": None, "/a~1b/c~0d/7": None, "/none": None, "": None,
                  "where": "z", "k": None}
        for pointer, text in places.items():
            self.assertEqual(source.text(pointer), text, pointer)
        self.assertIsNone(errors.Source(None, None).text("/a"))

    def test_a_job_is_told_in_a_line(self):
        running = {"state": "running", "done": False,
                   "progress": {"fraction": 0.5, "t": 2.5, "eta_s": 300}}
        self.assertEqual(progress.describe(running),
                         "running [############............]  50 %, t = 2.5, 5 min left")
        queued = {"state": "queued", "done": False, "queue": {"position": 3, "eta_s": 8000}}
        self.assertEqual(progress.describe(queued), "queued, 3 before it, begins in 2.2 h")

    def test_queries_are_written(self):
        self.assertEqual(transport.encode_query({"a": None, "b": True,
                                                 "c": ["x,y", "d(e,f)"], "g h": 1e-3}),
                         "?b=true&c=x%2Cy,d%28e%2Cf%29&g%20h=0.001")

    def test_problems_have_text_and_more(self):
        found = errors.problem(422, {"title": "T", "code": "c",
                                     "errors": [{"pointer": "", "message": "m", "hint": "h"}],
                                     "more_errors": 7}, None, None)
        self.assertEqual(str(found), "T (422 c)\n  the document: m\n    h\n  and 7 more")


if __name__ == "__main__":
    unittest.main()
