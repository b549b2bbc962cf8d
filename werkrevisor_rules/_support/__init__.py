"""What several rules share; no rule imports another."""
