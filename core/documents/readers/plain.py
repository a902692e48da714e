"""Plain text, and what is read as such: Markdown, reStructuredText, TeX, CSV, source code.

And what is no text though no reader takes it: known formats, by their first bytes.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator

from core.base.messages import N_, in_english
from core.base.patterns import lazy_pattern
from core.base.wording import readable_count
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading, decoded, whole_characters

_NOTEBOOK_SUFFIXES = frozenset({".ipynb"})
_OPENING = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s{0,99}\{")
_ESCAPE = lazy_pattern(r"\x1b\[[0-?]{0,30}[ -/]{0,5}[@-~]|\x1b\][^\x07\x1b]{0,999}(?:\x07|\x1b\\)")

_PICTURE = lazy_pattern(r"data:image/[\w.+-]{1,40};base64,[\w+/=]*+", re.ASCII)


def _notebook_recognises(data: bytes, suffix: str) -> bool:
    """By its keys; a notebook may begin with any of them, and ends with the number of its format.

    Under a name that says something else, a text of JSON stays a text.
    """
    if suffix not in {*_NOTEBOOK_SUFFIXES, "", ".json", ".txt"} or not _OPENING.match(data):
        return False
    ends = data[:4096] + data[-4096:]
    return b'"nbformat"' in ends and (b'"cells"' in data or b'"worksheets"' in data)


def _notebook_read(data: bytes, reading: Reading) -> Extracted:
    """The cells in their order, each with what it printed."""
    source, encoding = decoded(data)
    notebook = _parsed(source)
    texts: list[str] = []
    for cell in _cells(notebook):
        reading.step()
        texts += _texts(cell)
    text = "\n\n".join(text.strip("\n") for text in texts if text.strip())
    return Extracted(whole_characters(text), encoding)


def _parsed(source: str) -> object:
    """The notebook as Python's objects."""
    try:
        return json.loads(source, parse_int=_no_number, parse_float=_no_number)
    except RecursionError as error:
        raise UnreadableError(
            ProblemCode.TOO_DEEP, "The objects of this notebook are nested too deep."
        ) from error
    except json.JSONDecodeError as error:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            "This file is damaged: the notebook ends or breaks in line {line}. Open it in "
            "Jupyter and save it again.",
            line=f"{error.lineno:,}",
        ) from error


def _no_number(_digits: str) -> None:
    """Numbers say nothing here, and one of a million digits takes minutes to compute."""


def _cells(notebook: object) -> Iterator[dict[str, object]]:
    """All cells; before format 4 they are in worksheets."""
    for sheet in (notebook, *_objects(_get(notebook, "worksheets"))):
        yield from _objects(_get(sheet, "cells"))


def _texts(cell: dict[str, object]) -> Iterator[str]:
    yield _PICTURE.sub("", _joined(cell.get("source", cell.get("input"))))
    for output in _objects(cell.get("outputs")):
        yield _printed(output)


def _printed(output: dict[str, object]) -> str:
    """What a person sees of an output as text; pictures are none."""
    if output.get("output_type") in {"error", "pyerr"}:
        lines = _strings(output.get("traceback"))
        text = "\n".join(lines) or _joined([output.get("ename"), ": ", output.get("evalue")])
    elif output.get("output_type") == "stream":
        text = _joined(output.get("text"))
    else:
        data = output.get("data", output)
        text = _joined(_get(data, "text/plain") or _get(data, "text"))
    return _overwritten(_ESCAPE.sub("", text))


def _overwritten(text: str) -> str:
    """Text as a terminal shows it: a progress bar goes back to the start of its line."""
    if "\r" not in text:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _joined(lines: object) -> str:
    """Text, which a notebook writes in one piece or line by line."""
    return lines if isinstance(lines, str) else "".join(_strings(lines))


def _strings(values: object) -> Iterable[str]:
    return (value for value in _listed(values) if isinstance(value, str))


def _objects(values: object) -> Iterable[dict[str, object]]:
    return (value for value in _listed(values) if isinstance(value, dict))


def _listed(values: object) -> list[object]:
    return values if isinstance(values, list) else []


def _get(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


NOTEBOOK = Reader(
    "notebook",
    N_("a Jupyter notebook"),
    "notebook",
    _NOTEBOOK_SUFFIXES,
    _notebook_recognises,
    _notebook_read,
)


# Names that promise a text, by what it is for.
_SUFFIXES = frozenset(
    f".{suffix}"
    for suffixes in (
        "txt text asc log nfo me readme diff patch md markdown mdown mkd rst rest adoc asciidoc",
        "org textile wiki creole pod csv tsv tab psv json jsonl ndjson geojson xml xsd xsl xslt",
        "rss atom opml yaml yml toml ini cfg conf properties env srt vtt sub ass lrc po pot",
        "strings ics vcf ldif bib ris sty cls bst dtx ins c h cc cpp cxx hh hpp hxx m mm cs java",
        "kt kts scala groovy go rs swift d py pyi pyx pyw rb pl pm php js mjs cjs jsx ts tsx vue",
        "svelte css scss sass less sql r rmd jl lua tcl sh bash zsh fish ps1 psm1 bat cmd asm s f",
        "f90 f95 for pas pp ada adb ads hs lhs ml mli fs fsx clj cljs edn erl hrl ex exs el lisp",
        "lsp scm rkt cob cbl vb vbs bas dart nim zig v sv vhd vhdl cmake mk make gradle tf proto",
        "graphql sol qml tla thy lean agda",
    )
    for suffix in suffixes.split()
)
OF_RECORDS = frozenset({".jsonl", ".ndjson"})  # of which each line is one

_HEAD = 4096  # bytes in which those of zero are seen
_BLOCK = 1 << 20
_BEYOND_ASCII = bytes(range(0x80, 0x100))


def _read(data: bytes, reading: Reading) -> Extracted:
    _check_length(data, reading.limits.characters)
    return Extracted(*decoded(data))


def _check_length(data: bytes, most: int) -> None:
    """Raise for a text that is certainly too long, before it takes four bytes a character.

    In encodings of East Asia half of the bytes of a character may be those of ASCII; in UTF-16 and
    UTF-32, which have bytes of zero, a file is not too large for its characters.
    """
    if len(data) <= 2 * most or b"\0" in data[:_HEAD]:
        return
    blocks = (data[start : start + _BLOCK] for start in range(0, len(data), _BLOCK))
    if sum(len(block.translate(None, _BEYOND_ASCII)) for block in blocks) > 2 * most:
        raise _too_long(most)


@in_english()
def _too_long(most: int) -> UnreadableError:
    return UnreadableError(
        ProblemCode.TOO_BIG,
        "This text has more than {number} characters. Texts over {most} are not read: split it.",
        "characters",
        number=readable_count(2 * most),
        most=readable_count(most),
    )


# Whatever no other reader takes is tried as text.
TEXT = Reader("text", N_("a text file"), "", _SUFFIXES, lambda *_: True, _read, isolated=False)


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
