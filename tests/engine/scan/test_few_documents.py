"""Folders of two to six documents: a lawyer's commonest case, and nothing to compare it with.

Collections in which nearly everything resembles everything: complete, or said to be capped.
"""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest

from core.candidates.reworked import CommonSkipGrams
from core.commands.main import main
from core.documents.model import text_key
from core.evidence.pairs import FoundBy, Pairs
from core.reports.list_words import list_in_words, not_listed_in_words
from core.reports.pair_words import ListedFor, listed_for
from core.scan import reworked
from core.scan.audit_results import CapKind
from core.scan.flow import scan
from core.scan.groups import group_pairs
from core.scan.lister import PairLister
from core.scan.pair_list import ListCounts, PairList, count_pairs
from core.settings import PRESETS, ScanSettings
from tests.engine.scan import hard_texts
from tests.pairs import corpus_of, pairs_with
from tests.texts import folder_with, rows_of_csv

CAREFUL = ScanSettings(reworked="careful", min_resemblance=0.1)


def make_pairs(rows: list[tuple[float, float, FoundBy]]) -> Pairs:
    """Pairs by resemblance, overlap, and how they were found."""
    count = len(rows)
    resemblance, overlap, found_by = (np.array(column) for column in zip(*rows, strict=True))
    return pairs_with(
        np.zeros(count),
        np.arange(1, count + 1),
        resemblance=resemblance,
        found_by=found_by,
        overlap=overlap,
        overlap_a=overlap,
        overlap_b=overlap,
        shared_words=np.full(count, 9),
        reworked_bits=np.full(count, 90),
    )


PAIRS = make_pairs(
    [
        (0.50, 0.00, FoundBy.LSH),
        (0.30, -1.0, FoundBy.LSH),  # not measured
        (0.20, 0.90, FoundBy.LSH | FoundBy.REWORKED),
        (0.05, 0.60, FoundBy.REWORKED),
        (0.04, 0.10, FoundBy.PASSAGE | FoundBy.REWORKED),
    ]
)


def make_list(settings: ScanSettings) -> PairList:
    return PairList(settings=settings, documents=(), problems=(), every=PAIRS)


def test_the_list_is_sorted_by_overlap():
    """Where it was not measured, the resemblance stands for it."""
    assert make_list(CAREFUL).pairs.b.tolist() == [3, 4, 2, 5, 1]
    assert PAIRS.ranked().b.tolist() == [1, 2, 3, 4, 5]


def test_without_passages_the_order_is_by_resemblance():
    alone = PAIRS.without_passages()
    assert alone.shared_words.tolist() == [-1] * 5
    assert alone.worst_first().b.tolist() == [1, 2, 3, 4, 5]


def test_equal_pairs_are_ordered_by_their_longest_run():
    pairs = make_pairs([(0.5, 0.5, FoundBy.LSH)] * 3)
    pairs = pairs.with_columns(longest_run=np.array([3, 9, 3], dtype=np.int32))
    assert pairs.worst_first().b.tolist() == [2, 1, 3]


def test_the_head_of_the_list_is_what_is_listed_for_its_resemblance():
    listed = make_list(CAREFUL.with_changes(list_passages=False))
    assert listed.pairs.b.tolist() == [3, 2, 1]


def test_a_pair_that_shares_a_phrase_and_nothing_else_is_a_weak_trace():
    ways, run = FoundBy.LSH | FoundBy.REWORKED, FoundBy.PASSAGE | FoundBy.REWORKED
    cases = [  # overlap, how found, words, bits, weak
        (0.10, FoundBy.REWORKED, 24, 150, True),
        (0.10, FoundBy.REWORKED, 25, 150, False),
        (0.10, FoundBy.REWORKED, 60, 99, True),
        (0.10, ways, 24, 90, True),
        (0.20, FoundBy.REWORKED, 24, 90, False),  # much of a short text
        (0.10, run, 24, 90, False),
        (0.10, FoundBy.LSH, 0, 0, False),
        (0.10, FoundBy.EXACT, 9, -1, False),
        (-1.0, FoundBy.REWORKED, -1, -1, False),  # not measured
    ]
    overlap, found_by, words, bits, weak = zip(*cases, strict=True)
    pairs = make_pairs([(0.05, *numbers) for numbers in zip(overlap, found_by, strict=True)])
    pairs = pairs.with_columns(
        shared_words=np.array(words, dtype=np.int32), reworked_bits=np.array(bits, dtype=np.float32)
    )
    assert pairs.weak_trace.tolist() == [*weak]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (ListCounts(20, 1, 21), "21 pairs (20 from 0.10 on, 1 more shares a passage of 30 words)"),
        (
            ListCounts(20, 1, 24, 3),
            "24 pairs (20 from 0.10 on, 1 more shares a passage of 30 words, 3 a reworked one)",
        ),
        (
            ListCounts(20, 0, 22, 1, 1),
            "21 pairs (20 from 0.10 on, 1 more shares a reworked passage) and 1 weak trace",
        ),
        (ListCounts(0, 0, 2, 2), "2 pairs (none from 0.10 on, 2 more share a reworked passage)"),
        (ListCounts(0, 0, 2, 0, 2), "no pair from 0.10 on and 2 weak traces"),
    ],
)
def test_how_many_are_listed_for_a_reworked_passage_alone_is_reported(counts, words):
    assert list_in_words(counts, CAREFUL) == words


