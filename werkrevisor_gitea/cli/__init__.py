"""The commands that need a forge; the core's command line finds them by entry point."""
