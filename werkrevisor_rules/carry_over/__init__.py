"""Rules of the step `carry_over`, one plugin per module."""
