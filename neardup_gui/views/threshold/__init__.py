"""The threshold panel: the S-curve, the folder's pairs behind it, b, r and the list's floor."""

from neardup_gui.views.threshold.panel import ThresholdPanel

__all__ = ["ThresholdPanel"]
