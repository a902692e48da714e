"""Documents in the order of their labels: the order of their names would tell who they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.evidence.pairs import Pairs
from core.evidence.passage import Exchange, Passage, Run, SharedText
from core.reports.model import Report
from core.scan.groups import Group, Member
from core.scan.judged_passages import JudgedPassage


def in_order_of_labels(report: Report) -> Report:
    """A report whose documents have labels, numbered by these; A of a pair is the lower label.

    All numbers of pairs and passages stay, those of A and B change places where A and B do.
    """
    return _Renumbering(report).report()


class _Renumbering:
    def __init__(self, report: Report) -> None:
        self._before = report
        names = [one.name for one in report.documents]
        self._old = sorted(
            range(len(names)), key=lambda number: (len(names[number]), names[number])
        )
        self._new = np.empty(len(names), dtype=np.int32)
        self._new[self._old] = np.arange(len(names), dtype=np.int32)

    def report(self) -> Report:
        before, old = self._before, self._old
        a, b = self._new[before.pairs.a], self._new[before.pairs.b]
        aside = {self._number(number): spans for number, spans in before.set_aside.items()}
        return replace(
            before,
            documents=[before.documents[number] for number in old],
            pairs=_turned(before.pairs.with_columns(a=a, b=b), a > b),
            problems=sorted(before.problems, key=lambda one: (len(one.name), one.name)),
            groups=[self._group(one) for one in before.groups],
            set_aside=dict(sorted(aside.items())),
            choice=replace(
                before.choice, documents=tuple(map(self._number, before.choice.documents))
            ),
            text_of=lambda number: before.text_of(old[number]),
            withheld_in=lambda number: before.withheld_in(old[number]),
            passages_of=self._passages_of,
            find_judged=self._find_judged,
            find_reasons=self._find_reasons,
        )

    def _number(self, old: int) -> int:
        return int(self._new[old])

    def _group(self, one: Group) -> Group:
        members = (
            Member(self._number(of), resemblance, self._sorted(copies))
            for of, resemblance, copies in one.members
        )
        return Group(
            self._number(one.centre),
            self._sorted(one.copies),
            tuple(sorted(members, key=lambda member: (-member.resemblance, member.document))),
            one.is_chosen,
        )

    def _sorted(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(map(self._number, numbers)))

    def _passages_of(self, a: int, b: int) -> SharedText:
        first, second = self._old[a], self._old[b]
        if first < second:
            return self._before.passages_of(first, second)
        shared = self._before.passages_of(second, first)
        return shared._replace(passages=_mirrored(shared.passages))

    def _find_judged(self) -> Sequence[JudgedPassage]:
        return [
            one._replace(
                places=dict(sorted((self._number(of), at) for of, at in one.places.items()))
            )
            for one in self._before.find_judged()
        ]

    def _find_reasons(self, pairs: Pairs, row: int, counted: Sequence[Passage]) -> Sequence[str]:
        one = pairs.take(np.array([row]))
        old: Int64Array = np.array(self._old, dtype=np.int32)
        a, b = old[one.a], old[one.b]
        turned = a > b
        own = _mirrored(counted) if turned[0] else counted
        return self._before.find_reasons(_turned(one.with_columns(a=a, b=b), turned), 0, own)


def _turned(pairs: Pairs, turned: BoolArray) -> Pairs:
    """Pairs of which A and B change places where a mask is true."""
    in_a, in_b = pairs.containment_a, pairs.containment_b
    return pairs.with_columns(
        a=np.where(turned, pairs.b, pairs.a),
        b=np.where(turned, pairs.a, pairs.b),
        containment_a=np.where(turned, in_b, in_a),
        containment_b=np.where(turned, in_a, in_b),
    )


def _mirrored(passages: Sequence[Passage]) -> list[Passage]:
    """Passages with A and B in each other's place, in the order of the new A."""
    return sorted(map(_other_way, passages), key=lambda one: (one.a_start, one.b_start))


def _other_way(one: Passage) -> Passage:
    runs = (Run(run.b_start, run.b_end, run.a_start, run.a_end, run.tokens) for run in one.runs)
    exchanges = (
        Exchange(of.b_start, of.b_end, of.a_start, of.a_end, of.near) for of in one.exchanges
    )
    return replace(
        one,
        a_start=one.b_start,
        a_end=one.b_end,
        b_start=one.a_start,
        b_end=one.a_end,
        a_tokens=one.b_tokens,
        b_tokens=one.a_tokens,
        runs=tuple(sorted(runs)),
        exchanges=tuple(sorted(exchanges)),
    )
