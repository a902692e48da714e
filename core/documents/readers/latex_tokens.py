"""How a source of LaTeX is cut into tokens."""

from __future__ import annotations

import re

__all__ = ["DEFINED", "FALSE_END", "IS_GERMAN", "OPTION", "TOKEN", "has_body"]

# One alternative always matches; each takes time linear in what it matches. Spaces after a command
# belong to it, as in TeX, and so does the line end; a comment takes its line end and the spaces
# that begin the next line.
TOKEN = re.compile(
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
DEFINED = re.compile(
    r"\s{0,9}(?:\{\s{0,9}\\([a-zA-Z@]{1,60})\s{0,9}\}|\\([a-zA-Z@]{1,60}))([^{}\n]{0,80})(?=\{)"
)
OPTION = re.compile(r"[ \t]{0,9}\[([^\]\[{}]{0,400}(?:\{[^{}]{0,200}\}[^\]\[{}]{0,200}){0,5})\]")
FALSE_END = re.compile(r"\\(?:(?P<end>fi)|if(?!f(?![a-zA-Z]))[a-zA-Z@]*)(?![a-zA-Z])")
IS_GERMAN = re.compile(
    r"\\(?:usepackage|documentclass|documentstyle)\s{0,9}\[[^\]]{0,300}german|\\usepackage\{n?german"
)


def has_body(source: str) -> bool:
    """Whether a document begins somewhere, and not just in a comment."""
    at = source.find("\\begin{document}")
    while at >= 0:
        if "%" not in source[source.rfind("\n", 0, at) + 1 : at].replace("\\%", ""):
            return True
        at = source.find("\\begin{document}", at + 1)
    return False
