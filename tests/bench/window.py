"""Measure the real window: stalls during a scan, re-banding, opening a pair.

    python tests/bench/window.py [--documents 20000] [--reband 10000] [--kilobytes 200]

Runs on the display there is, else offscreen. A stall is the time by which a timer of 5 ms is late:
for that long neither a key nor a repaint would have been answered.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from options import read_options

if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import corpus
from PySide6.QtCore import (
    QElapsedTimer,
    QEventLoop,
    QObject,
    QSettings,
    Qt,
    QTimer,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from neardup_gui.app import build_window
from neardup_gui.environment.preferences import Preferences
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.window.main_window import MainWindow
from tests.gui.everywhere.walking import choose_bands

TICK = 5  # ms
WAIT = 600_000  # ms


@contextmanager
def opened(*, reviews: bool = False) -> Iterator[tuple[MainWindow, Path]]:
    """The real window once its kernels are compiled, and a folder for what it works with.

    Args:
        reviews: Whether reviews are kept in that folder.
    """
    # The offscreen platform complains of every window that has a smallest size.
    qInstallMessageHandler(lambda _kind, _context, _message: None)
    application = QApplication.instance() or QApplication(["neardup-bench"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        kept = FolderReviews(folder / "reviews") if reviews else None
        window = build_window(application, Preferences(settings), kept)
        window.resize(1440, 900)  # the offscreen platform's screen has no room for the panel
        window.show()
        loop = QEventLoop()
        window.presenter.prepared.connect(lambda sentence: None if sentence else loop.quit())
        window.presenter.prepare()
        loop.exec()
        while window.presenter.tasks.is_busy(TaskKind.COMPILE):  # which loads them
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        paint(window)
        yield window, folder
        window.close()


class Stalls(QObject):
    """How late a timer is, all along."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_tick)

    def start(self) -> None:
        self.late.clear()
        self._clock.start()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _on_tick(self) -> None:
        self.late.append(max(0.0, self._clock.nsecsElapsed() / 1e6 - TICK))
        self._clock.restart()


def wait_for(connect: Callable[[Callable[..., None]], object], begin: Callable[[], None]) -> float:
    """Begin something and wait for a signal; milliseconds."""
    loop = QEventLoop()
    connect(loop.quit)
    QTimer.singleShot(WAIT, loop.quit)
    started = time.perf_counter()
    begin()
    loop.exec()
    return (time.perf_counter() - started) * 1000


def paint(window: MainWindow) -> None:
    """Let everything that is due be laid out and painted."""
    QApplication.processEvents()
    window.repaint()
    QApplication.processEvents()


def scan(window: MainWindow, folder: Path) -> float:
    """Scan a folder to its end; milliseconds."""
    return wait_for(window.presenter.ended.connect, lambda: window.presenter.open_folders([folder]))


def measure_scan(window: MainWindow, documents: int, folder: Path) -> None:
    """The longest stalls while a folder is scanned, the first one and a large one."""
    corpus.write_texts(folder / "few", corpus.generate(20).texts)
    corpus.write_texts(folder / "many", corpus.generate(documents).texts)
    for name, number in (("few", 20), ("many", documents)):
        stalls = Stalls()
        stalls.start()
        took = scan(window, folder / name)
        stalls.stop()
        late = sorted(stalls.late)
        over = sum(1 for milliseconds in late if milliseconds > 50)
        first = " (first page shown)" if name == "few" else ""
        print(
            f"scan of {number:,} files{first}: {took / 1000:.1f} s; stalls: longest "
            f"{late[-1]:.0f} ms, 99th percentile {late[int(len(late) * 0.99)]:.1f} ms, "
            f"{over} above 50 ms"
        )


def measure_rebanding(window: MainWindow, documents: int, folder: Path) -> None:
    """From another b and r to the table painted again."""
    corpus.write_texts(folder, corpus.generate(documents).texts)
    scan(window, folder)
    for label in ("first time", "known pairs"):
        times = []
        for bands, rows in ((42, 3), (32, 4), (25, 5), (64, 2)):
            took = wait_for(
                window.presenter.listed.connect,
                lambda b=bands, r=rows: choose_bands(window.presenter, b, r, 0.1),
            )
            started = time.perf_counter()
            paint(window)
            times.append(took + (time.perf_counter() - started) * 1000)
        print(
            f"other b and r at {documents:,} documents, {label}: median "
            f"{statistics.median(times):.0f} ms, longest {max(times):.0f} ms"
        )


def measure_opening(window: MainWindow, kilobytes: int, folder: Path) -> None:
    """From the click on a row to both texts painted."""
    texts = corpus.generate(kilobytes * 2).texts
    halves = ["\n\n".join(texts[:kilobytes]), "\n\n".join(texts[kilobytes // 6 :])]
    corpus.write_texts(folder, [half[: kilobytes * 1000] for half in halves])
    scan(window, folder)
    table = window.pages.pairs.table
    times = []
    for _ in range(5):
        table.forget_selection()
        window.presenter.pair.forget()
        took = wait_for(window.presenter.pair.compared.connect, lambda: table.select_row(0))
        started = time.perf_counter()
        paint(window)
        times.append(took + (time.perf_counter() - started) * 1000)
    print(
        f"click to a pair of two {kilobytes} KB documents shown: median "
        f"{statistics.median(times):.0f} ms, longest {max(times):.0f} ms"
    )


def main() -> int:
    """Run all three."""
    options = read_options(__doc__, documents=20_000, reband=10_000, kilobytes=200)
    with opened() as (window, folder):
        print(f"platform: {QApplication.platformName()}")
        measure_scan(window, options.documents, folder / "many")
        measure_rebanding(window, options.reband, folder / "some")
        measure_opening(window, options.kilobytes, folder / "long")
    return 0


if __name__ == "__main__":
    sys.exit(main())
