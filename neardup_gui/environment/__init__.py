"""What the window finds around it: settings, theme, a display, reports of bugs."""
