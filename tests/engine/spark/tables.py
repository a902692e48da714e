"""Tables of documents as the first stage makes them, and texts with something to find in them."""

import random

import numpy as np
import pyarrow as pa

from core.signatures.signing import sign_texts
from core.spark.columns import signed_columns
from core.text.languages import detect
from core.text.set_aside import merged

ENDS = ("n", "r", "st", "lo", "mi")
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ENDS]
APART = 10  # numbers are not dense: only their order counts


def number_of(row):
    """The number of the document in this row."""
    return APART * row + 3


def row_of(number):
    """The row of the document with this number; works on arrays."""
    return (number - 3) // APART


def documents(spark, texts, settings, *, aside=None, reference=(), partitions=2):
    """The table `columns.DOCUMENTS` of some texts, in as many partitions."""
    table = documents_table(texts, settings, aside=aside, reference=reference)
    return spark.createDataFrame(table).repartition(partitions)


def documents_table(texts, settings, *, aside=None, reference=()):
    """The same without Spark; its rows are in no order."""
    aside = aside or {}
    kept = {row: merged(spans) for row, spans in aside.items()}
    signed = sign_texts(texts, settings, set_aside=kept)
    spans = [
        [{"start": one.start, "end": one.end, "reason": str(one.reason)} for one in aside[row]]
        if row in aside
        else None
        for row in range(len(texts))
    ]
    of_span = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("reason", pa.string())])
    table = pa.table(
        {
            "id": [f"{row:05d}.txt" for row in range(len(texts))],
            "text": texts,
            "language": [detect(text) for text in texts],
            "document": ["{}"] * len(texts),
            "aside": pa.array(spans, pa.list_(of_span)),
            "number": pa.array([number_of(row) for row in range(len(texts))], pa.int64()),
            "reviewed": [row not in reference for row in range(len(texts))],
            "characters": pa.array([len(text) for text in texts], pa.int64()),
            **signed_columns(signed),
        }
    )
    order = np.random.default_rng(7).permutation(len(texts))
    return table.take(pa.array(order))


def texts_with_copies(count, seed=1, words=120):
    """Texts of which some are edited, quoted, reworded or exact copies of others before them."""
    rng = random.Random(seed)
    texts = []
    for row in range(count):
        own = [rng.choice(WORDS) for _ in range(words + rng.randrange(words))]
        kind = rng.randrange(6)
        if row and kind < 5:
            source = rng.choice(texts).split()
            start = rng.randrange(max(1, len(source) - 60))
            if kind == 0:
                own = source
            elif kind == 1:  # edited
                own = [word if rng.random() > 0.05 else rng.choice(WORDS) for word in source]
            elif kind == 2:  # a quotation
                own[20:20] = source[start : start + 45]
            elif kind == 3:  # a passage in other words
                part = [w for w in source[start : start + 60] if rng.random() > 0.2]
                own[20:20] = part
        texts.append(" ".join(own))
    return texts
