"""The promises of SECURITY.md: each names a test that exists, and some are attacked here."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

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

    done = subprocess.run(
        [sys.executable, "-c", SILENT + SCAN, folder, "--review", review, "--report", report],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert report.stat().st_size
    assert fingerprints(folder) == before


def test_whoever_sends_would_be_noticed():
    sending = "import socket; socket.socket().connect(('127.0.0.1', 9))"

    assert subprocess.run([sys.executable, "-c", SILENT + sending], check=False).returncode == 99


def fingerprints(folder):
    """What is in a folder, and when it was changed."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }
