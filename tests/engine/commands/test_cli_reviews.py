"""Reviews on the command line: kept, brought up to date, reported, asked."""

import json
import random

import pytest

from core.commands.main import main


def text_of(number):
    rng = random.Random(number // 2)
    words = [f"w{rng.randrange(3000)}" for _ in range(200)]
    words[number % 2 :: 40] = [f"x{number}"] * len(words[number % 2 :: 40])
    return " ".join(words)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(20):
        (folder / f"text{number:02}.txt").write_text(text_of(number), encoding="utf-8")
    return folder


@pytest.fixture
def review(folder, tmp_path):
    assert main(["scan", str(folder), "--review", str(tmp_path / "r.neardup"), "--quiet"]) == 0
    return tmp_path / "r.neardup"


def test_a_review_gives_the_same_tables_without_its_documents(folder, review, tmp_path, capsys):
    main(["scan", str(folder), "--pairs", str(tmp_path / "scan.csv"), "--quiet"])
    for file in folder.iterdir():
        file.unlink()

    assert main(["report", str(review), str(tmp_path / "review.csv")]) == 0

    assert "Written: " in capsys.readouterr().out
    assert (tmp_path / "review.csv").read_text() == (tmp_path / "scan.csv").read_text()
    assert main(["report", str(review), str(tmp_path / "review.html"), "--quiet"]) == 0
    assert "text00.txt" in (tmp_path / "review.html").read_text()


def test_of_many_documents_that_are_gone_as_many_are_named_as_pairs(folder, review, capsys):
    for number in (3, 4, 5):
        (folder / f"text{number:02}.txt").unlink()

    assert main(["scan", str(folder), "--review", str(review), "--show", "2"]) == 0

    out = capsys.readouterr().out
    assert "Kept with the text of an earlier scan: 3 documents" in out
    assert out.count("\n  text0") == 2
    assert "  … and 1 more; --show N prints more." in out


def test_a_review_is_brought_up_to_date(folder, review, tmp_path, capsys):
    (folder / "text03.txt").unlink()
    (folder / "text44.txt").write_text(text_of(0) + " more", encoding="utf-8")

    assert main(["scan", str(folder), "--review", str(review)]) == 0
    out = capsys.readouterr().out
    assert "Files since the last scan: 1 added, 1 gone (text03.txt)." in out
    assert "\n20 documents, 1 more gone or not read, " in out
    assert "text02.txt | text03.txt [gone since 2" in out
    assert main(["scan", str(folder), "--review", str(review), "--forget-gone"]) == 0
    out = capsys.readouterr().out
    assert "20 documents, " in out
    assert "Not listed, kept in the review: 1 document that you took off the list" in out
    main(["report", str(review), str(tmp_path / "review.csv"), "--quiet"])
    main(["scan", str(folder), "--pairs", str(tmp_path / "scan.csv"), "--quiet"])

    assert (tmp_path / "review.csv").read_text() == (tmp_path / "scan.csv").read_text()
    assert "text44.txt" in (tmp_path / "scan.csv").read_text()


def test_nothing_is_forgotten_of_a_folder_that_may_not_be_connected(folder, review, capsys):
    place = folder.rename(folder.parent / "elsewhere")
    command = ["scan", str(folder), "--review", str(review), "--forget-gone"]
    before = review.read_bytes()
    assert main(command) == 2
    assert "does not exist" in capsys.readouterr().err
    assert review.read_bytes() == before

    folder.mkdir()
    for _ in range(2):
        assert main(command) == 0
        out = capsys.readouterr().out
        assert "0 documents, 20 more gone or not read, 10 pairs" in out
        assert "No document is left in" in out

    assert main(["scan", str(place), "--review", str(review), "--forget-gone"]) == 0
    assert "20 documents, 10 pairs" in capsys.readouterr().out


@pytest.mark.parametrize("where", ["folder", "review"])
def test_a_file_is_compared_with_all_documents(where, folder, review, tmp_path, capsys):
    question = tmp_path / "question.txt"
    question.write_text(text_of(6) + " and a little more", encoding="utf-8")
    place = str(review if where == "review" else folder)

    assert main(["query", place, str(question), "--json", str(tmp_path / "a.json")]) == 0

    out = capsys.readouterr().out
    assert "question.txt: like 2 documents" in out
    (answer,) = json.loads((tmp_path / "a.json").read_text())
    assert [one["document"] for one in answer["matches"]] == ["text06.txt", "text07.txt"]
    assert answer["matches"][0]["containment_document"] == 1
    assert answer["matches"][0]["found_by"] == "lsh+passage+reworked"


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
def test_what_is_wrong_is_a_sentence(arguments, status, sentence, folder, review, capsys):
    (folder / "empty.txt").write_text("")
    (folder / "text.neardup").write_text("a text of somebody")
    named = [one.format(review=review, folder=folder) for one in arguments]

    assert main(named) == status

    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
    assert (folder / "text.neardup").read_text() == "a text of somebody"


def test_common_text_is_shown(tmp_path, capsys):
    rng = random.Random(1)
    common = " ".join(f"c{rng.randrange(10**9)}" for _ in range(50))
    for number in range(120):
        own = " ".join(f"w{rng.randrange(10**9)}" for _ in range(300))
        (tmp_path / f"{number}.txt").write_text(f"{common} {own}")

    assert main(["scan", str(tmp_path)]) == 0

    assert "In 120 documents, for instance 0.txt: “c" in capsys.readouterr().out


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
    assert [(one["document"], one["state"]) for one in head["missing"]] == [
        ("text03.txt", "gone"),
        ("text08.txt", "not read"),
    ]


@pytest.fixture
def old(tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    for number in (0, 1, 2):
        (folder / f"old{number}.txt").write_text(text_of(number) + " older")
    return folder


def pairs_in(path):
    rows = json.loads(path.read_text())["pairs"]
    return {(row["doc_a"], row["doc_b"]) for row in rows}


def test_references_are_given_once_and_kept_by_the_review(folder, old, tmp_path, capsys):
    review, table = tmp_path / "r.neardup", tmp_path / "pairs.json"
    given = ["--reference", str(old), "--review", str(review), "--pairs", str(table)]
    assert main(["scan", str(folder), *given]) == 0
    first = capsys.readouterr().out
    assert "old/old0.txt [reference]" in first
    found = pairs_in(table)
    assert ("old/old0.txt", "texts/text00.txt") in found
    assert ("old/old0.txt", "old/old1.txt") not in found

    assert main(["scan", str(folder), "--review", str(review), "--pairs", str(table)]) == 0

    assert "No file has changed" in capsys.readouterr().out
    assert pairs_in(table) == found
    assert main(["report", str(review), str(table), "--quiet"]) == 0
    assert pairs_in(table) == found


def test_a_report_may_take_a_folder_of_a_review_for_a_reference(folder, old, tmp_path, capsys):
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
    assert main([*arguments, "--reference", str(tmp_path)]) == 2
    assert "is neither a folder of this review nor in one." in capsys.readouterr().err
    assert main([*arguments, "--reference", str(folder), "--template", str(old)]) == 2
    assert "No folder is to review" in capsys.readouterr().err
    assert review.read_bytes() == before


def test_a_report_is_of_what_the_options_ask_for(folder, tmp_path, capsys):
    review, table = tmp_path / "r.neardup", tmp_path / "pairs.json"
    assert main(["scan", str(folder), "--review", str(review), "--quiet"]) == 0
    page = tmp_path / "report.html"
    given = ["report", str(review), str(table), str(page)]
    assert main(given) == 0
    every = pairs_in(table)
    capsys.readouterr()

    assert main([*given, "--pair", "text00.txt", "text01.txt", "--date", "2026-01-02"]) == 0

    out = capsys.readouterr().out
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
    for wrong, said in (
        (["--pair", "text00.txt", "none"], "There is no document “none”."),
        (["--pair", "text00.txt", "text00.txt"], "needs two documents"),
        (["--group", "99"], "there is no group 99"),
        (["--key", str(tmp_path / "k.csv")], "--key needs --withhold-names"),
    ):
        assert main([*given, *wrong]) == 2
        assert said in capsys.readouterr().err
    for wrong in (["--date", "soon"], ["--logo", str(review)], ["--confirmed", "--group", "1"]):
        with pytest.raises(SystemExit):
            main([*given, *wrong])
        capsys.readouterr()


def test_names_are_withheld_and_the_key_is_kept_apart(folder, tmp_path, capsys):
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

    assert main(given) == 0

    said = capsys.readouterr().out
    assert "report.key.csv. Keep it apart." in said
    assert said.index("written as names are: Zebulon Pike.") < said.index("Written: ")
    assert key.read_bytes() == before
    labels = {name for pair in pairs_in(table) for name in pair}
    assert labels <= {row.split(",")[0] for row in before.decode("utf-8-sig").splitlines()}
    other = tmp_path / "other.csv"
    other.write_text("my own table")
    assert main([*given, "--key", str(other)]) == 1
    assert "“other.csv” is no key to names" in capsys.readouterr().err
    assert other.read_text() == "my own table"
    csv_file = tmp_path / "pairs.csv"
    assert main(["report", str(review), str(csv_file), *given[-1:], "--key", str(csv_file)]) == 2
    assert "--key names a file of the report." in capsys.readouterr().err
