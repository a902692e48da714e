"""Bytes to characters: which encoding a text has."""
