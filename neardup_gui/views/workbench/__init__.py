"""The curve in the width of the window, and what every setting would do."""
