"""The JSON Schema of the record of a report.

`report.schema.json` has what is said of each property, and names it once: every object has all
that it names and nothing else, but for what is "optional". The values of enumerations and the
numbers of pairs are those of the program.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from core.aside.rules import GIVEN
from core.documents.model import ProblemCode, Role
from core.evidence.measures import (
    MEASURE,
    PASSAGE_COLUMNS,
    Measure,
    NumberKind,
    PassageColumn,
)
from core.evidence.pairs import FoundBy
from core.reports.choice import Scope
from core.reports.record.writing import DOCUMENT_COLUMNS, DocumentColumn
from core.reports.rows import COLUMNS
from core.scan.audit_results import Edit, MissReason
from core.scan.judgements import PassageMeaning, Verdict
from core.text.set_aside import Reason

VALUES: dict[str, list[str]] = {
    "Edit": [edit.name.lower() for edit in Edit],
    "Given": list(GIVEN),
    "MissReason": [reason.name.lower() for reason in MissReason],
    "PassageMeaning": list(PassageMeaning),
    "ProblemCode": list(ProblemCode),
    "Reason": list(Reason),
    "Role": list(Role),
    "Scope": list(Scope),
    "Verdict": list(Verdict),
}
WAYS = "|".join(way.name.lower() for way in FoundBy if way.name and way is not FoundBy.EXACT)
FORMS: dict[NumberKind, dict[str, Any]] = {
    NumberKind.RESEMBLANCE: {"type": "number", "minimum": 0, "maximum": 1},
    NumberKind.SHARE: {"type": "number", "minimum": 0, "maximum": 1},
    NumberKind.COUNT: {"type": "integer", "minimum": 0},
    NumberKind.AMOUNT: {"type": "number", "minimum": 0},
    NumberKind.FLAG: {"enum": [0, 1]},
    NumberKind.WAYS: {
        "description": "exact, or all ways with + between.",
        "type": "string",
        "pattern": rf"^(exact|({WAYS})(\+({WAYS}))*)$",
    },
}


@cache
def record_schema() -> dict[str, Any]:
    """The schema, whole: of draft 2020-12."""
    text = files("core.reports.record").joinpath("report.schema.json").read_text("utf-8")
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
    """What a number of a pair can be."""
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
