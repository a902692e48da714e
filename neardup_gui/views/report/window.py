"""The window where a report is chosen, looked at and written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QMargins, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFontDatabase,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.base.wording import printable_text
from neardup_gui.environment.theme import colors
from neardup_gui.models.reports.preview import Page, ReportPreview
from neardup_gui.models.reports.subject import ReportSubject
from neardup_gui.models.reports.wish import ReportWish
from neardup_gui.models.words.message import Message
from neardup_gui.models.words.progress import ProgressLine
from neardup_gui.views.report.form import ReportForm
from neardup_gui.views.report.plain_table import PlainTable
from neardup_gui.views.shell.status import ThinBar
from neardup_gui.views.widgets.controls import ProblemLabel
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel
from neardup_gui.views.widgets.push_button import PushButton
from neardup_gui.views.widgets.scrolled import Scrolled

GAP = 16  # around pages
WIDEST = 900
NARROWEST = 120
MAKING = "The preview is being made …"
NOTHING = "There is no preview of this kind of file."


class Pages(QWidget):
    """Pages below each other, as wide as there is room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: list[QImage] = []
        self._scaled: dict[tuple[int, int, int], QImage] = {}
        self._kept: tuple[Page, ...] = ()  # the pictures are drawn from their bytes

    def show_pages(self, pages: tuple[Page, ...]) -> None:
        """Show other pages."""
        self._kept = pages
        self._scaled.clear()
        form = QImage.Format.Format_RGB888
        self._images = [
            QImage(one.pixels, one.width, one.height, 3 * one.width, form) for one in pages
        ]
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A wider page is higher."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pages as paper on a desk."""
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        for number, place in enumerate(self._places()):
            if not place.intersects(event.rect()):
                continue
            painter.drawImage(place, self._sharp(number, place.size() * ratio))
            painter.setPen(colors().border)
            painter.drawRect(place.adjusted(-1, -1, 0, 0))

    def _sharp(self, number: int, size: QSize) -> QImage:
        """A page in a size, made once."""
        key = (number, size.width(), size.height())
        if key not in self._scaled:
            if len(self._scaled) >= 2 * len(self._images):
                self._scaled.clear()
            self._scaled[key] = self._images[number].scaled(
                size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        return self._scaled[key]

    def _places(self) -> list[QRect]:
        width = min(max(self.width() - 2 * GAP, NARROWEST), WIDEST)
        left, top, places = max((self.width() - width) // 2, 0), GAP, []
        for image in self._images:
            height = round(image.height() * width / image.width())
            places.append(QRect(left, top, width, height))
            top += height + GAP
        return places

    def _fit(self) -> None:
        places = self._places()
        self.setMinimumHeight(places[-1].bottom() + GAP if places else 0)


class PreviewPane(QWidget):
    """Shows the most telling of pages, rows and text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(QSize(NARROWEST + 2 * GAP, NARROWEST))
        self._sentence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._sentence.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._sentence.setContentsMargins(QMargins(GAP, GAP, GAP, GAP))
        self._pages = Pages()
        self._paper = QScrollArea(widgetResizable=True)
        self._paper.setWidget(self._pages)
        self._paper.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._paper.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._table = PlainTable()
        self._text = QPlainTextEdit(readOnly=True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setTabChangesFocus(True)
        self._stack = QStackedLayout(self)
        for area in (self._paper, self._table, self._text):
            area.setFrameShape(QScrollArea.Shape.NoFrame)
        for widget in (self._sentence, self._paper, self._table, self._text):
            self._stack.addWidget(widget)
        self._paper.setAccessibleName("Preview of the first pages")
        self._table.setAccessibleName("Preview of the first rows")
        self._text.setAccessibleName("Preview of the beginning of the file")
        self.show_waiting()

    def show_waiting(self) -> None:
        """Something is on its way."""
        self._sentence.setText(MAKING)
        self._stack.setCurrentWidget(self._sentence)

    def show_preview(self, preview: ReportPreview) -> None:
        """Show how a report begins."""
        if preview.pages:
            self._pages.show_pages(preview.pages)
            self._stack.setCurrentWidget(self._paper)
        elif preview.rows:
            self._table.show_rows(preview.rows[0], preview.rows[1:])
            self._stack.setCurrentWidget(self._table)
        elif preview.text:
            self._show_text(preview.text)
            self._stack.setCurrentWidget(self._text)
        else:
            self._sentence.setText(NOTHING)
            self._stack.setCurrentWidget(self._sentence)

    def _show_text(self, text: str) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF())
        self._text.setFont(font)
        self._text.setPlainText(printable_text(text))


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
