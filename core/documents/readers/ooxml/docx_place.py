"""Where the reading of a Word document is, in one of its stories."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.documents.model import ProblemCode
from core.documents.readers.shared.story import WordStory
from core.documents.readers.shared.word_fields import Fields
from core.documents.unreadable import UnreadableError

_STORIES = 64  # text boxes in text boxes


@dataclass(slots=True)
class StoryPlace:
    """Where the reading is in one story.

    Attributes:
        fields: That have begun here.
        is_hidden: The style of the paragraph hides it.
        is_shaded: The paragraph has a background of its own.
        joins: The mark at the end of the paragraph is deleted or hidden.
        carries: That of the last one was: this one goes on with it.
    """

    story: WordStory = field(default_factory=WordStory)
    fields: Fields = field(default_factory=Fields)
    is_hidden: bool = False
    is_shaded: bool = False
    joins: bool = False
    carries: bool = False

    def start_paragraph(self, *, is_hidden: bool) -> None:
        """A paragraph begins, or goes on."""
        if not self.carries:
            self.story.end_paragraph()  # of one in which this one stands
        self.is_hidden = is_hidden
        self.is_shaded = self.joins = self.carries = False

    def end_paragraph(self) -> None:
        """It ends, unless the next one goes on with it."""
        self.carries = self.joins
        if not self.joins:
            self.story.end_paragraph()

    def shade(self) -> None:
        """It has a background of its own."""
        self.is_shaded = True

    def join(self, *, yes: bool) -> None:
        """Its end may be deleted or hidden."""
        self.joins |= yes


class StoryPlaces:
    """The story that is read, and those around it: the text of each becomes a part of the next.

    Attributes:
        last: The innermost, which is read.
    """

    def __init__(self) -> None:
        self.last = StoryPlace()
        self._outer: list[StoryPlace] = []

    @property
    def is_inner(self) -> bool:
        """Whether there is a story around the one that is read."""
        return bool(self._outer)

    def enter(self) -> None:
        """Begin a story inside of this one.

        Raises:
            UnreadableError: TOO_DEEP.
        """
        if len(self._outer) >= _STORIES:
            raise UnreadableError(
                ProblemCode.TOO_DEEP,
                f"The text boxes of this file are nested more than {_STORIES} deep.",
            )
        self._outer.append(self.last)
        self.last = StoryPlace()

    def leave(self) -> str:
        """End it, and have its text."""
        text = self.last.story.text()
        if self._outer:
            self.last = self._outer.pop()
        return text
