"""Cut a sentence into the clauses that its markers belong to."""

import re

from .language import Language

_END = re.compile(r"(?<!\d)[,:，：]|[,:，：](?!\d)|、|\s[-–—]+\s|—")  # noqa: RUF001
_EDGE = " .!?;？。！；…"  # noqa: RUF001


def split_clauses(plain: str, language: Language) -> list[str]:
    """Return the clauses of a normalized sentence; a conjunction opens the next one."""
    parts = (part.strip() for part in _END.split(plain.strip(_EDGE)))
    return [piece for part in parts for piece in _at_conjunctions(part, language)]


def _at_conjunctions(part: str, language: Language) -> list[str]:
    found = (match.start() for match in language.splitters.finditer(part))
    starts = [0, *found, len(part)]
    pieces = (part[a:b].strip() for a, b in zip(starts, starts[1:], strict=False))
    return [piece for piece in pieces if piece]
