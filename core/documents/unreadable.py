"""The error of a file without text; apart from the readers, whose helpers raise it too."""

from __future__ import annotations

from core.documents.model import ProblemCode


class UnreadableError(Exception):
    """A file that gives no text; inside this package only, it becomes a `Problem`.

    Attributes:
        code: As of `Problem`, like the others.
    """

    def __init__(self, code: ProblemCode, detail: str, limit: str = "") -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.limit = limit
