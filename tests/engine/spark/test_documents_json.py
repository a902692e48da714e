"""A document that went through a table is the document that it was."""

import json
from pathlib import Path

import pytest

from core.documents import Document
from core.documents.model import Member, Role
from core.spark.importing import document_of_json, document_to_json

PLAIN = Document(Path("/a/b.txt"), "b.txt", 12, -5, "0" * 32, "text", "utf-8", 12)
WHOLE = Document(
    path=Path("/a/\udce4 \n“文”.zip"),
    name="文.zip/b/c.txt",
    size=2**52,
    modified_ns=2**62,
    file_hash="a" * 32,
    kind="submission",
    encoding="",
    characters=40,
    part="b/c.txt",
    remarks=("A remark.", "“Another”, with <b>."),
    text_hash="f" * 32,
    role=Role.REFERENCE,
    members=(Member("c.txt", 7, 5, 9, "b" * 32, "c" * 64), Member("d", 20, 5, 9, "b" * 32)),
    language="de",
    sha256="d" * 64,
)


@pytest.mark.parametrize("document", [PLAIN, WHOLE])
def test_a_document_comes_back(document):
    written = document_to_json(document)

    assert written.isascii()
    assert document_of_json(written) == document


@pytest.mark.parametrize(
    "change",
    [
        {"size": -1},
        {"size": "12"},
        {"size": True},
        {"characters": 2**60},
        {"modified_ns": 2**64},
        {"path": "/a\0"},
        {"name": 3},
        {"kind": "a\nb"},
        {"file_hash": "é"},
        {"text_hash": "xyz"},
        {"sha256": "12"},
        {"language": "<b>"},
        {"role": "king"},
        {"remarks": 5},
        {"remarks": [5]},
        {"members": [["a", 3, 1, 1, "b"]], "characters": 2},
        {"members": {"a": 1}},
    ],
)
def test_what_cannot_be_so_is_refused(change):
    stored = json.loads(document_to_json(PLAIN)) | change

    with pytest.raises(ValueError, match=r"."):
        document_of_json(json.dumps(stored))


@pytest.mark.parametrize("column", ["", "[]", "3", "{}", "[" * 100_000, "\udce4"])
def test_what_is_no_document_is_refused(column):
    with pytest.raises(ValueError, match=r"."):
        document_of_json(column)
