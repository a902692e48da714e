"""What documents have from their texts: who these are, their language, remarks on disguises."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from core.documents import Document
from core.documents.merging import own_text
from core.text.disguise_words import sentences_on_disguises
from core.text.identity import text_hashes
from core.text.languages import detect_all


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
