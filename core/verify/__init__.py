"""Whether a report is what its files give: read as if a stranger had written it, made again."""
