"""Two wishes for a curve, and the bands and rows that keep them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from core.candidates.scurve import Suggestion, least_let_through, smallest_signature, suggest
from core.errors import SettingsError
from core.settings import MAX_SIGNATURE


@dataclass(frozen=True, slots=True)
class Wishes:
    """Find `catch` of the pairs at one resemblance, let through `at_most` at another."""

    catch: float = 0.99
    catch_at: float = 0.50
    at_most: float = 0.01
    at_most_at: float = 0.05


@dataclass(frozen=True, slots=True)
class Answer:
    """What two wishes lead to: a suggestion, or what could be changed, or why they make no sense.

    Attributes:
        suggestion: Bands and rows that keep both wishes with this K.
        with_larger_k: Bands and rows that would keep both with a larger K.
        least_let_through: Bands and rows that keep the first wish and come nearest to the second.
        problem: A sentence, where the wishes contradict each other.
    """

    suggestion: Suggestion | None = None
    with_larger_k: Suggestion | None = None
    least_let_through: Suggestion | None = None
    problem: str = ""


def suggestion_for(wishes: Wishes, signature_size: int) -> Suggestion | None:
    """Bands and rows for two wishes; None where there are none, or the wishes make no sense."""
    try:
        return suggest(signature_size, **asdict(wishes))
    except SettingsError:
        return None


def answer_wishes(wishes: Wishes, signature_size: int) -> Answer:
    """Bands and rows for two wishes; when there are none, what could be changed."""
    catch, catch_at, least_at = wishes.catch, wishes.catch_at, wishes.at_most_at
    both = asdict(wishes)
    try:
        found = suggest(signature_size, **both)
        if found:
            return Answer(suggestion=found)
        return Answer(
            with_larger_k=smallest_signature(MAX_SIGNATURE, **both),
            least_let_through=least_let_through(
                signature_size, catch=catch, catch_at=catch_at, at_most_at=least_at
            ),
        )
    except SettingsError as error:
        return Answer(problem=str(error))
