"""Files that are nothing but a link to a document elsewhere, which is never fetched."""

from __future__ import annotations

import re

from core.documents.model import ProblemCode
from core.documents.unreadable import UnreadableError

_GOOGLE = {
    ".gdoc": "Google Docs",
    ".gsheet": "Google Sheets",
    ".gslides": "Google Slides",
    ".gdraw": "Google Drawings",
    ".gform": "Google Forms",
    ".gjam": "Google Jamboard",
    ".gmap": "Google My Maps",
    ".gsite": "Google Sites",
    ".gscript": "Google Apps Script",
    ".glink": "Google Drive",
    ".gnote": "Google Keep",
}
_LONGEST = 1 << 16  # bytes: a link has some hundred
_KEYS = re.compile(rb'"(?:url|doc_id|resource_id|document_id)"\s{0,99}:')
_SHORTCUTS = {
    ".url": re.compile(rb"(?:\xef\xbb\xbf)?\s{0,99}\[InternetShortcut(?:\.[AW])?\]", re.IGNORECASE),
    ".webloc": re.compile(rb"(?:.{0,999}<plist\b.{0,999}<key>URL</key>|bplist00)", re.DOTALL),
    ".desktop": re.compile(rb"(?:.{0,999}\n)?Type\s{0,9}=\s{0,9}Link\b", re.DOTALL),
}

LINK_SUFFIXES = frozenset({*_GOOGLE, *_SHORTCUTS})


def refuse_link(data: bytes, suffix: str) -> None:
    """Raise for a file that only says where a document is.

    Args:
        data: The bytes of the file.
        suffix: Lower-case suffix of its name.

    Raises:
        UnreadableError: UNSUPPORTED.
    """
    if len(data) > _LONGEST:
        return
    if suffix in _GOOGLE and _KEYS.search(data):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            f"This is a link to a document in {_GOOGLE[suffix]}, not the document. Open it there, "
            f"download it as docx, PDF or text, and put that here.",
        )
    shortcut = _SHORTCUTS.get(suffix)
    if shortcut is not None and shortcut.match(data):
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            "This is a link to a page or a file, not a document. Open it, save what it shows as "
            "PDF or text, and put that here.",
        )
