"""The threshold panel: picture, sliders, words and wishes around one state."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QObject,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.base.messages import N_, gettext, percentage, pgettext
from core.candidates.scurve import Wishes
from core.reports.blocks import Line, SpanKind
from core.reports.curve.forecast_words import ForecastSentences, forecast, in_brief, plain
from core.reports.curve.state import THRESHOLD_DECIMALS, ThresholdState
from core.settings import MAX_DISTANCE, ScanSettings
from neardup_gui.environment.theme import colors, on_paper, smooth_painter
from neardup_gui.models import threshold
from neardup_gui.views.threshold.plot import Area, CurvePlot, Swatch
from neardup_gui.views.widgets import controls
from neardup_gui.views.widgets.containers import PaneTitle
from neardup_gui.views.widgets.labels import BY_MOUSE, LinkLabel, label_of
from neardup_gui.views.widgets.layouts import column_in, grid_in, grid_of, row_in, row_of

RADIUS = 6
AREAS = (Area.MISSED, Area.EXTRA, Area.LISTED)


class ForecastBox(QWidget):
    """Three sentences, each beside a sample of its area."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid = grid_in(self, margins=(11, 9), spacing=(9, 5), wide=1)
        grid.setRowStretch(len(AREAS), 1)
        self._swatches = [Swatch(area) for area in AREAS]
        self._labels = [_rich_label() for _ in AREAS]
        for row, (swatch, label) in enumerate(zip(self._swatches, self._labels, strict=True)):
            grid.addWidget(swatch, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1)

    def show_forecast(self, forecast: ForecastSentences) -> None:
        """Show the sentences; empty ones take no room."""
        for swatch, label, sentence in zip(self._swatches, self._labels, forecast, strict=True):
            label.setText(rich(sentence))
            label.setVisible(bool(sentence))
            swatch.setVisible(bool(sentence))
        self.setAccessibleName(gettext("What this threshold means"))
        self.setAccessibleDescription(plain(forecast))

        needed = self._grid.totalHeightForWidth(self.width())
        self.setMinimumHeight(max(self.minimumHeight(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to another width; in the same width it never shrinks."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setMinimumHeight(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box."""
        painter = smooth_painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors().raised)
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)


def _rich_label() -> QLabel:
    return QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText, textInteractionFlags=BY_MOUSE)


def rich(sentence: Line) -> str:
    """A sentence as rich text, with its bold words."""
    shown = ((html.escape(span.text), span.kind) for span in sentence)
    return "".join(f"<b>{text}</b>" if kind is SpanKind.STRONG else text for text, kind in shown)


BOX_WIDTH = 56


