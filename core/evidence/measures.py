"""The numbers of a pair, and those of a passage: each is declared once, for all outputs.

A new number is its field in `core.evidence.pairs.Pairs`, its computation in
`core.evidence.overlap.numbers_of`, or in `core.evidence.shared_words` where it is of passages, and
its entry in `MEASURES`. With that it has a column in the window's table and an entry to sort by,
appears in HTML, PDF, the workbook, CSV, JSON and its schema, GraphML, on the terminal and in the
answers of `neardup query`, is compared by `neardup verify` and computed on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from enum import Enum, Flag, auto
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.base.messages import N_, gettext, language, ngettext
from core.base.wording import count, resemblance, share
from core.evidence.pairs import WEAK_BITS, WEAK_OVERLAP, WEAK_WORDS, FoundBy, PairFigures, Pairs
from core.settings import Unit, names_using
from core.text.word_counts import are_letters_only

if TYPE_CHECKING:
    from core.evidence.passage import Passage

LENGTHS: dict[Unit, str] = {
    "word": N_("words; where a script has no spaces between words, in characters"),
    "char": N_("characters"),
}
NO_NUMBER = "–"
EXACT_DIGITS = 9
ESTIMATE_DIGITS = 6


def length_in_words(number: int, unit: Unit) -> str:
    """The length of a text: "30 words", "48 characters"."""
    if unit == "word":
        return ngettext("{n} word", "{n} words", number)
    return ngettext("{n} character", "{n} characters", number)


def run_in_words(units: int, words: int, unit: Unit) -> str:
    """The length of a run: "30 words", "48 characters, about 30 words"."""
    if unit == "word" and units == words:
        return length_in_words(units, unit)
    shown = length_in_words(units, "char")
    if unit == "word" and not are_letters_only(units, words):
        shown = gettext("{number} words and letters", number=count(units))
    if not words:
        return shown
    return gettext("{length}, about {words}", length=shown, words=length_in_words(words, "word"))


# How a pair was found


class Way(NamedTuple):
    """A way in which pairs are found: its name, and what it means for the two documents."""

    shown: str
    meaning: str

    @property
    def explained(self) -> str:
        """Its meaning, in the reader's language."""
        return gettext(self.meaning, method=names_using("max_distance"))


WAYS = {
    FoundBy.EXACT: Way(N_("exact"), N_("Both documents have the same words throughout.")),
    FoundBy.LSH: Way(
        N_("shingles"), N_("Their signatures agree in a band; with {method}, in nearly all bits.")
    ),
    FoundBy.PASSAGE: Way(
        N_("passage"), N_("They share a long run of words, whatever their length.")
    ),
    FoundBy.REWORKED: Way(
        N_("reworked"),
        N_("They share a passage in which words were exchanged, left out, added or moved."),
    ),
    FoundBy.ALL: Way(
        N_("all pairs"),
        N_("Neither a band nor a passage led to them, only the comparison of all pairs."),
    ),
    FoundBy.FINGERPRINT: Way(
        N_("fingerprint"),
        N_("They share a run that is shorter than a passage and was met by chance."),
    ),
}


def found_by(value: int) -> str:
    """How a pair was found: "exact", "shingles, passage"; `FoundBy.label` is the word of files."""
    return ", ".join(gettext(WAYS[way].shown) for way in _ways(value))


def how_found(value: int) -> str:
    """How a pair was found, in sentences, one a line."""
    return "\n".join(WAYS[way].explained for way in _ways(value))


def ways_explained() -> str:
    """What each word for a way of finding pairs means, one a line."""
    ways = (f"{gettext(way.shown)}: {way.explained}" for way in WAYS.values())
    return "\n".join((gettext("How the pair was found."), *ways))


def _ways(value: int) -> Iterator[FoundBy]:
    ways = FoundBy(int(value))
    # An exact duplicate needed no other way to be found.
    return (way for way in WAYS if way in (ways & FoundBy.EXACT or ways))


# The table


class NumberKind(Enum):
    """The kind of a number, which decides how it is written everywhere."""

    RESEMBLANCE = auto()  # 0 to 1, shown as .123
    SHARE = auto()  # 0 to 1, shown in percent
    COUNT = auto()
    AMOUNT = auto()
    FLAG = auto()
    WAYS = auto()  # `FoundBy`


