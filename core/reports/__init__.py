"""What leaves the application: tables for programs, a report for people.

    formats     which there are, and what writes each: the one table
    html        one file that opens by itself, prints on A4 and shows the passages of the pairs
    pdf         the same, typeset: archival, tagged for screen readers
    tables      the pairs, the passages and the problems, as CSV and JSON
    curve       the curve with the pairs of a folder, and its forecast in words
    from_scan   a scan and its listed pairs as a `model.Report`, which every writer takes

Every writer takes the path and a `Report`, writes beside the target and replaces it at the end, so
that a file that was there before survives whatever goes wrong. What goes wrong is an
`core.errors.ExportError` with a sentence for the user.
"""
