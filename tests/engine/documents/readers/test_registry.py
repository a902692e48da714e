"""What the program knows of a format stands with its reader, and is there for every one."""

import ast
import re
import sys
import tomllib
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from core.documents.problems import page_words
from core.documents.readers import READERS, reader_of
from core.documents.readers.reader import PAGES, SHEETS, SLIDES
from neardup_gui.models.compare.side import Origin

ROOT = Path(__file__).parents[4]
SHARED = {".pot", ".xml"}  # a text, unless its content says otherwise
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)


def test_kinds_and_labels_are_of_one_reader_only():
    assert len({reader.kind for reader in READERS}) == len(READERS)
    assert len({reader.label for reader in READERS}) == len(READERS)
    assert all(reader_of(reader.kind) is reader for reader in READERS)
    assert reader_of("of another version") is None


def test_a_suffix_is_of_one_reader_only():
    own = [reader for reader in READERS if reader.kind != "office"]  # has those of what it locks
    count = Counter(chain.from_iterable(reader.suffixes for reader in own))
    assert {suffix for suffix in count if count[suffix] > 1} == SHARED


@each_reader
def test_a_reader_has_all_that_is_asked_for(reader):
    assert re.fullmatch("[a-z0-9]{2,20}", reader.kind)  # it is stored
    assert re.fullmatch("an? .*[^.]", reader.label)
    assert reader.suffixes
    assert all(re.fullmatch(r"\.[a-z0-9+#_~-]+", suffix) for suffix in reader.suffixes)
    assert reader.read or reader.parts
    assert bool(reader.short_label) == bool(reader.read and reader.kind != "text")
    assert reader.pages in (PAGES, SLIDES, SHEETS)
    assert not (reader.is_archive and reader.read)
    assert reader.has_scans or not reader.is_picture


@each_reader
def test_a_document_is_described_in_the_words_of_its_reader(reader):
    shown = Origin(reader.kind).describe(3, 2)
    assert shown.startswith(reader.short_label)
    assert shown.endswith(f"{page_words(reader.kind).one} 2 of 3")
    assert Origin(reader.kind).describe(1, 1).endswith(", 1 page") == reader.is_paged


def test_a_format_of_another_version_is_named_by_its_kind():
    assert Origin("djvu").describe(3, 2) == "djvu, p. 2 of 3"


def test_libraries_are_named_and_declared():
    """A confined process finds no library by itself; a program that is installed may lack it."""
    imported = set()
    for path in (ROOT / "core" / "documents" / "readers").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            imported |= {name.partition(".")[0] for name in names}
    foreign = imported - sys.stdlib_module_names - {"core"}
    named = {module.partition(".")[0] for reader in READERS for module in reader.libraries}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.match("[A-Za-z0-9_-]+", one)[0] for one in project["dependencies"]}

    assert foreign == named
    assert named <= {name.removesuffix("-tool") for name in declared}
