"""The flow from folders to pairs: batches, threads, cancelling, and cleaning up.

Texts in memory to pairs, against the exact resemblance of all pairs by brute force.
"""

import doctest
import errno
import random
import sys
import threading
import weakref
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from types import ModuleType
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import core
from core import find_pairs
from core.base.tasks import ROOM, WorkerPool, cancelled_by, result_of, results_of, worker_count
from core.candidates import hamming, lsh, shared_fingerprints
from core.documents.discovery import find_documents
from core.documents.isolation.processes import ReaderProcesses
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ScanCancelledError, StorageError, TooManyCandidatesError
from core.evidence.pairs import FoundBy
from core.scan import ingest
from core.scan.flow import scan
from core.scan.ingest import ingest_files
from core.scan.rescan import KnownDocuments
from core.settings import PRESETS, ScanSettings
from core.signatures.methods import DocumentFrequencies, hamming_distance
from core.signatures.methods import sign as simhash
from core.text.shingling import shingle
from tests.pairs import corpus_of, numbers_by_pair
from tests.texts import folder_with

SETTINGS = ScanSettings()


def write_texts(folder, count, words=200):
    for number in range(count):
        words_of_text = (f"w{number if n % 20 == 0 else number // 3}x{n}" for n in range(words))
        (folder / f"text{number:03}.txt").write_text(" ".join(words_of_text))


def engine_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("neardup-engine")]


def wait_for_no_engine_threads():
    for thread in engine_threads():
        thread.join(300)
    assert not engine_threads()


class StopAfter:
    """Says that the work is cancelled from the n-th question on."""

    def __init__(self, questions):
        self.left = questions

    def __call__(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("questions", [0, 5, 30, 45])
def test_a_cancelled_scan_leaves_no_thread(tmp_path, questions):
    write_texts(tmp_path, 40)

    with pytest.raises(ScanCancelledError):
        cancelled_by(StopAfter(questions))(scan)([tmp_path], SETTINGS)

    wait_for_no_engine_threads()


def test_a_scan_that_fails_leaves_no_thread(tmp_path):
    write_texts(tmp_path, 3)

    def fail(report):
        if report.done:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        scan([tmp_path], SETTINGS, progress=fail)

    wait_for_no_engine_threads()


def test_results_stay_readable_after_closing(tmp_path):
    write_texts(tmp_path, 5)
    result = scan([tmp_path], SETTINGS)
    pairs = result.pairs()
    result.close()

    wait_for_no_engine_threads()
    assert len(result.texts) == len(result.documents) == 5
    again = result.pairs()
    assert again.a.tolist() == pairs.a.tolist()
    assert again.resemblance.tolist() == pairs.resemblance.tolist()


def test_waiting_for_a_thread_is_cancelled_at_once():
    never_done = Future()

    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(result_of)(never_done)
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
        list(results_of([never_done]))
    assert never_done.cancelled()


def test_the_number_of_threads_does_not_change_the_result(tmp_path, monkeypatch):
    write_texts(tmp_path, 60)
    results = []
    for threads in (1, 2, 7):
        monkeypatch.setattr("core.scan.ingest.worker_count", lambda count=threads: count)
        monkeypatch.setattr("core.base.tasks.BATCH_TEXTS", 4 * threads)
        monkeypatch.setattr("core.evidence.store.SHINGLES_PER_TASK", 300 * threads)
        for preset in PRESETS:
            result = scan([tmp_path], preset.settings)
            pairs = result.pairs()
            result.close()
            columns = (pairs.a, pairs.b, pairs.resemblance, pairs.estimate, pairs.longest_run)
            results.append([column.tolist() for column in columns])

    assert results[:4] == results[4:8] == results[8:]
    assert any(columns[0] for columns in results)


def test_a_name_of_the_public_face_is_what_it_says_whatever_was_imported_before():
    for name in core.__all__:
        assert not isinstance(getattr(core, name), ModuleType), name


def test_a_text_too_long_for_the_memory_is_a_problem_and_the_scan_goes_on(tmp_path, monkeypatch):
    write_texts(tmp_path, 3)
    (tmp_path / "long.txt").write_text("word " * 2000)
    for module in ("characters", "tokenising"):
        monkeypatch.setattr(f"core.text.{module}.PIECE", 5000)
    monkeypatch.setattr("core.scan.ingest.available_memory", lambda: 100_000)

    result = scan([tmp_path], SETTINGS)
    result.close()

    assert len(result.documents) == 3
    assert [problem.name for problem in result.problems] == ["long.txt"]
    assert "longer than 961 words. To compare it needs more than 50 kB of memory, half of" in (
        result.problems[0].detail
    )


def test_a_full_disk_is_a_sentence_and_leaves_nothing(tmp_path, monkeypatch):
    write_texts(tmp_path, 30)
    monkeypatch.setattr("core.scan.scan.text_memory", lambda: 0)

    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr("os.write", full)
    with pytest.raises(StorageError, match="is full"):
        scan([tmp_path], SETTINGS)
    wait_for_no_engine_threads()


def test_a_scan_that_needs_a_temporary_file_says_so_before_it_reads(tmp_path, monkeypatch):
    write_texts(tmp_path, 5)
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 100)
    announced = []

    result = scan(
        [tmp_path],
        SETTINGS,
        announce=announced.append,
        progress=lambda report: announced.append("read") if report.done else None,
    )

    assert "temporary file" in announced[0]
    assert announced[1] == "read"
    assert announced[0] in result.list_pairs().notes
    result.close()


