"""LaTeX: the text of the printed document, as far as the source tells it.

Formulas are kept as their signs, without markup, as they come out of a PDF. Numbers of sections,
references and citations are made by LaTeX and are not in the text. No file is included.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum, auto

from core.documents.readers.latex.source import Source, has_body, is_german
from core.documents.readers.latex.tables import (
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
from core.documents.readers.reader import Extracted, Reader, Reading, decoded
from core.documents.readers.shared.text_flow import Gap, TextFlow


class TypesetPage:
    """Takes what is printed, in the order of the source.

    Attributes:
        muted: In how many groups that are not shown the source is.
        in_preamble: Nothing is printed but what is set apart.
    """

    def __init__(self, *, in_preamble: bool) -> None:
        self.muted = 0
        self.in_preamble = in_preamble
        self._flow = TextFlow()
        self._outer: list[TextFlow] = []  # what a note or a title interrupts
        self._notes: list[str] = []
        self._front: dict[str, str] = {}

    @property
    def is_silent(self) -> bool:
        """Whether nothing is printed at this place."""
        return self.muted > 0 or (self.in_preamble and not self._outer)

    def write(self, text: str) -> None:
        """Print running text."""
        if not self.is_silent:
            self._flow.write(text)

    def write_verbatim(self, text: str) -> None:
        """Print text as it is."""
        if not self.is_silent:
            self._flow.write_verbatim(text)

    def separate(self, gap: Gap) -> None:
        """Have at least this gap before what comes next."""
        if not self.is_silent:
            self._flow.separate(gap)

    def end_paragraph(self) -> None:
        """Set what follows apart; the notes to the paragraph come after it, as on a page."""
        self.separate(Gap.PARAGRAPH)
        if self._outer:
            return
        for note in self._notes:
            self._flow.separate(Gap.PARAGRAPH)
            self._flow.write_verbatim(note)
            self._flow.separate(Gap.PARAGRAPH)
        self._notes.clear()

    def set_apart(self) -> None:
        """Begin a text that does not belong into the running one."""
        self._outer.append(self._flow)
        self._flow = TextFlow()

    def end_note(self) -> None:
        """Make a note of the text that was set apart."""
        text = self._take_back()
        if text and not self.is_silent:
            self._notes.append(text)

    def end_front(self, name: str) -> None:
        """Make a part of the title of the text that was set apart."""
        self._front[name] = self._take_back()

    def make_title(self) -> None:
        """Print the title here."""
        for name in FRONT:
            self.separate(Gap.PARAGRAPH)
            self.write_verbatim(self._front.pop(name, ""))
        self.end_paragraph()

    def text(self) -> str:
        """All that was printed; a title that no command prints comes first."""
        front = "\n\n".join(filter(None, (self._front.get(name) for name in FRONT)))
        return "\n\n".join(filter(None, (front, self._flow.text().strip())))

    def _take_back(self) -> str:
        text = self._flow.text().strip()
        self._flow = self._outer.pop()
        return text


class TexGroupKind(Enum):
    """What becomes of a group, the text between two braces."""

    SHOWN = auto()
    UNSEEN = auto()
    HEADING = auto()
    NOTE = auto()
    FRONT = auto()
    MACRO = auto()


@dataclass(slots=True)
class TexGroup:
    """A group that is open, or an argument that a command waits for."""

    kind: TexGroupKind
    name: str = ""
    start: tuple[int, int] = (0, 0)
    following: list[TexGroup] = field(default_factory=list)  # arguments after this one


APART = frozenset({TexGroupKind.NOTE, TexGroupKind.FRONT})
MUTED = frozenset({TexGroupKind.UNSEEN, TexGroupKind.MACRO})


_STEP = 20_000  # tokens
_WITHOUT_OPTIONS = DELIMITED | SYMBOLS.keys()  # a bracket after them is one
_NO_SPACE_BEFORE = frozenset(".,;:!?)'-/~}\\\n")


class Typesetter:
    """What has been written, and what is open.

    Args:
        source: A document, or a piece of one.
        reading: Told of every few thousand tokens.
    """

    def __init__(self, source: str, reading: Reading) -> None:
        self._reading = reading
        self._source = Source(source)
        self._is_german = is_german(source)
        self._page = TypesetPage(in_preamble=has_body(source))
        self._groups: list[TexGroup] = []
        self._arguments: list[TexGroup] = []  # what the next groups are
        self._macros: dict[str, str] = {}
        self._included = 0
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
        """What would be printed."""
        return self._page.text()

    def remarks(self) -> tuple[str, ...]:
        """What is not in the text."""
        if not self._included:
            return ()
        if self._included == 1:
            return ("1 file that this one includes is not part of the text.",)
        return (f"{self._included:,} files that this one includes are not part of the text.",)

    def _run(self) -> None:
        count = 0
        while (token := self._source.next()) is not None:
            self._handlers[token.lastgroup or "other"](token)
            count += 1
            if count % _STEP == 0:
                self._reading.step()
        while self._groups:
            self._close()
        self._page.end_paragraph()

    # Groups and arguments.

    def _open(self) -> None:
        group = self._arguments.pop(0) if self._arguments else TexGroup(TexGroupKind.SHOWN)
        group.following, self._arguments = self._arguments, []
        self._groups.append(group)
        if group.kind == TexGroupKind.HEADING:
            self._page.end_paragraph()
        elif group.kind in APART:
            self._page.set_apart()
        elif group.kind in MUTED:
            self._page.muted += 1
            group.start = self._source.mark()

    def _close(self) -> None:
        if not self._groups:
            return
        group = self._groups.pop()
        self._arguments = group.following
        if group.kind in MUTED:
            self._page.muted -= 1
            body = self._source.since(group.start)
            if group.kind == TexGroupKind.MACRO and body is not None:
                self._macros[group.name] = body.removesuffix("}")
        elif group.kind == TexGroupKind.NOTE:
            self._page.end_note()
        elif group.kind == TexGroupKind.FRONT:
            self._page.end_front(group.name)
        elif group.kind == TexGroupKind.HEADING:
            self._page.end_paragraph()

    def _takes_argument(self) -> bool:
        """Whether a token is the argument of a command, and not shown."""
        if not self._arguments:
            return False
        return self._arguments.pop(0).kind in MUTED

    # Tokens.

    def _text(self, token: re.Match[str]) -> None:
        text = token[0]
        if self._arguments:
            words = text.lstrip()
            if not words:
                return
            text = words[1:] if self._takes_argument() else text
        self._page.write(text)

    def _comment(self, token: re.Match[str]) -> None:
        if token["blank"]:
            self._paragraph(token)

    def _verb(self, token: re.Match[str]) -> None:
        self._page.write_verbatim(token["verb"])

    def _accent(self, token: re.Match[str]) -> None:
        mark = token["accent"] or token["letter"]
        letter = token["wrapped"] or token["bare"]
        if letter:
            letter = unicodedata.normalize("NFC", letter.removeprefix("\\") + ACCENTS[mark])
        if not self._takes_argument():
            self._page.write(letter or (mark if mark in "^~" else ""))

    def _newline(self, _token: re.Match[str]) -> None:
        self._page.separate(Gap.LINE)

    def _sign(self, token: re.Match[str]) -> None:
        sign = token["sign"]
        if self._takes_argument():
            return
        if sign in SYMBOLS:
            self._page.write_verbatim(SYMBOLS[sign])
        elif sign in SIGNS:
            self._page.separate(SIGNS[sign])

    def _paragraph(self, _token: re.Match[str]) -> None:
        """A blank line; a short argument does not reach over it, so its brace is missing."""
        self._arguments.clear()
        unseen = TexGroupKind.UNSEEN
        while not self._page.in_preamble and self._groups and self._groups[-1].kind == unseen:
            self._close()
        self._page.end_paragraph()

    def _german(self, token: re.Match[str]) -> None:
        self._page.write(GERMAN[token[0]] if self._is_german else token[0])

    def _ligature(self, token: re.Match[str]) -> None:
        self._page.write(LIGATURES.get(token[0], token[0]))

    def _special(self, token: re.Match[str]) -> None:
        sign = token[0]
        if sign == "{":
            self._open()
        elif sign == "}":
            self._close()
        elif sign in SIGNS:
            self._page.separate(SIGNS[sign])

    def _command(self, token: re.Match[str]) -> None:
        name = token["command"]
        if name in self._macros:
            self._source.expand(self._macros[name])
        elif name in DEFINITIONS:
            self._define()
        elif name in FRONT or name in NOTES or name in HEADINGS or name in ARGUMENTS:
            self._take_arguments(name)
        elif name == "iffalse":
            self._source.skip_false()
        elif not self._takes_argument():
            self._show(name, token["spaces"])
            if not token["spaces"] and name not in _WITHOUT_OPTIONS:
                self._source.skip_options()

    def _show(self, name: str, spaces: str) -> None:
        """A command without arguments, or one that shows all of them."""
        if name in SYMBOLS:
            sign = SYMBOLS[name]
            self._page.write_verbatim(sign)
            if spaces and (sign == name or unicodedata.category(sign[0]) == "Sm"):
                self._page.separate(Gap.SPACE)  # an operator, which has room around it
        elif name in PARAGRAPHS:
            (self._page.make_title if name == "maketitle" else self._page.end_paragraph)()
        elif name in LINES:
            self._page.separate(Gap.LINE)
            if name == "item":
                self._source.read_option()
        elif name == "xspace":
            self._page.separate(
                Gap.NOTHING if self._source.upcoming() in _NO_SPACE_BEFORE else Gap.SPACE
            )
        elif spaces or name in SPACES:
            self._page.separate(Gap.SPACE)

    def _take_arguments(self, name: str) -> None:
        if name in INCLUDING and not self._page.is_silent:
            self._included += 1
        if name == "bibitem":
            self._page.separate(Gap.LINE)
        self._source.skip_options()
        self._arguments = [TexGroup(TexGroupKind.UNSEEN) for _ in range(ARGUMENTS.get(name, 0))]
        if name in FRONT:
            self._arguments.append(TexGroup(TexGroupKind.FRONT, name))
        elif name in NOTES:
            self._arguments.append(TexGroup(TexGroupKind.NOTE))
        elif name in HEADINGS:
            self._arguments.append(TexGroup(TexGroupKind.HEADING))

    def _define(self) -> None:
        """Remember what a command without parameters stands for; leave out all others."""
        if (name := self._source.take_defined()) is not None:
            self._arguments = [TexGroup(TexGroupKind.MACRO if name else TexGroupKind.UNSEEN, name)]

    # Environments.

    def _environment(self, token: re.Match[str]) -> None:
        name = token["environment"].strip()
        self._arguments.clear()
        if name == "document":
            self._page.in_preamble = False
            if token["edge"] == "end":
                self._source.stop()
        elif token["edge"] == "begin" and name in SKIPPED_ENVIRONMENTS | VERBATIM_ENVIRONMENTS:
            self._take_whole(name)
        elif name in LINE_ENVIRONMENTS:
            self._page.separate(Gap.LINE)
        else:
            self._page.end_paragraph()
            if token["edge"] == "begin":
                self._begin(name)

    def _begin(self, name: str) -> None:
        if name in OPTION_IS_TEXT:
            self._source.read_option()
        else:
            self._source.skip_options()
        self._arguments = [
            TexGroup(TexGroupKind.UNSEEN) for _ in range(ARGUMENTS.get(f"begin {name}", 0))
        ]

    def _take_whole(self, name: str) -> None:
        """An environment in which nothing is a command: shown as it is, or not at all."""
        self._source.skip_options()
        content = self._source.take_to_end(name)
        if content is None:
            return
        self._page.end_paragraph()
        if name in VERBATIM_ENVIRONMENTS:
            language = content.find("}") + 1 if name == "minted" else 0
            self._page.write_verbatim(content[language:].strip("\n"))
            self._page.end_paragraph()


_SUFFIXES = frozenset({".tex", ".ltx", ".latex"})
# Names that say nothing about the format.
_SNIFFED = frozenset({"", ".txt", ".text"})
_HEAD = 1 << 16
_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|%[^\n]*+\n)*+\\document(?:class|style)\s{0,9}[\[{]")
_REFERENCE = re.compile(r"\\\w*(?:cite|ref)")
# What a citation leaves behind that is not in the text.
_LEFT_SPACE = re.compile(r"(?<=\w)[ \u00a0]+(?=[,.](?:\s|\Z))")
_COMMAND = re.compile(rb"\\(?:begin|end|section|chapter|emph|text\w\w|item|par|label|def)\b")


def _recognises(data: bytes, suffix: str) -> bool:
    """By its class of document; under a name that promises LaTeX, by any of its commands."""
    head = data[:_HEAD]
    if suffix in _SUFFIXES:
        return _COMMAND.search(head) is not None or _START.match(head) is not None
    return suffix in _SNIFFED and _START.match(head) is not None


def _read(data: bytes, reading: Reading) -> Extracted:
    source, encoding = decoded(data)
    typesetter = Typesetter(source, reading)
    text = typesetter.text()
    if _REFERENCE.search(source):
        text = _LEFT_SPACE.sub("", text)
    return Extracted(text, encoding, typesetter.remarks())


READER = Reader("latex", "a LaTeX file", "LaTeX", _SUFFIXES, _recognises, _read)
