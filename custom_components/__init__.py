"""The integrations of this repository."""
