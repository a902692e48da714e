"""Files to text: discovery, encodings and one reader per format.

    find_documents(folders) ─▶ FoundFile or Problem, in a stable order
    read_file(found, …)     ─▶ of every document in it ReadDocument, Document or Problem

Nothing here raises for a single file: what cannot be read becomes a `Problem` and is listed.
Names are loaded when they are first used: a window shows the limits before any reader is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.documents.discovery import find_documents
    from core.documents.isolation import ReaderProcesses
    from core.documents.model import Document, FoundFile, Problem, ProblemCode, ReadDocument
    from core.documents.problems import page_words
    from core.documents.readers import reader_of
    from core.documents.reading import read_file
    from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings

__all__ = [
    "DEFAULT_LIMITS",
    "Document",
    "FoundFile",
    "Problem",
    "ProblemCode",
    "ReadDocument",
    "ReaderProcesses",
    "ReadingLimits",
    "ReadingSettings",
    "find_documents",
    "page_words",
    "read_file",
    "reader_of",
]

_HOMES = {
    "DEFAULT_LIMITS": "reading_settings",
    "Document": "model",
    "FoundFile": "model",
    "ReadingLimits": "reading_settings",
    "Problem": "model",
    "ProblemCode": "model",
    "ReadDocument": "model",
    "ReaderProcesses": "isolation",
    "ReadingSettings": "reading_settings",
    "find_documents": "discovery",
    "page_words": "problems",
    "read_file": "reading",
    "reader_of": "readers",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
