"""The pipeline with one of its stages taken out, to see what that stage is worth.

The product has no switch for this: here its parts are put in each other's place.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

from custom_components.caesar.gateway.base import GenerationResult
from custom_components.caesar.generator import GatewayGenerator
from custom_components.caesar.memory.extraction import checks, extract as pipeline
from custom_components.caesar.memory.extraction.gate import Verdict
from custom_components.caesar.memory.models import Candidate, Change, Fact, Owner
from custom_components.caesar.memory.slots import base_key
from custom_components.caesar.memory.values import same_value

_RULES: Final = "_RULES"
_GROUNDING: Final = ("_is_not_grounded",)
_TYPES: Final = ("_is_not_its_type", "_is_nobodys_name", "_is_unsupported")
_SPEECH: Final = ("_is_the_order", "_is_no_statement")


@contextmanager
def without_gate() -> Iterator[None]:
    """Ask the model about every exchange, with all of its words."""
    with patch.object(pipeline, "judge", _pass_all):
        yield


@contextmanager
def without_checks() -> Iterator[None]:
    """Believe the model whatever it writes."""
    with patch.object(pipeline, "check", _accept_all):
        yield


@contextmanager
def without_sentences() -> Iterator[None]:
    """Leave all reading to the model, even of what sentence files understand."""
    with patch.object(GatewayGenerator, "_read", _reads_nothing):
        yield


@contextmanager
def without_notes() -> Iterator[None]:
    """Keep nothing of what the model takes for a joke, an order or a question."""
    with patch.object(pipeline, "passed_over", lambda *_: ()):
        yield


@contextmanager
def without_rewording() -> Iterator[None]:
    """Read slips of the tongue as they were said, and no confirmation."""
    with (
        patch.object(pipeline, "repaired", lambda text, _: text),
        patch.object(pipeline, "confirmed", lambda *_: ""),
    ):
        yield


@contextmanager
def without_names() -> Iterator[None]:
    """Leave names to the model, even where the sentence's form gives them."""
    with patch.object(pipeline, "joined", lambda found, _named: found):
        yield


@contextmanager
def without_grounding() -> Iterator[None]:
    """Take values that do not stand in the person's words."""
    with (
        without_rules(*_GROUNDING),
        patch.object(checks, "worded", _as_given),
        patch.object(checks, "_with_proof", _trusting(vars(checks)["_with_proof"])),
    ):
        yield


@contextmanager
def without_types() -> Iterator[None]:
    """Take names, places, dates and ages that do not look like any."""
    with without_rules(*_TYPES), patch.object(checks, "_TYPES", {}):
        yield


@contextmanager
def without_rules(*names: str) -> Iterator[None]:
    """Leave out checks by the names of their functions.

    Raises LookupError where there is none of that name.
    """
    rules: Sequence[Any] = vars(checks)[_RULES]
    if missing := set(names) - {rule.__name__ for rule in rules}:
        raise LookupError(f"there is no check {missing}")
    rest = tuple(rule for rule in rules if rule.__name__ not in names)
    with patch.object(checks, _RULES, rest):
        yield


@contextmanager
def with_upsert() -> Iterator[None]:
    """Put each value in the place of what is stored under its key."""
    with patch.object(pipeline, "decide", upsert):
        yield


@contextmanager
def with_model_alone() -> Iterator[None]:
    """Take out all that code decides."""
    with ExitStack() as stack:
        for stage in (
            without_gate(),
            without_sentences(),
            without_notes(),
            without_rewording(),
            without_names(),
            without_checks(),
            with_upsert(),
        ):
            stack.enter_context(stage)
        yield


def stages() -> Mapping[str, AbstractContextManager[None]]:
    """Return what can be taken out, by the name to print."""
    return {
        "all stages": nullcontext(),
        "without the gate": without_gate(),
        "without sentence files before the model": without_sentences(),
        "without notes of what the model passes over": without_notes(),
        "without self-corrections and confirmations": without_rewording(),
        "without names found by code": without_names(),
        "without grounding": without_grounding(),
        "without types": without_types(),
        "without order and question in the checks": without_rules(*_SPEECH),
        "without any check": without_checks(),
        "upsert by key instead of operations": with_upsert(),
        "the model alone": with_model_alone(),
    }


def upsert(
    candidates: Sequence[Candidate],
    *,
    owner: Owner,
    stored: Sequence[Fact],
    text: str,  # noqa: ARG001
    language: str,  # noqa: ARG001
    taken: Collection[str] = (),  # noqa: ARG001
) -> tuple[Change, ...]:
    """Decide as a store of keys and values does."""
    present = {fact.key: fact for fact in stored if fact.owner == owner}
    newest = {_key(candidate): candidate for candidate in candidates}
    changes = (_change(key, one, present.get(key)) for key, one in newest.items())
    return tuple(change for change in changes if change is not None)


def _key(candidate: Candidate) -> str:
    return candidate.key or base_key(candidate.who, candidate.what, candidate.topic)


def _change(key: str, candidate: Candidate, fact: Fact | None) -> Change | None:
    if fact is None and candidate.ended:
        return None
    change = Change(
        operation="add",
        key=key,
        value=candidate.value,
        quote=candidate.quote,
        confidence=candidate.confidence,
    )
    if fact is None:
        return change
    return Change(
        operation=_operation(candidate, fact),
        key=key,
        value=candidate.value,
        fact_id=fact.id,
        quote=candidate.quote,
    )


def _operation(candidate: Candidate, fact: Fact) -> Any:
    if candidate.ended:
        return "remove"
    return "confirm" if same_value(candidate.value, fact.value) else "replace"


async def _reads_nothing(_: object, __: object) -> GenerationResult:
    return GenerationResult(text="", model="")


def _pass_all(text: str, _language: str, _known: Sequence[Fact]) -> Verdict:
    return Verdict(rule=None, text=text)


def _accept_all(
    candidates: Sequence[Candidate], text: str, _language: str
) -> tuple[tuple[Candidate, ...], tuple[()]]:
    return tuple(replace(one, quote=text) for one in candidates), ()


def _as_given(candidate: Candidate, _said: object) -> tuple[str, bool]:
    return candidate.value, True


def _trusting[**P](proven: Callable[P, Candidate]) -> Callable[P, Candidate]:
    """Return a check's end that makes no suggestion of what was heard in part."""

    def trusting(*args: P.args, **kwargs: P.kwargs) -> Candidate:
        candidate = proven(*args, **kwargs)
        is_reworded = candidate.doubt == checks.PARTLY_HEARD
        return replace(candidate, doubt="") if is_reworded else candidate

    return trusting
