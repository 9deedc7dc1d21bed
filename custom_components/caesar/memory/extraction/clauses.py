"""Cut a sentence into clauses, and tell questions and orders from statements."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from itertools import pairwise
import re

from .language import Language
from .text import is_cjk

_END = re.compile(r"(?<!\d)[,:，：]|[,:，：](?!\d)|\s[-–—]+\s|—")
_JAPANESE_END = re.compile(rf"{_END.pattern}|、")
_KANA = re.compile(r"[\u3040-\u30ff]")
_EDGE = " .!?;？。！；…"
_QUESTION_MARKS = ("?", "？")


def split_clauses(plain: str, language: Language) -> list[str]:
    """Return the clauses of a normalized sentence; a conjunction opens the next one."""
    # In Chinese the mark only parts the items of a list.
    ends = _JAPANESE_END if _KANA.search(plain) else _END
    parts = (part.strip() for part in ends.split(plain.strip(_EDGE)))
    return [piece for part in parts for piece in _at_conjunctions(part, language)]


def _at_conjunctions(part: str, language: Language) -> list[str]:
    found = (match.start() for match in language.splitters.finditer(part))
    pieces = (part[a:b].strip() for a, b in pairwise([0, *found, len(part)]))
    return [piece for piece in pieces if piece]


def labelled_clauses(plain: str, language: Language) -> list[tuple[str, str | None]]:
    """Return each clause with "question", "order" or None.

    What opens a question or an order holds on until a clause states something itself.
    """
    asks = plain.endswith(_QUESTION_MARKS)
    carried: str | None = None
    labelled: list[tuple[str, str | None]] = []
    pieces = split_clauses(plain, language)
    for number, piece in enumerate(pieces, 1):
        opened = _opening(piece, language)
        marked = opened is None and asks and number == len(pieces)
        itself = (marked and carried is None) or opened == "question"
        if marked:
            opened = "question"
        if opened is not None or _closes(piece, language):
            carried = opened
        asked = itself and _asks_all(piece, language)
        label = carried if asked or not _states(piece, language, carried) else None
        labelled.append((piece, label))
    return labelled


def marker_rule(clause: str, language: Language) -> str | None:
    """Return why a clause states nothing lasting about the person, None if it may."""
    if language.pretend.search(clause) or language.conditional.search(clause):
        return "pretend"
    if language.assistant.search(clause):
        return "assistant"
    if language.unsure.search(clause):
        return "unsure"
    if language.transient.search(clause) and not language.durable.search(clause):
        return "transient"
    return None


def without_leads(piece: str, language: Language) -> str:
    """Return a clause without the words that may stand before any: "so", "please"."""
    while match := language.leads.match(piece) or language.splitters.match(piece):
        if not match.end():
            break
        piece = piece[match.end() :].strip()
    return piece


def begins_statement(clause: str, language: Language) -> bool:
    """Return whether a clause begins with the person or with a lasting state."""
    bare = without_leads(clause, language)
    return bool(language.first_person.match(bare) or language.statement.match(bare))


def _opening(piece: str, language: Language) -> str | None:
    bare = without_leads(piece, language)
    if language.not_question.match(bare) or language.memory.match(bare):
        return None
    if language.order.match(bare) or language.order_anywhere.search(bare):
        return "order"
    if language.question.match(bare) or language.question.match(piece):
        return "question"
    return "question" if language.question_anywhere.search(bare) else None


def _closes(piece: str, language: Language) -> bool:
    return bool(
        begins_statement(piece, language)
        or language.memory.match(without_leads(piece, language))
        or (language.reasons.match(piece) and language.first_person.search(piece))
    )


def _states(piece: str, language: Language, carried: str | None) -> bool:
    """Return whether a question or an order holds a statement all the same."""
    if carried is None:
        return False
    if carried == "order" and language.standing.search(piece):
        return True
    return any(
        not _is_subordinate(piece[: match.start()], language)
        for match in language.statement.finditer(piece)
    )


def _asks_all(piece: str, language: Language) -> bool:
    """Return whether a question is nothing but a statement: "¿Soy alérgica?"."""
    bare = without_leads(piece.lstrip("¿ "), language)
    if is_cjk(bare):
        particles = language.question_particle.finditer(bare)
        is_one = any(match.end() == len(bare) for match in particles)
    else:
        is_one = language.statement.match(bare) is not None
    return is_one and language.question.search(bare, 1) is None


def _is_subordinate(before: str, language: Language) -> bool:
    last = before.split()[-1:]
    return bool(last) and language.subordinate.fullmatch(last[0]) is not None
