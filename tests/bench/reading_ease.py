"""How easy the pages of help are to read, by Flesch (1948): 60 and more is plain English.

Only sentences are counted: code, tables and headings are left out, and an item of a list ends a
sentence. Syllables are counted by groups of vowels, without a silent "e" at the end.

    python tests/bench/reading_ease.py
"""

from __future__ import annotations

import re

from core.program.help_pages import help_pages, without_marks

VOWELS = re.compile(r"[aeiouy]+")
SILENT = re.compile(r"(?<=[^aeiouyl])e$|(?<=[aeiou][lr])e$|(?<=[^aeiouytd])ed$|(?<=[^sxzc])es$")


def syllables(word: str) -> int:
    """About how many syllables an English word has."""
    return max(len(VOWELS.findall(SILENT.sub("", word.lower()))), 1)


def reading_ease(markdown: str) -> float:
    """Flesch's figure of a page."""
    prose = re.sub(
        r"```.*?```|`[^`]+`|^(#|\||!\[).*?$", "", markdown, flags=re.DOTALL | re.MULTILINE
    )
    ends = re.sub(r"\n\n|\n(?=- |\d+\. )", ". ", prose)
    sentences = [
        words
        for sentence in re.split(r"[.!?]+(?:\s|$)", without_marks(ends))
        if (words := re.findall(r"[A-Za-z][A-Za-z’'-]*", sentence))
    ]
    words = [word for sentence in sentences for word in sentence]
    length = len(words) / len(sentences)
    return 206.835 - 1.015 * length - 84.6 * sum(map(syllables, words)) / len(words)


def main() -> None:
    """Print the figure of each page, the hardest first, and of all together."""
    pages = help_pages()
    for ease, name in sorted((reading_ease(page.text), page.name) for page in pages):
        print(f"{ease:5.1f}  {name}")
    together = reading_ease("\n\n".join(page.text for page in pages))
    print(f"{together:5.1f}  all pages together")


if __name__ == "__main__":
    main()
