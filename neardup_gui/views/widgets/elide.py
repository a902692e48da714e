"""Names that are shortened where there is no room: the folders give way before the file."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

MIDDLE = Qt.TextElideMode.ElideMiddle
LEAST_FOLDER = "essay…abc/"  # less of a folder says nothing
NO_FOLDER = "…/"


def elided_name(metrics: QFontMetrics, name: str, width: int) -> str:
    """As much of a name as fits: "essays/…/second version/okafor.odt".

    Names of documents begin with the folders they are in, and those of a folder begin alike: cut in
    the middle of all of it, every name would look the same.
    """
    if metrics.horizontalAdvance(name) <= width:
        return name
    folder, slash, file = name.rpartition("/")
    left = width - metrics.horizontalAdvance(file)
    if slash and left >= metrics.horizontalAdvance(LEAST_FOLDER):
        return metrics.elidedText(f"{folder}/", MIDDLE, left) + file
    if slash and left >= metrics.horizontalAdvance(NO_FOLDER):
        return NO_FOLDER + file
    return metrics.elidedText(file, MIDDLE, width)
