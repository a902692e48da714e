"""Reworked passages in a list: found, measured, and the same on every path."""

import random
from contextlib import closing

import numpy as np
import pytest

from core import find_pairs
from core.base.tasks import ProgressReport, Stage
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.evidence.pairs import FoundBy, Pairs, column_types
from core.evidence.passages import find_shared_text
from core.scan import reworked as scan_reworked
from core.scan.flow import scan
from core.scan.query import TextIndex
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from tests.pairs import corpus_of
from tests.texts import folder_with, zipf_words


def words(count, seed):
    """Words of which few are frequent and most are rare."""
    rng = random.Random(seed)
    return [f"w{int(1000 ** rng.random())}" for _ in range(count)]


def exchanged(words, every):
    return [f"other{n}" if n % every == 0 else word for n, word in enumerate(words)]


TEXTS = [" ".join(words(300, seed)) for seed in range(20)]
TEXTS.append(TEXTS[3])
PASSAGE = exchanged(TEXTS[3].split()[100:180], 5)
OTHER_PASSAGE = exchanged(TEXTS[8].split()[20:120], 4)
QUESTIONS = {
    "a passage of two": [*words(90, 50), *PASSAGE, *words(90, 51)],
    "passages of several": [*PASSAGE, *words(90, 52), *OTHER_PASSAGE],
    "a document in other words": exchanged(TEXTS[5].split(), 6),
    "a document": TEXTS[7].split(),
    "nothing of it": words(200, 53),
    "no words": [],
}
EXPECTED = {"a passage of two": [3, 20], "passages of several": [3, 8, 20], "nothing of it": []}


@pytest.mark.parametrize("level", ["careful", "thorough"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_matches_are_the_pairs_of_a_scan_with_the_text_of_reworked_query(name, level, pool):
    settings = ScanSettings(reworked=level)
    text = " ".join(QUESTIONS[name])
    corpus = corpus_of(TEXTS, settings, pool)

    matches = TextIndex(corpus, settings).matches(text)

    pairs = find_pairs([*TEXTS, text], settings)
    pairs = pairs.take(pairs.b == len(TEXTS))
    found_by = dict(zip(matches.b.tolist(), matches.found_by.tolist(), strict=True))
    assert found_by == dict(zip(pairs.a.tolist(), pairs.found_by.tolist(), strict=True))
    if name in EXPECTED and level == "careful":
        assert sorted(found_by) == EXPECTED[name]
        assert all(FoundBy.REWORKED in FoundBy(bits) for bits in found_by.values())


def test_the_search_looks_only_for_what_was_requested(pool):
    settings = ScanSettings(reworked="off")
    corpus = corpus_of(TEXTS, settings, pool)

    matches = TextIndex(corpus, settings).matches(" ".join(QUESTIONS["a passage of two"]))

    assert not np.any(matches.found_by & FoundBy.REWORKED)


QUERY_SETTINGS = ScanSettings(k=3, min_resemblance=0.05, reworked="off")


def texts_of(count, seed=1):
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        if number % 4 == 0:
            words = [f"w{rng.randrange(3000)}" for _ in range(rng.randrange(1, 200))]
        changed = list(words)
        for _ in range(number % 4 * 5):
            changed[rng.randrange(len(changed))] = f"w{rng.randrange(3000)}"
        texts.append(" ".join(changed))
    texts[7] = texts[5]
    texts[9] = ""
    return texts


def index_of(texts, settings, pool):
    corpus = corpus_of(texts, settings, pool)
    return TextIndex(corpus, settings)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"bag": True},
        {"unit": "char", "k": 6},
        {"signature": "minhash"},
        {"min_passage": 3},
        {"signature": "simhash", "max_distance": 8},
        {"signature": "simhash", "max_distance": 8, "weights": "unweighted"},
    ],
)
def test_matches_are_the_pairs_of_a_scan_with_the_text_of_query(changes, pool):
    settings = QUERY_SETTINGS.with_changes(**changes)
    texts = texts_of(60)
    index = index_of(texts[1:], settings, pool)
    questions = [texts[0], texts[5], "", "one", " ".join(texts[20:30]), texts[13] + " " + texts[40]]
    count = 0
    for question in questions:
        pairs = find_pairs([question, *texts[1:]], settings)
        pairs = pairs.take(pairs.a == 0)
        matches = index.matches(question)

        order = np.argsort(matches.b)
        assert (matches.b[order] + 1).tolist() == pairs.b.tolist()
        for matched, expected in (
            (matches.resemblance, pairs.resemblance),
            (matches.containment_a, pairs.containment_a),
            (matches.containment_b, pairs.containment_b),
            (matches.estimate, pairs.estimate),
            (matches.shared_shingles, pairs.shared_shingles),
            (matches.longest_run, pairs.longest_run),
        ):
            assert matched[order].tolist() == expected.tolist()
        assert (np.diff(matches.overlap) <= 0).all()
        is_copy = matches.found_by[order] == FoundBy.EXACT
        assert is_copy.tolist() == pairs.exact_duplicate.tolist()
        count += len(order)
    assert count >= 15


