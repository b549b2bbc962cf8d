"""The pure function of each step of a review."""
