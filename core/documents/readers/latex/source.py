"""The source of a document of LaTeX, token by token, with what its macros stand for."""

from __future__ import annotations

import re

_MOST_EXPANDED = 1_000_000  # characters that macros may add
_DEEPEST = 40  # macros in macros
_PREAMBLE = 20_000  # characters in which the language is looked for
# One alternative always matches; each takes time linear in what it matches. Spaces after a command
# belong to it, as in TeX, and so does the line end; a comment takes its line end and the spaces
# that begin the next line.
_TOKEN = re.compile(
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
_DEFINED = re.compile(
    r"\s{0,9}(?:\{\s{0,9}\\([a-zA-Z@]{1,60})\s{0,9}\}|\\([a-zA-Z@]{1,60}))([^{}\n]{0,80})(?=\{)"
)
_OPTION = re.compile(r"[ \t]{0,9}\[([^\]\[{}]{0,400}(?:\{[^{}]{0,200}\}[^\]\[{}]{0,200}){0,5})\]")
_FALSE_END = re.compile(r"\\(?:(?P<end>fi)|if(?!f(?![a-zA-Z]))[a-zA-Z@]*)(?![a-zA-Z])")
_IS_GERMAN = re.compile(
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
        found = self._take(_DEFINED)
        if found is None:
            return None
        return "" if found[3].strip() else found[1] or found[2]

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
        for found in _FALSE_END.finditer(source, at) if "\\fi" not in self._unended else ():
            depth += -1 if found["end"] else 1
            if depth == 0:
                self._inputs[-1] = (source, found.end())
                return
        self._unended.add("\\fi")

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        source, at = self._inputs[-1]
        if found := pattern.match(source, at):
            self._inputs[-1] = (source, found.end())
        return found


def has_body(source: str) -> bool:
    """Whether a document begins somewhere, and not just in a comment."""
    at = source.find("\\begin{document}")
    while at >= 0:
        if "%" not in source[source.rfind("\n", 0, at) + 1 : at].replace("\\%", ""):
            return True
        at = source.find("\\begin{document}", at + 1)
    return False


def is_german(source: str) -> bool:
    """Whether the shorthands of babel for German are in use."""
    return _IS_GERMAN.search(source[:_PREAMBLE]) is not None
