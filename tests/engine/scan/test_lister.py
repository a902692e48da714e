"""Lists of pairs: with other bands, of long texts, and what they show of passages and overlap."""

import re
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.base.tasks import MemoryRoom, ProgressReport, Stage, batches, cancelled_by
from core.candidates.bands import agree_in_a_band
from core.candidates.sorted_keys import BUCKET_LIMIT
from core.documents.reading_settings import ReadingLimits
from core.errors import LongTextError, ScanCancelledError, StorageError, TooManyCandidatesError
from core.evidence.pairs import FoundBy
from core.evidence.passages import PairText, find_shared_text
from core.scan import ingest, reworked
from core.scan.audit_results import CapKind
from core.scan.corpus import BACKGROUND_PAIRS
from core.scan.in_memory import find_pairs
from core.scan.ingest import sign_within
from core.scan.lister import PairLister
from core.scan.pair_details import shared_text
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text import characters, tokenising
from core.text.characters import comparing_bytes
from core.text.set_aside import GAP, Reason, SetAside
from core.text.shingling import shingle, tokenise
from core.text.word_counts import usual_weight
from tests.forecasts import edited_texts
from tests.pairs import corpus_of
from tests.texts import folder_with, zipf_words

OPTIONS = ScanSettings(k=2, signature_size=128, bands=64, rows=2, reworked="off")
BANDS = OPTIONS.with_changes(compare="bands")


def make_corpus(texts, pool, options=OPTIONS):
    return corpus_of(texts, options, pool)


def columns(pairs):
    return {name: column.tolist() for name, column in vars(pairs).items()}


@pytest.mark.parametrize(
    "changes",
    [
        {"bands": 20, "rows": 5},
        {"bands": 128, "rows": 1},
        {"min_resemblance": 0.6},
        {"min_resemblance": 0.7, "min_passage": 60},
        {},
    ],
)
def test_listing_again_equals_a_new_scan(pool, changes):
    texts = edited_texts(40, edits=4)
    corpus = make_corpus(texts, pool)
    lister = PairLister(corpus)
    lister.list_pairs(OPTIONS)

    again = lister.list_pairs(OPTIONS.with_changes(**changes)).pairs

    assert len(again) > 5
    assert columns(again) == columns(
        find_pairs(texts, OPTIONS.with_changes(**changes), overlap=True)
    )


def test_the_threshold_only_cuts_off(pool):
    lister = PairLister(make_corpus(edited_texts(80, edits=4), pool))
    everything = lister.list_pairs(OPTIONS.with_changes(min_resemblance=0)).pairs

    for threshold in (0.2, 0.5, 1.0):
        cut = lister.list_pairs(OPTIONS.with_changes(min_resemblance=threshold)).pairs
        passage = everything.longest_run >= OPTIONS.passage_length
        expected = everything.take(passage | (everything.resemblance >= threshold))
        assert columns(cut) == columns(expected)


def test_a_corpus_that_grew_is_listed_whole(pool):
    texts = edited_texts(60, edits=4)
    corpus = make_corpus(texts[:25], pool)
    assert len(PairLister(corpus).list_pairs(OPTIONS).pairs)

    corpus.add(texts[25:], sign_texts(texts[25:], OPTIONS))

    assert len(corpus) == 60
    assert columns(PairLister(corpus).list_pairs(OPTIONS).pairs) == columns(
        find_pairs(texts, OPTIONS, overlap=True)
    )


def test_evidence_is_measured_once(pool):
    corpus = make_corpus(edited_texts(30, edits=4), pool)
    x, y = np.array([3, 1, 1, 0]), np.array([9, 2, 2, 5])
    first = corpus.evidence.measured(x, y)

    again = corpus.evidence.measured(x[::-1], y[::-1])
    more = corpus.evidence.measured(np.array([0, 7, 1]), np.array([5, 8, 2]))

    assert again.shared.tolist() == first.shared.tolist()[::-1]
    assert more.shared[0] == first.shared[3]
    assert more.longest[2] == first.longest[1]
    assert (corpus.evidence.sizes()[[0, 1, 2, 3, 5, 7, 8, 9]] > 0).all()
    assert (corpus.evidence.sizes()[[4, 6, 10]] == -1).all()


