"""A headless Chromium, driven by the WebDriver protocol with the standard library alone.

It knows three sources of mistakes: the console, reports of the page's content security policy, and
requests to other hosts. Browser.mistakes() tells all of them since it was last asked.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path += [os.path.join(ROOT, "tests", "http"), os.path.join(ROOT, "tests")]

from deadline import SECONDS, deadline  # noqa: E402

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Space": " ", "Left": "\ue012",
        "Right": "\ue014", "Delete": "\ue017", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008",
        "Control": "\ue009"}


class Failed(AssertionError):
    """The browser refuses a command: an element is not there, a script throws."""


class Browser:
    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="dalembert-browser-")
        self.process = subprocess.Popen(
            [DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=dict(os.environ, HOME=self.directory, TMPDIR=self.directory))
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.port = int(line.rsplit(" ", 1)[1].strip(" .\n"))
                break
        options = {"binary": CHROMIUM,
                   "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                            "--disable-gpu", "--enable-unsafe-swiftshader", "--window-size=1280,900"],
                   "prefs": {"download.default_directory": self.directory},
                   "perfLoggingPrefs": {"enableNetwork": True}}
        found = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + found["sessionId"]
        self.command("POST", "/timeouts", {"script": 1000 * SECONDS, "pageLoad": 1000 * SECONDS})
        self.url = None

    def send(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), data,
                                         {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(json.load(error)["value"]["message"].split("\n")[0]) from None

    def command(self, method, path, body=None):
        return self.send(method, self.session + path, body)

    def chrome(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def close(self):
        try:
            self.command("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()
            shutil.rmtree(self.directory, ignore_errors=True)

    # Looking.

    def open(self, url):
        """Opens a page of the service anew; the earlier one is left first."""
        self.command("POST", "/url", {"url": "about:blank"})
        self.url = url
        self.command("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """What a script of the body of a function returns; it may be a promise."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])]"
                        ".map((one) => one.textContent)", selector)

    def text(self, selector):
        found = self.texts(selector)
        return found[0] if found else None

    def wait(self, what, script, *arguments):
        """Until the script returns something true, which is returned."""
        for _ in deadline(what):
            found = self.run(script, *arguments)
            if found:
                return found

    def wait_text(self, text, selector="body"):
        """Until an element of the selector shows the text."""
        return self.wait(
            "%r in %s" % (text, selector),
            "return [...document.querySelectorAll(arguments[1])]"
            ".some((one) => one.innerText.includes(arguments[0]))", text, selector)

    # Acting as a person does.

    def find(self, selector):
        for _ in deadline(selector):
            try:
                found = self.command("POST", "/element",
                                     {"using": "css selector", "value": selector})
                return "/element/" + found[ELEMENT]
            except Failed:
                pass

    def click(self, selector):
        self.command("POST", self.find(selector) + "/click")

    def type(self, selector, text):
        self.command("POST", self.find(selector) + "/value", {"text": text})

    def press(self, *names):
        """Keys one after the other, held down together if joined by +."""
        actions = []
        for name in names:
            keys = [KEYS.get(part, part) for part in name.split("+")]
            actions += [{"type": "keyDown", "value": key} for key in keys]
            actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.command("POST", "/actions",
                     {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def drag(self, start, end, top):
        """The mouse from one place to another at the same height."""
        self.drag_box(start, top, end, top)

    def drag_box(self, left, top, right, bottom):
        """The mouse from one corner to the other."""
        places = [(left, top), ((left + right) / 2, (top + bottom) / 2), (right, bottom)]
        move = [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 20} for x, y in places]
        actions = [move[0], {"type": "pointerDown", "button": 0}, move[1], move[2],
                   {"type": "pointerUp", "button": 0}]
        self.command("POST", "/actions",
                     {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def look(self, width=1280, height=900, dark=False, moving=False):
        """The size of the window, the theme, and whether motions may play by themselves."""
        self.chrome("Emulation.setDeviceMetricsOverride", width=width, height=height,
                    deviceScaleFactor=1, mobile=False)
        self.chrome("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "no-preference" if moving else "reduce"}])

    def picture(self, path):
        """A screenshot of the whole page."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return innerWidth")
        data = self.chrome("Page.captureScreenshot", captureBeyondViewport=True,
                           clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    # Mistakes.

    def log(self, kind):
        return self.command("POST", "/se/log", {"type": kind})

    def requests(self):
        """The addresses that were asked for since the last call."""
        found = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def mistakes(self, allowed=()):
        """Lines of the console but those with one of the words, and foreign requests."""
        found = [entry["message"] for entry in self.log("browser")
                 if not any(word in entry["message"] for word in allowed)]
        own = ("/".join(self.url.split("/")[:3]) + "/", "about:", "data:", "blob:")
        return found + [url for url in self.requests() if not url.startswith(own)]
