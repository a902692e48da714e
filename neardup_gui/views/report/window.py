"""The window to choose, preview and write a report."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import PurePath

from PySide6 import QtGui
from PySide6.QtCore import QMargins, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.base.messages import N_, gettext, language
from core.base.progress_lines import ProgressLine
from core.base.wording import printable_name, printable_text
from core.program.startup import languages, own_name
from core.reports.report_choice import CAUTION, Paper, Texts
from neardup_gui.environment.theme import colors
from neardup_gui.models import reports
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.words.sentences import Message
from neardup_gui.views.shell.status import ProgressRow
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.containers import LinkRow, VerticalScrollArea, size_within_screen
from neardup_gui.views.widgets.controls import (
    Caption,
    CheckBox,
    ComboBox,
    NumberBox,
    ProblemLabel,
    ReadOnlyText,
    TextField,
)
from neardup_gui.views.widgets.labels import BY_MOUSE, PLAIN, CutLabel, LinkLabel, label_of
from neardup_gui.views.widgets.layouts import column_in, column_of, grid_in, row_in, rule, split
from neardup_gui.views.widgets.rows_table import FlatHeader

AIR = 32
CELL = 60  # letters of a cell
PLAIN_TABLE_WIDEST = 20  # line heights, of a column


class PlainTable(QTableWidget):
    """Rows of texts, as wide as needed; long texts are cut, with the full text in a tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalHeader(FlatHeader(self))
        self.horizontalHeader().setSectionsClickable(False)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QTableWidget.Shape.NoFrame)

    def show_rows(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show other rows below their titles."""
        self.clear()
        self.setColumnCount(len(titles))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(list(titles))
        metrics = self.fontMetrics()
        for column, title in enumerate(titles):
            texts = [printable_text(row[column]) for row in rows]
            for row, text in enumerate(texts):
                item = QTableWidgetItem(text[:CELL])
                if len(text) > CELL:
                    item.setToolTip(tool_tip(text))
                self.setItem(row, column, item)
            widest = max(
                map(metrics.horizontalAdvance, (title, *(cell_text[:CELL] for cell_text in texts)))
            )
            self.setColumnWidth(column, min(widest, PLAIN_TABLE_WIDEST * metrics.height()) + AIR)


NAMES_SIZE = QSize(640, 560)
NAMES_KNOWN = N_(
    "Known are the names of files, folders and reviewers, and those in the heads of documents. "
    "Look through what stays before you hand the report on."
)


class NamesWindow(QDialog):
    """What happens to each name in the texts of a report."""

    help_page = "withholding"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(gettext("Names in the report"))
        self.table = PlainTable()
        self.table.setAccessibleName(gettext("Names in the report"))
        sentence = Caption(gettext(NAMES_KNOWN))
        column_in(self, sentence, (self.table, 1))
        self.resize(size_within_screen(self, NAMES_SIZE))

    def show_names(self, rows: Sequence[Sequence[str]]) -> None:
        """Show other names, below their titles."""
        self.table.show_rows(rows[0], rows[1:])


class LogoRow(QWidget):
    """Names the file; it is chosen in a dialog of the system.

    Signals:
        chosen: There is another file, or none.

    Attributes:
        path: The file; "" for none.
        entry: Where the keyboard enters; pressed, the user wants to choose a file.
    """

    chosen = Signal()
    path = ""

    def __init__(self) -> None:
        super().__init__()
        self._name = CutLabel()
        self.entry = LinkLabel(gettext("Choose a picture…"))
        self._remove = LinkLabel(gettext("Remove"))
        self._remove.setAccessibleName(gettext("Remove the logo"))
        row_in(self, (self._name, 1), self.entry, self._remove, 0, margins=0, spacing=12)
        self._remove.clicked.connect(lambda: self.choose(""))
        self.show_path("")

    def choose(self, path: str) -> None:
        """Take another file, or none."""
        self.show_path(path)
        self.chosen.emit()

    def show_path(self, path: str) -> None:
        """Show which file it is."""
        self.path = path
        self._name.setVisible(bool(path))
        self._remove.setVisible(bool(path))
        self._name.setText(printable_name(PurePath(path).name))
        self._name.setToolTip(tool_tip(path))
        self.entry.setText(gettext("Another…") if path else gettext("Choose a picture…"))
        self.entry.setAccessibleName(gettext("Choose a picture as logo"))


PAPERS = {Paper.A4: "A4", Paper.LETTER: N_("US Letter")}
TEXTS = {
    Texts.PASSAGES: N_("What both share"),
    Texts.CHANGES: N_("What differs"),
    Texts.FULL: N_("All of both, beside each other"),
    Texts.NONE: N_("Nothing"),
}
SIDE = 20
COLUMN = 12
LINE = 6
PARAGRAPH = 16
INDENT = 22  # of controls that belong to the box above
INSTITUTION = 200  # letters
TYPED = 400  # milliseconds after which typed text counts
NO_TEXT = N_("The report holds no text of a document.")
PAGES_ONLY = N_("Only HTML and PDF show that. This kind of file holds what both share.")
TABLE_ONLY = N_("This kind of file holds no text of a document.")
LABELS = N_(
    "Each document and person gets a label such as A-17, also within the texts. Nicknames, "
    "misspelt names and most names in another script or in a code stay. Which is which stands in a "
    "key, a file of its own that you name."
)


class ReportForm(QWidget):
    """The choices, below each other.

    Signals:
        changed: Another `ReportWish`.

    Attributes:
        wish: What is chosen.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.wish = reports.ReportWish()
        self._subjects: Sequence[reports.ReportSubject] = ()
        self._has_traces = False
        self._labels: dict[QWidget, QLabel] = {}
        self._make_controls()
        self._typed = QTimer(self, singleShot=True, interval=TYPED)
        self._lay_out()
        self._connect()

    def show_wish(
        self, wish: reports.ReportWish, subjects: Sequence[reports.ReportSubject]
    ) -> None:
        """Show a choice, and the possible subjects, without emitting signals."""
        self.wish, self._subjects = wish, subjects
        controls = (self.subject, self.kind, self.texts, self.most, *self._boxes)
        with ExitStack() as quiet:
            for control in (*controls, self.institution, self.paper, self.language):
                quiet.enter_context(QSignalBlocker(control))
            self.subject.clear()
            self.subject.addItems([gettext(subject.title) for subject in subjects])
            self.subject.setCurrentIndex(subjects.index(wish.subject))
            self.kind.setCurrentIndex(reports.KINDS.index(reports.kind_of(wish.ending)))
            self.together.setChecked(wish.by_document)
            self.traces.setChecked(wish.weak_traces)
            self.texts.setCurrentIndex(list(TEXTS).index(wish.texts))
            self.most.setValue(wish.most_passages)
            self.properties.setChecked(wish.file_properties)
            self.withheld.setChecked(not wish.names)
            if self.institution.text() != wish.institution:
                self.institution.setText(wish.institution)
            self.logo.show_path(wish.logo)
            self.paper.setCurrentIndex(list(PAPERS).index(wish.paper))
            self.language.setCurrentIndex(max(self.language.findData(wish.language), 0))
        self._update_controls()

    def offer_traces(self, *, offered: bool) -> None:
        """Offer weak traces, if the list has any."""
        self._has_traces = offered
        self._update_controls()

    def show_names(self, names: reports.NamesShown) -> None:
        """Show what happens to names in the texts, once that is known."""
        self._names = names
        self.names_link.setText(names.line)
        self._names_row.setEnabled(True)
        self._update_controls()
        if self._names_window is not None and names.rows:
            self._names_window.show_names(names.rows)

    def fade_names(self) -> None:
        """Show that the names are being searched again."""
        self._names_row.setEnabled(False)

    def take_now(self) -> None:
        """Use the text being typed at once."""
        if self._typed.isActive():
            self._typed.stop()
            self._update_wish()

    def _make_controls(self) -> None:
        self.subject, self.kind = ComboBox(), ComboBox()
        self.kind.addItems([f"{gettext(kind.words)} ({kind.ending})" for kind in reports.KINDS])
        self._kind_sentence = Caption()
        self.texts = ComboBox()
        self.texts.addItems(list(map(gettext, TEXTS.values())))
        self._passages_sentence = Caption()
        self.together = CheckBox(gettext("Keep the pairs of one &document together"))
        self.traces = CheckBox(gettext("Include weak &traces"))
        self.traces.setToolTip(
            gettext("Pairs that share little more than a phrase, and that nobody judged.")
        )
        self.properties = CheckBox(gettext("Include file p&roperties"))
        self.properties.setToolTip(gettext(CAUTION))
        self.most = NumberBox(0)
        self.most.setRange(1, reports.MOST_PASSAGES)
        self._most_row, self._names_row = QWidget(), QWidget()
        self.withheld = CheckBox(gettext("&Withhold names"))
        self._boxes = (self.together, self.traces, self.properties, self.withheld)
        self._names_sentence = Caption(gettext(LABELS))
        self._names = reports.NO_NAMES
        self.names_link = LinkLabel()
        self._names_window: NamesWindow | None = None
        self.institution = TextField()
        self.institution.setMaxLength(INSTITUTION)
        self.institution.setPlaceholderText(gettext("At the head of each page"))
        self.logo = LogoRow()
        self.paper = ComboBox()
        self.language = ComboBox()
        for code in dict.fromkeys((language().code, *languages())):
            self.language.addItem(own_name(code), code)
        self.paper.addItems(list(map(gettext, PAPERS.values())))
        for control, name in (
            (self.subject, gettext("Report of")),
            (self.kind, gettext("Kind of file")),
            (self.texts, gettext("Texts of a pair")),
            (self.most, gettext("Pairs whose passages are shown, at most")),
            (self.institution, gettext("Institution")),
            (self.paper, gettext("Paper")),
            (self.language, gettext("Language")),
        ):
            control.setAccessibleName(name)

    def _lay_out(self) -> None:
        before = label_of(self.most, gettext("of at &most"))
        after = QLabel(gettext("pairs, from the top of the list"))
        row_in(self._most_row, before, self.most, after, 1, margins=0, spacing=8)
        row_in(self._names_row, self.names_link, 1, margins=(INDENT, 0, 0, 0))
        self._grid = grid_in(self, margins=SIDE, spacing=(COLUMN, LINE), wide=1)
        self._add(gettext("Report &of"), self.subject)
        self._add("", self.together)
        self._add("", self.traces)
        self._gap()
        self._add(gettext("&Kind"), self.kind)
        self._add("", self._kind_sentence)
        self._gap()
        self._add(gettext("Te&xts"), self.texts)
        self._add("", self._most_row)
        self._add("", self._passages_sentence)
        self._add("", self.properties)
        self._gap()
        self._add("", self.withheld)
        self._add("", self._names_sentence)
        self._add("", self._names_row)
        self._gap()
        self._add(gettext("&Institution"), self.institution)
        self._add(gettext("&Logo"), self.logo, self.logo.entry)
        self._add(gettext("P&aper"), self.paper)
        self._add(gettext("Language"), self.language)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self._names_sentence.setContentsMargins(INDENT, 0, 0, 0)

    def _add(self, title: str, control: QWidget, entry: QWidget | None = None) -> None:
        row = self._grid.rowCount()
        if title:
            label = self._labels[control] = label_of(entry or control, title)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(control, row, 1)

    def _gap(self) -> None:
        self._grid.setRowMinimumHeight(self._grid.rowCount(), PARAGRAPH - LINE)

    def _connect(self) -> None:
        for combo in (self.subject, self.kind, self.texts, self.paper, self.language):
            combo.currentIndexChanged.connect(self._update_wish)
        for box in self._boxes:
            box.toggled.connect(self._update_wish)
        self.most.valueChanged.connect(self._update_wish)
        self.institution.textEdited.connect(lambda _text: self._typed.start())
        self._typed.timeout.connect(self._update_wish)
        self.logo.chosen.connect(self._update_wish)
        self.names_link.clicked.connect(self._on_names_clicked)

    def _update_wish(self) -> None:
        chosen = self.language.currentData()
        wish = replace(
            self.wish,
            subject=self._subjects[max(self.subject.currentIndex(), 0)],
            ending=reports.KINDS[self.kind.currentIndex()].ending,
            by_document=self.together.isChecked(),
            weak_traces=self.traces.isChecked(),
            file_properties=self.properties.isChecked(),
            texts=list(TEXTS)[self.texts.currentIndex()],
            most_passages=int(self.most.value()),
            names=not self.withheld.isChecked(),
            institution=self.institution.text(),
            logo=self.logo.path,
            paper=list(PAPERS)[self.paper.currentIndex()],
            language="" if chosen == language().code else chosen,
        )
        if wish != self.wish:
            self.wish = wish
            self._update_controls()
            self.changed.emit(wish)

    def _update_controls(self) -> None:
        """Show the controls that apply to the choice, and what it means."""
        kind = reports.kind_of(self.wish.ending)
        self.subject.setToolTip(tool_tip(gettext(self.wish.subject.title)))
        self._kind_sentence.show_sentence(gettext(kind.sentence))
        may_have = self._has_traces and self.wish.subject.has_traces
        self.traces.setVisible(kind.has_pages and may_have)
        self.texts.setEnabled(kind.has_passages)
        self.properties.setEnabled(kind.has_properties)
        has_text = self.wish.texts is not Texts.NONE
        self._most_row.setEnabled(kind.has_passages and has_text)
        missing = "" if has_text else gettext(NO_TEXT)
        if not kind.has_pages and self.wish.texts in {Texts.CHANGES, Texts.FULL}:
            missing = gettext(PAGES_ONLY)
        self._passages_sentence.show_sentence(missing if kind.has_passages else gettext(TABLE_ONLY))
        self._names_sentence.setVisible(not self.wish.names)
        self._names_row.setVisible(not self.wish.names and self._names != reports.NO_NAMES)
        for control in (self.institution, self.logo, self.paper, self.language):
            self._labels[control].setVisible(kind.is_printed)
            control.setVisible(kind.is_printed)

    def _on_names_clicked(self) -> None:
        self._names_window = self._names_window or NamesWindow(self.window())
        self._names_window.show_names(self._names.rows)
        self._names_window.show()
        self._names_window.raise_()


GAP = 16  # around pages
WIDEST = 900
NARROWEST = 120
MAKING = N_("The preview is being made …")
NOTHING = N_("There is no preview of this kind of file.")


class Pages(QWidget):
    """Pages below each other, in the available width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: list[QtGui.QImage] = []
        self._scaled: dict[tuple[int, int, int], QtGui.QImage] = {}
        self._kept: tuple[reports.Page, ...] = ()  # the pictures are drawn from their bytes

    def show_pages(self, pages: tuple[reports.Page, ...]) -> None:
        """Show other pages."""
        self._kept = pages
        self._scaled.clear()
        form = QtGui.QImage.Format.Format_RGB888
        self._images = [
            QtGui.QImage(page.pixels, page.width, page.height, 3 * page.width, form)
            for page in pages
        ]
        self._fit()
        self.update()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """A wider page is higher."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Draw the pages as paper on a desk."""
        painter = QtGui.QPainter(self)
        ratio = self.devicePixelRatioF()
        for number, rect in enumerate(self._page_rects()):
            if not rect.intersects(event.rect()):
                continue
            painter.drawImage(rect, self._sharp(number, rect.size() * ratio))
            painter.setPen(colors().border)
            painter.drawRect(rect.adjusted(-1, -1, 0, 0))

    def _sharp(self, number: int, size: QSize) -> QtGui.QImage:
        """The picture of a page in a size, made once."""
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

    def _page_rects(self) -> list[QRect]:
        width = min(max(self.width() - 2 * GAP, NARROWEST), WIDEST)
        left, top, rects = max((self.width() - width) // 2, 0), GAP, []
        for image in self._images:
            height = round(image.height() * width / image.width())
            rects.append(QRect(left, top, width, height))
            top += height + GAP
        return rects

    def _fit(self) -> None:
        rects = self._page_rects()
        self.setMinimumHeight(rects[-1].bottom() + GAP if rects else 0)


class PreviewPane(QWidget):
    """Shows the most useful of pages, rows and text."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(QSize(NARROWEST + 2 * GAP, NARROWEST))
        self._sentence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._sentence.setForegroundRole(QtGui.QPalette.ColorRole.PlaceholderText)
        self._sentence.setContentsMargins(QMargins(GAP, GAP, GAP, GAP))
        self._pages = Pages()
        self._paper = QScrollArea(widgetResizable=True)
        self._paper.setWidget(self._pages)
        self._paper.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._paper.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._table = PlainTable()
        self._text = ReadOnlyText(gettext("Preview of the beginning of the file"))
        self._text.setLineWrapMode(ReadOnlyText.LineWrapMode.NoWrap)
        self._stack = QStackedLayout(self)
        self._paper.setFrameShape(QScrollArea.Shape.NoFrame)
        for widget in (self._sentence, self._paper, self._table, self._text):
            self._stack.addWidget(widget)
        self._paper.setAccessibleName(gettext("Preview of the first pages"))
        self._table.setAccessibleName(gettext("Preview of the first rows"))
        self.show_waiting()

    def show_waiting(self) -> None:
        """Show that a preview is being made."""
        self._sentence.setText(gettext(MAKING))
        self._stack.setCurrentWidget(self._sentence)

    def show_preview(self, preview: reports.ReportPreview) -> None:
        """Show the beginning of a report."""
        if preview.pages:
            self._pages.show_pages(preview.pages)
            self._stack.setCurrentWidget(self._paper)
        elif preview.rows:
            self._table.show_rows(preview.rows[0], preview.rows[1:])
            self._stack.setCurrentWidget(self._table)
        elif preview.text:
            self._text.use_fixed_font()
            self._text.setPlainText(printable_text(preview.text))
            self._stack.setCurrentWidget(self._text)
        else:
            self._sentence.setText(gettext(NOTHING))
            self._stack.setCurrentWidget(self._sentence)


class ReportFooter(QWidget):
    """A line for messages, and the button that writes the report.

    Attributes:
        offers: Clicked, something is to be done with what came out.
        save: Pressed, the report is written.
        cancel: Pressed, none is written after all.
    """

    def __init__(self) -> None:
        super().__init__()
        self._summary, self._done = (QLabel(wordWrap=True, textFormat=PLAIN) for _ in range(2))
        for label in (self._summary, self._done):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._done.setTextInteractionFlags(BY_MOUSE)
        self._problem = ProblemLabel()
        self._writing = ProgressRow()
        self.cancel = self._writing.cancel
        self.offers = LinkRow()
        self.save = PushButton(gettext("Save report…"), filled=True)
        self.save.setDefault(True)
        self._lay_out()
        self.show_summary("", ())
        self.show_result(None)

    def _lay_out(self) -> None:
        words = column_of(
            self._summary, self._problem, self._writing, self._done, self.offers, spacing=4
        )
        row_in(
            self,
            (words, 1),
            (self.save, 0, Qt.AlignmentFlag.AlignBottom),
            margins=(SIDE, 12, SIDE, 14),
            spacing=SIDE,
        )

    def show_summary(self, sentence: str, problems: tuple[str, ...]) -> None:
        """Show the size of a report, and what it cannot contain."""
        self._summary.setText(sentence)
        self._summary.setEnabled(True)
        self._problem.show_sentence(" ".join(problems))

    def fade_summary(self) -> None:
        """Show that the numbers are being counted again."""
        self._summary.setEnabled(False)

    def show_progress(self, line: ProgressLine) -> None:
        """Show that a report is being written."""
        self.show_result(None)
        self._writing.show_line(line)
        self._writing.show()

    def show_result(self, message: Message | None) -> None:
        """Show the result, with links to it; nothing for None."""
        self._writing.hide()
        links = message.links if message else ()
        self.offers.show_links(links)
        self._done.setText(message.text if message else "")
        self._done.setVisible(message is not None)
        self.offers.setVisible(bool(links))

    def set_ready(self, reason: str) -> None:
        """Enable writing, or show the reason why no report can be written."""
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason)


SIZE = QSize(1080, 760)
NARROW = 1.7  # widths of the form below which the preview stands under it
SETTLE = 250  # milliseconds after which a choice is previewed


class ReportWindow(QDialog):
    """Stays open beside the main window; Esc closes it.

    Signals:
        preview_wanted: The `ReportWish` whose beginning shall be shown.
        closed: Nobody looks any more.
    """

    help_page = "reports"
    preview_wanted = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(gettext("Report"))
        self.form, self.preview, self.footer = ReportForm(), PreviewPane(), ReportFooter()
        self._settled = QTimer(self, singleShot=True)
        self._settled.timeout.connect(self._on_settled)
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.form.changed.connect(self._on_changed)
        self.finished.connect(self._on_closed)
        self.resize(size_within_screen(self, SIZE))

    def show_wish(
        self, wish: reports.ReportWish, subjects: Sequence[reports.ReportSubject]
    ) -> None:
        """Show a choice, and preview it at once."""
        self.form.show_wish(wish, subjects)
        self._fade()
        if self.isVisible():
            self._settled.start(0)

    def forget(self) -> None:
        """Forget the preview: another folder is opened."""
        self.preview.show_waiting()
        self.form.show_names(reports.NO_NAMES)
        self.footer.show_summary("", ())
        self.footer.show_result(None)

    def refresh(self) -> None:
        """Preview a changed report again, after a short pause."""
        self._fade()
        if self.isVisible():
            self._settled.start(SETTLE)

    def show_preview(self, preview: reports.ReportPreview) -> None:
        """Show the beginning of the report, and its size."""
        self.preview.show_preview(preview)
        self.preview.setEnabled(True)
        self.footer.show_summary(preview.summary, preview.problems)
        if preview.names is not None:
            self.form.show_names(preview.names)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Put the preview below the form in a narrow window."""
        super().resizeEvent(event)
        is_narrow = self.width() < NARROW * self._area.minimumSizeHint().width()
        turned = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._panes.orientation() != turned:
            self._panes.setOrientation(turned)

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        """The window was closed by the system's button."""
        super().closeEvent(event)
        self._on_closed()

    def _lay_out(self) -> None:
        self._area = VerticalScrollArea(self.form)
        self._panes.setHandleWidth(1)
        split(self._panes, (self._area, self.preview), (0, 1))
        column_in(self, (self._panes, 1), rule(), self.footer, margins=0, spacing=0)

    def _on_changed(self) -> None:
        self.footer.show_result(None)
        self._fade()
        self._settled.start(SETTLE)

    def _fade(self) -> None:
        """Mark the preview as that of an earlier choice or list, until it is made again."""
        self.preview.setEnabled(False)
        self.footer.fade_summary()
        self.form.fade_names()

    def _on_settled(self) -> None:
        self.preview_wanted.emit(self.form.wish)

    def _on_closed(self) -> None:
        self._settled.stop()
        self.closed.emit()
