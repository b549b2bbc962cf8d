"""Reads git: a bare repository of our own, pinned options, change sets and contents."""
