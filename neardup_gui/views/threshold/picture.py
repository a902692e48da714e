"""What is drawn, as the file of a picture."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

SVG_RESOLUTION = 96  # without it the axes are misplaced
PNG_SCALE = 3


class Draw(Protocol):
    """Draws everything, for an image of so many pixels in a logical pixel, or for lines."""

    def __call__(self, painter: QPainter, ratio: float, *, as_lines: bool = False) -> None:
        """Draw it."""


class Picture(NamedTuple):
    """What is to be drawn.

    Attributes:
        draw: Draws it.
        size: Logical pixels.
        title: What it is.
        description: What it shows, for those who cannot see it.
    """

    draw: Draw
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
    picture.draw(painter, 1.0, as_lines=True)
    painter.end()
    return bytes(data.data())


def _as_image(picture: Picture) -> bytes:
    image = QImage(picture.size * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)  # else its memory is what was there before
    image.setDevicePixelRatio(PNG_SCALE)  # else lines and marks would be as thin as on the screen
    image.setText("Title", picture.title)
    image.setText("Description", picture.description)
    painter = QPainter(image)
    picture.draw(painter, PNG_SCALE)
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
