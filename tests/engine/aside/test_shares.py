"""How much of a document is set aside, counted in plain Python."""

from hypothesis import given
from hypothesis import strategies as st

from core.aside.rules import shares_of
from core.text.set_aside import Reason, SetAside

COUNTED = [reason for reason in Reason if reason is not Reason.FILE_NAME]
SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 20), st.sampled_from(COUNTED)).map(
        lambda one: SetAside(one[0], one[0] + one[1], one[2])
    ),
    min_size=1,
)


@given(SPANS)
def test_every_character_counts_once(spans):
    (found,) = shares_of({3: spans}, [9, 9, 9, 100])
    wanted = {place for one in spans for place in range(one.start, one.end)}

    assert (found.document, found.length, found.aside) == (3, 100, len(wanted))
    assert found.share == len(wanted) / 100
    assert dict(found.reasons) == {
        reason: len({p for one in spans if one.reason is reason for p in range(one.start, one.end)})
        for reason in {one.reason for one in spans}
    }
    assert list(found.reasons.values()) == sorted(found.reasons.values(), reverse=True)


def test_names_of_files_are_nothing_of_the_text():
    names = SetAside(0, 9, Reason.FILE_NAME)
    assert list(shares_of({0: [names]}, [20])) == []
    (found,) = shares_of({0: [names, SetAside(10, 15, Reason.QUOTATION)]}, [20])
    assert (found.aside, dict(found.reasons)) == (5, {Reason.QUOTATION: 5})
