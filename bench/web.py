#!/usr/bin/env python3
"""What the web page costs: bytes, growth of the program, first paint, first plot, memory.

    bench/web.py [--heap SECONDS]        needs build/dalembert and a headless Chromium

Prints each figure beside its goal. Times are medians of RUNS loads, each with an empty cache.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "browser"))

from browser import CHROMIUM, DRIVER, Browser  # noqa: E402
from page import program_without_page  # noqa: E402

from harness import BINARY, Daemon, job  # noqa: E402

RUNS = 5
THROTTLE = 4  # times slower than this processor
JOBS = 50  # in the list, as many as a page of it
COLUMNS = {"a": "sin(t)", "b": "cos(3*t)", "c": "x*dot(x)"}  # beside x and dot(x)

# Of each document: the sum of layout shifts, and the instant of the first frame with a plot.
WATCH = """
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
    }).observe({type: 'layout-shift', buffered: true});
    new MutationObserver((_, self) => {
      if (!document.querySelector('.plot canvas')) return;
      self.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => (window.plot = performance.now())));
    }).observe(document, {subtree: true, childList: true});"""
LOADED = """
    const all = [...performance.getEntriesByType('navigation'),
                 ...performance.getEntriesByType('resource')];
    return {bytes: all.reduce((sum, one) => sum + one.encodedBodySize, 0), files: all.length};"""
PAINT = """
    const found = performance.getEntriesByName('first-contentful-paint')[0];
    return found && {paint: found.startTime, shift: window.shift};"""


def tell(name, value, goal):
    print("%-52s %-22s %s" % (name, value, goal), flush=True)


class Bench:
    def __init__(self):
        self.daemon, self.browser = Daemon(), Browser()
        self.base = "http://%s:%d/" % (self.daemon.address, self.daemon.port)
        self.browser.look()
        self.browser.chrome("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def close(self):
        self.browser.close()
        self.daemon.close()

    def load(self, place, text):
        """Opens a page with an empty cache, until it shows the text."""
        self.browser.chrome("Network.clearBrowserCache")
        self.browser.open(self.base + place)
        self.browser.wait_text(text)

    def first_load(self):
        self.load("#jobs", "No jobs yet")
        found = self.browser.run(LOADED)
        tell("first load of Jobs, %d files" % found["files"], "%.1f kB" % (found["bytes"] / 1e3),
             "<= 90 kB")

    def growth(self):
        with tempfile.TemporaryDirectory() as folder:
            more = os.path.getsize(BINARY) - os.path.getsize(program_without_page(folder))
        tell("growth of the program", "%.0f kB" % (more / 1e3), "<= 1000 kB")

    def paint(self):
        for k in range(JOBS):
            self.daemon.finish(job(labels={"k": str(k)}))
        self.browser.chrome("Emulation.setCPUThrottlingRate", rate=THROTTLE)
        found = []
        for _ in range(RUNS):
            self.load("#jobs", "oscillator")
            found.append(self.browser.wait("the first paint", PAINT))
        self.browser.chrome("Emulation.setCPUThrottlingRate", rate=1)
        tell("first paint of %d jobs, %d times slower" % (JOBS, THROTTLE),
             "%.0f ms" % statistics.median(one["paint"] for one in found), "<= 1000 ms")
        tell("layout shift meanwhile", "%.3f" % max(one["shift"] for one in found), "< 0.05")

    def plot(self, samples, goal):
        done = self.daemon.finish(job(observe=COLUMNS, time={"end": 100, "samples": samples}))
        found = []
        for _ in range(RUNS):
            self.load("#job/" + done["id"], "Motion")
            found.append(self.browser.wait("a plot", "return window.plot"))
        tell("first plot, %d rows x 5 columns" % samples,
             "%.0f ms" % statistics.median(found), goal)

    def heap(self, seconds):
        """Of a page whose plots are drawn anew each second."""
        running = self.daemon.submit(job(
            observe=COLUMNS, time={"end": 1e7, "samples": 1000001},
            integrator={"max_steps": 900000000}))
        self.daemon.wait_running(running)
        self.load("#job/" + running, "Motion")
        self.browser.wait("a plot", "return window.plot")
        sizes, objects = [], []
        for pause in (10, seconds):
            time.sleep(pause)
            self.browser.run("performance.clearResourceTimings()")  # the browser keeps 250
            self.browser.chrome("HeapProfiler.collectGarbage")
            sizes.append(self.browser.chrome("Runtime.getHeapUsage")["usedSize"] / 1e6)
            objects.append(self.objects())
        name = "%s of a running job, %d s apart"
        tell(name % ("heap", seconds), "%.2f and %.2f MB" % tuple(sizes), "flat")
        tell(name % ("objects", seconds), "%d and %d" % tuple(objects), "flat")

    def objects(self):
        """How many objects of JavaScript there are: the heap also holds the browser's own."""
        found = self.browser.chrome("Runtime.evaluate", expression="Object.prototype")["result"]
        found = self.browser.chrome("Runtime.queryObjects", prototypeObjectId=found["objectId"])
        found = found["objects"]["objectId"]
        count = self.browser.chrome("Runtime.callFunctionOn", objectId=found, returnByValue=True,
                                    functionDeclaration="function () { return this.length; }")
        self.browser.chrome("Runtime.releaseObject", objectId=found)
        return count["result"]["value"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heap", type=int, default=60, metavar="SECONDS")
    options = parser.parse_args()
    if not (CHROMIUM and DRIVER):
        print("bench/web.py: SKIPPED, because there is no Chromium "
              "(deploy/install-deps.sh browser)")
        return
    bench = Bench()
    try:
        bench.first_load()
        bench.growth()
        bench.paint()
        bench.plot(201, "<= 400 ms")
        bench.plot(1000001, "<= 1500 ms")
        bench.heap(options.heap)
    finally:
        bench.close()


if __name__ == "__main__":
    main()
