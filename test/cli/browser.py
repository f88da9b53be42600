# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that takes real input events, driven over a pipe with the DevTools protocol."""

import base64
import json
import os
import subprocess
import tempfile


class Browser:
    def __init__(self, page, width=1000, height=700):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.out = os.pipe()
        self.inn, to_write = os.pipe()

        def connect():  # Chromium reads commands from descriptor 3 and answers on 4
            reading, writing = os.dup(to_read), os.dup(to_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.buffer, self.session = 0, b"", None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Page.navigate", url=f"file://{page}")
        for _ in range(600):
            if self.value("document.body && document.body.dataset.ready") == "yes":
                return
            self.value("new Promise(done => setTimeout(done, 100))")
        raise AssertionError("the page's script did not come to its end")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        os.close(self.out)
        os.close(self.inn)
        self.profile.cleanup()

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                part = os.read(self.inn, 1 << 16)
                assert part, "the browser ended"
                self.buffer += part
            text, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, start, end, button="left"):
        buttons = 1 if button == "left" else 2
        self.mouse("mousePressed", *start, button=button, buttons=buttons, clickCount=1)
        for step in range(1, 5):
            place = [a + (b - a) * step / 4 for a, b in zip(start, end)]
            self.mouse("mouseMoved", *place, button=button, buttons=buttons)
        self.mouse("mouseReleased", *end, button=button, clickCount=1)

    def key(self, key, code):
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, code=key if len(key) > 1 else "Space",
                  windowsVirtualKeyCode=code, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def touch(self, kind, *points):
        self.send("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)])

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))
