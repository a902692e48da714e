"""What is said of the pairs of a list, row by row, as the table shows, orders and filters it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array
from core.evidence.pairs import Pairs
from core.scan.judgements import VERDICTS, Judgements, PairRows, Verdict, VerdictColumns
from neardup_gui.models.words import verdicts

if TYPE_CHECKING:
    from core.documents.model import PairKey


class PairVerdicts:
    """The judgements on the rows of a list; `rows` are those of its pairs, not of the table.

    Attributes:
        news: Of each pair whether it is new or changed; 0 for neither.
    """

    def __init__(self, rows: PairRows, judgements: Judgements) -> None:
        self._rows = rows
        self._judgements = judgements
        self._columns = rows.columns(judgements)
        self.news = rows.news(judgements)

    @staticmethod
    def none_on(pairs: Pairs) -> PairVerdicts:
        """No judgement on any pair of a list whose texts are not known."""
        made = PairVerdicts(PairRows(Pairs.empty(), ()), Judgements())
        nothing = np.zeros(len(pairs), dtype=np.uint8)
        made.news = nothing
        made._columns = VerdictColumns(nothing, nothing.astype(bool), nothing.astype(bool))
        return made

    @property
    def verdict(self) -> UInt8Array:
        """Of each pair its place in `VERDICTS`; not reviewed where it is on an earlier text."""
        return self._columns.in_force

    @property
    def is_open(self) -> BoolArray:
        """Which pairs wait for a verdict: not reviewed, or on an earlier text only."""
        return np.asarray(self.verdict == 0)

    @property
    def is_checked(self) -> BoolArray:
        """Which pairs are in the random check."""
        checked = np.zeros(len(self._columns.verdict), dtype=np.bool_)
        checked[self.rows_of(self._judgements.check.pairs)] = True
        return checked

    @property
    def counts(self) -> Sequence[int]:
        """How many pairs have each verdict."""
        counts: list[int] = np.bincount(self.verdict, minlength=len(VERDICTS)).tolist()
        return counts

    @property
    def new_count(self) -> int:
        """How many pairs are new or changed."""
        return int(np.count_nonzero(self.news))

    def update(self, judgements: Judgements, keys: Collection[PairKey] | None) -> Int64Array | None:
        """Take in other judgements, on these pairs; the rows that changed, None for all."""
        self._judgements = judgements
        if keys is None:
            self._columns = self._rows.columns(judgements)
            self.news = self._rows.news(judgements)
            return None
        return self._rows.update(self._columns, judgements, keys)

    def keys_of(self, rows: Int64Array) -> list[PairKey]:
        """The keys of pairs."""
        return [self._rows.key_of(int(row)) for row in rows]

    def rows_of(self, keys: Collection[PairKey]) -> Int64Array:
        """The rows of pairs."""
        return self._rows.rows_of(keys)

    def one_row_of(self, keys: Collection[PairKey]) -> Int64Array:
        """One row of each of these pairs that is listed; may be asked on any thread."""
        return self._rows.one_row_of(keys)

    def unread(self) -> Int64Array:
        """One row of each pair of texts that waits for a verdict."""
        rows = self._rows.distinct
        unread: Int64Array = rows[self.is_open[rows]]
        return unread

    def text(self, row: int) -> str:
        """What the cell of a row says: "● confirmed"."""
        columns = self._columns
        return verdicts.marked(
            self.verdict_of(row),
            has_note=bool(columns.has_note[row]),
            is_earlier=bool(columns.is_earlier[row]),
        )

    def verdict_of(self, row: int) -> Verdict:
        """The verdict on a pair."""
        verdict: Verdict = VERDICTS[self._columns.verdict[row]]
        return verdict

    def mark(self, row: int) -> str:
        """The mark of the verdict on a pair: "●"; nothing where there is none."""
        return verdicts.MARKS[self.verdict_of(row)]

    def note(self, row: int) -> str:
        """The note on a pair."""
        return self._judgements.judgement_of(self._rows.key_of(row)).judgement.note

    def in_full(self, row: int) -> str:
        """All that is said of a pair: verdict, who and when, the note."""
        return verdicts.in_full(self._judgements.judgement_of(self._rows.key_of(row)))
