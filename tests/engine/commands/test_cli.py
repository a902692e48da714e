"""The command line: exit status, sentences, and what happens when its output goes nowhere."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from core.commands import scan
from core.commands.main import build_parser, main
from core.commands.options import LIMITS, add_reading_options, reading_from, settings_from
from core.documents import ReadingLimits, ReadingSettings
from core.errors import ScanCancelledError, SettingsError
from core.scan import reworked


def reading_with(*arguments: str) -> ReadingSettings:
    parser = argparse.ArgumentParser()
    add_reading_options(parser)
    return reading_from(parser.parse_args(arguments))


def test_without_options_files_are_read_as_usual():
    assert reading_with() == ReadingSettings()


def test_every_limit_can_be_changed():
    assert list(LIMITS) == [field.name for field in fields(ReadingLimits)]

    limits = reading_with(*(f"--limit={name}={n}" for n, name in enumerate(LIMITS, 1))).limits

    assert [getattr(limits, name) for name in LIMITS] == list(range(1, len(LIMITS) + 1))


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [("7", 7), ("7kB", 7_000), ("7MB", 7_000_000), ("7gb", 7_000_000_000), ("9" * 18, 10**18 - 1)],
)
def test_limits_have_units(given, bytes_):
    assert reading_with(f"--limit=memory_bytes={given}").limits.memory_bytes == bytes_


@pytest.mark.parametrize(
    "given", ["", "0", "-1", "1.5", "1 GB", "1kkB", "GB", "٣", "²", "1" * 19, "1" * 5_000]
)
def test_what_is_no_limit_is_told(given):
    with pytest.raises(SettingsError, match="The limit seconds must be a whole number above 0"):
        reading_with(f"--limit=seconds={given}")


def test_an_unknown_limit_is_told_with_those_there_are():
    with pytest.raises(SettingsError, match=r"There is no limit “time”\. The limits are: file"):
        reading_with("--limit=time=3")


def test_passwords_are_lines(tmp_path):
    path = tmp_path / "passwords"
    path.write_bytes("\ufeffone\r\n\r\n two \n".encode())

    assert reading_with("--passwords", str(path)).passwords == ("one", " two ")


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"\xff", "in UTF-8")])
def test_passwords_that_cannot_be_read_are_told(tmp_path, content, reason):
    path = tmp_path / "passwords"
    if content:
        path.write_bytes(content)

    with pytest.raises(SettingsError, match=reason):
        reading_with("--passwords", str(path))


ROOT = Path(__file__).parents[3]


@pytest.fixture
def essays(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    words = [f"word{number}" for number in range(200)]
    (folder / "one.txt").write_text(" ".join(words))
    (folder / "two.txt").write_text(" ".join(words[:150]))
    (folder / "empty.txt").write_text("")
    return folder


def run_python(*arguments, **options):
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, **options)


def test_a_scan_prints_the_pairs_and_writes_the_files(essays, tmp_path, capsys):
    names = ("pairs.csv", "passages.json", "problems.csv", "report.html")
    options = [f"--{name.partition('.')[0]}={tmp_path / name}" for name in names]

    assert main(["scan", str(essays), *options]) == 0

    printed = capsys.readouterr()
    assert "one.txt | two.txt" in printed.out
    assert "2 documents, 1 pair" in printed.out
    assert [f"Written: {tmp_path / name}" in printed.out for name in names] == [True] * 4
    assert printed.err == ""
    (row,) = csv.DictReader((tmp_path / "pairs.csv").read_text("utf-8-sig").splitlines())
    assert (row["doc_a"], row["doc_b"]) == ("one.txt", "two.txt")
    assert row["found_by"] == "lsh+passage+reworked"
    (entry,) = json.loads((tmp_path / "passages.json").read_text())
    assert entry["passages"][0]["tokens"] == 150
    assert "empty.txt" in (tmp_path / "problems.csv").read_text("utf-8-sig")


def test_copies_are_compared_as_one_and_that_is_said(essays, capsys):
    (essays / "three.txt").write_bytes((essays / "one.txt").read_bytes())

    assert main(["scan", str(essays)]) == 0

    assert (
        "Complete from a resemblance of 0.10 on: 1 pair of different texts compared."
        in capsys.readouterr().out
    )


def test_it_is_said_whether_reworked_passages_can_be_missed(essays, tmp_path, capsys, monkeypatch):
    """All pairs of few documents are measured, of many only those that a sample leads to."""
    for measured, said in (
        (reworked.MEASURED_ALL, "Each was measured for reworked passages, too."),
        ({}, "Reworked passages are sought by samples and can be missed."),
    ):
        monkeypatch.setattr(reworked, "MEASURED_ALL", measured)
        page = tmp_path / "report.html"
        assert main(["scan", str(essays), f"--report={page}"]) == 0
        assert said in capsys.readouterr().out
        assert said in page.read_text("utf-8")
        assert main(["scan", str(essays), "--reworked=off"]) == 0
        assert "eworked passages" not in capsys.readouterr().out


@pytest.mark.parametrize(("compare", "found_by"), [("auto", "all"), ("all", "all"), ("bands", "")])
def test_what_is_compared_can_be_chosen_and_is_said(essays, tmp_path, capsys, compare, found_by):
    words = [f"other{number}" for number in range(60)]
    (essays / "three.txt").write_text(" ".join([*words, *(f"word{n}" for n in range(150, 172))]))
    target, report, review = (tmp_path / name for name in ("a.json", "a.html", "a.neardup"))
    options = [f"--pairs={target}", f"--report={report}", f"--review={review}"]
    blind = ["--bands=1", "--rows=30", "--min-resemblance=0.05", "--min-passage=200"]
    blind.append("--reworked=off")

    assert main(["scan", str(essays), f"--compare={compare}", *blind, *options]) == 0

    complete = compare != "bands"
    assert ("all 3 pairs compared." in capsys.readouterr().out) == complete
    said = "All 3 pairs of different documents were compared" in report.read_text("utf-8")
    assert said == complete
    written = json.loads(target.read_text("utf-8"))
    assert written["all_pairs_compared"] == (3 if complete else None)
    assert written["settings"]["compare"] == compare
    assert found_by in {row["found_by"] for row in written["pairs"]} | {""}
    assert main(["report", str(review), str(tmp_path / "again.json")]) == 0
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))
    assert (again["all_pairs_compared"], again["pairs"]) == (
        written["all_pairs_compared"],
        written["pairs"],
    )


def test_quiet_prints_nothing(essays, capsys):
    assert main(["scan", str(essays), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["", "--quiet"], "argument FOLDER: the name is empty"),
        (["{}", "--report", ""], "argument --report: must end in .html, .htm or .pdf, not “”"),
        (
            ["{}", "--pairs", "a\n.txt"],
            "must end in .xlsx, .csv, .json, .graphml or .zip, not “a\\n.txt”",
        ),
        (["{}", "--passages", "a.csv"], "must end in .json, not “a.csv”"),
        (["{}", "--problems", "no\udce9/a.csv"], "there is no folder “no\\xe9”"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_scan(options, sentence, essays, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["scan", *(option.format(essays) for option in options)])

    assert exit_.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "status", "sentence"),
    [
        (["no such folder"], 2, "“no such folder” does not exist"),
        (["{}", "--bands", "65"], 2, "b × r must be at most the signature size"),
        (["{}", "--pairs={}/a.json", "--passages={}/../essays/a.json"], 2, "name the same file"),
        (["{}", "--quiet", "--report={}/folder.html"], 1, "is a folder or a device"),
    ],
)
def test_what_went_wrong_is_a_sentence_and_a_status(options, status, sentence, essays, capsys):
    (essays / "folder.html").mkdir()

    assert main(["scan", *(option.format(essays) for option in options)]) == status

    printed = capsys.readouterr()
    assert printed.err.startswith("neardup: ")
    assert sentence in printed.err


class Unwritable(io.StringIO):
    """A standard output that fails, as a full disk or a pipe that nobody reads."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, text):
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"), [(BrokenPipeError(), 0), (OSError(28, "No space left on device"), 1)]
)
def test_files_are_written_also_when_nobody_reads_what_is_printed(
    error, status, essays, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "stdout", Unwritable(error))

    assert main(["scan", str(essays), f"--pairs={tmp_path / 'pairs.csv'}"]) == status

    assert (tmp_path / "pairs.csv").exists()
    assert ("could not be written: No space left" in capsys.readouterr().err) == (status == 1)


