"""Rules of the step `jev`, one plugin per module."""
