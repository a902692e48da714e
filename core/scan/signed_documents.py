"""Documents that were read to documents that can be compared: signed, known by their texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.memory_claims import Claim
from core.base.progress import Cancelled
from core.documents import Document, Problem, ProblemCode
from core.documents.reading_settings import ReadingLimits
from core.program import preparation
from core.scan.known_by_text import known_by_text
from core.scan.long_texts import sign_within
from core.scan.submissions import aside_in
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.text.disguises import noticing


class SignedDocuments(NamedTuple):
    """Documents with words, row for row with texts and signed, and those that have none.

    Attributes:
        documents: With what their texts say of them.
        texts: Their texts.
        signed: Their signatures.
        problems: Documents with no word that counts, or more than one text may have.
    """

    documents: list[Document]
    texts: list[str]
    signed: SignedTexts
    problems: list[Problem]


def sign_documents(
    documents: list[Document],
    texts: list[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    claim: Claim,
    cancelled: Cancelled,
    thing: str = "file",
) -> SignedDocuments:
    """Sign the texts of some documents; the lists are changed.

    Args:
        documents: The documents.
        texts: Theirs.
        settings: How they are signed.
        limits: Of which `words` counts.
        claim: Grows while they are signed.
        cancelled: Polled while there is no room.
        thing: What the text of a document is in, for the sentence on one without words.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    preparation.wait(cancelled)
    problems: list[Problem] = []
    aside = aside_in(documents)
    with noticing() as noticed:
        signed, refused = sign_within(texts, settings, limits, claim, cancelled, aside)
    wordless = np.flatnonzero(signed.units == 0)
    for index in wordless[::-1].tolist():
        document = documents.pop(index)
        if index in refused:
            problems.append(Problem(document.name, ProblemCode.TOO_BIG, *refused[index]))
        else:
            problems.append(_no_words(document, settings, thing))
        texts.pop(index)
    known = known_by_text(documents, texts, noticed)
    return SignedDocuments(known, texts, signed.take(signed.units > 0), problems)


def _no_words(document: Document, settings: ScanSettings, thing: str) -> Problem:
    unit = "word" if settings.unit == "word" else "character"
    return Problem(
        document.name,
        ProblemCode.NO_WORDS,
        f"The {thing} has text, but no {unit} that counts under these settings.",
    )
