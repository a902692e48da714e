"""The list of passages: what documents share and what was judged, in one order."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest

from core.evidence.overlap import figures_of, numbers_of
from core.evidence.passages import find_shared_text
from core.exclusions.rules import ExclusionRules, Phrase
from core.reports.why_words import rare_in_words
from core.scan.flow import scan
from core.scan.judgements import PassageJudgement, PassageMeaning
from core.scan.lister import PairLister
from core.scan.measured_pairs import LENGTHS, below_by_passage, other_lengths
from core.scan.pair_details import CountedPassage, rare_passages
from core.scan.passage_list import find_judged, holders_of, list_passages, passages_of
from core.settings import ScanSettings
from core.text.identity import text_hashes
from core.text.set_aside import Reason
from tests.pairs import corpus_of
from tests.texts import folder_with

OPTIONS = ScanSettings(
    k=2, bands=4, rows=8, min_passage=30, min_resemblance=0.5, compare="bands", reworked="off"
)


def quoting_texts(count, seed=1):
    """Texts of 200 words, each with a part of the one before it, 5 to 70 words long."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 30_000, 200)] for _ in range(count)]
    for before, words in pairwise(texts):
        length = int(rng.integers(5, 70))
        words[:length] = before[100 : 100 + length]
    return [" ".join(words) for words in texts]


def listed(texts, pool, options):
    corpus = corpus_of(texts, options, pool)
    return corpus, PairLister(corpus).list_pairs(options).every


def truth(corpus, options, words):
    x, y = np.array(list(combinations(range(len(corpus)), 2))).T
    overlap = corpus.evidence.measured(x, y)
    numbers = numbers_of(overlap, corpus.evidence.sizes(), corpus.signed.units, x, y, options.k)
    return int(((numbers.run_words >= words) & (numbers.resemblance < 0.5)).sum())


@pytest.mark.parametrize("count", [40, 120])
def test_longer_passages_are_counted_and_shorter_ones_estimated(pool, count):
    corpus, every = listed(quoting_texts(count), pool, OPTIONS)

    lengths = other_lengths(corpus, every, OPTIONS)

    assert [length.words for length in lengths] == [words for words in LENGTHS if words != 30]
    assert len(below_by_passage(every, OPTIONS)) == truth(corpus, OPTIONS, 30) > 0
    for length in lengths:
        expected = truth(corpus, OPTIONS, length.words)
        if length.words > 30:
            assert not length.is_shorter
            assert tuple(length.pairs) == (expected, expected, expected)
        else:
            assert length.is_shorter
            assert length.pairs.low <= expected <= length.pairs.high
    assert lengths[0].pairs.expected >= lengths[1].pairs.expected >= lengths[-1].pairs.expected


def test_where_all_pairs_are_drawn_shorter_ones_are_counted(pool):
    corpus, every = listed(quoting_texts(40), pool, OPTIONS)

    for length in other_lengths(corpus, every, OPTIONS):
        count = truth(corpus, OPTIONS, length.words)
        assert tuple(length.pairs) == (count, count, count)


@pytest.mark.parametrize("texts", [[], ["only one"], ["the same", "the same"]])
def test_folders_without_pairs(pool, texts):
    corpus, every = listed(texts, pool, OPTIONS)

    assert all(length.pairs.expected == 0 for length in other_lengths(corpus, every, OPTIONS))


FORM = "Every student hands in this form with the name of the course and the date."


def test_documents_that_hold_a_span_are_counted_with_their_copies(tmp_path, pool):
    texts = [f"{FORM} My own words are about subject {number}." for number in range(5)]
    for number, text in enumerate([*texts, texts[0], "Something else."]):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    for settings in (ScanSettings(), ScanSettings(unit="char", k=5)):
        result = scan([tmp_path], settings)
        passages = holders_of(result, 0, [[(0, len(FORM))], [(0, len(texts[0]))], [(0, 0)]])
        result.close()

        assert [passage.documents for passage in passages] == [6, 6, 0]
        form, end = len(FORM.split()), len(texts[0].split())
        assert passages[1].counts[0].tolist() == [6] * (end - 1) + [2]
        assert form < end


