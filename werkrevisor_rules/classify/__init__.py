"""Rules of the step `classify`, one plugin per module."""
