"""One exchange from the person's words to the changes of their facts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..models import Candidate, Change, Exchange, Fact
from ..ports import Generation, Generator
from ..secrets import mask
from ..slots import base_key
from .answer import parse_answer
from .checks import check
from .gate import judge
from .names import joined, named
from .operations import decide
from .request import build_request


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """What became of an exchange."""

    skipped_by: str | None = None
    """The rule of the gate that spared the call, None where the generator was asked."""
    kind: str = ""
    changes: tuple[Change, ...] = ()
    """Rejected candidates too, with the reason and without their words."""
    generation: Generation | None = None


async def extract(
    exchange: Exchange,
    stored: Sequence[Fact],
    generator: Generator,
    local_date: date,
) -> Extraction:
    """Return what an exchange changes.

    Raises UnusableAnswerError, and GeneratorUnavailableError of the generator.
    """
    if not exchange.teaches:
        return Extraction(skipped_by="teaches_nothing")
    text = mask(exchange.user_text)
    own = [fact for fact in stored if fact.owner == exchange.owner]
    verdict = judge(text, exchange.language, own)
    if verdict.rule is not None:
        return Extraction(skipped_by=verdict.rule)
    request = build_request(replace(exchange, user_text=verdict.text), local_date)
    generation = await generator.generate(request)
    answer = parse_answer(generation.text)
    found = joined(answer.candidates, named(verdict.text, exchange.language))
    accepted, rejected = check(found, verdict.text, exchange.language)
    changes = decide(
        accepted,
        owner=exchange.owner,
        stored=own,
        text=verdict.text,
        language=exchange.language,
    )
    return Extraction(
        kind=answer.kind,
        changes=(*changes, *(_rejection(*pair) for pair in rejected)),
        generation=generation,
    )


def _rejection(candidate: Candidate, reason: str) -> Change:
    key = base_key(candidate.who, candidate.what)
    return Change(operation="reject", key=key, value="", reason=reason)
