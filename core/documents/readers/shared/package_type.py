"""What a package says it is, told from its first part or its list of parts (ODF, EPUB)."""

from __future__ import annotations

import re
import struct

from core.documents.readers.shared.zip_directory import beginning_of, entry_names

__all__ = ["media_type"]

_ZIP = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3I2H")  # APPNOTE.TXT 4.3.7, local file header
_LOOK = 1 << 16  # bytes of the list of parts that are looked at
_LONGEST = 100
_MANIFEST = b"META-INF/manifest.xml"
_ROOT = re.compile(
    rb"<(?:\w{1,20}:)?file-entry\b(?=[^<>]{0,999}\bfull-path=[\"']/[\"'])"
    rb"[^<>]{0,999}\bmedia-type=[\"']([\w./+-]{1,100})"
)


def media_type(data: bytes) -> str:
    """The media type of a package, "" where it has none or is none; never raises.

    ODF and EPUB have it as their first part, stored as it is, named "mimetype". Where it was lost
    by packing the file again, the manifest of ODF has it too, and EPUB is known by its container.
    """
    if not data.startswith(_ZIP) or len(data) < _HEADER.size:
        return ""
    return _first_part(data) or _by_parts(data)


def _first_part(data: bytes) -> str:
    _, _, _, method, _, _, _, size, _, name_length, extra_length = _HEADER.unpack_from(data)
    if method or data[_HEADER.size : _HEADER.size + name_length] != b"mimetype":
        return ""
    start = _HEADER.size + name_length + extra_length
    value = data[start : start + (min(size, _LONGEST) or _LONGEST)]
    return value.partition(b"PK")[0].decode("ascii", "replace").strip()


def _by_parts(data: bytes) -> str:
    names = set(entry_names(data))
    if b"META-INF/container.xml" in names and any(name.endswith(b".opf") for name in names):
        return "application/epub+zip"
    if _MANIFEST not in names or b"content.xml" not in names:
        return ""
    found = _ROOT.search(beginning_of(data, _MANIFEST, _LOOK))
    return found[1].decode("ascii", "replace") if found else ""
