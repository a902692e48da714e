"""Setting text aside on the command line: scan, review, report and audit."""

import json
import random

import pytest

from core.commands.main import main

COVER = (
    "School of Lamps\n\nI declare that <this> essay is my own work and nobody's else at all.\n\n"
)


@pytest.fixture
def folder(tmp_path):
    rng, folder = random.Random(1), tmp_path / "essays"
    folder.mkdir()
    for number in range(6):
        own = " ".join(f"w{rng.randrange(3000)}" for _ in range(60))
        text = f"{COVER}{own} “the lamps stay on all night in here” he said."
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


def pairs_in(path):
    return len(json.loads(path.read_text(encoding="utf-8"))["pairs"])


def test_cover_sheets_and_quotations_make_no_pairs(folder, tmp_path, capsys):
    table, report = tmp_path / "p.json", tmp_path / "r.html"
    line = ["scan", str(folder), "--pairs", str(table), "--report", str(report)]
    assert main(line) == 0
    assert pairs_in(table) == 15
    assert "Set aside" not in report.read_text(encoding="utf-8")
    assert main([*line, "--set-aside", "repeated, quotations"]) == 0
    assert pairs_in(table) == 0
    assert "Set aside in 6 documents" in capsys.readouterr().out
    whole = json.loads(table.read_text(encoding="utf-8"))
    assert whole["set_aside_by"]["quotations"] is True
    (first, *_) = whole["set_aside"]
    text = (folder / "0.txt").read_text(encoding="utf-8")
    shown = [text[start:end] for start, end, _ in first["spans"]]
    assert shown == [COVER.rstrip(".\n"), "“the lamps stay on all night in here”"]
    assert first["set_aside"] == sum(map(len, shown))
    page = report.read_text(encoding="utf-8")
    assert "Set aside in 6 documents" in page
    assert "heading or cover sheet" in page


def test_a_review_keeps_rules_until_they_are_changed(folder, tmp_path):
    review, table = tmp_path / "r.neardup", tmp_path / "p.json"
    line = ["scan", str(folder), "--review", str(review), "--pairs", str(table), "--quiet"]
    cover = tmp_path / "cover.txt"
    cover.write_text(COVER, encoding="utf-16")
    assert main([*line, "--set-aside", "quotations", "--set-aside-text", str(cover)]) == 0
    assert pairs_in(table) == 0
    (folder / "new.txt").write_text(COVER + "only this", encoding="utf-8")
    assert main(line) == 0
    assert pairs_in(table) == 0
    assert main(["report", str(review), str(table), "--set-aside", "nothing", "--quiet"]) == 0
    assert pairs_in(table) >= 15
    assert main(["report", str(review), str(table), "--quiet"]) == 0
    assert pairs_in(table) == 0
    page = tmp_path / "r.html"
    assert main(["report", str(review), str(page), "--quiet"]) == 0
    assert "I declare that &lt;this&gt; essay" in page.read_text(encoding="utf-8")
    assert main([*line, "--set-aside", "nothing"]) == 0
    assert pairs_in(table) >= 15


def test_an_audit_leaves_it_out(folder, tmp_path):
    figures = tmp_path / "a.json"
    line = ["audit", str(folder), "--json", str(figures), "--quiet", "--method", "all-pairs"]
    assert main(line) == 0
    whole = json.loads(figures.read_text())
    assert main([*line, "--set-aside", "repeated,quotations"]) == 0
    assert json.loads(figures.read_text()) != whole


def test_an_audit_leaves_a_template_out_and_looks_at_references(folder, tmp_path):
    figures, template = tmp_path / "a.json", tmp_path / "template.txt"
    line = ["audit", str(folder), "--json", str(figures), "--quiet", "--method", "all-pairs"]
    assert main(line) == 0
    whole = json.loads(figures.read_text())
    template.write_text(next(folder.glob("*.txt")).read_text())
    assert main([*line, "--template", str(template)]) == 0
    beside = json.loads(figures.read_text())
    assert beside["all_pairs"]["wanted"] < whole["all_pairs"]["wanted"]
    assert main([*line, "--reference", str(template)]) == 0
    assert json.loads(figures.read_text())["documents"] == whole["documents"] + 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set-aside", "poems"], "“poems” cannot be set aside"),
        (["--set-aside", "common"], "“common” cannot be set aside"),
        (["--set-aside", "common=1"], "common from 2 documents on, not 1"),
        (["--set-aside", "nothing,quotations"], "“nothing” cannot be set aside"),
        (["--set-aside", ""], "“” cannot be set aside"),
        (["--set-aside-text", "missing.txt"], "missing.txt cannot be read"),
        (["--set-aside-text", "empty.txt"], "There is no word in"),
        (["--set-aside-text", "image.png"], "is no text"),
    ],
)
def test_what_cannot_be_is_said(folder, tmp_path, capsys, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text(" … \n\n")
    (tmp_path / "image.png").write_bytes(bytes(range(256)) * 9)
    assert main(["scan", str(folder), "--quiet", *options]) != 0
    assert words in capsys.readouterr().err
