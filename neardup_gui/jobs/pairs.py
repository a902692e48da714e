"""One pair, laid out for reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from core.base.tasks import Cancelled, stop_if
from core.errors import ScanCancelledError
from core.evidence.pairs import PairFigures, Pairs
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.compare.comparison import Comparison, ComparisonNumbers, compare
from neardup_gui.models.compare.document_kind import Origin
from neardup_gui.models.compare.why import Why
from neardup_gui.models.scan_result import Languages, ListedPair, ScanResult
from neardup_gui.models.words.passages import NOT_LISTED

if TYPE_CHECKING:
    from core.evidence.passage import Floor, Passage
    from core.settings import ScanSettings


class OpenedPair(NamedTuple):
    """A pair, ready to be read; its numbers are those of its texts.

    `documents` are its numbers in the list, `languages` theirs, `differs` says that the list has
    other numbers of it.
    """

    key: ListedPair
    comparison: Comparison
    documents: tuple[int, int]
    passages: Sequence[Passage]
    languages: Languages
    differs: bool = False


def compare_pair(
    result: ScanResult, key: ListedPair, pair: Pairs | None, *, changes: bool = False
) -> Work:
    """Find the shared passages of one pair and lay it out for the view.

    Args:
        result: The list.
        key: The pair.
        pair: Its row; None for two documents that are not listed as a pair.
        changes: Whether what was changed is wanted too.
    """

    def work(reports: Reports) -> OpenedPair:
        from core.evidence.overlap import are_same, figures_of
        from core.scan.pair_text import shared_text
        from core.text.disguises import find_disguise_marks
        from neardup_gui.jobs.why import why_of

        a, b = documents = _numbers(result, key, pair)
        texts = (result.scan.texts[a], result.scan.texts[b])
        aside = result.scan.aside(a, b)
        stop_if(reports.cancelled)
        figures = figures_of(*texts, result.settings, aside)
        own = pair.figures(0) if pair else figures
        differs = not are_same(own, figures)
        figures = figures if differs else own
        said = result.state.judgements if result.state else None
        passages, floor = shared_text(result.scan, a, b, result.settings, reports.cancelled, said)
        stop_if(reports.cancelled)
        numbers = _in_numbers(figures, floor, result.settings)
        origins = (Origin.of(result.documents[a]), Origin.of(result.documents[b]))
        marked = (find_disguise_marks(texts[0]), find_disguise_marks(texts[1]))
        shared = compare(key.names, texts, numbers, passages, origins, aside, marked)
        why = why_of(result, pair, figures) if pair else Why((NOT_LISTED,))
        comparison = replace(shared, why=why)
        if changes:
            comparison = replace(comparison, changes=_changes(comparison, reports.cancelled))
        return OpenedPair(key, comparison, documents, passages, result.languages_of(a, b), differs)

    return work


def prepare_pair(result: ScanResult, key: ListedPair, pair: Pairs | None, *, changes: bool) -> Work:
    """The same for a pair that may be wanted soon; the result is None where it cannot be done.

    What is wrong with it is said when it is wanted.
    """
    prepare = compare_pair(result, key, pair, changes=changes)

    def work(reports: Reports) -> object:
        try:
            return prepare(reports)
        except ScanCancelledError:
            raise
        except Exception:  # noqa: BLE001 - nobody has asked for it yet
            return None

    return work


def find_changes(shared: Comparison) -> Work:
    """Find what was changed between the texts of a pair; the result is a `Comparison`."""
    return lambda reports: _changes(shared, reports.cancelled)


def _changes(shared: Comparison, cancelled: Cancelled) -> Comparison:
    from core.evidence.differences import find_differences
    from neardup_gui.models.compare.changes import compare_changes

    a, b = (side.text.source for side in shared.sides)
    return compare_changes(shared, find_differences(a, b, cancelled))


def _in_numbers(figures: PairFigures, floor: Floor, settings: ScanSettings) -> ComparisonNumbers:
    return ComparisonNumbers(
        resemblance=figures.resemblance,
        containment_a=figures.containment_a,
        containment_b=figures.containment_b,
        longest_run=figures.longest_run,
        run_words=figures.run_words,
        shared=figures.shared_shingles,
        unit=settings.unit,
        bag=settings.bag,
        reworked_words=figures.reworked_words,
        shortest_passage=floor.tokens,
        passage_unit=floor.unit,
    )


def _numbers(result: ScanResult, key: ListedPair, pair: Pairs | None) -> tuple[int, int]:
    """The documents of a pair."""
    if pair is not None:
        return int(pair.a[0]), int(pair.b[0])
    a, b = (result.names.index(name) for name in key.names)
    if a is None or b is None:
        raise ValueError("A document of the pair is not there.")
    return a, b
