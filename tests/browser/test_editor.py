"""The editor of a job: marks at mistakes, completion, equations, and the ways into it."""

import json
import os
import unittest

from harness import OSCILLATOR, job
from page import Page

SHEET = "const sheet = document.querySelector('.sheet').shadowRoot;"
# the underlined characters as [line, column, text]; parts of one mark in several colours are joined
MARKS = SHEET + """
    const found = [];
    [...sheet.querySelectorAll('.cm-line')].forEach((line, row) => {
      for (const one of line.querySelectorAll('.cm-lintRange-error')) {
        const before = document.createRange();
        before.setStart(line, 0);
        before.setEndBefore(one);
        const column = before.toString().length, last = found.at(-1);
        if (last && last[0] === row + 1 && last[1] + last[2].length === column)
          last[2] += one.textContent;
        else found.push([row + 1, column, one.textContent]);
      }
    });
    return found;"""
TEXT = SHEET + "return [...sheet.querySelectorAll('.cm-line')].map((one) => one.textContent)" \
               ".join('\\n')"
OPTIONS = SHEET + "return [...sheet.querySelectorAll('.cm-completionLabel')]" \
                  ".map((one) => one.textContent)"
STATUS = "main [role=status]"
LIVE = "the motion follows the sliders"


class EditorPage(Page):
    def load(self, text):
        """Chooses a file with the text, as a person does."""
        path = os.path.join(self.browser.directory, "job.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.browser.type("input[type=file]", path)
        self.browser.wait("the text", TEXT + " === arguments[0]", text)

    def start(self, text):
        self.open("#new")
        self.wait_live()
        self.load(text)

    def wait_live(self):
        """Until the editor is there, and its text has been found right."""
        self.browser.wait("the editor", "return document.querySelector('.sheet')?.shadowRoot")
        self.browser.wait_text(LIVE, STATUS)

    def put_cursor(self, before):
        """Puts the cursor behind the first place of a text within a line."""
        self.browser.run(SHEET + """
            const line = [...sheet.querySelectorAll('.cm-line')].find(
              (one) => one.textContent.includes(arguments[0]));
            let rest = line.textContent.indexOf(arguments[0]) + arguments[0].length;
            const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            while (walk.nextNode().data.length < rest) rest -= walk.currentNode.data.length;
            sheet.querySelector('.cm-content').focus();
            document.getSelection().collapse(walk.currentNode, rest);""", before)

    def write(self, text):
        self.browser.chrome("Input.insertText", text=text)

    def wait_marks(self, *marks):
        self.browser.wait("the marks %s" % (marks,),
                          "const marks = (() => {%s})();"
                          "return JSON.stringify(marks) === JSON.stringify(arguments[0])" % MARKS,
                          [list(mark) for mark in marks])


class Marks(EditorPage):
    """7: a mark covers exactly the characters of the mistake."""

    allowed = ("422", "400")  # the browser logs each refused check

    def test_a_name_in_an_expression(self):
        self.start('{"model": {"coordinates": ["x"],\n'
                   ' "lagrangian": "dot(x)^2/2 - kappa*x^2"},\n'
                   ' "initial": {"q": {"x": 1}}, "time": {"end": 1}}')
        self.wait_marks([2, 29, "kappa"])
        self.browser.wait_text("line 2: /model/lagrangian", ".mistakes")
        self.browser.wait_text("unknown name", ".mistakes")
        self.browser.click(".mistakes button")
        self.assertEqual(self.browser.run(SHEET + "return sheet.getSelection ?"
                                          " sheet.getSelection().toString() : ''"), "kappa")

    def test_behind_escapes_and_characters_beyond_16_bits(self):
        """Six ways to write a character; offsets count characters of the decoded text."""
        self.start('{"model": {"coordinates": ["x"],\n'
                   ' "lagrangian": "dot(\\u0078)^2\\/2 \\t- \\ud835\\udd38 - \U0001d538 - bad*x"},\n'
                   ' "initial": {"q": {"x": "1 +"}}, "time": {"end": 1}}')
        line = ' "lagrangian": "dot(\\u0078)^2\\/2 \\t- \\ud835\\udd38 - \U0001d538 - bad*x"},'
        units = line.encode("utf-16-le")

        def column(text):
            return units.index(text.encode("utf-16-le")) // 2

        self.wait_marks([2, column("\\ud835"), "\\ud835\\udd38"],
                        [2, column("\U0001d538"), "\U0001d538"],
                        [2, column("bad"), "bad"],
                        [3, len(' "initial": {"q": {"x": "1 +'), '"'])

    def test_members_and_numbers(self):
        self.start('{"model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2"},\n'
                   ' "initial": {"q": {"x": 1}},\n'
                   ' "time": {"end": 1, "samples": 1},\n'
                   ' "colour": {"red": 1}}')
        self.wait_marks([3, 20, '"samples": 1'], [4, 1, '"colour"'])

    def test_a_text_that_is_no_json(self):
        self.start('{"model": {"name": "\U0001d538", "coordinates": ["x"] oops}}')
        self.wait_marks([1, 46, "oops"])

    def test_marks_follow_the_text(self):
        self.start(json.dumps(job(model=dict(OSCILLATOR, lagrangian="m/2*dot(x)^2 - kk/2*x^2"))))
        self.browser.wait_text("1 mistake", STATUS)
        self.assertEqual(self.browser.texts(".old"), [])
        self.put_cursor("m/2*dot(x)^2 - k")
        self.browser.press("Delete")
        self.browser.wait_text(LIVE, STATUS)
        self.wait_marks()
        self.assertEqual(self.browser.texts(".mistakes"), [])

    def test_results_of_an_earlier_text_are_marked(self):
        self.start(json.dumps(job()))
        self.browser.wait_text(LIVE, STATUS)
        self.put_cursor("m/2*dot(x)^2 - k")
        self.write("k")
        self.browser.wait_text("Of the last text without mistakes.", ".old")
        self.browser.wait_text("Equations", ".old h2")
        self.browser.click(".head button.main")
        self.browser.wait_text("unknown name", "main > .warn")
        self.put_cursor("m/2*dot(x)^2 - k")
        self.browser.press("Delete")
        self.browser.wait_text(LIVE, STATUS)
        self.assertEqual(self.browser.texts(".old, main > .warn"), [])


class Completion(EditorPage):
    """8."""

    allowed = ("422", "400")

    def options(self, wanted):
        return self.browser.wait("the option " + wanted, "const options = (() => {%s})();"
                                 "return options.includes(arguments[0]) && options" % OPTIONS, wanted)

    def test_paths_of_parameters_are_offered_in_vary(self):
        self.start('{"model": {"coordinates": ["x"], "parameters": {"mass": 1},\n'
                   ' "lagrangian": "mass*dot(x)^2/2"},\n'
                   ' "initial": {"q": {"x": 1}}, "time": {"end": 1}, "vary": {}}')
        self.put_cursor('"vary": {')
        self.browser.press('"')
        self.assertIn("initial.q.x", self.options("parameters.mass"))

    def test_members_come_from_the_schema(self):
        self.start('{"model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2"},\n'
                   ' \n"initial": {"q": {"x": 1}}, "time": {"end": 1}}')
        self.browser.run(SHEET + "sheet.querySelector('.cm-content').focus();"
                         "document.getSelection().collapse(sheet.querySelectorAll('.cm-line')[1], 1)")
        self.browser.press('"')
        found = self.options("formulation")
        self.assertNotIn("model", found)  # the object has it
        self.assertNotIn("lagrangian", found)  # a member of another object
        self.browser.press("f", "o", "r", "m")
        self.browser.wait("the best one first", "const options = (() => {%s})();"
                          "return options[0] === 'formulation'" % OPTIONS)
        self.browser.press("Enter")
        self.browser.wait("the member", TEXT + ".includes('\"formulation\": ')")
        self.browser.press('"', "h", "a", "m")
        self.options("hamiltonian")

    def test_texts_know_the_names_of_the_document_and_of_the_language(self):
        model = dict(OSCILLATOR, parameters={"m": 2, "kappa": 8}, definitions={"span": "x"},
                     lagrangian="m/2*dot(x)^2 - kappa/2*x^2 ")
        self.start(json.dumps(job(model=model)))
        self.put_cursor("x^2 ")
        self.browser.press("-", "k", "a")
        self.assertEqual(self.options("kappa")[0], "kappa")
        self.browser.press("Enter")
        self.browser.press("*", "s")
        found = self.options("span")
        self.assertIn("sin", found)
        self.browser.press("i", "n")
        self.browser.wait("sin alone", "const options = (() => {%s})();"
                          "return options[0] === 'sin'" % OPTIONS)
        self.browser.press("Enter")
        self.browser.wait("both names", TEXT + ".includes('x^2 -kappa*sin(')")


class Equations(EditorPage):
    def test_equations_of_all_systems_are_typeset(self):
        """9: the page draws as many formulas as the service has equations."""
        query = "/v1/jobs?validate_only=true&include=equations&format=latex"
        self.open("#new")
        for system in self.daemon.get("/v1/catalog").json["systems"]:
            with self.subTest(system=system["name"]):
                document = self.daemon.get(system["links"]["self"]).json["job"]
                found = self.daemon.post(query, document).json["equations"]["equations"]
                self.browser.run("location.hash = 'new/' + arguments[0]", system["name"])
                self.browser.wait_text("No mistakes", STATUS)
                self.browser.run("document.querySelectorAll('.formula button')"
                                 ".forEach((one) => one.click())")
                self.browser.wait("%d formulas" % len(found), """
                    const all = [...document.querySelectorAll('.formula')];
                    return document.querySelectorAll('.no-maths').length > 0
                      || all.length === arguments[0] && all.every((one) =>
                           one.querySelector('.katex-html') && !one.querySelector('code'));""",
                                  len(found))
                self.assertEqual(self.browser.texts(".no-maths, .katex-error"), [])
                # a line begins with its sign
                self.assertEqual(self.browser.texts(
                    ".katex-base:not(:last-child) > :is(.mbin, .mrel):nth-last-child(2)"), [])


class Ways(EditorPage):
    def test_the_first_document_runs_at_control_enter(self):
        self.open("#jobs")
        self.browser.wait_text("No jobs yet")
        self.assertFalse([url for url in self.browser.requests()
                          if "codemirror" in url or "katex" in url])
        self.browser.click("nav a[href='/#new']")
        self.wait_live()
        self.assertEqual(self.daemon.get("/v1/jobs").json["jobs"], [])
        self.browser.run(SHEET + "sheet.querySelector('.cm-content').focus()")
        self.browser.press("Control+Enter")
        self.browser.wait_text("Is it right?")
        self.assertEqual(self.browser.text("h1"), "Pendulum")

    def test_a_job_is_edited_and_run_again(self):
        found = self.daemon.finish(job())
        self.open("#job/" + found["id"])
        self.browser.click("a[href='#new?job=%s']" % found["id"])
        self.wait_live()
        self.assertEqual(json.loads(self.browser.run(TEXT)), job())
        self.put_cursor('"end": 1')
        self.write("2")
        self.browser.wait_text(LIVE, STATUS)
        self.browser.click(".head button.main")
        self.browser.wait_text("Is it right?")
        again = self.browser.run("return location.hash.slice(5)")
        self.assertEqual(self.daemon.get("/v1/jobs/%s/request" % again).json["time"]["end"], 12)

    def test_an_edited_text_is_there_again_after_another_view(self):
        self.open("#new/spring")
        self.wait_live()
        self.put_cursor('"name": "')
        self.write("My own ")
        self.browser.wait_text(LIVE, STATUS)
        self.browser.run("location.hash = 'jobs'")
        self.browser.wait_text("No jobs yet")
        self.browser.click("nav a[href='/#new']")
        self.wait_live()
        self.assertIn('"name": "My own ', self.browser.run(TEXT))

    def test_structure_and_formulations_have_their_reasons(self):
        self.open("#new/vertical-rolling-disk")
        self.browser.wait_text("not integrable (nonholonomic)", "section[aria-label=Structure]")
        self.browser.wait_text("needs a \"chart\"", ".formulations")


if __name__ == "__main__":
    unittest.main()
