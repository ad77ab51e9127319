"""Sliders: the motion follows, one run at a time, and nothing stays behind."""

import json
import re
import subprocess
import unittest

from deadline import deadline
from harness import job
from page import Page
from test_keys import WithKeys, bearer

PREVIEWS = "/v1/jobs?label.preview=page"
OBSERVED = job(observe={"shown": "k"}, time={"end": 5, "samples": 101})
RANGE = ".slider:nth-of-type(2) input[type=range]"  # of k, the second parameter


class Slides(Page):
    """Pages with sliders; k is the second parameter, and also an observable."""

    def slide(self):
        """Drags the slider of k in ten moves; gives the value at which it was released."""
        left, top, width = self.browser.run("""
            const slider = document.querySelector(arguments[0]);
            slider.scrollIntoView({block: 'center'});
            const box = slider.getBoundingClientRect();
            return [box.left, box.top + box.height / 2, box.width];""", RANGE)
        moves = [{"type": "pointerMove", "x": int(left + width * (0.5 + 0.04 * k)),
                  "y": int(top), "duration": 30} for k in range(11)]
        self.browser.command("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "actions":
                [moves[0], {"type": "pointerDown", "button": 0}] + moves[1:]
                + [{"type": "pointerUp", "button": 0}]}]})
        return float(re.search(r"k ([\d.]+)", self.browser.run(
            "return document.querySelector(arguments[0]).closest('.slider').innerText"
            ".replaceAll('\\n', ' ')", RANGE)).group(1))

    def shown(self):
        """The value of the observable in the plot's first row."""
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home")
        for key in self.browser.texts(".key"):
            found = re.search(r"shown ([\d.]+)", key)
            if found:
                return float(found.group(1))
        return None

    def wait_shown(self, value):
        for _ in deadline("the rows of k = %g" % value):
            if self.shown() == value:
                return


