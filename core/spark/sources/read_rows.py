"""Documents that were read, and files and rows that gave none, as batches of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from core.documents import Document, Problem
from core.documents.roles import Role
from core.signatures.signing import SignedTexts
from core.spark.columns import signed_columns
from core.spark.documents_json import document_to_json
from core.spark.schemas import DOCUMENTS
from core.text.set_aside import SetAside

# A row is a document, or has a problem and else nothing but the name of what gave none.
READ = f"{DOCUMENTS}, problem STRUCT<code: STRING, detail: STRING, limit: STRING>"

OF_PROBLEM = pa.struct([(name, pa.string()) for name in ("code", "detail", "limit")])
OF_SPAN = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("reason", pa.string())])
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "text", "language", "document")),
        ("aside", pa.list_(OF_SPAN)),
        ("number", pa.int64()),
        ("reviewed", pa.bool_()),
        ("characters", pa.int64()),
        ("units", pa.int64()),
        *((name, pa.binary()) for name in ("digest", "signature", "fingerprints", "skip_grams")),
        ("problem", OF_PROBLEM),
    ]
)


def document_batch(
    ids: Sequence[str],
    numbers: Sequence[int],
    documents: Sequence[Document],
    texts: Sequence[str],
    signed: SignedTexts,
    aside: Mapping[int, Sequence[SetAside]],
) -> pa.RecordBatch:
    """Rows of documents.

    Args:
        ids: What the user knows them by.
        numbers: Theirs.
        documents: With their roles.
        texts: Their texts.
        signed: Signed without what is set aside.
        aside: What is set aside, by row.
    """
    columns = {
        "id": list(ids),
        "text": list(texts),
        "language": [one.language for one in documents],
        "document": list(map(document_to_json, documents)),
        "aside": aside_column(aside, len(documents)),
        "number": list(numbers),
        "reviewed": [one.role is Role.REVIEW for one in documents],
        "characters": [one.characters for one in documents],
        **signed_columns(signed),
        "problem": [None] * len(documents),
    }
    return pa.record_batch(columns, schema=SCHEMA)


def aside_column(aside: Mapping[int, Sequence[SetAside]], rows: int) -> pa.Array:
    """What is set aside as a column: nothing in most rows."""
    return pa.array([_spans(aside.get(row)) for row in range(rows)], pa.list_(OF_SPAN))


def _spans(spans: Sequence[SetAside] | None) -> list[dict[str, object]] | None:
    if not spans:
        return None
    return [{"start": one.start, "end": one.end, "reason": str(one.reason)} for one in spans]


def problem_batch(problems: Sequence[Problem]) -> Iterator[pa.RecordBatch]:
    """Rows of what gave no document; none where there is none."""
    if not problems:
        return
    columns = {name: pa.nulls(len(problems), SCHEMA.field(name).type) for name in SCHEMA.names}
    said = [{"code": str(one.code), "detail": one.detail, "limit": one.limit} for one in problems]
    columns["id"] = pa.array([one.name for one in problems], pa.string())
    columns["problem"] = pa.array(said, OF_PROBLEM)
    yield pa.record_batch(columns, schema=SCHEMA)
