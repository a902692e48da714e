"""The curve as large as there is room, and beside it what it means."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from core.base.messages import N_, gettext
from core.reports.curve.forecast_words import forecast, plain
from core.reports.curve.state import THRESHOLD_DECIMALS, ThresholdState
from core.settings import MAX_DISTANCE
from neardup_gui.environment.theme import colors, on_paper
from neardup_gui.models.threshold import (
    ThresholdModel,
    beside_words,
    curve_words,
    marks_words,
    wish_words,
)
from neardup_gui.models.workbench.chances import SheetWords
from neardup_gui.views.threshold.curve_layers import Area, hatched, tint
from neardup_gui.views.threshold.panel import (
    AREAS,
    BOX_WIDTH,
    ForecastBox,
    LogScale,
    Picture,
    picture_of,
    rich,
    show,
)
from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.views.widgets.containers import Scrolled
from neardup_gui.views.widgets.controls import Caption, NumberBox
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.views.widgets.layouts import column_in, row_of
from neardup_gui.views.workbench.large_plot import LargePlot

PLOT = QSize(1080, 560)
SHEET_SIDE, GAP, SAMPLE = 24, 6, 12  # logical pixels
LARGER = 1.35  # the font of the subject


class Paragraph(NamedTuple):
    """Words as they are laid out, below the others.

    Attributes:
        text: They.
        top: Where they begin.
        area: What they are about; None where there is no sample.
    """

    text: QTextDocument
    top: float
    area: Area | None = None


def sheet(plot: CurvePlot, words: SheetWords, font: QFont) -> Picture:
    """A plot of the size `PLOT` with its words; to be drawn while the plot is there."""
    above = _laid_out([(f"<b>{html.escape(words.subject)}</b>", None)], _larger(font), 0.0)
    top = _bottom(above)
    paragraphs = [
        (rich(sentence), area)
        for sentence, area in zip(words.forecast, AREAS, strict=True)
        if sentence
    ]
    more = [(html.escape(line), None) for line in words.lines]
    below = _laid_out([*paragraphs, *more], font, top + PLOT.height())
    size = QSize(PLOT.width(), round(_bottom(below) + SHEET_SIDE))

    def draw(painter: QPainter, ratio: float, *, as_lines: bool = False) -> None:
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), colors().base)
        for paragraph in (*above, *below):
            _draw_paragraph(painter, paragraph, ratio, as_lines=as_lines)
        painter.translate(0, top)
        plot.draw(painter, ratio, as_lines=as_lines)

    description = " ".join([words.caption, plain(words.forecast), *words.lines])
    return Picture(draw, size, gettext("S-curve: {subject}", subject=words.subject), description)


def _laid_out(words: Sequence[tuple[str, Area | None]], font: QFont, top: float) -> list[Paragraph]:
    made = []
    top += GAP
    for markup, area in words:
        text = QTextDocument()
        text.setDocumentMargin(0)
        text.setDefaultFont(font)
        text.setDefaultTextOption(_broken_anywhere())
        text.setHtml(f'<div style="color: {colors().text.name()}">{markup}</div>')
        text.setTextWidth(PLOT.width() - 2 * SHEET_SIDE - _indent(area))
        made.append(Paragraph(text, top, area))
        top += text.size().height() + GAP
    return made


def _broken_anywhere() -> QTextOption:
    """A long name without spaces goes on in the next line."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _bottom(paragraphs: Sequence[Paragraph]) -> float:
    last = paragraphs[-1]
    return last.top + last.text.size().height() + GAP


def _indent(area: Area | None) -> float:
    return 0 if area is None else SAMPLE + 9


def _draw_paragraph(
    painter: QPainter, paragraph: Paragraph, ratio: float, *, as_lines: bool
) -> None:
    area = paragraph.area
    painter.save()
    painter.translate(QPointF(SHEET_SIDE, paragraph.top))
    if area is not None:
        # SVG does not scale patterns as the screen does.
        plain_tint = as_lines and area is not Area.LISTED
        painter.setBrush(tint(area) if plain_tint else hatched(area, ratio))
        painter.setPen(QPen(area.color, 1))
        painter.drawRoundedRect(QRectF(0.5, 2.5, SAMPLE, SAMPLE), 2, 2)
        painter.translate(_indent(area), 0)
    paragraph.text.drawContents(painter)
    painter.restore()


