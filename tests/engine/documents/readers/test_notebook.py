"""Notebooks: sources and what they printed, cell by cell."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import ProblemCode
from core.documents.readers import Reading, UnreadableError, plain, reader_for


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def made(*cells) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5}).encode()


def text_of(data: bytes) -> str:
    return plain.NOTEBOOK.read(data, Reading()).text


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ({"cell_type": "markdown", "source": ["# Title\n", "words"]}, "# Title\nwords"),
        ({"cell_type": "raw", "source": "as it is"}, "as it is"),
        (code("1 + 1"), "1 + 1"),
        (code("print()", stream(["one\n", "two\n"])), "print()\n\none\ntwo"),
        (code("", stream("\x1b[1;31mred\x1b[0m \x1b]8;;x\x07link")), "red link"),
        (code("", stream("10%\r 50%\r100%\r\ndone\r")), "100%\ndone"),
        (
            code("1", {"output_type": "execute_result", "data": {"text/plain": ["2"]}}),
            "1\n\n2",
        ),
        (
            code(
                "t",
                {
                    "output_type": "display_data",
                    "data": {"image/png": "iVBO", "text/html": "<b>t</b>", "text/plain": "t"},
                },
            ),
            "t\n\nt",
        ),
        (
            code(
                "1/0",
                {
                    "output_type": "error",
                    "ename": "E",
                    "evalue": "v",
                    "traceback": ["\x1b[0ma", "b"],
                },
            ),
            "1/0\n\na\nb",
        ),
        (code("1/0", {"output_type": "error", "ename": "E", "evalue": "v"}), "1/0\n\nE: v"),
        (
            {"cell_type": "markdown", "source": "a ![x](data:image/png;base64,iVBO+/=) b"},
            "a ![x]() b",
        ),
        ({"cell_type": "markdown", "source": "half \ud83d"}, "half \ufffd"),
        ({"cell_type": "markdown", "source": [1, None, "a"], "outputs": "x"}, "a"),
    ],
)
def test_a_cell_is_its_source_and_what_it_printed(cell, text):
    assert text_of(made(cell)) == text


def test_cells_stand_apart():
    assert text_of(made(code("a"), code(" \n"), code("b", stream("c")))) == "a\n\nb\n\nc"


def test_an_old_notebook_has_its_cells_in_worksheets():
    cell = {"cell_type": "code", "input": "1", "outputs": [{"output_type": "pyout", "text": ["1"]}]}
    data = json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3}).encode()

    assert reader_for(data, ".ipynb").kind == "notebook"
    assert text_of(data) == "1\n\n1"


@pytest.mark.parametrize(
    ("data", "suffix", "kind"),
    [
        (made(code("a")), ".ipynb", "notebook"),
        (made(code("a")), ".json", "notebook"),
        (made(code("a")), "", "notebook"),
        (made(code("a")), ".py", "text"),
        (b'{"cells": []}', ".ipynb", "text"),
        (b'{"a": 1}', ".json", "text"),
        (b'["nbformat", "cells"]', ".json", "text"),
    ],
)
def test_notebooks_are_told_by_their_keys(data, suffix, kind):
    assert reader_for(data, suffix).kind == kind


@pytest.mark.parametrize(
    ("data", "failure"),
    [
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, ProblemCode.TOO_DEEP),
        (made(code("a"))[:-9], ProblemCode.DAMAGED),
    ],
)
def test_damage_is_told(data, failure):
    with pytest.raises(UnreadableError, match=r"\.$") as raised:
        text_of(data)

    assert raised.value.code == failure


def test_numbers_are_not_computed():
    assert text_of(made(code("a")).replace(b"5", b"9" * 100_000)) == "a"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["source", "outputs", "data", "text", "text/plain", "output_type"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=9,
)


@settings(deadline=None)
@given(values)
def test_any_json_is_read(cells):
    text_of(json.dumps({"nbformat": 4, "cells": cells}).encode()).encode()


@settings(deadline=None)
@given(st.integers(0, 300), st.binary(max_size=9))
def test_damaged_notebooks_raise_nothing_else(at, replacement):
    data = bytearray(made(code("print()", stream("text"))))
    data[at : at + len(replacement)] = replacement
    for damaged in (bytes(data), bytes(data[:at])):
        try:
            text_of(damaged).encode()
        except UnreadableError:
            continue
