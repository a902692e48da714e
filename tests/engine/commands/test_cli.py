"""The command line: exit status, sentences, and what happens when its output goes nowhere."""

import argparse
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from dataclasses import fields
from email.message import EmailMessage
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from core.base.messages import in_language, load_language
from core.base.tasks import ProgressReport, Stage
from core.commands import scan
from core.commands.main import build_parser, main
from core.commands.options import LIMITS, add_reading_options, reading_from, settings_from
from core.commands.report import add_choice
from core.commands.terminal import shown_progress
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ReviewError, ScanCancelledError, SettingsError
from core.reports.formats import RESULTS
from core.reports.settings_file import read_settings_file
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.verdicts import judge
from core.scan import reworked
from core.scan.judgements import PairRows, Verdict
from core.scan.scan import Scan
from core.settings import PRESETS
from tests.programs import ROOT, python
from tests.texts import folder_with, rows_of_csv


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
def test_what_is_no_limit_is_reported(given):
    with pytest.raises(SettingsError, match="The limit seconds must be a whole number above 0"):
        reading_with(f"--limit=seconds={given}")


def test_an_unknown_limit_is_reported_with_those_there_are():
    with pytest.raises(SettingsError, match=r"There is no limit “time”\. The limits are: file"):
        reading_with("--limit=time=3")


def test_passwords_are_lines(tmp_path):
    path = tmp_path / "passwords"
    path.write_bytes("\ufeffone\r\n\r\n two \n".encode())

    assert reading_with("--passwords", str(path)).passwords == ("one", " two ")


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"\xff", "in UTF-8")])
def test_passwords_that_cannot_be_read_are_reported(tmp_path, content, reason):
    path = tmp_path / "passwords"
    if content:
        path.write_bytes(content)

    with pytest.raises(SettingsError, match=f"passwords cannot be read: .*{reason}"):
        reading_with("--passwords", str(path))


@pytest.fixture
def essays(essays):
    return folder_with(essays, {"empty.txt": ""})


def test_a_scan_prints_the_pairs_and_writes_the_files(essays, tmp_path, neardup):
    names = ("pairs.csv", "passages.json", "problems.csv", "report.html")
    options = [f"--{name.partition('.')[0]}={tmp_path / name}" for name in names]

    printed = neardup("scan", essays, *options)
    assert "one.txt | two.txt" in printed.out
    assert "2 documents, 1 pair" in printed.out
    assert [f"Written: {tmp_path / name}" in printed.out for name in names] == [True] * 4
    assert printed.err == ""
    (row,) = rows_of_csv(tmp_path / "pairs.csv")
    assert (row["doc_a"], row["doc_b"]) == ("one.txt", "two.txt")
    assert row["found_by"] == "lsh+passage+reworked"
    (entry,) = json.loads((tmp_path / "passages.json").read_text())
    assert entry["passages"][0]["tokens"] == 150
    assert "empty.txt" in (tmp_path / "problems.csv").read_text("utf-8-sig")


def test_copies_are_compared_as_one_and_that_is_reported(essays, neardup):
    (essays / "three.txt").write_bytes((essays / "one.txt").read_bytes())

    out = neardup("scan", essays).out
    assert "Complete from a resemblance of 0.10 on: 1 pair of different texts compared." in out


def test_it_is_said_how_reworked_passages_were_sought(essays, tmp_path, neardup, monkeypatch):
    """All pairs of few documents are measured, of many only those that a sample leads to."""
    for measured, sentence in (
        (reworked.MEASURED_ALL, "All pairs were measured for reworked passages, thoroughly."),
        ({}, "Reworked passages are sought by samples, carefully, and can be missed."),
    ):
        monkeypatch.setattr(reworked, "MEASURED_ALL", measured)
        page = tmp_path / "report.html"
        assert sentence in neardup("scan", essays, f"--report={page}").out
        assert sentence in page.read_text("utf-8")
        assert "eworked passages" not in neardup("scan", essays, "--reworked=off").out


@pytest.mark.parametrize(("compare", "channel"), [("auto", "all"), ("all", "all"), ("bands", "")])
def test_what_is_compared_can_be_chosen_and_is_reported(essays, tmp_path, capsys, compare, channel):
    words = [f"other{number}" for number in range(60)]
    (essays / "three.txt").write_text(" ".join([*words, *(f"word{n}" for n in range(150, 172))]))
    target, report, review = (tmp_path / name for name in ("a.json", "a.html", "a.neardup"))
    options = [f"--pairs={target}", f"--report={report}", f"--review={review}"]
    blind = ["--bands=1", "--rows=30", "--min-resemblance=0.05", "--min-passage=200"]
    blind.append("--reworked=off")

    assert main(["scan", str(essays), f"--compare={compare}", *blind, *options]) == 0

    complete = compare != "bands"
    assert ("all 3 pairs compared." in capsys.readouterr().out) == complete
    is_complete = "All 3 pairs of different documents were compared" in report.read_text("utf-8")
    assert is_complete == complete
    written = json.loads(target.read_text("utf-8"))
    assert written["all_pairs_compared"] == (3 if complete else None)
    assert written["settings"]["compare"] == compare
    assert channel in {row["found_by"] for row in written["pairs"]} | {""}
    assert main(["report", str(review), str(tmp_path / "again.json")]) == 0
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))
    assert (again["all_pairs_compared"], again["pairs"]) == (
        written["all_pairs_compared"],
        written["pairs"],
    )


@pytest.mark.parametrize("documents", [0, 1, 2])
def test_a_promise_is_about_pairs(tmp_path, neardup, documents):
    for number in range(documents):
        (tmp_path / f"{number}.txt").write_text(f"a text of its own, number {number}", "utf-8")
    assert ("All pairs were measured" in neardup("scan", tmp_path).out) == (documents > 1)


@pytest.mark.parametrize("command", ["scan", "audit"])
def test_quiet_prints_nothing(command, essays, neardup):
    assert neardup(command, essays, "--quiet") == ("", "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["", "--quiet"], "neardup scan: FOLDER: the name is empty"),
        (["{}", "--report", ""], "--report: must end in .html, .htm or .pdf, not “”"),
        (
            ["{}", "--pairs", "a\n.txt"],
            "must end in .xlsx, .csv, .json, .graphml or .zip, not “a\\n.txt”",
        ),
        (["{}", "--passages", "a.csv"], "must end in .json, not “a.csv”"),
        (["{}", "--problems", "no\udce9/a.csv"], "there is no folder “no\\xe9”"),
    ],
)
def test_unwritable_targets_are_reported_before_the_scan(options, sentence, essays, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["scan", *(option.format(essays) for option in options)])

    assert exit_.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "status", "sentence"),
    [
        (["no such folder"], 2, "“no such folder” does not exist"),
        (["{}", "--bands", "65"], 2, "b × r must be at most the signature size"),
        (["{}", "--signature=simhash", "--rows=65"], 2, "--rows means nothing with SimHash"),
        (["{}", "--pairs={}/a.json", "--passages={}/../essays/a.json"], 2, "name the same file"),
        (["{}", *["--pairs={}/a.csv"] * 2], 2, "a.csv and --pairs "),
        (["{}/a.csv", "{}", "--pairs={}/../essays/a.csv"], 2, "a.csv name the same file"),
        (["{}/one.txt", "{}", "--pairs={}/link.csv"], 2, "link.csv name the same file"),
        (["{}", "--template={}/a.html", "--report={}/a.html"], 2, "a.html and --report "),
        (["{}", "--quiet", "--report={}/folder.html"], 1, "is a folder or a device"),
    ],
)
def test_what_went_wrong_is_a_sentence_and_a_status(options, status, sentence, essays, neardup):
    (essays / "folder.html").mkdir()
    (essays / "link.csv").hardlink_to(essays / "one.txt")

    printed = neardup("scan", *(option.format(essays) for option in options), status=status)
    assert printed.err.startswith("neardup: ")
    assert sentence in printed.err


