"""The setup panel."""
