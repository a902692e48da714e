"""What a file is that no reader takes and that is not text, told from its first bytes."""

from __future__ import annotations

import codecs

from core.documents.model import ProblemCode, UnreadableError

_ENDS = 1 << 16
_APPLE = (b"Index/Document.iwa", b"buildVersionHistory.plist")

# Documents: they have text, in a format without a reader.
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__nameid_version1.0".encode("utf-16-le")
_DOCUMENTS = {
    _COMPOUND: "Microsoft Office 97 to 2003",
    b"\xdb\xa5-\x00": "Word 2",
    b"AT&TFORM": "DjVu",
    b"\xffWPC": "WordPerfect",
    b"%!PS": "PostScript",
}
# Read where they are whole, and where that is asked for.
_PACKED_OR_PICTURES = {
    b"PK\x03\x04": "a packed file",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\x00": "an xz archive",
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"II*\x00": "a TIFF image",
    b"MM\x00*": "a TIFF image",
}
# Never read, nor what is in them.
_MEDIA = {
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\x1f\x9d": "a compressed file",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"BM": "a BMP image",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"\xcf\xfa\xed\xfe": "a program",
    b"\xca\xfe\xba\xbe": "a program",
    b"SQLite format 3\x00": "an SQLite database",
    b"ID3": "a sound file",
    b"OggS": "a sound file",
    b"fLaC": "a sound file",
    b"RIFF": "an image, a sound or a film",
    b"wOFF": "a font",
    b"wOF2": "a font",
    b"\x00\x01\x00\x00\x00": "a font",
    b"\x1aE\xdf\xa3": "a film",
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
        raise _no_document("a film or an image")
    at = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    if not data.startswith(_STARTS, at):
        return
    start = next(start for start in _STARTS if data.startswith(start, at))
    kind = _DOCUMENTS.get(start)
    if kind == _DOCUMENTS[_COMPOUND] and _OUTLOOK in data:
        kind = "Outlook (msg)"
    if start == b"PK\x03\x04" and any(mark in data[-_ENDS:] for mark in _APPLE):
        kind = "Apple's Pages, Numbers and Keynote"
    if kind:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            f"Files of {kind} are not read. Open it there and save it as docx, eml, PDF or text.",
        )
    if b"\0" in data[:512]:  # a text may well begin with "BM" or "MZ"
        raise _no_document(_NO_DOCUMENTS.get(start, "a file in an unknown format"))


def refuse_media(head: bytes) -> None:
    """Raise for a program, a film, a sound or the like, by its first 512 bytes.

    Raises:
        UnreadableError: BINARY.
    """
    if head.startswith(b"\0") and head[4:8] == b"ftyp":
        raise _no_document("a film or an image")
    if head.startswith(_MEDIA_STARTS) and b"\0" in head[:512]:
        raise _no_document(next(_MEDIA[it] for it in _MEDIA if head.startswith(it)))


def _no_document(kind: str) -> UnreadableError:
    return UnreadableError(ProblemCode.BINARY, f"This is {kind}, not a text.")
