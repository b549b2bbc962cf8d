"""Reads git's diff text: bytes in, file changes out, and everything that was not read said aloud."""
