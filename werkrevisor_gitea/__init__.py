"""Gitea and Forgejo: nothing is here yet; the local review does not need it."""
