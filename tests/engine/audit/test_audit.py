"""The audit finds out what a scan misses, and proves it when nothing is missed."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from core import find_pairs
from core.audit import auditing
from core.audit.auditing import CELLS, audit, plant_reworked, prove
from core.audit.planted_copies import (
    EditWords,
    change_words,
    move_sentences,
    paste_page,
    plant,
    shuffle_paragraphs,
    words_of,
)
from core.audit.search import AuditSearch, ExactComparison
from core.base.tasks import ignore
from core.errors import SettingsError
from core.evidence.pairs import FoundBy, pair_codes
from core.reports.audit_words import figures, sentences
from core.scan.audit_results import Edit, Method, MissReason
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from core.text.shingling import tokenise
from core.text.store import TextStore
from tests.texts import copies_with_changes, folder_with

SCRIPTS = {
    "latin": [f"word{number}" for number in range(500)],
    "cyrillic": [chr(0x430 + n % 30) * 2 + chr(0x430 + n // 30) for n in range(500)],
    "han": [chr(0x4E00 + number) for number in range(500)],
}


def spoken(text):
    words = words_of(text)
    return [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)]


def edit_distance(first, second):
    """Levenshtein's distance in words: replaced, deleted and inserted ones."""
    above = list(range(len(second) + 1))
    for row, word in enumerate(first, 1):
        row_below = [row]
        for column, against in enumerate(second, 1):
            row_below.append(
                min(above[column] + 1, row_below[-1] + 1, above[column - 1] + (word != against))
            )
        above = row_below
    return above[-1]


def make_text(script, count, rng):
    """Different words in a row, and others that stand ready to take their places."""
    between = "" if script == "han" else " "
    chosen = rng.permutation(SCRIPTS[script])
    return between.join(chosen[:count]), between.join(chosen[count:])


@given(
    script=st.sampled_from(sorted(SCRIPTS)),
    edit=st.sampled_from([Edit.WORDS_10, Edit.WORDS_25, Edit.WORDS_50]),
    count=st.integers(20, 80),
    seed=st.integers(0, 2**32),
)
def test_the_stated_share_of_words_is_changed(script, edit, count, seed):
    rng = np.random.default_rng(seed)
    text, rest = make_text(script, count, rng)

    edited = change_words(text, edit.share, EditWords([rest], rng), rng)

    changes = round(edit.share * count)
    distance = edit_distance(spoken(text), spoken(edited))
    # A word inserted beside one that is deleted is one replacement.
    assert changes / 2 <= distance <= changes
    untouched = Counter(spoken(text)) & Counter(spoken(edited))
    assert untouched.total() >= count - changes


def test_on_average_no_change_is_lost():
    rng = np.random.default_rng(1)
    text, rest = make_text("latin", 300, rng)
    other_words = EditWords([rest], rng)

    distances = [
        edit_distance(spoken(text), spoken(change_words(text, 0.25, other_words, rng)))
        for _ in range(10)
    ]

    assert np.mean(distances) == pytest.approx(75, rel=0.05)


def test_layout_and_punctuation_stay():
    rng = np.random.default_rng(2)
    text = "One, two.\n\n  Three (four)\tfive!\n" * 20
    marks = Counter(",.()!\n\t")

    edited = change_words(text, 0.5, EditWords(["six seven eight"], rng), rng)

    assert {mark: edited.count(mark) for mark in marks} == {
        mark: text.count(mark) for mark in marks
    }


@given(st.text(max_size=80))
def test_any_text_can_be_edited(text):
    rng = np.random.default_rng(3)
    change_words(text, 0.5, EditWords([text], rng), rng)
    if words_of(text).starts.size:
        shuffle_paragraphs(text, rng)
        assert spoken(paste_page("the host", text, rng)) != ["the", "host"]


