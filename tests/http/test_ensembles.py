"""Ensembles as the service runs them: shared by workers, cut short, interrupted by kills, beside
the jobs of others."""

import json
import unittest

from harness import Daemon, deadline, job


def ensemble(count, end=20, **changes):
    """Oscillators with an angle's stiffness, from as many amplitudes."""
    model = {
        "name": "pendulum",
        "coordinates": ["x"],
        "parameters": {"m": 2, "k": 8},
        "lagrangian": "m/2*dot(x)^2 + k*cos(x)",
    }
    return job(
        model=model,
        time={"end": end, "samples": 2},
        vary={"initial.q.x": {"from": 0.1, "to": 2, "count": count}},
        **changes,
    )


PENDULUM_ON_A_ROD = {
    "coordinates": ["x", "y"],
    "parameters": {"g": 1},
    "lagrangian": "(dot(x)^2 + dot(y)^2)/2 - g*y",
    "constraints": ["x^2 + y^2 - 1"],
}


def uneven(count):
    """Of which every 32nd is 50 times as long."""
    ends = [(100 if k % 32 == 31 else 2) * (1 + k / 1e6) for k in range(count)]
    document = ensemble(1, ensemble={"design": {"kind": "table", "columns": {"time.end": ends}}})
    del document["vary"]
    return document


class EnsembleCase(unittest.TestCase):
    def start(self, *arguments, **options):
        daemon = Daemon(*arguments, **options)
        self.addCleanup(daemon.close)
        return daemon

    def cancel(self, daemon, identifier):
        self.assertIn(daemon.request("POST", "/v1/jobs/%s/cancel" % identifier).status, (200, 202))

    def table(self, daemon, identifier):
        answer = daemon.get("/v1/jobs/%s/result" % identifier)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["series"]

    def wait_members(self, daemon, identifier, least):
        """Until so many have ended."""
        for _ in deadline("%d members" % least):
            found = daemon.get("/v1/jobs/" + identifier).json
            if found["members"]["done"] >= least:
                return found
            self.assertFalse(found["done"], found)


