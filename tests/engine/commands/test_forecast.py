"""`neardup forecast`: what every choice of bands and rows would do in a folder."""

import csv

import numpy as np
import pytest

from core.commands.main import main

ARGUMENTS = ("--k", "2", "--quiet", "--reworked", "off", "--compare", "bands", "--above", "0.2")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    rng = np.random.default_rng(5)
    words = [f"w{word}" for word in rng.integers(0, 200, 40)]
    for number in range(90):
        for place in rng.integers(0, 40, 3):
            words[place] = f"w{rng.integers(200)}"
        (folder / f"{number}.txt").write_text(" ".join(words))
    return folder


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_every_choice_is_written_and_the_efficient_ones_are_printed(folder, tmp_path, capsys):
    path = tmp_path / "plane.csv"
    arguments = [one for one in ARGUMENTS if one != "--quiet"]
    assert main(["forecast", str(folder), *arguments, "--csv", str(path)]) == 0
    said = capsys.readouterr().out
    rows = rows_of(path)

    assert len(rows) == sum(128 // rows for rows in range(1, 129))
    efficient = [row for row in rows if row["efficient"] == "yes"]
    assert f"{len(efficient)} choices are efficient, of {len(rows)} with b × r ≤ 128" in said
    assert "90 documents. Estimated, with 95 % intervals: about " in said
    best = min(efficient, key=lambda row: float(row["candidates"]))
    assert f"{best['bands']} × {best['rows']}" in said
    for row in rows:
        assert float(row["missed_low"]) <= float(row["missed"]) <= float(row["missed_high"])


def test_more_documents_are_told_by_the_square(folder, tmp_path, capsys):
    few, many = tmp_path / "few.csv", tmp_path / "many.csv"
    assert main(["forecast", str(folder), *ARGUMENTS, "--csv", str(few)]) == 0
    more = ("--documents", "900", "--csv", str(many))
    assert main(["forecast", str(folder), *ARGUMENTS, *more]) == 0
    assert capsys.readouterr().out == ""
    for one, other in zip(rows_of(few), rows_of(many), strict=True):
        assert float(other["candidates"]) == pytest.approx(100 * float(one["candidates"]), abs=0.01)
        assert float(other["missed"]) == pytest.approx(100 * float(one["missed"]), abs=0.01)
    printed = [one for one in ARGUMENTS if one != "--quiet"]
    assert main(["forecast", str(folder), *printed, "--documents", "900"]) == 0
    assert "for 900 like these" in capsys.readouterr().out


def test_all_pairs_are_counted_where_that_is_quick(folder, capsys):
    assert main(["forecast", str(folder), "--k", "2", "--reworked", "off"]) == 0
    assert "All pairs were compared" in capsys.readouterr().out


def test_where_nothing_is_found_it_says_so(tmp_path, capsys):
    for number in range(80):
        (tmp_path / f"{number}.txt").write_text(" ".join(f"{number}w{n}" for n in range(20)))
    strict = ("--bands", "1", "--rows", "64", "--compare", "bands", "--reworked", "off")
    assert main(["forecast", str(tmp_path), *strict, "--above", "0.1"]) == 0
    said = capsys.readouterr().out
    assert "about 0 pairs from 0.10 on" in said
    assert "1 choice is efficient" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--signature", "simhash"], "no bands"),
        (["--above", "2"], "between 0 and 1"),
        (["--above", "nan"], "between 0 and 1"),
        (["--documents", "0"], "1 or more"),
    ],
)
def test_bad_usage_is_a_sentence(folder, capsys, arguments, words):
    assert main(["forecast", str(folder), *arguments]) == 2
    assert words in capsys.readouterr().err
