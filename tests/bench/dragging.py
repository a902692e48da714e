"""Measure the real window while the threshold is dragged: its redraws and its stalls.

    python tests/bench/dragging.py [--documents 10000] [--steps 150]
    QT_SCALE_FACTOR=2 python tests/bench/dragging.py      # at 200 %

Runs on the display there is, else offscreen. A step is a mouse that moves a little further; it
takes until the window has painted what changed, in the panel and, where the tab of the curve is in
front, large as well; besides, the processor time of the window's thread, which says the same on a
busy machine. A stall is the time by which a timer of 5 ms is late, all along, with the lists that
are made meanwhile.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import corpus
from options import read_options
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from window import Stalls, opened, paint, scan

from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.window.main_window import MainWindow

PAUSE = 20  # ms between two steps: a hand that moves fast
BUDGET = 16.0  # ms
LONG = 50.0  # ms


class Painted(QObject):
    """Hears when the window has painted what was due."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.times = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            watched.event(event)
            self.times += 1
            return True
        return False


def wait(milliseconds: int) -> None:
    """Let the window live for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Hand:
    """A mouse with its button held on the line of a plot."""

    def __init__(self, plot: CurvePlot) -> None:
        self._plot = plot

    def move(self, kind: QEvent.Type, resemblance: float, held: bool) -> None:
        """Send the plot an event at a resemblance."""
        button = Qt.MouseButton.LeftButton
        changed = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button
        down = button if held else Qt.MouseButton.NoButton
        point = self._plot.scale.point(resemblance, 0.7)
        global_point = self._plot.mapToGlobal(point)
        none = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(
            self._plot, QMouseEvent(kind, point, global_point, changed, down, none)
        )


def measure(window: MainWindow, label: str, steps: int, step: Callable[[int], None]) -> None:
    """Make a number of steps; return how long painting them took, and the stalls."""
    painted, stalls, times, work = Painted(window), Stalls(), [], []
    stalls.start()
    for number in range(steps):
        before, started, thread_started = painted.times, time.perf_counter(), time.thread_time()
        step(number)
        while painted.times == before and time.perf_counter() - started < 1:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if painted.times > before:
            times.append((time.perf_counter() - started) * 1000)
            work.append((time.thread_time() - thread_started) * 1000)
        wait(PAUSE)
    wait(600)  # the last list comes
    stalls.stop()
    window.removeEventFilter(painted)
    over = sum(late > LONG for late in stalls.late)
    print(
        f"{label}: {len(times)} redraws, median {statistics.median(times):.1f} ms, "
        f"95th percentile {_percentile(times):.1f} ms (budget {BUDGET:.0f}), of its own "
        f"work {statistics.median(work):.1f} and {_percentile(work):.1f} ms; longest "
        f"stall {max(stalls.late):.0f} ms, {over} above {LONG:.0f} ms"
    )


def _percentile(times: list[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(0.95 * len(times))]


def drag(window: MainWindow, plot: CurvePlot, label: str, steps: int) -> None:
    """Drag the line of a plot to and fro."""
    model = window.side_panels.model
    model.change_threshold(0.10)
    paint(window)
    hand, kinds = Hand(plot), QEvent.Type
    hand.move(kinds.MouseMove, 0.10, held=False)
    hand.move(kinds.MouseButtonPress, 0.10, held=True)

    def step(number: int) -> None:
        position = number % 60
        hand.move(kinds.MouseMove, 0.10 + 0.01 * min(position, 60 - position), held=True)

    measure(window, label, steps, step)
    hand.move(kinds.MouseButtonRelease, 0.10, held=False)
    assert model.can_undo, "the line was not dragged"


def turn(window: MainWindow, label: str, steps: int) -> None:
    """Other rows, as by keys or the slider."""
    model = window.side_panels.model

    def step(number: int) -> None:
        model.change(model.state.with_rows(1 + number % 8))

    measure(window, label, steps, step)


def main() -> int:
    """Drag in the panel, then in the large curve."""
    options = read_options(__doc__, documents=10_000, steps=150)
    with opened() as (window, home):
        folder = home / "texts"
        corpus.write_texts(folder, corpus.generate(options.documents).texts)
        scan(window, folder)
        wait(3000)
        size, ratio = window.size(), window.devicePixelRatioF()
        print(f"{QApplication.platformName()}, {size.width()} x {size.height()} at {ratio:.0%}")
        drag(window, window.side_panels.threshold.curve, "panel alone, line", options.steps)
        turn(window, "panel alone, rows", options.steps)
        window.navigation.go_to_curve()
        wait(1500)
        drag(window, window.pages.curve.large.plot, "large and panel, line", options.steps)
        turn(window, "large and panel, rows", options.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
