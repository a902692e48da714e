"""The user's judgements: verdicts and notes on pairs, and the texts that they were made on.

A verdict is on two texts, not on two files: it holds wherever they go. Where a text was edited, the
verdict on its earlier text is still found and marked as such (`PairJudgement.earlier`), until
another is given on the text as it is now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array, begins_run, rows_equal
from core.base.messages import N_
from core.documents.model import Document, PairKey, text_key
from core.evidence.pairs import Pairs, pair_codes

if TYPE_CHECKING:
    from core.scan.audit_results import KeptAudit

# Versions of a text whose verdicts are looked for: a pair has as many earlier pairs as the product
# of those of its texts.
MOST_EARLIER = 32


class EarlierText(NamedTuple):
    """The version of a text before it was edited.

    Attributes:
        text: The key of the text before (see `core.documents.model.text_key`).
        changed: Share of it that is changed, 0 to 1.
    """

    text: str
    changed: float


class ArrivalKind(StrEnum):
    """What happened to a text at a rescan."""

    CAME = "came"
    COPIED = "copied"  # it was there before, and in another file now too
    EDITED = "edited"


class Arrival(NamedTuple):
    """At which rescan a text came: the first is 1."""

    rescan: int
    how: ArrivalKind


def earlier_texts(earlier: Mapping[str, EarlierText], text: str) -> list[EarlierText]:
    """A text and its last `MOST_EARLIER` versions, latest first, with the share changed since."""
    texts = {text: EarlierText(text, 0.0)}
    while len(texts) <= MOST_EARLIER:
        last = texts[text]
        before = earlier.get(text)
        if before is None or before.text in texts:
            break
        # Of what was compared only these two were there together.
        changed = 1 - (1 - last.changed) * (1 - before.changed)
        text = before.text
        texts[text] = EarlierText(text, changed)
    return list(texts.values())


Value = TypeVar("Value")
NONE: Mapping[Any, Any] = {}


class Verdict(StrEnum):
    """A verdict on a pair, as it is stored and in words."""

    NOT_REVIEWED = N_("not reviewed")
    CONFIRMED = N_("confirmed")
    SUSPICIOUS = N_("suspicious")
    NOT_A_MATCH = N_("not a match")


CHANGED_DIGITS = 6
SUSPECTED = (Verdict.CONFIRMED, Verdict.SUSPICIOUS)
VERDICTS = tuple(Verdict)  # in columns a verdict is its index here: the key that sets it


class GivenVerdict(NamedTuple):
    """A verdict; `NOT_REVIEWED` is one too: it takes back the verdict on an earlier text."""

    verdict: Verdict
    who: str
    time: str


class WrittenNote(NamedTuple):
    """A note; "" takes back one on an earlier text."""

    note: str
    who: str
    time: str


class Judgement(NamedTuple):
    """The verdict and the note on a pair.

    Attributes:
        verdict: The verdict.
        note: The note, any text; "" for none.
        who: Who gave the verdict, or wrote the note where there is no verdict.
        time: When, ISO 8601 in UTC, as the clock said then.
    """

    verdict: Verdict = Verdict.NOT_REVIEWED
    note: str = ""
    who: str = ""
    time: str = ""


class PairJudgement(NamedTuple):
    """The judgement on a pair, and whether it was made on an earlier text.

    Attributes:
        judgement: The judgement.
        earlier: Where the verdict was made on an earlier text: the share of that which is changed,
            0 to 1, of the text that changed more; else None.
    """

    judgement: Judgement
    earlier: float | None = None


NO_VERDICT = GivenVerdict(Verdict.NOT_REVIEWED, "", "")
NO_NOTE = WrittenNote("", "", "")


class PassageMeaning(StrEnum):
    """A judgement on a passage, as it is stored and in words."""

    COPIED = N_("copied")
    STANDARD = N_("standard clause")
    ASSIGNMENT = N_("assignment text")


class PassageJudgement(NamedTuple):
    """The judgement on a passage, wherever it stands; its text is as it was judged."""

    meaning: PassageMeaning
    text: str
    who: str
    time: str


class RandomCheck(NamedTuple):
    """Pairs that nobody had read, drawn at random to be judged.

    Attributes:
        pairs: Those that were drawn.
        rest: How many other unread pairs there were.
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
        earlier: Earlier versions of texts, by the key of the text as it is now.
        check: The random check that was drawn last.
        arrivals: By the key of a text when it came, if that was at a rescan.
        rescans: How many found something.
        seen: The number of the last one whose news the user has seen.
        languages: Of texts of which somebody stated it, as a code, by the key of the text.
        audit: The result of the last audit; None where there was none.
        added: The pairs that somebody had listed because their files share a rare property.
    """

    verdicts: Mapping[PairKey, GivenVerdict] = NONE
    notes: Mapping[PairKey, WrittenNote] = NONE
    passages: Mapping[str, PassageJudgement] = NONE
    centres: Mapping[str, str] = NONE
    earlier: Mapping[str, EarlierText] = NONE
    check: RandomCheck = NO_CHECK
    arrivals: Mapping[str, Arrival] = NONE
    rescans: int = 0
    seen: int = 0
    languages: Mapping[str, str] = NONE
    audit: KeptAudit | None = None
    added: AbstractSet[PairKey] = frozenset()

    def judgement_of(self, key: PairKey) -> PairJudgement:
        """The judgement on a pair, or on its earlier texts."""
        given, earlier = self._entry_on(self.verdicts, key) or (NO_VERDICT, None)
        written, _ = self._entry_on(self.notes, key) or (NO_NOTE, None)
        is_judged = given.verdict is not Verdict.NOT_REVIEWED
        by = given if is_judged or not written.note else written
        judgement = Judgement(given.verdict, written.note, by.who, by.time)
        # Rounded as in reports: figures read from these are recomputed to the last digit.
        changed = None if earlier is None else round(earlier, CHANGED_DIGITS)
        return PairJudgement(judgement, changed if is_judged else None)

    @property
    def marked(self) -> AbstractSet[PairKey]:
        """The pairs that are listed whatever the search finds, also by earlier texts of theirs.

        Those that were added, that are confirmed or suspicious, or that have a note: no finding of
        a person goes unseen because of other settings or other documents.
        """
        suspected = {key for key, given in self.verdicts.items() if given.verdict in SUSPECTED}
        noted = {key for key, written in self.notes.items() if written.note}
        return self.added | suspected | noted

    def is_marked(self, key: PairKey) -> bool:
        """Whether a pair is among the `marked`, as its texts are now."""
        verdict, note, *_ = self.judgement_of(key).judgement
        return verdict in SUSPECTED or note != "" or self.was_added(key)

    def was_added(self, key: PairKey) -> bool:
        """Whether a pair is among those that were `added`, as its texts are or were."""
        earlier = (pair for pair, _ in self._earlier_pairs(key))
        return key in self.added or any(pair in self.added for pair in earlier)

    def _entry_on(
        self, entries: Mapping[PairKey, Value], key: PairKey
    ) -> tuple[Value, float | None] | None:
        """The entry on a pair; or on its earlier texts, with the share that is changed since."""
        if key in entries:
            return entries[key], None
        if key.low not in self.earlier and key.high not in self.earlier:
            return None
        for earlier, changed in self._earlier_pairs(key):
            if earlier in entries:
                return entries[earlier], changed
        return None

    def _earlier_pairs(self, key: PairKey) -> list[tuple[PairKey, float]]:
        """The earlier versions of a pair, latest first, with the share that is changed since."""
        lows, highs = earlier_texts(self.earlier, key.low), earlier_texts(self.earlier, key.high)
        steps = sorted((i + j, i, j) for i in range(len(lows)) for j in range(len(highs)) if i + j)
        return [
            (PairKey.between(lows[i].text, highs[j].text), max(lows[i].changed, highs[j].changed))
            for _, i, j in steps
        ]


class JudgementsDraft:
    """Judgements while some are changed: each mapping is copied when it is first used."""

    verdicts: dict[PairKey, GivenVerdict]
    notes: dict[PairKey, WrittenNote]
    passages: dict[str, PassageJudgement]
    centres: dict[str, str]
    earlier: dict[str, EarlierText]
    check: RandomCheck
    audit: KeptAudit | None
    arrivals: dict[str, Arrival]
    rescans: int
    seen: int
    languages: dict[str, str]
    added: set[PairKey]

    def __init__(self, before: Judgements) -> None:
        self._before = before

    def __getattr__(self, name: str) -> object:
        if name not in Judgements._fields:
            raise AttributeError(name)
        value = getattr(self._before, name)
        if isinstance(value, (Mapping, AbstractSet)):
            value = dict(value) if isinstance(value, Mapping) else set(value)
        setattr(self, name, value)
        return value

    def judgements(self) -> Judgements:
        """The judgements as they are by now; nothing may be changed any more."""
        now, before = vars(self), self._before
        names = (name for name in Judgements._fields if name in now)
        changed = {name: now[name] for name in names if now[name] is not getattr(before, name)}
        return before._replace(**changed) if changed else before


NEW, CHANGED = 1, 2  # in the column of what is new
NUMBERS = {id(verdict): number for number, verdict in enumerate(VERDICTS)}  # an enum hashes slowly


class VerdictColumns(NamedTuple):
    """The judgement on each pair of a list; `PairRows.update` changes the arrays in place.

    Attributes:
        verdict: uint8 (n,), the index in `VERDICTS`; 0 is not reviewed.
        is_earlier: bool (n,), whether the verdict was made on an earlier text.
        has_note: bool (n,).
    """

    verdict: UInt8Array
    is_earlier: BoolArray
    has_note: BoolArray

    @property
    def in_force(self) -> UInt8Array:
        """The verdicts that count: one on an earlier text waits, as if there were none."""
        return np.where(self.is_earlier, np.uint8(0), self.verdict)


class NumberedTexts(NamedTuple):
    """The different texts of documents, in the order in which they first come.

    Attributes:
        keys: By number.
        numbers: By key.
        of_documents: int64, the number of the text of each document.
    """

    keys: list[str]
    numbers: dict[str, int]
    of_documents: Int64Array

    @staticmethod
    def of(documents: Sequence[Document]) -> NumberedTexts:
        """Number those of these documents."""
        keys = [text_key(document) for document in documents]
        different = list(dict.fromkeys(keys))
        numbers = {key: number for number, key in enumerate(different)}
        of_documents = np.array([numbers[key] for key in keys], dtype=np.int64)
        return NumberedTexts(different, numbers, of_documents)


class PairRows:
    """The rows of a list, to be found by the texts of their documents.

    Making one sorts the pairs, a tenth of a second for a million; it goes with the list.

    Args:
        pairs: The list.
        documents: Those that it is of.
        texts: Their texts, where they are numbered already.

    Attributes:
        texts: The texts of the documents.
    """

    def __init__(
        self, pairs: Pairs, documents: Sequence[Document], texts: NumberedTexts | None = None
    ) -> None:
        self.texts = texts or NumberedTexts.of(documents)
        of_documents = self.texts.of_documents
        a, b = of_documents[pairs.a], of_documents[pairs.b]
        self._low, self._high = np.minimum(a, b), np.maximum(a, b)
        codes = pair_codes(self._low, self._high)
        self._order = np.argsort(codes)
        self._codes = codes[self._order]
        self._later: _LaterTexts | None = None

    def __len__(self) -> int:
        return len(self._codes)

    def key_of(self, row: int) -> PairKey:
        """The key of the pair in a row."""
        return PairKey.between(self.texts.keys[self._low[row]], self.texts.keys[self._high[row]])

    def rows_of(self, keys: Collection[PairKey]) -> Int64Array:
        """The rows with these texts, each once: of a key several where documents have copies."""
        return np.sort(self._find(keys)[0])

    def one_row_each(self, keys: Collection[PairKey]) -> Int64Array:
        """One row of each of these pairs of texts that the list has."""
        rows = self._find(keys)[0]
        _, first = np.unique(pair_codes(self._low[rows], self._high[rows]), return_index=True)
        return np.sort(rows[first])

    @property
    def distinct(self) -> Int64Array:
        """One row of each pair of texts, however many copies documents have."""
        return self._order[begins_run(self._codes)]

    @property
    def text_pairs(self) -> Int64Array:
        """Of each row the number of its pair of texts: those of copies have the same, from 0 on."""
        numbers = np.empty(len(self), dtype=np.int64)
        numbers[self._order] = np.cumsum(begins_run(self._codes)) - 1
        return numbers

    def columns(self, judgements: Judgements) -> VerdictColumns:
        """The judgement on each pair."""
        verdict, has_note = np.zeros(len(self), np.uint8), np.zeros(len(self), np.bool_)
        given, written = judgements.verdicts, judgements.notes
        numbers = np.array(
            [NUMBERS[id(given_verdict.verdict)] for given_verdict in given.values()], np.uint8
        )
        rows, indices = self._find(given)
        verdict[rows] = numbers[indices]
        noted = np.array([note.note != "" for note in written.values()], np.bool_)
        rows, indices = self._find(written)
        has_note[rows] = noted[indices]
        columns = VerdictColumns(verdict, np.zeros(len(self), np.bool_), has_note)
        self._write(columns, judgements, self._later_pairs(judgements, [*given, *written]))
        return columns

    def news(self, judgements: Judgements) -> UInt8Array:
        """Which pairs are new since the user has last seen all of them.

        Returns:
            uint8 (n,): `NEW` where a text of the pair came, `CHANGED` where one was edited, else 0.
        """
        came, copied, edited = (np.zeros(len(self.texts.keys), np.bool_) for _ in ArrivalKind)
        flags = {ArrivalKind.CAME: came, ArrivalKind.COPIED: copied, ArrivalKind.EDITED: edited}
        for text, arrival in judgements.arrivals.items():
            number = self.texts.numbers.get(text)
            if number is not None and arrival.rescan > judgements.seen:
                flags[arrival.how][number] = True
        low, high = self._low, self._high
        is_new = came[low] | came[high] | (copied[low] & (low == high))
        is_changed = edited[low] | edited[high]
        return np.where(is_new, NEW, np.where(is_changed, CHANGED, 0)).astype(np.uint8)

    def update(
        self, columns: VerdictColumns, judgements: Judgements, keys: Collection[PairKey]
    ) -> Int64Array:
        """Bring columns up to date after judgements on some pairs; the rows that may have changed.

        Args:
            columns: Of this list, to be changed in place.
            judgements: As they are now; no text was edited since.
            keys: The pairs whose judgement changed.
        """
        concerned = {*keys, *self._later_pairs(judgements, keys)}
        self._write(columns, judgements, concerned)
        return self.rows_of(concerned)

    def _write(
        self, columns: VerdictColumns, judgements: Judgements, keys: Collection[PairKey]
    ) -> None:
        current = [judgements.judgement_of(key) for key in keys]
        rows, indices = self._find(keys)
        for column, values in zip(
            columns,
            (
                [NUMBERS[id(judged.judgement.verdict)] for judged in current],
                [judged.earlier is not None for judged in current],
                [judged.judgement.note != "" for judged in current],
            ),
            strict=True,
        ):
            column[rows] = np.array(values, dtype=column.dtype)[indices]

    def _later_pairs(self, judgements: Judgements, keys: Iterable[PairKey]) -> set[PairKey]:
        """The pairs of this list on whose earlier texts there is a judgement, or may be."""
        if not judgements.earlier:
            return set()
        if self._later is None or self._later.earlier is not judgements.earlier:
            self._later = _LaterTexts.of(judgements.earlier, self.texts.numbers)
        later = self._later.texts
        pairs: set[PairKey] = set()
        for key in keys:
            if key.low not in later and key.high not in later:
                continue
            lows, highs = (later.get(text, ()) for text in key)
            pairs.update(
                PairKey.between(*both) for both in product((key.low, *lows), (key.high, *highs))
            )
            if len(pairs) > len(self):  # whoever made such a review: all rows are fewer
                return {self.key_of(row) for row in range(len(self))}
        return pairs

    def _find(self, keys: Collection[PairKey]) -> tuple[Int64Array, Int64Array]:
        """The rows with the texts of these pairs, and the index of the key of each."""
        number_of = self.texts.numbers.get
        numbers = (number_of(text, -1) for key in keys for text in key)
        both = np.fromiter(numbers, np.int64, 2 * len(keys)).reshape(-1, 2)
        known = np.flatnonzero((both >= 0).all(axis=1))
        low, high = np.minimum(*both[known].T), np.maximum(*both[known].T)
        codes = pair_codes(low, high)
        order = np.argsort(codes)  # in order, what is searched stays near
        codes, known = codes[order], known[order]
        positions, counts = rows_equal(self._codes, codes)
        return self._order[positions], np.repeat(known, counts)


class _LaterTexts(NamedTuple):
    """The present versions of edited texts, of the texts of a list.

    Attributes:
        earlier: The earlier versions, from which this was made.
        texts: By the key of an earlier text the present ones.
    """

    earlier: Mapping[str, EarlierText]
    texts: dict[str, list[str]]

    @staticmethod
    def of(earlier: Mapping[str, EarlierText], listed: Iterable[str]) -> _LaterTexts:
        texts: dict[str, list[str]] = {}
        for text in listed:
            if text in earlier:
                for before in earlier_texts(earlier, text)[1:]:
                    texts.setdefault(before.text, []).append(text)
        return _LaterTexts(earlier, texts)


def language_of(document: Document, judgements: Judgements) -> str:
    """The code of the language of a document; `UNKNOWN` where it is not known.

    That which a person stated for its text, or an earlier one, comes before the detected one.
    """
    stated, key = judgements.languages, text_key(document)
    texts = (key, *(text.text for text in earlier_texts(judgements.earlier, key))) if stated else ()
    return next((stated[text] for text in texts if text in stated), document.language)
