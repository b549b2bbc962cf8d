"""Rules of the step `engines`, one plugin per module."""