def test_each_pair_counts_for_one_reason():
    assert count_pairs(PAIRS, CAREFUL) == ListCounts(3, 1, 5, 1)
    low = PAIRS.with_columns(overlap=np.full(len(PAIRS), 0.1))
    assert count_pairs(low, CAREFUL).weak == int(low.weak_trace.sum()) == 2
    assert count_pairs(low, CAREFUL.with_changes(list_passages=False)).weak == 1
    none = CAREFUL.with_changes(list_passages=False)
    counts = count_pairs(PAIRS, none)
    assert (counts.listed, counts.below) == (3, 2)
    assert list_in_words(counts, none).endswith(", 1 a reworked one (not listed)")
    assert not_listed_in_words(counts, none) == (
        "1 more shares a passage of 30 words, 1 a reworked one below a resemblance of 0.10 and "
        "are not listed."
    )


def test_the_reason_is_marked():
    rows = zip(PAIRS.resemblance.tolist(), PAIRS.found_by.tolist(), strict=True)
    marks = [listed_for(ListedFor.of(value, ways, CAREFUL)) for value, ways in rows]
    assert marks == ["", "", "", "reworked only", "passage only"]


def test_who_wants_the_same_text_again_looks_for_nothing_reworked():
    (preset,) = (preset.settings for preset in PRESETS if preset.name == "Same text again")
    assert (preset.list_passages, preset.reworked) == (False, "off")


def test_wording_that_is_too_common_is_reported(monkeypatch):
    original = reworked.pair_by_skip_grams

    def with_common(*arguments):
        return original(*arguments)._replace(common=CommonSkipGrams(7, 300, 290, 1, 5))

    monkeypatch.setattr(reworked, "pair_by_skip_grams", with_common)
    monkeypatch.setattr(reworked, "MEASURED_ALL", {})  # as in a large folder
    texts = ["one two three four five six seven", "eight nine ten eleven twelve thirteen"]
    with ThreadPoolExecutor(1) as pool:
        corpus = corpus_of(texts, CAREFUL, pool)
        (cap,) = PairLister(corpus).list_pairs(CAREFUL).caps
        off = CAREFUL.with_changes(reworked="off")
        assert not PairLister(corpus).list_pairs(off).caps
    assert cap.kind is CapKind.WORDING
    assert cap.sentence("b.txt").startswith("300 documents contain wording that is in too many")


SETTINGS = ScanSettings(compare="bands")


class ScannedTexts:
    """The pairs, groups and notes of a scan of some texts, as files in their order."""

    def __init__(self, folder, texts):
        folder_with(folder, {f"{number:05}.txt": text for number, text in enumerate(texts)})
        result = scan([folder], SETTINGS)
        pair_list = result.list_pairs()
        self.pairs = pair_list.pairs
        result.close()
        self.count = len(result.documents)
        self.listed = list(zip(self.pairs.a.tolist(), self.pairs.b.tolist(), strict=True))
        self.groups = group_pairs(self.pairs, [text_key(document) for document in result.documents])
        self.notes = " ".join(pair_list.notes)
        assert len(set(self.listed)) == len(self.listed)

    @property
    def grouped(self):
        """All documents that stand in a group."""
        return {document for group in self.groups for document in group.documents}


