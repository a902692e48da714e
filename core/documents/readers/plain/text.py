"""Plain text, and what is read as such: Markdown, reStructuredText, TeX, CSV, source code."""

from __future__ import annotations

from core.base.wording import readable_count
from core.documents.model import ProblemCode
from core.documents.readers.reader import Extracted, Reader, Reading, decoded
from core.documents.unreadable import UnreadableError

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


_HEAD = 4096  # bytes in which those of zero are seen
_BLOCK = 1 << 20
_BEYOND_ASCII = bytes(range(0x80, 0x100))


def _recognises(_data: bytes, _suffix: str) -> bool:
    """Whatever no other reader takes is tried as text."""
    return True


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
        raise UnreadableError(
            ProblemCode.TOO_BIG,
            f"This text has more than {readable_count(2 * most)} characters. Texts over "
            f"{readable_count(most)} are not read: split it.",
            "characters",
        )


READER = Reader("text", "a text file", "", _SUFFIXES, _recognises, _read, isolated=False)
