"""One sitting with the real window: open, read, change b, filter, export, quit."""

import csv
from random import Random

import pytest

from core.commands.main import main
from tests.end_to_end.desktop import PATIENCE, Desktop, wait_until
from tests.texts import folder_with, words

pytestmark = pytest.mark.end_to_end


def prose(seed, length):
    """Words that no other seed gives; fewer are the first of them."""
    return words(Random(seed), length)


def reworded(text):
    """Every ninth word another one: much alike, but no passage of 30 words is shared."""
    words = text.split()
    words[::9] = [f"other{number}" for number in range(len(words[::9]))]
    return " ".join(words)


@pytest.fixture
def folder(tmp_path):
    return folder_with(
        tmp_path / "essays",
        {
            "original.txt": prose(1, 300),
            "copied.txt": prose(1, 300),
            "half.txt": f"{prose(1, 150)} {prose(2, 150)}",
            "quarter.txt": f"{prose(2, 90)} {prose(3, 210)}",
            "reworded.txt": reworded(prose(1, 300)),
            "alone.txt": prose(4, 300),
            "empty.txt": "",
        },
    )


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.stop()


def export(desktop, target):
    """Export by keyboard through the file dialog; the pairs of documents written."""
    desktop.save_report("essays – Neardup", target)
    with target.open(encoding="utf-8-sig", newline="") as file:
        return [{row["doc_a"], row["doc_b"]} for row in csv.DictReader(file)]


def export_until(desktop, folder, is_wanted):
    """Export again and again until the list is as wanted: it follows the fields by and by."""
    pairs = []

    def comes():
        number = len(list(folder.glob("*.csv")))
        pairs[:] = export(desktop, folder / f"{number}.csv")
        return is_wanted(pairs)

    wait_until(comes, "such a list", desktop)
    return pairs


def changes_the_screen(desktop, *keys):
    """Press keys and wait until it shows."""
    before = desktop.picture()
    desktop.press(*keys)
    wait_until(lambda: desktop.picture() != before, f"change after {keys}", desktop)


def test_a_whole_sitting(desktop, folder, tmp_path):
    desktop.start(folder)
    desktop.focus("essays – Neardup")

    pairs = export(desktop, tmp_path / "first.csv")
    assert pairs[0] == {"copied.txt", "original.txt"}
    assert {"half.txt", "original.txt"} in pairs
    assert {"original.txt", "reworded.txt"} in pairs
    assert not any("alone.txt" in pair or "empty.txt" in pair for pair in pairs)

    # From pair to pair, into the texts and back; the copy is one passage.
    changes_the_screen(desktop, "Down")
    changes_the_screen(desktop, "Return")
    changes_the_screen(desktop, "ctrl+End")
    changes_the_screen(desktop, "alt+Up")
    changes_the_screen(desktop, "x")
    changes_the_screen(desktop, "Escape")

    # Help beside the window.
    desktop.press("F1")
    desktop.focus("Neardup Help")
    desktop.press("Escape")
    wait_until(lambda: not desktop.windows("Neardup Help"), "closed help", desktop)
    desktop.focus("essays – Neardup")

    # The panel, from its first field to its last, which opens all settings, and round again: the
    # message of the export, the list, the texts.
    desktop.press("F6", "F6", *["Tab"] * 15, "space", "F6", "F6", "F6", "F6")

    # So few documents are all compared: one band of two rows loses no pair. A threshold of 1 does
    # where a passage lists none.
    desktop.press(*["Tab"] * 11, "Home")
    assert sorted(map(sorted, export(desktop, tmp_path / "one-band.csv"))) == sorted(
        map(sorted, pairs)
    )
    desktop.press("Tab", "Tab", "Tab", "Tab", "End")
    desktop.press("Tab", "Tab", "Tab", "space")
    reworded = {"original.txt", "reworded.txt"}
    few = export_until(desktop, tmp_path, lambda exported: reworded not in exported)
    assert {"copied.txt", "original.txt"} in few
    desktop.press("space", "shift+Tab", "shift+Tab", "shift+Tab", "Home")
    export_until(desktop, tmp_path, lambda exported: len(exported) >= len(pairs))

    # Only what is shown is exported.
    desktop.press("ctrl+f")
    desktop.type("quarter")
    assert export_until(
        desktop, tmp_path, lambda exported: all("quarter.txt" in pair for pair in exported)
    )

    # The mouse opens a menu.
    before = desktop.picture()
    desktop.click(18, 12)
    wait_until(lambda: desktop.picture() != before, "open menu", desktop)
    desktop.press("Escape")

    desktop.focus("essays – Neardup")
    desktop.press("ctrl+q")
    assert desktop.application.wait(PATIENCE) == 0
    assert desktop.output() == ""


TEXT = " ".join(f"word{number * number % 97}" for number in range(200))
READ_ONLY = "read-only"  # xdotool takes a regular expression


@pytest.fixture
def review(tmp_path):
    folder = folder_with(
        tmp_path / "essays", {name: f"{TEXT} The end of {name}." for name in ("one.txt", "two.txt")}
    )
    path = tmp_path / "autumn.neardup"
    assert main(["scan", str(folder), "--review", str(path), "--quiet"]) == 0
    return path


def test_a_review_passes_from_a_window_that_was_killed_to_the_next(desktop, review):
    desktop.start(review)
    first = desktop.application
    wait_until(lambda: desktop.windows("^autumn.neardup – Neardup$"), "first window", desktop)
    try:
        desktop.start(review)
        wait_until(lambda: desktop.windows(READ_ONLY), "second window, read only", desktop)
        before = review.read_bytes()
        desktop.focus(READ_ONLY)
        desktop.press("ctrl+s")
        assert main(["scan", str(review.parent / "essays"), "--review", str(review)]) == 1
        assert review.read_bytes() == before
    finally:
        first.kill()
        first.wait()
    wait_until(lambda: not desktop.windows("^autumn.neardup – Neardup$"), "one window", desktop)

    desktop.focus(READ_ONLY)
    desktop.press("alt+f", "t")
    wait_until(lambda: desktop.windows("^autumn.neardup – Neardup$"), "a taken review", desktop)
    assert not desktop.windows(READ_ONLY)

    desktop.press("ctrl+q")
    assert desktop.application.wait(PATIENCE) == 0
    assert [path.name for path in review.parent.glob("autumn*")] == ["autumn.neardup"]
