"""What was changed in a pair in one sentence, whose words look as the changes in the texts do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.base.wording import count, counted
from core.evidence.hunks import ChangeKind
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.views.compare.highlights import change_color

SAME = "No word was changed: the texts differ in white space at most."


def changes_in_words(marks: Sequence[PassageMark]) -> str:
    """How many changes there are of which kind, as rich text."""
    if not marks:
        return SAME
    numbers = Counter(mark.kind for mark in marks if mark.kind is not None)
    parts = [_styled(kind, numbers[kind]) for kind in ChangeKind if numbers[kind]]
    return f"<b>{counted(len(marks), 'change')}</b>: {', '.join(parts)}"


def _styled(kind: ChangeKind, number: int) -> str:
    line = "line-through" if kind is ChangeKind.ONLY_A else "underline"
    fill = change_color(kind).fill.name()
    style = f"background-color: {fill}; text-decoration: {line}"
    return f'{count(number)} <span style="{style}">&nbsp;{kind.value}&nbsp;</span>'
