"""LaTeX: the text of the printed document, as far as it follows from the source.

Formulas are kept as their signs, without markup, as they come out of a PDF. Numbers of sections,
references and citations are made by LaTeX and are not in the text. No file is included.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.readers import Extracted, Reader, Reading, decoded, tables_of
from core.documents.readers.shared.story import Gap, TextFlow

_MOST_EXPANDED = 1_000_000  # characters that macros may add
_DEEPEST = 40  # macros in macros
_PREAMBLE = 20_000  # characters in which the language is looked for
# One alternative always matches; each takes time linear in what it matches. Spaces after a command
# belong to it, as in TeX, and so does the line end; a comment takes its line end and the spaces
# that begin the next line.
_TOKEN = lazy_pattern(
    r"""
    (?P<text>(?:[^\\%{}$&~^_\#\["`'\-\n]|\n(?![ \t]*+\n))++)
    |(?P<comment>%[^\n]*+(?:\n[ \t]*+(?P<blank>\n\s*+)?)?)
    |\\verb\*?(?P<quote>[^\sa-zA-Z*])(?P<verb>[^\n]{0,1000}?)(?P=quote)
    |\\(?:(?P<accent>['`"^~=.])\s{0,9}|(?P<letter>[cvHukrdb])(?![a-zA-Z])\s{0,9})
        (?:\{\s{0,9}(?P<wrapped>\\[ij]|[^\W\d_])?\s{0,9}\}
        |(?P<bare>\\[ij](?![a-zA-Z])|[^\W\d_]))
    |\\(?P<edge>begin|end)\s{0,9}\{(?P<environment>[^{}\n\\]{1,60})\}
    |\\(?P<command>[a-zA-Z@]++)\*?(?P<spaces>[ \t]*+(?:\n(?![ \t]*+\n)[ \t]*+)?)
    |(?P<newline>\\\\\*?(?:[ \t]*+\[[^\]\n]{0,40}\])?)
    |\\(?P<sign>.)
    |(?P<paragraph>\n[ \t]*+\n\s*+)
    |(?P<german>"[aouAOUsz`'<>=~|"-])
    |(?P<ligature>---?|``|''|`|')
    |(?P<special>\$\$?|[{}&~^_\#])
    |(?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)
# The name that is defined, without parameters in the first group.
_DEFINED = lazy_pattern(
    r"\s{0,9}(?:\{\s{0,9}\\([a-zA-Z@]{1,60})\s{0,9}\}|\\([a-zA-Z@]{1,60}))([^{}\n]{0,80})(?=\{)"
)
_OPTION = lazy_pattern(r"[ \t]{0,9}\[([^\]\[{}]{0,400}(?:\{[^{}]{0,200}\}[^\]\[{}]{0,200}){0,5})\]")
_FALSE_END = lazy_pattern(r"\\(?:(?P<end>fi)|if(?!f(?![a-zA-Z]))[a-zA-Z@]*)(?![a-zA-Z])")
_IS_GERMAN = lazy_pattern(
    r"\\(?:usepackage|documentclass|documentstyle)\s{0,9}\[[^\]]{0,300}german|\\usepackage\{n?german"
)


class Source:
    """Where reading is in the source, and in the macros that are being expanded."""

    def __init__(self, source: str) -> None:
        whole = source.replace("?`", "¿").replace("!`", "¡")  # ligatures as well
        self._inputs = [(whole, 0)]
        self._room = _MOST_EXPANDED
        self._unended: set[str] = set()

    def next(self) -> re.Match[str] | None:
        """The next token; None at the end."""
        while self._inputs:
            source, at = self._inputs[-1]
            if token := _TOKEN.match(source, at):
                self._inputs[-1] = (source, token.end())
                return token
            self._inputs.pop()
        return None

    def stop(self) -> None:
        """Read no further."""
        self._inputs.clear()

    def upcoming(self) -> str:
        """The next character, after all macros."""
        return next((source[at] for source, at in reversed(self._inputs) if at < len(source)), "\n")

    def mark(self) -> tuple[int, int]:
        """This place, to come back to with `since`."""
        return len(self._inputs), self._inputs[-1][1]

    def since(self, mark: tuple[int, int]) -> str | None:
        """What was read since a mark; None when that was in another macro."""
        depth, start = mark
        if depth != len(self._inputs):
            return None
        source, at = self._inputs[-1]
        return source[start:at]

    def expand(self, body: str) -> None:
        """Read what a command stands for, as long as that does not get out of hand."""
        if len(self._inputs) < _DEEPEST and len(body) < self._room:
            self._room -= len(body) + 1
            self._inputs.append((body, 0))

    def skip_options(self) -> None:
        """Pass over the arguments in brackets that follow."""
        for _ in range(3):
            if self._take(_OPTION) is None:
                return

    def read_option(self) -> None:
        """Read the argument in brackets that follows as text."""
        if option := self._take(_OPTION):
            self._inputs.append((option[1] + " ", 0))

    def take_defined(self) -> str | None:
        """The command that is defined here, "" when it takes parameters; None for no command."""
        match = self._take(_DEFINED)
        if match is None:
            return None
        return "" if match[3].strip() else match[1] or match[2]

    def take_to_end(self, environment: str) -> str | None:
        """The source up to the end of an environment; None when that is missing."""
        source, at = self._inputs[-1]
        mark = f"\\end{{{environment}}}"
        end = -1 if environment in self._unended else source.find(mark, at)
        if end < 0:
            self._unended.add(environment)
            return None
        self._inputs[-1] = (source, end + len(mark))
        return source[at:end]

    def skip_false(self) -> None:
        r"""Pass over what is set aside between \iffalse and its \fi."""
        source, at = self._inputs[-1]
        depth = 1
        for match in _FALSE_END.finditer(source, at) if "\\fi" not in self._unended else ():
            depth += -1 if match["end"] else 1
            if depth == 0:
                self._inputs[-1] = (source, match.end())
                return
        self._unended.add("\\fi")

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        source, at = self._inputs[-1]
        if match := pattern.match(source, at):
            self._inputs[-1] = (source, match.end())
        return match


def has_body(source: str) -> bool:
    """Whether a document begins somewhere, and not just in a comment."""
    at = source.find("\\begin{document}")
    while at >= 0:
        if "%" not in source[source.rfind("\n", 0, at) + 1 : at].replace("\\%", ""):
            return True
        at = source.find("\\begin{document}", at + 1)
    return False


# What commands, signs and environments are for.
_TABLES = tables_of("latex")


def _names(table: str) -> frozenset[str]:
    return frozenset(_TABLES[table])


def _counts(table: str) -> dict[str, int]:
    """The names in the tables that end in 1 to 4, each with that number."""
    return {name: n for n in range(1, 5) for name in _TABLES.get(f"{table} {n}", ())}


def _pairs(table: str) -> dict[str, str]:
    """Names, each followed by what it stands for."""
    names = _TABLES[table]
    return dict(zip(names[::2], names[1::2], strict=True))


# Combining marks (Unicode); "t" ties two letters, which text does not show.
_COMBINING = (
    "\u0300\u0301\u0302\u0303\u0308\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a\u0323\u0331"
)
ACCENTS = dict(zip("`'^~\"=.uvHckrdb", _COMBINING, strict=True))
LIGATURES = _pairs("ligatures")
GERMAN = _pairs("german shorthands") | dict.fromkeys(('"-', '"|', '""'), "")
SYMBOLS = {**_pairs("symbols"), "og": "« ", "fg": " »"}
# Signs, and commands of one sign, that separate what is around them.
SIGNS = {
    **dict.fromkeys(("~", " ", "\n", "\t", ",", ";", ":", ">"), Gap.SPACE),
    "&": Gap.CELL,
    **dict.fromkeys(("$$", "[", "]"), Gap.LINE),
}
FRONT = ("title", "subtitle", "author", "institute", "date")
DELIMITED, SPACES = _names("delimited"), _names("spaces")
LINES, PARAGRAPHS = _names("lines"), _names("paragraphs")
HEADINGS = _names("headings")  # their argument is a paragraph of its own
NOTES, INCLUDING, DEFINITIONS = _names("notes"), _names("including"), _names("definitions")
OPTION_IS_TEXT = _names("option is text")
# How many arguments are not shown; those after them are.
ARGUMENTS = _counts("arguments") | {
    f"begin {name}": count for name, count in _counts("arguments of begin").items()
}
LINE_ENVIRONMENTS = _names("line environments")
VERBATIM_ENVIRONMENTS = _names("verbatim environments")
SKIPPED_ENVIRONMENTS = _names("skipped environments")


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

    def isolated_value(self) -> None:
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


@dataclass(slots=True)
class TexGroup:
    """A group that is open, the text between two braces, or an argument that a command waits for.

    Attributes:
        kind: What becomes of it: "shown", "unseen", "heading", "note", "front" or "macro".
        name: Of the part of the title, or of the macro.
        start: Where it begins in the source.
        following: The arguments after this one.
    """

    kind: str
    name: str = ""
    start: tuple[int, int] = (0, 0)
    following: list[TexGroup] = field(default_factory=list)

    @property
    def is_muted(self) -> bool:
        """Whether it is not shown where it stands."""
        return self.kind in {"unseen", "macro"}


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
        # Whether the shorthands of babel for German are in use.
        self._is_german = _IS_GERMAN.search(source[:_PREAMBLE]) is not None
        self._page = TypesetPage(in_preamble=has_body(source))
        self._groups: list[TexGroup] = []
        self._arguments: list[TexGroup] = []  # what the next groups are
        self._macros: dict[str, str] = {}
        self._included = 0
        self._handlers = {
            "text": self._text,
            "comment": lambda token: self._paragraph(token) if token["blank"] else None,
            "verb": lambda token: self._page.write_verbatim(token["verb"]),
            "accent": self._accent,
            "letter": self._accent,
            "wrapped": self._accent,
            "bare": self._accent,
            "environment": self._environment,
            "spaces": self._command,
            "newline": lambda _: self._page.separate(Gap.LINE),
            "sign": self._sign,
            "paragraph": self._paragraph,
            "german": lambda token: self._page.write(
                GERMAN[token[0]] if self._is_german else token[0]
            ),
            "ligature": lambda token: self._page.write(LIGATURES.get(token[0], token[0])),
            "special": self._special,
            "other": self._text,
        }
        self._run()

    def text(self) -> str:
        """What would be printed."""
        return self._page.text()

    def remarks(self) -> tuple[str, ...]:
        """What is not in the text."""
        remark = nstored(
            "{n} file that this one includes is not part of the text.",
            "{n} files that this one includes are not part of the text.",
            self._included,
        )
        return (remark,) if self._included else ()

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
        group = self._arguments.pop(0) if self._arguments else TexGroup("shown")
        group.following, self._arguments = self._arguments, []
        self._groups.append(group)
        if group.kind == "heading":
            self._page.end_paragraph()
        elif group.kind in {"note", "front"}:
            self._page.isolated_value()
        elif group.is_muted:
            self._page.muted += 1
            group.start = self._source.mark()

    def _close(self) -> None:
        if not self._groups:
            return
        group = self._groups.pop()
        self._arguments = group.following
        if group.is_muted:
            self._page.muted -= 1
            body = self._source.since(group.start)
            if group.kind == "macro" and body is not None:
                self._macros[group.name] = body.removesuffix("}")
        elif group.kind == "note":
            self._page.end_note()
        elif group.kind == "front":
            self._page.end_front(group.name)
        elif group.kind == "heading":
            self._page.end_paragraph()

    def _takes_argument(self) -> bool:
        """Whether a token is the argument of a command, and not shown."""
        return bool(self._arguments) and self._arguments.pop(0).is_muted

    # Tokens.

    def _text(self, token: re.Match[str]) -> None:
        text = token[0]
        if self._arguments:
            words = text.lstrip()
            if not words:
                return
            text = words[1:] if self._takes_argument() else text
        self._page.write(text)

    def _accent(self, token: re.Match[str]) -> None:
        mark = token["accent"] or token["letter"]
        letter = token["wrapped"] or token["bare"]
        if letter:
            letter = unicodedata.normalize("NFC", letter.removeprefix("\\") + ACCENTS[mark])
        if not self._takes_argument():
            self._page.write(letter or (mark if mark in "^~" else ""))

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
        while not self._page.in_preamble and self._groups and self._groups[-1].kind == "unseen":
            self._close()
        self._page.end_paragraph()

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
        self._wait_for_unseen(name)
        if name in FRONT:
            self._arguments.append(TexGroup("front", name))
        elif name in NOTES:
            self._arguments.append(TexGroup("note"))
        elif name in HEADINGS:
            self._arguments.append(TexGroup("heading"))

    def _wait_for_unseen(self, name: str) -> None:
        self._arguments = [TexGroup("unseen") for _ in range(ARGUMENTS.get(name, 0))]

    def _define(self) -> None:
        """Remember what a command without parameters stands for; leave out all others."""
        if (name := self._source.take_defined()) is not None:
            self._arguments = [TexGroup("macro" if name else "unseen", name)]

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
        self._wait_for_unseen(f"begin {name}")

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
_START = lazy_pattern(rb"(?:\xef\xbb\xbf)?(?:\s|%[^\n]*+\n)*+\\document(?:class|style)\s{0,9}[\[{]")
_REFERENCE = lazy_pattern(r"\\\w*(?:cite|ref)")
# What a citation leaves behind that is not in the text.
_LEFT_SPACE = lazy_pattern(r"(?<=\w)[ \u00a0]+(?=[,.](?:\s|\Z))")
_COMMAND = lazy_pattern(rb"\\(?:begin|end|section|chapter|emph|text\w\w|item|par|label|def)\b")


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


READER = Reader("latex", N_("a LaTeX file"), "LaTeX", _SUFFIXES, _recognises, _read)
