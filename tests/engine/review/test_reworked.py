"""Reworked passages of a review: as they were, as in a fresh scan, and as the texts give them."""

import random
import shutil
from dataclasses import fields

import numpy as np
import pytest

from core.errors import ReviewError
from core.evidence.pairs import FoundBy, Pairs
from core.evidence.reworked_store import ReworkedStore
from core.review import open_review, save_review
from core.review.stored_scan import NOT_OURS
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.reworked import model_in
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.set_aside import SetAside

CAREFUL = ScanSettings(reworked="careful")


def words(count, seed):
    """Words of which few are frequent and most are rare."""
    rng = random.Random(seed)
    return [f"w{int(1000 ** rng.random())}x{seed % 3}" for _ in range(count)]


def exchanged(some, every):
    return [f"other{n}" if n % every == 0 else one for n, one in enumerate(some)]


def write(folder, texts):
    folder.mkdir(exist_ok=True)
    for name, some in texts.items():
        (folder / name).write_text(" ".join(some))


def documents(count=14, seed=0):
    """Unrelated texts, every fifth of which holds a reworked passage of the one before it."""
    texts = {f"{n:02}.txt": words(300, 100 * seed + n) for n in range(count)}
    names = list(texts)
    for before, after in zip(names[3::5], names[4::5], strict=False):
        texts[after][50:50] = exchanged(texts[before][100:180], 5)
    return texts


def rows(listed, names=None):
    """The pairs of a list by the names of their documents."""
    columns = [one.name for one in fields(Pairs) if one.name not in {"a", "b"}]
    names = names or [one.name for one in listed.documents]
    every = listed if isinstance(listed, Pairs) else listed.every
    return {
        (names[a], names[b]): [getattr(every, column)[row].item() for column in columns]
        for row, (a, b) in enumerate(zip(every.a.tolist(), every.b.tolist(), strict=True))
    }


def listed(state):
    restored = Scan.restored(state)
    try:
        return restored.list_pairs()
    finally:
        restored.close()


@pytest.fixture
def saved(tmp_path):
    """A folder, and its review."""
    write(tmp_path / "docs", documents())
    done = scan([tmp_path / "docs"], CAREFUL)
    found = rows(done.list_pairs())
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    assert sum((own[7] & FoundBy.REWORKED) > 0 for own in found.values()) >= 2
    return tmp_path / "docs", tmp_path / "a.neardup", found


def test_a_review_lists_what_the_scan_listed_and_measures_nothing(saved, monkeypatch):
    _, path, found = saved

    with open_review(path) as review:
        monkeypatch.setattr(ReworkedStore, "_measure", None)
        monkeypatch.setattr(ReworkedStore, "beginnings", None)
        assert review.notes == ()
        assert rows(listed(review.state)) == found


CHANGES = {
    "nothing": lambda _: None,
    "one more": lambda folder: write(folder, {"new.txt": exchanged(documents()["07.txt"], 4)}),
    "one less": lambda folder: (folder / "03.txt").unlink(),
    "another text": lambda folder: write(folder, {"04.txt": words(90, 77)}),
    "another name": lambda folder: (folder / "04.txt").rename(folder / "zz.txt"),
    "a copy": lambda folder: shutil.copy(folder / "04.txt", folder / "copy.txt"),
    "other spaces": lambda folder: (folder / "04.txt").write_text(
        (folder / "04.txt").read_text().replace(" ", "  ")
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_rescan_lists_what_a_fresh_scan_does(saved, change):
    folder, path, _ = saved
    change(folder)
    fresh = scan([folder], CAREFUL)
    wanted = rows(fresh.list_pairs())
    fresh.close()

    with open_review(path) as review:
        again = scan([folder], CAREFUL, previous=review.state)
        found = again.list_pairs()
        state = again.state
        again.close()
        missing = {one.name for one in found.documents if one.absence}
        own = {both: row for both, row in rows(found).items() if not missing & {*both}}

        assert own == wanted
        save_review(path, state)
    with open_review(path) as review:
        assert review.notes == ()
        assert rows(listed(review.state)) == rows(found)


def test_what_is_set_aside_changes_what_a_fresh_scan_would_find(saved):
    _, path, found = saved
    with open_review(path) as review:
        scanned = Scan.restored(review.state)
        spans = {3: [span_of(review.state.texts[3], 90, 190)]}
        after = scanned.with_set_aside(spans)
        own = after.list_pairs()
        texts = list(review.state.texts)
        names = [one.name for one in own.documents]
        after.close()

    assert rows(own) == rows(find_pairs(texts, CAREFUL, set_aside=spans), names)
    assert rows(own) != found


def span_of(text, first, last):
    some = text.split(" ")
    return SetAside(len(" ".join(some[:first])), len(" ".join(some[:last])))


def changed(state, **columns):
    reworked = state.evidence.reworked._replace(**columns)
    return state._replace(evidence=state.evidence._replace(reworked=reworked))


def test_numbers_that_texts_do_not_give_are_told_and_measured_again(saved, tmp_path, monkeypatch):
    _, path, found = saved
    with open_review(path) as review:
        state = review.state
        known = state.evidence.reworked
        model = model_in(known.model)
        model.total *= 2  # so that all words are rarer
        lies = [
            changed(state, model=known.model[:16] + model.to_bytes()),
            changed(state, bits=(known.bits * 2).astype(np.float32)),
            changed(state, words=known.words + (known.words > 0)),
            changed(state, codes=known.codes[:0], words=known.words[:0], bits=known.bits[:0],
                    share=known.share[:0], model=b""),
        ]  # fmt: skip
        told = []
        for number, lie in enumerate(lies):
            other = path.with_name(f"{number}.neardup")
            with monkeypatch.context() as elsewhere:
                elsewhere.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
                save_review(other, lie)
            with open_review(other) as opened:
                told.append(opened.notes)
                assert rows(listed(opened.state)) == found
        assert told == [(NOT_OURS,)] * 4


def test_a_model_that_is_none_is_refused(saved, monkeypatch):
    monkeypatch.setattr("core.review.saving._require_readable", lambda *_: None)
    _, path, _ = saved
    with open_review(path) as review:
        lie = changed(review.state, model=review.state.evidence.reworked.model[:-1])
        save_review(path.with_name("b.neardup"), lie)

    with pytest.raises(ReviewError, match="damaged"):
        open_review(path.with_name("b.neardup"))


def test_an_older_review_keeps_off_until_somebody_asks(tmp_path):
    write(tmp_path / "docs", documents())
    done = scan([tmp_path / "docs"], ScanSettings(reworked="off"))
    before = rows(done.list_pairs())
    done.close()
    save_review(tmp_path / "a.neardup", done.state)
    fresh = scan([tmp_path / "docs"], CAREFUL)
    wanted = rows(fresh.list_pairs())
    fresh.close()

    with open_review(tmp_path / "a.neardup") as review:
        assert not review.state.evidence.reworked.model
        kept = scan(review.state.folders, review.state.settings, previous=review.state)
        assert rows(kept.list_pairs()) == before
        kept.close()
        asked = scan(review.state.folders, CAREFUL, previous=review.state)
        assert rows(asked.list_pairs()) == wanted
        asked.close()
