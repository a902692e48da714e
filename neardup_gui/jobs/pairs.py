"""One pair, laid out for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array, UInt8Array
from core.base.messages import gettext
from core.base.tasks import stop_if_cancelled
from core.base.wording import comma_list, count, isolated
from core.documents.model import PairKey
from core.documents.reading_settings import ReadingSettings
from core.errors import ScanCancelledError
from core.evidence.pairs import PairFigures, Pairs
from core.reports.pair_words import pair_in_words
from core.scan.judgements import RandomCheck
from core.settings import ScanSettings
from neardup_gui.jobs.tasks import current_task
from neardup_gui.models.compare.comparison import (
    Comparison,
    ComparisonNumbers,
    PropertiesOfPair,
    Rarity,
    SharingDocument,
    SignatureGrid,
    Why,
    compare,
)
from neardup_gui.models.compare.side import Origin
from neardup_gui.models.pairs.columns import DocumentPair, PairVerdicts, Thumbnail, why_shown
from neardup_gui.models.scan_result import Languages, ListedPair, ScanResult
from neardup_gui.models.threshold import CheckedRows, JudgedSoFar, judged_so_far
from neardup_gui.models.words.passages import NOT_LISTED

if TYPE_CHECKING:
    from core.candidates.scurve import Collision
    from core.evidence.passage import PairOverlap, Passage
    from core.scan.properties import FolderProperties


class MeasuredRow(NamedTuple):
    """The picture of a row: where the passages of its pair are, and how long."""

    thumbnail: Thumbnail
    overlap: PairOverlap | None


def measure_row(result: ScanResult, pair: DocumentPair) -> MeasuredRow:
    """Find the passages of a pair.

    There are none if they cannot be found; opening the pair shows why.
    """
    from core.scan.pair_details import shared_text

    try:
        a, b = (result.scan.texts[number] for number in pair)
        text = shared_text(result.scan, *pair, result.settings)
    except ScanCancelledError:
        raise
    except Exception:  # noqa: BLE001 - see above
        return MeasuredRow(_lines((), 0, 0), None)
    return MeasuredRow(_lines(text.passages, len(a), len(b)), text.overlap)


def measure_overlaps(result: ScanResult, rows: Int64Array) -> None:
    """Measure the overlap of pairs that were too many for the list; previews are parts."""
    for measured in result.scan.measure_later(result.pair_list, result.pairs, rows):
        current_task().preview(measured)


def _lines(passages: Sequence[Passage], length_a: int, length_b: int) -> Thumbnail:
    rows = [row for passage in passages for row in _lines_of(passage)]
    ends = np.array([length_a, length_b, length_a, length_b], dtype=np.float64)
    lines = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Thumbnail(lines / np.maximum(ends, 1))


def _lines_of(passage: Passage) -> Iterator[tuple[int, int, int, int]]:
    """One line, or several if text is moved within the passage."""
    for run in passage.runs if passage.moved_words else (passage,):
        yield run.a_start, run.b_start, run.a_end, run.b_end


def why_of(result: ScanResult, pair: Pairs, figures: PairFigures) -> Why:
    """Why a pair is in a list.

    Args:
        result: The list.
        pair: One row of it.
        figures: Its exact numbers.
    """
    from core.reports.why_words import why_found, why_listed

    if not result.complete:
        return Why(why_listed(int(pair.found_by[0]), figures, None, result.settings))
    sentences, collision = why_found(result.scan, result.pair_list, pair, 0, figures)
    return Why(sentences, _grid(collision, result.settings) if collision else None)


def _grid(collision: Collision, settings: ScanSettings) -> SignatureGrid:
    from core.reports.why_words import grid_caption

    bands = tuple(tuple(band) for band in collision.agree.tolist())
    return SignatureGrid(bands, frozenset(collision.bands), grid_caption(collision, settings))


def explain(result: ScanResult, pair: tuple[int, int], passages: Sequence[Passage]) -> Rarity:
    """The rarity of the passages and spellings of a pair; reads all texts.

    The preview is without spellings.
    """
    from core.reports.why_words import rare_in_words, slips_in_words
    from core.scan.pair_details import rare_passages
    from core.scan.shared_mistakes import find_slips

    rarity = Rarity(rare_in_words(rare_passages(result.scan, pair, passages, result.settings)))
    current_task().preview(rarity)
    slips = find_slips(result.scan, pair)
    spellings = slips_in_words(
        slips,
        lambda word: f"<a href='{word}'>{_unbroken(word)}</a>",
        _unbroken,
        lambda words: "<br>".join(("", *words)),  # each on its line, to compare them
    )
    return rarity._replace(spellings="".join(spellings))


def _unbroken(text: str) -> str:
    return isolated(text.replace(" ", "\xa0"))


def weigh_verdicts(
    resemblance: Float64Array, given: UInt8Array, verdicts: PairVerdicts, check: RandomCheck
) -> JudgedSoFar:
    """Estimate from the verdicts on the found pairs, and from the last random check."""
    stop_if_cancelled()
    rows = verdicts.one_row_each(check.pairs)
    rows = rows[rows < len(given)]
    checked = CheckedRows(rows, check.rest) if check.pairs else None
    return judged_so_far(resemblance, given, checked)


class OpenedPair(NamedTuple):
    """A pair, ready to be read, with the numbers of its texts.

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
) -> OpenedPair:
    """Find the shared passages of one pair and lay it out for the view."""
    from core.evidence.overlap import are_same, figures_of
    from core.scan.pair_details import shared_text
    from core.text.disguise_marks import find_disguise_marks

    a, b = documents = _numbers(result, key, pair)
    texts = (result.scan.texts[a], result.scan.texts[b])
    exclusions = result.scan.exclusions_of(a, b)
    stop_if_cancelled()
    figures = figures_of(*texts, result.settings, exclusions)
    listed = pair.figures(0) if pair else figures
    differs = not are_same(listed, figures)
    figures = figures if differs else listed
    judgements = result.state.judgements if result.state else None
    shared = shared_text(result.scan, a, b, result.settings, judgements)
    passages = shared.passages
    figures = figures._replace(**shared.overlap._asdict())
    stop_if_cancelled()
    settings, floor = result.settings, shared.floor
    numbers = ComparisonNumbers(figures, settings.unit, settings.bag, floor.tokens, floor.unit)
    origins = (Origin.of(result.documents[a]), Origin.of(result.documents[b]))
    marked = (find_disguise_marks(texts[0]), find_disguise_marks(texts[1]))
    stop_if_cancelled()
    laid_out = compare(key.names, texts, numbers, passages, origins, exclusions, marked)
    stop_if_cancelled()
    found_by = int(pair.found_by[0]) if pair else 0
    was_added = judgements is not None and judgements.was_added(
        PairKey.of(result.documents[a], result.documents[b])
    )
    shown = why_shown(is_of_few=result.pair_list.is_of_few, was_added=was_added)
    why = Why((shown if pair else gettext(NOT_LISTED),))
    if pair is not None and found_by:
        why = why_of(result, pair, figures)
    set_aside = any(span.is_written for spans in exclusions for span in spans)
    findings = _findings(result, documents, figures, found_by, passages, set_aside)
    also = _also_sharing(result, documents)
    comparison = replace(laid_out, why=why, findings=findings, also=also)
    if changes:
        text_changes = find_changes(comparison, passages)
        comparison = replace(comparison, changes=text_changes)
    return OpenedPair(key, comparison, documents, passages, result.languages_of(a, b), differs)


