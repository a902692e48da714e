"""A review that is up to date is known from its documents alone; whatever changed is seen."""

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from core.aside.rules import NO_RULES, AsideRules
from core.commands.main import main
from core.documents.model import Role
from core.review import ReviewLog, is_up_to_date, open_review, save_review
from core.review.passages import set_aside
from core.scan.flow import scan
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=2)
REVIEW = [Role.REVIEW]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    (folder / "in").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "in/c.txt"):
        (folder / name).write_text(f"one two three four five {name}")
    return folder


@pytest.fixture
def review(tmp_path, folder):
    done = scan([folder], SETTINGS)
    done.pairs()
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    return tmp_path / "a.neardup"


def test_nothing_has_changed(review, folder):
    assert is_up_to_date(review, [folder], REVIEW, SETTINGS)


CHANGES = {
    "a file more": lambda folder: (folder / "d.txt").write_text("six seven"),
    "a file less": lambda folder: (folder / "a.txt").unlink(),
    "another text": lambda folder: (folder / "a.txt").write_text("another one"),
    "another time": lambda folder: os.utime(folder / "a.txt", ns=(1, 1)),
    "another name": lambda folder: (folder / "a.txt").rename(folder / "z.txt"),
    "an empty file more": lambda folder: (folder / "d.txt").write_text(""),
    "no folder": lambda folder: folder.rename(folder.with_name("moved")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changed_is_seen(review, folder, change):
    change(folder)
    assert not is_up_to_date(review, [folder], REVIEW, SETTINGS)


def test_another_question_is_another_scan(review, folder):
    assert not is_up_to_date(review, [folder / "in"], REVIEW, SETTINGS)
    assert not is_up_to_date(review, [folder, folder / "in"], 2 * REVIEW, SETTINGS)
    assert not is_up_to_date(review, [folder], [Role.REFERENCE], SETTINGS)
    other = replace(SETTINGS, min_resemblance=0.9)
    assert not is_up_to_date(review, [folder], REVIEW, other)


def test_what_was_decided_since_is_still_to_be_saved(review, folder):
    ReviewLog(review).append(*set_aside(NO_RULES, AsideRules(quotations=True)))
    assert not is_up_to_date(review, [folder], REVIEW, SETTINGS)


def test_a_file_that_could_not_be_read_is_tried_again(tmp_path, folder):
    (folder / "broken.docx").write_bytes(b"PK\3\4")
    done = scan([folder], SETTINGS)
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    assert not is_up_to_date(tmp_path / "a.neardup", [folder], REVIEW, SETTINGS)


def test_of_another_installation_it_is_measured_first(review, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    assert not is_up_to_date(review, [folder], REVIEW, SETTINGS)


def test_a_second_scan_writes_nothing_and_loads_no_kernel(folder, tmp_path):
    review = tmp_path / "b.neardup"
    command = ["scan", str(folder), "--review", str(review), "--quiet"]
    assert main(command) == 0
    before = review.read_bytes()
    program = "import sys; from core.commands.main import main; main(sys.argv[1:]); "
    check = "assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", program + check, *command], check=True)
    assert review.read_bytes() == before

    (folder / "d.txt").write_text("one two three four five d.txt")
    assert main(command) == 0
    with open_review(review) as opened:
        assert len(opened.state.documents) == 4


def test_a_second_scan_that_is_printed_says_what_the_first_one_said(folder, tmp_path, capsys):
    review = tmp_path / "b.neardup"
    command = ["scan", str(folder), "--review", str(review), "--pairs", str(tmp_path / "b.csv")]
    said, written = [], []
    for _ in range(2):
        assert main(command) == 0
        said.append(re.sub(r"[0-9.]+ s\n", "", capsys.readouterr().out))
        written.append(((tmp_path / "b.csv").read_bytes(), review.read_bytes()))
    assert written[0] == written[1]
    assert said[1].replace("No file has changed since the last scan.\n", "") == said[0]
