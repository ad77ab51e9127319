"""The list of jobs, as a person uses it."""

import unittest

from harness import OSCILLATOR
from page import Page, job, long_job


def named(name, **changes):
    return job(model=dict(OSCILLATOR, name=name), **changes)


NAMES = "return [...document.querySelectorAll('table.jobs tbody a')].map((one) => one.innerText)"


class Jobs(Page):
    def names(self):
        return self.browser.run(NAMES)

    def wait_names(self, *names):
        self.browser.wait("the jobs %s" % (names,),
                          NAMES + ".join('|') === arguments[0]", "|".join(names))

    def test_changes_come_by_themselves(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        first = self.daemon.finish(named("first"))["id"]
        self.wait_names("first")
        self.daemon.finish(named("second"))
        self.wait_names("second", "first")
        # 6: deleted elsewhere
        self.daemon.request("DELETE", "/v1/jobs/" + first)
        self.wait_names("second")
        self.browser.wait_text("all 1", "button.count")

    def test_an_empty_store_offers_a_job(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        self.browser.click(".empty button")
        self.browser.wait_text("Is it right?")
        self.assertEqual(self.browser.text("h1"), "Snakeboard, drive gait")

    def test_a_pause_holds_the_list(self):
        self.daemon.finish(named("first"))
        self.open("#jobs")
        self.wait_names("first")
        self.browser.run("[...document.querySelectorAll('button')]"
                         ".find((one) => one.innerText === 'Pause').click()")
        self.browser.wait_text("paused", ".connection")
        self.daemon.finish(named("second"))
        self.assertEqual(self.names(), ["first"])
        self.browser.run("[...document.querySelectorAll('button')]"
                         ".find((one) => one.innerText === 'Go on').click()")
        self.wait_names("second", "first")

    def test_filters_stand_in_the_address(self):
        self.daemon.finish(named("red ball", labels={"set": "a"}))
        self.daemon.finish(named("Ball, blue"))
        self.daemon.finish(named("disc"))
        self.open("#jobs")
        self.wait_names("disc", "Ball, blue", "red ball")
        # 3: the keyboard alone
        self.browser.press("/")
        self.browser.type("input[type=search]", "ball")
        self.wait_names("Ball, blue", "red ball")
        self.browser.wait_text("succeeded 2", "button.count")
        self.browser.click("button.label")
        self.wait_names("red ball")
        address = self.browser.run("return location.hash")
        self.open(address)
        self.wait_names("red ball")
        # a label without a value is not taken
        self.assertTrue(self.browser.run("""
            const field = document.querySelectorAll('input')[1];
            field.value = 'set';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            return field.matches(':invalid');"""))
        self.browser.click("button.count.failed")
        self.browser.wait_text("No job fits")
        self.browser.wait_text("name ball, label set=a")
        self.browser.click(".empty button")
        self.wait_names("disc", "Ball, blue", "red ball")

    def test_a_deletion_of_selected_jobs_names_them(self):
        """And new jobs wait while a row is selected."""
        for name in ("one", "two", "three"):
            self.daemon.finish(named(name))
        self.open("#jobs?state=succeeded")
        self.wait_names("three", "two", "one")
        self.browser.click("[aria-label='Select two']")
        self.browser.click("[aria-label='Select one']")
        self.browser.wait_text("2 selected")
        self.daemon.finish(named("four"))
        self.browser.wait_text("1 new")
        self.assertEqual(self.names(), ["three", "two", "one"])
        self.browser.click(".chosen-bar .danger")
        self.browser.wait_text("Delete 2 jobs?", "dialog h2")
        self.assertEqual([one.split()[0] for one in self.browser.texts("dialog li")],
                         ["two", "one"])
        self.browser.press("Enter")  # the focus is on "Keep"
        self.browser.wait("no dialog", "return !document.querySelector('dialog')")
        self.assertEqual(self.count("succeeded"), 4)
        self.browser.click(".chosen-bar .danger")
        self.browser.click("dialog .danger")
        self.wait_names("four", "three")
        self.assertEqual(self.count("succeeded"), 2)

    def count(self, state):
        return self.daemon.get("/v1/jobs?include=counts").json["counts"][state]

    def test_a_bulk_deletion_names_its_filter_and_count_and_acts_by_it(self):
        """23: also jobs of the filter that are not listed; one of another state stays."""
        listed = 50
        batch = [named("one of many", labels={"set": "a"}, time={"end": 1, "samples": 2})]
        answer = self.daemon.post("/v1/jobs:batch", {"jobs": batch * (listed + 2)})
        for one in answer.json["jobs"]:
            self.daemon.wait_done(one["id"])
        self.daemon.wait_running(self.daemon.submit(long_job(
            model=dict(OSCILLATOR, name="not yet"), labels={"set": "a"})))
        self.daemon.finish(named("another set"))
        self.open("#jobs?label=set%3Da")
        self.browser.wait_text("all 53", "button.count")
        self.assertEqual(len(self.names()), listed)
        self.browser.click("[aria-label='Select all']")
        self.browser.wait_text("All of filter label set=a")
        self.assertEqual(self.browser.texts(".chosen-bar button"),
                         ["Cancel 1 job", "Delete 52 jobs", "Clear"])
        self.browser.click(".chosen-bar .danger")
        self.browser.wait_text("Delete 52 jobs of filter label set=a?", "dialog h2")
        self.browser.wait_text("and 40 more", "dialog li")
        self.browser.click("dialog .danger")
        self.browser.wait_text("52 jobs deleted.", "[role=status]")
        self.wait_names("not yet")
        self.assertEqual((self.count("succeeded"), self.count("running")), (1, 1))

    def test_a_count_that_is_not_complete_is_told(self):
        self.open("#jobs")
        found = self.browser.run("""
            const own = document.querySelector('script').src.replace('main.js', 'jobs.js');
            const counts = {queued: 0, running: 1, succeeded: 6000, failed: 4000, cancelled: 0};
            const filter = {labels: {set: 'a'}};
            return import(own).then(({possible}) => [true, false].map((more) =>
              possible([], {...counts, more}, filter).map((one) => one.bound + one.n)));""")
        self.assertEqual(found, [["at least 1", "at least 10000"], ["1", "10000"]])

    def test_one_row_less_is_a_selection_of_the_others(self):
        for name in ("one", "two", "three"):
            self.daemon.finish(named(name))
        self.open("#jobs?state=succeeded")
        self.wait_names("three", "two", "one")
        self.browser.click("[aria-label='Select all']")
        self.browser.wait_text("All of filter state succeeded")
        self.browser.click("[aria-label='Select two']")
        self.browser.wait_text("2 selected")
        self.browser.click(".chosen-bar .danger")
        self.browser.wait_text("Delete 2 jobs?", "dialog h2")
        self.browser.click("dialog .danger")
        self.wait_names("two")

    def test_names_of_people_stay_text(self):
        """16."""
        name = "<img src=x onerror=alert(1)>"
        found = self.daemon.finish(named(name, labels={"set": "<b>b"}))
        self.open("#jobs")
        self.wait_names(name)
        self.open("#job/" + found["id"])
        self.browser.wait_text("Is it right?")
        self.assertEqual(self.browser.text("h1"), name)
        self.assertEqual(self.browser.texts("img, main b"), [])

    def test_a_running_job_shows_its_progress_and_is_cancelled(self):
        self.daemon.wait_running(self.daemon.submit(long_job()))
        self.open("#jobs")
        self.browser.wait_text("running", "td .state")
        self.browser.wait("a bar", "return document.querySelector('progress')")
        self.browser.click("[aria-label='Select oscillator']")
        self.browser.click(".chosen-bar button")
        self.browser.wait_text("Cancel 1 job?", "dialog h2")
        self.browser.click("dialog .main")
        self.browser.wait_text("cancelled", "td .state")


class Ways(Page):
    def test_the_start_and_the_catalog_are_one_click_away(self):
        """Also when there are jobs, which / then lists."""
        self.daemon.finish(named("grid", vary={"parameters.m": [1, 2], "initial.q.x": [1, 2]}))
        self.browser.look(width=360)
        self.open()
        self.browser.wait_text("4 members over m, x", "td")
        self.assertIn("energy error", self.browser.texts("th"))
        tops = self.browser.run("""
            return ['.brand', '.connection', '[aria-label=Keys]', '.top nav'].map((one) => {
              const {top, height} = document.querySelector(one).getBoundingClientRect();
              return top + height / 2;
            });""")
        self.assertLess(max(tops[:3]) - min(tops[:3]), 5)  # one row
        self.assertGreater(tops[3], max(tops[:3]) + 10)
        self.browser.run("[...document.querySelectorAll('main .button')]"
                         ".find((one) => one.innerText === 'Catalog').click()")
        self.browser.wait_text("Upright disk", ".card h2")
        self.browser.click(".brand")
        self.browser.wait_text("Write down a Lagrangian", "h1")
        self.browser.wait("sliders", "return document.querySelector('.slider')")


class Tabs(Page):
    def tearDown(self):
        first, *others = self.browser.command("GET", "/window/handles")
        for handle in others:
            self.browser.command("POST", "/window", {"handle": handle})
            self.browser.command("DELETE", "/window")
        self.browser.command("POST", "/window", {"handle": first})
        super().tearDown()

    def test_of_eight_tabs_the_one_in_sight_asks(self):
        """5: a browser has six connections to a host for all tabs, so a hidden tab drops its."""
        self.open("#jobs")
        for letters in ("s", "se", "ee", "en", "by", "al", "ll"):
            found = self.browser.command("POST", "/window/new", {"type": "tab"})
            self.browser.command("POST", "/window", {"handle": found["handle"]})
            self.browser.chrome("Page.addScriptToEvaluateOnNewDocument", source="""
                const ask = fetch;
                window.dropped = 0;
                window.fetch = (url, options) => {
                  options?.signal?.addEventListener('abort', () => window.dropped++);
                  return ask(url, options);
                };""")
            self.open("#jobs?name=" + letters)
            self.browser.wait_text("No job fits")
            self.daemon.wait_waiters(1)
        self.daemon.finish(named("seen by all"))
        handles = self.browser.command("GET", "/window/handles")
        for handle in handles:
            self.browser.command("POST", "/window", {"handle": handle})
            self.browser.chrome("Page.bringToFront")
            self.browser.wait_text("seen by all", "td")
            if handle not in (handles[0], handles[-1]):
                self.assertGreater(self.browser.run("return window.dropped"), 0)


class Lost(Page):
    allowed = ("ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY_RESPONSE")

    def lose(self, name):
        """Shows the list of a job, and kills the daemon."""
        self.daemon.finish(named(name))
        self.open("#jobs")
        self.browser.wait_text("live", ".connection")
        self.browser.wait_text(name)
        self.daemon.kill()
        self.browser.wait_text("no answer since", ".connection")

    def find(self):
        """The daemon starts again, at its port."""
        self.daemon.arguments += ["--listen", "127.0.0.1:%d" % self.daemon.port]
        self.daemon.start()

    def test_a_view_that_does_not_load_is_told(self):
        self.lose("before")
        self.browser.click("tbody a")
        self.browser.wait_text("This part did not load")
        self.find()
        self.browser.click("main button")
        self.browser.wait_text("Is it right?")

    def test_a_daemon_that_is_gone_is_told_and_found_again(self):
        """4."""
        self.lose("before")
        self.find()
        self.browser.wait_text("live", ".connection")
        self.daemon.finish(named("after"))
        self.browser.wait_text("after", "td")


if __name__ == "__main__":
    unittest.main()
