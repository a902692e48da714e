"""How a report will look: its first pages, or the beginning of its table or text."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import (
    QFontDatabase,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QStackedLayout,
    QWidget,
)

from core.base.wording import printable_text
from neardup_gui.environment.theme import colors
from neardup_gui.models.reports.preview import Page, ReportPreview
from neardup_gui.views.report.plain_table import PlainTable

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
