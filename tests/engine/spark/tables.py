"""Tables of documents as the first stage makes them, and texts with something to find in them."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.candidates.references import count_pairs
from core.scan.flow import scan
from core.signatures.signing import sign_texts
from core.spark.columns import signed_columns
from core.spark.files import SCHEMA, document_batch, exclusions_column, problem_batch
from core.spark.manifest import FINISHED, Manifest, RunResult, Source
from core.text.languages import detect
from core.text.set_aside import merged

# Runs are small: to compile their Java costs more than to interpret it, and to verify the classes
# of Spark as much as a fifth of a run. What was compiled is kept.
JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m "
    "-XX:-UseCodeCacheFlushing -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote "
    "-Djdk.lang.Process.launchMechanism=VFORK"
)
CHEAP = {
    "spark.python.daemon.module": "tests.engine.spark.daemon",
    "spark.ui.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Every job sends some kilobytes, for which Spark fills 4 MB with zeros each time.
    "spark.broadcast.blockSize": "64k",
    "spark.broadcast.compress": "false",
    "spark.buffer.pageSize": "1m",
    "spark.shuffle.compress": "false",
}

ENDS = ("n", "r", "st", "lo", "mi")
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ENDS]
APART = 10  # numbers are not dense: only their order counts


def number_of(row):
    """The number of the document in this row."""
    return APART * row + 3


def row_of(number):
    """The row of the document with this number; works on arrays."""
    return (number - 3) // APART


def documents(spark, texts, settings, *, set_aside=None, reference=(), partitions=2):
    """The table `columns.DOCUMENTS` of some texts, in as many partitions."""
    table = documents_table(texts, settings, set_aside=set_aside, reference=reference)
    return spark.createDataFrame(table).repartition(partitions)


def documents_table(texts, settings, *, set_aside=None, reference=()):
    """The same without Spark; its rows are in no order."""
    set_aside = set_aside or {}
    kept = {row: merged(spans) for row, spans in set_aside.items()}
    rows = range(len(texts))
    table = pa.table(
        {
            "id": [f"{row:05d}.txt" for row in rows],
            "text": texts,
            "language": [detect(text) for text in texts],
            "document": ["{}"] * len(texts),
            "aside": exclusions_column(set_aside, len(texts)),
            "number": pa.array(map(number_of, rows), pa.int64()),
            "reviewed": [row not in reference for row in rows],
            "characters": pa.array(map(len, texts), pa.int64()),
            **signed_columns(sign_texts(texts, settings, set_aside=kept)),
        }
    )
    order = np.random.default_rng(7).permutation(len(texts))
    return table.take(pa.array(order))


def texts_with_copies(count, seed=1, words=120):
    """Texts of which some are edited, quoted, reworded or exact copies of others before them."""
    rng = random.Random(seed)
    texts = []
    for row in range(count):
        words_of_text = [rng.choice(WORDS) for _ in range(words + rng.randrange(words))]
        kind = rng.randrange(6)
        if row and kind < 5:
            source = rng.choice(texts).split()
            start = rng.randrange(max(1, len(source) - 60))
            if kind == 0:
                words_of_text = source
            elif kind == 1:  # edited
                words_of_text = [
                    word if rng.random() > 0.05 else rng.choice(WORDS) for word in source
                ]
            elif kind == 2:  # a quotation
                words_of_text[20:20] = source[start : start + 45]
            elif kind == 3:  # a passage in other words
                part = [w for w in source[start : start + 60] if rng.random() > 0.2]
                words_of_text[20:20] = part
        texts.append(" ".join(words_of_text))
    return texts


OF_RUN = ("resemblance", "containment_a", "containment_b", "estimate", "shared_shingles",
          "longest_run", "exact_duplicate", "run_words", "overlap", "overlap_a",
          "overlap_b", "shared_words", "reworked_bits")  # fmt: skip


def write_run(target, folders, settings, **options):
    """Scan folders, write what a run writes of them; returns the scan, to be closed, and its list.

    Each table is in two files, rows of pairs from the last to the first.
    """
    result = scan(folders, settings, **options)
    pair_list = result.list_pairs()
    every = pair_list.every.take(slice(None, None, -1))
    columns = {name: getattr(every, name) for name in OF_RUN}
    columns["found_by"] = every.found_by.astype("int8")
    numbers = {name: number_of(getattr(every, name).astype("int64")) for name in ("a", "b")}
    _write(target / "pairs", pa.table({**numbers, **columns}))
    corpus, documents = result.corpus_for(settings), result.documents
    ids, rows = [document.name for document in documents], map(number_of, range(len(documents)))
    signed, set_aside = result.full_corpus.signed, result.set_aside
    batch = document_batch(ids, [*rows], documents, result.texts, signed, set_aside)
    problems = pa.Table.from_batches(problem_batch(result.problems), SCHEMA)
    _write(target / "documents", pa.concat_tables([pa.Table.from_batches([batch]), problems]))
    problems = problems.select(["id", "problem"]).flatten()
    _write(target / "problems", problems.rename_columns(["id", "code", "detail", "limit"]))
    words = result.words(settings)
    collection = {
        "pairs": [count_pairs(corpus.reviewed(), corpus.distinct())],
        "compared_all": [pair_list.compared is not None],
        "model": [words.to_bytes() if words else b""],
    }
    _write(target / "collection", pa.table(collection))
    roles = result.roles.roles
    manifest = Manifest(
        settings=settings,
        sources=tuple(
            Source(folder.as_uri(), role, 1, 1, 0)
            for folder, role in zip(folders, roles, strict=True)
        ),
        finished="2026-11-22T12:00:00+00:00",
        result=RunResult(
            len(pair_list.documents), len(every), 0, len(result.problems), tuple(pair_list.notes)
        ),
    )
    (target / FINISHED).write_text(manifest.as_json(), encoding="utf-8")
    return result, pair_list


def _write(folder, table):
    folder.mkdir(parents=True, exist_ok=True)
    half = table.num_rows // 2
    pq.write_table(table.slice(half), folder / "part-00000.parquet")
    pq.write_table(table.slice(0, half), folder / "part-00001.parquet")
