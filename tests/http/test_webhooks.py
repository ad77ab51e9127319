"""Notifications: what is accepted, what is sent, to whom, and what becomes of it."""

import json
import os
import re
import socket
import tempfile
import threading
import unittest

from harness import Daemon, deadline, job, long_job
from receiver import Receiver

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OLD_SECRET = "whsec_" + "b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQtb2xk"
ON = ("--webhooks", "on", "--webhook-retry", "0.01")
HERE = ON + ("--webhook-allow", "127.0.0.1, ::1")


def notified(url, *on, **changes):
    notify = {"url": url}
    if on:
        notify["on"] = list(on)
    return job(notify=notify, **changes)


class WithDaemon(unittest.TestCase):
    def daemon(self, *arguments, **options):
        daemon = Daemon(*arguments, **options)
        self.addCleanup(daemon.close)
        return daemon

    def receiver(self, *arguments, **options):
        receiver = Receiver(*arguments, **options)
        self.addCleanup(receiver.close)
        return receiver

    def notify_of(self, daemon, identifier, *states):
        """The notification of a job, once its state is one of these."""
        for _ in deadline("notification %s of %s" % (states, identifier)):
            notify = daemon.get("/v1/jobs/" + identifier).json["notify"]
            if notify["state"] in states:
                return notify