def test_passages_say_their_documents_and_where_they_stand(tmp_path):
    form = f"{FORM} " * 3
    texts = [f"My words number {number} begin: {form}" for number in range(3)]
    for name, text in zip("abcde", [*texts, texts[1], "Something else."], strict=True):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    result = scan([tmp_path], ScanSettings())

    passages = passages_of(result, result.settings)
    longer = passages_of(result, result.settings.with_changes(min_passage=200))
    result.close()

    assert passages.documents.tolist() == [4]
    assert passages.words.tolist() == [46]
    assert passages.firsts == [0]
    assert passages.beginnings[0].startswith("begin: Every student hands in this form")
    assert passages.holders(0) == [0, 1, 2, 3]
    assert passages.keys == text_hashes([f"BEGIN {form}"])
    for document in range(4):
        ((start, end),) = passages.spans_in(0, document)
        assert result.texts[document][start:end] == passages.text_of(0) == f"begin: {form}"[:-2]
    assert len(longer) == 0


def test_places_that_overlap_are_marked_as_one(tmp_path):
    (tmp_path / "a.txt").write_text("la " * 100, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Oh " + "la " * 40, encoding="utf-8")
    result = scan([tmp_path], ScanSettings())

    passages = passages_of(result, result.settings)
    result.close()

    assert passages.documents.tolist() == [2]
    assert passages.spans_in(0, 0) == [(0, 299)]
    assert passages.spans_in(0, 1) == [(3, 122)]


def test_documents_that_are_gone_hold_passages_and_those_taken_off_do_not(tmp_path):
    folder_with(tmp_path, {f"{number}.txt": f"{FORM} " * 3 + f"w{number}" for number in range(4)})
    first = scan([tmp_path], ScanSettings())
    (tmp_path / "0.txt").unlink()
    (tmp_path / "1.txt").unlink()
    again = scan([tmp_path], ScanSettings(), previous=first.state)

    assert passages_of(again, again.settings).holders(0) == [0, 1, 2, 3]
    assert len(again.documents) == 4


SHEET = "This work is my own and I have marked every source that I have used in writing it. " * 2
RARE = "Nobody in the harbour office could say when the buoy was painted green or by whom. " * 2
FILLER = ("lime {0} oak", "ash {0} elm", "yew {0} pine", "rowan {0} hazel")
SETTINGS = ScanSettings()


@pytest.fixture
def scanned(tmp_path):
    """Four documents with one cover sheet; the first two share a page besides."""
    for number, words in enumerate(FILLER):
        filler = " ".join(words.format(f"{number}x{index}") for index in range(40))
        rare_part = RARE if number < 2 else ""
        (tmp_path / f"{number}.txt").write_text(f"{SHEET}\n{filler}\n{rare_part}", encoding="utf-8")
    scanned = scan([tmp_path], SETTINGS)
    yield scanned
    scanned.close()


def rare(scanned):
    texts = [scanned.texts[number] for number in (0, 1)]
    passages = find_shared_text(*texts, SETTINGS).passages
    return passages, rare_passages(scanned, (0, 1), passages, SETTINGS)


def test_the_passage_that_only_two_hold_comes_first(scanned):
    passages, counted = rare(scanned)
    starts = [
        scanned.texts[0][passages[passage.position].a_start :] for passage in counted.passages
    ]
    assert [passage.holders for passage in counted.passages] == [2, 4]
    assert starts[0].startswith("Nobody")
    assert starts[1].startswith("This work")
    assert counted.documents == 4


def test_what_is_left_is_measured_without_the_common_passage(scanned):
    _, counted = rare(scanned)
    texts = [scanned.texts[number].replace(SHEET, "") for number in (0, 1)]
    assert counted.without_common is not None
    alone = figures_of(*texts, SETTINGS)
    assert counted.without_common.shared_shingles == alone.shared_shingles
    assert counted.without_common.resemblance == pytest.approx(alone.resemblance, abs=0.02)


def test_a_committee_reads_it(scanned):
    sentences = rare_in_words(rare(scanned)[1])
    assert "of its 32 words that are the same, no other of the 4 documents has 10" in sentences[0]
    assert (
        "10 or more in a row stand in each of 2 other documents, 36 of them in all" in sentences[1]
    )
    assert "is left" in sentences[2]


def test_a_passage_of_which_others_have_a_part_is_not_called_rare(tmp_path):
    """The longest stretch that is the same stands in two documents alone, a half of it in three."""
    rare_words = RARE.split()
    half = " ".join(rare_words[:17])
    for number, words in enumerate(FILLER):
        filler = " ".join(words.format(f"{number}x{index}") for index in range(40))
        last = RARE if number < 2 else half
        (tmp_path / f"{number}.txt").write_text(f"{filler}\n{last}", encoding="utf-8")
    scanned = scan([tmp_path], SETTINGS)
    passages, counted = rare(scanned)
    scanned.close()

    assert [passage.tokens for passage in passages] == [len(rare_words)]
    assert counted.passages == (CountedPassage(0, len(rare_words), 10, 4, len(rare_words)),)
    assert "stand in each of 2 other documents" in rare_in_words(counted)[0]
    assert counted.without_common is not None
    assert counted.without_common.shared_shingles == 0


def test_two_documents_alone_have_no_others(tmp_path):
    folder_with(tmp_path, {f"{number}.txt": f"{RARE} {FILLER[number]}" for number in range(2)})
    scanned = scan([tmp_path], SETTINGS)
    _, counted = rare(scanned)
    scanned.close()

    assert rare_in_words(counted) == ("There is no other document that could have its passages.",)


def test_a_pair_without_passages_says_nothing(scanned):
    assert rare_in_words(rare_passages(scanned, (2, 3), (), SETTINGS)) == ()


rng = random.Random(3)
COVER, QUOTED, UNHELD = (
    " ".join(f"{name}{rng.randrange(400)}" for _ in range(50)) for name in ("c", "q", "g")
)


def judged_as(meaning, *texts):
    return {text_hashes([text])[0]: PassageJudgement(meaning, text, "Ann", "") for text in texts}


@pytest.fixture
def scanned_forms(tmp_path, pool):
    rng = random.Random(4)
    for number in range(6):
        words = " ".join(f"w{rng.randrange(9000)}" for _ in range(40))
        parts = [COVER if number < 4 else "", words, QUOTED if number in {3, 5} else ""]
        (tmp_path / f"{number}.txt").write_text(" ".join(parts), encoding="utf-8")
    return scan([tmp_path], ScanSettings(), pool=pool)


def rows_of(listed):
    columns = (listed.documents.tolist(), listed.words.tolist(), listed.keys)
    return list(zip(*columns, strict=True))


def test_what_is_set_aside_stays_in_the_list(scanned_forms):
    cover, quoted = text_hashes([COVER, QUOTED])
    before = list_passages(scanned_forms, scanned_forms.settings, {})
    assert rows_of(before) == [(4, 50, cover), (2, 50, quoted)]

    with_rules = scanned_forms.with_rules(
        ExclusionRules(phrases=(Phrase(COVER.upper(), Reason.STANDARD),))
    )
    judged = judged_as(PassageMeaning.STANDARD, COVER.upper(), UNHELD)
    after = list_passages(with_rules, with_rules.settings, judged)

    assert rows_of(after) == [(4, 50, cover), (2, 50, quoted), (0, 50, text_hashes([UNHELD])[0])]
    for row, number in ((0, 2), (1, 5)):
        assert before.holders(row) == after.holders(row)
        assert before.spans_in(row, number) == after.spans_in(row, number)
        ((start, end),) = after.spans_in(row, number)
        assert with_rules.texts[number][start:end] == (COVER, QUOTED)[row]
    assert after.holders(2) == []
    assert [after.text_of(row) for row in range(3)] == [COVER.upper(), QUOTED, UNHELD]
    assert before.beginnings[0] == COVER


def test_a_passage_that_is_found_is_there_once_when_it_is_judged(scanned_forms):
    listed = list_passages(
        scanned_forms, scanned_forms.settings, judged_as(PassageMeaning.COPIED, QUOTED)
    )

    assert listed.documents.tolist() == [4, 2]


def test_judged_passages_say_their_documents(scanned_forms):
    copied, cover = find_judged(scanned_forms, judged_as(PassageMeaning.COPIED, QUOTED, COVER))

    assert list(copied.spans_by_document) == [0, 1, 2, 3]
    assert list(cover.spans_by_document) == [3, 5]
    assert find_judged(scanned_forms, {}) == []
