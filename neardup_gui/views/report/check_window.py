"""What a check of a report found out, beside the window while one works."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from core.base.messages import N_, gettext
from core.base.progress_lines import ProgressLine
from core.base.wording import excerpt, printable_name, printable_text
from neardup_gui.models.reports import CheckedReport, seals_agree
from neardup_gui.views.shell.status import ProgressRow
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import size_within_screen
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, ReadOnlyText, TextField
from neardup_gui.views.widgets.labels import PLAIN, LinkLabel, bold
from neardup_gui.views.widgets.layouts import column_in, column_of, row_of

SIZE = QSize(820, 600)
SIDE, MARGIN = 20, 8
MOST_LETTERS = 40  # of the name of a folder
NOTED = N_("The seal that was noted when the report was written")


class CheckWindow(QDialog):
    """Says how far the check is, then what came out; Esc closes it.

    Signals:
        cancel_clicked: Check this one no further.

    Attributes:
        another: Pressed, the user wants to check another report.
        key: Pressed, the user has the key to the names of this one.
        locate: Pressed, the user shows where its `folders` are.
        folders: The names of those that it is about, where others were given.
    """

    help_page = "checking"
    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(gettext("Check of a report"))
        self._seal, self._is_pdf = "", False
        self._name, self._sentence = (QLabel(wordWrap=True, textFormat=PLAIN) for _ in range(2))
        self._problem = ProblemLabel()
        self._running = ProgressRow()
        self.show_progress = self._running.show_line
        self._text = ReadOnlyText(gettext("What was checked and what does not agree"))
        self._text.document().setDocumentMargin(MARGIN)
        self._noted, self._agrees = TextField(), Caption()
        self.key = LinkLabel(gettext("Open the key to its names…"))
        self.locate, self.folders = LinkLabel(), tuple[str, ...]()
        self.another = PushButton(gettext("Check another…"))
        self._lay_out()
        self._running.cancel.clicked.connect(self.cancel_clicked)
        self._noted.textChanged.connect(self._compare_seals)
        self.finished.connect(self.cancel_clicked)
        self.resize(size_within_screen(self, SIZE))

    def begin(self, name: str) -> None:
        """A report is being checked."""
        self._name.setText(printable_name(name))
        self._noted.clear()
        self.show_progress(ProgressLine(gettext("Reading the report"), None, "", ""))
        self._show(running=True)

    def show_problem(self, sentence: str, needs_key: bool, folders: tuple[str, ...]) -> None:
        """Say why nothing came out; offer to open the key to its names, or to find its folders."""
        self._problem.show_sentence(sentence)
        self.folders = folders
        self._show(problem=True, key=needs_key)

    def show_checked(self, checked: CheckedReport) -> None:
        """Show what came out."""
        self._sentence.setText(checked.sentence)
        self._problem.show_sentence(checked.sentence)
        self._text.setPlainText(printable_text(checked.text))
        self._seal, self._is_pdf, self.folders = checked.seal, checked.is_pdf, checked.folders
        self._compare_seals()
        self._show(
            outcome=True, sentence=checked.agrees, problem=not checked.agrees, key=checked.needs_key
        )
        self._text.setFocus()

    def _show(
        self,
        *,
        running: bool = False,
        outcome: bool = False,
        sentence: bool = False,
        problem: bool = False,
        key: bool = False,
    ) -> None:
        for folder in self.folders[:1]:
            name = excerpt(folder, MOST_LETTERS)
            self.locate.setText(gettext("Where is “{folder}” now?", folder=name))
        for part, is_shown in (
            (self._running, running),
            (self._sentence, sentence),
            (self._problem, problem),
            (self._text, outcome),
            (self._noted, outcome),
            (self._agrees, outcome and bool(self._agrees.text())),
            (self.key, key),
            (self.locate, bool(self.folders) and not running),
        ):
            part.setVisible(is_shown)
        self.another.setEnabled(not running)

    def _compare_seals(self) -> None:
        words = seals_agree(self._noted.text(), self._seal, is_pdf=self._is_pdf)
        self._agrees.show_sentence(words)

    def _lay_out(self) -> None:
        self._name.setFont(bold(self._name.font()))
        self._noted.setAccessibleName(gettext(NOTED))
        self._noted.setPlaceholderText(gettext(NOTED))
        left = Qt.AlignmentFlag.AlignLeft
        foot = row_of(column_of((self.key, 0, left), (self.locate, 0, left)), 1, self.another)
        column_in(
            self,
            self._name,
            self._sentence,
            self._problem,
            self._running,
            (self._text, 1),
            self._noted,
            self._agrees,
            0,
            foot,
            margins=(SIDE, SIDE, SIDE, 14),
            spacing=12,
        )