class Running(EnsembleCase):
    def test_two_workers_give_the_bytes_of_one(self):
        document = ensemble(300, events=[{"name": "zero", "when": "x"}],
                            ensemble={"keep": "trajectories"})
        found = []
        for workers in ("1", "2"):
            daemon = self.start("--workers", workers)
            done = daemon.finish(document)
            self.assertEqual(done["state"], "succeeded", done)
            self.assertEqual(done["members"],
                             {"total": 300, "done": 300, "succeeded": 300, "failed": 0})
            result = daemon.get("/v1/jobs/%s/result" % done["id"]).json
            evidence = daemon.get("/v1/jobs/%s/diagnostics" % done["id"]).json
            found.append((done["provenance"]["result_hash"],
                          json.dumps(result), json.dumps(evidence)))
        self.assertEqual(found[0], found[1])

    def test_lanes_that_a_range_leaves_free_are_taken_by_the_next(self):
        daemon = self.start("--workers", "1")
        self.assertEqual(daemon.finish(uneven(8192))["members"]["succeeded"], 8192)
        metrics = daemon.get("/metrics").body.decode()
        steps = dict(line.split() for line in metrics.splitlines()
                     if "_steps_total" in line and line[0] != "#")
        together = int(steps["dalembert_lane_steps_total"])
        shared = int(steps['dalembert_member_steps_total{lanes="shared"}'])
        alone = int(steps['dalembert_member_steps_total{lanes="alone"}'])
        self.assertLess(16 * (together + alone), 1.2 * (shared + alone))

    def test_progress_counts_members_whose_range_still_runs(self):
        daemon = self.start("--workers", "2")
        ends = [1e9] + [20 + k for k in range(15)]
        identifier = daemon.submit(job(vary={"time.end": ends},
                                       integrator={"max_steps": 900000000}))
        for _ in deadline("all members but the first to end"):
            found = daemon.get("/v1/jobs/" + identifier).json
            if found["progress"].get("fraction") == 15 / 16:
                break
        self.assertEqual(found["phase"], "integrating")
        self.assertEqual(found["members"]["done"], 0)
        self.assertGreater(found["progress"]["rate"], 0)
        self.assertGreater(found["progress"]["eta_s"], 0)
        self.cancel(daemon, identifier)
        self.assertEqual(daemon.wait_done(identifier)["members"]["done"], 16)

    def test_a_member_has_the_numbers_of_its_job_alone(self):
        daemon = self.start()
        series = self.table(daemon, daemon.finish(ensemble(40))["id"])
        for member in (0, 17, 39):
            document = ensemble(40, initial={"q": {"x": series["initial.q.x"][member]},
                                             "v": {"x": 0}}, analyses=[])
            del document["vary"]
            alone = self.table(daemon, daemon.finish(document)["id"])
            self.assertEqual(alone["x"][-1], series["final.q.x"][member])
            self.assertEqual(alone["dot(x)"][-1], series["final.v.x"][member])

    def test_members_that_fail_are_counted_and_say_why(self):
        daemon = self.start()
        document = ensemble(50, integrator={"max_steps": 150})
        done = daemon.finish(document)
        self.assertEqual(done["state"], "succeeded")
        evidence = daemon.get("/v1/jobs/%s/diagnostics" % done["id"]).json
        failed = done["members"]["failed"]
        self.assertGreater(failed, 0)
        self.assertGreater(done["members"]["succeeded"], 0)
        self.assertEqual(evidence["reasons"], {"limit": failed})
        self.assertEqual(len(evidence["failures"]), failed)
        self.assertEqual(evidence["failures"][0]["reason"], "limit")
        self.assertIn("150", evidence["failures"][0]["message"])

    def test_members_that_can_start_have_their_tables_though_most_others_cannot(self):
        daemon = self.start()
        far = {"model": PENDULUM_ON_A_ROD, "initial": {"q": {"x": 1}},
               "time": {"end": 1, "samples": 2}}
        far["vary"] = {"parameters.g": {"from": 1, "to": 2, "count": 8}, "initial.q.x": [2, 3, 1]}
        done = daemon.finish(dict(far, ensemble={"keep": "trajectories", "over_time": ["y"]}))
        self.assertEqual((done["members"]["succeeded"], done["members"]["failed"]), (8, 16))
        rows = daemon.get("/v1/jobs/%s/result?table=trajectory"
                          % done["id"]).json["series"]["member"]
        self.assertEqual(sorted(set(rows)), list(range(2, 24, 3)))
        far["vary"]["initial.q.x"] = [2, 3]
        done = daemon.finish(dict(far, ensemble={"keep": "trajectories"}))
        self.assertEqual((done["state"], done["members"]["failed"]), ("failed", 16))

    def test_a_member_of_no_length_fails_alone_be_it_the_first(self):
        daemon = self.start()
        for ends in ([0, 1], [1, 0]):
            done = daemon.finish(job(vary={"time.end": ends}))
            self.assertEqual(done["state"], "succeeded", done)
            expected = ["succeeded" if end else "failed" for end in ends]
            self.assertEqual(self.table(daemon, done["id"])["state"], expected)
        self.assertEqual(daemon.post("/v1/jobs", job(vary={"time.end": [0]})).status, 422)

    def test_a_failure_stops_the_others_where_that_is_asked_for(self):
        daemon = self.start("--workers", "2")
        document = ensemble(2000, integrator={"max_steps": 150}, ensemble={"on_error": "stop"})
        done = daemon.finish(document)
        self.assertEqual((done["state"], done["reason"]), ("failed", "limit"), done)
        self.assertFalse(done["complete"])
        self.assertLess(done["members"]["done"], 2000)
        self.assertGreater(done["members"]["failed"], 0)

    def test_what_is_asked_for_beside_the_motion_becomes_a_column(self):
        daemon = self.start()
        paths = ["accuracy.max_relative", "accuracy.columns.x.absolute",
                 "compare.0.columns.dot(x).size",
                 "sensitivities.d(x)/d(parameters.k)", "sensitivities.d(far)/d(initial.q.x)",
                 "compare.1.max_relative"]
        asked = {"accuracy": True, "compare": ["hamiltonian"],
                 "sensitivities": ["parameters.k", "initial.q.x"],
                 "observe": {"far": "x^2"}}
        done = daemon.finish(
            ensemble(2, 3, ensemble={"reduce": {p: {"of": p, "take": "finding"} for p in paths}},
                     **asked))
        table = self.table(daemon, done["id"])
        document = ensemble(2, 3, initial={"q": {"x": table["initial.q.x"][1]}, "v": {"x": 0}},
                            **asked)
        del document["vary"]
        alone = daemon.finish(document)["id"]
        said, rows = daemon.get("/v1/jobs/%s/diagnostics" % alone).json, self.table(daemon, alone)
        self.assertEqual([table[path][1] for path in paths], [
            said["accuracy"]["max_relative"], said["accuracy"]["columns"]["x"]["absolute"],
            said["compare"][0]["columns"]["dot(x)"]["size"], rows["d(x)/d(parameters.k)"][-1],
            rows["d(far)/d(initial.q.x)"][-1], None])
        self.assertEqual(done["warnings"],
                         ['the reduction compare.1.max_relative is null for all members: there is '
                          'no number '
                                            'at "compare.1.max_relative"'])

    def test_members_with_warnings_are_counted_and_found(self):
        daemon = self.start()
        stiff = {"parameters.k": {"from": 0.01, "to": 8, "count": 40}}
        done = daemon.finish(job(vary=stiff, time={"end": 20, "samples": 2},
                                 integrator={"method": "rk4", "step": 0.1}))
        found = daemon.get("/v1/jobs/%s/members?where=warnings%%20%%3E%%200"
                           % done["id"]).json["series"]["member"]
        self.assertTrue(0 < len(found) < 40, found)
        self.assertEqual(daemon.get("/v1/jobs/%s/diagnostics" % done["id"]).json["warned"],
                         len(found))
        self.assertEqual(len(done["warnings"]), 1, done)
        self.assertIn("%d of 40 members have warnings, member %d" % (len(found), found[0]),
                      done["warnings"][0])

    def test_an_ensemble_of_failures_has_failed(self):
        done = self.start().finish(ensemble(10, integrator={"max_steps": 3}))
        self.assertEqual((done["state"], done["reason"]), ("failed", "limit"), done)
        self.assertTrue(done["complete"])
        self.assertEqual(done["error"]["code"], "limit")

    def test_time_is_up_for_all_of_them(self):
        daemon = self.start()
        done = daemon.finish(ensemble(200000, end=2000, ensemble={"timeout": 0.2}))
        self.assertEqual((done["state"], done["reason"]), ("failed", "timeout"), done)
        self.assertFalse(done["complete"])


