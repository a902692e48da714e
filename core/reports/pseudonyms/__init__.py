"""Names withheld: a report with the same numbers and A-17 instead of a name.

    Report + key ─▶ who is known: files, people, heads of documents (report, heads)
                 ─▶ by which words, and which are of the language (finding, report)
                 ─▶ where they stand (finding) ─▶ Report

The result is a report like any other, whose names are labels: no writer has to know of it. Only
texts of documents stay as they are, because offsets count in them: what of them is not shown is in
`Report.withheld_in`.
"""