def test_a_result_replaces_an_earlier_one_and_no_document(essays, neardup, capsys, monkeypatch):
    review = f"{essays}/a.neardup"
    (essays / "a.csv").touch()  # as what asks for a name may do
    pairs = (f"--pairs={essays}/a{ending}" for ending in RESULTS["pairs"].endings)
    pages = (f"--report={essays}/a{ending}" for ending in RESULTS["report"].endings)
    others = (f"--passages={essays}/p.json", f"--problems={essays}/p.csv", f"--review={review}")
    commands = (
        ["scan", essays, *pairs, *pages, *others],
        ["audit", essays, f"--json={essays}/audit.json"],
        ["query", essays, essays / "one.txt", f"--json={essays}/query.json"],
        ["properties", essays, f"--json={essays}/properties.json"],
        ["forecast", essays, f"--csv={essays}/forecast.csv"],
        ["verify", essays / "a.html", essays, f"--json={essays}/verify.json"],
    )
    with in_language(load_language("de")):
        for command in (*commands, *commands):
            assert main([*map(str, command), "--quiet"]) in {0, 3}  # 3: other files than before
    capsys.readouterr()
    for command in (
        ["scan", essays, f"--pairs={essays}/a.csv"],
        ["report", review, f"{essays}/a.csv"],
        ["query", review, f"{essays}/one.txt", f"--json={essays}/query.json"],
        ["query", review, essays, f"--json={essays}/query.json"],
    ):
        said = neardup(*command).err
        assert said.count("the next scan reads it") == 1
        assert f"{essays}/" in said

    damaged = io.BytesIO()
    with zipfile.ZipFile(damaged, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("readme.txt", essays.name * 9)
    mine = (
        (".html", b"I."),
        (".pdf", b"%PDF-1.7"),
        (".xlsx", b"PK\3\4"),
        (".zip", damaged.getvalue()[:50] + b"\xff" * 9 + damaged.getvalue()[59:]),
        (".csv", b"doc_a"),
        (".json", b"[] my notes"),
        (".json", b'{"documents": [], "mine": 1}'),
    )
    # Where a file system takes another name for the same folder, no text of a path tells it.
    (essays.parent / "alias").symlink_to(essays)
    monkeypatch.setattr(os.path, "realpath", os.path.abspath)
    for ending, content in mine:
        document = essays.parent / "alias" / f"mine{ending}"
        document.write_bytes(content)
        query = ["query", review, str(essays / "one.txt"), "--json"] if ending == ".json" else []
        for command in (["scan", str(essays), "--report"], ["report", review], query):
            if command and (command[0] != "scan" or ending in RESULTS["report"].endings):
                assert "Neardup did not write it" in neardup(*command, document, status=2).err
        assert document.read_bytes() == content


@pytest.mark.parametrize("read", ["report.json", "key.json"])
def test_no_answer_replaces_what_a_check_reads(read, essays, neardup):
    report, key, answer = (essays / name for name in ("report.json", "key.json", read))
    given = ["verify", str(report), str(essays), f"--key={key}", f"--json={answer}"]

    assert "name the same file" in neardup(*given, status=2).err


def test_an_unwritable_export_does_not_hinder_the_others(essays, tmp_path, neardup, monkeypatch):
    full = Mock(side_effect=ReviewError("The review could not be saved."))

    monkeypatch.setattr("core.review.save_review", full)
    names = ("review.neardup", "pairs.csv", "passages.json", "problems.csv", "report.html")
    for name in ("pairs.csv", "report.html"):
        (tmp_path / name).mkdir()

    options = [f"--{Path(name).stem}={tmp_path / name}" for name in names]
    printed = neardup("scan", essays, *options, status=1)
    assert (tmp_path / "passages.json").exists()
    assert (tmp_path / "problems.csv").exists()
    assert printed.out.count("Written: ") == 2  # of a review that was not saved nothing
    lines = printed.err.splitlines()
    assert ["review" in lines[0], "pairs.csv" in lines[1], "report.html" in lines[2]] == [True] * 3
    assert all(line.startswith("neardup: ") for line in lines)


@pytest.mark.parametrize("command", ["scan", "audit", "forecast", "properties"])
def test_a_review_is_no_folder(command, essays, tmp_path, capsys):
    """It would be a file that is no document, and nothing missing among no documents."""
    assert main(["scan", str(essays), f"--review={tmp_path / 'r.neardup'}", "--quiet"]) == 0
    shutil.copy(tmp_path / "r.neardup", tmp_path / "r.db")
    for name in ("r.neardup", "r.neardup/", "r.db"):
        with pytest.raises(SystemExit, match="2"):
            main([command, f"{tmp_path}/{name}"])
        assert f"{name}” is a review. Give the folders" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
@pytest.mark.parametrize(
    "options",
    [
        ["{pipe}"],
        ["{folder}", "--logo={pipe}"],
        ["{folder}", "--set-aside-text={pipe}"],
        ["{folder}", "--passwords={pipe}"],
        ["{folder}", "--report={folder}/a.html", "--withhold-names", "--key={pipe}"],
    ],
)
def test_nobody_waits_for_the_writer_of_a_pipe(options, essays, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    values = {"pipe": tmp_path / "pipe.csv", "folder": essays}
    arguments = (option.format(**values) for option in options)
    done = python("-m", "core", "scan", *arguments, timeout=60)
    assert done.returncode != 0
    assert "pipe.csv" in done.stderr


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        (["scan", "{essays}", "--pairs={to}"], ".csv"),
        (["scan", "{essays}", "--pairs={to_json}", "--problems={file}"], ".json"),
        (["scan", "{essays}", "--problems={to}", "--quiet"], ".csv"),
        (["scan", "{essays}", "--passages={to}", "--show=3"], ".json"),
        (["query", "{essays}", "{essays}/one.txt", "--json={to}"], ".json"),
        (["forecast", "{essays}", "--csv={to}"], ".csv"),
        (["audit", "{essays}", "--json={to}"], ".json"),
        (["report", "{review}", "{to}", "{file}"], ".csv"),
    ],
)
def test_a_result_goes_to_standard_output_and_no_words_with_it(
    words, ending, essays, tmp_path, neardup, monkeypatch
):
    monkeypatch.chdir(essays)  # nor is it taken for a file of the folder that is compared
    review, file = tmp_path / "r.neardup", tmp_path / "file.csv"
    assert main(["scan", str(essays), f"--review={review}", "--quiet"]) == 0
    before = sorted(tmp_path.iterdir())

    def run(to):
        given = {"essays": essays, "review": review, "file": file, "to": to}
        given["to_json"] = "-.json" if to == "-" else to
        printed = neardup(*(word.format(**given) for word in words))
        assert printed.err == ""
        return printed.out

    printed = run("-")
    if file.exists():
        file.unlink()
    assert sorted(tmp_path.iterdir()) == before
    assert not list(essays.glob("-*"))
    target = tmp_path / f"result{ending}"
    run(str(target))
    differing = re.compile(r"neardup-seal:[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.+]+")
    written = target.read_bytes().decode("utf-8-sig")  # what programs read begins with no mark
    assert differing.sub("", printed) == differing.sub("", written)