def _larger(font: QFont) -> QFont:
    larger = QFont(font)
    larger.setPointSizeF(font.pointSizeF() * LARGER)
    return larger


WHERE_PEOPLE_WORK = 0.3  # resemblance
ZOOM_TIP = N_("Ctrl and the wheel zoom where the mouse is")


class LargeControls(QWidget):
    """Numbers at the left, zoom and scale at the right; below each other where it is narrow."""

    def __init__(self, model: ThresholdModel, plot: CurvePlot) -> None:
        super().__init__()
        self._model = model
        self.floor = NumberBox(THRESHOLD_DECIMALS, gettext("Listed from"), step=0.01)
        self.bands, self.rows = NumberBox(0, gettext("Bands b")), NumberBox(0, gettext("Rows r"))
        self.distance = NumberBox(0, gettext("Distance d"), MAX_DISTANCE)
        self._labels = {box: QLabel(box.accessibleName()) for box in self._boxes}
        self.logarithmic = LogScale(model)
        self.everything, self.close_up = LinkLabel(gettext("All")), LinkLabel(gettext("0 to 0.3"))
        for link in (self.everything, self.close_up):
            link.setToolTip(gettext(ZOOM_TIP))
        self._lay_out()
        self.everything.clicked.connect(lambda: plot.show_range(0.0, 1.0))
        self.close_up.clicked.connect(lambda: plot.show_range(0.0, WHERE_PEOPLE_WORK))
        self.floor.valueChanged.connect(model.change_threshold)
        for box, changed in (
            (self.bands, ThresholdState.with_bands),
            (self.rows, ThresholdState.with_rows),
            (self.distance, ThresholdState.with_distance),
        ):
            box.valueChanged.connect(partial(model.change_number, changed))
        model.changed.connect(self.show_state)
        self.show_state()

    @property
    def _boxes(self) -> tuple[NumberBox, ...]:
        return self.floor, self.bands, self.rows, self.distance

    def set_narrow(self, narrow: bool) -> None:
        """Put both halves below each other, or beside."""
        kinds = QBoxLayout.Direction
        self._halves.setDirection(kinds.TopToBottom if narrow else kinds.LeftToRight)

    def show_state(self) -> None:
        """Show the numbers of the model; nothing is reported."""
        state = self._model.state
        bits = state.distance is not None
        if self.bands.maximum() != state.signature_size:
            for box in (self.bands, self.rows):
                with QSignalBlocker(box):
                    box.setRange(1, state.signature_size)
        values = (state.min_resemblance, state.bands, state.rows, state.distance or 0)
        for box, value in zip(self._boxes, values, strict=True):
            with QSignalBlocker(box):
                box.setValue(value)
        for box in self._boxes[1:]:
            hidden = bits is not (box is self.distance)
            box.setHidden(hidden)
            self._labels[box].setHidden(hidden)

    def _lay_out(self) -> None:
        numbers = row_of()
        for box, label in self._labels.items():
            label.setBuddy(box)
            box.setMinimumWidth(BOX_WIDTH)
            numbers.addWidget(label)
            numbers.addWidget(box)
            numbers.addSpacing(10)
        numbers.addStretch(1)
        shown = (self.close_up, self.everything, self.logarithmic)
        views = row_of(QLabel(gettext("Show")), *shown, 1, spacing=14)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.addLayout(numbers, 1)
        self._halves.addLayout(views)


