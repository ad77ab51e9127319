#!/usr/bin/env python3
"""How large the parts of the web page are, and how fast the page answers a person.

Prints each figure beside its goal. Needs build/dalembert and a headless Chromium.
"""

import glob
import gzip
import json
import os
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "browser"))

from browser import CHROMIUM, DRIVER, Browser  # noqa: E402
from web import tell  # noqa: E402

from harness import Daemon, job  # noqa: E402

# What a view loads beside the list of jobs: files of web/, and the goal of their sum in kB.
PARTS = {
    "editor": (["vendor/codemirror.js"] + ["app/%s.js" % name for name in (
        "new", "editor", "places", "complete", "live")], 230),
    "equations": (["app/maths.js", "vendor/katex.js", "vendor/katex.css", "vendor/*.woff2"], 200),
    "motion in space": (["app/%s.js" % name for name in (
        "scene", "stage", "shapes", "marks", "solid")] + ["vendor/three.js"], 250),
}
CHANGES = 20  # jobs that the list shows while it is open

# types a wrong name and takes it away again; gives milliseconds until the mark is there
TYPING = """
const sheet = document.querySelector('.sheet').shadowRoot;
const base = document.querySelector('script[type=module]').src.replace('app/main.js', '');
const marked = (wanted) => new Promise((done) => {
  const look = () => Boolean(sheet.querySelector('.cm-lintRange-error')) === wanted
    ? done() : setTimeout(look, 1);
  look();
});
return import(base + 'vendor/codemirror.js').then(async ({EditorView}) => {
  const view = EditorView.findFromDOM(sheet.querySelector('.cm-editor'));
  const at = view.state.doc.toString().indexOf('cos(') + 5, found = [];
  for (let k = 0; k < 50; k++) {
    const start = performance.now();
    view.dispatch({changes: {from: at, insert: 'q'}});
    await marked(true);
    found.push(performance.now() - start);
    view.dispatch({changes: {from: at, to: at + 1}});
    await marked(false);
  }
  return found.sort((a, b) => a - b);
});"""

# moves the first slider in every frame for five seconds; gives runs a second
SLIDING = """
const slider = document.querySelector('.slider input[type=range]');
const tell = (name) => slider.dispatchEvent(new Event(name, {bubbles: true}));
const start = performance.now();
performance.setResourceTimingBufferSize(5000);
return new Promise((done) => {
  const move = (now) => {
    slider.value = 500 + 300 * Math.sin((now - start) / 300);
    tell('input');
    if (now - start < 5000) return requestAnimationFrame(move);
    tell('change');
    done(performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/v1/jobs')
      && one.responseEnd > start).length / 5);
  };
  requestAnimationFrame(move);
});"""

# posts a job from the page; gives milliseconds from the answer until the list shows its success
SHOWN = """
return fetch('/v1/jobs?wait=30', {method: 'POST',
  headers: {'content-type': 'application/json'}, body: arguments[0]}).then(async (answer) => {
  const {id} = await answer.json(), start = performance.now();
  const done = () => document.querySelector(`a[href="#job/${id}"]`)?.closest('tr')
    .textContent.includes('succeeded');
  while (!done()) await new Promise(requestAnimationFrame);
  return performance.now() - start;
});"""
# gives milliseconds from the request of the start page until its time line moves
MOVES = """
const line = document.querySelector('.timeline input[type=range]');
return Number(line?.value) > 0 && performance.now();"""


def size(names):
    """Bytes of files of web/, each compressed as the service sends them."""
    total = 0
    for name in names:
        for file in glob.glob(os.path.join(ROOT, "web", name)):
            with open(file, "rb") as stream:
                total += len(gzip.compress(stream.read(), 9))
    return total


def measure(browser, base):
    def opened(place):
        browser.open(base + place)
        browser.wait("the editor", "return document.querySelector('.sheet')?.shadowRoot")
        browser.wait_text("No mistakes", "main [role=status]")

    browser.look(moving=True)
    browser.open(base)
    tell("start, until the motion moves",
         "%.0f ms" % browser.wait("the motion", MOVES), "<= 2000 ms")
    browser.look()
    opened("#new")
    found = browser.run(TYPING)
    tell("a key until its mark, median and 95 of 100", "%.0f and %.0f ms" % (found[25], found[47]),
         "<= 150 ms")
    opened("#new/snakeboard")
    tell("runs a second while a slider moves", "%.1f" % browser.run(SLIDING), ">= 10")
    browser.open(base + "#jobs")
    browser.wait_text("live", ".connection")
    found = [browser.run(SHOWN, json.dumps(job(labels={"k": str(k)}))) for k in range(CHANGES)]
    tell("a change of state until the list shows it, median",
         "%.0f ms" % statistics.median(found), "<= 250 ms")


def main():
    for name, (files, goal) in PARTS.items():
        tell("load of the %s, besides" % name, "%.0f kB" % (size(files) / 1000), "<= %d kB" % goal)
    if not (CHROMIUM and DRIVER):
        return
    browser, daemon = Browser(), Daemon()
    try:
        measure(browser, "http://%s:%d/" % (daemon.address, daemon.port))
    finally:
        browser.close()
        daemon.close()


if __name__ == "__main__":
    main()
