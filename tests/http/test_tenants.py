"""Tenants: two of them on one service, each as if it were alone."""

import json
import os
import re
import socket
import unittest

from harness import ROOT, Daemon, deadline, job, long_job
from receiver import Receiver
from test_keys import WithKeys, bearer

NOBODY = "01234567-89ab-7def-8123-456789abcdef"  # an id that no job has


class TwoTenants(WithKeys):
    def setUp(self):
        super().setUp()
        self.tenant("theirs")
        self.ours = self.make("read", "write")["token"]
        self.theirs = self.make("read", "write", tenant="theirs")["token"]

    def tenant(self, name, **quotas):
        answer = self.daemon.post("/v1/tenants", {"name": name, "quotas": quotas}, bearer(self.token))
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def submit(self, token, document=None, **more):
        answer = self.daemon.post("/v1/jobs?wait=30", document or job(), dict(bearer(token), **more))
        self.assertIn(answer.status, (200, 202), answer)
        return answer.json


class Hidden(TwoTenants):
    """What belongs to another tenant is answered as what does not exist."""

    def operations(self):
        with open(os.path.join(ROOT, "api", "openapi.json")) as file:
            contract = json.load(file)
        for path, item in contract["paths"].items():
            for method in item:
                if "{id}" in path and path.startswith(("/v1/jobs", "/v1/models")) and \
                        method != "parameters":
                    yield path, method.upper()

    def test_every_route_answers_for_a_foreign_id_as_for_none(self):
        own = self.submit(self.theirs)
        ensemble = self.submit(self.theirs, job(vary={"initial.q.x": [1, 2]}))
        model = self.daemon.post("/v1/models", job()["model"], bearer(self.theirs)).json
        routes = list(self.operations())
        self.assertGreater(len(routes), 15)
        for path, method in routes:
            for identifier in ((model["id"],) if "models" in path else (own["id"], ensemble["id"])):
                answers = []
                for sought in (identifier, "0" * len(identifier)):
                    filled = path.replace("{id}", sought).replace("{k}", "0")
                    body = b'{"columns": {"e": "x"}}' if path.endswith("/columns") else None
                    # If-None-Match: * matches whatever exists
                    answer = self.daemon.request(
                        method, filled, body,
                        dict(bearer(self.ours), **{"Content-Type": "application/json",
                                                   "If-None-Match": "*"}))
                    self.assertEqual(answer.status, 404, (path, method, answer))
                    answers.append(answer.body.decode().replace(sought, "ID"))
                self.assertEqual(answers[0], answers[1], path)
            self.assertEqual(self.get(f"/v1/jobs/{own['id']}", self.theirs).status, 200)

    def test_an_etag_opens_nothing(self):
        own = self.submit(self.theirs)
        path = f"/v1/jobs/{own['id']}"
        tag = self.get(path, self.theirs).headers.get("etag")
        for _ in range(2):  # the second time the answer has been kept
            answer = self.daemon.get(path, dict(bearer(self.theirs), **{"If-None-Match": tag or "*"}))
            self.assertIn(answer.status, (200, 304))
            answer = self.daemon.get(path, dict(bearer(self.ours), **{"If-None-Match": tag or "*"}))
            self.assertEqual(answer.status, 404)

    def test_lists_and_the_feed_are_of_the_tenant(self):
        self.submit(self.theirs, job(labels={"a": "b"}))
        mine = self.submit(self.ours, job(labels={"a": "b"}))
        model_id = mine["model"]["id"]
        for query in ("", "?state=succeeded", "?label.a=b", f"?model={model_id}", "?since=0"):
            listed = self.get("/v1/jobs" + query, self.ours).json
            self.assertEqual([one["id"] for one in listed["jobs"]], [mine["id"]], query)
        self.daemon.post("/v1/models", job()["model"], bearer(self.theirs))
        self.assertEqual(self.get("/v1/models", self.ours).json["models"], [])

    def test_revisions_do_not_tell_what_others_do(self):
        before = self.get("/v1/jobs?since=0", self.ours).json["revision"]
        done = self.submit(self.theirs)
        self.daemon.request("DELETE", f"/v1/jobs/{done['id']}", headers=bearer(self.theirs))
        after = self.get(f"/v1/jobs?since={before}", self.ours).json
        self.assertEqual((after["revision"], after["jobs"], after["deleted"]), (before, [], []))

    def test_a_stream_tells_of_own_jobs_only(self):
        connection = self.daemon.connect()
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/jobs?since=0",
                           headers=dict(bearer(self.ours), Accept="text/event-stream"))
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        foreign = self.submit(self.theirs)
        mine = self.submit(self.ours)
        read = b""
        while mine["id"].encode() not in read:
            read += response.read1(65536)
        self.assertNotIn(foreign["id"].encode(), read)

    def test_an_idempotency_key_is_of_its_tenant(self):
        headers = {"Idempotency-Key": "one"}
        mine = self.submit(self.ours, job(), **headers)
        foreign = self.submit(self.theirs, job(time={"end": 2, "samples": 3}), **headers)
        self.assertNotEqual(mine["id"], foreign["id"])
        batch = self.daemon.post("/v1/jobs:batch", {"jobs": [job()]},
                                 dict(bearer(self.theirs), **{"Idempotency-Key": "two"}))
        self.assertEqual(batch.status, 200, batch)

    def test_results_are_not_shared_across_tenants(self):
        document = job(cache=True)
        self.submit(self.theirs, document)
        self.assertFalse(self.submit(self.ours, document)["cached"])
        self.assertTrue(self.submit(self.ours, document)["cached"])

    def test_a_model_is_new_to_each_tenant(self):
        model = job()["model"]
        for token in (self.theirs, self.ours):
            self.assertEqual(self.daemon.post("/v1/models", model, bearer(token)).status, 201)
            self.assertEqual(self.daemon.post("/v1/models", model, bearer(token)).status, 200)
        self.assertEqual(self.daemon.post("/v1/models", dict(model, parameters={"m": 3, "k": 8}),
                                          bearer(self.theirs)).status, 201)
        foreign = self.get("/v1/models", self.theirs).json["models"][0]["id"]
        answer = self.daemon.post("/v1/jobs", dict(job(), model={"id": foreign}), bearer(self.ours))
        none = self.daemon.post("/v1/jobs", dict(job(), model={"id": "0" * 64}), bearer(self.ours))
        self.assertEqual(answer.status, 422)
        self.assertEqual(answer.body.replace(foreign.encode(), b"0" * 64), none.body)

    def test_a_job_with_members_of_another_tenant_s_ensemble_is_refused(self):
        ensemble = self.submit(self.theirs, job(vary={"initial.q.x": [1, 2]}))
        for identifier in (ensemble["id"], NOBODY):
            answer = self.daemon.post("/v1/jobs", {"ensemble": {"members_of": {"job": identifier}}},
                                      bearer(self.ours))
            self.assertEqual(answer.status, 404 if answer.status == 404 else 422, answer)
            self.assertIn(identifier, answer.body.decode())

    def test_a_bulk_cancel_stops_jobs_of_the_tenant_only(self):
        foreign = self.daemon.post("/v1/jobs", long_job(), bearer(self.theirs)).json["id"]
        for body in ({"ids": [foreign]}, {"filter": {"state": "queued"}},
                     {"filter": {"state": "running"}}):
            answer = self.daemon.post("/v1/jobs:cancel", body, bearer(self.ours))
            self.assertEqual((answer.status, answer.json["changed"]), (200, 0), body)
        none = self.daemon.post("/v1/jobs:cancel", {"ids": [NOBODY]}, bearer(self.ours))
        refused = self.daemon.post("/v1/jobs:cancel", {"ids": [foreign]}, bearer(self.ours))
        self.assertEqual(refused.body.replace(foreign.encode(), NOBODY.encode()), none.body)
        found = self.get("/v1/jobs/" + foreign, self.theirs).json
        self.assertEqual((found["done"], found["cancel_requested"]), (False, False))

    def test_bulk_operations_leave_other_tenants_alone(self):
        foreign = self.submit(self.theirs)
        for body in ({"ids": [foreign["id"]]}, {"state": ["succeeded"]}):
            answer = self.daemon.post("/v1/jobs:delete", body, bearer(self.ours))
            self.assertIn(answer.status, (200, 422), answer)
        self.assertEqual(self.get(f"/v1/jobs/{foreign['id']}", self.theirs).status, 200)

    def test_names_find_jobs_of_the_tenant_only(self):
        self.submit(self.theirs)
        self.assertEqual(self.get("/v1/jobs?name=oscill", self.ours).json["jobs"], [])
        mine = self.submit(self.ours)
        found = self.get("/v1/jobs?name=oscill", self.ours).json["jobs"]
        self.assertEqual([one["id"] for one in found], [mine["id"]])

    def test_counts_are_of_the_tenant(self):
        self.submit(self.theirs)
        for query in ("", "&name=oscill", "&state=succeeded"):
            counts = self.get("/v1/jobs?include=counts" + query, self.ours).json["counts"]
            self.assertFalse(any(counts.values()), (query, counts))
        self.submit(self.ours)
        for query in ("", "&name=oscill", "&state=succeeded"):
            counts = self.get("/v1/jobs?include=counts" + query, self.ours).json["counts"]
            self.assertEqual(sum(counts.values()), counts["succeeded"], (query, counts))
            self.assertEqual(counts["succeeded"], 1, query)

    def test_the_queue_and_the_pace_are_not_told(self):
        self.daemon.post("/v1/jobs", long_job(), bearer(self.theirs))
        running = self.daemon.post("/v1/jobs?wait=1", long_job(), bearer(self.theirs)).json
        self.daemon.post(f"/v1/jobs/{running['id']}/cancel", {}, bearer(self.theirs))
        queue = self.get("/v1/queue", self.ours).json
        self.assertEqual((queue["queued"], queue["running"], queue["busy"]), (0, 0, 0))
        self.assertIsNone(queue["seconds_per_job"])
        everything = self.get("/v1/queue", self.make("read", "admin")["token"]).json
        self.assertGreaterEqual(everything["running"], 1)


