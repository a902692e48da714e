"""Word 97 to 2003, and other compound files that are told but not read."""
