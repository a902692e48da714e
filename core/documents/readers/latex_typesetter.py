"""Reads LaTeX token by token and writes what would be printed, without recursion."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

from core.documents.readers.base import Reading
from core.documents.readers.flow import Gap, TextFlow
from core.documents.readers.latex_tables import (
    ACCENTS,
    ARGUMENTS,
    DEFINITIONS,
    DELIMITED,
    FRONT,
    GERMAN,
    HEADINGS,
    INCLUDING,
    LIGATURES,
    LINE_ENVIRONMENTS,
    LINES,
    NOTES,
    OPTION_IS_TEXT,
    PARAGRAPHS,
    SIGNS,
    SKIPPED_ENVIRONMENTS,
    SPACES,
    SYMBOLS,
    VERBATIM_ENVIRONMENTS,
)
from core.documents.readers.latex_tokens import (
    DEFINED,
    FALSE_END,
    IS_GERMAN,
    OPTION,
    TOKEN,
    has_body,
)

__all__ = ["Typesetter"]

_STEP = 20_000  # tokens
_MOST_EXPANDED = 1_000_000  # characters that macros may add
_DEEPEST = 40  # macros in macros
_PREAMBLE = 20_000  # characters in which the language is looked for
_WITHOUT_OPTIONS = DELIMITED | SYMBOLS.keys()  # a bracket after them is one
_NO_SPACE_BEFORE = frozenset(".,;:!?)'-/~}\\\n")


class _Kind(Enum):
    """What becomes of a group, the text between two braces."""

    SHOWN = auto()
    UNSEEN = auto()
    HEADING = auto()
    NOTE = auto()
    FRONT = auto()
    MACRO = auto()


@dataclass(slots=True)
class _Group:
    kind: _Kind
    name: str = ""
    start: int = 0
    depth: int = 0


_APART = frozenset({_Kind.NOTE, _Kind.FRONT})
_MUTED = frozenset({_Kind.UNSEEN, _Kind.MACRO})


class Typesetter:
    """What has been written, and what is open.

    Args:
        source: A document, or a piece of one.
        reading: Told of every few thousand tokens.
    """

    def __init__(self, source: str, reading: Reading) -> None:
        self._reading = reading
        self._inputs: list[tuple[str, int]] = [
            (source.replace("?`", "¿").replace("!`", "¡"), 0)  # ligatures as well
        ]
        self._is_german = IS_GERMAN.search(source[:_PREAMBLE]) is not None
        self._in_preamble = has_body(source)
        self._flow = TextFlow()
        self._outer: list[TextFlow] = []  # what a note or a title interrupts
        self._notes: list[str] = []
        self._front: dict[str, str] = {}
        self._groups: list[_Group] = []
        self._muted = 0
        self._arguments: list[_Group] = []  # what the next groups are
        self._macros: dict[str, str] = {}
        self._room = _MOST_EXPANDED
        self._included = 0
        self._unended: set[str] = set()
        self._handlers = {
            "text": self._text,
            "comment": self._comment,
            "verb": self._verb,
            "accent": self._accent,
            "letter": self._accent,
            "wrapped": self._accent,
            "bare": self._accent,
            "environment": self._environment,
            "spaces": self._command,
            "newline": self._newline,
            "sign": self._sign,
            "paragraph": self._paragraph,
            "german": self._german,
            "ligature": self._ligature,
            "special": self._special,
            "other": self._text,
        }
        self._run()

    def text(self) -> str:
        """What would be printed; a title that no command prints comes first."""
        front = "\n\n".join(filter(None, (self._front.get(name) for name in FRONT)))
        return "\n\n".join(filter(None, (front, self._flow.text().strip())))

    def remarks(self) -> tuple[str, ...]:
        """What is not in the text."""
        if not self._included:
            return ()
        if self._included == 1:
            return ("1 file that this one includes is not part of the text.",)
        return (f"{self._included:,} files that this one includes are not part of the text.",)

    def _run(self) -> None:
        count = 0
        while self._inputs:
            source, at = self._inputs[-1]
            token = TOKEN.match(source, at)
            if token is None:
                self._inputs.pop()
                continue
            self._inputs[-1] = (source, token.end())
            self._handlers[token.lastgroup or "other"](token)
            count += 1
            if count % _STEP == 0:
                self._reading.step()
        while self._groups:
            self._close()
        self._end_paragraph()

    # What is written.

    @property
    def _is_silent(self) -> bool:
        return self._muted > 0 or (self._in_preamble and not self._outer)

    def _write(self, text: str) -> None:
        if not self._is_silent:
            self._flow.write(text)

    def _write_verbatim(self, text: str) -> None:
        if not self._is_silent:
            self._flow.write_verbatim(text)

    def _separate(self, gap: Gap) -> None:
        if not self._is_silent:
            self._flow.separate(gap)

    def _end_paragraph(self) -> None:
        """Set what follows apart; the notes to the paragraph come after it, as on a page."""
        self._separate(Gap.PARAGRAPH)
        if not self._outer:
            for note in self._notes:
                self._flow.separate(Gap.PARAGRAPH)
                self._flow.write_verbatim(note)
                self._flow.separate(Gap.PARAGRAPH)
            self._notes.clear()

    # Groups and arguments.

    def _open(self) -> None:
        group = self._arguments.pop(0) if self._arguments else _Group(_Kind.SHOWN)
        self._groups.append(group)
        if group.kind == _Kind.HEADING:
            self._end_paragraph()
        elif group.kind in _APART:
            self._outer.append(self._flow)
            self._flow = TextFlow()
        elif group.kind in _MUTED:
            self._muted += 1
            group.start, group.depth = self._inputs[-1][1], len(self._inputs)

    def _close(self) -> None:
        if not self._groups:
            return
        group = self._groups.pop()
        if group.kind in _MUTED:
            self._muted -= 1
            if group.kind == _Kind.MACRO and group.depth == len(self._inputs):
                source, at = self._inputs[-1]
                self._macros[group.name] = source[group.start : at - 1]
        elif group.kind in _APART:
            text = self._flow.text().strip()
            self._flow = self._outer.pop()
            if group.kind == _Kind.FRONT:
                self._front[group.name] = text
            elif text and not self._is_silent:
                self._notes.append(text)
        elif group.kind == _Kind.HEADING:
            self._end_paragraph()

    def _takes_argument(self) -> bool:
        """Whether a token is the argument of a command, and not shown."""
        if not self._arguments:
            return False
        return self._arguments.pop(0).kind in _MUTED

    def _skip_options(self) -> None:
        """Pass over the arguments in brackets that follow."""
        for _ in range(3):
            source, at = self._inputs[-1]
            if not (option := OPTION.match(source, at)):
                return
            self._inputs[-1] = (source, option.end())

    def _read_option(self) -> None:
        """Read the argument in brackets that follows as text."""
        source, at = self._inputs[-1]
        if option := OPTION.match(source, at):
            self._inputs[-1] = (source, option.end())
            self._inputs.append((option[1] + " ", 0))

    # Tokens.

    def _text(self, token: re.Match[str]) -> None:
        text = token[0]
        if self._arguments:
            words = text.lstrip()
            if not words:
                return
            text = words[1:] if self._takes_argument() else text
        self._write(text)

    def _comment(self, token: re.Match[str]) -> None:
        if token["blank"]:
            self._paragraph(token)

    def _verb(self, token: re.Match[str]) -> None:
        self._write_verbatim(token["verb"])

    def _accent(self, token: re.Match[str]) -> None:
        mark = token["accent"] or token["letter"]
        letter = token["wrapped"] or token["bare"]
        if letter:
            letter = unicodedata.normalize("NFC", letter.removeprefix("\\") + ACCENTS[mark])
        if not self._takes_argument():
            self._write(letter or (mark if mark in "^~" else ""))

    def _newline(self, _token: re.Match[str]) -> None:
        self._separate(Gap.LINE)

    def _sign(self, token: re.Match[str]) -> None:
        sign = token["sign"]
        if self._takes_argument():
            return
        if sign in SYMBOLS:
            self._write_verbatim(SYMBOLS[sign])
        elif sign in SIGNS:
            self._separate(SIGNS[sign])

    def _paragraph(self, _token: re.Match[str]) -> None:
        """A blank line; a short argument does not reach over it, so its brace is missing."""
        self._arguments.clear()
        while not self._in_preamble and self._groups and self._groups[-1].kind == _Kind.UNSEEN:
            self._close()
        self._end_paragraph()

    def _german(self, token: re.Match[str]) -> None:
        self._write(GERMAN[token[0]] if self._is_german else token[0])

    def _ligature(self, token: re.Match[str]) -> None:
        self._write(LIGATURES.get(token[0], token[0]))

    def _special(self, token: re.Match[str]) -> None:
        sign = token[0]
        if sign == "{":
            self._open()
        elif sign == "}":
            self._arguments.clear()
            self._close()
        elif sign in SIGNS:
            self._separate(SIGNS[sign])

    def _command(self, token: re.Match[str]) -> None:
        name = token["command"]
        if name in self._macros:
            self._expand(self._macros[name])
        elif name in DEFINITIONS:
            self._define()
        elif name in FRONT or name in NOTES or name in HEADINGS or name in ARGUMENTS:
            self._take_arguments(name)
        elif name == "iffalse":
            self._skip_false()
        elif not self._takes_argument():
            self._show(name, token["spaces"])
            if not token["spaces"] and name not in _WITHOUT_OPTIONS:
                self._skip_options()

    def _show(self, name: str, spaces: str) -> None:
        """A command without arguments, or one that shows all of them."""
        if name in SYMBOLS:
            self._write_verbatim(SYMBOLS[name])
        elif name in PARAGRAPHS:
            if name == "maketitle":
                self._make_title()
            self._end_paragraph()
        elif name in LINES:
            self._separate(Gap.LINE)
            if name == "item":
                self._read_option()
        elif name == "xspace":
            self._separate(Gap.NOTHING if self._upcoming() in _NO_SPACE_BEFORE else Gap.SPACE)
        elif spaces or name in SPACES:
            self._separate(Gap.SPACE)

    def _take_arguments(self, name: str) -> None:
        if name in INCLUDING and not self._is_silent:
            self._included += 1
        if name == "bibitem":
            self._separate(Gap.LINE)
        self._skip_options()
        self._arguments = [_Group(_Kind.UNSEEN) for _ in range(ARGUMENTS.get(name, 0))]
        if name in FRONT:
            self._arguments.append(_Group(_Kind.FRONT, name))
        elif name in NOTES:
            self._arguments.append(_Group(_Kind.NOTE))
        elif name in HEADINGS:
            self._arguments.append(_Group(_Kind.HEADING))

    def _make_title(self) -> None:
        """Print the title here."""
        for name in FRONT:
            self._end_paragraph()
            self._write_verbatim(self._front.pop(name, ""))

    def _define(self) -> None:
        """Remember what a command without parameters stands for; leave out all others."""
        source, at = self._inputs[-1]
        found = DEFINED.match(source, at)
        if found is None:
            return
        self._inputs[-1] = (source, found.end())
        kind = _Kind.UNSEEN if found[3].strip() else _Kind.MACRO
        self._arguments = [_Group(kind, found[1] or found[2])]

    def _expand(self, body: str) -> None:
        """Read what a command stands for, as long as that does not get out of hand."""
        if len(self._inputs) < _DEEPEST and len(body) < self._room:
            self._room -= len(body) + 1
            self._inputs.append((body, 0))

    def _upcoming(self) -> str:
        """The next character, after all macros."""
        return next((source[at] for source, at in reversed(self._inputs) if at < len(source)), "\n")

    def _skip_false(self) -> None:
        r"""Pass over what is set aside between \iffalse and its \fi."""
        source, at = self._inputs[-1]
        depth = 1
        if "fi" in self._unended:
            return
        for found in FALSE_END.finditer(source, at):
            depth += -1 if found["end"] else 1
            if depth == 0:
                self._inputs[-1] = (source, found.end())
                return
        self._unended.add("fi")

    # Environments.

    def _environment(self, token: re.Match[str]) -> None:
        name = token["environment"].strip()
        self._arguments.clear()
        if name == "document":
            self._in_preamble = False
            self._end_paragraph()
            if token["edge"] == "end":
                self._inputs.clear()
        elif token["edge"] == "begin" and name in SKIPPED_ENVIRONMENTS | VERBATIM_ENVIRONMENTS:
            self._take_whole(name)
        elif name in LINE_ENVIRONMENTS:
            self._separate(Gap.LINE)
        else:
            self._end_paragraph()
            if token["edge"] == "begin":
                self._begin(name)

    def _begin(self, name: str) -> None:
        if name in OPTION_IS_TEXT:
            self._read_option()
        else:
            self._skip_options()
        self._arguments = [_Group(_Kind.UNSEEN) for _ in range(ARGUMENTS.get(f"begin {name}", 0))]

    def _take_whole(self, name: str) -> None:
        """An environment in which nothing is a command: shown as it is, or not at all."""
        self._skip_options()
        source, at = self._inputs[-1]
        end = -1 if name in self._unended else source.find(f"\\end{{{name}}}", at)
        if end < 0:
            self._unended.add(name)
            return
        self._end_paragraph()
        if name in VERBATIM_ENVIRONMENTS:
            start = source.find("}", at, end) + 1 if name == "minted" else at
            self._write_verbatim(source[start:end].strip("\n"))
            self._end_paragraph()
        self._inputs[-1] = (source, end + len(name) + 6)
