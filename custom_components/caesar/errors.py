"""Errors of memory and gateway as Home Assistant shows them: one sentence each."""

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from .const import DOMAIN
from .gateway import errors as gateway
from .memory import errors as memory

# The person can put these right, so they are not faults of the system. Here and below
# the first that fits counts: the narrower stand before the wider.
_VALIDATION: dict[type[Exception], str] = {
    memory.FactNotFoundError: "fact_not_found",
    memory.SuggestionNotFoundError: "suggestion_not_found",
    memory.ExchangeNotFoundError: "exchange_not_found",
    memory.MoveNotFoundError: "move_not_found",
    memory.KeyTakenError: "key_taken",
    memory.ConflictError: "conflict",
    memory.InstructionError: "instruction_refused",
    memory.InvalidFactError: "invalid_fact",
    memory.SecretError: "secret_refused",
}

_FAULTS: dict[type[Exception], str] = {
    gateway.ProviderTimeoutError: "provider_timeout",
    gateway.ProviderMissingError: "provider_missing",
    gateway.ProviderNotLoadedError: "provider_not_loaded",
    gateway.ProviderOverloadedError: "provider_overloaded",
    gateway.AnswerBrokenOffError: "answer_broken_off",
    gateway.ProviderUnavailableError: "provider_unavailable",
    gateway.ProviderRefusedError: "provider_refused",
    gateway.ModelNotFoundError: "model_not_found",
    gateway.RateLimitedError: "rate_limited",
    gateway.NoCreditError: "no_credit",
    gateway.ContextTooLongError: "context_too_long",
    gateway.UnsupportedRequestError: "unsupported_request",
    gateway.EmptyAnswerError: "empty_answer",
    memory.NewerDatabaseError: "database_newer",
    memory.CorruptDatabaseError: "database_corrupt",
    memory.DatabaseBusyError: "database_busy",
    memory.DatabaseReplacedError: "database_replaced",
    memory.DatabaseError: "database_error",
}


def translation_key(err: Exception) -> str:
    """Return the key of the sentence for an error of memory or gateway.

    An error that has no sentence of its own is a bug; it counts as a database fault.
    """
    for kind, key in (*_VALIDATION.items(), *_FAULTS.items()):
        if isinstance(err, kind):
            return key
    return "database_error"


def translated(err: Exception) -> HomeAssistantError:
    """Return the error as Home Assistant should see it."""
    kind = HomeAssistantError
    if isinstance(err, tuple(_VALIDATION)):
        kind = ServiceValidationError
    return kind(translation_domain=DOMAIN, translation_key=translation_key(err))
