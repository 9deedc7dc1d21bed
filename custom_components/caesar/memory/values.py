"""When two values of facts are the same."""

import unicodedata


def same_value(one: str, other: str) -> bool:
    """Return whether two values differ at most in case, width and spaces."""
    return _folded(one) == _folded(other)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
