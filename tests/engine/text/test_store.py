"""Where texts lie that were taken over from stores before."""

import numpy as np

from core.text.store import TextStore


def test_a_store_keeps_no_source_without_texts():
    """Each change of a list makes a store of the one before."""
    store = TextStore()
    store.extend(["one", "two", "three"])
    for _ in range(5):
        after = TextStore()
        after.adopt(store, store.lengths)
        fresh = TextStore()
        after.adopt(fresh, fresh.lengths)
        store = after.arranged(np.array([2, 0, 1]))

    assert list(store) == ["two", "three", "one"]
    assert len(store.places.sources) == 2


def test_only_sources_that_are_needed_are_kept():
    one, other = TextStore(), TextStore()
    one.extend(["one"])
    other.extend(["other"])
    both = TextStore()
    both.adopt(one, one.lengths)
    both.adopt(other, other.lengths)

    last = both.arranged(np.array([1]))

    assert list(last) == ["other"]
    assert list(both) == ["one", "other"]
    assert len(last.places.sources) == 2
