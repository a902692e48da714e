"""A plot as a picture."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView

__all__ = ["PNG_SCALE", "as_image", "as_lines"]

SVG_RESOLUTION = 96  # without it the axes are misplaced
PNG_SCALE = 3


def as_lines(view: QGraphicsView) -> bytes:
    """What a view shows, as SVG."""
    buffer, data = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(SVG_RESOLUTION)
    generator.setSize(view.size())
    generator.setViewBox(view.rect())
    generator.setTitle(view.accessibleName())
    generator.setDescription(view.accessibleDescription())
    painter = QPainter(generator)
    _render(view, painter, view.size())
    painter.end()
    return bytes(data.data())


def as_image(view: QGraphicsView) -> bytes:
    """What a view shows, as PNG."""
    image = QImage(view.size() * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(PNG_SCALE)  # else lines and marks would be as thin as on the screen
    image.setText("Title", view.accessibleName())
    image.setText("Description", view.accessibleDescription())
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _render(view, painter, view.size())
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


def _render(view: QGraphicsView, painter: QPainter, size: QSize) -> None:
    area = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(area, view.backgroundBrush())
    view.render(painter, area, view.viewport().rect())