class CutShort(EnsembleCase):
    def test_what_is_done_is_kept_when_it_is_cancelled(self):
        daemon = self.start("--workers", "2")
        identifier = daemon.submit(ensemble(200000, end=200))
        self.wait_members(daemon, identifier, 64)
        self.cancel(daemon, identifier)
        done = daemon.wait_done(identifier)
        self.assertEqual(done["state"], "cancelled")
        members = done["members"]
        self.assertGreaterEqual(members["succeeded"], 64)
        self.assertLess(members["done"], 200000)
        self.assertEqual(daemon.get("/v1/jobs/%s/diagnostics" % identifier).json["members"],
                         members)

    def test_one_that_waits_is_cancelled_at_once(self):
        daemon = self.start("--workers", "1")
        running = daemon.submit(job(time={"end": 1e7, "samples": 11},
                                    integrator={"max_steps": 900000000}))
        daemon.wait_running(running)
        identifier = daemon.submit(ensemble(1000))
        self.cancel(daemon, identifier)
        self.assertEqual(daemon.wait_done(identifier)["members"]["done"], 0)
        self.cancel(daemon, running)
        again = daemon.post("/v1/jobs/%s/rerun?wait=60" % identifier, b"").json
        self.assertEqual(again["members"]["succeeded"], 1000, again)
        answer = daemon.post("/v1/jobs/%s/rerun" % again["id"], b"")
        self.assertEqual((answer.status, answer.json["code"]), (409, "conflict"), answer)

    def test_what_has_not_succeeded_is_run_again_begun_or_not(self):
        daemon = self.start("--workers", "1")
        # short ones, and so many that never end that some are not begun
        ends = [1 + k / 1000 for k in range(64)] + [1e9] * 200 + [2]
        document = job(vary={"time.end": ends}, integrator={"max_steps": 900000000})
        identifier = daemon.submit(document)
        self.wait_members(daemon, identifier, 64)
        self.cancel(daemon, identifier)
        members = daemon.wait_done(identifier)["members"]
        self.assertEqual(members["total"] - members["succeeded"], 201, members)
        self.assertLess(members["done"], len(ends))
        again = daemon.post("/v1/jobs/%s/rerun" % identifier, b"").json["id"]
        self.cancel(daemon, again)
        columns = daemon.get("/v1/jobs/%s/request" % again).json["ensemble"]["design"]["columns"]
        self.assertEqual(columns["time.end"], ends[64:])

    def test_small_jobs_are_answered_beside_it(self):
        daemon = self.start("--workers", "1")
        identifier = daemon.submit(ensemble(1000000, end=200))
        self.wait_members(daemon, identifier, 1)
        for _ in range(20):
            self.assertEqual(daemon.finish(job())["state"], "succeeded")
        found = daemon.get("/v1/jobs/" + identifier).json
        self.assertEqual(found["state"], "running")
        self.cancel(daemon, identifier)
        daemon.wait_done(identifier)

    def test_two_of_them_take_turns(self):
        daemon = self.start("--workers", "1")
        both = [daemon.submit(ensemble(1000000, end=200)) for _ in range(2)]
        for identifier in both:
            self.wait_members(daemon, identifier, 1)
        for identifier in both:
            self.cancel(daemon, identifier)
            daemon.wait_done(identifier)


