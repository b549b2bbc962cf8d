"""Rules of the step `escalate`, one plugin per module."""
