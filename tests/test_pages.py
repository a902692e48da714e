"""The pages for contributors: what they name exists, what they tell to type runs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / path for path in ("core/README.md", "neardup_gui/README.md", ".github/CONTRIBUTING.md")
]
SUFFIXES = (".py", ".md", ".toml", ".css")


def text_of(page):
    return page.read_text(encoding="utf-8")


def named_files(page):
    """Paths that a page links to, from where it is, and those that it names in code."""
    text = text_of(page)
    links = re.findall(r"\]\(([^)#]+)\)", text)
    names = re.findall(r"`([\w./-]+)`(?!\])", text)
    yield from (page.parent / link for link in links if "://" not in link)
    for name in names:
        if "/" in name and name.endswith(("/", *SUFFIXES)):
            yield next(
                (base / name for base in (ROOT, page.parent) if (base / name).exists()),
                page.parent / name,
            )


def commands():
    """Every line that a page tells to type, without the comment behind it."""
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL):
            yield from (line.split("#")[0].strip() for line in block.splitlines() if line.strip())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page):
    files = list(named_files(page))

    assert len(files) > 5
    assert [str(path) for path in files if not path.exists()] == []


def test_every_room_of_the_engine_is_on_its_page_in_the_order_of_the_contract():
    rooms = re.findall(r"^\| `(\w+)` \|", text_of(ROOT / "core/README.md"), re.MULTILINE)
    folders = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / "core").glob("[a-z]*.py")}
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one.get("containers") == ["core"])
    levels = {room: level for level, line in enumerate(layers) for room in line.split(" | ")}

    assert set(rooms) == folders | modules
    assert [levels[room] for room in rooms] == sorted(levels[room] for room in rooms)


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_a_command_that_a_page_tells_runs(command):
    """`make` says what it would do, since a test cannot run all tests; pytest finds its tests."""
    program, *arguments = shlex.split(command)
    if program == "make":
        if shutil.which("make") is None:
            pytest.skip("needs make")
        line = ["make", "--dry-run", *arguments]
    else:
        assert [program, *arguments[:2]] == ["python", "-m", "pytest"]
        line = [sys.executable, *arguments, "--collect-only", "-q"]

    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_commands():
    assert {"make run", "make test", "make check"} <= set(commands())


def test_the_example_in_python_prints_what_it_says(capsys):
    readme = text_of(ROOT / "README.md")
    (example,) = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    (expected,) = re.findall(r"print\(.*\)  # (.+)$", example, re.MULTILINE)

    exec(compile(example, "README.md", "exec"), {})

    assert capsys.readouterr().out == f"{expected}\n"


def test_nobody_is_told_to_install_a_package_of_this_name_from_an_index():
    folders = (ROOT / name for name in ("core", "neardup_gui", "resources"))
    files = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".md"}
    ]

    assert len(files) > 100
    assert [
        str(path)
        for path in [*files, ROOT / "README.md"]
        if re.search(r"neardup\[|pip install \W?neardup\b", text_of(path))
    ] == []
