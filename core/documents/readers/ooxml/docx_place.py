"""Where the reading of a Word document is, in one of its stories."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.documents.readers.shared.story import WordStory
from core.documents.readers.shared.word_fields import Fields

__all__ = ["Place"]


@dataclass(slots=True)
class Place:
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
