"""Text to shingles: characters, normalisation, words, and where each stands in the text."""
