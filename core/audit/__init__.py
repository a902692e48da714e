"""Whether a scan's list is complete: proved where that can be afforded, measured where it cannot.

    audit ─┬▶ prove: all pairs of a small folder compared exactly, and the list held against them
           └▶ plant: edited copies of a larger folder's own documents, searched for among the rest

Where a scan looks for reworked passages, both plant some and search for them, too.

Both run the same search as a scan with the same settings. What a pair really shares is measured
apart from it, on all pairs or on the planted ones, without bands and without fingerprints.
"""
