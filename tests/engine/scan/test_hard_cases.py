"""Collections in which nearly everything resembles everything: complete, or said to be capped.

The same generators, at full size, are measured by `tests/bench/hard_cases.py`.
"""

from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations
from pathlib import Path

import pytest

from core.documents.model import text_key
from core.scan.flow import scan
from core.scan.groups import group_pairs
from core.settings import ScanSettings

SETTINGS = ScanSettings(compare="bands")
GENERATORS = Path(__file__).parents[2] / "bench" / "hard_texts.py"


@pytest.fixture(scope="module")
def cases():
    """The functions that make the collections, by name."""
    spec = spec_from_file_location("hard_texts", GENERATORS)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: generate for name, (generate, _) in module.CASES.items()}


class Found:
    """The pairs, groups and notes of a scan of some texts, as files in their order."""

    def __init__(self, folder, texts):
        for number, text in enumerate(texts):
            (folder / f"{number:05}.txt").write_text(text)
        result = scan([folder], SETTINGS)
        found = result.list_pairs()
        self.pairs = found.pairs
        result.close()
        self.count = len(result.documents)
        self.listed = list(zip(self.pairs.a.tolist(), self.pairs.b.tolist(), strict=True))
        self.groups = group_pairs(self.pairs, [text_key(one) for one in result.documents])
        self.notes = " ".join(found.notes)
        assert len(set(self.listed)) == len(self.listed)

    @property
    def grouped(self):
        """All documents that stand in a group."""
        return {one for group in self.groups for one in group.documents}


def shared_paragraphs(texts):
    """Pairs of texts with a paragraph in common, and in how many texts each paragraph stands."""
    holders = {}
    for number, text in enumerate(texts):
        for paragraph in set(text.split("\n\n")):
            holders.setdefault(paragraph, []).append(number)
    return [set(combinations(own, 2)) for own in holders.values()], map(len, holders.values())


def test_identical_documents_are_one_group(cases, tmp_path):
    found = Found(tmp_path, cases["identical"](1500).texts)

    assert len(found.listed) == 1499
    assert found.pairs.exact_duplicate.all()
    assert [group.size for group in found.groups] == [1500]
    assert "1,500 documents have the same words" in found.notes


def test_documents_that_differ_in_a_word_are_one_group(cases, tmp_path):
    found = Found(tmp_path, cases["near_identical"](1200).texts)

    assert [group.size for group in found.groups] == [1200]
    assert found.pairs.resemblance.min() > 0.9
    assert len(found.listed) < 1200 * 1199 // 2
    assert "1,200 documents each have text in common with over 1,000 others" in found.notes


def test_what_few_share_is_found_beside_what_all_share(cases, tmp_path):
    case = cases["boilerplate"](1200)
    found = Found(tmp_path, case.texts)

    assert len(case.planted) == 50
    assert set(case.planted) <= set(found.listed)
    assert "1,200 documents hold text that stands in more than 100 of them" in found.notes


def test_the_letters_that_share_most_are_found_among_form_letters(cases, tmp_path):
    case = cases["form_letters"](1200)
    found = Found(tmp_path, case.texts)

    assert len(case.planted) == 50
    assert set(case.planted) <= set(found.listed)
    assert found.grouped == set(range(1200))
    ranked = found.listed[:50]
    assert set(ranked) == set(case.planted)


@pytest.mark.parametrize(
    ("name", "whole"), [("concatenation_first", 0), ("concatenation_last", 99)]
)
def test_a_document_of_all_others_is_paired_with_each(cases, tmp_path, name, whole):
    case = cases[name](100)
    found = Found(tmp_path, case.texts)

    assert sorted(found.listed) == case.planted
    in_whole = found.pairs.containment_b if whole else found.pairs.containment_a
    part = found.pairs.containment_a if whole else found.pairs.containment_b
    assert part.tolist() == [1] * 99
    assert in_whole.max() < 0.05
    assert [group.centre for group in found.groups] == [whole]
    assert found.notes == ""


def test_documents_of_three_words_match_their_copies(cases, tmp_path):
    texts = cases["three_words"](500).texts
    texts += texts[:40]
    found = Found(tmp_path, texts)

    equal = [(a, b) for a, b in combinations(range(len(texts)), 2) if texts[a] == texts[b]]
    assert sorted(found.listed) == equal
    assert len(equal) >= 40
    assert "540 of 540 documents: too short for a shingle of 5 words" in found.notes


def test_a_word_repeated_matches_no_other_word(cases, tmp_path):
    found = Found(tmp_path, cases["own_word_repeated"](20).texts)

    assert found.count == 20
    assert found.listed == []


def test_a_word_repeated_more_often_is_no_copy_but_resembles(cases, tmp_path):
    case = cases["same_word_repeated"](12)
    found = Found(tmp_path, case.texts)

    assert len(found.listed) == 12 * 11 // 2
    assert set(case.planted) <= set(found.listed)
    assert found.pairs.resemblance.tolist() == [1] * 66
    assert not found.pairs.exact_duplicate.any()
    assert found.pairs.longest_run.tolist() == [10_000 + min(pair) for pair in found.listed]


def test_the_same_paragraphs_in_every_order_are_one_group(cases, tmp_path):
    found = Found(tmp_path, cases["shuffled_paragraphs"](120).texts)

    assert len(found.listed) == 120 * 119 // 2
    assert [len(group.members) for group in found.groups] == [119]
    assert found.pairs.resemblance.min() > 0.6
    assert not found.pairs.exact_duplicate.any()


@pytest.mark.parametrize(("name", "count"), [("pool_of_paragraphs", 300), ("long_patchworks", 8)])
def test_all_who_share_a_paragraph_are_listed(cases, tmp_path, name, count):
    texts = cases[name](count).texts
    sharing, sizes = shared_paragraphs(texts)
    found = Found(tmp_path, texts)

    assert 2 <= max(sizes) <= 100 + 40
    expected = set().union(*(pairs for pairs in sharing if len(pairs) <= 100 * 99 // 2))
    assert expected <= set(found.listed)
    assert len(expected) > 20
    if any(len(pairs) > 100 * 99 // 2 for pairs in sharing):
        assert "hold text that stands in more than 100 of them" in found.notes
