"""Kind words after a match: one from each seat to each other seat (moderation.md 1)."""