class NumberRow(QObject):
    """Label, slider and number of one value; the owner lays them out.

    Signals:
        value_changed: The user moved the slider or entered a number.
    """

    value_changed = Signal(float)

    def __init__(
        self, title: str, tool_tip: str, decimals: int, parent: QWidget, *, finest: int = 0
    ) -> None:
        """A row whose slider steps by this many decimals; `finest` decimals can be entered."""
        super().__init__(parent)
        self._factor = 10**decimals
        self.slider = controls.ThinSlider()
        self.box = controls.NumberBox(max(decimals, finest), title, 0, step=10.0**-decimals)
        self.box.setMinimumWidth(BOX_WIDTH)
        self.label = label_of(self.box, title)
        self.set_tool_tip(tool_tip)
        self.slider.setAccessibleName(gettext("{title}, slider", title=title))
        self.slider.valueChanged.connect(self._on_slider_changed)
        self.box.valueChanged.connect(self.value_changed)

    def set_range(self, low: float, high: float, slider_high: float | None = None) -> None:
        """Set the range of the number, and that of the slider."""
        end = high if slider_high is None else min(slider_high, high)
        if (self.box.minimum(), self.box.maximum()) == (low, high):
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.box.setRange(low, high)
            self.slider.setRange(round(low * self._factor), round(end * self._factor))

    def set_value(self, value: float) -> None:
        """Show a value, without emitting signals."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.box.setValue(value)
            self.slider.setValue(round(value * self._factor))
        self.slider.update()

    def set_tool_tip(self, tool_tip: str) -> None:
        """Set another tool tip of the value."""
        for widget in (self.label, self.slider, self.box):
            widget.setToolTip(tool_tip)

    def set_visible(self, visible: bool) -> None:
        """Show or hide the row."""
        for widget in (self.label, self.slider, self.box):
            widget.setVisible(visible)

    def _on_slider_changed(self, steps: int) -> None:
        self.value_changed.emit(steps / self._factor)


class LogScale(controls.CheckBox):
    """A box that draws the bars of a model by the logarithm of their numbers."""

    def __init__(self, model: threshold.ThresholdModel) -> None:
        super().__init__(gettext("Log scale"))
        self.setToolTip(gettext("Bars by the logarithm of the number of pairs"))
        self._model = model
        self.toggled.connect(model.set_logarithmic)
        model.folder_changed.connect(self._show_folder)
        self._show_folder()

    def _show_folder(self) -> None:
        self.setEnabled(self._model.folder is not None)
        with QSignalBlocker(self):
            self.setChecked(self._model.logarithmic)


SVG_RESOLUTION = 96  # without it the axes are misplaced
PNG_SCALE = 3


class Picture(NamedTuple):
    """A drawing.

    Attributes:
        draw: Draws it, in logical pixels.
        size: Logical pixels.
        title: What it is.
        description: What it shows, for those who cannot see it.
    """

    draw: Callable[[QPainter], None]
    size: QSize
    title: str
    description: str


def picture_of(picture: Picture, *, drawn: bool) -> bytes:
    """The file of a picture: made of lines, as SVG, or of pixels, as PNG."""
    return _as_lines(picture) if drawn else _as_image(picture)


def _as_lines(picture: Picture) -> bytes:
    buffer, data = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(SVG_RESOLUTION)
    generator.setSize(picture.size)
    generator.setViewBox(QRect(0, 0, picture.size.width(), picture.size.height()))
    generator.setTitle(picture.title)
    generator.setDescription(picture.description)
    painter = QPainter(generator)
    picture.draw(painter)
    painter.end()
    return bytes(data.data())


def _as_image(picture: Picture) -> bytes:
    image = QImage(picture.size * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)  # else its memory is what was there before
    image.setDevicePixelRatio(PNG_SCALE)  # else lines and marks would be as thin as on the screen
    image.setText("Title", picture.title)
    image.setText("Description", picture.description)
    image.setText("Software", "Neardup")  # tells it from the page of a document
    painter = QPainter(image)
    picture.draw(painter)
    painter.end()
    buffer, data = _buffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(data.data())


def _buffer() -> tuple[QBuffer, QByteArray]:
    """A file in memory, and what it holds."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer, data


PICTURE = QSize(720, 420)  # of the curve in a file


class WishesForm(QWidget):
    """The wishes of a model: four numbers in a sentence, and the answer below."""

    def __init__(self, model: threshold.ThresholdModel) -> None:
        super().__init__()
        self._model = model
        self._catch, self._at_most = (
            controls.NumberBox(2, name, 100, step=1, suffix=percentage(""))
            for name in (
                gettext("Share to find, percent"),
                gettext("Largest share to let through, percent"),
            )
        )
        self._catch_at = controls.NumberBox(2, gettext("Find at resemblance"))
        self._at_most_at = controls.NumberBox(2, gettext("Let through at resemblance"))
        self._ask = LinkLabel(gettext("Choose b and r"))
        self._ask.setToolTip(
            gettext(
                "The cheapest b and r with b · r ≤ K that keep both wishes: those that let the "
                "fewest pairs through at the resemblance of the second one."
            )
        )
        self._answer = controls.Caption()
        self._answer.setAccessibleName(gettext("Answer to the wishes"))
        self._lay_out()
        self._ask.clicked.connect(self._on_asked)
        for box in (self._catch, self._catch_at, self._at_most, self._at_most_at):
            box.enter_pressed.connect(self._on_asked)
        model.wishes_changed.connect(self._show_wishes)
        self._show_wishes()

    def _show_wishes(self) -> None:
        """Show the wishes, and which b and r keep them, or why none do."""
        wishes = self._model.wishes
        self._catch.setValue(100 * wishes.catch)
        self._catch_at.setValue(wishes.catch_at)
        self._at_most.setValue(100 * wishes.at_most)
        self._at_most_at.setValue(wishes.at_most_at)
        self._answer.show_sentence(self._model.answer)

    def _lay_out(self) -> None:
        grid = grid_in(self, margins=0, spacing=(6, 6), wide=4)
        rows = (
            (gettext("Find"), self._catch, self._catch_at),
            (gettext("at most"), self._at_most, self._at_most_at),
        )
        for row, (word, share, resemblance) in enumerate(rows):
            first = label_of(share, word)
            second = label_of(resemblance, pgettext("a share at a resemblance", "at"))
            for column, widget in enumerate((first, share, second, resemblance)):
                grid.addWidget(widget, row, column)
        grid.addWidget(self._ask, 1, 4, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._answer, 2, 0, 1, 5)

    def _on_asked(self) -> None:
        wishes = Wishes(
            catch=self._catch.value() / 100,
            catch_at=self._catch_at.value(),
            at_most=self._at_most.value() / 100,
            at_most_at=self._at_most_at.value(),
        )
        self._model.set_wishes(wishes)
        self._model.ask()


