"""A separate screen with the application, driven by keys and mouse, read as by a screen reader."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

from tests.programs import ROOT

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


def wait_until(condition, purpose, desktop):
    """Poll until something is so; fail with what was waited for."""
    deadline = time.monotonic() + PATIENCE
    while not (result := condition()):
        has_ended = desktop.application is not None and desktop.application.poll() is not None
        if has_ended or time.monotonic() > deadline:
            state = "the application has ended" if has_ended else "waited in vain"
            raise AssertionError(f"{state}, no {purpose}\n{desktop.output()}")
        time.sleep(0.05)
    return result


ACCESSIBLE = "org.a11y.atspi.Accessible"
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
FOCUSABLE, FOCUSED, SELECTED, SHOWING = 11, 12, 23, 25  # bits of a state
SECONDS = 30
MOST_CHILDREN = 200  # of one node: a table has a child for each cell


class Node(NamedTuple):
    """One accessible object of the application, and its description."""

    path: tuple[str, ...]  # the roles from the window to it
    role: str
    name: str
    description: str
    state: int

    def has(self, bit: int) -> bool:
        """Whether it is in a state."""
        return bool(self.state >> bit & 1)


class SessionBus:
    """A separate bus, where the application meets its screen reader."""

    def __init__(self) -> None:
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.address = self._daemon.stdout.readline().strip()

    def stop(self) -> None:
        """End it, and with it what it has started."""
        self._daemon.terminate()
        self._daemon.wait(60)
        self._daemon.stdout.close()


class ScreenReader:
    """Reads the application on a bus."""

    def __init__(self, address: str) -> None:
        with open_dbus_connection(bus=address) as session:
            bus_address = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            request = new_method_call(bus_address, "GetAddress")
            bus = session.send_and_get_reply(request, timeout=SECONDS).body[0]
        self._connection = open_dbus_connection(bus=bus)

    def close(self) -> None:
        """Leave the bus."""
        self._connection.close()

    def tree(self) -> list[Node]:
        """Everything on the screen; empty where no application is registered."""
        nodes: list[Node] = []
        for application in self._children(REGISTRY):
            self._walk(application, (), nodes)
        return nodes

    def _walk(self, address: tuple[str, str], path: tuple[str, ...], nodes: list[Node]) -> None:
        role = self._call(address, "GetRoleName")[0]
        low, high = self._call(address, "GetState")[0]
        node = Node(
            path, role, self._property(address, "Name"), self._property(address, "Description"),
            low | high << 32,
        )  # fmt: skip
        if path and not node.has(SHOWING):
            return
        nodes.append(node)
        for child in self._children(address)[:MOST_CHILDREN]:
            self._walk(child, (*path, role), nodes)

    def _children(self, node_address: tuple[str, str]) -> list[tuple[str, str]]:
        return [tuple(child) for child in self._call(node_address, "GetChildren")[0]]

    def _call(self, node_address: tuple[str, str], method: str) -> tuple:
        name, path = node_address
        return self._ask(new_method_call(DBusAddress(path, name, ACCESSIBLE), method))

    def _property(self, node_address: tuple[str, str], name: str) -> str:
        bus, path = node_address
        return self._ask(Properties(DBusAddress(path, bus, ACCESSIBLE)).get(name))[0][1]

    def _ask(self, message) -> tuple:
        answer = self._connection.send_and_get_reply(message, timeout=SECONDS)
        if answer.header.message_type is MessageType.error:
            raise LookupError(answer.body)  # it went while it was read
        return answer.body


def environment(bus: SessionBus) -> dict[str, str]:
    """For an application that is to be read."""
    return {
        **os.environ,
        "DBUS_SESSION_BUS_ADDRESS": bus.address,
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    }
