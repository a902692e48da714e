"""What is set aside, as the setup shows it; and the words of a selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.base.wording import counted, share

if TYPE_CHECKING:
    from core.aside.rules import AsideRules
    from core.text.set_aside import SetAside

USUAL_COMMON = 5  # documents, until another number is asked for
FEWEST_COMMON = 2


@dataclass(frozen=True, slots=True)
class AsideState:
    """What the boxes show, and a line below them.

    Attributes:
        quotations: Whether these are set aside; so the others.
        bibliography: Lists of references.
        repeated: Cover sheets and headings.
        common: In how many documents a passage stands that is; 0 for none.
        chosen: How many passages were chosen.
        told: How much of the text is set aside; empty for none.
        can_change: Whether there is a list that can be changed.
    """

    quotations: bool = False
    bibliography: bool = False
    repeated: bool = False
    common: int = 0
    chosen: int = 0
    told: str = ""
    can_change: bool = False

    def with_rules(self, rules: AsideRules) -> AsideState:
        """The same with other rules, of which it is not yet known what they find."""
        return replace(
            self,
            quotations=rules.quotations,
            bibliography=rules.bibliography,
            repeated=rules.repeated,
            common=rules.common,
            chosen=len(rules.phrases),
        )


def aside_state(
    rules: AsideRules, spans: Mapping[int, Sequence[SetAside]], lengths: Sequence[int]
) -> AsideState:
    """What is shown of a complete list.

    Args:
        rules: Of the list.
        spans: What they found, by number of the document.
        lengths: Of the texts.
    """
    from core.aside.rules import shares_of  # noqa: PLC0415 - NumPy comes with it

    aside = sum(one.aside for one in shares_of(spans, lengths))
    part = aside / max(sum(lengths), 1)
    told = f"{share(part)} of all text, in {counted(len(spans), 'document')}" if spans else ""
    return AsideState(told=told, can_change=True).with_rules(rules)


def whole_words(source: str, start: int, end: int) -> str:
    """What is selected of a text, with the words whole at whose letters it begins and ends."""
    while start < end and source[start].isspace():
        start += 1
    while start < end and source[end - 1].isspace():
        end -= 1
    while 0 < start < end and _is_joined(source[start - 1], source[start]):
        start -= 1
    while start < end < len(source) and _is_joined(source[end - 1], source[end]):
        end += 1
    return source[start:end]


def _is_joined(before: str, after: str) -> bool:
    """Whether two characters belong to one word; letters of scripts without spaces do not."""
    return all(letter.isalnum() and not "\u3040" <= letter <= "\u9fff" for letter in before + after)
