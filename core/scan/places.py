"""Where documents are, the same from anywhere."""

from __future__ import annotations

import os
from pathlib import Path

from core.documents import Document

Key = tuple[str, str]  # place of the file, part of it


class Places:
    """Where files are, the same from anywhere."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def key(self, document: Document) -> Key:
        """What tells a document from all others of its scan."""
        return self.of(document.path), document.part

    def of(self, path: Path) -> str:
        """The absolute path, links as they are; quick for many files of one folder."""
        location = str(path)
        name = location.rfind(os.sep) + 1
        folder = location[:name]
        if folder not in self._folders:
            self._folders[folder] = os.path.join(os.path.abspath(folder), "")
        return self._folders[folder] + location[name:]

    @staticmethod
    def inside(folder: Path) -> str:
        """What the places of the files in a folder start with."""
        return os.path.join(os.path.abspath(folder), "")