@pytest.mark.parametrize("script", sorted(SCRIPTS))
def test_words_are_those_of_the_engine(script):
    text, _ = make_text(script, 100, np.random.default_rng(4))
    tokens = tokenise(text, ScanSettings())
    words = words_of(text)
    assert words.starts.tolist() == tokens.starts.tolist()
    assert words.ends.tolist() == tokens.ends.tolist()
    assert words.alone.all() == (script == "han")


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
def test_paragraphs_change_places_and_keep_their_words(between):
    paragraphs = [" ".join(f"p{part}w{word}" for word in range(40)) for part in range(6)]
    text = between.join(paragraphs)

    shuffled = shuffle_paragraphs(text, np.random.default_rng(5))

    assert shuffled != text
    assert sorted(spoken(shuffled)) == sorted(spoken(text))
    if between != " ":
        assert sorted(shuffled.split(between)) == sorted(paragraphs)


@given(st.integers(0, 2**32))
def test_two_paragraphs_always_change_places(seed):
    text = " ".join(f"w{number}" for number in range(8))
    assert shuffle_paragraphs(text, np.random.default_rng(seed)) != text


@pytest.mark.parametrize(("script", "page"), [("latin", 300), ("han", 480)])
def test_a_page_is_pasted_whole(script, page):
    rng = np.random.default_rng(6)
    source, _ = make_text(script, 480, rng)
    host = " ".join(f"h{number}" for number in range(1000))

    mixed = spoken(paste_page(host, source, rng))

    pasted = [position for position, word in enumerate(mixed) if word[0] != "h"]
    assert len(pasted) == page
    assert pasted == list(range(pasted[0], pasted[0] + page))
    assert "".join(mixed[pasted[0] : pasted[-1] + 1]) in "".join(spoken(source))
    assert len(mixed) == 1000 + page


ALL = ScanSettings(k=3, bands=128, rows=1, min_passage=10, reworked="off")
# Few bands of many rows find next to nothing, and no passage is as long as that.
POOR = ScanSettings(k=3, bands=2, rows=8, min_passage=10_000, compare="bands", reworked="off")


def words(rng, count, vocabulary=5000):
    return [f"w{number}" for number in rng.integers(0, vocabulary, count)]


def by_brute_force(texts, settings, pairs=None):
    """The pairs to be listed, of all, with resemblance and longest run, in plain Python."""
    split = [text.split() for text in texts]
    sets = [{tuple(t[i : i + settings.k]) for i in range(len(t) - settings.k + 1)} for t in split]
    numbers_of = {}
    for a, b in pairs or combinations(range(len(texts)), 2):
        union = len(sets[a] | sets[b])
        similar = len(sets[a] & sets[b]) / union if union else 0
        run = longest_run(split[a], split[b])
        run = run if run >= settings.k else 0
        if run and (similar >= settings.min_resemblance or run >= settings.passage_length):
            numbers_of[a, b] = (similar, run)
    return numbers_of


def longest_run(first, second):
    best, above = 0, [0] * (len(second) + 1)
    for word in first:
        row = [0] * (len(second) + 1)
        for column, against in enumerate(second):
            if word == against:
                row[column + 1] = above[column] + 1
                best = max(best, row[column + 1])
        above = row
    return best


def test_a_complete_list_is_proved_complete():
    texts = copies_with_changes()
    expected = by_brute_force(texts, ALL)

    result = audit(texts, ALL)

    assert result.planting is None
    proof = result.proof
    assert (proof.pairs, proof.wanted, proof.listed) == (276, len(expected), len(expected))
    assert len(expected) >= 12
    assert (proof.missed, proof.wrong, proof.copies) == ((), 0, 0)
    text = "\n".join(sentences(result, ALL, [str(n) for n in range(24)], shown=5))
    assert "All 276 pairs of 24 documents were compared exactly." in text
    assert f"all {len(expected)} are. The list is complete." in text


