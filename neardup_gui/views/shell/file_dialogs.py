"""The dialogs of the system: which folder or review, and where to save."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

PICTURES = {
    "Picture of lines, for print (*.svg)": ".svg",
    "Picture of pixels (*.png)": ".png",
}
WRITTEN = "Reports (*.html *.htm *.pdf *.json)"
KEYS = {"Keys to names (*.csv)": ".csv"}
LOGOS = "Pictures (*.png *.jpg *.jpeg *.svg)"
TABLES = {"Table for spreadsheets and scripts (*.csv)": ".csv"}
REVIEWS = "Reviews (*.neardup)"
SETTINGS = {"Settings (*.json)": ".json"}


def ask_for_folder(
    parent: QWidget, start: str, title: str = "Open a folder of documents"
) -> Path | None:
    """A folder of documents; None when the user thinks better of it."""
    chosen = QFileDialog.getExistingDirectory(parent, title, start)
    return Path(chosen) if chosen else None


def ask_for_file(parent: QWidget, start: str, title: str) -> Path | None:
    """A document; None when the user thinks better of it."""
    chosen, _kind = QFileDialog.getOpenFileName(parent, title, start)
    return Path(chosen) if chosen else None


def ask_for_report(
    parent: QWidget, suggestion: Path, kinds: Mapping[str, str]
) -> tuple[Path, bool] | None:
    """Where a report goes, and whether the dialog has asked about replacing just this file.

    `kinds` are endings by words; a name without one of them gets that of the kind chosen, and of
    the file with this name nobody was asked.
    """
    filters = {f"{words} (*{ending})": ending for words, ending in kinds.items()}
    chosen, kind = QFileDialog.getSaveFileName(
        parent, "Save the report", str(suggestion), ";;".join(filters)
    )
    if not chosen:
        return None
    path = _with_ending(Path(chosen), filters, kind)
    return path, path == Path(chosen)


def ask_for_key(parent: QWidget, suggestion: Path) -> Path | None:
    """Where the key to withheld names goes; one that is there is not replaced but used again."""
    chosen, _kind = QFileDialog.getSaveFileName(
        parent,
        "Save the key to the names (a key that is there is used again)",
        str(suggestion),
        ";;".join(KEYS),
        options=QFileDialog.Option.DontConfirmOverwrite,
    )
    return _with_ending(Path(chosen), KEYS, "") if chosen else None


def ask_for_names(parent: QWidget, start: str) -> Path | None:
    """The key to the names of a report."""
    kinds = ";;".join(KEYS)
    chosen, _kind = QFileDialog.getOpenFileName(parent, "Open the key to the names", start, kinds)
    return Path(chosen) if chosen else None


def ask_for_written_report(parent: QWidget, start: str) -> Path | None:
    """A report to check."""
    chosen, _kind = QFileDialog.getOpenFileName(parent, "Check a report", start, WRITTEN)
    return Path(chosen) if chosen else None


def ask_for_logo(parent: QWidget, start: str) -> Path | None:
    """A picture for the head of a report."""
    chosen, _kind = QFileDialog.getOpenFileName(parent, "Choose a logo", start, LOGOS)
    return Path(chosen) if chosen else None


def ask_for_picture(parent: QWidget, suggestion: Path) -> Path | None:
    """Where a picture goes, with the ending of the format chosen."""
    return _ask_for_file(parent, "Export the curve as a picture", suggestion, PICTURES)


def ask_for_table(parent: QWidget, suggestion: Path) -> Path | None:
    """Where the table of settings goes, with its ending."""
    return _ask_for_file(parent, "Export the table of settings", suggestion, TABLES)


def _ask_for_file(
    parent: QWidget, title: str, suggestion: Path, kinds: Mapping[str, str]
) -> Path | None:
    """Where a file goes; the first of the kinds is the usual one."""
    chosen, kind = QFileDialog.getSaveFileName(parent, title, str(suggestion), ";;".join(kinds))
    if not chosen:
        return None
    return _with_ending(Path(chosen), kinds, kind)


def _with_ending(path: Path, kinds: Mapping[str, str], kind: str) -> Path:
    """The path with the ending of the kind chosen, unless it has one of them."""
    endings = list(kinds.values())
    known = path.suffix.lower() in endings
    return path if known else path.with_name(path.name + kinds.get(kind, endings[0]))


def ask_for_review(parent: QWidget, start: str) -> Path | None:
    """A review to open."""
    chosen, _kind = QFileDialog.getOpenFileName(parent, "Open a review", start, REVIEWS)
    return Path(chosen) if chosen else None


def ask_for_new_review(parent: QWidget, suggestion: Path) -> Path | None:
    """Where a review goes, as the user wrote it."""
    chosen, _kind = QFileDialog.getSaveFileName(parent, "Save the review", str(suggestion), REVIEWS)
    return Path(chosen) if chosen else None


def ask_for_settings(parent: QWidget, start: str) -> Path | None:
    """A file of settings to load."""
    kinds = ";;".join(SETTINGS)
    chosen, _kind = QFileDialog.getOpenFileName(parent, "Load settings", start, kinds)
    return Path(chosen) if chosen else None


def ask_where_settings_go(parent: QWidget, suggestion: Path) -> Path | None:
    """Where a file of settings goes, with its ending."""
    return _ask_for_file(parent, "Save the settings", suggestion, SETTINGS)
