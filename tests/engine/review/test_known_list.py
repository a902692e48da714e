"""A review keeps its list, which is searched for again as soon as it could be another one."""

import sqlite3
from contextlib import closing
from unittest.mock import Mock

import numpy as np
import pytest

from core.base.tasks import cancelled_by
from core.candidates.forecast import KnownPairs
from core.documents.model import Role
from core.errors import ReviewError, ScanCancelledError, StorageError
from core.review import open_review, save_review
from core.review.decisions import decide
from core.review.folder_roles import remove
from core.scan import corpus, lister, measured_pairs
from core.scan.flow import scan
from core.scan.folders import gone_for_sure
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from tests.forecasts import edited_texts
from tests.reviews import opened_scan
from tests.texts import folder_with

ALL = ScanSettings(k=2)
SEARCHES = {
    "all pairs": ALL,
    "bands": ALL.with_changes(compare="bands"),
    "bits": ALL.with_changes(signature="simhash", compare="bands", max_distance=8),
}


@pytest.fixture
def folder(tmp_path):
    texts = edited_texts(30, edits=4)
    return folder_with(tmp_path / "texts", {f"{n:02}.txt": text for n, text in enumerate(texts)})


@pytest.fixture
def searches(monkeypatch):
    """The lists that were searched for, by their settings."""
    made, search = [], lister.PairLister._searched

    def noted(self, verifier, settings, *rest):
        made.append(settings)
        return search(self, verifier, settings, *rest)

    monkeypatch.setattr(lister.PairLister, "_searched", noted)
    return made


@pytest.fixture
def forecasts(monkeypatch):
    """The settings for which what is known of pairs was counted."""
    made, count = [], measured_pairs.known_pairs

    def noted(corpus, settings):
        made.append(settings)
        return count(corpus, settings)

    monkeypatch.setattr("core.scan.scan.known_pairs", noted)
    return made


def listed(result, settings=None):
    """A list as values, and what is known of pairs after it."""
    pair_list = result.list_pairs(settings)
    columns = {
        name: column.tolist() if isinstance(column, np.ndarray) else column
        for name, column in vars(pair_list.every).items()
    }
    facts = (pair_list.notes, pair_list.compared, pair_list.reworked_complete, pair_list.has_common)
    known = dict(vars(result.known_pairs(pair_list.settings)))
    del known["background"]  # a review does not keep it
    known["levels"] = [level.tolist() for level in known["levels"]]
    known["every"] = None if known["every"] is None else known["every"].tolist()
    return columns, facts, known


def saved(folder, settings, path):
    """A review of a folder; what its list was."""
    with closing(scan([folder], settings)) as result:
        expected = listed(result)
        save_review(path, result.state)
    return expected


@pytest.mark.parametrize("name", SEARCHES)
def test_a_review_that_is_opened_has_its_list(folder, tmp_path, searches, forecasts, name):
    settings = SEARCHES[name]
    expected = saved(folder, settings, tmp_path / "a.neardup")
    assert searches == forecasts == [settings]

    assert len(expected[0]["a"]) > 0
    for opened, next_name in (("a", "b"), ("b", "c")):
        with opened_scan(tmp_path / f"{opened}.neardup") as result:
            assert listed(result) == expected
            assert searches == forecasts == [settings]
            save_review(tmp_path / f"{next_name}.neardup", result.state)


def changed_threshold(result):
    return result, result.settings.with_changes(min_resemblance=0.3)


