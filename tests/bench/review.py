"""What a review file costs: seconds, bytes written, and its size beside the texts.

A generated corpus is signed in memory and saved, opened, saved again unchanged, with some documents
more, and with some fewer; then other settings replace all signatures. Ten pairs of each
document are measured. The page cache is warm.

    python tests/bench/review.py [--documents 50000] [--more 100]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import xxhash
from corpus import generate

from core.base.tasks import batches, never, worker_count
from core.documents import Document
from core.evidence.store import Evidence
from core.review import open_review, save_review
from core.review.sample import agrees_with_texts
from core.scan.corpus import Corpus
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts

FOLDER = Path("/documents")
PAIRS_OF_DOCUMENT = 10


def state_of(texts: list[str], settings: ScanSettings) -> ScanState:
    """A scan of these texts, as if each had been a file."""
    parts = list(batches([len(text) for text in texts]))
    with ThreadPoolExecutor(worker_count()) as pool:
        signed = list(pool.map(lambda part: sign_texts(texts[part], settings), parts))
    joined = SignedTexts.join(signed)
    return ScanState(
        settings=settings,
        folders=(FOLDER,),
        documents=[document_of(number, text) for number, text in enumerate(texts)],
        problems=(),
        signed=joined,
        texts=texts,
        evidence=evidence_of(texts, joined, settings),
    )


def document_of(number: int, text: str) -> Document:
    """A file of the corpus."""
    data = text.encode()
    name = f"{number // 1000:04}/advertisement-{number:07}.txt"
    return Document(
        path=FOLDER / name,
        name=name,
        size=len(data),
        modified_ns=1_700_000_000_000_000_000 + number,
        file_hash=xxhash.xxh3_128_hexdigest(data),
        kind="text",
        encoding="utf-8",
        characters=len(text),
    )


def evidence_of(texts: list[str], signed: SignedTexts, settings: ScanSettings) -> Evidence:
    """Pairs of each document with earlier ones, the same however many documents follow."""
    y = np.repeat(np.arange(1, len(texts), dtype=np.int64), PAIRS_OF_DOCUMENT)
    x = (np.random.default_rng(1).random(len(y)) * y).astype(np.int64)
    with ThreadPoolExecutor(worker_count()) as pool:
        corpus = Corpus(settings, pool)
        corpus.add(texts, signed)
        corpus.evidence.measured(x, y)
        return corpus.evidence.state()


def timed(name: str, work: Callable[[], object]) -> None:
    """Run some work and print a line about it."""
    process = psutil.Process()
    before = process.io_counters().write_chars
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    written = (process.io_counters().write_chars - before) / 1e6
    print(f"{name:>34}{seconds:>10.2f} s{written:>12.2f} MB written")


def open_and_close(path: Path) -> None:
    """Everything but the texts."""
    open_review(path).close()


def open_and_check(path: Path) -> None:
    """All documents and pairs measured again from the texts."""
    with open_review(path) as review:
        if not agrees_with_texts(review.state, never, characters=None):
            raise ValueError("The review says something else than its texts.")


def open_and_read(path: Path) -> None:
    """The texts as well, on one thread."""
    with open_review(path) as review:
        sum(len(text) for text in review.state.texts)


def measure(documents: int, more: int) -> None:
    """One table."""
    texts = generate(documents + more).texts
    settings = ScanSettings()
    all_of_them, most = state_of(texts, settings), state_of(texts[:documents], settings)
    others = state_of(texts, settings.with_changes(k=4))
    megabytes = sum(len(text.encode()) for text in texts[:documents]) / 1e6
    print(f"\nREVIEW: {documents:,} documents, {megabytes:.0f} MB of text")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.neardup")
        timed("save", lambda: save_review(path, most))
        size = path.stat().st_size / 1e6
        timed("open", lambda: open_and_close(path))
        timed("open, measured again as a whole", lambda: open_and_check(path))
        timed("open and read all texts", lambda: open_and_read(path))
        timed("save again, nothing new", lambda: save_review(path, most))
        timed(f"save with {more} more", lambda: save_review(path, all_of_them))
        timed(f"save with these {more} gone", lambda: save_review(path, most))
        timed("save with other signatures", lambda: save_review(path, others))
    signed = most.signed
    kept = (signed.signatures.nbytes + signed.fingerprints.values.nbytes) / 1e6
    print(
        f"{'size of the file':>34}{size:>10.1f} MB, {size / megabytes:.2f} of the texts; of it "
        f"{kept:.0f} MB signatures and fingerprints"
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, nargs="+", default=[50_000])
    parser.add_argument("--more", type=int, default=100)
    arguments = parser.parse_args()
    for documents in arguments.documents:
        measure(documents, arguments.more)


if __name__ == "__main__":
    main()