def shared_paragraphs(texts):
    """Pairs of texts with a paragraph in common, and in how many texts each paragraph stands."""
    holders = {}
    for number, text in enumerate(texts):
        for paragraph in set(text.split("\n\n")):
            holders.setdefault(paragraph, []).append(number)
    return [set(combinations(ns, 2)) for ns in holders.values()], map(len, holders.values())


def test_identical_documents_are_one_group(tmp_path):
    scanned = ScannedTexts(tmp_path, hard_texts.identical(1500).texts)

    assert len(scanned.listed) == 1499
    assert scanned.pairs.exact_duplicate.all()
    assert [group.size for group in scanned.groups] == [1500]
    assert "1,500 documents have the same words" in scanned.notes


def test_documents_that_differ_in_a_word_are_one_group(tmp_path):
    scanned = ScannedTexts(tmp_path, hard_texts.near_identical(1200).texts)

    assert [group.size for group in scanned.groups] == [1200]
    assert scanned.pairs.resemblance.min() > 0.9
    assert len(scanned.listed) < 1200 * 1199 // 2
    assert "1,200 documents each have text in common with over 1,000 others" in scanned.notes


def test_what_few_share_is_found_beside_what_all_share(tmp_path):
    case = hard_texts.boilerplate(200)
    scanned = ScannedTexts(tmp_path, case.texts)

    assert len(case.planted) == 50
    assert set(case.planted) <= set(scanned.listed)
    assert "200 documents contain text that is in more than 100 of them" in scanned.notes


def test_the_letters_that_share_most_are_found_among_form_letters(tmp_path):
    case = hard_texts.form_letters(200)
    scanned = ScannedTexts(tmp_path, case.texts)

    assert len(case.planted) == 50
    assert set(case.planted) <= set(scanned.listed)
    assert scanned.grouped == set(range(200))
    ranked = scanned.listed[:50]
    assert set(ranked) == set(case.planted)


@pytest.mark.parametrize(
    ("name", "is_whole"), [("concatenation_first", 0), ("concatenation_last", 99)]
)
def test_a_document_of_all_others_is_paired_with_each(tmp_path, name, is_whole):
    case = getattr(hard_texts, name)(100)
    scanned = ScannedTexts(tmp_path, case.texts)

    assert sorted(scanned.listed) == case.planted
    shares = scanned.pairs.containment_b if is_whole else scanned.pairs.containment_a
    part = scanned.pairs.containment_a if is_whole else scanned.pairs.containment_b
    assert part.tolist() == [1] * 99
    assert shares.max() < 0.05
    assert [group.centre for group in scanned.groups] == [is_whole]
    assert scanned.notes == ""


def test_documents_of_three_words_match_their_copies(tmp_path):
    texts = hard_texts.three_words(500).texts
    texts += texts[:40]
    scanned = ScannedTexts(tmp_path, texts)

    equal = [(a, b) for a, b in combinations(range(len(texts)), 2) if texts[a] == texts[b]]
    assert sorted(scanned.listed) == equal
    assert len(equal) >= 40
    assert "540 of 540 documents: too short for a shingle of 5 words" in scanned.notes


def test_a_word_repeated_matches_no_other_word(tmp_path):
    scanned = ScannedTexts(tmp_path, hard_texts.own_word_repeated(20).texts)

    assert scanned.count == 20
    assert scanned.listed == []


def test_a_word_repeated_more_often_is_no_copy_but_resembles(tmp_path):
    case = hard_texts.same_word_repeated(12)
    scanned = ScannedTexts(tmp_path, case.texts)

    assert len(scanned.listed) == 12 * 11 // 2
    assert set(case.planted) <= set(scanned.listed)
    assert scanned.pairs.resemblance.tolist() == [1] * 66
    assert not scanned.pairs.exact_duplicate.any()
    assert scanned.pairs.longest_run.tolist() == [10_000 + min(pair) for pair in scanned.listed]


def test_the_same_paragraphs_in_every_order_are_one_group(tmp_path):
    scanned = ScannedTexts(tmp_path, hard_texts.shuffled_paragraphs(120).texts)

    assert len(scanned.listed) == 120 * 119 // 2
    assert [len(group.members) for group in scanned.groups] == [119]
    assert scanned.pairs.resemblance.min() > 0.6
    assert not scanned.pairs.exact_duplicate.any()


