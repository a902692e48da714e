"""What explains the engine to people: its own steps, measured on texts that somebody changes.

Nothing is made up for the purpose. Shingles, signatures, bands and passages are those of a scan
with the same settings; only the copies are made here, as a person would make them.
"""
