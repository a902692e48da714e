"""What the views draw: prepared from the engine's results, with NumPy columns behind the tables."""