class Interrupted(EnsembleCase):
    def test_kills_lose_and_double_no_member(self):
        document = ensemble(6000, end=60, events=[{"name": "zero", "when": "x"}],
                            ensemble={"keep": "events"})
        calm = self.start("--workers", "2")
        wanted = calm.finish(document)
        daemon = self.start("--workers", "2")
        identifier = daemon.submit(document)
        kills = 0
        for least in (1, 200, 500, 1000, 2000):
            if self.wait_members(daemon, identifier, least)["members"]["done"] == 6000:
                break
            daemon.kill()
            daemon.start()
            kills += 1
        self.assertGreaterEqual(kills, 2)
        done = daemon.wait_done(identifier)
        self.assertEqual(done["state"], "succeeded")
        self.assertEqual(done["members"], wanted["members"])
        self.assertEqual(done["provenance"]["result_hash"], wanted["provenance"]["result_hash"])
        self.assertEqual(self.table(daemon, identifier), self.table(calm, wanted["id"]))

    def test_kills_lose_and_double_no_member_of_ranges_that_share_lanes(self):
        document = uneven(3000)
        calm = self.start("--workers", "2")
        wanted = calm.finish(document)
        daemon = self.start("--workers", "2")
        identifier = daemon.submit(document)
        for least in (1, 400, 1000):
            self.wait_members(daemon, identifier, least)
            daemon.kill()
            daemon.start()
        done = daemon.wait_done(identifier)
        self.assertEqual(done["members"], wanted["members"])
        self.assertEqual(done["provenance"]["result_hash"], wanted["provenance"]["result_hash"])
        self.assertEqual(self.table(daemon, identifier), self.table(calm, wanted["id"]))

    def test_a_shutdown_keeps_what_is_done(self):
        daemon = self.start("--workers", "2", "--shutdown-grace", "0")
        identifier = daemon.submit(ensemble(200000, end=200))
        before = self.wait_members(daemon, identifier, 64)["members"]["done"]
        self.assertEqual(daemon.terminate(), 0)
        daemon.start()
        found = daemon.get("/v1/jobs/" + identifier).json
        self.assertGreaterEqual(found["members"]["done"], before)
        self.assertEqual(found["members"]["failed"], 0)
        self.wait_members(daemon, identifier, found["members"]["done"] + 1)
        self.cancel(daemon, identifier)
        daemon.wait_done(identifier)

    def test_what_members_said_is_known_after_a_kill(self):
        daemon = self.start("--workers", "1")
        ends = [0 if k % 10 == 5 else 1 + k / 1000 for k in range(70)] + [1e9] * 58
        identifier = daemon.submit(job(vary={"time.end": ends},
                                       integrator={"max_steps": 900000000}))
        before = self.wait_members(daemon, identifier, 64)["members"]
        said = {k: daemon.get("/v1/jobs/%s/members/%d" % (identifier, k)).json["message"]
                for k in (5, 6, 55)}
        self.assertTrue(said[5] and said[55] and said[6] is None, said)
        daemon.kill()
        daemon.start()
        for k, message in said.items():
            self.assertEqual(daemon.get("/v1/jobs/%s/members/%d" % (identifier, k)).json["message"],
                             message)
        self.assertEqual(daemon.get("/v1/jobs/" + identifier).json["members"], before)
        self.cancel(daemon, identifier)
        daemon.wait_done(identifier)
        failures = daemon.get("/v1/jobs/%s/diagnostics" % identifier).json["failures"]
        told = {item["member"]: item["message"] for item in failures
                if item["reason"] != "cancelled"}
        self.assertEqual([k for k in told if k < 64], list(range(5, 64, 10)))
        self.assertNotIn(None, told.values())
        self.assertEqual(told[55], said[55])
        self.assertEqual(daemon.get("/v1/jobs/%s/members/55" % identifier).json["message"],
                         said[55])

    def test_the_time_of_all_of_them_goes_on_after_restarts(self):
        daemon = self.start("--workers", "1", "--shutdown-grace", "0")
        identifier = daemon.submit(ensemble(1000000, end=200, ensemble={"timeout": 1.5}))
        restarts, members = 0, 0
        for _ in deadline("the time of the ensemble to be up"):
            found = daemon.get("/v1/jobs/" + identifier).json
            if found["done"]:
                break
            if found["members"]["done"] > members:
                members = found["members"]["done"]
                self.assertEqual(daemon.terminate(), 0)
                daemon.start()
                restarts += 1
        self.assertEqual((found["state"], found["reason"]), ("failed", "timeout"), found)
        self.assertGreater(restarts, 1)

    def test_a_member_whose_process_dies_is_found_and_fails_alone(self):
        daemon = self.start("--workers", "1", "--max-attempts", "3")
        document = job(vary={"time.end": [1, 2, 1e9, 3]}, integrator={"max_steps": 900000000})
        identifier = daemon.submit(document)
        for _ in deadline("the third member to be given up"):
            # it runs beside the others first, then beside the fourth, then alone
            before = daemon.get("/v1/jobs/" + identifier).json
            if before["members"]["done"] > 2:
                break
            for _ in range(5):
                daemon.submit(job())  # with their commits the claim of the members is durable
            after = daemon.get("/v1/jobs/" + identifier).json
            if after["phase"] == "integrating" and after["members"] == before["members"]:
                daemon.kill()
                daemon.start()
        done = daemon.wait_done(identifier)
        self.assertEqual(done["members"], {"total": 4, "done": 4, "succeeded": 3, "failed": 1})
        evidence = daemon.get("/v1/jobs/%s/diagnostics" % identifier).json
        self.assertEqual(evidence["reasons"], {"worker_lost": 1})
        self.assertEqual(evidence["failures"][0]["member"], 2)