def test_what_bands_miss_is_found_out_by_name():
    texts = copies_with_changes()
    expected = by_brute_force(texts, POOR)

    result = audit(texts, POOR)

    proof = result.proof
    assert proof.wanted == len(expected)
    assert 0 < len(proof.missed) < len(expected)
    assert proof.listed + len(proof.missed) == len(expected)
    for pair in proof.missed:
        assert expected[pair.a, pair.b] == pytest.approx((pair.resemblance, pair.longest_run))
        assert pair.reason is MissReason.CHANCE
        assert pair.chance == pytest.approx(1 - (1 - pair.resemblance**8) ** 2)
    ranked = [pair.resemblance for pair in proof.missed]
    assert ranked == sorted(ranked, reverse=True)
    assert result.estimate.missed_by_bands == len(proof.missed)
    names = [f"document {number}" for number in range(len(texts))]
    text = "\n".join(sentences(result, POOR, names, shown=1))
    first = proof.missed[0]
    assert f"document {first.a} | document {first.b}" in text
    assert f"… and {len(proof.missed) - 1} more" in text
    assert "complete" not in text


def test_bins_add_up_and_say_what_passages_added():
    texts = copies_with_changes(30)
    settings = POOR.with_changes(min_passage=12, min_resemblance=0.25)

    result = audit(texts, settings)

    proof = result.proof
    assert [row.low for row in proof.bins[:3]] == [0.0, 0.25, 0.3]
    assert proof.bins[-1].high == 1.0
    assert sum(row.pairs for row in proof.bins) == proof.wanted - proof.identical
    assert sum(row.missed for row in proof.bins) == len(proof.missed)
    assert sum(row.added for row in proof.bins) > 0
    assert sum(row.by_bands + row.added for row in proof.bins) == proof.listed - proof.identical
    expected = by_brute_force(texts, settings)
    in_bin = [s for s, _ in expected.values() if 0.3 <= s < 0.4]
    row = proof.bins[2]
    assert row.pairs == len(in_bin)
    assert row.expected == pytest.approx(sum(1 - (1 - s**8) ** 2 for s in in_bin))


def test_copies_beyond_thirty_are_left_out_on_purpose():
    rng = np.random.default_rng(3)
    text = words(rng, 60)
    near = [*text[:-1], "other"]
    texts = [" ".join(text)] * 32 + [" ".join(near)]

    proof = audit(texts, ALL).proof

    assert proof.wanted == 33 * 32 // 2
    assert proof.listed == 31 + 1  # each copy with the first, and the first with the near-copy
    assert proof.copies == proof.wanted - proof.listed
    assert proof.missed == ()


def test_common_text_is_given_as_the_reason():
    rng = np.random.default_rng(4)
    notice = " ".join(words(rng, 20))
    texts = [" ".join([*words(rng, 400, 10**6), notice]) for _ in range(103)]
    settings = ScanSettings(bands=4, rows=8, min_passage=15, reworked="off")

    result = audit(texts, settings)

    assert len(result.proof.missed) == 103 * 102 // 2
    assert {pair.reason for pair in result.proof.missed} == {MissReason.COMMON}
    assert "text that is in more than 100 of them" in "\n".join(
        sentences(result, settings, ["name"] * 103, shown=0)
    )


@pytest.fixture
def searched():
    """Texts, what a scan lists of them, and what it should."""
    texts = TextStore()
    texts.extend([*copies_with_changes(), *["all the same words in here"] * 3])
    settings = ALL.with_changes(min_passage=30)
    with ThreadPoolExecutor(2) as pool:
        search = AuditSearch(texts, settings, pool, ignore)
        truth = ExactComparison(texts, settings)
        yield search, truth.all_wanted(pool), truth


