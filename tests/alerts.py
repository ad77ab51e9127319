#!/usr/bin/env python3
"""Compares deploy/alerts.yml, deploy/grafana.json, docs/how-to/monitor.md and docs/how-to/runbook.md
with the metrics of a daemon, and tests the alerts by promtool.

    tests/alerts.py [TEST...]        the tests of promtool are skipped if it is not installed
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALERTS = os.path.join("deploy", "alerts.yml")
ALERTS_TEST = os.path.join("deploy", "alerts-test.yml")
DASHBOARD = os.path.join("deploy", "grafana.json")
MONITOR = os.path.join("docs", "how-to", "monitor.md")
RUNBOOK = os.path.join("docs", "how-to", "runbook.md")

sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

import harness  # noqa: E402

PROMTOOL = shutil.which("promtool")
OF_THE_SCRAPE = {"job", "instance"}  # labels that Prometheus adds


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def names_in(text):
    """The metrics that a text names; the parts of a histogram are one metric."""
    found = re.findall(r"\b(?:dalembert|process)_[a-z_]+\b", text)
    return {re.sub("_(bucket|sum|count)$", "", name) for name in found}


def expressions():
    """The PromQL of alerts and dashboard, among other text."""
    return read(ALERTS) + read(DASHBOARD).replace('\\"', '"')


def alerts():
    """The text of each alert, by its name."""
    blocks = read(ALERTS).split("- alert: ")[1:]
    return {block.split()[0]: block for block in blocks}


def entries():
    return re.findall(r"^## (\w+)$", read(RUNBOOK), re.M)


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        daemon = harness.Daemon("--webhooks", "on", "--metrics-listen", "127.0.0.1:0")  # all metrics
        try:
            daemon.get("/v1/jobs")  # its histogram is there once it is logged
            daemon.wait_log("event=request")
            cls.text = daemon.own_metrics()
        finally:
            daemon.close()
        cls.exported = set(re.findall(r"^# TYPE (\S+)", cls.text, re.M))

    def test_alerts_and_dashboard_name_exported_metrics(self):
        for path in (ALERTS, DASHBOARD, ALERTS_TEST):
            named = names_in(read(path))
            self.assertGreater(len(named), 5, path)
            self.assertEqual(named - self.exported, set(), path)

    def test_alerts_and_dashboard_select_by_exported_labels(self):
        labels = {name: set() for name in self.exported}
        for name, pairs in re.findall(r"^(\w+)\{(.*)\} \S+$", self.text, re.M):
            labels[re.sub("_(bucket|sum|count)$", "", name)] |= set(re.findall(r'(\w+)="', pairs))
        found = re.findall(r'((?:dalembert|process)_[a-z_]+)\{((?:\w+[=!~]+"[^"]*",?)+)\}',
                           expressions())
        self.assertGreater(len(found), 20)
        for name, selector in found:
            name = re.sub("_(bucket|sum|count)$", "", name)
            used = set(re.findall(r"(\w+)[=!~]+", selector))
            self.assertEqual(used - labels[name] - OF_THE_SCRAPE, set(), name + selector)

    def test_each_metric_is_documented_once_and_no_other_is(self):
        table = read(MONITOR).split("## All metrics")[1].split("\n## ")[0]
        first = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
        documented = re.findall(r"`(\w+)`", " ".join(first))
        self.assertEqual(sorted(documented), sorted(self.exported))
        self.assertEqual(names_in(read(MONITOR)) - self.exported - {"process_"}, set())

    def test_each_alert_has_its_entry_in_the_runbook_and_links_to_it(self):
        self.assertEqual(sorted(entries()), sorted(alerts()))
        for name, block in alerts().items():
            self.assertIn("runbook: docs/how-to/runbook.md#%s\n" % name.lower(), block)
            self.assertIn("](runbook.md#%s)" % name.lower(), read(MONITOR))

    def test_each_entry_of_the_runbook_has_commands(self):
        for entry in read(RUNBOOK).split("\n## ")[1:]:
            self.assertRegex(entry, r"\n\n    \w", entry.splitlines()[0])

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_promtool_finds_no_mistake_in_the_metrics(self):
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=self.text, text=True,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


@unittest.skipUnless(PROMTOOL, "promtool is not installed")
class Rules(unittest.TestCase):
    def promtool(self, *arguments):
        done = subprocess.run([PROMTOOL, *arguments], cwd=ROOT, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_promtool_finds_no_mistake_in_the_rules(self):
        self.promtool("check", "rules", ALERTS)

    def test_alerts_fire_and_stay_silent_as_they_should(self):
        self.promtool("test", "rules", ALERTS_TEST)

    def test_each_alert_is_seen_to_fire(self):
        fired = re.findall(r'alertname="(\w+)"', read(ALERTS_TEST))
        self.assertEqual(sorted(fired), sorted(alerts()))


if __name__ == "__main__":
    if not PROMTOOL:
        print("alerts: the tests of promtool are skipped, because it is not installed; "
              "run sh deploy/install-deps.sh long", flush=True)
    unittest.main(verbosity=2)
