"""The promise for reworked passages: the probability to find one, by its length and its changes.

Of n words each is changed with the probability c. A skip-gram is two of three neighbouring words:
each word with either of the two before it. It agrees where both are left, (1 - c)^2, and where it
is kept, with the probability p = q / r: q is the share of grams that have enough letters and are
rare enough (`KeptShare`), one in r is sampled. On average 2 n p (1 - c)^2 agree. They share words:
with one gram its neighbours are lost, so their number varies more than a Poisson number. So its
distribution is not approximated but computed word by word (a Markov chain imbedded in the words: Fu
and Koutras, JASA 1994). Its state:

- which of the last two words are left: m of them. A word that is left ends m grams that agree, and
  is a matching position with the probability 1 - (1 - p)^m;
- how many matching positions, each within 60 words of the next, there were, and how far back the
  last one is.

Three of them make a candidate. Passages differ in q, so three values of q represent all passages,
with their mean and spread (the quadrature of Gauss and Hermite with three points). Texts need more
or fewer letters, by their own mean: another text of the folder keeps only a share of the grams that
a text keeps, by which q is multiplied: .95 to 1 in six of seven folders, .82 where languages
differ. Where all pairs of a folder are measured, each is a candidate.

A candidate is listed when its score reaches the threshold T. With words of I bits on average, V
their variance, and a price of 1.5 bits for each word that does not match, the score is about normal
with the mean n ((1 - c) I - 1.5 c). Both chances are multiplied: the two go together, so this errs
to the safe side. So does that a gram counts as rare only where three such suffice, and that each
change is taken for an exchange: where words are dropped, inserted or whole sentences moved, more
grams are left. The tests hold the curve against planted passages in which words are exchanged.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import Float64Array, Int64Array
from core.base.messages import gettext
from core.base.wording import share as in_percent
from core.settings import NEAR, NEEDED, NEIGHBOURS, ONE_IN, PRICE, Level

STATES = 1 << NEIGHBOURS
GRAMS = np.array([state.bit_count() for state in range(STATES)])
SPREAD_AT = math.sqrt(3.0) * np.array([-1.0, 0.0, 1.0])
SPREAD_WEIGHTS = np.array([1.0, 4.0, 1.0]) / 6
LEAST_KEPT = 0.01


class KeptShare(NamedTuple):
    """The share of a passage's grams that count, where all were sampled: its mean and spread."""

    mean: float
    spread: float

    def of_these(self, share: KeptShare) -> KeptShare:
        """The share if only a share of these counts, which varies independently."""
        mean = self.mean * share.mean
        square = (self.mean**2 + self.spread**2) * (share.mean**2 + share.spread**2)
        return KeptShare(mean, math.sqrt(max(0.0, square - mean**2)))


class CurveEvidence(NamedTuple):
    """Bits of the words of a folder: their mean and spread, and the score that is listed."""

    mean: float
    spread: float
    threshold: float


# Measured, of passages of 60 words in seven folders in four scripts: q is .14 to .48 on average,
# .25 to .48 where there are few formulas, its spread .06 to .19. Words carry 6.6 to 9.4 bits in
# bills, answers, news and a handbook, with a spread of 1 between passages, and 4 to 5 in terms,
# licences and contracts, which are made of formulas. The threshold is the highest.
USUAL_KEPT = KeptShare(0.30, 0.09)
USUAL_INFORMATION: dict[Level, CurveEvidence] = {
    "careful": CurveEvidence(7.3, 1.0, 170.0),
    "thorough": CurveEvidence(7.3, 1.0, 130.0),
}


