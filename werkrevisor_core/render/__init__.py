"""Renders a review: comment, text, JSON, SARIF."""