def test_representatives_are_the_first_copies(pool):
    corpus = make_corpus(["b", "a", "B.", "", "a a", "a", "..."], pool)

    assert corpus.representatives().tolist() == [0, 1, 0, 3, 4, 1, 3]


def test_too_many_copies_are_noted(pool):
    texts = ["one two three"] * 31 + ["four five six"] * 30 + ["", ""] * 40
    listing = PairLister(make_corpus(texts, pool)).list_pairs(OPTIONS)

    assert len(listing.pairs) == 30 + 30 * 29 // 2
    [cap] = listing.caps
    assert (cap.kind, cap.size, cap.document) == (CapKind.COPIES, 31, 0)
    assert cap.sentence("report.txt") == (
        "31 documents have the same words; each is listed with one of them only: report.txt"
    )


def test_a_crowd_is_noted(pool):
    """1,200 form letters that differ in a word: not all of their pairs are compared."""
    letter = " ".join(f"w{number}" for number in range(60))
    texts = [f"{letter} name{number}" for number in range(BUCKET_LIMIT + 200)]
    listing = PairLister(make_corpus(texts, pool)).list_pairs(BANDS)

    (cap,) = (cap for cap in listing.caps if cap.kind is CapKind.CROWD)
    assert BUCKET_LIMIT < cap.size <= len(texts)
    assert cap.sentence("a.txt") == (
        f"{cap.size:,} documents each have text in common with over 1,000 others; each was "
        "compared with one of those, for instance a.txt, and else only with the most like it"
    )
    paired = np.union1d(listing.pairs.a, listing.pairs.b)
    assert len(paired) == len(texts)
    assert (listing.pairs.resemblance == 59 / 61).all()


def test_nothing_left_out_is_no_note(pool):
    assert PairLister(make_corpus(edited_texts(30, edits=4), pool)).list_pairs(OPTIONS).caps == ()


def test_progress_counts_bands_up_to_all(pool):
    reports = []
    PairLister(make_corpus(edited_texts(30, edits=4), pool)).list_pairs(
        BANDS, progress=reports.append
    )

    done = [report.done for report in reports]
    assert done == sorted(done)
    assert reports[-1] == ProgressReport(Stage.COMPARE, 64, 64)


def test_what_a_cancelled_list_has_measured_is_remembered(pool, monkeypatch):
    corpus = make_corpus(edited_texts(30, edits=4), pool)
    corpus.evidence.measured(np.array([0, 1]), np.array([2, 3]))
    PairLister(corpus).list_pairs(OPTIONS)

    monkeypatch.setattr(corpus.evidence, "_measure", None)
    PairLister(corpus).list_pairs(OPTIONS)


def test_only_so_many_pairs_are_remembered(pool, monkeypatch):
    monkeypatch.setattr("core.evidence.store.REMEMBERED_PAIRS", 10)
    texts = edited_texts(30, edits=4)
    corpus = make_corpus(texts, pool)
    x, y = np.array([0, 1, 2]), np.array([3, 4, 5])
    for _ in range(20):
        again = corpus.evidence.measured(x, y)
        corpus.evidence.settle()
        assert len(corpus.evidence.state().codes) <= 10 + len(x)
        x, y = x + 1, y + 1
    assert again.shared.tolist() == corpus.evidence.measured(x - 1, y - 1).shared.tolist()


def test_the_background_of_a_small_corpus_is_all_its_pairs(pool):
    texts = ["a b c", "a b d", "x y z", "a b c", ""]
    lister = PairLister(make_corpus(texts, pool))

    assert sorted(lister._corpus.background().tolist()) == [0, 0, 1 / 3]
    assert make_corpus(["one"], pool).background().tolist() == []
    assert make_corpus([], pool).background().tolist() == []


