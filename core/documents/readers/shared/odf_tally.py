"""What an OpenDocument file has and its text has not."""

from __future__ import annotations

from dataclasses import dataclass

from core.documents.readers.shared.remarks import counted, refused_parts

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """Counts it.

    `lines` are rows and columns of a sheet, `refusals` parts that declare entities.
    """

    deletions: int = 0
    hidden: int = 0
    comments: int = 0
    objects: int = 0
    slides: int = 0
    sheets: int = 0
    lines: int = 0
    refusals: int = 0

    def remarks(self) -> tuple[str, ...]:
        """A sentence for everything that was counted."""
        kinds = (
            (self.deletions, "tracked deletion", "tracked deletions"),
            (self.hidden, "passage of hidden text", "passages of hidden text"),
            (self.comments, "comment", "comments"),
            (self.objects, "embedded object", "embedded objects"),
            (self.slides, "hidden slide", "hidden slides"),
            (self.sheets, "hidden sheet", "hidden sheets"),
            (self.lines, "hidden row or column", "hidden rows and columns"),
        )
        sentences = [
            f"{counted(count, one, several)} not part of the text."
            for count, one, several in kinds
            if count
        ]
        return (*((refused_parts(self.refusals),) if self.refusals else ()), *sentences)
