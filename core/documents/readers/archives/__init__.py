"""ZIP and tar archives, opened like folders."""
