"""The list of a scan: the pairs of its documents, also of those that are gone, and their notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.base.progress import Cancelled, Progress
from core.documents import Document, Problem
from core.errors import TooManyCandidatesError
from core.evidence.pairs import Pairs
from core.scan import lister
from core.scan.caps import Cap
from core.scan.corpus import Corpus
from core.scan.joining import Joined
from core.scan.pair_list import PairList, notes_on_length
from core.scan.part_of_run import PartOfRun, list_part, part_in_words
from core.settings import ScanSettings


class Listing(NamedTuple):
    """What a list is made of.

    Attributes:
        documents: All documents of the scan.
        problems: Files that gave no text.
        corpus: The documents that are there.
        joined: How these are numbered among all; None where all are there.
        remarks: Sentences on the scan: what was done differently because memory is short, which
            folders lie in others.
        part: The pairs of the run on a cluster that the documents are from; None for a scan.
    """

    documents: Sequence[Document]
    problems: Sequence[Problem]
    corpus: Corpus
    joined: Joined | None
    remarks: Sequence[str]
    part: PartOfRun | None = None

    def pairs(self, wanted: ScanSettings, progress: Progress, cancelled: Cancelled) -> PairList:
        """The pairs for these bands, rows and threshold.

        Raises:
            TooManyCandidatesError: See `PairLister.list_pairs`.
            ScanCancelledError: `cancelled` said so.
        """
        listing, remarks = self._listing(wanted, progress, cancelled)
        every, notes = self._with_others(listing.every, wanted, progress, cancelled)
        names = [self.documents[self.number(cap.document)].name for cap in listing.caps]
        caps = map(Cap.sentence, listing.caps, names)
        units = self.corpus.signed.units
        length = notes_on_length(len(self.documents), units, self.corpus.settings)
        return PairList(
            settings=wanted,
            documents=tuple(self.documents),
            problems=tuple(self.problems),
            every=every.ranked(),
            notes=(*remarks, *length, *caps, *notes),
            compared=listing.compared,
            reworked_complete=listing.reworked_complete,
        )

    def _listing(
        self, wanted: ScanSettings, progress: Progress, cancelled: Cancelled
    ) -> tuple[lister.Listing, Sequence[str]]:
        """The pairs of the documents that are there, and what is said of the scan."""
        if self.part is None:
            found = lister.PairLister(self.corpus)
            return found.list_pairs(wanted, progress=progress, cancelled=cancelled), self.remarks
        names = [self.documents[self.number(one)].name for one in range(len(self.corpus))]
        part = self.part.among(names)
        listing = list_part(self.corpus, part, wanted, progress, cancelled)
        return listing, [*self.remarks, *part_in_words(part, wanted)]

    def empty(self, settings: ScanSettings, why: str) -> PairList:
        """A list of no pairs, for a reason."""
        return PairList(
            settings=settings,
            documents=tuple(self.documents),
            problems=tuple(self.problems),
            every=Pairs.empty(),
            notes=(why,),
        )

    def number(self, place: int) -> int:
        """The number of a document that is there, given its place among these."""
        return int(self.joined.numbers[place]) if self.joined else place

    def _with_others(
        self, every: Pairs, wanted: ScanSettings, progress: Progress, cancelled: Cancelled
    ) -> tuple[Pairs, list[str]]:
        """The pairs with those of documents that are gone, or why these are left out."""
        if not self.joined or self.joined.is_complete:
            return every, []
        every = self.joined.numbered(every)
        try:
            others = self.joined.pairs_of_others(wanted, progress, cancelled)
        except TooManyCandidatesError as error:
            return every, [f"Documents that are gone are not paired: {error}"]
        return Pairs.concatenate([every, others]), []