class Queued(TwoTenants):
    arguments = ("--workers", "1")

    def place(self, identifier, token):
        return self.get("/v1/jobs/" + identifier, token).json["queue"]

    def test_a_place_in_the_queue_counts_own_jobs_and_tells_no_pace(self):
        running = self.daemon.post("/v1/jobs", long_job(), bearer(self.theirs)).json["id"]
        for _ in deadline("the only worker to be busy"):
            if self.get("/v1/jobs/" + running, self.theirs).json["state"] == "running":
                break
        for _ in range(3):
            self.daemon.post("/v1/jobs", long_job(), bearer(self.theirs))
        mine = [self.daemon.post("/v1/jobs", long_job(), bearer(self.ours)).json["id"]
                for _ in range(2)]
        # a job that has ended gives the service a pace
        self.daemon.post(f"/v1/jobs/{running}/cancel", b"", bearer(self.theirs))
        for _ in deadline("the first of our jobs to run, whose tenant has its turn"):
            if self.place(mine[0], self.ours) is None:
                break
            self.daemon.post("/v1/jobs:cancel", {"filter": {"state": "running"}},
                             bearer(self.theirs))
        self.assertEqual(self.place(mine[1], self.ours), {"position": 0, "eta_s": None})
        mine.append(self.daemon.post("/v1/jobs", long_job(), bearer(self.ours)).json["id"])
        self.assertEqual(self.place(mine[2], self.ours), {"position": 1, "eta_s": None})
        told = self.place(mine[2], self.token)
        self.assertEqual(told["position"], 1)
        self.assertGreater(told["eta_s"], 0)


