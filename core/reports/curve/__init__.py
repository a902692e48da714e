"""The curve of a setting with the pairs of a folder, and what both say in words.

    state           b, r and the floor with their curve; the pairs of the folder
    bars            these pairs in classes of resemblance
    forecast_words  what is missed, checked for nothing and listed, in three sentences
    numbers         how the numbers in them are written

The window and the reports show the same.
"""
