"""Shingles to signatures and fingerprints: what is compared first."""
