"""Numbers made again from the texts, where what a review says of them may not be so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never, stop_if
from core.documents import Document
from core.documents.merging import own_text
from core.errors import ReviewError
from core.evidence.store import Evidence
from core.scan.reworked import kept_model
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.identity import text_hashes
from core.text.set_aside import SetAside, merged_in


def measured_again(
    state: ScanState, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> ScanState:
    """A scan with signatures made again from its texts, in which nothing is known of pairs.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    lengths = [one.characters for one in state.documents]
    told = (Stage.COMPARE, progress, cancelled)
    signed = signed_again(state.texts, lengths, state.settings, state.set_aside, *told)
    reworked = kept_model(state.evidence.reworked)
    evidence = Evidence.none(len(lengths))._replace(reworked=reworked)
    return state._replace(signed=signed, evidence=evidence)


def signed_again(
    texts: Sequence[str],
    lengths: Sequence[int],
    settings: ScanSettings,
    set_aside: Mapping[int, Sequence[SetAside]],
    stage: Stage,
    progress: Progress,
    cancelled: Cancelled,
) -> SignedTexts:
    """Texts signed on all cores, without what is set aside in them.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """

    def signed(part: slice) -> SignedTexts:
        return sign_texts(
            texts[part], settings, set_aside=merged_in(range(part.start, part.stop), set_aside)
        )

    made = [sign_texts([], settings)]
    parts = list(batches(lengths))
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        tasks = (pool.submit(signed, one) for one in parts)
        for part, result in zip(parts, results_of(tasks, cancelled), strict=True):
            made.append(result)
            progress(ProgressReport(stage, part.stop, len(lengths)))
    return SignedTexts.join(made)


def with_text_hashes(
    documents: Sequence[Document], texts: Sequence[str], cancelled: Cancelled
) -> tuple[list[Document], int]:
    """Documents with the hashes of their texts, and how many texts could not be read.

    Args:
        documents: Those that have one keep it.
        texts: Their texts.
        cancelled: Polled between some texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    hashed, unreadable = list(documents), 0
    wanted = [number for number, one in enumerate(hashed) if not one.text_hash]
    for part in batches([hashed[number].characters for number in wanted]):
        stop_if(cancelled)
        for number in wanted[part]:
            try:
                (text_hash,) = text_hashes([own_text(hashed[number], texts[number])])
            except ReviewError:
                unreadable += 1
            else:
                hashed[number] = replace(hashed[number], text_hash=text_hash)
    return hashed, unreadable