class ShownIn(Flag):
    """Where a number is shown."""

    LIST = auto()  # with every pair a person reads: window, HTML, PDF, workbook, terminal
    PAIR = auto()  # beside a single pair, with all its details
    SHEET = auto()  # in the workbook
    FILES = auto()  # in CSV, JSON and GraphML
    ANSWERS = auto()  # of `neardup query`, where a text of the pair is no document
    OVERVIEW = auto()  # in the table of pairs of a report, where names need the room


EVERYWHERE = ShownIn.LIST | ShownIn.PAIR | ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS
FLAGS = {"exact_duplicate": N_("exact duplicate"), "weak_trace": N_("weak trace")}
_SHOWN: dict[NumberKind, Callable[[Any], str]] = {
    NumberKind.RESEMBLANCE: resemblance,
    NumberKind.SHARE: share,
    NumberKind.COUNT: count,
    NumberKind.AMOUNT: "{:,.1f}".format,
    NumberKind.WAYS: found_by,
}


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number of a pair.

    Attributes:
        column: The column of `core.evidence.pairs.Pairs` that holds it, with its type, or the
            property that gives it.
        kind: How it is written.
        name: Its heading.
        meaning: Its meaning, in a sentence; "{kind}" and "{lengths}" follow the settings.
        formula: How it is computed; empty if the meaning says so.
        decimals: In files for programs.
        where: Where it is shown.
        of_texts: Whether it depends on the two texts alone, whatever else is in the folder.
        of_passages: Whether it is measured from passages: it is -1 if these were not measured.
        in_full: Writes the number outside of tables, with what it counts; as in a table if None.
    """

    column: str
    kind: NumberKind
    name: str = ""
    meaning: str = ""
    formula: str = ""
    decimals: int = 0
    where: ShownIn = EVERYWHERE
    of_texts: bool = True
    of_passages: bool = False
    in_full: Callable[[PairFigures, Unit], str] | None = None

    def shown(self, value: Any) -> str:
        """The number in a table, in words."""
        if self.kind is NumberKind.FLAG:
            return gettext(FLAGS[self.column]) if value else ""
        return NO_NUMBER if self.of_passages and value < 0 else _SHOWN[self.kind](value)

    @property
    def explained(self) -> str:
        """Its meaning, with its formula."""
        return f"{self.meaning}\n{self.formula}" if self.formula else self.meaning


# In the order in which they are read.
MEASURES = (
    Measure(
        column="overlap",
        kind=NumberKind.SHARE,
        name=N_("Overlap"),
        where=EVERYWHERE | ShownIn.OVERVIEW,
        meaning=N_(
            "How much of both texts stands in passages that both share, word for word or "
            "reworded: the mean of both texts’ shares, without words that differ. What is listed "
            "is sorted by it. – where it was not measured."
        ),
        formula=N_("(words that both have in the passages / words of A + the same of B) / 2"),
        decimals=EXACT_DIGITS,
        of_passages=True,
    ),
    Measure(
        column="resemblance",
        kind=NumberKind.RESEMBLANCE,
        name=N_("Resemblance"),
        where=EVERYWHERE | ShownIn.OVERVIEW,
        meaning=N_(
            "Shared shingles among all shingles of both, each document taken as a {kind} "
            "(Jaccard). 1 when all are shared, 0 when none is."
        ),
        formula="|A ∩ B| / |A ∪ B|",
        decimals=EXACT_DIGITS,
    ),
    Measure(
        column="overlap_a",
        kind=NumberKind.SHARE,
        name=N_("A in B"),
        meaning=N_(
            "Share of A’s words that stand in passages which B shares, word for word or reworded, "
            "with the words that differ in these. Text set aside does not count."
        ),
        formula=N_("words of A in passages / words of A"),
        decimals=EXACT_DIGITS,
        of_passages=True,
    ),
    Measure(
        column="overlap_b",
        kind=NumberKind.SHARE,
        name=N_("B in A"),
        meaning=N_(
            "Share of B’s words that stand in passages which A shares, word for word or reworded, "
            "with the words that differ in these. Text set aside does not count."
        ),
        formula=N_("words of B in passages / words of B"),
        decimals=EXACT_DIGITS,
        of_passages=True,
    ),
    Measure(
        column="containment_a",
        kind=NumberKind.SHARE,
        name=N_("Containment of A"),
        meaning=N_("Share of A’s shingles that B has too."),
        formula="|A ∩ B| / |A|",
        decimals=EXACT_DIGITS,
        where=ShownIn.PAIR | ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS,
    ),
    Measure(
        column="containment_b",
        kind=NumberKind.SHARE,
        name=N_("Containment of B"),
        meaning=N_("Share of B’s shingles that A has too."),
        formula="|A ∩ B| / |B|",
        decimals=EXACT_DIGITS,
        where=ShownIn.PAIR | ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS,
    ),
    Measure(
        column="longest_run",
        kind=NumberKind.COUNT,
        name=N_("Longest run"),
        where=EVERYWHERE | ShownIn.OVERVIEW,
        meaning=N_(
            "The stretch of most words that is the same in both, in {lengths}; 0 where none is "
            "as long as a shingle."
        ),
        in_full=lambda figures, unit: run_in_words(figures.longest_run, figures.run_words, unit),
    ),
    Measure(
        column="shared_words",
        kind=NumberKind.COUNT,
        name=N_("Shared words"),
        where=EVERYWHERE | ShownIn.OVERVIEW,
        meaning=N_(
            "Words in the passages that both share, be they the same word for word or "
            "reworded: words exchanged, left out, added or moved. Of A and B the smaller number; a "
            "letter is a word in scripts without spaces. – where it was not measured."
        ),
        of_passages=True,
    ),
    Measure(
        column="shared_shingles",
        kind=NumberKind.COUNT,
        name=N_("Shared"),
        meaning=N_("Number of shingles that both have."),
        formula="|A ∩ B|",
        in_full=lambda figures, _unit: ngettext(
            "{n} shingle", "{n} shingles", figures.shared_shingles
        ),
    ),
    Measure(
        column="estimate",
        kind=NumberKind.RESEMBLANCE,
        name=N_("Estimate"),
        meaning="Resemblance by the signatures alone.",
        decimals=ESTIMATE_DIGITS,
        where=ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS,
        of_texts=False,
    ),
    Measure(
        column="exact_duplicate",
        kind=NumberKind.FLAG,
        name=N_("Exact duplicate"),
        meaning=N_("Both texts are the same once they are treated as the settings say."),
        where=ShownIn.SHEET | ShownIn.FILES,
    ),
    Measure(
        column="found_by",
        kind=NumberKind.WAYS,
        name=N_("Found by"),
        meaning="How the pair was found.\n"
        + "\n".join(f"{way.shown}: {way.meaning}" for way in WAYS.values()).format(
            method=names_using("max_distance")
        ),
        where=ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS,
        of_texts=False,
    ),
    Measure(
        column="reworked_bits",
        kind=NumberKind.AMOUNT,
        meaning="What the strongest reworked passage says, in bits.",
        decimals=1,
        where=ShownIn.FILES,
        of_texts=False,
        of_passages=True,
    ),
    Measure(
        column="weak_trace",
        kind=NumberKind.FLAG,
        name=N_("Weak trace"),
        meaning="The two share little more than a phrase: nothing but reworked passages, with "
        f"fewer than {WEAK_WORDS} words in them, or less than {WEAK_BITS:.0f} bits in the "
        f"strongest, and their overlap is below {share(WEAK_OVERLAP)}.",
        where=ShownIn.SHEET | ShownIn.FILES | ShownIn.ANSWERS,
        of_texts=False,
    ),
)
MEASURE = {measure.column: measure for measure in MEASURES}


def measures_in(where: ShownIn) -> tuple[Measure, ...]:
    """The numbers that are shown in a place, in the order of reading."""
    return tuple(measure for measure in MEASURES if where in measure.where)


def columns_in(where: ShownIn) -> tuple[Measure, ...]:
    """These numbers in the order of `Pairs`, which files for programs keep: new ones come last."""
    order = {column.name: index for index, column in enumerate(fields(Pairs))}
    order["weak_trace"] = order["reworked_bits"]  # a property, which came after that column
    return tuple(sorted(measures_in(where), key=lambda measure: order[measure.column]))


def measures(
    unit: Unit, *, bag: bool, passages: bool = True, where: ShownIn = ShownIn.LIST
) -> tuple[Measure, ...]:
    """The numbers of pairs that people read, in their language, by the settings.

    Args:
        unit: The unit of shingles.
        bag: Whether shingles count as often as they occur.
        passages: Whether passages were measured.
        where: Where they are read.
    """
    all_measures = _measures(unit, bag, where, language().code)
    return (
        all_measures
        if passages
        else tuple(measure for measure in all_measures if not measure.of_passages)
    )


@cache
def _measures(
    unit: Unit,
    bag: bool,  # noqa: FBT001
    where: ShownIn,
    _language: str,
) -> tuple[Measure, ...]:
    kind = gettext("multiset") if bag else gettext("set")
    lengths = gettext(LENGTHS[unit])
    return tuple(
        replace(
            measure,
            name=gettext(measure.name),
            meaning=gettext(measure.meaning, kind=kind, lengths=lengths),
            formula=gettext(measure.formula),
        )
        for measure in measures_in(where)
    )


class PassageColumn(NamedTuple):
    """A column of passages in files and on the cluster.

    Attributes:
        name: Its name there; "a_" and "b_" are exchanged if A and B are.
        type: Of its values; offsets are np.int64.
        meaning: Its meaning.
        attribute: Its name in `core.evidence.passage.Passage`, if that differs.
    """

    name: str
    type: type[np.generic]
    meaning: str = ""
    attribute: str = ""

    def of(self, passage: Passage) -> Any:
        """The value of one passage."""
        return getattr(passage, self.attribute or self.name)


PASSAGE_COLUMNS = (
    PassageColumn("a_start", np.int64),
    PassageColumn("a_end", np.int64),
    PassageColumn("b_start", np.int64),
    PassageColumn("b_end", np.int64),
    PassageColumn("tokens", np.int32, "Words that are the same."),
    PassageColumn("longest_run", np.int32, "Of these, in a row."),
    PassageColumn("bits", np.float64, "What it tells."),
    PassageColumn("a_tokens", np.int32, "All its words in A."),
    PassageColumn("b_tokens", np.int32, "All its words in B."),
    PassageColumn("near", np.int32, "Words in another form."),
    PassageColumn("exchanged", np.int32, "Words in the place of others."),
    PassageColumn("moved", np.int32, "Words in another order.", "moved_words"),
    PassageColumn(
        "chance", np.str_, "How many other pairs of the folder have as strong a passage, in words."
    ),
)


class Fact(NamedTuple):
    """A number of a pair with its name, its meaning, and the column that holds it.

    `value` is the number with the numbers that it is made of; `brief` is the number alone.
    """

    name: str
    value: str
    meaning: str
    column: str
    brief: str


def facts(figures: PairFigures, unit: Unit, *, bag: bool) -> tuple[Fact, ...]:
    """The numbers of a pair that are known, with their names, in the order of `measures`."""
    known = figures.overlap >= 0
    return tuple(
        _fact(measure, figures, unit)
        for measure in measures(unit, bag=bag, passages=known, where=ShownIn.PAIR)
    )


def _fact(measure: Measure, figures: PairFigures, unit: Unit) -> Fact:
    brief = measure.shown(getattr(figures, measure.column))
    value = brief if measure.in_full is None else measure.in_full(figures, unit)
    return Fact(measure.name, value, measure.explained, measure.column, brief)


EXACT = 1e-12  # between a share and the quotient of the integers


def worked_numbers(figures: PairFigures) -> dict[str, str]:
    """Numerator and denominator of each share, by column of `core.evidence.pairs.Pairs`.

    "412 of 1,530 shingles", "412 of A’s 1,203". The numbers of shingles follow from the shared
    shingles and the share that they are. If none are shared they do not, and there is no entry.
    """
    shared = figures.shared_shingles
    worked = {}
    for column in ("resemblance", "containment_a", "containment_b"):
        value = getattr(figures, column)
        total = round(shared / value) if value > 0 else 0
        if shared and abs(shared / total - value) < EXACT:
            worked[column] = _worked(column, count(shared), total)
    return worked


def _worked(column: str, shared: str, total: int) -> str:
    if column == "containment_a":
        return gettext("{shared} of A’s {whole}", shared=shared, whole=count(total))
    if column == "containment_b":
        return gettext("{shared} of B’s {whole}", shared=shared, whole=count(total))
    return ngettext("{shared} of {n} shingle", "{shared} of {n} shingles", total, shared=shared)
