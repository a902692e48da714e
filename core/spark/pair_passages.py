"""The passages of listed pairs, as the record of a report has them.

Passages are spans of two texts as they are written, so copies in which only letter case or white
space differs have their own. Pairs of the very same two texts are looked at once.

Texts that are compared with several others, read once.

Where a paragraph is in every document, each is compared with many: its words, their beginnings and
their stems are found for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from core.evidence.pair_texts import PairText
from core.evidence.passage import Passage
from core.evidence.passages import find_shared
from core.evidence.word_model import WordModel
from core.settings import ScanSettings
from core.spark.cells import Cell, CellLimits, cells_in, in_cells, placed
from core.spark.columns import texts_of
from core.spark.partitions import mapped
from core.spark.schemas import PASSAGES
from core.spark.stages import Stages
from core.text.store import TextStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KEPT = 1 << 21  # characters: about 40 MB with what is made of them


class ReadTexts:
    """The texts of a cell as passages are looked for in them; those read last are kept."""

    def __init__(
        self, texts: TextStore, languages: Sequence[str | None], settings: ScanSettings
    ) -> None:
        self._texts = texts
        self._languages = languages
        self._settings = settings
        self._kept: OrderedDict[int, PairText] = OrderedDict()
        self._characters = 0

    def __getitem__(self, place: int) -> PairText:
        """A text by its place."""
        if place not in self._kept:
            self._kept[place] = PairText(
                self._texts[place],
                self._settings,
                self._texts.set_aside.get(place, ()),
                self._languages[place] or None,
            )
            self._characters += len(self._kept[place].text)
        self._kept.move_to_end(place)
        while self._characters > KEPT and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)
        return self._kept[place]


FOUND = f"x LONG, y LONG, passages ARRAY<{PASSAGES}>"
LIMITS = CellLimits(work=1 << 26, rereads=True)  # about a minute
LONGS, INTS = pa.int64(), pa.int32()
PASSAGE = pa.struct(
    [
        ("a_start", LONGS),
        ("a_end", LONGS),
        ("b_start", LONGS),
        ("b_end", LONGS),
        ("tokens", INTS),
        ("longest_run", INTS),
        ("bits", pa.float64()),
        ("a_tokens", INTS),
        ("b_tokens", INTS),
        ("near", INTS),
        ("exchanged", INTS),
        ("moved", INTS),
        ("reworked_words", INTS),
        ("chance", pa.string()),
    ]
)


@dataclass(frozen=True)
class FindingPassages:
    """Finds the passages of cells of pairs x, y: `FOUND`.

    The texts have the columns number, text, aside, language.

    Attributes:
        settings: Of the scan.
        model: What the words of all documents tell, as `WordModel.to_bytes` writes it; None where
            nothing reworked is looked for.
    """

    settings: ScanSettings
    model: bytes | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A row for each pair, in the order of the passages in the text of x."""
        model = None if self.model is None else WordModel.from_bytes(self.model)
        for cell in cells_in(batches):
            columns = {
                "x": pa.array(cell.numbers[cell.x]),
                "y": pa.array(cell.numbers[cell.y]),
                "passages": pa.array(list(self._found(cell, model)), pa.list_(PASSAGE)),
            }
            yield from pa.table(columns).to_batches()

    def _found(self, cell: Cell, model: WordModel | None) -> Iterator[list[dict[str, Any]]]:
        languages = cell.texts.column("language").to_pylist()
        texts = ReadTexts(texts_of(cell.texts), languages, self.settings)
        for x, y in zip(cell.x.tolist(), cell.y.tolist(), strict=True):
            shared = find_shared(texts[x], texts[y], self.settings, folder=model)
            yield [_row(passage) for passage in shared.passages]


def _row(passage: Passage) -> dict[str, Any]:
    row = {one.name: getattr(passage, one.name) for one in PASSAGE if one.name != "moved"}
    return {**row, "moved": passage.moved_words}


def with_passages(
    stages: Stages,
    pairs: DataFrame,
    documents: DataFrame,
    settings: ScanSettings,
    model: bytes | None,
) -> DataFrame:
    """Listed pairs with the passages of each: `schemas.LISTED`.

    Args:
        stages: Keep what was found.
        pairs: `schemas.NUMBERS`, of all copies that are listed.
        documents: `schemas.DOCUMENTS`.
        settings: Of the scan.
        model: See `FindingPassages`.
    """
    from pyspark.sql import functions as F

    others = stages.table("_same_texts", partial(_same_texts, documents))
    asked = (
        pairs.join(others.toDF("a", "x"), "a", "left")
        .join(others.toDF("b", "y"), "b", "left")
        .withColumns({"x": F.coalesce("x", "a"), "y": F.coalesce("y", "b")})
    )
    lengths = documents.select("number", "characters")
    different = asked.select("x", "y").distinct()
    cells = stages.table("_passage_cells", lambda: placed(different, lengths, LIMITS))
    texts = documents.select("number", "text", "aside", "language")
    finding = FindingPassages(settings, model)
    found = stages.table("_passages", lambda: mapped(in_cells(cells, texts), finding, FOUND))
    return asked.join(found, ["x", "y"]).select(*pairs.columns, "passages")


def _same_texts(documents: DataFrame) -> DataFrame:
    """The documents with the very text of another one before them, each with the first such."""
    from pyspark.sql import functions as F

    # Of texts with the same words, 64 more bits tell whether they are written in the same way.
    written = F.xxhash64("text", "aside", "language").alias("written")
    texts = documents.where("units > 0").select("number", "digest", "characters", written)
    same = ["digest", "characters", "written"]
    first = texts.groupBy(*same).agg(F.min("number").alias("first"))
    return texts.join(first, same).where("number != first").select("number", "first")
