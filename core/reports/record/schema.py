"""The JSON Schema of the record of a report.

`report.schema.json` describes each property, and names it once: every object has all properties
that it names and no others, but for those that are "optional". The values of enumerations and the
numbers of pairs are those of the program.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.documents.model import ProblemCode, Role
from core.documents.properties import KIND
from core.evidence.measures import MEASURE, PASSAGE_COLUMNS, Measure, NumberKind, PassageColumn
from core.evidence.pairs import FoundBy
from core.exclusions.rules import GIVEN
from core.reports.record import DOCUMENT_COLUMNS, DocumentColumn
from core.reports.report_choice import Scope, Texts
from core.reports.rows import BY_PROPERTIES, COLUMNS
from core.scan.audit_results import Edit, MissReason
from core.scan.judgements import PassageMeaning, Verdict
from core.text.set_aside import Reason

ENUMERATIONS = (PassageMeaning, ProblemCode, Reason, Role, Scope, Texts, Verdict)
VALUES: dict[str, list[str]] = {
    **{every.__name__: list(every) for every in ENUMERATIONS},
    **{every.__name__: [of.name.lower() for of in every] for every in (Edit, MissReason)},
    "Given": list(GIVEN),
    "PropertyKind": [*KIND],
}
WAYS = "|".join(way.name.lower() for way in FoundBy if way.name and way is not FoundBy.EXACT)
FORMS: dict[NumberKind, dict[str, Any]] = {
    NumberKind.RESEMBLANCE: {"type": "number", "minimum": 0, "maximum": 1},
    NumberKind.SHARE: {"type": "number", "minimum": 0, "maximum": 1},
    NumberKind.COUNT: {"type": "integer", "minimum": 0},
    NumberKind.AMOUNT: {"type": "number", "minimum": 0},
    NumberKind.FLAG: {"enum": [0, 1]},
    NumberKind.WAYS: {
        "description": "exact, or all ways with + between; properties for a pair that was added "
        "because of its files; empty for another where nothing was found.",
        "type": "string",
        "pattern": rf"^(exact|{BY_PROPERTIES}|({WAYS})(\+({WAYS}))*)?$",
    },
}


@cache
def record_schema() -> dict[str, Any]:
    """The complete schema, of draft 2020-12."""
    text = Path(__file__).with_name("report.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    pair = schema["$defs"]["pair"]["properties"]
    numbers = {name: _form_of(measure) for name, measure in MEASURE.items()}
    schema["$defs"]["pair"]["properties"] = {name: (pair | numbers)[name] for name in COLUMNS}
    passage = {column.name: _form_of_column(column) for column in PASSAGE_COLUMNS}
    schema["$defs"]["passage"]["properties"] = passage
    documents = {column.name: _form_of_value(column) for column in DOCUMENT_COLUMNS}
    schema["$defs"]["document"]["properties"] = documents
    _complete(schema)
    return schema


def _form_of(measure: Measure) -> dict[str, Any]:
    """The schema of a number of a pair."""
    form = dict(FORMS[measure.kind])
    if measure.of_passages:
        form["type"] = [form["type"], "null"]
    meaning = measure.meaning.format(kind="set or multiset", lengths="units")
    return {"description": meaning, **form}


def _form_of_column(column: PassageColumn) -> dict[str, Any]:
    form: dict[str, Any] = {"type": "integer", "minimum": 0}
    if not issubclass(column.type, np.integer):
        form = {"type": "string" if column.type is np.str_ else "number"}
    return {"description": column.meaning, **form} if column.meaning else form


def _form_of_value(column: DocumentColumn) -> dict[str, Any]:
    ref = {"$ref": f"#/$defs/{column.form}"}
    form = dict(column.form) if isinstance(column.form, dict) else ref
    return {"description": column.meaning, **form} if column.meaning else form


def _complete(part: Any) -> None:  # noqa: ANN401 - any JSON
    """Say of all objects within which properties they have."""
    if isinstance(part, list):
        for inner in part:
            _complete(inner)
    if isinstance(part, dict):
        if isinstance(part.get("enum"), str):
            part["enum"] = VALUES[part["enum"]]
        properties = part.get("properties")
        if isinstance(properties, dict) and "$ref" not in properties:
            for name in properties.keys() & VALUES.keys():
                form = properties.pop(name)
                properties |= {value: dict(form) for value in VALUES[name]}
            required = [name for name, of in properties.items() if not of.pop("optional", False)]
            part |= {"additionalProperties": False, "required": required}
            part.setdefault("type", "object")
        for inner in part.values():
            _complete(inner)
