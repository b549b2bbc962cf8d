"""The built-in rules: one plugin per module, in a folder per step of a review."""
