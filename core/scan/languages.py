"""In which language the documents of a scan are: as it was told from the text, or as was said."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.progress import Cancelled, never, stop_if
from core.documents.keys import text_key
from core.documents.model import Document
from core.errors import ReviewError
from core.scan.judgements import Judgements
from core.scan.state import ScanState
from core.scan.text_history import earlier_texts
from core.text.language_names import UNKNOWN
from core.text.languages import detect

AT_ONCE = 1024


def language_of(document: Document, judgements: Judgements) -> str:
    """The code of the language of a document; `UNKNOWN` where it is not known.

    "" where nobody looked, as in reviews of older versions.
    """
    return _said(document, judgements) or document.language


def languages_of_pair(
    documents: Sequence[Document], judgements: Judgements, a: int, b: int
) -> tuple[str | None, str | None]:
    """The languages of two documents, as passages are looked for; None where nobody looked."""
    of_a, of_b = (language_of(documents[number], judgements) for number in (a, b))
    return of_a or None, of_b or None


def languages_of(state: ScanState, told: Sequence[str]) -> list[str]:
    """Those of all documents, row for row, of which this was told from their texts."""
    both = zip(state.documents, told, strict=True)
    return [_said(document, state.judgements) or language for document, language in both]


def told_languages_of(state: ScanState, cancelled: Cancelled = never) -> list[str]:
    """What the texts of all documents tell, row for row; now where nobody looked yet.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    found = []
    for number, document in enumerate(state.documents):
        if number % AT_ONCE == 0:
            stop_if(cancelled)
        try:
            found.append(document.language or detect(state.texts[number]))
        except ReviewError:  # it is said where the text is read
            found.append(UNKNOWN)
    return found


def _said(document: Document, judgements: Judgements) -> str:
    """What a person said of the text of a document, or of an earlier one; "" for nothing."""
    if not judgements.languages:
        return ""
    key = text_key(document)
    texts = (key, *(one.text for one in earlier_texts(judgements.earlier, key)))
    return next((judgements.languages[one] for one in texts if one in judgements.languages), "")
