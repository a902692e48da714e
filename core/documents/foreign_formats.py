"""Identifies files that no reader takes and that are not text, from their first bytes."""

from __future__ import annotations

import codecs

from core.base.messages import N_
from core.documents.model import ProblemCode, UnreadableError

_ENDS = 1 << 16
_APPLE = (b"Index/Document.iwa", b"buildVersionHistory.plist")

# Documents: they have text, in a format without a reader.
_DOCUMENTS = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": N_("Microsoft Office 97 to 2003"),
    b"\xdb\xa5-\x00": "Word 2",
    b"AT&TFORM": "DjVu",
    b"\xffWPC": "WordPerfect",
    b"%!PS": "PostScript",
}
# Read where they are whole, and where that is asked for.
_PACKED_OR_PICTURES = {
    b"PK\x03\x04": N_("a packed file"),
    b"PK\x05\x06": N_("an empty ZIP archive"),
    b"\x1f\x8b": N_("a gzip archive"),
    b"BZh": N_("a bzip2 archive"),
    b"\xfd7zXZ\x00": N_("an xz archive"),
    b"7z\xbc\xaf\x27\x1c": N_("a 7-Zip archive"),
    b"\x89PNG\r\n\x1a\n": N_("a PNG image"),
    b"\xff\xd8\xff": N_("a JPEG image"),
    b"II*\x00": N_("a TIFF image"),
    b"MM\x00*": N_("a TIFF image"),
}
# Never read, nor what is in them.
_MEDIA = {
    b"\x28\xb5\x2f\xfd": N_("a Zstandard archive"),
    b"Rar!\x1a\x07": N_("a RAR archive"),
    b"\x1f\x9d": N_("a compressed file"),
    b"GIF87a": N_("a GIF image"),
    b"GIF89a": N_("a GIF image"),
    b"BM": N_("a BMP image"),
    b"\x7fELF": N_("a program"),
    b"MZ": N_("a program"),
    b"\xcf\xfa\xed\xfe": N_("a program"),
    b"\xca\xfe\xba\xbe": N_("a program"),
    b"SQLite format 3\x00": N_("an SQLite database"),
    b"ID3": N_("a sound file"),
    b"OggS": N_("a sound file"),
    b"fLaC": N_("a sound file"),
    b"RIFF": N_("an image, a sound or a film"),
    b"wOFF": N_("a font"),
    b"wOF2": N_("a font"),
    b"\x00\x01\x00\x00\x00": N_("a font"),
    b"\x1aE\xdf\xa3": N_("a film"),
}
_NO_DOCUMENTS = _PACKED_OR_PICTURES | _MEDIA
_STARTS = tuple(_DOCUMENTS) + tuple(_NO_DOCUMENTS)
_MEDIA_STARTS = tuple(_MEDIA)


def refuse_foreign(data: bytes) -> None:
    """Raise for a format that is known and not read.

    Raises:
        UnreadableError: UNSUPPORTED for documents, BINARY for what has no text at all.
    """
    if data[4:8] == b"ftyp" and b"\0" in data[:512]:
        raise _no_document(N_("a film or an image"))
    at = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    if not data.startswith(_STARTS, at):
        return
    start = next(start for start in _STARTS if data.startswith(start, at))
    kind = _DOCUMENTS.get(start)
    if start == b"PK\x03\x04" and any(mark in data[-_ENDS:] for mark in _APPLE):
        kind = "Apple's Pages, Numbers and Keynote"
    if kind:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "Files of {program} are not read. Open it there and save it as docx, eml, PDF or text.",
            program=kind,
        )
    if b"\0" in data[:512]:  # a text may well begin with "BM" or "MZ"
        raise _no_document(_NO_DOCUMENTS.get(start, N_("a file in an unknown format")))


def refuse_media(head: bytes) -> None:
    """Raise for a program, a film, a sound or the like, by its first 512 bytes.

    Raises:
        UnreadableError: BINARY.
    """
    if head.startswith(b"\0") and head[4:8] == b"ftyp":
        raise _no_document(N_("a film or an image"))
    if head.startswith(_MEDIA_STARTS) and b"\0" in head[:512]:
        raise _no_document(next(_MEDIA[it] for it in _MEDIA if head.startswith(it)))


def _no_document(kind: str) -> UnreadableError:
    return UnreadableError(ProblemCode.BINARY, "This is {kind}, not a text.", kind=kind)
