#!/usr/bin/env python3
"""What the web page costs: bytes, time to build, first paint, first plot, frames, memory.

    bench/web.py [--heap SECONDS]        needs build/dalembert and a headless Chromium

Prints each figure beside its goal. Times are medians of RUNS loads, each with an empty cache.
"""

import argparse
import os
import resource
import statistics
import subprocess
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
FRAMES, UNTIMED = 90, 10  # of a motion; the first ones compile scripts and shaders
SAMPLES = 100001  # of a trail; the page asks for 2000 of them
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
STEP = """
    const line = document.querySelector('.timeline input[type=range]');
    line.value = line.max * arguments[0];
    line.dispatchEvent(new Event('input', {bubbles: true}));
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
    await new Promise((drawn) => setTimeout(drawn, 20));"""
PAINT = """
    const found = performance.getEntriesByName('first-contentful-paint')[0];
    return found && {paint: found.startTime, shift: window.shift};"""


def tell(name, value, goal):
    print("%-52s %-22s %s" % (name, value, goal), flush=True)


def children_time():
    """Seconds of the processor in ended children, by the user and by the system."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def scene(space):
    """30 items that move: a trail, and bodies, rods and arrows."""
    more = [] if space == 2 else [0.5]
    turn = "t" if space == 2 else {"axis": [0, 0, 1], "angle": "t"}
    items = [{"shape": "trail", "at": ["x", "dot(x)"] + more}]
    for k in range(29):
        at = ["x + %g" % (0.1 * k), "%g*cos(t)" % (0.1 * k)] + more
        items.append([{"shape": "sphere", "radius": 0.1, "at": at},
                      {"shape": "box", "size": [0.2] * space, "at": at, "turn": turn},
                      {"shape": "rod", "from": [0] * space, "to": at},
                      {"shape": "arrow", "at": at, "vector": ["dot(x)", "x"] + more},
                      {"shape": "point", "at": at}][k % 5])
    return {"space": space, "items": items}


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

    def build(self):
        """Processor time to pack the files of the page and to compile their table."""
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "api", "ui_data.o")
            before = children_time()
            subprocess.run(["make", "-s", "O=" + folder, target], cwd=ROOT, check=True,
                           stdout=subprocess.DEVNULL, env=dict(os.environ, MAKEFLAGS=""))
            tell("processor time to build the page's data",
                 "%.2f s" % (children_time() - before), "<= 5 s")

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

    def script(self):
        """Milliseconds in which JavaScript ran; drawing by the renderer in software is not in it."""
        found = self.browser.chrome("Performance.getMetrics")["metrics"]
        return 1000 * next(one["value"] for one in found if one["name"] == "ScriptDuration")

    def frames(self, space, seconds):
        """Of the page of a job, as the time line moves; then its heap, as the motion plays."""
        done = self.daemon.finish(job(time={"end": 1000, "samples": SAMPLES}, scene=scene(space)))
        self.load("#job/" + done["id"], "Is it right?")
        self.browser.wait("a picture", "return document.querySelector('.stage canvas')")
        self.browser.chrome("Performance.enable")
        found = []
        for k in range(FRAMES):
            before = self.script()
            self.browser.run(STEP, (k + 1) / FRAMES)
            found.append(self.script() - before)
        tell("script of a frame in %dD, 30 items, trail of %d" % (space, SAMPLES),
             "%.1f ms" % statistics.median(found[UNTIMED:]), "<= 20 ms")
        self.browser.press("Space")
        self.heap("of a motion that plays in %dD" % space, seconds)

    def running(self, seconds):
        """A page whose plots are drawn anew each second."""
        running = self.daemon.submit(job(
            observe=COLUMNS, time={"end": 1e8, "samples": 1000001},
            integrator={"max_steps": 900000000}))
        self.daemon.wait_running(running)
        self.load("#job/" + running, "Motion")
        self.browser.wait("a plot", "return window.plot")
        self.heap("of a running job", seconds)
        state = self.daemon.get("/v1/jobs/" + running).json["state"]
        assert state == "running", "the job ended too early: " + state

    def heap(self, name, seconds):
        sizes, objects = [], []
        for pause in (10, seconds):
            time.sleep(pause)
            self.browser.run("performance.clearResourceTimings()")  # the browser keeps 250
            self.browser.chrome("HeapProfiler.collectGarbage")
            sizes.append(self.browser.chrome("Runtime.getHeapUsage")["usedSize"] / 1e6)
            objects.append(self.objects())
        tell("heap %s, %d s apart" % (name, seconds), "%.2f and %.2f MB" % tuple(sizes), "flat")
        tell("objects %s" % name, "%d and %d" % tuple(objects), "flat")

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
        bench.build()
        bench.paint()
        bench.plot(201, "<= 400 ms")
        bench.plot(1000001, "<= 1500 ms")
        for space in (2, 3):
            bench.frames(space, options.heap)
        bench.running(options.heap)
    finally:
        bench.close()


if __name__ == "__main__":
    main()