class Submitting(WithDaemon):
    @classmethod
    def setUpClass(cls):
        cls.on = Daemon(*ON)

    @classmethod
    def tearDownClass(cls):
        cls.on.close()

    def mistake(self, notify, daemon=None):
        answer = (daemon or self.on).post("/v1/jobs?validate_only=true", job(notify=notify))
        self.assertEqual(answer.status, 422, (notify, answer))
        self.assertEqual(len(answer.json["errors"]), 1, answer)
        return answer.json["errors"][0]

    def test_where_webhooks_are_off_a_job_that_wants_one_is_refused(self):
        off = self.daemon()
        error = self.mistake({"url": "https://example.org/"}, off)
        self.assertEqual(error["pointer"], "/notify")
        self.assertIn("--webhooks on", error["hint"])
        self.assertEqual(off.finish()["notify"], None)

    def test_libcurl_is_loaded_where_it_is_needed(self):
        def loaded(daemon):
            with open("/proc/%d/maps" % daemon.process.pid) as maps:
                return "libcurl" in maps.read()

        off = self.daemon()
        off.finish()
        self.assertFalse(loaded(off))
        self.mistake({"url": "https://example.org/"}, off)
        self.assertTrue(loaded(off))
        self.assertTrue(loaded(self.on))

    def test_a_notify_that_is_none_is_told_with_its_place(self):
        good = "https://example.org/"
        for notify, pointer in [
            (None, "/notify"), (good, "/notify"), ([], "/notify"),
            ({}, "/notify"), ({"on": ["done"]}, "/notify"),
            ({"url": 7}, "/notify/url"), ({"url": None}, "/notify/url"),
            ({"url": ""}, "/notify/url"),
            ({"url": good, "events": []}, "/notify/events"),
            ({"url": good, "on": "done"}, "/notify/on"),
            ({"url": good, "on": []}, "/notify/on"), ({"url": good, "on": ["end"]}, "/notify/on/0"),
            ({"url": good, "on": ["done", 7]}, "/notify/on/1"),
            ({"url": good, "on": ["done", "done"]}, "/notify/on/1"),
        ]:
            self.assertEqual(self.mistake(notify)["pointer"], pointer, notify)

    def test_a_url_that_is_none_is_refused(self):
        for url in [
            "example.org", "//example.org/", "ftp://example.org/",
            "file:///etc/passwd", "gopher://example.org/",
            "javascript:alert(1)", "http://", "http:///x", "https://",
            "http:example.org", "http://user@example.org/",
            "http://user:word@example.org/", "http://:word@example.org/",
            "http://example.org:0/", "http://example.org:65536/",
            "http://example.org:x/", "http://example.org/#part",
            "http://exa mple.org/", "http://example.org/a b",
            "http://example.org/\r\nX-Header: 1", "http://example.org/\t",
            "http://ex\u00e4mple.org/", "http://[::1/",
            "http://[::g]/", "http://[fe80::1%25eth0]/", "http://example.org\\@127.0.0.1/",
            "https://example.org/" + "a" * 2000,
        ]:
            self.assertEqual(self.mistake({"url": url})["pointer"], "/notify/url", url)

    def test_addresses_of_the_inside_are_refused_in_every_spelling(self):
        for host in [
            "127.0.0.1", "127.1", "0x7f.1", "0x7f000001", "2130706433",
            "017700000001", "0177.0.0.1", "127.0.0.1.",
            "%31%32%37.0.0.1", "localhost", "LOCALHOST.", "a.localhost",
            "0", "0.0.0.0", "10.1.2.3", "0xa.1.2.3",
            "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "2852039166", "100.64.0.1", "100.100.100.200",
            "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1",
            "198.51.100.1", "203.0.113.1", "192.88.99.1",
            "224.0.0.1", "255.255.255.255", "[::1]", "[::]",
            "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
            "[::127.0.0.1]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]",
            "[ff02::1]", "[2002:7f00:1::]", "[2002:808:808::1]",
            "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2001::1]",
            "[2001:db8::1]", "[3fff::1]", "[4000::1]", "[100::1]",
        ]:
            error = self.mistake({"url": "http://%s:8080/x" % host})
            self.assertEqual(error["pointer"], "/notify/url", host)
            self.assertIn("sends no notifications there", error["message"])
            self.assertIn("--webhook-allow", error["hint"])

    def test_addresses_and_names_of_the_outside_are_accepted(self):
        for host in ["example.org", "EXAMPLE.org.", "8.8.8.8",
                     "0x08080808", "[2606:4700::1111]", "[::ffff:8.8.8.8]",
                     "172.32.0.1", "100.128.0.1", "localhost.example.org"]:
            answer = self.on.post("/v1/jobs?validate_only=true",
                                  notified("https://%s:8443/a?b=c" % host))
            self.assertEqual(answer.status, 200, answer)

    def test_what_is_allowed_is_accepted(self):
        daemon = self.daemon(*ON, "--webhook-allow", "10.1.0.0/16,fd00::/8 , 127.0.0.1")
        for host, status in [("10.1.255.255", 200), ("10.2.0.0", 422),
                             ("[fd12::1]", 200), ("[fc00::1]", 422), ("127.0.0.1", 200),
                             ("[::ffff:127.0.0.1]", 200), ("localhost", 200),
                             ("127.0.0.2", 422), ("[::1]", 422)]:
            answer = daemon.post("/v1/jobs?validate_only=true", notified("http://%s/" % host))
            self.assertEqual(answer.status, status, (host, answer))

    def test_the_mistakes_of_a_batch_have_its_places(self):
        answer = self.on.post("/v1/jobs:batch",
                              {"jobs": [job(), notified("http://127.0.0.1/"),
                                        notified("x", "end")]})
        self.assertEqual(answer.status, 422)
        self.assertEqual({error["pointer"] for error in answer.json["errors"]},
                         {"/jobs/1/notify/url", "/jobs/2/notify/url", "/jobs/2/notify/on/0"})

    def test_it_is_no_part_of_what_is_computed(self):
        daemon = self.daemon(*HERE)
        receiver = self.receiver()
        with_it = daemon.finish(notified(receiver.url()))
        self.assertEqual(with_it["provenance"]["request_hash"],
                         daemon.finish()["provenance"]["request_hash"])
        self.assertEqual(daemon.get("/v1/jobs/%s/request" % with_it["id"]).json["notify"],
                         {"url": receiver.url()})

    def test_a_configuration_that_cannot_be_is_refused_before_anything_starts(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)

        def secret(text):
            path = os.path.join(directory.name, "secret")
            with open(path, "w") as file:
                file.write(text)
            return path

        for arguments in [
            ["--webhooks", "yes"], ["--webhook-allow", "localhost"],
            ["--webhook-allow", "10.0.0.0/33"],
            ["--webhook-allow", "10.0.0.1/8"], ["--webhook-allow", "10.0.0.0/"],
            ["--webhook-allow", "::/129"],
            ["--webhook-attempts", "0"],
            ["--webhook-secret-file", os.path.join(directory.name, "none")],
            ["--webhook-secret-file", secret("")], ["--webhook-secret-file", secret("secret\n")],
            ["--webhook-secret-file", secret("whsec_c2hvcnQ=\n")],
            ["--webhook-secret-file", secret("whsec_!\n")],
            ["--webhook-secret-file", secret((SECRET + "\n") * 3)],
        ]:
            with self.assertRaises(RuntimeError, msg=arguments) as failure:
                Daemon("--webhooks", "on",
                       *arguments) if "--webhooks" not in arguments else Daemon(*arguments)
            self.assertIn(arguments[0][2:], str(failure.exception))
            self.assertNotIn("c2hvcnQ", str(failure.exception))


