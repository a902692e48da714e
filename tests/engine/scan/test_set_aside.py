"""Pairs beside text that is set aside, against plain Python; and what is set aside, changed."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from operator import attrgetter

import numpy as np
import pytest

from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.evidence.overlap import MATCHES_PER_SHINGLE
from core.evidence.pairs import FoundBy
from core.evidence.passages import find_shared_text
from core.exclusions.rules import Phrase
from core.scan.common_text import common_texts
from core.scan.corpus import Corpus
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs
from core.scan.query import TextIndex
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.signatures.methods import sign
from core.signatures.signing import sign_numbered, sign_texts
from core.text.set_aside import GAP, Reason, SetAside, merged
from core.text.shingling import NO_SHINGLE, shingle, tokenise
from core.text.store import TextStore
from tests.pairs import corpus_of, numbers_by_pair
from tests.texts import folder_with


def words(rng, count, prefix="w"):
    return " ".join(f"{prefix}{rng.randrange(10**9)}" for _ in range(count))


def test_common_passages_are_found_whole_and_counted():
    rng = random.Random(1)
    header, footer = words(rng, 80, "h").capitalize(), words(rng, 50, "f")
    texts = []
    for number in range(2 * DOCUMENT_LIMIT):
        bodies = [words(rng, 60), words(rng, 90)]
        both = number % 3 != 0
        texts.append(f"{header}. {bodies[0]}\n\n{footer if both else ''} {bodies[1]}")
    settings = ScanSettings()
    with ThreadPoolExecutor(2) as pool:
        corpus = corpus_of(texts, settings, pool)
        passages = common_texts(corpus, 10)
        only = common_texts(corpus, 1)

    assert [passage.documents for passage in passages] == [200, 133]
    for passage, frame in zip(passages, (header, footer), strict=True):
        text = texts[passage.document][passage.start : passage.end]
        assert text in frame
        assert len(text.split()) > len(frame.split()) - settings.passage_length
    assert only == passages[:1]


def test_characters_have_common_passages_too():
    rng = random.Random(2)
    common = "".join(rng.choices("的一是在不了有和人这中大为上个国我以要他", k=400))
    texts = [
        common + "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(300))
        for _ in range(DOCUMENT_LIMIT + 1)
    ]
    settings = ScanSettings(unit="char", k=5)
    with ThreadPoolExecutor(2) as pool:
        passages = common_texts(corpus_of(texts, settings, pool), 10)

    assert [passage.documents for passage in passages] == [DOCUMENT_LIMIT + 1]
    text = texts[passages[0].document][passages[0].start : passages[0].end]
    assert text in common
    assert len(text) > 400 - settings.passage_length


def test_there_is_none_where_nothing_is_common():
    rng = random.Random(3)
    with ThreadPoolExecutor(2) as pool:
        texts = [words(rng, 100) for _ in range(DOCUMENT_LIMIT)] * 2
        assert common_texts(corpus_of(texts, ScanSettings(), pool), 10) == []
        assert common_texts(corpus_of([], ScanSettings(), pool), 10) == []


def in_most(folder, texts):
    """What half of these documents share, of a scan that lists a pair for each two of them."""
    folder_with(folder, {f"{number:02}.txt": text for number, text in enumerate(texts)})
    scanned = scan([folder], ScanSettings())
    return scanned.text_of_most(len(scanned.list_pairs(scanned.settings).every))


def test_what_half_of_the_documents_share_is_reported(tmp_path):
    rng = random.Random(4)
    task = words(rng, 25)
    essays = [words(rng, 60) for _ in range(9)]
    with_task = [f"{task} {essay}" for essay in essays]
    assert in_most(tmp_path / "all", with_task) == task
    assert in_most(tmp_path / "half", with_task[:5] + essays[5:]) == task
    assert in_most(tmp_path / "less", with_task[:4] + essays[4:]) == ""
    assert in_most(tmp_path / "few", with_task[:5]) == ""
    assert in_most(tmp_path / "copies", [task + essays[0]] * 9) == ""
    short = " ".join(task.split()[:8])
    assert in_most(tmp_path / "short", [f"{short} {essay}" for essay in essays]) == ""


def test_what_is_reported_is_whole_in_half_of_the_documents(tmp_path):
    rng = random.Random(5)
    first, second, third = (words(rng, count) for count in (25, 25, 35))
    both, last = f"{first} {second}", f"{second} {third}"
    tasks = [f"{both} {third}"] * 3 + [both] * 2 + [last] * 3

    assert in_most(tmp_path, [f"{words(rng, 120)} {task}" for task in tasks]) == last


def test_what_is_set_aside_is_reported_no_more_but_the_next_passage_is(tmp_path):
    rng = random.Random(6)
    sheet, form = words(rng, 40), words(rng, 25)
    texts = {f"{n}.txt": f"{sheet}\n\n{words(rng, 90)}\n\n{form}" for n in range(8)}
    scanned = scan([folder_with(tmp_path, texts)], ScanSettings())
    for passage in (sheet, form, ""):
        assert scanned.text_of_most(len(scanned.list_pairs(scanned.settings).every)) == passage
        if passage:
            scanned = scanned.with_rules(scanned.decided.rules.with_phrases([Phrase(passage)]))


OPTIONS = ScanSettings(
    k=2, signature_size=64, bands=32, rows=2, min_resemblance=0.02, reworked="off"
)
EVERY = OPTIONS.with_changes(compare="all")
SETTINGS = [
    EVERY,
    EVERY.with_changes(bag=True),
    EVERY.with_changes(reworked="careful"),
    EVERY.with_changes(signature="minhash", k=1),
    EVERY.with_changes(unit="char", k=5),
    EVERY.with_changes(signature="simhash", max_distance=8),
    EVERY.with_changes(signature="simhash", weights="tf-idf", max_distance=8),
]
VARIED = attrgetter("signature", "unit", "k", "weights", "bag", "reworked")
NAMES = ["-".join(map(str, VARIED(settings))) for settings in SETTINGS]


def random_texts(rng, count=16):
    """Edits of each other, some of them in Chinese, with copies and a text without words."""
    texts = [[f"w{word}" for word in rng.integers(0, 40, 40)]]
    while len(texts) < count:
        words = list(texts[rng.integers(len(texts))])
        for position in rng.integers(0, 40, rng.integers(0, 8)):
            words[position] = rng.choice([f"w{rng.integers(40)}", "它的文字", "ﬁne"])
        texts.append(words)
    joined = [" ".join(words) for words in texts]
    return [*joined, joined[1], joined[2], joined[2], ""]


def random_spans(rng, texts):
    """What is set aside in about half of the texts."""
    spans = {}
    for number, text in enumerate(texts):
        if len(text) and rng.random() < 0.5:
            starts = rng.integers(0, len(text), rng.integers(1, 4)).tolist()
            ends = [min(len(text), start + int(rng.integers(1, 60))) for start in starts]
            reasons = rng.choice(list(Reason), len(starts))
            spans[number] = [
                SetAside(*span) for span in zip(starts, ends, map(Reason, reasons), strict=True)
            ]
    spans[1] = [SetAside(0, len(texts[1]))]
    return spans


def stretches_of(text, spans, settings):
    """The shingles that count, stretch by stretch, as tuples of units; and what units weigh."""
    tokens = tokenise(text, settings, merged(spans))
    units = [[]]
    for value in tokens.values.tolist():
        if value == GAP:
            units.append([])
        else:
            units[-1].append(value)
    k = settings.k
    if len(units) == 1 and 0 < len(units[0]) < k:
        return [[(*units[0], len(units[0]))]]
    return [
        [tuple(values[start : start + k]) for start in range(len(values) - k + 1)]
        for values in units
    ]


def longest_run(first, second):
    """Shingles of the longest run that stands in a stretch of both."""
    best = 0
    for stretch in first:
        for partner in second:
            before = [0] * (len(partner) + 1)
            for value in stretch:
                now = [0] * (len(partner) + 1)
                for index, other_value in enumerate(partner, 1):
                    if value == other_value:
                        now[index] = before[index - 1] + 1
                        best = max(best, now[index])
                before = now
    return best


def expected_pairs(texts, spans, settings):
    """The numbers of all pairs that share a shingle: plain Python."""
    all_stretches = [stretches_of(text, spans.get(n, ()), settings) for n, text in enumerate(texts)]
    bags = [
        Counter(value for stretch in stretches for value in stretch) for stretches in all_stretches
    ]
    if not settings.bag:
        bags = [Counter(set(bag)) for bag in bags]
    rows = {}
    for a, b in combinations(range(len(texts)), 2):
        shared = sum((bags[a] & bags[b]).values())
        if shared:
            of_a, of_b = sum(bags[a].values()), sum(bags[b].values())
            rows[a, b] = (
                shared / (of_a + of_b - shared),
                shared / of_a,
                shared / of_b,
                longest_run(all_stretches[a], all_stretches[b]) + settings.k - 1,
                shared,
            )
    return rows


def rows_of(pairs):
    return {name: column.tolist() for name, column in vars(pairs).items()}


def numbers_of(pairs):
    names = ("resemblance", "containment_a", "containment_b", "longest_run", "shared_shingles")
    return numbers_by_pair(pairs, *names)


@pytest.mark.parametrize("settings", SETTINGS, ids=NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_are_those_of_the_shingles_that_count(settings, seed):
    rng = np.random.default_rng(seed)
    texts = random_texts(rng)
    spans = random_spans(rng, texts)
    numbers = numbers_of(find_pairs(texts, settings, set_aside=spans))
    expected = expected_pairs(texts, spans, settings)
    listed = {pair: row for pair, row in expected.items() if row[0] >= settings.min_resemblance}
    assert numbers.keys() == listed.keys()
    for pair, row in listed.items():
        if "它" not in texts[pair[0]] + texts[pair[1]]:
            assert numbers[pair] == pytest.approx(row)
        else:  # of letters, the longest run is that of most words
            assert numbers[pair][:3] == pytest.approx(row[:3])
            assert numbers[pair][3] <= row[3]
            assert numbers[pair][4] == row[4]
    assert numbers != numbers_of(find_pairs(texts, settings))


def test_runs_of_repeated_words_end_where_text_is_set_aside():
    text = "la " * 600
    spans = {0: [SetAside(300, 303)], 1: [SetAside(300, 303), SetAside(1200, 1201)]}
    settings = EVERY.with_changes(k=3)
    assert MATCHES_PER_SHINGLE * 1200 < 600 * 600
    rows = numbers_of(find_pairs([text, text], settings, set_aside=spans))
    assert rows[0, 1][3] == 299
    repeated = "la li " * 300
    rows = numbers_of(
        find_pairs([repeated, repeated + "x"], settings, set_aside={0: spans[0], 1: spans[1]})
    )
    assert rows[0, 1][3] == 299


def test_copies_are_texts_of_which_the_same_counts():
    texts = ["COVER one two three four", "one two three four", "one two . three four"]
    spans = {0: [SetAside(0, 5)], 2: [SetAside(8, 9)]}
    pairs = find_pairs(texts, EVERY, set_aside=spans)
    exact = {
        (a, b)
        for a, b, ways in zip(
            pairs.a.tolist(), pairs.b.tolist(), pairs.found_by.tolist(), strict=True
        )
        if ways == FoundBy.EXACT
    }
    assert exact == {(0, 1)}
    rows = numbers_of(pairs)
    assert rows[0, 1][0] == 1
    assert rows[0, 2][0] == pytest.approx(2 / 3)


@pytest.mark.parametrize("signature", ["fss", "minhash", "simhash"])
@pytest.mark.parametrize("bag", [False, True])
def test_signatures_are_those_of_the_shingles_that_count(signature, bag):
    rng = np.random.default_rng(5)
    settings = OPTIONS.with_changes(signature=signature, bag=bag)
    texts = random_texts(rng)
    set_aside = {number: merged(spans) for number, spans in random_spans(rng, texts).items()}
    shingles = shingle(texts, settings, set_aside=set_aside)
    kept = shingles.hashes != NO_SHINGLE
    sizes = [int(kept[slice(*shingles.offsets[n : n + 2])].sum()) for n in range(len(texts))]
    alone = shingles._replace(
        hashes=shingles.hashes[kept],
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        has_gaps=False,
    )
    signed = sign(shingles, settings)[np.array(sizes) > 0]
    assert (
        signed.tolist()
        == sign(alone._replace(weights=None), settings)[np.array(sizes) > 0].tolist()
    )


def test_candidates_are_those_of_what_counts():
    """A cover sheet that all share pairs nobody once it is set aside."""
    rng = np.random.default_rng(3)
    cover = " ".join(f"c{number}" for number in range(30))
    texts = [
        f"{cover} " + " ".join(f"w{word}" for word in rng.integers(0, 100_000, 20))
        for _ in range(12)
    ]
    settings = OPTIONS.with_changes(compare="bands")
    assert len(find_pairs(texts, settings).a) == 66
    spans = {number: [SetAside(0, len(cover), Reason.TEMPLATE)] for number in range(12)}
    assert not len(find_pairs(texts, settings, set_aside=spans).a)


def make_corpus(texts, spans, settings, pool):
    store = TextStore()
    store.extend(texts)
    store.exclude_spans(spans)
    corpus = Corpus(settings, pool)
    corpus.adopt(store)
    corpus.append(sign_numbered(store, np.arange(len(texts)), settings))
    return corpus


@pytest.mark.parametrize("settings", SETTINGS[:3], ids=NAMES[:3])
def test_the_forecast_and_a_query_know_what_counts(settings, pool):
    rng = np.random.default_rng(8)
    texts = random_texts(rng)
    spans = random_spans(rng, texts)
    corpus = make_corpus(texts, spans, settings, pool)
    listed = PairLister(corpus).list_pairs(settings).pairs
    assert rows_of(listed) == rows_of(find_pairs(texts, settings, set_aside=spans, overlap=True))
    known = known_pairs(corpus, settings)
    expected = expected_pairs(texts, spans, settings)
    different = len(corpus.distinct())
    assert known.all_pairs == different * (different - 1) // 2
    assert known.identical == int(listed.exact_duplicate.sum())
    background = corpus.background_pairs()
    for code, resemblance in zip(background.codes.tolist(), background.resemblance, strict=True):
        pair = code >> 32, code & 0xFFFFFFFF
        assert resemblance == pytest.approx(expected.get(pair, (0,))[0])
    text = texts[0]
    matches = TextIndex(corpus, settings).matches(text)
    with_text = find_pairs([*texts, text], settings, set_aside=spans)
    is_match = with_text.b == len(texts)
    resemblance = dict(zip(matches.b.tolist(), matches.resemblance.tolist(), strict=True))
    assert resemblance == dict(
        zip(with_text.a[is_match].tolist(), with_text.resemblance[is_match].tolist(), strict=True)
    )


def test_common_text_is_shown_where_it_stands(pool):
    common = " ".join(f"c{number}" for number in range(40))
    texts = [f"HEAD of {number} . {common} end{number}" for number in range(600)]
    spans = {number: [SetAside(0, texts[number].index(" ."))] for number in range(600)}
    spans[0].append(SetAside(texts[0].index("c12 "), texts[0].index("c13 ")))
    settings = OPTIONS.with_changes(compare="bands", bands=1, rows=64)
    corpus = make_corpus(texts, spans, settings, pool)
    (passage, *_) = common_texts(corpus, 5)
    text = texts[passage.document][passage.start : passage.end]
    assert text in common
    assert "c12" not in text or passage.document != 0


def test_no_passage_runs_over_text_that_is_set_aside():
    words = [f"w{number}" for number in range(120)]
    text = " ".join(words)
    middle = SetAside(text.index("w60"), text.index("w61"), Reason.QUOTATION)
    for set_aside in (((middle,), ()), ((), (middle,)), ((middle,), (middle,))):
        passages = find_shared_text(text, text, OPTIONS, set_aside=set_aside).passages
        spans = [(passage.a_start, passage.a_end) for passage in passages]
        assert spans == [(0, text.index(" w60")), (text.index("w61"), len(text))]
        assert [passage.tokens for passage in passages] == [60, 59]
    (passage,) = find_shared_text(text, text, OPTIONS).passages
    assert passage.tokens == 120


@pytest.mark.parametrize("seed", range(6))
def test_passages_at_random_hold_nothing_that_is_set_aside(seed):
    rng = np.random.default_rng(seed)
    shared = [f"s{word}" for word in rng.integers(0, 300, 200)]
    words = [f"w{word}" for word in rng.integers(0, 300, 100)]
    texts = [" ".join([*words[:50], *shared]), " ".join([*shared, *words[50:]])]
    spans = [random_spans(rng, [text, text])[1][:0] for text in texts]
    for text, spans_of_text in zip(texts, spans, strict=True):
        for start in rng.integers(0, len(text), 5).tolist():
            spans_of_text.append(SetAside(start, min(len(text), start + 30)))
    for passage in find_shared_text(*texts, OPTIONS, set_aside=tuple(spans)).passages:
        for start, end, _ in spans[0]:
            assert end <= passage.a_start or start >= passage.a_end
        for start, end, _ in spans[1]:
            assert end <= passage.b_start or start >= passage.b_end
        for run in passage.runs:
            assert texts[0][run.a_start : run.a_end] == texts[1][run.b_start : run.b_end]


def folder_of(tmp_path, texts):
    folder = tmp_path / "folder"
    folder_with(folder, {f"{number:03}.txt": text for number, text in enumerate(texts)})
    return folder


@pytest.mark.parametrize("settings", [SETTINGS[0], SETTINGS[5]], ids=[NAMES[0], NAMES[5]])
def test_changed_at_random_it_is_as_from_scratch(tmp_path, settings, monkeypatch):
    rng = np.random.default_rng(4)
    texts = random_texts(rng)[:-1]
    scanned = scan([folder_of(tmp_path, texts)], settings)
    now = {}
    for _ in range(5):
        change = random_spans(rng, texts)
        change |= {n: [] for n in rng.integers(0, len(texts), 3).tolist()}
        now = {n: spans for n, spans in (now | change).items() if spans}
        scanned.pairs()  # what is known of pairs now must not be taken for what will be
        scanned = scanned.with_exclusions(change)
        assert {n: list(spans_of_text) for n, spans_of_text in scanned.set_aside.items()} == now
        expected = find_pairs(texts, settings, set_aside=now, overlap=True)
        pairs = scanned.pairs()
        assert rows_of(pairs.take(np.lexsort((pairs.b, pairs.a)))) == rows_of(expected)
        restored = Scan.restored(scanned.state)
        assert rows_of(restored.pairs()) == rows_of(pairs)
        assert restored.set_aside == scanned.set_aside
        restored.close()
    scanned.close()


def test_only_the_documents_concerned_are_signed_again(tmp_path, monkeypatch):
    from core.scan import exclusions

    signed = []
    monkeypatch.setattr(
        exclusions,
        "sign_numbered",
        lambda texts, numbers, settings: (
            signed.append(len(numbers)) or sign_numbered(texts, numbers, settings)
        ),
    )
    texts = [f"one two three four five w{number}" for number in range(9)]
    scanned = scan([folder_of(tmp_path, texts)], EVERY)
    scanned = scanned.with_exclusions({3: [SetAside(0, 3)], 5: [SetAside(0, 3)]})
    assert signed == [2]
    scanned = scanned.with_exclusions({3: [SetAside(0, 3, Reason.TEMPLATE)], 4: []})
    assert signed == [2]
    assert scanned.set_aside[3][0].reason is Reason.TEMPLATE
    scanned.close()


@pytest.mark.parametrize(
    "other_settings", [EVERY, EVERY.with_changes(k=3)], ids=["same", "signed-anew"]
)
def test_a_rescan_keeps_it_for_texts_that_are_as_they_were(tmp_path, other_settings):
    texts = [f"one two three four five six w{number}" for number in (0, 1, 1, 3, 4, 5)]
    folder = folder_of(tmp_path, texts)
    scanned = scan([folder], EVERY)
    spans = {number: (SetAside(0, 3 + number),) for number in (0, 2, 3, 4)}
    state = scanned.with_exclusions(spans).state
    scanned.close()
    (folder / "000.txt").write_text("another text of seven words it is", encoding="utf-8")
    (folder / "003.txt").rename(folder / "007.txt")
    (folder / "004.txt").unlink()
    again = scan([folder], other_settings, previous=state)
    names = {document.path.name: number for number, document in enumerate(again.documents)}
    expected = {"002.txt": spans[2], "004.txt": spans[4], "007.txt": spans[3]}
    assert again.set_aside == {
        names[name]: spans_of_text for name, spans_of_text in expected.items()
    }
    pairs = again.pairs()
    anew = find_pairs(list(again.texts), other_settings, set_aside=again.set_aside, overlap=True)
    assert rows_of(pairs.take(np.lexsort((pairs.b, pairs.a)))) == rows_of(anew)
    again.close()


def test_spans_outside_of_the_texts_are_refused():
    with pytest.raises(ValueError, match="cannot be set aside"):
        find_pairs(["one two"], EVERY, set_aside={0: [SetAside(3, 9)]})
    with pytest.raises(IndexError):
        find_pairs(["one two"], EVERY, set_aside={1: [SetAside(0, 1)]})


def test_a_text_of_which_nothing_counts_takes_no_part():
    words = " ".join(f"word{n % 97}x{n}" for n in range(400))
    spans = merged([SetAside(12, len(words) - 12)])  # leaves two stretches, shorter than a shingle
    signed = sign_texts([words, words], ScanSettings(), set_aside={1: spans})

    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(ScanSettings(), pool)
        corpus.add([words, words], signed)

        assert corpus.taking_part().tolist() == [True, False]
