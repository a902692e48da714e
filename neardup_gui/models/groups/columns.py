"""The columns of the list of groups: their names, meanings and what they say of a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.base.wording import count, counted, resemblance
from core.scan.judgements import VERDICTS
from neardup_gui.models.groups.grouped import GroupList
from neardup_gui.models.groups.rows import GroupRow, RowKind
from neardup_gui.models.groups.verdicts import GroupVerdicts
from neardup_gui.models.table_model import RIGHT, Columns, TableColumn
from neardup_gui.models.words.numbers import full_name

Shown = Callable[[GroupList, GroupVerdicts, GroupRow], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupColumnWords(TableColumn):
    """One column; `shown` is what it says of a row."""

    shown: Shown


def _number(_listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    return count(row.group + 1) if row.kind is RowKind.GROUP else ""


def _document(listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.FOLD:
        return f"and {counted(row.copies, 'exact copy', 'exact copies')}"
    return listed.names.shown[row.document]


def _resemblance(listed: GroupList, _verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.GROUP:
        return counted(listed.groups[row.group].size, "document")
    if row.kind is RowKind.MEMBER:
        return resemblance(listed.pairs.resemblance[listed.pair_of[row.document]].item())
    return ""


def _judged(_listed: GroupList, verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is not RowKind.GROUP:
        return ""
    return f"{count(verdicts.judged(row.group))} of {count(verdicts.total(row.group))}"


def _verdict(listed: GroupList, verdicts: GroupVerdicts, row: GroupRow) -> str:
    if row.kind is RowKind.GROUP:
        return verdicts.text_of_group(row.group)
    pair = -1 if row.kind is RowKind.FOLD else int(listed.pair_of[row.document])
    return "" if pair < 0 else verdicts.text_of_pair(pair)


class GroupColumn(Columns):
    """The columns, from left to right."""

    words: GroupColumnWords

    NUMBER = GroupColumnWords(
        title="#",
        sample="9,999",
        shown=_number,
        meaning="Groups by size: the largest is number 1.",
        alignment=RIGHT,
    )
    DOCUMENT = GroupColumnWords(
        title="Document",
        shown=_document,
        meaning="The centre of a group, and below it its members, the most similar first. Every "
        "member is itself in a listed pair with the centre.",
    )
    RESEMBLANCE = GroupColumnWords(
        title="Resemblance",
        sample="9,999 documents",
        shown=_resemblance,
        meaning="Resemblance |A∩B| / |A∪B| of each member to the centre of its group, exact.",
    )
    JUDGED = GroupColumnWords(
        title="Judged",
        sample="99,999 of 99,999",
        shown=_judged,
        meaning="How many of the pairs in a group are judged.",
        alignment=RIGHT,
    )
    VERDICT = GroupColumnWords(
        title="Verdict",
        sample="◐ not a match",
        shown=_verdict,
        meaning="Of a group the verdict that all its pairs have; of a member that of its pair with "
        "the centre.",
    )


COLUMNS = tuple(GroupColumn)


def explanation(
    listed: GroupList, verdicts: GroupVerdicts, row: GroupRow, column: GroupColumn
) -> str:
    """What the tool tip of a cell says."""
    if column is GroupColumn.DOCUMENT and row.kind is not RowKind.FOLD:
        lines = [full_name(listed.names.paths[row.document])]
        lines.append(listed.names.marks.get(row.document, ""))
        if row.kind is RowKind.GROUP and listed.groups[row.group].is_chosen:
            lines.append("Chosen as the centre of its group.")
        return "\n".join(filter(None, lines))
    if column >= GroupColumn.JUDGED and row.kind is RowKind.GROUP:
        told = [
            f"{verdict.value}: {count(verdicts.count(row.group, verdict))}" for verdict in VERDICTS
        ]
        return "\n".join((*told, whole_group(verdicts.total(row.group))))
    if column is GroupColumn.VERDICT and row.kind in (RowKind.MEMBER, RowKind.COPY):
        pair = int(listed.pair_of[row.document])
        return verdicts.in_full(pair) if pair >= 0 else ""
    return column.words.meaning


def whole_group(pairs: int) -> str:
    """What a verdict on a group is about."""
    which = "its one pair" if pairs == 1 else f"all {count(pairs)} listed pairs in it"
    return (
        f"A verdict on the group judges {which}: of the centre with each member, and of members "
        "with each other."
    )
