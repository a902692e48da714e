"""The pair at hand in words: where it lies, what its signatures say, why it is listed or not."""

from __future__ import annotations

from collections.abc import Collection

from core.base.wording import count, counted, listed, resemblance, threshold
from core.reports.curve.forecast_words import share
from core.reports.curve.state import ThresholdState
from core.settings import SignatureMethod
from neardup_gui.models.workbench.signed_pair import PairGrid, SignedPair

NO_PAIR = (
    "No pair is at hand. Select one in the table of pairs, or name two documents above: also two "
    "that are not listed."
)
MOST_BANDS = 8  # named one by one
SIDES = "A", "B"
TWO = 2


def pair_words(pair: SignedPair, state: ThresholdState) -> tuple[str, ...]:
    """What is to be known of a pair at a setting, a sentence or two each."""
    at = pair.at(state)
    sentences = [_where(pair, at), _how_met(pair, at), _estimated(pair), _in_list(pair)]
    if at is not state and pair.told.same is not None:
        sentences.append(_other_signatures(pair))
    return tuple(filter(None, sentences))


def _where(pair: SignedPair, state: ThresholdState) -> str:
    alike = f"Resemblance {resemblance(pair.told.figures.resemblance)}."
    if any(pair.told.empty):
        sides = [side for side, empty in zip(SIDES, pair.told.empty, strict=True) if empty]
        has = "have" if len(sides) > 1 else "has"
        return (
            f"{listed(sides)} {has} no shingles: all of the text is set aside. So there is no "
            f"signature to compare, and nothing leads to this pair."
        )
    if pair.told.identical:
        return f"{alike} Both have the same words throughout, which needs no search."
    if not pair.told.figures.shared_shingles:
        return f"Resemblance 0: no shingle stands in both. {chance_words(pair, state)}"
    return f"{alike} {chance_words(pair, state)}"


def chance_words(pair: SignedPair, state: ThresholdState) -> str:
    """How many such pairs a setting finds and misses."""
    found, missed = shares(pair, state)
    if state.distance is not None:
        return f"Of pairs with these numbers, {state.name} finds {found} and misses {missed}."
    return f"Of pairs this alike, {state.name} finds {found} and misses {missed}."


def shares(pair: SignedPair, state: ThresholdState) -> tuple[str, str]:
    """How many of such pairs a setting finds and misses; what is not none or all never reads so."""
    chance = pair.at_hand.chance(state)
    return share(chance), share(1 - chance)


def _how_met(pair: SignedPair, state: ThresholdState) -> str:
    told = pair.told
    if told.unknown:
        return (
            "Signatures weigh words by their rarity in all documents, some of which are not there "
            "any more: rescan to compare them."
        )
    if told.same is None:
        return ""
    if state.distance is not None:
        differ = told.values - told.equal
        meets = "few enough" if differ <= state.distance else "too many"
        mean, deviation = (_tenths(value) for value in told.expected_distance)
        return (
            f"{count(differ)} of {count(told.values)} bits differ (filled), {meets} for "
            f"{state.name}. Of "
            f"such pairs {mean} differ in the mean, give or take {deviation}."
        )
    return _agree(pair, state)


def _agree(pair: SignedPair, state: ThresholdState) -> str:
    bands = pair.met_bands(state)
    if bands is None:
        return f"{state.name} needs longer signatures than there are."
    of = counted(state.bands, "band")
    if not bands:
        return f"These two agree in none of {of}." if state.bands > 1 else "These two do not agree."
    return f"These two agree in {_named(bands, state.bands)} (framed)."


def _named(bands: Collection[int], of: int) -> str:
    """Some bands: "bands 3 and 7 of 20", "12 of 20 bands"."""
    if len(bands) == of or len(bands) > MOST_BANDS:
        which = "all" if len(bands) == of else f"{count(len(bands))} of"
        return "the only band" if of == 1 else f"{which} {counted(of, 'band')}"
    word = "band" if len(bands) == 1 else "bands"
    return f"{word} {listed([count(band + 1) for band in sorted(bands)])} of {count(of)}"


def met_words(pair: SignedPair, state: ThresholdState) -> str:
    """Whether these two signatures meet at a setting, in a few words."""
    met = pair.met(state)
    if met is None:
        return "not known"
    if not met:
        return "do not meet"
    bands = pair.met_bands(state)
    return "meet" if bands is None else f"meet in {counted(len(bands), 'band')}"


def _estimated(pair: SignedPair) -> str:
    told = pair.told
    if told.same is None or told.identical or not (told.equal or told.figures.shared_shingles):
        return ""
    guess = resemblance(told.estimate)
    if told.has_bits:
        return f"By the bits alone, resemblance {guess}."
    exact, error = told.figures.resemblance, told.standard_error
    return (
        f"{count(told.equal)} of {counted(told.values, 'value')} are equal (filled): by the "
        f"signatures alone, resemblance {guess}. Counted, it is {resemblance(exact)}; the standard "
        f"error of {counted(told.values, 'value')} there is {resemblance(error)}."
    )


def _in_list(pair: SignedPair) -> str:
    told, of = pair.told, pair.of
    if not told.compared:
        return "It is not in the list: both are references, which are not compared with each other."
    if pair.reason:
        return f"It is in the list. {pair.reason}"
    if any(told.empty):
        return "It is not in the list."
    floor = threshold(of.min_resemblance)
    if told.figures.resemblance < of.min_resemblance:
        return f"It is not in the list, which begins at {floor}."
    if pair.met(of) is False and not told.identical:
        return (
            f"It is not in the list, though that begins at {floor}: {of.name} did not lead to it, "
            f"and neither did a shared passage."
        )
    return "It is not in the list: see its notes for what was left out."


def _other_signatures(pair: SignedPair) -> str:
    method = pair.told.settings.method
    return (
        f"Shown as the list was made, with {pair.of.name}: {_made_of(method, pair.told.values)} "
        f"were made by the last scan, and the settings now need a new one."
    )


def _made_of(method: SignatureMethod, values: int) -> str:
    return f"signatures of {count(values)} values by {method.name}"


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def grid_words(grid: PairGrid | None) -> str:
    """The grid as a whole, for those who cannot see it."""
    if grid is None:
        return "No signatures to show."
    if grid.has_bits:
        same = sum(map(sum, grid.bands))
        return f"64 bits in eight rows: {same} are the same, {64 - same} differ."
    size = counted(len(grid.bands[0]), "row")
    unused = f" {counted(grid.unused, 'value')} in no band." if grid.unused else ""
    which = _named(grid.met, len(grid.bands)) if grid.met else "none"
    verb = "agrees" if len(grid.met) <= 1 else "agree"
    said = f"{which} {verb} as a whole."
    return f"{counted(len(grid.bands), 'band')} of {size}: {said}{unused}"


def band_words(grid: PairGrid, band: int) -> str:
    """One band: how many of its values are equal."""
    values = grid.bands[band]
    equal = sum(values)
    if grid.has_bits:
        return f"Bits {8 * band + 1} to {8 * band + 8}: {8 - equal} of 8 differ."
    name = f"Band {count(band + 1)} of {count(len(grid.bands))}"
    if band in grid.met:
        return f"{name}: {_all_equal(len(values))}, so the two meet here."
    return f"{name}: {count(equal)} of {counted(len(values), 'value')} equal."


def _all_equal(values: int) -> str:
    if values <= TWO:
        return "both values are equal" if values == TWO else "its value is equal"
    return f"all {count(values)} values are equal"
