"""What a run was asked for and what it gave, beside its tables as JSON.

    {"format": "neardup run", "version": 1, "settings": {...}, "sources": [...], "versions": {...},
     "begun": "...", "finished": "...", "result": {"documents": 120, "notes": [], ...}, ...}

`_begun.json` is written before the first stage, `run.json` after the last: a folder with a
`run.json` is whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from core.aside.rules import NO_RULES, AsideRules
from core.base.wording import shown_value
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.roles import Role
from core.errors import ClusterError, SettingsError
from core.reports.settings_file import settings_as_json, settings_of_json
from core.review.refusals import DAMAGE
from core.review.typed_values import typed_values
from core.settings import ScanSettings

BEGUN, FINISHED = "_begun.json", "run.json"
FORMAT, VERSION = "neardup run", 1


class RunResult(NamedTuple):
    """What a run has found.

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
        place: As Spark names it, whole.
        role: What its documents are for.
        files: How many it has.
        bytes: How many they have together.
        changed: When one of them last changed, in milliseconds since 1970; 0 where nobody knows.
        state: Another one where one of them was changed; see `file_system.Held`.
    """

    place: str
    role: Role
    files: int
    bytes: int
    changed: int
    state: str = ""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a run was asked for and, once it is finished, what it gave.

    Attributes:
        settings: Of the scan, with the seed.
        reading: How files were read, without passwords.
        rules: What was set aside.
        sources: Where documents came from.
        text_column: Of tables, what held the text.
        id_column: Of tables, what told their rows apart.
        versions: Of Neardup and of all that has a part in the result, by name.
        begun: When, as ISO 8601 has it, in UTC.
        finished: When; "" before that.
        result: None before that.
    """

    settings: ScanSettings
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    rules: AsideRules = NO_RULES
    sources: tuple[Source, ...] = ()
    text_column: str = "text"
    id_column: str = "id"
    versions: Mapping[str, str] = field(default_factory=dict)
    begun: str = ""
    finished: str = ""
    result: RunResult | None = None

    def as_json(self) -> str:
        """The manifest as a text."""
        told = {
            "format": FORMAT,
            "version": VERSION,
            "settings": settings_as_json(self.settings, self.reading),
            "limits": asdict(self.reading.limits),
            "rules": self.rules.as_json(),
            "sources": [source._asdict() for source in self.sources],
            "text_column": self.text_column,
            "id_column": self.id_column,
            "versions": dict(self.versions),
            "begun": self.begun,
            "finished": self.finished,
            "result": self.result and self.result._asdict(),
        }
        return json.dumps(told, ensure_ascii=False, indent=2) + "\n"

    @staticmethod
    def of_json(text: str) -> Manifest:
        """What `as_json` made.

        Raises:
            ClusterError: It did not, or a newer version did; the sentence says why.
        """
        try:
            told = json.loads(text)
            if not isinstance(told, dict) or told.get("format") != FORMAT:
                raise ClusterError(f"It has no “format”: “{FORMAT}”.")
            if told.get("version") != VERSION:
                raise ClusterError(
                    f"It is of version {shown_value(told.get('version'))}; this Neardup reads "
                    f"version {VERSION}."
                )
            return _of_object(told)
        except (SettingsError, AttributeError, *DAMAGE) as error:
            why = str(error) if isinstance(error, SettingsError) else "It is damaged."
            raise ClusterError(why) from error

    def differences(self, other: Manifest) -> list[str]:
        """In what two runs were asked for different things, in words; when they ran is none."""
        mine, others = self._asked(), other._asked()
        return [words for words, value in mine.items() if others[words] != value]

    def _asked(self) -> dict[str, object]:
        return {
            "the settings": self.settings,
            "how files are read": replace(self.reading, passwords=()),
            "what is set aside": self.rules,
            "the sources or what they hold": self.sources,
            "the columns": (self.text_column, self.id_column),
            "the versions of Neardup or its packages": dict(self.versions),
        }


def _of_object(told: dict[str, Any]) -> Manifest:
    shared = settings_of_json(told["settings"])
    limits = ReadingLimits(**told["limits"])
    result = told["result"]
    return Manifest(
        settings=shared.scan,
        reading=shared.read_with(ReadingSettings(limits=limits)),
        rules=AsideRules.of_json(told["rules"]),
        sources=tuple(map(_source, told["sources"])),
        text_column=str(told["text_column"]),
        id_column=str(told["id_column"]),
        versions={str(name): str(value) for name, value in told["versions"].items()},
        begun=str(told["begun"]),
        finished=str(told["finished"]),
        result=typed_values(RunResult, result) if result else None,
    )


def _source(told: dict[str, Any]) -> Source:
    source = Source(**{**told, "role": Role(told["role"])})
    if not isinstance(source.place, str):
        raise TypeError("The place of a source is no text.")
    return source
