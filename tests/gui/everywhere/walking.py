"""States of the window for tests that look at all of it: what is opened, and how."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractItemView, QApplication
from shiboken6 import isValid

from core.settings import ScanSettings
from neardup_gui.environment.bug_reports import BugReporter
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.window.actions import Action


def scan(window, folder, qtbot, settings=None):
    """Scan, and open the first pair."""
    if settings is not None:
        window.side_panels.setup.set_settings(settings)
        window.presenter.scans.change_settings(settings)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    quiet(window, qtbot)
    return window


def quiet(window, qtbot):
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


STATES, LOOKS = [], []


def state(function):
    """A state of the window, after all that stand above it."""
    STATES.append(function)
    return function


def look(function):
    """What is done to a window with a list, after all that stands above it."""
    LOOKS.append(function)
    return function


@look
def pairs(window):
    pass


@look
def finding(window):
    window._actions[Action.FIND_IN_TEXTS].trigger()


@look
def differences(window):
    window._actions[Action.DIFFERENCES].trigger()


@look
def why(window):
    window._actions[Action.DIFFERENCES].trigger()
    window._actions[Action.WHY].trigger()


@look
def turned_round(window):
    window._actions[Action.SWAP_SIDES].trigger()
    window.pages.pairs.table.sort_by(3)


@look
def menus(window):
    window.menuBar().actions()[1].menu().popup(QPoint(10, 10))


@look
def editing(window):
    window.side_panels.setup._edit.click()
    window.side_panels.reading.edit()
    window.side_panels.setup._naming.start()


@look
def outdated(window):
    window.presenter.scans.change_settings(window.presenter.current.settings.with_changes(k=4))


@look
def filtered(window):
    window.presenter.pairs.set_filter(PairFilter("μισό", 0.1, 0.1))
    window.search_field.setText("μισό")


@look
def all_filtered_away(window):
    window.search_field.setText("κανένα όνομα")


@look
def problems(window):
    window.pages.tabs.setCurrentIndex(1)
    window.pages.problems.findChild(QAbstractItemView).expandAll()


@look
def large_text(window):
    for _ in range(4):
        window._actions[Action.LARGER_TEXT].trigger()
    window.resize(700, 500)


@look
def start_page_with_recent(window):
    window.pages._stack.setCurrentIndex(0)


@look
def all_settings(window):
    window.pages._stack.setCurrentIndex(1)
    window.search_field.clear()
    window.resize(1600, 1000)
    window.side_panels._toggle.clicked.emit()


@look
def reading(window):
    window.pages.tabs.setCurrentIndex(0)
    window._actions[Action.READING].trigger()


@look
def overview_again(window):
    window._actions[Action.READING].trigger()
    window.pages.tabs.setCurrentWidget(window.pages.groups)


@look
def passages(window):
    window.pages.tabs.setCurrentWidget(window.pages.passages)


@look
def documents(window):
    window.pages.tabs.setCurrentWidget(window.pages.documents)


@look
def curve(window):
    window._actions[Action.CURVE].trigger()


@look
def report(window):
    window._actions[Action.EXPORT].trigger()


@look
def tour(window):
    window._actions[Action.TOUR].trigger()


@state
def start_page(window, folder, qtbot):
    pass


@state
def about(window, folder, qtbot):
    window._actions[Action.ABOUT].trigger()


@state
def all_keys(window, folder, qtbot):
    window._actions[Action.ALL_KEYS].trigger()


@state
def help_pages(window, folder, qtbot):
    window._actions[Action.HELP].trigger()


@state
def bug_dialog(window, folder, qtbot):
    reporter = BugReporter(window)
    reporter.report(ValueError("made for the test"))
    qtbot.waitUntil(lambda: reporter._dialog is not None)


@state
def empty_folder(window, folder, qtbot):
    nothing = folder / "τίποτα"
    nothing.mkdir()
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([nothing])


@state
def simhash(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings(signature="simhash", max_distance=8, bag=True))


@state
def characters(window, folder, qtbot):
    settings = ScanSettings(unit="char", k=9, bands=42, rows=3, list_passages=True)
    scan(window, folder, qtbot, settings)


@state
def passages_only(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings(min_resemblance=1.0))


@state
def gone_documents(window, folder, qtbot):
    scan(window, folder, qtbot, ScanSettings())
    with qtbot.waitSignal(window.presenter.review.said):
        window.presenter.save_review(folder.parent / "φθινόπωρο.neardup")
    quiet(window, qtbot)
    (folder / "μισό.txt").unlink()
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.rescan()
    quiet(window, qtbot)


def windows_shown():
    """All that are open; a tool tip may go at any moment."""
    return (one for one in QApplication.topLevelWidgets() if isValid(one) and one.isVisible())