def test_a_pasted_page_is_found_by_its_passage(pool):
    rng = random.Random(2)
    texts = [" ".join(f"w{rng.randrange(9000)}" for _ in range(3000)) for _ in range(5)]
    page = " ".join(texts[3].split()[1000:1040])
    question = " ".join(f"q{rng.randrange(9000)}" for _ in range(2000)) + " " + page

    matches = index_of(texts, QUERY_SETTINGS, pool).matches(question)

    assert matches.b.tolist() == [3]
    assert matches.longest_run[0] >= 40
    assert matches.found_by[0] == FoundBy.PASSAGE


@pytest.mark.parametrize("holders", [DOCUMENT_LIMIT - 1, DOCUMENT_LIMIT])
def test_common_text_matches_nobody_as_in_a_scan(holders, pool):
    rng = random.Random(7)
    common = " ".join(f"c{rng.randrange(900)}" for _ in range(60))
    texts = [
        " ".join(f"w{rng.randrange(10**9)}" for _ in range(400)) + " " + common
        for _ in range(holders + 1)
    ]
    settings = QUERY_SETTINGS.with_changes(min_resemblance=0.5)
    pairs = find_pairs(texts, settings)

    matches = index_of(texts[1:], settings, pool).matches(texts[0])

    assert len(matches.b) == np.count_nonzero(pairs.a == 0) == (holders < DOCUMENT_LIMIT) * holders


@pytest.mark.parametrize("compare", ["bands", "auto"])
def test_the_channels_of_a_match_are_those_of_a_scan(compare, pool):
    settings = ScanSettings(k=2, bands=4, rows=2, min_passage=24, compare=compare, reworked="off")
    rng = random.Random(5)
    base = [f"w{rng.randrange(4000)}" for _ in range(600)]
    texts = [" ".join(base)]
    for length in (6, 12, 18, 23, 24, 40):
        words = [f"v{rng.randrange(4000)}" for _ in range(40)]
        texts.append(" ".join([*words, *base[length : 2 * length]]))
    for least in (0.0, 0.01, 0.9):
        for listed in (True, False):
            settings_of_query = settings.with_changes(min_resemblance=least, list_passages=listed)
            matches = index_of(texts[1:], settings_of_query, pool).matches(texts[0])
            pairs = find_pairs(texts, settings_of_query)
            pairs = pairs.take(pairs.a == 0)

            assert sorted(matches.b + 1) == sorted(pairs.b)
            order = np.argsort(matches.b)
            assert matches.found_by[order].tolist() == pairs.found_by.tolist()
            by_passage = (matches.found_by & FoundBy.PASSAGE) > 0
            assert (by_passage == (matches.longest_run >= 24)).all()
            assert listed or (matches.resemblance >= least).all()


