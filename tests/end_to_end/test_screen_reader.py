"""Keys alone, and a screen reader: everything has a name, and states what it shows now."""

import json

import pytest

from tests.end_to_end.desktop import (
    FOCUSABLE,
    PATIENCE,
    SELECTED,
    Desktop,
    ScreenReader,
    SessionBus,
    environment,
    wait_until,
)
from tests.texts import folder_with

pytestmark = pytest.mark.end_to_end


SPOKEN = {
    *("push button", "check box", "radio button", "combo box", "spin box", "slider", "text"),
    *("table", "tree table", "page tab", "page tab list", "menu item", "link", "tree", "list"),
}

SHARED = " ".join(f"shared{number * number % 97}" for number in range(120))


@pytest.fixture
def folder(tmp_path):
    texts = {"empty.txt": ""}
    for number in range(4):
        words = " ".join(f"own{number}x{index}" for index in range(40 * number + 20))
        texts[f"essay{number}.txt"] = f"{SHARED}. {words}"
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def heard(tmp_path):
    """A desktop whose application is read while it runs."""
    bus = SessionBus()
    desktop = Desktop(tmp_path, environment(bus))
    desktop.bus = bus
    yield desktop
    desktop.stop()
    bus.stop()


def tree(desktop):
    """The tree, read anew until nothing goes away meanwhile."""

    def read():
        reader = ScreenReader(desktop.bus.address)
        try:
            return reader.tree()
        except LookupError:
            return []
        finally:
            reader.close()

    return wait_until(read, "application that can be heard", desktop)


def nameless(nodes):
    """What can be reached or pressed and says nothing."""
    return [
        (*node.path, node.role)
        for node in nodes
        if not node.name.strip() and (node.role in SPOKEN or node.has(FOCUSABLE))
    ]


def test_everything_that_can_be_reached_has_a_name(heard, folder):
    heard.start()
    heard.focus("Neardup")
    assert nameless(tree(heard)) == []


def test_a_screen_reader_reads_what_is_shown(heard, folder):
    heard.start(folder)
    heard.focus("essays")
    wait_until(
        lambda: any(node.role == "page tab" and node.name == "Pairs 6" for node in tree(heard)),
        "tab that says how many pairs there are", heard,
    )  # fmt: skip

    def selected():
        return [node.name for node in tree(heard) if node.role == "cell" and node.has(SELECTED)]

    first = wait_until(selected, "selected pair", heard)
    assert nameless(tree(heard)) == []
    heard.press("Down")
    second = wait_until(lambda: (now := selected()) != first and now, "next pair", heard)

    names = [name for name in second if name.startswith("essay")]
    assert len(names) == 2
    wait_until(
        lambda: all(
            any(node.role == "text" and name in node.name for node in tree(heard)) for name in names
        ),
        "texts that are named as the selected pair is", heard,
    )  # fmt: skip


def cells(desktop):
    """What the cells of the tables say."""
    return [node.name for node in tree(desktop) if node.role == "cell"]


def heard_soon(desktop, words):
    """Wait until the screen reader gets something that contains these words."""
    wait_until(
        lambda: any(words in node.name for node in tree(desktop)), f"{words!r} to be heard", desktop
    )


def given(desktop):
    """How many pairs have each verdict: from the cell with the number, which is always visible."""
    names = cells(desktop)
    return [
        sum(name[0].isdigit() and name.endswith(f", {word}") for name in names if name)
        for word in ("confirmed", "suspicious", "not a match")
    ]


def test_a_whole_review_by_keys_alone(heard, folder, tmp_path):
    """Read, judge, note, undo, be killed, go on, look from the other tabs, export: no mouse."""
    heard.start(folder)
    heard.focus("essays")
    heard_soon(heard, "Pairs 6")
    heard_soon(heard, "saved · ")

    for key, count in (("1", [1, 0, 0]), ("2", [1, 1, 0]), ("3", [1, 1, 1]), ("3", [1, 1, 2])):
        heard.press(key)
        wait_until(lambda count=count: given(heard) == count, f"verdicts {count}", heard)
    heard.press("ctrl+z")
    wait_until(lambda: given(heard) == [1, 1, 1], "undone verdict", heard)
    heard.press("ctrl+shift+z")
    wait_until(lambda: given(heard) == [1, 1, 2], "redone verdict", heard)

    # A note on the confirmed pair: the report is of confirmed and suspicious ones.
    heard.press("Up", "Up", "Up", "Up", "n")
    heard_soon(heard, "Note")
    heard.type("see page 3, line 1")
    heard.press("Return")
    heard_soon(heard, "saved · ")

    heard.press("Return", "F8", "d")
    heard_soon(heard, "change")
    heard.press("d", "Escape")
    heard_soon(heard, "saved · ")
    heard.application.kill()
    heard.application.wait()

    heard.start(folder)
    heard.focus("essays")
    wait_until(lambda: given(heard) == [1, 1, 2], "verdicts of the time before", heard)
    assert nameless(tree(heard)) == []

    target = tmp_path / "report.json"
    heard.save_report("essays", target)
    report = json.loads(target.read_text(encoding="utf-8"))
    assert [report["verdicts"][word] for word in ("confirmed", "suspicious", "not a match")] == [
        1, 1, 0,
    ]  # fmt: skip
    assert "see page 3, line 1" in [pair.get("note") for pair in report["pairs"]]
    heard.press("ctrl+q")
    assert heard.application.wait(PATIENCE) == 0
