"""Candidate pairs to exact numbers and shared passages."""