def test_of_two_results_for_standard_output_none_is_printed(essays, neardup):
    printed = neardup("scan", essays, "--pairs", "-", "--passages", "-", status=2)
    assert printed.out == ""
    assert "Only one result can go to standard output." in printed.err


@pytest.mark.parametrize("name", ["--pairs", "--passages", "--problems"])
def test_a_result_is_not_lost_where_standard_output_is_closed(name, essays, neardup, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    printed = neardup("scan", essays, f"{name}=-", "--quiet", status=1)
    assert "Standard output is closed." in printed.err


def test_only_a_hyphen_is_standard_output(essays, tmp_path, monkeypatch, neardup):
    monkeypatch.chdir(tmp_path)
    files = {"--pairs=./-.csv", "--passages=./-.json", "--report=-.html", "--review=-.neardup"}
    assert "Written: -.csv" in neardup("scan", essays, *files).out
    assert "Written: -.xlsx" in neardup("report", "./-.neardup", "--", "-.xlsx").out
    written = {path.name for path in tmp_path.iterdir()} - {"essays"}
    assert written >= {"-.csv", "-.json", "-.html", "-.neardup", "-.xlsx"}


def test_temporary_files_in_a_compared_folder_are_no_results_there(essays, tmp_path, monkeypatch):
    review = tmp_path / "r.neardup"
    assert main(["scan", str(essays), f"--review={review}", "--quiet"]) == 0
    before = sorted(essays.iterdir())
    for command in (
        ["scan", essays, "--pairs=-", "--quiet"],
        ["report", review, "-"],
        ["query", review, essays / "one.txt", "--json=-"],
    ):
        done = python("-m", "core", *command, env=os.environ | {"TMPDIR": str(essays)})
        assert (done.returncode, done.stderr) == (0, "")
        assert "one.txt" in done.stdout
    assert sorted(essays.iterdir()) == before


def test_a_printed_table_that_was_kept_in_the_folder_may_be_replaced(essays):
    kept = essays / "pairs.csv"
    printed = python("-m", "core", "scan", essays, "--pairs=-", check=True).stdout
    kept.write_text(printed, "utf-8")
    assert main(["scan", str(essays), f"--pairs={kept}", "--quiet"]) == 0


def test_the_key_of_a_printed_result_is_kept(essays, tmp_path, neardup):
    words = ["scan", essays, "--pairs=-", "--withhold-names"]
    assert "--withhold-names needs --key" in neardup(*words, status=2).err
    key = tmp_path / "key.csv"
    done = python("-m", "core", *words, f"--key={key}", check=True)
    assert "one.txt" not in done.stdout
    assert "one.txt" in key.read_text("utf-8-sig")


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("scan", {"--pairs", "--passages", "--problems"}),
        ("report", {"FILE"}),
        ("query", {"--json"}),
        ("verify", {"--json"}),
        ("audit", {"--json"}),
        ("forecast", {"--csv"}),
    ],
)
def test_help_says_what_can_go_to_standard_output(command, options, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    lines = capsys.readouterr().out.splitlines()
    said = {line.split()[0] for line in lines if line.endswith("; - for standard output")}
    assert said == options


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("scan docs --nope 3", "neardup scan: unknown option: --nope"),
        ("forecast docs --json -", "neardup forecast: unknown option: --json"),
        ("spark scan a b --nope", "neardup spark scan: unknown option: --nope"),
        ("curve 5", "neardup curve: unexpected argument: 5"),
        ("prepare x", "neardup prepare: unexpected argument: x"),
        ("--nope scan docs", "neardup: unknown option: --nope"),
        ("scan docs --quiet=3", "neardup scan: --quiet: takes no value"),
        ("scan docs --ocr=1", "neardup scan: --ocr/--no-ocr: takes no value"),
        (
            "audit docs --method x",
            "--method: must be one of “all-pairs” or “edited-copies”, not “x”",
        ),
        ("scan docs --pas x", "neardup scan: --pas is ambiguous: --passwords, --passages, "),
        ("scan docs --show 99999999999999999999", "--show: the number 99999999999999999999 is too"),
        ("audit docs --copies 0", "--copies: must be a whole number, 1 or more, not “0”"),
        ("forecast docs --documents 0", "--documents: must be a whole number, 1 or more, not “0”"),
    ],
)
def test_a_wrong_option_is_told_with_the_help_of_its_command(words, told, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    first, hint = capsys.readouterr().err.splitlines()
    assert told in first
    assert hint == f"{first.partition(':')[0]} --help lists the options."


@pytest.mark.parametrize("options", [[], ["--pairs=-"]])
def test_who_reads_what_is_printed_may_stop(options, essays):
    command = [sys.executable, "-m", "core", "scan", essays, *options]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_scan_says_that_it_wrote_the_review(essays, tmp_path, neardup):
    review = tmp_path / "r.neardup"
    given = ["scan", essays, "--review", review]
    (essays / "empty.txt").unlink()  # a file without text is read anew each time

    assert f"Written: {review}\n" in neardup(*given).out
    assert "Written" not in neardup(*given).out  # nothing changed
    (essays / "more.txt").write_text("some more words")
    assert neardup(*given, "--quiet").out == ""


def test_a_scan_writes_every_file_that_is_named(essays, tmp_path, capsys):
    files = [tmp_path / name for name in ("a.html", "b.html", "a.csv", "b.json")]
    options = ["--report", "--report", "--pairs", "--pairs"]
    named = [word for pair in zip(options, map(str, files), strict=True) for word in pair]
    assert main(["scan", str(essays), *named]) == 0
    assert all(file.exists() for file in files)
    assert capsys.readouterr().out.count("Written: ") == len(files)


def test_of_few_documents_no_more_pairs_are_printed_than_asked_for(tmp_path, neardup):
    lists_of_words = [" ".join(f"{letter}{number}" for number in range(60)) for letter in "abcde"]
    texts = [lists_of_words[0] + " " + lists_of_words[1], lists_of_words[0], *lists_of_words[2:]]
    folder_with(tmp_path, {f"{number}.txt": text for number, text in enumerate(texts)})

    for show, rows, other_count in ((1, 0, 9), (3, 2, 7), (9, 8, 1), (10, 9, 0)):
        out = neardup("scan", tmp_path, "--show", show).out
        assert "0.txt | 1.txt" in out
        assert out.count("   –  not listed  ") == rows
        assert f"\n   –  {other_count} other pair" in out or not other_count
        assert ("other pair" in out) == (other_count > 0)


def with_a_weak_trace():
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(800)]
    texts_of_words, phrase = [words[200 * number :][:200] for number in range(3)], words[700:722]
    texts = [
        texts_of_words[0],
        texts_of_words[0][:150],
        *([*text[:60], *phrase, *text[60:]] for text in texts_of_words[1:]),
    ]
    return {f"{number}.txt": " ".join(text) for number, text in enumerate(texts)}