def test_without_a_console_it_still_works(essays, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    assert main(["scan", str(essays), f"--pairs={tmp_path / 'pairs.csv'}"]) == 0
    assert main(["scan", str(tmp_path / "nothing")]) == 2
    assert (tmp_path / "pairs.csv").exists()


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), ScanCancelledError("Stopped.")])
def test_interrupted(stop, essays, monkeypatch, capsys):
    def interrupt(*_):
        raise stop

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(scan, "run_scan", interrupt)

    assert main(["scan", str(essays)]) == 130
    assert capsys.readouterr().err == "neardup: Stopped.\n"
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_control_c_ends_a_scan_without_a_traceback(tmp_path):
    for number in range(3000):
        (tmp_path / f"{number}.txt").write_text(f"word{number} " * 3000)
    start = (
        "import os, signal, sys; from core.commands import main; from core.scan import flow\n"
        "add = flow.Scan.add\n"
        "def interrupt(self, batch): add(self, batch); os.kill(os.getpid(), signal.SIGINT)\n"
        "flow.Scan.add = interrupt\n"
        f"sys.exit(main.main(['scan', {str(tmp_path)!r}, '--quiet']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) in {
        (130, "neardup: Stopped.\n"),
        (-signal.SIGINT, ""),  # the second batch came before the look at `cancelled`
    }


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_failure(essays):
    read, write = os.pipe()
    os.close(read)
    process = run_python("scan", essays, stdout=write)
    os.close(write)

    assert process.communicate()[1] == ""
    assert process.returncode == 0


