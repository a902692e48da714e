"""Which passages of a pair are rare, against counting by hand."""

import pytest

from core.evidence.overlap import figures_of
from core.evidence.passages import find_shared_text
from core.reports.why_words import rare_in_words
from core.scan.flow import scan
from core.scan.passage_list import CountedPassage, rare_passages
from core.settings import ScanSettings

SHEET = "This work is my own and I have marked every source that I have used in writing it. " * 2
OWN = "Nobody in the harbour office could say when the buoy was painted green or by whom. " * 2
FILLER = ("lime {0} oak", "ash {0} elm", "yew {0} pine", "rowan {0} hazel")
SETTINGS = ScanSettings()


@pytest.fixture
def found(tmp_path):
    """Four documents with one cover sheet; the first two share a page besides."""
    for number, words in enumerate(FILLER):
        filler = " ".join(words.format(f"{number}x{place}") for place in range(40))
        own = OWN if number < 2 else ""
        (tmp_path / f"{number}.txt").write_text(f"{SHEET}\n{filler}\n{own}", encoding="utf-8")
    found = scan([tmp_path], SETTINGS)
    yield found
    found.close()


def rare(found):
    texts = [found.texts[number] for number in (0, 1)]
    passages, _ = find_shared_text(*texts, SETTINGS)
    return passages, rare_passages(found, (0, 1), passages, SETTINGS)


def test_the_passage_that_only_two_hold_comes_first(found):
    passages, counted = rare(found)
    starts = [found.texts[0][passages[one.place].a_start :] for one in counted.passages]
    assert [one.holders for one in counted.passages] == [2, 4]
    assert starts[0].startswith("Nobody")
    assert starts[1].startswith("This work")
    assert counted.documents == 4


def test_what_is_left_is_measured_without_the_common_passage(found):
    _, counted = rare(found)
    texts = [found.texts[number].replace(SHEET, "") for number in (0, 1)]
    assert counted.without_common is not None
    alone = figures_of(*texts, SETTINGS)
    assert counted.without_common.shared_shingles == alone.shared_shingles
    assert counted.without_common.resemblance == pytest.approx(alone.resemblance, abs=0.02)


def test_a_committee_reads_it(found):
    said = rare_in_words(rare(found)[1])
    assert "of its 32 words that are the same, no other of the 4 documents has 10" in said[0]
    assert "10 or more in a row stand in each of 2 other documents, 36 of them in all" in said[1]
    assert "is left" in said[2]


def test_a_passage_of_which_others_have_a_part_is_not_called_rare(tmp_path):
    """The longest stretch that is the same stands in two documents alone, a half of it in three."""
    own = OWN.split()
    half = " ".join(own[:17])
    for number, words in enumerate(FILLER):
        filler = " ".join(words.format(f"{number}x{place}") for place in range(40))
        last = OWN if number < 2 else half
        (tmp_path / f"{number}.txt").write_text(f"{filler}\n{last}", encoding="utf-8")
    found = scan([tmp_path], SETTINGS)
    passages, counted = rare(found)
    found.close()

    assert [one.tokens for one in passages] == [len(own)]
    assert counted.passages == (CountedPassage(0, len(own), 10, 4, len(own)),)
    assert "stand in each of 2 other documents" in rare_in_words(counted)[0]
    assert counted.without_common is not None
    assert counted.without_common.shared_shingles == 0


def test_two_documents_alone_have_no_others(tmp_path):
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text(f"{OWN} {FILLER[number]}", encoding="utf-8")
    found = scan([tmp_path], SETTINGS)
    _, counted = rare(found)
    found.close()

    assert rare_in_words(counted) == ("There is no other document that could have its passages.",)


def test_a_pair_without_passages_says_nothing(found):
    assert rare_in_words(rare_passages(found, (2, 3), (), SETTINGS)) == ()
