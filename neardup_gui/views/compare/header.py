"""Above the texts: their names, what both share in a sentence, the passages, the dot plot."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.base.messages import N_, gettext, ngettext
from core.base.wording import count
from core.evidence.measures import Fact
from core.evidence.passage import ChangeKind
from neardup_gui.environment.theme import colors, sharp_pixmap, smooth_painter
from neardup_gui.models.compare.comparison import Comparison, PropertiesOfPair, Rarity, Why
from neardup_gui.models.compare.side import NOWHERE, PassageMark, Side
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.views.compare import finding, highlights
from neardup_gui.views.compare.chips import PassageChips
from neardup_gui.views.compare.drawer import Drawer, OtherPairsList, PropertiesPanel
from neardup_gui.views.widgets import containers
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.labels import PLAIN, READABLE, LinkLabel, bold, elided_name, mirrored
from neardup_gui.views.widgets.layouts import column_in, column_of, row_in, row_of
from neardup_gui.views.widgets.pictures import CELL, SignaturePicture
from neardup_gui.views.widgets.rows_table import fade, in_its_direction

GAP = 6  # between a letter and its name
BETWEEN = 18  # the two documents
NAME_GAP = 6  # more of it where something stands between them
WIDE_GAP = 10


class NameLabel(QLabel):
    """A file name, shortened in the middle when there is no room; plain text, always."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self.setFont(bold(self.font()))
        self._beside = ""

    def show_name(self, side: str, name: str, beside: str) -> None:
        """Show a name, cut so that it differs from the one beside it; the tool tip has all."""
        self._beside = " ".join(beside.split())
        self.setText(" ".join(name.split()))
        self.setToolTip(tool_tip(full_name(name)))
        self.setAccessibleName(gettext("Document {side}: {name}", side=side, name=name))

    def shown_width(self, room: int) -> int:
        """The width of the name in so much room; shortened, it may need less."""
        shown = elided_name(self.fontMetrics(), self.text(), room, self._beside)
        return min(room, self.fontMetrics().horizontalAdvance(shown) + 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The name, or its beginning and end."""
        painter = QPainter(self)
        painter.setPen(colors().text)
        shown = elided_name(self.fontMetrics(), self.text(), self.width(), self._beside)
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignVCenter, in_its_direction(painter, shown)
        )


class DocumentLabels:
    """The labels of one document: its name, its format and page, the number of remarks."""

    def __init__(self, parent: QWidget) -> None:
        self._row = parent
        # A screen reader meets them in the order in which they are made.
        self.letter = QLabel(parent, textFormat=PLAIN)
        self.name = NameLabel(parent)
        self.detail, self.mark = (QLabel(parent, textFormat=PLAIN) for _ in range(2))
        for label in (self.letter, self.detail, self.mark):
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.remarks = LinkLabel("", parent)
        self.mark.hide()
        self.remarks.hide()
        self._side: Side | None = None
        self._widest = ""

    def show_side(self, letter: str, side: Side, beside: str) -> None:
        """Show a document from its first page; `beside` is the name of the other one."""
        self._side = side
        self.letter.setText(letter)
        self.name.show_name(letter, side.name, beside)
        self.shorten_mark(shorten=False)
        self.mark.setToolTip(tool_tip(side.origin.mark))
        self.mark.setVisible(bool(side.origin.mark))
        # With the last page, the widest: nothing moves while the text scrolls.
        self._widest = side.origin.describe(side.text.pages, side.text.pages)
        self.show_page(1)
        number = len(side.origin.remarks)
        self.remarks.setText(ngettext("{n} remark", "{n} remarks", number))
        self.remarks.setAccessibleName(
            ngettext(
                "{n} remark on document {letter}",
                "{n} remarks on document {letter}",
                number,
                letter=letter,
            )
        )
        self.remarks.setToolTip(tool_tip(highlights.remarks_in_lines(side.origin.remarks)))
        self.remarks.setVisible(number > 0)

    def shorten_mark(self, *, shorten: bool) -> None:
        """Show that a document is missing, without or with the date since when."""
        origin = self._side.origin if self._side else NOWHERE
        self.mark.setText(origin.short_mark if shorten else origin.mark)

    def show_page(self, page: int) -> None:
        """Show the page that is read."""
        if self._side is not None:
            self.detail.setText(self._side.origin.describe(self._side.text.pages, page))

    @property
    def room(self) -> int:
        """The width of the full name."""
        return self.name.sizeHint().width() + 1

    @property
    def detail_room(self) -> int:
        """The width of the format, with the gap before it."""
        width = self.detail.fontMetrics().horizontalAdvance(self._widest)
        return width + 1 + WIDE_GAP if width else 0

    @property
    def always(self) -> int:
        """The width of the letter, of the mark of a missing document and of the link to remarks."""
        marks = (label for label in (self.mark, self.remarks) if not label.isHidden())
        widths = sum(label.sizeHint().width() + WIDE_GAP for label in marks)
        return self.letter.sizeHint().width() + GAP + widths

    def place_labels(self, x: int, height: int, name_width: int, *, in_full: bool) -> int:
        """Place all labels from x on; returns the x after them."""
        self.detail.setVisible(in_full and self.detail_room > 0)
        for label, gap, width in (
            (self.letter, 0, self.letter.sizeHint().width()),
            (self.name, GAP, self.name.shown_width(name_width)),
            (self.mark, WIDE_GAP, self.mark.sizeHint().width()),
            (self.detail, WIDE_GAP, self.detail_room - WIDE_GAP),
            (self.remarks, WIDE_GAP, self.remarks.sizeHint().width()),
        ):
            if label in (self.letter, self.name) or not label.isHidden():
                area = QRect(x + gap, 0, width, height)
                label.setGeometry(mirrored(self._row, area))
                x = area.left() + width
        return x


class NamesRow(containers.FollowsSize, QWidget):
    """Both names in a row; if they do not fit, the shorter one is cut only below one half.

    Signals:
        remarks_clicked: The document, 0 or 1, whose remarks the user wants to see.
    """

    remarks_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._documents = (DocumentLabels(self), DocumentLabels(self))
        for index, document in enumerate(self._documents):
            document.remarks.clicked.connect(partial(self.remarks_clicked.emit, index))

    def show_sides(self, sides: tuple[Side, Side]) -> None:
        """Show the documents A and B."""
        partners = sides[1].name, sides[0].name
        for document, letter, side, partner in zip(
            self._documents, "AB", sides, partners, strict=True
        ):
            document.show_side(letter, side, partner)
        self.follow_looks()

    def show_pages(self, pages: tuple[int, int]) -> None:
        """Show which page of each document is read."""
        for document, page in zip(self._documents, pages, strict=True):
            document.show_page(page)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._documents[0].name.sizeHint().height() + 2)

    def follow_looks(self) -> None:
        """Share the width."""
        first_labels, second_labels = self._documents
        between = BETWEEN
        wishes = (first_labels.room, second_labels.room)
        for shorten in (False, True):
            for document in self._documents:
                document.shorten_mark(shorten=shorten)
            always = sum(document.always for document in self._documents)
            room = max(self.width() - between - NAME_GAP - always, 0)
            if sum(wishes) <= room:
                break
        in_full = sum(wishes) + first_labels.detail_room + second_labels.detail_room <= room
        first = min(wishes[0], max(room // 2, room - wishes[1]))
        second = min(wishes[1], room - first)
        height = self.height()
        x = first_labels.place_labels(0, height, first, in_full=in_full)
        x += NAME_GAP if x > first else 0
        second_labels.place_labels(x + between, height, second, in_full=in_full)


MARGIN = 16
COUNTING = N_("Counting in how many documents its passages stand…")


class WhyPanel(containers.FollowsLooks, QWidget):
    """All numbers of the pair, and why it is listed.

    Signals:
        word_wanted: The user wants to see a word in both texts.
    """

    help_page = "why"
    word_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._why: Why | None = None
        self._spelled = ""
        self.numbers = finding.FactLabels(self)
        flow = containers.FlowLayout(finding.FACT_GAP, 3, widgets=self.numbers.labels)
        self._sentences, self._rare, self._rare_properties = (
            QLabel(wordWrap=True, textFormat=PLAIN) for _ in range(3)
        )
        self._sentences.setTextInteractionFlags(READABLE)
        self._sentences.setAccessibleName(gettext("Why this pair"))
        self._spellings = QLabel(wordWrap=True)
        self._spellings.setTextFormat(Qt.TextFormat.RichText)
        self._spellings.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self._spellings.linkActivated.connect(self.word_wanted)
        self.properties = LinkLabel(gettext("File properties"))
        self.properties.setToolTip(
            gettext("Who made the files, when, in which editing sessions; what both share")
        )
        self._grid = SignaturePicture(largest=CELL)
        self._caption = Caption()
        column = column_in(
            self,
            flow,
            *(self._spellings, self._sentences, self._rare, self._rare_properties),
            *(self.properties, self._grid, self._caption, 1),
            margins=(0, 2),
            spacing=WIDE_GAP,
        )
        column.setAlignment(self.properties, Qt.AlignmentFlag.AlignLeft)

    @property
    def words(self) -> str:
        """The sentences, one per line."""
        labels = (self._spellings, self._sentences, self._rare, self._rare_properties)
        return "\n".join(label.text() for label in labels)

    def show_why(self, why: Why, facts: Sequence[Fact]) -> None:
        """Show the numbers of another pair, and why it is listed."""
        self.numbers.show_facts(facts)
        for number, label in enumerate(self.numbers.labels):
            label.setVisible(number < len(facts))
        self._sentences.setText("\n".join(why.sentences))
        if why is not self._why:  # the same if only the sides were exchanged
            self.show_rare(Rarity((gettext(COUNTING),)))
        self._why = why
        self._caption.setText(why.grid.caption if why.grid else "")
        self._caption.setVisible(why.grid is not None)
        self._grid.show_grid(why.grid)

    def show_rare(self, rarity: Rarity | None) -> None:
        """Show the rarity of what the pair shares; links on spellings find them in both texts."""
        self._rare.setText("\n".join(rarity.sentences if rarity else ()))
        self._spelled = rarity.spellings if rarity else ""
        self.follow_looks()
        self._spellings.setVisible(bool(self._spelled))

    def follow_looks(self) -> None:
        """Write the spellings, as links in the colour of the scheme."""
        style = f"<style>a {{ color: {colors().accent.name()} }}</style>"
        self._spellings.setText(style + self._spelled if self._spelled else "")

    def show_rare_properties(self, lines: Sequence[str]) -> None:
        """Show the rare properties that both files share."""
        self._rare_properties.setText("\n".join(lines))
        self._rare_properties.setVisible(bool(lines))


EDGE, LOW_EDGE = 76, 60  # the lower one is no higher than the words beside it
PADDING = 5.0
SHORTEST_LINE = 3.0
NEAR = 9.0


class DotPlot(QWidget):
    """A dot plot: text in the same order is on the diagonal, moved text off it."""

    passage_chosen = Signal(int)
    position_chosen = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(gettext("Dot plot: text A across, text B down"))
        self.setToolTip(gettext("A across, B down; a line for every passage. Click to go there."))
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._window = ((0, 0), (0, 0))
        self._cache: tuple[object, QPixmap] | None = None
        self._edge = EDGE

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(self._edge, self._edge)

    def set_low(self, *, is_low: bool) -> None:
        """Be smaller in a low window."""
        self._edge = LOW_EDGE if is_low else EDGE
        self.updateGeometry()

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._comparison, self._current, self._cache = comparison, None, None
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def set_window(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        """The display positions on the screen."""
        self._window = (a, b)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the lines from the cache; the current one and the window over them."""
        if self._comparison is None:
            return
        painter = smooth_painter(self)
        painter.drawPixmap(0, 0, self._picture(self._comparison))
        if self._current is not None:
            self._draw_passage(painter, self._comparison, self._current, 4.5)
        painter.setPen(QPen(colors().muted, 1))
        (a_start, a_end), (b_start, b_end) = self._window
        corner = self._point(self._comparison, a_start, b_start)
        window = QRectF(corner, self._point(self._comparison, a_end, b_end))
        window.setSize(window.size().expandedTo(QSize(5, 5).toSizeF()))
        painter.drawRect(window)

    def _picture(self, comparison: Comparison) -> QPixmap:
        key = (self.size(), self.devicePixelRatioF(), colors())
        if self._cache is None or self._cache[0] != key:
            ratio = self.devicePixelRatioF()
            picture = sharp_pixmap(self.size(), ratio)
            painter = smooth_painter(picture)
            painter.setPen(QPen(colors().border, 1))
            painter.setBrush(colors().raised)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            for passage in range(len(comparison.marks)):
                self._draw_passage(painter, comparison, passage, 2.5)
            painter.end()
            self._cache = (key, picture)
        return self._cache[1]

    def _draw_passage(
        self, painter: QPainter, comparison: Comparison, passage: int, width: float
    ) -> None:
        pen = QPen(highlights.passage_color(comparison.marks[passage]).line, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(*self._line(comparison, passage))

    def _line(self, comparison: Comparison, passage: int) -> tuple[QPointF, QPointF]:
        (a_start, a_end), (b_start, b_end) = (side.extents[passage] for side in comparison.sides)
        start = self._point(comparison, a_start, b_start)
        end = self._point(comparison, a_end, b_end)
        length = math.hypot(end.x() - start.x(), end.y() - start.y())
        if length < SHORTEST_LINE:
            end = QPointF(start.x() + SHORTEST_LINE, start.y() + SHORTEST_LINE)
        return start, end

    def _point(self, comparison: Comparison, a: int, b: int) -> QPointF:
        edge = self.width() - 2 * PADDING
        x, y = (
            PADDING + edge * position / max(side.text.length, 1)
            for side, position in zip(comparison.sides, (a, b), strict=True)
        )
        return QPointF(x, y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the passage near the mouse, or else the position."""
        if self._comparison is None:
            return
        point = event.position()
        near = [
            (_distance(point, *self._line(self._comparison, passage)), passage)
            for passage in range(len(self._comparison.marks))
        ]
        if near and min(near)[0] <= NEAR:
            self.passage_chosen.emit(min(near)[1])
            return
        edge = self.width() - 2 * PADDING
        shares = ((value - PADDING) / edge for value in (point.x(), point.y()))
        self.position_chosen.emit(*(min(max(share, 0.0), 1.0) for share in shares))


def _distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """The distance of a point from a line between two."""
    along = end - start
    square = max(QPointF.dotProduct(along, along), 1e-9)
    share = min(max(QPointF.dotProduct(point - start, along) / square, 0.0), 1.0)
    away = point - (start + along * share)
    return math.hypot(away.x(), away.y())


SAME = N_("No word was changed: the texts differ in white space at most.")


def changes_in_words(marks: Sequence[PassageMark]) -> str:
    """The number of changes of each kind, as rich text."""
    if not marks:
        return gettext(SAME)
    numbers = Counter(mark.kind for mark in marks if mark.kind is not None)
    parts = [_styled(kind, numbers[kind]) for kind in ChangeKind if numbers[kind]]
    changes = ngettext("{n} change", "{n} changes", len(marks))
    return f"<b>{changes}</b>: {', '.join(parts)}"


def _styled(kind: ChangeKind, number: int) -> str:
    line = "line-through" if kind is ChangeKind.ONLY_A else "underline"
    fill = highlights.change_color(kind).fill.name()
    style = f"background-color: {fill}; text-decoration: {line}"
    return f'{count(number)} <span style="{style}">{gettext(kind)}</span>'


DIFFERENCES, SHARED = N_("Differences"), N_("Shared text")


class CompareHeader(QWidget):
    """All about the pair, above its texts.

    Signals:
        why_opened: Whether the words on why the pair is listed are open.
        differences_wanted: Whether the user wants to see what was changed.
        passages_wanted: The user wants to see the passages that the overlap counts.
    """

    why_opened = Signal(bool)
    passages_wanted = Signal()
    differences_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._comparison: Comparison | None = None
        self._marked: Comparison | None = None  # its passages or changes are on the chips
        self._names = NamesRow()
        self._names.remarks_clicked.connect(self._on_remarks_clicked)
        self._remarks = Caption()
        self._remarks.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remarks_of: int | None = None
        self._finding = finding.FindingRow()
        self._sentence = finding.ElidedSentence()
        self._mode = LinkLabel(gettext(DIFFERENCES))
        self._mode.setToolTip(gettext("Shared text or differences (D)"))
        self._mode.clicked.connect(self._on_mode_clicked)
        self.why_panel = WhyPanel()
        self.properties = PropertiesPanel()
        self._why, self.also = containers.VerticalScrollArea(self.why_panel), OtherPairsList()
        self._properties = containers.VerticalScrollArea(self.properties)
        self.drawer = Drawer(
            (
                (gettext(finding.WHY), self._why),
                (gettext("Other pairs of both"), self.also),
                (gettext("File properties"), self._properties),
            )
        )
        self.drawer.opened.connect(self._on_drawer_opened)
        self.chips = PassageChips()
        self.dot_plot = DotPlot()
        self._finding.why.clicked.connect(self.toggle_why)
        self._finding.also.clicked.connect(lambda: self.drawer.toggle(self.also))
        for link in (self._finding.properties, self.why_panel.properties):
            link.clicked.connect(self.toggle_properties)
        for row in (self._finding, self.why_panel):
            row.numbers.passages_wanted.connect(self.passages_wanted)
        self._lay_out()

    def _lay_out(self) -> None:
        marks = row_of(self.chips, (self._sentence, 1), self._mode, spacing=MARGIN)
        left = column_of(self._names, self._remarks, self._finding, marks, 1, spacing=3)
        row_in(
            self,
            (left, 1),
            (self.dot_plot, 0, Qt.AlignmentFlag.AlignTop),
            margins=containers.mirrored_margins(self, MARGIN, 2, containers.CLOSE_ROOM, 2),
            spacing=MARGIN,
        )

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._comparison = comparison
        self._names.show_sides(comparison.sides)
        self._show_remarks(None)
        facts = comparison.numbers.facts
        self._finding.show_finding(comparison.finding, facts, comparison.also)
        self.why_panel.show_why(comparison.why, facts)
        self.also.show_also(comparison.also)
        if self.drawer.content is self.also and not comparison.also:
            self.drawer.close_content()
        self.dot_plot.show_comparison(comparison)
        self.show_marks(comparison)

    def show_marks(self, comparison: Comparison) -> None:
        """Show the passages of the pair, or its changes."""
        self._marked = comparison
        self.chips.show_comparison(comparison)
        self.chips.setVisible(bool(comparison.marks))
        self.layout().activate()  # type: ignore[union-attr] # the chips have their room before one is chosen
        self.dot_plot.set_current(None)
        if comparison.shows_changes:
            self._say(changes_in_words(comparison.marks))
        elif comparison.marks:
            self._say(html.escape(highlights.passage_sentence(comparison, None)))
        else:
            self._say(highlights.no_passage_sentence(comparison.numbers))

    def _say(self, sentence: str) -> None:
        """Show a sentence beside the chips; the tool tip has all of it."""
        self._sentence.setText(sentence)
        self._sentence.setToolTip(sentence)

    def set_outdated(self, *, is_outdated: bool) -> None:
        """Show whether a newer list is being made than that of the shown numbers."""
        for numbers in (self._finding, self.why_panel):
            fade(numbers, faded=is_outdated)

    def height_at(self, width: int) -> int:
        """The height for a width: the reasons have broken lines."""
        return max(self.heightForWidth(width), self.minimumSizeHint().height())

    def show_mode(self, *, differences: bool) -> None:
        """Name the other way of reading the texts on its link."""
        self._mode.setText(gettext(SHARED) if differences else gettext(DIFFERENCES))

    def say_finding(self) -> None:
        """Show that the changes are not known yet."""
        self._say(gettext("Finding what was changed…"))

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self.chips.set_current(passage)
        shared = self._marked is None or not self._marked.shows_changes
        self.dot_plot.set_current(passage if shared else None)
        if shared and self._marked is not None and self._marked.marks:
            self._say(html.escape(highlights.passage_sentence(self._marked, passage)))

    def toggle_why(self) -> None:
        """Open or close the reasons for listing the pair; they stay open from pair to pair."""
        self.drawer.toggle(self._why)

    def _on_drawer_opened(self, content: QWidget | None) -> None:
        is_why = content is self._why
        self._finding.why.setText(gettext(finding.WHY_OPEN if is_why else finding.WHY))
        self.why_opened.emit(is_why)

    def toggle_properties(self) -> None:
        """Open or close the properties of the files."""
        self.drawer.toggle(self._properties)

    def show_properties(self, properties: PropertiesOfPair | None) -> None:
        """Show the properties of the files of the pair; None while they are read."""
        rare = properties.rare if properties else ()
        self.properties.show_properties(properties)
        self._finding.show_properties(rare)
        self.why_panel.show_rare_properties(rare)

    def show_pages(self, pages: tuple[int, int]) -> None:
        """Show which page of each document is read."""
        self._names.show_pages(pages)

    def _on_mode_clicked(self) -> None:
        self.differences_wanted.emit(self._mode.text() == gettext(DIFFERENCES))

    def _on_remarks_clicked(self, side: int) -> None:
        self._show_remarks(None if side == self._remarks_of else side)

    def _show_remarks(self, side: int | None) -> None:
        self._remarks_of = side
        if side is not None and self._comparison is not None:
            shown = self._comparison.sides[side]
            self._remarks.setText(
                f"{shown.name}:\n{highlights.remarks_in_lines(shown.origin.remarks)}"
            )
        self._remarks.setVisible(side is not None)
