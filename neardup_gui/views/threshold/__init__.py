"""The threshold panel: the S-curve, the folder's pairs behind it, b, r and the threshold."""
