"""Saves a plot as a picture."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView

__all__ = ["PNG_SCALE", "is_drawn", "save_picture"]

SVG_RESOLUTION = 96  # without it the axes are misplaced
PNG_SCALE = 3


def is_drawn(path: Path) -> bool:
    """Whether a picture of this name is made of lines, not of pixels."""
    return path.suffix.lower() == ".svg"


def save_picture(view: QGraphicsView, path: Path) -> None:
    """Write what a view shows as SVG or, with any other ending, as an image.

    Raises:
        OSError: It cannot be written.
    """
    path.write_bytes(b"")  # says why, where Qt only says that
    save = _save_svg if is_drawn(path) else _save_image
    if not save(view, path):
        raise OSError(f"The picture could not be written to {path.name}.")


def _save_svg(view: QGraphicsView, path: Path) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setResolution(SVG_RESOLUTION)
    generator.setSize(view.size())
    generator.setViewBox(view.rect())
    generator.setTitle(view.accessibleName())
    generator.setDescription(view.accessibleDescription())
    painter = QPainter()
    if not painter.begin(generator):
        return False
    _render(view, painter, view.size())
    return painter.end()


def _save_image(view: QGraphicsView, path: Path) -> bool:
    image = QImage(view.size() * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _render(view, painter, image.size())
    painter.end()
    return image.save(str(path))


def _render(view: QGraphicsView, painter: QPainter, size: QSize) -> None:
    area = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(area, view.backgroundBrush())
    view.render(painter, area, view.viewport().rect())
