"""Work off the UI thread: one worker per run, one queue that owns the thread."""
