"""The folder of a run as Spark writes it, made of a scan on this machine."""

import pyarrow as pa
import pyarrow.parquet as pq

from core.candidates.references import count_pairs
from core.scan.flow import scan
from core.spark.columns import signed_columns
from core.spark.importing import document_to_json
from core.spark.manifest import FINISHED, Manifest, RunResult, Source
from tests.engine.spark.tables import number_of

SPAN = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("reason", pa.string())])
OF_RUN = ("resemblance", "containment_a", "containment_b", "estimate", "shared_shingles",
          "longest_run", "exact_duplicate", "run_words", "reworked_words", "reworked_bits",
          "reworked_share")  # fmt: skip


def write_run(target, folders, settings, **options):
    """Scan folders, write what a run writes of them; returns the scan, to be closed, and its list.

    Each table is in two files, rows of pairs from the last to the first.
    """
    whole = scan(folders, settings, **options)
    found = whole.list_pairs()
    every = found.every.take(slice(None, None, -1))
    columns = {name: getattr(every, name) for name in OF_RUN}
    columns["found_by"] = every.found_by.astype("int8")
    numbers = {name: number_of(getattr(every, name).astype("int64")) for name in ("a", "b")}
    _write(target / "pairs", pa.table({**numbers, **columns}))
    without_text = pa.table({"id": [one.name for one in whole.problems]})
    rows = pa.concat_tables([_documents(whole), without_text], promote_options="default")
    _write(target / "documents", rows)
    _write(target / "problems", _problems(whole.problems))
    corpus = whole.corpus_for(settings)
    words = whole.words()
    collection = {
        "pairs": [count_pairs(corpus.reviewed(), corpus.distinct())],
        "compared_all": [found.compared is not None],
        "model": [words.to_bytes() if words else b""],
    }
    _write(target / "collection", pa.table(collection))
    roles = whole.roles.roles
    manifest = Manifest(
        settings=settings,
        sources=tuple(
            Source(folder.as_uri(), role, 1, 1, 0)
            for folder, role in zip(folders, roles, strict=True)
        ),
        finished="2026-11-22T12:00:00+00:00",
        result=RunResult(
            len(found.documents), len(every), 0, len(whole.problems), tuple(found.notes)
        ),
    )
    (target / FINISHED).write_text(manifest.as_json(), encoding="utf-8")
    return whole, found


def _documents(whole):
    count = len(whole.documents)
    spans = [
        [{"start": one.start, "end": one.end, "reason": str(one.reason)} for one in own]
        if (own := whole.set_aside.get(row))
        else None
        for row in range(count)
    ]
    return pa.table(
        {
            "id": [one.name for one in whole.documents],
            "text": list(whole.texts),
            "language": [one.language for one in whole.documents],
            "document": list(map(document_to_json, whole.documents)),
            "aside": pa.array(spans, pa.list_(SPAN)),
            "number": pa.array(map(number_of, range(count)), pa.int64()),
            "reviewed": whole.whole.to_review,
            "characters": pa.array([one.characters for one in whole.documents], pa.int64()),
            **signed_columns(whole.whole.signed),
        }
    )


def _problems(problems):
    rows = [(one.name, str(one.code), one.detail, one.limit) for one in problems]
    names = ("id", "code", "detail", "limit")
    columns = zip(*rows, strict=True) if rows else [[]] * 4
    return pa.table(
        {name: pa.array(values, pa.string()) for name, values in zip(names, columns, strict=True)}
    )


def _write(folder, table):
    folder.mkdir(parents=True, exist_ok=True)
    half = table.num_rows // 2
    pq.write_table(table.slice(half), folder / "part-00000.parquet")
    pq.write_table(table.slice(0, half), folder / "part-00001.parquet")
