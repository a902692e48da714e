"""The files of a submission as a column of its document."""

from __future__ import annotations

import json
import re

from core.documents import Document
from core.documents.merging import heading
from core.documents.model import Member
from core.review.believable import json_of, sentence_of, word_of
from core.review.packing import encoded

SHA256 = re.compile("[0-9a-f]{64}")


def packed_members(document: Document) -> bytes:
    """The files of a submission as a column: a list in JSON, or nothing."""
    return json.dumps(document.members).encode("ascii") if document.members else b""


def members_of(column: bytes, characters: int) -> tuple[Member, ...]:
    """The files again.

    Raises:
        TypeError, ValueError: They cannot be so.
    """
    if not column:
        return ()
    stored = json_of(column)
    _require(isinstance(stored, list) and all(isinstance(one, list) for one in stored))
    members = tuple(Member(sentence_of(name), *rest) for name, *rest in stored)
    reached = 0
    for place, one in enumerate(members):
        _require(all(type(number) is int for number in one[1:4]))
        _require(isinstance(one.file_hash, str) and isinstance(one.sha256, str))
        reached += len(heading(one.name, is_first=not place))
        _require(reached <= one.start <= characters and one.size >= 0)
        reached = one.start
        word_of(encoded(one.file_hash))
        _require(not one.sha256 or SHA256.fullmatch(one.sha256) is not None)
    return members


def _require(right: bool) -> None:  # noqa: FBT001 - a comparison
    if not right:
        raise ValueError("The files of a submission cannot be so.")
