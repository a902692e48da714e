"""The large curve as a picture: the folder above it, and below it what it means in words."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFont, QPainter, QPen, QTextDocument, QTextOption

from core.reports.curve.forecast_words import plain
from neardup_gui.environment.theme import colors
from neardup_gui.models.workbench.sheet_words import SheetWords
from neardup_gui.views.threshold.forecast_box import rich
from neardup_gui.views.threshold.hatching import Area, hatched, tint
from neardup_gui.views.threshold.picture import Picture
from neardup_gui.views.threshold.plot import CurvePlot

PLOT = QSize(1080, 560)
SIDE, GAP, SAMPLE = 24, 6, 12  # logical pixels
LARGER = 1.35  # the font of the subject
AREAS = (Area.MISSED, Area.EXTRA, Area.LISTED)


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
    told = [(rich(one), area) for one, area in zip(words.forecast, AREAS, strict=True) if one]
    more = [(html.escape(line), None) for line in words.lines]
    below = _laid_out([*told, *more], font, top + PLOT.height())
    size = QSize(PLOT.width(), round(_bottom(below) + SIDE))

    def draw(painter: QPainter, ratio: float, *, as_lines: bool = False) -> None:
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), colors().base)
        for paragraph in (*above, *below):
            _draw_paragraph(painter, paragraph, ratio, as_lines=as_lines)
        painter.translate(0, top)
        plot.draw(painter, ratio, as_lines=as_lines)

    description = " ".join([words.caption, plain(words.forecast), *words.lines])
    return Picture(draw, size, f"S-curve: {words.subject}", description)


def _laid_out(words: Sequence[tuple[str, Area | None]], font: QFont, top: float) -> list[Paragraph]:
    made = []
    top += GAP
    for markup, area in words:
        text = QTextDocument()
        text.setDocumentMargin(0)
        text.setDefaultFont(font)
        text.setDefaultTextOption(_broken_anywhere())
        text.setHtml(f'<div style="color: {colors().text.name()}">{markup}</div>')
        text.setTextWidth(PLOT.width() - 2 * SIDE - _indent(area))
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
    painter.translate(QPointF(SIDE, paragraph.top))
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
