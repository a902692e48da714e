"""Numbers of a forecast as they are written, and sentences made of them."""

from __future__ import annotations

import math
from typing import NamedTuple

from core.base.wording import count

MOST_DECIMALS = 6


class Phrase(NamedTuple):
    """A piece of a sentence, strong or not."""

    text: str
    strong: bool = False


Sentence = tuple[Phrase, ...]


class ForecastNumbers(NamedTuple):
    """What is missed, what is checked for nothing, what is listed."""

    missed: Sentence
    extra: Sentence
    listed: Sentence


def plain(forecast_: ForecastNumbers) -> str:
    """The sentences without emphasis."""
    return " ".join("".join(run.text for run in sentence) for sentence in forecast_ if sentence)


def two_decimals(value: float) -> str:
    """A resemblance as the sliders give it: 0.10."""
    return f"{value:.2f}"


def almost(value: float) -> str:
    """A resemblance with as many decimals as it must have not to read 1."""
    decimals = next((n for n in range(2, MOST_DECIMALS) if round(value, n) < 1), MOST_DECIMALS)
    return two_decimals(value) if value == 1 else f"{value:.{decimals}f}"


def share(value: float) -> str:
    """A probability in percent, as exact as it must be not to read 0 or 100."""
    if value in {0.0, 1.0}:
        return f"{round(100 * value)}\N{NO-BREAK SPACE}%"
    rest = 100 * min(value, 1 - value)
    if rest < 0.01:
        bound = "<\N{NO-BREAK SPACE}0.01" if value < 0.5 else ">\N{NO-BREAK SPACE}99.99"
        return f"{bound}\N{NO-BREAK SPACE}%"
    if value < 0.5:
        text = f"{100 * value:.2g}"
    else:
        text = f"{100 * value:.{max(0, -math.floor(math.log10(rest)))}f}"
    return f"{text}\N{NO-BREAK SPACE}%"


def about(number: float) -> str:
    """A whole number with two digits that mean something."""
    if number < 100:
        return count(round(number))
    step = 10 ** (math.floor(math.log10(number)) - 1)
    return count(round(number / step) * step)
