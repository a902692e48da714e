"""A part of a run on a cluster as a review: wanted pairs, with the texts of their documents.

pairs ─▶ those that are wanted ─▶ their documents ─▶ a scan ─▶ its list, measured ─▶ review

The numbers of the list are measured in the texts that were fetched, and compared with those of the
run: a review says nothing of a pair that its texts do not give.

Also documents as JSON, a column of the table of documents.

It may come from a stranger, like a review: it is checked as the columns of a review.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.base.arrays import BoolArray, Int64Array
from core.base.memory import require_memory, text_memory
from core.base.messages import gettext, nstored, whole_number
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.base.wording import printable_text, reprinted_name
from core.documents.model import Document, Problem, ProblemCode, Role
from core.errors import ClusterError, NeardupError
from core.evidence.pairs import NOT_MEASURED, OF_PASSAGES, Pairs, PassageEvidence, pair_codes
from core.evidence.store import Evidence
from core.evidence.word_model import WordModel
from core.review.loading import with_text_hashes
from core.review.packing import encoded
from core.review.rows import SHA256, DocumentRow, document_of
from core.review.sidecar_files import DAMAGE
from core.review.validation import check_numbers, check_run_pairs, json_of
from core.scan.part_of_run import PartOfRun, RunFacts
from core.scan.reworked import model_of_run
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.signatures.signing import SignedTexts
from core.spark.columns import int64s, signed_of, texts_of
from core.spark.manifest import FinishedRun, local_path_of
from core.text.store import TextStore

MOST_BYTES_OF_DOCUMENT = 1 << 20
# NFKC makes up to 18 characters of one, each may be a unit, and a word begins two skip-grams.
UNITS_OF_CHARACTER = 18
DOCUMENT_NUMBERS = ("size", "characters", "modified_ns")
# The place of a document in a review, for one that is in none.
IN_NO_REVIEW: dict[str, Any] = {"id": 1, "folder": 0, "text": 1, "signed": 1, "signed_checksum": 0}
IN_NO_REVIEW |= {"shingles": -1, "place": 0}
WORDS = ("path", "name", "file_hash", "kind", "encoding", "part", "text_hash", "language", "sha256")
DEFAULTS = {"part": "", "text_hash": "", "language": "", "sha256": "", "encoding": ""}


def document_to_json(document: Document) -> str:
    """A present document as JSON in ASCII, without default values."""
    columns = {name: getattr(document, name) for name in (*DOCUMENT_NUMBERS[:2], *WORDS)}
    columns["path"] = document.location
    columns["modified_ns"] = document.modified_ns
    kept = {name: value for name, value in columns.items() if DEFAULTS.get(name) != value}
    if document.remarks:
        kept["remarks"] = document.remarks
    if document.role is not Role.REVIEW:
        kept["role"] = document.role
    if document.members:
        kept["members"] = document.members
    return json.dumps(kept, separators=(",", ":"))


def document_of_json(column: str) -> Document:
    """The document again.

    Raises:
        ValueError: It cannot be so.
    """
    try:
        if len(column) > MOST_BYTES_OF_DOCUMENT:
            raise ValueError("What is said of a document is too long.")
        return _document_of(json_of(column.encode("utf-8", "surrogatepass")))
    except (TypeError, AttributeError, KeyError) as error:
        raise ValueError("What is said of a document cannot be so.") from error


def _document_of(stored: Mapping[str, Any]) -> Document:
    numbers = {name: stored[name] for name in DOCUMENT_NUMBERS}
    words = {name: stored.get(name, DEFAULTS.get(name)) for name in WORDS}
    if any(type(number) is not int for number in numbers.values()) or not all(
        isinstance(word, str) for word in words.values()
    ):
        raise TypeError("A column of a document is none.")
    if words["sha256"] and not SHA256.fullmatch(words["sha256"]):
        raise ValueError("The SHA-256 of a file is none.")
    lists = {
        name: json.dumps(stored[name]).encode("ascii") if stored.get(name) else b""
        for name in ("remarks", "members")
    }
    columns: dict[str, Any] = {name: encoded(word) for name, word in words.items()}
    columns |= {"sha256": bytes.fromhex(words["sha256"]), "absence": b"", **lists}
    row = DocumentRow(**IN_NO_REVIEW, **numbers, **columns)
    check_numbers(np.array([row[:10]]))
    return document_of(row, {0: ""})._replace(role=Role(stored.get("role", Role.REVIEW)))


BYTES_OF_PAIR = 400  # while they are listed
MOST_PROBLEMS = 10_000  # more are in the table of the run
BYTES_OF_NOTES = 12_000  # as JSON, in the one row that a review has about itself
NUMBERS = tuple(field.name for field in fields(Pairs))
OF_DOCUMENT = ("number", "id", "text", "language", "document", "aside", "units", "digest",
               "signature", "fingerprints", "skip_grams")  # fmt: skip


class WantedPairs(NamedTuple):
    """Which pairs of a run are wanted.

    Attributes:
        above: Those from this resemblance on; None for all that the run listed.
        documents: Those of which a document has such a name, as a shell matches it; "" for all.
    """

    above: float | None = None
    documents: str = ""

    @property
    def in_words(self) -> str:
        """The pairs, as the end of a sentence."""
        least = "" if self.above is None else f" from a resemblance of {self.above:g} on"
        named = f" with a document named “{printable_text(self.documents)}”"
        return least + (named if self.documents else "")


class _Fetched(NamedTuple):
    """The documents of the wanted pairs, in the order of the names of their files."""

    numbers: Int64Array
    documents: list[Document]
    texts: TextStore
    signed: SignedTexts


def part_of_run(run: FinishedRun, wanted: WantedPairs, *, progress: Progress = ignore) -> ScanState:
    """The wanted pairs of a run, measured, as the state of a review.

    Raises:
        ClusterError: There are none, or the tables are damaged.
        StorageError: There is no room for so many pairs or texts.
    """
    try:
        pairs = _pairs(run, wanted)
        fetched = _fetched(run, pairs, progress)
        state = _state(run, wanted, fetched, rows := _row_by_row(fetched, pairs))
        with closing(Scan.restored(state)) as scan:
            measured = scan.list_pairs(progress=progress).every
    except (AttributeError, pa.ArrowException, *DAMAGE) as error:
        if isinstance(error, NeardupError):
            raise
        raise ClusterError(
            "A table of the run in “{run}” is damaged: {why}", run=run.name, why=error
        ) from error
    differing = _differing(measured.take(np.lexsort((measured.b, measured.a))), rows)
    part = state.part and state.part._replace(run=state.part.run._replace(differing=differing))
    return scan.state._replace(part=part)


def _pairs(run: FinishedRun, wanted: WantedPairs) -> pa.Table:
    """The rows of the wanted pairs."""
    where = None if wanted.above is None else pc.field("resemblance") >= wanted.above
    if not wanted.documents:
        count = run.count("pairs", where)
        require_memory(
            BYTES_OF_PAIR * count,
            gettext("Importing {number} pairs", number=whole_number(count)),
            gettext("Ask for fewer with --above or --documents."),
        )
    named = _named(run, wanted.documents) if wanted.documents else None
    parts = []
    for batch in run.batches("pairs", NUMBERS, where):
        stop_if_cancelled()
        _require_values(batch)
        parts.append(batch if named is None else batch.filter(pa.array(_either(batch, named))))
    table = pa.Table.from_batches([part for part in parts if part.num_rows] or parts[:1])
    if not table.num_rows:
        raise ClusterError(
            "The run in “{run}” lists no pair{wanted}.", run=run.name, wanted=wanted.in_words
        )
    return table


def _require_values(batch: pa.RecordBatch) -> None:
    """Raise where a row has no value in one of its columns."""
    missing = [name for name in batch.schema.names if batch.column(name).null_count]
    if missing:
        raise ValueError(f"There are rows without {missing[0]}.")


def _either(batch: pa.RecordBatch, named: Int64Array) -> BoolArray:
    """Which pairs have any of these documents."""
    a, b = (np.isin(int64s(batch.column(name)), named) for name in ("a", "b"))
    return np.asarray(a | b)


def _named(run: FinishedRun, pattern: str) -> Int64Array:
    """The numbers of the documents whose names match; an error where none does."""
    parts, first = [np.empty(0, dtype=np.int64)], ""
    with_text = pc.field("number").is_valid()  # rows without a number are problems
    for batch in run.batches("documents", ("number", "id"), with_text):
        stop_if_cancelled()
        names = batch.column("id").to_pylist()
        mask = np.array([fnmatchcase(name, pattern) for name in names], dtype=np.bool_)
        parts.append(int64s(batch.column("number"))[mask])
        first = first or next(iter(names), "")
    numbers = np.concatenate(parts)
    if not len(numbers) and first:
        raise ClusterError(
            "No document that the run in “{run}” compared is named “{pattern}”. Their names "
            "are like “{first}”: give all of it, or * for any letters.",
            run=run.name,
            pattern=printable_text(pattern),
            first=printable_text(first),
        )
    return numbers


def _fetched(run: FinishedRun, pairs: pa.Table, progress: Progress) -> _Fetched:
    """The documents of pairs."""
    both = np.sort(np.concatenate([int64s(pairs.column("a")), int64s(pairs.column("b"))]))
    wanted = both[np.append(True, both[1:] != both[:-1])]
    settings, texts = run.manifest.settings, TextStore(text_memory())
    documents, numbers, signed = list[Document](), [np.empty(0, np.int64)], []
    for batch in run.batches(run.table_of_documents, OF_DOCUMENT, pc.field("number").isin(wanted)):
        stop_if_cancelled()
        _require_values(batch.drop_columns(["aside", "language"]))
        batch_texts = texts_of(batch)
        texts.extend(list(batch_texts))
        texts.exclude_spans(
            {len(documents) + row: spans for row, spans in batch_texts.set_aside.items()}
        )
        documents += map(_document, batch.column("document").to_pylist())
        numbers.append(int64s(batch.column("number")))
        signed.append(signed_of(batch, settings))
        progress(ProgressReport(Stage.READ, len(documents), len(wanted)))
    all_numbers = np.concatenate(numbers)
    if not np.array_equal(np.sort(all_numbers), wanted):
        raise ClusterError("“documents” in “{run}” lacks documents of its pairs.", run=run.name)
    _check_documents(documents, texts)
    order = np.array(
        sorted(
            range(len(all_numbers)), key=lambda row: (documents[row].file_name, all_numbers[row])
        ),
        np.int64,
    )
    # Verdicts go by the hash of a text: that of the fetched text.
    arranged = with_text_hashes([documents[row] for row in order.tolist()], texts.arranged(order))
    together = SignedTexts.join(signed).take(order)
    _check_counts(together, texts.lengths[order])
    return _Fetched(all_numbers[order], arranged, texts.arranged(order), together)


def _check_counts(signed: SignedTexts, characters: Int64Array) -> None:
    """Raise unless texts of these lengths may have so many units, fingerprints and skip-grams."""
    units = signed.units
    right = (units >= 0) & (units <= UNITS_OF_CHARACTER * characters)
    right &= signed.fingerprints.counts <= units
    right &= signed.skip_grams.counts <= 2 * UNITS_OF_CHARACTER * characters
    if not right.all():
        raise ValueError("A text cannot have so many units or fingerprints.")


def _check_documents(documents: Sequence[Document], texts: TextStore) -> None:
    """Raise unless each has a name of its own, and the length of its text."""
    if len({document.name for document in documents}) < len(documents):
        raise ValueError("Two documents have one name.")
    if [document.characters for document in documents] != texts.lengths.tolist():
        raise ValueError("A text is longer or shorter than it was.")


def _document(column: str) -> Document:
    """A document with its path as the system names it: rows are in tables, which have addresses."""
    document = document_of_json(column)
    return document._replace(location=str(Path(local_path_of(document.location))))


def _row_by_row(fetched: _Fetched, pairs: pa.Table) -> Pairs:
    """The pairs as the run has them, by rows of the documents here, ordered by a and b."""
    a, b = (int64s(pairs.column(name)) for name in ("a", "b"))
    if not (a < b).all():
        raise ValueError("The documents of a pair are not two, or not in their order.")
    order = np.argsort(fetched.numbers)
    x, y = (order[np.searchsorted(fetched.numbers, numbers, sorter=order)] for numbers in (a, b))
    types = Pairs.empty()
    columns = {
        name: pairs.column(name).to_numpy().astype(getattr(types, name).dtype)
        for name in NUMBERS[2:]
    }
    rows = Pairs(
        a=np.minimum(x, y).astype(np.int32), b=np.maximum(x, y).astype(np.int32), **columns
    ).turned(x > y)
    rows = rows.take(np.lexsort((rows.b, rows.a)))
    if (np.diff(pair_codes(rows.a, rows.b)) == 0).any():
        raise ValueError("A pair is listed twice.")
    check_run_pairs(pair_codes(rows.a, rows.b), rows.found_by, rows.estimate)
    return rows


def _state(run: FinishedRun, wanted: WantedPairs, fetched: _Fetched, rows: Pairs) -> ScanState:
    """The documents and pairs as a scan of which nothing is measured."""
    manifest, collection = run.manifest, run.collection()
    problems, notes = _problems(run, wanted)
    facts = RunFacts(
        run.name,
        run.documents,
        run.pairs,
        manifest.settings.min_resemblance,
        collection.compared_all,
        tuple(_that_fit([*run.notes, *notes])),
        digest=run.digest,
        asked=wanted.in_words,
    )
    evidence = Evidence.none(len(fetched.documents))
    if manifest.settings.reworked != "off":
        model = model_of_run(_model(run, collection.model), collection.pairs)
        evidence = evidence._replace(reworked=PassageEvidence.none(model))
    return ScanState(
        settings=manifest.settings,
        folders=tuple(Path(local_path_of(source.place)) for source in manifest.sources),
        roles=tuple(source.role for source in manifest.sources),
        documents=fetched.documents,
        problems=problems,
        signed=fetched.signed,
        texts=fetched.texts,
        evidence=evidence,
        reading=manifest.reading,
        set_aside=fetched.texts.set_aside,
        rules=manifest.rules,
        part=PartOfRun(
            facts,
            tuple(document.name for document in fetched.documents),
            pair_codes(rows.a, rows.b),
            rows.found_by,
            rows.estimate,
        ),
    )


def _model(run: FinishedRun, kept: bytes) -> WordModel:
    """The model of the words of a run."""
    try:
        return WordModel.from_bytes(kept)
    except ValueError as error:
        raise ClusterError(
            "“collection” in “{run}” cannot be used: {why}", run=run.name, why=error
        ) from error


def _problems(run: FinishedRun, wanted: WantedPairs) -> tuple[list[Problem], list[str]]:
    """The problems of the wanted documents, and a note where that is not all."""
    problems, count = list[Problem](), 0
    for batch in run.batches("problems", ("id", "code", "detail", "limit")):
        for row in batch.to_pylist():
            if wanted.documents and not fnmatchcase(row["id"], wanted.documents):
                continue
            count += 1
            if count <= MOST_PROBLEMS:
                name, detail = reprinted_name(row["id"]), reprinted_name(row["detail"])
                problems.append(Problem(name, ProblemCode(row["code"]), detail, row["limit"] or ""))
    if count <= MOST_PROBLEMS:
        return problems, []
    return problems, [
        nstored(
            "{n} document gave no text; the first {most} are among the problems of this review.",
            "{n} documents gave no text; the first {most} are among the problems of this review.",
            count,
            most=f"{MOST_PROBLEMS:,}",
        )
    ]


def _that_fit(notes: list[str]) -> Iterator[str]:
    """As many notes as a review has room for, and how many more there are."""
    room = BYTES_OF_NOTES
    for number, note in enumerate(notes):
        room -= len(json.dumps(note))
        if room < 0:
            yield nstored(
                "{n} more note in the folder of the run.",
                "{n} more notes in the folder of the run.",
                len(notes) - number,
            )
            return
        yield note


def _differing(measured: Pairs, rows: Pairs) -> int:
    """How many pairs have other numbers in the texts than in the run."""
    if len(measured) != len(rows):
        return abs(len(measured) - len(rows))
    differ = (measured.a != rows.a) | (measured.b != rows.b)
    for name in NUMBERS[2:]:
        ours, its = getattr(measured, name), getattr(rows, name)
        # Pairs that were too much for the run may be measured now.
        unknown = (its == NOT_MEASURED) & (name in OF_PASSAGES)
        differ |= (ours != its) & ~unknown
    return int(np.count_nonzero(differ))
