"""Folders of two to six documents: a lawyer's commonest case, and nothing to compare it with."""

import csv
import json
import random
import re
from itertools import combinations

import pytest

from core.commands.main import main

SYLLABLES = ("ba", "lo", "mer", "tin", "ka", "sol", "ver", "nu", "pra", "den", "fi", "gro")
VERSIONS = 288  # words


def prose(seed, words=VERSIONS):
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))) for _ in range(400)]
    return [draw.choice(vocabulary) for _ in range(words)]


def version(number):
    """The same text with other words here and there, as a contract that is drafted again."""
    words = prose(0)
    for place in random.Random(number).sample(range(len(words)), 3 * number):
        words[place] = f"change{number}"
    return words


KINDS = {
    "related": version,
    "unrelated": lambda number: prose(number + 1),
    "same": lambda _: prose(0),
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(params=[2, 3, 4, 6])
def documents(request):
    return request.param


@pytest.fixture
def scanned(tmp_path, kind, documents):
    """The rows, the page and the passages of a folder, scanned as a user does."""
    folder = tmp_path / "contracts"
    folder.mkdir()
    for number in range(documents):
        words = KINDS[kind](number)
        lines = [" ".join(words[start : start + 12]) + "." for start in range(0, len(words), 12)]
        (folder / f"draft {number}.md").write_text("\n".join(lines), encoding="utf-8")
    outputs = [tmp_path / name for name in ("pairs.csv", "report.html", "passages.json")]
    options = zip(("--pairs", "--report", "--passages"), map(str, outputs), strict=True)

    status = main(["scan", str(folder), *(part for both in options for part in both), "--quiet"])

    assert status == 0
    with outputs[0].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return rows, outputs[1].read_text(encoding="utf-8"), json.loads(outputs[2].read_text("utf-8"))


def test_what_is_listed_and_said_of_few_documents(scanned, kind, documents):
    rows, page, passages = scanned
    pairs = documents * (documents - 1) // 2

    assert len(rows) == len(passages) == (0 if kind == "unrelated" else pairs)
    assert "unrelated pairs" not in page
    said = set(re.findall(r"[\w, ]+ of the ([\d,]+) pairs of different texts ha(?:s|ve)", page))
    # Of two documents there is no other pair; documents with the same words are one.
    assert said == ({f"{pairs}"} if kind == "related" and documents > 2 else set())


def test_the_strongest_pair_of_a_folder_is_said_to_be_it(scanned, kind, documents):
    rows, page, _ = scanned
    if kind == "related" and documents > 2:
        scores = [float(row["reworked_bits"]) for row in rows]
        assert page.count("No other of the") == scores.count(max(scores))
    else:
        assert "No other of the" not in page


def test_numbers_of_few_documents_are_possible(scanned, kind):
    rows, _, passages = scanned
    for row in rows:
        resemblance, share = float(row["resemblance"]), float(row["reworked_share"])
        assert 0.3 < resemblance <= 1
        assert (resemblance == 1) == (kind == "same")
        assert 0.8 < share <= 1
        assert 250 <= int(row["reworked_words"]) <= VERSIONS
    names = {tuple(sorted((one["doc_a"], one["doc_b"]))) for one in passages}
    assert names <= set(combinations(sorted({name for pair in names for name in pair}), 2))


def test_a_copy_and_a_reference_are_counted_as_texts(tmp_path):
    """What is counted is said: a copy makes no other pair of texts, an earlier year's text does."""
    folder, earlier = tmp_path / "contracts", tmp_path / "earlier"
    for directory, numbers in ((folder, (0, 1)), (earlier, (2,))):
        directory.mkdir()
        for number in numbers:
            (directory / f"draft {number}.md").write_text(" ".join(version(number)), "utf-8")
    (folder / "copy.md").write_text(" ".join(version(1)), "utf-8")
    page = tmp_path / "report.html"

    arguments = ["--reference", str(earlier), "--report", str(page), "--quiet"]
    assert main(["scan", str(folder), *arguments]) == 0

    counted = re.findall(r"the (\d+) pairs of different texts", page.read_text("utf-8"))
    assert set(counted) == {"3"}
