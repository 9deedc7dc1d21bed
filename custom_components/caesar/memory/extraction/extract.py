"""One exchange from the person's words to the changes of their facts.

The model is asked first; what its answer changes is decided apart, since the facts may
have changed while it was thinking.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from ..models import Candidate, Change, Exchange, Fact
from ..ports import Generation, Generator
from ..secrets import mask
from ..slots import base_key
from .answer import Answer, parse_answer
from .checks import check
from .confirmation import confirmed
from .echo import without_echo
from .gate import judge
from .language import Language, find
from .names import joined, named
from .operations import decide
from .plain_statements import passed_over
from .request import build_request
from .self_repair import repaired
from .speech import Speech
from .text import fold, same_value
from .union import last_of_each, united

MAX_TEXT = 2000
"""Characters of an exchange that are learned from; reading more would take long."""
MAX_CANDIDATES = 20
"""Facts that one exchange may tell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """What an exchange says, before it is held against what is stored."""

    skipped_by: str | None = None
    """The rule of the gate that spared the call, None where the generator was asked."""
    kind: str = ""
    text: str = ""
    """The person's words as far as they may hold a fact."""
    accepted: tuple[Candidate, ...] = ()
    rejected: tuple[Change, ...] = ()
    """Candidates that were turned down, with the reason and without their words."""
    generation: Generation | None = None


async def extract(
    exchange: Exchange,
    stored: Sequence[Fact],
    generator: Generator,
    local_date: date,
) -> Extraction:
    """Return what an exchange says.

    Raises UnusableAnswerError, and GeneratorUnavailableError of the generator.
    """
    if not exchange.teaches:
        return Extraction(skipped_by="teaches_nothing")
    spoken, own = find(exchange.language), _own(stored, exchange)
    text = _evidence(exchange, spoken)
    if exchange.replies and not text:
        return Extraction(skipped_by="echo")
    costly = generator.is_costly(exchange.heard_by)
    if costly:
        verdict = judge(text, exchange.language, own)
        if verdict.rule is not None:
            return Extraction(skipped_by=verdict.rule)
        text = verdict.text
    request = build_request(replace(exchange, user_text=text), local_date)
    generation = await generator.generate(request)
    answer = parse_answer(generation.text)
    found = answer.candidates
    if costly:
        found = _with_what_code_finds(answer, generation, Speech.of(text, spoken), own)
    accepted, rejected = check(_distinct(found), text, exchange.language)
    accepted = last_of_each(accepted, text)
    return Extraction(
        kind=answer.kind,
        text=text,
        accepted=accepted,
        rejected=tuple(_rejection(*pair) for pair in rejected),
        generation=generation,
    )


def _evidence(exchange: Exchange, spoken: Language) -> str:
    """Return what the person said or confirmed, without secrets and slips."""
    said = confirmed(exchange, spoken) or exchange.user_text
    return repaired(without_echo(mask(said)[:MAX_TEXT], exchange.replies), spoken)


def _with_what_code_finds(
    answer: Answer, generation: Generation, said: Speech, own: Sequence[Fact]
) -> tuple[Candidate, ...]:
    """Return a model's candidates with what was read beside it, and names."""
    read = parse_answer(generation.reading).candidates if generation.reading else ()
    stated = passed_over(answer.kind, said, own) if not read else ()
    found = united(read, (*answer.candidates, *stated), said.language)
    # What reads by sentence forms has refused a name where it gives none.
    return joined(found, named(said.text, said.language.code))


def changes_of(
    extraction: Extraction,
    exchange: Exchange,
    stored: Sequence[Fact],
    taken: Collection[str] = (),
) -> tuple[Change, ...]:
    """Return what an extraction changes in the facts as they are stored now.

    ``taken`` are the keys of the owner's facts that are left out of ``stored``.
    """
    decides = partial(
        decide,
        owner=exchange.owner,
        stored=_own(stored, exchange),
        text=extraction.text,
        language=exchange.language,
        taken=taken,
    )
    sure = [candidate for candidate in extraction.accepted if not candidate.doubt]
    decided = decides(sure)
    if exchange.tentative:
        decided = as_suggestions(decided, exchange.tentative)
    doubted = _doubted(extraction.accepted, decides, decided)
    return (*decided, *doubted, *extraction.rejected)


def as_suggestions(changes: Iterable[Change], reason: str) -> tuple[Change, ...]:
    """Return the changes as suggestions; a fact that is confirmed stays so."""
    return tuple(_suggestion(change, reason) for change in changes)


def _doubted(
    candidates: Sequence[Candidate],
    decides: Callable[[Sequence[Candidate]], tuple[Change, ...]],
    decided: Sequence[Change],
) -> tuple[Change, ...]:
    """Return as suggestions what the doubtful candidates would change beyond the rest.

    Each is decided by itself: what is unsure changes nothing that is sure.
    """
    doubtful = [candidate for candidate in candidates if candidate.doubt]
    if not doubtful:
        return ()
    # What the words change without any candidate, such as "forget Hertha".
    anyway = decides(())
    return tuple(
        _suggestion(change, candidate.doubt)
        for candidate in doubtful
        for change in decides((candidate,))
        if change not in anyway and not _is_said(change, decided)
    )


def _is_said(change: Change, decided: Sequence[Change]) -> bool:
    return any(
        same_value(change.value, other.value)
        or (change.fact_id is not None and change.fact_id == other.fact_id)
        for other in decided
    )


def _suggestion(change: Change, reason: str) -> Change:
    if change.operation in ("confirm", "suggest", "reject"):
        return change
    value = "" if change.operation == "remove" else change.value
    return replace(change, operation="suggest", value=value, reason=reason)


def _distinct(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return each candidate once, and no more than a person would tell at a time."""
    by_words = {
        (one.who, one.what, one.key, one.ended, fold(one.value)): one
        for one in reversed(candidates)
    }
    return tuple(reversed(by_words.values()))[:MAX_CANDIDATES]


def _own(stored: Sequence[Fact], exchange: Exchange) -> list[Fact]:
    return [fact for fact in stored if fact.owner == exchange.owner]


def _rejection(candidate: Candidate, reason: str) -> Change:
    key = base_key(candidate.who, candidate.what)
    return Change(operation="reject", key=key, value="", reason=reason)
