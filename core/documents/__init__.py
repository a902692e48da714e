"""Files to text: discovery, encodings and one reader per format.

    find_documents(folders) ─▶ FoundFile or Problem, in a stable order
    read_file(found, …)     ─▶ of every document in it ReadDocument, Document or Problem

Nothing here raises for a single file: what cannot be read becomes a `Problem` and is listed.
"""

from __future__ import annotations

from core.documents.discovery import find_documents
from core.documents.isolation import ReaderProcesses
from core.documents.limits import DEFAULT_LIMITS, Limits, ReadingSettings
from core.documents.model import Document, FoundFile, Problem, ProblemCode, ReadDocument
from core.documents.reading import read_file

__all__ = [
    "DEFAULT_LIMITS",
    "Document",
    "FoundFile",
    "Limits",
    "Problem",
    "ProblemCode",
    "ReadDocument",
    "ReaderProcesses",
    "ReadingSettings",
    "find_documents",
    "read_file",
]
