"""What a person plainly says, kept as a note where a model took it for none.

A small model calls rambling statements jokes and questions. Where their form tells that
something lasts, or they speak of what is stored, they are kept in the person's words.
"""

from collections.abc import Iterator, Sequence
import re

from ..models import Candidate, Fact
from ..secrets import MASK
from .clauses import labelled_clauses, marker_rule
from .language import Language
from .mentions import content, key_words, shared, touches
from .speech import Speech
from .text import normalize, words

_PASSED_OVER = frozenset({"joke", "order", "question", "others"})
_MAX_LETTERS = 100
_PAUSE = re.compile(r"[,;:，、；：]")  # noqa: RUF001 - Chinese and Japanese have their own


def passed_over(
    kind: str, said: Speech, known: Sequence[Fact]
) -> tuple[Candidate, ...]:
    """Return what is plainly stated, where a model named a kind without facts."""
    if kind not in _PASSED_OVER:
        return ()
    return tuple(
        Candidate(who="me", what="note", value=said.as_written(statement))
        for sentence in said.sentences
        for statement in _statements(sentence, said.language, known)
    )


def _statements(
    sentence: str, language: Language, known: Sequence[Fact]
) -> Iterator[str]:
    """Yield each run of clauses that states something which lasts."""
    plain = normalize(sentence)
    if language.forget.search(plain) and not language.not_forget.search(plain):
        return
    changes = any(
        marker.search(plain)
        for marker in (language.also, language.changed, language.ended)
    )
    concerned = changes and any(touches(plain, fact, language) for fact in known)
    for run in _runs(plain, language):
        start, end = plain.find(run[0]), plain.find(run[-1]) + len(run[-1])
        statement = plain[start:end]
        if _is_known(statement, language, known):
            continue
        if concerned or any(_lasts(part, language) for part in _PAUSE.split(statement)):
            yield statement[:_MAX_LETTERS]


def _is_known(statement: str, language: Language, known: Sequence[Fact]) -> bool:
    """Return whether the stored facts hold every telling word already."""
    stored = [
        word for fact in known for word in (*key_words(fact.key), *words(fact.value))
    ]
    telling = content(language.first_person.sub(" ", statement), language)
    return len(shared(telling, stored)) == len(telling)


def _runs(plain: str, language: Language) -> Iterator[list[str]]:
    """Yield the clauses that stand together and state something that holds."""
    run: list[str] = []
    for clause, label in labelled_clauses(plain, language):
        if label is None and _may_state(clause, language):
            run.append(clause)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _may_state(clause: str, language: Language) -> bool:
    if MASK in clause or language.ended.search(clause):
        return False
    return marker_rule(clause, language) is None


def _lasts(statement: str, language: Language) -> bool:
    if language.marks_person and not language.first_person.search(statement):
        return False
    if language.refers_back.search(statement):
        return False
    # A favourite thing is the most common joke of all, and anybody has a name.
    serious = language.naming.sub(" ", language.favourite.sub(" ", statement))
    return bool(language.durable.search(serious) or language.allergy.search(serious))
