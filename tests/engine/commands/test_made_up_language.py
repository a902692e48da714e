"""In a made-up language no command prints plain English."""

import re

import pytest

from core.commands.main import COMMANDS, main
from core.commands.options import LIMITS
from core.commands.set_aside import NOTHING
from core.reports.elsewhere import WHERE
from core.settings import LANGUAGES
from tests.made_up_language import LONG, english_words, spoken, write_folder

CHOICES = sorted({*LANGUAGES, *WHERE, *LIMITS, NOTHING}, key=len, reverse=True)
# What is typed: the program, options, their choices and values, commands, endings of files.
TYPED = re.compile(
    r"\bneardup(?: [a-z]+)*|“[^”]*”|(?<![\w-])--?[\w-]+(?:=\S+)?|\{[\w,|-]+\}"
    r"|\b[A-Z][A-Z_]*\b|\.[a-z]{3,7}\b"
    rf"|^ +(?:{'|'.join(COMMANDS)})\b"
)


@pytest.fixture(autouse=True)
def language():
    with spoken(LONG):
        yield


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "εργασίες"
    write_folder(folder)
    return folder


def english(printed, *own):
    """The lines that hold plain English."""
    for text in own:
        printed = printed.replace(str(text), "")
    lines = printed.splitlines()
    return [line for line in lines if english_words(TYPED.sub(" ", line))]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_english(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    printed = capsys.readouterr().out
    assert len(printed) > 100
    assert len(re.findall(r"^⟦[^⟧]+⟧: neardup", printed)) == 1
    assert english(printed, *CHOICES) == []


def test_what_commands_print_shows_no_english(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    review, report = folder.parent / "α.neardup", folder.parent / "α.html"
    scanned = ("--min-resemblance=0.3", f"--review={review}", f"--report={report}")
    for arguments in (
        ("scan", folder, *scanned),
        ("query", folder, folder / "μισό.txt"),
        ("report", review, folder.parent / "β.html"),
        ("verify", report, folder),
        ("audit", folder, "--min-resemblance=0.3"),
        ("forecast", folder),
        ("curve",),
        ("suggest", "--find=0.99@0.50", "--at-most=0.0053@0.05"),
        ("scan", folder / "χχ"),
    ):
        main(list(map(str, arguments)))
    printed = capsys.readouterr()
    left = english(printed.out + printed.err, folder, folder.parent)
    assert left == []
