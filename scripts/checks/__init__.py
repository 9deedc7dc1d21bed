"""Checks of the repository that no ready-made linter does."""
