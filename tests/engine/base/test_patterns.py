"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
from copy import copy

import pytest

from core.base.patterns import lazy_pattern


def test_a_lazy_pattern_answers_as_the_pattern_does() -> None:
    pattern = lazy_pattern(r"(?P<word>\w+)-", re.IGNORECASE)
    assert [match["word"] for match in pattern.finditer("one-two-three")] == ["one", "two"]
    assert pattern.sub("", "one-two") == "two"
    assert pattern.pattern == r"(?P<word>\w+)-"
    assert pattern.flags & re.IGNORECASE
    assert lazy_pattern(rb"\xff+").fullmatch(b"\xff\xff")


def test_a_copy_of_it_is_one() -> None:
    assert copy(lazy_pattern("a+")).fullmatch("aa")


def test_it_is_compiled_when_it_is_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error, match="missing"):
        broken.search("")
