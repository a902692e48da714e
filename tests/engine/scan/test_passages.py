"""The passages of a scan: what stands in which of its documents."""

from core.scan.flow import scan
from core.scan.passage_list import holders_of, passages_of
from core.settings import ScanSettings
from core.text.identity import text_hashes

FORM = "Every student hands in this form with the name of the course and the date."


def test_documents_that_hold_a_span_are_counted_with_their_copies(tmp_path, pool):
    own = [f"{FORM} My own words are about subject {number}." for number in range(5)]
    for number, text in enumerate([*own, own[0], "Something else."]):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    for settings in (ScanSettings(), ScanSettings(unit="char", k=5)):
        result = scan([tmp_path], settings)
        found = holders_of(result, 0, [[(0, len(FORM))], [(0, len(own[0]))], [(0, 0)]])
        result.close()

        assert [one.documents for one in found] == [6, 6, 0]
        form, end = len(FORM.split()), len(own[0].split())
        assert found[1].counts[0].tolist() == [6] * (end - 1) + [2]
        assert form < end


def test_passages_say_their_documents_and_where_they_stand(tmp_path):
    form = f"{FORM} " * 3
    own = [f"My words number {number} begin: {form}" for number in range(3)]
    for name, text in zip("abcde", [*own, own[1], "Something else."], strict=True):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    result = scan([tmp_path], ScanSettings())

    found = passages_of(result, result.settings)
    longer = passages_of(result, result.settings.with_changes(min_passage=200))
    result.close()

    assert found.documents.tolist() == [4]
    assert found.words.tolist() == [46]
    assert found.firsts == [0]
    assert found.beginnings[0].startswith("begin: Every student hands in this form")
    assert found.holders(0) == [0, 1, 2, 3]
    assert found.keys == text_hashes([f"BEGIN {form}"])
    for document in range(4):
        ((start, end),) = found.spans_in(0, document)
        assert result.texts[document][start:end] == found.text_of(0) == f"begin: {form}"[:-2]
    assert len(longer) == 0


def test_places_that_overlap_are_marked_as_one(tmp_path):
    (tmp_path / "a.txt").write_text("la " * 100, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Oh " + "la " * 40, encoding="utf-8")
    result = scan([tmp_path], ScanSettings())

    found = passages_of(result, result.settings)
    result.close()

    assert found.documents.tolist() == [2]
    assert found.spans_in(0, 0) == [(0, 299)]
    assert found.spans_in(0, 1) == [(3, 122)]


def test_documents_that_are_gone_hold_passages_and_those_taken_off_do_not(tmp_path):
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text(f"{FORM} " * 3 + f"w{number}", encoding="utf-8")
    first = scan([tmp_path], ScanSettings())
    (tmp_path / "0.txt").unlink()
    (tmp_path / "1.txt").unlink()
    again = scan([tmp_path], ScanSettings(), previous=first.state)
    found = passages_of(again, again.settings)

    assert found.holders(0) == [0, 1, 2, 3]
    assert len(again.documents) == 4