def with_words_set_aside(result):
    return result.with_exclusions({3: [SetAside(0, len(result.texts[3]) // 2)]}), None


@pytest.mark.parametrize("change", [changed_threshold, with_words_set_aside])
def test_another_list_is_searched_for(folder, tmp_path, searches, change):
    saved(folder, ALL, tmp_path / "a.neardup")
    with open_review(tmp_path / "a.neardup") as review:
        result, settings = change(Scan.restored(review.state))
        expected = listed(result, settings)
        assert len(searches) == 2
        with closing(Scan.restored(result.state._replace(known_list=None))) as anew:
            assert listed(anew, settings)[:2] == expected[:2]
        save_review(tmp_path / "b.neardup", result.state)
        result.close()
    with opened_scan(tmp_path / "b.neardup") as again:
        assert listed(again, settings)[:2] == expected[:2]
        assert len(searches) == 3


def test_documents_that_become_references_have_another_list(folder, tmp_path, searches):
    second_folder = folder_with(tmp_path / "more", {"a.txt": (folder / "07.txt").read_text()})
    with closing(scan([folder, second_folder], ALL)) as result:
        expected = listed(result)
        save_review(tmp_path / "a.neardup", result.state)
    roles = (Role.REFERENCE, Role.REVIEW)
    with (
        open_review(tmp_path / "a.neardup") as review,
        closing(scan([folder, second_folder], ALL, previous=review.state, roles=roles)) as result,
    ):
        assert 0 < len(result.list_pairs().every.a) < len(expected[0]["a"])
        assert len(searches) == 2


def test_a_changed_gone_or_removed_document_has_another_list(folder, tmp_path, searches):
    saved(folder, ALL, tmp_path / "a.neardup")
    (folder / "07.txt").write_text(f"Another beginning. {(folder / '07.txt').read_text()}")
    (folder / "11.txt").unlink()
    with open_review(tmp_path / "a.neardup") as review:
        with closing(scan([folder], ALL, previous=review.state)) as result:
            expected = listed(result)
            state = result.state
        assert len(searches) > 1
        assert state.known_list is None
        with closing(Scan.restored(state)) as anew:
            assert listed(anew)[:2] == expected[:2]
        off = decide(state, *remove(gone_for_sure(state)))
        with closing(Scan.restored(off)) as result:
            shorter = listed(result)
            assert len(shorter[0]["a"]) < len(expected[0]["a"])
            assert result.state.known_list is None
        save_review(tmp_path / "b.neardup", off)
    with opened_scan(tmp_path / "b.neardup") as again:
        assert listed(again)[:2] == shorter[:2]


def test_a_list_of_other_documents_is_not_saved(folder, tmp_path):
    with closing(scan([folder], ALL)) as result:
        result.list_pairs()
        known = result.state.known_list
    few_folder = folder_with(tmp_path / "few", {"a.txt": "one two three", "b.txt": "one two"})
    with closing(scan([few_folder], ALL)) as few:
        save_review(tmp_path / "a.neardup", few.state._replace(known_list=known))
    with open_review(tmp_path / "a.neardup") as review:
        assert review.state.known_list is None


def test_a_list_that_a_stranger_wrote_is_not_believed(folder, tmp_path, searches, monkeypatch):
    saved(folder, ALL, tmp_path / "a.neardup")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "of another user"))
    with open_review(tmp_path / "a.neardup") as review:
        assert review.state.known_list is None
        with closing(Scan.restored(review.state)) as result:
            result.list_pairs()
        assert len(searches) == 2


def test_a_list_that_memory_was_too_short_for_is_not_kept(folder, tmp_path, searches, monkeypatch):
    path, compare = tmp_path / "a.neardup", corpus.compare_all

    fail = Mock(side_effect=StorageError("There is not enough memory."))

    monkeypatch.setattr(corpus, "compare_all", fail)
    few = saved(folder, ALL.with_changes(bands=2, rows=30), path)
    monkeypatch.setattr(corpus, "compare_all", compare)
    with opened_scan(path) as result:
        more = listed(result)
    assert len(searches) == 2
    assert len(more[0]["a"]) > len(few[0]["a"])


def test_keeping_a_list_reports_progress_and_can_be_cancelled(folder, tmp_path):
    saved(folder, ALL, tmp_path / "a.neardup")
    with opened_scan(tmp_path / "a.neardup") as result:
        reports = []
        result.list_pairs(progress=reports.append)
        assert reports[-1].done == reports[-1].total > 0
        with cancelled_by(lambda: True), pytest.raises(ScanCancelledError):
            result.list_pairs()


def test_a_forecast_of_another_version_is_counted_again(folder, tmp_path, forecasts, monkeypatch):
    monkeypatch.setattr(KnownPairs, "to_bytes", lambda _: b'{"banding": [2, 3]}')
    expected = saved(folder, ALL, tmp_path / "a.neardup")
    with opened_scan(tmp_path / "a.neardup") as result:
        assert listed(result) == expected
        assert forecasts == [ALL, ALL]


def test_what_a_list_misses_is_not_kept_for_other_settings(folder, tmp_path, forecasts):
    saved(folder, ALL, tmp_path / "a.neardup")
    higher_threshold = ALL.with_changes(min_resemblance=0.4)
    with opened_scan(tmp_path / "a.neardup") as result:
        assert result.known_pairs(higher_threshold).threshold == 0.4
        assert forecasts == [ALL, higher_threshold]
        assert result.known_pairs(ALL).threshold == ALL.min_resemblance
        assert forecasts == [ALL, higher_threshold]


def changed(folder, path, change):
    saved(folder, ALL, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    return path


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE listed SET data = x'00'",
        "UPDATE listed SET checksum = 1",
        "DELETE FROM listed",
        "UPDATE forecast SET data = x'00'",
        "UPDATE forecast SET checksum = 1",
    ],
)
def test_a_list_that_is_damaged_is_refused(folder, tmp_path, change):
    path = changed(folder, tmp_path / "a.neardup", change)
    with pytest.raises(ReviewError):
        open_review(path)


def test_a_list_that_somebody_changed_is_not_believed(folder, tmp_path):
    path = changed(folder, tmp_path / "a.neardup", "DELETE FROM forecast")
    with open_review(path) as review:
        assert review.state.known_list is None
