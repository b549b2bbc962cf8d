"""Compares the tests of two versions of source files; see `compare`."""
