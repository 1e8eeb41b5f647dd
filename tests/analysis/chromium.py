"""A page in headless Chromium, driven by its DevTools protocol over two pipes: no driver, no port."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((path for path in map(shutil.which, NAMES) if path), None)
LACKS = (
    f"none of {', '.join(NAMES)} is on this machine: jobscripts/setup.sh --tests installs one;"
    " jobscripts/test.sh --without analysis.browser leaves this test out"
)
# Options against network requests of the browser itself.
QUIET = ("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")
PATIENCE = 300  # seconds, on machines under load


class Chromium:
    """One browser with one page; `said` is what reached its console, and what was not caught."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        down, self.write = os.pipe()
        self.read, up = os.pipe()
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", *QUIET]
        command += [f"--user-data-dir={self.profile.name}", "--hide-scrollbars", "about:blank"]
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{down} 4>&{up}', "sh", *command],
            pass_fds=(down, up), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self.number, self.buffer, self.said, self.session = 0, b"", [], None
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        attach = {"targetId": pages[0]["targetId"], "flatten": True}
        self.session = self.call("Target.attachToTarget", **attach)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        finally:
            self.process.wait(PATIENCE)
            os.close(self.read)
            os.close(self.write)
            self.profile.cleanup()

    def message(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.read, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        sent = {"id": self.number, "method": method, "params": params}
        if self.session:
            sent["sessionId"] = self.session
        os.write(self.write, json.dumps(sent).encode() + b"\0")
        while True:
            got = self.message()
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']}")
                return got["result"]
            self.note(got)

    def note(self, event):
        params = event.get("params", {})
        if event.get("method") == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif event.get("method") == "Runtime.exceptionThrown":
            self.said.append(str(params["exceptionDetails"].get("exception", {}).get("description")))
        elif event.get("method") == "Log.entryAdded":
            self.said.append(params["entry"]["text"])

    def show(self, width, height=900, dark=False, scripts=True):
        """The size of the window and the colours of the system, before a page is opened."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def open(self, path, until="document.readyState === 'complete'"):
        self.call("Page.navigate", url=f"file://{path}")
        self.wait(until)

    def wait(self, until):
        end = time.monotonic() + PATIENCE
        while not self.run(f"Boolean(document.documentElement) && Boolean({until})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{until}: never; console: {self.said}")
            time.sleep(0.02)

    def run(self, script):
        """The value of an expression in the page."""
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{script}: {got['exceptionDetails'].get('exception', {}).get('description')}")
        return got["result"].get("value")

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def picture(self, path, whole=False):
        clip = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"captureBeyondViewport": True, "clip": {**size, "scale": 1}}
        shot = self.call("Page.captureScreenshot", format="png", **clip)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