class Administration(TwoTenants):
    def test_an_administrator_reads_any_tenant(self):
        foreign = self.submit(self.theirs)
        admin = self.make("read", "admin")["token"]
        path = f"/v1/jobs/{foreign['id']}"
        self.assertEqual(self.get(path, admin).status, 404)
        self.assertEqual(self.get(path + "?tenant=theirs", admin).status, 200)
        listed = self.get("/v1/jobs?tenant=theirs", admin).json
        self.assertEqual([one["id"] for one in listed["jobs"]], [foreign["id"]])
        self.assertEqual(self.get("/v1/jobs?tenant=nobody", admin).json["code"], "bad_parameter")
        self.assertEqual(self.get("/v1/jobs?tenant=default", self.theirs).json["code"],
                         "scope_missing")
        answer = self.daemon.post("/v1/jobs?tenant=theirs", job(), bearer(self.token))
        self.assertEqual(answer.json["code"], "bad_parameter")

    def test_tenants_are_made_listed_and_changed(self):
        made = self.tenant("acme", queued=5)
        self.assertEqual(made["quotas"], {"queued": 5, "running": None, "bytes": None})
        admin = bearer(self.token)
        names = [one["name"] for one in self.daemon.get("/v1/tenants", admin).json["tenants"]]
        self.assertEqual(names, ["default", "theirs", "acme"])
        changed = self.daemon.request("PATCH", "/v1/tenants/acme",
                                      json.dumps({"quotas": {"queued": None, "bytes": 7}}).encode(),
                                      dict(admin, **{"Content-Type": "application/json"}))
        self.assertEqual(changed.json["quotas"], {"queued": None, "running": None, "bytes": 7})
        self.assertEqual(self.daemon.get("/v1/tenants/acme", admin).json, changed.json)
        for body, code in (({"name": "acme"}, "conflict"), ({"name": "A"}, "invalid_document"),
                           ({"name": "b", "quotas": {"queued": 0}}, "invalid_document"),
                           ({"name": "b", "colour": 1}, "invalid_document"),
                           ({}, "invalid_document")):
            answer = self.daemon.post("/v1/tenants", body, admin)
            self.assertEqual(answer.json["code"], code, body)
        refused = self.daemon.post("/v1/keys", {"name": "k", "tenant": "nobody"}, admin).json
        self.assertEqual((refused["code"], refused["errors"][0]["pointer"]),
                         ("invalid_document", "/tenant"))

    def test_a_quota_refuses_further_jobs(self):
        self.tenant("small", bytes=1)
        small = self.make("read", "write", tenant="small")["token"]
        self.submit(small)
        for path, body in (("/v1/jobs", job()), ("/v1/jobs:batch", {"jobs": [job()]})):
            answer = self.daemon.post(path, body, bearer(small))
            self.assertEqual((answer.status, answer.json["code"]), (429, "quota_exceeded"), path)
        self.submit(self.ours)

    def test_a_tenant_has_a_retention_of_its_own(self):
        admin = dict(bearer(self.token), **{"Content-Type": "application/json"})
        none = {"keep": None, "keep_failed": None, "keep_bytes": None}
        self.assertEqual(self.get("/v1/tenants/theirs", self.token).json["retention"], none)

        def change(**members):
            return self.daemon.request("PATCH", "/v1/tenants/theirs",
                                       json.dumps({"retention": members}).encode(), admin)

        mine, foreign = self.submit(self.ours), self.submit(self.theirs)
        changed = change(keep=0.001, keep_bytes=1000000).json
        self.assertEqual(changed["retention"], dict(none, keep=0.001, keep_bytes=1000000))
        self.assertEqual(changed["quotas"], {"queued": None, "running": None, "bytes": None})
        for _ in deadline("the job of the tenant to go"):
            if self.get(f"/v1/jobs/{foreign['id']}", self.theirs).status == 404:
                break
        self.daemon.wait_log("id=%s state=deleted rule=keep tenant=theirs\n" % foreign["id"])
        self.assertEqual(self.get(f"/v1/jobs/{mine['id']}", self.ours).status, 200)
        # each is told the times in force
        for token, seconds in ((self.ours, 0), (self.theirs, 0.001)):
            limits = self.get("/v1/limits", token).json["limits"]
            self.assertEqual(limits["keep"]["value"], seconds)
        self.assertEqual(change(keep=0, keep_bytes=None).json["retention"], dict(none, keep=0))
        self.assertEqual(self.get("/v1/limits", self.theirs).json["limits"]["keep"]["value"], 0)
        for wrong in ({"keep": -1}, {"keep": "1d"}, {"keep_bytes": 0}, {"days": 1}):
            self.assertEqual(change(**wrong).json["code"], "invalid_document", wrong)

    def test_tenants_and_their_quotas_outlive_the_daemon(self):
        self.tenant("small", queued=3)
        foreign = self.submit(self.theirs)
        self.daemon.terminate()
        self.daemon.start()
        self.assertEqual(self.get(f"/v1/jobs/{foreign['id']}", self.theirs).status, 200)
        self.assertEqual(self.get(f"/v1/jobs/{foreign['id']}", self.ours).status, 404)
        self.assertEqual(self.get("/v1/tenants/small", self.token).json["quotas"]["queued"], 3)


