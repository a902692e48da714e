"""Files to text: discovery, encodings and one reader per format.

    find_documents(folders) ─▶ FoundFile or Problem, in a stable order
    read_file(found, …)     ─▶ of every document in it ReadDocument, Document or Problem

Nothing here raises for a single file: what cannot be read becomes a `Problem` and is listed.
"""
