"""What a screen reader gets of an application: its tree over D-Bus, as AT-SPI 2 has it."""

import os
import subprocess
from typing import NamedTuple

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

ACCESSIBLE = "org.a11y.atspi.Accessible"
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
FOCUSABLE, FOCUSED, SELECTED, SHOWING = 11, 12, 23, 25  # bits of a state
SECONDS = 30
MOST_CHILDREN = 200  # of one node: a table has a child for each cell


class Node(NamedTuple):
    """One thing of the application, and what is said of it."""

    path: tuple[str, ...]  # the roles from the window to it
    role: str
    name: str
    description: str
    state: int

    def has(self, bit: int) -> bool:
        """Whether it is in a state."""
        return bool(self.state >> bit & 1)


class SessionBus:
    """A bus of its own, where the application meets its reader."""

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
            place = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            asked = new_method_call(place, "GetAddress")
            bus = session.send_and_get_reply(asked, timeout=SECONDS).body[0]
        self._connection = open_dbus_connection(bus=bus)

    def close(self) -> None:
        """Leave the bus."""
        self._connection.close()

    def tree(self) -> list[Node]:
        """Everything that is on the screen; empty where no application is heard."""
        found: list[Node] = []
        for application in self._children(REGISTRY):
            self._walk(application, (), found)
        return found

    def _walk(self, place: tuple[str, str], path: tuple[str, ...], found: list[Node]) -> None:
        role = self._call(place, "GetRoleName")[0]
        low, high = self._call(place, "GetState")[0]
        node = Node(
            path, role, self._property(place, "Name"), self._property(place, "Description"),
            low | high << 32,
        )  # fmt: skip
        if path and not node.has(SHOWING):
            return
        found.append(node)
        for child in self._children(place)[:MOST_CHILDREN]:
            self._walk(child, (*path, role), found)

    def _children(self, place: tuple[str, str]) -> list[tuple[str, str]]:
        return [tuple(child) for child in self._call(place, "GetChildren")[0]]

    def _call(self, place: tuple[str, str], method: str) -> tuple:
        name, path = place
        return self._ask(new_method_call(DBusAddress(path, name, ACCESSIBLE), method))

    def _property(self, place: tuple[str, str], name: str) -> str:
        bus, path = place
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