def test_weak_traces_are_folded_and_counted(tmp_path, neardup):
    folder_with(tmp_path, with_a_weak_trace())
    command = ["scan", str(tmp_path)]

    folded = neardup(*command).out
    unfolded = neardup(*command, "--weak-traces").out

    assert ("0.txt | 1.txt" in folded, "2.txt | 3.txt" in folded) == (True, False)
    assert "\n1 weak trace; --weak-traces shows it.\n" in folded
    assert "2.txt | 3.txt" in unfolded
    assert "1 weak trace;" not in unfolded
    assert all(
        "4 documents, 1 pair from 0.10 on and 1 weak trace, " in printed
        for printed in (folded, unfolded)
    )


def test_a_text_is_not_like_what_it_shares_a_weak_trace_with(tmp_path, neardup):
    texts = folder_with(tmp_path / "texts", with_a_weak_trace())
    answers = tmp_path / "a.json"

    out = neardup("query", texts, texts / "2.txt", "--json", answers).out
    assert out.startswith("2.txt: like 1 document; 1 weak trace; ")
    assert [line.endswith("weak trace]") for line in out.splitlines()[2:4]] == [False, True]
    (answer,) = json.loads(answers.read_text())
    assert [(match["document"], match["weak_trace"]) for match in answer["matches"]] == [
        ("2.txt", 0),
        ("3.txt", 1),
    ]


