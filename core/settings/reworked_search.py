"""What the search for reworked passages counts on, for the kernels and for what they promise.

Here, so that a window can say what is promised before anything is compiled.
"""

from __future__ import annotations

ONE_IN = {"careful": 10, "thorough": 3}  # of so many skip-grams one is sampled
NEEDED = 3  # places of either text at which skip-grams agree
NEAR = 60  # words on either side
PRICE = 1.5  # bits, of a word that does not match