SIDE = 15
NARROW = 640  # logical pixels; less has no room for words beside the curve
WORDS = 250
LEAST = (380, 240)
KEYS = N_(
    "Keys in the curve: ← → threshold, ↑ ↓ r, Shift+↑ ↓ b, Page ↑ ↓ threshold by 0.1. Wheel: "
    "threshold; with Shift r, with Ctrl zoom. The squares are the two wishes; drag them."
)
BIT_KEYS = N_(
    "Keys in the curve: ← → threshold, ↑ ↓ d, Page ↑ ↓ threshold by 0.1. Wheel: threshold; with "
    "Shift d, with Ctrl zoom."
)
POINT = N_("Point at the curve to read its values.")


class LargeCurve(QWidget):
    """Draws the threshold of a model, and changes it."""

    def __init__(self, model: ThresholdModel) -> None:
        super().__init__()
        self._model = model
        self.plot = self.entry = LargePlot(model)  # where the keyboard enters
        self.controls = LargeControls(model, self.plot)
        self.forecast = ForecastBox()
        self.reading, self._marks, self._answer, self._keys = (Caption() for _ in range(4))
        self._beside = Caption()
        self._words = Scrolled(self._column())
        self._lay_out()
        self.plot.pointed.connect(lambda words: self.reading.setText(words or gettext(POINT)))
        self.reading.setText(gettext(POINT))
        model.words_changed.connect(self._on_words_changed)
        model.folder_changed.connect(self._on_words_changed)
        model.wishes_changed.connect(self._show_answer)
        model.pair_changed.connect(self._show_beside)
        model.audit_changed.connect(self._show_beside)
        self._show_state()
        self._show_answer()

    def picture(self, words: SheetWords, *, drawn: bool) -> bytes:
        """What is in sight with its words, as SVG or PNG, in the colours of paper."""
        with on_paper():
            plot = CurvePlot(lambda _resemblance: "", counted=True)
            plot.setFont(self.font())
            plot.resize(PLOT)
            plot.entitle(words.caption, gettext("pairs found"))
            plot.show_range(self.plot.scale.low, self.plot.scale.high)
            show(plot, self._model)
            made = picture_of(sheet(plot, words, self.font()), drawn=drawn)
            plot.deleteLater()
            return made

    def showEvent(self, event: QShowEvent) -> None:
        """Say what is chosen by now: words that nobody sees are not laid out."""
        super().showEvent(event)
        self._show_state()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words need room beside the curve; where there is none, the panel says them."""
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._words.setHidden(narrow)
        self.controls.set_narrow(narrow)

    def _column(self) -> QWidget:
        column = QWidget(minimumWidth=WORDS)
        words = (self.forecast, self._marks, self._answer, self._beside, self._keys)
        column_in(column, *words, 1, margins=0, spacing=8)
        return column

    def _lay_out(self) -> None:
        middle = row_of((self.plot, 1), self._words, spacing=SIDE)
        column_in(
            self, self.controls, (middle, 1), self.reading, margins=(SIDE, 10, SIDE, 4), spacing=6
        )
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # Said here, as the words that give way where it is narrow would else keep it wide.
        self.setMinimumSize(*LEAST)
        self._words.setFixedWidth(WORDS + self._words.verticalScrollBar().sizeHint().width())

    def _on_words_changed(self) -> None:
        if self.isVisible():
            self._show_state()

    def _show_state(self) -> None:
        state = self._model.state
        words = forecast(state, self._model.folder)
        self.forecast.show_forecast(words)
        self._marks.setText(marks_words(state))
        self._keys.setText(gettext(KEYS) if state.distance is None else gettext(BIT_KEYS))
        self._show_beside()

    def _show_answer(self) -> None:
        model = self._model
        words = wish_words(model.wishes, model.answer, model.state.signature_size)
        self._answer.setText(words)
        self._answer.setVisible(bool(words))

    def _show_beside(self) -> None:
        model = self._model
        beside = beside_words(model.state, model.pair_at_hand, model.audit_points)
        self._beside.setText(beside)
        self._beside.setVisible(bool(beside))
        description = self.forecast.accessibleDescription()
        self.plot.describe(" ".join(filter(None, (curve_words(model.state), description, beside))))