def test_a_document_whose_every_a_is_cyrillic_is_found_and_says_so(tmp_path):
    words = " ".join(f"a{index} parade of alpha, beta and gamma" for index in range(40))
    (tmp_path / "plain.txt").write_text(words, encoding="utf-8")
    (tmp_path / "disguised.txt").write_text(words.replace("a", "а"), encoding="utf-8")

    with_letters, plain = scan([tmp_path], SETTINGS).documents
    (resemblance,) = scan([tmp_path], SETTINGS).list_pairs().pairs.resemblance

    assert resemblance == 1
    assert plain.remarks == ()
    assert with_letters.remarks[0].startswith("360 letters of other scripts stand within words")
    assert with_letters.text_hash == plain.text_hash


PAIRS_OF_WORDS = ScanSettings(k=2)
READING = ReadingSettings()


def batches_of(folder: Path):
    files, _ = find_documents([folder])
    known = KnownDocuments(None, PAIRS_OF_WORDS, READING)
    with ReaderProcesses(READING) as processes, ThreadPoolExecutor(2) as pool:
        return list(ingest_files(files, PAIRS_OF_WORDS, known, processes, pool))


@pytest.fixture
def folder(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_text(f"these are the words of number {number}")
    (tmp_path / "07.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize("characters", [1, 100, 1_000_000])
def test_small_files_with_long_texts_make_many_batches(folder, monkeypatch, characters):
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", characters * (2 * worker_count() + 1))

    parts = batches_of(folder)

    names = [document.name for batch in parts for document in batch.documents]
    assert names == [f"{number:02}.txt" for number in range(40) if number != 7]
    assert sum(batch.files for batch in parts) == 40
    assert [problem.name for batch in parts for problem in batch.problems] == ["07.txt"]
    for batch in parts:
        assert sum(map(len, batch.texts)) <= characters + 40
        assert len(batch.signed.units) == len(batch.documents)


def test_texts_that_wait_are_counted_by_the_memory_they_take(folder, monkeypatch):
    folder_with(folder, {f"{number:02}.txt": f"{number} 图书馆 的 书" * 20 for number in range(40)})
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 1000 * (2 * worker_count() + 1))

    sizes = [[*map(sys.getsizeof, batch.texts)] for batch in batches_of(folder)]

    assert sum(map(len, sizes)) == 40
    assert all(sum(batch) <= 1000 + max(batch) for batch in sizes)


def test_large_texts_wait_for_their_turn_and_come_in_order(folder, monkeypatch):
    for number in range(0, 40, 3):
        (folder / f"{number:02}.txt").write_text(f"the many words of number {number} " * 100)
    names = [document.name for batch in batches_of(folder) for document in batch.documents]
    monkeypatch.setattr(ingest, "LARGE_FILE", 1000)
    monkeypatch.setattr(ingest, "BYTES_AHEAD", 1)
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 100)
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset())
    monkeypatch.setattr(ingest, "FOREIGN_FILE", 1 << 20)  # each in a batch of its own

    assert [document.name for batch in batches_of(folder) for document in batch.documents] == names
    monkeypatch.setattr(ingest, "PLAIN_SUFFIXES", frozenset({".txt"}))
    assert [document.name for batch in batches_of(folder) for document in batch.documents] == names
    assert ROOM.taken == 0


