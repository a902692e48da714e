"""Every stage can be cancelled whenever it asks: it stops there and leaves all as it was."""

import random
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.audit.auditing import Method, audit
from core.base.tasks import cancelled_by
from core.documents.discovery import find_documents
from core.errors import ScanCancelledError
from core.evidence.differences import find_differences
from core.evidence.overlap import figures_of
from core.evidence.passages import find_shared_text
from core.exclusions.rules import ExclusionRules
from core.reports.formats import measure, write_report
from core.reports.from_scan import report_of
from core.reports.tables import write_passages
from core.review import open_review, save_review
from core.scan.buckets import bucket_fill
from core.scan.flow import scan
from core.scan.groups import group_pairs
from core.scan.passage_list import list_passages
from core.scan.properties import FileProperties, FolderProperties
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.characters import PIECE
from tests.pairs import pairs_with

SETTINGS = ScanSettings()
BY_BANDS = ScanSettings(compare="bands")
SIMHASH = ScanSettings(signature="simhash", weights="tf-idf", compare="bands")
QUOTATIONS = ExclusionRules(quotations=True)
MOST = 6  # questions at which a stage is cancelled, one after the other


class CancelAfter:
    """Counts how often a stage asks, on any thread, and says yes from the n-th time on."""

    def __init__(self, at: int | None = None):
        self.at = at
        self.questions = 0
        self._lock = threading.Lock()

    def __call__(self) -> bool:
        with self._lock:
            self.questions += 1
            return self.at is not None and self.questions >= self.at

    @property
    def said_yes(self) -> bool:
        return self.at is not None and self.questions >= self.at


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("texts"), random.Random(3)
    words = [f"word{number}" for number in range(900)]
    texts = [chance.choices(words, k=120) for _ in range(40)]
    for number, text in enumerate(texts):
        if number % 4 == 0:
            text[:80] = texts[number - 3][:80]
        (folder / f"{number}.txt").write_text(" ".join(text))
    (folder / "below").mkdir()
    (folder / "below" / "page.html").write_text("<p>" + " ".join(texts[0]))
    return folder


@pytest.fixture(scope="module")
def scanned(folder, pool):
    return scan([folder], SETTINGS, pool=pool)


@pytest.fixture(scope="module")
def review(scanned, tmp_path_factory):
    path = tmp_path_factory.mktemp("reviews") / "a.neardup"
    save_review(path, scanned.state)
    return path


@pytest.fixture(scope="module")
def searched(scanned, pool):
    """The same scan by bands and by SimHash."""
    return [scan(scanned.folders, settings, pool=pool).state for settings in (BY_BANDS, SIMHASH)]


SCANS = []  # those that a test has made, with threads of their own


@pytest.fixture(autouse=True)
def ended():
    yield
    while SCANS:
        SCANS.pop().close()


def anew(scanned):
    """The same scan with nothing measured yet."""
    return restored(scanned.state)


def restored(state):
    return kept(Scan.restored(state._replace(known_list=None)))


def kept(made):
    SCANS.append(made)
    return made


def opened(review):
    with open_review(review):
        pass


def queried(scanned):
    index = anew(scanned).index()
    index.matches(scanned.texts[0])


def rescanned(folder, review):
    with open_review(review) as before:
        scan([folder], SETTINGS, previous=before.state).close()


def stages(folder, scanned, searched, review, target: Path):
    """The stages by their names: what is done, given whom to ask."""
    texts = list(scanned.texts)
    pair_list = scanned.list_pairs()
    report = report_of(scanned, pair_list)
    by_bands, simhash = searched
    return {
        "discovery": lambda: find_documents([folder]),
        "scan": lambda: scan([folder], SETTINGS).close(),
        "rescan": lambda: rescanned(folder, review),
        "all pairs": lambda: anew(scanned).list_pairs(),
        "bands": lambda: restored(by_bands).list_pairs(),
        "simhash": lambda: restored(simhash).list_pairs(),
        "random pairs": lambda: restored(by_bands).background(),
        "forecast": lambda: anew(scanned).known_pairs(SETTINGS),
        "first save": lambda: save_review(target / "new", scanned.state),
        "another save": lambda: save_review(review, scanned.state),
        "open": lambda: opened(review),
        "query": lambda: queried(scanned),
        "numbers": lambda: figures_of(texts[0], texts[1], SETTINGS),
        "passages": lambda: find_shared_text(texts[0], texts[1], SETTINGS),
        "differences": lambda: find_differences(texts[0], texts[1]),
        "passages of all": lambda: list_passages(anew(scanned), SETTINGS, {}),
        "text set aside": lambda: kept(anew(scanned).with_rules(QUOTATIONS)),
        "buckets": lambda: bucket_fill(restored(by_bands).full_corpus, BY_BANDS),
        "web page": lambda: write_report(target / "a.html", report),
        "tables": lambda: write_report(target / "a.csv", report),
        "values": lambda: write_report(target / "a.json", report),
        "graph": lambda: write_report(target / "a.graphml", report),
        "PAN": lambda: write_report(target / "a.zip", report),
        "size": lambda: measure(report, ".html", target),
        "audit by all": lambda: audit(texts[:15], SETTINGS, method=Method.ALL_PAIRS),
        "audit by copies": lambda: audit(texts, SETTINGS, method=Method.EDITED_COPIES, count=3),
    }


