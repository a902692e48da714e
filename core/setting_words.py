"""Values of settings that are named in more than one place: in the window and in reports."""

from __future__ import annotations

__all__ = ["WEIGHTS"]

WEIGHTS = {
    "unweighted": "all shingles weighed alike",
    "tf": "shingles weighed by occurrence",
    "tf-idf": "shingles weighed by occurrence and by rarity in the folder",
}
