"""A screen of its own, with the application on it, driven by real keys and a real mouse."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIZE = (1600, 1000)  # room for a window that does not fold its panel
PATIENCE = 300.0  # seconds; the first scan on a machine compiles the engine


class Desktop:
    """An X server without a window manager, and what runs on it."""

    def __init__(self, home: Path, environment: dict[str, str] | None = None):
        self._home = home
        reading, writing = os.pipe()
        # Without -noreset it starts anew, and refuses others, whenever its last client leaves. The
        # screen lies in a file of the home, without the pointer.
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-noreset", "-nocursor", "-fbdir", str(home),
             "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"],
            pass_fds=[writing], stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.display = f":{pipe.readline().strip()}"
        self._environment = {
            **(os.environ if environment is None else environment),
            "DISPLAY": self.display,
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
        }
        self._log = (home / "neardup.out").open("wb")
        self.application: subprocess.Popen | None = None

    def start(self, *arguments: object) -> None:
        """Start the application."""
        self.application = subprocess.Popen(
            [sys.executable, "-m", "neardup_gui", *map(str, arguments)],
            cwd=ROOT, env=self._environment, stdout=self._log, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def stop(self) -> None:
        """End what still runs."""
        for process in (self.application, self._server):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self._log.close()

    def output(self) -> str:
        """What the application printed."""
        return (self._home / "neardup.out").read_text(errors="replace")

    def tool(self, *arguments: object) -> str:
        """Run xdotool; its output, empty where it found nothing."""
        done = subprocess.run(
            ["xdotool", *map(str, arguments)],
            env=self._environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout.strip()

    def windows(self, title: str) -> list[str]:
        """The visible windows whose title contains a text."""
        return self.tool("search", "--onlyvisible", "--name", title).split()

    def focus(self, title: str) -> str:
        """Wait for a window and give it the keyboard."""
        wait_until(lambda: self.windows(title), f"a window “{title}”", self)
        window = self.windows(title)[-1]
        self.tool("windowfocus", "--sync", window)
        return window

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self.tool("key", "--delay", "40", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.tool("type", "--delay", "15", text)

    def click(self, x: int, y: int) -> None:
        """Click with the left button."""
        self.tool("mousemove", x, y, "click", "1")

    def save_report(self, title: str, target: Path) -> None:
        """Save a report from the window with this title, and come back to it."""
        report, dialog = "^Report", "Save the report"
        while not self.windows(dialog):
            if not self.windows(report):
                self.focus(title)
                self.press("ctrl+e")  # does nothing while there is no list
            else:
                self.focus(report)
                self.press("Return")  # does nothing while the list is made
            self._comes(report if not self.windows(report) else dialog)
        self.focus(dialog)
        self.press("ctrl+a")
        self.type(str(target))
        self.press("Return")
        wait_until(target.exists, "saved report", self)
        wait_until(lambda: not self.windows(dialog), "closed dialog", self)
        self.focus(report)
        self.press("Escape")
        wait_until(lambda: not self.windows(report), "closed window", self)
        self.focus(title)

    def _comes(self, title: str) -> None:
        """Give a window a while to come; the key may have been pressed too early."""
        deadline = time.monotonic() + 3
        while not self.windows(title) and time.monotonic() < deadline:
            time.sleep(0.05)

    def picture(self) -> bytes:
        """What the screen shows once it stands still: its pixels, after a header."""
        screen = self._home / "Xvfb_screen0"
        shown, before = screen.read_bytes(), b""
        while shown != before:
            time.sleep(0.25)  # less than a cursor takes to blink
            shown, before = screen.read_bytes(), shown
        return shown


def wait_until(condition, what, desktop):
    """Poll until something is so; fail with what was waited for."""
    deadline = time.monotonic() + PATIENCE
    while not (result := condition()):
        gone = desktop.application is not None and desktop.application.poll() is not None
        if gone or time.monotonic() > deadline:
            state = "the application has ended" if gone else "waited in vain"
            raise AssertionError(f"{state}, no {what}\n{desktop.output()}")
        time.sleep(0.05)
    return result