class Live(Slides):
    # a renderer in software; an ensemble without a table over time
    allowed = ("GL Driver Message", "409")

    def wait_evidence(self):
        """Until the evidence is that of the newest run."""
        self.browser.wait_text("the energy balance", ".evidence:not([aria-busy=true])")

    def wait_previews(self, count):
        for _ in deadline("%d previews" % count):
            if len(self.daemon.get(PREVIEWS).json["jobs"]) == count:
                return

    def runs(self):
        """Of each run of the page: when it was asked for, and when it was answered, in the order
        of the browser's log; and the parameters of each."""
        events, sent, asked = [], [], {}
        for entry in self.browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            one = message["params"]
            if message["method"] == "Network.requestWillBeSent" \
                    and one["request"]["url"].endswith("/v1/jobs") \
                    and one["request"]["method"] == "POST":
                asked[one["requestId"]] = True
                sent.append(json.loads(one["request"]["postData"]))
                events.append(1)
            elif message["method"] in ("Network.loadingFinished", "Network.loadingFailed") \
                    and asked.pop(one["requestId"], None):
                events.append(-1)
        return events, sent

    def test_a_drag_in_the_editor(self):
        """21: one run in flight, the last value is shown, and no preview is left."""
        made = self.daemon.finish(OBSERVED)
        self.open("#new?job=" + made["id"])
        self.browser.wait_text("the motion follows the sliders", "main [role=status]")
        self.browser.wait("the editor", "return document.querySelector('.sheet')?.shadowRoot")
        # answers take longer than the moves, so that wishes overtake each other
        self.browser.chrome("Network.emulateNetworkConditions", offline=False, latency=150,
                            downloadThroughput=-1, uploadThroughput=-1)
        self.addCleanup(self.browser.chrome, "Network.emulateNetworkConditions", offline=False,
                        latency=0, downloadThroughput=-1, uploadThroughput=-1)
        value = self.slide()
        self.wait_shown(value)
        self.wait_evidence()
        self.wait_previews(1)
        # the text has the value, too
        self.browser.wait("the text", "return document.querySelector('.sheet').shadowRoot"
                          ".querySelector('.cm-content').innerText.includes(arguments[0])",
                          '"k": %g' % value)
        events, sent = self.runs()
        self.assertGreater(len(sent), 1)
        self.assertLess(len(sent), 11)  # not one for each of the moves
        self.assertEqual([one["parameters"]["k"] for one in sent][-1], value)
        self.assertEqual(events, [1, -1] * len(sent))  # never two at a time
        self.assertEqual([one["labels"] for one in sent], [{"preview": "page"}] * len(sent))
        self.assertTrue(all(one["analyses"] == [] for one in sent[:-1]))
        self.assertNotIn("analyses", sent[-1])
        # another view
        self.browser.run("location.hash = 'jobs'")
        self.wait_previews(0)

    def test_a_page_that_goes_away_takes_its_preview_along(self):
        made = self.daemon.finish(OBSERVED)
        self.open("#job/" + made["id"])
        self.browser.wait_text("Is it right?")
        self.assertEqual(self.shown(), 8)
        self.browser.run("[...document.querySelectorAll('summary')]"
                         ".find((one) => one.innerText === 'Parameters').click()")
        self.browser.wait("sliders", "return document.querySelector('.slider')")
        value = self.slide()
        self.wait_shown(value)
        self.browser.wait_text("Motion with changed parameters", "h2")
        self.browser.wait_text("Of the stored job, not of the changed parameters.", ".note")
        self.browser.wait_text("No constraints, the energy balance",
                               ".evidence:not([aria-busy=true])")
        self.wait_previews(1)
        # a range of time
        self.browser.run("location.hash += '?from=2&to=4'")
        self.browser.wait_text("t from 2 to 4", "section[aria-label='Motion with changed"
                                                " parameters']")
        self.browser.run("document.querySelector('.plot').focus()")
        self.browser.press("Home")
        self.browser.wait_text("t = 2", ".instant")
        self.browser.press("End")
        self.browser.wait_text("t = 4", ".instant")
        self.browser.command("POST", "/url", {"url": "about:blank"})
        self.wait_previews(0)
        # one that was left behind, as after a crash
        self.daemon.finish(dict(OBSERVED, labels={"preview": "page"}))
        self.open("#new")
        self.wait_previews(0)

    def test_values_are_kept_as_a_job(self):
        made = self.daemon.finish(OBSERVED)
        self.open("#job/" + made["id"])
        self.browser.wait_text("Is it right?")
        self.browser.run("[...document.querySelectorAll('summary')]"
                         ".find((one) => one.innerText === 'Parameters').click()")
        self.browser.wait("sliders", "return document.querySelector('.slider')")
        value = self.slide()
        self.wait_shown(value)
        self.browser.run("[...document.querySelectorAll('button')]"
                         ".find((one) => one.innerText === 'Run with these values').click()")
        self.browser.wait("another job", "return !location.hash.includes(arguments[0])",
                          made["id"])
        again = self.browser.run("return location.hash.slice(5)")
        request = self.daemon.get("/v1/jobs/%s/request" % again).json
        self.assertEqual(request, dict(OBSERVED, parameters={"k": value}))

    def test_a_parameter_is_varied_from_both_pages(self):
        """The button writes `vary` at the top level; the document is an ensemble then."""
        wanted = {"parameters.k": {"from": 4, "to": 12, "count": 11}}
        made = self.daemon.finish(OBSERVED)
        text = "return document.querySelector('.sheet')?.shadowRoot?" \
               ".querySelector('.cm-content').innerText.includes('\"vary\"')"
        for place in ("#job/" + made["id"], "#new?job=" + made["id"]):
            self.open(place)
            if "new" not in place:
                self.browser.wait_text("Is it right?")
                self.browser.run("[...document.querySelectorAll('summary')]"
                                 ".find((one) => one.innerText === 'Parameters').click()")
            else:
                self.browser.wait_text("the motion follows the sliders", "main [role=status]")
            self.browser.wait("the choice", "return document.querySelector('.vary select')")
            self.browser.run("""
                const choice = document.querySelector('.vary select');
                choice.selectedIndex = 1;
                choice.dispatchEvent(new Event('change', {bubbles: true}));""")
            self.browser.wait("the button", """
                document.querySelector('.vary button')?.click();
                return location.hash.includes('new');""")
            self.browser.wait("the member", text)
            self.browser.wait_text("this is an ensemble", "main [role=status]")
            self.browser.click(".head button.main")
            self.browser.wait_text("11 members", "[aria-label=Members]")
            again = self.browser.run("return location.hash.slice(5)")
            self.assertEqual(self.daemon.get("/v1/jobs/%s/request" % again).json["vary"], wanted)

    def test_the_start_is_copied_with_the_values_of_its_sliders(self):
        """19: the copied line runs the motion that is shown."""
        self.open("#start")
        self.wait_evidence()
        self.browser.click(".copies summary")
        self.browser.run("document.querySelector('.slider input[type=range]').focus()")
        self.browser.press("Right", "Right", "Right")
        value = float(self.browser.text(".slider output").split()[0])
        self.assertNotEqual(value, 1.5)
        command = self.browser.wait("the value", """
            const text = document.querySelector('[data-copy=curl]').textContent;
            return text.includes(arguments[0]) && text;""", '"parameters":{"m":%g}' % value)
        self.wait_evidence()
        self.wait_previews(1)
        shown = self.daemon.get(PREVIEWS).json["jobs"][0]
        made = json.loads(subprocess.run(["sh", "-c", command], check=True,
                                         capture_output=True).stdout)
        self.assertNotEqual(made["id"], shown["id"])
        rows = [self.daemon.get("/v1/jobs/%s/result" % one["id"]).body for one in (made, shown)]
        self.assertEqual(*rows)
        system = self.daemon.get("/v1/catalog/sphere-on-rotating-plane").json["job"]
        self.assertEqual(self.daemon.get("/v1/jobs/%s/request" % made["id"]).json,
                         dict(system, parameters={"m": value}))
        # the editor has them, too
        self.browser.run("[...document.querySelectorAll('a')]"
                         ".find((one) => one.innerText === 'Open in the editor').click()")
        self.browser.wait("the value in the text", """
            return document.querySelector('.sheet')?.shadowRoot?.querySelector('.cm-content')
              && document.querySelector('.slider output')?.innerText.startsWith(arguments[0]);""",
                          "%g kg" % value)

    def test_the_evidence_stays_while_a_run_computes(self):
        self.open("#start")
        self.wait_evidence()
        self.browser.run("""
            window.seen = [];  // the evidence, and its height
            new MutationObserver(() => {
              const line = document.querySelector('.evidence');
              seen.push([line?.innerText.includes('computing'), line?.offsetHeight]);
            }).observe(document.querySelector('.sliders'),
                       {subtree: true, childList: true, attributes: true});
            document.querySelector('.slider input[type=range]').focus();""")
        self.browser.press("Right", "Right", "Right")
        self.browser.wait("a run", "return seen.length")
        self.wait_evidence()
        seen = self.browser.run("return seen")
        self.assertIn(True, [computing for computing, _ in seen])
        self.assertNotIn(None, [height for _, height in seen])

    def test_a_long_run_waits_for_the_release(self):
        self.open("#new/rattleback")
        self.browser.wait_text("a run is long", "main [role=status]")
        self.browser.wait_text("it starts when a slider is released", ".sliders")