TIP = N_(
    "The line with steps in the picture: how likely a pair is confirmed, by its resemblance, as "
    "your verdicts say (isotonic regression). The limit holds as long as more alike pairs are "
    "confirmed more often."
)


class JudgedBox(QWidget):
    """Sentences on the verdicts, and a random check of unread pairs.

    Attributes:
        draw: Pressed, a random check is to be drawn.
        show_check: Pressed, its pairs are to be shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self._words, self._check = controls.Caption(), controls.Caption()
        for label in (self._words, self._check):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setToolTip(gettext(TIP))
        self.draw = LinkLabel(gettext("Check 30 at random"))
        self.draw.setToolTip(
            gettext("Draw 30 unread pairs: what they are bounds what the others can be")
        )
        self.show_check = LinkLabel(gettext("Show the check"))
        links = row_of(self.draw, self.show_check, 1, spacing=16)
        heading = PaneTitle(gettext("Judged so far"))
        column_in(self, heading, self._words, self._check, links, margins=0, spacing=4)
        self.show_judged(threshold.JudgedSoFar())

    @property
    def words(self) -> str:
        """The sentences, one per line."""
        return "\n".join(filter(None, (self._words.text(), self._check.text())))

    def show_judged(self, judged: threshold.JudgedSoFar) -> None:
        """Show what follows from the verdicts so far."""
        self._words.setText("\n".join(judged.words))
        self._check.show_sentence(judged.check)
        done, drawn = judged.checked
        self.show_check.setVisible(bool(drawn))
        self.draw.setVisible(judged.can_check and done == drawn)
        self.setVisible(bool(judged.words))


SIDE = 15
HEIGHT, QUIET_HEIGHT = 200, 145  # of the curve, with all its controls and without
SLIDER_ROWS = 16  # the slider's most rows; the number goes up to K

BANDS_TIP = N_("b: a pair is checked when it agrees in all rows of at least one band")
ROWS_TIP = N_("r: signature values in a band; more rows let fewer pairs through")
DISTANCE_TIP = N_("d: a pair is compared when at most so many of the 64 bits differ")
MARKS_TIP = N_(
    "○ where the curve rises fastest; ▲ the usual rule of thumb for its threshold, (1/b)^(1/r)"
)
BIT_MARKS_TIP = N_(
    "○ where the curve rises fastest; ▲ where half of the pairs are found: for documents of equal "
    "length in which many shingles differ"
)
SIGNATURE_TIP = N_(
    "b · r is at most K. Raising one lowers the other where there is no room left, and it comes "
    "back as soon as there is."
)
RELATION = N_("The curve is about resemblance; the list is sorted by overlap.")
RELATION_TIP = N_(
    "Resemblance says how alike two texts are as wholes, word for word: by it pairs are found and "
    "listed. Overlap says how much of both stands in passages that they share, also in other words."
)
THRESHOLD_TIP = N_(
    "Pairs are listed from this exact resemblance on. The line in the picture can be dragged."
)
LARGE_TIP = N_("The curve in the width of the window, with all settings to choose from")
STAY_TIP = N_("b and r stay, unless they follow.")  # bits have none
FOLLOW_TIP = N_(
    "Moving “Listed from” also chooses the b and r that make the two shaded areas together "
    "smallest: what is missed above the line and what is checked for nothing below it"
)


class ThresholdPanel(QWidget):
    """Chooses bands b, rows r and the resemblance from which pairs are listed; of bits d.

    Attributes:
        passages: Whether a shared passage alone lists a pair.
        large: Pressed, the user wants the curve in the width of the window.
    """

    help_page = "curve"

    def __init__(self, model: threshold.ThresholdModel) -> None:
        super().__init__()
        self.setWindowTitle(gettext("Threshold"))
        self.model = model
        self._make_controls()
        self._lay_out()
        self._connect()
        self._show_folder()
        self.set_detailed(True)

    def set_detailed(self, detailed: bool) -> None:
        """Show all controls and sentences, or only the curve and its sliders."""
        self.curve.setFixedHeight(HEIGHT if detailed else QUIET_HEIGHT)
        self.curve.set_marked(is_marked=detailed)
        self._brief.setHidden(detailed)
        for widget in self._details:
            widget.setVisible(detailed)

    def set_fixed(self) -> None:
        """Disable the numbers; the panel of settings shows why."""
        for row in (self._bands, self._rows, self._distance, self._threshold):
            row.slider.setEnabled(False)
            row.box.setEnabled(False)
        for control in (self._follow, self.passages, self._wishes):
            control.setEnabled(False)

    def set_passages(self, choice: threshold.PassageChoice) -> None:
        """Show the choice about passages, without emitting signals."""
        with QSignalBlocker(self.passages):
            self.passages.setChecked(choice.chosen)
        self.passages.setText(choice.text)
        self.passages.setToolTip(choice.explanation)

    def picture(self, *, drawn: bool) -> bytes:
        """The curve for paper and screen: made of lines, as SVG, or of pixels, as PNG.

        It has the same size however narrow the panel is, and the colours of paper.
        """
        with on_paper():
            plot = CurvePlot(self.model)
            plot.setFont(self.font())
            plot.resize(PICTURE)
            plot.entitle(threshold.caption(self.model.state), gettext("pairs found"))
            description = self.curve.accessibleDescription()
            picture = Picture(plot.draw, PICTURE, plot.accessibleName(), description)
            made = picture_of(picture, drawn=drawn)
            plot.deleteLater()
            return made

    def _make_controls(self) -> None:
        self.curve = CurvePlot(self.model, self)
        self._marks = controls.Caption()
        self._above_sliders = QWidget()
        self._logarithmic = LogScale(self.model)
        self._pin = LinkLabel(gettext("Pin curve"))
        self._pin.setToolTip(gettext("Keep this curve, dashed, to compare others with it"))
        self.large = LinkLabel(gettext("Open large"))
        self.large.setToolTip(gettext(LARGE_TIP))
        self._bands = NumberRow(gettext("Bands b"), gettext(BANDS_TIP), 0, self)
        self._rows = NumberRow(gettext("Rows r"), gettext(ROWS_TIP), 0, self)
        self._distance = NumberRow(gettext("Distance d"), gettext(DISTANCE_TIP), 0, self)
        self._distance.set_range(0, MAX_DISTANCE)
        self._threshold = NumberRow(
            gettext("Listed from"), gettext(THRESHOLD_TIP), 2, self, finest=THRESHOLD_DECIMALS
        )
        self._threshold.set_range(0.0, 1.0)
        self._signature = controls.Caption()
        self._relation = controls.Caption(gettext(RELATION))
        self._relation.setToolTip(gettext(RELATION_TIP))
        self._follow = controls.CheckBox(gettext("b and r follow"))
        self._follow.setToolTip(gettext(FOLLOW_TIP))
        usual = threshold.passage_choice(ScanSettings(), None)
        self.passages = controls.WrappedCheckBox(usual.text)
        self.set_passages(usual)
        self._brief = _rich_label()
        self._forecast = ForecastBox()
        self._wishes = WishesForm(self.model)
        self.judged = JudgedBox()
        self._below_sliders = QWidget()
        self._details = self._marks, self._above_sliders, self._below_sliders

    def _lay_out(self) -> None:
        links = (self._logarithmic, 1, self._pin, self.large)
        row_in(self._above_sliders, *links, margins=0, spacing=16)
        below = (self._signature, self._follow, self.passages, self._relation, self._forecast)
        column_in(self._below_sliders, *below, self._wishes, self.judged, margins=0, spacing=8)
        above = (self.curve, self._marks, self._above_sliders, self._sliders(), self._brief)
        margins = (SIDE, 4, SIDE, SIDE)
        column_in(self, *above, self._below_sliders, margins=margins, spacing=8)
        for former, latter in pairwise(self._tab_order()):
            self.setTabOrder(former, latter)

    def _sliders(self) -> QGridLayout:
        grid = grid_of(spacing=(12, 7), wide=1)
        for row, number in enumerate((self._bands, self._rows, self._distance, self._threshold)):
            grid.addWidget(number.label, row, 0)
            grid.addWidget(number.slider, row, 1)
            grid.addWidget(number.box, row, 2)
        return grid

    def _tab_order(self) -> list[QWidget]:
        numbers = (self._bands, self._rows, self._distance, self._threshold)
        rows = [widget for number in numbers for widget in (number.slider, number.box)]
        return [self._logarithmic, self._pin, self.large, *rows, self._follow, self.passages]

    def _connect(self) -> None:
        model = self.model
        model.changed.connect(self._show_numbers)
        model.words_changed.connect(self._show_words)
        model.folder_changed.connect(self._show_folder)
        model.kept_changed.connect(self._show_kept)
        model.judged_changed.connect(lambda: self.judged.show_judged(model.judged))
        for row, changed in (
            (self._bands, ThresholdState.with_bands),
            (self._rows, ThresholdState.with_rows),
            (self._distance, ThresholdState.with_distance),
        ):
            row.value_changed.connect(partial(model.change_number, changed))
        self._threshold.value_changed.connect(model.change_threshold)
        for row in (self._bands, self._rows, self._distance, self._threshold):
            row.slider.sliderPressed.connect(partial(model.hold, True))
            row.slider.sliderReleased.connect(partial(model.hold, False))
        self.curve.threshold_dragged.connect(self._on_dragged)
        self._follow.toggled.connect(model.set_follows)
        self._pin.clicked.connect(self._on_pin_clicked)

    def _on_dragged(self, threshold: float) -> None:
        self._threshold.slider.setFocus()  # keys go on with what the mouse had in hand, and undo it
        self.model.change_threshold(threshold)

    def _on_pin_clicked(self) -> None:
        if self.model.kept:
            self.model.drop()
        else:
            self.model.keep(self.model.state)

    def _show_kept(self) -> None:
        several = len(self.model.kept) > 1
        self._pin.setText(
            gettext("Unpin curves")
            if several
            else gettext("Unpin curve")
            if self.model.kept
            else gettext("Pin curve")
        )

    def _show_folder(self) -> None:
        self._show_numbers()
        self._show_words()

    def _show_numbers(self) -> None:
        state = self.model.state
        size = state.signature_size
        self._bands.set_range(1, size)
        self._rows.set_range(1, size, SLIDER_ROWS)
        self._distance.set_value(state.distance or 0)
        self._bands.set_value(state.bands)
        self._rows.set_value(state.rows)
        self._threshold.set_value(state.min_resemblance)
        with QSignalBlocker(self._follow):
            self._follow.setChecked(self.model.follows)

    def _show_words(self) -> None:
        state = self.model.state
        self._show_method()
        self._signature.setText(threshold.signature_words(state))
        self._marks.setText(threshold.marks_words(state))
        self._brief.setText(rich(in_brief(state, self.model.folder)))
        words = forecast(state, self.model.folder)
        self._forecast.show_forecast(words)
        self._brief.setToolTip(f"{plain(words)}\n\n{gettext(RELATION_TIP)}")
        self.curve.setAccessibleDescription(f"{threshold.curve_words(state)} {plain(words)}")

    def _show_method(self) -> None:
        bits = self.model.state.distance is not None
        for number in (self._bands, self._rows):
            number.set_visible(not bits)
        self._distance.set_visible(bits)
        self._follow.setHidden(bits)
        self._wishes.setHidden(bits)
        self._signature.setToolTip("" if bits else gettext(SIGNATURE_TIP))
        self._threshold.set_tool_tip(
            gettext(THRESHOLD_TIP) if bits else f"{gettext(THRESHOLD_TIP)} {gettext(STAY_TIP)}"
        )
        self._marks.setToolTip(gettext(BIT_MARKS_TIP) if bits else gettext(MARKS_TIP))