def test_a_list_that_lacks_what_bands_passages_or_copies_must_find_is_no_proof(searched):
    search, expected, truth = searched
    assert prove(search, expected, truth)[0].missed == ()
    lost = search.pairs.take(np.arange(0, len(search.pairs), 2))
    assert set(lost.found_by.tolist()) == {1, 2, 6}  # copies, bands, passages too
    search.pairs = search.pairs.take(np.arange(1, len(search.pairs), 2))
    search.codes = pair_codes(search.pairs.a, search.pairs.b)

    proof, _, _ = prove(search, expected, truth)

    assert {(pair.a, pair.b) for pair in proof.missed} == set(
        zip(lost.a.tolist(), lost.b.tolist(), strict=True)
    )
    assert {pair.reason for pair in proof.missed} == {MissReason.FAULT}
    assert proof.listed == proof.wanted - len(lost)


def test_listed_pairs_with_wrong_numbers_are_counted(searched):
    search, expected, truth = searched
    resemblance, run = search.pairs.resemblance.copy(), search.pairs.longest_run.copy()
    resemblance[0] += 0.01
    run[1] -= 1
    search.pairs = search.pairs.with_columns(resemblance=resemblance, longest_run=run)

    proof, _, _ = prove(search, expected, truth)

    assert proof.wrong == 2
    assert prove(search, expected.take(expected.x < 0), truth)[0].wrong == len(search.pairs)


@pytest.mark.parametrize("changes", [{"bag": True}, {"unit": "char", "k": 4}])
def test_other_shingles_are_proved_too(changes):
    texts = copies_with_changes(5)
    settings = ScanSettings(bands=128, rows=1, min_resemblance=0.3, reworked="off", **changes)

    proof = audit([*texts, ""], settings).proof

    assert proof.pairs == 45
    assert (proof.listed, proof.missed, proof.wrong) == (proof.wanted, (), 0)
    assert proof.wanted >= 3


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("texts", [[], [""], ["one two three"]])
def test_nothing_to_audit(texts, method):
    settings = ScanSettings(reworked="off")

    result = audit(texts, settings, method=method)

    assert result.documents == sum(bool(text) for text in texts)
    assert list(sentences(result, settings, ["name"], shown=5))
    if method is Method.ALL_PAIRS:
        assert result.proof.wanted == 0


def test_where_nothing_is_alike_nothing_is_missing():
    texts = [" ".join(f"{number}x{word}" for word in range(50)) for number in range(4)]

    result = audit(texts, ALL)

    text = "\n".join(sentences(result, ALL, list("abcd"), shown=5))
    assert "None should be listed" in text
    assert "Bands alone miss 0, bands and shared passages together 0 of 0 pairs" in text


def test_a_page_in_one_document_has_no_long_file_to_go_to():
    result = audit(
        [" ".join(f"w{n}" for n in range(50))], ALL, method=Method.EDITED_COPIES, count=3
    )

    rows = {row.edit: row for row in result.planting.edits}
    assert rows[Edit.SHUFFLED].listed == rows[Edit.SHUFFLED].planted == 3
    assert (rows[Edit.PASTED].planted, rows[Edit.PASTED].found) == (0, None)


def test_a_long_list_of_pairs_is_not_compared_by_default(monkeypatch):
    monkeypatch.setattr("core.audit.auditing.ALL_PAIRS_BUDGET", 10_000)
    texts = copies_with_changes()

    measured = audit(texts, ALL, count=3)
    proved = audit(texts, ALL, method=Method.ALL_PAIRS)

    assert measured.proof is None
    assert {row.planted for row in measured.planting.edits} == {3}
    assert measured.work == proved.work == 276 * (118 + 100)
    assert proved.proof


