"""Checks whether a scan's list is complete: by proof for small folders, else by measurement.

    audit ─┬▶ prove: all pairs of a small folder compared exactly, and the list compared with them
           └▶ plant: edited copies of a larger folder's documents, searched for among the rest

If a scan looks for reworked passages, both plant such passages and search for them, too.

Both run the same search as a scan with the same settings. The exact numbers of pairs are measured
separately, on all pairs or on the planted ones, without bands and without fingerprints.
"""
