"""Gitea and Forgejo: the client, the commands that need a forge, and all that is read from and published there."""
