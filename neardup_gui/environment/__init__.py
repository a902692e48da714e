"""What the window finds around it: settings, theme, assets, a display, reports of bugs."""
