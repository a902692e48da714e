"""The messages of the program: extracts them, brings every catalogue up to date, compiles, checks.

    make words                        all catalogues
    python .ci/words.py CODE...       the same, and begins a catalogue for each language named
    python .ci/words.py --compile     only compiles

Messages are taken from `core` and `neardup_gui` into `resources/languages/neardup.pot`, and from
there into `resources/languages/CODE/LC_MESSAGES/neardup.po`. Both hold neither dates nor line
numbers: what was not changed stays as it is. The build of a wheel compiles, too (`WordsHook`).
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

try:  # where it runs as a part of a build
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    BuildHookInterface = object

PROJECT = Path(__file__).resolve().parents[1]
LANGUAGES = PROJECT / "resources" / "languages"
# Errors translate their message.
ERRORS = re.findall(
    r"^class (\w+)", (PROJECT / "core" / "errors.py").read_text("utf-8"), re.MULTILINE
)
KEYWORDS = {
    **dict.fromkeys(("gettext", "N_", "stored", "say", *ERRORS)),
    **dict.fromkeys(("ngettext", "nstored"), (1, 2)),
    "pgettext": ((1, "c"), 2),
    "UnreadableError": (2,),
    "add_flag": (3,),
}
HEADER = """\
# Messages of Neardup, for which MIT applies as for the program.
# `make words` writes this file; CONTRIBUTING says how words are changed.
#"""
# What of the heads of catalogues is of no use here, or differs from day to day.
UNUSED = re.compile(
    r'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Project-Id-Version|Report-Msgid-Bugs-To|'
    r"Last-Translator|Language-Team): .*\n",
    re.MULTILINE,
)
PLACEHOLDER = re.compile(r"\{[a-z_][a-z0-9_]*(?:[.!:\[][^}]*)?\}")
TAG = re.compile(r"</?[a-z]+[^>]*>|&(?:[a-z]+|#\d+);")
MNEMONIC = re.compile(r"&(?=[^\W_])(?![a-z]+;)")
DATE = datetime(2026, 1, 1, tzinfo=UTC)
SHOWN = 10  # untranslated messages of a language


class WordsHook(BuildHookInterface):  # type: ignore[misc]
    """Compiles the catalogues that a wheel takes along."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Before files are collected."""
        compile_catalogues()


def main(arguments: Sequence[str]) -> None:
    """Bring all catalogues up to date and say what they lack."""
    if list(arguments) == ["--compile"]:
        compile_catalogues()
        return
    template = extracted()
    _write(LANGUAGES / "neardup.pot", template)
    print(f"{len(template)} messages")
    begun = [LANGUAGES / code / "LC_MESSAGES" / "neardup.po" for code in arguments]
    for path in sorted({*catalogues(), *begun}):
        catalogue = read(path) if path.exists() else _empty(path.parents[1].name)
        catalogue.update(template)
        _write(path, catalogue)
        _say_what_is_missing(path)
    compile_catalogues()


def extracted() -> Catalog:
    """All messages of the program, each with what is said to its translators."""
    template = _empty()
    for room in ("core", "neardup_gui"):
        found = extract_from_dir(
            PROJECT / room,
            [("**.py", "python")],
            {},
            KEYWORDS,
            ["Translators:"],
            strip_comment_tags=True,
        )
        for _file, _line, message, comments, context in sorted(found, key=lambda entry: entry[:2]):
            template.add(message, auto_comments=comments, context=context)
    return template


def catalogues() -> list[Path]:
    """The catalogue of each language."""
    return sorted(LANGUAGES.glob("*/LC_MESSAGES/neardup.po"))


def read(path: Path) -> Catalog:
    """A catalogue of a language."""
    with path.open("rb") as file:
        return read_po(file, path.parents[1].name)


def compile_catalogues() -> None:
    """Compile each catalogue that is newer than what was compiled of it."""
    for path in catalogues():
        target = path.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime_ns <= path.stat().st_mtime_ns:
            compiled, catalogue = io.BytesIO(), read(path)
            # Not those of today, so that the same words make the same file.
            catalogue.creation_date = catalogue.revision_date = DATE
            write_mo(compiled, catalogue)
            target.write_bytes(compiled.getvalue())


def faults(catalogue: Catalog) -> Iterator[tuple[Message, str]]:
    """What is wrong with messages that are translated: they would be shown in English, or amiss."""
    for message in catalogue:
        if not message.id or not any(_texts(message.string)):
            continue
        translations = _texts(message.string)
        if message.pluralizable and len(translations) != catalogue.num_plurals:
            yield message, f"{len(translations)} plural forms instead of {catalogue.num_plurals}"
        if not all(translations):
            yield message, "a plural form is empty"
        sources = _texts(message.id)
        for translation in filter(None, translations):
            yield from ((message, fault) for fault in _differences(sources, translation))


def _differences(sources: Sequence[str], translation: str) -> Iterator[str]:
    """How a translation differs from its message in what is not words."""
    wanted = {name for source in sources for name in PLACEHOLDER.findall(source)}
    given = set(PLACEHOLDER.findall(translation))
    # "one pair", "two pairs" may be words of their own in a plural form.
    lacking = wanted - given - ({"{n}"} if len(sources) > 1 else set())
    if lacking or given - wanted:
        names = ", ".join(sorted(lacking)), ", ".join(sorted(given - wanted))
        yield f"placeholders: without {names[0] or 'none'}, with unknown {names[1] or 'none'}"
    if all(Counter(TAG.findall(source)) != Counter(TAG.findall(translation)) for source in sources):
        yield "other tags or entities"
    if len(MNEMONIC.findall(sources[0])) != len(MNEMONIC.findall(translation)):
        yield "other number of mnemonics (&)"


def _say_what_is_missing(path: Path) -> None:
    catalogue = read(path)
    messages = [message for message in catalogue if message.id]
    untranslated = [message for message in messages if not any(_texts(message.string))]
    fuzzy = sum(message.fuzzy for message in messages)
    wrong = list(faults(catalogue))
    translated = len(messages) - len(untranslated) - fuzzy
    print(
        f"{path.parents[1].name}: {translated} translated, {fuzzy} to be looked at (fuzzy), "
        f"{len(untranslated)} untranslated, {len(wrong)} wrong"
    )
    for message in untranslated[:SHOWN]:
        print(f"    untranslated: {_texts(message.id)[0]}")
    if len(untranslated) > SHOWN:
        print(f"    and {len(untranslated) - SHOWN} more")
    for message, fault in wrong:
        print(f"    {fault}: {_texts(message.id)[0]}")


def _texts(text: str | Sequence[str]) -> Sequence[str]:
    return [text] if isinstance(text, str) else list(text)


def _empty(code: str | None = None) -> Catalog:
    return Catalog(code, header_comment=HEADER, fuzzy=False)


def _write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue, where it is another than before."""
    for message in catalogue:
        # "100% of" is no format of C, and no program checks those of Python's `str.format`.
        message.flags -= {"python-format", "python-brace-format"}
    text = io.BytesIO()
    write_po(text, catalogue, width=100, no_location=True, sort_output=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = UNUSED.sub("", text.getvalue().decode("utf-8"))
    if not path.exists() or path.read_text("utf-8") != written:
        path.write_text(written, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