def test_planted_recall_is_what_brute_force_counts():
    texts = [" ".join(words(np.random.default_rng(n), 150, 300)) for n in range(40)]
    settings = ScanSettings(k=3, bands=16, rows=4, min_passage=25, reworked="off")

    result = audit(texts, settings, method=Method.EDITED_COPIES, count=30)

    store = TextStore()
    store.extend(texts)
    planted = plant(store, settings.seed, count=30)
    together = [*texts, *planted.texts]
    pairs = find_pairs(together, settings)
    listed = set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    planted_pairs = [(s, 40 + n) for n, s in enumerate(planted.sources.tolist())]
    expected = by_brute_force(together, settings, planted_pairs)
    assert Counter(planted.edits) == dict.fromkeys(Edit, 30)
    for row in result.planting.edits:
        pairs_of_edit = [
            p for p, edit in zip(planted_pairs, planted.edits, strict=True) if edit is row.edit
        ]
        assert row.planted == 30
        assert row.wanted == sum(pair in expected for pair in pairs_of_edit)
        assert row.listed == sum(pair in listed for pair in pairs_of_edit)
        chances = [
            1 - (1 - expected[pair][0] ** 4) ** 16 for pair in pairs_of_edit if pair in expected
        ]
        assert row.expected == pytest.approx(sum(chances))
    edits = {row.edit: row for row in result.planting.edits}
    assert edits[Edit.WORDS_10].found.value > 0.9
    assert edits[Edit.WORDS_50].found.value < 0.2
    assert edits[Edit.PASTED].listed == edits[Edit.PASTED].by_passages == 30


def test_the_same_seed_plants_the_same(tmp_path):
    texts = copies_with_changes()
    first, again = (audit(texts, ALL, method=Method.EDITED_COPIES, count=9) for _ in range(2))
    other_seed = audit(texts, ALL.with_changes(seed=2), method=Method.EDITED_COPIES, count=9)

    assert first == again
    assert first.planting != other_seed.planting


def test_fewer_copies_of_long_documents_are_planted():
    texts = TextStore()
    texts.extend([f"start{number} " + "word " * 20_000 for number in range(12)])
    texts.extend(["short but long enough to be a source " * 4] * 3)

    planted = plant(texts, 1)

    assert set(Counter(planted.edits)) == set(Edit)
    for edit in Edit:
        lengths = [
            len(text)
            for text, edit_used in zip(planted.texts, planted.edits, strict=True)
            if edit_used is edit
        ]
        assert len(lengths) >= 60
        assert sum(lengths[:-1]) < 8_000_000  # 6 million of the sources
        # A page goes into a document of twenty pages at most, where there is one.
        assert edit is not Edit.PASTED or max(lengths) < 60_000


def test_no_copy_of_none_is_asked_for():
    with pytest.raises(SettingsError, match="At least one copy"):
        audit(["a"], ScanSettings(), count=0)


@pytest.fixture
def folder(tmp_path):
    texts = {f"{number:02}.txt": text for number, text in enumerate(copies_with_changes())}
    return folder_with(tmp_path / "documents", {**texts, "empty.txt": ""})


