"""Signatures to candidate pairs, and the mathematics of what is found and missed."""
