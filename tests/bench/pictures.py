"""Take the pictures of the README and of the pages of help from the real window, off screen.

    python tests/bench/pictures.py [--folder resources/screenshots]

The sample is scanned, three pairs get verdicts, and each picture shows what its name says.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from options import read_options

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QElapsedTimer, QEventLoop, QSettings
from PySide6.QtWidgets import QApplication, QWidget

from core.base.assets import resource
from core.scan.judgements import Verdict
from neardup_gui.app import build_window
from neardup_gui.environment.preferences import Preferences
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.views.widgets.controls import TextField
from neardup_gui.window.actions import Action
from neardup_gui.window.main_window import MainWindow

SIZE = (1440, 900)
REWORDED = 5  # the row of a reworded copy
SETTLED = 1500  # milliseconds: curves are drawn, previews made, rows measured
MOST = 300_000
GIVEN = (Verdict.CONFIRMED, Verdict.CONFIRMED, Verdict.SUSPICIOUS)


def wait(done: Callable[[], bool] = lambda: True, settle: int = SETTLED) -> None:
    """Let the window work until something is done, and then a moment more."""
    clock = QElapsedTimer()
    clock.start()
    while not done():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        if clock.elapsed() > MOST:
            raise TimeoutError
    clock.restart()
    while clock.elapsed() < settle:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)


def take(widget: QWidget, path: Path) -> None:
    """Write what a window shows."""
    widget.grab().save(str(path))
    print(path)


def of_reviewing(window: MainWindow, folder: Path) -> None:
    """The overview, and reading in the dark."""
    table = window.pages.pairs.table
    for row, verdict in enumerate(GIVEN):
        table.select_row(row)
        wait(settle=200)
        window.presenter.verdicts.judge(verdict, [row])
    table.select_row(REWORDED)
    wait(lambda: not window.presenter.state.is_busy)
    take(window, folder / "review-light.png")
    window.appearance.set_scheme(Scheme.DARK)
    window._actions[Action.READING].setChecked(True)
    wait()
    take(window, folder / "review-dark.png")
    window._actions[Action.READING].setChecked(False)
    window.appearance.set_scheme(Scheme.LIGHT)


def of_tabs(window: MainWindow, folder: Path) -> None:
    """The passages, and the curve in full width."""
    pages = window.pages
    pages.tabs.setCurrentWidget(pages.passages)
    wait(lambda: pages.passages.table.model().rowCount() > 0)
    take(window, folder / "passages.png")
    window._actions[Action.CURVE].trigger()
    wait()
    take(window, folder / "threshold.png")
    pages.tabs.setCurrentWidget(pages.pairs)


def of_windows(window: MainWindow, folder: Path) -> None:
    """The window of reports, and the tour."""
    window._actions[Action.EXPORT].trigger()
    report = window.reports.shown
    report.resize(1080, 760)
    wait(settle=3 * SETTLED)
    take(report, folder / "report.png")
    report.close()
    window._actions[Action.TOUR].trigger()
    (tour,) = (
        widget for widget in QApplication.topLevelWidgets() if type(widget).__name__ == "TourWindow"
    )
    tour.resize(1120, 790)
    wait(lambda: any(field.text() for field in tour.findChildren(TextField)), 2 * SETTLED)
    take(tour, folder / "tour.png")
    tour.close()


def main() -> None:
    """Take all pictures."""
    folder = read_options(__doc__, folder=resource("screenshots")).folder
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication([])
    with tempfile.TemporaryDirectory() as temporary:
        store = QSettings(f"{temporary}/settings.ini", QSettings.Format.IniFormat)
        preferences = Preferences(store)
        preferences.scheme = Scheme.LIGHT
        preferences.reviewer = "J. Marsh"
        window = build_window(application, preferences, FolderReviews(Path(temporary)))
        window.resize(*SIZE)
        window.show()
        window.presenter.open_folders([resource("sample")])
        result = window.presenter.current
        wait(lambda: result.result is not None and result.result.complete)
        wait(lambda: not window.presenter.state.is_busy)
        of_reviewing(window, folder)
        of_tabs(window, folder)
        of_windows(window, folder)
        window.close()


if __name__ == "__main__":
    main()
