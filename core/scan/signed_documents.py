"""Documents that were read to documents that can be compared: signed, known by their texts.

Texts signed within bounds.

A text with more words than `ReadingLimits.words`, or than there is memory for, is refused before it
has taken that memory. What is under way at the same time is claimed from `core.base.memory_claims`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import available_memory
from core.base.memory_claims import Claim
from core.base.parallel import batches
from core.base.progress import Cancelled, never
from core.base.wording import readable_count, readable_size
from core.documents import Document, Problem, ProblemCode
from core.documents.merging import own_text
from core.documents.reading_settings import ReadingLimits
from core.errors import LongTextError
from core.program import preparation
from core.scan.submissions import aside_in
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.disguise_words import sentences_on_disguises
from core.text.disguises import noticing
from core.text.identity import text_hashes
from core.text.languages import detect_all
from core.text.memory_needed import BYTES_PER_WORD, text_bytes
from core.text.pieces import is_long
from core.text.shingling import WHOLE

LEFT_ALONE = 2  # half of what is free may be taken by one text


class Refusal(NamedTuple):
    """Why a text is not compared, and the field of `ReadingLimits` that it met, if it was one."""

    detail: str
    limit: str = ""


def sign_within(
    texts: Sequence[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    claim: Claim,
    cancelled: Cancelled = never,
    set_aside: Mapping[int, Int64Array] = WHOLE,
) -> tuple[SignedTexts, dict[int, Refusal]]:
    """The signatures of some texts, about a million characters at a time.

    Args:
        texts: The texts.
        settings: How they are signed.
        limits: Of which `words` counts.
        claim: Grows while they are signed.
        cancelled: Polled while there is no room.
        set_aside: What does not count, by place (see `core.text.set_aside.merged`).

    Returns:
        The signatures, without units where a text was refused; and why, by place.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    held, parts = claim.size, []
    refused: dict[int, Refusal] = {}
    for part in batches([len(text) for text in texts]):
        claim.grow(held + sum(map(text_bytes, texts[part])), cancelled)
        own = {n - part.start: set_aside[n] for n in range(part.start, part.stop) if n in set_aside}
        signed, why = _sign(texts[part], settings, limits, own if set_aside else WHOLE)
        parts.append(signed)
        refused |= {part.start + place: refusal for place, refusal in why.items()}
    return SignedTexts.join(parts or [sign_texts([], settings)]), refused


def _sign(
    texts: Sequence[str],
    settings: ScanSettings,
    limits: ReadingLimits,
    set_aside: Mapping[int, Int64Array] = WHOLE,
) -> tuple[SignedTexts, dict[int, Refusal]]:
    """The same for few texts."""
    most = _most_words(limits) if any(map(is_long, texts)) else limits.words
    try:
        signed = sign_texts(texts, settings, most, set_aside)
    except LongTextError as error:
        if len(texts) == 1:
            why = Refusal(str(error)) if str(error) else _why(most, limits, settings)
            return sign_texts([""], settings), {0: why}
        each = [
            _sign([text], settings, limits, {0: set_aside[n]} if n in set_aside else WHOLE)
            for n, text in enumerate(texts)
        ]
        refused = {place: why[0] for place, (_, why) in enumerate(each) if why}
        return SignedTexts.join([one for one, _ in each]), refused
    long = np.flatnonzero(signed.units > most).tolist()
    signed.units[long] = 0
    return signed, dict.fromkeys(long, _why(most, limits, settings))


def _most_words(limits: ReadingLimits) -> int:
    """How many words a text may have, here and now."""
    return min(limits.words, available_memory() // LEFT_ALONE // BYTES_PER_WORD)


def _why(most: int, limits: ReadingLimits, settings: ScanSettings) -> Refusal:
    words = "words" if settings.unit == "word" else "characters that count"
    if most < limits.words:
        return Refusal(
            f"This text is longer than {readable_count(most)} {words}. To compare it needs more "
            f"than {readable_size(most * BYTES_PER_WORD)} of memory, half of what is free. Close "
            f"other programs and scan again."
        )
    return Refusal(
        f"This text is longer than {readable_count(most)} {words}. Such a text is not compared, "
        f"because that takes much memory. Split it, or raise the limit in the settings.",
        "words",
    )


def known_by_text(
    documents: Sequence[Document], texts: Sequence[str], noticed: Container[str]
) -> list[Document]:
    """Documents with the hash, the language and the remarks that their texts give them.

    Args:
        documents: The documents.
        texts: Theirs.
        noticed: The texts in which there may be something in disguise.
    """
    hashes = text_hashes([own_text(*both) for both in zip(documents, texts, strict=True)])
    languages = detect_all(texts)
    return [
        replace(
            document,
            text_hash=hashes[place],
            language=languages[place],
            remarks=_remarks(document, texts[place], noticed),
        )
        for place, document in enumerate(documents)
    ]


def _remarks(document: Document, written: str, noticed: Container[str]) -> tuple[str, ...]:
    """The remarks on a document with those on its text, where there may be any."""
    if written not in noticed:
        return document.remarks
    sentences = sentences_on_disguises(written)
    return (*document.remarks, *(one for one in sentences if one not in document.remarks))


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
