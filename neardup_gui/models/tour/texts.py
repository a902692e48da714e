"""The texts of the tour: the sample corpus, and two essays of it that share nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from neardup_gui.models.tour.state import Excerpt

ESSAY, OTHER = "essays/canal-closure.md", "essays/street-trees-tran.txt"
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟])|\n\s*\n")
ENDS = ".!?。！？؟…"
LEAST_LETTERS = 40  # of a sentence: salutations are shorter
MOST_LETTERS = 300


@dataclass(frozen=True, slots=True)
class TourTexts:
    """The sample corpus.

    Attributes:
        names: Of its documents.
        texts: Of the same.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def essay(self) -> str:
        """The text that is copied."""
        return self._text(ESSAY)

    @property
    def other(self) -> str:
        """A text on another subject, of the same language and length."""
        return self._text(OTHER)

    def own(self, excerpt: Excerpt) -> Excerpt:
        """What the user has, or the essay where that is nothing: with its text to be cut."""
        if excerpt.text.strip():
            return excerpt
        name, document = excerpt.name, excerpt.document
        if not document.strip():
            name, document = ESSAY, self.essay
        return Excerpt(name, first_sentence(document), document)

    def _text(self, name: str) -> str:
        return self.texts[self.names.index(name)]


def first_sentence(text: str) -> str:
    """The first whole sentence, no heading, in one line; at most some 300 letters of it.

    Of a text without any the longest paragraph.
    """
    sentences = [" ".join(one.split()) for one in SENTENCE_END.split(text) if one.strip()]
    whole = (one for one in sentences if _is_whole(one))
    sentence = next(whole, max(sentences, key=len, default=""))
    if len(sentence) <= MOST_LETTERS:
        return sentence
    return sentence[:MOST_LETTERS].rsplit(" ", 1)[0]


def _is_whole(sentence: str) -> bool:
    """No heading, no salutation."""
    heading = sentence.startswith("#")
    return not heading and len(sentence) >= LEAST_LETTERS and sentence[-1] in ENDS


def short_name(name: str) -> str:
    """A document without its folder."""
    return name.rsplit("/", 1)[-1]
