"""Signed markers: what a result comment remembers of a review, in a form that only the host can write."""
