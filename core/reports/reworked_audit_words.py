"""What an audit found of reworked passages, in sentences and as figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.base.wording import counted, share
from core.reports.audit_summary import share_in_words
from core.scan.planted_results import ReworkedPlanting


def reworked_sentences(
    reworked: ReworkedPlanting, names: Sequence[str], *, shown: int
) -> Iterator[str]:
    """What is promised and what was found, line by line; so many missed passages by name."""
    yield ""
    if not reworked.sources:
        yield "No reworked passage could be planted: no document has 30 words beside another."
        return
    yield (
        f"Reworked passages of {counted(reworked.sources, 'document')} were planted in memory "
        "between words of other documents: words exchanged by others of the same document, "
        "dropped and inserted, in half of them sentences moved."
    )
    yield ""
    yield "Words  Changed  Planted  Promised  Listed                  Of these as reworked"
    for row in reworked.cells:
        if row.planted:
            yield (
                f"{row.words:5}  {share(row.changed):>7}  {row.planted:7,}  "
                f"{share(row.promised):>8}  {share_in_words(row.found):<22}  {row.reworked:20,}"
            )
    yield "(Shares with their 95 % interval, after Wilson.)"
    yield from _missed(reworked, names, shown)


def _missed(reworked: ReworkedPlanting, names: Sequence[str], shown: int) -> Iterator[str]:
    missed = reworked.longest_missed
    if not missed or not shown:
        return
    yield ""
    yield f"Not listed: {counted(reworked.missing, 'passage')}."
    for one in missed[:shown]:
        yield (
            f"  {names[one.document]}: words {one.first + 1:,} to {one.first + one.words:,}, "
            f"{share(one.changed)} changed"
        )
    if shown < reworked.missing:
        yield f"… and {reworked.missing - shown:,} more; --show N prints more, --json writes all."


def reworked_figures(reworked: ReworkedPlanting, names: Sequence[str]) -> dict[str, Any]:
    """The same as plain values, ready for JSON."""
    cells = [
        {**row._asdict(), "found": row.found._asdict() if row.found else None}
        for row in reworked.cells
    ]
    missed = [{**one._asdict(), "document": names[one.document]} for one in reworked.missed]
    return {"sources": reworked.sources, "passages": cells, "missed": missed}
