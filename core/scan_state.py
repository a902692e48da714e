"""All that outlives a scan: what a review file keeps and a later scan can take up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.corpus import SignedTexts
from core.documents import Document, Problem
from core.overlap import Overlap
from core.settings import ScanSettings

__all__ = ["Evidence", "ScanState"]


class Evidence(NamedTuple):
    """What was measured of pairs of documents.

    Attributes:
        codes: uint64, ascending: pairs of documents x < y as x << 32 | y.
        overlap: For each pair the number of shared shingles and the longest shared run.
        sizes: int64, by document: number of shingles that count; -1 where it was not needed yet.
    """

    codes: npt.NDArray[np.uint64]
    overlap: Overlap
    sizes: npt.NDArray[np.int64]


class ScanState(NamedTuple):
    """A scan as values.

    Attributes:
        settings: Decide shingles and signatures.
        folders: What was scanned.
        documents: The documents with text, in the order of their names.
        problems: Files that gave no text, and why.
        signed: Units, digests, signatures and fingerprints of the documents, row for row.
        texts: The text of each document; may read it only when it is asked for, from any thread.
        evidence: What is known of pairs.
    """

    settings: ScanSettings
    folders: tuple[Path, ...]
    documents: Sequence[Document]
    problems: Sequence[Problem]
    signed: SignedTexts
    texts: Sequence[str]
    evidence: Evidence