SETTINGS = ScanSettings(reworked="careful")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Unrelated texts, of which the last holds 60 words of the first, each fifth exchanged."""
    written = [zipf_words(400, seed) for seed in range(30)]
    passage = exchanged(written[0][100:160], 5)
    written.append([*zipf_words(200, 98), *passage, *zipf_words(200, 99)])
    return [" ".join(words) for words in written]


def found_by(pairs: Pairs, a: int, b: int) -> FoundBy | None:
    rows = np.flatnonzero((pairs.a == a) & (pairs.b == b))
    return FoundBy(int(pairs.found_by[rows[0]])) if len(rows) else None


def test_a_passage_of_which_every_fifth_word_was_exchanged_is_listed(texts):
    assert found_by(find_pairs(texts, ScanSettings(reworked="off")), 0, 30) is None

    pairs = find_pairs(texts, SETTINGS)

    assert found_by(pairs, 0, 30) == FoundBy.REWORKED
    assert len(pairs) == 1
    assert 40 <= pairs.shared_words[0] <= 66
    assert 0.02 < pairs.overlap[0] < pairs.overlap_a[0] < 0.3
    assert pairs.reworked_bits[0] > 100


def test_a_clause_that_many_documents_word_differently_relates_no_two_of_them():
    """But a passage that only two of them share is listed there, too."""
    rng = random.Random(1)
    clauses = [zipf_words(80, seed) for seed in range(6)]
    written = [zipf_words(80, 100 + number) for number in range(140)]
    written[139][20:] = exchanged(written[0][20:], 5)
    for words in written:
        for clause in rng.sample(clauses, 2):
            words += [f"other{rng.random()}" if rng.random() < 0.15 else word for word in clause]

    pairs = find_pairs([" ".join(words) for words in written], SETTINGS)

    rows = np.flatnonzero(pairs.found_by == FoundBy.REWORKED)
    assert list(zip(pairs.a[rows], pairs.b[rows], strict=True)) == [(0, 139)]


def test_the_size_of_a_folder_decides_how_reworked_passages_are_sought(texts, monkeypatch):
    """By itself a search is thorough where all pairs are measured, and careful elsewhere."""
    phrase = exchanged(texts[0].split()[200:209], 6)
    texts = [*texts, " ".join([*zipf_words(200, 97), *phrase, *zipf_words(200, 96)])]
    auto, careful, thorough = (
        find_pairs(texts, ScanSettings(reworked=level)) for level in ("auto", "careful", "thorough")
    )
    assert (found_by(careful, 0, 31), found_by(thorough, 0, 31)) == (None, FoundBy.REWORKED)
    assert are_equal(auto, thorough)

    monkeypatch.setattr(scan_reworked, "MEASURED_ALL", {})
    auto, careful = (
        find_pairs(texts, ScanSettings(reworked=level)) for level in ("auto", "careful")
    )
    assert are_equal(auto, careful)


def are_equal(pairs: Pairs, expected: Pairs) -> bool:
    return all(
        np.array_equal(getattr(pairs, name), getattr(expected, name)) for name in column_types()
    )


def test_texts_in_a_language_that_few_documents_have_are_no_pair_for_its_frequent_words():
    """Rare in the folder, and in every sentence of these texts; a passage of theirs is listed."""
    written = [zipf_words(400, seed) for seed in range(60)]
    written += [[word[::-1] for word in zipf_words(1500, seed)] for seed in range(60, 63)]
    written[62] += exchanged(written[60][200:260], 5)

    pairs = find_pairs([" ".join(words) for words in written], SETTINGS)

    assert list(zip(pairs.a, pairs.b, strict=True)) == [(60, 62)]
    assert pairs.shared_words[0] < 100


def test_the_room_for_words_makes_no_difference(monkeypatch, texts):
    """Words in a file, words read again for other pairs, and information looked up again."""
    texts = [*texts, *(" ".join(exchanged(texts[0].split(), every)) for every in (3, 4, 5))]
    settings = ScanSettings(reworked="careful", compare="bands")
    pairs = find_pairs(texts, settings)
    assert len(pairs) == 10

    monkeypatch.setattr("core.base.arrays.MEMORY_BYTES", 1 << 12)
    monkeypatch.setattr("core.evidence.reworked_store.PAIRS_OF_A_DOCUMENT", 0)
    for name in ("LIMIT", "INFORMED"):
        monkeypatch.setattr(f"core.evidence.reworked_store.{name}", 1000)
        narrow = find_pairs(texts, settings)

        for column in column_types():
            np.testing.assert_array_equal(getattr(pairs, column), getattr(narrow, column))


def test_the_order_of_the_texts_makes_no_difference(texts):
    pairs = find_pairs(texts, SETTINGS)
    back = find_pairs(texts[::-1], SETTINGS)

    assert back.a.tolist() == [0]
    assert back.b.tolist() == [30]
    for name in ("shared_words", "reworked_bits", "overlap", "resemblance"):
        np.testing.assert_array_equal(getattr(pairs, name), getattr(back, name))


def test_copies_and_near_copies_have_numbers_too(texts):
    near = " ".join(exchanged(texts[1].split(), 40))
    pairs = find_pairs([*texts[:8], texts[0], near], SETTINGS)

    assert found_by(pairs, 0, 8) == FoundBy.EXACT
    assert found_by(pairs, 1, 9) == FoundBy.LSH | FoundBy.PASSAGE | FoundBy.REWORKED
    assert pairs.overlap.min() > 0.9


@pytest.mark.parametrize("unit", ["word", "char"])
def test_copies_have_the_words_of_all_their_passages(texts, unit):
    """What is set aside inside parts them: what counts is more than the longest run."""
    settings = SETTINGS.with_changes(unit=unit, k=3 if unit == "word" else 8)
    both = [*texts[:8], texts[0]]
    words = texts[0].split()
    start, end = (len(" ".join(words[:count])) for count in (100, 130))
    set_aside = {row: [SetAside(start, end)] for row in (0, 8)}

    pairs = find_pairs(both, settings, set_aside=set_aside)
    pairs_of_all = find_pairs(both, settings)

    for listed, spans in ((pairs, set_aside[0]), (pairs_of_all, [])):
        (row,) = np.flatnonzero(listed.exact_duplicate)
        shared = find_shared_text(both[0], both[8], settings, set_aside=(spans, spans))
        assert listed.shared_words[row] == sum(passage.tokens for passage in shared.passages)
        assert listed.shared_words[row] == len(words) - 30 * len(spans)
        assert (listed.reworked_bits[row], listed.overlap[row]) == (-1, 1)


def test_two_references_are_no_pair(texts):
    assert len(find_pairs(texts, SETTINGS, reference=[0])) == 1
    assert len(find_pairs(texts, SETTINGS, reference=[0, 30])) == 0


def test_text_set_aside_is_no_passage(texts):
    words = texts[0].split()
    start = len(" ".join(words[:95])) + 1
    end = len(" ".join(words[:165]))

    assert len(find_pairs(texts, SETTINGS, set_aside={0: [SetAside(start, end)]})) == 0


def test_progress_tells_how_many_pairs_are_measured(texts, tmp_path):
    folder_with(tmp_path, {f"{number}.txt": text for number, text in enumerate(texts)})
    reports: list[ProgressReport] = []

    with closing(scan([tmp_path], SETTINGS)) as scanned:
        scanned.list_pairs(progress=reports.append)

    measured = [(report.done, report.total) for report in reports if report.stage is Stage.REWORKED]
    assert measured[0] == (0, 31 * 30 // 2)
    assert measured[-1] == (31 * 30 // 2, 31 * 30 // 2)


def test_no_stage_after_the_files_are_known_is_without_a_total(tmp_path):
    """In a folder too large for all its pairs to be measured."""
    chance = random.Random(1)
    for number in range(320):
        words = (f"{chance.choice('bdfgklm')}{chance.randrange(900)}" for _ in range(400))
        (tmp_path / f"{number}.txt").write_text(" ".join(words))
    reports: list[ProgressReport] = []

    with closing(scan([tmp_path], SETTINGS, progress=reports.append)) as scanned:
        scanned.list_pairs(progress=reports.append)

    assert {report.stage for report in reports if not report.total} == {Stage.DISCOVER}
    assert (Stage.DISCOVER, 256, 0) in reports
    met = [(report.done, report.total) for report in reports if report.stage is Stage.MEET]
    assert met == sorted(met)
    assert (met[0], met[-1]) == ((0, 320), (320, 320))


LEVELS = ("off", "auto", "careful", "thorough")


@pytest.mark.parametrize("level", ["off", "careful"])
def test_the_same_shortest_passage_gives_the_same_list_whatever_it_was_before(level, tmp_path):
    """The bands meet no pair: which are listed is decided by the fingerprints that there are."""
    written = [zipf_words(120, seed) for seed in range(12)]
    for number, length in enumerate((10, 12, 18, 22, 35, 40)):
        written[2 * number + 1][30 : 30 + length] = written[2 * number][50 : 50 + length]
    for number, words in enumerate(written):
        (tmp_path / f"{number:02}.txt").write_text(" ".join(words))
    few = ScanSettings(compare="bands", bands=1, rows=40, min_resemblance=0.01, reworked=level)
    settings_of_scans = [few.with_changes(min_passage=words) for words in (8, 30)]
    scans = [scan([tmp_path], settings) for settings in settings_of_scans]
    fresh = [(scanned.list_pairs().every, scanned.state.signed.fingerprints) for scanned in scans]
    for file in tmp_path.iterdir():
        file.unlink()
    for number in range(len(scans)):
        for settings, (pairs, fingerprints) in zip(settings_of_scans, fresh, strict=True):
            scans[number] = scans[number].searching(settings)
            assert are_equal(scans[number].list_pairs(settings).every, pairs)
            values = scans[number].state.signed.fingerprints.values
            np.testing.assert_array_equal(values, fingerprints.values)
        scans[number].close()


@pytest.mark.parametrize("measures_all", [True, False])
def test_the_same_settings_give_the_same_list_whatever_was_searched_before(
    measures_all, texts, tmp_path, monkeypatch
):
    """No file is read: they are gone when the search is changed."""
    if not measures_all:
        monkeypatch.setattr(scan_reworked, "MEASURED_ALL", {})
    folder_with(tmp_path, {f"{number:02}.txt": text for number, text in enumerate(texts)})
    scans = {level: scan([tmp_path], ScanSettings(reworked=level)) for level in LEVELS}
    fresh = {
        level: (scanned.list_pairs().every, scanned.state.signed)
        for level, scanned in scans.items()
    }
    for file in tmp_path.iterdir():
        file.unlink()
    for level in LEVELS[1:]:
        pairs, signed = fresh[level]
        assert len(pairs)
        for before in LEVELS:
            scans[before] = scans[before].searching(ScanSettings(reworked=level))
            pair_list = scans[before].list_pairs()
            assert pair_list.settings.reworked == level
            assert are_equal(pair_list.every, pairs)
            grams = scans[before].state.signed.skip_grams
            np.testing.assert_array_equal(grams.values, signed.skip_grams.values)
            np.testing.assert_array_equal(grams.counts, signed.skip_grams.counts)
    for scanned in scans.values():
        scanned.close()


def test_a_folder_that_is_not_there_changes_no_number(tmp_path):
    """The words of its documents are known still, by which passages are measured."""
    answers = {name: " ".join(words) for name, words in QUESTIONS.items()}
    folders = [
        folder_with(tmp_path / "answers", answers),
        folder_with(tmp_path / "texts", {str(number): text for number, text in enumerate(TEXTS)}),
    ]
    with closing(scan(folders, ScanSettings())) as first:
        before = first.pairs()
        folders[1].rename(tmp_path / "elsewhere")
        with closing(scan(folders, ScanSettings(), previous=first.state)) as again:
            assert folders[1] in again.unusable
            assert are_equal(again.pairs(), before)
            with closing(Scan.restored(again.state)) as opened:
                assert are_equal(opened.pairs(), before)
        (tmp_path / "elsewhere").rename(folders[1])
        (folders[1] / "0").write_bytes(bytes(range(256)))
        folder_with(folders[0], {f"a copy {n}": f"{n} {text}" for n, text in enumerate(TEXTS)})
        with closing(scan(folders, ScanSettings(), previous=first.state)) as damaged:
            there = {document.name for document in damaged.documents if document.absence is None}
            assert len(there) < len(damaged.documents)
            numbers = {pair for pair in named_numbers(damaged) if there.issuperset(pair[:2])}
    with closing(scan(folders, ScanSettings())) as fresh:
        assert numbers == named_numbers(fresh)


def named_numbers(scanned):
    pairs = scanned.pairs()
    names = [[scanned.documents[number].name for number in side] for side in (pairs.a, pairs.b)]
    return set(zip(*names, pairs.overlap.tolist(), pairs.reworked_bits.tolist(), strict=True))
