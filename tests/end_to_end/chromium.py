"""A headless Chromium, and what it says of a page, over its pipe of the DevTools protocol.

The protocol by itself is enough, and changes nothing about the page: no script is added to it, and
its content security policy holds as it does for a reader. Messages are JSON, each ended by NUL.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 120.0  # seconds for one answer
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
# It reads commands from descriptor 3 and answers on 4.
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
PAPERS = {"a4": (8.27, 11.69), "us-letter": (8.5, 11)}  # inches


def program() -> str | None:
    """Where Chromium is; None where it is not."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """The program with a new profile."""

    def __init__(self, folder: Path):
        to_it, ours = _high_pipe()
        browser_end, from_it = _high_pipe()
        self._write, self._read = ours, browser_end
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, str(to_it), str(from_it), program(), *FLAGS, *root,
             f"--user-data-dir={folder}", "about:blank"],
            pass_fds=[to_it, from_it], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        os.close(to_it)
        os.close(from_it)
        self._number = 0
        self._rest = b""
        self._events: dict[str, list[dict]] = {}

    def close(self) -> None:
        """End it."""
        try:
            self.ask("Browser.close")
            self._process.wait(60)
        except (OSError, AssertionError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def ask(self, method: str, session: str = "", **parameters: object) -> dict:
        """Send a command and wait for what it gives."""
        self._number += 1
        number = self._number
        command = {"id": number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        message = json.dumps(command).encode() + b"\0"
        while message:
            message = message[os.write(self._write, message) :]
        while True:
            answer = self._next(time.monotonic() + PATIENCE)
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self._keep(answer)

    def events(self, session: str) -> list[dict]:
        """The events of a page, oldest first."""
        return self._events.setdefault(session, [])

    def wait_for(self, session: str, method: str, since: int) -> dict:
        """An event of a page, after the first `since`."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for event in self.events(session)[since:]:
                if event["method"] == method:
                    return event["params"]
            self._keep(self._next(deadline))

    def _keep(self, event: dict) -> None:
        self.events(event.get("sessionId", "")).append(event)

    def _next(self, deadline: float) -> dict:
        while b"\0" not in self._rest:
            left = deadline - time.monotonic()
            assert select.select([self._read], [], [], max(left, 0))[0], "no answer"
            data = os.read(self._read, 1 << 20)
            assert data, "Chromium has ended"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


def _high_pipe() -> tuple[int, int]:
    """A pipe whose ends are not in the way of 3 and 4."""
    high = []
    for end in os.pipe():
        high.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    return high[0], high[1]


class Page:
    """A tab with one file in it."""

    def __init__(self, browser: Chromium):
        self._browser = browser
        self._target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.ask(
            "Target.attachToTarget", targetId=self._target, flatten=True
        )["sessionId"]  # fmt: skip
        for domain in ("Page", "Runtime", "Log", "Network", "Inspector"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        """Close the tab."""
        self._browser.ask("Target.closeTarget", targetId=self._target)

    def look(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Set the size of the window, and what the reader prefers."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def forbid_scripts(self) -> None:
        """As a reader does who trusts no page; what is asked by `evaluate` still runs."""
        self._ask("Emulation.setScriptExecutionDisabled", value=True)

    def open(self, path: Path) -> float:
        """Load a file; seconds until it was loaded and painted once."""
        since = len(self._browser.events(self._session))
        began = time.perf_counter()
        self._ask("Page.navigate", url=path.as_uri())
        self._browser.wait_for(self._session, "Page.loadEventFired", since)
        self._ask("Page.captureScreenshot", format="jpeg", quality=10)
        return time.perf_counter() - began

    def evaluate(self, expression: str) -> object:
        """The value of an expression in the page, a promise's when it is kept."""
        answer = self._ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        for letter in text:
            for kind in ("keyDown", "keyUp"):
                self._ask("Input.dispatchKeyEvent", type=kind, text=letter, key=letter)

    def press(self, key: str, code: int) -> None:
        """Press a key that writes nothing, or Return."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self._ask(
                "Input.dispatchKeyEvent",
                type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text,
            )  # fmt: skip

    def picture(self) -> bytes:
        """What is seen, as PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def printed(self, paper: str = "") -> bytes:
        """The page as PDF: on the paper that it asks for, or on another one."""
        size = {"preferCSSPageSize": True}
        if paper:
            width, height = PAPERS[paper]
            size = {"paperWidth": width, "paperHeight": height}
        options = {"printBackground": True, "generateTaggedPDF": True, **size}
        return base64.b64decode(self._ask("Page.printToPDF", **options)["data"])

    def complaints(self) -> list[str]:
        """What stands in its console, and what it raised: nothing of a good page."""
        self.evaluate("0")  # what was told before has come before its answer
        complaints = []
        for event in self._browser.events(self._session):
            params = event["params"]
            match event["method"]:
                case "Runtime.consoleAPICalled":
                    complaints.append(str([argument.get("value") for argument in params["args"]]))
                case "Runtime.exceptionThrown":
                    complaints.append(str(params["exceptionDetails"]))
                case "Log.entryAdded":
                    complaints.append(params["entry"]["text"])
                case "Page.javascriptDialogOpening" | "Page.windowOpen" | "Inspector.targetCrashed":
                    complaints.append(f"{event['method']}: {params}")
        return complaints

    def requests(self) -> list[str]:
        """The addresses it requested, its own among them."""
        return [
            event["params"]["request"]["url"]
            for event in self._browser.events(self._session)
            if event["method"] == "Network.requestWillBeSent"
        ]

    def _ask(self, method: str, **parameters: object) -> dict:
        return self._browser.ask(method, self._session, **parameters)