class Unwritable(io.StringIO):
    """A standard output that fails, like a full disk or a pipe without a reader."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, text):
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"), [(BrokenPipeError(), 0), (OSError(28, "No space left on device"), 1)]
)
def test_files_are_written_when_nobody_reads_along(
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
def test_interrupted(stop, essays, monkeypatch, neardup):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(scan, "run_scan", Mock(side_effect=stop))

    assert neardup("scan", essays, status=130).err == "neardup: Stopped.\n"
    assert signal.getsignal(signal.SIGINT) is before


def test_names_that_no_terminal_can_show(essays, monkeypatch):
    (essays / os.fsdecode(b"caf\xe9\n.txt")).write_text((essays / "one.txt").read_text())
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)

    assert main(["scan", str(essays)]) == 0

    assert b"caf\\xe9\\n.txt | one.txt" in terminal.buffer.getvalue()


def test_curve_and_suggest(neardup):
    assert "0.999644" in neardup("curve", "--bands", "20", "--rows", "5", "--at", "0.8").out
    out = neardup("suggest", "--find", "99%@0.5", "--at-most", "0.0053@0.05").out
    assert "35 bands × 3 rows = 105 of 128" in out
    wishes = ["--find", "0.5@0.5", "--at-most", "0.4@0.4", "--signature-size", "1"]
    assert "1 band × 1 row = 1 of 1\n" in neardup("suggest", *wishes).out
    out = neardup("suggest", "--find", "0.99@0.5", "--at-most", "0.001@0.49", status=1).out
    assert "keep both wishes" in out


def test_help_answers_without_loading_the_engine():
    code = (
        "import sys; from core.commands.main import build_parser\n"
        "text = build_parser('scan').format_help()\n"
        "assert 'scan' in text; print({'numpy', 'numba', 'core.scan.flow'} & set(sys.modules))"
    )
    done = python("-c", code)
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


def text_of(number):
    rng = random.Random(number // 2)
    words = [f"w{rng.randrange(3000)}" for _ in range(200)]
    words[number % 2 :: 40] = [f"x{number}"] * len(words[number % 2 :: 40])
    return " ".join(words)


@pytest.fixture
def folder(tmp_path):
    return folder_with(tmp_path / "texts", {f"text{n:02}.txt": text_of(n) for n in range(20)})


@pytest.fixture
def review(folder, tmp_path):
    assert main(["scan", str(folder), "--review", str(tmp_path / "r.neardup"), "--quiet"]) == 0
    return tmp_path / "r.neardup"


def test_a_review_gives_the_same_tables_without_its_documents(folder, review, tmp_path, neardup):
    main(["scan", str(folder), "--pairs", str(tmp_path / "scan.csv"), "--quiet"])
    for file in folder.iterdir():
        file.unlink()

    assert "Written: " in neardup("report", review, tmp_path / "review.csv").out
    assert (tmp_path / "review.csv").read_text() == (tmp_path / "scan.csv").read_text()
    (tmp_path / "no.csv").mkdir()
    files = [str(tmp_path / name) for name in ("no.csv", "review.html")]
    assert "no.csv” is a folder" in neardup("report", review, *files, "--quiet", status=1).err
    assert "text00.txt" in (tmp_path / "review.html").read_text()


def test_of_many_documents_that_are_gone_as_many_are_named_as_pairs(folder, review, neardup):
    for number in (3, 4, 5):
        (folder / f"text{number:02}.txt").unlink()

    out = neardup("scan", folder, "--review", review, "--show", "2").out
    assert "Kept with the text of an earlier scan: 3 documents" in out
    assert out.count("\n  text0") == 2
    assert "  … and 1 more; --show N prints more." in out


def test_of_many_remarks_as_many_are_printed_as_pairs(folder, neardup):
    for number, said in (
        (3, "in\u200bvisible"),
        (4, "in\u200bvisible"),
        (5, "in\u200bvisible p\u0430per"),
    ):
        (folder / f"text{number:02}.txt").write_text(f"{text_of(number)} {said}", encoding="utf-8")

    out = neardup("scan", folder, "--show", "2").out
    listed = out[out.index("Read with remarks: 3 documents") :].splitlines()
    assert [line.split(":")[0] for line in listed[1:3]] == ["  text05.txt", "  text03.txt"]
    assert listed[3] == "  … and 1 more; --show N prints more."


def test_a_review_is_brought_up_to_date(folder, review, tmp_path, neardup):
    (folder / "text03.txt").unlink()
    (folder / "text44.txt").write_text(text_of(0) + " more", encoding="utf-8")

    out = neardup("scan", folder, "--review", review).out
    assert "Files since the last scan: 1 added, 1 gone (text03.txt)." in out
    assert "\n20 documents, 1 more gone or not read, " in out
    assert "all 190 pairs compared. Lists 11 pairs of 20 documents that are there.\n" in out
    assert "text02.txt | text03.txt [gone since 2" in out
    out = neardup("scan", folder, "--review", review, "--forget-gone").out
    assert "20 documents, " in out
    assert "Not listed, kept in the review: 1 document that you took off the list" in out
    main(["report", str(review), str(tmp_path / "review.csv"), "--quiet"])
    main(["scan", str(folder), "--pairs", str(tmp_path / "scan.csv"), "--quiet"])

    assert (tmp_path / "review.csv").read_text() == (tmp_path / "scan.csv").read_text()
    assert "text44.txt" in (tmp_path / "scan.csv").read_text()


def test_nothing_is_forgotten_of_a_folder_that_may_not_be_connected(folder, review, neardup):
    moved = folder.rename(folder.parent / "elsewhere")
    command = ["scan", str(folder), "--review", str(review), "--forget-gone"]
    before = review.read_bytes()
    assert "does not exist" in neardup(*command, status=2).err
    assert review.read_bytes() == before

    folder.mkdir()
    for _ in range(2):
        out = neardup(*command).out
        assert "0 documents, 20 more gone or not read, 10 pairs" in out
        assert "No document is left in" in out

    assert (
        "20 documents, 10 pairs" in neardup("scan", moved, "--review", review, "--forget-gone").out
    )


@pytest.mark.parametrize("source_kind", ["folder", "review"])
def test_a_file_is_compared_with_all_documents(source_kind, folder, review, tmp_path, neardup):
    question = tmp_path / "question.txt"
    question.write_text(text_of(6) + " and a little more", encoding="utf-8")
    source = str(review if source_kind == "review" else folder)

    out = neardup("query", source, question, "--json", tmp_path / "a.json").out
    assert "question.txt: like 2 documents" in out
    (answer,) = json.loads((tmp_path / "a.json").read_text())
    assert [match["document"] for match in answer["matches"]] == ["text06.txt", "text07.txt"]
    assert answer["matches"][0]["containment_document"] == 1
    assert answer["matches"][0]["found_by"] == "lsh+passage+reworked"


def test_each_document_in_a_file_is_asked_about(folder, review, tmp_path, neardup):
    mail = EmailMessage()
    mail["Subject"] = "My essay"
    mail.set_content("Dear Sir, please find my essay here.")
    mail.add_attachment(text_of(6).encode(), "text", "plain", filename="essay.txt")
    mail.add_attachment(b"", "text", "plain", filename="empty.txt")
    questions = folder_with(tmp_path / "questions", {"two.txt": text_of(8)})
    (questions / "one.eml").write_bytes(bytes(mail))
    answers = tmp_path / "a.json"

    printed = neardup("query", review, questions, "--json", answers)
    assert "one.eml: like 0 documents" in printed.out
    assert "one.eml/essay.txt: like 2 documents" in printed.out
    assert "two.txt: like 2 documents" in printed.out
    assert "“one.eml/empty.txt”" in printed.err
    counts = {
        Path(answer["file"]): len(answer["matches"]) for answer in json.loads(answers.read_text())
    }
    mail_file = questions / "one.eml"
    assert counts == {mail_file: 0, mail_file / "essay.txt": 2, questions / "two.txt": 2}


FORM = " ".join(f"form{number}" for number in range(60))


@pytest.mark.parametrize("rules", [(), ("--set-aside=quotations,common=3",)])
@pytest.mark.parametrize("named", ["late", "late/Dee"])
def test_a_submission_is_asked_about_as_a_scan_would_list_it(named, rules, tmp_path, neardup):
    folder = folder_with(tmp_path / "class", {})
    texts_of_people = {"Ann": (0, 2), "Bea": (4, 10), "Cem": (6, 8)}
    late = {f"{number}.txt": text_of(number) for number in (1, 7)}
    for folder_of_files, files in (
        *(
            (folder / person, {f"{n}.txt": text_of(n) for n in texts})
            for person, texts in texts_of_people.items()
        ),
        (tmp_path / "late" / "Dee", late),
        (tmp_path / "late" / "Eve", {"9.txt": text_of(9)}),
    ):
        filled = {name: f"{FORM} “{FORM[:99]}” {text}" for name, text in files.items()}
        folder_with(folder_of_files, filled)
    (tmp_path / "form.txt").write_text(FORM, encoding="utf-8")
    common = ["--submissions", f"--template={tmp_path / 'form.txt'}", *rules]
    review, answers, pairs = (tmp_path / name for name in ("r.neardup", "a.json", "p.json"))
    assert main(["scan", str(folder), *common, f"--review={review}"]) == 0

    command = ["query", str(review), str(tmp_path / named), "--submissions", f"--json={answers}"]
    assert "Dee: like 2 documents; " in neardup(*command).out
    answer = json.loads(answers.read_text())[0]
    assert Path(answer["file"]) == tmp_path / "late" / "Dee"
    (tmp_path / "late" / "Dee").rename(folder / "Dee")
    main(["scan", str(folder), *common, f"--pairs={pairs}"])
    listed = [pair for pair in json.loads(pairs.read_text())["pairs"] if "Dee" in pair["doc_b"]]
    same = {"overlap_a": "overlap_document", "overlap_b": "overlap_file"}
    same |= {name: name for name in ("resemblance", "overlap", "longest_run", "shared_words")}
    assert [[pair[name] for name in same] for pair in listed] == [
        [match[name] for name in same.values()] for match in answer["matches"]
    ]


@pytest.mark.parametrize("layout", ["{}", "{}\n\n", "\n{}\n"])
def test_of_a_copy_a_query_sets_aside_what_the_review_does(layout, tmp_path, neardup):
    """It would be the fifth text with the form."""
    folder = folder_with(tmp_path / "a", {f"{n}.txt": f"{FORM} {text_of(n)}" for n in range(4)})
    review, answers = tmp_path / "r.neardup", tmp_path / "a.json"
    neardup("scan", folder, "--set-aside=common=5", "--review", review)

    copy = tmp_path / "copy.txt"
    copy.write_text(layout.format((folder / "0.txt").read_text("utf-8")), "utf-8")
    neardup("query", review, copy, "--json", answers)
    best = json.loads(answers.read_text())[0]["matches"][0]
    assert (best["document"], best["found_by"], best["overlap"]) == ("0.txt", "exact", 1)


def test_a_file_without_text_hinders_no_other_one(review, tmp_path, capsys):
    named = [tmp_path / name for name in ("one.txt", "empty.txt", "not there.txt", "two.txt")]
    for file, text in zip(named, (text_of(6), "", None, text_of(8)), strict=True):
        if text is not None:
            file.write_text(text, encoding="utf-8")
    answers = tmp_path / "a.json"

    assert main(["query", str(review), *map(str, named), "--json", str(answers)]) == 2

    assert [Path(answer["file"]) for answer in json.loads(answers.read_text())] == [
        named[0],
        named[3],
    ]
    printed = capsys.readouterr()
    assert "two.txt: like 2 documents" in printed.out
    assert "empty.txt" in printed.err
    assert "not there.txt" in printed.err


def test_a_folder_without_files_gives_no_text_to_ask_about(review, tmp_path, neardup):
    (tmp_path / "none").mkdir()
    err = neardup("query", review, tmp_path / "none", status=2).err
    assert "No document with text was found." in err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["query", "{review}", "{folder}/text01.txt", "--k", "4"], 2, "its own settings"),
        (["query", "{review}", "{folder}/none.txt"], 2, "does not exist"),
        (["query", "{review}", "{folder}/empty.txt"], 2, "0 bytes"),
        (["query", "{folder}/none.neardup", "{folder}/text01.txt"], 1, "none.neardup"),
        (["report", "{folder}/text01.txt", "{folder}/r.csv"], 1, "not a review"),
        (["scan", "{folder}", "--review", "{folder}/text.neardup"], 1, "not a review"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments, status, sentence, folder, review, neardup):
    (folder / "empty.txt").write_text("")
    (folder / "text.neardup").write_text("a text of somebody")
    named = [argument.format(review=review, folder=folder) for argument in arguments]

    error = neardup(*named, status=status).err
    assert sentence in error
    assert "Traceback" not in error
    assert (folder / "text.neardup").read_text() == "a text of somebody"


def test_common_text_is_shown(tmp_path, neardup):
    rng = random.Random(1)
    common = " ".join(f"c{rng.randrange(10**9)}" for _ in range(50))
    for number in range(120):
        words = " ".join(f"w{rng.randrange(10**9)}" for _ in range(300))
        (tmp_path / f"{number}.txt").write_text(f"{common} {words}")

    assert "In 120 documents, for instance 0.txt: “c" in neardup("scan", tmp_path).out


def test_reports_name_what_is_gone(folder, review, tmp_path):
    (folder / "text03.txt").unlink()
    (folder / "text08.txt").write_bytes(b"")
    main(["scan", str(folder), "--review", str(review), "--quiet"])

    for ending in ("html", "json"):
        assert main(["report", str(review), str(tmp_path / f"r.{ending}"), "--quiet"]) == 0

    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "18 documents" in page
    assert '<span class="tag">gone since 2' in page
    assert "Gone or not read</dt><dd>2<" in page
    assert "2 documents were not there or not readable at the last scan" in page
    head = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert head["documents"] == 18
    assert [(entry["document"], entry["state"]) for entry in head["missing"]] == [
        ("text03.txt", "gone"),
        ("text08.txt", "not read"),
    ]


@pytest.fixture
def old(tmp_path):
    return folder_with(tmp_path / "old", {f"old{n}.txt": text_of(n) + " older" for n in (0, 1, 2)})


def pairs_in(path):
    return {(row["doc_a"], row["doc_b"]) for row in json.loads(path.read_text())["pairs"]}


def test_references_are_given_once_and_kept_by_the_review(folder, old, tmp_path, neardup):
    review, table = tmp_path / "r.neardup", tmp_path / "pairs.json"
    given = ["--reference", str(old), "--review", str(review), "--pairs", str(table)]
    first = neardup("scan", folder, *given).out
    assert "old/old0.txt [reference]" in first
    pairs = pairs_in(table)
    assert ("old/old0.txt", "texts/text00.txt") in pairs
    assert ("old/old0.txt", "old/old1.txt") not in pairs

    out = neardup("scan", folder, "--review", review, "--pairs", table).out
    assert "No document has changed" in out
    assert pairs_in(table) == pairs
    assert main(["report", str(review), str(table), "--quiet"]) == 0
    assert pairs_in(table) == pairs


def test_a_report_may_take_a_folder_of_a_review_for_a_reference(folder, old, tmp_path, neardup):
    review, table = tmp_path / "r.neardup", tmp_path / "pairs.json"
    assert main(["scan", str(folder), str(old), "--review", str(review), "--quiet"]) == 0
    before = review.read_bytes()
    arguments = ["report", str(review), str(table), "--quiet"]
    assert main(arguments) == 0
    every = pairs_in(table)

    assert main([*arguments, "--reference", str(old)]) == 0

    assert every - pairs_in(table) == {("old/old0.txt", "old/old1.txt")}
    assert main([*arguments, "--reference", str(folder / "text00.txt")]) == 0
    assert pairs_in(table) == every
    err = neardup(*arguments, "--reference", tmp_path, status=2).err
    assert "is neither a folder of this review nor in one." in err
    err = neardup(*arguments, "--reference", folder, "--template", old, status=2).err
    assert "There is no folder to review" in err
    assert review.read_bytes() == before


def test_a_report_is_of_what_the_options_ask_for(folder, tmp_path, neardup, capsys):
    review, table = tmp_path / "r.neardup", tmp_path / "pairs.json"
    assert main(["scan", str(folder), "--review", str(review), "--quiet"]) == 0
    page = tmp_path / "report.html"
    given = ["report", str(review), str(table), str(page)]
    assert main(given) == 0
    every = pairs_in(table)
    capsys.readouterr()

    out = neardup(*given, "--pair", "text00.txt", "text01.txt", "--date", "2026-01-02").out
    assert "This report is about one pair: “text00.txt” and “text01.txt”. 1 pair in it." in out
    assert out.count("Written: ") == 2
    assert pairs_in(table) == {("text00.txt", "text01.txt")} < every
    before = page.read_bytes()
    assert b"2026-01-02 00:00 +00:00" in before
    assert main([*given, "--pair", "text00.txt", "text01.txt", "--date", "2026-01-02"]) == 0
    assert page.read_bytes() == before
    assert main([*given, "--document", "text00.txt", "--quiet"]) == 0
    assert pairs_in(table) == {pair for pair in every if "text00.txt" in pair}
    assert main([*given, "--group", "1", "--institution", "Firm <b>", "--quiet"]) == 0
    assert "Firm &lt;b&gt;" in page.read_text()
    assert main([*given, "--confirmed", "--quiet"]) == 0
    assert not pairs_in(table)
    # Once a pair is suspected, what people read is of such pairs; a table has all.
    with open_review(review) as opened:
        scanned = Scan.restored(opened.state)
        listed = scanned.list_pairs()
        key = PairRows(listed.pairs, listed.documents).key_of(0)
        state = decide(opened.state, *judge(opened.state.judgements, [key], Verdict.SUSPICIOUS))
        save_review(review, state)
        scanned.close()
    assert main([*given, "--quiet"]) == 0
    assert pairs_in(table) == every
    assert "Only pairs judged confirmed or suspicious are in this report." in page.read_text()
    assert page.read_text().count('class="pair"') == 1
    assert main([*given, "--all", "--weak-traces", "--quiet"]) == 0
    assert page.read_text().count('class="pair"') == len(every)
    for wrong, message in (
        (["--pair", "text00.txt", "none"], "There is no document “none”."),
        (["--pair", "text00.txt", "text00.txt"], "needs two documents"),
        (["--group", "99"], "there is no group 99"),
        (["--key", str(tmp_path / "k.csv")], "--key needs --withhold-names"),
    ):
        assert message in neardup(*given, *wrong, status=2).err
    for wrong in (["--date", "soon"], ["--logo", str(review)], ["--confirmed", "--group", "1"]):
        with pytest.raises(SystemExit):
            main([*given, *wrong])
        capsys.readouterr()


def test_what_only_a_file_shows_needs_one(folder, tmp_path, neardup):
    """Nothing that was asked for is passed over in silence."""
    parser = argparse.ArgumentParser()
    add_choice(parser)
    values = {"--pair": ["a", "b"], "--logo": [tmp_path / "logo.svg"], "--paper": ["a4"]}
    values |= {"--date": ["2026-01-02"], "--group": ["1"], "--passages-of": ["0"]}
    values |= {"--key": [tmp_path / "k.csv"], "--document": ["a"], "--institution": ["a"]}
    (tmp_path / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    review = tmp_path / "r.neardup"
    options = re.findall(r"^  (--[a-z-]+)", parser.format_help(), re.MULTILINE)

    for option in options:
        given = ["scan", folder, "--review", review, option, *values.get(option, [])]
        if option == "--key":
            given.append("--withhold-names")
        err = neardup(*given, "--quiet", status=0 if option == "--weak-traces" else 2).err
        needed = "" if option == "--weak-traces" else " needs a file to write.\n"
        assert err.endswith(needed)
        assert review.exists() is not bool(needed)
        review.unlink(missing_ok=True)


def test_names_are_withheld_and_the_key_is_kept_apart(folder, tmp_path, neardup):
    review, page = tmp_path / "r.neardup", tmp_path / "report.html"
    table = tmp_path / "table.json"
    for document in folder.iterdir():
        document.write_text(f"{document.read_text()} as was said to Zebulon Pike.")
    scanned = ["scan", str(folder), "--review", str(review), "--report", str(page), "--quiet"]
    assert main([*scanned, "--withhold-names", "--no-passages"]) == 0
    key = tmp_path / "report.key.csv"
    assert "text00.txt" in key.read_text(encoding="utf-8")
    assert "text00" not in page.read_text()
    given = ["report", str(review), str(page), str(table), "--withhold-names"]
    before = key.read_bytes()

    output = neardup(*given).out
    assert "report.key.csv. Keep it apart." in output
    stays = output.index("written as names are: Zebulon Pike.")
    assert stays < output.index("nor can nicknames") < output.index("Written: ")
    assert key.read_bytes() == before
    labels = {name for pair in pairs_in(table) for name in pair}
    assert labels <= {row.split(",")[0] for row in before.decode("utf-8-sig").splitlines()}
    user_file = tmp_path / "other.csv"
    user_file.write_text("my own table")
    assert "“other.csv” is no key to names" in neardup(*given, "--key", user_file, status=1).err
    assert user_file.read_text() == "my own table"
    csv_file = tmp_path / "pairs.csv"
    err = neardup("report", review, csv_file, *given[-1:], "--key", csv_file, status=2).err
    assert "--key names a file of the report." in err


ARGUMENTS = ("--k", "2", "--quiet", "--reworked", "off", "--compare", "bands", "--above", "0.2")


@pytest.fixture
def alike_texts(tmp_path):
    folder = folder_with(tmp_path / "docs")
    rng = np.random.default_rng(5)
    words = [f"w{word}" for word in rng.integers(0, 200, 40)]
    for number in range(90):
        for position in rng.integers(0, 40, 3):
            words[position] = f"w{rng.integers(200)}"
        (folder / f"{number}.txt").write_text(" ".join(words))
    return folder


def test_every_choice_is_written_and_the_efficient_ones_are_printed(alike_texts, tmp_path, neardup):
    path = tmp_path / "plane.csv"
    arguments = [argument for argument in ARGUMENTS if argument != "--quiet"]
    output = neardup("forecast", alike_texts, *arguments, "--csv", path).out
    rows = rows_of_csv(path)

    assert len(rows) == sum(128 // rows for rows in range(1, 129))
    efficient = [row for row in rows if row["efficient"] == "yes"]
    assert f"{len(efficient)} choices are efficient, of {len(rows)} with b × r ≤ 128" in output
    assert "90 documents. Estimated, with 95% intervals: about " in output
    best = min(efficient, key=lambda row: float(row["candidates"]))
    assert f"{best['bands']} × {best['rows']}" in output
    for row in rows:
        assert float(row["missed_low"]) <= float(row["missed"]) <= float(row["missed_high"])


def test_more_documents_are_told_by_the_square(alike_texts, tmp_path, neardup, capsys):
    candidates = []
    for name, more in (("few.csv", ()), ("many.csv", ("--documents", "900"))):
        path = tmp_path / name
        assert main(["forecast", str(alike_texts), *ARGUMENTS, *more, "--csv", str(path)]) == 0
        candidates.append(float(rows_of_csv(path)[0]["candidates"]))
    assert capsys.readouterr().out == ""
    assert candidates[1] == pytest.approx(100 * candidates[0], abs=0.01)
    printed = [argument for argument in ARGUMENTS if argument != "--quiet"]
    assert (
        "for 900 like these" in neardup("forecast", alike_texts, *printed, "--documents", "900").out
    )


def test_all_pairs_are_counted_where_that_is_quick(alike_texts, neardup):
    out = neardup("forecast", alike_texts, "--k", "2", "--reworked", "off").out
    assert "All pairs were compared" in out


@pytest.mark.parametrize("command", ["audit", "forecast"])
def test_where_nothing_can_be_compared_it_says_so(command, tmp_path, neardup):
    for number in range(2):
        assert (
            "There are no two different documents to compare.\n" in neardup(command, tmp_path).out
        )
        (tmp_path / f"{number}.txt").write_text("words")


def test_where_nothing_is_found_it_says_so(tmp_path, neardup):
    for number in range(80):
        (tmp_path / f"{number}.txt").write_text(" ".join(f"{number}w{n}" for n in range(20)))
    strict = ("--bands", "1", "--rows", "64", "--compare", "bands", "--reworked", "off")
    output = neardup("forecast", tmp_path, *strict, "--above", "0.1").out
    assert "about 0 pairs from 0.10 on" in output
    assert "1 choice is efficient" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--signature", "simhash"], "no bands"),
        (["--above", "2"], "between 0 and 1"),
        (["--above", "nan"], "between 0 and 1"),
    ],
)
def test_bad_usage_is_a_sentence(alike_texts, neardup, arguments, words):
    assert words in neardup("forecast", alike_texts, *arguments, status=2).err


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "course.json"
    assert main(["settings", str(path), "--bands", "20", "--rows", "5", "--archives"]) == 0
    return path


def parsed(*arguments):
    return build_parser(arguments[0]).parse_args(arguments)


@pytest.mark.parametrize("command", ["scan", "audit"])
def test_a_command_takes_the_settings_of_a_file(file, command):
    options = parsed(command, "folder", "--settings", str(file))

    assert settings_from(options) == PRESETS[0].settings.with_changes(bands=20, rows=5)
    assert reading_from(options).archives


def test_options_beside_a_settings_file_win(file):
    options = parsed(
        "scan", "folder", "--settings", str(file), "--rows=6", "--unit=char", "--no-archives",
        "--limit=seconds=7",
    )  # fmt: skip
    settings, reading = settings_from(options), reading_from(options)

    assert (settings.bands, settings.rows) == (20, 6)
    assert settings.keep_punctuation is True  # as usual with characters
    assert not reading.archives
    assert reading.limits.seconds == 7


def test_a_file_can_be_written_from_another(file, tmp_path, neardup, capsys):
    second_file = tmp_path / "other.json"
    capsys.readouterr()

    out = neardup("settings", "--settings", file, "--k", "7", second_file).out
    assert out == f"Written: {second_file}\n"

    assert read_settings_file(second_file).scan == read_settings_file(file).scan.with_changes(k=7)


def test_a_preset_beside_a_file_is_refused(file, essays, neardup):
    err = neardup("scan", essays, "--settings", file, "--preset", PRESETS[0].name, status=2).err
    assert "--settings or --preset, not both" in err


def test_an_invalid_settings_file_stops_the_command(essays, tmp_path, neardup):
    none = tmp_path / "none.json"
    none.write_text("{}")

    assert "“none.json” cannot be used" in neardup("scan", essays, "--settings", none, status=2).err


def test_a_review_is_not_asked_under_the_settings_of_a_file(file, essays, tmp_path, neardup):
    review = tmp_path / "essays.neardup"
    assert main(["scan", str(essays), f"--review={review}", "--quiet"]) == 0

    command = ["query", str(review), str(essays / "one.txt"), "--settings", str(file)]

    assert "under its own settings" in neardup(*command, status=2).err


COVER = (
    "School of Lamps\n\nI declare that <this> essay is my own work and nobody's else at all.\n\n"
)


@pytest.fixture
def covered_folder(tmp_path):
    rng, covered_folder = random.Random(1), tmp_path / "essays"
    covered_folder.mkdir()
    for number in range(6):
        words = " ".join(f"w{rng.randrange(3000)}" for _ in range(60))
        text = f"{COVER}{words} “the lamps stay on all night in here” he said."
        (covered_folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return covered_folder


def names_of_pairs(path):
    return len(json.loads(path.read_text(encoding="utf-8"))["pairs"])


def test_a_form_in_every_document_is_reported_until_it_is_set_aside(covered_folder, neardup):
    form = "I declare that nobody has helped me with this work, and that I name all my sources. "
    for path in covered_folder.glob("*.txt"):
        path.write_text(form + path.read_text(encoding="utf-8"), encoding="utf-8")
    line, sheet = ["scan", str(covered_folder)], covered_folder.with_name("form.txt")
    sheet.write_text(form + COVER, encoding="utf-8")
    assert "set it aside. (--set-aside-text FILE)\n" in neardup(*line).out
    output = neardup(*line, "--set-aside-text", str(sheet)).out
    assert "Set aside in 6 documents" in output
    assert "set it aside" not in output


def test_cover_sheets_and_quotations_make_no_pairs(covered_folder, tmp_path, capsys):
    table, report = tmp_path / "p.json", tmp_path / "r.html"
    line = ["scan", str(covered_folder), "--pairs", str(table), "--report", str(report)]
    assert main(line) == 0
    assert names_of_pairs(table) == 15
    assert "Set aside" not in report.read_text(encoding="utf-8")
    assert main([*line, "--set-aside", "repeated, quotations"]) == 0
    assert names_of_pairs(table) == 0
    assert "Set aside in 6 documents" in capsys.readouterr().out
    record = json.loads(table.read_text(encoding="utf-8"))
    assert record["set_aside_by"]["quotations"] is True
    (first, *_) = record["set_aside"]
    text = (covered_folder / "0.txt").read_text(encoding="utf-8")
    shown = [text[start:end] for start, end, _ in first["spans"]]
    assert shown == [COVER.rstrip(".\n"), "“the lamps stay on all night in here”"]
    assert first["set_aside"] == sum(map(len, shown))
    page = report.read_text(encoding="utf-8")
    assert "Set aside in 6 documents" in page
    assert "heading or cover sheet" in page


def test_a_review_keeps_rules_until_they_are_changed(covered_folder, tmp_path):
    review, table = tmp_path / "r.neardup", tmp_path / "p.json"
    line = ["scan", str(covered_folder), "--review", str(review), "--pairs", str(table), "--quiet"]
    cover = tmp_path / "cover.txt"
    cover.write_text(COVER, encoding="utf-16")
    assert main([*line, "--set-aside", "quotations", "--set-aside-text", str(cover)]) == 0
    assert names_of_pairs(table) == 0
    (covered_folder / "new.txt").write_text(COVER + "only this", encoding="utf-8")
    assert main(line) == 0
    assert names_of_pairs(table) == 0
    assert main(["report", str(review), str(table), "--set-aside", "nothing", "--quiet"]) == 0
    assert names_of_pairs(table) >= 15
    assert main(["report", str(review), str(table), "--quiet"]) == 0
    assert names_of_pairs(table) == 0
    page = tmp_path / "r.html"
    assert main(["report", str(review), str(page), "--quiet"]) == 0
    assert "I declare that &lt;this&gt; essay" in page.read_text(encoding="utf-8")
    assert main([*line, "--set-aside", "nothing"]) == 0
    assert names_of_pairs(table) >= 15


def audit_of(folder, figures):
    return ["audit", str(folder), "--json", str(figures), "--method", "all-pairs", "--quiet"]


def test_an_audit_leaves_out_what_is_set_aside_and_looks_at_references(covered_folder, tmp_path):
    figures, template = tmp_path / "a.json", tmp_path / "template.txt"
    line = audit_of(covered_folder, figures)
    assert main(line) == 0
    record = json.loads(figures.read_text())
    assert main([*line, "--set-aside", "repeated,quotations"]) == 0
    assert json.loads(figures.read_text()) != record
    template.write_text(next(covered_folder.glob("*.txt")).read_text())
    assert main([*line, "--template", str(template)]) == 0
    beside = json.loads(figures.read_text())
    assert beside["all_pairs"]["wanted"] < record["all_pairs"]["wanted"]
    assert main([*line, "--reference", str(template)]) == 0
    assert json.loads(figures.read_text())["documents"] == record["documents"] + 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set-aside", "poems"], "“poems” cannot be set aside"),
        (["--set-aside", "common"], "“common” cannot be set aside"),
        (["--set-aside", "common=0"], "“common=0” cannot be set aside"),
        (["--set-aside", "common=1"], "common from 2 documents on, not 1"),
        (["--set-aside", f"common={'9' * 5_000}"], "cannot be set aside"),
        (["--set-aside", "nothing,quotations"], "“nothing” cannot be set aside"),
        (["--set-aside", ""], "“” cannot be set aside"),
        (["--set-aside-text", "missing.txt"], "missing.txt cannot be read"),
        (["--set-aside-text", "empty.txt"], "There is no word in"),
        (["--set-aside-text", "image.png"], "is no text"),
    ],
)
def test_wrong_rules_are_reported(covered_folder, tmp_path, capsys, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text(" … \n\n")
    (tmp_path / "image.png").write_bytes(bytes(range(256)) * 9)
    assert main(["scan", str(covered_folder), "--quiet", *options]) != 0
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("given", ["-3", "1.5", "x", "", "²", "x" * 5_000])
@pytest.mark.parametrize(
    ("command", "least"),
    [
        (["scan", "{folder}", "--show"], 0),
        (["scan", "{folder}", "--group"], 1),
        (["scan", "{folder}", "--passages-of"], 0),
        (["query", "{folder}", "{folder}/a.txt", "--show"], 0),
        (["properties", "{folder}", "--show"], 0),
        (["audit", "{folder}", "--show"], 0),
        (["audit", "{folder}", "--copies"], 1),
        (["forecast", "{folder}", "--documents"], 1),
    ],
)
def test_a_number_of_things_is_a_whole_number(command, least, given, tmp_path, capsys):
    arguments = [argument.format(folder=tmp_path) for argument in command[:-1]]
    with pytest.raises(SystemExit, match="2"):
        main([*arguments, f"{command[-1]}={given}"])
    told = capsys.readouterr().err
    assert f"{command[-1]}: must be a whole number, {least} or more, not “{given[:30]}" in told
    assert len(told) < 5_000


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_says_what_how_much_and_of_how_much(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    with shown_progress(quiet=False) as progress:
        progress(ProgressReport(Stage.DISCOVER, 0, 0))
        progress(ProgressReport(Stage.READ, 12, 2000))
        progress(ProgressReport(Stage.COMPARE, 16, 64))

    lines = sys.stderr.getvalue().split("\r")
    assert [line for line in lines if "Looking for documents\x1b[K" in line]
    assert [line for line in lines if "Reading documents · 12 of 2,000 documents\x1b[K" in line]
    assert [line for line in lines if "Comparing pairs · 25%\x1b[K" in line]
    assert lines[-1] == "\x1b[K"  # nothing stays


def test_a_line_that_is_too_long_is_cut_by_the_terminal(monkeypatch):
    """Where it went on in the next line, every report would leave one."""
    monkeypatch.setattr(sys, "stderr", Terminal())

    with shown_progress(quiet=False) as progress:
        progress(ProgressReport(Stage.MEET, 1, 2))

    (line,) = [line for line in sys.stderr.getvalue().split("\r") if "Looking" in line]
    assert line.startswith("\x1b[?7l")
    assert line.endswith("\x1b[?7h")