def test_texts_are_let_go_while_the_next_are_read(folder, monkeypatch):
    monkeypatch.setattr(ingest, "TEXTS_AHEAD", 2 * worker_count() + 1)  # one file at a time
    files, _ = find_documents([folder])
    known = KnownDocuments(None, PAIRS_OF_WORDS, READING)
    before: list[weakref.ref[np.ndarray]] = []
    kept: list[bool] = []

    def look() -> bool:
        kept.extend(signatures() is not None for signatures in before)
        return False

    with ReaderProcesses(READING) as processes, WorkerPool(2) as pool, cancelled_by(look):
        batches = ingest_files(files, PAIRS_OF_WORDS, known, processes, pool)
        while batch := next(batches, None):
            before.append(weakref.ref(batch.signed.signatures))
            del batch

    assert len(before) > 30  # a reader may be quicker than the next batch
    assert not any(kept)


def test_a_text_with_too_many_words_is_a_problem_that_names_the_limit(folder):
    files, _ = find_documents([folder])
    reading = ReadingSettings(limits=ReadingLimits(characters=49))
    (folder / "05.txt").write_text("these are the words of number 5, and a few more")
    known = KnownDocuments(None, PAIRS_OF_WORDS, reading)
    with ReaderProcesses(reading) as processes, ThreadPoolExecutor(2) as pool:
        (batch,) = ingest_files(files, PAIRS_OF_WORDS, known, processes, pool)

    assert len(batch.documents) == 38
    details = {problem.name: problem.detail for problem in batch.problems}
    assert "longer than 7 words" in details["05.txt"]


OPTIONS = ScanSettings(
    reworked="off", k=2, signature="simhash", min_resemblance=0, min_passage=10_000, compare="bands"
)


def texts_of(count, seed=1):
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        if number % 5 == 0:
            words = [f"w{rng.randrange(500)}" for _ in range(150)]
        changed = list(words)
        for _ in range(number % 5):
            changed[rng.randrange(150)] = f"w{rng.randrange(500)}"
        texts.append(" ".join(changed))
    return texts


@pytest.mark.parametrize("weights", ["unweighted", "tf", "tf-idf"])
@pytest.mark.parametrize("distance", [0, 3, 8])
def test_all_pairs_within_the_distance_are_listed_and_no_others(weights, distance):
    texts = texts_of(60)
    options = OPTIONS.with_changes(weights=weights, max_distance=distance)
    shingles = shingle(texts, options)
    frequencies = DocumentFrequencies()
    frequencies.add(shingles)
    signatures = simhash(shingles, options, frequencies.rarity())
    a, b = np.array(list(combinations(range(60), 2))).T
    near = hamming_distance(signatures, a, b) <= distance

    pairs = find_pairs(texts, options)

    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == list(
        zip(a[near].tolist(), b[near].tolist(), strict=True)
    )
    by_search = pairs.found_by[~pairs.exact_duplicate]
    assert set(by_search.tolist()) <= {FoundBy.LSH.value}
    assert distance == 0 or near.sum() > 10
    if len(pairs):
        assert abs(pairs.estimate - pairs.resemblance).max() < 0.35


@pytest.mark.parametrize("given", [tuple, iter, np.array, lambda texts: np.array(texts, object)])
def test_texts_may_be_a_column_of_a_table(given):
    texts = texts_of(60)
    pairs = find_pairs(texts)
    assert len(pairs)
    assert find_pairs(given(texts)).resemblance.tolist() == pairs.resemblance.tolist()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("one text", "a list of texts, not a str"),
        ({"name": "text"}, "a list of texts, not a dict"),
        (["text", None], "Text 1 is NoneType, not str"),
        ([b"text"], "Text 0 is bytes, not str"),
    ],
)
def test_what_is_no_list_of_texts_is_named(given, sentence):
    with pytest.raises(TypeError, match=sentence):
        find_pairs(given)


def test_a_distance_that_would_compare_too_much_names_one_that_does(monkeypatch):
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 60)

    with pytest.raises(TooManyCandidatesError, match=r"With d = 8 more than 60 pairs .* d = [0-7]"):
        find_pairs(texts_of(60), OPTIONS.with_changes(max_distance=8))


BANDS = {"signature_size": 48, "bands": 24, "rows": 2, "min_resemblance": 0.2, "compare": "bands"}
METHODS = {
    "fast similarity sketching": ScanSettings(k=2, **BANDS),
    "minhash": ScanSettings(k=2, signature="minhash", **BANDS),
    "bags": ScanSettings(k=2, bag=True, **BANDS),
    "all pairs": ScanSettings(k=2, min_resemblance=0.2),
    "characters": ScanSettings(unit="char", k=5, **BANDS),
    "simhash": ScanSettings(
        k=1, signature="simhash", weights="tf", max_distance=8, compare="bands"
    ),
    "rarity": ScanSettings(
        k=2, signature="simhash", weights="tf-idf", max_distance=8, compare="bands"
    ),
}
WORDS = [f"word{number}" for number in range(300)]
HAN = [chr(0x4E00 + number) for number in range(300)]