def _also_sharing(result: ScanResult, documents: tuple[int, int]) -> tuple[SharingDocument, ...]:
    """The other listed pairs of two documents, the worst first."""
    pairs, names = result.pair_list.pairs, result.names
    first, second = (np.isin(column, documents) for column in (pairs.a, pairs.b))
    rows = np.flatnonzero(first ^ second)
    sharing = []
    for row in rows.tolist():
        a, b = int(pairs.a[row]), int(pairs.b[row])
        document, partner = (a, b) if first[row] else (b, a)
        side = int(document == documents[1])
        overlap = pairs.overlap[row].item()
        sharing.append(SharingDocument(names.shown[partner], names.key(a, b), overlap, side))
    return tuple(sharing)


def _findings(
    result: ScanResult,
    documents: tuple[int, int],
    figures: PairFigures,
    found_by: int,
    passages: Sequence[Passage],
    set_aside: bool,
) -> tuple[str, str]:
    """What two documents share, in words: as they are, and with A and B exchanged."""
    a, b = documents
    empty = (False, False)
    if result.state is not None:
        units = result.state.signed.units
        empty = bool(units[a] == 0), bool(units[b] == 0)

    def words(figures: PairFigures, empty: tuple[bool, bool]) -> str:
        return pair_in_words(
            figures, found_by, result.settings.unit, passages, empty=empty, set_aside=set_aside
        )

    return words(figures, empty), words(figures.turned(), (empty[1], empty[0]))


