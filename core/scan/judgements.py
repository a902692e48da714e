"""What the user has judged: verdicts and notes on pairs, and what they were made on.

A verdict is on two texts, not on two files: it holds wherever they go. Where a text was edited, the
verdict on its earlier text is still found, and says that it is one (`Found.earlier`), until another
is given on the text as it is now.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from core.documents.keys import PairKey
from core.scan.text_history import Arrival, EarlierText, Rescan, earlier_texts

if TYPE_CHECKING:
    from core.scan.kept_audit import KeptAudit

Value = TypeVar("Value")
NONE: Mapping[Any, Any] = {}


class Verdict(StrEnum):
    """What a pair is, as it is stored and in words."""

    NOT_REVIEWED = "not reviewed"
    CONFIRMED = "confirmed"
    SUSPICIOUS = "suspicious"
    NOT_A_MATCH = "not a match"


CHANGED_DIGITS = 6
VERDICTS = tuple(Verdict)  # in columns a verdict is its place here: the key that sets it


class GivenVerdict(NamedTuple):
    """A verdict; `NOT_REVIEWED` is one too: it takes back what was said of an earlier text."""

    verdict: Verdict
    who: str
    time: str


class WrittenNote(NamedTuple):
    """A note; "" takes back one on an earlier text."""

    note: str
    who: str
    time: str


class Judgement(NamedTuple):
    """What is said of a pair.

    Attributes:
        verdict: What it is.
        note: What was noted, any text; "" for nothing.
        who: Who gave the verdict, or wrote the note where there is no verdict.
        time: When, ISO 8601 in UTC, as the clock said then.
    """

    verdict: Verdict = Verdict.NOT_REVIEWED
    note: str = ""
    who: str = ""
    time: str = ""


class Found(NamedTuple):
    """The judgement on a pair.

    Attributes:
        judgement: What is said.
        earlier: Where the verdict was made on an earlier text: the share of that which is changed,
            0 to 1, of the text that changed more; else None.
    """

    judgement: Judgement
    earlier: float | None = None


NO_VERDICT = GivenVerdict(Verdict.NOT_REVIEWED, "", "")
NO_NOTE = WrittenNote("", "", "")


class PassageMeaning(StrEnum):
    """What a passage is, as it is stored and in words."""

    COPIED = "copied"
    STANDARD = "standard clause"
    ASSIGNMENT = "assignment text"


class PassageJudgement(NamedTuple):
    """What is said of a passage, wherever it stands; its text is as it was judged."""

    meaning: PassageMeaning
    text: str
    who: str
    time: str


class RandomCheck(NamedTuple):
    """Pairs that nobody had read, drawn at random to be judged.

    Attributes:
        pairs: Those that were drawn.
        rest: How many unread pairs there were beside them.
    """

    pairs: tuple[PairKey, ...] = ()
    rest: int = 0


NO_CHECK = RandomCheck()


class Judgements(NamedTuple):
    """All that is judged, a value; changes are made in a `JudgementsDraft`.

    Attributes:
        verdicts: By pair.
        notes: By pair.
        passages: By passage: the hash of its text (see `core.text.identity`).
        centres: The document in the middle of a group, by group.
        earlier: What texts were before, by the key of the text as it is now.
        check: The random check that was drawn last.
        arrivals: By the key of a text when it came, if that was at a rescan.
        rescans: Those that found something, by number.
        seen: The number of the last of which the user has seen what it brought.
        languages: Of texts of which somebody said it, as a code, by the key of the text.
        audit: What the last audit found out; None where there was none.
    """

    verdicts: Mapping[PairKey, GivenVerdict] = NONE
    notes: Mapping[PairKey, WrittenNote] = NONE
    passages: Mapping[str, PassageJudgement] = NONE
    centres: Mapping[str, str] = NONE
    earlier: Mapping[str, EarlierText] = NONE
    check: RandomCheck = NO_CHECK
    arrivals: Mapping[str, Arrival] = NONE
    rescans: Mapping[int, Rescan] = NONE
    seen: int = 0
    languages: Mapping[str, str] = NONE
    audit: KeptAudit | None = None

    @property
    def news(self) -> Rescan | None:
        """What came since the last that was seen: since when, how many files; None for nothing."""
        fresh = [self.rescans[number] for number in range(self.seen + 1, len(self.rescans) + 1)]
        if not fresh:
            return None
        return Rescan(fresh[0].time, *map(sum, zip(*(one[1:] for one in fresh), strict=True)))

    def judgement_of(self, key: PairKey) -> Found:
        """What is said of a pair, or was said of its earlier texts."""
        given, earlier = self._on(self.verdicts, key) or (NO_VERDICT, None)
        written, _ = self._on(self.notes, key) or (NO_NOTE, None)
        is_judged = given.verdict is not Verdict.NOT_REVIEWED
        by = given if is_judged or not written.note else written
        judgement = Judgement(given.verdict, written.note, by.who, by.time)
        # Rounded as reports tell it: what is read there is recomputed to the last digit.
        changed = None if earlier is None else round(earlier, CHANGED_DIGITS)
        return Found(judgement, changed if is_judged else None)

    def _on(self, said: Mapping[PairKey, Value], key: PairKey) -> tuple[Value, float | None] | None:
        """What is said of a pair, with the share that is changed of an earlier text."""
        if key in said:
            return said[key], None
        if key.low not in self.earlier and key.high not in self.earlier:
            return None
        for earlier, changed in self._earlier_pairs(key):
            if earlier in said:
                return said[earlier], changed
        return None

    def _earlier_pairs(self, key: PairKey) -> list[tuple[PairKey, float]]:
        """The pairs that a pair was, the latest first, with the share that is changed since."""
        lows, highs = earlier_texts(self.earlier, key.low), earlier_texts(self.earlier, key.high)
        steps = sorted((i + j, i, j) for i in range(len(lows)) for j in range(len(highs)) if i + j)
        return [
            (PairKey.between(lows[i].text, highs[j].text), max(lows[i].changed, highs[j].changed))
            for _, i, j in steps
        ]


class JudgementsDraft:
    """Judgements while some are changed: each mapping is copied when it is first asked for."""

    def __init__(self, before: Judgements) -> None:
        self._before = before
        self.seen = before.seen

    @cached_property
    def verdicts(self) -> dict[PairKey, GivenVerdict]:
        """By pair."""
        return dict(self._before.verdicts)

    @cached_property
    def notes(self) -> dict[PairKey, WrittenNote]:
        """By pair."""
        return dict(self._before.notes)

    @cached_property
    def passages(self) -> dict[str, PassageJudgement]:
        """By passage."""
        return dict(self._before.passages)

    @cached_property
    def centres(self) -> dict[str, str]:
        """The document in the middle of a group, by group."""
        return dict(self._before.centres)

    @cached_property
    def earlier(self) -> dict[str, EarlierText]:
        """What texts were before."""
        return dict(self._before.earlier)

    @cached_property
    def check(self) -> RandomCheck:
        """The random check that was drawn last."""
        return self._before.check

    @cached_property
    def audit(self) -> KeptAudit | None:
        """What the last audit found out."""
        return self._before.audit

    @cached_property
    def arrivals(self) -> dict[str, Arrival]:
        """When texts came."""
        return dict(self._before.arrivals)

    @cached_property
    def rescans(self) -> dict[int, Rescan]:
        """The rescans that found something."""
        return dict(self._before.rescans)

    @cached_property
    def languages(self) -> dict[str, str]:
        """The languages of texts."""
        return dict(self._before.languages)

    def judgements(self) -> Judgements:
        """The judgements as they are by now; nothing may be changed any more."""
        now, before = vars(self), self._before
        names = (name for name in Judgements._fields if name in now)
        changed = {name: now[name] for name in names if now[name] is not getattr(before, name)}
        return before._replace(**changed) if changed else before
