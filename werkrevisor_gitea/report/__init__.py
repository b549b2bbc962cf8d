"""The reporters for Gitea and Forgejo, one per module; see `werkrevisor_report`."""
