"""The end of the window of reports: how large, how far, what came out; and the button."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from neardup_gui.models.words.message import Message
from neardup_gui.models.words.progress import ProgressLine
from neardup_gui.views.shell.status import ThinBar
from neardup_gui.views.widgets.controls import ProblemLabel
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.push_button import PushButton

SIDE = 20
MOST_LINKS = 4


class ReportFooter(QWidget):
    """One line that changes with what happens, and the button that writes.

    Signals:
        save_clicked: Write the report.
        cancel_clicked: Write none after all.
        link_clicked: The target of a link of what came out.
    """

    save_clicked = Signal()
    cancel_clicked = Signal()
    link_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary, self._problem = QLabel(wordWrap=True), ProblemLabel()
        self._done = QLabel(wordWrap=True)
        for label in (self._summary, self._done):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._done.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._writing, self._stage, self._bar = QWidget(), QLabel(), ThinBar()
        self._cancel = LinkLabel("Cancel")
        self._cancel.clicked.connect(self.cancel_clicked)
        self._links = [LinkLabel() for _ in range(MOST_LINKS)]
        self._targets: list[object] = []
        for place, link in enumerate(self._links):
            link.clicked.connect(partial(self._on_link_clicked, place))
        self.save = PushButton("Save report…", filled=True)
        self.save.setDefault(True)
        self.save.clicked.connect(self.save_clicked)
        self._lay_out()
        self.show_summary("", ())
        self.show_result(None)

    def _lay_out(self) -> None:
        running = QHBoxLayout(self._writing)
        running.setContentsMargins(0, 0, 0, 0)
        running.setSpacing(14)
        for widget in (self._stage, self._bar, self._cancel):
            running.addWidget(widget)
        running.addStretch(1)
        self._offers = QWidget()
        offers = FlowLayout(14, 4, self._offers)
        for link in self._links:
            offers.addWidget(link)
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (self._summary, self._problem, self._writing, self._done, self._offers):
            words.addWidget(label)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE, 12, SIDE, 14)
        row.setSpacing(SIDE)
        row.addLayout(words, 1)
        row.addWidget(self.save, 0, Qt.AlignmentFlag.AlignBottom)

    def show_summary(self, sentence: str, problems: tuple[str, ...]) -> None:
        """Say what a report will be, and what of it cannot be had."""
        self._summary.setText(sentence)
        self._summary.setEnabled(True)
        self._problem.show_sentence(" ".join(problems))

    def fade_summary(self) -> None:
        """Show that what is said is being counted anew."""
        self._summary.setEnabled(False)

    def show_progress(self, line: ProgressLine) -> None:
        """A report is being written."""
        self.show_result(None)
        self._stage.setText(" · ".join(filter(None, (line.stage, line.left))))
        self._bar.set_share(line.share)
        self._bar.setAccessibleName(line.stage)
        self._writing.show()

    def show_result(self, message: Message | None) -> None:
        """Say what came out, and what can be done with it; nothing for None."""
        self._writing.hide()
        links = message.links if message else ()
        self._targets = [target for _, target in links]
        for place, link in enumerate(self._links):
            link.setText(links[place][0] if place < len(links) else "")
            link.setVisible(place < len(links))
            link.updateGeometry()
        self._done.setText(message.text if message else "")
        self._done.setVisible(message is not None)
        self._offers.setVisible(bool(links))

    def set_ready(self, reason: str) -> None:
        """Whether a report can be written now; the reason why not is empty where it can."""
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason)

    def _on_link_clicked(self, place: int) -> None:
        self.link_clicked.emit(self._targets[place])
