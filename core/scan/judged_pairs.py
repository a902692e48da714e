"""The judgements on the pairs of a list, row by row, and which rows a judgement is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array
from core.documents import Document
from core.documents.keys import PairKey, text_key
from core.evidence.pairs import Pairs, pair_codes
from core.scan.judgements import VERDICTS, Judgements
from core.scan.text_history import EarlierText, How, earlier_texts

NEW, CHANGED = 1, 2  # in the column of what is new
NUMBERS = {id(verdict): number for number, verdict in enumerate(VERDICTS)}  # an enum hashes slowly


class VerdictColumns(NamedTuple):
    """What is said of each pair of a list; `PairRows.update` changes the arrays in place.

    Attributes:
        verdict: uint8 (n,), the place in `VERDICTS`; 0 is not reviewed.
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


def verdict_columns(
    pairs: Pairs, documents: Sequence[Document], judgements: Judgements
) -> VerdictColumns:
    """What is said of each pair; who asks again keeps the `PairRows` of a list."""
    return PairRows(pairs, documents).columns(judgements)


class PairRows:
    """The rows of a list, to be found by the texts of their documents.

    Making one sorts the pairs, a tenth of a second for a million; it goes with the list.
    """

    def __init__(self, pairs: Pairs, documents: Sequence[Document]) -> None:
        keys = [text_key(one) for one in documents]
        self._texts = list(dict.fromkeys(keys))
        self._numbers = {key: number for number, key in enumerate(self._texts)}
        of = np.array([self._numbers[key] for key in keys], dtype=np.int64)
        a, b = of[pairs.a], of[pairs.b]
        self._low, self._high = np.minimum(a, b), np.maximum(a, b)
        codes = pair_codes(self._low, self._high)
        self._order = np.argsort(codes)
        self._codes = codes[self._order]
        self._later: _LaterTexts | None = None

    def __len__(self) -> int:
        return len(self._codes)

    def key_of(self, row: int) -> PairKey:
        """The key of the pair in a row."""
        return PairKey.between(self._texts[self._low[row]], self._texts[self._high[row]])

    def rows_of(self, keys: Collection[PairKey]) -> Int64Array:
        """The rows with these texts, each once: of a key several where documents have copies."""
        return np.sort(self._found(keys)[0])

    def one_row_of(self, keys: Collection[PairKey]) -> Int64Array:
        """One row with each of these pairs of texts that is there."""
        rows = self._found(keys)[0]
        _, first = np.unique(pair_codes(self._low[rows], self._high[rows]), return_index=True)
        return np.sort(rows[first])

    @property
    def distinct(self) -> Int64Array:
        """One row of each pair of texts, however many copies documents have."""
        begins = np.ones(len(self), dtype=np.bool_)
        begins[1:] = self._codes[1:] != self._codes[:-1]
        return self._order[begins]

    def columns(self, judgements: Judgements) -> VerdictColumns:
        """What is said of each pair."""
        verdict, has_note = np.zeros(len(self), np.uint8), np.zeros(len(self), np.bool_)
        given, written = judgements.verdicts, judgements.notes
        numbers = np.array([NUMBERS[id(one.verdict)] for one in given.values()], np.uint8)
        rows, places = self._found(given)
        verdict[rows] = numbers[places]
        noted = np.array([one.note != "" for one in written.values()], np.bool_)
        rows, places = self._found(written)
        has_note[rows] = noted[places]
        columns = VerdictColumns(verdict, np.zeros(len(self), np.bool_), has_note)
        self._write(columns, judgements, self._later_pairs(judgements, [*given, *written]))
        return columns

    def news(self, judgements: Judgements) -> UInt8Array:
        """What is new since the last time that the user has seen it all.

        Returns:
            uint8 (n,): `NEW` where a text of the pair came, `CHANGED` where one was edited, else 0.
        """
        came, copied, edited = (np.zeros(len(self._texts), np.bool_) for _ in How)
        flags = {How.CAME: came, How.COPIED: copied, How.EDITED: edited}
        for text, arrival in judgements.arrivals.items():
            number = self._numbers.get(text)
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
            keys: The pairs of which something else is said.
        """
        concerned = {*keys, *self._later_pairs(judgements, keys)}
        self._write(columns, judgements, concerned)
        return self.rows_of(concerned)

    def _write(
        self, columns: VerdictColumns, judgements: Judgements, keys: Collection[PairKey]
    ) -> None:
        found = [judgements.judgement_of(key) for key in keys]
        rows, places = self._found(keys)
        for column, values in zip(
            columns,
            (
                [NUMBERS[id(one.judgement.verdict)] for one in found],
                [one.earlier is not None for one in found],
                [one.judgement.note != "" for one in found],
            ),
            strict=True,
        ):
            column[rows] = np.array(values, dtype=column.dtype)[places]

    def _later_pairs(self, judgements: Judgements, keys: Iterable[PairKey]) -> set[PairKey]:
        """The pairs of this list on whose earlier texts something is said, or may be."""
        if not judgements.earlier:
            return set()
        if self._later is None or self._later.earlier is not judgements.earlier:
            self._later = _LaterTexts.of(judgements.earlier, self._numbers)
        later = self._later.texts
        found: set[PairKey] = set()
        for key in keys:
            if key.low not in later and key.high not in later:
                continue
            lows, highs = (later.get(text, ()) for text in key)
            found.update(
                PairKey.between(*both) for both in product((key.low, *lows), (key.high, *highs))
            )
            if len(found) > len(self):  # whoever made such a review: all rows are fewer
                return {self.key_of(row) for row in range(len(self))}
        return found

    def _found(self, keys: Collection[PairKey]) -> tuple[Int64Array, Int64Array]:
        """The rows with the texts of these pairs, and the place of each among the keys."""
        number_of = self._numbers.get
        numbers = (number_of(text, -1) for key in keys for text in key)
        both = np.fromiter(numbers, np.int64, 2 * len(keys)).reshape(-1, 2)
        there = np.flatnonzero((both >= 0).all(axis=1))
        low, high = np.minimum(*both[there].T), np.maximum(*both[there].T)
        codes = pair_codes(low, high)
        order = np.argsort(codes)  # in order, what is searched stays near
        codes, there = codes[order], there[order]
        first = np.searchsorted(self._codes, codes, "left")
        last = np.searchsorted(self._codes, codes, "right")
        counts = last - first
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return self._order[np.repeat(first, counts) + offset], np.repeat(there, counts)


class _LaterTexts(NamedTuple):
    """What has become of texts that were edited, of the texts of a list.

    Attributes:
        earlier: What they were before, from which this was made.
        texts: By the key of an earlier text those that it is now.
    """

    earlier: Mapping[str, EarlierText]
    texts: dict[str, list[str]]

    @staticmethod
    def of(earlier: Mapping[str, EarlierText], there: Iterable[str]) -> _LaterTexts:
        texts: dict[str, list[str]] = {}
        for text in there:
            if text in earlier:
                for before in earlier_texts(earlier, text)[1:]:
                    texts.setdefault(before.text, []).append(text)
        return _LaterTexts(earlier, texts)
