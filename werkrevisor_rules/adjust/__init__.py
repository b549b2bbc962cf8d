"""Rules of the step `adjust`, one plugin per module."""