def form_letters(seed, count=60):
    """Texts around three templates in two scripts, with quotations, copies and anagrams."""
    rng = random.Random(seed)
    templates = [[rng.choice(words) for _ in range(40)] for words in (WORDS, WORDS, HAN)]
    texts = []
    for number in range(count):
        words = WORDS if number % 3 < 2 else HAN
        letter = [
            word if rng.random() < 0.9 else rng.choice(words) for word in templates[number % 3]
        ]
        if number % 5 == 0:
            letter[10:10] = templates[(number + 1) % 3][5:25]
        texts.append(" ".join(letter) if number % 3 < 2 else "".join(letter))
    anagrams = [" ".join(rng.sample(texts[0].split(), len(texts[0].split()))) for _ in range(5)]
    return [*texts, *anagrams, *texts[:4], texts[0]]


def listed(texts, settings):
    """The pairs and all their numbers, by their texts."""
    pairs = find_pairs(texts, settings)
    names = ("resemblance", "estimate", "shared_shingles", "longest_run", "run_words", "found_by")
    numbers = zip(*(getattr(pairs, name).tolist() for name in names), strict=True)
    sides = zip(pairs.a, pairs.containment_a, pairs.b, pairs.containment_b, strict=True)
    return Counter(
        (*sorted([(texts[a], float(in_a)), (texts[b], float(in_b))]), *values)
        for (a, in_a, b, in_b), values in zip(sides, numbers, strict=True)
    )