def test_the_background_of_a_large_corpus_is_a_sample(pool):
    texts = edited_texts(150, edits=4)
    corpus = make_corpus(texts, pool)
    sets = [{*zip(text.split(), text.split()[1:], strict=False)} for text in texts]
    exact = [len(a & b) / len(a | b) for a, b in combinations(sets, 2)]

    sample = corpus.background()

    assert len(sample) == BACKGROUND_PAIRS
    assert sample.tolist() == make_corpus(texts, pool).background().tolist()
    assert (
        sample.tolist()
        != make_corpus(texts, pool, OPTIONS.with_changes(seed=2)).background().tolist()
    )
    assert sample.max() < 1
    assert sample.mean() == pytest.approx(
        np.mean(exact), abs=4 * sample.std() / BACKGROUND_PAIRS**0.5
    )


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], []),
        ([5], [1]),
        ([0] * 4500, [2000, 2000, 500]),
        ([300_000, 300_000, 1], [1, 2]),
        ([3_000_000, 1, 3_000_000], [1, 1, 1]),
        ([1 << 18, 1 << 18, 1], [2, 1]),
    ],
)
def test_batches_are_limited_in_characters_and_texts(lengths, expected):
    parts = list(batches(lengths))

    assert [part.stop - part.start for part in parts] == expected
    assert [n for part in parts for n in range(part.start, part.stop)] == list(range(len(lengths)))


def test_bands_that_would_compare_too_many_are_refused_with_a_better_choice(pool, monkeypatch):
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 300)
    rng = np.random.default_rng(11)
    texts = ["".join(rng.choice(list("abcd"), 400)) for _ in range(40)]
    options = ScanSettings(unit="char", k=5, bands=64, rows=2, compare="bands", reworked="off")
    lister = PairLister(make_corpus(texts, pool, options))

    with pytest.raises(TooManyCandidatesError, match=r"64 × 2 about 7\d\d pairs of 40") as refused:
        lister.list_pairs(options)

    bands, rows = map(int, re.search(r"(\d+) × (\d+) compares", str(refused.value)).groups())
    assert rows > 2
    assert lister.list_pairs(options.with_changes(bands=bands, rows=rows)).pairs is not None


def test_shingles_that_everybody_shares_need_to_be_longer(pool, monkeypatch):
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 300)
    rng = np.random.default_rng(12)
    texts = ["".join(rng.choice(list("ab"), 200)) for _ in range(40)]
    options = ScanSettings(unit="char", k=2, bands=64, rows=2, compare="bands", reworked="off")
    with pytest.raises(TooManyCandidatesError, match="larger k"):
        PairLister(make_corpus(texts, pool, options)).list_pairs(options)


def test_few_documents_are_never_refused(pool):
    same = ["".join(np.random.default_rng(seed).choice(list("ab"), 300)) for seed in range(30)]
    options = ScanSettings(unit="char", k=2, bands=128, rows=1, reworked="off")
    assert len(PairLister(make_corpus(same, pool, options)).list_pairs(options).pairs) == 435


def test_a_crowd_is_no_reason_to_refuse(pool, monkeypatch):
    """Random pairs of form letters are alike, so the forecast is high; few are compared."""
    template = " ".join(f"w{number}" for number in range(60))
    texts = [f"{template} name{number}" for number in range(3 * BUCKET_LIMIT)]
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 400_000)
    listing = PairLister(make_corpus(texts, pool)).list_pairs(BANDS)

    assert len(np.union1d(listing.pairs.a, listing.pairs.b)) == len(texts)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("core.candidates.search.PAIRS_A_CHECK", "A list of more than [0-9]+ pairs needs about"),
        ("core.evidence.store.LONG_DOCUMENT", "Comparing a document with [0-9]+ shingles"),
    ],
)
def test_a_list_or_document_too_large_for_memory_is_refused(pool, monkeypatch, limit, message):
    monkeypatch.setattr(limit, 10)
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 1000)

    with pytest.raises(StorageError, match=message):
        PairLister(make_corpus(edited_texts(30, edits=4), pool)).list_pairs(OPTIONS)


