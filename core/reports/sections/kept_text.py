"""What is kept of a long passage: its head and its tail, cut at the same place in both texts."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.wording import counted

LONGEST_PASSAGE = 1600  # characters; half of it in scripts without spaces, which are wider
HEAD, TAIL = 0.56, 0.25  # shares of it that are kept of a longer one
LONGEST_MEAN_WORD = 15  # characters of a word with its space
WORD_REACH = 40  # characters by which a cut moves to the end of a word
TELLING = 10_000  # characters that tell whether a script has spaces
STEP = 100_000  # characters

Extent = tuple[int, int]


def kept_of_both(
    text_a: str,
    text_b: str,
    same_a: Sequence[Extent],
    same_b: Sequence[Extent],
    in_a: Extent,
    in_b: Extent,
) -> tuple[list[Extent], list[Extent]]:
    """What is shown of a passage in A and in B; what is cut in one is cut in the other.

    Args:
        text_a: The whole text of A; `text_b` that of B.
        text_b: See `text_a`.
        same_a: What is the same in both, as it stands in A, each with that in `same_b`.
        same_b: See `same_a`.
        in_a: The passage in A.
        in_b: The passage in B.
    """
    kept_a, kept_b = _kept(text_a, in_a), _kept(text_b, in_b)
    if len(kept_a) == len(kept_b) == 1:
        return kept_a, kept_b
    a_is_longer = in_a[1] - in_a[0] >= in_b[1] - in_b[0]
    if len(kept_b) == 1 or (len(kept_a) > 1 and a_is_longer):
        return kept_a, _counterpart(kept_a, text_b, in_b, list(zip(same_a, same_b, strict=True)))
    return _counterpart(kept_b, text_a, in_a, list(zip(same_b, same_a, strict=True))), kept_b


def _counterpart(
    kept: list[Extent], text: str, extent: Extent, same: list[tuple[Extent, Extent]]
) -> list[Extent]:
    """What stands in the other text beside what is kept of one; by itself where that is unclear."""
    (_, head), (tail, _) = kept
    start, end = extent
    same.sort()
    head, tail = _word_end(text, _across(head, same)), _word_start(text, _across(tail, same))
    if start < head < tail < end:
        return [(start, head), (tail, end)]
    return _kept(text, extent)


def _across(position: int, same: list[tuple[Extent, Extent]]) -> int:
    """The place in the other text beside a place in one."""
    beside = same[0][1][0]
    for (start, end), (other_start, other_end) in same:
        if start > position:
            break
        beside = min(other_start + position - start, other_end) if position < end else other_end
    return beside


def _kept(whole: str, extent: Extent) -> list[Extent]:
    """The extent, or its head and tail when it is long, cut between words."""
    start, end = extent
    longest = LONGEST_PASSAGE if _has_spaces(whole[start:end]) else LONGEST_PASSAGE // 2
    if end - start <= longest:
        return [extent]
    head, tail = start + round(HEAD * longest), end - round(TAIL * longest)
    return [(start, _word_end(whole, head)), (_word_start(whole, tail), end)]


def _word_end(whole: str, place: int) -> int:
    """The place, or the last end of a word shortly before it."""
    space = whole.rfind(" ", max(place - WORD_REACH, 0), place + 1)
    return place if space < 0 else space


def _word_start(whole: str, place: int) -> int:
    """The place, or the first beginning of a word shortly behind it."""
    space = whole.find(" ", max(place - 1, 0), place + WORD_REACH)
    return place if space < 0 else space + 1


def amount(left_out: str) -> str:
    """What was left out, in words where the script has spaces."""
    if _has_spaces(left_out):
        return f"{counted(_count_words(left_out), 'word')} left out"
    return f"{counted(len(left_out), 'character')} left out"


def _has_spaces(text: str) -> bool:
    """Whether the words of a text are separated, as they are not in Chinese."""
    beginning = text[:TELLING]
    return len(beginning) < LONGEST_MEAN_WORD * len(beginning.split())


def _count_words(text: str) -> int:
    count, start = 0, 0
    while start < len(text):
        end = text.find(" ", start + STEP)
        end = len(text) if end < 0 else end
        count += len(text[start:end].split())
        start = end
    return count