@pytest.fixture
def small_limits(monkeypatch):
    """Crowds and common text in a few dozen documents."""
    monkeypatch.setattr(lsh, "BUCKET_LIMIT", 6)
    monkeypatch.setattr(lsh, "PART_LIMIT", 2)
    monkeypatch.setattr(hamming, "EQUAL_LIMIT", 2)
    monkeypatch.setattr(shared_fingerprints, "DOCUMENT_LIMIT", 8)
    monkeypatch.setattr(shared_fingerprints, "CHARACTERS_AT_ONCE", 1000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("settings", METHODS.values(), ids=METHODS.keys())
def test_the_order_of_the_documents_decides_nothing(settings):
    texts = form_letters(seed=1)
    first = listed(texts, settings)
    assert len(first) > 20

    for seed in range(3):
        assert listed(random.Random(seed).sample(texts, len(texts)), settings) == first


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("method", ["fast similarity sketching", "bags", "characters", "simhash"])
def test_documents_that_are_like_none_change_nothing(method):
    settings, texts = METHODS[method].with_changes(reworked="off"), form_letters(seed=2)
    rng = random.Random(3)
    unrelated = [" ".join(f"other{rng.random()}" for _ in range(40)) for _ in range(300)]

    assert listed([*unrelated, *texts], settings) == listed(texts, settings)


def test_random_pairs_are_drawn_by_what_the_texts_say(monkeypatch):
    """On them rests what is forecast, and whether all pairs can be compared."""
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_PAIRS", 50)
    texts = sorted(set(form_letters(seed=5)))

    def drawn(texts):
        with ThreadPoolExecutor(1) as pool:
            settings = ScanSettings(k=2)
            corpus = corpus_of(texts, settings, pool)
            drawn_pairs = corpus.background_pairs()
            low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
            codes = drawn_pairs.codes
            assert ((codes >> high) < (codes & low)).all()
            return [
                (frozenset((texts[code >> high], texts[code & low])), resemblance)
                for code, resemblance in zip(codes, drawn_pairs.resemblance, strict=True)
            ]

    first = drawn(texts)
    assert len(first) == 50
    assert drawn(texts[::-1]) == first
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_CHARACTERS", 1000)
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_DOCUMENTS", 20)
    assert drawn(texts) == drawn(texts[::-1]) != first


quick = settings(derandomize=True, max_examples=60)

OFF = {"reworked": "off"}
# With one row, a pair of resemblance 0.1 escapes 300 bands once in 10^13 times.
THOROUGH = {"signature_size": 300, "bands": 300, "rows": 1, "min_resemblance": 0.1} | OFF

words = st.sampled_from(["a", "b", "c", "d", "e", "f"])
text = st.lists(words, max_size=14).map(" ".join)


@st.composite
def corpora(draw):
    """Texts of a few words, some of them edits or copies of others."""
    texts = draw(st.lists(text, min_size=1, max_size=10))
    for _ in range(draw(st.integers(0, 4))):
        chosen = draw(st.sampled_from(texts)).split()
        position = draw(st.integers(0, len(chosen)))
        texts.append(
            " ".join(chosen[:position] + draw(st.lists(words, max_size=2)) + chosen[position + 1 :])
        )
    texts += [draw(st.sampled_from(texts)).upper() + "!" for _ in range(draw(st.integers(0, 2)))]
    return texts


def shingles(units, k):
    """The shingles of a document, by definition."""
    if 0 < len(units) < k:
        return [tuple(units)]
    return [tuple(units[start : start + k]) for start in range(len(units) - k + 1)]


def compare(a, b, options):
    """Everything the list says about a pair, computed from sets or bags; None if not listed."""
    bag_a, bag_b = shingles(a, options.k), shingles(b, options.k)
    count = Counter if options.bag else set
    shared, total = count(bag_a) & count(bag_b), count(bag_a) | count(bag_b)
    sizes = [sum(c.values()) if options.bag else len(c) for c in (shared, total)]
    sides = [len(side) if options.bag else len(set(side)) for side in (bag_a, bag_b)]
    if not bag_a or not bag_b or sizes[0] / sizes[1] < options.min_resemblance or not sizes[0]:
        return None
    longest = SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    return (
        sizes[0] / sizes[1],
        sizes[0] / sides[0],
        sizes[0] / sides[1],
        sizes[0],
        longest,
        a == b,
        FoundBy.EXACT if a == b else FoundBy.LSH,
    )


def brute_force(texts, options):
    documents = [text.lower().strip("!").split() for text in texts]
    numbers_of_pairs = {
        (a, b): compare(documents[a], documents[b], options)
        for a, b in combinations(range(len(texts)), 2)
    }
    return {pair: numbers for pair, numbers in numbers_of_pairs.items() if numbers}


def as_rows(pairs):
    names = ("resemblance", "containment_a", "containment_b", "shared_shingles", "longest_run")
    return numbers_by_pair(pairs, *names, "exact_duplicate", "found_by")


@quick
@given(corpora(), st.integers(1, 5), st.booleans(), st.sampled_from(["fss", "minhash"]))
@example(["a b", "a b", "a b c", "A b!", "", "!"], 5, False, "fss")
def test_every_number_is_exact_and_nothing_is_missed(texts, k, bag, signature):
    options = ScanSettings(k=k, bag=bag, signature=signature, **THOROUGH)

    pairs = find_pairs(texts, options)

    assert as_rows(pairs) == brute_force(texts, options)
    assert len(as_rows(pairs)) == len(pairs)
    order = list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    assert order == sorted(order)
    assert all(a < b for a, b in order)
    assert (pairs.estimate[pairs.exact_duplicate] == 1).all()


@quick
@given(corpora(), st.integers(1, 5))
def test_few_bands_list_a_part_and_never_a_wrong_number(texts, k):
    options = ScanSettings(k=k, bands=4, rows=5, min_resemblance=0.3, compare="bands", **OFF)

    rows = as_rows(find_pairs(texts, options)).items()

    assert rows <= brute_force(texts, options).items()


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["", " \n", "...", "!"], ["one"]])
def test_texts_without_words_match_nothing(texts):
    assert len(find_pairs(texts, ScanSettings(min_resemblance=0))) == 0


@pytest.mark.parametrize("options", [ScanSettings(k=64), ScanSettings(unit="char", k=64)])
def test_documents_shorter_than_a_shingle_match_only_their_copies(options):
    pairs = find_pairs(["one two three", "one two", "One, two, three", "two three"], options)
    equal = [(0, 2)] if options.unit == "word" else []

    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == equal
    assert pairs.longest_run.tolist() == [3] * len(equal)


def test_many_batches_give_what_one_gives(monkeypatch):
    rng = np.random.default_rng(2)
    texts = [" ".join(rng.choice(list("abcdefgh"), 30)) for _ in range(80)]
    options = ScanSettings(k=3, **THOROUGH)
    pairs = find_pairs(texts, options)

    monkeypatch.setattr("core.base.tasks.BATCH_CHARACTERS", 100)
    monkeypatch.setattr("core.evidence.store.SHINGLES_PER_TASK", 7)

    assert as_rows(find_pairs(texts, options)) == as_rows(pairs)


def test_the_example_of_the_docstring_is_true():
    outcome = doctest.testmod(sys.modules[find_pairs.__module__])

    assert outcome.attempted > 0
    assert outcome.failed == 0