NAMES = (
    "discovery", "scan", "rescan", "all pairs", "bands", "simhash", "random pairs", "forecast",
    "first save", "another save", "open", "query", "numbers", "passages", "differences",
    "passages of all", "text set aside", "buckets", "web page", "tables", "values", "graph", "PAN",
    "size", "audit by all", "audit by copies",
)  # fmt: skip
FILES = {
    "first save": "new", "web page": "a.html", "tables": "a.csv", "values": "a.json",
    "graph": "a.graphml", "PAN": "a.zip",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_stage_stops_when_cancelled(folder, scanned, searched, review, tmp_path, name):
    stage = stages(folder, scanned, searched, review, tmp_path)[name]
    made = tmp_path / FILES.get(name, "nothing")
    before = review.read_bytes()
    all_of_it = CancelAfter()
    with cancelled_by(all_of_it):
        stage()
    made.unlink(missing_ok=True)
    assert all_of_it.questions, "it is never asked"

    for at in sorted({1, *spread(all_of_it.questions)}):
        cancel = CancelAfter(at)
        try:
            with cancelled_by(cancel):
                stage()
        except ScanCancelledError:
            assert cancel.said_yes
            assert not made.exists()
        else:  # how often a stage asks while it waits for threads is not always the same
            assert not cancel.said_yes, f"the answer to question {at} was not heard"
            made.unlink(missing_ok=True)
    if name != "another save":
        assert review.read_bytes() == before
    assert list(anew(scanned).list_pairs().pairs.a) == list(scanned.list_pairs().pairs.a)


def spread(questions: int):
    """All numbers up to this one, or some of them, evenly apart."""
    step = max(1, questions // MOST)
    return range(1, questions + 1, step)


def test_a_list_that_was_cancelled_can_be_made_again(scanned):
    """On the same scan: what was measured until then is neither lost nor wrong."""
    again, expected = anew(scanned), scanned.list_pairs().pairs
    counter = CancelAfter()
    cancelled_by(counter)(anew(scanned).list_pairs)()
    for at in range(1, counter.questions + 1, max(1, counter.questions // MOST)):
        try:
            cancelled_by(CancelAfter(at))(again.list_pairs)()
        except ScanCancelledError:
            continue
    pairs = again.list_pairs().pairs

    assert pairs.a.tolist() == expected.a.tolist()
    assert pairs.resemblance.tolist() == expected.resemblance.tolist()


@pytest.mark.parametrize("name", ["a.html", "passages.json"])
def test_the_passages_of_a_report_ask_while_one_pair_is_written(scanned, tmp_path, name):
    """Two long texts take seconds: it is not enough to ask between two pairs."""
    pair_list, counter = scanned.list_pairs(), CancelAfter()
    write = write_report if name == "a.html" else write_passages
    with cancelled_by(counter):
        write(tmp_path / name, report_of(scanned, pair_list, np.arange(1)))

    assert counter.questions > 3


@pytest.mark.parametrize("step", ["overlap.measure_overlap", "shared_words.find_chains"])
def test_a_long_text_is_left_in_the_midst_of_a_step(monkeypatch, step):
    """With texts of many megabytes one step takes seconds."""
    began, ended = threading.Event(), threading.Event()

    def endless(*_given, **_named):
        began.set()
        assert ended.wait(30), "the step was waited for"
        raise ScanCancelledError

    monkeypatch.setattr(f"core.evidence.{step}", endless)
    measure = figures_of if step.startswith("overlap") else find_shared_text
    long = "one and two and so on " * (1 + PIECE // 22)

    try:
        with pytest.raises(ScanCancelledError):
            cancelled_by(began.is_set)(measure)(long, f"{long} again", SETTINGS)
    finally:
        ended.set()


def test_what_follows_a_long_list_asks_as_it_goes_on():
    files = [FileProperties({})] * 2_000
    keys = [str(number) for number in range(2_000)]
    pairs = pairs_with(range(0, 2_000, 2), range(1, 2_000, 2), resemblance=np.ones(1_000))

    for work in (partial(FolderProperties, files), partial(group_pairs, pairs, keys)):
        asked = CancelAfter()
        with cancelled_by(asked):
            work()
        assert asked.questions > 4
