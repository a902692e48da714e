"""Messages in another language: placeholders, plurals, numbers; wrong translations."""

from __future__ import annotations

from gettext import NullTranslations
from threading import Thread

import pytest

from core.base import messages
from core.base.messages import (
    Language,
    as_shown,
    gettext,
    in_language,
    load_language,
    ngettext,
    nstored,
    stored,
)
from core.base.wording import count, listed, resemblance, share, threshold


class _Polish(NullTranslations):
    """A few messages, one of them with a placeholder that no caller gives."""

    WORDS = {  # noqa: RUF012
        "{name} is missing.": "Brak {name}.",
        "{a} and {b}": "{a} i {c}",
        "Only with {conditions}.": "Tylko {conditions}.",
    }

    def gettext(self, message: str) -> str:
        return self.WORDS.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        return "{n} para" if n == 1 else "{n} pary" if few else "{n} par"


SOURCES = (
    "{name} is missing.",
    "{name} is",
    ("{n} missing pair", "{n} missing pairs"),
    "Only with {conditions}.",
)
POLISH = Language("pl", _Polish(), "\u00a0", ",", "{}\u00a0%", lambda: SOURCES)


def test_a_message_is_filled_in_the_order_of_its_language() -> None:
    with in_language(POLISH):
        assert gettext("{name} is missing.", name="a.txt") == "Brak a.txt."
        assert [ngettext("{n} pair", "{n} pairs", n) for n in (1, 3, 1612)] == [
            "1 para",
            "3 pary",
            "1\u00a0612 par",
        ]
    assert gettext("{name} is missing.", name="{x}") == "{x} is missing."


def test_what_was_stored_in_english_is_shown_in_another_language() -> None:
    with in_language(POLISH):
        missing = stored("{name} is missing.", name="2 missing pairs")
        pairs = nstored("{n} missing pair", "{n} missing pairs", 1612)
        assert (missing, pairs) == ("2 missing pairs is missing.", "1,612 missing pairs")
        assert as_shown(missing) == "Brak 2 missing pairs."
        assert as_shown(pairs) == "1\u00a0612 par"
        assert as_shown("What nobody knows") == "What nobody knows"
        both = stored("Only with {conditions}.", conditions=f"{pairs}; x")
        assert as_shown(both) == "Tylko 1\u00a0612 par; x."
    assert as_shown(missing) == missing


def test_english_stands_in_for_a_wrong_translation() -> None:
    with in_language(POLISH):
        assert gettext("{a} and {b}", a=1, b=2) == "1 and 2"


def test_numbers_have_the_signs_of_the_language() -> None:
    with in_language(POLISH):
        shown = [count(1234567), resemblance(0.5), resemblance(1e-9), share(0.25), threshold(0.39)]
    assert shown == ["1\u00a0234\u00a0567", "0,500", "<0,001", "25\u00a0%", "0,39"]
    assert [share(0.999), share(1), share(1e-9), resemblance(0.99999)] == [
        ">99%",
        "100%",
        "<1%",
        ">0.999",
    ]
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_another_language_of_one_report_is_not_that_of_other_threads() -> None:
    seen: list[str] = []
    with in_language(POLISH):
        thread = Thread(target=lambda: seen.append(messages.language().code))
        thread.start()
        thread.join()
    assert seen == ["en"]


def test_a_language_without_catalogue_is_english_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert load_language("tlh").code == "en"
    assert "no catalogue for tlh" in caplog.text