def contents(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_the_command_prints_and_writes_the_figures(folder, tmp_path, neardup):
    target = tmp_path / "audit.json"
    before = contents(folder)
    options = ["--k=3", "--bands=2", "--rows=8", "--min-passage=10000", "--compare=bands"]

    printed = neardup("audit", folder, "--reworked=off", *options, f"--json={target}")
    assert "All 276 pairs of 24 documents" in printed.out
    assert "Not read: empty.txt" in printed.out
    assert f"Written: {target}" in printed.out
    assert printed.err == ""
    figures = json.loads(target.read_text())
    assert figures["settings"]["rows"] == 8
    assert figures["edited_copies"] is None
    proof = figures["all_pairs"]
    assert proof["listed"] + len(proof["missed"]) == proof["wanted"]
    assert proof["missed"][0]["a"].endswith(".txt")
    assert proof["missed"][0]["reason"] == "chance"
    assert contents(folder) == before


def test_the_command_plants_when_asked(folder, tmp_path, neardup):
    target = tmp_path / "audit.json"
    before = contents(folder)
    options = ["--method=edited-copies", "--copies=5", f"--json={target}"]

    assert (
        "10% of words changed       5" in neardup("audit", folder, "--reworked=off", *options).out
    )
    figures = json.loads(target.read_text())
    assert figures["all_pairs"] is None
    rows = {row["edit"]: row for row in figures["edited_copies"]["edits"]}
    assert rows["words_10"]["planted"] == 5
    assert rows["words_10"]["found"]["high"] == 1
    assert contents(folder) == before


def test_a_fault_is_reported_instead_of_a_complete_list(folder, tmp_path, neardup, monkeypatch):
    monkeypatch.setattr(auditing, "_count_wrong", lambda *_: 2)

    output = neardup("audit", folder, f"--json={tmp_path / 'x.json'}", status=3).out
    assert "2 listed pairs should not be listed" in output
    assert "complete" not in output


def with_forms(texts):
    """Texts after a form, stored with the spans that are set aside."""
    form = "this is the form that all of them have to hand in with the essay. "
    store = stored([form + text for text in texts])
    store.exclude_spans({number: [SetAside(0, len(form))] for number in range(len(texts))})
    return store


def stored(texts):
    store = TextStore()
    store.extend(texts)
    return store


@pytest.mark.parametrize("method", list(Method))
def test_what_is_set_aside_counts_for_nothing_in_an_audit(method):
    texts = copies_with_changes()
    settings = ALL.with_changes(min_resemblance=0.1)
    beside, alone, counted = (
        audit(audited, settings, method=method, count=5)
        for audited in (with_forms(texts), texts, list(with_forms(texts)))
    )

    assert str(beside.proof) == str(alone.proof)
    assert str(beside.planting) == str(alone.planting)
    assert (beside.documents, beside.work) == (alone.documents, alone.work)
    assert counted.work > alone.work


def test_a_forecast_knows_nothing_of_what_is_set_aside():
    texts = copies_with_changes(30)
    with ThreadPoolExecutor(2) as pool:
        beside, alone, counted = (
            str(AuditSearch(searched_texts, ALL, pool, ignore).forecast())
            for searched_texts in (
                with_forms(texts),
                stored(texts),
                stored(list(with_forms(texts))),
            )
        )

    assert beside == alone != counted


def test_what_signatures_met_is_reported_range_by_range():
    texts = copies_with_changes()
    settings = POOR.with_changes(bands=4, rows=4)

    result = audit(texts, settings, method=Method.ALL_PAIRS)

    expected = by_brute_force(texts, settings)
    assert len(expected) == result.proof.wanted
    assert sum(row.pairs for row in result.ranges) == len(expected) - result.proof.identical
    for row in result.ranges:
        inside = [s for s, _ in expected.values() if row.low <= s < min(row.high, 1)]
        assert row.pairs == len(inside)
        assert row.mean == pytest.approx(np.mean(inside))
        assert row.expected == pytest.approx(sum(1 - (1 - s**4) ** 4 for s in inside))
        assert row.share.low <= row.met / row.pairs <= row.share.high
    assert sum(row.met for row in result.ranges) == sum(r.by_bands for r in result.proof.bins)


@pytest.mark.parametrize("method", [Method.ALL_PAIRS, Method.EDITED_COPIES])
def test_a_remedy_misses_what_a_scan_with_it_misses(method):
    texts = copies_with_changes()

    result = audit(texts, POOR, method=method, count=10)

    found = result.proof or result.planting
    assert result.remedies
    assert [remedy.missed for remedy in result.remedies] == sorted(
        {remedy.missed for remedy in result.remedies}, reverse=True
    )
    for remedy in result.remedies:
        bands = {"bands": remedy.bands, "rows": remedy.rows}
        taken = POOR.with_changes(bands=1, rows=1).with_changes(**bands)
        again = audit(texts, taken, method=method, count=10)
        assert (again.proof or again.planting).missing == remedy.missed < found.missing
        assert remedy.candidates.low <= remedy.candidates.expected <= remedy.candidates.high
    if result.planting:
        assert found.missing == len(found.missed) > 0
        assert {miss.source for miss in found.missed} <= set(range(len(texts)))


def test_bits_are_remedied_by_more_bits():
    texts = copies_with_changes()
    settings = POOR.with_changes(
        signature="simhash", max_distance=2, bands=1, rows=1, min_resemblance=0.3
    )

    result = audit(texts, settings, method=Method.ALL_PAIRS)

    assert result.remedies
    for remedy in result.remedies:
        assert remedy.candidates is None
        again = audit(
            texts, settings.with_changes(max_distance=remedy.distance), method=Method.ALL_PAIRS
        )
        assert again.proof.missing == remedy.missed < result.proof.missing


def test_references_are_not_compared_with_each_other():
    texts = copies_with_changes()
    to_review = np.arange(len(texts)) >= 8
    expected = {
        pair for pair in by_brute_force(texts, ALL) if to_review[pair[0]] or to_review[pair[1]]
    }

    result = audit(texts, ALL, method=Method.ALL_PAIRS, to_review=to_review)

    assert result.proof.pairs == 24 * 23 // 2 - 8 * 7 // 2
    assert (result.proof.wanted, result.proof.listed) == (len(expected), len(expected))
    assert result.proof.wrong == 0
    assert result.proof.wanted < audit(texts, ALL, method=Method.ALL_PAIRS).proof.wanted
    planted = audit(texts, ALL, method=Method.EDITED_COPIES, count=5, to_review=to_review)
    assert planted.planting.edits[0].listed == planted.planting.edits[0].planted == 5


CAREFUL = ScanSettings(reworked="careful")
NAMES = [f"document {number}.txt" for number in range(150)]


@pytest.fixture(scope="module")
def texts():
    """Documents of 260 words in sentences, of which no two have anything in common."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(2, 9, 4000)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    vocabulary = ["".join(rng.choice(letters, length)) for length in lengths]
    return [
        " ".join(
            vocabulary[word] + ("." if index % 13 == 12 else "")
            for index, word in enumerate(rng.integers(0, 4000, 260))
        )
        for _ in NAMES
    ]


@pytest.fixture(scope="module", params=list(Method))
def audited(request, texts):
    """An audit as in a large folder, where not all pairs are measured for reworked passages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.scan.reworked.MEASURED_ALL", {})
        return audit(texts, CAREFUL, method=request.param, count=150)


def test_where_all_pairs_are_measured_no_candidate_is_missed(texts):
    cells = audit(texts[:60], CAREFUL, method=Method.ALL_PAIRS, count=60).reworked.cells
    for row in cells:
        assert row.promised - 0.02 <= row.found.high
    assert min(row.promised for row in cells) > 0.9
    assert sum(row.planted - row.listed for row in cells) < 5


def test_copies_listed_only_for_reworked_passages_are_no_recall(texts):
    """Half of the words exchanged: below the threshold, met by a band, listed as reworked."""
    settings = ScanSettings(k=2, bands=64, rows=2, min_resemblance=0.5)
    result = audit(texts[:40], settings, method=Method.EDITED_COPIES, count=40)
    assert all(row.listed <= row.wanted for row in result.planting.edits)
    text = "\n".join(sentences(result, settings, NAMES, shown=2))
    assert "25% of words changed      40" in text


def test_planted_passages_are_found_as_promised(audited):
    assert [(row.words, row.changed) for row in audited.reworked.cells] == list(CELLS)
    for row in audited.reworked.cells:
        assert row.planted == len(NAMES)
        assert row.found.high >= row.promised - 0.02
        assert row.reworked <= row.listed
    by_cell = {(row.words, row.changed): row for row in audited.reworked.cells}
    assert by_cell[60, 0.2].found.value >= 0.95
    assert by_cell[100, 0.4].found.value >= 0.80
    assert by_cell[30, 0.4].found.value < by_cell[60, 0.2].found.value


def test_each_missed_passage_has_a_name(audited):
    reworked = audited.reworked
    missed = sum(row.planted - row.listed for row in reworked.cells)
    assert len(reworked.missed) == missed > 2
    lines = list(sentences(audited, CAREFUL, NAMES, shown=2))
    assert f"Not listed: {missed} passages." in lines
    assert sum(line.startswith("  document ") for line in lines) == 2
    assert any(line.startswith("   60      20%      150") for line in lines)


def test_figures_have_all_missed_passages(audited):
    values = json.loads(json.dumps(figures(audited, CAREFUL, NAMES)))["reworked_passages"]
    assert len(values["missed"]) == len(audited.reworked.missed)
    assert all(miss["document"] in NAMES for miss in values["missed"])
    assert {row["words"] for row in values["passages"]} == {30, 60, 100, 200}


def test_pairs_with_a_reworked_passage_are_no_fault_of_the_list(texts):
    rng = np.random.default_rng(1)
    words = texts[0].split()
    positions = rng.choice(100, 25, replace=False)
    passage = [f"other{i}" if i in positions else words[i] for i in range(100)]
    folder = [*texts[:30], " ".join([*texts[40].split(), *passage])]
    result = audit(folder, CAREFUL, method=Method.ALL_PAIRS, count=5)
    assert result.proof.wrong == 0
    assert not result.proof.missed


def test_a_pair_that_a_band_met_below_the_threshold_is_listed_for_its_passage_and_no_fault(texts):
    """Reworded so that a band of the signatures still agrees."""
    words = texts[0].split()
    reworded = [f"other{i}" if i % 4 == 3 else word for i, word in enumerate(words)]
    settings = CAREFUL.with_changes(bands=128, rows=1, k=3, min_resemblance=0.5, compare="bands")

    result = audit([*texts[:30], " ".join(reworded)], settings, method=Method.ALL_PAIRS, count=5)

    met = core.find_pairs([texts[0], " ".join(reworded)], settings)
    assert FoundBy(int(met.found_by[0])) == FoundBy.LSH | FoundBy.REWORKED
    assert met.resemblance[0] < settings.min_resemblance
    assert (result.proof.wrong, result.proof.missed, result.has_fault) == (0, (), False)


def test_where_none_are_looked_for_none_are_planted(texts):
    settings = ScanSettings(reworked="off")
    result = audit(texts[:20], settings)
    assert result.reworked is None
    assert figures(result, settings, NAMES)["reworked_passages"] is None
    assert not any("eworked" in line for line in sentences(result, settings, NAMES, shown=5))


def test_documents_too_short_have_no_passages():
    result = audit(["a few words", "some others", ""], CAREFUL)
    assert result.reworked.sources == 0
    lines = list(sentences(result, CAREFUL, NAMES, shown=5))
    assert any(line.startswith("No reworked passage could be planted") for line in lines)


def test_the_same_seed_plants_the_same_passages(texts):
    store = TextStore()
    store.adopt(texts, np.array([len(text) for text in texts]))
    once, again = (plant_reworked(store, 7, 10) for _ in range(2))
    assert once == again != plant_reworked(store, 8, 10)
    for planted in once:
        text, passage = texts[planted.passage.document], planted.passage
        words = {text[a:b] for a, b in zip(*words_of(text)[:2], strict=True)}
        inside = planted.text.split("\n\n")[1].replace(".", " ").split()
        assert set(inside) <= words  # words of the same document alone
        assert abs(len(inside) - passage.words) <= passage.changed * passage.words


def test_sentences_are_moved_whole():
    text = "One two. Three four five! 六七。八九。"
    moved = {move_sentences(text, np.random.default_rng(seed)) for seed in range(9)}
    assert len(moved) > 3
    for sentence in moved:
        assert "Three four five!" in sentence
        assert "六七。" in sentence
