"""The report as PDF, typeset by typst: archival (PDF/A-3a) and accessible (PDF/UA-1).

    Report ─▶ sections ─▶ `block_data`: JSON ─▶ a process of its own: fonts, `report.typ` ─▶ PDF

What users and documents say reaches typst as data only: strings that it never reads as its own
language. A process of its own can be stopped at any moment, gives all its memory back, and takes
nothing with it when it fails.
"""
