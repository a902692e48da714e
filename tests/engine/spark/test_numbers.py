"""Candidates measured on Arrow batches give what the lister gives for them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

from core.evidence.pairs import FoundBy, Pairs, pair_codes, split_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import affordable_pairs
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.spark.columns import packed
from core.spark.evidence import Measuring, ReworkedRule
from core.text.set_aside import SetAside, merged
from tests.engine.spark.tables import documents_table, number_of, row_of, texts_with_copies

WAYS = ("in_all", "in_bands", "in_shared", "in_skip_grams")
ASIDE = {3: [SetAside(0, 90)], 7: [SetAside(40, 200), SetAside(300, 320)]}


class OneMachine:
    """A corpus on one machine: what its search meets, and what it lists."""

    def __init__(self, texts, settings, *, aside=None, reference=()):
        aside = aside or {}
        self.settings = settings
        with ThreadPoolExecutor(2) as pool:
            self.corpus = Corpus(settings, pool)
            signed = sign_texts(texts, settings, set_aside={n: merged(s) for n, s in aside.items()})
            self.corpus.add(texts, signed, ~np.isin(np.arange(len(texts)), reference))
            self.corpus.texts.put_aside(aside)
            self.listed = PairLister(self.corpus).list_pairs(settings).every
            self.candidates = self._candidates()
            self.reworked = None
            if settings.reworked != "off":
                reworked = self.corpus.reworked
                bits = reworked.threshold(settings.reworked)
                self.reworked = ReworkedRule(reworked.words().to_bytes(), bits)

    def _candidates(self):
        """The pairs of different documents as a table, and those of copies with themselves."""
        corpus, codes = self.corpus, dict.fromkeys(WAYS, np.empty(0, dtype=np.uint64))
        every = affordable_pairs(corpus, self.settings)
        if every is not None:
            codes["in_all"] = every.reaching(self.settings.min_resemblance)
        else:
            chunks = list(corpus.search(self.settings).chunks())
            codes["in_bands"] = np.concatenate([pair_codes(one.x, one.y) for one in chunks])
        codes["in_shared"] = corpus.shared_passages().codes
        if self.settings.reworked != "off":
            codes["in_skip_grams"] = corpus.reworked.candidates().codes
        own = np.flatnonzero(np.bincount(corpus.representatives()) > 1)
        own = own[corpus.signed.units[own] > 0]
        union = np.unique(np.concatenate([*codes.values(), pair_codes(own, own)]))
        x, y = split_codes(union)
        ways = {name: np.isin(union, one) for name, one in codes.items()}
        return pa.table({"x": number_of(x), "y": number_of(y), **ways})

    def with_complete_signatures(self, documents):
        """A table of these documents with signatures that may depend on all of them."""
        own = self.corpus.signed.signatures[row_of(documents["number"].to_numpy())]
        column = packed(own.reshape(-1), np.full(len(own), own.shape[1]))
        place = documents.column_names.index("signature")
        return documents.set_column(place, "signature", column)

    def wanted(self):
        """What is listed of different documents; a copy with the first one is (first, first)."""
        pairs, first = self.listed, self.corpus.representatives()
        exact = pairs.exact_duplicate
        b = np.where(exact, first[pairs.b], pairs.b)
        pairs = pairs.with_columns(b=b)
        pairs = pairs.take(np.where(exact, pairs.a == b, (first[pairs.a] == pairs.a)))
        pairs = pairs.take(first[pairs.b] == pairs.b)
        codes = pair_codes(pairs.a, pairs.b)
        return pairs.take(np.unique(codes, return_index=True)[1])


def pairs_of(table):
    """A table of NUMBERS as pairs of rows, ordered."""
    columns = {one.name: table.column(one.name).to_numpy() for one in fields(Pairs)}
    columns |= {name: row_of(columns[name]) for name in ("a", "b")}
    pairs = Pairs(**columns)
    return pairs.take(np.lexsort((pairs.b, pairs.a)))


def assert_same(found, wanted):
    for one in fields(Pairs):
        np.testing.assert_array_equal(
            getattr(found, one.name), getattr(wanted, one.name), err_msg=one.name
        )


OF_TEXTS = ("number", "text", "aside", "units", "signature")


def cells_of(candidates, documents, cells, of_texts=OF_TEXTS):
    """The rows of candidates and their texts as a partition holds them."""
    home = np.sort(np.random.default_rng(3).integers(0, cells, len(candidates)))
    number, parts = documents.column("number").to_numpy(), []
    texts = documents.select(of_texts)
    for cell in range(cells):
        pairs = candidates.filter(pa.array(home == cell))
        used = np.isin(number, np.concatenate([pairs["x"].to_numpy(), pairs["y"].to_numpy()]))
        for part in (pairs, texts.filter(pa.array(used))):
            own = pa.array(np.full(len(part), cell))
            parts.append(part.append_column("home", own).append_column("part", own))
    return pa.concat_tables(parts, promote_options="default").combine_chunks()


SETTINGS = {
    "all pairs": ScanSettings(),
    "bands": ScanSettings(compare="bands", min_resemblance=0.3),
    "no reworked": ScanSettings(compare="bands", reworked="off"),
    "thorough, bag": ScanSettings(compare="bands", reworked="thorough", bag=True),
    "characters": ScanSettings(compare="bands", unit="char", k=7),
    "bits": ScanSettings(compare="bands", signature="simhash", max_distance=8),
    "tf-idf": ScanSettings(compare="bands", signature="simhash", max_distance=8, weights="tf-idf"),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(("cells", "size"), [(1, 1000), (9, 7)])
def test_the_pairs_and_numbers_are_those_of_one_machine(name, cells, size):
    settings, texts = SETTINGS[name], [*texts_with_copies(70, words=90), "", "one two"]
    one = OneMachine(texts, settings, aside=ASIDE, reference=[2, 9, 25])  # without copies
    documents = one.with_complete_signatures(documents_table(texts, settings, aside=ASIDE))
    batches = cells_of(one.candidates, documents, cells).to_batches(max_chunksize=size)

    found = pa.Table.from_batches(Measuring(settings, one.reworked)(iter(batches)))

    found, wanted = pairs_of(found), one.wanted()
    if one.reworked is not None:  # only those of candidates are measured here
        wanted = with_numbers_of_candidates(wanted, found)
    assert_same(found, wanted)
    assert len({int(way) for way in wanted.found_by}) > 2


def with_numbers_of_candidates(wanted, found):
    """The pairs without the reworked numbers that were not measured yet."""
    missing = found.reworked_share < 0
    columns = {
        name: np.where(missing, -1, getattr(wanted, name)).astype(getattr(wanted, name).dtype)
        for name in ("reworked_words", "reworked_bits", "reworked_share")
    }
    return wanted.with_columns(**columns)


def test_candidates_that_meet_in_no_band_after_all_are_dropped():
    settings, texts = SETTINGS["bands"], texts_with_copies(40, words=90)
    one = OneMachine(texts, settings)
    x, y = np.triu_indices(len(texts), 1)
    ways = {name: np.zeros(len(x), dtype=np.bool_) for name in WAYS}
    own = one.corpus.taking_part()
    every = pa.table({"x": number_of(x), "y": number_of(y), **ways, "in_bands": ~ways["in_all"]})
    every = every.filter(pa.array(own[x] & own[y]))
    cells = cells_of(every, documents_table(texts, settings), 2)

    found = Measuring(settings, None)(iter(cells.to_batches()))

    wanted = one.wanted().take(~one.wanted().exact_duplicate)
    wanted = wanted.take((wanted.found_by & FoundBy.LSH) > 0)
    wanted = wanted.take(wanted.resemblance >= settings.min_resemblance)
    found = pairs_of(pa.Table.from_batches(found))
    np.testing.assert_array_equal(pair_codes(found.a, found.b), pair_codes(wanted.a, wanted.b))
    assert 0 < len(found) < len(every)
