"""A value in the person's own words, even where the generator's were others.

What was translated or shortened is put back: a routine without its days, or a wish
without its room, would tell something else later.
"""

import re
from typing import Final

from ..models import Candidate
from ..secrets import MASK
from .clauses import without_leads
from .grounding import grounded_part, numbers_in, support
from .language import Language
from .speech import Speech
from .text import normalize

MAX_CLAUSE: Final = 100
_HALF = 0.5
_HABITS = frozenset({"routine", "wish"})
_SENTENCES = frozenset({"routine", "wish", "note"})
_KANA = re.compile(r"[\u3040-\u30ff]")
_KANJI = re.compile(r"[\u3400-\u9fff]")


def worded(candidate: Candidate, said: Speech) -> tuple[str, bool]:
    """Return the value as the person said it and whether the generator had it so.

    The value is empty where nothing the person said supports it.
    """
    value, share = grounded_part(candidate.value, said.text, said.language)
    if not value:
        return _supporting_clause(candidate, said), False
    whole = _with_what_it_means(value, candidate, said)
    if whole:
        return whole, share == 1.0
    if share < 1.0 and candidate.what in _SENTENCES and not candidate.ended:
        # What was turned round says another thing: "opens at nine" of "not before".
        return _supporting_clause(candidate, said) or value, False
    if candidate.what in _HABITS and not candidate.ended:
        return _with_its_days(value, said), share == 1.0
    return _whole_word(value, said), share == 1.0


def _supporting_clause(candidate: Candidate, said: Speech) -> str:
    """Return the clause that a reworded or translated value was made of, or nothing."""
    if candidate.what not in _SENTENCES:
        return ""
    language = said.language
    clause = said.clause_about(candidate.value, said.sentence_with(candidate.value))
    wanted = set(numbers_in(candidate.value, language))
    same_numbers = bool(wanted) and wanted <= set(numbers_in(clause, language))
    if not same_numbers and support(candidate.value, clause, language) < _HALF:
        return ""
    return _within_limit(said.as_written(clause))


def _with_its_days(value: str, said: Speech) -> str:
    """Return the clause or sentence where it says when, and the value does not."""
    language = said.language
    sentence = said.sentence_with(value)
    if _begins_with_condition(normalize(sentence), language):
        return _within_limit(sentence.rstrip(" .!;")) or value
    if language.durable.search(normalize(value)):
        return value
    for part in (*said.clauses(sentence), normalize(sentence)):
        if support(value, part, language) == 1.0 and language.durable.search(part):
            return _within_limit(said.as_written(part).rstrip(" .!;")) or value
    return value


def _with_what_it_means(value: str, candidate: Candidate, said: Speech) -> str:
    """Return the whole sentence where the value speaks of "it", an order's verb apart.

    "Play the news, I always listen to it" is of no use without the news.
    """
    language = said.language
    plain = normalize(value)
    if candidate.what not in _SENTENCES or candidate.ended:
        return ""
    if language.anaphor.search(plain) is None:
        return ""
    sentence = normalize(said.sentence_with(value))
    if sentence.find(plain) < len(said.clauses(sentence)[0]):
        return ""
    bare = without_leads(sentence, language)
    ordered = language.order.match(bare)
    named = bare[ordered.end() :] if ordered else bare
    if MASK in named:
        return ""
    return _within_limit(said.as_written(named.strip(" .!;?")))


def _begins_with_condition(plain: str, language: Language) -> bool:
    return language.subordinate.match(without_leads(plain, language)) is not None


def _within_limit(clause: str) -> str:
    return clause if len(clause) <= MAX_CLAUSE else ""


def _whole_word(value: str, said: Speech) -> str:
    """Return a Japanese value with the characters that were cut off before it.

    A generator drops the first of a run of kanji that make one word. Chinese, which has
    nothing between its words, shows no such runs.
    """
    text = said.text
    start = end = text.find(value)
    if start < 1 or not _KANJI.match(value) or not _KANA.search(text):
        return value
    while start > 0 and _KANJI.match(text[start - 1]):
        start -= 1
    while match := said.language.before_value.match(text, start, end):
        start = match.end()
    return text[start : end + len(value)]
