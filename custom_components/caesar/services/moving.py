"""Actions that write a memory into a file and bring one in."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util
import voluptuous as vol

from custom_components.caesar.const import TRANSFER_FOLDER
from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.models import HOUSEHOLD, Owner
from custom_components.caesar.memory.transfer import folder as folders
from custom_components.caesar.memory.transfer.reading import Checked
from custom_components.caesar.memory.transfer.transfer import Transfer
from custom_components.caesar.people import async_owners
from custom_components.caesar.proactive import ME

from .action import Action, Caller, refusal

_EVERYBODY: Final = "everybody"
_FILE: Final = vol.All(
    cv.string, vol.Match(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,100}\.jsonl$")
)


async def _export(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    owners = await _exported(caller, data["owner"])
    transfer = _transfer(caller)
    answer: dict[str, Any] = {"dry_run": data["dry_run"], "owners": sorted(owners)}
    if data["dry_run"]:
        return {**answer, "file": None, **asdict(await transfer.count(owners))}
    name = f"{dt_util.now():%Y-%m-%d-%H%M%S-%f}.jsonl"
    exported = await transfer.export(owners, name, actor=_actor(caller))
    return {**answer, "file": f"{TRANSFER_FOLDER}/{name}", **asdict(exported)}


async def _import_memory(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    transfer = _transfer(caller)
    hass = caller.call.hass
    path = await hass.async_add_executor_job(
        folders.find, transfer.folder, data["file"]
    )
    if path is None:
        raise refusal("file_not_found")
    checked = await transfer.check(path)
    if checked.problems and not data["dry_run"]:
        raise refusal("import_malformed")
    owners = await _mapped(caller, data["owners"], checked)
    answer = {
        "dry_run": data["dry_run"],
        "lines": checked.lines,
        "problems": [asdict(one) for one in checked.problems],
        "owners": owners,
        "left_out": _left_out(checked, owners),
        "events_left_out": checked.events,
    }
    if checked.problems:
        return answer
    progress = await transfer.bring_in(
        path, owners, actor=_actor(caller), dry_run=data["dry_run"]
    )
    return {**answer, **progress.counts}


def _transfer(caller: Caller) -> Transfer:
    return Transfer(
        memory=caller.runtime.memory,
        folder=Path(caller.call.hass.config.path(TRANSFER_FOLDER)),
    )


def _actor(caller: Caller) -> Owner | None:
    return None if caller.call.context.user_id is None else caller.scope.owner


async def _exported(caller: Caller, named: str) -> set[Owner]:
    """Return whose memory shall be exported; raises ServiceValidationError."""
    if named == _EVERYBODY:
        if not caller.is_admin:
            raise refusal("admin_only")
        counted = await Archive(memory=caller.runtime.memory).counts()
        return {HOUSEHOLD, *counted}
    owner = caller.scope.owner if named == ME else named
    if caller.is_admin:
        return {owner}
    if owner == HOUSEHOLD:
        raise refusal("admin_only")
    return {caller.owner(owner)}


async def _mapped(
    caller: Caller, wanted: Mapping[str, str], checked: Checked
) -> dict[Owner, Owner]:
    """Return who of the file becomes whom; raises ServiceValidationError."""
    own = caller.scope.owner
    allowed = {own} - {HOUSEHOLD}
    if caller.is_admin:
        allowed = {HOUSEHOLD, own, *await async_owners(caller.call.hass)}
    targets = {source: own if to == ME else to for source, to in wanted.items()}
    if not allowed.issuperset(targets.values()):
        raise refusal("foreign_owner")
    found = checked.exchanges.keys() | checked.facts.keys()
    return {
        source: targets.get(source, source)
        for source in sorted(found)
        if targets.get(source, source) in allowed
    }


def _left_out(checked: Checked, owners: Mapping[Owner, Owner]) -> dict[str, int]:
    """Return how many lines there are of owners that become nobody here."""
    found = checked.exchanges + checked.facts
    return {owner: count for owner, count in found.items() if owner not in owners}


ACTIONS: Final[Mapping[str, Action]] = {
    "export": Action(
        handler=_export,
        schema={
            vol.Optional("owner", default=ME): cv.string,
            vol.Optional("dry_run", default=True): cv.boolean,
        },
        response=SupportsResponse.OPTIONAL,
    ),
    "import_memory": Action(
        handler=_import_memory,
        schema={
            vol.Required("file"): _FILE,
            vol.Optional("owners", default=dict): {cv.string: cv.string},
            vol.Optional("dry_run", default=True): cv.boolean,
        },
        response=SupportsResponse.OPTIONAL,
    ),
}
