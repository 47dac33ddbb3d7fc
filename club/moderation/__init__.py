"""Complaints and the people who answer them: who complained stays sealed (moderation.md)."""
