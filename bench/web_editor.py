#!/usr/bin/env python3
"""Prints how large the parts of the web page are, and how fast the editor and the sliders answer."""

import glob
import gzip
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "browser"))

from browser import Browser  # noqa: E402

from harness import Daemon  # noqa: E402

PARTS = {
    "list of jobs": ["index.html", "app/main.js", "app/jobs.js", "app/format.js", "app/service.js",
                     "app/page.css", "app/icon.svg", "vendor/preact.js", "vendor/uplot.css",
                     "../clients/javascript"],
    "editor, besides": ["vendor/codemirror.js"] + [
        "app/%s.js" % name for name in ("new", "editor", "places", "complete", "live", "maths")],
    "maths, besides": ["vendor/katex.js", "vendor/katex.css", "vendor/*.woff2"],
}

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


def size(names):
    """Bytes of files of web/, each compressed as the service sends them."""
    total = 0
    for name in names:
        path = os.path.join(ROOT, "web", name)
        pattern = os.path.join(path, "*.js") if os.path.isdir(path) else path
        for file in glob.glob(pattern):
            with open(file, "rb") as stream:
                total += len(gzip.compress(stream.read(), 9))
    return total


def main():
    for name, files in PARTS.items():
        print("%-24s %6.0f kB gzip" % (name, size(files) / 1000))
    browser, daemon = Browser(), Daemon()
    try:
        base = "http://%s:%d/" % (daemon.address, daemon.port)

        def measure(place, script):
            browser.look()
            browser.open(base + place)
            browser.wait("the editor", "return document.querySelector('.sheet')?.shadowRoot")
            browser.wait_text("live", "main [role=status]")
            return browser.run(script)

        found = measure("#new", TYPING)
        print("%-24s %6.0f ms median, %.0f ms at most in 95 of 100"
              % ("typing to marks", found[25], found[47]))
        print("%-24s %6.1f runs a second" % ("a slider", measure("#new/snakeboard", SLIDING)))
    finally:
        browser.close()
        daemon.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
