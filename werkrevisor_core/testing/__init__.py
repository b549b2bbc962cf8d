"""The public testing kit: builders of changes, scripted judges, a runner and case files.

The built-in rules are tested with it; a rule pack uses the same.
"""
