"""The curve of a setting with the pairs of a folder, and what both say in words.

    state           b, r and the threshold with their curve; the pairs of the folder and their bars
    forecast_words  what is missed, checked for nothing and listed, in three sentences
    picture         the curve and the bars, for reports

The window and the reports show the same.
"""