def test_names_that_no_terminal_can_show(essays, monkeypatch):
    (essays / os.fsdecode(b"caf\xe9\n.txt")).write_text((essays / "one.txt").read_text())
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)

    assert main(["scan", str(essays)]) == 0

    assert b"caf\\xe9\\n.txt | one.txt" in terminal.buffer.getvalue()


def test_curve_and_suggest(capsys):
    assert main(["curve", "--bands", "20", "--rows", "5", "--at", "0.8"]) == 0
    assert "0.999644" in capsys.readouterr().out
    assert main(["suggest", "--find", "99%@0.5", "--at-most", "0.0053@0.05"]) == 0
    assert "35 bands × 3 rows = 105 of 128" in capsys.readouterr().out
    assert main(["suggest", "--find", "0.99@0.5", "--at-most", "0.001@0.49"]) == 1
    assert "keep both wishes" in capsys.readouterr().out


def test_help_answers_without_loading_the_engine():
    code = (
        "import sys; from core.commands.main import build_parser\n"
        "text = build_parser('scan').format_help()\n"
        "assert 'scan' in text; print({'numpy', 'numba', 'core.scan.flow'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        (["--signature", "simhash"], "signature", "simhash"),
        (["--weights", "tf-idf"], "weights", "tf-idf"),
        (["--max-distance", "5"], "max_distance", 5),
        (["--language", "english"], "language", "english"),
        (["--language", "english", "--stop-words"], "drop_stop_words", True),
        (["--language", "english", "--stem"], "stem", True),
        (["--no-stem"], "stem", False),
        (["--unit", "char"], "keep_punctuation", True),
        (["--preset", "Same text again", "--rows", "7"], "bands", 14),
    ],
)
def test_options_become_settings(given, field, value):
    options = build_parser("scan").parse_args(["scan", "folder", *given])

    assert getattr(settings_from(options), field) == value


def test_stop_words_without_a_language_are_refused_in_a_sentence(essays, capsys):
    assert main(["scan", str(essays), "--stop-words"]) == 2
    assert "need a language" in capsys.readouterr().err