class Delivering(WithDaemon):
    def test_the_end_of_a_job_is_told_and_signed(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        path = os.path.join(directory.name, "secret")
        with open(path, "w") as file:
            file.write("%s\n%s\n" % (SECRET, OLD_SECRET))
        receiver = self.receiver()
        daemon = self.daemon(*HERE, "--webhook-secret-file", path)
        done = daemon.finish(notified(receiver.url("/hook?a=b")))
        delivery = receiver.wait(1)[0]
        self.assertEqual(delivery.path, "/hook?a=b")
        self.assertEqual(delivery.headers["Content-Type"], "application/json")
        self.assertEqual(delivery.headers["Host"], "127.0.0.1:%d" % receiver.port)
        self.assertTrue(delivery.headers["User-Agent"].startswith("dalembert/"))
        self.assertEqual(delivery.headers["webhook-id"], done["id"] + "-done")
        self.assertTrue(delivery.signed_by(SECRET))
        self.assertTrue(delivery.signed_by(OLD_SECRET))
        self.assertFalse(delivery.signed_by("whsec_" + "A" * 32))
        self.assertEqual(json.loads(delivery.body),
                         {"event": "done", "id": done["id"],
                          "state": "succeeded", "revision": done["revision"],
                          "href": "/v1/jobs/" + done["id"], "time": done["finished"]})
        notify = self.notify_of(daemon, done["id"], "delivered")
        self.assertEqual({name: notify[name]
                          for name in ("url", "on", "attempts",
                                       "last_status", "last_error", "next_attempt")},
                         {"url": receiver.url("/hook?a=b"),
                          "on": ["done"], "attempts": 1, "last_status": 204, "last_error": None,
                          "next_attempt": None})
        self.assertEqual(notify["delivered"], notify["last_attempt"])
        # what is told of a delivery is no change of the job
        self.assertEqual(daemon.get("/v1/jobs/" + done["id"]).json["revision"], done["revision"])
        # and it is told to those who ask again, too
        self.assertEqual(daemon.get("/v1/jobs/" + done["id"]).json["notify"], notify)
        self.assertEqual(daemon.get("/v1/jobs").json["jobs"][0]["notify"], notify)

    def test_a_job_that_owns_a_result_that_was_there_is_told_too(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE)
        first = daemon.finish(job(cache=True))
        found = daemon.post("/v1/jobs", notified(receiver.url(), cache=True)).json
        self.assertEqual((found["cached"], found["provenance"]["reused"]["job"]),
                         (True, first["id"]))
        self.assertEqual(json.loads(receiver.wait(1)[0].body)["id"], found["id"])
        self.notify_of(daemon, found["id"], "delivered")

    def test_without_a_secret_nothing_is_signed(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE)
        daemon.finish(notified(receiver.url()))
        self.assertEqual(receiver.wait(1)[0].headers["webhook-signature"], None)
        daemon.wait_log("signatures=0")

    def test_every_way_to_end_is_told_to_those_who_asked_for_it(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE, "--workers", "1")

        def submit(name, *on, **changes):
            return daemon.submit(long_job(notify={"url": receiver.url("/" + name), "on": list(on)},
                                          **changes))

        running = submit("running", "cancelled")
        daemon.wait_running(running)
        queued = submit("queued", "failed", "cancelled")
        unwanted = submit("unwanted", "succeeded", "failed")
        late = submit("late", "done", timeout=0.001)
        ensemble = daemon.submit(job(notify={"url": receiver.url("/ensemble")},
                                     vary={"parameters.k": [1, 2, 3]}))
        self.assertEqual(daemon.get("/v1/jobs/" + queued).json["notify"]["state"], "waiting")
        for identifier in (queued, unwanted, running):
            self.assertIn(daemon.post("/v1/jobs/%s/cancel" % identifier, b"").status, (200, 202))
        for identifier in (running, late, ensemble):
            daemon.wait_done(identifier)
        found = {delivery.path[1:]: json.loads(delivery.body)["state"]
                 for delivery in receiver.wait(4)}
        self.assertEqual(found, {"running": "cancelled", "queued": "cancelled",
                                 "late": "failed", "ensemble": "succeeded"})
        self.assertEqual(daemon.get("/v1/jobs/" + unwanted).json["notify"]["state"], "not_wanted")
        self.notify_of(daemon, ensemble, "delivered")
        self.assertEqual(len(receiver.deliveries), 4)

    def test_a_receiver_that_fails_is_called_again_with_the_same(self):
        receiver = self.receiver(lambda delivery, number: [500, 404, 301, 204][number])
        daemon = self.daemon(*HERE)
        identifier = daemon.submit(notified(receiver.url()))
        first, *others = receiver.wait(4)
        for other in others:
            self.assertEqual((other.body, other.headers["webhook-id"]),
                             (first.body, first.headers["webhook-id"]))
        self.assertEqual(self.notify_of(daemon, identifier, "delivered")["attempts"], 4)
        counts = ["\ndalembert_webhooks_delivered_total 1\n",
                  "\ndalembert_webhook_failures_total 3\n", "\ndalembert_webhooks_pending 0\n"]
        for _ in deadline("counts, which come after what is counted"):
            metrics = daemon.get("/metrics").body.decode()
            if all(count in metrics for count in counts):
                break

    def test_attempts_are_bounded(self):
        receiver = self.receiver(lambda delivery, number: 503)
        daemon = self.daemon(*HERE, "--webhook-attempts", "3")
        identifier = daemon.submit(notified(receiver.url()))
        notify = self.notify_of(daemon, identifier, "given_up")
        self.assertEqual((notify["attempts"], notify["last_status"],
                          notify["last_error"], notify["next_attempt"], notify["delivered"]),
                         (3, 503, "answered 503", None, None))
        self.assertEqual(len(receiver.deliveries), 3)
        daemon.wait_log("webhook_given_up job=" + identifier)

    def test_no_attempt_is_planned_beyond_the_age(self):
        receiver = self.receiver(lambda delivery, number: 503)
        daemon = self.daemon("--webhooks", "on", "--webhook-allow",
                             "127.0.0.1", "--webhook-max-age", "3600",
                             "--webhook-retry", "5000")
        identifier = daemon.submit(notified(receiver.url()))
        self.assertEqual(self.notify_of(daemon, identifier, "given_up")["attempts"], 1)

    def test_a_receiver_says_when_to_call_again(self):
        receiver = self.receiver(lambda delivery, number: (429, {"Retry-After": "7200"}, b""))
        daemon = self.daemon(*HERE)
        identifier = daemon.submit(notified(receiver.url()))
        receiver.wait(1)
        for _ in deadline("the first attempt to be written"):
            notify = daemon.get("/v1/jobs/" + identifier).json["notify"]
            if notify["attempts"]:
                break
        self.assertEqual((notify["state"], notify["attempts"]), ("pending", 1))
        self.assertGreater(notify["next_attempt"], notify["last_attempt"])
        self.assertEqual(len(receiver.deliveries), 1)

    def test_a_redirect_is_not_followed(self):
        elsewhere = self.receiver()
        receiver = self.receiver(lambda delivery, number: (307, {"Location": elsewhere.url()}, b""))
        daemon = self.daemon(*HERE, "--webhook-attempts", "2")
        identifier = daemon.submit(notified(receiver.url()))
        notify = self.notify_of(daemon, identifier, "given_up")
        self.assertEqual(notify["last_error"], "answered 307: redirects are not followed")
        self.assertEqual((len(receiver.deliveries), len(elsewhere.deliveries)), (2, 0))

    def test_a_proxy_of_the_environment_is_not_used(self):
        proxy, receiver = self.receiver(), self.receiver()
        environment = {name: proxy.url("")
                       for name in ("http_proxy", "all_proxy", "ALL_PROXY", "HTTP_PROXY")}
        daemon = self.daemon(*HERE, environment=environment)
        self.notify_of(daemon, daemon.submit(notified(receiver.url())), "delivered")
        self.assertEqual(proxy.deliveries, [])

    def test_an_answer_is_not_read_beyond_a_bound(self):
        receiver = self.receiver(lambda delivery, number: (200, {}, b"x" * (64 << 20)))
        daemon = self.daemon(*HERE)
        notify = self.notify_of(daemon, daemon.submit(notified(receiver.url())), "delivered")
        self.assertEqual((notify["attempts"], notify["last_status"]), (1, 200))

    def test_a_name_that_leads_inside_is_not_called(self):
        """What a name stands for is known only when it is called."""
        inside = self.receiver(host="0.0.0.0")
        name = socket.gethostname()
        try:
            addresses = {found[4][0] for found in socket.getaddrinfo(name, None)}
        except OSError:
            self.skipTest("this machine does not know its own name")
        daemon = self.daemon(*ON, "--webhook-attempts", "2")
        identifier = daemon.submit(notified(inside.url(host=name)))
        notify = self.notify_of(daemon, identifier, "given_up")
        self.assertEqual((notify["attempts"], notify["last_status"]), (2, None), addresses)
        self.assertEqual(notify["last_error"], "the service does not call the address of this host")
        self.assertEqual(inside.deliveries, [])

    def test_nobody_at_the_other_end_is_told_as_such(self):
        closed = socket.create_server(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        closed.close()
        daemon = self.daemon(*HERE, "--webhook-attempts", "1")
        for url in ("http://127.0.0.1:%d/" % port, "http://name.invalid/",
                    "https://127.0.0.1:%d/" % daemon.port):
            notify = self.notify_of(daemon, daemon.submit(notified(url)), "given_up")
            self.assertEqual((notify["attempts"], notify["last_status"]), (1, None), notify)
            self.assertTrue(notify["last_error"])

    def test_a_deleted_job_tells_nobody(self):
        receiver = self.receiver(lambda delivery, number: (503, {"Retry-After": "100"}, b""))
        daemon = self.daemon(*HERE)
        identifier = daemon.submit(notified(receiver.url()))
        receiver.wait(1)
        self.assertEqual(daemon.request("DELETE", "/v1/jobs/" + identifier).status, 204)
        for _ in deadline("nothing to be pending"):
            metrics = daemon.get("/metrics").body.decode()
            if ("\ndalembert_webhooks_pending 0\n" in metrics
                and "\ndalembert_webhooks_under_way 0\n" in metrics):
                break
        self.assertEqual(len(receiver.deliveries), 1)

    def test_a_job_that_runs_again_tells_again(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE)
        first = daemon.finish(notified(receiver.url()))["id"]
        receiver.wait(1)  # the two calls are in no order else
        again = daemon.post("/v1/jobs/%s/rerun" % first, b"").json["id"]
        daemon.wait_done(again)
        told = [json.loads(delivery.body)["id"] for delivery in receiver.wait(2)]
        self.assertEqual(told, [first, again])

    def test_a_member_of_an_ensemble_has_no_notification(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE)
        done = daemon.finish(notified(receiver.url(), vary={"parameters.k": [1, 2]}))
        self.assertNotIn("notify", daemon.get("/v1/jobs/%s/members/1" % done["id"]).json["job"])


class Enduring(WithDaemon):
    def test_slow_receivers_time_out_and_hold_up_nobody(self):
        slow = self.receiver(lambda delivery, number: slow.release.wait() and 204)
        quick = self.receiver()
        daemon = self.daemon(*HERE, "--webhook-timeout", "0.2", "--webhook-attempts", "2")
        late = [daemon.submit(notified(slow.url("/%d" % k))) for k in range(5)]
        for k in range(20):
            daemon.submit(notified(quick.url("/%d" % k)))
        quick.wait(20)
        for identifier in late:
            notify = self.notify_of(daemon, identifier, "given_up")
            self.assertEqual((notify["attempts"], notify["last_error"]),
                             (2, "no answer within 0.2 s"))

    def test_a_crowd_for_a_dead_host_hold_up_nobody(self):
        # its queue of connections is full: no more are answered at all
        dead = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.addCleanup(dead.close)
        quick = self.receiver()
        daemon = self.daemon(*HERE, "--webhook-timeout", "300")
        url = "http://127.0.0.1:%d/" % dead.getsockname()[1]
        model = daemon.post("/v1/models", job()["model"]).json["id"]
        document = job(model={"id": model}, time={"end": 0.01, "samples": 2}, notify={"url": url})
        answer = daemon.post("/v1/jobs:batch", {"jobs": [document] * 1000})
        self.assertEqual(answer.status, 200, answer)
        last = daemon.wait_done(answer.json["jobs"][-1]["id"])["id"]
        for k in range(10):
            daemon.finish(notified(quick.url("/%d" % k)))
        quick.wait(10)
        self.assertEqual(daemon.get("/v1/jobs/" + last).json["notify"]["state"], "pending")
        metrics = daemon.get("/metrics").body.decode()
        self.assertGreater(int(re.search(r"^dalembert_webhooks_pending (\d+)$",
                                         metrics, re.M).group(1)), 900)
        # the quick ones' ends are being written down
        for _ in deadline("the calls of the dead host alone, two at a time"):
            metrics = daemon.get("/metrics").body.decode()
            if "\ndalembert_webhooks_under_way 2\n" in metrics:
                break

    def test_what_was_not_delivered_is_delivered_by_the_next_process(self):
        for stop in ("kill", "terminate"):
            with self.subTest(stop=stop):
                down = self.receiver(lambda delivery, number: down.release.wait() and 204)
                daemon = self.daemon(*HERE, "--shutdown-grace", "0")
                identifier = daemon.submit(notified(down.url()))
                down.wait(1)  # the job has ended, and is being told
                getattr(daemon, stop)()
                down.release.set()
                daemon.start()
                again = down.wait(2)[1]
                self.assertEqual(again.headers["webhook-id"], identifier + "-done")
                self.assertEqual(again.body, down.deliveries[0].body)
                self.notify_of(daemon, identifier, "delivered")

    def test_what_became_due_while_webhooks_were_off_is_told_later(self):
        receiver = self.receiver()
        daemon = self.daemon(*HERE, "--workers", "1")
        running = daemon.submit(long_job(notify={"url": receiver.url()}))
        daemon.wait_running(running)
        daemon.terminate()
        daemon.arguments = []
        daemon.start()
        daemon.post("/v1/jobs/%s/cancel" % running, b"")
        self.assertEqual(daemon.wait_done(running)["notify"]["state"], "pending")
        daemon.terminate()
        daemon.arguments = list(HERE)
        daemon.start()
        receiver.wait(1)
        self.notify_of(daemon, running, "delivered")

    def test_what_is_under_way_at_the_end_has_time_to_arrive(self):
        receiver = self.receiver(lambda delivery, number: receiver.release.wait() and 204)
        daemon = self.daemon(*HERE, "--shutdown-grace", "100")
        identifier = daemon.submit(notified(receiver.url()))
        receiver.wait(1)
        threading.Thread(target=lambda: (daemon.wait_log("draining"),
                                         receiver.release.set())).start()
        self.assertEqual(daemon.terminate(), 0)
        daemon.start()
        self.assertEqual(daemon.get("/v1/jobs/" + identifier).json["notify"]["state"], "delivered")
        self.assertEqual(len(receiver.deliveries), 1)


if __name__ == "__main__":
    unittest.main()