class Measured(TwoTenants):
    """The label `tenant` of the metrics."""

    arguments = ("--metrics-listen", "127.0.0.1:0")
    most = 100  # tenants with a label of their own

    def samples(self, metrics):
        """The values of metrics of tenants, by tenant and (metric, state)."""
        found = {}
        for name, tenant, state, value in re.findall(
                r'^dalembert_(tenant_\w+)\{tenant="([^"]*)"(?:,state="(\w+)")?\} (\d+)$',
                metrics, re.M):
            key = (name, state)
            self.assertNotIn(key, found.setdefault(tenant, {}), "a series that is there twice")
            found[tenant][key] = int(value)
        return found

    def test_jobs_and_bytes_of_each_tenant_are_told(self):
        self.submit(self.theirs)
        self.submit(self.theirs, job(time={"end": 2}))
        found = self.samples(self.get("/metrics", self.make("metrics")["token"]).body.decode())
        self.assertEqual(sorted(found), ["default", "theirs"])
        listed = {one["name"]: one for one in self.get("/v1/tenants", self.token).json["tenants"]}
        self.assertEqual(listed["theirs"]["jobs"]["succeeded"], 2)
        for name, values in found.items():
            self.assertEqual({state: n for (metric, state), n in values.items()
                              if metric == "tenant_jobs"}, listed[name]["jobs"])
            self.assertEqual(values["tenant_result_bytes", ""], listed[name]["bytes"])

    def test_without_keys_only_the_port_for_metrics_tells_tenants(self):
        self.daemon.terminate()
        daemon = Daemon(*self.arguments, data=self.directory.name)
        self.addCleanup(daemon.close)
        public = daemon.get("/metrics").body.decode()
        self.assertIn("\ndalembert_jobs_queued 0\n", public)
        for word in ("theirs", "tenant_", "tenant="):
            self.assertFalse(word in public, word)
        self.assertIn("theirs", self.samples(daemon.own_metrics()))

    def test_tenants_beyond_the_first_hundred_are_summed(self):
        for name in ["other"] + ["t%03d" % k for k in range(self.most)]:
            self.tenant(name)
        for name in ("t097", "t098", "t099", "other"):
            self.submit(self.make("read", "write", tenant=name)["token"])
        found = self.samples(self.daemon.own_metrics())
        self.assertEqual(len(found), self.most + 1)
        self.assertIn("t097", found)
        self.assertNotIn("t098", found)
        self.assertEqual(found["other"]["tenant_jobs", "succeeded"], 3)
        self.assertEqual(found["other"]["tenant_result_bytes", ""],
                         3 * found["t097"]["tenant_result_bytes", ""])