def prepare_pair(
    result: ScanResult, key: ListedPair, pair: Pairs | None, *, changes: bool
) -> OpenedPair | None:
    """Compare a pair that may be wanted soon; the result is None if that fails.

    The error is shown when the pair is wanted.
    """
    try:
        return compare_pair(result, key, pair, changes=changes)
    except ScanCancelledError:
        raise
    except Exception:  # noqa: BLE001 - the user has not asked for it yet
        return None


def find_changes(shared: Comparison, passages: Sequence[Passage]) -> Comparison:
    """Find the changes between the texts of a pair; the result is a `Comparison`.

    The texts are aligned by their passages.
    """
    from core.evidence.differences import find_differences
    from neardup_gui.models.compare.comparison import compare_changes

    a, b = (side.text.source for side in shared.sides)
    return compare_changes(shared, find_differences(a, b, passages))


def _numbers(result: ScanResult, key: ListedPair, pair: Pairs | None) -> tuple[int, int]:
    """The documents of a pair."""
    if pair is not None:
        return int(pair.a[0]), int(pair.b[0])
    a, b = (result.names.index(name) for name in key.names)
    if a is None or b is None:
        raise ValueError("A document of this pair is missing.")
    return a, b


class SharedProperties(NamedTuple):
    """The properties of the files of a scan, and the pairs that share rare ones.

    `listed` are pairs of the list, `unlisted` those that could be added to it, rarest first.
    """

    folder: FolderProperties
    listed: Sequence[DocumentPair]
    unlisted: Sequence[PairKey]


def read_properties(result: ScanResult, reading: ReadingSettings) -> SharedProperties:
    """Read the properties of the scanned files, and find the pairs that share rare ones."""
    from core.scan.properties import properties_of_scan

    folder = properties_of_scan(result.scan, reading=reading)
    pairs = zip(result.pairs.a.tolist(), result.pairs.b.tolist(), strict=True)
    unlisted = [] if result.is_of_run else result.pair_list.keys_to_add(folder.pairs())
    return SharedProperties(folder, folder.rare_among(pairs), unlisted)


def properties_of_pair(
    folder: FolderProperties, a: int, b: int, names: Sequence[str]
) -> PropertiesOfPair:
    """The properties of the files of a pair, those they share, and other sharers, in words."""
    from core.reports.properties_words import NOTHING_SHARED, file_in_words, shared_in_words

    properties = folder.shared(a, b)
    shared = tuple(map(shared_in_words, properties))
    return PropertiesOfPair(
        shared=shared or (gettext(NOTHING_SHARED),),
        rare=shared[: sum(shared_property.is_rare for shared_property in properties)],
        a=(*file_in_words(folder.documents[a]), *_sharing_words(folder, a, b, names)),
        b=(*file_in_words(folder.documents[b]), *_sharing_words(folder, b, a, names)),
    )


def _sharing_words(
    folder: FolderProperties, document: int, besides: int, names: Sequence[str]
) -> Iterator[str]:
    """The files that share a rare property with a document, even if they share no text."""
    from core.reports.properties_words import MOST_SHOWN

    sharing = [partner for partner in folder.sharing_with(document) if partner != besides]
    if sharing:
        shown = [names[partner] for partner in sharing[:MOST_SHOWN]]
        if more := len(sharing) - len(shown):
            shown.append(gettext("and {number} more", number=count(more)))
        yield gettext("Also shares a rare property with: {names}", names=comma_list(shown))
