"""The buckets of a search, in sentences and as a table of the fullest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.base.messages import N_, gettext, ngettext, percentage
from core.base.wording import count, threshold
from core.reports.curve.forecast_words import PART_OF_RUN, about
from neardup_gui.models import table_model

if TYPE_CHECKING:
    from core.candidates.bands import BucketFill, SizeClass
    from core.scan.measured_pairs import OtherLength
    from core.settings import ScanSettings

NOT_KNOWN = N_("The effect of passages is known once a folder is scanned.")
MOST = 100  # documents with a text, up to which all their pairs are compared


@dataclass(frozen=True, slots=True)
class PassageLengths:
    """The pairs that passages list.

    Attributes:
        settings: Those of the list.
        pairs: How many below its threshold share a passage.
        others: Other lengths, from the shortest to the longest.
        is_part_of_run: Whether the list has only pairs of a run on a cluster.
    """

    settings: ScanSettings
    pairs: int
    others: tuple[OtherLength, ...]
    is_part_of_run: bool = False


def passage_words(lengths: PassageLengths | None) -> tuple[str, ...]:
    """The guarantee, what it lists, and a line per other length."""
    if lengths is None:
        return (gettext(NOT_KNOWN),)
    guaranteed = ngettext(
        "Guaranteed: every two documents that share {n} word in a row are found, whatever b and r, "
        "d or chance. Only text that stands in more than {most} documents, and what is set aside, "
        "makes no pairs by itself.",
        "Guaranteed: every two documents that share {n} words in a row are found, whatever b and "
        "r, d or chance. Only text that stands in more than {most} documents, and what is set "
        "aside, makes no pairs by itself.",
        lengths.settings.passage_length,
        most=count(MOST),
    )
    return (
        *([gettext(PART_OF_RUN)] if lengths.is_part_of_run else []),
        guaranteed,
        _now(lengths),
        *(_line(lengths, length) for length in lengths.others),
    )


def _now(lengths: PassageLengths) -> str:
    settings = lengths.settings
    least, floor = count(settings.passage_length), threshold(settings.min_resemblance)
    if settings.list_passages:
        return ngettext(
            "From {words} words on, as now: {n} pair below {floor} shares one.",
            "From {words} words on, as now: {n} pairs below {floor} share one.",
            lengths.pairs,
            words=least,
            floor=floor,
        )
    return ngettext(
        "From {words} words on, as now: {n} pair below {floor} shares one; it is not listed now.",
        "From {words} words on, as now: {n} pairs below {floor} share one; they are not listed "
        "now.",
        lengths.pairs,
        words=least,
        floor=floor,
    )


def _line(lengths: PassageLengths, length: OtherLength) -> str:
    if length.is_shorter:
        change = _more_pairs(lengths, length)
    elif fewer := lengths.pairs - round(length.pairs.expected):
        change = ngettext("{n} pair fewer", "{n} pairs fewer", fewer)
    else:
        change = gettext("the same pairs")
    return gettext("From {words} words on: {change}.", words=count(length.words), change=change)


def _more_pairs(lengths: PassageLengths, length: OtherLength) -> str:
    """How many more pairs a shorter length lists."""
    more = [max(0.0, value - lengths.pairs) for value in length.pairs]
    expected, low, high = round(more[0]), math.floor(more[1]), math.ceil(more[2])
    if high == low:
        return ngettext("{n} pair more", "{n} pairs more", low) if low else gettext("no pair more")
    if expected > low:
        return gettext(
            "about {pairs} pairs more ({low} to {high})",
            pairs=about(expected),
            low=about(low),
            high=about(high),
        )
    if not low:
        return gettext("none known, at most about {most} more", most=about(high))
    return ngettext(
        "{n} pair more that is known, at most about {most}",
        "{n} pairs more that are known, at most about {most}",
        low,
        most=about(high),
    )


NOT_COUNTED = N_("Bucket sizes are known once a folder is scanned.")
COUNTING = N_("Counting buckets…")
NAMES_IN_A_ROW = 3
NAMES_IN_HINT = 30
LETTERS = 160  # of the shared text
FEW = 5  # fullest buckets whose share of the work is shown
MUCH = 0.3  # of all comparisons, from which on it is shown
CROWD = 1000  # documents; of fuller buckets not all pairs are compared


@dataclass(frozen=True, slots=True)
class BucketRow:
    """One of the fullest buckets.

    Attributes:
        names: Of its documents; the first of them where there are very many.
        documents: How many it holds.
        bands: In how many bands they are together.
        pairs: How many pairs they make in all of these.
        text: How the longest passage begins that two of them share; "" where it is not known.
        words: How many words of it are the same.
    """

    names: tuple[str, ...]
    documents: int
    bands: int
    pairs: int
    text: str = ""
    words: int = 0


@dataclass(frozen=True, slots=True)
class BucketNumbers:
    """The buckets of a list.

    Attributes:
        settings: Those of the list.
        fill: How full they are.
        rows: The fullest.
        compared: How many different pairs were compared; None where that is not known.
        every: Whether all pairs of the folder were compared, whatever the buckets.
    """

    settings: ScanSettings
    fill: BucketFill
    rows: tuple[BucketRow, ...]
    compared: int | None
    every: bool


def bucket_words(numbers: BucketNumbers | None) -> str:
    """The buckets of a list, in sentences."""
    if numbers is None:
        return gettext(NOT_COUNTED)
    fill = numbers.fill
    # Documents with the same words are looked up as one.
    texts = ngettext("{n} different text", "{n} different texts", fill.documents)
    parts = [f"{_search(numbers)}, {texts}."]
    if not fill.buckets:
        parts.append(gettext("No two documents share a bucket, so nothing is compared."))
        return " ".join(parts)
    buckets = ngettext(
        "{n} bucket holds two documents or more, the fullest {largest}.",
        "{n} buckets hold two documents or more, the fullest {largest}.",
        fill.buckets,
        largest=count(fill.largest),
    )
    parts += [buckets, _pairs(numbers), _concentration(numbers), _remedy(numbers)]
    if numbers.every:
        parts.append(gettext("All pairs were compared here, so buckets decided nothing."))
    return " ".join(filter(None, parts))


def _search(numbers: BucketNumbers) -> str:
    settings, tables = numbers.settings, numbers.fill.bands
    if settings.distance is None:
        rows = ngettext("{n} row", "{n} rows", settings.rows)
        return ngettext("{n} band of {rows}", "{n} bands of {rows}", settings.bands, rows=rows)
    return gettext(
        "{method}, at most {bits} apart: {tables}",
        method=gettext(settings.method.name),
        bits=ngettext("{n} bit", "{n} bits", settings.max_distance),
        tables=ngettext("{n} table", "{n} tables", tables),
    )


def _pairs(numbers: BucketNumbers) -> str:
    if numbers.settings.distance is not None:
        return ngettext(
            "{n} pair in them agrees in some bits and is compared in all, which takes a moment.",
            "{n} pairs in them agree in some bits and are compared in all, which takes a moment.",
            numbers.fill.pairs,
        )
    if numbers.compared is None:
        return ngettext(
            "Together they hold {n} pair.", "Together they hold {n} pairs.", numbers.fill.pairs
        )
    return ngettext(
        "Together they hold {n} pair; {compared} different ones were compared.",
        "Together they hold {n} pairs; {compared} different ones were compared.",
        numbers.fill.pairs,
        compared=count(numbers.compared),
    )


def _concentration(numbers: BucketNumbers) -> str:
    """The share of the work that the fullest buckets make."""
    few = numbers.rows[:FEW]
    share = sum(row.pairs for row in few) / max(numbers.fill.pairs, 1)
    if numbers.fill.buckets <= len(few) or share < MUCH:
        return ""
    shown = percentage(str(min(round(100 * share), 100)))
    if len(few) == 1:
        return gettext("The fullest one makes about {share} of that.", share=shown)
    return gettext("The {number} fullest make about {share} of that.", number=len(few), share=shown)


def _remedy(numbers: BucketNumbers) -> str:
    has_bands = numbers.settings.distance is None
    if not (has_bands and numbers.rows and numbers.fill.largest > CROWD):
        return ""
    return gettext(
        "In a bucket of more than {crowd}, each document is compared with one of them and with "
        "those that share more. More rows make buckets smaller; text that stands in all of them "
        "can be set aside.",
        crowd=count(CROWD),
    )


def size_name(fill: SizeClass) -> str:
    """The sizes as below a bar: "5+"."""
    return count(fill.least) if fill.least == fill.most else f"{count(fill.least)}+"


def fill_words(fill: SizeClass) -> str:
    """One bar of the picture, in a sentence."""
    values = {
        "buckets": ngettext("{n} bucket", "{n} buckets", fill.buckets),
        "pairs": ngettext("{n} pair", "{n} pairs", fill.pairs),
    }
    if fill.most == fill.least:
        return ngettext(
            "{n} document: {buckets}, {pairs}",
            "{n} documents: {buckets}, {pairs}",
            fill.least,
            **values,
        )
    return ngettext(
        "{least} to {n} document: {buckets}, {pairs}",
        "{least} to {n} documents: {buckets}, {pairs}",
        fill.most,
        least=count(fill.least),
        **values,
    )


def details_of(row: BucketRow, most: int = NAMES_IN_A_ROW) -> str:
    """The text that fills a bucket, and at most so many names."""
    lines = []
    if row.text:
        cut = row.text if len(row.text) <= LETTERS else f"{row.text[:LETTERS].rstrip()} …"
        lines.append(
            ngettext(
                "Two of them share a passage of {n} word: “{text}”",
                "Two of them share a passage of {n} words: “{text}”",
                row.words,
                text=cut,
            )
        )
    return "\n".join([*lines, _names(row, most)])


def _names(row: BucketRow, most: int) -> str:
    names = ", ".join(row.names[:most])
    rest = row.documents - len(row.names[:most])
    if not rest:
        return names
    return ngettext("{names} and {n} more", "{names} and {n} more", rest, names=names)


class BucketColumn(table_model.RowColumns):
    """The columns, from left to right."""

    NAMES = table_model.text_column(
        N_("Fullest buckets"),
        lambda row: _names(row, NAMES_IN_A_ROW),
        meaning=N_("The documents that are together."),
    )
    DOCUMENTS = table_model.number_column(
        N_("Documents"),
        "400,000",
        lambda row: count(row.documents),
        meaning=N_("How many are together."),
    )
    PAIRS = table_model.number_column(
        N_("Pairs"),
        "79,999,800",
        lambda row: count(row.pairs),
        meaning=N_("How many pairs they make in all of these bands."),
    )
    BANDS = table_model.number_column(
        N_("Bands"),
        "1,024",
        lambda row: count(row.bands),
        meaning=N_("In how many bands, or tables of bits, they are together."),
    )


class BucketsModel(table_model.RowsModel[BucketRow, tuple[str, ...]]):
    """One row per bucket, the fullest first."""

    columns = tuple(BucketColumn)

    def key_of(self, row: BucketRow) -> tuple[str, ...]:
        """The key of a row: the names of its documents."""
        return row.names

    def sentence(self, row: BucketRow) -> str:
        """How full the bucket is, and of which text."""
        return gettext(
            "{documents} in {bands}, {pairs}: {details}",
            documents=ngettext("{n} document", "{n} documents", row.documents),
            bands=ngettext("{n} band", "{n} bands", row.bands),
            pairs=ngettext("{n} pair", "{n} pairs", row.pairs),
            details=details_of(row),
        )

    def hint(self, row: BucketRow, column: table_model.RowColumn) -> str:
        """More names than the cell shows."""
        return details_of(row, NAMES_IN_HINT) if column is BucketColumn.NAMES.words else ""
