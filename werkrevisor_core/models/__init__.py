"""Frozen models that every part of werkrevisor speaks in."""
