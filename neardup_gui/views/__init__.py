"""What is seen: views draw and emit signals, nothing more."""
