"""Rules of the step `gates`, one plugin per module."""