class ReworkedCurve(NamedTuple):
    """How likely reworked passages are listed.

    Attributes:
        level: How reworked passages are looked for, not `off`.
        kept: The share of grams that count in both texts, of this folder or as in most; None where
            all pairs are measured, so that none is lost for its grams.
        information: Of the words of this folder, or as in most.
    """

    level: Level
    kept: KeptShare | None
    information: CurveEvidence

    @property
    def measures_all(self) -> bool:
        """Whether all pairs are measured."""
        return self.kept is None

    @staticmethod
    def usual(level: Level, *, measures_all: bool = False) -> ReworkedCurve:
        """The curve of a folder of which at most it is known whether all pairs are measured."""
        return ReworkedCurve(level, None if measures_all else USUAL_KEPT, USUAL_INFORMATION[level])

    def by_length(self, longest: int, changed: float) -> Float64Array:
        """The probability for passages of 0, 1, ... `longest` words, float64 (longest + 1).

        Args:
            longest: Words.
            changed: The share of the words that were changed, 0 to 1.
        """
        return self._by_length(np.full(longest, changed))

    def probability(self, words: int, changed: float) -> float:
        """The probability for a passage of this many words, of which this share was changed."""
        return float(self.by_length(words, changed)[-1])

    def probability_evenly(self, words: int, every: int) -> float:
        """The probability where every n-th word was changed, n being `every`.

        That is harder than as many random changes, which leave longer unchanged stretches.
        """
        changes = np.arange(1, words + 1) % every == (every + 1) // 2
        return float(self._by_length(changes.astype(np.float64))[-1])

    def sentence(self) -> str:
        """The promise for an example passage, as a sentence."""
        # Rounded down: a promise never says more than it holds.
        chance = math.floor(self.probability_evenly(60, 5) * 100) / 100
        return gettext(
            "A passage of 60 words in which every fifth word was changed is found with a "
            "probability of {chance}.",
            chance=in_percent(chance),
        )

    def _is_candidate(self, changes: Float64Array) -> Float64Array:
        """The chance that the texts are candidates, after each word."""
        if self.kept is None:
            return np.ones(len(changes) + 1)
        shares = np.clip(self.kept.mean + self.kept.spread * SPREAD_AT, LEAST_KEPT, 1.0)
        return np.asarray(
            SPREAD_WEIGHTS @ _probability_of_candidate(changes, shares / ONE_IN[self.level])
        )

    def _by_length(self, changes: Float64Array) -> Float64Array:
        """The probability after each word, by each word's chance to be changed."""
        is_candidate = self._is_candidate(changes)
        words = np.arange(len(changes) + 1)
        changed = np.concatenate([[0.0], np.cumsum(changes)]) / np.maximum(words, 1)
        return np.asarray(is_candidate * self._is_listed(words, changed))

    def _is_listed(self, words: Int64Array, changed: Float64Array) -> Float64Array:
        """The chance that a candidate reaches the threshold, by words and share changed."""
        bits = self.information
        mean = words * ((1 - changed) * bits.mean - PRICE * changed)
        alone = (1 - changed) * changed * (bits.mean + PRICE) ** 2  # of one word
        spread = np.sqrt(words * alone + (words * (1 - changed) * bits.spread) ** 2)
        return _normal((mean - bits.threshold) / np.maximum(spread, 1e-9))


class _Chain(NamedTuple):
    """Probability of each state, float64 (cases, last words, agreements), and of a candidate."""

    states: Float64Array
    probability: Float64Array


def _probability_of_candidate(changes: Float64Array, kept: Float64Array) -> Float64Array:
    """The probability that three positions agree, float64 (cases of `kept`, words + 1)."""
    probabilities = np.zeros((len(kept), len(changes) + 1))
    agreement = 1 - (1 - kept[:, None]) ** GRAMS  # by what is left of the last words
    chain = _Chain(np.zeros((len(kept), STATES, 1 + (NEEDED - 1) * NEAR)), np.zeros(len(kept)))
    chain.states[:, 0, 0] = 1.0
    for word, changed in enumerate(changes.tolist(), 1):
        chain = _after_word(chain, changed, agreement)
        probabilities[:, word] = chain.probability
    return probabilities


def _after_word(chain: _Chain, changed: float, agreement: Float64Array) -> _Chain:
    """The chain one word later: the word was changed, or left without or with an agreement."""
    agreed = chain.states * (1 - changed) * agreement[:, :, None]
    left = chain.states * (1 - changed) - agreed
    lost = chain.states * changed
    states = np.zeros_like(chain.states)
    probabilities = chain.probability.copy()
    half = STATES // 2
    for lasts in (slice(half), slice(half, None)):  # by the oldest word, which is forgotten
        states[:, ::2] += _later(lost[:, lasts])
        was_left, agreed_part = states[:, 1::2], agreed[:, lasts]
        was_left += _later(left[:, lasts])
        was_left[:, :, 1] += agreed_part[:, :, 0]
        for seen in range(1, NEEDED):
            those = agreed_part[:, :, 1 + (seen - 1) * NEAR : 1 + seen * NEAR].sum(axis=2)
            if seen + 1 == NEEDED:
                for last in range(half):
                    probabilities += those[:, last]
            else:
                was_left[:, :, 1 + seen * NEAR] += those
    return _Chain(states, probabilities)


def _later(states: Float64Array) -> Float64Array:
    """The states with agreements one word farther back; those too far back are dropped."""
    later = np.zeros_like(states)
    later[:, :, 0] = states[:, :, 0]
    for seen in range(NEEDED - 1):
        first, end = 1 + seen * NEAR, 1 + (seen + 1) * NEAR
        later[:, :, first + 1 : end] = states[:, :, first : end - 1]
        later[:, :, 0] += states[:, :, end - 1]
    return later


def _normal(values: Float64Array) -> Float64Array:
    """The distribution function of the normal distribution."""
    return np.array([(1 + math.erf(value / math.sqrt(2))) / 2 for value in values.tolist()])
