"""In which language the documents of a scan are: as it was told from the text, or as was said."""

from __future__ import annotations

from core.base.progress import Cancelled, never, stop_if
from core.documents.keys import text_key
from core.documents.model import Document
from core.errors import ReviewError
from core.scan.judgements import Judgements
from core.scan.state import ScanState
from core.scan.text_history import earlier_texts
from core.text.languages import UNKNOWN, detect

__all__ = ["language_of", "languages_of", "said_language"]

AT_ONCE = 1024


def language_of(state: ScanState, number: int) -> str:
    """The code of the language of a document; `core.text.languages.UNKNOWN` where it is not known.

    Reviews of older versions do not have it, then it is told from the text now.
    """
    document = state.documents[number]
    found = said_language(state.judgements, document) or document.language
    if found:
        return found
    try:
        return detect(state.texts[number])
    except ReviewError:  # it is said where the text is read
        return UNKNOWN


def said_language(judgements: Judgements, document: Document) -> str:
    """What a person said of the text of a document, or of an earlier one; "" for nothing."""
    if not judgements.languages:
        return ""
    key = text_key(document)
    texts = (key, *(one.text for one in earlier_texts(judgements.earlier, key)))
    return next((judgements.languages[one] for one in texts if one in judgements.languages), "")


def languages_of(state: ScanState, cancelled: Cancelled = never) -> list[str]:
    """Those of all documents, row for row.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    found = []
    for number in range(len(state.documents)):
        if number % AT_ONCE == 0:
            stop_if(cancelled)
        found.append(language_of(state, number))
    return found
