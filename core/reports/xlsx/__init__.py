"""The report as a workbook for Excel, LibreOffice and all that reads their files.

cells       what a cell may hold: text that is nothing but text
looks       how cells look
book        sheets of rows; where one is full, another goes on
links       to the files of the documents
tables      the rows of the sheets that are filtered and computed with
passages    those of the passages
words       the sheets that are read: summary and settings
output      the file while it is written
writer      all of it
"""
