"""Why a pair is listed, in sentences for people who decide and have never heard of hashing."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.tasks import Cancelled, never
from core.base.wording import count, counted, listed, resemblance, share
from core.candidates.scurve import Collision, collision_of
from core.evidence.measures import UNITS
from core.evidence.pairs import FoundBy, PairFigures, Pairs
from core.evidence.passage import Passage
from core.reports.pair_words import ListedFor, how_listed
from core.scan.pair_list import PairList
from core.scan.passage_list import BOTH, CountedPassage, RarePassages, rare_passages
from core.scan.scan import Scan
from core.settings import ScanSettings, SignatureKind

MOST_BANDS = 6  # named one by one
MOST_NAMED = 3  # passages, the rarest
NOT_FOUND = "The search found nothing here; the pair was judged or asked for."


def why_listed(
    found_by: int,
    figures: PairFigures,
    collision: Collision | None,
    settings: ScanSettings,
    chance: str = "",
    *,
    all_compared: bool = False,
) -> tuple[str, ...]:
    """How the pair came into the list, step by step.

    `chance` says how many pairs of the folder have a passage as strong as its strongest one,
    `all_compared` whether all pairs were compared, so that no signature had to lead to it.
    """
    found = FoundBy(found_by)
    if FoundBy.EXACT in found:
        return ("Both documents have the same words throughout, which needs no search.",)
    reason = how_listed(ListedFor.of(figures.resemblance, found_by, settings), settings)
    sentences = [reason]
    if chance:
        sentences.append(f"{chance[:1].upper()}{chance[1:]}.")
    if collision is not None:
        sentences += [
            _would_be_met(collision, settings)
            if all_compared
            else _how_met(collision, found, settings),
            chance_of_collision(collision, figures, settings),
        ]
    return tuple(sentences)


def _how_met(collision: Collision, found: FoundBy, settings: ScanSettings) -> str:
    name = settings.method.search_name
    if settings.method.kind is SignatureKind.BITS:
        differing = collision.values - collision.equal
        least = f"up to {settings.max_distance} may differ"
        met = f"{name} led to it: {differing} of {collision.values} bits differ, and {least}."
        missed = (
            f"{name} did not lead to it: {differing} of {collision.values} bits differ; {least}."
        )
        return met if collision.collided else f"{missed} {_otherwise(found)}"
    if not collision.collided:
        return f"No band of the two signatures is the same. {_otherwise(found)}"
    return (
        f"It was compared because {_same_bands(collision, settings)} the same in both signatures."
    )


def _would_be_met(collision: Collision, settings: ScanSettings) -> str:
    """Where all pairs were compared: whether signatures alone would have led to it."""
    name = settings.method.search_name
    if settings.method.kind is SignatureKind.BITS:
        differing = collision.values - collision.equal
        why = f"{differing} of {collision.values} bits differ; up to {settings.max_distance} may"
    elif collision.collided:
        why = f"{_same_bands(collision, settings)} the same in both signatures"
    else:
        why = "no band of the two signatures is the same"
    not_ = "" if collision.collided else "not "
    return f"All pairs were compared. {name} alone would {not_}have led to it: {why}."


def _same_bands(collision: Collision, settings: ScanSettings) -> str:
    """The bands that agree, and the verb: "band 3 of 64 is", "12 of 64 bands are"."""
    names = [count(band + 1) for band in collision.bands]
    if len(names) == 1:
        return f"band {names[0]} of {count(settings.bands)} is"
    if len(names) > MOST_BANDS:
        return f"{count(len(names))} of {count(settings.bands)} bands are"
    return f"bands {listed(names)} of {count(settings.bands)} are"


def _otherwise(found: FoundBy) -> str:
    if found & (FoundBy.PASSAGE | FoundBy.FINGERPRINT):
        return "It was compared because both hold the same run of words."
    if found & FoundBy.REWORKED:
        return "It was compared because many of their words agree close together."
    return "It was found because all pairs were compared."


def chance_of_collision(collision: Collision, figures: PairFigures, settings: ScanSettings) -> str:
    """How likely the search for alike signatures leads to such a pair."""
    likely = share(collision.chance)
    alike = resemblance(figures.resemblance)
    if settings.method.kind is SignatureKind.BITS:
        return f"Of pairs with these numbers, {settings.method.search_name} finds {likely}."
    shape = f"{count(settings.bands)} × {count(settings.rows)}"
    return f"Of pairs of resemblance {alike}, b × r = {shape} finds {likely}: 1 − (1 − s^r)^b."


def grid_caption(collision: Collision, settings: ScanSettings) -> str:
    """What the picture of the signature says."""
    if settings.method.kind is SignatureKind.BITS:
        return f"{collision.equal} of {collision.values} bits are the same."
    used = collision.agree.size
    rest = "" if used == collision.values else f" Bands use {count(used)} of them."
    estimate = resemblance(collision.equal / collision.values)
    same = f"{count(collision.equal)} of {counted(collision.values, 'value')} are the same in both"
    return f"{same}: by the signatures alone, resemblance {estimate}.{rest}"


def rare_in_words(rare: RarePassages) -> tuple[str, ...]:
    """How rare its passages are, and what is left without the common ones."""
    if not rare.passages:
        return ()
    if rare.documents <= BOTH:
        return ("There is no other document that could have its passages.",)
    sentences = [_standing(one, rare.documents) for one in rare.passages[:MOST_NAMED]]
    if rare.without_common is not None:
        rest = rare.without_common
        left = resemblance(rest.resemblance)
        sentences.append(
            f"Without what stands in other documents as well, resemblance {left} is left, and "
            f"{counted(rest.shared_shingles, 'shingle')} in both."
        )
    elif len(rare.passages) > MOST_NAMED:
        sentences.append("Nor has another document as much of any other passage of this pair.")
    return tuple(sentences)


def _standing(one: CountedPassage, documents: int) -> str:
    passage, unit = f"Passage {count(one.place + 1)}", UNITS[one.unit]
    words, row = counted(one.words, unit), count(one.row)
    if one.holders == BOTH:
        others = f"no other of the {counted(documents, 'document')} has {row} in a row"
        return f"{passage}: of its {words} that are the same, {others}."
    others = f"each of {count(one.holders - BOTH)} other documents"
    if one.holders == BOTH + 1:
        others = "one other document"
    held = f"{row} or more in a row stand in {others}, {count(one.elsewhere)} of them in all"
    return f"{passage}: of its {words} that are the same, {held}."


def pair_reasons(
    scan: Scan,
    found: PairList,
    cancelled: Cancelled,
    pairs: Pairs,
    row: int,
    counted: Sequence[Passage] = (),
) -> tuple[str, ...]:
    """Why a pair is listed, in sentences that hold no name and no text.

    Args:
        scan: A complete scan.
        found: Its list.
        cancelled: Polled while all texts are read, where passages are counted.
        pairs: Pairs of the list, and of few documents others.
        row: That of the pair.
        counted: Passages of the pair, to say in how many documents each stands; all texts are read
            for it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    if not pairs.found_by[row]:
        return (NOT_FOUND,)
    figures, settings = pairs.figures(row), found.settings
    a, b = int(pairs.a[row]), int(pairs.b[row])
    collision = collision_in(scan, (a, b), figures, settings)
    chance = chance_in(scan, settings, float(pairs.reworked_bits[row]), cancelled)
    said = why_listed(
        int(pairs.found_by[row]),
        figures,
        collision,
        settings,
        chance,
        all_compared=found.compared is not None,
    )
    if not counted:
        return said
    return (*said, *rare_in_words(rare_passages(scan, (a, b), counted, settings, cancelled)))


def collision_in(
    scan: Scan, pair: tuple[int, int], figures: PairFigures, settings: ScanSettings
) -> Collision | None:
    """How the signatures of two documents agree; None where those hang on documents now gone."""
    if settings.depends_on_all and scan.present < len(scan.documents):
        return None
    signatures = scan.whole.signed.signatures
    return collision_of(signatures[pair[0]], signatures[pair[1]], figures, settings)


def chance_in(scan: Scan, settings: ScanSettings, bits: float, cancelled: Cancelled = never) -> str:
    """How many pairs of the folder have a passage of these bits; "" where none was measured."""
    asked = settings.reworked != "off" and bits > 0
    words = scan.words(cancelled) if asked else None
    return words.pairs.words(bits) if words else ""
