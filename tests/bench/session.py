"""A reviewer's session in the real window: how long it stalls, what memory it takes.

    python tests/bench/session.py [--documents 300] [--steps 1800] [--pause 100] [--seed 1]

Half an hour at a step a second, without the time for thinking: verdicts, notes, stepping through
pairs and passages, undo, other tabs, differences, filters, text set aside. A stall is the time by
which a timer of 5 ms is late. Memory is that of the process, at the middle and at the end.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

import corpus
import window as bench
from options import read_options
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from neardup_gui.window.main_window import MainWindow

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
PLAIN = Qt.KeyboardModifier.NoModifier
KEYS = (  # how often, what, in which words it is reported
    (30, (Qt.Key.Key_1, PLAIN), "confirmed"),
    (15, (Qt.Key.Key_2, PLAIN), "suspicious"),
    (30, (Qt.Key.Key_3, PLAIN), "not a match"),
    (8, (Qt.Key.Key_0, PLAIN), "not reviewed"),
    (30, (Qt.Key.Key_Down, PLAIN), "next row"),
    (10, (Qt.Key.Key_Up, PLAIN), "row before"),
    (20, (Qt.Key.Key_F8, PLAIN), "next passage"),
    (10, (Qt.Key.Key_F7, PLAIN), "passage before"),
    (10, (Qt.Key.Key_Z, CTRL), "undo"),
    (6, (Qt.Key.Key_Z, CTRL | SHIFT), "redo"),
    (5, (Qt.Key.Key_D, PLAIN), "differences"),
    (5, (Qt.Key.Key_X, PLAIN), "swap"),
    (4, (Qt.Key.Key_S, PLAIN), "scroll apart"),
)


def settle(window: MainWindow, milliseconds: int) -> None:
    """Let the window work as long as a person takes, and until nothing is under way."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    deadline = time.monotonic() + bench.WAIT / 1000
    while window.presenter.state.is_busy and time.monotonic() < deadline:
        QTest.qWait(2)


def resident() -> float:
    """Megabytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def press(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """Press a key where the focus is; in the table where it is nowhere."""
    target: QWidget = QApplication.focusWidget() or window.pages.pairs.table
    QTest.keyClick(target, key, modifiers)


def step(window: MainWindow, chance: random.Random) -> str:
    """One thing that a reviewer does."""
    chance_drawn = chance.random()
    if chance_drawn < 0.02:
        tabs = window.pages.tabs
        tabs.setCurrentIndex(chance.randrange(tabs.count()))
        return "another tab"
    if chance_drawn < 0.04:
        window.pages.tabs.setCurrentIndex(0)
        window.pages.pairs.table.setFocus()
        return "to the pairs"
    if chance_drawn < 0.06:
        window.search_field.setText(chance.choice(["", "1", "00", "7.txt"]))
        return "search"
    weights = [weight for weight, _, _ in KEYS]
    (_, (key, modifiers), words) = chance.choices(KEYS, weights)[0]
    press(window, key, modifiers)
    return words


def main() -> int:
    """Hold the session."""
    options = read_options(__doc__, documents=300, steps=1800, pause=100, seed=1)
    with bench.opened(reviews=True) as (window, home):
        folder = home / "documents"
        corpus.write_texts(folder, corpus.generate(options.documents).texts)
        bench.scan(window, folder)
        settle(window, 1000)
        hold(window, options)
    return 0


def hold(window: MainWindow, options: argparse.Namespace) -> None:
    """Every step, and what it cost."""
    chance = random.Random(options.seed)
    worst: dict[str, float] = {}
    late: list[float] = []
    memory = []
    for number in range(options.steps):
        stalls = bench.Stalls()
        stalls.start()
        words = step(window, chance)
        settle(window, options.pause)
        stalls.stop()
        longest = max(stalls.late, default=0.0)
        late.append(longest)
        worst[words] = max(worst.get(words, 0.0), longest)
        if number == options.steps // 2 or number == options.steps - 1:
            memory.append(resident())
    print(f"{options.steps:,} steps, {window.presenter.pairs.rowCount():,} pairs shown at the end")
    print(
        f"longest stall {max(late):.0f} ms, median of the longest of each step "
        f"{statistics.median(late):.1f} ms, {sum(stall > 50 for stall in late)} steps above 50 ms"
    )
    for words, longest in sorted(worst.items(), key=lambda item: -item[1]):
        print(f"    {words}: {longest:.0f} ms")
    middle, end = memory
    print(
        f"memory: {middle:.0f} MB in the middle, {end:.0f} MB at the end ({end / middle - 1:+.1%})"
    )


if __name__ == "__main__":
    sys.exit(main())
