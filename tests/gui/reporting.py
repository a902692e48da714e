"""What tests of several pages do with the window of reports."""

from neardup_gui.window.actions import Action


def save_report(window, qtbot, monkeypatch, path):
    """Choose a report, save it to a path, and hear what is said."""
    monkeypatch.setattr("neardup_gui.window.reports.ask_for_report", lambda *_: (path, True))
    action = window._actions[Action.EXPORT]
    assert action.isEnabled()
    action.trigger()
    with qtbot.waitSignal(window.presenter.exports.ended) as said:
        window._reports.shown.footer.save.click()
    return said.args[0]
