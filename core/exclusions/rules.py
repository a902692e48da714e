"""The user's rules for the text to set aside in all documents of a scan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.base.messages import gettext
from core.base.wording import count
from core.text.set_aside import Reason, SetAside, merged


class ExcludedShare(NamedTuple):
    """How much of a document is set aside, in characters.

    Attributes:
        document: Its number.
        length: Of its text.
        aside: How many are set aside; a character with two reasons counts once.
        reasons: How many for each reason, most first.
    """

    document: int
    length: int
    excluded: int
    reasons: Mapping[Reason, int]

    @property
    def share(self) -> float:
        """The share of the text that is set aside, 0 to 1."""
        return self.excluded / max(self.length, 1)


def shares_of(
    spans: Mapping[int, Sequence[SetAside]], lengths: Sequence[int]
) -> Iterator[ExcludedShare]:
    """How much is set aside of each document with text set aside, in their order.

    Args:
        spans: By number of the document.
        lengths: Of all texts.
    """
    for number in sorted(spans):
        by_reason: dict[Reason, list[SetAside]] = {}
        # Names of files are no text of the author: setting them aside takes nothing away.
        set_aside = [span for span in spans[number] if span.is_written]
        if not set_aside:
            continue
        for span in set_aside:
            by_reason.setdefault(span.reason, []).append(span)
        counts = {reason: _characters(parts) for reason, parts in by_reason.items()}
        ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
        yield ExcludedShare(number, lengths[number], _characters(set_aside), ordered)


def share_of_all(
    shares: Iterable[ExcludedShare], length: int, templates: Mapping[int, int]
) -> tuple[int, float]:
    """In how many documents text is set aside, and its share of all text, 0 to 1.

    Args:
        shares: Of these documents.
        length: Of all texts together.
        templates: The lengths of the templates among them, by number of the document. They are not
            counted, unless only they have such text.
    """
    shares = list(shares)
    counted = [part for part in shares if part.document not in templates]
    if counted:
        shares, length = counted, length - sum(templates.values())
    return len(shares), sum(part.excluded for part in shares) / max(length, 1)


def _characters(spans: Sequence[SetAside]) -> int:
    bounds = merged(spans)
    return int((bounds[:, 1] - bounds[:, 0]).sum())


FEWEST_DOCUMENTS = 2  # that hold a common passage
MOST_DOCUMENTS = 2**31
MOST_OF_PHRASE = 1 << 20  # characters
# Reasons a person can give; the others belong to rules.
GIVEN = (Reason.SELECTION, Reason.ASSIGNMENT, Reason.STANDARD)


class Phrase(NamedTuple):
    """A passage that does not count wherever it occurs; only its words matter."""

    text: str
    reason: Reason = Reason.SELECTION


@dataclass(frozen=True)
class ExclusionRules:
    """Rules for the text to set aside in every document, also in documents added later.

    Attributes:
        quotations: Text between quotation marks, and block quotes.
        bibliography: Bibliographies and lists of references.
        repeated: Cover sheets and headings that repeat in several documents.
        common: Passages that at least so many documents hold; 0 for none.
        phrases: Passages that were chosen, without repetitions.
    """

    quotations: bool = False
    bibliography: bool = False
    repeated: bool = False
    common: int = 0
    phrases: tuple[Phrase, ...] = ()

    def __post_init__(self) -> None:
        """Check the rules.

        Raises:
            ValueError: A number or a phrase is invalid; the message says which.
        """
        if self.common and not FEWEST_DOCUMENTS <= self.common <= MOST_DOCUMENTS:
            raise ValueError(
                gettext(
                    "A passage is common from {least} documents on, not {documents}.",
                    least=FEWEST_DOCUMENTS,
                    documents=count(self.common),
                )
            )
        for phrase in self.phrases:
            if not 0 < len(phrase.text) <= MOST_OF_PHRASE:
                raise ValueError(
                    gettext(
                        "Text to set aside has 1 to {most} characters, not {characters}.",
                        most=count(MOST_OF_PHRASE),
                        characters=count(len(phrase.text)),
                    )
                )
            if phrase.reason not in GIVEN:
                raise ValueError(f"“{phrase.reason}” is no reason to set chosen text aside.")

    def __bool__(self) -> bool:
        """Whether these rules set anything aside."""
        return self != NO_RULES

    def with_changes(self, **changes: Any) -> ExclusionRules:  # noqa: ANN401 - checked when made
        """These rules with some fields changed.

        Raises:
            ValueError: See `__post_init__`.
        """
        return replace(self, **changes)

    def with_phrases(self, phrases: Iterable[Phrase]) -> ExclusionRules:
        """These rules with more phrases; a phrase that they have gets the new reason."""
        fresh = {phrase.text: phrase for phrase in phrases}
        kept = tuple(phrase for phrase in self.phrases if phrase.text not in fresh)
        return self.with_changes(phrases=(*kept, *fresh.values()))

    def without_phrases(self, phrases: Iterable[Phrase]) -> ExclusionRules:
        """These rules without these phrases, whatever their reasons."""
        texts = {phrase.text for phrase in phrases}
        return self.with_changes(
            phrases=tuple(phrase for phrase in self.phrases if phrase.text not in texts)
        )

    def as_json(self) -> dict[str, Any]:
        """The rules as JSON values."""
        return {
            **vars(self),
            "phrases": [[phrase.text, str(phrase.reason)] for phrase in self.phrases],
        }

    @staticmethod
    def of_json(data: Mapping[str, Any]) -> ExclusionRules:
        """Rules that `as_json` wrote; left out ones are as in `NO_RULES`.

        Raises:
            TypeError, ValueError: The rules are invalid.
        """
        known = {name: data[name] for name in vars(NO_RULES) if name in data}
        for name, value in known.items():
            if type(value) is not (list if name == "phrases" else type(getattr(NO_RULES, name))):
                raise TypeError(f"The rule “{name}” cannot be so.")
        phrases = tuple(map(_phrase, known.pop("phrases", [])))
        return ExclusionRules(**known, phrases=phrases)


def _phrase(value: object) -> Phrase:
    """A stored phrase."""
    if not isinstance(value, list) or [type(part) for part in value] != [str, str]:
        raise TypeError("A phrase is none.")
    text, reason = value
    return Phrase(text, Reason(reason))


NO_RULES = ExclusionRules()
