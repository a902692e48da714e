"""The window where a report is chosen, looked at and written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QSplitter, QVBoxLayout, QWidget

from neardup_gui.models.reports.preview import ReportPreview
from neardup_gui.models.reports.subject import ReportSubject
from neardup_gui.models.reports.wish import ReportWish
from neardup_gui.models.words.message import Message
from neardup_gui.views.report.footer import ReportFooter
from neardup_gui.views.report.form import ReportForm
from neardup_gui.views.report.preview import PreviewPane
from neardup_gui.views.widgets.scrolled import Scrolled

SIZE = QSize(1080, 760)
FORM_LETTERS = 52  # beside which the preview has the rest
NARROW = 1.7  # widths of the form below which the preview stands under it
SETTLE = 250  # milliseconds after which a choice is looked at


class ReportWindow(QDialog):
    """Stays beside the other window while one works; Esc closes it.

    Signals:
        preview_wanted: The `ReportWish` whose beginning shall be shown.
        closed: Nobody looks any more.
    """

    preview_wanted = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Report")
        self.setModal(False)
        self.form, self.preview, self.footer = ReportForm(), PreviewPane(), ReportFooter()
        self._settled = QTimer(self, singleShot=True, interval=SETTLE)
        self._settled.timeout.connect(self._on_settled)
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.form.changed.connect(self._on_changed)
        self.finished.connect(self._on_closed)
        room = self.screen().availableGeometry().size()
        self.resize(SIZE.boundedTo(room))

    def show_wish(self, wish: ReportWish, subjects: Sequence[ReportSubject]) -> None:
        """Show what is chosen, and its preview soon."""
        self.form.show_wish(wish, subjects)
        self.refresh()

    def forget(self) -> None:
        """Nothing that was shown holds any more: another folder is opened."""
        self.preview.show_waiting()
        self.footer.show_summary("", ())
        self.footer.show_result(None)

    def refresh(self) -> None:
        """What is in a report has changed: look at it again when it has settled."""
        self._fade()
        if self.isVisible():
            self._settled.start()

    def show_preview(self, preview: ReportPreview) -> None:
        """Show how the report begins and how large it will be."""
        self.preview.show_preview(preview)
        self.preview.setEnabled(True)
        self.footer.show_summary(preview.summary, preview.problems)

    def show_result(self, message: Message) -> None:
        """Say what came out."""
        self.footer.show_result(message)
        self.footer.set_ready("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, the preview stands below."""
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW * self._area.minimumSizeHint().width()
        turned = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._panes.orientation() != turned:
            self._panes.setOrientation(turned)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closed by the system's button."""
        super().closeEvent(event)
        self._on_closed()

    def _lay_out(self) -> None:
        self._area = Scrolled(self.form)
        self._panes.setChildrenCollapsible(False)
        self._panes.setHandleWidth(1)
        self._panes.addWidget(self._area)
        self._panes.addWidget(self.preview)
        for place, stretch in enumerate((0, 1)):
            self._panes.setStretchFactor(place, stretch)
        rule = QFrame()
        rule.setFixedHeight(1)
        rule.setAutoFillBackground(True)
        rule.setBackgroundRole(rule.palette().ColorRole.Mid)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._panes, 1)
        column.addWidget(rule)
        column.addWidget(self.footer)

    def _on_changed(self) -> None:
        self.footer.show_result(None)
        self._fade()
        self._settled.start()

    def _fade(self) -> None:
        """What is shown is of the choice or list before, until the preview is made anew."""
        self.preview.setEnabled(False)
        self.footer.fade_summary()

    def _on_settled(self) -> None:
        self.preview_wanted.emit(self.form.wish)

    def _on_closed(self) -> None:
        self._settled.stop()
        self.closed.emit()
