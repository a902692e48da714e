"""Folders of texts, as many tests need them."""

from collections.abc import Mapping
from pathlib import Path

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


def folder_with(folder: Path, texts: Mapping[str, str]) -> Path:
    """Make a folder with these texts, by the names of their files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
