"""The pages for contributors: what they name exists, and their commands run."""

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.programs import ROOT, python

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
    """Every command on a page, without the comment after it."""
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
    (layers,) = (
        contract["layers"] for contract in contracts if contract.get("containers") == ["core"]
    )
    levels = {room: level for level, line in enumerate(layers) for room in line.split(" | ")}

    assert set(rooms) == folders | modules
    assert [levels[room] for room in rooms] == sorted(levels[room] for room in rooms)


def test_every_command_on_a_page_runs():
    """`make` prints what it would do, since a test cannot run all tests; pytest finds its tests."""
    lines = [shlex.split(command) for command in sorted(set(commands()))]
    makes = [command for command in lines if command[0] == "make"]
    tests = [command[3:] for command in lines if command not in makes]
    assert [command[:3] for command in lines if command not in makes] == (
        [["python", "-m", "pytest"]] * len(tests)
    )
    pytest_line = [
        sys.executable,
        "-m",
        "pytest",
        *sorted({path for paths in tests for path in paths}),
    ]
    lines = [[*pytest_line, "--collect-only", "-q"]]
    if shutil.which("make") is not None:
        lines += [["make", "--dry-run", *command[1:]] for command in makes]

    for line in lines:
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_commands():
    assert {"make run", "make test", "make check"} <= set(commands())


def test_the_example_in_python_prints_what_it_says(capsys):
    page = text_of(ROOT / "resources/help/command-line.md")
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (expected,) = re.findall(r"print\(.*\)  # (.+)$", example, re.MULTILINE)

    exec(compile(example, "command-line.md", "exec"), {})

    assert capsys.readouterr().out == f"{expected}\n"


def test_no_page_tells_anyone_to_install_a_package_of_this_name_from_an_index():
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


TREE = Path(__file__).resolve().parents[1]
POLICY = (TREE / ".github" / "SECURITY.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]+)`", POLICY)))
# Stops the process at the first attempt, so that nothing can catch it.
SILENT = """
import os, sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"):
        if event == "socket.getaddrinfo" or not isinstance(arguments[1], (str, bytes)):
            os._exit(99)
sys.addaudithook(watch)
"""
SCAN = "from core.commands.main import main\nsys.exit(main(['scan', *sys.argv[1:]]))\n"


@pytest.mark.parametrize("named", NAMED)
def test_every_test_that_is_named_exists(named):
    path, _, function = named.partition("::")

    assert (TREE / path).is_file()
    assert not function or f"def {function}(" in (TREE / path).read_text(encoding="utf-8")


def test_every_promise_names_a_test():
    rows = re.findall(r"^\| .* \|$", POLICY, re.MULTILINE)
    promises = [row for row in rows if not row.startswith(("| Promise |", "| System |", "| Linux"))]

    assert len(promises) > 15
    assert all("`tests/" in row for row in promises)


def test_a_scan_sends_nothing_and_changes_no_document(tmp_path):
    folder, review = tmp_path / "folder", tmp_path / "a.neardup"
    folder.mkdir()
    link = '<a href="http://127.0.0.1:9/a">a</a><img src="http://127.0.0.1:9/b.png">'
    for name in ("one", "two"):
        words = " ".join(f"word{number}" for number in range(200))
        (folder / f"{name}.html").write_text(f"<p>{words} {name} {link}</p>")
        (folder / f"{name}.rtf").write_text(rf"{{\rtf1 {words} {name}.}}")
    before = fingerprints(folder)
    report = tmp_path / "report.html"

    done = python("-c", SILENT + SCAN, folder, "--review", review, "--report", report, cwd=TREE)

    assert done.returncode == 0, done.stderr
    assert report.stat().st_size
    assert fingerprints(folder) == before


def test_a_connection_would_be_noticed():
    sending = "import socket; socket.socket().connect(('127.0.0.1', 9))"

    assert subprocess.run([sys.executable, "-c", SILENT + sending], check=False).returncode == 99


def fingerprints(folder):
    """What is in a folder, and when it was changed."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }
