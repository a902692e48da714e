"""No file, class or function of the program is too long to be read at one go. No exceptions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE, CLASS, FUNCTION = 300, 250, 40  # lines


def too_long(source):
    """What in a file has too many lines; decorators do not count."""
    found = [("the file", len(source.splitlines()), FILE)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            found.append((node.name, node.end_lineno - node.lineno + 1, CLASS))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append((node.name, node.end_lineno - node.lineno + 1, FUNCTION))
    return [f"{name}: {lines} lines" for name, lines, most in found if lines > most]


@pytest.mark.parametrize("package", ["core", "neardup_gui"])
def test_nothing_is_too_long(package):
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / package).rglob("*.py")}

    long = {str(path.relative_to(ROOT)): too_long(source) for path, source in sources.items()}

    assert len(sources) > 100
    assert {path: names for path, names in long.items() if names} == {}


def test_what_is_too_long_is_found():
    function = "def f():\n" + "    pass\n" * FUNCTION
    inside = "class C:\n" + "    x = 1\n" * CLASS

    assert too_long(function) == ["f: 41 lines"]
    assert too_long(inside) == ["C: 251 lines"]
    assert too_long("x = 1\n" * (FILE + 1)) == ["the file: 301 lines"]
    assert too_long("x = 1\n" * FILE) == []
