"""A plot as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

if TYPE_CHECKING:
    from neardup_gui.views.threshold.plot import CurvePlot

__all__ = ["as_image", "as_lines"]

SVG_RESOLUTION = 96  # without it the axes are misplaced
PNG_SCALE = 3


def as_lines(plot: CurvePlot) -> bytes:
    """What a plot shows, as SVG."""
    buffer, data = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(SVG_RESOLUTION)
    generator.setSize(plot.size())
    generator.setViewBox(plot.rect())
    generator.setTitle(plot.accessibleName())
    generator.setDescription(plot.accessibleDescription())
    painter = QPainter(generator)
    plot.draw(painter, 1.0, as_lines=True)
    painter.end()
    return bytes(data.data())


def as_image(plot: CurvePlot) -> bytes:
    """What a plot shows, as PNG."""
    image = QImage(plot.size() * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(PNG_SCALE)  # else lines and marks would be as thin as on the screen
    image.setText("Title", plot.accessibleName())
    image.setText("Description", plot.accessibleDescription())
    painter = QPainter(image)
    plot.draw(painter, PNG_SCALE)
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