@pytest.mark.parametrize(("name", "count"), [("pool_of_paragraphs", 300), ("long_patchworks", 8)])
def test_all_who_share_a_paragraph_are_listed(tmp_path, name, count):
    texts = getattr(hard_texts, name)(count).texts
    sharing, sizes = shared_paragraphs(texts)
    scanned = ScannedTexts(tmp_path, texts)

    assert 2 <= max(sizes) <= 100 + 40
    expected = set().union(*(pairs for pairs in sharing if len(pairs) <= 100 * 99 // 2))
    assert expected <= set(scanned.listed)
    assert len(expected) > 20
    if any(len(pairs) > 100 * 99 // 2 for pairs in sharing):
        assert "contain text that is in more than 100 of them" in scanned.notes


SYLLABLES = ("ba", "lo", "mer", "tin", "ka", "sol", "ver", "nu", "pra", "den", "fi", "gro")
VERSIONS = 288  # words


def prose(seed, words=VERSIONS):
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))) for _ in range(400)]
    return [draw.choice(vocabulary) for _ in range(words)]


def version(number):
    """The same text with other words here and there, as a contract that is drafted again."""
    words = prose(0)
    for position in random.Random(number).sample(range(len(words)), 3 * number):
        words[position] = f"change{number}"
    return words


KINDS = {
    "related": version,
    "unrelated": lambda number: prose(number + 1),
    "same": lambda _: prose(0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("documents", [2, 3, 6, 7])
def test_what_is_listed_and_said_of_few_documents(tmp_path, kind, documents):
    """The rows, the page and the passages of a folder, scanned as a user does."""
    folder = tmp_path / "contracts"
    folder.mkdir()
    for number in range(documents):
        words = KINDS[kind](number)
        lines = [" ".join(words[start : start + 12]) + "." for start in range(0, len(words), 12)]
        (folder / f"draft {number}.md").write_text("\n".join(lines), encoding="utf-8")
    outputs = [tmp_path / name for name in ("pairs.csv", "report.html", "passages.json")]
    options = zip(("--pairs", "--report", "--passages"), map(str, outputs), strict=True)

    assert main(["scan", str(folder), *(part for both in options for part in both), "--quiet"]) == 0

    rows = rows_of_csv(outputs[0])
    page, passages = outputs[1].read_text("utf-8"), json.loads(outputs[2].read_text("utf-8"))
    pairs = documents * (documents - 1) // 2
    assert len(rows) == len(passages) == (0 if kind == "unrelated" else pairs)
    assert "unrelated pairs" not in page
    counts = set(re.findall(r"[\w, ]+ of the ([\d,]+) pairs of different texts ha(?:s|ve)", page))
    # Of fewer than 20 pairs no number is told; documents with the same words are one.
    assert counts == ({f"{pairs}"} if kind == "related" and pairs >= 20 else set())
    strongest = 0
    if kind == "related" and documents > 6:
        scores = [float(row["reworked_bits"]) for row in rows]
        strongest = scores.count(max(scores))
    assert page.count("Against chance: no other of the") == strongest
    for row in rows:
        resemblance, overlap = float(row["resemblance"]), float(row["overlap"])
        assert 0.3 < resemblance <= 1
        assert (resemblance == 1) == (kind == "same")
        assert 0.75 < overlap <= 1
        assert 250 <= int(row["shared_words"]) <= VERSIONS
    names = {tuple(sorted((passage["doc_a"], passage["doc_b"]))) for passage in passages}
    assert names <= set(combinations(sorted({name for pair in names for name in pair}), 2))


def test_a_copy_and_a_reference_are_counted_as_texts(tmp_path):
    """Pairs of different texts are counted: a copy makes no other pair, an earlier year does."""
    folder, earlier = tmp_path / "contracts", tmp_path / "earlier"
    for directory, numbers in ((folder, range(6)), (earlier, (6,))):
        folder_with(directory, {f"draft {n}.md": " ".join(version(n)) for n in numbers})
    (folder / "copy.md").write_text(" ".join(version(1)), "utf-8")
    page = tmp_path / "report.html"

    arguments = ["--reference", str(earlier), "--report", str(page), "--quiet"]
    assert main(["scan", str(folder), *arguments]) == 0

    counted = re.findall(r"the (\d+) pairs of different texts", page.read_text("utf-8"))
    assert set(counted) == {"21"}
