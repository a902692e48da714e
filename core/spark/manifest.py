"""The request and the result of a run, beside its tables as JSON.

    {"format": "neardup run", "version": 2, "settings": {...}, "sources": [...], "versions": {...},
     "begun": "...", "finished": "...", "result": {"documents": 120, "notes": [], ...}, ...}

`_begun.json` is written before the first stage, `run.json` after the last: a folder with a
`run.json` is complete.

The tables of a run that is finished, read without Spark.

run.json         the request and the result
documents/       `columns.DOCUMENTS`; counting_documents/ without the text set aside by rules
pairs/           `columns.LISTED`
problems/        `columns.PROBLEMS`
collection/      `columns.COLLECTION`: values that only all documents together give
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.dataset as ds
import xxhash
from pyarrow import fs

from core.base.messages import N_, gettext
from core.base.wording import printable_name, shown_value
from core.documents.model import Role
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ClusterError, SettingsError
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.reports.settings_file import settings_as_json, settings_of_json
from core.review.sidecar_files import DAMAGE
from core.review.validation import typed_values
from core.settings import ScanSettings
from core.spark.columns import Batches


class RunOptions(NamedTuple):
    """How sources are read and the run is done.

    Attributes:
        reading: How files are read.
        rules: What is set aside.
        roles: The role of each source, in their order; those after the last are to review.
        text_column: The column of a table with the text.
        id_column: The column of a table that identifies its rows.
        resume: Go on with the run that the target holds.
        budget: How many candidate pairs the run may measure; None for as many as the documents
            usually have, 0 for any number.
        partitions: In how many parts tables are shuffled; 0 for what Spark chooses.
    """

    reading: ReadingSettings = ReadingSettings()
    rules: ExclusionRules = NO_RULES
    roles: tuple[Role, ...] = ()
    text_column: str = "text"
    id_column: str = "id"
    resume: bool = False
    budget: int | None = None
    partitions: int = 0


STARTED, FINISHED = "_begun.json", "run.json"
FORMAT, VERSION = "neardup run", 2


class RunResult(NamedTuple):
    """The result of a run.

    Attributes:
        documents: How many have words and are compared.
        pairs: How many are listed.
        groups: Of near-duplicates.
        problems: Documents that gave no text.
        notes: Sentences about the list, as a report has them.
    """

    documents: int
    pairs: int
    groups: int
    problems: int
    notes: tuple[str, ...] = ()


class Source(NamedTuple):
    """A source of documents, as it was when the run began.

    Attributes:
        place: Its full address, as Spark names it.
        role: The role of its documents.
        files: How many it has.
        bytes: How many they have together.
        changed: When one of them last changed, in milliseconds since 1970; 0 where nobody knows.
        state: Changes with any of them; see `file_system.Held`.
    """

    place: str
    role: Role
    files: int
    bytes: int
    changed: int
    state: str = ""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The request of a run and, once it is finished, its result.

    Attributes:
        settings: Of the scan, with the seed.
        reading: How files were read, without passwords.
        rules: What was set aside.
        sources: Where documents came from.
        text_column: The column of tables with the text.
        id_column: The column of tables that identified their rows.
        versions: Of Neardup and of all packages with a part in the result, by name.
        started: When it began, as ISO 8601 has it, in UTC.
        finished: When it finished; "" before that.
        result: None before that.
    """

    settings: ScanSettings
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    rules: ExclusionRules = NO_RULES
    sources: tuple[Source, ...] = ()
    text_column: str = "text"
    id_column: str = "id"
    versions: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    finished: str = ""
    result: RunResult | None = None

    def as_json(self) -> str:
        """The manifest as a text."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "settings": settings_as_json(self.settings, self.reading),
            "limits": asdict(self.reading.limits),
            "rules": self.rules.as_json(),
            "sources": [source._asdict() for source in self.sources],
            "text_column": self.text_column,
            "id_column": self.id_column,
            "versions": dict(self.versions),
            "begun": self.started,
            "finished": self.finished,
            "result": self.result and self.result._asdict(),
        }
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"

    @staticmethod
    def of_json(text: str) -> Manifest:
        """The manifest in a text of `as_json`.

        Raises:
            ClusterError: It is none, or of a newer version; the sentence says why.
        """
        try:
            content = json.loads(text)
            if not isinstance(content, dict) or content.get("format") != FORMAT:
                raise ClusterError("It has no “format”: “{format}”.", format=FORMAT)
            if content.get("version") != VERSION:
                raise ClusterError(
                    "It is of version {version}; this Neardup reads version {known}.",
                    version=shown_value(content.get("version")),
                    known=VERSION,
                )
            return _of_object(content)
        except (SettingsError, AttributeError, *DAMAGE) as error:
            why = str(error) if isinstance(error, SettingsError) else gettext("It is damaged.")
            raise ClusterError(why) from error

    def differences(self, other: Manifest) -> list[str]:
        """The differences between the requests of two runs, in words; times do not count."""
        mine, theirs = self._request(), other._request()
        return [words for words, value in mine.items() if theirs[words] != value]

    def _request(self) -> dict[str, object]:
        return {
            N_("the settings"): self.settings,
            N_("how files are read"): replace(self.reading, passwords=()),
            N_("what is set aside"): self.rules,
            N_("the sources or what they hold"): self.sources,
            N_("the columns"): (self.text_column, self.id_column),
            N_("the versions of Neardup or its packages"): dict(self.versions),
        }


def _of_object(content: dict[str, Any]) -> Manifest:
    shared = settings_of_json(content["settings"])
    limits = ReadingLimits(**content["limits"])
    result = content["result"]
    return Manifest(
        settings=shared.scan,
        reading=shared.read_with(ReadingSettings(limits=limits)),
        rules=ExclusionRules.of_json(content["rules"]),
        sources=tuple(map(_source, content["sources"])),
        text_column=str(content["text_column"]),
        id_column=str(content["id_column"]),
        versions={str(name): str(value) for name, value in content["versions"].items()},
        started=str(content["begun"]),
        finished=str(content["finished"]),
        result=typed_values(RunResult, result) if result else None,
    )


def _source(values: dict[str, Any]) -> Source:
    source = Source(**{**values, "role": Role(values["role"])})
    if not isinstance(source.place, str):
        raise TypeError("The place of a source is no text.")
    return source


ROWS_AT_ONCE = 2000
# Spark writes a checksum of each page; later changes are damage, not another number.
CHECKED = ds.ParquetFileFormat(
    default_fragment_scan_options=ds.ParquetFragmentScanOptions(page_checksum_verification=True)
)
COUNTING_DOCUMENTS = "counting_documents"


class Collection(NamedTuple):
    """Values that only all documents of a run together give.

    Attributes:
        pairs: How many pairs of different documents there are, of which one at least is to review.
        compared_all: Whether all of them were compared.
        model: The model of their words, as `WordModel.to_bytes` writes it; empty where nothing
            reworked was searched.
    """

    pairs: int
    compared_all: bool
    model: bytes


class FinishedRun:
    """A folder with the tables of a run.

    Attributes:
        name: Of the folder, as it is shown.
        digest: Of `run.json`: when it began, its sources and settings; wherever the folder is.
        manifest: The content of `run.json`.
        documents: How many documents it compared.
        pairs: How many it listed.
        notes: The notes on its list.
    """

    def __init__(self, target: str) -> None:
        """Read the manifest of a folder; its tables are read when they are needed.

        Args:
            target: A path, or the URI of a file system that Arrow reaches: s3, gs, hdfs.

        Raises:
            ClusterError: It holds no finished run, or cannot be read.
        """
        self.name = printable_name(PurePosixPath(target.replace("\\", "/")).name or target)
        self._files, self._root = _file_system(target, self.name)
        try:
            with self._files.open_input_stream(f"{self._root}/{FINISHED}") as stream:
                text = bytes(stream.read())
            self.manifest = Manifest.of_json(text.decode("utf-8"))
        except FileNotFoundError as error:
            raise ClusterError(
                "“{run}” holds no finished run of neardup spark scan: it has no {file}.",
                run=self.name,
                file=FINISHED,
            ) from error
        except ClusterError as error:
            raise ClusterError(
                "{file} in “{run}” cannot be used. {why}", file=FINISHED, run=self.name, why=error
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(FINISHED, error) from error
        self.digest = xxhash.xxh3_128_hexdigest(text)
        result = self.manifest.result
        if result is None:
            raise ClusterError(
                "The run in “{run}” is not finished: {file} says so.", run=self.name, file=FINISHED
            )
        self.documents, self.pairs, self.notes = result.documents, result.pairs, result.notes

    def collection(self) -> Collection:
        """The values that only all documents together give.

        Raises:
            ClusterError: The table cannot be read.
        """
        rows = [row for batch in self.batches("collection", None) for row in batch.to_pylist()]
        collections = [Collection(*map(row.get, Collection._fields)) for row in rows]
        if len(collections) != 1 or list(map(type, collections[0])) != [int, bool, bytes]:
            raise ClusterError("The table collection in “{run}” is damaged.", run=self.name)
        return collections[0]

    def batches(
        self,
        table: str,
        columns: Sequence[str] | None,
        where: Any = None,  # noqa: ANN401 - an expression of Arrow
    ) -> Batches:
        """The rows of a table, a few thousand at a time, in any order.

        Args:
            table: Its name.
            columns: Those that are read; None for all.
            where: Which rows, as an expression of Arrow; None for all.

        Raises:
            ClusterError: It is missing or damaged.
        """
        try:
            data = ds.dataset(f"{self._root}/{table}", filesystem=self._files, format=CHECKED)
            named = list(columns) if columns is not None else None
            yield from data.to_batches(
                columns=named, filter=where, batch_size=ROWS_AT_ONCE, batch_readahead=2,
                fragment_readahead=1,
            )  # fmt: skip
        except (OSError, pa.ArrowException, KeyError) as error:
            raise self._unreadable(table, error) from error

    def count(self, table: str, where: Any = None) -> int:  # noqa: ANN401
        """How many rows a table has. Raises as `batches`."""
        return sum(batch.num_rows for batch in self.batches(table, [], where))

    @property
    def table_of_documents(self) -> str:
        """The table of documents with their signatures: its own where rules set text aside."""
        info = self._files.get_file_info(f"{self._root}/{COUNTING_DOCUMENTS}")
        return COUNTING_DOCUMENTS if info.type == fs.FileType.Directory else "documents"

    def _unreadable(self, part: str, error: Exception) -> ClusterError:
        reason = str(error).partition("\n")[0]
        return ClusterError(
            "“{what}” in “{run}” cannot be read: {reason}", what=part, run=self.name, reason=reason
        )


def local_path_of(location: str) -> str:
    """A location of a run as a local path, where it is on a computer; others as they are.

    Spark escapes nothing in its addresses: an apparent escape or fragment is a name.
    """
    if not location.startswith("file:"):
        return location
    path = location.removeprefix("file:")
    return _without_slash(path.removeprefix("//") if path.startswith("///") else path)


def _without_slash(path: str) -> str:
    """A path as Windows has it, without the slash before the letter of a drive."""
    return path[1:] if path[2:3] == ":" else path


def _file_system(target: str, name: str) -> tuple[Any, str]:
    """The file system of a target, and its path in it."""
    location = _without_slash(unquote(urlsplit(target).path)) if target[:5] == "file:" else target
    scheme, colon, rest = location.partition("://")
    try:
        if not colon:
            return fs.LocalFileSystem(), Path(location).absolute().as_posix()
        scheme = "s3" if scheme in ("s3a", "s3n") else scheme
        files, path = fs.FileSystem.from_uri(f"{scheme}://{rest}")
        return files, str(path)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise ClusterError(
            "“{name}” cannot be reached from here: {reason}. Copy the folder of the run to "
            "this computer, and import it from there.",
            name=name,
            reason=reason,
        ) from error
