"""The passages that were judged, for programs."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.progress import Cancelled, stop_if
from core.reports.model import Report


def judged_passage_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """The judged passages, most widely shared first.

    Keys: meaning, text ("" in a report without texts), words, documents (their names), who, time.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for passage in report.judged_passages:
        stop_if(cancelled)
        yield {
            "meaning": passage.judgement.meaning.value,
            "text": passage.judgement.text if report.choice.passages else "",
            "words": passage.words,
            "documents": [report.name_of(number) for number in passage.places],
            "who": passage.judgement.who,
            "time": passage.judgement.time,
        }
