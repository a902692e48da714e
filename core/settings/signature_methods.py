"""The methods of signatures: their names, how signatures are compared, and where the code is.

A method is one line of `METHODS` and the module that the line names, whose function
`sign(shingles, settings, rarity)` makes the signatures (see `core.signatures.method`). What else a
method is asked for comes with its kind: the estimate of two signatures, the search, the curve, the
settings that apply, and the sentences about them. Nothing here imports the code of a method, so
that help and window show the names before NumPy is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SignatureKind(Enum):
    """How signatures are compared; the value is the settings that this takes.

    BANDS: K values. Those of two texts agree with a probability that is their resemblance, each
        independently; a pair is compared when all r rows of one of b bands agree.
    BITS: 64 bits. Those of two texts at the angle θ differ with probability θ/π, each
        independently; a pair is compared when at most d differ.
    """

    BANDS = ("signature_size", "bands", "rows")
    BITS = ("max_distance",)


@dataclass(frozen=True, slots=True)
class SignatureMethod:
    """A way to make signatures.

    Attributes:
        name: What it is called within a sentence.
        kind: How its signatures are compared.
        module: Where its `sign` is.
        weighs: Whether it weighs shingles, as the setting `weights` says.
    """

    name: str
    kind: SignatureKind
    module: str
    weighs: bool = False

    @property
    def title(self) -> str:
        """What it is called in a list of choices."""
        return self.name[0].upper() + self.name[1:]

    @property
    def search_name(self) -> str:
        """What its search for candidates is called, at the beginning of a sentence."""
        return "Bands" if self.kind is SignatureKind.BANDS else self.title

    def uses(self, setting: str) -> bool:
        """Whether a setting means anything to this method."""
        if setting == "weights":
            return self.weighs
        of_a_kind = any(setting in kind.value for kind in SignatureKind)
        return setting in self.kind.value or not of_a_kind


METHODS: dict[str, SignatureMethod] = {
    "fss": SignatureMethod(
        "Fast Similarity Sketching",
        SignatureKind.BANDS,
        "core.signatures.fast_similarity_sketching",
    ),
    "minhash": SignatureMethod("classic MinHash", SignatureKind.BANDS, "core.signatures.minhash"),
    "simhash": SignatureMethod(
        "SimHash", SignatureKind.BITS, "core.signatures.simhash", weighs=True
    ),
}


def names_using(setting: str) -> str:
    """The methods to which a setting means something, joined by "or"."""
    names = [method.name for method in METHODS.values() if method.uses(setting)]
    if len(names) < 3:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"
