"""Where the application keeps what is the user's: reviews that are made with scans, and its log."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from neardup_gui.models.folder_reviews import FolderReviews


def folder_reviews() -> FolderReviews:
    """The reviews that are made with scans; they stay on this computer."""
    place = QStandardPaths.StandardLocation.AppLocalDataLocation
    return FolderReviews(Path(QStandardPaths.writableLocation(place)) / "reviews")


def log_folder() -> Path:
    """Where warnings and worse are written."""
    place = QStandardPaths.StandardLocation.AppDataLocation
    return Path(QStandardPaths.writableLocation(place))