def passage_texts(seed):
    """Texts in which runs of many lengths, also some shorter than a passage, stand twice."""
    rng = np.random.default_rng(seed)

    def words(count, most):
        return [f"w{word}" for word in rng.integers(0, most, count)]

    texts = [words(rng.integers(20, 400), 4000) for _ in range(40)]
    for length in (*range(4, 34, 2), 60, 120):
        source, target = rng.choice(40, 2, replace=False)
        start = rng.integers(0, max(1, len(texts[source]) - length))
        texts[target] += texts[source][start : start + length]
    texts += [list(texts[0]), [*texts[1][: len(texts[1]) // 2], *words(50, 4000)]]
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize("bands", [1, 4, 128])
@pytest.mark.parametrize("min_resemblance", [0.0, 0.02, 0.3, 1.0])
def test_the_channels_of_a_pair_are_those_it_meets(pool, bands, min_resemblance):
    met_by_chance = 0
    for seed in range(4):
        settings = BANDS.with_changes(
            bands=bands, rows=1, min_resemblance=min_resemblance, min_passage=24
        )
        corpus = make_corpus(passage_texts(seed), pool, settings)
        pairs = PairLister(corpus).list_pairs(settings).pairs
        different = pairs.take(~pairs.exact_duplicate)
        found_by = different.found_by
        long_enough = different.longest_run >= 24
        met = agree_in_a_band(corpus.signed.signatures, different.a, different.b, bands, 1)

        assert found_by.all()
        assert (((found_by & FoundBy.PASSAGE) > 0) == long_enough).all()
        assert (((found_by & FoundBy.LSH) > 0) == met).all()
        assert (((found_by & FoundBy.FINGERPRINT) > 0) == ~(met | long_enough)).all()
        assert (long_enough | (different.resemblance >= min_resemblance)).all()
        met_by_chance += int((found_by == FoundBy.FINGERPRINT).sum())
    assert bool(met_by_chance) == (min_resemblance < 0.3)


def test_what_only_its_passage_lists_can_be_left_out(pool):
    corpus = make_corpus(passage_texts(1), pool, OPTIONS)
    lister = PairLister(corpus)
    settings = OPTIONS.with_changes(min_resemblance=0.3)

    everything = lister.list_pairs(settings).pairs
    without = lister.list_pairs(settings.with_changes(list_passages=False))

    similar = everything.resemblance >= 0.3
    assert 0 < similar.sum() < len(everything)
    assert columns(without.pairs) == columns(everything.take(similar))
    assert columns(without.every) == columns(everything)


SETTINGS = ScanSettings(reworked="careful")


def test_the_words_of_the_passages_are_those_of_the_list(tmp_path, open_scan):
    texts = [zipf_words(400, seed) for seed in range(20)]
    for first, length in ((40, 60), (200, 150)):
        part = texts[0][first : first + length]
        part = [f"other{index}" if index % 5 == 0 else word for index, word in enumerate(part)]
        texts[1][first + 20 : first + 20] = part
    folder_with(tmp_path, {f"{number:02}.txt": " ".join(text) for number, text in enumerate(texts)})
    scanned = open_scan([tmp_path], SETTINGS)
    pairs = scanned.pairs()
    row = [*zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)].index((0, 1))

    passages = shared_text(scanned, 0, 1, SETTINGS).passages

    assert pairs.found_by[row] & FoundBy.REWORKED
    assert sum(passage.a_tokens for passage in passages) == pairs.shared_words[row] >= 200
    assert all(passage.chance for passage in passages)
    plain = shared_text(scanned, 0, 1, SETTINGS.with_changes(reworked="off")).passages
    assert not any(passage.exchanges or passage.chance for passage in plain)


SAMPLE = Path(__file__).parents[3] / "resources" / "sample"


def highlighted(text, passages, side, settings, set_aside=()):
    """How many words of a text stand in a passage, and how many it has."""
    words = PairText(text, settings, set_aside)
    marked = np.zeros(len(text), dtype=np.bool_)
    for passage in passages:
        marked[getattr(passage, f"{side}_start") : getattr(passage, f"{side}_end")] = True
    counts = words.values != GAP
    return int((marked[words.starts] & counts).sum()), int(counts.sum())


def assert_adds_up(scanned, settings):
    """What is highlighted in each listed pair, against its numbers in the list."""
    pairs = scanned.pairs(settings)
    assert len(pairs)
    for row in range(len(pairs)):
        a, b = int(pairs.a[row]), int(pairs.b[row])
        shared = shared_text(scanned, a, b, settings)
        set_aside = scanned.exclusions_of(a, b)
        in_a, of_a = highlighted(scanned.texts[a], shared.passages, "a", settings, set_aside[0])
        in_b, of_b = highlighted(scanned.texts[b], shared.passages, "b", settings, set_aside[1])
        assert (pairs.overlap_a[row], pairs.overlap_b[row]) == (in_a / of_a, in_b / of_b)
        assert pairs.shared_words[row] == min(in_a, in_b)
        for name, number in shared.overlap._asdict().items():
            assert getattr(pairs, name)[row] == number
        assert 0 <= pairs.overlap[row] <= (in_a / of_a + in_b / of_b) / 2
    return pairs


@pytest.mark.parametrize(
    "changes",
    [{}, {"reworked": "thorough", "k": 3}, {"reworked": "off"}, {"unit": "char", "k": 9}],
    ids=str,
)
def test_highlighted_words_add_up_to_the_overlap(changes, open_scan):
    settings = ScanSettings(**changes)
    scanned = open_scan([SAMPLE], settings)
    assert_adds_up(scanned, settings)


def generated(seed):
    """Texts of one vocabulary: parts of others word for word, reworded and moved, and all alike."""
    rng = Random(seed)
    vocabulary = [f"{chr(97 + n % 26)}{n * 7919 % 9973}" for n in range(900)]

    def words(count):
        return [vocabulary[min(int(rng.expovariate(1 / 150)), 899)] for _ in range(count)]

    texts = [words(rng.choice((3, 40, 200, 600))) for _ in range(6)]
    for _ in range(14):
        text = words(rng.choice((0, 10, 150)))
        for _ in range(rng.randint(1, 3)):
            source = rng.choice(texts)
            start = rng.randrange(len(source))
            part = source[start : start + rng.choice((6, 35, 120, 900))]
            share = rng.choice((0, 0, 0.1, 0.3))
            part = [rng.choice(vocabulary) if rng.random() < share else word for word in part]
            position = rng.randint(0, len(text))
            text = text[:position] + part + text[position:]
        texts.append(text)
    texts += [texts[0], words(1), texts[7] + ["end"]]
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize("seed", range(4))
def test_the_overlap_of_generated_texts_is_what_is_highlighted(seed, tmp_path, open_scan):
    folder_with(tmp_path, {f"{number:02}.txt": text for number, text in enumerate(generated(seed))})
    settings = ScanSettings(k=3, reworked=("careful", "off")[seed % 2])
    scanned = open_scan([tmp_path], settings)
    if seed > 1:  # a stretch in the midst of every other text
        spans = {
            number: [
                SetAside(
                    len(scanned.texts[number]) // 3, len(scanned.texts[number]) // 2, Reason.COMMON
                )
            ]
            for number in range(0, len(scanned.documents), 2)
            if len(scanned.texts[number]) > 60
        }
        scanned = scanned.with_exclusions(spans)
    pairs = assert_adds_up(scanned, settings)
    assert (pairs.overlap[pairs.exact_duplicate] == 1).all()
    assert (np.diff(pairs.overlap) <= 0).all()


def test_the_overlap_does_not_depend_on_the_order_of_texts():
    texts = generated(5)
    pairs, turned = (find_pairs(ordered, ScanSettings(k=3)) for ordered in (texts, texts[::-1]))
    turned = turned.with_columns(a=len(texts) - 1 - turned.b, b=len(texts) - 1 - turned.a)
    turned = turned.take(np.lexsort((turned.b, turned.a)))

    assert pairs.a.tolist() == turned.a.tolist()
    for name, turned_name in (
        ("overlap", "overlap"),
        ("overlap_a", "overlap_b"),
        ("shared_words",) * 2,
    ):
        assert getattr(pairs, name).tolist() == getattr(turned, turned_name).tolist()


def test_identical_texts_overlap_whole():
    """Also where what is set aside leaves a stretch that is no passage by itself."""
    text = " ".join(f"word{n}" for n in range(80))
    set_aside = [SetAside(0, 30, Reason.COMMON), SetAside(45, 200, Reason.COMMON)]

    shared = find_shared_text(text, text, ScanSettings(), set_aside=(set_aside, set_aside))

    assert tuple(shared.overlap)[:3] == (1, 1, 1)
    assert (
        highlighted(text, shared.passages, "a", ScanSettings(), set_aside)
        == (shared.overlap.shared_words,) * 2
    )


def test_the_overlap_is_measured_where_it_is_asked_for_or_costs_nothing():
    texts, off = generated(1), ScanSettings(reworked="off")

    assert set(find_pairs(texts, overlap=False).overlap) == {-1}
    assert set(find_pairs(texts, off).overlap) == {-1}
    assert min(find_pairs(texts).overlap) >= 0
    assert min(find_pairs(texts, off, overlap=True).overlap) >= 0


@pytest.mark.parametrize("level", ["auto", "off"])
def test_what_was_too_much_at_once_is_measured_later(monkeypatch, level, open_scan):
    """In the requested order, part by part, with the same numbers."""
    scanned = open_scan([SAMPLE], ScanSettings(reworked=level))
    with monkeypatch.context() as few:
        few.setattr(reworked, "MEASURED_WORDS", 0)
        few.setattr(reworked, "MEASURED_IN_PART", 1 << 14)
        listed = scanned.list_pairs()
        pairs = listed.pairs
        rows = np.flatnonzero(pairs.overlap < 0)[::-1]
        with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
            next(scanned.measure_later(listed, pairs, rows))
        parts = list(scanned.measure_later(listed, pairs, rows))
    all_pairs = scanned.list_pairs().pairs

    assert len(parts) > 1
    np.testing.assert_array_equal(np.concatenate([part_rows for part_rows, _ in parts]), rows)
    row_of = {pair: row for row, pair in enumerate(zip(all_pairs.a, all_pairs.b, strict=True))}
    same = [row_of[pairs.a[row], pairs.b[row]] for row in rows.tolist()]
    for name in ("overlap", "overlap_a", "overlap_b", "shared_words"):
        later = np.concatenate([getattr(numbers, name) for _, numbers in parts])
        np.testing.assert_array_equal(later, getattr(all_pairs, name)[same])


CHARACTERS = "abc  \n.-ﬁﷺé\u0301\u0327漢字Ü 1²™ \u00ad한ᄒ ᅡ\u200b,'ไทย\ud800"
EVERY_KIND = [
    ScanSettings(),
    ScanSettings(k=1),
    ScanSettings(unit="char", k=4),
    ScanSettings(unit="char", k=3, white_space="collapse"),
    ScanSettings(stem=True, drop_stop_words=True, language="english"),
    ScanSettings(bag=True, k=3),
]


@pytest.fixture
def short_pieces(monkeypatch):
    for module in (characters, tokenising):
        monkeypatch.setattr(module, "PIECE", 7)


def weights_of(shingles, settings):
    return shingles.all_weights(usual_weight(settings.unit)).tolist()


@pytest.mark.parametrize("settings", EVERY_KIND)
@given(text=st.text(st.sampled_from(CHARACTERS), max_size=120))
@example(text="111111111111\xad\u03011\xad")  # a mark moves in one part, nothing in the next
def test_shingles_and_spans_do_not_depend_on_pieces(settings, text):
    texts = [text, "x y z", text[:9]]
    with pytest.MonkeyPatch.context() as patch:
        uncut, tokens = shingle(texts, settings), tokenise(text, settings)
        for module in (characters, tokenising):
            patch.setattr(module, "PIECE", 7)
        cut, cut_tokens = shingle(texts, settings), tokenise(text, settings)

    for array, cut_array in zip(uncut[:4], cut[:4], strict=True):
        assert array.dtype == cut_array.dtype
        assert np.array_equal(array, cut_array)
    assert weights_of(uncut, settings) == weights_of(cut, settings)
    for array, cut_array in zip(tokens, cut_tokens, strict=True):
        assert np.array_equal(array, cut_array)


@given(text=st.text(st.sampled_from("ab-\n \u2010\u00adA."), max_size=200))
def test_broken_words_are_found_wherever_a_text_is_cut(text):
    with pytest.MonkeyPatch.context() as patch:
        breaks = tokenising.find_breaks(text)
        patch.setattr(tokenising, "AT_ONCE", 3)
        assert tokenising.find_breaks(text) == breaks


def test_a_text_of_nothing_but_broken_words_is_taken_as_it_is(monkeypatch):
    text = "ab-\ncd " * 20
    assert len(tokenising.find_breaks(text)) == 20
    monkeypatch.setattr(tokenising, "MOST_BREAKS", 19)
    assert tokenising.find_breaks(text) == []


def signed(texts, limits, settings=EVERY_KIND[0]):
    with MemoryRoom().claim() as claim:
        return sign_within(texts, settings, limits, claim)


@pytest.mark.usefixtures("short_pieces")
def test_a_text_of_too_many_words_is_refused_and_the_others_are_signed(monkeypatch):
    texts = ["some words", "one two three four five six", "and others"]
    shingles, refused = signed(texts, ReadingLimits(characters=32))

    assert shingles.units.tolist() == [2, 0, 2]
    assert list(refused) == [1]
    assert refused[1].limit == "characters"
    assert refused[1].detail == (
        "This text is longer than 5 words. Such a text is not compared, because that takes much "
        "memory. Split it, or raise the limit in the settings."
    )
    assert np.array_equal(
        shingles.signatures[[0, 2]], sign_texts(texts[::2], EVERY_KIND[0]).signatures
    )
    monkeypatch.setattr(ingest, "available_memory", lambda: 500)
    _, refused = signed(texts, ReadingLimits())
    assert "half of what is free" in refused[1].detail
    assert not refused[1].limit  # no other would help


def test_a_short_text_is_refused_where_the_limit_is_shorter_still():
    shingles, refused = signed(["one two three", "four"], ReadingLimits(characters=13))

    assert shingles.units.tolist() == [0, 1]
    assert list(refused) == [0]


@pytest.mark.usefixtures("short_pieces")
def test_a_row_of_characters_that_grow_is_refused_before_they_do(monkeypatch):
    monkeypatch.setattr(tokenising, "LONGEST_PIECE", 1000)
    text = "\ufdfa" * 100

    with pytest.raises(LongTextError, match="which grow to 1800 in their normal form"):
        shingle([text], ScanSettings())
    _, refused = signed([text], ReadingLimits())
    assert "100 characters in a row without white space" in refused[0].detail


def test_signing_a_long_text_claims_what_it_takes():
    room = MemoryRoom(10)
    text = "ab " * 400_000
    with room.claim() as claim:
        sign_within([text], ScanSettings(), ReadingLimits(), claim)
        assert claim.size >= comparing_bytes(400_000)


@pytest.mark.parametrize(
    ("text", "words"), [("ab cd, ef", 3), ("漢字漢字", 4), ("été là", 2), ("\ufdfa", 4)]
)
def test_words_are_never_taken_for_fewer(text, words):
    assert words <= characters._words(text) <= 2 * words + 1
