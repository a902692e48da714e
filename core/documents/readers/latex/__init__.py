"""LaTeX source, as it would be read on paper."""
