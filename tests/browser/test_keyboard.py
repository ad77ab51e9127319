"""3: everything by keys alone, with the focus in sight."""

import unittest

from page import Page
from test_jobs import NAMES, named

FOCUS = """
    const one = document.activeElement, box = one.getBoundingClientRect();
    const {outlineStyle, outlineWidth} = getComputedStyle(one);
    return {fits: one.matches(arguments[0]), name: one.outerHTML.slice(0, 120),
            seen: one === document.body  // between the last element and the first
              || outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
              && box.width > 0 && box.bottom > 0 && box.top < innerHeight
              && box.right > 0 && box.left < innerWidth};"""
STOPS = 60  # presses of Tab within which every element is reached


class Keys(Page):
    def tab_to(self, selector):
        """Presses Tab until an element of the selector has the focus."""
        for _ in range(STOPS):
            self.browser.press("Tab")
            found = self.browser.run(FOCUS, selector)
            self.assertTrue(found["seen"], "the focus is out of sight: " + found["name"])
            if found["fits"]:
                return
        self.fail("Tab does not reach %s" % selector)

    def focus(self):
        return self.browser.run("return document.activeElement.id")

    def test_a_job_is_found_and_looked_at(self):
        self.daemon.finish(named("red ball", time={"end": 1, "samples": 11}))
        self.daemon.finish(named("disc"))
        self.open("#jobs")
        self.browser.wait_text("red ball")
        # a name is searched, and its job opened
        self.browser.press("/", *"red")
        self.browser.wait("one job", NAMES + ".join() === 'red ball'")
        self.browser.press("Escape")
        self.tab_to("tbody a")
        self.browser.press("Enter")
        self.browser.wait_text("Is it right?")
        self.assertEqual(self.focus(), "main")
        # a plot: its cursor, and its values for a screen reader
        self.tab_to(".plot")
        self.browser.press("Home", "Right", "Shift+Right", "Left")
        self.browser.wait_text("t = 0.9", ".instant")
        spoken = "return document.activeElement.getAttribute('aria-valuetext')"
        self.assertEqual(self.browser.run(spoken), "t 0.9, x -0.2272")  # cos(1.8)
        lines = self.browser.run("""
            return [...document.querySelectorAll('.u-cursor-x')].map((one) =>
              Math.round(new DOMMatrix(getComputedStyle(one).transform).e))""")
        self.assertGreater(lines[0], 0)
        self.assertEqual(lines[0], lines[1])
        self.tab_to(".panel summary")
        self.browser.press("Enter")
        self.browser.wait("a table", "return document.querySelectorAll('.panel tbody tr').length"
                                     " === 11")
        self.browser.press("Escape")
        self.browser.wait("no instant", "return !document.querySelector('.instant').innerText")
        # back to the list
        self.browser.press("g", "j")
        self.browser.wait_text("red ball", "td")
        self.assertEqual(self.focus(), "main")

    def test_a_job_is_deleted(self):
        self.daemon.finish(named("one"))
        self.daemon.finish(named("two"))
        self.open("#jobs")
        self.browser.wait_text("two")
        self.tab_to("[aria-label='Select two']")
        self.browser.press("Space")
        self.browser.wait_text("1 selected")
        self.browser.press("Escape")
        self.browser.wait("no selection", "return !document.querySelector('tr.chosen')")
        self.browser.press("Space")
        self.browser.wait_text("1 selected")
        self.tab_to(".chosen-bar .danger")
        self.browser.press("Enter")
        self.browser.wait_text("Delete 1 job", "dialog h2")
        self.tab_to("dialog .danger")
        self.browser.press("Enter")
        self.browser.wait("one job", NAMES + ".join() === 'one'")

    def test_the_keys_are_listed(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        self.browser.press("?")
        self.browser.wait_text("search the jobs", "dialog")
        self.browser.press("Escape")
        self.browser.wait("no dialog", "return !document.querySelector('dialog')")
        self.tab_to(".skip")
        self.browser.press("Enter")
        self.assertEqual(self.focus(), "main")
        self.browser.press("Shift+Tab")
        self.assertTrue(self.browser.run(FOCUS, "[aria-label=Keys]")["fits"])

    def test_keys_in_a_field_are_its_text(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        self.browser.press("/", *"0?gj/")
        self.assertEqual(self.browser.run("return document.activeElement.value"), "0?gj/")
        self.assertIsNone(self.browser.text("dialog"))


if __name__ == "__main__":
    unittest.main()