class Limited(WithKeys, Slides):
    arguments = ("--rate", "60")
    allowed = ("429", "401")

    def setUp(self):
        super().setUp()
        self.look_at(self.daemon)

    def test_a_key_with_few_requests_gets_the_last_value(self):
        """Runs that are refused are asked for again."""
        made = self.daemon.post("/v1/jobs?wait=60", OBSERVED, bearer(self.token)).json
        self.open()
        self.browser.run("sessionStorage.setItem('dalembert-key', arguments[0])",
                         self.make("read", "write")["token"])
        self.open("#new?job=" + made["id"])
        self.browser.wait_text("the motion follows the sliders", "main [role=status]")
        refused = "performance.getEntriesByType('resource').some((one) =>" \
                  " one.name.endsWith('/v1/jobs') && one.responseStatus === 429)"
        for _ in deadline("a refused run"):
            value = self.slide()
            if self.browser.run("return " + refused):
                break
        self.wait_shown(value)


class ReadOnly(WithKeys, Page):
    allowed = ("403", "401", "409")  # an ensemble without a table over time

    def setUp(self):
        super().setUp()
        self.look_at(self.daemon)

    def wait_reason(self, selector):
        self.browser.wait_text("this needs a key with the scope write; this key has read", selector)

    def assert_disabled(self, selector, count):
        """All controls of a selector, and at least as many."""
        found = self.browser.run("return [...document.querySelectorAll(arguments[0])]"
                                 ".map((one) => one.disabled)", selector)
        self.assertGreaterEqual(len(found), count)
        self.assertTrue(all(found), selector)

    def test_a_key_that_may_only_read_gets_the_reason(self):
        """Every control that runs or deletes is disabled."""
        self.open()
        self.browser.run("sessionStorage.setItem('dalembert-key', arguments[0])",
                         self.make("read")["token"])
        self.open("#jobs")
        self.wait_reason(".empty")
        self.assert_disabled(".empty button", 3)
        made = self.daemon.post("/v1/jobs?wait=60", OBSERVED, bearer(self.token)).json
        for place in ("#job/" + made["id"], "#new?job=" + made["id"]):
            self.open(place)
            if "new" not in place:
                self.browser.wait_text("Is it right?")
                self.wait_reason(".head")
                self.assert_disabled(".head button", 2)
                self.browser.run("[...document.querySelectorAll('summary')]"
                                 ".find((one) => one.innerText === 'Parameters').click()")
            self.wait_reason(".sliders")
            self.assert_disabled(".slider input", 6)
        self.open("#jobs")
        self.browser.click("td input[type=checkbox]")
        self.wait_reason(".chosen-bar")
        self.assert_disabled(".chosen-bar .danger", 1)
        for place in ("#start", "#catalog"):
            self.open(place)
            self.browser.wait("cards", "return document.querySelector('.card')")
            self.wait_reason("main > .warn")
            self.assert_disabled(".card button", 50)
        grid = dict(OBSERVED, ensemble={}, vary={"parameters.k": {"from": 1, "to": 2, "count": 3}})
        members = self.daemon.post("/v1/jobs?wait=60", grid, bearer(self.token)).json
        self.open("#job/" + members["id"])
        self.wait_reason("[aria-label=Members]")
        self.assert_disabled("[aria-label=Members] td button", 3)


if __name__ == "__main__":
    unittest.main()
