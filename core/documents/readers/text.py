"""Plain text, and what is read as such: Markdown, reStructuredText, TeX, CSV, source code."""

from __future__ import annotations

from core.documents.readers.base import Extracted, Reader, Reading, decoded

__all__ = ["READER"]

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


def _recognises(_data: bytes, _suffix: str) -> bool:
    """Whatever no other reader takes is tried as text."""
    return True


def _read(data: bytes, _reading: Reading) -> Extracted:
    """The text as it is."""
    return Extracted(*decoded(data))


READER = Reader("text", "a text file", _SUFFIXES, _recognises, _read, isolated=False)