class Logged(TwoTenants):
    """Lines of the log name the tenant."""

    arguments = ("--log-level", "debug", "--webhooks", "on", "--webhook-allow", "127.0.0.1")

    def line(self, start):
        return next(line for line in self.daemon.wait_log(start).splitlines() if start in line)

    def test_every_line_of_a_job_names_its_tenant(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        for token, name in ((self.ours, "default"), (self.theirs, "theirs")):
            document = job(notify={"url": receiver.url()}, cache=True)
            first = self.submit(token, document)["id"]
            reused = self.submit(token, document)["id"]
            for start in ("event=job id=%s state=running" % first,
                          "event=job id=%s state=succeeded" % first,
                          "event=job id=%s state=succeeded reused=" % reused,
                          "event=webhook_delivered job=%s" % first):
                self.assertRegex(self.line(start), " tenant=%s request=" % name)

    def test_a_request_names_the_tenant_of_its_key_or_the_one_that_is_read(self):
        self.get("/v1/jobs?label.a=1", self.theirs)
        self.get("/v1/jobs?label.a=2", self.token)
        self.get("/v1/jobs?label.a=3&tenant=theirs", self.token)
        self.get("/v1/jobs?label.a=4", "dal_0")
        self.get("/livez?n=5", self.theirs)
        for n, name in enumerate(("theirs", "default", "theirs", None, None), 1):
            line = self.line("?label.a=%d" % n if n < 5 else "?n=5")
            words = re.findall(r" tenant=(\S+)", line)
            self.assertEqual(words, [name] if name else [], n)


class Notified(TwoTenants):
    arguments = ("--webhooks", "on", "--webhook-allow", "127.0.0.1", "--webhook-timeout", "600")

    def dead_receivers(self, n):
        """URLs of ports that take connections and never answer."""
        for _ in range(n):
            dead = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(dead.close)
            yield "http://127.0.0.1:%d/" % dead.getsockname()[1]

    def test_dead_receivers_of_a_tenant_do_not_delay_another(self):
        jobs = [job(notify={"url": url}, labels={"k": str(k)})
                for url in self.dead_receivers(40) for k in range(2)]
        answer = self.daemon.post("/v1/jobs:batch", {"jobs": jobs}, bearer(self.ours))
        self.assertEqual(answer.status, 200, answer)
        for _ in deadline("as many calls as one tenant may have"):
            metrics = self.get("/metrics", self.token).body.decode()
            if "\ndalembert_webhooks_under_way 32\n" in metrics:
                break
        quick = Receiver()
        self.addCleanup(quick.close)
        self.submit(self.theirs, job(notify={"url": quick.url()}))
        quick.wait(1)
        metrics = self.get("/metrics", self.token).body.decode()
        self.assertRegex(metrics, r"\ndalembert_webhooks_under_way 3[23]\n")


if __name__ == "__main__":
    unittest.main()
