"""Who sent a command, what they may do, and what they are answered otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.auth.models import User
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from custom_components.caesar.errors import translation_key
from custom_components.caesar.gateway.errors import GatewayError
from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.errors import (
    ConflictError,
    ExchangeNotFoundError,
    FactNotFoundError,
    InvalidFactError,
    KeyTakenError,
    MemoryStoreError,
    MoveNotFoundError,
    SecretError,
    SuggestionNotFoundError,
)
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, Fact, Owner, Scope
from custom_components.caesar.permissions import Permissions, async_permissions
from custom_components.caesar.runtime import CaesarConfigEntry, CaesarRuntime

from .openings import opened_by

_LOADED: HassKey[CaesarConfigEntry] = HassKey("caesar_loaded")

ME: Final = "me"

NOT_LOADED: Final = "not_loaded"
NOT_PERMITTED: Final = "not_permitted"
NOT_FOUND: Final = "not_found"
CONFLICT: Final = "conflict"

# The first that fits counts: the narrower stand before the wider.
_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (FactNotFoundError, NOT_FOUND),
    (SuggestionNotFoundError, NOT_FOUND),
    (ExchangeNotFoundError, NOT_FOUND),
    (MoveNotFoundError, NOT_FOUND),
    (KeyTakenError, "invalid"),
    (ConflictError, CONFLICT),
    (InvalidFactError, "invalid"),
    (SecretError, "secret"),
)


class Refusal(Exception):  # noqa: N818  it is an answer
    """A command is answered with an error."""

    def __init__(
        self,
        code: str,
        *,
        translation_key: str,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(translation_key)
        self.code = code
        self.translation_key = translation_key
        """Of the sentence for the person."""
        self.data = data


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Whoever sent a command, and the memory that it is about."""

    hass: HomeAssistant
    connection: ActiveConnection
    entry: CaesarConfigEntry
    permissions: Permissions
    language: str
    """In which the caller is answered."""

    @property
    def user(self) -> User:
        """Return the login."""
        return self.connection.user

    @property
    def runtime(self) -> CaesarRuntime:
        """Return what the integration consists of."""
        return self.entry.runtime_data

    @property
    def memory(self) -> Memory:
        """Return the memory."""
        return self.runtime.memory

    @property
    def archive(self) -> Archive:
        """Return what has happened."""
        return Archive(memory=self.memory)

    @property
    def scope(self) -> Scope:
        """Return the caller's own scope."""
        return self.permissions.scope

    @property
    def opened(self) -> frozenset[Owner]:
        """Return whose facts an administrator has open here."""
        if not self.permissions.opens_others:
            return frozenset()
        return opened_by(self.hass, self.connection)

    @property
    def reads(self) -> tuple[Owner, ...]:
        """Return the owners whose facts the caller may read."""
        return (*self.permissions.sees, *self.opened)

    @property
    def edits(self) -> tuple[Owner, ...]:
        """Return the owners whose facts the caller may change."""
        return (*self.permissions.changes, *self.opened)

    @property
    def editor(self) -> Editor:
        """Return the caller as one who changes facts."""
        return Editor(memory=self.memory, owners=self.edits, actor=self.scope.owner)

    def owner(self, named: Owner) -> Owner:
        """Return the owner that is named; raise Refusal unless the caller may edit."""
        owner = self.scope.owner if named == ME else named
        if owner not in self.reads:
            raise Refusal(NOT_PERMITTED, translation_key="foreign_owner")
        self.require_edits(owner)
        return owner

    def require_edits(self, owner: Owner) -> None:
        """Raise Refusal where the caller may see these facts, but not change them."""
        if owner not in self.edits:
            raise Refusal(NOT_PERMITTED, translation_key="not_permitted")

    def require_admin(self) -> None:
        """Raise Refusal unless an administrator calls."""
        if not self.permissions.is_admin:
            raise Refusal(NOT_PERMITTED, translation_key="admin_only")

    def owners(self, named: str | None) -> tuple[Owner, ...]:
        """Return whose past is meant: the caller's, the household's, or both."""
        if named == ME:
            return (self.scope.owner,)
        if named == HOUSEHOLD:
            return (HOUSEHOLD,)
        return self.permissions.sees

    def fact(self, fact_id: int) -> Fact:
        """Return a fact that the caller may read; raises FactNotFoundError."""
        for fact in self.memory.stored(self.reads):
            if fact.id == fact_id:
                return fact
        raise FactNotFoundError("No such fact")

    def refused(self, err: Exception, fact_id: int | None = None) -> Refusal:
        """Return what an error of memory or gateway is answered with."""
        if not isinstance(err, FactNotFoundError) or fact_id is None:
            return refusal_of(err)
        try:
            fact = self.fact(fact_id)
        except FactNotFoundError:
            fact = None
        return self.refused_of(err, fact)

    def refused_of(self, err: Exception, fact: Fact | None) -> Refusal:
        """Return what an error is answered with that is about a fact, if it is there.

        One that the caller sees but may not change is not simply missing.
        """
        missing = isinstance(err, FactNotFoundError)
        if missing and fact is not None and fact.owner not in self.edits:
            return Refusal(NOT_PERMITTED, translation_key="not_permitted")
        return refusal_of(err)


def refusal_of(err: Exception) -> Refusal:
    """Return what an error of memory or gateway is answered with."""
    for kind, code in _CODES:
        if isinstance(err, kind):
            return Refusal(code, translation_key=translation_key(err))
    assert isinstance(err, (MemoryStoreError, GatewayError))  # noqa: S101
    return Refusal("failed", translation_key=translation_key(err))


@callback
def async_set_loaded(hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
    """Let commands use an entry, for as long as it is loaded."""
    hass.data[_LOADED] = entry

    @callback
    def forget() -> None:
        del hass.data[_LOADED]

    entry.async_on_unload(forget)


def loaded_entry(hass: HomeAssistant) -> CaesarConfigEntry | None:
    """Return the entry while its memory is loaded."""
    return hass.data.get(_LOADED)


def require_person(connection: ActiveConnection) -> None:
    """Raise Refusal for the users of Home Assistant's own parts."""
    if connection.user.system_generated:
        raise Refusal(NOT_PERMITTED, translation_key="people_only")


async def async_caller(
    hass: HomeAssistant, connection: ActiveConnection, request: Mapping[str, Any]
) -> Caller:
    """Return who sent a request; raises Refusal."""
    require_person(connection)
    entry = loaded_entry(hass)
    if entry is None:
        raise Refusal(NOT_LOADED, translation_key="not_loaded")
    return await async_caller_of(hass, connection, entry, request)


async def async_caller_of(
    hass: HomeAssistant,
    connection: ActiveConnection,
    entry: CaesarConfigEntry,
    request: Mapping[str, Any],
) -> Caller:
    """Return who sent a request, for one entry."""
    return Caller(
        hass=hass,
        connection=connection,
        entry=entry,
        permissions=await async_permissions(hass, entry.options, connection.user),
        language=str(request.get("language", hass.config.language)),
    )
