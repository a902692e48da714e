"""The results of an audit, as named tuples."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from core.base.arrays import BoolArray, Estimate, Int64Array, Share, UInt64Array, wilson
from core.base.messages import N_, gettext, stored
from core.candidates.forecast import Forecast
from core.candidates.sorted_keys import BUCKET_LIMIT, DOCUMENT_LIMIT
from core.documents.model import DocumentKey
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.text.store import TextStore


class Edit(StrEnum):
    """The kinds of edits, as reviews and reports keep them.

    Attributes:
        words: The same as the user reads it, a message.
    """

    words: str

    WORDS_10 = "10 % of words changed", N_("10% of words changed")
    WORDS_25 = "25 % of words changed", N_("25% of words changed")
    WORDS_50 = "50 % of words changed", N_("50% of words changed")
    SHUFFLED = N_("paragraphs shuffled")
    PASTED = N_("one page pasted")

    def __new__(cls, name: str, words: str = "") -> Self:
        """A kind of edit by its name, with its words."""
        edit = str.__new__(cls, name)
        edit._value_, edit.words = name, words or name
        return edit

    @property
    def share(self) -> float:
        """The share of words that it changes."""
        return {Edit.WORDS_10: 0.10, Edit.WORDS_25: 0.25, Edit.WORDS_50: 0.50}.get(self, 0.0)


class EditRecall(NamedTuple):
    """How many planted copies of one kind were found.

    Attributes:
        edit: The kind.
        planted: Number of copies; 0 where no document was long enough.
        resemblance: Smallest, median and largest exact resemblance of a copy and its source.
        wanted: How many copies reach the threshold or share a passage with their source.
        listed: How many of these are listed with their source.
        expected: How many of the wanted ones bands find on average; None without a curve.
        by_bands: How many they found.
        by_passages: How many shared passages found; `both` of them bands found, too.
        both: How many were found both ways.
    """

    edit: Edit
    planted: int
    resemblance: tuple[float, float, float]
    wanted: int
    listed: int
    expected: float | None
    by_bands: int
    by_passages: int
    both: int

    @property
    def found(self) -> Share | None:
        """The share of all planted copies that should be listed and are."""
        return wilson(self.listed, self.planted) if self.planted else None

    @property
    def recall(self) -> Share | None:
        """The listed share of the copies that should be listed."""
        return wilson(self.listed, self.wanted) if self.wanted else None


class MissedCopy(NamedTuple):
    """A planted copy that should be listed with its source, which has this number, and is not."""

    source: int
    edit: Edit
    resemblance: float


class Planting(NamedTuple):
    """The recall of each kind of edit.

    Attributes:
        sources: From how many different documents copies were made.
        edits: The kinds.
        missed: Copies that should be listed and are not, most similar first; of an audit that is
            kept, the first.
    """

    sources: int
    edits: tuple[EditRecall, ...]
    missed: tuple[MissedCopy, ...] = ()

    @property
    def missing(self) -> int:
        """How many copies should be listed and are not."""
        return sum(row.wanted - row.listed for row in self.edits)


class ReworkedRecall(NamedTuple):
    """Planted passages of one length of which one share was changed.

    Attributes:
        words: The length before it was reworked.
        changed: The share of its words that was exchanged, dropped or inserted.
        planted: How many.
        listed: How many of these are listed with their sources, however found.
        reworked: How many were found as reworked passages.
        promised: The share that is promised for this folder.
    """

    words: int
    changed: float
    planted: int
    listed: int
    reworked: int
    promised: float

    @property
    def found(self) -> Share | None:
        """The listed share."""
        return wilson(self.listed, self.planted) if self.planted else None


class MissedPassage(NamedTuple):
    """A passage whose reworked copy was not listed: its document, first word and length."""

    document: int
    first: int
    words: int
    changed: float


class ReworkedPlanting(NamedTuple):
    """Which planted reworked passages of so many different documents were found.

    Of an audit that is kept, `missed` are the first.
    """

    sources: int
    cells: tuple[ReworkedRecall, ...]
    missed: tuple[MissedPassage, ...]

    @property
    def missing(self) -> int:
        """How many were not listed."""
        return sum(row.planted - row.listed for row in self.cells)

    @property
    def longest_missed(self) -> list[MissedPassage]:
        """The longest passages first; of equal length those with the smallest change first."""
        return sorted(
            self.missed, key=lambda passage: (-passage.words, passage.changed, passage.document)
        )


class CapKind(Enum):
    """Why pairs were left out of a list, as a sentence about the document they all resemble."""

    COPIES = N_(
        "{size} documents have the same words; each is listed with one of them only: {name}"
    )
    COMMON = N_(
        "{size} documents contain text that is in more than {most_documents} of them, such as "
        "{name}. Text this common pairs no documents by itself."
    )
    WORDING = N_(
        "{size} documents contain wording that is in too many of them to compare pair by pair, "
        "such as {name}. It leads to no reworked passage by itself."
    )
    CROWD = N_(
        "{size} documents each have text in common with over {most_pairs} others; each was "
        "compared with one of those, for instance {name}, and else only with the most like it"
    )
    ALIKE = N_(
        "{size} documents have a {method} fingerprint in common with many others; each was "
        "compared with one of those, for instance {name}"
    )


class Cap(NamedTuple):
    """Pairs that a list leaves out: among how many documents, around which one, by which method."""

    kind: CapKind
    size: int
    document: int
    method: str = ""

    def sentence(self, name: str) -> str:
        """The cap in words, in English as notes are stored, with the name of its document."""
        return cap_sentence(self.kind.value, self.size, name, self.method)


def cap_sentence(message: str, size: int, name: str, method: str) -> str:
    """A message on pairs that are left out, in English, with its values filled in."""
    return stored(
        message,
        size=f"{size:,}",
        name=name,
        method=method,
        most_documents=DOCUMENT_LIMIT,
        most_pairs=f"{BUCKET_LIMIT:,}",
    )


class Method(StrEnum):
    """How to audit."""

    ALL_PAIRS = "all-pairs"
    EDITED_COPIES = "edited-copies"


class MissReason(Enum):
    """Why a pair that should be listed is not."""

    CHANCE = N_("no band of their signatures agrees")
    DISTANCE = N_("their fingerprints differ in too many bits")
    COMMON = N_(
        "every part of the passages they share stands in more than {most_documents} documents: "
        "such common text pairs nobody"
    )
    CROWD = N_(
        "both belong to a crowd, where each is compared with one document and the most like it"
    )
    FAULT = N_("nothing explains it: this is a fault in Neardup")

    @property
    def in_words(self) -> str:
        """The reason in words."""
        return gettext(self.value, most_documents=DOCUMENT_LIMIT)


class Bin(NamedTuple):
    """The pairs to be listed in a range of resemblance; those with the same words are left out.

    Attributes:
        low: Smallest resemblance.
        high: Its end, not included; of the last range 1, included.
        pairs: How many should be listed.
        expected: How many of them bands find on average, by the S-curve; None without a curve.
        by_bands: How many they found.
        added: How many more shared passages found.
    """

    low: float
    high: float
    pairs: int
    expected: float | None
    by_bands: int
    added: int

    @property
    def missed(self) -> int:
        """How many are not listed."""
        return self.pairs - self.by_bands - self.added


class MissCount(NamedTuple):
    """How many pairs are missing for one reason."""

    reason: MissReason
    pairs: int


class MissedPair(NamedTuple):
    """A pair that should be listed and is not; `chance` is what the S-curve gave it."""

    a: int
    b: int
    resemblance: float
    longest_run: int
    chance: float | None
    reason: MissReason


class MeasuredRange(NamedTuple):
    """Pairs in a twentieth of resemblance, and how many of them collided.

    Pairs with the same words are left out: they need no signatures.

    Attributes:
        low: Smallest resemblance.
        high: Its end, not included; of the last range 1, included.
        mean: Of these pairs.
        pairs: How many should be listed.
        expected: How many of them collide on average, by the S-curve; None without a curve.
        met: How many did.
    """

    low: float
    high: float
    mean: float
    pairs: int
    expected: float | None
    met: int

    @property
    def share(self) -> Share:
        """The share that collided, with its interval."""
        return wilson(self.met, self.pairs)


class Remedy(NamedTuple):
    """Another choice for the same signatures, and what it would do.

    Attributes:
        bands: b; 0 where signatures have no bands.
        rows: r; the same.
        distance: d; None where signatures have bands.
        missed: How many of the pairs that should be listed it would miss: counted.
        candidates: How many pairs would be compared, about; None where it is not known.
    """

    bands: int
    rows: int
    distance: int | None
    missed: int
    candidates: Estimate | None


class MissedForecast(NamedTuple):
    """What a list misses by forecast, as reviews and reports keep it.

    Attributes:
        least: The resemblance from which pairs are counted.
        there: How many pairs reach it, found and missed.
        by_bands: How many of them the bands alone miss.
        listed: How many bands and shared passages together miss.
        certain: Whether all of it was counted and nothing estimated.
    """

    least: float
    there: float
    by_bands: Estimate
    listed: Estimate
    certain: bool

    @staticmethod
    def of(forecast: Forecast) -> MissedForecast | None:
        """The part of a forecast on missed pairs; None where too little is known."""
        return MissedForecast(*forecast[:5]) if forecast.is_known else None


class BandEstimate(NamedTuple):
    """The number of pairs that bands miss: forecast and actual.

    Attributes:
        forecast: As the window makes it; None where too little is known.
        missed_by_bands: How many pairs from `forecast.least` on collide in no band; None where not
            all pairs were compared.
        not_listed: How many of them no shared passage led to either.
    """

    forecast: MissedForecast | None
    missed_by_bands: int | None = None
    not_listed: int | None = None


class Proof(NamedTuple):
    """All pairs compared exactly, and the list of the scan compared with them.

    Attributes:
        pairs: How many were compared.
        wanted: How many should be listed.
        listed: How many of these are.
        copies: How many are not because a document has over 30 copies: the first stands for them.
        identical: How many of the wanted have the same words; they need no bands.
        wrong: Pairs in the list that should not be there or with other numbers.
        reasons: How many are missing for which reason.
        missed: Those that are missing, most similar first; of an audit that is kept, the first.
        bins: Pairs with different words by resemblance, ascending; the first bin holds pairs below
            the threshold that share a passage.
    """

    pairs: int
    wanted: int
    listed: int
    copies: int
    identical: int
    wrong: int
    reasons: tuple[MissCount, ...]
    missed: tuple[MissedPair, ...]
    bins: tuple[Bin, ...]

    @property
    def missing(self) -> int:
        """How many are missing."""
        return sum(reason.pairs for reason in self.reasons)


class AuditResult(NamedTuple):
    """One of `proof` and `planting`, and what the bands miss by forecast.

    Attributes:
        documents: Documents with text that counts.
        work: Look-ups of shingles that comparing all pairs takes.
        proof: All pairs compared.
        planting: Edited copies searched for.
        estimate: What the bands miss.
        caps: What the list leaves out on purpose; documents from `len(texts)` on are planted.
        reworked: Reworked passages searched for; None where a scan does not look for them.
        ranges: How many pairs collided, by resemblance.
        remedies: Other choices that would miss less.
    """

    documents: int
    work: int
    proof: Proof | None
    planting: Planting | None
    estimate: BandEstimate
    caps: tuple[Cap, ...]
    reworked: ReworkedPlanting | None = None
    ranges: tuple[MeasuredRange, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    @property
    def has_fault(self) -> bool:
        """Whether the list holds what it should not, or lacks what nothing explains."""
        proof = self.proof
        if proof is None:
            return False
        unexplained = any(miss.reason is MissReason.FAULT for miss in proof.reasons)
        return proof.wrong > 0 or unexplained


MOST_NAMED = 200  # pairs, copies and passages each that are kept by name
MIXERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


class KeptAudit(NamedTuple):
    """The result of an audit, with the list that it is about.

    Attributes:
        settings: Those of the list that was audited.
        texts: The `fingerprint` of the documents it was made of.
        documents: The documents that `result` names, by their numbers in it; a number beyond them
            is that of a planted text.
        result: The result, with the first `MOST_NAMED` of what is missed.
        who: Who started it.
        time: When it was made, ISO 8601 in UTC.
    """

    settings: ScanSettings
    texts: str
    documents: tuple[DocumentKey, ...]
    result: AuditResult
    who: str = ""
    time: str = ""

    def is_of(self, settings: ScanSettings, texts: str) -> bool:
        """Whether it is of a list with these settings, of texts with this fingerprint."""
        return (self.settings, self.texts) == (settings, texts)


class AuditedTexts(NamedTuple):
    """The documents of a list that are present, which are audited.

    Attributes:
        texts: Their texts.
        to_review: Which of them are to review.
        numbers: int64, their numbers among the documents of the list.
        lengths: int64, how many units of each count.
        fingerprint: See `fingerprint`.
    """

    texts: TextStore
    to_review: BoolArray
    numbers: Int64Array
    lengths: Int64Array
    fingerprint: str


def fingerprint(digests: UInt64Array, to_review: BoolArray) -> str:
    """Identifies a set of documents, in any order: 32 hexadecimal digits and their number.

    Args:
        digests: uint64 (n, 2), of what counts in each text.
        to_review: Which of them are to review.
    """
    by_text, by_role, last = (np.uint64(number) for number in MIXERS)
    first = digests[:, 0] * by_text + digests[:, 1]
    first ^= np.where(to_review, by_role, np.uint64(0))
    first = (first ^ (first >> np.uint64(29))) * last
    second = (first ^ (first >> np.uint64(32))) * by_role
    sums = (int(column.sum(dtype=np.uint64)) for column in (first, second))
    return f"{''.join(f'{total:016x}' for total in sums)}-{len(digests)}"


def shortened(result: AuditResult) -> AuditResult:
    """The result with the first `MOST_NAMED` of what is missed."""
    proof, planting, reworked = result.proof, result.planting, result.reworked
    return result._replace(
        proof=proof and proof._replace(missed=proof.missed[:MOST_NAMED]),
        planting=planting and planting._replace(missed=planting.missed[:MOST_NAMED]),
        reworked=reworked and reworked._replace(missed=tuple(reworked.longest_missed[:MOST_NAMED])),
    )
