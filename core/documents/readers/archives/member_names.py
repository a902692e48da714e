"""The names in an archive: in which encoding they are, and which of them are documents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from core.documents.encoding.detection import detect_encoding

_DRIVE = re.compile(r"^[A-Za-z]:(?=[\\/])")


def name_encoding(names: Iterable[bytes], usual: str) -> str:
    """The encoding of names that do not tell it.

    UTF-8 is sure. The usual one is kept as long as it makes Latin letters of everything beyond
    ASCII; else all names together are a sample for the detector.
    """
    joined = b"\n".join(names)
    for encoding in ("utf-8", usual):
        try:
            text = joined.decode(encoding)
        except ValueError:
            continue
        if encoding == "utf-8" or all(map(_is_latin, filter("\x7f".__lt__, text))):
            return encoding
    return detect_encoding(joined) or usual


def _is_latin(character: str) -> bool:
    return character.isalpha() and "LATIN" in unicodedata.name(character, "")


def tidy_name(name: str) -> str:
    """A path inside an archive with "/", without what leads out of it."""
    folders = _DRIVE.sub("", name).replace("\\", "/").split("/")
    return "/".join(folder for folder in folders if folder not in {"", ".", ".."})


def is_hidden(name: str) -> bool:
    """Whether a tidy path leads through something hidden, or through what macOS adds to archives.

    As in a folder, such files are no documents.
    """
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))
